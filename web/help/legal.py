"""The terms and the privacy page, and users' agreement to the terms.

The host may have texts of their own. Without them the site shows its default texts, which describe
what this software stores.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.urls import reverse
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.safestring import SafeString
from django.utils.translation import get_language, pgettext_lazy

from people.models import User
from web.help.markdown import html_of

TERMS, PRIVACY = "terms", "privacy"
NAMES: dict[str, Promise] = {
    TERMS: pgettext_lazy("help", "Terms"),
    PRIVACY: pgettext_lazy("help", "Privacy"),
}
ADDRESSES = {TERMS: "terms_of_site", PRIVACY: "privacy"}
"""The URL names of these pages."""
CONTACT = "{contact}"
"""The placeholder for the host's contact in the texts."""


@dataclass(frozen=True, slots=True)
class LegalLink:
    """A link to another legal page."""

    name: str
    url: str


@dataclass(frozen=True, slots=True)
class LegalPage:
    """A legal text of the site.

    `is_english_only` is true if a reader of another language sees the default text, which is not
    translated. A host's own text may be in any language.
    """

    name: str
    version: str
    text: SafeString
    contact: str
    is_english_only: bool
    others: list[LegalLink]


@dataclass(frozen=True, slots=True)
class AgreementPage:
    """The terms, for a user who has agreed only to an earlier version."""

    version: str
    text: SafeString
    next_url: str


def legal_page(key: str) -> LegalPage:
    """Return the page of the terms or of privacy."""
    return LegalPage(
        name=str(NAMES[key]),
        version=settings.TERMS_VERSION,
        text=legal_text(key),
        contact=settings.CONTACT,
        is_english_only=not own_file(key) and get_language() != "en",
        others=[
            LegalLink(str(name), reverse(ADDRESSES[other]))
            for other, name in NAMES.items()
            if other != key
        ],
    )


def agreement_page(next_url: str) -> AgreementPage:
    """Return the page that asks a user to agree; `next_url` is the page they wanted to open."""
    return AgreementPage(version=settings.TERMS_VERSION, text=legal_text(TERMS), next_url=next_url)


def own_file(key: str) -> str:
    """Return the path of the host's own text; empty if the host has none."""
    return str(settings.TERMS_FILE if key == TERMS else settings.PRIVACY_FILE)


def legal_text(key: str) -> SafeString:
    own = own_file(key)
    file = Path(own) if own else settings.BASE_DIR / "docs" / "legal" / f"{key}.md"
    return legal_html(file, file.stat().st_mtime_ns, settings.CONTACT)


@lru_cache(8)
def legal_html(file: Path, modified: int, contact: str) -> SafeString:
    """Return a legal text as HTML; the time `modified` keeps the cache up to date."""
    text = file.read_text(encoding="utf-8")
    return html_of(text.replace(CONTACT, contact or "the host of this site"))


def agree(user: User) -> None:
    """Store that the user agrees to the present version of the terms."""
    User.objects.filter(pk=user.pk).update(
        terms_version=settings.TERMS_VERSION, terms_at=timezone.now()
    )
    user.terms_version = settings.TERMS_VERSION


def must_agree(user: User | AnonymousUser) -> bool:
    """Return whether the user has to agree to the terms before they can continue.

    Signing up implies agreement. Users are asked again about a new version if the host wants it.
    """
    if not settings.TERMS_ASK_AGAIN or not user.is_authenticated or user.guest or user.demo:
        return False
    return bool(user.terms_version != settings.TERMS_VERSION)
