"""The limit of twelve database queries for each page of a campaign, for all readers and states."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from campaign import services
from campaign.log import history, positions
from campaign.models import Campaign
from tests.frozen import companions, grand
from tests.frozen.grand import Founder
from tests.frozen.scene import Scene
from tests.web.contests import play_to_siege
from tests.web.frame.test_who_may import PAGES
from tests.web.grand_table import new_campaign
from web.urls import of_campaign

__all__ = ["new_campaign"]
pytestmark = pytest.mark.django_db

MOST = 12
READERS = ("gm", "hun", "roman", "stranger", "nobody")
FILE = re.compile(r"\.(csv|json|jsonl|txt|png|svg|zip)$")


@pytest.fixture
def founder(
    request: pytest.FixtureRequest,
    person: Callable[..., Any],
    monkeypatch: pytest.MonkeyPatch,
    settings: Any,
) -> Founder:
    return Founder(request, person, monkeypatch, settings)


def running(founder: Founder) -> Scene:
    """Return a campaign in its second slot, with a battle that waits for an answer."""
    grand_table = founder.challenge()
    return grand.scene(
        grand_table, "reports/turn-1/", "reports/battle-1/", "n/huns/", "n/huns/plan/"
    )


def claim(founder: Founder) -> Scene:
    """Return a campaign with hidden hands, a countersigner, and a claim to be answered."""
    grand_table = founder.running(hands="hidden")
    play_to_siege(grand_table)
    services.name_countersigner(
        grand_table.campaign, grand_table.people["gm"], grand_table.people["stranger"]
    )
    grand.claimed(grand_table)
    return grand.scene(
        grand_table, "reports/turn-1/", "reports/battle-1/", "n/huns/", "n/huns/notes/"
    )


def busy(founder: Founder) -> Scene:
    """Return a campaign in which much is going on.

    It has hidden hands of which the game master has seen one, a countersigner, a program in a seat,
    an absent player, a claim that waits for an answer, and posts in the outbox whose texts are
    drafted again.
    """
    grand_table = founder.running(hands="hidden")
    play_to_siege(grand_table)
    gm, stranger = grand_table.people["gm"], grand_table.people["stranger"]
    services.name_countersigner(grand_table.campaign, gm, stranger)
    grand.left_to_programs(grand_table)
    grand_table.post("gm", "n/romans/look/")
    grand.claimed(grand_table)
    pages = ["reports/turn-1/", "reports/turn-2/", "n/romans/standing/", "desk/away/romans/"]
    pages += ["posts/?report=turn-2", *grand.posted(grand_table)]
    grand_table.campaign.refresh_from_db()
    grand_table.play(
        "gm", "adjust", nation="huns", account="army", change=1, reason="Drafts grow old."
    )
    return grand.scene(grand_table, *pages)


def undone(founder: Founder) -> Scene:
    """Return a campaign in which a long turn has been undone."""
    grand_table = founder.running()
    gm, before = grand_table.people["gm"], grand_table.campaign.last_number
    play_to_siege(grand_table)
    last = grand_table.campaign.last_number
    undo = services.undo_to(grand_table.campaign, gm, before, "A slip", grand_table.seen("gm"))
    own = (f"e/{undo.number}/{page}" for page in ("", "branch/", "undone/"))
    return grand.scene(
        grand_table, f"e/{last}/", *own, f"rewind/?undo={undo.number}", "rewind/?entry=3"
    )


STATES: dict[str, Callable[[Founder], Scene]] = {
    "running": running,
    "claim": claim,
    "busy": busy,
    "undone": undone,
    "finished": grand.finished,
    "March on Rome": companions.choose,
    "Tetrarchia": companions.emperors_turn,
    "Roman Empire": companions.peoples_phase,
}


def addresses(scene: Scene) -> Iterator[str]:
    """Yield the address of each page of the campaign, without its files."""
    names = {pattern.name for pattern in of_campaign}
    for name, (address, _statuses) in PAGES.items():
        if name in names and not FILE.search(address):
            yield address
    yield from (address for address in scene.pages if not address.startswith("/"))


def tables(queries: CaptureQueriesContext) -> dict[str, int]:
    """Return how often each table was asked, to show what a page reads."""
    names = (re.search(r'(?:FROM|INTO|UPDATE) "(\w+)"', query["sql"]) for query in queries)
    return dict(Counter(name[1] if name else "other" for name in names))


def test_every_page_of_a_campaign_is_visited() -> None:
    names = {pattern.name for pattern in of_campaign}
    assert names - {"lesson"} <= PAGES.keys()


QUICK = ("busy", "undone")
"""The states that every run visits."""


@pytest.mark.parametrize(
    "state",
    [pytest.param(name, marks=[] if name in QUICK else [pytest.mark.long]) for name in STATES],
)
def test_a_page_asks_at_most_twelve_times(founder: Founder, state: str) -> None:
    scene = STATES[state](founder)
    campaign = Campaign.objects.get(public_id=scene.home[3:11])
    too_many = []
    for reader in READERS:
        for address in addresses(scene):
            client = scene.clients.get(reader)
            # The first look marks notices as read.
            if client is None or client.get(scene.home + address).status_code != 200:
                continue
            positions.memory.clear()
            history.memory.clear()
            positions.current(campaign)  # the cache is as after the move
            with CaptureQueriesContext(connection) as queries:
                client.get(scene.home + address)
            read = tables(queries)
            if sum(read.values()) > MOST:
                too_many.append(f"{reader} {address}: {sum(read.values())} {read}")
    assert not too_many, "\n".join(too_many)
