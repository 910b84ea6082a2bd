"""The text of the rules with the numbers of a scenario: usual, changed, or amended in play."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from engine.dice import Dice
from engine.language import text_of_file, use_language
from engine.play import perform
from engine.strict_json import read
from games.contract.title import AMENDED, DIFFERS, strip_marks
from games.grand_campaign.rules.numbers import table
from games.grand_campaign.rules.scenario import Scenario, check_scenario, load
from games.grand_campaign.text import rulebook, words
from games.registry import TITLES
from tests.grand_campaign import other_rules
from tests.web import nine

TITLE: Any = TITLES["grand_campaign"]
SIGNS = re.compile("[\ue000\ue001]([^\ue002]*)\ue002([^\ue003]*)\ue003")


def rendered(scenario: Scenario, number: str, tongue: str = "en", notes: bool = False) -> str:
    """Return a paragraph of a scenario's rules.

    Numbers that differ are in [brackets], followed by their note on request.
    """
    with use_language(tongue):
        text = TITLE.rules_of(scenario)
    line = next(
        line for line in text.splitlines() if line.startswith((f"- {number} ", f"## {number} "))
    )
    return SIGNS.sub(r"[\2|\1]" if notes else r"[\2]", line)


USUAL = {
    "en": [
        "# 420 AD Grand Campaign: the rules, numbered",
        (
            "- 1.1 *Ruling:* map, ownership, borders, sea routes and the provinces' army lists are"
            " reconstructed, because the source's map and its list of armies are lost; the nations,"
            " their colours and their own army lists are the source's. Six nations: `hephtalites`"
            " `huns` `kushans` `romans` `sassanids` `vandals`. Map, armies, colours, borders:"
            " `scenarios/420ad/`. *Ruling:* Kushans, Romans, Sassanids are civilized (they build"
            " Architectures); Hephtalites, Huns, Vandals are barbarian (Urban Infrastructures)."
            " Costs and effects are the same."
        ),
        (
            "- 2.7 Prestige 11 or more: independent attacks against that nation cost 1 "
            "action in place of 1/2."
        ),
        (
            "- 2.8 Army: +30 a victory up to 1720; -30 a defeat down to 1480 (where section 9 says"
            " so). A victory never lowers, a defeat never raises an army that stands outside these"
            " bounds."
        ),
        (
            "- 3.1 Income gives actions for the slot: under 50t 0; from 50t 1/2; 150t 1; 250t 1"
            " 1/2; 350t 2; 450t 2 1/2; 550t 3; 650t 3 1/2; 750t and more 4. *Ruling:* amounts"
            " between two rows count as the lower row."
        ),
        (
            "- 3.3 Architectures / Urban Infrastructures, once each, in this order:"
            " `gymnasia`/`hamlets` 1/2 action, prestige +1; `theatres`/`villages` 1, +2;"
            " `baths`/`oppida` 1, +2; `academies`/`boroughs` 1 1/2, +3 and 1 VP;"
            " `royal-palace`/`towns` 2, +4 and 2 VP."
        ),
        (
            "- 3.4 Religious Buildings, in order: `shrines` 1/2, stability +1; `temples` 1, +2;"
            " `sanctuaries` 1 1/2, +3 and 1 VP; `templar-complexes` 2, +4 and 2 VP."
        ),
        (
            "- 3.5 Commercial Structures, in this order, each for 1 action and +100t income:"
            " `bridges`, `roads`, `markets`, `merchants-quarters`."
        ),
        (
            "- 3.7 Fortifications, per owned province, in order: `ramparts` 1/2, `walls` 1, "
            "`great-walls` 1 1/2. They cannot be built while the province is under attack. Each "
            "level that remains at the end is worth 1 VP (*ruling:* Great Walls include Walls and "
            "Ramparts, so they are worth 3). A province that changes hands or turns independent "
            "loses them."
        ),
        (
            "- 7.2 At most one land or amphibious attack and one independent attack per nation."
            " *Ruling:* option `attack_limit` = `turn` (the meaning of a record without it and what"
            " founding proposes): a turn, whatever becomes of them (in a thread a slot is one"
            ' announcement); or `running` (the source: "running simultaneously"): at once, only'
            " attacks that are unresolved now count, so that a nation whose attack has ended may"
            " launch another while its slot is open. 7.3 to 7.6 hold either way."
        ),
        (
            "- 9.7 After the attacker's victory over a fortified province, a siege: d100; failure"
            " on 1-30 (ramparts), 1-50 (walls), 1-70 (great walls), each less 20 with a siege"
            " train. Failure: the province stays; battle effects stand."
        ),
        "## 5 Random events (turns 2, 4, 6)",
        (
            "Final scoring at the close of turn 6, for every nation with what is left to it"
            " (*ruling:* fallen or not; the source gives the points for levels and barracks without"
            " a condition): + stability, + prestige, + fortification levels, + barracks, + fleets."
            " Most victory points win; equal: the greater income; equal again: winners ex aequo."
        ),
    ],
    "it": [
        "# 420 AD Grand Campaign: il regolamento numerato",
        (
            "- 2.7 Prestigio 11 o più: gli attacchi indipendenti contro quella nazione costano 1"
            " azione anziché 1/2."
        ),
        (
            "- 3.3 Opere / Infrastrutture urbane, una volta ciascuna, in quest'ordine:"
            " Ginnasi/Casali `gymnasia`/`hamlets` 1/2 azione, prestigio +1; Teatri/Villaggi"
            " `theatres`/`villages` 1, +2; Terme/Oppida `baths`/`oppida` 1, +2; Accademie/Borghi"
            " `academies`/`boroughs` 1 1/2, +3 e 1 PV; Palazzo reale/Città `royal-palace`/`towns`"
            " 2, +4 e 2 PV."
        ),
        (
            "- 3.5 Strutture commerciali, in quest’ordine, ciascuna per 1 azione e +100t di"
            " reddito: Ponti `bridges`, Strade `roads`, Mercati `markets`, Quartieri mercantili"
            " `merchants-quarters`."
        ),
        "- 3.8 Caserma `barracks` 2 azioni, una volta sola; 1 PV alla fine; permette le leve.",
        "## 5 Eventi casuali (giri 2, 4, 6)",
    ],
}


@pytest.mark.parametrize("tongue", USUAL)
def test_the_usual_numbers_read_as_they_were_written(tongue: str) -> None:
    with use_language(tongue):
        text = TITLE.rules_text()
        assert text == TITLE.rules_of(load("420ad"))
    for line in USUAL[tongue]:
        assert line in text.splitlines()
    assert not set("{}\ue000\ue001\ue002\ue003") & set(text)


@pytest.mark.parametrize("tongue", ["en", "it"])
def test_with_every_number_changed_no_place_keeps_its_usual_one(tongue: str) -> None:
    usual, own = (
        rulebook.usual_edition(),
        rulebook.Edition(other_rules.scenario(), other_rules.scenario().first_rules),
    )
    with use_language(tongue):
        text = text_of_file(rulebook.FOLDER, "RULES")
        for match in rulebook.PLACE.finditer(text):
            before, after = (
                rulebook.Rendering((usual, terms))._place(match) for terms in (usual, own)
            )
            assert strip_marks(before) == before
            assert SIGNS.sub(r"\2", after) != before, match[0]
            assert DIFFERS in after or match[1] in rulebook.NAMES, match[0]


def test_every_number_of_the_rules_has_a_place_in_the_text() -> None:
    """Changing a single number changes the text."""
    usual, raw = rulebook.usual_text(), load("420ad").raw
    other = other_rules.rules()
    changes: list[dict[str, Any]] = []
    for key, value in table("rules").items():
        if isinstance(value, dict):
            changes += [{key: {inner: other[key][inner]}} for inner in value]
        elif key not in ("die", "cards", "events"):  # these three belong together
            changes.append({key: other[key]})
    changes.append({key: other[key] for key in ("die", "cards", "events")})
    for change in changes:
        scenario = check_scenario(read(json.dumps(raw | {"rules": change}, default=float)))
        assert SIGNS.sub(r"\2", TITLE.rules_of(scenario)) != usual, change


def test_the_source_text_contains_no_number_of_the_rules() -> None:
    """Only numbers of paragraphs and numbers that no scenario changes remain in RULES.md."""
    text = text_of_file(rulebook.FOLDER, "RULES")
    bare = re.sub(r"\{[^}]*\}", "", text)
    for number in (
        "1600",
        "1720",
        "1480",
        "450",
        "45%",
        "40%",
        "15%",
        "50t",
        "25t",
        "100t",
        "d100",
        " 1/2",
        "+30",
        "-30",
        "+50",
    ):
        assert number not in bare, number


def test_changed_numbers_are_marked_with_the_usual_ones() -> None:
    scenario = other_rules.scenario()
    assert rendered(scenario, "1.2").startswith("- 1.2 The campaign has [7 turns].")
    assert (
        "(a) cards: [two] d[240] for each nation in order of play; (b) [on turns 1 and 3], random"
        in rendered(scenario, "1.3")
    )
    assert rendered(scenario, "2.8", notes=True).startswith(
        "- 2.8 Army: [+33|default: +30] a victory up to [1723|default: 1720]; [-27|default: -30] a"
        " defeat down to [1483|default: 1480] (where"
    )
    assert "`ramparts` [1], `walls` [1 1/2], `great-walls` [2]. They" in rendered(scenario, "3.7")
    assert (
        "At most [3 land or amphibious attacks] and [2 independent attacks] per nation"
        in rendered(scenario, "7.2")
    )
    escort = rendered(scenario, "7.8")
    assert (
        "only Galli (the nations with `escort` in the data) defending against an army that is not"
        " of their hosts" in escort
    )
    assert "of their hosts: d6, on [3-6] the battle is an escort baggage train" in escort
    assert (
        "the defender and the fallen included (240 BC: nine crowns: “Galli 240 BC”). The escort"
        " roll" in escort
    )
    assert (
        "failure on [1-33] (ramparts), [1-53] (walls), [1-73] (great walls), each less [23] with"
        in rendered(scenario, "9.7")
    )
    assert (
        rendered(scenario, "5", "it", notes=True)
        == "## 5 Eventi casuali ([giri 1, 3|di regola: giri 2, 4, 6])"
    )
    assert (
        "These nations have other starting values: Senatus Populusque Rōmānus (income 777, and"
        " more on its sheet)." in TITLE.rules_of(scenario)
    )


def test_rows_of_a_scenario_read_like_the_shipped_rows() -> None:
    """Two fortifications and two religious buildings with other names replace three and four."""
    scenario = check_scenario(read(json.dumps(nine.make_scenario())))
    assert TITLE.rules_of(scenario).startswith("# 240 BC: nine crowns: the rules, numbered\n")
    assert (
        rendered(scenario, "3.4")
        == "- 3.4 Religious Buildings, in order: `groves` 1/2, stability +1; `oracles` 1, +2 and"
        " [1] VP."
    )
    assert "`palisades` 1/2, `citadels` 1. They cannot" in rendered(scenario, "3.7")
    assert (
        "(*ruling:* Citadels counts with the levels below it, Palisades, so it is worth 2)"
        in rendered(scenario, "3.7")
    )
    assert "failure on [1-6] (palisades), [1-12] (citadels), each less" in rendered(scenario, "9.7")
    assert "Map, armies, colours, borders: of the scenario 240 BC: nine crowns." in rendered(
        scenario, "1.1"
    )
    assert r"Qart-ḥadašt \<em\>" in rendered(scenario, "1.1")


def test_an_amended_number_says_since_when_it_is_in_force() -> None:
    position = TITLE.setup(load("420ad"), TITLE.options({}))
    amend = {
        "by": "gm",
        "move": "amend",
        "rules": {"army": {"mercenaries": 30}},
        "reason": "Mercenaries outdid every levy.",
    }
    perform(position, TITLE.decode(amend, position), Dice(6, seed="9" * 64))
    again = {**amend, "rules": {"army": {"mercenaries": 35, "levy": 45}}}
    position.phase, position.turn = "closed", 3
    perform(position, TITLE.decode(again, position), Dice(6, seed="9" * 64))
    scenario = TITLE.scenario_now(position)
    assert "+[35|default: 20; as of turn 4], not past 1600" in rendered(
        scenario, "4.14", notes=True
    )
    assert "+[45|default: 40; as of turn 4], *ruling:*" in rendered(scenario, "3.11", notes=True)
    assert TITLE.rules_of(scenario).count(AMENDED) == 2
    assert scenario.as_of(3).rules.army["mercenaries"] == 30
    assert (
        words.card_text(scenario.rules, "mercenaries") == "A depleted army gains 35 points for 25t."
    )
    assert position.scenario.rules.army["mercenaries"] == 20


def test_card_texts_contain_their_numbers() -> None:
    rules = other_rules.scenario().rules
    assert {
        key: words.card_text(rules, key)
        for key in ("chancellor", "diplomat", "local-insurrection", "mercenaries")
    } == {
        "chancellor": "1½ actions more this turn.",
        "diplomat": (
            "Wins an independent province, +53t, or a truce for 5 turns, including this one."
        ),
        "local-insurrection": (
            "Insurgents with 1603 points rise in a border province of another nation; you lead"
            " them."
        ),
        "mercenaries": "A depleted army gains 23 points for 28t.",
    }
    assert words.card_text(rules, "naval-technology") == "+23 to your roll in an encounter at sea."
    assert words.card_text(rules, "reinforcements") == "+53 points to your army for one battle."
    assert words.card_text(rules, "traitor").endswith("without fighting, +53t.")
    usual = load("420ad").rules
    assert (
        words.card_text(usual, "diplomat")
        == "Wins an independent province, +50t, or a truce to the end of the next turn."
    )
