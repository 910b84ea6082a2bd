"""A campaign founded from a record: judged whole first, then said move by move in one transaction, all or nothing."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils.formats import number_format
from django.utils.translation import gettext as _

from campaign import access, keys, positions, projections
from campaign.clocks import running
from campaign.errors import Refused
from campaign.models import Campaign
from campaign.services import log, moving
from campaign.services.founding import found
from campaign.services.seating import seat_keys, sit, solo
from campaign.services.vetting import vet
from engine import record
from engine.errors import IllegalMove, MalformedRecord
from engine.log import canonical, digest
from engine.play import Played, perform
from engine.strict_json import read
from engine.title import Drawn, Title
from games.registry import TITLES, by_format

LARGEST = 20_000_000
"""Bytes, as RECORD has it."""
MOST = 20_000
"""Moves of a record that the table takes. The longest game we know of, the Roman Empire's, has 850."""
BOTH = {"record", "drawing"}
"""The keys of a text that has a record and the map that its campaign was played on."""
Told = Callable[[int, int], None]
"""Hears how many moves have been replayed, of how many."""


@dataclass
class Judged:
    """A record read: what is wrong with it, each fault with its place; or, with none, what is founded from it."""

    faults: list[str] = field(default_factory=list)
    title: str = ""
    drawing: str = ""
    scenario: Any = None
    options: Mapping[str, Any] = field(default_factory=dict)
    seed: str | None = None
    given: dict[str, int] = field(default_factory=dict)
    moves: list[Any] = field(default_factory=list)
    said: list[tuple[log.Said, Played[Any]]] = field(default_factory=list)
    digest_key: str = field(default_factory=keys.new_secret)
    after: Any = None


def judge(text: str | bytes, told: Told = lambda done, of: None) -> Judged:
    """Read and replay a record. Every part that can be judged alone is, so that all faults are told at once; moves are
    judged up to the first that the rules forbid, for what follows it depends on it."""
    made = Judged()
    if len(text) > LARGEST:
        made.faults.append(_("The record has more than 20 MB."))
        return made
    try:
        raw = read(text)
    except (MalformedRecord, ValueError, RecursionError) as wrong:
        made.faults.append(_("It is no JSON: %(why)s.") % {"why": wrong})
        return made
    document = None
    if isinstance(raw, dict) and set(raw) == BOTH:
        raw, document = raw["record"], raw["drawing"]
    made.faults += _unhoused(raw)
    if made.faults:
        return made
    try:
        parsed = record.parse(raw, by_format())
        _tables_own(made, raw, parsed)
    except MalformedRecord as wrong:
        made.faults.append(f"{wrong}.")
        made.faults += [fault for fault in _by_parts(raw) if fault not in made.faults]
        return made
    if document is not None:
        _drawn(made, parsed, document)
    elif isinstance(parsed.title, Drawn) and (unseen := parsed.title.undrawn(_object(made, parsed))) is not None:
        made.faults.append(f"{unseen}.")
    if len(parsed.moves) <= MOST:
        _replayed(made, parsed, told)
    return made


def _unhoused(raw: Any) -> list[str]:
    """Dice that the table cannot keep yet: its proof knows one chain and its links as they are (RECORD, Later additions)."""
    dice = raw.get("dice") if isinstance(raw, dict) else None
    made = []
    if isinstance(dice, dict) and dice.get("renewals"):
        made.append(_("The table does not take records with renewed dice (dice.renewals) yet: their proof would be lost."))
    if isinstance(dice, dict) and dice.get("mixed"):
        made.append(_("The table does not take records with mixed dice (dice.mixed) yet: their proof would be lost."))
    return made


def _tables_own(made: Judged, raw: Any, parsed: record.Record) -> None:
    """What the table asks for beyond the record's form."""
    scenario = raw.get("scenario", getattr(parsed.title, "default_scenario", None))
    made.title = parsed.title.key
    made.scenario, made.options, made.moves = scenario, raw.get("options", {}), parsed.moves
    made.seed = raw["dice"].get("seed")
    if made.title not in TITLES:
        made.faults.append(_("This game is not played here."))
    if len(parsed.moves) > MOST:
        made.faults.append(
            _("The table takes records of up to %(most)s moves.") % {"most": number_format(MOST, force_grouping=True)}
        )
    if isinstance(scenario, Mapping):
        try:
            vet(scenario)
        except MalformedRecord as wrong:
            made.faults.append(f"{wrong}.")


def _drawn(made: Judged, parsed: record.Record, document: Any) -> None:
    """The campaign's own map, held to the same law as where it was first brought."""
    scenario = _object(made, parsed)
    if not isinstance(parsed.title, Drawn) or not isinstance(scenario, Mapping):
        made.faults.append(_("This game has no drawings of its own."))
        return
    made.drawing, faults = parsed.title.drawing(scenario, document)
    made.faults += [f"{fault}." for fault in faults]


