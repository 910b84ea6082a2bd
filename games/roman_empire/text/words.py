"""The texts of the title in the reader's language, from ids and facts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import count, groupby
from typing import Any

from engine.effects import Effect, Phrase, Roll
from engine.language import Name, language
from games.kit.words import Wording, fill
from games.roman_empire.rules.position import (
    AREAS,
    CARDS,
    CHART,
    COLOURS,
    EMPERORS,
    KINGDOMS,
    LANDS,
    MINORS,
    PEOPLE_COUNTERS,
    PEOPLES,
    PERIODS,
    POINTS,
    REBEL,
    SEATS,
    SETS,
    STATES,
    Card,
    Emperor,
    Scenario,
    State,
    data,
)
from games.roman_empire.text.english import CHRONICLE, PAGE, WORDS

NUMERALS = ("", "I", "II", "III", "IV", "V", "VI", "VII")
GROUPS = frozenset({"group", "of", "by", "was", "defender", "colour"})
SPOTS = frozenset({"land", "to", "source"})
HEADLINES = frozenset(
    {
        "begun",
        "order",
        "opened",
        "event_played",
        "round",
        "rebel_round",
        "conquered",
        "looted",
        "fort_lost",
        "retreated",
        "displaced",
        "overrun",
        "fort_taken",
        "leader_killed",
        "rebelled",
        "rebellion_over",
        "struck",
        "ruined",
        "destroyed",
        "city_built",
        "scored",
        "kingdom_stands",
        "game_end",
        "accepted",
        "sub_ended",
        "looked",
    }
)


book = WORDS.read
"""The catalogue of words in the reader's language."""


def group_name(group: object) -> str:
    """Return the name of a Faction, a People, a Kingdom or the Rebels, or the word for none."""
    if group is None:
        return str(book()["nobody"])
    key = str(group)
    if key in COLOURS or key == REBEL:
        return str(book()["groups"][key])
    return PEOPLES.get(key) or (STATES[key].name if key in STATES else key)


def group_in_sentence(group: object) -> Name:
    """Return a group's name within a sentence, with its article."""
    names, name = CHRONICLE.read()["names"], group_name(group)
    kind = (
        "people"
        if group in PEOPLES
        else "kingdom"
        if group in KINGDOMS
        else "minor"
        if group in MINORS
        else ""
    )
    form = names.get(group) or names.get(kind)
    spoken = Name.parse(str(form).format(name=name) if form else name)
    if not spoken.article:
        spoken.many = kind in ("people", "minor") or group == REBEL
    return spoken


def faction_name(colour: str) -> str:
    """Return a Faction's name by itself, for a seat; `group_name` is for sentences."""
    return str(book()["factions"][colour])


def land_name(key: object) -> str:
    land = LANDS.get(str(key))
    return land.name if land else str(book()["sources"].get(str(key), key or ""))


def card_name(key: object) -> str:
    card = CARDS.get(str(key))
    return card.name if card else str(key)


def numeral(period: object) -> str:
    """Return a period as a Roman numeral."""
    return (
        NUMERALS[period] if isinstance(period, int) and 0 < period < len(NUMERALS) else str(period)
    )


def years(period: int) -> str:
    """Return the years of a period; only the first names the era."""
    return str(
        book()["first-years"]
        if period == 1
        else data("board")["periods"][period - 1]["years"].replace("-", "–")
    )


def seat_name(seat: object) -> str:
    """Return the name of a seat, or a player's name from a record."""
    if seat in SEATS:
        return str(book()["seat"]).format(seat=seat)
    return str(seat or book()["nobody"])


def variant(phrase: Phrase) -> str:
    """Return the key of a sentence that depends on its facts."""
    facts = phrase.facts
    if phrase.id in VARIANTS:
        return VARIANTS[phrase.id](facts)
    match phrase.id:
        case "round" | "rebel_round":
            fort = "-fort" if facts["alone"] and facts["winner"] else ""
            return f"{phrase.id}-{facts['winner'] or 'tie'}{fort}"
        case "retreated" | "displaced":
            return f"{phrase.id}-lost" if facts.get("lost") else phrase.id
    return phrase.id


def _event_played(facts: Mapping[str, Any]) -> str:
    keys = (key for key in ("land", "area", "people", "use") if facts.get(key))
    key = next(keys, "")
    return f"event_played-{key}" if key else "event_played"


VARIANTS: Mapping[str, Callable[[Mapping[str, Any]], str]] = {
    "opened": lambda facts: f"opened-{facts['phase']}",
    "scored": lambda facts: "scored" if facts.get("points") else "scored-none",
    "army_lost": lambda facts: "army_lost-saved" if facts.get("saved") else "army_lost",
    "rebellion_over": lambda facts: "rebellion_over" if facts["n"] else "rebellion_over-quelled",
    "event_played": _event_played,
    "offered": lambda facts: "offered" if facts["points"] else "offered-none",
    "stood": lambda facts: "stood-hold" if facts["hold"] else "stood",
    "placed": lambda facts: f"placed-{facts['way']}" if "way" in facts else "placed",
    "fort_lost": lambda facts: "fortress_lost" if facts["level"] > 1 else "fort_lost",
    "conquered": lambda facts: "conquered-of" if facts.get("of") else "conquered",
}
"""The functions that choose a variant, by the key of the sentence."""


