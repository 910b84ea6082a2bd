"""Every page of every state equals the stored one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.frozen import companions, grand, site
from tests.frozen.grand import Founder
from tests.frozen.hold import hold
from tests.frozen.scene import STATES, State
from tests.frozen.still import still
from tests.frozen.walk import walk
from tests.web.grand_table import new_campaign

__all__ = ["companions", "grand", "new_campaign", "site", "still"]

pytestmark = [pytest.mark.nightly, pytest.mark.django_db]


@pytest.mark.parametrize("state", STATES, ids=[f"{state.title}-{state.name}" for state in STATES])
def test_its_pages_are_as_frozen(
    state: State,
    still: Any,
    request: Any,
    person: Callable[..., Any],
    monkeypatch: pytest.MonkeyPatch,
    settings: Any,
) -> None:
    built = state.build(Founder(request, person, monkeypatch, settings))
    hold(state.title, state.name, walk(state, built))
