"""The history: the table after any entry in force, without a script, as each reader may see it."""

from __future__ import annotations

import re
from collections.abc import Callable
from gzip import compress
from typing import Any

import pytest
from django.core.management import call_command
from django.db import connection
from django.test import Client, TestCase
from django.test.utils import CaptureQueriesContext

from campaign import services
from campaign.log import history, selectors
from campaign.models import Campaign
from tests.alone import alone, patience
from tests.table import people, running, table, toy
from tests.web.grand_table import GrandTable, draft, grand_table, new_campaign
from tests.web.plain import parse_forms
from tests.web.titles.test_table import visible_text
from web.history.player import Tick, ticks

__all__ = [
    "alone",
    "draft",
    "grand_table",
    "new_campaign",
    "patience",
    "people",
    "running",
    "table",
    "toy",
]
pytestmark = pytest.mark.django_db

PART = {"HX-Target": "moment"}


def words(page: str) -> str:
    return " ".join(visible_text(re.sub("<svg.*?</svg>", "", page, flags=re.S)).split())


def block(page: str, name: str) -> str:
    """Return the text of a part of the page."""
    return words(
        page[page.index(f'data-then="{name}"') :].partition(">")[2].partition("data-then=")[0]
    )


def row(page: str, seat: str) -> list[str]:
    """Return the line of a nation in the standings."""
    body = page[page.index("table standings") :].partition("</table>")[0]
    (result,) = (row for row in body.split("<tr") if f'data-nation="{seat}"' in row)
    return [
        " ".join(visible_text(cell).split()) for cell in re.findall("<td.*?</td>", result, re.S)[1:]
    ]


def owner(page: str, province: str) -> str:
    """Return the owner that a province's colour on the map shows."""
    return re.findall(
        rf'<use href="/maps/\w+\.svg#o-{province}" class="m-prov" data-nation="(\w+)"', page
    )[0]


def changed(page: str) -> list[str]:
    return re.findall(r'<use href="/maps/\w+\.svg#o-([\w-]+)" class="m-changed"', page)


