import { describe, expect, test } from "vitest";
import { changed, impactLayer, readView, type View, viewUrl, writeView } from "./view";

const [A, B, C] = [1, 2, 3].map((n) => `0190a5c4-7d3e-7abc-8def-00000000000${n}`) as [string, string, string];
const DEFAULT = readView("");

/** Everything at once, each part other than what goes without saying. */
const FULL: View = {
  network: A,
  layer: "L3",
  root: B,
  hops: 4,
  atMost: 1000,
  selection: { kind: "link", id: C, at: B },
  port: A,
  pane: "failure",
  from: A,
  to: B,
  way: 2,
  failures: [
    { kind: "host", id: A },
    { kind: "link", id: C, at: B },
  ],
};

describe("the URL", () => {
  test("gives back every view that was written into it", () => {
    expect(readView(writeView(FULL))).toEqual(FULL);
    expect(readView(writeView(DEFAULT))).toEqual(DEFAULT);
  });

  test("says nothing of what goes without saying", () => {
    expect(viewUrl(DEFAULT)).toBe("/");
    expect(viewUrl({ ...DEFAULT, layer: "L3" })).toBe("/?layer=L3");
    expect(viewUrl({ ...DEFAULT, hops: 5 })).toBe("/");
    expect(viewUrl({ ...DEFAULT, root: A, hops: 5 })).toBe(`/?root=${A}&hops=5`);
  });

  test("counts ways from one, as people do", () => {
    expect(writeView({ ...DEFAULT, way: 1 })).toBe("way=2");
    expect(readView("way=2").way).toBe(1);
  });

  test.each([
    "layer=L9",
    "pane=kitchen",
    "root=sw1",
    "hops=two",
    "hops=-1",
    "most=1e3",
    "selection=sw1",
    `selection=link~${A}`,
    `selection=link~sw1~${A}`,
    "selection=group:",
    "fail=host~sw1",
    `fail=cable~${A}`,
  ])("is read as if what makes no sense were left out: %s", (search) => {
    expect(readView(search)).toEqual(DEFAULT);
  });

  test("cannot ask for more than there may be", () => {
    expect(readView("hops=101").hops).toBe(100);
    expect(readView("most=0").atMost).toBe(1);
    expect(readView("most=999999").atMost).toBe(5000);
    expect(readView("way=0").way).toBe(0);
  });

  test("gives back the selection of boxes that have no id, whatever is in their names", () => {
    for (const name of ["group:3", "unknown mac 00:11", "unknown a~b & c"]) {
      for (const selection of [
        { kind: "node", id: name },
        { kind: "link", id: A, at: name },
      ] as const) {
        expect(readView(writeView({ ...DEFAULT, selection })).selection).toEqual(selection);
      }
    }
  });
});

describe("a change", () => {
  test("to another network leaves behind all that is of the last", () => {
    const { layer, atMost } = FULL;
    expect(changed(FULL, { network: B })).toEqual({ ...DEFAULT, network: B, layer, atMost });
  });

  test("that only names the network keeps everything", () => {
    expect(changed({ ...FULL, network: null }, { network: A })).toEqual(FULL);
  });

  test("of the selection forgets the port, unless it says one", () => {
    const selection = { kind: "node", id: C } as const;
    expect(changed(FULL, { selection }).port).toBeNull();
    expect(changed(FULL, { selection, port: B }).port).toBe(B);
    expect(changed(FULL, { pane: "list" }).port).toBe(A);
  });

  test("of an end of the path marks its first way again", () => {
    expect(changed(FULL, { to: C }).way).toBe(0);
    expect(changed(FULL, { from: C }).way).toBe(0);
    expect(changed(FULL, { to: B }).way).toBe(2);
  });
});

test("what is lost is told on a layer of devices", () => {
  expect(impactLayer("L2")).toBe("L2");
  expect(impactLayer("L3")).toBe("L3");
  expect(impactLayer("APPLICATION")).toBe("L2");
});
