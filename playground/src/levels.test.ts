import { expect, test } from "vitest";
import type { PermissionLevel } from "./gql/graphql";
import { levelName, levelsUpTo } from "./levels";

const upTo = (level: PermissionLevel) => levelsUpTo(level).map(({ value }) => value);

test("nobody gives a level above their own, and the lowest comes first", () => {
  expect(upTo("VIEWER")).toEqual(["VIEWER"]);
  expect(upTo("ADMIN")).toEqual(["VIEWER", "MEMBER", "ADMIN"]);
  expect(upTo("OWNER")).toEqual(["VIEWER", "MEMBER", "ADMIN", "OWNER"]);
});

test("a level that these pages do not know gives none, and is called by its value", () => {
  const later = "AUDITOR" as PermissionLevel;
  expect(upTo(later)).toEqual([]);
  expect(levelName(later)).toBe("AUDITOR");
});

test("a level is called by its name", () => {
  expect(levelName("MEMBER")).toBe("Member");
});
