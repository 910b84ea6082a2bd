"""The answer to a challenge (7.8): its form, and the given answer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop as noop
from django.utils.translation import pgettext, pgettext_lazy

from campaign.log.selectors import Line
from campaign.models import GAME_MASTER
from engine.errors import IllegalMove
from engine.language import sentence
from games.contract.title import Offer
from games.grand_campaign.rules.attacks import CARD_RULE, WITH_ANSWER, encounter_due
from games.grand_campaign.text.words import (
    book,
    card_name,
    listed,
    province_name,
    structure_name,
)
from web.battles.contract import Known, RuleText, TypedAnswer, TypedOnPage
from web.frame.table import TableContext
from web.moves.actions import ActionOutcome, move_words_of
from web.moves.chances import OwnChance, chance_reader

ANSWERS = {
    "accept": pgettext_lazy("answer to an attack", "Accept"),
    "withdraw": pgettext_lazy("answer to an attack", "Withdraw"),
    "escort": pgettext_lazy("answer to an attack", "Escort"),
}
FINAL_VERBS = {
    "accept": noop("Accept now"),
    "withdraw": noop("Withdraw now"),
    "escort": noop("Try the escort now"),
}
"""The button that gives an answer after its consequences were shown."""


@dataclass(frozen=True, slots=True)
class CardChoice:
    """A card of the hand that may go with an answer; `why` is the reason if it may not."""

    key: str
    name: str
    text: str
    why: str
    rule: str
    chosen: bool

    @property
    def note(self) -> str:
        return self.why or self.text


@dataclass(frozen=True, slots=True)
class Answer:
    """A possible answer, with its consequences in a line; `why` is the reason if it is refused."""

    key: str
    name: str
    line: str
    rule: str
    why: str
    chosen: bool

    @property
    def note(self) -> str:
        return self.why or self.line


@dataclass(frozen=True, slots=True)
class AnswerSheet:
    """The form that answers a challenge.

    `for_another` means that a game master answers for a player, and must open the form first.
    `choice` is the name of the typed answer, `final_verb` the button that confirms it, `outcome`
    its result, and `signature` identifies it. `question` says who attacks what, and `chance` has
    the chances of the reader's side if a model decides the battle.
    """

    name: str
    question: str
    chance: OwnChance | None
    for_another: bool
    is_open: bool
    answers: list[Answer]
    cards: list[CardChoice]
    choice: str
    final_verb: str
    signature: str
    outcome: ActionOutcome | None

    @property
    def title(self) -> str:
        if self.for_another:
            return sentence(_("Answer for {nation:the}"), nation=self.name)
        return _("Answer the challenge")

    @property
    def asks_again(self) -> bool:
        """Return whether the answer rolls dice or gives the province up."""
        return self.outcome is not None and bool(self.outcome.follow and self.outcome.asks)


@dataclass(frozen=True, slots=True)
class GivenAnswer:
    """The answer that was given to a challenge; `number` is that of its entry."""

    number: int | None
    url: str
    name: str
    line: str
    rule: str


def answer_move(number: int, by: Mapping[str, str], answer: TypedAnswer) -> dict[str, Any] | None:
    """Return an answer in record form, or None if none is chosen.

    `by` identifies the seat that answers. A withdrawal takes no cards (7.8).
    """
    if answer.choice not in ANSWERS:
        return None
    raw = {**by, "move": "respond", "attack": number, "choice": answer.choice}
    takes_cards = answer.cards and answer.choice != "withdraw"
    return {**raw, "cards": list(answer.cards)} if takes_cards else raw


def refusal_of(table: TableContext, raw: Mapping[str, Any]) -> RuleText | None:
    """Return why the rules refuse a move now, or None if it is possible."""
    try:
        move = table.title.decode(dict(raw), table.position)
        move.admit(table.position)
        move.check(table.position)
    except IllegalMove as refusal:
        return _in_words(table, refusal)
    return None


def _in_words(table: TableContext, refusal: IllegalMove) -> RuleText:
    return RuleText(table.title.refusal(table.scenario, refusal), refusal.rule)


def answer_sheet(
    table: TableContext, known: Known, typed: TypedOnPage, outcome: ActionOutcome | None
) -> AnswerSheet | None:
    """Return the form of the answer, or None for a reader who cannot give it."""
    seat = known["defender"]
    if known["status"] != "challenged" or not seat:
        return None
    if not table.access.speaks_for(seat) or not table.access.opens(seat):
        return None
    offers, answer = _offers(table, known), typed.answer or TypedAnswer()
    is_own = seat in table.own_seats
    chances = chance_reader(table, move_words_of(table), seat)
    return AnswerSheet(
        name=table.name_of(seat),
        question=_question(table, known),
        chance=chances.of_contest(table.position, known["id"]) if chances is not None else None,
        for_another=not is_own,
        is_open=is_own or typed.answer is not None or typed.opens_answer,
        answers=[
            _answer(table, known, offers[key], answer.choice) for key in ANSWERS if key in offers
        ],
        cards=_cards(table, known, offers["accept"], answer.cards),
        choice=str(ANSWERS[answer.choice]) if answer.choice in ANSWERS else "",
        final_verb=_(FINAL_VERBS[answer.choice]) if answer.choice in FINAL_VERBS else "",
        signature=answer.signature if typed.answer is not None else "",
        outcome=outcome if typed.answer is not None else None,
    )


def _question(table: TableContext, known: Known) -> str:
    return sentence(
        _("{attacker:The} {attacker:attack|attacks} {province}. What do you answer?"),
        attacker=table.name_of(known["attacker"]),
        province=province_name(table.scenario, known["target"]),
    )


def _offers(table: TableContext, known: Known) -> dict[str, Offer]:
    """Return the answers that the rules offer, by their keys."""
    seat = known["defender"]
    by = seat if seat in table.own_seats else GAME_MASTER
    return {
        str(offer.given["choice"]): offer
        for offer in table.title.offers(table.position, seat, by)
        if offer.move == "respond" and offer.given["attack"] == known["id"]
    }


def _answer(table: TableContext, known: Known, offer: Offer, chosen: str) -> Answer:
    key = str(offer.given["choice"])
    if offer.refusal is not None:
        refusal = _in_words(table, offer.refusal)
        return Answer(key, str(ANSWERS[key]), "", refusal.rule, refusal.text, chosen=False)
    follows = {"accept": _acceptance, "withdraw": _withdrawal, "escort": _escort}[key]
    line, rule = follows(table, known, offer)
    return Answer(key, str(ANSWERS[key]), line, rule, "", chosen=chosen == key)


def _acceptance(table: TableContext, known: Known, offer: Offer) -> RuleText:
    """Return the armies that meet, and whether a naval encounter comes first."""
    facts = {
        "points": known["points_defender"],
        "other": known["points_attacker"],
        "module": _module(known),
    }
    if encounter_due(table.position, table.position.attacks[known["id"] - 1]):
        text = _(
            "First an encounter at sea; if the attackers win it, {points} points against {other}, "
            "{module}"
        )
        return RuleText(sentence(text, **facts), "8.1")
    return RuleText(sentence(_("{points} points against {other}, {module}"), **facts), "")


def _escort(table: TableContext, known: Known, offer: Offer) -> RuleText:
    text = _(
        "d6: on {least}–6 an escort baggage train with you as its attacker, otherwise {module}"
    )
    least = table.position.rules.escort_from
    return RuleText(sentence(text, least=least, module=_module(known)), "7.8")


def _module(known: Known) -> str:
    return str(book()["battles"][known["battle"]])


def _withdrawal(table: TableContext, known: Known, offer: Offer) -> RuleText:
    """Return the price of a withdrawal: the odds of the siege, the province, the income."""
    position, rule = table.position, "9.10"
    try:
        ways = table.title.branches(position, table.title.decode(offer.raw({}), position))
    except IllegalMove:
        return RuleText("", rule)
    income = sum(
        effect.change
        for effect in ways[-1].effects
        if effect.kind == "account" and effect.holder == offer.seat and effect.subject == "income"
    )
    held, of = ways[0].chance
    text = sentence(
        _withdrawal_text(costs_income=bool(income), is_besieged=len(ways) > 1),
        fortification=structure_name(_fortification(table, known)),
        n=held,
        of=of,
        province=province_name(table.scenario, known["target"]),
        income=f"−{-income}",
    )
    return RuleText(text, rule)


def _withdrawal_text(*, costs_income: bool, is_besieged: bool) -> str:
    if not is_besieged:
        if costs_income:
            return _("{province} is lost, income {income}t, no battle effects")
        return _("{province} is lost, no battle effects")
    if costs_income:
        return _(
            "{fortification} alone hold on 1–{n} of {of}; otherwise {province} is lost, income "
            "{income}t, no battle effects"
        )
    return _(
        "{fortification} alone hold on 1–{n} of {of}; otherwise {province} is lost, no battle "
        "effects"
    )


def _fortification(table: TableContext, known: Known) -> str:
    level = table.position.fortification.get(known["target"], 0)
    return str(table.position.rules.fortifications[level - 1].name) if level else ""


def _cards(
    table: TableContext, known: Known, accept: Offer, chosen: Sequence[str]
) -> list[CardChoice]:
    """Return the cards in the hand that rule 4.4 allows with an answer.

    A card that cannot be played now comes with the reason.
    """
    hand = sorted(set(table.position.nations[known["defender"]].hand) & WITH_ANSWER)
    playable = {card for cards in accept.values("cards") or () for card in cards}
    texts = _card_texts(table)
    choices = []
    for card in hand:
        refusal = None if card in playable else refusal_of(table, accept.raw({"cards": [card]}))
        why, rule = refusal or RuleText("", CARD_RULE.get(card, ""))
        choices.append(
            CardChoice(card, card_name(card), texts.get(card, ""), why, rule, card in chosen)
        )
    return choices


def _card_texts(table: TableContext) -> dict[str, str]:
    rules = table.position.rules
    return {
        "reinforcements": sentence(
            _("+{points} points for this battle"), points=rules.army["reinforcements"]
        ),
        "scouts": _("you choose the terrain"),
        "naval-technology": sentence(_("+{n} in the encounter at sea"), n=rules.naval_technology),
    }


def given_answer(table: TableContext, known: Known, moves: Sequence[Line]) -> GivenAnswer | None:
    """Return the answer to the challenge, or None if there is none."""
    key = known["answer"]
    if not key:
        return None
    entry = next((line for line in moves if line.entry.content.get("move") == "respond"), None)
    number = entry.number if entry else None
    line = sentence(
        _given_text(known),
        points=known["points_defender"],
        other=known["points_attacker"],
        cards=listed([card_name(card) for card in known["cards_defender"]]),
    )
    return GivenAnswer(
        number=number,
        url=table.url("entry", number) if number is not None else "",
        name=str(ANSWERS[key]),
        line=line,
        rule="9.10" if key == "withdraw" else "7.8",
    )


def _given_text(known: Known) -> str:
    """Return the message about an answer and the cards that went with it."""
    has_cards = bool(known["cards_defender"])
    if known["answer"] == "withdraw":
        return _("the province is given up without a battle")
    if known["answer"] == "accept":
        if has_cards:
            return _("{points} points against {other}, with {cards}")
        return pgettext("battle answer", "{points} points against {other}")
    if known["module_attacker"] == "defender":
        if has_cards:
            return _("forced: an escort baggage train, with {cards}")
        return _("forced: an escort baggage train")
    if has_cards:
        return _("not forced: played as launched, with {cards}")
    return _("not forced: played as launched")
