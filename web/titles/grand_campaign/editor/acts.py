"""Forms of the editor as acts on a draft (`games.contract.title.Editable.edited`)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from games.grand_campaign.drawing.editing import LEVELS
from games.grand_campaign.rules.numbers import CARDS, Fault, default_rules
from games.grand_campaign.rules.scenario import START
from games.grand_campaign.text import words
from web.titles.grand_campaign.record import Bundle, ScenarioRecord, StructureRow

Act = dict[str, object]
"""An act on a draft: its kind under `act`, and its facts."""
Typed = Mapping[str, str]
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


def act_of(bundle: Bundle, typed: Typed) -> Act:
    """Return the act that a form means.

    Raises:
        MalformedRecord: A field is wrong; `where` names it.
    """
    kind = typed.get("act", "")
    read = READERS.get(kind, other_act)
    return {"act": kind, **read(bundle["scenario"], typed)}


def typed_fields(typed: Typed, names: Sequence[str]) -> Act:
    """Return those of the fields that the form has."""
    return {name: typed[name] for name in names if name in typed}


def painted_provinces(scenario: ScenarioRecord, typed: Typed) -> Act:
    """Return the provinces that were painted, and with what."""
    kind = typed["act"]
    return {"provinces": typed.get("provinces", "").split(), kind: typed.get(kind, "")}


def province_act(scenario: ScenarioRecord, typed: Typed) -> Act:
    """Return what changes about a province; `stands` says that the form has its buildings."""
    facts = typed_fields(typed, PROVINCE_FIELDS)
    if "stands" in typed or "fortification" in typed:
        facts["fortification"] = typed.get("fortification") or None
    if "stands" in typed or "fleet" in typed:
        facts["fleet"] = bool(typed.get("fleet"))
    return facts


def pair_act(scenario: ScenarioRecord, typed: Typed) -> Act:
    """Return what changes between two provinces; without `there` it is the other way round then."""
    there = {"there": typed["there"] == "1"} if "there" in typed else {}
    return {"a": typed.get("a", ""), "b": typed.get("b", ""), **there}


def scenario_act(scenario: ScenarioRecord, typed: Typed) -> Act:
    """Return what changes about the scenario."""
    facts = typed_fields(typed, ("name", "key"))
    if "turns" in typed:
        facts["turns"] = whole_number("turns", typed["turns"])
    if "begins" in typed:
        facts["start"] = {
            level: whole_number(level, typed.get(f"start_{level}") or str(START[level]))
            for level in LEVELS
        }
    return facts


def nation_act(scenario: ScenarioRecord, typed: Typed) -> Act:
    """Return what changes about a nation; `words` and `begins` say which parts the form has."""
    facts = typed_fields(typed, NATION_FIELDS)
    if "words" in typed:
        facts["article"] = bool(typed.get("article"))
        facts["italian"] = {
            name: typed.get(f"it_{name}", "") for name in ("name", "article", "gender")
        }
    if "begins" in typed:
        facts["escort"] = bool(typed.get("escort"))
        facts["start"] = nation_start(scenario, culture_of(scenario, typed.get("nation")), typed)
    return facts


def other_act(scenario: ScenarioRecord, typed: Typed) -> Act:
    """Return the facts of every other act."""
    return typed_fields(typed, OTHER_FIELDS)


READERS: Mapping[str, Callable[[ScenarioRecord, Typed], Act]] = {
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
    """Return the culture of a nation; that of an unknown one does not matter."""
    for row in scenario["nations"]:
        if row["key"] == nation:
            return row["culture"]
    return "civilized"


def nation_start(scenario: ScenarioRecord, culture: str, typed: Typed) -> Act:
    """Return what a nation begins with.

    A level that is left empty is that of every nation. Of a track everything is built up to the
    structure that was chosen.
    """
    start: Act = {
        level: whole_number(level, typed[f"start_{level}"])
        for level in LEVELS
        if typed.get(f"start_{level}", "").strip()
    }
    start["structures"] = [
        structure
        for track, structures in tracks_of(scenario, culture).items()
        if typed.get(track) in structures
        for structure in structures[: structures.index(typed[track]) + 1]
    ]
    start["barracks"] = bool(typed.get("barracks"))
    if typed.get("siege_trains", "").strip():
        start["siege_trains"] = whole_number("siege_trains", typed["siege_trains"])
    start["hand"] = hand_of(typed.get("hand", ""))
    return start


def hand_of(typed: str) -> list[str]:
    """Return the cards that were typed by their names, with commas between them.

    Raises:
        Fault: There is no such card.
    """
    cards = {words.card_name(card).casefold(): card for card in CARDS}
    names = [name.strip().casefold() for name in typed.split(",") if name.strip()]
    if not cards.keys() >= set(names):
        raise Fault("hand", "not-known", known=sorted(words.card_name(card) for card in CARDS))
    return [cards[name] for name in names]


def tracks_of(scenario: ScenarioRecord, culture: str) -> dict[str, list[str]]:
    """Return the structures of each track by the rules of the scenario, in the order of
    building.
    """
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
    """Return the number that was typed.

    Raises:
        Fault: It is none.
    """
    try:
        return int(text.strip())
    except ValueError:
        raise Fault(where, "a-number") from None
