"""Views of the changes of the rules."""

from __future__ import annotations

from collections.abc import Callable
from http import HTTPStatus

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from campaign import rulebook, services
from campaign.errors import TableError
from campaign.rulebook import Amendment
from engine.errors import IllegalMove
from games.contract.title import WithAmendments
from web.amendments.forms import AnswerForm, Proposal, proposal_shown, proposal_typed
from web.amendments.page import amendments_page
from web.frame.campaign_page import campaign_page, see_other, show
from web.frame.raw_forms import form_key
from web.frame.table import TableContext
from web.moves import actions

FIELD_OF_REFUSAL = {"no-reason": "reason", "too-loose": "need"}
"""The field that a refusal of the service concerns, by the refusal's code."""


@require_http_methods(["GET", "HEAD", "POST"])
@campaign_page
def page(request: HttpRequest, table: TableContext) -> HttpResponse:
    """Show every amendment and the game master's form, or process a form."""
    title = table.title
    if not isinstance(title, WithAmendments):
        raise Http404
    do = form_key(request) if request.method == "POST" else ""
    if do in ACTS:
        return act_on_amendment(request, table, do)
    numbers = {number.path: number for number in title.rule_numbers(table.position)}
    book = rulebook.amendment_book(table.campaign)
    standing = next((amendment for amendment in book if amendment.open), None)
    proposal = None
    if table.access.host and (standing is None or request.GET.get("change") or do):
        if request.method == "POST":
            proposal = proposal_typed(table, numbers, standing, request.POST)
        else:
            proposal = proposal_shown(table, numbers, standing)
    if proposal is not None and do == "ask" and proposal.is_complete:
        number = propose(table, proposal)
        if number is not None:
            text = _("Amendment %(number)s has been proposed. The players will be asked.")
            messages.success(request, text % {"number": number})
            return see_other(table.url("amendments"))
    refused = proposal is not None and do == "ask" and bool(proposal.errors)
    return show(
        request,
        table,
        "scenarios/amendments.html",
        {"page": amendments_page(table, book, numbers, proposal)},
        tab="rules",
        status=HTTPStatus.BAD_REQUEST if refused else HTTPStatus.OK,
    )


def propose(table: TableContext, proposal: Proposal) -> int | None:
    """Propose the change and return its number; None if refused, with the reason in the form."""
    try:
        entry = services.propose_amendment(
            table.campaign,
            table.user,
            proposal.rules,
            proposal.reason,
            need=proposal.need,
            changes=proposal.changes,
        )
    except IllegalMove as refusal:
        proposal.errors[""] = refusal.sentence
    except TableError as refusal:
        proposal.errors[FIELD_OF_REFUSAL.get(refusal.code, "")] = str(refusal)
    else:
        return int(entry.content["amendment"])
    return None


def act_on_amendment(request: HttpRequest, table: TableContext, do: str) -> HttpResponse:
    """Answer, withdraw or put in force, and leave a message."""
    try:
        ACTS[do](request, table, AnswerForm(request.POST))
    except TableError as refusal:
        if refusal.status in (HTTPStatus.FORBIDDEN, HTTPStatus.NOT_FOUND):
            raise
        messages.error(request, str(refusal))
    return see_other(table.url("amendments"))


def answer(request: HttpRequest, table: TableContext, form: AnswerForm) -> None:
    """Answer for a seat."""
    services.answer_amendment(
        table.campaign,
        table.user,
        form.amendment,
        form.agrees,
        form.text_of("why"),
        seat=form.text_of("seat"),
    )
    messages.success(request, _("Your answer has been logged."))


def withdraw(request: HttpRequest, table: TableContext, form: AnswerForm) -> None:
    """Withdraw an open amendment."""
    number = form.amendment
    services.withdraw_amendment(table.campaign, table.user, number)
    messages.success(request, _("Amendment %(number)s has been withdrawn.") % {"number": number})


def force(request: HttpRequest, table: TableContext, form: AnswerForm) -> None:
    """Put an open amendment in force, by a move of the record."""
    amendment = open_amendment(table, form.amendment)
    outcome = actions.make_move(table, amendment.move, request.POST)
    if not outcome.done:
        messages.error(request, outcome.wrong)


def open_amendment(table: TableContext, number: int) -> Amendment:
    """Return the open amendment with this number. Raise `Http404` if there is none."""
    for amendment in rulebook.amendment_book(table.campaign):
        if amendment.number == number and amendment.open:
            return amendment
    raise Http404


Act = Callable[[HttpRequest, TableContext, AnswerForm], None]
ACTS: dict[str, Act] = {"answer": answer, "withdraw": withdraw, "force": force}
