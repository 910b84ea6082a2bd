// Three short sounds, made here: a die, a march, your turn. None by default; each browser keeps its own choice. Nothing sounds
// before a gesture, and what does not move makes no noise.

const CALM = matchMedia("(prefers-reduced-motion: reduce)");
const KEY = "sounds";
const LOUD = 0.12; // of the whole
let context = null;

export function wanted() {
  try {
    return localStorage.getItem(KEY) === "1";
  } catch {
    return false; // a browser that keeps nothing is silent
  }
}

export function want(on) {
  try { localStorage.setItem(KEY, on ? "1" : "0"); } catch { /* a browser that keeps nothing */ }
  document.dispatchEvent(new CustomEvent("sounds:changed", { detail: on }));
}

// The room that sounds are made in, once somebody has touched the page.
function room() {
  if (!wanted() || document.hidden || navigator.userActivation?.hasBeenActive === false) return null;
  context ??= new AudioContext();
  if (context.state === "suspended") context.resume();
  return context;
}

// A tone that begins at once and fades: its pitch in Hz, perhaps gliding to another, after and for so many seconds.
function tone(into, pitch, { to = pitch, after = 0, lasts = 0.2, loud = 1, shape = "sine" } = {}) {
  const [voice, volume, at] = [into.createOscillator(), into.createGain(), into.currentTime + after];
  voice.type = shape;
  voice.frequency.setValueAtTime(pitch, at);
  voice.frequency.exponentialRampToValueAtTime(to, at + lasts);
  volume.gain.setValueAtTime(0.0001, at);
  volume.gain.exponentialRampToValueAtTime(LOUD * loud, at + 0.012);
  volume.gain.exponentialRampToValueAtTime(0.0001, at + lasts);
  voice.connect(volume).connect(into.destination);
  voice.start(at);
  voice.stop(at + lasts + 0.02);
}

// Wood on wood: a short burst of noise through a narrow band.
function knock(into, after, pitch, loud = 1) {
  const [length, at] = [Math.floor(into.sampleRate * 0.05), into.currentTime + after];
  const buffer = into.createBuffer(1, length, into.sampleRate);
  const wave = buffer.getChannelData(0);
  for (let n = 0; n < length; n += 1) wave[n] = (Math.random() * 2 - 1) * (1 - n / length) ** 4;
  const [noise, band, volume] = [into.createBufferSource(), into.createBiquadFilter(), into.createGain()];
  noise.buffer = buffer;
  band.type = "bandpass";
  band.frequency.value = pitch;
  band.Q.value = 3;
  volume.gain.value = LOUD * 2.4 * loud;
  noise.connect(band).connect(volume).connect(into.destination);
  noise.start(at);
}

const MADE = {
  die: (into) => [0, 0.11, 0.2, 0.26].forEach((after, n) => knock(into, after, 1900 - 210 * n, 1 - 0.18 * n)),
  march: (into) => [0, 0.19].forEach((after) => tone(into, 118, { to: 62, after, lasts: 0.16, loud: 0.9, shape: "triangle" })),
  turn: (into) => [[523.25, 0], [783.99, 0.15]].forEach(([pitch, after]) => tone(into, pitch, { after, lasts: 0.55, loud: 0.6 })),
};
const MOVED = ["die", "march"];

export function sound(name) {
  const into = MOVED.includes(name) && CALM.matches ? null : room();
  if (into) MADE[name](into);
}

// A button or a box that turns them on and off; what it turns on is heard once.
for (const one of document.querySelectorAll("[data-sounds]")) {
  const box = one.matches("input");
  const show = () => (box ? (one.checked = wanted()) : one.setAttribute("aria-pressed", String(wanted())));
  show();
  one.closest("[data-sounds-row]")?.removeAttribute("hidden");
  one.hidden = false;
  one.addEventListener(box ? "change" : "click", () => {
    want(box ? one.checked : !wanted());
    sound("turn");
  });
  document.addEventListener("sounds:changed", show);
}
