"""The outcome of a battle from its log: times, result, dice and effects."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal

from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from campaign.log.acts.battles import SET_UP
from campaign.log.selectors import Line
from engine.effects import Effect, Phrase
from engine.language import capitalize, sentence
from games.contract.title import Branch
from games.grand_campaign.drawing.plane import plane
from games.grand_campaign.rules.scenario import Scenario
from games.grand_campaign.text import battles as words
from games.grand_campaign.text.battle_stages import Moments
from games.grand_campaign.text.results import names_of_sides
from games.grand_campaign.text.verdicts import verdict, whole_if_possible, written
from games.grand_campaign.text.words import dice_decisions
from games.kit.move_words import move_words
from web.battles.contract import BattleRecord, Known
from web.frame.table import TableContext
from web.moves.preview import Follow, outcome_columns
from web.titles.grand_campaign.battle_results import colours_of_sides


@dataclass(frozen=True, slots=True)
class BattleDie:
    """A die of the battle: its purpose in words, its value and its sides."""

    text: str
    value: int
    sides: int


@dataclass(frozen=True, slots=True)
class BattleResult:
    """The result of a battle.

    `explanation` says how it was entered, `follow` has its effects.
    """

    word: str
    explanation: str
    rule: str
    plane: str
    dice: list[BattleDie]
    follow: Follow | None


def moments(known: Known, moves: Sequence[Line], record: BattleRecord) -> Moments:
    """Return the times at which the battle reached its stages.

    `moves` has the latest line first.
    """
    answers = [line.entry.at for line in moves if line.entry.content.get("move") == "respond"]
    set_ups = [entry.at for entry in record.acts if entry.act == SET_UP.name]
    end, claim = _last_move(known, moves), record.claim_in_force(is_running=words.running(known))
    claimant = claim.entry.actor if claim is not None else None
    closer = claim.last_act.actor if claim is not None else None
    return Moments(
        launched=moves[-1].entry.at if moves else None,
        answered=answers[-1] if answers else None,
        set_up=set_ups[-1] if set_ups else None,
        claimed=claim.entry.at if claim is not None else None,
        claimant=claimant.username if claimant is not None else "",
        claim=claim.state if claim is not None else "",
        closed=claim.last_act.at if claim is not None else None,
        closer=closer.username if closer is not None else "",
        resolved=end.entry.at if end is not None else None,
    )


def _last_move(known: Known, moves: Sequence[Line]) -> Line | None:
    """Return the move by which the battle ended."""
    return next((line for line in moves if _ends_battle(line, known)), None)


def _ends_battle(line: Line, known: Known) -> bool:
    return any(
        effect.kind == "attack" and effect.subject == str(known["id"]) and "outcome" in effect.facts
        for effect in line.effects
    )


def battle_result(table: TableContext, known: Known, moves: Sequence[Line]) -> BattleResult | None:
    """Return the result of the battle, or None while it is running."""
    if words.running(known):
        return None
    word, dice = words.state_word(table.scenario, known)[0], _dice(table, known, moves)
    line = _last_move(known, moves)
    if line is None:
        return BattleResult(word=word, explanation="", rule="", plane="", dice=dice, follow=None)
    is_own = line.entry.content.get("attack") == known["id"]
    follow = _followed(table, known, line.effects) if is_own else None
    if is_own and "routed" in line.entry.content:
        explanation, picture = _explain_shares(table, known, line.entry.content["routed"])
        return BattleResult(
            word=word, explanation=explanation, rule="9.1", plane=picture, dice=dice, follow=follow
        )
    explanation = f"{capitalize(line.text)}."
    return BattleResult(
        word=word, explanation=explanation, rule="", plane="", dice=dice, follow=follow
    )


def _explain_shares(
    table: TableContext, known: Known, routed: Mapping[str, object]
) -> tuple[str, str]:
    """Return a result of two shares as a sentence, and its plane."""
    names = names_of_sides(table.scenario, known)
    own, enemy = (
        whole_if_possible(Decimal(str(routed[side]))) for side in ("attacker", "defender")
    )
    outcome = verdict(table.scenario, own, enemy, names)
    explanation = sentence(
        _("Routed {attacker}–{defender}. {verdict} {why}"),
        attacker=written(own),
        defender=written(enemy),
        verdict=outcome.sentence(names),
        why=f"{capitalize(outcome.why)}.",
    )
    picture = plane(table.scenario, colours_of_sides(known), names, (own, enemy))
    return explanation, SafeString(picture)  # `plane` escapes names.


def _dice(table: TableContext, known: Known, moves: Sequence[Line]) -> list[BattleDie]:
    purpose = f"turn-{known['turn']}/attack/{known['attacker']}/{known['target']}/"
    return [
        BattleDie(table.title.roll_line(table.scenario, roll), roll.value, roll.sides)
        for line in reversed(moves)
        for roll in line.rolls
        if roll.purpose.startswith(purpose)
    ]


def decided_by_dice(scenario: Scenario, known: Known, moves: Sequence[Line]) -> list[str]:
    """Return the rolls between challenge and battle as sentences: escort, encounter (7.8, 8.1)."""
    effects = [
        effect
        for line in reversed(moves)
        for effect in line.effects
        if effect.cause.facts.get("target") == known["target"]
    ]
    return dice_decisions(scenario, effects)


def _followed(table: TableContext, known: Known, effects: Sequence[Effect]) -> Follow:
    """Return the effects of the result as a single branch that has happened."""
    happened = Branch(Phrase("certain"), (1, 1), tuple(effects), table.position)
    words = move_words(table.title, table.scenario, table.position)
    return outcome_columns(words, [happened], sees=table.access.sees, first=known["attacker"])
