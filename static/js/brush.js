// Painting owners on a map before the server has drawn them. It handles pointers before map.js does.
"use strict";

// Return the key of the province that a link of the map leads to, or "".
function provinceOf(target) {
  const link = target?.closest?.(".m-hits a");
  return link ? new URL(link.getAttribute("href"), location).searchParams.get("province") ?? "" : "";
}

// A stroke of a brush over several provinces: `ready()` says whether painting is on, `over(key)` is called once for each
// province, `done(keys)` at the end. It handles pointers before the map does.
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

// Show a province as another owner's until the server has drawn it.
function recolour(place, key, owner) {
  const link = [...place.querySelectorAll(".m-hits a")].find((candidate) => provinceOf(candidate) === key);
  const shape = link.querySelector("use").getAttribute("href");
  for (const use of place.querySelectorAll(`.m-prov[href="${CSS.escape(shape)}"]`)) use.setAttribute("data-nation", owner);
}
