// Who looks at the page. The token goes into a request once; afterwards a cookie that no script can read stands for it.

import { byId } from "./dom.js";

/** Starts the page once somebody is let in. */
export async function begin(start) {
  byId("login").addEventListener("submit", (submitted) => {
    submitted.preventDefault();
    login();
  });
  byId("logout").addEventListener("click", logout);
  try {
    if (await askWhoWeAre()) start();
  } catch (failure) {
    start(); // which keeps trying, and tells why
  }
}

/** Shows who we are, or the way in; whether we are in. */
export async function askWhoWeAre() {
  const session = await (await fetch("api/session")).json();
  const known = session.caller !== null;
  const sees = known && (session.rights.includes("admin") || session.rights.includes("read:*"));
  byId("insecure").hidden = !session.insecure;
  byId("session").hidden = !(session.secured && known);
  byId("caller").textContent = known ? session.caller : "";
  byId("login").hidden = known;
  byId("main").hidden = !sees;
  if (!known) {
    byId("summary").textContent = "Log in to see this cluster.";
    byId("login-token").focus();
  } else if (!sees) {
    byId("summary").textContent = "This token may not see the whole cluster: it needs the right to read every table.";
  }
  return sees;
}

/** Whether an answer says that the session has ended; begins anew then. */
export function ended(response) {
  if (response.status === 401) location.reload();
  return response.status === 401;
}

async function login() {
  const field = byId("login-token");
  const status = byId("login-status");
  status.classList.remove("bad");
  const response = await fetch("api/session", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ token: field.value.trim() }),
  });
  field.value = "";
  if (response.ok) {
    location.reload();
    return;
  }
  status.classList.add("bad");
  status.textContent = (await response.json()).error.message;
}

async function logout() {
  await fetch("api/session", { method: "DELETE" });
  location.reload();
}
