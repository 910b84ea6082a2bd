"""Lines of the log as `log/_log.html` shows them: who, what, effects with change and balance,
rolls.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any, NamedTuple

from django.http import HttpRequest
from django.utils import timezone
from django.utils.safestring import SafeString
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from campaign import hooks
from campaign.log import selectors
from campaign.log.entries import TALK
from campaign.log.selectors import Head, Line
from campaign.log.talk import LONGEST
from campaign.log.texts import SOLO, by_host, level_word
from campaign.models import LogEntry
from campaign.seats.selectors import program_of
from engine.effects import Effect, Roll, Say
from games.contract.title import Telling
from web import titles
from web.frame import page_cache
from web.frame.campaign_page import GAME_MASTER, TableContext, accounts_by_key, amount, change
from web.frame.parts import part_of_page
from web.titles import extras

if TYPE_CHECKING:
    from web.frame.campaign_page import TableContext


class Change(NamedTuple):
    """An account effect in words; `who` is empty where it is the speaker's own."""

    who: str
    holder: str
    label: str
    change: str
    balance: str
    cause: str
    rule: str


class Thrown(NamedTuple):
    """A roll in words. `again`: the roll before it had the same words, as the dice of one purpose
    have.
    """

    text: str
    value: int
    sides: int
    purpose: str
    again: bool = False
    hand: bool = False
    """Thrown elsewhere and entered."""


class Row(NamedTuple):
    """One line. `seat` has a swatch unless it is empty or `gm`; `person` spoke; `struck_by` is an
    entry's number.
    """

    number: int | None
    url: str
    seat: str
    name: str
    by_master: bool
    person: str
    text: str
    changes: list[Change]
    notes: list[str]
    rolls: list[Thrown]
    at: datetime
    turn: int
    struck: bool
    struck_by: int | None
    quiet: bool
    signed: str = ""
    """Who has countersigned it."""
    own: str = ""
    """The game master's own nations that it concerns, by name."""
    lacks: bool = False
    """Is it asked for, and has nobody countersigned it?"""
    objections: tuple[tuple[str, str], ...] = ()
    """Who objects, and in which words."""
    by_clock: bool = False
    """Nobody said it: its time was over (docs/decisions/0015)."""
    undo_url: str = ""
    """Where the game master undoes what the clock did."""
    branch_url: str = ""
    """Where the struck moves can be looked at: of one of them, and of the undo that struck them."""
    origin: str = ""
    """How a result came about that players claimed."""
    why: str = ""
    """Why a program made this move."""
    program: str = ""
    """How well the program plays, in a word, that made this move for its seat among people."""


def rows(table: TableContext, lines: Iterable[Line]) -> list[Row]:
    """The lines of `campaign.log.selectors.log`, `since` or `entry`, for this reader."""
    return [row(table, line) for line in lines]


class Drawn(NamedTuple):
    """A line as it is read, by the turn under whose head it stands."""

    number: int | None
    turn: int
    html: SafeString


def drawn(table: TableContext, heads: Sequence[Head]) -> list[Drawn]:
    """These lines for this reader. An entry is for ever the same: its line is drawn once for all
    who see alike, and again only where something was written under it, or a text of it was removed.
    What names people beside its actor is drawn with every change.
    """
    campaign, access = table.campaign, table.access
    origins = hooks.origins(campaign) if any(one.is_result for one in heads) else {}
    reader = repr(
        (  # one text: it is part of every line's key
            "line",
            campaign.pk,
            campaign.public_id,
            campaign.slug,
            access,
            table.campaign.playable,
            bool(campaign.programs),
            page_cache.rules_of(table),
            campaign.seat_programs,
            campaign.given,
            get_language(),
            timezone.get_current_timezone_name(),
            timezone.localdate(),
        )
    )
    names = (campaign.changes, campaign.last_hash)
    keys = {
        one.pk: (
            reader,
            one,
            origins.get(one.number or 0, ""),
            names if one.marked or one.kind == LogEntry.Kind.TABLE else (),
        )
        for one in heads
    }
    created = {pk: page_cache.fragments.known(key) for pk, key in keys.items()}
    missing = [one for one in heads if created[one.pk] is None]
    lines = selectors.of_heads(campaign, access, missing, origins) if missing else []
    for line in lines:
        shown = row(table, line)
        text = part_of_page("log/_line.html", {"line": shown, "programs": bool(campaign.programs)})
        created[line.entry.pk] = page_cache.fragments.get(
            keys[line.entry.pk],
            lambda text=text: text,  # type: ignore[misc]
        )
    return [
        Drawn(one.number, one.turn, html) for one in heads if (html := created[one.pk]) is not None
    ]


def row(table: TableContext, line: Line) -> Row:
    """Return one line; a result that players claimed has no speaker."""
    entry, content, origin = line.entry, line.entry.content, line.origin
    seat = entry.seat if entry.is_move and not origin else ""
    program = program_of(table.campaign, entry)
    struck, host = (
        entry.struck_by,
        entry.actor_id is None and not entry.is_move and by_host(content),
    )
    return Row(
        number=entry.number,
        url=table.url("entry", entry.number) if entry.number is not None else "",
        seat=seat,
        name=table.name_of(seat) if seat else "",
        by_master=entry.is_move
        and content.get("by") == GAME_MASTER
        and entry.seat != GAME_MASTER
        and entry.actor_id is not None,
        person=_("the host") if host else "" if entry.actor is None else entry.actor.username,
        text=line.text,
        changes=changes(table, line.effects, seat),
        notes=notes(table, line.effects),
        rolls=thrown(table, line.rolls),
        at=entry.at,
        turn=entry.turn,
        struck=entry.struck_by_id is not None,
        struck_by=None if struck is None else struck.number,
        quiet=not entry.is_move or any(effect.kind == "slot" for effect in line.effects),
        signed=", ".join(line.signed),
        own=", ".join(table.name_of(seat) for seat in line.mark.own),
        lacks=line.mark.lacks,
        objections=line.mark.objections,
        by_clock=entry.actor_id is None
        and not host
        and not program
        and not (entry.act == SOLO and not entry.is_move),
        undo_url=undo_url(table, line) if entry.actor_id is None else "",
        branch_url=branch_url(table, line),
        origin=origin,
        why=table.sentence(Say(*json.loads(entry.why))) if entry.why else "",
        program=level_word(program) if program else "",
    )


