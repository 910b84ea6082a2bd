"""What somebody may read of a campaign. Every function that takes a user filters by what they may
see.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import Any, NamedTuple

from django.db.models import OuterRef, QuerySet, Subquery, prefetch_related_objects
from django.utils import timezone
from django.utils.translation import gettext as _

from campaign import access, hooks, review
from campaign.access import Access
from campaign.dice.selectors import KnownRoll
from campaign.errors import NoSuchEntry, NotAllowed
from campaign.log import entries as entries_of_log
from campaign.log import history, positions
from campaign.log.acts.programs import level_word
from campaign.log.acts.registry import act_line, names_move, people_of
from campaign.log.acts.words import LINK
from campaign.log.history import Running
from campaign.models import GAME_MASTER, Campaign, DiceRoll, LogEntry, Membership, visible
from campaign.seats import selectors
from engine.effects import Effect, Roll
from engine.errors import IllegalMove
from engine.strict_json import read
from games import registry
from games.contract.pages import Told
from games.contract.title import (
    RULES_EDITION,
    Offer,
    Peopled,
    SeatInfo,
    Standing,
    Title,
    Varied,
    Waiting,
)

ENTRY = (
    *(field.name for field in LogEntry._meta.concrete_fields),
    "actor__username",
    "struck_by__number",
)
"""An entry with all that is its own; of who spoke and what struck it only what a line says
of them.
"""


_OF_ENTRY = ("number", "seat", "struck_by", "turn", "at", "act")
ROLL = (
    "purpose",
    "sides",
    "value",
    "turn",
    "chain",
    "audience",
    *(f"entry__{name}" for name in _OF_ENTRY),
)
"""A roll with what is told of its entry: never its effects, which are long."""


@dataclass(frozen=True, slots=True)
class Line:
    """An entry as one reader sees it: its words, and those of its effects and rolls that they may
    see.
    """

    entry: LogEntry
    text: str
    effects: tuple[Effect, ...]
    rolls: tuple[Roll, ...]
    mark: review.Mark = review.NONE
    """What countersigners have said of it."""
    origin: str = ""
    """How a result that players claimed was agreed or ruled, in sentences. Its text then has no
    speaker.
    """

    @property
    def number(self) -> int | None:
        return self.entry.number

    @property
    def url(self) -> str:
        """Where it stands on the forum, as somebody said; empty where nobody did."""
        return str(read(self.entry.linked)["url"]) if self.entry.linked else ""

    @property
    def signed(self) -> tuple[str, ...]:
        """Who has countersigned it, by name."""
        return self.mark.signed

    @property
    def struck(self) -> bool:
        return self.entry.struck_by_id is not None


@dataclass(frozen=True, slots=True)
class Seat:
    """A seat and who holds it now."""

    info: SeatInfo
    holder: Any
    program: str = ""
    """How well the program plays, in a word, that holds it among people; empty where none does."""

    @property
    def key(self) -> str:
        return self.info.key

    @property
    def name(self) -> str:
        return self.info.name


def listed() -> QuerySet[Campaign]:
    """The campaigns that anybody finds, newest first."""
    shown = {"archived": False, "hidden": False, "suspended": False}
    return Campaign.objects.filter(
        visibility=Campaign.Visibility.LISTED, lesson="", **shown
    ).order_by("-founded_at", "-pk")


def alone_in(campaign: Campaign) -> bool:
    """Is it played alone, of a title that several may play, too?"""
    if not registry.solo(campaign.game):
        return False
    return len(campaign.game.seats(positions.scenario(campaign), positions.options(campaign))) == 1


def seeking() -> QuerySet[Campaign]:
    """The listed campaigns whose lobby is open, the latest first."""
    return listed().filter(status=Campaign.Status.SEATING)


def campaigns_of_user(user: Any) -> QuerySet[Campaign]:
    """The campaigns where this user has a place now, in the archive too, newest first. Where they
    only stand in for somebody at a contest, `battles.projection` knows.
    """
    held = (
        Membership.objects.filter(user_id=user.pk, until=None)
        .exclude(role=Membership.Role.SUBSTITUTE)
        .values("campaign")
    )
    return Campaign.objects.filter(pk__in=held).order_by("-founded_at", "-pk")


def held(campaign: Campaign) -> list[Membership]:
    """Every place that somebody has now, with its person and when they are away (`absences.away`),
    the longest held first.
    """
    return list(_with_people(access.places(campaign)))


def memberships(campaign: Campaign) -> QuerySet[Membership]:
    """Return all places that users have or had in a campaign, with their users and absences.

    `until` is None for the places that users have now.
    """
    return _with_people(access.places_ever(campaign))


def _with_people(places: QuerySet[Membership]) -> QuerySet[Membership]:
    return selectors.with_absences(places, timezone.now()).select_related("user")


def game_masters(campaign: Campaign, places: Iterable[Membership] | None = None) -> list[Any]:
    """The users who are game masters now, co-game-masters after the game master; `places` from
    `held`, asked once.
    """
    members = [
        one
        for one in (held(campaign) if places is None else places)
        if one.role in Membership.MASTERS
    ]
    return [
        one.user
        for one in sorted(members, key=lambda one: one.role == Membership.Role.CO_GAME_MASTER)
    ]


def seats(campaign: Campaign, places: Iterable[Membership] | None = None) -> list[Seat]:
    """The seats in the title's order, with their holders (None: free)."""
    members = held(campaign) if places is None else places
    holders = {one.seat: one.user for one in members if one.role == Membership.Role.SEAT}
    infos = campaign.game.seats(positions.scenario(campaign), positions.options(campaign))
    programs = {
        seat: level_word(level) for seat, level in selectors.program_levels(campaign).items()
    }
    return [Seat(info, holders.get(info.key), programs.get(info.key, "")) for info in infos]


