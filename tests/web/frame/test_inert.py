"""Texts of people stay text: in pages, maps, posts, sheets and letters.

Names come from a hostile scenario, as hostile as the site accepts one (docs/decisions/0009) and
worse.
"""

from __future__ import annotations

import csv
import html
import json
import re
from collections.abc import Callable
from decimal import Decimal
from html.parser import HTMLParser
from io import StringIO
from typing import Any

import pytest
from django.core import mail
from django.core.mail import EmailMessage
from django.test import Client

from campaign import services
from campaign.models import Campaign
from campaign.rulebook import rule_on
from engine.strict_json import canonical
from games.registry import TITLES
from people.models import User
from people.sign_in_ways import Adapter
from tests.web.contests import attack_independents
from tests.web.grand_table import NAMES, SEED, GrandTable

pytestmark = pytest.mark.django_db
EVIL = """=1+1</text><evil onload="x()">'&{{ 7 }}[url=//e.vil]"""
WORSE = (
    """</title></text></script><evil onload="x()">'"&{{ 7 }}[url=https://evil.example]=1+1""" * 3
)
NO_COLOUR = "red;background:url(https://evil.example/x)"
PAGES = (
    "",
    "?province=dalmatia",
    "log/",
    "e/1/",
    "n/huns/",
    "n/romans/",
    "n/huns/?open=attack-land",
    "battles/",
    "b/1/",
    "dice/",
    "posts/",
    "reports/turn-1/",
    "reports/slot-1-sassanids/",
    "reports/battle-1/",
    "charts/",
    "desk/",
    "seats/",
    "about/",
    "clocks/",
    "lobby/",
    "ledger/",
    "rules/",
    "rules/changes/",
    "rulings/",
    "notices/",
    "/",
    "/me/",
    "/lobby/",
    "/notices/",
)
FILES = ("log.csv", "ledger.csv", "dice.csv", "n/huns/ledger.csv")


