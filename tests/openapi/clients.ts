// What three generators made of the document, against the running server.
import assert from "node:assert/strict";

import createClient from "openapi-fetch";

import { client } from "./heyapi/client.gen";
import { createTag, deleteTag, getAllHosts, listTags } from "./heyapi";
import { getAllHosts as getAllHostsByOrval } from "./orval/hosts/hosts";
import { createTag as createTagByOrval, deleteTag as deleteTagByOrval } from "./orval/tags/tags";
import type { paths } from "./types";

const [url, key] = process.argv.slice(2);
assert(url && key, "usage: clients.js URL KEY");
const headers = { Authorization: `Bearer ${key}` };

// orval's functions ask for paths; a browser would add where the page comes from.
const plain = globalThis.fetch;
globalThis.fetch = (input, init) => plain(typeof input === "string" && input.startsWith("/") ? url + input : input, init);

const typed = createClient<paths>({ baseUrl: url, headers });
client.setConfig({ baseUrl: url, headers });

const hosts = await typed.GET("/api/v1/hosts", { params: { query: { limit: 2, order_by: "name" } } });
assert(hosts.data, JSON.stringify(hosts.error));
const names = hosts.data.data.map(({ name }) => name);
assert.equal(names.length, 2);
assert(hosts.data.meta.pagination.has_more);

const byHeyApi = await getAllHosts({ query: { limit: 2, order_by: "name" } });
assert.deepEqual(byHeyApi.data?.data.map(({ name }) => name), names);

const byOrval = await getAllHostsByOrval({ limit: 2, order_by: "name" }, { headers });
assert.equal(byOrval.status, 200);
assert(byOrval.status === 200);
assert.deepEqual(byOrval.data.data.map(({ name }) => name), names);

// What is made by one of them is read and deleted by the others.
const organization_id = hosts.data.data.length ? (await typed.GET("/api/v1/networks")).data?.data[0]?.organization_id : undefined;
assert(organization_id);
const tag = { name: "by openapi-fetch", color: "Teal" as const, organization_id };
const made = await typed.POST("/api/v1/tags", { body: tag });
assert(made.data, JSON.stringify(made.error));
const listed = await listTags({ query: { limit: 0 } });
assert(listed.data?.data.some(({ id }) => id === made.data?.data.id));
const gone = await deleteTagByOrval(made.data.data.id, undefined, { headers });
assert.equal(gone.status, 200);
const another = await createTagByOrval({ ...tag, name: "by orval" }, { headers });
assert(another.status === 200, JSON.stringify(another.data));
const deleted = await deleteTag({ path: { id: another.data.data.id } });
assert.equal(deleted.data?.data.id, another.data.data.id);
const third = await createTag({ body: { ...tag, name: "by hey-api" } });
assert(third.data, JSON.stringify(third.error));
const end = await typed.DELETE("/api/v1/tags/{id}", { params: { path: { id: third.data.data.id } } });
assert.equal(end.response.status, 200);

// An error has its shape, too.
const missing = await typed.GET("/api/v1/tags/{id}", { params: { path: { id: third.data.data.id } } });
assert.equal(missing.error?.code, "entity_not_found");
console.log(`openapi-fetch, hey-api and orval read ${names.join(", ")}, and made and deleted three tags`);
