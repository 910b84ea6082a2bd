"""Show the sheet "Correct or undo": the tools, the form of the chosen one, its consequences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple
from urllib.parse import urlencode

from django.http import QueryDict
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from campaign.log.acts.undo import UNDO
from campaign.models import LogEntry
from games.contract.desk import Corrected
from games.contract.title import Field, Offer
from web.desk.forms import CorrectionForm, DeskOfferForm
from web.frame.table import TableContext
from web.moves import forms as offer_forms
from web.moves import own_seats
from web.moves.deeds import Deed, consider, speaker
from web.moves.forms import Wrong
from web.moves.own_seats import OwnSeats
from web.moves.preview import Follow
from web.seats import hidden_hands
from web.undo.page import choices, entries_to_go_back_to, rewind_blocked

CORRECTION = "correction"
LISTED = 120
"""The number of latest entries among which one can be chosen for an undo."""


class Tool(NamedTuple):
    key: str
    name: str
    chosen: bool


class ClosedHand(NamedTuple):
    """Hidden hands that the game master has not opened, and the address that opens them."""

    holders: list[str]
    url: str
    back: str


class Choice(NamedTuple):
    number: int
    text: str


@dataclass(frozen=True, slots=True)
class RestoreOffer:
    """The last undo, if no move was played since."""

    entry: int
    text: str


@dataclass(frozen=True, slots=True)
class UndoSheet:
    """The entries to which the game master can go back. `blocked` says why not at present.

    `choices` are empty while another tool is open; `has_choices` says whether there are any.
    """

    has_choices: bool
    choices: list[Choice]
    restore: RestoreOffer | None
    blocked: str


@dataclass(frozen=True, slots=True)
class Correction:
    """The open tool with its form, and what the correction would do.

    `sheet_of` is the nation whose sheet the fields show; empty if they show none.
    """

    key: str
    sheet_of: str
    form: DeskOfferForm
    blocked: str
    blocked_rule: str
    wrong: Wrong | None
    overtaken: Deed | None
    closed_hand: ClosedHand | None
    own: OwnSeats | None
    follow: Follow | None


@dataclass(frozen=True, slots=True)
class CorrectionSheet:
    """The tools, and the open one: a correction, or the undo."""

    tools: list[Tool]
    correction: Correction | None
    undo: UndoSheet
    is_open: bool

    @property
    def shows_undo(self) -> bool:
        return self.correction is None

    @property
    def tabs(self) -> list[tuple[str, str, bool]]:
        """Return the name of each tool, its address, and whether it is open."""
        tabs = [(tool.name, f"?fix={tool.key}#fix", tool.chosen) for tool in self.tools]
        return [*tabs, (_("Undo to an entry"), f"?fix={UNDO.name}#fix", self.shows_undo)]


def tools_of(table: TableContext, offers: Sequence[Offer], typed: QueryDict) -> list[Offer]:
    """Return the game master's corrections: those of every title, then those of this title."""
    title = table.title
    further = title.corrections(table.position, typed) if isinstance(title, Corrected) else ()
    return [*(offer for offer in offers if offer.group == CORRECTION), *further]


def read_correction(table: TableContext, posted: QueryDict) -> CorrectionForm:
    """Return the correction that a form or an address describes."""
    return CorrectionForm(tools_of(table, table.master_offers, posted), posted)


def correction_sheet(
    table: TableContext,
    form: CorrectionForm,
    tools: Sequence[Offer],
    recent: Sequence[LogEntry],
    deed: Deed | None,
) -> CorrectionSheet | None:
    """Return the sheet; None if nothing can be corrected or undone. `recent` are the latest
    entries.

    `deed` is what became of the correction that was posted or described by the address.
    """
    posted = form.is_sent
    chosen = form.asked or ("adjust" if posted else "")
    shows_undo = chosen == UNDO.name or form.tool is None
    undo = undo_sheet(table, recent, with_choices=shows_undo)
    if not tools and not undo.has_choices and undo.restore is None:
        return None
    words = speaker(table)
    return CorrectionSheet(
        tools=[
            Tool(tool.key, words.offer_name(tool), tool is form.tool and not shows_undo)
            for tool in tools
        ],
        correction=None if shows_undo else open_correction(table, form, deed),
        undo=undo,
        is_open=bool(chosen),
    )


def open_correction(table: TableContext, form: CorrectionForm, deed: Deed | None) -> Correction:
    """Return the chosen tool with what was typed, and what became of it."""
    offer = form.tool
    assert offer is not None
    values = form.values if form.asked else {}
    shown = {**values, **offer_forms.complete(offer, values)}
    wrong = refusal_of(deed)
    hand = closed_hand(table, offer, shown)
    considered = preview(table, form) if deed is not None and deed.wrong else deed
    blocked, blocked_rule = blocked_because(table, offer)
    return Correction(
        key=offer.key,
        sheet_of=str(shown.get("nation", "")) if form.sheet_fields else "",
        form=correction_fields(table, form, shown, wrong, hand),
        blocked=blocked,
        blocked_rule=blocked_rule,
        wrong=wrong if wrong is not None and not wrong.field else None,
        overtaken=deed if deed is not None and deed.overtaken else None,
        closed_hand=hand,
        own=considered.own if considered is not None else None,
        follow=considered.follow if considered is not None and hand is None else None,
    )


