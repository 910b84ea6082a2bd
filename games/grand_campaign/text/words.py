"""Sentences, made when read, from ids and facts, with the scenario's names (HOUSE, Words at reading
time).
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from decimal import Decimal
from functools import cache
from typing import Any

from engine.effects import Effect, Roll, Say
from engine.errors import IllegalMove
from engine.language import LANGUAGES, Name, joined, pointed
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
    """A piece of a move's line."""
    return str(book()["parts"][key]).format(**named)


def half(half_actions: int) -> str:
    """Half-actions as people write them: ½, 1, 1½."""
    whole, rest = divmod(abs(half_actions), 2)
    sign = "−" if half_actions < 0 else ""
    return sign + (f"{whole or ''}½" if rest else str(whole))


def amount(half_actions: int) -> str:
    """½ action, 1 action, 1½ actions."""
    whole, rest = divmod(half_actions, 2)
    forms = book()["amounts"]
    return str(
        forms.get(str(half_actions)) or forms["broken" if rest else "whole"].format(whole=whole)
    )


def listed(names: Sequence[str]) -> str:
    """One and two and three."""
    return joined(str(book()["and"]), names)


def signed(amount: int | Decimal) -> str:
    """A change with its sign, a true minus."""
    return f"+{amount}" if amount > 0 else f"−{-amount}"


def nation_name(scenario: Scenario, key: str | None) -> Name:
    """A nation's name; nobody's for None, the game master's for gm. One that the shipped scenario
    gives is said in the reader's language, one that a scenario of somebody's own gives stands as
    typed.
    """
    if key is None or key == "gm":
        name = Name.parse(book()["nobody" if key is None else "game-master"])
        name.many = False
        return name
    return known_as(
        key,
        scenario.nations[key].name if key in scenario.nations else key,
        scenario.spoken.get(key),
    )


def known_as(key: str, typed: str, forms: Mapping[str, Any] | None = None) -> Name:
    """How a nation of this key and name is called in the reader's language: as the drawing of its
    map says. Where that says nothing, or nothing in a language, a shipped drawing of a nation so
    called does.
    """
    ours = shipped_forms().get((key, typed), {})
    languages = {one: ours[one] for one in LANGUAGES if one in ours}
    return Name.spoken(typed, {**languages, **forms} if forms else ours)


@cache
def shipped_forms() -> Mapping[tuple[str, str], Mapping[str, Any]]:
    """How the nations of shipped scenarios are spoken of, by key and name."""
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
    """How the text of a drawing, which has been read before, says that each nation is spoken of."""
    nations = json.loads(drawing)["nations"]
    keys = ("spoken", "article", *LANGUAGES)
    said_of = {key: {one: row[one] for one in keys if one in row} for key, row in nations.items()}
    return {key: forms for key, forms in said_of.items() if forms}


def province_name(scenario: Scenario, key: str | None) -> Name:
    """A province's name, the same in every language: the map is in Latin."""
    return Name(scenario.provinces[key].name if key in scenario.provinces else key or "")


def side_name(key: str) -> Name:
    return Name.parse(book()["sides"][key])


def card_name(key: str) -> str:
    return str(book()["cards"].get(key, key))


def card_text(rules: Rules, key: str) -> str:
    """What a card does, in a line."""
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
    """How long a truce holds (4.8)."""
    turns = rules.truce_turns
    key = {0: "truce-none", 1: "truce-now", 2: "truce-next"}.get(turns, "truce")
    return RULEBOOK.text(key, turns=turns)


def structure_name(key: str) -> str:
    """A structure's or fortification's name; keys of other scenarios become names by themselves."""
    return str(book()["structures"].get(key) or key.replace("-", " ").capitalize())


def fortification_name(key: str) -> str:
    """Return a fortification's name as the map has it."""
    return str(book()["structures"].get(key) or key.replace("-", " ").title())


def resolve(scenario: Scenario, facts: Mapping[str, Any]) -> dict[str, Any]:
    """Facts with keys turned into names."""
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


