// Builds every page, and each of its files three times: as it is, and packed by brotli and by gzip.
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, gzip } from "node:zlib";
import react from "@vitejs/plugin-react";
import { defineConfig, type Plugin } from "vite";

/** The documents, by the names of their scripts: the application, and those of folders, served at `/docs` and `/query`. */
const pages = { app: "index.html", docs: "docs/index.html", query: "query/index.html" };

/** Where `toposcope serve` listens, for `npm run dev`. */
const server = "http://127.0.0.1:60072";

function precompress(): Plugin {
  return {
    name: "precompress",
    apply: "build",
    async writeBundle({ dir = "" }, bundle) {
      await Promise.all(
        Object.keys(bundle).map(async (name) => {
          const file = join(dir, name);
          const bytes = await readFile(file);
          await writeFile(`${file}.br`, await promisify(brotliCompress)(bytes));
          await writeFile(`${file}.gz`, await promisify(gzip)(bytes, { level: 9 }));
        }),
      );
    },
  };
}

/** Serves the documents where the server serves them, for `npm run dev`. */
function routes(): Plugin {
  return {
    name: "routes",
    apply: "serve",
    configureServer({ middlewares }) {
      middlewares.use((request, _, next) => {
        const { url = "" } = request;
        if (/^\/(query|docs)(\?|$)/.test(url)) request.url = url.replace(/^\/\w+/, "$&/");
        if (/^\/(sign-in|keys|groups(\/[^/?]+)?)(\?|$)/.test(url)) request.url = "/";
        next();
      });
    },
  };
}

/** Writes the licences of all that is in the pages into a file, since they are given on with them. */
function licences(): Plugin {
  return {
    name: "licences",
    apply: "build",
    async generateBundle(_, bundle) {
      const modules = Object.values(bundle).flatMap((output) => (output.type === "chunk" ? output.moduleIds : []));
      const folders = modules.flatMap((id) => /^\0?(.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(id)?.[1] ?? []);
      const texts = await Promise.all([...new Set(folders)].map(licence));
      this.emitFile({
        type: "asset",
        fileName: "licences.txt",
        source: [...new Set(texts)].sort().join(`\n${"-".repeat(80)}\n\n`),
      });
    },
  };
}

async function licence(folder: string): Promise<string> {
  const about = JSON.parse(await readFile(join(folder, "package.json"), "utf8"));
  const files = (await readdir(folder)).filter((name) => /^(licen[cs]e|notice)/i.test(name)).sort();
  const texts = await Promise.all(files.map((name) => readFile(join(folder, name), "utf8")));
  return [`${about.name} ${about.version} (${about.license})\n`, ...texts].join("\n");
}

/** Mends GraphiQL where it does not fit in here. */
function mendGraphiql(): Plugin[] {
  return [
    {
      // The letters are those of the system, and the icons those of the editor: GraphiQL brings all of them once more.
      name: "system-fonts",
      enforce: "pre",
      transform: {
        filter: { id: /graphiql\/dist\/style\.css$/ },
        handler: (code) => code.replace(/@font-face\s*\{[^}]*\}/g, ""),
      },
    },
    {
      // What it calls tabs holds buttons, which readers of screens do not find in a tab; it is a list of them.
      name: "tabs-for-all",
      enforce: "pre",
      transform: {
        filter: { id: /@graphiql\/react\/dist\/components\/tabs\/index\.js$/ },
        handler(code) {
          const mended = code.replace(/role: "tab(list)?",/g, "").replace('"aria-selected"', '"aria-current"');
          if (mended.length === code.length) this.error("GraphiQL has other tabs now");
          return mended;
        },
      },
    },
  ];
}

export default defineConfig({
  appType: "mpa",
  build: {
    // Everything is a file of its own with a hash in its name, never a `data:` URL.
    assetsInlineLimit: 0,
    // The reader of OpenAPI documents is one large file, and the editor of queries another.
    chunkSizeWarningLimit: 3000,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      // Parts of GraphiQL tell a compiler that has passed over them already to leave them alone.
      onwarn: (warning, warn) => warning.code === "MODULE_LEVEL_DIRECTIVE" || warn(warning),
      input: pages,
      output: { assetFileNames: "assets/[name]-[hash][extname]" },
    },
  },
  plugins: [react(), mendGraphiql(), routes(), licences(), precompress()],
  server: { proxy: { "/api": server, "/graphql": server, "/openapi.json": server } },
});
