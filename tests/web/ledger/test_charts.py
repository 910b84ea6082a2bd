"""Charts of the accounts: the drawing, the table of the same values, readers, and queries."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from campaign import services
from campaign.log import selectors
from tests.alone import alone, patience
from tests.table import people, running, table, toy
from tests.web.grand_table import WHO, GrandTable, draft, grand_table, new_campaign
from tests.web.titles.test_table import visible_text
from web.charts import drawing
from web.charts.accounts import ChartCell
from web.charts.drawing import Course, Turn

__all__ = [
    "alone",
    "draft",
    "grand_table",
    "new_campaign",
    "patience",
    "people",
    "running",
    "table",
    "toy",
]
pytestmark = pytest.mark.django_db


def rows(page: str) -> list[list[str]]:
    """Return the cells of the page's first table."""
    (body,) = re.findall(r'<table class="table chart-table">(.*?)</table>', page, re.S)[:1]
    return [
        [visible_text(cell).strip() for cell in re.findall(r"<t[dh][^>]*>(.*?)</t[dh]>", row, re.S)]
        for row in re.findall("<tr>(.*?)</tr>", body, re.S)
    ]


def draw(*courses: Course, **more: Any) -> str:
    given: dict[str, Any] = {"label": "L", "text": str, **more}
    return str(drawing.draw(courses, [Turn(1, "turn 1"), Turn(11, "turn 2")], 0, 20, **given))


def test_a_step_is_horizontal_then_vertical() -> None:
    svg = draw(Course("huns", "Huns", 1, [(0, 6), (10, 8)]), width=300, height=132)
    # From 28 to 300 − 14 − 6 letters; entry 10 of 21; 6 to 8 over a hundred pixels.
    assert 'd="M28.0 110.0H131.4V10.0H245.2"' in svg
    assert 'class="chart__line dash-1" data-nation="huns"' in svg
    assert re.findall(r'class="chart__y" x="22.0" y="[\d.]+">(\d+)<', svg) == ["6", "7", "8"]
    assert re.findall(r'class="chart__turn" d="M([\d.]+) ', svg) == ["38.3", "141.8"]
    assert '<text class="chart__name" data-nation="huns" x="253.2" y="14.0">Huns 8</text>' in svg


def test_steps_within_a_pixel_become_one_from_lowest_to_highest() -> None:
    steps = [(0, 6), (1000, 9), (1001, 5), (1002, 7), (2000, 6)]
    svg = str(
        drawing.draw(
            [Course("a", "A", 0, steps)], [], 0, 4000, label="L", text=str, width=300, height=132
        )
    )
    (line,) = re.findall(r'd="(M[^"]*)"><title>A<', svg)
    # From 5 to 9 over a hundred pixels: down to the ninth, up to the fifth; the seventh does not
    # move.
    assert re.sub(r"H[\d.]+", "H", line) == "M28.0 85.0HV10.0V110.0V60.0HV85.0H"


def test_a_cell_of_the_table_has_the_first_and_the_last_of_very_many_steps() -> None:
    assert list(ChartCell([str(n) for n in range(4)], "").before) == ["0", "1", "2"]
    cell = ChartCell([str(n) for n in range(41)], "")
    assert list(cell.before) == [*map(str, range(8)), "…", *map(str, range(32, 40))]
    assert cell.last == "40"


def test_a_constant_line_has_room() -> None:
    assert 'd="M28.0 168.0H' in draw(Course("a", "A", 0, [(0, 5)]))


def test_negative_values_are_drawn() -> None:
    svg = draw(
        Course("a", "A", 0, [(0, 2), (4, -3)]), text=lambda value: str(value).replace("-", "−")
    )
    assert re.findall(r'class="chart__y"[^>]*>(−?\d+)<', svg) == ["−3", "−2", "−1", "0", "1", "2"]


@pytest.mark.parametrize(
    ("span", "scale", "expected"),
    [(0, 1, 1), (5, 1, 1), (6, 1, 2), (11, 1, 5), (300, 1, 100), (10, 2, 2), (11, 2, 4)],
)
def test_grid_lines_are_few_and_at_whole_numbers(span: int, scale: int, expected: int) -> None:
    assert drawing.step(span, scale) == expected


def test_names_do_not_overlap() -> None:
    svg = draw(*(Course(f"n{n}", f"N{n}", n % 12, [(0, 7)]) for n in range(14)))
    places = [float(y) for y in re.findall(r'class="chart__name"[^>]* y="([\d.]+)"', svg)]
    assert len(places) == 14
    assert min(b - a for a, b in pairwise(places)) >= 13.4
    assert float(re.findall(r'viewBox="0 0 \d+ (\d+)"', svg)[0]) >= places[-1]


def test_the_line_of_a_fallen_nation_ends_without_a_name_at_the_edge() -> None:
    svg = draw(
        Course("n", "Galba", 2, [(2, 4), (5, 0)], True, True), Course("p", "Otho", 1, [(0, 1)])
    )
    assert re.findall(r"chart__name[^>]*>([^<]+)<", svg) == ["Otho 1"]
    assert "<title>Galba</title>" in svg
    assert not re.search(r'data-nation="n" d="[^"]*H\d+\.\d"', svg)


