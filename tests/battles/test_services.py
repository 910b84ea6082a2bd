"""Acts at a battle: set up, claimed, confirmed, disputed, judged.

The tests check their log entries and the state after an undo.
"""

from __future__ import annotations

from typing import Any

import pytest

from battles import projection, services
from battles.models import Claim
from campaign import services as table_services
from campaign.errors import NoSuchEntry, NotAllowed, NotNow, Refused
from campaign.hosting.audit import differences
from campaign.log.selectors import log, seen
from campaign.models import Campaign
from engine.errors import IllegalMove
from tests.web.grand_table import GrandTable

pytestmark = pytest.mark.django_db

ROUTED = {"by": "gm", "move": "report", "attack": 1, "routed": {"attacker": 31, "defender": 46}}
DRAWN = {"by": "gm", "move": "report", "attack": 1, "winner": "draw"}


def claimed(grand_table: GrandTable, who: str = "hun", raw: Any = ROUTED) -> int:
    number = services.claim(
        grand_table.campaign, grand_table.people[who], 1, raw, "well fought"
    ).number
    assert number is not None
    return number


def confirm(grand_table: GrandTable, who: str, number: int) -> Any:
    return services.confirm(
        grand_table.campaign, grand_table.people[who], 1, number, grand_table.seen(who)
    )


def judge(grand_table: GrandTable, who: str, number: int, *more: Any) -> Any:
    return services.judge(
        grand_table.campaign, grand_table.people[who], 1, number, grand_table.seen(who), *more
    )


def battle(grand_table: GrandTable) -> Any:
    return projection.battle(grand_table.campaign, 1)


def state(grand_table: GrandTable) -> str:
    return str(projection.claims(battle(grand_table))[0].state)


def texts(grand_table: GrandTable, count: int) -> list[str]:
    grand_table.campaign.refresh_from_db()
    return [line.text for line in log(grand_table.campaign, None, limit=count)]


def test_a_claim_is_confirmed_by_the_other_and_entered_at_once(siege: GrandTable) -> None:
    number = claimed(siege)
    assert (battle(siege).status, state(siege)) == ("fighting", "open")
    entry = confirm(siege, "roman", number)
    assert (battle(siege).status, state(siege)) == ("resolved", "confirmed")
    assert entry.content["routed"] == {"attacker": 31, "defender": 46}
    assert (entry.seat, entry.actor) == ("gm", siege.people["roman"])
    assert entry.is_move
    lines = texts(siege, 3)
    assert lines[1] == "The Romans confirm the result of battle #1."
    assert lines[2] == "The Huns claim a result for battle #1: routed 31–46."
    siege.campaign.refresh_from_db()
    assert list(differences(siege.campaign)) == []


def test_who_may_claim_and_confirm(siege: GrandTable) -> None:
    for who in ("gm", "stranger"):
        with pytest.raises(NotAllowed):
            services.claim(siege.campaign, siege.people[who], 1, ROUTED)
    number = claimed(siege)
    for who in ("gm", "hun", "stranger"):
        with pytest.raises(NotAllowed):
            confirm(siege, who, number)
        with pytest.raises(NotAllowed):
            services.dispute(siege.campaign, siege.people[who], 1, number, "no")
    for who in ("gm", "roman", "stranger"):
        with pytest.raises(NotAllowed):
            services.withdraw(siege.campaign, siege.people[who], 1, number)
    for who in ("hun", "roman", "stranger"):
        with pytest.raises(NotAllowed):
            judge(siege, who, number)
    assert battle(siege).status == "fighting"


def test_one_claim_at_a_time_and_it_can_be_withdrawn(siege: GrandTable) -> None:
    number = claimed(siege)
    with pytest.raises(Refused, match="There is already a claim"):
        claimed(siege, "roman", DRAWN)
    services.withdraw(siege.campaign, siege.people["hun"], 1, number)
    with pytest.raises(Refused, match="withdrawn"):
        confirm(siege, "roman", number)
    again = claimed(siege, "roman", DRAWN)
    confirm(siege, "hun", again)
    assert battle(siege).outcome == "draw"
    with pytest.raises(Refused, match="resolved"):
        claimed(siege)


def test_a_dispute_needs_a_reason_and_the_game_master_judges(siege: GrandTable) -> None:
    number = claimed(siege)
    with pytest.raises(Refused, match="Give a reason"):
        services.dispute(siege.campaign, siege.people["roman"], 1, number, " ")
    services.dispute(siege.campaign, siege.people["roman"], 1, number, "It was 41-46")
    assert state(siege) == "disputed"
    with pytest.raises(Refused, match="Give a reason"):
        judge(siege, "gm", number, DRAWN)
    judge(siege, "gm", number, DRAWN, "The screen says so")
    assert (battle(siege).outcome, state(siege)) == ("draw", "judged")
    assert texts(siege, 2)[1].startswith("The game master judges battle #1: ")
    assert texts(siege, 2)[1].endswith("The screen says so")
    assert texts(siege, 3)[2] == "The Romans dispute the claim for battle #1: It was 41-46"


