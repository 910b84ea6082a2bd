// A sentence beside a board highlights the places that it names: under the pointer, with the focus, or after a tap (then they
// stay). A board has `names` (key -> name) and `light(keys, stays)`.

const SENTENCE = "li, p, td, dd, .told__note";
const FIRST = "li";

// Longest first, so that no name is found within another.
function finder(names) {
  const keys = new Map(Object.entries(names).map(([key, name]) => [name, key]));
  const listed = [...keys.keys()].filter(Boolean).sort((a, b) => b.length - a.length).map((name) => name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  if (!listed.length) return () => [];
  const pattern = new RegExp(`(?<![\\p{L}])(?:${listed.join("|")})(?![\\p{L}])`, "gu");
  return (text) => [...new Set((text.match(pattern) ?? []).map((name) => keys.get(name)))];
}

export function lights(side, board) {
  const find = finder(board.names);
  let on = null;
  let kept = null;
  const places = (sentence) => (sentence ? find(sentence.textContent) : []);
  const mark = (sentence, stays = false) => {
    if (sentence === on && !stays) return;
    on?.classList.remove("is-lighting");
    const keys = places(sentence);
    on = keys.length ? sentence : null;
    on?.classList.add("is-lighting");
    board.light(keys, stays);
  };
  const at = (target) => {
    const sentence = target.closest?.(SENTENCE);
    return sentence && side.contains(sentence) && !sentence.querySelector("table, ol, ul") ? sentence : null;
  };
  side.addEventListener("pointerover", (event) => { if (event.pointerType !== "touch") mark(at(event.target) ?? kept); });
  side.addEventListener("pointerleave", () => mark(kept));
  side.addEventListener("focusin", (event) => mark(at(event.target) ?? kept));
  side.addEventListener("focusout", () => mark(kept));
  side.addEventListener("click", (event) => {
    if (event.target.closest("a, button, input, select, textarea, summary, label")) return;
    const sentence = at(event.target);
    kept = sentence === kept ? null : places(sentence).length ? sentence : null;
    mark(kept, true);
  });
  // The sentences of a list are a single tab stop; up and down move between them.
  side.addEventListener("keydown", (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const sentence = event.target;
    if (!step || !sentence.matches?.(FIRST) || event.ctrlKey || event.metaKey || event.altKey) return;
    let next = sentence;
    do next = step > 0 ? next.nextElementSibling : next.previousElementSibling;
    while (next && !places(next).length);
    if (!next) return;
    event.preventDefault();
    sentence.tabIndex = -1;
    next.tabIndex = 0;
    next.focus();
  });
  const rove = () => {
    for (const list of side.querySelectorAll("ol.told, ol.film__list")) {
      if (list.querySelector(':scope > li[tabindex="0"]')) continue;
      const first = [...list.children].find((item) => item.matches(FIRST) && places(item).length);
      if (first) first.tabIndex = 0;
    }
  };
  rove();
  new MutationObserver(rove).observe(side, { childList: true, subtree: true });
}

// The map of a page that scrolls: its provinces are those of the table below it.
const map = document.querySelector(".atlas .map__svg");
const table = document.getElementById("provinces");
if (map && table) {
  const names = {};
  for (const cell of table.querySelectorAll("td:first-child")) {
    const link = cell.querySelector("a");
    const key = cell.dataset.key ?? (link && new URL(link.href).searchParams.get("province"));
    if (key) names[key] = (link ?? cell).textContent.trim();
  }
  const light = (keys) => {
    for (const shape of map.querySelectorAll(".m-told")) shape.remove();
    for (const key of keys) {
      // The outlines are in the page or in a file: the province itself says where.
      const own = [...map.querySelectorAll("use.m-prov")].find((shape) => shape.getAttribute("href").split("#")[1].slice(2) === key);
      if (!own) continue;
      const use = document.createElementNS("http://www.w3.org/2000/svg", "use");
      use.setAttribute("href", own.getAttribute("href"));
      use.setAttribute("class", "m-told");
      map.querySelector(".map__world").append(use);
    }
  };
  lights(document.querySelector("main"), { names, light });
}
