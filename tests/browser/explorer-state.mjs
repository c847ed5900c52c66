// What the explorer shows of failures, layers and addresses that it is not made for, on the server of explorer.mjs:
// node explorer-state.mjs URL EMAIL PASSWORD
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  CAMPUS,
  COLLEAGUE,
  email,
  explore,
  goTo,
  heading,
  image,
  networks,
  password,
  settled,
  url,
} from "./exploring.mjs";
import { close, open, pick, session, signIn, signOut } from "./page.mjs";

test("what is lost is offered where links can fail, and not for the steps of groups", async () => {
  const opened = await explore({ pane: "findings", layer: "APPLICATION" });
  const { page } = opened;
  const bridges = page.getByRole("list", { name: "Bridges" });
  const lost = bridges.getByRole("button", { name: "What is lost?" });
  await page.getByRole("button", { name: /^Bridges/ }).click();
  await bridges.getByRole("listitem").first().waitFor();
  assert.equal(await lost.count(), 0);
  await page.getByText("L2", { exact: true }).click();
  await page.getByRole("button", { name: /^Bridges/ }).click();
  await lost.first().click();
  await page.getByText(/^If .* fails, /).waitFor();
  await close(opened);
});

test("a link that fails is named, also on a layer that does not have it", async () => {
  const opened = await explore({ pane: "findings" });
  const { page } = opened;
  await page.getByRole("button", { name: /^Bridges/ }).click();
  await page.getByRole("list", { name: "Bridges" }).getByRole("button", { name: "What is lost?" }).first().click();
  const fails = page.getByRole("list", { name: "What fails" });
  const named = await fails.getByText(/^The link .+ – .+ fails/).innerText();
  await page.getByText("Application", { exact: true }).click();
  await fails.getByText(named, { exact: true }).waitFor();
  await page.getByText(new RegExp(`^If the ${named.slice("The ".length)}, `)).waitFor();
  await page.reload();
  await fails.getByText(named, { exact: true }).waitFor();
  await page.getByText("L3", { exact: true }).click();
  await fails.getByText(named, { exact: true }).waitFor();
  await close(opened);
});

test("a layer begins with all of it, whatever was looked at before", async () => {
  const whole = await explore({ layer: "L3" });
  const opened = await explore({});
  const { page } = opened;
  await goTo(page, "acc-n5");
  await page.getByText("L3", { exact: true }).click();
  await page.getByRole("heading", { name: /devices and subnets, / }).waitFor();
  assert.ok((await image(page)) === (await image(whole.page)), "the layer is drawn as if it were opened by itself");
  await close(whole);
  await close(opened);
});

test("a picture says at once that it changes, and that it is settled once it stays as it is", async () => {
  const opened = await explore({});
  const { page } = opened;
  const other = await explore({});
  assert.ok((await image(page)) === (await image(other.page)), "what is settled is the same in every browser");
  await close(other);
  for (const change of ["zoom", "move", "mark"]) {
    const isBusy = await page.evaluate((change) => {
      const { cy } = document.querySelector(".picture-place")._cyreg;
      const node = cy.nodes()[0];
      if (change === "zoom") cy.zoom(cy.zoom() * 1.7);
      if (change === "move") node.position({ x: node.position().x + 50, y: node.position().y });
      if (change === "mark") node.addClass("selected");
      return document.querySelector("[role=application]").getAttribute("aria-busy");
    }, change);
    assert.equal(isBusy, "true", change);
    const before = await image(page);
    await page.evaluate(async () => {
      const { cy } = document.querySelector(".picture-place")._cyreg;
      for (let times = 0; times < 40; times += 1) {
        const drawn = new Promise((done) => cy.one("render", done));
        cy.forceRender();
        await drawn;
      }
    });
    const isSettled = await page.evaluate(() => document.querySelector("[role=application]").ariaBusy);
    assert.equal(isSettled, "false", change);
    assert.ok((await image(page)) === before, `after a ${change} it stays as it is`);
  }
  await close(opened);
});

