// Opens what is around the pages, and those of queries and keys, in Chromium: of a running server with a network in
// it, and of one that nobody has set up: node shell.mjs URL EMAIL PASSWORD NEW_URL [FOLDER_FOR_SCREENSHOTS]
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { test } from "node:test";
import { promisify } from "node:util";
import {
  assertAccessible,
  faces,
  idle,
  inWords,
  open,
  openBeside,
  parameters,
  screenshot,
  session,
  signIn,
  signOut,
} from "./page.mjs";

const [url, email, password, newUrl, screenshots] = parameters(
  "URL",
  "EMAIL",
  "PASSWORD",
  "NEW_URL",
  "[FOLDER_FOR_SCREENSHOTS]",
);
const REFUSED = "console: Failed to load resource: the server responded with a status of 401 (Unauthorized)";
const FIRST_VIEW = 400 * 1024;

/** A page behind signing in, as one who has just signed in sees it. */
async function openSignedIn(path, face) {
  const opened = await open(`${url}${path}`, face);
  await signIn(opened.page, email, password);
  await opened.page.getByRole("button", { name: "Account" }).waitFor();
  return opened;
}

/** The page of queries, ready to be written on. */
async function openQuery(face) {
  const opened = await openSignedIn("/query", face);
  await opened.page.locator(".graphiql-query-editor .view-lines").waitFor();
  return opened;
}

/** Replaces what an editor holds. */
async function write(page, editor, text) {
  await page.locator(`${editor} .view-lines:visible`).first().click();
  await page.keyboard.press("Control+a");
  await page.keyboard.insertText(text);
}

/** Does something that asks at `/graphql`, and returns the answer. */
async function answerTo(page, action, isIt = () => true) {
  const answered = page.waitForResponse(
    (response) => response.url().endsWith("/graphql") && isIt(response.request().postDataJSON()),
  );
  await action();
  return (await answered).json();
}

/** All that a page keeps in its browser. */
const stored = (page) => page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]));

/** Runs a command as somebody would who copied it. */
async function shell(command) {
  const { stdout } = await promisify(execFile)("sh", ["-c", `${command} --silent --noproxy '*'`]);
  return JSON.parse(stdout);
}

async function createKey(page, name, level) {
  await page.getByRole("button", { name: "Create a key" }).click();
  const dialog = page.getByRole("dialog", { name: "Create a key" });
  await dialog.getByLabel("Name").fill(name);
  await dialog.getByLabel("Level").selectOption(level);
  await dialog.getByLabel("Last day").fill("2099-12-31");
  await dialog.getByRole("button", { name: "Create", exact: true }).click();
  return keep(page);
}

/** Takes what a dialog shows this once. */
async function keep(page) {
  const secret = await page.getByRole("textbox", { name: "Secret" }).inputValue();
  const command = await page.getByRole("textbox", { name: "To try it in a shell" }).inputValue();
  await page.getByRole("button", { name: "I have kept it" }).click();
  return { secret, command };
}

async function act(page, key, action) {
  await page.getByRole("button", { name: `Actions for ${key}` }).click();
  await page.getByRole("menuitem", { name: action }).click();
}

test("who comes first sets up an organization, signs out, and in again", async () => {
  const { page, complaints, context } = await open(newUrl);
  await page.getByRole("heading", { name: "Welcome to Toposcope" }).waitFor();
  await screenshot(page, screenshots, "first-start");
  await assertAccessible(page, faces[0]);
  await page.getByLabel("Organization").fill("Example");
  await page.getByLabel("First network").fill("Headquarters");
  await page.getByLabel("E-mail").fill("first@example.org");
  await page.getByRole("textbox", { name: "Password" }).fill("Correct1Horse2Battery");
  await page.getByLabel(/accept the terms/).check();
  await page.getByRole("button", { name: "Set up" }).click();
  await page.getByRole("button", { name: "Account" }).click();
  await page.getByText("Owner of Example").waitFor();
  assert.equal(new URL(page.url()).pathname, "/");
  await page.getByRole("menuitem", { name: "Sign out" }).click();

  await page.getByRole("heading", { name: "Sign in" }).waitFor();
  assert.deepEqual(complaints, []);
  await signIn(page, "first@example.org", "not the password");
  await page.getByRole("alert").waitFor();
  assert.deepEqual(complaints.splice(0), [REFUSED]);
  await signIn(page, "first@example.org", "Correct1Horse2Battery");
  await page.getByRole("button", { name: "Account" }).waitFor();
  assert.deepEqual(complaints, []);
  await context.close();
});