WORDING = Wording(WORDS, lambda _scenario, facts: resolve(facts), variant, HEADLINES)
speak, effect_line, refusal, is_noted = (
    WORDING.speak,
    WORDING.effect_line,
    WORDING.refusal,
    WORDING.is_noted,
)
counted, listed = WORDING.counted, WORDING.listed


COUNTED: Mapping[str, str] = {
    "n": "army",
    "lost": "army",
    "in_hand": "army",
    "points": "point",
    "cost": "point",
    "loyal": "army",
}
"""The units of facts that are counts; `<fact>_text` has the number with its unit."""


def resolve(facts: Mapping[str, Any]) -> dict[str, Any]:
    """Return the facts with keys turned into names, and with the phrases for the catalogue."""
    named: dict[str, Any] = dict(facts)
    for key, value in facts.items():
        if key in GROUPS:
            named[key] = group_in_sentence(value)
        elif key in SPOTS:
            named[key] = land_name(value)
        elif key == "card":
            named[key] = card_name(value)
        elif key == "seat":
            named[key] = seat_name(value)
        elif key == "period":
            named[key] = numeral(value)
        elif key == "area":
            named[key] = AREAS.get(str(value), str(value))
        elif key == "people":
            named[key] = group_name(value) if value else ""
        elif key == "what":
            named[key] = book()["counters"].get(value, value)
        elif key in ("attacker", "thrown") and isinstance(value, (list, tuple)):
            named[key] = listed(map(str, value))
        if key in COUNTED and isinstance(value, int):
            named[f"{key}_text"] = counted(COUNTED[key], value)
    for key, phrase in PHRASES.items():
        if key in facts:
            named[f"{key}_text"] = phrase(facts[key])
    return named


def _totals(totals: Mapping[str, int]) -> str:
    return listed(f"{seat_name(player)} {points}" for player, points in totals.items())


def _areas(areas: Iterable[Iterable[Any]]) -> str:
    held = book()["held"]
    return listed(f"{AREAS[area]} ({held[how]}, {points})" for area, how, points in areas)


PHRASES: Mapping[str, Callable[[Any], str]] = {
    "order": lambda order: (
        listed(map(seat_name, order)) if isinstance(order, (list, tuple)) else str(order)
    ),
    "cities": lambda cities: listed(map(land_name, cities or ())),
    "totals": _totals,
    "areas": _areas,
    "winner": lambda winner: str(book()["winners"].get(winner, seat_name(winner))),
    "emperor": lambda key: EMPERORS[key].name if key in EMPERORS else "",
}


def move_line(scenario: Scenario, move: Mapping[str, Any], effects: Iterable[Effect] = ()) -> str:
    """Return a move as a sentence without its subject.

    An example is "places an army in Gallia from Aquitania".
    """
    name = str(move["move"])
    given = {
        key: value
        for key, value in move.items()
        if key not in ("by", "for", "move") and value is not None
    }
    facts = resolve(given)
    if name == "place":
        facts["source"] = land_name(move["from"])
        name = "place-same" if move["from"] == move["land"] else f"place-{move['from']}"
    elif name == "retreat":
        if move.get("lands"):
            facts["lands_text"] = listed(map(land_name, move["lands"]))
            return fill(book()["moves"]["retreat-lands"], facts)
        if not move.get("to") and any(effect.kind == "displaced" for effect in effects):
            return fill(book()["moves"]["retreat-usual"], facts)
        name = (
            "retreat"
            if move.get("to")
            else ("retreat-hold" if move.get("hold") else "retreat-stand")
        )
    elif name == "answer":
        name = "answer-yes" if move["accept"] else "answer-no"
    elif name == "pass_counter":
        facts["to"] = seat_name(move["to"])
    elif name == "end_phase" and given.get("cities"):
        name = "end_phase-cities"
    elif name == "offer":
        facts["points_text"] = counted("point", int(move["amount"]))
    moves = book()["moves"]
    return fill(moves.get(name) or moves[str(move["move"])], facts)


def roll_line(scenario: Scenario, roll: Roll) -> str:
    """Return the purpose of a roll in words: "combat 2, round 1: attacker", "loot of Syria"."""
    parts = roll.purpose.split("/")
    again = False
    if parts[-1].isdecimal() and parts[0] != "setup":
        parts.pop()
    if parts[-1].startswith("reroll-"):
        again = True
        parts.pop()
    kind, facts = _roll(parts)
    what = fill(book()["rolls"].get(kind, roll.purpose), facts)
    return str(book()["again"]).format(what=what) if again else what


