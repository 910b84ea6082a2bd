// A phase of conquest is composed on the board: each tap places an army. Nothing is decided here: the page shows what the rules
// would probably say, and the server plays the moves one by one. Without this file the forms of the page do the same.

import { BEFORE, button, copy, Draft, element } from "./conquest_parts.js";
import { filmSince, goesOn } from "./compose.js";
import { Film } from "./film.js";
import { View } from "./conquest_view.js";
import { choices, landDeeds, marked, proposal, recruitable, unused } from "./conquest_choices.js";
import { lights } from "./lights.js";
import { sound } from "./sounds.js";

const $ = (what, root = document) => root.querySelector(what);
const $$ = (what, root = document) => [...root.querySelectorAll(what)];

// Send several moves in a single request. The response has the played moves, the refused ones with reasons, the frames of the
// film, and the current page.
async function send(moves, then) {
  const { moves: url } = $("[data-board]").dataset;
  const answer = await fetch(url, {
    method: "POST", headers: { "Content-Type": "application/json", "X-CSRFToken": $("[name=csrfmiddlewaretoken]")?.value ?? "" },
    body: JSON.stringify({ seen: Number($("#table-data").dataset.seen), moves, then }),
  });
  if (!answer.headers.get("Content-Type")?.includes("json")) throw new Error(`${answer.status} ${answer.statusText}`);
  return answer.json();
}

// Update the parts of the page that change, and the mark of what this reader has seen.
function swap(html) {
  const page = new DOMParser().parseFromString(html, "text/html");
  if (!$("[data-board]", page)) { // another layout, such as that of the end of a game
    location.assign(location.pathname);
    return;
  }
  for (const fresh of page.querySelectorAll("[data-part]")) {
    const old = $(`[data-part="${fresh.dataset.part}"]`);
    if (!old || (old.contains(document.activeElement) && document.activeElement.matches("textarea"))) continue;
    const part = document.importNode(fresh, true);
    const open = new Map($$("details[id]", old).map((fold) => [fold.id, fold.open]));
    for (const fold of $$("details[id]", part)) fold.open = open.get(fold.id) ?? fold.open;
    old.replaceWith(part);
    window.htmx?.process(part);
  }
  for (const toast of page.querySelectorAll("main > [data-toast], main > .banner[role=alert]")) $("main").prepend(document.importNode(toast, true));
  const [now, fresh] = [$("#live"), $("#live", page)];
  if (now && fresh) now.dataset.at = fresh.dataset.at;
  document.title = page.title;
  goesOn(page, $("#table-data").dataset.seen);
}

class Table {
  constructor() {
    this.view = new View($("[data-board]"), (key) => this.tap(key));
    this.film = new Film({ panel: $("[data-film=bar]"), tray: $("[data-film=tray]"), list: $("[data-film=list]"), stage: this.view });
    this.plan = null;
    this.cities = null;
    this.open();
    lights($(".play-side"), this.view);
    this.arrive();
    document.addEventListener("keydown", (event) => this.key(event));
    document.addEventListener("submit", (event) => this.submit(event));
    document.addEventListener("htmx:load", () => this.news());
    document.addEventListener("table:moved", () => this.moved());
    document.addEventListener("table:undo", (event) => this.undo(event));
    document.addEventListener("table:undone", ({ detail }) => this.undone(detail));
    $(".play-handle")?.addEventListener("click", (event) => {
      const side = event.currentTarget.closest(".play-side");
      event.currentTarget.setAttribute("aria-expanded", side.classList.toggle("is-open"));
    });
  }

  // A long automatic continuation is shown as a film when the page is opened afterwards.
  async arrive() {
    const since = filmSince();
    if (since === null || this.plan?.length) return;
    const answer = await fetch(`${$("[data-board]").dataset.filmUrl}?since=${since}`, { cache: "no-store" }).catch(() => null);
    const news = answer?.ok ? await answer.json() : null;
    if (!news?.board || this.busy) return;
    this.busy = true;
    this.view.dim([]);
    this.view.draw(new Draft({ ...news.board, play: undefined }), [], news.board.groups);
    await this.film.play(news.frames);
    this.busy = false;
    this.text = "";
    this.open();
  }

  // Other players have moved: show the film of it, then the current page.
  async moved() {
    if (this.busy || this.film.on) {
      setTimeout(() => this.moved(), 1000);
      return;
    }
    this.busy = true;
    try {
      const { filmUrl } = $("[data-board]").dataset;
      const news = await fetch(`${filmUrl}?since=${this.seen}`, { cache: "no-store" });
      if (news.ok) await this.film.play((await news.json()).frames);
      const page = await fetch(location.pathname, { headers: { "HX-Request": "true" }, cache: "no-store" });
      if (page.ok) swap(await page.text());
    } catch {
      // No connection: the news will still be there later.
    }
    this.busy = false;
    this.open();
  }

