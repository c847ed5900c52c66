/** What can be done with what is selected. */
import { Button, Group } from "@mantine/core";
import { useExplorer } from "../context";

export function Actions({ id, isDevice }: { id: string; isDevice: boolean }) {
  const { view, change, fail } = useExplorer();
  const path = view.from && view.from !== id && !view.to ? { to: id } : { from: id, to: null };
  return (
    <Group gap="xs">
      {isDevice && (
        <Button size="xs" variant="default" onClick={() => fail({ kind: "host", id })}>
          What if it fails?
        </Button>
      )}
      <Button size="xs" variant="default" onClick={() => change({ ...path, pane: "path" })}>
        {"to" in path && path.to ? "Path to here" : "Path from here"}
      </Button>
      {view.root !== id && (
        <Button size="xs" variant="default" onClick={() => change({ root: id })}>
          Show only what is around it
        </Button>
      )}
    </Group>
  );
}
