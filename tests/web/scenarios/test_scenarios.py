"""Scenarios on a shelf: added with a drawing, checked, viewed, shared, chosen, withdrawn."""

from __future__ import annotations

import copy
import html
import json
import re
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import call_command
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from campaign import imports, scenarios, services
from campaign.hosting import audit
from campaign.log import selectors
from campaign.models import Campaign, ImportJob, MapDrawing, Scenario
from engine.errors import MalformedRecord
from engine.language import use_language
from engine.strict_json import read
from people.models import HostAct
from tests.web import nine
from tests.web.lobby.test_found import fields
from tests.web.titles.test_table import visible_text
from web.tasks import take_over_record

pytestmark = pytest.mark.django_db
EXAMPLE = "static/examples/three_peoples.json"


@pytest.fixture
def owner(client: Client, person: Callable[..., Any]) -> Client:
    client.force_login(person("Marozia"))
    return client


@pytest.fixture
def other(person: Callable[..., Any]) -> Client:
    created = Client()
    created.force_login(person("Sid"))
    return created


def file(text: str, name: str = "x.json") -> SimpleUploadedFile:
    return SimpleUploadedFile(name, text.encode(), content_type="application/json")


def example() -> dict[str, Any]:
    with open(EXAMPLE, encoding="utf-8") as opened:
        return dict(json.load(opened))


def bring(who: Client, value: Any, drawing: Any = None, sharing: str = "private") -> Any:
    data: dict[str, Any] = {
        "title": "grand_campaign",
        "sharing": sharing,
        "file": file(json.dumps(value)),
    }
    if drawing is not None:
        data["drawing"] = file(json.dumps(drawing))
    return read_by_worker(who, who.post("/scenarios/new/", data))


def read_by_worker(who: Client, answer: Any) -> Any:
    """Return the answer of the form, or the page of the result if the worker reads the scenario.

    Then the address is the one to which that page redirects.
    """
    if answer.status_code != 303:
        return answer
    take_over_record(int(answer.headers["Location"].rstrip("/").rpartition("/")[2]))
    page = who.get(answer.headers["Location"])
    if "; url=" in page.headers.get("Refresh", ""):
        page.headers["Location"] = page.headers["Refresh"].partition("; url=")[2]
    return page


def test_brought_looked_at_downloaded_and_brought_again(owner: Client, other: Client) -> None:
    answer = bring(owner, example())
    row = Scenario.objects.get()
    assert answer.headers["Location"] == f"/scenarios/{row.public_id}/"
    with CaptureQueriesContext(
        connection,
    ) as asked:
        page = owner.get(f"/scenarios/{row.public_id}/").content.decode()
    assert len(asked) <= 12
    for content in (
        "Three peoples",
        "Gothiscandza",
        "Caledonia",
        "Costs, in actions: Fleet",
        "<strong>1</strong>",
        "0.5",
    ):
        assert content in (page if "<" in content else visible_text(page) + page)
    assert '<svg class="map__svg"' in page
    again = owner.get(f"/scenarios/{row.public_id}.json")
    assert again["Content-Disposition"] == 'attachment; filename="three-peoples.json"'
    assert (
        bring(owner, json.loads(again.content)).headers["Location"]
        == f"/scenarios/{row.public_id}/"
    )
    assert (Scenario.objects.count(), MapDrawing.objects.count()) == (1, 1)
    both = example()
    assert (
        bring(owner, both["scenario"], both["drawing"]).headers["Location"]
        == f"/scenarios/{row.public_id}/"
    ), "apart, too"
    # Private: only the owner sees it; then everyone with the link, then everyone. After its removal
    # it is gone, and is restored for its owner alone.
    at, stranger = f"/scenarios/{row.public_id}/", Client()
    assert [who.get(at).status_code for who in (owner, other, stranger)] == [200, 404, 404]
    assert other.post(at, {"act": "share", "sharing": "public"}).status_code == 404
    owner.post(at, {"act": "share", "sharing": "link"})
    assert [
        other.get(at).status_code,
        stranger.get(f"/scenarios/{row.public_id}.json").status_code,
    ] == [200, 200]
    assert "Three peoples" not in other.get("/scenarios/").content.decode()
    assert other.post(at, {"act": "remove"}).status_code == 403
    owner.post(at, {"act": "share", "sharing": "public"})
    assert "by Marozia" in visible_text(other.get("/scenarios/").content.decode())
    call_command("hide", f"https://tabula.example{at}", reason="Rude.")
    assert [who.get(at).status_code for who in (owner, other, stranger)] == [200, 404, 404]
    assert HostAct.objects.get().reason == f"scenario {row.public_id}. Rude."
    call_command("unhide", at)
    owner.post(at, {"act": "remove"})
    assert [who.get(at).status_code for who in (owner, other)] == [200, 404]
    owner.post(at, {"act": "back"})
    row.refresh_from_db()
    assert (row.removed_at, row.sharing) == (None, "private")


