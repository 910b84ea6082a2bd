"""Every stored row of a campaign against the log, and the log against itself; the first difference first."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from types import SimpleNamespace
from typing import Any

from campaign import hand, keys, life, people_audit, positions, projections, record
from campaign.audience import pack
from campaign.clocks import audit as clocks_audit
from campaign.clocks import terms as clock_terms
from campaign.models import Campaign, LogEntry
from campaign.services.lobby import proves
from campaign.services.log import TURNING, body
from campaign.services.shelf import digest_of
from engine.dice import commitment
from engine.effects import Roll
from engine.errors import IllegalMove, MalformedRecord
from engine.log import canonical, entry_hash
from engine.play import play
from engine.strict_json import read


def differences(campaign: Campaign) -> Iterator[str]:
    """What does not agree, in words that name the row. Secrets never stand in them."""
    try:
        yield from _all(campaign)
    except (IllegalMove, MalformedRecord) as error:
        yield f"the log cannot be replayed: {type(error).__name__} {error}"
    except (KeyError, ValueError, IndexError, TypeError) as error:
        yield f"a row cannot be read: {type(error).__name__} {error}"


def _all(campaign: Campaign) -> Iterator[str]:
    entries = _entries(campaign)
    chained = list(_chain(campaign, entries))
    yield from chained
    if chained:
        return  # what hangs from a broken chain proves nothing
    for entry in entries:
        yield from _facts(entry)
    audit = _Replay(campaign)
    for entry in entries:
        yield from audit.next(entry)
    for entry in entries:
        if entry.struck_by_id != audit.struck_by.get(entry.pk):
            yield f"entry {entry.sequence}: struck by {entry.struck_by}, the log says otherwise"
    yield from _copies(campaign, entries, audit)
    try:
        history = positions.history(campaign)
    except IllegalMove:
        return  # told already, as a move struck or in force against the log
    yield from projections.differences(campaign, history)
    yield from clocks_audit.differences(campaign, entries, history)
    if not record.replays(campaign):
        yield "the exported record replays to another state"


def _entries(campaign: Campaign) -> list[LogEntry]:
    return list(campaign.entries.order_by("sequence").select_related("target", "struck_by").prefetch_related("rolls"))


def _chain(campaign: Campaign, entries: list[LogEntry]) -> Iterator[str]:
    """Places and numbers without gaps, every hash over its entry and the one before."""
    previous, number = "", 0
    for place, entry in enumerate(entries):
        if entry.sequence != place:
            yield f"entry {place} is missing"
            return
        if entry.number != (None if entry.audience is not None else number):
            yield f"entry {place}: its number is {entry.number}"
        number += entry.audience is None
        rolls = [row.roll for row in entry.rolls.all()]
        target = entry.target.sequence if entry.target is not None else None
        if entry_hash(previous, body(entry, target, rolls)) != entry.hash:
            yield f"entry {place}: its hash does not fit its words, its rolls, or the entry before"
        previous = entry.hash
    if not entries or entries[0].said.get("act") != "genesis":
        yield "entry 0 is no genesis"


def _facts(entry: LogEntry) -> Iterator[str]:
    """Columns that do not say what the texts say. What follows reads the entry with the right ones."""
    for field, value in entry.facts().items():
        if getattr(entry, field) != value:
            yield f"entry {entry.sequence}: its {field} is {getattr(entry, field)!r}, its text says {value!r}"
            setattr(entry, field, value)


class _Replay:
    """Plays the whole log again, what was struck too, in the order in which it was said."""

    def __init__(self, campaign: Campaign) -> None:
        self.campaign = campaign
        self.dice = positions.dice(campaign)
        self.start: Any = None
        self.genesis: LogEntry | None = None
        self.last_change = ""
        self.position: Any = None
        self.standing: list[LogEntry] = []
        self.after: dict[int, Any] = {}
        self.struck_by: dict[int, int] = {}
        self.flags = SimpleNamespace(**dict.fromkeys(life.FLAGS, False), **hand.START)
        self.ended_at: datetime | None = None

    def next(self, entry: LogEntry) -> Iterator[str]:
        """What is wrong with this entry."""
        place = f"entry {entry.sequence}"
        effects = "[]"
        rolls: tuple[Roll, ...] = ()
        if entry.is_move:
            game = self.campaign.game
            played = play(self.position, game.decode(entry.said, self.position), self.dice)
            if entry.seat != played.move.seat:
                yield f"{place}: its seat is {entry.seat!r}, the move's {played.move.seat!r}"
            if entry.audience != pack(game.audience(self.position, played.move)):
                yield f"{place}: its audience is not the move's"
            self.standing.append(entry)
            self.position = self.after[entry.pk] = played.after
            effects, rolls = positions.effects_text(played), played.rolls
        else:
            self._act(entry)
        if entry.is_move or entry.act in TURNING:
            self.last_change = entry.hash
        now = positions.copies(self.campaign, self.position)
        life.turn(self.flags, entry.kind, {} if entry.is_move else entry.said, now.finished)
        hand.turn(self.flags, entry.kind, {} if entry.is_move else entry.said)
        self.ended_at = (self.ended_at or entry.at) if now.finished else None
        if entry.act == life.LOBBY and entry.said["how"] == "drawn" and not proves(entry.said):
            yield f"{place}: the draw is not what its seed gives"
        if entry.effects != effects:
            yield f"{place}: its effects are not those of the replay"
        yield from _rolls(place, entry, rolls)
        if entry.digest != positions.position_digest(self.campaign, self.position):
            yield f"{place}: its digest is not that of the position after it"
        if entry.turn != now.turn:
            yield f"{place}: its turn is {entry.turn}"

    def _act(self, entry: LogEntry) -> None:
        act = entry.act
        if act == "genesis":
            said, game = entry.said, self.campaign.game
            self.genesis = entry
            self.position = self.start = game.setup(game.scenario(said["scenario"]), game.options(said["options"]))
        elif act == "undo" and entry.target is not None:
            own, to = entry.said.get("own", False), entry.target.sequence
            mine = [move for move in self.standing if move.sequence >= to and move.seat == entry.seat]
            gone = mine if own else [move for move in self.standing if move.sequence > to]
            self.struck_by |= {move.pk: entry.pk for move in gone}
            self._stand([move for move in self.standing if move not in gone])
        elif act == "restore" and entry.target is not None:
            back = [pk for pk, undo in self.struck_by.items() if undo == entry.target_id]
            self.struck_by = {pk: undo for pk, undo in self.struck_by.items() if pk not in back}
            self.struck_by[entry.target.pk] = entry.pk
            moves = self.campaign.entries.filter(pk__in=back)
            self._stand(sorted([*self.standing, *moves], key=lambda move: move.sequence))

    def _stand(self, moves: list[LogEntry]) -> None:
        """These moves are in force now. Only where one was taken from among others are these played again."""
        same = True
        self.position = self.start
        for place, move in enumerate(moves):
            same = same and move in self.standing[place : place + 1]
            if same:
                self.position = self.after[move.pk]
            else:
                said = self.campaign.game.decode(move.said, self.position)
                self.position = self.after[move.pk] = play(self.position, said, self.dice).after
        self.standing = moves


def _rolls(place: str, entry: LogEntry, expected: tuple[Roll, ...]) -> Iterator[str]:
    have = {row.purpose: row for row in entry.rolls.all()}
    for roll in expected:
        row = have.pop(roll.purpose, None)
        if row is None:
            yield f"{place}: the roll {roll.purpose} is missing"
        elif (row.sides, row.value, row.turn, row.audience) != (roll.sides, roll.value, roll.turn, pack(roll.audience)):
            yield f"{place}: the roll {roll.purpose} is not what the seed gives"
    for purpose in have:
        yield f"{place}: the roll {purpose} was never thrown"


def copied(campaign: Campaign) -> dict[str, Any]:
    """What the campaign's row has to say, by the log alone."""
    entries, audit = _entries(campaign), _Replay(campaign)
    for entry in entries:
        for _ in audit.next(entry):
            pass  # what is wrong with the log itself is the audit's to tell
    return _expected(campaign, entries, audit)


