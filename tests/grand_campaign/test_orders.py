"""Standing orders for a challenge (7.8) and for a Bodyguard in the hand (4.10)."""

from __future__ import annotations

from typing import Any

import pytest

from engine.dice import Dice
from engine.errors import IllegalMove
from engine.language import use_language
from engine.play import play
from games.contract.title import StandingOrders
from games.grand_campaign.title import GrandCampaign

TITLE = GrandCampaign()
SCENARIO = TITLE.scenario("420ad")


def announced(position: Any, move: dict[str, Any]) -> Any:
    return play(
        position, TITLE.decode(move, position), Dice(6, seed="0" * 64, fixed={"start": 2})
    ).after


@pytest.fixture
def position() -> Any:
    """Return turn 1, opened by the Huns, who attack Dalmatia; the Romans have not answered."""
    result = announced(TITLE.setup(SCENARIO, TITLE.options({})), {"by": "gm", "move": "start"})
    assert result.slot == "huns"
    return announced(
        result,
        {"by": "huns", "move": "attack", "kind": "land", "from": "pannonia", "target": "dalmatia"},
    )


def answer(choice: str, *provinces: str, cards: tuple[str, ...] = ()) -> dict[str, Any]:
    return {"kind": "answer", "provinces": list(provinces), "choice": choice, "cards": list(cards)}


def test_the_title_takes_orders() -> None:
    assert isinstance(TITLE, StandingOrders)


def test_7_8_an_order_for_the_province_goes_before_one_for_all(position: Any) -> None:
    orders = [
        answer("accept", cards=("scouts",)),
        answer("withdraw", "sicilia"),
        answer("withdraw", "dalmatia"),
    ]
    result = TITLE.answers_by_orders(position, "romans", orders)
    assert [(reading.order, reading.question, reading.contest) for reading in result] == [
        (2, "attack-1", 1),
        (0, "attack-1", 1),
    ]
    assert result[0].move == {"by": "romans", "move": "respond", "attack": 1, "choice": "withdraw"}
    assert result[1].move == {
        "by": "romans",
        "move": "respond",
        "attack": 1,
        "choice": "accept",
        "cards": ["scouts"],
    }
    assert TITLE.answers_by_orders(position, "vandals", orders) == []
    answered = announced(position, dict(result[0].move))
    assert TITLE.answers_by_orders(answered, "romans", orders) == []


def test_4_10_a_bodyguard_in_the_hand_is_kept_as_ordered(position: Any) -> None:
    keep, guard = {"kind": "bodyguard", "guard": "keep"}, {"kind": "bodyguard", "guard": "guard"}
    position.nations["romans"].hand = ["spy"]
    assert TITLE.answers_by_orders(position, "romans", [keep]) == []
    position.nations["romans"].hand = ["bodyguard", "spy"]
    assert TITLE.answers_by_orders(position, "romans", [guard]) == []
    (one,) = TITLE.answers_by_orders(position, "romans", [keep])
    assert announced(position, dict(one.move)).nations["romans"].keep is True


@pytest.mark.parametrize(
    "raw",
    [
        {},
        {"kind": "raid"},
        {"kind": "answer"},
        answer("flee"),
        answer("accept", "atlantis"),
        answer("accept", cards=("spy",)),
        answer("withdraw", cards=("scouts",)),
        answer("escort"),
        {**answer("accept"), "more": 1},
        {"kind": "bodyguard"},
        {"kind": "answer", "choice": "accept", "provinces": "dalmatia"},
        answer("accept", cards=("scouts", "scouts")),
    ],
)
def test_orders_that_can_never_apply_are_refused(position: Any, raw: dict[str, Any]) -> None:
    with pytest.raises(IllegalMove):
        TITLE.read_order(position, "romans", raw)


def test_7_8_a_nation_that_may_force_an_escort_may_order_it(position: Any) -> None:
    assert TITLE.read_order(position, "huns", answer("escort"))["choice"] == "escort"
    offered = {
        seat: dict(TITLE.order_kinds(position, seat)[0].fields[1].values)
        for seat in ("huns", "romans")
    }
    assert list(offered["huns"]) == ["accept", "withdraw", "escort"]
    assert list(offered["romans"]) == ["accept", "withdraw"]


def test_an_order_in_words(position: Any) -> None:
    one, other = (
        answer("accept", "dalmatia", "sicilia", cards=("reinforcements", "scouts")),
        answer("withdraw"),
    )
    assert (
        TITLE.order_line(SCENARIO, one)
        == "Dalmatia, Sicilia: accept, with Reinforcements and Scouts"
    )
    assert TITLE.order_line(SCENARIO, other) == "Everywhere else: withdraw"
    with use_language("it"):
        assert (
            TITLE.order_line(SCENARIO, one)
            == "Dalmatia, Sicilia: accettare, con Rinforzi e Esploratori"
        )
        assert (
            TITLE.order_line(SCENARIO, {"kind": "bodyguard", "guard": "keep"})
            == "La Guardia del corpo si tiene in serbo"
        )


def test_a_fallen_nation_has_no_orders(position: Any) -> None:
    position.nations["romans"].fallen = True
    assert TITLE.order_kinds(position, "romans") == ()
