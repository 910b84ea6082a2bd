from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from forum.boards import registry as transports
from tests.forum.heap import HeapReports
from tests.forum.walls import Wall, WallTransport, serve_wall
from tests.table import grand, people, running, table, toy
from tests.toy import Toy

__all__ = ["grand", "people", "running", "table", "toy"]


@pytest.fixture(autouse=True)
def _reporter(toy: Toy, monkeypatch: pytest.MonkeyPatch) -> None:
    """Give the title Heap its reports."""
    monkeypatch.setattr(toy, "reporter", HeapReports())


@pytest.fixture
def wall_transport(monkeypatch: pytest.MonkeyPatch) -> WallTransport:
    """Register the transport to a wall and return it."""
    created = WallTransport()
    monkeypatch.setitem(transports.BY_KEY, created.key, created)
    return created


@pytest.fixture
def wall(wall_transport: WallTransport, settings: Any) -> Iterator[Wall]:
    """Return a wall on this machine."""
    settings.OUTSIDE_INSECURE = True
    with serve_wall() as created:
        yield created