def test_founded_with_its_own_copy(owner: Client, other: Client) -> None:
    """A campaign of another user keeps its own copy of a shared scenario.

    Later changes of the original do not matter to it.
    """
    bring(owner, example(), sharing="link")
    row = Scenario.objects.get()
    choice = f"shelf:{row.public_id}"
    page = other.get("/found/", {"title": "grand_campaign", "scenario": choice}).content.decode()
    assert f'<option value="{choice}" selected>Three peoples</option>' in page
    data = fields(page) | {
        "title": "grand_campaign",
        "scenario": choice,
        "scenario_text": "",
        "name": "Theirs",
    }
    data |= {"hands": "open", "time_zone": "Europe/Rome", "visibility": "listed"}
    assert f'name="rules_of" value="{choice}"' in page
    data["rules_of"] = choice
    assert other.post("/found/", data).status_code == 302
    campaign = Campaign.objects.get()
    assert (campaign.drawing, read(campaign.scenario)) == (row.drawing, read(row.text))
    # The form contained its rules: a value changed back to the rules' own number is stored as such.
    assert (
        other.post("/found/", data | {"name": "Mended", "rules.costs.fleet": "0.5"}).status_code
        == 302
    )
    mended = read(Campaign.objects.get(name="Mended").scenario)["rules"]
    assert mended == {"event_turns": [2, 4], "capital_protected_before_turn": 4}
    assert campaign.entries.earliest("sequence").content["drawing"] == row.drawing_id
    owner.post(f"/scenarios/{row.public_id}/", {"act": "remove"})
    page = other.get(f"/c/{campaign.address}/", {"province": "goths-home"}).content.decode()
    assert "Gothiscandza" in page
    assert "map__svg--laid" not in page
    assert list(audit.differences(campaign)) == []
    # A change of terms before the start keeps the map, unless a shipped scenario is chosen.
    page = other.get(f"/c/{campaign.address}/terms/").content.decode()
    data = fields(page) | {"hands": "hidden"}
    assert other.post(f"/c/{campaign.address}/terms/", data | {"scenario": ""}).status_code == 302
    campaign.refresh_from_db()
    assert campaign.drawing == row.drawing
    assert (
        other.post(
            f"/c/{campaign.address}/terms/", data | {"scenario": "420ad", "scenario_text": ""}
        ).status_code
        == 302
    )
    campaign.refresh_from_db()
    assert campaign.drawing is None
    assert "drawing" not in selectors.log(campaign, campaign.founder)[0].entry.content
    assert other.post("/found/", data | {"scenario": choice, "name": "Late"}).status_code == 422, (
        "withdrawn"
    )