def branch_url(table: TableContext, line: Line) -> str:
    """The page of the branch that an undo struck; empty where there is none."""
    struck = (
        line.entry.struck_by
        if line.entry.is_move
        else line.entry
        if line.entry.act == "undo"
        else None
    )
    return (
        table.url("branch", struck.number)
        if struck is not None and struck.number is not None and titles.remembers(table)
        else ""
    )


def undo_url(table: TableContext, line: Line) -> str:
    """Where the game master goes back to before a move of the clock that is in force; empty for
    everybody else.
    """
    entry = line.entry
    if (
        not (table.game_master and entry.is_move and entry.number)
        or line.struck
        or not table.campaign.playable
    ):
        return ""
    return (
        table.url("undo")
        if table.pages is not None
        else f"{table.url('rewind')}?entry={entry.number - 1}"
    )


def changes(table: TableContext, effects: Iterable[Effect], speaker: str = "") -> list[Change]:
    """The account effects among these."""
    rows = []
    for effect in effects:
        if effect.kind != "account":
            continue
        account, holder = accounts_by_key(table).get(effect.subject), effect.holder or ""
        cause = table.sentence(effect.cause)
        rows.append(
            Change(
                "" if holder == speaker else table.name_of(holder),
                holder,
                account.label if account else effect.subject,
                change(account, effect.change),
                amount(account, effect.balance),
                cause,
                effect.cause.rule,
            )
        )
    return rows


def thrown(table: TableContext, rolls: Iterable[Roll]) -> list[Thrown]:
    """Rolls in words; `rolls` are kernel rolls."""
    line, dice_shown, given = table.title.roll_line, list[Thrown](), table.campaign.entered_dice
    for roll in rolls:
        text = line(table.scenario, roll)
        dice_shown.append(
            Thrown(
                text,
                roll.value,
                roll.sides,
                roll.purpose,
                bool(dice_shown) and dice_shown[-1].text == text,
                roll.purpose in given,
            )
        )
    return dice_shown


def notes(table: TableContext, effects: Iterable[Effect]) -> list[str]:
    """What else happened and the sentence of the line does not say: outcomes, conquests, slots and
    turns.
    """
    texts: list[str] = []
    tells = table.title.tells if isinstance(table.title, Telling) else _is_shown
    for effect in effects:
        if not tells(effect):
            continue
        text = table.sentence(effect.cause)
        if effect.kind == "slot" and effect.holder:
            text = f"{table.name_of(effect.holder)}: {text}"
        if text not in texts:
            texts.append(text)
    return texts


class Happened(NamedTuple):
    """An effect that is no account's: to whom, what, by which rule."""

    holder: str
    name: str
    text: str
    rule: str


def what_happened(table: TableContext, effects: Iterable[Effect]) -> list[Happened]:
    """Every effect that is no account's, once each."""
    own, happened = extras(table.campaign.title, "table"), []
    for effect in effects:
        if effect.kind != "account":
            holder = effect.holder or ""
            text = own.happened(table, effect) if own else table.sentence(effect.cause)
            one = Happened(holder, table.name_of(holder) if holder else "", text, effect.cause.rule)
            if one not in happened:
                happened.append(one)
    return happened


def _is_shown(effect: Effect) -> bool:
    if effect.kind == "holding":
        return "owner" in effect.facts
    if effect.kind == "attack":
        return "outcome" in effect.facts or "siege" in effect.facts
    if effect.kind == "slot":
        return effect.subject == "opened"
    return effect.kind == "turn" or (effect.kind, effect.subject) == ("seat", "fallen")


# What was said last at a table of several, for the page it is played on.

SHOWN = 12


def unsent_key(table: TableContext) -> str:
    """Where a session keeps what could not be said."""
    return f"unsaid:{table.campaign.pk}"


def recent_talk(request: HttpRequest, table: TableContext) -> dict[str, Any] | None:
    """The last things said, oldest first, and whether the reader may speak; None where one plays
    alone. Asks once.
    """
    if table.solo:
        return None
    talks = table.campaign.entries.filter(kind=LogEntry.Kind.TABLE, act=TALK).order_by("-sequence")
    lines = [
        {
            "who": one.actor,
            "seat": one.seat,
            "name": table.name_of(one.seat),
            "text": one.content["text"],
            "at": one.at,
            "number": one.number,
        }
        for one in reversed(talks.select_related("actor")[:SHOWN])
    ]
    unsaid = (
        request.session.pop(unsent_key(table), "") if unsent_key(table) in request.session else ""
    )
    return {
        "lines": lines,
        "may": bool(table.access.voices) and not table.campaign.archived,
        "longest": LONGEST,
        "text": unsaid,
    }
