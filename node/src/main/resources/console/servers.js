// One card for each server: what it holds, and its load and latency as it happens.

import { bytes, byId, count, duration, element, millis, plural } from "./dom.js";
import { Spark } from "./spark.js";

const cards = new Map();

class Card {
  constructor(name) {
    this.state = element("span", "state");
    this.load = element("b", "", ["-"]);
    this.latency = element("b", "", ["-"]);
    this.rest = element("p", "rest");
    const loadLine = element("div", "line");
    const latencyLine = element("div", "line warm");
    this.root = element("article", "card", [
      element("header", "", [element("h3", "", [name]), this.state]),
      element("div", "pair", [
        element("div", "", [element("span", "", ["Load"]), this.load, loadLine]),
        element("div", "", [element("span", "", ["Operator time"]), this.latency, latencyLine]),
      ]),
      this.rest,
    ]);
    this.loadSpark = new Spark(loadLine);
    this.latencySpark = new Spark(latencyLine);
  }

  describe(server) {
    const state = stateOf(server);
    this.root.classList.toggle("failed", state === "failed");
    this.state.textContent = state === "alive" ? `alive for ${duration(server.uptimeSeconds)}` : state;
    this.rest.replaceChildren();
    if (!server.answers) return;
    const lines = [
      `${plural(server.copies, "copy").replace("copys", "copies")}, ${count(server.primaries)} of them primary`,
      `${server.memoryBytes ? `${bytes(server.memoryBytes)} in memory, ` : ""}${bytes(server.diskBytes)} on disk`,
    ];
    if (server.utilization !== undefined) lines.unshift(`${Math.round(100 * server.utilization)} % of its threads' time used`);
    if (server.operatorsWaiting > 0) lines.push(`${plural(server.operatorsWaiting, "operator")} waiting for a thread`);
    if (server.scanSlotsGranted > 0) lines.push(`${count(server.scanSlotsGranted)} of ${count(server.scanSlots)} scan slots in use, ${count(server.scansWaiting)} waiting`);
    if (server.replicationLag > 0) lines.push(`${plural(server.replicationLag, "update")} behind its primaries`);
    if (server.backupLag > 0) lines.push(`${plural(server.backupLag, "update")} not yet in the durable store, for ${Math.ceil(server.backupLagSeconds)} s`);
    lines.forEach((line, i) => this.rest.append(...(i ? [element("br"), line] : [line])));
  }

  sample(load) {
    this.load.textContent = `${count(load.operatorsPerSecond)} /s`;
    this.latency.textContent = millis(load.costPerOperator / 1000);
    this.loadSpark.add(load.operatorsPerSecond, 1);
    this.latencySpark.add(load.costPerOperator / 1000, 0.1);
  }
}

function stateOf(server) {
  if (!server.alive) return server.leaving ? "left" : "failed";
  if (server.leaving) return "leaving";
  if (server.draining) return server.copies === 0 ? "drained" : "draining";
  return server.answers ? "alive" : "silent";
}

/** Shows the servers of a cluster. */
export function showServers(servers) {
  const frame = byId("servers");
  if (servers.length === 0) {
    frame.replaceChildren(element("p", "empty", ["No server has joined yet."]));
    return;
  }
  frame.querySelector(".empty")?.remove();
  for (const server of servers) {
    if (!cards.has(server.name)) {
      cards.set(server.name, new Card(server.name));
      frame.append(cards.get(server.name).root);
    }
    cards.get(server.name).describe(server);
  }
}

/** Takes a sample of load; a server that is not in it does nothing. */
export function sampleServers(samples) {
  const idle = { operatorsPerSecond: 0, costPerOperator: 0 };
  const byName = new Map(samples.map((sample) => [sample.name, sample]));
  cards.forEach((card, name) => card.sample(byName.get(name) ?? idle));
}
