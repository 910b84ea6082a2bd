"""Forecasts, which are made when a turn closes.

They are made in slices, are the same for the same log, are dropped with an undone turn, can be
switched off by the game master, and know nothing of hidden hands.
"""

from __future__ import annotations

from datetime import timedelta
from io import StringIO
from random import Random
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client
from django.utils import timezone

from campaign import forecasts, founding, limited_process, playouts, services
from campaign.errors import NotAllowed, Refused
from campaign.log import selectors
from campaign.models import Campaign, Forecast
from engine.dice import Dice
from engine.play import perform
from games.grand_campaign.bots.styles import bold, cautious
from games.grand_campaign.rules.moves import decode
from games.grand_campaign.rules.position import Options, Position
from games.grand_campaign.rules.scenario import load
from games.registry import TITLES
from tests.campaign import greedy
from tests.web.test_uploads import grows_little

pytestmark = pytest.mark.django_db
PROGRAMS: Any = TITLES["grand_campaign"].players
GAMES = 6


@pytest.fixture(autouse=True)
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(forecasts, "GAMES", GAMES)
    monkeypatch.setattr(forecasts, "BEFORE_AND_AFTER", 20)


def found_with_forecasts(gm: Any, **options: Any) -> Campaign:
    return founding.found_campaign(
        gm, "grand_campaign", "Forecast", "420ad", options, seed="5" * 64
    )


def play_turn(campaign: Campaign, seed: str = "one") -> Campaign:
    """Play one more turn with programs for all nations; the game master makes every move."""
    rng, turn = Random(seed), campaign.turn + 1
    while (campaign.turn, campaign.phase) != (turn, "closed"):
        raw = bold(selectors.position(campaign), rng)
        assert raw is not None
        spoken = raw if raw["by"] == "gm" else {**raw, "by": "gm", "for": raw["by"]}
        campaign = services.play(
            campaign, campaign.founder, spoken, selectors.seen(campaign, campaign.founder)
        ).campaign
    return campaign


def entries_that_closed_a_turn(campaign: Campaign) -> list[int]:
    """Return the entries that closed a turn, as the website's event handler records them."""
    return [
        *Forecast.objects.filter(entry__campaign=campaign)
        .order_by("pk")
        .values_list("entry__number", flat=True)
    ]


@pytest.mark.long
def test_a_forecast_made_in_slices_equals_one_made_at_once(person: Any) -> None:
    campaign = play_turn(found_with_forecasts(person("Gm")))
    close = campaign.last_number
    assert entries_that_closed_a_turn(campaign) == [close]
    assert forecasts.course(campaign) is None
    slices = 0
    while forecasts.work(campaign.pk, seconds=0.005):
        slices += 1
    row = Forecast.objects.get()
    assert (slices > 1, row.failed, row.rows, row.heartbeat_at, row.ended_at is not None) == (
        True,
        False,
        {},
        None,
        True,
    )
    result = row.result
    course = forecasts.course(campaign)
    assert course is not None
    assert (course.games, course.closes, course.points[-1].entry, course.to_come) == (
        GAMES,
        [(1, close)],
        close,
        False,
    )
    for point in course.points:
        assert sum(point.chances.values()) == pytest.approx(1, abs=0.001)
    assert [chance.won.share for chance in course.chances] == sorted(
        (chance.won.share for chance in course.chances), reverse=True
    )
    assert all(chance.low <= chance.middle <= chance.high for chance in course.chances)
    # The page that shows it has changed; the log has not.
    assert (Campaign.objects.get().forecasts, Campaign.objects.get().last_number) == (1, close)
    row.delete()
    assert forecasts.work(campaign.pk) is False
    assert Forecast.objects.get().result == result
    # Each battle result is placed before and after; so is the start. Only results that swung the
    # odds are reported.
    decided = [entry.number for entry in campaign.entries.filter(act="report")]
    assert decided
    assert {*decided, close} <= {entry for entry, _chances in result["points"]}
    shown = forecasts.points_to_show(
        {**result, "swings": [[decided[0], "huns", 1000, 2000]]}, begins=True
    )
    assert [entry for entry, _chances in shown] == sorted({1, decided[0] - 1, decided[0], close})
    assert [
        entry
        for entry, _chances in forecasts.points_to_show({**result, "swings": []}, begins=False)
    ] == [close]


@pytest.mark.parametrize(
    ("limit", "most", "shown"),
    [
        ("memory", ("MEMORY", 2**20), "takes more memory than the 1 MB that the site allows."),
        ("time", ("SECONDS", 0.02), "takes longer than the 0.02 seconds that the site allows."),
    ],
)
def test_a_forecast_that_exceeds_a_limit_names_it(
    person: Any, monkeypatch: pytest.MonkeyPatch, limit: str, most: tuple[str, float], shown: str
) -> None:
    campaign = play_turn(found_with_forecasts(person("Gm")))
    assert forecasts.why_stopped(campaign) == ""
    with monkeypatch.context() as patch, grows_little():
        patch.setattr(limited_process, *most)
        programs = {"memory": greedy.play_on, "time": greedy.play_slowly}
        patch.setattr(playouts, "play_on", programs[limit])
        assert forecasts.work(campaign.pk) is False
        sentence = forecasts.why_stopped(campaign)
        assert sentence == f"Turn 1 has no forecast: playing this campaign to its end {shown}"
        # The page has changed and shows the sentence.
        assert Campaign.objects.get().forecasts == 1
        client = Client()
        client.force_login(campaign.founder)
        assert sentence in client.get(f"/c/{campaign.address}/story/").content.decode()
    row = Forecast.objects.get()
    assert (row.failed, row.limit, row.result, row.ended_at is not None) == (
        True,
        limit,
        None,
        True,
    )


