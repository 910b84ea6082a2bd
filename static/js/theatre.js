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

async function show() {
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
if (frames.length) {
  let first = true;
  start.hidden = false;
  start.addEventListener("click", () => {
    if (!first) stage.restore(board.world ?? board);
    first = false;
    show();
  });
  if (!CALM.matches && !document.hidden) start.click();
}
