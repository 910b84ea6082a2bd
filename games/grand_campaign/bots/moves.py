"""The moves that a seat may make now, and the game master's next move."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from random import Random

from engine.errors import IllegalMove
from games.grand_campaign.bots.battle_model import Raw, simulate_battle
from games.grand_campaign.rules.attacks import attack_cost
from games.grand_campaign.rules.moves import decode
from games.grand_campaign.rules.numbers import Structure
from games.grand_campaign.rules.position import Attack, Nation, Position


def legal(position: Position, raw: Raw) -> bool:
    """Return whether the rules allow this move now; nothing is played."""
    try:
        move = decode(raw, position)
        move.admit(position)
        move.check(position)
    except IllegalMove:
        return False
    return True


def moves(position: Position, seat: str) -> Iterator[Raw]:
    """Yield the moves that a seat may make in its slot now.

    Attacks are without cards and modules, and exchanges are left out.
    """
    head = {"by": seat}
    for raw in _candidates(position, seat):
        if legal(position, raw := {**head, **raw}):
            yield raw


def _candidates(position: Position, seat: str) -> Iterator[Raw]:
    nation, rules, scenario = position.nations[seat], position.rules, position.scenario
    own = position.provinces_of(seat)
    for structure in next_structures(position, nation):
        yield {"move": "build", "structure": structure.name}
    for name in ("tax-exemption", "tax-increase", "barracks", "siege-train", "provincial-levy"):
        if nation.actions >= rules.costs.get(name, 0):
            yield {"move": name}
    for province in own:
        level = position.fortification.get(province, 0)
        if level < len(rules.fortifications) and nation.actions >= rules.fortifications[level].cost:
            yield {"move": "fortify", "province": province}
        if (
            scenario.provinces[province].maritime
            and province not in position.fleets
            and nation.actions >= rules.costs["fleet"]
        ):
            yield {"move": "fleet", "province": province}
    for kind, source, target in ways(position, seat):
        if nation.actions >= attack_cost(position, kind, target):
            yield {"move": "attack", "kind": kind, "from": source, "target": target}
    for card in dict.fromkeys(nation.hand):
        for given in _card_choices(position, nation, card):
            yield {"move": "play", "card": card, **given}
    yield {"move": "end-slot"}


def ways(position: Position, seat: str) -> Iterator[tuple[str, str, str]]:
    """Yield the kind, starting point and target of every attack that map and owners allow."""
    scenario, owner = position.scenario, position.owner
    most = position.rules.attacks_per_turn
    if position.attacks_counted(seat, covert=False) < most["overt"]:
        for source in position.provinces_of(seat):
            yield from (
                ("land", source, target)
                for target in scenario.land[source]
                if owner[target] != seat
            )
            if source in position.fleets:
                yield from (
                    ("amphibious", source, target)
                    for target in scenario.sea[source]
                    if owner[target] != seat
                )
    if position.attacks_counted(seat, covert=True) < most["covert"]:
        for target, holder in owner.items():
            if holder is not None and holder != seat:
                yield from (
                    ("independent", source, target)
                    for source in scenario.land[target]
                    if owner[source] is None
                )


def _card_choices(position: Position, nation: Nation, card: str) -> Iterator[Raw]:
    """Yield the further arguments with which a card may be played."""
    others = [
        other for key, other in position.nations.items() if key != nation.key and not other.fallen
    ]
    match card:
        case "chancellor" | "mercenaries":
            yield {}
        case "spy":
            yield from _spies(position, others)
        case "assassin":
            yield from _assassins(position, others)
        case "diplomat":
            yield from ({"province": province} for province in ownerless_provinces(position))
            yield from ({"truce": other.key} for other in others)
        case "traitor" | "local-insurrection":
            more = {"battle": "open"} if card == "local-insurrection" else {}
            for province, holder in position.owner.items():
                if holder is not None and holder != nation.key:
                    yield {"province": province, **more}


def _spies(position: Position, others: Sequence[Nation]) -> Iterator[Raw]:
    for other in others:
        if not position.options.hidden:
            yield from (
                {"target": other.key, "steal": theirs} for theirs in dict.fromkeys(other.hand)
            )
        elif other.hand:
            yield {"target": other.key}


def _assassins(position: Position, others: Sequence[Nation]) -> Iterator[Raw]:
    for other in others:
        for kind in ("diplomat", "traitor", "spy", "chancellor"):
            if position.options.hidden or kind in other.hand:
                yield {"target": other.key, "destroy": kind}


def ownerless_provinces(position: Position) -> Iterator[str]:
    return (province for province, holder in position.owner.items() if holder is None)


def next_structures(position: Position, nation: Nation) -> list[Structure]:
    """Return the next structure of each track."""
    tracks: dict[str, Structure] = {}
    for structure in position.rules.structures[
        position.scenario.nations[nation.key].culture
    ].values():
        if structure.name not in nation.structures:
            tracks.setdefault(structure.track, structure)
    return list(tracks.values())


def seat_to_move(position: Position) -> str | None:
    """Return the seat that must move next, or None for the game master.

    A challenged defender comes before the seat of the slot.
    """
    for attack in position.running:
        if attack.status == "challenged":
            return attack.defender
    return None if position.running else position.slot


Luck = Callable[[Attack], Random]


def master(position: Position, rng: Random, luck: Luck | None = None) -> Raw | None:
    """Return the game master's next move, or None if the campaign has ended.

    The game master opens turns and reports battles by the model. `luck` may give each battle its
    own random numbers.
    """
    for attack in position.running:
        if attack.status == "fighting":
            return simulate_battle(attack, rng if luck is None else luck(attack))
    if position.phase == "setup":
        return {"by": "gm", "move": "start"}
    if position.phase == "closed":
        return {"by": "gm", "move": "open-turn"}
    return None
