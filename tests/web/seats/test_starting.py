"""The start with free seats, and people and programs at one table."""

from __future__ import annotations

import html
import re
from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from campaign import practice, services
from campaign.log import selectors
from campaign.models import Campaign
from campaign.seats.selectors import program_levels
from tests.web.grand_table import SEED
from tests.windows import Table

pytestmark = pytest.mark.django_db


def words(page: str) -> str:
    page = re.sub(r"<(script|style|svg).*?</\1>", " ", page, flags=re.DOTALL)
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", page)).split())


def table_of(
    person: Callable[..., Any], title: str, scenario: str, seat: str, options: dict[str, Any]
) -> Table:
    """Return a table of a game master and of Ada, who holds one seat."""
    people = {"gm": person("Marozia"), "ada": person("Ada")}
    campaign = services.found_campaign(
        people["gm"], title, "At one table", scenario, options, seed=SEED
    )
    services.take_seat(people["ada"], services.invite(campaign, people["gm"], seat)[1])
    campaign.refresh_from_db()
    return Table(campaign, people)


@pytest.fixture
def empire(person: Callable[..., Any]) -> Table:
    return table_of(person, "roman_empire", "standard", "A", {"players": 3})


def test_the_start_asks_who_plays_the_free_seats(empire: Table) -> None:
    start = empire.home + "start/"
    board = empire.text("gm")
    assert f'href="{start}"' in board
    assert 'value="begin"' not in board
    with CaptureQueriesContext(connection) as asked:
        page = words(empire.text("gm", "start/"))
    assert len(asked) <= 12
    assert "2 seats are free" in page
    assert "Give the free seats to programs and start" in page
    assert "Wait for people" in page
    assert "Start with free seats" in page
    assert empire.clients["ada"].get(start).status_code == 403
    assert empire.post("ada", "start/", do="start").status_code == 403

    answer = empire.post("gm", "start/", **{"do": "fill", "level-B": "bold", "level-C": "cautious"})
    assert answer.headers["Location"].startswith(empire.home)
    position = empire.position
    assert position.phase != "setup"
    assert position.draw is not None, "what happens automatically has happened"
    assert program_levels(empire.campaign) == {"B": "bold", "C": "cautious"}
    assert empire.clients["gm"].get(start).headers["Location"] == empire.home
    while practice.advance(empire.campaign.pk):
        pass
    assert "by the clock" not in words(empire.text("ada", "log/"))
    board = words(empire.text("ada"))
    assert "Who plays" in board
    assert "program: bold" in board
    assert "program: cautious" in board
    assert empire.campaign.game.waiting(empire.position)[0].seat == "A"


def test_a_level_that_no_program_has_starts_nothing(empire: Table) -> None:
    answer = empire.post("gm", "start/", **{"do": "fill", "level-B": "perfect", "level-C": "bold"})
    assert answer.headers["Location"] == empire.home + "start/"
    assert empire.position.phase == "setup"
    assert program_levels(empire.campaign) == {}


CHANGED = "The seats have changed since you opened this page. Please check who plays."


def test_a_start_from_an_old_page_waits_until_the_reader_has_seen_who_plays(
    empire: Table, person: Callable[..., Any]
) -> None:
    """Somebody joins while the page is open: nothing starts, and no program takes a seat."""
    gm, campaign = empire.people["gm"], empire.campaign
    seen = selectors.seen(campaign, gm)
    services.take_seat(person("Ben"), services.invite(campaign, gm, "B")[1])
    form = {"seen": str(seen), "do": "fill", "level-B": "bold", "level-C": "cautious"}
    answer = empire.clients["gm"].post(empire.home + "start/", form, follow=True)
    page = words(answer.content.decode())
    assert CHANGED in page
    assert "One seat is free" in page
    assert "Ben" in page
    campaign.refresh_from_db()
    assert (campaign.started, program_levels(campaign)) == (False, {})

    # The page that is shown now starts the game, and a second press leads to the same game.
    form["seen"] = str(selectors.seen(campaign, gm))
    for _press in range(2):
        answer = empire.clients["gm"].post(empire.home + "start/", form)
        assert answer.headers["Location"].startswith(empire.home)
        assert "start/" not in answer.headers["Location"]
    campaign.refresh_from_db()
    assert program_levels(campaign) == {"C": "cautious"}
    begun = campaign.entries.filter(kind="move").exclude(actor=None)
    assert [entry.content["move"] for entry in begun].count("begin") == 1


def test_the_desk_does_not_start_from_an_old_page(person: Callable[..., Any]) -> None:
    table = table_of(person, "grand_campaign", "420ad", "huns", {})
    gm, campaign = table.people["gm"], table.campaign
    programs = {seat.key: "bold" for seat in campaign.game.seats(*terms(table))}
    services.fill_with_programs(campaign, gm, programs)
    seen = str(selectors.seen(campaign, gm))
    services.vacate(campaign, gm, "huns")
    form = {"seen": seen, "do": "turn", "move": "start", "unannounced": "1"}
    desk = table.clients["gm"].post(table.home + "desk/", form).content.decode()
    assert CHANGED in words(desk)
    assert f'href="{table.home}start/"' in desk
    campaign.refresh_from_db()
    assert not campaign.started

    # If the button of the current page is pressed twice, the campaign starts once.
    form["seen"] = str(selectors.seen(campaign, gm))
    for _press in range(2):
        answer = table.clients["gm"].post(table.home + "desk/", form)
        assert answer.headers["Location"] == table.home + "desk/"
    starts = campaign.entries.filter(kind="move")
    assert [entry.content["move"] for entry in starts].count("start") == 1


