"""A scenario before anybody plays it: its map, its nations with what they begin with, its provinces, its own rules."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.language import sentence
from games.grand_campaign.drawing.drawing import SCENARIOS, brought_drawing, for_scenario
from games.grand_campaign.rules.scenario import shipped
from games.grand_campaign.text import words
from games.grand_campaign.title import GrandCampaign
from web.titles.grand_campaign import atlas
from web.titles.grand_campaign.founding import changes

TEMPLATE = "titles/grand_campaign/_scenario.html"
ACCOUNTS = ("stability", "prestige", "income", "army")


def context(raw: Mapping[str, Any], drawing: str, options: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """What the page of a scenario shows; `raw` is one that the title reads, `drawing` the text of its map ("": the title's)."""
    title = GrandCampaign()
    scenario, chosen = title.scenario(raw), title.options(options or {})
    view = title.view(title.setup(scenario, chosen), None)
    state = atlas.from_record(view, [level.name for level in scenario.rules.fortifications])
    drawn = brought_drawing(drawing, raw) if drawing else for_scenario(raw)
    provinces = atlas.provinces_table(drawn, raw, state)
    styles = atlas.nation_styles(drawn, raw)
    called = {row["key"]: row["name"] for row in provinces}
    nations = [
        {
            "key": key, "name": words.nation_name(scenario, key), "army": one.army,
            "culture": words.book()["cultures"][one.culture], "capital": called[one.capital], "escort": one.escort,
            "provinces": sum(row["owner"] == key for row in provinces),
        }
        for key, one in scenario.nations.items()
    ]  # fmt: skip
    independent = sum(row["group"] == "independent" for row in provinces)
    return {
        "map": atlas.map_context(drawn, raw, state, links=False),
        "styles": {key: style for key, style in styles.items() if style},
        "laid_out": drawn.laid_out,
        "nations": nations,
        "provinces": provinces,
        "start": [(words.book()["accounts"][key], _amount(key, scenario.start[key])) for key in ACCOUNTS],
        "rules": changes(scenario, chosen),
        "turns": scenario.turns,
        "independent": independent,
        "external": len(scenario.external),
        "borders": len(scenario.borders),
        "routes": len(scenario.routes),
    }


def drawing_of(raw: Mapping[str, Any]) -> str:
    """The text of the drawing that is shipped with a scenario; empty where none is."""
    file = SCENARIOS / str(raw["key"]) / "drawing.json"
    return file.read_text("utf-8") if raw["key"] in shipped() and file.is_file() else ""


def _amount(account: str, value: int) -> str:
    return sentence("{n}t", n=value) if account == "income" else str(value)
