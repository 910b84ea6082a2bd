"""A game master who plays: what they do for their own seat asks for a countersignature, and stands
until it has one.
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
from notices.delivery import still
from notices.wording import notices_in_words
from tests.web.five import Five, new_campaign

__all__ = ["new_campaign"]

pytestmark = pytest.mark.django_db


@pytest.fixture
def playing(new_campaign: Callable[..., Five]) -> Five:
    """The game master, Marozia, holds the Vandals; Ingrid the Huns, Benedetto the Romans; the first
    slot.
    """
    table = new_campaign()
    _, token = services.invite(table.campaign, table.people["gm"], "vandals")
    services.take_seat(table.people["gm"], token)
    table.play("gm", "start")
    return table


def fix(table: Five, seat: str, change: int = 25) -> int:
    done = table.play(
        "gm", "adjust", nation=seat, account="income", change=change, reason="Miscounted"
    )
    number: int = done.entries[0].number
    return number


def mark(table: Five, number: int) -> review.Mark:
    return selectors.entry(table.campaign, None, number).mark


def asks(table: Five) -> list[tuple[int, tuple[str, ...]]]:
    """What was asked for, the latest first."""
    lines = [
        line.entry.content
        for line in selectors.log(Campaign.objects.get(pk=table.campaign.pk), None)
    ]
    return [
        (content["entry"], tuple(content["seats"]))
        for content in lines
        if content.get("act") == "own-account"
    ]


def test_land_that_his_seat_loses_and_has_again_concerns_it(playing: Five) -> None:
    given = (
        playing.play("gm", "set-owner", province="baetica", owner="romans", reason="Misread")
        .entries[0]
        .number
    )
    assert asks(playing) == [(given, ("vandals",))]
    services.undo_to(
        playing.campaign, playing.people["gm"], given - 1, "Read anew", playing.seen("gm")
    )
    assert [seats for _number, seats in asks(playing)] == [("vandals",)] * 2


def notices_shown(table: Five, who: str, kind: str) -> list[tuple[str, str]]:
    result = notices_in_words(notices.notices(table.people[who]))
    return [(one.title, one.body) for one in result if one.notice.kind == kind]


def test_a_correction_on_his_own_account_asks_the_countersigner_and_stands(playing: Five) -> None:
    services.name_countersigner(playing.campaign, playing.people["gm"], playing.people["stranger"])
    playing.campaign.refresh_from_db()
    other, own = fix(playing, "romans"), fix(playing, "vandals")
    assert asks(playing) == [(own, ("vandals",))]
    assert (mark(playing, other).lacks, mark(playing, own).lacks) == (False, True)
    assert selectors.view(playing.campaign, None)["nations"]["vandals"]["income"] > 0
    assert (
        notices_shown(playing, "stranger", "to-countersign")[0][0]
        == f"Entry {other} may be countersigned"
    )
    assert notices_shown(playing, "stranger", "own-account") == [
        (
            f"You are asked to countersign entry {own}",
            "It concerns the game master’s own nation. Miscounted",
        )
    ]
    assert notices_shown(playing, "hun", "own-account") == []
    with pytest.raises(NotAllowed):  # somebody is named for it
        services.countersign(playing.campaign, playing.people["hun"], own)
    services.countersign(playing.campaign, playing.people["stranger"], own)
    assert (mark(playing, own).lacks, mark(playing, own).signed) == (False, ("Sid",))
    assert list(differences(Campaign.objects.get(pk=playing.campaign.pk))) == []


def test_where_nobody_is_named_any_other_player_may(playing: Five) -> None:
    own = fix(playing, "vandals")
    for who in ("hun", "roman"):
        assert len(notices_shown(playing, who, "own-account")) == 1
    (one,) = notices.notices(playing.people["roman"]).filter(kind="own-account")
    assert still(one)
    for who in ("gm", "stranger"):
        with pytest.raises(NotAllowed):
            services.countersign(playing.campaign, playing.people[who], own)
    services.countersign(playing.campaign, playing.people["hun"], own)
    assert mark(playing, own).signed == ("Ingrid",)
    assert not still(one), "a letter that has not left need not leave"
    with pytest.raises(NotAllowed):  # what concerns no seat of their own asks nobody
        services.countersign(playing.campaign, playing.people["hun"], fix(playing, "romans"))


def test_an_objection_is_told_to_everybody_and_may_be_taken_back(playing: Five) -> None:
    own = fix(playing, "vandals")
    services.object_to(playing.campaign, playing.people["roman"], own, "The count was right")
    assert (mark(playing, own).lacks, mark(playing, own).objections) == (
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
    assert mark(playing, own) == review.Mark(("vandals",), ("Benedetto",), ())


def test_undo_restoration_ruling_and_another_nations_move(playing: Five) -> None:
    gm, start = playing.people["gm"], playing.campaign.last_number
    first = fix(playing, "romans")
    services.undo_to(playing.campaign, gm, start, "Only the Romans", playing.seen("gm"))
    assert asks(playing) == []
    own = fix(playing, "vandals")
    undo = services.undo_to(playing.campaign, gm, first, "And the Vandals", playing.seen("gm"))
    back = services.restore(playing.campaign, gm, undo.number, "No", playing.seen("gm"))
    assert [one[0] for one in asks(playing)][:2] == [back.number, undo.number]
    content = rule_on(playing.campaign, gm, "Rivers are no obstacle")
    assert asks(playing)[0] == (content.number, ("vandals",))
    playing.campaign.refresh_from_db()
    before = len(asks(playing))
    playing.slot_to("vandals")
    assert len(asks(playing)) == before
    lacking = [
        one.number
        for one in selectors.log(playing.campaign, None)
        if one.mark.lacks and not one.struck
    ]
    assert lacking == [content.number, back.number, own]


def test_a_deadline_of_his_own(playing: Five) -> None:
    gm = playing.people["gm"]
    playing.slot_to("vandals")
    clock = next(one for one in running(playing.campaign) if one.seat == "vandals")
    clocks_services.extend(
        playing.campaign, gm, clock, clock.due_at + timedelta(hours=5), "Away", playing.seen("gm")
    )
    assert [seats for _number, seats in asks(playing)] == [("vandals",)]


def turn_over(table: Five) -> None:
    while table.campaign.active_seat:
        table.play("gm", "end-slot", **{"for": table.campaign.active_seat})
    table.play("gm", "open-turn")


def test_a_seat_that_he_gave_up_is_his_until_the_turn_after_has_closed(playing: Five) -> None:
    gm = playing.people["gm"]
    services.vacate(playing.campaign, gm, "vandals")
    own = fix(playing, "vandals")
    turn_over(playing)
    later = fix(playing, "vandals")
    services.take_seat(
        playing.people["stranger"], services.invite(playing.campaign, gm, "vandals")[1]
    )
    taken = fix(playing, "vandals")
    assert asks(playing) == [(one, ("vandals",)) for one in (taken, later, own)]
    with pytest.raises(NotAllowed):  # it favours them now
        services.countersign(playing.campaign, playing.people["stranger"], taken)
    services.countersign(playing.campaign, playing.people["hun"], taken)
    turn_over(playing)
    fix(playing, "vandals")
    assert len(asks(playing)) == 3


def test_the_turn_before_is_the_one_before_this_and_no_other(playing: Five) -> None:
    """Given up in turn 1: theirs in turns 1 and 2 by the first and the last entry of each, not in
    turn 3.
    """
    gm = playing.people["gm"]
    assert own_seats(playing) == {"vandals"}
    services.vacate(playing.campaign, gm, "vandals")
    assert own_seats(playing) == {"vandals"}
    turn_over(playing)
    playing.campaign.refresh_from_db()
    assert (playing.campaign.turn, own_seats(playing)) == (2, {"vandals"})
    turn_over(playing)
    playing.campaign.refresh_from_db()
    assert (playing.campaign.turn, own_seats(playing)) == (3, set())


def own_seats(table: Five) -> set[str]:
    table.campaign.refresh_from_db()
    gm = table.people["gm"]
    return set(review.own_seats(table.campaign, gm, access.access_of(table.campaign, gm)))


def test_who_plays_alone_or_does_not_play_is_not_asked(new_campaign: Callable[..., Five]) -> None:
    table = new_campaign()
    table.play("gm", "start")
    fix(table, "huns")
    assert asks(table) == []
