"""Views of a player's plan: moves that only the player sees, until they are announced."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import npgettext, pgettext
from django.views.decorators.http import require_http_methods

from campaign import plans, services
from campaign.errors import NotNow, PlanChanged, Refused, TableError, TableMovedOn
from campaign.log import selectors
from campaign.models import GAME_MASTER, Plan
from campaign.plans import EARLIER, LATER, MOST, AnnouncementResult
from engine.errors import IllegalMove
from games.contract.plain import Position
from web.frame.campaign_page import campaign_page, see_other, show, whole_page
from web.frame.raw_forms import form_key
from web.frame.table import TableContext
from web.history.film import film_onward
from web.log import lines
from web.moves.actions import move_words_of
from web.moves.forms import FormRefusal, missing
from web.moves.offers import SeatOffers
from web.plan.forms import PlanForm, ShownForm
from web.plan.page import (
    PlanQuestion,
    PlanResult,
    may_plan,
    plan_page,
    question_to_announce,
    question_to_empty,
)
from web.plan.preview import ForeseenPlan

UNPROCESSABLE = 422


@require_http_methods(["GET", "POST"])
@campaign_page
def plan(request: HttpRequest, table: TableContext, seat: str) -> HttpResponse:
    """Show the plan of a seat to its holder, or process a form of it.

    `?open=KEY` opens a move to be added, `?change=N` a move of the plan.
    """
    if seat not in table.names or seat == GAME_MASTER:
        raise Http404
    if seat not in table.own_seats:
        raise PermissionDenied(
            _("Only the holder of a seat can make plans for it, and no one else can see them.")
        )
    if not may_plan(table, seat):
        return redirect(table.url("nation", seat))
    if request.method != "POST":
        return show_plan(table, seat, PlanResult(ShownForm(request.GET).opened))
    act = ACTS.get(form_key(request))
    if act is None:
        return redirect(table.url("plan", seat))
    return answer(act, PlanRequest(table, seat, PlanForm(request.POST)))


def show_plan(table: TableContext, seat: str, result: PlanResult) -> HttpResponse:
    context = {"page": plan_page(table, seat, result)}
    tab = f"nation-{seat}"
    return show(table.request, table, "plan/plan.html", context, tab=tab, status=result.status)


def show_question(table: TableContext, question: PlanQuestion) -> HttpResponse:
    return show(table.request, table, "plan/question.html", {"page": question})


@dataclass(frozen=True, slots=True)
class PlanRequest:
    """A form that was sent to a plan: the campaign for its holder, the seat, the form."""

    table: TableContext
    seat: str
    form: PlanForm

    @property
    def page_url(self) -> str:
        return self.table.url("plan", self.seat)

    @property
    def next_url(self) -> str:
        """Return the page that the form was on: the plan, or the nation."""
        nation = self.table.url("nation", self.seat)
        return nation if self.form.page_name in ("nation", nation) else self.page_url

    def kept(self) -> Plan:
        """Return the stored plan."""
        return plans.plan_of_user(self.table.campaign, self.table.user, self.seat)

    def current(self) -> Plan:
        """Return the plan if the form's page showed this version. Raise `PlanChanged` otherwise."""
        kept = self.kept()
        if kept.version != self.form.plan_version:
            raise PlanChanged
        return kept

    def foreseen(self) -> ForeseenPlan:
        return ForeseenPlan(SeatOffers(self.table, self.seat), self.kept().moves)

    def show(self, result: PlanResult) -> HttpResponse:
        return show_plan(self.table, self.seat, result)


Act = Callable[[PlanRequest], HttpResponse]


def answer(act: Act, plan_request: PlanRequest) -> HttpResponse:
    """Perform the act of a form, or show the plan with the refusal."""
    try:
        return act(plan_request)
    except TableMovedOn as error:
        table = plan_request.table
        entries = selectors.lines(table.campaign, table.user, error.entries)
        return plan_request.show(
            PlanResult(overtaken=lines.rows(table, entries), status=error.status)
        )
    except (PlanChanged, NotNow, Refused) as error:
        return plan_request.show(PlanResult(notice=str(error), status=error.status))


# Moves of the plan


def add(plan_request: PlanRequest) -> HttpResponse:
    """Add a move at the end of the plan."""
    table = plan_request.table

    def write(raw: dict[str, object]) -> None:
        services.plan_move(table.campaign, table.user, plan_request.seat, raw)

    return keep(plan_request, plan_request.foreseen().end, write)


def replace(plan_request: PlanRequest) -> HttpResponse:
    """Change a move of the plan."""
    table, form = plan_request.table, plan_request.form

    def write(raw: dict[str, object]) -> None:
        services.replace_planned_move(
            table.campaign, table.user, plan_request.seat, form.plan_version, form.place, raw
        )

    return keep(plan_request, plan_request.foreseen().position_before(form.place), write)


