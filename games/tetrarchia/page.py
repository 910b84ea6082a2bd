"""The page of a game: one address at all its moments (engine.pages.Pages)."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from itertools import combinations
from typing import Any

from engine.errors import IllegalMove
from engine.pages import Fame, Page, Reader, Told
from games.tetrarchia import choosing, ending, telling, threats
from games.tetrarchia.board import EMPERORS, SPACES, ZONES
from games.tetrarchia.form import GM, MOVES
from games.tetrarchia.map import Leg, Said, draw, told
from games.tetrarchia.phrases import book, counted, emperor, space, text
from games.tetrarchia.players import sensible
from games.tetrarchia.position import Position
from games.tetrarchia.scenario import IMPERIUM, PATRES
from games.tetrarchia.view import mover, seats


class TetrarchyPages:
    """`engine.pages.Pages` of Tetrarchia."""

    styles: Sequence[str] = ("css/march.css", "css/tetrarchia.css")

    def page(self, position: Position, log: Sequence[Told], reader: Reader, hall: Sequence[Fame]) -> Page:
        mine = reader.plays and speaks(position, reader)
        acts_for = seat_name(position) if mine and mover(position) not in (None, *reader.seats) else ""
        asked = reader.typed.get("at") or reader.asked.get("at", "")
        chosen = asked if asked in SPACES else None
        reach = choosing.goals(position)
        turn = self.turn(position, log, mine) if position.phase == "roman" else {}
        spot = choosing.spot(position, chosen, reach) if chosen and position.phase == "roman" else None
        target = self.target(position, chosen)
        context = {
            "stage": position.phase, "mine": mine, "plays": reader.plays, "round": position.round,
            "level": position.options.digits, "ribbon": ribbon(position), "emperor": named(position.emperor),
            "seat_name": seat_name(position), "ip": position.ip, "typed": dict(reader.typed), "shared": shared(position),
            "map": self.board(position, chosen, reach, turn.get("legs", ()), target), "turn": turn, "spot": spot,
            "attack": choosing.attack(position, target) if target else None,
            "phase": telling.last_phase(position, log), "threats": threats.threats(position),
            "spaces": threats.spaces(position), "supply": supply(position), "acts_for": acts_for,
            "fleets": fleets(position) if position.phase == "fleets" else [],
            "variants": variants(position),
        }  # fmt: skip
        if position.phase == "over":
            context |= {"ending": ending.ending(position, log), "hall": [ending.fame(one) for one in hall]}
        template = "end.html" if position.phase == "over" else "tetrarchia.html"
        return Page(template, context, self.title(position))

    def past(self, position: Position, changed: Collection[str]) -> Page:
        """See `engine.pages.Remembering`."""
        words = book()["board"]
        picture = draw(
            position, Said(words["title"], lambda key: told(position, key, words)), lit=changed,
            bold=[key for key in (*position.figures.values(), *position.barbarians) if key],
        )  # fmt: skip
        context = {"map": {"svg": picture}, "supply": supply(position), "variants": variants(position)}
        return Page("past.html", context | {"spaces": threats.spaces(position), "past": True})

    def place(self, key: str) -> str:
        return space(key)

    @staticmethod
    def title(position: Position) -> str:
        key = f"title-{position.result}" if position.phase == "over" else f"title-{position.phase}"
        return text(key, name=emperor(position.emperor), round=position.round)

    # Parts -----------------------------------------------------------------------------------------------------------

    @staticmethod
    def board(
        position: Position,
        chosen: str | None,
        reach: Mapping[str, Any],
        gone: Sequence[Leg],
        target: str | None,
    ) -> dict[str, Any]:
        """The board with what lights up: goals, armies in reach, the way to a chosen space."""
        words = book()["board"]
        legs = list(gone)
        if chosen in reach:
            legs += choosing.legs(position, reach[str(chosen)].path)
        elif target is not None and position.at is not None:
            price = next((one["cost"] for one in choosing.attacks(position) if one["key"] == target and one["linked"]), None)
            if price is not None:
                legs.append(Leg(position.at, target, price, attack=True))
        armies = [one["key"] for one in choosing.attacks(position) if one["linked"]] if position.phase == "roman" else []
        picture = draw(
            position, Said(words["title"], lambda key: told(position, key, words)),
            lit=[*reach, *armies], selected=chosen, legs=legs, links=lambda key: f"?at={key}#h-turn",
            bold=[key for key in (*position.figures.values(), *position.barbarians) if key],
        )  # fmt: skip
        return {"svg": picture, "lit": bool(reach or armies)}

    def turn(self, position: Position, log: Sequence[Told], mine: bool) -> dict[str, Any]:
        """The turn that is being played: what was done, what is left, what may be done next."""
        done = telling.spent(position, log)
        return {
            "done": done, "left": position.ip, "pips": range(position.ip), "left_text": counted("points-left", position.ip),
            "of": max(position.ip + sum(one["cost"] for one in done), 1), "undo": bool(done) and mine,
            "legs": telling.legs(position, log), "at": space(position.at) if position.at else "",
            "enter": choosing.entries(position) if position.can_enter else [],
            "gone": position.at is None and not position.can_enter,
            "here": choosing.here(position), "sails": choosing.sails(position) if position.at or not position.can_enter else [],
            "goals": [
                {"key": key, "name": space(key), "cost": way.cost, "steps": len(way.path),
                 **choosing.deed(position, "move", path=list(way.path))}
                for key, way in sorted(choosing.goals(position).items(), key=lambda one: (one[1].cost, space(one[0])))
            ],
            "attacks": choosing.attacks(position),
            "imperium": position.on(IMPERIUM) and range(1, position.supply[position.emperor] + 1),
            "patres": choosing.deed(position, "patres") if position.on(PATRES) else None,
            "patres_text": text(f"patres-{position.emperor}") if position.emperor in ("diocletian", "constantius") else "",
            "sharing": position.sharing(), "end": choosing.deed(position, "end_turn"),
        }  # fmt: skip

    @staticmethod
    def target(position: Position, chosen: str | None) -> str | None:
        """The army whose attack is explained: the chosen one, else one that can be attacked now."""
        if position.phase != "roman" or position.at is None:
            return None
        if chosen in position.barbarians:
            return chosen
        if chosen is not None:
            return None
        return next((one["key"] for one in choosing.attacks(position) if one["linked"]), None)

    # What the page's forms say -----------------------------------------------------------------------------------------

    def asked(self, position: Position, form: Mapping[str, str]) -> Mapping[str, Any]:
        name = form.get("do", "")
        if name not in MOVES:
            raise IllegalMove("bad-arguments", "4.2", "choose-one")
        raw: dict[str, Any] = {"by": voice(position), "move": name}
        for key, kind in MOVES[name].form.items():
            typed = form.get(key, "").strip()[:400]
            if kind == "number":
                if not (typed.isascii() and typed.isdigit() and len(typed) < 6):
                    raise IllegalMove("bad-arguments", "4.2", "not-number", key=key)
                raw[key] = int(typed)
            else:
                raw[key] = [part for part in typed.split("-") if part] if kind == "texts" else typed
        return raw

    def onward(self, position: Position) -> Mapping[str, Any] | None:
        return None

    def deputy(self, position: Position) -> Mapping[str, Any] | None:
        move = sensible(position)
        return None if move is None else {"by": voice(position), **move}


def voice(position: Position) -> str:
    """The seat that speaks now; the table's owner before the beginning where several play."""
    return mover(position) or GM


