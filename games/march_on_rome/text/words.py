"""The texts of the title in the reader's language, from ids and facts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from engine.effects import Effect, Phrase, Roll
from engine.language import Name
from games.kit.words import Wording, fill
from games.march_on_rome.rules.position import BARBARIANS, LOST, PC, SENATE, Scenario, number
from games.march_on_rome.text.english import WORDS

PLACES = frozenset({"province", "target", "home", "counted"})
PEOPLE = frozenset({"general", "by", "top", "attacker", "who", "victim"})
HOLDERS = frozenset({"holder", "defender", "other"})
HEADLINES = frozenset(
    {
        "offered",
        "refused",
        "merged",
        "battle_over",
        "event",
        "new_general",
        "general_out",
        "idle",
        "won",
        "lost",
        "begun",
    }
)
FORMS = ("", " II", " III", " IV", " V")


book = WORDS.read
"""The catalogue of words in the reader's language."""


def _one(name: str) -> Name:
    """Return the name of a general, which is singular and has no article."""
    one = Name(name)
    one.many = False
    return one


def _with_article(text: str, many: bool) -> Name:
    """Return a name with its article; `many` is the number in a language without articles."""
    name = Name.parse(text)
    name.many = name.many if name.article else many
    return name


def general_name(scenario: Scenario, key: str) -> Name:
    """Return a general's name, or the word for another owner.

    Rivals take their names from a list, in the order of their numbers. After the end of the list,
    the names repeat.
    """
    if key == PC:
        return _one(scenario.general)
    if key in (SENATE, LOST, BARBARIANS):
        return _with_article(book()[key], key != SENATE)
    if not key.startswith("npc-"):
        return _one(event_name(key) if key in book()["events"] else key)
    names = book()["rivals"]
    again, place = divmod(number(key) - 1, len(names))
    return _one(names[place] + (FORMS[again] if again < len(FORMS) else f" {again + 1}"))


def province_name(key: object) -> Name:
    names = book()["provinces"]
    return Name.parse(names[key]) if isinstance(key, str) and key in names else Name(key or "")


def side_name(key: str) -> Name:
    return Name.parse(book()["sides"].get(key, key))


def holder_name(scenario: Scenario, holder: str, province: object) -> Name:
    """Return the holder of a province: a general, its procurator, or its people."""
    if holder in (SENATE, LOST) and province:
        text = book()["procurator" if holder == SENATE else "people"]
        return _with_article(text.format(province=province_name(province)), holder != SENATE)
    return general_name(scenario, holder)


def event_name(key: str) -> str:
    return str(book()["events"].get(key, key))


def invader_name(key: str) -> Name:
    return Name.parse(book()["peoples"].get(key, key))


def resolve(scenario: Scenario, facts: Mapping[str, Any]) -> dict[str, Any]:
    """Return the facts with keys turned into names.

    `holder_name` and similar facts name the holder of the province in the facts.
    """
    named: dict[str, Any] = {}
    place = facts.get("target") or facts.get("province")
    for key, value in facts.items():
        if key in PLACES:
            named[key] = province_name(value)
        elif key in PEOPLE and isinstance(value, str):
            named[key] = general_name(scenario, value)
        elif key in HOLDERS and isinstance(value, str):
            named[key] = general_name(scenario, value)
            named[f"{key}_name"] = holder_name(scenario, value, place)
        elif key == "side":
            named[key] = side_name(str(value))
        else:
            named[key] = value
    if "queue" in facts:
        named["queue_text"] = ", ".join(general_name(scenario, who) for who in facts["queue"])
    if "left" in facts:
        named["left_text"] = book()["left"].format(**facts["left"])
    if "event" in facts:
        named["event_name"] = _event(named, facts)
    return named


def _event(named: Mapping[str, Any], facts: Mapping[str, Any]) -> str:
    what = event_name(str(facts["event"]))
    kinds = {
        "nothing": facts.get("nothing"),
        "victim": "victim" in facts,
        "invasion": "invader" in facts,
    }
    kind = next(
        (kind for kind, is_so in kinds.items() if is_so), "place" if facts.get("province") else ""
    )
    if not kind:
        return what
    invader = invader_name(str(facts.get("invader", "")))
    return str(book()["event_names"][kind]).format_map({**named, "event": what, "invader": invader})


def variant(phrase: Phrase) -> str:
    """Return the key of a sentence that depends on its facts."""
    facts = phrase.facts
    if phrase.id == "idle":
        return f"idle-{facts['why']}"
    if phrase.id == "province_lost" and facts["by"] == "rebellion":
        return "province_lost-rebellion"
    if phrase.id != "battle_over":
        return phrase.id
    if facts["conceded"]:
        return "battle_over-conceded"
    if facts["walkover"]:
        return "battle_over-walkover" if facts["winner"] == "attacker" else "battle_over-unarmed"
    return f"battle_over-{facts['winner']}"


def is_noted(effect: Effect) -> bool:
    """Return whether an effect deserves a note beside the line of its move."""
    return effect.kind in HEADLINES and effect.facts.get("why") != "pass"


WORDING = Wording(WORDS, resolve, variant, HEADLINES)
speak, effect_line, refusal = WORDING.speak, WORDING.effect_line, WORDING.refusal


def move_line(scenario: Scenario, move: Mapping[str, Any], effects: Iterable[Effect] = ()) -> str:
    """Return a move as a sentence without its subject: "attacks Gaul"."""
    name = str(move["move"])
    facts = resolve(
        scenario, {key: value for key, value in move.items() if key not in ("by", "for", "move")}
    )
    if name == "answer":
        name = "answer-true" if move["accept"] else "answer-false"
    if name == "devote":
        facts["legions_word"] = book()["legions_word"].form(move["legions"])
    return fill(book()["moves"][name], facts)


def roll_line(scenario: Scenario, roll: Roll) -> str:
    """Return the purpose of a roll in words: "battle 1: segments", "event 2: province"."""
    head, *parts = roll.purpose.split("/")
    again = parts[-1].startswith("reroll-")
    if again:
        parts.pop()
    kind, facts = _roll(head, parts, scenario)
    what = fill(book()["rolls"].get(kind, roll.purpose), facts)
    return str(book()["again"]).format(what=what) if again else what


def _roll(head: str, parts: list[str], scenario: Scenario) -> tuple[str, dict[str, Any]]:
    """Return the key of a purpose in the catalogue, and its facts."""
    first, rest = parts[0], parts[1:]
    whole = "/".join([head, *parts])
    if whole in book()["rolls"]:
        return whole, {"pc": scenario.general}
    if head == "setup":
        if first == "garrison":
            return "setup/garrison", {"province": province_name(rest[0])}
        return f"setup/{rest[0]}", {"who": general_name(scenario, first)}
    if first == "npc-order":
        return first, {"who": general_name(scenario, rest[0])}
    if first == "barbarians":
        return first, {"province": province_name(rest[0])}
    if first == "events":
        return first, {}
    kind, _, no = first.partition("-")
    if kind == "battle":
        what, _, segment = rest[0].partition("-")
        return what, {
            "no": no,
            "segment": segment,
            "side": side_name(rest[1] if len(rest) > 1 else ""),
        }
    if kind == "event":
        return (rest[0] if rest else "event"), {"no": no}
    return rest[0], {"who": general_name(scenario, first)}
