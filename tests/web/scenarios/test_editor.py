"""The scenario editor: drafts begun, changed, undone and published as versions."""

from __future__ import annotations

import html
import re
from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from campaign import drafts
from campaign.models import Scenario, ScenarioDraft
from tests.web.lobby.test_found import fields
from tests.web.test_uploads import grows_little

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("shown_contexts")]


def signed_in(user: Any) -> Client:
    client = Client()
    client.force_login(user)
    return client


class Author:
    """A user who makes a scenario."""

    def __init__(self, user: Any) -> None:
        self.user, self.client = user, signed_in(user)

    def begin(self, source: str = "grand_campaign/420ad") -> str:
        address = self.client.post("/scenarios/fork/", {"from": source})["Location"]
        self.home = address
        return str(address)

    @property
    def draft(self) -> ScenarioDraft:
        return ScenarioDraft.objects.get(public_id=self.home.split("/")[3])

    def act(self, **fields: Any) -> Any:
        fields = {"revision": self.draft.revision, **fields}
        return self.client.post(f"{self.home}act/", fields, headers={"Accept": "application/json"})

    def text(self, path: str = "") -> str:
        page = self.client.get(self.home + path).content.decode()
        page = re.sub(r"<(script|style|svg).*?</\1>", " ", page, flags=re.DOTALL)
        return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", page)).split())


@pytest.fixture
def ada(person: Callable[..., Any]) -> Author:
    return Author(person("Ada"))


def test_from_the_map_to_a_founded_campaign(ada: Author) -> None:
    ada.begin()
    assert ada.draft.name == "420 AD Grand Campaign, changed"
    assert "No errors" in ada.text()
    answer = ada.act(act="owner", provinces="aegyptus cyrenaica", owner="romans", shape="").json()
    assert (answer["revision"], answer["undo"], answer["graph"]["owners"]["aegyptus"]) == (
        1,
        True,
        "romans",
    )
    assert answer["svg"].startswith("<svg")
    painted = ada.act(
        act="owner", provinces="palaestina", owner="romans", shape=answer["shape"]
    ).json()
    assert (painted["svg"], painted["moving"][:4]) == ("", "<svg"), "only what moves is sent again"
    fault = ada.act(act="owner", provinces="hunnia", owner="romans", shape=answer["shape"]).json()
    assert "Hunnia is the capital of the Huns and belongs to the Romans." in fault["checks"]
    assert "Give it to the Huns" in fault["checks"]
    refused = ada.client.post(
        f"{ada.home}publish/", {"revision": ada.draft.revision, "sharing": "private"}, follow=True
    )
    assert "scenario.nations.huns.capital" in refused.content.decode()
    assert Scenario.objects.count() == 0
    ada.act(act="undo")
    ada.act(
        act="scenario",
        name="Rome’s Egypt",
        key="romes-egypt",
        turns="7",
        begins="1",
        start_stability="6",
        start_prestige="5",
        start_income="450",
        start_army="1600",
    )
    published = ada.client.post(
        f"{ada.home}publish/",
        {"revision": ada.draft.revision, "note": "Egypt is Roman", "sharing": "link"},
    )
    row = Scenario.objects.get()
    assert (published["Location"], row.version, row.note, row.name) == (
        f"/scenarios/{row.public_id}/",
        1,
        "Egypt is Roman",
        "Rome’s Egypt",
    )
    rules = html.unescape(ada.client.get(f"{published['Location']}rules/").content.decode())
    assert "Rome’s Egypt" in rules
    assert ">7</" in rules, "the turns of this scenario, marked"
    again = ada.client.post(
        f"{ada.home}publish/", {"revision": ada.draft.revision, "sharing": "link"}, follow=True
    )
    assert "Nothing has changed since version 1." in again.content.decode()
    ada.act(
        act="province",
        province="aegyptus",
        name="Egypt",
        seat="Alexandria",
        army="Roman 379-424 AD",
        owner="romans",
        stands="1",
        fleet="1",
    )
    ada.client.post(f"{ada.home}publish/", {"revision": ada.draft.revision, "sharing": "private"})
    assert list(Scenario.objects.order_by("version").values_list("version", "sharing")) == [
        (1, "link"),
        (2, "private"),
    ]
    assert "Version 2" in ada.text("?tab=scenario")
    choice = f"shelf:{row.public_id}"
    page = ada.client.get(
        "/found/", {"title": "grand_campaign", "scenario": choice}
    ).content.decode()
    form = fields(page) | {
        "title": "grand_campaign",
        "scenario": choice,
        "scenario_text": "",
        "name": "At last",
        "hands": "open",
        "time_zone": "UTC",
        "visibility": "listed",
        "rules_of": choice,
    }
    created = ada.client.post("/found/", form)
    assert created.status_code == 302
    assert "Rome’s Egypt" in html.unescape(
        ada.client.get(created["Location"], follow=True).content.decode()
    )


