// The board of Tetrarchia as the stage of a film: Emperors, armies, tokens and fleets, and their movements.

import { Board, drawn } from "../../board.js";
import { Names } from "../../names.js";

const SIZE = [1600, 1150];
const NAME = 13.5; // the size of the names in the drawing
const PIECES = ".b-token,.b-revolt,.b-unrest,.b-figure,.b-army,.b-fleet,.b-plan,.b-cost,.b-print";
export const PHONE = 0.58; // the scale at which a phone shows a place
export const STEP = [170, 120]; // of the reader's own march: for each link, and once
const ARMY = 480;
const FLASH = 420;

const STAR = Array.from({ length: 10 }, (_, n) => {
  const [turn, far] = [-Math.PI / 2 + n * Math.PI / 5, n % 2 ? 7.3 : 17];
  return `${(far * Math.cos(turn)).toFixed(1)},${(far * Math.sin(turn)).toFixed(1)}`;
}).join(" ");

export const phone = () => innerWidth < 992;
const within = (root, selector) => root.querySelector(selector);

export class Stage {
  constructor(root, doc, tap = () => {}) {
    this.root = root;
    this.doc = doc;
    const stage = within(root, ".play-stage");
    const svg = within(stage, ".map__svg");
    const world = within(svg, ".map__world");
    for (const piece of world.querySelectorAll(PIECES)) piece.remove();
    for (const shape of world.querySelectorAll(".is-lit,.is-planned")) shape.classList.remove("is-lit", "is-planned");
    within(stage, ".map").classList.remove("map--board");
    this.board = new Board({ stage, svg, world, spaces: { ...doc.spaces }, size: SIZE, tap });
    this.hits = within(world, ".m-hits");
    this.paths = this.board.layer("plan", this.hits);
    this.pieces = this.board.layer("pieces", this.hits);
    this.prices = this.board.layer("prices", this.hits);
    this.effects = this.board.layer("effects", this.hits);
    this.labels = new Names(world, doc.spaces, NAME, this.pieces, SIZE[0]);
    this.board.resized = (scale) => { if (!scale.far) this.labels.lay(scale); };
    if (this.board.scale) this.board.resized(this.board.scale);
  }

  // The names of the spaces, to find them in sentences.
  get names() {
    return Object.fromEntries(Object.entries(this.doc.spaces).map(([key, space]) => [key, space.name]));
  }

  keep() {
    const { figures, tokens, armies, fleets, emperor, ip } = this.shown ?? this.doc;
    return structuredClone({ figures, tokens, armies, fleets, emperor, ip });
  }

  restore(kept) {
    const { figures, tokens, armies, fleets, emperor, ip } = structuredClone(kept);
    this.shown = { ...this.doc, figures, tokens, armies, fleets, emperor, ip };
    this.draw();
  }

  async glide(places, film, tone = "") {
    const spots = places.map((key) => this.board.spaces[key]).filter(Boolean);
    if (!spots.length) return;
    if (phone() && !film.still) await this.board.look(spots[0].x, spots[0].y + 40, Math.max(this.board.at.s, PHONE), true);
    else if (!film.still && !places.every((key) => !this.board.spaces[key] || this.board.seen(key))) await this.board.look(spots[0].x, spots[0].y, this.board.at.s, true);
    for (const spot of spots) {
      const ring = drawn("circle", { class: "b-flash", "data-tone": tone, r: 34 }, this.effects);
      film.tween(FLASH, (part) => {
        ring.style.transform = `translate(${spot.x}px,${spot.y}px) scale(${1 + 0.76 * part})`;
        ring.style.opacity = 1 - part;
        if (part === 1) ring.remove();
      });
    }
  }

