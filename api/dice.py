"""The dice: what was promised, what is published, what was thrown."""

from __future__ import annotations

from typing import Any

from django.urls import reverse
from drf_spectacular.utils import extend_schema
from rest_framework import serializers as s
from rest_framework.request import Request
from rest_framework.response import Response

from api import base
from api.base import OfCampaign, written
from campaign.dice import selectors as dice_selectors
from campaign.log import record, selectors
from campaign.models import DiceRoll


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


# The dice: what was promised, what is published, every roll that its reader may see.


class DiceView(OfCampaign):
    @extend_schema(summary="What proves the dice", responses=Dice)
    def get(self, request: Request, ref: str) -> Response:
        here = self.here
        waits = dice_selectors.awaited(here.campaign)
        facts = {
            "commitment": here.campaign.commitment,
            "links": record.published_links(here.campaign),
            "imported": here.campaign.imported,
            "renewals": [
                {"commitment": one.commitment, "links": one.links, "entry": one.entry}
                for one in record.chains(here.campaign)[1:]
            ],
            "chance": here.campaign.chance,
            "mixed": [stage(one) for one in self.stages()],
            "last_link": here.title.last_link(here.scenario),
            "by_hand": here.campaign.by_hand,
            "awaited": self.awaited(waits) if waits else None,
            "check": request.build_absolute_uri(
                reverse("rolls_file", args=[here.campaign.address])
            ),
            "rolls": reverse("api:rolls", args=[here.campaign.address]),
        }
        return self.answer(Dice, facts)

    def stages(self) -> list[dice_selectors.Stage]:
        known, ahead = (
            dice_selectors.stages(self.here.campaign),
            dice_selectors.next_stage(self.here.campaign),
        )
        return known if ahead is None or ahead in known else [*known, ahead]

    def awaited(self, waits: dice_selectors.Awaited) -> dict[str, Any]:
        here, seat = self.here, str(waits.move.get("for", waits.move["by"]))
        mine = here.access.speaks_for(seat)
        dice = dice_selectors.ahead(here.campaign, here.position) if mine else []
        return {
            "purpose": waits.purpose,
            "sides": waits.sides,
            "seat": seat,
            "text": here.title.move_line(here.scenario, waits.move),
            "dice": [{"purpose": purpose, "sides": sides} for purpose, sides in dice],
        }


def stage(one: dice_selectors.Stage) -> dict[str, Any]:
    return {
        "turn": one.link,
        "chain": one.chain,
        "ready": one.done,
        "words": dict(one.words),
        "words_closed": one.closed,
        "draw": one.named,
        "drawn": one.drawn,
        "url": one.url,
        "without": one.without,
        "corrected": list(one.corrected),
        "signature": one.signature,
        "unconfirmed": one.unconfirmed,
        "true_draw": one.true_draw,
    }


class RollsView(OfCampaign):
    @extend_schema(summary="Rolls", responses=RollPage, parameters=base.PARAMETERS)
    def get(self, request: Request, ref: str) -> Response:
        """The newest first, those of struck moves among them: what was thrown is known."""
        here = self.here
        chains, given, seen_at = (
            record.chains(here.campaign),
            here.campaign.entered_dice,
            dice_selectors.links(here.campaign),
        )

        def line(one: DiceRoll) -> dict[str, Any]:
            by_hand = one.purpose in given
            worked = None if by_hand else dice_selectors.dice_proof(one, chains)
            return {
                "entry": one.entry.number,
                "seat": one.entry.seat,
                "at": one.entry.at,
                "purpose": one.purpose,
                "sides": one.sides,
                "value": one.value,
                "link": one.turn,
                "struck": one.entry.struck_by_id is not None,
                "by_hand": by_hand,
                "seen_at": seen_at.get(one.purpose),
                "text": here.title.roll_line(here.scenario, one.roll),
                "proof": (
                    worked
                    and {"message": worked.message, "mac": worked.mac, "number": str(worked.number)}
                ),
            }

        rows = selectors.rolls(here.campaign, here.access)
        return base.page(request, rows, lambda some: written(RollLine, [line(one) for one in some]))
