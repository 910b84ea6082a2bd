"""The cards: when each may be played, and its effect (9)."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from engine.dice import Dice
from engine.effects import Phrase
from engine.errors import IllegalMove
from games.roman_empire.rules import combat, phases, placing
from games.roman_empire.rules.position import (
    AREAS,
    CARDS,
    COLOURS,
    EXPAND,
    FACTION,
    KINGDOMS,
    LANDS,
    LOOTED,
    NEAR,
    OF_AREA,
    PEOPLE_COUNTERS,
    REBEL,
    START,
    STATES,
    WHOLE,
    Card,
    Fort,
    Pending,
    Position,
    Rebellion,
    Resume,
    earlier,
)

LIMIT = 2
"""How many cards a seat may play in a turn (9.1)."""
D6 = 6
FORTS, BRIDGES = "forts", "bridges"
ARGUMENTS: dict[str, frozenset[str]] = {
    "revive": frozenset({"people"}),
    "revolt": frozenset({"land"}),
    "area_roll": frozenset({"area"}),
    "area_loss": frozenset({"area"}),
    "land_strip": frozenset({"land"}),
    "ruin": frozenset({"land"}),
    "destroy_city": frozenset({"land"}),
    "rebellion": frozenset({"land"}),
    "engineering": frozenset({"use"}),
    "treachery": frozenset({"land"}),
    "surprise": frozenset({"land"}),
}
"""The arguments that each kind of card requires. Treachery may also have `loot`."""


class Play(NamedTuple):
    """A card that is played, with its arguments; "" for those that it does not have."""

    card: Card
    land: str = ""
    area: str = ""
    people: str = ""
    use: str = ""
    loot: bool = False


def admit(position: Position, seat: str, key: str) -> Card:
    """Return the card, if this seat may play it now (9.1).

    Raises:
        IllegalMove: The seat may not play it now.
    """
    if key not in position.hand.get(seat, []):
        raise IllegalMove("not-in-hand", "9.1", card=key[:40])
    card = CARDS[key]
    if position.period not in card.periods:
        raise IllegalMove("wrong-period", "9.1", card=key)
    if card.phase not in ("either", position.phase):
        raise IllegalMove("wrong-phase", "9.1", f"card-of-{card.phase}", card=key)
    if position.resume is not None:
        raise IllegalMove("sub-turn", "9.1", group=position.current)
    if card.timing == "before" and position.step != START:
        raise IllegalMove("too-late", "9.1", "card-too-late", card=key)
    if sum(position.played[seat].values()) >= LIMIT:
        raise IllegalMove("event-limit", "9.1")
    if (
        position.is_faction
        and position.has_counters
        and not position.in_hand
        and phases.is_dead(position, position.colour)
    ):
        raise IllegalMove("no-units", "6.6", "dead")
    return card


def judge(position: Position, play: Play) -> None:
    """Check the arguments of a card (9.2, 9.3).

    Raises:
        IllegalMove: An argument is not allowed.
    """
    if play.land:
        placing.read_places(play.land)
    check = CHECKS.get(play.card.kind)
    if check is not None:
        check(position, play)


def bad(play: Play, message: str) -> IllegalMove:
    return IllegalMove("bad-target", "9.3", message, card=play.card.key, land=play.land or None)


def _revive(position: Position, play: Play) -> None:
    people = play.people
    if people not in PEOPLE_COUNTERS or earlier(people, position.period) is None:
        raise bad(play, "no-earlier-people")
    if position.control.get(people) != position.active or people == position.current:
        raise bad(play, "not-your-people")


def _foreign(position: Position, play: Play) -> None:
    """Require a land that another player's Faction holds."""
    place = position.lands[play.land]
    if place.who not in COLOURS or position.player_of(place.who) in (
        None,
        position.owners[str(position.active)],
    ):
        raise bad(play, "no-foreign-faction")


def _rebellion(position: Position, play: Play) -> None:
    _foreign(position, play)
    if position.counters_left(REBEL) < 1:
        raise bad(play, "no-rebels-left")


def _area(position: Position, play: Play) -> None:
    if play.area not in AREAS:
        raise bad(play, "no-area")


def _armies(position: Position, play: Play) -> None:
    if not position.lands[play.land].n:
        raise bad(play, "no-armies")


