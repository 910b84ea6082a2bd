"""Read access to absences, standing orders, notes, hand-overs, and the changes of game masters."""

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
from games.contract.title import OrderKind
from games.contract.title import StandingOrders as Takes
from people import services
from people.models import Absence

NEAR = timedelta(days=7)
"""An absence is shown beside its user so long before it begins."""


class ShownAbsence(NamedTuple):
    """An absence as pages show it: its days, whether it has begun, whether it begins soon."""

    first: date
    last: date
    begun: bool
    near: bool

    @property
    def shown(self) -> bool:
        """Whether pages show it beside this user."""
        return self.begun or self.near


def valid_absences() -> QuerySet[Absence]:
    """Return every absence that has not been taken back."""
    return Absence.objects.filter(taken_back_at=None)


def absences_known_to(campaign: Any) -> Any:
    """Return the condition for the absences of which a campaign is informed.

    `campaign` may also be an `OuterRef`.
    """
    chosen = AbsenceCampaign.objects.filter(
        absence=OuterRef("pk"), campaign=campaign, dropped_at=None
    )
    return Q(everywhere=True) | Exists(chosen)


def with_absences(
    places: QuerySet[Membership], now: datetime | None = None
) -> QuerySet[Membership]:
    """Annotate memberships with their user's present or next absence, which `away` reads.

    No further query.
    """
    absences = valid_absences().filter(
        absences_known_to(OuterRef(OuterRef("campaign"))),
        user=OuterRef("user"),
        ends_at__gt=now or timezone.now(),
    )
    # One subquery for all fields: every page of a campaign runs this, and making its SQL costs more
    # than running it.
    told_of = absences.order_by("begins_at", "pk").values_list(
        JSONObject(first="first", last="last", begins="begins_at")
    )
    return places.annotate(away=Subquery(told_of[:1], output_field=JSONField()))


def absence_of(place: Membership, now: datetime | None = None) -> ShownAbsence | None:
    """Return the absence of a membership from `with_absences`; None if there is none."""
    away_facts = vars(place).get("away")
    if away_facts is None:
        return None
    at, begins = now or timezone.now(), datetime.fromisoformat(away_facts["begins"])
    # SQLite stores no time zone; the value is in UTC.
    begins = begins if begins.tzinfo else begins.replace(tzinfo=UTC)
    return ShownAbsence(
        date.fromisoformat(away_facts["first"]),
        date.fromisoformat(away_facts["last"]),
        begins <= at,
        begins <= at + NEAR,
    )


def absences_of_campaign(campaign: Campaign, now: datetime | None = None) -> list[Absence]:
    """Return the present and coming absences of everyone with a place here, the earliest first.

    Their users are prefetched.
    """
    held = Membership.objects.filter(campaign=campaign, until=None).values("user")
    absences = valid_absences().filter(
        absences_known_to(campaign.pk), user__in=held, ends_at__gt=now or timezone.now()
    )
    return list(absences.select_related("user").order_by("begins_at", "pk"))


def may_read_note(absence: Absence, who: Access, user: Any) -> bool:
    """Return whether this user may read the note of an absence.

    Members may, but some notes are only for the game masters. The author always may.
    """
    return who.host or (who.member and not absence.masters_only) or absence.user_id == user.pk


def absences_of_user(user: Any) -> list[Absence]:
    """Return a user's absences: coming ones first, then past ones, the latest first.

    Absences that were taken back are left out.
    """
    absences = list(
        valid_absences()
        .filter(user_id=user.pk)
        .prefetch_related("campaign_links__campaign")
        .order_by("-begins_at", "-pk")
    )
    now = timezone.now()
    to_come = [absence for absence in reversed(absences) if absence.ends_at > now]
    return to_come + [absence for absence in absences if absence.ends_at <= now]


def campaigns_to_inform(user: Any) -> QuerySet[Campaign]:
    """Return the campaigns that a user can inform of an absence: theirs, unless they are over."""
    held = Membership.objects.filter(user_id=user.pk, until=None).values("campaign")
    return Campaign.objects.filter(
        pk__in=held, ended=False, abandoned=False, archived=False
    ).order_by("-founded_at", "-pk")


