"""The tools of the editor."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from web.editor import contract


@dataclass(frozen=True, slots=True)
class Tool:
    """A tool: its name, the icon of its button, its key on the keyboard, and how to use it."""

    key: str
    name: str | Promise
    icon: str
    letter: str
    hint: str | Promise


TOOLS: Sequence[contract.Tool] = (
    Tool("select", _("Select"), "point", "v", _("Click a province to see and change it.")),
    Tool(
        "owner",
        pgettext_lazy("editor", "Owner"),
        "brush",
        "o",
        _("Choose an owner, then click a province, or hold and drag across several."),
    ),
    Tool(
        "name",
        pgettext_lazy("editor", "Name"),
        "name",
        "r",
        _("Click a province and type its name."),
    ),
    Tool(
        "army",
        pgettext_lazy("editor", "Army list"),
        "army",
        "a",
        _("Choose a list, then click the provinces that fight with it while no one owns them."),
    ),
    Tool(
        "capital",
        pgettext_lazy("editor", "Capital"),
        "star",
        "c",
        _("Click a province: it becomes its owner’s capital."),
    ),
    Tool(
        "border",
        _("Border"),
        "border",
        "b",
        _(
            "Click two provinces to add or remove a border. Dashed red: provinces that touch but "
            "have no border."
        ),
    ),
    Tool(
        "route",
        _("Sea route"),
        "route",
        "s",
        _("Click two provinces to add or remove a route. A province with a route is maritime."),
    ),
    Tool(
        "works",
        _("Walls, fleet"),
        "tower",
        "f",
        _("Choose what is built at the start, then click the province."),
    ),
    Tool(
        "merge",
        _("Merge"),
        "merge",
        "m",
        _("Click two neighbours: the second joins the first, along with its borders and routes."),
    ),
)
