/** A neighbor that was heard and is not known. */
import { Stack, Text } from "@mantine/core";
import { useQueries } from "@tanstack/react-query";
import { Problem, Waiting } from "../../shell/Page";
import { useExplorer } from "../context";
import type { PictureNode } from "../drawing";
import { Heading } from "../parts";
import { unresolvedOptions } from "../queries";
import { Neighbor } from "./Neighbor";

export function UnknownDetails({ node }: { node: PictureNode }) {
  const { networkId, places } = useExplorer();
  const hosts = (places?.picture.links ?? [])
    .flatMap(({ a, b }) => (a === node.id ? [b] : b === node.id ? [a] : []))
    .filter((id) => places?.nodes.get(id)?.count === 1);
  const heard = [...new Set(hosts)];
  // Asked of the devices that heard it; where one of them is in a box of several, of all.
  const roots = heard.length > 0 && heard.length <= 8 ? heard : [null];
  const { data, error, isPending } = useQueries({
    queries: roots.map((root) => unresolvedOptions(networkId, root)),
    combine: (answers) => ({
      data: answers.flatMap(({ data }) => data?.topology?.unresolved ?? []),
      error: answers.find(({ error }) => error)?.error,
      isPending: answers.some(({ isPending }) => isPending),
    }),
  });
  if (error) return <Problem title="The neighbor could not be loaded" error={error} />;
  if (isPending) return <Waiting />;
  const ids = new Set(node.observationIds);
  const mine = data
    .map((neighbor) => ({
      ...neighbor,
      evidence: neighbor.evidence.filter(({ observationId }) => ids.has(observationId)),
    }))
    .filter(({ evidence }) => evidence.length > 0);
  const [first] = mine;
  return (
    <Stack gap="md">
      <Heading kind="Unknown neighbor" title={node.label} />
      <Text size="sm">
        A port heard this neighbor, but no device of the inventory answers to what it claims to be. So there is no link
        to it yet.
      </Text>
      {first ? (
        <Neighbor neighbor={{ ...first, evidence: mine.flatMap(({ evidence }) => evidence) }} at={null} />
      ) : (
        <Text size="sm">It is known by now. Load the picture again.</Text>
      )}
    </Stack>
  );
}
