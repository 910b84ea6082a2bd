"""Views of battles."""

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
from campaign.models import GAME_MASTER, Campaign
from web.battles.acts import act_on_battle, enter_unagreed, missing_agreement
from web.battles.contract import BattleForms, RawMove
from web.battles.forms import AnswerForm, ResultForm
from web.battles.page import battle_page, battles_page, may_enter, pasted
from web.frame.campaign_page import campaign_page, show
from web.frame.raw_forms import form_key
from web.frame.table import TableContext
from web.history.film import film_onward
from web.moves.actions import ActionOutcome, make_move, preview_action
from web.titles.contract import pages_of


@campaign_page
def battles(request: HttpRequest, table: TableContext) -> HttpResponseBase:
    return show(
        request, table, "battles/battles.html", {"page": battles_page(table)}, tab="battles"
    )


@campaign_page
@require_http_methods(["GET", "HEAD", "POST"])
def battle(request: HttpRequest, table: TableContext, number: int) -> HttpResponseBase:
    """Show a battle, or process a form of its page.

    An act that throws dice or cannot be taken back is shown first: only a form with `sure` performs
    it.
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
    table: TableContext, fight: Battle, data: QueryDict, outcome: ActionOutcome | None
) -> HttpResponse:
    page = battle_page(table, fight, data, outcome)
    response = show(
        table.request,
        table,
        "battles/battle.html",
        {"page": page},
        tab="battles",
        status=outcome.status if outcome is not None else 200,
    )
    if page.shows_password:
        add_never_cache_headers(response)
    return response


def preview(table: TableContext, fight: Battle, data: QueryDict) -> ActionOutcome | None:
    """Return the consequences of the result in the address; None if it names no result.

    An incomplete form is not refused yet, except if both numbers are typed and cannot be read.
    """
    forms, form = pages_of(table.title.key).battle_forms, ResultForm(data)
    if forms is None or not form.names_result or not may_enter(table, fight):
        return None
    typed = pasted(table, fight, form.result_fields)[0]
    raw, outcome = forms.result_move(fight.number, typed), None
    if raw is not None:
        outcome = preview_action(table, raw)
    elif typed.get("attacker") and typed.get("defender"):
        outcome = ActionOutcome(wrong=forms.missing(typed).text, rule=forms.missing(typed).rule)
    if outcome is not None:
        outcome.looked = True
    return outcome


def do_act(table: TableContext, fight: Battle, post_data: QueryDict) -> HttpResponseBase:
    """Perform an act that is not a move, such as a claim or a link to evidence."""
    forms, form = pages_of(table.title.key).battle_forms, ResultForm(post_data)
    do = post_data.get("do", "")
    raw = (
        forms.result_move(fight.number, form.result_fields)
        if forms is not None and form.names_result
        else None
    )
    outcome = act_on_battle(table, fight, table.request, do, raw)
    if outcome.done:
        return return_from(table, fight, form.returns_to)
    if do in ("claim", "judge") and raw is not None:
        outcome.follow = preview_action(table, raw).follow
    return show_battle(table, fight, post_data, outcome)


def enter_move(table: TableContext, fight: Battle, post_data: QueryDict) -> HttpResponseBase:
    """Answer the challenge, or enter the result as game master."""
    forms = pages_of(table.title.key).battle_forms
    form, answer = ResultForm(post_data), AnswerForm(post_data)
    if forms is None:
        raise Http404
    if answer.is_sent:
        outcome = answer_challenge(table, forms, fight, post_data)
    else:
        outcome = enter_result(table, forms, fight, post_data)
    if outcome.done:
        campaign = Campaign.objects.get(pk=table.campaign.pk)
        if onward := film_onward(table, campaign, table.seen):
            return redirect(onward)
        return return_from(table, fight, "desk" if form.returns_to_desk else "")
    return show_battle(table, fight, post_data, outcome)


def return_from(table: TableContext, fight: Battle, name: str) -> HttpResponseBase:
    """Redirect to the page from which the form was sent, by default the battle's own page."""
    return redirect(table.url(name) if name else table.url("battle", fight.number))


def answer_challenge(
    table: TableContext, forms: BattleForms, fight: Battle, post_data: QueryDict
) -> ActionOutcome:
    """Answer the challenge; show the answer first if it throws dice or gives up a province."""
    answer = AnswerForm(post_data).answer
    raw = forms.answer_move(fight.number, speaker_of(table, fight), answer)
    if raw is None:
        return ActionOutcome(wrong=_("Choose an answer first."), rule="7.8")
    if not answer.was_shown:
        outcome = preview_action(table, raw)
        if outcome.wrong or outcome.asks:
            return outcome
    return make_move(table, raw, post_data)


def enter_result(
    table: TableContext, forms: BattleForms, fight: Battle, post_data: QueryDict
) -> ActionOutcome:
    """Enter a result whose consequences were shown before; otherwise show them."""
    if not table.game_master:
        raise PermissionDenied(_("Only the game master enters results."))
    if fight.number in table.live_claims:
        return ActionOutcome(wrong=_("A claim has been made in the meantime. Decide on it first."))
    form = ResultForm(post_data)
    raw = forms.result_move(fight.number, form.result_fields)
    if raw is None:
        missing = forms.missing(form.result_fields)
        return ActionOutcome(wrong=missing.text, rule=missing.rule)
    return (
        apply_result(table, fight, raw, post_data) if form.was_shown else preview_action(table, raw)
    )


def apply_result(
    table: TableContext, fight: Battle, raw: RawMove, post_data: QueryDict
) -> ActionOutcome:
    agreement = missing_agreement(table, fight, raw)
    if agreement:
        return enter_unagreed(table, fight, raw, agreement, post_data)
    return make_move(table, raw, post_data)


def speaker_of(table: TableContext, fight: Battle) -> Mapping[str, str]:
    """Return the seats that answer a challenge: the challenged seat, or the game master for it."""
    seat = fight.defender
    if not seat or not table.access.speaks_for(seat):
        raise PermissionDenied(_("Only the challenged side can answer."))
    return {"by": seat} if seat in table.own_seats else {"by": GAME_MASTER, "for": seat}


@campaign_page
@require_safe
def evidence(
    request: HttpRequest, table: TableContext, number: int, entry: int
) -> HttpResponseBase:
    """Send a picture with headers that keep browsers from treating it as any other type."""
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
