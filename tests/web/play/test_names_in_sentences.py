"""Names in sentences: peoples, and countries with and without an article, in two languages."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from django.utils.translation import gettext as _
from django.utils.translation import override

from campaign import services
from campaign.log import positions, selectors
from campaign.models import Campaign
from engine.errors import IllegalMove
from engine.language import Name, sentence, use_language
from forum.posts.reports import lines_of
from games.grand_campaign.text.report import Reports
from games.grand_campaign.title import GrandCampaign
from notices.kinds.standing_orders import OrderActed
from tests.forum.rendered import render_plain_text

TITLE = GrandCampaign()
FORMS: dict[str, tuple[str, dict[str, Any]]] = {
    "goths": ("Huns", {"spoken": "people", "it": {"article": "gli", "name": "Unni"}}),
    "iberi": (
        "Roman Republic",
        {"spoken": "state", "article": True, "it": {"article": "la", "name": "Repubblica romana"}},
    ),
    "picts": ("Carthage", {"spoken": "state", "it": {"name": "Cartagine"}}),
}


def brought() -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the example with other names and a drawing that has their grammar."""
    both = json.loads(Path("static/examples/three_peoples.json").read_text(encoding="utf-8"))
    scenario, drawing = both["scenario"], both["drawing"]
    for nation in scenario["nations"]:
        nation["name"] = FORMS[nation["key"]][0]
    drawing["nations"] = {key: forms for key, (_name, forms) in FORMS.items()}
    return scenario, drawing


@pytest.fixture
def table(person: Callable[..., Any]) -> tuple[Campaign, Any]:
    scenario, drawing = brought()
    text, faults = TITLE.drawing(scenario, drawing)
    assert faults == []
    master = person("Marozia")
    created = services.found_campaign(
        master,
        "grand_campaign",
        "Three",
        scenario,
        {},
        "Europe/Rome",
        "listed",
        seed="0" * 64,
        drawing=text,
    )
    return created, master


def play(campaign: Campaign, master: Any, seat: str, move: str, **given: Any) -> Campaign:
    raw = {"by": "gm", "move": move, **given} | ({} if seat == "gm" else {"for": seat})
    return services.play(campaign, master, raw, selectors.seen(campaign, master)).campaign


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("language", "log", "refusal", "report", "notice"),
    [
        (
            "en",
            ["Huns build Bridges", "Roman Republic builds Bridges", "Carthage builds Bridges"],
            {
                "goths": "It is not the turn of the Huns; the Roman Republic is playing.",
                "iberi": "It is not the turn of the Roman Republic; Carthage is playing.",
                "picts": "It is not the turn of Carthage; the Huns are playing.",
            },
            {
                "goths": "The Huns draw",
                "iberi": "The Roman Republic draws",
                "picts": "Carthage draws",
            },
            {
                "goths": "Your standing order for the Huns has acted",
                "iberi": "Your standing order for the Roman Republic has acted",
                "picts": "Your standing order for Carthage has acted",
            },
        ),
        (
            "it",
            [
                "Unni costruiscono Ponti",
                "Repubblica romana costruisce Ponti",
                "Cartagine costruisce Ponti",
            ],
            {
                "goths": "Non è il turno degli Unni; gioca la Repubblica romana.",
                "iberi": "Non è il turno della Repubblica romana; gioca Cartagine.",
                "picts": "Non è il turno di Cartagine; giocano gli Unni.",
            },
            {
                "goths": "Gli Unni pescano",
                "iberi": "La Repubblica romana pesca",
                "picts": "Cartagine pesca",
            },
            {
                "goths": "Il tuo ordine permanente per gli Unni ha agito",
                "iberi": "Il tuo ordine permanente per la Repubblica romana ha agito",
                "picts": "Il tuo ordine permanente per Cartagine ha agito",
            },
        ),
    ],
)
def test_log_refusal_report_and_notice(
    table: tuple[Campaign, Any],
    language: str,
    log: list[str],
    refusal: dict[str, str],
    report: dict[str, str],
    notice: dict[str, str],
    client: Client,
) -> None:
    campaign, master = table
    campaign = play(campaign, master, "gm", "start")
    for _each in range(3):
        seat = campaign.active_seat
        campaign = play(campaign, master, seat, "build", structure="bridges")
        campaign = play(campaign, master, seat, "end-slot")
    page = client.get(
        f"/c/{campaign.address}/log/", headers={"accept-language": language}
    ).content.decode()
    shown = " ".join(html.unescape(re.sub(r"<[^>]*>", " ", page)).split())
    assert [name for name in log if name not in shown] == []
    scenario, follows = (
        positions.scenario(campaign),
        {"goths": "iberi", "iberi": "picts", "picts": "goths"},
    )
    with override(language), use_language(language):
        content = {
            key: TITLE.refusal(
                scenario, IllegalMove("not-your-slot", "1.3", nation=key, slot=follows[key])
            )
            for key in follows
        }
        assert content == refusal
        opening = render_plain_text(of_turn_one(campaign))
        assert [
            name for name in report.values() if not re.search(rf"^- {name}", opening, re.MULTILINE)
        ] == []
        names = positions.seats(campaign)
        shown_text = {key: sentence(_(OrderActed.title), seat=names[key]) for key in names}
        assert shown_text == notice


