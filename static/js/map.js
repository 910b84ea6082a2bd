// The map moves by pointers, wheel and keys. Without this file the regions' radio buttons move it and every province is a link.
"use strict";

const NEAREST = 8;
const MINE = /^#at=(-?[\d.]+),(-?[\d.]+),([\d.]+)$/;
const SMALL = 704; // 44rem: below it map.css makes names larger
const GLIDE = 420; // milliseconds
const CALM = matchMedia("(prefers-reduced-motion: reduce)");

// A map on the page. Its position is a centre in the drawing's own units and the zoom relative to the whole map.
class Sheet {
  constructor(map) {
    this.map = map;
    this.svg = map.querySelector(".map__svg");
    this.view = this.svg.closest(".map__view"); // a separate box, since an SVG that glides is painted anew each time
    this.world = map.querySelector(".map__world");
    if (this.view) this.view.style.transform = ""; // the page may have been left during a glide and restored in that state
    this.home = this.world.getAttribute("style") ?? "";
    this.whole = map.querySelector("[name=region]");
    this.size = this.svg.viewBox.baseVal;
    this.listen();
    map.dataset.hand = ""; // from here on this file handles touches; without a script the browser does
    if (this.whole && MINE.test(location.hash)) this.go(...MINE.exec(location.hash).slice(1).map(Number));
  }

  get links() {
    return [...this.map.querySelectorAll(".m-hits a")];
  }

  // Its position, read from the browser, since a region's radio button moves it by style only.
  now() {
    this.settle();
    const at = new DOMMatrix(getComputedStyle(this.world).transform);
    const zoom = at.a || 1;
    return { x: this.size.width / 2 - at.e / zoom, y: this.size.height / 2 - at.f / zoom, zoom };
  }

  // A point of the window in units of the sheet, before the drawing is moved.
  point(x, y) {
    return new DOMPoint(x, y).matrixTransform(this.svg.getScreenCTM().inverse());
  }

  seen() {
    const box = this.svg.getBoundingClientRect();
    const [a, b] = [this.point(box.left, box.top), this.point(box.right, box.bottom)];
    return { width: b.x - a.x, height: b.y - a.y };
  }

  // Glide from one position to another; `moved` moves it there, and `to` says where that is if it is known before. Painting
  // each frame takes a browser too long: so the painted image is moved, the old one when zooming in, the new one when zooming
  // out. If neither shows enough of both positions, there is no glide.
  glide(from, moved, to = null) {
    const before = to?.zoom > from.zoom; // glide first, paint afterwards
    if (!before) moved();
    to ??= this.now();
    const nearer = to.zoom > from.zoom;
    const [wide, near] = nearer ? [from, to] : [to, from];
    const seen = this.seen();
    const inside = (off, all) => Math.abs(off) <= all * (0.6 / wide.zoom - 0.5 / near.zoom);
    const both = near.zoom / wide.zoom > 1.01 && inside(to.x - from.x, seen.width) && inside(to.y - from.y, seen.height);
    if (CALM.matches || !this.view || !both) return before ? moved() : undefined;
    const unit = this.svg.getScreenCTM().a * near.zoom;
    const off = nearer ? [from.x - to.x, from.y - to.y] : [to.x - from.x, to.y - from.y];
    const last = this.world.getAttribute("style") ?? "";
    if (nearer && !before) this.world.style.transform = this.placed(from);
    this.stop = this.slide(off.map((distance) => distance * unit), near.zoom / wide.zoom, nearer);
    this.ends = before ? moved : () => this.world.setAttribute("style", last);
  }

  // Move the image by `off` pixels and scale it by `times`, or back from there; `settle` ends it. Frame by frame: for an
  // animation of its own the browser would paint the image at its largest size, before and after.
  slide(off, times, away) {
    let frame, began;
    const show = (left) => {
      const at = away ? 1 - left : left;
      this.view.style.transform = `translate(${off.map((distance) => `${distance * at}px`).join()}) scale(${1 + (times - 1) * at})`;
    };
    const step = (now) => {
      began ??= now;
      if (now - began >= GLIDE) return this.settle();
      show((1 - (now - began) / GLIDE) ** 3);
      frame = requestAnimationFrame(step);
    };
    show(1);
    frame = requestAnimationFrame(step);
    return () => {
      cancelAnimationFrame(frame);
      this.view.style.transform = "";
    };
  }

  settle(ends = this.ends) {
    if (!this.stop) return;
    this.stop();
    this.stop = null;
    ends?.();
  }

