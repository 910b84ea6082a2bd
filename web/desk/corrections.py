"""The sheet "Correct or undo": the tools, the form of the chosen tool, its consequences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple
from urllib.parse import urlencode

from django.http import QueryDict
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from campaign.log.acts.undo import UNDO
from campaign.models import LogEntry
from games.contract.desk import WithCorrections
from games.contract.title import Field, Offer
from web.desk.forms import CorrectionForm, DeskOfferForm
from web.frame.table import TableContext
from web.moves import forms as offer_forms
from web.moves import own_seats
from web.moves.actions import ActionOutcome, move_words_of, preview_action
from web.moves.forms import FormRefusal
from web.moves.own_seats import OwnSeats
from web.moves.preview import Follow
from web.seats import hidden_hands
from web.undo.page import choices, entries_to_go_back_to, rewind_blocked

CORRECTION = "correction"
LISTED = 120
"""The number of latest entries among which an entry can be chosen for an undo."""


class Tool(NamedTuple):
    key: str
    name: str
    chosen: bool


class ClosedHand(NamedTuple):
    """Hidden hands that the game master has not opened, and the address to open them."""

    holders: list[str]
    url: str
    back: str


class Choice(NamedTuple):
    number: int
    text: str


@dataclass(frozen=True, slots=True)
class RestoreOffer:
    """The last undo, if no move has been played since."""

    entry: int
    text: str


@dataclass(frozen=True, slots=True)
class UndoSheet:
    """The entries to which the game master can go back; `blocked` is the reason if they cannot.

    `choices` are empty while another tool is open; `has_choices` is set even then.
    """

    has_choices: bool
    choices: list[Choice]
    restore: RestoreOffer | None
    blocked: str


@dataclass(frozen=True, slots=True)
class Correction:
    """The open tool with its form, and the consequences of the correction.

    `sheet_of` is the nation whose sheet the fields show; empty if they show none.
    """

    key: str
    sheet_of: str
    form: DeskOfferForm
    blocked: str
    blocked_rule: str
    wrong: FormRefusal | None
    overtaken: ActionOutcome | None
    closed_hand: ClosedHand | None
    own: OwnSeats | None
    follow: Follow | None


@dataclass(frozen=True, slots=True)
class CorrectionSheet:
    """The tools, and the open tool: a correction, or the undo."""

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
        return [
            *tabs,
            (pgettext("desk", "Undo to an entry"), f"?fix={UNDO.name}#fix", self.shows_undo),
        ]


def tools_of(table: TableContext, offers: Sequence[Offer], form_data: QueryDict) -> list[Offer]:
    """Return the game master's corrections: those of every title, then those of this title."""
    title = table.title
    further = (
        title.corrections(table.position, form_data) if isinstance(title, WithCorrections) else ()
    )
    return [*(offer for offer in offers if offer.group == CORRECTION), *further]


def read_correction(table: TableContext, post_data: QueryDict) -> CorrectionForm:
    """Return the correction that a form or an address describes."""
    return CorrectionForm(tools_of(table, table.master_offers, post_data), post_data)


def correction_sheet(
    table: TableContext,
    form: CorrectionForm,
    tools: Sequence[Offer],
    recent: Sequence[LogEntry],
    outcome: ActionOutcome | None,
) -> CorrectionSheet | None:
    """Return the sheet; None if nothing can be corrected or undone.

    `recent` are the latest entries. `outcome` belongs to the correction that was posted or that the
    address describes.
    """
    posted = form.is_sent
    chosen = form.named_tool or ("adjust" if posted else "")
    shows_undo = chosen == UNDO.name or form.tool is None
    undo = undo_sheet(table, recent, with_choices=shows_undo)
    if not tools and not undo.has_choices and undo.restore is None:
        return None
    words = move_words_of(table)
    return CorrectionSheet(
        tools=[
            Tool(tool.key, words.offer_name(tool), tool is form.tool and not shows_undo)
            for tool in tools
        ],
        correction=None if shows_undo else open_correction(table, form, outcome),
        undo=undo,
        is_open=bool(chosen),
    )


def open_correction(
    table: TableContext, form: CorrectionForm, outcome: ActionOutcome | None
) -> Correction:
    """Return the chosen tool with the typed data and the outcome of the form."""
    offer = form.tool
    assert offer is not None
    values = form.values if form.named_tool else {}
    shown = {**values, **offer_forms.complete(offer, values)}
    wrong = refusal_of(outcome)
    hand = closed_hand(table, offer, shown)
    considered = preview(table, form) if outcome is not None and outcome.wrong else outcome
    blocked, blocked_rule = blocked_because(table, offer)
    return Correction(
        key=offer.key,
        sheet_of=str(shown.get("nation", "")) if form.sheet_fields else "",
        form=correction_fields(table, form, shown, wrong, hand),
        blocked=blocked,
        blocked_rule=blocked_rule,
        wrong=wrong if wrong is not None and not wrong.field else None,
        overtaken=outcome if outcome is not None and outcome.overtaken else None,
        closed_hand=hand,
        own=considered.own if considered is not None else None,
        follow=considered.follow if considered is not None and hand is None else None,
    )


