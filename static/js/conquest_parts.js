// The parts of a composed phase: the position with the plan applied, and small elements of the page.

export const BEFORE = ["choose_start", "take_up", "recruit", "bribe", "fortress", "rebuild", "fort"];
export const copy = (value) => JSON.parse(JSON.stringify(value));

export function element(tag, given = {}, ...inside) {
  const node = document.createElement(tag);
  for (const [key, value] of Object.entries(given)) {
    if (key.startsWith("on")) node.addEventListener(key.slice(2), value);
    else if (value !== null && value !== undefined && value !== false) node.setAttribute(key, value === true ? "" : value);
  }
  node.append(...inside.flat().filter((part) => part !== null && part !== undefined && part !== ""));
  return node;
}

export const button = (text, act, css = "", label = null) => element("button", { class: `button ${css}`, type: "button", onclick: act, "aria-label": label }, text);

// The position with the plan applied: armies, hand, points, planned fights.
export class Draft {
  constructor(data) {
    this.data = data;
    this.play = data.play;
    this.lands = Object.fromEntries(Object.entries(data.lands).map(([key, [who, n, city, fort, level]]) =>
      [key, { who, n, city, fort, level, fresh: 0 }]));
    this.hand = this.play?.hand ?? 0;
    this.points = this.play?.points ?? 0;
    this.forts = this.play?.free_forts ?? 0;
    this.recruits = 0;
    this.wars = {};
    this.start = null;
    this.begun = !(this.play?.begin ?? false);
    this.revolt = this.play?.revolt ? [...this.play.revolt] : null;
  }

  get starts() { return this.start ? {} : this.play.starts ?? {}; }
  get mine() { return Object.keys(this.lands).filter((key) => this.lands[key].who === this.play.group && this.lands[key].n); }
  get armies() { return this.hand + (this.revolt?.[1] ?? 0); }
  seat(group) { return this.data.groups[group]?.[1] ?? null; }
  faction(group) { return this.data.groups[group]?.[2] === "faction"; }

  // Return the effect of a tap on a land; null if nothing can be placed there.
  way(key) {
    const { play } = this;
    const here = this.lands[key];
    if (this.revolt?.[1] && this.revolt[0] === key && here.who !== play.group) return this.kind(key, "revolt", "r");
    if (this.hand < 1) return null;
    const mine = this.mine;
    if (!mine.length && !Object.keys(this.wars).length) {
      const home = this.start ?? play.home;
      if (home) return key === home ? { do: "claim", from: "start", loot: this.plunder(key) } : null;
      return play.returns.includes(key) ? this.kind(key, "reentry", "e") : null;
    }
    if (here.who === play.group) return here.n < play.stack ? { do: "strengthen", from: key } : null;
    if (this.wars[key]) {
      const war = this.wars[key];
      return war.follow < play.stack - 1 ? { do: "follow", from: key, won: [key, ...war.won] } : null;
    }
    const from = { e: null, h: null };
    for (const source of mine) {
      const hard = play.near[source]?.[key];
      if (hard !== undefined) from[hard ? "h" : "e"] ??= { source, won: [] };
    }
    if (!from.e && !from.h) {
      for (const [source, war] of Object.entries(this.wars)) {
        const hard = play.near[source]?.[key];
        if (hard !== undefined) from[hard ? "h" : "e"] ??= { source, won: [source, ...war.won] };
      }
    }
    const best = from.e ?? from.h;
    if (best) return this.kind(key, best.source, from.e ? "e" : "h", best.won);
    const sails = play.faction && play.coast.includes(key) && mine.some((land) => play.coast.includes(land));
    return sails ? this.kind(key, "sea", "s") : null;
  }

  kind(key, from, ground, won = []) {
    const here = this.lands[key];
    const { play } = this;
    const holder = here.n ? here.who : here.fort;
    if (!holder) return { do: "vacant", from, won };
    const own = this.seat(holder) === play.seat;
    if (own && here.n) return { do: "own", from, won };
    if (own && (!play.faction || here.fort === play.group)) return { do: play.faction ? "vacant" : "own", from, won };
    if (!here.n && play.faction) return { do: "take", from, won };
    if (play.bribed.includes(holder)) return null;
    return { do: "attack", from, won, ground, fight: play.fights[key], loot: Boolean(play.fights[key]?.loot) };
  }

  plunder(key) {
    const here = this.lands[key];
    const holder = here.n ? here.who : here.fort;
    if (!holder || here.city !== "whole" || this.seat(holder) === this.play.seat) return false;
    return !(this.play.faction && (this.faction(holder) || holder === "rebel"));
  }

  chance(war) {
    return war.fight?.[war.ground]?.[0][Math.min(war.most, 10) - 1] ?? 0;
  }

  put(key, n = 1) {
    const here = this.lands[key];
    const { play } = this;
    if (here.who !== play.group) {
      if (here.fort && (!play.faction || here.fort !== play.group)) Object.assign(here, { fort: null, level: 0 });
      Object.assign(here, { who: play.group, n: 0, fresh: 0 });
    }
    here.n += n;
    here.fresh += n;
  }

