"""The interface of a title to the scenario editor."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol, TypeVar

from django.utils.functional import Promise

from games.contract.plain import Act

Choice = tuple[str, str]
"""A key and its name."""


class Check(Protocol):
    """A fault or a warning, with its place and the act that corrects it."""

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
        """The text of the button that corrects it; empty if no act does."""

    @property
    def fields(self) -> list[tuple[str, str]]:
        """The act that corrects it, as fields of a form."""


class Panel(Protocol):
    """The panel beside the map. The title and its template define its other parts."""

    @property
    def armies(self) -> Sequence[str]:
        """The army lists that the scenario names."""


class Sheet(Protocol):
    """The map: all of it as `svg`, or only the changing part as `moving`.

    `moving` is enough if the browser already has the shape.
    """

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
    """A number of the rules: its value in the draft, and its usual value."""

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


Bundle_contra = TypeVar("Bundle_contra", contravariant=True)
"""A draft in the title's own type."""


class EditorPart(Protocol[Bundle_contra]):
    """The editor of a title's scenarios."""

    MAP_TEMPLATE: str
    PANEL_TEMPLATE: str

    TOOLS: Sequence[Tool]

    def map_of(self, bundle: Bundle_contra, selected: str = "") -> object:
        """Return the object that the template of the map shows as `map`."""

    def sheet(self, bundle: Bundle_contra, selected: str = "", shape: str = "") -> Sheet: ...

    def checks(self, bundle: Bundle_contra) -> tuple[Sequence[Check], Sequence[Check]]:
        """Return the faults and the warnings."""

    def panel(self, bundle: Bundle_contra, query: Mapping[str, str]) -> Panel: ...

    def owners(self, bundle: Bundle_contra) -> Sequence[Choice]: ...

    def works(self, bundle: Bundle_contra) -> Sequence[Choice]: ...

    def act_of(self, bundle: Bundle_contra, form_values: Mapping[str, str]) -> Act: ...

    def numbers(self, bundle: Bundle_contra) -> Sequence[tuple[str, Sequence[Cell]]]: ...

    def rules_act(self, path: str, value: object) -> Act: ...

    def rules_acts(
        self, bundle: Bundle_contra, post_data: Mapping[str, Sequence[str]]
    ) -> tuple[Sequence[Act], dict[str, str]]: ...

    def changed_paragraphs(self, bundle: Bundle_contra) -> Sequence[tuple[str, str]]: ...
