/** The ports of a device: those with a link and why it is believed, and those without one and why. */
import { Badge, Group, Stack, Text } from "@mantine/core";
import { type ReactNode, useEffect, useRef } from "react";
import { useExplorer } from "../context";
import { Go, GoTo, Section, Sentence, State } from "../parts";
import { type Device, type DeviceNeighbor, type DevicePort, isExpected } from "../ports";
import { METHODS, portName, portState, STATES, speed } from "../words";

export function Ports({ host }: { host: Device }) {
  const { view } = useExplorer();
  const ports = host.ifEntries.nodes;
  const linksOf = new Map<string | null, DeviceNeighbor[]>();
  for (const neighbor of host.neighbors) {
    const port = neighbor.localPort?.id ?? null;
    linksOf.set(port, [...(linksOf.get(port) ?? []), neighbor]);
  }
  const linked = ports.filter(({ id }) => linksOf.has(id));
  const unlinked = ports.filter(({ id }) => !linksOf.has(id));
  const open = unlinked.filter((port) => !isExpected(port));
  const others = unlinked.filter(isExpected);
  const portless = linksOf.get(null) ?? [];
  const more = host.ifEntries.totalCount - ports.length;
  return (
    <>
      {(linked.length > 0 || portless.length > 0) && (
        <Section title="Links" count={host.neighbors.length}>
          <ul className="rows" aria-label="Links">
            {linked.map((port) => (
              <Port key={port.id} port={port}>
                {linksOf.get(port.id)?.map((neighbor) => (
                  <Linked key={neighbor.link.id} neighbor={neighbor} at={host.id} />
                ))}
              </Port>
            ))}
            {portless.map((neighbor) => (
              <li key={neighbor.link.id}>
                <Text size="sm" className="quiet">
                  A port that is not known
                </Text>
                <Linked neighbor={neighbor} at={host.id} />
              </li>
            ))}
          </ul>
        </Section>
      )}
      {open.length > 0 && (
        <Section title="Ports without a link" count={open.length}>
          <Unlinked ports={open} />
        </Section>
      )}
      {others.length > 0 && (
        <details className="fold" open={others.some(({ id }) => id === view.port)}>
          <summary>Other ports without a link ({others.length.toLocaleString()})</summary>
          <Unlinked ports={others} />
        </details>
      )}
      {more > 0 && (
        <Text size="sm" className="quiet">
          {more.toLocaleString()} more ports are not listed here; the page Query can ask for them.
        </Text>
      )}
    </>
  );
}

function Unlinked({ ports }: { ports: readonly DevicePort[] }) {
  return (
    <ul className="rows" aria-label="Ports without a link">
      {ports.map((port) => (
        <Port key={port.id} port={port}>
          {port.unlinked && (
            <div className="quiet">
              <Sentence text={port.unlinked.sentence} size="xs" />
            </div>
          )}
        </Port>
      ))}
    </ul>
  );
}

function Port({ port, children }: { port: DevicePort; children: ReactNode }) {
  const { view } = useExplorer();
  const row = useRef<HTMLLIElement>(null);
  const wanted = view.port === port.id;
  useEffect(() => {
    if (wanted) row.current?.scrollIntoView({ block: "center" });
  }, [wanted]);
  return (
    <li ref={row} data-wanted={wanted}>
      <Group gap="xs">
        <Text size="sm" fw={600}>
          {portName(port)}
        </Text>
        <State of={portState(port)} />
        <Text size="xs" className="quiet">
          {[speed(port.speedBps), port.ifAlias].filter(Boolean).join(" · ")}
        </Text>
      </Group>
      {children}
    </li>
  );
}

function Linked({ neighbor, at }: { neighbor: DeviceNeighbor; at: string }) {
  const { goToLink } = useExplorer();
  const { link, host, farPort } = neighbor;
  return (
    <Stack gap={2}>
      <Group gap="xs">
        <Text size="sm" component="span">
          to <GoTo to={host} /> {farPort ? portName(farPort) : "(port not known)"}
        </Text>
        {link.state !== "UP" && <State of={STATES[link.state]} />}
        {link.method && (
          <Badge size="sm" variant="outline" color="gray" className="state">
            {METHODS[link.method]}
          </Badge>
        )}
      </Group>
      {link.explanation && (
        <div className="quiet">
          <Sentence text={link.explanation.sentence} size="xs" />
        </div>
      )}
      <div>
        <Go onClick={() => goToLink(link.id, at)}>
          <Text size="xs" component="span">
            Show the link
          </Text>
        </Go>
      </div>
    </Stack>
  );
}