FOUND = [
    (
        "drawing.viewBox",
        "0 0 800",
        "drawing.viewBox: must be four numbers: left, top, width, height",
    ),
    ("drawing.viewBox", [0, 0, 800, "500"], "drawing.viewBox: must be a number"),
    ("drawing.viewBox", "0 0 -800 500", "drawing.viewBox: must be at least 1 wide and high"),
    ("drawing.viewBox", "0 0 8000 5", "drawing.viewBox: must be 0.4 to 3 times as wide as high"),
    ("drawing.viewBox", "0 0 nan 5", "drawing.viewBox: must be a number from -1e+06 to 1e+06"),
    (
        "drawing.provinces.isle.d",
        "M0 0<script>alert(1)</script>",
        "drawing.provinces.isle.d: has a character at 5 that is not allowed in a path",
    ),
    (
        "drawing.provinces.isle.d",
        'M0 0" onload="x',
        "drawing.provinces.isle.d: has a character at 5 that is not allowed in a path",
    ),
    (
        "drawing.provinces.isle.d",
        "url(#x)",
        "drawing.provinces.isle.d: has a character at 1 that is not allowed in a path",
    ),
    ("drawing.provinces.isle.d", "L5 5", "drawing.provinces.isle.d: must begin with M"),
    (
        "drawing.provinces.isle.d",
        "M5 5 L 6",
        "drawing.provinces.isle.d: has too few numbers after L at 9",
    ),
    (
        "drawing.provinces.isle.d",
        "M5 5 1e300 5",
        "drawing.provinces.isle.d: has a number at 5 that is too large",
    ),
    (
        "drawing.provinces.isle.d",
        "M600 380 L9000 350 L700 450z",
        "drawing.provinces.isle.d: leaves the viewBox at 9000 350",
    ),
    (
        "drawing.provinces.isle.d",
        "M1 1l1 1" * 30_000,
        "drawing.provinces.isle.d: is longer than 200000 characters",
    ),
    (
        "drawing.provinces.isle.d",
        "M0 0" + "h9h-9" * 30_000,
        "drawing.provinces.isle.d: has more than 40000 points",
    ),
    (
        "drawing.provinces.isle.label",
        [10, 10],
        "drawing.provinces.isle.label: lies outside the province",
    ),
    (
        "drawing.provinces.isle.label",
        [10, -9],
        "drawing.provinces.isle.label: lies outside the viewBox",
    ),
    (
        "drawing.provinces.hills.port",
        [400, 60],
        "drawing.provinces.hills.port: the province is not maritime",
    ),
    (
        "drawing.provinces.atlantis",
        {"d": "M0 0"},
        "drawing.provinces.atlantis: is drawn but not in the scenario",
    ),
    (
        "drawing.provinces.isle.seat",
        {"name": "a\nb", "at": [650, 400]},
        "drawing.provinces.isle.seat.name: must be a name of 1 to 60 printable characters",
    ),
    (
        "drawing.nations",
        {"goths": {"pattern": "url(x)"}},
        "drawing.nations.goths.pattern: must be one of solid,",
    ),
    (
        "drawing.sea_routes",
        {"coast|hills": "M0 0"},
        "drawing.sea_routes.coast|hills: is not in the scenario",
    ),
    ("drawing.onload", "x", "drawing.onload: is not known"),
    (
        "scenario.nations.0.colour",
        "red;}",
        "scenario.nations.0.colour: must be a colour in the form #rrggbb",
    ),
    ("scenario.turns", 0, "scenario.turns: must be a whole number from 1 to 100"),
]


def changed(whole: dict[str, Any], path: str, value: Any) -> dict[str, Any]:
    created = copy.deepcopy(whole)
    *steps, last = [int(step) if step.isdecimal() else step for step in path.split(".")]
    at: Any = created
    for step in steps:
        at = at[step]
    at[last] = value
    return created


@pytest.mark.parametrize(
    ("path", "value", "content"), FOUND, ids=[str(n) for n in range(len(FOUND))]
)
def test_a_fault_is_named_by_its_key(path: str, value: Any, content: str) -> None:
    judged = scenarios.check_scenario(nine.TITLE, json.dumps(changed(example(), path, value)))
    assert [str(fault) for fault in judged.faults if str(fault).startswith(content)], [
        str(fault) for fault in judged.faults
    ]
    assert judged.drawing == ""


def test_every_fault_at_once_and_nothing_kept(owner: Client) -> None:
    wrong = changed(example(), "scenario.nations.1.name", "")
    wrong = changed(wrong, "scenario.borders.0", ["hills", "hills"])
    wrong = changed(wrong, "scenario.rules", {"die": 0, "</ul><evil>": 1})
    answer = bring(owner, wrong)
    page = html.unescape(answer.content.decode())
    assert answer.status_code == 422
    shown = re.findall(r"<li>(scenario\.[^\n]*?)</li>", answer.content.decode())
    assert [html.unescape(fault) for fault in shown] == [
        (
            'scenario.borders.0: must join two different provinces, once; here it is ["hills",'
            ' "hills"]'
        ),
        "scenario.rules.</ul><evil>: unknown key",
        "scenario.rules.die: must be a whole number from 1 to 1000000; here it is 0",
        (
            "scenario.nations.1.name: must be a name of 1 to 60 printable characters; for"
            " picts it is “”"
        ),
        "scenario.rules.event_turns.2: there is no turn 6: the last turn is 4",
    ]
    assert "One thing is allowed, but probably not intended" in page
    assert "It contains 4 errors" in page
    assert "<evil>" not in answer.content.decode()
    crossed = example()["drawing"] | {
        "viewBox": "0 0 800 500",
        "provinces": {"isle": {"d": "M0"}, "hills": 3},
    }
    faults = [
        str(fault)
        for fault in scenarios.check_scenario(
            nine.TITLE, json.dumps(example()["scenario"]), json.dumps(crossed)
        ).faults
    ]
    assert len(faults) == 6
    assert faults[-2:] == [
        "drawing.provinces.hills: must be an object; here it is 3",
        "drawing.provinces.isle.d: has too few numbers after M at 3; here it is “M0”",
    ]
    with use_language("it"):
        faults = [
            str(fault)
            for fault in scenarios.check_scenario(
                nine.TITLE, json.dumps(example()["scenario"]), json.dumps(crossed)
            ).faults
        ]
        assert faults[-2:] == [
            "drawing.provinces.hills: deve essere un oggetto; qui è 3",
            "drawing.provinces.isle.d: ha troppo pochi numeri dopo M al carattere 3; qui è “M0”",
        ]
    for sent in (file("PK\x03\x04"), SimpleUploadedFile("x.zip", b"PK\x03\x04\xff\xfe")):
        assert owner.post("/scenarios/new/", {"file": sent}).status_code == 422
    assert owner.post("/scenarios/new/", {}).status_code == 422
    assert not Scenario.objects.exists()
    assert not MapDrawing.objects.exists()


