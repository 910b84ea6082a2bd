"""A scenario before it is played: its map, nations, starting values, provinces and own rules."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.utils.safestring import SafeString

from campaign.clocks.selectors import SLOT, TURN, terms_of
from campaign.log import positions
from campaign.log.acts.clocks import length_words
from campaign.models import Campaign
from engine.language import sentence
from games.contract.rules import HouseRule
from games.grand_campaign.drawing import atlas
from games.grand_campaign.drawing.drawing import brought_drawing, for_scenario
from games.grand_campaign.rules.scenario import Scenario
from games.grand_campaign.text import words
from games.grand_campaign.text.rule_changes import changes
from games.grand_campaign.text.start import (
    begins_with,
    land_of_nations,
    seat_facts,
    start_caption,
    what_players_do,
)
from games.grand_campaign.title import GrandCampaign
from web.seats.contract import Start
from web.titles.grand_campaign import maps

TEMPLATE = "titles/grand_campaign/_scenario.html"
ACCOUNTS = ("stability", "prestige", "income", "army")


@dataclass(frozen=True, slots=True)
class NationRow:
    """A nation with its army list and starting values."""

    key: str
    name: str
    army: str
    culture: str
    capital: str
    has_escort: bool
    provinces: int


@dataclass(frozen=True, slots=True)
class ScenarioPreview:
    """A scenario before it is played: map, nations, provinces, and the rules that differ."""

    map: atlas.FramedMap
    styles: Mapping[str, str]
    laid_out: bool
    """Whether the map was drawn from borders and sea routes."""
    nations: Sequence[NationRow]
    provinces: Sequence[atlas.ProvinceRow]
    start: Sequence[tuple[str, str]]
    """The starting levels of every nation: name and value of each account."""
    rules: Sequence[HouseRule]
    turns: int
    independent: int
    external: int
    borders: int
    routes: int
    template: str = TEMPLATE


def preview(raw: Mapping[str, object], drawing: str) -> ScenarioPreview:
    """Return a scenario for its page.

    Args:
        raw: A valid scenario.
        drawing: The text of its map, or empty for the title's own.
    """
    title = GrandCampaign()
    scenario, options = title.scenario(raw), title.options({})
    scenario = title.as_drawn(scenario, drawing) if drawing else scenario
    view = title.view(title.setup(scenario, options), None)
    state = atlas.from_record(view, [level.name for level in scenario.rules.fortifications])
    drawn = brought_drawing(drawing, raw) if drawing else for_scenario(raw)
    provinces = atlas.provinces_table(drawn, raw, state)
    styles = atlas.nation_styles(drawn, raw)
    return ScenarioPreview(
        map=atlas.framed_map(drawn, raw, state, links=False, file=maps.outlines_address(drawn)),
        styles={key: style for key, style in styles.items() if style},
        laid_out=drawn.laid_out,
        nations=nation_rows(scenario, provinces),
        provinces=provinces,
        start=[
            (words.book()["accounts"][key], _amount(key, scenario.start[key])) for key in ACCOUNTS
        ],
        rules=changes(scenario),
        turns=scenario.turns,
        independent=sum(row.group == "independent" for row in provinces),
        external=len(scenario.external),
        borders=len(scenario.borders),
        routes=len(scenario.routes),
    )


def nation_rows(scenario: Scenario, provinces: Sequence[atlas.ProvinceRow]) -> list[NationRow]:
    """Return the nations in the order of the scenario."""
    names = {row.key: row.name for row in provinces}
    return [
        NationRow(
            key=key,
            name=words.nation_name(scenario, key),
            army=nation.army,
            culture=words.book()["cultures"][nation.culture],
            capital=names[nation.capital],
            has_escort=nation.escort,
            provinces=sum(row.owner == key for row in provinces),
        )
        for key, nation in scenario.nations.items()
    ]


def invitation(campaign: Campaign, seat: str) -> Start:
    """Return the start of a campaign for an invited user.

    Args:
        campaign: The campaign.
        seat: The offered seat, whose land is lit, or empty if the user may choose.
    """
    scenario, drawing = positions.scenario(campaign), maps.drawing_for(campaign)
    view = campaign.game.view(positions.setup(campaign), None)
    state = atlas.from_record(view, [level.name for level in scenario.rules.fortifications])
    land = land_of_nations(scenario, state)
    lit = land.get(seat, [])
    window = atlas.window_on(drawing, lit, ratio=1.6) if lit else None
    caption = start_caption(scenario, seat)
    svg = atlas.map_svg(
        drawing,
        scenario.raw,
        state,
        highlight=lit,
        window=window,
        links=False,
        uid="start",
        title=caption,
        file=maps.outlines_address(drawing, campaign),
    )
    return Start(
        svg=SafeString(svg),  # The atlas has escaped it.
        crop=window is not None,
        caption=caption,
        begins={key: begins_with(scenario, key, len(provinces)) for key, provinces in land.items()},
        facts=seat_facts(scenario, seat, lit, state) if seat else [],
        does=what_players_do(scenario, lengths(campaign)),
    )


def lengths(campaign: Campaign) -> tuple[str, str] | None:
    """Return the lengths of a turn and of a slot in words, or None without deadlines."""
    terms = terms_of(campaign)
    turn, slot = terms[TURN], terms[SLOT]
    if turn is None or slot is None:
        return None
    return length_words(turn.length), length_words(slot.length)


def _amount(account: str, value: int) -> str:
    return sentence("{n}t", n=value) if account == "income" else str(value)
