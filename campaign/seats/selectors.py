"""Who is away and when, as far as a campaign is told of it."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import Any, NamedTuple

from cryptography.fernet import InvalidToken
from django.db.models import Exists, JSONField, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import JSONObject
from django.utils import timezone
from django.utils.translation import gettext as _

from campaign import access, keys
from campaign.access import Access
from campaign.errors import NotAllowed
from campaign.log import positions
from campaign.log.acts.programs import program_spans
from campaign.log.acts.seats import NEW_MASTER
from campaign.models import (
    GAME_MASTER,
    AbsenceCampaign,
    Campaign,
    LogEntry,
    Membership,
    SeatHandover,
    SeatNote,
    StandingOrderResult,
    StandingOrders,
)
from engine.errors import IllegalMove
from engine.strict_json import read
from games.contract.title import OrderKind
from games.contract.title import StandingOrders as Takes
from people import services
from people.models import Absence

NEAR = timedelta(days=7)
"""So long before it begins an absence is shown wherever somebody is waited for."""


class Away(NamedTuple):
    """An absence as pages show it: its days, whether it has begun, whether it begins soon."""

    first: date
    last: date
    begun: bool
    near: bool

    @property
    def shown(self) -> bool:
        """Does it stand beside whatever waits for this person?"""
        return self.begun or self.near


def valid_absences() -> QuerySet[Absence]:
    """Every absence that is not taken back."""
    return Absence.objects.filter(taken_back_at=None)


def absences_known_to(campaign: Any) -> Any:
    """Which absences this campaign is told of; `campaign` is one, or an `OuterRef` to one."""
    chosen = AbsenceCampaign.objects.filter(
        absence=OuterRef("pk"), campaign=campaign, dropped_at=None
    )
    return Q(everywhere=True) | Exists(chosen)


def with_absences(
    places: QuerySet[Membership], now: datetime | None = None
) -> QuerySet[Membership]:
    """The same places, each with its person's absence of now, or the next one: `away` reads it. No
    query more.
    """
    absences = valid_absences().filter(
        absences_known_to(OuterRef(OuterRef("campaign"))),
        user=OuterRef("user"),
        ends_at__gt=now or timezone.now(),
    )
    # One subquery, not one a field: every page of a campaign asks this, and making its SQL costs
    # more than asking it.
    told_of = absences.order_by("begins_at", "pk").values_list(
        JSONObject(first="first", last="last", begins="begins_at")
    )
    return places.annotate(away=Subquery(told_of[:1], output_field=JSONField()))


def away(place: Membership, now: datetime | None = None) -> Away | None:
    """The absence that stands beside a place of `beside`; None where the person is not away and
    says of no time that they are.
    """
    away_facts = vars(place).get("away")
    if away_facts is None:
        return None
    at, begins = now or timezone.now(), datetime.fromisoformat(away_facts["begins"])
    begins = (
        begins if begins.tzinfo else begins.replace(tzinfo=UTC)
    )  # SQLite keeps no zone: it is UTC there
    return Away(
        date.fromisoformat(away_facts["first"]),
        date.fromisoformat(away_facts["last"]),
        begins <= at,
        begins <= at + NEAR,
    )


def of_campaign(campaign: Campaign, now: datetime | None = None) -> list[Absence]:
    """The absences, now and to come, of everybody who has a place here, the earliest first, with
    their people.
    """
    held = Membership.objects.filter(campaign=campaign, until=None).values("user")
    absences = valid_absences().filter(
        absences_known_to(campaign.pk), user__in=held, ends_at__gt=now or timezone.now()
    )
    return list(absences.select_related("user").order_by("begins_at", "pk"))


def may_read_note(one: Absence, who: Access, user: Any) -> bool:
    """Who plays here, or looks after it, reads the note of an absence; of some only the game
    masters, and who wrote it.
    """
    return who.host or (who.member and not one.masters_only) or one.user_id == user.pk


def absences_of_user(user: Any) -> list[Absence]:
    """A person's own, those to come first, then what is past, the latest first; those taken back
    are not shown.
    """
    absences = list(
        valid_absences()
        .filter(user_id=user.pk)
        .prefetch_related("campaign_links__campaign")
        .order_by("-begins_at", "-pk")
    )
    now = timezone.now()
    to_come = [one for one in reversed(absences) if one.ends_at > now]
    return to_come + [one for one in absences if one.ends_at <= now]


def campaigns_to_inform(user: Any) -> QuerySet[Campaign]:
    """The campaigns that a person can tell: where they have a place, and that are not over."""
    held = Membership.objects.filter(user_id=user.pk, until=None).values("campaign")
    return Campaign.objects.filter(
        pk__in=held, ended=False, abandoned=False, archived=False
    ).order_by("-founded_at", "-pk")


def by_place(places: Iterable[Membership]) -> dict[str, list[tuple[str, Away]]]:
    """Who of those behind each seat, and of the game masters under `gm`, is away or says that they
    will be.
    """
    by_seat: dict[str, list[tuple[str, Away]]] = {}
    for one in places:
        gone = away(one)
        key = (
            one.seat
            if one.role == Membership.Role.SEAT
            else GAME_MASTER
            if one.role in Membership.MASTERS
            else ""
        )
        if gone is not None and key:
            by_seat.setdefault(key, []).append((one.user.username, gone))
    return by_seat


# A seat's standing orders, read: its holder and the game master learn of them, and nobody else.

MOST = 20
"""Orders of a seat."""
LONGEST = 4000
"""Characters of one order, as canonical JSON."""
WHEN = (StandingOrders.AT_ONCE, StandingOrders.CLOCK)


class Skip(NamedTuple):
    """An order that would have acted and was forbidden: the order, the rule, why, the contest,
    when.
    """

    order: dict[str, Any]
    rule: str
    why: str
    contest: int | None
    at: Any


def knows_orders(campaign: Campaign) -> bool:
    """Does the title know standing orders?"""
    return isinstance(campaign.game, Takes)


def kinds(campaign: Campaign, seat: str) -> Sequence[OrderKind]:
    """What may be ordered for a seat now."""
    game = campaign.game
    return game.order_kinds(positions.current(campaign), seat) if isinstance(game, Takes) else ()


def order_sentence(campaign: Campaign, order: dict[str, Any]) -> str:
    """An order in the reader's words."""
    game = campaign.game
    return game.order_line(positions.scenario(campaign), order) if isinstance(game, Takes) else ""


