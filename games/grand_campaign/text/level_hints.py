"""What a new level of an account means for a nation, if it means something else than before."""

from __future__ import annotations

from collections.abc import Callable

from engine.language import gettext as _
from engine.language import sentence
from games.grand_campaign.rules.attacks import NO_ATTACK, NO_COVERT_ATTACK
from games.grand_campaign.rules.position import CRUMBLES_AT, Position, has_slot_to_come
from games.grand_campaign.text.words import amount


def hint(before: Position, after: Position, holder: str, account: str) -> str:
    """Return what a new level means, without a full stop; empty if it means the same as before."""
    make = HINTS.get(account)
    if make is None or holder not in after.nations or after.nations[holder].fallen:
        return ""
    return make(before, after, holder)


def stability_hint(before: Position, after: Position, holder: str) -> str:
    """Return which attacks are allowed now (2.1 to 2.3).

    What a nation gains in its slot allows no attack before the next slot (3.12).
    """
    was, nation = before.nations[holder].stability, after.nations[holder]
    forbids, forbade = forbidden(nation.stability), forbidden(was)
    if forbids == forbade:
        return ""
    if forbids > forbade:
        none = sentence(_("no attacks at all; at {level} the nation crumbles"), level=CRUMBLES_AT)
        return none if forbids == 2 else _("no covert attacks")
    late = after.slot == holder and forbidden(nation.opening_stability) > forbids
    some = _("attacks again, no covert ones")
    what = some if forbids else _("covert attacks again") if forbade == 1 else _("attacks again")
    return sentence(_("{what}, from the next slot on"), what=what) if late else what


def forbidden(stability: int) -> int:
    """Return 0 if every attack is allowed, 1 if no covert one (2.1), 2 if none at all (2.2)."""
    return (stability <= NO_COVERT_ATTACK) + (stability <= NO_ATTACK)


def prestige_hint(before: Position, after: Position, holder: str) -> str:
    """Return what covert attacks on the nation cost now (2.7)."""
    rules = after.rules
    was, now = (
        position.nations[holder].prestige >= rules.prestigious for position in (before, after)
    )
    if was == now:
        return ""
    cost = rules.costs["independent-prestigious" if now else "independent"]
    return sentence(_("covert attacks on it cost {actions}"), actions=amount(cost))


def income_hint(before: Position, after: Position, holder: str) -> str:
    """Return how many actions the income gives next (3.1).

    In the last turn it gives none after the nation's slot has opened.
    """
    was, now = (
        after.rules.actions(position.nations[holder].income) for position in (before, after)
    )
    if was == now or not has_slot_to_come(after, holder):
        return ""
    return (
        sentence(_("{actions} next slot"), actions=amount(now)) if now else _("0 actions next slot")
    )


def army_hint(before: Position, after: Position, holder: str) -> str:
    """Return that the army has reached an end of its scale (2.8)."""
    was, now, army = before.nations[holder].army, after.nations[holder].army, after.rules.army
    if was < army["maximum"] <= now:
        return _("victories raise it no further")
    return _("defeats lower it no further") if was > army["minimum"] >= now else ""


HINTS: dict[str, Callable[[Position, Position, str], str]] = {
    "stability": stability_hint,
    "prestige": prestige_hint,
    "income": income_hint,
    "army": army_hint,
}
