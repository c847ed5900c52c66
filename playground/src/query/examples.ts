/** Queries that answer questions which people have about a network, to be filled with ids of theirs. */
import { graphql } from "../gql";
import type { ExampleFactsQuery, ExampleSurroundingsQuery } from "../gql/graphql";
import * as answers from "./answers";

/** What an example can be about, found in the network before any is offered. */
export const factsQuery = graphql(`
  query ExampleFacts($network: ID!) {
    hosts(filter: { networkId: { eq: $network } }, first: 100) {
      nodes {
        id
        name
        neighbors {
          host {
            id
          }
        }
      }
    }
    services(filter: { networkId: { eq: $network } }, first: 1) {
      nodes {
        host {
          id
          name
        }
      }
    }
    groups(filter: { networkId: { eq: $network } }, first: 1) {
      nodes {
        bindings {
          service {
            host {
              id
              name
            }
          }
        }
      }
    }
    topology(networkId: $network) {
      articulationPoints {
        id
        label
      }
    }
  }
`);

/** What is around the device that the examples are about. */
export const surroundingsQuery = graphql(`
  query ExampleSurroundings($host: ID!) {
    host(id: $host) {
      id
      name
      neighbors {
        host {
          id
          name
        }
      }
    }
  }
`);

/** A thing of the network by its name. */
interface Named {
  readonly id: string;
  readonly name: string;
}

/** The things that the examples of a network are about. */
export interface Subjects {
  readonly network: string;
  /** A device that others depend on, if there is any device. */
  readonly device?: Named | undefined;
  /** Two devices with a way between them. */
  readonly from?: Named | undefined;
  readonly to?: Named | undefined;
  /** A device with services. */
  readonly server?: Named | undefined;
}

/** Of the devices of a network the one to ask about: the one that cuts off most, or else one of many neighbors. */
export function central({ topology, hosts }: ExampleFactsQuery): Named | undefined {
  const [cut] = topology?.articulationPoints ?? [];
  if (cut) return { id: cut.id, name: cut.label };
  const degree = ({ neighbors }: (typeof hosts.nodes)[number]) => new Set(neighbors.map(({ host }) => host?.id)).size;
  return hosts.nodes.toSorted((a, b) => degree(b) - degree(a))[0];
}

/** What the examples are about. */
export function subjects(
  network: string,
  facts: ExampleFactsQuery,
  surroundings: ExampleSurroundingsQuery | null,
): Subjects {
  const device = surroundings?.host ?? undefined;
  const around = device?.neighbors.flatMap(({ host }) => (host && host.id !== device.id ? [host] : [])) ?? [];
  const [from] = around;
  const to = around.findLast(({ id }) => id !== from?.id) ?? device;
  const grouped = facts.groups.nodes.flatMap(({ bindings }) => bindings.map(({ service }) => service?.host));
  const server = [...grouped, ...facts.services.nodes.map(({ host }) => host)].find((host) => host != null);
  return { network, device, from, to, server: server ?? undefined };
}

/** A question, the query that answers it, and what it is about. */
export interface Example {
  readonly title: string;
  readonly sentence: string;
  readonly query: string;
  readonly variables: Readonly<Record<string, string | number>>;
}

/** The questions that can be asked about these. */
export function examples({ network, device, from, to, server }: Subjects): readonly Example[] {
  const found: Example[] = [];
  const add = (title: string, sentence: string, document: object, variables: Example["variables"]) =>
    found.push({ title, sentence, query: `${String(document).trim()}\n`, variables });
  if (device) {
    const { id: host, name } = device;
    add(`What hangs off ${name}?`, "Every neighbor, by which port, and whether the link works.", answers.neighbors, {
      host,
    });
    add(`What breaks if ${name} dies?`, "Devices cut off, services lost and groups broken.", answers.impact, {
      network,
      host,
    });
    add(`Why is ${name} linked as it is?`, "For each link what was heard, and why it is believed.", answers.reasons, {
      host,
    });
    add(`What is within two links of ${name}?`, "The devices around it, the nearest first.", answers.around, {
      host,
      hops: 2,
    });
  }
  if (from && to) {
    const variables = { network, from: from.id, to: to.id };
    add(
      `How does ${from.name} reach ${to.name}?`,
      "The shortest ways, hop by hop with ports.",
      answers.paths,
      variables,
    );
  }
  add("Which neighbors are unknown?", "Who was heard and is not known, and why not.", answers.unknown, { network });
  add("Which cables contradict each other?", "Ports whose ends tell different stories.", answers.contradictions, {
    network,
  });
  add("Where are single points of failure?", "Devices and links whose loss cuts the network.", answers.failures, {
    network,
  });
  add("Where are loops?", "Closed chains of links, the short ones first.", answers.loops, { network });
  if (server) {
    const { id: host, name } = server;
    add(`What runs on ${name}?`, "Its services, where they listen, and their groups.", answers.services, { host });
  }
  add("Which ports are down though they should be up?", "Wanted up, and yet not up.", answers.down, { network });
  add("What is in each subnet?", "The ranges with the addresses in them.", answers.subnets, { network });
  add("What changed last?", "Who changed what and when, the latest first.", answers.changes, { network });
  return found;
}
