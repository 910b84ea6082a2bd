"""The states of a campaign: paused, abandoned, archived, copied.

Each act is an entry and can be taken back.
"""

from __future__ import annotations

from io import StringIO
from typing import Any

import pytest
from django.core.management import call_command

from campaign import services
from campaign.errors import CannotUndo, NotAllowed, NotNow, Refused
from campaign.founding import possible_life_acts
from campaign.hosting import host_acts
from campaign.hosting.audit import differences
from campaign.log import selectors
from campaign.models import Campaign


def change_status(table: Any, how: str, reason: str = "") -> None:
    services.change_life(table.campaign, table.gm, how, reason)
    table.reload()


def test_a_campaign_passes_through_its_states(running: Any) -> None:
    seen = []
    for how in (
        "paused",
        "resumed",
        "abandoned",
        "revived",
        "paused",
        "abandoned",
        "archived",
        "unarchived",
        "revived",
    ):
        change_status(running, how, "Nobody writes any more." if how == "abandoned" else "")
        seen.append(running.campaign.status)
    assert seen == [
        "paused",
        "running",
        "abandoned",
        "running",
        "paused",
        "abandoned",
        "archived",
        "abandoned",
        "paused",
    ]
    call_command("audit", stdout=StringIO())


def test_a_pause_refuses_players_and_lets_the_game_master_correct(running: Any) -> None:
    before = running.campaign.last_number
    running.play("bee", "duel")
    change_status(running, "paused", "Holidays until January.")
    with pytest.raises(
        NotNow, match="You can move again when the game master resumes it"
    ) as refusal:
        running.play("bee", "add", stones=1)
    assert refusal.value.status == 409
    with pytest.raises(NotNow):
        services.preview(
            running.campaign, running.people["bee"], {"by": "bee", "move": "add", "stones": 1}
        )
    with pytest.raises(CannotUndo):
        services.undo_own(running.campaign, running.people["bee"], running.seen("bee"))
    with pytest.raises(CannotUndo):
        services.own_undo(
            running.campaign, selectors.access.access_of(running.campaign, running.people["bee"])
        )
    with pytest.raises(NotNow):
        services.play(
            running.campaign,
            running.gm,
            {"by": "gm", "for": "bee", "move": "end"},
            running.seen("gm"),
        )
    running.play("gm", "settle", winner="attacker")
    running.undo(before)
    change_status(running, "resumed")
    running.play("bee", "add", stones=1)
    call_command("audit", stdout=StringIO())


@pytest.mark.parametrize("how", ["abandoned", "archived"])
def test_an_ended_campaign_is_closed_for_the_game_master_too(running: Any, how: str) -> None:
    change_status(running, "abandoned", "Nobody writes any more.")
    if how == "archived":
        change_status(running, "archived")
    with pytest.raises(NotNow) as refusal:
        running.play("gm", "settle", winner="attacker")
    assert refusal.value.code == how


@pytest.mark.parametrize("how", ["abandoned", "archived", "suspended"])
def test_nothing_is_undone_or_restored_while_no_moves_are_possible(running: Any, how: str) -> None:
    start = running.campaign.last_number
    running.play("bee", "add", stones=1)
    undo = running.undo(start).number
    running.play("bee", "add", stones=2)
    if how == "suspended":
        host_acts.set_state(running.campaign, how, "Complaints.")
        running.reload()
    else:
        change_status(running, "abandoned", "Nobody writes any more.")
        if how == "archived":
            change_status(running, how)
    stands = running.campaign.last_number
    for act, number in ((services.undo_to, start), (services.restore, undo)):
        with pytest.raises(NotNow) as refusal:
            act(running.campaign, running.gm, number, "A slip", running.seen("gm"))
        assert refusal.value.code == how
    with pytest.raises(CannotUndo) as own:
        services.undo_own(running.campaign, running.people["bee"], running.seen("bee"))
    assert own.value.code == "not-played"
    running.reload()
    assert running.campaign.last_number == stands


def test_the_log_names_each_change_of_state(running: Any) -> None:
    change_status(running, "paused", "Holidays.")
    change_status(running, "resumed")
    change_status(running, "abandoned", "Two have left.")
    lines = [line.text for line in selectors.log(running.campaign, None, limit=3)]
    assert lines == [
        "The campaign is abandoned. Two have left.",
        "The campaign goes on.",
        "The campaign is paused: no moves can be made until it is resumed. Holidays.",
    ]


def test_impossible_changes_of_state_are_refused(running: Any) -> None:
    for how in ("resumed", "revived", "archived", "unarchived"):
        with pytest.raises(NotNow):
            change_status(running, how)
    for reason in ("", "  ", "x" * 1001):
        with pytest.raises(Refused):
            change_status(running, "abandoned", reason)
    with pytest.raises(Refused):
        change_status(running, "burnt")
    change_status(running, "paused")
    with pytest.raises(NotNow):
        change_status(running, "paused")
    for who in ("bee", "stranger"):
        with pytest.raises(NotAllowed):
            services.change_life(running.campaign, running.people[who], "resumed")


def test_a_pause_makes_no_page_stale(running: Any) -> None:
    seen = running.seen("bee")
    change_status(running, "paused")
    change_status(running, "resumed")
    running.play("bee", "add", stones=1, seen=seen)


def test_a_finished_campaign_can_only_be_archived(running: Any) -> None:
    running.play("bee", "dig")
    while running.campaign.status == "running":
        mover = running.campaign.active_seat
        running.play(mover, "dig")
    assert (running.campaign.status, possible_life_acts(running.campaign)) == (
        "finished",
        ["archived"],
    )
    change_status(running, "archived")
    assert (running.campaign.status, running.campaign.ended) == ("archived", True)
    assert list(selectors.campaigns_of_user(running.gm)) == [running.campaign]
    call_command("audit", stdout=StringIO())


def test_archived_campaigns_are_not_listed(table: Any) -> None:
    services.change_description(
        table.campaign, table.gm, name="The Heap", time_zone="UTC", visibility="listed"
    )
    assert list(selectors.listed()) == [table.campaign]
    change_status(table, "archived")
    assert list(selectors.listed()) == []


def test_a_campaign_is_copied(running: Any) -> None:
    running.campaign.name = "x" * 60
    created = services.copy_campaign(running.campaign, running.gm)
    first = Campaign.objects.get(pk=running.campaign.pk)
    assert created.name == "x" * 53 + " (copy)"
    assert (created.scenario, created.options, created.time_zone) == (
        first.scenario,
        first.options,
        first.time_zone,
    )
    assert created.commitment != first.commitment
    assert created.status == "draft"
    assert [seat.holder for seat in selectors.seats(created)] == [None, None]
    assert selectors.game_masters(created) == [running.gm]
    with pytest.raises(NotAllowed):
        services.copy_campaign(running.campaign, running.people["bee"])
    call_command("audit", stdout=StringIO())


def test_the_audit_finds_a_state_that_differs_from_the_log(running: Any) -> None:
    Campaign.objects.filter(pk=running.campaign.pk).update(status="paused", paused=True)
    result = set(differences(running.reload()))
    runs = {
        f"clock {name}: it is running, but the campaign is paused" for name in ("turn", "slot bee")
    }
    assert result == {
        "the campaign's status differs from the log",
        "the campaign's paused differs from the log",
        *runs,
    }