@pytest.mark.long
def test_an_undo_drops_a_forecast_and_a_restoration_brings_it_back(person: Any) -> None:
    campaign = play_turn(found_with_forecasts(gm := person("Gm")))
    forecasts.work(campaign.pk)
    before = forecasts.course(campaign)
    services.undo_to(campaign, gm, campaign.last_number - 1, "A slip", selectors.seen(campaign, gm))
    campaign.refresh_from_db()
    assert forecasts.course(campaign) is None
    undo = campaign.last_number
    assert forecasts.work(campaign.pk) is False
    services.restore(campaign, gm, undo, "No slip", selectors.seen(campaign, gm))
    campaign.refresh_from_db()
    assert forecasts.course(campaign) == before is not None
    # The next turn has a forecast of its own; the older one remains.
    campaign = play_turn(campaign, "two")
    assert [turn for turn, _entry in (forecasts.course(campaign) or before).closes] == [1]
    assert (forecasts.course(campaign) or before).to_come
    # no worker has started it
    assert forecasts.resume(timezone.now() + timedelta(minutes=2), 5) == 1
    assert [turn for turn, _entry in (forecasts.course(campaign) or before).closes] == [1, 2]


def test_the_game_master_switches_forecasts_and_the_log_shows_it(person: Any) -> None:
    gm, other = person("Gm"), person("Other")
    campaign = found_with_forecasts(gm, hands="hidden")
    assert not forecasts.shown(campaign)
    campaign = play_turn(campaign)
    assert (entries_that_closed_a_turn(campaign), forecasts.work(campaign.pk)) == ([], False)
    with pytest.raises(NotAllowed):
        forecasts.switch(campaign, other, True)
    entry = forecasts.switch(campaign, gm, True)
    campaign.refresh_from_db()
    assert (
        selectors.entry(campaign, None, entry.number).text == "The forecast is shown to everyone."
    )
    with pytest.raises(Refused):
        forecasts.switch(campaign, gm, True)
    # Turns that closed earlier get their forecasts afterwards.
    forecasts.work(campaign.pk)
    assert forecasts.course(campaign) is not None
    forecasts.switch(campaign, gm, False)
    campaign.refresh_from_db()
    assert (forecasts.course(campaign), forecasts.work(campaign.pk)) == (None, False)
    out = StringIO()
    call_command("audit", stdout=out)
    assert "all as replayed" in out.getvalue()


def test_forecasts_know_nothing_of_hidden_hands() -> None:
    """Programs continue two campaigns that differ only in hidden cards and orders alike (4.2)."""
    positions = []
    for card, keep in (("spy", False), ("bodyguard", True)):
        position, rng, dice = (
            Position(load("420ad"), Options(hidden=True)),
            Random("x"),
            Dice(6, seed="x"),
        )
        for _move in range(40):
            raw = cautious(position, rng)
            assert raw is not None
            perform(position, decode(raw, position), dice)
        for nation in position.nations.values():
            nation.hand, nation.keep = [card] * len(nation.hand), keep
        positions.append(position)
    one, other = (PROGRAMS.public(position) for position in positions)
    assert one.encode() == other.encode()
    assert [PROGRAMS.play_on(one, f"{n}") for n in range(4)] == [
        PROGRAMS.play_on(other, f"{n}") for n in range(4)
    ]
    assert PROGRAMS.play_on(one, "0") != PROGRAMS.play_on(one, "1")
    # The positions themselves differ, and the forecast does not change them.
    assert positions[0].nations["huns"].hand != positions[1].nations["huns"].hand
    # Open hands are known, but not the cards drawn later.
    opened = Position(load("420ad"), Options())
    opened.nations["huns"].hand = ["spy"]
    assert PROGRAMS.public(opened).nations["huns"].hand == ["spy"]


def test_a_share_from_few_campaigns_is_corrected_by_the_end_of_the_turn() -> None:
    """Worked by hand.

    At the end the first seat wins six of ten campaigns, and three of the first four; before, it
    wins two of the same four.
    """
    close: list[Any] = [[1.0, 0.0]] * 3 + [[0.0, 1.0]] + [[1.0, 0.0]] * 3 + [[0.0, 1.0]] * 3
    here: list[Any] = [[1.0, 0.0], [1.0, 0.0], [0.0, 1.0], [0.0, 1.0]]
    # Covariance 0.5, variance 0.75: a slope of 2/3. By it, the four are 0.15 too good for the first
    # seat.
    assert forecasts.leaned(here, close, [0.6, 0.4]) == pytest.approx([0.4, 0.6])
    assert forecasts.leaned([], close, [0.6, 0.4]) == [0.6, 0.4]


def test_a_swing_is_more_than_chance() -> None:
    before: list[Any] = [[1.0, 0.0], [0.0, 1.0]] * 20
    assert forecasts._swing(before, before) is None
    assert forecasts._swing(before, [*before[:38], [0.0, 1.0], [0.0, 1.0]]) is None  # one of forty
    assert forecasts._swing(before, [[0.0, 1.0]] * 40) == (0, -0.5)
