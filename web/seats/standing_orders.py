"""The page of a seat's standing orders, for its holder and the game master."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from campaign.clocks import selectors as clock_selectors
from campaign.log.acts.programs import level_word
from campaign.models import Membership, StandingOrders
from campaign.seats import seating, selectors
from campaign.seats.selectors import MOST, Skip
from games.contract.players import SeatPlayers
from games.contract.title import OrderField, OrderKind
from web.frame.table import TableContext
from web.seats import hidden_hands
from web.seats.forms import OrderValue
from web.seats.hidden_hands import ClosedHands, SeatLink

RADIOS = 8
"""The largest number of values that are shown as radio buttons. More values are a list."""
WHEN = {
    StandingOrders.AT_ONCE: pgettext_lazy("seats", "at once"),
    StandingOrders.CLOCK: gettext_lazy("when my time has run out"),
}


@dataclass(frozen=True, slots=True)
class TypedOrder:
    """An order as it was typed into the form of its kind, and the error in it."""

    kind: str = ""
    values: Mapping[str, OrderValue] = field(default_factory=dict)
    when: str = StandingOrders.AT_ONCE
    place: int | None = None
    wrong: str = ""
    rule: str = ""
    status: int = 200


NOTHING_TYPED = TypedOrder()


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
    """An order that was skipped because its move was illegal at the time."""

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
        """Whether the values are shown as a list."""
        return not self.several and len(self.choices) > RADIOS


@dataclass(frozen=True, slots=True)
class OrderForm:
    """The form for an order of one kind."""

    key: str
    name: str
    about: str
    rule: str
    place: int | None
    """The place of the order that is being changed; None for a new order."""
    wrong: str
    wrong_rule: str
    parts: list[OrderPart]
    when: list[Choice]
    """When the order acts; empty if it always acts at once."""

    @property
    def verb(self) -> str:
        """The text of the button that sends the form."""
        return _("Give the order") if self.place is None else _("Save the order")


@dataclass(frozen=True, slots=True)
class Adviser:
    """A program that can suggest an order."""

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
    """The reason of a refusal that belongs to no form."""
    challenges: list[tuple[int, str]]
    """The challenges that are waiting for the reader: their numbers and addresses."""
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
    """The reason why no order can be added; empty if orders can be added."""
    is_closed: bool


def orders_page(
    table: TableContext,
    seat: str,
    form_values: TypedOrder = NOTHING_TYPED,
    suggestion: Suggestion | None = None,
) -> OrdersPage:
    """Return the page with the typed values, and with a program's suggestion."""
    kept = selectors.orders_of_seat(table.campaign, table.user, seat, table.places)
    mine = seat in table.own_seats
    given = kept.orders if kept is not None else []
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
        wrong=form_values.wrong if not form_values.kind else "",
        challenges=challenges(table, seat) if mine else [],
        version=kept.version if kept is not None else 0,
        orders=[
            given_order(table, place, order, form_values.place) for place, order in enumerate(given)
        ],
        empty_text=empty_text(table, mine),
        skips=[skipped_order(table, skip) for skip in skips],
        advisers=[] if is_closed else advisers(table, seat, level),
        advice_text=advice_text(mine),
        suggestion=suggestion,
        closed_hand=None if mine else hidden_hands.closed_hands(table, seat),
        forms=order_forms(table, seat, form_values, len(given)) if mine and not is_closed else [],
        when_help=when_help(table),
        full_text=full_text(len(given)),
        is_closed=is_closed,
    )


def audience_text(table: TableContext, seat: str) -> str:
    """Return a text about the users who can see the orders."""
    if seat in table.own_seats:
        return _("only you and the game master can see them")
    holders = ", ".join(table.holders(seat))
    return _("of %(holders)s; only the holder and you can see them") % {"holders": holders}


def challenges(table: TableContext, seat: str) -> list[tuple[int, str]]:
    """Return the challenges that are waiting for a seat."""
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
    """Return an explanation of the page, for a seat without orders."""
    if not mine:
        return _("The holder’s orders appear here.")
    if table.pages is not None:
        return _(
            "Decide now how your seat answers while you are away. No one else can see the order "
            "before it acts."
        )
    return _(
        "Decide now how your seat answers while you are away: accept or withdraw, where, with "
        "which cards. No one else can see the order before it acts."
    )


def given_order(
    table: TableContext, place: int, order: Mapping[str, Any], changed: int | None
) -> GivenOrder:
    """Return an order of the list; `changed` is the place of the order in the form."""
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
    """Return a sentence if the list is full; otherwise an empty text."""
    if orders < MOST:
        return ""
    return _("A seat can have up to %(most)s orders. Remove one before you give another.") % {
        "most": MOST
    }


def when_help(table: TableContext) -> str:
    """Return a sentence about orders that wait for the clock."""
    if clock_selectors.terms_of(table.campaign)[clock_selectors.ANSWER]:
        return _(
            "Your time has run out when the deadline for the answer has passed. Until then you "
            "can answer yourself."
        )
    return _(
        "Answers have no deadline here, so an order for when your time has run out would never act."
    )


# A program's advice


def advisers(table: TableContext, seat: str, chosen: str) -> list[Adviser]:
    """Return the programs that can suggest an order.

    The holder can ask them at any time, a game master while the holder is away.
    """
    is_away = any(away.begun for _name, away in table.absent.get(seat, ()))
    if seat not in table.own_seats and not is_away:
        return []
    advises = isinstance(table.title.players, SeatPlayers) and table.campaign.started
    levels = seating.levels(table.campaign) if advises else {}
    return [Adviser(level, level_word(level), level == chosen) for level in levels]


def advice_text(mine: bool) -> str:
    """Return a sentence about a program's advice."""
    if mine:
        return _(
            "A program looks at the table as this seat sees it and fills in an order. The order "
            "takes effect only when you give it."
        )
    return _(
        "A program looks at the table as this seat sees it. It does not give an order: to act on "
        "its advice, move for the seat on its page."
    )


# The forms


def order_forms(
    table: TableContext, seat: str, form_values: TypedOrder, given: int
) -> list[OrderForm]:
    """Return the forms of all kinds; if the list is full, only the form of a changed order."""
    forms = [
        order_form(kind, form_values if form_values.kind == kind.key else NOTHING_TYPED)
        for kind in selectors.order_kinds(table.campaign, seat)
    ]
    return [form for form in forms if given < MOST or form.place is not None]


def order_form(kind: OrderKind, form_values: TypedOrder) -> OrderForm:
    """Return the form for an order of a kind, with the typed values."""
    return OrderForm(
        key=kind.key,
        name=kind.name,
        about=kind.about,
        rule=kind.rule,
        place=form_values.place,
        wrong=form_values.wrong,
        wrong_rule=form_values.rule,
        parts=[order_part(part, form_values.values.get(part.key)) for part in kind.fields],
        when=(
            [Choice(key, str(name), form_values.when == key) for key, name in WHEN.items()]
            if kind.timed
            else []
        ),
    )


def order_part(part: OrderField, value: OrderValue | None) -> OrderPart:
    """Return a field of an order. The first value is chosen by default if there can be only one."""
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
    """Return links to the standing orders that the reader may open.

    These are those of their own seats, and for a game master those of every held seat.
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