def holders_between(
    places: Iterable[Membership], first: datetime, last: datetime | None = None
) -> dict[str, list[Any]]:
    """Return who held each seat from `first` to `last`, in the order in which they came; without
    `last` until now. `places` are the campaign's `memberships`, past ones included.
    """
    holders: dict[str, list[Any]] = {}
    for place in places:
        has_left = place.until is not None and place.until <= first
        came_later = last is not None and place.since > last
        if place.role != Membership.Role.SEAT or has_left or came_later:
            continue
        who = holders.setdefault(place.seat, [])
        if place.user not in who:
            who.append(place.user)
    return holders


def seats_changed_hands(places: Iterable[Membership], began: datetime | None) -> bool:
    """Return whether a user has left or taken a seat since the first move.

    `places` are the campaign's `memberships`; `began` is when the first move was made, None before
    it.
    """
    return began is not None and any(
        place.since > began or (place.until is not None and place.until > began)
        for place in places
        if place.role == Membership.Role.SEAT
    )


def names_of_holders(holders: Mapping[str, Sequence[Any]]) -> dict[str, str]:
    """The name of who held each seat; of several, each who came after is named after the one
    before.
    """
    return {seat: _(", then ").join(user.username for user in who) for seat, who in holders.items()}


def seen(campaign: Campaign, user: Any) -> int:
    """What a page puts into its forms and `services.play` asks for: this reader's last entry,
    counted from 0.
    """
    return entries_of_log.count(campaign, access.access_of(campaign, user)) - 1


def seen_after(played: Campaign, user: Any) -> int:
    """Return the reader's last entry right after a move; `played` is the campaign's row then
    (`services.Result`).
    """
    return entries_of_log.last_seen(played, access.access_of(played, user))


def entries(campaign: Campaign, user: Any) -> QuerySet[LogEntry]:
    """The entries that this user may see, newest first; their effects are not filtered yet: see
    `log`.
    """
    return _entries(campaign, access.access_of(campaign, user))


def log(
    campaign: Campaign,
    user: Any,
    *,
    before: int | None = None,
    after: int | None = None,
    skip: int = 0,
    limit: int | None = None,
) -> list[Line]:
    """The log as this user may see it, newest first, also what is struck.

    `before` or `after` an entry's number pages on, to those next to it; `skip` leaves so many of
    the newest out.
    """
    who = access.access_of(campaign, user)
    rows = _entries(campaign, who)
    for number, way in ((before, "lt"), (after, "gt")):
        if number is not None:
            rows = rows.filter(**{f"sequence__{way}": _sequence_of_number(campaign, number)})
    if after is not None:
        return _lines(campaign, rows.order_by("sequence")[:limit], who)[::-1]
    return _lines(campaign, rows[skip:] if limit is None else rows[skip : skip + limit], who)


def newer(campaign: Campaign, user: Any, number: int) -> int:
    """How many entries that this user may see are newer than the one of a number; 0 where there is
    none.
    """
    return (
        _entries(campaign, access.access_of(campaign, user))
        .filter(sequence__gt=_sequence_of_number(campaign, number))
        .count()
    )


