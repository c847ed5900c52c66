// Opens the page /docs of a running server in Chromium: node docs.mjs URL API_KEY [FOLDER_FOR_SCREENSHOTS]
import assert from "node:assert/strict";
import { before, test } from "node:test";
import { faces, idle, inWords, open, parameters, screenshot } from "./page.mjs";

const [url, key, screenshots] = parameters("URL", "API_KEY", "[FOLDER_FOR_SCREENSHOTS]");
const { origin } = new URL(url);

let document;

before(async () => {
  const answer = await fetch(`${origin}/openapi.json`);
  assert.equal(answer.status, 200);
  document = await answer.json();
});

/** The page with its operations listed. */
async function openDocs(face) {
  const opened = await open(`${origin}/docs`, face);
  await opened.page.locator(".opblock").nth(operations().length - 1).waitFor();
  return opened;
}

const operations = () =>
  Object.entries(document.paths).flatMap(([path, item]) =>
    ["get", "put", "post", "delete", "patch"].filter((method) => method in item).map((method) => ({ method, path })),
  );

// Each takes half a minute: one that is wide and light, and one that is narrow and dark, are both of each.
for (const face of [faces[0], faces[3]]) {
  const { width, colorScheme } = face;
  const name = `docs-${width}-${colorScheme}`;

  test(`every operation is listed and can be read, ${inWords(face)}`, async () => {
    const { page, complaints, context } = await openDocs(face);
    await screenshot(page, screenshots, name);
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
      await idle(page);
      const scrollWidth = await page.evaluate(() => window.document.documentElement.scrollWidth);
      assert.ok(scrollWidth <= width, `with ${method} ${path} the page is ${scrollWidth} pixels wide`);
      if (path === "/api/v1/hosts" && method === "post") await screenshot(page, screenshots, `${name}-open`);
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

  test(`an operation can be tried with an API key, ${inWords(face)}`, async () => {
    const { page, complaints, context } = await openDocs(face);
    await page.locator(".auth-wrapper .authorize").first().click();
    const value = page.locator(".modal-ux #auth-bearer-value");
    await value.fill(key);
    await screenshot(page, screenshots, `${name}-key`);
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
    await screenshot(page, screenshots, `${name}-tried`);
    assert.deepEqual(complaints, []);
    await context.close();
  });
}
