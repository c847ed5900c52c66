/** What is worth a look: single points of failure, bridges, unknown neighbors, ports that contradict each other. */
import { Accordion, Badge, Group, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import type { TopologyNodeKind } from "../gql/graphql";
import { Problem, Waiting } from "../shell/Page";
import { useExplorer } from "./context";
import { Go, Sentence } from "./parts";
import { findingsOptions, isolatedOptions } from "./queries";
import { nameOf, unknownId } from "./unknown";
import { counted, linkName, portName } from "./words";

/** So many of a kind at once. */
const SHOWN = 200;
/** So many links or devices of a contradiction. */
const FEW = 10;

export function FindingsPane() {
  const { networkId, view, places, goTo, goToLink, fail } = useExplorer();
  const { data, error, refetch } = useQuery(findingsOptions(networkId, view.layer));
  const isolated = useQuery({ ...isolatedOptions(networkId), enabled: view.layer === "L2" });
  if (error) return <Problem title="The findings could not be loaded" error={error} retry={refetch} />;
  if (!data) return <Waiting />;
  const { articulationPoints = [], bridges = [] } = data.topology ?? {};
  const { unresolved = [], miscablings = [] } = data.l2 ?? {};
  return (
    <Accordion multiple defaultValue={["points", "unknown", "miscablings"]} order={2} chevronPosition="left">
      <Finding
        id="points"
        title="Single points of failure"
        about="Each of these, if it fails alone, cuts others off. Those that cut off most come first."
        none="No device cuts others off if it fails alone."
        rows={articulationPoints.map(({ id, label, kind }) => (
          <Group justify="space-between" wrap="nowrap" key={id}>
            <Go onClick={() => goTo(id)}>{label}</Go>
            {kind === "HOST" && <Go onClick={() => fail({ kind: "host", id })}>What is lost?</Go>}
          </Group>
        ))}
      />
      <Finding
        id="unknown"
        title="Unknown neighbors"
        about="Ports heard these, but no device of the inventory answers to what they claim. Links to them are missing until they are known."
        none="Every neighbor that was heard is known."
        rows={unresolved.map((neighbor) => {
          const { claim, chassisId, count, evidence } = neighbor;
          const [first] = evidence;
          const id = unknownId(neighbor);
          const isDrawn = places?.shownBy.has(id);
          const heard = first?.ifEntry;
          const name = nameOf(neighbor);
          return (
            <div key={claim ?? first?.observationId}>
              <Go onClick={() => (isDrawn ? goTo(id) : heard?.host && goTo(heard.host.id, { port: heard.id }))}>
                {name}
              </Go>
              <Text size="xs" className="quiet">
                {chassisId && chassisId !== name ? `${chassisId}, ` : ""}heard on {portName(heard)} of{" "}
                {heard?.host?.name}
                {count > 1 && ` and ${counted(count - 1, "more time")}`}
              </Text>
            </div>
          );
        })}
      />
      <Finding
        id="miscablings"
        title="Contradictions"
        about="Both ends tell of different cables or speeds, or several links end at a port that has one cable."
        none="No port contradicts another."
        rows={miscablings.map(({ sentence, links, ifEntries }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a contradiction has no id, and two can say the same.
          <div key={`${index} ${sentence}`}>
            <Sentence text={sentence} />
            <Group gap="md">
              {links.slice(0, FEW).map((link) => (
                <Go key={link.id} onClick={() => goToLink(link.id, link.a.node.id)}>
                  {links.length === 1 ? "The link" : linkName(link)}
                </Go>
              ))}
              {links.length > FEW && (
                <Text size="xs" className="quiet">
                  and {counted(links.length - FEW, "more link")}
                </Text>
              )}
              {[
                ...new Map(
                  ifEntries.flatMap(({ id, host }) => (host ? [[host.id, { id, host }] as const] : [])),
                ).values(),
              ]
                .slice(0, FEW)
                .map(({ id, host }) => (
                  <Go key={host.id} onClick={() => goTo(host.id, { port: id })}>
                    {host.name}
                  </Go>
                ))}
            </Group>
          </div>
        ))}
      />
      {view.layer === "L2" && isolated.data && (
        <Finding
          id="isolated"
          title="Devices without any link"
          about="No link to or from these is known. See at their ports why, or whether they were scanned at all."
          none="Every device has a link."
          rows={isolated.data.map(({ id, label }) => (
            <Go key={id} onClick={() => goTo(id)}>
              {label}
            </Go>
          ))}
        />
      )}
      {view.layer === "L2" && isolated.error && (
        <Problem title="Devices without a link could not be loaded" error={isolated.error} retry={isolated.refetch} />
      )}
      <Finding
        id="bridges"
        title="Bridges"
        about="Links that cut the network in two if they are lost. Those that cut off most come first."
        none="Every link has another way around it."
        rows={bridges.map(({ id, a, b }) => (
          <Group justify="space-between" wrap="nowrap" key={id}>
            <Go onClick={() => goToLink(id, a.node.id)}>
              {a.node.label} – {b.node.label}
            </Go>
            {view.layer !== "APPLICATION" && (
              // Its lines are steps of groups, which cut no device off.
              <Go onClick={() => fail({ kind: "link", id, ...deviceOf(a, b) })}>What is lost?</Go>
            )}
          </Group>
        ))}
      />
    </Accordion>
  );
}

interface LinkEnd {
  node: { id: string; kind: TopologyNodeKind };
}

/** The device where a link ends, by which its name is found on every layer. */
function deviceOf(...ends: LinkEnd[]): { at?: string } {
  const device = ends.find(({ node }) => node.kind === "HOST");
  return device ? { at: device.node.id } : {};
}

interface FindingProps {
  id: string;
  title: string;
  about: string;
  none: string;
  rows: ReactNode[];
}

function Finding({ id, title, about, none, rows }: FindingProps) {
  return (
    <Accordion.Item value={id}>
      <Accordion.Control>
        <Group gap="xs">
          <Text fw={600}>{title}</Text>
          <Badge variant="light" color={rows.length > 0 ? "orange" : "teal"} className="state">
            {rows.length.toLocaleString()}
          </Badge>
        </Group>
      </Accordion.Control>
      <Accordion.Panel>
        <Text size="sm" className="quiet" mb="xs">
          {rows.length > 0 ? about : none}
        </Text>
        {rows.length > 0 && (
          <ul className="rows" aria-label={title}>
            {rows.slice(0, SHOWN).map((row, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the keys of rows need not be unique.
              <li key={index}>{row}</li>
            ))}
          </ul>
        )}
        {rows.length > SHOWN && <Text size="sm">and {(rows.length - SHOWN).toLocaleString()} more</Text>}
      </Accordion.Panel>
    </Accordion.Item>
  );
}