def between(campaign: Campaign, sequence: int) -> list[LogEntry]:
    """The entries after that of a sequence, up to the campaign's last as this row knows it; whoever
    may see them.
    """
    return list(
        campaign.entries.filter(sequence__gt=sequence, sequence__lte=campaign.last_sequence)
    )


def _sequence_of_number(campaign: Campaign, number: int) -> Any:
    return campaign.entries.filter(number=number).values("sequence")[:1]


def since(campaign: Campaign, user: Any, seen: int) -> list[Line]:
    """What this user has not seen yet, oldest first."""
    who = access.access_of(campaign, user)
    rows = _entries(campaign, who).order_by("sequence")[max(seen + 1, 0) :]
    return _lines(campaign, rows, who)


def entry(campaign: Campaign, user: Any, number: int) -> Line:
    """The entry of a number, struck or not. Raises `NoSuchEntry`."""
    who = access.access_of(campaign, user)
    lines = _lines(campaign, _entries(campaign, who).filter(number=number), who)
    if not lines:
        raise NoSuchEntry
    return lines[0]


def lines(
    campaign: Campaign,
    user: Any,
    rows: Iterable[LogEntry],
    *,
    bare: bool = False,
    rolls: bool = True,
) -> list[Line]:
    """Return these entries as this user may see them.

    `bare` lines are of moves and do not say what countersigners have said, which saves queries.
    Without `rolls` the lines have no rolls, which saves a query.
    """
    who = access.access_of(campaign, user)
    seen_entries = [entry for entry in rows if who.sees(entry.viewers)]
    return _lines(campaign, seen_entries, who, bare=bare, rolls=rolls)


def moves_on_page(
    campaign: Campaign, user: Any, *, seen: bool = False, first: int | None = None
) -> list[Told]:
    """The moves in force as a title's own page tells them, oldest first, as far as this user may
    see them; with `seen` those are left out that lie closed to a game master, with `first` those
    before the entry of that number.

    None later than the campaign's row as it was read: the page shows one moment. A hidden move has
    the number 0.
    """
    who = access.access_of(campaign, user)
    moves = positions.moves_in_force(campaign).filter(
        visible(who.voices), sequence__lte=campaign.last_sequence
    )
    if first is not None:
        moves = moves.filter(sequence__gte=_sequence_of_number(campaign, first))
    told_moves = []
    for entry in moves.prefetch_related("rolls"):
        if seen and not who.sees(entry.viewers):
            continue
        effects = tuple(effect for effect in entry.all_effects if who.sees(effect.audience))
        thrown = tuple(row.roll for row in entry.rolls.all())
        rolls = tuple(roll for roll in thrown if who.sees(roll.audience))
        told_moves.append(
            Told(entry.number or 0, entry.content, entry.seat, effects, rolls, entry.turn)
        )
    return told_moves


def rolls(campaign: Campaign, user: Any) -> QuerySet[DiceRoll]:
    """Every roll made, newest first, of struck moves too: what was thrown is known."""
    who = access.access_of(campaign, user)
    rows = DiceRoll.objects.filter(
        visible(who.sight), visible(who.sight, "entry__audience"), entry__campaign=campaign
    )
    return rows.select_related("entry").only(*ROLL).order_by("-entry__sequence", "-pk")


class Thrown(NamedTuple):
    """A purpose as it is counted, however often it was thrown again after an undo: it has the same
    value.
    """

    sides: int
    value: int
    seat: str
    """Whose entry threw it, the last time."""


class Rolls(NamedTuple):
    """What was thrown: which rolls, how many of each chain and link, and of which purposes."""

    rows: tuple[KnownRoll, ...]
    """Oldest first."""
    links: dict[tuple[int, int], int]
    purposes: dict[str, Thrown]


def thrown(campaign: Campaign, who: Access) -> Rolls:
    """Every roll made that this reader may see."""
    return _thrown.of_log(campaign, who.sight)


def _carried_on(
    campaign: Campaign, before: Rolls | None, after: int, sight: tuple[str, ...]
) -> Rolls:
    rows = list(_rolls_since(campaign, after, sight))
    if before is not None and not rows:
        return before
    links, purposes = (dict(before.links), dict(before.purposes)) if before else ({}, {})
    known = list(before.rows) if before else []
    for pk, purpose, sides, value, turn, chain, seat, entry, struck_by in rows:
        links[chain, turn] = links.get((chain, turn), 0) + 1
        purposes[purpose] = Thrown(sides, value, seat)
        known.append(KnownRoll(pk, purpose, turn, chain, entry, seat, struck_by is not None))
    return Rolls(tuple(known), links, purposes)