  async change(change, film) {
    this.shown ??= { ...this.doc, ...this.keep() };
    const on = this.shown;
    const figure = () => within(this.pieces, `[data-figure=${change.piece}]`);
    const army = (key) => within(this.pieces, `[data-army="${key}"]`);
    if (change.kind === "march" && figure()) await this.board.travel(figure(), change.path, STEP[0] * (change.path.length - 1) + STEP[1], film);
    if (change.kind === "army" && change.from && change.to && army(change.from)) {
      await this.board.travel(army(change.from), [change.from, change.to], ARMY, film);
    }
    if (change.kind === "lunge" && army(change.from)) {
      await this.board.travel(army(change.from), [change.from, change.to, change.from], ARMY, film);
    }
    switch (change.kind) {
      case "march": on.figures[change.piece] = change.path.at(-1); break;
      case "enter": on.figures[change.piece] = change.at; break;
      case "off": on.figures[change.piece] = null; break;
      case "token": if (change.to) on.tokens[change.at] = change.to; else delete on.tokens[change.at]; break;
      case "army": on.armies = [...on.armies.filter((key) => key !== change.from), ...(change.to ? [change.to] : [])]; break;
      case "fleet": on.fleets = on.fleets.map((zone) => (zone === change.from ? change.to : zone)); break;
      case "turn": on.emperor = change.piece; break;
    }
    this.draw();
  }

  draw() {
    for (const layer of [this.paths, this.pieces, this.prices]) layer.replaceChildren();
    this.drawPieces(this.shown ?? this.doc);
  }

  light(keys, stays) { this.board.light(keys, stays); }

  begin() {
    this.draw();
  }

  settle() {
    this.effects.replaceChildren();
    this.draw();
  }

  drawPieces(doc) {
    const { spaces } = this.board;
    const standing = {};
    for (const [who, key] of Object.entries(doc.figures)) if (key) (standing[key] ??= []).push(who);
    for (const [key, space] of Object.entries(doc.spaces)) {
      const { x, y } = spaces[key];
      const [token, here, army] = [doc.tokens[key], standing[key] ?? [], doc.armies.includes(key)];
      const busy = here.length || army;
      if (token) this.token(token, busy ? x + 15 : x, busy ? y + 13 : y, busy ? 0.82 : 1);
      else if (!busy && space.printed) drawn("polygon", { class: "b-print", "data-nation": space.capital, points: STAR }, this.board.pieceAt(this.pieces, x, y, ""));
      const [left, up] = token ? [8, 6] : [0, 0];
      if (army) drawn("path", { d: "M0 -25L21 0L0 25L-21 0z" }, this.board.pieceAt(this.pieces, x - left, y - up, "b-army", { "data-army": key }));
      for (const [place, who] of here.entries()) {
        const aside = here.length > 1 ? (place ? 15 : -15) : 0;
        const node = this.board.pieceAt(this.pieces, x - left + aside, y - up, "b-figure", { "data-figure": who });
        const figure = drawn("g", { "data-nation": who }, node);
        drawn("circle", { r: 22 }, figure);
        drawn("text", { y: 1 }, figure, doc.names[who][0]);
      }
    }
    const fleets = this.doc.place && !this.shown ? this.zones ?? this.doc.place.first : doc.fleets;
    for (const zone of fleets) {
      const at = doc.zones[zone];
      drawn("path", { class: "b-fleet", d: "M-26 4h52l-9 16h-34zM0 4v-28M2 -22q20 8 17 22h-17z" }, this.board.pieceAt(this.pieces, at.x, at.y, ""));
    }
    this.labels.moved();
  }

  token(token, x, y, size) {
    const node = this.board.pieceAt(this.pieces, x, y, "");
    const transform = `scale(${size})`;
    if (token === "revolt") drawn("path", { class: "b-revolt", d: "M-15 12L0 -15L15 12z", transform }, node);
    else if (token === "unrest") drawn("path", { class: "b-unrest", d: "M-13 11L0 -13L13 11z", transform }, node);
    else drawn("rect", { class: "b-token", "data-nation": token, x: -13, y: -13, width: 26, height: 26, rx: 3, transform }, node);
  }
}

export const open = (root, doc) => new Stage(root, doc);
