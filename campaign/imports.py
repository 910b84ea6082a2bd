"""Imports: campaigns founded from records, and the other uploads that a worker reads.

A record is judged completely first. Then its moves are written in one transaction.
"""

from __future__ import annotations

import json
import logging
import zlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from functools import partial
from hashlib import sha256
from time import monotonic
from typing import Any

from celery.exceptions import SoftTimeLimitExceeded
from django.conf import settings
from django.contrib.auth import get_user_model
from django.db import OperationalError, transaction
from django.db.models import Q, QuerySet
from django.utils import timezone, translation
from django.utils.formats import number_format
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from campaign import access, drafts, keys, limited_process, playtests, scenarios, shapes
from campaign.clocks import services
from campaign.dice import services as dice_services
from campaign.errors import Refused, TableError
from campaign.founding import describe_row, found_campaign
from campaign.log import entries, positions
from campaign.log import entries as log_entries
from campaign.models import Campaign, ImportJob
from campaign.pack_files import LARGEST
from campaign.pulse import error_places
from campaign.scenarios import CheckedScenario, vet
from campaign.seats.seating import seat_keys, seat_user, solo
from campaign.shapes import ShapesRead
from engine import record
from engine.errors import IllegalMove, MalformedRecord
from engine.language import use_language
from engine.play import MoveResult, perform
from engine.strict_json import canonical, digest, read, replace_unprintable
from games.contract.title import Title, WithScenarioDrawings
from games.registry import TITLES, by_format

SMALL = 60_000
"""The maximum length of a scenario that is read at once, without a child process."""
MOST = 20_000
"""The maximum number of moves in a record.

The longest known game, of the Roman Empire, has 850.
"""
BOTH = {"record", "drawing"}
"""The keys of a text that has a record and the map of its campaign."""
OnProgress = Callable[[int, int], None]
"""A function that receives how many moves of how many have been replayed."""


@dataclass
class CheckedRecord:
    """A record that was read: its faults with their places, or what is founded from it."""

    faults: list[str] = field(default_factory=list)
    title: str = ""
    drawing: str = ""
    scenario: Any = None
    options: Mapping[str, Any] = field(default_factory=dict)
    seed: str | None = None
    mended: bool = False
    """Whether the dice of the record were renewed or mixed, so that one seed cannot give them."""
    given: dict[str, int] = field(default_factory=dict)
    moves: list[Any] = field(default_factory=list)
    announced: list[tuple[log_entries.PlayedMove, MoveResult[Any]]] = field(default_factory=list)
    digest_key: str = field(default_factory=keys.new_secret)
    after: Any = None


def check_record(text: str | bytes, report: OnProgress = lambda done, of: None) -> CheckedRecord:
    """Read and replay a record.

    All parts that can be judged separately are judged, so that all faults are reported at once.
    Moves are judged up to the first that the rules forbid, because later ones depend on it.
    """
    judged = CheckedRecord()
    if len(text) > LARGEST:
        judged.faults.append(_("The record is larger than 20 MB."))
        return judged
    try:
        raw = read(text)
    except (MalformedRecord, ValueError, RecursionError) as wrong:
        judged.faults.append(_("It is not valid JSON: %(why)s.") % {"why": wrong})
        return judged
    document = None
    if isinstance(raw, dict) and set(raw) == BOTH:
        raw, document = raw["record"], raw["drawing"]
    try:
        parsed = record.parse(raw, by_format())
        _tables_own(judged, raw, parsed)
    except MalformedRecord as wrong:
        judged.faults.append(f"{wrong}.")
        judged.faults += [fault for fault in _by_parts(raw) if fault not in judged.faults]
        return judged
    if document is not None:
        _drawn(judged, parsed, document)
    elif (
        isinstance(parsed.title, WithScenarioDrawings)
        and (unseen := parsed.title.why_undrawn(_object(judged, parsed))) is not None
    ):
        judged.faults.append(f"{unseen}.")
    if len(parsed.moves) <= MOST:
        _replayed(judged, parsed, report)
    return judged


