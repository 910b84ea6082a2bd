"""The forecast on pages: story, charts, report, the switch, hidden hands, before the first turn."""

from __future__ import annotations

import html
import re
from random import Random
from typing import Any

import pytest
from django.core.cache import cache

from campaign import forecasts
from campaign.forecast_words import percent, percents
from campaign.log import selectors
from campaign.models import Campaign, Forecast
from games.grand_campaign.bots.styles import bold
from tests.web.grand_table import GrandTable, draft, grand_table, new_campaign  # noqa: F401

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(forecasts, "GAMES", 8)
    monkeypatch.setattr(forecasts, "BEFORE_AND_AFTER", 16)


def text(page: str) -> str:
    page = re.sub(r"<(script|style|svg).*?</\1>", " ", page, flags=re.DOTALL)
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", page)).split())


def turn_played(here: GrandTable) -> None:
    """Play turn 1 with a program for every nation."""
    rng = Random("one")
    while here.campaign.phase != "closed":
        raw = bold(selectors.position(here.campaign), rng)
        assert raw is not None
        here.play(
            raw["by"],
            raw["move"],
            **{key: value for key, value in raw.items() if key not in ("by", "move")},
        )


def forecast(here: GrandTable) -> None:
    while forecasts.work(here.campaign.pk):
        pass
    here.campaign.refresh_from_db()


def swung(here: GrandTable) -> int:
    """Mark a battle as the one that swung the turn.

    The result must not depend on the few campaigns that are played here.
    """
    row = Forecast.objects.get()
    result = row.result
    entry = here.campaign.entries.filter(act="report").order_by("sequence")[0]
    result["swings"] = [[entry.number, "huns", 1200, 4100]]
    Forecast.objects.filter(pk=row.pk).update(result=result)
    assert entry.number is not None
    return int(entry.number)


def test_nothing_before_the_start(draft: GrandTable) -> None:  # noqa: F811
    assert 'id="forecast"' not in draft.text("gm", "story/")


def test_on_the_pages_of_a_turn_that_is_over(grand_table: GrandTable) -> None:  # noqa: F811
    turn_played(grand_table)
    waiting = text(grand_table.text("nobody", "story/"))
    assert (
        "A forecast is made when a turn closes: programs then play the campaign to its end many "
        "times."
    ) in waiting
    assert "Forecast" not in text(grand_table.text("nobody", "reports/turn-1/"))
    tag = grand_table.get("nobody", "story/")["ETag"]
    forecast(grand_table)
    entry = swung(grand_table)
    answer = grand_table.get("nobody", "story/")
    assert answer["ETag"] != tag  # the page of the reader has changed
    page = answer.content.decode()
    shown = text(page)
    assert (
        "If programs played on 8 campaigns from the end of each turn What it is: how often each"
        " nation won" in shown
    )
    assert "What it is not: a judgement of the players, or a promise." in shown
    assert page.index("What it is not") < page.index("forecast__chart")
    assert page.index('id="h-story"') < page.index('id="h-forecast"')
    assert f"1 Huns , entry {entry} : enters the result of #1" in shown
    assert "12% → 41%" in shown
    assert (
        len(re.findall(r'class="forecast__area"', page)) == 12
    )  # six nations, wide and for a phone
    assert len(re.findall(r'class="forecast__pattern"', page)) == 10  # the Romans are plain
    chances = [int(chance) for chance in re.findall(r"<td class=\"n\">(\d+)%</td>", page)]
    assert sum(chances) == 100
    labels = re.findall(r'aria-label="Chance of victory[^"]*"', page)
    assert len(labels) == 2
    for label in labels:
        assert (
            sum(int(share) for share in re.findall(r" (\d+)%", label.replace("under 1%", "")))
            == 100
        )
    charts = grand_table.text("nobody", "charts/")
    assert "forecast__chart" in charts
    assert "forecast__swings" not in charts
    assert "forecast__chart" not in grand_table.text("nobody", "charts/?account=army")
    assert "The outlook if programs played on from here" not in text(
        grand_table.text("nobody", "reports/turn-1/")
    ), "nobody has switched it on"
    grand_table.post("gm", "forecast/", on="0")
    grand_table.post("gm", "forecast/", on="1")
    report = text(grand_table.text("nobody", "reports/turn-1/"))
    assert (
        "The outlook if programs played on from here, from 8 simulated campaigns. Eight out of "
        "ten end with these points:"
    ) in report
    result = "Game master: enters the result of #1 Moesia Prima: the attacker won"
    assert f"Huns 12% → 41% ({result})" in report
    # Programs and all readers get equal answers.
    facts = {
        who: grand_table.get(
            who, f"/api/v1/campaigns/{grand_table.campaign.public_id}/forecast/"
        ).json()
        for who in ("nobody", "stranger")
    }
    assert facts["nobody"] == facts["stranger"]
    assert (facts["nobody"]["on"], facts["nobody"]["games"], len(facts["nobody"]["results"])) == (
        True,
        8,
        6,
    )
    assert facts["nobody"]["swings"] == [
        {"entry": entry, "seat": "huns", "before": 0.12, "after": 0.41}
    ]


