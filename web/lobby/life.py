"""The status of a campaign: a game master's acts on it, and their effect on deadlines."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import NamedTuple

from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext, pgettext_lazy

from campaign import founding
from campaign.clocks.selectors import running
from web.frame.deadlines import span
from web.frame.table import TableContext

LIFE = {
    "paused": (
        pgettext_lazy("lobby", "Pause the campaign"),
        gettext_lazy("No one can move until you resume. You can still undo; nothing is lost."),
    ),
    "resumed": (
        gettext_lazy("Resume the campaign"),
        gettext_lazy("Play continues where it stopped."),
    ),
    "abandoned": (
        gettext_lazy("Abandon the campaign"),
        gettext_lazy(
            "No one can move any more. Everything remains readable, and you can resume the "
            "campaign."
        ),
    ),
    "revived": (
        gettext_lazy("Resume the campaign"),
        gettext_lazy("Play continues where it stopped."),
    ),
    "archived": (
        gettext_lazy("Archive the campaign"),
        gettext_lazy(
            "It is removed from all lists. Its address continues to work, and you can restore it "
            "at any time."
        ),
    ),
    "unarchived": (
        gettext_lazy("Restore the campaign from the archive"),
        gettext_lazy("It appears in the lists again."),
    ),
}
"""The text of the button and the effect, for each act."""


class LifeAct(NamedTuple):
    """An act that is possible now."""

    key: str
    verb: str
    effect: str
    needs_reason: bool

    @property
    def asks(self) -> bool:
        """Whether the form has a field for a reason or a comment."""
        return self.needs_reason or self.key == "paused"

    @property
    def reason_label(self) -> str:
        """The label of that field."""
        return (
            pgettext("field", "Reason, visible to everyone")
            if self.needs_reason
            else pgettext("field", "Comment (optional)")
        )


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
        text = _(
            "The same scenario and options with new dice, empty seats, and you as game master."
        )
    return LifeSheet(life(table), text, _("Copy as a new campaign"))


def life(table: TableContext) -> list[LifeAct]:
    """Return the acts on the campaign's status that are possible now."""
    acts = []
    for key in founding.possible_life_acts(table.campaign) if table.host else ():
        verb, effect = LIFE[key]
        text = " ".join(filter(None, (str(effect), foreseen_shift(table, key))))
        acts.append(LifeAct(key, str(verb), text, key in founding.WITH_REASON))
    return acts


def foreseen_shift(table: TableContext, act: str) -> str:
    """Return the effect of an act on the campaign's deadlines; empty if there is none."""
    since = [clock.held_at for clock in table.clocks]
    if act in ("paused", "abandoned") and since and not table.campaign.stopped:
        text = ngettext(
            "%(n)d deadline stops meanwhile.",
            "%(n)d deadlines stop meanwhile.",
            len(since),
        )
        return text % {"n": len(since)}
    if act == "resumed" or (act == "revived" and not table.campaign.paused):
        now = timezone.now()
        return moved_text([now - held for held in since if held is not None])
    return ""


def shift(table: TableContext, before: Iterable[tuple[int, datetime]]) -> str:
    """Return a sentence about the effect of an act on the campaign's deadlines.

    `before` are the ids of their clocks, and when they were due.
    """
    now = {clock.pk: clock for clock in running(table.campaign)}
    clocks = [(now[pk], due_before) for pk, due_before in before if pk in now]
    if not clocks:
        return ""
    if clocks[0][0].held:
        text = ngettext("%(n)d deadline has stopped.", "%(n)d deadlines have stopped.", len(clocks))
        return text % {"n": len(clocks)}
    shifts = [
        clock.due_at - due_before for clock, due_before in clocks if clock.due_at > due_before
    ]
    return moved_text(shifts)


def moved_text(by: Sequence[timedelta]) -> str:
    """Return a sentence about moved deadlines; empty for less than a minute."""
    if not by or max(by) < timedelta(minutes=1):
        return ""
    text = ngettext(
        "%(n)d deadline moves by %(time)s.", "%(n)d deadlines move by %(time)s.", len(by)
    )
    return text % {"n": len(by), "time": span(max(by))}
