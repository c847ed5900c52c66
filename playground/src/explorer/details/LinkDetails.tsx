/** A link, or several between the same two: both ends, and why it is believed to be there. */
import { Button, Group, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import type { LinkPartsFragment } from "../../gql/graphql";
import { Problem, Waiting } from "../../shell/Page";
import { useExplorer } from "../context";
import { Facts, Go, Heading, Notice, Section, Sentence, State } from "../parts";
import { linksOptions, useIdentify } from "../queries";
import { counted, linkName, METHODS, portName, portState, STATES, speed } from "../words";
import { EvidenceList, Steps } from "./EvidenceList";

export function LinkDetails({ id, at }: { id: string; at: string }) {
  const { networkId, view, places, change } = useExplorer();
  const line = places?.links.get(id);
  const several = line && !line.linkId ? line : undefined;
  // A box of several is no root to ask from, but the other end may be one thing.
  const root = several ? ([several.a, several.b].find((end) => places?.nodes.get(end)?.count === 1) ?? null) : at;
  const { data, error, refetch } = useQuery({
    ...linksOptions(networkId, view.layer, root ?? ""),
    enabled: root !== null,
  });
  if (several && root === null) {
    return (
      <Text size="sm">
        {counted(several.count, "link")} between two boxes that stand for several. Select a box to see what is in it.
      </Text>
    );
  }
  if (error) return <Problem title="The link could not be loaded" error={error} retry={refetch} />;
  if (!data) return <Waiting />;
  const links = data.topology?.links ?? [];
  if (several) {
    const ends = new Set([several.a, several.b]);
    const between = links.filter(({ a, b }) =>
      [a, b].every(({ node }) => ends.has(places?.shownBy.get(node.id) ?? "")),
    );
    return <Several links={between} at={root ?? at} />;
  }
  const link = links.find((link) => link.id === id);
  if (link) return <One link={link} />;
  return (
    <Stack gap="sm">
      <Text size="sm">This link is not here any more, or not on this layer.</Text>
      <div>
        <Button size="xs" variant="default" onClick={() => change({ selection: { kind: "node", id: at } })}>
          Show the device where it ended
        </Button>
      </div>
    </Stack>
  );
}

function Several({ links, at }: { links: readonly LinkPartsFragment[]; at: string }) {
  const { goToLink } = useExplorer();
  return (
    <Stack gap="md">
      <Heading kind="Links" title={counted(links.length, "link")} />
      <ul className="rows" aria-label="Links">
        {links.map((link) => (
          <li key={link.id}>
            <Group gap="xs">
              <Go onClick={() => goToLink(link.id, at)}>{linkName(link)}</Go>
              <State of={STATES[link.state]} />
              <Text size="xs" className="quiet">
                {speed(link.speedBps)}
              </Text>
            </Group>
          </li>
        ))}
      </ul>
    </Stack>
  );
}

function One({ link }: { link: LinkPartsFragment }) {
  const { fail, view } = useExplorer();
  const { explanation, evidence, contradictions, group } = link;
  return (
    <Stack gap="md">
      <Heading kind="Link" title={linkName(link)}>
        <Group gap="xs">
          <State of={STATES[link.state]} />
          <Text size="sm">
            {[speed(link.speedBps), link.method && METHODS[link.method]].filter(Boolean).join(" · ")}
          </Text>
        </Group>
      </Heading>
      {view.layer === "L2" && (
        <Group gap="xs">
          <Button size="xs" variant="default" onClick={() => fail({ kind: "link", id: link.id, at: link.a.node.id })}>
            What if it fails?
          </Button>
        </Group>
      )}
      {explanation && (
        <Section title="Why it is believed to be there">
          <Sentence text={explanation.sentence} />
          <Forget link={link} />
          {explanation.steps.length > 0 && (
            <details className="fold">
              <summary>What was tried, step by step</summary>
              <Steps explanation={explanation} />
            </details>
          )}
        </Section>
      )}
      {contradictions.length > 0 && (
        <Notice title="What says otherwise">
          <EvidenceList evidence={contradictions} label="What says otherwise" />
        </Notice>
      )}
      <Section title="Ends">
        <Stack gap="sm">
          <End end={link.a} />
          <End end={link.b} />
        </Stack>
      </Section>
      {link.interface && (
        <Facts
          of={[
            ["Address", link.interface.ipAddress],
            ["MAC address", link.interface.macAddress],
            ["Interface", link.interface.name],
          ]}
        />
      )}
      {group && (
        <Text size="sm">
          A step of the group <Link href={`/groups/${group.id}`}>{group.name}</Link>.
        </Text>
      )}
      {evidence.length > 0 && (
        <Section title="Evidence" count={evidence.length}>
          <EvidenceList evidence={evidence} label="Evidence" />
        </Section>
      )}
    </Stack>
  );
}

function End({ end }: { end: LinkPartsFragment["a"] }) {
  const { goTo } = useExplorer();
  const { node, ifEntry } = end;
  return (
    <div>
      <Go onClick={() => goTo(node.id)}>{node.label}</Go>
      {ifEntry ? (
        <Group gap="xs">
          <Text size="sm">{portName(ifEntry)}</Text>
          <State of={portState(ifEntry)} />
          <Text size="xs" className="quiet">
            {speed(ifEntry.speedBps)}
          </Text>
        </Group>
      ) : (
        node.kind === "HOST" && (
          <Text size="xs" className="quiet">
            The port at this end is not known.
          </Text>
        )
      )}
    </div>
  );
}

/** Takes back what a person taught of the neighbor, if that is why the link is there. */
function Forget({ link }: { link: LinkPartsFragment }) {
  const { mayChange, change } = useExplorer();
  const { forget } = useIdentify();
  const taught = link.evidence.find(({ explanation }) => explanation.hostTier === "ALIAS");
  if (!taught || !mayChange) return null;
  const heardBy = taught.ifEntry?.host?.id;
  return (
    <Stack gap="xs" mt="xs" align="flex-start">
      <Button
        size="xs"
        variant="default"
        loading={forget.isPending}
        onClick={() =>
          forget.mutate(taught.observationId, {
            onSuccess: () => change({ selection: heardBy ? { kind: "node", id: heardBy } : null }),
          })
        }
      >
        Forget what was taught
      </Button>
      {forget.error && <Problem title="It was not forgotten" error={forget.error} />}
    </Stack>
  );
}