def speak(scenario: Scenario, phrase: Say) -> str:
    """A cause or a waiting, as a phrase without full stop."""
    if phrase.id.startswith("event-"):
        return event_name(phrase.id.removeprefix("event-"))
    if phrase.id.startswith("encounter-") and phrase.id in book()["causes"]:
        return _encounter(scenario, phrase)
    if phrase.id.startswith("escort-") and "roll" in phrase.facts:
        phrase = phrase._replace(id=f"{phrase.id}-rolled")
    if phrase.id in book()["causes"]:
        return str(book()["causes"][phrase.id]).format_map(resolve(scenario, phrase.facts))
    return sentence(scenario, phrase.id, phrase.facts)


def _encounter(scenario: Scenario, phrase: Say) -> str:
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
    """Return how and when a nation fell, as far as it is known; empty if it has not fallen (2.3,
    2.9).
    """
    if not nation.fallen:
        return ""
    if nation.fell is None:
        return part("fell")
    return part("crumbled-in" if nation.crumbled else "fell-in", turn=nation.fell)


def effect_text(scenario: Scenario, effect: Effect) -> str:
    """Return an effect on no account in words: cards by name, the rest by its cause."""
    cause = speak(scenario, effect.cause)
    if effect.kind == "card":
        return f"{'+' if effect.change > 0 else '−'} {card_name(effect.subject)}, {cause}"
    return cause


def tells(effect: Effect) -> bool:
    """Return whether the line of a move shows the cause of this effect as a note."""
    if effect.kind == "holding":
        return "owner" in effect.facts or effect.cause.id.startswith("encounter-")
    if effect.kind == "attack":
        return bool({"outcome", "siege", "roll"} & effect.facts.keys())
    if effect.kind == "slot":
        return effect.subject == "opened"
    return effect.kind == "turn" or (effect.kind, effect.subject) == ("seat", "fallen")


def decided(scenario: Scenario, effects: Iterable[Effect]) -> list[str]:
    """Return a sentence for each decision of dice before a battle: escort, encounter (7.8, 8.1)."""
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
    """An error as a sentence that says what is, then what to do."""
    return fill(book()["errors"].get(message, message), resolve(scenario, facts))


def refusal(scenario: Scenario, illegal: IllegalMove) -> str:
    """The sentence of a refused move, without its rule, which stands beside it."""
    return sentence(scenario, illegal.message, illegal.facts)


def contest_name(scenario: Scenario, number: object, effects: Iterable[Effect]) -> str:
    """The number of an attack, with its target where an effect tells it."""
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
    """Return what a move says, after its speaker's name: "build Roads".

    `effects` are those that its reader may see. A card that none of them names is not named. A
    result that players `claimed` is a sentence without a speaker.
    """
    name, effects = str(move["move"]), tuple(effects)
    is_hidden = bool(unnamed(move, effects))
    outside = ("by", "move", "for", "from", "target")
    facts = resolve(scenario, {key: value for key, value in move.items() if key not in outside})
    facts["who"] = nation_name(scenario, move.get("for", move.get("by", "")))
    if name in FACTS_OF_MOVES:
        facts |= FACTS_OF_MOVES[name](scenario, move, is_hidden)
    if move["move"] == "play" and move["card"] == "diplomat":
        facts["diplomacy"] = _diplomacy(scenario, move, facts)
    if "attack" in move:
        facts["contest"] = contest_name(scenario, move["attack"], effects)
    key = _line_key(move)
    return str(book()["moves"][f"{key}-claimed" if claimed else key]).format_map(facts)


def _line_key(move: Mapping[str, Any]) -> str:
    """Return the key of a move's line: some moves have several lines."""
    name = str(move["move"])
    match name:
        case "respond":
            return f"respond-{move['choice']}"
        case "play":
            return f"play-{move['card']}"
        case "keep":
            return "keep-true" if move["value"] else "keep-false"
        case "set-fleet":
            return "set-fleet-true" if move["fleet"] else "set-fleet-false"
    return name


def _of_attack(scenario: Scenario, move: Mapping[str, Any], is_hidden: bool) -> dict[str, Any]:
    return {
        "source": province_name(scenario, move["from"]),
        "target": province_name(scenario, move["target"]),
        "details": _details(move),
    }


def _of_answer(scenario: Scenario, move: Mapping[str, Any], is_hidden: bool) -> dict[str, Any]:
    cards = move.get("cards") or []
    text = part("with-cards", cards=listed([*map(card_name, cards)])) if cards else ""
    return {"with_cards": text}


