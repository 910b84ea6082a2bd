/* A sheet of hexagons that is painted; what is painted stands in the text field as rows of letters. */
(() => {
  const box = document.getElementById("hexes"), field = document.getElementById("b-rows");
  if (!box || !field) return;
  const SIGNS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789", SEA = ".-_~ ", NS = "http://www.w3.org/2000/svg";
  const R = 17, DX = R * Math.sqrt(3), DY = R * 1.5, words = box.dataset;
  let rows = [], brush = "", on = null, here = [0, 0], before = ".";
  const read = () => {
    const lines = field.value.replace(/\s+$/, "").split(/\r?\n/), wide = Math.min(60, Math.max(6, ...lines.map((l) => l.length)));
    rows = lines.slice(0, 40).map((l) => Array.from({ length: wide }, (_, i) => (SIGNS.includes(l[i] || ".") ? l[i] : ".")));
    while (rows.length < 4) rows.push(Array(wide).fill("."));
  };
  const used = () => [...new Set(rows.flat().filter((c) => c !== "."))];
  const write = () => { field.value = rows.map((r) => r.join("")).join("\n"); };
  const next = () => { const taken = used(); brush = [...SIGNS].find((c) => !taken.includes(c)) || brush; return taken.length < SIGNS.length; };
  const el = (name, props) => { const element = document.createElementNS(NS, name); for (const key in props) element.setAttribute(key, props[key]); return element; };
  const html = (name, props, ...inner) => { const element = Object.assign(document.createElement(name), props); element.append(...inner); return element; };
  const number = (id, label, least, most) => html("div", { className: "field" }, html("label", { htmlFor: id, textContent: label }), html("input", { id, className: "input input--num", type: "number", min: least, max: most }));
  const across = number("g-w", words.across, 6, 60), down = number("g-h", words.down, 4, 40);
  const more = html("button", { type: "button", className: "button button--small", textContent: words.next }), status = html("p", { className: "small muted" });
  status.setAttribute("role", "status");
  const svg = el("svg", { role: "application", tabindex: "0", "aria-label": words.label });
  box.append(html("div", { className: "hexes__opts" }, across, down, more, status), html("div", { className: "hexes__sheet" }, svg));
  const corners = (x, y) => Array.from({ length: 6 }, (_, i) => `${(x + R * Math.sin((i * Math.PI) / 3)).toFixed(1)},${(y + R * Math.cos((i * Math.PI) / 3)).toFixed(1)}`).join(" ");
  const middle = (q, r) => [q * DX + DX / 2 + (r & 1 ? DX / 2 : 0) + 3, r * DY + R + 3];
  const look = (hexagon, q, r) => {
    const sign = rows[r][q], land = sign !== ".";
    hexagon.setAttribute("class", [land && "is-land", land && sign === brush && "is-now", q === here[0] && r === here[1] && document.activeElement === svg && "is-here"].filter(Boolean).join(" "));
    hexagon.style.setProperty("--h", (SIGNS.indexOf(sign) * 47 + 60) % 360);
  };
  const showBrush = () => { status.textContent = words.now.replace("{sign}", brush).replace("{n}", used().length); };
  const draw = () => {
    const first = new Set();
    svg.setAttribute("viewBox", `0 0 ${((rows[0].length + 0.5) * DX + 6).toFixed(0)} ${(rows.length * DY + R / 2 + 6).toFixed(0)}`);
    svg.replaceChildren();
    const names = [];
    rows.forEach((row, r) => row.forEach((sign, q) => {
      const [x, y] = middle(q, r), hexagon = el("polygon", { points: corners(x, y), "data-at": `${q} ${r}` });
      look(hexagon, q, r); svg.append(hexagon);
      if (sign !== "." && !first.has(sign)) { first.add(sign); const text = el("text", { x, y }); text.textContent = sign; names.push(text); }
    }));
    svg.append(...names);
    across.querySelector("input").value = rows[0].length; down.querySelector("input").value = rows.length;
    showBrush();
  };
  const paint = (hexagon) => {
    const at = hexagon?.dataset?.at; if (!at) return;
    const [q, r] = at.split(" ").map(Number); rows[r][q] = on; look(hexagon, q, r);
  };
  svg.addEventListener("pointerdown", (e) => {
    const at = e.target.dataset?.at; if (!at) return;
    const [q, r] = at.split(" ").map(Number); here = [q, r];
    before = rows[r][q]; on = before === brush ? "." : brush; paint(e.target); svg.releasePointerCapture?.(e.pointerId);
  });
  svg.addEventListener("pointermove", (e) => { if (on !== null) paint(document.elementFromPoint(e.clientX, e.clientY)); });
  const end = () => { if (on !== null) { on = null; write(); draw(); } };
  svg.addEventListener("pointerup", end); svg.addEventListener("pointerleave", end);
  // On a phone a moving finger scrolls the sheet, and taps paint: the first hexagon that a moving finger touched is restored.
  svg.addEventListener("pointercancel", () => { if (on !== null) rows[here[1]][here[0]] = before; end(); });
  svg.addEventListener("keydown", (e) => {
    const way = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[e.key];
    if (way) here = [Math.max(0, Math.min(rows[0].length - 1, here[0] + way[0])), Math.max(0, Math.min(rows.length - 1, here[1] + way[1]))];
    else if (e.key === "Enter" || e.key === " ") { const [q, r] = here; rows[r][q] = rows[r][q] === brush ? "." : brush; write(); }
    else return;
    e.preventDefault(); draw();
  });
  svg.addEventListener("focus", draw); svg.addEventListener("blur", draw);
  more.addEventListener("click", () => { if (next()) draw(); else status.textContent = words.full; });
  box.addEventListener("change", () => {
    const w = Math.max(6, Math.min(60, +across.querySelector("input").value || 22)), h = Math.max(4, Math.min(40, +down.querySelector("input").value || 9));
    rows = Array.from({ length: h }, (_, r) => Array.from({ length: w }, (_, q) => rows[r]?.[q] || ".")); write(); draw();
  });
  field.addEventListener("input", () => { read(); draw(); });
  read(); next(); box.hidden = false; document.getElementById("hexes-text").open = false; draw();
})();
