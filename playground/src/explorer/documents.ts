// What the explorer asks of the server.
import { graphql } from "../gql";

export const PictureDocument = graphql(`
  query Picture($networkId: ID!, $layer: TopologyLayer!, $root: ID, $hops: Int, $atMost: Int!) {
    topology(networkId: $networkId, layer: $layer, root: $root, hops: $hops) {
      revision
      picture(atMost: $atMost) {
        width
        height
        isRolledUp
        nodes {
          id
          kind
          label
          detail
          x
          y
          width
          height
          count
          members {
            id
            label
            kind
          }
          isArticulationPoint
          observationIds
        }
        links {
          id
          a
          b
          aPort
          bPort
          linkId
          state
          method
          speedBps
          count
          isBridge
          isDirected
          label
        }
      }
    }
  }
`);

export const ExplanationParts = graphql(`
  fragment ExplanationParts on Explanation {
    sentence
    hostTier
    hostValue
    portTier
    portValue
    steps {
      hostTier
      portTier
      value
      candidates
      sentence
    }
  }
`);

export const EvidenceParts = graphql(`
  fragment EvidenceParts on Evidence {
    method
    observationId
    ifEntry {
      id
      ifName
      ifDescr
      host {
        id
        name
      }
    }
    observation {
      id
      protocol
      updatedAt
      sysName
      sysDesc
      portName
      portDesc
      mgmtAddr
      platform
      chassisId {
        subtype
        value
      }
    }
    explanation {
      ...ExplanationParts
    }
  }
`);

export const LinkParts = graphql(`
  fragment LinkParts on Link {
    id
    state
    method
    speedBps
    a {
      node {
        id
        label
        kind
      }
      ifEntry {
        id
        ifName
        ifDescr
        adminStatus
        operStatus
        speedBps
      }
    }
    b {
      node {
        id
        label
        kind
      }
      ifEntry {
        id
        ifName
        ifDescr
        adminStatus
        operStatus
        speedBps
      }
    }
    evidence {
      ...EvidenceParts
    }
    contradictions {
      ...EvidenceParts
    }
    explanation {
      ...ExplanationParts
    }
    interface {
      ipAddress
      macAddress
      name
    }
    group {
      id
      name
    }
  }
`);

export const DeviceDocument = graphql(`
  query Device($networkId: ID!, $id: ID!) {
    host(id: $id) {
      id
      name
      hostname
      description
      sysName
      sysDescr
      sysLocation
      managementAddress
      chassisId
      manufacturer
      model
      serialNumber
      updatedAt
      interfaces {
        id
        ipAddress
        macAddress
        name
        subnet {
          id
          cidr
          name
        }
      }
      services(first: 200) {
        totalCount
        nodes {
          ...ServiceParts
        }
      }
      ifEntries(first: 1000, orderBy: [{ field: IF_INDEX }]) {
        totalCount
        nodes {
          id
          ifIndex
          ifName
          ifDescr
          ifAlias
          ifType
          adminStatus
          operStatus
          speedBps
          macAddress
          fdbMacs
          observations {
            id
            protocol
            sysName
            portName
          }
        }
      }
      neighbors {
        localPort {
          id
        }
        farPort {
          id
          ifName
          ifDescr
        }
        host {
          id
          name
        }
        link {
          id
          state
          speedBps
          method
          explanation {
            sentence
          }
        }
      }
    }
    topology(networkId: $networkId, root: $id, hops: 0) {
      unresolved {
        ...UnresolvedParts
      }
      miscablings {
        kind
        sentence
        ifEntries {
          id
        }
      }
    }
  }
`);

export const ServiceParts = graphql(`
  fragment ServiceParts on Service {
    id
    name
    serviceDefinition
    bindings {
      id
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
  }
`);

export const UnresolvedParts = graphql(`
  fragment UnresolvedParts on UnresolvedNeighbor {
    claim
    sysName
    chassisId
    mgmtAddr
    count
    evidence {
      ...EvidenceParts
    }
  }
`);

export const LinksDocument = graphql(`
  query LinksAt($networkId: ID!, $layer: TopologyLayer!, $at: ID!) {
    topology(networkId: $networkId, layer: $layer, root: $at, hops: 1) {
      links {
        ...LinkParts
      }
    }
  }
`);

export const SubnetDocument = graphql(`
  query SubnetDetails($id: ID!) {
    subnet(id: $id) {
      id
      name
      cidr
      description
      subnetType
      interfaces(first: 200, orderBy: [{ field: IP_ADDRESS }]) {
        totalCount
        nodes {
          id
          ipAddress
          macAddress
          host {
            id
            name
          }
        }
      }
    }
  }
`);