def _object(made: Judged, parsed: record.Record) -> Any:
    """The scenario's object, a shipped one's too."""
    return parsed.title.scenarios().get(made.scenario) if isinstance(made.scenario, str) else made.scenario


def _by_parts(raw: Any) -> list[str]:
    """The faults of scenario, options and dice, each looked at by itself, where the format is known."""
    if not isinstance(raw, dict):
        return []
    title = by_format().get(raw["format"]) if isinstance(raw.get("format"), str) else None
    if title is None:
        return []
    found: list[str] = []

    def look(what: Callable[[], Any]) -> Any:
        try:
            return what()
        except MalformedRecord as wrong:
            found.append(f"{wrong}.")
            return None

    scenario = look(lambda: title.scenario(raw.get("scenario", getattr(title, "default_scenario", None))))
    options = look(lambda: title.options(raw.get("options", {})))
    if not isinstance(raw.get("moves"), list):
        found.append(f"{MalformedRecord('moves', 'list')}.")
    if scenario is not None and options is not None:
        dice = raw.get("dice")
        fixed = dice.get("fixed") if isinstance(dice, dict) else None
        for purpose, value in fixed.items() if isinstance(fixed, dict) else ():
            look(lambda p=purpose, v=value: title.check_roll(scenario, options, p, v))  # type: ignore[misc]
    found += [f"{MalformedRecord(key, 'unknown-key')}." for key in raw if key not in record.KEYS]
    return found


def _replayed(made: Judged, parsed: record.Record, told: Told) -> None:
    """Play it through; the dice that fell are the campaign's, where no seed gives them again."""
    title, position = parsed.title, parsed.title.setup(parsed.scenario, parsed.options)
    # Readings ask a position along the way what `_marks` has, and the last one for the rest: one is kept for all the moves
    # that leave these as they are.
    kept = position.copy()
    marks, key = _marks(title, kept), made.digest_key.encode()
    for index, raw in enumerate(parsed.moves[:MOST]):
        told(index, len(parsed.moves))
        try:
            move = moving.as_logged(title, position, raw)
            audience = title.audience(position, move)
            perform(position, move, parsed.dice)
        except IllegalMove as refusal:
            sentence = title.refusal(parsed.scenario, refusal)
            rule = f" §{refusal.rule}" if refusal.rule else ""
            made.faults.append(_("Move %(number)s: %(why)s") % {"number": index, "why": f"{sentence}{rule}"})
            return
        if _marks(title, position) != marks:
            kept = position.copy()
            marks = _marks(title, kept)
        played = Played(move, kept, tuple(position.effects), parsed.dice.take())
        what, seen = canonical(move.to_json()), title.view(position, None)
        said = log.Said(
            what, move.seat, audience, positions.effects_text(played), played.rolls, seen["turn"], digest(position.encode(), key)
        )
        made.said.append((said, played))
    made.after = position
    fell = {roll.purpose: roll.value for _said, played in made.said for roll in played.rolls}
    made.given = {**parsed.dice.fixed, **(fell if made.seed is None else {})}


def _marks(title: Title, position: Any) -> tuple[Any, ...]:
    """What readings and clocks ask a position along the way: contests, turn, phase, whose slot it is, who is waited for."""
    seen = title.view(position, None)
    waits = () if title.score(position) is not None else title.waiting(position)
    asked = [(one.seat, one.contest, one.what.id, dict(one.what.facts)) for one in waits]
    return seen["turn"], seen["phase"], seen["slot"], asked, title.rows(position).contests


@transaction.atomic
def import_record(
    user: Any, judged: Judged, name: str, time_zone: str, visibility: str, *, now: datetime | None = None
) -> Campaign:
    """Found the campaign, nobody seated but who plays alone, and say its moves as its game master. Raises `Refused`.

    The moves are those that `judge` has played: here they are only written, so that others wait for a short transaction.
    """
    if judged.faults:
        raise Refused("bad-record", judged.faults[0])
    access.must_have_account(user)
    at = log.moment(now)
    seed = judged.seed or keys.new_secret()
    campaign = found(
        user, judged.title, name, judged.scenario, judged.options, time_zone, visibility, seed=seed, given=judged.given,
        digest_key=judged.digest_key, drawing=judged.drawing, now=at,
    )  # fmt: skip
    table = log.lock(campaign)
    if solo(table):
        (seat,) = seat_keys(table)
        sit(table, user, seat, "taken", user, at)
    entries = log.append_moves(table, [said for said, _played in judged.said], judged.after, actor=user, at=at)
    moving.keep(table, judged.after)
    steps = [positions.Step(entry, played) for entry, (_said, played) in zip(entries, judged.said, strict=True)]
    if steps:
        steps[-1] = positions.Step(entries[-1], steps[-1].played._replace(after=judged.after))
        history = positions.History(positions.setup(table), steps)
        projections.rebuild(table, history)
        # Who could be told sits there not yet; time begins to run.
        running.reconcile(table, judged.after, at, history=history)
    return table
