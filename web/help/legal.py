"""The terms and the privacy page, and who has agreed to the terms.

The host may have files of their own. Without them the site shows its own texts, which describe
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
from django.utils.translation import get_language, gettext_lazy

from people.models import User
from web.help.markdown import html_of

TERMS, PRIVACY = "terms", "privacy"
NAMES: dict[str, Promise] = {TERMS: gettext_lazy("Terms"), PRIVACY: gettext_lazy("Privacy")}
ADDRESSES = {TERMS: "terms_of_site", PRIVACY: "privacy"}
"""The names of the addresses of these pages."""
CONTACT = "{contact}"
"""A placeholder in the texts for the host's contact."""


@dataclass(frozen=True, slots=True)
class LegalLink:
    """A link to another legal page."""

    name: str
    url: str


@dataclass(frozen=True, slots=True)
class LegalPage:
    """A legal text of the site.

    `is_english_only`: the site's own text, which is not translated, for a reader of another
    language. A host's own text may be in any language.
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
    """Return the page that asks a user to agree; `next_url` is where they wanted to go."""
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
    """Return a legal text as HTML. It is read again when the file has been `modified`."""
    text = file.read_text(encoding="utf-8")
    return html_of(text.replace(CONTACT, contact or "the host of this site"))


def agree(user: User) -> None:
    """Note that the user agrees to the present version of the terms."""
    User.objects.filter(pk=user.pk).update(
        terms_version=settings.TERMS_VERSION, terms_at=timezone.now()
    )
    user.terms_version = settings.TERMS_VERSION


def must_agree(user: User | AnonymousUser) -> bool:
    """Return whether the user has to agree to the terms before they can go on.

    Signing up is agreeing. Users are asked again about a new version if the host wants it.
    """
    if not settings.TERMS_ASK_AGAIN or not user.is_authenticated or user.guest or user.demo:
        return False
    return bool(user.terms_version != settings.TERMS_VERSION)