def refusal_of(outcome: ActionOutcome | None) -> FormRefusal | None:
    """Return the refusal of a correction; None if it was overtaken, which the page shows above."""
    if outcome is None or not outcome.wrong or outcome.overtaken:
        return None
    return FormRefusal(outcome.wrong, outcome.rule, outcome.field)


def correction_fields(
    table: TableContext,
    form: CorrectionForm,
    shown: Mapping[str, Any],
    wrong: FormRefusal | None,
    hand: ClosedHand | None,
) -> DeskOfferForm:
    """Return the fields of the open tool. A closed hand leaves only the choice of the nation."""
    assert form.tool is not None
    fields = DeskOfferForm(move_words_of(table), form.tool, shown, form.post_data)
    if wrong is not None:
        fields.refuse(wrong)
    if hand is not None:
        fields.keep_only("nation")
    return fields


def blocked_because(table: TableContext, offer: Offer) -> tuple[str, str]:
    """Return why nothing can be corrected now, and the rule for it; empty if it is possible."""
    if not table.campaign.playable:
        text = _(
            "Nothing can be corrected here now. First resume the campaign or restore it from the "
            "archive."
        )
        return text, ""
    if offer.refusal is not None:
        return table.title.refusal(table.scenario, offer.refusal), offer.refusal.rule
    return "", ""


def preview_of(table: TableContext, form_data: QueryDict) -> ActionOutcome | None:
    """Return the preview of the correction that an address describes; None if it has none."""
    return preview(table, read_correction(table, form_data)) if form_data.get("fix") else None


def preview(table: TableContext, form: CorrectionForm) -> ActionOutcome | None:
    """Return the preview of a correction as typed; None if too little is typed."""
    offer = form.tool
    if offer is None or not form.named_tool:
        return None
    # The reader may have chosen another nation than the form was made for, so values that no longer
    # fit are replaced.
    values = {**form.values, **offer_forms.complete(offer, form.values)}
    needed = [field.key for field in offer.fields if field.kind != "text" and not field.optional]
    if any(key not in values for key in needed):
        return None
    if form.sheet_fields and not form.same_sheet(values):
        return None
    if closed_hand(table, offer, values) is not None:
        return None
    outcome = preview_action(table, offer.raw(values | dict.fromkeys(form.text_fields, "–")))
    outcome.looked = True
    outcome.own = own_seats.of_move(table, outcome.raw)
    return outcome


def closed_hand(table: TableContext, offer: Offer, values: Mapping[str, Any]) -> ClosedHand | None:
    """Return the hand that a correction of cards needs, if it is closed to the game master."""
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
    """Return an instruction for a field that was left empty, with its label."""
    text = (
        _("%(field)s: enter a number first.")
        if field.kind == "number"
        else _("%(field)s: choose a value first.")
    )
    return text % {"field": move_words_of(table).field_label(offer, field)}


# Undo ---------------------------------------------------------------------------------------------


def undo_sheet(table: TableContext, recent: Sequence[LogEntry], *, with_choices: bool) -> UndoSheet:
    """Return those of the latest entries to which the game master can go back."""
    listed = choices(table, recent) if with_choices else ()
    return UndoSheet(
        has_choices=bool(entries_to_go_back_to(recent)),
        choices=[Choice(choice.number, choice.text) for choice in listed],
        restore=restore_offer(recent),
        blocked=rewind_blocked(table),
    )


def restore_offer(recent: Sequence[LogEntry]) -> RestoreOffer | None:
    """Return the last undo, unless a move was played since or it was restored."""
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
    """Return a text with the number of entries that the last undo struck.

    `more` is true if the undo struck more entries than were read.
    """
    if more:
        text = ngettext(
            "The last undo, entry %(number)s, struck at least %(n)s entry. No move has been made"
            " since then, so it can be reversed.",
            "The last undo, entry %(number)s, struck at least %(n)s entries. No move has been"
            " made since then, so it can be reversed.",
            struck,
        )
    else:
        text = ngettext(
            "The last undo, entry %(number)s, struck %(n)s entry. No move has been made since"
            " then, so it can be reversed.",
            "The last undo, entry %(number)s, struck %(n)s entries. No move has been made since"
            " then, so it can be reversed.",
            struck,
        )
    return text % {"number": number, "n": struck}