def speaks(position: Position, reader: Reader) -> bool:
    """Is it the reader's move? The game master may make every seat's."""
    return voice(position) in reader.seats or GM in reader.seats


def seat_name(position: Position) -> str:
    """Whose move it is, by the name of the seat."""
    return next((info.name for info in seats(position.options) if info.key == mover(position)), "")


def shared(position: Position) -> str:
    """With three players: who enters the moves of the Caesar whom nobody has, when it is his turn (2.1)."""
    seat = mover(position)
    if position.options.players != 3 or position.phase != "roman" or seat is None or seat == position.emperor:
        return ""
    return text("shared", name=emperor(position.emperor), augustus=emperor(seat))


def named(key: str) -> dict[str, str]:
    return {"key": key, "name": emperor(key)}


def variants(position: Position) -> list[str]:
    """What is played otherwise, in words."""
    return [text(f"variant-{one}") for one in sorted(position.options.variants | position.options.extras)]


def supply(position: Position) -> list[dict[str, Any]]:
    """The tokens that each Emperor has left, and his borders."""
    borders = [position.tokens[one] for one in position.secured()]
    return [
        {**named(key), "left": position.supply[key], "borders": borders.count(key),
         "glory": position.glory[key], "removed": position.removed[key]}
        for key in EMPERORS
    ]  # fmt: skip


def fleets(position: Position) -> list[dict[str, str]]:
    """The ways to place the fleets."""
    return [
        {"value": "-".join(zones), "text": ", ".join(ZONES[zone] for zone in zones)}
        for zones in combinations(ZONES, position.options.level[1])
    ]


def ribbon(position: Position) -> list[dict[str, Any]]:
    """The four Emperors in the order of their turns."""
    made, passed = [], position.phase == "roman"
    for key, one in EMPERORS.items():
        at = position.figures[key]
        now = position.phase == "roman" and key == position.emperor
        passed = passed and not now
        state = counted("points", position.ip) if now else text("stands", space=space(at)) if at else text("off")
        made.append(
            {"key": key, "name": one.name, "short": one.name[:3], "is": "now" if now else "done" if passed else "later",
             "state": state}
        )  # fmt: skip
    return made
