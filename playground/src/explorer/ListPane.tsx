/** Everything in the picture as a list, for those who read rather than look. */
import { Stack, Text, TextInput } from "@mantine/core";
import { useMemo, useState } from "react";
import { useExplorer } from "./context";
import { counted, KINDS } from "./words";

/** So many at once; more are found by the filter. */
const SHOWN = 500;

export function ListPane() {
  const { places, view, goTo } = useExplorer();
  const [text, setText] = useState("");
  const nodes = useMemo(
    () =>
      [...(places?.picture.nodes ?? [])].sort((a, b) => a.label.localeCompare(b.label, undefined, { numeric: true })),
    [places],
  );
  if (!places) return null;
  const wanted = text.trim().toLowerCase();
  const matching = nodes.filter(({ label, detail }) => `${label} ${detail ?? ""}`.toLowerCase().includes(wanted));
  return (
    <Stack gap="xs">
      <TextInput
        label="Everything in the picture"
        placeholder="Filter by name or address"
        value={text}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
      />
      <Text size="sm" className="quiet" role="status">
        {counted(matching.length, "entry", "entries")}
        {matching.length > SHOWN && `, the first ${SHOWN} of them shown`}
      </Text>
      <ul className="rows" aria-label="Everything in the picture">
        {matching.slice(0, SHOWN).map((node) => (
          <li key={node.id}>
            <button
              type="button"
              className="node-list"
              aria-pressed={view.selection?.kind === "node" && view.selection.id === node.id}
              onClick={() => goTo(node.id)}
            >
              <Text size="sm" fw={500}>
                {node.label}
              </Text>
              <Text size="xs" className="quiet">
                {[
                  node.count > 1 ? `${node.count.toLocaleString()} in one box` : KINDS[node.kind],
                  node.detail,
                  counted(places.degree.get(node.id) ?? 0, "link"),
                  node.isArticulationPoint ? "single point of failure" : null,
                ]
                  .filter(Boolean)
                  .join(" · ")}
              </Text>
            </button>
          </li>
        ))}
      </ul>
    </Stack>
  );
}
