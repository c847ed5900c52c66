// Opens the pages of groups in Chromium, of a running server that has the sample campus:
// node groups.mjs URL EMAIL PASSWORD [FOLDER_FOR_SCREENSHOTS]
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  assertAccessible,
  close,
  faces,
  inWords,
  open,
  parameters,
  pick,
  screenshot,
  session,
  signIn,
  signOut,
} from "./page.mjs";

const [url, email, password, screenshots] = parameters("URL", "EMAIL", "PASSWORD", "[FOLDER_FOR_SCREENSHOTS]");

/** The page of a group of the campus, as one who has just signed in sees it. */
async function openGroup(name, face = faces[0]) {
  const opened = await open(`${url}/groups`, face);
  await signIn(opened.page, email, password);
  await opened.page.getByRole("link", { name }).click();
  await opened.page.getByRole("list", { name: "Bindings in order" }).waitFor();
  return opened;
}

const order = async (page) =>
  (await page.getByRole("list", { name: "Bindings in order" }).getByRole("listitem").allInnerTexts()).map(
    (text) => /\S+ \S* ?on \S+/.exec(text.split("\n").find((line) => line.includes(" on ")))[0],
  );

test("the bindings of a group are reordered by drag and by keyboard, and kept once saved", async () => {
  const opened = await openGroup("Campus portal");
  const { page } = opened;
  const [first, second, third] = await order(page);
  const handle = (name) => page.getByRole("button", { name: `Move ${name}`, exact: true });
  const from = await handle(third).boundingBox();
  const to = await handle(first).boundingBox();
  await page.mouse.move(from.x + 8, from.y + 8);
  await page.mouse.down();
  await page.mouse.move(to.x + 8, to.y + 2, { steps: 12 });
  await page.getByText(`${third} is at place 1 of 3.`).waitFor({ state: "attached" });
  await page.mouse.up();
  await page.getByText("There are unsaved changes.").waitFor();
  assert.deepEqual(await order(page), [third, first, second]);
  // What was dragged keeps the click that ends a drag, and any other for a moment, from the page.
  await page.waitForFunction(() => {
    let isHeard = false;
    const hear = () => (isHeard = true);
    document.body.addEventListener("click", hear);
    document.body.dispatchEvent(new MouseEvent("click", { bubbles: true }));
    document.body.removeEventListener("click", hear);
    return isHeard;
  });
  await page.getByRole("button", { name: "Discard the changes" }).click();
  await page.getByText("Everything is saved.").waitFor();
  assert.deepEqual(await order(page), [first, second, third]);

  await handle(first).focus();
  await page.keyboard.press("Space");
  await page.getByText(`${first} is picked up at place 1 of 3.`).waitFor({ state: "attached" });
  // It has measured the list, and hears arrow keys, once that has been drawn.
  await page.evaluate(async () => {
    for (const next of [requestAnimationFrame, requestAnimationFrame, setTimeout])
      await new Promise((done) => next(() => done()));
  });
  await page.keyboard.press("ArrowDown");
  await page.getByText(`${first} is at place 2 of 3.`).waitFor({ state: "attached" });
  await page.keyboard.press("Space");
  await page.getByText("There are unsaved changes.").waitFor();
  assert.deepEqual(await order(page), [second, first, third]);
  await assertAccessible(page, faces[0]);
  await screenshot(page, screenshots, "group");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("Everything is saved.").waitFor();
  await page.reload();
  await page.getByRole("list", { name: "Bindings in order" }).waitFor();
  assert.deepEqual(await order(page), [second, first, third]);
  await close(opened);
});

test("what another changed in a group in the meantime is not overwritten", async () => {
  const opened = await openGroup("Campus portal");
  const { page } = opened;
  const id = new URL(page.url()).pathname.split("/").at(-1);
  await page.getByLabel("Description").fill("Changed here");
  const ask = await session(url, email, password);
  const { group } = await ask(
    "query ($id: ID!) { group(id: $id) { name networkId groupType color edgeStyle bindings { id } tags { id } } }",
    { id },
  );
  const { bindings, tags, ...rest } = group;
  const ids = (of) => of.map(({ id }) => id);
  const input = { ...rest, description: "Changed elsewhere", bindingIds: ids(bindings), tags: ids(tags) };
  await ask("mutation ($id: ID!, $input: UpdateGroupInput!) { updateGroup(id: $id, input: $input) { id } }", {
    id,
    input,
  });
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("Someone else has changed this group").waitFor();
  await page.getByRole("button", { name: "Load it as it is now" }).click();
  await page.getByText("Everything is saved.").waitFor();
  assert.equal(await page.getByLabel("Description").inputValue(), "Changed elsewhere");
  await close(opened);
});