export const ServiceDocument = graphql(`
  query ServiceDetails($id: ID!) {
    service(id: $id) {
      ...ServiceParts
      category
      host {
        id
        name
      }
      groups {
        id
        name
        groupType
      }
    }
  }
`);

export const UnresolvedDocument = graphql(`
  query Unresolved($networkId: ID!, $root: ID, $hops: Int) {
    topology(networkId: $networkId, root: $root, hops: $hops) {
      unresolved {
        ...UnresolvedParts
      }
    }
  }
`);

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
          }
        }
        b {
          node {
            id
            label
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
        link {
          id
          a {
            node {
              id
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

export const NamesDocument = graphql(`
  query Names($ids: [ID!]!) {
    hosts(filter: { id: { in: $ids } }, first: 100) {
      nodes {
        id
        name
      }
    }
    subnets(filter: { id: { in: $ids } }, first: 100) {
      nodes {
        id
        name
      }
    }
    services(filter: { id: { in: $ids } }, first: 100) {
      nodes {
        id
        name
      }
    }
  }
`);

export const HostChoicesDocument = graphql(`
  query HostChoices($networkId: ID!, $text: String!) {
    hosts(
      filter: {
        networkId: { eq: $networkId }
        or: [
          { name: { contains: $text } }
          { hostname: { contains: $text } }
          { managementAddress: { startsWith: $text } }
        ]
      }
      orderBy: [{ field: NAME }]
      first: 20
    ) {
      nodes {
        id
        name
        managementAddress
      }
    }
  }
`);

export const PortChoicesDocument = graphql(`
  query PortChoices($hostId: ID!) {
    host(id: $hostId) {
      id
      ifEntries(first: 1000, orderBy: [{ field: IF_INDEX }]) {
        nodes {
          id
          ifName
          ifDescr
          ifAlias
        }
      }
    }
  }
`);

export const SearchDocument = graphql(`
  query Search($networkId: ID!, $text: String!, $mac: String!, $numbers: [Int!]!) {
    hosts(
      first: 8
      orderBy: [{ field: NAME }]
      filter: {
        networkId: { eq: $networkId }
        or: [
          { name: { contains: $text } }
          { hostname: { contains: $text } }
          { sysName: { contains: $text } }
          { managementAddress: { startsWith: $text } }
          { chassisId: { contains: $mac } }
        ]
      }
    ) {
      nodes {
        id
        name
        hostname
        sysName
        managementAddress
        chassisId
      }
    }
    interfaces(
      first: 8
      orderBy: [{ field: IP_ADDRESS }]
      filter: {
        networkId: { eq: $networkId }
        or: [{ ipAddress: { startsWith: $text } }, { macAddress: { contains: $mac } }]
      }
    ) {
      nodes {
        id
        ipAddress
        macAddress
        name
        host {
          id
          name
        }
      }
    }
    ifEntries(
      first: 8
      orderBy: [{ field: HOST }]
      filter: {
        networkId: { eq: $networkId }
        or: [
          { ifName: { contains: $text } }
          { ifDescr: { contains: $text } }
          { ifAlias: { contains: $text } }
          { macAddress: { contains: $mac } }
        ]
      }
    ) {
      nodes {
        id
        ifName
        ifDescr
        ifAlias
        macAddress
        host {
          id
          name
        }
      }
    }
    services(
      first: 8
      orderBy: [{ field: NAME }]
      filter: {
        networkId: { eq: $networkId }
        or: [{ name: { contains: $text } }, { serviceDefinition: { contains: $text } }]
      }
    ) {
      nodes {
        id
        name
        serviceDefinition
        host {
          id
          name
        }
      }
    }
    ports(first: 8, filter: { networkId: { eq: $networkId }, number: { in: $numbers } }) {
      nodes {
        id
        number
        protocol
        type
        host {
          id
          name
        }
      }
    }
    subnets(
      first: 8
      filter: {
        networkId: { eq: $networkId }
        or: [{ name: { contains: $text } }, { cidr: { startsWith: $text } }]
      }
    ) {
      nodes {
        id
        name
        cidr
      }
    }
  }
`);

export const IdentifyDocument = graphql(`
  mutation Identify($observationId: ID!, $hostId: ID!, $ifEntryId: ID) {
    identifyNeighbor(observationId: $observationId, hostId: $hostId, ifEntryId: $ifEntryId) {
      id
    }
  }
`);

export const ForgetDocument = graphql(`
  mutation Forget($observationId: ID!) {
    forgetNeighbor(observationId: $observationId) {
      id
    }
  }
`);
