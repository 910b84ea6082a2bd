"""A scenario before anybody plays it: its map, its nations with what they begin with, its
provinces, its own rules.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from campaign.clocks.selectors import SLOT, TURN, terms_of
from campaign.log import positions
from campaign.log.texts import length_words
from campaign.models import Campaign
from engine.language import sentence
from games.grand_campaign.drawing.drawing import SCENARIOS, brought_drawing, for_scenario
from games.grand_campaign.rules.scenario import Scenario, shipped
from games.grand_campaign.text import words
from games.grand_campaign.title import GrandCampaign
from web.titles.grand_campaign import atlas
from web.titles.grand_campaign.rule_changes import Change, changes

TEMPLATE = "titles/grand_campaign/_scenario.html"
ACCOUNTS = ("stability", "prestige", "income", "army")


@dataclass(frozen=True, slots=True)
class NationRow:
    """A nation with its army list, and what it begins with."""

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
    """What every nation begins with: name and value of each account."""
    rules: Sequence[Change]
    turns: int
    independent: int
    external: int
    borders: int
    routes: int
    template: str = TEMPLATE


def preview(raw: Mapping[str, Any], drawing: str) -> ScenarioPreview:
    """Return what the page of a scenario shows.

    Args:
        raw: A scenario that the title reads.
        drawing: The text of its map; empty for the title's own.
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
        map=atlas.framed_map(drawn, raw, state, links=False, file=atlas.outlines_address(drawn)),
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


def invitation(campaign: Campaign, seat: str) -> dict[str, Any]:
    """What who is invited sees of the start: the map, the seat's land lit or all nations, what a
    seat begins with, and what a player does, in a sentence. `seat` is empty where one may choose.
    """
    scenario, drawing = positions.scenario(campaign), atlas.drawing_for(campaign)
    view = campaign.game.view(positions.setup(campaign), None)
    state = atlas.from_record(view, [level.name for level in scenario.rules.fortifications])
    land: dict[str, list[str]] = {key: [] for key in scenario.nations}
    for key, holding in state["provinces"].items():
        if holding["owner"] is not None:
            land[holding["owner"]].append(key)
    mine = land.get(seat, [])
    window = atlas.window_on(drawing, mine, ratio=1.6) if mine else None
    name = words.nation_name(scenario, seat) if seat else ""
    caption = (
        sentence(_("{nation:The} at the start"), nation=name)
        if seat
        else _("The nations at the start")
    )
    return {
        "map": {
            "svg": atlas.map_svg(
                drawing,
                scenario.raw,
                state,
                highlight=mine,
                window=window,
                links=False,
                uid="start",
                title=caption,
                file=atlas.outlines_address(drawing, campaign),
            )
        },
        "crop": window is not None,
        "caption": caption,
        "begins": {key: _begins(scenario, key, len(provinces)) for key, provinces in land.items()},
        "facts": _seat_facts(scenario, seat, mine, view) if seat else [],
        "does": _does(campaign, scenario),
    }


def _begins(scenario: Scenario, seat: str, provinces: int) -> str:
    text = ngettext(
        "{n} province, capital {capital}", "{n} provinces, capital {capital}", provinces
    )
    return sentence(
        text, n=provinces, capital=words.province_name(scenario, scenario.nations[seat].capital)
    )


def _seat_facts(
    scenario: Scenario, seat: str, mine: list[str], view: Mapping[str, Any]
) -> list[tuple[str, str]]:
    one = scenario.nations[seat]
    beside = {view["provinces"][near]["owner"] for key in mine for near in scenario.land[key]} - {
        None,
        seat,
    }
    points = {
        "army": one.army,
        "points": scenario.given.get(seat, {}).get("army", scenario.start["army"]),
    }
    names = [words.nation_name(scenario, key) for key in scenario.order if key in beside]
    return [
        (_("Capital"), words.province_name(scenario, one.capital)),
        (_("Provinces"), str(len(mine))),
        (_("Army"), _("%(army)s, %(points)s points") % points),
        (_("Neighbours by land"), ", ".join(names) or _("none at the start")),
    ]


def _does(campaign: Campaign, scenario: Scenario) -> str:
    """What a player does, and in what time."""
    terms, actions = (
        terms_of(campaign),
        words.amount(scenario.rules.actions(scenario.start["income"])),
    )
    turn, slot = terms[TURN], terms[SLOT]
    if turn is None or slot is None:
        return _(
            "Once a turn your slot opens: with %(actions)s at the start you build, play a card,"
            " announce an attack. That takes about 20 minutes, whenever you like. Battles are then"
            " fought in Field of Glory II, an evening each."
        ) % {"actions": actions}
    text = _(
        "Once in %(turn)s your slot opens: with %(actions)s at the start you build, play a card,"
        " announce an attack. That takes about 20 minutes, whenever you like within %(slot)s."
        " Battles are then fought in Field of Glory II, an evening each."
    )
    return text % {
        "actions": actions,
        "turn": length_words(turn.length),
        "slot": length_words(slot.length),
    }


def drawing_of(raw: Mapping[str, Any]) -> str:
    """The text of the drawing that is shipped with a scenario; empty where none is."""
    file = SCENARIOS / str(raw["key"]) / "drawing.json"
    return file.read_text("utf-8") if raw["key"] in shipped() and file.is_file() else ""


def _amount(account: str, value: int) -> str:
    return sentence("{n}t", n=value) if account == "income" else str(value)
