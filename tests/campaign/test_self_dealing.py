"""Game masters who play.

Acts in favour of their own seat ask for a countersignature, and are in force without it.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest

from campaign import access, review, services
from campaign.clocks import services as clocks_services
from campaign.clocks.selectors import running
from campaign.errors import NotAllowed, Refused
from campaign.hosting.audit import differences
from campaign.log import selectors
from campaign.models import Campaign
from campaign.rulebook import rule_on
from notices import selectors as notices
from notices.delivery import is_still_true
from notices.present import Present
from notices.wording import notices_in_words
from tests.web.grand_table import GrandTable, new_campaign

__all__ = ["new_campaign"]

pytestmark = pytest.mark.django_db


@pytest.fixture
def playing(new_campaign: Callable[..., GrandTable]) -> GrandTable:
    """Return a campaign in its first slot whose game master plays.

    The game master, Marozia, holds the Vandals; Ingrid has the Huns, Benedetto the Romans.
    """
    table = new_campaign()
    _, token = services.invite(table.campaign, table.people["gm"], "vandals")
    services.take_seat(table.people["gm"], token)
    table.play("gm", "start")
    return table


def correct_account(table: GrandTable, seat: str, change: int = 25) -> int:
    done = table.play(
        "gm", "adjust", nation=seat, account="income", change=change, reason="Miscounted"
    )
    number: int = done.entries[0].number
    return number


def self_dealing_mark(table: GrandTable, number: int) -> review.Mark:
    return selectors.entry(table.campaign, None, number).mark


def countersign_requests(table: GrandTable) -> list[tuple[int, tuple[str, ...]]]:
    """Return the requests for a countersignature, latest first."""
    lines = [
        line.entry.content
        for line in selectors.log(Campaign.objects.get(pk=table.campaign.pk), None)
    ]
    return [
        (content["entry"], tuple(content["seats"]))
        for content in lines
        if content.get("act") == "own-account"
    ]


def test_land_that_the_seat_loses_and_regains_concerns_it(playing: GrandTable) -> None:
    given = (
        playing.play("gm", "set-owner", province="baetica", owner="romans", reason="Misread")
        .entries[0]
        .number
    )
    assert countersign_requests(playing) == [(given, ("vandals",))]
    services.undo_to(
        playing.campaign, playing.people["gm"], given - 1, "Read anew", playing.seen("gm")
    )
    assert [seats for _number, seats in countersign_requests(playing)] == [("vandals",)] * 2


def notices_shown(table: GrandTable, who: str, kind: str) -> list[tuple[str, str]]:
    result = notices_in_words(notices.notices(table.people[who]))
    return [(notice.title, notice.body) for notice in result if notice.notice.kind == kind]


def test_a_correction_of_their_own_account_asks_the_countersigner_and_is_in_force(
    playing: GrandTable,
) -> None:
    services.name_countersigner(playing.campaign, playing.people["gm"], playing.people["stranger"])
    playing.campaign.refresh_from_db()
    other, own = correct_account(playing, "romans"), correct_account(playing, "vandals")
    assert countersign_requests(playing) == [(own, ("vandals",))]
    assert (self_dealing_mark(playing, other).lacks, self_dealing_mark(playing, own).lacks) == (
        False,
        True,
    )
    assert selectors.view(playing.campaign, None)["nations"]["vandals"]["income"] > 0
    assert (
        notices_shown(playing, "stranger", "to-countersign")[0][0]
        == f"Entry {other} can be countersigned"
    )
    assert notices_shown(playing, "stranger", "own-account") == [
        (
            f"You are asked to countersign entry {own}",
            "It concerns the game master’s own nation. Miscounted",
        )
    ]
    assert notices_shown(playing, "hun", "own-account") == []
    with pytest.raises(NotAllowed):  # a countersigner is named
        services.countersign(playing.campaign, playing.people["hun"], own)
    services.countersign(playing.campaign, playing.people["stranger"], own)
    assert (self_dealing_mark(playing, own).lacks, self_dealing_mark(playing, own).signed) == (
        False,
        ("Sid",),
    )
    assert list(differences(Campaign.objects.get(pk=playing.campaign.pk))) == []


def test_without_a_countersigner_any_other_player_may_sign(playing: GrandTable) -> None:
    own = correct_account(playing, "vandals")
    for who in ("hun", "roman"):
        assert len(notices_shown(playing, who, "own-account")) == 1
    (one,) = notices.notices(playing.people["roman"]).filter(kind="own-account")
    assert is_still_true(one, Present([one], one.at))
    for who in ("gm", "stranger"):
        with pytest.raises(NotAllowed):
            services.countersign(playing.campaign, playing.people[who], own)
    services.countersign(playing.campaign, playing.people["hun"], own)
    assert self_dealing_mark(playing, own).signed == ("Ingrid",)
    assert not is_still_true(one, Present([one], one.at)), (
        "a letter that has not left need not leave"
    )
    with pytest.raises(NotAllowed):  # a change that concerns no seat of theirs asks no one
        services.countersign(
            playing.campaign, playing.people["hun"], correct_account(playing, "romans")
        )


def test_an_objection_is_public_and_may_be_taken_back(playing: GrandTable) -> None:
    own = correct_account(playing, "vandals")
    services.object_to(playing.campaign, playing.people["roman"], own, "The count was right")
    assert (self_dealing_mark(playing, own).lacks, self_dealing_mark(playing, own).objections) == (
        True,
        (("Benedetto", "The count was right"),),
    )
    for who in ("gm", "hun"):
        assert notices_shown(playing, who, "objected") == [
            (f"Benedetto objects to entry {own}", "The count was right")
        ]
    assert (
        selectors.log(playing.campaign, None, limit=1)[0].text
        == f"Objection to entry {own}: The count was right"
    )
    with pytest.raises(Refused):
        services.object_to(playing.campaign, playing.people["roman"], own, "Again")
    with pytest.raises(Refused):
        services.object_to(playing.campaign, playing.people["hun"], own, " ")
    services.countersign(playing.campaign, playing.people["roman"], own)
    assert self_dealing_mark(playing, own) == review.Mark(("vandals",), ("Benedetto",), ())


def test_undos_restorations_rulings_and_moves_for_others_ask_for_a_signature(
    playing: GrandTable,
) -> None:
    gm, start = playing.people["gm"], playing.campaign.last_number
    first = correct_account(playing, "romans")
    services.undo_to(playing.campaign, gm, start, "Only the Romans", playing.seen("gm"))
    assert countersign_requests(playing) == []
    own = correct_account(playing, "vandals")
    undo = services.undo_to(playing.campaign, gm, first, "And the Vandals", playing.seen("gm"))
    back = services.restore(playing.campaign, gm, undo.number, "No", playing.seen("gm"))
    assert [question[0] for question in countersign_requests(playing)][:2] == [
        back.number,
        undo.number,
    ]
    content = rule_on(playing.campaign, gm, "Rivers are no obstacle")
    assert countersign_requests(playing)[0] == (content.number, ("vandals",))
    playing.campaign.refresh_from_db()
    before = len(countersign_requests(playing))
    playing.slot_to("vandals")
    assert len(countersign_requests(playing)) == before
    lacking = [
        line.number
        for line in selectors.log(playing.campaign, None)
        if line.mark.lacks and not line.struck
    ]
    assert lacking == [content.number, back.number, own]


def test_an_extension_of_their_own_deadline_asks_for_a_signature(playing: GrandTable) -> None:
    gm = playing.people["gm"]
    playing.slot_to("vandals")
    clock = next(clock for clock in running(playing.campaign) if clock.seat == "vandals")
    clocks_services.extend(
        playing.campaign, gm, clock, clock.due_at + timedelta(hours=5), "Away", playing.seen("gm")
    )
    assert [seats for _number, seats in countersign_requests(playing)] == [("vandals",)]


def open_next_turn(table: GrandTable) -> None:
    while table.campaign.active_seat:
        table.play("gm", "end-slot", **{"for": table.campaign.active_seat})
    table.play("gm", "open-turn")


def test_a_seat_they_gave_up_counts_as_theirs_until_the_next_turn_has_closed(
    playing: GrandTable,
) -> None:
    gm = playing.people["gm"]
    services.vacate(playing.campaign, gm, "vandals")
    own = correct_account(playing, "vandals")
    open_next_turn(playing)
    later = correct_account(playing, "vandals")
    services.take_seat(
        playing.people["stranger"], services.invite(playing.campaign, gm, "vandals")[1]
    )
    taken = correct_account(playing, "vandals")
    assert countersign_requests(playing) == [
        (number, ("vandals",)) for number in (taken, later, own)
    ]
    with pytest.raises(NotAllowed):  # it favours them now
        services.countersign(playing.campaign, playing.people["stranger"], taken)
    services.countersign(playing.campaign, playing.people["hun"], taken)
    open_next_turn(playing)
    correct_account(playing, "vandals")
    assert len(countersign_requests(playing)) == 3


def test_only_the_previous_turn_counts(playing: GrandTable) -> None:
    """A seat given up in turn 1 is theirs in every entry of turns 1 and 2, not in turn 3."""
    gm = playing.people["gm"]
    assert own_seats(playing) == {"vandals"}
    services.vacate(playing.campaign, gm, "vandals")
    assert own_seats(playing) == {"vandals"}
    open_next_turn(playing)
    playing.campaign.refresh_from_db()
    assert (playing.campaign.turn, own_seats(playing)) == (2, {"vandals"})
    open_next_turn(playing)
    playing.campaign.refresh_from_db()
    assert (playing.campaign.turn, own_seats(playing)) == (3, set())


def own_seats(table: GrandTable) -> set[str]:
    table.campaign.refresh_from_db()
    gm = table.people["gm"]
    return set(review.own_seats(table.campaign, gm, access.access_of(table.campaign, gm)))


def test_game_masters_who_play_alone_or_not_at_all_need_no_signature(
    new_campaign: Callable[..., GrandTable],
) -> None:
    table = new_campaign()
    table.play("gm", "start")
    correct_account(table, "huns")
    assert countersign_requests(table) == []
