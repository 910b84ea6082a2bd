// Pages of the reader's campaigns, readable without a connection as last loaded. `SET` is written before it
// (web/frame/browser.py).

const PAGES = "tabula-pages";
const FILES = "tabula-files";
const MOST_PAGES = 80;
const MOST_FILES = 200;
const PATIENCE = 8000;
const OUTLINES = /\/maps\/[0-9a-f]{20}\.svg$/; // of a map: they never change

self.addEventListener("install", (event) => {
  event.waitUntil((async () => {
    const files = await caches.open(FILES);
    await Promise.allSettled(SET.files.map((url) => files.add(new Request(url, { cache: "reload" }))));
    await files.add(new Request(SET.offline, { cache: "reload" }));
    await self.skipWaiting();
  })());
});

self.addEventListener("activate", (event) => {
  event.waitUntil(self.clients.claim());
});

async function trim(name, most) {
  const cache = await caches.open(name);
  const keys = await cache.keys();
  await Promise.all(keys.slice(0, Math.max(0, keys.length - most)).map((key) => cache.delete(key)));
}

// The stored pages belong to a single reader: a page of another reader, or of none, deletes them.
async function whose(answer) {
  const reader = answer.headers.get(SET.reader);
  if (reader === null) return;
  const files = await caches.open(FILES);
  const known = await (await files.match("/tabula-reader"))?.text();
  if (known === reader) return;
  await caches.delete(PAGES);
  await files.put("/tabula-reader", new Response(reader));
}

// Files of a stored page: the browser may have cached them before this worker existed, and then never requests them here.
async function needed(text) {
  const files = await caches.open(FILES);
  const paths = new Set([...text.matchAll(/(?:href|src)="(\/[^"#]*)/g)].map(([, path]) => path));
  await Promise.allSettled([...paths].filter((path) => path.startsWith(SET.static) || OUTLINES.test(path)).map(async (path) => {
    if (!(await files.match(path))) await files.add(path);
  }));
  await trim(FILES, MOST_FILES);
}

async function keep(request, answer) {
  if (answer.status !== 200 || answer.redirected || !answer.headers.has(SET.keep)) return;
  if ((answer.headers.get("Cache-Control") ?? "").includes("no-store")) return;
  const headers = new Headers(answer.headers);
  headers.set("Tabula-Kept", new Date().toISOString());
  const pages = await caches.open(PAGES);
  const url = request.url.split("#")[0];
  await pages.delete(url); // so that it is last, and deleted last
  const text = await answer.text();
  await pages.put(url, new Response(text, { status: 200, headers }));
  await trim(PAGES, MOST_PAGES);
  await needed(text);
}

// The stored page, with the time when it was loaded: its own script shows it.
async function kept(request) {
  const page = await (await caches.open(PAGES)).match(request.url.split("#")[0]);
  if (!page) return null;
  const text = await page.text();
  const headers = new Headers(page.headers);
  headers.delete("Content-Encoding");
  headers.delete("Content-Length");
  return new Response(text.replace("<html ", `<html data-kept="${headers.get("Tabula-Kept")}" `), { status: 200, headers });
}

async function page(event) {
  const { request } = event;
  const old = await kept(request);
  const asked = fetch(request);
  asked.catch(() => {});
  try {
    const answer = await (old ? Promise.race([asked, new Promise((_, no) => setTimeout(no, PATIENCE, new Error("late")))]) : asked);
    if (old && answer.status >= 502 && answer.status <= 504) return old;
    const copy = answer.clone();
    event.waitUntil(whose(copy).then(() => keep(request, copy)));
    return answer;
  } catch (error) {
    if (old) return old;
    return (await caches.match(SET.offline)) ?? Promise.reject(error);
  }
}

async function file(event) {
  const files = await caches.open(FILES);
  const old = await files.match(event.request);
  if (old && (SET.hashed || OUTLINES.test(event.request.url))) return old;
  try {
    const answer = await fetch(event.request);
    if (answer.status === 200 && answer.type === "basic") {
      const copy = answer.clone();
      event.waitUntil(files.put(event.request, copy).then(() => trim(FILES, MOST_FILES)));
    }
    return answer;
  } catch (error) {
    if (old) return old;
    throw error;
  }
}

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (url.origin !== self.location.origin) return;
  if (request.method === "POST" && url.pathname === SET.out) event.waitUntil(caches.delete(PAGES));
  if (request.method !== "GET") return;
  if (url.pathname.startsWith(SET.static) || OUTLINES.test(url.pathname)) event.respondWith(file(event));
  else if (request.mode === "navigate") event.respondWith(page(event));
});

// Show a notification: one for each campaign, which replaces the previous one without a sound.
self.addEventListener("push", (event) => {
  let news = {};
  try {
    news = event.data?.json() ?? {};
  } catch {
    // not from this site
  }
  event.waitUntil(self.registration.showNotification(news.title ?? "Tabula", {
    body: news.body ?? "", tag: news.tag ?? "tabula", icon: SET.icon, badge: SET.icon, silent: true,
    data: { url: news.url ?? "/notices/", urls: (news.buttons ?? []).map(([, url]) => url) },
    actions: (news.buttons ?? []).map(([title], at) => ({ action: String(at), title })),
  }));
});

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  const { url: whole = "/notices/", urls = [] } = event.notification.data ?? {};
  const url = new URL(urls[event.action] ?? whole, self.location.origin);
  if (url.origin !== self.location.origin) return;
  event.waitUntil((async () => {
    const [open] = await self.clients.matchAll({ type: "window" });
    if (open) {
      await open.focus().catch(() => {});
      await open.navigate(url.href).catch(() => self.clients.openWindow(url.href));
    } else await self.clients.openWindow(url.href);
  })());
});
