// Painting on a map: whose a province is, before the server has drawn it. It stands before map.js's own hand.
"use strict";

// The key of the province that a link of the map leads to, or "".
function provinceOf(target) {
  const link = target?.closest?.(".m-hits a");
  return link ? new URL(link.getAttribute("href"), location).searchParams.get("province") ?? "" : "";
}

// A stroke of a brush over several provinces: `ready()` says whether one paints now, `over(key)` hears of each once, `done(keys)`
// of all. It comes before the map's own hand.
function strokes(place, ready, over, done) {
  let keys = null;
  const pass = (event) => {
    const key = provinceOf(document.elementFromPoint(event.clientX, event.clientY) ?? event.target);
    if (!key || keys.has(key)) return;
    keys.add(key);
    over(key);
  };
  place.addEventListener("pointerdown", (event) => {
    if (event.button || !provinceOf(event.target) || !ready()) return;
    event.stopPropagation();
    event.preventDefault();
    keys = new Set();
    pass(event);
  }, true);
  window.addEventListener("pointermove", (event) => { if (keys) pass(event); });
  window.addEventListener("pointerup", () => {
    if (!keys) return;
    const all = [...keys];
    keys = null;
    done(all);
  });
  window.addEventListener("pointercancel", () => { keys = null; });
}

// A province shown as another owner's, until the server has drawn it.
function recolour(place, key, owner) {
  const link = [...place.querySelectorAll(".m-hits a")].find((one) => provinceOf(one) === key);
  const shape = link.querySelector("use").getAttribute("href");
  for (const use of place.querySelectorAll(`.m-prov[href="${CSS.escape(shape)}"]`)) use.setAttribute("data-nation", owner);
}