def _tables_own(judged: CheckedRecord, raw: Any, parsed: record.Record) -> None:
    """Check the requirements of the site that go beyond the form of a record."""
    scenario = raw.get("scenario", getattr(parsed.title, "default_scenario", None))
    judged.title = parsed.title.key
    judged.scenario, judged.options, judged.moves = scenario, raw.get("options", {}), parsed.moves
    judged.seed = raw["dice"].get("seed")
    judged.mended = bool(raw["dice"].get("renewals") or raw["dice"].get("mixed"))
    if judged.title not in TITLES:
        judged.faults.append(_("This site does not offer this game."))
    if len(parsed.moves) > MOST:
        judged.faults.append(
            _("A record can have at most %(most)s moves.")
            % {"most": number_format(MOST, force_grouping=True)}
        )
    if isinstance(scenario, Mapping):
        try:
            vet(scenario)
        except MalformedRecord as wrong:
            judged.faults.append(f"{wrong}.")


def _drawn(judged: CheckedRecord, parsed: record.Record, document: Any) -> None:
    """Check the campaign's own map, by the same rules as a map that is uploaded."""
    scenario = _object(judged, parsed)
    if not isinstance(parsed.title, WithScenarioDrawings) or not isinstance(scenario, Mapping):
        judged.faults.append(_("You cannot add drawings to this game."))
        return
    judged.drawing, faults = parsed.title.drawing(scenario, document)
    judged.faults += [f"{fault}." for fault in faults]


def _object(judged: CheckedRecord, parsed: record.Record) -> Any:
    """Return the scenario object, whether the record contains it or names a shipped scenario."""
    return (
        parsed.title.scenarios().get(judged.scenario)
        if isinstance(judged.scenario, str)
        else judged.scenario
    )


def _by_parts(raw: Any) -> list[str]:
    """Return the faults of scenario, options and dice, each checked separately.

    Returns none if the format is unknown.
    """
    if not isinstance(raw, dict):
        return []
    title = by_format().get(raw["format"]) if isinstance(raw.get("format"), str) else None
    if title is None:
        return []
    faults: list[str] = []

    def look(what: Callable[[], Any]) -> Any:
        try:
            return what()
        except MalformedRecord as wrong:
            faults.append(f"{wrong}.")
            return None

    scenario = look(
        lambda: title.scenario(raw.get("scenario", getattr(title, "default_scenario", None)))
    )
    options = look(lambda: title.options(raw.get("options", {})))
    if not isinstance(raw.get("moves"), list):
        faults.append(f"{MalformedRecord('moves', 'list')}.")
    if scenario is not None and options is not None:
        dice = raw.get("dice")
        fixed = dice.get("fixed") if isinstance(dice, dict) else None
        for purpose, value in fixed.items() if isinstance(fixed, dict) else ():
            look(partial(title.check_roll, scenario, options, purpose, value))
    faults += [f"{MalformedRecord(key, 'unknown-key')}." for key in raw if key not in record.KEYS]
    return faults


