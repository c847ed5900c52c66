// Where labels of links have room: which of them are shown, and how far along their links.

export interface Point {
  x: number;
  y: number;
}

/** A link as it is drawn between its boxes, with what is to be written along it. */
export interface Line {
  id: string;
  from: Point;
  to: Point;
  /** Towards where it bends, if it does. */
  bend: Point | null;
  /** The ports at both ends, and what is written in the middle. */
  a: string;
  b: string;
  middle: string;
  /** Whether it is selected, or ends at what is selected: then its labels are shown even without room. */
  isNear: boolean;
}

/** The labels of a link that are shown, and how far the middles of those of ports are from their boxes. */
export interface Labels {
  a: string;
  b: string;
  middle: string;
  aOffset: number;
  bOffset: number;
}

/** What a label takes: as many circles in a row as it is long, each as high as a line of text. */
class Room {
  readonly #radius: number;
  readonly #cells = new Map<string, Point[]>();

  constructor(font: number) {
    this.#radius = font * 0.75;
  }

  #cell = (value: number): number => Math.floor(value / (2 * this.#radius));

  #isFree({ x, y }: Point): boolean {
    for (let column = this.#cell(x) - 1; column <= this.#cell(x) + 1; column += 1) {
      for (let row = this.#cell(y) - 1; row <= this.#cell(y) + 1; row += 1) {
        const near = this.#cells.get(`${column} ${row}`) ?? [];
        if (near.some((other) => Math.hypot(other.x - x, other.y - y) < 2 * this.#radius)) return false;
      }
    }
    return true;
  }

  #circles(line: Line, middle: number, width: number): Point[] {
    const reach = Math.max(width / 2 - this.#radius, 0);
    const count = Math.ceil(reach / this.#radius) + 1;
    return Array.from({ length: count }, (_, index) =>
      pointAt(line, middle + (count > 1 ? (2 * index) / (count - 1) - 1 : 0) * reach),
    );
  }

  /** Takes the room of a label around a place along a link, if it is free or must be taken. */
  take(line: Line, middle: number, width: number, mustBe = false): boolean {
    const circles = this.#circles(line, middle, width);
    if (!mustBe && !circles.every((circle) => this.#isFree(circle))) return false;
    for (const circle of circles) {
      const cell = `${this.#cell(circle.x)} ${this.#cell(circle.y)}`;
      const others = this.#cells.get(cell);
      if (others) others.push(circle);
      else this.#cells.set(cell, [circle]);
    }
    return true;
  }
}

const lengthOf = ({ from, to }: Line): number => Math.hypot(to.x - from.x, to.y - from.y);

function pointAt(line: Line, distance: number): Point {
  const { from, to, bend } = line;
  const part = distance / (lengthOf(line) || 1);
  const middle = bend ?? { x: (from.x + to.x) / 2, y: (from.y + to.y) / 2 };
  const of = (axis: "x" | "y") =>
    (1 - part) ** 2 * from[axis] + 2 * part * (1 - part) * middle[axis] + part ** 2 * to[axis];
  return { x: of("x"), y: of("y") };
}

/** So many places the label of a port is tried at, from its box to the middle of the link. */
const SLOTS = 4;

/** Which labels are shown in letters of a size, those of links that are near first. */
export function layOut(lines: readonly Line[], font: number, widthOf: (text: string) => number): Map<string, Labels> {
  const room = new Room(font);
  const gap = font * 0.7;
  const shown = new Map<string, Labels>();
  for (const line of [...lines.filter(({ isNear }) => isNear), ...lines.filter(({ isNear }) => !isNear)]) {
    const length = lengthOf(line);
    const widths = { a: widthOf(line.a), b: widthOf(line.b), middle: widthOf(line.middle) };
    const taken = [widths.a, widths.b].filter((width) => width > 0).reduce((sum, width) => sum + width + gap, gap);
    /** How far from its box the label of a port is shown; `null` is nowhere. */
    const offset = (width: number, place: (offset: number) => number): number | null => {
      if (width === 0 || (taken > length && !line.isNear)) return null;
      const first = gap + width / 2;
      for (let slot = 0; slot < SLOTS; slot += 1) {
        const offset = first + slot * width;
        if (slot > 0 && offset + width / 2 > length / 2) break;
        if (room.take(line, place(offset), width)) return offset;
      }
      if (!line.isNear) return null;
      room.take(line, place(first), width, true);
      return first;
    };
    const a = offset(widths.a, (offset) => offset);
    const b = offset(widths.b, (offset) => length - offset);
    const hasMiddle =
      widths.middle > 0 &&
      (line.isNear || widths.middle + 2 * gap <= length) &&
      room.take(line, length / 2, widths.middle, line.isNear);
    if (a === null && b === null && !hasMiddle) continue;
    shown.set(line.id, {
      a: a === null ? "" : line.a,
      b: b === null ? "" : line.b,
      middle: hasMiddle ? line.middle : "",
      aOffset: a ?? 0,
      bOffset: b ?? 0,
    });
  }
  return shown;
}
