"""The dice: the commitment, the published links, and the rolls."""

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
from api.base import CampaignContext, CampaignResource
from campaign.dice import selectors as dice_selectors
from campaign.log import record, selectors
from campaign.models import DiceRoll
from games.contract.plain import RawMove


class NeededDie(s.Serializer):
    """A die that a move needs."""

    purpose = s.CharField()
    sides = s.IntegerField()


class AwaitedDie(NeededDie):
    """A die that a move waits for, with the move."""

    seat = s.CharField()
    text = s.CharField(help_text="The move in words.")
    dice = NeededDie(
        many=True,
        help_text=(
            "The dice that the move will need, as far as they can be foreseen; only for its"
            " seat and the game master."
        ),
    )


class RenewedDice(s.Serializer):
    """A new chain of dice.

    From its entry on, every purpose that has not been thrown before takes its die from this chain.
    """

    commitment = s.CharField()
    links = s.ListField(child=s.CharField(), help_text="The published links, link 0 first.")
    entry = s.IntegerField(allow_null=True, help_text="The entry with the commitment.")


class Stage(s.Serializer):
    """The randomness that is mixed into the dice of a turn.

    Turn 0 is the start, which also serves turn 1.
    """

    turn = s.IntegerField()
    chain = s.IntegerField(help_text="0 for the first chain, n for renewal n.")
    ready = s.BooleanField(help_text="Whether dice can be thrown.")
    words = s.DictField(child=s.CharField(), help_text="The words by seat.")
    words_closed = s.BooleanField()
    draw = s.JSONField(
        allow_null=True,
        help_text=(
            "The draw as the game master named it: source, name, falls, round, wheels, numbers."
        ),
    )
    drawn = s.CharField(allow_blank=True)
    url = s.CharField(allow_blank=True)
    without = s.CharField(
        allow_blank=True, help_text="The reason why the turn goes on without a draw."
    )
    corrected = s.ListField(
        child=s.CharField(),
        help_text="Values that were entered first and then corrected, the oldest first.",
    )
    signature = s.CharField(
        allow_blank=True, help_text="drand's signature of the round, as the worker verified it."
    )
    unconfirmed = s.BooleanField(
        help_text="Whether a drand value was typed in and has not been confirmed yet."
    )
    true_draw = s.CharField(
        allow_blank=True,
        help_text="The true number of the round, if the number that was typed in is wrong.",
    )


class Dice(s.Serializer):
    """Everything that proves the dice of a campaign."""

    commitment = s.CharField(
        help_text="The commitment, published before the start. It proves every link."
    )
    links = s.ListField(
        child=s.CharField(),
        help_text="The published links, link 0 first. Each proves the dice of its turn.",
    )
    imported = s.BooleanField(
        help_text=(
            "Whether the campaign began as a record, whose owner may have known its first dice."
        )
    )
    renewals = RenewedDice(many=True)
    chance = s.CharField(
        allow_blank=True,
        help_text="The randomness that is mixed in: words, draw, both; empty: none.",
    )
    mixed = Stage(many=True, help_text="The stages so far; the last one may still be open.")
    last_link = s.IntegerField()
    by_hand = s.BooleanField(help_text="Whether every new die is thrown elsewhere and entered.")
    awaited = AwaitedDie(allow_null=True)
    check = s.CharField(
        help_text=(
            "The address of the published links and all rolls, which verify.py compares with"
            " the log."
        )
    )
    rolls = s.CharField()


class Proof(s.Serializer):
    """The calculation behind a published roll.

    `mac` is the HMAC-SHA256 of `message` with the link as its key, and `number` is its first eight
    bytes.
    """

    message = s.CharField()
    mac = s.CharField()
    number = s.CharField(help_text="A number below 2⁶⁴, written as text.")


