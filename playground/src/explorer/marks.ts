// Where things of the network are in a picture that may stand for several by one.
import type { ImpactQuery, PathsQuery } from "../gql/graphql";
import type { Marks, PictureData, PictureLink, PictureNode } from "./drawing";
import type { Failure, Selection } from "./view";

export type Path = NonNullable<PathsQuery["topology"]>["paths"][number];
export type Impact = NonNullable<NonNullable<ImpactQuery["topology"]>["impact"]>;

/** A picture, and where in it everything is found. */
export interface Places {
  picture: PictureData;
  nodes: ReadonlyMap<string, PictureNode>;
  links: ReadonlyMap<string, PictureLink>;
  /** The node that shows a thing, itself or as one of several. */
  shownBy: ReadonlyMap<string, string>;
  /** The link of the picture that is a link of the network. */
  linkOf: ReadonlyMap<string, PictureLink>;
  /** How many links of the network end at a node. */
  degree: ReadonlyMap<string, number>;
}

export function places(picture: PictureData): Places {
  const shownBy = new Map<string, string>();
  for (const { id, members } of picture.nodes) {
    shownBy.set(id, id);
    for (const member of members) shownBy.set(member.id, id);
  }
  const linkOf = new Map<string, PictureLink>();
  const degree = new Map<string, number>();
  for (const link of picture.links) {
    if (link.linkId) linkOf.set(link.linkId, link);
    for (const end of new Set([link.a, link.b])) degree.set(end, (degree.get(end) ?? 0) + link.count);
  }
  return {
    picture,
    nodes: new Map(picture.nodes.map((node) => [node.id, node])),
    links: new Map(picture.links.map((link) => [link.id, link])),
    shownBy,
    linkOf,
    degree,
  };
}

function linksOfPath({ picture, shownBy, linkOf }: Places, path: Path): Set<string> {
  const found = new Set<string>();
  path.hops.forEach(({ links }, step) => {
    const ends = [path.nodes[step], path.nodes[step + 1]].map((node) => node && shownBy.get(node.id));
    for (const { id } of links) {
      const link = linkOf.get(id);
      if (link) found.add(link.id);
    }
    for (const { id, a, b, linkId } of picture.links) {
      if (!linkId && ends.includes(a) && ends.includes(b) && a !== b) found.add(id);
    }
  });
  return found;
}

/** What is to be marked in a picture. */
export function marks(
  places: Places,
  selection: Selection | null,
  path: Path | undefined,
  failures: readonly Failure[],
  impact: Impact | undefined,
): Marks {
  const { shownBy, linkOf } = places;
  const shown = (ids: string[]) => new Set(ids.flatMap((id) => shownBy.get(id) ?? []));
  const failed = failures.flatMap(({ kind, id }) =>
    kind === "host" ? (shownBy.get(id) ?? []) : (linkOf.get(id)?.id ?? []),
  );
  const selected =
    selection?.kind === "link"
      ? (linkOf.get(selection.id) ?? places.links.get(selection.id))?.id
      : shownBy.get(selection?.id ?? "");
  return {
    selected: selected ?? null,
    pathNodes: shown(path?.nodes.map(({ id }) => id) ?? []),
    pathLinks: path ? linksOfPath(places, path) : new Set(),
    failed: new Set(failed),
    lost: shown([...(impact?.cutOff ?? []), ...(impact?.servicesLost ?? [])].map(({ id }) => id)),
  };
}
