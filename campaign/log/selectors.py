"""Read access to a campaign.

Every function that takes a user filters by what they may see.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property, reduce
from typing import Any, NamedTuple

from django.db.models import OuterRef, Q, QuerySet, Subquery, prefetch_related_objects
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from campaign import access, hooks, review
from campaign.access import Access
from campaign.dice.selectors import KnownRoll
from campaign.errors import NoSuchEntry, NotAllowed
from campaign.log import entries as entries_of_log
from campaign.log import history, positions
from campaign.log.acts.programs import level_word
from campaign.log.acts.registry import act_line, names_move, people_of
from campaign.log.acts.words import LINK
from campaign.log.history import RunningState
from campaign.models import GAME_MASTER, Campaign, DiceRoll, LogEntry, Membership, visible
from campaign.seats import selectors
from engine.effects import Effect, Phrase, Roll
from engine.errors import IllegalMove
from engine.strict_json import read
from games import registry
from games.contract.pages import LoggedMove
from games.contract.title import (
    RULES_EDITION,
    Offer,
    SeatInfo,
    Standing,
    Title,
    Waiting,
    WithHolderNames,
    WithScenarioRules,
)

ENTRY = (
    *(field.name for field in LogEntry._meta.concrete_fields),
    "actor__username",
    "struck_by__number",
)
"""The columns of an entry, with the few columns of its actor and its undo that a line needs."""


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
"""The columns of a roll and its entry, without the entry's effects, which are long."""


@dataclass(frozen=True, slots=True)
class Line:
    """An entry as one reader sees it: its text, and the effects and rolls that they may see."""

    entry: LogEntry
    text: str
    effects: tuple[Effect, ...]
    rolls: tuple[Roll, ...]
    mark: review.Mark = review.NONE
    """The answers of countersigners to the entry."""
    origin: str = ""
    """How a result that players claimed was agreed or ruled, in sentences.

    Its text then has no speaker.
    """

    @property
    def number(self) -> int | None:
        """The entry's public number; None if it is hidden."""
        return self.entry.number

    @property
    def url(self) -> str:
        """The address of the forum post that a user linked to the entry; empty if there is none."""
        return str(read(self.entry.linked)["url"]) if self.entry.linked else ""

    @property
    def signed(self) -> tuple[str, ...]:
        """The names of the users who have countersigned it."""
        return self.mark.signed

    @property
    def struck(self) -> bool:
        """Whether an undo has struck the entry."""
        return self.entry.struck_by_id is not None


@dataclass(frozen=True, slots=True)
class Seat:
    """A seat and its holder."""

    info: SeatInfo
    holder: Any
    program: str = ""
    """How well the program that holds the seat plays, in words; empty if no program holds it."""

    @property
    def key(self) -> str:
        """The key of the seat."""
        return self.info.key

    @property
    def name(self) -> str:
        """The name of the seat in the current language."""
        return self.info.name


def listed() -> QuerySet[Campaign]:
    """Return the campaigns that are listed for everyone, newest first."""
    shown = {"archived": False, "hidden": False, "suspended": False}
    return Campaign.objects.filter(
        visibility=Campaign.Visibility.LISTED, lesson="", **shown
    ).order_by("-founded_at", "-pk")


def alone_in(campaign: Campaign) -> bool:
    """Return whether a campaign has one seat, in a title that several people can play."""
    if not registry.solo(campaign.game):
        return False
    return len(campaign.game.seats(positions.scenario(campaign), positions.options(campaign))) == 1


def open_lobbies() -> QuerySet[Campaign]:
    """Return the listed campaigns whose lobby is open, the latest first."""
    return listed().filter(status=Campaign.Status.SEATING)


def campaigns_of_user(user: Any) -> QuerySet[Campaign]:
    """Return the campaigns where this user has a seat or role now, newest first.

    Archived campaigns are included. Campaigns where the user is only a substitute in a battle are
    not; `battles.projection` knows these.
    """
    held = (
        Membership.objects.filter(user_id=user.pk, until=None)
        .exclude(role=Membership.Role.SUBSTITUTE)
        .values("campaign")
    )
    return Campaign.objects.filter(pk__in=held).order_by("-founded_at", "-pk")


def held(campaign: Campaign) -> list[Membership]:
    """Return the memberships that users hold now, the longest held first.

    Users and their absences (`absences.away`) are prefetched.
    """
    return list(_with_people(access.places(campaign)))


def memberships(campaign: Campaign) -> QuerySet[Membership]:
    """Return all memberships that users have or had in a campaign, with their users and absences.

    `until` is None for those that users hold now.
    """
    return _with_people(access.places_ever(campaign))


def _with_people(places: QuerySet[Membership]) -> QuerySet[Membership]:
    return selectors.with_absences(places, timezone.now()).select_related("user")


