"""A battle that one side plays solo on empire difficulty, because the other is away (RULES 11): the game master says so.

It stands in the log, on the battle's page and in its reports. Who is away is not waited for any more; what his opponent
claims, the game master judges. Both may be said of a battle again and again; the last word counts.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from battles.models import Battle
from battles.services import At
from campaign import access, positions
from campaign.errors import Refused
from campaign.models import Campaign, LogEntry
from campaign.services import asking
from campaign.words_away import SOLO
from engine.report import Block, Contents, Paragraph, Span
from engine.sentence import sentence

OF_BATTLE = re.compile(r"(?:battle|result)-([0-9]{1,9})", re.ASCII)


@transaction.atomic
def agree(campaign: Campaign, user: Any, number: int, seat: str, *, now: datetime | None = None) -> LogEntry:
    """The seat is away: its opponent plays the battle solo. Raises `Refused` where nobody could, or it is so already."""
    access.must_be_game_master(campaign, user)
    here = At(campaign, user, number, now)
    if not seat or seat not in here.battle.parties or not here.battle.other(seat):
        raise Refused("no-side", _("This battle has no opponent who could play it alone."))
    here.must_run()
    if here.battle.status == "challenged":
        raise Refused("not-answered", _("The challenge is not answered yet."))
    if here.battle.solo:
        raise Refused("solo-already", _("It is played solo already. End that first."))
    return _asked(here, here.say(SOLO, seat, how="agreed"))


@transaction.atomic
def end(campaign: Campaign, user: Any, number: int, *, now: datetime | None = None) -> LogEntry:
    """He is back: both play it again."""
    access.must_be_game_master(campaign, user)
    here = At(campaign, user, number, now)
    here.must_run()
    if not here.battle.solo:
        raise Refused("not-solo", _("Both play this battle."))
    return _asked(here, here.say(SOLO, here.battle.solo, how="ended"))


def _asked(here: At, said: LogEntry) -> LogEntry:
    asking.of_contest(here.table, here.user, said, here.battle.number, here.at)
    return said


def said(battle: Battle) -> LogEntry | None:
    """The act by which it is played solo now."""
    if not battle.solo:
        return None
    acts = {"kind": LogEntry.Kind.TABLE, "act": SOLO}
    found = LogEntry.objects.filter(campaign_id=battle.campaign_id, target=battle.entry_id, **acts)
    return found.select_related("actor").order_by("sequence").last()


def noted(campaign: Campaign, item: Contents) -> Sequence[Block]:
    """What a report says of it: `settings.REPORT_NOTES`. One query for a report that may have something to say."""
    found = OF_BATTLE.fullmatch(item.key)
    if not found and item.kind != "turn":
        return ()
    rows = Battle.objects.filter(campaign=campaign).exclude(solo="")
    rows = rows.filter(number=int(found[1])) if found else rows.filter(turn=item.turn)
    names, made = positions.seats(campaign), []
    for one in rows.order_by("number"):
        away, other = names.get(one.solo, one.solo), names.get(one.other(one.solo), one.other(one.solo))
        text = sentence(
            _("Battle #{number}: the {away} were away (§11), and the {other} played it solo on empire difficulty."),
            number=one.number, away=away, other=other,
        )  # fmt: skip
        made.append(Paragraph((Span(text, italic=True),)))
    return made
