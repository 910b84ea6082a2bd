"""Programs from the start, in every title: seats beside one user, and campaigns to watch.

Requested moves are always finished.
"""

from __future__ import annotations

import html
import re
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from campaign import automatic_moves, practice, services
from campaign.errors import Refused
from campaign.hosting.audit import differences
from campaign.log import positions, selectors
from campaign.models import Campaign
from campaign.seats import seating
from games.roman_empire.bots.choosing import sensible
from tests.windows import Table

pytestmark = pytest.mark.django_db
SEED = "b" * 64


def words(page: str) -> str:
    page = re.sub(r"<(script|style|svg).*?</\1>", " ", page, flags=re.DOTALL)
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", page)).split())


def finished_by_worker(campaign: Campaign) -> Campaign:
    for _pulse in range(60):
        if not automatic_moves.tick(timezone.now(), 5):
            break
    campaign.refresh_from_db()
    return campaign


def programs_moved(campaign: Campaign) -> Campaign:
    while practice.advance(campaign.pk):
        pass
    campaign.refresh_from_db()
    return campaign


def alone_at(title: str, person: Callable[..., Any], **options: Any) -> Table:
    user = person("Ada")
    return Table(
        services.found_campaign(user, title, "By program", "standard", options, seed=SEED),
        {"ada": user},
    )


