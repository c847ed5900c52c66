/** What the shapes and lines of the picture mean. */
import { Group, Stack, Text, useComputedColorScheme } from "@mantine/core";
import type { ReactNode } from "react";
import { PALETTES } from "./style";

export function Legend() {
  const colors = PALETTES[useComputedColorScheme("light")];
  const [fill, border] = colors.host;
  const box = { x: 5, y: 4, width: 34, height: 14, rx: 3, fill, stroke: border, strokeWidth: 1.4 };
  const line = { x1: 2, y1: 11, x2: 42, y2: 11, stroke: colors.line, strokeWidth: 2 };
  return (
    <Stack gap={4}>
      <Sign text="A device">
        <rect {...box} />
      </Sign>
      <Sign text="A neighbor that was heard, but is not known">
        <rect {...box} fill="none" stroke={colors.unknown} strokeWidth={2} strokeDasharray="4 3" />
      </Sign>
      <Sign text="A single point of failure">
        <rect {...box} stroke={colors.critical} strokeWidth={1.6} />
        <rect {...box} x={8} y={7} width={28} height={8} fill="none" stroke={colors.critical} strokeWidth={1.6} />
      </Sign>
      <Sign text="Several in one box">
        <rect {...box} x={9} y={2} opacity={0.55} />
        <rect {...box} y={6} />
      </Sign>
      <Sign text="A link; the faster, the thicker">
        <line {...line} strokeWidth={4} />
      </Sign>
      <Sign text="A link that is down">
        <line {...line} stroke={colors.down} strokeDasharray="6 4" />
      </Sign>
      <Sign text="A link whose loss cuts the network in two">
        <line {...line} stroke={colors.critical} />
        <path d="M22 6l5 5-5 5-5-5z" fill={colors.critical} />
      </Sign>
    </Stack>
  );
}

function Sign({ text, children }: { text: string; children: ReactNode }) {
  return (
    <Group gap="xs" wrap="nowrap">
      <svg width={44} height={22} aria-hidden>
        {children}
      </svg>
      <Text size="sm">{text}</Text>
    </Group>
  );
}