def _replayed(judged: CheckedRecord, parsed: record.Record, report: OnProgress) -> None:
    """Replay the moves, and keep the dice that no seed gives again."""
    title, position = parsed.title, parsed.title.setup(parsed.scenario, parsed.options)
    # Projections need of each position only what `_marks` returns, and everything of the last one.
    # So one position is kept for all moves that do not change the marks.
    kept = position.copy()
    marks, key = _marks(title, kept), judged.digest_key.encode()
    for index, raw in enumerate(parsed.moves[:MOST]):
        report(index, len(parsed.moves))
        try:
            move = log_entries.as_logged(title, position, raw)
            audience = title.audience(position, move)
            perform(position, move, parsed.dice)
        except IllegalMove as refusal:
            sentence = title.refusal(parsed.scenario, refusal)
            rule = f" §{refusal.rule}" if refusal.rule else ""
            judged.faults.append(
                _("Move %(number)s: %(why)s") % {"number": index, "why": f"{sentence}{rule}"}
            )
            return
        if _marks(title, position) != marks:
            kept = position.copy()
            marks = _marks(title, kept)
        played = MoveResult(move, kept, tuple(position.effects), parsed.dice.take_rolls())
        what, seen = canonical(move.to_json()), title.view(position, None)
        announced = log_entries.PlayedMove(
            what,
            move.seat,
            audience,
            positions.effects_text(played),
            played.rolls,
            seen["turn"],
            digest(position.encode(), key),
        )
        judged.announced.append((announced, played))
    judged.after = position
    fell = {roll.purpose: roll.value for _said, played in judged.announced for roll in played.rolls}
    before = set(parsed.dice.fixed) - set(fell)
    if before and title.hides(parsed.options) and title.score(position) is None:
        judged.faults.append(
            _(
                "dice.fixed.%(purpose)s: this die has not been thrown. Where hands are hidden, no "
                "die may be known in advance."
            )
            % {"purpose": min(before)}
        )
    # Dice that have not been thrown are not taken over: they are renewed. Dice that one seed gives
    # again need not be kept.
    worked = judged.seed is not None and not judged.mended
    judged.given = {
        purpose: value
        for purpose, value in fell.items()
        if not worked or purpose in parsed.dice.fixed
    }


def _marks(title: Title, position: Any) -> tuple[Any, ...]:
    """Return what projections and clocks need of a position that is not the last.

    It is the turn, the phase, the open slot, the seats that are waited for, and the contests.
    """
    seen = title.view(position, None)
    waits = () if title.score(position) is not None else title.waiting(position)
    asked = [
        (waiting.seat, waiting.contest, waiting.what.id, dict(waiting.what.facts))
        for waiting in waits
    ]
    return seen["turn"], seen["phase"], seen["slot"], asked, title.rows(position).contests


@transaction.atomic
def import_record(
    user: Any,
    judged: CheckedRecord,
    name: str,
    time_zone: str,
    visibility: str,
    *,
    now: datetime | None = None,
) -> Campaign:
    """Found a campaign from a judged record, and write its moves as its game master's.

    Only a user who plays alone is seated. `check_record` has replayed the moves, so the
    transaction is short. Raises `Refused`.
    """
    if judged.faults:
        raise Refused("bad-record", judged.faults[0])
    access.must_have_account(user)
    at = log_entries.moment(now)
    seed = judged.seed or keys.new_secret()
    campaign = found_campaign(
        user,
        judged.title,
        name,
        judged.scenario,
        judged.options,
        time_zone,
        visibility,
        seed=seed,
        given=judged.given,
        digest_key=judged.digest_key,
        drawing=judged.drawing,
        imported=True,
        now=at,
    )
    table = log_entries.lock(campaign)
    if solo(table):
        (seat,) = seat_keys(table)
        seat_user(table, user, seat, "taken", user, at)
    entries = log_entries.append_moves(
        table,
        [announced for announced, _played in judged.announced],
        judged.after,
        actor=user,
        at=at,
    )
    log_entries.save_campaign(table, judged.after)
    steps = [
        positions.Step(entry, played)
        for entry, (_said, played) in zip(entries, judged.announced, strict=True)
    ]
    if steps:
        steps[-1] = positions.Step(entries[-1], steps[-1].played._replace(after=judged.after))
        history = positions.History(positions.setup(table), steps)
        log_entries.rebuild(table, history)
        # No seat has a holder who could be notified; the clocks begin.
        services.reconcile(table, judged.after, at, history=history)
    if not positions.copies(table, judged.after).finished:
        dice_services.renew_imported(table, judged.after, at)
    return table


# Uploads: records that become campaigns, scenarios, and files with shapes that become drafts. The
# site keeps them when they are sent. A worker takes one at a time for each user, completely or not
# at all.
#
# The worker gives a sign of life each second. Nothing is founded before the last move has been
# replayed, and then in one transaction with the row that says so. A worker that dies leaves only
# the row, which the next pulse takes on again.

