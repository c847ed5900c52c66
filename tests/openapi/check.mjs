// The OpenAPI document as linters and generators read it, and what these made against the running
// server. Usage: check.mjs FOLDER URL KEY
import { prepared, run } from "../tools.mjs";

const [folder, url, key] = process.argv.slice(2);
const work = prepared(import.meta.dirname, folder, [
  "../../openapi.json",
  "clients.ts",
  "orval.config.cjs",
  "package.json",
  "redocly.yaml",
  "spectral.json",
  "tsconfig.json",
]);

const spectral = () => run(work, "Spectral", "spectral", "lint", "openapi.json", "--ruleset", "spectral.json", "--fail-severity", "hint");

async function redocly() {
  const said = await run(work, "Redocly", "redocly", "lint", "openapi.json", "--format", "json");
  const { problems } = JSON.parse(said);
  if (problems.length) {
    console.error(`Redocly: ${JSON.stringify(problems, null, 1)}`);
    process.exit(1);
  }
}

async function clients() {
  await Promise.all([
    run(work, "openapi-typescript", "openapi-typescript", "openapi.json", "--output", "types.ts"),
    run(work, "hey-api", "openapi-ts", "--input", "openapi.json", "--output", "heyapi", "--client", "@hey-api/client-fetch"),
    run(work, "orval", "orval", "--config", "orval.config.cjs"),
  ]);
  await run(work, "tsc --strict", "tsc", "--project", "tsconfig.json");
  await run(work, "esbuild", "esbuild", "clients.ts", "--bundle", "--platform=node", "--format=esm", "--outfile=clients.mjs", "--log-level=error");
}

await Promise.all([spectral(), redocly(), clients()]);
process.stdout.write(await run(work, "the generated clients", "clients.mjs", url, key));
