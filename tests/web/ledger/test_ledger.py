"""The ledger of all nations: filters, totals, file, and readers."""

from __future__ import annotations

import re
from collections.abc import Callable
from decimal import Decimal
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from campaign.models import save_seat_sets
from nations import projection as nations
from tests.alone import alone, patience
from tests.table import people, running, table, toy
from tests.web.grand_table import WHO, GrandTable, draft, grand_table, new_campaign
from tests.web.scenarios.test_sheets import lines as file_lines
from tests.web.titles.test_table import visible_text
from web.ledger.filters import LedgerForm, common

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


def rendered(page: str) -> list[str]:
    """Return the lines as people read them."""
    (listed,) = re.findall(r'<ol class="ledger ledger-all">(.*?)</ol>', page, re.S)
    return [
        " ".join(visible_text(line).split())
        for line in re.findall(r"<li[^>]*>(.*?)</li>", listed, re.S)
    ]


def sums(page: str, which: str = "account") -> list[list[str]]:
    (body,) = re.findall(rf'aria-label="Sums by {which}"><table[^>]*>(.*?)</table>', page, re.S)
    cells = r"<t[dh][^>]*>(.*?)</t[dh]>"
    return [
        [visible_text(cell).strip() for cell in re.findall(cells, row, re.S)]
        for row in re.findall("<tr>(.*?)</tr>", body, re.S)
    ][1:]


@pytest.fixture
def played(grand_table: GrandTable) -> GrandTable:
    """Return a campaign with some lines in the ledger.

    The Hun has built Hamlets (prestige +1, ½ action); their army was corrected twice, the Romans'
    once.
    """
    grand_table.play("huns", "build", structure="hamlets")
    grand_table.play("gm", "adjust", nation="huns", account="army", change=-30, reason="As ruled.")
    grand_table.play(
        "gm", "adjust", nation="huns", account="army", change=10, reason="A third of it back."
    )
    grand_table.play("gm", "adjust", nation="romans", account="army", change=5, reason="As ruled.")
    return grand_table


def test_lines_of_all_nations_are_sorted_newest_first(played: GrandTable) -> None:
    result = rendered(played.text("nobody", "ledger/"))
    assert result[:5] == [
        "Turn 1",
        "10 Romans army Correction: As ruled. §13 +5 1605",
        "9 Huns army Correction: A third of it back. §13 +10 1580",
        "8 Huns army Correction: As ruled. §13 −30 1570",
        "7 Huns prestige Hamlets §3.3 +1 7",
    ]
    assert result[5] == "Before turn 1"
    assert (
        len(result) == 6 + 24
    )  # the initial balances of six nations, without victory points and actions


def test_the_ledger_is_filtered_by_nation_account_and_turn(played: GrandTable) -> None:
    page = played.text("nobody", "ledger/", nation="huns", account="army", turn="1")
    assert rendered(page) == [
        "Turn 1",
        "9 Huns army Correction: A third of it back. §13 +10 1580",
        "8 Huns army Correction: As ruled. §13 −30 1570",
    ]
    assert sums(page) == [["Army", "2", "+10", "−30", "−20"]]
    assert "By holder" not in page
    assert '<option value="huns" selected>Huns</option>' in page


def test_several_nations_have_totals(played: GrandTable) -> None:
    page = played.text("nobody", "ledger/", turn="1")
    assert sums(page) == [["Prestige", "1", "+1", "0", "+1"], ["Army", "3", "+15", "−30", "−15"]]
    assert sums(page, "holder") == [["Huns", "+1", "−20"], ["Romans", "", "+5"]]


def test_everything_adds_up_to_the_balances(played: GrandTable) -> None:
    for seat, accounts in nations.balances(played.campaign).items():
        of_it = {
            row[0].lower(): row[-1]
            for row in sums(played.text("hun", "ledger/", nation=seat, account="*"))
        }
        for key, label in (
            ("army", "army"),
            ("stability", "stability"),
            ("prestige", "prestige"),
            ("income", "income"),
        ):
            assert of_it[label].strip("+t") == str(accounts[key])
    assert sums(played.text("hun", "ledger/", nation="huns", account="*"))[-1] == [
        "Actions",
        "2",
        "+2½",
        "−½",
        "+2",
    ]


def test_actions_are_shown_only_on_request(played: GrandTable) -> None:
    assert " actions " not in " ".join(rendered(played.text("nobody", "ledger/", nation="huns")))
    assert "7 Huns actions Hamlets §3.3 −½ 2" in rendered(
        played.text("nobody", "ledger/", account="actions", nation="huns")
    )


def test_the_ledger_is_filtered_by_cause(played: GrandTable) -> None:
    page = played.text("nobody", "ledger/")
    chosen = re.findall(r'<option value="([\w-]+)">Correction: …</option>', page)
    assert len(chosen) == 1
    result = rendered(played.text("nobody", "ledger/", cause=chosen[0]))
    assert [line.split(" ", 1)[0] for line in result] == ["Turn", "10", "9", "8"]


