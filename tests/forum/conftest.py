from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from forum.boards import registry as transports
from tests.forum.heap import HeapReports
from tests.forum.walls import ToWall, Wall, standing
from tests.table import grand, people, running, table, toy
from tests.toy import Toy

__all__ = ["grand", "people", "running", "table", "toy"]


@pytest.fixture(autouse=True)
def _reporter(toy: Toy, monkeypatch: pytest.MonkeyPatch) -> None:
    """Heap has reports here."""
    monkeypatch.setattr(toy, "reporter", HeapReports())


@pytest.fixture
def to_wall(monkeypatch: pytest.MonkeyPatch) -> ToWall:
    """The transport to a wall is known."""
    created = ToWall()
    monkeypatch.setitem(transports.BY_KEY, created.key, created)
    return created


@pytest.fixture
def wall(to_wall: ToWall, settings: Any) -> Iterator[Wall]:
    """A wall that stands on this machine."""
    settings.OUTSIDE_INSECURE = True
    with standing() as created:
        yield created
