// Opens the page /docs of a running server in Chromium: node docs.mjs URL API_KEY [FOLDER_FOR_SCREENSHOTS]
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { chromium } from "playwright-core";

const [url, key, screenshots] = process.argv.slice(2);
if (!url || !key) {
  console.error("usage: node docs.mjs URL API_KEY [FOLDER_FOR_SCREENSHOTS]");
  process.exit(2);
}
const { origin } = new URL(url);

// No sandbox, since root has none; and nothing that Chromium would ask of others by itself.
const args = "--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking \
  --disable-component-update --disable-sync".split(/\s+/);

let browser;
let document;

before(async () => {
  browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args });
  const answer = await fetch(`${origin}/openapi.json`);
  assert.equal(answer.status, 200);
  document = await answer.json();
});
after(() => browser?.close());

/** The page, and everything that it did and should not have done. */
async function open({ width, height, colorScheme }) {
  const context = await browser.newContext({ viewport: { width, height }, colorScheme, reducedMotion: "reduce" });
  const page = await context.newPage();
  const complaints = [];
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) complaints.push(`console: ${message.text()}`);
  });
  page.on("pageerror", (error) => complaints.push(`thrown: ${error}`));
  page.on("requestfailed", (request) => complaints.push(`failed: ${request.url()}`));
  context.on("request", (request) => {
    const to = new URL(request.url());
    if (!["data:", "blob:"].includes(to.protocol) && to.origin !== origin) complaints.push(`left: ${to}`);
  });
  await page.exposeFunction("complain", (text) => complaints.push(text));
  await page.addInitScript(() => {
    addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI }) =>
      window.complain(`policy: ${violatedDirective} ${blockedURI}`),
    );
  });
  await page.goto(`${origin}/docs`);
  await page.locator(".opblock").first().waitFor();
  return { page, complaints, context };
}

async function screenshot(page, name) {
  if (screenshots) await page.screenshot({ path: `${screenshots}/${name}.png`, fullPage: true });
}

const operations = () =>
  Object.entries(document.paths).flatMap(([path, item]) =>
    ["get", "put", "post", "delete", "patch"].filter((method) => method in item).map((method) => ({ method, path })),
  );

for (const [width, height, colorScheme] of [
  [1280, 900, "light"],
  [1280, 900, "dark"],
  [390, 844, "light"],
  [390, 844, "dark"],
]) {
  const face = `${width} pixels wide, ${colorScheme}`;
  const name = `docs-${width}-${colorScheme}`;

  test(`every operation is listed and can be read, ${face}`, async () => {
    const { page, complaints, context } = await open({ width, height, colorScheme });
    await screenshot(page, name);
    const wanted = operations();
    assert.ok(wanted.length > 0);
    assert.equal(await page.locator(".opblock").count(), wanted.length);
    // One of each kind is opened, and the largest: each takes the reader a second or more.
    const opened = wanted.filter(({ method, path }) =>
      ["/api/auth/login", "/api/v1/hosts", "/api/v1/hosts/{id}", "/api/v1/tags/assign"].includes(path),
    );
    assert.equal(opened.length, 7);
    for (const { method, path } of opened) {
      const operation = page.locator(`.opblock-${method}:has([data-path="${path}"])`);
      await operation.locator(".opblock-summary-control").click();
      await operation.locator(".responses-wrapper").waitFor();
      const scrollWidth = await page.evaluate(() => window.document.documentElement.scrollWidth);
      assert.ok(scrollWidth <= width, `with ${method} ${path} the page is ${scrollWidth} pixels wide`);
      if (path === "/api/v1/hosts" && method === "post") await screenshot(page, `${name}-open`);
      // A hundred of them open at once are more than the page can bear.
      await operation.locator(".opblock-summary-control").click();
      await operation.locator(".responses-wrapper").waitFor({ state: "detached" });
    }
    const text = await page.evaluate(() => getComputedStyle(window.document.querySelector(".title")).color);
    const [red] = text.match(/\d+/g).map(Number);
    assert.equal(red < 128 ? "light" : "dark", colorScheme, text);
    assert.deepEqual(complaints, []);
    await context.close();
  });

  test(`an operation can be tried with an API key, ${face}`, async () => {
    const { page, complaints, context } = await open({ width, height, colorScheme });
    await page.locator(".auth-wrapper .authorize").first().click();
    const value = page.locator(".modal-ux #auth-bearer-value");
    await value.fill(key);
    await screenshot(page, `${name}-key`);
    await value.press("Enter");
    await page.locator(".modal-ux .btn-done").first().click();

    const operation = page.locator('.opblock-get:has([data-path$="/v1/services"])');
    await operation.locator(".opblock-summary-control").click();
    await operation.locator(".try-out__btn").click();
    const sent = page.waitForRequest((request) => request.url().includes("/v1/services"));
    await operation.locator(".execute").click();
    const request = await sent;
    assert.equal(await request.headerValue("authorization"), `Bearer ${key}`);
    const response = await request.response();
    assert.equal(response.status(), 200, await response.text());
    const shown = operation.locator(".live-responses-table .response-col_status").nth(1);
    await shown.waitFor();
    assert.match(await shown.innerText(), /^200/);
    await screenshot(page, `${name}-tried`);
    assert.deepEqual(complaints, []);
    await context.close();
  });
}
