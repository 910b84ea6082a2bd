// Films: events replayed on a title's board, each with its attempt, its dice and its result. All titles use this player. Frames
// are those of games.contract.pages.Frame. A stage controls the board: `glide(places, film)`, `change(change, film)`,
// `settle()`, `begin()` if something must be cleared first, and `keep()` with `restore(kept)` if a film can be shown again.

import { sound } from "./sounds.js";

const CALM = matchMedia("(prefers-reduced-motion: reduce)");
const FACE = { 1: [0, 0], 2: [0, -90], 3: [-90, 0], 4: [90, 0], 5: [0, 90], 6: [0, 180] };
const HOLD = [240, 420, 620, 1100, 2600]; // how long a sentence is shown, by its weight
const ROLL = { plain: 620, heavy: 850 };
const REST = 180;
const MARCHES = ["march", "army", "attack"];
const PACES = ["0", "0.6", "1", "2.5"];
const EDGES = ["bottom", "top", "end", "end-top"]; // where the dice may be on the board; the first is preferred
const AROUND = 40; // the distance from a place within which its pieces are, in px

function element(tag, name, ...children) {
  const node = document.createElement(tag);
  if (name) node.className = name;
  node.append(...children);
  return node;
}

// A die as a cube of six faces, or a round one for other dice. It shows `die.value` when it has stopped.
function cube(die) {
  const label = element("span", "film__label", die.label);
  if (die.sides !== 6) return element("span", "film__die", element("span", "cube cube--num", die.shown || String(die.value)), label);
  const roman = die.shown && Number.isNaN(Number(die.shown));
  const node = element("span", `cube cube--${roman ? "roman" : "pips"}`);
  const faces = roman ? ["I", "II", "III", "IV", "V", "VI"] : ["1", "2", "3", "4", "5", "6"];
  node.append(...faces.map((text) => element("i", "", text)));
  const [x, y] = FACE[die.value];
  node.style.transform = `rotateX(${x}deg) rotateY(${y}deg)`;
  return element("span", "film__die", node, label);
}

export class Film {
  constructor({ panel, stage, tray, list }) {
    Object.assign(this, { panel, stage, tray, list });
    this.on = false;
    this.speech = panel.querySelector("[data-film=say]");
    this.track = panel.querySelector("[data-film=track]");
    this.pauseButton = panel.querySelector("[data-film=pause]");
    this.paceChoice = panel.querySelector("[data-film=pace]");
    this.pace = this.remembered();
    this.paceChoice.value = String(this.pace);
    this.pauseButton.addEventListener("click", () => this.press());
    panel.querySelector("[data-film=skip]").addEventListener("click", () => this.skip());
    this.paceChoice.addEventListener("change", () => this.choose(Number(this.paceChoice.value)));
    document.addEventListener("keydown", (event) => this.key(event));
  }

  remembered() {
    try {
      const kept = localStorage.getItem("film-pace");
      return PACES.includes(kept) ? Number(kept) : 1;
    } catch {
      return 1; // a browser without storage
    }
  }

  choose(pace) {
    this.pace = pace;
    this.byHand = false;
    try { localStorage.setItem("film-pace", String(pace)); } catch { /* a browser that keeps nothing */ }
    this.face();
    if (pace && this.next) this.next();
  }

  // Stills that the reader steps through, whatever pace was chosen for moving films.
  turnByHand() {
    this.byHand = true;
    this.paceChoice.value = "0";
  }

  // Whether every step waits for the reader.
  get stepwise() {
    return (this.pace === 0 || this.byHand) && !this.skipped;
  }

  press() {
    if (this.next) this.next();
    else if (this.stepwise) this.hurry = true;
    else this.hold(!this.held);
  }

  get still() {
    return CALM.matches || this.skipped;
  }

  key(event) {
    if (!this.on || event.ctrlKey || event.metaKey || event.altKey || event.target.closest("select,input,textarea")) return;
    if (event.key === " " && !event.target.closest("button,a,summary")) {
      this.press();
    } else if (event.key === "ArrowRight") {
      if (this.next) this.next();
      else this.hurry = true;
    } else if (event.key === "End") this.skip();
    else return;
    event.preventDefault();
  }

  face() {
    const words = this.panel.dataset;
    const text = this.next ? words.next : this.held ? words.go : words.pause;
    this.pauseButton.querySelector("span").textContent = text;
    this.pauseButton.querySelector("use").setAttribute("href", this.held || this.next ? "#i-play" : "#i-pause");
  }

  hold(held) {
    this.held = held;
    this.face();
  }

  skip() {
    this.skipped = true;
    this.held = false;
    if (this.next) this.next();
    this.face();
  }

  // Call `draw(0…1)` each frame, or at once if nothing should move. All time of a film passes here, so that pause, pace and
  // skip apply to everything.
  tween(ms, draw) {
    if (this.still || document.hidden) {
      draw(1);
      return Promise.resolve();
    }
    let gone = 0;
    let last = performance.now();
    return new Promise((done) => {
      const step = (now) => {
        if (!this.held) gone += (now - last) * (this.hurry ? 6 : this.pace || 1);
        last = now;
        const part = this.still ? 1 : Math.min(1, gone / ms);
        draw(part < 1 ? part * part * (3 - 2 * part) : 1);
        if (part < 1) requestAnimationFrame(step);
        else done();
      };
      requestAnimationFrame(step);
    });
  }

