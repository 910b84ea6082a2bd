"""The countersigner: named by a game master, they say under a correction, an undo or a judgment
that they have looked at it.
"""

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
from tests.web.five import Five, five, new_campaign

__all__ = ["five", "new_campaign"]

pytestmark = pytest.mark.django_db


@pytest.fixture
def corrected(five: Five) -> tuple[Five, int]:
    """Sid is countersigner; the game master has corrected the Romans' income."""
    services.name_countersigner(five.campaign, five.people["gm"], five.people["stranger"])
    five.campaign.refresh_from_db()
    done = five.play(
        "gm", "adjust", nation="romans", account="income", change=25, reason="Miscounted"
    )
    number: int = done.entries[0].number
    return five, number


def sign(table: Five, who: str, number: int) -> Any:
    return services.countersign(table.campaign, table.people[who], number)


def signed(table: Five, number: int) -> tuple[str, ...]:
    return selectors.entry(table.campaign, None, number).signed


def audited(table: Five) -> list[str]:
    return list(differences(Campaign.objects.get(pk=table.campaign.pk)))


def notices_shown(table: Five, who: str) -> list[tuple[str, str, str]]:
    return [
        (one.notice.kind, one.title, one.body)
        for one in notices_in_words(notices.notices(table.people[who]))
    ]


def test_a_correction_is_countersigned_once_by_each(corrected: tuple[Five, int]) -> None:
    table, number = corrected
    assert signed(table, number) == ()
    entry = sign(table, "stranger", number)
    assert (entry.target.number, entry.content) == (number, {"act": "countersign", "entry": number})
    assert signed(table, number) == ("Sid",)
    assert (
        selectors.log(table.campaign, None, limit=1)[0].text == f"Entry {number} is countersigned."
    )
    with pytest.raises(Refused, match="already"):
        sign(table, "stranger", number)
    services.name_countersigner(table.campaign, table.people["gm"], table.people["hun"])
    sign(table, "hun", number)
    assert signed(table, number) == ("Ingrid", "Sid")
    assert audited(table) == []


def test_who_may_and_what_may_be_countersigned(corrected: tuple[Five, int]) -> None:
    table, number = corrected
    for who in ("gm", "hun", "roman"):
        with pytest.raises(NotAllowed):
            sign(table, who, number)
    for other in (0, 1, number - 1):
        with pytest.raises(Refused, match="Only a game master's corrections"):
            sign(table, "stranger", other)
    with pytest.raises(NoSuchEntry):
        sign(table, "stranger", 4000)
    for nobody in ("hun", "roman", "stranger"):
        with pytest.raises(NotAllowed):
            services.name_countersigner(table.campaign, table.people[nobody], table.people["hun"])
    with pytest.raises(Refused, match="A game master does not countersign"):
        services.name_countersigner(table.campaign, table.people["gm"], table.people["gm"])


def test_an_undo_a_restoration_and_a_judgment(corrected: tuple[Five, int]) -> None:
    table, number = corrected
    gm = table.people["gm"]
    table.play("huns", "attack", kind="land", **{"from": "pannonia", "target": "dalmatia"})
    table.play("romans", "respond", attack=1, choice="accept")
    claim = claimed(table)
    judge(table, "gm", claim, DRAWN, "The screen says so")
    judged = next(
        line.number for line in selectors.log(table.campaign, None) if line.entry.act == "judge"
    )
    sign(table, "stranger", judged)
    undo = services.undo_to(table.campaign, gm, number, "Again", table.seen("gm"))
    sign(table, "stranger", undo.number)
    back = services.restore(table.campaign, gm, undo.number, "It was right")
    with pytest.raises(Refused):
        sign(table, "stranger", undo.number)
    sign(table, "stranger", back.number)
    assert [signed(table, one) for one in (judged, undo.number, back.number)] == [("Sid",)] * 3
    assert audited(table) == []


def test_what_is_struck_keeps_its_mark_and_takes_no_other(corrected: tuple[Five, int]) -> None:
    table, number = corrected
    sign(table, "stranger", number)
    services.name_countersigner(table.campaign, table.people["gm"], table.people["hun"])
    services.undo_to(table.campaign, table.people["gm"], number - 1, "A slip", table.seen("gm"))
    assert signed(table, number) == ("Sid",)
    with pytest.raises(Refused):
        sign(table, "hun", number)


def test_he_goes_and_what_he_countersigned_stands(corrected: tuple[Five, int]) -> None:
    table, number = corrected
    sign(table, "stranger", number)
    with pytest.raises(NotAllowed):
        services.dismiss_countersigner(
            table.campaign, table.people["hun"], table.people["stranger"]
        )
    services.dismiss_countersigner(
        table.campaign, table.people["stranger"], table.people["stranger"]
    )
    services.dismiss_countersigner(table.campaign, table.people["gm"], table.people["stranger"])
    assert selectors.log(table.campaign, None, limit=1)[0].text == "Sid is no longer countersigner."
    assert signed(table, number) == ("Sid",)
    with pytest.raises(NotAllowed):
        sign(table, "stranger", number)
    assert access.access_of(table.campaign, table.people["stranger"]) == access.NOBODY
    assert audited(table) == []


def test_a_countersigner_who_becomes_game_master_countersigns_no_more(
    corrected: tuple[Five, int],
) -> None:
    table, number = corrected
    _, token = services.invite_master(table.campaign, table.people["gm"])
    services.take_seat(table.people["stranger"], token)
    with pytest.raises(NotAllowed):
        sign(table, "stranger", number)


def test_at_a_table_for_members_he_sees_what_everybody_there_may_see(
    new_campaign: Callable[..., Five],
) -> None:
    table = new_campaign(visibility="members", hands="hidden")
    table.play("gm", "start")
    given = table.play("gm", "give-card", nation="huns", card="spy", reason="For the test").entries[
        0
    ]
    with pytest.raises(NoSuchCampaign):
        sign(table, "stranger", 1)
    services.name_countersigner(table.campaign, table.people["gm"], table.people["stranger"])
    who = access.access_of(table.campaign, table.people["stranger"])
    assert (who.member, who.voices, who.viewer) == (True, (), None)
    assert selectors.seen(table.campaign, table.people["stranger"]) == selectors.seen(
        table.campaign, None
    )
    shown = selectors.entry(table.campaign, table.people["stranger"], given.number)
    assert "spy" not in f"{shown.text} {shown.effects}".lower()
    sign(table, "stranger", given.number)


def test_whom_it_is_told(corrected: tuple[Five, int]) -> None:
    table, number = corrected
    assert [one[:2] for one in notices_shown(table, "stranger")] == [
        ("to-countersign", f"Entry {number} may be countersigned"),
        ("countersigner", "You are countersigner"),
    ]
    assert notices_shown(table, "stranger")[0][2] == "Miscounted"
    sign(table, "stranger", number)
    assert notices_shown(table, "gm")[0] == (
        "countersigned",
        f"Entry {number} is countersigned",
        "Sid has looked at it and agrees.",
    )
    assert notices.page(notices.notices(table.people["gm"])[0]) == ("entry", number)


def test_rows_that_the_log_does_not_know_are_found(corrected: tuple[Five, int]) -> None:
    table, _ = corrected
    Membership.objects.filter(role="countersigner").update(user=table.people["hun"])
    assert any("countersigner" in line for line in audited(table))
