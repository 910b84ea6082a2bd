// Other people's moves come in by themselves. What the reader types in, has open or has marked stays as it is.
// Where the site offers it, events say when to ask (web/frame/stream.py); without them the page polls.

import { sound } from "./sounds.js";

const EVERY = 30000;
const OFTEN = 1500; // while programs play on
const LONGEST = 60000;
const PART = "section[id], section[aria-labelledby], details[id], main .banner[id], nav.tabs, ol.order, p.head__meta, .purse-bar, #bell";
const HELD = ".map, #province[data-province], .is-lifted, #live";
let wait = document.getElementById("onward") ? OFTEN : EVERY;
let timer = 0;
let asking = false;
let again = false; // something moved while it asked
let failed = false;

const waits = () => document.querySelector("#waits a.button") !== null;

function later() {
  clearTimeout(timer);
  if (!document.hidden && navigator.onLine && !(listening && !failed)) timer = setTimeout(ask, wait);
}

// The stream of events. Whatever is wrong with it, the page polls.
const SILENT = 70000;
const SOON = 80; // several things at once are asked for once
const FIRST = 4000;
const RARELY = 300000;
let stream = null;
let listening = false;
let silence = 0;
let retry = 0;
let pause = FIRST;

function listen() {
  clearTimeout(retry);
  const url = document.getElementById("live")?.dataset.stream;
  if (!url || stream || document.hidden || !navigator.onLine) return;
  stream = new EventSource(url);
  stream.addEventListener("hello", () => { listening = true; pause = FIRST; expectEvents(); ask(); }); // what moved before it was connected
  stream.addEventListener("moved", () => { expectEvents(); clearTimeout(timer); timer = setTimeout(ask, SOON); });
  stream.addEventListener("alive", expectEvents);
  stream.addEventListener("error", lost);
}

// Without a sign of life for a while, the stream counts as lost.
function expectEvents() {
  clearTimeout(silence);
  silence = setTimeout(lost, SILENT);
}

function lost() {
  leave();
  retry = setTimeout(listen, pause * (0.5 + Math.random())); // not all of them at once
  pause = Math.min(pause * 2, RARELY);
  later();
}

function leave() {
  stream?.close();
  stream = null;
  listening = false;
  clearTimeout(silence);
  clearTimeout(retry);
}

async function get(url, conditions = {}) {
  const headers = { "HX-Request": "true", ...conditions };
  const answer = await fetch(url, { headers, cache: "no-store", redirect: "error" });
  if (answer.status === 304) return null;
  if (!answer.ok) throw Object.assign(new Error(answer.statusText), { status: answer.status });
  return new DOMParser().parseFromString(await answer.text(), "text/html");
}

async function ask() {
  const here = document.getElementById("live");
  if (asking) again = true;
  if (asking || document.hidden || !here) return later();
  asking = true;
  clearTimeout(timer);
  again = failed = false;
  try {
    const { at } = here.dataset;
    // The open notice also counts the entries of earlier answers.
    const counted = here.querySelector(".live__text")?.dataset.count || 0;
    const url = `${here.dataset.url}?at=${encodeURIComponent(at)}&counted=${counted}`;
    const news = (await get(url, { "If-None-Match": `"${at}"` }))?.querySelector("[data-at]");
    if (news && here.dataset.at === at) { // else the reader has moved meanwhile, and knows it
      const onward = document.getElementById("onward");
      if (document.querySelector("[data-moves]") && !onward) { // a board shows what moved as a film
        here.dataset.at = news.dataset.at;
        document.dispatchEvent(new Event("table:moved"));
      } else {
        const page = "parts" in here.dataset ? await get(location.href.split("#")[0]) : null;
        // What was played on has come to its end: another page than the one that is open.
        if (page && onward && !page.getElementById("onward")) return location.reload();
        const waited = waits();
        if (here.isConnected) tell(here, news, page ? renew(page) : []);
        if (!waited && waits()) sound("turn");
      }
    }
    wait = document.getElementById("onward") ? OFTEN : EVERY;
  } catch (error) {
    if (error.status >= 400 && error.status < 500 && error.status !== 429) return leave(); // not ours to see any more
    wait = Math.min(wait * 2, LONGEST);
    failed = true;
  } finally {
    asking = false;
  }
  if (again) return ask();
  later();
}

// The mark: what moved, and whether something on the page is now of before.
function tell(here, news, stale) {
  here.dataset.at = news.dataset.at;
  if (document.getElementById("onward")) return; // its bar says enough
  const form = !("parts" in here.dataset) || stale.length > 0;
  for (const number of news.dataset.new.split(" ").filter(Boolean)) {
    const line = document.getElementById(`e${number}`);
    line?.classList.add("mark-new");
    const link = line && news.querySelector(`[data-entry="${number}"]`);
    if (link) link.href = `#e${number}`;
  }
  const text = news.querySelector(".live__text");
  if (!text) return;
  const earlier = here.querySelector(".live__text ul");
  if (earlier) text.querySelector("ul").prepend(...[...earlier.children].slice(-2));
  if (form) {
    const again = document.createElement("a");
    again.href = location.href.split("#")[0];
    again.textContent = here.dataset.again;
    const said = document.createElement("p");
    said.className = "small muted";
    said.append(stale.length ? `${here.dataset.kept} ` : "", again);
    text.append(said);
  }
  const close = document.createElement("button");
  close.type = "button";
  close.className = "button button--quiet button--small";
  close.textContent = here.dataset.close;
  close.addEventListener("click", () => here.replaceChildren());
  here.replaceChildren(text, close);
}

