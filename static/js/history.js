// The history without loading pages: the slider, the buttons, the film. Without this file they are links and forms.
"use strict";

class Player {
  constructor(root) {
    this.root = root;
    this.stops = root.dataset.stops.split(" ").map(Number);
    this.ends = root.dataset.ends.split(" ").map(Number);
    this.at = Number(root.dataset.place);
    this.by = root.dataset.by;
    this.range = root.querySelector("[type=range]");
    this.number = root.querySelector("[name=at]");
    this.button = root.querySelector("[data-play]");
    this.kept = new Map();
    this.asked = 0;
    this.lastPush = 0;
    this.playing = false;
    root.querySelector("[data-plain]").hidden = true;
    const less = matchMedia("(prefers-reduced-motion: reduce)");
    const motion = () => {
      this.still = less.matches;
      if (this.still) this.pause();
      root.querySelector("[data-film]").hidden = this.still;
      root.querySelector("[data-still]").hidden = !this.still;
    };
    less.addEventListener("change", motion);
    motion();
    this.listen();
  }

  listen() {
    this.range.form.addEventListener("submit", (event) => event.preventDefault());
    this.range.addEventListener("input", () => {
      this.pause();
      this.mark(this.range.value - 1);
      clearTimeout(this.soon);
      this.soon = setTimeout(() => this.go(this.range.value - 1, "", ""), 80);
    });
    this.range.addEventListener("change", () => {
      clearTimeout(this.soon);
      this.go(this.range.value - 1, "", "push");
    });
    this.root.addEventListener("keydown", (event) => this.key(event));
    this.button.addEventListener("click", () => this.toggle());
    document.addEventListener("click", (event) => {
      const link = event.target.closest?.("a[data-step], a[data-place]");
      if (!link?.href || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey || event.button) return;
      const [place, by] = link.dataset.step ? this.step(link.dataset.step) : [Number(link.dataset.place), "turns"];
      if (place === undefined) return;
      event.preventDefault();
      this.pause();
      this.go(place, by, "push");
    });
    addEventListener("popstate", () => {
      const asked = new URLSearchParams(location.search);
      const place = asked.has("at") ? this.stops.indexOf(Number(asked.get("at"))) : this.stops.length - 1;
      this.pause();
      if (place < 0) location.reload();
      else this.go(place, asked.get("by") === "turns" ? "turns" : "", "");
    });
    // Charts that are added later show the current place.
    document.addEventListener("htmx:afterSettle", (event) => { if (event.target.id === "courses") this.mark(this.at); });
    document.addEventListener("visibilitychange", () => { if (document.hidden) this.pause(); });
  }

  // Return where a button leads: a place, and whether it is shown as the end of its turn. None if it leads nowhere.
  step(name) {
    const last = this.stops.length - 1;
    return {
      first: [0, ""],
      back: [this.at ? this.at - 1 : undefined, ""],
      on: [this.at < last ? this.at + 1 : undefined, ""],
      last: [last, ""],
      turn_back: [this.ends.findLast((end) => end < this.at), "turns"],
      turn_on: [this.ends.find((end) => end > this.at), "turns"],
    }[name];
  }

  key(event) {
    if (event.target !== this.range || event.ctrlKey || event.metaKey || event.altKey) return;
    const name = { PageUp: "turn_on", PageDown: "turn_back" }[event.key];
    if (event.key === " ") this.toggle();
    else if (name) {
      this.pause();
      const [place, by] = this.step(name);
      if (place !== undefined) this.go(place, by, "push");
    } else return;
    event.preventDefault();
  }

  address(place, by) {
    return `${location.pathname}?at=${this.stops[place]}${by ? "&by=turns" : ""}`;
  }

  // Slider and number change at once, the rest when it has been loaded.
  mark(place) {
    this.range.value = place + 1;
    this.range.setAttribute("aria-valuetext", this.range.dataset.text.replace("{number}", this.stops[place]));
    this.number.value = this.stops[place];
    const since = this.root.querySelector("[data-film-since]");
    if (since && place < this.stops.length - 1) since.value = this.stops[place];
    for (const line of document.querySelectorAll(".chart__at")) {
      const [left, right, first, last] = line.dataset.edges.split(" ").map(Number);
      const part = (Math.min(Math.max(this.stops[place], first), last) - first) / Math.max(last - first, 1);
      for (const end of ["x1", "x2"]) line.setAttribute(end, (left + (right - left) * part).toFixed(1));
    }
  }

