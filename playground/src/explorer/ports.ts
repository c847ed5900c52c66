// Why a port has no link, as far as the server tells.
import type { DeviceQuery } from "../gql/graphql";
import { counted } from "./words";

export type Device = NonNullable<DeviceQuery["host"]>;
export type DevicePort = Device["ifEntries"]["nodes"][number];
export type DeviceNeighbor = Device["neighbors"][number];
export type Unresolved = NonNullable<DeviceQuery["topology"]>["unresolved"][number];
export type Evidence = Unresolved["evidence"][number];

/** Interfaces of these IANA ifTypes are no sockets for a cable. */
const VIRTUAL: Record<number, string> = {
  1: "some other kind of interface",
  24: "a loopback interface",
  53: "a virtual interface, such as that of a VLAN",
  131: "a tunnel",
  135: "a VLAN interface",
  136: "a routed VLAN interface",
  150: "a tunnel",
  161: "a link aggregate: its member ports carry the links",
  209: "a bridge",
};

export interface Reason {
  text: string;
  /** Whether someone who looks for a missing link wants to see it. */
  matters: boolean;
}

/** Says why no link ends at a port. `unresolved` is the neighbor that it heard and that is not known. */
export function whyNoLink(port: DevicePort, unresolved: Evidence | undefined): Reason {
  if (unresolved) return { text: unresolved.explanation.sentence, matters: true };
  const virtual = VIRTUAL[port.ifType];
  if (virtual) return { text: `No cable ends here: it is ${virtual}.`, matters: false };
  if (port.adminStatus === "DOWN") {
    return { text: "Switched off by an administrator (admin status down).", matters: false };
  }
  if (port.observations.length > 0) {
    const heard = port.observations.map(({ sysName, protocol }) => sysName ?? protocol).join(", ");
    return {
      text: `It heard ${heard}, but stronger evidence says that this neighbor is joined elsewhere.`,
      matters: true,
    };
  }
  if (port.operStatus !== "UP" && port.operStatus !== "UNKNOWN") return { text: down(port), matters: false };
  return { text: silent(port.fdbMacs?.length ?? 0), matters: true };
}

function down({ operStatus }: DevicePort): string {
  switch (operStatus) {
    case "NOT_PRESENT":
      return "Hardware is missing, usually the transceiver.";
    case "LOWER_LAYER_DOWN":
      return "Down because an interface that it runs over is down.";
    case "DORMANT":
      return "Waiting for an external event before it carries traffic.";
    default:
      return "No signal: nothing is plugged in, or the far end is off.";
  }
}

function silent(macs: number): string {
  if (macs === 0) {
    return "Up, but no LLDP or CDP neighbor was heard and no MAC address learned. Switch LLDP on at the far end, then scan again.";
  }
  return `Up, but no LLDP or CDP neighbor was heard. The forwarding table has ${counted(macs, "MAC address", "MAC addresses")} here, none of which singles out one known device; there may be a switch or hypervisor between. Switch LLDP on at the far end, then scan again.`;
}
