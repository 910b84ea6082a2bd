"""The Italian texts: literal sentences, shipped names and user-chosen names.

Nothing that is hashed depends on the language.
"""

from __future__ import annotations

import copy

import pytest

from engine import strict_json
from engine.dice import Dice
from engine.errors import IllegalMove
from engine.language import Name, use_language
from engine.play import play
from games.grand_campaign.rules.scenario import load, read_scenario
from games.grand_campaign.text import words
from games.grand_campaign.text.report import Reports
from tests.forum.rendered import render_plain_text
from tests.grand_campaign.campaigns import TITLE, campaign

SCENARIO = load("420ad")


def test_a_name_takes_the_form_its_sentence_asks_for():
    with use_language("it"):
        huns, typed = Name.parse("gli Unni"), Name("Goten")
        assert (
            f"{huns}, {huns:il}, {huns:Di}, {huns:a}, {huns:da}"
            == "Unni, gli Unni, Degli Unni, agli Unni, dagli Unni"
        )
        assert f"{typed} {typed:il} {typed:di}" == "Goten Goten di Goten"
    assert f"{Name.parse('gli Unni')}" == "gli Unni"


def test_the_shipped_drawing_has_the_grammatical_forms_of_its_nations():
    for scenario in (SCENARIO, load("240bc")):
        known = {(key, nation.name) for key, nation in scenario.nations.items()}
        assert known <= set(words.shipped_forms())
    with use_language("it"):
        assert [f"{words.nation_name(load('240bc'), key):il}" for key in load("240bc").order] == [
            "la Battriana",
            "Cartagine",
            "l’Egitto tolemaico",
            "l’Epiro",
            "i Galati",
            "la Macedonia",
            "i Maurya",
            "Roma",
            "i Seleucidi",
        ]
        assert [f"{words.nation_name(SCENARIO, key):il}" for key in SCENARIO.order] == [
            "gli Eftaliti",
            "gli Unni",
            "i Kushana",
            "i Romani",
            "i Sasanidi",
            "i Vandali",
        ]


@pytest.mark.parametrize(
    ("move", "line"),
    [
        ({"move": "build", "structure": "merchants-quarters"}, "costruiscono Quartieri mercantili"),
        (
            {
                "move": "attack",
                "kind": "land",
                "from": "pannonia",
                "target": "dalmatia",
                "siege_train": True,
                "cards": ["scouts"],
            },
            (
                "attaccano Dalmatia da Pannonia (attacco terrestre, battaglia campale, con un parco"
                " d’assedio, Esploratori)"
            ),
        ),
        (
            {"move": "play", "card": "diplomat", "truce": "huns"},
            "giocano Diplomatico: una tregua con gli Unni",
        ),
        (
            {
                "move": "adjust",
                "nation": "huns",
                "account": "actions",
                "change": -0.5,
                "reason": "post 12",
            },
            "rettifica il valore «azioni» degli Unni di −½: «post 12»",
        ),
        (
            {"move": "set-owner", "province": "sicilia", "owner": "vandals", "reason": "x"},
            "dà Sicilia ai Vandali: «x»",
        ),
        (
            {"move": "set-owner", "province": "sicilia", "owner": None, "reason": "x"},
            "dà Sicilia a nessuno: «x»",
        ),
        (
            {"move": "forfeit", "attack": 3, "side": "defender"},
            "assegna a tavolino #3: sconfitta per il difensore",
        ),
    ],
)
def test_a_line_of_the_log(move, line):
    with use_language("it"):
        assert words.move_line(SCENARIO, {"by": "romans", **move}) == line


def test_a_refusal_names_its_rule():
    position = TITLE.setup(SCENARIO, TITLE.options({}))
    move = TITLE.decode({"by": "huns", "move": "end-slot"}, position)
    with pytest.raises(IllegalMove) as refused:
        play(position, move, Dice(6, seed="Alaric"))
    assert refused.value.rule == "1.3"
    with use_language("it"):
        assert (
            words.refusal(SCENARIO, refused.value)
            == "La campagna non è ancora cominciata. La fa cominciare l’arbitro."
        )
        dear = IllegalMove("not-enough-actions", "3.8", cost=3, have=1)
        assert words.refusal(SCENARIO, dear) == "Costa 1 azione e ½, ma hai solo ½."


def test_names_chosen_by_users_stay_as_typed():
    raw = copy.deepcopy(SCENARIO.raw)
    next(nation for nation in raw["nations"] if nation["key"] == "huns")["name"] = "Hunnen"
    typed = read_scenario(raw)
    taken = IllegalMove("not-your-slot", "1.3", nation="huns", slot="vandals")
    with use_language("it"):
        assert words.nation_name(typed, "huns") == "Hunnen"
        assert words.refusal(typed, taken) == "Non è il turno di Hunnen; giocano i Vandali."
        assert [seat.name for seat in TITLE.seats(typed, None)][:3] == [
            "Eftaliti",
            "Hunnen",
            "Kushana",
        ]


@pytest.mark.thorough
def test_the_report_of_a_turn():
    played = campaign("Attila", hands="open")
    with use_language("it"):
        report = Reports().report(
            played.scenario, played.start, played.lines, "turn-3", "Frontiera", {"kushans": "Ada"}
        )
        assert report is not None
        text = render_plain_text(report)
    assert report.title == "Frontiera, giro 3 di 6"
    assert report.untold == ()
    assert "Sfide e battaglie\n-----------------\n" in text
    assert (
        "Kushana contro Romani: attacco coperto, Colpo alla testa; Roman 379-424 AD, 1600"
        " punti, contro Roman 425-492 AD, 1630 punti.\n\n- I Romani accettano #14 Dalmatia.\n"
        in text
    )
    assert (
        " giocano Diplomatico: una tregua con gli Unni: fino al termine del giro 4 (§4.8).\n"
        in text
    )


def test_nothing_that_is_hashed_knows_a_language():
    def digests() -> list[str]:
        position = TITLE.setup(SCENARIO, TITLE.options({"hands": "hidden"}))
        played = play(
            position, TITLE.decode({"by": "gm", "move": "start"}, position), Dice(6, seed="Alaric")
        )
        after = played.after
        shown = [effect.to_json() for effect in played.effects]
        return [
            strict_json.digest(value)
            for value in (TITLE.state(after), TITLE.view(after, "huns"), shown, SCENARIO.raw)
        ] + [strict_json.digest(repr(TITLE.rows(after)))]

    english = digests()
    with use_language("it"):
        assert digests() == english