// Bring every part of the page up to date that nobody uses; those that stay though they are of before are returned.
function renew(page) {
  const anchor = [...document.querySelectorAll(PART)].find((one) => one.getBoundingClientRect().bottom > innerHeight / 3);
  const from = anchor && { key: key(anchor), top: anchor.getBoundingClientRect().top };
  const stale = [];
  draw(page);
  for (const old of [...document.querySelectorAll(PART)]) {
    if (!old.isConnected || !key(old) || old.closest(HELD)) continue;
    const fresh = named(page, key(old));
    if (fresh && old.isEqualNode(fresh)) continue;
    if (old.querySelector(HELD) || used(old, fresh)) {
      if (!old.querySelector(PART) && older(old, fresh)) stale.push(old);
      continue;
    }
    if (!fresh) {
      old.remove();
      continue;
    }
    const made = document.importNode(fresh, true);
    keepOpen(old, made);
    old.replaceWith(made);
    awake(made);
  }
  for (const fresh of page.querySelectorAll(PART)) {
    if (!key(fresh) || named(document, key(fresh))) continue;
    const made = document.importNode(fresh, true);
    const before = beside(fresh, "previousElementSibling");
    const after = !before && beside(fresh, "nextElementSibling");
    if (before) before.after(made);
    else if (after) after.before(made);
    else if (fresh.matches("main > *")) document.querySelector("main").append(made);
    else continue;
    awake(made);
  }
  for (const toast of page.querySelectorAll("main > [data-toast]")) {
    document.getElementById("live").after(document.importNode(toast, true));
    awake(document.querySelector("main"));
  }
  const now = from && named(document, from.key);
  if (now && scrollY > 0) scrollBy({ top: now.getBoundingClientRect().top - from.top, behavior: "instant" });
  return stale;
}

// What stands next to a part that is new, and is on the page already.
function beside(fresh, way) {
  for (let one = fresh[way]; one; one = one[way]) {
    const here = one.matches(PART) && key(one) && named(document, key(one));
    if (here) return here;
  }
  return null;
}

function awake(made) {
  window.htmx?.process(made);
  made.dispatchEvent(new CustomEvent("htmx:load", { bubbles: true }));
}

const key = (part) => part.id || part.getAttribute("aria-labelledby") || part.className;
function named(root, name) {
  return [...root.querySelectorAll(PART)].find((one) => key(one) === name);
}

// The map keeps its place: only what may differ on it is drawn anew, and who owns what is said. Whoever had come to a province by
// keys is there still, and comes back to it.
function draw(page) {
  const svg = document.querySelector(".map__svg");
  if (!svg) return;
  // Names that are shown and the way in by keys are map.js's own.
  const text = (part) => part.innerHTML.replace(/<title>[^<]*<\/title>| tabindex="-?\d"/g, "");
  for (const fresh of page.querySelectorAll(".map__svg [data-now]")) {
    const old = svg.querySelector(`[data-now="${fresh.dataset.now}"]`);
    if (!old || text(old) === text(fresh)) continue;
    const [at, here] = [old.querySelector('a[tabindex="0"]')?.getAttribute("href"), old.contains(document.activeElement)];
    old.innerHTML = fresh.innerHTML;
    for (const link of at ? old.querySelectorAll("a") : []) {
      const same = link.getAttribute("href") === at;
      link.setAttribute("tabindex", same ? "0" : "-1");
      if (same && here) link.focus({ preventScroll: true });
    }
  }
  for (const fresh of page.querySelectorAll(".map__svg .m-hits a")) {
    const old = svg.querySelector(`.m-hits a[href="${CSS.escape(fresh.getAttribute("href"))}"]`);
    if (!old || old.getAttribute("aria-label") === fresh.getAttribute("aria-label")) continue;
    old.setAttribute("aria-label", fresh.getAttribute("aria-label"));
    old.querySelector("title").textContent = fresh.querySelector("title").textContent;
  }
}

function used(old, fresh) {
  const focus = document.activeElement;
  if (focus && focus !== document.body && old.contains(focus)) return true;
  const marked = getSelection();
  if (marked && !marked.isCollapsed && marked.rangeCount && marked.getRangeAt(0).intersectsNode(old)) return true;
  const now = typed(old);
  return now.length > 0 && now.join("\n") !== (fresh ? typed(fresh).join("\n") : "");
}

// What a reader has written or chosen in a part, or could.
function typed(root) {
  return [...root.querySelectorAll("input[name]:not([type=hidden]), select, textarea")].map((one) =>
    `${one.name} ${one.type === "checkbox" || one.type === "radio" ? `${one.value} ${one.checked}` : one.value}`);
}

const older = (old, fresh) => !fresh || old.querySelector("[name=seen]") !== null || old.textContent !== fresh.textContent;

function keepOpen(old, made) {
  const open = (root) => [...(root.matches("details") ? [root] : []), ...root.querySelectorAll("details")];
  const before = new Map(open(old).map((one) => [one.id || one.querySelector("summary")?.textContent, one.open]));
  for (const one of open(made)) {
    const name = one.id || one.querySelector("summary")?.textContent;
    if (before.has(name)) one.open = before.get(name);
  }
}

// A page that nobody looks at holds no connection: a browser has few of them for a site.
function away() {
  leave();
  clearTimeout(timer);
}
function back() {
  wait = EVERY;
  ask();
  listen();
}
document.addEventListener("visibilitychange", () => { if (document.hidden) away(); else back(); });
window.addEventListener("online", back);
window.addEventListener("offline", away);
window.addEventListener("pagehide", away);
window.addEventListener("pageshow", (event) => { if (event.persisted) back(); });
listen();
later();
