"""A campaign founded from a record: judged whole first, then said move by move in one transaction,
all or nothing.
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

from campaign import access, drafts, keys, limited, playtests, scenarios, shapes
from campaign.clocks import services
from campaign.dice import services as dice_services
from campaign.errors import Refused, TableError
from campaign.founding import describe_row, found_campaign
from campaign.log import entries, positions
from campaign.log import entries as log_entries
from campaign.models import Campaign, ImportJob
from campaign.pack_files import LARGEST
from campaign.pulse import error_places
from campaign.scenarios import JudgedScenario, vet
from campaign.seats.seating import seat_keys, sit, solo
from campaign.shapes import ShapesRead
from engine import record
from engine.errors import IllegalMove, MalformedRecord
from engine.language import reading_in
from engine.play import Played, perform
from engine.strict_json import canonical, digest, printable_text, read
from games.contract.title import Drawn, Title
from games.registry import TITLES, by_format

SMALL = 60_000
"""The most characters of a scenario that is read while its sender waits, without a child
process.
"""
MOST = 20_000
"""Moves of a record that the table takes. The longest game we know of, the Roman Empire's,
has 850.
"""
BOTH = {"record", "drawing"}
"""The keys of a text that has a record and the map that its campaign was played on."""
Told = Callable[[int, int], None]
"""Hears how many moves have been replayed, of how many."""


@dataclass
class Judged:
    """A record read: what is wrong with it, each fault with its place; or, with none, what is
    founded from it.
    """

    faults: list[str] = field(default_factory=list)
    title: str = ""
    drawing: str = ""
    scenario: Any = None
    options: Mapping[str, Any] = field(default_factory=dict)
    seed: str | None = None
    mended: bool = False
    """Its dice were renewed or mixed: one seed does not give them again."""
    given: dict[str, int] = field(default_factory=dict)
    moves: list[Any] = field(default_factory=list)
    announced: list[tuple[log_entries.PlayedMove, Played[Any]]] = field(default_factory=list)
    digest_key: str = field(default_factory=keys.new_secret)
    after: Any = None


def judge(text: str | bytes, tell: Told = lambda done, of: None) -> Judged:
    """Read and replay a record. Every part that can be judged alone is, so that all faults are told
    at once; moves are judged up to the first that the rules forbid, for what follows it depends on
    it.
    """
    judged = Judged()
    if len(text) > LARGEST:
        judged.faults.append(_("The record has more than 20 MB."))
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
        isinstance(parsed.title, Drawn)
        and (unseen := parsed.title.undrawn(_object(judged, parsed))) is not None
    ):
        judged.faults.append(f"{unseen}.")
    if len(parsed.moves) <= MOST:
        _replayed(judged, parsed, tell)
    return judged


def _tables_own(judged: Judged, raw: Any, parsed: record.Record) -> None:
    """What the table asks for beyond the record's form."""
    scenario = raw.get("scenario", getattr(parsed.title, "default_scenario", None))
    judged.title = parsed.title.key
    judged.scenario, judged.options, judged.moves = scenario, raw.get("options", {}), parsed.moves
    judged.seed = raw["dice"].get("seed")
    judged.mended = bool(raw["dice"].get("renewals") or raw["dice"].get("mixed"))
    if judged.title not in TITLES:
        judged.faults.append(_("This game is not played here."))
    if len(parsed.moves) > MOST:
        judged.faults.append(
            _("The table takes records of up to %(most)s moves.")
            % {"most": number_format(MOST, force_grouping=True)}
        )
    if isinstance(scenario, Mapping):
        try:
            vet(scenario)
        except MalformedRecord as wrong:
            judged.faults.append(f"{wrong}.")


def _drawn(judged: Judged, parsed: record.Record, document: Any) -> None:
    """The campaign's own map, held to the same law as where it was first brought."""
    scenario = _object(judged, parsed)
    if not isinstance(parsed.title, Drawn) or not isinstance(scenario, Mapping):
        judged.faults.append(_("This game has no drawings of its own."))
        return
    judged.drawing, faults = parsed.title.drawing(scenario, document)
    judged.faults += [f"{fault}." for fault in faults]


def _object(judged: Judged, parsed: record.Record) -> Any:
    """The scenario's object, a shipped one's too."""
    return (
        parsed.title.scenarios().get(judged.scenario)
        if isinstance(judged.scenario, str)
        else judged.scenario
    )


