"""What a seat is offered, the moves that are made, and what comes of them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
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
RawMove = Mapping[str, Any]
"""A move in record form, which is JSON."""
Content = Mapping[str, Any]
"""What a request says, as its serializer has read it."""
Json = dict[str, Any]
"""Facts for a serializer of another file, as plain data."""

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


# Facts for the serializers


@dataclass(frozen=True, slots=True)
class RefusalFacts:
    code: str
    rule: str
    text: str


@dataclass(frozen=True, slots=True)
class FieldFacts:
    """The facts of `OfferField`. `chosen` is the value that the address says."""

    key: str
    name: str
    kind: str
    optional: bool
    default: object
    depends: Sequence[str]
    values: list[object] | None
    names: list[str] | None
    chosen: object


@dataclass(frozen=True, slots=True)
class OfferFacts:
    """The facts of `Offer`."""

    key: str
    name: str
    group: str
    move: str
    raw: RawMove
    fields: list[FieldFacts]
    cost: int | None
    refusal: RefusalFacts | None


@dataclass(frozen=True, slots=True)
class OffersFacts:
    """The facts of `Offers`."""

    seat: str
    by: str
    seen: int
    offers: list[OfferFacts]
    onward: RawMove | None


@dataclass(frozen=True, slots=True)
class WayFacts:
    """The facts of `Way`; the chance is as the contract has it."""

    what: str
    text: str
    chance: dict[str, int]
    effects: list[Json]


@dataclass(frozen=True, slots=True)
class PreviewFacts:
    """The facts of `Preview`."""

    move: RawMove
    text: str
    ways: list[WayFacts]
    undoable: bool


@dataclass(frozen=True, slots=True)
class ReceiptFacts:
    """The facts of `Receipt`."""

    entries: list[Json]
    seen: int
    parked: bool
    turn: int
    phase: str
    active_seat: str


@dataclass(frozen=True, slots=True)
class OwnUndoFacts:
    """The facts of `OwnUndo`."""

    entries: list[Json]
    refusal: RefusalFacts | None
    seen: int


# What every act of a campaign shares: it is done once, and answered with what was written, or with
# what others have done meanwhile.


def needed(content: Content, name: str) -> Any:
    """Return a field that this act needs, unlike other acts of the same address."""
    if name not in content:
        raise ValidationError({name: [_("It is needed for this.")]})
    return content[name]


class Speaking(OfCampaign):
    """An address of a campaign that takes moves or acts; `form` reads the body."""

    form: type[BaseSerializer[Any]]

    def act(
        self, request: Request, phrase: Callable[[Content], Iterable[LogEntry] | None]
    ) -> Response:
        """Answer 201 with the receipt. `phrase` does the act and returns its entries, or None if
        they are all those since the request came.
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
        # Standing orders may have answered, and some acts return no entry.
        if now.campaign.last_sequence > since:
            entries += selectors.between(now.campaign, since)
        return self.answer(Receipt, receipt(now, entries), status, **headers)


def fresh(here: Here) -> Here:
    """Return the campaign as it is now for the same reader."""
    campaign = Campaign.objects.get(pk=here.campaign.pk)
    return Here(campaign, here.user, access.access_of(campaign, here.user))


def receipt(now: Here, entries: list[LogEntry]) -> ReceiptFacts:
    campaign = now.campaign
    return ReceiptFacts(
        entries=visible_entries(now, entries),
        seen=now.seen,
        parked=bool(campaign.parked and entries and not entries[-1].is_move),
        turn=campaign.turn,
        phase=campaign.phase,
        active_seat=campaign.active_seat,
    )


def moved_on(here: Here, moved: TableMovedOn) -> Response:
    """Answer 409 with what others have done meanwhile, and the reader's last entry now."""
    now = fresh(here)
    entries = written(EntryLine, visible_entries(now, moved.entries)) if moved.entries else []
    return problem(moved.status, moved.code, str(moved), seen=now.seen, entries=entries)