def test_nothing_of_a_drawing_reaches_a_page_but_numbers_and_escaped_names(owner: Client) -> None:
    bring(owner, {"scenario": nine.make_scenario(), "drawing": nine.make_drawing()})
    row = Scenario.objects.get()
    assert row.drawing is not None
    page = owner.get(f"/scenarios/{row.public_id}/").content.decode()
    assert "<em>" not in page
    assert "Caput &lt;b&gt;Mundi" in page
    assert "MARE &amp; CO." in page
    assert set(
        re.sub(
            r"[-0-9. ]",
            "",
            "".join(province["d"] for province in read(row.drawing.text)["provinces"].values()),
        )
    ) == set("Mlz")
    with pytest.raises(MalformedRecord) as wrong:
        services.found_campaign(
            row.owner,
            "grand_campaign",
            "Odd",
            nine.make_scenario(),
            drawing='{"viewBox":"0 0 9 9","provinces":{}}',
        )
    assert wrong.value.where == "drawing.provinces.p0-0", "the door asks, too"


def test_a_geometry_of_ninety_provinces_is_read_as_it_is(owner: Client) -> None:
    shipped = json.loads(owner.get("/scenarios/grand_campaign/420ad.json").content)
    drawn = json.loads(owner.get("/scenarios/grand_campaign/420ad/drawing.json").content)
    judged = scenarios.check_scenario(nine.TITLE, json.dumps(shipped), json.dumps(drawn))
    assert judged.faults == []
    kept = json.loads(judged.drawing)
    assert {key for key in kept if kept[key] != drawn.get(key)} <= {"links", "contacts"}
    assert kept["links"] == kept["contacts"] == {}
    assert owner.get("/scenarios/grand_campaign/420ad/").status_code == 200


def test_a_map_takes_time_so_the_worker_reads_it(owner: Client, other: Client) -> None:
    """Faults outside the map are reported at once.

    The sender sees the progress, and may run the import without a worker.
    """
    raw = example()
    form = {
        "title": "grand_campaign",
        "sharing": "link",
        "text": json.dumps({**raw, "drawing": {**raw["drawing"], "lakes": 3}}),
    }
    wrong = owner.post(
        "/scenarios/new/", {**form, "text": json.dumps(changed(raw, "scenario.turns", 0))}
    )
    assert (wrong.status_code, ImportJob.objects.count()) == (422, 0)
    answer = owner.post("/scenarios/new/", form)
    assert answer.status_code == 303
    page = owner.get(answer.headers["Location"])
    assert "Reading the scenario" in page.content.decode()
    assert "Waiting in the queue" in page.content.decode()
    assert (page.headers["Refresh"], other.get(answer.headers["Location"]).status_code) == (
        "2",
        404,
    )
    assert owner.post("/scenarios/new/", form).headers["Location"] == answer.headers["Location"], (
        "sent twice it is one"
    )
    ImportJob.objects.update(state="reading")
    assert (
        "Reading its map, or drawing it from the borders"
        in owner.get(answer.headers["Location"]).content.decode()
    )
    ImportJob.objects.update(state="waiting")
    page = read_by_worker(owner, answer)
    assert "It contains one error. Nothing has been saved." in page.content.decode()
    assert "lakes: " in page.content.decode()
    form["text"] = json.dumps(raw)
    answer = owner.post("/scenarios/new/", form)
    ImportJob.objects.update(made_at=timezone.now() - timedelta(seconds=16))
    owner.post(answer.headers["Location"])  # the button for sites without a worker
    row = Scenario.objects.get()
    assert (row.name, row.sharing) == ("Three peoples", "link")
    page = owner.get(answer.headers["Location"])
    assert page.headers["Refresh"] == f"2; url=/scenarios/{row.public_id}/"
    assert "Three peoples is now among your scenarios." in page.content.decode()


