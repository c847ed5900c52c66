/** One network: the bar above, the picture, and the panel beside it. */
import { Box, Button, Loader, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import {
  lazy,
  type RefObject,
  Suspense,
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from "react";
import { ApiError } from "../api";
import type { Viewer } from "../session";
import { Empty, Problem, Waiting } from "../shell/Page";
import { Unloaded } from "../shell/Unloaded";
import { Bar } from "./Bar";
import { type Explorer, ExplorerContext } from "./context";
import { marks, places as placesOf } from "./marks";
import { Panel } from "./Panel";
import { loadPositions, type Position, type Positions, savePositions } from "./positions";
import { impactOptions, pathOptions, pictureOptions } from "./queries";
import { isUnknownId } from "./unknown";
import { impactLayer, useViewOf, type View } from "./view";

const drawing = import("./Picture");
// Whoever never draws is not told; whoever does is told by `Unloaded`.
drawing.catch(() => undefined);
const Picture = lazy(() => drawing);

interface Props {
  network: { id: string; name: string };
  networks: Viewer["networks"];
  viewer: Viewer;
  view: View;
  change: Explorer["change"];
}

type Center = { node: string } | { link: string };

export function Network({ network, networks, viewer, view: said, change: go }: Props) {
  const networkId = network.id;
  const [view, change] = useViewOf(networkId, said, go);
  const { data, error, isPlaceholderData, isFetching, refetch } = useQuery(pictureOptions(networkId, view));
  const isRootMissing = view.root !== null && error instanceof ApiError && error.code === "entity_not_found";
  const places = useMemo(() => (data ? placesOf(data.picture) : null), [data]);
  const [center, setCenter] = useCenter(view.selection?.id);
  const wanted = useRef<string>(null);
  const panel = useRef<HTMLElement>(null);
  const [positions, move, reset] = usePositions(viewer.user?.id ?? "", networkId, view.layer);

  const { from, to, layer, failures } = view;
  const paths = useQuery({ ...pathOptions(networkId, layer, from ?? "", to ?? ""), enabled: Boolean(from && to) });
  const impact = useQuery({
    ...impactOptions(networkId, impactLayer(layer), failures),
    enabled: failures.length > 0,
  });
  const isLoading = useIsArriving(drawing) || isFetching || paths.isFetching || impact.isFetching;
  const found = from && to ? paths.data?.topology?.paths : undefined;
  const path = view.pane === "path" ? (found?.[view.way] ?? found?.[0]) : undefined;
  const lost = failures.length > 0 ? (impact.data?.topology?.impact ?? undefined) : undefined;
  const marked = useMemo(
    () => places && marks(places, view.selection, path, view.pane === "failure" ? failures : [], lost),
    [places, view.selection, view.pane, path, failures, lost],
  );

  const goTo = useCallback(
    (id: string, more: Partial<View> = {}) => {
      wanted.current = id;
      change({ selection: { kind: "node", id }, pane: "details", ...more });
      setCenter(id, { node: (isUnknownId(id) && places?.shownBy.get(id)) || id });
    },
    [change, setCenter, places],
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: `wanted` changes along with the selection.
  useLayoutEffect(() => {
    const id = wanted.current;
    if (!id || !places || isPlaceholderData) return;
    wanted.current = null;
    // An unknown neighbor in a box of several has nothing around it but what heard it.
    if (places.shownBy.get(id) !== id && !isUnknownId(id)) change({ root: id }, { replace: true });
  }, [places, isPlaceholderData, view.selection, change]);

  useNewContent(panel, view.pane, view.selection);
  const explorer = useMemo<Explorer>(
    () => ({
      networkId,
      view,
      change,
      places,
      isUnread: error !== null && !data,
      mayChange: viewer.permissions !== "VIEWER",
      goTo,
      goToLink: (id, at) => {
        change({ selection: { kind: "link", id, at }, pane: "details" });
        const drawn = places?.linkOf.get(id);
        if (drawn) setCenter(id, { link: drawn.id });
      },
      fail: (failure) => {
        const others = view.failures.filter(({ id }) => id !== failure.id);
        change({ failures: [...others, failure], pane: "failure" });
      },
    }),
    [networkId, view, change, places, error, data, viewer.permissions, goTo, setCenter],
  );

  const select = (element: Center | null) => {
    if (!element) return change({ selection: null });
    if ("node" in element) return change({ selection: { kind: "node", id: element.node }, pane: "details" });
    const link = places?.links.get(element.link);
    if (!link) return;
    // What leads to an unknown neighbor is told of the neighbor.
    const unknown = [link.a, link.b].find((id) => places?.nodes.get(id)?.kind === "UNKNOWN");
    if (unknown && !link.linkId) return change({ selection: { kind: "node", id: unknown }, pane: "details" });
    change({ selection: { kind: "link", id: link.linkId ?? link.id, at: link.a }, pane: "details" });
  };

  return (
    <ExplorerContext.Provider value={explorer}>
      <div className="explorer">
        <Bar network={network} networks={networks} isFetching={isFetching} />
        <section className="explorer-picture" aria-label="Picture" aria-busy={isLoading}>
          {isRootMissing && (
            <Empty title="There is nothing to draw around">
              <Text>What should be in the middle is not on this layer, or not in the network any more.</Text>
              <Button variant="default" onClick={() => change({ root: null, selection: null })}>
                Show the whole network
              </Button>
            </Empty>
          )}
          {error && !isRootMissing && !data && (
            <Box px="md">
              <Problem title="The network could not be drawn" error={error} retry={refetch} />
            </Box>
          )}
          {data === undefined && !error && <Waiting what="Drawing the network…" />}
          {data === null && (
            <Empty title="This network is not here any more">
              <Text>It was deleted, or is no longer granted to you. Choose another above.</Text>
            </Empty>
          )}
          {places && places.picture.nodes.length === 0 && <NothingHere layer={layer} />}
          {places && marked && data && !isRootMissing && places.picture.nodes.length > 0 && (
            <Unloaded what="The picture">
              <Suspense fallback={<Waiting what="Drawing the network…" />}>
                <Picture
                  places={places}
                  marks={marked}
                  scene={data.scene}
                  positions={positions}
                  center={center}
                  name={network.name}
                  onSelect={select}
                  onMove={move}
                  onReset={reset}
                  onLeave={() => panel.current?.querySelector<HTMLElement>("[role=tab][aria-selected=true]")?.focus()}
                />
              </Suspense>
            </Unloaded>
          )}
          {isPlaceholderData && <Loader className="picture-loader" size="sm" aria-label="Loading" />}
        </section>
        <section className="explorer-panel" ref={panel} tabIndex={-1} aria-label="About the network">
          <Panel paths={paths} impact={impact} />
        </section>
      </div>
    </ExplorerContext.Provider>
  );
}

/** Why a picture of a layer is empty, and what would fill it. */
function NothingHere({ layer }: { layer: View["layer"] }) {
  if (layer === "APPLICATION") {
    return (
      <Empty title="No service of this network is in a group">
        <Text>Groups say which service speaks with which. Make one, and its services are drawn here.</Text>
      </Empty>
    );
  }
  return (
    <Empty title="Nothing to draw on this layer">
      <Text>
        {layer === "L3"
          ? "No device of this network has an address in a subnet."
          : "This network has no devices yet. Import an inventory, and they are drawn here."}
      </Text>
    </Empty>
  );
}

/** What was asked into the middle of the picture, as long as it is selected: another picture begins with all of it. */
function useCenter(selected: string | undefined) {
  const [wanted, setWanted] = useState<{ selected: string; center: Center } | null>(null);
  useEffect(() => setWanted((wanted) => (wanted?.selected === selected ? wanted : null)), [selected]);
  const setCenter = useCallback((selected: string, center: Center) => setWanted({ selected, center }), []);
  const center = wanted && wanted.selected === selected ? wanted.center : null;
  return [center, setCenter] as const;
}

/** Whether a part of the pages is still to arrive. */
function useIsArriving(part: Promise<unknown>): boolean {
  const [isArriving, setArriving] = useState(true);
  useEffect(() => {
    const end = () => setArriving(false);
    part.then(end, end);
  }, [part]);
  return isArriving;
}

/** Begins what is new in the panel at its top, and keeps the keyboard there when what had the focus is gone. */
function useNewContent(panel: RefObject<HTMLElement | null>, pane: View["pane"], selection: View["selection"]): void {
  const shown = useRef({ pane, selection });
  useEffect(() => {
    const { current: last } = shown;
    shown.current = { pane, selection };
    const element = panel.current;
    if (!element || (last.pane === pane && last.selection === selection)) return;
    element.scrollTop = 0;
    if (element.getBoundingClientRect().top < 0) element.scrollIntoView();
    if (document.activeElement === document.body) element.focus({ preventScroll: true });
  }, [panel, pane, selection]);
}

/** Where the viewer dragged nodes to, on this layer of this network. */
function usePositions(user: string, network: string, layer: View["layer"]) {
  const held = useMemo(() => loadPositions(user, network, layer), [user, network, layer]);
  const [changes, setChanges] = useState<{ of: Positions; now: Positions }>({ of: held, now: held });
  const positions = changes.of === held ? changes.now : held;
  const set = (now: Positions) => {
    savePositions(user, network, layer, now);
    setChanges({ of: held, now });
  };
  const move = (id: string, position: Position) => set({ ...positions, [id]: position });
  return [positions, move, () => set({})] as const;
}