# Earlier positions --------------------------------------------------------------------------------
class TestTheDemonstration(TestCase):
    """The demonstration, created once for all tests.

    Entry 32 takes Margiana, and entry 43 closes turn 1. No user is signed in.
    """

    @classmethod
    def setUpTestData(cls) -> None:
        call_command("demo", verbosity=0)
        cls.home = f"/c/{Campaign.objects.get(title='grand_campaign').address}/history/"

    def get(self, query: str = "", **headers: str) -> str:
        return str(self.client.get(self.home + query, headers=headers).content.decode())

    def test_before_and_after_a_conquest(self) -> None:
        before, after = self.get("?at=31"), self.get("?at=32")
        assert (owner(before, "margiana"), owner(after, "margiana")) == (
            "independent",
            "hephtalites",
        )
        assert (changed(before), changed(after)) == ([], ["margiana"])
        assert row(before, "hephtalites") == ["0", "7", "6", "550t", "1600", "6", "0"]
        assert row(after, "hephtalites") == [
            "0 → 3",
            "7 → 8",
            "6 → 7",
            "550t → 600t",
            "1600 → 1630",
            "6 → 7",
            "0",
        ]
        assert row(after, "huns") == ["0", "6", "7", "550t", "1600", "7", "1"]
        assert block(after, "now").startswith(
            "32 Game master enters the result of #1 Margiana: routed 22–48 turn 1, "
        )
        assert "Margiana independent → Hephtalites" in block(after, "rail")
        assert "Hephtalites income: conquest of Margiana §9.8 +50t 600t" in block(after, "rail")
        # The finished attack is still drawn beside its result; one entry later it is gone.
        assert [">1</text>" in page for page in (before, after, self.get("?at=33"))] == [
            True,
            True,
            False,
        ]

    def test_the_order_of_play_and_the_cards_are_those_of_the_entry(self) -> None:
        rail = block(self.get("?at=31"), "rail")
        assert (
            "turn 1 of 6 Hephtalites has played Huns has played Kushans has played Romans has"
            " played Sassanids has played" in rail
        )
        assert "Vandals plays, actions left: 2½" in rail
        assert "Sassanids no card ; on the table: Mercenaries" in rail
        start = self.get("?at=0")
        assert "Order of play" not in block(start, "rail")
        assert row(start, "romans") == ["0", "6", "6", "450t", "1600", "9", "0"]

    def test_a_turn_is_compared_with_the_one_before(self) -> None:
        page = self.get("?at=43&by=turns")
        assert block(page, "now").startswith("Turn 1 to its end, entry 43")
        assert set(changed(page)) == {
            "africa",
            "armenia",
            "baetica",
            "dalmatia",
            "margiana",
            "sicilia",
        }
        assert row(page, "romans") == ["0", "6", "6", "450t → 550t", "1600", "9", "0 → 1"]
        rail = block(page, "rail")
        assert "Dalmatia + Ramparts" in rail
        assert "32 conquest of Margiana; Margiana: the attacker won" in rail
        assert block(self.get("?at=40&by=turns"), "now").startswith("Turn 1 up to entry 40")
        assert block(self.get("?by=turns"), "now").startswith("Turn 2 so far, up to entry 55")

    def test_the_history_works_without_a_script(self) -> None:
        page = self.get()
        assert "Standings after entry 55" in page
        at = []
        for step in ("back", "turn_back", "turn_back", "on", "first", "on", "last"):
            (url,) = re.findall(rf'<nav.*?data-step="{step}".*? href="([^"]+)"', page, re.S)[:1]
            page = self.client.get(url.replace("&amp;", "&")).content.decode()
            at.append(int(re.findall(r"Standings after entry (\d+)", page)[0]))
        assert at == [54, 43, 6, 7, 0, 1, 55]
        assert re.findall(r'data-step="(\w+)"[^>]*aria-disabled', page) == ["on", "turn_on", "last"]
        number, slider = (
            form for form in parse_forms(page) if dict(form.fields).keys() & {"at", "stop"}
        )
        assert dict(number.fields) == {"at": "55"}
        assert dict(slider.fields) == {"stop": "56"}
        there = self.client.get(self.home, {"stop": "33"})
        assert (there.status_code, there.url) == (302, f"{self.home}?at=32")
        assert re.findall(r'href="[^"]*at=(\d+)&amp;by=turns" data-place', page) == [
            "6",
            "43",
            "55",
        ]

    def test_other_pages_lead_here_and_back(self) -> None:
        home = self.home.removesuffix("history/")
        for room, there in (
            ("e/32/", "?at=32"),
            ("reports/battle-1/", "?at=32"),
            ("reports/turn-1/", "?at=43"),
            ("charts/", ""),
        ):
            assert f'href="{self.home}{there}"' in self.client.get(home + room).content.decode(), (
                room
            )
        page = self.get("?at=32")
        assert f'href="{home}e/32/"' in page
        assert f'href="{home}map.png?at=32"' in page

    def test_a_step_is_small_and_needs_few_queries(self) -> None:
        """A step sends only the parts that move.

        Measured with 400 entries, a step took 20 to 40 ms and 13 kB compressed.
        """
        self.get("?at=41")  # position and deadlines are cached from then on
        with CaptureQueriesContext(connection) as queries:
            whole = self.client.get(self.home + "?at=40").content
        assert len(queries) <= 12
        self.get("?at=39")
        with CaptureQueriesContext(connection) as queries:
            answer = self.client.get(self.home + "?at=40", headers=PART)
        assert len(queries) <= 6  # campaign, seats, the entry, its rolls, its signatures
        assert len(compress(answer.content)) < len(compress(whole)) < 20_000
        assert "no-store" in answer.headers["Cache-Control"]
        assert "HX-Target" in answer.headers["Vary"]
        assert b"<html" not in answer.content
        assert row(answer.content.decode(), "vandals") == row(whole.decode(), "vandals")

    def test_charts_are_loaded_later_with_the_entry_marked(self) -> None:
        assert 'hx-get="' + self.home + '?at=43" hx-trigger="revealed"' in self.get("?at=43")
        with CaptureQueriesContext(connection) as queries:
            part = self.client.get(
                self.home + "?at=43", headers={"HX-Target": "courses"}
            ).content.decode()
        assert len(queries) <= 5
        assert re.findall(r'<figcaption class="label">(\w+)<', part) == [
            "Stability",
            "Prestige",
            "Income",
            "Army",
            "VP",
        ]
        # Entry 43 of 7 to 55, seen from the one before the first to a little behind the last.
        assert set(re.findall(r'class="chart__at" data-edges="[\d.]+ [\d.]+ (\d+ \d+)"', part)) == {
            "6 57"
        }
        left, right, at = (
            float(n)
            for n in re.findall(r'data-edges="([\d.]+) ([\d.]+) 6 57" x1="([\d.]+)"', part)[0]
        )
        assert abs((at - left) / (right - left) - (43 - 6) / (57 - 6)) < 0.001


# Missing entries ----------------------------------------------------------------------------------
def test_an_undone_entry_says_so_and_links_to_the_next(grand_table: GrandTable) -> None:
    grand_table.play("gm", "set-owner", province="viennensis", owner="romans", reason="As ruled.")
    last = grand_table.campaign.last_number
    assert owner(grand_table.text("nobody", f"history/?at={last}"), "viennensis") == "romans"
    services.undo_to(
        grand_table.campaign,
        grand_table.people["gm"],
        last - 1,
        "No.",
        selectors.seen(grand_table.campaign, grand_table.people["gm"]),
    )
    gone = grand_table.get("nobody", f"history/?at={last}")
    text = words(gone.content.decode())
    assert gone.status_code == 404
    assert f"Entry {last} is struck" in text
    assert f"It was undone by entry {last + 1}" in text
    assert f'href="{grand_table.home}history/?at={last - 1}"' in gone.content.decode()
    now = grand_table.text("nobody", f"history/?at={last + 1}")
    assert owner(now, "viennensis") == "independent"
    assert f'href="{grand_table.home}history/?at={last - 1}" rel' not in now
    assert f"{last - 1} {last + 1}" in re.findall(r'data-stops="([\d ]+)"', now)[0]


