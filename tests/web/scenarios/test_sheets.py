"""Files for spreadsheets: content, readers, and no text of a user as a formula."""

from __future__ import annotations

import csv
import re
from collections.abc import Callable
from datetime import UTC, datetime
from decimal import Decimal
from io import StringIO
from itertools import pairwise
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from campaign import services
from campaign.log import selectors
from nations import projection as nations
from tests.web.grand_table import WHO, GrandTable, draft, grand_table, new_campaign
from web.sheets import csv_file

__all__ = ["draft", "grand_table", "new_campaign"]
pytestmark = pytest.mark.django_db
FILES = ["n/huns/ledger.csv", "log.csv", "dice.csv"]


def table_of(answer: Any) -> list[list[str]]:
    text = answer.content.decode("utf-8-sig")
    return list(csv.reader(StringIO(text, newline="")))


def lines(grand_table: GrandTable, who: str, path: str) -> list[dict[str, str]]:
    head, *rows = table_of(grand_table.get(who, path))
    return [dict(zip(head, row, strict=True)) for row in rows]


@pytest.mark.parametrize("path", FILES)
def test_it_is_saved_and_never_shown(grand_table: GrandTable, path: str) -> None:
    answer = grand_table.get("nobody", path)
    assert answer.content.startswith(b"\xef\xbb\xbf")
    name = {"n/huns/ledger.csv": "huns-ledger", "log.csv": "log", "dice.csv": "dice"}[path]
    assert (
        answer["Content-Disposition"]
        == f'attachment; filename="{grand_table.campaign.address}-{name}.csv"'
    )
    assert answer["Content-Type"] == "text/csv; charset=utf-8; header=present"
    assert answer["X-Content-Type-Options"] == "nosniff"
    assert answer["Content-Security-Policy"] == "sandbox; default-src 'none'"
    assert grand_table.post("hun", path).status_code == 405


def test_pages_lead_to_their_files(grand_table: GrandTable) -> None:
    for page, path in (
        ("n/huns/", "n/huns/ledger.csv"),
        ("log/", "log.csv"),
        ("dice/", "dice.csv"),
    ):
        assert f'href="{grand_table.home}{path}">As a spreadsheet (CSV)</a>' in grand_table.text(
            "nobody", page
        )
    assert f'href="{grand_table.home}n/huns/ledger.csv?account=army"' in grand_table.text(
        "nobody", "n/huns/", account="army"
    )


def test_a_campaign_without_a_die_has_empty_files(draft: GrandTable) -> None:
    assert table_of(draft.get("nobody", "dice.csv"))[1:] == []
    assert lines(draft, "nobody", "log.csv")[0]["What"].startswith("The terms of the campaign.")


def test_the_ledger_adds_up(grand_table: GrandTable) -> None:
    grand_table.play("huns", "build", structure="hamlets")
    grand_table.play("gm", "adjust", nation="huns", account="army", change=-30, reason="As ruled.")
    rows = lines(grand_table, "roman", "n/huns/ledger.csv")
    built = next(row for row in rows if row["Account"] == "Actions" and "Hamlets" in row["Cause"])
    assert (built["Change"], built["Balance"], built["Turn"], built["Rule"]) == (
        "-0.5",
        "2",
        "1",
        "§3.3",
    )
    assert (rows[-1]["Entry"], rows[-1]["Cause"]) == ("8", "Correction: As ruled.")
    assert (rows[-1]["Change"], rows[-1]["Balance"]) == ("-30", "1570")
    assert b",-30,1570\r\n" in grand_table.get("roman", "n/huns/ledger.csv").content, (
        "a number stands without quotation marks"
    )
    balances, scales = nations.balances(grand_table.campaign)["huns"], {"actions": 2}
    for account, balance in balances.items():
        of_it = lines(grand_table, "nobody", f"n/huns/ledger.csv?account={account}")
        if of_it:
            assert Decimal(of_it[-1]["Balance"]) == Decimal(balance) / scales.get(account, 1)
            steps = [Decimal(row["Balance"]) for row in of_it]
            assert [b - a for a, b in pairwise(steps)] == [
                Decimal(row["Change"]) for row in of_it[1:]
            ]


def test_the_ledger_of_an_unknown_nation_is_not_found(grand_table: GrandTable) -> None:
    for seat in ("goths", "gm", "=1+1"):
        assert grand_table.statuses(f"n/{seat}/ledger.csv") == dict.fromkeys(WHO, 404)


