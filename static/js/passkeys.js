// Passkeys: the browser asks us what to sign, the device signs, the form brings it back. Forms say what is wanted by
// data-passkey: "get" (a key signs in) or "create" (a new one). Buttons that need this script are shown by it.
(() => {
"use strict";

const W = document.currentScript.dataset;
const KNOWN = "PublicKeyCredential" in window && "credentials" in navigator;
const HERE = W.places.split(" ").includes(location.origin); // a key is of the site's name, and works at no other
let waiting = null; // what a field of the page proposes meanwhile; it ends when a button asks

const bytes = (text) => Uint8Array.from(atob(text.replace(/-/g, "+").replace(/_/g, "/")), (sign) => sign.charCodeAt(0));
const written = (buffer) => btoa(String.fromCharCode(...new Uint8Array(buffer))).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
const ids = (list) => (list ?? []).map((one) => ({ ...one, id: bytes(one.id) }));

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

function tell(form, text) {
  const line = form.querySelector("[data-passkey-wrong]");
  line.querySelector("span").textContent = text;
  line.hidden = !text;
}

function send(form, key) {
  form.elements.credential.value = JSON.stringify(answered(key));
  form.submit();
}

async function ask(form, button) {
  tell(form, "");
  if (!HERE) return tell(form, W.place.replace("{place}", W.places));
  if (!window.isSecureContext) return tell(form, W.insecure);
  if (!KNOWN) return tell(form, W.none);
  waiting?.abort();
  button.disabled = true;
  try {
    const publicKey = await options(form);
    send(form, await (form.dataset.passkey === "create" ? navigator.credentials.create({ publicKey }) : navigator.credentials.get({ publicKey })));
  } catch (error) {
    tell(form, why(error, form));
    button.disabled = false;
    if ("passkeyConditional" in form.dataset) propose(form);
  }
}

// The field for the name proposes passkeys by itself, where the browser can; whoever ignores it is not bothered.
async function propose(form) {
  if (!KNOWN || !HERE || !(await window.PublicKeyCredential.isConditionalMediationAvailable?.().catch(() => false))) return;
  waiting = new AbortController();
  const { signal } = waiting;
  try {
    const publicKey = await options(form, signal);
    if (!signal.aborted) send(form, await navigator.credentials.get({ publicKey, mediation: "conditional", signal }));
  } catch {
    // not chosen, or asked for by the button meanwhile
  }
}

// Who signs in by password meanwhile: a late answer would put its own session in the place of theirs.
document.addEventListener("submit", () => waiting?.abort());
for (const hidden of document.querySelectorAll("[data-passkey-shown]")) hidden.hidden = false;
for (const form of document.querySelectorAll("form[data-passkey]")) {
  const button = form.querySelector("[data-passkey-go]");
  button.addEventListener("click", () => ask(form, button));
  form.addEventListener("submit", (event) => { event.preventDefault(); ask(form, button); });
  if ("passkeyConditional" in form.dataset) propose(form);
}
})();
