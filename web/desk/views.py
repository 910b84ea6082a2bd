"""Views of the game master's desk."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseBase, QueryDict
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from battles import projection as battles_projection
from campaign import services
from campaign.errors import TableError, TableMovedOn
from campaign.models import GAME_MASTER
from campaign.seats.seating import must_have_same_seats
from notices import services as notice_services
from notices.selectors import Matter
from web.battles.acts import act_on_battle
from web.desk.battles import (
    ResultRow,
    ResultsTable,
    foresee_rows,
    results_table,
)
from web.desk.corrections import closed_hand, missing_field_text, preview_of, read_correction
from web.desk.forms import (
    TOO_LONG,
    CorrectionForm,
    DeskForm,
    ReminderForm,
    ResultsForm,
    RulingForm,
    TurnForm,
    first_error,
)
from web.desk.page import desk_page, own_offers
from web.desk.turn import outbox_of
from web.desk.waiting_list import matters_by_key, reached_by, waiting_rows
from web.frame.campaign_page import campaign_page, show
from web.frame.raw_forms import form_key
from web.frame.requests import inside_this_site, seen_number, since
from web.frame.table import TableContext
from web.log.lines import rows
from web.moves import forms as offer_forms
from web.moves import own_seats
from web.moves.actions import ActionOutcome, make_move, preview_action
from web.titles.contract import pages_of

FORBIDDEN, NOT_FOUND = 403, 404


@campaign_page
@require_http_methods(["GET", "HEAD", "POST"])
def desk(request: HttpRequest, table: TableContext) -> HttpResponseBase:
    """Show the desk, or process a form of it; `do` names the form."""
    table.must_be_game_master()
    if request.method != "POST":
        return show_desk(request, table, request.GET, preview_of(table, request.GET))
    act = ACTS.get(form_key(request))
    if act is None:
        return show_desk(request, table, request.POST)
    outcome = act(table, request.POST)
    if not outcome.done:
        return show_desk(request, table, request.POST, outcome)
    back = inside_this_site(request, DeskForm(request.POST).text_of("back"), f"/c/{table.ref}/")
    return redirect(back or table.url("desk"))


def show_desk(
    request: HttpRequest,
    table: TableContext,
    form_data: QueryDict,
    outcome: ActionOutcome | None = None,
) -> HttpResponse:
    page, status = desk_page(table, form_data, outcome), outcome.status if outcome else 200
    return show(request, table, "desk/desk.html", {"page": page}, tab="desk", status=status)


def open_turn(table: TableContext, post_data: QueryDict) -> ActionOutcome:
    """Start the campaign or open the next turn."""
    form = TurnForm(post_data)
    if not form.is_valid():
        return ActionOutcome(wrong=first_error(form))
    move = form.cleaned_data["move"]
    if move == "start" and not table.campaign.started:
        try:
            must_have_same_seats(table.campaign, table.user, seen_number(post_data.get("seen", "")))
        except TableError as refusal:
            return ActionOutcome(wrong=str(refusal))
    if move == "start" and not form.cleaned_data["unannounced"]:
        outbox = outbox_of(table)
        if outbox is not None and outbox.lacks_announcement:
            return ActionOutcome(looked=True, asks=unannounced_text())
    return make_move(table, {"by": GAME_MASTER, "move": move}, post_data)


def unannounced_text() -> str:
    """Return the question before a start without the announcement."""
    return _(
        "You have not posted the announcement. It contains the commitment of the dice: if you "
        "post it before the first roll, it proves to everyone that you did not choose the dice."
    )


def make_own_move(table: TableContext, post_data: QueryDict) -> ActionOutcome:
    """Make a move of the game master in a title without pages for it."""
    asked = DeskForm(post_data).text_of("offer")
    for offer in own_offers(table, table.master_offers):
        if offer.key == asked:
            return make_move(table, offer.raw(offer_forms.read(offer, post_data)), post_data)
    return ActionOutcome(wrong=_("This can no longer be done."))


# Corrections --------------------------------------------------------------------------------------


def correct(table: TableContext, post_data: QueryDict) -> ActionOutcome:
    """Make a correction, or with `look` show its consequences."""
    form = read_correction(table, post_data)
    refusal = refuse_correction(table, form)
    if refusal is not None:
        return refusal
    if form.only_looks:
        return look_at_correction(table, form.raw_without_words)
    unreadable = form.unreadable_text()
    if unreadable:
        return ActionOutcome(wrong=str(TOO_LONG), field=unreadable, raw=form.raw)
    raw, missing = form.raw, form.missing
    if missing is not None:
        raw[missing.key] = ""  # the rules refuse it in their own words
    if not form.own_seat_accepted and own_seats.of_move(table, raw) is not None:
        return look_at_correction(table, raw)
    outcome = make_move(table, raw, post_data)
    if missing is not None and not outcome.overtaken:
        outcome.field = missing.key
    return outcome


def refuse_correction(table: TableContext, form: CorrectionForm) -> ActionOutcome | None:
    """Return why a correction cannot even be previewed; None if it can."""
    if form.tool is None:
        return ActionOutcome(wrong=_("This campaign has no corrections."))
    if closed_hand(table, form.tool, form.values) is not None:
        return ActionOutcome(wrong=_("You have not opened this hand. Open it first."), raw=form.raw)
    if form.sheet_fields and not form.same_sheet():
        return ActionOutcome(looked=True)
    missing = form.missing
    if missing is not None and missing.kind != "text":
        text = missing_field_text(table, form.tool, missing)
        return ActionOutcome(wrong=text, field=missing.key, raw=form.raw)
    return None


def look_at_correction(table: TableContext, raw: dict[str, Any]) -> ActionOutcome:
    """Return the preview of a correction, and whether it concerns the game master's seat."""
    outcome = preview_action(table, raw)
    outcome.own = own_seats.of_move(table, raw)
    return outcome


