// What the picture asks of the server, and what finds something to be shown in it.
import { graphql } from "../../gql";

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
      filter: { networkId: { eq: $networkId }, or: [{ name: { contains: $text } }, { cidr: { startsWith: $text } }] }
    ) {
      nodes {
        id
        name
        cidr
      }
    }
  }
`);
