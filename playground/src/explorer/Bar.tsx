/** The bar above the picture: which network, which layer, which part of it, and what to do with it. */
import { ActionIcon, Button, Group, Loader, Menu, NumberInput, SegmentedControl, Select, Text } from "@mantine/core";
import { IconChevronDown, IconDownload, IconRefresh, IconX } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import type { TopologyLayer } from "../gql/graphql";
import { useExplorer } from "./context";
import { namesOptions, useRefresh } from "./queries";
import { SearchBox } from "./SearchBox";
import { LIMITS } from "./view";

const LAYER_NAMES: { value: TopologyLayer; label: string }[] = [
  { value: "L2", label: "L2" },
  { value: "L3", label: "L3" },
  { value: "APPLICATION", label: "Application" },
];

interface Props {
  network: { id: string; name: string };
  networks: readonly { id: string; name: string }[];
  isFetching: boolean;
}

export function Bar({ network, networks, isFetching }: Props) {
  const { view, change } = useExplorer();
  const refresh = useRefresh();
  return (
    <div className="explorer-bar">
      <Select
        className="bar-network"
        aria-label="Network"
        allowDeselect={false}
        searchable={networks.length > 8}
        data={networks.map(({ id, name }) => ({ value: id, label: name }))}
        value={network.id}
        onChange={(id) => change({ network: id })}
      />
      <SegmentedControl
        aria-label="Layer"
        data={LAYER_NAMES}
        value={view.layer}
        onChange={(layer) =>
          change({ layer: layer as TopologyLayer, root: null, selection: null, from: null, to: null })
        }
      />
      <SearchBox />
      <Group gap="xs" wrap="nowrap" className="bar-tools">
        <Part />
        <ExportMenu network={network} />
        <ActionIcon
          variant="default"
          size={36}
          aria-label="Load again"
          title="Load again"
          onClick={() => void refresh()}
        >
          {isFetching ? <Loader size={16} aria-hidden /> : <IconRefresh size={18} aria-hidden />}
        </ActionIcon>
      </Group>
    </div>
  );
}

/** Which part of the network is drawn, and in how much detail. */
function Part() {
  const { view, change, places } = useExplorer();
  const { data: names } = useQuery(namesOptions(view.root ? [view.root] : []));
  if (view.root) {
    const name = names?.get(view.root)?.name ?? places?.nodes.get(view.root)?.label ?? "…";
    return (
      <Group gap={6} wrap="nowrap" className="bar-root">
        <Text size="sm" truncate maw={180}>
          Around <b>{name}</b>
        </Text>
        <NumberInput
          aria-label="Hops around it"
          title="Hops around it"
          w={64}
          min={0}
          max={100}
          allowDecimal={false}
          value={view.hops}
          onChange={(hops) => typeof hops === "number" && change({ hops }, { replace: true })}
        />
        <Text size="sm">hops</Text>
        <ActionIcon
          variant="subtle"
          aria-label="Show the whole network"
          title="Show the whole network"
          onClick={() => change({ root: null })}
        >
          <IconX size={16} aria-hidden />
        </ActionIcon>
      </Group>
    );
  }
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button variant="default" px="sm" rightSection={<IconChevronDown size={14} aria-hidden />}>
          {places?.picture.isRolledUp ? "Rolled up" : "Detail"}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>Roll up what belongs together above</Menu.Label>
        {LIMITS.map((atMost) => (
          <Menu.Item
            key={atMost}
            onClick={() => change({ atMost })}
            {...(atMost === view.atMost ? { "aria-current": "true", fw: 600 } : {})}
          >
            {atMost.toLocaleString()} nodes
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

const FORMATS = [
  { format: "svg", name: "SVG picture", suffix: "svg" },
  { format: "mermaid", name: "Mermaid", suffix: "mmd" },
  { format: "graphml", name: "GraphML", suffix: "graphml" },
  { format: "drawio", name: "draw.io", suffix: "drawio" },
  { format: "dot", name: "Graphviz DOT", suffix: "dot" },
  { format: "csv", name: "CSV of links", suffix: "csv" },
  { format: "cytoscape", name: "Cytoscape JSON", suffix: "cyjs" },
  { format: "rfc8345", name: "RFC 8345 (YANG, JSON)", suffix: "json" },
] as const;

function ExportMenu({ network }: { network: Props["network"] }) {
  const { view } = useExplorer();
  const href = (format: string) => {
    const query = new URLSearchParams({ layer: view.layer, format });
    if (view.root) {
      query.set("root", view.root);
      query.set("hops", String(view.hops));
    }
    return `/api/v1/networks/${network.id}/topology?${query}`;
  };
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button variant="default" px="sm" leftSection={<IconDownload size={16} aria-hidden />}>
          Export
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>This layer and part of the network as</Menu.Label>
        {FORMATS.map(({ format, name, suffix }) => (
          <Menu.Item
            key={format}
            component="a"
            href={href(format)}
            download={`${network.name}-${view.layer.toLowerCase()}.${suffix}`}
          >
            {name}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
