/** The details of what is selected. */
import { Button, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Waiting } from "../../shell/Page";
import { useExplorer } from "../context";
import { namesOptions } from "../queries";
import { isUnknownId } from "../unknown";
import { DeviceDetails } from "./DeviceDetails";
import { LinkDetails } from "./LinkDetails";
import { Overview } from "./Overview";
import { RollUpDetails } from "./RollUpDetails";
import { ServiceDetails } from "./ServiceDetails";
import { SubnetDetails } from "./SubnetDetails";
import { UnknownDetails } from "./UnknownDetails";

export function Details() {
  const { view, places } = useExplorer();
  const { selection } = view;
  if (!selection) return <Overview />;
  if (selection.kind === "link") return <LinkDetails key={selection.id} id={selection.id} at={selection.at} />;
  const node = places?.nodes.get(selection.id);
  if (!node && places && isUnknownId(selection.id)) {
    const box = places.nodes.get(places.shownBy.get(selection.id) ?? "") ?? null;
    return <UnknownDetails key={selection.id} id={selection.id} node={box} />;
  }
  if (!node) return <Elsewhere key={selection.id} id={selection.id} />;
  if (node.count > 1) return <RollUpDetails key={node.id} node={node} />;
  switch (node.kind) {
    case "HOST":
      return <DeviceDetails key={node.id} id={node.id} isCritical={node.isArticulationPoint} />;
    case "SUBNET":
      return <SubnetDetails key={node.id} id={node.id} />;
    case "SERVICE":
      return <ServiceDetails key={node.id} id={node.id} />;
    case "UNKNOWN":
      return <UnknownDetails key={node.id} id={node.id} node={node} />;
  }
}

/** What is selected, but not drawn on its own: it is in a box of several, out of the part that is shown, or gone. */
function Elsewhere({ id }: { id: string }) {
  const { places, view, change } = useExplorer();
  const { data, isPending } = useQuery(namesOptions([id]));
  const thing = data?.get(id);
  if (!places || isPending) return <Waiting />;
  if (!thing) {
    return (
      <Stack gap="sm">
        <Text size="sm">What was selected is not here any more.</Text>
        <div>
          <Button size="xs" variant="default" onClick={() => change({ selection: null })}>
            Close
          </Button>
        </div>
      </Stack>
    );
  }
  const box = places.nodes.get(places.shownBy.get(id) ?? "");
  return (
    <Stack gap="md">
      <Text size="sm">
        <b>{thing.name}</b> is {box ? `in the box “${box.label}”` : "not in the part of the network that is shown"}.
      </Text>
      {(thing.kind !== "SERVICE" || view.layer === "APPLICATION") && (
        <div>
          <Button size="xs" variant="default" onClick={() => change({ root: id })}>
            Show what is around it
          </Button>
        </div>
      )}
      {thing.kind === "HOST" && <DeviceDetails id={id} isCritical={false} />}
      {thing.kind === "SUBNET" && <SubnetDetails id={id} />}
      {thing.kind === "SERVICE" && <ServiceDetails id={id} />}
    </Stack>
  );
}
