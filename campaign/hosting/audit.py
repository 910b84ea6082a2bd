"""The audit: compares a campaign's stored rows with its log, and checks the log itself."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from functools import cached_property
from types import SimpleNamespace
from typing import Any

from cryptography.fernet import InvalidToken
from django.db import transaction
from django.db.models import F, Q

from campaign import founding, keys, status
from campaign.clocks import selectors as clock_selectors
from campaign.clocks import services
from campaign.clocks.services import is_frozen, openers, wanted_clocks
from campaign.errors import NoSuchCampaign
from campaign.founding import is_proven_draw
from campaign.log import entries as log_entries
from campaign.log import positions, record, removal, turn_times
from campaign.log.acts.clocks import EXTEND
from campaign.log.acts.declaration import Place
from campaign.log.acts.dice import RENEW
from campaign.log.acts.registry import (
    BEGINS_CLOCKS,
    CHANGES_POSITION,
    EMPTY_ROW,
    update_places,
    update_row,
)
from campaign.log.acts.seats import CHIEF_ROLE, LOBBY, SEAT_ROLE, SUBSTITUTE
from campaign.log.acts.undo import GENESIS, RESTORE, UNDO
from campaign.log.entries import body
from campaign.log.positions import History
from campaign.log.turn_times import TimedMove
from campaign.models import Campaign, Clock, LogEntry, Membership, add, audience_key
from campaign.scenarios import digest_of
from campaign.slow_database import Busy
from engine.dice import commitment
from engine.effects import Roll
from engine.errors import IllegalMove, MalformedRecord
from engine.play import MoveResult, play
from engine.strict_json import canonical, entry_hash, read
from games.contract.title import options_of_genesis
from games.registry import TITLES

logger = logging.getLogger(__name__)
NIGHT = range(1, 6)
"""The UTC hours of the nightly audit."""
NIGHTLY = timedelta(hours=12)
"""A campaign that was audited within this time is not audited again."""


def differences(campaign: Campaign) -> Iterator[str]:
    """Yield what does not agree, in words that name the row. They contain no secrets."""
    try:
        yield from _all(campaign)
    except (IllegalMove, MalformedRecord) as error:
        yield f"the log cannot be replayed: {type(error).__name__} {error}"
    except (KeyError, ValueError, IndexError, TypeError) as error:
        yield f"a row cannot be read: {type(error).__name__} {error}"


def log_fault(campaign: Campaign) -> str:
    """Return the first fault of the log itself, or an empty text.

    Projections and copies that differ are not faults of the log: they can be rebuilt from it. A
    process with another vault key cannot judge the log and returns the stored fault.
    """
    if keys.vault_state() == "wrong-key":
        return campaign.fault
    try:
        return next(_log(campaign, _entries(campaign), _Replay(campaign)), "")
    except (IllegalMove, MalformedRecord) as error:
        return f"the log cannot be replayed: {type(error).__name__}"
    except (KeyError, ValueError, IndexError, TypeError) as error:
        return f"a row cannot be read: {type(error).__name__}"
    except InvalidToken:
        return campaign.fault


def note_fault(campaign: Campaign, fault: str) -> None:
    """Store the fault of a log.

    From then on the log accepts no entry, the pages show the fault, and the host is notified.
    """
    if campaign.fault == fault:
        return
    Campaign.objects.filter(pk=campaign.pk).update(fault=fault, changes=F("changes") + 1)
    if fault and not campaign.fault:
        logger.error(
            "Campaign %s accepts no moves because its stored log has failed the check: %s",
            campaign.public_id,
            fault,
        )
    campaign.fault = fault


def find_fault(campaign: Campaign) -> str:
    """Check the log of a campaign; store and return its fault.

    The first check does not hold the row, so that moves can continue. A fault is checked again
    while this holds the row, because a simultaneous move may look like a fault. Raises
    `slow_database.Busy` if others hold the row for too long.
    """
    fault = log_fault(campaign)
    if fault == campaign.fault:
        return fault
    with transaction.atomic():
        table = log_entries.lock(campaign)
        note_fault(table, log_fault(table))
    campaign.fault = table.fault
    return table.fault


def tick(now: datetime, limit: int | None = None) -> int:
    """Check the logs of campaigns, longest ago first, and return how many were checked.

    Each campaign is checked once a night. Campaigns for which one night has no time come first in
    the next.
    """
    if now.hour not in NIGHT or keys.vault_state() != "ok":
        return 0
    due = Campaign.objects.filter(
        Q(audited_at=None) | Q(audited_at__lt=now - NIGHTLY), title__in=TITLES
    )
    done = 0
    for campaign in list(due.order_by(F("audited_at").asc(nulls_first=True), "pk")[:limit]):
        this = Campaign.objects.filter(pk=campaign.pk, audited_at=campaign.audited_at)
        # Another worker may have begun this campaign. A campaign that ends this process is not
        # tried again tonight.
        if not this.update(audited_at=now):
            continue
        try:
            find_fault(campaign)
            done += 1
        except Busy:  # Another request holds it; the next tick tries again.
            Campaign.objects.filter(pk=campaign.pk).update(audited_at=campaign.audited_at)
        except NoSuchCampaign:
            pass  # It was deleted meanwhile.
    return done


def _all(campaign: Campaign) -> Iterator[str]:
    """Yield every difference of a campaign."""
    entries, audit = _entries(campaign), _Replay(campaign)
    faults = list(_log(campaign, entries, audit))
    yield from faults
    yield from audit.stale
    if not audit.complete:
        return
    yield from _copies(campaign, entries, audit)
    yield from log_entries.contest_differences(campaign, entries)
    try:
        history = positions.history(campaign)
    except IllegalMove:
        return  # Already reported, as a move struck or in force against the log.
    yield from log_entries.differences(campaign, history)
    yield from clock_differences(campaign, entries, history)
    if not record.replays(campaign):
        yield "a replay of the exported record gives a different position"


def _log(campaign: Campaign, entries: list[LogEntry], audit: _Replay) -> Iterator[str]:
    """Yield the faults of the log itself.

    If its chain is intact, `audit` has then replayed it all.
    """
    chained = list(_chain(campaign, entries))
    yield from chained
    if chained:
        return  # The entries of a broken chain prove nothing.
    for entry in entries:
        if entry.removed and (why := removal.fault(entry, log_entries.original(entry))):
            yield f"entry {entry.sequence}: {why}"
        yield from _facts(entry)
    for entry in entries:
        yield from audit.next(entry)
    for entry in entries:
        if entry.struck_by_id != audit.struck_by.get(entry.pk):
            yield (
                f"entry {entry.sequence}: stored as struck by {entry.struck_by}, unlike in the log"
            )
    audit.complete = True


def _entries(campaign: Campaign) -> list[LogEntry]:
    """Return all entries with what the audit needs of them."""
    return list(
        campaign.entries.order_by("sequence")
        .select_related("target", "struck_by")
        .prefetch_related("rolls")
    )


def _chain(campaign: Campaign, entries: list[LogEntry]) -> Iterator[str]:
    """Check that sequences and numbers have no gaps, and that every hash is right."""
    previous, number = "", 0
    for place, entry in enumerate(entries):
        if entry.sequence != place:
            yield f"entry {place} is missing"
            return
        if entry.number != (None if entry.audience_id is not None else number):
            yield f"entry {place}: its number {entry.number} does not follow the numbers before it"
        number += entry.audience_id is None
        rolls = [row.roll for row in entry.rolls.all()]
        target = entry.target.sequence if entry.target is not None else None
        try:
            covered = body(entry, target, rolls)
        except InvalidToken:
            yield f"entry {place}: the text that a moderator removed is encrypted with another key"
            return
        if entry_hash(previous, covered) != entry.hash:
            yield (
                f"entry {place}: its hash does not match its text, its rolls or the previous entry"
            )
        previous = entry.hash
    if not entries or entries[0].content.get("act") != GENESIS.name:
        yield "entry 0 is not the entry that founds the campaign"


def _facts(entry: LogEntry) -> Iterator[str]:
    """Yield the columns that differ from the texts that they repeat, and correct them in memory."""
    for field, value in entry.facts().items():
        if getattr(entry, field) != value:
            yield (
                f"entry {entry.sequence}: its {field} is {getattr(entry, field)!r}, but"
                f" {value!r} in its text"
            )
            setattr(entry, field, value)


def _draw_faults(place: str, entry: LogEntry) -> Iterator[str]:
    """Yield a fault if the lobby's draw is not what its seed gives."""
    is_draw = entry.act == LOBBY.name and entry.content["how"] == "drawn"
    if is_draw and not is_proven_draw(entry.content):
        yield f"{place}: the draw does not match its seed"


