// Checks the dice in the reader's own browser as verify.py does: it relies on the log and compares the list of rolls with it.
// Only verify.py checks which rolls each move needs, because that takes the rules of the game.
"use strict";

const bytes = (text) => new TextEncoder().encode(text);
const hex = (buffer) => Array.from(new Uint8Array(buffer), (byte) => byte.toString(16).padStart(2, "0")).join("");
const sha256 = async (text) => hex(await crypto.subtle.digest("SHA-256", bytes(text)));

// A roll depends only on its purpose and the link of its turn.
async function value(link, purpose, sides) {
  const key = await crypto.subtle.importKey("raw", bytes(link), { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  for (let attempt = 0; ; attempt += 1) {
    const mac = await crypto.subtle.sign("HMAC", key, bytes(`${purpose}#${attempt}`));
    const x = new DataView(mac).getBigUint64(0);
    if (x < 2n ** 64n - (2n ** 64n % BigInt(sides))) return Number(x % BigInt(sides)) + 1;
  }
}

// Return JSON with sorted keys and no spaces, which the hashes of the log cover.
const canonical = (value) => JSON.stringify(value, (_key, part) => (part && typeof part === "object" && !Array.isArray(part)
  ? Object.fromEntries(Object.keys(part).sort().map((name) => [name, part[name]])) : part));

// Return the key of a turn: its link, hashed together with the words or the public draw if there are any.
const keyOf = async (link, mixture) => (Object.keys(mixture).length ? sha256(`${link}\n${canonical(mixture)}`) : link);

const TEXT = /"(?:headline|line|reason|text|url|word)":"sha256:([0-9a-f]{64})"/g;

// The facts of the log about dice, line by line, and its faults. While hands are hidden, a reader gets lines without hashes,
// and only the public rolls of a move.
class Log {
  constructor(faults) {
    Object.assign(this, { faults, chains: [], mixing: new Map(), given: {}, thrown: new Map(), rolls: [], chance: "" });
    Object.assign(this, { before: "", number: 0, byHand: false, used: new Set(), standing: [], seats: [], struck: new Map() });
    Object.assign(this, { removed: new Set(), numbers: [], open: true, imported: false, moved: false });
  }

  must(good, say, facts) {
    if (!good) this.faults.push({ say, ...facts });
    return good;
  }

  async read(lines) {
    for (const [place, line] of lines.entries()) {
      const { body } = line;
      const open = line.hash !== undefined;
      const number = open ? (body.audience === null ? this.number++ : null) : body.number;
      const what = body.what === null ? {} : JSON.parse(body.what);
      if (open) await this.hash(place, line, what);
      Object.assign(this, { open });
      this.seats[place] = body.seat;
      this.numbers[place] = number;
      this.must(body.kind === (what.act === undefined ? "move" : "table"), "hash", { n: place });
      if (body.kind === "move") this.move(place, number, body, what);
      else if (this.must(!body.rolls.length && this.mayStand(place, what.act), "hash", { n: place })) {
        this.act(place, number, body, what);
      }
    }
    for (const n of this.removed) this.must(false, "text", { n });
  }

  // Each hash covers its line and the previous hash; a typed text has its own salted hash.
  async hash(place, line, what) {
    const due = await sha256(`${this.before}\n${canonical(line.body)}`);
    this.must(line.hash === due && line.body.sequence === place, "hash", { n: place });
    this.before = line.hash;
    const hashes = ["genesis", "mix"].includes(what.act) ? [] : [...line.body.what.matchAll(TEXT)].map((found) => found[1]);
    const texts = await Promise.all(Object.values(line.texts ?? {}).map((text) => sha256(`${line.salt}\n${text}`)));
    const same = texts.sort().join() === hashes.sort().join();
    this.must("removed" in line ? hashes.length && !texts.length : same, "text", { n: place });
    if ("removed" in line) this.removed.add(place);
  }

  // A log begins with the terms of its campaign. They may change until the first move.
  mayStand(place, act) {
    return act === "genesis" ? !this.moved : place > 0;
  }

  act(place, number, body, what) {
    const { act, how } = what;
    if (act === "genesis") {
      Object.assign(this, { chance: what.chance ?? "", given: { ...what.given }, imported: Boolean(what.imported) });
      Object.assign(this, { chains: [], mixing: new Map(), used: new Set() });
      this.title = what.format.split("/")[0].replaceAll("-", "_");
    }
    if (this.open && ["undo", "restore"].includes(act)) {
      const named = what.after ?? what.undo ?? this.numbers[body.target];
      this.must(named === this.numbers[body.target] && (act === "undo" || this.struck.has(body.target)), "hash", { n: place });
    }
    if (act === "genesis" || "commitment" in what) {
      if (["genesis", "renew", "undo"].includes(act)) this.chains.push({ commitment: what.commitment, entry: number });
    }
    if (act === "die" && ["by-hand", "by-program"].includes(how)) this.byHand = how === "by-hand";
    if (act === "die" && how === "given") {
      this.must(!this.thrown.has(what.purpose) && !Object.hasOwn(this.given, what.purpose), "again", { purpose: what.purpose });
      this.given[what.purpose] ??= what.value;
    }
    if (act === "mix") this.mix(place, body, what);
    if (act === "undo" && body.target !== undefined) {
      const stays = (move) => (what.own ? move < body.target || this.seats[move] !== body.seat : move <= body.target);
      this.struck.set(place, this.standing.filter((move) => !stays(move)));
      this.standing = this.standing.filter(stays);
    }
    if (act === "host" && how === "removed" && body.target !== null) {
      this.must(this.removed.delete(body.target), "text", { n: body.target });
    }
    if (act === "restore" && body.target !== undefined) this.standing.push(...(this.struck.get(body.target) ?? []));
  }

  // Add the words of players or a public draw to the dice of a turn, before its first roll.
  mix(place, body, what) {
    const stage = `${what.chain}/${what.turn}`;
    const known = this.mixing.get(stage) ?? { words: {} };
    this.mixing.set(stage, known);
    const at = Date.parse(body.at);
    const needs = ["words", "closed"].includes(what.how) ? "words" : "draw";
    const changes = !["objected", "confirmed", "refuted"].includes(what.how);
    let good = ["both", needs].includes(this.chance);
    good = good && (!changes || (!this.used.has(stage) && what.chain === this.chains.length - 1));
    if (what.how === "words") {
      good = good && what.seat === body.seat && !Object.hasOwn(known.words, what.seat) && !known.closed && known.drawn === undefined;
      known.words[what.seat] = what.text;
    } else if (what.how === "named") {
      known.falls = Date.parse(what.falls);
      good = good && at < known.falls;
    } else if (what.how === "drawn") {
      good = good && known.falls <= at;
      known.drawn = what.text;
    } else if (["closed", "without"].includes(what.how)) known[what.how] = true;
    this.must(good, "mix", { n: place });
  }

  // Return the stage of a link and its mixture. The stage of the start also serves turn 1.
  mixture(chain, link) {
    const known = this.mixing.get(`${chain}/${link}`) ?? { words: {} };
    const words = known.closed || !["words", "both"].includes(this.chance);
    const drawn = known.drawn !== undefined || known.without || !["draw", "both"].includes(this.chance);
    if (!words || !drawn) return link === 1 ? this.mixture(chain, 0) : { stage: null, mixture: {} };
    const mixture = known.drawn ? { draw: known.drawn } : {};
    if (Object.keys(known.words).length) mixture.phrases = known.words;
    return { stage: `${chain}/${link}`, mixture };
  }

  move(place, number, body, what) {
    this.moved = true;
    this.standing.push(place);
    this.must(what.move !== "start" || body.rolls.some(([purpose]) => purpose === "start"), "missing", { purpose: "start" });
    for (const [purpose, sides, value, link] of body.rolls) {
      const first = this.thrown.get(purpose);
      const chain = first?.chain ?? this.chains.length - 1;
      const turn = purpose.match(/^(?:turn|round)-(\d+)\//);
      const hand = Object.hasOwn(this.given, purpose);
      const { stage, mixture } = hand ? { stage: null, mixture: {} } : this.mixture(chain, link);
      const row = { entry: number, purpose, sides, value, link, chain, ...(hand && { hand }) };
      this.rolls.push({ place, row, mixture });
      const same = !first || (first.value === value && first.sides === sides && first.link === link);
      this.must(same, "twice", { purpose, value: first?.value, due: value });
      this.must(link === Number(turn?.[1] ?? 0), "other", { purpose, n: link });
      this.must(hand ? this.given[purpose] === value : first || !this.byHand, "byHand", { purpose });
      this.must(hand || stage, "early", { purpose });
      this.thrown.set(purpose, row);
      if (stage) this.used.add(stage);
    }
  }
}

// Return the faults and a verdict for each roll: first by the log, then by the list of rolls.
async function work(lines, list) {
  const faults = [];
  const verdicts = new Map();
  const log = new Log(faults);
  await log.read(lines);
  log.must(!lines.length || (list.title === log.title && list.imported === log.imported), "hash", { n: 0 });
  for (const [chain, { commitment, entry, links }] of list.chains.entries()) {
    const promised = log.chains[chain];
    log.must(commitment === promised?.commitment && entry === promised.entry, "promise", { n: chain });
    for (const [n, link] of links.entries()) {
      log.must((await sha256(link)) === (n ? links[n - 1] : commitment), "chain", { n });
    }
  }
  log.must(list.chains.length >= log.chains.length, "promise", { n: list.chains.length });
  const seen = new Set();
  for (const { place, row, mixture } of log.rolls) {
    const links = list.chains[row.chain]?.links ?? [];
    if (row.hand) verdicts.set(row.purpose, "hand");
    else if (row.link < links.length) {
      const due = await value(await keyOf(links[row.link], mixture), row.purpose, row.sides);
      if (verdicts.get(row.purpose) !== "bad") verdicts.set(row.purpose, due === row.value ? "good" : "bad");
      log.must(due === row.value, "gives", { purpose: row.purpose, due, value: row.value });
    }
    seen.add(canonical(lines[place].hash === undefined ? row : { ...row, struck: !log.standing.includes(place) }));
  }
  const listed = new Set();
  for (const roll of list.rolls) {
    const { struck, ...row } = roll;
    const whole = canonical(lines.at(-1)?.hash === undefined ? row : { struck, ...row });
    if (!log.must(seen.has(whole) && !listed.has(whole), "differs", { purpose: roll.purpose })) verdicts.set(roll.purpose, "bad");
    listed.add(whole);
  }
  const given = new Set(list.rolls.map((roll) => roll.purpose));
  for (const purpose of log.thrown.keys()) log.must(given.has(purpose), "missing", { purpose });
  for (const [chain, { mixed = {} }] of list.chains.entries()) {
    for (const link of new Set(["1", ...Object.keys(mixed), ...[...log.mixing.keys()].map((stage) => stage.split("/")[1])])) {
      const { mixture } = log.mixture(chain, Number(link));
      log.must(canonical(mixed[link] ?? {}) === canonical(mixture), "mixed", { n: link });
    }
  }
  return { faults, verdicts, rolls: log.thrown.size };
}

function showVerdict(sheet, { faults, verdicts, rolls }) {
  const say = (key, facts) => sheet.dataset[key].replace(/\{(\w+)\}/g, (whole, name) => facts[name] ?? whole);
  const count = (verdict) => [...verdicts.values()].filter((found) => found === verdict).length;
  const [good, bad] = [count("good"), count("bad")];
  const waiting = rolls - verdicts.size;
  // If no roll can be checked yet, nothing is confirmed; the page says so.
  const nothing = !good && !bad && !faults.length;
  sheet.querySelector("[data-verdict]").hidden = sheet.querySelector("[data-check]").hidden = nothing;
  const banner = sheet.querySelector("[data-verdict] .banner");
  banner.className = `banner banner--${faults.length ? "bad" : "good"}`;
  banner.querySelector("use").setAttribute("href", faults.length ? "#i-warn" : "#i-check");
  const [title, more] = banner.querySelectorAll("p");
  title.textContent = bad ? say("false", { n: bad, all: good + bad }) : say("true", { n: good, all: good + bad });
  more.textContent = say("just", {}) + (waiting ? `; ${say("wait", { n: waiting })}` : "");
  const list = banner.querySelector("ul");
  list.replaceChildren(...faults.map((fault) => Object.assign(document.createElement("li"), { textContent: say(fault.say, fault) })));
  list.hidden = !faults.length;
  for (const mark of document.querySelectorAll("[data-roll]")) {
    const verdict = verdicts.get(mark.dataset.roll);
    mark.className = `chip ${{ good: "chip--good", bad: "chip--bad" }[verdict] ?? ""}`;
    mark.textContent = verdict ? sheet.dataset[verdict] : "";
  }
}

async function check(sheet) {
  const place = sheet.querySelector("[data-verdict]");
  place.hidden = false;
  try {
    if (!crypto.subtle) throw new Error(sheet.dataset.cannot);
    const files = [sheet.dataset.log, sheet.dataset.rolls].map((file) => fetch(file, { cache: "no-store" }));
    const [log, list] = await Promise.all(files);
    if (!log.ok || !list.ok) throw new Error(sheet.dataset.lost);
    const lines = (await log.text()).split("\n").filter(Boolean).map((line) => JSON.parse(line));
    showVerdict(sheet, await work(lines, await list.json()));
  } catch (error) {
    place.querySelector(".banner").className = "banner banner--warn";
    place.querySelector(".banner__title").textContent = error instanceof TypeError ? sheet.dataset.lost : error.message;
  }
}

for (const sheet of document.querySelectorAll("[data-rolls]")) {
  const button = sheet.querySelector("[data-check]");
  button.hidden = false;
  button.addEventListener("click", () => check(sheet));
  check(sheet);
}

// Return random words for players who do not want to invent any: this browser makes them, so that the server does not choose
// them.
for (const button of document.querySelectorAll("[data-random]")) {
  button.hidden = false;
  button.addEventListener("click", () => {
    document.getElementById(button.dataset.random).value = hex(crypto.getRandomValues(new Uint8Array(12))).match(/.{6}/g).join(" ");
  });
}
