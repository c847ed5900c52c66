// The schema as the tools of clients read it: compilers, generators and rules, and then what they
// made asks the running server. Usage: check.mjs FOLDER URL KEY
import { mkdirSync } from "node:fs";
import { join } from "node:path";

import { prepared, run } from "../tools.mjs";

const [folder, url, key] = process.argv.slice(2);
const work = prepared(import.meta.dirname, folder, [
  "../../schema.graphql",
  "clients.ts",
  "codegen.mjs",
  "documents.graphql",
  "eslint.config.mjs",
  "package.json",
  "relay",
  "relay.config.json",
  "tsconfig.json",
]);

async function relay() {
  mkdirSync(join(work, "artifacts"));
  await run(work, "relay-compiler", "relay-compiler", "relay.config.json");
}

async function codegen() {
  await run(work, "graphql-codegen", "codegen.mjs");
  await run(work, "tsc --strict", "tsc", "--project", "tsconfig.json");
}

const rules = () => run(work, "graphql-eslint", "eslint", "--max-warnings", "0", "schema.graphql");

await Promise.all([relay(), codegen(), rules()]);
process.stdout.write(await run(work, "Apollo and urql", "built/clients.js", url, key));
