// Tetrarchia on its board: a tap chooses, the bar names the act with its price, a second tap or the bar does it. Acts without
// dice are only planned, and can be taken back; the first act that needs a die sends all of them to the server, which checks
// each.

import { button, drawn } from "../board.js";
import { data, drawer, filmSince, foresee, pageNow, say, send, swap, loadFilm } from "../compose.js";
import { Film } from "../film.js";
import { lights } from "../lights.js";
import { phone, PHONE, Stage, STEP } from "./stages/tetrarchia.js";

const within = (root, selector) => root.querySelector(selector);

class Table extends Stage {
  constructor(root) {
    super(root, data(), (key) => this.tap(key));
    this.words = root.dataset;
    this.plan = []; // [{doc before, label, cost, moves, legs}]
    this.pick = null;
    this.busy = false;
    const stage = within(root, ".play-stage");
    this.board.take(this.hits, (link) => new URL(link.getAttribute("href"), location.href).searchParams.get("at"));
    this.seas(this.hits);
    this.film = new Film({
      panel: within(document, "[data-film=bar]"), tray: within(stage, ".film__tray"), stage: this, list: within(root, ".film__list"),
    });
    within(root, "[data-film=again]")?.addEventListener("click", () => this.again());
    document.addEventListener("keydown", (event) => this.key(event));
    document.addEventListener("table:moved", () => this.news());
    document.addEventListener("table:undo", (event) => this.undo(event));
    document.addEventListener("table:undone", ({ detail }) => this.undone(detail));
    drawer();
    lights(within(root, ".play-side"), this);
    this.home();
    this.draw();
    this.arrive();
  }

  // A long automatic continuation is shown as a film when the page is opened afterwards.
  async arrive() {
    const since = filmSince();
    const answer = since === null ? null : await loadFilm(since).catch(() => null);
    if (!answer?.board || this.busy || this.plan.length) return;
    this.restore(answer.board);
    await this.film.play(answer.frames);
  }

  // Fleets can be tapped, too: their zones are among the places.
  seas(hits) {
    for (const [key, zone] of Object.entries(this.doc.zones)) {
      const hit = drawn("a", { "data-key": `sea:${key}`, role: "button", tabindex: "-1" }, hits);
      drawn("circle", { cx: zone.x, cy: zone.y, r: 34 }, hit);
      this.board.spaces[`sea:${key}`] = { x: zone.x, y: zone.y };
      this.board.keys.push(`sea:${key}`);
    }
  }

  // The places of the acting Emperor: the space, or those in which the Emperor can enter.
  get scene() {
    const { doc } = this;
    if (doc.at) return [doc.at];
    if (!doc.enters) return [];
    return Object.keys(doc.spaces).filter((key) => key === "roma" || doc.spaces[key].capital === doc.emperor);
  }

  home() {
    if (!phone()) this.board.fit();
    else if (this.scene.length) this.follow(false);
    else this.board.look(800, 560, this.board.least * 1.35);
  }

  // The camera follows the acting Emperor: at the beginning of a turn and after each film, never during a turn. A desk shows the
  // whole board, unless the reader has zoomed.
  follow(slowly = true) {
    const keys = this.scene;
    if (!keys.length || !phone() && keys.every((key) => this.board.seen(key))) return;
    const places = keys.map((key) => this.board.spaces[key]);
    const middle = (side) => places.reduce((sum, place) => sum + place[side], 0) / places.length;
    this.board.look(middle("x"), middle("y"), phone() ? Math.max(PHONE, keys.length > 1 ? 0 : this.board.at.s) : this.board.at.s, slowly);
  }

  // What a tap means -------------------------------------------------------------------------------------------------

