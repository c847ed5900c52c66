/** What would be lost if devices and links failed. */
import { Alert, Button, CloseButton, Group, Stack, Text, Title } from "@mantine/core";
import { IconAlertTriangle, IconCircleCheck } from "@tabler/icons-react";
import { type UseQueryResult, useQueries, useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import type { ImpactQuery } from "../gql/graphql";
import { Problem, Waiting } from "../shell/Page";
import { useExplorer } from "./context";
import type { Impact, Places } from "./marks";
import { NodePicker } from "./NodePicker";
import { linkNamesOptions, namesOptions } from "./queries";
import type { Failure } from "./view";
import { counted } from "./words";

export function FailurePane({ impact }: { impact: UseQueryResult<ImpactQuery> }) {
  const { view, change, fail } = useExplorer();
  const { failures } = view;
  const names = useFailureNames(failures);
  return (
    <Stack gap="sm">
      <Text size="sm">
        Say what fails, and what would be lost with it is shaded in the picture and listed here. Nothing is changed.
      </Text>
      <NodePicker
        label="Add a device that fails"
        onlyDevices
        value={null}
        onChange={(id) => id && fail({ kind: "host", id })}
      />
      <Text size="xs" className="quiet">
        To let a link fail, select it in the picture and choose “What if it fails”.
      </Text>
      {failures.length > 0 && (
        <>
          <ul className="rows" aria-label="What fails">
            {failures.map((failure) => (
              <li key={failure.id}>
                <Group justify="space-between" wrap="nowrap">
                  <Text size="sm">
                    <b>{failure.kind === "link" ? beginning(names(failure)) : names(failure)}</b> fails
                  </Text>
                  <CloseButton
                    size="sm"
                    aria-label={`Let ${names(failure)} work again`}
                    onClick={() => change({ failures: failures.filter(({ id }) => id !== failure.id) })}
                  />
                </Group>
              </li>
            ))}
          </ul>
          <div>
            <Button size="xs" variant="default" onClick={() => change({ failures: [] })}>
              Let everything work again
            </Button>
          </div>
          <Result impact={impact} subject={failures.length === 1 ? failures.map(names).join("") : "these"} />
        </>
      )}
    </Stack>
  );
}

function Result({ impact, subject }: { impact: UseQueryResult<ImpactQuery>; subject: string }) {
  if (impact.error) return <Problem title="What is lost is not known" error={impact.error} retry={impact.refetch} />;
  if (!impact.data) return <Waiting what="Working out what is lost…" />;
  const lost = impact.data.topology?.impact;
  if (!lost) {
    return (
      <Text size="sm">
        One of these is a link of another layer, or no longer in the network. Remove it, and add it anew if it is there.
      </Text>
    );
  }
  return <Losses lost={lost} subject={subject} />;
}

function Losses({ lost, subject }: { lost: Impact; subject: string }) {
  const { goTo } = useExplorer();
  const { cutOff, parts, servicesLost, groupsBroken } = lost;
  const largest = Math.max(...parts.map(({ size }) => size));
  const verb = subject === "these" ? "fail" : "fails";
  const others = [
    servicesLost.length > 0 && counted(servicesLost.length, "service is lost", "services are lost"),
    groupsBroken.length > 0 && counted(groupsBroken.length, "group is broken", "groups are broken"),
  ].filter((text) => text !== false);
  const cut = cutOff.length > 0 ? counted(cutOff.length, "other device is", "other devices are") : "no other device is";
  const harmless = cutOff.length + others.length === 0;
  const sentence = harmless
    ? `If ${subject} ${verb}, nothing else is cut off and no service is lost.`
    : `If ${subject} ${verb}, ${cut} cut off${others.length > 0 ? `${cutOff.length > 0 ? "," : ", but"} ${others.join(" and ")}` : ""}.`;
  return (
    <Stack gap="sm">
      <Alert
        role="status"
        color={harmless ? "teal" : "red"}
        variant="light"
        icon={harmless ? <IconCircleCheck aria-hidden /> : <IconAlertTriangle aria-hidden />}
      >
        {sentence}
      </Alert>
      {cutOff.length > 0 && (
        <section>
          <Title order={3} size="h5">
            Cut off
          </Title>
          {parts.length > 1 && (
            <Text size="xs" className="quiet">
              {largest > 1
                ? `In ${counted(parts.length, "part")} that still hang together, the largest of ${largest}.`
                : "Each is on its own."}
            </Text>
          )}
          <ul className="rows" aria-label="Cut off">
            {cutOff.map(({ id, label }) => (
              <li key={id}>
                <button type="button" className="plain-link" onClick={() => goTo(id, { pane: "failure" })}>
                  {label}
                </button>
              </li>
            ))}
          </ul>
        </section>
      )}
      {servicesLost.length > 0 && (
        <section>
          <Title order={3} size="h5">
            Services lost
          </Title>
          <ul className="rows" aria-label="Services lost">
            {servicesLost.map(({ id, name, host }) => (
              <li key={id}>
                <Text size="sm">
                  {name}
                  {host && <span className="quiet"> on {host.name}</span>}
                </Text>
              </li>
            ))}
          </ul>
        </section>
      )}
      {groupsBroken.length > 0 && (
        <section>
          <Title order={3} size="h5">
            Groups broken
          </Title>
          <ul className="rows" aria-label="Groups broken">
            {groupsBroken.map(({ id, name }) => (
              <li key={id}>
                <Link href={`/groups/${id}`}>{name}</Link>
              </li>
            ))}
          </ul>
        </section>
      )}
    </Stack>
  );
}

/** Words as they begin a sentence. */
const beginning = (words: string): string => words.replace(/^./, (first) => first.toUpperCase());

/** What people call what fails, also where another layer is looked at than it was chosen on. */
function useFailureNames(failures: readonly Failure[]): (failure: Failure) => string {
  const { networkId, places, view } = useExplorer();
  const hosts = failures.filter(({ kind }) => kind === "host").map(({ id }) => id);
  const { data } = useQuery(namesOptions(hosts));
  const ends = [...new Set(failures.flatMap(({ at }) => at ?? []))];
  const links = useQueries({
    queries: ends.map((at) => linkNamesOptions(networkId, at)),
    combine: (answers) => ({
      names: new Map(answers.flatMap(({ data }) => [...(data ?? [])])),
      isPending: answers.some(({ isPending }) => isPending),
    }),
  });
  return ({ kind, id }) => {
    if (kind === "host") return data?.get(id)?.name ?? "…";
    if (!places || links.isPending) return "…";
    const name = links.names.get(id) ?? drawnName(places, id);
    if (name) return `the link ${name}`;
    return view.layer === "APPLICATION" ? "a link of layer L2" : "a link that this picture does not show";
  };
}

/** What the picture calls a link that it shows. */
function drawnName(places: Places | null, id: string): string | null {
  const link = places?.linkOf.get(id);
  if (!link) return null;
  const end = (node: string, port: string | null | undefined) =>
    [places?.nodes.get(node)?.label, port].filter(Boolean).join(" ");
  return `${end(link.a, link.aPort)} – ${end(link.b, link.bPort)}`;
}
