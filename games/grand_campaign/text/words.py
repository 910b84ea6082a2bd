"""Sentences made at the time of reading, from ids and facts, with the scenario's names."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from decimal import Decimal
from functools import cache
from typing import Any

from engine.effects import Effect, Phrase, Roll
from engine.errors import IllegalMove
from engine.language import LANGUAGES, Name, join_with, localize_number
from games.grand_campaign.rules.numbers import Rules
from games.grand_campaign.rules.position import Nation
from games.grand_campaign.rules.scenario import SHIPPED, Scenario, load, shipped
from games.grand_campaign.text.english import RULEBOOK, WORDS
from games.kit.words import fill

PROVINCES = frozenset({"province", "source", "target"})
NATIONS = frozenset({"nation", "by", "thief", "victim", "slot", "leader", "from", "to"})
CARDS = frozenset({"card", "give"})
STRUCTURES = frozenset({"structure", "missing", "fortification"})
HALVES = frozenset({"cost", "have"})


book = WORDS.read
"""The catalogue of words in the reader's language."""


def part(key: str, **named: object) -> str:
    """Return a piece of a move's line."""
    return str(book()["parts"][key]).format(**named)


def half(half_actions: int) -> str:
    """Return half-actions as people write them, such as ½, 1 or 1½."""
    whole, rest = divmod(abs(half_actions), 2)
    sign = "−" if half_actions < 0 else ""
    return sign + (f"{whole or ''}½" if rest else str(whole))


def amount(half_actions: int) -> str:
    """Return half-actions with their noun, such as "½ action" or "1½ actions"."""
    whole, rest = divmod(half_actions, 2)
    forms = book()["amounts"]
    return str(
        forms.get(str(half_actions)) or forms["broken" if rest else "whole"].format(whole=whole)
    )


def listed(names: Sequence[str]) -> str:
    """Return the names as a list, such as "one, two and three"."""
    return join_with(str(book()["and"]), names)


def listed_all(names: Sequence[str]) -> str:
    """Return the names as a list with commas, such as "one, two and three"."""
    *most, last = names or [""]
    return listed([", ".join(most), last]) if most else last


def signed(amount: int | Decimal) -> str:
    """Return a change with its sign, as a true minus sign if negative."""
    return f"+{amount}" if amount > 0 else f"−{-amount}"


def nation_name(scenario: Scenario, key: str | None) -> Name:
    """Return a nation's name, that of the game master for gm, or "nobody" for None.

    The names of shipped scenarios are translated into the reader's language; those of a user's own
    scenario stay as typed.
    """
    if key is None or key == "gm":
        name = Name.parse(book()["nobody" if key is None else "game-master"])
        name.many = False
        return name
    return localized_name(
        key,
        scenario.nations[key].name if key in scenario.nations else key,
        scenario.spoken.get(key),
    )


def localized_name(key: str, typed: str, forms: Mapping[str, Any] | None = None) -> Name:
    """Return the name of a nation in the reader's language, with its grammar.

    The grammar comes from the drawing of the map. If the drawing has none, or none in a language,
    it comes from a shipped drawing with a nation of the same key and name.
    """
    shipped_form = shipped_forms().get((key, typed), {})
    languages = {
        language: shipped_form[language] for language in LANGUAGES if language in shipped_form
    }
    return Name.with_forms(typed, {**languages, **forms} if forms else shipped_form)


@cache
def shipped_forms() -> Mapping[tuple[str, str], Mapping[str, Any]]:
    """Return the grammar of the nations' names in shipped scenarios, by key and name."""
    forms: dict[tuple[str, str], Mapping[str, Any]] = {}
    for key in shipped():
        shown = spoken_in((SHIPPED / key / "drawing.json").read_text(encoding="utf-8"))
        forms |= {
            (nation, info.name): shown[nation]
            for nation, info in load(key).nations.items()
            if nation in shown
        }
    return forms


def spoken_in(drawing: str) -> dict[str, dict[str, Any]]:
    """Return the grammar of each nation's name from the text of a valid drawing."""
    nations = json.loads(drawing)["nations"]
    keys = ("spoken", "article", *LANGUAGES)
    forms_by_nation = {
        key: {field: row[field] for field in keys if field in row} for key, row in nations.items()
    }
    return {key: forms for key, forms in forms_by_nation.items() if forms}


