"""The board, the charts, the cards and the drawing: the content of the files (1, 2, 5.1, 7, 9)."""

from __future__ import annotations

import re
from collections import Counter

from games.roman_empire.rules.position import (
    AREAS,
    CARDS,
    CHART,
    COLOURS,
    COUNTERS,
    EMPERORS,
    KINGDOMS,
    LANDS,
    MINORS,
    NEAR,
    OF_AREA,
    PEOPLE_COUNTERS,
    POINTS,
    STARTS,
    cards_of,
    data,
)

DRAWING = data("drawing")


def test_1_1_nine_areas_of_five_lands() -> None:
    assert (len(LANDS), len(AREAS)) == (45, 9)
    assert {len(lands) for lands in OF_AREA.values()} == {5}
    assert all(any(LANDS[land].resource for land in lands) for lands in OF_AREA.values())
    assert {len(of) for of in POINTS.values()} == {7}
    assert min(min(of) for of in POINTS.values()) == 1
    assert max(max(of) for of in POINTS.values()) == 4


def test_1_5_every_land_can_be_reached() -> None:
    assert sum(map(len, NEAR.values())) == 2 * (77 + 6)
    result, todo = {"italia"}, ["italia"]
    while todo:
        new = set(NEAR[todo.pop()]) - result
        result |= new
        todo += new
    assert result == set(LANDS)
    assert Counter(kind for near in NEAR.values() for kind in near.values())["strait"] == 12
    assert {kind for near in NEAR.values() for kind in near.values()} == {
        "",
        "mountain",
        "forest",
        "strait",
    }


def test_1_5_a_border_is_hard_to_one_side_or_both() -> None:
    assert (NEAR["narbonensis"]["cisalpina"], NEAR["cisalpina"]["narbonensis"]) == ("mountain", "")
    assert (NEAR["tarraconensis"]["aquitania"], NEAR["aquitania"]["tarraconensis"]) == (
        "mountain",
        "mountain",
    )
    assert NEAR["tracia"]["bithynia"] == NEAR["bithynia"]["tracia"] == "strait"
    assert all(
        LANDS[a].coastal and LANDS[b].coastal
        for a in NEAR
        for b, kind in NEAR[a].items()
        if kind == "strait"
    )
    assert list(NEAR["italia"]) == ["cisalpina", "sicilia", "sardinia"]
    assert list(NEAR["aquitania"]) == ["tarraconensis", "narbonensis", "lugdunensis"]


def test_2_counters() -> None:
    assert COUNTERS == {
        "legions_per_faction": 14,
        "starting_legions": 7,
        "starting_legions_3p": 9,
        "forts_per_faction": 6,
        "free_forts": 3,
        "cities": 29,
        "rebel_legions": 12,
        "stack": 3,
    }
    assert sum(land.resource for land in LANDS.values()) == 29
    assert COLOURS == ("red", "blue", "white", "purple")
    assert STARTS == ("aquitania", "italia", "macedonia", "syria")


def test_5_1_the_people_chart() -> None:
    assert [people.id for people in CHART] == list(range(1, 36))
    assert [(people.period, people.n) for people in CHART] == [
        (period, n) for period in range(1, 8) for n in range(1, 6)
    ]
    assert all(
        4 <= people.strength <= 12
        and PEOPLE_COUNTERS[people.key] >= people.strength
        and people.start in LANDS
        for people in CHART
    )
    for period in range(1, 8):
        strengths = [people.strength for people in CHART if people.period == period]
        assert max(strengths) - min(strengths) <= 4
        assert len({people.start for people in CHART if people.period == period}) == 5
    assert len(PEOPLE_COUNTERS) == 26


def test_7_the_emperor_chart() -> None:
    assert list(EMPERORS) == list(range(1, 43))
    assert [(emperor.period, emperor.n) for emperor in EMPERORS.values()] == [
        (period, n) for period in range(1, 8) for n in range(1, 7)
    ]
    assert len({emperor.name for emperor in EMPERORS.values()}) == 42
    assert {emperor.bonus for emperor in EMPERORS.values()} == {
        "",
        "three_dice",
        "attack_plus",
        "legions",
        "ties",
        "vp_per_land",
    }


def test_9_the_cards() -> None:
    assert len(CARDS) == 55
    assert [key for key, card in CARDS.items() if card.set is None] == ["gods_favor"]
    kinds = {
        number: dict(
            Counter(
                re.sub(r"_\d+$", "", key) if number not in (1, 4, 5) else CARDS[key].kind
                for key in cards_of(number, False)
            )
        )
        for number in range(1, 10)
    }
    assert kinds == {
        1: {"minor": 6},
        2: {"leader": 3, "weaponry": 2, "fury": 1},
        3: {"elite": 3, "revolt": 3},
        4: {"kingdom": 6},
        5: {"kingdom": 6},
        6: {"epidemy": 1, "plague": 1, "pestilence": 1, "wrath": 2, "disaster": 1},
        7: {"revive": 4, "fortify": 2},
        8: {"rebellion": 2, "engineering": 3, "treachery": 1},
        9: {"surprise": 3, "siegecraft": 3},
    }
    assert all(card.periods and card.timing in ("before", "during") for card in CARDS.values())
    assert cards_of(6, True) == [
        "epidemy",
        "plague",
        "pestilence",
        "wrath_1",
        "gods_favor",
        "disaster",
    ]


def test_9_2_kingdoms_and_minor_peoples() -> None:
    assert (len(KINGDOMS), len(MINORS)) == (12, 6)
    assert all(LANDS[kingdom.land].resource for kingdom in KINGDOMS.values())
    assert {kingdom.loot for kingdom in KINGDOMS.values()} == {1, 2, 3}
    periods = {
        people["key"]: (people["periods"], people["set"])
        for name in ("kingdoms", "minor_peoples")
        for people in data("peoples")[name]
    }
    for card in CARDS.values():
        if card.kind in ("kingdom", "minor"):
            assert periods[card.effect["key"]] == (list(card.periods), card.set)


def test_the_drawing_shows_this_board() -> None:
    assert list(DRAWING["lands"]) == list(LANDS)
    assert list(DRAWING["areas"]) == list(AREAS)
    for key, drawn in DRAWING["lands"].items():
        land = LANDS[key]
        assert (drawn["area"], drawn["coastal"], drawn["resource"]) == (
            land.area,
            land.coastal,
            land.resource,
        )
        assert set(drawn["markers"]) == (
            {"stack", "city", "resource", "fort"} if land.resource else {"stack", "fort"}
        )
        assert drawn["capital"] == {"italia": "Roma", "tracia": "Constantinopolis"}.get(key)
    board = data("board")
    names = {f"{border['a']}|{border['b']}": border for border in board["borders"]}
    assert set(DRAWING["borders"]) == set(names)
    assert set(DRAWING["straits"]) == {
        f"{strait['a']}|{strait['b']}" for strait in board["straits"]
    }
    assert set(DRAWING["passages"]) == {"cisalpina|pannonia", "pannonia|sarmatia"}
    for name, border in names.items():
        signs = {(sign["in"], sign["kind"]) for sign in DRAWING["borders"][name]["signs"]}
        sides = ((border["a"], border["into_a"]), (border["b"], border["into_b"]))
        assert signs == {(land, kind) for land, kind in sides if kind}