  tap(key) {
    if (this.film.on) return;
    if (this.busy) {
      this.waiting = key; // the previous act has not been answered yet
      return;
    }
    const { doc } = this;
    if (doc.place) return this.tapSea(key);
    if (!doc.mine || !key) return this.choose(null);
    if (this.pick?.key === key && this.pick.act) return this.confirm(this.pick.act);
    if (key.startsWith("sea:")) {
      const zone = key.slice(4);
      return this.choose(doc.fleets.includes(zone) ? { key, zone } : null);
    }
    const act = doc.attack?.[key] ?? doc.go?.[key];
    this.choose(act ? { key, act, foe: Boolean(doc.attack?.[key]) } : { key, off: key === doc.at ? doc.secure : doc.off?.[key] ?? "" });
  }

  tapSea(key) {
    const zone = key?.startsWith("sea:") ? key.slice(4) : "";
    if (!zone) return;
    const { place } = this.doc;
    this.zones ??= [...place.first];
    this.zones = this.zones.includes(zone) ? this.zones.filter((other) => other !== zone) : [...this.zones, zone].slice(-place.need);
    this.draw();
  }

  choose(pick) {
    this.pick = pick;
    this.draw();
  }

  async confirm(act) {
    if (this.busy) return;
    if (act.moves.some((move) => ["attack", "end_turn", "begin", "place_fleets"].includes(move.move))) return this.commit(act.moves);
    this.wait(true);
    const before = this.doc;
    const step = { doc: before, label: act.do, cost: act.cost, moves: act.moves, legs: act.legs ?? [] };
    const asked = foresee([...this.planned(), ...act.moves]).catch((error) => error);
    this.plan.push(step);
    this.pick = null;
    this.draw();
    const figure = within(this.pieces, `[data-figure=${before.emperor}]`);
    if (figure && step.legs.length) {
      this.film.skipped = false;
      const keys = [step.legs[0][0], ...step.legs.map((leg) => leg[1])];
      await this.board.travel(figure, keys, STEP[0] * step.legs.length + STEP[1], this.film);
    }
    const answer = await asked;
    const { waiting } = this;
    this.wait(false);
    if (answer instanceof Error || !answer.board || answer.why) {
      this.plan.pop();
      this.doc = before;
      this.draw();
      return this.wrong(answer);
    }
    this.doc = answer.board;
    this.draw();
    if (phone() && this.doc.at && !before.at) this.follow();
    if (waiting) this.tap(waiting);
  }

  // While an act is being sent, a tap is stored, and the bar shows that it is busy.
  wait(busy) {
    this.busy = busy;
    this.waiting = null;
    within(document, ".play-bar").setAttribute("aria-busy", String(busy));
  }

  planned() {
    return this.plan.flatMap((step) => step.moves);
  }

  // Until a die is thrown everything can be taken back.
  back(to = this.plan.length - 1) {
    if (this.busy || this.film.on || !this.plan[to]) return;
    this.doc = this.plan[to].doc;
    this.plan.length = to;
    this.choose(null);
  }

  // The button "Undo": a planned act is taken back at once.
  undo(event) {
    if (!this.busy && !this.plan.length) return;
    event.preventDefault();
    this.back();
  }

  // Moves were taken back: show the earlier board at once.
  undone(page) {
    this.next = page;
    this.pick = null;
    this.settle();
  }

  async commit(moves) {
    this.wait(true);
    this.pick = null;
    const walked = this.planned().length;
    try {
      await this.show(await send([...this.planned(), ...moves]), walked);
    } catch (error) {
      this.wait(false);
      this.draw();
      this.wrong(error);
    }
  }

  // Show the film of the results, without the marches that the board has shown already; then the current page.
  async show(answer, walked = 0) {
    if (!answer.page) throw new Error(answer.why?.sentence ?? "");
    const entries = [...new Set(answer.frames.map((frame) => frame.at))];
    const done = new Set(entries.slice(0, answer.status === 200 ? walked : 0));
    const frames = answer.frames.filter((frame) => !done.has(frame.at));
    if (answer.status === 409) this.doc = this.plan[0]?.doc ?? this.doc;
    this.plan = [];
    this.wait(false);
    this.next = answer.page;
    this.complaint = answer.why ?? null;
    await this.film.play(frames);
  }

