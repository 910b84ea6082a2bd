"""Effects that are not of an account, as rows of a table of branches."""

from __future__ import annotations

from typing import Any

from engine.effects import Effect
from games.grand_campaign.words import book, card_name, event_name, nation_name, province_name, speak, structure_name
from web.titles.talk import Mark, capital

CARDS = {
    "offers": ("put on the table", "put on the table"),
    "back-to-hand": ("back in the hand", "back in the hand"),
    "trades": ("comes by trade", "goes by trade"),
    "steals": ("stolen", "stolen"),
    "stolen": ("stolen", "stolen"),
    "assassinated": ("destroyed", "destroyed"),
    "bodyguard-spent": ("spent", "spent"),
    "crumbles": ("lost", "lost"),
}
FOUGHT = ("attacker", "defender", "draw", "withdrawn")  # who asks what follows has named these himself
SIEGES = {"held": "fails", "taken": "succeeds"}


def mark(scenario: Any, effect: Effect) -> Mark | None:
    """See `web.titles.talk.Talk.mark`."""
    make = {
        "holding": holding, "card": card, "structure": structure, "attack": attack, "truce": truce, "slot": slot, "turn": turn,
        "seat": seat, "event": event,
    }.get(effect.kind)  # fmt: skip
    return make(scenario, effect) if make else None


def holding(scenario: Any, effect: Effect) -> Mark:
    facts, said = effect.facts, []
    if "owner" in facts:
        owner = facts["owner"]
        said.append(f"to the {nation_name(scenario, owner)}" if owner else "turns independent")
    lost = facts.get("fortification_lost")
    if lost:
        said.append(f"{structure_name(scenario.rules.fortifications[lost - 1].name)} lost")
    if facts.get("fleet_lost"):
        said.append("fleet lost")
    if facts.get("fortification"):
        said.append(structure_name(facts["fortification"]))
    if facts.get("fleet"):
        said.append("a fleet")
    name = province_name(scenario, effect.subject)
    return Mark(f"holding-{effect.subject}", name, ", ".join(said), effect.cause.rule)


def card(scenario: Any, effect: Effect) -> Mark:
    said = effect.cause.id
    if said.startswith("plays-"):
        text = "played"
    else:
        comes, goes = CARDS.get(said, ("comes into the hand", "leaves the hand"))
        text = comes if effect.change > 0 else goes
    return Mark(f"card-{effect.subject}", card_name(effect.subject), text, effect.cause.rule, effect.holder)


def structure(scenario: Any, effect: Effect) -> Mark:
    text = "built" if effect.facts.get("built") else "destroyed" if effect.subject == "siege-train" else "lost"
    name = capital(structure_name(effect.subject))
    return Mark(f"structure-{effect.subject}", name, text, effect.cause.rule, effect.holder)


def attack(scenario: Any, effect: Effect) -> Mark | None:
    facts, number = effect.facts, effect.subject
    if "roll" in facts and "siege" in facts:
        return Mark(f"siege-{number}", "Siege", SIEGES[facts["siege"]], effect.cause.rule)
    # A launch is told by the talk's notes.
    if facts.get("launched") or "answer" in facts or facts.get("outcome") in FOUGHT:
        return None
    if "roll" in facts and "battle" in facts:
        return Mark(f"battle-{number}", "Battle", str(book()["battles"].get(facts["battle"], facts["battle"])), "7.8")
    if "outcome" in facts:
        text = str(book()["outcomes"].get(facts["outcome"], facts["outcome"]))
        return Mark(f"outcome-{number}", f"Battle #{number}", text, effect.cause.rule)
    return Mark(f"attack-{number}", f"#{number}", speak(scenario, effect.cause), effect.cause.rule)


def truce(scenario: Any, effect: Effect) -> Mark:
    text = f"with the {nation_name(scenario, effect.subject)} to the end of turn {effect.facts['until']}"
    return Mark(f"truce-{effect.subject}", "Truce", text, effect.cause.rule, effect.holder)


def slot(scenario: Any, effect: Effect) -> Mark:
    text = "opens" if effect.subject == "opened" else "ends"
    return Mark(f"slot-{effect.holder}", f"Slot of the {nation_name(scenario, effect.holder)}", text, effect.cause.rule)


def turn(scenario: Any, effect: Effect) -> Mark:
    return Mark(f"turn-{effect.subject}", "Turn", speak(scenario, effect.cause), effect.cause.rule)


def seat(scenario: Any, effect: Effect) -> Mark:
    if effect.subject == "keep":
        return Mark("keep", "Bodyguard", "is kept back" if effect.facts.get("value") else "stands guard", "4.10", effect.holder)
    return Mark("fallen", "Nation", speak(scenario, effect.cause), effect.cause.rule, effect.holder)


def event(scenario: Any, effect: Effect) -> Mark:
    return Mark(f"event-{effect.subject}", "Event", event_name(effect.subject), "5", effect.holder)