def _expected(campaign: Campaign, entries: list[LogEntry], audit: _Replay) -> dict[str, Any]:
    assert audit.genesis is not None
    terms, last = audit.genesis.said, entries[-1]
    now = positions.copies(campaign, audit.position)
    numbers = [entry.number for entry in entries if entry.number is not None]
    return {
        "scenario": canonical(terms["scenario"]),
        "options": canonical(terms["options"]),
        "drawing_id": terms.get("drawing"),
        "commitment": terms["commitment"],
        "status": life.status(audit.flags),
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
        "retried": "again" in entries[0].said
        or any(entry.is_move and entry.pk in audit.struck_by and entry.rolls.all() for entry in entries),
        "helped": any(entry.act == "deputy" for entry in entries),
        "clock_terms": next((canonical(entry.said["terms"]) for entry in reversed(entries) if entry.act == clock_terms.ACT), ""),
    }


def _copies(campaign: Campaign, entries: list[LogEntry], audit: _Replay) -> Iterator[str]:
    """The campaign's own row."""
    expected, game = _expected(campaign, entries, audit), campaign.game
    seed = keys.unseal(campaign.seed_sealed)
    for field, value in expected.items():
        if getattr(campaign, field) != value:
            yield f"the campaign's {field} is not the log's"
    if campaign.drawing is not None and digest_of(campaign.drawing.text) != campaign.drawing_id:
        yield "the drawing of its map is not the one it began with"
    if commitment(seed, game.last_link(game.scenario(read(campaign.scenario)))) != expected["commitment"]:
        yield "the seed is not the one committed to"
    yield from people_audit.differences(campaign, entries)
