"""Campaigns with a user's own scenario: pasted or sent, faults named by key, played by pages."""

from __future__ import annotations

import copy
import html
import json
import re
from collections.abc import Callable
from decimal import Decimal
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from campaign import services
from campaign.log import selectors
from campaign.models import Campaign
from engine.errors import MalformedRecord
from games.registry import TITLES
from tests.web.grand_table import NAMES, GrandTable, draft, new_campaign
from tests.web.lobby.test_found import fields
from tests.web.plain import parse_forms, submit_form
from tests.web.titles.test_table import visible_text

__all__ = ["draft", "new_campaign"]
pytestmark = pytest.mark.django_db


def nation(key: str, colour: str, culture: str = "barbarian") -> dict[str, Any]:
    return {
        "key": key,
        "name": key.title(),
        "culture": culture,
        "army": f"{key.title()} 240 BC",
        "capital": f"{key}-home",
        "colour": colour,
        "escort": culture == "barbarian",
    }


def province(key: str, owner: str | None = None) -> dict[str, Any]:
    return {
        "key": key,
        "name": key.replace("-", " ").title(),
        "kind": "nation" if owner else "independent",
        "owner": owner,
        "army": "Hill tribes",
    }


SMALL: dict[str, Any] = {
    "key": "three",
    "name": "Three peoples",
    "turns": 2,
    "nations": [
        nation("goths", "#336699"),
        nation("picts", "#993311"),
        nation("iberi", "#117744", "civilized"),
    ],
    "provinces": [
        province("goths-home", "goths"),
        province("picts-home", "picts"),
        province("iberi-home", "iberi"),
        province("hills"),
        province("coast"),
        province("isle"),
    ],
    "borders": [
        ["goths-home", "hills"],
        ["hills", "picts-home"],
        ["iberi-home", "coast"],
        ["coast", "hills"],
        ["goths-home", "iberi-home"],
    ],
    "sea_routes": [["coast", "isle"]],
    "rules": {
        "die": 6,
        "cards": [[1, 6, "spy"]],
        "events": [[1, 6, "riots"]],
        "costs": {"fleet": Decimal("1.5")},
    },
}


def text_of(scenario: Any) -> str:
    return json.dumps(scenario, indent=1, default=float)


@pytest.fixture
def master(client: Client, person: Callable[..., Any]) -> Client:
    client.force_login(person("Marozia", time_zone="Europe/Rome"))
    return client


def form(master: Client, scenario: Any = None, **changes: str) -> dict[str, Any]:
    text = scenario if isinstance(scenario, str) else text_of(scenario)
    created = fields(master.get("/found/").content.decode()) | {
        "title": "grand_campaign",
        "scenario": "own",
        "scenario_text": text,
        "name": "Three at odds",
        "hands": "open",
        "time_zone": "Europe/Rome",
        "visibility": "listed",
    }
    return created | {name.replace("__", "."): value for name, value in changes.items()}


def area(page: str) -> str:
    start = page.index('name="scenario_text"')
    inside = page[page.index(">", start) + 1 : page.index("</textarea>", start)]
    return html.unescape(inside.removeprefix("\n"))


def altered(path: str, value: Any) -> Any:
    """Return SMALL with one change; None as the value removes the last key."""
    created: Any = copy.deepcopy(SMALL)
    at = created
    *steps, last = [int(step) if step.isdecimal() else step for step in path.split(".")]
    for step in steps:
        at = at[step]
    at[last] = value
    return created


def test_pasted(master: Client) -> None:
    assert master.post("/found/", form(master, SMALL)).status_code == 302
    scenario, _ = selectors.terms(Campaign.objects.get())
    assert scenario == SMALL


def test_sent_as_a_file(master: Client) -> None:
    sent = SimpleUploadedFile(
        "three.json", b"\xef\xbb\xbf" + text_of(SMALL).encode(), content_type="application/json"
    )
    assert master.post("/found/", form(master, "") | {"scenario_file": sent}).status_code == 302
    assert selectors.terms(Campaign.objects.get())[0] == SMALL


def test_changes_in_the_form_override_the_scenarios_rules(master: Client) -> None:
    assert (
        master.post(
            "/found/", form(master, SMALL, rules__costs__land="2", rules__costs__fleet="2")
        ).status_code
        == 302
    )
    rules = selectors.terms(Campaign.objects.get())[0]["rules"]
    assert rules == {**SMALL["rules"], "costs": {"fleet": 2, "land": 2}}