  // live.js has updated parts of the page: show the film first, on the old board.
  async news() {
    const { seen } = $("#table-data").dataset;
    if (this.busy || this.film.on) return;
    if ($("#board-data").textContent === this.text) {
      this.draw(); // parts of the page are new, but nothing happened on the board
      return;
    }
    this.busy = true;
    try {
      const answer = await fetch(`${$("[data-board]").dataset.filmUrl}?since=${this.seen}`, { cache: "no-store" });
      if (answer.ok && this.seen !== seen) await this.film.play((await answer.json()).frames);
    } catch {
      // Without the film the board shows the results.
    }
    this.busy = false;
    this.open();
  }

  // Read the page that the server has rendered, and apply the plan to it again.
  open() {
    const text = $("#board-data")?.textContent;
    if (text && text === this.text) return this.draw(); // parts of the page are new: this file writes its bar
    if (!text) return;
    const asked = (data) => Boolean(data?.play ?? data?.decide);
    const waited = this.data && !asked(this.data);
    this.text = text;
    this.seen = $("#table-data").dataset.seen;
    this.data = JSON.parse(text);
    if (waited && asked(this.data)) sound("turn");
    this.words = this.data.words;
    this.key_of_phase = `${location.pathname} ${this.data.phase.join(" ")}`;
    this.key_of_march = `march ${$("[data-reader]")?.dataset.reader ?? ""} ${location.pathname}`;
    this.plan = this.data.play ? this.plan ?? this.kept() : null;
    this.pick = null;
    this.fight = null;
    this.mode = null;
    if (this.stash?.phase === this.key_of_phase && this.plan) {
      this.plan.push(...this.stash.plan); // a card was played before the planned march
      this.stash = null;
    }
    this.view.read(this.data);
    this.draw();
    const { play, decide, fought } = this.data;
    const first = play ? [...Object.keys(this.draft.starts), play.home, ...this.draft.mine] : [...(decide ?? []), fought];
    if (this.faced !== this.key_of_phase) this.view.face(first);
    this.faced = this.key_of_phase;
  }

  kept() {
    try {
      const [phase, plan] = JSON.parse(localStorage.getItem(this.key_of_march) ?? "[]");
      return phase === this.key_of_phase ? plan : [];
    } catch {
      return [];
    }
  }

  // The unsent plan remains in this browser until it is sent or its phase is over.
  keep() {
    try {
      if (this.plan?.length) localStorage.setItem(this.key_of_march, JSON.stringify([this.key_of_phase, this.plan]));
      else localStorage.removeItem(this.key_of_march);
    } catch {
      // A browser without storage loses the plan with the page.
    }
  }

  say(key, facts = {}, n = null) {
    const text = n === null ? this.words[key] : this.words[key][n === 1 ? 0 : 1];
    return text.replace(/\{(\w+)\}/g, (all, name) => facts[name] ?? (name === "n" && n !== null ? n : all));
  }

  name(key) { return this.data.names[key]; }

  // Apply the plan to the position; steps that are no longer possible are removed.
  drafted() {
    const draft = new Draft(this.data);
    this.struck = [];
    this.plan = this.plan.filter((step) => {
      const fits = draft.add(step);
      if (!fits) this.struck.push(step);
      return fits;
    });
    return draft;
  }

  push(step) {
    const later = ["fort", "fortress"].includes(step.do) && this.draft.begun && this.draft.forts > 0;
    if (BEFORE.includes(step.do) && !later) {
      const at = this.plan.findIndex((planned) => !BEFORE.includes(planned.do));
      this.plan.splice(at < 0 ? this.plan.length : at, 0, step);
    } else this.plan.push(step);
    this.draw();
  }

  back(at = this.plan.length - 1) {
    this.plan.splice(at, 1);
    this.fight = null;
    this.draw();
  }

  // The button "Undo": a planned move is taken back at once.
  undo(event) {
    if (!this.busy && !this.plan?.length) return;
    event.preventDefault();
    if (!this.busy) this.back();
  }

  // Moves were taken back: show the earlier board at once.
  undone(page) {
    swap(page);
    this.plan = this.cities = this.stash = null;
    this.text = "";
    this.open();
  }

  // Taps and keys ------------------------------------------------------------------------------------------------------

