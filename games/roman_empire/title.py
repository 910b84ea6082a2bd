"""History of the Roman Empire as a title."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from engine.errors import MalformedRecord
from games.contract.players import Lesson, Step
from games.contract.title import Account, Stretch
from games.kit.records import Scenario, check_die, fixed_place
from games.kit.title import BoardTitle, OrderedTitle
from games.roman_empire.rules import choices as rules_orders
from games.roman_empire.rules import factions, view
from games.roman_empire.rules import moves as rules_moves
from games.roman_empire.rules import position as rules_position
from games.roman_empire.rules.position import (
    AREAS,
    CARDS,
    EDITION,
    HERE,
    KINGDOMS,
    LANDS,
    PROPOSED,
    SEATS,
    Fault,
    Options,
    Position,
)
from games.roman_empire.text import words
from games.roman_empire.text.english import CHRONICLE, FOUNDING
from games.roman_empire.text.english import LESSON as TEXTS

# The purposes of rolls and their dice (RULES, Rolls).

NUMBER = r"[1-9][0-9]{0,8}"
"""Without leading zeros, at most nine digits."""
AGAIN = rf"(?:/reroll-{NUMBER})?"
SEAT = rf"(?:{'|'.join(SEATS)})"
LAND = rf"(?:{'|'.join(LANDS)})"
TURN = r"turn-[1-7]"
BASE = rf"{TURN}/{SEAT}/(?:people|faction)"
ROLLED = "|".join(key for key, card in CARDS.items() if card.kind == "area_roll")
REBELS = "|".join(key for key, card in CARDS.items() if card.kind == "rebellion")
assert AREAS
SINGLE: tuple[tuple[str, int], ...] = (
    (rf"setup/hand/{SEAT}/set-[1-9]", 6),
    (rf"{TURN}/draw-people-{NUMBER}", 5),
    (rf"{TURN}/draw-emperor-{NUMBER}", 6),
    (rf"{BASE}/event-(?:{ROLLED})/{LAND}", 6),
    (rf"end/kingdom/(?:{'|'.join(KINGDOMS)})", 6),
)
"""One die each: what the purpose looks like, and the most sides it can have."""
LISTS: tuple[tuple[str, int, int], ...] = (
    (rf"turn-1/order/{SEAT}{AGAIN}", 2, 2),
    (rf"{BASE}/combat-{NUMBER}/round-{NUMBER}/attacker{AGAIN}", 2, 3),
    (rf"{BASE}/combat-{NUMBER}/round-{NUMBER}/defender{AGAIN}", 1, 2),
    (rf"{BASE}/loot/{LAND}", 1, 2),
    (rf"{BASE}/event-(?:{REBELS})/round-{NUMBER}/attacker{AGAIN}", 2, 2),
    (rf"{BASE}/event-(?:{REBELS})/round-{NUMBER}/defender{AGAIN}", 1, 1),
)
"""Several six-sided dice each: the fewest and the most there can be."""
ONE = tuple((re.compile(pattern, re.ASCII), sides) for pattern, sides in SINGLE)
SEVERAL = tuple((re.compile(pattern, re.ASCII), least, most) for pattern, least, most in LISTS)
MEMBER = re.compile(r"(.+)/([123])", re.ASCII)


def check_roll(purpose: str, value: object) -> None:
    """A fixed roll's purpose must be known and its values on the die, as many as it can have; else
    `MalformedRecord`.
    """
    where = fixed_place(purpose)
    for pattern, sides in ONE:
        if pattern.fullmatch(purpose):
            check_die(where, value, sides)
            return
    for pattern, least, most in SEVERAL:
        if pattern.fullmatch(purpose):
            _list(where, value, least, most)
            return
        member = MEMBER.fullmatch(purpose)
        if member and pattern.fullmatch(member[1]) and int(member[2]) <= most:
            check_die(where, value, 6)
            return
    raise MalformedRecord(where, "unknown-purpose")


def _list(where: str, value: object, least: int, most: int) -> None:
    if (
        type(value) is not list
        or not least <= len(value) <= most
        or any(type(one) is not int or not 1 <= one <= 6 for one in value)
    ):
        raise Fault(where, "wholes" if least == most else "wholes-or", least=least, most=most)


SAYS = (rules_moves, factions)
"""The modules whose moves can be said: they are entered when they are read."""


class RomanEmpire(BoardTitle, OrderedTitle):
    """See `games.contract.title.Title` for what each of these promises."""

    key = "roman_empire"
    name = "History of the Roman Empire"
    format = "roman_empire/1"
    views, texts, rules, moves, orders = view, words, rules_position, rules_moves, rules_orders
    founding, folder = FOUNDING, HERE
    proposed: Mapping[str, Any] = PROPOSED
    edition = EDITION

    @property
    def accounts(self) -> Sequence[Account]:
        return tuple(
            Account(key, label) for key, label in CHRONICLE.read()["report"]["accounts"].items()
        )

    def hides(self, options: Options) -> bool:
        """Hands, and counters until they are called (3.3, 4.2)."""
        return True

    def check_roll(self, scenario: Scenario, options: Options, purpose: str, value: object) -> None:
        check_roll(purpose, value)

    def setup(self, scenario: Scenario, options: Options) -> Position:
        return Position(scenario, options)

    def course(self, position: Position) -> Sequence[Stretch]:
        return view.course(position)

    def holder_name(self, scenario: Scenario, holder: str) -> str:
        return words.group_name(holder)

    def rules_text(self) -> str:

        return super().rules_text() + "\n\n" + words.chapter()


# The lesson of the Roman Empire: two counters, the march of the Galli, and a Faction.

HOME, NEXT = "lugdunensis", "aquitania"
BAR = ".play-bar"
LESSON_SEAT, PEOPLE, GALLI = "A", "people", 1


def is_move(*names: str) -> Any:
    return lambda move: move["move"] in names


def leads_galli(position: Any) -> bool:
    """Does the learner lead the Galli, as far as it is their People's phase?"""
    people = position.phase == PEOPLE and position.active == LESSON_SEAT
    return not people or bool(position.counters[LESSON_SEAT][PEOPLE] == GALLI)


LESSON = Lesson(
    TEXTS,
    (
        Step("people", BAR, is_move("keep", "pass")),
        Step("emperor", BAR, is_move("keep", "pass")),
        Step(
            "home",
            f'[data-land="{HOME}"]',
            lambda move: move["move"] == "place" and move.get("land") == HOME,
            possible=leads_galli,
        ),
        Step(
            "spread",
            f'[data-land="{NEXT}"]',
            lambda move: move["move"] == "place" and move.get("land") != HOME,
        ),
        Step("send", BAR, is_move("end_phase")),
        Step("faction", BAR, is_move("recruit", "place", "fort", "end_phase"), ahead=False),
        Step("score", BAR, is_move("end_phase")),
        Step("on", BAR),
    ),
    seed=f"{20:064x}",
    scenario="standard",
    options={"players": 4},
    seat=LESSON_SEAT,
    level="cautious",
    chosen=frozenset({"keep", "pass", "place", "end_phase", "recruit"}),
)
