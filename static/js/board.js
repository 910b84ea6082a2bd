// A board of spaces for taps and keys. It is a single tab stop; arrow keys move to the nearest space in their direction. A
// title says where its spaces are and what a tap does; this file knows no rules.

import { Glass } from "./glass.js";

const NS = "http://www.w3.org/2000/svg";
const FINGER = 28; // a space is hit up to this distance from its middle, in px on the screen
const RADIUS = 12; // the smallest radius of a piece, in px on the screen
const NUMBER = 8; // the smallest size of a province's number, in px on the screen

export function drawn(tag, attributes = {}, into = null, text = null) {
  const node = document.createElementNS(NS, tag);
  for (const [key, value] of Object.entries(attributes)) if (value !== null && value !== undefined) node.setAttribute(key, value);
  if (text !== null) node.textContent = text;
  into?.append(node);
  return node;
}

export function button(text, act, kind = "") {
  const node = document.createElement("button");
  node.type = "button";
  node.className = `button ${kind}`.trim();
  node.textContent = text;
  node.addEventListener("click", act);
  return node;
}

// Return a point of a curve between two places for a fraction of the way, and its direction there.
export function curve([ax, ay], [bx, by], [cx, cy]) {
  return (part) => {
    const rest = 1 - part;
    const way = (a, b, c) => rest * rest * a + 2 * rest * part * b + part * part * c;
    const [dx, dy] = [rest * (bx - ax) + part * (cx - bx), rest * (by - ay) + part * (cy - by)];
    return [{ x: way(ax, bx, cx), y: way(ay, by, cy) }, Math.atan2(dy, dx)];
  };
}

export class Board extends Glass {
  // `spaces`: key -> {x, y}; `size`: of the drawing; `piece`: radius of the smallest piece in its units; `name`: size of the
  // names on the screen and in the drawing; `far`: the scale below which names are hidden; `tap(key)` is called with a space or
  // null.
  constructor({ stage, svg, world, spaces, size, tap, piece = 22, name = [11.5, 13.5], far = 0.42 }) {
    super(stage, size);
    Object.assign(this, { spaces, tap, piece, name, far });
    this.keys = Object.keys(spaces);
    this.ways = [];
    this.adopt(svg, world);
    stage.classList.add("is-board");
    stage.addEventListener("click", (event) => { if (event.target.closest("a[data-key]")) event.preventDefault(); });
    this.listen();
    document.addEventListener("board:look", ({ detail }) => {
      const at = this.spaces[detail];
      if (at && !this.seen(detail, 70)) this.look(at.x, at.y, this.at.s, true);
    });
  }

  adopt(svg, world) {
    svg.removeAttribute("preserveAspectRatio");
    this.hold(svg, world);
  }

  sized(s, style) {
    const k = Math.max(0.55, Math.min(1.9, this.name[0] / (this.name[1] * s))).toFixed(2);
    const pk = Math.max(0.8, Math.min(2.6, RADIUS / (this.piece * s))).toFixed(2);
    style.setProperty("--s", s.toFixed(3));
    style.setProperty("--k", k);
    style.setProperty("--pk", pk);
    const nk = Math.max(1, Math.min(1.6, NUMBER / (10 * s))).toFixed(2);
    style.setProperty("--nk", nk);
    const far = s < this.far;
    this.stage.classList.toggle("is-far", far);
    this.scale = { k: Number(k), pk: Number(pk), nk: Number(nk), far };
    this.resized?.(this.scale);
  }

  layer(name, before = null) {
    const node = drawn("g", { "data-layer": name });
    this.world.insertBefore(node, before);
    return node;
  }

  up(event) {
    const { press } = this;
    if (!super.up(event) || event.type !== "pointerup" || !press || this.fingers.size) return;
    const dragged = this.dragged;
    this.press = null;
    if (!dragged) this.tap(press.hit?.dataset.key ?? this.nearest(press.x, press.y));
  }

