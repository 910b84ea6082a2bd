"""Rows of a preview for effects other than those of accounts.

They concern places, cards, battles and truces.
"""

from __future__ import annotations

from collections.abc import Callable

from engine.effects import Effect
from engine.language import capitalize, pgettext, sentence
from engine.language import gettext as _
from engine.language import gettext_noop as noop
from games.contract.move_words import Mark
from games.grand_campaign.rules.scenario import Scenario
from games.grand_campaign.text.words import (
    book,
    card_name,
    event_name,
    nation_name,
    province_name,
    speak,
    structure_name,
)

CARDS = {
    "offers": (noop("placed on the table"), noop("placed on the table")),
    "back-to-hand": (noop("back in the hand"), noop("back in the hand")),
    "trades": (noop("received in a trade"), noop("given in a trade")),
    "steals": (noop("stolen"), noop("stolen")),
    "stolen": (noop("stolen"), noop("stolen")),
    "assassinated": (noop("destroyed"), noop("destroyed")),
    "bodyguard-spent": (noop("spent"), noop("spent")),
    "crumbles": (noop("lost"), noop("lost")),
}
FOUGHT = (
    "attacker",
    "defender",
    "draw",
    "withdrawn",
)
"""Outcomes that have their own columns in the preview."""
SIEGES = {"held": noop("fails"), "taken": noop("succeeds")}


def mark(scenario: Scenario, effect: Effect) -> Mark | None:
    """Return the row of an effect, or None if the preview does not show it."""
    make = MARKS.get(effect.kind)
    return make(scenario, effect) if make is not None else None


def holding_mark(scenario: Scenario, effect: Effect) -> Mark:
    facts, texts = effect.facts, []
    if "owner" in facts:
        owner = facts["owner"]
        passes = sentence(_("to {nation:the}"), nation=nation_name(scenario, owner))
        texts.append(passes if owner else _("becomes independent"))
    lost = facts.get("fortification_lost")
    if lost:
        texts.append(
            sentence(
                _("{structure} lost"),
                structure=structure_name(scenario.rules.fortifications[lost - 1].name),
            )
        )
    if facts.get("fleet_lost"):
        texts.append(_("fleet lost"))
    if facts.get("fortification"):
        texts.append(structure_name(facts["fortification"]))
    if facts.get("fleet"):
        texts.append(_("a fleet"))
    name = province_name(scenario, effect.subject)
    return Mark(f"holding-{effect.subject}", name, ", ".join(texts), effect.cause.rule)


def card_mark(scenario: Scenario, effect: Effect) -> Mark:
    cause = effect.cause.id
    if cause.startswith("plays-"):
        text = _("played")
    else:
        comes, goes = CARDS.get(cause, (noop("added to the hand"), noop("removed from the hand")))
        text = _(comes if effect.change > 0 else goes)
    return Mark(
        f"card-{effect.subject}", card_name(effect.subject), text, effect.cause.rule, effect.holder
    )


def structure_mark(scenario: Scenario, effect: Effect) -> Mark:
    text = (
        _("built")
        if effect.facts.get("built")
        else _("destroyed")
        if effect.subject == "siege-train"
        else _("lost")
    )
    name = capitalize(structure_name(effect.subject))
    return Mark(f"structure-{effect.subject}", name, text, effect.cause.rule, effect.holder)


def attack_mark(scenario: Scenario, effect: Effect) -> Mark | None:
    facts, number = effect.facts, effect.subject
    if "roll" in facts and "siege" in facts:
        return Mark(f"siege-{number}", _("Siege"), _(SIEGES[facts["siege"]]), effect.cause.rule)
    # The notes of the preview show a launch.
    if facts.get("launched") or "answer" in facts or facts.get("outcome") in FOUGHT:
        return None
    if "roll" in facts and "battle" in facts:
        return Mark(
            f"battle-{number}",
            pgettext("mark", "Battle"),
            str(book()["battles"].get(facts["battle"], facts["battle"])),
            "7.8",
        )
    if "outcome" in facts:
        text = str(book()["outcomes"].get(facts["outcome"], facts["outcome"]))
        return Mark(
            f"outcome-{number}",
            sentence(_("Battle #{number}"), number=number),
            text,
            effect.cause.rule,
        )
    return Mark(f"attack-{number}", f"#{number}", speak(scenario, effect.cause), effect.cause.rule)


def truce_mark(scenario: Scenario, effect: Effect) -> Mark:
    named = {"nation": nation_name(scenario, effect.subject), "turn": effect.facts["until"]}
    text = sentence(_("with {nation:the} to the end of turn {turn}"), **named)
    return Mark(
        f"truce-{effect.subject}", pgettext("mark", "Truce"), text, effect.cause.rule, effect.holder
    )


def slot_mark(scenario: Scenario, effect: Effect) -> Mark:
    text = pgettext("mark", "begins") if effect.subject == "opened" else pgettext("mark", "ends")
    name = sentence(_("Turn of {nation:the}"), nation=nation_name(scenario, effect.holder))
    return Mark(f"slot-{effect.holder}", name, text, effect.cause.rule)


def turn_mark(scenario: Scenario, effect: Effect) -> Mark:
    return Mark(
        f"turn-{effect.subject}",
        pgettext("mark", "Turn"),
        speak(scenario, effect.cause),
        effect.cause.rule,
    )


def seat_mark(scenario: Scenario, effect: Effect) -> Mark:
    if effect.subject == "keep":
        text = _("is kept back") if effect.facts.get("value") else _("guards the hand")
        return Mark("keep", card_name("bodyguard"), text, "4.10", effect.holder)
    return Mark(
        "fallen",
        pgettext("mark", "Nation"),
        speak(scenario, effect.cause),
        effect.cause.rule,
        effect.holder,
    )


def event_mark(scenario: Scenario, effect: Effect) -> Mark:
    return Mark(
        f"event-{effect.subject}",
        pgettext("mark", "Event"),
        event_name(effect.subject),
        "5",
        effect.holder,
    )


MARKS: dict[str, Callable[[Scenario, Effect], Mark | None]] = {
    "holding": holding_mark,
    "card": card_mark,
    "structure": structure_mark,
    "attack": attack_mark,
    "truce": truce_mark,
    "slot": slot_mark,
    "turn": turn_mark,
    "seat": seat_mark,
    "event": event_mark,
}
