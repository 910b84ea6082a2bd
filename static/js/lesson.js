// The note of a lesson is shown beside the element that it describes, never over it and never over the bar. It changes when the
// page has another step: a board swaps the part, a plan is checked, an ordinary page is loaded anew. Without this file the note
// is above the forms.

const GAP = 12; // between the note and its element, in px
const EDGE = 8;
const KEEP = 30; // this margin around a space belongs to it

let hidden = "";
let announced = "";
let asked = "[]";
let looked = "";

const note = () => document.getElementById("lesson");
const key = (lesson) => lesson.querySelector(".lesson__head")?.textContent + lesson.querySelector(".lesson__text")?.textContent;

const live = document.createElement("p");
live.className = "sr";
live.setAttribute("role", "status");
document.body.append(live);

const chip = document.createElement("button");
chip.type = "button";
chip.className = "button button--small lesson__chip";
chip.hidden = true;
chip.addEventListener("click", () => { hidden = ""; place(); note()?.focus({ preventScroll: true }); });
document.body.append(chip);

function target(lesson) {
  return [...document.querySelectorAll(lesson.dataset.beside)].find((thing) => thing.getClientRects().length) ?? null;
}

// Return where the note may be: over the board, or anywhere in the window; never over the bar or the film.
function room() {
  const stage = document.querySelector(".play-stage")?.getBoundingClientRect();
  if (stage) return stage;
  const bar = [...document.querySelectorAll(".purse-bar")].find((thing) => thing.getClientRects().length);
  return { left: 0, top: 0, right: document.documentElement.clientWidth, bottom: bar ? bar.getBoundingClientRect().top : innerHeight };
}

function place() {
  const lesson = note();
  if (!lesson?.dataset.beside) { chip.hidden = true; return; }
  if (!live.isConnected) document.body.append(live, chip); // an ordinary page was swapped
  const board = document.querySelector(".play-stage");
  lesson.classList.toggle("is-beside", Boolean(board));
  const text = key(lesson);
  if (text !== announced) {
    announced = text;
    hidden = "";
    live.textContent = [".lesson__head", ".lesson__kind", ".lesson__text"].map((part) => lesson.querySelector(part)?.textContent ?? "").join(" ");
  }
  const close = lesson.querySelector("[data-lesson-close]");
  if (close) close.hidden = !board;
  const thing = target(lesson);
  for (const old of document.querySelectorAll(".is-lesson")) if (old !== thing) old.classList.remove("is-lesson");
  thing?.classList.add("is-lesson");
  const away = document.body.classList.contains("is-film") || document.querySelector(".play-side.is-open, .play-menu[open]");
  lesson.classList.toggle("is-away", Boolean(board && (away || hidden === text)));
  chip.textContent = lesson.dataset.show;
  chip.hidden = !(board && hidden === text && !away);
  if (!board || away || hidden === text) return;
  const space = thing?.dataset?.key ?? thing?.dataset?.land;
  if (space && looked !== text) {
    looked = text;
    document.dispatchEvent(new CustomEvent("board:look", { detail: space }));
  }
  const all = room();
  const own = lesson.getBoundingClientRect();
  const least = all.left + EDGE;
  const most = all.right - own.width - EDGE;
  const box = thing?.getBoundingClientRect();
  let [x, y, side] = [least, all.bottom - own.height - GAP, "down"];
  if (box && box.bottom <= all.bottom + 1 && space) {
    const middle = box.left + box.width / 2;
    x = middle - own.width / 2;
    if (box.bottom + KEEP + GAP + own.height <= all.bottom) [y, side] = [box.bottom + KEEP / 2 + GAP, "up"];
    else if (box.top - KEEP - GAP - own.height >= all.top) [y, side] = [box.top - KEEP / 2 - GAP - own.height, "down"];
    else {
      y = Math.max(all.top + EDGE, Math.min(all.bottom - own.height - EDGE, box.top - own.height / 2));
      x = middle > (all.left + all.right) / 2 ? box.left - KEEP - own.width : box.right + KEEP;
      side = "";
    }
  } else if (box && box.top >= all.bottom - 1) x = Math.max(least, Math.min(most, box.right - own.width - EDGE));
  x = Math.max(least, Math.min(most, x));
  lesson.dataset.side = side;
  lesson.style.translate = `${Math.round(x)}px ${Math.round(Math.max(all.top + EDGE, y))}px`;
  lesson.style.setProperty("--tip", `${Math.round(Math.max(16, Math.min(own.width - 24, (box ? box.left + box.width / 2 : x + 40) - x)))}px`);
}

// Planned moves count, too: the server says which step follows them.
document.addEventListener("table:planned", async ({ detail }) => {
  const text = JSON.stringify(detail);
  const lesson = note();
  if (!lesson?.dataset.url || text === asked) return;
  asked = text;
  const secret = JSON.parse(document.body.getAttribute("hx-headers") ?? "{}");
  const token = document.querySelector("[name=csrfmiddlewaretoken]")?.value;
  try {
    const answer = await fetch(lesson.dataset.url, {
      method: "POST", redirect: "error", body: `{"moves":${text}}`,
      headers: { "Content-Type": "application/json", ...(token ? { "X-CSRFToken": token } : {}), ...secret },
    });
    if (!answer.ok || text !== asked) return;
    const fresh = new DOMParser().parseFromString(await answer.text(), "text/html").getElementById("lesson");
    if (!fresh) return;
    note()?.replaceWith(document.importNode(fresh, true));
    place();
  } catch {
    asked = ""; // no connection: the next plan asks again
  }
});

document.addEventListener("click", (event) => {
  if (!event.target.closest?.("[data-lesson-close]")) return;
  hidden = key(note());
  place();
  chip.focus();
});
document.addEventListener("keydown", (event) => {
  const lesson = note();
  if (event.key !== "Escape" || !lesson?.dataset.beside || document.body.classList.contains("is-film")) return;
  if (!document.querySelector(".play-stage")) return;
  const inside = lesson.contains(document.activeElement);
  hidden = key(lesson);
  place();
  if (inside) chip.focus();
});

// The board glides, pans and zooms: the note follows it.
let last = "";
let placed = null;
function follow() {
  const lesson = note();
  const thing = lesson?.dataset.beside ? target(lesson) : null;
  const box = thing?.getBoundingClientRect();
  const now = [box?.left, box?.top, lesson?.offsetWidth, lesson?.offsetHeight, innerWidth, innerHeight, document.body.className,
    document.querySelector(".play-side.is-open, .play-menu[open]") ? 1 : 0, lesson ? key(lesson) : ""].join(" ");
  if (now !== last || lesson !== placed) { // a replaced note has no position yet
    last = now;
    placed = lesson;
    place();
  }
  requestAnimationFrame(follow);
}
place();
follow();