test("unsaved changes of a group are not lost without a question, nor with the session", async () => {
  const opened = await openGroup("Campus portal");
  const { page, context, complaints } = opened;
  const description = page.getByLabel("Description");
  const before = await description.inputValue();
  const { href } = new URL(page.url());
  const stay = async () => {
    await page.getByRole("button", { name: "Stay here" }).click();
    await page.getByRole("dialog").waitFor({ state: "detached" });
    assert.equal(page.url(), href);
    assert.equal(await description.inputValue(), "Not saved");
  };
  await description.fill("Not saved");
  await page.getByRole("link", { name: "All groups" }).click();
  await stay();
  await page.getByRole("link", { name: "API keys" }).click();
  await stay();
  await page.evaluate(() => history.back());
  await stay();

  await context.clearCookies();
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByRole("heading", { name: "Sign in" }).waitFor();
  assert.match(complaints.splice(0).join(), /401/);
  await signIn(page, email, password);
  await page.getByText("There are unsaved changes.").waitFor();
  assert.equal(await description.inputValue(), "Not saved");

  await page.evaluate(() => history.back());
  await page.getByRole("button", { name: "Leave without saving" }).click();
  await page.getByRole("list", { name: "Groups" }).waitFor();
  await page.getByRole("link", { name: "Campus portal" }).click();
  await page.getByText("Everything is saved.").waitFor();
  assert.equal(await description.inputValue(), before);
  await close(opened);
});

test("whoever signs out with unsaved changes is asked, and may stay", async () => {
  const opened = await openGroup("Campus portal");
  const { page } = opened;
  const description = page.getByLabel("Description");
  const before = await description.inputValue();
  const ended = [];
  page.on("request", (request) => request.url().endsWith("/api/auth/logout") && ended.push(page.url()));
  await description.fill("Not saved");
  await signOut(page);
  await page.getByRole("dialog", { name: "Leave without saving?" }).waitFor();
  await page.getByRole("button", { name: "Stay here" }).click();
  await page.getByRole("dialog").waitFor({ state: "detached" });
  assert.equal(await description.inputValue(), "Not saved");
  await page.getByText("There are unsaved changes.").waitFor();
  assert.deepEqual(ended, []);

  await signOut(page);
  await page.getByRole("button", { name: "Leave without saving" }).click();
  await page.getByRole("heading", { name: "Sign in" }).waitFor();
  assert.equal(ended.length, 1);
  await signIn(page, email, password);
  await page.getByText("Everything is saved.").waitFor();
  assert.equal(await description.inputValue(), before);
  await close(opened);
});

test("bindings are added to a group and removed from it", async () => {
  const opened = await openGroup("Campus portal");
  const { page } = opened;
  const before = await order(page);
  await pick(page, "Add a binding", "Grafana", "Grafana on mon-1, 3000/tcp on every address");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("Everything is saved.").waitFor();
  await page.getByRole("button", { name: "Remove Grafana on mon-1" }).click();
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("Everything is saved.").waitFor();
  assert.deepEqual(await order(page), before);
  await close(opened);
});

for (const face of faces) {
  test(`the pages of groups can be read and reached, ${inWords(face)}`, async () => {
    const opened = await open(`${url}/groups`, face);
    const { page } = opened;
    await signIn(page, email, password);
    await page.getByRole("list", { name: "Groups" }).waitFor();
    await assertAccessible(page, face);
    await screenshot(page, screenshots, `groups-${face.width}-${face.colorScheme}`);
    await page.getByRole("link", { name: "Monitoring" }).click();
    await page.getByRole("list", { name: "Bindings in order" }).waitFor();
    await assertAccessible(page, face);
    await screenshot(page, screenshots, `group-${face.width}-${face.colorScheme}`);
    await close(opened);
  });
}
