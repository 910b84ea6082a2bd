"""Notices as letters: in the reader's language, with absolute times in his zone, what presses most first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from django.conf import settings
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from campaign.models import Campaign
from engine.language import spoken
from notices.registry import KINDS
from notices.selectors import Told
from notices.times import absolute


@dataclass(frozen=True, slots=True)
class Letter:
    subject: str
    text: str
    html: str
    campaigns: tuple[Campaign, ...] = ()


@contextmanager
def read_by(language: str, zone: str) -> Iterator[None]:
    """Words and times are this reader's inside. Who never chose a language is written to in the site's."""
    chosen = language or settings.LANGUAGE_CODE
    with translation.override(chosen), spoken(chosen), timezone.override(ZoneInfo(zone)):
        yield


def pressing(found: Sequence[Told]) -> list[Told]:
    """What waits for an answer first, what ends first before all, then as it came."""

    def rank(one: Told) -> tuple[bool, bool, str, datetime, int]:
        due = str(one.notice.known.get("due", ""))
        return not KINDS[one.notice.kind].urgent, not due, due, one.notice.at, one.notice.pk

    return sorted(found, key=rank)


def where(site: str, one: Told) -> str:
    """The address that marks it as read and goes where it leads."""
    return f"{site}{reverse('notice', args=(one.notice.pk,))}"


def subject(found: Sequence[Told], digest: bool) -> str:
    names = list(dict.fromkeys(one.notice.campaign.name for one in found))
    n = len(found)
    if n == 1 and not digest:
        return _("[%(campaign)s] %(title)s") % {"campaign": names[0], "title": found[0].title}
    facts = {"campaign": names[0], "n": n, "title": found[0].title, "others": n - 1}
    if digest and len(names) == 1:
        return ngettext("[%(campaign)s] %(n)d notice of this day", "[%(campaign)s] %(n)d notices of this day", n) % facts
    if digest:
        return ngettext("Tabula: %(n)d notice of this day", "Tabula: %(n)d notices of this day", n) % facts
    if len(names) == 1:
        return (
            ngettext("[%(campaign)s] %(title)s, and %(others)d more", "[%(campaign)s] %(title)s, and %(others)d more", n - 1)
            % facts
        )
    return ngettext("%(title)s, and %(others)d more", "%(title)s, and %(others)d more", n - 1) % facts


def letter(found: Sequence[Told], *, digest: bool, name: str, site: str, end: str, choose: str) -> Letter:
    """One letter of all of them. `end` stops the letters, `choose` is where one says what comes how."""
    told = pressing(found)
    groups: list[dict[str, Any]] = [{"urgent": wanted, "items": []} for wanted in (True, False)]
    for one in told:
        groups[not KINDS[one.notice.kind].urgent]["items"].append(
            {"title": one.title, "body": one.body, "campaign": one.notice.campaign.name, "at": absolute(one.notice.at),
             "url": where(site, one)}
        )  # fmt: skip
    filled = [group for group in groups if group["items"]]
    campaigns = tuple({one.notice.campaign_id: one.notice.campaign for one in told}.values())
    return _made(subject(told, digest), filled, campaigns, digest=digest, name=name, end=end, choose=choose)


def word(heading: str, body: str, *, name: str, url: str, end: str, choose: str) -> Letter:
    """A letter about one's channels."""
    item = {"title": heading, "body": body, "campaign": "", "at": "", "url": url}
    return _made(heading, [{"urgent": True, "items": [item]}], (), digest=False, name=name, end=end, choose=choose)


def _made(heading: str, groups: list[dict[str, Any]], campaigns: tuple[Campaign, ...], **more: object) -> Letter:
    facts = {**more, "groups": groups, "heading": heading, "language": translation.get_language()}
    text, html = (render_to_string(f"notices/letter.{kind}", facts) for kind in ("txt", "html"))
    return Letter(heading, text, html, campaigns)
