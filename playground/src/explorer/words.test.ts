import { expect, test } from "vitest";
import { counted, linkName, portName, portState, speed } from "./words";

/** A number as the reader writes it. */
const figure = (number: number) => number.toLocaleString();

test("a speed is said in the unit in which it is short", () => {
  expect(speed(1)).toBe(`${figure(1)} bit/s`);
  expect(speed(64_000)).toBe(`${figure(64)} kbit/s`);
  expect(speed(1_000_000)).toBe(`${figure(1)} Mbit/s`);
  expect(speed(2_500_000_000)).toBe(`${figure(2.5)} Gbit/s`);
  expect(speed(400_000_000_000)).toBe(`${figure(400)} Gbit/s`);
  expect(speed(2e15)).toBe(`${figure(2000)} Tbit/s`);
});

test("a speed that is not known is not said", () => {
  expect(speed(null)).toBeNull();
  expect(speed(undefined)).toBeNull();
  expect(speed(0)).toBeNull();
});

test("only one thing is said in the singular", () => {
  expect(counted(1, "device")).toBe(`${figure(1)} device`);
  expect(counted(0, "device")).toBe(`${figure(0)} devices`);
  expect(counted(2, "way", "ways around")).toBe(`${figure(2)} ways around`);
  expect(counted(1234, "device")).toBe(`${figure(1234)} devices`);
});

test("a port is called by its name, or else by its description", () => {
  expect(portName({ ifName: "Gi0/1", ifDescr: "GigabitEthernet0/1" })).toBe("Gi0/1");
  expect(portName({ ifName: null, ifDescr: "GigabitEthernet0/1" })).toBe("GigabitEthernet0/1");
  expect(portName(null)).toBeNull();
});

test("a link is called by both of its ends, with their ports where they are known", () => {
  const a = { node: { label: "sw1" }, ifEntry: { ifName: "Gi0/1", ifDescr: "" } };
  const b = { node: { label: "sw2" } };
  expect(linkName({ a, b })).toBe("sw1 Gi0/1 – sw2");
});

test("a link into a subnet is called by the address there as well", () => {
  const a = { node: { label: "r1" }, ifEntry: null };
  const b = { node: { label: "Office" }, ifEntry: null };
  expect(linkName({ a, b, interface: { ipAddress: "10.0.0.1" } })).toBe("r1 10.0.0.1 – Office");
});

test("a port that is switched off is not called down, whatever it reports", () => {
  expect(portState({ adminStatus: "DOWN", operStatus: "DOWN" })).toEqual({ word: "switched off", color: "gray" });
  expect(portState({ adminStatus: "TESTING", operStatus: "UP" }).word).toBe("testing");
});

test("a port that should work has the colour of whether it does", () => {
  expect(portState({ adminStatus: "UP", operStatus: "UP" })).toEqual({ word: "up", color: "teal" });
  expect(portState({ adminStatus: "UP", operStatus: "UNKNOWN" })).toEqual({ word: "unknown", color: "gray" });
  expect(portState({ adminStatus: "UP", operStatus: "LOWER_LAYER_DOWN" })).toEqual({
    word: "lower layer down",
    color: "red",
  });
});