logger = logging.getLogger(__name__)

State = ImportJob.State
SAME_CLICK = timedelta(seconds=60)
"""The same record sent again within this time is treated as the same click."""
BEAT, SILENCE, ATTEMPTS = timedelta(seconds=1), timedelta(minutes=2), 3
"""How often a worker gives a sign of life, how long before a silent one is dead, how often it is
tried.
"""
NO_WORKER = timedelta(seconds=15)
"""After this time without a worker, none is running."""
KEEP, KEEP_SHAPES, MOST_OPEN, MOST_FAULTS = timedelta(days=7), timedelta(days=1), 3, 200


class TakenOver(Exception):
    """Work that another worker has taken over, or whose row is gone."""


class TooLong(Exception):
    """Work that has taken longer than allowed for one upload."""


def store_upload(
    user: Any,
    record: bytes,
    name: str,
    time_zone: str,
    visibility: str,
    *,
    now: datetime | None = None,
) -> tuple[ImportJob, bool]:
    """Keep a record that was sent, and return its row and whether it is new.

    Raises `Refused` if the form is invalid, and if the user has too many unfinished uploads.
    """
    access.must_have_account(user)
    describe_row(Campaign(), name, time_zone, visibility)
    facts = {"name": name.strip(), "time_zone": time_zone, "visibility": visibility}
    return _keep(
        user,
        ImportJob.Kind.RECORD,
        record,
        facts,
        [name.strip(), time_zone, visibility],
        entries.moment(now),
    )


def keep_scenario(
    user: Any,
    title: str,
    text: str,
    drawing: str,
    sharing: str,
    name: str = "",
    *,
    now: datetime | None = None,
) -> tuple[ImportJob, bool]:
    """Keep a scenario that was sent with its drawing, and return its row and whether it is new."""
    access.must_have_account(user)
    scenarios.must_be_sharing(sharing)
    sent = canonical({"text": text, "drawing": drawing}).encode()
    facts = {"title": title, "name": name[:100], "time_zone": "", "visibility": sharing}
    return _keep(
        user,
        ImportJob.Kind.SCENARIO,
        sent,
        facts,
        ["scenario", title, sharing],
        entries.moment(now),
    )


def keep_shapes(
    user: Any,
    data: bytes,
    names: Sequence[str] | None,
    name: str,
    *,
    begin: bool = False,
    now: datetime | None = None,
) -> tuple[ImportJob, bool]:
    """Keep a file with shapes until it is read, and return its row and whether it is new.

    Args:
        user: The user who sent the file.
        data: The file.
        names: The names that the user typed for its shapes; None if they have seen none yet.
        name: The name of the scenario.
        begin: Whether a draft begins from the file; otherwise the page shows its shapes.
        now: The present moment.
    """
    access.must_have_account(user)
    asked = canonical({"names": None if names is None else list(names), "begin": begin})
    facts = {"name": name[:100], "time_zone": "", "visibility": ""}
    return _keep(
        user,
        ImportJob.Kind.SHAPES,
        asked.encode() + b"\n" + data,
        facts,
        ["shapes", name],
        entries.moment(now),
    )


def shapes_of(user: Any, pk: int) -> ImportJob | None:
    """Return a file with shapes that this user sent; None if there is none."""
    return ImportJob.objects.filter(user_id=user.pk, kind=ImportJob.Kind.SHAPES, pk=pk).first()


