/** The picture of the network: a canvas, its buttons, and its keyboard. */
import { ActionIcon, Group, Paper, Popover, Stack, Text, useComputedColorScheme, VisuallyHidden } from "@mantine/core";
import { IconArrowBackUp, IconHelp, IconMaximize, IconPhoto, IconZoomIn, IconZoomOut } from "@tabler/icons-react";
import { type KeyboardEvent, type ReactNode, useLayoutEffect, useRef, useState } from "react";
import { download } from "./download";
import { type Direction, Drawing, type Marks } from "./drawing";
import { Legend } from "./Legend";
import type { Places } from "./marks";
import type { Position, Positions } from "./positions";
import { PALETTES } from "./style";
import { counted, KINDS } from "./words";

interface Props {
  places: Places;
  marks: Marks;
  /** Changes when another part of a network is shown, so that all of it is brought into view. */
  scene: string;
  positions: Positions;
  /** What is to be in the middle; a new object asks anew. */
  center: { node: string } | { link: string } | null;
  name: string;
  onSelect: (element: { node: string } | { link: string } | null) => void;
  onMove: (id: string, position: Position) => void;
  onReset: () => void;
  onLeave: () => void;
}

const ARROWS: Record<string, Direction> = {
  ArrowUp: "up",
  ArrowDown: "down",
  ArrowLeft: "left",
  ArrowRight: "right",
};

export default function Picture(props: Props) {
  const { places, marks, scene, positions, center, name, onSelect, onMove, onReset, onLeave } = props;
  const scheme = useComputedColorScheme("light", { getInitialValueInEffect: false });
  const canvas = useRef<HTMLDivElement>(null);
  const place = useRef<HTMLDivElement>(null);
  const drawing = useRef<Drawing>(null);
  const drawn = useRef<{ places: Places; positions: Positions }>(null);
  const events = useRef({ onSelect, onMove });
  const [focused, setFocused] = useState<string | null>(null);
  events.current = { onSelect, onMove };

  const many = places.picture.links.length;
  // Before the page is shown, so that what changes the picture and what says so are never apart.
  // biome-ignore lint/correctness/useExhaustiveDependencies: a scene has one drawing; all else changes in it.
  useLayoutEffect(() => {
    if (!place.current) return;
    const made = new Drawing(place.current, scheme, many, {
      onSelect: (element) => events.current.onSelect(element),
      onMove: (id, position) => events.current.onMove(id, position),
      // Said at once, whoever changes the picture, and without drawing the page anew.
      onBusy: (isBusy) => canvas.current?.setAttribute("aria-busy", String(isBusy)),
    });
    drawing.current = made;
    made.show(places.picture, positions);
    drawn.current = { places, positions };
    setFocused(null);
    made.mark(marks);
    made.begin();
    return () => {
      drawing.current = null;
      made.destroy();
    };
  }, [scene]);
  useLayoutEffect(() => {
    const was = drawn.current;
    drawn.current = { places, positions };
    if (was?.places !== places) drawing.current?.show(places.picture, positions);
    else if (was.positions !== positions) drawing.current?.place(places.picture, positions);
  }, [places, positions]);
  useLayoutEffect(() => drawing.current?.setScheme(scheme), [scheme]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is newly drawn has no marks.
  useLayoutEffect(() => drawing.current?.mark(marks), [marks, places, scene]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another drawing begins elsewhere.
  useLayoutEffect(() => {
    if (center) drawing.current?.center(center);
  }, [center, scene]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is newly drawn has no focus.
  useLayoutEffect(() => drawing.current?.focus(focused), [focused, places, scene]);

  const pressed = (event: KeyboardEvent) => {
    const direction = ARROWS[event.key];
    if (direction && event.shiftKey) {
      const [x, y] = { up: [0, 80], down: [0, -80], left: [80, 0], right: [-80, 0] }[direction];
      drawing.current?.panBy(x ?? 0, y ?? 0);
    } else if (direction) {
      const next = drawing.current?.next(focused ?? marks.selected, direction);
      if (next) setFocused(next);
    } else if (event.key === "Enter" && focused) onSelect({ node: focused });
    else if (event.key === "+" || event.key === "=") drawing.current?.zoomBy(1.3);
    else if (event.key === "-") drawing.current?.zoomBy(1 / 1.3);
    else if (event.key === "0") drawing.current?.fit();
    else if (event.key === "Escape") {
      setFocused(null);
      onLeave();
    } else return;
    event.preventDefault();
  };

  const at = focused ? places.nodes.get(focused) : undefined;
  return (
    <div className="picture">
      <div
        ref={canvas}
        className="picture-canvas"
        role="application"
        aria-busy
        aria-label={`Picture of ${name}`}
        aria-describedby="picture-help"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: an application has a keyboard of its own.
        tabIndex={0}
        onKeyDown={pressed}
        onBlur={() => setFocused(null)}
      >
        <div ref={place} className="picture-place" />
      </div>
      <VisuallyHidden id="picture-help">
        Arrow keys go along links from node to node, Enter selects, plus and minus zoom, 0 shows all, Shift with arrow
        keys moves the picture, Escape leaves. The list beside the picture has the same nodes.
      </VisuallyHidden>
      <VisuallyHidden role="status">
        {at && `${at.label}, ${KINDS[at.kind]}, ${counted(places.degree.get(at.id) ?? 0, "link")}`}
      </VisuallyHidden>
      <Paper className="picture-buttons" withBorder shadow="xs" p={4}>
        <Group gap={4}>
          <Tool label="Zoom in" onClick={() => drawing.current?.zoomBy(1.4)} icon={<IconZoomIn size={18} />} />
          <Tool label="Zoom out" onClick={() => drawing.current?.zoomBy(1 / 1.4)} icon={<IconZoomOut size={18} />} />
          <Tool label="Show all" onClick={() => drawing.current?.fit()} icon={<IconMaximize size={18} />} />
          <Tool
            label="Save the picture as PNG"
            onClick={() => {
              const image = drawing.current?.png(PALETTES[scheme].background);
              if (image) download(image, `${name}.png`);
            }}
            icon={<IconPhoto size={18} />}
          />
          {Object.keys(positions).length > 0 && (
            <Tool label="Undo what was dragged" onClick={onReset} icon={<IconArrowBackUp size={18} />} />
          )}
          <Popover position="top-start" withinPortal trapFocus>
            <Popover.Target>
              <ActionIcon variant="subtle" aria-label="What the picture means" title="What the picture means">
                <IconHelp size={18} aria-hidden />
              </ActionIcon>
            </Popover.Target>
            <Popover.Dropdown maw={340}>
              <Stack gap="xs">
                <Legend />
                <Text size="xs" c="dimmed">
                  Drag to move, wheel or pinch to zoom. With the keyboard: arrow keys go along links, Enter selects, +
                  and − zoom, 0 shows all, Escape leaves.
                </Text>
              </Stack>
            </Popover.Dropdown>
          </Popover>
        </Group>
      </Paper>
    </div>
  );
}

function Tool({ label, onClick, icon }: { label: string; onClick: () => void; icon: ReactNode }) {
  return (
    <ActionIcon variant="subtle" aria-label={label} title={label} onClick={onClick}>
      {icon}
    </ActionIcon>
  );
}