test("where a viewer has dragged a node to is kept, and is nothing to another", async () => {
  const opened = await explore({});
  const { page } = opened;
  const whole = page.url();
  const asLaidOut = await image(page);
  const [left, top] = await goTo(page, "core-1");
  await page.mouse.move(left, top);
  await page.mouse.down();
  await page.mouse.move(left + 160, top - 140, { steps: 6 });
  await page.mouse.up();
  const undo = page.getByRole("button", { name: "Undo what was dragged" });
  await undo.waitFor();
  const begin = async () => {
    await page.goto(whole);
    await settled(page);
  };
  await begin();
  await undo.waitFor();
  const asDragged = await image(page);
  assert.ok(asDragged !== asLaidOut, "a node is elsewhere");

  const become = async (who) => {
    await signOut(page);
    await signIn(page, who, password);
    await page.getByRole("button", { name: "Account" }).waitFor();
    await begin();
  };
  await become(COLLEAGUE);
  assert.ok((await image(page)) === asLaidOut, "another sees the node where it was laid out");
  assert.equal(await undo.count(), 0);
  await become(email);
  assert.ok((await image(page)) === asDragged, "the viewer sees the node where they dragged it");
  await undo.click();
  await close(opened);
});

test("a root that is not there is told, with the way back", async () => {
  const opened = await open(`${url}/?network=${networks.get(CAMPUS)}&root=${networks.get(CAMPUS)}`);
  const { page } = opened;
  await signIn(page, email, password);
  await page.getByText("There is nothing to draw around").waitFor();
  await page.getByRole("button", { name: "Show the whole network" }).last().click();
  await settled(page);
  await close(opened);
});

test("what makes no sense in the URL is as if it were left out", async () => {
  const opened = await explore({ root: "garbage", selection: "link~x~y", from: "garbage", to: "x", fail: "link~x" });
  const { page } = opened;
  await page.getByRole("heading", { name: /^44 devices/ }).waitFor();
  await page.getByRole("tab", { name: "Path" }).click();
  await page.waitForURL((at) => !at.search.includes("garbage") && !at.search.includes("link~x"));
  await page.goto(`${url}/groups/garbage`);
  await page.getByText("There is no such group").waitFor();
  await close(opened);
});

test("a panel without a picture says so, and promises no ports where there are none", async () => {
  const opened = await explore({ layer: "APPLICATION" });
  const { page } = opened;
  const panel = page.getByRole("tabpanel", { name: "Details" });
  await panel.getByText("Select a service in the picture").waitFor();
  await page.route("**/graphql", (route) => route.abort());
  await page.getByText("L3", { exact: true }).click();
  await panel.getByText("Nothing can be told here, since the network could not be drawn.").waitFor();
  // That requests failed is what was wanted.
  opened.complaints.length = 0;
  await close(opened);
});

/** The labels of links on the canvas, each with where it is drawn, and whether its link is near to what is selected. */
function readLabels() {
  const { cy } = document.querySelector(".picture-place")._cyreg;
  const kinds = [
    ["a", "sourceLabel"],
    ["b", "targetLabel"],
    ["middle", "label"],
  ];
  return cy.edges().flatMap((edge) =>
    kinds.flatMap(([name, label]) => {
      const text = edge.data(name);
      const { rscratch, rstyle } = edge._private;
      const middle = { x: rscratch[`${label}X`], y: rscratch[`${label}Y`] };
      const size = { width: rstyle[`${label}Width`], height: edge.data("size") };
      return text ? [{ text, ...middle, ...size, angle: rscratch[`${label}Angle`], isNear: edge.hasClass("near") }] : [];
    }),
  );
}

/** The labels of links, once the picture is settled. */
async function linkLabels(page) {
  await settled(page);
  return page.evaluate(readLabels);
}

