"""Filters of the log: by nation and by kind, and what they must not show."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from campaign import rulebook, services
from games.contract.log import MOVE_KINDS, WithMoveKinds
from games.registry import TITLES
from tests.table import people, running, table, toy
from tests.web.grand_table import WHO, GrandTable, campaign_in_huns_slot, new_campaign
from tests.web.titles.test_table import visible_text

__all__ = ["new_campaign", "people", "running", "table", "toy"]

ALL = ("moves", "battles", "cards", "building", "dice", "table", "corrections")


@pytest.fixture
def played(new_campaign: Callable[..., GrandTable]) -> GrandTable:
    return campaign_in_huns_slot(new_campaign, "moves of every kind", play_moves_of_every_kind)


def play_moves_of_every_kind(grand_table: GrandTable) -> None:
    """Make the entries 7 to 14, which are of every kind.

    The Huns build Hamlets (7) and attack Dalmatia of the Romans (8), the Romans accept (9), the
    Huns win (10). The game master corrects an account of the Vandals (11), rules (12), and undoes
    a correction (13) with entry 14.
    """
    grand_table.play("huns", "build", structure="hamlets")
    attack = {"from": "pannonia", "target": "dalmatia", "kind": "land"}
    grand_table.play("huns", "attack", **attack)
    grand_table.play("romans", "respond", attack=1, choice="accept")
    grand_table.play("gm", "report", attack=1, routed={"attacker": 12, "defender": 48.5})
    correction = {"account": "income", "change": 25, "reason": "As ruled."}
    grand_table.play("gm", "adjust", nation="vandals", **correction)
    gm = grand_table.people["gm"]
    rulebook.rule_on(grand_table.campaign, gm, "Bridges count.", rule="7.3")
    grand_table.campaign.refresh_from_db()
    grand_table.play("gm", "adjust", nation="kushans", **correction)
    services.undo_to(grand_table.campaign, gm, 12, "Not the Kushans", grand_table.seen("gm"))
    grand_table.campaign.refresh_from_db()


def numbers(text: str) -> list[int]:
    """Return the numbers of the entries on a page of the log, the newest first."""
    return [int(n) for n in re.findall(r'<li id="e(\d+)"', text)]


@pytest.mark.parametrize(
    ("address", "expected"),
    [
        ("kind=moves", [13, 11, 10, 9, 8, 7, 6, 5, 4, 3]),
        ("kind=battles", [10, 9, 8]),
        ("kind=cards", [3]),
        ("kind=building", [7]),
        ("kind=dice", [3]),
        ("kind=table", [14, 12, 2, 1, 0]),
        ("kind=corrections", [14, 13, 11]),
        ("kind=building&kind=corrections", [14, 13, 11, 7]),
        ("nation=vandals", [11, 5, 4]),
        ("nation=romans", [10, 9, 8, 2]),
        ("nation=huns&kind=building", [7]),
        ("nation=romans&kind=battles", [10, 9, 8]),
        ("nation=kushans&nation=vandals&kind=corrections", [11]),
        ("nation=kushans&kind=building", []),
    ],
)
def test_filter(played: GrandTable, address: str, expected: list[int]) -> None:
    assert numbers(played.text("nobody", f"log/?{address}")) == expected


def test_page_shows_the_choice_and_a_way_back(played: GrandTable) -> None:
    html = played.text("nobody", "log/?nation=huns&kind=building")
    text = visible_text(html)
    assert "Filter Huns, Building" in text
    assert "1 of 15 entries" in text
    assert 'value="huns" checked' in html
    assert 'value="building" checked' in html
    assert html.count(" checked") == 2
    assert '<a class="button button--quiet" href="?">Show everything</a>' in html
    assert "Turn of the Huns" not in text


def test_log_without_a_filter_has_a_heading_for_each_part(played: GrandTable) -> None:
    text = visible_text(played.text("nobody", "log/"))
    assert "Filter everything is shown" in text
    assert "15 entries, newest first" in text
    assert text.index("Turn of the Huns") < text.index("Turn of the Hephtalites")
    assert text.index("Turn of the Sassanids") < text.index("Start of the turn 3")
    assert "Show everything" not in text


def test_filter_that_matches_nothing_says_so(played: GrandTable) -> None:
    text = visible_text(played.text("nobody", "log/?nation=kushans&kind=building"))
    assert "0 of 15 entries No entry matches this filter. Show everything" in text


@pytest.mark.parametrize(
    "address",
    [
        "nation=goths",
        "kind=weather",
        "nation=huns&kind=%3Cscript%3E",
        "kind=&nation=",
        "nation=gm",
        "nation=%00&kind=%F0%9F%8E%B2",
        "kind=" + "x" * 500,
    ],
)
def test_unknown_values_are_left_out_and_named(played: GrandTable, address: str) -> None:
    answer = played.get("nobody", f"log/?{address}")
    assert answer.status_code == 200
    html = answer.content.decode()
    assert (
        "This address also names a nation or a kind of entry that this log does not have." in html
    )
    assert "<script>" not in html.partition("<main")[2]


@pytest.mark.parametrize("place", ["before=x", "after=-1", "at=1e3"])
def test_wrong_place_in_a_filtered_log_is_not_found(played: GrandTable, place: str) -> None:
    assert played.get("nobody", f"log/?kind=moves&{place}").status_code == 404


def test_pages_of_a_filtered_log_keep_the_filter(
    played: GrandTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("web.log.page.PAGE", 4)
    newest = played.text("nobody", "log/?nation=huns&kind=moves")
    assert numbers(newest) == [10, 9, 8, 7]
    assert 'href="?nation=huns&amp;kind=moves&amp;before=7" rel="next">Older entries' in newest
    older = played.text("nobody", "log/?nation=huns&kind=moves&before=7")
    assert numbers(older) == [6]
    assert 'href="?nation=huns&amp;kind=moves&amp;after=6" rel="prev">Newer entries' in older
    assert 'href="?nation=huns&amp;kind=moves">Newest entries' in older
    assert 'href="?nation=huns&amp;kind=moves&amp;all">The whole log' in older
    assert numbers(played.text("nobody", "log/?nation=huns&kind=moves&after=6")) == [10, 9, 8, 7]
    assert numbers(played.text("nobody", "log/?nation=huns&kind=moves&at=3")) == [6]
    assert numbers(played.text("nobody", "log/?nation=huns&kind=moves&all")) == [10, 9, 8, 7, 6]


def test_result_shows_its_shares_as_figures(played: GrandTable) -> None:
    text = visible_text(played.text("nobody", "log/?kind=battles"))
    assert "12% attacker routed 48.5% defender routed" in text
    assert re.search(r"Huns \+1 stability → 7 \+1 prestige → 8 \+1 VP → 1", text)


@pytest.mark.parametrize("who", WHO)
def test_filtered_log_takes_at_most_twelve_queries(played: GrandTable, who: str) -> None:
    path = "log/?nation=huns&nation=romans&" + "&".join(f"kind={kind}" for kind in ALL)
    played.get(who, path)
    with CaptureQueriesContext(connection) as queries:
        assert played.get(who, path).status_code == 200
    assert len(queries) <= 12


@pytest.mark.parametrize("address", ["kind=moves", "nation=bee", "nation=bee&kind=moves"])
def test_filter_and_its_count_leave_out_hidden_entries(
    running: Any, client: Any, address: str
) -> None:
    page = f"/c/{running.reload().address}/log/?{address}"

    def counted(who: str | None) -> str:
        if who:
            client.force_login(running.people[who])
        else:
            client.logout()
        note = re.search(r"(\d+ of \d+) entries", client.get(page).content.decode())
        assert note
        return note[1]

    readers = ("gm", "bee", "ant", "stranger", None)
    before = {who: counted(who) for who in readers}
    running.play("bee", "hide", secret=4711)
    after = {who: counted(who) for who in readers}
    matching, entries = map(int, before["ant"].split(" of "))
    more = f"{matching + 1} of {entries + 1}"
    assert after == before | {"gm": more, "bee": more}


def test_names_are_escaped_in_the_filter(new_campaign: Callable[..., GrandTable]) -> None:
    html = new_campaign().text("nobody", 'log/?nation="><img src=x>')
    assert "<img src=x>" not in html


@pytest.mark.parametrize("title", TITLES.values(), ids=list(TITLES))
def test_titles_sort_their_moves_into_known_kinds(title: Any) -> None:
    if isinstance(title, WithMoveKinds):
        assert {*title.move_kinds} <= {*MOVE_KINDS}