def test_two_windows_do_not_overwrite_each_other(ada: Author) -> None:
    ada.begin()
    ada.act(act="owner", provinces="aegyptus", owner="romans")
    late = ada.act(act="owner", provinces="aegyptus", owner="vandals", revision=0)
    assert (late.status_code, late.json()["revision"]) == (409, 1)
    assert (
        late.json()["wrong"]
        == "This draft was changed in another window. This is the current version."
    )
    assert late.json()["graph"]["owners"]["aegyptus"] == "romans"
    wrong = ada.act(act="nation", nation="huns", colour="red")
    assert (wrong.status_code, wrong.json()["wrong"], wrong.json()["revision"]) == (
        422,
        "must be a colour written #rrggbb.",
        1,
    )
    undone = ada.act(act="undo").json()
    assert (undone["graph"]["owners"]["aegyptus"], undone["undo"], undone["redo"]) == (
        "independent",
        False,
        True,
    )
    assert ada.act(act="redo").json()["graph"]["owners"]["aegyptus"] == "romans"


def test_a_revision_with_thousands_of_digits_is_no_revision(ada: Author) -> None:
    ada.begin()
    answer = ada.act(act="name", province="roma", name="Rome", revision="9" * 5000)
    assert answer.status_code == 409


def test_every_panel_works_as_a_form(ada: Author) -> None:
    """Without a script, each form redirects to what was chosen."""
    ada.begin()
    back = ada.client.post(
        f"{ada.home}act/",
        {"revision": 0, "act": "capital", "province": "sicilia", "back": "province=sicilia"},
    )
    assert back["Location"] == f"{ada.home}?province=sicilia"
    assert "capital of the Romans" in ada.text("?province=sicilia")
    ada.act(
        act="nation",
        nation="vandals",
        name="Vandalia",
        spoken="state",
        words="1",
        begins="1",
        it_name="Vandalia",
        culture="barbarian",
        start_army="1650",
        religious="temples",
        hand="Spy, Scouts",
        barracks="1",
        siege_trains="2",
    )
    text = ada.text("?nation=vandals")
    assert "Vandalia builds Roads." in text
    row = next(
        nation
        for nation in drafts.bundle_of(ada.draft)["scenario"]["nations"]
        if nation["key"] == "vandals"
    )
    assert row["start"] == {
        "army": 1650,
        "structures": ["shrines", "temples"],
        "barracks": True,
        "siege_trains": 2,
        "hand": ["spy", "scouts"],
    }
    wrong = ada.client.post(
        f"{ada.home}act/",
        {
            "revision": ada.draft.revision,
            "act": "nation",
            "nation": "huns",
            "begins": "1",
            "hand": "Joker",
            "back": "nation=huns",
        },
        follow=True,
    )
    assert "is not known" in html.unescape(wrong.content.decode())


def test_numbers_of_the_rules_are_typed_beside_the_usual(ada: Author) -> None:
    ada.begin()
    page = ada.client.get(f"{ada.home}numbers/")
    typed = dict(re.findall(r'name="(n\.[^"]+)" value="([^"]*)"', page.content.decode()))
    assert (typed["n.army.victory"], typed["n.costs.fleet"], typed["n.army.defeat"]) == (
        "30",
        "½",
        "−30",
    )
    assert "0 numbers differ." in ada.text("numbers/")
    sent = {
        "n.army.victory": "45",
        "n.costs.fleet": "1",
        "n.fortifications.1.2": "55",
        "n.event_turns": "1, 3, 5",
    }
    assert ada.client.post(f"{ada.home}numbers/", sent).status_code == 303
    text = ada.text("numbers/")
    assert "4 numbers differ." in text
    assert "Army: +45" in text
    assert "default: +30" in text
    wrong = ada.client.post(f"{ada.home}numbers/", {"n.army.victory": "much", "n.event_turns": "0"})
    assert wrong.status_code == 422
    assert "this is not a number." in wrong.content.decode()
    bands = {"n.cards": ["10", "20", "30", "40", "45", "50", "55", "60", "65", "75", "70", "100"]}
    assert ada.client.post(f"{ada.home}numbers/", bands).status_code == 422
    for field in ("n.event_turns", "n.events"):
        wrong = ada.client.post(f"{ada.home}numbers/", {field: ["many"] * 12})
        assert wrong.status_code == 422
        assert "must be a number." in wrong.content.decode()
    assert ada.client.post(f"{ada.home}numbers/", {"usual": "army.victory"}).status_code == 303
    assert "3 numbers differ." in ada.text("numbers/")