@cache
def shipped_other_names() -> Mapping[tuple[str, str, str], tuple[str, ...]]:
    """Return the other names in shipped drawings, by table, key and name in the scenario."""
    names: dict[tuple[str, str, str], tuple[str, ...]] = {}
    for key in shipped():
        scenario = load(key)
        drawn = other_names_in((SHIPPED / key / "drawing.json").read_text(encoding="utf-8"))
        for (table, place), others in drawn.items():
            rows = scenario.provinces if table == "provinces" else scenario.nations
            names[table, place, rows[place].name] = others
    return names


def other_names_in(drawing: str) -> dict[tuple[str, str], tuple[str, ...]]:
    """Return the other names of provinces and nations from the text of a valid drawing."""
    document = json.loads(drawing)
    return {
        (table, key): tuple(row["other_names"])
        for table in ("provinces", "nations")
        for key, row in document[table].items()
        if "other_names" in row
    }


def other_names(scenario: Scenario, table: str, key: str) -> Sequence[str]:
    """Return the other names of a province or nation, by which users may call it.

    They come from the drawing of the map. If it has none, they come from a shipped drawing with a
    province or nation of the same key and name.
    """
    rows = scenario.provinces if table == "provinces" else scenario.nations
    if key not in rows:
        return ()
    shipped_names = shipped_other_names().get((table, key, rows[key].name), ())
    return scenario.other_names.get((table, key), shipped_names)


def province_name(scenario: Scenario, key: str | None) -> Name:
    """Return a province's name, which is the same in every language because the map is in Latin."""
    return Name(scenario.provinces[key].name if key in scenario.provinces else key or "")


def side_name(key: str) -> Name:
    return Name.parse(book()["sides"][key])


def card_name(key: str) -> str:
    return str(book()["cards"].get(key, key))


def card_text(rules: Rules, key: str) -> str:
    """Return the effect of a card in a line."""
    army, talents = rules.army, rules.talents
    return str(book()["card_texts"].get(key, "")).format(
        actions=amount(rules.chancellor_actions),
        talents=talents["card_conquest"],
        truce=truce_text(rules),
        insurgents=army["independent"],
        gain=army["mercenaries"],
        price=army["mercenaries_talents"],
        naval=rules.naval_technology,
        points=army["reinforcements"],
    )


def truce_text(rules: Rules) -> str:
    """Return the length of a truce (4.8)."""
    turns = rules.truce_turns
    key = {0: "truce-none", 1: "truce-now", 2: "truce-next"}.get(turns, "truce")
    return RULEBOOK.text(key, turns=turns)


def structure_name(key: str) -> str:
    """Return the name of a structure or fortification.

    A key that is not in the catalogue, from another scenario, is turned into a name.
    """
    return str(book()["structures"].get(key) or key.replace("-", " ").capitalize())


def fortification_name(key: str) -> str:
    """Return a fortification's name as on the map."""
    return str(book()["structures"].get(key) or key.replace("-", " ").title())


def resolve(scenario: Scenario, facts: Mapping[str, Any]) -> dict[str, Any]:
    """Return the facts with keys turned into names."""
    named: dict[str, Any] = {}
    for key, value in facts.items():
        if key in PROVINCES:
            named[key] = province_name(scenario, value)
        elif key in NATIONS:
            named[key] = nation_name(scenario, value)
        elif key in CARDS:
            named[key] = card_name(value)
        elif key in STRUCTURES:
            named[key] = part("none") if value is None else structure_name(value)
        elif key in HALVES:
            named[key] = amount(value) if key == "cost" else half(value)
        elif key == "battle":
            named[key] = book()["battles"].get(value, value)
        elif key == "values":
            named[key] = ", ".join(value)
        else:
            named[key] = value
    named["target_or_province"] = named.get("target") or named.get("province", "")
    return named