class _Replay:
    """A replay of the whole log, struck moves included, in the order of the entries."""

    def __init__(self, campaign: Campaign) -> None:
        self.campaign = campaign
        self.start: Any = None
        self.genesis: LogEntry | None = None
        self.last_change = ""
        self.position: Any = None
        self.standing: list[LogEntry] = []
        self.after: dict[int, Any] = {}
        self.struck_by: dict[int, int] = {}
        self.flags = SimpleNamespace(**dict.fromkeys(status.FLAGS, False), **EMPTY_ROW)
        self.ended_at: datetime | None = None
        self.renewals = self.links_published = 0
        self.chains: dict[str, int] = {}
        """The chain that each purpose was first thrown from."""
        self.complete = False
        """Whether the whole log has been replayed."""
        self.effects: dict[int, str] = {}
        """The effects of the replay, for each entry whose stored effects differ. No hash covers
        effects.
        """
        self.stale: list[str] = []

    @cached_property
    def dice(self) -> Any:
        """The dice that follow from the seeds. Use this only if the chain is intact."""
        return positions.proven_dice(self.campaign)

    def next(self, entry: LogEntry) -> Iterator[str]:
        """Replay one more entry and yield its faults."""
        place, effects = f"entry {entry.sequence}", "[]"
        rolls: tuple[Roll, ...] = ()
        if entry.is_move:
            played = self._play(entry)
            yield from self._move_faults(place, entry, played)
            self.standing.append(entry)
            self.position = self.after[entry.pk] = played.after
            effects, rolls = positions.effects_text(played), played.rolls
        else:
            if entry.act in (UNDO.name, RENEW.name) and "commitment" in entry.content:
                yield from self._renewed(place, entry)
            self._act(entry)
        if entry.is_move or entry.act in CHANGES_POSITION:
            self.last_change = entry.hash
        now = positions.copies(self.campaign, self.position)
        self._turn_flags(entry, is_finished=now.finished)
        yield from _draw_faults(place, entry)
        if entry.effects != effects:
            self.effects[entry.pk] = effects
            self.stale.append(f"{place}: its effects differ from those of the replay")
        yield from _rolls(place, entry, rolls)
        yield from self._chain_faults(place, entry)
        if entry.digest != positions.position_digest(self.campaign, self.position):
            yield f"{place}: its digest does not match the position after it"
        if entry.turn != now.turn:
            yield f"{place}: its turn is wrong: {entry.turn}"

    @property
    def timed_moves(self) -> list[TimedMove]:
        """The moves in force, with the effects of the replay."""
        return [
            positions.timed(move)._replace(
                name=move.content["move"], effects=self.effects.get(move.pk, move.effects)
            )
            for move in self.standing
        ]

    def _play(self, entry: LogEntry) -> MoveResult[Any]:
        """Play a move again."""
        move = self.campaign.game.decode(read(entry.content_json), self.position)
        return play(self.position, move, self.dice)

    def _move_faults(self, place: str, entry: LogEntry, played: MoveResult[Any]) -> Iterator[str]:
        """Yield where the columns of a move differ from the move."""
        if entry.seat != played.move.seat:
            yield (f"{place}: its seat is {entry.seat!r}, but the move is of {played.move.seat!r}")
        if entry.audience_id != audience_key(
            self.campaign.game.audience(self.position, played.move)
        ):
            yield f"{place}: its audience differs from that of the move"

    def _turn_flags(self, entry: LogEntry, *, is_finished: bool) -> None:
        """Update the flags of the replayed campaign by this entry."""
        status.update_flags(self.flags, entry.kind, ended=is_finished)
        if not entry.is_move:
            update_row(self.flags, entry.content, entry.seat, entry.sequence)
        self.ended_at = (self.ended_at or entry.at) if is_finished else None

    def _chain_faults(self, place: str, entry: LogEntry) -> Iterator[str]:
        """Yield the rolls that are not of the chain from which their purpose was first thrown."""
        for row in entry.rolls.all():
            if row.chain != self.chains.setdefault(row.purpose, self.renewals):
                yield (
                    f"{place}: the roll {row.purpose} does not come from the chain from which this"
                    " purpose was first thrown"
                )

    def _renewed(self, place: str, entry: LogEntry) -> Iterator[str]:
        """Yield a fault if the promised new dice are missing or do not fit their commitment."""
        self.renewals += 1
        self.links_published = max(
            self.links_published, self.campaign.game.links_due(self.position)
        )
        row = self.campaign.dice_renewals.filter(number=self.renewals, entry=entry).first()
        last = self.campaign.game.last_link(positions.scenario(self.campaign))
        if row is None:
            yield f"{place}: the new dice that it announces are missing"
        elif {row.commitment, commitment(keys.unseal(row.seed_sealed), last)} != {
            entry.content["commitment"]
        }:
            yield f"{place}: the seed of the new dice does not match the commitment"

    def _act(self, entry: LogEntry) -> None:
        """Apply an act that changes which moves are in force."""
        act = entry.act
        if act == GENESIS.name:
            content, game = entry.content, self.campaign.game
            self.genesis = entry
            self.position = self.start = game.setup(
                game.scenario(content["scenario"]), self._options()
            )
        elif act == UNDO.name and entry.target is not None:
            own, to = entry.content.get("own", False), entry.target.sequence
            mine = [
                move for move in self.standing if move.sequence >= to and move.seat == entry.seat
            ]
            gone = mine if own else [move for move in self.standing if move.sequence > to]
            self.struck_by |= {move.pk: entry.pk for move in gone}
            self._stand([move for move in self.standing if move not in gone])
        elif act == RESTORE.name and entry.target is not None:
            back = [pk for pk, undo in self.struck_by.items() if undo == entry.target_id]
            self.struck_by = {pk: undo for pk, undo in self.struck_by.items() if pk not in back}
            self.struck_by[entry.target.pk] = entry.pk
            moves = self.campaign.entries.filter(pk__in=back)
            self._stand(sorted([*self.standing, *moves], key=lambda move: move.sequence))

    def _options(self) -> Any:
        """Return the options of the first entry, with the edition of the rules at that time."""
        assert self.genesis is not None
        return self.campaign.game.options(
            options_of_genesis(self.campaign.game, self.genesis.content)
        )

    def _stand(self, moves: list[LogEntry]) -> None:
        """Put exactly these moves in force.

        Moves are replayed only from the first that differs from the moves in force before.
        """
        same = True
        self.position = self.start
        for place, move in enumerate(moves):
            same = same and move in self.standing[place : place + 1]
            if same:
                self.position = self.after[move.pk]
            else:
                decoded = self.campaign.game.decode(read(move.content_json), self.position)
                self.position = self.after[move.pk] = play(self.position, decoded, self.dice).after
        self.standing = moves


