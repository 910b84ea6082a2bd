"""Additions of letters to notices: the request, the deadline, threats, and consequences.

These texts are made when the letter is sent, from the clocks as they are then.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.utils import timezone
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop, ngettext, pgettext

from campaign.dates import written
from campaign.log import positions
from campaign.models import Campaign, Clock
from engine.language import sentence
from games.contract.threats import Threat
from notices.deadlines import absolute_time
from notices.present import CampaignNow

NEAR = timedelta(days=7)
"""The time before a deadline during which a letter says how much of it is left."""

TITLES = {
    "turn": gettext_noop("{title}: it ends on {due}"),
    "slot": gettext_noop("{title}: play by {due}"),
    "answer": gettext_noop("{title}: answer by {due}"),
    "battle": gettext_noop("{title}: play it by {due}"),
    "claim": gettext_noop("{title}: confirm or dispute it by {due}"),
    "words": gettext_noop("{title}: add yours by {due}"),
}
"""The titles of letters with a deadline, by the kind of the clock."""
REQUESTS = {
    "turn": "",
    "slot": gettext_noop("Play your turn."),
    "answer": gettext_noop("Answer the challenge."),
    "battle": gettext_noop("Play the battle and claim its result."),
    "claim": gettext_noop("Confirm or dispute the result."),
    "words": gettext_noop("Add your words for the dice."),
}
"""The requests by the kind of the clock, if no deadline lies ahead."""
REQUESTS_WITH_DEADLINE = {
    "turn": gettext_noop("The turn ends on {moment}."),
    "slot": gettext_noop("Play your turn by {moment}."),
    "answer": gettext_noop("Answer the challenge by {moment}."),
    "battle": gettext_noop("Play the battle and claim its result by {moment}."),
    "claim": gettext_noop("Confirm or dispute the result by {moment}."),
    "words": gettext_noop("Add your words for the dice by {moment}."),
}
PAST_DEADLINE = gettext_noop("{request} The deadline was {moment}.")
CLOCK_ACTS = {
    "slot": gettext_noop("If you do nothing, your turn ends automatically on {acts}."),
    "answer": gettext_noop("If you do nothing, the challenge is accepted automatically on {acts}."),
    "claim": gettext_noop("If you do nothing, the result is confirmed automatically on {acts}."),
    "words": gettext_noop("If you add no words, the dice are mixed without yours on {acts}."),
}
"""The consequences of doing nothing if the clock acts by itself."""
GAME_MASTER_ACTS = {
    "slot": gettext_noop(
        "If you do nothing, the game master decides: they can extend the deadline or make your "
        "moves."
    ),
    "answer": gettext_noop(
        "If you do nothing, the game master decides: they can extend the deadline or answer for "
        "you."
    ),
    "battle": gettext_noop(
        "If the battle is not played by then, the game master decides: they can extend the "
        "deadline, enter a result, or name a substitute."
    ),
    "claim": gettext_noop(
        "If you do nothing, the game master decides: they can extend the deadline or decide on "
        "the claim."
    ),
    "words": gettext_noop(
        "If you add no words, the game master decides: they can extend the deadline or stop "
        "accepting words."
    ),
}
"""The consequences of doing nothing if the game master is asked."""


@dataclass(frozen=True, slots=True)
class Expectation:
    """The texts of a letter about a notice besides its news. Empty texts are left out.

    `due` is the deadline if it lies ahead.
    """

    request: str = ""
    threats: tuple[str, ...] = ()
    otherwise: str = ""
    due: datetime | None = None


NOTHING_EXPECTED = Expectation()


def weekday(moment: datetime) -> str:
    """Return the short name of a day of the week."""
    return (
        pgettext("day of the week", "Mon"),
        pgettext("day of the week", "Tue"),
        pgettext("day of the week", "Wed"),
        pgettext("day of the week", "Thu"),
        pgettext("day of the week", "Fri"),
        pgettext("day of the week", "Sat"),
        pgettext("day of the week", "Sun"),
    )[moment.weekday()]


def short_time(moment: datetime) -> str:
    """Return "Tue 1 Dec 06:08", in the reader's time zone."""
    local = timezone.localtime(moment)
    facts = {"day": weekday(local), "moment": written(local, "j M H:i")}
    return pgettext("day of the week and moment", "%(day)s %(moment)s") % facts


