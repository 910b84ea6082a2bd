"""A campaign that began elsewhere: its sheet is pasted, checked and taken over; the way back."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

from campaign import limited_process, services
from campaign.log import selectors
from tests.web.grand_table import GrandTable, new_campaign  # noqa: F401
from tests.web.plain import parse_forms
from tests.web.test_uploads import grows_little
from tests.web.titles.test_table import visible_text

pytestmark = pytest.mark.django_db


def fields(grand_table: GrandTable) -> dict[str, str]:
    """Return the current values of the page's form."""
    page = grand_table.text("gm", "resume/")
    return dict(next(form for form in parse_forms(page) if form.action.endswith("/resume/")).fields)


def play_move(grand_table: GrandTable, do: str, **typed: str) -> Any:
    return grand_table.post("gm", "resume/", **{**fields(grand_table), **typed, "do": do})


def test_a_campaign_is_taken_over_from_a_pasted_table(
    new_campaign: Callable[..., GrandTable],  # noqa: F811
) -> None:
    grand_table = new_campaign()
    assert "Continue a campaign that runs elsewhere" in grand_table.text("gm")
    assert grand_table.statuses("resume/") == {
        "gm": 200,
        "hun": 403,
        "roman": 403,
        "stranger": 403,
        "nobody": 302,
    }
    table = (
        "Nation;VP;Prestige;Hand;Religious;Barracks\nHuns;7;9;Spy,"
        " Scuts;Temples;yes\nRomans;5;8;;2;"
    )
    page = visible_text(
        play_move(
            grand_table, "paste", pasted=table, reason="The old thread.", turn="3"
        ).content.decode()
    )
    assert "Huns, Hand: “Scuts” is not a card. Did you mean Scouts?" in page
    assert "1 fault" in page
    table = table.replace("Scuts", "Scouts")
    answer = play_move(
        grand_table,
        "paste",
        pasted=table,
        reason="The old thread.",
        turn="3",
        provinces="Dalmatia, Huns, Walls",
    )
    page = visible_text(answer.content.decode())
    assert "complete" in page
    assert "Turn 4 will open in this order" in page
    typed = dict(
        next(
            form
            for form in parse_forms(answer.content.decode())
            if form.action.endswith("/resume/")
        ).fields
    )
    assert (typed["n.huns.hand"], typed["n.romans.religious"]) == ("Spy, Scouts", "2")
    assert grand_table.campaign.entries.count() == 3
    answer = grand_table.post(
        "gm", "resume/", **{**typed, "do": "take", "seen": str(grand_table.seen("gm"))}
    )
    assert answer.status_code == 302
    grand_table.campaign.refresh_from_db()
    state = selectors.view(grand_table.campaign, grand_table.people["gm"])
    assert (state["turn"], state["phase"]) == (3, "closed")
    assert (state["nations"]["huns"]["victory_points"], state["nations"]["huns"]["structures"]) == (
        7,
        ["shrines", "temples"],
    )
    assert state["provinces"]["dalmatia"]["owner"] == "huns"
    assert grand_table.get("gm", "resume/").status_code == 302

    grand_table.play("gm", "open-turn")
    assert grand_table.campaign.turn == 4
    sheet = grand_table.get("hun", "sheet.csv").content.decode("utf-8-sig")
    assert sheet.splitlines()[0] == '"Turn that has closed",4'
    other = new_campaign(name="Elsewhere")
    page = visible_text(
        other.post(
            "gm", "resume/", **{**fields(other), "do": "paste", "pasted": sheet}
        ).content.decode()
    )
    assert "complete" in page


def test_a_wrong_line_marks_its_field(
    new_campaign: Callable[..., GrandTable],  # noqa: F811
) -> None:
    grand_table = new_campaign()
    page = play_move(grand_table, "look", provinces="Nowhere, Huns", reason="R").content.decode()
    assert "is not the name of a province in this scenario" in page
    field = re.search(r'<textarea[^>]* name="provinces"[^>]*>', page)
    assert field
    assert 'aria-invalid="true"' in field[0]


LINES = "\n".join(["zz"] * 30_000)
"""Lines with unknown names; for each the site looks for the nearest known name."""


@pytest.mark.child
@pytest.mark.long
@pytest.mark.parametrize("do", ["look", "paste"])
def test_a_sheet_that_is_built_to_harm_is_read_within_limits(
    new_campaign: Callable[..., GrandTable],  # noqa: F811
    monkeypatch: pytest.MonkeyPatch,
    do: str,
) -> None:
    monkeypatch.setattr(limited_process, "SECONDS", 0.02)
    grand_table = new_campaign()
    bomb = (
        {"provinces": LINES, "truces": LINES, "targets": LINES}
        if do == "look"
        else {"pasted": f"Nation;VP\n{LINES}"}
    )
    with grows_little():
        answer = play_move(grand_table, do, **bomb)
    assert answer.status_code == 200
    assert (
        "Reading this takes longer than the site allows. Send something smaller or simpler."
        in visible_text(answer.content.decode())
    )
    assert grand_table.campaign.entries.count() == 3


def test_a_long_sheet_is_read_in_a_child_process(
    new_campaign: Callable[..., GrandTable],  # noqa: F811
) -> None:
    grand_table = new_campaign()
    long = "Dalmatia, Huns, Walls" + "\n" * 8_000
    wrong = visible_text(
        play_move(grand_table, "look", provinces=long, reason="R", turn="x").content.decode()
    )
    assert "“x” is not a whole number" in wrong
    page = visible_text(
        play_move(grand_table, "look", provinces=long, reason="R", turn="3").content.decode()
    )
    assert "complete" in page
    many = play_move(grand_table, "look", provinces="\n".join(["zz"] * 3_000), reason="R", turn="3")
    assert "100 faults" in visible_text(many.content.decode())


def test_hands_that_are_hidden_stay_hidden(new_campaign: Callable[..., GrandTable]) -> None:  # noqa: F811
    grand_table = new_campaign(hands="hidden")
    assert "Continue a campaign that runs elsewhere" not in grand_table.text("gm")
    services.play(
        grand_table.campaign,
        grand_table.people["gm"],
        {"by": "gm", "move": "start"},
        grand_table.seen("gm"),
    )
    grand_table.campaign.refresh_from_db()
    hands = {
        key: nation["hand"]
        for key, nation in selectors.view(grand_table.campaign, grand_table.people["hun"])[
            "nations"
        ].items()
    }
    assert hands["huns"]
    lines = grand_table.get("hun", "sheet.csv").content.decode("utf-8-sig").splitlines()
    cells = {line.split(",")[0].strip('"'): line for line in lines}
    assert '""' in cells["Romans"]
    assert grand_table.get("nobody", "sheet.csv").status_code == 200