def _rolls(place: str, entry: LogEntry, expected: tuple[Roll, ...]) -> Iterator[str]:
    """Yield where an entry's stored rolls differ from the expected ones."""
    have = {row.purpose: row for row in entry.rolls.all()}
    for roll in expected:
        row = have.pop(roll.purpose, None)
        if row is None:
            yield f"{place}: the roll {roll.purpose} is missing"
        elif (row.sides, row.value, row.turn, row.audience_id) != (
            roll.sides,
            roll.value,
            roll.turn,
            audience_key(roll.audience),
        ):
            yield f"{place}: the roll {roll.purpose} does not match the seed"
    for purpose in have:
        yield f"{place}: the roll {purpose} is stored, but the move has no such roll"


def _replayed(campaign: Campaign) -> tuple[list[LogEntry], _Replay]:
    """Return the entries of the log and their replay, even if the log has faults."""
    entries, audit = _entries(campaign), _Replay(campaign)
    for entry in entries:
        for _ in audit.next(entry):
            pass  # The audit reports the faults.
    return entries, audit


def _expected(campaign: Campaign, entries: list[LogEntry], audit: _Replay) -> dict[str, Any]:
    """Return the columns of the campaign's row as the log gives them."""
    assert audit.genesis is not None
    terms, last = audit.genesis.content, entries[-1]
    now = positions.copies(campaign, audit.position)
    numbers = [entry.number for entry in entries if entry.number is not None]
    return {
        "scenario": canonical(terms["scenario"]),
        "options": canonical(terms["options"]),
        "edition": terms.get("edition", 1),
        "drawing_id": terms.get("drawing"),
        "commitment": terms["commitment"],
        "imported": "imported" in terms,
        "chance": terms.get("chance", ""),
        "renewals": audit.renewals,
        "links_published": audit.links_published,
        "status": status.status(audit.flags),
        **vars(audit.flags),
        "turn": now.turn,
        "phase": now.phase,
        "active_seat": now.active_seat,
        "last_sequence": last.sequence,
        "last_number": numbers[-1] if numbers else -1,
        "last_hash": last.hash,
        "standing_hash": audit.last_change,
        "result": now.result,
        "points": now.points,
        "ended_at": audit.ended_at,
        "turn_times": turn_times.of_moves(now.turn, audit.timed_moves).stored,
        "retried": (
            "again" in entries[0].content
            or any(
                entry.is_move and entry.pk in audit.struck_by and entry.rolls.all()
                for entry in entries
            )
        ),
    }


