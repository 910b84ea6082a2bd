"""Checks a campaign's dice without its server: python verify_dice.py FILE.json … [COMMITMENT]

A FILE is the campaign's list of rolls or its record, both from its page "Dice". COMMITMENT is what was posted before the
first roll: take it from the forum, so that no file can lie about it. Ends with 0 if nothing is wrong, else with 1.
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


def of_record(record):
    """The rolls that a Grand Campaign's record gives; other titles' dice stand in the list of rolls."""
    scenario, fixed = record["scenario"], record["dice"].get("fixed", {})
    named = isinstance(scenario, str)
    nations, die = (6, 100) if named else (len(scenario["nations"]), scenario.get("rules", {}).get("die", 100))
    for purpose, rolled in fixed.items() if record["format"].startswith("grand-campaign") else ():
        turn = re.match(r"turn-(\d+)/", purpose)
        if "/spy/" not in purpose:  # its die is the other's hand
            sides = nations if purpose == "start" else 6 if purpose.endswith("/escort") else die
            yield {"purpose": purpose, "sides": sides, "value": rolled, "link": int(turn[1]) if turn else 0}


def faults(files, promised):
    links = max((file.get("dice", file).get("links", []) for file in files), key=len)
    rolls = [roll for file in files for roll in (file["rolls"] if "rolls" in file else of_record(file))]
    chain = [sha256(link) for link in links]
    for commitment in {file["commitment"] for file in files if "commitment" in file} | set(promised):
        if links and chain[0] != commitment:
            yield f"link 0 does not belong to the commitment {commitment}"
    yield from (f"link {n} does not belong to link {n - 1}" for n in range(1, len(links)) if chain[n] != links[n - 1])
    for seed in (file["dice"]["seed"] for file in files if "seed" in file.get("dice", {})):
        if links and sha256(seed) != links[-1]:
            yield "the seed does not belong to the last link"
    known, done, by_hand = {}, set(), set()
    for roll in rolls:
        purpose, said = roll["purpose"], (roll["value"], roll["sides"], roll["link"])
        if known.setdefault(purpose, said) != said:
            yield f"{purpose} was rolled twice, with {known[purpose][0]} and {said[0]}"
        turn = re.match(r"(?:turn|round)-(\d+)/", purpose)
        if roll["link"] != (int(turn[1]) if turn else 0):
            yield f"{purpose} does not belong to link {roll['link']}"
        if roll.get("hand"):
            by_hand.add(purpose)
        elif roll["link"] < len(links):
            done.add(purpose)
            if (due := value(links[roll["link"]], purpose, roll["sides"])) != roll["value"]:
                yield f"{purpose} gives {due}, not {roll['value']}"
    # Who draws in a later turn has drawn in each in which others did: turn-2/card/huns.
    each = {found.groups() for found in (re.fullmatch(r"turn-(\d+)/(card|event)/([\w-]+)", one) for one in known) if found}
    for turn, kind in sorted({found[:2] for found in each}):
        later = {seat for n, same, seat in each if same == kind and int(n) > int(turn)}
        yield from (f"turn-{turn}/{kind}/{seat} is missing" for seat in sorted(later) if (turn, kind, seat) not in each)
    waiting = len(known.keys() - done - by_hand)
    print(f"{len(links)} links, {len(known)} rolls: {len(done)} computed, {waiting} await a link, {len(by_hand)} by hand")


if __name__ == "__main__":
    promised = [word for word in sys.argv[1:] if re.fullmatch(r"[0-9a-f]{64}", word)]
    files = [json.loads(Path(name).read_text("utf-8")) for name in sys.argv[1:] if name not in promised]
    wrong = list(faults(files, promised)) if files else [__doc__]
    print("\n".join(wrong) or "Nothing is wrong.")
    sys.exit(bool(wrong))
