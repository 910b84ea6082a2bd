"""What a game master does for his own seat, where he plays: read from the move or act itself, before it is said and after.

He who plays in company is asked to have such an act countersigned (docs/decisions/0027). A seat is touched by an effect on
what it holds, and by a contest of which it is a side. What the rules do by themselves, such as the opening of a turn, is
nobody's favour.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from django.db.models import Q, Subquery

from campaign import positions
from campaign.access import Access
from campaign.audience import GAME_MASTER
from campaign.models import Campaign, LogEntry, Membership
from engine.effects import Effect
from engine.title import Branch

PURSE, WAS = "actions", "was"
SIDES = ("attacker", "defender", "leader")
Contests = Mapping[int, Mapping[str, Any]]


def own(campaign: Campaign, user: Any, who: Access) -> frozenset[str]:
    """The seats of a game master who plays with others: those he holds, and those he gave up in this turn or the one before,
    for else he could give one up, correct, and take it again. Empty for everybody else, and where nobody else plays. One query.
    """
    if not who.host:
        return frozenset()
    turned = campaign.entries.filter(turn__gte=max(campaign.turn - 1, 0)).order_by("sequence").values("at")[:1]
    late = Q(user_id=user.pk, until__gte=Subquery(turned))
    found = campaign.memberships.filter(Q(until=None) | late, role=Membership.Role.SEAT).values_list("seat", "until")
    held, gone = ({seat for seat, until in found if (until is None) is now} for now in (True, False))
    return frozenset({*who.seats, *gone}) if held - set(who.seats) else frozenset()


def by_effects(effects: Iterable[Effect], seats: Iterable[str]) -> frozenset[str]:
    """Those of the seats on whose accounts, cards or lands these effects are; land is his, too, who had it (`was`)."""
    named = (who for effect in effects for who in (effect.holder, effect.facts.get(WAS)))
    return frozenset(seats) & {who for who in named if isinstance(who, str)}


def by_contests(before: Contests, after: Contests, seats: Iterable[str]) -> frozenset[str]:
    """Those of the seats that are sides of a contest which is otherwise after than before."""
    changed = [facts for number, facts in after.items() if before.get(number) != facts]
    return frozenset(seats) & {facts.get(side) for facts in changed for side in SIDES if facts.get(side)}


def of_contest(campaign: Campaign, number: int, seats: Iterable[str], position: Any = None) -> frozenset[str]:
    """Those of the seats that are sides of this contest."""
    position = positions.current(campaign) if position is None else position
    facts = campaign.game.rows(position).contests.get(number, {})
    return frozenset(seats) & {facts[side] for side in SIDES if facts.get(side)}


def of_move(
    campaign: Campaign, raw: Mapping[str, Any], effects: Iterable[Effect], seats: frozenset[str], before: Any, after: Any
) -> frozenset[str]:
    """Those of the seats that a game master's move favours or harms: a correction, another seat's move, a contest's result.

    That a slot opens and fills its purse is no favour of who ended the slot before it.
    """
    if raw.get("by") != GAME_MASTER:
        return frozenset()
    seats -= {str(raw.get("for", ""))}
    contests = campaign.game.rows(before).contests, campaign.game.rows(after).contests
    touched = by_contests(*contests, seats)
    if "reason" in raw:
        return touched | by_effects(effects, seats)
    if "for" in raw:
        return touched | by_effects((one for one in effects if one.kind != "slot" and one.subject != PURSE), seats)
    return touched


def of_branches(
    campaign: Campaign, raw: Mapping[str, Any], branches: Iterable[Branch], seats: frozenset[str], before: Any
) -> frozenset[str]:
    """The same of a move that is not made yet, however its dice fall."""
    found: frozenset[str] = frozenset()
    for branch in branches if seats else ():
        found |= of_move(campaign, raw, branch.effects, seats, before, branch.after)
    return found


def of_struck(entries: Iterable[LogEntry], seats: Iterable[str]) -> frozenset[str]:
    """Those of the seats whose moves these are, or on whose accounts their effects are: an undo concerns them."""
    seats, found = frozenset(seats), set[str]()
    for entry in entries:
        found |= {entry.seat} | by_effects(entry.all_effects, seats)
    return seats & found
