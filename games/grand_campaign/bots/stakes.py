"""The stakes of a battle: what its outcomes bring and cost, and the least chance that pays.

All values are in victory points at the end of the campaign. They count provinces, income, levels,
armies that grow or shrink, walls, fleets, siege trains, cards and actions. A smaller army invites
attacks until the end.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from games.grand_campaign.bots.battle_model import chances
from games.grand_campaign.bots.planning import (
    ARMY,
    CARD_WORTH,
    HURT,
    Race,
    turns_left,
)
from games.grand_campaign.bots.ranking import leading
from games.grand_campaign.rules.attacks import (
    ESCORT,
    NO_ATTACK,
    NO_COVERT_ATTACK,
    attack_cost,
    escort_right,
    siege_holds,
)
from games.grand_campaign.rules.form import ESCORT_DIE
from games.grand_campaign.rules.position import OWN_ARMY, Attack, Nation, Position

ACTION = 2.0
"""The worth of an action in victory points: a tax exemption gives a point for half an action."""
HARM = 0.5
"""The worth of a point that a leading nation loses."""
CRUMBLED = 12.0
"""The worth of everything that a nation loses when it crumbles (2.3) or loses its last province."""
CERTAIN = 0.95
"""The highest chance that an attack needs."""


class Stakes(NamedTuple):
    """The gains of an attack if it is won or drawn, the loss in a defeat, and its price.

    The price is paid in any case: the actions and the cards.
    """

    won: float
    drawn: float
    lost: float
    price: float

    def worth(self, win: float, lose: float) -> float:
        """Return the expected worth of the attack with these chances of victory and defeat."""
        return win * self.won + (1 - win - lose) * self.drawn - lose * self.lost - self.price

    def least(self, draw: float) -> float:
        """Return the least chance of victory that pays, given the chance of a draw."""
        needed = self.price + (1 - draw) * self.lost - draw * self.drawn
        return max(0.0, needed / (self.won + self.lost))


def worth_of_income(position: Position, talents: int) -> float:
    """Return the worth of a change of income in victory points at the end."""
    return talents / 100 * 0.5 * ACTION * turns_left(position)


def cost_of_defeat(position: Position, nation: Nation) -> float:
    """Return the worth of the level of stability and of prestige that a defeat costs (2.1 to 2.3).

    A threshold that the stability crosses costs more.
    """
    points, left = position.rules.points, nation.stability - 1
    cost = float(points["stability"] + points["prestige"])
    if left <= 1:
        return cost + CRUMBLED
    return cost + points["prestige"] * (left in (NO_ATTACK, NO_COVERT_ATTACK))


def is_fragile(position: Position, seat: str) -> bool:
    """Return whether a defeat takes the stability of a nation across a threshold."""
    points = position.rules.points
    usual = points["stability"] + points["prestige"]
    return cost_of_defeat(position, position.nations[seat]) > usual


def worth_of_province(position: Position, target: str) -> float:
    """Return what an owner loses with a province: income, walls and a fleet."""
    points = position.rules.points
    worth = worth_of_income(position, position.rules.talents["loss"])
    worth += points["fortification_level"] * position.fortification.get(target, 0)
    return worth + points["fleet"] * (target in position.fleets)


def stakes_of_attack(position: Position, attack: Attack) -> Stakes:
    """Return the stakes of an attack for its attacker.

    What a leading nation loses or gains counts in part.
    """
    rules, points = position.rules, position.rules.points
    nation, owner = position.nations[attack.attacker], position.owner[attack.target]
    level, army = points["stability"] + points["prestige"], ARMY * turns_left(position)
    taken = 1 - siege_holds(position, attack) / rules.die
    price = ACTION * attack_cost(position, attack.kind, attack.target) / 2
    price += sum(CARD_WORTH[card] for card in attack.cards_attacker)
    if attack.own_army:
        prize = points["conquest"] + worth_of_income(position, rules.talents["conquest"])
        won = level + points["battle"] + army + taken * prize
        lost = cost_of_defeat(position, nation) + army
        lost += ACTION * rules.costs["siege-train"] / 2 * attack.siege_train
        drawn = worth_of_income(position, rules.talents["ravage"])
    else:
        won, lost, drawn = (
            float(points["prestige"] + points["battle"]),
            float(points["prestige"]),
            0.0,
        )
    if owner is not None and owner in leading(position, attack.attacker):
        won += HARM * (level + taken * worth_of_province(position, attack.target))
        lost += HARM * (level + points["battle"])
    return Stakes(won, drawn, lost, price)


def visible_odds(position: Position, attack: Attack) -> tuple[float, float]:
    """Return the chances with the defender's visible cards and the escort it may try (7.8)."""
    owner = position.owner[attack.target]
    if owner is None:
        return chances(attack)
    seen = attack.copy()
    seen.defender = owner
    hand = position.nations[owner].hand if not position.options.hidden else ()
    seen.points_defender += position.rules.army["reinforcements"] * ("reinforcements" in hand)
    seen.cards_defender = ("scouts",) * ("scouts" in hand)
    return with_escort(position, seen) if escort_right(position, seen) else chances(seen)