def test_the_game_masters_switch(grand_table: GrandTable) -> None:  # noqa: F811
    turn_played(grand_table)
    forecast(grand_table)
    assert "Switch the forecast off" in grand_table.text("gm", "story/")
    assert "Switch the forecast off" not in grand_table.text("hun", "story/")
    assert grand_table.post("hun", "forecast/", on="0").status_code == 403
    assert grand_table.post("nobody", "forecast/", on="0").status_code == 302
    before = grand_table.campaign.last_number
    answer = grand_table.post("gm", "forecast/", on="0")
    assert (answer.status_code, answer["Location"]) == (303, f"{grand_table.home}story/#forecast")
    assert (
        grand_table.post("gm", "forecast/", on="0").status_code == 303
    )  # the second time logs nothing
    campaign = Campaign.objects.get()
    assert campaign.last_number == before + 1
    assert "The forecast is switched off." in text(grand_table.text("nobody", "log/"))
    assert "The game master has switched the forecast off for this campaign." in text(
        grand_table.text("nobody", "story/")
    )
    assert "forecast__chart" not in grand_table.text("gm", "charts/")
    assert "The outlook if programs played on from here" not in text(
        grand_table.text("nobody", "reports/turn-1/")
    )
    facts = grand_table.get("nobody", f"/api/v1/campaigns/{campaign.public_id}/forecast/").json()
    assert facts == {"on": False, "games": None, "results": [], "points": [], "swings": []}
    grand_table.post("gm", "forecast/", on="1")
    assert "forecast__chart" in grand_table.text("nobody", "charts/")
    assert "The outlook if programs played on from here" in text(
        grand_table.text("nobody", "reports/turn-1/")
    )
    while not grand_table.campaign.ended:
        grand_table.play("gm", "open-turn")
        while grand_table.campaign.active_seat:
            grand_table.play(grand_table.campaign.active_seat, "end-slot")
    assert "The outlook if programs played on from here" not in text(
        grand_table.text("nobody", "reports/turn-1/")
    ), "never after the end"
    assert 1 <= grand_table.text("nobody", "").count(">winner</span>") < 6, (
        "the final table names who has won"
    )


def test_pages_with_a_forecast_need_few_queries(
    grand_table: GrandTable,  # noqa: F811
    django_assert_max_num_queries: Any,
) -> None:
    turn_played(grand_table)
    forecast(grand_table)
    grand_table.get("nobody", "charts/")
    with django_assert_max_num_queries(9):
        grand_table.get("nobody", "charts/")


@pytest.mark.parametrize(
    ("chance", "words"),
    [
        (0, "under 1%"),
        (0.004, "under 1%"),
        (0.006, "1%"),
        (0.3849, "38%"),
        (0.996, "over 99%"),
        (1, "100%"),
    ],
)
def test_no_certainty_before_the_end(chance: float, words: str) -> None:
    assert percent(chance) == words


def test_the_chances_of_all_seats_add_up_to_100() -> None:
    """Stored chances are rounded to 1/10,000: their sum can be 0.9999."""
    assert percents({"romans": 0.3333, "huns": 0.3333, "vandals": 0.3333}) == {
        "huns": "34%",
        "romans": "33%",
        "vandals": "33%",
    }
    assert percents({"huns": 0.675, "romans": 0.32, "vandals": 0.005, "kushans": 0.0}) == {
        "huns": "67%",
        "kushans": "under 1%",
        "romans": "32%",
        "vandals": "1%",
    }


@pytest.fixture(autouse=True)
def _no_page_is_remembered() -> None:
    cache.clear()
