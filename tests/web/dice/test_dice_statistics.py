"""Expected and actual frequencies of dice: computation, normal range, table."""

from __future__ import annotations

import re
from collections.abc import Callable
from fractions import Fraction
from math import comb
from typing import Any

import pytest
from django.test import Client

from campaign import services
from campaign.log import selectors
from tests.table import people, running, table, toy
from tests.web.grand_table import WHO, GrandTable, draft, grand_table, new_campaign
from tests.web.titles.test_table import visible_text
from web.dice import statistics as dice
from web.dice.statistics import SeatRoll

__all__ = ["draft", "grand_table", "new_campaign", "people", "running", "table", "toy"]


def rolls(values: list[int], sides: int = 6, seat: str = "a") -> list[SeatRoll]:
    return [SeatRoll(f"{seat}/{n}", sides, value, seat) for n, value in enumerate(values)]


@pytest.mark.parametrize(
    ("sides", "names"),
    [
        (2, ["1", "2"]),
        (6, ["1", "2", "3", "4", "5", "6"]),
        (12, [str(n) for n in range(1, 13)]),
        (13, [str(n) for n in range(1, 14)]),
        (14, ["1–2", "3–4", "5–6", "7–8", "9–10", "11–12", "13–14"]),
        (20, ["1–2", "3–4", "5–6", "7–8", "9–10", "11–12", "13–14", "15–16", "17–18", "19–20"]),
        (
            100,
            [
                "1–10",
                "11–20",
                "21–30",
                "31–40",
                "41–50",
                "51–60",
                "61–70",
                "71–80",
                "81–90",
                "91–100",
            ],
        ),
    ],
)
def test_dice_are_counted_by_faces_or_by_ranges_of_equal_size(sides: int, names: list[str]) -> None:
    assert [span.name for span in dice.ranges(sides)] == names


@pytest.mark.parametrize(
    ("number", "parts", "low", "high"),
    [
        (1, 6, 0, 1),
        (10, 2, 2, 8),
        (60, 6, 5, 16),
        (100, 2, 40, 60),
        (100, 10, 5, 16),
        (600, 6, 82, 118),
        (7, 1, 7, 7),
    ],
)
def test_the_usual_range_of_a_count(number: int, parts: int, low: int, high: int) -> None:
    assert dice.usual(number, parts) == (low, high)


@pytest.mark.parametrize(("number", "parts"), [(3, 6), (18, 10), (60, 6), (79, 10), (667, 6)])
def test_at_most_one_in_forty_lies_outside_on_either_side(number: int, parts: int) -> None:
    low, high = dice.usual(number, parts)
    p = Fraction(1, parts)
    chance = [comb(number, k) * p**k * (1 - p) ** (number - k) for k in range(number + 1)]
    assert sum(chance[:low]) <= Fraction(1, 40) < sum(chance[: low + 1])
    assert sum(chance[high + 1 :]) <= Fraction(1, 40) < sum(chance[high:])


def test_each_face_is_counted() -> None:
    (kind,) = dice.kinds(rolls([1, 1, 2, 6, 6, 6]))
    assert [count.times for count in kind.whole.counts] == [2, 1, 0, 0, 0, 3]
    assert (kind.whole.rolls, kind.whole.expected, kind.whole.average, kind.average) == (
        6,
        "1.0",
        "3.7",
        "3.5",
    )
    assert (kind.few, kind.faces, kind.seats) == (True, True, ())


def test_a_die_that_falls_on_one_side_is_seen() -> None:
    (kind,) = dice.kinds(rolls([6] * 20 + [1, 2, 3, 4, 5] * 8))
    assert (kind.whole.low, kind.whole.high, kind.whole.expected) == (5, 16, "10.0")
    assert [count.out for count in kind.whole.counts] == [False] * 5 + [True]
    assert (kind.within, kind.few) == (5, False)


def test_dice_of_100_are_counted_by_tens() -> None:
    (kind,) = dice.kinds(rolls([1, 10, 11, 50, 51, 91, 100], 100))
    assert [count.times for count in kind.whole.counts] == [2, 1, 0, 0, 1, 1, 0, 0, 0, 2]


