"""Checks the log of an audit pack without its server: python verify_log.py [log.jsonl]

Each entry's hash covers all that was said and thrown, by whom and when, and the hash of the entry before: nothing can be
changed, left out or put in between without every later hash being another. Compare the last hash with one that was posted.
"""

# ruff: noqa: T201
import hashlib
import json
import sys
from pathlib import Path


def main(name):
    before = ""
    for place, line in enumerate(Path(name).read_text("utf-8").splitlines()):
        entry = json.loads(line)
        text = json.dumps(entry["body"], sort_keys=True, separators=(",", ":"), ensure_ascii=False)
        if entry["body"]["sequence"] != place:
            return f"entry {place} is missing"
        if hashlib.sha256(f"{before}\n{text}".encode()).hexdigest() != entry["hash"]:
            return f"entry {place}: its hash does not fit its words, its rolls, or the entry before"
        before = entry["hash"]
    print(f"{place + 1} entries, the last hash is {before}")
    return ""


if __name__ == "__main__":
    wrong = main(sys.argv[1] if len(sys.argv) > 1 else "log.jsonl")
    print(wrong or "Nothing is wrong.")
    sys.exit(bool(wrong))
