"""Whatever people write stays text: in pages, in the map, in posts, in letters. Names come from a hostile scenario."""

from __future__ import annotations

import json
from collections.abc import Callable
from html.parser import HTMLParser
from typing import Any

import pytest
from django.core import mail
from django.core.mail import EmailMessage
from django.test import Client

from campaign import services
from games.registry import TITLES
from people.adapter import Adapter
from people.models import User
from tests.web.five import NAMES, SEED, Five

pytestmark = pytest.mark.django_db
EVIL = """</title></text></script><evil onload="x()">'"&{{ 7 }}[url=https://evil.example]=1+1"""
PAGES = (
    "", "log/", "e/1/", "n/huns/", "n/romans/", "battles/", "b/1/", "dice/", "reports/", "reports/turn-1/", "desk/", "seats/",
    "/", "/me/",
)  # fmt: skip


class Reader(HTMLParser):
    """Notes every element and attribute that a page opens."""

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
            if name in ("href", "src", "action", "formaction") and (value or "").lower().lstrip().startswith(
                ("javascript:", "vbscript:", "data:text")
            ):
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


@pytest.fixture
def hostile(person: Callable[..., Any]) -> Five:
    people = {who: person(name) for who, name in NAMES.items()}
    scenario = json.loads(json.dumps(TITLES["grand_campaign"].scenarios()["420ad"]))
    scenario["name"] = EVIL
    for nation in scenario["nations"]:
        nation["name"] = f"{nation['key']} {EVIL}"
        nation["colour"] = "red;background:url(https://evil.example/x)"
    for province in scenario["provinces"]:
        province["name"] = f"{province['key']} {EVIL}"
    campaign = services.found(people["gm"], "grand_campaign", EVIL[:60], scenario, {}, "Europe/Rome", "listed", seed=SEED)
    for who, seat in (("hun", "huns"), ("roman", "romans")):
        _, token = services.invite(campaign, people["gm"], seat)
        services.take_seat(people[who], token)
    campaign.refresh_from_db()
    five = Five(campaign, people)
    five.play("gm", "start")
    five.slot_to("huns")
    five.play("huns", "attack", kind="independent", **{"from": "tarraconensis", "target": "carpetania"})
    return five


@pytest.mark.parametrize("path", PAGES)
def test_names_of_a_scenario_are_text_on_every_page(hostile: Five, path: str) -> None:
    answer = hostile.get("gm", path)
    assert answer.status_code == 200
    reader = read(answer.content.decode())
    assert reader.wrong == []
    assert "evil" not in reader.opened
    assert "evil.example/x" not in answer.content.decode()  # a colour is #rrggbb or none
    assert "49[url" not in "".join(reader.text)


def test_the_evil_name_is_there_to_be_read(hostile: Five) -> None:
    """Else the test above would find nothing because nothing was shown."""
    page = "".join(read(hostile.text("gm", "n/huns/")).text)
    assert 'huns </title></text></script><evil onload="x()">' in page
    assert '<evil onload="x()">' in "".join(read(hostile.text("nobody", "")).text)


def test_posts_open_no_tag_of_a_person(hostile: Five) -> None:
    page = "".join(read(hostile.text("gm", "reports/turn-1/")).text)
    assert "[\u2060url=https://evil.example]" in page  # the joiner keeps phpBB from seeing a tag


@pytest.mark.parametrize("field", ["fog2_name", "forum_name"])
def test_what_people_say_of_themselves_is_text(client: Client, person: Callable[..., Any], field: str) -> None:
    client.force_login(person("Ingrid"))
    said = "\"><evil onload='x()'>{{ 7 }}=1+1"
    form = {"username": "Ingrid", "language": "en", "time_zone": "UTC", "theme": "light", field: said}
    assert client.post("/me/", form).status_code == 302
    page = client.get("/me/").content.decode()
    assert "evil" not in read(page).opened
    assert "&lt;evil onload=&#x27;x()&#x27;&gt;" in page


def test_no_name_reaches_a_letters_head(client: Client, person: Callable[..., Any]) -> None:
    """Forms refuse such a name; should one ever stand in the table, the letter's head is ours all the same."""
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
    made: EmailMessage = Adapter(rf.get("/")).render_mail("account/email/password_reset_key", "ingrid@example.org", facts)
    assert made.subject == "A new password at Tabula"


@pytest.mark.parametrize(
    "email", ["a@b.example\nBcc: evil@example.org", "a@b.example\r\nX: y", "a b@c.example", "<evil>@b.example"]
)
def test_an_address_is_an_address(client: Client, email: str) -> None:
    for address, form in (("/sign-up/", {"username": "M", "password1": "x", "password2": "x"}), ("/password/", {})):
        assert client.post(address, {**form, "email": email}).status_code == 200
    assert mail.outbox == []
