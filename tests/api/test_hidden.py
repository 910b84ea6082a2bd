"""Hidden cards: programs of others get the same answers, byte for byte (HOUSE, Secrets; 4.2).

Stories and comparison are those of the pages: tests/web/seats/test_hidden_hands.py.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.db import transaction

from api import authentication
from api.urls import resources
from campaign.log import positions
from tests.api.conftest import Program
from tests.web.grand_table import GrandTable, new_campaign  # noqa: F401
from tests.web.seats.test_hidden_hands import (
    STORIES,
    _Snapshot,  # noqa: F401
    answer,
    counters_back,
    differences,
    roll,  # noqa: F401
)

pytestmark = pytest.mark.django_db

NATIONS = ("huns", "romans", "sassanids")
KEYS = ("turn-1", "slot-1-huns", "slot-1-romans", "battle-1")


def addresses(grand_table: GrandTable) -> Iterator[str]:
    """Return every address of a campaign that can be read."""
    numbers = range(grand_table.campaign.last_number + 2)
    values = {
        "<int:number>": numbers,
        "<int:entry>": (1,),
        "<str:holder>": NATIONS,
        "<str:seat>": NATIONS,
        "<slug:key>": KEYS,
    }
    for resource in resources:
        path = str(resource.pattern).partition("<str:ref>/")[2]
        if not hasattr(resource.callback.cls, "get"):
            continue
        filled = [path]
        for name, some in values.items():
            filled = [
                now.replace(name, str(value))
                for now in filled
                for value in (some if name in now else ("",))
            ]
        yield from filled
    yield from (f"position/?at={number}" for number in range(grand_table.campaign.last_number + 1))
    yield from (
        "ledger/?holder=romans",
        "actions/?seat=romans",
        "log/?kind=move",
        "log/?limit=2",
        "offers/?seat=huns",
    )


@pytest.mark.parametrize(
    "name", ["another_card_traded", pytest.param("a_secret_order", marks=pytest.mark.nightly)]
)
def test_hidden_cards_change_no_answer_to_others(
    name: str,
    new_campaign: Callable[..., GrandTable],  # noqa: F811
    programs: Any,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(authentication.SimpleRateThrottle, "allow_request", lambda *given: True)
    created: list[dict[tuple[str, str, str], tuple[Any, ...]]] = []
    own: list[bytes] = []
    for other in (False, True):
        positions.memory.clear()
        counters_back()
        with transaction.atomic():
            grand_table = new_campaign(hands="hidden")
            STORIES[name](grand_table, other)
            ask: Callable[..., Program] = programs(grand_table)
            paths = list(addresses(grand_table))
            created.append(
                {
                    (who, "GET", path): answer(ask(who).get(path))
                    for who in ("hun", "nobody")
                    for path in paths
                }
            )
            own.append(
                b"".join(
                    ask("gm").get(path).content
                    for path in ("nations/?hands=open", "log/?limit=200&hands=open")
                )
            )
            transaction.set_rollback(True)
    assert own[0] != own[1], "the two tellings are one: nothing is compared"
    assert differences(*created) == []
