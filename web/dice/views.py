"""The dice log: commitments, links and rolls, the forms that enter dice, words and draws."""

from __future__ import annotations

from collections.abc import Callable

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from campaign import services
from campaign.dice import selectors as dice_selectors
from campaign.dice import services as dice_services
from campaign.errors import NotNow
from campaign.errors import Refused as RefusedByService
from campaign.log import lines as log_lines
from campaign.log import record, selectors
from engine.strict_json import canonical
from web.dice.forms import (
    ManualForm,
    MixingForm,
    RollQuery,
    TypedDice,
    TypedMixing,
    number_on_die,
)
from web.dice.page import Refused, dice_page
from web.frame.campaign_page import campaign_page, see_other, show
from web.frame.table import TableContext


@require_safe
@campaign_page
def dice(request: HttpRequest, table: TableContext) -> HttpResponse:
    """Show fifty rolls, and how all fell; `?before=` a roll pages on, `?all` shows every roll."""
    return show_dice(request, table, Refused())


def show_dice(request: HttpRequest, table: TableContext, refused: Refused) -> HttpResponse:
    """Show the page, with what was typed and refused."""
    query = RollQuery(request.GET)
    if not query.is_valid():
        raise Http404
    page = dice_page(table, query, refused)
    if page.error:
        messages.error(request, page.error)
    status = 422 if refused.error else 200
    return show(request, table, "dice/dice.html", {"page": page}, tab="dice", status=status)


@require_safe
@campaign_page
def rolls(request: HttpRequest, table: TableContext) -> HttpResponse:
    """Send the rolls that can be checked without this server, the oldest first."""
    rolled = reversed(selectors.rolls(table.campaign, table.user))
    facts = dice_selectors.listed(
        table.campaign, table.campaign.address, record.chains(table.campaign), rolled
    )
    answer = HttpResponse(canonical(facts), content_type="application/json; charset=utf-8")
    answer["Content-Disposition"] = f'attachment; filename="{table.ref}-rolls.json"'
    return answer


@require_safe
@campaign_page
def log(request: HttpRequest, table: TableContext) -> HttpResponse:
    """Send the log that the page's script checks, an entry in each line, as far as its reader may
    see it.
    """
    if record.keeps_secrets(table.campaign):
        rolled = reversed(selectors.rolls(table.campaign, table.user))
        lines = log_lines.open_lines(table.campaign, rolled)
    else:
        lines = log_lines.all_lines(table.campaign)
    answer = HttpResponse(
        "".join(canonical(line) + "\n" for line in lines),
        content_type="application/jsonl; charset=utf-8",
    )
    answer["Content-Disposition"] = f'attachment; filename="{table.ref}-log.jsonl"'
    return answer


# Dice thrown elsewhere


@require_http_methods(["GET", "HEAD", "POST"])
@campaign_page
def manual_dice(request: HttpRequest, table: TableContext) -> HttpResponseBase:
    """Do what the form of dice thrown elsewhere says; a GET leads to the dice page."""
    back = f"{table.url('dice')}#h-hand"
    if request.method != "POST":
        return redirect(back)
    typed = ManualForm(request.POST).content
    act = MANUAL_ACTS.get(typed.do)
    try:
        if act is not None:
            messages.success(request, act(table, typed))
    except (RefusedByService, NotNow) as error:
        return show_dice(request, table, Refused(error=str(error), manual=typed))
    return see_other(back)


def enter_by_hand(table: TableContext, typed: TypedDice) -> str:
    services.throw_by(table.campaign, table.user, True)
    return _("From now on dice are entered by hand.")


def let_program_throw(table: TableContext, typed: TypedDice) -> str:
    services.throw_by(table.campaign, table.user, False)
    return _("The program throws again.")


def give_dice(table: TableContext, typed: TypedDice) -> str:
    """Enter the dice that an announcement waits for."""
    written = services.give_dice(table.campaign, table.user, typed.values, typed.url)
    if any(entry.is_move for entry in written):
        return _("The dice are entered and the move is made.")
    return _("The die is entered.")


def give_die_ahead(table: TableContext, typed: TypedDice) -> str:
    """Enter a die that is known before it is needed."""
    value = number_on_die(typed.value)
    services.give_die(table.campaign, table.user, typed.purpose, value, typed.url)
    return _("The die is entered.")


def renew_dice(table: TableContext, typed: TypedDice) -> str:
    services.renew_dice(table.campaign, table.user, typed.reason)
    return _("The dice are renewed. Rolls already thrown keep their value.")


def drop_announcement(table: TableContext, typed: TypedDice) -> str:
    services.drop(table.campaign, table.user, typed.reason)
    return _("The announcement is taken back.")


MANUAL_ACTS: dict[str, Callable[[TableContext, TypedDice], str]] = {
    "on": enter_by_hand,
    "off": let_program_throw,
    "give": give_dice,
    "ahead": give_die_ahead,
    "renew": renew_dice,
    "drop": drop_announcement,
}
"""What the forms do, by the name of the form. Each returns the message for the reader."""


# Words and draws


@require_http_methods(["GET", "HEAD", "POST"])
@campaign_page
def mixing(request: HttpRequest, table: TableContext) -> HttpResponseBase:
    """Do what a form of words or draws says; a GET leads to the dice page."""
    back = f"{table.url('dice')}#h-mix"
    if request.method != "POST":
        return redirect(back)
    typed = MixingForm(request.POST).content
    act = MIXING_ACTS.get(typed.do)
    try:
        if act is not None:
            messages.success(request, act(table, typed))
    except (RefusedByService, NotNow) as error:
        return show_dice(request, table, Refused(error=str(error), mixing=typed))
    return see_other(back)


def add_words(table: TableContext, typed: TypedMixing) -> str:
    services.add_words(table.campaign, table.user, typed.seat, typed.text)
    return _("Your words are in the log. They stay.")


def close_words(table: TableContext, typed: TypedMixing) -> str:
    services.close_words(table.campaign, table.user)
    return _("The words have closed.")


def name_draw(table: TableContext, typed: TypedMixing) -> str:
    wheels = {wheel: typed.wheels.get(wheel, "") for wheel in dice_services.WHEELS}
    falls = typed.moment(table.campaign.time_zone)
    services.name_draw(
        table.campaign, table.user, typed.source, falls, typed.name, wheels, typed.count()
    )
    return _("The draw is named. Everybody can read it before it takes place.")


def enter_draw(table: TableContext, typed: TypedMixing) -> str:
    services.enter_draw(table.campaign, table.user, typed.text, typed.url)
    return _("The draw is entered.")


def fetch_draw(table: TableContext, typed: TypedMixing) -> str:
    services.fetch_draw(table.campaign, table.user)
    return _("The server fetches the round. It appears here in a moment.")


def go_without_draw(table: TableContext, typed: TypedMixing) -> str:
    services.go_without(table.campaign, table.user, typed.reason)
    return _("The turn goes on without a public draw.")


def object_to_draw(table: TableContext, typed: TypedMixing) -> str:
    services.object_to_draw(table.campaign, table.user, typed.reason)
    return _("Your objection is in the log for all to read.")


MIXING_ACTS: dict[str, Callable[[TableContext, TypedMixing], str]] = {
    "words": add_words,
    "close": close_words,
    "name": name_draw,
    "draw": enter_draw,
    "fetch": fetch_draw,
    "without": go_without_draw,
    "object": object_to_draw,
}
"""What the forms do, by the name of the form. Each returns the message for the reader."""