  async again() {
    if (this.film.on || this.plan.length) return;
    this.next = null;
    if (this.film.last) return this.film.again();
    const { last } = within(this.root, "[data-film=again]").dataset;
    const answer = await loadFilm(Number(last) - 1, last).catch(() => null);
    if (!answer?.board) return;
    this.restore(answer.board);
    await this.film.play(answer.frames);
  }

  // Other players have moved: show their film, and apply the plan to the new board as far as possible.
  async news() {
    if (this.film.on || this.busy) return;
    const plan = this.plan;
    try {
      const [answer, page] = await Promise.all([loadFilm(this.root.dataset.seen), pageNow()]);
      this.doc = plan[0]?.doc ?? this.doc;
      this.plan = [];
      this.next = page;
      await this.film.play(answer.frames);
    } catch {
      // The next news try again.
    }
  }

  wrong(problem) {
    const sentence = problem?.why?.sentence ?? problem?.message ?? "";
    say(this.doc.title, sentence || this.words.noway, this.acts(), true);
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input,textarea,select")) return;
    if (event.key === "Escape" && !this.film.on) {
      if (within(this.root, ".play-side.is-open")) within(this.root, ".play-handle").click();
      else this.choose(null);
    }
  }

  // The stage of a film ----------------------------------------------------------------------------------------------

  begin() {
    this.pick = null;
    this.draw();
    this.drawOdds(null);
  }

  // After the film: show the board as the server has it.
  settle() {
    this.shown = null;
    this.effects.replaceChildren();
    if (this.next) {
      const doc = swap(this.next);
      this.next = null;
      if (!doc) { location.assign(location.pathname); return; }
      this.doc = doc;
      this.zones = null;
    }
    if (this.film.last) within(this.root, "[data-film-card]").hidden = false;
    this.draw();
    this.follow();
    if (this.complaint) this.wrong({ why: this.complaint });
    this.complaint = null;
  }

  // Drawing ----------------------------------------------------------------------------------------------------------

  draw() {
    const doc = this.shown ?? this.doc;
    const filming = this.film.on;
    for (const layer of [this.paths, this.pieces, this.prices]) layer.replaceChildren();
    if (!filming) this.drawPlan(doc);
    this.drawPieces(doc);
    const ways = doc.mine && !filming ? { ...doc.attack, ...doc.go } : {};
    this.board.label((key) => this.label(key), Object.keys(ways), doc.at || null);
    if (!filming) this.panel();
    if (!filming) document.dispatchEvent(new CustomEvent("table:planned", { detail: this.planned() })); // a lesson listens to it
  }

  label(key) {
    const { doc } = this;
    if (key.startsWith("sea:")) return this.words[doc.fleets.includes(key.slice(4)) ? "fleet" : "sea"].replace("{name}", doc.zones[key.slice(4)].name);
    const act = doc.attack?.[key] ?? doc.go?.[key];
    return act ? `${doc.labels[key]}. ${act.title}` : doc.labels[key];
  }

  ring(key, name, radius = 35) {
    const at = this.board.spaces[key];
    return drawn("circle", { class: name, cx: at.x, cy: at.y, r: radius }, this.paths);
  }

  way(legs, name = "") {
    for (const [from, to, , sea] of legs) {
      const [a, b] = [this.board.spaces[from], this.board.spaces[to]];
      const d = sea ? `M${a.x} ${a.y}Q${(a.x + b.x) / 2} ${Math.max(a.y, b.y) + 34} ${b.x} ${b.y}` : `M${a.x} ${a.y}L${b.x} ${b.y}`;
      if (!name) drawn("path", { class: "b-path b-path--halo", d }, this.paths);
      drawn("path", { class: `b-path ${sea ? "is-sea " : ""}${name}`.trim(), d }, this.paths);
    }
  }

  price(key, text) {
    const at = this.board.spaces[key];
    const node = this.board.pieceAt(this.prices, at.x + 26, at.y - 26, "b-price");
    drawn("circle", { r: 17 }, node);
    drawn("text", { y: 1 }, node, String(text));
  }

