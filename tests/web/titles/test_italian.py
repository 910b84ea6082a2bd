"""The pages of a Grand Campaign in Italian.

Numbers of pictures and typed names stay as they are.
"""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.utils.translation import override

from engine.language import use_language
from games.grand_campaign.drawing import atlas
from games.grand_campaign.drawing.drawing import for_scenario
from games.grand_campaign.drawing.plane import plane
from games.grand_campaign.rules.scenario import load
from games.grand_campaign.text import battles
from games.grand_campaign.text.move_words import GrandMoveWords
from games.grand_campaign.text.nation_sheet import ordinal
from games.grand_campaign.text.verdicts import verdict
from games.grand_campaign.title import GrandCampaign
from tests.grand_campaign.test_atlas import small, start
from web.titles.grand_campaign import founding

SCENARIO = load("420ad")
TITLE = GrandCampaign()


@pytest.fixture
def italian() -> Any:
    with override("it"), use_language("it"):
        yield


def drawn(svg: str) -> list[str]:
    """Return the attributes that a browser reads, without words."""
    return re.findall(
        r' (?:d|x|y|cx|cy|r|width|height|points|transform|viewBox|style)="([^"]*)"', svg
    )


def test_a_verdict_and_its_plane(italian: None) -> None:
    names = "Unni", "Romani"
    result = verdict(SCENARIO, 20, 46, battle_names())
    assert (result.winner, result.why) == ("attacker", "Romani 45% o più")
    assert result.sentence(battle_names()) == "Vincono gli Unni."
    assert verdict(SCENARIO, 50, 50, names).sentence(names) == "Parità."
    picture = plane(SCENARIO, ("huns", "romans"), names, (20, 46))
    assert 'aria-label="In rotta 20 e 46 per cento: Unni vincono"' in picture
    assert "Romani in rotta, %" in picture
    with override("en"), use_language("en"):
        assert drawn(plane(SCENARIO, ("huns", "romans"), ("Huns", "Romans"), (20, 46))) == drawn(
            picture
        )


def battle_names() -> tuple[str, str]:
    known = {"kind": "land", "attacker": "huns", "defender": "romans"}
    return battles.side_name(SCENARIO, known, "attacker"), battles.side_name(
        SCENARIO, known, "defender"
    )


def test_the_map_names_nations_in_the_readers_language_and_numbers_in_none(italian: None) -> None:
    raw = SCENARIO.raw
    here = atlas.map_svg(for_scenario(raw), raw, start(raw))
    assert 'aria-label="Pannonia, Unni"' in here
    assert 'aria-label="Hibernia, esterna"' in here
    assert "Mappa delle province e dei loro proprietari." in here
    with override("en"), use_language("en"):
        there = atlas.map_svg(for_scenario(raw), raw, start(raw))
    assert 'aria-label="Pannonia, Huns"' in there
    assert drawn(here) == drawn(there)


def test_typed_names_stay_as_typed(italian: None) -> None:
    scenario = small()
    assert 'aria-label="Alba, Albans"' in atlas.map_svg(
        for_scenario(scenario), scenario, start(scenario)
    )


def test_offers_and_the_founding_form_are_in_italian(italian: None) -> None:
    position = TITLE.setup(SCENARIO, TITLE.options({}))
    talk = GrandMoveWords(TITLE, SCENARIO, position)
    assert [(group.name, group.note) for group in talk.groups][:2] == [
        ("Risposte", "a una sfida"),
        ("Fisco", "stabilità per denaro, denaro per stabilità"),
    ]
    assert (
        talk.move_noun({"by": "huns", "move": "fleet", "province": "maeotis"})
        == "Flotta in Maeotis"
    )
    assert TITLE.founding_facts(SCENARIO, TITLE.options({"hands": "hidden"}))[3:] == [
        ("Mani", "Una mano la vedono solo il titolare e l’arbitro (§4.2)"),
        ("Attacchi esterni", "Dalle province esterne non partono attacchi (§6.1)"),
        ("Diplomatico", "Un Diplomatico guadagna una provincia confinante (§4.8)"),
        ("Numero di attacchi", "Un attacco di ogni tipo per giro (§7.2)"),
        ("Aumenti delle tasse", "al massimo 1 per turno (§3.6)"),
        ("Regole della casa", "nessuna"),
    ]
    assert founding.field_of("scenario.rules.cards.2.0") == (
        "rules.cards.2.0",
        "Carte per tiro, riga 3, da",
    )
    assert ordinal(2) == "2º"
