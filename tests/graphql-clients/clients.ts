// Pages by Apollo and by urql, with the types that are generated from the schema.
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";

import { ApolloClient, ApolloLink, HttpLink, InMemoryCache } from "@apollo/client";
import { PersistedQueryLink } from "@apollo/client/link/persisted-queries";
import { relayStylePagination } from "@apollo/client/utilities";
import { Client, type OperationResult, fetchExchange } from "@urql/core";
import { cacheExchange } from "@urql/exchange-graphcache";
import { relayPagination } from "@urql/exchange-graphcache/extras";
import { persistedExchange } from "@urql/exchange-persisted";
import { type IntrospectionQuery, buildSchema, introspectionFromSchema, isInterfaceType, isUnionType } from "graphql";

import { AddressPageDocument, HostPageDocument, type HostPageQuery, ThingsDocument } from "./gql/graphql.js";

const [url, key] = process.argv.slice(2);
assert(url && key, "usage: clients.js URL KEY");
const schema = buildSchema(readFileSync("schema.graphql", "utf8"));
const possibleTypes: Record<string, string[]> = {};
for (const type of Object.values(schema.getTypeMap())) {
  if (isInterfaceType(type) || isUnionType(type)) {
    possibleTypes[type.name] = schema.getPossibleTypes(type).map(({ name }) => name);
  }
}

// What is sent, to see that hashes replace texts.
let texts = 0;
let requests = 0;
const counting: typeof fetch = async (input, init) => {
  requests += 1;
  const { searchParams } = new URL(input instanceof Request ? input.url : input);
  const body = typeof init?.body === "string" ? (JSON.parse(init.body) as { query?: string }) : {};
  if (searchParams.has("query") || body.query) texts += 1;
  return fetch(input, init);
};

const page = 3;
const authorization = `Bearer ${key}`;
const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");

async function byApollo(): Promise<string[]> {
  const client = new ApolloClient({
    link: ApolloLink.from([
      new PersistedQueryLink({ sha256 }),
      new HttpLink({ uri: url as string, headers: { authorization }, fetch: counting }),
    ]),
    cache: new InMemoryCache({
      possibleTypes,
      typePolicies: {
        Query: { fields: { hosts: relayStylePagination(["orderBy", "filter"]) } },
        Host: { fields: { interfacesConnection: relayStylePagination() } },
      },
    }),
  });
  const firstPage = { query: HostPageDocument, variables: { first: page } };
  let { data } = await client.query(firstPage);
  const query = client.watchQuery(firstPage);
  const reading = query.subscribe(() => {});
  while (data?.hosts.pageInfo.hasNextPage) {
    await query.fetchMore({ variables: { after: data.hosts.pageInfo.endCursor ?? null } });
    data = client.readQuery(firstPage) ?? undefined;
  }
  reading.unsubscribe();
  assert(data);
  assert.equal(data.hosts.edges.length, data.hosts.totalCount);
  const ids = data.hosts.edges.map(({ node }) => node.id);
  // A connection in an object that is found by its id alone.
  const core = data.hosts.edges.find(({ node }) => node.name === "core-1");
  assert(core, "the sample has a device with many addresses");
  const firstAddress = { query: AddressPageDocument, variables: { id: core.node.id, first: 2 } };
  let host = (await client.query(firstAddress)).data?.node;
  const addresses = client.watchQuery(firstAddress);
  const listing = addresses.subscribe(() => {});
  for (;;) {
    assert(host?.__typename === "Host");
    if (!host.interfacesConnection.pageInfo.hasNextPage) break;
    await addresses.fetchMore({ variables: { after: host.interfacesConnection.pageInfo.endCursor ?? null } });
    host = client.readQuery(firstAddress)?.node;
  }
  listing.unsubscribe();
  const addressIds = host.interfacesConnection.edges.map(({ node }) => node.id);
  assert(addressIds.length > 4, "there are several pages of them, too");
  assert.equal(new Set(addressIds).size, addressIds.length);
  assert(host.sourceDetails.type);
  // It is the same object in the cache, whichever query brought it.
  const cached = (client.cache.extract() as Record<string, unknown>)[`Host:${host.id}`];
  assert.equal((cached as { name?: string } | undefined)?.name, host.name);
  const things = await client.query({ query: ThingsDocument, variables: { ids: [...ids].reverse() } });
  assert.deepEqual(things.data?.nodes.map((node) => node?.id), [...ids].reverse());
  return ids;
}

async function byUrql(): Promise<string[]> {
  const client = new Client({
    url: url as string,
    fetch: counting,
    fetchOptions: { headers: { authorization } },
    preferGetMethod: false,
    exchanges: [
      cacheExchange({
        schema: introspectionFromSchema(schema) as IntrospectionQuery,
        keys: { PageInfo: () => null },
        resolvers: { Query: { hosts: relayPagination() }, Host: { interfacesConnection: relayPagination() } },
      }),
      persistedExchange({ preferGetForPersistedQueries: true }),
      fetchExchange,
    ],
  });
  let after: string | null = null;
  for (;;) {
    const asked = { first: page, after };
    const result: OperationResult<HostPageQuery> = await client.query(HostPageDocument, asked);
    assert.equal(result.error, undefined);
    const hosts = result.data?.hosts;
    assert(hosts);
    if (!hosts.pageInfo.hasNextPage) {
      assert.equal(hosts.edges.length, hosts.totalCount);
      return hosts.edges.map(({ node }) => node.id);
    }
    after = hosts.pageInfo.endCursor ?? null;
  }
}

const ids = await byApollo();
assert(ids.length > 2 * page, "there are several pages");
assert.equal(new Set(ids).size, ids.length);
const sent = { texts, requests };
assert(sent.texts <= 3, "each query is sent as a text once, and not at all where the server knows it");
assert.deepEqual(await byUrql(), ids);
assert(requests - sent.requests >= Math.ceil(ids.length / page));
assert(texts - sent.texts <= 1, "urql writes queries in its own way, and sends that once");
console.log(`Apollo and urql read ${ids.length} hosts by pages of ${page}; ${texts} of ${requests} requests had a text`);
