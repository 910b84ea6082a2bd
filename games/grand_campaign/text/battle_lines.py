"""The battles of a turn, each in a line: who beats whom, where, how close, and what follows."""

from __future__ import annotations

from collections.abc import Mapping

from games.contract.report import Span, Spans
from games.grand_campaign.text import words
from games.grand_campaign.text.report_texts import REPORT
from games.grand_campaign.text.spans import fill_spans, with_capital
from games.grand_campaign.text.turn_facts import Battle
from games.grand_campaign.text.turn_names import TurnNames


def battle_line(names: TurnNames, battle: Battle) -> Spans:
    """Return a battle in a line."""
    core = _core(names, battle)
    notes = ", ".join(_notes(battle))
    if notes:
        core = (*core, Span(f" ({notes})"))
    key = ending(battle)
    if key == "conquered" and battle.attack.outcome == "withdrawn":
        key = "yielded"  # without a winner in the line, "conquered" has no subject
    end = str(REPORT.read()["ends"][key])
    return with_capital(fill_spans(end, battle=core))


def ending(battle: Battle) -> str:
    """Return the key of the province's fate.

    The keys: conquered, taken, held, independent, or still (unchanged).
    """
    if battle.owner == "":
        return "independent"
    if battle.owner is not None:
        return "taken" if battle.attack.siege == "taken" else "conquered"
    return "held" if battle.attack.siege == "held" else "still"


def _core(names: TurnNames, battle: Battle) -> Spans:
    attack = battle.attack
    attacker, defender = names.player(attack.attacker), names.opponent(attack)
    winner, loser = (attacker, defender) if battle.winner == "attacker" else (defender, attacker)
    high, low = battle.score
    texts: Mapping[str, str] = REPORT.read()["battles"]
    return fill_spans(
        str(texts[kind_of_line(battle)]),
        attacker=attacker,
        defender=defender,
        winner=winner,
        loser=loser,
        province=names.province(attack.target),
        high=high,
        low=low,
    )


def kind_of_line(battle: Battle) -> str:
    """Return the key of the sentence about a battle."""
    attack = battle.attack
    if attack.status != "resolved":
        is_open = attack.status == "challenged" and attack.defender is not None
        return "challenged" if is_open else "fighting"
    plain = "" if battle.shares is not None else "-plain"
    match attack.outcome:
        case "lapsed" | "withdrawn":
            return str(attack.outcome)
        case "naval-repulse":
            even = battle.encounter is not None and battle.encounter.id == "encounter-even"
            return "parted" if even else "repulsed"
        case "draw":
            return "called-off" if battle.how == "called-off" else f"draw{plain}"
    if battle.how in ("forfeit", "naval"):
        return battle.how
    return f"won{plain}"


def _notes(battle: Battle) -> list[str]:
    """Return the circumstances of a battle: kind, escort, encounter at sea, cards."""
    attack, texts = battle.attack, REPORT.read()["notes"]
    notes = [] if attack.kind == "land" else [str(words.book()["kinds"][attack.kind])]
    if battle.escort:
        notes.append(str(texts[battle.escort]))
    if battle.encounter is not None and battle.encounter.id == "encounter-won":
        notes.append(str(texts["fleet"]))
    notes += [words.card_name(card) for card in (*attack.cards_attacker, *attack.cards_defender)]
    return notes
