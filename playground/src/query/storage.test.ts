import { afterEach, beforeEach, expect, test, vi } from "vitest";

const SECRET = "Bearer tsk_secret";

/** What a browser keeps: its entries are its own properties. */
class Held {
  [name: string]: unknown;
  getItem(name: string) {
    return Object.hasOwn(this, name) ? this[name] : null;
  }
  setItem(name: string, value: string) {
    this[name] = value;
  }
  removeItem(name: string) {
    delete this[name];
  }
}

let held: Held;

/** As in a document that was just opened. */
async function opened() {
  vi.resetModules();
  return import("./storage");
}

beforeEach(() => {
  held = new Held();
  vi.stubGlobal("localStorage", held);
});

afterEach(() => vi.unstubAllGlobals());

test("headers are never kept, since they hold keys", async () => {
  const { storage } = await opened();
  storage.setItem("graphiql:headers", SECRET);
  storage.setItem("graphiql:tabState", JSON.stringify({ tabs: [{ query: "{ a }", headers: SECRET }] }));
  expect(JSON.stringify(held)).not.toContain(SECRET);
  expect(JSON.parse(String(storage.getItem("graphiql:tabState")))).toEqual({
    tabs: [{ query: "{ a }", headers: null }],
  });
});

test("what is written in the editor is kept as it is written", async () => {
  const { storage } = await opened();
  const variables = '{ "headers":  1 }';
  storage.setItem("graphiql:variables", variables);
  storage.setItem("graphiql:visiblePlugin", "Documentation Explorer");
  expect(storage.getItem("graphiql:variables")).toBe(variables);
  expect(storage.getItem("graphiql:visiblePlugin")).toBe("Documentation Explorer");
});

test("headers that were kept before are taken away", async () => {
  held.setItem("graphiql:headers", SECRET);
  held.setItem("graphiql:queries", JSON.stringify([{ headers: SECRET, label: "mine" }]));
  const { forgetHeaders, storage } = await opened();
  forgetHeaders();
  expect(storage.getItem("graphiql:headers")).toBeNull();
  expect(storage.getItem("graphiql:queries")).toBe('[{"headers":null,"label":"mine"}]');
});

test("all of GraphiQL is forgotten and nothing is kept any more, and others keep what is theirs", async () => {
  const { forgetQueries, storage } = await opened();
  held.setItem("mantine-color-scheme-value", "dark");
  storage.setItem("graphiql:query", "{ a }");
  storage.setItem("graphiql:variables", "{}");
  expect(storage.length).toBe(2);
  forgetQueries();
  storage.setItem("graphiql:query", "{ a }");
  expect({ ...held }).toEqual({ "mantine-color-scheme-value": "dark" });
});