def _roll(parts: list[str]) -> tuple[str, dict[str, Any]]:
    """Return the key of a purpose in the catalogue, and its facts."""
    if parts[0] == "setup":
        return "hand", {"seat": seat_name(parts[2]), "no": parts[3].partition("-")[2]}
    if parts[0] == "end":
        return "kingdom", {"group": group_in_sentence(parts[2])}
    if parts[1] == "order":
        return "order", {"seat": seat_name(parts[2])}
    if parts[1].startswith("draw-"):
        what, _, no = parts[1].removeprefix("draw-").partition("-")
        return f"draw-{what}", {"no": no}
    what, _, key = parts[3].partition("-")
    if what == "combat":
        return f"combat/{parts[5]}", {"no": key, "round": parts[4].partition("-")[2]}
    if what == "loot":
        return "loot", {"land": land_name(parts[4])}
    if parts[4].startswith("round-"):
        return f"rebellion/{parts[5]}", {"round": parts[4].partition("-")[2]}
    return "event", {"card": card_name(key), "land": land_name(parts[4])}


# Words of the page, from its catalogue in the reader's language.

page_book, phrase_text, counted_phrase = PAGE.read, PAGE.text, PAGE.counted


def land(key: str) -> str:
    return LANDS[key].name


def emperor(key: int | None) -> str:
    return EMPERORS[key].name if key in EMPERORS else ""


def bonus(lord: Emperor) -> str:
    """Return the bonus of an Emperor in words (7)."""
    return phrase_text(f"bonus-{lord.bonus or 'none'}", n=lord.value)


def effect(card: Card) -> str:
    """Return the effect of a card in words (9.3).

    The text may have a number, or the land and the strength of a group.
    """
    facts, state = card.effect, STATES.get(str(card.effect.get("key")))
    named = {"land": land(state.land), "strength": state.strength} if state is not None else {}
    return phrase_text(
        f"effect-{card.kind}",
        n=facts.get("armies") or facts.get("value") or facts.get("fort_points") or 0,
        **named,
    )


def card_timing(card: Card) -> str:
    """Return the phase and the moment in which a card may be played (9.1)."""
    return ", ".join((phrase_text(f"card-{card.phase}"), phrase_text(f"card-{card.timing}")))


def periods(card: Card) -> str:
    """Return the periods of a card, as in "II–IV"."""
    first, last = numeral(card.periods[0]), numeral(card.periods[-1])
    return first if first == last else f"{first}–{last}"


# The charts as a chapter of the rules: points of areas, Peoples, Emperors, Kingdoms, cards (5, 7,
# 9, 10).

CHAPTER = 14


def chapter() -> str:
    """Return the chapter in the reader's language, in the form of RULES.md."""
    return _written(language())


@cache
def _written(_: str) -> str:
    numbers = count(1)
    paragraphs = [
        f"- {CHAPTER}.{next(numbers)} {head}\n" + "".join(f"\n– {line}\n" for line in lines)
        for head, lines in _parts()
    ]
    return f"## {CHAPTER} {phrase_text('charts')}\n\n" + "\n".join(paragraphs)


def _parts() -> Iterator[tuple[str, Sequence[str]]]:
    """Yield each paragraph: its head, and the lines below it."""
    yield (
        phrase_text("charts-areas"),
        [f"{name}: {', '.join(map(str, POINTS[key]))}" for key, name in AREAS.items()],
    )
    for period in range(1, PERIODS + 1):
        named = {"period": numeral(period), "years": years(period)}
        peoples = [people for people in CHART if people.period == period]
        lines = [
            f"{people.n} {people.name}:"
            f" {phrase_text('people-line', land=land(people.start), n=people.strength)}"
            for people in peoples
        ]
        yield phrase_text("charts-peoples", **named), lines
        emperors = [lord for lord in EMPERORS.values() if lord.period == period]
        yield (
            phrase_text("charts-emperors", **named),
            [f"{lord.n} {lord.name}: {bonus(lord)}" for lord in emperors],
        )
    yield (
        phrase_text("charts-counters"),
        [", ".join(f"{PEOPLES[key]} {n}" for key, n in PEOPLE_COUNTERS.items())],
    )
    yield (
        phrase_text("charts-kingdoms"),
        [
            f"{_state(kingdom)}, {phrase_text('charts-loot', n=kingdom.loot)}"
            for kingdom in KINGDOMS.values()
        ],
    )
    yield phrase_text("charts-minors"), [_state(minor) for minor in MINORS.values()]
    for number in (*SETS, None):
        cards = [card for card in CARDS.values() if card.set == number]
        yield (
            phrase_text("charts-set", n=number) if number else phrase_text("charts-optional"),
            list(_cards(cards)),
        )


def _state(state: State) -> str:
    return f"{state.name}: {phrase_text('people-line', land=land(state.land), n=state.strength)}"


def _cards(cards: Sequence[Card]) -> Iterator[str]:
    """Yield a line for each card; cards that differ only in their periods share a line."""
    for (name, _), alike in groupby(cards, key=lambda card: (card.name, effect(card))):
        kinds_alike = list(alike)
        yield (
            f"**{name}** {'; '.join(map(periods, kinds_alike))} ({card_timing(kinds_alike[0])}):"
            f" {effect(kinds_alike[0])}"
        )