def _by_parts(raw: Any) -> list[str]:
    """The faults of scenario, options and dice, each looked at by itself, where the format is
    known.
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


def _replayed(judged: Judged, parsed: record.Record, tell: Told) -> None:
    """Play it through; the dice that fell are the campaign's, where no seed gives them again."""
    title, position = parsed.title, parsed.title.setup(parsed.scenario, parsed.options)
    # Readings ask a position along the way what `_marks` has, and the last one for the rest: one is
    # kept for all the moves that leave these as they are.
    kept = position.copy()
    marks, key = _marks(title, kept), judged.digest_key.encode()
    for index, raw in enumerate(parsed.moves[:MOST]):
        tell(index, len(parsed.moves))
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
        played = Played(move, kept, tuple(position.effects), parsed.dice.take())
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
                "dice.fixed.%(purpose)s: this die has not been thrown. Where hands are hidden, no"
                " die may be known beforehand."
            )
            % {"purpose": min(before)}
        )
    # Dice that have not fallen are not taken over: they are renewed. What one seed gives again need
    # not be kept.
    worked = judged.seed is not None and not judged.mended
    judged.given = {
        purpose: value
        for purpose, value in fell.items()
        if not worked or purpose in parsed.dice.fixed
    }


def _marks(title: Title, position: Any) -> tuple[Any, ...]:
    """What readings and clocks ask a position along the way: contests, turn, phase, whose slot it
    is, who is waited for.
    """
    seen = title.view(position, None)
    waits = () if title.score(position) is not None else title.waiting(position)
    asked = [(one.seat, one.contest, one.what.id, dict(one.what.facts)) for one in waits]
    return seen["turn"], seen["phase"], seen["slot"], asked, title.rows(position).contests


