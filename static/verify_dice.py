"""Checks a campaign's dice without its server: python verify_dice.py FILE.json … [COMMITMENT …]

A FILE is the campaign's list of rolls or its record, from its page "Dice", or log.jsonl of an audit pack. COMMITMENT is what was
posted before the dice fell, and at each renewal: take it from the forum. Ends with 0 if nothing is wrong, else with 1.
"""

# ruff: noqa: T201
import hashlib
import hmac
import json
import re
import sys
from pathlib import Path


def sha256(text):
    return hashlib.sha256(text.encode()).hexdigest()


def value(link, purpose, sides, attempt=0):
    """A roll is made of its purpose and the link of its turn, of nothing else."""
    mac = hmac.digest(link.encode(), f"{purpose}#{attempt}".encode(), "sha256")
    x = int.from_bytes(mac[:8], "big")
    # What is left over at the top would favour the low faces: then the next attempt serves.
    return x % sides + 1 if x < 2**64 - 2**64 % sides else value(link, purpose, sides, attempt + 1)


def key_of(link, mixture):
    """The link; where words or a public draw were mixed into its turn, both together."""
    text = json.dumps(mixture, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return sha256(f"{link}\n{text}") if mixture else link


def read(name):
    """A file; of a log the rolls of each entry."""
    text = Path(name).read_text("utf-8")
    bodies = [json.loads(line)["body"] for line in text.splitlines()] if name.endswith(".jsonl") else []
    moves = [{"entry": one["sequence"], "rolls": [roll[0] for roll in one["rolls"]]} for one in bodies]
    return {"moves": moves} if moves else json.loads(text)


def chains_of(file):
    """The chains of links that a file tells: the first one, then those of the renewals. Of a record all are mixed alike."""
    if "chains" in file or list(file) == ["moves"]:
        return file.get("chains", [])
    dice = file.get("dice", file)
    return [{**one, "mixed": dice.get("mixed", {})} for one in (dice, *dice.get("renewals", []))]


def of_record(record):
    """The rolls that a Grand Campaign's record gives; other titles' dice stand in the list of rolls."""
    scenario, dice = record["scenario"], record["dice"]
    chain = {purpose: n for n, renewal in enumerate(dice.get("renewals", []), 1) for purpose in renewal["purposes"]}
    last = {purpose.split("/")[0]: n for purpose, n in chain.items()}  # a turn mixed twice has the last mixture here
    own = {"nations": range(6)} if isinstance(scenario, str) else scenario
    nations, die = len(own["nations"]), own.get("rules", {}).get("die", 100)
    for purpose, rolled in dice.get("fixed", {}).items() if record["format"].startswith("grand-campaign") else ():
        link = int((re.match(r"turn-(\d+)/", purpose) or "00")[1])
        if "/spy/" not in purpose and "seed" not in dice:  # a spy's die is the other's hand; beside a seed, it came by hand
            sides = nations if purpose == "start" else 6 if purpose.endswith("/escort") else die
            n = chain.get(purpose, 0)
            hand = str(link) in dice.get("mixed", {}) and n < last.get(purpose.split("/")[0], 0)
            yield {"purpose": purpose, "sides": sides, "value": rolled, "link": link, "chain": n, "hand": hand}


def chain_faults(where, shown):
    """What is wrong with one chain, by all files; then its longest list of links, and its commitments."""
    links = max((one.get("links", []) for one in shown), key=len)
    hashes, commitments = [sha256(link) for link in links], {one["commitment"] for one in shown if "commitment" in one}
    yield from (f"{where}link 0 does not belong to the commitment {one}" for one in commitments if links and hashes[0] != one)
    yield from (f"{where}link {n} does not belong to link {n - 1}" for n in range(1, len(links)) if hashes[n] != links[n - 1])
    if any(links and sha256(one["seed"]) != links[-1] for one in shown if "seed" in one):
        yield f"{where}the seed does not belong to the last link"
    return links, commitments | set(hashes[:1])


def faults(files, promised):
    every = [chains_of(file) for file in files]
    chains, mixed, kept = [], [], set()
    for n in range(max(map(len, every))):
        shown = [one[n] for one in every if n < len(one)]
        links, commitments = yield from chain_faults(f"renewal {n}: " if n else "", shown)
        chains, kept = [*chains, links], kept | commitments
        mixed.append({int(turn): texts for one in reversed(shown) for turn, texts in one.get("mixed", {}).items()})
    yield from (f"no links belong to the commitment {one}" for one in promised if one not in kept)
    rolls = [roll for file in files for roll in file.get("rolls") or (of_record(file) if "scenario" in file else [])]
    known, done, by_hand = {}, set(), set()
    for roll in rolls:
        purpose, n = roll["purpose"], min(roll.get("chain", 0), len(chains) - 1)
        links, content = chains[n], (roll["value"], roll["sides"], roll["link"], roll.get("chain", 0))
        if known.setdefault(purpose, content) != content:
            yield f"{purpose} was rolled twice, with {known[purpose][0]} and {content[0]}"
        if roll["link"] != int((re.match(r"(?:turn|round)-(\d+)/", purpose) or "00")[1]):
            yield f"{purpose} does not belong to link {roll['link']}"
        if roll.get("hand"):
            by_hand.add(purpose)
        elif roll["link"] < len(links):
            done.add(purpose)
            key = key_of(links[roll["link"]], mixed[n].get(roll["link"]))
            if (due := value(key, purpose, roll["sides"])) != roll["value"]:
                yield f"{purpose} gives {due}, not {roll['value']}"
    listed = (move for file in files if "scenario" not in file for move in file.get("moves", []))
    thrown = {purpose: f" of entry {move['entry']}" for move in listed for purpose in move["rolls"]}
    yield from (f"{purpose} was thrown by no entry" for purpose in known if thrown and purpose not in thrown)
    # Who draws in a later turn has drawn in each in which others did: turn-2/card/huns.
    each = {result.groups() for result in (re.fullmatch(r"turn-(\d+)/(card|event)/([\w-]+)", one) for one in known) if result}
    for turn, kind in {result[:2] for result in each}:
        later = {seat for n, same, seat in each if same == kind and int(n) > int(turn)}
        thrown = dict.fromkeys((f"turn-{turn}/{kind}/{seat}" for seat in later), "") | thrown
    yield from (f"{purpose}{entry} is missing" for purpose, entry in sorted(thrown.items()) if purpose not in known)
    waiting, count = len(known.keys() - done - by_hand), sum(map(len, chains))
    print(f"{count} links, {len(known)} rolls: {len(done)} computed, {waiting} await a link, {len(by_hand)} by hand")


if __name__ == "__main__":
    promised = [word for word in sys.argv[1:] if re.fullmatch(r"[0-9a-f]{64}", word)]
    files = [read(name) for name in sys.argv[1:] if name not in promised]
    wrong = list(faults(files, promised)) if any(map(chains_of, files)) else [__doc__]
    print("\n".join(wrong) or "Nothing is wrong.")
    sys.exit(bool(wrong))