def _of_card(scenario: Scenario, move: Mapping[str, Any], is_hidden: bool) -> dict[str, Any]:
    return {
        "target_nation": nation_name(scenario, move.get("target")),
        "details": _details(move),
        "destroy": card_name(move.get("destroy", "")),
        "stolen": part("stolen", card=card_name(move["steal"])) if "steal" in move else "",
    }


def _diplomacy(scenario: Scenario, move: Mapping[str, Any], facts: Mapping[str, Any]) -> Any:
    """Return what a diplomat wins: a province, or a truce with a nation."""
    if "province" in move:
        return facts["province"]
    return part("truce", nation=nation_name(scenario, move.get("truce")))


def _of_trade(scenario: Scenario, move: Mapping[str, Any], is_hidden: bool) -> dict[str, Any]:
    given = part("for-a-card") if is_hidden else part("for", card=card_name(move["give"]))
    return {"from_nation": nation_name(scenario, move["from"]), "given": given}


def _of_result(scenario: Scenario, move: Mapping[str, Any], is_hidden: bool) -> dict[str, Any]:
    return {"result": _result(move)}


def _of_forfeit(scenario: Scenario, move: Mapping[str, Any], is_hidden: bool) -> dict[str, Any]:
    return {"side": side_name(move["side"])}


def _of_adjustment(scenario: Scenario, move: Mapping[str, Any], is_hidden: bool) -> dict[str, Any]:
    account, change = book()["accounts"][move["account"]], Decimal(str(move["change"]))
    if move["account"] != "actions":
        return {"account": account, "change": signed(change)}
    return {"account": account, "change": ("+" if change > 0 else "") + half(int(change * 2))}


def _of_owner(scenario: Scenario, move: Mapping[str, Any], is_hidden: bool) -> dict[str, Any]:
    nation = nation_name(scenario, move["owner"])
    if move["owner"] is None:
        return {"to": nation}
    return {"to": Name.parse(part("the-nation", nation=nation))}


def _of_structures(scenario: Scenario, move: Mapping[str, Any], is_hidden: bool) -> dict[str, Any]:
    return {"structures": ", ".join(map(structure_name, move["structures"])) or part("none")}


def _of_assets(scenario: Scenario, move: Mapping[str, Any], is_hidden: bool) -> dict[str, Any]:
    given = []
    if "barracks" in move:
        given.append(part("barracks" if move["barracks"] else "no-barracks"))
    if "siege_trains" in move:
        given.append(part("siege-trains", n=move["siege_trains"]))
    return {"assets": ", ".join(given)}


def _of_given_card(scenario: Scenario, move: Mapping[str, Any], is_hidden: bool) -> dict[str, Any]:
    return {"card": part("a-card") if is_hidden else card_name(move["card"])}


FACTS_OF_MOVES: Mapping[str, Callable[[Scenario, Mapping[str, Any], bool], dict[str, Any]]] = {
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
    "give-card": _of_given_card,
    "discard-card": _of_given_card,
}
"""What the lines of moves say beside the fields of the move; the last argument is true if the
reader may not know the card.
"""


def unnamed(move: Mapping[str, Any], effects: Iterable[Effect]) -> str:
    """The key under which a move names a card that none of these effects names; empty where there
    is none (4.2).
    """
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
    """The move in record form without the cards that these effects do not name."""
    effects = tuple(effects)
    if move["move"] == "resume":
        seen = {(effect.holder, effect.subject) for effect in effects if effect.kind == "card"}
        sheets = {key: dict(given) for key, given in move["nations"].items()}
        for key, given in sheets.items():
            if any((key, card) not in seen for card in given.get("hand", ())):
                del given["hand"]
        return {**move, "nations": sheets}
    hidden = unnamed(move, effects)
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
            "routed", **{side: pointed(str(share)) for side, share in move["routed"].items()}
        )
    if "called_off" in move:
        return part("called-off")
    if "naval" in move:
        return part("naval", who=_who_won(move["naval"]))
    return _who_won(move["winner"])


def _who_won(side: str) -> str:
    return part("drawn" if side == "draw" else f"won-{side}")


def roll_line(scenario: Scenario, roll: Roll) -> str:
    """What a roll meant: "Huns draw Mercenaries", "siege of Dalmatia"."""
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
