// Types of the documents, as graphql-codegen's preset for clients makes them, into gql/.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { preset } from "@graphql-codegen/client-preset";
import { codegen } from "@graphql-codegen/core";
import { buildSchema, parse, printSchema } from "graphql";

const schemaAst = buildSchema(readFileSync("schema.graphql", "utf8"));
const rawSDL = readFileSync("documents.graphql", "utf8");
const outputs = await preset.buildGeneratesSection({
  baseOutputDir: "gql/",
  schema: parse(printSchema(schemaAst)),
  schemaAst,
  documents: [{ location: "documents.graphql", rawSDL, document: parse(rawSDL) }],
  config: {
    emitLegacyCommonJSImports: false,
    enumsAsTypes: true,
    useTypeImports: true,
    scalars: {
      BigInt: "number",
      Cidr: "string",
      DateTime: "string",
      HostVirtualization: "unknown",
      IpAddress: "string",
      JSON: "unknown",
      MacAddress: "string",
      ServiceVirtualization: "unknown",
      Source: "unknown",
    },
    strictScalars: true,
  },
  presetConfig: { fragmentMasking: false },
  pluginMap: {},
  plugins: [],
  pluginContext: {},
});
for (const output of outputs) {
  mkdirSync(dirname(output.filename), { recursive: true });
  writeFileSync(output.filename, await codegen(output));
}
