"""What may be said at the table, what is said, and what comes of it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Any

from django.http import QueryDict
from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers as s
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.serializers import BaseSerializer

from api.base import REPLAYED, Here, OfCampaign, answer_once, effect, speaks_for, written
from api.log import EffectTold, EntryLine, visible_entries
from api.problems import problem
from campaign import access, hooks, review, services
from campaign.dice import selectors as dice_selectors
from campaign.errors import CannotUndo, NotAllowed, NotNow, TableMovedOn
from campaign.log import selectors
from campaign.log.undo import reveals
from campaign.models import GAME_MASTER, Campaign, LogEntry
from engine.effects import Say
from engine.errors import IllegalMove
from forum.posts.outbox import lacks_announcement
from games import registry
from games.contract.title import Branch, Field
from games.contract.title import Offer as title_Offer

FAR = 999_999_999


UNPOSTED = "unposted-announcement"
"""The code of the refused start, and the value of `confirm` with which the start is accepted."""


class Refusal(s.Serializer):
    """Why it cannot be done: the rules' code, the paragraph, and the sentence."""

    code = s.CharField()
    rule = s.CharField(allow_blank=True)
    text = s.CharField()


class OfferField(s.Serializer):
    """A part of a move that is still to be chosen."""

    key = s.CharField()
    name = s.CharField(help_text="What is to be chosen, in your language.")
    kind = s.CharField(
        help_text="province, nation, card, cards, choice, flag, number, text or shares."
    )
    optional = s.BooleanField()
    default = s.JSONField(
        allow_null=True, help_text="What stands where an optional one is left out."
    )
    depends = s.ListField(
        child=s.CharField(), help_text="Fields that must be chosen before its values can be told."
    )
    values = s.ListField(
        child=s.JSONField(allow_null=True),
        allow_null=True,
        help_text=(
            "What it may be; null where anything of its kind may be said, or an earlier field is"
            " not chosen yet."
        ),
    )
    names = s.ListField(
        child=s.CharField(),
        allow_null=True,
        help_text="What these values are called, in the same order.",
    )
    chosen = s.JSONField(allow_null=True, help_text="What you have chosen in the address.")


class Offer(s.Serializer):
    """One kind of move: complete it by `given` and a value for each field, or see why it is
    refused.
    """

    key = s.CharField()
    name = s.CharField(help_text="What it does, in your language.")
    group = s.CharField()
    move = s.CharField()
    raw = s.DictField(help_text="The move in record form, without the fields still to be chosen.")
    fields = OfferField(many=True)  # type: ignore[assignment]
    cost = s.IntegerField(
        allow_null=True,
        help_text="In units of the title's purse (half-actions); null where it is free.",
    )
    refusal = Refusal(allow_null=True)


class Offers(s.Serializer):
    seat = s.CharField()
    by = s.CharField(help_text="As whom you speak: the seat itself, or `gm` for it.")
    seen = s.IntegerField(help_text="Say a move with this.")
    offers = Offer(many=True)
    onward = s.DictField(
        allow_null=True,
        help_text="The move that goes on by itself where nobody must decide, in record form.",
    )


class Said(s.Serializer):
    """A move in record form, as RECORD has it."""

    move = s.DictField(
        help_text=(
            'For example {"by": "huns", "move": "end-slot"}. Without `by` your first voice speaks.'
        )
    )


class Saying(Said):
    seen = s.IntegerField(min_value=0, max_value=FAR, help_text="Your last entry when you decided.")
    confirm = s.ListField(
        child=s.ChoiceField([UNPOSTED]),
        required=False,
        default=list,
        help_text=(
            "The questions that you confirm. unposted-announcement: start although the"
            " announcement, which has the commitment of the dice, has not been posted."
        ),
    )


class Chance(s.Serializer):
    favourable = s.IntegerField()
    of = s.IntegerField()


class Way(s.Serializer):
    """One way the move may turn out."""

    what = s.CharField(help_text="`certain` where no die decides.")
    text = s.CharField(allow_blank=True)
    chance = Chance()
    effects = EffectTold(many=True)


class Preview(s.Serializer):
    """What a move would do; nothing is thrown or written."""

    move = s.DictField()
    text = s.CharField(allow_blank=True)
    ways = Way(
        many=True, help_text="None where its dice cannot be told: those of cards and events."
    )
    undoable = s.BooleanField(help_text="Could you take it back by yourself?")