def _ruin(position: Position, play: Play) -> None:
    place = position.lands[play.land]
    if place.city != WHOLE and place.fort is None:
        raise bad(play, "nothing-to-ruin")


def _city(position: Position, play: Play) -> None:
    if position.lands[play.land].city is None:
        raise bad(play, "no-city-there")


def _engineering(position: Position, play: Play) -> None:
    if play.use == FORTS and position.phase != FACTION:
        raise IllegalMove("wrong-phase", "9.3", "card-of-faction", card=play.card.key)


def _treachery(position: Position, play: Play) -> None:
    place, group = position.lands[play.land], position.current
    if not place.n or place.who == group or position.seat_of(place.who) == position.active:
        raise bad(play, "no-enemy")
    if not any(position.lands[other].who == group for other in NEAR[play.land]):
        raise IllegalMove("not-adjacent", "9.3", "not-beside", land=play.land)
    if position.in_hand < 1 or position.counters_left(group) < 1:
        raise IllegalMove("no-units", "9.3", group=group)
    if play.loot:
        placing.may_loot(position, play.land)


CHECKS: dict[str, Callable[[Position, Play], None]] = {
    "revive": _revive,
    "revolt": _foreign,
    "rebellion": _rebellion,
    "area_roll": _area,
    "area_loss": _area,
    "land_strip": _armies,
    "ruin": _ruin,
    "destroy_city": _city,
    "engineering": _engineering,
    "treachery": _treachery,
}


def perform(position: Position, dice: Dice, play: Play) -> None:
    """Discard the card and carry out its effect."""
    seat, key = str(position.active), play.card.key
    named = {name: value for name, value in play._asdict().items() if name != "card" and value}
    position.played[seat][position.phase] += 1
    position.spend_card(seat, key, Phrase("played", "9.1", {"card": key}))
    position.note("event_played", seat, key, "9.3", card=key, group=position.current, **named)
    DOES[play.card.kind](position, dice, play)


# Sub-turns ----------------------------------------------------------------------------------------


def _rise(position: Position, dice: Dice, play: Play) -> None:
    """Let a Kingdom or a Minor People act at once; a Kingdom gets a City (9.2)."""
    state = STATES[play.card.effect["key"]]
    if state.key in KINGDOMS and position.lands[state.land].city is None:
        position.settle(state.land, Phrase("kingdom_city", "9.2", {"group": state.key}), city=WHOLE)
    position.control[state.key] = str(position.active)
    _step_in(position, state.key, max(0, state.strength - position.on_map(state.key)), state.land)


