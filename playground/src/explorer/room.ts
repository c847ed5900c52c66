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
  /** The middle of what is written in its middle. */
  center: Point;
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

/** A place along a line: a part of it, and how far from its start that is. */
interface Place {
  part: number;
  distance: number;
}

/** So many straight pieces a line that bends is measured in. */
const PIECES = 16;

/** The way along a line, which is measured as it is drawn. */
class Way {
  readonly #line: Line;
  readonly #places: Place[] = [{ part: 0, distance: 0 }];

  constructor(line: Line) {
    this.#line = line;
    const pieces = line.bend ? PIECES : 1;
    let [last, distance] = [line.from, 0];
    for (let piece = 1; piece <= pieces; piece += 1) {
      const next = this.#at(piece / pieces);
      distance += Math.hypot(next.x - last.x, next.y - last.y);
      this.#places.push({ part: piece / pieces, distance });
      last = next;
    }
  }

  get length(): number {
    return this.#places.at(-1)?.distance ?? 0;
  }

  /** Along what labels are written, also where the line bends: from one end to the other. */
  get direction(): Point {
    const { from, to } = this.#line;
    const distance = Math.hypot(to.x - from.x, to.y - from.y) || 1;
    return { x: (to.x - from.x) / distance, y: (to.y - from.y) / distance };
  }

  /** The point at a distance from the start, as far as the line goes. */
  at(wanted: number): Point {
    const distance = Math.min(Math.max(wanted, 0), this.length);
    const next = Math.max(
      this.#places.findIndex((place) => place.distance >= distance),
      1,
    );
    const [before, after] = [this.#places[next - 1], this.#places[next]];
    if (!before || !after) return this.#at(1);
    const part = (distance - before.distance) / (after.distance - before.distance || 1);
    return this.#at(before.part + part * (after.part - before.part));
  }

  #at(part: number): Point {
    const { from, to, bend } = this.#line;
    const middle = bend ?? { x: (from.x + to.x) / 2, y: (from.y + to.y) / 2 };
    const of = (axis: "x" | "y") =>
      (1 - part) ** 2 * from[axis] + 2 * part * (1 - part) * middle[axis] + part ** 2 * to[axis];
    return { x: of("x"), y: of("y") };
  }
}

/** What a label takes: a rectangle along a direction, by its middle and half of its length and height. */
interface Box {
  middle: Point;
  direction: Point;
  length: number;
  height: number;
}

/** How far a box reaches to both sides of its middle along a direction. */
const reach = ({ direction, length, height }: Box, along: Point): number =>
  length * Math.abs(direction.x * along.x + direction.y * along.y) +
  height * Math.abs(direction.x * along.y - direction.y * along.x);

/** Whether two boxes share a point: no side of either has all of one before it and all of the other behind it. */
function touch(one: Box, other: Box): boolean {
  const [x, y] = [other.middle.x - one.middle.x, other.middle.y - one.middle.y];
  return [one.direction, other.direction]
    .flatMap((side) => [side, { x: -side.y, y: side.x }])
    .every((side) => Math.abs(x * side.x + y * side.y) < reach(one, side) + reach(other, side));
}

/** Which room is taken by labels in letters of a size. */
class Room {
  readonly #font: number;
  readonly #cells = new Map<string, Box[]>();

  constructor(font: number) {
    this.#font = font;
  }

  /** The squares, a few letters wide, that a box can be in. */
  #cellsOf(box: Box): string[] {
    const size = 4 * this.#font;
    const [width, height] = [reach(box, { x: 1, y: 0 }), reach(box, { x: 0, y: 1 })];
    const cells: string[] = [];
    for (let x = Math.floor((box.middle.x - width) / size); x * size <= box.middle.x + width; x += 1) {
      for (let y = Math.floor((box.middle.y - height) / size); y * size <= box.middle.y + height; y += 1) {
        cells.push(`${x} ${y}`);
      }
    }
    return cells;
  }

  /** Takes the room of a label whose middle is there, if it is free or must be taken. */
  take(middle: Point, direction: Point, width: number, mustBe: boolean): boolean {
    const box = { middle, direction, length: width / 2 + this.#font * 0.15, height: this.#font * 0.65 };
    const cells = this.#cellsOf(box);
    const isFree = () => !cells.some((cell) => this.#cells.get(cell)?.some((other) => touch(box, other)));
    if (!mustBe && !isFree()) return false;
    for (const cell of cells) {
      const others = this.#cells.get(cell);
      if (others) others.push(box);
      else this.#cells.set(cell, [box]);
    }
    return true;
  }
}

/** So many places the label of a port is tried at, from its box to the middle of the link. */
const SLOTS = 4;

/** Which labels are shown in letters of a size, those of links that are near first. */
export function layOut(lines: readonly Line[], font: number, widthOf: (text: string) => number): Map<string, Labels> {
  const room = new Room(font);
  const gap = font * 0.7;
  const shown = new Map<string, Labels>();
  for (const line of [...lines.filter(({ isNear }) => isNear), ...lines.filter(({ isNear }) => !isNear)]) {
    const way = new Way(line);
    const { length, direction } = way;
    const widths = { a: widthOf(line.a), b: widthOf(line.b), middle: widthOf(line.middle) };
    const taken = [widths.a, widths.b].filter((width) => width > 0).reduce((sum, width) => sum + width + gap, gap);
    /** How far from its box the label of a port is shown; `null` is nowhere. */
    const offset = (width: number, place: (offset: number) => number): number | null => {
      if (width === 0 || (taken > length && !line.isNear)) return null;
      const take = (offset: number, mustBe: boolean) => room.take(way.at(place(offset)), direction, width, mustBe);
      const first = gap + width / 2;
      for (let slot = 0; slot < SLOTS; slot += 1) {
        const offset = first + slot * width;
        if (slot > 0 && offset + width / 2 > length / 2) break;
        if (take(offset, false)) return offset;
      }
      if (!line.isNear) return null;
      take(first, true);
      return first;
    };
    const a = offset(widths.a, (offset) => offset);
    const b = offset(widths.b, (offset) => length - offset);
    const hasMiddle =
      widths.middle > 0 &&
      (line.isNear || widths.middle + 2 * gap <= length) &&
      room.take(line.center, direction, widths.middle, line.isNear);
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