/** Whether two labels cover each other, by more than what letters leave free around them. */
function cover(one, other) {
  const corners = ({ x, y, width, height, angle }) =>
    [
      [-1, -1],
      [-1, 1],
      [1, 1],
      [1, -1],
    ].map(([along, across]) => {
      const [dx, dy] = [(along * width * 0.95) / 2, (across * height * 0.8) / 2];
      return [x + dx * Math.cos(angle) - dy * Math.sin(angle), y + dx * Math.sin(angle) + dy * Math.cos(angle)];
    });
  const [these, those] = [corners(one), corners(other)];
  const isApart = (angle) => {
    const along = (points) => points.map(([x, y]) => x * Math.cos(angle) + y * Math.sin(angle));
    const [here, there] = [along(these), along(those)];
    return Math.max(...here) < Math.min(...there) || Math.max(...there) < Math.min(...here);
  };
  return ![one, other].some(({ angle }) => isApart(angle) || isApart(angle + Math.PI / 2));
}

/** Zooms the picture, with the device that has most links in the middle. */
const zoom = (page, factor) =>
  page.evaluate((factor) => {
    const { cy } = document.querySelector(".picture-place")._cyreg;
    const { x, y } = cy.nodes().max((node) => node.degree(false)).ele.position();
    cy.zoom(factor);
    cy.center(cy.nodes().filter((node) => node.position().x === x && node.position().y === y));
  }, factor);

const covered = (labels) => labels.find((one, index) => labels.slice(index + 1).some((other) => cover(one, other)));

test("ports are named where there is room for it, more of them from nearby, and at what is selected", async () => {
  const opened = await explore({});
  const { page } = opened;
  const counts = [];
  for (const factor of [0.5, 1.1, 1.7, 2.8]) {
    await zoom(page, factor);
    const labels = await linkLabels(page);
    assert.equal(covered(labels), undefined, `at ${factor}`);
    counts.push(labels.length);
  }
  assert.equal(counts[0], 0);
  assert.ok(counts[1] > 20 && counts[1] < counts[2] && counts[2] < counts[3], counts.join());

  await zoom(page, 0.5);
  await goTo(page, "core-1");
  const ports = page.getByRole("list", { name: "Links" }).getByRole("listitem");
  await ports.first().waitFor();
  const expected = 2 * (await ports.count());
  const near = await linkLabels(page);
  assert.ok(near.every(({ isNear }) => isNear));
  assert.equal(near.length, expected);
  await close(opened);
});

test("labels do not cover each other, wherever the devices are", async () => {
  const opened = await explore({});
  const { page } = opened;
  for (let seed = 1; seed <= 8; seed += 1) {
    await page.evaluate((seed) => {
      const { cy } = document.querySelector(".picture-place")._cyreg;
      const nodes = cy.nodes().toArray();
      let state = seed;
      for (let last = nodes.length - 1; last > 0; last -= 1) {
        state = (state * 48271) % 2147483647;
        const [one, other] = [nodes[last], nodes[state % (last + 1)]];
        const [here, there] = [{ ...one.position() }, { ...other.position() }];
        one.position(there);
        other.position(here);
      }
    }, seed);
    // What is moved without a hand is noticed when the zoom reaches a step.
    for (const factor of [0.5, 1.1, 1.7, 2.8]) {
      await zoom(page, factor);
      const labels = await linkLabels(page);
      const isRight = factor > 1 ? covered(labels) === undefined && labels.length > 20 : labels.length === 0;
      assert.ok(isRight, `shuffled by ${seed}, at ${factor}`);
    }
  }
  await close(opened);
});

test("labels do not cover each other in an image either, from however far it is taken", async () => {
  const opened = await explore({});
  const { page } = opened;
  await zoom(page, 0.4);
  await page.evaluate(`window.readLabels = ${readLabels}`);
  await page.evaluate(() => {
    const { cy } = document.querySelector(".picture-place")._cyreg;
    const png = cy.png;
    cy.png = (options) => {
      const image = png.call(cy, options);
      window.imaged = { zoom: cy.zoom(), labels: window.readLabels() };
      return image;
    };
  });
  const saved = page.waitForEvent("download");
  await page.getByRole("button", { name: "Save the picture as PNG" }).click();
  await saved;
  const { zoom: of, labels } = await page.evaluate(() => window.imaged);
  assert.equal(of, 2);
  assert.equal(covered(labels), undefined);
  assert.ok(labels.length > 20, `${labels.length} labels`);
  assert.equal(await page.evaluate(() => document.querySelector(".picture-place")._cyreg.cy.zoom()), 0.4);
  await close(opened);
});