class Receipt(s.Serializer):
    """What was written: the entries as you may see them, with their effects and rolls, and how the
    table stands now.
    """

    entries = EntryLine(many=True)
    seen = s.IntegerField(help_text="Say your next move with this.")
    parked = s.BooleanField(
        help_text="It waits for a die that is thrown elsewhere; nothing of it is applied yet."
    )
    turn = s.IntegerField()
    phase = s.CharField(allow_blank=True)
    active_seat = s.CharField(allow_blank=True)


class OwnUndo(s.Serializer):
    """What you may take back by yourself now, the last move first; `refusal` where there is
    nothing.
    """

    entries = EntryLine(many=True)
    refusal = Refusal(allow_null=True)
    seen = s.IntegerField()


class Undo(s.Serializer):
    """Your own last move, or all from the entry `first` on; the game master says `after` which
    entry, and why.
    """

    seen = s.IntegerField(min_value=0, max_value=FAR)
    first = s.IntegerField(min_value=0, max_value=FAR, required=False)
    after = s.IntegerField(min_value=0, max_value=FAR, required=False)
    reason = s.CharField(max_length=1000, required=False, allow_blank=True, default="")


class Restore(s.Serializer):
    """The game master puts back what an undo struck, and says why."""

    entry = s.IntegerField(min_value=0, max_value=FAR, help_text="The number of the undo.")
    reason = s.CharField(max_length=1000, allow_blank=True)
    seen = s.IntegerField(min_value=0, max_value=FAR)


# What all that is said at a table shares: done once, answered with what was written, or with what
# moved meanwhile.


def needed(content: Mapping[str, Any], name: str) -> Any:
    """What this act cannot do without, though other acts of the same address can."""
    if name not in content:
        raise ValidationError({name: [_("It is needed for this.")]})
    return content[name]


class Speaking(OfCampaign):
    """An address of a campaign where something is said. `form` reads the body, `say` does it and
    tells the entries.
    """

    form: type[BaseSerializer[Any]]

    def act(
        self, request: Request, phrase: Callable[[Mapping[str, Any]], Iterable[LogEntry] | None]
    ) -> Response:
        """201 with the receipt. `say` may tell None where the entries are those since the request
        came.
        """
        sent = self.form(data=request.data)
        sent.is_valid(raise_exception=True)

        def make() -> Response:
            before = self.here.campaign.last_sequence
            try:
                written_entries = phrase(sent.validated_data)
            except TableMovedOn as moved:
                return moved_on(self.here, moved)
            return self.receipt(written_entries, before)

        return answer_once(request, make)

    def receipt(
        self,
        written_entries: Iterable[LogEntry] | None,
        before: int,
        status: int = 201,
        **headers: str,
    ) -> Response:
        now = fresh(self.here)
        entries = list(written_entries) if written_entries is not None else []
        since = entries[-1].sequence if entries else before
        if (
            now.campaign.last_sequence > since
        ):  # what standing orders said to it, and acts that tell no entry
            entries += selectors.between(now.campaign, since)
        return self.answer(Receipt, receipt(now, entries), status, **headers)


def fresh(here: Here) -> Here:
    """The same reader at the table as it stands now."""
    campaign = Campaign.objects.get(pk=here.campaign.pk)
    return Here(campaign, here.user, access.access_of(campaign, here.user))


def receipt(now: Here, entries: list[LogEntry]) -> dict[str, Any]:
    campaign = now.campaign
    parked = bool(campaign.parked and entries and not entries[-1].is_move)
    return {
        "entries": visible_entries(now, entries),
        "seen": now.seen,
        "parked": parked,
        "turn": campaign.turn,
        "phase": campaign.phase,
        "active_seat": campaign.active_seat,
    }


def moved_on(here: Here, moved: TableMovedOn) -> Response:
    """409: what was said meanwhile, as the reader may see it, and their last entry now."""
    now = fresh(here)
    entries = written(EntryLine, visible_entries(now, moved.entries)) if moved.entries else []
    return problem(moved.status, moved.code, str(moved), seen=now.seen, entries=entries)


# What a seat may say now, with values and costs, and for the rest the rule that forbids it.

