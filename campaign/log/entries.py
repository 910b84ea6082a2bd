"""The functions that write log entries. Their callers hold the campaign's row in a transaction."""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, NamedTuple

from django.db import transaction
from django.db.models import F, Model, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from campaign import access, hooks, keys, open_pages, slow_database, status
from campaign.access import Access
from campaign.errors import NoSuchCampaign, NotNow, Refused, TableMovedOn, WrongCampaign
from campaign.log import positions, turn_times
from campaign.log.acts.dice import DIE
from campaign.log.acts.registry import CHANGES_POSITION, QUIET, update_row
from campaign.log.positions import History
from campaign.models import (
    Campaign,
    ContestEntry,
    DiceRoll,
    LogEntry,
    Membership,
    audience_key,
    audience_of,
    save_seat_sets,
    visible,
)
from campaign.sentences import texts, with_hashes
from engine.dice import Dice
from engine.effects import Roll
from engine.errors import IllegalMove, MalformedRecord, RollsMissing
from engine.play import Move, MoveResult, play
from engine.strict_json import canonical, entry_hash, first_invisible, is_clean_text, read
from games import registry
from games.contract.title import Title, WithRecordMoves


def lock(campaign: Campaign) -> Campaign:
    """Lock the campaign's row until the transaction ends and return it as it is now.

    If the position is not in memory, it is replayed before the lock, so that no other request waits
    for the replay. Raises `slow_database.Busy` if others hold the row for too long or too many wait
    for it. On SQLite the transaction is IMMEDIATE and holds the whole database;
    `select_for_update` has no effect there. Rows that only refer to the campaign can still be
    written, because its key does not change.
    """
    if campaign.title in registry.TITLES and campaign.last_sequence >= 0:
        # A log that no longer replays is reported by the audit.
        with suppress(IllegalMove, MalformedRecord):
            positions.current(campaign)
    with slow_database.place_in_queue(campaign.pk):
        locked = Campaign.objects.select_for_update(no_key=True).filter(pk=campaign.pk).first()
    if locked is None:
        raise NoSuchCampaign
    return locked


def note_change(**campaigns: Any) -> None:
    """Count a change that every reader may see in the campaigns that these filters select.

    Log entries are counted when they are appended.
    """
    Campaign.objects.filter(**campaigns).update(
        changes=F("changes") + 1, public_changes=F("public_changes") + 1
    )


def wake_followers(campaign: Campaign) -> None:
    """Let open pages ask for a change that only some readers may see."""
    Campaign.objects.filter(pk=campaign.pk).update(changes=F("changes") + 1)


def note_own_change(memberships: QuerySet[Membership]) -> None:
    """Count a change that only the holders of these memberships see."""
    memberships.update(own_changes=F("own_changes") + 1)


def count_entries(campaign: Campaign, audiences: Sequence[tuple[str, ...] | None]) -> None:
    """Count new entries: for every reader, or, if an entry is hidden, for those who may see it.

    The caller saves the campaign's row.
    """
    hidden = [audience for audience in audiences if audience is not None]
    campaign.changes += len(audiences)
    campaign.public_changes += len(audiences) - len(hidden)
    if hidden:
        note_own_change(access.places_with_sight(campaign, set().union(*hidden)))


def note_presence(user: Any) -> None:
    """Count a change in the campaigns of a user who has not been seen for a day.

    This skips a campaign that another request holds: that request counts a change itself.
    """
    free = Campaign.objects.select_for_update(skip_locked=True, no_key=True).filter(
        memberships__user=user
    )
    with transaction.atomic():
        note_change(pk__in=list(free.order_by("pk").values_list("pk", flat=True)))


def moment(now: datetime | None) -> datetime:
    """Return `now`, by default the current time."""
    return now or timezone.now()


def body(
    entry: LogEntry, target: int | None, rolls: Sequence[Roll], *, shown: bool = False
) -> dict[str, Any]:
    """Return the facts of an entry that its hash covers besides the previous hash.

    With `shown`, removed texts are replaced by what readers see instead; that is not what was
    hashed.
    """
    return {
        "sequence": entry.sequence,
        "kind": entry.kind,
        "what": entry.content_json if shown else hashed_text(entry),
        "actor": entry.actor_id,
        "seat": entry.seat,
        "audience": _listed(audience_of(entry.audience_id)),
        "target": target,
        "digest": entry.digest,
        "at": entry.at.astimezone(UTC).isoformat(timespec="microseconds"),
        "rolls": [
            [roll.purpose, roll.sides, roll.value, roll.turn, _listed(roll.audience)]
            for roll in rolls
        ],
    }


