/** A box that stands for several. */
import { Stack, Text, TextInput } from "@mantine/core";
import { useState } from "react";
import { useExplorer } from "../context";
import type { PictureNode } from "../drawing";
import { Go, Heading, Section } from "../parts";
import { KINDS } from "../words";

export function RollUpDetails({ node }: { node: PictureNode }) {
  const { change } = useExplorer();
  const [text, setText] = useState("");
  const wanted = text.trim().toLowerCase();
  const members = node.members.filter(({ label }) => label.toLowerCase().includes(wanted));
  return (
    <Stack gap="md">
      <Heading kind={`${node.count.toLocaleString()} in one box`} title={node.label} />
      <Text size="sm">
        They are drawn as one because the whole would be too much at once. Choose one, and what is around it is drawn in
        full.
      </Text>
      <Section title="In the box" count={node.count}>
        {node.members.length > 12 && (
          <TextInput
            aria-label="Filter what is in the box"
            placeholder="Filter by name"
            value={text}
            onChange={({ currentTarget }) => setText(currentTarget.value)}
            mb="xs"
          />
        )}
        <ul className="rows" aria-label="In the box">
          {members.map(({ id, label, kind }) => (
            <li key={id}>
              {kind === "UNKNOWN" ? (
                <Text size="sm">{label}</Text>
              ) : (
                <Go onClick={() => change({ root: id, selection: { kind: "node", id } })}>{label}</Go>
              )}
              {kind !== "HOST" && (
                <Text size="xs" className="quiet">
                  {KINDS[kind]}
                </Text>
              )}
            </li>
          ))}
        </ul>
        {node.members.length < node.count && (
          <Text size="sm">and {(node.count - node.members.length).toLocaleString()} more, which the search finds</Text>
        )}
      </Section>
    </Stack>
  );
}
