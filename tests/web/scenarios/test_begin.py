"""How a scenario begins: from the map, another scenario, a file with shapes, a sheet of hexagons; each a draft without faults."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Callable
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from campaign import drafts, scenarios
from campaign.models import Draft, Scenario
from games.registry import TITLES
from people import services as people_services

pytestmark = pytest.mark.django_db
FILE = """<svg xmlns="http://www.w3.org/2000/svg"><rect id="Alba" width="20" height="20"/>
<rect x="20" width="20" height="20"/><rect id="Ostia" x="40.3" width="20" height="20"/>
<path id="Via" fill="none" d="M0 0L9 9"/></svg>"""


@pytest.fixture
def author(client: Client, person: Callable[..., Any]) -> Client:
    client.force_login(person("Marozia"))
    return client


def begun(answer: Any) -> dict[str, Any]:
    """The bundle of the draft that an answer leads to, judged."""
    assert answer.status_code == 303, errors(answer)
    draft = Draft.objects.get(public_id=answer.headers["Location"].split("/")[3])
    bundle = drafts.bundle_of(draft)
    assert scenarios.judge(TITLES["grand_campaign"], json.dumps(bundle)).faults == []
    return bundle


def errors(answer: Any) -> list[str]:
    banner = re.search(r'role="alert">.*?</section>', answer.content.decode(), re.DOTALL)
    return [html.unescape(one) for one in re.findall(r"<li>(.*?)</li>", banner[0] if banner else "")]


def test_from_the_map_of_ninety_provinces(author: Client) -> None:
    assert "scenarios/begin/" in author.get("/scenarios/").content.decode()
    scenario = begun(author.post("/scenarios/begin/", {"from": "map", "name": "Two powers"}))["scenario"]
    assert (scenario["name"], scenario["key"], len(scenario["provinces"]), len(scenario["borders"])) == (
        "Two powers", "two-powers", 90, 184,
    )  # fmt: skip
    kinds = [row["kind"] for row in scenario["provinces"]]
    assert [kinds.count(kind) for kind in ("nation", "independent", "external")] == [2, 76, 12]
    assert [(row["name"], row["capital"]) for row in scenario["nations"]] == [
        ("First nation", "gallaecia"),
        ("Second nation", "surasena"),
    ]
    assert "rules" not in scenario


def test_from_another_scenario_shipped_or_on_a_shelf(author: Client, person: Callable[..., Any]) -> None:
    page = author.get("/scenarios/begin/?from=other").content.decode()
    assert '<option value="grand_campaign/420ad">420 AD Grand Campaign</option>' in page
    scenario = begun(author.post("/scenarios/begin/", {"from": "other", "scenario": "grand_campaign/420ad"}))["scenario"]
    assert (scenario["name"], len(scenario["nations"])) == ("420 AD Grand Campaign", 6)
    sid = person("Sid")
    with open("static/examples/three_peoples.json", encoding="utf-8") as opened:
        bundle = json.load(opened)
    row = scenarios.put(sid, "grand_campaign", bundle["scenario"], json.dumps(bundle["drawing"]), Scenario.Sharing.PRIVATE)
    refused = author.post("/scenarios/begin/", {"from": "other", "scenario": row.public_id})
    assert errors(refused) == ["There is no such scenario."]
    scenarios.share(sid, row.public_id, Scenario.Sharing.PUBLIC)
    answer = author.post("/scenarios/begin/", {"from": "other", "scenario": row.public_id, "name": "Four peoples"})
    assert begun(answer)["scenario"]["name"] == "Four peoples"
    assert Draft.objects.get(name="Four peoples").origin == row


def test_from_a_file_that_is_shown_first(author: Client) -> None:
    sent = SimpleUploadedFile("islands.svg", FILE.encode())
    page = author.post("/scenarios/begin/", {"from": "file", "file": sent, "name": "Islands"})
    assert page.status_code == 200
    shown = html.unescape(page.content.decode())
    assert "1 shape without a name, 2 with one" in shown
    assert "1 open line was left out." in shown
    assert [re.sub(r"\s+", " ", one) for one in re.findall(r"<li>(Gap.*?)</li>", shown)] == [
        "Gap between #2, Ostia, 7 × 490 units. They do not touch, so no border is set there."
    ]
    assert re.findall(r'name="shape_(.)" value="([^"]*)"', shown) == [("2", ""), ("1", "Alba"), ("3", "Ostia")]
    text = re.search(r'name="text" value="(.*?)">', page.content.decode())
    assert text is not None
    form = {
        "from": "file",
        "text": html.unescape(text[1]),
        "name": "Islands",
        **{f"shape_{n}": name for n, name in enumerate(("Alba", "Roma", "Ostia"), 1)},
    }
    again = author.post("/scenarios/begin/", {**form, "act": "look"}).content.decode()
    assert "0 shapes without a name, 3 with one" in again
    assert not Draft.objects.exists()
    bundle = begun(author.post("/scenarios/begin/", {**form, "act": "begin"}))
    assert [row["name"] for row in bundle["scenario"]["provinces"]] == ["Alba", "Roma", "Ostia"]
    assert bundle["scenario"]["borders"] == [["alba", "roma"]]
    assert bundle["scenario"]["sea_routes"] == [["ostia", "roma"]]


@pytest.mark.parametrize(
    ("form", "shown"),
    [
        ({"from": "file"}, ["Choose a file first."]),
        ({"from": "file", "file": b"GIF89a"}, ["The file: is neither SVG nor GeoJSON."]),
        (
            {"from": "file", "file": b'<svg><path id="Roma" d="M0 0L1 1"/><path d="x"/></svg>'},
            ["Shape 1, “Roma”, encloses no land.", "Shape 2 has a sign at 1 that no path has."],
        ),
        ({"from": "file", "act": "begin", "text": "<svg/>"}, [
            "The file: has no closed shape in it: each province is a path, polygon, rectangle, circle or ellipse."
        ]),
        ({"from": "file", "act": "begin", "text": FILE, "shape_3": "Ostia"}, [
            "The file: needs two shapes with different names at least."
        ]),
        ({"from": "grid", "rows": "..A\n..A"}, ["The file: needs two shapes with different names at least."]),
        ({"from": "grid", "rows": "A.<"}, ["has the sign < in line 1: each province is a letter or a digit, the sea a point."]),
        ({"from": "grid", "rows": "A" * 61}, ["has at most 60 hexagons across and 40 down."]),
        ({"from": "other", "scenario": "grand_campaign/1066ad"}, ["There is no such scenario."]),
    ],
)  # fmt: skip
def test_what_cannot_begin_is_told_and_nothing_is_kept(author: Client, form: dict[str, Any], shown: list[str]) -> None:
    data = {key: SimpleUploadedFile("x", value) if isinstance(value, bytes) else value for key, value in form.items()}
    answer = author.post("/scenarios/begin/", data)
    assert (answer.status_code, errors(answer)) == (422, shown)
    assert not Draft.objects.exists()


def test_from_a_sheet_of_hexagons(author: Client) -> None:
    data = {
        "from": "grid",
        "name": "Hexagons",
        "rows": "..AAB\n..ABB\n.CCBB\nCCC..\n....D\n",
        "names": "A Latium\nB = Étruria\nX x",
    }
    bundle = begun(author.post("/scenarios/begin/", data))
    assert [(row["key"], row["name"]) for row in bundle["scenario"]["provinces"]] == [
        ("latium", "Latium"), ("etruria", "Étruria"), ("c", "C"), ("d", "D"),
    ]  # fmt: skip
    assert bundle["scenario"]["borders"] == [["c", "etruria"], ["c", "latium"], ["etruria", "latium"]]


def test_a_guest_begins_none(client: Client) -> None:
    guest = people_services.make()
    session = client.session
    people_services.remember(session, guest)
    session.save()
    client.cookies["sessionid"] = session.session_key
    assert client.post("/scenarios/begin/", {"from": "map"}).status_code == 403
    assert not Draft.objects.exists()