def hashed_text(entry: LogEntry) -> str:
    """Return what the hash covers: the move or act, with a salted hash in place of each typed text.

    Entries without a salt are older; their hash covers the text itself. Raises `InvalidToken` as
    `original` does.
    """
    text = original(entry)
    return canonical(with_hashes(read(text), entry.salt)) if entry.salt else text


def original(entry: LogEntry) -> str:
    """Return the move or act with the texts that moderators have removed.

    Raises `cryptography.fernet.InvalidToken` if it is sealed with another key.
    """
    return keys.unseal(entry.sealed) if entry.sealed else entry.content_json


def _listed(audience: tuple[str, ...] | None) -> list[str] | None:
    return None if audience is None else sorted(audience)


def _entry(**fields: Any) -> LogEntry:
    """Return a new entry, not saved yet, with the columns that repeat facts of its content."""
    entry = LogEntry(**fields)
    for column, value in entry.facts().items():
        setattr(entry, column, value)
    entry.salt = secrets.token_hex(16) if texts(read(entry.content_json)) else ""
    return entry


CONTEST_KEY = ("entry_id", "contest")


def save_contests(entries: Iterable[LogEntry]) -> None:
    """Write the rows of the contests that these new entries concern."""
    rows = [
        ContestEntry(campaign_id=entry.campaign_id, entry=entry, contest=number)
        for entry in entries
        for number in entry.contests
    ]
    if rows:
        ContestEntry.objects.bulk_create(rows)


def _contests_by_log(entries: Iterable[LogEntry]) -> Rows:
    return {(entry.pk, number): {} for entry in entries for number in entry.contests}


def sync_contests(campaign: Campaign, entries: Iterable[LogEntry]) -> None:
    """Write again the rows of the contests that the campaign's entries concern."""
    sync_rows(ContestEntry, campaign, CONTEST_KEY, (), _contests_by_log(entries))


def contest_differences(campaign: Campaign, entries: Iterable[LogEntry]) -> Iterator[str]:
    """Yield how the rows of contests differ from the log."""
    expected = _contests_by_log(entries)
    yield from disagreements(ContestEntry, campaign, CONTEST_KEY, (), expected)


def append(
    campaign: Campaign,
    what: Mapping[str, Any],
    position: Any,
    *,
    actor: Any,
    at: datetime,
    kind: str = LogEntry.Kind.TABLE,
    seat: str = "",
    audience: tuple[str, ...] | None = None,
    target: LogEntry | None = None,
    effects: str = "[]",
    rolls: Sequence[Roll] = (),
    before: Any = None,
) -> LogEntry:
    """Write one entry with its rolls, update the campaign's row, and notify the hooks.

    The caller saves the campaign's row. Raises `LogFault` if the stored log has failed its check.

    Args:
        campaign: The campaign, locked.
        what: The move or act.
        position: The position after the entry.
        actor: The user who caused it; None for a clock or a program.
        at: When.
        kind: Move or act.
        seat: The seat that it concerns.
        audience: The seats that may see it; None for everyone.
        target: The entry that an act concerns.
        effects: The effects of a move, as canonical JSON.
        rolls: The rolls of a move.
        before: The position before a move; None for an act, which changes no position.
    """
    status.must_verify(campaign)
    now = positions.copies(campaign, position)
    entry = _entry(
        campaign=campaign,
        sequence=campaign.last_sequence + 1,
        number=campaign.last_number + 1 if audience is None else None,
        kind=kind,
        content_json=canonical(what),
        actor=actor,
        seat=seat,
        audience_id=audience_key(audience),
        target=target,
        digest=positions.position_digest(campaign, position),
        at=at,
        turn=now.turn,
        effects=effects,
    )
    entry.hash = entry_hash(
        campaign.last_hash, body(entry, target.sequence if target else None, rolls)
    )
    save_seat_sets([entry.audience_id, *(audience_key(roll.audience) for roll in rolls)])
    entry.save(force_insert=True)
    save_contests([entry])
    known = _chains_known(campaign, rolls)
    DiceRoll.objects.bulk_create(
        _roll(entry, roll, known.get(roll.purpose, campaign.renewals)) for roll in rolls
    )
    campaign.last_sequence = entry.sequence
    campaign.last_hash = entry.hash
    count_entries(campaign, [audience])
    if entry.number is not None:
        campaign.last_number = entry.number
    campaign.turn, campaign.phase, campaign.active_seat, campaign.result, campaign.points = now
    campaign.ended_at = (campaign.ended_at or at) if now.finished else None
    if kind == LogEntry.Kind.MOVE:
        campaign.standing_hash = entry.hash
        times = turn_times.from_stored(campaign.turn_times)
        campaign.turn_times = times.after(positions.timed(entry)).stored
    elif what["act"] in CHANGES_POSITION:
        campaign.standing_hash = entry.hash
        campaign.turn_times = positions.times_of_turn(campaign).stored
        struck = campaign.entries.filter(kind=LogEntry.Kind.MOVE).exclude(struck_by=None)
        first = what if entry.sequence == 0 else campaign.entries.get(sequence=0).content
        campaign.retried = "again" in first or struck.filter(rolls__isnull=False).exists()
    if kind == LogEntry.Kind.TABLE:
        update_row(campaign, what, seat, entry.sequence)
    status.update_flags(campaign, kind, ended=now.finished)
    campaign.status = status.status(campaign)
    notify(campaign, entry, before, position)
    open_pages.changed(campaign, audience)
    return entry