def refusal_of(deed: Deed | None) -> Wrong | None:
    """Return why a correction was refused; None if it was overtaken, which the page shows above."""
    if deed is None or not deed.wrong or deed.overtaken:
        return None
    return Wrong(deed.wrong, deed.rule, deed.field)


def correction_fields(
    table: TableContext,
    form: CorrectionForm,
    shown: Mapping[str, Any],
    wrong: Wrong | None,
    hand: ClosedHand | None,
) -> DeskOfferForm:
    """Return the fields of the open tool. A closed hand leaves only the choice of the nation."""
    assert form.tool is not None
    fields = DeskOfferForm(speaker(table), form.tool, shown, form.posted)
    if wrong is not None:
        fields.refuse(wrong)
    if hand is not None:
        fields.keep_only("nation")
    return fields


def blocked_because(table: TableContext, offer: Offer) -> tuple[str, str]:
    """Return why nothing can be corrected now, and the rule that says so."""
    if not table.campaign.playable:
        text = _(
            "Nothing can be corrected here now: resume the campaign, or take it out of the archive,"
            " first."
        )
        return text, ""
    if offer.refusal is not None:
        return table.title.refusal(table.scenario, offer.refusal), offer.refusal.rule
    return "", ""


def preview_of(table: TableContext, typed: QueryDict) -> Deed | None:
    """Return what would follow from the correction that an address describes; None without one."""
    return preview(table, read_correction(table, typed)) if typed.get("fix") else None


def preview(table: TableContext, form: CorrectionForm) -> Deed | None:
    """Return what would follow from a correction as it is typed; None if too little is typed."""
    offer = form.tool
    if offer is None or not form.asked:
        return None
    # The reader may have chosen another nation than the form was made for: what no longer fits is
    # replaced.
    values = {**form.values, **offer_forms.complete(offer, form.values)}
    needed = [field.key for field in offer.fields if field.kind != "text" and not field.optional]
    if any(key not in values for key in needed):
        return None
    if form.sheet_fields and not form.same_sheet(values):
        return None
    if closed_hand(table, offer, values) is not None:
        return None
    deed = consider(table, offer.raw(values | dict.fromkeys(form.text_fields, "–")))
    deed.looked = True
    deed.own = own_seats.of_move(table, deed.raw)
    return deed


def closed_hand(table: TableContext, offer: Offer, values: Mapping[str, Any]) -> ClosedHand | None:
    """Return the hand that a correction of cards needs and that is closed to the game master."""
    if not any(field.kind == "card" for field in offer.fields):
        return None
    nations = {
        field.key: str(values[field.key])
        for field in offer.fields
        if field.kind == "nation" and field.key in values
    }
    closed = hidden_hands.closed_hands(table, *nations.values())
    if closed is None:
        return None
    query = urlencode({"fix": offer.key, **nations})
    return ClosedHand(
        holders=[holder for _key, _name, holder in closed.seats],
        url=closed.url,
        back=f"{table.url('desk')}?{query}#fix",
    )


def missing_field_text(table: TableContext, offer: Offer, field: Field) -> str:
    """Return what to do about a field that was left empty, by its name on the page."""
    text = (
        _("%(field)s: type a number first.")
        if field.kind == "number"
        else _("%(field)s: choose one first.")
    )
    return text % {"field": speaker(table).field_label(offer, field)}


# Undo ---------------------------------------------------------------------------------------------


def undo_sheet(table: TableContext, recent: Sequence[LogEntry], *, with_choices: bool) -> UndoSheet:
    """Return the entries among the latest to which the game master can go back."""
    listed = choices(table, recent) if with_choices else ()
    return UndoSheet(
        has_choices=bool(entries_to_go_back_to(recent)),
        choices=[Choice(choice.number, choice.text) for choice in listed],
        restore=restore_offer(recent),
        blocked=rewind_blocked(table),
    )


def restore_offer(recent: Sequence[LogEntry]) -> RestoreOffer | None:
    """Return the last undo, unless a move was played since or it was taken back."""
    for entry in recent:
        if entry.number is None:
            continue
        if entry.is_move or (entry.act == UNDO.name and entry.struck_by_id is not None):
            return None
        if entry.act == UNDO.name:
            struck = sum(1 for other in recent if other.struck_by_id == entry.pk)
            more = len(recent) == LISTED and recent[-1].struck_by_id == entry.pk
            return RestoreOffer(entry.number, restore_text(entry.number, struck, more=more))
    return None


def restore_text(number: int, struck: int, *, more: bool) -> str:
    """Return how many moves the last undo struck; with `more` it struck more than are at hand."""
    if more:
        text = ngettext(
            "The last undo, entry %(number)s, struck %(n)s or more entry."
            " No move was played since: it can be taken back.",
            "The last undo, entry %(number)s, struck %(n)s or more entries."
            " No move was played since: it can be taken back.",
            struck,
        )
    else:
        text = ngettext(
            "The last undo, entry %(number)s, struck %(n)s entry."
            " No move was played since: it can be taken back.",
            "The last undo, entry %(number)s, struck %(n)s entries."
            " No move was played since: it can be taken back.",
            struck,
        )
    return text % {"number": number, "n": struck}
