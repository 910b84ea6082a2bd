// The map of the Grand Campaign as the stage of a film: attacks move along their arrows, provinces change their colour.

import { Board, curve, drawn } from "../../board.js";
import { sound } from "../../sounds.js";

const PHONE = 0.62;
const MARCH = 720;
const TURN = 460;
const STRIKE = 520;
const phone = () => innerWidth < 992;

export class Stage {
  constructor(root, doc) {
    this.root = root;
    this.doc = doc;
    const stage = root.querySelector(".play-stage");
    const svg = stage.querySelector(".map__svg");
    const world = svg.querySelector(".map__world");
    this.world = world;
    world.style.transformOrigin = "0 0";
    this.board = new Board({ stage, svg, world, spaces: doc.places, size: doc.size, tap: () => {}, piece: 15, name: [8.5, 12], far: 0.5 });
    this.changed = this.board.layer("changed");
    this.arrows = this.board.layer("arrows");
    this.effects = this.board.layer("effects");
    this.home = [...world.childNodes].map((child) => child.cloneNode(true));
    this.levels = [...root.ownerDocument.querySelectorAll("[data-level]")].map((element) => [element, element.textContent]);
    if (phone()) this.board.look(doc.size[0] / 2, doc.size[1] / 2, Math.max(this.board.least, this.board.height / doc.size[1]));
  }

  get names() {
    return Object.fromEntries(Object.entries(this.doc.places).map(([key, place]) => [key, place.name]));
  }

  keep() { return true; }

  // The map as the server has rendered it.
  restore() {
    this.world.replaceChildren(...this.home.map((child) => child.cloneNode(true)));
    [this.changed, this.arrows, this.effects] = [...this.world.querySelectorAll("[data-layer]")];
    for (const [element, text] of this.levels) element.textContent = text;
  }

  light(keys, stays) { this.board.light(keys, stays); }

  begin() {
    this.plaque?.remove();
    this.effects.replaceChildren();
  }

  async glide(places, film, tone = "") {
    this.plaque?.remove();
    const known = places.filter((key) => this.doc.places[key]);
    this.changed.replaceChildren(...known.map((key) => drawn("use", { href: `#m-${key}`, class: "m-changed", "data-tone": tone })));
    if (!known.length || (known.every((key) => this.board.seen(key, 40)) && this.board.at.s >= this.near)) return;
    const x = known.reduce((sum, key) => sum + this.doc.places[key].x, 0) / known.length;
    const y = known.reduce((sum, key) => sum + this.doc.places[key].y, 0) / known.length;
    await this.board.look(x, y, Math.max(this.board.at.s, this.near), !film.still);
  }

  // On a small screen, zoom in on the events.
  get near() {
    return phone() ? Math.max(PHONE, this.board.least) : this.board.least;
  }

  async change(change, film) {
    if (change.kind === "attack") await this.march(change, film);
    else if (change.kind === "battle") await this.battle(change, film);
    else if (change.kind === "holding" && "owner" in change) await this.conquer(change, film);
    else if (change.kind === "level") this.level(change);
  }

  // An arrow grows from the army to the attacked place; an uprising within a place flares up there.
  async march({ no, seat, from, at, covert }, film) {
    const [a, b] = [this.doc.places[from], this.doc.places[at]];
    const all = drawn("g", { class: "arrow", "data-nation": seat, "data-no": no, "data-kind": covert ? "independent" : "land" }, this.arrows);
    if (!a) {
      const ring = drawn("circle", { class: "b-flash", "data-tone": "bad", r: 10 }, all);
      await film.tween(STRIKE, (part) => { ring.style.transform = `translate(${b.x}px,${b.y}px) scale(${1 + 1.2 * part})`; });
      return;
    }
    const bow = [(a.x + b.x) / 2 - (b.y - a.y) * 0.18, (a.y + b.y) / 2 + (b.x - a.x) * 0.18];
    const turn = Math.atan2(b.y - bow[1], b.x - bow[0]);
    const tip = [b.x - 7 * Math.cos(turn), b.y - 7 * Math.sin(turn)];
    const d = `M${a.x} ${a.y}Q${bow[0].toFixed(1)} ${bow[1].toFixed(1)} ${tip[0].toFixed(1)} ${tip[1].toFixed(1)}`;
    const [halo, shaft] = ["arrow__halo", "arrow__shaft"].map((name) => drawn("path", { class: name, d, pathLength: 1 }, all));
    const head = drawn("polygon", { class: "arrow__head", points: "9,0 -5,-6 -2,0 -5,6" }, all);
    const army = drawn("g", { class: "b-marcher", "data-nation": seat }, all);
    const inner = drawn("g", { class: "p-k" }, army);
    drawn("circle", { r: 11 }, inner);
    drawn("text", { y: 1, class: "b-marcher__no" }, inner, no);
    const lines = [halo, ...(covert ? [] : [shaft])];
    for (const line of lines) line.style.strokeDasharray = 1;
    const bend = curve([a.x, a.y], bow, tip);
    for (const moving of [army, head]) moving.style.willChange = "transform"; // the browser makes layers of them and moves only these
    await film.tween(MARCH, (part) => {
      const [point, angle] = bend(part);
      for (const line of lines) line.style.strokeDashoffset = 1 - part;
      head.style.transform = `translate(${point.x}px,${point.y}px) rotate(${angle}rad)`;
      army.style.transform = `translate(${point.x}px,${point.y}px)`;
    });
    army.style.transform = `translate(${a.x}px,${a.y}px)`;
  }

