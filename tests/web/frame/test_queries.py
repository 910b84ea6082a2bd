"""A page of a campaign asks the database at most twelve times, whoever reads it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from campaign.log import history, positions
from tests.web.five import Five, new_campaign

__all__ = ["new_campaign"]
pytestmark = pytest.mark.django_db

MOST = 12
PAGES = (
    "",
    "about/",
    "b/1/",
    "battles/",
    "charts/",
    "clocks/",
    "desk/",
    "dice/",
    "e/3/",
    "history/",
    "ledger/",
    "log/",
    "n/huns/",
    "n/romans/",
    "posts/",
    "press/",
    "reports/",
    "rules/",
    "rulings/",
    "seats/",
    "story/",
    "talk/",
)
READERS = ("gm", "hun", "stranger", "nobody")


@pytest.fixture
def running(new_campaign: Callable[..., Five]) -> Five:
    """A campaign in its second slot, with a battle that waits for an answer."""
    five = new_campaign()
    five.play("gm", "start")
    five.slot_to("huns")
    five.play(
        "huns", "attack", kind="land", battle="open", target="dalmatia", **{"from": "pannonia"}
    )
    return five


def tables(queries: CaptureQueriesContext) -> dict[str, int]:
    """Return how often each table was asked, to show what a page reads."""
    names = (re.search(r'(?:FROM|INTO|UPDATE) "(\w+)"', query["sql"]) for query in queries)
    return dict(Counter(name[1] if name else "other" for name in names))


def test_a_page_asks_at_most_twelve_times(running: Five) -> None:
    asked = {}
    for reader in READERS:
        for page in PAGES:
            running.get(reader, page)  # the first look marks notices as read
            positions.memory.clear()
            history.memory.clear()
            positions.current(running.campaign)  # as after the move
            with CaptureQueriesContext(connection) as queries:
                running.get(reader, page)
            asked[reader, page] = tables(queries)
    too_many = {page: read for page, read in asked.items() if sum(read.values()) > MOST}
    assert not too_many, "\n".join(f"{page}: {read}" for page, read in too_many.items())
