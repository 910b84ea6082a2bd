"""The board for composing moves: every act that is possible now, with its moves.

The script does not judge moves: it shows what is possible now, and asks again after each act
(`web.announcements`).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

from games.contract.pages import Reader
from games.kit.records import GM
from games.tetrarchia.drawing.map import space_text
from games.tetrarchia.page.choosing import entries, moves_in_place, offered_move, sails
from games.tetrarchia.page.outlook import (
    FEW,
    few_tokens,
    outlook,
    tokens_of,
    why_not_secure,
    why_not_secure_there,
)
from games.tetrarchia.rules import battle
from games.tetrarchia.rules.battle import Odds, Way
from games.tetrarchia.rules.moves import REMOVE, SECURE, SECURE_BORDER
from games.tetrarchia.rules.position import (
    EMPERORS,
    IMPERIUM,
    LINKS,
    PATRES,
    PRINTED,
    REVOLT,
    SPACES,
    UNREST,
    ZONES,
    Position,
    data,
)
from games.tetrarchia.rules.prospects import certain_loss
from games.tetrarchia.rules.view import mover
from games.tetrarchia.text.words import (
    counted_phrase,
    emperor,
    page_book,
    phrase_text,
    space,
    zone_name,
)

Act = dict[str, Any]


def document(position: Position, reader: Reader) -> dict[str, Any]:
    """Return the data for the script: the pieces, and the acts if it is the reader's turn."""
    speaker = mover(position) or GM
    mine = reader.plays and (speaker in reader.seats or GM in reader.seats)
    created: dict[str, Any] = {
        "stage": position.phase,
        "mine": mine,
        "emperor": position.emperor,
        "ip": position.ip,
        "left": price(position.ip),
        "enters": position.can_enter,
        "at": position.at,
        "figures": position.figures,
        "tokens": position.tokens,
        "armies": position.barbarians,
        "fleets": position.fleets,
        "names": {key: emperor(key) for key in EMPERORS},
        "spaces": drawn(),
        "zones": zones(),
        "labels": {key: space_text(position, key, page_book()["board"]) for key in SPACES},
        "title": title(position),
        "hint": hint(position, mine),
        "handle": handle(position),
        "supply": position.supply,
        "few": [key for key in EMPERORS if position.supply[key] <= FEW],
        "purses": {key: tokens_of(position, key) for key in EMPERORS},
        "secure": why_not_secure(position),
        "outlook": finish(position),
    }
    if mine and position.phase == "roman":
        created |= Acts(position, speaker).all()
    elif mine and position.phase == "fleets":
        created["place"] = place_fleets(position, speaker)
    elif mine and position.phase == "setup":
        created["stand"] = [
            act(
                phrase_text("do-begin"),
                "",
                phrase_text("do-begin"),
                0,
                [{"by": speaker, "move": "begin"}],
                main=True,
            )
        ]
    return created


@cache
def drawn() -> dict[str, dict[str, Any]]:
    """Return the place of every space, and its unchanging facts."""
    capitals = {emperor.capital: key for key, emperor in EMPERORS.items()}
    places = data("drawing")["spaces"]
    return {
        key: {
            "x": places[key]["circle"][0],
            "y": places[key]["circle"][1],
            "name": place.name,
            "region": place.region,
            "n": place.n,
            **({"capital": capitals[key]} if key in capitals else {}),
            **({"printed": True} if key in PRINTED else {}),
        }
        for key, place in SPACES.items()
    }


def zones() -> dict[str, dict[str, Any]]:
    fleets = data("drawing")["sea_zones"]
    return {
        key: {"x": fleets[key]["fleet"][0], "y": fleets[key]["fleet"][1], "name": zone_name(key)}
        for key in ZONES
    }


def finish(position: Position) -> dict[str, Any] | None:
    """Return the texts about a game without prospects; None if there is nothing to say."""
    seen = outlook(position)
    if not seen.text:
        return None
    return {
        "lost": seen.is_lost,
        "head": seen.head,
        "text": seen.text,
        "do": "" if seen.is_lost else phrase_text("outlook-end"),
    }


