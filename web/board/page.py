"""The page of a title that is played on its board: everything around the board."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import urlencode

from django.http import HttpRequest
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from campaign import automatic_moves
from campaign import status as halls
from campaign.dates import written
from campaign.log import selectors
from campaign.log.acts.programs import level_word
from campaign.log.selectors import Line, Seat
from campaign.models import GAME_MASTER, Plan
from campaign.seats import seating
from campaign.seats.seating import program_seats
from engine.language import sentence
from games.contract.pages import Fame, NamedSeat
from web.board.playing_rights import (
    Refusal,
    free_seats,
    own_list,
    own_pages,
    plays,
    reader_of,
)
from web.frame.head import state_line
from web.frame.play_again import PlayAgain, play_again
from web.frame.table import TableContext, address
from web.log.lines import LogRow, rows
from web.log.talk import RecentTalk, recent_talk
from web.seats import hidden_hands, standing_orders
from web.seats.hidden_hands import ClosedHands, SeatLink

BEGINNING = 12
"""The last entry number at which a game still counts as beginning, so that its lesson is offered.
"""


@dataclass(frozen=True, slots=True)
class HallEntry:
    """The note about the hall of fame on the page of a campaign that has ended.

    The flags mean: `listed`, the campaign is in the hall; `may`, the campaign qualifies for the
    hall; `own`, the reader may put it there; `helped`, a program made moves for the player;
    `retried`, the player took back moves that had thrown dice; `again`, the dice were known from
    an earlier game.
    """

    listed: bool
    may: bool
    helped: bool
    lesson: bool
    retried: bool
    again: bool
    own: bool
    url: str
    about_url: str


@dataclass(frozen=True, slots=True)
class AutomaticPlay:
    """The automatic play that is going on at this table.

    `program` is true if a program plays, `whole` if it plays to the end of the campaign, and
    `mine` if the reader may stop it. If the progress is known, `done` of `of` parts are finished.
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
    """A refused form, as the page shows it again.

    `form_values` is the posted data, `error` the reason for the refusal. `moved` has the entries
    that were logged since the page was shown.
    """

    form_values: Mapping[str, str] | None = None
    error: Refusal | None = None
    moved: Sequence[Line] | None = None
    status: int = 200


NOTHING_TRIED = Attempt()


@dataclass(frozen=True, slots=True)
class SeatAtTable:
    """A seat with the user or the program that plays it."""

    key: str
    name: str
    holder: str
    program: str
    """The level of the program that plays the seat."""
    url: str
    """The page on which the reader can let a program play, or change its level; may be empty."""
    verb: str

    @property
    def is_free(self) -> bool:
        """Whether neither a user nor a program plays the seat."""
        return not self.holder and not self.program


@dataclass(frozen=True, slots=True)
class FreeSeatToMove:
    """The seat for which the game waits although no one plays it."""

    text: str
    help: str
    url: str
    """The page on which the reader can let a program play; empty if they cannot."""


@dataclass(frozen=True, slots=True)
class BoardPage:
    """A title's board, and everything around it.

    `own` is the object that the title shows (`games.contract.pages.Page`). `bare` leaves out the
    unchanging parts, for a browser that already has the board. `player` is the player whose turn it
    is, or the winner. `closed` are hands that are closed to the game master. `free` are the seats
    without a holder. `plan` is the reader's list of moves.
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
    again: PlayAgain | None
    onward: AutomaticPlay | None
    talk: RecentTalk | None
    orders: Sequence[SeatLink]
    looks: Sequence[SeatLink]
    free: Sequence[str]
    seats: Sequence[SeatAtTable]
    start_url: str
    """The page that asks what happens with the free seats before the start; empty otherwise."""
    unplayed: FreeSeatToMove | None
    lesson_offer: bool
    plan: Plan | None
    error: Refusal | None
    moved: Sequence[LogRow] | None


def board_page(
    request: HttpRequest, table: TableContext, attempt: Attempt, *, is_bare: bool
) -> BoardPage:
    """Return the title's own page and everything around it."""
    kept = own_list(table) if plays(table) else None
    query = request.GET.dict() if request.method == "GET" else {}
    reader = reader_of(request, table, query, attempt.form_values, kept)
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
        again=play_again(table),
        onward=automatic_play(table),
        talk=recent_talk(request, table),
        orders=standing_orders.links(table),
        looks=hidden_hands.looks_links(table),
        free=() if table.solo or table.campaign.ended else free_seats(table),
        seats=seats_at_table(table),
        start_url=start_url(table),
        unplayed=unplayed_seat(table),
        lesson_offer=offers_lesson(table),
        plan=kept,
        error=attempt.error,
        moved=None if attempt.moved is None else rows(table, attempt.moved),
    )


