"""Banners about missing dice, which every page of a campaign shows above its content."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from campaign.clocks import selectors as clock_selectors
from campaign.dice import selectors as dice_selectors
from campaign.dice.selectors import Stage
from campaign.log.acts.dice import turn_name
from campaign.models import GAME_MASTER
from engine.language import Name, capitalize
from web.frame.table import TableContext


@dataclass(frozen=True, slots=True)
class MixingWaits:
    """A banner about the words or the draw that the next turn is waiting for."""

    title: str
    text: str
    mine: bool
    words: bool
    """Whether the reader can add words."""


@dataclass(frozen=True, slots=True)
class Parked:
    """A banner about an announced move that waits for a die."""

    text: str
    move: Mapping[str, Any]
    """The move in record form."""
    purpose: str
    mine: bool
    seat: str
    url: str


def mixing_waits(table: TableContext) -> MixingWaits | None:
    """Return the banner about missing words or draws for the next turn; None if none is missing."""
    campaign = table.campaign
    stage = dice_selectors.next_stage(campaign) if campaign.chance else None
    if stage is None or stage.done or campaign.archived or campaign.abandoned:
        return None
    is_between_turns = campaign.phase in dice_selectors.OUT_OF_TURN
    if not is_between_turns and stage.link != campaign.turn:
        return None
    late = late_seats(table, stage)
    adds_words = bool(set(late) & set(table.own_seats)) and stage.takes_words(timezone.now())
    return MixingWaits(
        title=banner_title(stage),
        text=" ".join(missing_parts(stage, len(late))),
        mine=adds_words or table.game_master,
        words=adds_words,
    )


def missing_parts(stage: Stage, late: int) -> Iterator[str]:
    """Yield a sentence for each missing part; `late` seats have added no words."""
    now = timezone.now()
    if stage.takes_words(now) and late:
        yield ngettext(
            "%(n)s seat has not added its words yet.",
            "%(n)s seats have not added their words yet.",
            late,
        ) % {"n": late}
    elif stage.needs_words and not stage.closed and not has_fallen(stage, now):
        yield _("The game master is still accepting words.")
    if stage.needs_draw and not (stage.drawn or stage.without):
        yield (
            _("The public draw has not taken place yet.")
            if stage.named
            else _("The game master has not chosen the public draw yet.")
        )


def has_fallen(stage: Stage, now: datetime) -> bool:
    """Return whether the public draw has taken place."""
    return stage.falls_at is not None and stage.falls_at <= now


def late_seats(table: TableContext, stage: Stage) -> list[str]:
    """Return the seats that have added no words."""
    return clock_selectors.words_missing(table.campaign, stage, table.position)


def banner_title(stage: Stage) -> str:
    """Return the heading of the banner."""
    if stage.link:
        return _("The dice of turn %(n)s are not ready yet") % {"n": stage.link}
    return _("The dice of the start and of turn 1 are not ready yet")


def stage_title(stage: Stage) -> Name:
    """Return the turn whose dice are mixed, in words."""
    return turn_name(stage.link)


def parked(table: TableContext) -> Parked | None:
    """Return the banner about a move that waits for a die; None if none waits."""
    waits = dice_selectors.awaited_die(table.campaign)
    if waits is None:
        return None
    seat = str(waits.move.get("for", waits.move["by"]))
    text = table.title.move_line(table.scenario, waits.move)
    return Parked(
        text=capitalize(text)
        if seat == GAME_MASTER
        else f"{capitalize(table.name_of(seat))}: {text}",
        move=waits.move,
        purpose=waits.purpose,
        mine=seat in table.own_seats or table.game_master,
        seat=seat,
        url=f"{table.url('dice')}#h-hand",
    )
