// Keeps the page up to date: the cluster when it changes, load every second.

import { addEvents } from "./events.js";
import { byId, count, element, millis, plural } from "./dom.js";
import { chooseTable, listen, offerTables } from "./search.js";
import { sampleServers, showServers } from "./servers.js";
import { askWhoWeAre, begin, ended } from "./session.js";
import { showCopies } from "./copies.js";
import { sampleOrder, showOrder } from "./order.js";
import { showRing } from "./ring.js";
import { showScans } from "./scans.js";
import { Spark } from "./spark.js";

const REFRESH_MILLIS = 5000;
const SOON_MILLIS = 120;

let cluster = { servers: [], tables: [] };
let chosen = "";
let refresh = 0;
let soon = false;
const sparks = Object.fromEntries(["qps", "median", "p99"].map((id) => [id, new Spark(byId(`${id}-line`))]));

async function update() {
  clearTimeout(refresh);
  soon = false;
  try {
    const response = await fetch("api/cluster");
    if (ended(response)) return;
    if (!response.ok) throw new Error(`status ${response.status}`);
    cluster = await response.json();
    show();
  } catch (failure) {
    summarise(`The gateway does not answer: ${failure.message}`, true);
  }
  refresh = setTimeout(update, REFRESH_MILLIS);
}

/** Many changes come at once, and are shown at once. */
function updateSoon() {
  if (soon) return;
  soon = true;
  clearTimeout(refresh);
  refresh = setTimeout(update, SOON_MILLIS);
}

function show() {
  const alive = cluster.servers.filter((server) => server.alive).length;
  const all = cluster.servers.length;
  summarise(`${alive} of ${plural(all, "server")} alive, ${plural(cluster.tables.length, "table")}`, alive < all);
  showServers(cluster.servers);
  const names = cluster.tables.map((table) => table.name);
  if (!names.includes(chosen)) chosen = names[0] ?? "";
  offerTables(names);
  showTabs(names);
  const table = cluster.tables.find((known) => known.name === chosen);
  showCopies(table, cluster.servers, cluster.troubles);
  showOrder(table);
  showRing(table);
}

function summarise(text, bad) {
  byId("summary").textContent = text;
  byId("summary").classList.toggle("bad", bad);
}

function showTabs(names) {
  byId("tabs").replaceChildren(
    ...names.map((name) => {
      const tab = element("button", "", [name], { type: "button", role: "tab", "aria-selected": String(name === chosen) });
      tab.addEventListener("click", () => {
        chosen = name;
        chooseTable(name);
        show();
      });
      return tab;
    }),
  );
}

function sample(load) {
  byId("qps").textContent = count(load.queriesPerSecond);
  byId("median").textContent = millis(load.medianMillis);
  byId("p99").textContent = millis(load.p99Millis);
  sparks.qps.add(load.queriesPerSecond, 1);
  sparks.median.add(load.medianMillis, 0.1);
  sparks.p99.add(load.p99Millis, 0.1);
  sampleServers(load.servers);
  showScans();
  sampleOrder();
}

function follow() {
  const stream = new EventSource("api/events");
  stream.addEventListener("open", () => recent());
  stream.addEventListener("load", (event) => sample(JSON.parse(event.data)));
  stream.addEventListener("change", (event) => {
    addEvents([JSON.parse(event.data)], true);
    updateSoon();
  });
  stream.addEventListener("error", () => {
    summarise("The gateway does not answer; trying again ...", true);
    if (stream.readyState === EventSource.CLOSED) setTimeout(followAgain, REFRESH_MILLIS);
  });
}

/** What the gateway refuses outright, it may refuse because the session has ended. */
async function followAgain() {
  if (await askWhoWeAre().catch(() => true)) follow();
}

async function recent() {
  const response = await fetch("api/events/recent");
  if (response.ok) addEvents((await response.json()).events, false);
  update();
}

function chooseTheme() {
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const apply = () => {
    document.documentElement.dataset.theme = localStorage.getItem("theme") ?? (dark.matches ? "dark" : "light");
  };
  dark.addEventListener("change", apply);
  byId("theme").addEventListener("click", () => {
    localStorage.setItem("theme", document.documentElement.dataset.theme === "dark" ? "light" : "dark");
    apply();
  });
  apply();
}

chooseTheme();
listen();
begin(() => {
  update();
  follow();
});
