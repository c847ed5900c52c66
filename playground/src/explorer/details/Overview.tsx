/** What the panel says before anything is selected. */
import { Button, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useExplorer } from "../context";
import { Go, Heading } from "../parts";
import { findingsOptions } from "../queries";
import { counted } from "../words";

export function Overview() {
  const { networkId, view, places, isUnread, change } = useExplorer();
  const { data } = useQuery({ ...findingsOptions(networkId, view.layer), enabled: places !== null });
  if (isUnread) return <Text size="sm">Nothing can be told here, since the network could not be drawn.</Text>;
  if (!places) return null;
  const { nodes, links, isRolledUp } = places.picture;
  const total = (isUnknown: boolean) =>
    nodes.filter(({ kind }) => (kind === "UNKNOWN") === isUnknown).reduce((sum, { count }) => sum + count, 0);
  const joined = links.reduce((sum, { count }) => sum + count, 0);
  const noun = { L2: "device", L3: "device or subnet", APPLICATION: "service" }[view.layer];
  const nouns = { L2: "devices", L3: "devices and subnets", APPLICATION: "services" }[view.layer];
  const open = (text: string) => (
    <li key={text}>
      <Go onClick={() => change({ pane: "findings" })}>{text}</Go>
    </li>
  );
  return (
    <Stack gap="md">
      <Heading
        kind={view.root ? "Part of the network" : "Network"}
        title={[
          counted(total(false), noun, nouns),
          total(true) > 0 && counted(total(true), "unknown neighbor"),
          !isRolledUp && counted(joined, "link"),
        ]
          .filter(Boolean)
          .join(", ")}
      />
      {isRolledUp && (
        <Text size="sm">
          Some of them are together in one box with a count. Select a box to see what is in it, or choose more detail
          above.
        </Text>
      )}
      <Text size="sm">
        {view.layer === "APPLICATION"
          ? "Select a service in the picture to see where it listens and which groups it is in."
          : "Select a device or a link in the picture to see its ports, its neighbors and why each link is believed to be there – or why one is missing."}{" "}
        To find something, type any part of its name or address above.
      </Text>
      {data && (
        <ul className="rows" aria-label="Findings">
          {open(
            counted(
              data.topology?.articulationPoints.length ?? 0,
              "single point of failure",
              "single points of failure",
            ),
          )}
          {open(counted(data.l2?.unresolved.length ?? 0, "unknown neighbor"))}
          {open(
            counted(data.l2?.miscablings.length ?? 0, "contradiction between ports", "contradictions between ports"),
          )}
        </ul>
      )}
      <Stack gap="xs" align="flex-start">
        <Button size="xs" variant="default" onClick={() => change({ pane: "failure" })}>
          What would fail with a device?
        </Button>
        <Button size="xs" variant="default" onClick={() => change({ pane: "path" })}>
          What is the way between two?
        </Button>
      </Stack>
    </Stack>
  );
}
