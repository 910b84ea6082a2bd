// Data stored on this device: the age of a stored page, and forms that were filled in without a connection and wait to be sent.
(() => {
"use strict";

const W = document.currentScript.dataset;
const STORE = "tabula-waiting";
const ROOT = document.documentElement;
const READER = W.reader;
const MOST = 20;

if ("serviceWorker" in navigator) navigator.serviceWorker.register(W.worker, { scope: "/", updateViaCache: "none" }).catch(() => {});

function element(tag, css, text) {
  const node = document.createElement(tag);
  if (css) node.className = css;
  if (text) node.textContent = text;
  return node;
}
const SHORT = { day: "numeric", month: "short", hour: "2-digit", minute: "2-digit", hourCycle: "h23" };
const clock = (at) => new Intl.DateTimeFormat(ROOT.lang === "en" ? "en-GB" : ROOT.lang, SHORT).format(new Date(at));

function banner(text, tone, role) {
  const node = element("div", `banner${tone ? ` banner--${tone}` : ""} pocket-banner`);
  node.setAttribute("role", role);
  const inner = element("div", "banner__text");
  inner.append(element("p", "", text));
  node.append(inner);
  return node;
}

// The waiting forms. They belong to this reader: the page of another reader deletes them. A page without a known reader shows
// none.
function waiting() {
  if (!READER) return [];
  try {
    const all = JSON.parse(localStorage.getItem(STORE) ?? "[]");
    const own = all.filter((form) => form.reader === READER);
    if (own.length !== all.length) store(own);
    return own;
  } catch {
    return [];
  }
}
function store(all) {
  if (all.length) localStorage.setItem(STORE, JSON.stringify(all.slice(-MOST)));
  else localStorage.removeItem(STORE);
}
const drop = (id) => { store(waiting().filter((form) => form.id !== id)); show(); };

// The fields of a form that the user has filled in: no token, no hidden field, no password, no file.
const typed = (form) => [...form.elements].filter((field) => field.name && !["hidden", "submit", "button", "password", "file", "fieldset"].includes(field.type));
function given(form) {
  return typed(form).filter((field) => !["checkbox", "radio"].includes(field.type) || field.checked)
    .flatMap((field) => (field.type === "select-multiple" ? [...field.selectedOptions].map((chosen) => [field.name, chosen.value]) : [[field.name, field.value]]));
}
const texts = (form) => typed(form).filter((field) => ["text", "textarea", "search", "url", "number"].includes(field.type) && field.value).map((field) => field.value).join(" · ");
const own = (form) => [...form.elements].filter((field) => field.name && field.type === "hidden" && field.name !== "csrfmiddlewaretoken").map((field) => `${field.name}=${field.value}`);
const where = (form) => new URL(form.action, location.href).pathname;
const ours = (form) => form.method === "post" && where(form).startsWith("/c/") && READER.length > 1 && !form.querySelector("input[type=password], input[type=file]");

function wait(form, button) {
  const waits = {
    id: Math.random().toString(36).slice(2, 10), reader: READER, action: where(form), words: texts(form), page: location.pathname + location.search,
    title: document.title, at: Date.now(), given: given(form), own: own(form), form: form.id,
    button: button ? { name: button.name, value: button.value, text: button.textContent.trim() } : null,
  };
  store([...waiting(), waits]);
  show();
  document.getElementById("waiting")?.scrollIntoView({ block: "nearest" });
}

function show() {
  document.getElementById("waiting")?.remove();
  const all = waiting();
  if (!all.length) return;
  const box = banner(W.waits, "warn", "status");
  box.id = "waiting";
  const list = element("ul", "pocket");
  for (const kept of all) {
    const line = element("li");
    const words = kept.words || kept.button?.text || "";
    line.append(element("strong", "", kept.title), element("span", "small muted", ` ${clock(kept.at)}`), element("p", "pocket__words", words.slice(0, 200)));
    const row = element("p", "row");
    const look = element("a", "button button--small button--primary", W.look);
    look.href = `${kept.page.split("#")[0]}#waiting=${kept.id}`;
    look.addEventListener("click", () => { if (look.pathname === location.pathname && look.search === location.search) setTimeout(() => location.reload(), 0); });
    const away = element("button", "button button--small button--quiet", W.away);
    away.type = "button";
    away.addEventListener("click", () => drop(kept.id));
    row.append(look, away);
    line.append(row);
    list.append(line);
  }
  box.firstChild.append(list);
  document.getElementById("main").prepend(box);
}

// Put a waiting form into the current page; it is sent when the reader presses the button.
function likeness(form, kept) {
  if (!ours(form) || where(form) !== kept.action) return -1;
  const names = new Set(typed(form).map((field) => field.name));
  if (kept.given.some(([name]) => !names.has(name))) return -1;
  if (kept.button?.name && ![...form.querySelectorAll("button")].some((button) => button.name === kept.button.name && button.value === kept.button.value)) return -1;
  const here = new Set(own(form));
  return (form.id && form.id === kept.form ? 100 : 0) + kept.own.filter((pair) => here.has(pair)).length;
}
function bring(id) {
  const kept = waiting().find((kept) => kept.id === id);
  if (!kept || "kept" in ROOT.dataset) return;
  const [form] = [...document.forms].filter((each) => likeness(each, kept) >= 0).sort((a, b) => likeness(b, kept) - likeness(a, kept));
  if (!form) {
    document.getElementById("main").prepend(banner(W.gone, "bad", "alert"));
    return;
  }
  for (const field of typed(form)) {
    const values = kept.given.filter(([name]) => name === field.name).map(([, value]) => value);
    if (["checkbox", "radio"].includes(field.type)) field.checked = values.includes(field.value);
    else if (field.type === "select-multiple") for (const each of field.options) each.selected = values.includes(each.value);
    else if (values.length) field.value = values[0];
  }
  for (let up = form.parentElement; up; up = up.parentElement) if (up.tagName === "DETAILS") up.open = true;
  const note = banner(W.now.replace("{time}", clock(kept.at)), "warn", "status");
  form.prepend(note);
  form.dataset.waits = kept.id;
  const button = [...form.querySelectorAll("button")].find((each) => kept.button && each.name === kept.button.name && each.value === kept.button.value) ?? form.querySelector("button");
  form.scrollIntoView({ block: "center" });
  button?.focus();
}

async function reached() {
  try {
    await fetch(location.href, { method: "HEAD", cache: "no-store" });
    return true;
  } catch {
    return false;
  }
}
addEventListener("submit", async (event) => {
  const form = event.target;
  if (!ours(form)) return;
  const before = "kept" in ROOT.dataset;
  if ("sent" in form.dataset || (navigator.onLine && !before)) {
    if (form.dataset.waits) store(waiting().filter((kept) => kept.id !== form.dataset.waits));
    return;
  }
  event.preventDefault();
  event.stopImmediatePropagation();
  const button = event.submitter;
  if (!before && (await reached())) {
    form.dataset.sent = "";
    form.requestSubmit(button);
    delete form.dataset.sent;
    return;
  }
  if (form.dataset.waits) store(waiting().filter((kept) => kept.id !== form.dataset.waits));
  wait(form, button);
}, true);

if (ROOT.dataset.kept) {
  const box = banner(W.kept.replace("{time}", clock(ROOT.dataset.kept)), "warn", "status");
  box.id = "kept";
  const again = element("a", "button button--small", W.again);
  again.href = location.href.split("#")[0];
  box.append(element("div", "banner__do"));
  box.lastChild.append(again);
  document.getElementById("main").prepend(box);
}
show();
const asked = /^#waiting=([a-z0-9]+)$/.exec(location.hash);
if (asked) bring(asked[1]);

// The page for missing connections: what is stored here.
const listed = document.getElementById("kept-pages");
if (listed) (async () => {
  const pages = await caches.open("tabula-pages");
  for (const key of (await pages.keys()).reverse()) {
    const page = await pages.match(key);
    const text = await page.text();
    const line = element("li");
    const link = element("a", "", new DOMParser().parseFromString(text.slice(0, 4000), "text/html").title || key.url);
    link.href = key.url;
    line.append(link, element("span", "small muted", ` ${clock(page.headers.get("Tabula-Kept"))}`));
    listed.append(line);
  }
  if (!listed.children.length) listed.append(element("li", "muted", listed.dataset.none));
})();

// If the browser can install the site, show a button for it.
let offer = null;
addEventListener("beforeinstallprompt", (event) => {
  offer = event;
  for (const button of document.querySelectorAll("[data-install]")) button.hidden = false;
});
document.addEventListener("click", (event) => {
  if (!event.target.closest?.("[data-install]") || !offer) return;
  offer.prompt();
  offer = null;
});

// Ask the browser's push service for an address, which is sent with the form.
const bytes = (text) => Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (sign) => sign.charCodeAt(0));
for (const form of document.querySelectorAll("form[data-device]")) {
  if (!("PushManager" in window) || !("serviceWorker" in navigator)) {
    form.querySelector("[data-device-none]").hidden = false;
    form.querySelector("button").disabled = true;
    continue;
  }
  form.addEventListener("submit", async (event) => {
    const field = form.elements.subscription;
    if (field.value) return;
    event.preventDefault();
    try {
      if ((await Notification.requestPermission()) !== "granted") throw new Error("denied");
      const worker = await navigator.serviceWorker.ready;
      const key = bytes(form.dataset.device);
      const before = await worker.pushManager.getSubscription();
      const same = before && String(new Uint8Array(before.options.applicationServerKey)) === String(key);
      if (before && !same) await before.unsubscribe();
      const now = same ? before : await worker.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
      field.value = JSON.stringify(now);
      form.requestSubmit();
    } catch {
      document.getElementById("device-denied")?.remove();
      const box = banner(form.dataset.denied, "bad", "alert");
      box.id = "device-denied";
      form.prepend(box);
    }
  });
}
})();
