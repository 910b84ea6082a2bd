// The note of a lesson is shown beside the element that it describes, never over it and never over the bar; on a small screen it
// is a strip between the board and the bar. It changes when the page has another step: a board swaps the part, a plan is checked, or an
// ordinary page is loaded again. Without this file the note is above the forms.

const GAP = 12; // between the note and its element, in px
const EDGE = 8;
const KEEP = 30; // this margin around a space belongs to it
const ZOOM = 56; // the width of the buttons that zoom the board
const LIT = ".b-lit, .m-lit, .m-selected, .e-marks > *"; // the marks of places that can be tapped
const STRIP = matchMedia("(width < 62rem)"); // static/css/lesson.css

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

// Return where the note may be: over the board, never over the bar or the film.
const room = (stage) => stage.getBoundingClientRect();

// Return the places on the board that can be tapped now, as points of the window.
const lit = (stage) => [...stage.querySelectorAll(LIT)].map((mark) => mark.getBoundingClientRect()).filter((box) => box.width)
  .map((box) => [box.left + box.width / 2, box.top + box.height / 2]);

function shared(a, b) {
  return Math.max(0, Math.min(a.right, b.right) - Math.max(a.left, b.left)) * Math.max(0, Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top));
}

// Show the note, or the button that shows it again. On a small screen the note has its own strip.
function place() {
  const lesson = note();
  if (!lesson?.dataset.beside) { chip.hidden = true; return; }
  if (!live.isConnected) document.body.append(live, chip); // an ordinary page was swapped
  const stage = document.querySelector(".play-stage");
  lesson.classList.toggle("is-beside", Boolean(stage));
  const text = key(lesson);
  if (text !== announced) {
    announced = text;
    hidden = "";
    live.textContent = [".lesson__head", ".lesson__kind", ".lesson__text"].map((part) => lesson.querySelector(part)?.textContent ?? "").join(" ");
  }
  for (const close of lesson.querySelectorAll("[data-lesson-close]")) close.hidden = false;
  const thing = target(lesson);
  for (const old of document.querySelectorAll(".is-lesson")) if (old !== thing) old.classList.remove("is-lesson");
  thing?.classList.add("is-lesson");
  const busy = stage && (document.body.classList.contains("is-film") || document.querySelector(".play-side.is-open, .play-menu[open]"));
  lesson.classList.toggle("is-away", Boolean(busy || hidden === text));
  chip.textContent = lesson.dataset.show;
  chip.hidden = hidden !== text || Boolean(busy);
  if (!stage || busy || hidden === text) return;
  const space = thing?.dataset?.key ?? thing?.dataset?.land;
  if (space && looked !== text) {
    looked = text;
    document.dispatchEvent(new CustomEvent("board:look", { detail: space }));
  }
  if (STRIP.matches) lesson.style.translate = "none";
  else float(lesson, stage, thing, Boolean(space));
}

// Put the note over the board where it covers neither its element nor, if possible, a place that can be tapped.
function float(lesson, stage, thing, isSpace) {
  const all = room(stage);
  const own = lesson.getBoundingClientRect();
  const [least, most] = [all.left + EDGE, all.right - own.width - EDGE];
  const [top, end] = [all.top + EDGE, all.bottom - own.height - GAP];
  const box = thing?.getBoundingClientRect();
  const corners = [[most, end, "down"], [least, end, "down"], [least, top, ""], [most - ZOOM, top, ""]];
  const ways = isSpace && box ? [
    [box.left + box.width / 2 - own.width / 2, box.bottom + KEEP / 2 + GAP, "up"],
    [box.left + box.width / 2 - own.width / 2, box.top - KEEP / 2 - GAP - own.height, "down"],
    [box.right + KEEP, box.top + box.height / 2 - own.height / 2, ""],
    [box.left - KEEP - own.width, box.top + box.height / 2 - own.height / 2, ""],
    ...corners.map(([x, y]) => [x, y, ""]),
  ] : corners;
  if (lesson.classList.contains("is-end")) ways.unshift([(least + most) / 2, (top + end) / 2, ""]); // its text is not about a place on the board
  const points = lesson.classList.contains("is-end") ? [] : lit(stage);
  const costs = ways.map(([wantedX, wantedY, side], rank) => {
    const [x, y] = [Math.max(least, Math.min(most, wantedX)), Math.max(top, Math.min(end, wantedY))];
    const area = { left: x, top: y, right: x + own.width, bottom: y + own.height };
    const covers = isSpace && box ? shared(area, { left: box.left - KEEP / 2, top: box.top - KEEP / 2, right: box.right + KEEP / 2, bottom: box.bottom + KEEP / 2 }) : 0;
    const taps = points.filter(([px, py]) => px > x - KEEP && px < area.right + KEEP && py > y - KEEP && py < area.bottom + KEEP).length;
    return { x, y, side: y === wantedY ? side : "", cost: 1000 * covers + 10 * taps + rank };
  });
  const best = costs.reduce((first, other) => (other.cost < first.cost ? other : first));
  lesson.dataset.side = best.side;
  lesson.style.translate = `${Math.round(best.x)}px ${Math.round(best.y)}px`;
  lesson.style.setProperty("--tip", `${Math.round(Math.max(16, Math.min(own.width - 24, (box && isSpace ? box.left + box.width / 2 : best.x + 40) - best.x)))}px`);
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
