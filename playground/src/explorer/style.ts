import type { EdgeSingular, StylesheetJson } from "cytoscape";

/** The letters of labels, and their size in boxes at full zoom. */
export const FONT = "system-ui, sans-serif";
export const FONT_SIZE = 13;

export type Scheme = "light" | "dark";

interface Palette {
  background: string;
  text: string;
  quiet: string;
  line: string;
  selected: string;
  path: string;
  critical: string;
  down: string;
  failed: string;
  host: [fill: string, border: string];
  subnet: [fill: string, border: string];
  service: [fill: string, border: string];
  unknown: string;
}

/** The colors of the picture; texts have a contrast of at least 4.5 to 1 with what is behind them. */
export const PALETTES: Record<Scheme, Palette> = {
  light: {
    background: "#ffffff",
    text: "#1b2733",
    quiet: "#46566a",
    line: "#5b738f",
    selected: "#1864ab",
    path: "#1971c2",
    critical: "#b35900",
    down: "#c92a2a",
    failed: "#c92a2a",
    host: ["#eaf1fb", "#4a78b5"],
    subnet: ["#e8f5ec", "#3f9160"],
    service: ["#fff4de", "#a8740f"],
    unknown: "#66727f",
  },
  dark: {
    background: "#1f2226",
    text: "#e6edf3",
    quiet: "#b4c1cf",
    line: "#7f9cc0",
    selected: "#74c0fc",
    path: "#4dabf7",
    critical: "#ffa94d",
    down: "#ff8787",
    failed: "#ff8787",
    host: ["#1b2c42", "#6ea3e6"],
    subnet: ["#16301f", "#5cc384"],
    service: ["#36290f", "#e0aa3e"],
    unknown: "#9aa7b4",
  },
};

/** How the picture is drawn. With `many` links only those near to what is selected carry labels, and none bends. */
export function stylesheet(scheme: Scheme, many: boolean): StylesheetJson {
  const colors = PALETTES[scheme];
  const box = ([fill, border]: [string, string]) => ({
    "background-color": fill,
    "border-color": border,
  });
  const labelled = {
    label: "data(middle)",
    "source-label": "data(a)",
    "target-label": "data(b)",
    "source-text-offset": (edge: EdgeSingular) => edge.data("aOffset"),
    "target-text-offset": (edge: EdgeSingular) => edge.data("bOffset"),
    "text-rotation": "autorotate",
    "source-text-rotation": "autorotate",
    "target-text-rotation": "autorotate",
    "font-family": FONT,
    "font-size": "data(size)",
    "min-zoomed-font-size": 7,
    color: colors.quiet,
    "text-background-color": colors.background,
    "text-background-opacity": 0.85,
    "text-background-padding": "1px",
  } as const;
  return [
    {
      selector: "node",
      style: {
        shape: "round-rectangle",
        width: "data(width)",
        height: "data(height)",
        label: "data(text)",
        color: colors.text,
        "font-family": FONT,
        "font-size": many ? FONT_SIZE : "data(font)",
        "line-height": 1.1,
        "text-wrap": "wrap",
        "text-max-width": "1000px",
        "text-valign": "center",
        "text-halign": "center",
        "min-zoomed-font-size": 5,
        "border-width": 1.4,
        "overlay-opacity": 0,
        "z-index": 2,
      },
    },
    { selector: "node.host", style: box(colors.host) },
    { selector: "node.subnet", style: { ...box(colors.subnet), shape: "round-hexagon" } },
    { selector: "node.service", style: { ...box(colors.service), shape: "cut-rectangle" } },
    {
      selector: "node.unknown",
      style: {
        "background-color": colors.background,
        "border-color": colors.unknown,
        "border-style": "dashed",
        "border-width": 2,
      },
    },
    {
      selector: "node.rollup",
      style: { ghost: "yes", "ghost-offset-x": 6, "ghost-offset-y": -6, "ghost-opacity": 0.55, "border-width": 2 },
    },
    {
      selector: "node.critical",
      style: { "border-color": colors.critical, "border-width": 5, "border-style": "double" },
    },
    {
      selector: "edge",
      style: {
        "curve-style": many ? "haystack" : "straight",
        width: "data(width)",
        "line-color": colors.line,
        "overlay-opacity": 0,
      },
    },
    { selector: many ? "edge.near" : "edge", style: labelled },
    { selector: "edge.near", style: { "z-index": 3 } },
    ...(many
      ? []
      : ([
          { selector: "edge.parallel", style: { "curve-style": "bezier", "control-point-step-size": 34 } },
          {
            selector: "edge.directed",
            style: { "target-arrow-shape": "triangle", "target-arrow-color": colors.line },
          },
          {
            selector: "edge.bridge",
            style: {
              "mid-source-arrow-shape": "diamond",
              "mid-source-arrow-color": colors.critical,
              "arrow-scale": 1.1,
            },
          },
        ] satisfies StylesheetJson)),
    { selector: "edge.bridge", style: { "line-color": colors.critical } },
    { selector: "edge.down", style: { "line-color": colors.down, "line-style": "dashed" } },
    { selector: "edge.unheard", style: { "line-color": colors.unknown, "line-style": "dotted" } },
    { selector: ".faded", style: { opacity: 0.35 } },
    {
      selector: "node.lost",
      style: {
        "background-color": colors.failed,
        "background-opacity": 0.25,
        "border-color": colors.failed,
        "border-style": "dashed",
        "border-width": 3,
      },
    },
    { selector: "edge.lost", style: { "line-color": colors.failed, opacity: 0.45 } },
    {
      selector: "node.failed",
      style: {
        "background-color": colors.failed,
        "border-color": colors.failed,
        color: scheme === "light" ? "#ffffff" : "#1b1b1b",
        "border-style": "solid",
        "border-width": 3,
      },
    },
    { selector: "edge.failed", style: { "line-color": colors.failed, "line-style": "dashed", width: 5 } },
    { selector: "node.path", style: { "border-color": colors.path, "border-width": 4, "border-style": "solid" } },
    { selector: "edge.path", style: { "line-color": colors.path, width: 6, "z-index": 3 } },
    {
      selector: "node.selected",
      style: {
        "outline-width": 4,
        "outline-offset": 2,
        "outline-color": colors.selected,
        "outline-opacity": 1,
        "z-index": 4,
      },
    },
    { selector: "edge.selected", style: { "line-color": colors.selected, width: 6, "z-index": 4 } },
    {
      selector: "node.focused",
      style: {
        "outline-width": 4,
        "outline-offset": 6,
        "outline-style": "dashed",
        "outline-color": colors.selected,
        "outline-opacity": 1,
      },
    },
  ];
}