def speak(scenario: Scenario, phrase: Phrase) -> str:
    """Return a cause, or what a seat must do, as a phrase without full stop."""
    if phrase.id.startswith("event-"):
        return event_name(phrase.id.removeprefix("event-"))
    if phrase.id.startswith("encounter-") and phrase.id in book()["causes"]:
        return _encounter(scenario, phrase)
    if phrase.id.startswith("escort-") and "roll" in phrase.facts:
        phrase = phrase._replace(id=f"{phrase.id}-rolled")
    if phrase.id in book()["causes"]:
        return str(book()["causes"][phrase.id]).format_map(resolve(scenario, phrase.facts))
    return sentence(scenario, phrase.id, phrase.facts)


def _encounter(scenario: Scenario, phrase: Phrase) -> str:
    """Return the result of a naval encounter, with the winner's sum first (8.1).

    Without sums, as in a preview, the phrase names only the winner. Entries of earlier versions
    name sides instead of nations.
    """
    facts = phrase.facts
    named = {"by": _a_side("attacker"), "victim": _a_side("defender"), **resolve(scenario, facts)}
    key = phrase.id
    if "attacker" not in facts:
        key += "-foreseen"
    else:
        sums = [
            _sum(facts[side], facts.get(f"{side}_bonus", 0)) for side in ("attacker", "defender")
        ]
        named["sum"], named["other"] = sums[::-1] if key == "encounter-lost" else sums
        if not facts.get("wrecked", True):
            key += "-only"
    return str(book()["causes"][key]).format_map(named)


def _a_side(side: str) -> Name:
    name = side_name(side)
    name.many, name.the = False, True
    return name


def _sum(total: int, bonus: int) -> str:
    return part("sum", die=total - bonus, bonus=bonus, sum=total) if bonus else str(total)


def fall_text(nation: Nation) -> str:
    """Return how and when a nation fell, as far as it is known (2.3, 2.9).

    The text is empty if the nation has not fallen.
    """
    if not nation.fallen:
        return ""
    if nation.fell is None:
        return part("fell")
    return part("crumbled-in" if nation.crumbled else "fell-in", turn=nation.fell)


def effect_text(scenario: Scenario, effect: Effect) -> str:
    """Return an effect other than that of an account in words.

    A card is named; other effects have the words of their cause.
    """
    cause = speak(scenario, effect.cause)
    if effect.kind == "card":
        return f"{'+' if effect.change > 0 else '−'} {card_name(effect.subject)}, {cause}"
    return cause


def is_noted(effect: Effect) -> bool:
    """Return whether the line of a move shows the cause of this effect as a note."""
    if effect.kind == "holding":
        return "owner" in effect.facts or effect.cause.id.startswith("encounter-")
    if effect.kind == "attack":
        return bool({"outcome", "siege", "roll"} & effect.facts.keys())
    if effect.kind == "slot":
        return effect.subject == "opened"
    return effect.kind == "turn" or (effect.kind, effect.subject) == ("seat", "fallen")


def dice_decisions(scenario: Scenario, effects: Iterable[Effect]) -> list[str]:
    """Return a sentence for each roll before a battle: escort and encounter (7.8, 8.1)."""
    phrases = dict.fromkeys(
        speak(scenario, effect.cause)
        for effect in effects
        if effect.cause.id.startswith("encounter-")
        or (effect.cause.id.startswith("escort-") and "roll" in effect.facts)
    )
    return [f"{phrase[:1].upper()}{phrase[1:]}." for phrase in phrases]


def event_name(key: str) -> str:
    return str(book()["events"].get(key, key))


def sentence(scenario: Scenario, message: str, facts: Mapping[str, Any]) -> str:
    """Return an error as a sentence that says what is wrong, then what to do."""
    return fill(book()["errors"].get(message, message), resolve(scenario, facts))


def refusal(scenario: Scenario, illegal: IllegalMove) -> str:
    """Return the sentence of a refused move, without the rule, which is shown beside it."""
    return sentence(scenario, illegal.message, illegal.facts)


def contest_name(scenario: Scenario, number: object, effects: Iterable[Effect]) -> str:
    """Return the number of an attack, with its target if an effect names it."""
    for effect in effects:
        target = effect.facts.get("target") or effect.cause.facts.get("target")
        if effect.kind == "attack" and effect.subject == str(number) and target:
            return f"#{number} {province_name(scenario, target)}"
    return f"#{number}"


