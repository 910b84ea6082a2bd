"""What a new level of an account means for a nation, beside it in "What follows": only where it means another thing."""

from __future__ import annotations

from django.utils.translation import gettext as _

from engine.sentence import sentence
from games.grand_campaign.levels import CRUMBLES_AT
from games.grand_campaign.military import NO_ATTACK, NO_COVERT_ATTACK
from games.grand_campaign.position import Position
from games.grand_campaign.words import amount


def hint(before: Position, after: Position, holder: str, account: str) -> str:
    """A phrase without full stop, empty where the level means what it meant."""
    if holder not in after.nations or after.nations[holder].fallen:
        return ""
    return {"stability": _stability, "prestige": _prestige, "income": _income, "army": _army}.get(account, _none)(
        before, after, holder
    )


def _none(before: Position, after: Position, holder: str) -> str:
    return ""


def _stability(before: Position, after: Position, holder: str) -> str:
    """2.1 to 2.3; what a nation gains in its slot allows no attack before the next one (3.12)."""
    was, nation = before.nations[holder].stability, after.nations[holder]
    forbids, forbade = _forbidden(nation.stability), _forbidden(was)
    if forbids == forbade:
        return ""
    if forbids > forbade:
        none = sentence(_("no attacks at all; at {level} the nation crumbles"), level=CRUMBLES_AT)
        return none if forbids == 2 else _("no covert attacks")
    late = after.slot == holder and _forbidden(nation.opening_stability) > forbids
    some = _("attacks again, no covert ones")
    what = some if forbids else _("covert attacks again") if forbade == 1 else _("attacks again")
    return sentence(_("{what}, from the next slot on"), what=what) if late else what


def _forbidden(stability: int) -> int:
    """0: every attack may be made, 1: no covert one (2.1), 2: none at all (2.2)."""
    return (stability <= NO_COVERT_ATTACK) + (stability <= NO_ATTACK)


def _prestige(before: Position, after: Position, holder: str) -> str:
    """2.7."""
    rules = after.rules
    was, now = (position.nations[holder].prestige >= rules.prestigious for position in (before, after))
    if was == now:
        return ""
    cost = rules.costs["independent-prestigious" if now else "independent"]
    return sentence(_("covert attacks on it cost {actions}"), actions=amount(cost))


def _income(before: Position, after: Position, holder: str) -> str:
    """3.1."""
    was, now = (after.rules.actions(position.nations[holder].income) for position in (before, after))
    if was == now:
        return ""
    return sentence(_("{actions} next slot"), actions=amount(now)) if now else _("0 actions next slot")


def _army(before: Position, after: Position, holder: str) -> str:
    """2.8."""
    was, now, army = before.nations[holder].army, after.nations[holder].army, after.rules.army
    if was < army["maximum"] <= now:
        return _("victories raise it no further")
    return _("defeats lower it no further") if was > army["minimum"] >= now else ""