/** Makes a network of devices with ports for a test, and takes it away after it. */
async function make(t, network, hosts) {
  const ask = await session(url, email, password);
  const organizationId = "00000000-0000-0000-0000-000000000000";
  const { createNetwork } = await ask("mutation ($input: CreateNetworkInput!) { createNetwork(input: $input) { id } }", {
    input: { name: network, organizationId, tags: [] },
  });
  t.after(() => ask("mutation ($id: ID!) { deleteNetwork(id: $id) { __typename } }", { id: createNetwork.id }));
  networks.set(network, createNetwork.id);
  for (const [name, ifEntries] of hosts) {
    const input = { networkId: createNetwork.id, name, tags: [], ifEntries };
    await ask("mutation ($input: CreateHostInput!) { createHost(input: $input) { id } }", { input });
  }
}

const port = (ifIndex, heard) => ({
  ifIndex,
  ifDescr: `Port ${ifIndex}`,
  ifType: 6,
  adminStatus: "UP",
  operStatus: "UP",
  ...heard,
});

test("each of several links at a port that has one cable can be reached", async (t) => {
  const network = "Crowded";
  const hears = port(1, {
    lldpChassisId: { subtype: "LOCALLY_ASSIGNED", value: "crowded" },
    lldpPortId: { subtype: "INTERFACE_NAME", value: "Port 1" },
  });
  await make(t, network, [
    ["crowded", [port(1)]],
    ["one", [hears]],
    ["other", [hears]],
  ]);
  const opened = await explore({ pane: "findings" }, undefined, network);
  const { page } = opened;
  const contradictions = page.getByRole("list", { name: "Contradictions" });
  await contradictions.getByText("hears none of them").waitFor();
  const links = contradictions.getByRole("button", { name: / – / });
  assert.equal(await links.count(), 2);
  await links.filter({ hasText: "other Port 1" }).click();
  await page.getByRole("heading", { name: "Why it is believed to be there" }).waitFor();
  await close(opened);
});

test("unknown neighbors in one box are listed, and each can be identified", async (t) => {
  const network = "Strangers";
  const stranger = (number) =>
    port(number, {
      lldpSysName: `stranger-${number}`,
      lldpChassisId: { subtype: "MAC_ADDRESS", value: `02:00:00:00:00:0${number}` },
      lldpPortId: { subtype: "INTERFACE_NAME", value: "eth0" },
    });
  await make(t, network, [
    ["hub", [1, 2, 3, 4, 5, 6].map(stranger)],
    ["known", [port(1)]],
  ]);

  const opened = await explore({ most: "3", pane: "list" }, undefined, network);
  const { page } = opened;
  const open = async () => {
    await page.getByRole("tab", { name: "List" }).click();
    await page.getByRole("button", { name: /^6 unknown neighbors/ }).click();
    await heading(page, "6 unknown neighbors").waitFor();
  };
  await open();
  const members = page.getByRole("list", { name: "In the box" });
  assert.equal(await members.getByRole("listitem").count(), 6);
  await members.getByRole("button", { name: "stranger-3" }).click();
  await heading(page, "stranger-3").waitFor();
  await page.getByText("Add the device to this network").first().waitFor();
  await page.getByRole("button", { name: "6 unknown neighbors" }).click();
  await heading(page, "6 unknown neighbors").waitFor();

  await page.getByRole("tab", { name: "Findings" }).click();
  await page.getByRole("button", { name: "stranger-5" }).click();
  await heading(page, "stranger-5").waitFor();
  await page.reload();
  await heading(page, "stranger-5").waitFor();
  await pick(page, "This is the device", "known");
  await page.getByRole("button", { name: "Teach who it is" }).click();
  await heading(page, "hub").waitFor();
  const links = page.getByRole("list", { name: "Links" }).getByRole("listitem");
  await links.filter({ hasText: "Port 5" }).filter({ hasText: "known" }).waitFor();
  await page.getByRole("tab", { name: "List" }).click();
  await page.getByRole("button", { name: /^5 unknown neighbors/ }).waitFor();
  await close(opened);
});