def move_line(
    scenario: Scenario,
    move: Mapping[str, Any],
    effects: Iterable[Effect] = (),
    claimed: bool = False,
) -> str:
    """Return the words of a move that follow the name of its nation, such as "build Roads".

    `effects` are those that its reader may see. A card that none of them names is not named. A
    result that players `claimed` is a sentence without the name of a nation.
    """
    effects = tuple(effects)
    key = _line_key(move, bool(hidden_card_key(move, effects)))
    text = str(book()["moves"][f"{key}-claimed" if claimed else key])
    return text.format_map(_facts_of_line(scenario, move, effects))


def planned_line(scenario: Scenario, move: Mapping[str, Any]) -> str:
    """Return a move of a seat's plan in words, such as "build Roads"."""
    text = str(book()["plans"][_line_key(move, is_hidden=False)])
    return text.format_map(_facts_of_line(scenario, move))


def _facts_of_line(
    scenario: Scenario, move: Mapping[str, Any], effects: Sequence[Effect] = ()
) -> dict[str, Any]:
    """Return the facts that the line of a move may name."""
    name, outside = str(move["move"]), ("by", "move", "for", "from", "target")
    facts = resolve(scenario, {key: value for key, value in move.items() if key not in outside})
    facts["who"] = nation_name(scenario, move.get("for", move.get("by", "")))
    if name in FACTS_OF_MOVES:
        facts |= FACTS_OF_MOVES[name](scenario, move)
    if "attack" in move:
        facts["contest"] = contest_name(scenario, move["attack"], effects)
    return facts


def _line_key(move: Mapping[str, Any], is_hidden: bool) -> str:
    """Return the key of a move's line; some moves have several lines.

    `is_hidden` says that the reader may not know the card.
    """
    name = str(move["move"])
    match name:
        case "respond":
            return f"respond-{move['choice']}" + ("-cards" if move.get("cards") else "")
        case "play":
            return _line_key_of_card(move)
        case "take" | "give-card" | "discard-card":
            return f"{name}-unseen" if is_hidden else name
        case "keep":
            return "keep-true" if move["value"] else "keep-false"
        case "set-fleet":
            return "set-fleet-true" if move["fleet"] else "set-fleet-false"
    return name


def _line_key_of_card(move: Mapping[str, Any]) -> str:
    """Return the key of the line of a played card."""
    key = f"play-{move['card']}"
    if move["card"] == "diplomat":
        return f"{key}-province" if "province" in move else f"{key}-truce"
    return f"{key}-card" if move["card"] == "spy" and "steal" in move else key


def _of_attack(scenario: Scenario, move: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "source": province_name(scenario, move["from"]),
        "target": province_name(scenario, move["target"]),
        "details": _details(move),
    }


def _of_answer(scenario: Scenario, move: Mapping[str, Any]) -> dict[str, Any]:
    return {"cards": listed([*map(card_name, move.get("cards") or [])])}


def _of_card(scenario: Scenario, move: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "target_nation": nation_name(scenario, move.get("target")),
        "details": _details(move),
        "destroy": card_name(move.get("destroy", "")),
        "steal": card_name(move.get("steal", "")),
        "truce": nation_name(scenario, move.get("truce")),
    }


def _of_trade(scenario: Scenario, move: Mapping[str, Any]) -> dict[str, Any]:
    return {"from_nation": nation_name(scenario, move["from"])}


def _of_result(scenario: Scenario, move: Mapping[str, Any]) -> dict[str, Any]:
    return {"result": _result(move)}


def _of_forfeit(scenario: Scenario, move: Mapping[str, Any]) -> dict[str, Any]:
    return {"side": side_name(move["side"])}


def _of_adjustment(scenario: Scenario, move: Mapping[str, Any]) -> dict[str, Any]:
    account, change = book()["accounts"][move["account"]], Decimal(str(move["change"]))
    if move["account"] != "actions":
        return {"account": account, "change": signed(change)}
    return {"account": account, "change": ("+" if change > 0 else "") + half(int(change * 2))}


def _of_owner(scenario: Scenario, move: Mapping[str, Any]) -> dict[str, Any]:
    nation = nation_name(scenario, move["owner"])
    if move["owner"] is None:
        return {"to": nation}
    return {"to": Name.parse(part("the-nation", nation=nation))}


