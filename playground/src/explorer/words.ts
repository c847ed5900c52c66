// The words and figures by which the explorer says what the server answers.
import type {
  HostTier,
  IfAdminStatus,
  IfOperStatus,
  LinkState,
  Method,
  PictureNodeKind,
  PortTier,
} from "../gql/graphql";

/** A speed in bits per second as people write it. */
export function speed(bps: number | null | undefined): string | null {
  if (bps == null || bps <= 0) return null;
  const units = ["bit/s", "kbit/s", "Mbit/s", "Gbit/s", "Tbit/s"];
  const step = Math.min(Math.floor(Math.log10(bps) / 3), units.length - 1);
  const value = bps / 1000 ** step;
  return `${value.toLocaleString(undefined, { maximumFractionDigits: 1 })} ${units[step] ?? ""}`;
}

/** A number with its noun. */
export function counted(count: number, one: string, several = `${one}s`): string {
  return `${count.toLocaleString()} ${count === 1 ? one : several}`;
}

interface NamedPort {
  ifName?: string | null;
  ifDescr: string;
}

/** What people call a port. */
export const portName = (port: NamedPort | null | undefined): string | null =>
  port ? (port.ifName ?? port.ifDescr) : null;

interface NamedEnd {
  node: { label: string };
  ifEntry?: NamedPort | null;
}

interface NamedLink {
  a: NamedEnd;
  b: NamedEnd;
  interface?: { ipAddress: string } | null;
}

/** What people call a link: both of its ends, and where it leads into a subnet the address there. */
export function linkName({ a, b, interface: address }: NamedLink): string {
  const end = ({ node, ifEntry }: NamedEnd) => [node.label, portName(ifEntry)].filter(Boolean).join(" ");
  return `${[end(a), address?.ipAddress].filter(Boolean).join(" ")} – ${end(b)}`;
}

export const KINDS: Record<PictureNodeKind, string> = {
  HOST: "device",
  UNKNOWN: "unknown neighbor",
  SUBNET: "subnet",
  SERVICE: "service",
};

export const STATES: Record<LinkState, { word: string; color: string }> = {
  UP: { word: "up", color: "teal" },
  DOWN: { word: "down", color: "red" },
  UNKNOWN: { word: "state unknown", color: "gray" },
};

export const METHODS: Record<Method, string> = {
  PINNED: "set by a person",
  LLDP: "LLDP",
  CDP: "CDP",
  FDB: "forwarding table",
};

export const HOST_TIERS: Record<HostTier, string> = {
  PIN: "set by a person",
  ALIAS: "taught by a person",
  CHASSIS_ID: "chassis id",
  CHASSIS_MAC: "MAC address of the chassis",
  CHASSIS_ADDRESS: "network address of the chassis",
  CHASSIS_NAME: "name of the chassis",
  MANAGEMENT_ADDRESS: "management address",
  SYSTEM_NAME: "system name",
  FORWARDING_TABLE: "forwarding table",
};

export const PORT_TIERS: Record<PortTier, string> = {
  PIN: "set by a person",
  ALIAS: "taught by a person",
  NAME: "port name",
  DESCRIPTION: "port description",
  ALIAS_TEXT: "text written on the port",
  NORMALISED_NAME: "port name, long or short form",
  IF_INDEX: "port number (ifIndex)",
  PORT_DESCRIPTION: "announced description",
  MAC: "MAC address of the port",
  ADDRESS: "address behind the port",
  NUMBER: "number at the end of the name",
  RECIPROCAL: "the port hears the other side",
};

const OPERATION: Record<IfOperStatus, string> = {
  UP: "up",
  DOWN: "down",
  TESTING: "testing",
  UNKNOWN: "unknown",
  DORMANT: "dormant",
  NOT_PRESENT: "not present",
  LOWER_LAYER_DOWN: "lower layer down",
};

interface Statuses {
  adminStatus: IfAdminStatus;
  operStatus: IfOperStatus;
}

/** The state of a port in a word or two, and a color for it. */
export function portState({ adminStatus, operStatus }: Statuses): { word: string; color: string } {
  if (adminStatus === "DOWN") return { word: "switched off", color: "gray" };
  if (adminStatus === "TESTING") return { word: "testing", color: "yellow" };
  const color = operStatus === "UP" ? "teal" : operStatus === "UNKNOWN" ? "gray" : "red";
  return { word: OPERATION[operStatus], color };
}

/** A moment in the zone and language of the reader. */
export const moment = (text: string): string =>
  new Date(text).toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" });
