"""Readings of a log that new entries continue: equal to those of the whole log."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import translation

from campaign import services
from campaign.log import history, positions, selectors
from campaign.log.history import RunningState
from campaign.models import Campaign
from forum.posts import reports
from nations import projection as nations
from tests.grand_campaign import campaigns
from tests.web.grand_table import GrandTable, new_campaign
from tests.web.put_back import CACHE_CLEARERS

__all__ = ["new_campaign"]
PAGES = ("story/", "reports/", "charts/", "ledger/", "dice/", "history/", "n/huns/")
READINGS = (
    history.trails,
    selectors._visible_rolls,
    nations._sums,
    nations._courses,
    nations._newest,
    reports._listed,
)
TOKENS = re.compile(r'(name="csrfmiddlewaretoken" value=|"X-CSRFToken":) ?"\w+"')


def forget() -> None:
    for forget in (*CACHE_CLEARERS, *(reading.cache_clear for reading in READINGS)):
        forget()


def page(grand_table: GrandTable, who: str, where: str) -> list[str]:
    return TOKENS.sub("", grand_table.text(who, where)).splitlines()


def move(grand_table: GrandTable, rng: random.Random) -> None:
    raw = campaigns.next_move(rng, positions.current(grand_table.campaign))
    assert raw is not None
    grand_table.play(raw.pop("for", raw.pop("by")), **raw)


def held_to(grand_table: GrandTable, after: str) -> None:
    """Check that the pages of all readers equal those that are read from the whole log."""
    for who in ("hun", "nobody"):
        for where in PAGES:
            grand_table.get(who, where)  # a first request marks notices as read
    carried = {
        (who, where): page(grand_table, who, where) for who in ("hun", "nobody") for where in PAGES
    }
    forget()
    for (who, where), lines in carried.items():
        assert page(grand_table, who, where) == lines, (after, who, where)


@pytest.mark.long
@pytest.mark.django_db
def test_carried_on_and_read_anew_are_the_same(
    new_campaign: Callable[..., GrandTable], monkeypatch: pytest.MonkeyPatch
) -> None:
    grand_table, rng = new_campaign(hands="hidden"), random.Random(11)
    monkeypatch.setattr(campaigns, "CORRECTIONS", 0.5)
    held_to(grand_table, "the founding")
    for n in range(45):
        for who in ("hun", "nobody"):
            grand_table.get(who, PAGES[n % len(PAGES)])
        move(grand_table, rng)
        if n % 15 == 14:
            held_to(grand_table, f"move {n}")
    gm = grand_table.people["gm"]

    def undo(to: int) -> None:
        services.undo_to(
            grand_table.campaign, gm, to, "Again.", selectors.seen(grand_table.campaign, gm)
        )
        grand_table.campaign.refresh_from_db()

    for where in PAGES:
        grand_table.get("hun", where)
    undo(grand_table.campaign.last_number - 20)
    held_to(grand_table, "an undo")
    services.restore(grand_table.campaign, gm, grand_table.campaign.last_number, "It stood.")
    grand_table.campaign.refresh_from_db()
    held_to(grand_table, "a restoration")
    grand_table.play(
        "gm", "adjust", nation="huns", account="income", change=3, reason="A filthy word"
    )
    assert "A filthy word" in grand_table.text("hun", "ledger/")
    held_to(grand_table, "a correction")


@pytest.mark.django_db
def test_the_list_of_reports_line_by_line_is_that_of_all_lines(
    new_campaign: Callable[..., GrandTable],
) -> None:
    grand_table, rng = new_campaign(), random.Random(3)
    for _n in range(70):
        move(grand_table, rng)
        with translation.override("en"):
            carried = reports.contents(grand_table.campaign)
    lines = reports.lines_of(grand_table.campaign, bare=True)[1]
    with translation.override("en"):
        assert carried == reports.contents(grand_table.campaign, lines)
    assert {entry.kind for entry in carried} >= {"opening", "slot", "challenge", "battle", "turn"}


def counted(campaign: Campaign, state: int | None, after: int) -> int:
    return (state or 0) + campaign.entries.filter(
        sequence__gt=after, sequence__lte=campaign.last_sequence
    ).count()


@pytest.mark.django_db
def test_only_new_entries_are_read(new_campaign: Callable[..., GrandTable]) -> None:
    grand_table = new_campaign()
    grand_table.play("gm", "start")
    asked: list[int] = []

    def read(campaign: Campaign, state: int | None, after: int) -> int:
        asked.append(after)
        return counted(campaign, state, after)

    running = RunningState(read)
    stale = Campaign.objects.get(pk=grand_table.campaign.pk)
    assert running.of_log(stale) == stale.last_sequence + 1
    grand_table.play("gm", "adjust", nation="huns", account="income", change=1, reason="As ruled.")
    assert running.of_log(grand_table.campaign) == running.of_log(stale) + 1
    assert asked == [-1, stale.last_sequence]
    services.undo_to(
        grand_table.campaign,
        grand_table.people["gm"],
        grand_table.campaign.last_number - 1,
        "No.",
        grand_table.seen("gm"),
    )
    grand_table.campaign.refresh_from_db()
    assert running.of_log(grand_table.campaign) == grand_table.campaign.last_sequence + 1
    assert asked[2:] == [-1]


@pytest.mark.django_db
def test_the_next_campaign_of_the_same_row_is_read_as_a_first_one(
    new_campaign: Callable[..., GrandTable], django_assert_num_queries: Any
) -> None:
    grand_table = new_campaign()
    running = RunningState(lambda campaign, state, after: after)
    assert running.of_log(grand_table.campaign) == -1
    grand_table.play("gm", "start")
    grand_table.campaign.public_id = "another1"
    with django_assert_num_queries(0):
        assert running.of_log(grand_table.campaign) == -1


@pytest.mark.django_db
def test_queries_after_a_move_do_not_grow_with_the_log(
    new_campaign: Callable[..., GrandTable],
) -> None:
    """The number of queries is equal after ten moves and after sixty."""
    grand_table = new_campaign()
    grand_table.play("gm", "start")

    def correct(times: int) -> None:
        for n in range(times):
            grand_table.play(
                "gm",
                "adjust",
                nation="huns",
                account="income",
                change=1 - 2 * (n % 2),
                reason="As ruled.",
            )

    asked: list[dict[str, int]] = []
    for times in (10, 50):
        correct(times)
        counts = {}
        for where in PAGES:
            grand_table.get("hun", where)
            correct(1)
            with CaptureQueriesContext(connection) as queries:
                grand_table.get("hun", where)
            counts[where] = len(queries)
        asked.append(counts)
    assert asked[0] == asked[1]
    assert max(asked[0].values()) <= 13
