// The board of a game of conquest, for pointers, wheel and keys: the pieces, the plan, and the movements of a film.

import { Glass } from "./glass.js";

const NS = "http://www.w3.org/2000/svg";
const SIZE = [1600, 1236];
const calm = matchMedia("(prefers-reduced-motion: reduce)");

export function svg(tag, given = {}, into = null, text = null) {
  const node = document.createElementNS(NS, tag);
  for (const [key, value] of Object.entries(given)) if (value !== null && value !== undefined) node.setAttribute(key, value);
  if (text !== null) node.textContent = text;
  into?.append(node);
  return node;
}

export class View extends Glass {
  constructor(stage, tap) {
    super(stage, SIZE);
    this.tap = tap;
    this.take();
    this.listen();
    stage.addEventListener("click", (event) => this.click(event), true);
    document.addEventListener("board:look", ({ detail }) => {
      const at = this.spaces?.[detail];
      if (at && this.width < 640) this.look(at.x, at.y, this.at.s, true);
    });
  }

  // Create the layers over the drawing: marks below the names, pieces and the film above them.
  take() {
    const svgNow = this.stage.querySelector(".map__svg");
    this.hold(svgNow, svgNow.querySelector(".map__world"));
    this.links = new Map([...this.svg.querySelectorAll(".m-hits a")].map((link) => [new URL(link.getAttribute("href"), location).searchParams.get("at"), link]));
    const now = this.svg.querySelector("[data-now]");
    for (const layer of ["marks", "pieces", "plan", "fx"]) this[layer] = svg("g", { class: `e-${layer}` });
    now.removeAttribute("data-now"); // live.js no longer draws it: from here on this file does
    now.replaceChildren(this.marks, ...now.querySelectorAll(".e-name"), this.plan, this.pieces, this.fx);
    this.svg.setAttribute("preserveAspectRatio", "xMidYMid meet");
    this.svg.setAttribute("role", "group");
    let first = true;
    for (const [key, link] of this.links) {
      link.setAttribute("role", "button");
      link.dataset.land = key;
      link.setAttribute("tabindex", first ? "0" : "-1");
      first = false;
    }
  }

  read(data) {
    this.data = data;
    this.spaces = Object.fromEntries(Object.entries(data.geo).map(([key, [stack]]) => [key, { x: stack[0], y: stack[1], r: stack[2] }]));
  }

  sized(s, style) {
    style.setProperty("--s", s.toFixed(3));
    style.setProperty("--k", Math.max(0.55, Math.min(2.1, 0.86 / s)).toFixed(2));
    style.setProperty("--pk", Math.max(0.8, Math.min(2.1, 0.62 / s)).toFixed(2));
    this.svg.classList.toggle("is-far", s < 0.34);
    this.svg.classList.toggle("is-near", s > 0.95);
  }

  // On a narrow screen, show the relevant lands, near enough to read and tap.
  face(keys) {
    const spots = keys.map((key) => this.spaces[key]).filter(Boolean);
    if (this.width >= 640 || !spots.length) return;
    const middle = (of) => (Math.min(...spots.map(of)) + Math.max(...spots.map(of))) / 2;
    const wide = (of) => Math.max(...spots.map(of)) - Math.min(...spots.map(of)) + 320;
    const zoom = Math.min(0.62, this.width / wide((spot) => spot.x), this.height / wide((spot) => spot.y));
    this.look(middle((spot) => spot.x), middle((spot) => spot.y), Math.max(0.35, zoom));
  }

  // Move the sheet to a land that is not in view.
  reveal(key) {
    const at = this.spaces[key];
    if (at && !this.seen(key, 60)) this.look(at.x, at.y, this.at.s, true);
  }

