"""Lists of names within sentences."""

from __future__ import annotations

from collections.abc import Iterable

from django.utils.translation import pgettext

from games.kit.words import join_names


def list_names(names: Iterable[str]) -> str:
    """Return names as a list in words: Anna, Ben and Carla."""
    # Translators: between the last two names of a list
    return join_names(names, pgettext("list of names", " and "))
