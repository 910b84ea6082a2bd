"""The dice: what was promised, what is published, what was thrown."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.urls import reverse
from drf_spectacular.utils import extend_schema
from rest_framework import serializers as s
from rest_framework.request import Request
from rest_framework.response import Response

from api import paging
from api.base import Here, OfCampaign
from campaign.dice import selectors as dice_selectors
from campaign.log import record, selectors
from campaign.models import DiceRoll
from games.contract.plain import RawMove


class Wanted(s.Serializer):
    purpose = s.CharField()
    sides = s.IntegerField()


class Awaited(Wanted):
    """A die that an announcement waits for."""

    seat = s.CharField()
    text = s.CharField(help_text="The announcement.")
    dice = Wanted(
        many=True,
        help_text="What it will want as far as can be told, for its seat and the game master.",
    )


class RenewedDice(s.Serializer):
    """New dice from an entry on: every purpose that was not thrown before it comes from
    this chain.
    """

    commitment = s.CharField()
    links = s.ListField(child=s.CharField(), help_text="Those published, link 0 first.")
    entry = s.IntegerField(allow_null=True, help_text="Which entry promised them.")


class Stage(s.Serializer):
    """What is mixed into the dice of a turn; 0 is the start, whose mixture serves turn 1, too."""

    turn = s.IntegerField()
    chain = s.IntegerField(help_text="0 is the first one, n that of renewal n.")
    ready = s.BooleanField(help_text="Dice may be thrown from it.")
    words = s.DictField(child=s.CharField(), help_text="By seat.")
    words_closed = s.BooleanField()
    draw = s.JSONField(
        allow_null=True,
        help_text=(
            "The draw as the game master named it: source, name, falls, round, wheels, numbers."
        ),
    )
    drawn = s.CharField(allow_blank=True)
    url = s.CharField(allow_blank=True)
    without = s.CharField(allow_blank=True, help_text="Why the turn goes on without a draw.")
    corrected = s.ListField(
        child=s.CharField(),
        help_text="Values that were entered first and then corrected, the oldest first.",
    )
    signature = s.CharField(
        allow_blank=True, help_text="drand's signature of the round, as the worker verified it."
    )
    unconfirmed = s.BooleanField(
        help_text="Whether a drand value was typed and is not confirmed yet."
    )
    true_draw = s.CharField(
        allow_blank=True, help_text="The round's true number, if the typed number is false."
    )


class Dice(s.Serializer):
    commitment = s.CharField(help_text="The promise of before the start: it proves every link.")
    links = s.ListField(
        child=s.CharField(),
        help_text="Those published, link 0 first: each proves the dice of its turn.",
    )
    imported = s.BooleanField(
        help_text="It began as a record: whoever brought it may have known its first dice."
    )
    renewals = RenewedDice(many=True)
    chance = s.CharField(
        allow_blank=True, help_text="What is mixed in: words, draw, both; empty: nothing."
    )
    mixed = Stage(many=True, help_text="What was said so far; the last one may still be open.")
    last_link = s.IntegerField()
    by_hand = s.BooleanField(help_text="Every new die is thrown elsewhere and entered.")
    awaited = Awaited(allow_null=True)
    check = s.CharField(
        help_text="The published links and every roll, which verify.py compares with the log."
    )
    rolls = s.CharField()


class Proof(s.Serializer):
    """How a published roll comes about: the HMAC-SHA256 of `message` by the link, and the number of
    its first eight bytes.
    """

    message = s.CharField()
    mac = s.CharField()
    number = s.CharField(help_text="Up to 2⁶⁴, so written as text.")


class RollLine(s.Serializer):
    entry = s.IntegerField(allow_null=True)
    seat = s.CharField(allow_blank=True)
    at = s.DateTimeField()
    purpose = s.CharField()
    sides = s.IntegerField()
    value = s.IntegerField()
    link = s.IntegerField(help_text="Which link proves it.")
    struck = s.BooleanField()
    by_hand = s.BooleanField()
    seen_at = s.CharField(
        allow_null=True, help_text="Where it was seen thrown, as who entered it says."
    )
    text = s.CharField()
    proof = Proof(
        allow_null=True, help_text="Null until its link is published, and of dice thrown elsewhere."
    )


class RollPage(s.Serializer):
    results = RollLine(many=True)
    next = s.CharField(allow_null=True)


# Facts for the serializers


@dataclass(frozen=True, slots=True)
class WantedFacts:
    """The facts of `Wanted`."""

    purpose: str
    sides: int


@dataclass(frozen=True, slots=True)
class AwaitedFacts(WantedFacts):
    """The facts of `Awaited`."""

    seat: str
    text: str
    dice: list[WantedFacts]


@dataclass(frozen=True, slots=True)
class StageFacts:
    """The facts of `Stage`."""

    turn: int
    chain: int
    ready: bool
    words: Mapping[str, str]
    words_closed: bool
    draw: Mapping[str, object] | None
    drawn: str
    url: str
    without: str
    corrected: Sequence[str]
    signature: str
    unconfirmed: bool
    true_draw: str


@dataclass(frozen=True, slots=True)
class DiceFacts:
    """The facts of `Dice`."""

    commitment: str
    links: list[str]
    imported: bool
    renewals: Sequence[dice_selectors.Chain]
    chance: str
    mixed: list[StageFacts]
    last_link: int
    by_hand: bool
    awaited: AwaitedFacts | None
    check: str
    rolls: str


@dataclass(frozen=True, slots=True)
class ProofFacts:
    """The facts of `Proof`."""

    message: str
    mac: str
    number: str


@dataclass(frozen=True, slots=True)
class RollLineFacts:
    """The facts of `RollLine`."""

    entry: int | None
    seat: str
    at: datetime
    purpose: str
    sides: int
    value: int
    link: int
    struck: bool
    by_hand: bool
    seen_at: str | None
    text: str
    proof: ProofFacts | None


# What was promised, what is published, every roll that its reader may see


class DiceView(OfCampaign):
    @extend_schema(summary="What proves the dice", responses=Dice)
    def get(self, request: Request, ref: str) -> Response:
        address = reverse("rolls_file", args=[self.here.campaign.address])
        return self.answer(Dice, dice_facts(self.here, request.build_absolute_uri(address)))


def dice_facts(here: Here, check: str) -> DiceFacts:
    """Return what proves the dice. `check` is the address of the rolls that verify.py reads."""
    campaign = here.campaign
    return DiceFacts(
        commitment=campaign.commitment,
        links=record.published_links(campaign),
        imported=campaign.imported,
        renewals=record.chains(campaign)[1:],
        chance=campaign.chance,
        mixed=[stage_facts(stage) for stage in known_stages(here)],
        last_link=here.title.last_link(here.scenario),
        by_hand=campaign.by_hand,
        awaited=awaited_facts(here),
        check=check,
        rolls=reverse("api:rolls", args=[campaign.address]),
    )


def known_stages(here: Here) -> list[dice_selectors.Stage]:
    """Return what was mixed in so far, with the stage that may still be open."""
    stages = dice_selectors.stages(here.campaign)
    ahead = dice_selectors.next_stage(here.campaign)
    return stages if ahead is None or ahead in stages else [*stages, ahead]


def stage_facts(stage: dice_selectors.Stage) -> StageFacts:
    return StageFacts(
        turn=stage.link,
        chain=stage.chain,
        ready=stage.done,
        words=dict(stage.words),
        words_closed=stage.closed,
        draw=stage.named,
        drawn=stage.drawn,
        url=stage.url,
        without=stage.without,
        corrected=stage.corrected,
        signature=stage.signature,
        unconfirmed=stage.unconfirmed,
        true_draw=stage.true_draw,
    )


def awaited_facts(here: Here) -> AwaitedFacts | None:
    """Return the die that an announcement waits for; None if none does."""
    awaited = dice_selectors.awaited(here.campaign)
    if awaited is None:
        return None
    seat = seat_of_move(awaited.move)
    dice = (
        dice_selectors.ahead(here.campaign, here.position) if here.access.speaks_for(seat) else []
    )
    return AwaitedFacts(
        purpose=awaited.purpose,
        sides=awaited.sides,
        seat=seat,
        text=here.title.move_line(here.scenario, awaited.move),
        dice=[WantedFacts(purpose, sides) for purpose, sides in dice],
    )


def seat_of_move(move: RawMove) -> str:
    """Return the seat for which a move is made."""
    return str(move.get("for", move["by"]))


class RollsView(OfCampaign):
    @extend_schema(summary="Rolls", responses=RollPage, parameters=paging.PARAMETERS)
    def get(self, request: Request, ref: str) -> Response:
        """The newest first, those of struck moves among them: what was thrown is known."""
        rolls = selectors.rolls(self.here.campaign, self.here.access)
        facts_of = rolls_worded(self.here)
        return paging.page(
            request, rolls, RollLine, lambda shown: [facts_of(roll) for roll in shown]
        )


def rolls_worded(here: Here) -> Callable[[DiceRoll], RollLineFacts]:
    """Return a function that returns the facts of a roll."""
    campaign = here.campaign
    chains, entered = record.chains(campaign), campaign.entered_dice
    seen_at = dice_selectors.links(campaign)

    def facts_of(roll: DiceRoll) -> RollLineFacts:
        by_hand = roll.purpose in entered
        return RollLineFacts(
            entry=roll.entry.number,
            seat=roll.entry.seat,
            at=roll.entry.at,
            purpose=roll.purpose,
            sides=roll.sides,
            value=roll.value,
            link=roll.turn,
            struck=roll.entry.struck_by_id is not None,
            by_hand=by_hand,
            seen_at=seen_at.get(roll.purpose),
            text=here.title.roll_line(here.scenario, roll.roll),
            proof=None if by_hand else proof_facts(roll, chains),
        )

    return facts_of


def proof_facts(roll: DiceRoll, chains: Sequence[dice_selectors.Chain]) -> ProofFacts | None:
    """Return how a roll comes about; None until its link is published."""
    proof = dice_selectors.dice_proof(roll, chains)
    return ProofFacts(proof.message, proof.mac, str(proof.number)) if proof else None
