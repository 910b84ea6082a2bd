"""The sheet of a province beside the map: its facts, neighbours and history, and possible moves."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import urlencode

from django.utils.translation import pgettext

from campaign.log import selectors
from campaign.models import GAME_MASTER
from games.contract.title import Offer
from games.grand_campaign.drawing.atlas import ProvinceRow
from games.grand_campaign.text import words
from nations.models import PlaceMove
from nations.projection import places_of
from web.frame.table import TableContext
from web.moves.forms import to_text
from web.moves.offers import SeatOffers


@dataclass(frozen=True, slots=True)
class Place:
    """A province that the sheet links to."""

    key: str
    name: str


@dataclass(frozen=True, slots=True)
class AttackHere:
    """The running battle for the province; `source_name` is empty for an insurrection."""

    number: int
    url: str
    attacker: str
    source_name: str


@dataclass(frozen=True, slots=True)
class PastEntry:
    """An entry of the log that changed the province."""

    number: int | None
    url: str
    text: str


@dataclass(frozen=True, slots=True)
class PossibleMove:
    """A move that the reader may make here; `nation` names the seat for a game master."""

    name: str
    detail: str
    cost: int | None
    url: str
    from_here: bool
    nation: str


@dataclass(frozen=True, slots=True)
class ProvinceSheet:
    """A province: its row of the table, and the facts that only its sheet shows.

    `siege_fails_to` is the highest roll at which a siege of the fortification fails. `fleet_from`
    is the turn from which a new fleet carries attacks. `moves` is None for a reader who cannot
    move.
    """

    row: ProvinceRow
    capital_name: str
    siege_fails_to: int
    fleet_from: int | None
    by_land: Sequence[Place]
    by_sea: Sequence[Place]
    attack: AttackHere | None
    was_attacked: bool
    is_source: bool
    history: Sequence[PastEntry]
    moves: Sequence[PossibleMove] | None

    @property
    def neighbours(self) -> list[tuple[str, Sequence[Place]]]:
        """Return the neighbouring provinces, by land and by sea, each group with a heading."""
        return [
            (pgettext("province", "By land"), self.by_land),
            (pgettext("province", "By sea"), self.by_sea),
        ]


def province_sheet(table: TableContext, row: ProvinceRow) -> ProvinceSheet:
    """Return the sheet of a province."""
    levels = table.scenario.rules.fortifications
    holding = table.view["provinces"][row.key]
    fleet_from = holding.get("fleets_from")
    return ProvinceSheet(
        row=row,
        capital_name=table.name_of(row.capital_of) if row.capital_of else "",
        siege_fails_to=levels[row.level - 1].holds if row.level else 0,
        fleet_from=fleet_from if fleet_from and fleet_from > table.campaign.turn else None,
        by_land=places(table, row.by_land),
        by_sea=places(table, row.by_sea),
        attack=attack_on(table, row.key),
        was_attacked=row.key in table.view["attacked"],
        is_source=row.key in table.view["sources"],
        history=history(table, row.key),
        moves=possible_moves(table, row.key) if reader_has_moves(table) else None,
    )


def places(table: TableContext, keys: Sequence[str]) -> list[Place]:
    return [Place(key, words.province_name(table.scenario, key)) for key in keys]


def attack_on(table: TableContext, province: str) -> AttackHere | None:
    """Return the running battle for a province."""
    for attack in table.view["attacks"]:
        if attack["status"] != "resolved" and attack["target"] == province:
            source = attack["from"]
            return AttackHere(
                number=attack["id"],
                url=table.url("battle", attack["id"]),
                attacker=table.name_of(attack["attacker"]),
                source_name=words.province_name(table.scenario, source) if source else "",
            )
    return None


def history(table: TableContext, province: str) -> list[PastEntry]:
    """Return the entries in force that changed a province, oldest first.

    Only what the reader may see is included.
    """
    entries = selectors.entries(table.campaign, table.user).filter(
        struck_by=None,
        number__isnull=False,
        pk__in=PlaceMove.objects.filter(campaign=table.campaign, place=province).values("entry"),
    )
    past = []
    for entry in reversed(entries):
        texts = [
            table.sentence(effect.cause)
            for effect in entry.all_effects
            if table.access.sees(effect.audience) and province in places_of(effect)
        ]
        if texts:
            text = "; ".join(dict.fromkeys(texts))
            past.append(PastEntry(entry.number, table.url("entry", entry.number), text))
    return past


# The moves that a reader may make in a province now: the offers whose fields may name it, each with
# a link to its filled form.


def reader_has_moves(table: TableContext) -> bool:
    """Return whether the reader makes moves in this campaign.

    Only for such a reader does the page mention that no move is possible now.
    """
    acts = bool(table.own_seats or table.game_master)
    return acts and table.campaign.started and not table.campaign.ended


def possible_moves(table: TableContext, province: str) -> list[PossibleMove]:
    """Return the moves that may name a province, in the order of the nation's page.

    A game master gets those of the nation whose slot is open.
    """
    seats = table.own_seats
    if not seats and table.game_master and table.campaign.active_seat:
        seats = (table.campaign.active_seat,)
    return [
        move
        for seat in seats
        if seat != GAME_MASTER
        for move in moves_of_seat(table, seat, province)
    ]


def moves_of_seat(table: TableContext, seat: str, province: str) -> Iterator[PossibleMove]:
    """Yield the moves of a seat that may name a province."""
    seat_offers = SeatOffers(table, seat)
    for offer in seat_offers.offers:
        chosen = next(choices(offer, province), None)
        if chosen is None:
            continue
        fields = {key: to_text(value) for key, value in chosen.items()}
        query = urlencode({"open": offer.key, **fields})
        role = next(key for key, value in chosen.items() if value == province)
        yield PossibleMove(
            name=seat_offers.words.offer_name(offer),
            detail=seat_offers.words.offer_sub(offer),
            cost=offer.cost,
            url=f"{table.url('nation', seat)}?{query}#o-{offer.key}",
            from_here=role == "from",
            nation=table.name_of(seat) if table.game_master else "",
        )


def choices(offer: Offer, province: str) -> Iterator[Mapping[str, object]]:
    """Yield each way to fill the province fields of an offer that names this province."""
    if offer.refusal is not None:
        return
    fields = [field.key for field in offer.fields if field.kind == "province"]
    yield from choices_of_fields(offer, fields, {}, province)


def choices_of_fields(
    offer: Offer, fields: Sequence[str], chosen: Mapping[str, object], province: str
) -> Iterator[Mapping[str, object]]:
    """Yield the ways to fill these fields up to this province, after the `chosen` values."""
    if not fields:
        return
    first, *others = fields
    allowed = offer.values(first, chosen) or ()
    if province in allowed:
        yield {**chosen, first: province}
        return
    for value in allowed:
        yield from choices_of_fields(offer, others, {**chosen, first: value}, province)
