"""The notation of playthroughs: one statement a line.

# a comment with the story
seed TEXT                                   the dice that are not rolled below
roll turn-1/card/huns 13 (spy)              a roll as it fell; text in brackets is for the
reader
start · next turn                           the game master opens a turn
huns: MOVE                                  a nation's move, see `MOVES`
gm for huns: MOVE                           the same, made by the game master
result 3 routed 20 50 | winner attacker | called off | naval draw
forfeit 3 attacker
adjust huns income +25 because REASON       the four corrections
`owner gallaecia vandals|nobody because REASON`
give huns spy because REASON · discard huns spy because REASON
refused CODE: LINE                          the line is refused with this code, and nothing happens
= …                                         what must hold here, see `test_playthroughs`
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, NamedTuple

MOVES = {
    "build": ["structure"],
    "fortify": ["province"],
    "fleet": ["province"],
    "offer": ["card"],
    "tax-exemption": [],
    "tax-increase": [],
    "barracks": [],
    "siege-train": [],
    "provincial-levy": [],
    "end-slot": [],
}
KINDS = {"land": "land", "amphibious": "amphibious", "covert": "independent"}


class Step(NamedTuple):
    """A line of the file.

    It is a move in record form, with the code of its refusal if any, or an assertion.
    """

    number: int
    text: str
    move: dict[str, Any] | None = None
    refused: str = ""
    holds: str = ""


class Playthrough(NamedTuple):
    seed: str
    rolls: dict[str, int]
    steps: list[Step]

    def record(self, scenario: str) -> dict[str, Any]:
        """The campaign record: the moves that were not refused."""
        moves = [step.move for step in self.steps if step.move is not None and not step.refused]
        return {
            "format": "grand-campaign/1",
            "scenario": scenario,
            "dice": {"seed": self.seed, "fixed": self.rolls},
            "moves": moves,
        }


def read(path: Path) -> Playthrough:
    seed, rolls, steps = "", {}, []
    for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
        text = line.partition("#")[0].strip()
        if not text:
            continue
        word, _, rest = text.partition(" ")
        if word == "seed":
            seed = rest
        elif word == "roll":
            purpose, value = re.sub(r"\(.*?\)", "", rest).split()
            rolls[purpose] = int(value)
        elif word == "=":
            steps.append(Step(number, text, holds=rest))
        elif word == "refused":
            code, _, content = rest.partition(": ")
            steps.append(Step(number, text, move(content), refused=code))
        else:
            steps.append(Step(number, text, move(text)))
    return Playthrough(seed, rolls, steps)


def move(text: str) -> dict[str, Any]:
    """The move of a line, in record form."""
    text, _, reason = text.partition(" because ")
    who, colon, content = text.partition(": ")
    if not colon:
        return _masters(text.split(), reason)
    head = (
        {"by": "gm", "for": who.removeprefix("gm for ")}
        if who.startswith("gm for ")
        else {"by": who}
    )
    return {**head, **_nations(content.split())}


def _masters(words: list[str], reason: str) -> dict[str, Any]:
    name, rest = words[0], words[1:]
    created: dict[str, Any]
    if name == "start" or (name, rest) == ("next", ["turn"]):
        created = {"move": "start" if name == "start" else "open-turn"}
    elif name == "result":
        created = {"move": "report", "attack": int(rest[0]), **_result(rest[1:])}
    elif name == "forfeit":
        created = {"move": "forfeit", "attack": int(rest[0]), "side": rest[1]}
    elif name == "adjust":
        created = {
            "move": "adjust",
            "nation": rest[0],
            "account": rest[1],
            "change": int(rest[2]),
            "reason": reason,
        }
    elif name == "owner":
        created = {
            "move": "set-owner",
            "province": rest[0],
            "owner": None if rest[1] == "nobody" else rest[1],
            "reason": reason,
        }
    elif name in ("give", "discard"):
        created = {"move": f"{name}-card", "nation": rest[0], "card": rest[1], "reason": reason}
    else:
        raise ValueError(" ".join(words))
    return {"by": "gm", **created}


def _result(words: list[str]) -> dict[str, Any]:
    if words[0] == "routed":
        return {"routed": {"attacker": float(words[1]), "defender": float(words[2])}}
    if words == ["called", "off"]:
        return {"called_off": True}
    return {words[0]: words[1]}


def _nations(words: list[str]) -> dict[str, Any]:
    name, rest = words[0], words[1:]
    if name in MOVES:
        return {"move": name, **dict(zip(MOVES[name], rest, strict=True))}
    if name == "attack":
        kind, source, arrow, target, *more = rest
        assert arrow == ">"
        return {
            "move": "attack",
            "kind": KINDS[kind],
            "from": source,
            "target": target,
            **_with(more),
        }
    if name == "answer":
        number, choice, *more = rest
        return {"move": "respond", "attack": int(number), "choice": choice, **_with(more)}
    if name == "keep":
        return {"move": "keep", "card": "bodyguard", "value": rest == ["yes"]}
    if name == "take":
        card, _, owner, _, give = rest
        return {"move": "take", "from": owner, "card": card, "give": give}
    if name == "play":
        keys = rest[1::2]
        return {"move": "play", "card": rest[0], **dict(zip(keys, rest[2::2], strict=True))}
    raise ValueError(" ".join(words))


def _with(words: list[str]) -> dict[str, Any]:
    """`flank-march with train scouts`: the battle's name, then what goes along."""
    created: dict[str, Any] = {}
    before, along = (
        (words[: words.index("with")], words[words.index("with") + 1 :])
        if "with" in words
        else (words, [])
    )
    if before:
        (created["battle"],) = before
    if "train" in along:
        created["siege_train"] = True
    if cards := [card for card in along if card != "train"]:
        created["cards"] = cards
    return created
