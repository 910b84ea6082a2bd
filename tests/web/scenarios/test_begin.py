"""The start of a scenario: from a map, another scenario, a file with shapes, or hexagons.

Each way makes a draft without faults.
"""

from __future__ import annotations

import html
import json
import re
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from campaign import drafts, imports, scenarios, shapes
from campaign.models import ImportJob, Scenario, ScenarioDraft
from games.registry import TITLES
from people import services as people_services
from web.tasks import take_over_record

pytestmark = pytest.mark.django_db
FILE = """<svg xmlns="http://www.w3.org/2000/svg"><rect id="Alba" width="20" height="20"/>
<rect x="20" width="20" height="20"/><rect id="Ostia" x="40.3" width="20" height="20"/>
<path id="Via" fill="none" d="M0 0L9 9"/></svg>"""


@pytest.fixture
def author(client: Client, person: Callable[..., Any]) -> Client:
    client.force_login(person("Marozia"))
    return client


def read_by_worker(who: Client, form: dict[str, Any]) -> Any:
    """Send a file with shapes, let the worker read it, and return the page to which it leads."""
    answer = who.post("/scenarios/begin/", form)
    assert answer.status_code == 303, errors(answer)
    where = answer.headers["Location"]
    waits = who.get(where)
    assert "Waiting in the queue" in waits.content.decode()
    assert waits.headers["Refresh"] == "2"
    take_over_record(int(where.rstrip("/").rpartition("/")[2]))
    done = who.get(where)
    return who.get(done.headers["Location"]) if done.status_code == 302 else done


def begun(answer: Any) -> dict[str, Any]:
    """Return the bundle of the draft to which an answer redirects, without faults."""
    assert answer.status_code == 303, errors(answer)
    draft = ScenarioDraft.objects.get(public_id=answer.headers["Location"].split("/")[3])
    bundle = drafts.bundle_of(draft)
    assert scenarios.check_scenario(TITLES["grand_campaign"], json.dumps(bundle)).faults == []
    return bundle


def errors(answer: Any) -> list[str]:
    banner = re.search(r'role="alert">.*?</section>', answer.content.decode(), re.DOTALL)
    return [
        html.unescape(fault) for fault in re.findall(r"<li>(.*?)</li>", banner[0] if banner else "")
    ]


def test_from_the_map_of_ninety_provinces(author: Client) -> None:
    assert "scenarios/begin/" in author.get("/scenarios/").content.decode()
    scenario = begun(author.post("/scenarios/begin/", {"from": "map", "name": "Two powers"}))[
        "scenario"
    ]
    assert (
        scenario["name"],
        scenario["key"],
        len(scenario["provinces"]),
        len(scenario["borders"]),
    ) == (
        "Two powers",
        "two-powers",
        90,
        184,
    )
    kinds = [row["kind"] for row in scenario["provinces"]]
    assert [kinds.count(kind) for kind in ("nation", "independent", "external")] == [2, 76, 12]
    assert [(row["name"], row["capital"]) for row in scenario["nations"]] == [
        ("First nation", "gallaecia"),
        ("Second nation", "surasena"),
    ]
    assert "rules" not in scenario


def test_from_another_scenario_shipped_or_on_a_shelf(
    author: Client, person: Callable[..., Any]
) -> None:
    page = author.get("/scenarios/begin/?from=other").content.decode()
    assert '<option value="grand_campaign/420ad">420 AD Grand Campaign</option>' in page
    scenario = begun(
        author.post("/scenarios/begin/", {"from": "other", "scenario": "grand_campaign/420ad"})
    )["scenario"]
    assert (scenario["name"], len(scenario["nations"])) == ("420 AD Grand Campaign", 6)
    sid = person("Sid")
    with open("static/examples/three_peoples.json", encoding="utf-8") as opened:
        bundle = json.load(opened)
    row = scenarios.save_scenario(
        sid,
        "grand_campaign",
        bundle["scenario"],
        json.dumps(bundle["drawing"]),
        Scenario.Sharing.PRIVATE,
    )
    refused = author.post("/scenarios/begin/", {"from": "other", "scenario": row.public_id})
    assert errors(refused) == ["This scenario does not exist."]
    scenarios.share(sid, row.public_id, Scenario.Sharing.PUBLIC)
    answer = author.post(
        "/scenarios/begin/", {"from": "other", "scenario": row.public_id, "name": "Four peoples"}
    )
    assert begun(answer)["scenario"]["name"] == "Four peoples"
    assert ScenarioDraft.objects.get(name="Four peoples").origin == row


