"""The page at the table: a game of several players from the first click to the end.

No reader sees hidden facts of others.
"""

from __future__ import annotations

import gzip
import re
from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from campaign import services
from campaign.hosting.audit import differences
from campaign.log import positions, selectors
from campaign.models import Campaign
from games.roman_empire.bots.choosing import sensible
from games.roman_empire.rules.position import CARDS, LANDS, people_of
from tests.windows import Table as Windows

pytestmark = pytest.mark.django_db
SEED = "b" * 64


class Table(Windows):
    """A table with `until`, which plays it on to a position."""

    def until(self, there: Callable[[Any], bool]) -> Any:
        """Play by program until the position is `there`; the game master makes every move."""
        gm = self.people["gm"]
        while not there(position := self.position):
            raw = sensible(position)
            assert raw is not None
            content = {**raw, "by": "gm", "for": raw["by"]} if "by" in raw else {"by": "gm", **raw}
            services.play(self.campaign, gm, content, selectors.seen(self.campaign, gm))
        return position


def seated(person: Callable[..., Any], **options: Any) -> Table:
    people = {
        "gm": person("Marozia"),
        "a": person("Shirin"),
        "b": person("Benedetto"),
        "c": person("Ada"),
    }
    campaign = services.found_campaign(
        people["gm"],
        "roman_empire",
        "From Caesar on",
        "standard",
        {"players": 3, **options},
        seed=SEED,
    )
    for seat in "ABC":
        _, token = services.invite(campaign, people["gm"], seat)
        services.take_seat(people[seat.lower()], token)
    campaign.refresh_from_db()
    return Table(campaign, people)


@pytest.fixture
def table(person: Callable[..., Any]) -> Table:
    return seated(person)


def test_the_game_master_starts_and_the_order_is_rolled_automatically(table: Table) -> None:
    assert "The game master begins when every seat is taken." in table.text("a")
    assert "Lay out the Cities and deal the cards" in table.text(
        "gm"
    )  # even though the hands are closed to them
    assert table.post("a", do="begin").status_code in (403, 409, 422)
    assert table.position.phase == "setup"
    assert table.post("gm", do="begin", then="on").status_code == 303
    position = table.position
    assert position.draw is not None
    who = position.active.lower()
    assert "Draw a counter" in table.text(who)
    assert f"({table.people[who].username}) plays." in table.text(
        next(reader for reader in "abc" if reader != who)
    )
    assert "You are watching." in table.text("nobody")


def test_only_the_seat_that_drew_it_sees_a_counter(table: Table) -> None:
    table.post("gm", do="begin", then="on")
    who = table.position.active.lower()
    table.post(who, do="draw")
    position = table.position
    shown = people_of(1, position.draw.open)
    card = f"<b>{shown.n} {shown.name}</b>"
    others = [reader for reader in ("a", "b", "c", "nobody") if reader != who]
    assert card in table.text(who)
    assert all(card not in table.text(reader) for reader in others)
    assert all(
        "The player has drawn a counter and is looking at it." in table.text(reader)
        for reader in others
    )
    other = next(seat for seat in "ABC" if seat.lower() != who)
    table.post(who, do="pass_counter", to=other, then="on")
    position = table.position
    assert position.counters[other]["people"] == shown.n
    row = f"<td>{shown.n} {shown.name}</td>"
    assert row in table.text(who)  # the seat that passed it knows it
    assert row not in table.text(other.lower())  # the seat that received it may not look yet
    assert row not in table.text("nobody")


def test_no_other_page_shows_a_counter_or_a_card(table: Table) -> None:
    table.post("gm", do="begin", then="on")
    who = table.position.active.lower()
    table.post(who, do="draw")
    shown = f"The counter shows {table.position.draw.open}".lower()
    entry = f"e/{table.campaign.last_number}/"
    assert shown in table.text(who, entry).lower()
    other = next(reader for reader in "abc" if reader != who)
    places = {land.name for land in LANDS.values()}
    cards = [
        CARDS[key].name for key in table.position.hand[who.upper()] if CARDS[key].name not in places
    ]
    assert cards
    for reader in (other, "nobody"):
        for path in (entry, "log/", "dice/", "history/"):
            page = table.text(reader, path)
            assert shown not in page.lower(), path
            assert not [name for name in cards if name in page], path
            assert "draw-people-1" not in page or "sealed" in page, path


def test_only_its_holder_sees_a_hand(table: Table) -> None:
    table.post("gm", do="begin", then="on")
    assert "Cards of seat A" in table.text("a")
    assert "Cards of seat B" not in table.text("a")
    assert " data-parts" in table.text("a")  # moves of others appear automatically
    assert "Cards of seat" not in table.text("nobody")