  // A tap on a land clicks its link, but not at the end of dragging the sheet.
  click(event) {
    if (event.target.closest("button") || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const link = event.target.closest(".m-hits a");
    event.preventDefault();
    event.stopPropagation();
    if (event.detail && this.dragged) return;
    const key = link && [...this.links].find(([, candidate]) => candidate === link)?.[0];
    if (key) this.rove(link);
    this.tap(key || null);
  }

  rove(link) {
    for (const other of this.links.values()) other.setAttribute("tabindex", other === link ? "0" : "-1");
  }

  key(event) {
    if (event.target.closest("button") || event.ctrlKey || event.metaKey || event.altKey || this.nearer(event.key)) return;
    const link = event.target.closest(".m-hits a");
    const here = link && [...this.links].find(([, candidate]) => candidate === link)?.[0];
    if (!here || (event.key !== " " && !event.key.startsWith("Arrow"))) return;
    event.preventDefault();
    if (event.key === " ") return this.tap(here);
    const best = this.toward(here, event.key);
    if (!best) return;
    this.rove(this.links.get(best));
    this.links.get(best).focus({ preventScroll: true });
    if (!this.seen(best, 40)) this.look(this.spaces[best].x, this.spaces[best].y, this.at.s, true);
  }

  label(text) {
    for (const [key, link] of this.links) {
      const words = text(key);
      if (link.getAttribute("aria-label") === words) continue;
      link.setAttribute("aria-label", words);
      link.querySelector("title").textContent = words;
    }
  }

  // Pieces and marks ---------------------------------------------------------------------------------------------------

  dim(open) {
    this.dimmed = open.length ? Object.keys(this.spaces).filter((key) => !open.includes(key)) : [];
  }

  draw(draft, marks, groups) {
    this.groups = groups;
    const dim = marks.some((mark) => mark.css.includes("is-mate")) ? this.dimmed.filter((key) => !marks.some((mark) => mark.land === key)) : this.dimmed;
    this.marks.replaceChildren(...(dim ?? []).map((key) => svg("use", { href: `#e-${key}`, class: "e-dim" })),
      ...marks.map((mark) => svg("use", { href: `#e-${mark.land}`, class: `e-mark ${mark.css}` })));
    this.pieces.replaceChildren(...Object.keys(this.spaces).map((key) => this.land(key, draft.lands[key])));
    this.plan.replaceChildren();
    for (const [key, war] of Object.entries(draft.wars)) {
      this.arrow(this.spaces[war.from] ?? null, this.spaces[key], draft.play.seat, this.plan);
      this.tag(key, `${war.most}: ${draft.chance(war)}%`, "is-war");
    }
    for (const mark of marks) if (mark.tag) this.tag(mark.land, mark.tag, "");
  }

  piece(x, y, css) {
    const outer = svg("g", { transform: `translate(${x} ${y})` });
    outer.inner = svg("g", { class: `e-k ${css}` }, outer);
    return outer;
  }

  land(key, here) {
    const [stack, city, fort, resource, above, capital] = this.data.geo[key];
    const all = svg("g", { "data-at": key });
    if (resource) svg("circle", { class: "e-resource", cx: resource[0], cy: resource[1], r: resource[2] }, all);
    if (city && (here.city || resource)) {
      const r = city[2];
      const node = this.piece(city[0], city[1], `e-city${here.city ? here.city === "whole" ? "" : " is-looted" : " is-empty"}`);
      all.append(node);
      if (capital) svg("circle", { class: "e-capital", r: r + 3 }, node.inner);
      svg("circle", { r }, node.inner);
      if (here.city) svg("path", { d: `M${-r * 0.55} ${r * 0.5}v${-r * 0.7}L0 ${-r * 0.65}l${r * 0.55} ${r * 0.45}v${r * 0.7}z` }, node.inner);
      if (here.city && here.city !== "whole") svg("path", { class: "e-scar", d: `M${-r} ${-r}l${2 * r} ${2 * r}` }, node.inner);
    }
    if (here.fort && fort) {
      const r = fort[2];
      const node = this.piece(fort[0], fort[1], "e-fort");
      node.inner.setAttribute("data-nation", here.fort);
      all.append(node);
      if (here.level > 1) svg("rect", { x: -r - 3, y: -r - 3, width: 2 * r + 6, height: 2 * r + 6 }, node.inner);
      const h = r * 0.66;
      svg("path", { d: `M${-r} ${r}v${-2 * r}h${h}v${h}h${h}v${-h}h${h}v${2 * r}z` }, node.inner);
    }
    if (here.n) all.append(this.stack(key, here, stack, above));
    return all;
  }

  stack(key, here, [x, y, r], above) {
    const [name, seat, kind] = this.groups[here.who] ?? ["", "rebel", "people"];
    const node = this.piece(x, y, `e-stack${here.fresh > 0 ? " is-new" : ""}`);
    node.inner.setAttribute("data-nation", seat);
    node.setAttribute("data-stack", key);
    for (let under = 0; under < here.n; under += 1) {
      const at = 4 * under - 2 * (here.n - 1);
      if (kind === "faction") svg("rect", { x: at - r, y: -at - r, width: 2 * r, height: 2 * r, rx: 2 }, node.inner);
      else if (kind === "rebel") svg("path", { d: `M${at} ${-at - r - 2}l${r + 2} ${r + 2}l${-r - 2} ${r + 2}l${-r - 2} ${-r - 2}z` }, node.inner);
      else svg("circle", { cx: at, cy: -at, r: r + 1 }, node.inner);
    }
    const top = 2 * (here.n - 1);
    svg("text", { x: top, y: 1 - top }, node.inner, String(here.n));
    if (kind === "people") svg("text", { class: "e-who", y: above ? -r - 8 : r + 13 }, node.inner, name);
    return node;
  }

  tag(key, text, css) {
    const { x, y } = this.spaces[key];
    const node = this.piece(x, y - 34, `e-tag ${css}`);
    const wide = 14 + text.length * 8.2;
    svg("rect", { x: -wide / 2, y: -14, width: wide, height: 28, rx: 3 }, node.inner);
    svg("text", { y: 1 }, node.inner, text);
    this.plan.append(node);
  }

  arrow(from, to, seat, into) {
    if (!from || from === to) return [];
    const long = Math.hypot(to.x - from.x, to.y - from.y) || 1;
    const [ux, uy] = [(to.x - from.x) / long, (to.y - from.y) / long];
    const d = `M${from.x + ux * 26} ${from.y + uy * 26}L${to.x - ux * 28} ${to.y - uy * 28}`;
    return [svg("path", { class: "e-arrow e-arrow--halo", d }, into), svg("path", { class: "e-arrow", "data-nation": seat, d }, into)];
  }

  // Show a newly placed army coming from its neighbour, without waiting for it.
  travel(from, to) {
    const stack = this.pieces.querySelector(`[data-stack="${to}"]`);
    const [a, b] = [this.spaces[from], this.spaces[to]];
    if (!stack || !a || calm.matches || !stack.animate) return;
    stack.inner.animate([{ transform: `translate(${a.x - b.x}px,${a.y - b.y}px) scale(var(--pk, 1))` }, { transform: "scale(var(--pk, 1))" }], { duration: 260, easing: "ease-out" });
  }

  // The names of the lands, to find them in sentences, and the lands that a sentence names.
  get names() { return this.data.names; }

  light(keys, stays = false) {
    for (const shape of this.svg.querySelectorAll(".e-spoken")) shape.remove();
    const known = keys.filter((key) => this.spaces[key]);
    for (const key of known) svg("use", { href: `#e-${key}`, class: "e-mark e-told e-spoken" }, this.marks);
    if (stays) this.reveal(known[0]);
  }

  // The film's stage ---------------------------------------------------------------------------------------------------

  async glide(places, film) {
    for (const shape of this.svg.querySelectorAll(".e-told:not(.e-spoken)")) shape.remove();
    const known = [...places].filter((key) => this.spaces[key]);
    if (!known.length) return;
    for (const key of known) svg("use", { href: `#e-${key}`, class: "e-mark e-told" }, this.marks);
    if (known.every((key) => this.seen(key, 60))) return;
    const x = known.reduce((sum, key) => sum + this.spaces[key].x, 0) / known.length;
    const y = known.reduce((sum, key) => sum + this.spaces[key].y, 0) / known.length;
    await this.look(x, y, this.at.s, !film?.skipped);
  }

  // march: an army moves from land to land; land: the new content of a land; flash: a land that was fought for.
  async change(change, film) {
    const { still } = film;
    if (change.kind === "march" && this.spaces[change.from] && this.spaces[change.to]) {
      const [a, b] = [this.spaces[change.from], this.spaces[change.to]];
      if (still) return;
      const node = svg("g", {}, this.fx);
      const inner = svg("g", { class: "e-k e-stack", "data-nation": change.seat }, node);
      if (change.faction) svg("rect", { x: -15, y: -15, width: 30, height: 30, rx: 2 }, inner);
      else svg("circle", { r: 16 }, inner);
      svg("text", { y: 1 }, inner, String(change.n ?? 1));
      node.style.willChange = "transform"; // the browser makes a layer of it and moves only that
      await film.tween(360, (share) => { node.style.transform = `translate(${a.x + (b.x - a.x) * share}px,${a.y + (b.y - a.y) * share}px)`; });
      node.remove();
    } else if (change.kind === "land") {
      const [who, n, city, fort, level] = change.now;
      if (change.group) this.groups[who] = change.group;
      const old = this.pieces.querySelector(`[data-at="${change.land}"]`);
      old?.replaceWith(this.land(change.land, { who, n, city, fort, level, fresh: 0 }));
    } else if (change.kind === "flash" && this.spaces[change.land]) {
      const node = svg("use", { href: `#e-${change.land}`, class: "e-mark is-war e-flash", style: "will-change:opacity" }, this.marks);
      if (!still) await film.tween(300, (share) => { node.style.opacity = 1 - share; });
      node.remove();
    }
  }

  settle() {
    this.fx.replaceChildren();
    for (const shape of this.svg.querySelectorAll(".e-told:not(.e-spoken)")) shape.remove();
  }
}
