/** Small parts that the panes of the panel share. */
import { Alert, Badge, Group, Stack, Text, Title } from "@mantine/core";
import { IconAlertTriangle } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { useExplorer } from "./context";

/** Goes somewhere within the explorer. */
export function Go({ onClick, children }: { onClick: () => void; children: ReactNode }) {
  return (
    <button type="button" className="plain-link" onClick={onClick}>
      {children}
    </button>
  );
}

/** Goes to a device, subnet or service. */
export function GoTo({ to }: { to: { id: string; name: string } | null | undefined }) {
  const { goTo } = useExplorer();
  if (!to) return <span className="quiet">something out of your reach</span>;
  return <Go onClick={() => goTo(to.id)}>{to.name}</Go>;
}

/** A sentence of the server, its names in bold rather than in backticks. */
export function Sentence({ text, size = "sm" }: { text: string; size?: "xs" | "sm" }) {
  return (
    <Text size={size} component="span" display="block">
      {/* biome-ignore lint/suspicious/noArrayIndexKey: a part of a sentence is nothing but its place in it. */}
      {text.split("`").map((part, index) => (index % 2 ? <b key={index}>{part}</b> : part))}
    </Text>
  );
}

/** What kind of thing the panel tells of, and its name. */
export function Heading({ kind, title, children }: { kind: string; title: string; children?: ReactNode }) {
  return (
    <Stack gap={4}>
      <Text size="xs" className="quiet" tt="uppercase" fw={600}>
        {kind}
      </Text>
      <Title order={2} size="h4" className="wrap">
        {title}
      </Title>
      {children}
    </Stack>
  );
}

/** A part of the panel with a title of its own. */
export function Section({ title, count, children }: { title: string; count?: number; children: ReactNode }) {
  return (
    <section>
      <Group gap="xs" mb={4}>
        <Title order={3} size="h5">
          {title}
        </Title>
        {count !== undefined && (
          <Badge size="sm" variant="light" color="gray" className="state">
            {count.toLocaleString()}
          </Badge>
        )}
      </Group>
      {children}
    </section>
  );
}

/** Names and values, without those that are not known. */
export function Facts({ of }: { of: [name: string, value: ReactNode][] }) {
  const known = of.filter(([, value]) => value !== null && value !== undefined && value !== "");
  return (
    <dl className="facts">
      {known.map(([name, value]) => (
        <div key={name} className="fact">
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** Something that the reader should not miss. */
export function Notice({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Alert variant="default" title={title} icon={<IconAlertTriangle aria-hidden className="notice-icon" />}>
      {children}
    </Alert>
  );
}

/** A state as a word with a color. */
export function State({ of: { word, color } }: { of: { word: string; color: string } }) {
  return (
    <Badge size="sm" variant="light" color={color} className="state">
      {word}
    </Badge>
  );
}
