"""The agreements of both sides of a contest, read from the acts of the log."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Any

from django.utils.translation import gettext as _

from campaign.errors import Refused
from campaign.log.acts.battles import AGREE
from campaign.models import Campaign, LogEntry
from games.contract.title import WithAgreements


def agreements(acts: Iterable[LogEntry]) -> dict[str, set[str]]:
    """Return the seats that agree to something, by what they agree to.

    Args:
        acts: The acts on one contest, the oldest first. The last act of a seat counts.
    """
    seats_by_agreement: dict[str, set[str]] = {}
    for act in acts:
        if act.act == AGREE.name:
            seats = seats_by_agreement.setdefault(str(act.content["to"]), set())
            (seats.add if act.content["yes"] else seats.discard)(act.seat)
    return seats_by_agreement


def agreed_by(parties: Collection[str], acts: Iterable[LogEntry]) -> set[str]:
    """Return the things that all parties of a contest agree to; none if a side has no seat."""
    if not all(parties):
        return set()
    return {what for what, seats in agreements(acts).items() if seats >= set(parties)}


def parties_of(contest: Mapping[str, Any]) -> tuple[str, str]:
    """Return the seats that fight a contest, the attacker first; empty if no seat does.

    A neutral side has its leader.
    """
    defender = contest.get("defender") or contest.get("leader") or ""
    return str(contest.get("attacker") or ""), str(defender)


def must_have_agreement(campaign: Campaign, position: Any, move: Mapping[str, Any]) -> None:
    """Check that both sides agree to what the move enters, if it needs their agreement.

    `battles.services.enter_unagreed` enters such a result without their agreement, with a reason.

    Raises:
        Refused: The sides do not agree.
    """
    game = campaign.game
    if not isinstance(game, WithAgreements) or not (agreement := game.agreement_of(move)):
        return
    number = game.contest_of(move)
    contest = game.rows(position).contests.get(number)
    if contest is None:
        return
    if agreement not in agreed_by(parties_of(contest), _acts_of_contest(campaign, number)):
        text = _(
            "Both players must agree to this first. The game master may enter it anyway on the "
            "page of the battle, with a reason."
        )
        raise Refused("not-agreed", text)


def _acts_of_contest(campaign: Campaign, number: int) -> Iterable[LogEntry]:
    """Return the agreements to the contest whose launch is in force, the oldest first."""
    return campaign.entries.filter(
        kind=LogEntry.Kind.TABLE,
        act=AGREE.name,
        contest_rows__contest=number,
        target__struck_by=None,
    ).order_by("sequence")
