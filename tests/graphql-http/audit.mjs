// Audits a GraphQL endpoint against the GraphQL over HTTP specification: node audit.mjs URL API_KEY
import { serverAudits } from "graphql-http";

const [url, key] = process.argv.slice(2);
if (!url || !key) {
  console.error("usage: node audit.mjs URL API_KEY");
  process.exit(2);
}

function fetchFn(input, init) {
  const headers = new Headers(init?.headers);
  headers.set("authorization", `Bearer ${key}`);
  return fetch(input, { ...init, headers });
}

// MUST, SHOULD and MAY alike: whatever is not "ok" is a failure.
const failures = [];
let passed = 0;
for (const audit of serverAudits({ url, fetchFn })) {
  const result = await audit.fn();
  if (result.status === "ok") passed += 1;
  else failures.push(result);
}

for (const { id, name, status, reason, response } of failures) {
  console.log(`${status} ${id} ${name}: ${reason} (answered ${response?.status})`);
}
console.log(`${passed} passed, ${failures.length} failed`);
process.exitCode = failures.length === 0 && passed > 0 ? 0 : 1;
