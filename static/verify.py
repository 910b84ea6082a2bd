"""Checks an audit pack without its server: python verify.py FOLDER [HASH ...] [--rules FOLDER]

FOLDER is the unpacked pack. A HASH is a commitment or the hash of an entry, taken from the forum.

The script relies on log.jsonl alone. It checks that
1. each hash covers its entry and the hash before; a removal hides a typed text and nothing else;
2. each roll follows from its purpose and the link of its turn. Its chain, words, draw, and whether
   it was entered by hand come from the log. The links lead to the commitments in the log;
3. the rules of the game, replayed move by move, need these rolls and no others.
At the end it compares rolls.json with the log. If you do not trust the script and the folder rules/
of the pack, take the script and the folders engine/ and games/ from Tabula's repository.
"""

import argparse
import hashlib
import hmac
import json
import re
import sys
from datetime import datetime
from pathlib import Path

moment = datetime.fromisoformat
TEXT = re.compile('"(?:headline|line|reason|text|url|word)":"sha256:([0-9a-f]{64})"')


def sha256(text):
    return hashlib.sha256(text.encode()).hexdigest()


def canonical(value):
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def draw(key, purpose, sides, attempt=0):
    """Return the roll for a purpose and a key: the link of its turn, with the turn's mixture."""
    mac = hmac.digest(key.encode(), f"{purpose}#{attempt}".encode(), "sha256")
    x = int.from_bytes(mac[:8], "big")
    # The numbers left over at the top would favour the low faces: then the next attempt counts.
    return x % sides + 1 if x < 2**64 - 2**64 % sides else draw(key, purpose, sides, attempt + 1)