def game_masters(campaign: Campaign, places: Iterable[Membership] | None = None) -> list[Any]:
    """Return the users who are game masters now, the game master before co-game-masters.

    `places` are the memberships from `held`, if they have been read.
    """
    members = [
        place
        for place in (held(campaign) if places is None else places)
        if place.role in Membership.MASTERS
    ]
    return [
        member.user
        for member in sorted(
            members, key=lambda member: member.role == Membership.Role.CO_GAME_MASTER
        )
    ]


def seats(campaign: Campaign, places: Iterable[Membership] | None = None) -> list[Seat]:
    """Return the seats in the title's order, with their holders (None if the seat is free)."""
    members = held(campaign) if places is None else places
    holders = {place.seat: place.user for place in members if place.role == Membership.Role.SEAT}
    infos = campaign.game.seats(positions.scenario(campaign), positions.options(campaign))
    programs = {
        seat: level_word(level) for seat, level in selectors.program_levels(campaign).items()
    }
    return [Seat(info, holders.get(info.key), programs.get(info.key, "")) for info in infos]


def holders_between(
    places: Iterable[Membership], first: datetime, last: datetime | None = None
) -> dict[str, list[Any]]:
    """Return the users who held each seat between `first` and `last`, in the order they took it.

    Without `last`, until now. `places` are the campaign's `memberships`, past ones included.
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
    """Return the names of each seat's holders, joined in order."""
    return {
        seat: reduce(_followed, [user.username for user in who]) for seat, who in holders.items()
    }


def _followed(before: str, after: str) -> str:
    """Return the names of one or more holders, and of the holder after them."""
    return _("%(before)s, then %(after)s") % {"before": before, "after": after}


def seen(campaign: Campaign, user: Any) -> int:
    """Return the place of this reader's last entry, counted from 0.

    Pages put it into their forms, and `services.play` asks for it.
    """
    return entries_of_log.count_visible(campaign, access.access_of(campaign, user)) - 1


def seen_after(played: Campaign, user: Any) -> int:
    """Return the place of the reader's last entry right after a move.

    `played` is the campaign's row at that moment (`services.Result`).
    """
    return entries_of_log.last_seen(played, access.access_of(played, user))


def entries(campaign: Campaign, user: Any) -> QuerySet[LogEntry]:
    """Return the entries that this user may see, newest first.

    Their effects are not filtered; `log` filters them.
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
    only: Q | None = None,
) -> list[Line]:
    """Return the log as this user may see it, newest first, struck entries included.

    `before` or `after` is the number of an entry: the lines are the next ones in that direction.
    `skip` omits so many of the newest lines; `only` is a condition for the entries.
    """
    who = access.access_of(campaign, user)
    rows = _entries(campaign, who)
    if only is not None:
        rows = rows.filter(only)
    for number, way in ((before, "lt"), (after, "gt")):
        if number is not None:
            rows = rows.filter(**{f"sequence__{way}": _sequence_of_number(campaign, number)})
    if after is not None:
        return _lines(campaign, rows.order_by("sequence")[:limit], who)[::-1]
    return _lines(campaign, rows[skip:] if limit is None else rows[skip : skip + limit], who)


def newer(campaign: Campaign, user: Any, number: int, only: Q | None = None) -> int:
    """Return how many entries that this user may see are newer than the entry with this number.

    0 if there is no such entry. `only` is a condition for the entries.
    """
    rows = campaign.entries.filter(visible(access.access_of(campaign, user).voices), only or Q())
    return rows.filter(sequence__gt=_sequence_of_number(campaign, number)).count()


def count(campaign: Campaign, user: Any, only: Q) -> int:
    """Return how many entries that this user may see meet a condition."""
    return campaign.entries.filter(visible(access.access_of(campaign, user).voices), only).count()


def between(campaign: Campaign, sequence: int) -> list[LogEntry]:
    """Return the entries after a sequence, up to the last one that this row knows; not filtered."""
    return list(
        campaign.entries.filter(sequence__gt=sequence, sequence__lte=campaign.last_sequence)
    )


def _sequence_of_number(campaign: Campaign, number: int) -> Any:
    return campaign.entries.filter(number=number).values("sequence")[:1]


def since(campaign: Campaign, user: Any, seen: int) -> list[Line]:
    """Return the lines that this user has not seen yet, oldest first."""
    who = access.access_of(campaign, user)
    rows = _entries(campaign, who).order_by("sequence")[max(seen + 1, 0) :]
    return _lines(campaign, rows, who)


def entry(campaign: Campaign, user: Any, number: int) -> Line:
    """Return the line of the entry with this number, struck or not. Raises `NoSuchEntry`."""
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

    `bare` lines are of moves and omit the answers of countersigners, which saves queries. Without
    `rolls` the lines have no rolls, which saves a query.
    """
    who = access.access_of(campaign, user)
    seen_entries = [entry for entry in rows if who.sees(entry.viewers)]
    return _lines(campaign, seen_entries, who, bare=bare, rolls=rolls)


