"""Previews of moves, and moves."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import serializers as s
from rest_framework.request import Request
from rest_framework.response import Response

from api.base import CampaignContext, CampaignResource, log_speaking_for, read, serialized
from api.fields import number
from api.idempotency import REPLAYED, answer_once
from api.log import EffectFacts, EffectLine, EntryLine, effect_facts, visible_entries
from api.problems import problem
from api.receipts import ActResource, Receipt, moved_on, reloaded
from campaign import services
from campaign.dice import selectors as dice_selectors
from campaign.errors import NotNow, TableMovedOn
from campaign.log import selectors
from campaign.log.acts.dice import DIE
from campaign.log.undo import reveals
from campaign.models import LogEntry
from engine.effects import Phrase
from engine.errors import IllegalMove
from forum.posts.outbox import lacks_announcement
from games.contract.plain import RawMove
from games.contract.title import Branch

UNPOSTED = "unposted-announcement"
"""The code of the refused start, and the value of `confirm` with which the start is accepted."""


CERTAIN = "certain"


class MoveSent(s.Serializer):
    """A move in record form (RECORD.md)."""

    move = s.DictField(
        help_text=(
            'For example {"by": "huns", "move": "end-slot"}. Without `by`, the move is made '
            "by your first voice."
        )
    )

    def body(self) -> MoveBody:
        """Return the validated body."""
        return MoveBody(**self.validated_data)


class MoveToMake(MoveSent):
    """A move to make."""

    seen = number("The number of your last entry when you decided.")
    confirm = s.ListField(
        child=s.ChoiceField([UNPOSTED]),
        required=False,
        default=list,
        help_text=(
            "The questions that you confirm. unposted-announcement: start although the"
            " announcement, which has the commitment of the dice, has not been posted."
        ),
    )

    def body(self) -> MadeMoveBody:
        """Return the validated body."""
        return MadeMoveBody(**self.validated_data)


# Bodies of requests


@dataclass(frozen=True, slots=True)
class MoveBody:
    """A body of `MoveSent`."""

    move: RawMove


@dataclass(frozen=True, slots=True)
class MadeMoveBody(MoveBody):
    """A body of `MoveToMake`."""

    seen: int
    confirm: list[str]


class Chance(s.Serializer):
    """A probability: `favourable` of `of` equally likely cases."""

    favourable = s.IntegerField()
    of = s.IntegerField()


class Way(s.Serializer):
    """One possible outcome of a move."""

    what = s.CharField(help_text="`certain` if no die decides.")
    text = s.CharField(allow_blank=True)
    chance = Chance()
    effects = EffectLine(many=True)


class Preview(s.Serializer):
    """The possible outcomes of a move. No die is thrown, and nothing is written."""

    move = s.DictField()
    text = s.CharField(allow_blank=True)
    ways = Way(
        many=True,
        help_text="Empty if the dice cannot be foreseen, because they concern cards or events.",
    )
    undoable = s.BooleanField(help_text="Whether you could take the move back yourself.")


# Facts for the serializers


@dataclass(frozen=True, slots=True)
class ChanceFacts:
    """The facts of `Chance`."""

    favourable: int
    of: int


@dataclass(frozen=True, slots=True)
class WayFacts:
    """The facts of `Way`."""

    what: str
    text: str
    chance: ChanceFacts
    effects: list[EffectFacts]


@dataclass(frozen=True, slots=True)
class PreviewFacts:
    """The facts of `Preview`."""

    move: RawMove
    text: str
    ways: list[WayFacts]
    undoable: bool


class PreviewView(CampaignResource):
    """Previews of moves."""

    writes = False

    @extend_schema(summary="Preview a move", request=MoveSent, responses=Preview)
    def post(self, request: Request, ref: str) -> Response:
        """Return the possible outcomes of a move with their exact chances.

        The effects are those that you may see. An illegal move gets the same refusal as when it is
        made.
        """
        move = read(MoveSent, request).move
        log_speaking_for(self.here, move)
        return self.answer(Preview, preview_facts(self.here, move))


def preview_facts(here: CampaignContext, move: RawMove) -> PreviewFacts:
    """Return the outcomes of a move; none if its dice cannot be foreseen. Raises `IllegalMove`."""
    branches: Collection[Branch] = ()
    try:
        foreseen = services.preview(here.campaign, here.user, move)
        branches, move = foreseen.branches, foreseen.move
    except IllegalMove as refusal:
        if refusal.code != "no-dice":
            raise
    return PreviewFacts(
        move=move,
        text=move_sentence(here, move),
        ways=[way_facts(here, branch) for branch in branches],
        undoable=is_undoable(here, move, branches),
    )


def is_undoable(here: CampaignContext, move: RawMove, branches: Collection[Branch]) -> bool:
    """Return whether the reader could take the move back without the game master."""
    if str(move.get("by")) not in here.access.seats or len(branches) != 1:
        return False
    (branch,) = branches
    return branch.what.id == CERTAIN and not reveals(branch.effects)


def move_sentence(here: CampaignContext, move: RawMove) -> str:
    """Return a move as a sentence; empty if the sentence needs an argument that is missing."""
    try:
        return here.title.move_line(here.scenario, move)
    except (KeyError, TypeError, ValueError, AttributeError):
        return ""


def way_facts(here: CampaignContext, branch: Branch) -> WayFacts:
    """Return a possible outcome of a move, with the effects that the reader may see."""
    favourable, of = branch.chance
    return WayFacts(
        what=branch.what.id,
        text=", ".join(decided_text(here, phrase) for phrase in branch.path),
        chance=ChanceFacts(favourable, of),
        effects=[effect_facts(here, effect) for effect in branch.effects],
    )


def decided_text(here: CampaignContext, phrase: Phrase) -> str:
    """Return the result of a die in words, or why the rest of the move is no longer possible."""
    try:
        return here.sentence(phrase)
    except KeyError:
        return here.why_not(IllegalMove(phrase.id, phrase.rule, **phrase.facts))


class MovesView(ActResource):
    """The moves of a campaign."""

    @extend_schema(
        summary="Make a move",
        request=MoveToMake,
        responses={201: Receipt, 200: Receipt, 202: Receipt},
    )
    def post(self, request: Request, ref: str) -> Response:
        """Make a move.

        201 with the new entries. 202 if the move waits for a die that is thrown elsewhere. 200 if
        you have already made this move since `seen`; it is not made again. If others have moved
        since `seen`, the move is made only if it is still possible and a preview shows the same now
        as then. Otherwise: 409 with the new `seen` and the entries since. If the announcement of a
        campaign has not been posted, its start gets 409 with the value for `confirm`.
        """
        body = read(MoveToMake, request)
        if (question := self.start_question(body.move, body.confirm)) is not None:
            return question
        return answer_once(request, lambda: self.play(body.move, body.seen))

    def start_question(self, move: RawMove, confirmed: Collection[str]) -> Response | None:
        """Return the question whether to start without the announcement; None if not needed."""
        if move.get("move") != "start" or UNPOSTED in confirmed or not self.here.access.host:
            return None
        if not lacks_announcement(self.here.campaign, self.here.user):
            return None
        text = _(
            "The announcement with the commitment of the dice has not been posted. Post it first, "
            'or send "confirm": ["unposted-announcement"] to start without it.'
        )
        return problem(409, UNPOSTED, text, confirm=[UNPOSTED])

    def play(self, move: RawMove, seen: int) -> Response:
        """Make a move and answer with its receipt, or with the reason why it was not made."""
        here = self.here
        log_speaking_for(here, move)
        try:
            result = services.play(here.campaign, here.user, dict(move), seen)
        except TableMovedOn as moved:
            return self.made_before(moved.again) if moved.again else moved_on(here, moved)
        except NotNow as refusal:
            return self.parked_before(move, refusal)
        except IllegalMove as refusal:
            return self.refused(refusal)
        return self.receipt(result.entries, 0, 201 if result.entries[-1].is_move else 202)

    def made_before(self, entries: Sequence[LogEntry]) -> Response:
        """Answer 200 with the entries of the same move, which the reader has already made."""
        return self.receipt(entries, entries[-1].sequence, 200, **{REPLAYED: "true"})

    def parked_before(self, move: RawMove, refusal: NotNow) -> Response:
        """Answer 202 with the act that parked this very move, if it was the reader's.

        Raises the refusal in other cases.
        """
        parking = self.parking_act(move) if refusal.code == "awaits-die" else None
        if parking is None:
            raise refusal
        return self.receipt([parking], parking.sequence, 202, **{REPLAYED: "true"})

    def refused(self, refusal: IllegalMove) -> Response:
        """Answer 422, with the entries of an earlier part of the move that threw a die."""
        before, now = self.here.campaign.last_sequence, reloaded(self.here)
        already = [
            entry
            for entry in selectors.between(now.campaign, before)
            if entry.actor_id == self.here.user.pk
        ]
        text = refusal.sentence or str(refusal)
        if not already:
            return problem(422, refusal.code, text, rule=refusal.rule)
        entries = serialized(EntryLine, visible_entries(now, already))
        return problem(422, refusal.code, text, rule=refusal.rule, seen=now.seen, entries=entries)

    def with_speaker(self, move: RawMove) -> RawMove:
        """Return the move with `by`, by default the reader's first voice."""
        return {"by": (self.here.access.voices or ("",))[0], **move}

    def parking_act(self, move: RawMove) -> LogEntry | None:
        """Return the act that parked this very move, if it was the reader's."""
        now = reloaded(self.here).campaign
        awaited = dice_selectors.awaited_die(now)
        if awaited is None or awaited.move != self.with_speaker(move):
            return None
        acts = now.entries.filter(kind=LogEntry.Kind.TABLE, act=DIE.name, how="parked")
        last = acts.order_by("sequence").last()
        return last if last is not None and last.actor_id == self.here.user.pk else None
