import type { TopologyLayer } from "../gql/graphql";

export type Position = { x: number; y: number };
export type Positions = Record<string, Position>;

const name = (user: string, network: string, layer: TopologyLayer): string =>
  `toposcope.positions.${user}.${network}.${layer}`;

function isPosition(value: unknown): value is Position {
  if (typeof value !== "object" || value === null) return false;
  return "x" in value && "y" in value && Number.isFinite(value.x) && Number.isFinite(value.y);
}

/** Where this viewer has dragged nodes of a layer to; whatever is unreadable is as if it were not there. */
export function loadPositions(user: string, network: string, layer: TopologyLayer): Positions {
  try {
    const held: unknown = JSON.parse(localStorage.getItem(name(user, network, layer)) ?? "{}");
    if (typeof held !== "object" || held === null) return {};
    return Object.fromEntries(
      Object.entries(held).filter((entry): entry is [string, Position] => isPosition(entry[1])),
    );
  } catch {
    return {};
  }
}

/** Keeps them in this browser; without room or permission they last as long as the page. */
export function savePositions(user: string, network: string, layer: TopologyLayer, positions: Positions): void {
  try {
    if (Object.keys(positions).length === 0) localStorage.removeItem(name(user, network, layer));
    else localStorage.setItem(name(user, network, layer), JSON.stringify(positions));
  } catch {
    // The picture stays as it is, only the next visit will not know.
  }
}