def _rolls_since(campaign: Campaign, after: int, sight: tuple[str, ...]) -> QuerySet[DiceRoll, Any]:
    """Return the columns of the rolls behind a sequence that this sight sees, oldest first."""
    rows = DiceRoll.objects.filter(
        visible(sight), visible(sight, "entry__audience"), entry__campaign=campaign
    )
    rows = rows.filter(
        entry__sequence__gt=after, entry__sequence__lte=campaign.last_sequence
    ).order_by("entry__sequence", "pk")
    return rows.values_list(
        "pk",
        "purpose",
        "sides",
        "value",
        "turn",
        "chain",
        "entry__seat",
        "entry",
        "entry__struck_by",
    )


_thrown: Running[Rolls] = Running(_carried_on)


def rolls_of(pks: Sequence[int]) -> list[DiceRoll]:
    """These rolls with their entries, in their order."""
    by_pk: dict[int, DiceRoll] = {}
    for first in range(0, len(pks), SOME):
        rolls = (
            DiceRoll.objects.filter(pk__in=pks[first : first + SOME])
            .select_related("entry")
            .only(*ROLL)
        )
        by_pk |= {roll.pk: roll for roll in rolls.order_by()}
    return [by_pk[pk] for pk in pks]


SOME = 500
"""So many rolls are asked for at once."""


def turns(campaign: Campaign) -> Sequence[tuple[int, int, int]]:
    """Each turn with the numbers of its first and last move in force that everybody sees, in their
    order.
    """
    spans = history.trail(campaign).spans
    return [(turn, first, last) for turn, (first, last) in sorted(spans.items())]


def position(campaign: Campaign) -> Any:
    """The whole position, nothing hidden: for rules, not for pages. Nobody may change it."""
    return positions.current(campaign)


def view(campaign: Campaign, user: Any) -> dict[str, Any]:
    """The title's view of the position for this user."""
    return campaign.game.view(positions.current(campaign), access.viewer_seat(campaign, user))


def waiting(campaign: Campaign) -> Sequence[Waiting]:
    """Whom the table waits for, first who must act before anything else can."""
    return campaign.game.waiting(positions.current(campaign))


def standings(campaign: Campaign) -> Sequence[Standing] | None:
    """The final standings, None while the campaign runs."""
    return campaign.game.score(positions.current(campaign))


def offers(campaign: Campaign, user: Any, seat: str) -> Sequence[Offer]:
    """What may be moved now as this seat (`gm` for the game master's own), for who may speak for
    it.

    For a game master who does not hold the seat, the offers speak as `gm` for it.
    """
    who = access.access_of(campaign, user)
    if (seat == GAME_MASTER and not who.game_master) or not who.speaks_for(seat):
        raise NotAllowed("not-your-seat", _("You do not hold this seat."))
    by = seat if seat in who.voices else GAME_MASTER
    return campaign.game.offers(positions.current(campaign), seat, by)


def _linked() -> Subquery:
    """The last act by which an entry was linked to a post."""
    links = LogEntry.objects.filter(
        target=OuterRef("pk"), kind=LogEntry.Kind.TABLE, act=LINK.name
    ).order_by("-sequence")
    return Subquery(links.values("content_json")[:1])


def _entries(campaign: Campaign, who: Access) -> QuerySet[LogEntry]:
    rows = campaign.entries.filter(visible(who.voices))
    rows = rows.select_related("actor", "struck_by").only(*ENTRY)
    rows = rows.annotate(linked=_linked())  # type: ignore[no-redef]  # declared on the model
    return review.marked(rows).order_by("-sequence")


def _is_result(entry: LogEntry) -> bool:
    return bool(entry.is_move and entry.seat == GAME_MASTER and entry.contests)


def _lines(
    campaign: Campaign,
    rows: Iterable[LogEntry],
    who: Access,
    *,
    bare: bool = False,
    rolls: bool = True,
) -> list[Line]:
    entries = list(rows)
    if rolls:
        prefetch_related_objects(entries, "rolls")
    called: set[int] = set().union(
        *(people_of(entry.content) for entry in entries if not entry.is_move)
    )
    marks, people = ({}, {}) if bare else review.names(campaign, entries, called)
    origins = hooks.result_origins(campaign) if any(map(_is_result, entries)) else {}
    words = _Words(campaign, who, people, origins)
    lines = []
    for entry in entries:
        effects = tuple(effect for effect in entry.all_effects if who.sees(effect.audience))
        thrown = tuple(row.roll for row in entry.rolls.all()) if rolls else ()
        seen_rolls = tuple(roll for roll in thrown if who.sees(roll.audience))
        mark = marks.get(entry.pk, review.NONE)
        text, origin = words.text(entry, effects), words.origin(entry)
        lines.append(Line(entry, text, effects, seen_rolls, mark, origin))
    return lines


