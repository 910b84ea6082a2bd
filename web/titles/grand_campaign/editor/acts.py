"""A converter of the editor's forms to acts on a draft; see `WithScenarioEditor.edited`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from games.grand_campaign.drawing.editing import LEVELS
from games.grand_campaign.rules.numbers import CARDS, Fault, default_rules
from games.grand_campaign.rules.scenario import START
from games.grand_campaign.text import words
from web.titles.grand_campaign.record import Bundle, ScenarioRecord, StructureRow

Act = dict[str, object]
"""An act on a draft: its kind under `act`, and its facts."""
FormValues = Mapping[str, str]
"""The fields of a form."""

PROVINCE_FIELDS = ("province", "name", "seat", "army", "owner")
NATION_FIELDS = (
    "nation",
    "name",
    "adjective",
    "spoken",
    "colour",
    "pattern",
    "culture",
    "capital",
    "army",
)
OTHER_FIELDS = ("province", "works", "nation", "name")


def act_of(bundle: Bundle, form_values: FormValues) -> Act:
    """Return the act of a form.

    Raises:
        MalformedRecord: A field is wrong; `where` names it.
    """
    kind = form_values.get("act", "")
    read = READERS.get(kind, other_act)
    return {"act": kind, **read(bundle["scenario"], form_values)}


def typed_fields(form_values: FormValues, names: Sequence[str]) -> Act:
    """Return the fields with these names that the form has."""
    return {name: form_values[name] for name in names if name in form_values}


def painted_provinces(scenario: ScenarioRecord, form_values: FormValues) -> Act:
    """Return the painted provinces, and the owner or army with which they were painted."""
    kind = form_values["act"]
    return {"provinces": form_values.get("provinces", "").split(), kind: form_values.get(kind, "")}


def province_act(scenario: ScenarioRecord, form_values: FormValues) -> Act:
    """Return the changes of a province.

    The field `stands` means that the form has its fortification and fleet.
    """
    facts = typed_fields(form_values, PROVINCE_FIELDS)
    if "stands" in form_values or "fortification" in form_values:
        facts["fortification"] = form_values.get("fortification") or None
    if "stands" in form_values or "fleet" in form_values:
        facts["fleet"] = bool(form_values.get("fleet"))
    return facts | other_names(form_values)


def other_names(form_values: FormValues) -> Act:
    """Return the typed other names of a province or nation, if the form has them."""
    if "other_names" not in form_values:
        return {}
    typed = form_values["other_names"].replace("\n", ",").split(",")
    return {"other_names": [name.strip() for name in typed if name.strip()]}


def pair_act(scenario: ScenarioRecord, form_values: FormValues) -> Act:
    """Return the change between two provinces; without `there` the present state is reversed."""
    there = {"there": form_values["there"] == "1"} if "there" in form_values else {}
    return {"a": form_values.get("a", ""), "b": form_values.get("b", ""), **there}


def scenario_act(scenario: ScenarioRecord, form_values: FormValues) -> Act:
    """Return the changes of the scenario."""
    facts = typed_fields(form_values, ("name", "key"))
    if "turns" in form_values:
        facts["turns"] = whole_number("turns", form_values["turns"])
    if "begins" in form_values:
        facts["start"] = {
            level: whole_number(level, form_values.get(f"start_{level}") or str(START[level]))
            for level in LEVELS
        }
    return facts


def nation_act(scenario: ScenarioRecord, form_values: FormValues) -> Act:
    """Return the changes of a nation.

    The fields `words` and `begins` mean that the form has the parts with the name and the start.
    """
    facts = typed_fields(form_values, NATION_FIELDS)
    if "words" in form_values:
        facts["article"] = bool(form_values.get("article"))
        facts["italian"] = {
            name: form_values.get(f"it_{name}", "") for name in ("name", "article", "gender")
        }
    if "begins" in form_values:
        facts["escort"] = bool(form_values.get("escort"))
        facts["start"] = nation_start(
            scenario, culture_of(scenario, form_values.get("nation")), form_values
        )
    return facts | other_names(form_values)


def other_act(scenario: ScenarioRecord, form_values: FormValues) -> Act:
    """Return the facts of every other act."""
    return typed_fields(form_values, OTHER_FIELDS)


READERS: Mapping[str, Callable[[ScenarioRecord, FormValues], Act]] = {
    "owner": painted_provinces,
    "army": painted_provinces,
    "province": province_act,
    "border": pair_act,
    "route": pair_act,
    "merge": pair_act,
    "nation": nation_act,
    "scenario": scenario_act,
}


def culture_of(scenario: ScenarioRecord, nation: str | None) -> str:
    """Return the culture of a nation; that of an unknown nation does not matter."""
    for row in scenario["nations"]:
        if row["key"] == nation:
            return row["culture"]
    return "civilized"


def nation_start(scenario: ScenarioRecord, culture: str, form_values: FormValues) -> Act:
    """Return the starting values of a nation.

    An empty level is that of every nation. Each track is built up to the chosen structure.
    """
    start: Act = {
        level: whole_number(level, form_values[f"start_{level}"])
        for level in LEVELS
        if form_values.get(f"start_{level}", "").strip()
    }
    start["structures"] = [
        structure
        for track, structures in tracks_of(scenario, culture).items()
        if form_values.get(track) in structures
        for structure in structures[: structures.index(form_values[track]) + 1]
    ]
    start["barracks"] = bool(form_values.get("barracks"))
    if form_values.get("siege_trains", "").strip():
        start["siege_trains"] = whole_number("siege_trains", form_values["siege_trains"])
    start["hand"] = hand_of(form_values.get("hand", ""))
    return start


def hand_of(typed_text: str) -> list[str]:
    """Return the cards from their typed names, which are separated by commas.

    Raises:
        Fault: There is no such card.
    """
    cards = {words.card_name(card).casefold(): card for card in CARDS}
    names = [name.strip().casefold() for name in typed_text.split(",") if name.strip()]
    if not cards.keys() >= set(names):
        raise Fault("hand", "not-known", known=sorted(words.card_name(card) for card in CARDS))
    return [cards[name] for name in names]


def tracks_of(scenario: ScenarioRecord, culture: str) -> dict[str, list[str]]:
    """Return the structures of each track by the rules of the scenario, in order."""
    rules, usual = scenario.get("rules", {}), default_rules().raw
    architecture = {**usual["architecture"], **rules.get("architecture", {})}
    return {
        "architecture": keys_of(architecture[culture]),
        "religious": keys_of(rules.get("religious", usual["religious"])),
        "commercial": keys_of(rules.get("commercial", usual["commercial"])),
    }


def keys_of(rows: Sequence[StructureRow]) -> list[str]:
    """Return the keys of structures or fortifications."""
    return [str(row[0]) for row in rows]


def whole_number(where: str, text: str) -> int:
    """Return the typed number.

    Raises:
        Fault: The text is not a number.
    """
    try:
        return int(text.strip())
    except ValueError:
        raise Fault(where, "a-number") from None