  // The battle is over: its arrow disappears, the place flares up in the colour of the winner.
  async battle({ no, at, outcome, sides, winner, text }, film) {
    const arrow = this.world.querySelector(`.arrow[data-no="${no}"]`) ?? this.printed(no);
    const place = this.doc.places[at];
    const ring = place && drawn("circle", { class: "b-flash", "data-tone": outcome === "attacker" ? "good" : "bad", r: 12 }, this.effects);
    await film.tween(STRIKE, (part) => {
      if (ring) [ring.style.transform, ring.style.opacity] = [`translate(${place.x}px,${place.y}px) scale(${1 + 2.8 * part})`, 1 - part];
      if (arrow) arrow.style.opacity = 1 - part;
    });
    ring?.remove();
    arrow?.remove();
    if (sides?.some((seat) => this.mine?.has(seat))) await this.moment(winner, text, film);
  }

  // The end of the reader's own battle: a plaque over the map, which disappears at the next frame.
  async moment(winner, text, film) {
    const tone = !winner ? "" : this.mine.has(winner) ? "good" : "bad";
    this.plaque?.remove();
    this.plaque = document.createElement("p");
    Object.assign(this.plaque, { className: "film__moment", textContent: text });
    this.plaque.dataset.tone = tone;
    this.root.querySelector(".play-stage").append(this.plaque);
    if (tone === "good" && !film.still) sound("turn");
    await film.tween(STRIKE, (part) => { this.plaque.style.opacity = part; });
  }

  // An arrow from the beginning of the film has its number only as text.
  printed(no) {
    return [...this.world.querySelectorAll(".m-arrows .arrow")].find((arrow) => arrow.querySelector(".arrow__no text")?.textContent === no);
  }

  async conquer({ at, owner }, film) {
    const key = CSS.escape(at);
    const whose = owner ?? this.doc.kinds[at];
    const base = this.world.querySelector(`use.m-prov[href="#m-${key}"]`);
    if (!base) return;
    const fresh = base.cloneNode();
    fresh.removeAttribute("style"); // of nations that the stylesheet does not know; the page has their colours, too
    fresh.setAttribute("data-nation", whose);
    const pattern = owner ? drawn("use", { href: `#m-${at}`, class: "m-pat", fill: `url(#m--p-${owner})` }) : null;
    const old = [base, ...this.world.querySelectorAll(`use[href="#m-${key}"]:is(.m-pat, .m-rim)`)];
    const [x, y] = this.doc.places[at].label.map(String);
    const labels = [...this.world.querySelectorAll(`.m-label[x="${x}"][y="${y}"]`)];
    // The old colours fade out over the new ones: the map itself is painted once.
    const was = drawn("g", { style: "will-change:opacity" }, this.effects);
    was.append(...[...old.filter((shape) => !shape.classList.contains("m-rim")), ...labels].map((shape) => shape.cloneNode(true)));
    base.after(fresh, ...(pattern ? [pattern] : []));
    for (const shape of old) shape.remove();
    for (const label of labels) {
      label.setAttribute("data-nation", whose);
      label.classList.remove("is-ind", "is-ext", "is-light", "is-dark");
      label.classList.add(owner ? (this.doc.light.includes(owner) ? "is-light" : "is-dark") : "is-ind");
    }
    await film.tween(TURN, (part) => { was.style.opacity = 1 - part; });
    was.remove();
  }

  level({ seat, level, n, by }) {
    const number = document.querySelector(`[data-level="${level}"][data-of="${seat}"]`);
    if (!number) return;
    number.textContent = String(n).replace("-", "−");
    const box = number.closest("li");
    box.dataset.tone = by > 0 ? "good" : "bad";
    setTimeout(() => delete box.dataset.tone, 1400);
  }

  settle() {
    this.effects.replaceChildren();
    this.changed.replaceChildren();
  }
}

export const open = (root, doc) => new Stage(root, doc);
