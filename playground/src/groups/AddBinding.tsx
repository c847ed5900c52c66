/** Finds a binding of the network that is not in the group yet, and adds it at the end. */
import { Select } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { request } from "../api";
import type { BindingPartsFragment } from "../gql/graphql";
import { BindingChoicesDocument } from "./documents";
import { bindingName, listensOn } from "./draft";

interface Props {
  networkId: string;
  present: readonly BindingPartsFragment[];
  add: (binding: BindingPartsFragment) => void;
}

const TYPING_MS = 200;

export function AddBinding({ networkId, present, add }: Props) {
  const [typed, setTyped] = useState("");
  const [text] = useDebouncedValue(typed.trim(), TYPING_MS);
  const { data, isFetching } = useQuery({
    queryKey: ["binding choices", networkId, text],
    queryFn: () => request(BindingChoicesDocument, { networkId, text }),
    placeholderData: keepPreviousData,
  });
  const services = [
    ...(data?.services.nodes ?? []),
    ...(data?.hosts.nodes ?? []).flatMap(({ services }) => services.nodes),
  ];
  const held = new Set(present.map(({ id }) => id));
  const offered = new Map(
    services
      .flatMap(({ bindings }) => bindings)
      .flatMap((binding) => (held.has(binding.id) ? [] : [[binding.id, binding]])),
  );
  return (
    <Select
      label="Add a binding"
      placeholder="Type the name of a service or a device"
      searchable
      data={[...offered.values()].map((binding) => ({
        value: binding.id,
        label: `${bindingName(binding)}, ${listensOn(binding)}`,
      }))}
      filter={({ options }) => options}
      value={null}
      searchValue={typed}
      onSearchChange={setTyped}
      onChange={(id) => {
        const binding = id ? offered.get(id) : undefined;
        if (!binding) return;
        add(binding);
        setTyped("");
      }}
      nothingFoundMessage={isFetching ? "Looking…" : "No service of that name that is not in the group already"}
    />
  );
}
