// The grid of servers and actors of one table.

import { byId, element, plural } from "./dom.js";

const SHOWN_MAX = 400;
const WIDE_MAX = 40;
const TROUBLES_MAX = 5;

/** Shows where the copies of a table are, and why some are not what they are to be. */
export function showCopies(table, servers, troubles) {
  const frame = byId("grid");
  const facts = byId("table-facts");
  if (!table) {
    facts.textContent = "";
    frame.replaceChildren(element("p", "empty", ["There is no table yet. Create one: uniserve table create --help"]));
    return;
  }
  facts.textContent = describe(table, servers);
  const living = livingActors(table);
  const actors = living.slice(0, SHOWN_MAX);
  const head = element("tr", "", [element("td")]);
  actors.forEach(({ number }) => head.append(heading(number, actors.length)));
  const body = servers.map((server) => row(server, actors, table.name));
  const grid = element("table", actors.length > WIDE_MAX ? "many" : "", [
    element("thead", "", [head]),
    element("tbody", "", body),
  ]);
  frame.replaceChildren(grid);
  const failing = troubles.filter((copy) => copy.table === table.name);
  failing.slice(0, TROUBLES_MAX).forEach((copy) => {
    const times = copy.times > 1 ? ` (${copy.times} times)` : "";
    frame.append(element("p", "empty", [`The copy of actor ${copy.actor} on ${copy.server} fails: ${copy.message}${times}`]));
  });
  if (failing.length > TROUBLES_MAX) {
    frame.append(element("p", "empty", [`and ${failing.length - TROUBLES_MAX} copies more`]));
  }
  if (living.length > SHOWN_MAX) {
    frame.append(element("p", "empty", [`and ${living.length - SHOWN_MAX} actors more`]));
  }
}

/** Those that were merged with others are no more; the numbers of the rest stay. */
function livingActors(table) {
  return table.assignment.map((actor, number) => ({ ...actor, number })).filter((actor) => !actor.ended);
}

function heading(number, actors) {
  const shown = actors <= WIDE_MAX || number % 10 === 0;
  return element("th", "", [shown ? String(number) : ""], { scope: "col" });
}

function row(server, actors, table) {
  const cells = actors.map((actor) => {
    const [kind, words] = copy(actor, server);
    const label = words ? `${table}/${actor.number}: ${words} on ${server.name}` : "";
    const mark = element("span", `cell ${kind}`, [], words ? { title: label, role: "img", "aria-label": label } : {});
    return element("td", "", [mark]);
  });
  return element("tr", server.alive ? "" : "failed", [element("th", "", [server.name], { scope: "row" }), ...cells]);
}

function copy(actor, server) {
  const status = actor.copies[server.name];
  if (!status) return ["", ""];
  if (!server.alive) return ["lost", "lost copy"];
  if (status === "retiring") return ["loading", "copy about to go"];
  if (status !== "ready") return ["loading", "copy being loaded"];
  return actor.primary === server.name ? ["primary", "primary"] : ["ready", "copy"];
}

function describe(table, servers) {
  const alive = new Set(servers.filter((server) => server.alive).map((server) => server.name));
  const readable = livingActors(table).map(
    (actor) => Object.entries(actor.copies).filter(([server, status]) => status === "ready" && alive.has(server)).length,
  );
  const whole = readable.filter((copies) => copies >= table.replicas).length;
  const without = readable.filter((copies) => copies === 0).length;
  const waiting = livingActors(table).filter(
    (actor) => table.durability !== "synchronous" && !actor.anyMayLead && !actor.complete.some((server) => alive.has(server)),
  );
  const awaited = [...new Set(waiting.flatMap((actor) => actor.complete))].sort();
  const state = waiting.length
    ? `${plural(waiting.length, "actor")} ${waiting.length === 1 ? "waits" : "wait"} for a complete copy on ${awaited.join(", ") || "no server any more: see uniserve recover"}`
    : without
    ? `${plural(without, "actor")} cannot be read`
    : whole === readable.length
      ? "all copies are ready"
      : `${plural(readable.length - whole, "actor")} short of copies`;
  const recovered = table.recovered ? ` Recovered at ${table.recovered.at}: ${table.recovered.why}.` : "";
  return `${table.engine}, ${plural(table.actors, "actor")}, copies of each: ${table.replicas}, backups ${table.durability}. Now ${state}.${recovered}`;
}