def test_a_roll_repeated_after_an_undo_counts_once() -> None:
    (kind,) = dice.kinds([*rolls([3, 4]), *rolls([3, 4, 5])])
    assert kind.whole.rolls == 3


def test_kinds_are_sorted_by_sides_and_seats_by_their_order() -> None:
    result = dice.kinds(
        [*rolls([1, 2], 6, "b"), *rolls([3], 6, "a"), *rolls([9] * 4, 20, "c")], ["b", "a"]
    )
    assert [kind.sides for kind in result] == [20, 6]
    assert [(row.seat, row.rolls) for row in result[1].seats] == [("b", 2), ("a", 1)]
    assert result[0].seats == ()


def test_no_rolls_give_no_counts() -> None:
    assert dice.kinds([]) == []


def counted(page: str, sides: int) -> list[list[str]]:
    """Return the table of a kind of die on the page, without its head."""
    (body,) = re.findall(rf'aria-label="d{sides} by seat"><table[^>]*>(.*?)</table>', page, re.S)
    cells = r"<t[dh][^>]*>(.*?)</t[dh]>"
    return [
        [visible_text(cell).strip() for cell in re.findall(cells, row, re.S)]
        for row in re.findall("<tr>(.*?)</tr>", body, re.S)
    ][1:]


@pytest.mark.django_db
def test_the_page_counts_the_dice_of_a_chosen_seat(grand_table: GrandTable) -> None:
    page = grand_table.text("nobody", "dice/")
    values = {row.purpose: row.value for row in selectors.rolls(grand_table.campaign, None)}
    assert values["turn-1/card/romans"] == 42
    table = counted(page, 100)
    assert table[0][:2] == ["Whole table", "6"]
    assert sum(int(cell) for cell in table[0][2:12]) == 6
    assert table[0][12:14] == ["0.6", "0–2"]
    assert [row[0] for row in table[1:]] == [
        "Hephtalites",
        "Huns Ingrid",
        "Kushans",
        "Romans Benedetto",
        "Sassanids",
        "Vandals",
    ]
    assert table[4] == ["Romans Benedetto", "1", *"0000100000", "0.1", "0–1", "42.0"]
    assert "So few rolls prove nothing; the keys do." in visible_text(page)
    assert counted(page, 6) == [["Whole table", "1", *"000010", "0.2", "0–1", "5.0"]]


@pytest.mark.django_db
def test_undone_dice_count_once(grand_table: GrandTable) -> None:
    before = counted(grand_table.text("nobody", "dice/"), 100)
    services.undo_to(
        grand_table.campaign,
        grand_table.people["gm"],
        2,
        "A slip",
        len(grand_table.campaign.entries.all()) - 1,
    )
    grand_table.campaign.refresh_from_db()
    grand_table.play("gm", "start")
    assert counted(grand_table.text("nobody", "dice/"), 100) == before


@pytest.mark.django_db
def test_hidden_dice_count_only_for_readers_who_see_them(
    new_campaign: Callable[..., GrandTable],
) -> None:
    grand_table = new_campaign(hands="hidden")
    grand_table.open_hands()
    grand_table.play("gm", "start")
    pages = {who: grand_table.text(who, "dice/") for who in WHO}
    assert {who: "d100 by seat" in page for who, page in pages.items()} == {
        "gm": True,
        "hun": True,
        "roman": True,
        "stranger": False,
        "nobody": False,
    }
    assert {who: counted(pages[who], 100)[0][1] for who in ("gm", "hun", "roman")} == {
        "gm": "6",
        "hun": "1",
        "roman": "1",
    }
    assert "hidden rolls count for those who can see them" in visible_text(pages["nobody"])


@pytest.mark.django_db
def test_before_the_start_nothing_is_counted(draft: GrandTable) -> None:
    assert "Rolled and expected" not in draft.text("nobody", "dice/")


@pytest.mark.django_db
def test_a_title_without_nations_has_statistics(running: Any) -> None:
    running.play("bee", "dig")
    running.play("bee", "dig")
    running.play("bee", "end")
    running.play("ant", "dig")
    result = counted(Client().get(f"/c/{running.campaign.address}/dice/").content.decode(), 6)
    assert [row[:2] for row in result] == [
        ["Whole table", "3"],
        ["The Ant Ant", "1"],
        ["The Bee Bee", "2"],
    ]
