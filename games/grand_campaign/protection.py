"""What shields a province or forbids a starting point (6.1, 6.2, 7.3 to 7.5, 4.8), in the order of the numbers."""

from __future__ import annotations

from engine.errors import IllegalMove
from games.grand_campaign.position import Position


def external(position: Position, source: str | None, target: str, covert: bool = False) -> None:
    """External provinces are never targets, and starting points of covert attacks only by option (6.1)."""
    if target in position.scenario.external:
        raise IllegalMove("external-province", "6.1", province=target)
    if source in position.scenario.external and not (covert and position.options.external_attacks):
        raise IllegalMove("external-province", "6.1", "external-source", province=source)


def is_capital(position: Position, province: str) -> bool:
    """Is it the capital of the nation that holds it now?"""
    owner = position.owner[province]
    return owner is not None and position.scenario.capital_of.get(province) == owner


def capital(position: Position, target: str) -> None:
    """A capital is safe before turn 6, and while another province of its nation stands (6.2)."""
    if not is_capital(position, target):
        return
    before = position.rules.capital_protected_before_turn
    if position.turn < before:
        raise IllegalMove("capital-protected", "6.2", "capital-before-turn", province=target, turn=before)
    owner = position.owner[target]
    if sum(1 for holder in position.owner.values() if holder == owner) > 1:
        raise IllegalMove("capital-protected", "6.2", "capital-not-last", province=target, nation=owner)


def no_capital(position: Position, target: str, rule: str) -> None:
    """Insurrections and traitors never touch a capital, whoever holds it (4.5, 4.9)."""
    if target in position.scenario.capital_of:
        raise IllegalMove("capital-protected", rule, "capital-never", province=target)


def starting_point(position: Position, source: str) -> None:
    """A starting point is not under attack and serves one attack a turn (7.3)."""
    if position.under_attack(source):
        raise IllegalMove("starting-point-under-attack", "7.3", province=source)
    if source in position.sources:
        raise IllegalMove("starting-point-used", "7.3", province=source)


def not_starting_point(position: Position, target: str) -> None:
    """A starting point is protected for the whole turn (7.4)."""
    if target in position.sources:
        raise IllegalMove("starting-point-protected", "7.4", province=target)


def target(position: Position, province: str) -> None:
    """A target is no starting point and has not been attacked this turn (7.4, 7.5)."""
    not_starting_point(position, province)
    if province in position.attacked:
        raise IllegalMove("already-attacked", "7.5", province=province)


def not_under_attack(position: Position, province: str, rule: str) -> None:
    """The province has no unresolved attack on it."""
    if position.under_attack(province):
        raise IllegalMove("province-under-attack", rule, province=province)


def truce(position: Position, one: str, other: str | None) -> None:
    """No truce stands between the two (4.8)."""
    if other is not None and position.truce_between(one, other):
        until = next(t.until for t in position.truces if set(t.nations) == {one, other})
        raise IllegalMove("truce", "4.8", nation=other, until=until)
