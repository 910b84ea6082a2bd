"""Reports of undos and restorations: each names the moves that it struck or restored."""

from __future__ import annotations

import re

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from campaign import services
from tests.web.grand_table import GrandTable, grand_table, new_campaign

__all__ = ["grand_table", "new_campaign"]

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("shown_contexts")]


def test_an_undo_and_its_restoration_each_name_their_moves(grand_table: GrandTable) -> None:
    """Reports do not change later.

    An undo that was restored still names its moves; moves that were struck before are in neither.
    """
    gm = grand_table.people["gm"]
    first = (
        grand_table.play("gm", "adjust", nation="huns", account="income", change=5, reason="Early")
        .entries[0]
        .number
    )
    services.undo_to(grand_table.campaign, gm, first - 1, "Too early", grand_table.seen("gm"))
    second = (
        grand_table.play(
            "gm", "adjust", nation="romans", account="income", change=7, reason="Later [b]"
        )
        .entries[0]
        .number
    )
    grand_table.play("gm", "adjust", nation="romans", account="income", change=9, reason="Last")
    undo = services.undo_to(
        grand_table.campaign, gm, second - 1, "A slip", grand_table.seen("gm")
    ).number
    back = services.restore(grand_table.campaign, gm, undo, "No slip [b]").number
    page = grand_table.get("nobody", "reports/").content.decode()
    assert f'/reports/restore-{back}/">Restoration, entry {back}</a>' in page
    assert f'/reports/undo-{undo}/">Undo, entry {undo}</a>' in page
    shown = {
        key: grand_table.get("nobody", f"reports/{key}/").context["page"]
        for key in (f"restore-{back}", f"undo-{undo}")
    }
    plain = shown[f"restore-{back}"].plain_text
    assert "The game master restores 2 moves: No slip [b] (Marozia)." in plain
    assert "In force again" in plain
    restored = [line for line in plain.splitlines() if line.startswith("- ")]
    assert ["Later" in restored[0], "Last" in restored[1], len(restored)] == [True, True, 2]
    bbcode = "".join(post.text for post in shown[f"restore-{back}"].posts)
    assert "[b]In force again[/b]" in re.sub(r"<[^>]+>", "", bbcode)
    assert "No slip [\u2060b]" in re.sub(r"<[^>]+>", "", bbcode)
    undone = shown[f"undo-{undo}"].plain_text
    assert "Struck, and readable in the log" in undone
    assert [line for line in undone.splitlines() if line.startswith("- ")] == restored
    assert "The moves have been restored since." in undone
    for key in (f"restore-{undo}", f"undo-{back}", "restore-0", "restore-99999999999"):
        assert grand_table.get("nobody", f"reports/{key}/").status_code == 404
    with CaptureQueriesContext(connection) as queries:
        grand_table.get("nobody", f"reports/restore-{back}/")
    assert len(queries) <= 12


def test_the_report_of_the_turn_has_its_undos_and_restorations(grand_table: GrandTable) -> None:
    gm = grand_table.people["gm"]
    first = (
        grand_table.play("gm", "adjust", nation="huns", account="income", change=5, reason="Early")
        .entries[0]
        .number
    )
    undo = services.undo_to(
        grand_table.campaign, gm, first - 1, "A slip", grand_table.seen("gm")
    ).number
    services.restore(grand_table.campaign, gm, undo, "No slip", grand_table.seen("gm"))
    shown = grand_table.get("nobody", "reports/turn-1/").context["page"].plain_text
    assert "Undone and restored" in shown
    lines = [line for line in shown.splitlines() if "slip (" in line]
    assert lines == [
        "- The game master undoes 1 move: A slip (Marozia).",
        "- The game master restores 1 move: No slip (Marozia).",
    ]
    own = grand_table.campaign.active_seat
    grand_table.play(own, "end-slot")
    services.undo_to(
        grand_table.campaign,
        gm,
        grand_table.campaign.last_number - 1,
        "Once more",
        grand_table.seen("gm"),
    )
    assert (
        "The game master undoes 1 move: Once more (Marozia)."
        in grand_table.get("nobody", "reports/turn-1/").context["page"].plain_text
    )
    assert (
        "Undone and restored"
        not in grand_table.get("nobody", f"reports/slot-1-{own}/").context["page"].plain_text
    )
    german = services.restore(
        grand_table.campaign,
        gm,
        grand_table.campaign.entries.latest("sequence").number,
        "Doch",
        grand_table.seen("gm"),
    )
    assert german.number is not None
    shown = grand_table.get("nobody", "reports/turn-1/?language=de").context["page"].plain_text
    assert "Zurückgenommen und wiederhergestellt" in shown
