// Owners painted on the map: each province that differs from the start has a line in the field below, which is sent. Without
// this file the user types the lines.
"use strict";

class Painted {
  constructor(place, field) {
    this.place = place;
    this.field = field;
    Object.assign(this, JSON.parse(document.getElementById("painted").textContent)); // begins, names, walls, fleet
    place.hidden = false;
    strokes(place.querySelector(".map"), () => true, (key) => this.show(key), (keys) => this.paint(keys));
    place.addEventListener("change", (event) => event.stopPropagation()); // choosing another brush changes nothing of the sheet
    place.addEventListener("click", (event) => {
      const key = provinceOf(event.target);
      if (!key) return;
      event.preventDefault();
      event.stopPropagation();
      if (event.detail === 0) { // by a key
        this.show(key);
        this.paint([key]);
      }
    });
  }

  get brush() {
    return this.place.querySelector("[name=brush]:checked").value;
  }

  show(key) {
    if (!this.brush.startsWith("+")) recolour(this.place, key, this.brush);
  }

  // The current lines, by the name of their province.
  lines() {
    const all = new Map();
    for (const line of this.field.value.split("\n")) if (line.trim()) all.set(line.split(",")[0].trim().toLowerCase(), line);
    return all;
  }

  paint(keys) {
    const lines = this.lines();
    for (const key of keys) {
      const [name, owner, walls, fleet] = this.begins[key];
      const at = name.toLowerCase();
      const parts = lines.has(at) ? lines.get(at).split(",").map((part) => part.trim()) : [name, owner, walls, fleet ? this.fleet : ""];
      let now = { owner: parts[1] || owner, walls: parts.slice(2).find((part) => this.walls.includes(part)) ?? "", fleet: parts.slice(2).includes(this.fleet) };
      const brush = this.brush.startsWith("+") ? this.brush.slice(1) : "";
      if (!brush) now.owner = this.names[this.brush];
      else if (brush === this.fleet) now.fleet = !now.fleet;
      else now.walls = now.walls === brush ? "" : brush;
      if (now.owner === this.names.independent) now = { owner: now.owner, walls: "", fleet: false };
      if (now.owner === owner && now.walls === walls && now.fleet === fleet) lines.delete(at);
      else lines.set(at, [name, now.owner, ...(now.walls ? [now.walls] : []), ...(now.fleet ? [this.fleet] : [])].join(", "));
    }
    this.field.value = [...lines.values()].join("\n");
    this.field.dispatchEvent(new Event("change", { bubbles: true }));
  }
}

const paint = document.getElementById("paint");
if (paint) new Painted(paint, document.getElementById("r-prov"));
