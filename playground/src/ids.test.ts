import { expect, test } from "vitest";
import { isId } from "./ids";

const ID = "0190a5c4-7d3e-7abc-8def-0123456789ab";

test("a UUID is an id, in letters of either case", () => {
  expect(isId(ID)).toBe(true);
  expect(isId(ID.toUpperCase())).toBe(true);
});

test("anything around a UUID or missing from it makes it no id", () => {
  for (const text of ["", ` ${ID}`, `${ID}0`, `${ID}\n`, ID.slice(1), ID.replaceAll("-", ""), ID.replace("a", "g")]) {
    expect(isId(text), JSON.stringify(text)).toBe(false);
  }
});