def test_only_its_author_sees_a_draft(ada: Author, person: Callable[..., Any]) -> None:
    ada.begin()
    bo = Author(person("Bo"))
    for path in ("", "numbers/"):
        assert bo.client.get(ada.home + path).status_code == 404
    for path in ("act/", "publish/"):
        assert bo.client.post(ada.home + path, {"act": "undo", "revision": 0}).status_code == 404
    bo.client.post(f"{ada.home}away/", {"act": "remove"})
    assert ada.draft.removed_at is None
    assert Client().get(ada.home).status_code == 302
    ada.client.post(f"{ada.home}publish/", {"revision": 0, "sharing": "public"})
    row = Scenario.objects.get()
    bo.begin(row.public_id)
    assert (bo.draft.origin, bo.draft.origin_name) == (row, "420 AD Grand Campaign, changed")
    assert ada.client.post("/scenarios/fork/", {"from": row.public_id})["Location"] == ada.home, (
        "a version leads back to its draft"
    )
    ada.client.post(f"{ada.home}away/", {"act": "remove"})
    ada.client.get("/scenarios/")  # this shows the message of the removal
    assert ada.home not in ada.client.get("/scenarios/").content.decode()
    ada.client.post(f"{ada.home}away/", {"act": "back"})
    assert ada.draft.removed_at is None


def test_hostile_text_is_text(ada: Author) -> None:
    ada.begin()
    evil = '"><script>alert(1)</script>'
    ada.act(
        act="province",
        province="achaia",
        name=evil,
        seat=evil,
        army=evil,
        owner="romans",
        stands="1",
    )
    ada.act(act="nation", nation="huns", name=evil, adjective=evil)
    ada.act(act="scenario", name=evil)
    for path in (
        "",
        "?province=achaia",
        "?nation=huns",
        "?tab=scenario",
        "numbers/",
        "?province=%3Cscript%3E&nation=x&tab=y",
    ):
        assert "<script>alert" not in ada.client.get(ada.home + path).content.decode()
    answer = ada.act(act="undo").json()
    for part in ("panel", "checks", "saved", "svg", "moving"):
        assert "<script>alert" not in answer[part]


def test_an_act_needs_few_queries(ada: Author) -> None:
    ada.begin()
    with CaptureQueriesContext(connection) as caught:
        assert ada.act(act="owner", provinces="aegyptus", owner="romans").status_code == 200
    assert len(caught) <= 14, [query["sql"][:90] for query in caught]
    with CaptureQueriesContext(connection) as caught:
        ada.client.get(ada.home)
    assert len(caught) <= 8, [query["sql"][:90] for query in caught]


def test_an_act_that_is_built_to_harm_is_refused_before_it_is_read(ada: Author) -> None:
    """The editor would look up the same province half a million times."""
    ada.begin()
    with grows_little():
        answer = ada.act(act="owner", owner="huns", provinces="a " * 500_000)
    most = "You can change at most 20,000 characters at once. Change less at a time."
    assert (answer.status_code, answer.json()["wrong"], ada.draft.revision) == (422, most, 0)
    numbers = ada.client.post(f"{ada.home}numbers/", {"n.event_turns": "1 " * 500_000})
    assert (numbers.status_code, most in numbers.content.decode(), ada.draft.revision) == (
        422,
        True,
        0,
    )


def test_a_null_character_is_refused_before_it_is_stored(ada: Author) -> None:
    """PostgreSQL cannot store it."""
    ada.begin()
    answer = ada.act(act="nation", nation="huns", name="Hu\0ns")
    fault = "A field contains a character that cannot be stored."
    assert (answer.status_code, answer.json()["wrong"], ada.draft.revision) == (422, fault, 0)
    assert ada.client.post("/scenarios/fork/", {"from": "a\0b"}).status_code == 404
