/** The shortest ways between two, with the ports that they take. */
import { Button, Group, SegmentedControl, Stack, Text } from "@mantine/core";
import { IconArrowsUpDown } from "@tabler/icons-react";
import type { UseQueryResult } from "@tanstack/react-query";
import { Fragment } from "react";
import type { PathsQuery } from "../gql/graphql";
import { Problem, Waiting } from "../shell/Page";
import { useExplorer } from "./context";
import type { Path } from "./marks";
import { NodePicker } from "./NodePicker";
import { State } from "./parts";
import { counted, portName, STATES, speed } from "./words";

interface Props {
  paths: UseQueryResult<PathsQuery>;
}

export function PathPane({ paths }: Props) {
  const { view, change } = useExplorer();
  const { from, to } = view;
  return (
    <Stack gap="sm">
      <Text size="sm">Choose two, and the shortest ways between them are shown in the picture and listed here.</Text>
      <NodePicker label="From" value={from} onChange={(from) => change({ from })} />
      <NodePicker label="To" value={to} onChange={(to) => change({ to })} />
      {(from || to) && (
        <Group gap="xs">
          <Button
            size="xs"
            variant="default"
            leftSection={<IconArrowsUpDown size={14} aria-hidden />}
            onClick={() => change({ from: to, to: from })}
          >
            Swap
          </Button>
          <Button size="xs" variant="default" onClick={() => change({ from: null, to: null })}>
            Clear
          </Button>
        </Group>
      )}
      {from && to && <Result paths={paths} />}
    </Stack>
  );
}

function Result({ paths }: Props) {
  const { view, change } = useExplorer();
  if (paths.error) return <Problem title="No path could be looked for" error={paths.error} retry={paths.refetch} />;
  if (!paths.data) return <Waiting what="Looking for ways…" />;
  const found = paths.data.topology?.paths ?? [];
  const path = found[view.way] ?? found[0];
  if (!path) {
    return (
      <Text size="sm" role="status">
        There is no way between the two on this layer: they hang in different parts of the network. A link may be
        missing between them; “Findings” lists neighbors that were heard and are not known.
      </Text>
    );
  }
  return (
    <Stack gap="xs">
      {found.length > 1 && (
        <SegmentedControl
          aria-label="Which way"
          size="xs"
          data={found.map(({ length }, index) => ({ value: String(index), label: `Way ${index + 1} (${length})` }))}
          value={String(Math.min(view.way, found.length - 1))}
          onChange={(index) => change({ way: Number(index) }, { replace: true })}
        />
      )}
      <Text size="sm" fw={600} role="status">
        {path.length === 0 ? "Both are the same." : `${counted(path.length, "hop")} from one to the other`}
      </Text>
      <Hops path={path} />
    </Stack>
  );
}

function Hops({ path }: { path: Path }) {
  const { goTo, goToLink } = useExplorer();
  return (
    <ol className="rows" aria-label="Hops">
      {path.nodes.map((node, step) => {
        const hop = path.hops[step];
        return (
          <Fragment key={node.id}>
            <li>
              <button type="button" className="plain-link" onClick={() => goTo(node.id)}>
                {node.label}
              </button>
            </li>
            {hop?.links.map((link) => {
              const [near, far] = link.a.node.id === hop.from.id ? [link.a, link.b] : [link.b, link.a];
              const ports = [near, far].map(({ ifEntry }) => portName(ifEntry) ?? "port not known");
              const text = link.interface?.ipAddress ?? link.group?.name ?? `${ports[0]} → ${ports[1]}`;
              return (
                <li key={link.id}>
                  <Group gap="xs" pl="md">
                    <button type="button" className="plain-link" onClick={() => goToLink(link.id, hop.from.id)}>
                      {text}
                    </button>
                    <State of={STATES[link.state]} />
                    <Text size="xs" className="quiet">
                      {speed(link.speedBps)}
                    </Text>
                  </Group>
                </li>
              );
            })}
          </Fragment>
        );
      })}
    </ol>
  );
}
