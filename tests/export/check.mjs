// Parses Mermaid flowcharts and Cytoscape elements with their own libraries.
//
// usage: node check.mjs FILE.mmd|FILE.cyjs …; writes one JSON object per file and line.
import { readFileSync } from "node:fs";
import cytoscape from "cytoscape";
import { JSDOM } from "jsdom";

const { window } = new JSDOM("<!doctype html><body></body>");
globalThis.window = window;
globalThis.document = window.document;
const { default: mermaid } = await import("mermaid");
mermaid.initialize({ startOnLoad: false });

/** Puts the characters for which Mermaid keeps entity codes back. */
function decoded(text) {
  return text
    .replace(/ﬂ°°(\d+)¶ß/g, (_, code) => String.fromCodePoint(Number(code)))
    .replace(/ﬂ°(\w+)¶ß/g, (_, name) => `&${name};`);
}

async function readMermaid(text) {
  const { maxTextSize, maxEdges } = mermaid.mermaidAPI.getConfig();
  const diagram = await mermaid.mermaidAPI.getDiagramFromText(text);
  const vertices = [...diagram.db.getVertices().values()];
  return {
    type: diagram.type,
    fits: text.length <= maxTextSize && diagram.db.getEdges().length <= maxEdges,
    nodes: vertices.map((vertex) => ({ id: vertex.id, label: decoded(vertex.text) })),
    links: diagram.db.getEdges().map((edge) => ({
      a: edge.start,
      b: edge.end,
      label: decoded(edge.text),
      stroke: edge.stroke,
    })),
  };
}

function readCytoscape(text) {
  const { elements } = JSON.parse(text);
  const graph = cytoscape({ elements, headless: true, layout: { name: "preset" } });
  return {
    nodes: graph.nodes().map((node) => ({ ...node.data(), position: node.position() })),
    links: graph.edges().map((edge) => ({
      ...edge.data(),
      a: edge.source().data("node_id"),
      b: edge.target().data("node_id"),
    })),
  };
}

for (const file of process.argv.slice(2)) {
  const text = readFileSync(file, "utf8");
  const read = file.endsWith(".mmd") ? await readMermaid(text) : readCytoscape(text);
  console.log(JSON.stringify(read));
}