def _of_structures(scenario: Scenario, move: Mapping[str, Any]) -> dict[str, Any]:
    return {"structures": ", ".join(map(structure_name, move["structures"])) or part("none")}


def _of_assets(scenario: Scenario, move: Mapping[str, Any]) -> dict[str, Any]:
    given = []
    if "barracks" in move:
        given.append(part("barracks" if move["barracks"] else "no-barracks"))
    if "siege_trains" in move:
        given.append(part("siege-trains", n=move["siege_trains"]))
    return {"assets": ", ".join(given)}


FACTS_OF_MOVES: Mapping[str, Callable[[Scenario, Mapping[str, Any]], dict[str, Any]]] = {
    "attack": _of_attack,
    "respond": _of_answer,
    "play": _of_card,
    "take": _of_trade,
    "report": _of_result,
    "forfeit": _of_forfeit,
    "adjust": _of_adjustment,
    "set-owner": _of_owner,
    "set-structures": _of_structures,
    "set-assets": _of_assets,
}
"""Functions that return further facts for the lines of moves."""


def hidden_card_key(move: Mapping[str, Any], effects: Iterable[Effect]) -> str:
    """Return the key of the card in a move that none of these effects names, or "" (4.2)."""
    seen = {
        (effect.holder, effect.subject, effect.change)
        for effect in effects
        if effect.kind == "card"
    }
    match move["move"]:
        case "take":
            key, moved = "give", (move["from"], move["give"], 1)
        case "give-card":
            key, moved = "card", (move["nation"], move["card"], 1)
        case "discard-card":
            key, moved = "card", (move["nation"], move["card"], -1)
        case _:
            return ""
    return "" if moved in seen else key


def public_form(move: Mapping[str, Any], effects: Iterable[Effect]) -> dict[str, Any]:
    """Return the move in record form without the cards that these effects do not name."""
    effects = tuple(effects)
    if move["move"] == "resume":
        seen = {(effect.holder, effect.subject) for effect in effects if effect.kind == "card"}
        sheets = {key: dict(given) for key, given in move["nations"].items()}
        for key, given in sheets.items():
            if any((key, card) not in seen for card in given.get("hand", ())):
                del given["hand"]
        return {**move, "nations": sheets}
    hidden = hidden_card_key(move, effects)
    return {key: value for key, value in move.items() if key != hidden}


def _details(move: Mapping[str, Any]) -> str:
    cards = move.get("cards") or []
    battle = "escort-baggage-train" if "ambush" in cards else move.get("battle") or "open"
    parts = [str(book()["battles"][battle])]
    if "kind" in move:
        parts.insert(0, str(book()["kinds"][move["kind"]]))
    if move.get("siege_train"):
        parts.append(part("siege-train"))
    return ", ".join(parts + [card_name(card) for card in cards])


def _result(move: Mapping[str, Any]) -> str:
    if "routed" in move:
        return part(
            "routed",
            **{side: localize_number(str(share)) for side, share in move["routed"].items()},
        )
    if "called_off" in move:
        return part("called-off")
    if "naval" in move:
        return part("naval", who=_who_won(move["naval"]))
    return _who_won(move["winner"])


def _who_won(side: str) -> str:
    return part("drawn" if side == "draw" else f"won-{side}")


def roll_line(scenario: Scenario, roll: Roll) -> str:
    """Return the result of a roll, such as "Huns draw Mercenaries" or "siege of Dalmatia"."""
    lines, parts = book()["rolls"], roll.purpose.split("/")
    if roll.purpose == "start":
        return str(lines["start"]).format(
            nation=nation_name(scenario, scenario.order[roll.value - 1])
        )
    kind, named = parts[1], {"nation": nation_name(scenario, parts[2])}
    rules = scenario.as_of(int(parts[0].removeprefix("turn-"))).rules
    if kind == "card":
        named["card"] = Name(card_name(rules.card(roll.value)))
    elif kind == "event":
        named["event"] = Name(event_name(rules.event(roll.value)))
    elif kind == "attack":
        kind, named["province"] = parts[4], province_name(scenario, parts[3])
        if kind == "naval":
            named["side"] = side_name(parts[5])
    return str(lines[kind]).format(**named)