def player_of(table: TableContext, seat: NamedSeat | None) -> str:
    """Return the holders of a seat of the title's page, or its program, or else its own name."""
    if seat is None:
        return ""
    program = next((row.program for row in table.seats if row.key == seat.key and row.program), "")
    if program:
        return pgettext("board", "program: %(level)s") % {"level": program}
    return ", ".join(table.holders(seat.key)) or seat.name


def seats_at_table(table: TableContext) -> list[SeatAtTable]:
    """Return the seats with their players; none if the reader plays alone."""
    if table.solo:
        return []
    programs = {seat: level_word(level) for seat, level in program_seats(table.campaign).items()}
    return [
        seat_at_table(table, seat, programs.get(seat.key, seat.program)) for seat in table.seats
    ]


def seat_at_table(table: TableContext, seat: Seat, program: str) -> SeatAtTable:
    """Return a seat with its player, and what a game master can do with it."""
    holder = seat.holder.username if seat.holder is not None else ""
    may = table.host and not holder and bool(seating.levels(table.campaign))
    verb = (
        pgettext("button", "Change the level…")
        if program
        else pgettext("button", "Let a program play…")
    )
    return SeatAtTable(
        key=seat.key,
        name=seat.name,
        holder=holder,
        program=program,
        url=program_url(table, seat.key) if may else "",
        verb=verb if may else "",
    )


def program_url(table: TableContext, seat: str) -> str:
    """Return the page on which a game master lets a program play a seat."""
    return f"{table.url('seats')}?{urlencode({'program': seat})}#program"


def start_url(table: TableContext) -> str:
    """Return the page that asks what happens with the free seats; empty if none is free."""
    asks = table.host and not table.solo and not table.campaign.started
    return table.url("start") if asks and free_seats(table) else ""


def unplayed_seat(table: TableContext) -> FreeSeatToMove | None:
    """Return the seat for which the game waits although no one plays it; None if there is none."""
    campaign = table.campaign
    if table.solo or table.past or not campaign.started or campaign.ended or campaign.stopped:
        return None
    free = set(free_seats(table))
    seat = next((wait.seat for wait in table.waited_for if wait.seat in free), None)
    if seat is None:
        return None
    name = table.name_of(seat)
    may = table.host and bool(seating.levels(campaign))
    master = ", ".join(table.holders(GAME_MASTER))
    return FreeSeatToMove(
        text=sentence(_("The game is waiting for {name:the}: no one plays this seat."), name=name),
        help=""
        if may
        else _("The game master, %(name)s, can let a program play it.") % {"name": master},
        url=program_url(table, seat) if may else "",
    )


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
        own=table.access.chief,
        url=address("hall", campaign.title),
        about_url=table.url("about"),
    )


def automatic_play(table: TableContext) -> AutomaticPlay | None:
    """Return the automatic play that is going on; None if there is none."""
    task = automatic_moves.task(table.campaign)
    if task is None:
        return None
    progress = automatic_moves.progress(table.campaign, table.position)
    return AutomaticPlay(
        program=task.how in automatic_moves.HOW,
        whole=task.how == automatic_moves.END,
        moves=task.moves,
        url=table.url("onward"),
        done=progress[0] if progress else None,
        of=progress[1] if progress else None,
        state=state_line(table),
        mine=table.user.pk == task.user or table.host,
    )
