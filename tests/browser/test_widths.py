"""No page is wider than its window, however long the names: every address on a phone, a narrow
phone and a desk.
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
from tests.browser.laid_out import demonstration
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
"""What the table of addresses does not have: forms opened, battles under way."""
MAIN = ["", "log/", "n/romans/", "n/romans/plan/", "history/", "about/", "story/", "/me/"]
"""What the default run looks at, beside a player's forms and battles."""
TAIL = "überdonaudampfschifffahrtsgesellschaftskapitän"


@pytest.fixture
def visit(new_page: Callable[..., Any], live_server: Any) -> Callable[..., list[str]]:
    """`visit(campaign, "Benedetto", username, every)`: the pages that are wider than their window,
    as path, width and excess.
    """

    def see(campaign: Campaign, who: str, username: str, everything: bool) -> list[str]:
        home, client, page = f"/c/{campaign.address}/", Client(), new_page(width=WIDTHS[0])
        if username:
            client.force_login(User.objects.get(username=username))
            value = client.cookies["sessionid"].value
            page.context.add_cookies(
                [{"name": "sessionid", "value": value, "url": live_server.url}]
            )
        # What nobody sees a player sees, too, but for the site's own pages and those named.
        every = (
            [path for path, _ in PAGES.values() if who or path.startswith("/")]
            if everything
            else MAIN
        )
        paths = [path if path.startswith("/") else home + path for path in every + MORE[who]]
        wide, seen = [], 0
        for path in dict.fromkeys(paths):
            answer = client.get(path, follow=True)
            if answer["Content-Type"].partition(";")[0] != "text/html":
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
    for one in scenario["nations"] + scenario["provinces"]:
        one["name"] = (NATIONS | PROVINCES).get(one["key"], one["name"])
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
    """What their number, names and map make wide: the pages that show all of them."""
    campaign, page = nine.played(person("Marozia"), 60), new_page(width=WIDTHS[0])
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
    campaign = demonstration()
    page = new_page(width=390, locale=language)
    page.goto(f"/c/{campaign.address}/")
    box = page.locator(".scroll-x:has(> .standings)")
    assert box.evaluate("one => one.scrollWidth - one.clientWidth") == 0
    heights = page.locator(".standings tbody tr").evaluate_all(
        "rows => rows.map((one) => one.offsetHeight)"
    )
    assert len(set(heights)) == 1, "a name breaks"
