"""What the editor asks of a title whose scenarios people make."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol, cast

from django.http import Http404
from django.utils.functional import Promise

from campaign.models import ScenarioDraft
from engine.errors import MalformedRecord
from games.contract.plain import Act, Bundle
from games.contract.title import Editable
from web.scenarios.judging import editable_titles
from web.titles import extras

Choice = tuple[str, str]
"""A key and its name."""


class Check(Protocol):
    """A fault or a warning with its place and the act that mends it."""

    @property
    def text(self) -> str: ...

    @property
    def province(self) -> str: ...

    @property
    def nation(self) -> str: ...

    @property
    def query(self) -> str:
        """The query that opens the panel of its place."""

    @property
    def button(self) -> str:
        """The text of the button that mends it; empty if no act does."""

    @property
    def fields(self) -> list[tuple[str, str]]:
        """The act that mends it, as fields of a form."""


class Panel(Protocol):
    """The panel beside the map. Its other parts are the title's own and its template's."""

    @property
    def armies(self) -> Sequence[str]:
        """The army lists that the scenario names."""


class Sheet(Protocol):
    """The map: the whole as `svg`, or what moves as `moving` if the browser has its shape."""

    @property
    def shape(self) -> str: ...

    @property
    def svg(self) -> str: ...

    @property
    def moving(self) -> str: ...

    @property
    def styles(self) -> Mapping[str, str]: ...

    @property
    def graph(self) -> Mapping[str, object]: ...


class Cell(Protocol):
    """A number of the rules, here and usually."""

    @property
    def path(self) -> str: ...

    @property
    def rule(self) -> str: ...

    @property
    def meaning(self) -> str: ...

    @property
    def here(self) -> str: ...

    @property
    def usual(self) -> str: ...

    @property
    def bands(self) -> Sequence[tuple[str, str]]: ...

    @property
    def is_changed(self) -> bool: ...

    @property
    def is_list(self) -> bool: ...

    @property
    def may_go_back(self) -> bool: ...


class Tool(Protocol):
    """A tool of the editor: name, icon, letter and hint."""

    @property
    def key(self) -> str: ...

    @property
    def name(self) -> str | Promise: ...

    @property
    def icon(self) -> str: ...

    @property
    def letter(self) -> str: ...

    @property
    def hint(self) -> str | Promise: ...


class EditorPart(Protocol):
    """The editor of a title's scenarios."""

    MAP_TEMPLATE: str
    PANEL_TEMPLATE: str
    TOOLS: Sequence[Tool]

    def map_of(self, bundle: Bundle, selected: str = "") -> object:
        """Return what the template of the map shows as `map`."""

    def sheet(self, bundle: Bundle, selected: str = "", shape: str = "") -> Sheet: ...

    def checks(self, bundle: Bundle) -> tuple[Sequence[Check], Sequence[Check]]:
        """Return the faults and the warnings."""

    def panel(self, bundle: Bundle, query: Mapping[str, str]) -> Panel: ...

    def owners(self, bundle: Bundle) -> Sequence[Choice]: ...

    def works(self, bundle: Bundle) -> Sequence[Choice]: ...

    def act_of(self, bundle: Bundle, typed: Mapping[str, str]) -> Act: ...

    def numbers(self, bundle: Bundle) -> Sequence[tuple[str, Sequence[Cell]]]: ...

    def rules_act(self, path: str, value: object) -> Act: ...

    def rules_acts(
        self, bundle: Bundle, posted: Mapping[str, Sequence[str]]
    ) -> tuple[list[Act], dict[str, str]]: ...

    def changed_paragraphs(self, bundle: Bundle) -> Sequence[tuple[str, str]]: ...


class ShapesSheet(Protocol):
    """A file with shapes as the page shows it, before a draft begins from it."""

    @property
    def text(self) -> str:
        """The shapes written anew; empty if the file could not be read."""

    @property
    def faults(self) -> Sequence[str]: ...


class Beginnings(Protocol):
    """What a title's drafts begin from."""

    def from_map(self, name: str) -> Bundle: ...

    def from_rows(self, rows: str, given: str, name: str) -> Bundle: ...

    def from_file(self, data: bytes, names: Sequence[str], name: str) -> Bundle: ...

    def look(self, data: bytes, names: Sequence[str] | None = None) -> ShapesSheet: ...

    def as_json(self, sheet: ShapesSheet) -> dict[str, object]: ...

    def from_json(
        self, kept: Mapping[str, object], names: Sequence[str] | None = None
    ) -> ShapesSheet: ...

    def sentence(self, fault: MalformedRecord) -> str: ...


def editor_part(draft: ScenarioDraft) -> EditorPart:
    """Return the editor of a draft's title.

    Raises:
        Http404: The title has none.
    """
    part = extras(draft.title, "editor")
    if part is None:
        raise Http404
    return cast("EditorPart", part)


def beginning_title() -> str:
    """Return the key of the title whose scenarios people begin."""
    return next(
        title.key
        for title in editable_titles()
        if isinstance(title, Editable) and extras(title.key, "beginning")
    )


def beginnings() -> Beginnings:
    """Return what drafts of that title begin from."""
    return cast("Beginnings", extras(beginning_title(), "beginning"))
