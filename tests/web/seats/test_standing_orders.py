"""The page of standing orders.

Written by the holder, read by the game master, hidden from others.
"""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from campaign.models import StandingOrders
from tests.web.contests import attack_dalmatia, challenge, stored_contest, visible_text
from tests.web.grand_table import WHO, GrandTable, grand_table, new_campaign

__all__ = ["challenge", "grand_table", "new_campaign"]
pytestmark = pytest.mark.django_db
PAGE = "n/romans/standing/"


def order(grand_table: GrandTable, who: str = "roman", **typed: Any) -> Any:
    kept = StandingOrders.objects.filter(campaign=grand_table.campaign, seat="romans").first()
    created = {
        "do": "order",
        "kind": "answer",
        "choice": "accept",
        "when": "at-once",
        "version": str(kept.version if kept else 0),
    }
    return grand_table.post(who, PAGE, **{**created, **typed})


def test_given_changed_and_taken_out(grand_table: GrandTable) -> None:
    assert f'href="{grand_table.home}{PAGE}"' in grand_table.text("roman", "n/romans/")
    page = grand_table.text("roman", PAGE)
    assert "You have not given any orders." in page
    assert 'value="dalmatia"' in page
    assert 'value="escort"' not in page
    assert order(grand_table, provinces=["dalmatia", "sicilia"], cards="scouts").status_code == 303
    assert "Dalmatia, Sicilia: accept, with Scouts at once" in visible_text(
        grand_table.get("roman", PAGE)
    )
    opened = grand_table.text("roman", PAGE, change="0")
    assert re.search(r'value="dalmatia" checked', opened)
    assert re.search(r'value="scouts" checked', opened)
    assert order(grand_table, at="0", choice="withdraw", when="clock").status_code == 303
    assert "Everywhere else: withdraw when my time has run out" in visible_text(
        grand_table.get("roman", PAGE)
    )
    assert order(grand_table, do="take-out", at="0").status_code == 303
    assert "You have not given any orders." in grand_table.text("roman", PAGE)
    assert order(grand_table, kind="bodyguard", guard="keep").status_code == 303
    assert order(grand_table, do="clear").status_code == 303
    assert StandingOrders.objects.get().size == 0


def test_the_game_master_reads_and_gives_none(grand_table: GrandTable) -> None:
    order(grand_table, choice="withdraw")
    page = grand_table.text("gm", PAGE)
    assert "Everywhere else: withdraw" in page
    assert 'name="do"' not in page.split("<main")[1].split("</main")[0]
    assert order(grand_table, "gm").status_code == 403
    assert order(grand_table, "hun").status_code == 403
    assert order(grand_table, "stranger").status_code == 403
    # the seat is free and has no order
    assert grand_table.get("gm", "n/vandals/standing/").status_code == 200
    assert grand_table.get("gm", "n/gm/standing/").status_code == 404


@pytest.mark.parametrize(
    ("typed", "status", "content"),
    [
        ({"choice": "flee"}, 422, "Choose one of"),
        ({"provinces": "atlantis"}, 422, "atlantis"),
        ({"when": "soon"}, 422, "Choose when"),
        ({"version": "7"}, 409, "another window"),
        ({"version": "x"}, 409, "another window"),
        ({"choice": "withdraw", "cards": "scouts"}, 422, "You cannot play cards with a withdrawal"),
        ({"kind": "raid"}, 404, ""),
        ({"cards": "spy"}, 422, "cannot be used with this"),
        ({"at": "5"}, 409, "another window"),
        ({"do": "take-out"}, 404, ""),
    ],
)
def test_nonsense_is_asked_again(
    grand_table: GrandTable, typed: dict[str, str], status: int, content: str
) -> None:
    answer = order(grand_table, **typed)
    assert answer.status_code == status
    assert content in visible_text(answer)
    assert not StandingOrders.objects.exists()


def test_an_order_for_a_matter_that_already_waits_says_so(challenge: GrandTable) -> None:
    assert "A challenge is waiting for you now." in visible_text(challenge.get("roman", PAGE))
    answer = order(challenge, choice="withdraw")
    assert "has already acted" in visible_text(challenge.get("roman", answer["Location"]))
    assert stored_contest(challenge)["outcome"] == "withdrawn"
    assert "Romans: a standing order makes the next move." in visible_text(
        challenge.get("nobody", "log/")
    )


def test_skipped_orders_are_shown_on_the_page(grand_table: GrandTable) -> None:
    order(grand_table, cards="naval-technology")
    attack_dalmatia(grand_table)
    grand_table.campaign.refresh_from_db()
    for who in ("roman", "gm"):
        assert "Skipped orders Everywhere else: accept, with Naval Technology #1" in visible_text(
            grand_table.get(who, PAGE)
        )
    assert "A standing order for the Romans was skipped" in visible_text(
        grand_table.get("roman", "notices/")
    )
    assert "skipped" not in visible_text(grand_table.get("hun", "notices/"))


@pytest.mark.long
def test_other_readers_cannot_see_that_there_are_orders(grand_table: GrandTable) -> None:
    """For other readers, pages, tags and numbers of queries are equal before and after."""
    pages = [
        "",
        "n/romans/",
        "log/",
        "battles/",
        "seats/",
        "about/",
        "log.csv",
        "record.json",
        "notices/",
        "live/",
    ]

    def all_that(who: str) -> list[Any]:
        created = []
        for path in pages:
            grand_table.get(who, path)
            with CaptureQueriesContext(connection) as queries:
                answer = grand_table.get(who, path)
            body = re.sub(rb'csrf\w*" value="\w+"|X-CSRFToken": "\w+"', b"", answer.content)
            created.append((path, answer.status_code, answer.get("ETag"), len(queries), body))
        return created

    others = [who for who in WHO if who not in ("gm", "roman")]
    before = {who: all_that(who) for who in others}
    order(grand_table, choice="withdraw", provinces="dalmatia")
    order(grand_table, choice="accept", when="clock")
    for who in others:
        assert all_that(who) == before[who]


def test_the_page_needs_few_queries(grand_table: GrandTable) -> None:
    order(grand_table)
    attack_dalmatia(grand_table)
    for who in ("roman", "gm"):
        with CaptureQueriesContext(connection) as queries:
            assert grand_table.get(who, PAGE).status_code == 200
        assert len(queries) <= 15