# What a seat is offered: values and costs, or the rule that forbids a move

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
        offers, asked = offered(here, seat), QueryDict()
        if "offer" in request.GET:
            asked = request.GET
            offers = [offer for offer in offers if offer.key == asked["offer"]]
        if seat == GAME_MASTER:
            must_lie_open(here, hands_of_corrections(here, offers, asked))
        by = seat if seat in here.access.voices else GAME_MASTER
        speech = hooks.speech(here.title, here.scenario, here.position)
        facts = OffersFacts(
            seat=seat,
            by=by,
            seen=here.seen,
            offers=[offer_facts(here, offer, asked, speech) for offer in offers],
            onward=automatic_move(here, by, seat),
        )
        return self.answer(Offers, facts)


def hands_of_corrections(
    here: Here, offers: Iterable[title_Offer], asked: QueryDict
) -> Iterable[str]:
    """Return the seats whose cards the game master would correct by what the address says."""
    for offer in offers:
        chosen = {field.key: asked[field.key] for field in offer.fields if field.key in asked}
        yield from review.about(here.campaign, here.access, offer.raw(chosen))


def must_lie_open(here: Here, seats: Iterable[str]) -> None:
    """Raise `NotAllowed` if one of these hands is closed to the game master."""
    if not all(here.access.opens(seat) for seat in seats):
        raise NotAllowed(
            "closed-hand",
            _("This hand is closed to you. Ask with ?hands=open: its holder reads that you did."),
        )


def offered(here: Here, seat: str) -> list[title_Offer]:
    """Return the offers to a seat; none while nothing can be played.

    Raises `NotAllowed` for a seat that is not the reader's.
    """
    offers, campaign = selectors.offers(here.campaign, here.access, seat), here.campaign
    if campaign.abandoned or campaign.archived or (campaign.paused and seat != GAME_MASTER):
        return []
    lone = campaign.title in registry.PAGES  # a user who plays such a title alone starts it, too
    if campaign.ended or not (campaign.started or lone or seat == GAME_MASTER):
        return []
    return list(offers)


def offer_facts(
    here: Here, offer: title_Offer, asked: Mapping[str, str], speech: hooks.Speech
) -> OfferFacts:
    return OfferFacts(
        key=offer.key,
        name=speech.offer_name(offer),
        group=offer.group,
        move=offer.move,
        cost=offer.cost,
        raw=offer.raw({}),
        refusal=refusal(here, offer.refusal),
        fields=field_facts(offer, asked, speech),
    )


def field_facts(
    offer: title_Offer, asked: Mapping[str, str], speech: hooks.Speech
) -> list[FieldFacts]:
    """Return the fields of an offer, with the values of those whose choices are known."""
    facts, chosen = list[FieldFacts](), dict[str, object]()
    for field in offer.fields:
        values = known_values(offer, field, chosen)
        value = None
        if values is not None and field.key in asked:
            texts = [_text(known) for known in values]
            if asked[field.key] in texts:
                value = chosen[field.key] = values[texts.index(asked[field.key])]
        facts.append(
            FieldFacts(
                key=field.key,
                name=speech.field_label(offer, field),
                kind=field.kind,
                optional=field.optional,
                default=field.default,
                depends=list(field.depends),
                values=values,
                names=value_names(offer, field, values, speech),
                chosen=value,
            )
        )
    return facts


def known_values(
    offer: title_Offer, field: Field, chosen: Mapping[str, object]
) -> list[object] | None:
    """Return the values of a field; None if it has no list, or depends on what is not chosen."""
    optional = {other.key for other in offer.fields if other.optional}
    is_known = all(key in chosen or key in optional for key in field.depends)
    if not is_known or offer.refusal is not None:
        return None
    values = offer.values(field.key, chosen)
    return None if values is None else list(values)


