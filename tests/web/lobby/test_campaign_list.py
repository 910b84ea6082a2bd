"""The campaigns on the first page.

The reader's own ones, then the listed ones, and the demonstration.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from campaign import services
from forum import services as services_of_forum
from tests.web.grand_table import GrandTable, new_campaign
from tests.web.titles.test_table import visible_text

__all__ = ["new_campaign"]


def listed(html: str) -> str:
    return visible_text(html.split('id="campaigns"')[1].split("</section>")[0])


def test_readers_find_these_campaigns(
    new_campaign: Callable[..., GrandTable], person: Callable[..., Any]
) -> None:
    table = new_campaign("listed", name="Open")
    gm = table.people["gm"]
    services.found_campaign(gm, "grand_campaign", "By address", "420ad", visibility="unlisted")
    services.found_campaign(gm, "grand_campaign", "Closed", "420ad", visibility="members")
    for who, names in (
        ("gm", ["Open", "By address", "Closed"]),
        ("hun", ["Open"]),
        ("stranger", ["Open"]),
        ("nobody", ["Open"]),
    ):
        text = listed(table.text(who, "/"))
        assert [name for name in ("Open", "By address", "Closed") if name in text] == names, who


def test_a_campaign_before_the_start_is_listed(new_campaign: Callable[..., GrandTable]) -> None:
    table = new_campaign()
    text = listed(table.text("nobody", "/"))
    assert "The Long Frontier 420 AD Grand Campaign, game master: Marozia 4 of 6 seats free" in text
    assert "Not started" in text
    html = table.text("nobody", "/")
    assert html.count("is-free") == 4
    assert 'data-nation="huns" title="Huns"' in html
    assert 'data-nation="vandals" title="Vandals: free"' in html
    assert f'<a href="{table.home}">The Long Frontier</a>' in html


def test_a_running_campaign_is_listed_with_its_state(
    new_campaign: Callable[..., GrandTable],
) -> None:
    table = new_campaign()
    table.play("gm", "start")
    table.slot_to("huns")
    assert "turn 1 the turn of the Huns" in listed(table.text("nobody", "/"))
    assert "Running" in listed(table.text("nobody", "/"))
    assert "Your turn" in listed(table.text("hun", "/"))
    assert "Yours" in listed(table.text("roman", "/"))


def test_the_readers_own_campaigns_are_first(
    new_campaign: Callable[..., GrandTable], person: Callable[..., Any]
) -> None:
    table = new_campaign()
    services.found_campaign(
        person("Cosima"), "grand_campaign", "A younger one", "420ad", visibility="listed"
    )
    page = visible_text(table.text("hun", "/"))
    assert (
        page.index("Your campaigns")
        < page.index("The Long Frontier")
        < page.index("Other campaigns")
        < page.index("A younger one")
    )
    assert listed(table.text("nobody", "/")).index("A younger one") < listed(
        table.text("nobody", "/")
    ).index("The Long Frontier")


def test_demonstration_users_are_listed_with_their_nations(
    new_campaign: Callable[..., GrandTable], settings: Any
) -> None:
    settings.TABULA_DEMO = True
    table = new_campaign()
    for user in table.people.values():
        type(user).objects.filter(pk=user.pk).update(demo=True)
    text = visible_text(table.text("nobody", "/").split('id="demonstration"')[1])
    assert "Game master Marozia Huns Ingrid Romans Benedetto Sid" in text


def test_open_tasks_of_all_campaigns_are_first(
    new_campaign: Callable[..., GrandTable],
) -> None:
    table = new_campaign()
    assert "You have nothing to do right now." in table.text("hun", "/")
    table.play("gm", "start")
    table.slot_to("huns")
    page = table.text("hun", "/")
    waiting = visible_text(page.split('id="mine"')[1].split("</section>")[0])
    assert "Play your turn The Long Frontier" in waiting
    assert f'href="{table.home}n/huns/">Play<' in page
    assert "You have nothing to do right now." in table.text("roman", "/")
    services_of_forum.set_up(
        table.campaign,
        table.people["gm"],
        transport="clipboard",
        name="Board",
        settings={"address": "https://board.example/t/7"},
    )
    table.post("gm", "posts/", report="opening-1")
    assert "1 post for the thread The Long Frontier no deadline Copy" in visible_text(
        table.text("gm", "/")
    )


@pytest.mark.parametrize("campaigns", [1, 4])
def test_queries(new_campaign: Callable[..., GrandTable], campaigns: int) -> None:
    table = new_campaign()
    for n in range(campaigns - 1):
        services.found_campaign(
            table.people["gm"], "grand_campaign", f"Number {n}", "420ad", visibility="listed"
        )
    client: Client = table.clients["hun"]
    client.get("/")
    with CaptureQueriesContext(connection) as queries:
        client.get("/")
    assert len(queries) == 9


def below_the_map(html: str) -> str:
    return visible_text(
        html.split("<figcaption")[1].split("</figcaption>")[0].split(">", 1)[1]
    ).strip()


def test_the_first_page_has_the_map_of_a_running_campaign(
    new_campaign: Callable[..., GrandTable],
) -> None:
    table = new_campaign("listed", name="The Danube")
    opening = table.text("nobody", "/")
    assert below_the_map(opening) == "420 AD Grand Campaign"
    table.play("gm", "start")
    table.slot_to("huns")
    table.play("huns", "attack", kind="land", **{"from": "pannonia", "target": "dalmatia"})
    for who in ("nobody", "hun"):
        page = table.text(who, "/")
        assert below_the_map(page) == "The Danube , turn 1: the Huns before Dalmatia"
        assert f'<a href="{table.home}story/">The Danube</a>, turn 1' in page
        assert '.svg#o-dalmatia"' in page
    # Players go to the table, other readers to the story.
    assert f'<div class="camp__name"><a href="{table.home}">The Danube</a>' in table.text(
        "hun", "/"
    )
    assert f'<div class="camp__name"><a href="{table.home}story/">The Danube</a>' in table.text(
        "stranger", "/"
    )


@pytest.mark.parametrize("visibility", ["unlisted", "members"])
def test_the_first_page_has_no_other_map(
    new_campaign: Callable[..., GrandTable], visibility: str
) -> None:
    table = new_campaign(visibility, name="Closed")
    table.play("gm", "start")
    assert below_the_map(table.text("nobody", "/")) == "420 AD Grand Campaign"
    assert below_the_map(table.text("hun", "/")) == "420 AD Grand Campaign"


def test_every_title_is_introduced(new_campaign: Callable[..., GrandTable]) -> None:
    text = visible_text(new_campaign().text("nobody", "/").split('id="h-t"')[1])
    assert "420 AD Grand Campaign 6 players, 6 turns of three to four weeks each" in text
    assert "Create a campaign · Rules" in text
    assert "March on Rome 1 player, one evening" in text
    assert "Play by your own rules · Rules · Hall of fame" in text
