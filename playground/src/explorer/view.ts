import { useCallback, useMemo } from "react";
import { useLocation, useSearch } from "wouter";
import type { TopologyLayer } from "../gql/graphql";
import { isId } from "../ids";

/** What is selected: a thing of the picture, or a link, or a line that stands for several, with where it ends. */
export type Selection = { kind: "node"; id: string } | { kind: "link"; id: string; at: string };

/** A device or a link that is supposed to fail; of a link also a device where it ends, by which it is found again. */
export type Failure = { kind: "host" | "link"; id: string; at?: string };

/** The sides of the panel. */
export const PANES = ["details", "list", "path", "failure", "findings"] as const;
export type Pane = (typeof PANES)[number];

/** Everything that makes the explorer show what it shows; it stands in the URL. */
export interface View {
  network: string | null;
  layer: TopologyLayer;
  root: string | null;
  hops: number;
  atMost: number;
  selection: Selection | null;
  /** The port of the selected device that was looked for. */
  port: string | null;
  pane: Pane;
  from: string | null;
  to: string | null;
  /** Which of several ways of the same length is marked, from 0. */
  way: number;
  failures: Failure[];
}

export const LAYERS: readonly TopologyLayer[] = ["L2", "L3", "APPLICATION"];
/** How many nodes a picture may have before the server rolls them up. */
export const LIMITS: readonly number[] = [100, 300, 1000, 2000, 5000];
const DEFAULT_HOPS = 2;
const DEFAULT_LIMIT = 300;

function oneOf<T extends string>(values: readonly T[], text: string | null, otherwise: T): T {
  return values.find((value) => value === text) ?? otherwise;
}

function wholeNumber(text: string | null, least: number, most: number, otherwise: number): number {
  const number = text !== null && /^\d{1,6}$/.test(text) ? Number(text) : otherwise;
  return Math.min(Math.max(number, least), most);
}

/** What boxes of the picture that are no one thing are called: several together, and neighbors that are not known. */
const BOX = /^(group:|unknown )./;

const readId = (text: string | null | undefined): string | null => (text && isId(text) ? text : null);

const readBox = (text: string | undefined): string | null => (text && BOX.test(text) ? text : readId(text));

function readSelection(text: string | null): Selection | null {
  if (!text?.startsWith("link~")) {
    const id = readBox(text ?? undefined);
    return id ? { kind: "node", id } : null;
  }
  const parts = text.split("~").slice(1);
  const [id, at] = [readId(parts.pop()), readBox(parts.join("~"))];
  return id && at ? { kind: "link", id, at } : null;
}

function readFailures(text: string | null): Failure[] {
  return (text ?? "").split(",").flatMap((part): Failure[] => {
    const [kind, text, where] = part.split("~");
    const [id, at] = [readId(text), readId(where)];
    if (!id || (kind !== "host" && kind !== "link")) return [];
    return [at ? { kind, id, at } : { kind, id }];
  });
}

/** Reads a view from the query of a URL; what makes no sense is as if it were left out. */
export function readView(search: string): View {
  const query = new URLSearchParams(search);
  return {
    network: query.get("network"),
    layer: oneOf(LAYERS, query.get("layer"), "L2"),
    root: readId(query.get("root")),
    hops: wholeNumber(query.get("hops"), 0, 100, DEFAULT_HOPS),
    atMost: wholeNumber(query.get("most"), 1, 5000, DEFAULT_LIMIT),
    selection: readSelection(query.get("selection")),
    port: readId(query.get("port")),
    pane: oneOf(PANES, query.get("pane"), "details"),
    from: readId(query.get("from")),
    to: readId(query.get("to")),
    way: wholeNumber(query.get("way"), 1, 100, 1) - 1,
    failures: readFailures(query.get("fail")),
  };
}

function selectionText(selection: Selection | null): string | null {
  if (!selection) return null;
  return selection.kind === "node" ? selection.id : `link~${selection.at}~${selection.id}`;
}

/** The query of a URL that says a view, without what goes without saying. */
export function writeView(view: View): string {
  const query = new URLSearchParams();
  const say = (name: string, value: string | null) => value && query.set(name, value);
  say("network", view.network);
  say("layer", view.layer === "L2" ? null : view.layer);
  say("root", view.root);
  say("hops", view.root && view.hops !== DEFAULT_HOPS ? String(view.hops) : null);
  say("most", view.atMost === DEFAULT_LIMIT ? null : String(view.atMost));
  say("selection", selectionText(view.selection));
  say("port", view.port);
  say("pane", view.pane === "details" ? null : view.pane);
  say("from", view.from);
  say("to", view.to);
  say("way", view.way > 0 ? String(view.way + 1) : null);
  say("fail", view.failures.map(({ kind, id, at }) => [kind, id, at].filter(Boolean).join("~")).join(","));
  return query.toString();
}

/** Where the explorer shows a view. */
export const viewUrl = (view: View): string => {
  const query = writeView(view);
  return query ? `/?${query}` : "/";
};

/** Changes some of a view; what makes sense only beside it goes with it. */
export function changed(view: View, change: Partial<View>): View {
  const next = { ...view, ...change };
  if (view.network !== null && next.network !== view.network) {
    return { ...readView(""), network: next.network, layer: next.layer, atMost: next.atMost };
  }
  if (change.selection !== undefined && change.port === undefined) next.port = null;
  if (next.from !== view.from || next.to !== view.to) next.way = 0;
  return next;
}

/** The layer on which devices are cut off from each other, which services are not. */
export const impactLayer = (layer: TopologyLayer): TopologyLayer => (layer === "L3" ? "L3" : "L2");

type Change = (change: Partial<View>, how?: { replace: boolean }) => void;

/** The view that the URL says, and how to go to another; the way back is the browser's. */
export function useView(): [View, Change] {
  const search = useSearch();
  const [, navigate] = useLocation();
  const view = useMemo(() => readView(search), [search]);
  const change = useCallback<Change>(
    (change, how) => {
      const next = changed(readView(location.search), change);
      if (viewUrl(next) !== location.pathname + location.search) navigate(viewUrl(next), how);
    },
    [navigate],
  );
  return [view, change];
}

/** The same for a network that the URL may leave out; from the first change on it names it. */
export function useViewOf(network: string, view: View, change: Change): [View, Change] {
  const named = useMemo(() => ({ ...view, network }), [view, network]);
  const naming = useCallback<Change>(
    (wanted, how) => {
      if (!readView(location.search).network) change({ network }, { replace: true });
      change(wanted, how);
    },
    [network, change],
  );
  return [named, naming];
}