TEXT = {"type": "string", "maxLength": 200}
SEAT = OpenApiParameter(
    "seat", TEXT, description="A seat you speak for, `gm` for the game master; else your first."
)
KEY = OpenApiParameter(
    "offer",
    TEXT,
    description="This offer alone; values chosen for its fields may stand beside, by key.",
)
NOBODY = "!nobody"


class OffersView(OfCampaign):
    @extend_schema(summary="What a seat may say now", responses=Offers, parameters=[SEAT, KEY])
    def get(self, request: Request, ref: str) -> Response:
        """As the page of the seat has it. With `offer=` and chosen fields the values of those that
        depend on them.
        """
        here = self.here
        seat = here.seat(request.GET.get("seat") or (here.access.seats or (GAME_MASTER,))[0])
        if seat != GAME_MASTER and here.access.game_master:
            must_lie_open(here, [seat])
        offers = offered(here, seat)
        wanted = request.GET.get("offer")
        if wanted is not None:
            offers = [one for one in offers if one.key == wanted]
        asked = request.GET if wanted is not None else QueryDict()
        if seat == GAME_MASTER:  # whose cards they would correct is chosen in the address
            for one in offers:
                chosen = {each.key: asked[each.key] for each in one.fields if each.key in asked}
                must_lie_open(here, review.about(here.campaign, here.access, one.raw(chosen)))
        by = seat if seat in here.access.voices else GAME_MASTER
        speech = hooks.speech(here.title, here.scenario, here.position)
        return self.answer(
            Offers,
            {
                "seat": seat,
                "by": by,
                "seen": here.seen,
                "offers": [offer_row(here, one, asked, speech) for one in offers],
                "onward": automatic_move(here, by, seat),
            },
        )


def must_lie_open(here: Here, seats: Iterable[str]) -> None:
    """Raises `NotAllowed` for a game master where one of these hands is closed to them."""
    if not all(here.access.opens(seat) for seat in seats):
        raise NotAllowed(
            "closed-hand",
            _("This hand is closed to you. Ask with ?hands=open: its holder reads that you did."),
        )


def offered(here: Here, seat: str) -> list[title_Offer]:
    """Raises `NotAllowed` for a seat that is not theirs. Nothing is offered while nothing is
    played.
    """
    offers, campaign = selectors.offers(here.campaign, here.access, seat), here.campaign
    if campaign.abandoned or campaign.archived or (campaign.paused and seat != GAME_MASTER):
        return []
    lone = campaign.title in registry.PAGES  # there whoever plays alone begins it, too
    if campaign.ended or not (campaign.started or lone or seat == GAME_MASTER):
        return []
    return list(offers)


def offer_row(
    here: Here, offer: title_Offer, asked: Mapping[str, str], speech: hooks.Speech
) -> dict[str, Any]:
    chosen: dict[str, Any] = {}
    return {
        "key": offer.key,
        "name": speech.offer_name(offer),
        "group": offer.group,
        "move": offer.move,
        "cost": offer.cost,
        "raw": offer.raw({}),
        "refusal": refusal(here, offer.refusal),
        "fields": [field(offer, one, asked, chosen, speech) for one in offer.fields],
    }


def field(
    offer: title_Offer,
    one: Field,
    asked: Mapping[str, str],
    chosen: dict[str, Any],
    speech: hooks.Speech,
) -> dict[str, Any]:
    """A field, with its values where all that it depends on is chosen; what the address says of it
    is added to `chosen`.
    """
    optional = {each.key for each in offer.fields if each.optional}
    known = all(key in chosen or key in optional for key in one.depends)
    values = offer.values(one.key, chosen) if known and offer.refusal is None else None
    given = asked.get(one.key)
    value = (
        next((each for each in values or () if _text(each) == given), None)
        if given is not None
        else None
    )
    if given is not None and values is not None and any(_text(each) == given for each in values):
        chosen[one.key] = value
    return {
        "key": one.key,
        "name": speech.field_label(offer, one),
        "kind": one.kind,
        "optional": one.optional,
        "default": one.default,
        "depends": list(one.depends),
        "values": None if values is None else list(values),
        "chosen": value,
        "names": (
            None if values is None else [speech.value_label(offer, one, each) for each in values]
        ),
    }


