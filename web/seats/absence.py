"""When oneself is away: said, changed, taken back."""

from __future__ import annotations

from functools import partial
from typing import Any, cast

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from battles import services as battles_services
from campaign import founding, services
from campaign.errors import NoSuchEntry, TableError
from campaign.models import Campaign, Membership
from campaign.seats import selectors, standing_orders
from engine.strict_json import whole
from people.forms import ALL, SOME, AwayForm
from people.models import Absence, User
from web import waiting
from web.battles.page import battle_forms, battle_words
from web.frame import throttle
from web.frame.campaign_page import GAME_MASTER, TableContext, campaign_page, see_other, show
from web.play import gm_move
from web.play.gm_move import Deed, attempt, consider, make_move
from web.waiting import days, solo_battles

SHOWN = 30
FIELDS = {
    "backwards": "last",
    "past": "last",
    "too-long": "last",
    "overlaps": "first",
    "bad-note": "note",
    "no-campaign": "campaigns",
}
"""Where what is wrong stands in the form."""


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def absent(request: HttpRequest) -> HttpResponse:
    """The reader's calendar; `?change=N` opens one of it. A guest plays alone: there is nobody to
    tell.
    """
    user = cast(User, request.user)
    absences, campaigns = (
        selectors.absences_of_user(user)[:SHOWN],
        list(selectors.campaigns_to_inform(user)),
    )
    if request.method == "POST" and not user.guest:
        return _posted(request, user, absences, campaigns)
    opened = _opened(request.GET.get("change", ""), absences)
    return _page(request, absences, campaigns, _form(opened, campaigns), opened)


def _posted(
    request: HttpRequest, user: User, absences: list[Absence], campaigns: list[Campaign]
) -> HttpResponse:
    opened = _opened(request.POST.get("absence", ""), absences)
    if request.POST.get("absence") and opened is None:
        raise Http404
    if wait := throttle.spend(request, throttle.ABSENCE, f"user {user.pk}"):
        return throttle.refused(request, wait)
    if request.POST.get("do") == "take-back" and opened is not None:
        standing_orders.take_back(user, opened.pk)
        messages.success(request, _("Taken back. Your campaigns are notified."))
        return redirect("absence")
    form = AwayForm(request.POST, known=_known(opened, campaigns))
    if form.is_valid():
        fields = form.cleaned_data
        given: dict[str, Any] = {
            "note": fields["note"],
            "masters_only": fields["masters_only"],
            "campaigns": None,
        }
        if fields["whom"] == SOME:
            by_ref = {one.public_id: one for one in [*campaigns, *_campaigns_informed(opened)]}
            given["campaigns"] = [by_ref[key] for key in fields["campaigns"]]
        try:
            if opened is None:
                standing_orders.announce(user, fields["first"], fields["last"], **given)
            else:
                standing_orders.change(user, opened.pk, fields["first"], fields["last"], **given)
        except NoSuchEntry as error:
            raise Http404 from error
        except TableError as error:
            form.add_error(FIELDS.get(error.code), str(error))
        else:
            messages.success(request, _("Logged. People who wait for you there can see it."))
            return redirect("absence")
    return _page(request, absences, campaigns, form, opened)


def _page(
    request: HttpRequest,
    absences: list[Absence],
    campaigns: list[Campaign],
    form: AwayForm,
    opened: Absence | None,
) -> HttpResponse:
    now = timezone.now()
    context = {
        "form": form,
        "opened": opened,
        "absences": [
            {
                "one": one,
                "days": days(one.first, one.last),
                "told": [campaign.name for campaign in _campaigns_informed(one)],
                "over": one.ends_at <= now,
                "now": one.begins_at <= now < one.ends_at,
                "open": opened is not None and one.pk == opened.pk,
            }
            for one in absences
        ],
        "campaigns": campaigns,
    }
    return render(request, "account/absence.html", context, status=422 if form.errors else 200)


def _form(opened: Absence | None, campaigns: list[Campaign]) -> AwayForm:
    if opened is None:
        return AwayForm(known=_known(None, campaigns))
    initial = {
        "first": opened.first,
        "last": opened.last,
        "note": opened.note,
        "masters_only": opened.masters_only,
        "whom": ALL if opened.everywhere else SOME,
        "campaigns": [one.public_id for one in _campaigns_informed(opened)],
    }
    return AwayForm(initial=initial, known=_known(opened, campaigns))


def _opened(number: str, absences: list[Absence]) -> Absence | None:
    """The one of this number that is not over."""
    wanted, now = whole(number), timezone.now()
    return next((one for one in absences if one.pk == wanted and one.ends_at > now), None)


def _campaigns_informed(one: Absence | None) -> list[Campaign]:
    """The campaigns that are told where not all are; asked for already."""
    return [] if one is None else [row.campaign for row in one.told.all() if row.dropped_at is None]


def _known(opened: Absence | None, campaigns: list[Campaign]) -> list[tuple[str, str]]:
    return [
        (key, one.name)
        for key, one in {
            one.public_id: one for one in [*campaigns, *_campaigns_informed(opened)]
        }.items()
    ]


# What a game master may do where a seat's holder is away (RULES 11): each remedy with what follows,
# one button each.