def test_an_unknown_entry_is_reported(grand_table: GrandTable) -> None:
    for query in (
        "?at=999",
        "?at=-1",
        "?at=x",
        "?at=1e3",
        "?at=٣",
        "?stop=0",
        "?stop=999",
        "?stop=",
        "?at=%00",
    ):
        answer = grand_table.get("hun", "history/" + query)
        assert answer.status_code == 404
        text = words(answer.content.decode())
        assert (
            "There is no entry 999" in text
            if query == "?at=999"
            else "This is not an entry" in text
        )
        assert f"The log has the entries 0 to {grand_table.campaign.last_number}" in text
        assert f'href="{grand_table.home}history/"' in answer.content.decode()


# Secrets ------------------------------------------------------------------------------------------
def test_hidden_hands_stay_hidden_at_every_entry(new_campaign: Callable[..., GrandTable]) -> None:
    created = new_campaign(hands="hidden")
    created.open_hands()
    created.play("gm", "start")
    created.slot_to("huns")
    last = created.campaign.last_number
    hands = {
        key: nation["hand"]
        for key, nation in selectors.view(created.campaign, created.people["gm"])["nations"].items()
    }
    assert all(len(hand) == 1 for hand in hands.values())
    names = {key: hand[0].replace("-", " ").title() for key, hand in hands.items()}
    for query in (f"?at={last}", f"?at={last - 1}", f"?at={last}&by=turns"):
        shown = {
            who: block(created.text(who, "history/" + query), "rail")
            for who in ("gm", "hun", "roman", "stranger", "nobody")
        }
        assert all(f"{key.title()} {name}" in shown["gm"] for key, name in names.items())
        assert f"Huns {names['huns']}" in shown["hun"]
        assert "Romans 1 card in hand" in shown["hun"]
        assert f"Romans {names['romans']}" in shown["roman"]
        assert "Huns 1 card in hand" in shown["roman"]
        assert shown["stranger"] == shown["nobody"]
        assert not any(name in shown["nobody"] for name in names.values())


def test_the_history_does_not_stop_at_a_hidden_order(
    new_campaign: Callable[..., GrandTable],
) -> None:
    created = new_campaign(hands="hidden")
    created.play("gm", "start")
    created.play("gm", "give-card", nation="huns", card="bodyguard", reason="To try.")

    def seen() -> dict[str, str]:
        token = r'name="csrfmiddlewaretoken" value="\w+"|"X-CSRFToken": "\w+"'
        return {
            who: re.sub(token, "", created.text(who, "history/")) for who in ("roman", "nobody")
        }

    before = seen()
    hun = created.people["hun"]
    raw = {"by": "huns", "move": "keep", "card": "bodyguard", "value": True}
    created.campaign = services.play(
        created.campaign, hun, raw, selectors.seen(created.campaign, hun)
    ).campaign
    assert seen() == before


def test_only_members_see_the_history_of_a_members_campaign(
    new_campaign: Callable[..., GrandTable],
) -> None:
    created = new_campaign("members")
    assert created.statuses("history/?at=0") == {
        "gm": 200,
        "hun": 200,
        "roman": 200,
        "stranger": 404,
        "nobody": 404,
    }


# Other titles -------------------------------------------------------------------------------------
def test_a_title_without_a_map_has_standings_and_changes(running: Any) -> None:
    running.play("bee", "add", stones=2)
    home, client = f"/c/{running.campaign.address}/history/", Client()
    number = running.campaign.last_number
    page = client.get(f"{home}?at={number}").content.decode()
    assert row(page, "bee") == ["0 → 2"]
    assert row(page, "ant") == ["0"]
    assert "Heap The Ant → The Bee" in block(page, "rail")
    assert "map__svg" not in page


def test_a_title_with_its_own_page_has_no_history(alone: Any) -> None:
    home = f"/c/{alone.campaign.address}/"
    assert alone.client.get(home + "history/").status_code == 404
    assert "history/" not in alone.client.get(home).content.decode()


def test_the_history_of_a_draft_is_its_start(draft: GrandTable) -> None:
    page = draft.text("nobody", "history/")
    assert "Before the start" in words(page)
    assert row(page, "huns") == ["0", "6", "6", "450t", "1600", "7", "0"]
    assert history.trail(draft.campaign).ends == (len(history.trail(draft.campaign).stops) - 1,)


def test_one_mark_represents_four_stops_at_one_place() -> None:
    """The log has a thousand steps on 250 places.

    A change has priority over a contest at the same place, and the first of two over the second.
    """
    shown = {
        0: (False, True),
        3: (True, False),
        5: (False, True),
        6: (False, True),
        500: (True, True),
        501: (True, False),
    }
    quiet = (False, False)
    stops = [history.Stop(n, 1, n, n, True, *shown.get(n, quiet)) for n in range(1001)]
    assert ticks(history.Trail((), (), ()).of_stops(stops)) == [
        Tick("0.30%", True),
        Tick("0.50%", False),
        Tick("50.00%", True),
    ]
