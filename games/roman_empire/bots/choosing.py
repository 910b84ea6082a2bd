"""The choice of the best move for a style of play."""

from __future__ import annotations

from games.roman_empire.bots.dealing import choose_counter
from games.roman_empire.bots.placing import place_army
from games.roman_empire.bots.preparing import prepare
from games.roman_empire.bots.styles import SENSIBLE, Choice, Raw, Style
from games.roman_empire.rules import combat, phases, view
from games.roman_empire.rules.position import FACTION, LANDS, WHOLE, Position


def sensible(position: Position, rng: object = None) -> Raw | None:
    """Return the most promising move; None when the game is over.

    It keeps every counter and needs no chance of its own.
    """
    choice = best(position, SENSIBLE)
    return None if choice is None else choice.raw


def best(position: Position, style: Style) -> Choice | None:
    """Return the most promising move for a style of play; None when the game is over."""
    going = view.automatic(position)
    if going is not None:
        return Choice({"move": going}, "goes-on")
    seat = view.mover(position)
    if seat is None:
        return None
    if position.pending is not None:
        return _decide(position, style)
    if position.draw is not None:
        return choose_counter(position, seat, style)
    return (
        prepare(position, seat, style) or place_army(position, seat, style) or _end(position, seat)
    )


def _decide(position: Position, style: Style) -> Choice:
    """Return the answer to a decision that another seat's phase asks for.

    A single Legion retreats if neither walls nor terrain help it. The program accepts gold for
    about half the value of a loot and offers none.
    """
    asked = position.pending
    assert asked is not None
    if asked.kind == "offer":
        return Choice({"by": asked.seat, "move": "offer", "amount": 0}, "no-gold")
    if asked.kind == "answer":
        accept = asked.amount > style.loot - 1.5
        return Choice(
            {"by": asked.seat, "move": "answer", "accept": accept}, "gold" if accept else "no-gold"
        )
    place = position.lands[asked.land]
    hard = position.rebellion is None and position.combat is not None and position.combat.terrain
    weak = place.fort is None and not hard
    if weak and place.n == 1:
        goal = min(asked.to, key=lambda land: position.lands[land].n)
        return Choice({"by": asked.seat, "move": "retreat", "to": goal}, "retreats")
    return Choice({"by": asked.seat, "move": "retreat", "to": None, "hold": True}, "stands")


def _end(position: Position, seat: str) -> Choice:
    """Return the last moves of a phase: free Forts, then the end with new Cities.

    Forts go first where they cover a City, new Cities go first into the home area.
    """
    if position.resume is not None:
        return Choice({"by": seat, "move": "end_sub"}, "nothing-more")
    if position.phase != FACTION:
        return Choice({"by": seat, "move": "end_phase"}, "nothing-more")
    if position.free_forts and combat.has_fort(position):
        open_lands = [
            land for land in position.lands_of(position.colour) if position.lands[land].fort is None
        ]
        if open_lands:
            land = max(
                open_lands,
                key=lambda land: (position.lands[land].city == WHOLE, LANDS[land].resource),
            )
            return Choice(
                {"by": seat, "move": "fort", "land": land}, "fort", {"land": LANDS[land].name}
            )
    home = phases.home_area(position)
    sites = sorted(phases.sites(position), key=lambda land: land not in home)
    cities = sites[: phases.resources(position) // 2]
    return Choice(
        {"by": seat, "move": "end_phase", "cities": cities}, "cities" if cities else "nothing-more"
    )