def title(position: Position) -> str:
    """Return the text of the bar before anything is chosen."""
    if position.phase != "roman":
        return phrase_text(f"bar-{position.phase}")
    name = emperor(position.emperor)
    if position.at is None:
        return phrase_text("bar-off" if position.can_enter else "bar-gone", name=name)
    return phrase_text(
        "bar-turn",
        name=name,
        space=space(position.at),
        left=price(position.ip),
        tokens=counted_phrase("purse", position.supply[position.emperor]),
    )


def hint(position: Position, mine: bool) -> str:
    """Return the line below the title of the bar: what matters most in this position."""
    if not mine:
        return phrase_text("hint-watch")
    if position.phase != "roman":
        return phrase_text(f"hint-{position.phase}")
    name = emperor(position.emperor)
    if position.can_enter:
        return outlook(position).short or phrase_text("hint-enter")
    if outlook(position).short:
        return outlook(position).short
    if position.at is None:
        return phrase_text("hint-gone", name=name)
    if position.sharing():
        return phrase_text("hint-sharing", name=name)
    if not position.ip:
        return phrase_text("hint-spent", name=name)
    expected = position.at not in position.tokens and position.at not in PRINTED
    return (
        (why_not_secure(position) if expected else "")
        or few_tokens(position)
        or phrase_text("hint-turn")
    )


def handle(position: Position) -> str:
    """Return the name of the drawer on a phone."""
    return (
        phrase_text("drawer", left=price(position.ip))
        if position.phase == "roman"
        else phrase_text("drawer-plain")
    )


def price(points: int) -> str:
    return counted_phrase("ip", points)


def act(
    head: str, sub: str, do: str, cost: int, moves: Sequence[dict[str, Any]], /, **more: Any
) -> Act:
    """Return an act: its name in the bar, a note, the text of its button, its price, its moves."""
    return {"title": head, "sub": sub, "do": do, "cost": cost, "moves": list(moves), **more}


def place_fleets(position: Position, speaker: str) -> dict[str, Any]:
    """Return the placing of the fleets: their number, first places, and the move without zones."""
    need = position.options.level[1]
    return {
        "need": need,
        "first": list(ZONES)[:need],
        "do": phrase_text("do-fleets"),
        "move": {"by": speaker, "move": "place_fleets"},
    }


