"""What a game master may do where a seat's holder is away (RULES 11): each remedy with what follows, one button each."""

from __future__ import annotations

from functools import partial
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from battles import solo
from campaign import services
from campaign.models import Membership
from campaign.services import living
from engine.strict_json import whole
from web import falls, own
from web.titles import extras
from web.views.battle import words
from web.views.common import GAME_MASTER, TableContext, campaign_page, see_other, show
from web.views.deed import Deed, attempt, consider, say


@require_http_methods(["GET", "HEAD", "POST"])
@campaign_page
def remedies(request: HttpRequest, table: TableContext, seat: str) -> HttpResponse:
    """The remedies for a seat. A POST does one: time-out, solo, both, forfeit, replace."""
    if seat not in table.names or seat == GAME_MASTER or table.solo:
        raise Http404
    table.must_be_game_master()
    if table.draft or table.finished or not table.playable:
        return see_other(table.url("desk"))
    if request.method != "POST":
        return page(request, table, seat, None)
    deed = _done(request, table, seat)
    if not deed.done:
        return page(request, table, seat, deed)
    return see_other(table.url("seats") if request.POST.get("do") == "replace" else table.url("remedies", seat))


def _done(request: HttpRequest, table: TableContext, seat: str) -> Deed:
    posted, do = request.POST, request.POST.get("do", "")
    number = whole(posted.get("battle", ""))
    battle = next((one for one in battles(table, seat) if one["number"] == number), None)
    if do == "time-out":
        pause = partial(services.live, table.campaign, table.user, "paused", posted.get("reason", ""))
        return _said(request, attempt(table, lambda seen: pause(), posted), _("The campaign is paused."))
    if do == "replace":
        return _replaced(request, table, seat)
    if battle is None:
        raise Http404
    if do == "forfeit" and battle["forfeit"] is not None:
        return say(table, battle["forfeit"], posted)
    acts = {
        "solo": (partial(solo.agree, table.campaign, table.user, battle["number"], seat), _("Said. Both sides are told.")),
        "both": (partial(solo.end, table.campaign, table.user, battle["number"]), _("Said. Both sides are told.")),
    }
    if do not in acts:
        raise Http404
    act, text = acts[do]
    return _said(request, attempt(table, lambda seen: act(), posted), text)


def _said(request: HttpRequest, deed: Deed, text: str) -> Deed:
    if deed.done:
        messages.success(request, text)
    return deed


def _replaced(request: HttpRequest, table: TableContext, seat: str) -> Deed:
    """The chosen battles attributed, the seat freed, and given to who was chosen."""
    posted = request.POST
    chosen = {whole(text) for text in posted.getlist("forfeits")[:100]}
    moves = [one["forfeit"] for one in battles(table, seat) if one["forfeit"] is not None and one["number"] in chosen]
    person, heir = posted.get("person", ""), whole(posted.get("person", ""))
    if person and heir is None:
        return Deed(wrong=_("There is no such person here."))
    act = partial(services.replace, table.campaign, table.user, seat, heir, moves)
    return _said(request, attempt(table, act, posted), _("%(seat)s: the seat has changed hands.") % {"seat": table.name_of(seat)})


def battles(table: TableContext, seat: str) -> list[dict[str, Any]]:
    """The battles of a seat that run, with what may be done about each."""
    said, forms, made = words(table), extras(table.campaign.title, "battle_forms"), []
    for number, known in table.rows.contests.items():
        sides = {"attacker": known.get("attacker"), "defender": known.get("defender") or known.get("leader")}
        side = next((side for side, who in sides.items() if who == seat), None)
        if known["status"] == "resolved" or side is None:
            continue
        other = sides["defender" if side == "attacker" else "attacker"] or ""
        forfeit = forms.result_move(number, {"by": "forfeit", "side": side}) if forms is not None else None
        made.append({
            "number": number, "url": table.url("battle", number), "where": said.where(table.scenario, known), "other": other,
            "other_name": table.name_of(other) if other else "", "rival": ", ".join(table.holders(other)) if other else "",
            "challenged": known["status"] == "challenged", "begun": known["status"] != "challenged", "forfeit": forfeit,
            "solo": table.alone.get(number) == seat, "stood": (number, seat) in table.stood,
            "answers": known["status"] == "challenged" and known.get("defender") == seat,
        })  # fmt: skip
    return made


def page(request: HttpRequest, table: TableContext, seat: str, deed: Deed | None) -> HttpResponse:
    found = battles(table, seat)
    for one in found:
        one["own"] = own.of_seat(table, seat, one["other"])
        one["deed"] = consider(table, one["forfeit"]) if one["forfeit"] is not None else None
    gone = falls.of_seat(table, seat)
    context = {
        "seat": seat, "name": table.name_of(seat), "holders": ", ".join(table.holders(seat)), "gone": gone,
        "battles": found, "begun": any(one["begun"] for one in found), "deed": deed, "seen": table.seen,
        "may_pause": "paused" in living.possible(table.campaign), "clocks": len(table.clocks), "desk_url": table.url("desk"),
        "here_url": table.url("remedies", seat), "nation_url": table.url("nation", seat), "seats_url": table.url("seats"),
        "slot": table.campaign.active_seat == seat, "typed": request.POST,
        "to_come": any(fall.kind == falls.NEXT for one in gone for fall in one.falls),
        "reserve": [one for one in table.places if one.role == Membership.Role.RESERVE],
    }  # fmt: skip
    return show(request, table, "campaign/remedies.html", context, here="desk", status=deed.status if deed else 200)
