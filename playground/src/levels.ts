/** What may be done at which level, in the words of the pages. */
import type { PermissionLevel } from "./gql/graphql";

interface Level {
  readonly value: PermissionLevel;
  readonly name: string;
  readonly may: string;
}

const ascending: readonly Level[] = [
  { value: "VIEWER", name: "Viewer", may: "reads" },
  { value: "MEMBER", name: "Member", may: "reads, and changes what is in networks" },
  { value: "ADMIN", name: "Admin", may: "also changes networks and users" },
  { value: "OWNER", name: "Owner", may: "also changes the organization" },
];

/** The levels that do not exceed one, the lowest first. */
export function levelsUpTo(highest: PermissionLevel): readonly Level[] {
  return ascending.slice(0, ascending.findIndex(({ value }) => value === highest) + 1);
}

/** What a level is called. */
export function levelName(level: PermissionLevel): string {
  return ascending.find(({ value }) => value === level)?.name ?? level;
}
