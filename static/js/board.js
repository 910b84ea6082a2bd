// A board under the hand: pan, pinch, wheel, taps and keys. One tab stop; arrows go to the nearest space in their direction.
// A title says where its spaces lie and what a tap does; this file knows no rules.

const NS = "http://www.w3.org/2000/svg";
const CALM = matchMedia("(prefers-reduced-motion: reduce)");
const FINGER = 28; // so far from its middle a space is still hit, in px of the glass
const DRAG = 7;
const NEAREST = 3.2;
const GLIDE = 320;
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

export class Board {
  // `spaces`: key -> {x, y}; `size`: of the drawing; `piece`: radius of the smallest piece in its units; `name`: size of the
  // names on the glass and in the drawing; `far`: the scale under which names give way; `tap(key)`: a space, or null.
  constructor({ stage, svg, world, spaces, size, tap, piece = 22, name = [11.5, 13.5], far = 0.42 }) {
    Object.assign(this, { stage, svg, world, spaces, size, tap, piece, name, far });
    this.keys = Object.keys(spaces);
    this.at = { s: 1, x: 0, y: 0 };
    this.fingers = new Map();
    this.ways = [];
    svg.removeAttribute("preserveAspectRatio");
    stage.classList.add("is-board");
    stage.addEventListener("click", (event) => { if (event.target.closest("a[data-key]")) event.preventDefault(); });
    new ResizeObserver(() => this.measure()).observe(stage);
    this.measure();
    stage.addEventListener("pointerdown", (event) => this.down(event));
    stage.addEventListener("pointermove", (event) => this.move(event));
    for (const name of ["pointerup", "pointercancel", "pointerleave"]) stage.addEventListener(name, (event) => this.up(event));
    stage.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
    stage.addEventListener("dragstart", (event) => event.preventDefault());
    stage.addEventListener("keydown", (event) => this.key(event));
    document.addEventListener("board:look", ({ detail }) => {
      const at = this.spaces[detail];
      if (at && !this.seen(detail, 70)) this.look(at.x, at.y, this.at.s, true);
    });
    for (const one of stage.querySelectorAll("[data-zoom]")) {
      one.addEventListener("click", () => (one.dataset.zoom === "fit" ? this.fit(true) : this.zoom(Number(one.dataset.zoom))));
    }
  }

  // Another drawing of the same size takes the place of the first.
  adopt(svg, world) {
    Object.assign(this, { svg, world });
    svg.removeAttribute("preserveAspectRatio");
    svg.setAttribute("viewBox", `0 0 ${this.width} ${this.height}`);
    this.put(this.at);
  }

  layer(name, before = null) {
    const made = drawn("g", { "data-layer": name });
    this.world.insertBefore(made, before);
    return made;
  }

  measure() {
    const box = this.stage.getBoundingClientRect();
    if (!box.width || !box.height) return;
    const first = !this.width;
    const middle = first ? null : [(this.width / 2 - this.at.x) / this.at.s, (this.height / 2 - this.at.y) / this.at.s];
    [this.width, this.height] = [box.width, box.height];
    this.svg.setAttribute("viewBox", `0 0 ${box.width} ${box.height}`);
    this.least = Math.min(box.width / this.size[0], box.height / this.size[1]);
    if (first || this.fitted) this.fit();
    else this.put({ s: this.at.s, x: this.width / 2 - middle[0] * this.at.s, y: this.height / 2 - middle[1] * this.at.s });
  }

  // Bring the drawing to a place, as far as it may go.
  put(to) {
    const s = Math.max(this.least, Math.min(NEAREST, to.s));
    const held = (value, drawing, glass) =>
      drawing <= glass ? (glass - drawing) / 2 : Math.min(60, Math.max(glass - drawing - 60, value));
    this.at = { s, x: held(to.x, this.size[0] * s, this.width), y: held(to.y, this.size[1] * s, this.height) };
    this.world.style.transform = `translate(${this.at.x.toFixed(1)}px,${this.at.y.toFixed(1)}px) scale(${s.toFixed(4)})`;
    const style = this.svg.style;
    style.setProperty("--s", s.toFixed(3));
    style.setProperty("--k", Math.max(0.55, Math.min(1.9, this.name[0] / (this.name[1] * s))).toFixed(2));
    style.setProperty("--pk", Math.max(0.8, Math.min(2.6, RADIUS / (this.piece * s))).toFixed(2));
    this.stage.classList.toggle("is-far", s < this.far);
  }

  fit(slowly = false) {
    this.fitted = true;
    const s = this.least;
    const to = { s, x: (this.width - this.size[0] * s) / 2, y: (this.height - this.size[1] * s) / 2 };
    return slowly ? this.glide(to) : this.put(to);
  }

  zoom(times, x = this.width / 2, y = this.height / 2) {
    this.fitted = false;
    const s = Math.max(this.least, Math.min(NEAREST, this.at.s * times));
    this.put({ s, x: x - (x - this.at.x) * s / this.at.s, y: y - (y - this.at.y) * s / this.at.s });
  }

