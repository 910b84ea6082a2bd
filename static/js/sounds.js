// Three short sounds, synthesised here: a die, a march, your turn. They are off by default; each browser stores its own choice.
// No sound is made before a user's gesture or with reduced motion.

const CALM = matchMedia("(prefers-reduced-motion: reduce)");
const KEY = "sounds";
const LOUD = 0.12; // relative to full volume
let context = null;

export function wanted() {
  try {
    return localStorage.getItem(KEY) === "1";
  } catch {
    return false; // a browser without storage is silent
  }
}

export function want(on) {
  try { localStorage.setItem(KEY, on ? "1" : "0"); } catch { /* a browser that keeps nothing */ }
  document.dispatchEvent(new CustomEvent("sounds:changed", { detail: on }));
}

// The audio context, which is created after the first gesture of the user.
function room() {
  if (!wanted() || document.hidden || navigator.userActivation?.hasBeenActive === false) return null;
  context ??= new AudioContext();
  if (context.state === "suspended") context.resume();
  return context;
}

// A tone that begins at once and fades: its pitch in Hz, optionally the pitch to which it glides, and its start and duration in
// seconds.
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

// A button or a box that turns sounds on and off; turning them on plays a sound.
for (const control of document.querySelectorAll("[data-sounds]")) {
  const box = control.matches("input");
  const show = () => (box ? (control.checked = wanted()) : control.setAttribute("aria-pressed", String(wanted())));
  show();
  control.closest("[data-sounds-row]")?.removeAttribute("hidden");
  control.hidden = false;
  control.addEventListener(box ? "change" : "click", () => {
    want(box ? control.checked : !wanted());
    sound("turn");
  });
  document.addEventListener("sounds:changed", show);
}
