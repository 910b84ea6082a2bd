"""The Grand Campaign's programs, and whole campaigns that they play (docs/play/opponents.md).

A program reads only what its seat may read and returns a move in the form of a record. It takes
random numbers from a `random.Random` that it is given; only `engine.dice` rolls the game's dice.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from decimal import Decimal
from functools import lru_cache, partial
from random import Random
from typing import Any

from engine.dice import Dice
from engine.effects import Effect, Phrase
from engine.play import perform
from engine.strict_json import canonical
from games.contract.players import BattleChances, End, Player, Rank, RatedBattle
from games.grand_campaign.bots.battle_model import Raw, chances, contest_fought, simulate_battle
from games.grand_campaign.bots.cunning import cunning, planned_move
from games.grand_campaign.bots.moves import Luck, master, seat_to_move
from games.grand_campaign.bots.reasons import chances_before, reason
from games.grand_campaign.bots.styles import (
    bold,
    cautious,
    move_by_style,
    random_move,
    random_moves,
    styled_move,
)
from games.grand_campaign.bots.weighing import BOLD, CAUTIOUS, STEADY
from games.grand_campaign.rules.moves import decode
from games.grand_campaign.rules.position import Attack, Options, Position
from games.grand_campaign.rules.scenario import USUAL, Scenario, check_scenario, load, shipped

MOST_MOVES = 50_000
"""The most moves of a played campaign, which is also the limit of a record."""


def campaign(
    seats: Mapping[str, Player],
    seed: str,
    scenario: Scenario | None = None,
    options: Options | None = None,
) -> Position:
    """Play a whole campaign from its seed, each seat by its program and battles by the model."""
    scenario = scenario or load(USUAL)
    position, dice, rng = (
        Position(scenario, options or Options()),
        Dice(scenario.turns, seed=seed),
        Random(seed),
    )
    for _ in moves_of(position, seats, dice, rng):
        pass
    return position


def moves_of(
    position: Position,
    seats: Mapping[str, Player],
    dice: Dice,
    rng: Random,
    luck: Luck | None = None,
) -> Iterator[None]:
    """Play on from this position to the end of the campaign, and yield after each move.

    The position changes in place.
    """
    for _ in range(MOST_MOVES):
        seat = seat_to_move(position)
        raw = master(position, rng, luck) if seat is None else seats[seat](position, rng)
        if raw is None:
            break
        perform(position, decode(raw, position), dice)
        dice.thrown.clear()
        yield


UNKNOWN = ""
"""A card in a hand that the public cannot see."""
MIX = ("steady", "cautious")
"""The programs that play the nations of a forecast, all equally likely."""


def deal_unknown_cards(position: Position, rng: Random) -> None:
    """Deal a card for each unknown card, with the chances of the table of cards (4)."""
    rules = position.rules
    for nation in position.nations.values():
        if UNKNOWN in nation.hand:
            nation.hand = sorted(
                card or rules.card(rng.randint(1, rules.die)) for card in nation.hand
            )


@lru_cache(maxsize=4)
def _checked(text: str) -> Scenario:
    return check_scenario(json.loads(text, parse_float=Decimal))


class GrandPlayers:
    """The Grand Campaign's programs, and the statistics of their campaigns."""

    by_name: Mapping[str, Player] = {
        "cunning": cunning,
        "bold": bold,
        "cautious": cautious,
        "random": random_moves,
        "steady": lambda position, rng: move_by_style(position, rng, STEADY),
    }
    labels: Mapping[str, str] = {
        "won": "one winner",
        "ex aequo": "shared victory",
        "points": "winner's points",
        "spread": "first to last",
        "battles": "battles",
        "fallen": "nations fallen",
        "shares": "shares of all victories, by nation and opening place",
        **{
            f"nation-{key}": key.capitalize()
            for scenario in shipped()
            for key in load(scenario).order
        },
        **{f"place-{place}": f"opening place {place}" for place in range(1, 13)},
    }

    by_seat: Mapping[str, Callable[[Position, str, Random], Raw]] = {
        "random": random_move,
        "bold": lambda position, seat, rng: styled_move(position, seat, BOLD),
        "cautious": lambda position, seat, rng: styled_move(position, seat, CAUTIOUS),
        "cunning": planned_move,
    }
    """The programs that play beside people, where battles are fought during the slots.

    A program returns the move of this seat. Each of `levels` is here.
    """
    levels: Mapping[str, str] = {
        "random": "careless",
        "bold": "bold",
        "cautious": "cautious",
        "cunning": "cunning",
    }

    def asks(
        self, position: Position, seats: Mapping[str, str], by_hand: bool
    ) -> Callable[[Random], Raw] | None:
        """Return the function that makes the next move of a seat, turn or battle, or None.

        Programs make the moves of their seats, and turns open. Battles are fought by the model
        unless a person's nation takes part and `by_hand` is set.
        """
        if position.standings is not None:
            return None
        seat = seat_to_move(position)
        if seat is not None:
            return (
                partial(self._speak, position, self.by_name[seats[seat]]) if seat in seats else None
            )
        for attack in position.running:
            if attack.status == "fighting":
                own = {attack.attacker, attack.defender, attack.leader} - {None, *seats}
                return None if by_hand and own else partial(simulate_battle, attack)
        return partial(self._speak, position, bold) if position.phase == "closed" else None

    def plays(self, position: Position, seats: Mapping[str, str]) -> Callable[[Random], Raw] | None:
        """Return the move of one of these seats: its answer to a challenge, or a move of its slot.

        Running battles do not hold it up.
        """
        asked = [
            str(attack.defender) for attack in position.running if attack.status == "challenged"
        ] + [position.slot or ""]
        seat = (
            next((key for key in asked if key in seats), None)
            if position.standings is None
            else None
        )
        return None if seat is None else partial(self.by_seat[seats[seat]], position, seat)

    def reason(self, position: Position, raw: Mapping[str, Any]) -> Phrase | None:
        if raw["move"] == "report":
            return chances_before(position, raw)
        return reason(position, raw) if raw["by"] in position.nations else None

    def suggest_order(self, position: Position, seat: str, level: str, rng: Random) -> Raw:
        """Return a standing order for the challenge that waits, or for any land attack."""
        waits = [
            attack
            for attack in position.running
            if attack.status == "challenged" and attack.defender == seat
        ]
        order: Raw = {
            "kind": "answer",
            "provinces": [waits[0].target] if waits else [],
            "choice": "accept",
            "cards": [],
        }
        if not waits:
            hand = position.nations[seat].hand
            return {
                **order,
                "cards": [card for card in ("reinforcements", "scouts") if card in hand],
            }
        raw = self.by_seat[level](position, seat, rng)
        return {**order, "choice": raw["choice"], "cards": list(raw.get("cards", ()))}

    def _speak(self, position: Position, player: Player, rng: Random) -> Raw:
        raw = player(position, rng)
        assert raw is not None
        return dict(raw)

    def tournament(self, hero: str, others: str, campaigns: int, seed: str) -> Rank:
        """Play one program against others of another kind, equally often in each nation.

        The dice decide which nation opens.
        """
        order = load(USUAL).order
        first, ranks = 0, 0
        for n in range(campaigns):
            seat = order[n % len(order)]
            by_seat = {key: self.by_name[hero if key == seat else others] for key in order}
            position = campaign(by_seat, f"{seed}/{n}")
            rank = next(line["rank"] for line in position.standings or [] if line["nation"] == seat)
            first, ranks = first + (rank == 1), ranks + rank
        return Rank(campaigns, first / campaigns, ranks / campaigns)

    def fights(self, points: int, against: int, times: int, seed: str) -> list[tuple[int, int]]:
        """Return the results of several open battles by the model.

        They are the routed shares of attacker and defender in percent.
        """
        attack, rng = Attack(0, "land", 1, "", None, ""), Random(seed)
        attack.battle, attack.points_attacker, attack.points_defender = "open", points, against
        return [
            (routed["attacker"], routed["defender"])
            for routed in (simulate_battle(attack, rng)["routed"] for _ in range(times))
        ]

    def contest_fought(
        self, known: Mapping[str, Any], result: Mapping[str, Any]
    ) -> RatedBattle | None:
        return contest_fought(known, result)

    def battle_chances(self, position: Position, contest: int, seat: str) -> BattleChances | None:
        attack = position.attacks[contest - 1]
        if attack.status == "resolved":
            return None
        win, lose = chances(attack)
        if seat != attack.attacker:
            win, lose = lose, win
        return BattleChances(win, 1 - win - lose, lose)

    def balance(self, scenario: Mapping[str, Any], player: str, seed: str) -> list[Any] | None:
        """Play a campaign of a scenario with the same program in all seats, and return its numbers.

        They are the number of battles, and for each nation in the order of keys: points, rank,
        provinces at the end, whether it fell, and its opening place. Return None if the campaign
        did not end.
        """
        known = _checked(canonical(scenario))
        position = campaign(dict.fromkeys(known.order, self.by_name[player]), seed, known)
        if position.standings is None:
            return None
        lines = {line["nation"]: line for line in position.standings}
        owners = list(position.owner.values())
        rows = []
        for n, key in enumerate(known.order):
            place = (n - position.opener + 1) % len(known.order) + 1
            line, fell = lines[key], int(position.nations[key].fallen)
            rows.append([line["victory_points"], line["rank"], owners.count(key), fell, place])
        return [len(position.attacks), rows]

    def forecasts(self, options: Options) -> bool:
        return not options.hidden

    def closes(self, effects: Sequence[Effect]) -> bool:
        return any(
            effect.kind == "turn" and effect.subject in ("closed", "finished") for effect in effects
        )

    def decides(self, effects: Sequence[Effect]) -> bool:
        return any(
            effect.kind == "attack" and effect.facts.get("outcome", "lapsed") != "lapsed"
            for effect in effects
        )

    def public(self, position: Position) -> Position:
        """Return the position as the public knows it.

        Hidden hands become as many unknown cards (4.2), and the Bodyguard's orders are unknown
        (4.10).
        """
        shown = position.copy()
        if position.options.hidden:
            for nation in shown.nations.values():
                nation.hand, nation.keep = [UNKNOWN] * len(nation.hand), False
        return shown

    def play_on(self, public: Position, seed: str) -> list[list[int]] | None:
        position, rng = public.copy(), Random(seed)
        seats = self._mixed(position, rng)
        deal_unknown_cards(position, rng)

        def luck(attack: Attack) -> Random:
            """Return random numbers that depend only on the battle's purpose, like the dice.

            Two positions that differ little are then played on in similar ways, so that fewer
            campaigns are needed to measure the effect of the difference.
            """
            return Random(f"{seed}/{attack.turn}/{attack.attacker}/{attack.target}")

        for _ in moves_of(position, seats, Dice(position.scenario.turns, seed=seed), rng, luck):
            pass
        if position.standings is None:
            return None
        lines = {line["nation"]: line for line in position.standings}
        return [[lines[key]["victory_points"], lines[key]["rank"]] for key in sorted(lines)]

    def course(self, seed: str) -> list[Position]:
        scenario = load(USUAL)
        position, rng, after = Position(scenario, Options()), Random(seed), []
        for _ in moves_of(
            position, self._mixed(position, rng), Dice(scenario.turns, seed=seed), rng
        ):
            if self.closes(position.effects):
                after.append(position.copy())
        return after

    def _mixed(self, position: Position, rng: Random) -> dict[str, Player]:
        return {key: self.by_name[rng.choice(MIX)] for key in position.scenario.order}

    def end(self, position: Position, effects: Sequence[Effect]) -> End:
        lines = position.standings or []
        winners = [line["nation"] for line in lines if line["rank"] == 1]
        points = [line["victory_points"] for line in lines]
        order = position.scenario.order
        shares: dict[str, int] = {}
        for key in order:
            place = (order.index(key) - position.opener + 1) % len(order) + 1
            shares[f"nation-{key}"] = shares[f"place-{place}"] = int(key in winners)
        numbers = {
            "points": max(points, default=0),
            "spread": max(points, default=0) - min(points, default=0),
            "battles": len(position.attacks),
            "fallen": sum(nation.fallen for nation in position.nations.values()),
        }
        return End("won" if len(winners) == 1 else "ex aequo", "", numbers, shares)
