"""After an undo: how the table stands now, what is struck, what to do next; until somebody plays
on.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any

from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_safe

from battles import projection as battles_projection
from campaign.clocks import services as clocks
from campaign.errors import CannotUndo
from campaign.log import selectors, undo
from campaign.log.history import Turn
from campaign.models import Clock
from forum.posts import outbox, reports
from notices import projection as notices
from web.battles.page import is_running
from web.desk.waiting_list import things_waited_for
from web.frame.campaign_page import TableContext, campaign_page, show
from web.log.lines import rows
from web.log.position_diff import Otherwise, compare
from web.log.undo import Listing
from web.titles import extras
from web.waiting import clocks as clocks_of
from web.waiting import solo_battles

LATEST, LISTED = 4, 200


@require_safe
@campaign_page
def after_undo(request: HttpRequest, table: TableContext, number: int) -> HttpResponseBase:
    """How the table stands after the undo of this number. Once somebody has played on, or it is
    restored, it leads to the branch that was struck, and so it does for a title with a page of its
    own.
    """
    table.must_be_game_master()
    turn, _every = undo.rewind_of(table.campaign, number)
    try:
        back = undo.restored(table.campaign, turn)
    except CannotUndo:
        return redirect(table.url("branch", number))
    if table.pages is not None or table.solo:
        return redirect(table.url("branch", number))
    now = AfterUndo(table, back)
    own = extras(table.campaign.title, "history")
    drawn = own.context(table, None, now.position_diff.places, moving=False) if own else {}
    lines = [
        line
        for line in selectors.log(table.campaign, table.access, limit=LISTED)
        if not line.struck
    ]
    mine = next((line for line in lines if line.number == number), None)
    struck = [one.number for one in back.moves if one.number is not None]
    context = {
        "number": number,
        "last": turn.act.content["after"],
        "first_struck": min(struck, default=None),
        "last_struck": max(struck, default=None),
        "began": back.moves[0].at,
        "ended": back.moves[-1].at,
        "listing": now,
        "nexts": nexts(table, now, turn),
        "deadlines": deadlines(table, now, turn),
        "told": notices.notified(turn.act, back.rows),
        "own_line": rows(table, [mine] if mine else []),
        "lines": rows(
            table,
            [line for line in lines if line.entry.is_move and line.number is not None][:LATEST],
        ),
        "map": None,
        **{key: drawn[key] for key in ("map", "own_map", "own_scripts") if key in drawn},
    }
    return show(request, table, "log/after_undo.html", context, here="log")


class AfterUndo(Listing):
    """The list of what restoring would change, read the other way: what the undo has changed."""

    @cached_property
    def position_diff(self) -> Otherwise:
        return compare(self.then, self.table)


def nexts(table: TableContext, now: AfterUndo, turn: Turn) -> list[dict[str, Any]]:
    """What the game master may want to do now: correct what stands in threads, remind who plays on,
    look at the reason.
    """
    things: list[dict[str, Any]] = []
    if reports.reporter(table.campaign) is not None:
        known = set(now.rewind.rows)
        posted = [
            one.head
            for one in outbox.outbox(table.campaign)
            if one.head.posted_at and one.head.entry_id in known
        ]
        if posted:
            n = len(posted)
            text = ngettext(
                "%(n)d post reports struck moves.", "%(n)d posts report struck moves.", n
            ) % {"n": n}
            links = [(one.subject or one.report, table.url("post", one.number)) for one in posted]
            things.append(
                {
                    "name": _("Post a correction"),
                    "text": text,
                    "links": links,
                    "url": table.url("posts"),
                    "verb": _("Outbox"),
                    "main": True,
                }
            )
    contests = [
        battle for battle in battles_projection.running(table.campaign) if is_running(battle)
    ]
    solo_battles(table, contests)
    for line in things_waited_for(table, contests):
        if line.mine or line.own:
            things.append(
                {
                    "name": _("You"),
                    "line": line,
                    "text": line.text,
                    "url": table.url("desk"),
                    "verb": _("Desk"),
                }
            )
        else:
            things.append(
                {
                    "name": line.people,
                    "line": line,
                    "text": line.text,
                    "remind": line.remind,
                }
            )
    reason = {
        "name": _("The reason, for all to read"),
        "text": _("“%(reason)s”") % {"reason": turn.act.content.get("reason", "")},
    }
    return [
        *things,
        {
            **reason,
            "url": table.url("entry", turn.act.number),
            "verb": _("Entry %(n)s") % {"n": turn.act.number},
        },
    ]


def deadlines(table: TableContext, now: AfterUndo, turn: Turn) -> list[dict[str, Any]]:
    """The deadlines that run, each with what the undo did to it: it is new, it runs again, or it is
    as before.
    """
    again = {
        (one.kind, one.seat, one.contest)
        for one in clocks.foresee(now.rewind, timezone.now())
        if one.what == clocks.ENDS
    }
    listed = []
    for clock in clocks_of(table):
        how = _("as before")
        if clock.started_at >= turn.act.at:
            how = _("new")
        elif (clock.kind, clock.seat, clock.contest) in again:
            how = _("runs again")
        seat = table.name_of(clock.seat) if clock.seat else ""
        url = table.url("battle", clock.contest) if clock.contest is not None else ""
        listed.append(
            {
                "kind": str(Clock.Kind(clock.kind).label),
                "seat": seat,
                "contest": clock.contest,
                "url": url,
                "at": clock.due_at,
                "how": how,
            }
        )
    return listed
