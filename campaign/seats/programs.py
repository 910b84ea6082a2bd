"""A program holds a seat among people: let in and taken away by the game master, gone when a person comes. It plays in
`campaign.practice`; what it holds stands in the log (`campaign.seats.selectors`), and everybody is notified."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from campaign import access, hooks
from campaign.errors import NotNow, Refused
from campaign.log import entries, positions
from campaign.log.texts import level_word
from campaign.models import Campaign, LogEntry, Membership
from campaign.review import selectors as review
from campaign.review import services
from campaign.seats import selectors
from engine.language import sentence
from games.contract.players import SeatPlayers
from games.contract.report import Block, Contents, Paragraph, Span
from games.registry import PLAYERS


def seat_players(title: str) -> SeatPlayers | None:
    """The programs of a title that can hold seats among people; None where there are none."""
    players = PLAYERS.get(title)
    return players if isinstance(players, SeatPlayers) else None


def levels(campaign: Campaign) -> Mapping[str, str]:
    """The programs that may hold a seat of this campaign now, the weakest first; empty where none may."""
    players = seat_players(campaign.title)
    going = campaign.started and not (campaign.ended or campaign.abandoned or campaign.archived or campaign.suspended)
    return players.levels if players is not None and going and not campaign.programs else {}


@transaction.atomic
def let_program(campaign: Campaign, user: Any, seat: str, level: str, reason: str, *, now: datetime | None = None) -> LogEntry:
    """The game master lets a program hold a seat that nobody holds, until a person takes it. Raises `Refused`, `NotNow`."""
    table, at = entries.lock(campaign), entries.moment(now)
    access.must_be_host(table, user)
    known = levels(table)
    if not known:
        raise NotNow("no-programs", _("No program can hold a seat here now."))
    if level not in known:
        raise Refused("unknown-level", _("Choose how well the program plays."))
    held = table.memberships.filter(role=Membership.Role.SEAT, seat=seat, until=None)
    if seat not in positions.seats(table) or held.exists() or seat in selectors.program_levels(table):
        raise Refused("taken", _("This seat is not free."))
    what = {"act": selectors.PROGRAM, "how": "takes", "level": level, "reason": entries.a_reason(reason)}
    entry = entries.append_act(table, user, what, seat=seat, now=at)
    _ask(table, user, entry, at)
    hooks.solo_of_programs(table, at)
    return entry


def _ask(table: Campaign, user: Any, entry: LogEntry, at: datetime) -> None:
    """Ask for a countersignature where the seat is in battle with a seat of this game master's: who fights there changes."""
    contests = table.game.rows(positions.current(table)).contests
    running = [number for number, facts in contests.items() if facts["status"] != "resolved"]
    theirs = [number for number in running if review.of_contest(table, number, {entry.seat})]
    services.ask(
        table,
        user,
        entry,
        lambda own: {one for number in theirs for one in review.of_contest(table, number, own)} - {entry.seat},
        at,
    )


@transaction.atomic
def take_program_away(campaign: Campaign, user: Any, seat: str, *, now: datetime | None = None) -> LogEntry:
    """The game master takes it away again: the seat is free, and nobody moves for it but the game master."""
    table, at = entries.lock(campaign), entries.moment(now)
    access.must_be_host(table, user)
    entry = leave(table, user, seat, at)
    if entry is None:
        raise Refused("no-program", _("No program holds this seat."))
    _ask(table, user, entry, at)
    return entry


def leave(table: Campaign, user: Any, seat: str, at: datetime) -> LogEntry | None:
    """The program leaves the seat, if one holds it; its moves stay. Asks for a transaction that holds the campaign's row."""
    level = selectors.program_levels(table).get(seat)
    if level is None:
        return None
    what = {"act": selectors.PROGRAM, "how": "leaves", "level": level}
    entry = entries.append_act(table, user, what, seat=seat, now=at)
    hooks.solo_of_programs(table, at)
    return entry


def noted(campaign: Campaign, item: Contents) -> Sequence[Block]:
    """What the report of a turn says of them: one of `hooks.report_notes`. One query where a program has ever held a seat."""
    if item.kind != "turn" or not campaign.seat_programs:
        return ()
    seats = {one.seat for one in selectors.program_spans(campaign)}
    moves = campaign.entries.filter(kind=LogEntry.Kind.MOVE, turn=item.turn, actor=None, struck_by=None, seat__in=seats)
    played: dict[str, str] = {}
    for entry in moves.only("sequence", "kind", "seat", "actor").order_by("sequence"):
        if level := selectors.program_of(campaign, entry):
            played[entry.seat] = level
    names, blocks = positions.seats(campaign), []
    for seat in (key for key in names if key in played):
        text = sentence(_("A program ({level}) played {seat:the}."), level=level_word(played[seat]), seat=names[seat])
        blocks.append(Paragraph((Span(text, italic=True),)))
    return blocks
