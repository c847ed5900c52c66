// What is asked of the server about what follows from the network.
import { graphql } from "../../gql";

export const PathDocument = graphql(`
  query Paths($networkId: ID!, $layer: TopologyLayer!, $from: ID!, $to: ID!) {
    topology(networkId: $networkId, layer: $layer) {
      paths(from: $from, to: $to, atMost: 3) {
        length
        nodes {
          id
          label
          kind
        }
        hops {
          from {
            id
          }
          links {
            id
            state
            speedBps
            a {
              node {
                id
              }
              ifEntry {
                id
                ifName
                ifDescr
              }
            }
            b {
              node {
                id
              }
              ifEntry {
                id
                ifName
                ifDescr
              }
            }
            interface {
              ipAddress
            }
            group {
              name
            }
          }
        }
      }
    }
  }
`);

export const ImpactDocument = graphql(`
  query Impact($networkId: ID!, $layer: TopologyLayer!, $hosts: [ID!], $links: [ID!]) {
    topology(networkId: $networkId, layer: $layer) {
      impact(hosts: $hosts, links: $links) {
        cutOff {
          id
          label
          kind
        }
        parts {
          size
          nodes {
            id
          }
        }
        servicesLost {
          id
          name
          host {
            id
            name
          }
        }
        groupsBroken {
          id
          name
          groupType
        }
      }
    }
  }
`);

export const PartsDocument = graphql(`
  query Parts($networkId: ID!) {
    topology(networkId: $networkId) {
      components {
        size
        nodes {
          id
          label
        }
      }
    }
  }
`);

export const FindingsDocument = graphql(`
  query Findings($networkId: ID!, $layer: TopologyLayer!) {
    topology(networkId: $networkId, layer: $layer) {
      articulationPoints {
        id
        label
        kind
      }
      bridges {
        id
        a {
          node {
            id
            label
            kind
          }
        }
        b {
          node {
            id
            label
            kind
          }
        }
      }
    }
    l2: topology(networkId: $networkId) {
      unresolved {
        claim
        sysName
        chassisId
        mgmtAddr
        count
        evidence {
          observationId
          method
          ifEntry {
            id
            ifName
            ifDescr
            host {
              id
              name
            }
          }
        }
      }
      miscablings {
        kind
        sentence
        links {
          id
          a {
            node {
              id
              label
            }
            ifEntry {
              id
              ifName
              ifDescr
            }
          }
          b {
            node {
              id
              label
            }
            ifEntry {
              id
              ifName
              ifDescr
            }
          }
        }
        ifEntries {
          id
          ifName
          ifDescr
          host {
            id
            name
          }
        }
      }
    }
  }
`);
