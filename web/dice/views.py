"""Views of the dice: commitments, links and rolls, the forms for dice, words and draws."""

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
    """Show fifty rolls and their distribution.

    `?before=` with the number of a roll shows the page before it, `?all` shows every roll.
    """
    return show_dice(request, table, Refused())


def show_dice(request: HttpRequest, table: TableContext, refused: Refused) -> HttpResponse:
    """Show the page, with the typed data of a refused form."""
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
    facts = dice_selectors.rolls_file(
        table.campaign, table.campaign.address, record.chains(table.campaign), rolled
    )
    answer = HttpResponse(canonical(facts), content_type="application/json; charset=utf-8")
    answer["Content-Disposition"] = f'attachment; filename="{table.ref}-rolls.json"'
    return answer


@require_safe
@campaign_page
def log(request: HttpRequest, table: TableContext) -> HttpResponse:
    """Send the log that the page's script checks, with an entry per line.

    It contains the entries that its reader may see.
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
    """Process the form for dice thrown elsewhere; a GET redirects to the dice page."""
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


def enter_by_hand(table: TableContext, typed_dice: TypedDice) -> str:
    services.set_manual_dice(table.campaign, table.user, True)
    return _("From now on, dice are entered by hand.")


def let_program_throw(table: TableContext, typed_dice: TypedDice) -> str:
    services.set_manual_dice(table.campaign, table.user, False)
    return _("From now on, the program throws the dice.")


def give_dice(table: TableContext, typed_dice: TypedDice) -> str:
    """Enter the dice that an announcement waits for."""
    written = services.give_dice(table.campaign, table.user, typed_dice.values, typed_dice.url)
    if any(entry.is_move for entry in written):
        return _("The dice have been entered and the move has been made.")
    return _("The die has been entered.")


def give_die_ahead(table: TableContext, typed_dice: TypedDice) -> str:
    """Enter a die in advance, before it is needed."""
    value = number_on_die(typed_dice.value)
    services.give_die(table.campaign, table.user, typed_dice.purpose, value, typed_dice.url)
    return _("The die has been entered.")


def renew_dice(table: TableContext, typed_dice: TypedDice) -> str:
    services.renew_dice(table.campaign, table.user, typed_dice.reason)
    return _("The dice have been renewed. Rolls already thrown keep their values.")


def drop_announcement(table: TableContext, typed_dice: TypedDice) -> str:
    services.drop_parked_move(table.campaign, table.user, typed_dice.reason)
    return _("The announcement has been taken back.")


MANUAL_ACTS: dict[str, Callable[[TableContext, TypedDice], str]] = {
    "on": enter_by_hand,
    "off": let_program_throw,
    "give": give_dice,
    "ahead": give_die_ahead,
    "renew": renew_dice,
    "drop": drop_announcement,
}
"""The acts of the forms, by the name of the form. Each returns the message for the reader."""


# Words and draws


@require_http_methods(["GET", "HEAD", "POST"])
@campaign_page
def mixing(request: HttpRequest, table: TableContext) -> HttpResponseBase:
    """Process a form for words or draws; a GET redirects to the dice page."""
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


def add_words(table: TableContext, typed_mixing: TypedMixing) -> str:
    services.add_words(table.campaign, table.user, typed_mixing.seat, typed_mixing.text)
    return _("Your words are in the log. They cannot be removed.")


def close_words(table: TableContext, typed_mixing: TypedMixing) -> str:
    services.close_words(table.campaign, table.user)
    return _("Words are no longer accepted.")


def name_draw(table: TableContext, typed_mixing: TypedMixing) -> str:
    wheels = {wheel: typed_mixing.wheels.get(wheel, "") for wheel in dice_services.WHEELS}
    falls = typed_mixing.moment(table.campaign.time_zone)
    services.name_draw(
        table.campaign,
        table.user,
        typed_mixing.source,
        falls,
        typed_mixing.name,
        wheels,
        typed_mixing.count(),
    )
    return _("The draw has been named. Everyone can read this before it takes place.")


def enter_draw(table: TableContext, typed_mixing: TypedMixing) -> str:
    services.enter_draw(table.campaign, table.user, typed_mixing.text, typed_mixing.url)
    return _("The draw has been entered.")


def fetch_draw(table: TableContext, typed_mixing: TypedMixing) -> str:
    services.fetch_draw(table.campaign, table.user)
    return _("The server is fetching the round. It will appear here in a moment.")


def go_without_draw(table: TableContext, typed_mixing: TypedMixing) -> str:
    services.skip_draw(table.campaign, table.user, typed_mixing.reason)
    return _("The turn goes on without a public draw.")


def object_to_draw(table: TableContext, typed_mixing: TypedMixing) -> str:
    services.object_to_draw(table.campaign, table.user, typed_mixing.reason)
    return _("Your objection is in the log for everyone to read.")


MIXING_ACTS: dict[str, Callable[[TableContext, TypedMixing], str]] = {
    "words": add_words,
    "close": close_words,
    "name": name_draw,
    "draw": enter_draw,
    "fetch": fetch_draw,
    "without": go_without_draw,
    "object": object_to_draw,
}
"""The acts of the forms, by the name of the form. Each returns the message for the reader."""
