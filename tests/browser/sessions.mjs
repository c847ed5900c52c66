// Opens the pages of a running server in Chromium where something is in the way: nobody is signed in, the session ends,
// or a part does not arrive: node sessions.mjs URL EMAIL PASSWORD
import assert from "node:assert/strict";
import { test } from "node:test";
import { idle, open, parameters, session, signIn, signOut } from "./page.mjs";

const [url, email, password] = parameters("URL", "EMAIL", "PASSWORD");
const REFUSED = "console: Failed to load resource: the server responded with a status of 401 (Unauthorized)";

/** A page behind signing in, as one who has just signed in sees it. */
async function openSignedIn(path) {
  const opened = await open(`${url}${path}`);
  await signIn(opened.page, email, password);
  await opened.page.getByRole("button", { name: "Account" }).waitFor();
  return opened;
}

test("whoever is not signed in is led to sign in, and back", async () => {
  for (const path of ["/keys", "/groups", "/query", "/?layer=L3"]) {
    const { page, complaints, context } = await openSignedIn(path);
    const { pathname, searchParams } = new URL(path, url);
    const at = new URL(page.url());
    assert.equal(at.pathname, pathname);
    for (const [name, value] of searchParams) assert.equal(at.searchParams.get(name), value);
    await context.clearCookies();
    await page.reload();
    await page.getByRole("heading", { name: "Sign in" }).waitFor();
    assert.deepEqual(complaints, []);
    await context.close();
  }
});

test("whoever cannot sign out is told, and stays signed in", async () => {
  const { page, complaints, context } = await openSignedIn("/keys");
  await page.route("**/api/auth/logout", (route) => route.abort());
  await signOut(page);
  await page.getByText("You are still signed in").waitFor();
  await page.getByText(/The server cannot be reached/).waitFor();
  await page.getByRole("heading", { name: "API keys" }).waitFor();
  assert.ok(complaints.splice(0).every((complaint) => /ERR_FAILED/.test(complaint)));
  await page.unroute("**/api/auth/logout");
  await signOut(page);
  await page.getByRole("heading", { name: "Sign in" }).waitFor();
  assert.deepEqual(complaints, []);
  await context.close();
});

test("a page that arrives while one signs out asks nothing that would be refused", async () => {
  const { page, complaints, context } = await open(`${url}/sign-in`);
  let arrive;
  const arrived = new Promise((resolve) => (arrive = resolve));
  await page.route("**/assets/Explorer-*.js", async (route) => {
    await arrived;
    await route.continue();
  });
  await page.route("**/api/auth/logout", async (route) => {
    const response = await route.fetch();
    const loaded = page.waitForResponse("**/assets/Explorer-*.js");
    arrive();
    await loaded;
    await idle(page);
    await route.fulfill({ response });
  });
  await signIn(page, email, password);
  await signOut(page);
  await page.getByRole("heading", { name: "Sign in" }).waitFor();
  assert.deepEqual(complaints, []);
  await signIn(page, email, password);
  await page.getByRole("combobox", { name: "Network" }).first().waitFor();
  assert.deepEqual(complaints, []);
  await context.close();
});

