"""Moves at Discord: choose a kind, then each field, see the consequences, announce."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TypeVar

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from campaign import services
from engine.errors import IllegalMove
from engine.language import capitalize
from forum.dialects import escape_markdown
from games.contract.plain import RawMove
from games.contract.title import Field, Offer
from games.kit.reading.move_reader import MoveReader
from games.kit.reading.vocabulary import KnownMove
from web.discord.answers import (
    MOST_OPTIONS,
    Answer,
    Button,
    ButtonStyle,
    ComponentRow,
    Refusal,
    button,
    link,
    menu,
    message,
    out_of_date,
    row,
    update,
)
from web.discord.asker import Asker, not_linked
from web.discord.consequences import consequences
from web.discord.purse import balance_text, cost_text, offer_cost
from web.discord.steps import MoveStep
from web.frame.table import TableContext
from web.moves.actions import move_words_of
from web.moves.preview import preview_move
from web.typed_moves.reader import move_reader_at

MenuItem = TypeVar("MenuItem")


def show_moves(asker: Asker) -> Answer:
    """Answer with the kinds of moves that the user's seat can announce now."""
    table = asker.table_of_player()
    seat = own_seat(table)
    seat_name = capitalize(table.name_of(seat))
    offers = possible_offers(table, seat)
    if not offers:
        text = _("{seat} cannot announce anything now.")
        return message(text.format(seat=escape_markdown(seat_name)))
    return message(*offers_menu(asker, table, seat, offers))


def show_more_moves(asker: Asker, campaign: str) -> Answer:
    """Replace the message of a move that was announced by the menu of the next one."""
    if not asker.request.user.is_authenticated:
        raise not_linked()
    table = asker.table_of(campaign)
    seat = own_seat(table)
    offers = possible_offers(table, seat)
    if not offers:
        text = _("{seat} cannot announce anything now.")
        seat_name = capitalize(table.name_of(seat))
        return update(text.format(seat=escape_markdown(seat_name)))
    return update(*offers_menu(asker, table, seat, offers))


def offers_menu(
    asker: Asker, table: TableContext, seat: str, offers: Sequence[Offer]
) -> tuple[str, list[ComponentRow]]:
    """Return the text above the kinds of moves, and the menu with the cost of each."""
    token = asker.keep(MoveStep(campaign=table.campaign.public_id, seat=seat, seen=table.seen))
    words = move_words_of(table)
    options = [(offer.key, words.offer_name(offer)) for offer in offers]
    costs = [offer_cost(table, offer) for offer in offers]
    seat_name = capitalize(table.name_of(seat))
    placeholder = _("{seat}: choose a move").format(seat=seat_name)
    is_cut = len(options) > MOST_OPTIONS
    texts = [
        f"**{escape_markdown(table.campaign.name)}**",
        balance_text(table, seat),
        _("You will find more moves on the page.") if is_cut else "",
    ]
    rows = [menu(f"offer:{token}", placeholder, options, costs), row(page_link(table, seat))]
    return "\n".join(filter(None, texts)), rows


def own_seat(table: TableContext) -> str:
    """Return the user's seat; if they have several, the seat that plays now. Raises `Refusal`."""
    if not table.own_seats:
        raise Refusal(_("You do not hold a seat at this table."))
    active = table.campaign.active_seat
    return active if active in table.own_seats else table.own_seats[0]


def possible_offers(table: TableContext, seat: str) -> list[Offer]:
    if table.campaign.stopped:
        return []
    offers = table.title.offers(table.position, seat, seat)
    return [offer for offer in offers if offer.refusal is None]


def page_link(table: TableContext, seat: str) -> Button:
    """Return the link to the page on which the seat plays."""
    return link(
        _("Open the page"), table.url("nation", seat) if table.pages is None else table.home
    )


# Choosing


def choose_offer(asker: Asker, token: str) -> Answer:
    """Take the chosen kind of move, and ask for its first field."""
    step = replace(asker.kept_move(token), offer=asker.chosen_value(), chosen={})
    return next_choice(asker, step)


def choose_value(asker: Asker, token: str) -> Answer:
    """Take the chosen value, and ask for the next field or show the consequences."""
    step, index = asker.kept_move(token), asker.chosen_number()
    if step.field_key:
        value = option_at(step.values, index)
        return next_choice(asker, replace(step, chosen={**step.chosen, step.field_key: value}))
    return preview(asker, step, option_at(step.moves, index))


def option_at(options: Sequence[MenuItem], index: int) -> MenuItem:
    """Return the option of a menu that was chosen by its index. Raises `Refusal`."""
    if index >= len(options):
        raise out_of_date()
    return options[index]


