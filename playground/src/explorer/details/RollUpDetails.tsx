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
  const isUnknown = node.members.every(({ kind }) => kind === "UNKNOWN");
  const hasUnknown = node.members.some(({ kind }) => kind === "UNKNOWN");
  const wanted = text.trim().toLowerCase();
  const members = node.members.filter(({ label }) => label.toLowerCase().includes(wanted));
  return (
    <Stack gap="md">
      <Heading kind={`${node.count.toLocaleString()} in one box`} title={node.label} />
      <Text size="sm">
        They are drawn as one because the whole would be too much at once.{" "}
        {!isUnknown && "Choose one, and what is around it is drawn in full. "}
        {hasUnknown && "Choose an unknown neighbor to see what it claims to be, and to say who it is."}
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
              <Go
                onClick={() => change({ ...(kind === "UNKNOWN" ? {} : { root: id }), selection: { kind: "node", id } })}
              >
                {label}
              </Go>
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