def test_a_long_text_is_read_by_the_worker_alone(
    owner: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    raw = example()
    long = json.dumps(changed(raw, "scenario.turns", 0)) + " " * 60_000

    def judged_here(*_args: Any, **_facts: Any) -> None:
        raise AssertionError("the page has read it")

    with monkeypatch.context() as patch:
        patch.setattr(scenarios, "check_scenario", judged_here)
        answer = owner.post(
            "/scenarios/new/", {"title": "grand_campaign", "sharing": "link", "file": file(long)}
        )
        founding = owner.post(
            "/found/",
            {"title": "grand_campaign", "scenario": "own", "scenario_text": long, "name": "Long"},
        )
    assert answer.status_code == 303
    page = read_by_worker(owner, answer)
    assert "scenario.turns: " in visible_text(page.content.decode())
    assert not Scenario.objects.exists()
    assert founding.status_code == 422
    shown = (
        "It has more than 60,000 characters, so it takes a long time to read. Upload it under "
        "Scenarios first, then choose it here."
    )
    assert shown in visible_text(founding.content.decode())
    answer = owner.post(
        "/scenarios/new/", {"title": "grand_campaign", "text": json.dumps(raw) + " " * 60_000}
    )
    assert "A long scenario" in owner.get(answer.headers["Location"]).content.decode()
    read_by_worker(owner, answer)
    assert Scenario.objects.filter(name="Three peoples").exists()


def test_a_large_map_is_not_read_in_the_form_of_founding(owner: Client) -> None:
    raw = example()["scenario"]
    raw["provinces"] += [
        {
            "key": f"p{n}",
            "name": f"P{n}",
            "kind": "independent",
            "owner": None,
            "army": "Alan 25-650 AD",
        }
        for n in range(96)
    ]
    raw["borders"] += [[f"p{n}", f"p{n + 1}"] for n in range(95)] + [
        [raw["provinces"][0]["key"], "p0"]
    ]
    data = {
        "title": "grand_campaign",
        "scenario": "own",
        "scenario_text": json.dumps(raw),
        "name": "Large",
    }
    page = owner.post("/found/", data)
    assert page.status_code == 422
    assert "Upload it under Scenarios first, then choose it here." in visible_text(
        page.content.decode()
    )


def test_a_full_shelf_and_a_guest(owner: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scenarios, "MOST", 1)
    bring(owner, example())
    answer = bring(owner, changed(example(), "scenario.name", "Another"))
    assert "Remove one first" in answer.content.decode()
    assert Scenario.objects.count() == 1
    guest = Client()
    guest.post("/play/march_on_rome/")
    assert guest.post("/scenarios/new/", {"text": json.dumps(example())}).status_code == 403
    assert guest.get("/scenarios/").status_code == 200


def test_a_scenario_that_no_map_can_show_is_refused_everywhere(
    owner: Client, person: Callable[..., Any]
) -> None:
    """Every page with such a scenario would fail after long computation."""
    raw = example()["scenario"]
    raw["provinces"] += [
        {
            "key": f"p{n}",
            "name": f"P{n}",
            "kind": "independent",
            "owner": None,
            "army": "Alan 25-650 AD",
        }
        for n in range(36)
    ]
    keys = [province["key"] for province in raw["provinces"]]
    raw["borders"] = [[key, two] for n, key in enumerate(keys) for two in keys[:n]]
    why = "scenario.borders: cross each other too often to be shown on a map: add a drawing"
    answer = bring(owner, raw)
    assert (why in visible_text(answer.content.decode()), Scenario.objects.count()) == (True, 0)
    with pytest.raises(MalformedRecord, match="cross each other"):
        services.found_campaign(person("Ugo"), "grand_campaign", "Knots", raw)
    record = {
        "format": "grand-campaign/1",
        "scenario": raw,
        "options": {},
        "dice": {"seed": "5" * 64},
        "moves": [],
    }
    assert imports.check_record(json.dumps(record)).faults == [f"{why}."]