def test_a_shipped_scenario_is_the_default(master: Client) -> None:
    answer = master.get("/scenarios/grand_campaign/420ad.json")
    assert answer["Content-Disposition"] == 'attachment; filename="420ad.json"'
    assert (
        '<a href="/scenarios/grand_campaign/420ad.json">' in master.get("/found/").content.decode()
    )
    shipped = TITLES["grand_campaign"].scenarios()["420ad"]
    assert json.loads(answer.content) == shipped
    assert master.post("/found/", form(master, answer.content.decode())).status_code == 302
    assert selectors.terms(Campaign.objects.get())[0] == shipped
    for path in ("/scenarios/grand_campaign/1066ad.json", "/scenarios/chess/420ad.json"):
        assert master.get(path).status_code == 404


LONG = "x" * 61
WRONG = [
    ("", "Paste the scenario, or choose a file with it."),
    ("{", "not JSON: Expecting property name enclosed in double quotes at line 1, column 2."),
    ("[]", "scenario: must be an object, from { to }."),
    ('"420ad"', "scenario: must be an object, from { to }."),
    ('{"key": 1, "key": 2}', "the key 'key' appears twice in one object."),
    ('{"\\ud800": 1}', "scenario.\ufffd: unknown key."),
    ("NaN", "NaN is not a JSON number."),
    ("[" * 50_000, "nested too deeply."),
    (" " * 400_001 + "{}", "The text is longer than 400,000 characters."),
    ({**SMALL, "map": "x"}, "scenario.map: unknown key."),
    ({key: value for key, value in SMALL.items() if key != "turns"}, "scenario.turns: is missing."),
    (altered("turns", 101), "scenario.turns: must be a whole number from 1 to 100."),
    (
        altered("nations.0.colour", "red"),
        "scenario.nations.0.colour: must be a colour in the form #rrggbb.",
    ),
    (
        altered("nations.0.colour", "#33669g"),
        "scenario.nations.0.colour: must be a colour in the form #rrggbb.",
    ),
    (
        altered("nations.0.colour", "#336699\n"),
        "scenario.nations.0.colour: must be a colour in the form #rrggbb.",
    ),
    (
        altered("nations.1.name", ""),
        "scenario.nations.1.name: must be a name of 1 to 60 printable characters.",
    ),
    (
        altered("nations.1.name", " "),
        "scenario.nations.1.name: must be a name of 1 to 60 printable characters.",
    ),
    (
        altered("nations.1.name", LONG),
        "scenario.nations.1.name: must be a name of 1 to 60 printable characters.",
    ),
    (
        altered("nations.1.name", "a\u202eb"),
        "scenario.nations.1.name: must be a name of 1 to 60 printable characters.",
    ),
    (
        altered("provinces.3.name", "a\r\nBcc: b"),
        "scenario.provinces.3.name: must be a name of 1 to 60 printable characters.",
    ),
    (
        altered("provinces.3.name", "a\x00"),
        "scenario.provinces.3.name: must be a name of 1 to 60 printable characters.",
    ),
    (altered("name", "\u200b"), "scenario.name: must be a name of 1 to 60 printable characters."),
    (
        altered("nations.2.army", LONG),
        "scenario.nations.2.army: must be at most 60 printable characters.",
    ),
    (altered("key", "a\nb"), "scenario.key: must be at most 60 printable characters."),
    (
        altered("rules.religious", [["<b>\n", 1, 1, 0]]),
        "scenario.rules.religious.0.0: must be at most 60 printable characters.",
    ),
    (altered("rules.die", 0), "scenario.rules.die: must be a whole number from 1 to 1000000."),
    (altered("rules.rout", {"decisive": Decimal("45." + "1" * 20)}), None),
    (
        altered("nations.0.capital", "hills"),
        "scenario.nations.goths.capital: must be a province that the nation owns.",
    ),
    (
        altered("provinces.0.kind", "external"),
        "scenario.provinces.goths-home.owner: does not match the kind external.",
    ),
    (
        altered("borders.0", ["hills", "hills"]),
        "scenario.borders.0: must join two different provinces, once.",
    ),
    (
        {**SMALL, "provinces": SMALL["provinces"] + [province(f"p{n}") for n in range(145)]},
        "scenario.provinces: must be at most 150.",
    ),
    (
        {
            **SMALL,
            "provinces": [
                *SMALL["provinces"],
                *({**province(f"p{n}"), "name": "\U0001f3f0" * 60} for n in range(400)),
            ],
        },
        "It has more than 60,000 characters, so it takes a long time to read.",
    ),
]