  fetched(address) {
    if (!this.kept.has(address)) {
      const answer = fetch(address, { headers: { "HX-Request": "true", "HX-Target": "moment" }, cache: "no-store" });
      this.kept.set(address, answer.then((found) => (found.ok ? found.text() : Promise.reject(found))));
      this.kept.get(address).catch(() => this.kept.delete(address));
      if (this.kept.size > 100) this.kept.delete(this.kept.keys().next().value);
    }
    return this.kept.get(address);
  }

  // `keep` says how the address is stored: "push", "replace", or not at all.
  async go(place, by, keep) {
    const mine = ++this.asked;
    const address = this.address(place, by);
    this.at = place;
    this.by = by;
    this.mark(place);
    this.root.classList.add("is-busy");
    let text = "";
    try {
      text = await this.fetched(address);
    } catch (why) {
      if (mine !== this.asked) return false;
      this.pause();
      this.root.classList.remove("is-busy");
      if (why instanceof Response) location.assign(address); // the page itself shows the error
      else document.dispatchEvent(new CustomEvent("htmx:sendError"));
      return false;
    }
    if (mine !== this.asked) return false;
    this.root.classList.remove("is-busy");
    this.swap(new DOMParser().parseFromString(text, "text/html"));
    if (!keep) return true;
    // Several steps in a row are a single step of the browser's history.
    const [now, url] = [Date.now(), address + location.hash];
    if (keep === "push" && now - this.lastPush > 1000) history.pushState(history.state, "", url);
    else history.replaceState(history.state, "", url);
    this.lastPush = now;
    return true;
  }

  swap(found) {
    const moment = found.querySelector("[data-moment]");
    const held = document.activeElement;
    for (const kind of ["then", "now"]) {
      for (const to of document.querySelectorAll(`[data-${kind}]`)) {
        const from = moment.querySelector(`[data-${kind}="${to.dataset[kind]}"]`);
        if (from) to.replaceChildren(...from.childNodes);
      }
    }
    for (const to of this.root.querySelectorAll("nav [data-step]")) {
      for (const name of ["href", "role", "aria-disabled"]) {
        const value = moment.querySelector(`nav [data-step="${to.dataset.step}"]`).getAttribute(name);
        if (value === null) to.removeAttribute(name);
        else to.setAttribute(name, value);
      }
    }
    for (const link of document.querySelectorAll("a[data-place]")) {
      if (link.dataset.place === moment.dataset.end) link.setAttribute("aria-current", "true");
      else link.removeAttribute("aria-current");
    }
    this.root.querySelector(".slider__now [data-step]").hidden = this.at === this.stops.length - 1;
    // If the focused element is gone, or leads nowhere, the focus moves to the slider.
    if (held && (!held.isConnected || held.matches("[aria-disabled], [hidden]"))) this.range.focus({ preventScroll: true });
    const site = document.title.split(" · ").pop();
    document.title = `${moment.dataset.title} · ${site}`;
  }

  // The film -----------------------------------------------------------------------------------------------------
  get frames() {
    return this.root.querySelector("[data-film-by]").value ? this.ends : [...this.stops.keys()];
  }

  toggle() {
    if (this.playing || this.still) this.pause();
    else this.play();
  }

  pause() {
    this.playing = false;
    this.button.setAttribute("aria-pressed", "false");
    this.wake?.();
  }

  wait() {
    return new Promise((done) => {
      const timer = setTimeout(done, Number(this.root.querySelector("[data-film-speed]").value));
      this.wake = () => { clearTimeout(timer); done(); };
    });
  }

  async play() {
    this.playing = true;
    this.button.setAttribute("aria-pressed", "true");
    const by = () => this.root.querySelector("[data-film-by]").value;
    if (this.at >= this.frames.at(-1)) await this.go(this.frames[0], by(), "push");
    while (this.playing) {
      const next = this.frames.find((place) => place > this.at);
      if (next === undefined) break;
      this.fetched(this.address(next, by())).catch(() => {});
      await this.wait();
      if (!this.playing || !(await this.go(next, by(), "replace"))) break;
    }
    this.pause();
  }
}

for (const root of document.querySelectorAll("[data-player]")) new Player(root);