def next_choice(asker: Asker, step: MoveStep) -> Answer:
    """Ask for the next field of a move, or show the consequences if the move is complete.

    If the remaining moves fit in one menu, it lists them. Otherwise it lists the values of the
    first field in which they differ.
    """
    table = asker.table_of(step.campaign)
    move_reader = move_reader_at(table, step.seat, step.seat)
    moves = [move for move in move_reader.moves if is_chosen(move, step)]
    if not moves:
        raise Refusal(_("This move is not possible now, or you have to write it on the page."))
    if len(moves) == 1:
        return preview(asker, step, moves[0].raw)
    field = next(differing_fields(moves), None) if len(moves) > MOST_OPTIONS else None
    if field is not None:
        return ask_for_value(asker, step, table, moves, field)
    return ask_for_move(asker, step, table, move_reader, moves)


def is_chosen(move: KnownMove, step: MoveStep) -> bool:
    """Return whether the choices made so far may lead to this move."""
    return move.offer.key == step.offer and all(
        move.raw.get(key) == value for key, value in step.chosen.items()
    )


def differing_fields(moves: Sequence[KnownMove]) -> Iterator[Field]:
    """Yield the fields in which the moves differ."""
    for field in moves[0].offer.fields:
        if len(values_of(moves, field)) > 1:
            yield field


def values_of(moves: Sequence[KnownMove], field: Field) -> list[object]:
    """Return the different values of a field in the order of the moves.

    A value may be a list, so the values are compared as JSON texts.
    """
    texts = dict.fromkeys(json.dumps(move.raw.get(field.key)) for move in moves)
    return [json.loads(text) for text in texts]


def ask_for_value(
    asker: Asker, step: MoveStep, table: TableContext, moves: Sequence[KnownMove], field: Field
) -> Answer:
    words, offer, values = move_words_of(table), moves[0].offer, values_of(moves, field)
    token = asker.keep(replace(step, field_key=field.key, values=values, moves=()))
    options = [
        (str(index), words.value_label(offer, field, value)) for index, value in enumerate(values)
    ]
    choice = menu(f"narrow:{token}", words.field_label(offer, field), options)
    return update(heading(table, offer), [choice, cancel_row(token)])


def ask_for_move(
    asker: Asker,
    step: MoveStep,
    table: TableContext,
    move_reader: MoveReader,
    moves: Sequence[KnownMove],
) -> Answer:
    raws = [move.raw for move in moves[:MOST_OPTIONS]]
    token = asker.keep(replace(step, field_key="", values=(), moves=raws))
    options = [(str(index), capitalize(move_reader.line(raw))) for index, raw in enumerate(raws)]
    choice = menu(f"narrow:{token}", pgettext("option", "Choose"), options)
    return update(heading(table, moves[0].offer), [choice, cancel_row(token)])


def heading(table: TableContext, offer: Offer) -> str:
    return f"**{escape_markdown(move_words_of(table).offer_name(offer))}**"


def cancel_button(token: str) -> Button:
    return button(pgettext("button", "Cancel"), f"drop:{token}")


def cancel_row(token: str) -> ComponentRow:
    return row(cancel_button(token))


# Announcing


def preview(asker: Asker, step: MoveStep, move: RawMove) -> Answer:
    """Show the consequences of a move, with a button that announces it."""
    table = asker.table_of(step.campaign)
    try:
        follow, confirmation = preview_move(move_words_of(table), move, table.access.sees)
    except IllegalMove as refusal:
        raise Refusal(table.why_not(refusal)) from None
    line = capitalize(table.title.move_line(table.scenario, move))
    token = asker.keep(replace(step, move=dict(move)))
    effects = follow.effects[0] if follow is not None and follow.effects else ()
    texts = [
        f"**{escape_markdown(line)}**",
        cost_text(table, step.seat, effects),
        consequences(follow),
        escape_markdown(confirmation),
    ]
    announce_button = button(
        pgettext("button", "Announce"), f"announce:{token}", ButtonStyle.PRIMARY
    )
    return update("\n".join(filter(None, texts)), [row(announce_button, cancel_button(token))])


def announce(asker: Asker, token: str) -> Answer:
    """Announce the move that was shown."""
    step = asker.kept_move(token)
    if step.move is None:
        raise out_of_date()
    table = asker.table_of(step.campaign)
    try:
        result = services.play(table.campaign, asker.user, dict(step.move), step.seen)
    except IllegalMove as refusal:
        raise Refusal(table.why_not(refusal)) from None
    if not result.entries[-1].is_move:
        return update(_("Announced. The move is waiting for a die that is thrown elsewhere."))
    effects = [effect for effect in result.effects if table.access.sees(effect.audience)]
    text = escape_markdown(move_words_of(table).confirmation(step.move, effects))
    after = asker.table_of(step.campaign)
    buttons = [link(pgettext("link", "Open the table"), table.home)]
    if step.seat in after.own_seats and possible_offers(after, step.seat):
        label = pgettext("button", "Next move")
        buttons.insert(0, button(label, f"more:{step.campaign}", ButtonStyle.PRIMARY))
        text = "\n".join(filter(None, [text, balance_text(after, step.seat)]))
    return update(text, [row(*buttons)])


def cancel(asker: Asker, token: str) -> Answer:
    """Cancel a move or a claim. Nothing is announced."""
    asker.kept(token)
    return update(_("Nothing was announced."))
