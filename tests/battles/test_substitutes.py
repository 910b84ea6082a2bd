"""A substitute for one battle (RULES 11): what they may do, what they may not, and when it ends."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from battles import projection, services
from battles.models import LobbyPassword
from campaign import access
from campaign import services as table_services
from campaign.errors import NoSuchCampaign, NotAllowed, Refused
from campaign.hosting.audit import differences
from campaign.log import selectors as table_selectors
from campaign.log.selectors import log, seen
from campaign.models import Campaign, Membership
from notices import selectors as notices
from notices.wording import notices_in_words
from tests.battles.test_services import DRAWN, ROUTED, battle, claimed, confirm, state
from tests.web.grand_table import GrandTable

pytestmark = pytest.mark.django_db


def who(grand_table: GrandTable, name: str) -> access.Access:
    return access.access_of(
        Campaign.objects.get(pk=grand_table.campaign.pk), grand_table.people[name]
    )


def name(grand_table: GrandTable, by: str, seat: str, whom: str = "stranger") -> Membership:
    return services.name_substitute(
        grand_table.campaign, grand_table.people[by], 1, seat, grand_table.people[whom]
    )


def end(grand_table: GrandTable, by: str, seat: str) -> None:
    services.end_substitute(grand_table.campaign, grand_table.people[by], 1, seat)


def notices_shown(grand_table: GrandTable, whom: str) -> list[tuple[str, str]]:
    return [
        (notice.notice.kind, notice.title)
        for notice in notices_in_words(notices.notices(grand_table.people[whom]))
    ]


def audited(grand_table: GrandTable) -> list[str]:
    return list(differences(Campaign.objects.get(pk=grand_table.campaign.pk)))


def test_a_substitute_claims_shows_reads_and_confirms_for_the_side(siege: GrandTable) -> None:
    name(siege, "hun", "huns")
    assert [line.text for line in log(siege.campaign, None, limit=1)] == [
        "Huns: Sid is the substitute for battle #1."
    ]
    services.set_password(siege.campaign, siege.people["stranger"], 1, "walls")
    assert services.password(battle(siege), who(siege, "stranger")) == "walls"
    services.add_link(siege.campaign, siege.people["stranger"], 1, "https://forum.example/1")
    assert services.set_up(siege.campaign, siege.people["stranger"], 1).seat == "huns"
    number = claimed(siege, "stranger")
    assert projection.claims(battle(siege))[0].seat == "huns"
    services.withdraw(siege.campaign, siege.people["hun"], 1, number)
    number = claimed(siege, "roman")
    services.dispute(siege.campaign, siege.people["stranger"], 1, number, "It was not so")
    confirm(siege, "stranger", number)
    assert (battle(siege).status, state(siege)) == ("resolved", "confirmed")
    assert audited(siege) == []


def test_the_holder_or_the_game_master_names_a_substitute(siege: GrandTable) -> None:
    for by, seat in (("stranger", "huns"), ("roman", "huns"), ("hun", "romans")):
        with pytest.raises(NotAllowed, match="Only the holder of the seat"):
            name(siege, by, seat)
    with pytest.raises(Refused, match="already plays this battle"):
        name(siege, "hun", "huns", "roman")
    with pytest.raises(Refused, match="does not play this battle"):
        name(siege, "gm", "vandals")
    name(siege, "gm", "romans")
    with pytest.raises(Refused, match="Sid is already the substitute for this side"):
        name(siege, "roman", "romans", "gm")
    with pytest.raises(Refused, match="already plays this battle"):
        name(siege, "hun", "huns", "stranger")
    with pytest.raises(Refused, match="This side has no substitute"):
        end(siege, "gm", "huns")
    assert audited(siege) == []


def test_a_substitutes_claim_is_confirmed_and_withdrawn_only_by_the_right_side(
    siege: GrandTable,
) -> None:
    name(siege, "hun", "huns")
    number = claimed(siege, "stranger")
    for somebody in ("stranger", "hun"):
        with pytest.raises(NotAllowed):
            confirm(siege, somebody, number)
    with pytest.raises(NotAllowed):
        services.withdraw(siege.campaign, siege.people["roman"], 1, number)
    with pytest.raises(NotAllowed):
        services.judge(siege.campaign, siege.people["stranger"], 1, number, siege.seen("stranger"))


def test_a_substitute_makes_no_moves_for_the_seat(siege: GrandTable) -> None:
    name(siege, "hun", "huns")
    sid = siege.people["stranger"]
    with pytest.raises(NotAllowed):
        table_services.play(
            siege.campaign, sid, {"by": "huns", "move": "end-slot"}, siege.seen("stranger")
        )
    with pytest.raises(NotAllowed):
        table_services.undo_own(siege.campaign, sid, siege.seen("stranger"))
    with pytest.raises(NotAllowed, match="Only the holder of the seat can agree"):
        services.agree(siege.campaign, sid, 1, "naval", True)
    with pytest.raises(NotAllowed):
        table_services.vacate(siege.campaign, sid, "huns")
    with pytest.raises(NotAllowed):
        services.name_substitute(siege.campaign, sid, 1, "romans", siege.people["gm"])
    assert who(siege, "stranger").voices == ()


def test_the_holder_the_game_master_or_the_substitute_ends_it(siege: GrandTable) -> None:
    for by in ("hun", "gm", "stranger"):
        name(siege, "hun", "huns")
        with pytest.raises(NotAllowed):
            end(siege, "roman", "huns")
        end(siege, by, "huns")
        assert (
            log(siege.campaign, None, limit=1)[0].text
            == "Huns: Sid is no longer the substitute for battle #1."
        )
        with pytest.raises(NotAllowed):
            services.claim(siege.campaign, siege.people["stranger"], 1, ROUTED)
    assert not who(siege, "stranger").member
    assert audited(siege) == []


def test_it_ends_with_the_battle_and_is_there_again_when_the_result_is_undone(
    siege: GrandTable,
) -> None:
    name(siege, "hun", "huns")
    services.set_password(siege.campaign, siege.people["stranger"], 1, "walls")
    number = claimed(siege, "roman")
    confirm(siege, "stranger", number)
    assert who(siege, "stranger") == access.NO_ACCESS
    assert projection.substitutes(battle(siege)) == {}
    assert list(projection.stood_in(siege.people["stranger"])) == []
    with pytest.raises(NotAllowed):
        services.password(battle(siege), who(siege, "stranger"))
    with pytest.raises(NotAllowed):
        services.add_link(siege.campaign, siege.people["stranger"], 1, "https://forum.example/2")

    siege.campaign.refresh_from_db()
    gm = siege.people["gm"]
    table_services.undo_to(siege.campaign, gm, number, "A slip", seen(siege.campaign, gm))
    assert [place.seat for place in who(siege, "stranger").substitutions] == ["huns"]
    assert list(projection.stood_in(siege.people["stranger"])) == [siege.campaign]
    assert claimed(siege, "stranger", DRAWN)
    assert audited(siege) == []


def test_a_substitute_does_not_pass_to_a_battle_with_a_reused_number(
    siege: GrandTable,
) -> None:
    name(siege, "hun", "huns")
    gm, launch = siege.people["gm"], battle(siege).entry
    undo = table_services.undo_to(
        siege.campaign, gm, launch.number - 1, "A slip", seen(siege.campaign, gm)
    )
    assert who(siege, "stranger") == access.NO_ACCESS
    siege.campaign.refresh_from_db()
    table_services.restore(siege.campaign, gm, undo.number, "No slip")
    assert [place.seat for place in who(siege, "stranger").substitutions] == ["huns"]
    siege.campaign.refresh_from_db()
    table_services.undo_to(
        siege.campaign, gm, launch.number - 1, "A slip", seen(siege.campaign, gm)
    )
    siege.campaign.refresh_from_db()
    siege.play("huns", "attack", kind="land", **{"from": "pannonia", "target": "dalmatia"})
    assert battle(siege).number == 1
    assert who(siege, "stranger") == access.NO_ACCESS
    name(siege, "hun", "huns", "gm")
    assert audited(siege) == []


def test_with_hidden_hands_a_substitute_sees_what_a_stranger_sees(
    new_campaign: Callable[..., GrandTable],
) -> None:
    grand_table = new_campaign(hands="hidden")
    grand_table.play("gm", "start")
    grand_table.slot_to("huns")
    grand_table.play("huns", "attack", kind="land", **{"from": "pannonia", "target": "dalmatia"})
    grand_table.play("gm", "give-card", nation="huns", card="bodyguard", reason="For the test")
    grand_table.play("huns", "keep", card="bodyguard", value=True)
    before = table_selectors.view(grand_table.campaign, grand_table.people["stranger"])
    name(grand_table, "hun", "huns")
    assert (
        table_selectors.view(grand_table.campaign, grand_table.people["stranger"])
        == before
        == table_selectors.view(grand_table.campaign, None)
    )
    assert (
        seen(grand_table.campaign, grand_table.people["stranger"])
        == seen(grand_table.campaign, None)
        < seen(grand_table.campaign, grand_table.people["gm"])
    )
    for seat in ("huns", "gm"):
        with pytest.raises(NotAllowed):
            table_selectors.offers(grand_table.campaign, grand_table.people["stranger"], seat)
    raw = {"by": "huns", "move": "end-slot"}
    with pytest.raises(NotAllowed):
        table_services.play(
            grand_table.campaign, grand_table.people["stranger"], raw, grand_table.seen("stranger")
        )


def test_a_substitute_is_a_member_meanwhile(new_campaign: Callable[..., GrandTable]) -> None:
    grand_table = new_campaign(visibility="members")
    grand_table.play("gm", "start")
    grand_table.slot_to("huns")
    grand_table.play("huns", "attack", kind="land", **{"from": "pannonia", "target": "dalmatia"})
    grand_table.play("romans", "respond", attack=1, choice="accept")
    sid = grand_table.people["stranger"]
    with pytest.raises(NoSuchCampaign):
        services.set_up(grand_table.campaign, sid, 1)
    name(grand_table, "hun", "huns")
    assert access.may_see(grand_table.campaign, sid)
    services.set_up(grand_table.campaign, sid, 1)
    end(grand_table, "hun", "huns")
    assert not access.may_see(grand_table.campaign, sid)


def test_a_stranger_never_reads_the_password(siege: GrandTable) -> None:
    services.set_password(siege.campaign, siege.people["hun"], 1, "walls")
    with pytest.raises(NotAllowed):
        services.password(battle(siege), who(siege, "stranger"))
    with pytest.raises(NotAllowed):
        services.set_password(siege.campaign, siege.people["stranger"], 1, "mine")
    assert LobbyPassword.objects.get().set_by == siege.people["hun"]


def test_the_substitute_is_notified(siege: GrandTable) -> None:
    name(siege, "gm", "huns")
    assert notices_shown(siege, "stranger")[0] == (
        "stands-in",
        "You are the substitute for the Huns in battle #1",
    )
    assert notices_shown(siege, "hun")[0] == ("stood-for", "Sid is your substitute in battle #1")
    claimed(siege, "roman")
    assert notices_shown(siege, "stranger")[0] == (
        "claimed",
        "A result of battle #1 has been claimed",
    )
    end(siege, "stranger", "huns")
    assert notices_shown(siege, "hun")[0] == (
        "stands-in-ended",
        "Sid is no longer the substitute for the Huns in battle #1",
    )
    assert notices_shown(siege, "stranger")[0][0] == "claimed"
    name(siege, "hun", "huns")
    end(siege, "hun", "huns")
    assert notices_shown(siege, "stranger")[0] == (
        "stands-in-ended",
        "Sid is no longer the substitute for the Huns in battle #1",
    )
    rows: Any = notices.notices(siege.people["stranger"])
    assert notices.linked_page(rows[0]) == ("battle", 1)