def _chains_known(campaign: Campaign, rolls: Sequence[Roll]) -> dict[str, int]:
    """Return the chain of each purpose that was rolled before.

    A purpose keeps its chain for good.
    """
    if not (campaign.renewals and rolls):
        return {}
    before = DiceRoll.objects.filter(
        entry__campaign=campaign, purpose__in=[roll.purpose for roll in rolls]
    )
    return dict(before.values_list("purpose", "chain"))


def _roll(entry: LogEntry, roll: Roll, chain: int = 0) -> DiceRoll:
    return DiceRoll(
        entry=entry,
        purpose=roll.purpose,
        sides=roll.sides,
        value=roll.value,
        turn=roll.turn,
        chain=chain,
        audience_id=audience_key(roll.audience),
    )


class PlayedMove(NamedTuple):
    """A move that has been played, as `append_moves` writes it."""

    what: str
    seat: str
    audience: tuple[str, ...] | None
    effects: str
    rolls: tuple[Roll, ...]
    turn: int
    digest: str
    """The digest of the position after the move, under the campaign's key."""


def append_moves(
    campaign: Campaign, announced: Sequence[PlayedMove], after: Any, *, actor: Any, at: datetime
) -> list[LogEntry]:
    """Write many moves at once and update the campaign's row.

    `after` is the position after the last move. The caller calls the hooks and projections, once
    for all moves.
    """
    entries = []
    for played_move in announced:
        entry = _entry(
            campaign=campaign,
            sequence=campaign.last_sequence + 1,
            kind=LogEntry.Kind.MOVE,
            content_json=played_move.what,
            actor=actor,
            number=campaign.last_number + 1 if played_move.audience is None else None,
            seat=played_move.seat,
            audience_id=audience_key(played_move.audience),
            digest=played_move.digest,
            at=at,
            turn=played_move.turn,
            effects=played_move.effects,
        )
        entry.hash = entry_hash(campaign.last_hash, body(entry, None, played_move.rolls))
        campaign.last_sequence, campaign.last_hash = entry.sequence, entry.hash
        if entry.number is not None:
            campaign.last_number = entry.number
        entries.append(entry)
    save_seat_sets(entry.audience_id for entry in entries)
    save_seat_sets(
        audience_key(roll.audience) for played_move in announced for roll in played_move.rolls
    )
    LogEntry.objects.bulk_create(entries)
    save_contests(entries)
    DiceRoll.objects.bulk_create(
        _roll(entry, roll)
        for entry, played_move in zip(entries, announced, strict=True)
        for roll in played_move.rolls
    )
    if entries:
        count_entries(campaign, [move.audience for move in announced])
        now = positions.copies(campaign, after)
        campaign.turn, campaign.phase, campaign.active_seat, campaign.result, campaign.points = now
        campaign.ended_at, campaign.standing_hash = (
            (at if now.finished else None),
            campaign.last_hash,
        )
        campaign.turn_times = positions.times_of_turn(campaign).stored
        status.update_flags(campaign, LogEntry.Kind.MOVE, ended=now.finished)
        campaign.status = status.status(campaign)
    for audience in {played_move.audience for played_move in announced}:
        open_pages.changed(campaign, audience)
    return entries


