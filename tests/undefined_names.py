"""A pytest plugin that lists the names which templates read and their context does not have.

    TABULA_UNDEFINED=names.txt pytest -p tests.undefined_names tests/frozen -m nightly

Each line has the template, its line, the name, and the type of the object without that attribute.
The list must be empty before `config.jinja` may use `jinja2.StrictUndefined`.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from jinja2 import Undefined
from jinja2.utils import missing

READ_BY = (
    "__bool__",
    "__str__",
    "__iter__",
    "__len__",
    "__eq__",
    "__ne__",
    "__lt__",
    "__gt__",
    "__add__",
    "__radd__",
)
FILE = Path(os.environ.get("TABULA_UNDEFINED", "undefined.txt"))
known: set[tuple[str, int, str, str]] = set()


@pytest.hookimpl(trylast=True)
def pytest_configure() -> None:
    """Have every undefined name write a line when a template reads it."""
    import config.jinja  # Django has no settings before this

    absent = config.jinja.Absent
    for method in READ_BY:
        setattr(absent, method, noted(getattr(absent, method)))
    is_none = config.jinja.is_none

    def is_none_noted(value: object) -> bool:
        if isinstance(value, Undefined):
            note(value)
        return is_none(value)

    config.jinja.is_none = is_none_noted


def noted(method: Callable[..., Any]) -> Callable[..., Any]:
    """Return the method of an undefined name, with a note of its use."""

    def with_note(name: Undefined, *others: Any) -> Any:
        note(name)
        return method(name, *others)

    return with_note


def note(name: Undefined) -> None:
    """Write which template reads the name, once."""
    owner = name._undefined_obj
    line = (*place(), str(name._undefined_name), "" if owner is missing else type(owner).__name__)
    if line not in known:
        known.add(line)
        with FILE.open("a", encoding="utf-8") as file:
            file.write("\t".join(map(str, line)) + "\n")


def place() -> tuple[str, int]:
    """Return the template that runs now, and its line."""
    frame = sys._getframe(2)
    while frame is not None:
        template = frame.f_globals.get("__jinja_template__")
        if template is not None:
            return template.name or "", template.get_corresponding_lineno(frame.f_lineno)
        frame = frame.f_back  # type: ignore[assignment]  # the outermost frame has none
    return "", 0