def value_names(
    offer: title_Offer, field: Field, values: list[object] | None, speech: hooks.Speech
) -> list[str] | None:
    if values is None:
        return None
    return [speech.value_label(offer, field, value) for value in values]


def _text(value: object) -> str:
    """Return a value as an address has it."""
    if value is None:
        return NOBODY
    return str(value).lower() if isinstance(value, bool) else str(value)


def refusal(here: Here, why: IllegalMove | None) -> RefusalFacts | None:
    return None if why is None else RefusalFacts(why.code, why.rule, here.why_not(why))


def automatic_move(here: Here, by: str, seat: str) -> RawMove | None:
    """Return the move that goes on by itself, as the reader would make it; None without one."""
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


# Moves: what a move would do, making it, taking it back, putting it in force again

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
        is_own = str(move.get("by")) in here.access.seats
        facts = PreviewFacts(
            move=move,
            text=move_sentence(here, move),
            ways=[way_facts(here, branch) for branch in branches],
            undoable=sure and is_own and not reveals(branches[0].effects),
        )
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

    def unasked(self, move: RawMove, confirmed: Collection[str]) -> Response | None:
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

    def play(self, move: RawMove, seen: int) -> Response:
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
        """Answer 422, with the entries of an earlier part of the move that threw a die."""
        before, now = self.here.campaign.last_sequence, fresh(self.here)
        already = [
            entry
            for entry in selectors.between(now.campaign, before)
            if entry.actor_id == self.here.user.pk
        ]
        more = (
            {"seen": now.seen, "entries": written(EntryLine, visible_entries(now, already))}
            if already
            else {}
        )
        return problem(
            422, refusal.code, refusal.sentence or str(refusal), rule=refusal.rule, **more
        )

    def spoken(self, move: RawMove) -> RawMove:
        """Return the move with who makes it."""
        return {"by": (self.here.access.voices or ("",))[0], **move}

    def waits_already(self, move: RawMove) -> LogEntry | None:
        """Return the act that parked this very move, if it was the reader's."""
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
        moves, why = list[LogEntry](), None
        try:
            moves = services.own_undos(here.campaign, here.access)
        except CannotUndo as error:
            why = RefusalFacts(error.code, "", str(error))
        return self.answer(OwnUndo, OwnUndoFacts(visible_entries(here, moves), why, here.seen))

    @extend_schema(summary="Take moves back", request=Undo, responses={201: Receipt})
    def post(self, request: Request, ref: str) -> Response:
        """Your own last move, or all from `first` on, until a die was thrown, a card shown, or
        another has moved. The game master says `after` which entry all is struck, with a reason
        that everybody reads.
        """
        return self.act(request, self.undo)

    def undo(self, content: Content) -> list[LogEntry]:
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

    def restore(self, content: Content) -> list[LogEntry]:
        here = self.here
        return [
            services.restore(
                here.campaign, here.user, content["entry"], content["reason"], content["seen"]
            )
        ]


def move_sentence(here: Here, move: RawMove) -> str:
    """Return a move as a sentence; empty if the sentence needs an argument that is missing."""
    try:
        return here.title.move_line(here.scenario, move)
    except (KeyError, TypeError, ValueError, AttributeError):
        return ""


def way_facts(here: Here, branch: Branch) -> WayFacts:
    """Return a way in which a move may turn out. Its effects are those that the reader may see."""
    favourable, of = branch.chance
    return WayFacts(
        what=branch.what.id,
        text=", ".join(decided_text(here, phrase) for phrase in branch.path),
        chance={"favourable": favourable, "of": of},
        effects=[effect(here, shown) for shown in branch.effects],
    )


def decided_text(here: Here, phrase: Say) -> str:
    """Return what a die decided, or why the rest of the move is not possible any more."""
    try:
        return here.sentence(phrase)
    except KeyError:
        return here.why_not(IllegalMove(phrase.id, phrase.rule, **phrase.facts))