def test_names_in_charts_are_escaped() -> None:
    svg = draw(Course('x"><b', "</text><b>", 0, [(0, 1)]), label='"><b>')
    assert "<b" not in svg
    assert "&lt;/text&gt;" in svg


def test_a_chart_without_values_is_empty() -> None:
    assert draw() == ""


def test_the_table_has_the_values_of_the_chart(grand_table: GrandTable) -> None:
    grand_table.play(
        "gm", "adjust", nation="huns", account="stability", change=-2, reason="As ruled."
    )
    grand_table.play(
        "gm", "adjust", nation="huns", account="stability", change=1, reason="Half of it."
    )
    page = grand_table.text("nobody", "charts/", account="stability")
    assert rows(page) == [
        ["Turn", "Hephtalites", "Huns", "Kushans", "Romans", "Sassanids", "Vandals"],
        ["At the start", "6", "6", "6", "6", "6", "6"],
        ["Turn 1", "6", "4 → 5", "6", "6", "6", "6"],
    ]
    assert (
        page.count('aria-label="Stability over time: Hephtalites 6 → 6, Huns 6 → 5, Kushans 6 → 6,')
        == 2
    )
    assert len(re.findall(r'class="chart__line dash-1" data-nation="huns"', page)) == 2


def test_every_account_has_its_chart(grand_table: GrandTable) -> None:
    page = grand_table.text("roman", "charts/")
    assert re.findall(r'<figcaption class="label">(\w+)<', page) == [
        "Stability",
        "Prestige",
        "Income",
        "Army",
        "VP",
        "Actions",
    ]
    assert len(re.findall('<table class="table chart-table">', page)) == 6
    assert 'class="chart__line dash-3 is-focus" data-nation="romans"' in page
    assert f'<a href="{grand_table.home}charts/?account=army">Army</a>' in page
    assert f'<a href="{grand_table.home}charts/" aria-current="page">' in page


def test_half_actions_are_shown_as_halves(grand_table: GrandTable) -> None:
    grand_table.play("huns", "build", structure="hamlets")
    assert rows(grand_table.text("nobody", "charts/", account="actions"))[2][2] == "2½ → 2"


def test_an_undo_moves_the_line_back(grand_table: GrandTable) -> None:
    grand_table.play("gm", "adjust", nation="huns", account="army", change=-30, reason="As ruled.")
    assert rows(grand_table.text("nobody", "charts/", account="army"))[2][2] == "1570"
    last = grand_table.campaign.last_number
    services.undo_to(
        grand_table.campaign,
        grand_table.people["gm"],
        last - 1,
        "No.",
        selectors.seen(grand_table.campaign, grand_table.people["gm"]),
    )
    assert rows(grand_table.text("nobody", "charts/", account="army"))[2][2] == "1600"


def test_there_are_no_charts_before_the_start(draft: GrandTable) -> None:
    assert "No move has been made." in visible_text(draft.text("nobody", "charts/"))


@pytest.mark.parametrize("account", ["gold", "", "\x00", "stability'"])
def test_an_unknown_account_shows_all(grand_table: GrandTable, account: str) -> None:
    assert (
        grand_table.text("nobody", "charts/", account=account).count('<figcaption class="label">')
        == 6
    )


def test_strangers_do_not_see_charts_of_a_members_campaign(
    new_campaign: Callable[..., GrandTable],
) -> None:
    created = new_campaign("members")
    assert created.statuses("charts/") == {
        "gm": 200,
        "hun": 200,
        "roman": 200,
        "stranger": 404,
        "nobody": 404,
    }


def test_a_hidden_card_changes_no_other_readers_charts(
    new_campaign: Callable[..., GrandTable],
) -> None:
    grand_table = new_campaign(hands="hidden")
    grand_table.play("gm", "start")
    before = {who: rows(grand_table.text(who, "charts/", account="income")) for who in WHO}
    grand_table.play("gm", "give-card", nation="romans", card="chancellor", reason="A correction.")
    assert {who: rows(grand_table.text(who, "charts/", account="income")) for who in WHO} == before


def test_a_title_without_nations_has_charts(running: Any) -> None:
    running.play("bee", "add", stones=2)
    running.play("bee", "add", stones=3)
    answer = Client().get(f"/c/{running.campaign.address}/charts/", {"account": "stones"})
    cells = rows(answer.content.decode())
    assert cells[0] == ["Turn", "The Ant", "The Bee"]
    assert cells[-1][1:] == ["0", "2 → 5"]


def test_a_title_with_its_own_page_has_charts(alone: Any) -> None:
    alone.post("act/", do="rest")
    assert rows(alone.text("charts/", account="gold"))[1:3] == [
        ["At the start", "0"],
        ["Night 1", "5"],
    ]


def test_queries(grand_table: GrandTable) -> None:
    counts = {}
    for who in ("hun", "nobody"):
        grand_table.get(who, "charts/")
        with CaptureQueriesContext(connection) as queries:
            grand_table.get(who, "charts/")
        counts[who] = len(queries)
    assert max(counts.values()) <= 12, counts