  tap(key) {
    if (this.film.on || this.busy) return;
    if (this.data.decide?.includes(key)) return this.post([{ move: "retreat", to: key }], "on");
    if (!this.data.play || !key) {
      this.pick = this.fight = this.mode = null;
      return this.draw();
    }
    if (Object.keys(this.draft.starts).length) {
      if (this.pick === key && this.draft.starts[key]) return this.push({ do: "choose_start", land: key });
      this.pick = key;
      this.fight = null;
      return this.draw();
    }
    if (this.mode && marked(this, this.draft).length) return this.choose(key);
    this.mode = null;
    const again = this.pick === key;
    const way = this.draft.way(key);
    this.pick = key;
    if (!way) {
      this.fight = null;
      return this.draw();
    }
    if (way.do === "attack") {
      if (again && this.fight) return this.push_fight();
      const armies = way.from === "revolt" ? this.draft.revolt[1] : this.draft.hand;
      this.fight = { ...way, do: "war", land: key, most: Math.min(armies, Math.max(2, way.fight.beat + 1)), stop: "taken" };
      return this.draw();
    }
    this.fight = null;
    this.push({ do: "place", land: key, loot: way.loot ? true : undefined, fort: way.do === "take" ? "take" : undefined });
    if (way.from in this.data.names && way.from !== key) this.view.travel(way.from, key);
  }