def visible_entries(campaign: Campaign, who: Access) -> Any:
    """Return the entries that this reader may see, oldest first."""
    return campaign.entries.filter(visible(who.voices)).order_by("sequence")


def since_seen(campaign: Campaign, who: Access, seen: object) -> list[LogEntry]:
    """Return the reader's entries after `seen`; none if all of them are quiet acts.

    `seen` counts the entries that the reader may see, from 0, so that it reveals nothing about
    hidden entries. Without hidden entries it is the last entry's number. Raises `WrongCampaign` if
    the reader cannot have seen the entry `seen`.
    """
    known = known_to(campaign, who)
    if type(seen) is not int or not 0 <= seen < known:
        raise WrongCampaign
    since = list(visible_entries(campaign, who)[seen + 1 :]) if seen + 1 < known else []
    return [] if all(entry.table_act in QUIET for entry in since) else since


def must_be_current(campaign: Campaign, who: Access, seen: object) -> None:
    """Raise `TableMovedOn` if `seen` is not this reader's last entry, apart from quiet acts.

    Raises `WrongCampaign` too.
    """
    since = since_seen(campaign, who, seen)
    if since:
        raise TableMovedOn(since)


def known_to(campaign: Campaign, who: Access) -> int:
    """Return how many entries this reader may see.

    Unlike `count_visible`, this needs no query if all entries are public or the reader is a game
    master. The campaign's row must have been read just now.
    """
    all_public = campaign.last_number == campaign.last_sequence
    return (
        campaign.last_sequence + 1
        if who.game_master or all_public
        else count_visible(campaign, who)
    )


def last_seen(campaign: Campaign, who: Access) -> int:
    """Return the place of the reader's last entry, counted from 0.

    Entries that are newer than this row of the campaign do not count.
    """
    if who.game_master or campaign.last_number == campaign.last_sequence:
        return campaign.last_sequence
    return (
        int(visible_entries(campaign, who).filter(sequence__lte=campaign.last_sequence).count()) - 1
    )


def count_visible(campaign: Campaign, who: Access) -> int:
    """Return how many entries this reader may see."""
    return LogEntry.objects.filter(visible(who.voices), campaign=campaign).count()


def must_be_visible(text: object, field: str) -> None:
    """Raise `Refused` if a text contains an invisible character.

    Such a character can reverse the direction of the text. Control characters are refused where the
    text is parsed.
    """
    if isinstance(text, str) and is_clean_text(text, len(text)) and (mark := first_invisible(text)):
        reason = _(
            "%(field)s: the text contains an invisible character (U+%(mark)04X). Remove it, or"
            " type the text again."
        )
        raise Refused("unseen-mark", reason % {"field": field, "mark": ord(mark)})


def checked_reason(reason: object) -> str:
    """Return the stripped reason of a public act. Raises `Refused` if it is empty or too long."""
    must_be_visible(reason, pgettext("field", "Reason"))
    if not is_clean_text(reason, 1000) or not str(reason).strip():
        raise Refused(
            "no-reason",
            _("Give a reason in up to 1,000 characters. Everyone will be able to read it."),
        )
    return str(reason).strip()


# The table's acts: entries that are no moves. An act changes no position.


def append_act(
    table: Campaign,
    user: Any,
    what: Mapping[str, Any],
    *,
    seat: str = "",
    audience: tuple[str, ...] | None = None,
    target: LogEntry | None = None,
    now: datetime | None = None,
) -> LogEntry:
    """Log an act of `campaign.log.acts`.

    The caller holds the campaign's row (`lock`) and has checked that the user may do it. `what` has
    the act's name under `act`, users as ids, and no sentence. `target` is the entry that the act
    concerns.
    """
    at = moment(now)
    entry = append(
        table,
        what,
        positions.current(table),
        actor=user,
        seat=seat,
        audience=audience,
        target=target,
        at=at,
    )
    table.save(update_fields=Campaign.COPIES)
    return entry


# The projections of the log: `hooks.projections` are called after every move, `hooks.entry_written`
# after every entry. They write their own rows and do not change the campaign.

Rows = Mapping[tuple[Any, ...], Mapping[str, Any]]
"""Rows of a model: the values of its natural key -> its other fields."""


def project(campaign: Campaign, entry: LogEntry, played: MoveResult[Any]) -> None:
    """Update every projection after a move."""
    for projection in hooks.projections:
        projection.project(campaign, entry, played)


