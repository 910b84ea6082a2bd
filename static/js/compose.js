// Between a title's board and the server: moves go in one request, what came of them comes back as a film and as the page as
// it stands now. The server alone judges.

import { sound } from "./sounds.js";

const table = () => document.querySelector("[data-moves]");

// The title's document: what stands on the board, and what may be done.
export const data = (root = document) => JSON.parse(root.getElementById("board-data").textContent);

export class Unreachable extends Error {}

async function post(body) {
  const secret = JSON.parse(document.body.getAttribute("hx-headers") ?? "{}");
  let answer;
  try {
    answer = await fetch(table().dataset.moves, {
      method: "POST", redirect: "manual", headers: { "Content-Type": "application/json", ...secret }, body: JSON.stringify(body),
    });
  } catch {
    throw new Unreachable(table().dataset.offline);
  }
  const kind = answer.headers.get("Content-Type") ?? "";
  if (!kind.startsWith("application/json")) throw new Unreachable(table().dataset.refused);
  return { status: answer.status, ...(await answer.json()) };
}

const seen = () => Number(table().dataset.seen);

// Play these moves in their order; `then` goes on by itself afterwards.
export const send = (moves, { stop = [], then = "" } = {}) => post({ seen: seen(), moves, stop, then });

// What the board would be after these moves, of which none is played.
export const foresee = (moves) => post({ seen: seen(), moves, plan: true });

// What happened after this entry, as frames.
export async function told(since, to = "") {
  const answer = await fetch(`${table().dataset.film}?since=${since}&to=${to}`, { cache: "no-store", redirect: "error" });
  if (!answer.ok) throw new Unreachable(answer.statusText);
  return answer.json();
}

export async function pageNow() {
  const answer = await fetch(location.pathname, { headers: { "HX-Request": "true" }, cache: "no-store", redirect: "error" });
  if (!answer.ok) throw new Unreachable(answer.statusText);
  return answer.text();
}

// Take the page's parts as they are now; what somebody is typing in stays. Returns the title's document. A page that is laid
// out otherwise, as the end of a game is, is opened anew: then it is null.
export function swap(html) {
  const page = new DOMParser().parseFromString(html, "text/html");
  if (!page.querySelector("[data-moves]")) return null;
  if (data(page).mine && !data().mine) sound("turn");
  for (const fresh of page.querySelectorAll("[data-part]")) {
    const old = document.querySelector(`[data-part="${CSS.escape(fresh.dataset.part)}"]`);
    if (!old || old.contains(document.activeElement) && document.activeElement.matches("input,textarea,select")) continue;
    const open = [...old.querySelectorAll("details")].map((one) => one.open);
    const made = document.importNode(fresh, true);
    for (const [place, one] of [...made.querySelectorAll("details")].entries()) one.open = open[place] ?? one.open;
    old.replaceWith(made);
    window.htmx?.process(made);
    made.dispatchEvent(new CustomEvent("htmx:load", { bubbles: true }));
  }
  for (const toast of page.querySelectorAll("main > [data-toast], main > .banner[role=alert]")) {
    document.querySelector("main").prepend(document.importNode(toast, true));
  }
  document.title = page.title;
  const live = [document.getElementById("live"), page.getElementById("live")];
  if (live[0] && live[1]) live[0].dataset.at = live[1].dataset.at;
  table().dataset.seen = page.querySelector("[data-moves]").dataset.seen;
  goesOn(page, table().dataset.seen);
  return data(page);
}

// What goes on for long by itself has a page that shows how far it is; after it the page of the board begins with its film.
const LATER = "film-since";
export function goesOn(page, seen) {
  if (!page.getElementById("onward") || document.getElementById("onward")) return;
  try { sessionStorage.setItem(LATER, JSON.stringify([location.pathname, Number(seen)])); } catch { /* then without its film */ }
  location.assign(location.pathname);
}

// The entry after which a film is still to be shown on this page; null where there is none.
export function filmSince() {
  if (document.getElementById("onward")) return null;
  try {
    const [path, seen] = JSON.parse(sessionStorage.getItem(LATER) ?? "[]");
    sessionStorage.removeItem(LATER);
    return path === location.pathname ? seen : null;
  } catch {
    return null;
  }
}

// The panel of a phone is a drawer.
export function drawer() {
  const handle = document.querySelector(".play-handle");
  handle?.addEventListener("click", () => {
    const open = document.querySelector(".play-side").classList.toggle("is-open");
    handle.setAttribute("aria-expanded", String(open));
  });
}

// The bar: what is chosen, and its acts. The first that is `main` is the one filled button.
export function say(title, hint, buttons = [], wrong = false) {
  const bar = document.querySelector(".play-bar");
  const text = bar.querySelector(".play-bar__say");
  const [head, line] = [document.createElement("b"), document.createElement("span")];
  head.textContent = title;
  line.textContent = hint;
  if (wrong) line.className = "is-bad";
  text.replaceChildren(head, line);
  bar.querySelector(".play-bar__do").replaceChildren(...buttons.filter(Boolean));
}
