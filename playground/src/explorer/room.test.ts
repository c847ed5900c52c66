import { expect, test } from "vitest";
import { type Labels, type Line, layOut } from "./room";

const FONT = 10;
/** Every letter is as wide as the letters are high. */
const widthOf = (text: string) => text.length * FONT;

const line = (length: number, more: Partial<Line> = {}): Line => ({
  id: "link",
  from: { x: 0, y: 0 },
  to: { x: length, y: 0 },
  bend: null,
  center: { x: length / 2, y: 0 },
  a: "eth0",
  b: "eth1",
  middle: "",
  isNear: false,
  ...more,
});

const shown = (...lines: Line[]): (Labels | undefined)[] => {
  const found = layOut(lines, FONT, widthOf);
  return lines.map(({ id }) => found.get(id));
};

test("labels stand right beside the boxes of their ports, as far from both", () => {
  const [labels] = shown(line(400));
  expect(labels).toMatchObject({ a: "eth0", b: "eth1", middle: "" });
  expect(labels?.aOffset).toBe(labels?.bOffset);
  expect(labels?.aOffset).toBeGreaterThan(widthOf("eth0") / 2);
  expect(labels?.aOffset).toBeLessThan(widthOf("eth0"));
});

test("a link without anything to say shows nothing", () => {
  expect(shown(line(400, { a: "", b: "" }))).toEqual([undefined]);
});

test("a link that is too short for its ports shows none, and what fits in its middle", () => {
  expect(shown(line(90))).toEqual([undefined]);
  expect(shown(line(90, { middle: "1G" }))).toMatchObject([{ a: "", b: "", middle: "1G" }]);
  expect(shown(line(30, { middle: "1G" }))).toEqual([undefined]);
});

test("a link that bends has room for as much as its whole way is long", () => {
  expect(shown(line(90, { bend: { x: 45, y: 200 } }))).toMatchObject([{ a: "eth0", b: "eth1" }]);
});

test("links that are near show their labels even without room", () => {
  expect(shown(line(10, { middle: "1G", isNear: true }))).toMatchObject([{ a: "eth0", b: "eth1", middle: "1G" }]);
});

test("a label whose place is taken moves along its link, past what is there", () => {
  const [first, second] = shown(line(600, { id: "one", b: "" }), line(600, { id: "two", b: "" }));
  expect((second?.aOffset ?? 0) - (first?.aOffset ?? 0)).toBeGreaterThanOrEqual(widthOf("eth0"));
});

test("a label that finds no free place is left out", () => {
  const [first, second] = shown(line(110, { id: "one" }), line(110, { id: "two" }));
  expect(first).toBeDefined();
  expect(second).toBeUndefined();
});

test("a label does not move into the half of the other port", () => {
  const [, second] = shown(line(200, { id: "one", b: "" }), line(200, { id: "two", b: "" }));
  expect(second).toBeUndefined();
});

test("links that are near choose first, wherever they stand in the list", () => {
  const [far, near] = shown(line(110, { id: "far" }), line(110, { id: "near", isNear: true }));
  expect(far).toBeUndefined();
  expect(near).toMatchObject({ a: "eth0", b: "eth1" });
});

test("links side by side keep their labels where they are, as soon as there is a line between them", () => {
  const beside = (y: number) => line(400, { id: "two", from: { x: 0, y }, to: { x: 400, y } });
  const offsets = (y: number) => shown(line(400, { id: "one" }), beside(y)).map((labels) => labels?.aOffset);
  const [one, two] = offsets(FONT * 1.5);
  expect(two).toBe(one);
  const [, moved] = offsets(FONT);
  expect(moved).not.toBe(one);
});

test("links that cross leave the middle to the first", () => {
  const across = { from: { x: 100, y: -100 }, to: { x: 100, y: 100 }, center: { x: 100, y: 0 } };
  const text = { a: "", b: "", middle: "10G" };
  expect(shown(line(200, { id: "one", ...text }), line(200, { id: "two", ...text, ...across }))).toMatchObject([
    { middle: "10G" },
    undefined,
  ]);
});
