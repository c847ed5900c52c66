import { expect, test } from "vitest";
import { isUnknownId, nameOf, unknownId } from "./unknown";

const evidence = [{ observationId: "first" }, { observationId: "second" }];

test("an unknown neighbor is known by its claim, or else by what was heard of it first", () => {
  expect(unknownId({ claim: "mac 00:11", evidence })).toBe("unknown mac 00:11");
  expect(unknownId({ claim: null, evidence })).toBe("unknown first");
});

test("the ids of unknown neighbors are told from those of everything else", () => {
  expect(isUnknownId(unknownId({ evidence }))).toBe(true);
  expect(isUnknownId("0190a5c4-7d3e-7abc-8def-0123456789ab")).toBe(false);
  expect(isUnknownId("group:unknown ")).toBe(false);
});

test("an unknown neighbor is called by its own name, or the next best", () => {
  const all = { sysName: "sw9", chassisId: "00:11", mgmtAddr: "10.0.0.9", claim: "mac 00:11", evidence };
  expect(nameOf(all)).toBe("sw9");
  expect(nameOf({ ...all, sysName: null })).toBe("00:11");
  expect(nameOf({ ...all, sysName: null, chassisId: null })).toBe("10.0.0.9");
  expect(nameOf({ claim: "mac 00:11", evidence })).toBe("mac 00:11");
  expect(nameOf({ evidence })).toBe("Unnamed");
  expect(nameOf(undefined)).toBe("Unnamed");
});
