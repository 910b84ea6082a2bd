"""Claim, evidence and password of a battle that is undone and restored (HOUSE, Entries)."""

from __future__ import annotations

from typing import Any

import pytest

from battles import projection as battles
from battles.models import Evidence, Picture
from campaign.hosting.audit import differences
from campaign.models import LogEntry
from tests.web.battles.test_claims import act, claimed, picture
from tests.web.contests import challenge, seen_number, siege, stored_contest, visible_text
from tests.web.grand_table import GrandTable, grand_table, new_campaign

__all__ = ["challenge", "grand_table", "new_campaign", "siege"]

pytestmark = pytest.mark.django_db

LINK = "https://forum.example/thread/1"


def rewind(table: GrandTable, **given: str) -> Any:
    return table.post(
        "gm", "rewind/", reason="A slip of the game master", seen=seen_number(table), **given
    )


def test_a_restored_battle_has_its_evidence_claim_and_password(siege: GrandTable) -> None:
    launch = battles.battle(siege.campaign, 1).entry
    for do, given in (
        ("link", {"url": LINK}),
        ("picture", {"picture": picture()}),
        ("password", {"password": "walls"}),
    ):
        assert act(siege, "roman", do, **given).status_code == 302
    number = claimed(siege, word="A long day")
    shown = Evidence.objects.get(bytes__gt=0)
    bytes_at = f"b/1/evidence/{shown.entry.number}/"

    assert rewind(siege, entry=str(launch.number - 1)).status_code == 302
    undo = LogEntry.objects.get(act="undo")
    for path in ("b/1/", bytes_at):
        assert siege.get("hun", path).status_code == 404
    assert "31–46" in visible_text(siege.get("nobody", "log/"))
    assert (Evidence.objects.count(), Picture.objects.count()) == (2, 1)

    # The number is only displayed: another battle gets it, without anything of the first one.
    siege.play("huns", "attack", kind="land", **{"from": "pannonia", "target": "dalmatia"})
    page = siege.text("hun", "b/1/", lobby="show")
    assert LINK not in page
    assert "A long day" not in page
    assert "No password is set." in page
    assert siege.get("nobody", bytes_at).status_code == 404
    other = battles.battle(siege.campaign, 1).entry
    assert rewind(siege, undo=str(undo.number)).status_code == 422, "while the other one stands"
    assert rewind(siege, entry=str(other.number - 1)).status_code == 302
    assert rewind(siege, undo=str(undo.number)).status_code == 302, (
        "what was played since is struck"
    )
    assert LINK in siege.text("hun", "b/1/")

    siege.campaign.refresh_from_db()
    assert list(differences(siege.campaign)) == []
    assert LogEntry.objects.get(number=int(number)).act == "claim"


def test_a_restored_claim_can_be_confirmed(siege: GrandTable) -> None:
    launch = battles.battle(siege.campaign, 1).entry
    for do, given in (
        ("link", {"url": LINK}),
        ("picture", {"picture": picture()}),
        ("password", {"password": "walls"}),
    ):
        assert act(siege, "roman", do, **given).status_code == 302
    number = claimed(siege, word="A long day")
    shown = Evidence.objects.get(bytes__gt=0)
    before = siege.get("nobody", f"b/1/evidence/{shown.entry.number}/").content
    rewind(siege, entry=str(launch.number - 1))
    undo = LogEntry.objects.get(act="undo")
    assert rewind(siege, undo=str(undo.number)).status_code == 302

    page = siege.text("roman", "b/1/", lobby="show")
    assert LINK in page
    assert "walls" in page
    assert "“A long day”" in visible_text(page)
    assert siege.get("nobody", f"b/1/evidence/{shown.entry.number}/").content == before
    assert act(siege, "roman", "confirm", claim=number).status_code == 302
    assert stored_contest(siege)["status"] == "resolved"
    assert visible_text(siege.get("nobody", "b/1/")).count(LINK) == 1
    siege.campaign.refresh_from_db()
    assert list(differences(siege.campaign)) == []