def moves_on_page(
    campaign: Campaign, user: Any, *, seen: bool = False, first: int | None = None
) -> list[LoggedMove]:
    """Return the moves in force that this user may see, oldest first, for a title's own page.

    With `seen`, hidden moves that a game master has not opened are left out; with `first`, so are
    the moves before the entry with that number. No move is newer than the campaign's row, so that
    the page shows one moment. A hidden move has the number 0.
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
            LoggedMove(
                entry.number or 0,
                entry.content,
                entry.seat,
                effects,
                rolls,
                entry.turn,
                Phrase(*entry.why) if entry.why else None,
            )
        )
    return told_moves


def rolls(campaign: Campaign, user: Any) -> QuerySet[DiceRoll]:
    """Return every roll that this user may see, newest first, those of struck moves included."""
    who = access.access_of(campaign, user)
    rows = DiceRoll.objects.filter(
        visible(who.sight), visible(who.sight, "entry__audience"), entry__campaign=campaign
    )
    return rows.select_related("entry").only(*ROLL).order_by("-entry__sequence", "-pk")


class PurposeValue(NamedTuple):
    """The value of a purpose. It counts once, even if it was thrown again after an undo."""

    sides: int
    value: int
    seat: str
    """The seat of the entry that threw the purpose last."""


class Rolls(NamedTuple):
    """The rolls that a reader may see, with their number by chain and link, and their purposes."""

    rows: tuple[KnownRoll, ...]
    """The rolls, oldest first."""
    links: dict[tuple[int, int], int]
    purposes: dict[str, PurposeValue]


def visible_rolls(campaign: Campaign, who: Access) -> Rolls:
    """Return every roll that this reader may see."""
    return _visible_rolls.of_log(campaign, who.sight)


def _carried_on(
    campaign: Campaign, before: Rolls | None, after: int, sight: tuple[str, ...]
) -> Rolls:
    """Return `before` with the rolls behind the sequence `after`."""
    rows = list(_rolls_since(campaign, after, sight))
    if before is not None and not rows:
        return before
    links, purposes = (dict(before.links), dict(before.purposes)) if before else ({}, {})
    known = list(before.rows) if before else []
    for pk, purpose, sides, value, turn, chain, seat, entry, struck_by in rows:
        links[chain, turn] = links.get((chain, turn), 0) + 1
        purposes[purpose] = PurposeValue(sides, value, seat)
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


_visible_rolls: RunningState[Rolls] = RunningState(_carried_on)


def rolls_of(pks: Sequence[int]) -> list[DiceRoll]:
    """Return the rolls of these primary keys with their entries, in the same order."""
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
"""The number of rolls that one query reads."""


def turns(campaign: Campaign) -> Sequence[tuple[int, int, int]]:
    """Return each turn with the numbers of its first and last public move in force, in order."""
    spans = history.trail(campaign).spans
    return [(turn, first, last) for turn, (first, last) in sorted(spans.items())]


def position(campaign: Campaign) -> Any:
    """Return the whole position, hidden facts included: for rules, not for pages.

    Callers must not change it.
    """
    return positions.current(campaign)


def view(campaign: Campaign, user: Any) -> dict[str, Any]:
    """Return the title's view of the position for this user."""
    return campaign.game.view(positions.current(campaign), access.viewer_seat(campaign, user))


def waiting(campaign: Campaign) -> Sequence[Waiting]:
    """Return the seats that the table waits for.

    The first must act before anything else can happen.
    """
    return campaign.game.waiting(positions.current(campaign))


def standings(campaign: Campaign) -> Sequence[Standing] | None:
    """Return the final standings; None while the campaign runs."""
    return campaign.game.score(positions.current(campaign))


def offers(campaign: Campaign, user: Any, seat: str) -> Sequence[Offer]:
    """Return the moves that are possible now for this seat (`gm` for the game master's own moves).

    For a game master who does not hold the seat, the offers speak as `gm` for it. Raises
    `NotAllowed` if the user may not speak for the seat.
    """
    who = access.access_of(campaign, user)
    if (seat == GAME_MASTER and not who.game_master) or not who.speaks_for(seat):
        raise NotAllowed("not-your-seat", _("This is not your seat."))
    by = seat if seat in who.voices else GAME_MASTER
    return campaign.game.offers(positions.current(campaign), seat, by)