  // A sentence takes time to read even with reduced motion; only skipping does not wait.
  wait(ms) {
    if (!CALM.matches || this.skipped) return this.tween(ms, () => {});
    return new Promise((done) => setTimeout(done, ms / (this.pace || 1)));
  }

  async roll(frame) {
    const { dice } = frame;
    const shown = dice.slice(-9).map((die) => ({ die, box: cube(die) }));
    this.tray.replaceChildren(...shown.map((rolled) => rolled.box));
    this.tray.setAttribute("aria-label", dice.map((die) => `${die.label} ${die.shown || die.value}`).join(", "));
    this.tray.hidden = false;
    this.clear(frame);
    if (!this.still) sound("die");
    await this.tween(frame.weight > 1 ? ROLL.heavy : ROLL.plain, (part) => {
      const rest = 1 - part;
      for (const [place, { die, box }] of shown.entries()) {
        const face = box.firstChild;
        if (die.sides !== 6) {
          face.textContent = part < 1 ? String(1 + Math.floor(part * 977 * (place + 3)) % die.sides) : die.shown || String(die.value);
          continue;
        }
        const [x, y] = FACE[die.value];
        const [a, b] = [2 + place % 3, 3 + (place * 2) % 3];
        const [left, up] = [-rest * 60, -Math.abs(Math.sin(rest * 7)) * 34 * rest];
        face.style.transform = `translate(${left}px,${up}px) rotateX(${x + rest * 360 * a}deg) rotateY(${y + rest * 360 * b}deg)`;
      }
    });
    await this.wait(REST);
  }

  // Put the dice at the edge of the board where they cover the least of what the frame shows.
  clear(frame) {
    const { tray } = this;
    const glass = this.stage.board ?? this.stage;
    if (tray.hidden || !glass.spaces) return;
    const { left, top } = glass.stage.getBoundingClientRect();
    const keys = new Set([frame.places, frame.changes.map((change) => Object.values(change))].flat(2).filter((value) => typeof value === "string"));
    const spots = [...keys].map((key) => glass.spaces[key]).filter(Boolean)
      .map((spot) => [left + spot.x * glass.at.s + glass.at.x, top + spot.y * glass.at.s + glass.at.y]);
    const covered = (edge) => {
      tray.dataset.edge = edge;
      const box = tray.getBoundingClientRect();
      return spots.reduce((sum, [x, y]) => {
        const [wide, high] = [Math.min(box.right, x + AROUND) - Math.max(box.left, x - AROUND), Math.min(box.bottom, y + AROUND) - Math.max(box.top, y - AROUND)];
        return sum + Math.max(0, wide) * Math.max(0, high);
      }, 0);
    };
    const edges = EDGES.map((edge) => [covered(edge), edge]);
    tray.dataset.edge = edges.reduce((best, other) => (other[0] < best[0] ? other : best))[1];
  }

  line(frame) {
    if (!this.list || !frame.say) return;
    for (const line of this.list.querySelectorAll(".is-now")) line.classList.remove("is-now");
    const node = element("li", "is-now", frame.say);
    if (frame.tone) node.dataset.tone = frame.tone;
    for (const die of frame.dice) node.append(" ", element("span", "die", die.shown || String(die.value)));
    this.list.append(node);
    const box = this.list.closest("[data-scrolls]");
    if (box) box.scrollTop = node.offsetTop - box.clientHeight / 2;
  }

  // Resolves when the film has ended and the board shows the results. A long film comes in parts: a part that `follows` another
  // continues where it ended, and a part with `more` to come leaves the board unchanged.
  async play(frames, { follows = false, more = false } = {}) {
    if (!frames.length) return this.stage.settle();
    this.last = frames;
    this.on = true;
    this.held = this.hurry = false;
    this.panel.hidden = false;
    document.body.classList.add("is-film");
    if (!follows) {
      this.kept = this.stage.keep?.();
      this.skipped = false;
      this.list?.replaceChildren();
    }
    this.face();
    if (!follows) this.stage.begin?.();
    for (const [place, frame] of frames.entries()) {
      this.hurry = false;
      this.speech.textContent = frame.intro || frame.say || this.speech.textContent;
      this.track.style.inlineSize = `${(place + 1) / frames.length * 100}%`;
      if (frame.dice.length) {
        await this.roll(frame);
      } else this.tray.hidden = true;
      if (frame.places.length && !this.skipped) await this.stage.glide(frame.places, this, frame.tone);
      this.clear(frame);
      for (const change of frame.changes) {
        if (MARCHES.includes(change.kind) && !this.still) sound("march");
        await this.stage.change(change, this);
      }
      if (frame.say) this.speech.textContent = frame.say;
      this.line(frame);
      const stops = this.stepwise && (more || place < frames.length - 1);
      if (!stops) await this.wait(HOLD[frame.weight] ?? HOLD[1]);
      else if (!this.skipped) {
        await new Promise((done) => {
          this.next = () => { this.next = null; this.face(); done(); };
          this.face();
        });
      }
    }
    if (!more) this.end();
  }

  end() {
    this.on = false;
    this.panel.hidden = this.tray.hidden = true;
    document.body.classList.remove("is-film");
    for (const line of this.list?.querySelectorAll(".is-now") ?? []) line.classList.remove("is-now");
    this.stage.settle();
  }

  // Show the last film again.
  async again() {
    if (this.on || !this.last) return;
    this.stage.restore?.(this.kept);
    await this.play(this.last);
  }
}
