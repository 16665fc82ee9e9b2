// How far the order of an ordered table is, and what waits in it, as it happens.

import { byId, bytes, count, element, plural } from "./dom.js";
import { Spark } from "./spark.js";

let table = null;
let view = null;
let asking = false;

/** The order of one table, drawn once and then filled again with each report. */
class View {
  constructor() {
    this.head = element("b", "", ["-"]);
    this.rate = element("b", "", ["-"]);
    this.waiting = element("b", "", ["-"]);
    const rateLine = element("div", "line");
    const waitingLine = element("div", "line warm");
    this.slowest = element("ul", "facts slowest");
    this.rateSpark = new Spark(rateLine);
    this.waitingSpark = new Spark(waitingLine);
    this.root = element(
      "section",
      "",
      [
        element("div", "triple", [
          element("div", "", [element("span", "", ["Head of the order"]), this.head]),
          element("div", "", [element("span", "", ["Updates a second"]), this.rate, rateLine]),
          element("div", "", [element("span", "", ["Not yet applied by all"]), this.waiting, waitingLine]),
        ]),
        this.slowest,
      ],
      { "aria-label": "Order of the table" },
    );
    this.last = null;
  }

  add(report, atMillis) {
    this.head.textContent = count(report.head);
    this.waiting.textContent = report.waiting === 0 ? "0" : `${count(report.waiting)}, ${bytes(report.waitingBytes)}`;
    this.waitingSpark.add(report.waiting, 1);
    if (this.last) {
      const rate = (1000 * Math.max(0, report.head - this.last.head)) / (atMillis - this.last.atMillis);
      this.rate.textContent = count(rate);
      this.rateSpark.add(rate, 1);
    }
    this.last = { head: report.head, atMillis };
    this.slowest.replaceChildren(...report.slowest.map((backlog, i) => element("li", "", [said(backlog, i)])));
  }

  fail(message) {
    this.slowest.replaceChildren(element("li", "", [message]));
  }
}

function said(backlog, rank) {
  const primary = table.assignment[backlog.actor]?.primary;
  const where = primary ? `, led by ${primary}` : "";
  const waits = `${plural(backlog.updates, "update")}, ${bytes(backlog.bytes)}`;
  return `${rank ? "Then" : "Slowest:"} actor ${backlog.actor}${where}: ${waits}`;
}

/** Chooses the table whose order is shown; a table without an order shows none. */
export function showOrder(chosen) {
  const ordered = chosen && chosen.consistency === "ordered" ? chosen : null;
  const same = ordered && table && ordered.id === table.id;
  table = ordered;
  if (same) return;
  view = ordered ? new View() : null;
  byId("order").replaceChildren(...(view ? [view.root] : []));
  sampleOrder();
}

/** Asks how far the order is. One question is under way at a time: an answer may take long. */
export async function sampleOrder() {
  if (!view || asking) return;
  asking = true;
  const shown = view;
  try {
    const response = await fetch(`api/tables/${encodeURIComponent(table.name)}/ordered`);
    const report = await response.json();
    if (shown !== view) return;
    if (response.ok) shown.add(report, performance.now());
    else shown.fail(`The order cannot be told: ${report.error?.message ?? response.status}`);
  } catch (failure) {
    shown.fail(`The order cannot be told: ${failure.message}`);
  } finally {
    asking = false;
    if (shown !== view) sampleOrder();
  }
}
