// Everything works without this file; it only saves readers some work.
"use strict";

// Texts of this file are attributes of its elements, in the reader's language.
const WORDS = document.currentScript.dataset;

// <button data-copy="#post">Copy</button> copies the text, or the value, of the element that it names. With data-open it also
// opens that address; with data-then it moves the focus to that field when the reader comes back. In a form it informs the
// server, too.
let comingBack = null;
document.addEventListener("click", async (event) => {
  const button = event.target.closest("[data-copy]");
  if (!button) return;
  if (button.type === "submit") event.preventDefault();
  const from = document.querySelector(button.dataset.copy);
  const text = "value" in from ? from.value : from.textContent;
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    // Without TLS a browser has no clipboard for scripts: select the text, so that the reader can copy it.
    from.hidden = false;
    const fold = from.closest("details");
    if (fold) fold.open = true;
    if (from.select) from.select();
    else getSelection().selectAllChildren(from);
    return;
  }
  if (button.type === "submit" && button.form) {
    const facts = new FormData(button.form, button);
    fetch(button.form.action, { method: "POST", body: facts, headers: { "X-Requested-With": "fetch" } }).catch(() => {});
  }
  if (button.dataset.then) comingBack = { field: button.dataset.then, place: button.dataset.open ?? "" };
  if (button.dataset.open) open(button.dataset.open, "_blank", "noopener");
  const label = button.dataset.label ?? button.innerHTML;
  button.dataset.label = label;
  button.textContent = WORDS.copied;
  setTimeout(() => { button.innerHTML = label; }, 2000);
});

// After the visit to the thread, put the link that was copied there into its field, if the browser lets a page read it.
async function pasteLink(field, place) {
  const text = (await navigator.clipboard.readText()).trim();
  if (/^https?:\/\/\S+$/.test(text) && (!place || new URL(text).host === new URL(place).host)) field.value = text;
}
addEventListener("focus", async () => {
  const field = comingBack && document.querySelector(comingBack.field);
  if (!field) return;
  const { place } = comingBack;
  comingBack = null;
  field.focus();
  try {
    const allowed = await navigator.permissions.query({ name: "clipboard-read" });
    if (allowed.state === "granted") await pasteLink(field, place);
  } catch { /* this browser asks each time: the button does it */ }
});
for (const button of document.querySelectorAll("[data-paste]")) {
  if (!navigator.clipboard?.readText) continue;
  button.hidden = false;
  button.addEventListener("click", async () => {
    const field = document.querySelector(button.dataset.paste);
    try { await pasteLink(field, ""); } catch { field.focus(); }
  });
}

// <form data-select>: a bar for the boxes that are ticked, and a box that ticks all of them.
for (const form of document.querySelectorAll("form[data-select]")) {
  const all = form.querySelector("[data-all]"), bar = form.querySelector(".bulk"), text = bar.querySelector("[data-count]");
  const boxes = () => [...form.querySelectorAll("input[name=post]")];
  const count = () => {
    const ticked = boxes().filter((box) => box.checked).length;
    bar.hidden = !ticked;
    text.textContent = text.dataset.count.replace("{n}", ticked);
    if (all) all.querySelector("input").checked = ticked > 0 && ticked === boxes().length;
  };
  if (all) {
    all.hidden = boxes().length < 2;
    all.addEventListener("change", () => { for (const box of boxes()) box.checked = all.querySelector("input").checked; count(); });
  }
  form.addEventListener("change", count);
  count();
}

// Announce messages to screen readers: they do not read a message that is part of a new page, so that its text is copied into
// an element that existed before.
let voice = null;
function speak(root) {
  const words = [...root.querySelectorAll("[data-toast]")].map((toast) => {
    const copy = toast.cloneNode(true);
    for (const control of copy.querySelectorAll("form, button, a")) control.remove();
    return copy.textContent.trim();
  }).join(" ");
  if (!words) return;
  if (!voice) {
    voice = document.createElement("p");
    voice.id = "spoken";
    voice.className = "sr";
    voice.setAttribute("role", "status");
  }
  voice.textContent = "";
  document.body.append(voice); // htmx has replaced the body
  setTimeout(() => { voice.textContent = words; }, 200);
}
speak(document);

