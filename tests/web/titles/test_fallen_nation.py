"""A nation that has crumbled or fallen: every page says so and when, and promises it nothing (2.3,
2.9).
"""

from __future__ import annotations

from notices.models import Notice
from notices.wording import notices_in_words
from tests.web.contests import plain, to_turn
from tests.web.five import Five, five, new_campaign

__all__ = ["five", "new_campaign"]


def crumble(table: Five) -> None:
    """The Huns crumble in turn 2, before their slot of it."""
    to_turn(table, 2, {})
    table.play("gm", "adjust", nation="huns", account="stability", change=-9, reason="test")
    table.fell = table.campaign.entries.latest("sequence").number  # type: ignore[attr-defined]


def test_2_3_page_table_report_and_notice_say_that_and_when_a_nation_has_crumbled(
    five: Five,
) -> None:
    crumble(five)
    page = plain(five.get("hun", "n/huns/"))
    assert "crumbled in turn 2" in page
    assert "No card. A fallen nation draws no more cards and takes no more slots. §2.3" in page
    assert "crumbled in turn 2" in plain(five.get("nobody"))
    assert "Huns (crumbled in turn 2)" in plain(five.get("nobody", "reports/turn-2/"))
    assert "The Huns have crumbled." in plain(five.get("nobody", "story/"))
    notices = notices_in_words(Notice.objects.filter(user=five.people["hun"], kind="fell"))
    assert [(one.title, one.body) for one in notices] == [
        (
            "The Huns have fallen",
            (
                "Turn 2: the Huns crumble. You take no more slots and draw no more cards; your"
                " income gives no more actions."
            ),
        )
    ]


def test_2_3_nothing_promises_a_fallen_nation_a_card_a_slot_or_income(five: Five) -> None:
    crumble(five)
    page = plain(five.get("hun", "n/huns/"))
    assert "One is drawn when the next turn opens" not in page
    assert "next slot" not in page
    assert "Huns Hun fallen" in page
    while five.campaign.phase != "closed":
        five.play(five.campaign.active_seat, "end-slot")
    promised = Notice.objects.filter(
        user=five.people["hun"], kind__in=("next", "slot-open"), entry__turn=2
    )
    assert [one.entry.number for one in promised if one.entry.number > five.fell] == []  # type: ignore[attr-defined]


def test_2_9_a_nation_without_provinces_has_fallen(five: Five) -> None:
    for province in five.campaign.game.scenario(
        five.campaign.game.scenarios()["420ad"]
    ).provinces.values():
        if province.owner == "huns":
            five.play("gm", "set-owner", province=province.key, owner="romans", reason="test")
    assert "fallen in turn 1" in plain(five.get("hun", "n/huns/"))
    assert "The Huns have fallen." in plain(five.get("nobody", "story/"))


def test_a_province_is_independent_again_only_if_it_was_before(five: Five) -> None:
    five.play("gm", "set-owner", province="gepidia", owner=None, reason="test")
    five.play("gm", "set-owner", province="armenia", owner="romans", reason="test")
    five.play("gm", "set-owner", province="armenia", owner=None, reason="test")
    story = plain(five.get("nobody", "story/"))
    assert "The Huns lose Gepidia, which becomes independent." in story
    assert "The Romans lose Armenia, which is independent again." in story
    five.play("gm", "set-owner", province="gepidia", owner="huns", reason="test")
    five.play("gm", "set-owner", province="gepidia", owner=None, reason="test")
    assert "The Huns lose Gepidia, which is independent again." in plain(
        five.get("nobody", "story/")
    )
