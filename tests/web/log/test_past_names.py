"""Pages about the past after a hand-over of a seat: they name the player of that time."""

from __future__ import annotations

import re

import pytest

from campaign import services
from tests.web.contests import play_to_turn, report_result, siege
from tests.web.grand_table import GrandTable, new_campaign

__all__ = ["new_campaign", "siege"]
pytestmark = pytest.mark.django_db


def body_of(page: str) -> str:
    """Return the page below the campaign's head, which shows the present."""
    body = page.partition("<main")[2]
    body = re.sub(
        r'<header class="head.*?</header>|<nav.*?</nav>|<form class="talk.*?</form>',
        "",
        body,
        flags=re.S,
    )
    body = re.sub(r"map\.png\?at=\d+", "map.png", body or page)
    return re.sub(r'(name="(?:csrfmiddlewaretoken|seen)" value|data-at)="[^"]*"', r"\1", body)


def pages_of_the_past(table: GrandTable, last: int) -> dict[str, str]:
    """Return all pages about the log up to this entry, as an anonymous reader sees them."""
    keys = dict.fromkeys(
        re.findall(r"reports/([a-z]+-[0-9a-z-]+)/", table.text("nobody", "reports/"))
    )
    paths = [f"reports/{key}/" for key in keys if not re.match(r"(turn|opening|slot)-3", key)]
    paths += [f"e/{number}/" for number in range(last)]  # the last one will link to the next
    paths += ["b/1/", "battles/", "story/", "charts/", "ledger/", "dice.csv"]
    answers = {path: table.get("nobody", path) for path in paths}
    return {
        path: body_of(answer.content.decode())
        for path, answer in answers.items()
        if answer.status_code == 200
    }


@pytest.mark.long
def test_a_hand_over_of_a_seat_changes_no_page_about_the_past(siege: GrandTable) -> None:
    """The Hun fights in turn 2; in turn 3 another player takes the seat over."""
    table = siege
    report_result(table, 1, "winner", side="attacker")
    table.campaign.refresh_from_db()
    play_to_turn(table, 3, {})
    last = table.campaign.last_number
    before = pages_of_the_past(table, last)
    assert len(before) > 45
    for path in (
        "reports/turn-1/",
        "reports/turn-2/",
        "reports/battle-1/",
        "reports/slot-1-huns/",
        "b/1/",
    ):
        assert "Ingrid" in before[path]
    _invitation, token = services.hand_over_link(table.campaign, table.people["hun"], "huns")
    services.take_seat(table.people["stranger"], token)
    table.campaign.refresh_from_db()
    after = pages_of_the_past(table, last)
    assert [path for path in before if after[path] != before[path]] == []
    assert "Sid" in table.text("nobody", "reports/turn-3/"), (
        "what has not ended names who came, too"
    )
    assert "Ingrid, then Sid" in table.text("nobody", "reports/turn-3/")
