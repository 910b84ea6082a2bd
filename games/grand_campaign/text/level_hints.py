"""The meaning of a new level of an account for a nation, if it differs from that before."""

from __future__ import annotations

from collections.abc import Callable

from engine.language import gettext as _
from engine.language import sentence
from games.grand_campaign.rules.attacks import NO_ATTACK, NO_COVERT_ATTACK
from games.grand_campaign.rules.position import CRUMBLES_AT, Position, has_slot_to_come
from games.grand_campaign.text.words import amount


def hint(before: Position, after: Position, holder: str, account: str) -> str:
    """Return the meaning of a new level without a full stop, empty if it has not changed."""
    make = HINTS.get(account)
    if make is None or holder not in after.nations or after.nations[holder].fallen:
        return ""
    return make(before, after, holder)


def stability_hint(before: Position, after: Position, holder: str) -> str:
    """Return the attacks that are allowed now (2.1 to 2.3).

    Stability that a nation gains in its slot allows no attack before the next slot (3.12).
    """
    was, nation = before.nations[holder].stability, after.nations[holder]
    forbids, forbade = forbidden(nation.stability), forbidden(was)
    if forbids == forbade:
        return ""
    if forbids > forbade:
        none = sentence(_("no attacks at all; at {level} the nation crumbles"), level=CRUMBLES_AT)
        return none if forbids == 2 else _("no covert attacks")
    if after.slot == holder and forbidden(nation.opening_stability) > forbids:
        if forbids:
            return _("attacks possible again from the next turn on, but no covert attacks")
        if forbade == 1:
            return _("covert attacks possible again from the next turn on")
        return _("attacks possible again from the next turn on")
    if forbids:
        return _("attacks possible again, but no covert attacks")
    return _("covert attacks possible again") if forbade == 1 else _("attacks possible again")


def forbidden(stability: int) -> int:
    """Return which attacks are forbidden (2.1, 2.2).

    It is 0 if none is, 1 if covert attacks are, and 2 if all attacks are.
    """
    return (stability <= NO_COVERT_ATTACK) + (stability <= NO_ATTACK)


def prestige_hint(before: Position, after: Position, holder: str) -> str:
    """Return the cost of covert attacks on the nation now (2.7)."""
    rules = after.rules
    was, now = (
        position.nations[holder].prestige >= rules.prestigious for position in (before, after)
    )
    if was == now:
        return ""
    cost = rules.costs["independent-prestigious" if now else "independent"]
    return sentence(_("covert attacks on this nation cost {actions}"), actions=amount(cost))


def income_hint(before: Position, after: Position, holder: str) -> str:
    """Return the actions that the income gives next (3.1).

    In the last turn it gives none after the nation's slot has opened.
    """
    was, now = (
        after.rules.actions(position.nations[holder].income) for position in (before, after)
    )
    if was == now or not has_slot_to_come(after, holder):
        return ""
    return (
        sentence(_("{actions} next turn"), actions=amount(now))
        if now
        else _("no actions next turn")
    )


def army_hint(before: Position, after: Position, holder: str) -> str:
    """Return a note if the army has reached an end of its scale (2.8)."""
    was, now, army = before.nations[holder].army, after.nations[holder].army, after.rules.army
    if was < army["maximum"] <= now:
        return _("victories no longer raise it")
    return _("defeats no longer lower it") if was > army["minimum"] >= now else ""


HINTS: dict[str, Callable[[Position, Position, str], str]] = {
    "stability": stability_hint,
    "prestige": prestige_hint,
    "income": income_hint,
    "army": army_hint,
}
