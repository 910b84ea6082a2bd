"""Naval battles (8.2) that the game master enters.

A reason is required unless both players agreed.
"""

from __future__ import annotations

from functools import partial

import pytest

from campaign import services
from campaign.errors import Refused
from campaign.hosting.audit import differences
from campaign.models import LogEntry
from tests.web.battles.test_claims import act
from tests.web.contests import challenge, play_to_turn, siege, stored_contest, visible_text
from tests.web.grand_table import GrandTable, grand_table, new_campaign

__all__ = ["challenge", "grand_table", "new_campaign", "siege"]

pytestmark = pytest.mark.django_db

ENTERED = {"by": "naval", "side": "attacker", "sure": "1"}


@pytest.fixture
def crossing(grand_table: GrandTable) -> GrandTable:
    """Let the Huns with a fleet in Africa attack the Romans' Sicily by sea.

    No player has answered or agreed.
    """
    grand_table.play("gm", "set-owner", province="africa", owner="huns", reason="test")
    play_to_turn(grand_table, 2, {"huns": [("fleet", {"province": "africa"})]})
    grand_table.slot_to("huns")
    grand_table.play("huns", "attack", kind="amphibious", **{"from": "africa", "target": "sicilia"})
    for who in ("hun", "roman"):
        grand_table.people[who].owns_mare_nostrum = True
        grand_table.people[who].save()
    return grand_table


def enter(table: GrandTable, who: str = "gm", **more: str) -> int:
    return int(table.post(who, "b/1/", seen=str(table.seen(who)), **ENTERED, **more).status_code)


def test_the_page_shows_who_has_agreed_and_asks(crossing: GrandTable) -> None:
    look = {"by": "naval", "side": "attacker"}
    shown = visible_text(crossing.get("gm", "b/1/", **look))
    assert "Enter it without agreement?" in shown
    assert "Huns and Romans: not agreed yet." in shown
    assert "Enter it without agreement" in shown
    act(crossing, "hun", "agree", to="naval", yes="1")
    assert "Huns: agreed. Romans: not agreed yet." in visible_text(
        crossing.get("gm", "b/1/", **look)
    )


@pytest.mark.parametrize("reason", ["", "   ", "x" * 1001, "a\x00b"])
def test_without_a_reason_nothing_is_entered(crossing: GrandTable, reason: str) -> None:
    before = crossing.seen("gm")
    answer = crossing.post("gm", "b/1/", seen=str(before), reason=reason, **ENTERED)
    assert answer.status_code == 422
    text = visible_text(answer)
    assert "Give a reason in up to 1,000 characters. Everyone will be able to read it." in text
    assert "Enter it without agreement" in text
    assert crossing.seen("gm") == before
    assert stored_contest(crossing)["status"] == "challenged"


def test_with_a_reason_it_is_entered_and_the_reason_is_read_by_all(crossing: GrandTable) -> None:
    assert enter(crossing, reason="Both said so <b>in the thread</b>") == 302
    assert stored_contest(crossing)["outcome"] == "attacker"
    line = (
        "judges battle #1 as a naval battle in Mare Nostrum without the agreement of both players:"
        " Both said so <b>in the thread</b>"
    )
    for path in ("log/", "b/1/"):
        page = crossing.get("nobody", path)
        assert line in visible_text(page)
        assert "<b>in the thread" not in page.content.decode()
    content = LogEntry.objects.get(act="unagreed")
    assert (content.seat, content.content["to"], content.number) == (
        "gm",
        "naval",
        known_number(crossing) - 1,
    )
    crossing.campaign.refresh_from_db()
    assert list(differences(crossing.campaign)) == []


def known_number(table: GrandTable) -> int:
    """Return the number of the last entry."""
    last = (
        LogEntry.objects.filter(campaign=table.campaign, number__isnull=False)
        .order_by("number")
        .last()
    )
    assert last is not None
    assert last.number is not None
    return last.number


def test_the_door_lets_it_pass_only_where_both_agreed(crossing: GrandTable) -> None:
    gm, move = (
        crossing.people["gm"],
        {"by": "gm", "move": "report", "attack": 1, "naval": "attacker"},
    )
    act(crossing, "hun", "agree", to="naval", yes="1")
    before = crossing.seen("gm")
    for phrase in (partial(services.play, seen=before), services.preview):
        with pytest.raises(Refused) as refused:
            phrase(crossing.campaign, gm, move)
        assert refused.value.code == "not-agreed"
    assert crossing.seen("gm") == before
    act(crossing, "roman", "agree", to="naval", yes="1")
    services.play(crossing.campaign, gm, move, crossing.seen("gm"))
    assert stored_contest(crossing)["outcome"] == "attacker"


def test_with_both_agreed_nothing_is_asked(crossing: GrandTable) -> None:
    for who in ("hun", "roman"):
        act(crossing, who, "agree", to="naval", yes="1")
    shown = visible_text(crossing.get("gm", "b/1/", by="naval", side="attacker"))
    assert "Enter it without agreement?" not in shown
    assert enter(crossing) == 302
    assert stored_contest(crossing)["outcome"] == "attacker"
    assert not LogEntry.objects.filter(act="unagreed").exists()


def test_only_the_game_master_enters_a_naval_battle(crossing: GrandTable) -> None:
    assert [enter(crossing, who, reason="So") for who in ("hun", "roman", "stranger")] == [
        403,
        403,
        403,
    ]
    stale = str(crossing.seen("gm"))
    crossing.play("gm", "adjust", nation="huns", account="prestige", change=1, reason="Post 12")
    assert crossing.post("gm", "b/1/", seen=stale, reason="So", **ENTERED).status_code == 409
    assert stored_contest(crossing)["status"] == "challenged"


def test_an_undone_naval_battle_keeps_its_reason(crossing: GrandTable) -> None:
    enter(crossing, reason="They fought it at sea")
    last = known_number(crossing)
    crossing.campaign.refresh_from_db()
    crossing.post(
        "gm", "rewind/", entry=str(last - 1), reason="A slip", seen=str(crossing.seen("gm"))
    )
    assert stored_contest(crossing)["status"] == "challenged"
    assert "without the agreement of both players: They fought it at sea" in visible_text(
        crossing.get("nobody", "b/1/")
    )
