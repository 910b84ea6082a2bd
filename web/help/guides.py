"""The guides of the site: Markdown files in docs/, translated ones in docs/<language>/."""

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

GUIDES: dict[str, Promise] = {
    "boards": gettext_lazy("Reports on boards: by hand or by program"),
    "trust": gettext_lazy("Who has to trust whom, and how the dice are checked"),
    "scenarios": gettext_lazy("Scenarios: other nations, other numbers, a map of your own"),
    "rulings": gettext_lazy("How we read the unclear places of the rules"),
}
"""The guides that everyone can read on the site, by the names of their files."""


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
    english = settings.BASE_DIR / "docs" / f"{key}.md"
    translation = settings.BASE_DIR / "docs" / language / f"{key}.md"
    has_translation = language != "en" and translation.is_file()
    return GuidePage(
        name=str(GUIDES[key]),
        text=guide_html(translation if has_translation else english),
        is_translated=has_translation or language == "en",
    )


@lru_cache(32)
def guide_html(file: Path) -> SafeString:
    """Return a guide as HTML. Links to other guides lead to their pages."""
    return html_of(file.read_text(encoding="utf-8"), lead_to_page)


def lead_to_page(link: Token) -> None:
    """Change the address of a link between files of docs/ to one of the site.

    Links to files that the site does not show lead to the help page.
    """
    target = str(link.attrs.get("href", ""))
    name, _hash, part = target.partition("#")
    key = Path(name).stem
    if name.endswith(".md") and key in GUIDES:
        link.attrs["href"] = reverse("guide", args=[key]) + (f"#{part}" if part else "")
    elif not target.startswith(("https://", "#")):
        link.attrs["href"] = reverse("help")
