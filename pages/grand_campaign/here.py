"""What a reader may do in a province now: the offers whose fields may name it, each a link to its form filled in."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from web.moves import to_text
from web.views.common import GAME_MASTER
from web.views.nation import Desk

if TYPE_CHECKING:
    from engine.title import Offer
    from web.views.common import TableContext


def here(table: TableContext, province: str) -> list[dict[str, Any]]:
    """The offers, in the order of the nation's page; of a game master those of the nation whose slot is open.

    A player who may do something, only not here, or nothing at all now, is told so by an empty list.
    """
    seats = table.own_seats or ((table.campaign.active_seat,) if table.game_master and table.campaign.active_seat else ())
    made = []
    for seat in seats:
        if seat == GAME_MASTER:
            continue
        desk = Desk(table, seat)
        for offer in desk.offers:
            for chosen in list(_choices(offer, province))[:1]:
                query = urlencode({"open": offer.key, **{key: to_text(value) for key, value in chosen.items()}})
                role = next(key for key, value in chosen.items() if value == province)
                made.append({
                    "name": desk.talk.offer_name(offer),
                    "sub": desk.talk.offer_sub(offer),
                    "from_here": role == "from",
                    "cost": offer.cost,
                    "url": f"{table.url('nation', seat)}?{query}#o-{offer.key}",
                    "seat": seat, "nation": table.name_of(seat) if table.game_master else "",
                })  # fmt: skip
    return made


def _choices(offer: Offer, province: str) -> Iterator[Mapping[str, Any]]:
    """The ways to fill the fields for provinces of an offer, up to the one that names this province."""
    if offer.refusal is not None:
        return
    fields = [one for one in offer.fields if one.kind == "province"]

    def after(chosen: dict[str, Any], at: int) -> Iterator[Mapping[str, Any]]:
        if at == len(fields):
            return
        allowed = offer.values(fields[at].key, chosen) or ()
        if province in allowed:
            yield {**chosen, fields[at].key: province}
            return
        for value in allowed:
            yield from after({**chosen, fields[at].key: value}, at + 1)

    yield from after({}, 0)
