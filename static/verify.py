"""Check an audit pack without its server: python verify.py FOLDER [HASH ...] [--rules FOLDER].

FOLDER is the unpacked pack. A HASH is a commitment or the hash of an entry, taken from the forum.

The script relies only on log.jsonl. It checks that
1. each hash covers its entry and the hash before; a removal hides a typed text and nothing else;
2. each roll follows from its purpose and the key of its turn, and the keys fit the commitments;
3. the rules of the game, replayed move by move, need these rolls and no others.
At the end it compares rolls.json with the log. If you do not trust the pack's script and rules/,
take the script and the folders engine/ and games/ from Tabula's repository.
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
    """Return the roll for a purpose and the key of its turn, with which the mixture is hashed."""
    mac = hmac.digest(key.encode(), f"{purpose}#{attempt}".encode(), "sha256")
    x = int.from_bytes(mac[:8], "big")
    # The remainder at the top would favour the low faces: then the next attempt counts.
    return x % sides + 1 if x < 2**64 - 2**64 % sides else draw(key, purpose, sides, attempt + 1)


class Checker:
    """The log, which is read line by line: its facts so far, and its faults."""

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
        """Begin with the terms of a genesis, which may change until the first move."""
        from games.replaying import Replay

        self.genesis, self.replay, self.chains = json.loads(text), Replay(text), []
        self.chance, self.mixing, self.used = self.genesis.get("chance", ""), {}, set()
        self.given = self.genesis.get("given", {})  # dice entered by hand, by purpose

    def check(self, is_right, text):
        self.faults += [] if is_right else [f"{self.where}: {text}"]

    def check_log(self):
        before = ""
        for place, line in enumerate(self.lines):
            self.where, body = f"entry {place}", line["body"]
            self.numbers += [place - self.numbers.count(None) if body["audience"] is None else None]
            true = line["hash"] == sha256(f"{before}\n{canonical(body)}")
            self.check(true, "its hash does not match its text, its rolls or the previous entry")
            self.check(body["sequence"] == place, "it is misplaced, or one is missing before it")
            before, what = line["hash"], json.loads(body["what"])
            self.check_texts(place, line, what)
            if body["kind"] == "move":
                self.check_move(place, body)
            else:
                self.check(body["kind"] == "table" and not body["rolls"], "only moves have rolls")
                self.check(place or what["act"] == "genesis", "entry 0 must found the campaign")
                self.check_act(place, body, what)
        self.check(not self.removed, f"no entry records the removal of texts from {self.removed}")

    def check_texts(self, place, line, what):
        """Check that each salted hash has its text beside the entry, unless that was removed."""
        hashes = [] if what.get("act") in ("genesis", "mix") else TEXT.findall(line["body"]["what"])
        texts = line.get("texts", {}).values()
        if "removed" in line:
            self.removed.add(place)
            print(f"entry {place}: a text was removed on {line['removed']}. The rest is unchanged.")
            return self.check(hashes and not texts, "the removal hides nothing or too much")
        true = sorted(sha256(f"{line.get('salt')}\n{text}") for text in texts)
        return self.check(sorted(hashes) == true, "a text differs from the one that was typed")

    def check_move(self, place, body):
        for roll in body["rolls"]:
            self.check_roll(place, *roll[:4])
        due = self.replay.play(place, body["what"], {roll[0]: roll[2] for roll in body["rolls"]})
        self.check(due == (body["seat"], body["audience"], body["rolls"]), f"the rules need {due}")

    def check_act(self, place, body, what):
        name, how, target = what["act"], what.get("how"), body["target"]
        if name == "genesis":
            before = {line["body"]["kind"] for line in self.lines[:place]}
            self.check("move" not in before, "the terms were changed after the first move")
            self.begin(body["what"])
        if name in ("genesis", "renew"):
            true = how is None or (self.genesis.get("imported") and len(self.chains) == 1)
            self.check(true, "the dice are renewed for an import, but there was none")
            self.renew(what, self.replay.links_due)
        elif name in ("undo", "restore"):
            self.turn_back(place, body, what)
        elif name == "mix":
            self.mix(body, what)
        elif name == "die" and how in ("by-hand", "by-program"):
            self.by_hand = how == "by-hand"
        elif name == "die" and how == "given":
            self.check(what["purpose"] not in {*self.thrown, *self.given}, "it was thrown before")
            self.given[what["purpose"]] = what["value"]
        elif name == "host" and how == "removed" and target is not None:
            self.check(target in self.removed, f"entry {target} has no removed text")
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
        self.check(named == self.numbers[target], "the entry that it names is not its target")
        self.struck[place] = [at for at in moves if at not in stay]
        rolls = {key: row["value"] for key, row in self.thrown.items()}
        self.replay.put_in_force(stay, self.moves, rolls)
        behind = what["act"] == "undo" and self.replay.links_due < due and body["audience"] is None
        self.check(("commitment" in what) == behind, "it must renew the dice, or must not")
        if "commitment" in what:
            self.renew(what, due)

    def renew(self, what, due):
        """Begin a new chain of keys. Published keys of earlier chains stay published."""
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
        self.check(true, "this cannot be mixed into the dice at this point")

    def mixture(self, chain, link):
        """Return the stage of a key and its mixture. The stage of the start also serves turn 1."""
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
        self.check(first in (None, row), f"{purpose} has already been thrown: {first}")
        if due is None:
            stage, mixture = self.mixture(chain, link)
            self.check(stage, f"{purpose} was thrown without its words or its draw")
            self.check(first or not self.by_hand, f"no one has entered {purpose}")
            self.used.add(stage)
            key = (self.chains[chain]["links"][link : link + 1] or [None])[0]
            self.waiting += key is None and first is None
            key = sha256(f"{key}\n{canonical(mixture)}") if key and mixture else key
            due = draw(key, purpose, sides) if key else value
        self.check(value == due, f"{purpose} gives {due}, not {value}")

    def check_list(self):
        """Check that keys fit their commitments, and that the list of rolls equals the log."""
        for n, chain in enumerate(self.chains):
            self.where, before = f"chain {n}", chain["commitment"]
            for link in chain["links"]:
                self.check(sha256(link) == before, f"the key {link} does not lead to {before}")
                before = link
            due = max(chain.pop("due"), self.replay.links_due)
            self.check(len(chain["links"]) == due, f"exactly {due} of its keys must be published")
            mixed = {at: self.mixture(n, at)[1] for of, at in [*self.mixing, (n, 1)] if of == n}
            mixed = {str(at): texts for at, texts in mixed.items() if texts}
            chain |= {"mixed": mixed} if self.chance else {}
        force, listed = {*self.replay.in_force}, self.listed
        for place, row in self.rolls:
            row |= {"entry": self.numbers[place], "struck": place not in force}
        own = [*self.chains, *(row for _place, row in self.rolls)]
        own += [self.replay.title.key, self.genesis.get("imported", False)]
        given = [*listed["chains"], *listed["rolls"], listed["title"], listed["imported"]]
        self.where, own, given = "rolls.json", [*map(canonical, own)], [*map(canonical, given)]
        self.check(len(own) == len(given), "a row is missing, or is listed twice")
        for text in sorted({*own} ^ {*given}):
            self.check(False, f"{text} is only in the {'log' if text in own else 'list'}")


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
        checker.check(False, f"cannot be read or replayed; the rest was not checked: {error!r}")
    for chain in checker.chains:
        print(f"entry {chain['entry']} has the commitment {chain['commitment']}")
    print(f"{len(checker.thrown)} rolls; {checker.waiting} wait for the key of their turn")
    print(f"{len(checker.lines)} entries, the last hash is {checker.lines[-1]['hash']}")
    known = {row["hash"] for row in checker.lines} | {row["commitment"] for row in checker.chains}
    checker.faults += [f"the log does not have {h}" for h in given.hashes if h not in known]
    print("\n".join(checker.faults) or "No faults were found.")
    return int(bool(checker.faults))


if __name__ == "__main__":
    sys.exit(main())