class RollLine(s.Serializer):
    """A roll with its proof."""

    entry = s.IntegerField(allow_null=True)
    seat = s.CharField(allow_blank=True)
    at = s.DateTimeField()
    purpose = s.CharField()
    sides = s.IntegerField()
    value = s.IntegerField()
    link = s.IntegerField(help_text="The link that proves it.")
    struck = s.BooleanField()
    by_hand = s.BooleanField()
    seen_at = s.CharField(
        allow_null=True,
        help_text="The address where the roll can be seen, given by the user who entered it.",
    )
    text = s.CharField()
    proof = Proof(
        allow_null=True,
        help_text="Null until its link is published, and for dice thrown elsewhere.",
    )


class RollPage(s.Serializer):
    """One page of rolls."""

    results = RollLine(many=True)
    next = s.CharField(allow_null=True)


# Facts for the serializers


@dataclass(frozen=True, slots=True)
class NeededDieFacts:
    """The facts of `NeededDie`."""

    purpose: str
    sides: int


@dataclass(frozen=True, slots=True)
class AwaitedDieFacts(NeededDieFacts):
    """The facts of `AwaitedDie`."""

    seat: str
    text: str
    dice: list[NeededDieFacts]


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
    awaited: AwaitedDieFacts | None
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


# The proofs of the dice, and every roll that the reader may see


class DiceView(CampaignResource):
    """The proofs of the dice of a campaign."""

    @extend_schema(summary="Proofs of the dice", responses=Dice)
    def get(self, request: Request, ref: str) -> Response:
        """Return the commitment, the published links, and the die that a move waits for."""
        address = reverse("rolls_file", args=[self.here.campaign.address])
        return self.answer(Dice, dice_facts(self.here, request.build_absolute_uri(address)))


def dice_facts(here: CampaignContext, check: str) -> DiceFacts:
    """Return everything that proves the dice. `check` is the address of the rolls for verify.py."""
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


def known_stages(here: CampaignContext) -> list[dice_selectors.Stage]:
    """Return the stages of mixing so far, with the stage that may still be open."""
    stages = dice_selectors.stages(here.campaign)
    ahead = dice_selectors.next_stage(here.campaign)
    return stages if ahead is None or ahead in stages else [*stages, ahead]


def stage_facts(stage: dice_selectors.Stage) -> StageFacts:
    """Return the randomness that was mixed into the dice of a turn."""
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


def awaited_facts(here: CampaignContext) -> AwaitedDieFacts | None:
    """Return the die that a move waits for; None if no move waits."""
    awaited = dice_selectors.awaited_die(here.campaign)
    if awaited is None:
        return None
    seat = seat_of_move(awaited.move)
    dice = (
        dice_selectors.dice_of_parked_move(here.campaign, here.position)
        if here.access.speaks_for(seat)
        else []
    )
    return AwaitedDieFacts(
        purpose=awaited.purpose,
        sides=awaited.sides,
        seat=seat,
        text=here.title.move_line(here.scenario, awaited.move),
        dice=[NeededDieFacts(purpose, sides) for purpose, sides in dice],
    )


def seat_of_move(move: RawMove) -> str:
    """Return the seat for which a move is made."""
    return str(move.get("for", move["by"]))


class RollsView(CampaignResource):
    """The rolls of a campaign."""

    @extend_schema(summary="Rolls", responses=RollPage, parameters=paging.PARAMETERS)
    def get(self, request: Request, ref: str) -> Response:
        """Return the rolls, the newest first, including those of struck moves."""
        rolls = selectors.rolls(self.here.campaign, self.here.access)
        facts_of = roll_facts_of(self.here)
        return paging.page(
            request, rolls, RollLine, lambda shown: [facts_of(roll) for roll in shown]
        )


def roll_facts_of(here: CampaignContext) -> Callable[[DiceRoll], RollLineFacts]:
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
    """Return the proof of a roll; None until its link is published."""
    proof = dice_selectors.dice_proof(roll, chains)
    return ProofFacts(proof.message, proof.mac, str(proof.number)) if proof else None