def of_turn_one(campaign: Campaign) -> Any:
    """Return the report of the opening of turn 1."""
    start, lines = lines_of(campaign)
    scenario = positions.scenario(campaign)
    key = next(
        content.key for content in Reports().contents(scenario, lines) if "opening" in content.key
    )
    return Reports().report(scenario, start, lines, key, campaign.name, {})


@pytest.mark.django_db
def test_pages_agree(table: tuple[Campaign, Any], client: Client) -> None:
    """No page has an article before Carthage, or a plural verb after a singular name."""
    campaign, master = table
    campaign = play(campaign, master, "gm", "start")
    while campaign.active_seat != "picts":
        campaign = play(campaign, master, campaign.active_seat, "end-slot")
    client.force_login(master)
    for path in ("", "log/", "n/picts/", "n/goths/", "desk/", "story/", "history/", "reports/"):
        for language in ("en", "it"):
            answer = client.get(
                f"/c/{campaign.address}/{path}", headers={"accept-language": language}
            )
            text = " ".join(html.unescape(re.sub(r"<[^>]*>", " ", answer.content.decode())).split())
            wrong = (
                r"[Tt]he Carthage|Carthage (?:have|are|build|attack|open|draw) |the the"
                r" |\b(?:la|il|i|gli) Cartagine"
            )
            assert re.findall(wrong, text) == [], (path, language)


@pytest.mark.parametrize(
    ("typed", "forms", "english", "italian"),
    [
        (
            "Athens",
            {"spoken": "state", "it": {"name": "Atene"}},
            "Athens has fallen",
            "Atene è caduta",
        ),
        ("Athens", {}, "the Athens have fallen", "Athens sono caduti"),
        (
            "The East",
            {
                "spoken": "state",
                "article": True,
                "it": {"article": "l'", "name": "Oriente", "gender": "m"},
            },
            "the East has fallen",
            "l’Oriente è caduto",
        ),
        (
            "Amazons",
            {"spoken": "people", "it": {"article": "le", "name": "Amazzoni"}},
            "the Amazons have fallen",
            "le Amazzoni sono cadute",
        ),
        ("Seleucids", {"article": False}, "Seleucids have fallen", "Seleucids sono caduti"),
    ],
)
def test_a_name_has_its_article(
    typed: str, forms: dict[str, Any], english: str, italian: str
) -> None:
    assert format_of(typed, forms, "{name:the} {name:have|has} fallen") == english
    with use_language("it"):
        text = "{name:il} {name:sono caduti|sono cadute|è caduto|è caduta}"
        assert format_of(typed, forms, text) == italian


def format_of(typed: str, forms: dict[str, Any], text: str) -> str:
    return text.format(name=Name.with_forms(typed, forms))


@pytest.mark.parametrize(
    ("row", "at", "why"),
    [
        ({"spoken": "city"}, "drawing.nations.goths.spoken", "people"),
        ({"article": "the"}, "drawing.nations.goths.article", "true or false"),
        ({"it": {"article": "der", "name": "Goten"}}, "drawing.nations.goths.it.article", "l’"),
        ({"it": {"article": "i"}}, "drawing.nations.goths.it.name", "missing"),
        ({"it": {"name": "Goti", "gender": "n"}}, "drawing.nations.goths.it.gender", "m"),
    ],
)
def test_faults_of_grammar_are_reported(row: dict[str, Any], at: str, why: str) -> None:
    scenario, drawing = brought()
    drawing["nations"]["goths"] = row
    _text, faults = TITLE.drawing(scenario, drawing)
    assert [fault.where for fault in faults] == [at]
    assert why in faults[0].why