def _linked() -> Subquery:
    """Return a subquery for the last act that linked an entry to a post."""
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
    """Return whether an entry is a result of a contest that the game master entered."""
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
    marks, people = ({}, {}) if bare else review.marks_and_names(campaign, entries, called)
    origins = hooks.result_origins(campaign) if any(map(_is_result, entries)) else {}
    words = _EntryTexts(campaign, who, people, origins)
    lines = []
    for entry in entries:
        effects = tuple(effect for effect in entry.all_effects if who.sees(effect.audience))
        thrown = tuple(row.roll for row in entry.rolls.all()) if rolls else ()
        seen_rolls = tuple(roll for roll in thrown if who.sees(roll.audience))
        mark = marks.get(entry.pk, review.NONE)
        text, origin = words.text(entry, effects), words.origin(entry)
        lines.append(Line(entry, text, effects, seen_rolls, mark, origin))
    return lines


class _EntryTexts:
    """The texts of log entries for one reader.

    `people` are the names that acts need, by user id; `origins` the sentences of `Line.origin`.
    """

    def __init__(
        self,
        campaign: Campaign,
        who: Access,
        people: Mapping[int, str],
        origins: Mapping[int, str],
    ) -> None:
        self.game, self.scenario = campaign.game, positions.scenario(campaign)
        self.names = {GAME_MASTER: pgettext("log", "Game master")} | positions.seats(campaign)
        self.who, self.people, self.origins = who, people, origins

    def origin(self, entry: LogEntry) -> str:
        """Return how a result that players claimed was agreed or ruled; empty for other entries."""
        if not _is_result(entry) or not self.who.sees(entry.viewers):
            return ""
        return self.origins.get(entry.number or 0, "")

    def text(self, entry: LogEntry, effects: tuple[Effect, ...]) -> str:
        """Return an entry in words; `effects` are those that the reader sees."""
        if entry.is_move:
            return self._move(entry, effects)
        # An address is removed without a sentence in its place.
        if entry.removed and entry.act == LINK.name:
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


# A campaign as one reader sees it. Pages and programs ask it for the same facts; each is read once.


class CampaignView:
    """A campaign as one reader sees it; each fact is read at most once.

    Subclasses have `campaign` and the reader's `access`. `position` hides nothing and is never
    shown.
    """

    campaign: Campaign
    access: Access

    @property
    def title(self) -> Title:
        """The campaign's title."""
        return self.campaign.game

    @property
    def viewer(self) -> str | None:
        """The view of the reader: `gm`, a seat's key, or None for an outsider."""
        return self.access.viewer

    @cached_property
    def position(self) -> Any:
        """The whole position, hidden facts included."""
        return position(self.campaign)

    @cached_property
    def scenario(self) -> Any:
        """The campaign's scenario as its title reads it, with the rules in force.

        The title's functions that make sentences take it.
        """
        return (
            self.title.scenario_now(self.position)
            if isinstance(self.title, WithScenarioRules)
            else positions.scenario(self.campaign)
        )

    @cached_property
    def rows(self) -> Any:
        """The position's title-neutral rows, hidden ones included.

        `accounts` and `holdings` may be shown, `items` may not.
        """
        return self.title.rows(self.position)

    @cached_property
    def view(self) -> dict[str, Any]:
        """The title's view of the position, redacted for the reader."""
        return self.title.view(self.position, self.viewer)

    @cached_property
    def places(self) -> list[Membership]:
        """The memberships that users hold now."""
        return held(self.campaign)

    @cached_property
    def seats(self) -> list[Seat]:
        """The seats with their holders."""
        return seats(self.campaign, self.places)

    @cached_property
    def names(self) -> dict[str, str]:
        """The names of the seats by key, with the game master's."""
        return {
            GAME_MASTER: pgettext("log", "Game master"),
            **{seat.key: seat.name for seat in self.seats},
        }

    def name_of(self, seat: str) -> str:
        """Return the name of a seat, or of another holder that the title can name."""
        if seat not in self.names and isinstance(self.title, WithHolderNames):
            return self.title.holder_name(self.scenario, seat)
        return self.names.get(seat, seat)

    def why_not(self, refusal: IllegalMove) -> str:
        """Return a refusal as a sentence: its own, or the title's."""
        return refusal.sentence or self.title.refusal(self.scenario, refusal)


def public_lines(campaign: Campaign, numbers: Sequence[int]) -> dict[int, Line]:
    """Return the lines of public entries by their numbers."""
    if not numbers:
        return {}
    rows = campaign.entries.filter(number__in=numbers, audience=None)
    rows = rows.select_related("actor", "struck_by").order_by("sequence")
    numbered = ((line.number, line) for line in lines(campaign, None, rows))
    return {number: line for number, line in numbered if number is not None}
