"""The hall of fame: its campaigns, the names of their players, and reasons to be left out."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import timedelta
from io import StringIO
from typing import Any

import pytest
from django.core.management import call_command
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from campaign import services, status
from campaign.hosting.audit import differences
from campaign.log import selectors
from campaign.models import Campaign
from tests.alone import SEED, Alone, alone, patience
from tests.table import people, running, table, toy

__all__ = ["alone", "patience", "people", "running", "table", "toy"]
pytestmark = pytest.mark.django_db


def names(title: str = "patience") -> list[str]:
    """Return the players on the page of the hall, from the top."""
    page = Client().get(f"/hall/{title}/").content.decode()
    return re.findall(r'<td class="n place">\d+</td><td>(.*?)</td>', page)


def ended(alone: Alone) -> None:
    """Play to the end by the player's own choices.

    With this seed no yard caves in during the first five years.
    """
    while not alone.reload().ended:
        alone.post("onward/", how="on")
        if alone.campaign.turn <= 5:
            alone.post("act/", do="dig", depth="2", then="on")
        else:
            alone.post("act/", do="rest", then="on")


def listed(alone: Alone) -> None:
    services.change_description(
        alone.campaign, alone.user, name=alone.campaign.name, time_zone="UTC", visibility="listed"
    )
    alone.reload()


def test_the_end_is_written_and_audited(alone: Alone) -> None:
    assert (alone.reload().result, alone.campaign.points, alone.campaign.ended_at) == (
        None,
        None,
        None,
    )
    ended(alone)
    gold = alone.campaign.points
    assert gold is not None
    assert gold >= 20
    assert alone.campaign.result == [
        ["mole", gold, 1, {"end": "rich", "years": alone.campaign.turn}]
    ]
    last = alone.campaign.entries.last()
    assert last is not None
    assert alone.campaign.ended_at == last.at
    assert list(differences(alone.campaign)) == []
    for field, value in (
        ("points", 99),
        ("result", None),
        ("ended_at", last.at + timedelta(days=1)),
        ("retried", True),
        ("helped", True),
    ):
        Campaign.objects.filter(pk=alone.campaign.pk).update(**{field: value})
        assert list(differences(alone.reload())) == [f"the campaign's {field} differs from the log"]
        call_command("audit", alone.campaign.public_id, "--rebuild", stdout=StringIO())
        assert list(differences(alone.reload())) == []
    assert alone.campaign.points == gold


def test_only_listed_campaigns_are_in_the_hall(alone: Alone) -> None:
    listed(alone)
    assert names() == []
    ended(alone)
    assert names() == ["Marozia"]
    services.change_description(
        alone.campaign, alone.user, name="X", time_zone="UTC", visibility="unlisted"
    )
    assert names() == []


def test_the_last_page_links_to_the_hall(alone: Alone) -> None:
    assert "hall of fame" not in alone.text()
    ended(alone)
    page = alone.text()
    assert "Add it to the hall of fame" in page
    assert "Put it into" not in Client().get(alone.home).content.decode()
    answer = alone.client.post(alone.home + "about/", {"do": "describe", "visibility": "listed"})
    assert answer.status_code == 302
    assert "This game is in the" in alone.text()
    assert names() == ["Marozia"]
    row = re.search(r'<p id="hall">(.*?)</p>', alone.text())
    assert row
    assert row[1].startswith(f"Marozia {alone.campaign.points} ")
    assert row[1].endswith(f"{alone.home};")


def test_the_hall_has_the_words_of_the_title(alone: Alone) -> None:
    listed(alone)
    ended(alone)
    page = Client().get("/hall/patience/").content.decode()
    assert f">Moldwarp rich after {alone.campaign.turn}</a>" in page
    assert "Points" not in page


def test_an_undo_reopens_a_campaign_and_undone_dice_keep_it_out(alone: Alone) -> None:
    listed(alone)
    ended(alone)
    entry = services.undo_to(
        alone.campaign, alone.user, alone.campaign.last_number - 1, "Again", alone.seen
    )
    campaign = alone.reload()
    assert (
        campaign.ended,
        campaign.result,
        campaign.points,
        campaign.ended_at,
        campaign.retried,
    ) == (
        False,
        None,
        None,
        None,
        True,
    )
    assert list(differences(campaign)) == []
    services.restore(alone.campaign, alone.user, entry.number or 0, "As it was", alone.seen)
    campaign = alone.reload()
    assert (campaign.ended, campaign.retried) == (True, False)
    assert list(differences(campaign)) == []
    assert names() == ["Marozia"]
    services.undo_to(
        alone.campaign, alone.user, campaign.last_number - 2 - 1, "Otherwise", alone.seen
    )
    ended(alone)
    assert alone.campaign.retried
    assert names() == []
    assert "Dice were taken back, so this game cannot enter" in alone.text()


def test_an_undo_by_the_game_master_keeps_no_group_out(running: Any) -> None:
    Campaign.objects.filter(pk=running.campaign.pk).update(visibility="listed")
    running.reload()
    running.play("bee", "dig")
    running.undo(running.campaign.last_number - 1)
    assert running.reload().retried
    for _ in range(8):
        if running.reload().ended:
            break
        seat = running.campaign.active_seat
        running.play(seat, "add", stones=3)
        if not running.reload().ended:
            running.play(seat, "end")
    assert running.reload().ended
    winner = status.best("heap")[0]
    assert (winner.player, winner.points) == (winner.seat.title(), running.campaign.points)
    assert names("heap") == [winner.player]


def test_the_order_of_the_hall(patience: Any, person: Callable[..., Any]) -> None:
    """Most points come first.

    Equal results: with points the shorter campaign is first, without them the longer one.
    """
    user = person("Marozia")
    for n, (points, turn) in enumerate([(0, 3), (5, 9), (0, 8), (5, 4), (7, 20)]):
        created = services.found_campaign(
            user, "patience", f"n{n}", "hill", visibility="listed", seed=SEED
        )
        result = [["mole", points, 1, {"end": "rich", "years": turn}]]
        row = Campaign.objects.filter(pk=created.pk)
        row.update(ended=True, points=points, turn=turn, result=result, ended_at=created.founded_at)
    assert [(score.points, score.campaign.turn) for score in status.best("patience")] == [
        (7, 20),
        (5, 4),
        (5, 9),
        (0, 8),
        (0, 3),
    ]
    assert len(status.best("patience", 2)) == 2
    with CaptureQueriesContext(connection) as queries:
        Client().get("/hall/patience/")
    assert len(queries) == 2


def test_a_guest_has_no_name_in_the_hall(client: Client, patience: Any) -> None:
    client.post("/play/patience/")
    created = Campaign.objects.get()
    user = created.founder
    while not created.ended:
        seen = str(selectors.seen(created, user))
        client.post(
            f"/c/{created.address}/act/", {"do": "dig", "depth": "3", "then": "on", "seen": seen}
        )
        created.refresh_from_db()
    client.post(f"/c/{created.address}/about/", {"do": "describe", "visibility": "listed"})
    assert names() == ["a guest"]
    assert user.username not in Client().get("/hall/patience/").content.decode()


def test_other_titles_have_their_own_hall_or_none(patience: Any, client: Client) -> None:
    page = client.get("/hall/grand_campaign/").content.decode()
    assert "No one is here yet." in page
    assert 'href="/hall/patience/"' in page
    assert client.get("/hall/nothing/").status_code == 404
    assert client.post("/hall/patience/").status_code == 405


def test_a_copy_with_the_same_dice_stays_out(alone: Alone) -> None:
    def again() -> Any:
        return alone.client.post(f"{alone.home}about/", {"do": "again"})

    again()
    assert Campaign.objects.count() == 1  # during the campaign no one knows its dice
    ended(alone)
    assert Client().post(f"{alone.home}about/", {"do": "again"}).status_code in (302, 303, 403)
    assert Campaign.objects.count() == 1
    assert again()["Location"] == again()["Location"]  # a double click
    first, second = Campaign.objects.order_by("pk")
    assert (second.commitment, second.retried, second.ended) == (first.commitment, True, False)
    assert list(differences(second)) == []
    assert [status.may_enter(first), status.may_enter(second)] == [True, False]
