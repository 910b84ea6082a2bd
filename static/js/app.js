// Everything works without this file; it only spares a reader some work.
"use strict";

// <button data-copy="#post">Copy</button> copies the text, or the value, of the element named.
document.addEventListener("click", async (event) => {
  const button = event.target.closest("[data-copy]");
  if (!button) return;
  const from = document.querySelector(button.dataset.copy);
  const text = "value" in from ? from.value : from.textContent;
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    // Without TLS a browser has no clipboard for us: mark the text, the reader copies it.
    if (from.select) from.select();
    else getSelection().selectAllChildren(from);
    return;
  }
  const said = button.dataset.said ?? button.innerHTML;
  button.dataset.said = said;
  button.textContent = "Copied";
  setTimeout(() => { button.innerHTML = said; }, 2000);
});

// A success goes away by itself, also one that htmx brought.
function dismiss(root) {
  for (const toast of root.querySelectorAll("[data-toast]")) setTimeout(() => toast.remove(), 8000);
}
dismiss(document);
document.addEventListener("htmx:load", (event) => dismiss(event.target));

// On sign-up the browser's own time zone is proposed.
for (const select of document.querySelectorAll("select[data-zone]")) {
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  if (select.value === "UTC" && [...select.options].some((option) => option.value === zone)) select.value = zone;
}

// A part of the page that could not be fetched is told of; what was typed stays.
function failed(text) {
  document.querySelector("[data-failed]")?.remove();
  const banner = document.createElement("div");
  banner.className = "banner banner--bad";
  banner.dataset.failed = "";
  banner.setAttribute("role", "alert");
  const inner = document.createElement("div");
  inner.className = "banner__text";
  inner.textContent = text;
  banner.append(inner);
  document.querySelector("#main").prepend(banner);
  banner.scrollIntoView({ block: "nearest" });
}
document.addEventListener("htmx:responseError", (event) => failed(
  event.detail.xhr.status < 500
    ? "This could not be done. Load the page again; what you typed still stands below."
    : "Something broke on our side. Nothing was changed; try again."));
document.addEventListener("htmx:sendError", () => failed("No connection. What you typed still stands; try again."));