def _copies(campaign: Campaign, entries: list[LogEntry], audit: _Replay) -> Iterator[str]:
    """Yield where the campaign's own row differs from the log."""
    expected, game = _expected(campaign, entries, audit), campaign.game
    seed = keys.unseal(campaign.seed_sealed)
    for field, value in expected.items():
        if getattr(campaign, field) != value:
            yield f"the campaign's {field} differs from the log"
    if campaign.drawing is not None and digest_of(campaign.drawing.text) != campaign.drawing_id:
        yield "the drawing of the map differs from the one at the start"
    if (
        commitment(seed, game.last_link(game.scenario(read(campaign.scenario))))
        != expected["commitment"]
    ):
        yield "the seed does not match the commitment"
    yield from people_differences(campaign, entries)


# Memberships and applications, compared with the log.


def people_differences(campaign: Campaign, entries: Sequence[LogEntry]) -> Iterator[str]:
    """Yield where memberships and applications differ from the log."""
    logged = places_by_log(entries)
    now_held = campaign.memberships.filter(until=None)
    held: set[Place] = set(
        now_held.exclude(role=Membership.Role.SUBSTITUTE).values_list("role", "seat", "user_id")
    )
    seats = {seat for role, seat, _ in logged | held if role == SEAT_ROLE}
    for seat in sorted(seats):
        holder, logged_holder = (
            next((u for r, s, u in places if (r, s) == (SEAT_ROLE, seat)), None)
            for places in (held, logged)
        )
        if holder != logged_holder:
            yield f"the seat {seat} is held by user {holder}, but in the log by {logged_holder}"
    for role, _, user in sorted(logged - held):
        if role != SEAT_ROLE:
            yield f"user {user} has the role {role} in the log, but is not stored with it"
    for role, _, user in sorted(held - logged):
        if role != SEAT_ROLE:
            yield f"user {user} is stored with the role {role}, but does not have it in the log"
    bound = set(
        now_held.filter(role=Membership.Role.SUBSTITUTE).values_list(
            "launch_id", "contest", "seat", "user_id"
        )
    )
    if bound != _substitutes(entries):
        yield "the substitutes differ from the log"
    yield from _lobby(campaign, entries)