test("the first view takes at most 400 KiB of script", async (t) => {
  const { page, complaints, context } = await openSignedIn("/");
  await page.waitForLoadState("networkidle");
  const scripts = await page.evaluate(() =>
    performance
      .getEntriesByType("resource")
      .filter(({ name }) => name.endsWith(".js"))
      .map(({ encodedBodySize }) => encodedBodySize),
  );
  assert.ok(scripts.length > 0);
  const bytes = scripts.reduce((sum, size) => sum + size, 0);
  t.diagnostic(`${scripts.length} scripts, ${bytes} bytes`);
  assert.ok(bytes <= FIRST_VIEW, `${bytes} bytes`);
  assert.deepEqual(complaints, []);
  await context.close();
});

test("a query is written and run, and its cost is shown", async () => {
  const { page, complaints, context } = await openQuery();
  await write(page, ".graphiql-query-editor", "query Who { viewer { user { email } } }");
  // What is run is the operation that the tab is named after.
  await page.locator(".graphiql-tab-active").getByText("Who").waitFor();
  const run = () => page.keyboard.press("Control+Enter");
  const { data, extensions } = await answerTo(page, run, ({ operationName }) => operationName === "Who");
  assert.equal(data.viewer.user.email, email);
  const { statements, milliseconds } = extensions.cost;
  assert.ok(statements >= 1 && milliseconds > 0);
  await page.getByRole("status", { name: "Cost of the answer" }).getByText(`${statements} statement`).waitFor();
  await page.locator(".result-window").getByText(email).waitFor();

  // It is open again after a reload.
  await page.reload();
  await page.locator(".graphiql-query-editor").getByText("Who").first().waitFor();
  assert.deepEqual(complaints, []);
  await context.close();
});

test("what is no answer to a query is told of in words, without the cost of the last one", async () => {
  const { page, complaints, context } = await openQuery();
  await write(page, ".graphiql-query-editor", "query Who { viewer { user { email } } }");
  await page.locator(".graphiql-tab-active").getByText("Who").waitFor();
  const cost = page.getByRole("status", { name: "Cost of the answer" });
  await page.keyboard.press("Control+Enter");
  await cost.getByText("ms").waitFor();
  const html = { status: 502, contentType: "text/html", body: "<h1>Bad Gateway</h1>" };
  for (const [answer, said] of [
    [(route) => route.fulfill(html), "cannotberead(status502)"],
    [(route) => route.abort(), "cannotbereached"],
  ]) {
    await page.route("**/graphql", answer);
    await page.getByRole("button", { name: /Execute query/ }).click();
    // The editor breaks lines where it likes.
    await page.waitForFunction(
      (said) => document.querySelector(".result-window").innerText.replace(/\s+/g, "").includes(said),
      said,
    );
    assert.equal(await cost.innerText(), "");
    await page.unroute("**/graphql");
  }
  assert.ok(complaints.every((complaint) => /502|ERR_FAILED/.test(complaint)), complaints.join("\n"));
  await context.close();
});

test("every example answers about the network that is loaded", async () => {
  const { page, complaints, context } = await openQuery();
  const menu = page.getByRole("button", { name: "Examples" });
  await page.getByRole("combobox", { name: "Network of the examples" }).selectOption("Sample campus");
  await menu.click();
  const items = page.getByRole("menuitem");
  await items.first().waitFor();
  const count = await items.count();
  assert.ok(count >= 10, `${count} examples`);
  await page.keyboard.press("Escape");
  for (let index = 0; index < count; index += 1) {
    await menu.click();
    const title = await items.nth(index).innerText();
    const { data, errors } = await answerTo(page, () => items.nth(index).click());
    assert.equal(errors, undefined, title);
    assert.ok(Object.values(data).every((value) => value !== null), title);
  }
  await page.getByRole("status", { name: "Cost of the answer" }).getByText("ms").waitFor();
  assert.deepEqual(complaints, []);
  await context.close();
});