@transaction.atomic
def _keep(
    user: Any, kind: str, sent: bytes, facts: dict[str, str], same: list[str], at: datetime
) -> tuple[ImportJob, bool]:
    """Keep an upload, and return its row and whether it is new."""
    get_user_model().objects.select_for_update(no_key=True).get(pk=user.pk)
    hashed = sha256(canonical(same).encode())
    hashed.update(sent)
    digest = hashed.hexdigest()
    mine = ImportJob.objects.filter(user=user)
    again = (
        mine.filter(digest=digest)
        .filter(Q(ended_at=None) | Q(state=State.FOUNDED, made_at__gt=at - SAME_CLICK))
        .first()
    )
    if again is not None:
        return again, False
    if mine.filter(ended_at=None).count() >= MOST_OPEN:
        raise Refused(
            "too-many",
            _("The site is still reading three of your files. Wait until one of them is finished."),
        )
    row = ImportJob.objects.create(
        user=user,
        kind=kind,
        language=get_language() or "en",
        content=zlib.compress(sent),
        digest=digest,
        made_at=at,
        **facts,
    )
    return row, True


def work(pk: int, *, now: datetime | None = None, lasts: float | None = None) -> ImportJob | None:
    """Do the work on an upload from the start; None if there is nothing to do.

    There is nothing to do if a worker works on it or on another upload of the same user. `now` is
    the moment of the founding and of the first sign of life. The work stops after `lasts` seconds,
    by default `settings.IMPORT_SECONDS`.
    """
    row = _claim(pk, entries.moment(now))
    if row is None:
        return None
    limit = monotonic() + (settings.IMPORT_SECONDS if lasts is None else lasts)
    try:
        with translation.override(row.language), use_language(row.language):
            return WORK[ImportJob.Kind(row.kind)](row, ProgressReporter(row, limit), now)
    except TakenOver:
        return None
    except (TooLong, SoftTimeLimitExceeded):
        return _end(row, State.TOO_LONG, entries.moment(now))
    except TableError as refused:
        return _end(row, State.FAULTY, entries.moment(now), [str(refused)])
    except OperationalError as error:  # The database was away or busy; the next pulse tries again.
        logger.warning("Import %d: %s", pk, error_places(error))
        return None
    except Exception as error:
        logger.error("Import %d: %s", pk, error_places(error))
        return _end(row, State.STOPPED, entries.moment(now))


def _take_over(
    row: ImportJob, progress: ProgressReporter, now: datetime | None
) -> ImportJob | None:
    """Judge a record and found its campaign."""
    judged = limited_process.run(
        check_uploaded_record, bytes(row.content), row.language, with_django=True, report=progress
    )
    if judged.faults:
        return _end(row, State.FAULTY, entries.moment(now), judged.faults)
    progress.report_step(state=State.WRITING, done=len(judged.moves), total=len(judged.moves))
    with transaction.atomic():
        locked, at = _locked_import(row), entries.moment(now)
        locked.campaign = import_record(
            locked.user, judged, row.name, row.time_zone, row.visibility, now=at
        )
        return _close(locked, State.FOUNDED, at)


def _put_on_shelf(
    row: ImportJob, progress: ProgressReporter, now: datetime | None
) -> ImportJob | None:
    """Judge a scenario and keep it."""
    judged = limited_process.run(
        check_uploaded_scenario, row.title, bytes(row.content), row.language, with_django=True
    )
    if judged.faults:
        return _end(
            row, State.FAULTY, entries.moment(now), [f"{fault}." for fault in judged.faults]
        )
    progress.report_step(state=State.WRITING)
    with transaction.atomic():
        locked, at = _locked_import(row), entries.moment(now)
        locked.scenario = scenarios.save_scenario(
            locked.user, row.title, judged.scenario, judged.drawing, row.visibility, now=at
        )
        return _close(locked, State.FOUNDED, at)


def _read_shapes(
    row: ImportJob, progress: ProgressReporter, now: datetime | None
) -> ImportJob | None:
    """Read a file with shapes, and begin a draft if the user asked for it."""
    line, _newline, data = zlib.decompress(bytes(row.content)).partition(b"\n")
    asked = json.loads(line)
    shapes_read = shapes.read_shapes(data, asked["names"], row.name, begin=asked["begin"])
    progress.report_step(state=State.WRITING)
    if shapes_read.bundle is not None:
        try:
            return _begin_draft(row, shapes_read, now)
        except (MalformedRecord, Refused) as fault:
            why = f"{fault}." if isinstance(fault, MalformedRecord) else str(fault)
            shown = shapes.read_shapes(data, asked["names"], row.name, begin=False)
            shapes_read = replace(shown, errors=[why, *shown.errors])
    if shapes_read.faults or shapes_read.sheet is None:
        return _end(row, State.FAULTY, entries.moment(now), list(shapes_read.faults))
    result = {"sheet": shapes_read.sheet, "errors": list(shapes_read.errors)}
    with transaction.atomic():
        return _close(_locked_import(row), State.FOUNDED, entries.moment(now), result=result)