def with_escort(position: Position, attack: Attack) -> tuple[float, float]:
    """Return the attacker's chances if the defender tries to force an escort (7.8)."""
    forced = max(0, ESCORT_DIE + 1 - position.rules.escort_from) / ESCORT_DIE
    escorted = attack.copy()
    escorted.battle, escorted.module_attacker = ESCORT, "defender"
    win, lose = (
        forced * theirs + (1 - forced) * usual
        for theirs, usual in zip(chances(escorted), chances(attack), strict=True)
    )
    return win, lose


PLACE = 0.3
"""The number of places that a victory in the last turn must win to be worth a battle."""
EVEN = 0.5
"""A nation below at least this expected number of nations probably does not win."""


def final_places(position: Position, attack: Attack) -> tuple[float, float]:
    """Return how many nations probably end above the attacker: without the attack, after a victory.

    This function is for the last turn. The attacker's other actions are counted as tax exemptions.
    """
    nation, owner = position.nations[attack.attacker], position.owner[attack.target]
    race = Race(position, nation.key, ACTION * nation.actions / 2)
    points, stakes = position.rules.points, stakes_of_attack(position, attack)
    theirs = -float(points["stability"] + points["prestige"]) if owner is not None else 0.0
    return race.now, race.above(stakes.won - stakes.price, owner, theirs)


def decides_campaign(position: Position, attack: Attack) -> bool:
    """Return whether a victory in the last turn probably wins a campaign otherwise lost."""
    return not turns_left(position) and wins_campaign(*final_places(position, attack))


def wins_campaign(now: float, after: float) -> bool:
    """Return whether a victory that changes the expected places like this wins the campaign."""
    return now >= EVEN > after


def wins_place(now: float, after: float) -> bool:
    """Return whether a victory that changes the expected places like this wins a place."""
    return now - after >= PLACE


class Floor(NamedTuple):
    """The lowest chances at which a level attacks.

    `least` holds for every attack. `margin` is added to the chance from which the attack pays, and
    is negative for a level that takes risks; a place that a victory in the last turn wins is worth
    any price. `desperate` holds instead if a victory decides the campaign.
    """

    least: float
    margin: float
    desperate: float


def floor_of_attack(position: Position, attack: Attack, floor: Floor) -> float:
    """Return the chance of victory below which a level does not announce this attack."""
    if not turns_left(position):
        now, after = final_places(position, attack)
        if wins_campaign(now, after):
            return floor.desperate
        if wins_place(now, after):
            return floor.least
    win, lose = visible_odds(position, attack)
    pays = stakes_of_attack(position, attack).least(1 - win - lose)
    return min(CERTAIN, max(floor.least, pays + floor.margin))


# Answers to challenges


class Answers(NamedTuple):
    """The worth of the two answers to a challenge: battle and withdrawal."""

    accept: float
    withdraw: float


def worth_of_answers(position: Position, attack: Attack, win: float, lose: float) -> Answers:
    """Return the worth of a battle, with these chances of the attacker, and of a withdrawal."""
    points, rules = position.rules.points, position.rules
    nation = position.nations[str(attack.defender)]
    level, army = points["stability"] + points["prestige"], ARMY * turns_left(position)
    taken = 1 - siege_holds(position, attack) / rules.die
    province = worth_of_province(position, attack.target)
    if attack.kind in OWN_ARMY:
        prize = points["conquest"] + worth_of_income(position, rules.talents["conquest"])
        province += HURT * prize
    if position.provinces_of(nation.key) == [attack.target]:
        province += CRUMBLED
    held = level + points["battle"] + army
    defeat = cost_of_defeat(position, nation) + army + taken * province
    rival = HURT * (level + points["battle"]) * (attack.kind in OWN_ARMY)
    ravage = worth_of_income(position, rules.talents["ravage"])
    drawn = 1 - win - lose
    return Answers(
        lose * (held + rival) - drawn * ravage - win * (defeat + rival), -taken * province
    )


def odds_of_answer(
    position: Position, attack: Attack, raw: Mapping[str, Any]
) -> tuple[float, float]:
    """Return the attacker's chances of victory and defeat if the defender answers like this."""
    shown, cards = attack.copy(), raw.get("cards", ())
    if "reinforcements" in cards:
        shown.points_defender += position.rules.army["reinforcements"]
    shown.cards_defender = (*shown.cards_defender, *(card for card in cards if card == "scouts"))
    return with_escort(position, shown) if raw["choice"] == "escort" else chances(shown)
