"""From a title's card to its table: alone, with friends, against programs, also as a guest."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from campaign.log import positions
from campaign.models import Campaign, Membership

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
    answer = client.post(
        "/found/",
        {"title": "tetrarchia", "with": "friends", "players": "1", "visibility": "unlisted"},
    )
    assert answer.status_code == 422
    assert "to play with friends, choose more" in answer.content.decode()
    client.post(
        "/found/",
        {"title": "tetrarchia", "with": "friends", "players": "2", "visibility": "unlisted"},
    )
    assert len(seats(Campaign.objects.order_by("-pk").first() or Campaign())) == 1


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
