// A device and its ports, as the server tells of them.
import type { DeviceQuery } from "../gql/graphql";

export type Device = NonNullable<DeviceQuery["host"]>;
export type DevicePort = Device["ifEntries"]["nodes"][number];
export type DeviceNeighbor = Device["neighbors"][number];
export type Unresolved = NonNullable<DeviceQuery["topology"]>["unresolved"][number];

/** Whether nobody misses a link at a port without one: it is down, no port at all, or tells no reason. */
export function isExpected({ unlinked }: DevicePort): boolean {
  return !unlinked || unlinked.reason === "DOWN" || unlinked.reason === "NOT_A_PORT";
}
