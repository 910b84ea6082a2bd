from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any

import pytest

from tests.boards.places import KINDS, Place, place


@pytest.fixture(autouse=True)
def _boards_of_this_machine(settings: Any) -> None:
    settings.OUTSIDE_INSECURE = True


@pytest.fixture
def at() -> Iterator[Callable[..., Place]]:
    """`at("phpbb", flood=30)`: a board under way, with a topic and an account."""
    with ExitStack() as stack:
        yield lambda kind, **options: stack.enter_context(place(kind, **options))


@pytest.fixture(params=KINDS)
def kind(request: pytest.FixtureRequest) -> str:
    return str(request.param)
