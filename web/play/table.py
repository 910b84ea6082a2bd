"""The table: where the campaign stands and whom it waits for."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.cache import patch_vary_headers
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from battles import projection as battles
from campaign import access
from campaign.log import selectors
from engine.language import joined
from forum.posts import outbox as forum
from games.registry import REPORTERS, words
from web import waiting
from web.frame import page_cache
from web.frame.campaign_page import (
    GAME_MASTER,
    TableContext,
    accounts_by_key,
    amount,
    campaign_page,
    running,
    show,
    waits,
)
from web.frame.parts import part_of_page
from web.log.lines import rows
from web.play import title_page
from web.titles import extras
from web.waiting import final_standings, live_claims, running_battles, waited_for

LINES = 20


class Cell(NamedTuple):
    """A number of the standings; `warn` says in words what is near, `was` what it had been before
    it changed.
    """

    label: str
    text: str
    warn: str = ""
    was: str = ""


class Place(NamedTuple):
    """A seat's line of the standings."""

    seat: str
    name: str
    holder: str
    mine: bool
    url: str
    cells: Sequence[Cell]
    rank: int = 0
    note: str = ""


@require_safe
@campaign_page
def table(request: HttpRequest, table: TableContext) -> HttpResponse:
    if table.pages is not None:
        return title_page.page(request, table)
    own = extras(table.campaign.title, "table")
    part = (
        own.part(table, request.headers["HX-Target"], request.GET)
        if own and "HX-Target" in request.headers
        else None
    )
    if part is not None:
        return alone(request, table, *part)
    context: dict[str, Any] = {
        "waits": waits(table),
        "final": final(table),
        "contests": contests(table),
        "log": page_cache.of_log(
            table,
            (
                "log",
                table.campaign.changes,
                str(timezone.get_current_timezone()),
                timezone.localdate(),
            ),  # it has people's names
            lambda: latest(table),
        ),
        "entries": table.seen + 1,
        "resumable": (
            not table.campaign.started
            and extras(table.title.key, "resume") is not None
            and not access.hides(table.campaign)
        ),
        "missing": [seat for seat in table.seats if seat.holder is None],
        "log_url": table.url("log"),
        "seats_url": table.url("seats"),
        "terms_url": table.url("terms"),
        "desk_url": table.url("desk"),
        "tells": table.campaign.title in REPORTERS,
        "told": (
            not table.campaign.started and table.game_master and bool(forum.threads(table.campaign))
        ),
        "map": None,
    }
    if own:
        context |= own.context(table, request.GET)
    who = tuple((seat.key, seat.holder.username if seat.holder else "") for seat in table.seats)
    seat_word = context.get("seat_word", "")
    context["standings"] = page_cache.of_position(
        table, ("standings", who, table.own_seats), lambda: ranking(table, seat_word)
    )
    answer = show(request, table, "play/table.html", context, here="table")
    patch_vary_headers(answer, ["HX-Target"])
    return answer


def ranking(table: TableContext, seat_word: str) -> SafeString:
    """The standings as they are read."""
    own = extras(table.campaign.title, "table")
    standings = own.standings(table) if own else plain_standings(table)
    given = {
        "table": table,
        "campaign": table.campaign,
        "head": {"words": words(table.campaign.title)},
        "seat_word": seat_word,
    }
    return part_of_page("play/_standings.html", {**given, "standings": standings})


def latest(table: TableContext) -> SafeString:
    """The newest lines of the log as they are read today in the reader's zone."""
    lines = rows(table, selectors.log(table.campaign, table.access, limit=LINES))
    return part_of_page(
        "log/_log.html",
        {"table": table, "lines": lines, "log_label": _("The last entries of the log")},
    )


def alone(
    request: HttpRequest, table: TableContext, template: str, context: Mapping[str, Any]
) -> HttpResponse:
    """A part of the page for a reader who has the rest of it."""
    answer = render(request, template, {"table": table, "campaign": table.campaign, **context})
    # The address is the whole page's: a browser that goes back must not find the part under it.
    answer.headers["Cache-Control"] = "no-store"
    patch_vary_headers(answer, ["HX-Target"])
    return answer


def places(
    table: TableContext, order: Iterable[str], cells: Mapping[str, Sequence[Cell]]
) -> list[Place]:
    """Lines of the standings in this order."""
    places_here = []
    for seat in order:
        name, holder = table.name_of(seat), ", ".join(table.holders(seat))
        places_here.append(
            Place(
                seat, name, holder, seat in table.own_seats, table.url("nation", seat), cells[seat]
            )
        )
    return places_here


def plain_standings(table: TableContext) -> list[Place]:
    """The accounts of every seat, but the purse; most of the first account first."""
    book = [account for account in table.title.accounts if account.key != "actions"]
    held = table.rows.accounts
    keys = [seat.key for seat in table.seats]
    keys.sort(key=lambda key: [-held.get((key, account.key), 0) for account in book])
    cells = {k: [Cell(a.label, amount(a, held.get((k, a.key), 0))) for a in book] for k in keys}
    return places(table, keys, cells)


def final(table: TableContext) -> list[dict[str, Any]]:
    """The final standings; empty while the campaign runs."""
    return [
        {
            "rank": one.rank,
            "seat": one.seat,
            "name": table.name_of(one.seat),
            "points": one.points,
            "holder": ", ".join(table.holders(one.seat)),
            "mine": one.seat in table.own_seats,
            "facts": ", ".join(_fact(table, key, value) for key, value in one.facts.items()),
        }
        for one in final_standings(table) or ()
    ]


def _fact(table: TableContext, key: str, value: Any) -> str:
    account = accounts_by_key(table).get(key)
    return f"{account.label} {amount(account, value)}" if account else f"{key} {value}"


def contests(table: TableContext) -> list[dict[str, Any]]:
    """The open contests, those first that wait for the reader, then unanswered ones."""
    own = extras(table.campaign.title, "table")
    open_contests = {
        number: facts for number, facts in table.rows.contests.items() if running(facts)
    }
    rows = {b.number: b for b in running_battles(table)} if open_contests else {}
    lines = []
    for number, facts in open_contests.items():
        sides = [one.seat for one in waited_for(table) if one.contest == number]
        people = [
            name
            for seat in sides
            for name in waiting.people(table, seat, number) or [table.name_of(seat)]
        ]
        line = {
            "number": number,
            "attacker": facts["attacker"],
            "attacker_name": table.name_of(facts["attacker"]),
            "defender": facts["defender"] or "",
            "defender_name": table.name_of(facts["defender"] or ""),
            "state": facts["status"],
            "tone": "",
            "where": "",
            "kind": facts["kind"],
            "who": joined(_(" and "), dict.fromkeys(people)),
            "since": rows[number].launched_at if number in rows else None,
            "mine": any(waiting.for_reader(table, seat, number) for seat in sides),
            "answer": facts["status"] == "challenged",
            "url": table.url("battle", number),
            "due": waiting.of_contest(table, number) if sides != [GAME_MASTER] else None,
        }
        ready = number in rows and battles.ready(rows[number])
        line |= own.contest(table, {**facts, "ready": ready}) if own else {}
        if (claim := live_claims(table).get(number)) is not None:
            line |= {"state": claim.get_state_display(), "tone": "warn"}
        lines.append(line)
    return sorted(lines, key=lambda line: (not line["mine"], not line["answer"], line["number"]))