def _substitutes(entries: Sequence[LogEntry]) -> set[tuple[int | None, int | None, str, int]]:
    """Return launch, contest, seat and user of every substitute who was named and has not ended."""
    substitutes: set[tuple[int | None, int | None, str, int]] = set()
    for entry in entries:
        if entry.act == SUBSTITUTE.name:
            content = entry.content
            change = substitutes.add if content["how"] == "named" else substitutes.discard
            change((entry.target_id, content["battle"], entry.seat, content["user"]))
    return substitutes


def places_by_log(entries: Sequence[LogEntry]) -> set[Place]:
    """Return which user has which place, according to the log."""
    founder = entries[0].actor_id
    places: set[Place] = {(CHIEF_ROLE, "", founder)} if founder is not None else set()
    for entry in entries:
        if not entry.is_move:
            update_places(places, entry.content, entry.seat)
    return places


def _lobby(campaign: Campaign, entries: Sequence[LogEntry]) -> Iterator[str]:
    """Yield where the open lobby's commitment and applicants differ from the log."""
    bound: str | None = None
    applied: set[int] = set()
    for entry in entries:
        if entry.act != LOBBY.name:
            continue
        content = entry.content
        if content["how"] == "opened":
            bound, applied = content["commitment"], set()
        elif content["how"] == "drawn":
            bound, applied = None, set()
        elif content["how"] == "applied":
            applied.add(content["user"])
        else:
            applied.discard(content["user"])
    lobby_now = founding.current_lobby(campaign)
    if bound != (lobby_now.commitment if lobby_now else None):
        yield "the open lobby differs from the log"
    elif lobby_now is not None and applied != set(
        founding.applicants(lobby_now).values_list("user_id", flat=True)
    ):
        yield "the applicants of the lobby differ from the log"


