// Runs the tools of a set of checks in a folder of their own, since they write beside what they read.
import { execFile } from "node:child_process";
import { cpSync, mkdirSync, symlinkSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { promisify } from "node:util";

// What they would tell others of their use, or ask others of their newest version.
const QUIET = { DO_NOT_TRACK: "1", NO_COLOR: "1", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true", REDOCLY_TELEMETRY: "off" };

// A new folder with copies of these files, and what is installed in `here`.
export function prepared(here, folder, files) {
  const work = resolve(folder);
  mkdirSync(work);
  for (const file of files) cpSync(resolve(here, file), join(work, basename(file)), { recursive: true });
  symlinkSync(join(here, "node_modules"), join(work, "node_modules"));
  return work;
}

// Runs a tool or a script of the folder, and tells how long it took or ends with what it said.
export async function run(work, what, tool, ...args) {
  const file = tool.includes(".") ? process.execPath : join(work, "node_modules/.bin", tool);
  const given = tool.includes(".") ? [tool, ...args] : args;
  const began = performance.now();
  try {
    const options = { cwd: work, env: { ...process.env, ...QUIET }, maxBuffer: 1e8 };
    const { stdout } = await promisify(execFile)(file, given, options);
    console.log(`${what}: ${((performance.now() - began) / 1000).toFixed(1)} s`);
    return stdout;
  } catch (error) {
    console.error(`${what}:\n${error.stdout}\n${error.stderr}`);
    process.exit(1);
  }
}
