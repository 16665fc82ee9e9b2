// Runs queries and shows their hits.

import { byId, count, element, millis } from "./dom.js";

const VALUE_LENGTH_MAX = 400;

/** Offers these tables. */
export function offerTables(names) {
  const select = byId("search-table");
  if ([...select.options].map((option) => option.value).join() === names.join()) return;
  const chosen = select.value;
  select.replaceChildren(...names.map((name) => element("option", "", [name], { value: name })));
  if (names.includes(chosen)) select.value = chosen;
}

/** Chooses a table. */
export function chooseTable(name) {
  byId("search-table").value = name;
}

/** Answers the form. */
export function listen() {
  byId("search-form").addEventListener("submit", (submitted) => {
    submitted.preventDefault();
    run(byId("search-table").value, byId("search-text").value);
  });
}

async function run(table, text) {
  const status = byId("search-status");
  status.classList.remove("bad");
  if (!table || !text.trim()) {
    status.textContent = table ? "Type a query first." : "There is no table to search.";
    return;
  }
  status.textContent = "Searching ...";
  try {
    const response = await fetch(`api/tables/${encodeURIComponent(table)}/query?q=${encodeURIComponent(text)}`);
    const answer = await response.json();
    if (!response.ok) throw new Error(answer.error.message);
    show(answer);
  } catch (failure) {
    byId("hits").replaceChildren();
    status.classList.add("bad");
    status.textContent = failure.message;
  }
}

function show(answer) {
  const { result } = answer;
  const hits = Array.isArray(result?.hits) ? result.hits : null;
  const total = hits && typeof result.total === "number" ? `${count(result.total)} found in ` : "Answered in ";
  byId("search-status").textContent = total + millis(answer.tookMillis);
  byId("hits").replaceChildren(
    ...(hits ? hits.map(hit) : [element("li", "", [element("pre", "", [JSON.stringify(result, null, 2)])])]),
  );
}

function hit(found) {
  const head = [element("span", "id", [String(found.id)])];
  if (typeof found.score === "number") head.push(element("span", "score", [found.score.toFixed(3)]));
  const fields = element("dl");
  for (const [name, value] of Object.entries(found.fields ?? {})) {
    fields.append(element("dt", "", [name]), element("dd", "", [shortened(value)]));
  }
  return element("li", "", [...head, fields]);
}

function shortened(value) {
  const text = Array.isArray(value) ? value.join(", ") : typeof value === "object" ? JSON.stringify(value) : String(value);
  return text.length > VALUE_LENGTH_MAX ? `${text.slice(0, VALUE_LENGTH_MAX)} ...` : text;
}
