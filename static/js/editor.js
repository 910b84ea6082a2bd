// The scenario editor: tools on the map, panels that save while the user types, undo and redo. Without this file every form of
// the page works; only painting across several provinces needs it.
"use strict";

const SVG = "http://www.w3.org/2000/svg";
const PAINTS = new Set(["owner", "army"]);
const PAIRS = { border: "borders", route: "routes", merge: "borders" };

class Editor {
  constructor(work) {
    this.work = work;
    this.sheet = document.getElementById("sheet");
    this.panel = document.getElementById("panel");
    this.checks = document.getElementById("checks");
    this.hint = document.getElementById("hint");
    this.graph = JSON.parse(document.getElementById("graph").textContent);
    this.revision = work.dataset.revision;
    this.shape = work.dataset.shape;
    this.tool = "select";
    this.first = "";
    this.queue = Promise.resolve();
    document.documentElement.classList.add("has-script");
    for (const id of ["tools", "opts"]) document.getElementById(id).hidden = false;
    this.listen();
    this.use("select");
  }

  get shown() {
    const part = this.panel.querySelector("[data-shows-province], [data-shows-nation]");
    const tab = this.panel.querySelector(".ed__tabs [aria-current]")?.dataset.tab ?? "";
    return { tab, province: part?.dataset.showsProvince ?? this.chosen ?? "", nation: part?.dataset.showsNation ?? "" };
  }

  // Acts are sent one by one: each waits for the response to the previous one.
  send(fields, show = {}) {
    this.queue = this.queue.then(() => this.sent(fields, show)).catch(() => {});
    return this.queue;
  }

  async sent(fields, show) {
    const body = new URLSearchParams(fields);
    const want = { ...this.shown, ...show };
    for (const key of ["tab", "province", "nation"]) if (want[key]) body.set(`show_${key}`, want[key]);
    body.set("revision", this.revision);
    body.set("shape", this.shape);
    const saved = document.getElementById("saved");
    saved.textContent = this.work.dataset.waits;
    let answer;
    try {
      const token = document.querySelector("[name=csrfmiddlewaretoken]").value;
      answer = await fetch(this.work.dataset.act, { method: "POST", body, headers: { Accept: "application/json", "X-CSRFToken": token } });
      if (![200, 409, 422].includes(answer.status)) throw new Error(String(answer.status));
    } catch {
      saved.textContent = this.work.dataset.offline;
      this.say(this.work.dataset.offline);
      return;
    }
    this.take(await answer.json());
  }

  take(news) {
    this.revision = String(news.revision);
    this.graph = news.graph;
    document.getElementById("nation-styles").textContent =
      Object.entries(news.styles).map(([key, style]) => `[data-nation="${CSS.escape(key)}"]{${style}}`).join("");
    this.draw(news);
    this.shape = news.shape;
    this.swap(this.panel, news.panel);
    this.checks.innerHTML = news.checks;
    document.getElementById("saved").innerHTML = news.saved;
    document.getElementById("draft-name").textContent = news.name;
    document.getElementById("undo").disabled = !news.undo;
    document.getElementById("redo").disabled = !news.redo;
    for (const field of document.querySelectorAll("[name=revision]")) field.value = this.revision;
    const faulty = this.checks.querySelector(".checks__h.is-bad") !== null;
    const publish = document.querySelector("[data-publish]");
    publish.querySelector("[data-faults]").hidden = !faulty;
    publish.querySelector(".button--primary").disabled = faulty;
    this.palette(news.owners);
    this.marks();
    if (news.wrong) this.say(news.wrong);
  }

  // Render the panel anew; the focus stays in the same field.
  swap(place, html) {
    const held = place.contains(document.activeElement) ? document.activeElement : null;
    const id = held?.id;
    const at = held && "selectionStart" in held && held.type !== "color" ? held.selectionStart : null;
    place.innerHTML = html;
    const again = id && document.getElementById(id);
    if (again && place.contains(again)) {
      again.focus({ preventScroll: true });
      if (at !== null) try { again.setSelectionRange(at, at); } catch { /* fields of numbers have no caret */ }
    }
  }