# The clocks, compared with the log: which should run, since which entry, and until when.


Extensions = Mapping[tuple[int | None, str, str, int | None], LogEntry]
"""The last extension of a clock, by its entry, kind, seat and contest."""


def clock_differences(
    campaign: Campaign, entries: Sequence[LogEntry], history: History
) -> Iterator[str]:
    """Yield where the clocks differ from the log.

    There are clocks that the log does not want or that are missing, and deadlines that terms,
    extensions and pauses do not give. Only the row of an undone clock knows how long it was out of
    force: its `paused_time` is not checked.
    """
    expected = wanted_clocks(campaign, history.after)
    opened = openers(
        campaign, history, [key for key, wanted in expected.items() if wanted.entry is None]
    )
    extended, begun = _extensions(entries), _Beginnings(entries)
    clocks = Clock.objects.filter(campaign=campaign).select_related("entry", "acted_entry")
    for clock in clocks.order_by("pk"):
        name = f"clock {clock.kind} {clock.seat or clock.contest or ''}".strip()
        yield from _ended_faults(name, clock)
        if clock.ended_at is not None:
            continue
        key = (clock.kind, clock.seat, clock.contest, clock.followup_key)
        wanted = expected.pop(key, None)
        if wanted is None:
            yield f"{name} should not run"
            continue
        since = wanted.entry or (opened[key].pk if key in opened else None)
        yield from _running_faults(name, clock, since, begun)
        if clock.held != is_frozen(campaign):
            yield (
                f"{name}: it is paused, but the campaign is not"
                if clock.held
                else f"{name}: it is running, but the campaign is paused"
            )
        if not _fits(clock, extended.get((clock.entry_id, *key[:3]))):
            yield f"{name}: its deadline differs from the log"
    for key in expected:
        yield f"clock {' '.join(str(part) for part in key[:3] if part)} is missing"