// A message of success disappears after a while, also after htmx has added it, but not under the pointer or with the focus on
// Undo.
function dismiss(root) {
  for (const toast of root.querySelectorAll("[data-toast]")) {
    const go = () => {
      if (toast.matches(":hover, :focus-within")) setTimeout(go, 2000);
      else toast.remove();
    };
    setTimeout(go, 8000);
  }
}
dismiss(document);
document.addEventListener("htmx:load", (event) => {
  dismiss(event.target);
  speak(event.target);
});

// htmx replaces the page: keyboard users continue at the element where they were, not at the top.
const HELD = "select, textarea, input:not([type=hidden]), button, a.button, a";
let places = null; // the ids of the elements around the focus, from the inside out: a closed form no longer exists, but its container does
function remember() {
  if (document.activeElement === document.body) return;
  places = [];
  for (let element = document.activeElement; element; element = element.parentElement) if (element.id && element.id !== "main") places.push(element.id);
}
document.addEventListener("htmx:configRequest", remember);
document.addEventListener("htmx:beforeSwap", remember);
document.addEventListener("htmx:afterSettle", () => {
  if (!places || document.activeElement !== document.body) return;
  const found = places.map((id) => document.getElementById(id)).find(Boolean) ?? document.querySelector("#main");
  const held = HELD.split(", ").map((selector) => found.id !== "main" && found.querySelector(selector)).find(Boolean);
  if (!held && found.tabIndex < 0) found.tabIndex = -1;
  (held || found).focus({ preventScroll: true });
});

// The consequences of a form were requested; if the reader has changed the form since, the answer is out of date and the form
// stays: the change itself requests them again as soon as this answer has arrived.
const chosenIn = (fields) => [...fields.querySelectorAll("[name]")].map((field) =>
  (field.type === "checkbox" || field.type === "radio" ? field.checked : field.value)).join("\n");
document.addEventListener("htmx:beforeRequest", ({ detail }) => {
  if (detail.elt.matches(".fields")) detail.elt.asked = chosenIn(detail.elt);
});
document.addEventListener("htmx:beforeSwap", ({ detail }) => {
  const { elt } = detail.requestConfig;
  if (elt.matches(".fields") && elt.isConnected && elt.asked !== chosenIn(elt)) detail.shouldSwap = false;
});

// Scroll to content that a button has added below the fold, but not while the reader is typing.
document.addEventListener("htmx:afterOnLoad", (event) => {
  const { elt, requestConfig } = event.detail;
  if (requestConfig.triggeringEvent?.type !== "submit" || !elt.dataset.brings) return;
  document.querySelector(elt.dataset.brings)?.scrollIntoView({ block: "nearest" });
});

// On a phone the sheets at the side and most groups are folded until they are opened; so are those that are added later, unless
// the reader has opened them before.
const opened = new Map();
document.addEventListener("click", (event) => {
  const link = event.target.closest("a[data-opens]");
  const group = link && document.getElementById(link.hash.slice(1));
  if (group) group.open = true; // before the browser scrolls there
});
function fold(root) {
  if (!matchMedia("(width < 48rem)").matches) return;
  const here = location.hash.length > 1 ? document.getElementById(location.hash.slice(1)) : null;
  for (const group of root.querySelectorAll("details[data-fold]"))
    group.open = group.contains(here) || (opened.get(group.id) ?? ("keep" in group.dataset || group.querySelector(".is-open") !== null));
}
fold(document);
document.addEventListener("htmx:load", (event) => event.target !== document.body && fold(event.target.parentNode));
document.addEventListener("click", (event) => {
  const group = event.target.closest?.("details[data-fold] > summary")?.parentNode;
  if (group) opened.set(group.id, !group.open);
});
// If the address names a place, everything is laid out before scrolling to it (table.css).
function aim() {
  const to = document.getElementById(location.hash.slice(1));
  if (to) document.documentElement.dataset.aimed = "";
  if (to?.matches("details")) to.open = true;
  return to;
}
if (performance.getEntriesByType("navigation")[0]?.type === "navigate") aim()?.scrollIntoView();
else aim(); // loaded again, or back in the history: the browser knows the position
addEventListener("hashchange", () => aim()?.scrollIntoView());

