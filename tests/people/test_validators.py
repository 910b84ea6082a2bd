"""Valid names, and characters that no text may contain."""

import pytest
from django.core.exceptions import ValidationError

from people.validators import fold, name, plain, zone, zones


@pytest.mark.parametrize(
    "text", ["Ingrid", "Marozia d'Este", "Jean-Luc 2", "O.W.", "Élodie", "देविका", "李_白"]
)
def test_a_name_may_be(text: str) -> None:
    name(text)


@pytest.mark.parametrize(
    "text",
    [
        "a@b.example",
        "two  spaces",
        " Ingrid",
        "Ingrid ",
        "In\x00grid",
        "In\tgrid",
        "In\ngrid",
        "\ud800",
        "...",
        "",
        "<b>",
        "a\u202eb",
        "a\u200bb",
        "a\ufe0f",
    ],
)
def test_a_name_may_not_be(text: str) -> None:
    with pytest.raises(ValidationError):
        name(text)


@pytest.mark.parametrize("text", ["\x00", "a\x07b", "\x7f", "\x9f", "\ud800", "\u202e"])
def test_no_text_holds_what_cannot_be_shown(text: str) -> None:
    with pytest.raises(ValidationError):
        plain(text)


def test_line_ends_and_every_alphabet_are_text() -> None:
    plain("One line\r\n\tand another: ½ − § देविका 李 🎲")


def test_one_name_in_two_spellings() -> None:
    assert fold("ÉLODIE") == fold("élodie") == fold("e\u0301lodie")
    assert fold("Straße") == fold("STRASSE")
    assert fold("Ingrid") != fold("Ingrit")


def test_zones_are_places() -> None:
    zone("Europe/Rome")
    assert zones()[0] == "UTC"
    for text in ("Rome", "Etc/GMT+1", "", "../../etc/passwd"):
        with pytest.raises(ValidationError):
            zone(text)