def test_the_game_master_applies_a_claim_without_a_reason(siege: GrandTable) -> None:
    number = claimed(siege)
    judge(siege, "gm", number)
    assert (battle(siege).outcome, state(siege)) == ("attacker", "judged")


def test_only_what_ends_the_battle_can_be_claimed(siege: GrandTable) -> None:
    with pytest.raises(Refused):
        claimed(
            siege,
            raw={"by": "gm", "move": "give-card", "nation": "huns", "card": "spy", "reason": "x"},
        )
    with pytest.raises(IllegalMove):
        claimed(siege, raw={**DRAWN, "attack": 2})
    with pytest.raises(Refused):
        claimed(siege, raw={"by": "huns", "move": "end-slot"})
    with pytest.raises(NoSuchEntry):
        services.claim(siege.campaign, siege.people["hun"], 7, ROUTED)


def test_an_unanswered_challenge_cannot_be_claimed(grand_table: GrandTable) -> None:
    grand_table.play("huns", "attack", kind="land", **{"from": "pannonia", "target": "dalmatia"})
    with pytest.raises(Refused, match="not been answered"):
        claimed(grand_table)


def test_an_undo_leaves_the_claim_and_a_restoration_finds_it(siege: GrandTable) -> None:
    gm, launch = siege.people["gm"], battle(siege).entry
    number = claimed(siege)
    undo = table_services.undo_to(
        siege.campaign, gm, launch.number - 1, "slip", seen(siege.campaign, gm)
    )
    assert battle(siege) is None
    assert projection.live_claims(projection.listed_running(siege.campaign)) == {}
    assert Claim.objects.get().entry.number == number
    table_services.restore(siege.campaign, gm, undo.number, "no slip")
    claims = projection.live_claims(projection.listed_running(siege.campaign))
    assert claims[1].entry.number == number
    siege.campaign.refresh_from_db()
    assert list(differences(siege.campaign)) == []


def test_a_result_that_is_undone_can_be_claimed_again(siege: GrandTable) -> None:
    gm, number = siege.people["gm"], claimed(siege)
    confirm(siege, "roman", number)
    siege.campaign.refresh_from_db()
    table_services.undo_to(siege.campaign, gm, number, "wrong", seen(siege.campaign, gm))
    assert (battle(siege).status, state(siege)) == ("fighting", "confirmed")
    again = claimed(siege, "roman", DRAWN)
    confirm(siege, "hun", again)
    assert battle(siege).outcome == "draw"
    siege.campaign.refresh_from_db()
    assert list(differences(siege.campaign)) == []


def test_set_up_is_said_once_by_a_player(siege: GrandTable) -> None:
    services.set_up(siege.campaign, siege.people["roman"], 1)
    assert texts(siege, 1) == ["The Romans have set up battle #1."]
    with pytest.raises(Refused):
        services.set_up(siege.campaign, siege.people["hun"], 1)
    with pytest.raises(NotAllowed):
        services.set_up(siege.campaign, siege.people["stranger"], 1)


def test_acts_make_no_page_stale(siege: GrandTable) -> None:
    hun = siege.people["hun"]
    before = seen(siege.campaign, hun)
    claimed(siege, "roman")
    table_services.play(siege.campaign, hun, {"by": "huns", "move": "end-slot"}, before)


def test_the_table_names_those_it_waits_for(siege: GrandTable) -> None:
    def waits() -> list[tuple[str, str]]:
        result = siege.campaign.game.waiting(siege_position(siege))
        running = projection.listed_running(siege.campaign)
        created = projection.waiting(result, projection.live_claims(running))
        return [(entry.seat, entry.what.id) for entry in created if entry.contest == 1]

    assert waits() == [("huns", "wait-battle"), ("romans", "wait-battle")]
    number = claimed(siege)
    assert waits() == [("romans", "contest-confirm")]
    services.dispute(siege.campaign, siege.people["roman"], 1, number, "no")
    assert waits() == [("gm", "contest-judge")]


def siege_position(siege: GrandTable) -> Any:
    from campaign.log import positions

    siege.campaign.refresh_from_db()
    return positions.current(siege.campaign)


def test_only_the_game_master_enters_results_in_a_pause_and_no_one_in_the_archive(
    siege: GrandTable,
) -> None:
    number = claimed(siege)
    Campaign.objects.update(paused=True)
    with pytest.raises(NotNow, match="paused"):
        confirm(siege, "roman", number)
    services.withdraw(siege.campaign, siege.people["hun"], 1, number)
    number = claimed(siege)
    Campaign.objects.update(paused=False, archived=True)
    for act in (
        lambda: confirm(siege, "roman", number),
        lambda: judge(siege, "gm", number),
        lambda: claimed(siege),
    ):
        with pytest.raises(NotNow, match="archive"):
            act()
    with pytest.raises(NotNow, match="archive"):
        services.add_link(siege.campaign, siege.people["hun"], 1, "https://forum.example/1")
    Campaign.objects.update(paused=True, archived=False)
    judge(siege, "gm", number)
    assert battle(siege).status == "resolved"
