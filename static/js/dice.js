// Works every published roll again in the reader's own browser, from the list of rolls and nothing else.
"use strict";

const bytes = (text) => new TextEncoder().encode(text);
const hex = (buffer) => Array.from(new Uint8Array(buffer), (byte) => byte.toString(16).padStart(2, "0")).join("");
const sha256 = async (text) => hex(await crypto.subtle.digest("SHA-256", bytes(text)));

// A roll is made of its purpose and the link of its turn, of nothing else.
async function value(link, purpose, sides) {
  const key = await crypto.subtle.importKey("raw", bytes(link), { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  for (let attempt = 0; ; attempt += 1) {
    const mac = await crypto.subtle.sign("HMAC", key, bytes(`${purpose}#${attempt}`));
    const x = new DataView(mac).getBigUint64(0);
    if (x < 2n ** 64n - (2n ** 64n % BigInt(sides))) return Number(x % BigInt(sides)) + 1;
  }
}

// The link; where words or a public draw were mixed into its turn, both together, as canonical JSON.
async function keyOf(link, mixture) {
  if (!mixture) return link;
  const sorted = (value) => (typeof value === "string" ? value
    : Object.fromEntries(Object.keys(value).sort().map((name) => [name, sorted(value[name])])));
  return sha256(`${link}\n${JSON.stringify(sorted(mixture))}`);
}

// What is wrong, and which rolls are good: the chains, every value, no purpose with two values, none left out.
async function work({ chains, moves = [], rolls }) {
  const faults = [];
  const verdicts = new Map();
  const known = new Map();
  for (const { commitment, links } of chains) {
    for (const [n, link] of links.entries()) {
      if ((await sha256(link)) !== (n ? links[n - 1] : commitment)) faults.push({ say: "chain", n });
    }
  }
  for (const roll of rolls) {
    const before = known.get(roll.purpose) ?? roll;
    if (before.value !== roll.value || before.sides !== roll.sides || before.link !== roll.link || before.chain !== roll.chain) {
      faults.push({ say: "twice", purpose: roll.purpose, value: before.value, due: roll.value });
      verdicts.set(roll.purpose, "bad");
    }
    if (known.has(roll.purpose)) continue;
    known.set(roll.purpose, roll);
    const turn = roll.purpose.match(/^(?:turn|round)-(\d+)\//);
    if (roll.link !== Number(turn?.[1] ?? 0)) {
      faults.push({ say: "other", purpose: roll.purpose, n: roll.link });
      verdicts.set(roll.purpose, "bad");
    } else if (roll.hand) verdicts.set(roll.purpose, "hand");
    else if (roll.link < chains[roll.chain].links.length) {
      const { links, mixed } = chains[roll.chain];
      const due = await value(await keyOf(links[roll.link], mixed?.[roll.link]), roll.purpose, roll.sides);
      verdicts.set(roll.purpose, due === roll.value ? "good" : "bad");
      if (due !== roll.value) faults.push({ say: "gives", purpose: roll.purpose, due, value: roll.value });
    }
  }
  for (const purpose of moves.flatMap((move) => move.rolls)) {
    if (!known.has(purpose)) faults.push({ say: "missing", purpose });
  }
  return { faults, verdicts, rolls: known.size };
}

function tell(sheet, { faults, verdicts, rolls }) {
  const say = (key, facts) => sheet.dataset[key].replace(/\{(\w+)\}/g, (whole, name) => facts[name] ?? whole);
  const count = (verdict) => [...verdicts.values()].filter((one) => one === verdict).length;
  const [good, bad] = [count("good"), count("bad")];
  const waiting = rolls - verdicts.size;
  // Where nothing can be worked yet nothing is true; the page says so.
  const nothing = !good && !bad && !faults.length;
  sheet.querySelector("[data-verdict]").hidden = sheet.querySelector("[data-check]").hidden = nothing;
  const banner = sheet.querySelector("[data-verdict] .banner");
  banner.className = `banner banner--${faults.length ? "bad" : "good"}`;
  banner.querySelector("use").setAttribute("href", faults.length ? "#i-warn" : "#i-check");
  const [title, more] = banner.querySelectorAll("p");
  title.textContent = bad ? say("false", { n: bad, all: good + bad }) : say("true", { n: good, all: good + bad });
  more.textContent = say("just", {}) + (waiting ? `; ${say("wait", { n: waiting })}` : "");
  const list = banner.querySelector("ul");
  list.replaceChildren(...faults.map((fault) => Object.assign(document.createElement("li"), { textContent: say(fault.say, fault) })));
  list.hidden = !faults.length;
  for (const mark of document.querySelectorAll("[data-roll]")) {
    const verdict = verdicts.get(mark.dataset.roll);
    mark.className = `chip ${{ good: "chip--good", bad: "chip--bad" }[verdict] ?? ""}`;
    mark.textContent = verdict ? sheet.dataset[verdict] : "";
  }
}

async function check(sheet) {
  const place = sheet.querySelector("[data-verdict]");
  place.hidden = false;
  try {
    if (!crypto.subtle) throw new Error(sheet.dataset.cannot);
    const answer = await fetch(sheet.dataset.rolls, { cache: "no-store" });
    if (!answer.ok) throw new Error(sheet.dataset.lost);
    tell(sheet, await work(await answer.json()));
  } catch (error) {
    place.querySelector(".banner").className = "banner banner--warn";
    place.querySelector(".banner__title").textContent = error instanceof TypeError ? sheet.dataset.lost : error.message;
  }
}

for (const sheet of document.querySelectorAll("[data-rolls]")) {
  const button = sheet.querySelector("[data-check]");
  button.hidden = false;
  button.addEventListener("click", () => check(sheet));
  check(sheet);
}

// Random words for those who have none at hand: they are made by this browser, so that the server does not choose them.
for (const button of document.querySelectorAll("[data-random]")) {
  button.hidden = false;
  button.addEventListener("click", () => {
    document.getElementById(button.dataset.random).value = hex(crypto.getRandomValues(new Uint8Array(12))).match(/.{6}/g).join(" ");
  });
}
