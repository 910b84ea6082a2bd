// The names on a board of circles, placed anew for each scale and each position so that they cover neither each other nor a
// circle or a piece. A name that has no room is hidden until the board is nearer; sea and land names make room for the others.

const LINE = 0.41; // half the height of a line of capitals, in em
const AIR = 2; // between a name and whatever is beside it, in units of the drawing
const TURNS = [6, -6, 0, 12, 4, 8, -4, -8, 2, 10, -2, -10, 5, 7, -5, -7, 3, 9, -3, -9, 1, 11, -1, -11]; // in twelfths of a half turn
const FARS = [3, 11, 20]; // from the circle
const DEPTH = 3; // how many names may be moved to make room for another
const SHIFTS = [[0, 0], [0, 22], [0, -22], [34, 0], [-34, 0], [60, 18], [-60, 18], [60, -18], [-60, -18], [0, 44], [0, -44], [90, 0], [-90, 0]];

const apart = (a, b) => a.x1 <= b.x0 || b.x1 <= a.x0 || a.y1 <= b.y0 || b.y1 <= a.y0;
const box = (x, y, w, h) => ({ x0: x - w / 2, y0: y - h / 2, x1: x + w / 2, y1: y + h / 2 });

function touches(area, round) {
  const [dx, dy] = [Math.max(area.x0 - round.x, 0, round.x - area.x1), Math.max(area.y0 - round.y, 0, round.y - area.y1)];
  return dx * dx + dy * dy < round.r * round.r;
}

// Return how the words of a name can be arranged: in one line, or in two of about the same length.
function arrangements(lines) {
  const words = lines.join(" ").split(" ");
  if (words.length === 1) return [words];
  const half = Math.ceil(words.length / 2);
  const two = [words.slice(0, half).join(" "), words.slice(half).join(" ")];
  return lines.length > 1 ? [two, [words.join(" ")]] : [[words.join(" ")], two];
}

