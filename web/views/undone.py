"""Taking moves back where the title has a page of its own: which, what that means, and putting them in force again.

One goes back to a decision: what went on by itself after it goes with it.
"""

from __future__ import annotations

from dataclasses import dataclass

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.db.models import Q
from django.http import Http404, HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from campaign import positions, rewinds, selectors, services
from campaign.errors import CannotUndo, TableError, TableMovedOn
from campaign.models import LogEntry
from campaign.rewinds import Rewind
from campaign.selectors import Line
from campaign.services.undoing import reveals
from campaign.undone import ACTS
from games.registry import word
from web.rewinding import Listing
from web.views.common import TableContext, see_other, show
from web.views.lines import rows
from web.views.seen import seen_number

LISTED = 20
REASON = gettext_lazy("The player takes it back.")


@dataclass(frozen=True)
class Back:
    """The moves from one on, newest first; `own` where their seat may strike them without the game master's word."""

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
            return rewinds.own(table.campaign, [line.entry for line in self.lines])
        return rewinds.to(table.campaign, self.number - 1)


def page(request: HttpRequest, table: TableContext) -> HttpResponse:
    """`?to=` the first entry to be struck, the last move by default. POST strikes, or puts back (`do=restore`)."""
    if not table.own_seats and not table.game_master:
        raise PermissionDenied(_("Only who plays here takes moves back."))
    if request.method == "POST":
        return _done(request, table)
    found = _moves(table)
    decided = _decisions(table, found)
    back = _chosen(table, found, request.GET.get("to", "") or (str(decided[0].number) if decided else ""))
    listing = Listing(table, back.rewind(table)) if back is not None and (back.own or table.game_master) else None
    context = {
        "back": back,
        "listing": listing,
        "back_lines": rows(table, back.lines) if back else [],
        "earlier": rows(table, [line for line in decided if back and (line.number or 0) < back.number]),
        "undone": _undone(table),
        "reason": REASON,
        "what": word(table.campaign.title, "campaign"),
        "may_not": back is not None and not back.own and not table.game_master,
        "fame": table.solo and not table.campaign.retried and not table.campaign.helped,
    }
    return show(request, table, "campaign/undone.html", context)


def _moves(table: TableContext) -> list[Line]:
    """The last moves in force that can be taken back, newest first: not the one that began it all."""
    standing = (
        positions.standing(table.campaign).filter(number__isnull=False).select_related("actor", "struck_by").order_by("-sequence")
    )
    found = selectors.lines(table.campaign, table.access, standing.prefetch_related("rolls")[: LISTED + 1], bare=True)
    return found[:-1] if len(found) <= LISTED else found[:LISTED]


def _decisions(table: TableContext, found: list[Line]) -> list[Line]:
    """Those of these moves that somebody decided, newest first: nothing went on by itself where they were made."""
    assert table.pages is not None
    retold = positions.retold(table.campaign)
    places = {deed.number: n for n, deed in enumerate(retold.deeds)}
    return [line for line in found if table.pages.onward(retold.after(places[line.number] - 1)) is None]


def _chosen(table: TableContext, found: list[Line], asked: str) -> Back | None:
    """Raises `Http404` where `asked` is none of them."""
    if not found and not asked:
        return None
    wanted = seen_number(asked) if asked else found[0].number
    at = next((place for place, line in enumerate(found) if line.number == wanted), None)
    if at is None:
        raise Http404
    # As `own_undos` asks, which goes back to the first move that is not so.
    last = found[0].entry
    own = last.seat in table.own_seats and all(
        (line.entry.seat, line.entry.audience) == (last.seat, last.audience)
        and line.entry.said["by"] == last.seat
        and not line.rolls
        and not reveals(line.effects)
        for line in found[: at + 1]
    )
    return Back(found[: at + 1], own)


def _undone(table: TableContext) -> int | None:
    """The undo whose moves can be put in force again: nothing was played since."""
    if not table.game_master:
        return None
    moved = table.campaign.entries.filter(Q(kind=LogEntry.Kind.MOVE) | ACTS)
    last = moved.order_by("-sequence").first()  # what was said since changes nothing
    return last.number if last is not None and last.act == "undo" and last.struck_by_id is None else None


def _done(request: HttpRequest, table: TableContext) -> HttpResponse:
    seen, reason = seen_number(request.POST.get("seen", "")), request.POST.get("reason", "")
    try:
        if request.POST.get("do") == "restore":
            undone = _undone(table)
            if undone is None:
                raise CannotUndo("nothing", _("There is nothing to put back."))
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
        messages.error(request, _("The table has moved on since that page was made. Nothing was taken back."))
    except TableError as error:
        if error.status == 403:
            raise
        messages.error(request, str(error))
        return see_other(table.url("undo"))
    return see_other(table.home)
