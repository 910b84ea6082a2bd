"""Words with placeholders by name, as a game master types them: `{campaign}`, `{turn}`. A brace itself is `{{` or `}}`."""

from __future__ import annotations

from collections.abc import Mapping
from string import Formatter

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

NAMES = {
    "campaign": gettext_lazy("the campaign’s name"),
    "game": gettext_lazy("the name of the game"),
    "report": gettext_lazy("the report’s name in the list"),
    "turn": gettext_lazy("the number of the turn"),
    "first": gettext_lazy("the first entry it tells"),
    "last": gettext_lazy("the last entry it tells"),
    "master": gettext_lazy("the game master’s name"),
}
"""What may stand between braces, and what it becomes."""


def wrong(text: str) -> str:
    """Why it cannot be filled, as a sentence; empty where it can."""
    try:
        found = list(Formatter().parse(text))
    except ValueError:
        return _("A brace stands alone. Placeholders are written {turn}; for the sign itself write {{ or }}.")
    for _literal, name, spec, conversion in found:
        if name is None:
            continue
        if name not in NAMES:
            known = ", ".join(f"{{{one}}}" for one in NAMES)
            return _("There is no placeholder %(name)s. There are: %(known)s.") % {"name": f"{{{name}}}", "known": known}
        if spec or conversion:
            return _("Write the placeholder %(name)s by itself.") % {"name": f"{{{name}}}"}
    return ""


def fill(text: str, values: Mapping[str, object]) -> str:
    """The text with its placeholders filled; a text that cannot be filled stands as it is. What fills them is not read
    for placeholders."""
    if wrong(text):
        return text
    made = []
    for literal, name, _spec, _conversion in Formatter().parse(text):
        made.append(literal)
        if name is not None:
            made.append(str(values.get(name, "")))
    return "".join(made)
