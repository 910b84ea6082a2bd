"""The conversion of sent forms to moves in record form, and the fields of a form."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest
from django.http import QueryDict

from engine.errors import IllegalMove
from games.contract.move_words import MoveWords
from games.contract.title import Field, Offer
from games.kit.move_words import move_words
from games.registry import TITLES
from web.moves import forms

TITLE = TITLES["grand_campaign"]
SCENARIO = TITLE.scenario(TITLE.scenarios()["420ad"])
POSITION = TITLE.setup(SCENARIO, TITLE.options({}))
LISTS: dict[str, Any] = {
    "from": ["asia", "thracia"],
    "battle": ("open", "flank-march"),
    "siege_train": (False, True),
    "cards": [[], ["scouts"], ["ambush"], ["scouts", "ambush"]],
    "stones": (1, 2, 3),
    "owner": ["huns", None],
    "routed": ({"attacker": 1, "defender": 2},),
    "change": (1, -1),
}


def offer(*fields: Field, **given: Any) -> Offer:
    def allowed(key: str, chosen: Any) -> Any:
        if key == "target":
            return {"asia": ["bithynia"], "thracia": ["dacia", "moesia"]}[chosen["from"]]
        return LISTS.get(key)

    return Offer("an-attack", "attack", "military", "huns", "huns", given, fields, 2, None, allowed)


ATTACK = offer(
    Field("from", "province"),
    Field("target", "province", depends=("from",)),
    Field("battle", "choice", True, "open"),
    Field("siege_train", "flag", True, False),
    Field("cards", "cards", True, []),
    kind="land",
)


@pytest.fixture
def words() -> MoveWords:
    return move_words(TITLE, SCENARIO, POSITION)


def read(one: Offer | None, query: str) -> dict[str, Any]:
    return forms.read(one, QueryDict(query))


def test_a_whole_form() -> None:
    got = read(
        ATTACK,
        "kind=land&from=asia&target=bithynia&battle=open&siege_train=true&cards=scouts&cards=ambush",
    )
    assert got == {
        "kind": "land",
        "from": "asia",
        "target": "bithynia",
        "siege_train": True,
        "cards": ["scouts", "ambush"],
    }


def test_empty_fields_are_left_out() -> None:
    assert read(ATTACK, "from=asia&target=") == {"kind": "land", "from": "asia"}
    assert forms.missing(ATTACK, {"from": "asia"}) == ATTACK.fields[1]


@pytest.mark.parametrize(
    ("typed", "number"),
    [
        ("25", 25),
        ("-25", -25),
        ("−25", -25),
        ("+3", 3),
        ("1.5", Decimal("1.5")),
        ("46,5", Decimal("46.5")),
        ("many", "many"),
        ("9" * 40, "9" * 40),
        ("NaN", "NaN"),
        ("1e9", "1e9"),
        ("٣", "٣"),
    ],
)
def test_numbers_as_typed(typed: str, number: Any) -> None:
    assert forms.number(typed) == number
    assert type(forms.number(typed)) is type(number)


def test_shares_are_nested() -> None:
    one = offer(Field("routed", "shares"), attack=3)
    assert read(one, "attack=3&routed.attacker=31&routed.defender=46,5") == {
        "attack": 3,
        "routed": {"attacker": 31, "defender": Decimal("46.5")},
    }
    assert read(one, "attack=3&routed.attacker=&routed.defender=") == {"attack": 3}


def test_empty_choices_and_numbers_of_a_list() -> None:
    assert read(offer(Field("owner", "nation")), "owner=!nobody") == {"owner": None}
    assert read(offer(Field("stones")), "stones=3") == {"stones": 3}


def test_the_values_of_the_form_count() -> None:
    """A second click means what the first meant.

    The offer has gone on to the next structure.
    """
    one = offer(structure="temples")
    assert read(one, "structure=shrines") == {"structure": "shrines"}
    assert read(one, "") == {"structure": "temples"}


def test_a_form_is_understood_without_its_offer() -> None:
    query = "shape=from:province+siege_train:flag+cards:cards+attack:number&from=asia&siege_train=true&cards=scouts&attack=4"  # noqa: E501
    assert read(None, query) == {
        "from": "asia",
        "siege_train": True,
        "cards": ["scouts"],
        "attack": 4,
    }


def test_choices_are_completed_and_wrong_ones_are_replaced() -> None:
    assert forms.complete(ATTACK, {}) == {"from": "asia", "target": "bithynia"}
    assert forms.complete(ATTACK, {"from": "thracia", "target": "bithynia"}) == {
        "from": "thracia",
        "target": "dacia",
    }
    assert forms.complete(ATTACK, {"cards": ["scouts", "spy"]})["cards"] == ["scouts"]


def test_the_form_of_an_offer(words: MoveWords) -> None:
    chosen = {"from": "thracia", "target": "moesia", "cards": ["scouts"]}
    form = forms.OfferForm(words, ATTACK, chosen)
    assert [choice.value for choice in form.choices("target")] == ["dacia", "moesia"]
    assert form["target"].value() == "moesia"
    assert form.choices("battle") == [("open", "open battle"), ("flank-march", "flank march")]
    assert form["battle"].value() == "open"
    assert [choice.value for choice in form.choices("cards")] == ["scouts", "ambush"]
    assert form["cards"].value() == ["scouts"]
    refused = forms.OfferForm(words, ATTACK, {"from": "asia"})
    refused.refuse(forms.FormRefusal("No.", "7.1", "target"))
    assert refused["target"].errors == ["No."]


def test_a_refusal_is_put_beside_its_field() -> None:
    arguments = {"from": "asia", "target": "bithynia"}
    assert (
        forms.where_wrong(ATTACK, arguments, IllegalMove("no-fleet", "7.1", province="asia"))
        == "from"
    )
    assert forms.where_wrong(ATTACK, arguments, IllegalMove("truce", "4.8", nation="huns")) == ""
    correction = offer(Field("change", "number"), Field("reason", "text"))
    assert (
        forms.where_wrong(correction, {"change": 1}, IllegalMove("bad-argument", "", "no-reason"))
        == "reason"
    )
