// A board that can be dragged, pinched, zoomed with the wheel, and that glides from place to place. Subclasses know its places,
// how names and pieces keep their size (`sized`), and what a tap does.

const CALM = matchMedia("(prefers-reduced-motion: reduce)");
const NEAREST = 3.2;
const DRAG = 7; // a finger may move this far and still taps, in px on the screen
const GLIDE = 320;
const EDGE = 60;

export class Glass {
  // `size`: of the drawing, in its own units. `at`: the scale, and the position of its corner on the screen.
  constructor(stage, size) {
    Object.assign(this, { stage, size });
    this.at = { s: 1, x: 0, y: 0 };
    this.fingers = new Map();
    this.fitted = true;
  }

  listen() {
    const { stage } = this;
    new ResizeObserver(() => this.measure()).observe(stage);
    this.measure();
    stage.addEventListener("pointerdown", (event) => this.down(event));
    stage.addEventListener("pointermove", (event) => this.move(event));
    for (const name of ["pointerup", "pointercancel", "pointerleave"]) stage.addEventListener(name, (event) => this.up(event));
    stage.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
    stage.addEventListener("dragstart", (event) => event.preventDefault());
    stage.addEventListener("keydown", (event) => this.key(event));
    for (const button of stage.querySelectorAll("[data-zoom]")) {
      button.addEventListener("click", () => (button.dataset.zoom === "fit" ? this.fit(true) : this.zoom(Number(button.dataset.zoom))));
    }
  }

  // Replace the drawing by another one of the same size.
  hold(svg, world) {
    this.gliding?.cancel();
    this.gliding = null;
    Object.assign(this, { svg, world, shown: null });
    if (!this.width) return;
    svg.setAttribute("viewBox", `0 0 ${this.width} ${this.height}`);
    this.put(this.at);
  }

  measure() {
    const box = this.stage.getBoundingClientRect();
    if (!box.width || !box.height) return;
    if (box.width === this.width && box.height === this.height) return;
    const first = !this.width;
    const wide = box.width === this.width; // only the height has changed: the bar below has another text
    const middle = first ? null : [(this.width / 2 - this.at.x) / this.at.s, (this.height / 2 - this.at.y) / this.at.s];
    [this.width, this.height] = [box.width, box.height];
    this.svg.setAttribute("viewBox", `0 0 ${box.width} ${box.height}`);
    this.least = Math.min(box.width / this.size[0], box.height / this.size[1]);
    if (first || this.fitted) this.fit();
    else if (wide) this.put(this.at); // places stay under the finger that chooses them
    else this.put({ s: this.at.s, x: this.width / 2 - middle[0] * this.at.s, y: this.height / 2 - middle[1] * this.at.s });
  }

  // Return a position of the drawing within the allowed limits.
  held(to) {
    const s = Math.max(this.least, Math.min(NEAREST, to.s));
    const within = (value, drawing, glass) =>
      drawing <= glass ? (glass - drawing) / 2 : Math.min(EDGE, Math.max(glass - drawing - EDGE, value));
    return { s, x: within(to.x, this.size[0] * s, this.width), y: within(to.y, this.size[1] * s, this.height) };
  }

  // Move the drawing to a position. For the browser it is a single layer (`will-change`): shifted by whole pixels it is not
  // painted anew. Names and pieces keep their size on the screen, but only after a glide: each of them needs a new layout for
  // it.
  put(to) {
    this.at = this.held(to);
    this.world.style.transform = this.way(this.at);
    if (this.gliding || this.shown === this.at.s) return;
    this.shown = this.at.s;
    this.sized(this.at.s, this.svg.style);
  }

  way({ s, x, y }) {
    return `translate(${Math.round(x)}px,${Math.round(y)}px) scale(${s.toFixed(4)})`;
  }

  // Show the whole board.
  fit(slowly = false) {
    this.fitted = true;
    const s = this.least;
    return this.go({ s, x: (this.width - this.size[0] * s) / 2, y: (this.height - this.size[1] * s) / 2 }, slowly);
  }

  zoom(times, x = this.width / 2, y = this.height / 2) {
    this.fitted = false;
    const s = Math.max(this.least, Math.min(NEAREST, this.at.s * times));
    this.put({ s, x: x - (x - this.at.x) * s / this.at.s, y: y - (y - this.at.y) * s / this.at.s });
  }

