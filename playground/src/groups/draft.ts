// A group as it shall be, before it is saved.
import type { BindingPartsFragment, GroupPartsFragment, GroupType } from "../gql/graphql";

export interface Draft {
  name: string;
  description: string;
  groupType: GroupType;
  bindings: readonly BindingPartsFragment[];
}

export const draftOf = ({ name, description, groupType, bindings }: GroupPartsFragment): Draft => ({
  name,
  description: description ?? "",
  groupType,
  bindings,
});

/** Whether saving would change anything. */
export function differs(draft: Draft, group: GroupPartsFragment): boolean {
  const saved = draftOf(group);
  const ids = (of: Draft) => of.bindings.map(({ id }) => id).join();
  return (
    draft.name.trim() !== saved.name ||
    draft.description.trim() !== saved.description ||
    draft.groupType !== saved.groupType ||
    ids(draft) !== ids(saved)
  );
}

/** What people call a binding: a service, its device, and where it listens. */
export function bindingName({ service }: BindingPartsFragment): string {
  return `${service?.name ?? "A service"} on ${service?.host?.name ?? "a device"}`;
}

export function listensOn(binding: BindingPartsFragment): string {
  const address = "interface" in binding ? binding.interface?.ipAddress : undefined;
  if (!("port" in binding) || !binding.port) return address ?? "a whole interface";
  const port = `${binding.port.number}/${binding.port.protocol.toLowerCase()}`;
  return address ? `${port} on ${address}` : `${port} on every address`;
}

export const TYPES: Record<GroupType, { name: string; meaning: string }> = {
  REQUEST_PATH: { name: "Request path", meaning: "A request passes them in this order, the first at the top." },
  HUB_AND_SPOKE: { name: "Hub and spoke", meaning: "The first is the hub; it speaks with each of the others." },
};