def of_seat(
    campaign: Campaign, user: Any, seat: str, places: Iterable[Membership] | None = None
) -> StandingOrders | None:
    """The orders of the seat's holder, for the holder and the game master; an unsaved, empty row
    where they gave none; None where nobody sits there. Raises `NotAllowed` for everybody else.
    `places` from `selectors.held`, asked once a page.
    """
    who = access.access_of(campaign, user)
    if seat not in who.seats and not who.game_master:
        raise NotAllowed(
            "not-your-seat",
            _(
                "Only the holder of a seat gives it orders; the holder and the game master see"
                " them."
            ),
        )
    held = access.places(campaign) if places is None else places
    holder = next(
        (one.user_id for one in held if (one.role, one.seat) == (Membership.Role.SEAT, seat)), None
    )
    if holder is None:
        return None
    kept = StandingOrders.objects.filter(campaign=campaign, user_id=holder, seat=seat).first()
    return kept or StandingOrders(campaign=campaign, user_id=holder, seat=seat)


def ended_with(campaign: Campaign, came: SeatHandover) -> list[str]:
    """Return in words what the seat's holder before had ordered for it: it ended with them. `came`
    is from `handed`.
    """
    orders: str | None = vars(came)["last_orders"]
    return [order_sentence(campaign, given["order"]) for given in read(orders)] if orders else []


def in_force(campaign: Campaign) -> list[StandingOrders]:
    """The orders of every seat whose holder gave some and sits there still; one query, whether
    there are any or not.
    """
    sits = Membership.objects.filter(
        campaign=OuterRef("campaign"),
        user=OuterRef("user"),
        seat=OuterRef("seat"),
        role=Membership.Role.SEAT,
        until=None,
    )
    given = StandingOrders.objects.filter(Exists(sits), campaign=campaign, size__gt=0)
    return list(given.order_by("seat", "pk"))


def skips(kept: StandingOrders, most: int = 5) -> list[Skip]:
    """The latest times that one of these orders was forbidden."""
    if kept.pk is None:
        return []
    heeded = (
        StandingOrderResult.objects.filter(orders=kept).exclude(refusal="").order_by("-pk")[:most]
    )
    return [
        Skip(dict(read(one.content)), *_refused(kept.campaign, one.refusal), one.contest, one.at)
        for one in heeded
    ]


def _refused(campaign: Campaign, kept: str) -> tuple[str, str]:
    """The rule and the sentence of a refusal as it was kept."""
    refusal = refusal_of(read(kept))
    return refusal.rule, campaign.game.refusal(positions.scenario(campaign), refusal)


def refusal_of(raw: dict[str, Any]) -> IllegalMove:
    """A refusal from how it was kept."""
    return IllegalMove(raw["code"], raw["rule"], raw["message"], **raw["facts"])


# What a holder wrote down for a seat, and what is handed over with it, read: nobody else learns of
# either.

LONGEST_NOTE = 10_000
"""Characters of a note."""
SEAT = Membership.Role.SEAT


