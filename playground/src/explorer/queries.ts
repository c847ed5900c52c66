// What the explorer knows of the network, kept as long as the server says nothing else.
import { keepPreviousData, queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { request } from "../api";
import type { TopologyLayer } from "../gql/graphql";
import { FindingsDocument, ImpactDocument, PartsDocument, PathDocument } from "./documents/analysis";
import {
  DeviceDocument,
  ForgetDocument,
  IdentifyDocument,
  LinkNamesDocument,
  LinksDocument,
  ServiceDocument,
  SubnetDocument,
  UnresolvedDocument,
} from "./documents/details";
import {
  HostChoicesDocument,
  NamesDocument,
  PictureDocument,
  PortChoicesDocument,
  SearchDocument,
} from "./documents/picture";
import { searchVariables } from "./search";
import type { Failure, View } from "./view";
import { linkName } from "./words";

/** Everything under this key changes when the network does. */
const KEY = "explorer";

export const pictureOptions = (networkId: string, { layer, root, hops, atMost }: View) =>
  queryOptions({
    queryKey: [KEY, "picture", networkId, layer, root, root ? hops : null, atMost],
    queryFn: async () => {
      const variables = { networkId, layer, root, hops: root ? hops : null, atMost };
      const { topology } = await request(PictureDocument, variables);
      // Names what is shown, since the last picture stays until the next has come.
      return topology && { ...topology, scene: JSON.stringify(variables) };
    },
    placeholderData: keepPreviousData,
  });

export const deviceOptions = (networkId: string, id: string) =>
  queryOptions({
    queryKey: [KEY, "device", id],
    queryFn: () => request(DeviceDocument, { networkId, id }),
  });

export const linksOptions = (networkId: string, layer: TopologyLayer, at: string) =>
  queryOptions({
    queryKey: [KEY, "links", networkId, layer, at],
    queryFn: () => request(LinksDocument, { networkId, layer, at }),
  });

/** What the links are called that end at a device, whatever the layer. */
export const linkNamesOptions = (networkId: string, at: string) =>
  queryOptions({
    queryKey: [KEY, "link names", networkId, at],
    queryFn: async () => {
      const { l2, l3 } = await request(LinkNamesDocument, { networkId, at });
      return new Map([...(l2?.links ?? []), ...(l3?.links ?? [])].map((link) => [link.id, linkName(link)]));
    },
  });

export const subnetOptions = (id: string) =>
  queryOptions({
    queryKey: [KEY, "subnet", id],
    queryFn: () => request(SubnetDocument, { id }),
  });

export const serviceOptions = (id: string) =>
  queryOptions({
    queryKey: [KEY, "service", id],
    queryFn: () => request(ServiceDocument, { id }),
  });

/** Unknown neighbors that a device heard, or any device. */
export const unresolvedOptions = (networkId: string, root: string | null) =>
  queryOptions({
    queryKey: [KEY, "unresolved", networkId, root],
    queryFn: () => request(UnresolvedDocument, { networkId, root, hops: root ? 0 : null }),
  });

export const pathOptions = (networkId: string, layer: TopologyLayer, from: string, to: string) =>
  queryOptions({
    queryKey: [KEY, "path", networkId, layer, from, to],
    queryFn: () => request(PathDocument, { networkId, layer, from, to }),
  });

export const impactOptions = (networkId: string, layer: TopologyLayer, failures: readonly Failure[]) => {
  const ids = (wanted: Failure["kind"]) => failures.filter(({ kind }) => kind === wanted).map(({ id }) => id);
  const [hosts, links] = [ids("host"), ids("link")];
  return queryOptions({
    queryKey: [KEY, "impact", networkId, layer, hosts, links],
    queryFn: () => request(ImpactDocument, { networkId, layer, hosts, links }),
  });
};

export const findingsOptions = (networkId: string, layer: TopologyLayer) =>
  queryOptions({
    queryKey: [KEY, "findings", networkId, layer],
    queryFn: () => request(FindingsDocument, { networkId, layer }),
  });

/** Devices that no link joins to any other. */
export const isolatedOptions = (networkId: string) =>
  queryOptions({
    queryKey: [KEY, "isolated", networkId],
    queryFn: async () => {
      const { topology } = await request(PartsDocument, { networkId });
      return (topology?.components ?? []).flatMap(({ size, nodes }) => (size === 1 ? nodes : []));
    },
  });

export const namesOptions = (ids: readonly string[]) =>
  queryOptions({
    queryKey: [KEY, "names", [...ids].sort()],
    queryFn: async () => {
      const { hosts, subnets, services } = await request(NamesDocument, { ids });
      const all = [
        ...hosts.nodes.map((host) => ({ ...host, kind: "HOST" as const })),
        ...subnets.nodes.map((subnet) => ({ ...subnet, kind: "SUBNET" as const })),
        ...services.nodes.map((service) => ({ ...service, kind: "SERVICE" as const })),
      ];
      return new Map(all.map((thing) => [thing.id, thing]));
    },
    enabled: ids.length > 0,
  });

export const hostChoicesOptions = (networkId: string, text: string) =>
  queryOptions({
    queryKey: [KEY, "host choices", networkId, text],
    queryFn: () => request(HostChoicesDocument, { networkId, text }),
  });

export const portChoicesOptions = (hostId: string) =>
  queryOptions({
    queryKey: [KEY, "port choices", hostId],
    queryFn: () => request(PortChoicesDocument, { hostId }),
  });

export const searchOptions = (networkId: string, text: string) =>
  queryOptions({
    queryKey: [KEY, "search", networkId, text],
    queryFn: () => request(SearchDocument, { networkId, ...searchVariables(text) }),
  });

/** Teaches who a neighbor is, or forgets it; whatever was read of the network is read again. */
export function useIdentify() {
  const client = useQueryClient();
  const onSuccess = () => client.invalidateQueries({ queryKey: [KEY] });
  const identify = useMutation({
    mutationFn: (taught: { observationId: string; hostId: string; ifEntryId: string | null }) =>
      request(IdentifyDocument, taught),
    onSuccess,
  });
  const forget = useMutation({
    mutationFn: (observationId: string) => request(ForgetDocument, { observationId }),
    onSuccess,
  });
  return { identify, forget };
}

/** Reads everything of the network again. */
export function useRefresh(): () => Promise<void> {
  const client = useQueryClient();
  return () => client.invalidateQueries({ queryKey: [KEY] });
}
