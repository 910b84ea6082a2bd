"""Terms and set-up (1, 2)."""

from __future__ import annotations

from collections import Counter

import pytest

from engine.dice import Dice
from engine.play import play
from games.march_on_rome.rules.position import CORE, INVASIONS, NUMBERED, PROVINCES, RING
from tests.march_on_rome.table import SCENARIO, TITLE, after

BEGIN = {"move": "begin"}
FRESH = {"phase": "setup"}
QUIET = {"setup/pc/province": 3, "setup/pc/legions": 4}


def garrisons(*keys: str, **rolls: int) -> dict[str, int]:
    return {f"setup/garrison/{key}": rolls.get(key, 1) for key in keys}


def test_1_1_provinces_are_numbered_and_eight_are_core() -> None:
    assert [p.n for p in PROVINCES.values()] == list(range(1, 19))
    assert CORE == ("spain", "gaul", "italy", "illyrica", "achaia", "asia", "syria", "africa")
    assert NUMBERED[18] == "mauretania"


def test_1_4_rings_agree_in_both_directions() -> None:
    assert all(key in RING[other] for key, ring in RING.items() for other in ring)
    assert max(len(ring) for ring in RING.values()) == 5
    assert RING["africa"][2] == "mauretania"
    assert RING["gaul"][1] == "germania"


def test_1_4_routes_of_invasion_go_from_neighbour_to_neighbour() -> None:
    assert sorted(INVASIONS) == list(range(1, 9))
    for people in INVASIONS.values():
        assert all(b in RING[a] for a, b in zip(people.route, people.route[1:], strict=False))


def test_2_1_all_provinces_start_lost() -> None:
    state = TITLE.state(TITLE.setup(SCENARIO, TITLE.options({})))
    assert set(state["owner"].values()) == {"lost"}
    assert (state["phase"], state["legions"], state["turn"]) == ("setup", {}, 1)


def test_2_2_the_players_province_and_legions() -> None:
    others = ("spain", "gaul", "illyrica", "achaia", "asia", "syria")
    state = after(
        FRESH,
        BEGIN,
        dice=QUIET
        | {"setup/npc-count": 1, "setup/npc-1/legions": [1, 2], "setup/npc-1/province": 8}
        | garrisons(*others),
    )
    assert state["owner"]["italy"] == "pc"
    assert state["legions"] == {"pc": 6, "npc-1": 6}
    assert (state["phase"], state["turn"], state["npc_seq"]) == ("pc", 1, 1)


@pytest.mark.parametrize(
    ("count", "legions", "expected"),
    [
        (3, [[6, 6]], [15]),
        (4, [[8], [1]], [10, 3]),
        (8, [[1], [8]], [3, 10]),
        (9, [[6], [1], [2]], [7, 2, 3]),
        (11, [[1], [1], [6]], [2, 2, 7]),
        (12, [[4], [1], [2], [3]], [5, 2, 3, 4]),
    ],
)
def test_2_3_how_many_rivals_and_their_legions(
    count: int, legions: list[list[int]], expected: list[int]
) -> None:
    places = [1, 2, 4, 5]
    dice = QUIET | {"setup/npc-count": count}
    for n, rolled in enumerate(legions, 1):
        dice |= {f"setup/npc-{n}/legions": rolled, f"setup/npc-{n}/province": places[n - 1]}  # type: ignore[dict-item]
    taken = {"italy", *(NUMBERED[n] for n in places[: len(legions)])}
    state = after(FRESH, BEGIN, dice=dice | garrisons(*(key for key in CORE if key not in taken)))
    assert [state["legions"][f"npc-{n}"] for n in range(1, len(legions) + 1)] == expected


def test_2_4_a_province_already_held_is_rolled_again_and_again() -> None:
    dice = QUIET | {
        "setup/npc-count": 4,
        "setup/npc-1/legions/1": 1,
        "setup/npc-1/province": 1,
        "setup/npc-2/legions": [1],
    }
    dice |= {
        "setup/npc-2/province": 1,
        "setup/npc-2/province/reroll-1": 3,
        "setup/npc-2/province/reroll-2": 2,
    }
    state = after(
        FRESH, BEGIN, dice=dice | garrisons("illyrica", "achaia", "asia", "syria", "africa")
    )
    assert (state["owner"]["spain"], state["owner"]["gaul"]) == ("npc-1", "npc-2")


def test_2_5_free_core_provinces_are_senatorial_with_garrisons() -> None:
    dice = QUIET | {"setup/npc-count": 1, "setup/npc-1/legions": [1, 1], "setup/npc-1/province": 1}
    dice |= garrisons(
        "gaul", "illyrica", "achaia", "asia", "syria", "africa", gaul=4, achaia=5, asia=6
    )
    state = after(FRESH, BEGIN, dice=dice)
    assert state["garrison"] == {
        "gaul": 0,
        "illyrica": 0,
        "achaia": 1,
        "asia": 1,
        "syria": 0,
        "africa": 0,
    }


def test_2_6_the_frontier_stays_lost_and_unknown() -> None:
    for seed in range(50):
        begun = play(
            TITLE.setup(SCENARIO, TITLE.options({})),
            TITLE.decode(BEGIN, None),
            Dice(1000, seed=f"start {seed}"),
        ).after
        state = TITLE.state(begun)
        assert {state["owner"][key] for key in PROVINCES if key not in CORE} == {"lost"}
        assert "lost" not in {state["owner"][key] for key in CORE}
        assert state["barbarians"] == {}
        owners = Counter(state["owner"].values())
        assert all(owners[general] == 1 for general in state["legions"])
