"""A player's plan: moves that only the player sees, put in order, then announced."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods

from campaign import plans, services
from campaign.errors import NotNow, PlanChanged, Refused, TableError, TableMovedOn
from campaign.log import selectors
from campaign.models import GAME_MASTER, Plan
from campaign.plans import EARLIER, LATER, MOST, Announced
from engine.errors import IllegalMove
from games.contract.plain import Position
from web.frame.campaign_page import campaign_page, see_other, show
from web.frame.posted import form_key
from web.frame.table import TableContext
from web.log import lines
from web.moves.deeds import speaker
from web.moves.forms import Wrong, missing
from web.moves.offers import SeatOffers
from web.plan.foreseen import ForeseenPlan
from web.plan.forms import PlanForm, ShownForm
from web.plan.page import (
    PlanQuestion,
    PlanResult,
    may_plan,
    plan_page,
    question_to_announce,
    question_to_empty,
)

UNPROCESSABLE = 422


@require_http_methods(["GET", "POST"])
@campaign_page
def plan(request: HttpRequest, table: TableContext, seat: str) -> HttpResponse:
    """Show the plan of a seat to its holder, or do what a form of it asks for.

    `?open=KEY` opens a move to be added, `?change=N` a move of the plan.
    """
    if seat not in table.names or seat == GAME_MASTER:
        raise Http404
    if seat not in table.own_seats:
        raise PermissionDenied(
            _("Only the holder of a seat makes plans for it, and nobody else sees them.")
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
    """A form that was sent to a plan: the campaign as its holder sees it, the seat, the form."""

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
        """Return the plan if it is the one on the page of the form. Raises `PlanChanged`."""
        kept = self.kept()
        if kept.version != self.form.plan_version:
            raise PlanChanged
        return kept

    def foreseen(self) -> ForeseenPlan:
        return ForeseenPlan(SeatOffers(self.table, self.seat), self.kept().move_list)

    def show(self, result: PlanResult) -> HttpResponse:
        return show_plan(self.table, self.seat, result)


Act = Callable[[PlanRequest], HttpResponse]


def answer(act: Act, asked: PlanRequest) -> HttpResponse:
    """Do what a form asks for, or show the plan with the reason why not."""
    try:
        return act(asked)
    except TableMovedOn as error:
        table = asked.table
        entries = selectors.lines(table.campaign, table.user, error.entries)
        return asked.show(PlanResult(overtaken=lines.rows(table, entries), status=error.status))
    except (PlanChanged, NotNow, Refused) as error:
        return asked.show(PlanResult(notice=str(error), status=error.status))


# The moves of the plan


def add(asked: PlanRequest) -> HttpResponse:
    """Add a move at the end of the plan."""
    table = asked.table

    def write(raw: dict[str, object]) -> None:
        services.plan_move(table.campaign, table.user, asked.seat, raw)

    return keep(asked, asked.foreseen().end, write)


def replace(asked: PlanRequest) -> HttpResponse:
    """Change a move of the plan."""
    table, form = asked.table, asked.form

    def write(raw: dict[str, object]) -> None:
        services.replan(table.campaign, table.user, asked.seat, form.plan_version, form.place, raw)

    return keep(asked, asked.foreseen().position_before(form.place), write)


def keep(
    asked: PlanRequest, position: Position, write: Callable[[dict[str, object]], None]
) -> HttpResponse:
    """Write the move that the form describes, or show the form again with what is wrong in it.

    The offer is that of `position`, or that of the table if the position does not have it.
    """
    table, seat, move = asked.table, asked.seat, asked.form.move
    actor = SeatOffers(table, seat, position)
    offer = actor.offer(move.offer_key) or SeatOffers(table, seat).offer(move.offer_key)
    raw = move.raw(offer, seat, seat)
    lacking = missing(offer, raw) if offer is not None else None
    if offer is not None and lacking is not None:
        label = actor.words.field_label(offer, lacking)
        wrong = Wrong(_("%(field)s: choose one.") % {"field": label}, "", lacking.key)
    else:
        try:
            write(raw)
        except IllegalMove as refusal:
            wrong = Wrong(table.why_not(refusal), refusal.rule)
        else:
            return see_other(asked.next_url)
    opened = asked.form.opened(offer.key if offer is not None else "", wrong)
    return asked.show(PlanResult(opened, status=UNPROCESSABLE))


def look(asked: PlanRequest) -> HttpResponse:
    """Show what follows from the form as it is typed."""
    return asked.show(PlanResult(asked.form.opened(asked.form.move.offer_key)))


def earlier(asked: PlanRequest) -> HttpResponse:
    return shift(asked, EARLIER)


def later(asked: PlanRequest) -> HttpResponse:
    return shift(asked, LATER)


def shift(asked: PlanRequest, by: int) -> HttpResponse:
    """Change the place of a move in the plan."""
    table, form = asked.table, asked.form
    services.shift(table.campaign, table.user, asked.seat, form.plan_version, form.place, by)
    return see_other(asked.page_url)


def remove(asked: PlanRequest) -> HttpResponse:
    """Remove a move from the plan."""
    table, form = asked.table, asked.form
    services.unplan(table.campaign, table.user, asked.seat, form.plan_version, form.place)
    return see_other(asked.next_url)


def empty(asked: PlanRequest) -> HttpResponse:
    """Remove all moves, after a confirmation."""
    table, form, kept = asked.table, asked.form, asked.current()
    if not form.is_sure:
        return show_question(table, question_to_empty(table, asked.seat, kept))
    services.unplan(table.campaign, table.user, asked.seat, form.plan_version)
    return see_other(asked.page_url)


# The announcement


def announce_first(asked: PlanRequest) -> HttpResponse:
    return announce(asked, "first", 1)


def announce_all(asked: PlanRequest) -> HttpResponse:
    return announce(asked, "all", MOST)


def announce(asked: PlanRequest, act: str, most: int) -> HttpResponse:
    """Announce moves of the plan, after a confirmation if some cannot be taken back."""
    table, seat, form, kept = asked.table, asked.seat, asked.form, asked.current()
    if not form.is_sure:
        moves = [move for move in asked.foreseen().moves[:most] if move.can_be_announced]
        if any(move.asks for move in moves):
            contents = [move.content for move in moves]
            services.must_still_hold(table.campaign, table.user, contents, form.seen_entry)
            question = question_to_announce(table, seat, kept, act, moves)
            return show_question(table, question)
    announced = services.announce_plan(
        table.campaign, table.user, seat, form.plan_version, form.seen_entry, most
    )
    if not announced.results:
        return asked.show(PlanResult(status=UNPROCESSABLE))  # the move itself shows why
    tell_result(table, announced)
    return see_other(asked.page_url if announced.plan.size else table.url("nation", seat))


def tell_result(table: TableContext, announced: Announced) -> None:
    """Show on the next page what was announced, and what stopped it."""
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


def announced_text(table: TableContext, announced: Announced) -> str:
    results = announced.results
    entry = results[-1].entries[-1]
    if not entry.is_move:
        return _("Announced. It waits for a die that is thrown elsewhere.")
    if len(results) == 1:
        effects = [effect for effect in results[0].effects if table.access.sees(effect.audience)]
        return speaker(table).moved(entry.content, effects)
    text = ngettext("%(count)d move announced.", "%(count)d moves announced.", len(results))
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