# Results of battles -------------------------------------------------------------------------------


def rule_on_claim(table: TableContext, post_data: QueryDict) -> ActionOutcome:
    """Apply a side's version of a result, or another result whose consequences were shown."""
    form, forms = RulingForm(post_data), pages_of(table.title.key).battle_forms
    form.is_valid()
    number = form.cleaned_data.get("battle")
    battle = battles_projection.battle(table.campaign, number) if number else None
    claim = table.live_claims.get(number) if number else None
    if battle is None or claim is None or forms is None:
        return ActionOutcome(wrong=_("This battle is no longer waiting for a ruling."))
    if form.chosen == RulingForm.CLAIM:
        return act_on_battle(table, battle, table.request, "judge", None)
    if form.chosen == RulingForm.DISPUTE and claim.disputed_result is not None:
        return act_on_battle(table, battle, table.request, "judge", claim.disputed_result)
    if form.chosen != RulingForm.OTHER:
        return ActionOutcome(wrong=_("Choose which result is valid."))
    raw = forms.result_move(battle.number, form.shares)
    if raw is None:
        return ActionOutcome(wrong=forms.missing(form.shares).text, field="other")
    if form.was_shown:
        return act_on_battle(table, battle, table.request, "judge", raw)
    return preview_action(table, raw)


def enter_results(table: TableContext, post_data: QueryDict) -> ActionOutcome:
    """Apply the results of all typed rows, once their consequences were shown."""
    form = ResultsForm(post_data)
    results = results_table(table, table.running_battles, form, complete=True)
    typed = [row for row in results.rows if row.is_typed]
    if not typed:
        return ActionOutcome(wrong=_("First enter two numbers in one row."), field="results")
    for row in typed:
        if row.wrong:
            return ActionOutcome(wrong=f"#{row.number}: {row.wrong}", field="results")
    if form.text_of("sure") != results.signature:
        return ActionOutcome(looked=True)
    seen = form.text_of("seen")
    overtaken = refuse_overtaken(table, results, seen_number(seen))
    if overtaken is not None:
        return overtaken
    return apply_results(
        table, [row for row in typed if not row.depends_on_dice], form.text_of("seen")
    )