  // A place of the drawing in the middle of the glass.
  look(x, y, s = this.at.s, slowly = false) {
    this.fitted = false;
    const near = Math.max(this.least, s);
    const to = { s: near, x: this.width / 2 - x * near, y: this.height / 2 - y * near };
    return slowly ? this.glide(to) : this.put(to);
  }

  glide(to) {
    if (CALM.matches || document.hidden) return this.put(to);
    const from = this.at;
    const began = performance.now();
    return new Promise((done) => {
      const step = (now) => {
        const part = Math.min(1, (now - began) / GLIDE);
        const eased = 1 - (1 - part) ** 3;
        this.put({ s: from.s + (to.s - from.s) * eased, x: from.x + (to.x - from.x) * eased, y: from.y + (to.y - from.y) * eased });
        if (part < 1) requestAnimationFrame(step);
        else done();
      };
      requestAnimationFrame(step);
    });
  }

  seen(key, margin = 60) {
    const [x, y] = [this.spaces[key].x * this.at.s + this.at.x, this.spaces[key].y * this.at.s + this.at.y];
    return x > margin && y > margin && x < this.width - margin && y < this.height - margin;
  }

  wheel(event) {
    if (event.target.closest(".film__tray")) return;
    event.preventDefault();
    const box = this.stage.getBoundingClientRect();
    this.zoom(Math.exp(-event.deltaY * (event.deltaMode ? 0.05 : 0.0016)), event.clientX - box.left, event.clientY - box.top);
  }

  down(event) {
    if (event.button || event.target.closest("button,select,label,.film__tray")) return;
    this.fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    this.press = this.fingers.size === 1 ? { x: event.clientX, y: event.clientY, far: 0, hit: event.target.closest("[data-key]") } : null;
  }

  move(event) {
    const finger = this.fingers.get(event.pointerId);
    if (!finger) return;
    const [dx, dy] = [event.clientX - finger.x, event.clientY - finger.y];
    const other = [...this.fingers.values()].find((one) => one !== finger);
    if (other) {
      const box = this.stage.getBoundingClientRect();
      const was = Math.hypot(finger.x - other.x, finger.y - other.y);
      const now = Math.hypot(event.clientX - other.x, event.clientY - other.y);
      this.put({ s: this.at.s, x: this.at.x + dx / 2, y: this.at.y + dy / 2 });
      if (was > 4) this.zoom(now / was, (other.x + event.clientX) / 2 - box.left, (other.y + event.clientY) / 2 - box.top);
    } else {
      if (this.press) this.press.far = Math.max(this.press.far, Math.hypot(event.clientX - this.press.x, event.clientY - this.press.y));
      if (!this.press || this.press.far > DRAG) {
        this.fitted = false;
        this.put({ s: this.at.s, x: this.at.x + dx, y: this.at.y + dy });
      }
    }
    [finger.x, finger.y] = [event.clientX, event.clientY];
  }

  up(event) {
    const press = this.press;
    if (!this.fingers.delete(event.pointerId) || event.type !== "pointerup" || !press || this.fingers.size) return;
    this.press = null;
    if (press.far > DRAG) return;
    this.tap(press.hit?.dataset.key ?? this.nearest(press.x, press.y));
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
    const [dx, dy] = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key] ?? [0, 0];
    if (event.key === "+" || event.key === "=") this.zoom(1.4);
    else if (event.key === "-") this.zoom(1 / 1.4);
    else if (event.key === "0") this.fit(true);
    else if ((event.key === "Enter" || event.key === " ") && here && !document.body.classList.contains("is-film")) {
      this.tap(here);
      this.focus(here);
    } else if (event.key.toLowerCase() === "n" && here) this.next(here, event.shiftKey ? -1 : 1);
    else if ((dx || dy) && here && !document.body.classList.contains("is-film")) this.step(here, dx, dy);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  step(here, dx, dy) {
    const from = this.spaces[here];
    let [best, cost] = [null, Infinity];
    for (const key of this.keys) {
      const [x, y] = [this.spaces[key].x - from.x, this.spaces[key].y - from.y];
      const [along, aside] = [x * dx + y * dy, Math.abs(x * dy) + Math.abs(y * dx)];
      if (key !== here && along > 0 && aside <= along * 1.6 && along + aside * 2 < cost) [best, cost] = [key, along + aside * 2];
    }
    if (best) this.focus(best);
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
    return film.tween(ms, (part) => {
      const link = Math.min(links - 1, Math.floor(part * links));
      const on = part * links - link;
      const [a, b] = [places[link], places[link + 1]];
      const hop = Math.sin(on * Math.PI) * 10;
      piece.setAttribute("transform", `translate(${a.x + (b.x - a.x) * on} ${a.y + (b.y - a.y) * on - hop})`);
    });
  }
}
