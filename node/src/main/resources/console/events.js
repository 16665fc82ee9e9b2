// The list of changes and failures of the cluster, the latest first.

import { byId, element } from "./dom.js";

const SHOWN_MAX = 200;
const shown = new Set();

/** Adds changes, given oldest first; those that are shown already are passed over. */
export function addEvents(events, fresh) {
  const list = byId("events");
  for (const event of events) {
    const key = [event.version, event.kind, event.text, event.why].join(" ");
    if (shown.has(key)) continue;
    shown.add(key);
    list.prepend(entry(event, fresh));
  }
  while (list.children.length > SHOWN_MAX) list.lastChild.remove();
  if (list.children.length === 0) list.append(element("li", "empty", ["Nothing has changed since this gateway started."]));
  else list.querySelector(".empty")?.remove();
}

function entry(event, fresh) {
  const at = new Date(event.at);
  const children = [
    element("time", "", [at.toLocaleTimeString("en-GB")], { datetime: event.at }),
    element("span", event.kind, [event.text]),
  ];
  if (event.why) children.push(element("small", "", [event.why]));
  return element("li", fresh ? "new" : "", children);
}
