"""The game master's desk in the Grand Campaign: what opening a turn will do (1.2, 1.3), and the tools for sheets (13)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext as _

from campaign.audience import GAME_MASTER
from engine.language import sentence
from games.contract.title import Field, Offer
from games.grand_campaign.rules.offers import by_name
from games.grand_campaign.text.words import nation_name

if TYPE_CHECKING:
    from web.shell.campaign_page import TableContext


Values = Callable[[Mapping[str, Any]], Sequence[Any] | None]


def opening(table: TableContext) -> list[tuple[str, str]]:
    """Sentences with their rules: what the start or the next turn throws and opens."""
    position, scenario = table.position, table.scenario
    standing = [key for key in scenario.order if not position.nations[key].fallen]
    if position.phase == "setup":
        count = len(scenario.order)
        return [
            (sentence(_("A d{n} picks who opens turn 1."), n=count), "1.2"),
            (sentence(_("{n} cards are drawn, d{die} each."), n=count, die=position.rules.die), "1.3"),
            (_("From then on scenario, options and seed stand."), ""),
        ]
    turn = position.turn + 1
    told = [(sentence(_("{n} cards are drawn, d{die} each."), n=len(standing), die=position.rules.die), "1.3")]
    if turn in position.rules.event_turns:
        told.append((sentence(_("{n} random events are rolled."), n=len(standing)), "1.3"))
    told.append((sentence(_("The slot of the {nation} opens."), nation=nation_name(scenario, _opener(table, turn))), "1.2"))
    if not position.options.hidden:
        told.append((sentence(_("Link {n} of the dice is published."), n=position.turn), ""))
    return told


def _opener(table: TableContext, turn: int) -> str:
    """Who opens this turn: by the rotation, fallen nations passed over (1.2)."""
    keys, position = list(table.scenario.order), table.position
    place = (position.opener + turn - 2) % len(keys)
    return next(key for key in keys[place:] + keys[:place] if not position.nations[key].fallen)


def corrections(table: TableContext, typed: Any) -> list[Offer]:
    """The tools for what stands on a sheet beside its accounts: structures, assets, fortification, fleet. They show how it
    stands with the nation that was typed."""
    position, scenario = table.position, table.scenario
    offers = table.title.offers(position, GAME_MASTER)
    refusal = next((one.refusal for one in offers if one.move == "adjust"), None)
    standing = [key for key, nation in position.nations.items() if not nation.fallen]
    held = [key for key, owner in position.owner.items() if owner and not position.under_attack(key)]
    if not standing or not held:
        return []
    chosen = typed.get("nation") if typed.get("nation") in standing else standing[0]
    nation, culture = position.nations[chosen], scenario.nations[chosen].culture
    levels = [row.name for row in scenario.rules.fortifications]
    coast = [key for key in held if scenario.provinces[key].maritime]

    def built(key: str) -> str | None:
        level = position.fortification.get(key, 0)
        return levels[level - 1] if level else None

    def offer(move: str, fields: Sequence[Field], values: Mapping[str, Values]) -> Offer:
        listed = (*fields, Field("reason", "text"))
        known: dict[str, Values] = {**values, "reason": lambda _given: None}
        return Offer(
            move, move, "correction", GAME_MASTER, GAME_MASTER, {}, listed, None, refusal, lambda key, given: known[key](given)
        )

    def of_sheet(key: str, kind: str, now: Any) -> Field:
        return Field(key, kind, True, now, ("nation",))

    every = list(scenario.rules.structures[culture])
    return [
        offer("set-structures", [Field("nation", "nation"), of_sheet("structures", "cards", tuple(nation.structures))],
              {"nation": lambda _given: standing, "structures": lambda _given: [every]}),
        offer("set-assets", [Field("nation", "nation"), of_sheet("barracks", "choice", nation.barracks),
                             of_sheet("siege_trains", "number", nation.siege_trains)],
              {"nation": lambda _given: standing, "barracks": lambda _given: [True, False], "siege_trains": lambda _given: None}),
        offer("set-fortification", [Field("province", "province"), Field("fortification")],
              {"province": lambda _given: by_name(position, held), "fortification": lambda given:
                  [one for one in (*levels, None) if one != built(given.get("province", ""))]}),
        offer("set-fleet", [Field("province", "province"), Field("fleet")],
              {"province": lambda _given: by_name(position, coast),
               "fleet": lambda given: [given.get("province") not in position.fleets]}),
    ]  # fmt: skip
