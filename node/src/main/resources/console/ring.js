// The ring of servers that a table is placed on, as a picture.

import { byId, element, plural } from "./dom.js";

const SVG = "http://www.w3.org/2000/svg";
const SIZE = 320;
const OUTER = 110;
const WIDTH = 16;
const GAP = 0.02;
const COPIES_SHOWN = 5;

let asked = "";

/** Shows the ring of a table, if it is on one. */
export async function showRing(table) {
  const frame = byId("ring");
  asked = table && table.placement === "ring" ? table.name : "";
  if (!asked) {
    frame.replaceChildren();
    return;
  }
  const response = await fetch(`api/tables/${encodeURIComponent(table.name)}/ring`);
  if (!response.ok || asked !== table.name) return;
  const ring = await response.json();
  frame.replaceChildren(picture(ring), changes(ring));
}

/** Each range is a slice; the outermost arc is its owner, and those within are the next servers. */
function picture(ring) {
  const label = `Ring of ${plural(ring.members.length, "server")}`;
  const svg = shape("svg", { viewBox: `0 0 ${SIZE} ${SIZE}`, width: SIZE, height: SIZE, role: "img", "aria-label": label });
  const servers = ring.members.map((member) => member.server);
  const slice = (2 * Math.PI) / ring.ranges.length;
  ring.ranges.forEach((range, i) => {
    const from = i * slice;
    holders(range, servers)
      .slice(0, COPIES_SHOWN)
      .forEach((server, k) => {
        const arc = shape("path", { d: path(from + GAP, from + slice - GAP, OUTER - k * WIDTH), class: "arc", stroke: colour(servers, server) });
        arc.append(text("title", {}, `from ${range.from || "the first key"}: ${server} ${said(range, server)} actor ${range.actor}`));
        svg.append(arc);
      });
    const [x, y] = point(from, OUTER + WIDTH + 4);
    svg.append(text("text", { x, y, class: "place", "text-anchor": "middle" }, range.from));
    const [ox, oy] = point(from + slice / 2, OUTER + WIDTH + 14);
    svg.append(text("text", { x: ox, y: oy, class: "owner", "text-anchor": "middle", fill: colour(servers, range.owner) }, range.owner));
  });
  return svg;
}

/** The servers that have the range, the owner first and the others in the order of the ring. */
function holders(range, servers) {
  const start = servers.indexOf(range.owner);
  const rank = (server) => {
    const place = servers.indexOf(server);
    return place < 0 ? servers.length : (place - start + servers.length) % servers.length;
  };
  return Object.keys(range.copies).sort((a, b) => rank(a) - rank(b));
}

function said(range, server) {
  if (range.copies[server] !== "ready") return "gets or gives up";
  return range.primary === server ? "leads" : "holds";
}

function colour(servers, server) {
  const place = servers.indexOf(server);
  return place < 0 ? "gray" : `hsl(${Math.round((360 * place) / servers.length)} 60% 50%)`;
}

function point(angle, radius) {
  const x = SIZE / 2 + radius * Math.sin(angle);
  const y = SIZE / 2 - radius * Math.cos(angle);
  return [x.toFixed(1), y.toFixed(1)];
}

/** An arc, as a line; a whole circle cannot be one arc, so it is two. */
function path(from, to, radius) {
  const middle = (from + to) / 2;
  const arc = (angle) => `A${radius} ${radius} 0 0 1 ${point(angle, radius).join(" ")}`;
  return `M${point(from, radius).join(" ")}${arc(middle)}${arc(to)}`;
}

function changes(ring) {
  const waiting = ring.queue.map((change) => `Change ${change.number} ${change.underWay ? "is under way" : "waits"}: ${change.change}`);
  const away = ring.members.filter((member) => !member.alive).map((member) => `Server ${member.server} is away`);
  return element("ul", "facts", [...away, ...waiting].map((line) => element("li", "", [line])));
}

function shape(name, attributes) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
}

function text(name, attributes, content) {
  const made = shape(name, attributes);
  made.textContent = content;
  return made;
}
