import { type OperationDefinitionNode, parse } from "graphql";
import { describe, expect, test } from "vitest";
import type { ExampleFactsQuery, ExampleSurroundingsQuery } from "../gql/graphql";
import * as answers from "./answers";
import { central, examples, subjects } from "./examples";

const named = (id: string) => ({ id, name: id.toUpperCase() });
const around = (...ids: string[]) => ids.map((id) => ({ host: named(id) }));

const NOTHING: ExampleFactsQuery = {
  hosts: { nodes: [] },
  services: { nodes: [] },
  groups: { nodes: [] },
  topology: null,
};
const surroundings = (...ids: string[]): ExampleSurroundingsQuery => ({
  host: { ...named("core"), neighbors: around(...ids) },
});

/** The name and the variables of the only operation of a query. */
function operation(query: string): { name: string | undefined; variables: string[] } {
  const [found, ...others] = parse(query).definitions.filter(
    (definition): definition is OperationDefinitionNode => definition.kind === "OperationDefinition",
  );
  if (!found || others.length > 0) throw new Error(`not one operation in ${query}`);
  const variables = found.variableDefinitions?.map(({ variable }) => variable.name.value) ?? [];
  return { name: found.name?.value, variables };
}

describe("the device to ask about", () => {
  const hosts = {
    nodes: [
      { ...named("one"), neighbors: around("a", "a", "a") },
      { ...named("two"), neighbors: around("a", "b") },
    ],
  };

  test("is the first whose loss cuts the network", () => {
    const topology = { articulationPoints: [{ id: "cut", label: "CUT" }] };
    expect(central({ ...NOTHING, hosts, topology })).toEqual(named("cut"));
  });

  test("is else the one of most neighbors, not of most links", () => {
    expect(central({ ...NOTHING, hosts })?.id).toBe("two");
  });

  test("is none in a network without devices", () => {
    expect(central(NOTHING)).toBeUndefined();
  });
});

describe("what examples are about", () => {
  test("is a way between two neighbors, or else to the device itself", () => {
    expect(subjects("n", NOTHING, surroundings("a", "b", "c"))).toMatchObject({ from: named("a"), to: named("c") });
    expect(subjects("n", NOTHING, surroundings("a", "a"))).toMatchObject({ from: named("a"), to: { id: "core" } });
  });

  test("is no way from a device to itself", () => {
    expect(subjects("n", NOTHING, surroundings("core")).from).toBeUndefined();
  });

  test("is a server of a group rather than any other", () => {
    const services = { nodes: [{ host: named("any") }] };
    const groups = { nodes: [{ bindings: [{ service: null }, { service: { host: named("grouped") } }] }] };
    expect(subjects("n", { ...NOTHING, services, groups }, null).server).toEqual(named("grouped"));
    expect(subjects("n", { ...NOTHING, services }, null).server).toEqual(named("any"));
    expect(subjects("n", NOTHING, null).server).toBeUndefined();
  });
});

describe("the examples", () => {
  const all = examples({
    network: "n",
    device: named("core"),
    from: named("a"),
    to: named("b"),
    server: named("server"),
  });

  test("give each query every variable that it declares, and none else", () => {
    for (const { title, query, variables } of all) {
      expect(Object.keys(variables).sort(), title).toEqual(operation(query).variables.sort());
    }
  });

  test("ask each of the answers once", () => {
    const asked = all.map(({ query }) => operation(query).name).sort();
    expect(asked).toEqual(
      Object.values(answers)
        .map((answer) => operation(String(answer)).name)
        .sort(),
    );
    expect(new Set(asked).size).toBe(asked.length);
  });

  test("go from the first to the last of two devices", () => {
    const path = all.find(({ title }) => title === "How does A reach B?");
    expect(path?.variables).toEqual({ network: "n", from: "a", to: "b" });
  });

  test("of an empty network are about the network only", () => {
    const some = examples(subjects("n", NOTHING, null));
    expect(some.length).toBeGreaterThan(0);
    for (const { variables } of some) expect(variables).toEqual({ network: "n" });
  });
});