  drawPlan(doc) {
    for (const step of this.plan) this.way(step.legs, "is-done");
    for (const key of Object.keys(doc.go ?? {})) this.ring(key, "b-lit is-dim");
    for (const key of Object.keys(doc.attack ?? {})) this.ring(key, "b-lit is-dim is-foe");
    for (const zone of this.seaLit()) this.ring(`sea:${zone}`, this.pick?.zone === zone ? "b-lit" : "b-lit is-dim", 40);
    const act = this.pick?.act;
    if (!act) return;
    this.way(act.legs ?? []);
    let sum = 0;
    for (const [, to, cost] of act.legs ?? []) {
      sum += cost;
      if (!this.pick.foe) {
        this.ring(to, "b-lit", 36);
        this.price(to, sum);
      }
    }
    if (!act.legs?.length && !this.pick.foe) this.ring(this.pick.key, "b-lit", 36);
    if (!this.pick.foe) return;
    for (const key of act.group) this.ring(key, "b-group", 40).setAttribute("data-nation", doc.emperor);
    for (const key of act.foes) this.ring(key, "b-group is-foe", 40);
    const [a, b] = [this.board.spaces[act.blow[0]], this.board.spaces[act.blow[1]]];
    drawn("path", { class: "b-path is-foe", d: `M${a.x} ${a.y}L${b.x} ${b.y}` }, this.paths);
    this.price(act.blow[1], act.cost);
  }

  seaLit() {
    if (this.doc.place) return Object.keys(this.doc.zones);
    return this.doc.fleets.filter((zone) => this.doc.sail?.[zone]?.length);
  }

  // Bar and panel ----------------------------------------------------------------------------------------------------

  do(act, main) {
    return button(act.do, () => this.confirm(act), main ? "button--primary" : "");
  }

  // The content of the bar while nothing is chosen.
  acts() {
    const { doc } = this;
    if (!doc.mine || this.busy) return [];
    if (doc.place) {
      const zones = this.zones ?? doc.place.first;
      const act = { do: doc.place.do, moves: [{ ...doc.place.move, zones: Object.keys(doc.zones).filter((zone) => zones.includes(zone)) }] };
      const place = this.do(act, true);
      place.disabled = zones.length !== doc.place.need;
      return [place];
    }
    const entries = Object.values(doc.go ?? {}).filter((act) => act.main !== undefined);
    const here = [...entries, ...(doc.stand ?? [])];
    const filled = doc.end?.main ? -1 : here.findIndex((act) => act.main ?? true);
    return [
      ...here.map((act, place) => this.do(act, place === filled)),
      doc.outlook?.do ? button(doc.outlook.do, () => this.openOutlook()) : null,
      doc.end ? this.do(doc.end, doc.end.main) : null,
    ];
  }

  panel() {
    const { doc, pick } = this;
    within(document, ".play-bar").classList.toggle("is-quiet", !doc.mine);
    const handle = within(this.root, ".play-handle span");
    if (handle) handle.textContent = doc.handle;
    const points = within(document, `[data-seat-state="${doc.emperor}"]`);
    if (points && doc.stage === "roman") points.textContent = doc.left;
    this.drawPurses();
    this.drawOutlook();
    this.drawBudget();
    this.drawOdds(pick?.foe ? pick.act : null);
    const not = (text) => button(text, () => this.choose(null));
    if (pick?.act) return say(pick.act.title, pick.act.sub, [this.do(pick.act, pick.act.odds?.won.n !== 0), not(pick.foe ? this.words.notnow : this.words.notthere)]);
    if (pick?.zone) {
      const voyages = doc.sail?.[pick.zone] ?? [];
      const title = this.label(pick.key);
      return say(title, voyages[0]?.sub ?? this.words.nosail, [...voyages.map((act, place) => this.do(act, place === 0)), not(this.words.stay)]);
    }
    if (pick?.off) return say(pick.off, pick.off === doc.hint ? "" : doc.hint, this.acts());
    return say(doc.title, within(document, "[data-part=data]").dataset.watch ?? doc.hint, this.acts());
  }

