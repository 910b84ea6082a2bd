"""The guides of the site: Markdown files in docs/, with translations in docs/<language>/.

`script/docs` builds the documentation website from the same files.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from django.conf import settings
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.safestring import SafeString
from django.utils.translation import get_language, gettext_lazy
from markdown_it.token import Token

from web.help.markdown import html_of


@dataclass(frozen=True, slots=True)
class Guide:
    """A guide: its name on the site, and its file below docs/ and docs/<language>/."""

    name: Promise
    file: str


GUIDES = {
    "play": Guide(gettext_lazy("Play a campaign"), "play/index.md"),
    "run": Guide(gettext_lazy("Run a campaign"), "run/index.md"),
    "boards": Guide(
        gettext_lazy("Posting reports on boards, by hand or by program"), "run/boards.md"
    ),
    "trust": Guide(
        gettext_lazy("Whom you have to trust, and how to check the dice"), "play/trust.md"
    ),
    "scenarios": Guide(
        gettext_lazy("Scenarios: other nations, other numbers, your own map"),
        "build/scenarios.md",
    ),
    "rulings": Guide(
        gettext_lazy("How we read the unclear passages of the rules"), "play/rulings.md"
    ),
}
"""The guides that the site shows to everyone, by the last part of their address."""


@dataclass(frozen=True, slots=True)
class GuidePage:
    """A guide in the reader's language, or in English if it is not translated."""

    name: str
    text: SafeString
    is_translated: bool


def guide_page(key: str) -> GuidePage | None:
    """Return the page of a guide; None if there is no such guide."""
    if key not in GUIDES:
        return None
    language = get_language() or "en"
    file = GUIDES[key].file
    english = settings.BASE_DIR / "docs" / file
    translation = settings.BASE_DIR / "docs" / language / file
    has_translation = language != "en" and translation.is_file()
    return GuidePage(
        name=str(GUIDES[key].name),
        text=guide_html(translation if has_translation else english),
        is_translated=has_translation or language == "en",
    )


@lru_cache(32)
def guide_html(file: Path) -> SafeString:
    """Return a guide as HTML. Links to other guides lead to their pages."""
    return html_of(file.read_text(encoding="utf-8"), lead_to_page)


def lead_to_page(link: Token) -> None:
    """Change the address of a link between files of docs/ to an address of the site.

    Links to files that the site does not show lead to the help page.
    """
    target = str(link.attrs.get("href", ""))
    name, _hash, part = target.partition("#")
    key = key_of(name)
    if key:
        link.attrs["href"] = reverse("guide", args=[key]) + (f"#{part}" if part else "")
    elif not target.startswith(("https://", "#")):
        link.attrs["href"] = reverse("help")


def key_of(path: str) -> str:
    """Return the key of the guide that a link between files of docs/ leads to; empty if none.

    A link may leave out the folder, because the files of one section are beside each other.
    """
    name = path.removeprefix("../")
    return next(
        (
            key
            for key, guide in GUIDES.items()
            if guide.file == name or (guide.file.endswith(f"/{name}") and name != "index.md")
        ),
        "",
    )