def long_time(moment: datetime, now: datetime) -> str:
    """Return a moment with day of the week, year and time zone, and how much time is left."""
    facts = {"day": weekday(timezone.localtime(moment)), "moment": absolute_time(moment)}
    text = pgettext("day of the week and moment", "%(day)s %(moment)s") % facts
    left = moment - now
    if not timedelta() < left < NEAR:
        return text
    hours = round(left / timedelta(hours=1))
    if hours < 1:
        return _("%(moment)s, in less than an hour") % {"moment": text}
    if hours < 48:
        message = ngettext("%(moment)s, in %(n)s hour", "%(moment)s, in %(n)s hours", hours)
        return message % {"moment": text, "n": hours}
    days = round(hours / 24)
    message = ngettext("%(moment)s, in %(n)s day", "%(moment)s, in %(n)s days", days)
    return message % {"moment": text, "n": days}


def request_text(kind: str, clock: Clock | None, now: datetime, *, is_asked: bool) -> str:
    """Return what is expected, and until when if a deadline is set.

    `is_asked` is false for readers who only follow the task of others.
    """
    request = _(REQUESTS[kind]) if is_asked and REQUESTS[kind] else ""
    if clock is None:
        return request
    moment = long_time(clock.due_at, now)
    if clock.due_at > now:
        is_plain = not is_asked and kind != Clock.Kind.TURN
        return sentence(
            _("The deadline is {moment}.") if is_plain else _(REQUESTS_WITH_DEADLINE[kind]),
            moment=moment,
        )
    if not is_asked:
        return ""
    return sentence(_(PAST_DEADLINE), request=request, moment=moment).strip()


def otherwise_text(clock: Clock | None, campaign: CampaignNow) -> str:
    """Return the consequence of a missed deadline, or an empty text if there is none."""
    if clock is None:
        return ""
    if clock.acts_at is not None and clock.acted_entry_id is None and clock.kind in CLOCK_ACTS:
        return sentence(_(CLOCK_ACTS[clock.kind]), acts=short_time(clock.acts_at))
    if clock.kind in GAME_MASTER_ACTS and campaign.asks_game_master(clock.kind):
        return _(GAME_MASTER_ACTS[clock.kind])
    return ""


def threat_texts(
    campaign: CampaignNow, seat: str, now: datetime, named: Collection[int]
) -> tuple[str, ...]:
    """Return a sentence for each threat to a seat, with what is expected and until when.

    Threats by the contests of `named` are left out, because the letter names them elsewhere.
    """
    return tuple(
        _threat_text(campaign, threat, seat, now)
        for threat in campaign.threats(seat)
        if threat.contest not in named
    )


def _threat_text(campaign: CampaignNow, threat: Threat, seat: str, now: datetime) -> str:
    table: Campaign = campaign.campaign
    what = capfirst(table.game.speak(positions.scenario(table), threat.what))
    if threat.contest is None:
        return sentence(pgettext("threat", "{threat}."), threat=what)
    is_open = not campaign.is_answered(threat.contest)
    clocks = [clock for clock in campaign.clocks if clock.contest == threat.contest]
    if any(clock.kind == Clock.Kind.CLAIM and seat not in clock.seats for clock in clocks):
        # The other side has to confirm the result that this seat has claimed.
        return sentence(pgettext("threat", "{threat}."), threat=what)
    asked = (clock for clock in clocks if seat in clock.seats)
    clock = next((clock for clock in asked if not clock.held and clock.due_at > now), None)
    if clock is None:
        text = _("{threat}: answer the challenge.") if is_open else _("{threat}: play the battle.")
        return sentence(text, threat=what)
    texts = {
        "answer": _("{threat}: answer by {due}."),
        "battle": _("{threat}: play the battle by {due}."),
        "claim": _("{threat}: confirm or dispute the result by {due}."),
    }
    return sentence(texts[clock.kind], threat=what, due=short_time(clock.due_at))
