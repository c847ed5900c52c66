// What the tests of the pages share: a browser, pages that note what they should not have done, and what is done in
// all of them.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { after, before } from "node:test";
import { chromium } from "playwright-core";

// No sandbox, since root has none; and nothing that Chromium would ask of others by itself.
const args = "--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking \
  --disable-component-update --disable-sync".split(/\s+/);

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** The sizes of windows and the color schemes in which every page has to work. */
export const faces = [
  { width: 1280, height: 900, colorScheme: "light" },
  { width: 1280, height: 900, colorScheme: "dark" },
  { width: 390, height: 844, colorScheme: "light" },
  { width: 390, height: 844, colorScheme: "dark" },
];

/** What tells a face from others, in words. */
export const inWords = ({ width, colorScheme }) => `${width} pixels wide, ${colorScheme}`;

/** So many times slower than this machine is, the pages have to work, too: TOPOSCOPE_SLOWED=4. */
const SLOWED = Number(process.env.TOPOSCOPE_SLOWED ?? 1);
assert.ok(SLOWED >= 1, `TOPOSCOPE_SLOWED is ${process.env.TOPOSCOPE_SLOWED}`);
/** How long an end is waited for until it is said that there is none, in milliseconds: it decides nothing else. */
const PATIENCE = 60_000 * SLOWED;

let browser;
before(async () => {
  browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args });
});
after(() => browser?.close());

/** The arguments of a test file, as many as there are names; the last may be left out if its name is in brackets. */
export function parameters(...names) {
  const given = process.argv.slice(2);
  if (given.length < names.filter((name) => !name.startsWith("[")).length) {
    console.error(`usage: node ${process.argv[1].split("/").at(-1)} ${names.join(" ")}`);
    process.exit(2);
  }
  return given;
}

/** A page of a browser without any past, and everything that it does and should not do. */
export async function open(url, { width, height, ...more } = faces[0]) {
  const { origin } = new URL(url);
  const context = await browser.newContext({ viewport: { width, height }, reducedMotion: "reduce", ...more });
  const complaints = [];
  context.on("request", (request) => {
    const to = new URL(request.url());
    if (!["data:", "blob:"].includes(to.protocol) && to.origin !== origin) complaints.push(`left: ${to}`);
  });
  return openBeside({ context, complaints }, url);
}

/** One more page of a browser that is open already. */
export async function openBeside({ context, complaints }, url) {
  const page = await context.newPage();
  page.setDefaultTimeout(PATIENCE);
  if (SLOWED > 1) {
    const tools = await context.newCDPSession(page);
    await tools.send("Emulation.setCPUThrottlingRate", { rate: SLOWED });
  }
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) complaints.push(`console: ${message.text()}`);
  });
  page.on("pageerror", (error) => complaints.push(`thrown: ${error}`));
  page.on("requestfailed", (request) => {
    // Whoever goes on to another page does not wait for all of the last one.
    const { errorText } = request.failure();
    if (errorText !== "net::ERR_ABORTED") complaints.push(`failed: ${request.url()} ${errorText}`);
  });
  await page.exposeFunction("complain", (text) => complaints.push(text));
  await page.addInitScript(() => {
    addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI }) =>
      window.complain(`policy: ${violatedDirective} ${blockedURI}`),
    );
  });
  await page.goto(url);
  return { page, complaints, context };
}

/** Waits until a page has done all that it was about to do by itself, so that what it has not done it will not do. */
export async function idle(page) {
  await page.evaluate(async () => {
    for (let times = 0; times < 3; times += 1) await scheduler.postTask(() => undefined, { priority: "background" });
  });
}

/** What a page takes for a fixed piece of work on an idle machine, in milliseconds. */
const USUAL = 60;

/** How many times slower than on an idle machine a page is at this moment. */
export async function slowness(page) {
  const took = await page.evaluate(() => {
    const began = performance.now();
    let state = 1;
    for (let times = 0; times < 2e7; times += 1) {
      state ^= state << 13;
      state ^= state >>> 17;
      state ^= state << 5;
    }
    return state === 0 ? 0 : performance.now() - began;
  });
  return Math.max(1, took / USUAL);
}

/** Writes a picture of a page, if there is a folder for it. */
export async function screenshot(page, folder, name) {
  if (folder) await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true });
}

/** Fills the form of signing in, and sends it. */
export async function signIn(page, email, password) {
  await page.getByLabel("E-mail").fill(email);
  await page.getByRole("textbox", { name: "Password" }).fill(password);
  await page.getByRole("button", { name: "Sign in" }).click();
}

/** Opens the menu of whoever is signed in, and chooses to sign out. */
export async function signOut(page) {
  await page.getByRole("button", { name: "Account" }).click();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
}

/** Asserts that a page keeps within its window, and that nobody is kept from using it. */
export async function assertAccessible(page, { width }) {
  const scrollWidth = await page.evaluate(() => document.documentElement.scrollWidth);
  assert.ok(scrollWidth <= width, `the page is ${scrollWidth} pixels wide`);
  await page.evaluate(axe);
  const { violations } = await page.evaluate(() => window.axe.run());
  const grave = violations.filter(({ impact }) => ["serious", "critical"].includes(impact));
  assert.deepEqual(
    grave.map(({ id, nodes }) => `${id}: ${nodes.map(({ html, failureSummary }) => `${html}\n${failureSummary}`)[0]}`),
    [],
  );
}

/** Chooses what a field offers for a text. */
export async function pick(page, field, text, option = text) {
  const named = { name: field };
  await page.getByRole("textbox", named).or(page.getByRole("combobox", named)).first().fill(text);
  await page.getByRole("option", { name: option, exact: true }).click();
}

/** Ends with a page that was opened, and asserts that it did nothing that it should not do. */
export async function close({ complaints, context }) {
  assert.deepEqual(complaints, []);
  await context.close();
}

/** Signs in past the pages; what is returned runs a GraphQL document and returns its data. */
export async function session(url, email, password) {
  const post = (path, body, headers = {}) =>
    fetch(`${url}${path}`, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: JSON.stringify(body),
    });
  const answer = await post("/api/auth/login", { email, password });
  assert.equal(answer.status, 200);
  const [cookie] = answer.headers.get("set-cookie").split(";");
  return async (query, variables = {}) => {
    const { data, errors } = await (await post("/graphql", { query, variables }, { cookie })).json();
    assert.equal(errors, undefined);
    return data;
  };
}
