"""The answer to a challenge (7.8): the form that gives it, and what was answered."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop as noop

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
from web.moves.deeds import Deed

ANSWERS = {"accept": noop("Accept"), "withdraw": noop("Withdraw"), "escort": noop("Escort")}


@dataclass(frozen=True, slots=True)
class CardChoice:
    """A card of the hand that may go with an answer; `why` says why it may not."""

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
    """A way to answer, with what follows in a line; `why` says why it is not possible."""

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

    `for_another`: a game master answers for a player, who has to open the form first. `choice` is
    the answer that was typed, `deed` what became of it, and `signature` identifies it.
    """

    name: str
    for_another: bool
    is_open: bool
    answers: list[Answer]
    cards: list[CardChoice]
    choice: str
    signature: str
    deed: Deed | None

    @property
    def title(self) -> str:
        if self.for_another:
            return sentence(_("Answer for {nation:the}"), nation=self.name)
        return _("Answer the challenge")

    @property
    def asks_again(self) -> bool:
        """Return whether the answer throws dice or gives the province up."""
        return self.deed is not None and bool(self.deed.follow and self.deed.asks)

    @property
    def final_verb(self) -> str:
        return sentence(_("{choice} now"), choice=self.choice)


@dataclass(frozen=True, slots=True)
class GivenAnswer:
    """How a challenge was answered; `number` is the entry that says so."""

    number: int | None
    url: str
    name: str
    line: str
    rule: str


def answer_move(number: int, by: Mapping[str, str], answer: TypedAnswer) -> dict[str, Any] | None:
    """Return an answer in record form; None if none is chosen.

    `by` says who speaks. A withdrawal takes no cards (7.8).
    """
    if answer.choice not in ANSWERS:
        return None
    raw = {**by, "move": "respond", "attack": number, "choice": answer.choice}
    takes_cards = answer.cards and answer.choice != "withdraw"
    return {**raw, "cards": list(answer.cards)} if takes_cards else raw


def refusal_of(table: TableContext, raw: Mapping[str, Any]) -> RuleText | None:
    """Return why the rules refuse a move now; None if it is possible."""
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
    table: TableContext, known: Known, typed: TypedOnPage, deed: Deed | None
) -> AnswerSheet | None:
    """Return the form of the answer; None for everyone who cannot give it."""
    seat = known["defender"]
    if known["status"] != "challenged" or not seat:
        return None
    if not table.access.speaks_for(seat) or not table.access.opens(seat):
        return None
    offers, answer = _offers(table, known), typed.answer or TypedAnswer()
    is_own = seat in table.own_seats
    return AnswerSheet(
        name=table.name_of(seat),
        for_another=not is_own,
        is_open=is_own or typed.answer is not None or typed.opens_answer,
        answers=[
            _answer(table, known, offers[key], answer.choice) for key in ANSWERS if key in offers
        ],
        cards=_cards(table, known, offers["accept"], answer.cards),
        choice=_(ANSWERS[answer.choice]) if answer.choice in ANSWERS else "",
        signature=answer.signature if typed.answer is not None else "",
        deed=deed if typed.answer is not None else None,
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
        return Answer(key, _(ANSWERS[key]), "", refusal.rule, refusal.text, chosen=False)
    follows = {"accept": _acceptance, "withdraw": _withdrawal, "escort": _escort}[key]
    line, rule = follows(table, known, offer)
    return Answer(key, _(ANSWERS[key]), line, rule, "", chosen=chosen == key)


def _acceptance(table: TableContext, known: Known, offer: Offer) -> RuleText:
    """Return which armies meet, and whether an encounter at sea comes first."""
    facts = {
        "points": known["points_defender"],
        "other": known["points_attacker"],
        "module": _module(known),
    }
    if encounter_due(table.position, table.position.attacks[known["id"] - 1]):
        text = _(
            "An encounter at sea first; won by them, {points} points against {other}, {module}"
        )
        return RuleText(sentence(text, **facts), "8.1")
    return RuleText(sentence(_("{points} points against {other}, {module}"), **facts), "")


def _escort(table: TableContext, known: Known, offer: Offer) -> RuleText:
    text = _("d6: on {least}–6 an escort baggage train with you as its attacker, else {module}")
    least = table.position.rules.escort_from
    return RuleText(sentence(text, least=least, module=_module(known)), "7.8")


def _module(known: Known) -> str:
    return str(book()["battles"][known["battle"]])


def _withdrawal(table: TableContext, known: Known, offer: Offer) -> RuleText:
    """Return what a withdrawal costs: the odds of the siege, the province, the income."""
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
    text = (
        _("{province} is lost, income {income}t, no battle effects")
        if income
        else _("{province} is lost, no battle effects")
    )
    province = province_name(table.scenario, known["target"])
    price = sentence(text, province=province, income=f"−{-income}")
    if len(ways) == 1:
        return RuleText(price, rule)
    held, of = ways[0].chance
    text = _("{fortification} alone hold on 1–{n} of {of}; else {price}")
    walls = structure_name(_fortification(table, known))
    return RuleText(sentence(text, fortification=walls, n=held, of=of, price=price), rule)


def _fortification(table: TableContext, known: Known) -> str:
    level = table.position.fortification.get(known["target"], 0)
    return str(table.position.rules.fortifications[level - 1].name) if level else ""


def _cards(
    table: TableContext, known: Known, accept: Offer, chosen: Sequence[str]
) -> list[CardChoice]:
    """Return the cards of 4.4 in the hand; those that cannot be played now say why."""
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
        "scouts": _("you determine the terrain"),
        "naval-technology": sentence(_("+{n} in the encounter at sea"), n=rules.naval_technology),
    }


def given_answer(table: TableContext, known: Known, moves: Sequence[Line]) -> GivenAnswer | None:
    """Return how the challenge was answered; None if it was not, or needed no answer."""
    key = known["answer"]
    if not key:
        return None
    entry = next((line for line in moves if line.entry.content.get("move") == "respond"), None)
    number, line = entry.number if entry else None, _given_line(table, known)
    cards = [card_name(card) for card in known["cards_defender"]]
    if cards:
        line = sentence(_("with {cards}. {line}"), cards=listed(cards), line=line)
    return GivenAnswer(
        number=number,
        url=table.url("entry", number) if number is not None else "",
        name=_(ANSWERS[key]),
        line=line,
        rule="9.10" if key == "withdraw" else "7.8",
    )


def _given_line(table: TableContext, known: Known) -> str:
    if known["answer"] == "withdraw":
        return _("the province is given up without a battle")
    if known["answer"] == "accept":
        points, other = known["points_defender"], known["points_attacker"]
        return sentence(_("{points} points against {other}"), points=points, other=other)
    if known["module_attacker"] == "defender":
        return _("forced: an escort baggage train")
    return _("not forced: played as launched")