def _revived(position: Position, dice: Dice, play: Play) -> None:
    """Let a People of an earlier period act with half its strength, rounded up (9.2)."""
    entry = earlier(play.people, position.period)
    assert entry is not None
    _step_in(
        position,
        play.people,
        max(0, min((entry.strength + 1) // 2, position.counters_left(play.people))),
        entry.start,
    )


def _step_in(position: Position, group: str, armies: int, land: str) -> None:
    position.resume = Resume(position.current, position.in_hand, position.start_land)
    position.current, position.in_hand, position.start_land = group, armies, land
    position.note(
        "sub_begun",
        position.active,
        group,
        "9.2",
        seat=position.active,
        group=group,
        n=armies,
        land=land,
    )


def end_sub(position: Position) -> None:
    """Return to the main People, before its own placing (9.2, R23)."""
    assert position.resume is not None
    combat.leave(position)
    position.note(
        "sub_ended",
        position.active,
        str(position.current),
        "9.2",
        group=position.current,
        by=position.resume.current,
    )
    position.current, position.in_hand, position.start_land = position.resume
    position.resume, position.step = None, START


# Effects that last for the phase ------------------------------------------------------------------


def _switch(position: Position, dice: Dice, play: Play) -> None:
    position.bonus[play.card.kind] = True


def _add(position: Position, dice: Dice, play: Play) -> None:
    kind = play.card.kind
    position.bonus[kind] = int(position.bonus.get(kind) or 0) + int(play.card.effect["value"])


def _surprise(position: Position, dice: Dice, play: Play) -> None:
    position.bonus["surprise"] = play.land


def _revolt(position: Position, dice: Dice, play: Play) -> None:
    position.bonus["revolt"] = {"land": play.land, "n": int(play.card.effect["armies"])}


def _fort_points(position: Position, dice: Dice, play: Play) -> None:
    position.free_forts += int(play.card.effect["value"])


def _engineer(position: Position, dice: Dice, play: Play) -> None:
    if play.use == FORTS:
        position.free_forts += int(play.card.effect["fort_points"])
    else:
        position.bonus["ignore_terrain"] = True


# Immediate effects --------------------------------------------------------------------------------


def _strike(position: Position, land: str, n: int, play: Play) -> None:
    place = position.lands[land]
    cause = Phrase("struck", "9.3", {"card": play.card.key, "group": place.who, "n": n})
    position.note(
        "struck",
        position.seat_of(place.who),
        land,
        "9.3",
        land=land,
        group=place.who,
        n=n,
        card=play.card.key,
    )
    position.kill(land, n, cause)


def _plague(position: Position, dice: Dice, play: Play) -> None:
    """Remove an army from each land of an area; if the card rolls, only on its numbers."""
    unlucky = play.card.effect.get("loses_on")
    for land in OF_AREA[play.area]:
        if not position.lands[land].n:
            continue
        if (
            unlucky is None
            or dice.roll_within(
                f"{position.roll_prefix}/event-{play.card.key}/{land}", D6, position.period
            )
            in unlucky
        ):
            _strike(position, land, 1, play)
        else:
            position.note("spared", position.active, land, "9.3", land=land, card=play.card.key)


def _strip(position: Position, dice: Dice, play: Play) -> None:
    _strike(position, play.land, position.lands[play.land].n, play)


def _ruined(position: Position, dice: Dice, play: Play) -> None:
    if position.lands[play.land].city == WHOLE:
        position.settle(play.land, Phrase("ruined", "9.3", {"card": play.card.key}), city=LOOTED)
        position.note(
            "ruined", position.active, play.land, "9.3", land=play.land, card=play.card.key
        )
    combat.lose_fort(position, play.land, "9.3")


def _destroyed(position: Position, dice: Dice, play: Play) -> None:
    position.settle(play.land, Phrase("destroyed", "9.3", {"card": play.card.key}), city=None)
    position.note(
        "destroyed", position.active, play.land, "9.3", land=play.land, card=play.card.key
    )
    if position.lands[play.land].n:
        _strike(position, play.land, 1, play)


def _rebel(position: Position, dice: Dice, play: Play) -> None:
    """Turn half the Legions into Rebels, who attack the rest and the Fort to the end (9.3)."""
    land = play.land
    place = position.lands[land]
    colour = str(place.who)
    rebels = min((place.n + 1) // 2, position.counters_left(REBEL))
    loyal = place.n - rebels
    position.note(
        "rebelled",
        position.seat_of(colour),
        land,
        "9.3",
        land=land,
        colour=colour,
        n=rebels,
        loyal=loyal,
    )
    fight_rebellion(position, dice, Rebellion(play.card.key, land, colour, rebels), loyal)


def answer_rebellion(position: Position, dice: Dice, to: str | None, hold: bool) -> None:
    """Carry out a seat's decision for its loyal Legions (9.3).

    They retreat, or fight on for a round or to the end.
    """
    rebellion, position.rebellion = position.rebellion, None
    assert rebellion is not None
    land = rebellion.land
    if to is not None:
        combat.retreat(position, land, to)
    else:
        rebellion = rebellion._replace(hold=hold)
        seat = position.seat_of(rebellion.of)
        position.note("stood", seat, land, "8.5", seat=seat, land=land, hold=hold)
    fight_rebellion(position, dice, rebellion, position.lands[land].n, asked=True)


def _asks_retreat(position: Position, rebellion: Rebellion, loyal: int) -> bool:
    """Ask the seat whether its loyal Legions retreat, if they can (9.3).

    Return whether it was asked. It is asked from the second round on. Under the first edition of
    the rules the Legions never retreat.
    """
    if position.options.edition == 1 or not rebellion.round or not loyal or rebellion.hold:
        return False
    land, colour = rebellion.land, rebellion.of
    to = combat.shelters_near(position, land)
    if not to:
        return False
    position.settle(
        land, Phrase("rebelled", "9.3", {"colour": colour, "n": rebellion.rebels}), n=loyal
    )
    seat = str(position.seat_of(colour))
    position.rebellion, position.pending = rebellion, Pending("retreat", seat, land, to)
    position.note("asked_retreat", seat, land, "9.3", seat=seat, land=land, n=loyal)
    return True


def fight_rebellion(
    position: Position, dice: Dice, rebellion: Rebellion, loyal: int, asked: bool = False
) -> None:
    """Fight rounds until a side is gone or a seat has to decide on a retreat.

    `asked`: it has already decided before this round.
    """
    land, colour, rebels = rebellion.land, rebellion.of, rebellion.rebels
    place = position.lands[land]
    walls = place.fort
    while rebels and (loyal or walls):
        rebellion = rebellion._replace(rebels=rebels)
        if not asked and _asks_retreat(position, rebellion, loyal):
            return
        asked = False
        rebellion = rebellion._replace(round=rebellion.round + 1)
        if _round(position, dice, rebellion, walls, loyal):
            if loyal:
                loyal -= 1
                position.losses[colour] = position.losses.get(colour, 0) + 1
            else:
                walls = None
        else:
            rebels -= 1
    cause = Phrase("rebelled", "9.3", {"colour": colour, "n": rebels})
    if place.fort is not None and walls is None:
        combat.lose_fort(position, land, "9.3")
    if rebels:
        position.settle(land, cause, who=REBEL, n=rebels, of=colour)
    else:
        position.settle(land, cause, n=loyal)
    position.note(
        "rebellion_over",
        position.seat_of(colour),
        land,
        "9.3",
        land=land,
        colour=colour,
        n=rebels,
        loyal=loyal,
    )


def _round(
    position: Position, dice: Dice, rebellion: Rebellion, walls: Fort | None, loyal: int
) -> bool:
    """Fight a round of the Rebels' attack. Return whether they win it."""
    number = rebellion.round
    key, reroll = f"{position.roll_prefix}/event-{rebellion.card}/round-{number}", 0
    while True:
        thrown = combat.throw(dice, position.period, key, {"attacker": 2, "defender": 1}, reroll)
        mine, theirs = max(thrown["attacker"]), max(thrown["defender"]) + (walls is not None)
        winner = combat.decide(
            mine, theirs, walls is not None and walls.level == combat.FORTRESS, False
        )
        position.note(
            "rebel_round",
            position.active,
            rebellion.land,
            "9.3",
            land=rebellion.land,
            round=number,
            alone=not loyal,
            attacker=thrown["attacker"],
            thrown=thrown["defender"],
            mine=mine,
            his=theirs,
            winner=winner,
        )
        if winner:
            return winner == "attacker"
        reroll += 1


def _betray(position: Position, dice: Dice, play: Play) -> None:
    """Take an enemy land without combat (9.3)."""
    land = play.land
    place = position.lands[land]
    if position.combat is not None:
        combat.leave(position)
    position.step = EXPAND
    position.in_hand -= 1
    position.kill(land, place.n, Phrase("betrayed", "9.3", {"group": place.who}))
    if place.fort is not None and position.is_faction:
        position.settle(
            land,
            Phrase("fort_taken", "9.3", {"group": position.current}),
            fort=combat.keep_fort(position, place.fort),
        )
    else:
        combat.lose_fort(position, land, "9.3")
    combat.win(position, dice, land, place.who, play.loot)


DOES: dict[str, Callable[[Position, Dice, Play], None]] = {
    "minor": _rise,
    "kingdom": _rise,
    "revive": _revived,
    "three_dice": _switch,
    "ties": _switch,
    "no_fort_bonus": _switch,
    "attack_plus": _add,
    "save_losses": _add,
    "surprise": _surprise,
    "revolt": _revolt,
    "fort_points": _fort_points,
    "engineering": _engineer,
    "area_roll": _plague,
    "area_loss": _plague,
    "land_strip": _strip,
    "ruin": _ruined,
    "destroy_city": _destroyed,
    "rebellion": _rebel,
    "treachery": _betray,
}
assert {card.kind for card in CARDS.values()} == set(DOES)
assert all(state.land in LANDS for state in STATES.values())
