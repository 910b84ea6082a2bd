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
from tests.web.five import WHO, Five, five, new_campaign

__all__ = ["challenge", "five", "new_campaign"]
pytestmark = pytest.mark.django_db
PAGE = "n/romans/standing/"


def order(five: Five, who: str = "roman", **typed: Any) -> Any:
    kept = StandingOrders.objects.filter(campaign=five.campaign, seat="romans").first()
    created = {
        "do": "order",
        "kind": "answer",
        "choice": "accept",
        "when": "at-once",
        "version": str(kept.version if kept else 0),
    }
    return five.post(who, PAGE, **{**created, **typed})


def test_given_changed_and_taken_out(five: Five) -> None:
    assert f'href="{five.home}{PAGE}"' in five.text("roman", "n/romans/")
    page = five.text("roman", PAGE)
    assert "You have not given any orders." in page
    assert 'value="dalmatia"' in page
    assert 'value="escort"' not in page
    assert order(five, provinces=["dalmatia", "sicilia"], cards="scouts").status_code == 303
    assert "Dalmatia, Sicilia: accept, with Scouts at once" in visible_text(five.get("roman", PAGE))
    opened = five.text("roman", PAGE, change="0")
    assert re.search(r'value="dalmatia" checked', opened)
    assert re.search(r'value="scouts" checked', opened)
    assert order(five, at="0", choice="withdraw", when="clock").status_code == 303
    assert "Everywhere else: withdraw when my time has run out" in visible_text(
        five.get("roman", PAGE)
    )
    assert order(five, do="take-out", at="0").status_code == 303
    assert "You have not given any orders." in five.text("roman", PAGE)
    assert order(five, kind="bodyguard", guard="keep").status_code == 303
    assert order(five, do="clear").status_code == 303
    assert StandingOrders.objects.get().size == 0


def test_the_game_master_reads_and_gives_none(five: Five) -> None:
    order(five, choice="withdraw")
    page = five.text("gm", PAGE)
    assert "Everywhere else: withdraw" in page
    assert 'name="do"' not in page.split("<main")[1].split("</main")[0]
    assert order(five, "gm").status_code == 403
    assert order(five, "hun").status_code == 403
    assert order(five, "stranger").status_code == 403
    # the seat is free and has no order
    assert five.get("gm", "n/vandals/standing/").status_code == 200
    assert five.get("gm", "n/gm/standing/").status_code == 404


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
    five: Five, typed: dict[str, str], status: int, content: str
) -> None:
    answer = order(five, **typed)
    assert answer.status_code == status
    assert content in visible_text(answer)
    assert not StandingOrders.objects.exists()


def test_an_order_for_a_matter_that_already_waits_says_so(challenge: Five) -> None:
    assert "A challenge is waiting for you now." in visible_text(challenge.get("roman", PAGE))
    answer = order(challenge, choice="withdraw")
    assert "has already acted" in visible_text(challenge.get("roman", answer["Location"]))
    assert stored_contest(challenge)["outcome"] == "withdrawn"
    assert "Romans: a standing order makes the next move." in visible_text(
        challenge.get("nobody", "log/")
    )


def test_skipped_orders_are_shown_on_the_page(five: Five) -> None:
    order(five, cards="naval-technology")
    attack_dalmatia(five)
    five.campaign.refresh_from_db()
    for who in ("roman", "gm"):
        assert "Skipped orders Everywhere else: accept, with Naval Technology #1" in visible_text(
            five.get(who, PAGE)
        )
    assert "A standing order for the Romans was skipped" in visible_text(
        five.get("roman", "notices/")
    )
    assert "skipped" not in visible_text(five.get("hun", "notices/"))


@pytest.mark.long
def test_other_readers_cannot_see_that_there_are_orders(five: Five) -> None:
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
            five.get(who, path)
            with CaptureQueriesContext(connection) as queries:
                answer = five.get(who, path)
            body = re.sub(rb'csrf\w*" value="\w+"|X-CSRFToken": "\w+"', b"", answer.content)
            created.append((path, answer.status_code, answer.get("ETag"), len(queries), body))
        return created

    others = [who for who in WHO if who not in ("gm", "roman")]
    before = {who: all_that(who) for who in others}
    order(five, choice="withdraw", provinces="dalmatia")
    order(five, choice="accept", when="clock")
    for who in others:
        assert all_that(who) == before[who]


def test_the_page_needs_few_queries(five: Five) -> None:
    order(five)
    attack_dalmatia(five)
    for who in ("roman", "gm"):
        with CaptureQueriesContext(connection) as queries:
            assert five.get(who, PAGE).status_code == 200
        assert len(queries) <= 15