test("a session ends only when what was asked by it is answered, also on the page of queries", async (t) => {
  const ask = await session(url, email, password);
  const input = { name: "disabled while one signs out", permissions: "VIEWER", networkIds: [] };
  const make = "mutation ($input: CreateApiKeyInput!) { createApiKey(input: $input) { apiKey { id } } }";
  const { id } = (await ask(make, { input })).createApiKey.apiKey;
  t.after(() => ask("mutation ($id: ID!) { deleteApiKey(id: $id) { __typename } }", { id }));
  const disable = async (page) => {
    await page.getByRole("button", { name: `Actions for ${input.name}` }).click();
    await page.getByRole("menuitem", { name: "Disable" }).click();
  };
  const run = async (page) => {
    await page.locator(".graphiql-query-editor .view-lines").getByText("Networks").first().waitFor();
    await page.getByRole("button", { name: /Execute query/ }).click();
  };
  for (const [path, document, act] of [
    ["/keys", "mutation UpdateApiKey", disable],
    ["/query", "query Networks", run],
  ]) {
    const { page, complaints, context } = await openSignedIn(path);
    const order = [];
    let hold, choose;
    const held = new Promise((resolve) => (hold = resolve));
    const chosen = new Promise((resolve) => (choose = resolve));
    page.on("request", (request) => request.url().endsWith("/api/auth/logout") && order.push("logout"));
    await page.route("**/graphql", async (route) => {
      if (route.request().postDataJSON().query.includes(document)) {
        hold();
        await chosen;
        await idle(page);
        order.push("asked");
      }
      await route.continue();
    });
    await act(page);
    await held;
    await signOut(page);
    choose();
    await page.getByRole("heading", { name: "Sign in" }).waitFor();
    assert.deepEqual(order, ["asked", "logout"], path);
    assert.deepEqual(complaints, []);
    await context.close();
  }
  const { apiKey } = await ask("query ($id: ID!) { apiKey(id: $id) { isEnabled } }", { id });
  assert.equal(apiKey.isEnabled, false);
});

test("a session that ends while one works leads to sign in, and back", async () => {
  const { page, complaints, context } = await openSignedIn("/keys");
  await page.getByRole("button", { name: "Create a key" }).click();
  await context.clearCookies();
  await page.getByLabel("Name").fill("too late");
  await page.getByRole("button", { name: "Create", exact: true }).click();
  await page.getByRole("heading", { name: "Sign in" }).waitFor();
  await signIn(page, email, password);
  await page.getByRole("heading", { name: "API keys" }).waitFor();
  assert.deepEqual(complaints, [REFUSED]);
  await context.close();
});

test("a browser that keeps no session is told what to do", async () => {
  const { page, complaints, context } = await open(`${url}/sign-in`);
  await page.route("**/api/auth/login", async (route) => {
    const response = await route.fetch();
    const { "set-cookie": _, ...headers } = response.headers();
    await context.clearCookies();
    await route.fulfill({ response, headers });
  });
  await signIn(page, email, password);
  await page.getByRole("alert").getByText(/did not keep the session/).waitFor();
  assert.deepEqual(complaints, []);
  await context.close();
});

test("a part of the pages that cannot be loaded is told of, and loaded again", async () => {
  for (const [file, path, name] of [
    ["Groups", "/keys", "The page could not be loaded"],
    ["Picture", "/?layer=L2", "The picture could not be loaded"],
  ]) {
    const { page, complaints, context } = await open(`${url}/sign-in?next=${encodeURIComponent(path)}`);
    await page.route(`**/assets/${file}-*.js`, (route) => route.fulfill({ status: 404, body: "" }));
    await signIn(page, email, password);
    const link = page.getByRole("link", { name: "Groups" });
    await link.waitFor();
    if (file === "Groups") {
      await page.getByRole("heading", { name: "API keys" }).waitFor();
      await link.click();
    } else {
      await page.getByRole("combobox", { name: "Network" }).first().waitFor();
    }
    const told = page.getByRole("alert").filter({ hasText: name });
    await told.waitFor();
    await link.waitFor();
    assert.ok(complaints.length > 0);
    complaints.length = 0;
    await page.unroute(`**/assets/${file}-*.js`);
    await page.getByRole("button", { name: "Load the page again" }).click();
    await told.waitFor({ state: "detached" });
    if (file === "Groups") await page.getByRole("heading", { name: "Groups" }).waitFor();
    else await page.getByRole("application").waitFor();
    assert.deepEqual(complaints, []);
    await context.close();
  }
});

test("one is led back to no other server", async () => {
  for (const next of ["https://example.org/", "//example.org/", "/\\example.org"]) {
    const { page, complaints, context } = await openSignedIn(`/sign-in?next=${encodeURIComponent(next)}`);
    await page.waitForURL(`${url}/**`);
    assert.ok(page.url().startsWith(`${url}/`), page.url());
    assert.deepEqual(complaints, []);
    await context.close();
  }
});
