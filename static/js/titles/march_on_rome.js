// March on Rome on its map: the chance stands on every neighbour, a tap chooses one, the bar acts. What the dice decide is told
// by film, and the year goes on by itself to the next decision.

import { Board, button, drawn } from "../board.js";
import { data, drawer, pageNow, say, send, swap, told } from "../compose.js";
import { Film } from "../film.js";

const SIZE = [1600, 1130];
const NAMES = [11, 13];
const PHONE = 0.42;
const MARCH = 620;
const within = (root, selector) => root.querySelector(selector);
const phone = () => innerWidth < 992;

class Reign {
  constructor(root) {
    this.root = root;
    this.words = root.dataset;
    this.doc = data();
    this.pick = null;
    const stage = within(root, ".play-stage");
    const svg = within(stage, ".map__svg");
    this.board = new Board({
      stage, svg, world: within(svg, ".map__world"), spaces: this.doc.places, size: SIZE, tap: (key) => this.tap(key),
      piece: 19, name: NAMES, far: 0.2,
    });
    this.mount();
    this.film = new Film({
      panel: within(document, "[data-film=bar]"), tray: within(stage, ".film__tray"), stage: this, list: within(root, ".film__list"),
    });
    within(root, "[data-film=again]").addEventListener("click", () => this.film.again());
    document.addEventListener("keydown", (event) => this.key(event));
    document.addEventListener("table:moved", () => this.news());
    drawer();
    this.home();
    this.draw();
    this.arrive();
  }

  // A form without script leads here with the entry from which its telling begins.
  async arrive() {
    const first = new URLSearchParams(location.search).get("told");
    if (!/^\d+/.test(first ?? "")) return;
    history.replaceState(history.state, "", location.pathname);
    const answer = await told(parseInt(first, 10) - 1).catch(() => null);
    const page = await pageNow().catch(() => null);
    if (!answer?.board || !page) return;
    this.restore(answer.board.world);
    this.next = page;
    await this.film.play(answer.frames);
  }

  // The server's drawing, made a board.
  mount() {
    const svg = within(this.root, ".map__svg");
    const world = within(svg, ".map__world");
    this.board.adopt(svg, world);
    const hits = within(world, ".m-hits") ?? drawn("g", { class: "m-hits" }, world);
    for (const one of world.querySelectorAll(":scope > .m-lit")) one.remove();
    this.marks = this.board.layer("marks", hits);
    this.effects = this.board.layer("effects", hits);
    this.board.take(hits, (link) => new URL(link.getAttribute("href"), location.href).searchParams.get("target"));
    this.board.label((key) => this.doc.targets[key]?.label ?? this.doc.places[key].name, Object.keys(this.doc.targets));
  }

  home() {
    const mine = Object.entries(this.doc.world.owner).filter(([, owner]) => owner === "pc").map(([key]) => this.doc.places[key]);
    if (!phone() || !mine.length) return this.board.fit();
    const x = mine.reduce((sum, one) => sum + one.x, 0) / mine.length;
    return this.board.look(x, mine.reduce((sum, one) => sum + one.y, 0) / mine.length, Math.max(PHONE, this.board.least));
  }

  tap(key) {
    if (this.film.on || this.busy) return;
    const target = this.doc.targets[key];
    if (target && this.pick === key) return this.confirm(target.acts.find((act) => act.main));
    this.pick = target ? key : null;
    this.draw();
    if (key && !target && Object.keys(this.doc.targets).length) say(this.words.notneighbour, this.doc.hint, this.acts());
  }

  key(event) {
    if (event.key !== "Escape" || this.film.on || event.target.closest("input,textarea,select")) return;
    this.pick = null;
    this.draw();
  }

  async confirm(act) {
    if (this.busy || !act) return;
    this.wait(true);
    this.pick = null;
    try {
      await this.show(await send(act.moves, { then: "on" }));
    } catch (error) {
      this.wait(false);
      this.draw();
      this.wrong(error.message);
    }
  }

  wait(busy) {
    this.busy = busy;
    within(document, ".play-bar").setAttribute("aria-busy", String(busy));
  }