def test_from_a_file_that_is_shown_first(author: Client, shown_contexts: None) -> None:
    sent = SimpleUploadedFile("islands.svg", FILE.encode())
    page = read_by_worker(author, {"from": "file", "file": sent, "name": "Islands"})
    assert page.status_code == 200
    shown = html.unescape(page.content.decode())
    assert "1 shape without a name, 2 with a name" in shown
    assert "1 open line was left out." in shown
    assert [re.sub(r"\s+", " ", fault) for fault in re.findall(r"<li>(Gap.*?)</li>", shown)] == [
        "Gap between #2, Ostia, 7 × 490 units. They do not touch, so no border is set there."
    ]
    assert re.findall(r'name="shape_(.)" value="([^"]*)"', shown) == [
        ("2", ""),
        ("1", "Alba"),
        ("3", "Ostia"),
    ]
    text = re.search(r'name="text" value="(.*?)">', page.content.decode())
    assert text is not None
    form = {
        "from": "file",
        "text": html.unescape(text[1]),
        "name": "Islands",
        **{f"shape_{n}": name for n, name in enumerate(("Alba", "Roma", "Ostia"), 1)},
    }
    again = read_by_worker(author, {**form, "act": "look"}).content.decode()
    assert 'value="Islands"' in again
    assert "0 shapes without a name, 3 with a name" in again
    assert not ScenarioDraft.objects.exists()
    page = read_by_worker(author, {**form, "act": "begin"})
    draft = ScenarioDraft.objects.get()
    assert (draft.name, draft.origin_name) == ("Islands", "a file")
    assert page.context["page"].draft.ref == draft.public_id
    bundle = drafts.bundle_of(draft)
    assert scenarios.check_scenario(TITLES["grand_campaign"], json.dumps(bundle)).faults == []
    assert [row["name"] for row in bundle["scenario"]["provinces"]] == ["Alba", "Roma", "Ostia"]
    assert bundle["scenario"]["borders"] == [["alba", "roma"]]
    assert bundle["scenario"]["sea_routes"] == [["ostia", "roma"]]


@pytest.mark.parametrize(
    ("form", "shown"),
    [
        ({"from": "file", "file": b"GIF89a"}, ["The file is neither SVG nor GeoJSON."]),
        (
            {"from": "file", "file": b'<svg><path id="Roma" d="M0 0L1 1"/><path d="x"/></svg>'},
            [
                "Shape 1, “Roma”, encloses no land.",
                "Shape 2 has a character at 1 that is not allowed in a path.",
            ],
        ),
        (
            {"from": "file", "act": "begin", "text": "<svg/>"},
            [
                (
                    "The file has no closed shape in it: draw each province as a path, polygon, rectangle,"  # noqa: E501
                    " circle or ellipse."
                )
            ],
        ),
        (
            {"from": "file", "act": "begin", "text": FILE, "shape_3": "Ostia"},
            ["The file needs at least two shapes with different names."],
        ),
    ],
)
def test_a_refusal_by_the_worker_is_shown_and_nothing_is_stored(
    author: Client, form: dict[str, Any], shown: list[str]
) -> None:
    data = {
        key: SimpleUploadedFile("x", value) if isinstance(value, bytes) else value
        for key, value in form.items()
    }
    assert errors(read_by_worker(author, data)) == shown
    assert not ScenarioDraft.objects.exists()


