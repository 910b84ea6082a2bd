"""The acts about absent users, and about programs and standing orders that act for people."""

from __future__ import annotations

from datetime import date
from typing import Any, NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from campaign.dates import written
from campaign.log.acts.declaration import Act, Content, LineFacts
from engine.language import sentence


def _absence_line(act: LineFacts) -> str:
    days = {"first": day(act.content["first"]), "last": day(act.content["last"])}
    if act.how == "taken-back":
        return _("Is not away from %(first)s to %(last)s after all.") % days
    if act.how == "changed":
        return _("Is away from %(first)s to %(last)s; these days replace the earlier ones.") % days
    return _("Is away from %(first)s to %(last)s.") % days


def day(text: str) -> str:
    """Return a day as the log stores it in the form that people read: 3 Aug 2026."""
    return written(date.fromisoformat(text), "j M Y")


ABSENCE = Act(
    name="absence",
    line=_absence_line,
    public=frozenset({"user", "first", "last"}),
)
"""A user is away for some days, changes them (`changed`) or takes them back (`taken-back`)."""


def _standing_line(act: LineFacts) -> str:
    return sentence(_("{seat}: a standing order makes the next move."), seat=act.seat)


STANDING = Act(name="standing", line=_standing_line, public=frozenset({"battle"}))
"""A standing order makes the move that follows."""


def _deputy_line(act: LineFacts) -> str:
    text = (
        _("A program decides for {seat:the} until the end of the campaign.")
        if act.how == "end"
        else _("A program decides for {seat:the} this turn.")
    )
    return sentence(text, seat=act.seat)


def _note_help(row: Any, content: Content, seat: str, sequence: int) -> None:
    row.helped = True


DEPUTY = Act(name="deputy", line=_deputy_line, public=frozenset(), update_row=_note_help)
"""A program chooses the moves of a seat for now, or to the end (`end`)."""


LEVELS = {
    "beginner": gettext_noop("beginner"),
    "random": gettext_noop("careless"),
    "sensible": gettext_noop("careful"),
    "bold": gettext_noop("bold"),
    "cautious": gettext_noop("cautious"),
    "cunning": gettext_noop("cunning"),
}
"""How well a program plays, in a word; other levels are called by their keys."""


def level_word(level: str) -> str:
    """Return how well a program of a level plays, in the current language."""
    return _(LEVELS[level]) if level in LEVELS else level


TAKES, CHANGES, LEAVES = "takes", "changes", "leaves"
"""The ways in which a program begins to hold a seat, changes its level, and leaves the seat."""


def _program_line(act: LineFacts) -> str:
    content = act.content
    level = level_word(content["level"])
    if act.how == CHANGES:
        return sentence(_("{seat}: the program now plays as {level}."), seat=act.seat, level=level)
    if act.how == TAKES and not content["reason"]:
        text = _("{seat}: a program ({level}) takes the seat.")
        return sentence(text, seat=act.seat, level=level)
    if act.how == TAKES:
        text = _("{seat}: a program ({level}) takes the seat: {reason}")
        return sentence(text, seat=act.seat, level=level, reason=content["reason"])
    return sentence(_("{seat}: the program leaves the seat."), seat=act.seat)


class Span(NamedTuple):
    """The time in which a program of a level held a seat.

    It runs from the entry of one sequence to that of another; `last` is None if the program holds
    the seat now.
    """

    seat: str
    level: str
    first: int
    last: int | None = None


def program_spans(campaign: Any) -> list[Span]:
    """Return every program that has held a seat among people, in order."""
    return [Span(*span) for span in campaign.seat_programs or []]


def _update_spans(row: Any, content: Content, seat: str, sequence: int) -> None:
    spans = program_spans(row)
    if content["how"] != TAKES:
        spans = [
            span._replace(last=sequence) if (span.seat, span.last) == (seat, None) else span
            for span in spans
        ]
    if content["how"] != LEAVES:
        spans.append(Span(seat, str(content["level"]), sequence))
    row.seat_programs = [list(span) for span in spans]


PROGRAM = Act(
    name="program",
    line=_program_line,
    public=frozenset({"level", "reason"}),
    begins_clocks=True,
    update_row=_update_spans,
)
"""A program takes a seat that no one holds, plays at another level from now on, or leaves it."""


ON, OFF = "on", "off"


def _forecast_line(act: LineFacts) -> str:
    if act.how == ON:
        return _("The forecast is shown to everyone.")
    return _("The forecast is switched off.")


def _note_forecast(row: Any, content: Content, seat: str, sequence: int) -> None:
    row.forecast = content["how"]


FORECAST = Act(name="forecast", line=_forecast_line, public=frozenset(), update_row=_note_forecast)
"""The game master switches the forecast by programs `on` or `off`."""