@pytest.mark.long
def test_a_land_is_chosen_and_an_army_placed(table: Table) -> None:
    position = table.until(lambda p: p.phase == "people" and p.in_hand > 0)
    who, start = position.active.lower(), position.start_land
    page = table.text(who, f"?at={start}")
    assert "Appear in" in page
    assert "waits for you" in page
    before = position.in_hand
    assert (
        table.post(who, do="place", land=start, **{"from": "start"}, then="on").status_code == 303
    )
    assert (table.position.lands[start].who, table.position.in_hand) == (
        position.current,
        before - 1,
    )
    answer = table.post(
        who, do="place", land="armenia" if start != "armenia" else "baetica", **{"from": start}
    )
    assert answer.status_code == 422
    assert "No moves were played" in answer.content.decode()
    other = next(reader for reader in "abc" if reader != who)
    assert table.post(other, do="end_phase").status_code == 403
    table.post(who, do="end_phase", then="on")
    assert table.position.phase == "faction"  # the next phase was opened automatically
    assert "The next phase" not in table.text("nobody")


def test_6_2_without_a_script_the_end_of_a_phase_is_asked_first(table: Table) -> None:
    """The question has its own address and names what remains unused; nothing has happened."""
    position = table.until(lambda p: p.phase == "people" and p.in_hand > 0)
    who, n = position.active.lower(), position.in_hand
    page = table.text(who)
    assert f'method="get" action="{table.home}#end"' in page
    assert 'value="end_phase"' not in page
    page = table.text(who, "?end=ask")
    assert "Do you want to end the phase anyway?" in page
    assert f"<li>{n} armies in hand are lost.</li>" in page
    assert re.search('name="do"\\s+value="end_phase">End the phase anyway</button>', page)
    assert f'href="{table.home}#h-turn">Continue the phase</a>' in page
    assert table.position.in_hand == n
    other = next(reader for reader in "abc" if reader != who)
    assert "Do you want to end the phase anyway?</h3>" not in table.text(other, "?end=ask")


def test_new_cities_are_ticked(table: Table) -> None:
    position = table.until(lambda p: p.phase == "faction" and p.in_hand == 0 and p.step == "expand")
    who = position.active.lower()
    ticked = re.findall(r'name="(city-[a-z_]+)" value="1" checked', table.text(who))
    assert ticked
    table.post(who, do="end_phase", **dict.fromkeys(ticked, "1"))
    assert all(table.position.lands[key.removeprefix("city-")].city == "whole" for key in ticked)


@pytest.mark.long
@pytest.mark.parametrize(
    "data",
    [
        {"do": "nothing"},
        {"do": "place"},
        {"do": "place", "land": '"><script>', "from": "x"},
        {"do": "take_up", "land": "italia", "n": "-1"},
        {"do": "play_event", "card": "{card}"},
        {"do": "offer", "amount": "9" * 50},
        {"do": "end_phase", "city-{x}": "1"},
        {"do": "retreat", "to": "italia", "hold": "7"},
    ],
)
def test_invalid_forms_are_refused_and_change_nothing(table: Table, data: dict[str, str]) -> None:
    position = table.until(lambda p: p.phase == "people")
    before = table.campaign.last_number
    assert table.post(position.active.lower(), **data).status_code == 422
    table.campaign.refresh_from_db()
    assert table.campaign.last_number == before


def test_the_game_master_acts_for_a_seat_and_a_program_stops_at_the_next(table: Table) -> None:
    position = table.until(lambda p: p.phase == "people")
    assert "You act for seat" not in table.text(
        "gm"
    )  # hands are closed to the game master until they open one
    assert table.post("gm", "n/all/look/").status_code == 303
    assert "You act for seat" in table.text("gm")
    page = table.text("a")
    assert "n/A/looks/" in page
    assert "n/B/looks/" not in page
    assert "Marozia" in table.text("a", "n/A/looks/")
    first = position.active
    table.post("gm", "onward/", how="deputy")
    assert (table.position.active, table.position.phase) != (first, "people")
    assert [
        entry.content
        for entry in table.campaign.entries.order_by("sequence")
        if entry.act == "deputy"
    ] == [{"act": "deputy", "how": "now"}]


def test_12_1_with_two_players_each_has_two_seats_and_sees_both_hands(
    person: Callable[..., Any],
) -> None:
    people = {"gm": person("Marozia"), "a": person("Shirin"), "b": person("Benedetto")}
    campaign = services.found_campaign(
        people["gm"], "roman_empire", "For two", "standard", {"players": 2}, seed=SEED
    )
    for seat, who in zip("ABCD", "abab", strict=True):
        _, token = services.invite(campaign, people["gm"], seat)
        services.take_seat(people[who], token, seat)
    campaign.refresh_from_db()
    table = Table(campaign, people)
    table.post("gm", do="begin", then="on")
    page = table.text("a")
    assert [f"Cards of seat {seat}" in page for seat in "ABCD"] == [True, False, True, False]
    who = "a" if table.position.active in "AC" else "b"
    assert table.post(who, do="draw").status_code == 303
    assert table.post(who, do="keep", then="on").status_code == 303