def test_one_press_plays_a_round_of_tetrarchia_to_its_end(
    person: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    table = alone_at("tetrarchia", person)
    assert "Play this round for me" in table.text("ada") or table.position.phase == "fleets"
    monkeypatch.setattr(automatic_moves, "MOST", 3)
    answer = table.post("ada", "onward/", how="deputy")
    page = table.text("ada", answer["Location"].removeprefix(table.home))
    assert "A program is playing for now" in words(page)
    assert "0 of 4" in words(page)  # Emperors of the round
    assert "there is more" not in page
    assert table.position.round == 1
    campaign = finished_by_worker(table.campaign)
    position = selectors.position(campaign)
    assert (position.round, position.emperor, campaign.onward) == (2, "diocletian", None)
    assert [entry.content["how"] for entry in campaign.entries.all() if entry.act == "deputy"] == [
        "now"
    ]
    assert "Play this round for me" in table.text("ada")
    assert list(differences(campaign)) == []


def test_one_press_plays_march_on_rome_to_its_end(
    person: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    table = alone_at("march_on_rome", person)
    monkeypatch.setattr(automatic_moves, "MOST", 5)
    table.post("ada", "onward/", how="end")
    page = words(table.text("ada"))
    assert "A program is playing to the end" in page
    assert "there is more" not in page
    assert "Pass the year" not in page
    campaign = finished_by_worker(table.campaign)
    assert (campaign.ended, campaign.helped, campaign.onward) == (True, True, None)
    assert "A program finished this game" in table.text("ada")
    assert list(differences(campaign)) == []


def test_a_stranger_watches_a_program_and_takes_over(client: Client) -> None:
    front = client.get("/").content.decode()
    assert front.count("Watch a program play") == 2  # March on Rome and Tetrarchia
    page = words(
        client.post("/play/march_on_rome/", {"by": "program"}, follow=True).content.decode()
    )
    campaign = Campaign.objects.get()
    assert campaign.founder.guest
    assert "A program is playing to the end" in page
    assert automatic_moves.advance(campaign.pk, most=4).more
    assert client.post(f"/c/{campaign.address}/onward/", {"how": "stop"}).status_code == 302
    campaign.refresh_from_db()
    assert (campaign.onward, campaign.helped, campaign.ended) == (None, True, False)
    assert len(positions.moves_in_force(campaign)) >= 4


def test_the_founding_form_offers_it_too(person: Callable[..., Any]) -> None:
    client = Client()
    client.force_login(person("Ada"))
    page = words(client.get("/found/?title=tetrarchia").content.decode())
    assert "Let a program play it" in page
    assert "Against programs" in page
    client.post(
        "/found/", {"title": "tetrarchia", "visibility": "unlisted", "name": "", "by": "program"}
    )
    campaign = Campaign.objects.get()
    asked = automatic_moves.task(campaign)
    assert asked is not None
    assert (asked.how, asked.user) == ("end", campaign.founder_id)
    client.post(
        "/found/",
        {
            "title": "tetrarchia",
            "visibility": "unlisted",
            "name": "",
            "players": "2",
            "by": "program",
        },
    )
    assert Campaign.objects.latest("pk").onward is None  # of several players: they are waited for


def test_a_seat_among_three_manners_at_the_roman_empire(client: Client) -> None:
    page = words(client.get("/practice/roman_empire/").content.decode())
    assert "Cautious attacks when the chance is 60% or better" in page
    assert "Program that plays" in page
    form = {
        "begin": "1",
        "seat": "B",
        "players": "4",
        "level-A": "cautious",
        "level-C": "bold",
        "level-D": "cunning",
    }
    answer = client.post("/practice/roman_empire/", form)
    assert answer.status_code == 303
    campaign = Campaign.objects.get()
    assert seating.program_seats(campaign) == {"A": "cautious", "C": "bold", "D": "cunning"}
    assert campaign.name == "History of the Roman Empire with programs"
    assert campaign.founder.guest
    mine, home = 0, f"/c/{campaign.address}/"
    first = selectors.position(campaign).draw
    assert first is None or first.order[0] != "B"
    page = client.get(home).content.decode()
    assert "Let a program play this turn" not in page  # their turns are played automatically
    assert "seat is free" not in page
    while selectors.position(campaign).period == 1:
        campaign = programs_moved(campaign)
        position = selectors.position(campaign)
        if position.period > 1:
            break
        assert practice.next_move(campaign) is None
        if not mine:
            page = client.get(home).content.decode()
            assert ["Cards of seat " + seat in page for seat in "ABCD"] == [
                False,
                True,
                False,
                False,
            ]
        raw = sensible(position)
        assert raw is not None
        assert raw.get("by", "B") == "B"
        services.play(campaign, campaign.founder, raw, selectors.seen(campaign, campaign.founder))
        campaign.refresh_from_db()
        mine += 1
    assert mine > 8
    assert not campaign.helped  # programs in other seats are no help
    assert list(differences(campaign)) == []


def test_of_two_players_each_has_two_seats(person: Callable[..., Any]) -> None:
    user = person("Ada")
    campaign = practice.begin(
        user, "roman_empire", "standard", "C", "bold", options={"players": 2}, seed=SEED
    )
    assert seating.program_seats(campaign) == {"B": "bold", "D": "bold"}
    held = campaign.memberships.filter(until=None, role="seat").values_list("seat", flat=True)
    assert sorted(held) == ["A", "C"]
    with pytest.raises(Refused, match="how well the programs play"):
        practice.begin(user, "roman_empire", "standard", "A", "bold", levels={"B": "perfect"})
    with pytest.raises(Refused):
        practice.begin(
            user, "tetrarchia", "standard", "diocletian", "sensible"
        )  # a lone player: there are no others


def test_three_emperors_by_program_beside_the_users_own(client: Client) -> None:
    assert "Play with programs" in words(client.get("/practice/tetrarchia/").content.decode())
    answer = client.post(
        "/practice/tetrarchia/",
        {"begin": "1", "seat": "galerius", "players": "4", "level": "sensible"},
    )
    assert answer.status_code == 303
    campaign = programs_moved(Campaign.objects.get())
    position = selectors.position(campaign)
    assert sorted(seating.program_seats(campaign)) == ["constantius", "diocletian", "maximian"]
    assert (position.emperor, position.round) == ("galerius", 1)
    assert "Let a program play this turn" in client.get(f"/c/{campaign.address}/").content.decode()
    seen = str(selectors.seen(campaign, campaign.founder))
    client.post(
        f"/c/{campaign.address}/onward/", {"how": "deputy", "seen": seen}
    )  # stops where the next one's turn begins
    campaign = finished_by_worker(campaign)
    assert (selectors.position(campaign).emperor == "galerius", campaign.onward) == (False, None)
    campaign = programs_moved(campaign)
    assert selectors.position(campaign).emperor == "galerius" or campaign.ended


@pytest.mark.parametrize("form", [{"players": "9"}, {"seat": "E"}, {"level-A": "perfect"}])
def test_unknown_programs_are_asked_again(client: Client, form: dict[str, str]) -> None:
    answer = client.post(
        "/practice/roman_empire/", {"begin": "1", "seat": "B", "players": "4", **form}
    )
    assert answer.status_code == 422
    assert not Campaign.objects.exists()
