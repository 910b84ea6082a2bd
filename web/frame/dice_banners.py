"""What the dice wait for, as every page of the campaign shows it above its content."""

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
from campaign.models import GAME_MASTER
from engine.language import capital, joined
from web.frame.table import TableContext


@dataclass(frozen=True, slots=True)
class MixingWaits:
    """What the opening of the next turn waits for, as every page of the campaign shows it."""

    stage_title: str
    text: str
    mine: bool
    words: bool
    """Whether the reader can add words."""


@dataclass(frozen=True, slots=True)
class Parked:
    """An announcement that waits for a die, as every page of the campaign shows it."""

    text: str
    move: Mapping[str, Any]
    """The move in record form."""
    purpose: str
    mine: bool
    seat: str
    url: str


def mixing_waits(table: TableContext) -> MixingWaits | None:
    """Return what the opening of the next turn waits for; None if nothing is missing."""
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
        stage_title=stage_title(stage),
        text=joined(_(" and "), list(missing_parts(stage, len(late)))),
        mine=adds_words or table.game_master,
        words=adds_words,
    )


def missing_parts(stage: Stage, late: int) -> Iterator[str]:
    """Return what is missing; `late` seats have added no words."""
    now = timezone.now()
    if stage.takes_words(now) and late:
        yield ngettext("words of %(n)s seat", "words of %(n)s seats", late) % {"n": late}
    elif stage.needs_words and not stage.closed and not has_fallen(stage, now):
        yield _("the game master, who closes the words")
    if stage.needs_draw and not (stage.drawn or stage.without):
        yield (
            _("the public draw") if stage.named else _("the game master, who names the public draw")
        )


def has_fallen(stage: Stage, now: datetime) -> bool:
    """Return whether the public draw has taken place."""
    return stage.falls_at is not None and stage.falls_at <= now


def late_seats(table: TableContext, stage: Stage) -> list[str]:
    """Return the seats that have added no words."""
    return clock_selectors.words_missing(table.campaign, stage, table.position)


def stage_title(stage: Stage) -> str:
    """Return which dice something is mixed into, in words."""
    return _("turn %(n)s") % {"n": stage.link} if stage.link else _("the start and turn 1")


def parked(table: TableContext) -> Parked | None:
    """Return the announcement that waits for a die; None if none waits."""
    waits = dice_selectors.awaited(table.campaign)
    if waits is None:
        return None
    seat = str(waits.move.get("for", waits.move["by"]))
    text = table.title.move_line(table.scenario, waits.move)
    return Parked(
        text=capital(text) if seat == GAME_MASTER else f"{capital(table.name_of(seat))}: {text}",
        move=waits.move,
        purpose=waits.purpose,
        mine=seat in table.own_seats or table.game_master,
        seat=seat,
        url=f"{table.url('dice')}#h-hand",
    )
