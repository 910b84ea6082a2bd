"""Countersigners: members named by a game master who sign corrections, undos and judgments."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from campaign import access, services
from campaign.errors import NoSuchCampaign, NoSuchEntry, NotAllowed, Refused
from campaign.hosting.audit import differences
from campaign.log import selectors
from campaign.models import Campaign, Membership
from notices import selectors as notices
from notices.wording import notices_in_words
from tests.battles.test_services import DRAWN, claimed, judge
from tests.web.grand_table import GrandTable, grand_table, new_campaign

__all__ = ["grand_table", "new_campaign"]

pytestmark = pytest.mark.django_db


@pytest.fixture
def corrected(grand_table: GrandTable) -> tuple[GrandTable, int]:
    """Return a campaign with Sid as countersigner and a correction of the Romans' income."""
    services.name_countersigner(
        grand_table.campaign, grand_table.people["gm"], grand_table.people["stranger"]
    )
    grand_table.campaign.refresh_from_db()
    done = grand_table.play(
        "gm", "adjust", nation="romans", account="income", change=25, reason="Miscounted"
    )
    number: int = done.entries[0].number
    return grand_table, number


def post_signature(table: GrandTable, who: str, number: int) -> Any:
    return services.countersign(table.campaign, table.people[who], number)


def signed(table: GrandTable, number: int) -> tuple[str, ...]:
    return selectors.entry(table.campaign, None, number).signed


def audit_differences(table: GrandTable) -> list[str]:
    return list(differences(Campaign.objects.get(pk=table.campaign.pk)))


def notices_shown(table: GrandTable, who: str) -> list[tuple[str, str, str]]:
    return [
        (notice.notice.kind, notice.title, notice.body)
        for notice in notices_in_words(notices.notices(table.people[who]))
    ]


def test_each_countersigner_signs_a_correction_once(corrected: tuple[GrandTable, int]) -> None:
    table, number = corrected
    assert signed(table, number) == ()
    entry = post_signature(table, "stranger", number)
    assert (entry.target.number, entry.content) == (number, {"act": "countersign", "entry": number})
    assert signed(table, number) == ("Sid",)
    assert (
        selectors.log(table.campaign, None, limit=1)[0].text == f"Entry {number} is countersigned."
    )
    with pytest.raises(Refused, match="already"):
        post_signature(table, "stranger", number)
    services.name_countersigner(table.campaign, table.people["gm"], table.people["hun"])
    post_signature(table, "hun", number)
    assert signed(table, number) == ("Ingrid", "Sid")
    assert audit_differences(table) == []


def test_only_countersigners_sign_and_only_certain_entries(
    corrected: tuple[GrandTable, int],
) -> None:
    table, number = corrected
    for who in ("gm", "hun", "roman"):
        with pytest.raises(NotAllowed):
            post_signature(table, who, number)
    for other in (0, 1, number - 1):
        with pytest.raises(Refused, match="Only corrections, undos and judgments"):
            post_signature(table, "stranger", other)
    with pytest.raises(NoSuchEntry):
        post_signature(table, "stranger", 4000)
    for nobody in ("hun", "roman", "stranger"):
        with pytest.raises(NotAllowed):
            services.name_countersigner(table.campaign, table.people[nobody], table.people["hun"])
    with pytest.raises(Refused, match="A game master cannot countersign"):
        services.name_countersigner(table.campaign, table.people["gm"], table.people["gm"])


def test_undos_restorations_and_judgments_are_countersigned(
    corrected: tuple[GrandTable, int],
) -> None:
    table, number = corrected
    gm = table.people["gm"]
    table.play("huns", "attack", kind="land", **{"from": "pannonia", "target": "dalmatia"})
    table.play("romans", "respond", attack=1, choice="accept")
    claim = claimed(table)
    judge(table, "gm", claim, DRAWN, "The screen says so")
    judged = next(
        line.number for line in selectors.log(table.campaign, None) if line.entry.act == "judge"
    )
    post_signature(table, "stranger", judged)
    undo = services.undo_to(table.campaign, gm, number, "Again", table.seen("gm"))
    post_signature(table, "stranger", undo.number)
    back = services.restore(table.campaign, gm, undo.number, "It was right")
    with pytest.raises(Refused):
        post_signature(table, "stranger", undo.number)
    post_signature(table, "stranger", back.number)
    assert [signed(table, number) for number in (judged, undo.number, back.number)] == [
        ("Sid",)
    ] * 3
    assert audit_differences(table) == []


