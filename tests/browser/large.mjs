// Writes the inventory of a large network, always the same: node large.mjs > FILE
import { fileURLToPath } from "node:url";

export const NAME = "Large network";
export const HOSTS = 2000;
export const LINKS = 4000;
const [CORES, DISTRIBUTIONS] = [20, 180];

/** Numbers from 0 to below 1, the same ones after each start (Mulberry32). */
function random(seed) {
  return () => {
    seed = (seed + 0x6d2b79f5) | 0;
    let bits = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    bits = (bits + Math.imul(bits ^ (bits >>> 7), 61 | bits)) ^ bits;
    return ((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32;
  };
}

const mac = (number) =>
  `02:00:${[24, 16, 8, 0].map((bits) => ((number >>> bits) & 255).toString(16).padStart(2, "0")).join(":")}`;

const chassis = (host) => mac(host * 1000);

/** The ends of all links: access switches at two of the distribution, those at two cores, and some by chance. */
function cables() {
  const next = random(2000);
  const below = (most) => Math.floor(next() * most);
  const cables = [];
  for (let host = CORES; host < HOSTS; host += 1) {
    const [first, count] = host < CORES + DISTRIBUTIONS ? [0, CORES] : [CORES, DISTRIBUTIONS];
    const up = below(count);
    cables.push([host, first + up], [host, first + ((up + 1 + below(count - 1)) % count)]);
  }
  while (cables.length < LINKS) {
    const [a, b] = [below(HOSTS), below(HOSTS)];
    if (a !== b) cables.push([a, b]);
  }
  return cables;
}

/** All of it; both ends of every link hear each other by LLDP. */
export function inventory() {
  const hosts = Array.from({ length: HOSTS }, (_, host) => ({
    name: `switch-${String(host).padStart(4, "0")}`,
    chassis_id: chassis(host),
    if_entries: [],
  }));
  const port = (host) => {
    const entries = hosts[host].if_entries;
    const if_index = entries.length + 1;
    const name = `Ethernet1/${if_index}`;
    const statuses = { admin_status: "Up", oper_status: "Up" };
    const entry = { if_index, if_descr: name, if_name: name, if_type: 6, speed_bps: 1e10, ...statuses };
    entries.push(entry);
    return { host, entry };
  };
  const hear = (near, far) => {
    const chassis_id = { subtype: "MacAddress", value: chassis(far.host) };
    const port_id = { subtype: "InterfaceName", value: far.entry.if_name };
    near.entry.neighbors_heard = [{ protocol: "LLDP", chassis_id, port_id, sys_name: hosts[far.host].name }];
  };
  for (const [a, b] of cables()) {
    const ends = [port(a), port(b)];
    hear(ends[0], ends[1]);
    hear(ends[1], ends[0]);
  }
  return { format: "toposcope.inventory/1", network: { name: NAME }, hosts };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) process.stdout.write(JSON.stringify(inventory()));
