"""A rewind, and a restoration, before it is confirmed: everything that it would change, then the
word that does it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.db.models import Q
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods

from campaign import services
from campaign import status as lifecycle_status
from campaign.clocks import services as clocks
from campaign.errors import CannotUndo, NoSuchEntry, NotNow, TableError, TableMovedOn
from campaign.log import positions, selectors, undo
from campaign.log.history import ACTS
from campaign.log.selectors import Line
from campaign.log.undo import OWN, Rewind, reveals
from campaign.models import Clock, LogEntry
from engine.strict_json import whole
from forum.models import Post
from forum.posts import drafts as posts
from games.registry import word
from notices import projection as notices
from web.battles.page import BattleWords, battle_words
from web.frame.campaign_page import GAME_MASTER, TableContext, campaign_page, see_other, show
from web.frame.requests import seen_number
from web.log.lines import Row, Thrown, rows, thrown
from web.log.position_diff import Fight, Otherwise, compare, stood
from web.play import gm_move
from web.play.gm_move import Deed, attempt

if TYPE_CHECKING:
    from web.frame.campaign_page import TableContext

MOVES_LISTED = 120


@campaign_page
@require_http_methods(["GET", "HEAD", "POST"])
def rewind(request: HttpRequest, table: TableContext) -> HttpResponseBase:
    """`?entry=` the last that stays, or `?undo=` the entry whose moves come back; without either it
    asks. A POST does it.
    """
    table.must_be_game_master()
    if request.method != "POST":
        return rewind_page(request, table, request.GET)
    entry, deed = confirm_rewind(table, request.POST)
    if entry is None:
        return rewind_page(request, table, request.POST, deed)
    return redirect(table.home if entry.act == "restore" else table.url("after_undo", entry.number))


def confirm_rewind(table: TableContext, posted: Any) -> tuple[LogEntry | None, Deed]:
    """Strikes, or restores, what the form names: the entry that does, or what stands in its way."""
    back, number = "undo" in posted, numbered(posted)
    if number is None:
        wrong = (
            _("Choose the undo to be taken back.")
            if back
            else _("Choose the entry after which everything is struck.")
        )
        return None, Deed(wrong=wrong, field="entry")
    written: list[LogEntry] = []
    act = services.restore if back else services.undo_to

    def do(seen: Any) -> None:
        written.append(act(table.campaign, table.user, number, posted.get("reason", ""), seen))

    deed = attempt(table, do, posted)
    if not written:
        return None, deed
    if back:  # of an undo the next page says it first
        messages.success(
            table.request,
            _("What entry %(number)s had struck is in force again.") % {"number": number},
        )
    return written[0], deed


def numbered(typed: Any) -> int | None:
    return whole(str(typed.get("undo" if "undo" in typed else "entry", "")).strip())


def rewind_page(
    request: HttpRequest, table: TableContext, typed: Any, deed: Deed | None = None
) -> HttpResponse:
    """The list, or why there is none; with what was typed."""
    number, wrong, closed = numbered(typed), "", rewind_blocked(table)
    rewind_seen: Rewind | None = None
    if number is not None and not closed:
        rewind_seen, wrong = foreseen(table, number, back="undo" in typed)
    asks = rewind_seen is None and "undo" not in typed and not closed
    context = {
        "back": "undo" in typed,
        "number": number,
        "choices": (
            choices(table, selectors.log(table.campaign, table.access, limit=MOVES_LISTED))
            if asks
            else []
        ),
        "listing": Listing(table, rewind_seen) if rewind_seen else None,
        "own": gm_move.of_struck(table, rewind_seen.moves) if rewind_seen else None,
        "wrong": closed or wrong,
        "closed": closed,
        "deed": deed,
        "beside": deed.wrong if deed and deed.field == "reason" else "",
        "reason": typed.get("reason", ""),
        "seen": table.seen,
        "from_url": table.url("desk") if table.pages is None else table.home,
    }
    status = deed.status if deed else 200
    return show(
        request,
        table,
        "log/rewind.html",
        context,
        status=404 if wrong and status == 200 else status,
    )


def rewind_blocked(table: TableContext) -> str:
    """Why nothing is struck or restored here at present, whatever entry is named; empty where it
    may be.
    """
    try:
        lifecycle_status.must_be_played(table.campaign, by_master=True)
    except NotNow as refusal:
        return str(refusal)
    return ""


def foreseen(table: TableContext, number: int, *, back: bool) -> tuple[Rewind | None, str]:
    """What it would turn; or nothing, and why not."""
    try:
        if back:
            return undo.restored(table.campaign, undo.rewind_of(table.campaign, number)[0]), ""
        return undo.to(table.campaign, number), ""
    except CannotUndo as refusal:
        return None, str(refusal)
    except NoSuchEntry:
        text = (
            _("Entry %(number)s is not an undo.") if back else _("The log has no entry %(number)s.")
        )
        return None, text % {"number": number}


def choices(table: TableContext, latest: list[selectors.Line]) -> list[dict[str, Any]]:
    """The entries among these that one can go back to, the newest first: moves in force, and the
    beginning.
    """
    moves = [
        line
        for line in latest
        if line.number is not None
        and ((line.entry.is_move and not line.struck) or line.number == 0)
    ]
    return [
        {"number": line.number, "text": f"{line.number} · {name(table, line)}{line.text}"[:90]}
        for line in moves
    ][1:]


def name(table: TableContext, line: selectors.Line) -> str:
    return f"{table.name_of(line.entry.seat)}: " if line.entry.seat and not line.origin else ""


# Taking moves back where the title has a page of its own: which, what that means, and putting them
# in force again.
#
# One goes back to a decision: what went on by itself after it goes with it.

LISTED = 20
REASON = gettext_lazy("The player takes it back.")


@dataclass(frozen=True)
class Back:
    """The moves from one on, newest first; `own` where their seat may strike them without the game
    master's word.
    """

    lines: list[Line]
    own: bool

    @property
    def number(self) -> int:
        return self.lines[-1].number or 0

    @property
    def dice(self) -> bool:
        return any(line.rolls for line in self.lines)

    def rewind(self, table: TableContext) -> Rewind:
        """What taking them back would turn."""
        if self.own:
            return undo.own_rewind(table.campaign, [line.entry for line in self.lines])
        return undo.to(table.campaign, self.number - 1)


def undo_page(request: HttpRequest, table: TableContext) -> HttpResponse:
    """`?to=` the first entry to be struck, the last move by default. POST strikes, or puts back
    (`do=restore`).
    """
    if not table.own_seats and not table.game_master:
        raise PermissionDenied(_("Only people who play here take moves back."))
    if request.method == "POST":
        return _done(request, table)
    moves = _moves(table)
    decided = _decisions(table, moves)
    back = _chosen(
        table, moves, request.GET.get("to", "") or (str(decided[0].number) if decided else "")
    )
    listing = (
        Listing(table, back.rewind(table))
        if back is not None and (back.own or table.game_master)
        else None
    )
    context = {
        "back": back,
        "listing": listing,
        "back_lines": rows(table, back.lines) if back else [],
        "earlier": rows(
            table, [line for line in decided if back and (line.number or 0) < back.number]
        ),
        "undone": _undo_to_restore(table),
        "reason": REASON,
        "what": word(table.campaign.title, "campaign"),
        "may_not": back is not None and not back.own and not table.game_master,
        "fame": table.solo and not table.campaign.retried and not table.campaign.lesson,
    }
    return show(request, table, "log/undo_state.html", context)


def _moves(table: TableContext) -> list[Line]:
    """The last moves in force that can be taken back, newest first: not the one that began
    it all.
    """
    standing = (
        positions.moves_in_force(table.campaign)
        .filter(number__isnull=False)
        .select_related("actor", "struck_by")
        .order_by("-sequence")
    )
    moves = selectors.lines(
        table.campaign, table.access, standing.prefetch_related("rolls")[: LISTED + 1], bare=True
    )
    return moves[:-1] if len(moves) <= LISTED else moves[:LISTED]


def _decisions(table: TableContext, moves: list[Line]) -> list[Line]:
    """Those of these moves that somebody decided, newest first: nothing went on by itself where
    they were made.
    """
    assert table.pages is not None
    retold = positions.retold(table.campaign)
    places = {deed.number: n for n, deed in enumerate(retold.deeds)}
    return [
        line for line in moves if table.pages.onward(retold.after(places[line.number] - 1)) is None
    ]


def _chosen(table: TableContext, moves: list[Line], asked: str) -> Back | None:
    """Raises `Http404` where `asked` is none of them."""
    if not moves and not asked:
        return None
    wanted = seen_number(asked) if asked else moves[0].number
    at = next((place for place, line in enumerate(moves) if line.number == wanted), None)
    if at is None:
        raise Http404
    # As `own_undos` asks, which goes back to the first move that is not so.
    last = moves[0].entry
    own = last.seat in table.own_seats and all(
        (line.entry.seat, line.entry.audience) == (last.seat, last.audience)
        and line.entry.content["by"] == last.seat
        and not line.rolls
        and not reveals(line.effects)
        for line in moves[: at + 1]
    )
    return Back(moves[: at + 1], own)


def _undo_to_restore(table: TableContext) -> int | None:
    """The undo whose moves can be put in force again: nothing was played since."""
    if not table.game_master:
        return None
    moved = table.campaign.entries.filter(Q(kind=LogEntry.Kind.MOVE) | ACTS)
    last = moved.order_by("-sequence").first()  # what was said since changes nothing
    return (
        last.number
        if last is not None and last.act == "undo" and last.struck_by_id is None
        else None
    )


def _done(request: HttpRequest, table: TableContext) -> HttpResponse:
    seen, reason = seen_number(request.POST.get("seen", "")), request.POST.get("reason", "")
    try:
        if request.POST.get("do") == "restore":
            undone = _undo_to_restore(table)
            if undone is None:
                raise CannotUndo("nothing", _("There is nothing to restore."))
            services.restore(table.campaign, request.user, undone, reason, seen)
            messages.success(request, _("It is in force again."))
            return see_other(table.home)
        back = _chosen(table, _moves(table), request.POST.get("to", ""))
        if back is None:
            raise CannotUndo("nothing", _("There is nothing to take back."))
        if back.own:
            services.undo_own(table.campaign, request.user, seen, back.number)
        else:
            services.undo_to(table.campaign, request.user, back.number - 1, reason, seen)
        messages.success(request, _("Taken back. What is struck stays readable in the log."))
    except TableMovedOn:
        messages.error(
            request, _("The table has moved on since that page was made. Nothing was taken back.")
        )
    except TableError as error:
        if error.status == 403:
            raise
        messages.error(request, str(error))
        return see_other(table.url("undo"))
    return see_other(table.home)


# What an undo or a restoration would change, listed before it is said (`campaign.log.undo`): for
# the pages that ask for it.

SHOWN = 12
"""So many of the newest moves stand open; those before them are folded."""


class Die(NamedTuple):
    """The dice of one move that are known: of which seat's choice they hang, and as they would fall
    again.
    """

    number: int | None
    url: str
    seat: str
    name: str
    rolls: Sequence[Thrown]


class Battle(NamedTuple):
    """A battle that vanishes, comes back, is opened or closed again; with the claims that lose
    their ground, or have it again.
    """

    number: int
    url: str
    how: str
    text: str
    claims: Sequence[str]
    """As the log has them."""


class Due(NamedTuple):
    """A deadline that ends or runs again."""

    what: str
    kind: str
    whose: str
    url: str
    at: datetime | None
    held: bool


class Told(NamedTuple):
    """A post: its number, what it is called, where it stands; `url` leads to its page, for who may
    see that.
    """

    number: int
    subject: str
    permalink: str
    url: str


class Order(NamedTuple):
    """A standing order that has spoken among these moves: whose, and whether its question falls, so
    that it may speak again.
    """

    seat: str
    name: str
    text: str
    again: bool


class Listing:
    """The sections of the page; each is worked out when it is asked for, from the rows and the two
    positions.
    """

    def __init__(self, table: TableContext, rewind: Rewind, now: datetime | None = None) -> None:
        self.table, self.rewind, self.now = table, rewind, now or timezone.now()

    @cached_property
    def lines(self) -> list[selectors.Line]:
        """The moves that the reader may see, the newest first."""
        return selectors.lines(
            self.table.campaign, self.table.access, reversed(self.rewind.moves), bare=True
        )

    @cached_property
    def rows(self) -> list[Row]:
        return rows(self.table, self.lines)

    @property
    def shown(self) -> list[Row]:
        return self.rows[:SHOWN]

    @property
    def older(self) -> list[Row]:
        return self.rows[SHOWN:]

    @property
    def count(self) -> int:
        return len(self.rewind.moves)

    @property
    def hidden(self) -> int:
        """How many of the moves the reader may not see, for a game master, who counts them."""
        return self.count - len(self.lines)

    @cached_property
    def then(self) -> TableContext:
        return stood(self.table, self.rewind.position)

    @property
    def renewed(self) -> str:
        """Whose dice are renewed, where links that were published already would serve again; empty
        where none are.
        """
        turns = self.rewind.renewed
        if turns is None:
            return ""
        if turns[0] == turns[1]:
            return _(
                "The dice of turn %(first)s are renewed; rolls already thrown keep their value."
            ) % {"first": turns[0]}
        text = _(
            "The dice of turns %(first)s to %(last)s are renewed; rolls already thrown keep their"
            " value."
        )
        return text % {"first": turns[0], "last": turns[1]}

    @cached_property
    def position_diff(self) -> Otherwise:
        return compare(self.table, self.then)

    @cached_property
    def battles(self) -> list[Battle]:
        fights = self.position_diff.fights
        if not fights:
            return []
        claims = [line for line in self._acts_about if line.entry.act == "claim"]
        return [
            Battle(
                fight.number,
                self._battle_url(fight),
                fight.how,
                self._fight(fight),
                [
                    line.text
                    for line in claims
                    if fight.how in ("gone", "new")
                    and line.entry.content.get("battle") == fight.number
                ],
            )
            for fight in fights
        ]

    @cached_property
    def _acts_about(self) -> list[selectors.Line]:
        """The acts about these moves that the reader may see."""
        acts = [one for one in self.rewind.acts if one.act in ("claim", "standing")]
        return selectors.lines(self.table.campaign, self.table.access, acts, bare=True)

    def _battle_url(self, fight: Fight) -> str:
        here = self.table.pages is None and fight.number in self.table.rows.contests
        return self.table.url("battle", fight.number) if here else ""

    def _fight(self, fight: Fight) -> str:
        words_of = battle_words(self.table)
        sides = [self._side(words_of, fight, side) for side in ("attacker", "defender")]
        where = words_of.where(self.table.scenario, fight.facts)
        facts = {"attacker": sides[0], "defender": sides[1], "where": where}
        return (
            _("%(attacker)s – %(defender)s, %(where)s")
            if where
            else _("%(attacker)s – %(defender)s")
        ) % facts

    def _side(self, words_of: BattleWords, fight: Fight, side: str) -> str:
        key = fight.facts.get(side)
        return (
            self.table.name_of(key)
            if key in self.table.names
            else str(words_of.side_name(self.table.scenario, fight.facts, side))
        )

    # Posts affected -------------------------------------------------------------------------------

    @cached_property
    def posts(self) -> dict[str, list[Told]]:
        """What stands in threads is everybody's; what waits to be sent is the game masters'."""
        foreseen_posts = posts.foresee(self.rewind)
        by_fate = {
            "corrected": self._posts_to_mend(foreseen_posts.corrected),
            "later": self._posts_to_mend(foreseen_posts.later),
        }
        if self.table.host:
            by_fate |= {
                "dropped": self._posts_to_mend(foreseen_posts.dropped),
                "drafted": self._posts_to_mend(foreseen_posts.drafted),
            }
        return {key: rows for key, rows in by_fate.items() if rows}

    def _posts_to_mend(self, posts: Sequence[Post]) -> list[Told]:
        host = self.table.host
        return [
            Told(
                one.number,
                one.subject or one.report,
                one.permalink,
                self.table.url("post", one.number) if host else "",
            )
            for one in posts
        ]

    @cached_property
    def notified(self) -> notices.Foreseen:
        seats = [seat.key for seat in self.table.seats]
        return notices.foresee(self.rewind, seats, self.table.places, self.table.user)

    @property
    def people(self) -> list[dict[str, Any]]:
        """Who is notified: their name, as whom, and how soon something leaves for them."""
        return [
            {
                "name": one.name,
                "seats": [(seat, self.table.name_of(seat)) for seat in one.seats],
                "abroad": one.abroad,
            }
            for one in self.notified.people
        ]

    # Deadlines, dice, orders ----------------------------------------------------------------------

    @cached_property
    def deadlines(self) -> list[Due]:
        if self.table.solo:
            return []
        return [self._due(one) for one in clocks.foresee(self.rewind, self.now)]

    def _due(self, one: clocks.Foreseen) -> Due:
        table = self.table
        there = (
            one.contest is not None and table.pages is None and one.contest in table.rows.contests
        )
        url = table.url("battle", one.contest) if there else ""
        whose = _("battle %(number)s") % {"number": one.contest} if one.contest is not None else ""
        seat = table.name_of(one.seat) if one.seat else ""
        return Due(
            one.what,
            str(Clock.Kind(one.kind).label),
            ", ".join(filter(None, (seat, whose))),
            url,
            one.due_at,
            one.held,
        )

    @cached_property
    def dice(self) -> list[Die]:
        """The dice that these moves threw, each purpose once, as far as the reader knows them; none
        where they come back.
        """
        dice_lost, seen = [], set[str]()
        for line in reversed(self.lines if not self.rewind.back else []):
            new = [roll for roll in line.rolls if roll.purpose not in seen]
            seen |= {roll.purpose for roll in new}
            if new:
                seat = line.entry.seat
                url = self.table.url("entry", line.number) if line.number is not None else ""
                name = self.table.name_of(seat) if seat else self.table.name_of(GAME_MASTER)
                dice_lost.append(Die(line.number, url, seat, name, thrown(self.table, new)))
        return dice_lost

    @property
    def choosers(self) -> list[tuple[str, str]]:
        """Whose choice these dice hung on: they may choose otherwise now, knowing them."""
        return list(dict.fromkeys((die.seat, die.name) for die in self.dice))

    @cached_property
    def orders(self) -> list[Order]:
        """What the log says of standing orders that spoke."""
        rows, listed = set(self.rewind.rows), []
        for line in [line for line in self._acts_about if line.entry.act == "standing"]:
            seat = line.entry.seat
            listed.append(
                Order(seat, self.table.name_of(seat), line.text, line.entry.target_id in rows)
            )
        return listed

    @property
    def own(self) -> bool:
        return self.rewind.how == OWN

    @property
    def back(self) -> bool:
        return self.rewind.back
