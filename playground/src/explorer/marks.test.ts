import { describe, expect, test } from "vitest";
import type { PictureData, PictureLink, PictureNode } from "./drawing";
import { type Impact, marks, type Path, places } from "./marks";

const node = (id: string, ...members: string[]): PictureNode => ({
  id,
  kind: "HOST",
  label: id,
  detail: null,
  x: 0,
  y: 0,
  width: 100,
  height: 30,
  count: Math.max(members.length, 1),
  isArticulationPoint: false,
  observationIds: [],
  members: members.map((member) => ({ id: member, label: member, kind: "HOST" })),
});

const link = (id: string, a: string, b: string, more: Partial<PictureLink> = {}): PictureLink => ({
  id,
  a,
  b,
  aPort: null,
  bPort: null,
  linkId: `network ${id}`,
  state: "UP",
  method: "LLDP",
  speedBps: null,
  count: 1,
  isBridge: false,
  isDirected: false,
  label: null,
  ...more,
});

const picture: PictureData = {
  width: 500,
  height: 500,
  isRolledUp: true,
  nodes: [node("core"), node("edge"), node("group:1", "pc1", "pc2")],
  links: [link("up", "core", "edge"), link("several", "edge", "group:1", { linkId: null, count: 2 })],
};
const drawn = places(picture);

/** A path over these nodes, whose steps are these links of the network. */
const path = (ids: string[], steps: string[][]) =>
  ({
    nodes: ids.map((id) => ({ id, label: id, kind: "HOST" })),
    hops: steps.map((links) => ({ links: links.map((id) => ({ id })) })),
  }) as unknown as Path;

describe("where things are", () => {
  test("a node shows itself and all that it stands for", () => {
    expect(drawn.shownBy.get("core")).toBe("core");
    expect(drawn.shownBy.get("pc2")).toBe("group:1");
    expect(drawn.shownBy.get("elsewhere")).toBeUndefined();
  });

  test("a link of the network is found where a line stands for it alone", () => {
    expect(drawn.linkOf.get("network up")?.id).toBe("up");
    expect(drawn.linkOf.size).toBe(1);
  });

  test("a line that stands for several links counts as several, and one to itself counts once", () => {
    expect(Object.fromEntries(drawn.degree)).toEqual({ core: 1, edge: 3, "group:1": 2 });
    const loop = places({ ...picture, links: [link("loop", "core", "core")] });
    expect(loop.degree.get("core")).toBe(1);
  });
});

describe("what is marked", () => {
  test("of the selection is the box that shows it", () => {
    const selected = (id: string) => marks(drawn, { kind: "node", id }, undefined, [], undefined).selected;
    expect(selected("pc1")).toBe("group:1");
    expect(selected("elsewhere")).toBeNull();
    expect(marks(drawn, null, undefined, [], undefined).selected).toBeNull();
  });

  test("of a selected link is its line, by its id in the network or in the picture", () => {
    const selected = (id: string) => marks(drawn, { kind: "link", id, at: "edge" }, undefined, [], undefined).selected;
    expect(selected("network up")).toBe("up");
    expect(selected("several")).toBe("several");
    expect(selected("elsewhere")).toBeNull();
  });

  test("of a path are its links, also those that a line of several stands for", () => {
    const found = marks(drawn, null, path(["core", "edge", "pc1"], [["network up"], ["hidden"]]), [], undefined);
    expect([...found.pathNodes]).toEqual(["core", "edge", "group:1"]);
    expect([...found.pathLinks]).toEqual(["up", "several"]);
  });

  test("of a path are only its own links, and lines of several between both ends of a step", () => {
    const parallel = places({ ...picture, links: [...picture.links, link("parallel", "core", "edge")] });
    const found = marks(parallel, null, path(["core", "edge"], [["network up"]]), [], undefined);
    expect([...found.pathLinks]).toEqual(["up"]);
  });

  test("of failures and what they cost is all that is in the picture", () => {
    const impact = { cutOff: [{ id: "pc1" }, { id: "pc2" }], servicesLost: [{ id: "elsewhere" }] } as unknown as Impact;
    const failures = [
      { kind: "host", id: "edge" },
      { kind: "link", id: "network up" },
      { kind: "link", id: "elsewhere" },
    ] as const;
    const found = marks(drawn, null, undefined, failures, impact);
    expect([...found.failed]).toEqual(["edge", "up"]);
    expect([...found.lost]).toEqual(["group:1"]);
  });
});