@pytest.mark.long
@pytest.mark.parametrize(("scenario", "content"), WRONG, ids=[str(n) for n in range(len(WRONG))])
def test_faults_are_named_by_key_and_nothing_is_lost(
    master: Client, scenario: Any, content: str | None
) -> None:
    data = form(master, scenario, rules__rout__early="41")
    if content is None:  # a number too large to be stored exactly
        data["scenario_text"] = data["scenario_text"].replace(
            '"decisive": 45.1', '"decisive": 45.' + "1" * 25
        )
        content = "scenario: contains a number with too many digits."
    answer = master.post("/found/", data)
    page = answer.content.decode()
    assert answer.status_code == 422
    shown = html.unescape(
        visible_text(page)
    )  # the value and the known values may follow before the full stop
    assert (
        f"Your scenario: {content}" in shown
        or f"Your scenario: {content.removesuffix('.')}; " in shown
    )
    assert area(page) == data["scenario_text"]
    assert '<option value="own" selected>' in page
    assert '<details class="own-scenario" open>' in page
    assert fields(page)["rules.rout.early"] == "41"
    assert 'value="Three at odds"' in page
    assert not Campaign.objects.exists()


@pytest.mark.parametrize(
    ("content", "spoken_text"),
    [
        (b"\xff\xfe{", "The file is not text in UTF-8."),
        (b"x" * 400_001, "The file is larger than 400 kB."),
        (b"{", "not JSON:"),
        (b"\x89PNG", "The file is not text in UTF-8."),
        (b"a\x00b", "not JSON:"),
    ],
)
def test_a_file_that_is_none(master: Client, content: bytes, spoken_text: str) -> None:
    sent = SimpleUploadedFile("<b>.svg", content, content_type="image/svg+xml")
    answer = master.post("/found/", form(master, "typed before") | {"scenario_file": sent})
    assert answer.status_code == 422
    assert f"Your scenario: {spoken_text}" in html.unescape(visible_text(answer.content.decode()))
    kept = area(answer.content.decode())
    assert kept == (
        "typed before" if "UTF-8" in spoken_text or "larger" in spoken_text else content.decode()
    )
    assert not Campaign.objects.exists()


def test_a_scenario_pasted_beside_another_choice_is_asked_about(master: Client) -> None:
    answer = master.post("/found/", form(master, SMALL) | {"scenario": "420ad"})
    assert answer.status_code == 422
    assert "Choose “One of your own”, or empty that field." in visible_text(answer.content.decode())
    assert area(answer.content.decode()) == text_of(SMALL)
    assert not Campaign.objects.exists()


def test_the_error_opens_no_tag(master: Client) -> None:
    data = form(master, {**SMALL, "</textarea><evil>": 1})
    page = master.post("/found/", data).content.decode()
    assert "<evil>" not in page
    assert area(page) == data["scenario_text"]


def test_the_service_checks_the_limits_too(person: Callable[..., Any]) -> None:
    """The service checks the site's limits, however a scenario arrives."""
    gm = person("Marozia")
    for path, value in (
        ("nations.0.colour", "red"),
        ("nations.0.name", "a\nb"),
        ("provinces.0.name", LONG),
    ):
        with pytest.raises(MalformedRecord) as wrong:
            services.found_campaign(gm, "grand_campaign", "Odd", altered(path, value))
        assert wrong.value.where == f"scenario.{path}"
    campaign = services.found_campaign(gm, "grand_campaign", "Even", SMALL)
    with pytest.raises(MalformedRecord):
        services.change_terms(campaign, gm, scenario=altered("nations.0.colour", "red"))


def test_records_accept_more_than_the_form() -> None:
    """RECORD only requires texts, so a reader of records refuses none of these."""
    for path, value in (
        ("nations.0.colour", "red"),
        ("nations.0.name", "a\nb"),
        ("provinces.0.name", LONG),
        ("name", ""),
    ):
        assert TITLES["grand_campaign"].scenario(altered(path, value))