export class Names {
  // `spaces`: key -> {x, y}; `size`: the font size of the names in the drawing; `pieces`: the layer with what stands on the board.
  // `width`: of the drawing, beyond which no name goes.
  constructor(world, spaces, size, pieces, width) {
    Object.assign(this, { spaces, size, pieces, wide: width });
    const round = (circle, more) => ({ x: Number(circle.getAttribute("cx")), y: Number(circle.getAttribute("cy")), r: Number(circle.getAttribute("r")) + more });
    this.circles = [...world.querySelectorAll(".b-circle")].map((circle) => round(circle, circle.matches(".is-capital,.is-roma") ? 4 : 2));
    this.numbers = [...world.querySelectorAll(".b-no circle")].map((circle) => round(circle, 0));
    this.numerals = [...world.querySelectorAll(".b-num circle")].map((circle) => round(circle, 1));
    this.names = [...world.querySelectorAll("[data-name]")].map((node) => this.read(node, Number(world.querySelector(".b-circle").getAttribute("r"))));
    this.big = [...world.querySelectorAll(".is-big")].map((node) => {
      const turn = node.getAttribute("transform")?.match(/rotate\((-?[\d.]+)/)?.[1] ?? 0;
      const at = { x: Number(node.getAttribute("x")), y: Number(node.getAttribute("y")) };
      return { node, ...at, text: node.textContent, turn: Number(turn), f: Number(node.style.getPropertyValue("--f")) };
    });
    this.pen = document.createElement("canvas").getContext("2d");
    this.widths = new Map();
    document.fonts.ready.then(() => { this.widths.clear(); this.again(); });
  }

  read(node, r) {
    const lines = [...node.querySelectorAll("tspan")].map((span) => span.textContent);
    const home = { x: Number(node.getAttribute("x")), y: Number(node.getAttribute("y")), lines };
    return { node, key: node.dataset.name, r, home, ways: arrangements(lines), at: null };
  }

  // Return the width of a text in em.
  width(text, node, style = "") {
    const key = style + text;
    if (!this.widths.has(key)) {
      const { fontFamily } = getComputedStyle(node);
      this.pen.font = `${style}600 100px ${fontFamily}`;
      this.widths.set(key, this.pen.measureText(text).width / 100);
    }
    return this.widths.get(key);
  }

  area(name, spot, k) {
    const em = this.size * k;
    const wide = Math.max(...spot.lines.map((line) => this.width(line, name.node) * em + 0.4 * line.length));
    return box(spot.x, spot.y, wide + 2 * AIR, (spot.lines.length - 1 + 2 * LINE) * em + 2 * AIR);
  }

  // Return the places for a name around its circle, the best first: as drawn, below, above, beside, and between these.
  *spots(name, k) {
    if (name.at) yield name.at;
    yield name.home;
    const { x, y } = this.spaces[name.key];
    for (const lines of name.ways) {
      const size = this.area(name, { x, y, lines }, k);
      const [w, h] = [(size.x1 - size.x0) / 2, (size.y1 - size.y0) / 2];
      for (const far of FARS) {
        for (const turn of TURNS) {
          const [cos, sin] = [Math.cos(turn * Math.PI / 12), Math.sin(turn * Math.PI / 12)];
          const aside = (part, half) => Math.sign(Math.round(part * 8)) * half * Math.min(1, Math.abs(part) * 1.6);
          yield { x: x + cos * (name.r + far) + aside(cos, w), y: y + sin * (name.r + far) + aside(sin, h), lines };
        }
      }
    }
  }

  // The pieces as they are drawn, in units of the drawing.
  boxes(pk) {
    this.drawn ??= [...this.pieces.querySelectorAll(".p-k")].map((inner) => {
      const [x, y] = inner.parentNode.getAttribute("transform").match(/-?[\d.]+/g).map(Number);
      return { x, y, shape: inner.getBBox() };
    });
    return this.drawn.map(({ x, y, shape }) => ({
      x0: x + shape.x * pk - 2, y0: y + shape.y * pk - 2, x1: x + (shape.x + shape.width) * pk + 2, y1: y + (shape.y + shape.height) * pk + 2,
    }));
  }

  again() {
    if (this.scale) this.lay(this.scale);
  }

  // The pieces have changed.
  moved() {
    this.drawn = null;
    this.again();
  }

  // `k`, `pk` and `nk`: how much names, pieces and numbers are enlarged at this scale.
  lay({ k, pk, nk }) {
    this.scale = { k, pk, nk };
    const marks = [...this.numerals, ...this.numbers.map((round) => ({ ...round, r: round.r * nk + 1 }))];
    const solid = this.boxes(pk);
    const free = (area) => area.x0 > 0 && area.x1 < this.wide && !this.circles.some((round) => touches(area, round)) && !marks.some((round) => touches(area, round)) && solid.every((other) => apart(area, other));
    const choices = this.names.map((name) => {
      const fits = [...this.spots(name, k)].map((spot) => ({ spot, area: this.area(name, spot, k) })).filter(({ area }) => free(area));
      return { name, fits, chosen: null };
    });
    const placed = [];
    for (const choice of choices.toSorted((a, b) => a.fits.length - b.fits.length)) this.choose(choice, placed);
    for (const { name, chosen } of choices) this.write(name, chosen?.spot ?? null);
    this.layBig(k, placed, free);
  }

  // Choose the first place that no other name has; otherwise one from which a single other name can be moved away.
  choose(choice, placed, depth = DEPTH, but = new Set()) {
    const inWay = ({ area }) => placed.filter((other) => other !== choice && !apart(area, other.chosen.area));
    const rivals = choice.fits.map((fit) => [fit, inWay(fit)]);
    let [best] = rivals.find(([, others]) => !others.length) ?? [null];
    if (!best && depth) {
      for (const [fit, others] of rivals) {
        const [other] = others;
        if (others.length > 1 || but.has(other)) continue;
        const was = other.chosen;
        choice.chosen = fit;
        if (!placed.includes(choice)) placed.push(choice);
        if (this.choose(other, placed, depth - 1, new Set([...but, choice]))) return true;
        other.chosen = was;
        placed.splice(placed.indexOf(choice), 1);
        choice.chosen = null;
      }
    }
    if (!best) return false;
    choice.chosen = best;
    if (!placed.includes(choice)) placed.push(choice);
    return true;
  }

  write(name, spot) {
    name.at = spot;
    name.node.style.visibility = spot ? "" : "hidden";
    if (!spot) return;
    const [x, y] = [spot.x.toFixed(1), spot.y.toFixed(1)];
    if (name.written === `${x} ${y} ${spot.lines}`) return;
    name.written = `${x} ${y} ${spot.lines}`;
    name.node.setAttribute("x", x);
    name.node.setAttribute("y", y);
    name.node.replaceChildren(...spot.lines.map((line, place) => {
      const span = document.createElementNS("http://www.w3.org/2000/svg", "tspan");
      span.setAttribute("x", x);
      span.setAttribute("dy", `${place ? 1 : -0.5 * (spot.lines.length - 1)}em`);
      span.textContent = line;
      return span;
    }));
  }

  layBig(k, placed, free) {
    const taken = placed.map((choice) => choice.chosen.area);
    for (const name of this.big) {
      const em = name.f * k;
      const wide = this.width(name.text, name.node, "italic ") * em + 3 * name.text.length;
      const turn = name.turn * Math.PI / 180;
      const parts = 8;
      const strip = ([dx, dy]) => Array.from({ length: parts }, (_, n) => {
        const along = ((n + 0.5) / parts - 0.5) * wide;
        return box(name.x + dx + along * Math.cos(turn), name.y + dy + along * Math.sin(turn), wide / parts, 2 * LINE * em + Math.abs(Math.sin(turn)) * wide / parts + 2 * AIR);
      });
      const shift = SHIFTS.find((by) => strip(by).every((area) => free(area) && taken.every((other) => apart(area, other))));
      name.node.style.visibility = shift ? "" : "hidden";
      if (!shift) continue;
      name.node.style.translate = `${shift[0]}px ${shift[1]}px`;
      taken.push(...strip(shift));
    }
  }
}
