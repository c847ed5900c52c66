// What an application on Relay asks: a page of hosts, and of one host what is fetched again.
import { graphql } from "relay-runtime";

export const page = graphql`
  query hostsPageQuery($count: Int!, $cursor: String, $id: ID!) {
    ...hosts_list @arguments(count: $count, cursor: $cursor)
    node(id: $id) {
      __typename
      ...hosts_card @alias(as: "card")
      ...hosts_addresses @alias(as: "addresses")
      ... on Binding {
        service {
          id
        }
      }
    }
  }
`;

export const list = graphql`
  fragment hosts_list on Query
  @refetchable(queryName: "hostsListPaginationQuery")
  @argumentDefinitions(count: { type: "Int", defaultValue: 10 }, cursor: { type: "String" }) {
    hosts(first: $count, after: $cursor, orderBy: [{ field: NAME }]) @connection(key: "hosts_list_hosts") {
      totalCount
      edges {
        node {
          id
          ...hosts_card
        }
      }
    }
  }
`;

export const card = graphql`
  fragment hosts_card on Host @refetchable(queryName: "hostsCardRefetchQuery") {
    name
    createdAt
    sourceDetails {
      type
    }
    virtualizationDetails {
      ... on ProxmoxVirtualization {
        vmName
        service {
          name
        }
      }
    }
    tagsConnection(first: 20) {
      edges {
        node {
          name
          color
        }
      }
    }
  }
`;

export const addresses = graphql`
  fragment hosts_addresses on Host
  @refetchable(queryName: "hostsAddressesPaginationQuery")
  @argumentDefinitions(count: { type: "Int", defaultValue: 10 }, cursor: { type: "String" }) {
    interfacesConnection(first: $count, after: $cursor) @connection(key: "hosts_addresses_interfacesConnection") {
      edges {
        node {
          ipAddress
          macAddress
        }
      }
    }
    portsConnection(first: 5) {
      edges {
        node {
          bindingsConnection(first: 5) {
            edges {
              node {
                id
                ...hosts_binding
              }
            }
          }
        }
      }
    }
  }
`;

export const binding = graphql`
  fragment hosts_binding on Binding @refetchable(queryName: "hostsBindingRefetchQuery") {
    __typename
    service {
      name
    }
  }
`;

export const remove = graphql`
  mutation hostsTagMutation($connections: [ID!]!, $id: ID!) {
    deleteTag(id: $id) {
      id @deleteEdge(connections: $connections)
    }
  }
`;