test("a key is made, used with curl, disabled, enabled, given another secret, and deleted", async () => {
  const { page, complaints, context } = await openSignedIn("/keys");
  const name = "collector";
  const { command } = await createKey(page, name, "MEMBER");
  const works = { permissions: "MEMBER", networks: [{ name: "Audit" }, { name: "Sample campus" }] };
  assert.deepEqual((await shell(command)).data.viewer, works);
  const refused = async (command, code) =>
    assert.equal((await shell(command)).errors[0].extensions.code, code);

  const row = page.getByRole("listitem", { name });
  await row.getByText("Works").waitFor();
  await act(page, name, "Disable");
  await row.getByText("Disabled").waitFor();
  await refused(command, "entity_disabled");
  await act(page, name, "Enable");
  await row.getByText("Works").waitFor();
  assert.deepEqual((await shell(command)).data.viewer, works);

  await act(page, name, "Make a new secret");
  await page.getByRole("dialog").getByRole("button", { name: "Make a new secret" }).click();
  const next = await keep(page);
  await refused(command, "auth_not_authenticated");
  assert.deepEqual((await shell(next.command)).data.viewer, works);

  // With it one asks as its owner's program does, also on the page of queries.
  await page.goto(`${url}/query`);
  await write(page, ".graphiql-query-editor", "query Key { viewer { apiKey { name } } }");
  await page.getByRole("button", { name: "Headers" }).click();
  await write(page, ".graphiql-editor-tool", JSON.stringify({ Authorization: `Bearer ${next.secret}` }));
  const asked = await answerTo(
    page,
    () => page.getByRole("button", { name: /Execute query/ }).click(),
    ({ operationName }) => operationName === "Key",
  );
  assert.equal(asked.data.viewer.apiKey.name, name);
  // The editor writes what it keeps a moment after each change, and what is changed later, later.
  await write(page, ".graphiql-query-editor", "query Key { viewer { apiKey { name isEnabled } } }");
  await page.waitForFunction(() => localStorage.getItem("graphiql:tabState")?.includes("isEnabled"));
  assert.ok(!(await stored(page)).includes(next.secret), "the secret is stored");

  await page.goto(`${url}/keys`);
  await act(page, name, "Delete");
  await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
  await row.waitFor({ state: "detached" });
  await refused(next.command, "auth_not_authenticated");

  await page.goto(`${url}/query`);
  await page.locator(".graphiql-query-editor").getByText("Key").first().waitFor();
  assert.match(await stored(page), /graphiql:/);
  await signOut(page);
  await page.getByRole("heading", { name: "Sign in" }).waitFor();
  assert.doesNotMatch(await stored(page), /graphiql:/);
  assert.deepEqual(complaints, []);
  await context.close();
});

/** Goes on by the key Tab until it is at what has a name; wherever it is, one can see that. */
async function tabTo(page, name) {
  for (let step = 0; step < 40; step += 1) {
    await page.keyboard.press("Tab");
    const at = await page.evaluate(async () => {
      // After a Tab in a date field, a timer of the dialog checks where the focus went and may move it back.
      // It has run before this one; a person is never as fast.
      await new Promise((resolve) => setTimeout(resolve));
      const { activeElement } = document;
      const { outlineStyle, borderColor } = getComputedStyle(activeElement);
      const label = activeElement.labels?.[0]?.textContent ?? "";
      const text = activeElement.getAttribute("aria-label") ?? (label || activeElement.textContent);
      return { text, outlineStyle, borderColor, isField: activeElement.matches("input, select") };
    });
    assert.ok(at.isField || at.outlineStyle !== "none", `the focus is not seen at ${at.text}`);
    if (at.text.startsWith(name)) return;
  }
  assert.fail(`${name} is not reached`);
}