class _Words:
    """The words of log entries for one reader. `people` are names that acts need."""

    def __init__(
        self,
        campaign: Campaign,
        who: Access,
        people: Mapping[int, str],
        origins: Mapping[int, str],
    ) -> None:
        self.game, self.scenario = campaign.game, positions.scenario(campaign)
        self.names = {GAME_MASTER: _("Game master")} | positions.seats(campaign)
        self.who, self.people, self.origins = who, people, origins

    def origin(self, entry: LogEntry) -> str:
        """Return how a result came about that players claimed; empty for other entries."""
        if not _is_result(entry) or not self.who.sees(entry.viewers):
            return ""
        return self.origins.get(entry.number or 0, "")

    def text(self, entry: LogEntry, effects: tuple[Effect, ...]) -> str:
        """Return an entry in words; `effects` are those that the reader sees."""
        if entry.is_move:
            return self._move(entry, effects)
        if entry.removed and entry.act == LINK.name:  # no sentence replaces an address
            return entry.removal_text
        content, seat = entry.content, self.names.get(entry.seat, entry.seat)
        if not self.who.sees(entry.viewers):
            return _("A hidden act: open the hand to read it.")
        move = self._named_move(content) if names_move(content) else ""
        return act_line(content, seat, self.people, move)

    def _move(self, entry: LogEntry, effects: tuple[Effect, ...]) -> str:
        if not self.who.sees(entry.viewers):
            return _("A hidden move: open the hand to read it.")
        line = self.game.claimed_line if self.origin(entry) else self.game.move_line
        return line(self.scenario, entry.content, effects)

    def _named_move(self, content: Mapping[str, Any]) -> str:
        """Return the move that an act names; empty if it names none."""
        return self.game.move_line(self.scenario, content["move"], ()) if "move" in content else ""


def terms(campaign: Campaign) -> tuple[Any, Any]:
    """Return scenario and options in record form, to found a new campaign with them."""
    options = {
        option: value for option, value in read(campaign.options).items() if option != RULES_EDITION
    }
    return read(campaign.scenario), options


# A campaign as one reader sees it, with what pages and programs ask of it alike, each asked for
# once.


class Reading:
    """What is read of `campaign` with the reader's `access`. `position` hides nothing and is never
    shown.
    """

    campaign: Campaign
    access: Access

    @property
    def title(self) -> Title:
        return self.campaign.game

    @property
    def viewer(self) -> str | None:
        """Through whose eyes it is seen: `gm`, a seat's key, None for a stranger."""
        return self.access.viewer

    @cached_property
    def position(self) -> Any:
        return position(self.campaign)

    @cached_property
    def scenario(self) -> Any:
        """The title's own reading of the campaign's scenario, with the rules in force; what `speak`
        and its kin want.
        """
        return (
            self.title.scenario_now(self.position)
            if isinstance(self.title, Varied)
            else positions.scenario(self.campaign)
        )

    @cached_property
    def rows(self) -> Any:
        """The position's title-neutral rows, hidden ones too: `accounts` and `holdings` may be
        shown, `items` not.
        """
        return self.title.rows(self.position)

    @cached_property
    def view(self) -> dict[str, Any]:
        """The title's view of the position, redacted for the reader."""
        return self.title.view(self.position, self.viewer)

    @cached_property
    def places(self) -> list[Membership]:
        """Who has a place at the table now."""
        return held(self.campaign)

    @cached_property
    def seats(self) -> list[Seat]:
        return seats(self.campaign, self.places)

    @cached_property
    def names(self) -> dict[str, str]:
        """The seats' names by key, the game master's among them."""
        return {GAME_MASTER: _("Game master"), **{seat.key: seat.name for seat in self.seats}}

    def name_of(self, seat: str) -> str:
        """The name of a seat, or of another holder that the title can name."""
        if seat not in self.names and isinstance(self.title, Peopled):
            return self.title.holder_name(self.scenario, seat)
        return self.names.get(seat, seat)

    def why_not(self, refusal: IllegalMove) -> str:
        """A refusal in words: those it brings, else its title's."""
        return refusal.sentence or self.title.refusal(self.scenario, refusal)