def test_a_game_that_waits_for_a_free_seat_says_so(empire: Table) -> None:
    assert empire.post("gm", "start/", do="start").status_code == 303
    mover = empire.campaign.game.waiting(empire.position)[0].seat
    if mover == "A":
        services.vacate(empire.campaign, empire.people["ada"], "A")
    colour = {"A": "Red", "B": "Blue", "C": "White"}[mover]
    text = f"The game is waiting for the {colour} Faction: no one plays this seat."
    assert text in words(empire.text("gm"))
    assert f'href="{empire.home}seats/?program={mover}#program"' in empire.text("gm")
    assert text in words(empire.text("ada"))
    assert "The game master, Marozia, can let a program play it." in words(empire.text("ada"))
    services.let_program(empire.campaign, empire.people["gm"], mover, "bold")
    while practice.advance(empire.campaign.pk):
        pass
    assert text not in words(empire.text("gm"))


def test_without_free_seats_the_board_starts_at_once(empire: Table) -> None:
    services.fill_with_programs(empire.campaign, empire.people["gm"], {"B": "bold", "C": "bold"})
    assert 'value="begin"' in empire.text("gm")
    page = words(empire.text("gm", "start/"))
    assert "Every seat has a player. You can start." in page
    assert "Wait for people" not in page


def test_the_seats_page_fills_changes_and_takes_seats(empire: Table) -> None:
    assert "Let programs play all free seats" in words(empire.text("gm", "seats/"))
    assert empire.post("gm", "seats/", do="fill", level="cautious").status_code == 302
    empire.campaign.refresh_from_db()
    assert program_levels(empire.campaign) == {"B": "cautious", "C": "cautious"}
    page = words(empire.text("gm", "seats/?program=B"))
    assert "Level of the program of the Blue Faction" in page
    assert "Change the level…" in page
    empire.post("gm", "seats/", do="program", seat="B", level="cunning")
    empire.post("gm", "seats/", do="take", seat="C")
    empire.campaign.refresh_from_db()
    assert program_levels(empire.campaign) == {"B": "cunning"}
    assert "Marozia" in words(empire.text("ada", "about/"))


def test_a_player_leaves_a_seat_to_a_program_and_takes_it_back(empire: Table) -> None:
    assert empire.post("gm", "start/", do="start").status_code == 303
    assert "a program plays: Bold" in words(empire.text("ada", "about/"))
    empire.post("ada", "about/", do="leave", seat="A", level="bold")
    empire.campaign.refresh_from_db()
    assert program_levels(empire.campaign) == {"A": "bold"}
    assert "A program has played this seat since you left it." in words(
        empire.text("ada", "about/")
    )
    assert empire.post("gm", "about/", do="take-back", seat="A").status_code == 403
    assert empire.post("ada", "about/", do="take-back", seat="A").headers["Location"] == empire.home
    empire.campaign.refresh_from_db()
    assert program_levels(empire.campaign) == {}
    assert "You play Red Faction." in words(empire.text("ada"))


def test_no_return_is_promised_to_a_campaign_that_only_members_see(empire: Table) -> None:
    promise = "you can take it back until someone else has taken it"
    assert promise in words(empire.text("ada", "about/"))
    Campaign.objects.filter(pk=empire.campaign.pk).update(visibility="members")
    page = words(empire.text("ada", "about/"))
    assert "a program plays: Bold" in page
    assert promise not in page


def test_the_desk_of_the_grand_campaign_asks_too(person: Callable[..., Any]) -> None:
    table = table_of(person, "grand_campaign", "420ad", "huns", {})
    assert f'href="{table.home}start/"' in table.text("gm", "desk/")
    page = words(table.text("gm", "start/"))
    assert "5 seats are free" in page
    assert "You move for a free seat as game master until someone takes it." in page
    chosen = {f"level-{seat.key}": "bold" for seat in table.campaign.game.seats(*terms(table))}
    answer = table.post("gm", "start/", do="fill", **chosen)
    assert answer.headers["Location"] == table.home + "desk/"
    assert table.position.turn == 1
    assert sorted(program_levels(table.campaign)) == [
        "hephtalites",
        "kushans",
        "romans",
        "sassanids",
        "vandals",
    ]


def terms(table: Table) -> tuple[Any, Any]:
    position = table.position
    return position.scenario, position.options


def test_tetrarchia_shows_who_plays_and_where_to_start(person: Callable[..., Any]) -> None:
    table = table_of(person, "tetrarchia", "standard", "west", {"players": 2})
    assert f'data-start="{table.home}start/"' in table.text("gm")
    assert "data-start" not in table.text("ada")
    answer = table.post("gm", "start/", **{"do": "fill", "level-east": "sensible"})
    assert answer.headers["Location"].startswith(f"{table.home}?told=")
    while practice.advance(table.campaign.pk):
        pass
    assert table.campaign.game.waiting(table.position)[0].seat == "west"
    assert "program: careful" in words(table.text("ada"))
    assert "data-start" not in table.text("gm")


def test_a_game_master_with_a_seat_starts_tetrarchia_with_programs(
    person: Callable[..., Any],
) -> None:
    gm = person("Marozia")
    campaign = services.found_campaign(
        gm, "tetrarchia", "At one table", "standard", {"players": 4}, seed=SEED
    )
    services.take_seat_as_master(campaign, gm, "galerius")
    table = Table(campaign, {"gm": gm})
    seats = ("diocletian", "constantius", "maximian")
    answer = table.post(
        "gm", "start/", do="fill", **{f"level-{seat}": "sensible" for seat in seats}
    )
    assert answer.headers["Location"].startswith(f"{table.home}?told=")
    assert table.position.phase != "setup"
    assert sorted(program_levels(table.campaign)) == sorted(seats)
