/** A field to choose a device, or on the application layer a service of the picture. */
import { Select } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useExplorer } from "./context";
import { hostChoicesOptions, namesOptions } from "./queries";

interface Props {
  label: string;
  description?: string;
  value: string | null;
  onChange: (id: string | null) => void;
  /** Offers devices whatever the layer. */
  onlyDevices?: boolean;
}

const TYPING_MS = 200;

export function NodePicker({ label, description, value, onChange, onlyDevices = false }: Props) {
  const { networkId, view, places } = useExplorer();
  const [typed, setTyped] = useState("");
  const [text] = useDebouncedValue(typed.trim(), TYPING_MS);
  const { data: names } = useQuery(namesOptions(value ? [value] : []));
  const chosen = value ? (names?.get(value)?.name ?? places?.nodes.get(value)?.label) : undefined;
  // The field shows the name of what is chosen, which is no wish for others of that name.
  const wanted = text === chosen ? "" : text;
  const fromServer = onlyDevices || view.layer !== "APPLICATION";
  const hosts = useQuery({
    ...hostChoicesOptions(networkId, wanted),
    enabled: fromServer,
    placeholderData: keepPreviousData,
  });
  const drawn = places?.picture.nodes.filter(
    ({ kind, count, label }) =>
      count === 1 && (kind === "SERVICE" || kind === "SUBNET") && label.toLowerCase().includes(wanted.toLowerCase()),
  );
  const offered = [
    ...(fromServer ? (hosts.data?.hosts.nodes ?? []).map(({ id, name }) => ({ value: id, label: name })) : []),
    ...(onlyDevices
      ? []
      : (drawn ?? []).map(({ id, label, detail }) => ({ value: id, label: detail ? `${label} (${detail})` : label }))),
  ].slice(0, 60);
  const missing = value && !offered.some((offer) => offer.value === value);
  return (
    <Select
      label={label}
      {...(description ? { description } : {})}
      placeholder="Type a name or an address"
      searchable
      clearable
      clearButtonProps={{ "aria-label": `Clear ${label.toLowerCase()}` }}
      data={missing ? [{ value, label: chosen ?? "…" }, ...offered] : offered}
      filter={({ options }) => options}
      value={value}
      searchValue={typed}
      onSearchChange={setTyped}
      onChange={(id) => {
        onChange(id);
        // Where nothing stays chosen, the field is for the next.
        if (value === null) setTyped("");
      }}
      nothingFoundMessage={hosts.isFetching ? "Looking…" : "Nothing of that name in this network"}
    />
  );
}
