// The connection between a title's board and the server: moves are sent in a single request, their results come back as a film
// and as the current page. Only the server checks moves.

import { sound } from "./sounds.js";

const table = () => document.querySelector("[data-moves]");

// Return the title's document: the state of the board and the possible acts.
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

// Play these moves in their order; `then` continues automatically afterwards. Before the first move of a table with free seats,
// another page asks what happens with them.
export function send(moves, { stop = [], then = "" } = {}) {
  const { start } = table().dataset;
  if (start && moves.some((move) => move.move === "begin")) {
    location.assign(start);
    return new Promise(() => {});
  }
  return post({ seen: seen(), moves, stop, then });
}

// Return the board as it would be after these moves, without playing them.
export const foresee = (moves) => post({ seen: seen(), moves, plan: true });

// Return the frames of everything after this entry.
export async function loadFilm(since, to = "") {
  const answer = await fetch(`${table().dataset.film}?since=${since}&to=${to}`, { cache: "no-store", redirect: "error" });
  if (!answer.ok) throw new Unreachable(answer.statusText);
  return answer.json();
}

export async function pageNow() {
  const answer = await fetch(location.pathname, { headers: { "HX-Request": "true" }, cache: "no-store", redirect: "error" });
  if (!answer.ok) throw new Unreachable(answer.statusText);
  return answer.text();
}

// Update the parts of the page, except a form in which the reader is typing. Return the title's document. A page with another
// layout, such as the end of a game, is loaded anew: then the result is null.
export function swap(html) {
  const page = new DOMParser().parseFromString(html, "text/html");
  if (!page.querySelector("[data-moves]")) return null;
  if (data(page).mine && !data().mine) sound("turn");
  for (const fresh of page.querySelectorAll("[data-part]")) {
    const old = document.querySelector(`[data-part="${CSS.escape(fresh.dataset.part)}"]`);
    if (!old || old.contains(document.activeElement) && document.activeElement.matches("input,textarea,select")) continue;
    const open = [...old.querySelectorAll("details")].map((fold) => fold.open);
    const copy = document.importNode(fresh, true);
    for (const [place, fold] of [...copy.querySelectorAll("details")].entries()) fold.open = open[place] ?? fold.open;
    old.replaceWith(copy);
    window.htmx?.process(copy);
    copy.dispatchEvent(new CustomEvent("htmx:load", { bubbles: true }));
  }
  for (const toast of page.querySelectorAll("main > [data-toast], main > .banner[role=alert]")) {
    document.querySelector("main").prepend(document.importNode(toast, true));
  }
  document.title = page.title;
  const live = [document.getElementById("live"), page.getElementById("live")];
  if (live[0] && live[1]) live[0].dataset.at = live[1].dataset.at;
  const now = page.querySelector("[data-moves]").dataset;
  table().dataset.seen = now.seen;
  table().dataset.start = now.start ?? "";
  goesOn(page, table().dataset.seen);
  return data(page);
}

// A long automatic continuation has a page that shows its progress; afterwards the page of the board begins with its film.
const LATER = "film-since";
export function goesOn(page, seen) {
  if (!page.getElementById("onward") || document.getElementById("onward")) return;
  try { sessionStorage.setItem(LATER, JSON.stringify([location.pathname, Number(seen)])); } catch { /* then without its film */ }
  location.assign(location.pathname);
}

// Return the entry after which a film must still be shown on this page; null if there is none.
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

// On a phone the panel is a drawer.
export function drawer() {
  const handle = document.querySelector(".play-handle");
  handle?.addEventListener("click", () => {
    const open = document.querySelector(".play-side").classList.toggle("is-open");
    handle.setAttribute("aria-expanded", String(open));
  });
}

// Show the selection and its acts in the bar. The first act that is `main` is the only filled button.
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
