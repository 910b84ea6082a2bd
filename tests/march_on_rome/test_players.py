"""Programs as players: always legal, always to an end, and the sensible program's choices."""

from random import Random
from typing import Any

import pytest

from engine.dice import Dice
from engine.play import perform
from games import simulate
from games.march_on_rome.bots.players import MarchPlayers, random, sensible
from games.march_on_rome.rules import odds
from games.march_on_rome.rules.moves import decode
from games.march_on_rome.rules.position import PC, PROVINCES, SENATE, Options, Position, Scenario
from games.march_on_rome.rules.view import offers
from tests.march_on_rome.test_odds import standing


def check(position: Position, ledger: dict[tuple[str | None, str], int]) -> None:
    """Check the invariants after every move.

    Balances are sums, every living general has land, and no number of legions is negative.
    """
    for effect in position.effects:
        if effect.kind == "account":
            key = (effect.holder, effect.subject)
            ledger[key] = ledger.get(key, 0) + effect.change
            assert effect.change
            assert ledger[key] == effect.balance >= 0, effect
    for general, legions in position.legions.items():
        assert ledger.get((general, "legions"), 0) == legions >= 0
        assert position.phase == "over" or position.lands(general)
    assert ledger.get((SENATE, "garrison"), 0) == sum(position.garrison.values())
    assert set(position.garrison) == set(position.lands(SENATE))
    assert set(position.owner) == set(PROVINCES)
    assert (
        set(position.owner.values()) <= {*position.legions, SENATE, "lost"}
        or position.phase == "over"
    )
    assert (position.battle is None) == (
        position.pending is None or position.pending["kind"] == "answer"
    )
    assert (position.phase == "over") == (position.result is not None)


@pytest.mark.long
@pytest.mark.parametrize("player", ["sensible", "random"])
@pytest.mark.parametrize("initiative", [False, True])
def test_random_games_keep_the_invariants(player: str, initiative: bool) -> None:
    for n in range(60):
        position, dice, rng = (
            Position(Scenario(), Options(initiative)),
            Dice(1000, seed=f"{player} {n}"),
            Random(n),
        )
        ledger: dict[tuple[str | None, str], int] = {}
        while (raw := MarchPlayers.by_name[player](position, rng)) is not None:
            before = position.encode()
            assert raw["move"] in [
                offer.move for offer in offers(position, PC, PC) if offer.refusal is None
            ]
            perform(position, decode(dict(raw)), dice)
            assert position.encode() != before
            check(position, ledger)
        assert position.result in ("won", "lost")


def moved(position: Position) -> Any:
    return sensible(position)


def test_the_sensible_player_never_submits() -> None:
    position = standing({"pc": 3, "npc-1": 30}, italy="pc", gaul="npc-1")
    position.phase, position.queue, position.pending = (
        "npc",
        [],
        {"kind": "answer", "from": "npc-1", "target": "italy"},
    )
    assert moved(position) == {"move": "answer", "accept": False}


def test_the_sensible_player_offers_nothing_to_a_stronger_rival() -> None:
    for legions in range(1, 10):
        position = standing(
            {"pc": legions, "npc-1": 9}, britannia="pc", gaul="npc-1", spain="npc-1"
        )
        assert moved(position)["move"] in ("pass", "attack")


def test_the_sensible_player_offers_an_alliance_before_a_battle() -> None:
    """An offer to a weaker rival brings the same as a YES, and the battle after a NO (5.1)."""
    assert moved(standing({"pc": 9, "npc-1": 5}, britannia="pc", gaul="npc-1")) == {
        "move": "ally",
        "target": "gaul",
    }


def test_the_sensible_player_waits_if_there_is_nothing_to_gain() -> None:
    assert moved(standing({"pc": 1, "npc-1": 40}, britannia="pc", gaul="npc-1")) == {"move": "pass"}


@pytest.mark.parametrize(
    ("provinces", "devoted"), [({"gaul": "pc", "spain": "pc"}, 0), ({"gaul": "pc"}, 2)]
)
def test_the_sensible_player_gives_up_provinces_except_the_last(
    provinces: dict[str, str], devoted: int
) -> None:
    """Two legions do not fight eight armies of invaders, unless nothing else is left."""
    position = standing({"pc": 2}, **provinces)
    position.phase = "events"
    position.battle = {
        "no": 1,
        "target": "gaul",
        "attacker": "barbarians",
        "defender": "pc",
        "cause": "invasion",
        "initiative": "defender",
        "devoted": {"attacker": 8, "defender": None},
        "horde": 8,
    }
    position.pending = {"kind": "devote", "side": "defender"}
    assert moved(position) == {"move": "devote", "legions": devoted}
    assert [commitment.legions for commitment in odds.commitments(position)] == [2, 1, 0]


def test_no_move_follows_the_end() -> None:
    position = standing({"pc": 2}, gaul="pc")
    position.phase, position.result = "over", "won"
    assert sensible(position) is None
    assert random(position, Random(1)) is None


@pytest.mark.nightly
def test_the_sensible_player_wins_clearly_more_often() -> None:
    """Over 10,000 games each it is 53% and 15%; these 600 are within four standard errors."""
    won = {
        player: (
            sum(
                simulate.play("march_on_rome", player, f"clearly/{n}").result == "won"
                for n in range(600)
            )
            / 600
        )
        for player in ("sensible", "random")
    }
    assert won["sensible"] > 0.43
    assert won["random"] < 0.20