def notify(campaign: Campaign, entry: LogEntry, before: Any, after: Any) -> None:
    """Call the hooks that follow every entry."""
    for on_entry in hooks.entry_written:
        on_entry(campaign, entry, before, after)


def rebuild(campaign: Campaign, history: History) -> None:
    """Rebuild every projection from the whole log."""
    for projection in hooks.projections:
        projection.rebuild(campaign, history)


def differences(campaign: Campaign, history: History) -> Iterator[str]:
    """Yield how the stored projections differ from what the log gives."""
    for projection in hooks.projections:
        yield from projection.differences(campaign, history)


def stored_rows(
    model: type[Model], campaign: Campaign, key: tuple[str, ...], fields: tuple[str, ...]
) -> dict[Any, Any]:
    """Return the campaign's rows of a model by natural key, with the values of these fields."""
    rows = model._default_manager.filter(campaign=campaign).values_list(*key, *fields)
    return {row[: len(key)]: dict(zip(fields, row[len(key) :], strict=True)) for row in rows}


def sync_rows(
    model: type[Model],
    campaign: Campaign,
    key: tuple[str, ...],
    fields: tuple[str, ...],
    expected: Rows,
) -> None:
    """Make the campaign's rows of a model equal to `expected`, and write only what differs.

    Rows are matched by their natural key, `key`. Rows that are not expected are deleted.
    """
    have = stored_rows(model, campaign, key, fields)
    rows = model._default_manager
    if gone := [k for k in have if k not in expected]:
        identities = {
            row[1:]: row[0] for row in rows.filter(campaign=campaign).values_list("pk", *key)
        }
        rows.filter(pk__in=[identities[k] for k in gone]).delete()
    changed = [(k, values) for k, values in expected.items() if have.get(k) != values]
    if changed:
        if "audience_id" in fields:
            save_seat_sets(values["audience_id"] for _, values in changed)
        objects = [
            model(campaign=campaign, **dict(zip(key, k, strict=True)), **values)
            for k, values in changed
        ]
        if not fields:
            rows.bulk_create(objects)
            return
        rows.bulk_create(
            objects,
            update_conflicts=True,
            update_fields=fields,
            unique_fields=key if "entry_id" in key else ("campaign", *key),
        )


def disagreements(
    model: type[Model],
    campaign: Campaign,
    key: tuple[str, ...],
    fields: tuple[str, ...],
    expected: Rows,
) -> Iterator[str]:
    """Yield, in words, how the stored rows differ from the expected ones."""
    have = stored_rows(model, campaign, key, fields)
    name = model._meta.verbose_name
    for k in sorted(set(have) | set(expected), key=repr):
        where = f"{name} {'/'.join(map(str, k))}"
        if k not in have:
            yield f"{where} is missing"
        elif k not in expected:
            yield f"{where} should not be there"
        else:
            for field in fields:
                if have[k][field] != expected[k][field]:
                    yield (
                        f"{where}: {field} is {have[k][field]!r}, replay gives"
                        f" {expected[k][field]!r}"
                    )


# The steps of a move on its way into the log, the same for every sender: read, check, play, write.


def reread_move(table: Campaign, position: Any, raw: object) -> Move:
    """Return the move as a replay will read it from the log.

    Raises `Refused` if a text contains an invisible character: the table is stricter than the
    record (decision 9).
    """
    for key, value in raw.items() if isinstance(raw, dict) else ():
        for text in _texts(value):
            must_be_visible(text, str(key)[:40])
    return as_logged(table.game, position, raw)


def _texts(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list) and value:
        try:
            yield canonical(value)
        except (TypeError, ValueError, RecursionError):
            return  # No move has such a value; `as_logged` refuses it.


def as_logged(game: Title, position: Any, raw: object) -> Move:
    """Return a move of a title as it would be read back from the log.

    Raises `IllegalMove`, also for moves that only records may contain.
    """
    try:
        text = canonical(raw)
        text.encode()
    except (TypeError, ValueError, RecursionError):
        raise IllegalMove("bad-argument", "") from None
    move = game.decode(read(text), position)
    if isinstance(game, WithRecordMoves) and game.only_in_records(position, move):
        raise IllegalMove("not-allowed", "", "only-in-records")
    return game.decode(read(canonical(move.to_json())), position)


def allowed_move(table: Campaign, position: Any, raw: object) -> Move:
    """Return the move if its form is right and nothing forbids it before a die is thrown.

    Raises `IllegalMove` with its `sentence`.
    """
    try:
        move = reread_move(table, position, raw)
        move.admit(position)
        move.check(position)
    except IllegalMove as refusal:
        set_sentence(table, refusal)
        raise
    return move


