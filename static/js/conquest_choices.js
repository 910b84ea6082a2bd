// What the bar of the Roman Empire offers beside placing: recruiting, cards, moving armies, Forts, and the end of the phase.

import { button, copy, Draft, element, BEFORE } from "./conquest_parts.js";

const DEEDS = { move: ["take_up"], fort: ["fort", "fortress"], rebuild: ["rebuild"], bribe: ["bribe"] };

// Return the draft with only those planned moves that come before an army is placed.
function early(table) {
  const draft = new Draft(table.data);
  for (const step of table.plan) if (BEFORE.includes(step.do)) draft.add({ ...step });
  return draft;
}

function fits(draft, step) {
  const tried = Object.assign(Object.create(Draft.prototype), copy({ ...draft, data: null, play: null }), { data: draft.data, play: draft.play });
  return tried.add({ ...step });
}

// Return how many Legions can still be recruited.
export function recruitable(table, draft) {
  const { play } = table.data;
  if (!play.faction || !play.begin || play.main) return 0;
  return Math.max(0, Math.min(play.recruits, play.room, draft.recruits + Math.floor(draft.points / play.price)) - draft.recruits);
}

// Return the possible steps of a kind, at most one for each land.
export function landDeeds(table, draft, name) {
  const { play } = table.data;
  if (name !== "move" && !play.faction) return [];
  const before = draft.begun ? early(table) : draft;
  const rows = [];
  for (const land of Object.keys(draft.lands)) {
    const here = draft.lands[land];
    if (name === "move" && (here.fresh || here.who !== play.group)) continue;
    const step = DEEDS[name].map((deed) => ({ do: deed, land })).find((deed) => fits(draft, deed) || (before !== draft && fits(before, deed)));
    if (step) rows.push(step);
  }
  return rows;
}

// Return the lands that can be tapped for what is chosen in the bar.
export function marked(table, draft) {
  const { mode } = table;
  if (mode.card) return mode.card.asks.filter(([name]) => name === "land").flatMap(([, , values]) => values.map(([value]) => value));
  return DEEDS[mode.name] ? landDeeds(table, draft, mode.name).map((step) => step.land) : [];
}

// Return the proposed moves of one kind that come next, as long as the plan has followed the proposals.
export function proposal(table) {
  const rows = (table.data.play.suggested ?? []).flatMap((row) => Array(row.do === "war" ? 1 : row.n).fill(row));
  const at = table.plan.length;
  const same = table.plan.every((step, n) => rows[n] && step.do === rows[n].do && (step.land ?? null) === (rows[n].land ?? null));
  if (!same || !rows[at]) return null;
  const to = rows.findIndex((row, n) => n > at && (row.do !== rows[at].do || row.land !== rows[at].land));
  return rows.slice(at, to < 0 ? rows.length : to);
}

// Return what would remain unused if the phase ended now, each in a sentence.
export function unused(table, draft) {
  const { play } = table.data;
  const legions = recruitable(table, draft);
  const rows = [];
  if (draft.armies) rows.push(table.say("end-armies", {}, draft.armies));
  if (legions) rows.push(table.say("end-recruits", { points: draft.points }, legions));
  if (draft.forts && landDeeds(table, draft, "fort").length) rows.push(table.say("end-forts", {}, draft.forts));
  if (play.cards.length) rows.push(table.say("end-cards", {}, play.cards.length));
  return rows;
}

function recruiting(table, draft, done) {
  const { play } = table.data;
  const more = recruitable(table, draft);
  const fewer = () => table.back(table.plan.findLastIndex((step) => step.do === "recruit"));
  const note = `${table.say("have-points", {}, draft.points)} ${table.say("note-recruit")}`;
  return table.write(table.say("recruit", { price: play.price }), note,
    table.stepper(draft.recruits, draft.recruits ? fewer : null, more ? () => table.push({ do: "recruit" }) : null, table.say("recruits")), done);
}

function ending(table, draft) {
  const { play } = table.data;
  return table.write(table.say("ask-end"), unused(table, draft).join(" "),
    button(play.main ? table.say("back-to", { main: play.main }) : table.say("end-anyway"), () => table.send(true)),
    button(table.say("go-on"), () => table.enter(null), "button--primary"));
}

// Let the player choose a card, then what it asks for.
function cards(table) {
  const { play } = table.data;
  const { mode } = table;
  const leave = button(table.say("not-there"), () => table.enter(mode.card ? { name: "cards" } : null));
  if (!mode.card) {
    const choose = (card) => table.enter({ name: "cards", card, given: Object.fromEntries(card.asks.filter(([, , values]) => values.length).map(([key, , values]) => [key, values[0][0]])) });
    return table.write(table.say("bar-cards", { n: play.cards.length }), table.say("note-cards"), leave, ...play.cards.map((card) => button(card.name, () => choose(card))));
  }
  const { card, given } = mode;
  const asks = card.asks.map(([key, name, values]) => (values.length
    ? element("select", { class: "select", "data-keeps": `card-${key}`, "aria-label": name, onchange: (event) => { given[key] = event.target.value; table.draw(); } },
      values.map(([value, text]) => element("option", { value, selected: given[key] === value }, text)))
    : element("label", { class: "check small" }, element("input", { type: "checkbox", checked: given[key], onchange: (event) => { given[key] = event.target.checked; } }), " ", name)));
  return table.write(card.name, card.text, leave, ...asks,
    button(table.say("play-card", { card: card.name }), () => table.play_card({ move: "play_event", card: card.key, ...given }), "button--primary"));
}

// Write the bar for what is chosen in it.
export function choices(table, draft) {
  const { name } = table.mode;
  const done = button(table.say("done"), () => table.enter(null), "button--primary");
  if (name === "recruit") return recruiting(table, draft, done);
  if (name === "cards") return cards(table);
  if (name === "end") return ending(table, draft);
  const points = name === "move" ? "" : ` ${table.say("have-points", {}, draft.points)}`;
  return table.write(table.say(`bar-${name}`), `${table.say(`note-${name}`)}${points}`, done);
}
