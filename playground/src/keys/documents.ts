/** What the page of API keys asks of the server. */
import { graphql } from "../gql";
import type { ApiKeysQuery } from "../gql/graphql";

/** A key as the page shows it. */
export type ApiKey = ApiKeysQuery["apiKeys"]["nodes"][number];

/** Under what the list of keys is remembered. */
export const keysQueryKey = ["api-keys"] as const;

export const apiKeysQuery = graphql(`
  query ApiKeys {
    apiKeys(orderBy: [{ field: CREATED_AT, direction: DESC }], first: 200) {
      totalCount
      nodes {
        id
        name
        permissions
        lastUsed
        expiresAt
        isEnabled
        createdAt
        updatedAt
        networks {
          id
          name
        }
        tags {
          id
        }
      }
    }
  }
`);

export const createMutation = graphql(`
  mutation CreateApiKey($input: CreateApiKeyInput!) {
    createApiKey(input: $input) {
      key
      apiKey {
        name
      }
    }
  }
`);

export const updateMutation = graphql(`
  mutation UpdateApiKey($id: ID!, $input: UpdateApiKeyInput!, $expectedUpdatedAt: DateTime) {
    updateApiKey(id: $id, input: $input, expectedUpdatedAt: $expectedUpdatedAt) {
      id
    }
  }
`);

export const rotateMutation = graphql(`
  mutation RotateApiKey($id: ID!) {
    rotateApiKey(id: $id) {
      key
      apiKey {
        name
      }
    }
  }
`);

export const deleteMutation = graphql(`
  mutation DeleteApiKey($id: ID!) {
    deleteApiKey(id: $id) {
      __typename
    }
  }
`);