  placed({ x, y, zoom }) {
    return `scale(${zoom}) translate(${this.size.width / 2 - x}px,${this.size.height / 2 - y}px)`;
  }

  go(x, y, zoom, slowly = false) {
    this.settle();
    if (zoom <= 1.02 && this.whole) return slowly ? this.glide(this.now(), () => this.rest()) : this.rest();
    const to = this.held(x, y, zoom);
    if (slowly) this.glide(this.now(), () => this.stand(to), to);
    else this.stand(to);
  }

  // The nearest position at which no edge of the drawing is visible.
  held(x, y, zoom) {
    const near = Math.min(NEAREST, Math.max(1, zoom));
    const { width, height } = this.size;
    const seen = this.seen();
    const held = (at, all, part) => {
      const half = Math.min(all, part / near) / 2;
      return Math.min(all - half, Math.max(half, at));
    };
    return { x: held(x, width, seen.width), y: held(y, height, seen.height), zoom: near };
  }

  stand(place) {
    const small = this.map.clientWidth < SMALL; // read first: after any change the answer needs a layout
    this.world.style.transform = this.placed(place);
    // Names grow more slowly than the land: zooming in uncovers more of it.
    this.world.style.setProperty("--k", ((small ? 1.7 : 1) * place.zoom ** -0.52).toFixed(3));
    this.map.dataset.near = "";
    for (const region of this.map.querySelectorAll("[name=region]")) region.checked = false;
    this.keep(`#at=${place.x.toFixed(0)},${place.y.toFixed(0)},${place.zoom.toFixed(2)}`);
  }

  // The initial position, or that of a region's radio button.
  rest(whole = this.whole) {
    this.world.setAttribute("style", this.home);
    delete this.map.dataset.near;
    if (whole) whole.checked = true;
    this.keep("");
  }

  // The position is stored in the address, so that it can be shared and restored; another fragment is left alone.
  keep(place) {
    if (!this.whole) return;
    clearTimeout(this.later);
    this.later = setTimeout(() => {
      if (location.hash === "" || MINE.test(location.hash) || place) {
        history.replaceState(history.state, "", place || location.pathname + location.search);
      }
    }, 250);
  }

  zoom(times, at = null, slowly = false) {
    const { x, y, zoom } = this.now();
    const next = Math.min(NEAREST, zoom * times);
    const off = at ? { x: at.x - this.size.width / 2, y: at.y - this.size.height / 2 } : { x: 0, y: 0 };
    this.go(x + off.x / zoom - off.x / next, y + off.y / zoom - off.y / next, next, slowly);
  }

  pan(dx, dy) {
    const { x, y, zoom } = this.now();
    this.go(x - dx / zoom, y - dy / zoom, zoom);
  }

  get near() {
    return this.now().zoom > 1.02;
  }

  listen() {
    this.svg.addEventListener("wheel", (event) => {
      if (!event.ctrlKey && !event.metaKey) return; // the page scrolls
      event.preventDefault();
      this.settle();
      this.zoom(Math.exp(-event.deltaY * (event.deltaMode ? 0.05 : 0.003)), this.point(event.clientX, event.clientY));
    }, { passive: false });
    this.svg.addEventListener("dragstart", (event) => event.preventDefault());
    this.mouse();
    this.fingers();
    this.svg.addEventListener("keydown", (event) => this.key(event));
    // On the map, not on its drawing: Chromium makes a drawing that listens for the focus a tab stop.
    const listen = (kind, act) => this.map.addEventListener(kind, (event) => act(event.target.closest(".m-hits a")));
    listen("focusin", (link) => {
      if (link) this.rove(link);
      this.focused = this.framed(this.focused, link?.matches(":focus-visible") && link, "m-pointed is-focus");
    });
    listen("focusout", () => { this.focused = this.framed(this.focused, null); });
    listen("pointerover", (link) => { this.pointed = this.framed(this.pointed, link, "m-pointed"); });
    this.map.addEventListener("pointerleave", () => { this.pointed = this.framed(this.pointed, null); });
    // When its change event arrives, the radio button has moved the map: the earlier position must be known before.
    let was = null;
    for (const kind of ["pointerdown", "keydown"]) {
      this.map.querySelector(".map__regions")?.addEventListener(kind, () => { was = this.now(); }, true);
    }
    this.map.addEventListener("change", (event) => {
      if (event.target.name !== "region") return;
      this.settle(null); // the end of the glide is no longer wanted
      this.glide(was ?? this.now(), () => this.rest(event.target));
      was = null;
    });
    const buttons = this.map.querySelector("[data-zoom]");
    if (!buttons) return;
    buttons.hidden = false;
    buttons.addEventListener("click", (event) => {
      const times = event.target.closest("[data-times]")?.dataset.times;
      if (times === "0") this.glide(this.now(), () => this.rest());
      else if (times) this.zoom(Number(times), null, true);
    });
  }