def test_the_log_has_struck_entries_and_when(grand_table: GrandTable) -> None:
    grand_table.play("huns", "build", structure="hamlets")
    services.undo_to(
        grand_table.campaign,
        grand_table.people["gm"],
        6,
        "Not yet.",
        selectors.seen(grand_table.campaign, grand_table.people["gm"]),
    )
    rows = lines(grand_table, "nobody", "log.csv")
    assert [row["Entry"] for row in rows] == [str(number) for number in range(len(rows))]
    built = rows[7]
    assert (built["Seat"], built["By"], built["What"], built["Struck by"]) == (
        "Huns",
        "Marozia",
        "build Hamlets",
        "8",
    )
    assert "actions −½ → 2" in built["Changes"]
    assert re.fullmatch(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d", built["Time (UTC)"])
    assert any("Huns draw Spy: 17 (d100)" in row["Rolls"] for row in rows)


def test_every_roll(grand_table: GrandTable) -> None:
    rows = lines(grand_table, "nobody", "dice.csv")
    assert len(rows) == 7
    assert rows[0]["Purpose"] == "start"
    spy = next(row for row in rows if row["Purpose"] == "turn-1/card/huns")
    assert (spy["Sides"], spy["Value"], spy["Turn"], spy["What it meant"]) == (
        "100",
        "17",
        "1",
        "Huns draw Spy",
    )


def test_hidden_hands_stay_hidden(new_campaign: Callable[..., GrandTable]) -> None:
    grand_table = new_campaign(hands="hidden")
    grand_table.open_hands()
    grand_table.play("gm", "start")
    grand_table.play("gm", "give-card", nation="romans", card="chancellor", reason="A correction.")
    shown = {who: grand_table.text(who, "log.csv") for who in WHO}
    assert {who: "Chancellor" in text for who, text in shown.items()} == {
        "gm": True,
        "hun": False,
        "roman": True,
        "stranger": False,
        "nobody": False,
    }
    rolls = {who: len(lines(grand_table, who, "dice.csv")) for who in WHO}
    assert rolls == {"gm": 7, "hun": 2, "roman": 2, "stranger": 1, "nobody": 1}


@pytest.mark.parametrize("reason", ["=1+1", "+1", "-1", "@SUM(A1)", "a;=1+1", "\t=1", "x\n=1"])
def test_a_reason_is_no_formula(grand_table: GrandTable, reason: str) -> None:
    grand_table.play("gm", "adjust", nation="huns", account="army", change=5, reason=reason)
    for path in FILES:
        for row in table_of(grand_table.get("nobody", path)):
            for cell in row:
                # Also if a program takes semicolons and line ends for ends of cells.
                for part in re.split(r"[;\t\r\n]", cell):
                    assert not part.lstrip().startswith(("=", "@")), cell
                    assert re.fullmatch(r"-?\d+(\.5)?", part) or not part.startswith(("+", "-")), (
                        cell
                    )


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("=1+1", "'=1+1"),
        ("+1", "'+1"),
        ("-30", "'-30"),
        ("@x", "'@x"),
        ("\t1", "'\t1"),
        ("\r1", "'\r1"),
        ("\n1", "'\n1"),
        (" =1", "' =1"),
        ("\uff1d1", "'\uff1d1"),
        ("a;=1", "a;'=1"),
        ("a\t+1", "a\t'+1"),
        ("a|-1", "a|'-1"),
        ("a = b; c - d", "a = b; c - d"),
        ("\u221230", "\u221230"),
        ("", ""),
        ("Huns", "Huns"),
        ('say "x"', 'say "x"'),
    ],
)
def test_signs_that_begin_a_formula_are_text(text: str, written: str) -> None:
    assert csv_file.written(text) == written


@pytest.mark.parametrize(
    ("value", "scale", "written"),
    [(-30, 1, "-30"), (5, 2, "2.5"), (-1, 2, "-0.5"), (4, 2, "2"), (0, 1, "0")],
)
def test_numbers_stay_numbers(value: int, scale: int, written: str) -> None:
    content = csv_file.download("x.csv", ["N"], [[csv_file.number(value, scale)]]).content.decode(
        "utf-8-sig"
    )
    assert content == f'"N"\r\n{written}\r\n'


def test_a_moment_is_written_in_utc() -> None:
    assert csv_file.written(datetime(2026, 3, 1, 12, 5, tzinfo=UTC)) == "2026-03-01 12:05:00"


def test_queries_do_not_grow(grand_table: GrandTable) -> None:
    for n in range(12):
        grand_table.play("gm", "adjust", nation="huns", account="army", change=1, reason=f"no. {n}")
    for path in FILES:
        grand_table.get("hun", path)
        with CaptureQueriesContext(connection) as queries:
            grand_table.get("hun", path)
        assert len(queries) <= 10, path
