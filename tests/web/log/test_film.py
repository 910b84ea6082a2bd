"""A part of a log as a film: its frames, its delivery in pieces, and its list without a script."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client, TestCase

from campaign import services
from campaign.log import selectors
from campaign.models import Campaign
from games.tetrarchia.bots.players import sensible
from people.models import User
from tests.web.grand_table import GrandTable, new_campaign  # noqa: F401
from web.history import film as history


class TestTheDemonstration(TestCase):
    """The demonstration, created once for all tests; entry 32 takes Margiana."""

    @classmethod
    def setUpTestData(cls) -> None:
        call_command("demo", verbosity=0)
        cls.home = f"/c/{Campaign.objects.get().address}/"

    def frames(self, since: int, to: int) -> list[dict[str, Any]]:
        answer = Client().get(f"{self.home}film/?since={since}&to={to}").json()
        assert answer["more"] is None
        return list(answer["frames"])

    def test_consecutive_buildings_are_one_frame(self) -> None:
        (frame,) = self.frames(11, 14)
        assert (frame["say"], frame["at"]) == (
            "Huns build Hamlets; build a siege train; build Bridges.",
            14,
        )
        assert [(change["seat"], change["level"], change["n"]) for change in frame["changes"]] == [
            ("huns", "prestige", 7)
        ]

    def test_an_attack_marches_and_is_decided(self) -> None:
        launched = self.frames(9, 10)[0]
        assert (
            launched["say"]
            == "Hephtalites attack Margiana from Bactria (land attack, open battle, Scouts)."
        )
        assert launched["changes"] == [
            {
                "kind": "attack",
                "no": "1",
                "seat": "hephtalites",
                "from": "bactria",
                "at": "margiana",
                "covert": False,
            }
        ]
        (decided,) = self.frames(31, 32)
        assert (decided["intro"], decided["tone"]) == (
            "The battle for Margiana has been decided",
            "good",
        )
        assert decided["say"].startswith("Conquest of Margiana. Margiana: the attacker won.")
        changes = {
            change["kind"]: change for change in decided["changes"] if change["kind"] != "level"
        }
        assert changes["holding"] == {"kind": "holding", "at": "margiana", "owner": "hephtalites"}
        assert changes["battle"] == {
            "kind": "battle",
            "no": "1",
            "at": "margiana",
            "outcome": "attacker",
        }

    def test_the_page_is_a_list_without_script(self) -> None:
        page = Client().get(f"{self.home}history/film/?since=31&to=32").content.decode()
        assert (
            "The battle for"
            not in page.partition('<ol class="film__list">')[2].partition("</ol>")[0]
        )
        assert "Margiana: the attacker won." in page
        assert (
            '<use href="#m-margiana" class="m-prov" data-nation="independent"' in page
        )  # as it was before
        data = json.loads(
            page.partition('<script id="film-data" type="application/json">')[2].partition(
                "</script>"
            )[0]
        )
        assert data["board"]["places"]["margiana"]["name"] == "Margiana"

    def test_invalid_numbers_are_named_and_kept(self) -> None:
        for asked in ("since=x", "since=1&to=99", "since=-1", "since=4&to=4"):
            answer = Client().get(f"{self.home}history/film/?{asked}")
            assert answer.status_code == 422
            assert 'role="alert"' in answer.content.decode()
        page = Client().get(f"{self.home}history/film/?since=24&to=9").content.decode()
        assert "Entries 10 to 24" in page

    def test_the_history_and_each_turn_lead_to_it(self) -> None:
        page = Client().get(f"{self.home}history/?at=31").content.decode()
        assert 'name="since" inputmode="numeric" maxlength="9" value="31"' in page
        assert "history/film/?since=43&amp;to=55" in page


@pytest.mark.django_db
def test_a_long_film_comes_in_parts_cut_between_entries(
    person: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    user: User = person("Shirin")
    campaign = services.found_campaign(
        user, "tetrarchia", "The night of the four", "standard", {}, seed="b" * 64
    )
    for _move in range(12):
        move = {"by": "tetrarchy", **(sensible(selectors.position(campaign)) or {})}
        campaign = services.play(campaign, user, move, selectors.seen(campaign, user)).campaign
    client = Client()
    client.force_login(user)
    whole = client.get(f"/c/{campaign.address}/film/?since=0").json()["frames"]
    monkeypatch.setattr(history, "FRAMES", 9)
    parts, since = [], 0
    while since is not None:
        answer = client.get(f"/c/{campaign.address}/film/?since={since}&part=1").json()
        entries = {frame["at"] for frame in answer["frames"]}
        assert len(entries & {frame["at"] for frame in parts}) == 0
        parts += answer["frames"]
        since = answer["more"]
    assert parts == whole
    newest = client.get(f"/c/{campaign.address}/film/?since=0").json()["frames"]
    assert newest == whole[-len(newest) :]


@pytest.mark.django_db
def test_a_hidden_move_is_in_the_film_of_readers_who_may_see_it(
    new_campaign: Callable[..., GrandTable],  # noqa: F811
) -> None:
    grand_table = new_campaign(hands="hidden")
    grand_table.play("gm", "start")
    grand_table.slot_to("huns")
    grand_table.play("gm", "give-card", nation="romans", card="bodyguard", reason="A correction.")
    last = grand_table.campaign.last_number
    grand_table.play("romans", "keep", card="bodyguard", value=False)
    grand_table.play("huns", "end-slot")
    newest = grand_table.campaign.last_number
    assert newest == last + 1, "the order has no public number"
    grand_table.open_hands()

    def stretch(who: str, to: int) -> list[int]:
        return [
            frame["at"]
            for frame in grand_table.get(who, "film/", since=str(last - 1), to=str(to)).json()[
                "frames"
            ]
        ]

    assert stretch("nobody", last) == stretch("hun", last) == [last]
    assert stretch("nobody", newest) == stretch("hun", newest) == [last, newest]
    assert stretch("gm", last) == stretch("roman", last) == [last, last]
    assert stretch("gm", newest) == stretch("roman", newest) == [last, last, newest]
    assert stretch("gm", last - 1) == [], "what comes after the end is not told"
