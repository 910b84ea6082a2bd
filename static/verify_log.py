"""Checks the log of an audit pack without its server: python verify_log.py [log.jsonl [rolls.json]]

Each entry's hash covers all that was said and thrown, by whom and when, and the hash of the entry before: nothing can be
changed, left out or put in between without every later hash being another. Compare the last hash with one that was posted.
With the list of rolls each of them must stand in the entry that it names, and each that an entry threw in the list.

Where the host's moderator has removed a text, the entry stands with what readers see in its place. Its own hash covers the text
and cannot be worked from here; it is taken as it stands, and the entries after it hang from it. A later entry must say that the
text was removed, and name the SHA-256 of the entry as it stands: so nobody else can have put words into it.
"""

# ruff: noqa: T201
import hashlib
import json
import sys
from pathlib import Path


def rolls_of(name):
    """What the list of rolls says: of each entry its rolls, as the log writes them."""
    listed = json.loads(Path(name).read_text("utf-8"))["rolls"]
    return {(roll["entry"], roll["purpose"], roll["sides"], roll["value"], roll["link"]) for roll in listed}


def main(name, rolls=None):
    before, number, thrown, removed, allowed = "", -1, set(), {}, {}
    for place, line in enumerate(Path(name).read_text("utf-8").splitlines()):
        entry = json.loads(line)
        text = json.dumps(entry["body"], sort_keys=True, separators=(",", ":"), ensure_ascii=False)
        if entry["body"]["sequence"] != place:
            return f"entry {place} is missing"
        if "removed" in entry:
            removed[place] = (entry["removed"], hashlib.sha256(text.encode()).hexdigest())
        elif hashlib.sha256(f"{before}\n{text}".encode()).hexdigest() != entry["hash"]:
            return f"entry {place}: its hash does not fit its words, its rolls, or the entry before"
        what = json.loads(entry["body"]["what"])
        if (what.get("act"), what.get("how")) == ("host", "removed") and "shown" in what:
            allowed[entry["body"]["target"]] = what["shown"]
        before = entry["hash"]
        number += entry["body"]["audience"] is None
        shown = number if entry["body"]["audience"] is None else None  # an entry that only some may see has no number
        thrown |= {(shown, *roll[:4]) for roll in entry["body"]["rolls"]}
        count = place + 1
    for place, (day, digest) in removed.items():
        if allowed.get(place) != digest:
            return f"entry {place}: it is marked as having a removed text, and no later entry says so of it as it stands"
        print(f"entry {place}: a text was removed on {day}. Its own hash cannot be checked; a later entry names it as it stands.")
    if rolls is not None and thrown != rolls:
        entry, purpose, *_rest = min(thrown ^ rolls, key=str)
        return f"entry {entry}: {purpose} is not the same in the list and in the log"
    print(f"{count} entries, the last hash is {before}")
    return ""


if __name__ == "__main__":
    rolls = rolls_of(sys.argv[2]) if len(sys.argv) > 2 else None
    wrong = main(sys.argv[1] if len(sys.argv) > 1 else "log.jsonl", rolls)
    print(wrong or "Nothing is wrong.")
    sys.exit(bool(wrong))