def by_place(places: Iterable[Membership]) -> dict[str, list[tuple[str, ShownAbsence]]]:
    """Return the names and absences of the users behind each seat, and of game masters under `gm`.

    Only those who are away or have announced it are included.
    """
    by_seat: dict[str, list[tuple[str, ShownAbsence]]] = {}
    for place in places:
        gone = absence_of(place)
        key = (
            place.seat
            if place.role == Membership.Role.SEAT
            else GAME_MASTER
            if place.role in Membership.MASTERS
            else ""
        )
        if gone is not None and key:
            by_seat.setdefault(key, []).append((place.user.username, gone))
    return by_seat


# Standing orders. Only the holder of the seat and the game master read them.

MOST = 20
"""The maximum number of orders for a seat."""
LONGEST = 4000
"""The maximum number of characters in one order, as canonical JSON."""
WHEN = (StandingOrders.AT_ONCE, StandingOrders.CLOCK)


class Skip(NamedTuple):
    """An order that was due but forbidden, with the rule, the reason, the contest and the time."""

    order: dict[str, Any]
    rule: str
    why: str
    contest: int | None
    at: Any


def knows_orders(campaign: Campaign) -> bool:
    """Return whether the campaign's title has standing orders."""
    return isinstance(campaign.game, Takes)


def order_kinds(campaign: Campaign, seat: str) -> Sequence[OrderKind]:
    """Return the kinds of orders that can be given for a seat now."""
    game = campaign.game
    return game.order_kinds(positions.current(campaign), seat) if isinstance(game, Takes) else ()


def order_sentence(campaign: Campaign, order: dict[str, Any]) -> str:
    """Return an order as a sentence in the reader's language."""
    game = campaign.game
    return game.order_line(positions.scenario(campaign), order) if isinstance(game, Takes) else ""


def orders_of_seat(
    campaign: Campaign, user: Any, seat: str, places: Iterable[Membership] | None = None
) -> StandingOrders | None:
    """Return the orders of the seat's holder, for the holder and the game master.

    The row is unsaved and empty if they gave none; None if the seat has no holder. `places` are
    from `selectors.held`, if they have been read. Raises `NotAllowed` for other users.
    """
    who = access.access_of(campaign, user)
    if seat not in who.seats and not who.game_master:
        raise NotAllowed(
            "not-your-seat",
            _(
                "Only the holder of a seat can give it orders. Only the holder and the game "
                "master can see them."
            ),
        )
    held = access.places(campaign) if places is None else places
    holder = next(
        (
            place.user_id
            for place in held
            if (place.role, place.seat) == (Membership.Role.SEAT, seat)
        ),
        None,
    )
    if holder is None:
        return None
    kept = StandingOrders.objects.filter(campaign=campaign, user_id=holder, seat=seat).first()
    return kept or StandingOrders(campaign=campaign, user_id=holder, seat=seat)


def ended_orders(campaign: Campaign, came: SeatHandover) -> list[str]:
    """Return in words the orders of the seat's previous holder, which ended with their membership.

    `came` is from `handover_of`.
    """
    orders: list[dict[str, Any]] | None = vars(came)["last_orders"]
    return [order_sentence(campaign, given["order"]) for given in orders or []]


def orders_in_force(campaign: Campaign) -> list[StandingOrders]:
    """Return the orders of every seat whose holder gave some and still holds it. One query."""
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
    """Return the latest occasions on which one of these orders was forbidden."""
    if kept.pk is None:
        return []
    heeded = (
        StandingOrderResult.objects.filter(orders=kept)
        .filter(refusal__isnull=False)
        .order_by("-pk")[:most]
    )
    return [
        Skip(result.content, *_refused(kept.campaign, result.refusal), result.contest, result.at)
        for result in heeded
        if result.refusal is not None
    ]


def _refused(campaign: Campaign, kept: dict[str, Any]) -> tuple[str, str]:
    """Return the rule and the sentence of a stored refusal."""
    refusal = refusal_of(kept)
    return refusal.rule, campaign.game.refusal(positions.scenario(campaign), refusal)


def refusal_of(raw: dict[str, Any]) -> IllegalMove:
    """Return the refusal that was stored in this form."""
    return IllegalMove(raw["code"], raw["rule"], raw["message"], **raw["facts"])


# Notes of a seat's holder, and hand-overs. No other user reads them.

LONGEST_NOTE = 10_000
"""The maximum number of characters in a note."""
SEAT = Membership.Role.SEAT


