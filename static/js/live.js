// Other users' moves appear without loading the page. What the reader types, has opened or selected stays unchanged. If the
// site offers it, events say when to ask for news (web/frame/stream.py); otherwise the page polls.

import { sound } from "./sounds.js";

const EVERY = 30000;
const OFTEN = 1500; // while programs play on
const LONGEST = 60000;
const PART = "section[id], section[aria-labelledby], details[id], main .banner[id], nav.tabs, ol.order, p.head__meta, .purse-bar, #bell";
const HELD = ".map, #province[data-province], .is-lifted, #live";
let wait = document.getElementById("onward") ? OFTEN : EVERY;
let timer = 0;
let asking = false;
let again = false; // there was another event during the request
let failed = false;

const waits = () => document.querySelector("#waits a.button") !== null;

function later() {
  clearTimeout(timer);
  if (!document.hidden && navigator.onLine && !(listening && !failed)) timer = setTimeout(ask, wait);
}

// The stream of events. Without it, or if it fails, the page polls.
const SILENT = 70000;
const SOON = 80; // several events together cause a single request
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
  stream.addEventListener("hello", () => { listening = true; pause = FIRST; expectEvents(); ask(); }); // ask for what moved before the connection
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
  retry = setTimeout(listen, pause * (0.5 + Math.random())); // not all pages at the same time
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
  // With a target, the answer leaves messages to the next whole page (web/frame/messages.py).
  const headers = { "HX-Request": "true", "HX-Target": "live", ...conditions };
  const answer = await fetch(url, { headers, cache: "no-store", redirect: "error" });
  if (answer.status === 304) return null;
  if (!answer.ok) throw Object.assign(new Error(answer.statusText), { status: answer.status });
  return new DOMParser().parseFromString(await answer.text(), "text/html");
}

async function ask() {
  const here = document.getElementById("live");
  if (asking) again = true;
  if (asking || document.hidden || !here) return later();
  if (document.body.classList.contains("is-film")) { // the page must not be ahead of the film on its board
    clearTimeout(timer);
    timer = setTimeout(ask, OFTEN);
    return;
  }
  asking = true;
  clearTimeout(timer);
  again = failed = false;
  try {
    const { at } = here.dataset;
    // The open notice also counts the entries of earlier answers.
    const counted = here.querySelector(".live__text")?.dataset.count || 0;
    const url = `${here.dataset.url}?at=${encodeURIComponent(at)}&counted=${counted}`;
    const news = (await get(url, { "If-None-Match": `"${at}"` }))?.querySelector("[data-at]");
    if (news && here.dataset.at === at) { // otherwise the reader has moved meanwhile and has the news
      const onward = document.getElementById("onward");
      if (document.querySelector("[data-moves]") && !onward) { // a board shows news as a film
        here.dataset.at = news.dataset.at;
        document.dispatchEvent(new Event("table:moved"));
      } else {
        const page = "parts" in here.dataset ? await get(location.href.split("#")[0]) : null;
        // The automatic continuation has ended: the page is another one now.
        if (page && onward && !page.getElementById("onward")) return location.reload();
        const waited = waits();
        if (here.isConnected) showNews(here, news, page ? renew(page) : []);
        if (!waited && waits()) sound("turn");
      }
    }
    wait = document.getElementById("onward") ? OFTEN : EVERY;
  } catch (error) {
    if (error.status >= 400 && error.status < 500 && error.status !== 429) return leave(); // this reader may no longer see it
    wait = Math.min(wait * 2, LONGEST);
    failed = true;
  } finally {
    asking = false;
  }
  if (again) return ask();
  later();
}

// Show what is new, and whether something on the page is out of date.
function showNews(here, news, stale) {
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
    const hint = document.createElement("p");
    hint.className = "small muted";
    hint.append(stale.length ? `${here.dataset.kept} ` : "", again);
    text.append(hint);
  }
  const close = document.createElement("button");
  close.type = "button";
  close.className = "button button--quiet button--small";
  close.textContent = here.dataset.close;
  close.addEventListener("click", () => here.replaceChildren());
  here.replaceChildren(text, close);
}

// Update every part of the page that the reader is not using; return those that are out of date but stay.
function renew(page) {
  const anchor = [...document.querySelectorAll(PART)].find((part) => part.getBoundingClientRect().bottom > innerHeight / 3);
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
    const copy = document.importNode(fresh, true);
    keepOpen(old, copy);
    old.replaceWith(copy);
    awake(copy);
  }
  for (const fresh of page.querySelectorAll(PART)) {
    if (!key(fresh) || named(document, key(fresh))) continue;
    const copy = document.importNode(fresh, true);
    const before = beside(fresh, "previousElementSibling");
    const after = !before && beside(fresh, "nextElementSibling");
    if (before) before.after(copy);
    else if (after) after.before(copy);
    else if (fresh.matches("main > *")) document.querySelector("main").append(copy);
    else continue;
    awake(copy);
  }
  const now = from && named(document, from.key);
  if (now && scrollY > 0) scrollBy({ top: now.getBoundingClientRect().top - from.top, behavior: "instant" });
  return stale;
}

// Return the nearest sibling of a new part that is on the page already.
function beside(fresh, way) {
  for (let sibling = fresh[way]; sibling; sibling = sibling[way]) {
    const here = sibling.matches(PART) && key(sibling) && named(document, key(sibling));
    if (here) return here;
  }
  return null;
}

function awake(copy) {
  window.htmx?.process(copy);
  copy.dispatchEvent(new CustomEvent("htmx:load", { bubbles: true }));
}

const key = (part) => part.id || part.getAttribute("aria-labelledby") || part.className;
function named(root, name) {
  return [...root.querySelectorAll(PART)].find((part) => key(part) === name);
}

// The map stays in place: only its variable parts are replaced, and the owners in labels. The focus on a province is kept.
function draw(page) {
  const svg = document.querySelector(".map__svg");
  if (!svg) return;
  // The titles that are shown and the tab stop belong to map.js.
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

// Return what a reader has typed or chosen in a part, or could.
function typed(root) {
  return [...root.querySelectorAll("input[name]:not([type=hidden]), select, textarea")].map((field) =>
    `${field.name} ${field.type === "checkbox" || field.type === "radio" ? `${field.value} ${field.checked}` : field.value}`);
}

const older = (old, fresh) => !fresh || old.querySelector("[name=seen]") !== null || old.textContent !== fresh.textContent;

function keepOpen(old, copy) {
  const open = (root) => [...(root.matches("details") ? [root] : []), ...root.querySelectorAll("details")];
  const before = new Map(open(old).map((fold) => [fold.id || fold.querySelector("summary")?.textContent, fold.open]));
  for (const fold of open(copy)) {
    const name = fold.id || fold.querySelector("summary")?.textContent;
    if (before.has(name)) fold.open = before.get(name);
  }
}

// A hidden page holds no connection: a browser has few of them for each site.
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