test("all of it works by the keyboard alone", async () => {
  const { page, complaints, context } = await open(`${url}/keys`);
  await page.getByLabel("E-mail").waitFor();
  await page.keyboard.type(email);
  await page.keyboard.press("Tab");
  await page.keyboard.type(password);
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "API keys" }).waitFor();
  await tabTo(page, "Create a key");
  await page.keyboard.press("Enter");
  await page.getByRole("dialog", { name: "Create a key" }).getByLabel("Name").waitFor();
  await page.keyboard.type("  ");
  assert.ok(await page.getByRole("button", { name: "Create", exact: true }).isDisabled());
  await page.keyboard.type("by keyboard");
  await tabTo(page, "Create");
  await page.keyboard.press("Enter");
  await page.getByRole("textbox", { name: "Secret" }).waitFor();
  await tabTo(page, "I have kept it");
  await page.keyboard.press("Enter");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await tabTo(page, "Actions for by keyboard");
  await page.keyboard.press("Enter");
  // The menu takes the focus a moment after it is there, first to itself, and so names all that is in it.
  await page.locator('[role="menu"]:focus-within').waitFor();
  const chosen = page.locator('[role="menuitem"]:focus', { hasText: "Delete" });
  for (let step = 0; step < 5 && (await chosen.count()) === 0; step += 1) await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).waitFor();
  await tabTo(page, "Delete");
  await page.keyboard.press("Enter");
  await page.getByRole("listitem", { name: "by keyboard" }).waitFor({ state: "detached" });
  assert.deepEqual(complaints, []);
  await context.close();
});

test("the color scheme is that of the system until one chooses, and then that", async () => {
  const { page, complaints, context } = await openSignedIn("/keys");
  const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const light = await background();
  await page.emulateMedia({ colorScheme: "dark" });
  await page.getByRole("button", { name: "Use the light color scheme" }).waitFor();
  assert.notEqual(await background(), light);
  await page.getByRole("button", { name: "Use the light color scheme" }).click();
  await page.getByRole("button", { name: "Use the dark color scheme" }).waitFor();
  assert.equal(await background(), light);
  await page.reload();
  await page.getByRole("heading", { name: "API keys" }).waitFor();
  assert.equal(await background(), light);

  // The reader of REST endpoints follows it, too.
  await page.goto(`${url}/docs`);
  const isDark = () => page.evaluate(() => document.documentElement.classList.contains("dark-mode"));
  await page.locator(".title").first().waitFor();
  assert.equal(await isDark(), false);
  await page.evaluate(() => localStorage.removeItem("mantine-color-scheme-value"));
  await page.reload();
  await page.locator(".title").first().waitFor();
  assert.equal(await isDark(), true);
  assert.deepEqual(complaints, []);
  await context.close();
});

test("a mistyped address is told, not hidden, and leads to the explorer", async () => {
  const { page, complaints, context } = await open(`${url}/exploerr?layer=L3`);
  await page.getByRole("heading", { name: "There is no page at /exploerr" }).waitFor();
  assert.equal(page.url(), `${url}/exploerr?layer=L3`);
  assert.equal(await page.title(), "No such page · Toposcope");
  // Browsers tell of the status, too.
  assert.match(complaints.splice(0).join(), /^console: .* status of 404/);
  await assertAccessible(page, faces[0]);
  await page.getByRole("link", { name: "explorer", exact: true }).click();
  await signIn(page, email, password);
  await page.getByRole("application").waitFor();
  assert.equal(new URL(page.url()).pathname, "/");
  assert.deepEqual(complaints, []);
  await context.close();
});

/** Has one tab write something, and waits until another has heard of it, and so of all that was written before. */
async function hear(from, to) {
  await to.evaluate(() => {
    window.heard = new Promise((done) => addEventListener("storage", ({ key }) => key === "heard" && done()));
  });
  await from.evaluate(() => localStorage.setItem("heard", String(performance.now())));
  await to.evaluate(() => window.heard);
}

