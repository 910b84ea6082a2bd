// The dice of the step that is being told fall one after another. Without this file, or with reduced motion, all lie there.
"use strict";

if (!matchMedia("(prefers-reduced-motion: reduce)").matches) {
  const step = document.querySelector(".told > .is-now");
  const fresh = step?.querySelector(".fight tr.is-new") ?? step;
  [...(fresh?.querySelectorAll(".die:not(.die--sealed)") ?? [])].forEach((die, place) => {
    die.classList.add("die--falls");
    die.style.animationDelay = `${place * 140}ms`;
  });
}