@transaction.atomic
def _begin_draft(row: ImportJob, begun: ShapesRead, now: datetime | None) -> ImportJob:
    """Begin a draft from a file with shapes."""
    locked, at = _locked_import(row), entries.moment(now)
    assert begun.bundle is not None
    draft = drafts.begin_draft(
        locked.user, begun.title, begun.bundle, locked.name, begun_from=_("a file"), now=at
    )
    return _close(locked, State.FOUNDED, at, result={"draft": draft.public_id})


WORK: dict[
    ImportJob.Kind, Callable[[ImportJob, ProgressReporter, datetime | None], ImportJob | None]
] = {
    ImportJob.Kind.RECORD: _take_over,
    ImportJob.Kind.SCENARIO: _put_on_shelf,
    ImportJob.Kind.SHAPES: _read_shapes,
}
"""The function with which a worker processes each kind."""


def check_uploaded_record(content: bytes, language: str, report: OnProgress) -> CheckedRecord:
    """Check a stored record in a child process, which gives a sign of life at each move."""
    with translation.override(language), use_language(language):
        return check_record(zlib.decompress(content), report)


def check_uploaded_scenario(
    title: str, content: bytes, language: str, mapped: bool = True
) -> CheckedScenario:
    """Check a stored scenario in a child process."""
    with translation.override(language), use_language(language):
        sent = read(zlib.decompress(content))
        return scenarios.check_scenario(TITLES[title], sent["text"], sent["drawing"], mapped=mapped)


def check_scenario_at_once(
    title: str, text: str, drawing: str = "", *, mapped: bool = True
) -> CheckedScenario:
    """Check a scenario while its sender waits.

    It is read in a child process if it has more than SMALL characters. Pages leave longer scenarios
    to the worker; only programs wait for the answer. Raises `LimitExceeded`.
    """
    if len(text) + len(drawing) <= SMALL:
        return scenarios.check_scenario(TITLES[title], text, drawing, mapped=mapped)
    sent = zlib.compress(canonical({"text": text, "drawing": drawing}).encode())
    return limited_process.run(
        check_uploaded_scenario, title, sent, get_language() or "en", mapped, with_django=True
    )


def _busy(user: int, at: datetime) -> QuerySet[ImportJob]:
    """Return the uploads of this user that a worker is working on."""
    return ImportJob.objects.filter(user=user, ended_at=None, heartbeat_at__gt=at - SILENCE)


@transaction.atomic
def _claim(pk: int, at: datetime) -> ImportJob | None:
    """Claim an upload for this worker and return its row; None if that is not possible."""
    whose = ImportJob.objects.filter(pk=pk, ended_at=None).values_list("user_id", flat=True).first()
    if whose is None:
        return None
    # One at a time for each user: a worker that takes another of their uploads at the same moment
    # waits here, and finds this one begun.
    get_user_model().objects.select_for_update(no_key=True).get(pk=whose)
    row = (
        ImportJob.objects.select_for_update(of=("self",))
        .select_related("user")
        .filter(pk=pk, ended_at=None)
        .first()
    )
    if row is None or _busy(whose, at).exists():
        return None
    if row.attempt >= ATTEMPTS or not row.user.is_active:
        _close(row, State.STOPPED, at)
        return None
    row.attempt, row.heartbeat_at, row.state, row.done, row.total = (
        row.attempt + 1,
        at,
        State.READING,
        0,
        0,
    )
    row.save(update_fields=["attempt", "heartbeat_at", "state", "done", "total"])
    return row


