"""Battles: the list, and one battle's page, where the challenged answer and the game master enters results."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect
from django.views.decorators.http import require_http_methods

from battles import selectors as battle_selectors
from battles.models import Battle
from campaign import selectors
from campaign.models import LogEntry
from games.registry import REPORTERS
from web.titles import contest, extras
from web.views.common import GAME_MASTER, TableContext, campaign_page, show
from web.views.deed import Deed, consider, say
from web.views.lines import rows


def words(table: TableContext) -> Any:
    """How this title speaks of battles: its own part, or plain words."""
    return extras(table.campaign.title, "battle") or contest


def summary(table: TableContext, battle: Battle) -> dict[str, Any]:
    """A battle in a list: who, where, what kind, its state in a word and whom it waits for."""
    said, known = words(table), battle.known
    state, tone = said.state_word(table.scenario, known)
    waits = [one.seat for one in table.waiting if one.contest == battle.number]
    return {
        "number": battle.number, "url": table.url("battle", battle.number), "turn": battle.turn, "state": state, "tone": tone,
        "sides": [{"key": said.side_nation(known, side), "name": side_name(table, known, side)}
                  for side in ("attacker", "defender")],
        "where": said.where(table.scenario, known), "kind": said.kind_word(known), "running": running(battle),
        "waits": waiting_words(table, battle, waits), "mine": any(table.is_mine(seat) for seat in waits),
        "resolved_at": battle.resolved_at,
    }  # fmt: skip


def side_name(table: TableContext, known: dict[str, Any], side: str) -> str:
    """Who fights on this side: in the title's words, else the seat's name."""
    said = words(table)
    if said is contest and known.get(side) in table.names:
        return table.name_of(str(known[side]))
    return str(said.side_name(table.scenario, known, side))


def waiting_words(table: TableContext, battle: Battle, seats: Sequence[str]) -> str:
    """Whom a battle waits for: "Bo to answer", "Ada and Bo play"."""
    who = list(dict.fromkeys(", ".join(table.holders(seat)) or table.name_of(seat) for seat in seats))
    if not who:
        return ""
    return f"{' and '.join(who)} {'play' if battle.status == 'fighting' else 'to answer'}"


def running(battle: Battle) -> bool:
    return battle.resolved_at is None


@campaign_page
def battles(request: HttpRequest, table: TableContext) -> HttpResponseBase:
    """All battles, those that run first, the latest on top."""
    found = sorted(battle_selectors.battles(table.campaign), key=lambda b: (not running(b), -b.number))
    listed = [summary(table, battle) for battle in found]
    context = {"running": [b for b in listed if b["running"]], "resolved": [b for b in listed if not b["running"]]}
    return show(request, table, "campaign/battles.html", context, here="battles")


@campaign_page
@require_http_methods(["GET", "HEAD", "POST"])
def battle(request: HttpRequest, table: TableContext, number: int) -> HttpResponseBase:
    """One battle. A POST answers (the challenged) or enters a result (the game master).

    What throws dice or cannot be taken back is shown first: only a form with `sure` does it.
    """
    found = battle_selectors.battle(table.campaign, number)
    if found is None:
        raise Http404
    if request.method == "POST":
        return act(request, table, found)
    deed, forms = None, extras(table.campaign.title, "battle_forms")
    if forms and table.game_master and running(found) and request.GET.get("by"):
        raw = forms.result_move(number, request.GET)
        deed = consider(table, raw) if raw else None
        if deed is not None:
            deed.looked = True
    return page(request, table, found, request.GET, deed)


def act(request: HttpRequest, table: TableContext, found: Battle) -> HttpResponseBase:
    """What a form of this page asks for."""
    posted, forms = request.POST, extras(table.campaign.title, "battle_forms")
    if forms is None:
        raise Http404
    raw: dict[str, Any] | None
    wrong, rule = "Choose an answer first.", "7.8"
    if posted.get("move") == "respond":
        raw = forms.answer_move(found.number, speaker_of(table, found), posted)
    else:
        if not table.game_master:
            raise PermissionDenied("Only the game master enters results.")
        raw = forms.result_move(found.number, posted)
        wrong, rule = forms.missing(posted)
    if raw is None:
        return page(request, table, found, posted, Deed(wrong=wrong, rule=rule))
    if not forms.sure(posted):
        deed = consider(table, raw)
        if deed.wrong or deed.asks or raw["move"] != "respond":
            return page(request, table, found, posted, deed)
    deed = say(table, raw, posted)
    if deed.done:
        return redirect(table.url("battle", found.number), permanent=False)
    return page(request, table, found, posted, deed)


def speaker_of(table: TableContext, found: Battle) -> dict[str, str]:
    """Who answers: the challenged seat by who holds it, or the game master for it."""
    seat = found.defender
    if not seat or not table.access.speaks_for(seat):
        raise PermissionDenied("Only the challenged answer.")
    return {"by": seat} if seat in table.own_seats else {"by": GAME_MASTER, "for": seat}


def page(request: HttpRequest, table: TableContext, found: Battle, typed: Any, deed: Deed | None) -> HttpResponse:
    """The page with what was typed and what became of it."""
    forms, entries = extras(table.campaign.title, "battle_forms"), told(table, found)
    context: dict[str, Any] = {
        "battle": summary(table, found), "deed": deed, "entries": rows(table, entries), "seen": table.seen,
        "report_url": table.url("report", f"battle-{found.number}") if table.campaign.title in REPORTERS else "",
    }  # fmt: skip
    if forms is not None:
        context |= forms.page(table, found.known, entries, typed, deed)
        context["body"] = f"titles/{table.campaign.title}/_battle.html"
    else:
        context["own_seats"] = plain_offers(table)
    return show(request, table, "campaign/battle.html", context, here="battles", status=deed.status if deed else 200)


def told(table: TableContext, found: Battle) -> list[selectors.Line]:
    """The log lines of this battle in force, newest first: its launch and every move that tells of it."""
    mark = f'"kind":"attack","subject":"{found.number}"'  # canonical JSON: quotes within texts are escaped there
    entries = table.campaign.entries.filter(struck_by=None, kind=LogEntry.Kind.MOVE, sequence__gte=found.entry.sequence)
    chosen = entries.filter(effects__contains=mark) | entries.filter(pk=found.entry_id)
    return selectors.lines(table.campaign, table.user, chosen.select_related("actor", "struck_by").order_by("-sequence"))


def plain_offers(table: TableContext) -> list[dict[str, str]]:
    """Where a title has no page of battles: whose moves are to be found on which nation's page."""
    return [{"name": table.name_of(seat), "url": table.url("nation", seat)} for seat in table.own_seats]
