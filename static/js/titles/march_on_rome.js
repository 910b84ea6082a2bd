// March on Rome on its map: every neighbour shows the chance of an attack, a tap chooses one, the bar acts. A film shows what
// the dice decide, and the year continues automatically to the next decision.

import { button, drawn } from "../board.js";
import { data, drawer, filmSince, pageNow, say, send, swap, loadFilm } from "../compose.js";
import { Film } from "../film.js";
import { lights } from "../lights.js";
import { phone, PHONE, Stage } from "./stages/march_on_rome.js";

const within = (root, selector) => root.querySelector(selector);

class Reign extends Stage {
  constructor(root) {
    super(root, data(), (key) => this.tap(key));
    this.words = root.dataset;
    this.pick = null;
    const stage = within(root, ".play-stage");
    this.film = new Film({
      panel: within(document, "[data-film=bar]"), tray: within(stage, ".film__tray"), stage: this, list: within(root, ".film__list"),
    });
    within(root, "[data-film=again]").addEventListener("click", () => this.film.again());
    document.addEventListener("keydown", (event) => this.key(event));
    document.addEventListener("table:moved", () => this.news());
    document.addEventListener("table:undone", ({ detail }) => this.undone(detail));
    drawer();
    lights(within(root, ".play-side"), this);
    this.home();
    this.draw();
    this.arrive();
  }

  // A form without a script leads here with the entry from which its film begins; so does an automatic continuation.
  async arrive() {
    const first = new URLSearchParams(location.search).get("told");
    const since = filmSince() ?? (/^\d+/.test(first ?? "") ? parseInt(first, 10) - 1 : null);
    if (since === null) return;
    history.replaceState(history.state, "", location.pathname);
    const ahead = (is) => document.body.classList.toggle("is-ahead", is); // the panel has the results already
    ahead(true);
    const [answer, page] = await Promise.all([loadFilm(since), pageNow()]).catch(() => []);
    if (answer?.board && page) {
      this.restore(answer.board.world);
      this.next = page;
      await this.film.play(answer.frames);
    }
    ahead(false);
  }

  mount() {
    super.mount();
    this.board.label((key) => this.doc.targets[key]?.label ?? this.doc.places[key].name, Object.keys(this.doc.targets));
  }

  home() {
    const mine = Object.entries(this.doc.world.owner).filter(([, owner]) => owner === "pc").map(([key]) => this.doc.places[key]);
    if (!phone() || !mine.length) return this.board.fit();
    const x = mine.reduce((sum, place) => sum + place.x, 0) / mine.length;
    return this.board.look(x, mine.reduce((sum, place) => sum + place.y, 0) / mine.length, Math.max(PHONE, this.board.least));
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
      await this.show(await send(act.moves, { then: act.then ?? "on" }));
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
      const [answer, page] = await Promise.all([loadFilm(this.words.seen), pageNow()]);
      this.next = page;
      await this.film.play(answer.frames);
    } catch { /* the next news try again */ }
  }

  // Moves were taken back: show the earlier board at once.
  undone(page) {
    this.next = page;
    this.pick = this.legions = null;
    this.settle();
  }

  wrong(sentence) {
    say(this.doc.title, sentence || this.words.noway, this.acts(), true);
  }

  // The stage of a film ----------------------------------------------------------------------------------------------

  begin() {
    this.draw();
    this.odds(null);
    super.begin();
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
    this.outlines.replaceChildren();
    const { doc } = this;
    for (const [key, target] of this.film?.on ? [] : Object.entries(doc.targets)) {
      const at = doc.places[key];
      const chosen = this.pick === key;
      drawn("use", { href: `#m-${key}`, class: chosen ? "m-selected" : "m-lit", style: "stroke-width:5px" }, this.outlines);
      const { x, y, width, height } = target.plaque;
      const place = `transform:translate(${at.lx}px,${at.ly}px) scale(var(--k,1)) translate(${x}px,${y}px)`;
      const mark = drawn("g", { class: `b-chance${chosen ? " is-sel" : ""}`, style: place }, this.marks);
      drawn("rect", { x: -width / 2, y: -height / 2, width, height, rx: 3 }, mark);
      drawn("text", { y: 0.5 }, mark, target.chance);
    }
    if (!this.film?.on) this.panel();
  }

  acts() {
    if (!this.doc.mine || this.busy) return [];
    if (this.doc.devote) return this.stepper(this.doc.devote);
    return this.doc.acts.map((act) => button(act.do, () => this.confirm(act), act.main ? "button--primary" : act.danger ? "button--danger" : ""));
  }

  // The number of legions to send: enough or all at a tap, any other step by step; the button names it with its chance.
  stepper(devote) {
    this.legions ??= devote.best;
    const choose = (legions) => {
      this.legions = Math.min(devote.most, Math.max(devote.least, legions));
      this.panel();
    };
    const box = document.createElement("span");
    box.className = "play-step";
    const number = document.createElement("output");
    number.textContent = String(this.legions);
    const step = (by, text, label) => {
      const node = button(text, () => choose(this.legions + by));
      node.setAttribute("aria-label", label);
      node.disabled = this.legions + by < devote.least || this.legions + by > devote.most;
      return node;
    };
    box.append(step(-1, "−", this.words.fewer), number, step(1, "+", this.words.more));
    const presets = document.createElement("span");
    presets.className = "play-presets";
    for (const preset of devote.presets) {
      const node = button(preset.do, () => choose(preset.legions));
      node.setAttribute("aria-pressed", String(preset.legions === this.legions));
      presets.append(node);
    }
    const move = { move: "devote", legions: this.legions };
    const send = button(devote.rows[this.legions].do, () => this.confirm({ moves: [move] }), "button--primary");
    const out = button(devote.out, () => this.confirm({ moves: [move], then: "out" }), "button--quiet");
    out.title = devote.auto;
    return [presets, box, send, out];
  }

  panel() {
    const { doc } = this;
    within(document, ".play-bar").classList.toggle("is-quiet", !doc.mine);
    const handle = within(this.root, ".play-handle span");
    if (handle) handle.textContent = doc.handle;
    const target = this.pick ? doc.targets[this.pick] : null;
    this.odds(target);
    if (!target) {
      say(doc.title, [doc.hint, doc.devote?.rows[this.legions ?? doc.devote.best].hint].filter(Boolean).join(" "), this.acts());
      return this.tell(doc.told);
    }
    const acts = target.acts.map((act) => button(act.do, () => this.confirm(act), act.main ? "button--primary" : ""));
    return say(target.title, target.hint, [...acts, button(this.words.another, () => { this.pick = null; this.draw(); })]);
  }

  // What has happened since the last decision, in one line between the question and the hint.
  tell(line) {
    if (!line) return;
    const node = document.createElement("span");
    node.className = "play-bar__told";
    node.textContent = line;
    within(document, ".play-bar__say b").after(node);
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
