"""Build the page of a seat's standing orders, which its holder gives and the game master reads."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from campaign.clocks import selectors as clock_selectors
from campaign.log.acts.programs import level_word
from campaign.models import Membership, StandingOrders
from campaign.seats import seating, selectors
from campaign.seats.selectors import MOST, Skip
from games.contract.title import OrderField, OrderKind
from web.frame.table import TableContext
from web.seats import hidden_hands
from web.seats.forms import OrderValue
from web.seats.hidden_hands import ClosedHands, SeatLink

RADIOS = 8
"""A field with more values than this is a list."""
WHEN = {
    StandingOrders.AT_ONCE: gettext_lazy("at once"),
    StandingOrders.CLOCK: gettext_lazy("when my time is up"),
}


@dataclass(frozen=True, slots=True)
class Typed:
    """An order as it stands in the form of its kind, and what is wrong with it."""

    kind: str = ""
    values: Mapping[str, OrderValue] = field(default_factory=dict)
    when: str = StandingOrders.AT_ONCE
    place: int | None = None
    wrong: str = ""
    rule: str = ""
    status: int = 200


NOTHING_TYPED = Typed()


@dataclass(frozen=True, slots=True)
class Suggestion:
    """The order that a program suggests."""

    level: str
    word: str
    line: str


@dataclass(frozen=True, slots=True)
class GivenOrder:
    """An order of the list."""

    place: int
    line: str
    when: str
    is_open: bool


@dataclass(frozen=True, slots=True)
class SkippedOrder:
    """An order that the rules forbade when it would have acted."""

    line: str
    why: str
    rule: str
    at: datetime
    contest: int | None
    url: str


class Choice(NamedTuple):
    """A value that can be chosen."""

    key: str
    name: str
    chosen: bool


@dataclass(frozen=True, slots=True)
class OrderPart:
    """A field of an order."""

    key: str
    name: str
    help: str
    several: bool
    choices: list[Choice]

    @property
    def is_list(self) -> bool:
        """Return whether the values are shown as a list."""
        return not self.several and len(self.choices) > RADIOS


@dataclass(frozen=True, slots=True)
class OrderForm:
    """The form for an order of one kind."""

    key: str
    name: str
    about: str
    rule: str
    place: int | None
    """The place of the order that is changed; None for a new order."""
    wrong: str
    wrong_rule: str
    parts: list[OrderPart]
    when: list[Choice]
    """When the order acts; empty if it always acts at once."""

    @property
    def verb(self) -> str:
        """Return the button that sends the form."""
        return _("Give the order") if self.place is None else _("Save the order")


@dataclass(frozen=True, slots=True)
class Adviser:
    """A program that can be asked for an order."""

    key: str
    name: str
    chosen: bool


@dataclass(frozen=True, slots=True)
class OrdersPage:
    """The standing orders of a seat."""

    seat: str
    name: str
    url: str
    nation_url: str
    mine: bool
    audience: str
    wrong: str
    """Why something was refused that belongs to no form."""
    challenges: list[tuple[int, str]]
    """The challenges that wait for the reader: their numbers and addresses."""
    version: int
    orders: list[GivenOrder]
    empty_text: str
    skips: list[SkippedOrder]
    advisers: list[Adviser]
    advice_text: str
    suggestion: Suggestion | None
    closed_hand: ClosedHands | None
    forms: list[OrderForm]
    when_help: str
    full_text: str
    """Why no order can be added; empty if one can."""
    is_closed: bool


def orders_page(
    table: TableContext,
    seat: str,
    typed: Typed = NOTHING_TYPED,
    suggestion: Suggestion | None = None,
) -> OrdersPage:
    """Return the page with what was typed, and with what a program suggests."""
    kept = selectors.of_seat(table.campaign, table.user, seat, table.places)
    mine = seat in table.own_seats
    given = kept.given if kept is not None else []
    is_closed = table.campaign.ended or not table.campaign.playable
    skips = selectors.skips(kept) if kept is not None else []
    level = suggestion.level if suggestion is not None else ""
    return OrdersPage(
        seat=seat,
        name=table.name_of(seat),
        url=table.url("standing", seat),
        nation_url=table.home if table.pages is not None else table.url("nation", seat),
        mine=mine,
        audience=audience_text(table, seat),
        wrong=typed.wrong if not typed.kind else "",
        challenges=challenges(table, seat) if mine else [],
        version=kept.version if kept is not None else 0,
        orders=[given_order(table, place, order, typed.place) for place, order in enumerate(given)],
        empty_text=empty_text(table, mine),
        skips=[skipped_order(table, skip) for skip in skips],
        advisers=[] if is_closed else advisers(table, seat, level),
        advice_text=advice_text(mine),
        suggestion=suggestion,
        closed_hand=None if mine else hidden_hands.closed_hands(table, seat),
        forms=order_forms(table, seat, typed, len(given)) if mine and not is_closed else [],
        when_help=when_help(table),
        full_text=full_text(len(given)),
        is_closed=is_closed,
    )


def audience_text(table: TableContext, seat: str) -> str:
    """Return who sees the orders."""
    if seat in table.own_seats:
        return _("seen by you and the game master only")
    holders = ", ".join(table.holders(seat))
    return _("of %(holders)s, seen only by the holder and you") % {"holders": holders}


def challenges(table: TableContext, seat: str) -> list[tuple[int, str]]:
    """Return the challenges that wait for a seat."""
    if table.pages is not None:
        return []
    contests = table.rows.contests
    return [
        (wait.contest, table.url("battle", wait.contest))
        for wait in table.waited_for
        if wait.seat == seat
        and wait.contest is not None
        and contests.get(wait.contest, {}).get("status") == "challenged"
    ]


def empty_text(table: TableContext, mine: bool) -> str:
    """Return what the page is for, where no order has been given."""
    if not mine:
        return _("The holder’s orders are shown here for you, too.")
    if table.pages is not None:
        return _(
            "Decide now what is answered for you while you are away. Nobody else sees it before the"
            " order acts."
        )
    return _(
        "Decide now what is answered for you while you are away: accept or withdraw, where, with"
        " which cards. Nobody else sees it before the order acts."
    )


def given_order(
    table: TableContext, place: int, order: Mapping[str, Any], changed: int | None
) -> GivenOrder:
    """Return an order of the list; `changed` is the place of the one that the form shows."""
    return GivenOrder(
        place=place,
        line=selectors.order_sentence(table.campaign, order["order"]),
        when=str(WHEN[order["when"]]),
        is_open=changed == place,
    )


def skipped_order(table: TableContext, skip: Skip) -> SkippedOrder:
    """Return an order that was skipped."""
    has_page = skip.contest is not None and table.pages is None
    return SkippedOrder(
        line=selectors.order_sentence(table.campaign, skip.order),
        why=skip.why,
        rule=skip.rule,
        at=skip.at,
        contest=skip.contest,
        url=table.url("battle", skip.contest) if has_page else "",
    )


def full_text(orders: int) -> str:
    """Return that the list is full; empty if it is not."""
    if orders < MOST:
        return ""
    return _("A seat has up to %(most)s orders. Remove one to give another.") % {"most": MOST}


def when_help(table: TableContext) -> str:
    """Return when an order acts that waits for the clock."""
    if clock_selectors.terms_of(table.campaign)[clock_selectors.ANSWER]:
        return _(
            "Your time is up when the clock of the answer has run out; until then you may answer"
            " yourself."
        )
    return _("No clock runs on answers here: an order for when your time is up would never act.")


# A program's advice


def advisers(table: TableContext, seat: str, chosen: str) -> list[Adviser]:
    """Return the programs that can be asked for an order.

    The holder can ask them at any time, a game master while the holder is away.
    """
    is_away = any(away.begun for _name, away in table.absent.get(seat, ()))
    if seat not in table.own_seats and not is_away:
        return []
    levels = seating.levels(table.campaign)
    return [Adviser(level, level_word(level), level == chosen) for level in levels]


def advice_text(mine: bool) -> str:
    """Return what a program does that is asked for an order."""
    if mine:
        return _(
            "A program looks at the table as this seat sees it and lays an order into the form."
            " Nothing is given before you do it."
        )
    return _(
        "A program looks at the table as this seat sees it. Nothing is given by it: move for the"
        " seat on its page."
    )


# The forms


def order_forms(table: TableContext, seat: str, typed: Typed, given: int) -> list[OrderForm]:
    """Return the forms of every kind; of a full list only the form of the order that is changed."""
    forms = [
        order_form(kind, typed if typed.kind == kind.key else NOTHING_TYPED)
        for kind in selectors.kinds(table.campaign, seat)
    ]
    return [form for form in forms if given < MOST or form.place is not None]


def order_form(kind: OrderKind, typed: Typed) -> OrderForm:
    """Return the form for an order of a kind, with what was typed into it."""
    return OrderForm(
        key=kind.key,
        name=kind.name,
        about=kind.about,
        rule=kind.rule,
        place=typed.place,
        wrong=typed.wrong,
        wrong_rule=typed.rule,
        parts=[order_part(part, typed.values.get(part.key)) for part in kind.fields],
        when=(
            [Choice(key, str(name), typed.when == key) for key, name in WHEN.items()]
            if kind.timed
            else []
        ),
    )


def order_part(part: OrderField, value: OrderValue | None) -> OrderPart:
    """Return a field of an order. Of a field with one value the first is chosen at first."""
    chosen: Sequence[str]
    if isinstance(value, list):
        chosen = value
    else:
        chosen = [value or (part.values[0][0] if part.values and not part.several else "")]
    return OrderPart(
        key=part.key,
        name=part.name,
        help=part.help,
        several=part.several,
        choices=[Choice(key, name, key in chosen) for key, name in part.values],
    )


def links(table: TableContext) -> list[SeatLink]:
    """Return the pages of orders that the reader may open: those of their own seats, for a game
    master those of every seat that is held.
    """
    campaign = table.campaign
    if not campaign.started or campaign.ended or table.solo or not selectors.knows_orders(campaign):
        return []
    held = {place.seat for place in table.places if place.role == Membership.Role.SEAT}
    return [
        SeatLink(key, table.name_of(key), table.url("standing", key))
        for key in table.names
        if key in table.own_seats or (table.game_master and key in held)
    ]