  mouse() {
    let from = null;
    let moved = false;
    this.svg.addEventListener("pointerdown", (event) => {
      moved = false;
      if (event.pointerType !== "touch" && event.button === 0) from = { x: event.clientX, y: event.clientY };
    });
    window.addEventListener("pointermove", (event) => {
      if (!from || event.pointerType === "touch") return;
      if (!event.buttons) { from = null; return; }
      const to = { x: event.clientX, y: event.clientY };
      if (!moved && (Math.hypot(to.x - from.x, to.y - from.y) < 4 || !this.near)) return;
      moved = true;
      const [a, b] = [this.point(from.x, from.y), this.point(to.x, to.y)];
      this.pan(b.x - a.x, b.y - a.y);
      from = to;
    });
    window.addEventListener("pointerup", () => { from = null; });
    // Dragging the map does not click the province where the pointer ends.
    this.svg.addEventListener("click", (event) => {
      if (moved) { event.preventDefault(); event.stopImmediatePropagation(); }
      moved = false;
    }, true);
  }

  // A single finger scrolls the page while the whole map is visible; zoomed in, or with two fingers, the map moves.
  fingers() {
    let last = null;
    const read = ({ touches }) => {
      const all = [...touches].slice(0, 2).map((touch) => this.point(touch.clientX, touch.clientY));
      const [a, b = a] = all;
      return { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2, apart: Math.hypot(a.x - b.x, a.y - b.y), count: all.length };
    };
    this.svg.addEventListener("touchstart", (event) => { last = read(event); }, { passive: true });
    this.svg.addEventListener("touchmove", (event) => {
      const here = read(event);
      if (here.count < 2 && !(this.near && (this.whole || "near" in this.map.dataset))) return;
      if (event.cancelable) event.preventDefault();
      if (last && last.count === here.count) {
        if (here.count === 2 && last.apart > 0) this.zoom(here.apart / last.apart, here);
        if (this.near) this.pan(here.x - last.x, here.y - last.y);
      }
      last = here;
    }, { passive: false });
    this.svg.addEventListener("touchend", (event) => { last = event.touches.length ? read(event) : null; });
  }

  // A single tab stop; arrow keys move between provinces, with Shift they move the sheet.
  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const [dx, dy] = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key] ?? [0, 0];
    if (dx || dy) {
      if (event.shiftKey) this.pan(-dx * 120, -dy * 120);
      else this.step(dx, dy);
    } else if (event.key === "+" || event.key === "=") this.zoom(1.5, null, true);
    else if (event.key === "-") this.zoom(1 / 1.5, null, true);
    else if (event.key === "0") this.glide(this.now(), () => this.rest());
    else return;
    event.preventDefault();
  }

  // As soon as the reader has used a province, one of them is the tab stop.
  rove(link) {
    for (const other of this.links) other.setAttribute("tabindex", other === link ? "0" : "-1");
  }

  // A province under the pointer or with the focus has a frame above everything else, and its name is shown.
  framed(frame, link, kind) {
    const shape = link && link.querySelector(".m-prov");
    frame?.remove();
    if (!shape) return null;
    const rim = frame ?? drawn("use", { class: kind });
    rim.setAttribute("href", shape.getAttribute("href"));
    this.world.append(rim);
    if (!link.querySelector("title")) link.append(drawn("title", {}, link.getAttribute("aria-label")));
    return rim;
  }

  middle(link) {
    const box = link.getBBox();
    return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  }

  step(dx, dy) {
    const from = this.links.find((link) => link === document.activeElement);
    if (!from) return;
    const here = this.middle(from);
    let best = null;
    for (const link of this.links) {
      const at = this.middle(link);
      const [along, aside] = [(at.x - here.x) * dx + (at.y - here.y) * dy, Math.abs((at.x - here.x) * dy - (at.y - here.y) * dx)];
      if (along > 1 && aside <= along && (!best || along + 2 * aside < best.way)) best = { link, at, way: along + 2 * aside };
    }
    if (!best) return;
    best.link.focus({ preventScroll: true });
    const { x, y, zoom } = this.now();
    const seen = this.seen();
    const out = Math.abs(best.at.x - x) > seen.width / zoom * 0.42 || Math.abs(best.at.y - y) > seen.height / zoom * 0.42;
    if (zoom > 1.02 && out) this.go(best.at.x, best.at.y, zoom);
  }
}

