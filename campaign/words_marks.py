"""What the log says of countersignatures."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _

MARKS = frozenset({"own-account", "countersign", "object"})


def mark_line(act: Mapping[str, Any]) -> str:
    """One line of an act under an entry."""
    match act["act"]:
        case "own-account":
            return _("Entry %(entry)s concerns the game master’s own nation: somebody else is asked to countersign it.") % act
        case "countersign":
            return _("Entry %(entry)s is countersigned.") % act
        case _object:
            return _("Objection to entry %(entry)s: %(reason)s") % act
