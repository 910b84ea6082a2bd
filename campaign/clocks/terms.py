"""What the game master has set for each kind of clock, read from the campaign's row, which copies the last act on it."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any, NamedTuple

from django.utils.translation import gettext as _

from campaign import hooks
from campaign.clocks.lengths import is_length
from campaign.errors import Refused
from campaign.models import Campaign
from engine.strict_json import read
from games.contract.title import Lapsing, Title

TURN, SLOT, ANSWER, BATTLE, CLAIM, WORDS = "turn", "slot", "answer", "battle", "claim", "words"
KINDS = (TURN, SLOT, ANSWER, BATTLE, CLAIM, WORDS)
ACT = "clock-terms"
"""The act that sets terms; `extend` is the other."""
EXTEND = "extend"


BOTH, LAST_DAY, SILENT = "both", "day", "none"
REMINDERS = (BOTH, LAST_DAY, SILENT)
"""When who is waited for is reminded: with a fifth of the time left and on the last day, on the last day, never."""


class Terms(NamedTuple):
    """How long something may take, when one is reminded, and what happens then: the game master is asked (`asks`) or not,
    and, `grace` later, nothing or what `hooks.clock_acts` does."""

    length: str
    grace: str = "1d"
    acts: bool = False
    asks: bool = True
    reminds: str = BOTH

    def to_json(self) -> dict[str, Any]:
        """What is as usual of the last two is left out: terms older than these read so."""
        usual = self._field_defaults
        return {key: value for key, value in self._asdict().items() if key not in ("asks", "reminds") or value != usual[key]}


DEFAULTS: Mapping[str, Terms] = {
    TURN: Terms("28d"),
    SLOT: Terms("3d"),
    ANSWER: Terms("3d"),
    BATTLE: Terms("14d"),
    CLAIM: Terms("3d"),
    WORDS: Terms("2d"),
}


def terms_of(campaign: Campaign) -> dict[str, Terms | None]:
    """The terms of every kind; None where no clock runs."""
    return dict(_terms(campaign.clock_terms))


@lru_cache(maxsize=1024)
def _terms(text: str) -> dict[str, Terms | None]:
    kept = read(text) if text else {}
    return {kind: terms_from_json(kept[kind]) if kind in kept else DEFAULTS[kind] for kind in KINDS}


def terms_from_json(raw: Mapping[str, Any] | None) -> Terms | None:
    return None if raw is None else Terms(**raw)


def acting(game: Title) -> tuple[str, ...]:
    """The kinds for which something can happen by itself: what the title says a clock may do, and a claim's confirmation."""
    known = [kind for kind in KINDS if kind in hooks.clock_acts]
    return tuple(kind for kind in known if kind in (CLAIM, WORDS) or isinstance(game, Lapsing))


def checked(campaign: Campaign, kind: object, given: Terms | None) -> Terms | None:
    """Terms as they may be set. Raises `Refused`."""
    if kind not in KINDS:
        raise Refused("unknown-clock", _("There is no such clock."))
    if given is None:
        return None
    if not is_length(given.length):
        raise Refused("bad-length", _("A clock runs for 1 to 365 days, or for 1 to 1,440 hours."))
    if not is_length(given.grace, none=True):
        raise Refused("bad-grace", _("The grace is 0 to 1,440 hours, or up to 365 days."))
    if given.acts and kind not in acting(campaign.game):
        raise Refused("only-reminds", _("Nothing happens automatically here: this clock only reminds."))
    if given.reminds not in REMINDERS:
        raise Refused("bad-reminders", _("Choose when the person the table waits for is reminded."))
    return Terms(given.length, given.grace, bool(given.acts), bool(given.asks), given.reminds)
