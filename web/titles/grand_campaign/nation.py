"""The page of a nation of the Grand Campaign: sheet, cards on the table, the map of a form."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import urlencode

from django.forms import BoundField
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from games.grand_campaign.drawing import atlas
from games.grand_campaign.rules.position import Attack
from games.grand_campaign.text import nation_sheet
from games.grand_campaign.text.nation_sheet import CardInHand, Fact, Hand, Track, View, card_in_hand
from games.grand_campaign.text.words import fall_text
from web.frame.table import TableContext
from web.moves.forms import OfferForm
from web.moves.offers import OfferCard
from web.nation.contract import (
    ChallengeText,
    MapCrop,
    TitlePart,
)
from web.templatetags.tabula import nation as nation_tag
from web.templatetags.tabula import put as with_names
from web.titles.grand_campaign import maps
from web.titles.grand_campaign.table import state_of


@dataclass(frozen=True, slots=True)
class Truce:
    """A truce with another nation, to the end of a turn."""

    seat: str
    name: str
    until: int


@dataclass(frozen=True, slots=True)
class NationDetails:
    """The facts that `titles/grand_campaign/_nation.html` shows."""

    hand: Hand
    on_table: list[CardInHand]
    tracks: list[Track]
    works: list[Fact]
    truces: list[Truce]


def title_part(table: TableContext, seat: str) -> TitlePart:
    """Return the part of a nation's page that only this title has."""
    sees_hand = seat in table.own_seats
    if not sees_hand and table.access.open_hands is not None:
        sees_hand = table.access.opens(seat)
    position, scenario = table.position, table.scenario
    view = table.title.view(position, seat) if sees_hand else table.view
    nation = view["nations"][seat]
    gauges = nation_sheet.Gauges(position, seat, view, has_ended=table.campaign.ended)
    return TitlePart(
        template="titles/grand_campaign/_nation.html",
        details=NationDetails(
            hand=nation_sheet.hand(position, seat, view, is_own=seat in table.own_seats),
            on_table=on_table(table, seat, view),
            tracks=nation_sheet.tracks(scenario, seat, nation),
            works=nation_sheet.works(scenario, seat, view, nation),
            truces=truces(table, seat, view),
        ),
        facts=nation_sheet.facts(scenario, seat, view),
        fallen=fall_text(position.nations[seat]),
        purse_rule="3.2",
        account_notes={
            account.key: gauges.note_on(account.key) for account in table.title.accounts
        },
        scripts=("js/map.js",),
    )


def challenge_text(table: TableContext, number: int) -> ChallengeText:
    """Return the attack that waits for an answer, in words."""
    attack: Attack = table.position.attacks[number - 1]
    return ChallengeText(
        title=nation_sheet.challenge_title(table.scenario, attack),
        text=", ".join(nation_sheet.attack_parts(table.scenario, table.position, attack)),
        url=table.url("battle", number),
    )


def on_table(table: TableContext, seat: str, view: View) -> list[CardInHand]:
    """Return the cards that nations have put on the table."""
    rules = table.scenario.rules
    return [
        card_in_hand(rules, card, offered_by(table, seat, owner))
        for owner, nation in view["nations"].items()
        for card in nation["table"]
    ]


def offered_by(table: TableContext, seat: str, owner: str) -> SafeString | str:
    """Return how long the nation itself offers a card, or which other nation offers it."""
    if owner == seat:
        return _("offered until their next turn")
    return with_names(_("from {nation}"), nation=nation_tag(owner, table.name_of(owner)))


def truces(table: TableContext, seat: str, view: View) -> list[Truce]:
    """Return the truces of this nation that are in force."""
    return [
        Truce(other, table.name_of(other), truce["until"])
        for truce in view["truces"]
        if seat in truce["nations"] and truce["until"] >= view["turn"]
        for other in truce["nations"]
        if other != seat
    ]


# The map beside an open form. It highlights the provinces that can be chosen in the form; a click
# on a province fills the field.


@dataclass(frozen=True, slots=True)
class ProvinceFields:
    """The fields of an open form that name provinces: the last is the target of the move."""

    form: OfferForm
    fields: list[BoundField]

    @property
    def goal(self) -> BoundField:
        return self.fields[-1]

    def values(self, field: BoundField) -> list[str]:
        return [choice.value for choice in self.form.choices(field.name)]

    @property
    def by_province(self) -> dict[str, BoundField]:
        """Return the field that the choice of a province fills."""
        return {value: field for field in self.fields for value in self.values(field)}

    @property
    def chosen(self) -> dict[str, str]:
        return {field.name: str(field.value()) for field in self.fields}


def crop(table: TableContext, card: OfferCard, here: str) -> MapCrop | None:
    """Return a map of the provinces that the open form can choose, or None if it chooses none.

    The provinces of the last field are lit, those of the fields before it are marked as starting
    points. Each is a link to the page with the present form and this province in its field.
    """
    fields = card.form.of_kind("province") if card.form is not None else []
    if card.form is None or not fields:
        return None
    provinces = ProvinceFields(card.form, fields)
    goals, means, chosen = provinces.values(provinces.goal), provinces.by_province, provinces.chosen
    goal = chosen[provinces.goal.name]
    first = chosen.get("from") or goal or None
    drawing = maps.drawing_for(table.campaign)
    queries = {key: form_query(card, field, key) for key, field in means.items()}
    shown = atlas.framed_map(
        drawing,
        table.scenario.raw,
        state_of(table),
        highlight=goals,
        starts=[key for key in means if key not in goals],
        selected=first if "from" in chosen else None,
        target=goal if len(fields) > 1 else first,
        window=atlas.window_on(drawing, {*goals, *([first] if first else [])}),
        links=lambda key: f"{here}?{queries[key]}#{card.ident}" if key in queries else "",
        fills={key: str(field.auto_id) for key, field in means.items()},
        title=_("The provinces that this move may concern. The fields below show the same."),
        uid="n",
        file=maps.outlines_address(drawing, table.campaign),
    )
    return MapCrop(SafeString(shown.svg), shown.style, laid_out=shown.laid_out)


def form_query(card: OfferCard, meant: BoundField, province: str) -> str:
    """Return the form as a query with this province in a field.

    The fields that depend on this field are left out.
    """
    depends = {
        field.key
        for field in card.offer.fields
        if meant.name in field.depends and field.kind == "province"
    }
    pairs = [("open", card.offer.key)]
    for field in card.fields:
        if field.name == meant.name:
            pairs.append((field.name, province))
        elif field.name not in depends:
            pairs += field_pairs(field)
    return urlencode(pairs)


def field_pairs(field: BoundField) -> list[tuple[str, str]]:
    """Return a field as pairs of a query, as its form would post it."""
    value = field.value()
    if isinstance(value, list):
        return [(field.name, str(item)) for item in value]
    if isinstance(value, dict):
        return [(f"{field.name}.{name}", text) for name, text in value.items()]
    if isinstance(value, bool):
        return [(field.name, "true")] if value else []
    return [(field.name, str(value))] if value else []
