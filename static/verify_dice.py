"""Checks a campaign's dice without its server: python verify_dice.py FILE.json … [COMMITMENT …]

A FILE is the campaign's list of rolls or its record, both from its page "Dice". COMMITMENT is what was posted before the
dice fell, the first one and that of each renewal: take it from the forum, so that no file can lie about it. Ends with 0 if
nothing is wrong, else with 1.
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


def mixed_link(link, mixture):
    """The key of a turn into which words or a public draw were mixed."""
    text = json.dumps(mixture, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return sha256(f"{link}\n{text}")


def chains_of(file):
    """The chains of links that a file tells: the first one, then those of the renewals."""
    if "chains" in file:
        return file["chains"]
    dice = file.get("dice", file)
    return [{**dice, **({"commitment": file["commitment"]} if "commitment" in file else {})}, *dice.get("renewals", [])]


def of_record(record):
    """The rolls that a Grand Campaign's record gives; other titles' dice stand in the list of rolls."""
    scenario, dice = record["scenario"], record["dice"]
    fixed, renewals = dice.get("fixed", {}), dice.get("renewals", [])
    chain = {purpose: n for n, renewal in enumerate(renewals, 1) for purpose in renewal["purposes"]}
    named = isinstance(scenario, str)
    nations, die = (6, 100) if named else (len(scenario["nations"]), scenario.get("rules", {}).get("die", 100))
    for purpose, rolled in fixed.items() if record["format"].startswith("grand-campaign") else ():
        turn = re.match(r"turn-(\d+)/", purpose)
        if "/spy/" not in purpose and "seed" not in dice:  # a spy's die is the other's hand; beside a seed, it came by hand
            sides = nations if purpose == "start" else 6 if purpose.endswith("/escort") else die
            link = int(turn[1]) if turn else 0
            yield {"purpose": purpose, "sides": sides, "value": rolled, "link": link, "chain": chain.get(purpose, 0)}


def chain_faults(where, told):
    """What is wrong with one chain, by all files; then its links, the longest list there is, and its commitments."""
    links = max((one.get("links", []) for one in told), key=len)
    hashes, wrong = [sha256(link) for link in links], []
    commitments = {one["commitment"] for one in told if "commitment" in one}
    wrong += [f"{where}link 0 does not belong to the commitment {one}" for one in commitments if links and hashes[0] != one]
    wrong += [f"{where}link {n} does not belong to link {n - 1}" for n in range(1, len(links)) if hashes[n] != links[n - 1]]
    if any(links and sha256(one["seed"]) != links[-1] for one in told if "seed" in one):
        wrong.append(f"{where}the seed does not belong to the last link")
    return wrong, links, commitments | set(hashes[:1])


def faults(files, promised):
    every = [chains_of(file) for file in files]
    chains, kept = [], set()
    for n in range(max(map(len, every))):
        wrong, links, commitments = chain_faults(f"renewal {n}: " if n else "", [one[n] for one in every if n < len(one)])
        yield from wrong
        chains.append(links)
        kept |= commitments
    yield from (f"no links belong to the commitment {one}" for one in promised if one not in kept)
    rolls = [roll for file in files for roll in (file["rolls"] if "rolls" in file else of_record(file))]
    mixed = {int(turn): one for file in files for turn, one in file.get("dice", file).get("mixed", {}).items()}
    known, done, by_hand = {}, set(), set()
    for roll in rolls:
        purpose, links = roll["purpose"], chains[min(roll.get("chain", 0), len(chains) - 1)]
        said = (roll["value"], roll["sides"], roll["link"], roll.get("chain", 0))
        if known.setdefault(purpose, said) != said:
            yield f"{purpose} was rolled twice, with {known[purpose][0]} and {said[0]}"
        turn = re.match(r"(?:turn|round)-(\d+)/", purpose)
        if roll["link"] != (int(turn[1]) if turn else 0):
            yield f"{purpose} does not belong to link {roll['link']}"
        if roll.get("hand"):
            by_hand.add(purpose)
        elif roll["link"] < len(links):
            done.add(purpose)
            link = links[roll["link"]]
            key = mixed_link(link, mixed[roll["link"]]) if roll["link"] in mixed else link
            if (due := value(key, purpose, roll["sides"])) != roll["value"]:
                yield f"{purpose} gives {due}, not {roll['value']}"
    # Who draws in a later turn has drawn in each in which others did: turn-2/card/huns.
    each = {found.groups() for found in (re.fullmatch(r"turn-(\d+)/(card|event)/([\w-]+)", one) for one in known) if found}
    for turn, kind in sorted({found[:2] for found in each}):
        later = {seat for n, same, seat in each if same == kind and int(n) > int(turn)}
        yield from (f"turn-{turn}/{kind}/{seat} is missing" for seat in sorted(later) if (turn, kind, seat) not in each)
    waiting, count = len(known.keys() - done - by_hand), sum(map(len, chains))
    print(f"{count} links, {len(known)} rolls: {len(done)} computed, {waiting} await a link, {len(by_hand)} by hand")


if __name__ == "__main__":
    promised = [word for word in sys.argv[1:] if re.fullmatch(r"[0-9a-f]{64}", word)]
    files = [json.loads(Path(name).read_text("utf-8")) for name in sys.argv[1:] if name not in promised]
    wrong = list(faults(files, promised)) if files else [__doc__]
    print("\n".join(wrong) or "Nothing is wrong.")
    sys.exit(bool(wrong))
