/** The queries that answer the questions of `examples.ts`. */
import { graphql } from "../gql";

export const neighbors = graphql(`
  query WhatHangsOff($host: ID!) {
    host(id: $host) {
      name
      neighbors {
        host {
          name
        }
        localPort {
          ifName
          ifDescr
        }
        farPort {
          ifName
          ifDescr
        }
        link {
          state
          method
          speedBps
        }
      }
    }
  }
`);

export const impact = graphql(`
  query WhatBreaks($network: ID!, $host: ID!) {
    topology(networkId: $network) {
      impact(hosts: [$host]) {
        cutOff {
          label
        }
        parts {
          size
        }
        servicesLost {
          name
          host {
            name
          }
        }
        groupsBroken {
          name
        }
      }
    }
  }
`);

export const reasons = graphql(`
  query WhyLinked($host: ID!) {
    host(id: $host) {
      name
      neighbors {
        host {
          name
        }
        link {
          method
          explanation {
            sentence
          }
          contradictions {
            method
            explanation {
              sentence
            }
          }
        }
      }
    }
  }
`);

export const around = graphql(`
  query WhatIsNear($host: ID!, $hops: Int!) {
    host(id: $host) {
      name
      within(hops: $hops) {
        distance
        host {
          name
          managementAddress
        }
      }
    }
  }
`);

export const paths = graphql(`
  query ShortestPaths($network: ID!, $from: ID!, $to: ID!) {
    topology(networkId: $network) {
      paths(from: $from, to: $to, atMost: 3) {
        length
        hops {
          from {
            label
          }
          to {
            label
          }
          links {
            state
            a {
              ifEntry {
                ifName
              }
            }
            b {
              ifEntry {
                ifName
              }
            }
          }
        }
      }
    }
  }
`);

export const unknown = graphql(`
  query UnknownNeighbors($network: ID!) {
    topology(networkId: $network) {
      unresolved {
        claim
        sysName
        mgmtAddr
        count
        evidence {
          method
          observationId
          ifEntry {
            ifName
            host {
              name
            }
          }
          explanation {
            sentence
          }
        }
      }
    }
  }
`);

export const contradictions = graphql(`
  query ContradictingCables($network: ID!) {
    topology(networkId: $network) {
      miscablings {
        kind
        sentence
        ifEntries {
          ifName
          host {
            name
          }
        }
      }
    }
  }
`);

export const failures = graphql(`
  query SinglePointsOfFailure($network: ID!) {
    topology(networkId: $network) {
      articulationPoints {
        label
        degree
      }
      bridges {
        a {
          node {
            label
          }
        }
        b {
          node {
            label
          }
        }
      }
    }
  }
`);

export const loops = graphql(`
  query ClosedChains($network: ID!) {
    topology(networkId: $network) {
      loops(first: 10) {
        a {
          node {
            label
          }
        }
        b {
          node {
            label
          }
        }
      }
    }
  }
`);

export const services = graphql(`
  query WhatRuns($host: ID!) {
    host(id: $host) {
      name
      services {
        nodes {
          name
          category
          bindings {
            ... on PortBinding {
              port {
                number
                protocol
              }
              interface {
                ipAddress
              }
            }
            ... on InterfaceBinding {
              interface {
                ipAddress
              }
            }
          }
          groups {
            name
            groupType
          }
        }
      }
    }
  }
`);

export const down = graphql(`
  query PortsDown($network: ID!) {
    ifEntries(
      filter: { networkId: { eq: $network }, adminStatus: { eq: UP }, not: { operStatus: { eq: UP } } }
      first: 100
    ) {
      totalCount
      nodes {
        ifName
        ifDescr
        operStatus
        host {
          name
        }
      }
    }
  }
`);

export const subnets = graphql(`
  query WhatIsInSubnets($network: ID!) {
    subnets(filter: { networkId: { eq: $network } }, first: 50) {
      nodes {
        cidr
        name
        interfaces(first: 20) {
          nodes {
            ipAddress
            host {
              name
            }
          }
        }
      }
    }
  }
`);

export const changes = graphql(`
  query LatestChanges($network: ID!) {
    changes(networkId: $network, orderBy: [{ field: CREATED_AT, direction: DESC }], first: 20) {
      nodes {
        createdAt
        entity
        entityId
        action
        user {
          email
        }
      }
    }
  }
`);
