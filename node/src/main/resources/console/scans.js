// The scans that are read through this gateway: what each asks for, has, and waits for.

import { byId, bytes, count, duration, element, plural } from "./dom.js";

/** Shows the scans, or nothing if there are none. */
export async function showScans() {
  const response = await fetch("api/scans");
  if (!response.ok) return;
  const { scans } = await response.json();
  byId("scans-panel").hidden = scans.length === 0;
  byId("scans").replaceChildren(...scans.map(row));
}

function row(scan) {
  const bar = element("progress", "", [], { max: "1", value: String(scan.share), "aria-label": `${Math.round(100 * scan.share)} % read` });
  const cells = [
    scan.table,
    bar,
    `${plural(scan.records, "record")}, ${bytes(scan.bytes)}`,
    duration(Math.round(scan.seconds)),
    urgency(scan.priority),
    `${count(scan.held)} of ${count(scan.desired)}`,
    waitsFor(scan),
  ];
  return element("tr", "", cells.map((cell) => element("td", "", [cell])));
}

function waitsFor(scan) {
  if (scan.held >= scan.desired) return "";
  if (scan.waiting > 0) return `waits for ${plural(scan.waiting, "server")}`;
  return scan.bufferedBytes > 0 ? "waits for its reader" : "";
}

function urgency(priority) {
  return { 1: "gold", 4: "normal", 16: "batch" }[priority] ?? String(priority);
}