function drawn(name, attributes, text = "") {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.textContent = text;
  return element;
}

const sheets = new WeakMap();
function unfold(root) {
  for (const map of root.querySelectorAll(".map:has(.map__svg):not(.is-board *)")) {
    if (!sheets.has(map)) sheets.set(map, new Sheet(map));
  }
}

// A province chosen on the map fills the field of a form; on the table its sheet opens beside the map. A row of the table of
// provinces loads the sheet, too: the attributes for it are at the table once, since htmx would take time for each row.
document.addEventListener("click", (event) => {
  const link = event.target.closest?.(".m-hits a, #provinces[hx-target] a[href^='?']");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
  const field = document.getElementById(link.dataset.field ?? "");
  if (field) {
    event.preventDefault();
    field.value = link.dataset.value;
    field.dispatchEvent(new Event("change", { bubbles: true }));
    return;
  }
  const href = link.getAttribute("href");
  const row = document.querySelector(`#provinces[hx-target] a[href="${CSS.escape(href)}"]`);
  if (!row || !window.htmx) return;
  event.preventDefault();
  if (link !== row) lifted = { href, keys: event.detail === 0 };
  htmx.ajax("GET", href.split("#")[0], { source: row });
});

// By its address, since provinces are drawn anew after other players' moves.
let lifted = null;
const linked = (href) => href && document.querySelector(`.atlas .m-hits a[href="${CSS.escape(href)}"]`);
function lift() {
  const sheet = document.getElementById("province");
  const key = sheet?.dataset.province;
  if (!key) return;
  const map = document.querySelector(".atlas .map");
  const hits = map?.querySelector(".m-hits");
  if (hits) {
    const shape = hits.querySelector(`a[href="${CSS.escape(`?province=${key}#province`)}"] use`);
    const frame = map.querySelector(".m-selected") ?? drawn("use", { class: "m-selected" });
    frame.setAttribute("href", shape.getAttribute("href"));
    if (!frame.parentNode) map.querySelector(".m-frontier").after(frame);
  }
  if (!lifted) return;
  sheet.classList.add("is-lifted");
  const close = sheet.querySelector(".province__close");
  close.hidden = false;
  close.addEventListener("click", lower);
  if (lifted.keys) {
    const head = sheet.querySelector("h2");
    head.tabIndex = -1;
    head.focus({ preventScroll: true });
  }
}

function lower() {
  const sheet = document.querySelector("#province.is-lifted");
  if (!sheet) return;
  if (sheet.contains(document.activeElement)) linked(lifted?.href)?.focus({ preventScroll: true });
  sheet.classList.remove("is-lifted");
  sheet.querySelector(".province__close").hidden = true;
  lifted = null;
}
document.addEventListener("keydown", (event) => { if (event.key === "Escape") lower(); });
document.addEventListener("htmx:afterSettle", (event) => { if (event.target.id === "province") lift(); });

// The layers of the map are remembered for the visit; map.css reads them from the atlas.
function layers() {
  const boxes = [...document.querySelectorAll("input[data-layer]")];
  if (!boxes.length) return;
  for (const box of boxes) {
    try {
      const kept = sessionStorage.getItem(`map-${box.dataset.layer}`);
      if (kept !== null) box.checked = kept === "1";
    } catch {
      // A browser without storage shows everything.
    }
  }
  const names = (when) => boxes.filter(when).map((box) => box.dataset.layer).join(" ");
  const [shown, usual] = [names((box) => box.checked), names((box) => box.defaultChecked)];
  for (const atlas of document.querySelectorAll(".atlas")) {
    if (shown !== usual || "shown" in atlas.dataset) atlas.dataset.shown = shown;
  }
}
document.addEventListener("change", ({ target }) => {
  if (!target.matches?.("input[data-layer]")) return;
  try { sessionStorage.setItem(`map-${target.dataset.layer}`, target.checked ? "1" : "0"); } catch { /* as above */ }
  layers();
});

unfold(document);
layers();
document.addEventListener("htmx:load", () => {
  unfold(document);
  layers();
});
