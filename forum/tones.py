"""Tones of telling: the words before and after what happened. What happened is told alike in all of them."""

from __future__ import annotations

from typing import Any, NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop, pgettext_lazy


class Words(NamedTuple):
    """Said before and after a report; empty: nothing. `{campaign}` is its name."""

    before: str
    after: str = ""


TONES: dict[str, Any] = {
    "dry": pgettext_lazy("tone", "Dry: what happened, nothing else"),
    "chronicle": pgettext_lazy("tone", "Chronicle: a sentence before and after"),
}
DEFAULT = "dry"

_COURSE = Words(
    gettext_noop("From the chronicle of {campaign}: what was resolved, what was dared, and what the dice made of it."),
    gettext_noop("So much is written. The next line belongs to those for whom the table waits."),
)
_BATTLE = Words(
    gettext_noop("Of a battle in {campaign}, as those told it who were there."), gettext_noop("So far the tale of this battle.")
)
CHRONICLE = {
    "opening": Words(
        gettext_noop("The heralds have called, and the powers of {campaign} gather about the map once more."),
        gettext_noop("The way is open. Let everyone look to his own."),
    ),
    "turn": _COURSE,
    "year": _COURSE,
    "round": _COURSE,
    "period": _COURSE,
    "slot": Words(gettext_noop("What one people of {campaign} resolved, in the order in which it was announced.")),
    "challenge": Words(gettext_noop("Messengers ride through {campaign}: banners have been raised.")),
    "setup": Words(gettext_noop("The armies draw up.")),
    "battle": _BATTLE,
    "result": _BATTLE,
    "trade": Words(gettext_noop("Envoys have met, and something has changed hands.")),
    "standings": Words(gettext_noop("Let everyone in {campaign} measure himself against the others.")),
    "final": Words(
        gettext_noop("Here ends the chronicle of {campaign}."),
        gettext_noop("The book is closed. What it tells, anybody may check, die by die."),
    ),
}
"""By the kind of a report. An undo is told without a word more, and so is a title's own chronicle."""


def words(tone: str, kind: str) -> Words:
    """What this tone says about a report of this kind, in the language of now."""
    said = CHRONICLE.get(kind) if tone == "chronicle" else None
    return Words(*(_(one) if one else "" for one in said)) if said else Words("")