class Acts:
    """The possible acts of the Emperor whose turn it is."""

    def __init__(self, position: Position, speaker: str) -> None:
        self.position, self.speaker = position, speaker
        self.taken = {
            where
            for who, where in position.figures.items()
            if who != position.emperor and where is not None
        }
        self.far = (
            battle.reach(position, position.at, battle.FAR) if position.at is not None else {}
        )
        self.near = {key: way for key, way in self.far.items() if way.cost <= position.ip}

    def move(self, name: str, **given: Any) -> dict[str, Any]:
        return {"by": self.speaker, "move": name, **given}

    def all(self) -> dict[str, Any]:
        if self.position.can_enter:
            return {"go": self.entries(), "off": {}}
        go: dict[str, Act] = {} if self.position.at is None else self.marches()
        fights, off = ({}, {}) if self.position.at is None or not self.near else self.attacks()
        return {
            "go": go,
            "attack": fights,
            "off": {**self.why_not(go), **off},
            "stand": self.acts_in_place(),
            "sail": self.sails(),
            "end": self.end(),
        }

    def end(self) -> Act:
        """Return the end of the turn; it is the main act if nothing else is left to do."""
        lost = certain_loss(self.position) is not None
        words = phrase_text("do-end-lost" if lost else "do-end")
        spent = not self.position.ip or not self.position.at
        return act(words, "", words, 0, [self.move("end_turn")], main=lost or spent)

    # Marches --------------------------------------------------------------------------------------

    def entries(self) -> dict[str, Act]:
        free = {entry.fields[0][1]: entry for entry in entries(self.position) if not entry.refused}
        created = {}
        for key, entry in free.items():
            words = phrase_text("do-enter", space=entry.name)
            main = not entry.is_rome or len(free) == 1
            created[key] = act(
                words,
                phrase_text("hint-enter"),
                words,
                0,
                [self.move("enter", at=key)],
                legs=[],
                main=main,
            )
        return created

    def marches(self) -> dict[str, Act]:
        return {
            key: act(
                phrase_text("march", space=space(key), price=price(way.cost)),
                phrase_text(
                    "march-sub",
                    way=self.by_way(way),
                    left=price(self.position.ip - way.cost),
                    there=self.there(key, self.position.ip - way.cost),
                ),
                phrase_text("do-march", space=space(key)),
                way.cost,
                [self.move("move", path=list(way.path))],
                legs=self.legs(way),
            )
            for key, way in self.near.items()
            if way.path and key not in self.taken
        }

    def legs(self, way: Way) -> list[list[Any]]:
        """Return the steps of a way: origin, goal, price, and whether it goes over the sea."""
        here, steps = str(self.position.at), []
        for to in way.path:
            cost = battle.step(self.position, here, to) or 0
            land = LINKS[here].get(to)
            over_land = battle.FAR if land is None else battle.BROKEN if land else battle.NORMAL
            steps.append(
                [
                    here,
                    to,
                    cost,
                    over_land > battle.SEA and battle.sea_linked(self.position, here, to),
                ]
            )
            here = to
        return steps

    def by_way(self, way: Way) -> str:
        return ", ".join(
            phrase_text("by-sea", space=space(to)) if sea else space(to)
            for _a, to, _cost, sea in self.legs(way)
        )

    def there(self, key: str, left: int) -> str:
        """Return the content of a space, with the price of removing or securing it.

        `left` are the Imperium Points left there. A price is named only if the act can follow.
        """
        token = self.position.tokens.get(key)
        if token in (UNREST, REVOLT):
            cost = REMOVE[str(token)]
            enough = "" if cost <= left else "-later"
            return phrase_text(f"there-{token}{enough}", price=price(cost))
        if token is not None:
            return phrase_text("there-token", name=emperor(token))
        if key in PRINTED:
            return phrase_text("there-printed")
        obstacle = why_not_secure_there(self.position, key, left)
        if obstacle:
            return obstacle
        if SPACES[key].outside:
            return phrase_text("there-border", price=price(SECURE_BORDER))
        return phrase_text("there-open", price=price(SECURE))

    def why_not(self, go: dict[str, Act]) -> dict[str, str]:
        """Return for every space out of reach the sentence that explains it."""
        left = price(self.position.ip)
        texts = {}
        for key in SPACES:
            if key in go or key == self.position.at or key in self.position.barbarians:
                continue
            if key in self.near and key in self.taken:
                who = next(emperor(figure) for figure in self.position.standing(key))
                texts[key] = phrase_text("off-taken", name=who, space=space(key))
            elif key in self.far:
                texts[key] = phrase_text(
                    "off-far",
                    space=space(key),
                    price=price(self.far[key].cost),
                    name=emperor(self.position.emperor),
                    left=left,
                )
            else:
                texts[key] = phrase_text("off-closed", space=space(key))
        return texts

    # Attacks --------------------------------------------------------------------------------------

    def attacks(self) -> tuple[dict[str, Act], dict[str, str]]:
        """Return the affordable attacks, and for the other armies the reason.

        An attack is made from the cheapest space, of equal ones from that with the best chance.
        """
        fights, off = {}, {}
        for army in self.position.barbarians:
            best = min(
                self.origins(army),
                key=lambda origin: (origin[0] > self.position.ip, origin[0], -origin[3].won),
                default=None,
            )
            if best is None or best[0] > self.position.ip:
                off[army] = phrase_text(
                    "off-attack",
                    space=space(army),
                    name=emperor(self.position.emperor),
                    left=price(self.position.ip),
                )
            else:
                fights[army] = self.fight(army, *best)
        return fights, off

    def origins(self, army: str) -> list[tuple[int, int, str, Odds]]:
        """Return the spaces for an attack.

        A row has the price with the way, the price of the attack, the space, and the chances.
        """
        rows = []
        for key in SPACES:
            way, blow = self.far.get(key), battle.attack_cost(self.position, key, army)
            if way is None or blow is None or key in self.taken or key in self.position.barbarians:
                continue
            if key == self.position.at and self.position.sharing():
                continue
            rows.append(
                (
                    way.cost + blow,
                    blow,
                    key,
                    battle.odds_against(self.position, self.position.emperor, key, army),
                )
            )
        return rows

    def fight(self, army: str, cost: int, blow: int, at: str, odds: Odds) -> Act:
        way = self.far[at]
        ends = {"won": odds.won, "level": odds.level, "lost": odds.lost}
        chances = {
            name: {
                "n": n,
                "text": text,
                "share": battle.share(n),
                "name": phrase_text(f"odds-{name}"),
            }
            for (name, n), text in zip(ends.items(), battle.percents([*ends.values()]), strict=True)
        }
        before = phrase_text("march-first", space=space(at)) + " " if way.path else ""
        shown = {name: chance["text"] for name, chance in chances.items()}
        moves = [self.move("move", path=list(way.path))] if way.path else []
        return act(
            phrase_text("attack", space=space(army), price=price(cost)),
            before + phrase_text("attack-sub", **shown),
            phrase_text("do-attack", space=space(army)),
            cost,
            [*moves, self.move("attack", target=army)],
            legs=self.legs(way),
            blow=[at, army, blow],
            odds=chances,
            group=list(odds.rome.group),
            foes=list(odds.foe.group),
            rows=self.sums(odds),
            head=phrase_text("do-attack", space=space(army)),
            note=phrase_text("attack-note"),
            exact=phrase_text("odds-exact", won=odds.won, level=odds.level, lost=odds.lost),
        )

    def sums(self, odds: Odds) -> list[list[str]]:
        """Return the terms of both values: text, number, and `sum` for the result."""
        rows = []
        for side, value in (("ours", odds.rome), ("theirs", odds.foe)):
            names = ", ".join(map(space, value.group)) or phrase_text("none")
            rows.append([phrase_text(f"sum-{side}", spaces=names), f"+{value.support}", ""])
            if value.helpers:
                helpers = ", ".join(
                    emperor(helper) if side == "ours" else space(helper) for helper in value.helpers
                )
                rows.append(
                    [phrase_text(f"sum-{side}-helped", names=helpers), f"×{value.times}", ""]
                )
            rows.append(
                [
                    phrase_text(f"sum-{side}-all"),
                    f"{value.value_with(1)}–{value.value_with(6)}",
                    "sum",
                ]
            )
        return rows

    # Acts in the Emperor's space ------------------------------------------------------------------

    def acts_in_place(self) -> list[Act]:
        position = self.position
        if position.at is None:
            return []
        here = []
        for offered in moves_in_place(position):
            if offered.refused or offered.cost is None or offered.cost > position.ip:
                continue
            given = dict(offered.fields)
            name = (
                f"do-{given['how']}-{position.tokens[position.at]}"
                if offered.do == "subdue"
                else "do-secure"
            )
            if offered.do == "secure" and SPACES[position.at].outside:
                name = "do-secure-border"
            words = phrase_text(name, space=space(position.at))
            here.append(
                act(
                    f"{words}, {price(offered.cost)}",
                    "",
                    f"{words}, {price(offered.cost)}",
                    offered.cost,
                    [self.move(offered.do, **given)],
                )
            )
        if position.has_variant(PATRES) and not offered_move(position, "patres").refused:
            words = phrase_text(f"patres-{position.emperor}")
            here.append(act(words, "", words, 0, [self.move("patres")]))
        if (
            position.has_variant(IMPERIUM)
            and position.supply[position.emperor]
            and not position.sharing()
        ):
            words = phrase_text("do-imperium")
            here.append(act(words, "", words, 0, [self.move("imperium", tokens=1)]))
        return here

    def sails(self) -> dict[str, list[Act]]:
        """Return the possible voyages of each fleet, by its zone."""
        voyages: dict[str, list[Act]] = {zone: [] for zone in self.position.fleets}
        if self.position.at is None:
            return voyages
        for voyage in sails(self.position):
            given = dict(voyage.fields)
            if not voyage.refused and voyage.cost is not None:
                words = phrase_text(
                    "do-sail", zone=zone_name(given["to"]), price=price(voyage.cost)
                )
                voyages[given["from"]].append(
                    act(
                        phrase_text("fleet-in", zone=zone_name(given["from"])),
                        phrase_text("sail-sub"),
                        words,
                        voyage.cost,
                        [self.move("sail", **given)],
                    )
                )
        return voyages