  draw(news) {
    const svg = this.sheet.querySelector(".map__svg");
    const parsed = new DOMParser().parseFromString(`<div xmlns="http://www.w3.org/1999/xhtml">${news.svg || news.moving}</div>`, "text/html");
    const fresh = parsed.querySelector("svg");
    if (!fresh) return;
    const at = svg.contains(document.activeElement) ? document.activeElement.getAttribute("href") : null;
    if (news.svg) {
      const [world, next] = [svg.querySelector(".map__world"), fresh.querySelector(".map__world")];
      world.replaceChildren(...next.childNodes);
      svg.querySelector("defs").replaceWith(fresh.querySelector("defs"));
    } else {
      for (const part of fresh.querySelectorAll("[data-now]")) svg.querySelector(`[data-now="${part.dataset.now}"]`).replaceWith(part);
    }
    if (at) svg.querySelector(`.m-hits a[href="${CSS.escape(at)}"]`)?.focus({ preventScroll: true });
  }

  palette(owners) {
    const place = document.getElementById("owners");
    const brush = place.querySelector(":checked")?.value;
    place.replaceChildren(...owners.map(([key, name]) => {
      const label = document.createElement("label");
      label.className = "opt";
      label.dataset.nation = key;
      const radio = Object.assign(document.createElement("input"), { type: "radio", name: "brush", value: key, checked: key === brush });
      const swatch = Object.assign(document.createElement("span"), { className: "swatch" });
      label.append(radio, swatch, name);
      return label;
    }));
    if (!place.querySelector(":checked")) place.querySelector("input").checked = true;
  }

  link(key) {
    return this.sheet.querySelector(`.m-hits a[href^="?province=${CSS.escape(key)}#"]`);
  }

  say(text) {
    this.hint.textContent = text;
  }

  use(tool) {
    this.tool = tool;
    this.first = "";
    this.work.dataset.tool = tool;
    this.work.toggleAttribute("data-paints", PAINTS.has(tool));
    for (const button of document.querySelectorAll("#tools [data-tool]")) {
      const on = button.dataset.tool === tool;
      button.setAttribute("aria-pressed", String(on));
      button.tabIndex = on ? 0 : -1;
      if (on) this.say(button.dataset.hint);
    }
    for (const options of document.querySelectorAll("#opts [data-for]")) options.hidden = options.dataset.for !== tool;
    this.marks();
  }

  // Draw the first province of a pair, for tools that join two.
  marks() {
    const world = this.sheet.querySelector(".map__world");
    world.querySelector(".ed__over")?.remove();
    const over = document.createElementNS(SVG, "g");
    over.setAttribute("class", "ed__over");
    const line = ([a, b], missing) => {
      const [from, to] = [this.graph.at[a], this.graph.at[b]];
      if (!from || !to) return;
      const path = document.createElementNS(SVG, "path");
      path.setAttribute("d", `M${from.join(" ")}L${to.join(" ")}`);
      if (missing) path.setAttribute("class", "is-missing");
      over.append(path);
    };
    const pairs = PAIRS[this.tool];
    if (pairs) {
      const lines = document.createElementNS(SVG, "g");
      lines.setAttribute("class", "ed__lines");
      for (const pair of this.graph[pairs]) line(pair, false);
      if (pairs === "borders") for (const pair of this.graph.missing) line(pair, true);
      lines.append(...over.childNodes);
      over.append(lines);
    }
    const frame = (key, name) => {
      const use = this.link(key)?.querySelector("use")?.cloneNode();
      if (!use) return;
      use.setAttribute("class", name);
      over.append(use);
    };
    for (const link of this.checks.querySelectorAll("section:first-child [data-province]:not([data-province=''])")) frame(link.dataset.province, "m-wrong");
    if (this.first) frame(this.first, "ed__first");
    world.append(over);
  }