def test_friends_need_no_member_who_sees_all_hands(person: Callable[..., Any]) -> None:
    """27: the game master plays a seat; the third seat is free, and a program plays it."""
    people = {"a": person("Shirin"), "b": person("Benedetto")}
    campaign = services.found_campaign(
        people["a"], "roman_empire", "Among us", "standard", {"players": 3}, seed=SEED
    )
    for seat in "AB":
        _, token = services.invite(campaign, people["a"], seat)
        services.take_seat(people[seat.lower()], token)
    campaign.refresh_from_db()
    table = Table(campaign, people)
    assert (
        "Send the link for the free seats, take a seat yourself, or let programs play."
        in table.text("a")
    )
    assert "One seat is free" not in table.text("b")
    assert table.post("b", do="begin").status_code in (403, 409, 422)
    assert table.post("a", do="begin", then="on").status_code == 303
    assert [
        "Cards of seat A" in table.text("a"),
        "Cards of seat B" in table.text("a"),
        "Cards of seat C" in table.text("a"),
    ] == [
        True,
        False,
        False,
    ]
    while (who := table.position.active) != "C":
        table.post(who.lower(), do="draw")
        table.post(who.lower(), do="keep", then="on")
    assert table.post("a", do="draw").status_code in (403, 409, 422)  # they cannot play it by hand
    assert ["Let a program play" in table.text(reader) for reader in "ab"] == [True, False]
    table.post("b", "onward/", how="deputy")
    assert table.position.active == "C"
    assert table.post("a", "onward/", how="deputy").status_code == 303
    assert table.position.counters["C"]["people"] is not None
    assert "looked at" not in table.text("a", "log/")
    assert list(differences(Campaign.objects.get(pk=table.campaign.pk))) == []


def test_a_game_has_its_history(table: Table) -> None:
    table.until(lambda p: p.phase == "faction" and p.step == "expand")
    last = table.campaign.last_number
    page = table.text("nobody", f"history/?at={last}")
    assert "e-stack" in page
    assert "face down" not in page


@pytest.mark.long
def test_the_page_in_italian(table: Table) -> None:
    table.until(lambda p: p.phase == "people")
    page = Client(headers={"accept-language": "it"}).get(table.home).content.decode()
    assert "Punti vittoria" in page
    assert "Popoli e Imperatori del periodo I" in page


def test_the_page_is_small_and_makes_few_queries(table: Table) -> None:
    table.until(lambda p: p.phase == "faction" and p.step == "start" and p.period == 2)
    positions.memory.clear()
    # The game master needs one more query: a game master who has held a seat may not see hidden
    # cards.
    for who, most in (("gm", 14), ("a", 12), ("nobody", 6)):
        with CaptureQueriesContext(connection) as asked:
            page = table.text(who)
        assert len(asked) <= most, [query["sql"] for query in asked]
        assert len(gzip.compress(page.encode())) < 90_000


@pytest.mark.parametrize(
    ("answers", "options"),
    [
        ({}, {"players": 4}),
        ({"players": "2", "gods_favor": "1"}, {"players": 2, "gods_favor": True}),
        (
            {"players": "3", "bribe_barbarians": "1", "strict_domination": "1"},
            {"players": 3, "bribe_barbarians": True, "strict_domination": True},
        ),
    ],
)
def test_the_founding_form_has_the_questions_of_the_title(
    person: Callable[..., Any], answers: dict[str, str], options: dict[str, Any]
) -> None:
    client = Client()
    client.force_login(person("Ada"))
    assert "2: two seats each" in client.get("/found/?title=roman_empire").content.decode()
    answer = client.post(
        "/found/", {"title": "roman_empire", "visibility": "unlisted", "name": "", **answers}
    )
    assert answer.status_code == 303, answer.content.decode()[:2000]
    campaign = Campaign.objects.get()
    assert selectors.position(campaign).options == campaign.game.options(options)
    assert campaign.name == f"History for {options['players']} players"


def test_an_invited_user_sees_the_terms(person: Callable[..., Any]) -> None:
    gm = person("Ada")
    campaign = services.found_campaign(
        gm,
        "roman_empire",
        "Ours",
        "standard",
        {"players": 3, "strict_domination": True},
        "UTC",
        "listed",
    )
    _, token = services.invite(campaign, gm, "B")
    services.open_lobby(campaign, gm)
    client = Client()
    client.force_login(person("Shirin"))
    for page in (
        client.get(f"/join/{token}/", follow=True),
        client.get(f"/c/{campaign.address}/lobby/"),
        client.get("/lobby/"),
    ):
        text = page.content.decode()
        assert "3: nine Legions each at the start" in text
        assert "Strict domination" in text
    assert (
        f'<a href="/c/{campaign.address}/rules/">Rules</a>' in client.get("/join/").content.decode()
    )
    assert (
        '<a href="/rules/roman_empire/">Rules</a>'
        in client.get("/found/?title=roman_empire").content.decode()
    )


def test_invalid_terms_are_refused_with_a_reason(person: Callable[..., Any]) -> None:
    client = Client()
    client.force_login(person("Ada"))
    answer = client.post(
        "/found/", {"title": "roman_empire", "visibility": "unlisted", "name": "", "players": "9"}
    )
    assert answer.status_code == 422
    assert not Campaign.objects.exists()
