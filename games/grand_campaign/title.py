"""The Grand Campaign as a title."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.errors import IllegalMove, MalformedRecord
from engine.record import only_keys
from engine.title import Account
from games.grand_campaign import battles, cards, construction, corrections, fiscal, military, trade, turn
from games.grand_campaign.form import GrandMove, decode
from games.grand_campaign.position import Options, Position
from games.grand_campaign.purposes import check_roll
from games.grand_campaign.scenario import Scenario, read_scenario
from games.grand_campaign.state import state

CHAPTERS = (turn, construction, fiscal, military, cards, trade, battles, corrections)
"""Importing a chapter registers its moves."""


class GrandCampaign:
    """See `engine.title.Title` for what each of these promises."""

    key = "grand_campaign"
    name = "420 AD Grand Campaign"
    format = "grand-campaign/1"
    accounts = (
        Account("stability", "stability"),
        Account("prestige", "prestige"),
        Account("income", "income", "t"),
        Account("army", "army"),
        Account("victory_points", "VP"),
        Account("actions", "actions", "", 2),
    )

    def scenario(self, raw: object) -> Scenario:
        return read_scenario(raw)

    def options(self, raw: object) -> Options:
        parts = only_keys("options", raw, {"hands", "external_attacks"})
        hands, external = parts.get("hands", "open"), parts.get("external_attacks", False)
        if hands not in ("open", "hidden"):
            raise MalformedRecord("options.hands", "must be open or hidden")
        if type(external) is not bool:
            raise MalformedRecord("options.external_attacks", "must be true or false")
        return Options(hands == "hidden", external)

    def last_link(self, scenario: Scenario) -> int:
        return scenario.turns

    def check_roll(self, scenario: Scenario, options: Options, purpose: str, value: object) -> None:
        check_roll(scenario, purpose, value)

    def setup(self, scenario: Scenario, options: Options) -> Position:
        return Position(scenario, options)

    def decode(self, raw: object, position: Position) -> GrandMove:
        return decode(raw, position)

    def state(self, position: Position) -> dict[str, Any]:
        return state(position)

    def refusal(self, scenario: Scenario, refusal: IllegalMove) -> str:
        return str(refusal)

    def scenarios(self) -> Mapping[str, Mapping[str, Any]]:
        return {}
