"""A part of the frozen pages, for a comparison while one page is being changed.

TABULA_FROZEN_PAGES is a regular expression that addresses must contain (``^battles/`` or
``^$|^n/huns/``), TABULA_FROZEN_LANGUAGES a list of languages (``en de``).
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable

PAGES = os.environ.get("TABULA_FROZEN_PAGES", "")
LANGUAGES = os.environ.get("TABULA_FROZEN_LANGUAGES", "").split()


def is_partial() -> bool:
    """Return whether only a part of the pages is compared."""
    return bool(PAGES or LANGUAGES)


def pages(addresses: Iterable[str]) -> list[str]:
    """Return the addresses to compare."""
    return [address for address in addresses if re.search(PAGES, address)]


def languages(all_languages: Iterable[str]) -> list[str]:
    """Return the languages to compare."""
    return [language for language in all_languages if not LANGUAGES or language in LANGUAGES]
