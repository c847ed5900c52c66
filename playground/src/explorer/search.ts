// What is looked for, and what of an answer matched it.
import type { SearchQuery } from "../gql/graphql";
import { portName } from "./words";

/** Something that was found: what it is, and why it is in the list. */
export interface Found {
  key: string;
  group: string;
  label: string;
  matched: string;
  /** The thing to be selected; for an address or a port, its device. */
  id: string;
  kind: "HOST" | "SUBNET" | "SERVICE";
  /** The device that can stand for it on a layer of devices. */
  host: string | null;
  /** The interface-table entry that was found. */
  port: string | null;
}

/** A text that no name, address or number holds. */
const NOTHING = "\u{1}";

/** A MAC address, or a part of one, in the spelling of the server; whatever else is nothing. */
export function macText(text: string): string {
  const digits = text.replace(/[\s:.-]/g, "");
  if (!/^[0-9a-f]{4,12}$/i.test(digits)) return NOTHING;
  return (digits.toUpperCase().match(/.{1,2}/g) ?? []).join(":");
}

export function searchVariables(typed: string): { text: string; mac: string; numbers: number[] } {
  const text = typed.trim();
  const number = /^(?:tcp|udp)?[\s/:]*(\d{1,5})(?:\/(?:tcp|udp))?$/i.exec(text)?.[1];
  return { text, mac: macText(text), numbers: number ? [Number(number)] : [] };
}

type Field = [name: string, value: string | null | undefined];

/** Says which of some fields hold what was looked for. */
function matched(typed: string, fields: Field[]): string {
  const { text, mac } = searchVariables(typed);
  const holds = (value: string) =>
    value.toLowerCase().includes(text.toLowerCase()) || value.toUpperCase().includes(mac);
  return fields
    .filter((field): field is [string, string] => Boolean(field[1]) && holds(field[1] ?? ""))
    .map(([name, value]) => `${name} ${value}`)
    .join(", ");
}

/** The answer as one list, devices first. */
export function found(typed: string, answer: SearchQuery): Found[] {
  const named = (host: { name: string } | null | undefined) => host?.name ?? "a device out of reach";
  const hosts = answer.hosts.nodes.map(
    (host): Found => ({
      key: host.id,
      group: "Devices",
      label: host.name,
      matched: matched(typed, [
        ["name", host.name],
        ["DNS name", host.hostname],
        ["system name", host.sysName],
        ["management address", host.managementAddress],
        ["chassis id", host.chassisId],
      ]),
      id: host.id,
      kind: "HOST",
      host: host.id,
      port: null,
    }),
  );
  const addresses = answer.interfaces.nodes.flatMap(({ id, ipAddress, macAddress, name, host }): Found[] =>
    host
      ? [
          {
            key: id,
            group: "Addresses",
            label: `${ipAddress} of ${named(host)}`,
            matched: matched(typed, [
              ["IP address", ipAddress],
              ["MAC address", macAddress],
              ["interface", name],
            ]),
            id: host.id,
            kind: "HOST",
            host: host.id,
            port: null,
          },
        ]
      : [],
  );
  const sockets = answer.ifEntries.nodes.flatMap((port): Found[] =>
    port.host
      ? [
          {
            key: port.id,
            group: "Ports of devices",
            label: `${portName(port) ?? ""} of ${named(port.host)}`,
            matched: matched(typed, [
              ["name", port.ifName],
              ["description", port.ifDescr],
              ["note", port.ifAlias],
              ["MAC address", port.macAddress],
            ]),
            id: port.host.id,
            kind: "HOST",
            host: port.host.id,
            port: port.id,
          },
        ]
      : [],
  );
  const services = answer.services.nodes.map(
    ({ id, name, serviceDefinition, host }): Found => ({
      key: id,
      group: "Services",
      label: `${name} on ${named(host)}`,
      matched: matched(typed, [
        ["name", name],
        ["kind", serviceDefinition],
      ]),
      id,
      kind: "SERVICE",
      host: host?.id ?? null,
      port: null,
    }),
  );
  const listeners = answer.ports.nodes.flatMap(({ id, number, protocol, type, host }): Found[] =>
    host
      ? [
          {
            key: id,
            group: "TCP and UDP ports",
            label: `${number}/${protocol.toLowerCase()} on ${named(host)}`,
            matched: type === "Custom" ? "port number" : `port number, usually ${type}`,
            id: host.id,
            kind: "HOST",
            host: host.id,
            port: null,
          },
        ]
      : [],
  );
  const subnets = answer.subnets.nodes.map(
    ({ id, name, cidr }): Found => ({
      key: id,
      group: "Subnets",
      label: name,
      matched:
        matched(typed, [
          ["name", name],
          ["range", cidr],
        ]) || cidr,
      id,
      kind: "SUBNET",
      host: null,
      port: null,
    }),
  );
  return [...hosts, ...addresses, ...sockets, ...services, ...listeners, ...subnets];
}
