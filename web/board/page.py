"""Build the page of a title that is played on its board: all that surrounds the board."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.http import HttpRequest

from campaign import playing_on, services
from campaign import status as halls
from campaign.dates import written
from campaign.log import selectors
from campaign.log.selectors import Line
from campaign.models import Plan
from games.contract.pages import Fame, NamedSeat
from web.board.voices import (
    Refusal,
    free_seats,
    own_list,
    own_pages,
    plays,
    reader_of,
)
from web.frame.head import state_line
from web.frame.table import TableContext, address
from web.log.lines import Row, rows
from web.log.talk import RecentTalk, recent_talk
from web.seats import hidden_hands, standing_orders
from web.seats.hidden_hands import ClosedHands, SeatLink

BEGINNING = 12
"""The number of entries up to which a game begins, and its lesson is offered."""


@dataclass(frozen=True, slots=True)
class HallEntry:
    """What the page of a campaign that has ended says of the hall of fame.

    `listed`: it is in the hall. `may`: it can be. `own`: the reader may put it there. `helped`: a
    program played on. `retried`: dice were taken back. `again`: its dice were known from an earlier
    game. `repeatable`: the same beginning can be played again.
    """

    listed: bool
    may: bool
    helped: bool
    lesson: bool
    retried: bool
    again: bool
    repeatable: bool
    own: bool
    url: str
    about_url: str


@dataclass(frozen=True, slots=True)
class PlayedOn:
    """What is being played on at this table.

    `program`: a program plays. `whole`: to the end. `done` and `of` say how far it is, if that is
    known. `mine`: the reader may stop it.
    """

    program: bool
    whole: bool
    moves: int
    url: str
    done: int | None
    of: int | None
    state: str
    mine: bool


@dataclass(frozen=True, slots=True)
class Attempt:
    """What a form that was not accepted leaves on the page.

    `typed` is what it had posted, `error` why it was refused, `moved` the entries since its page
    was shown.
    """

    typed: Mapping[str, str] | None = None
    error: Refusal | None = None
    moved: Sequence[Line] | None = None
    status: int = 200


NOTHING_TRIED = Attempt()


@dataclass(frozen=True, slots=True)
class BoardPage:
    """A title's board, and what surrounds it.

    `own` is what the title shows (`games.contract.pages.Page`). `bare` leaves out what never
    changes, for a browser that has the board already. `player` is who moves now, or who has won.
    `closed` are hands that are closed to the game master. `free` are the seats that nobody has.
    `plan` is the reader's list of moves.
    """

    template: str
    title: str
    own: object
    bare: bool
    player: str
    closed: ClosedHands | None
    seen: int
    act_url: str
    onward_url: str
    moves_url: str
    film_url: str
    log_url: str
    undo_url: str
    talk_url: str
    list_url: str
    fame: HallEntry | None
    onward: PlayedOn | None
    talk: RecentTalk | None
    orders: Sequence[SeatLink]
    looks: Sequence[SeatLink]
    free: Sequence[str]
    lesson_offer: bool
    plan: Plan | None
    error: Refusal | None
    moved: Sequence[Row] | None


def board_page(
    request: HttpRequest, table: TableContext, attempt: Attempt, *, is_bare: bool
) -> BoardPage:
    """Return the title's own page, and what surrounds it."""
    kept = own_list(table) if plays(table) else None
    asked = request.GET.dict() if request.method == "GET" else {}
    reader = reader_of(request, table, asked, attempt.typed, kept)
    moves = selectors.moves_on_page(table.campaign, table.access)
    shown = own_pages(table).page(table.position, moves, reader, hall(table))
    return BoardPage(
        template=f"titles/{table.campaign.title}/{shown.template}",
        title=shown.title,
        own=shown.own,
        bare=is_bare,
        player=player_of(table, shown.seat),
        closed=hidden_hands.closed_hands(table),
        seen=table.seen,
        act_url=table.url("act"),
        onward_url=table.url("onward"),
        moves_url=table.url("moves"),
        film_url=table.url("film"),
        log_url=table.url("log"),
        undo_url=table.url("undo"),
        talk_url=table.url("aloud"),
        list_url=table.url("sequence"),
        fame=hall_entry(table),
        onward=played_on(table),
        talk=recent_talk(request, table),
        orders=standing_orders.links(table),
        looks=hidden_hands.looks_links(table),
        free=() if table.solo or table.campaign.ended else free_seats(table),
        lesson_offer=offers_lesson(table),
        plan=kept,
        error=attempt.error,
        moved=None if attempt.moved is None else rows(table, attempt.moved),
    )


def player_of(table: TableContext, seat: NamedSeat | None) -> str:
    """Return who holds a seat of the title's page; the seat's own name if nobody does."""
    if seat is None:
        return ""
    return ", ".join(table.holders(seat.key)) or seat.name


def offers_lesson(table: TableContext) -> bool:
    """Return whether this is the beginning of the reader's first game of a title with a lesson."""
    campaign = table.campaign
    is_beginning = table.title.lesson is not None and campaign.last_number <= BEGINNING
    if campaign.lesson or not is_beginning or not plays(table):
        return False
    others = selectors.campaigns_of_user(table.user).filter(title=campaign.title)
    return not others.exclude(pk=campaign.pk).exists()


def hall(table: TableContext) -> Sequence[Fame]:
    """Return the best campaigns of the title, for the page of a campaign that has ended."""
    if not table.campaign.ended:
        return ()
    return [
        Fame(
            player=finished.player,
            points=finished.points,
            facts=finished.facts,
            url=address("table", finished.campaign.address),
            ended=written(finished.ended_at.date(), "j M Y"),
        )
        for finished in halls.best(table.campaign.title)
    ]


def hall_entry(table: TableContext) -> HallEntry | None:
    """Return the note about the hall of fame; None while the campaign runs."""
    campaign = table.campaign
    if not campaign.ended:
        return None
    first = campaign.entries.get(sequence=0).content if campaign.retried else {}
    return HallEntry(
        listed=campaign.visibility == campaign.Visibility.LISTED,
        may=halls.may_enter(campaign),
        helped=campaign.helped,
        lesson=bool(campaign.lesson),
        retried=campaign.retried,
        again="again" in first,
        repeatable=services.repeatable(campaign),
        own=table.access.chief,
        url=address("hall", campaign.title),
        about_url=table.url("about"),
    )


def played_on(table: TableContext) -> PlayedOn | None:
    """Return what is being played on here; None if nothing is."""
    task = playing_on.task(table.campaign)
    if task is None:
        return None
    progress = playing_on.progress(table.campaign, table.position)
    return PlayedOn(
        program=task.how in playing_on.HOW,
        whole=task.how == playing_on.END,
        moves=task.moves,
        url=table.url("onward"),
        done=progress[0] if progress else None,
        of=progress[1] if progress else None,
        state=state_line(table),
        mine=table.user.pk == task.user or table.host,
    )
