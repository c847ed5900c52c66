import cytoscape, { type Core, type ElementDefinition, type NodeCollection, type NodeSingular } from "cytoscape";
import type { PictureQuery } from "../gql/graphql";
import { LinkLabels, NO_LABELS, type Texts } from "./labels";
import type { Position, Positions } from "./positions";
import { Settling } from "./settling";
import { FONT_SIZE, type Scheme, stylesheet } from "./style";
import { counted } from "./words";

export type PictureData = NonNullable<PictureQuery["topology"]>["picture"];
export type PictureNode = PictureData["nodes"][number];
export type PictureLink = PictureData["links"][number];

/** What is marked in the picture, by the ids of its nodes and links. */
export interface Marks {
  selected: string | null;
  pathNodes: ReadonlySet<string>;
  pathLinks: ReadonlySet<string>;
  failed: ReadonlySet<string>;
  lost: ReadonlySet<string>;
}

export interface DrawingEvents {
  /** A node or a link was chosen, or the empty space. */
  onSelect: (element: { node: string } | { link: string } | null) => void;
  /** A node was dragged to where it is now. */
  onMove: (id: string, position: Position) => void;
  /** The picture begins to change, or is drawn as it will stay. */
  onBusy: (isBusy: boolean) => void;
}

export type Direction = "up" | "down" | "left" | "right";

/** Cytoscape writes a style element of its own unless there is one of this id, and our policy forbids it. */
const STYLE_ID = "__________cytoscape_stylesheet";
/** Above so many links the picture gives up what costs time: most labels on links, and links while it moves. */
const MANY_LINKS = 1200;
const PADDING = 36;
/** The most pixels of an image from side to side; browsers refuse much larger ones. */
const LARGEST_IMAGE = 8000;

function keepPolicy(): void {
  if (document.getElementById(STYLE_ID)) return;
  const marker = document.createElement("meta");
  marker.id = STYLE_ID;
  document.head.append(marker);
}

/** Labels seen from afar grow as far as their boxes have room. */
const READABLE = 9.5;
const FONT_STEPS = [FONT_SIZE, 17, 22, 28];

/** The height from which on a box has room for two lines. */
const TWO_LINES = 30;

/** What is written in a box; services of one name are told apart by their devices. */
function text({ kind, label, detail, height }: PictureNode): string {
  if (kind !== "SERVICE" || !detail) return label;
  return height < TWO_LINES ? `${label} · ${detail}` : `${label}\n${detail}`;
}

/** The largest size at which a label stays within its box. */
function largestFont(node: PictureNode): number {
  const lines = text(node).split("\n");
  const widthPerPixel = Math.max(...lines.map(({ length }) => length)) * 0.56 + 0.3;
  return Math.max(FONT_SIZE, Math.min((node.width + 8) / widthPerPixel, (node.height * 0.82) / lines.length));
}

/** The id of a link among the elements of the picture, where nodes have theirs. */
const edgeId = (link: string): string => `link~${link}`;

function nodeElement(node: PictureNode, moved: Position | undefined): ElementDefinition {
  const { id, kind, x, y, width, height } = node;
  const classes = [kind.toLowerCase(), node.count > 1 ? "rollup" : "", node.isArticulationPoint ? "critical" : ""];
  return {
    group: "nodes",
    data: { id, text: text(node), width, height, font: FONT_SIZE, largestFont: largestFont(node) },
    position: moved ? { ...moved } : { x: x + width / 2, y: y + height / 2 },
    classes: classes.filter(Boolean),
  };
}

function lineWidth(bps: number | null | undefined): number {
  if (!bps) return 2;
  return Math.min(Math.max(1 + Math.log10(bps / 1e8) * 0.9, 1), 5);
}

/** `ends` are the unknown neighbors. */
function edgeElements(links: readonly PictureLink[], ends: ReadonlySet<string>): ElementDefinition[] {
  const pair = ({ a, b }: PictureLink) => (a < b ? `${a} ${b}` : `${b} ${a}`);
  const together = new Map<string, number>();
  for (const link of links) together.set(pair(link), (together.get(pair(link)) ?? 0) + 1);
  return links.map((link) => {
    const { id, a, b, count } = link;
    const classes = [
      link.state === "DOWN" ? "down" : "",
      ends.has(a) || ends.has(b) ? "unheard" : "",
      link.isBridge ? "bridge" : "",
      link.isDirected ? "directed" : "",
      (together.get(pair(link)) ?? 0) > 1 || a === b ? "parallel" : "",
    ];
    return {
      group: "edges",
      data: {
        id: edgeId(id),
        link: id,
        source: a,
        target: b,
        ...NO_LABELS,
        width: lineWidth(link.speedBps) + (count > 1 ? 1 : 0),
      },
      classes: classes.filter(Boolean),
    };
  });
}

/** What is written along a link, as far as there is room. */
function texts({ id, count, aPort, bPort, label }: PictureLink): Texts {
  if (count > 1) return { id: edgeId(id), a: "", b: "", middle: counted(count, "link") };
  return { id: edgeId(id), a: aPort ?? "", b: bPort ?? "", middle: label ?? "" };
}

