"""What a game master may do with the life of a campaign, and what that does to its deadlines."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import NamedTuple

from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from campaign import founding
from campaign.clocks.selectors import running
from engine.language import sentence
from games.registry import word
from web.frame.deadlines import span
from web.frame.table import TableContext

LIFE = {
    "paused": (
        gettext_lazy("Pause the campaign"),
        gettext_lazy("Nobody moves until you resume. You can still undo; nothing is lost."),
    ),
    "resumed": (
        gettext_lazy("Resume the campaign"),
        gettext_lazy("Moves go on where they stopped."),
    ),
    "abandoned": (
        gettext_lazy("Abandon the campaign"),
        gettext_lazy("Nobody moves any more. Everything stays readable, and you can resume it."),
    ),
    "revived": (
        gettext_lazy("Resume the campaign"),
        gettext_lazy("Moves go on where they stopped."),
    ),
    "archived": (
        gettext_lazy("Put it into the archive"),
        gettext_lazy(
            "It is removed from all lists. Its address continues to work, and you can take it out"
            " again."
        ),
    ),
    "unarchived": (
        gettext_lazy("Take it out of the archive"),
        gettext_lazy("It is in the lists again."),
    ),
}
"""Each act with its verb and what it does."""


class LifeAct(NamedTuple):
    """An act that is possible now."""

    key: str
    verb: str
    effect: str
    needs_reason: bool

    @property
    def asks(self) -> bool:
        """Return whether the form has a field for a reason or a comment."""
        return self.needs_reason or self.key == "paused"

    @property
    def reason_label(self) -> str:
        """Return the label of that field."""
        return _("Reason, for all to read") if self.needs_reason else _("Comment (optional)")


@dataclass(frozen=True, slots=True)
class LifeSheet:
    """The sheet "Campaign status"."""

    acts: list[LifeAct]
    copy_text: str
    copy_verb: str


def life_sheet(table: TableContext) -> LifeSheet | None:
    """Return the sheet for a game master; None for everyone else."""
    if not table.host:
        return None
    if table.solo:
        text = _("The same scenario and options with new dice.")
    else:
        text = _("The same scenario and options with new dice, nobody seated, you as game master.")
    campaign = word(table.campaign.title, "campaign")
    verb = sentence(_("Copy as a new {campaign}"), campaign=campaign)
    return LifeSheet(life(table), text, verb)


def life(table: TableContext) -> list[LifeAct]:
    """Return what a game master may do with the campaign's life now."""
    acts = []
    for key in founding.possible(table.campaign) if table.host else ():
        verb, effect = LIFE[key]
        text = " ".join(filter(None, (str(effect), foreseen_shift(table, key))))
        acts.append(LifeAct(key, str(verb), text, key in founding.WITH_REASON))
    return acts


def foreseen_shift(table: TableContext, act: str) -> str:
    """Return what an act will do to the campaign's deadlines; empty for nothing."""
    since = [clock.held_at for clock in table.clocks]
    if act in ("paused", "abandoned") and since and not table.campaign.stopped:
        text = ngettext(
            "%(n)d deadline stands still meanwhile.",
            "%(n)d deadlines stand still meanwhile.",
            len(since),
        )
        return text % {"n": len(since)}
    if act == "resumed" or (act == "revived" and not table.campaign.paused):
        now = timezone.now()
        return moved_text([now - held for held in since if held is not None])
    return ""


def shift(table: TableContext, before: Iterable[tuple[int, datetime]]) -> str:
    """Return what an act has done to the campaign's deadlines; `before` are the ids of their
    clocks, and when they were due.
    """
    now = {clock.pk: clock for clock in running(table.campaign)}
    clocks = [(now[pk], was) for pk, was in before if pk in now]
    if not clocks:
        return ""
    if clocks[0][0].held:
        text = ngettext("%(n)d deadline stands still.", "%(n)d deadlines stand still.", len(clocks))
        return text % {"n": len(clocks)}
    return moved_text([clock.due_at - was for clock, was in clocks if clock.due_at > was])


def moved_text(by: Sequence[timedelta]) -> str:
    """Return by how much deadlines move; empty for less than a minute."""
    if not by or max(by) < timedelta(minutes=1):
        return ""
    text = ngettext(
        "%(n)d deadline moves by %(time)s.", "%(n)d deadlines move by %(time)s.", len(by)
    )
    return text % {"n": len(by), "time": span(max(by))}