  // The tokens of each Emperor in reserve, beside the Imperium Points.
  drawPurses() {
    const { doc } = this;
    for (const [key, text] of Object.entries(doc.purses)) {
      const purse = within(document, `[data-stock="${key}"]`);
      if (!purse) continue;
      purse.title = text;
      within(purse, "b").textContent = doc.supply[key];
      within(purse, ".sr").textContent = text;
      purse.classList.toggle("is-low", doc.few.includes(key));
    }
  }

  // A game that is lost, or in which no Emperor has a token.
  drawOutlook() {
    const card = within(this.root, "[data-outlook]");
    if (!card) return;
    const { outlook } = this.doc;
    card.hidden = !outlook;
    if (!outlook) return;
    within(card, "h2").textContent = outlook.head;
    within(card, "[data-outlook-text]").textContent = outlook.text;
    within(card, "[data-outlook-ways]").hidden = outlook.lost;
  }

  openOutlook() {
    if (phone() && !within(this.root, ".play-side.is-open")) within(this.root, ".play-handle").click();
    within(this.root, "[data-outlook] h2").focus();
  }

  drawBudget() {
    const list = within(this.root, "[data-plan]");
    if (!list) return;
    const { doc } = this;
    within(this.root, "[data-budget-left]").textContent = doc.left;
    within(this.root, "[data-budget-tokens]").textContent = doc.purses[doc.emperor];
    within(this.root, "[data-budget-pips]").replaceChildren(...Array.from({ length: doc.ip }, () => {
      const pip = document.createElement("i");
      pip.className = "pip";
      return pip;
    }));
    const rows = this.plan.map((step, place) => {
      const row = document.createElement("li");
      const [text, cost] = [document.createElement("span"), document.createElement("span")];
      text.textContent = step.label;
      cost.textContent = step.cost ? `${step.cost} IP` : "";
      const back = document.createElement("button");
      back.type = "button";
      back.textContent = this.words.back;
      back.setAttribute("aria-label", `${this.words.back}: ${step.label}`);
      back.addEventListener("click", () => this.back(place));
      row.append(text, cost, back);
      return row;
    });
    list.replaceChildren(...rows);
    list.hidden = !rows.length;
  }

  drawOdds(act) {
    const card = within(this.root, "[data-odds]");
    card.hidden = !act;
    if (!act) return;
    const head = document.createElement("h2");
    head.textContent = act.head;
    const bar = document.createElement("div");
    bar.className = "odds3";
    bar.setAttribute("role", "img");
    const key = document.createElement("p");
    key.className = "odds3-key";
    const parts = Object.entries(act.odds);
    bar.setAttribute("aria-label", parts.map(([, fact]) => `${fact.name} ${fact.text}`).join(", "));
    for (const [name, fact] of parts) {
      const part = document.createElement("i");
      part.className = `is-${name}`;
      part.style.setProperty("--w", `${fact.share}%`);
      bar.append(part);
      const [word, number] = [document.createElement("span"), document.createElement("b")];
      number.textContent = fact.text;
      word.append(number, ` ${fact.name}`);
      key.append(word);
    }
    const sums = document.createElement("dl");
    sums.className = "sum";
    for (const [text, number, kind] of act.rows) {
      const [term, value] = [document.createElement("dt"), document.createElement("dd")];
      [term.textContent, value.textContent] = [text, number];
      if (kind) term.className = value.className = "is-total";
      sums.append(term, value);
    }
    const note = document.createElement("p");
    note.className = "small muted";
    note.textContent = `${act.exact} ${act.note}`;
    card.replaceChildren(head, bar, key, sums, note);
  }
}

const root = document.querySelector('[data-board="tetrarchia"]');
if (root) new Table(root);
