// Makes the types of every query in src/ from the schema, into src/gql/; a query that the schema does not know is
// an error of the build.
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { preset } from "@graphql-codegen/client-preset";
import { codegen } from "@graphql-codegen/core";
import { gqlPluckFromCodeStringSync } from "@graphql-tools/graphql-tag-pluck";
import { buildSchema, parse, printSchema, Source } from "graphql";

const root = import.meta.dirname;
const target = join(root, "src/gql/");

async function documents() {
  const names = await readdir(join(root, "src"), { recursive: true });
  const sources = names.filter((name) => /\.tsx?$/.test(name) && !name.startsWith("gql/")).sort();
  const found = await Promise.all(
    sources.map(async (name) => {
      const location = join(root, "src", name);
      const plucked = gqlPluckFromCodeStringSync(location, await readFile(location, "utf8"), {
        globalGqlIdentifierName: ["graphql"],
        skipIndent: true,
      });
      return plucked.map(({ body }) => ({ location, rawSDL: body, document: parse(new Source(body, name)) }));
    }),
  );
  return found.flat();
}

const schemaAst = buildSchema(await readFile(join(root, "../schema.graphql"), "utf8"));
const outputs = await preset.buildGeneratesSection({
  baseOutputDir: target,
  schema: parse(printSchema(schemaAst)),
  schemaAst,
  documents: await documents(),
  config: {
    documentMode: "string",
    enumsAsTypes: true,
    immutableTypes: true,
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
const files = await Promise.all(outputs.map(async (output) => [output.filename, await codegen(output)]));
await rm(target, { recursive: true, force: true });
for (const [name, text] of files) {
  await mkdir(dirname(name), { recursive: true });
  await writeFile(name, text);
}
