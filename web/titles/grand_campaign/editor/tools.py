"""The tools of the editor."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from web.editor import contract


@dataclass(frozen=True, slots=True)
class Tool:
    """A tool: its name, the icon of its button, the letter that chooses it, and how to use it."""

    key: str
    name: str | Promise
    icon: str
    letter: str
    hint: str | Promise


TOOLS: Sequence[contract.Tool] = (
    Tool("select", _("Select"), "point", "v", _("Click a province to see and change it.")),
    Tool(
        "owner",
        _("Owner"),
        "brush",
        "o",
        _("Choose an owner; click a province, or hold and draw across several."),
    ),
    Tool("name", _("Name"), "name", "r", _("Click a province and type its name.")),
    Tool(
        "army",
        _("Army list"),
        "army",
        "a",
        _("Choose a list; click the provinces that fight with it while nobody owns them."),
    ),
    Tool(
        "capital",
        _("Capital"),
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
            "Click two provinces: a border is set, or taken away. Dashed red: they touch, and no "
            "border is set."
        ),
    ),
    Tool(
        "route",
        _("Sea route"),
        "route",
        "s",
        _(
            "Click two provinces: a route is set, or taken away. A province with a route is "
            "maritime."
        ),
    ),
    Tool(
        "works",
        _("Walls, fleet"),
        "tower",
        "f",
        _("Choose what stands at the start; click the province."),
    ),
    Tool(
        "merge",
        _("Merge"),
        "merge",
        "m",
        _("Click two neighbours: the second joins the first, with its borders and routes."),
    ),
)
