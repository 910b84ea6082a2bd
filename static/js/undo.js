// The button "Undo" opens a small panel that says what is taken back and what changes; a button of the panel does it. A board
// with planned moves takes the last of them back first (`table:undo`), and shows the page after an undo itself (`table:undone`).

const panel = () => document.getElementById("undo-panel");
const opener = () => document.querySelector("a[data-undo]");
const isBoard = () => document.querySelector("[data-moves]") !== null;
const filming = () => document.body.classList.contains("is-film");

function close() {
  const box = panel();
  if (!box || box.hidden) return;
  const held = box.contains(document.activeElement);
  box.hidden = true;
  box.replaceChildren();
  opener()?.setAttribute("aria-expanded", "false");
  if (held) opener()?.focus();
}

async function open() {
  const link = opener();
  if (!link || filming() || link.getAttribute("aria-busy") === "true") return;
  if (!document.dispatchEvent(new CustomEvent("table:undo", { cancelable: true }))) return; // a planned move was taken back
  link.setAttribute("aria-busy", "true");
  try {
    const headers = { "HX-Request": "true", "HX-Target": "undo-panel" };
    const answer = await fetch(link.href, { headers, cache: "no-store", redirect: "error" });
    if (!answer.ok) throw new Error(answer.statusText);
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const box = panel();
    box.replaceChildren(...[...page.body.childNodes].map((node) => document.importNode(node, true)));
    box.hidden = false;
    link.setAttribute("aria-expanded", "true");
    window.htmx?.process(box);
    (box.querySelector("[data-first]") ?? box.querySelector("h2")).focus({ preventScroll: true });
  } catch {
    location.assign(link.href); // the page has the same content, or says what is wrong
  } finally {
    link.removeAttribute("aria-busy");
  }
}

// Send a form of the panel, and give the page that follows to the board.
async function send(form, submitter) {
  const body = new FormData(form, submitter);
  submitter.disabled = true;
  try {
    const answer = await fetch(form.action, { method: "POST", headers: { "HX-Request": "true" }, body, cache: "no-store" });
    if (!answer.ok) throw new Error(answer.statusText);
    const html = await answer.text();
    close();
    document.dispatchEvent(new CustomEvent("table:undone", { detail: html }));
    opener()?.focus({ preventScroll: true });
  } catch {
    location.reload(); // the page shows whether it was done
  }
}

document.addEventListener("click", (event) => {
  if (event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
  if (event.target.closest("a[data-undo]")) {
    event.preventDefault();
    if (panel().hidden) open();
    else close();
  } else if (event.target.closest("[data-undo-close]") && panel()?.contains(event.target)) {
    event.preventDefault();
    close();
  } else if (panel() && !panel().contains(event.target)) close();
});

document.addEventListener("submit", (event) => {
  if (!isBoard() || !panel()?.contains(event.target)) return;
  event.preventDefault();
  send(event.target, event.submitter);
});

document.addEventListener("keydown", (event) => {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input,textarea,select")) return;
  if (event.key === "Escape") close();
  else if (event.key.toLowerCase() === "z" && opener()) {
    event.preventDefault();
    if (panel().hidden) open();
  }
});
