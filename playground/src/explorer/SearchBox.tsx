/** Finds devices, addresses, ports, services and subnets of the network, and goes there. */
import { Combobox, Loader, Text, TextInput, useCombobox } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { IconSearch } from "@tabler/icons-react";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useExplorer } from "./context";
import { searchOptions } from "./queries";
import { type Found, found } from "./search";

const TYPING_MS = 200;

export function SearchBox() {
  const { networkId, view, places, goTo } = useExplorer();
  const [typed, setTyped] = useState("");
  const [text] = useDebouncedValue(typed.trim(), TYPING_MS);
  const combobox = useCombobox({ onDropdownClose: () => combobox.resetSelectedOption() });
  const { data, error, isFetching } = useQuery({
    ...searchOptions(networkId, text),
    enabled: text !== "",
    placeholderData: keepPreviousData,
  });
  const results = text && data ? found(text, data) : [];
  const groups = [...new Set(results.map(({ group }) => group))];

  const choose = (key: string) => {
    const result = results.find((result) => result.key === key);
    if (!result) return;
    combobox.closeDropdown();
    setTyped("");
    go(result);
  };
  const go = ({ id, kind, host, port }: Found) => {
    if (kind === "SUBNET") return goTo(id, view.layer === "L3" ? {} : { layer: "L3", root: null });
    if (kind === "SERVICE" && places?.nodes.has(id)) return goTo(id);
    if (!host) return;
    goTo(host, { port, ...(view.layer === "APPLICATION" ? { layer: "L2", root: null } : {}) });
  };

  return (
    <Combobox store={combobox} onOptionSubmit={choose} withinPortal>
      <Combobox.Target>
        <TextInput
          className="bar-search"
          type="search"
          aria-label="Find by name, MAC, IP, port or service"
          placeholder="Find by name, MAC, IP, port or service"
          value={typed}
          leftSection={<IconSearch size={16} aria-hidden />}
          rightSection={isFetching ? <Loader size={16} aria-hidden /> : null}
          onChange={({ currentTarget }) => {
            setTyped(currentTarget.value);
            combobox.openDropdown();
            combobox.resetSelectedOption();
          }}
          onFocus={() => typed && combobox.openDropdown()}
          onBlur={() => combobox.closeDropdown()}
          onKeyDown={(event) => {
            const [first] = results;
            if (event.key === "Enter" && combobox.getSelectedOptionIndex() < 0 && first) choose(first.key);
          }}
        />
      </Combobox.Target>
      <Combobox.Dropdown hidden={typed.trim() === ""} miw={300}>
        <Combobox.Options mah={420} className="search-results">
          {groups.map((group) => (
            <Combobox.Group key={group} label={group}>
              {results
                .filter((result) => result.group === group)
                .map(({ key, label, matched }) => (
                  <Combobox.Option key={key} value={key}>
                    <Text size="sm">{label}</Text>
                    {matched && (
                      <Text size="xs" className="quiet">
                        {matched}
                      </Text>
                    )}
                  </Combobox.Option>
                ))}
            </Combobox.Group>
          ))}
          {results.length === 0 && (
            <Combobox.Empty>
              {error ? error.message : text === typed.trim() && data && !isFetching ? NOTHING : "Looking…"}
            </Combobox.Empty>
          )}
        </Combobox.Options>
      </Combobox.Dropdown>
    </Combobox>
  );
}

const NOTHING =
  "Nothing in this network matches. Try a part of a name, an address from its beginning, a MAC address in any spelling, or a port number.";
