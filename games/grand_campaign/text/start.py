"""The start of a campaign in words: the nations' possessions, and the players' tasks."""

from __future__ import annotations

from collections.abc import Sequence

from engine.language import gettext as _
from engine.language import ngettext, pgettext, sentence
from games.grand_campaign.drawing.atlas.state import State
from games.grand_campaign.rules.scenario import Scenario
from games.grand_campaign.text import words


def land_of_nations(scenario: Scenario, state: State) -> dict[str, list[str]]:
    """Return the provinces of each nation."""
    land: dict[str, list[str]] = {key: [] for key in scenario.nations}
    for key, holding in state["provinces"].items():
        if holding["owner"] is not None:
            land[holding["owner"]].append(key)
    return land


def start_caption(scenario: Scenario, seat: str) -> str:
    """Return the text below the map of the start."""
    if not seat:
        return _("The nations at the start")
    return sentence(_("{nation:The} at the start"), nation=words.nation_name(scenario, seat))


def begins_with(scenario: Scenario, seat: str, provinces: int) -> str:
    """Return the provinces and the capital of a nation at the start, as a phrase."""
    text = ngettext(
        "{n} province, capital {capital}", "{n} provinces, capital {capital}", provinces
    )
    capital = words.province_name(scenario, scenario.nations[seat].capital)
    return sentence(text, n=provinces, capital=capital)


def seat_facts(
    scenario: Scenario, seat: str, land: Sequence[str], state: State
) -> list[tuple[str, str]]:
    """Return a nation's starting facts, as labels and texts."""
    nation = scenario.nations[seat]
    points = scenario.given.get(seat, {}).get("army", scenario.start["army"])
    neighbours = [words.nation_name(scenario, key) for key in neighbours_of(scenario, land, state)]
    army = _("%(army)s, %(points)s points") % {"army": nation.army, "points": points}
    return [
        (pgettext("start", "Capital"), words.province_name(scenario, nation.capital)),
        (pgettext("start", "Provinces"), str(len(land))),
        (pgettext("start", "Army"), army),
        (_("Neighbours by land"), ", ".join(neighbours) or _("none at the start")),
    ]


def neighbours_of(scenario: Scenario, land: Sequence[str], state: State) -> list[str]:
    """Return the nations with land beside these provinces, in the order of the scenario."""
    provinces = state["provinces"]
    beside = {near for key in land for near in scenario.land[key]} - set(land)
    owners = {provinces[key]["owner"] for key in beside}
    return [key for key in scenario.order if key in owners]


def what_players_do(scenario: Scenario, times: tuple[str, str] | None) -> str:
    """Return what a player does, and in how much time.

    `times` has the lengths of a turn and of a slot in words, or is None without deadlines.
    """
    actions = words.amount(scenario.rules.actions(scenario.start["income"]))
    if times is None:
        return _(
            "Once in each turn of the campaign it is your nation’s turn: with %(actions)s at the "
            "start, you build, play a card or announce an attack. That takes about 20 minutes, "
            "whenever you like. Battles are then fought in Field of Glory II, one evening each."
        ) % {"actions": actions}
    text = _(
        "Once in %(turn)s it is your nation’s turn: with %(actions)s at the start, you build, "
        "play a card or announce an attack. That takes about 20 minutes, whenever you like within "
        "%(slot)s. Battles are then fought in Field of Glory II, one evening each."
    )
    turn, slot = times
    return text % {"actions": actions, "turn": turn, "slot": slot}
