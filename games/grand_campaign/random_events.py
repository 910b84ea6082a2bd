"""Random events of turns 2, 4 and 6 (5)."""

from __future__ import annotations

from engine.effects import Say
from games.grand_campaign.construction import build_free, destroy
from games.grand_campaign.position import Position
from games.grand_campaign.tables import table


def random_event(position: Position, who: str, roll: int) -> None:
    """What the roll brings the nation, at once; gained or lost actions count when its slot opens (3.2)."""
    event = position.rules.event(roll)
    nation = position.nations[who]
    nation.event = event
    cause = Say(f"event-{event}", "5")
    position.note("event", who, event, cause, roll=roll)
    if event == "earthquake":
        standing = [s for s in position.rules.track(_culture(position, who), "religious") if s.name in nation.structures]
        if standing:
            destroy(position, who, standing[-1], cause)
    elif event == "commercial-efforts":
        missing = [s for s in position.rules.track(_culture(position, who), "commercial") if s.name not in nation.structures]
        if missing:
            build_free(position, who, missing[0], cause)
    else:
        account, amount = table("effects")["events"][event]
        if type(amount) is str:
            talents = position.rules.talents[amount.removeprefix("-")]
            amount = -talents if amount.startswith("-") else talents
        if account == "actions":
            nation.event_actions = amount
        else:
            position.change(who, account, amount, cause)


def _culture(position: Position, who: str) -> str:
    return position.scenario.nations[who].culture