def keep(
    plan_request: PlanRequest, position: Position, write: Callable[[dict[str, object]], None]
) -> HttpResponse:
    """Store the move that the form describes, or show the form again with its error.

    The offer is that of `position`; if that has no such offer, it is the table's present offer.
    """
    table, seat, move = plan_request.table, plan_request.seat, plan_request.form.move
    actor = SeatOffers(table, seat, position)
    offer = actor.offer(move.offer_key) or SeatOffers(table, seat).offer(move.offer_key)
    raw = move.raw(offer, seat, seat)
    lacking = missing(offer, raw) if offer is not None else None
    if offer is not None and lacking is not None:
        label = actor.words.field_label(offer, lacking)
        wrong = FormRefusal(
            pgettext("plan", "%(field)s: choose a value.") % {"field": label}, "", lacking.key
        )
    else:
        try:
            write(raw)
        except IllegalMove as refusal:
            wrong = FormRefusal(table.why_not(refusal), refusal.rule)
        else:
            return see_other(plan_request.next_url)
    opened = plan_request.form.opened(offer.key if offer is not None else "", wrong)
    return plan_request.show(PlanResult(opened, status=UNPROCESSABLE))


def look(plan_request: PlanRequest) -> HttpResponse:
    """Show the consequences of the form as it is typed."""
    return plan_request.show(PlanResult(plan_request.form.opened(plan_request.form.move.offer_key)))


def earlier(plan_request: PlanRequest) -> HttpResponse:
    return shift(plan_request, EARLIER)


def later(plan_request: PlanRequest) -> HttpResponse:
    return shift(plan_request, LATER)


def shift(plan_request: PlanRequest, by: int) -> HttpResponse:
    """Change the place of a move in the plan."""
    table, form = plan_request.table, plan_request.form
    services.move_planned_move(
        table.campaign, table.user, plan_request.seat, form.plan_version, form.place, by
    )
    return see_other(plan_request.page_url)


def remove(plan_request: PlanRequest) -> HttpResponse:
    """Remove a move from the plan."""
    table, form = plan_request.table, plan_request.form
    services.remove_planned_move(
        table.campaign, table.user, plan_request.seat, form.plan_version, form.place
    )
    return see_other(plan_request.next_url)


def empty(plan_request: PlanRequest) -> HttpResponse:
    """Remove all moves, after a confirmation."""
    table, form, kept = plan_request.table, plan_request.form, plan_request.current()
    if not form.is_sure:
        return show_question(table, question_to_empty(table, plan_request.seat, kept))
    services.remove_planned_move(table.campaign, table.user, plan_request.seat, form.plan_version)
    return see_other(plan_request.page_url)


# Announcement


def announce_first(plan_request: PlanRequest) -> HttpResponse:
    return announce(plan_request, "first", 1)


def announce_all(plan_request: PlanRequest) -> HttpResponse:
    return announce(plan_request, "all", MOST)


def announce(plan_request: PlanRequest, act: str, most: int) -> HttpResponse:
    """Announce moves of the plan, after a confirmation if some cannot be taken back."""
    table, seat, form, kept = (
        plan_request.table,
        plan_request.seat,
        plan_request.form,
        plan_request.current(),
    )
    if not form.is_sure:
        moves = [move for move in plan_request.foreseen().moves[:most] if move.can_be_announced]
        if any(move.asks for move in moves):
            contents = [move.content for move in moves]
            services.must_still_hold(table.campaign, table.user, contents, form.seen_entry)
            question = question_to_announce(table, seat, kept, act, moves)
            return show_question(table, question)
    announced = services.announce_plan(
        table.campaign, table.user, seat, form.plan_version, form.seen_entry, most
    )
    if not announced.results:
        return plan_request.show(
            PlanResult(status=UNPROCESSABLE)
        )  # the move itself shows the reason
    first = announced.results[0].entries[0].number or 1
    if onward := film_onward(table, announced.results[-1].campaign, first - 1):
        return whole_page(table.request, onward)
    confirm_result(table, announced)
    return see_other(plan_request.page_url if announced.plan.size else table.url("nation", seat))


def confirm_result(table: TableContext, announced: AnnouncementResult) -> None:
    """Leave messages for the next page: what was announced, and what stopped it."""
    messages.success(table.request, announced_text(table, announced))
    refused = announced.refused
    if isinstance(refused, IllegalMove):
        text = _("The next move of the plan was refused: %(why)s")
        messages.warning(table.request, text % {"why": table.why_not(refused)})
    elif isinstance(refused, TableError):
        messages.warning(table.request, str(refused))
    elif announced.results[-1].rolls and announced.plan.size:
        text = _("A die was thrown. Look at the result before you announce the rest.")
        messages.warning(table.request, text)


def announced_text(table: TableContext, announced: AnnouncementResult) -> str:
    results = announced.results
    entry = results[-1].entries[-1]
    if not entry.is_move:
        return _("Announced. The move is waiting for a die that is thrown elsewhere.")
    if len(results) == 1:
        effects = [effect for effect in results[0].effects if table.access.sees(effect.audience)]
        return move_words_of(table).confirmation(entry.content, effects)
    text = npgettext(
        "plan", "%(count)d move announced.", "%(count)d moves announced.", len(results)
    )
    return text % {"count": len(results)}


ACTS: dict[str, Act] = {
    "add": add,
    "replace": replace,
    "look": look,
    "earlier": earlier,
    "later": later,
    "remove": remove,
    "empty": empty,
    "first": announce_first,
    "all": announce_all,
}
