// Passkeys: the server says what to sign, the device signs, the form sends the signature. data-passkey of a form is "get" (sign
// in) or "create" (a new passkey). Buttons that need this script are hidden without it.
(() => {
"use strict";

const W = document.currentScript.dataset;
const KNOWN = "PublicKeyCredential" in window && "credentials" in navigator;
const HERE = W.places.split(" ").includes(location.origin); // a passkey belongs to the site's host name, and works at no other
let waiting = null; // the passkeys that a field proposes; this ends when a button is pressed

const bytes = (text) => Uint8Array.from(atob(text.replace(/-/g, "+").replace(/_/g, "/")), (sign) => sign.charCodeAt(0));
const written = (buffer) => btoa(String.fromCharCode(...new Uint8Array(buffer))).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
const ids = (list) => (list ?? []).map((known) => ({ ...known, id: bytes(known.id) }));

function asked(options) {
  const result = { ...options, challenge: bytes(options.challenge) };
  if (options.user) result.user = { ...options.user, id: bytes(options.user.id) };
  if (options.excludeCredentials) result.excludeCredentials = ids(options.excludeCredentials);
  if (options.allowCredentials) result.allowCredentials = ids(options.allowCredentials);
  return result;
}

function answered(key) {
  const { response } = key;
  const result = { clientDataJSON: written(response.clientDataJSON) };
  for (const part of ["attestationObject", "authenticatorData", "signature", "userHandle"]) {
    if (response[part]) result[part] = written(response[part]);
  }
  return { id: key.id, rawId: written(key.rawId), type: key.type, response: result, clientExtensionResults: key.getClientExtensionResults() };
}

class Problem extends Error {}

async function options(form, signal) {
  const sent = new URLSearchParams({ do: "options", csrfmiddlewaretoken: form.elements.csrfmiddlewaretoken.value });
  let answer;
  try {
    answer = await fetch(form.action, { method: "POST", body: sent, headers: { Accept: "application/json" }, signal });
  } catch {
    throw new Problem(W.offline);
  }
  const json = (answer.headers.get("Content-Type") ?? "").startsWith("application/json");
  if (json) {
    const body = await answer.json();
    if (answer.ok) return asked(body.publicKey);
    throw new Problem(body.wrong);
  }
  throw new Problem(answer.status === 429 ? W.tries : W.again);
}

function why(error, form) {
  if (error instanceof Problem) return error.message;
  switch (error?.name) {
    case "NotAllowedError": case "AbortError": return W.cancelled;
    case "InvalidStateError": return form.dataset.passkey === "create" ? W.twice : W.cancelled;
    case "NotSupportedError": case "ConstraintError": return W.device;
    case "SecurityError": return W.place.replace("{place}", W.places);
    default: return W.again;
  }
}

function showMessage(form, text) {
  const line = form.querySelector("[data-passkey-wrong]");
  line.querySelector("span").textContent = text;
  line.hidden = !text;
}

function send(form, key) {
  form.elements.credential.value = JSON.stringify(answered(key));
  form.submit();
}

async function ask(form, button) {
  showMessage(form, "");
  if (!HERE) return showMessage(form, W.place.replace("{place}", W.places));
  if (!window.isSecureContext) return showMessage(form, W.insecure);
  if (!KNOWN) return showMessage(form, W.none);
  waiting?.abort();
  button.disabled = true;
  try {
    const publicKey = await options(form);
    send(form, await (form.dataset.passkey === "create" ? navigator.credentials.create({ publicKey }) : navigator.credentials.get({ publicKey })));
  } catch (error) {
    showMessage(form, why(error, form));
    button.disabled = false;
    if ("passkeyConditional" in form.dataset) propose(form);
  }
}

// The field for the name proposes passkeys, if the browser can; users can ignore them.
async function propose(form) {
  if (!KNOWN || !HERE || !(await window.PublicKeyCredential.isConditionalMediationAvailable?.().catch(() => false))) return;
  waiting = new AbortController();
  const { signal } = waiting;
  try {
    const publicKey = await options(form, signal);
    if (!signal.aborted) send(form, await navigator.credentials.get({ publicKey, mediation: "conditional", signal }));
  } catch {
    // not chosen, or requested by the button meanwhile
  }
}

// The user signs in with a password meanwhile: a late response would replace their session by its own.
document.addEventListener("submit", () => waiting?.abort());
for (const hidden of document.querySelectorAll("[data-passkey-shown]")) hidden.hidden = false;
for (const form of document.querySelectorAll("form[data-passkey]")) {
  const button = form.querySelector("[data-passkey-go]");
  button.addEventListener("click", () => ask(form, button));
  form.addEventListener("submit", (event) => { event.preventDefault(); ask(form, button); });
  if ("passkeyConditional" in form.dataset) propose(form);
}
})();
