module.exports = {
  toposcope: {
    input: "./openapi.json",
    output: { target: "./orval/toposcope.ts", schemas: "./orval/model", client: "fetch", mode: "tags-split" },
  },
};