def note_of(campaign: Campaign, user: Any, seat: str) -> SeatNote:
    """Return this user's note for a seat that they hold; an unsaved, empty one if they have none.

    Raises `NotAllowed`.
    """
    if seat not in access.access_of(campaign, user).seats:
        raise NotAllowed(
            "not-your-seat",
            _("Only the holder of a seat can keep notes for it, and no one else can read them."),
        )
    kept = SeatNote.objects.filter(campaign=campaign, user_id=user.pk, seat=seat).first()
    return kept or SeatNote(campaign=campaign, user=user, seat=seat)


def text_of(note: SeatNote | None) -> str:
    """Return the text of a note; empty if it is sealed with another installation's key."""
    if note is None or note.empty:
        return ""
    try:
        return keys.unseal(note.text_sealed)
    except InvalidToken:
        return ""


def handover_of(campaign: Campaign, user: Any, seat: str) -> Any:
    """Return the `SeatHandover` to this user of a seat that they still hold; None if there is none.

    `last_said` is the number of the last public move that the previous holder made for it
    themselves. `last_orders` are the stored standing orders of the previous holder; None if they
    gave none. Raises `NotAllowed` if the user does not hold the seat.
    """
    if seat not in access.access_of(campaign, user).seats:
        raise NotAllowed(
            "not-your-seat",
            _("Only the present holder of the seat can read what was handed over with it."),
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
    """Annotate the places of a campaign with `handed`: a seat with an unread hand-over page.

    It is the first such seat of this user; None if there is none.
    """
    waits = SeatHandover.objects.filter(
        campaign=campaign, user_id=user.pk, membership__until=None, dismissed_at=None
    )
    return places.annotate(handed=Subquery(waits.order_by("pk").values("seat")[:1]))


# A game master who has not been seen for long: whether they can be replaced, and which seats ask.

CHIEF, SEAT = Membership.Role.GAME_MASTER, Membership.Role.SEAT


@dataclass(frozen=True, slots=True)
class InactiveMaster:
    """A game master who has not been seen for 14 days.

    `asking_seats` are the seats that ask for a new game master, `seats` all seats that may ask.
    """

    chief: Any
    since: date
    days: int
    asking_seats: tuple[str, ...]
    seats: tuple[str, ...]

    @property
    def enough(self) -> bool:
        """Whether a majority asks, so that the host may name a new game master."""
        return 2 * len(self.asking_seats) > len(self.seats)

    @property
    def needed(self) -> int:
        """How many seats are a majority."""
        return len(self.seats) // 2 + 1


def inactive_master(
    campaign: Campaign, places: Iterable[Membership], now: datetime
) -> InactiveMaster | None:
    """Return the facts of a game master who is away; None if they were seen within 14 days.

    None also if the campaign no longer needs one. `places` are from `campaign.log.selectors.held`.
    One query, only if the game master is away. The game master's own seats neither ask nor count.
    Requests made before the game master was seen last, or by an earlier holder of a seat, do not
    count.
    """
    places = list(places)
    chief = next((place.user for place in places if place.role == CHIEF), None)
    if (
        chief is None
        or campaign.ended
        or campaign.abandoned
        or campaign.archived
        or not services.is_inactive(chief, now)
    ):
        return None
    holders = {
        place.seat: place.user_id
        for place in places
        if place.role == SEAT and place.user_id != chief.pk
    }
    after = datetime.combine(chief.seen_on + timedelta(days=1), time.min, UTC)
    acts = campaign.entries.filter(kind=LogEntry.Kind.TABLE, act=NEW_MASTER.name, at__gte=after)
    asks: dict[str, bool] = {}
    for entry in acts.order_by("sequence"):
        if holders.get(entry.seat) == entry.actor_id:
            asks[entry.seat] = entry.content["how"] == "asked"
    asking_seats = tuple(seat for seat in holders if asks.get(seat))
    return InactiveMaster(
        chief, chief.seen_on, services.days_away(chief, now), asking_seats, tuple(holders)
    )


# Programs that hold seats among people, as the log has them. Practice, where programs hold all
# other seats, is `campaign.practice`.


def program_levels(campaign: Any) -> dict[str, str]:
    """Return the level of the program in each seat that a program holds now among people."""
    return {span.seat: span.level for span in program_spans(campaign) if span.last is None}


def program_levels_between(campaign: Any, first: int, last: int | None) -> dict[str, str]:
    """Return the level of the last program in each seat that programs held between two sequences.

    `last` is None for now.
    """
    held = (span for span in program_spans(campaign) if span.last is None or span.last > first)
    return {span.seat: span.level for span in held if last is None or span.first < last}


def program_of(campaign: Any, entry: LogEntry) -> str:
    """Return the level of the program that made this move; empty if no program did.

    While a program holds a seat, no clock runs and no order acts for it. So a move without an actor
    is the program's.
    """
    if entry.actor_id is not None or not entry.is_move or not campaign.seat_programs:
        return ""
    return program_at(campaign, entry.seat, entry.sequence)


def program_at(campaign: Any, seat: str, sequence: int) -> str:
    """Return the level of the program that held a seat at an entry; empty if none did."""
    held = (span for span in program_spans(campaign) if span.seat == seat and span.first < sequence)
    return next((span.level for span in held if span.last is None or sequence < span.last), "")


# Users who may take a place over. Only they are offered it, so that no one is offered what they
# cannot accept.

SEAT, CHIEF, SUBSTITUTE = (
    Membership.Role.SEAT,
    Membership.Role.GAME_MASTER,
    Membership.Role.SUBSTITUTE,
)


def all_seen(campaign: Campaign, masters: Collection[int], seated: Collection[int]) -> bool:
    """Return whether someone would see all hands with these game masters and players (user ids).

    Where hands are hidden, a game master who plays does not see them. True also if no one needs to
    see them (`alone`).
    """
    return (
        not masters
        or not set(masters) <= set(seated)
        or not access.hides(campaign)
        or may_sole_master_play(campaign)
    )


def saw_all_after_playing(campaign: Campaign, user: int) -> bool:
    """Return whether this user has held a seat in play and later seen all hands as game master.

    See `access.access_of`. The answer can change only when a place begins or ends, so only these
    moments are checked.
    """
    in_play = [(held.user_id, held.until) for held in access.held_in_play(campaign)]
    if not any(holder == user for holder, _until in in_play) or may_sole_master_play(campaign):
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
    """Return whether this user, who had played, could then see all hands as game master.

    They could if every game master without a seat had played before.
    """
    now = [
        place for place in places if place.since <= at and (place.until is None or place.until > at)
    ]
    seated = {place.user_id for place in now if place.role == SEAT}
    free = {place.user_id for place in now if place.role in Membership.MASTERS} - seated
    return user in played and user in free and free <= set(played)


def may_sole_master_play(campaign: Campaign) -> bool:
    """Return whether the only game master may play although hands are hidden.

    This is so in titles with their own board, where everything except the players' moves happens by
    itself.
    """
    return access.may_go_unseen(campaign)


def campaign_heirs(campaign: Campaign, places: Iterable[Membership]) -> list[Any]:
    """Return the users to whom the game master may hand the campaign.

    They have a place here and an account, and may run the campaign from where they sit.
    """
    places = list(places)
    chief = {place.user_id for place in places if place.role == CHIEF}
    masters = {place.user_id for place in places if place.role in Membership.MASTERS} - chief
    seated = {place.user_id for place in places if place.role == SEAT}
    return [
        user for user in _others(places, chief) if all_seen(campaign, masters | {user.pk}, seated)
    ]


def seat_heirs(campaign: Campaign, places: Iterable[Membership], seat: str) -> list[Any]:
    """Return the users to whom the holder of this seat may offer it.

    They have a place here and an account, and someone would still see all hands.
    """
    places = list(places)
    masters = {place.user_id for place in places if place.role in Membership.MASTERS}
    seated = {place.user_id for place in places if place.role == SEAT and place.seat != seat}
    holder = {place.user_id for place in places if place.role == SEAT and place.seat == seat}
    return [
        user for user in _others(places, holder) if all_seen(campaign, masters, seated | {user.pk})
    ]


def _others(places: Sequence[Membership], but: Collection[int]) -> list[Any]:
    """Return the users of these places once each, the longest here first.

    Substitutes and guests are left out, and the users in `but`.
    """
    people = {
        place.user_id: place.user
        for place in places
        if place.role != SUBSTITUTE and place.user_id not in but
    }
    return [user for user in people.values() if user.is_active and not user.guest]