  // Apply a step of the plan; return false if it is no longer possible.
  add(step) {
    const { play } = this;
    const here = this.lands[step.land];
    if (step.do === "choose_start") {
      if (!this.starts[step.land]) return false;
      this.start = step.land;
    } else if (step.do === "recruit") {
      if (this.begun || this.points < play.price || this.recruits >= Math.min(play.recruits, play.room)) return false;
      this.points -= play.price;
      this.recruits += 1;
      this.hand += 1;
    } else if (BEFORE.includes(step.do)) return this.prepare(step, here);
    else {
      const way = this.way(step.land);
      if (!way || (step.do === "war") !== (way.do === "attack")) return false;
      this.begun = true;
      if (step.do === "war") {
        const armies = way.from === "revolt" ? this.revolt[1] : this.hand;
        step.most = Math.min(step.most, armies);
        Object.assign(step, { from: way.from, won: way.won ?? [], ground: way.ground, fight: way.fight });
        if (way.from === "revolt") this.revolt[1] -= step.most;
        else this.hand -= step.most;
        this.wars[step.land] = { ...step, follow: 0 };
        return true;
      }
      step.from = way.from;
      step.won = way.won ?? [];
      step.way = way.do;
      if (way.from === "revolt") this.revolt[1] -= 1;
      else this.hand -= 1;
      if (way.do === "follow") this.wars[step.land].follow += 1;
      else {
        const kept = way.do === "take" && step.fort !== "destroy";
        this.put(step.land);
        if (kept) Object.assign(here, { fort: play.group, level: Math.max(1, here.level) });
        if (way.loot && step.loot !== false) here.city = "looted";
      }
    }
    return true;
  }

  // Steps before an army is placed: removing armies, bribing Rebels, building walls and Cities.
  prepare(step, here) {
    const { play } = this;
    const free = this.forts > 0;
    const cost = step.do === "bribe" ? play.bribe?.[step.land] : step.do === "take_up" ? 0 : free && step.do !== "rebuild" ? 0 : 1;
    const walls = step.do === "fort" || step.do === "fortress";
    if (cost === undefined || cost > this.points || (this.begun && !(walls && free))) return false;
    if (step.do === "take_up") {
      const walled = here.fort === play.group;
      if (here.who !== play.group || here.n < 1 || (play.faction && here.n === 1 && !walled)) return false;
      here.n -= 1;
      if (!here.n) here.who = null;
      this.hand += 1;
    } else if (step.do === "bribe") {
      if (here.who !== "rebel") return false;
      here.who = play.group;
    } else if (step.do === "fort") {
      if (here.who !== play.group || here.fort || !play.forts_left) return false;
      Object.assign(here, { fort: play.group, level: 1 });
    } else if (step.do === "fortress") {
      if (!play.fortress.includes(step.land) || here.level !== 1) return false;
      here.level = 2;
    } else {
      if (here.who !== play.group || here.city !== "looted") return false;
      here.city = "whole";
    }
    if (walls && free) this.forts -= 1;
    this.points -= cost;
    return true;
  }

  // Return the points of this phase if it ended now (rules 10); with `hope`, if every planned fight is won.
  score(hope = false) {
    const { play } = this;
    const side = (key) => {
      const here = this.lands[key];
      if (hope && this.wars[key]) return `${play.seat} ${play.faction}`;
      return here.n ? `${this.seat(here.who)} ${this.faction(here.who)}` : "";
    };
    const me = `${play.seat} ${play.faction}`;
    const rows = [];
    let lands = 0;
    let cities = 0;
    for (const [name, keys, values] of Object.values(play.areas)) {
      const counts = {};
      for (const key of keys) {
        const whose = side(key);
        if (whose && !whose.startsWith("rebel ")) counts[whose] = (counts[whose] ?? 0) + 1;
      }
      const own = counts[me] ?? 0;
      lands += own;
      if (!own) continue;
      const others = Math.max(0, ...Object.entries(counts).filter(([whose]) => !whose.startsWith(`${play.seat} `)).map(([, n]) => n));
      const walled = play.faction && keys.every((key) => {
        const here = this.lands[key];
        return side(key) === me || (!here.n && here.fort === play.group);
      });
      const times = own === 5 || walled ? 3 : own >= 3 || (own > others && own >= (play.strict ? 2 : 1)) ? 2 : 1;
      const value = values[this.data.phase[0] - 1] * times;
      if (value) rows.push([name, value]);
    }
    for (const key of Object.keys(this.lands)) {
      if (side(key) === me && this.lands[key].city === "whole") cities += play.city[key];
    }
    return { rows, cities, emperor: play.per_land * lands, points: rows.reduce((sum, [, n]) => sum + n, cities + play.per_land * lands) };
  }

  // Return the sites for new Cities at the end of the phase, home lands first, and how many may be built (rules 6.7).
  sites() {
    if (!this.play.faction || this.play.main) return { free: [], most: 0 };
    const held = this.mine.filter((key) => this.play.resources.includes(key));
    const home = this.start ? this.data.play.starts[this.start][2] : this.play.home_area;
    const free = held.filter((key) => !this.lands[key].city).sort((a, b) => home.includes(b) - home.includes(a));
    return { free, most: Math.min(free.length, Math.floor(held.length / 2)), home };
  }
}