  listen() {
    document.getElementById("tools").addEventListener("click", (event) => {
      const tool = event.target.closest("[data-tool]")?.dataset.tool;
      if (tool) this.use(tool);
    });
    document.getElementById("tools").addEventListener("keydown", (event) => {
      const way = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (!way) return;
      event.preventDefault();
      const all = [...event.currentTarget.querySelectorAll("[data-tool]")];
      const next = all[(all.findIndex((button) => button.dataset.tool === this.tool) + way + all.length) % all.length];
      this.use(next.dataset.tool);
      next.focus();
    });
    document.addEventListener("keydown", (event) => this.pressed(event));
    // Before the map's own handler: the tools decide what a click on a province does.
    this.sheet.addEventListener("click", (event) => {
      const key = provinceOf(event.target);
      if (!key || event.ctrlKey || event.metaKey) return;
      event.preventDefault();
      event.stopPropagation();
      if (!PAINTS.has(this.tool) || event.detail === 0) this.pick(key);
    });
    this.painting();
    document.addEventListener("click", (event) => {
      const link = event.target.closest("[data-province], [data-go-nation], .ed__tabs [data-tab], a[data-tab]");
      if (!link || link.closest("#sheet") || event.ctrlKey || event.metaKey) return;
      event.preventDefault();
      const { province = "", goNation: nation = "", tab = "" } = link.dataset;
      if (province) this.choose(province);
      else if (nation) this.show({ tab: "nations", nation });
      else this.show({ tab: tab || "scenario", nation: "" });
    });
    document.addEventListener("submit", (event) => {
      const form = event.target.closest("form[data-editor]");
      if (!form) return;
      event.preventDefault();
      const data = new FormData(form, event.submitter);
      this.send(data, data.get("act") === "add-nation" || data.get("act") === "remove-nation" ? { tab: "nations", nation: "" } : {});
    });
    this.panel.addEventListener("change", (event) => {
      const form = event.target.closest("form[data-live]");
      if (form && form.reportValidity()) this.send(new FormData(form));
    });
  }

  pressed(event) {
    if (event.target.closest?.("input, select, textarea")) return;
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "z") {
      event.preventDefault();
      const button = document.getElementById(event.shiftKey ? "redo" : "undo");
      if (!button.disabled) this.send({ act: button.value });
      return;
    }
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Escape") this.use(this.tool);
    const button = document.querySelector(`#tools [data-key="${CSS.escape(event.key.toLowerCase())}"]`);
    if (button && document.getElementById("tools").offsetParent) this.use(button.dataset.tool);
  }

  // A stroke over several provinces is a single act, which a single undo takes back.
  painting() {
    const over = (key) => {
      if (this.tool === "owner") recolour(this.sheet, key, document.querySelector("#owners :checked").value);
    };
    strokes(this.sheet, () => PAINTS.has(this.tool), over, (keys) => this.apply(keys));
  }

  apply(keys) {
    const value = this.tool === "owner" ? document.querySelector("#owners :checked").value : document.getElementById("army-brush").value;
    this.chosen = keys.at(-1);
    this.send({ act: this.tool, provinces: keys.join(" "), [this.tool]: value }, { tab: "province", province: this.chosen });
  }

  pick(key) {
    const name = this.graph.names[key];
    if (PAINTS.has(this.tool)) return this.apply([key]);
    if (this.tool === "select" || this.tool === "name") return this.choose(key, this.tool === "name");
    if (this.tool === "capital" || this.tool === "works") {
      if (["independent", "external"].includes(this.graph.owners[key])) return this.say(this.work.dataset.nobody.replace("{name}", name));
      const works = document.querySelector("#opts [name=works]:checked").value;
      return this.send({ act: this.tool, province: key, works }, { tab: "province", province: key });
    }
    if (!this.first) {
      this.first = key;
      this.say(this.work.dataset.second.replace("{name}", name));
      return this.marks();
    }
    const first = this.first;
    this.first = "";
    if (first === key) return this.marks();
    return this.send({ act: this.tool, a: first, b: key }, { tab: "province", province: this.tool === "merge" ? first : key });
  }

  async choose(key, name = false) {
    this.chosen = key;
    await this.show({ tab: "province", province: key });
    if (!name) return;
    const field = document.getElementById("f-name");
    field?.focus();
    field?.select();
  }

  // Another panel is read from the page; nothing is saved.
  async show(want) {
    const query = new URLSearchParams(Object.entries(want).filter(([, value]) => value));
    const answer = await fetch(`?${query}`, { headers: { Accept: "text/html" } });
    if (!answer.ok) return;
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    this.swap(this.panel, page.getElementById("panel").innerHTML);
    const over = page.querySelector('[data-now="borders"]');
    if (over) this.sheet.querySelector('[data-now="borders"]').replaceWith(document.importNode(over, true));
    history.replaceState(history.state, "", `?${query}`);
  }
}

const work = document.getElementById("editor");
if (work) new Editor(work);