def refuse_overtaken(table: TableContext, results: ResultsTable, seen: int) -> ActionOutcome | None:
    """Return a refusal if new entries have changed the consequences that were shown.

    `seen` is the last entry that the page had shown. An impossible number is not refused here: the
    results are refused when they are applied.
    """
    moved = since(table, seen) if 0 <= seen <= table.seen else []
    if not moved or still_foreseen(table, results.rows, seen):
        return None
    why = TableMovedOn([], changed=True)
    return ActionOutcome(wrong=str(why), since=rows(table, moved), overtaken=True, field="results")


def still_foreseen(table: TableContext, typed: Iterable[ResultRow], seen: int) -> bool:
    """Return whether the results have the same consequences as on the page with entry `seen`."""
    shown = services.page_position_at(table.campaign, table.access, seen)
    if shown.position is None:
        return False
    typed = list(typed)
    return foresee_rows(table, typed, shown.position) == foresee_rows(table, typed)


def apply_results(table: TableContext, typed: Sequence[ResultRow], seen: str) -> ActionOutcome:
    """Apply results one after the other, until a result is refused or waits for a die.

    `seen` is the last entry that the page had shown.
    """
    here, applied = table, list[str]()
    for row in typed:
        outcome = make_move(here, row.raw or {}, {"seen": seen})
        if not outcome.done and not applied:
            outcome.field = "results"
            return outcome
        if not outcome.done:
            text = _("Applied: %(done)s. Not applied: #%(number)s. %(why)s")
            facts = {"done": ", ".join(applied), "number": row.number, "why": outcome.wrong}
            messages.warning(table.request, text % facts)
            break
        applied.append(f"#{row.number}")
        if outcome.parked:
            break
        table.campaign.refresh_from_db()
        here = TableContext(table.request, table.campaign, table.access, notes=table.notes)
        seen = str(here.seen if outcome.seen is None else outcome.seen)
    return ActionOutcome(done=True)


# Reminders ----------------------------------------------------------------------------------------


def remind(table: TableContext, post_data: QueryDict) -> ActionOutcome:
    """Send a reminder in a single matter, or in every matter in which it is now allowed."""
    form, matters = ReminderForm(post_data), matters_by_key(table)
    if form.every:
        wanted = remindable(table)
        none = _("Everyone has already been reminded in the last 24 hours.")
    else:
        wanted = {form.matter_key}
        none = _("No one has to do this any more.")
    chosen = [matter for key, matter in matters.items() if key in wanted]
    return send_reminders(table, chosen) if chosen else ActionOutcome(wrong=none)


def remindable(table: TableContext) -> set[str]:
    """Return the keys of the matters in which a reminder may be sent now."""
    waits = waiting_rows(table, table.running_battles)
    return {row.remind.matter for row in waits if row.remind is not None and row.can_be_reminded}


def send_reminders(table: TableContext, matters: Iterable[Matter]) -> ActionOutcome:
    """Send the reminders, and leave a message with the names of the recipients."""
    reached, wrong = list[str](), ""
    for matter in matters:
        try:
            notice_services.remind(table.campaign, table.user, matter)
            reached += reached_by(table, matter)
        except TableError as refusal:
            if refusal.status == FORBIDDEN:
                raise
            wrong = str(refusal)
    if not reached:
        return ActionOutcome(wrong=wrong)
    names = ", ".join(dict.fromkeys(reached))
    messages.success(table.request, _("Reminded: %(names)s.") % {"names": names})
    return ActionOutcome(done=True)


Act = Callable[[TableContext, QueryDict], ActionOutcome]
ACTS: dict[str, Act] = {
    "correct": correct,
    "turn": open_turn,
    "say": make_own_move,
    "judge": rule_on_claim,
    "results": enter_results,
    "remind": remind,
}