/** The picture of a network on a canvas. Positions are given; nothing is laid out here. */
export class Drawing {
  readonly #cy: Core;
  readonly #many: boolean;
  readonly #labels: LinkLabels;
  readonly #settling: Settling;
  #font = FONT_SIZE;
  #marked = new Map<string, string[]>();
  #fades = false;
  #edges: { link: string; ends: [string, string] }[] = [];
  #scheme: Scheme;

  constructor(container: HTMLElement, scheme: Scheme, size: number, events: DrawingEvents) {
    keepPolicy();
    this.#scheme = scheme;
    this.#many = size > MANY_LINKS;
    this.#cy = cytoscape({
      container,
      style: stylesheet(scheme, this.#many),
      layout: { name: "preset" },
      minZoom: 0.005,
      maxZoom: 3,
      autounselectify: true,
      boxSelectionEnabled: false,
      hideEdgesOnViewport: this.#many,
      pixelRatio: this.#many ? 1 : "auto",
    });
    this.#labels = new LinkLabels(this.#cy, this.#many);
    this.#settling = new Settling(this.#cy, container, () => this.#labels.isPlanned, events.onBusy);
    this.#cy.on("tap", (event) => {
      if (event.target === this.#cy) return events.onSelect(null);
      if (event.target.isNode()) return events.onSelect({ node: event.target.id() });
      events.onSelect({ link: event.target.data("link") });
    });
    this.#cy.on("dragfree", "node", ({ target }) => {
      events.onMove(target.id(), { ...target.position() });
    });
    if (!this.#many) this.#cy.on("zoom", () => this.#sizeLabels());
    this.#cy.on("mouseover", "node, edge", () => (container.style.cursor = "pointer"));
    this.#cy.on("mouseout", "node, edge", () => (container.style.cursor = ""));
  }

  /** Draws another picture in the place of this one; the view stays where it is. */
  show(picture: PictureData, positions: Positions): void {
    const known = new Set(picture.nodes.map(({ id }) => id));
    const links = picture.links.filter(({ a, b }) => known.has(a) && known.has(b));
    const unknown = new Set(picture.nodes.filter(({ kind }) => kind === "UNKNOWN").map(({ id }) => id));
    this.#cy.batch(() => {
      this.#cy.elements().remove();
      this.#cy.add(picture.nodes.map((node) => nodeElement(node, positions[node.id])));
      this.#cy.add(edgeElements(links, unknown));
    });
    this.#marked = new Map();
    this.#fades = false;
    this.#edges = links.map(({ id, a, b }) => ({ link: id, ends: [a, b] }));
    this.#labels.take(links.map(texts));
    this.#font = FONT_SIZE;
    if (!this.#many) this.#sizeLabels();
  }

  #sizeLabels(): void {
    const wanted = READABLE / this.#cy.zoom();
    const font = FONT_STEPS.find((step) => step >= wanted) ?? 28;
    if (font === this.#font) return;
    this.#font = font;
    this.#cy.batch(() => {
      this.#cy.nodes().forEach((node) => void node.data("font", Math.min(font, node.data("largestFont"))));
    });
  }

  /** Puts the nodes where they are given, such as back to where the server laid them. */
  place(picture: PictureData, positions: Positions): void {
    this.#cy.batch(() => {
      for (const node of picture.nodes) {
        const { x, y, width, height } = node;
        this.#cy.getElementById(node.id).position(positions[node.id] ?? { x: x + width / 2, y: y + height / 2 });
      }
    });
    this.#labels.plan();
  }

  setScheme(scheme: Scheme): void {
    if (scheme === this.#scheme) return;
    this.#scheme = scheme;
    this.#cy.style(stylesheet(scheme, this.#many));
    this.#settling.begin();
  }

  /** Marks what is to be marked; only what changes is touched, since a network can be large. */
  mark(marks: Marks): void {
    const wanted = new Map<string, string[]>();
    const { selected, pathNodes, pathLinks, failed, lost } = marks;
    const fades = pathNodes.size > 0;
    const say = (id: string, name: string) => wanted.set(id, [...(wanted.get(id) ?? []), name]);
    for (const id of failed) say(this.#elementId(id), "failed");
    for (const id of lost) if (!failed.has(id)) say(id, "lost");
    for (const id of pathNodes) say(id, "path");
    for (const id of pathLinks) say(edgeId(id), "path");
    if (selected !== null) say(this.#elementId(selected), "selected");
    const near = new Set<string>();
    for (const { link, ends } of this.#edges) {
      if (!failed.has(link) && ends.some((end) => lost.has(end) || failed.has(end))) say(edgeId(link), "lost");
      if (link === selected || ends.some((end) => end === selected) || pathLinks.has(link)) near.add(edgeId(link));
    }
    for (const id of near) say(id, "near");
    this.#labels.setNear(near);
    this.#cy.batch(() => {
      for (const [id, names] of this.#marked) {
        const element = this.#cy.getElementById(id);
        if (element.nonempty()) element.removeClass(names.join(" "));
      }
      for (const [id, names] of wanted) this.#cy.getElementById(id).addClass(names.join(" "));
      if (fades || this.#fades) {
        this.#cy.elements().forEach((element) => {
          element.toggleClass("faded", fades && !element.hasClass("path"));
        });
      }
    });
    this.#marked = wanted;
    this.#fades = fades;
  }

  /** The id among the elements of a node or a link. */
  #elementId(id: string): string {
    return this.#cy.getElementById(id).nonempty() ? id : edgeId(id);
  }

  /** Marks the node that the keyboard is at. */
  focus(id: string | null): void {
    this.#cy.nodes(".focused").removeClass("focused");
    if (id === null) return;
    const node = this.#cy.getElementById(id);
    node.addClass("focused");
    const { x1, y1, x2, y2 } = node.renderedBoundingBox();
    const inside = x1 >= 0 && y1 >= 0 && x2 <= this.#cy.width() && y2 <= this.#cy.height();
    if (!inside) this.#cy.center(node);
  }

  /** The node in a direction along a link, or else the nearest there; from nowhere, the one nearest to the middle. */
  next(from: string | null, direction: Direction): string | null {
    const start = from === null ? null : this.#cy.getElementById(from);
    if (!start?.nonempty()) return this.#middle();
    const { x, y } = start.position();
    const turn = { right: 0, down: Math.PI / 2, left: Math.PI, up: -Math.PI / 2 }[direction];
    const best = (others: NodeCollection): string | null => {
      let found: string | null = null;
      let least = Infinity;
      others.forEach((other) => {
        const to = other.position();
        const angle = Math.atan2(to.y - y, to.x - x) - turn;
        const off = Math.abs(Math.atan2(Math.sin(angle), Math.cos(angle)));
        const cost = Math.hypot(to.x - x, to.y - y) * (1 + 2 * off);
        if (off < Math.PI * 0.49 && cost < least) [found, least] = [other.id(), cost];
      });
      return found;
    };
    return best(start.neighborhood("node")) ?? best(this.#cy.nodes().not(start));
  }

  #middle(): string | null {
    const { x1, y1, w, h } = this.#cy.extent();
    let best: NodeSingular | null = null;
    let least = Infinity;
    this.#cy.nodes().forEach((node) => {
      const { x, y } = node.position();
      const distance = Math.hypot(x - x1 - w / 2, y - y1 - h / 2);
      if (distance < least) [best, least] = [node, distance];
    });
    return (best as NodeSingular | null)?.id() ?? null;
  }

  /** The first look: all of it, or on a narrow screen what is most joined, large enough to be read. */
  begin(): void {
    this.fit();
    if (this.#cy.width() > 500 || this.#cy.zoom() > READABLE / 28) return;
    const busiest = this.#cy.nodes().max((node) => node.degree(false)).ele;
    this.#cy.zoom(READABLE / 28);
    this.#cy.center(this.#cy.nodes(".selected").nonempty() ? this.#cy.nodes(".selected") : busiest);
  }

  fit(): void {
    // Straight links reach no further than what they join, and there are many to ask.
    this.#cy.fit(this.#many ? this.#cy.nodes() : undefined, PADDING);
    if (this.#cy.zoom() > 1.2) {
      this.#cy.zoom(1.2);
      this.#cy.center();
    }
  }

  /** Brings a node or a link to the middle, large enough to be read. */
  center(element: { node: string } | { link: string }): void {
    const id = "node" in element ? element.node : edgeId(element.link);
    const found = this.#cy.getElementById(id);
    if (found.empty()) return;
    if (this.#cy.zoom() < 0.7) this.#cy.zoom(0.9);
    this.#cy.center(found);
  }

  zoomBy(factor: number): void {
    const renderedPosition = { x: this.#cy.width() / 2, y: this.#cy.height() / 2 };
    this.#cy.zoom({ level: this.#cy.zoom() * factor, renderedPosition });
  }

  panBy(x: number, y: number): void {
    this.#cy.panBy({ x, y });
  }

  /** All of it at twice the size, or as large as an image may be, with as many labels as there is room for then. */
  png(background: string): Blob {
    const [zoom, pan] = [this.#cy.zoom(), { ...this.#cy.pan() }];
    const { w, h } = this.#cy.elements().boundingBox();
    const scale = Math.min(2, LARGEST_IMAGE / w, LARGEST_IMAGE / h);
    // Labels are drawn as they are on the screen, and left out where they would be too small there.
    this.#cy.zoom(scale);
    this.#labels.choose(scale);
    this.#cy.elements().boundingBox(); // brings to their places what was chosen
    const image = this.#cy.png({ output: "blob", full: true, scale, bg: background });
    this.#cy.viewport({ zoom, pan });
    this.#labels.plan();
    return image;
  }

  destroy(): void {
    this.#settling.destroy();
    this.#labels.destroy();
    this.#cy.destroy();
  }
}