def note_of(campaign: Campaign, user: Any, seat: str) -> SeatNote:
    """This user's note for a seat that they hold; an empty one, not stored, where they have none.
    Raises `NotAllowed`.
    """
    if seat not in access.access_of(campaign, user).seats:
        raise NotAllowed(
            "not-your-seat",
            _("Only the holder of a seat keeps notes for it, and nobody else reads them."),
        )
    kept = SeatNote.objects.filter(campaign=campaign, user_id=user.pk, seat=seat).first()
    return kept or SeatNote(campaign=campaign, user=user, seat=seat)


def text_of(note: SeatNote | None) -> str:
    """What the note says; empty under another installation's key, which cannot read it."""
    if note is None or note.empty:
        return ""
    try:
        return keys.unseal(note.text_sealed)
    except InvalidToken:
        return ""


def handed(campaign: Campaign, user: Any, seat: str) -> Any:
    """Return the `SeatHandover` to this user of a seat that they still hold; None if there is none.
    Raise `NotAllowed` if they do not hold the seat.

    `last_said` is the number of the last move that everybody sees and that the holder before made
    for it themselves. `last_orders` are the standing orders of the holder before as they are
    stored; None if they gave none.
    """
    if seat not in access.access_of(campaign, user).seats:
        raise NotAllowed(
            "not-your-seat",
            _("Only the present holder of the seat reads what was handed over with it."),
        )
    handovers = SeatHandover.objects.filter(
        campaign=campaign, user_id=user.pk, seat=seat, membership__until=None
    )
    moves = LogEntry.objects.filter(
        campaign=campaign, kind=LogEntry.Kind.MOVE, seat=seat, number__isnull=False
    )
    last = moves.filter(actor=OuterRef("leaver"), at__lte=OuterRef("at")).order_by("-sequence")
    orders = StandingOrders.objects.filter(campaign=campaign, user=OuterRef("leaver"), seat=seat)
    return (
        handovers.select_related("leaver", "note")
        .annotate(
            last_said=Subquery(last.values("number")[:1]),
            last_orders=Subquery(orders.order_by("pk").values("orders")[:1]),
        )
        .first()
    )


def with_handovers(
    places: QuerySet[Membership], campaign: Campaign, user: Any
) -> QuerySet[Membership]:
    """Annotate the places of a campaign with `handed`, the first seat of this user whose hand-over
    page waits for them; None if there is no such seat.
    """
    waits = SeatHandover.objects.filter(
        campaign=campaign, user_id=user.pk, membership__until=None, dismissed_at=None
    )
    return places.annotate(handed=Subquery(waits.order_by("pk").values("seat")[:1]))


# A game master who is seen no more: whether their place may be taken, and which seats ask for it.

CHIEF, SEAT = Membership.Role.GAME_MASTER, Membership.Role.SEAT


@dataclass(frozen=True, slots=True)
class Unseen:
    """The game master has not been seen for 14 days: since when, which seats ask for a new one, of
    how many that may.
    """

    chief: Any
    since: date
    days: int
    asked: tuple[str, ...]
    seats: tuple[str, ...]

    @property
    def enough(self) -> bool:
        """Does a majority ask? Then the host may name a new one."""
        return 2 * len(self.asked) > len(self.seats)

    @property
    def needed(self) -> int:
        """How many seats are a majority."""
        return len(self.seats) // 2 + 1


def inactive_master(
    campaign: Campaign, places: Iterable[Membership], now: datetime
) -> Unseen | None:
    """None where they have been seen within 14 days, and where nothing waits for them any more.
    `places` as `campaign.log.selectors.held` has them. One query, and that only where they are
    away.

    The game master's own seats neither ask nor count. What was asked before they were seen last
    counts no more, nor what a seat's earlier holder asked.
    """
    places = list(places)
    chief = next((one.user for one in places if one.role == CHIEF), None)
    if (
        chief is None
        or campaign.ended
        or campaign.abandoned
        or campaign.archived
        or not services.is_inactive(chief, now)
    ):
        return None
    holders = {
        one.seat: one.user_id for one in places if one.role == SEAT and one.user_id != chief.pk
    }
    after = datetime.combine(chief.seen_on + timedelta(days=1), time.min, UTC)
    acts = campaign.entries.filter(kind=LogEntry.Kind.TABLE, act=NEW_MASTER.name, at__gte=after)
    asks: dict[str, bool] = {}
    for entry in acts.order_by("sequence"):
        if holders.get(entry.seat) == entry.actor_id:
            asks[entry.seat] = entry.content["how"] == "asked"
    asked = tuple(seat for seat in holders if asks.get(seat))
    return Unseen(chief, chief.seen_on, services.away(chief, now), asked, tuple(holders))


# Programs that hold seats among people, as the log has them. Practice, where programs hold all
# others, is `campaign.practice`.


def program_levels(campaign: Any) -> dict[str, str]:
    """The seats that programs hold now among people: how well each plays."""
    return {one.seat: one.level for one in program_spans(campaign) if one.last is None}


