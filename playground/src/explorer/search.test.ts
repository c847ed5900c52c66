import { describe, expect, test } from "vitest";
import type { SearchQuery } from "../gql/graphql";
import { found, macText, searchVariables } from "./search";

const NOTHING: SearchQuery = {
  hosts: { nodes: [] },
  interfaces: { nodes: [] },
  ifEntries: { nodes: [] },
  services: { nodes: [] },
  ports: { nodes: [] },
  subnets: { nodes: [] },
};
const host = { id: "h1", name: "sw1" };
const device = { ...host, hostname: null, sysName: "SW1", managementAddress: "10.0.0.1", chassisId: null };

describe("what is asked for", () => {
  test("a MAC address is found in every spelling, also by a part of it", () => {
    expect(macText("00-1a-2b-3c-4d-5e")).toBe("00:1A:2B:3C:4D:5E");
    expect(macText("001a.2b3c.4d5e")).toBe("00:1A:2B:3C:4D:5E");
    expect(macText("1a2b3")).toBe("1A:2B:3");
  });

  test("what is no MAC address is looked for as a text that none holds", () => {
    for (const text of ["", "abc", "switch", "001a2b3c4d5e6"]) expect(macText(text)).toBe("\u{1}");
  });

  test("a number is looked for among ports, with or without its protocol", () => {
    for (const text of ["443", "tcp/443", "443/tcp", "UDP 443", "tcp:443"]) {
      expect(searchVariables(text).numbers, text).toEqual([443]);
    }
    for (const text of ["sw443", "443 sw", "1234567", "10.0.0.1"]) {
      expect(searchVariables(text).numbers, text).toEqual([]);
    }
  });

  test("spaces around a text are not looked for", () => {
    expect(searchVariables("  sw1 ").text).toBe("sw1");
  });
});

describe("what is found", () => {
  test("says every field that holds the text, in letters of either case", () => {
    const [first] = found("sW1", { ...NOTHING, hosts: { nodes: [device] } });
    expect(first).toMatchObject({ group: "Devices", id: "h1", kind: "HOST", matched: "name sw1, system name SW1" });
  });

  test("by a MAC address in another spelling says the address as the server has it", () => {
    const macAddress = "00:1A:2B:3C:4D:5E";
    const port = { id: "p1", ifName: "Gi0/1", ifDescr: "", ifAlias: null, macAddress, host };
    const [first] = found("001a.2b3c", { ...NOTHING, ifEntries: { nodes: [port] } });
    expect(first).toMatchObject({ label: "Gi0/1 of sw1", id: "h1", port: "p1", matched: `MAC address ${macAddress}` });
  });

  test("leads to its device, and is left out where the device is out of reach", () => {
    const address = { id: "i1", ipAddress: "10.0.0.1", macAddress: null, name: null, host };
    const nodes = [address, { ...address, id: "i2", host: null }];
    const all = found("10.0", { ...NOTHING, interfaces: { nodes } });
    expect(all.map(({ key, id, label }) => [key, id, label])).toEqual([["i1", "h1", "10.0.0.1 of sw1"]]);
  });

  test("is a service by itself, also where its device is out of reach", () => {
    const service = { id: "s1", name: "web", serviceDefinition: "nginx", host: null };
    const [first] = found("ngi", { ...NOTHING, services: { nodes: [service] } });
    expect(first).toMatchObject({ id: "s1", host: null, label: "web on a device out of reach", matched: "kind nginx" });
  });

  test("says of a number what it usually is", () => {
    const port = { id: "t1", number: 443, protocol: "TCP" as const, type: "Https", host };
    const nodes = [port, { ...port, id: "t2", number: 4431, type: "Custom" }];
    const all = found("443", { ...NOTHING, ports: { nodes } });
    expect(all.map(({ label, matched }) => [label, matched])).toEqual([
      ["443/tcp on sw1", "port number, usually Https"],
      ["4431/tcp on sw1", "port number"],
    ]);
  });

  test("says the range of a subnet that was found by something else", () => {
    const [first] = found("10.0.0.7", {
      ...NOTHING,
      subnets: { nodes: [{ id: "n1", name: "Office", cidr: "10.0.0.0/8" }] },
    });
    expect(first).toMatchObject({ kind: "SUBNET", label: "Office", matched: "10.0.0.0/8" });
  });

  test("begins with devices and ends with subnets", () => {
    const subnet = { id: "n1", name: "sw", cidr: "10.0.0.0/8" };
    const all = found("sw", { ...NOTHING, hosts: { nodes: [device] }, subnets: { nodes: [subnet] } });
    expect(all.map(({ group }) => group)).toEqual(["Devices", "Subnets"]);
  });
});
