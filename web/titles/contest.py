"""A battle of any title in plain words: what the page of one without its own says. A title's `battle` part has the
same functions, and `setup_sheet`, `sides`, `timeline` and more where it knows more.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _

from web.titles.talk import capital, plain_name

Known = Mapping[str, Any]


def kind_word(known: Known) -> str:
    return plain_name(str(known["kind"])).lower() if known.get("kind") else _("contest")


def where(scenario: Any, known: Known) -> str:
    """From → target, or the one place there is."""
    source, target = (plain_name(str(known.get(key) or "")) for key in ("source", "target"))
    return f"{source} → {target}" if source and target else source or target


def side_name(scenario: Any, known: Known, side: str) -> str:
    named = known.get(side) or known.get("target")
    return plain_name(str(named)) if named else capital(_("nobody"))


def side_nation(known: Known, side: str) -> str:
    return str(known.get(side) or "independent")


def state_word(scenario: Any, known: Known) -> tuple[str, str]:
    """The state in a word or two, and its tone."""
    if known.get("status") == "resolved":
        return plain_name(str(known["outcome"])) if known.get("outcome") else _("Resolved"), "good"
    return plain_name(str(known["status"])) if known.get("status") else _("Running"), ""