class Reader(HTMLParser):
    """A parser that notes every element and attribute that a page opens."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.opened: set[str] = set()
        self.wrong: list[str] = []
        self.text: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.opened.add(tag)
        names = {name for name, _ in attrs}
        self.wrong += [f"{tag} {name}" for name in names if name.startswith("on")]
        if tag == "script" and "src" not in names:
            self.wrong.append("script inside the page")
        for name, value in attrs:
            if name in ("href", "src", "action", "formaction") and (
                value or ""
            ).lower().lstrip().startswith(("javascript:", "vbscript:", "data:text")):
                self.wrong.append(f"{tag} {name}={value}")
            if name == "style" and ("url(" in (value or "") or "expression" in (value or "")):
                self.wrong.append(f"{tag} style={value}")

    def handle_data(self, data: str) -> None:
        self.text.append(data)


def read(page: str) -> Reader:
    reader = Reader()
    reader.feed(page)
    reader.close()
    return reader


def spoilt(name: str, colour: str) -> Any:
    """Return the shipped scenario with this text in place of every name."""
    scenario = json.loads(json.dumps(TITLES["grand_campaign"].scenarios()["420ad"]))
    scenario["name"] = name
    for place in [*scenario["nations"], *scenario["provinces"]]:
        place["name"] = name + place["key"][:4]
        place["army"] = name
    for nation in scenario["nations"]:
        nation["colour"] = colour
    scenario["rules"] = {
        "religious": [[name, Decimal("0.5"), 1, 0]],
        "fortifications": [[name, Decimal("0.5"), 30]],
    }
    return scenario


def opened(people: dict[str, Any], scenario: Any, past_the_door: Any = None) -> GrandTable:
    """Return a campaign in the slot of the Huns, who attack.

    `past_the_door` is a scenario that the founding form would refuse.
    """
    campaign = services.found_campaign(
        people["gm"], "grand_campaign", EVIL[:60], scenario, {}, "Europe/Rome", "listed", seed=SEED
    )
    if past_the_door is not None:
        Campaign.objects.update(scenario=canonical(past_the_door))
        campaign.refresh_from_db()
    for who, seat in (("hun", "huns"), ("roman", "romans")):
        _, token = services.invite(campaign, people["gm"], seat)
        services.take_seat(people[who], token)
    campaign.refresh_from_db()
    grand_table = GrandTable(campaign, people)
    grand_table.play("gm", "start")
    grand_table.slot_to("huns")
    attack_independents(grand_table)
    grand_table.play("gm", "adjust", nation="huns", account="army", change=5, reason=EVIL)
    rule_on(grand_table.campaign, people["gm"], EVIL, rule="7.1")
    return grand_table


@pytest.fixture
def folk(person: Callable[..., Any]) -> dict[str, Any]:
    return {who: person(name) for who, name in NAMES.items()}


@pytest.fixture(params=["as the door takes it", "past the door"])
def hostile(request: Any, folk: dict[str, Any]) -> GrandTable:
    taken = spoilt(EVIL, "#336699")
    return opened(
        folk, taken, spoilt(WORSE, NO_COLOUR) if request.param == "past the door" else None
    )


@pytest.fixture
def grand_table(folk: dict[str, Any]) -> GrandTable:
    return opened(folk, spoilt(EVIL, "#336699"))


@pytest.mark.long
def test_names_of_a_scenario_are_text_on_every_page(hostile: GrandTable) -> None:
    for path in PAGES:
        answer = hostile.get("gm", path)
        assert answer.status_code == 200, path
        reader = read(answer.content.decode())
        assert reader.wrong == [], path
        assert "evil" not in reader.opened, path
        # a colour is #rrggbb, or there is none
        assert "evil.example/x" not in answer.content.decode(), path
        assert "49[url" not in "".join(reader.text), path


def test_the_hostile_name_is_shown_on_pages(grand_table: GrandTable) -> None:
    """Without it the test above would find nothing, because nothing was shown."""
    for path in ("", "n/huns/", "reports/slot-1-sassanids/", "b/1/", "dice/"):
        assert EVIL in "".join(read(grand_table.text("gm", path)).text), path
    page = grand_table.text("gm")
    drawn = page[
        page.index('<svg class="map') : page.index("</svg>", page.index('<svg class="map'))
    ]
    assert "&lt;evil onload=" in drawn


def test_posts_have_no_tags_from_names(grand_table: GrandTable) -> None:
    for key in ("turn-1", "slot-1-sassanids", "battle-1"):
        page = "".join(read(grand_table.text("gm", f"reports/{key}/")).text)
        assert "[\u2060url=/\u2060/e.\u2060vil]" in page, (
            key
        )  # the joiner keeps phpBB from seeing a tag
        post = re.search(
            r'<pre class="code code--whole" id="post-1"[^>]*>(.*?)</pre>',
            grand_table.text("gm", f"reports/{key}/"),
            re.S,
        )
        assert post
        shown = html.unescape(re.sub(r"<[^>]+>", "", post[1]))
        assert "evil onload" in shown, key
        assert "[url=//e.vil]" not in shown, key


@pytest.mark.long
@pytest.mark.parametrize("path", FILES)
def test_no_cell_of_a_file_is_a_formula(hostile: GrandTable, path: str) -> None:
    rows = list(
        csv.reader(StringIO(hostile.get("gm", path).content.decode("utf-8-sig"), newline=""))
    )
    cells = [cell for row in rows for cell in row]
    assert any("evil" in cell for cell in cells)
    assert [cell for cell in cells if cell.startswith(("=", "+", "@", "\t", "\r"))] == []
    assert [
        cell for cell in cells if cell.startswith("-") and not re.fullmatch(r"-\d+(\.5)?", cell)
    ] == []


def test_the_site_names_its_files(hostile: GrandTable) -> None:
    for path in FILES:
        name = hostile.get("gm", path)["Content-Disposition"]
        assert re.fullmatch(r'attachment; filename="[a-z0-9.-]+"', name), name


def test_a_record_has_names_as_json(hostile: GrandTable) -> None:
    answer = hostile.get("gm", "record.json")
    assert answer["Content-Type"].startswith("application/json")
    assert answer["X-Content-Type-Options"] == "nosniff"
    assert json.loads(answer.content)["scenario"]["nations"][0]["name"].startswith(
        ("=1+1", "</title>")
    )


@pytest.mark.parametrize("field", ["fog2_name", "forum_name"])
def test_profiles_are_escaped(client: Client, person: Callable[..., Any], field: str) -> None:
    client.force_login(person("Ingrid"))
    content = "\"><evil onload='x()'>{{ 7 }}=1+1"
    form = {
        "username": "Ingrid",
        "language": "en",
        "time_zone": "UTC",
        "theme": "light",
        field: content,
    }
    assert client.post("/me/", form).status_code == 302
    page = client.get("/me/").content.decode()
    assert "evil" not in read(page).opened
    assert "&lt;evil onload=&#x27;x()&#x27;&gt;" in page


def test_no_name_reaches_a_letters_head(client: Client, person: Callable[..., Any]) -> None:
    """Forms refuse such a name.

    Even if one is stored, the site itself writes the letter's head.
    """
    ingrid = person("Ingrid")
    User.objects.filter(pk=ingrid.pk).update(username="Ingrid\r\nBcc: evil@example.org\r\n\r\n")
    client.post("/password/", {"email": "ingrid@example.org"})
    (letter,) = mail.outbox
    head = letter.message().items()
    assert {name for name, _ in head} >= {"Subject", "From", "To"}
    assert "bcc" not in {name.lower() for name, _ in head}
    assert all("evil" not in value for _, value in head)
    assert letter.recipients() == ["ingrid@example.org"]


def test_a_subject_is_one_line(rf: Any) -> None:
    facts = {"username": "a\nBcc: evil@example.org", "email": "", "password_reset_url": ""}
    created: EmailMessage = Adapter(rf.get("/")).render_mail(
        "account/email/password_reset_key", "ingrid@example.org", facts
    )
    assert created.subject == "Set a new password at Tabula"


@pytest.mark.parametrize(
    "email",
    [
        "a@b.example\nBcc: evil@example.org",
        "a@b.example\r\nX: y",
        "a b@c.example",
        "<evil>@b.example",
    ],
)
def test_an_address_is_an_address(client: Client, email: str) -> None:
    for address, form in (
        ("/sign-up/", {"username": "M", "password1": "x", "password2": "x"}),
        ("/password/", {}),
    ):
        assert client.post(address, {**form, "email": email}).status_code == 200
    assert mail.outbox == []
