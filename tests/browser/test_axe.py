"""Every page is held to axe-core: names, roles, contrast, order; wide and narrow, light and dark."""

from __future__ import annotations

from collections.abc import Callable
from importlib.resources import files
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client

from campaign.models import Campaign
from people.models import User

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

AXE = files("axe_playwright_python").joinpath("axe.min.js").read_text(encoding="utf-8")
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "best-practice"]

ANYBODY = ["/", "/sign-in/", "/sign-up/", "/password/", "/rules/grand_campaign/", "/nothing-here/"]
SPECTATOR = [
    "",
    "log/",
    "e/46/",
    "n/romans/",
    "battles/",
    "b/6/",
    "b/1/",
    "dice/",
    "charts/",
    "charts/?account=army",
    "ledger/",
    "ledger/?nation=huns&turn=1",
    "reports/",
    "reports/turn-1/",
]
PLAYER = ["", "?province=dalmatia", "n/romans/", "n/romans/?open=attack-land", "b/6/", "/me/", "/found/"]
MASTER = ["", "desk/", "seats/", "b/6/?by=shares&attacker=31&defender=46", "b/8/", "n/romans/"]


@pytest.fixture
def look(new_page: Callable[..., Any], live_server: Any) -> Callable[..., list[str]]:
    """`look("Benedetto", ["n/romans/"], width=390)`: what axe finds on these pages, as page, rule and place."""
    call_command("demo", verbosity=0)
    home = f"/c/{Campaign.objects.get().address}/"

    def see(name: str, paths: list[str], **options: Any) -> list[str]:
        page = new_page(**options)
        if name:
            client = Client()
            client.force_login(User.objects.get(username=name))
            cookie = client.cookies["sessionid"]
            page.context.add_cookies([{"name": "sessionid", "value": cookie.value, "url": live_server.url}])
        found = []
        for path in paths:
            page.goto(path if path.startswith("/") else home + path)
            page.evaluate(AXE)
            result = page.evaluate("tags => axe.run(document, {runOnly: tags, resultTypes: ['violations']})", RULES)
            for violation in result["violations"]:
                found += [f"{path or 'table'} {violation['id']} {node['target'][0]}" for node in violation["nodes"][:3]]
        return found

    return see


@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (390, "light"), (1280, "dark"), (390, "dark")])
@pytest.mark.parametrize(
    ("name", "paths"),
    [("", ANYBODY + SPECTATOR), ("Benedetto", PLAYER), ("Marozia", MASTER)],
    ids=["nobody", "player", "master"],
)
def test_no_page_breaks_a_rule(look: Callable[..., list[str]], name: str, paths: list[str], width: int, scheme: str) -> None:
    found = look(name, paths, width=width, color_scheme=scheme)
    assert not found, "\n".join(found)
