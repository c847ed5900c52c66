/** What was heard, by whom, and what was concluded from it. */
import { Badge, Group, Stack, Text } from "@mantine/core";
import type { EvidencePartsFragment, ExplanationPartsFragment } from "../../gql/graphql";
import { Facts, GoTo, Sentence } from "../parts";
import { HOST_TIERS, METHODS, moment, PORT_TIERS, portName } from "../words";

export function EvidenceList({ evidence, label }: { evidence: readonly EvidencePartsFragment[]; label: string }) {
  return (
    <ul className="rows" aria-label={label}>
      {evidence.map((piece, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: an observation can be evidence more than once.
        <li key={`${piece.observationId} ${index}`}>
          <Evidence piece={piece} />
        </li>
      ))}
    </ul>
  );
}

function Evidence({ piece }: { piece: EvidencePartsFragment }) {
  const { ifEntry, observation } = piece;
  return (
    <Stack gap={4}>
      <Group gap="xs">
        <Badge size="sm" variant="outline" color="gray" className="state">
          {METHODS[piece.method]}
        </Badge>
        <Text size="sm" component="span">
          {portName(ifEntry) ?? "a port"} of <GoTo to={ifEntry?.host} />
        </Text>
      </Group>
      <div className="quiet">
        <Sentence text={piece.explanation.sentence} size="xs" />
      </div>
      <details className="fold">
        <summary>What it heard, and what was tried</summary>
        {observation && (
          <Facts
            of={[
              ["System name", observation.sysName],
              ["Chassis id", observation.chassisId?.value],
              ["Port", observation.portName],
              ["Port note", observation.portDesc],
              ["Managed at", observation.mgmtAddr],
              ["Platform", observation.platform],
              ["System", observation.sysDesc],
              ["Changed", moment(observation.updatedAt)],
            ]}
          />
        )}
        <Steps explanation={piece.explanation} />
      </details>
    </Stack>
  );
}

/** What was tried, in order, with what came of it. */
export function Steps({ explanation }: { explanation: ExplanationPartsFragment }) {
  return (
    <ol className="steps" aria-label="What was tried">
      {explanation.steps.map(({ hostTier, portTier, sentence, candidateCount }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a step has no id, and two can say the same.
        <li key={`${index} ${sentence}`}>
          <span className="quiet">{tier(hostTier, portTier)}: </span>
          <Sentence text={sentence} />
          {candidateCount > 1 && (
            <Text size="xs" className="quiet">
              {candidateCount} candidates, which this does not tell apart
            </Text>
          )}
        </li>
      ))}
    </ol>
  );
}

type Step = ExplanationPartsFragment["steps"][number];

function tier(host: Step["hostTier"], port: Step["portTier"]): string {
  if (host) return HOST_TIERS[host];
  return port ? PORT_TIERS[port] : "other evidence";
}