def _report_step(row: ImportJob, **how: Any) -> None:
    """Store a sign of life. Raises `TakenOver`."""
    if not ImportJob.objects.filter(pk=row.pk, attempt=row.attempt, ended_at=None).update(
        heartbeat_at=timezone.now(), **how
    ):
        raise TakenOver


class ProgressReporter:
    """A reporter of progress, once a second.

    Raises `TakenOver`, and `TooLong` when the time is over.
    """

    def __init__(self, row: ImportJob, limit: float) -> None:
        self.row, self.limit, self.last = row, limit, timezone.now() - BEAT

    def __call__(self, done: int, of: int) -> None:
        """Report how many moves have been replayed."""
        if monotonic() >= self.limit:
            raise TooLong
        if (at := timezone.now()) - self.last >= BEAT:
            self.last = at
            _report_step(self.row, state=State.REPLAYING, done=done, total=of)

    def report_step(self, **how: Any) -> None:
        """Report that a step is done."""
        if monotonic() >= self.limit:
            raise TooLong
        _report_step(self.row, **how)


@transaction.atomic
def _end(
    row: ImportJob, state: State, at: datetime, faults: list[str] | None = None
) -> ImportJob | None:
    """End the work; None if another worker has taken it over."""
    try:
        return _close(_locked_import(row), state, at, faults)
    except TakenOver:
        return None


def _locked_import(row: ImportJob) -> ImportJob:
    """Lock and return the row, if this worker still has it. Raises `TakenOver`."""
    rows = ImportJob.objects.select_for_update(of=("self",)).select_related("user")
    locked = rows.filter(pk=row.pk, attempt=row.attempt, ended_at=None).first()
    if locked is None:
        raise TakenOver
    return locked


def _close(
    row: ImportJob,
    state: State,
    at: datetime,
    faults: list[str] | None = None,
    result: Mapping[str, Any] | None = None,
) -> ImportJob:
    """Write the outcome of the work."""
    row.state, row.ended_at, row.content = state, at, b""
    # A fault may name a key of the sent text, and PostgreSQL cannot store a null character in JSON.
    row.faults = [replace_unprintable(fault) for fault in (faults or [])[:MOST_FAULTS]]
    row.result = None if result is None else dict(result)
    row.save(
        update_fields=["state", "ended_at", "content", "faults", "result", "campaign", "scenario"]
    )
    return row


def waits_for_worker(row: ImportJob, now: datetime) -> bool:
    """Return whether an upload waits for a worker that is not running.

    It may also wait for another upload of the same user; then this is False.
    """
    return (
        row.state == State.WAITING
        and now - row.made_at > NO_WORKER
        and not _busy(row.user_id, now).exists()
    )


def next_of(pk: int) -> list[int]:
    """Return the uploads of the same user that waited for this one."""
    whose = ImportJob.objects.filter(pk=pk).values("user")
    return list(
        ImportJob.objects.filter(user__in=whose, ended_at=None, heartbeat_at=None)
        .order_by("pk")
        .values_list("pk", flat=True)
    )


def tick(now: datetime, limit: int | None = None) -> int:
    """Work on waiting or abandoned uploads, then on play-tests; delete old rows."""
    ImportJob.objects.filter(
        Q(ended_at__lt=now - KEEP) | Q(kind=ImportJob.Kind.SHAPES, ended_at__lt=now - KEEP_SHAPES)
    ).delete()
    left = ImportJob.objects.filter(ended_at=None)
    waits = left.filter(
        Q(heartbeat_at=None, made_at__lt=now - SAME_CLICK) | Q(heartbeat_at__lt=now - SILENCE)
    ).order_by("pk")
    done = 0
    for pk in list(waits.values_list("pk", flat=True)):
        if done == (limit or 1):
            break
        done += work(pk, now=now) is not None
    return done or playtests.resume(now)