  nearest(x, y) {
    const box = this.stage.getBoundingClientRect();
    const [px, py] = [(x - box.left - this.at.x) / this.at.s, (y - box.top - this.at.y) / this.at.s];
    let [best, way] = [null, FINGER / this.at.s];
    for (const key of this.keys) {
      const far = Math.hypot(this.spaces[key].x - px, this.spaces[key].y - py);
      if (far < way) [best, way] = [key, far];
    }
    return best;
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("button,select")) return;
    const here = document.activeElement?.dataset?.key;
    const film = document.body.classList.contains("is-film");
    if (!this.nearer(event.key)) {
      if (!here) return;
      if ((event.key === "Enter" || event.key === " ") && !film) {
        this.tap(here);
        this.focus(here);
      } else if (event.key.toLowerCase() === "n") this.next(here, event.shiftKey ? -1 : 1);
      else if (event.key.startsWith("Arrow") && !film) {
        const to = this.toward(here, event.key);
        if (to) this.focus(to);
      } else return;
    }
    event.preventDefault();
    event.stopPropagation();
  }

  // Make this place the tab stop of the board.
  stop(key) {
    for (const space of this.hits.querySelectorAll('[tabindex="0"]')) space.setAttribute("tabindex", "-1");
    const hit = this.hits.querySelector(`[data-key="${CSS.escape(key)}"]`);
    hit?.setAttribute("tabindex", "0");
    return hit;
  }

  next(here, by) {
    const at = this.ways.indexOf(here);
    const to = this.ways.at(at < 0 && by > 0 ? 0 : (at + by) % this.ways.length);
    if (to) this.focus(to);
  }

  focus(key) {
    this.stop(key).focus({ preventScroll: true });
    if (!this.seen(key, 40)) this.look(this.spaces[key].x, this.spaces[key].y, this.at.s, true);
  }

  // Turn the server's links into the places to tap; `label` gives their accessible names.
  take(hits, keyOf) {
    this.hits = hits;
    for (const [place, link] of [...hits.querySelectorAll("a")].entries()) {
      const key = keyOf(link);
      link.removeAttribute("href");
      for (const [name, value] of [["data-key", key], ["role", "button"], ["tabindex", place ? "-1" : "0"]]) link.setAttribute(name, value);
      link.querySelector("title")?.remove();
    }
  }

  // `ways`: the places where something can be done; N moves from each to the next. Tab moves to `here`, or to the first of
  // them.
  label(text, ways = [], here = null) {
    for (const hit of this.hits.querySelectorAll("[data-key]")) hit.setAttribute("aria-label", text(hit.dataset.key));
    this.ways = this.keys.filter((key) => ways.includes(key));
    const stop = here ?? this.ways[0];
    if (stop && !this.hits.contains(document.activeElement)) this.stop(stop);
  }

  // Highlight the place that a sentence names: its shape if the drawing has one, otherwise a ring. If it `stays`, scroll it
  // into view.
  light(keys, stays = false) {
    this.lit?.remove();
    this.lit = null;
    const known = keys.filter((key) => this.spaces[key]);
    if (!known.length) return;
    this.lit = drawn("g", { "data-layer": "lights" }, this.world);
    for (const key of known) {
      const { x, y } = this.spaces[key];
      const shape = this.svg.querySelector(`[id="m-${CSS.escape(key)}"]`);
      if (shape) drawn("use", { href: `#m-${key}`, class: "m-told" }, this.lit);
      else drawn("circle", { class: "b-told", cx: x, cy: y, r: 42 }, this.lit);
    }
    const { x, y } = this.spaces[known[0]];
    if (stays && !this.seen(known[0])) this.look(x, y, this.at.s, true);
  }

  // Create a piece with a readable size: its outer group is moved, its inner group contains the drawing.
  pieceAt(layer, x, y, name, attributes = {}) {
    const outer = drawn("g", { transform: `translate(${x} ${y})`, ...attributes }, layer);
    const inner = drawn("g", { class: `p-k ${name}`.trim() }, outer);
    inner.outer = outer;
    return inner;
  }

  // Move along the middles of these spaces, with a small hop for each link.
  travel(piece, keys, ms, film) {
    const places = keys.map((key) => this.spaces[key]);
    const links = places.length - 1;
    piece.style.willChange = "transform"; // the browser makes a layer of it and moves only that
    return film.tween(ms, (part) => {
      const link = Math.min(links - 1, Math.floor(part * links));
      const on = part * links - link;
      const [a, b] = [places[link], places[link + 1]];
      const hop = Math.sin(on * Math.PI) * 10;
      piece.style.transform = `translate(${a.x + (b.x - a.x) * on}px,${a.y + (b.y - a.y) * on - hop}px)`;
    });
  }
}
