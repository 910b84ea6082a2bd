"""From a title's card to its table: alone, with friends, against programs, also as a guest."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any
from urllib.parse import parse_qs, quote, urlencode, urlsplit

import pytest
from django.test import Client

from campaign.log import positions
from campaign.models import Campaign, Membership
from campaign.seats import seating

pytestmark = pytest.mark.django_db


def seats(campaign: Campaign) -> list[str]:
    return sorted(
        campaign.memberships.filter(role=Membership.Role.SEAT, until=None).values_list(
            "seat", flat=True
        )
    )


def test_a_stranger_chooses_the_level_and_plays_alone(client: Client) -> None:
    page = client.get("/found/?title=tetrarchia").content.decode()
    assert "With friends, by link" in page
    assert "Learn it in five minutes" in page
    answer = client.post(
        "/found/",
        {
            "title": "tetrarchia",
            "with": "alone",
            "players": "1",
            "tokens": "5",
            "fleets": "3",
            "revolts": "0",
            "armies": "0",
            "visibility": "unlisted",
        },
    )
    assert answer.status_code == 303
    campaign = Campaign.objects.get()
    assert campaign.founder.guest
    assert positions.options(campaign).digits == "5300"
    assert client.get(answer.headers["Location"]).status_code == 200


def test_with_friends_the_founder_sits_at_once(client: Client, person: Callable[..., Any]) -> None:
    client.force_login(person("Livia"))
    client.post(
        "/found/",
        {"title": "roman_empire", "with": "friends", "players": "4", "visibility": "unlisted"},
    )
    assert seats(Campaign.objects.get()) == ["A"]
    for number in ("1", "2"):
        client.post(
            "/found/",
            {"title": "tetrarchia", "with": "friends", "players": number, "visibility": "unlisted"},
        )
    four, two = Campaign.objects.filter(title="tetrarchia").order_by("pk")
    assert (seats(four), len(seating.seat_keys(four))) == (["diocletian"], 4)
    assert (seats(two), len(seating.seat_keys(two))) == (["east"], 2)


def test_a_visitor_signs_in_before_filling_in_a_game_with_friends(
    client: Client, person: Callable[..., Any]
) -> None:
    page = client.get("/found/?title=roman_empire").content.decode()
    assert 'name="with" value="friends"' not in page
    assert 'name="with" value="programs" checked' in page
    onward = "/found/?title=roman_empire&with=friends"
    assert f'href="/sign-in/?next={quote(onward)}"' in page
    assert client.get(onward).headers["Location"] == f"/sign-in/?next={quote(onward)}"

    # A form that was filled in before the session ended comes back with its values.
    typed = {"title": "roman_empire", "with": "friends", "players": "3", "seat": "B"}
    answer = client.post("/found/", {**typed, "name": "Rome & more", "visibility": "members"})
    back = parse_qs(urlsplit(answer.headers["Location"]).query)["next"][0]
    client.force_login(person("Livia"))
    page = client.get(back).content.decode()
    assert 'name="with" value="friends" checked' in page
    assert 'value="Rome &amp; more"' in page
    assert 'id="s-B" name="seat" value="B" checked' in page
    assert 'name="visibility" value="members" checked' in page


def test_a_guest_creates_an_account_before_filling_in_a_game_with_others(client: Client) -> None:
    client.post("/play/tetrarchia/")
    for address in ("/found/?title=roman_empire&with=friends", "/found/?title=grand_campaign"):
        answer = client.get(address)
        assert answer.headers["Location"] == f"/sign-up/?{urlencode({'next': address})}"
    page = client.get("/found/?title=tetrarchia").content.decode()
    assert 'name="with" value="alone" checked' in page
    assert "For this you need an account." in page


def test_a_stranger_needs_an_account_for_friends_and_none_for_programs(client: Client) -> None:
    answer = client.post(
        "/found/",
        {"title": "roman_empire", "with": "friends", "players": "4", "visibility": "unlisted"},
    )
    assert answer.headers["Location"].startswith("/sign-in/")
    assert not Campaign.objects.exists()
    answer = client.post(
        "/found/",
        {
            "title": "roman_empire",
            "with": "programs",
            "players": "3",
            "visibility": "unlisted",
            "seat": "B",
            "level-A": "cunning",
        },
    )
    assert answer.status_code == 303
    campaign = Campaign.objects.get()
    assert campaign.founder.guest
    assert seats(campaign) == ["B"]


def test_one_sentence_describes_the_campaign_to_be_founded(client: Client) -> None:
    asked = {
        "title": "roman_empire",
        "with": "programs",
        "players": "3",
        "seat": "B",
        "part": "seats",
        "level-A": "bold",
        "level-C": "bold",
    }
    assert (
        "against 2 programs (bold); there are no deadlines."
        in client.get("/found/", asked).content.decode()
    )
    assert (
        "2 seats are for people who open your link"
        in client.get("/found/", {**asked, "with": "friends"}).content.decode()
    )
    assert (
        "You play Tetrarchia alone. There are no deadlines"
        in client.get("/found/?title=tetrarchia").content.decode()
    )
    assert (
        "with 3 programs"
        in client.get(
            "/found/?title=tetrarchia&with=programs&players=1&part=seats"
        ).content.decode()
    )
    huns = client.get(
        "/practice/grand_campaign/?seat=huns&level=bold&part=sentence"
    ).content.decode()
    assert "You play the Huns against 5 programs (bold); there are no deadlines." in huns


def test_friends_find_the_link_on_the_founders_page(
    client: Client, person: Callable[..., Any]
) -> None:
    client.force_login(person("Livia"))
    answer = client.post(
        "/found/",
        {
            "title": "roman_empire",
            "with": "friends",
            "players": "4",
            "seat": "C",
            "visibility": "unlisted",
        },
    )
    assert seats(Campaign.objects.get()) == ["C"]
    page = client.get(answer.headers["Location"]).content.decode()
    assert 'data-copy="#f-link"' in page
    assert "/join/" in page


def test_every_card_has_links_to_play_and_to_learn(client: Client) -> None:
    page = client.get("/").content.decode()
    for title in ("tetrarchia", "march_on_rome", "roman_empire", "grand_campaign"):
        assert f'href="/learn/{title}/"' in page
        assert f'action="/play/{title}/"' in page or f'href="/practice/{title}/"' in page


@pytest.mark.parametrize("page", ["/found/", "/practice/roman_empire/"])
def test_a_site_for_invited_people_keeps_the_form_against_programs(
    client: Client, person: Callable[..., Any], settings: Any, page: str
) -> None:
    """The visitor signs in and comes back to the form with their choices."""
    settings.SIGN_UP = "invited"
    typed = {"title": "roman_empire", "with": "programs", "players": "4", "seat": "C"}
    answer = client.post(page, {**typed, "level-A": "cunning", "begin": "1"}, follow=True)
    assert answer.redirect_chain[-1][0].startswith("/sign-in/")
    assert "On this site you play with an account. Sign in: your choices are kept." in (
        answer.content.decode()
    )
    onward = parse_qs(urlsplit(answer.redirect_chain[-1][0]).query)["next"][0]
    client.force_login(person("Ada"))
    form = client.get(onward).content.decode()
    chosen = re.findall(r'<input[^>]*name="seat"[^>]*checked', form)
    assert len(chosen) == 1
    assert 'value="C"' in chosen[0]
    field = form[form.index('name="level-A"') :]
    assert '<option value="cunning" selected' in field[: field.index("</select>")]
