// The map of March on Rome as the stage of a film: the owners, the numbers of legions, and how they march.

import { Board, curve, drawn } from "../../board.js";

const SIZE = [1600, 1130];
const NAMES = [11, 13];
export const PHONE = 0.42;
const MARCH = 620;
const LIGHT = ["pc", "npc-1", "npc-3", "npc-6"]; // paints with light letters on them, as in the server's drawing
const within = (root, selector) => root.querySelector(selector);
export const phone = () => innerWidth < 992;

export class Stage {
  constructor(root, doc, tap = () => {}) {
    this.root = root;
    this.doc = doc;
    const stage = within(root, ".play-stage");
    const svg = within(stage, ".map__svg");
    this.board = new Board({
      stage, svg, world: within(svg, ".map__world"), spaces: doc.places, size: SIZE, tap, piece: 19, name: NAMES, far: 0.2,
    });
    this.mount();
  }

  // Make a board of the server's drawing.
  mount() {
    const svg = within(this.root, ".map__svg");
    const world = within(svg, ".map__world");
    this.board.adopt(svg, world);
    const hits = within(world, ".m-hits") ?? drawn("g", { class: "m-hits" }, world);
    for (const shape of world.querySelectorAll(":scope > .m-lit")) shape.remove();
    this.outlines = this.board.layer("outlines", within(world, ".m-routes")); // below names and plaques
    this.marks = this.board.layer("marks", hits);
    this.effects = this.board.layer("effects", hits);
    this.board.take(hits, (link) => new URL(link.getAttribute("href"), location.href).searchParams.get("target"));
  }

  // The names of the provinces, to find them in sentences.
  get names() {
    return Object.fromEntries(Object.entries(this.doc.places).map(([key, place]) => [key, place.name]));
  }

  light(keys, stays) { this.board.light(keys, stays); }

  begin() {
    for (const shape of this.board.svg.querySelectorAll(".map__world > .arrow, .map__world > .m-selected, .map__world > .m-lit")) shape.remove();
  }

  // A general who is new on the drawing has a standard in the first of their provinces.
  raise(world) {
    for (const [paint, text] of Object.entries(world.legions)) {
      const place = this.doc.places[Object.keys(world.owner).find((key) => world.owner[key] === paint)];
      if (!text || !place || within(this.board.world, `.m-std[data-nation="${paint}"]:not(.is-garrison)`)) continue;
      const flag = drawn("g", { class: "m-std", "data-nation": paint, style: `transform:translate(${place.x}px,${place.y}px) scale(var(--k,1)) translateY(-25px)` });
      this.board.world.insertBefore(flag, this.marks);
      const width = 21 + 8 * text.length;
      drawn("rect", { x: -width / 2, y: -12, width, height: 24, rx: 2 }, flag);
      drawn("path", { d: `M${-width / 2}-12h11v24h-11z` }, flag);
      drawn("text", { x: 5.5, y: 0.5 }, flag, text);
    }
  }

  settle() {
    this.effects.replaceChildren();
  }

  keep() {
    return structuredClone(this.shown ?? this.doc.world);
  }

  restore(world) {
    this.repaint(world);
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
    const lines = ["b-march--halo", "b-march"].map((name) => drawn("path", { class: name, "data-nation": change.paint, d, pathLength: 1 }, this.effects));
    for (const line of lines) line.style.strokeDasharray = 1;
    const bend = curve([a.x, a.y], bow, [b.x, b.y]);
    const marcher = drawn("g", { class: "b-marcher", "data-nation": change.paint, style: "will-change:transform" }, this.effects);
    const inner = drawn("g", { class: "p-k" }, marcher);
    drawn("circle", { r: 19 }, inner);
    drawn("text", { y: 1 }, inner, change.legions);
    await film.tween(MARCH, (part) => {
      for (const line of lines) line.style.strokeDashoffset = 1 - part;
      const [point] = bend(part);
      marcher.style.transform = `translate(${point.x}px,${point.y}px)`;
    });
    marcher.remove();
  }

  // Show the owners on the current drawing; the server's own drawing follows after the film.
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
    for (const label of svg.querySelectorAll(".m-label[data-place]")) {
      const paint = world.owner[label.dataset.place];
      if (label.dataset.nation === paint) continue;
      label.dataset.nation = paint;
      label.setAttribute("class", `m-label ${{ lost: "is-lost", senate: "is-ind" }[paint] ?? (LIGHT.includes(paint) ? "is-light" : "is-dark")}`);
    }
    this.raise(world);
    for (const flag of svg.querySelectorAll(".m-std:not(.is-garrison)")) {
      const text = world.legions[flag.dataset.nation];
      flag.style.visibility = text ? "" : "hidden";
      if (text) within(flag, "text").textContent = text;
    }
    for (const number of document.querySelectorAll("[data-legions-of]")) {
      const text = world.legions[number.dataset.legionsOf];
      if (text) number.textContent = number.textContent.replace(/\d+/, text.match(/\d+$/)[0]);
    }
  }
}

export function open(root, doc) {
  const map = within(root, ".map");
  map.classList.replace("map--board", "map--title");
  return new Stage(root, doc);
}
