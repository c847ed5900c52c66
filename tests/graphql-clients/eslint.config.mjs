// What Relay asks of a schema, as the rules of graphql-eslint check it.
import graphql from "@graphql-eslint/eslint-plugin";

export default [
  {
    files: ["schema.graphql"],
    plugins: { "@graphql-eslint": graphql },
    languageOptions: { parser: graphql.parser, parserOptions: { graphQLConfig: { schema: "schema.graphql" } } },
    rules: {
      // Every connection takes both directions.
      "@graphql-eslint/relay-arguments": ["error", { includeBoth: true }],
      "@graphql-eslint/relay-connection-types": "error",
      // Lists of what is worked out, and of what a connection came beside, hold the things themselves.
      "@graphql-eslint/relay-edge-types": ["error", { listTypeCanWrapOnlyEdgeType: false }],
      "@graphql-eslint/relay-page-info": "error",
      "@graphql-eslint/require-deprecation-reason": "error",
    },
  },
];