def _extensions(entries: Iterable[LogEntry]) -> Extensions:
    """Return the last extension of each clock."""
    return {
        (
            entry.target_id,
            entry.content["kind"],
            entry.seat,
            entry.content.get("contest"),
        ): entry
        for entry in entries
        if entry.act == EXTEND.name
    }


class _Beginnings:
    """The moments at which a clock can begin later than its entry."""

    def __init__(self, entries: Sequence[LogEntry]) -> None:
        self.switched = {entry.at for entry in entries if entry.table_act in BEGINS_CLOCKS}
        self.acted = {entry.at for entry in entries if not entry.is_move}

    def allow(self, clock: Clock) -> bool:
        """Return whether a clock began with its entry or at one of these moments."""
        later = self.acted if clock.kind == clock_selectors.WORDS else self.switched
        return clock.started_at == clock.entry.at or clock.started_at in later


def _ended_faults(name: str, clock: Clock) -> Iterator[str]:
    """Yield what is wrong with a clock that has acted or ended."""
    if clock.acted_entry is not None and clock.acted_entry.actor_id is not None:
        yield f"{name}: an act of this clock was entered by a user"
    if clock.ended_at is not None and clock.next_at is not None:
        yield f"{name}: it has ended, but it is still scheduled"


def _running_faults(
    name: str, clock: Clock, since: int | None, begun: _Beginnings
) -> Iterator[str]:
    """Yield whether a clock did not begin with `since`, the entry that opens it."""
    if clock.entry_id != since:
        yield f"{name}: it was not started by entry {clock.entry.sequence}, as is stored"
    elif not begun.allow(clock):
        yield f"{name}: its start differs from the time of its entry"


def _fits(clock: Clock, extension: LogEntry | None) -> bool:
    """Return whether the deadlines of a clock follow from its terms and its extension."""
    if clock.first_due_at != add(clock.started_at, clock.length, clock.zone) + clock.paused_time:
        return False
    if extension is None:
        return clock.due_at == clock.first_due_at
    to = datetime.fromisoformat(extension.content["to"])
    return timedelta(0) <= clock.due_at - to < clock.paused_time + timedelta(seconds=1)


# Rebuilding what follows from the log: projections of other packages, and the campaign's row.


@transaction.atomic
def rebuild_campaign(campaign: Campaign) -> Campaign:
    """Write again the projections of a campaign and the columns that copy its log.

    The log gets no new entry. In its entries this function changes only the effects, which are a
    cache, and the columns that repeat their texts. It raises the errors of a replay if the log
    cannot be replayed.
    """
    table = log_entries.lock(campaign)
    _mend_entries(table, {})  # The replay reads these columns.
    entries, audit = _replayed(table)
    if audit.effects:
        _mend_entries(table, audit.effects)
    log_entries.sync_contests(table, table.entries.all())
    for field, value in _expected(table, entries, audit).items():
        setattr(table, field, value)
    table.save(update_fields=Campaign.COPIES)
    history = positions.history(table)
    log_entries.rebuild(table, history)
    services.reconcile(table, history.after, table.entries.latest("sequence").at)
    return table


def _mend_entries(table: Campaign, effects: Mapping[int, str]) -> None:
    """Write the `effects` that differ, by entry, and correct the columns that repeat texts."""
    for entry in list(table.entries.order_by("sequence")):
        entry.effects = effects.get(entry.pk, entry.effects)
        right = entry.facts() | ({"effects": entry.effects} if entry.pk in effects else {})
        if entry.pk in effects or any(
            getattr(entry, field) != value for field, value in right.items()
        ):
            table.entries.filter(pk=entry.pk).update(**right)
