"""The moves of a program before it places: start land, armies in hand, Legions, Cities, cards."""

from __future__ import annotations

from games.roman_empire.bots.dealing import are_friends, points_of
from games.roman_empire.bots.styles import Choice, Raw, Style
from games.roman_empire.rules import events
from games.roman_empire.rules.choices import choices
from games.roman_empire.rules.factions import recruitable
from games.roman_empire.rules.moves import MOVES
from games.roman_empire.rules.position import (
    CARDS,
    LANDS,
    NEAR,
    START,
    STARTS,
    STATES,
    WHOLE,
    F,
    Place,
    Position,
)


def prepare(position: Position, seat: str, style: Style) -> Choice | None:
    """Return the next such move; None if none is left to make."""
    if position.step == START:
        choice = _faction(position, seat, style) if position.is_faction else _gather(position, seat)
        if choice is not None:
            return choice
    return _card(position, seat, style)


def _faction(position: Position, seat: str, style: Style) -> Choice | None:
    if position.period == 1 and seat not in position.start:
        free = [land for land in STARTS if land not in position.start.values()]
        land = max(free, key=lambda land: _room(position, land))
        return Choice(
            {"by": seat, "move": "choose_start", "land": land}, "starts", {"land": LANDS[land].name}
        )
    for land in position.lands_of(position.colour):
        place = position.lands[land]
        if place.city == "looted" and position.vp[seat][F]:
            return Choice(
                {"by": seat, "move": "rebuild", "land": land},
                "rebuilds",
                {"land": LANDS[land].name},
            )
        if place.n > 1:
            return Choice(
                {"by": seat, "move": "take_up", "land": land, "n": place.n - 1}, "gathers"
            )
    if position.period < LATE and recruitable(position) > 0 and position.vp[seat][F] >= style.save:
        return Choice({"by": seat, "move": "recruit", "n": 1}, "recruits")
    return None


LATE = 7
"""The period from which a new Legion no longer pays for itself."""


def _gather(position: Position, seat: str) -> Choice | None:
    for land in position.lands_of(position.current):
        n = position.lands[land].n
        if n > 1:
            return Choice({"by": seat, "move": "take_up", "land": land, "n": n - 1}, "gathers")
    return None


def _room(position: Position, land: str) -> float:
    """Return the value of the surroundings of a start land."""
    return (
        sum(LANDS[other].resource + (position.lands[other].who is None) for other in NEAR[land])
        - 2 * position.lands[land].n
    )


def _card(position: Position, seat: str, style: Style) -> Choice | None:
    """Return the play of the most helpful card; None if none is worth it.

    The most helpful are a group of its own, dice, fort points and harm to the strongest rival.
    """
    if position.resume is not None or sum(position.played[seat].values()) >= events.LIMIT:
        return None
    ways = choices(position, MOVES["play_event"], seat, seat)[0]
    most, chosen = style.cards, None
    for given in ways:
        worth = _worth(position, seat, given, style)
        if worth > most:
            most, chosen = worth, given
    return None if chosen is None else Choice({"by": seat, "move": "play_event", **chosen}, "card")


def _worth(position: Position, seat: str, given: Raw, style: Style) -> float:
    """Return the approximate value of a card in points."""
    card = CARDS[given["card"]]
    if card.kind in ("kingdom", "minor"):
        return (
            6.0
            if position.seat_of(position.lands[STATES[card.effect["key"]].land].who) != seat
            else 0.0
        )
    if card.kind == "revive":
        return 5.0
    if card.kind in ("three_dice", "attack_plus", "ties", "save_losses", "no_fort_bonus"):
        return (
            2.0
            if position.in_hand >= 4 and (card.kind != "no_fort_bonus" or _walls(position))
            else 0.0
        )
    if card.kind in ("revolt", "rebellion", "land_strip", "treachery"):
        place = position.lands[given["land"]]
        extra = style.leader * (
            place.n > 0 and position.seat_of(place.who) in leaders(position, seat)
        )
        return damage(position, seat, place) * (1 + extra) - (2.0 if card.kind != "revolt" else 1.0)
    return 0.0


def leaders(position: Position, seat: str) -> list[str]:
    """Return the seats of the rival with the most points."""
    rivals = [other for other in position.seats if not are_friends(position, other, seat)]
    first = max((points_of(position, rival) for rival in rivals), default=0)
    return [rival for rival in rivals if points_of(position, rival) == first]


def _walls(position: Position) -> int:
    return sum(
        any(position.lands[other].who == position.current for other in NEAR[land])
        for land, place in position.lands.items()
        if place.fort is not None and position.seat_of(place.fort.who) != position.active
    )


def damage(position: Position, seat: str, place: Place) -> float:
    """Return the value of the loss for a rival who loses their armies in a land."""
    if position.seat_of(place.who) in (seat, None):
        return 0.0
    return place.n + (2.0 if place.city == WHOLE else 0.0)