def program_levels_between(campaign: Any, first: int, last: int | None) -> dict[str, str]:
    """The seats that programs held between the entries of two sequences (None: until now): how well
    the last of each plays.
    """
    held = (one for one in program_spans(campaign) if one.last is None or one.last > first)
    return {one.seat: one.level for one in held if last is None or one.first < last}


def program_of(campaign: Any, entry: LogEntry) -> str:
    """How well the program plays that made this move; empty where a person, a clock or a standing
    order did.

    Of a seat that a program holds no clock runs and no order speaks, so that a move of nobody is
    the program's.
    """
    if entry.actor_id is not None or not entry.is_move or not campaign.seat_programs:
        return ""
    return program_at(campaign, entry.seat, entry.sequence)


def program_at(campaign: Any, seat: str, sequence: int) -> str:
    """Return how well the program plays that held a seat at an entry; empty if none held it."""
    held = (span for span in program_spans(campaign) if span.seat == seat and span.first < sequence)
    return next((span.level for span in held if span.last is None or sequence < span.last), "")


# Who may take a place over: asked before it is offered to them, so that nobody is offered what they
# cannot accept.

SEAT, CHIEF, SUBSTITUTE = (
    Membership.Role.SEAT,
    Membership.Role.GAME_MASTER,
    Membership.Role.SUBSTITUTE,
)


def all_seen(campaign: Campaign, masters: Collection[int], seated: Collection[int]) -> bool:
    """Would somebody see all hands with these game masters and these players (user ids)? A game
    master who plays does not where hands are hidden (HOUSE, People). True also where nobody need
    see them: `alone`.
    """
    return (
        not masters
        or not set(masters) <= set(seated)
        or not access.hides(campaign)
        or alone(campaign)
    )


def saw_all_after_playing(campaign: Campaign, user: int) -> bool:
    """Return whether this user has held a seat in play and later saw all hands as game master
    (`access.access_of`).

    The answer can change only when a place begins or ends, so only these moments are checked.
    """
    in_play = [(held.user_id, held.until) for held in access.held_in_play(campaign)]
    if not any(holder == user for holder, _until in in_play) or alone(campaign):
        return False
    places = list(campaign.memberships.filter(role__in=(*Membership.MASTERS, SEAT)))
    moments = {
        moment for place in places for moment in (place.since, place.until) if moment is not None
    }
    return any(
        _saw_all(
            places,
            [holder for holder, until in in_play if until is not None and until <= at],
            user,
            at,
        )
        for at in moments
    )


def _saw_all(
    places: Sequence[Membership], played: Collection[int], user: int, at: datetime
) -> bool:
    """Return whether this user, who had played, was then a game master and no other one could see
    all hands.
    """
    now = [
        place for place in places if place.since <= at and (place.until is None or place.until > at)
    ]
    seated = {place.user_id for place in now if place.role == SEAT}
    free = {place.user_id for place in now if place.role in Membership.MASTERS} - seated
    return user in played and user in free and free <= set(played)


def alone(campaign: Campaign) -> bool:
    """May the only game master play where hands are hidden, so that nobody sees all of them? Where
    a title is played on a page of its own: there all that is no player's goes on by itself.
    """
    return access.may_go_unseen(campaign)


def to_campaign(campaign: Campaign, places: Iterable[Membership]) -> list[Any]:
    """To whom the game master may hand the campaign: anybody who has another place here and an
    account, and may run it from where they sit.
    """
    places = list(places)
    chief = {one.user_id for one in places if one.role == CHIEF}
    masters = {one.user_id for one in places if one.role in Membership.MASTERS} - chief
    seated = {one.user_id for one in places if one.role == SEAT}
    return [
        user for user in _others(places, chief) if all_seen(campaign, masters | {user.pk}, seated)
    ]


def to_seat(campaign: Campaign, places: Iterable[Membership], seat: str) -> list[Any]:
    """To whom the holder of this seat may offer it: who has a place here, an account, and would
    leave somebody who sees all.
    """
    places = list(places)
    masters = {one.user_id for one in places if one.role in Membership.MASTERS}
    seated = {one.user_id for one in places if one.role == SEAT and one.seat != seat}
    holder = {one.user_id for one in places if one.role == SEAT and one.seat == seat}
    return [
        user for user in _others(places, holder) if all_seen(campaign, masters, seated | {user.pk})
    ]


def _others(places: Sequence[Membership], but: Collection[int]) -> list[Any]:
    """The people of these places, substitutes and guests aside, each once, the longest here
    first.
    """
    people = {
        one.user_id: one.user for one in places if one.role != SUBSTITUTE and one.user_id not in but
    }
    return [user for user in people.values() if user.is_active and not user.guest]
