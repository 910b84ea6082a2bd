"""Sentences about deadlines: until when something may take, and what happens then."""

from __future__ import annotations

from datetime import datetime

from django.utils.html import conditional_escape
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop as noop

from campaign.clocks.selectors import ANSWER, BATTLE, CLAIM, SLOT, TURN, WORDS
from web.templatetags.tabula import when
from web.waiting import Due

UNTIL = {
    ANSWER: noop("Answer until %(at)s."),
    BATTLE: noop("Fight until %(at)s."),
    CLAIM: noop("Confirm until %(at)s."),
    WORDS: noop("Add words until %(at)s."),
    TURN: noop("Close until %(at)s."),
}
THEN = {
    SLOT: noop("Otherwise the slot ends automatically at %(at)s."),
    ANSWER: noop("Otherwise the challenge is accepted automatically at %(at)s."),
    CLAIM: noop("Otherwise the claim is confirmed automatically at %(at)s."),
    WORDS: noop("Otherwise the words close automatically at %(at)s."),
}


def with_moments(text: str, **moments: datetime | None) -> SafeString:
    """Return a translated sentence with moments in it, in the reader's zone."""
    shown = {name: conditional_escape(when(moment)) for name, moment in moments.items()}
    return SafeString(text % shown)


def until_text(due: Due) -> SafeString:
    """Return until when something may take."""
    return with_moments(_(UNTIL.get(due.kind, noop("Play until %(at)s."))), at=due.at)


def then_text(due: Due) -> SafeString:
    """Return what happens when a deadline is over."""
    if due.held:
        return SafeString(_("The campaign pauses: the deadline stands still."))
    if due.acts is not None:
        usual = noop("Otherwise it goes on automatically at %(at)s.")
        return with_moments(_(THEN.get(due.kind, usual)), at=due.acts)
    if due.over:
        return SafeString(
            _("Nothing happens automatically: the game master decides how it goes on.")
        )
    return SafeString(
        _("Nothing happens automatically then: the game master decides how it goes on.")
    )
