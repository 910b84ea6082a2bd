"""Battles: read a request, call a form and a service, answer."""

from __future__ import annotations

from collections.abc import Mapping

from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, QueryDict
from django.shortcuts import redirect
from django.utils.cache import add_never_cache_headers
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from battles import projection as battles_projection
from battles import services as battle_services
from battles.models import Battle
from battles.services import MEDIA
from campaign.models import GAME_MASTER
from web.battles.acts import act_on_battle, enter_unagreed, missing_agreement
from web.battles.contract import BattleForms, RawMove
from web.battles.forms import AnswerForm, ResultForm
from web.battles.page import battle_page, battles_page, may_enter, pasted
from web.frame.campaign_page import campaign_page, show
from web.frame.posted import form_key
from web.frame.table import TableContext
from web.moves.deeds import Deed, consider, make_move
from web.titles.contract import pages_of


@campaign_page
def battles(request: HttpRequest, table: TableContext) -> HttpResponseBase:
    return show(
        request, table, "battles/battles.html", {"page": battles_page(table)}, tab="battles"
    )


@campaign_page
@require_http_methods(["GET", "HEAD", "POST"])
def battle(request: HttpRequest, table: TableContext, number: int) -> HttpResponseBase:
    """Show a battle, or do what a form of its page asks for.

    What throws dice or cannot be taken back is shown first: only a form with `sure` does it.
    """
    fight, table.running_battles = battles_projection.battle_and_running(table.campaign, number)
    if fight is None:
        raise Http404
    if request.method != "POST":
        return show_battle(table, fight, request.GET, preview(table, fight, request.GET))
    if form_key(request):
        return do_act(table, fight, request.POST)
    return enter_move(table, fight, request.POST)


def show_battle(
    table: TableContext, fight: Battle, data: QueryDict, deed: Deed | None
) -> HttpResponse:
    page = battle_page(table, fight, data, deed)
    response = show(
        table.request,
        table,
        "battles/battle.html",
        {"page": page},
        tab="battles",
        status=deed.status if deed is not None else 200,
    )
    if page.shows_password:
        add_never_cache_headers(response)
    return response


def preview(table: TableContext, fight: Battle, data: QueryDict) -> Deed | None:
    """Return what follows from the result in the address; None if it names none.

    Half a form is not wrong yet: only two numbers that cannot be read are refused.
    """
    forms, form = pages_of(table.title.key).battle_forms, ResultForm(data)
    if forms is None or not form.names_result or not may_enter(table, fight):
        return None
    typed = pasted(table, fight, form.typed)[0]
    raw, deed = forms.result_move(fight.number, typed), None
    if raw is not None:
        deed = consider(table, raw)
    elif typed.get("attacker") and typed.get("defender"):
        deed = Deed(wrong=forms.missing(typed).text, rule=forms.missing(typed).rule)
    if deed is not None:
        deed.looked = True
    return deed


def do_act(table: TableContext, fight: Battle, posted: QueryDict) -> HttpResponseBase:
    """Do what is no move: claim a result, show evidence, name a substitute …"""
    forms, form = pages_of(table.title.key).battle_forms, ResultForm(posted)
    do = posted.get("do", "")
    raw = (
        forms.result_move(fight.number, form.typed)
        if forms is not None and form.names_result
        else None
    )
    deed = act_on_battle(table, fight, table.request, do, raw)
    if deed.done:
        return return_from(table, fight, form.returns_to)
    if do in ("claim", "judge") and raw is not None:
        deed.follow = consider(table, raw).follow
    return show_battle(table, fight, posted, deed)


def enter_move(table: TableContext, fight: Battle, posted: QueryDict) -> HttpResponseBase:
    """Answer the challenge, or enter the result as game master."""
    forms = pages_of(table.title.key).battle_forms
    form, answer = ResultForm(posted), AnswerForm(posted)
    if forms is None:
        raise Http404
    if answer.is_sent:
        deed = answer_challenge(table, forms, fight, posted)
    else:
        deed = enter_result(table, forms, fight, posted)
    if deed.done:
        return return_from(table, fight, "desk" if form.returns_to_desk else "")
    return show_battle(table, fight, posted, deed)


def return_from(table: TableContext, fight: Battle, name: str) -> HttpResponseBase:
    """Lead to the page from which the form was sent; without a name to the battle's own."""
    return redirect(table.url(name) if name else table.url("battle", fight.number))


def answer_challenge(
    table: TableContext, forms: BattleForms, fight: Battle, posted: QueryDict
) -> Deed:
    """Answer at once, unless the answer throws dice or gives a province up: that is shown first."""
    answer = AnswerForm(posted).answer
    raw = forms.answer_move(fight.number, speaker_of(table, fight), answer)
    if raw is None:
        return Deed(wrong=_("Choose an answer first."), rule="7.8")
    if not answer.was_shown:
        deed = consider(table, raw)
        if deed.wrong or deed.asks:
            return deed
    return make_move(table, raw, posted)


def enter_result(table: TableContext, forms: BattleForms, fight: Battle, posted: QueryDict) -> Deed:
    """Enter a result whose consequences were shown before; show those of any other."""
    if not table.game_master:
        raise PermissionDenied(_("Only the game master enters results."))
    if fight.number in table.live_claims:
        return Deed(wrong=_("A claim was made meanwhile: judge it."))
    form = ResultForm(posted)
    raw = forms.result_move(fight.number, form.typed)
    if raw is None:
        missing = forms.missing(form.typed)
        return Deed(wrong=missing.text, rule=missing.rule)
    return apply_result(table, fight, raw, posted) if form.was_shown else consider(table, raw)


def apply_result(table: TableContext, fight: Battle, raw: RawMove, posted: QueryDict) -> Deed:
    agreement = missing_agreement(table, fight, raw)
    if agreement:
        return enter_unagreed(table, fight, raw, agreement, posted)
    return make_move(table, raw, posted)


def speaker_of(table: TableContext, fight: Battle) -> Mapping[str, str]:
    """Return who answers a challenge: the challenged seat, or the game master for it."""
    seat = fight.defender
    if not seat or not table.access.speaks_for(seat):
        raise PermissionDenied(_("Only the challenged answer."))
    return {"by": seat} if seat in table.own_seats else {"by": GAME_MASTER, "for": seat}


@campaign_page
@require_safe
def evidence(
    request: HttpRequest, table: TableContext, number: int, entry: int
) -> HttpResponseBase:
    """Answer with a picture in a way that no browser takes for anything else."""
    fight = battles_projection.battle(table.campaign, number)
    content = battle_services.picture_of(fight, entry) if fight is not None else None
    if content is None:
        raise Http404
    response = HttpResponse(content, content_type=MEDIA)
    response.headers["X-Content-Type-Options"] = "nosniff"
    response.headers["Content-Security-Policy"] = "sandbox; default-src 'none'"
    response.headers["Content-Disposition"] = f'inline; filename="battle-{number}-{entry}.webp"'
    response.headers["Cross-Origin-Resource-Policy"] = "same-origin"
    response.headers["Cache-Control"] = "private, max-age=600"
    return response
