// What the pages of groups ask of the server.
import { graphql } from "../gql";

export const BindingParts = graphql(`
  fragment BindingParts on Binding {
    id
    service {
      id
      name
      host {
        id
        name
      }
    }
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
`);

export const GroupParts = graphql(`
  fragment GroupParts on Group {
    id
    name
    description
    networkId
    groupType
    color
    edgeStyle
    updatedAt
    network {
      id
      name
    }
    bindings {
      ...BindingParts
    }
    tags {
      id
      name
    }
  }
`);

export const GroupsDocument = graphql(`
  query Groups($after: String) {
    groups(first: 200, after: $after, orderBy: [{ field: NAME }]) {
      totalCount
      pageInfo {
        hasNextPage
        endCursor
      }
      nodes {
        id
        name
        description
        groupType
        updatedAt
        network {
          id
          name
        }
        bindings {
          id
        }
      }
    }
  }
`);

export const GroupDocument = graphql(`
  query Group($id: ID!) {
    group(id: $id) {
      ...GroupParts
    }
  }
`);

export const UpdateGroupDocument = graphql(`
  mutation UpdateGroup($id: ID!, $input: UpdateGroupInput!, $expectedUpdatedAt: DateTime!) {
    updateGroup(id: $id, input: $input, expectedUpdatedAt: $expectedUpdatedAt) {
      ...GroupParts
    }
  }
`);

export const CreateGroupDocument = graphql(`
  mutation CreateGroup($input: CreateGroupInput!) {
    createGroup(input: $input) {
      ...GroupParts
    }
  }
`);

export const DeleteGroupDocument = graphql(`
  mutation DeleteGroup($id: ID!) {
    deleteGroup(id: $id) {
      id
    }
  }
`);

export const BindingChoicesDocument = graphql(`
  query BindingChoices($networkId: ID!, $text: String!) {
    services(
      first: 30
      orderBy: [{ field: NAME }]
      filter: {
        networkId: { eq: $networkId }
        or: [{ name: { contains: $text } }, { serviceDefinition: { contains: $text } }]
      }
    ) {
      nodes {
        id
        bindings {
          ...BindingParts
        }
      }
    }
    hosts(first: 10, filter: { networkId: { eq: $networkId }, name: { contains: $text } }) {
      nodes {
        id
        services(first: 20) {
          nodes {
            id
            bindings {
              ...BindingParts
            }
          }
        }
      }
    }
  }
`);
