/** A neighbor that was heard and is not known. */
import { Stack, Text } from "@mantine/core";
import { useQueries } from "@tanstack/react-query";
import { Problem, Waiting } from "../../shell/Page";
import { useExplorer } from "../context";
import type { PictureNode } from "../drawing";
import { Go, Heading } from "../parts";
import { unresolvedOptions } from "../queries";
import { nameOf, unknownId } from "../unknown";
import { Neighbor } from "./Neighbor";

/** The neighbor itself, or the box of several that it is drawn in; `null` if the picture does not show it. */
export function UnknownDetails({ id, node }: { id: string; node: PictureNode | null }) {
  const { networkId, places, goTo } = useExplorer();
  const isAlone = node?.id === id;
  const hosts = (places?.picture.links ?? [])
    .flatMap(({ a, b }) => (a === id ? [b] : b === id ? [a] : []))
    .filter((id) => places?.nodes.get(id)?.count === 1);
  const heard = [...new Set(hosts)];
  // Asked of the devices that heard it; where one of them, or itself, is in a box of several, of all.
  const roots = isAlone && heard.length > 0 && heard.length <= 8 ? heard : [null];
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
  const mine = data.filter((neighbor) => unknownId(neighbor) === id);
  const [first] = mine;
  const label = isAlone ? node.label : (node?.members.find((member) => member.id === id)?.label ?? nameOf(first));
  return (
    <Stack gap="md">
      <Heading kind="Unknown neighbor" title={label} />
      {node && !isAlone && (
        <Text size="sm">
          It is drawn in the box <Go onClick={() => goTo(node.id)}>{node.label}</Go>.
        </Text>
      )}
      {first ? (
        <>
          <Text size="sm">
            A port heard this neighbor, but no device of the inventory answers to what it claims to be. So there is no
            link to it yet.
          </Text>
          <Neighbor neighbor={{ ...first, evidence: mine.flatMap(({ evidence }) => evidence) }} at={null} />
        </>
      ) : (
        <Text size="sm">
          No port hears this neighbor any more, or it is known by now: then it is drawn as the device that it is.
        </Text>
      )}
    </Stack>
  );
}