  async show(answer) {
    this.wait(false);
    if (!answer.page) throw new Error(answer.why?.sentence ?? "");
    this.next = answer.page;
    this.complaint = answer.why?.sentence ?? "";
    this.legions = null;
    await this.film.play(answer.frames);
  }

  async news() {
    if (this.film.on || this.busy) return;
    try {
      const [answer, page] = await Promise.all([told(this.words.seen), pageNow()]);
      this.next = page;
      await this.film.play(answer.frames);
    } catch { /* the next news try again */ }
  }

  wrong(sentence) {
    say(this.doc.title, sentence || this.words.noway, this.acts(), true);
  }

  // The stage of a film ----------------------------------------------------------------------------------------------

  keep() {
    return structuredClone(this.shown ?? this.doc.world);
  }

  restore(world) {
    this.repaint(world);
  }

  begin() {
    this.draw();
    this.odds(null);
    for (const one of this.board.svg.querySelectorAll(".map__world > .arrow, .map__world > .m-selected, .map__world > .m-lit")) one.remove();
  }

  async glide(places, film) {
    const at = this.doc.places[places[0]];
    if (at && phone() && !film.still) await this.board.look(at.x, at.y + 30, Math.max(this.board.at.s, PHONE), true);
  }

  async change(change, film) {
    if (change.kind === "world") {
      this.effects.replaceChildren();
      return this.repaint(change);
    }
    const [a, b] = [this.doc.places[change.from], this.doc.places[change.to]];
    if (!a || !b) return;
    const bow = [(a.x + b.x) / 2 - (b.y - a.y) * 0.16, (a.y + b.y) / 2 + (b.x - a.x) * 0.16];
    const d = `M${a.x} ${a.y}Q${bow[0]} ${bow[1]} ${b.x} ${b.y}`;
    const lines = ["b-march--halo", "b-march"].map((name) => drawn("path", { class: name, "data-nation": change.paint, d }, this.effects));
    const length = lines[1].getTotalLength();
    for (const line of lines) line.style.strokeDasharray = length;
    const marcher = drawn("g", { class: "b-marcher", "data-nation": change.paint }, this.effects);
    const inner = drawn("g", { class: "p-k" }, marcher);
    drawn("circle", { r: 19 }, inner);
    drawn("text", { y: 1 }, inner, change.legions);
    await film.tween(MARCH, (part) => {
      for (const line of lines) line.style.strokeDashoffset = length * (1 - part);
      const point = lines[1].getPointAtLength(length * part);
      marcher.setAttribute("transform", `translate(${point.x} ${point.y})`);
    });
    marcher.remove();
  }

  // Who holds what, on the drawing that is there; the server's own drawing follows when the film is over.
  repaint(world) {
    this.shown = structuredClone({ owner: world.owner, legions: world.legions, garrison: world.garrison });
    const { svg } = this.board;
    for (const [key, paint] of Object.entries(world.owner)) {
      for (const use of svg.querySelectorAll(`use[href="#m-${key}"]:is(.m-prov,.m-rim)`)) {
        if (use.dataset.nation === paint) continue;
        use.dataset.nation = paint;
        if (!use.matches(".m-prov")) continue;
        const pattern = use.nextElementSibling;
        if (pattern?.getAttribute("href") === `#m-${key}` && !pattern.classList.contains("m-rim")) pattern.remove();
      }
    }
    for (const flag of svg.querySelectorAll(".m-std:not(.is-garrison)")) {
      const text = world.legions[flag.dataset.nation];
      flag.style.visibility = text ? "" : "hidden";
      if (text) within(flag, "text").textContent = text;
    }
    for (const one of document.querySelectorAll("[data-legions-of]")) {
      const text = world.legions[one.dataset.legionsOf];
      if (text) one.textContent = one.textContent.replace(/\d+/, text.match(/\d+$/)[0]);
    }
  }

  settle() {
    this.shown = null;
    this.effects.replaceChildren();
    if (this.next) {
      const doc = swap(this.next);
      this.next = null;
      if (!doc) { location.assign(location.pathname); return; }
      this.doc = doc;
      this.mount();
    } else this.repaint(this.doc.world);
    this.shown = null;
    if (this.film.last) within(this.root, "[data-film-card]").hidden = false;
    if (phone()) this.home();
    this.draw();
    if (this.complaint) this.wrong(this.complaint);
    this.complaint = "";
  }