def play_and_log(
    table: Campaign, actor: Any, position: Any, raw: object, dice: Dice, at: datetime
) -> tuple[LogEntry, MoveResult[Any]]:
    """Play a move on a position, log it with its rolls, and update the projections.

    The caller holds the campaign's row, has checked that the actor may do this, and calls
    `save_campaign` once afterwards. Raises `IllegalMove` with its `sentence`.
    """
    try:
        move = reread_move(table, position, raw)
        audience = table.game.audience(position, move)
        played = play(position, move, dice)
    except IllegalMove as refusal:
        set_sentence(table, refusal)
        raise
    entry = append(
        table,
        move.to_json(),
        played.after,
        kind=LogEntry.Kind.MOVE,
        actor=actor,
        seat=move.seat,
        at=at,
        audience=audience,
        effects=positions.effects_text(played),
        rolls=played.rolls,
        before=position,
    )
    project(table, entry, played)
    return entry, played


def save_campaign(table: Campaign, position: Any) -> None:
    """Save the campaign's row, and remember the position after its moves."""
    table.save(update_fields=Campaign.COPIES)
    # The hash of an entry is never used again. If the transaction is rolled back, the position
    # stays under a key that no one asks for.
    positions.memory.put((table.pk, table.standing_hash), position)


def set_sentence(table: Campaign, refusal: IllegalMove) -> None:
    """Set the sentence of a refusal, in the words of the title."""
    refusal.sentence = table.game.refusal(positions.scenario(table), refusal)


# A move whose die is thrown elsewhere is parked: kept, without effects, until its die is entered.


def must_not_wait(table: Campaign) -> None:
    """Raise `NotNow` while a move waits for a die, because no other move may come before it."""
    if table.parked:
        raise NotNow(
            "awaits-die",
            _(
                "An announced move is waiting for a die that is thrown elsewhere. Play goes on "
                "when the game master has entered it."
            ),
        )


def park_move(
    table: Campaign, actor: Any, raw: dict[str, Any], awaits: RollsMissing, at: datetime
) -> LogEntry:
    """Log the act that keeps a move, without effects, until its die is entered.

    The caller holds the campaign's row.
    """
    seat = str(raw.get("for", raw["by"]))
    what = {
        "act": DIE.name,
        "how": "parked",
        "move": raw,
        "purpose": awaits.purposes[0],
        "sides": awaits.sides,
    }
    audience = table.game.audience(
        positions.current(table), reread_move(table, positions.current(table), raw)
    )
    return append_act(table, actor, what, seat=seat, audience=audience, now=at)


def play_or_park(
    table: Campaign, actor: Any, position: Any, raw: Any, dice: Dice, at: datetime
) -> tuple[LogEntry, Any]:
    """Play and log a move, or park it if it waits for a die; then the receipt is None."""
    try:
        return play_and_log(table, actor, position, raw, dice, at)
    except RollsMissing as awaits:
        return park_move(
            table, actor, reread_move(table, position, raw).to_json(), awaits, at
        ), None


@dataclass
class AnnouncedMove:
    """The entries and receipts of a move that may make several entries.

    If a part waits for its die, the last entry is the act that parks it. `position` is the one
    after the parts that were played, `refused` the refusal at which the move stopped.
    """

    position: Any
    entries: list[LogEntry] = field(default_factory=list)
    receipts: list[MoveResult[Any]] = field(default_factory=list)
    refused: IllegalMove | None = None


def announce(
    table: Campaign, actor: Any, position: Any, move: Move, dice: Dice, at: datetime
) -> AnnouncedMove:
    """Play and log a move part by part, until a part is refused or waits for a die.

    If the first part waits for a die, the whole move is parked. The caller does what `play_and_log`
    asks for, and calls `save_campaign` afterwards.
    """
    announced = AnnouncedMove(position)
    whole = move.to_json()
    for part in list(table.game.expand(position, move)) or [whole]:
        try:
            entry, played = play_and_log(table, actor, announced.position, part, dice, at)
        except RollsMissing as awaits:
            announced.entries.append(
                park_move(table, actor, part if announced.entries else whole, awaits, at)
            )
            break
        except IllegalMove as refusal:
            announced.refused = refusal
            break
        announced.entries.append(entry)
        announced.receipts.append(played)
        announced.position = played.after
    return announced
