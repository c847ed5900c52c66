// What the tests of the explorer share.
import { before } from "node:test";
import { faces, open, parameters, session, signIn } from "./page.mjs";

/** The running server, who signs in there, and where screenshots go. */
export const [url, email, password, screenshots] = parameters("URL", "EMAIL", "PASSWORD", "[FOLDER_FOR_SCREENSHOTS]");
/** Somebody else there, who sees the same and has the same password. */
export const COLLEAGUE = "second@example.org";
export const CAMPUS = "Sample campus";

/** The ids of networks by their names. */
export let networks;

before(async () => {
  const ask = await session(url, email, password);
  const data = await ask("{ networks(first: 100) { nodes { id name } } }");
  networks = new Map(data.networks.nodes.map(({ id, name }) => [name, id]));
});

/** The explorer of a network with its picture settled. */
export async function explore(query, face = faces[0], network = CAMPUS) {
  const parts = new URLSearchParams({ network: networks.get(network), ...query });
  const opened = await open(`${url}/?${parts}`, face);
  await signIn(opened.page, email, password);
  await settled(opened.page);
  return { ...opened, face };
}

/** The picture, as it can be reached by keyboard. */
export const picture = (page) => page.getByRole("application", { name: /^Picture of/ });

/** Waits until the picture says that it is drawn as it will stay: `aria-busy` is said, and is false all the way up. */
export async function settled(page) {
  await page.waitForFunction(() => {
    const picture = document.querySelector("[role=application]");
    return picture?.getAttribute("aria-busy") === "false" && !picture.closest("[aria-busy=true]");
  });
}

/** A heading of the page. */
export const heading = (page, name) => page.getByRole("heading", { name, exact: true });

/** Types into the search. */
export async function find(page, text) {
  await page.getByLabel(/^Find by name/).fill(text);
}

/** Everything that is on the canvas, once it is settled. */
export async function image(page) {
  await settled(page);
  return page.evaluate(() =>
    [...document.querySelectorAll(".picture canvas")].map((canvas) => canvas.toDataURL()).join(),
  );
}

/** Finds a device and goes to it, which brings it to the middle of the picture; returns where that is. */
export async function goTo(page, name) {
  await find(page, name);
  await page
    .getByRole("option", { name: new RegExp(`^${name}`) })
    .first()
    .click();
  await heading(page, name).waitFor();
  await settled(page);
  const { x, y, width, height } = await picture(page).boundingBox();
  return [x + width / 2, y + height / 2];
}