def test_names_that_were_typed_stay_when_no_draft_can_begin(
    author: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(drafts, "MOST", 0)
    form = {
        "from": "file",
        "act": "begin",
        "text": FILE,
        "name": "Islands",
        "shape_1": "Alba",
        "shape_2": "Röma",
    }
    page = read_by_worker(author, form)
    assert errors(page) == ["You already have 0 drafts. Remove one first."]
    assert 'name="shape_2" value="Röma"' in page.content.decode()
    # If the worker cannot get the form either, the page shows the same shapes again.
    row = ImportJob.objects.get()
    for n in range(imports.MOST_OPEN):
        imports.keep_shapes(row.user, b"another", None, f"No. {n}")
    page = author.post(f"/scenarios/begin/?from=file&read={row.pk}", {**form, "shape_2": "Roma"})
    assert (page.status_code, errors(page)) == (
        422,
        ["The site is still reading three of your files. Wait until one of them is finished."],
    )
    assert 'name="shape_2" value="Roma"' in page.content.decode()


def test_only_their_sender_sees_shapes_which_are_deleted_after_a_day(
    author: Client, person: Callable[..., Any]
) -> None:
    read_by_worker(
        author, {"from": "file", "file": SimpleUploadedFile("islands.svg", FILE.encode())}
    )
    row = ImportJob.objects.get()
    assert bytes(row.content) == b""
    address = f"/scenarios/begin/?from=file&read={row.pk}"
    other = Client()
    other.force_login(person("Sid"))
    assert "Alba" in author.get(address).content.decode()
    assert "Alba" not in other.get(address).content.decode()
    imports.tick(row.ended_at + timedelta(hours=23))
    assert ImportJob.objects.exists()
    imports.tick(row.ended_at + timedelta(hours=25))
    assert not ImportJob.objects.exists()
    page = author.get(address)
    assert (page.status_code, "Alba" in page.content.decode()) == (200, False)


def test_a_worker_that_dies_is_followed_by_another(
    author: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    answer = author.post(
        "/scenarios/begin/",
        {"from": "file", "file": SimpleUploadedFile("islands.svg", FILE.encode())},
    )

    def killed(*_args: Any, **_facts: Any) -> None:
        raise SystemExit

    with monkeypatch.context() as patch:
        patch.setattr(shapes, "read_shapes", killed)
        with pytest.raises(SystemExit):
            take_over_record(ImportJob.objects.get().pk)
    row = ImportJob.objects.get()
    assert (row.state, row.attempt) == ("reading", 1)
    assert imports.tick(row.heartbeat_at + imports.SILENCE + timedelta(seconds=1)) == 1
    assert (ImportJob.objects.get().state, ImportJob.objects.get().attempt) == ("founded", 2)
    assert (
        author.get(answer.headers["Location"]).headers["Location"]
        == f"/scenarios/begin/?from=file&read={row.pk}"
    )


@pytest.mark.parametrize(
    ("form", "shown"),
    [
        ({"from": "file"}, ["Choose a file first."]),
        ({"from": "file", "file": b" " * 2_000_001}, ["The file is larger than 2 MB."]),
        (
            {"from": "grid", "rows": "..A\n..A"},
            ["The file needs at least two shapes with different names."],
        ),
        (
            {"from": "grid", "rows": "A.<"},
            [
                (
                    "has the character < in line 1: use a letter or a digit for each province, and"
                    " a full stop for the sea."
                )
            ],
        ),
        ({"from": "grid", "rows": "A" * 61}, ["can have at most 60 hexagons across and 40 down."]),
        ({"from": "other", "scenario": "grand_campaign/1066ad"}, ["This scenario does not exist."]),
    ],
)
def test_an_invalid_start_is_reported_and_nothing_is_stored(
    author: Client, form: dict[str, Any], shown: list[str]
) -> None:
    data = {
        key: SimpleUploadedFile("x", value) if isinstance(value, bytes) else value
        for key, value in form.items()
    }
    answer = author.post("/scenarios/begin/", data)
    assert (answer.status_code, errors(answer)) == (422, shown)
    assert not ScenarioDraft.objects.exists()


def test_a_text_with_a_null_character_counts_as_empty(author: Client) -> None:
    bundle = begun(author.post("/scenarios/begin/", {"from": "map", "name": "a\0b"}))
    assert bundle["scenario"]["name"] == "A new scenario"
    answer = author.post("/scenarios/begin/", {"from": "other", "scenario": "a\0b"})
    assert answer.status_code == 422
    assert errors(answer) == ["This scenario does not exist."]


def test_from_a_sheet_of_hexagons(author: Client) -> None:
    data = {
        "from": "grid",
        "name": "Hexagons",
        "rows": "..AAB\n..ABB\n.CCBB\nCCC..\n....D\n",
        "names": "A Latium\nB = Étruria\nX x",
    }
    bundle = begun(author.post("/scenarios/begin/", data))
    assert [(row["key"], row["name"]) for row in bundle["scenario"]["provinces"]] == [
        ("latium", "Latium"),
        ("etruria", "Étruria"),
        ("c", "C"),
        ("d", "D"),
    ]
    assert bundle["scenario"]["borders"] == [
        ["c", "etruria"],
        ["c", "latium"],
        ["etruria", "latium"],
    ]


def test_a_guest_begins_none(client: Client) -> None:
    guest = people_services.make_guest()
    session = client.session
    people_services.remember_guest(session, guest)
    session.save()
    client.cookies["sessionid"] = session.session_key
    assert client.post("/scenarios/begin/", {"from": "map"}).status_code == 403
    assert not ScenarioDraft.objects.exists()
