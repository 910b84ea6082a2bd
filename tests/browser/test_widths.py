"""The width of pages with very long names.

Every address on a phone, a narrow phone and a desktop.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from campaign.models import Campaign
from config.management.commands.demo import load
from games.registry import DEMONSTRATIONS
from people.models import User
from tests.browser.laid_out import create_demonstration
from tests.browser.steady import resize
from tests.web import nine
from tests.web.frame.test_who_may import PAGES

pytestmark = [pytest.mark.browser, pytest.mark.thorough, pytest.mark.django_db(transaction=True)]

WIDTHS = (390, 320, 1280)
STORY = next(story for story in DEMONSTRATIONS if story.stem == "long_frontier")
SCENARIO = STORY.parents[1] / "scenarios" / "420ad" / "scenario.json"
NATIONS = {
    "huns": "Völkerwanderungsgemeinschaftsverbände an der unteren Donau",
    "romans": "Weströmischesgrenzheermeisterkommando",
    "sassanids": "Sassanidenreichsgroßkönigtumsverwaltung in Ktesiphon",
}
PROVINCES = {"dalmatia": "Oberdalmatinischeküstenlandschaftsprovinz der Legionen"}
MORE = {
    "Benedetto": [
        "?province=dalmatia",
        "n/romans/?open=attack-land",
        "n/sassanids/",
        "b/6/",
        "b/8/",
    ],
    "Marozia": [
        "n/huns/",
        "b/6/?by=shares&attacker=31&defender=46",
        "b/7/?answer=1",
        "desk/?fix=set-owner",
    ],
    "": [
        "",
        "log/",
        "dice/",
        "about/",
        "lobby/",
        "story/",
        "n/huns/",
        "ledger/",
        "battles/",
        "b/6/",
        "rules/?q=siege",
        "reports/battle-6/",
        "e/44/",
        "history/?at=43&by=turns",
        "history/?at=999",
    ],
}
"""Pages that are not in the table of addresses: open forms, running battles."""
MAIN = ["", "log/", "n/romans/", "n/romans/plan/", "history/", "about/", "story/", "/me/"]
"""Pages of the default run, in addition to a player's forms and battles."""
TAIL = "überdonaudampfschifffahrtsgesellschaftskapitän"


@pytest.fixture
def visit(new_page: Callable[..., Any], live_server: Any) -> Callable[..., list[str]]:
    """Return a function that returns the pages wider than their window.

    Path, width and excess.

    Its arguments are campaign, reader, user name and whether all pages are visited.
    """

    def see(campaign: Campaign, who: str, username: str, everything: bool) -> list[str]:
        home, client, page = f"/c/{campaign.address}/", Client(), new_page(width=WIDTHS[0])
        if username:
            client.force_login(User.objects.get(username=username))
            value = client.cookies["sessionid"].value
            page.context.add_cookies(
                [{"name": "sessionid", "value": value, "url": live_server.url}]
            )
        # A player sees all pages of an anonymous reader, except the site's own ones and those
        # listed here.
        every = (
            [path for path, _ in PAGES.values() if who or path.startswith("/")]
            if everything
            else MAIN
        )
        paths = [path if path.startswith("/") else home + path for path in every + MORE[who]]
        wide, seen = [], 0
        for path in dict.fromkeys(paths):
            # The live server answers: Django refuses an asynchronous view in the thread in which
            # the browser's event loop runs.
            answer = page.request.get(path)
            form = answer.headers.get("content-type", "").partition(";")[0]
            if form != "text/html" or not answer.body():
                continue
            page.goto(path)
            seen += 1
            for width in WIDTHS:
                resize(page, width)
                result = page.evaluate("document.documentElement.scrollWidth")
                if result > width:
                    wide.append(f"{path} at {width}: {result}")
        assert seen > 10
        return wide

    return see


WALKS = [
    pytest.param("Benedetto", True, marks=pytest.mark.nightly, id="player"),
    pytest.param("Marozia", True, marks=pytest.mark.nightly, id="master"),
    pytest.param("", True, marks=pytest.mark.nightly, id="nobody"),
    pytest.param("Benedetto", False, id="player, pages with forms"),
]


@pytest.mark.parametrize(("who", "every"), WALKS)
def test_no_page_is_wider_than_its_window(
    visit: Callable[..., list[str]], who: str, every: bool
) -> None:
    story, scenario = (json.loads(file.read_text(encoding="utf-8")) for file in (STORY, SCENARIO))
    for place in scenario["nations"] + scenario["provinces"]:
        place["name"] = (NATIONS | PROVINCES).get(place["key"], place["name"])
    story |= {
        "scenario": scenario,
        "name": "Donaudampfschifffahrtsgesellschaftskapitänswitwenrentenamt I",
    }
    story["people"] = {seat: name + TAIL for seat, name in story["people"].items()}
    wide = visit(load(story), who, who and who + TAIL, every)
    assert not wide, "\n".join(wide)


def test_nine_nations_on_a_map_of_their_own(
    new_page: Callable[..., Any], live_server: Any, person: Callable[..., Any]
) -> None:
    """Visited are the pages that show all nations, names or the map."""
    campaign, page = nine.import_played_campaign(person("Marozia"), 60), new_page(width=WIDTHS[0])
    home, wide = f"/c/{campaign.address}/", []
    for path in ("", "history/", "story/", "charts/", "seats/", "n/carthago/", "about/", "log/"):
        page.goto(home + path)
        for width in WIDTHS:
            resize(page, width)
            result = page.evaluate("document.documentElement.scrollWidth")
            if result > width:
                wide.append(f"{path} at {width}: {result}")
    assert wide == []
    page.goto(home)
    box = page.evaluate(
        "(({width, height}) => [width,"
        " height])(document.querySelector('.m-borders').getBoundingClientRect())"
    )
    sheet = page.evaluate(
        "(({width, height}) => [width,"
        " height])(document.querySelector('.map__svg').getBoundingClientRect())"
    )
    assert 0.8 < box[1] / sheet[1] < 1, "all of its height is seen"


@pytest.mark.parametrize("language", ["en-GB", "de-DE", "es-ES", "it-IT"])
def test_the_standings_fit_a_phone(language: str, new_page: Callable[..., Any]) -> None:
    campaign = create_demonstration()
    page = new_page(width=390, locale=language)
    page.goto(f"/c/{campaign.address}/")
    box = page.locator(".scroll-x:has(> .standings)")
    assert box.evaluate("one => one.scrollWidth - one.clientWidth") == 0
    heights = page.locator(".standings tbody tr").evaluate_all(
        "rows => rows.map((one) => one.offsetHeight)"
    )
    assert len(set(heights)) == 1, "a name breaks"