def _text(value: Any) -> str:
    """A value as an address says it."""
    if value is None:
        return NOBODY
    return str(value).lower() if isinstance(value, bool) else str(value)


def refusal(here: Here, why: IllegalMove | None) -> dict[str, str] | None:
    return None if why is None else {"code": why.code, "rule": why.rule, "text": here.why_not(why)}


def automatic_move(here: Here, by: str, seat: str) -> dict[str, Any] | None:
    """The move that goes on by itself, in the voice of who asks; None in a title where each is
    somebody's.
    """
    pages, campaign = registry.PAGES.get(here.campaign.title), here.campaign
    if (
        pages is None
        or campaign.ended
        or campaign.paused
        or campaign.abandoned
        or campaign.archived
    ):
        return None
    move = pages.onward(here.position)
    if move is None:
        return None
    spoken = {"by": by, **move}
    if spoken["by"] in here.access.voices:
        return spoken
    return {**spoken, "by": GAME_MASTER, "for": spoken["by"]} if here.access.game_master else None


# Moves: what one would do, saying it, taking it back, putting it in force again. The door is that
# of the pages.

CERTAIN = "certain"


class PreviewView(OfCampaign):
    writes = False

    @extend_schema(summary="What a move would do", request=Said, responses=Preview)
    def post(self, request: Request, ref: str) -> Response:
        """Its ways to turn out with their exact chances, effects as you may see them. Refused as
        the move would be.
        """
        sent = Said(data=request.data)
        sent.is_valid(raise_exception=True)
        here, move = self.here, sent.validated_data["move"]
        speaks_for(here, move)
        try:
            foreseen = services.preview(here.campaign, here.user, move)
            branches, move = foreseen.branches, foreseen.move
        except IllegalMove as refusal:
            if refusal.code != "no-dice":
                raise
            branches = ()
        sure = len(branches) == 1 and branches[0].what.id == CERTAIN
        facts = {
            "move": move,
            "text": move_sentence(here, move),
            "ways": [outcome_way(here, one) for one in branches],
            "undoable": (
                sure
                and str(move.get("by")) in here.access.seats
                and not reveals(branches[0].effects)
            ),
        }
        return self.answer(Preview, facts)


class MovesView(Speaking):
    form = Saying

    @extend_schema(
        summary="Say a move", request=Saying, responses={201: Receipt, 200: Receipt, 202: Receipt}
    )
    def post(self, request: Request, ref: str) -> Response:
        """201 with the new entries. 202 if the move waits for a die that is thrown elsewhere. 200
        if you have already made this move since `seen`; it is not made again. If others have moved
        since `seen`, the move is made only if it is still possible and a preview shows the same now
        as then. Otherwise: 409 with the new `seen` and the entries since. If the announcement of a
        campaign has not been posted, its start gets 409 with the value for `confirm`.
        """
        sent = self.form(data=request.data)
        sent.is_valid(raise_exception=True)
        move, seen = sent.validated_data["move"], sent.validated_data["seen"]
        if (question := self.unasked(move, sent.validated_data["confirm"])) is not None:
            return question
        return answer_once(request, lambda: self.play(move, seen))

    def unasked(self, move: Mapping[str, Any], confirmed: Collection[str]) -> Response | None:
        """Return the question whether to start without the announcement; None if it is not
        needed.
        """
        if move.get("move") != "start" or UNPOSTED in confirmed or not self.here.access.host:
            return None
        if not lacks_announcement(self.here.campaign, self.here.user):
            return None
        text = _(
            "The announcement with the promise of the dice has not been posted. Post it first, or"
            ' send "confirm": ["unposted-announcement"] to start without it.'
        )
        return problem(409, UNPOSTED, text, confirm=[UNPOSTED])

    def play(self, move: Mapping[str, Any], seen: int) -> Response:
        here = self.here
        speaks_for(here, move)
        try:
            result = services.play(here.campaign, here.user, dict(move), seen)
        except TableMovedOn as moved:
            already = moved.again
            return (
                self.receipt(already, already[-1].sequence, 200, **{REPLAYED: "true"})
                if already
                else moved_on(here, moved)
            )
        except NotNow as refusal:
            waits = self.waits_already(move) if refusal.code == "awaits-die" else None
            if waits is None:
                raise
            return self.receipt([waits], waits.sequence, 202, **{REPLAYED: "true"})
        except IllegalMove as refusal:
            return self.refused(refusal)
        return self.receipt(result.entries, 0, 201 if result.entries[-1].is_move else 202)

    def refused(self, refusal: IllegalMove) -> Response:
        """422. Where an earlier part of the move threw a die, that part stands: then what was
        written is told, too.
        """
        before, now = self.here.campaign.last_sequence, fresh(self.here)
        already = [
            one
            for one in selectors.between(now.campaign, before)
            if one.actor_id == self.here.user.pk
        ]
        more = (
            {"seen": now.seen, "entries": written(EntryLine, visible_entries(now, already))}
            if already
            else {}
        )
        return problem(
            422, refusal.code, refusal.sentence or str(refusal), rule=refusal.rule, **more
        )

    def spoken(self, move: Mapping[str, Any]) -> dict[str, Any]:
        """The move with its voice."""
        return {"by": (self.here.access.voices or ("",))[0], **move}

    def waits_already(self, move: Mapping[str, Any]) -> LogEntry | None:
        """The act that parked this very move, if it was this very person's."""
        now = fresh(self.here).campaign
        waits = dice_selectors.awaited(now)
        if waits is None or waits.move != self.spoken(move):
            return None
        acts = now.entries.filter(kind=LogEntry.Kind.TABLE, act=dice_selectors.ACT, how="parked")
        last = acts.order_by("sequence").last()
        return last if last is not None and last.actor_id == self.here.user.pk else None