class Checker:
    """The log, read line by line: its facts so far, and its faults."""

    def __init__(self, folder, rules):
        log = (folder / "log.jsonl").read_text("utf-8")
        self.lines = [json.loads(line) for line in log.split("\n") if line]
        self.listed = json.loads((folder / "rolls.json").read_text("utf-8"))
        self.where, self.numbers, self.chains, self.removed, self.faults = "", [], [], set(), []
        self.thrown, self.rolls, self.struck, self.by_hand, self.waiting = {}, [], {}, False, 0
        self.moves = {place: line["body"]["what"] for place, line in enumerate(self.lines)}
        sys.path.insert(0, str(rules))
        self.begin(self.moves[0])

    def begin(self, text):
        """Begin with the terms of a genesis. They may change until the first move."""
        from games.replaying import Replay

        self.genesis, self.replay, self.chains = json.loads(text), Replay(text), []
        self.chance, self.mixing, self.used = self.genesis.get("chance", ""), {}, set()
        self.given = self.genesis.get("given", {})  # dice entered by hand, by purpose

    def must(self, true, text):
        self.faults += [] if true else [f"{self.where}: {text}"]

    def check_log(self):
        before = ""
        for place, line in enumerate(self.lines):
            self.where, body = f"entry {place}", line["body"]
            self.numbers += [place - self.numbers.count(None) if body["audience"] is None else None]
            true = line["hash"] == sha256(f"{before}\n{canonical(body)}")
            self.must(true, "its hash does not fit its words, its rolls, or the entry before")
            self.must(body["sequence"] == place, "it is another entry, or one is missing before it")
            before, what = line["hash"], json.loads(body["what"])
            self.check_texts(place, line, what)
            if body["kind"] == "move":
                self.check_move(place, body)
            else:
                self.must(body["kind"] == "table" and not body["rolls"], "only a move throws dice")
                self.must(place or what["act"] == "genesis", "a campaign begins with its terms")
                self.check_act(place, body, what)
        self.must(not self.removed, f"no entry says that texts were removed of {self.removed}")

    def check_texts(self, place, line, what):
        """Check that each salted hash has its text beside the entry, unless that was removed."""
        hashes = [] if what.get("act") in ("genesis", "mix") else TEXT.findall(line["body"]["what"])
        texts = line.get("texts", {}).values()
        if "removed" in line:
            self.removed.add(place)
            print(f"entry {place}: a text was removed on {line['removed']}. The rest is as it was.")
            return self.must(hashes and not texts, "a removal hides more than a text, or nothing")
        true = sorted(sha256(f"{line.get('salt')}\n{text}") for text in texts)
        return self.must(sorted(hashes) == true, "a text is not the one that was typed")

    def check_move(self, place, body):
        for roll in body["rolls"]:
            self.check_roll(place, *roll[:4])
        due = self.replay.play(place, body["what"], {roll[0]: roll[2] for roll in body["rolls"]})
        self.must(due == (body["seat"], body["audience"], body["rolls"]), f"the rules need {due}")

    def check_act(self, place, body, what):
        name, how, target = what["act"], what.get("how"), body["target"]
        if name == "genesis":
            before = {line["body"]["kind"] for line in self.lines[:place]}
            self.must("move" not in before, "after the first move a campaign gets no other terms")
            self.begin(body["what"])
        if name in ("genesis", "renew"):
            true = how is None or (self.genesis.get("imported") and len(self.chains) == 1)
            self.must(true, "dice are renewed for an import that was none")
            self.renew(what, self.replay.links_due)
        elif name in ("undo", "restore"):
            self.turn_back(place, body, what)
        elif name == "mix":
            self.mix(body, what)
        elif name == "die" and how in ("by-hand", "by-program"):
            self.by_hand = how == "by-hand"
        elif name == "die" and how == "given":
            self.must(what["purpose"] not in {*self.thrown, *self.given}, "it was thrown before")
            self.given[what["purpose"]] = what["value"]
        elif name == "host" and how == "removed" and target is not None:
            self.must(target in self.removed, f"entry {target} has no removed text")
            self.removed.discard(target)

    def turn_back(self, place, body, what):
        """Strike the moves of an undo, or put the moves of a restoration back in force."""
        moves, target, due = self.replay.in_force, body["target"], self.replay.links_due
        if what["act"] == "restore":
            stay = sorted(moves + self.struck.pop(target))
        elif what.get("own"):
            other = {at for at in moves if self.lines[at]["body"]["seat"] != body["seat"]}
            stay = [at for at in moves if at < target or at in other]
        else:
            stay = [at for at in moves if at <= target]
        named = what.get("after", what.get("undo", self.numbers[target]))
        self.must(named == self.numbers[target], "it names another entry than it means")
        self.struck[place] = [at for at in moves if at not in stay]
        self.replay.stand(stay, self.moves, {key: row["value"] for key, row in self.thrown.items()})
        behind = what["act"] == "undo" and self.replay.links_due < due and body["audience"] is None
        self.must(("commitment" in what) == behind, "it renews dice, or it has to renew them")
        if "commitment" in what:
            self.renew(what, due)

    def renew(self, what, due):
        """Begin a new chain of links. Published links of earlier chains stay published."""
        self.chains = [{**chain, "due": max(chain["due"], due)} for chain in self.chains]
        links = self.listed["chains"][len(self.chains) :][:1] or [{"links": []}]
        chain = {"commitment": what["commitment"], "entry": self.numbers[-1], "due": 0}
        self.chains.append({**chain, "links": links[0]["links"]})

    def mix(self, body, what):
        """Add players' words or a public draw to the dice of a turn, before its first roll."""
        stage, how, at = (what["chain"], what["turn"]), what["how"], moment(body["at"])
        known = self.mixing.setdefault(stage, {"words": {}})
        true = self.chance in ("both", "words" if how in ("words", "closed") else "draw")
        if how not in ("objected", "confirmed", "refuted"):  # these change no dice
            true = true and stage not in self.used and stage[0] == len(self.chains) - 1
        if how == "words":
            late = {what["seat"], "closed", "drawn"} & {*known, *known["words"]}
            true = true and not late and what["seat"] == body["seat"]
            known["words"][what["seat"]] = what["text"]
        elif how == "named":
            known["falls"] = moment(what["falls"])
            true = true and at < known["falls"]
        elif how == "drawn":
            true = true and "falls" in known and known["falls"] <= at
            known["drawn"] = what["text"]
        elif how in ("closed", "without"):
            known[how] = True
        self.must(true, "this cannot be mixed into the dice, or not now")

    def mixture(self, chain, link):
        """Return the stage of a link and its mixture. The stage of the start also serves turn 1."""
        known = self.mixing.get((chain, link), {})
        ready = "closed" in known or self.chance not in ("words", "both")
        if not ready or (self.chance in ("draw", "both") and not {"drawn", "without"} & {*known}):
            return self.mixture(chain, 0) if link == 1 else (None, {})
        parts = {"phrases": known.get("words"), "draw": known.get("drawn")}
        return (chain, link), {name: part for name, part in parts.items() if part}

    def check_roll(self, place, purpose, sides, value, link):
        first, due = self.thrown.get(purpose), self.given.get(purpose)
        chain = first["chain"] if first else len(self.chains) - 1
        row = {"purpose": purpose, "sides": sides, "value": value, "link": link, "chain": chain}
        row |= {} if due is None else {"hand": True}
        self.thrown[purpose] = row
        self.rolls.append((place, row))
        self.must(first in (None, row), f"{purpose} was thrown before: {first}")
        if due is None:
            stage, mixture = self.mixture(chain, link)
            self.must(stage, f"{purpose} was thrown before its words or its draw were there")
            self.must(first or not self.by_hand, f"{purpose} was entered by no one")
            self.used.add(stage)
            key = (self.chains[chain]["links"][link : link + 1] or [None])[0]
            self.waiting += key is None and first is None
            key = sha256(f"{key}\n{canonical(mixture)}") if key and mixture else key
            due = draw(key, purpose, sides) if key else value
        self.must(value == due, f"{purpose} gives {due}, not {value}")

    def check_list(self):
        """Check that links lead to their commitments, and that the list of rolls equals the log."""
        for n, chain in enumerate(self.chains):
            self.where, before = f"chain {n}", chain["commitment"]
            for link in chain["links"]:
                self.must(sha256(link) == before, f"its links do not lead from {link} to {before}")
                before = link
            due = max(chain.pop("due"), self.replay.links_due)
            self.must(len(chain["links"]) == due, f"{due} of its links are published, not these")
            mixed = {at: self.mixture(n, at)[1] for of, at in [*self.mixing, (n, 1)] if of == n}
            mixed = {str(at): texts for at, texts in mixed.items() if texts}
            chain |= {"mixed": mixed} if self.chance else {}
        force, listed = {*self.replay.in_force}, self.listed
        for place, row in self.rolls:
            row |= {"entry": self.numbers[place], "struck": place not in force}
        ours = [*self.chains, *(row for _place, row in self.rolls)]
        ours += [self.replay.title.key, self.genesis.get("imported", False)]
        theirs = [*listed["chains"], *listed["rolls"], listed["title"], listed["imported"]]
        self.where, ours, theirs = "rolls.json", [*map(canonical, ours)], [*map(canonical, theirs)]
        self.must(len(ours) == len(theirs), "something is missing, or is listed twice")
        for text in sorted({*ours} ^ {*theirs}):
            self.must(False, f"{text} is only in the {'log' if text in ours else 'list'}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    parser.add_argument("hashes", nargs="*")
    parser.add_argument("--rules", type=Path)
    given = parser.parse_args()
    try:
        checker = Checker(given.folder, given.rules or given.folder / "rules")
    except (OSError, ValueError, LookupError, ImportError) as error:
        return f"{given.folder} is not an unpacked pack with a folder rules/: {error!r}"
    try:
        checker.check_log()
        checker.check_list()
    except Exception as error:  # a forged file may cause any error
        checker.must(False, f"cannot be read or replayed; what follows is not checked: {error!r}")
    for chain in checker.chains:
        print(f"entry {chain['entry']} promises {chain['commitment']}")
    print(f"{len(checker.thrown)} rolls, of which {checker.waiting} await their link")
    print(f"{len(checker.lines)} entries, the last hash is {checker.lines[-1]['hash']}")
    known = {row["hash"] for row in checker.lines} | {row["commitment"] for row in checker.chains}
    checker.faults += [f"the log does not have {one}" for one in given.hashes if one not in known]
    print("\n".join(checker.faults) or "Nothing is wrong.")
    return int(bool(checker.faults))


if __name__ == "__main__":
    sys.exit(main())