@transaction.atomic
def import_record(
    user: Any,
    judged: Judged,
    name: str,
    time_zone: str,
    visibility: str,
    *,
    now: datetime | None = None,
) -> Campaign:
    """Found the campaign, nobody seated but who plays alone, and say its moves as its game master.
    Raises `Refused`.

    The moves are those that `judge` has played: here they are only written, so that others wait for
    a short transaction.
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
        sit(table, user, seat, "taken", user, at)
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
        # Who could be told sits there not yet; time begins to run.
        services.reconcile(table, judged.after, at, history=history)
    if not positions.copies(table, judged.after).finished:
        dice_services.on_import(table, judged.after, at)
    return table


# Records that become campaigns, scenarios that go to a shelf, files with shapes that become drafts.
# The site keeps them when they are sent. A worker takes one at a time for each user, completely or
# not at all.
#
# Who works at one says so each second. Nothing is founded before the last move has been replayed,
# and then in one transaction with the row that says so: whoever dies in the middle leaves nothing
# but the row, which the next pulse takes on again.

logger = logging.getLogger(__name__)

State = ImportJob.State
AGAIN = timedelta(seconds=60)
"""The same record sent again within this time is the same click."""
BEAT, SILENCE, ATTEMPTS = timedelta(seconds=1), timedelta(minutes=2), 3
"""The worker at one says so this often; silent for so long it is dead; so often it is tried."""
UNTAKEN = timedelta(seconds=15)
"""After so long nobody takes it: no worker runs."""
KEEP, KEEP_SHAPES, MOST_OPEN, MOST_FAULTS = timedelta(days=7), timedelta(days=1), 3, 200


class Overtaken(Exception):
    """Somebody else works at it, or it is gone."""


class TooLong(Exception):
    """It has taken longer than one thing of one person may."""


def store_upload(
    user: Any,
    record: bytes,
    name: str,
    time_zone: str,
    visibility: str,
    *,
    now: datetime | None = None,
) -> tuple[ImportJob, bool]:
    """A record that was sent, kept until it is worked at, and whether it is new: the same a second
    time is the first one.

    Raises `Refused` for what the form says wrong, and where this person has sent too much that is
    not done.
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
    """A scenario that was sent for one's shelf with what stood beside it as its drawing, kept
    likewise.
    """
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
    get_user_model().objects.select_for_update(no_key=True).get(pk=user.pk)
    hashed = sha256(canonical(same).encode())
    hashed.update(sent)
    digest = hashed.hexdigest()
    mine = ImportJob.objects.filter(user=user)
    again = (
        mine.filter(digest=digest)
        .filter(Q(ended_at=None) | Q(state=State.FOUNDED, made_at__gt=at - AGAIN))
        .first()
    )
    if again is not None:
        return again, False
    if mine.filter(ended_at=None).count() >= MOST_OPEN:
        raise Refused(
            "too-many",
            _("Three things that you sent are still being read. Wait until one of them is done."),
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
    """Take it on from the start: read, replay or lay out, write. None where there is nothing to do,
    or somebody is at it, or at another one of the same person.

    `now` is the moment of the founding, and of the first sign of life; the later ones are the
    clock's. It ends after `lasts` seconds, by default `settings.IMPORT_SECONDS`.
    """
    row = _claim(pk, entries.moment(now))
    if row is None:
        return None
    limit = monotonic() + (settings.IMPORT_SECONDS if lasts is None else lasts)
    try:
        with translation.override(row.language), reading_in(row.language):
            return WORK[ImportJob.Kind(row.kind)](row, Teller(row, limit), now)
    except Overtaken:
        return None
    except (TooLong, SoftTimeLimitExceeded):
        return _end(row, State.TOO_LONG, entries.moment(now))
    except TableError as refused:
        return _end(row, State.FAULTY, entries.moment(now), [str(refused)])
    except OperationalError as error:  # the database was away or busy: the next pulse tries again
        logger.warning("Import %d: %s", pk, error_places(error))
        return None
    except Exception as error:
        logger.error("Import %d: %s", pk, error_places(error))
        return _end(row, State.STOPPED, entries.moment(now))


def _take_over(row: ImportJob, tell: Teller, now: datetime | None) -> ImportJob | None:
    judged = limited.run(judge_sent, bytes(row.content), row.language, with_django=True, tell=tell)
    if judged.faults:
        return _end(row, State.FAULTY, entries.moment(now), judged.faults)
    tell.report_step(state=State.WRITING, done=len(judged.moves), total=len(judged.moves))
    with transaction.atomic():
        locked, at = _locked_import(row), entries.moment(now)
        locked.campaign = import_record(
            locked.user, judged, row.name, row.time_zone, row.visibility, now=at
        )
        return _close(locked, State.FOUNDED, at)


def _put_on_shelf(row: ImportJob, tell: Teller, now: datetime | None) -> ImportJob | None:
    judged = limited.run(
        judge_scenario_sent, row.title, bytes(row.content), row.language, with_django=True
    )
    if judged.faults:
        return _end(
            row, State.FAULTY, entries.moment(now), [f"{fault}." for fault in judged.faults]
        )
    tell.report_step(state=State.WRITING)
    with transaction.atomic():
        locked, at = _locked_import(row), entries.moment(now)
        locked.scenario = scenarios.put(
            locked.user, row.title, judged.scenario, judged.drawing, row.visibility, now=at
        )
        return _close(locked, State.FOUNDED, at)


def _read_shapes(row: ImportJob, tell: Teller, now: datetime | None) -> ImportJob | None:
    """Read a file with shapes, which takes some seconds, and begin a draft if the user asked for
    it.
    """
    line, _newline, data = zlib.decompress(bytes(row.content)).partition(b"\n")
    asked = json.loads(line)
    shapes_read = shapes.read_shapes(data, asked["names"], row.name, begin=asked["begin"])
    tell.report_step(state=State.WRITING)
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
    locked, at = _locked_import(row), entries.moment(now)
    assert begun.bundle is not None
    draft = drafts.begin(
        locked.user, begun.title, begun.bundle, locked.name, begun_from=_("a file"), now=at
    )
    return _close(locked, State.FOUNDED, at, result={"draft": draft.public_id})


WORK: dict[ImportJob.Kind, Callable[[ImportJob, Teller, datetime | None], ImportJob | None]] = {
    ImportJob.Kind.RECORD: _take_over,
    ImportJob.Kind.SCENARIO: _put_on_shelf,
    ImportJob.Kind.SHAPES: _read_shapes,
}
"""The function with which a worker processes each kind."""


def judge_sent(content: bytes, language: str, tell: Told) -> Judged:
    """Check a stored record in a child process, which gives a sign of life at each move."""
    with translation.override(language), reading_in(language):
        return judge(zlib.decompress(content), tell)


def judge_scenario_sent(
    title: str, content: bytes, language: str, mapped: bool = True
) -> JudgedScenario:
    """Check a stored scenario in a child process."""
    with translation.override(language), reading_in(language):
        sent = read(zlib.decompress(content))
        return scenarios.judge(TITLES[title], sent["text"], sent["drawing"], mapped=mapped)


def judge_scenario(
    title: str, text: str, drawing: str = "", *, mapped: bool = True
) -> JudgedScenario:
    """Check a scenario while its sender waits, in a child process if it has more than SMALL
    characters.

    Pages leave longer scenarios to the worker; only programs wait for the answer. Raises
    `LimitExceeded`.
    """
    if len(text) + len(drawing) <= SMALL:
        return scenarios.judge(TITLES[title], text, drawing, mapped=mapped)
    sent = zlib.compress(canonical({"text": text, "drawing": drawing}).encode())
    return limited.run(
        judge_scenario_sent, title, sent, get_language() or "en", mapped, with_django=True
    )


def _busy(user: int, at: datetime) -> QuerySet[ImportJob]:
    """What of this person's somebody works at."""
    return ImportJob.objects.filter(user=user, ended_at=None, heartbeat_at__gt=at - SILENCE)


@transaction.atomic
def _claim(pk: int, at: datetime) -> ImportJob | None:
    whose = ImportJob.objects.filter(pk=pk, ended_at=None).values_list("user_id", flat=True).first()
    if whose is None:
        return None
    # One at a time a person: who takes another of theirs at the same moment waits here, and finds
    # this one begun.
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
    """A sign of life. Raises `Overtaken`."""
    if not ImportJob.objects.filter(pk=row.pk, attempt=row.attempt, ended_at=None).update(
        heartbeat_at=timezone.now(), **how
    ):
        raise Overtaken


class Teller:
    """Says once a second how far it is. Raises `Overtaken`, and `TooLong` when the time is over."""

    def __init__(self, row: ImportJob, limit: float) -> None:
        self.row, self.limit, self.last = row, limit, timezone.now() - BEAT

    def __call__(self, done: int, of: int) -> None:
        """So many moves have been replayed."""
        if monotonic() >= self.limit:
            raise TooLong
        if (at := timezone.now()) - self.last >= BEAT:
            self.last = at
            _report_step(self.row, state=State.REPLAYING, done=done, total=of)

    def report_step(self, **how: Any) -> None:
        """A step is done."""
        if monotonic() >= self.limit:
            raise TooLong
        _report_step(self.row, **how)


@transaction.atomic
def _end(
    row: ImportJob, state: State, at: datetime, faults: list[str] | None = None
) -> ImportJob | None:
    try:
        return _close(_locked_import(row), state, at, faults)
    except Overtaken:
        return None


def _locked_import(row: ImportJob) -> ImportJob:
    rows = ImportJob.objects.select_for_update(of=("self",)).select_related("user")
    locked = rows.filter(pk=row.pk, attempt=row.attempt, ended_at=None).first()
    if locked is None:
        raise Overtaken
    return locked


def _close(
    row: ImportJob,
    state: State,
    at: datetime,
    faults: list[str] | None = None,
    result: Mapping[str, Any] | None = None,
) -> ImportJob:
    row.state, row.ended_at, row.content = state, at, b""
    # A fault may name a key of the sent text, and PostgreSQL stores no null character in JSON.
    row.faults = [printable_text(fault) for fault in (faults or [])[:MOST_FAULTS]]
    row.result = None if result is None else dict(result)
    row.save(
        update_fields=["state", "ended_at", "content", "faults", "result", "campaign", "scenario"]
    )
    return row


def untaken(row: ImportJob, now: datetime) -> bool:
    """Does it wait for a worker that does not run? Not while another one of the same person is
    worked at.
    """
    return (
        row.state == State.WAITING
        and now - row.made_at > UNTAKEN
        and not _busy(row.user_id, now).exists()
    )


def next_of(pk: int) -> list[int]:
    """What the same person has sent and nobody has begun: it waited until this one was done."""
    whose = ImportJob.objects.filter(pk=pk).values("user")
    return list(
        ImportJob.objects.filter(user__in=whose, ended_at=None, heartbeat_at=None)
        .order_by("pk")
        .values_list("pk", flat=True)
    )


def tick(now: datetime, limit: int | None = None) -> int:
    """Takes on what nobody has begun, or has died over, one at a time, play-tests last; removes the
    rows of what ended long ago.
    """
    ImportJob.objects.filter(
        Q(ended_at__lt=now - KEEP) | Q(kind=ImportJob.Kind.SHAPES, ended_at__lt=now - KEEP_SHAPES)
    ).delete()
    left = ImportJob.objects.filter(ended_at=None)
    waits = left.filter(
        Q(heartbeat_at=None, made_at__lt=now - AGAIN) | Q(heartbeat_at__lt=now - SILENCE)
    ).order_by("pk")
    done = 0
    for pk in list(waits.values_list("pk", flat=True)):
        if done == (limit or 1):
            break
        done += work(pk, now=now) is not None
    return done or playtests.resume(now)
