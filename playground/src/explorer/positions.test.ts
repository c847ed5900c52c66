import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { loadPositions, savePositions } from "./positions";

const NAME = "toposcope.positions.user.network.L2";
let held: Map<string, string>;

beforeEach(() => {
  held = new Map();
  vi.stubGlobal("localStorage", {
    getItem: (name: string) => held.get(name) ?? null,
    setItem: (name: string, value: string) => held.set(name, value),
    removeItem: (name: string) => held.delete(name),
  });
});

afterEach(() => vi.unstubAllGlobals());

test("what was dragged is where it was left, on its layer and for its viewer only", () => {
  savePositions("user", "network", "L2", { sw1: { x: 1, y: -2.5 } });
  expect(loadPositions("user", "network", "L2")).toEqual({ sw1: { x: 1, y: -2.5 } });
  expect(loadPositions("user", "network", "L3")).toEqual({});
  expect(loadPositions("other", "network", "L2")).toEqual({});
  expect(loadPositions("user", "other", "L2")).toEqual({});
});

test("nothing is kept once nothing is dragged any more", () => {
  savePositions("user", "network", "L2", { sw1: { x: 1, y: 2 } });
  savePositions("user", "network", "L2", {});
  expect(held.size).toBe(0);
});

test("what cannot be read is as if it were not there", () => {
  for (const text of ["{", "null", "7", '"x"']) {
    held.set(NAME, text);
    expect(loadPositions("user", "network", "L2"), text).toEqual({});
  }
});

test("of what is kept only that which is a position is read", () => {
  const good = { x: 1, y: 2 };
  held.set(
    NAME,
    JSON.stringify({ good, half: { x: 1 }, text: { x: "1", y: 2 }, other: { x: 1, y: null }, none: null }),
  );
  expect(loadPositions("user", "network", "L2")).toEqual({ good });
});

test("a browser that refuses its storage breaks nothing", () => {
  const refuse = () => {
    throw new Error("denied");
  };
  vi.stubGlobal("localStorage", { getItem: refuse, setItem: refuse, removeItem: refuse });
  expect(loadPositions("user", "network", "L2")).toEqual({});
  expect(() => savePositions("user", "network", "L2", { sw1: { x: 1, y: 2 } })).not.toThrow();
});
