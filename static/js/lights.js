// A sentence beside a board lights the places that it names: under the pointer, with the focus, at a tap (then it stays).
// A board gives its `names` (key -> name) and `light(keys, stays)`.

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
  const places = (one) => (one ? find(one.textContent) : []);
  const mark = (one, stays = false) => {
    if (one === on && !stays) return;
    on?.classList.remove("is-lighting");
    const keys = places(one);
    on = keys.length ? one : null;
    on?.classList.add("is-lighting");
    board.light(keys, stays);
  };
  const at = (target) => {
    const one = target.closest?.(SENTENCE);
    return one && side.contains(one) && !one.querySelector("table, ol, ul") ? one : null;
  };
  side.addEventListener("pointerover", (event) => { if (event.pointerType !== "touch") mark(at(event.target) ?? kept); });
  side.addEventListener("pointerleave", () => mark(kept));
  side.addEventListener("focusin", (event) => mark(at(event.target) ?? kept));
  side.addEventListener("focusout", () => mark(kept));
  side.addEventListener("click", (event) => {
    if (event.target.closest("a, button, input, select, textarea, summary, label")) return;
    const one = at(event.target);
    kept = one === kept ? null : places(one).length ? one : null;
    mark(kept, true);
  });
  // The sentences of a list are one tab stop; up and down go from one to the next.
  side.addEventListener("keydown", (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const one = event.target;
    if (!step || !one.matches?.(FIRST) || event.ctrlKey || event.metaKey || event.altKey) return;
    let next = one;
    do next = step > 0 ? next.nextElementSibling : next.previousElementSibling;
    while (next && !places(next).length);
    if (!next) return;
    event.preventDefault();
    one.tabIndex = -1;
    next.tabIndex = 0;
    next.focus();
  });
  const rove = () => {
    for (const list of side.querySelectorAll("ol.told, ol.film__list")) {
      if (list.querySelector(':scope > li[tabindex="0"]')) continue;
      const first = [...list.children].find((one) => one.matches(FIRST) && places(one).length);
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
    for (const one of map.querySelectorAll(".m-told")) one.remove();
    for (const key of keys) {
      // The outlines stand on the page or in a file of their own: the province itself says where.
      const own = [...map.querySelectorAll("use.m-prov")].find((one) => one.getAttribute("href").split("#")[1].slice(2) === key);
      if (!own) continue;
      const use = document.createElementNS("http://www.w3.org/2000/svg", "use");
      use.setAttribute("href", own.getAttribute("href"));
      use.setAttribute("class", "m-told");
      map.querySelector(".map__world").append(use);
    }
  };
  lights(document.querySelector("main"), { names, light });
}
