import { describe, expect, test } from "vitest";
import type { BindingPartsFragment, GroupPartsFragment } from "../gql/graphql";
import { bindingName, differs, draftOf, listensOn } from "./draft";

const service = { id: "s1", name: "web", host: { id: "h1", name: "srv1" } };
const port = { number: 443, protocol: "TCP" } as const;
const binding = (id: string): BindingPartsFragment => ({ id, service, port, interface: { ipAddress: "10.0.0.1" } });

const group = {
  id: "g1",
  name: "Shop",
  description: null,
  groupType: "REQUEST_PATH",
  bindings: [binding("b1"), binding("b2")],
} as unknown as GroupPartsFragment;

describe("a draft", () => {
  test("begins as the group is", () => {
    expect(draftOf(group)).toEqual({
      name: "Shop",
      description: "",
      groupType: "REQUEST_PATH",
      bindings: group.bindings,
    });
    expect(differs(draftOf(group), group)).toBe(false);
  });

  test("does not differ by spaces around its texts", () => {
    expect(differs({ ...draftOf(group), name: " Shop ", description: " " }, group)).toBe(false);
  });

  test("differs by each of its parts", () => {
    const draft = draftOf(group);
    expect(differs({ ...draft, name: "Shops" }, group)).toBe(true);
    expect(differs({ ...draft, description: "Sells" }, group)).toBe(true);
    expect(differs({ ...draft, groupType: "HUB_AND_SPOKE" }, group)).toBe(true);
    expect(differs({ ...draft, bindings: draft.bindings.slice(1) }, group)).toBe(true);
  });

  test("differs by the order of its bindings, which is that of the request", () => {
    const draft = draftOf(group);
    expect(differs({ ...draft, bindings: draft.bindings.toReversed() }, group)).toBe(true);
  });
});

describe("a binding", () => {
  test("is called by its service and its device, as far as they are within reach", () => {
    expect(bindingName(binding("b1"))).toBe("web on srv1");
    expect(bindingName({ id: "b1", service: { ...service, host: null }, interface: null })).toBe("web on a device");
    expect(bindingName({ id: "b1", service: null, interface: null })).toBe("A service on a device");
  });

  test("says where it listens", () => {
    const address = { ipAddress: "10.0.0.1" };
    expect(listensOn({ id: "b1", service, port, interface: address })).toBe("443/tcp on 10.0.0.1");
    expect(listensOn({ id: "b1", service, port, interface: null })).toBe("443/tcp on every address");
    expect(listensOn({ id: "b1", service, interface: address })).toBe("10.0.0.1");
    expect(listensOn({ id: "b1", service, interface: null })).toBe("a whole interface");
  });
});
