"""A nation that has crumbled or fallen.

Marked with the date on every page, without offers (2.3, 2.9).
"""

from __future__ import annotations

from notices.models import Notice
from notices.wording import notices_in_words
from tests.web.contests import play_to_turn, visible_text
from tests.web.grand_table import GrandTable, grand_table, new_campaign

__all__ = ["grand_table", "new_campaign"]


def crumble(table: GrandTable) -> None:
    """Let the Huns crumble in turn 2, before their slot."""
    play_to_turn(table, 2, {})
    table.play("gm", "adjust", nation="huns", account="stability", change=-9, reason="test")
    table.fell = table.campaign.entries.latest("sequence").number  # type: ignore[attr-defined]


def test_2_3_page_table_report_and_notice_say_when_a_nation_has_crumbled(
    grand_table: GrandTable,
) -> None:
    crumble(grand_table)
    page = visible_text(grand_table.get("hun", "n/huns/"))
    assert "crumbled in turn 2" in page
    assert "No cards. A fallen nation draws no more cards and takes no more turns. §2.3" in page
    assert "crumbled in turn 2" in visible_text(grand_table.get("nobody"))
    assert "Huns (crumbled in turn 2)" in visible_text(grand_table.get("nobody", "reports/turn-2/"))
    assert "The Huns crumble." in visible_text(grand_table.get("nobody", "story/"))
    notices = notices_in_words(Notice.objects.filter(user=grand_table.people["hun"], kind="fell"))
    assert [(notice.title, notice.body) for notice in notices] == [
        (
            "The Huns have fallen",
            (
                "Turn 2: the Huns crumble. You have no more turns and draw no more cards, and "
                "your income gives you no more actions."
            ),
        )
    ]


def test_2_3_nothing_promises_a_fallen_nation_a_card_a_slot_or_income(
    grand_table: GrandTable,
) -> None:
    crumble(grand_table)
    page = visible_text(grand_table.get("hun", "n/huns/"))
    assert "You draw again when the next turn opens" not in page
    assert "actions next turn" not in page
    assert "Huns Hun fallen" in page
    while grand_table.campaign.phase != "closed":
        grand_table.play(grand_table.campaign.active_seat, "end-slot")
    promised = Notice.objects.filter(
        user=grand_table.people["hun"], kind__in=("next", "slot-open"), entry__turn=2
    )
    assert [
        promise.entry.number for promise in promised if promise.entry.number > grand_table.fell
    ] == []  # type: ignore[attr-defined]


def test_2_9_a_nation_without_provinces_has_fallen(grand_table: GrandTable) -> None:
    for province in grand_table.campaign.game.scenario(
        grand_table.campaign.game.scenarios()["420ad"]
    ).provinces.values():
        if province.owner == "huns":
            grand_table.play(
                "gm", "set-owner", province=province.key, owner="romans", reason="test"
            )
    assert "fallen in turn 1" in visible_text(grand_table.get("hun", "n/huns/"))
    assert "The Huns fall." in visible_text(grand_table.get("nobody", "story/"))


def test_a_province_is_independent_again_only_if_it_was_before(grand_table: GrandTable) -> None:
    grand_table.play("gm", "set-owner", province="gepidia", owner=None, reason="test")
    grand_table.play("gm", "set-owner", province="armenia", owner="romans", reason="test")
    grand_table.play("gm", "set-owner", province="armenia", owner=None, reason="test")
    story = visible_text(grand_table.get("nobody", "story/"))
    assert "The Huns lose Gepidia, which becomes independent." in story
    assert "The Romans lose Armenia, which is independent again." in story
    grand_table.play("gm", "set-owner", province="gepidia", owner="huns", reason="test")
    grand_table.play("gm", "set-owner", province="gepidia", owner=None, reason="test")
    assert "The Huns lose Gepidia, which is independent again." in visible_text(
        grand_table.get("nobody", "story/")
    )
