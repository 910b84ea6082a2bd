"""The stored hashes, one file for each title, and the comparison of a run with them."""

from __future__ import annotations

import fcntl
import json
import os
import re
from pathlib import Path
from typing import Any

from tests.frozen import only
from tests.frozen.dom import digest

FOLDER = Path(__file__).with_name("hashes")
SHOWN = 60
GONE = " (gone)"
HINT = (
    "Run it with TABULA_FROZEN_DIR=folder before and after the change and compare the two folders"
    " with diff -r. If the change is meant, write the hashes anew: TABULA_FREEZE=1 script/test"
    " --frozen."
)


def write_texts(title: str, state: str, shown: dict[str, dict[str, dict[str, list[str]]]]) -> None:
    """Write each answer as a text file if TABULA_FROZEN_DIR names a folder."""
    if not (folder := os.environ.get("TABULA_FROZEN_DIR")):
        return
    for language, readers in shown.items():
        for reader, answers in readers.items():
            here = Path(folder) / title / state / language / reader
            here.mkdir(parents=True, exist_ok=True)
            for address, lines in answers.items():
                name = re.sub(r"[^\w.=&?-]+", "_", address).strip("_") or "front"
                (here / f"{name[:140]}.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")


def hold(title: str, state: str, shown: dict[str, dict[str, dict[str, list[str]]]]) -> None:
    """Fail if an answer differs from the stored one, or store it if TABULA_FREEZE is set."""
    write_texts(title, state, shown)
    hashes = {
        language: {
            reader: {address: digest(lines) for address, lines in answers.items()}
            for reader, answers in readers.items()
        }
        for language, readers in shown.items()
    }
    if os.environ.get("TABULA_FREEZE") and not only.is_partial():
        store(title, state, hashes)
        return
    changes = differences(read(title).get(state, {}), hashes)
    if only.is_partial():
        # A form is sent from the first page that has it, which may be left out here.
        changes = [
            change for change in changes if not change.endswith(GONE) and " · POST " not in change
        ]
    if changes:
        listed = "\n".join(f"{title} · {state} · {line}" for line in changes[:SHOWN])
        more = f"\nand {len(changes) - SHOWN} more" if len(changes) > SHOWN else ""
        heading = (
            f"{len(changes)} answers are not as frozen (title · state · reader · language ·"
            " address):"
        )
        raise AssertionError(f"{heading}\n{listed}{more}\n{HINT}")


def differences(stored: Any, shown: Any) -> list[str]:
    """Return reader, language and address of each answer that is different, new or gone."""
    changes = []
    for language in sorted(stored | shown):
        before, after = stored.get(language, {}), shown.get(language, {})
        for reader in sorted(before | after):
            old, new = before.get(reader, {}), after.get(reader, {})
            for address in sorted(old | new):
                if old.get(address) != new.get(address):
                    kind = (
                        ""
                        if address in old and address in new
                        else " (new)"
                        if address in new
                        else GONE
                    )
                    changes.append(f"{reader} · {language} · {address}{kind}")
    return changes


def read(title: str) -> dict[str, Any]:
    """Return the stored hashes of a title, by state."""
    file = FOLDER / f"{title}.json"
    return dict(json.loads(file.read_text("utf-8"))) if file.exists() else {}


def store(title: str, state: str, hashes: Any) -> None:
    """Replace the stored hashes of a state; two processes may do so at the same time."""
    FOLDER.mkdir(exist_ok=True)
    with (FOLDER / ".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        write(title, {**read(title), state: hashes})


def write(title: str, states: dict[str, Any]) -> None:
    """Write the file of a title."""
    text = json.dumps(states, indent=0, sort_keys=True, ensure_ascii=False)
    (FOLDER / f"{title}.json").write_text(text + "\n", encoding="utf-8")