class UndoView(Speaking):
    form = Undo

    @extend_schema(summary="What you may take back", responses=OwnUndo)
    def get(self, request: Request, ref: str) -> Response:
        here = self.here
        try:
            moves, why = list(services.own_undos(here.campaign, here.access)), None
        except CannotUndo as error:
            moves, why = [], {"code": error.code, "rule": "", "text": str(error)}
        return self.answer(
            OwnUndo, {"entries": visible_entries(here, moves), "refusal": why, "seen": here.seen}
        )

    @extend_schema(summary="Take moves back", request=Undo, responses={201: Receipt})
    def post(self, request: Request, ref: str) -> Response:
        """Your own last move, or all from `first` on, until a die was thrown, a card shown, or
        another has moved. The game master says `after` which entry all is struck, with a reason
        that everybody reads.
        """
        return self.act(request, self.undo)

    def undo(self, content: Mapping[str, Any]) -> list[LogEntry]:
        here, seen = self.here, content["seen"]
        if "after" in content and "first" in content:
            raise ValidationError(
                {"after": [_("Either your own moves (`first`), or all after an entry.")]}
            )
        if "after" in content:
            return [
                services.undo_to(
                    here.campaign, here.user, content["after"], content["reason"], seen
                )
            ]
        return [services.undo_own(here.campaign, here.user, seen, content.get("first"))]


class RestoreView(Speaking):
    form = Restore

    @extend_schema(
        summary="Put back what an undo struck", request=Restore, responses={201: Receipt}
    )
    def post(self, request: Request, ref: str) -> Response:
        """The game master's, while nothing was played since."""
        return self.act(request, self.restore)

    def restore(self, content: Mapping[str, Any]) -> list[LogEntry]:
        here = self.here
        return [
            services.restore(
                here.campaign, here.user, content["entry"], content["reason"], content["seen"]
            )
        ]


def move_sentence(here: Here, move: Mapping[str, Any]) -> str:
    """The move as a sentence; empty where the sentence wants what was not said."""
    try:
        return here.title.move_line(here.scenario, move)
    except (KeyError, TypeError, ValueError, AttributeError):
        return ""


def outcome_way(here: Here, one: Branch) -> dict[str, Any]:
    """`services.preview` has left out what its reader may not see."""
    favourable, of = one.chance
    return {
        "what": one.what.id,
        "text": ", ".join(outcome_row(here, phrase) for phrase in one.path),
        "chance": {"favourable": favourable, "of": of},
        "effects": [effect(here, each) for each in one.effects],
    }


def outcome_row(here: Here, phrase: Say) -> str:
    """What a die decided; a rule's refusal, where what was left of the move is not possible any
    more.
    """
    try:
        return here.sentence(phrase)
    except KeyError:
        return here.why_not(IllegalMove(phrase.id, phrase.rule, **phrase.facts))
