"""The texts of the title in the reader's language, from ids and facts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from engine.effects import Effect, Phrase, Roll
from engine.language import Name
from games.kit.words import Wording, fill
from games.tetrarchia.rules.position import EMPERORS, REGIONS, RESERVE, SPACES, ZONES, Scenario
from games.tetrarchia.text.english import PAGE, WORDS

SPOTS = frozenset({"space", "to", "at", "target", "army"})
PEOPLE = frozenset({"emperor", "other"})
SEAS = frozenset({"zone", "to_zone"})
HEADLINES = frozenset(
    {
        "begun",
        "secured",
        "subdued",
        "victory",
        "defeat",
        "draw",
        "emperor_removed",
        "status_revolt",
        "unrest",
        "revolt",
        "uprising",
        "invaders",
        "advance",
        "devastation",
        "won",
        "lost",
    }
)
OF_NOBODY = frozenset({"begin", "place_fleets"})
"""Moves that belong to no Emperor."""
NUMERALS = ("", "I", "II", "III", "IV", "V", "VI")


book = WORDS.read
"""The catalogue of words in the reader's language."""


def holder_name(holder: str) -> str:
    """Return the name of an Emperor, the reserve, or a kind of token."""
    if holder in EMPERORS:
        return str(book()["emperors"][holder])
    return str(book()["reserve"]) if holder == RESERVE else token_name(holder)


def seat_name(seat: str) -> Name:
    """Return the name of a seat: an Emperor, a half, or all of them."""
    return Name.parse(str(book()["seats"].get(seat) or holder_name(seat)))


def seat_within(seat: str) -> str:
    """Return the name of a seat within a sentence."""
    return str(book()["seats-within"].get(seat) or holder_name(seat))


def token_name(token: object) -> str:
    """Return the name of a token: an Emperor's, Unrest or Revolt."""
    return str(book()["emperors"].get(token) or book()["tokens"].get(token, token))


def space_name(key: object) -> str:
    return SPACES[key].name if isinstance(key, str) and key in SPACES else str(key or "")


def zone_name(key: object) -> str:
    return ZONES.get(str(key), str(key))


def resolve(facts: Mapping[str, Any]) -> dict[str, Any]:
    """Return facts with names in place of keys, and with the phrases for the catalogue."""
    named = {key: _named(key, value) for key, value in facts.items()}
    if "zones" in facts:
        named["zones_text"] = listed(zone_name(zone) for zone in facts["zones"])
    if "path" in facts:
        path = list(facts["path"])
        named["way_text"], named["goal"] = listed(map(space_name, path[:-1])), space_name(path[-1])
    if "was" in facts:
        named["was_name"] = token_name(facts["was"])
    named |= _counted(facts)
    for side in ("roman", "barbarian"):
        if side in facts and "rolls" in facts:
            named[f"{side}_text"] = sum_text(side, facts)
    return named


def _named(key: str, value: Any) -> Any:
    """Return the name for a key; any other value is returned unchanged."""
    if key in SPOTS:
        return space_name(value)
    if key in PEOPLE and isinstance(value, str):
        return holder_name(value)
    if key in SEAS:
        return zone_name(value)
    if key == "region":
        return REGIONS.get(str(value), str(value))
    return book()["variants"].get(value, value) if key == "variant" else value


def _counted(facts: Mapping[str, Any]) -> dict[str, Any]:
    """Return numbers with their units."""
    texts: dict[str, Any] = {}
    if "ip" in facts:
        texts["ip_text"] = counted("left", facts["ip"])
    if "cost" in facts:
        texts["cost"] = counted("point", facts["cost"])
    if "fleets" in facts:
        texts["fleets_text"] = counted("fleet", facts["fleets"])
        texts["zones_count"] = counted("zone", facts["fleets"])
    if isinstance(facts.get("tokens"), int):
        texts["tokens_text"] = counted("token", facts["tokens"])
    if isinstance(facts.get("change"), int):
        unit = "more" if facts["change"] > 0 else "less"
        texts["change_text"] = counted(unit, abs(facts["change"]))
    if isinstance(facts.get("n"), int):
        texts["n"] = counted("token", facts["n"])
    return texts


def sum_text(side: str, facts: Mapping[str, Any]) -> str:
    """Return a side's value as a sum: "III + 1 = 4"."""
    part, die = facts[side], facts["rolls"][side]
    shown = NUMERALS[die] if side == "roman" else die
    form = book()["sums"]["plain" if part["times"] == 1 else "times"]
    return str(form).format(
        die=shown, support=part["support"], times=part["times"], value=facts["values"][side]
    )


