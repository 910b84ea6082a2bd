"""Thresholds, crumbling and falling (2.1 to 2.9)."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from engine.effects import Say
from games.grand_campaign.tables import table

if TYPE_CHECKING:
    from games.grand_campaign.rules.position import Attack, Position

WATCHED = frozenset({"stability", "prestige", "income"})
LEVELS = ("stability", "prestige", "income")
CRUMBLES_AT = 1


class Threshold(NamedTuple):
    """A level of an account (`watched` is its place in LEVELS) whose crossing downwards changes another account."""

    watched: int
    level: int
    account: str
    change: int
    cause: Say


THRESHOLDS = tuple(
    Threshold(LEVELS.index(watched), level, account, change, Say(f"threshold-{watched}-{level}", rule))
    for watched, level, account, change, rule in table("effects")["thresholds"]
)
WATCHES = tuple((one.watched, one.level, one) for one in THRESHOLDS)


def fired(before: tuple[int, int, int], now: tuple[int, int, int]) -> list[Threshold]:
    """The thresholds crossed downwards between two states of (stability, prestige, income)."""
    if before[0] <= now[0] and before[1] <= now[1] and before[2] <= now[2]:
        return []
    return [threshold for watched, level, threshold in WATCHES if before[watched] > level >= now[watched]]


def would_crumble(position: Position, who: str, account: str, change: int) -> bool:
    """Would this change crumble the nation by its whole cascade (3.6)?"""
    nation = position.nations[who]
    values = [nation.stability, nation.prestige, nation.income]
    before = (values[0], values[1], values[2])
    values[LEVELS.index(account)] = max(0, values[LEVELS.index(account)] + change)
    now = (values[0], values[1], values[2])
    start = before[0]
    while crossed := fired(before, now):
        before = now
        for threshold in crossed:
            at = LEVELS.index(threshold.account)
            values[at] = max(0, values[at] + threshold.change)
        now = (values[0], values[1], values[2])
    return start > CRUMBLES_AT >= now[0]


def settle(position: Position) -> None:
    """Let thresholds cascade until nothing fires, then crumble, then let nations without provinces fall (2.6)."""
    before = position.before
    assert before is not None
    crumbling = []
    for key in sorted(before) if len(before) > 1 else before:
        nation = position.nations[key]
        was = before[key]
        start = was[0]
        now = (nation.stability, nation.prestige, nation.income)
        while crossed := fired(was, now):
            was = now
            for threshold in crossed:
                position.change(key, threshold.account, threshold.change, threshold.cause)
            now = (nation.stability, nation.prestige, nation.income)
        if start > CRUMBLES_AT >= now[0] and not nation.fallen:
            crumbling.append(key)
    for key in crumbling:
        fall(position, key, Say("crumbles", "2.3", {"nation": key}))
    if position.bereft:
        for key in sorted(position.bereft):
            if not position.nations[key].fallen and key not in position.owner.values():
                fall(position, key, Say("without-provinces", "2.9", {"nation": key}))
        position.bereft.clear()


def fall(position: Position, who: str, cause: Say) -> None:
    """A nation crumbles or has fallen: provinces independent, cards gone, attacks lapsed (2.3, 2.9)."""
    nation = position.nations[who]
    nation.fallen = True
    position.note("seat", who, "fallen", cause)
    for province, owner in position.owner.items():
        if owner == who:
            position.set_owner(province, None, cause)
    for zone in ("hand", "table"):
        audience = position.private(who) if zone == "hand" else None
        for card in list(getattr(nation, zone)):
            position.lose_card(who, card, cause, audience, zone)
    for attack in position.running:
        if who in (attack.attacker, attack.defender):
            lapse(position, attack, cause)
    position.running = [attack for attack in position.running if attack.status != "resolved"]
    for attack in position.running:
        if attack.leader == who:
            attack.leader = next_leader(position, attack)
            anew = Say("led-anew", "7.9", {"leader": attack.leader, "target": attack.target})
            position.note("attack", attack.leader, str(attack.id), anew)
    if nation.actions:
        position.change(who, "actions", -nation.actions, Say("slot-ends", "2.3"))
    nation.event_actions = 0


def lapse(position: Position, attack: Attack, cause: Say) -> None:
    """An attack ends without effect."""
    attack.status, attack.outcome = "resolved", "lapsed"
    lapses = Say("lapses", cause.rule, {"target": attack.target})
    position.note("attack", attack.attacker, str(attack.id), lapses, outcome="lapsed", target=attack.target)


def next_leader(position: Position, attack: Attack) -> str | None:
    """The nation that leads the troops of an independent province, next in the rotation (7.9)."""
    order = position.scenario.order
    last = position.led_last
    first = (order.index(last) + 1) % len(order) if last is not None else 0
    able = [k for k in order[first:] + order[:first] if k != attack.attacker and not position.nations[k].fallen]
    if not able:
        return None
    leads = dict.fromkeys(able, 0)
    for other in position.running:
        if other is not attack and other.leader in leads:
            leads[other.leader] += 1
    chosen: str = min(able, key=leads.__getitem__)  # the first of the least
    position.led_last = chosen
    return chosen