  // Move a place of the drawing to the middle of the screen.
  look(x, y, s = this.at.s, slowly = false) {
    this.fitted = false;
    const near = Math.max(this.least, s);
    return this.go({ s: near, x: this.width / 2 - x * near, y: this.height / 2 - y * near }, slowly);
  }

  // At once, or gliding: then the browser moves its layer by itself.
  async go(to, slowly) {
    this.stay();
    const ways = [this.at, this.held(to)].map((at) => this.way(at));
    if (!slowly || CALM.matches || document.hidden || ways[0] === ways[1]) return this.put(to);
    const glide = this.world.animate({ transform: ways }, { duration: GLIDE, easing: "cubic-bezier(0.2, 0.7, 0.3, 1)" });
    this.gliding = glide;
    this.put(to);
    await glide.finished.catch(() => {}); // the user has stopped it
    if (this.gliding === glide) this.stay();
  }

  // The glide is over, or the user has interrupted it.
  stay() {
    if (!this.gliding) return;
    this.gliding.cancel();
    this.gliding = null;
    this.put(this.at);
  }

  seen(key, margin = 60) {
    const [x, y] = [this.spaces[key].x * this.at.s + this.at.x, this.spaces[key].y * this.at.s + this.at.y];
    return x > margin && y > margin && x < this.width - margin && y < this.height - margin;
  }

  wheel(event) {
    if (event.target.closest(".film__tray")) return;
    event.preventDefault();
    this.stay();
    const box = this.stage.getBoundingClientRect();
    this.zoom(Math.exp(-event.deltaY * (event.deltaMode ? 0.05 : 0.0016)), event.clientX - box.left, event.clientY - box.top);
  }

  down(event) {
    if (event.button || event.target.closest("button,select,label,.film__tray")) return;
    this.stay();
    this.fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    this.press = this.fingers.size === 1 ? { x: event.clientX, y: event.clientY, far: 0, hit: event.target.closest("[data-key]") } : null;
  }

  // Whether the sheet has moved since the finger came down, so that no place is meant.
  get dragged() {
    return !this.press || this.press.far > DRAG;
  }

  move(event) {
    const finger = this.fingers.get(event.pointerId);
    if (!finger) return;
    const [dx, dy] = [event.clientX - finger.x, event.clientY - finger.y];
    const other = [...this.fingers.values()].find((touch) => touch !== finger);
    if (other) {
      const box = this.stage.getBoundingClientRect();
      const was = Math.hypot(finger.x - other.x, finger.y - other.y);
      const now = Math.hypot(event.clientX - other.x, event.clientY - other.y);
      this.put({ s: this.at.s, x: this.at.x + dx / 2, y: this.at.y + dy / 2 });
      if (was > 4) this.zoom(now / was, (other.x + event.clientX) / 2 - box.left, (other.y + event.clientY) / 2 - box.top);
    } else {
      if (this.press) this.press.far = Math.max(this.press.far, Math.hypot(event.clientX - this.press.x, event.clientY - this.press.y));
      if (this.dragged) {
        this.fitted = false;
        this.put({ s: this.at.s, x: this.at.x + dx, y: this.at.y + dy });
      }
    }
    [finger.x, finger.y] = [event.clientX, event.clientY];
  }

  up(event) {
    return this.fingers.delete(event.pointerId);
  }

  // Whether the key changes the scale of the board.
  nearer(key) {
    if (key === "+" || key === "=") this.zoom(1.4);
    else if (key === "-") this.zoom(1 / 1.4);
    else if (key === "0") this.fit(true);
    else return false;
    return true;
  }

  // Return the nearest place in the direction of an arrow key.
  toward(here, key) {
    const [dx, dy] = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[key] ?? [0, 0];
    const from = this.spaces[here];
    let [best, cost] = [null, Infinity];
    for (const [other, at] of Object.entries(dx || dy ? this.spaces : {})) {
      const [x, y] = [at.x - from.x, at.y - from.y];
      const [along, aside] = [x * dx + y * dy, Math.abs(x * dy) + Math.abs(y * dx)];
      if (other !== here && along > 0 && aside <= along * 1.6 && along + aside * 2 < cost) [best, cost] = [other, along + aside * 2];
    }
    return best;
  }
}
