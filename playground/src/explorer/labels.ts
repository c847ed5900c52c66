// The labels of links in the picture, as many as have room.
import type { Core, EdgeSingular, NodeSingular } from "cytoscape";
import { type Labels, type Line, layOut, type Point } from "./room";
import { FONT } from "./style";

/** What is written along a link, by the id of its element. */
export interface Texts {
  id: string;
  a: string;
  b: string;
  middle: string;
}

/** From these zooms on labels stay as large as they are, so that there is room for more of them. */
const STEPS = [1.05, 1.3, 1.6, 2, 2.5];
/** The size of labels on the screen from the first of these on, and that in the picture before. */
const [ON_SCREEN, FROM_AFAR] = [12, 11];

/** What a link has before its labels are chosen, and where none has room. */
export const NO_LABELS = { a: "", b: "", middle: "", aOffset: 0, bOffset: 0, size: FROM_AFAR };

/** Where a line from the middle of a box to another leaves it. */
function border(node: NodeSingular, towards: Point): Point {
  const { x, y } = node.position();
  const [dx, dy] = [towards.x - x, towards.y - y];
  const part = Math.min(node.width() / 2 / Math.abs(dx || 1e-9), node.height() / 2 / Math.abs(dy || 1e-9), 1);
  return { x: x + dx * part, y: y + dy * part };
}

/** Chooses the labels of links anew whenever their room changes: not at each frame, but at some steps of the zoom. */
export class LinkLabels {
  readonly #cy: Core;
  /** Whether links are too many to carry labels unless they are near, and lead from middle to middle. */
  readonly #many: boolean;
  readonly #widths = new Map<string, number>();
  readonly #pen = document.createElement("canvas").getContext("2d");
  #texts = new Map<string, Texts>();
  #near: ReadonlySet<string> = new Set();
  #shown = new Map<string, Labels>();
  #step = -1;
  #frame = 0;

  constructor(cy: Core, many: boolean) {
    this.#cy = cy;
    this.#many = many;
    cy.on("zoom", () => this.#stepAt(cy.zoom()) !== this.#step && this.plan());
    cy.on("dragfree", "node", () => this.plan());
  }

  /** Takes other links, none of which shows a label yet. */
  take(texts: readonly Texts[]): void {
    this.#texts = new Map(texts.filter(({ a, b, middle }) => a || b || middle).map((text) => [text.id, text]));
    this.#shown = new Map();
    this.plan();
  }

  /** Says which links are near to what is selected. */
  setNear(near: ReadonlySet<string>): void {
    this.#near = near;
    this.plan();
  }

  /** Whether they are still to be chosen anew. */
  get isPlanned(): boolean {
    return this.#frame !== 0;
  }

  /** Chooses anew before the next frame. */
  plan(): void {
    this.#frame ||= requestAnimationFrame(() => {
      this.#frame = 0;
      this.choose(this.#cy.zoom());
    });
  }

  /** Chooses as for a zoom. */
  choose(zoom: number): void {
    this.#step = this.#stepAt(zoom);
    const size = this.#step < 0 ? FROM_AFAR : ON_SCREEN / (STEPS[this.#step] ?? 1);
    const all = !this.#many && this.#step >= 0;
    const wanted = all ? [...this.#texts.keys()] : [...this.#near];
    const lines = wanted.flatMap((id) => this.#line(id) ?? []);
    const shown = layOut(lines, size, (text) => this.#width(text) * size);
    this.#cy.batch(() => {
      for (const id of new Set([...this.#shown.keys(), ...shown.keys()])) {
        const labels = shown.get(id) ?? NO_LABELS;
        const edge = this.#cy.getElementById(id);
        if (edge.empty()) continue;
        const { a, b, middle, aOffset, bOffset } = labels;
        const inside = this.#many ? this.#insides(edge) : [0, 0];
        edge.data({ a, b, middle, size, aOffset: aOffset + (inside[0] ?? 0), bOffset: bOffset + (inside[1] ?? 0) });
      }
    });
    this.#shown = shown;
  }

  destroy(): void {
    cancelAnimationFrame(this.#frame);
  }

  #stepAt = (zoom: number): number => STEPS.findLastIndex((step) => step <= zoom);

  /** The width of a text in letters of the size 1. */
  #width(text: string): number {
    let width = this.#widths.get(text);
    if (width === undefined) {
      if (this.#pen) this.#pen.font = `100px ${FONT}`;
      width = (this.#pen?.measureText(text).width ?? 60 * text.length) / 100;
      this.#widths.set(text, width);
    }
    return width;
  }

  #line(id: string): Line | null {
    const texts = this.#texts.get(id);
    const edge = this.#cy.getElementById(id);
    if (!texts || edge.empty() || edge.isLoop()) return null;
    const [source, target] = [edge.source(), edge.target()];
    const bend = edge.hasClass("parallel") ? (edge.controlPoints()?.[0] ?? null) : null;
    const [from, to] = this.#many
      ? [border(source, target.position()), border(target, source.position())]
      : [edge.sourceEndpoint(), edge.targetEndpoint()];
    // Boxes that were dragged onto each other leave nothing of a line.
    if (![from.x, from.y, to.x, to.y].every(Number.isFinite)) return null;
    return { ...texts, from, to, bend, center: edge.midpoint(), isNear: this.#near.has(id) };
  }

  /** How much of a link is within its boxes, at both ends. */
  #insides(edge: EdgeSingular): [number, number] {
    const [a, b] = [edge.source(), edge.target()];
    const within = (node: NodeSingular, towards: NodeSingular) => {
      const [middle, out] = [node.position(), border(node, towards.position())];
      return Math.hypot(out.x - middle.x, out.y - middle.y);
    };
    return [within(a, b), within(b, a)];
  }
}
