"""How a campaign is told: written by its game masters. No entry of the log: it changes nothing that happened, and what was
posted keeps its words."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from campaign import access
from campaign.errors import Refused
from campaign.models import Campaign
from campaign.services import log
from engine.language import LANGUAGES
from engine.log import canonical
from engine.strict_json import clean_text, printable, unseen
from forum import placeholders, tones
from forum.dressing import NEEDED, PARTS
from forum.models import Flavour, ReportTemplate

SUBJECT, TEXT, FLAVOUR = 200, 1000, 4000
"""The most characters of a subject line, of greeting and signature, of the words before and after."""


class Wrong(Refused):
    """What a field says cannot be; `field` is its name."""

    def __init__(self, field: str, text: str) -> None:
        super().__init__("wrong-words", text)
        self.field = field


def set_template(
    campaign: Campaign, user: Any, language: str, *, tone: str, subject: str = "", greeting: str = "", signature: str = "",
    parts: Sequence[str] = tuple(PARTS), now: datetime | None = None,
) -> ReportTemplate:  # fmt: skip
    """What stands about all reports of a language. Raises `Wrong` with the field, `NotAllowed`."""
    if language not in LANGUAGES:
        raise Wrong("language", _("There is no such language here."))
    if tone not in tones.TONES:
        raise Wrong("tone", _("Choose one of the tones."))
    for field, text, most in (("subject", subject, SUBJECT), ("greeting", greeting, TEXT), ("signature", signature, TEXT)):
        _fits(field, text, most)
        if why := placeholders.wrong(text):
            raise Wrong(field, why)
    if subject and not printable(subject):
        raise Wrong("subject", _("The subject stands on one line."))
    if unknown := [part for part in parts if part not in PARTS]:
        raise Wrong("parts", _("A report has no part “%(part)s”.") % {"part": unknown[0]})
    if len(set(parts)) < len(parts):
        raise Wrong("parts", _("Each part stands once."))
    if missing := [part for part in NEEDED if part not in parts]:
        raise Wrong("parts", _("“%(part)s” cannot be left out: a report tells what happened.") % {"part": PARTS[missing[0]]})
    with transaction.atomic():
        table = _table(campaign, user)
        given = {"tone": tone, "subject": subject.strip(), "greeting": _lines(greeting), "signature": _lines(signature),
                 "parts": canonical(list(parts)), "changed_by": user, "changed_at": log.moment(now)}  # fmt: skip
        made, _new = ReportTemplate.objects.update_or_create(campaign=table, language=language, defaults=given)
    return made


def set_flavour(
    campaign: Campaign, user: Any, report: str, language: str, *, before: str, after: str, now: datetime | None = None
) -> Flavour:
    """A game master's own words in one report. Raises `Wrong` with the field, `NotAllowed`."""
    if language not in LANGUAGES:
        raise Wrong("language", _("There is no such language here."))
    for field, text in (("before", before), ("after", after)):
        _fits(field, text, FLAVOUR)
    with transaction.atomic():
        table = _table(campaign, user)
        given = {"before": _lines(before), "after": _lines(after), "changed_by": user, "changed_at": log.moment(now)}
        made, _new = Flavour.objects.update_or_create(campaign=table, report=report[:80], language=language, defaults=given)
    return made


def _fits(field: str, text: str, most: int) -> None:
    if not clean_text(text, 10 * most) or unseen(text):
        raise Wrong(field, _("The text holds a character that cannot be shown. Type it again."))
    if len(text) > most:
        raise Wrong(field, _("Up to %(most)s characters fit here; these are %(count)s.") % {"most": most, "count": len(text)})


def _lines(text: str) -> str:
    return "\n".join(line.rstrip() for line in text.splitlines()).strip("\n")


def _table(campaign: Campaign, user: Any) -> Campaign:
    """The campaign's row, held, if this user looks after it."""
    table = log.lock(campaign)
    access.must_be_host(table, user)
    return table