def variant(phrase: Phrase) -> str:
    """Return the key of a sentence that depends on its facts."""
    facts = phrase.facts
    if phrase.id == "secured" and facts.get("border"):
        return "secured-border"
    if phrase.id == "moved" and len(facts["path"]) > 1:
        return "moved-by"
    if phrase.id == "subdued":
        return f"subdued-{facts['how']}"
    if phrase.id in ("emperor_removed", "lost"):
        return f"{phrase.id}-{facts['why']}"
    if phrase.id == "not_linked":
        return f"not_linked-{facts['step']}"
    if phrase.id == "threat":
        return "threat-token" if facts["holds"] else "threat"
    return phrase.id


WORDING = Wording(WORDS, lambda _scenario, facts: resolve(facts), variant, HEADLINES)
speak, effect_line, refusal, is_noted = (
    WORDING.speak,
    WORDING.effect_line,
    WORDING.refusal,
    WORDING.is_noted,
)
counted, listed = WORDING.counted, WORDING.listed


def bare_move_line(
    scenario: Scenario, move: Mapping[str, Any], effects: Iterable[Effect] = ()
) -> str:
    """Return a move as a sentence without its subject: "attacks the army in NARBONENSIS"."""
    name = str(move["move"])
    facts = resolve({key: value for key, value in move.items() if key not in ("by", "for", "move")})
    if name == "subdue":
        name = f"subdue-{move['how']}"
    elif name == "sail":
        facts |= {"from": zone_name(move["from"]), "to": zone_name(move["to"])}
    elif name == "patres":
        name = next((f"patres-{e.holder}" for e in effects if e.kind == "patres"), name)
    return fill(book()["moves"][name], facts)


def move_line(scenario: Scenario, move: Mapping[str, Any], effects: Iterable[Effect] = ()) -> str:
    """Return `bare_move_line`, with the Emperor if the seat has several.

    An example is "ends the turn (Galerius)". The effects have the Emperor whose turn it was.
    """
    effects = list(effects)
    text = bare_move_line(scenario, move, effects)
    emperor = (
        None
        if move["move"] in OF_NOBODY
        else next((e.cause.facts["emperor"] for e in effects if "emperor" in e.cause.facts), None)
    )
    if emperor in (None, move.get("for", move.get("by"))):
        return text
    return str(book()["of-emperor"]).format(said=text, emperor=holder_name(emperor))


def roll_line(scenario: Scenario, roll: Roll) -> str:
    """Return the purpose of a roll in words: "threat: region", "advance from SCYTHIA"."""
    parts = roll.purpose.split("/")
    again = parts[-1].startswith("reroll-")
    if again:
        parts.pop()
    kind, facts = _roll(parts)
    what = fill(book()["rolls"].get(kind, roll.purpose), facts)
    return str(book()["again"]).format(what=what) if again else what


def _roll(parts: list[str]) -> tuple[str, dict[str, Any]]:
    """Return the key of a purpose in the catalogue, and its facts."""
    if parts[0] == "setup":
        if parts[1] == "revolt":
            return "setup/revolt", {"region": REGIONS[parts[2]]}
        what, _, no = parts[1].partition("-")
        return "/".join(["setup", what, *parts[2:]]), {"no": no}
    emperor, (what, _, no), rest = holder_name(parts[1]), parts[2].partition("-"), parts[3:]
    facts = {"emperor": emperor, "no": no}
    if what == "status":
        return what, {**facts, "space": space_name(rest[0]), "to": space_name(rest[1])}
    if what in ("uprising", "advance", "battle"):
        facts["space"] = space_name(rest[0])
        rest = rest[1:]
    return "/".join([what, *rest]), facts


# Words of the page, from its catalogue in the reader's language.


page_book, phrase_text, counted_phrase = PAGE.read, PAGE.text, PAGE.counted


def space(key: str) -> str:
    return SPACES[key].name


def emperor(key: str) -> str:
    return str(book()["emperors"][key])


def chain(spaces: tuple[str, ...]) -> str:
    """Return a connected group by its spaces, or a long one by its ends.

    An example is "CISALPINA – ETRVRIA – ROMA".
    """
    names = [SPACES[key].name for key in spaces]
    return (
        phrase_text("from-to", first=names[0], last=names[-1])
        if len(names) > 5
        else " – ".join(names)
    )
