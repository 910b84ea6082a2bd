"""A play-test: requested once, played in the background in slices, shown with intervals."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from campaign import drafts, imports, limited_process, playouts, playtests, scenarios
from campaign.errors import Refused
from campaign.models import Playtest, Scenario
from tests.campaign import greedy
from tests.web.test_uploads import grows_little
from tests.web.titles.test_table import visible_text
from web import tasks
from web.playtest.page import verdict

pytestmark = pytest.mark.django_db
FEW = 6


@pytest.fixture
def three() -> dict[str, Any]:
    with open("static/examples/three_peoples.json", encoding="utf-8") as opened:
        return dict(json.load(opened))


@pytest.fixture(autouse=True)
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(playtests, "GAMES", FEW)


def test_the_same_scenario_is_played_once_and_the_same_campaigns_come(
    three: dict[str, Any],
) -> None:
    raw = three["scenario"]
    row, new = playtests.ask("grand_campaign", raw)
    assert (new, row.games, row.done) == (True, 6, 0)
    assert playtests.result(row) is None
    while playtests.work(row.pk, seconds=0):  # each step plays one campaign
        pass
    row.refresh_from_db()
    assert (row.done, row.failed, row.ended_at is not None, row.heartbeat_at) == (
        6,
        False,
        True,
        None,
    )
    by_slices = row.rows
    # Another name is the same scenario to play.
    again, new = playtests.ask("grand_campaign", {**raw, "name": "Other name"})
    assert (again.pk, new) == (row.pk, False)
    other, new = playtests.ask("grand_campaign", {**raw, "turns": 3})
    assert (new, other.pk != row.pk) == (True, True)
    Playtest.objects.all().delete()
    row, _new = playtests.ask("grand_campaign", raw)
    assert playtests.work(row.pk) is False
    row.refresh_from_db()
    assert row.rows == by_slices
    came = playtests.result(row)
    assert came is not None
    assert (came.games, came.unfinished) == (6, 0)
    assert {nation.key: (nation.begins, nation.fell) for nation in came.nations} == {
        "goths": (1, 2),
        "iberi": (1, 0),
        "picts": (1, 0),
    }
    assert (
        sum(nation.won.wins for nation in came.nations)
        == sum(place.wins for place in came.places)
        == 6 + came.shared
    )
    assert came.even == pytest.approx((6 + came.shared) / 6 / 3)
    first = came.nations[0]
    at = ["goths", "iberi", "picts"].index(first.key)
    assert first.mean == pytest.approx(sum(nations[at][0] for _battles, nations in by_slices) / 6)


def test_intervals_and_the_sentence() -> None:
    # 27 of 200: Wilson's interval, computed by hand.
    won = playtests.share(27, 200)
    assert (round(won.low, 4), won.share, round(won.high, 4)) == (0.0945, 0.135, 0.1893)
    assert [won.beside(even) for even in (0.09, 0.11, 0.2)] == [1, 0, -1]
    assert playtests.share(0, 10).low == 0.0

    def rendered(*wins: int) -> str:
        nations = [
            playtests.Balance(key, playtests.share(place, 200), 20.0, 10.0, 30.0, 3, 2.0, 0)
            for key, place in zip("abc", wins, strict=True)
        ]
        return verdict(
            playtests.Result(200, nations, [], sum(wins) / 600, 0, 5.0, 0),
            {"a": "Alba", "b": "Roma", "c": "Ostia"},
        )

    assert (
        rendered(120, 70, 10)
        == "More victories than an even share (67 of 200): Alba (120). Fewer: Ostia (10)."
    )
    assert rendered(84, 58, 58) == "More victories than an even share (67 of 200): Alba (84)."
    assert rendered(74, 74, 52) == "Fewer victories than an even share (67 of 200): Ostia (52)."
    assert rendered(70, 66, 64) == (
        "Balanced: after 200 campaigns it is not certain that any nation wins more or less "
        "often than the others."
    )


def test_faulty_scenarios_are_not_played_and_stopped_play_tests_continue(
    three: dict[str, Any],
) -> None:
    with pytest.raises(Refused, match="Correct the errors in the scenario first"):
        playtests.ask("grand_campaign", {**three["scenario"], "turns": 0})
    with pytest.raises(Refused, match="No programs play this game"):
        playtests.ask("march_on_rome", {})
    row, _new = playtests.ask("grand_campaign", three["scenario"])
    assert imports.tick(timezone.now()) == 0  # the worker was just asked
    assert imports.tick(timezone.now() + timedelta(minutes=2)) == 1
    row.refresh_from_db()
    assert row.done == 6
    # A killed worker leaves the row; another takes it only after a long silence.
    Playtest.objects.update(
        done=2,
        rows=row.rows[:2],
        ended_at=None,
        heartbeat_at=timezone.now(),
    )
    assert playtests.work(row.pk) is False
    Playtest.objects.update(heartbeat_at=timezone.now() - timedelta(minutes=5))
    assert imports.tick(timezone.now()) == 1
    assert Playtest.objects.get().rows == row.rows


@pytest.mark.parametrize(
    ("limit", "most", "shown"),
    [
        (
            "memory",
            ("MEMORY", 2**20),
            (
                "takes more memory than the 1 MB that the site allows. Make the scenario smaller or"
                " simpler."
            ),
        ),
        (
            "time",
            ("SECONDS", 1.0),
            (
                "takes longer than the 1 seconds that the site allows. Make the scenario smaller or"
                " simpler."
            ),
        ),
    ],
)
def test_a_scenario_that_is_built_to_harm_is_stopped_at_its_limit(
    client: Client,
    person: Callable[..., Any],
    three: dict[str, Any],
    monkeypatch: pytest.MonkeyPatch,
    limit: str,
    most: tuple[str, float],
    shown: str,
) -> None:
    """With 300 actions in each turn, one campaign takes as long as a usual play-test."""
    user = person("Marozia")
    client.force_login(user)
    bomb = three["scenario"] | {"turns": 100, "rules": {"income_actions": [[0, 300]]}}
    draft = drafts.begin_draft(user, "grand_campaign", three | {"scenario": bomb})
    at = f"/scenarios/playtest/?draft={draft.public_id}"
    assert client.post(at).status_code == 303
    with monkeypatch.context() as patch, grows_little():
        patch.setattr(limited_process, *most)
        if limit == "memory":
            patch.setattr(playouts, "balance", greedy.balance)
        tasks.play_test(Playtest.objects.get().pk)
        page = visible_text(client.get(at).content.decode())
    row = Playtest.objects.get()
    assert (row.failed, row.limit, row.done, row.ended_at is not None) == (True, limit, 0, True)
    assert f"The play-test was stopped: a campaign of this scenario {shown}" in page
    assert "Play 6 campaigns" in page, "it may be tried again"
    client.post(at)
    row = Playtest.objects.get()
    assert (row.failed, row.limit, row.ended_at) == (False, "", None)


def test_the_worker_plays_by_slices(three: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    again: list[int] = []
    monkeypatch.setattr(playtests, "SLICE", 0.0)
    monkeypatch.setattr(tasks, "ask_to_play_test", again.append)
    row, _new = playtests.ask("grand_campaign", three["scenario"])
    for _slice in range(FEW + 2):
        tasks.play_test(row.pk)
    assert again == [row.pk] * (FEW - 1)
    row.refresh_from_db()
    assert (row.done, row.ended_at is not None) == (FEW, True)


def test_on_the_page_of_its_owner_and_of_a_draft(
    three: dict[str, Any],
    client: Client,
    person: Callable[..., Any],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked: list[int] = []
    monkeypatch.setattr("web.playtest.views.ask_to_play_test", asked.append)
    marozia, sid = person("Marozia"), Client()
    client.force_login(marozia)
    sid.force_login(person("Sid"))
    row = scenarios.save_scenario(
        marozia,
        "grand_campaign",
        three["scenario"],
        json.dumps(three["drawing"]),
        Scenario.Sharing.PUBLIC,
    )
    address = f"/scenarios/playtest/?scenario={row.public_id}"
    assert address in client.get(f"/scenarios/{row.public_id}/").content.decode()
    assert "playtest" not in sid.get(f"/scenarios/{row.public_id}/").content.decode()
    assert (sid.get(address).status_code, sid.post(address).status_code) == (404, 404)
    assert "Play 6 campaigns" in client.get(address).content.decode()
    assert client.post(address).headers["Location"] == address
    assert "0 of 6" in client.get(address).content.decode()
    client.post(address)
    test = Playtest.objects.get()
    assert asked == [test.pk]
    playtests.work(test.pk)
    # A draft of the same text has the same play-test.
    draft = drafts.begin_draft(marozia, "grand_campaign", three)
    page = html.unescape(
        client.get(f"/scenarios/playtest/?draft={draft.public_id}").content.decode()
    )
    assert set(re.findall(r'<th scope="row">(.*?)</th>', page)) == {"Goths", "Iberi", "Picts"}
    assert "Victories in 6 campaigns." in page
    assert page.count('class="bal__even"') == 6
    assert "Place 3 in the starting order" in page
    part = client.get(address, headers={"HX-Request": "true"}).content.decode()
    assert part.startswith('<div id="playtest"')