  // Drawing ----------------------------------------------------------------------------------------------------------

  draw() {
    this.marks.replaceChildren();
    const { doc } = this;
    for (const [key, target] of this.film?.on ? [] : Object.entries(doc.targets)) {
      const at = doc.places[key];
      const chosen = this.pick === key;
      drawn("use", { href: `#m-${key}`, class: chosen ? "m-selected" : "m-lit", style: "stroke-width:5px" }, this.marks);
      const outer = drawn("g", { transform: `translate(${at.lx} ${at.ly})` }, this.marks);
      const mark = drawn("g", { class: `b-chance p-k${chosen ? " is-sel" : ""}` }, outer);
      const width = 20 + 9.5 * target.chance.length;
      drawn("rect", { x: -width / 2, y: -46, width, height: 30, rx: 3 }, mark);
      drawn("text", { y: -30 }, mark, target.chance);
    }
    if (!this.film?.on) this.panel();
  }

  acts() {
    if (!this.doc.mine || this.busy) return [];
    if (this.doc.devote) return this.stepper(this.doc.devote);
    return this.doc.acts.map((act) => button(act.do, () => this.confirm(act), act.main ? "button--primary" : act.danger ? "button--danger" : ""));
  }

  // How many legions go: one fewer, one more, and the number's own button.
  stepper(devote) {
    this.legions ??= devote.best;
    const box = document.createElement("span");
    box.className = "play-step";
    const number = document.createElement("output");
    number.textContent = String(this.legions);
    const step = (by, text, label) => {
      const made = button(text, () => {
        this.legions = Math.min(devote.most, Math.max(devote.least, this.legions + by));
        this.panel();
      });
      made.setAttribute("aria-label", label);
      made.disabled = this.legions + by < devote.least || this.legions + by > devote.most;
      return made;
    };
    box.append(step(-1, "−", this.words.fewer), number, step(1, "+", this.words.more));
    const [words, chance] = devote.rows[this.legions] ?? [devote.rows[devote.best][0].replace(/\d+/, String(this.legions)), ""];
    const move = { move: "devote", legions: this.legions };
    const text = chance ? `${words}: ${chance}` : words;
    return [box, button(text, () => this.confirm({ moves: [move] }), "button--primary")];
  }

  panel() {
    const { doc } = this;
    within(document, ".play-bar").classList.toggle("is-quiet", !doc.mine);
    const handle = within(this.root, ".play-handle span");
    if (handle) handle.textContent = doc.handle;
    const target = this.pick ? doc.targets[this.pick] : null;
    this.odds(target);
    if (!target) return say(doc.title, doc.hint, this.acts());
    const acts = target.acts.map((act) => button(act.do, () => this.confirm(act), act.main ? "button--primary" : ""));
    return say(target.title, target.hint, [...acts, button(this.words.another, () => { this.pick = null; this.draw(); })]);
  }

  odds(target) {
    const card = within(this.root, "[data-odds]");
    card.hidden = !target;
    if (!target) return;
    const head = document.createElement("h2");
    head.textContent = target.head;
    const bar = document.createElement("div");
    bar.className = "odds3";
    bar.setAttribute("aria-hidden", "true");
    for (const [name, width] of [["won", target.share], ["lost", 100 - target.share]]) {
      const part = document.createElement("i");
      part.className = `is-${name}`;
      part.style.setProperty("--w", `${width}%`);
      bar.append(part);
    }
    const key = document.createElement("p");
    key.className = "odds3-key";
    for (const [text, word] of target.odds) {
      const [line, number] = [document.createElement("span"), document.createElement("b")];
      number.textContent = text;
      line.append(number, ` ${word}`);
      key.append(line);
    }
    const hint = document.createElement("p");
    hint.className = "small";
    hint.textContent = target.hint;
    card.replaceChildren(head, bar, key, hint);
  }
}

const root = document.querySelector('[data-board="march_on_rome"]');
if (root) new Reign(root);