test("the color scheme that is chosen in one tab is that of all, whichever one chooses in", async () => {
  const opened = await openSignedIn("/keys");
  const { page, complaints, context } = opened;
  const { page: beside } = await openBeside(opened, `${url}/groups`);
  const { page: docs } = await openBeside(opened, `${url}/docs`);
  const toggle = (page, scheme) => page.getByRole("button", { name: `Use the ${scheme} color scheme` });
  const scheme = (page) => page.evaluate(() => document.documentElement.dataset.mantineColorScheme);
  for (const [here, there, chosen, other] of [
    [page, beside, "dark", "light"],
    [beside, page, "light", "dark"],
  ]) {
    await toggle(there, chosen).waitFor();
    await toggle(here, chosen).click();
    await toggle(there, other).waitFor();
    await docs.waitForFunction(
      (isDark) => document.documentElement.classList.contains("dark-mode") === isDark,
      chosen === "dark",
    );
    // Neither of them takes it back: whatever either wrote, the other has heard.
    for (const [from, to] of [
      [there, here],
      [here, there],
    ]) {
      await hear(from, to);
      await idle(to);
    }
    assert.deepEqual([await scheme(here), await scheme(there)], [chosen, chosen]);
  }
  assert.deepEqual(complaints, []);
  await context.close();
});

test("moments are told in the zone of whoever reads them", async (t) => {
  const ask = await session(url, email, password);
  const input = { name: "told in zones", permissions: "VIEWER", networkIds: [], expiresAt: "2099-06-30T22:45:00Z" };
  const make = "mutation ($input: CreateApiKeyInput!) { createApiKey(input: $input) { apiKey { id } } }";
  const { id } = (await ask(make, { input })).createApiKey.apiKey;
  t.after(() => ask("mutation ($id: ID!) { deleteApiKey(id: $id) { __typename } }", { id }));
  for (const [timezoneId, told] of [
    ["Pacific/Kiritimati", "Jul 1, 2099, 12:45 PM"],
    ["Asia/Kathmandu", "Jul 1, 2099, 4:30 AM"],
    ["America/Lima", "Jun 30, 2099, 5:45 PM"],
  ]) {
    const { page, complaints, context } = await openSignedIn("/keys", { ...faces[0], timezoneId });
    const expires = page.getByRole("listitem", { name: input.name }).locator('time[datetime^="2099"]');
    assert.equal((await expires.innerText()).replace(/\s/g, " "), told, timezoneId);
    assert.deepEqual(complaints, []);
    await context.close();
  }
});

for (const face of faces) {
  const name = (page) => `${page}-${face.width}-${face.colorScheme}`;
  test(`everybody can use the pages, ${inWords(face)}`, async () => {
    const { page, complaints, context } = await open(`${url}/keys`, face);
    await page.getByLabel("E-mail").waitFor();
    await screenshot(page, screenshots, name("sign-in"));
    await assertAccessible(page, face);
    await signIn(page, email, password);
    await page.getByRole("heading", { name: "API keys" }).waitFor();
    const key = `face ${face.width} ${face.colorScheme}`;
    await createKey(page, key, "VIEWER");
    await page.getByRole("listitem", { name: key }).waitFor();
    assert.equal(await page.title(), "API keys · Toposcope");
    await screenshot(page, screenshots, name("keys"));
    await assertAccessible(page, face);
    await page.getByRole("button", { name: "Create a key" }).click();
    await page.getByRole("dialog").getByLabel("Name").waitFor();
    await screenshot(page, screenshots, name("keys-create"));
    await assertAccessible(page, face);
    await page.keyboard.press("Escape");
    await act(page, key, "Delete");
    await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
    await page.getByRole("listitem", { name: key }).waitFor({ state: "detached" });

    await page.goto(`${url}/query`);
    await page.getByRole("button", { name: "Examples" }).click();
    await answerTo(page, () => page.getByRole("menuitem", { name: /unknown/ }).click());
    await page.locator(".result-window").getByText("unresolved").waitFor();
    await screenshot(page, screenshots, name("query"));
    await assertAccessible(page, face);
    assert.deepEqual(complaints, []);
    await context.close();
  });
}
