// The page of a film: a range of the log on the board of its title, in parts if it is long.

import { drawer } from "./compose.js";
import { Film } from "./film.js";
import { lights } from "./lights.js";

const CALM = matchMedia("(prefers-reduced-motion: reduce)");
const root = document.querySelector("[data-theatre]");
const { frames, board, more } = JSON.parse(document.getElementById("film-data").textContent);
const { open } = await import(root.dataset.stage);
const stage = open(root, board);
const list = root.querySelector(".film__list");
const film = new Film({ panel: document.querySelector("[data-film=bar]"), stage, tray: root.querySelector(".film__tray"), list });
const start = document.querySelector("[data-theatre-do=play]");
const text = start.querySelector("[data-again]");

// With reduced motion the film is a series of stills that the reader steps through.
if (CALM.matches) film.turnByHand();

const { follows: since, own } = root.dataset;
const mine = new Set(own.split(" ").filter(Boolean));
if (since !== undefined) stage.mine = mine;
const go = document.querySelector("[data-onward=go]");
const WAIT = 500; // between two questions whether programs have moved
const moment = (change) => change.kind === "battle" && change.sides?.some((seat) => mine.has(seat));

// The reader's own battles stay longer.
const weighed = (part) => part.map((frame) => (frame.changes.some(moment) ? { ...frame, weight: 4 } : frame));

async function ask(after) {
  const answer = await fetch(`${root.dataset.url}?since=${after}&part=1&follow=1`, { cache: "no-store" }).catch(() => null);
  return answer?.ok ? answer.json() : null;
}

// In a practice game the film goes on while programs play, and then leads to the reader's next decision.
async function follow() {
  start.hidden = true;
  let [part, after, all] = [weighed(frames), Number(since), []];
  for (;;) {
    if (part.length) {
      await film.play(part, { follows: all.length > 0, more: true });
      all = [...all, ...part];
      after = part.at(-1).at;
    }
    const news = await ask(after);
    if (!news) break;
    if (!news.frames.length && news.next) {
      film.end();
      film.last = all;
      return arrive(news.next);
    }
    part = weighed(news.frames);
    if (!part.length) await new Promise((done) => setTimeout(done, WAIT));
  }
  film.end();
  start.hidden = false;
}

// The next decision: the film goes there by itself, unless the reader steps through it to its end.
function arrive({ text, verb, url }) {
  document.querySelector("[data-onward=text]").textContent = text;
  [go.textContent, go.href] = [verb, url];
  if (film.skipped || (!film.byHand && film.pace !== 0)) return location.replace(url);
  start.hidden = false;
  go.focus({ preventScroll: true });
}

async function show() {
  if (film.last && since !== undefined) {
    start.hidden = true;
    await film.play(film.last);
    start.hidden = false;
    return;
  }
  start.hidden = true;
  let [part, next, follows] = [frames, more, false];
  while (part.length) {
    await film.play(part, { follows, more: next !== null });
    if (next === null) break;
    follows = true;
    const answer = await fetch(`${root.dataset.url}?since=${next}&to=${root.dataset.to}&part=1`, { cache: "no-store" }).catch(() => null);
    ({ frames: part, more: next } = answer?.ok ? await answer.json() : { frames: [], more: null });
    if (!part.length) await film.end();
  }
  text.textContent = text.dataset.again;
  start.hidden = false;
  start.focus({ preventScroll: true });
}

drawer();
lights(root.querySelector(".play-side"), stage);
if (since !== undefined) {
  start.querySelector("span").textContent = text.dataset.again;
  start.addEventListener("click", () => {
    stage.restore(board.world ?? board);
    show();
  });
  follow();
} else if (frames.length) {
  let first = true;
  start.hidden = false;
  start.addEventListener("click", () => {
    if (!first) stage.restore(board.world ?? board);
    first = false;
    show();
  });
  if (!CALM.matches && !document.hidden) start.click();
}
