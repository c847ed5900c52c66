// What is asked of the server about one thing.
import { graphql } from "../../gql";

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
      candidateCount
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

export const LinkEndParts = graphql(`
  fragment LinkEndParts on LinkEnd {
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
`);

export const LinkParts = graphql(`
  fragment LinkParts on Link {
    id
    state
    method
    speedBps
    a {
      ...LinkEndParts
    }
    b {
      ...LinkEndParts
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
          unlinked {
            reason
            sentence
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

export const LinksDocument = graphql(`
  query LinksAt($networkId: ID!, $layer: TopologyLayer!, $at: ID!) {
    topology(networkId: $networkId, layer: $layer, root: $at, hops: 1) {
      links {
        ...LinkParts
      }
    }
  }
`);

export const LinkNameParts = graphql(`
  fragment LinkNameParts on Link {
    id
    a {
      node {
        label
      }
      ifEntry {
        ifName
        ifDescr
      }
    }
    b {
      node {
        label
      }
      ifEntry {
        ifName
        ifDescr
      }
    }
    interface {
      ipAddress
    }
  }
`);

/** Of the layers whose links can fail. */
export const LinkNamesDocument = graphql(`
  query LinkNames($networkId: ID!, $at: ID!) {
    l2: topology(networkId: $networkId, root: $at, hops: 1) {
      links {
        ...LinkNameParts
      }
    }
    l3: topology(networkId: $networkId, layer: L3, root: $at, hops: 1) {
      links {
        ...LinkNameParts
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