def test_a_struck_entry_keeps_its_signatures_and_gets_no_more(
    corrected: tuple[GrandTable, int],
) -> None:
    table, number = corrected
    post_signature(table, "stranger", number)
    services.name_countersigner(table.campaign, table.people["gm"], table.people["hun"])
    services.undo_to(table.campaign, table.people["gm"], number - 1, "A slip", table.seen("gm"))
    assert signed(table, number) == ("Sid",)
    with pytest.raises(Refused):
        post_signature(table, "hun", number)


def test_signatures_remain_when_the_countersigner_leaves(corrected: tuple[GrandTable, int]) -> None:
    table, number = corrected
    post_signature(table, "stranger", number)
    with pytest.raises(NotAllowed):
        services.dismiss_countersigner(
            table.campaign, table.people["hun"], table.people["stranger"]
        )
    services.dismiss_countersigner(
        table.campaign, table.people["stranger"], table.people["stranger"]
    )
    services.dismiss_countersigner(table.campaign, table.people["gm"], table.people["stranger"])
    assert (
        selectors.log(table.campaign, None, limit=1)[0].text == "Sid is no longer a countersigner."
    )
    assert signed(table, number) == ("Sid",)
    with pytest.raises(NotAllowed):
        post_signature(table, "stranger", number)
    assert access.access_of(table.campaign, table.people["stranger"]) == access.NO_ACCESS
    assert audit_differences(table) == []


def test_a_countersigner_who_becomes_game_master_stops_countersigning(
    corrected: tuple[GrandTable, int],
) -> None:
    table, number = corrected
    _, token = services.invite_master(table.campaign, table.people["gm"])
    services.take_seat(table.people["stranger"], token)
    with pytest.raises(NotAllowed):
        post_signature(table, "stranger", number)


def test_at_a_members_only_table_a_countersigner_sees_what_all_members_see(
    new_campaign: Callable[..., GrandTable],
) -> None:
    table = new_campaign(visibility="members", hands="hidden")
    table.play("gm", "start")
    given = table.play("gm", "give-card", nation="huns", card="spy", reason="For the test").entries[
        0
    ]
    with pytest.raises(NoSuchCampaign):
        post_signature(table, "stranger", 1)
    services.name_countersigner(table.campaign, table.people["gm"], table.people["stranger"])
    who = access.access_of(table.campaign, table.people["stranger"])
    assert (who.member, who.voices, who.viewer) == (True, (), None)
    assert selectors.seen(table.campaign, table.people["stranger"]) == selectors.seen(
        table.campaign, None
    )
    shown = selectors.entry(table.campaign, table.people["stranger"], given.number)
    assert "spy" not in f"{shown.text} {shown.effects}".lower()
    post_signature(table, "stranger", given.number)


def test_the_countersigner_is_notified(corrected: tuple[GrandTable, int]) -> None:
    table, number = corrected
    assert [notice[:2] for notice in notices_shown(table, "stranger")] == [
        ("to-countersign", f"Entry {number} can be countersigned"),
        ("countersigner", "You are now a countersigner"),
    ]
    assert notices_shown(table, "stranger")[0][2] == "Miscounted"
    post_signature(table, "stranger", number)
    assert notices_shown(table, "gm")[0] == (
        "countersigned",
        f"Entry {number} has been countersigned",
        "Sid has looked at it and agrees.",
    )
    assert notices.linked_page(notices.notices(table.people["gm"])[0]) == ("entry", number)


def test_rows_that_the_log_does_not_know_are_found(corrected: tuple[GrandTable, int]) -> None:
    table, _ = corrected
    Membership.objects.filter(role="countersigner").update(user=table.people["hun"])
    assert any("countersigner" in line for line in audit_differences(table))