@require_http_methods(["GET", "HEAD", "POST"])
@campaign_page
def absence_actions(request: HttpRequest, table: TableContext, seat: str) -> HttpResponse:
    """The remedies for a seat. A POST does one: time-out, solo, both, forfeit, replace."""
    if seat not in table.names or seat == GAME_MASTER or table.solo:
        raise Http404
    table.must_be_game_master()
    if not table.campaign.started or table.campaign.ended or not table.campaign.playable:
        return see_other(table.url("desk"))
    if request.method != "POST":
        return page(request, table, seat, None)
    deed = _done(request, table, seat)
    if not deed.done:
        return page(request, table, seat, deed)
    return see_other(
        table.url("seats") if request.POST.get("do") == "replace" else table.url("remedies", seat)
    )


def _done(request: HttpRequest, table: TableContext, seat: str) -> Deed:
    posted, do = request.POST, request.POST.get("do", "")
    number = whole(posted.get("battle", ""))
    battle = next((one for one in battles(table, seat) if one["number"] == number), None)
    if do == "time-out":
        pause = partial(
            services.live, table.campaign, table.user, "paused", posted.get("reason", "")
        )
        return _confirm_action(
            request, attempt(table, lambda seen: pause(), posted), _("The campaign is paused.")
        )
    if do == "replace":
        return _replaced(request, table, seat)
    if battle is None:
        raise Http404
    if do == "forfeit" and battle["forfeit"] is not None:
        return make_move(table, battle["forfeit"], posted)
    acts = {
        "solo": (
            partial(
                battles_services.agree_solo, table.campaign, table.user, battle["number"], seat
            ),
            _("Logged. Both sides are notified."),
        ),
        "both": (
            partial(battles_services.end_solo, table.campaign, table.user, battle["number"]),
            _("Logged. Both sides are notified."),
        ),
    }
    if do not in acts:
        raise Http404
    act, text = acts[do]
    return _confirm_action(request, attempt(table, lambda seen: act(), posted), text)


def _confirm_action(request: HttpRequest, deed: Deed, text: str) -> Deed:
    if deed.done:
        messages.success(request, text)
    return deed


def _replaced(request: HttpRequest, table: TableContext, seat: str) -> Deed:
    """The chosen battles attributed, the seat freed, and given to who was chosen."""
    posted = request.POST
    chosen = {whole(text) for text in posted.getlist("forfeits")[:100]}
    moves = [
        one["forfeit"]
        for one in battles(table, seat)
        if one["forfeit"] is not None and one["number"] in chosen
    ]
    person, heir = posted.get("person", ""), whole(posted.get("person", ""))
    if person and heir is None:
        return Deed(wrong=_("There is no such person here."))
    act = partial(services.replace, table.campaign, table.user, seat, heir, moves)
    return _confirm_action(
        request,
        attempt(table, act, posted),
        _("%(seat)s: the seat has a new holder.") % {"seat": table.name_of(seat)},
    )


def battles(table: TableContext, seat: str) -> list[dict[str, Any]]:
    """The battles of a seat that run, with what may be done about each."""
    words_of, forms, rows = battle_words(table), battle_forms(table), []
    for number, known in table.rows.contests.items():
        sides = {
            "attacker": known.get("attacker"),
            "defender": known.get("defender") or known.get("leader"),
        }
        side = next((side for side, who in sides.items() if who == seat), None)
        if known["status"] == "resolved" or side is None:
            continue
        other = sides["defender" if side == "attacker" else "attacker"] or ""
        forfeit = (
            forms.result_move(number, {"by": "forfeit", "side": side})
            if forms is not None
            else None
        )
        rows.append(
            {
                "number": number,
                "url": table.url("battle", number),
                "where": words_of.where(table.scenario, known),
                "other": other,
                "other_name": table.name_of(other) if other else "",
                "rival": ", ".join(table.holders(other)) if other else "",
                "challenged": known["status"] == "challenged",
                "begun": known["status"] != "challenged",
                "forfeit": forfeit,
                "solo": solo_battles(table).get(number) == seat,
                "stood": (number, seat) in waiting.stood(table),
                "answers": known["status"] == "challenged" and known.get("defender") == seat,
            }
        )
    return rows


def page(request: HttpRequest, table: TableContext, seat: str, deed: Deed | None) -> HttpResponse:
    running_battles = battles(table, seat)
    for one in running_battles:
        one["own"] = gm_move.of_seat(table, seat, one["other"])
        one["deed"] = consider(table, one["forfeit"]) if one["forfeit"] is not None else None
    gone = waiting.impact_on_seat(table, seat)
    context = {
        "seat": seat,
        "name": table.name_of(seat),
        "holders": ", ".join(table.holders(seat)),
        "gone": gone,
        "battles": running_battles,
        "begun": any(one["begun"] for one in running_battles),
        "deed": deed,
        "seen": table.seen,
        "may_pause": "paused" in founding.possible(table.campaign),
        "clocks": len(waiting.clocks(table)),
        "desk_url": table.url("desk"),
        "here_url": table.url("remedies", seat),
        "nation_url": table.url("nation", seat),
        "seats_url": table.url("seats"),
        "slot": table.campaign.active_seat == seat,
        "typed": request.POST,
        "to_come": any(fall.kind == waiting.NEXT for one in gone for fall in one.falls),
        "reserve": [one for one in table.places if one.role == Membership.Role.RESERVE],
    }
    return show(
        request,
        table,
        "seats/absence_actions.html",
        context,
        here="desk",
        status=deed.status if deed else 200,
    )