  push_fight() {
    const { land, most, stop, loot } = this.fight;
    this.fight = this.pick = null;
    this.push({ do: "war", land, most, stop, loot });
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest?.("input, select, textarea") || this.film.on) return;
    if (event.key === "Escape") {
      this.pick = this.fight = this.mode = null;
      this.draw();
    } else if (event.key === "Backspace" && this.plan?.length) {
      event.preventDefault();
      this.back();
    }
  }

  // Drawing and text ---------------------------------------------------------------------------------------------------

  draw() {
    const draft = this.draft = this.data.play ? this.drafted() : new Draft(this.data);
    const marks = [];
    if (this.data.play && !this.busy) {
      const starts = draft.starts;
      if (Object.keys(starts).length) {
        this.view.dim(Object.keys(starts));
        for (const [key, [area, points, mates]] of Object.entries(starts)) {
          marks.push({ land: key, css: "is-open is-pulse", tag: this.view.width < 640 ? points.join(", ") : `${area}: ${points.join(", ")}` });
          if (this.pick === key) for (const other of mates) if (other !== key) marks.push({ land: other, css: "is-mate" });
        }
      } else if (this.mode) {
        const open = marked(this, draft);
        this.view.dim(open);
        for (const land of open) marks.push({ land, css: "is-open" });
        if (this.mode.given?.land) marks.push({ land: this.mode.given.land, css: "is-chosen" });
      } else {
        this.view.dim([]);
        for (const key of Object.keys(draft.lands)) {
          const way = draft.way(key);
          if (way) marks.push({ land: key, css: `${way.do === "attack" ? "is-war" : "is-open"}${way.won?.length ? " is-if" : ""}` });
        }
      }
      if (this.pick) marks.push({ land: this.pick, css: this.fight ? "is-chosen is-war" : "is-chosen" });
    } else this.view.dim([]);
    for (const key of this.data.decide ?? []) marks.push({ land: key, css: "is-open is-pulse" });
    if (this.data.fought) marks.push({ land: this.data.fought, css: "is-war" });
    this.view.draw(draft, marks, this.data.groups);
    this.view.label((key) => this.label(key));
    if (!this.data.play) return;
    this.panel(draft);
    this.bar(draft);
    this.keep();
    document.dispatchEvent(new CustomEvent("table:planned", { detail: this.moves() })); // a lesson listens to it
  }

  label(key) {
    const here = this.draft.lands[key];
    const parts = [];
    if (here.n) parts.push(this.say("armies-of", { group: this.data.groups[here.who]?.[0] ?? here.who }, here.n));
    if (here.city) parts.push(this.say(`city-${here.city}`));
    if (here.fort) parts.push(this.say(here.level > 1 ? "fortress" : "fort"));
    if (this.data.play && !this.busy) {
      const way = Object.keys(this.draft.starts).length ? null : this.draft.way(key);
      if (this.draft.starts[key]) parts.push(this.say("can-start"));
      else if (way) parts.push(this.say(way.do === "attack" ? "can-attack" : "can-place"));
    }
    return `${this.name(key)}${parts.length ? `: ${parts.join(", ")}` : ""}`;
  }

  panel(draft) {
    const box = $("[data-march]");
    if (!box) return;
    const rows = [];
    const seen = new Map();
    this.plan.forEach((step, at) => {
      const same = `${step.do} ${step.land ?? ""} ${step.way === "follow"}`;
      if (step.do !== "war" && seen.has(same)) Object.assign(seen.get(same), { at, n: seen.get(same).n + 1 });
      else {
        const row = { step, at, n: 1 };
        rows.push(row);
        seen.set(same, row);
      }
    });
    const list = rows.map(({ step, at, n }) => element("li", { class: step.do === "war" ? "is-war" : "" },
      element("span", {}, this.step(step, n), this.extra(step)),
      button("−", () => this.back(at), "button--small", this.say("take-back-one", { what: this.step(step, n) }))));
    const now = draft.score();
    const before = this.data.play.score[0];
    const hope = Object.keys(draft.wars).length ? draft.score(true).points : null;
    const why = [...now.rows.map(([name, n]) => `${name} ${n}`), ...(now.cities ? [`${this.say("cities")} ${now.cities}`] : []),
      ...(now.emperor ? [`${this.say("emperor")} ${now.emperor}`] : [])].join(", ");
    const struck = this.struck.map((step) => element("li", { class: "muted" }, this.say("struck", { what: this.step(step, 1) })));
    $("[data-march-list]", box).replaceChildren(...list, ...struck,
      ...(list.length ? [] : [element("li", {}, element("span", { class: "muted" }, this.say("nothing-placed")))]));
    $("[data-march-score]", box).replaceChildren(this.say("if-ended"), " ", element("b", {}, `${before} → ${this.say("points", {}, now.points)}`),
      element("br"), element("span", { class: "muted" }, why + (hope === null ? "" : `; ${this.say("if-won", { n: hope })}`)));
    $("[data-march-more]", box).replaceChildren(...this.recruits(draft), ...this.sites(draft));
    this.odds(draft);
    const handle = $("[data-handle]");
    if (handle) handle.textContent = `${this.say("in-hand", {}, draft.hand)} · ${before} → ${this.say("points", {}, now.points)}`;
  }

  step(step, n) {
    const land = this.name(step.land);
    const won = step.won?.length ? step.won.map((key) => this.name(key)).join(", ") : null;
    if (step.do === "war") {
      const facts = { land, from: this.name(step.from) ?? this.say(`from-${step.from}`), n: step.most, chance: `${this.draft.chance(step)}%`, won };
      return this.say(`row-war-${step.stop === "loss" ? "loss" : "taken"}${won ? "-if" : ""}`, facts);
    }
    if (step.do === "place") {
      const place = `${land}${n > 1 ? ` ×${n}` : ""}`;
      return won ? this.say("row-place-if", { place, won }) : place;
    }
    return this.say(`row-${step.do}`, { land, n });
  }

  // Show the open question of a step: which City to loot, or the fate of a Fort.
  extra(step) {
    if (step.loot !== undefined && (step.do === "place" || this.draft.wars[step.land]?.fight?.loot)) {
      const box = element("input", { type: "checkbox", checked: step.loot, onchange: (event) => { step.loot = event.target.checked; this.draw(); } });
      return element("label", { class: "check small" }, box, " ", this.say("loot-it", { dice: this.data.play.capitals.includes(step.land) ? "2d6" : "1d6" }));
    }
    if (step.fort !== undefined) {
      const choose = element("select", { class: "select select--small", "aria-label": this.say("fort-there", { land: this.name(step.land) }), onchange: (event) => { step.fort = event.target.value; this.draw(); } },
        ["take", "destroy"].map((key) => element("option", { value: key, selected: step.fort === key }, this.say(`fort-${key}`))));
      return choose;
    }
    return null;
  }

  recruits(draft) {
    const { play } = this.data;
    if (!play.faction || draft.begun || !Math.min(play.recruits, play.room)) return [];
    const more = () => this.push({ do: "recruit" });
    const fewer = () => this.back(this.plan.findLastIndex((step) => step.do === "recruit"));
    return [element("div", { class: "row row--apart" }, element("span", {}, this.say("recruit", { price: play.price })),
      this.stepper(draft.recruits, draft.recruits ? fewer : null, draft.recruits < Math.min(play.recruits, play.room) && draft.points >= play.price ? more : null, this.say("recruits")))];
  }

  sites(draft) {
    const { free, most, home } = draft.sites();
    this.building = [];
    if (!most) return [];
    const chosen = (this.cities ?? free.slice(0, most)).filter((key) => free.includes(key)).slice(0, most);
    this.building = chosen;
    const points = (key) => (home.includes(key) ? this.say("at-home", { points: `+${this.data.play.city[key]}` }) : `+${this.data.play.city[key]}`);
    const boxes = free.map((key) => element("label", { class: "check" }, element("input", {
      type: "checkbox", checked: chosen.includes(key), disabled: !chosen.includes(key) && chosen.length >= most,
      onchange: (event) => { this.cities = event.target.checked ? [...chosen, key] : chosen.filter((city) => city !== key); this.draw(); },
    }), " ", this.name(key), " ", element("span", { class: "small muted" }, points(key))));
    return [element("fieldset", { class: "cities stack stack--tight" }, element("legend", {}, this.say("new-cities", {}, most)), element("span", { class: "row" }, boxes))];
  }

  odds(draft) {
    const box = $("[data-odds]");
    box.hidden = !this.fight;
    if (!this.fight) return;
    const { land, fight, ground, most } = this.fight;
    const [chances, mine, his] = fight[ground];
    const now = chances[Math.min(most, 10) - 1];
    box.replaceChildren(element("h2", {}, this.say("do-attack", { land: this.name(land) })),
      element("div", { class: "odds", role: "img", "aria-label": this.say("odds", { n: now }), style: `--held:${100 - now}%` },
        element("span", { class: "odds__held" }, this.say("held", { n: 100 - now })), element("span", { class: "odds__taken" }, this.say("taken", { n: now }))),
      element("dl", { class: "sum" }, element("dt", {}, this.say("you-throw")), element("dd", {}, mine), element("dt", {}, this.say("they-throw", { who: fight.holder })), element("dd", {}, his),
        element("dt", {}, this.say("to-beat")), element("dd", {}, String(fight.beat))),
      element("p", { class: "small num" }, chances.slice(0, Math.min(6, draft.hand)).map((n, at) => `${at + 1}: ${n}%`).join("  ·  ")),
      ...(fight.asks ? [element("p", { class: "small muted" }, this.say("may-retreat"))] : []));
  }

  stepper(n, fewer, more, label) {
    return element("span", { class: "stepper", role: "group", "aria-label": label },
      element("button", { class: "button", type: "button", "aria-label": this.say("one-fewer"), disabled: !fewer, onclick: fewer ?? (() => {}) }, "−"),
      element("output", {}, String(n)),
      element("button", { class: "button", type: "button", "aria-label": this.say("one-more"), disabled: !more, onclick: more ?? (() => {}) }, "+"));
  }

  write(title, note, ...does) {
    const bar = $("[data-bar]");
    const held = bar.contains(document.activeElement) && document.activeElement.dataset.keeps;
    $("[data-say]", bar).replaceChildren(element("b", {}, title), element("span", {}, note ?? ""));
    $("[data-do]", bar).replaceChildren(...does.filter(Boolean));
    if (held) $(`[data-keeps="${held}"]`, bar)?.focus();
  }

  bar(draft) {
    const { play } = this.data;
    if (this.busy) return this.write(this.say("sending"), "");
    const lit = Object.keys(draft.starts);
    if (lit.length) return this.start(draft, lit);
    if (this.fight) return this.ask(draft);
    if (this.mode) return choices(this, draft);
    const here = this.pick && draft.lands[this.pick];
    const does = this.pick ? this.deeds(draft, here) : [];
    if (this.pick && !does.length && !draft.way(this.pick) && !this.plan.some((step) => step.land === this.pick)) {
      return this.write(this.why(draft), this.note(draft), ...this.sends(draft, true));
    }
    const title = draft.armies ? this.say("armies-in-hand", { of: this.data.play.name }, draft.armies) : this.plan.length ? this.say("all-placed") : this.say("none-in-hand", { of: play.name });
    return this.write(title, this.note(draft), ...does, ...this.offers(draft, does.length > 0), ...this.sends(draft, false));
  }

  // Everything that is possible now, each behind a button; the proposed move is the highlighted one.
  offers(draft, picked) {
    const { play } = this.data;
    const open = (name) => button(this.say(`bar-${name}`, { n: play.cards.length }), () => this.enter({ name }));
    const rows = [];
    if (recruitable(this, draft)) rows.push(open("recruit"));
    if (play.cards.length) rows.push(open("cards"));
    if (!picked) for (const name of ["move", "fort", "rebuild", "bribe"]) if (landDeeds(this, draft, name).length) rows.push(open(name));
    return rows;
  }

  enter(mode) {
    this.mode = mode;
    this.pick = this.fight = null;
    if (mode) this.view.face(marked(this, this.draft));
    this.draw();
  }

  // A tap on a land while something is chosen in the bar.
  choose(key) {
    const { mode } = this;
    if (mode.card) {
      if (mode.card.asks.some(([name, , values]) => name === "land" && values.some(([value]) => value === key))) mode.given.land = key;
      return this.draw();
    }
    const step = landDeeds(this, this.draft, mode.name).find((deed) => deed.land === key);
    return step ? this.push(step) : this.draw();
  }

  // Add the proposed moves of one kind to the plan; an attack is asked for first.
  follow(steps) {
    const [step] = steps;
    this.pick = null;
    this.view.reveal(step.land);
    if (step.do === "war") return this.tap(step.land);
    for (const { do: name, land } of steps) {
      const way = name === "place" ? this.draft.way(land) : null;
      this.push({ do: name, ...(land ? { land } : {}), ...(way ? { loot: way.loot ? true : undefined, fort: way.do === "take" ? "take" : undefined } : {}) });
    }
    return undefined;
  }

  // A card is played before the march that is planned; the plan goes on afterwards.
  async play_card(move) {
    this.stash = this.plan.length ? { phase: this.key_of_phase, plan: this.plan } : null;
    this.plan = [];
    await this.post([move], "on");
  }

  note(draft) {
    if (this.struck.length) return this.say("struck", { what: this.step(this.struck[0], 1) });
    const lost = draft.armies ? `${this.say("unused-lost")} ` : "";
    if (this.plan.length) return `${lost}${this.say(!this.early(draft) ? "not-sent" : this.data.play.faction ? "note-early" : "note-early-cards")}`;
    const proposed = proposal(this);
    if (proposed) return proposed[0].why;
    if (!draft.armies) return [this.no_recruits(draft), this.all_done(draft)].filter(Boolean).join(" ");
    return this.say(draft.mine.length ? "tap-lit" : "tap-start", { land: this.name(draft.start ?? this.data.play.home) ?? "" });
  }

  // Without an army in hand, say what remains: a card, or the end of the phase.
  all_done(draft) {
    const { play } = this.data;
    if (play.main || recruitable(this, draft)) return "";
    return this.say(play.cards.length ? "nothing-left-cards" : "nothing-left");
  }

  // Return why a Faction without an army in hand cannot recruit.
  no_recruits(draft) {
    const { play } = this.data;
    if (!play.faction || play.main || recruitable(this, draft)) return "";
    if (!play.begin) return this.say("no-recruits-late");
    return this.say(play.room - draft.recruits > 0 ? "no-recruits-points" : "no-recruits-limit", { price: play.price });
  }

  why(draft) {
    const land = this.name(this.pick);
    if (this.data.play.main === undefined) return land;
    if (!draft.armies) return this.say("why-hand");
    if (draft.lands[this.pick].who === this.data.play.group) return this.say("why-full", { land });
    return this.say("why-far", { land, group: this.data.play.name });
  }

  start(draft, lit) {
    const proposed = proposal(this);
    if (!this.pick) return this.write(this.say("choose-start"), this.say("choose-start-note", { lands: lit.map((key) => this.name(key)).join(", ") }),
      proposed && button(this.proposed(proposed), () => this.follow(proposed), "button--primary"));
    const land = this.name(this.pick);
    if (!draft.starts[this.pick]) {
      const who = this.data.play.taken[this.pick];
      return this.write(who ? this.say("start-taken", { land, seat: who }) : this.say("no-start", { land }), this.say("choose-start-note", { lands: lit.map((key) => this.name(key)).join(", ") }));
    }
    const [area, points] = draft.starts[this.pick];
    const key = this.pick;
    return this.write(this.say("start-in", { land }), this.say("start-note", { area, points: points.join(", ") }),
      button(this.say("another"), () => { this.pick = null; this.draw(); }),
      button(this.say("start-in", { land }), () => { this.pick = null; this.push({ do: "choose_start", land: key }); }, "button--primary"));
  }

  ask(draft) {
    const { fight } = this;
    const land = this.name(fight.land);
    const armies = fight.from === "revolt" ? draft.revolt[1] : draft.hand;
    const chance = draft.chance(fight);
    const put = (n) => { fight.most = n; this.draw(); };
    const from = fight.from in this.data.names ? this.say("from-land", { land: this.name(fight.from) }) : this.say(`from-${fight.from}`);
    const note = fight.won?.length ? `${from} ${this.say("only-if", { land: fight.won.map((key) => this.name(key)).join(", ") })}` : from;
    const stop = element("select", { class: "select", "data-keeps": "stop", "aria-label": this.say("when-stop"), onchange: (event) => { fight.stop = event.target.value; } },
      element("option", { value: "taken", selected: fight.stop === "taken" }, this.say("until-taken")),
      element("option", { value: "loss", selected: fight.stop === "loss" }, this.say("until-loss")));
    const bribe = this.data.play.bribe?.[fight.land];
    return this.write(this.say("attack-with", { land, n: fight.most, chance: `${chance}%` }), note,
      this.stepper(fight.most, fight.most > 1 ? () => put(fight.most - 1) : null, fight.most < armies ? () => put(fight.most + 1) : null, this.say("most-armies")), stop,
      bribe && !draft.begun && bribe <= draft.points ? button(this.say("do-bribe", { n: bribe }), () => { this.fight = null; this.push({ do: "bribe", land: fight.land }); }) : null,
      button(this.say("not-there"), () => { this.pick = this.fight = null; this.draw(); }),
      button(this.say("do-attack", { land }), () => this.push_fight(), "button--primary"));
  }

  // Show other acts in the tapped land: more armies at once, removing armies, walls, rebuilding a City.
  deeds(draft, here) {
    const { play } = this.data;
    const land = this.name(this.pick);
    const key = this.pick;
    const rows = [];
    const way = draft.way(key);
    if (way?.do === "strengthen" && here.fresh) {
      for (let n = here.n + 1; n <= play.stack && n - here.n <= draft.hand; n += 1) {
        rows.push(element("button", { class: "button e-times", type: "button", "data-keeps": `times${n}`, "aria-label": this.say("place-in", { land, n }),
          onclick: () => { for (let more = n - here.n; more; more -= 1) this.plan.push({ do: "place", land: key }); this.draw(); } }, this.say("here", { n })));
      }
    }
    const tries = (step, text) => {
      const tried = Object.assign(Object.create(Draft.prototype), copy({ ...draft, data: null, play: null }), { data: draft.data, play: draft.play });
      if (tried.add({ ...step })) rows.push(button(text, () => this.push(step), "button--small"));
    };
    if (here.who === play.group) {
      const price = draft.forts ? this.say("fort-point") : this.say("costs", { n: 1 });
      if (!here.fresh) tries({ do: "take_up", land: key }, this.say("take-up", { land }));
      if (play.faction) {
        tries({ do: "fort", land: key }, this.say("build-fort", { land, price }));
        tries({ do: "fortress", land: key }, this.say("build-fortress", { land, price }));
        tries({ do: "rebuild", land: key }, this.say("rebuild", { land, price: this.say("costs", { n: 1 }) }));
      }
    } else if (here.who === "rebel" && play.bribe?.[key] && !this.fight) tries({ do: "bribe", land: key }, this.say("do-bribe", { n: play.bribe[key] }));
    return rows;
  }

  sends(draft, quiet) {
    const { play } = this.data;
    const count = (name) => this.plan.filter((step) => step.do === name).length;
    const [recruits, placed, wars] = [count("recruit"), count("place"), count("war")];
    const counts = { "n-recruits": recruits, "n-placed": placed, "n-attacks": wars, "n-other": this.plan.length - recruits - placed - wars };
    const parts = Object.entries(counts).filter(([, n]) => n).map(([key, n]) => this.say(key, {}, n)).join(", ");
    const points = draft.score().points + this.building.reduce((sum, key) => sum + play.city[key], 0);
    const left = unused(this, draft);
    const score = play.main ? this.say("back-to", { main: play.main }) : this.say("end-score", { n: points });
    const proposed = quiet ? null : proposal(this);
    const rows = [];
    if (proposed) rows.push(button(this.proposed(proposed), () => this.follow(proposed), "button--primary"));
    const over = !this.plan.length && !quiet && !proposed && !draft.armies && !recruitable(this, draft);
    if (left.length && !wars) rows.unshift(button(this.say("bar-end"), () => this.enter({ name: "end" }), over ? "button--primary" : ""));
    else if (!wars) rows.push(button(this.plan.length && !play.main ? this.say("send-score", { n: points }) : score, () => this.send(true), this.plan.length || quiet || proposed ? "" : "button--primary"));
    if (!this.plan.length) return rows;
    const early = this.early(draft);
    rows.push(button(this.say("send", { what: parts }), () => this.send(false), proposed || early ? "" : "button--primary"));
    return rows;
  }

  // Return whether sending the march forgoes what is possible only before an army is placed.
  early(draft) {
    const { play } = this.data;
    return draft.begun && play.begin && (recruitable(this, draft) > 0 || play.cards.some((card) => card.before));
  }

  proposed(steps) {
    const [{ do: name, land }] = steps;
    if (name === "recruit") return this.say("propose-recruit", {}, steps.length);
    const facts = { land: this.name(land), n: steps.length };
    return this.say(name === "war" ? "do-attack" : name === "place" ? "propose-place" : `row-${name}`, facts);
  }

  // Sending ------------------------------------------------------------------------------------------------------------

  moves() {
    const moves = [];
    let unbroken = null;
    for (const step of this.plan ?? []) {
      const last = moves.at(-1);
      if (step.do === "take_up" || step.do === "recruit") {
        if (last?.move === step.do && last.land === step.land) last.n += 1;
        else moves.push({ move: step.do, ...(step.land ? { land: step.land } : {}), n: 1 });
      } else if (step.do === "place" || step.do === "war") {
        const move = { move: "place", land: step.land, from: step.from, ...(step.loot === undefined ? {} : { loot: step.loot }), ...(step.fort ? { fort: step.fort } : {}) };
        const when = { ...(step.won?.length ? { won: step.won } : {}), ...(unbroken ? { unbroken } : {}) };
        if (step.do === "war") {
          for (let n = 0; n < step.most; n += 1) moves.push({ ...move, if: { ...when, fights: step.land, ...(n && step.stop === "loss" ? { unbroken: step.land } : {}) } });
          if (step.stop === "loss") unbroken = step.land;
        } else moves.push(Object.keys(when).length ? { ...move, if: when } : move);
      } else moves.push({ move: step.do, land: step.land, ...(unbroken ? { if: { unbroken } } : {}) });
    }
    return moves;
  }

  send(ends) {
    const moves = this.moves();
    if (ends) moves.push(this.data.play.main ? { move: "end_sub" } : { move: "end_phase", ...(this.building.length ? { cities: this.building } : {}) });
    return this.post(moves, ends ? "on" : "");
  }

  async post(moves, then) {
    if (this.busy) return;
    this.busy = true;
    const kept = this.stash?.plan ?? this.plan;
    this.pick = this.fight = this.mode = null;
    document.body.classList.add("is-sending");
    this.write(this.say("sending"), "");
    let wrong = "";
    try {
      const by = this.data.mover ?? "gm"; // automatic moves are the game master's
      const answer = await send(moves.map((move) => ({ by, ...move })), then);
      this.cities = null;
      this.plan = this.left(answer.left ?? []);
      this.keep(); // moves that were not played stay in the plan while another player is asked
      if (answer.page) {
        const live = new DOMParser().parseFromString(answer.page, "text/html").querySelector("#live");
        if (live && $("#live")) $("#live").dataset.at = live.dataset.at; // the sender knows the moves already
      }
      this.view.dim([]);
      this.view.draw(new Draft({ ...this.data, play: undefined }), [], this.data.groups); // the film begins with the old board
      if (answer.frames?.length) await this.film.play(answer.frames);
      if (answer.page) swap(answer.page);
      wrong = answer.why?.sentence ?? (answer.left?.length ? answer.stopped : "");
    } catch (error) {
      this.plan = kept;
      this.stash = null;
      wrong = error.message;
    }
    this.busy = false;
    this.text = "";
    document.body.classList.remove("is-sending");
    this.open();
    if (wrong) $("[data-say] span")?.replaceChildren(wrong);
  }

  // Put moves that were not played back into the plan.
  left(moves) {
    const plan = [];
    for (const { move, if: when, ...given } of moves) {
      const last = plan.at(-1);
      if (move === "place" && when?.fights) {
        if (last?.do === "war" && last.land === given.land) last.most += 1;
        else plan.push({ do: "war", land: given.land, most: 1, stop: when.unbroken === given.land ? "loss" : "taken", loot: given.loot });
      } else if (move === "place") plan.push({ do: "place", ...given });
      else if (BEFORE.includes(move)) for (let n = given.n ?? 1; n; n -= 1) plan.push({ do: move, land: given.land });
    }
    return plan;
  }

  // A form of the page is sent like the board: its move, after everything that was composed before it.
  submit(event) {
    const form = event.target;
    const to = new URL(form.action, location).pathname;
    const { act, onward } = $("[data-board]").dataset;
    if ((to !== act && to !== onward) || this.busy) return;
    event.preventDefault();
    const given = new FormData(form, event.submitter);
    if (to === onward) return this.post([], given.get("how"));
    const second = form.dataset.with ? [{ move: form.dataset.with }] : []; // if there is only a single choice left
    const move = this.written(given);
    if (move.move === "play_event" && this.plan) return this.play_card(move);
    return this.post([...this.moves(), move, ...second], given.get("then") ?? "");
  }

  written(given) {
    const move = { move: given.get("do") };
    const cities = [];
    for (const [key, value] of given) {
      if (["csrfmiddlewaretoken", "seen", "then", "do", "how", "times"].includes(key)) continue;
      if (key.startsWith("city-")) cities.push(key.slice(5));
      else if (["n", "amount"].includes(key)) move[key] = Number(value);
      else if (["loot", "hold", "accept"].includes(key)) move[key] = value === "1";
      else if (key === "lands") move.lands = value.split(",");
      else if (value !== "") move[key] = value;
    }
    if (cities.length) move.cities = cities;
    return move;
  }
}

if ($("[data-board]")) new Table();
