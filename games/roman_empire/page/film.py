"""Moves as a film, read from effects and rolls alone."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from engine.effects import Effect
from games.contract.pages import Die, Frame, LoggedMove
from games.roman_empire.rules.position import COLOURS, LANDS, Position
from games.roman_empire.text.english import BOARD
from games.roman_empire.text.words import (
    effect_line,
    group_in_sentence,
    group_name,
    is_noted,
    land_name,
    resolve,
    seat_name,
)

AFTER = ("placed", "killed", "fort_lost")
"""The causes of changes that come after the sentence they belong to; all others come before it."""
JOINED = ("army_lost", "leader_killed")
"""The kinds of effects whose sentence is joined to that of the round before."""
QUICK = ("placed", "kept", "drawn", "passed")
HEAVY = ("scored", "game_end", "kingdom_stands", "turn", "opened")
GOOD, BAD = (
    ("conquered", "looted", "city_built"),
    ("displaced", "struck", "ruined", "destroyed", "rebelled"),
)


def film(before: Position, log: Sequence[LoggedMove]) -> list[Frame]:
    """Return the frames of these entries."""
    reel = Reel(before)
    return [frame for entry in log for frame in reel.frames(entry)]


class Reel:
    """A writer of successive frames.

    It remembers the seat of each group, and the land from which the last army entered a fight.
    """

    def __init__(self, before: Position) -> None:
        self.scenario = before.scenario
        self.seats = {colour: seat for seat, colour in before.factions.items()} | dict(
            before.control
        )
        self.sources: dict[str, str] = {}

    def frames(self, entry: LoggedMove) -> list[Frame]:
        """Return the frames of an entry, each with its changes."""
        shots: list[dict[str, Any]] = []
        waiting: list[dict[str, Any]] = []
        dice = {roll.purpose: roll.value for roll in entry.rolls}
        for effect in entry.effects:
            if effect.kind == "holding":
                change = self.changed(effect)
                if effect.cause.id in AFTER and shots:
                    shots[-1]["changes"].append(change)
                else:
                    waiting.append(change)
                continue
            self.learn(effect)
            if not is_noted(effect):
                continue
            if effect.kind in JOINED and shots:
                shots[-1]["say"] += f" {self.line(effect)}"
                continue
            shots.append(self.shot(effect, dice, waiting))
            waiting = []
        if waiting and shots:
            shots[-1]["changes"] += waiting
        elif waiting:
            shots.append({"say": "", "changes": waiting})
        return [
            Frame(at=entry.number, **{**shot, "changes": tuple(shot["changes"])}) for shot in shots
        ]

    def learn(self, effect: Effect) -> None:
        facts = effect.facts
        if effect.kind in ("opened", "sub_begun") and facts.get("seat"):
            self.seats[str(facts["group"])] = str(facts["seat"])
        if effect.kind == "placed":
            self.sources[str(facts["land"])] = str(facts["source"])

    def line(self, effect: Effect) -> str:
        text = effect_line(self.scenario, effect)
        return f"{text[:1].upper()}{text[1:]}."

    def changed(self, effect: Effect) -> dict[str, Any]:
        """Return the new contents of a land."""
        now = effect.facts["now"]
        fort = now["fort"] or {"who": None, "level": 0}
        return {
            "kind": "land",
            "land": effect.subject,
            "now": [now["who"], now["n"], now["city"], fort["who"], fort["level"]],
            "group": self.group(now["who"]),
        }

    def group(self, key: str | None) -> list[str] | None:
        """Return the name, seat and kind of a group, as the board draws a stack."""
        if key is None:
            return None
        kind = "faction" if key in COLOURS else "people" if key in self.seats else "rebel"
        return [group_name(key), self.seats.get(key, "rebel"), kind]

    def march(self, source: str, land: str, group: str) -> list[dict[str, Any]]:
        """Return the march of an army, if it comes from another land."""
        if source not in LANDS or source == land:
            return []
        seat, faction = self.seats.get(group, "rebel"), group in COLOURS
        return [{"kind": "march", "from": source, "to": land, "seat": seat, "faction": faction}]

    def shot(
        self, effect: Effect, dice: Mapping[str, Any], changes: list[dict[str, Any]]
    ) -> dict[str, Any]:
        kind, facts = effect.kind, effect.facts
        land = str(facts.get("land") or "")
        shot: dict[str, Any] = {
            "intro": "",
            "dice": (),
            "say": self.line(effect),
            "changes": changes,
            "places": (land,) if land in LANDS else (),
            "tone": "good" if kind in GOOD else "bad" if kind in BAD else "",
            "weight": 0 if kind in QUICK else 1,
        }
        if kind in HEAVY:
            shot["weight"] = 2
        if kind == "placed" and facts["way"] != "attack":
            shot["changes"] = self.march(str(facts["source"]), land, str(facts["group"])) + changes
        elif kind == "conquered":
            shot["changes"] = (
                self.march(self.sources.get(land, ""), land, str(facts["group"])) + changes
            )
        elif kind == "retreated":
            shot["changes"] = self.march(land, str(facts["to"]), str(facts["group"])) + changes
        elif kind in ("round", "rebel_round"):
            shot["intro"] = BOARD.text("film-round", land=land_name(land), n=facts["round"])
            shot["dice"] = self.thrown(facts)
            shot["changes"] = [*changes, {"kind": "flash", "land": land}]
        elif kind == "looted":
            shot["intro"] = BOARD.text("film-loot", land=land_name(land))
            shot["dice"] = pips(self.values(dice, f"/loot/{land}"), land_name(land))
        elif kind in ("struck", "spared") and facts.get("land"):
            shot["dice"] = pips(self.values(dice, f"/{land}"), land_name(land))
        elif kind == "order":
            shot["dice"] = tuple(
                Die(value, "", seat_name(purpose.split("/")[2]))
                for purpose, values in dice.items()
                for value in listed(values)
            )
        elif kind == "scored":
            shot["intro"] = BOARD.text("film-count", group=group_in_sentence(facts["group"]))
            named = resolve({**facts, "areas": facts.get("areas", ())})
            if facts.get("areas"):
                shot["say"] += f" {named['areas_text']}."
        return shot

    def thrown(self, facts: Mapping[str, Any]) -> tuple[Die, ...]:
        """Return the dice of a round, the attacker's first."""
        mine = group_name(str(facts["group"])) if facts.get("group") else BOARD.text("film-rebels")
        theirs = (
            group_name(str(facts["defender"]))
            if facts.get("defender")
            else BOARD.text("film-walls")
        )
        return (*pips(facts["attacker"], mine), *pips(facts["thrown"], theirs))

    @staticmethod
    def values(dice: Mapping[str, Any], end: str) -> Any:
        return next((value for purpose, value in dice.items() if purpose.endswith(end)), ())


def listed(value: Any) -> Iterable[int]:
    return value if isinstance(value, (list, tuple)) else (value,)


def pips(values: Any, label: str) -> tuple[Die, ...]:
    return tuple(Die(value, "", label) for value in listed(values))