@pytest.mark.parametrize(
    ("texts", "name"),
    [
        (["Battle of Osroene won", "Battle of Moesia won"], "Battle of …"),
        (["Hamlets"], "Hamlets"),
        (["Galba falls", "Otho falls"], "… falls"),
        (["One", "Other"], "Battle won"),
        (["Merged", "Merged into one"], "Merged …"),
        (["x" * 80], "x" * 59 + "…"),
    ],
)
def test_a_kind_of_cause_has_a_common_name(texts: list[str], name: str) -> None:
    assert common("battle-won", texts) == name


@pytest.mark.parametrize(
    ("asked", "page"),
    [("", 1), ("2", 2), ("3", 3), ("4", 1), ("0", 1), ("-1", 1), ("²", 1), ("9" * 50, 1)],
)
def test_an_unknown_page_is_the_first(asked: str, page: int) -> None:
    assert LedgerForm({"page": asked}).page_number(3) == page


def test_a_page_has_a_hundred_lines_and_totals_are_of_all(grand_table: GrandTable) -> None:
    for n in range(101):
        grand_table.play("gm", "adjust", nation="huns", account="army", change=1, reason=f"no. {n}")
    first = grand_table.text("nobody", "ledger/", nation="huns", turn="1")
    assert len(rendered(first)) == 1 + 100
    assert "1–100, newest first" in visible_text(first)
    assert sums(first) == [["Army", "101", "+101", "0", "+101"]]
    (older,) = re.findall(r'href="([^"]*)">Older lines', first)
    assert older == "?nation=huns&amp;turn=1&amp;page=2"
    second = grand_table.get("nobody", "ledger/" + older.replace("&amp;", "&")).content.decode()
    assert rendered(second) == ["Turn 1", "7 Huns army Correction: no. 0 §13 +1 1601"]
    assert sums(second) == sums(first)


@pytest.mark.parametrize(
    "query",
    [{"nation": "goths"}, {"account": "gold"}, {"turn": "99"}, {"cause": "x"}, {"turn": "\u0661"}],
)
def test_an_unknown_filter_is_ignored(played: GrandTable, query: dict[str, str]) -> None:
    assert len(rendered(played.text("nobody", "ledger/", **query))) == 30


def test_a_filter_without_lines_says_so(played: GrandTable) -> None:
    assert "No lines match these filters." in visible_text(
        played.text("nobody", "ledger/", nation="vandals", turn="1")
    )


def test_the_file_has_the_same_lines(played: GrandTable) -> None:
    page = played.text("nobody", "ledger/", nation="huns", turn="1", account="*")
    assert f'href="{played.home}ledger.csv?nation=huns&amp;account=%2A&amp;turn=1"' in page
    rows = file_lines(played, "nobody", "ledger.csv?nation=huns&account=%2A&turn=1")
    assert [
        (row["Entry"], row["Holder"], row["Account"], row["Change"], row["Balance"])
        for row in rows[-4:]
    ] == [
        ("7", "Huns", "Actions", "-0.5", "2"),
        ("7", "Huns", "Prestige", "1", "7"),
        ("8", "Huns", "Army", "-30", "1570"),
        ("9", "Huns", "Army", "10", "1580"),
    ]
    assert sum(Decimal(row["Change"]) for row in rows if row["Account"] == "Army") == -20


def test_only_the_holder_sees_a_hidden_line(new_campaign: Callable[..., GrandTable]) -> None:
    grand_table = new_campaign(hands="hidden")
    grand_table.open_hands()
    grand_table.play("gm", "start")
    row = (
        nations.ledgers(grand_table.campaign, grand_table.people["gm"])
        .filter(holder="romans", account="army")
        .get()
    )
    save_seat_sets(["|romans|"])
    type(row).objects.filter(pk=row.pk).update(audience="|romans|")
    seen = {
        who: "Romans army At the start" in " ".join(rendered(grand_table.text(who, "ledger/")))
        for who in WHO
    }
    assert seen == {"gm": True, "hun": False, "roman": True, "stranger": False, "nobody": False}
    added = {who: sums(grand_table.text(who, "ledger/", account="army"))[0][1] for who in WHO}
    assert added == {"gm": "6", "hun": "5", "roman": "6", "stranger": "5", "nobody": "5"}
    in_file = {who: len(file_lines(grand_table, who, "ledger.csv?account=army")) for who in WHO}
    assert in_file == {"gm": 6, "hun": 5, "roman": 6, "stranger": 5, "nobody": 5}


def test_a_title_without_nations_has_a_ledger(running: Any) -> None:
    running.play("bee", "add", stones=2)
    page = (
        Client()
        .get(f"/c/{running.campaign.address}/ledger/", {"account": "stones"})
        .content.decode()
    )
    assert rendered(page)[1].endswith("The Bee stones Adds +2 2")


def test_a_title_with_its_own_page_has_a_ledger(alone: Any) -> None:
    assert sums(alone.text("ledger/")) == [["Gold", "1", "+5", "0", "+5"]]


def test_queries(played: GrandTable) -> None:
    counts = {}
    for who, path in (("hun", "ledger/"), ("nobody", "ledger/"), ("hun", "ledger.csv")):
        played.get(who, path)
        with CaptureQueriesContext(connection) as queries:
            played.get(who, path)
        counts[who, path] = len(queries)
    assert max(counts.values()) <= 12, counts
