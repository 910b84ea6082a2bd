// A reign is played without this file as well.
"use strict";

// The dice of the step that is being told fall one after another; with reduced motion all lie there at once.
if (!matchMedia("(prefers-reduced-motion: reduce)").matches) {
  const step = document.querySelector(".told > .is-now");
  const fresh = step?.querySelector(".fight tr.is-new") ?? step;
  [...(fresh?.querySelectorAll(".die:not(.die--sealed)") ?? [])].forEach((die, place) => {
    die.classList.add("die--falls");
    die.style.animationDelay = `${place * 140}ms`;
  });
}

// The button of a commitment names the number that is chosen.
const commit = document.querySelector("[data-legions]");
function name() {
  const legions = commit.form.elements.legions.value;
  const { one, many, none } = commit.dataset;
  commit.textContent = legions === "1" ? one : legions === "0" ? none : many.replace("#", legions);
}
commit?.form.addEventListener("change", name);
if (commit) name();
