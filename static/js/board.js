// A board of spaces under the hand: taps and keys. One tab stop; arrows go to the nearest space in their direction. A title says
// where its spaces lie and what a tap does; this file knows no rules.

import { Glass } from "./glass.js";

const NS = "http://www.w3.org/2000/svg";
const FINGER = 28; // so far from its middle a space is still hit, in px of the glass
const RADIUS = 12; // no piece is smaller, in px of the glass

export function drawn(tag, attributes = {}, into = null, text = null) {
  const made = document.createElementNS(NS, tag);
  for (const [key, value] of Object.entries(attributes)) if (value !== null && value !== undefined) made.setAttribute(key, value);
  if (text !== null) made.textContent = text;
  into?.append(made);
  return made;
}

export function button(text, act, kind = "") {
  const made = document.createElement("button");
  made.type = "button";
  made.className = `button ${kind}`.trim();
  made.textContent = text;
  made.addEventListener("click", act);
  return made;
}

// A point of a bend from one place to another at each part of its way, and where it turns to there.
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
  // names on the glass and in the drawing; `far`: the scale under which names give way; `tap(key)`: a space, or null.
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
    style.setProperty("--s", s.toFixed(3));
    style.setProperty("--k", Math.max(0.55, Math.min(1.9, this.name[0] / (this.name[1] * s))).toFixed(2));
    style.setProperty("--pk", Math.max(0.8, Math.min(2.6, RADIUS / (this.piece * s))).toFixed(2));
    this.stage.classList.toggle("is-far", s < this.far);
  }

  layer(name, before = null) {
    const made = drawn("g", { "data-layer": name });
    this.world.insertBefore(made, before);
    return made;
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

  // The one place of the board to which Tab comes.
  stop(key) {
    for (const one of this.hits.querySelectorAll('[tabindex="0"]')) one.setAttribute("tabindex", "-1");
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

  // The server's links become the places one taps: what they said to follow is said by `label`.
  take(hits, keyOf) {
    this.hits = hits;
    for (const [place, link] of [...hits.querySelectorAll("a")].entries()) {
      const key = keyOf(link);
      link.removeAttribute("href");
      for (const [name, value] of [["data-key", key], ["role", "button"], ["tabindex", place ? "-1" : "0"]]) link.setAttribute(name, value);
      link.querySelector("title")?.remove();
    }
  }

  // `ways`: the places where something may be done, from one to the next of which N leads; Tab comes to `here`, or to their first.
  label(text, ways = [], here = null) {
    for (const hit of this.hits.querySelectorAll("[data-key]")) hit.setAttribute("aria-label", text(hit.dataset.key));
    this.ways = this.keys.filter((key) => ways.includes(key));
    const stop = here ?? this.ways[0];
    if (stop && !this.hits.contains(document.activeElement)) this.stop(stop);
  }

  // What a sentence speaks of: the place's own shape where the drawing has one, else a ring. One that `stays` comes into view.
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

  // A piece that keeps a readable size; its outer group is moved, its inner one is drawn in.
  pieceAt(layer, x, y, name, attributes = {}) {
    const outer = drawn("g", { transform: `translate(${x} ${y})`, ...attributes }, layer);
    const inner = drawn("g", { class: `p-k ${name}`.trim() }, outer);
    inner.outer = outer;
    return inner;
  }

  // Along the middles of these spaces, with a small hop on each link.
  travel(piece, keys, ms, film) {
    const places = keys.map((key) => this.spaces[key]);
    const links = places.length - 1;
    piece.style.willChange = "transform"; // a picture of its own: only that moves
    return film.tween(ms, (part) => {
      const link = Math.min(links - 1, Math.floor(part * links));
      const on = part * links - link;
      const [a, b] = [places[link], places[link + 1]];
      const hop = Math.sin(on * Math.PI) * 10;
      piece.style.transform = `translate(${a.x + (b.x - a.x) * on}px,${a.y + (b.y - a.y) * on - hop}px)`;
    });
  }
}