// Propose the browser's own time zone at sign-up.
for (const select of document.querySelectorAll("select[data-zone]")) {
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  if (select.value === "UTC" && [...select.options].some((option) => option.value === zone)) select.value = zone;
}

// Report a part of the page that could not be loaded; typed text stays.
function failed(text) {
  document.querySelector("[data-failed]")?.remove();
  const banner = document.createElement("div");
  banner.className = "banner banner--bad";
  banner.dataset.failed = "";
  banner.setAttribute("role", "alert");
  const inner = document.createElement("div");
  inner.className = "banner__text";
  inner.textContent = text;
  banner.append(inner);
  document.querySelector("#main").prepend(banner);
  banner.scrollIntoView({ block: "nearest" });
}
document.addEventListener("htmx:responseError", (event) => {
  const { status } = event.detail.xhr;
  const wait = Number(event.detail.xhr.getResponseHeader("Retry-After"));
  const words = event.detail.xhr.getResponseHeader("Content-Type")?.startsWith("text/plain");
  if (status === 503 && words) failed(event.detail.xhr.responseText);
  else if (status === 429) failed(WORDS.tries.replace("{minutes}", Math.max(1, Math.ceil(wait / 60))));
  else if (status < 500) failed(WORDS.refused);
  else failed(WORDS.broken);
});

// Report a missing connection at once, also before a form of another page is sent and its text lost. A browser may believe that
// it is offline beside a server on its own machine: the server is asked.
document.addEventListener("htmx:sendError", () => failed(WORDS.offline));
// A browser may think itself offline beside a server on its own machine: the server is asked.
async function reached() {
  if (navigator.onLine) return true;
  try {
    await fetch(location.href, { method: "HEAD", cache: "no-store" });
    return true;
  } catch {
    return navigator.onLine; // the connection may have come back meanwhile
  }
}
document.addEventListener("submit", async (event) => {
  const form = event.target;
  if (navigator.onLine || "reached" in form.dataset || form.closest("[hx-post],[hx-get]")) return;
  event.preventDefault();
  if (!(await reached())) {
    failed(WORDS.offline);
    return;
  }
  form.dataset.reached = "";
  form.requestSubmit(event.submitter);
  delete form.dataset.reached;
});
window.addEventListener("offline", async () => { if (!(await reached())) failed(WORDS.offline); });
window.addEventListener("online", () => document.querySelector("[data-failed]")?.remove());

// Offer the film of everything that has happened since this browser last showed the campaign, at least half an hour ago. The
// time is stored only in this browser.
const AWAY = 30 * 60 * 1000;
for (const link of document.querySelectorAll("[data-since]")) {
  const [last, key] = [Number(link.dataset.since), `visit-${link.dataset.campaign}`];
  let visit = null;
  try {
    visit = JSON.parse(localStorage.getItem(key));
    const fresh = !visit || Date.now() - visit.at > AWAY || visit.seen > last;
    visit = { since: fresh ? Math.min(visit?.seen ?? last, last) : visit.since, seen: last, at: Date.now() };
    localStorage.setItem(key, JSON.stringify(visit));
  } catch {
    continue; // a browser without storage knows no last visit
  }
  if (visit.since >= last) continue;
  link.href += `?since=${visit.since}&to=${last}`;
  link.querySelector("span").textContent = link.dataset.text.replace("{first}", visit.since + 1).replace("{last}", last);
  link.hidden = false;
}

// The board of a first game offers the lesson once: until it is declined, or something is done on the board.
for (const offer of document.querySelectorAll("[data-offer]")) {
  const key = `offer-${offer.dataset.offer}`;
  const close = () => {
    offer.remove();
    try { localStorage.setItem(key, "1"); } catch { /* a browser that keeps nothing is asked again */ }
  };
  try { if (localStorage.getItem(key)) { offer.remove(); continue; } } catch { /* as above */ }
  offer.querySelector("[data-offer-close]").hidden = false;
  document.addEventListener("click", ({ target }) => {
    if (offer.isConnected && target.closest?.("[data-offer-close], .play-bar button, .m-hits")) close();
  });
}
