"""The forms of names in sentences, in each language."""

from __future__ import annotations

from typing import Any

import pytest
from django.urls import reverse

from engine.language import LANGUAGES, Name, join_with, use_language
from games.grand_campaign.rules.scenario import load
from games.grand_campaign.text import words


@pytest.mark.parametrize(
    ("language", "written", "forms", "read"),
    [
        (
            "de",
            "die Römer",
            ("", "der", "den", "dem", "des", "von", "zu"),
            "Römer, die Römer, die Römer, den Römern, der Römer, von den Römern, zu den Römern",
        ),
        ("de", "die Hunnen", ("dem", "Des"), "den Hunnen, Der Hunnen"),
        ("de", "die Kuschana", ("dem", "des"), "den Kuschana, der Kuschana"),
        (
            "de",
            "das Ptolemäerreich",
            ("Der", "dem", "des", "von"),
            "Das Ptolemäerreich, dem Ptolemäerreich, des Ptolemäerreichs, vom Ptolemäerreich",
        ),
        (
            "de",
            "der Osten",
            ("der", "den", "des", "zu"),
            "der Osten, den Osten, des Ostens, zum Osten",
        ),
        (
            "de",
            "die (f) Spielleitung",
            ("", "der", "den", "dem", "Von", "zu"),
            (
                "Spielleitung, die Spielleitung, die Spielleitung, der Spielleitung, Von der"
                " Spielleitung, zur Spielleitung"
            ),
        ),
        (
            "de",
            "Karthago",
            ("der", "dem", "des", "Von"),
            "Karthago, Karthago, von Karthago, Von Karthago",
        ),
        (
            "es",
            "los Hunos",
            ("", "El", "de", "a", "con"),
            "Hunos, Los Hunos, de los Hunos, a los Hunos, con los Hunos",
        ),
        ("es", "el Este", ("el", "de", "A", "por"), "el Este, del Este, Al Este, por el Este"),
        ("es", "Roma", ("el", "de", "a"), "Roma, de Roma, a Roma"),
    ],
)
def test_forms(language: str, written: str, forms: tuple[str, ...], read: str) -> None:
    with use_language(language):
        name = Name.parse(written)
        assert ", ".join(format(name, form) for form in forms) == read


@pytest.mark.parametrize(
    ("typed", "row", "text", "read"),
    [
        (
            "Huns",
            {"de": {"article": "die", "name": "Hunnen"}},
            "{name:Der} {name:greifen|greift} an",
            "Die Hunnen greifen an",
        ),
        (
            "Rome",
            {"spoken": "state", "de": {"name": "Rom"}},
            "{name:Der} {name:greifen|greift} an",
            "Rom greift an",
        ),
        (
            "League",
            {"spoken": "state", "de": {"article": "die", "name": "Liga"}},
            "{name:greifen|greift} {name:den} an, mit {name:dem}",
            "greift die Liga an, mit der Liga",
        ),
        ("Goths", {}, "mit {name:dem}", "mit Goths"),
    ],
)
def test_a_name_of_a_drawing_in_german(
    typed: str, row: dict[str, Any], text: str, read: str
) -> None:
    with use_language("de"):
        assert text.format(name=Name.with_forms(typed, row)) == read


def test_a_people_is_in_lower_case_after_its_spanish_article() -> None:
    row = {"spoken": "people", "es": {"article": "los", "name": "Hunos"}}
    with use_language("es"):
        huns = Name.with_forms("Huns", row)
        assert f"{huns}, {huns:El}, {huns:de}, {huns:por}" == (
            "Hunos, Los hunos, de los hunos, por los hunos"
        )


@pytest.mark.parametrize("language", LANGUAGES[1:])
def test_each_shipped_nation_has_a_name_in_each_language(language: str) -> None:
    assert [key for key, forms in words.shipped_forms().items() if language not in forms] == []
    with use_language(language):
        assert len({str(words.nation_name(load("240bc"), key)) for key in load("240bc").order}) == 9


@pytest.mark.parametrize(
    ("language", "word", "names", "read"),
    [
        ("es", " y ", ["Galia", "Hispania"], "Galia e Hispania"),
        (
            "es",
            " y ",
            ["Roma", "Italia", "Iberia", "Hierápolis"],
            "Roma e Italia e Iberia y Hierápolis",
        ),
        ("es", " o ", ["Syria", "Oxiana"], "Syria u Oxiana"),
        ("it", " e ", ["Gallia", "Italia"], "Gallia e Italia"),
        ("en", " and ", [], ""),
    ],
)
def test_a_word_between_names(language: str, word: str, names: list[str], read: str) -> None:
    with use_language(language):
        assert join_with(word, names) == read


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_picture_of_a_report_has_an_address_in_each_language(language: str) -> None:
    assert (
        reverse("map_picture_at", args=["1-table", 3, language])
        == f"/c/1-table/map/3.{language}.png"
    )