def test_another_scenario_before_the_start(draft: GrandTable) -> None:
    page = draft.text("gm", "terms/")
    assert "Current: 420 AD Grand Campaign" in page
    assert area(page) == ""
    data = fields(page) | {"scenario": "own", "scenario_text": text_of(SMALL), "hands": "open"}
    page = draft.post("gm", "terms/", follow=True, **data).content.decode()
    assert "The terms have been changed." in page
    draft.campaign.refresh_from_db()
    assert [seat.key for seat in selectors.seats(draft.campaign)] == ["goths", "iberi", "picts"]
    again = draft.text("gm", "terms/")
    bare = {key: value for key, value in SMALL.items() if key != "rules"}
    assert json.loads(area(again)) == bare
    changed = area(again).replace("Three peoples", "Two and one")
    data = fields(again) | {"hands": "open"}
    assert (
        draft.post(
            "gm", "terms/", **data | {"scenario": "", "scenario_text": area(again)}
        ).status_code
        == 302
    )
    draft.campaign.refresh_from_db()
    assert selectors.terms(draft.campaign)[0] == SMALL
    assert (
        draft.post("gm", "terms/", **data | {"scenario": "", "scenario_text": changed}).status_code
        == 422
    )
    assert (
        draft.post(
            "gm", "terms/", **data | {"scenario": "own", "scenario_text": changed}
        ).status_code
        == 302
    )
    draft.campaign.refresh_from_db()
    assert selectors.terms(draft.campaign)[0] == {**SMALL, "name": "Two and one"}
    assert (
        draft.post(
            "gm", "terms/", **fields(again) | {"scenario": "420ad", "scenario_text": ""}
        ).status_code
        == 302
    )
    draft.campaign.refresh_from_db()
    assert len(selectors.seats(draft.campaign)) == 6


@pytest.mark.long
def test_it_is_played_through_the_pages_to_its_end(
    master: Client, person: Callable[..., Any]
) -> None:
    """Two turns with a die of six and a generated map; every page works all the way."""
    master.post("/found/", form(master, SMALL))
    people = {
        who: person(name) if who != "gm" else master.get("/me/").wsgi_request.user
        for who, name in NAMES.items()
    }
    grand_table = GrandTable(Campaign.objects.get(), people)
    for who, seat in (("hun", "goths"), ("roman", "picts")):
        link = services.invite(grand_table.campaign, people["gm"], seat)[1]
        assert grand_table.clients[who].get(f"/join/{link}/").status_code in (200, 302)
        assert grand_table.post(who, "/join/", seat=seat).status_code in (302, 303)
    pages = (
        "",
        "log/",
        "n/goths/",
        "n/iberi/",
        "battles/",
        "posts/",
        "dice/",
        "about/",
        "desk/",
        "seats/",
        "log.csv",
        "n/goths/ledger.csv",
        "record.json",
    )
    moved, attacked, looked = 0, False, set()
    while grand_table.campaign.status != "finished":
        if grand_table.campaign.phase not in looked:
            looked.add(grand_table.campaign.phase)
            assert [grand_table.get("gm", path).status_code for path in pages] == [200] * len(pages)
            assert '<svg class="map' in grand_table.text("gm"), "laid out from its borders"
        seat, gm = grand_table.campaign.active_seat, {"seen": str(grand_table.seen("gm"))}
        if grand_table.campaign.phase == "setup":
            answer = grand_table.post(
                "gm", "move/", seat="gm", offer="start", move="start", sure="1", **gm
            )
        elif grand_table.campaign.phase == "closed":
            answer = grand_table.post(
                "gm", "move/", seat="gm", offer="open-turn", move="open-turn", sure="1", **gm
            )
        elif grand_table.campaign.phase == "battles":
            answer = grand_table.post(
                "gm", "b/1/", by="shares", attacker="20", defender="50", sure="1", **gm
            )
        elif seat == "goths" and not attacked:
            attacked, page = True, grand_table.text("hun", "n/goths/")
            opened = re.search(r"\?open=(attack-land)", page)
            assert opened, "the page offers the attack"
            page = grand_table.text("hun", "n/goths/", open=opened[1])
            attack = next(
                form
                for form in parse_forms(page)
                if ("offer", opened[1]) in form.fields and form.action.endswith("/move/")
            )
            answer = submit_form(
                grand_table.clients["hun"], attack, from_="goths-home", target="hills", sure="1"
            )
        else:
            answer = grand_table.post(
                "gm",
                "move/",
                seat=seat,
                **{"for": seat},
                offer="end-slot",
                move="end-slot",
                sure="1",
                **gm,
            )
        assert answer.status_code in (302, 303), answer.content.decode()
        moved += 1
        grand_table.campaign.refresh_from_db()
        assert moved < 20
    assert {"Goths", "Picts", "Iberi"} <= set(visible_text(grand_table.text("nobody")).split())
    assert grand_table.get("nobody", "b/1/").status_code == 200
    assert grand_table.get("nobody", "reports/final/").status_code == 200
