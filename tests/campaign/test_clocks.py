"""Clocks that follow the log, on the toy title: started, ended, paused, extended, restored."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from campaign import services
from campaign.clocks import selectors as clocks
from campaign.clocks import services as clocks_services
from campaign.clocks.selectors import DEFAULTS, Terms, terms_of
from campaign.clocks.services import foresee
from campaign.errors import NotAllowed, NotNow, Refused
from campaign.hosting.audit import differences, rebuild_campaign
from campaign.log import selectors
from campaign.log import undo as log_undo
from campaign.models import Clock, add, day_of, is_length

pytestmark = [pytest.mark.django_db, pytest.mark.clock]
ROME = ZoneInfo("Europe/Rome")
T0 = datetime(2026, 3, 2, 9, 30, tzinfo=UTC)
DAY = timedelta(days=1)


class Timed:
    """A campaign of the toy title at chosen moments.

    The ant and the bee alternate, one turn each.
    """

    def __init__(self, table: Any) -> None:
        self.table = table
        self.campaign, self.gm = table.campaign, table.gm

    def play(self, who: str, move: str, at: datetime, **given: Any) -> Any:
        raw = {"by": who, "move": move, **given}
        result = services.play(
            self.campaign, self.table.people[who], raw, self.table.seen(who), now=at
        )
        self.campaign = self.table.campaign = result.campaign
        return result.entries[-1]

    def running(self) -> dict[str, Clock]:
        return {clock.kind: clock for clock in clocks.running(self.campaign)}


@pytest.fixture
def timed(table: Any) -> Timed:
    created = Timed(table)
    created.play("gm", "start", T0)
    return created


def opponent(seat: str) -> str:
    return "bee" if seat == "ant" else "ant"


# Lengths ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("began", "length", "due"),
    [
        # Italy goes forward on 29 March 2026 and back on 25 October.
        ("2026-03-27 18:00", "3d", "2026-03-30 18:00"),
        ("2026-10-23 18:00", "3d", "2026-10-26 18:00"),
        ("2026-03-01 07:15", "28d", "2026-03-29 07:15"),
        ("2026-03-28 12:00", "24h", "2026-03-29 13:00"),
    ],
)
def test_days_end_at_the_same_local_time_and_hours_are_counted_exactly(
    began: str, length: str, due: str
) -> None:
    start = datetime.fromisoformat(began).replace(tzinfo=ROME)
    assert add(start, length, "Europe/Rome").astimezone(ROME).strftime("%Y-%m-%d %H:%M") == due


def test_a_missing_or_repeated_local_time_costs_no_one_an_hour() -> None:
    """02:30 does not exist on 29 March 2026 in Rome, and exists twice on 25 October."""
    left_out = add(datetime(2026, 3, 28, 2, 30, tzinfo=ROME), "1d", "Europe/Rome")
    assert left_out == datetime(2026, 3, 29, 1, 30, tzinfo=UTC)  # 03:30 there
    twice = add(datetime(2026, 10, 24, 2, 30, tzinfo=ROME), "1d", "Europe/Rome")
    assert twice == datetime(2026, 10, 25, 1, 30, tzinfo=UTC)  # the second 02:30


@pytest.mark.parametrize(
    "text", ["", "3", "d", "-1d", "0d", "366d", "1441h", "3 d", "1.5d", "٣d", "3d\n", None, 3, "3w"]
)
def test_invalid_lengths_are_refused(text: object) -> None:
    assert not is_length(text)


def test_lengths_have_a_maximum_and_a_grace_may_be_zero() -> None:
    assert is_length("365d")
    assert is_length("1440h")
    assert not is_length("0h")
    assert is_length("0h", none=True)


@pytest.mark.parametrize(
    ("due", "shown"),
    [("18:00", "08:00"), ("10:00", "08:00"), ("09:00", "07:00"), ("01:00", "00:00")],
)
def test_the_reminder_on_the_last_day_comes_in_the_morning(due: str, shown: str) -> None:
    at = datetime.fromisoformat(f"2026-03-12 {due}").replace(tzinfo=ROME)
    assert day_of(at, "Europe/Rome").astimezone(ROME).strftime("%d %H:%M") == f"12 {shown}"


# Started and ended -------------------------------------------------------------------------------


def test_turn_and_slot_have_clocks_from_the_entry_that_opened_them(timed: Timed) -> None:
    seat = timed.campaign.active_seat
    result = clocks.running(timed.campaign)
    assert [(clock.kind, clock.seat, clock.started_at, clock.due_at) for clock in result] == [
        ("slot", seat, T0, T0 + 3 * DAY),
        ("turn", "", T0, T0 + 28 * DAY),
    ]
    assert {clock.entry.number for clock in result} == {timed.campaign.last_number}
    assert clocks.clock_of(result, "slot", seat) == result[0]
    assert clocks.clock_of(result, "slot", opponent(seat)) is None
    assert [(clock.seats, clock.acts_at) for clock in result] == [((seat,), None), ((), None)]


def test_a_move_in_a_slot_keeps_its_clock_and_the_next_slot_has_a_new_clock(
    timed: Timed,
) -> None:
    first = timed.campaign.active_seat
    slot = timed.running()["slot"]
    timed.play(first, "add", T0 + DAY, stones=1)
    assert timed.running()["slot"] == slot
    timed.play(first, "end", T0 + 2 * DAY)
    now = timed.running()
    assert (now["slot"].seat, now["slot"].due_at) == (opponent(first), T0 + 5 * DAY)
    slot.refresh_from_db()
    assert (slot.ended_at, slot.end_reason, slot.next_at) == (T0 + 2 * DAY, "done", None)


def test_a_challenge_has_an_answer_clock_then_a_battle_clock_and_the_slot_runs_on(
    timed: Timed,
) -> None:
    """RULES 11, 3: an open battle does not stop a slot's clock."""
    seat = timed.campaign.active_seat
    timed.play(seat, "duel", T0 + DAY)
    answer = timed.running()["answer"]
    assert (answer.seat, answer.contest, answer.due_at, answer.seats) == (
        opponent(seat),
        1,
        T0 + 4 * DAY,
        (opponent(seat),),
    )
    timed.play(opponent(seat), "answer", T0 + 2 * DAY)
    now = timed.running()
    if "battle" in now:  # a six ends it at once
        assert (now["battle"].seat, now["battle"].contest, now["battle"].due_at) == (
            "",
            1,
            T0 + 16 * DAY,
        )
        assert set(now["battle"].seats) == {"ant", "bee"}
    assert "answer" not in now
    assert now["slot"].due_at == T0 + 3 * DAY
    assert now["slot"].next_at is not None


def test_all_clocks_of_a_user_are_found_in_one_query(
    timed: Timed, django_assert_num_queries: Any
) -> None:
    seat = timed.campaign.active_seat
    timed.play(seat, "duel", T0 + DAY)
    people = timed.table.people
    with django_assert_num_queries(1):
        mine = clocks.clocks_of_user(people[seat])
        assert [(clock.kind, clock.campaign.name, clock.entry.number) for clock in mine] == [
            ("slot", "The Heap", 3)
        ]
    assert [clock.kind for clock in clocks.clocks_of_user(people[opponent(seat)])] == ["answer"]
    assert clocks.clocks_of_user(people["stranger"]) == []
    assert clocks.clocks_of_user(None) == []


def test_a_campaign_that_ends_has_no_clocks(timed: Timed) -> None:
    at = T0
    while not timed.campaign.ended:
        seat, at = timed.campaign.active_seat, at + timedelta(hours=1)
        if seat == "ant":
            timed.play("ant", "add", at, stones=3)
        timed.play(seat, "end", at)
    assert clocks.running(timed.campaign) == []
    assert Clock.objects.filter(campaign=timed.campaign).exclude(next_at=None).count() == 0


# Undone -------------------------------------------------------------------------------------------


def test_an_undo_ends_the_clock_of_a_struck_entry_and_the_earlier_clock_keeps_its_time(
    timed: Timed,
) -> None:
    first = timed.campaign.active_seat
    slot = timed.running()["slot"]
    number = timed.campaign.last_number
    timed.play(first, "end", T0 + 2 * DAY)
    second = timed.running()["slot"]
    services.undo_to(
        timed.campaign, timed.gm, number, "A slip", timed.table.seen("gm"), now=T0 + 9 * DAY
    )
    timed.table.reload()
    back = timed.running()["slot"]
    assert back == slot
    assert (back.due_at, back.first_due_at, back.paused_time) == (
        T0 + 10 * DAY,
        T0 + 10 * DAY,
        7 * DAY,
    )
    second.refresh_from_db()
    assert (second.end_reason, second.ended_at) == ("undone", T0 + 9 * DAY)
    # After the restoration the second slot's clock runs again; the day does not count.
    undo = selectors.log(timed.campaign, timed.gm)[0].number
    services.restore(timed.campaign, timed.gm, undo, "It was none", now=T0 + 10 * DAY)
    now = timed.running()["slot"]
    assert (now, now.due_at, now.ended_at) == (second, T0 + 6 * DAY, None)


def test_the_clocks_that_an_undo_or_a_restoration_changes_are_foreseen(timed: Timed) -> None:
    number, first = timed.campaign.last_number, timed.campaign.active_seat
    timed.play(first, "end", T0 + 2 * DAY)
    second = timed.campaign.active_seat
    seen = [
        clock
        for clock in foresee(log_undo.rewind_to(timed.campaign, number), T0 + 9 * DAY).foreseen
        if clock.kind == "slot"
    ]
    assert [clock[:5] for clock in seen] == [
        ("ends", "slot", second, None, T0 + 5 * DAY),
        ("opens", "slot", first, None, T0 + 10 * DAY),
    ]
    undo = services.undo_to(
        timed.campaign, timed.gm, number, "A slip", timed.table.seen("gm"), now=T0 + 9 * DAY
    )
    timed.table.reload()
    assert (timed.running()["slot"].seat, timed.running()["slot"].due_at) == (first, seen[1].due_at)
    restored = log_undo.restoration(timed.campaign, undo.number)[1]
    back = [clock for clock in foresee(restored, T0 + 10 * DAY).foreseen if clock.kind == "slot"]
    assert [clock[:5] for clock in back] == [
        ("ends", "slot", first, None, T0 + 10 * DAY),
        ("opens", "slot", second, None, T0 + 6 * DAY),
    ]


def test_an_undone_move_within_a_slot_touches_no_clock(timed: Timed) -> None:
    seat = timed.campaign.active_seat
    timed.play(seat, "add", T0 + DAY, stones=1)
    before = list(Clock.objects.order_by("pk").values())
    services.undo_own(
        timed.campaign, timed.table.people[seat], timed.table.seen(seat), now=T0 + 2 * DAY
    )
    assert list(Clock.objects.order_by("pk").values()) == before


def test_a_log_from_before_clocks_gets_them_with_its_next_entry(timed: Timed) -> None:
    seat = timed.campaign.active_seat
    Clock.objects.all().delete()
    timed.play(seat, "add", T0 + DAY, stones=1)
    assert {kind: clock.started_at for kind, clock in timed.running().items()} == {
        "slot": T0,
        "turn": T0,
    }


# Terms --------------------------------------------------------------------------------------------


def test_terms_are_logged_and_hold_for_clocks_that_begin(timed: Timed) -> None:
    seat = timed.campaign.active_seat
    clocks_services.set_terms(timed.campaign, timed.gm, {"slot": Terms("36h")}, now=T0 + DAY)
    timed.table.reload()
    assert terms_of(timed.campaign) == {**DEFAULTS, "slot": Terms("36h")}
    assert timed.running()["slot"].due_at == T0 + 3 * DAY
    timed.play(seat, "end", T0 + 2 * DAY)
    assert timed.running()["slot"].due_at == T0 + 2 * DAY + timedelta(hours=36)
    line = selectors.log(timed.campaign, timed.gm)[1].text
    assert line == "From now on, the turn of one nation may take 36 hours."


def test_a_clock_that_is_switched_on_again_starts_at_that_moment(timed: Timed) -> None:
    clocks_services.set_terms(timed.campaign, timed.gm, {"slot": None}, now=T0 + DAY)
    timed.table.reload()
    assert set(timed.running()) == {"turn"}
    assert (
        "the turn of one nation has no time limit"
        in selectors.log(timed.campaign, timed.gm)[0].text
    )
    clocks_services.set_terms(timed.campaign, timed.gm, {"slot": Terms("2d")}, now=T0 + 7 * DAY)
    timed.table.reload()
    assert (timed.running()["slot"].due_at, timed.running()["slot"].entry.number) == (
        T0 + 9 * DAY,
        timed.running()["turn"].entry.number,
    )


def test_only_the_game_master_sets_terms_and_they_must_be_valid(timed: Timed) -> None:
    for who in ("ant", "bee", "stranger"):
        with pytest.raises(NotAllowed):
            clocks_services.set_terms(
                timed.campaign, timed.table.people[who], {"slot": Terms("2d")}
            )
    clocks_services.set_terms(timed.campaign, timed.gm, {"turn": None, "answer": Terms("5d")})
    assert (
        selectors.log(timed.campaign, timed.gm)[0].text
        == "From now on, a turn has no time limit; an answer may take 5 days."
    )
    for wrong in (
        {"slot": Terms("0d")},
        {"slot": Terms("2d", "x")},
        {"nap": Terms("2d")},
        {"turn": Terms("2d", acts=True)},
        {},
    ):
        with pytest.raises(Refused):
            clocks_services.set_terms(timed.campaign, timed.gm, wrong)
    with pytest.raises(Refused, match="It cannot act automatically"):
        clocks_services.set_terms(
            timed.campaign, timed.gm, {"slot": Terms("2d", acts=True)}
        )  # the toy title does not mention it


# Extended, paused ---------------------------------------------------------------------------------


def extend(timed: Timed, kind: str, to: datetime, at: datetime, reason: str = "He asked") -> Any:
    clock = timed.running()[kind]
    return clocks_services.extend(
        timed.campaign, timed.gm, clock, to, reason, timed.table.seen("gm"), now=at
    )


def test_an_extension_is_logged_with_its_reason_and_capped_at_twice_the_length(
    timed: Timed,
) -> None:
    seat = timed.campaign.active_seat
    entry = extend(timed, "slot", T0 + 6 * DAY, T0 + DAY, "Exams")
    timed.table.reload()
    slot = timed.running()["slot"]
    assert (slot.due_at, slot.first_due_at, slot.latest, slot.extended) == (
        T0 + 6 * DAY,
        T0 + 3 * DAY,
        T0 + 6 * DAY,
        True,
    )
    assert entry.target == slot.entry
    name = {"ant": "The Ant", "bee": "The Bee"}[seat]
    assert (
        selectors.log(timed.campaign, timed.gm)[0].text
        == f"{name}: the turn of the nation may last until 8 Mar 2026 09:30 (UTC): Exams"
    )
    with pytest.raises(Refused, match="twice"):
        extend(timed, "slot", T0 + 6 * DAY + timedelta(seconds=1), T0 + DAY)


@pytest.mark.parametrize(
    ("to", "at", "reason", "why"),
    [
        (T0 + 4 * DAY, T0 + DAY, " ", "Give a reason"),
        (T0 + 2 * DAY, T0 + DAY, "Hurry", "cannot shorten a deadline"),
        (T0 + 4 * DAY, T0 + 5 * DAY, "Late", "in the future"),
        (T0 + 3 * DAY, T0 + DAY, "Same", "already"),
    ],
)
def test_invalid_extensions_are_refused(
    timed: Timed, to: datetime, at: datetime, reason: str, why: str
) -> None:
    with pytest.raises(Refused, match=why):
        extend(timed, "slot", to, at, reason)


def test_a_form_without_seconds_can_restore_the_first_deadline(table: Any) -> None:
    """A slot that began at 09:30:17 also ends at 17 seconds, which the form cannot express."""
    game, began = Timed(table), T0 + timedelta(seconds=17)
    game.play("gm", "start", began)
    first = game.running()["slot"].due_at
    typed = first.replace(second=0)
    assert first - typed == timedelta(seconds=17)
    with pytest.raises(Refused, match="already"):
        extend(game, "slot", typed, began)
    extend(game, "slot", first + DAY, began)
    game.table.reload()
    extend(game, "slot", typed, began, "Well again")
    assert game.running()["slot"].due_at == first
    game.table.reload()
    assert list(differences(game.campaign)) == []


def test_extensions_by_others_and_of_ended_clocks_are_refused(timed: Timed) -> None:
    seat, slot = timed.campaign.active_seat, timed.running()["slot"]
    with pytest.raises(NotAllowed):
        clocks_services.extend(
            timed.campaign,
            timed.table.people[seat],
            slot,
            T0 + 5 * DAY,
            "Me",
            timed.table.seen(seat),
            now=T0,
        )
    timed.play(seat, "end", T0 + DAY)
    with pytest.raises(NotNow):
        clocks_services.extend(
            timed.campaign,
            timed.gm,
            slot,
            T0 + 5 * DAY,
            "Late",
            timed.table.seen("gm"),
            now=T0 + DAY,
        )


def test_a_pause_moves_every_deadline_by_its_length(timed: Timed) -> None:
    seat = timed.campaign.active_seat
    timed.play(seat, "duel", T0 + DAY)
    extend(timed, "slot", T0 + 4 * DAY, T0 + DAY)
    before = {kind: clock.due_at for kind, clock in timed.running().items()}
    services.change_life(timed.campaign, timed.gm, "paused", now=T0 + 2 * DAY)
    held = timed.running()
    assert {kind: (clock.due_at, clock.next_at, clock.held) for kind, clock in held.items()} == {
        kind: (due, None, True) for kind, due in before.items()
    }
    timed.table.reload()
    with pytest.raises(NotNow):
        extend(timed, "slot", T0 + 5 * DAY, T0 + 3 * DAY)
    gone = timedelta(days=5, hours=7)
    services.change_life(timed.campaign, timed.gm, "resumed", now=T0 + 2 * DAY + gone)
    after = timed.running()
    assert {kind: clock.due_at for kind, clock in after.items()} == {
        kind: due + gone for kind, due in before.items()
    }
    assert after["slot"].latest == T0 + 6 * DAY + gone
    assert all(clock.next_at is not None and not clock.held for clock in after.values())


def test_the_clocks_of_a_resumed_campaign_did_not_run_meanwhile(timed: Timed) -> None:
    services.change_life(timed.campaign, timed.gm, "abandoned", "Nobody came", now=T0 + DAY)
    timed.table.reload()
    assert clocks.clocks_of_user(timed.table.people[timed.campaign.active_seat]) == []
    services.change_life(timed.campaign, timed.gm, "revived", now=T0 + 31 * DAY)
    assert timed.running()["slot"].due_at == T0 + 33 * DAY


def test_a_campaign_with_one_player_has_no_clocks(people: dict[str, Any]) -> None:
    services.found_campaign(people["ant"], "march_on_rome", "Alone", "standard")
    assert Clock.objects.count() == 0


# Against the log ----------------------------------------------------------------------------------


def test_the_audit_compares_clocks_with_the_log_and_a_rebuild_restores_them(
    timed: Timed,
) -> None:
    seat = timed.campaign.active_seat
    timed.play(seat, "duel", T0 + DAY)
    extend(timed, "slot", T0 + 5 * DAY, T0 + DAY)
    services.change_life(timed.campaign, timed.gm, "paused", now=T0 + 2 * DAY)
    timed.table.reload()
    services.change_life(timed.campaign, timed.gm, "resumed", now=T0 + 9 * DAY)
    campaign = timed.table.reload()
    assert list(differences(campaign)) == []
    slot = timed.running()["slot"]
    for field, value, shown in (
        ("due_at", T0 + 30 * DAY, f"clock slot {seat}: its deadline differs from the log"),
        (
            "started_at",
            T0 + DAY,
            f"clock slot {seat}: its start differs from the time of its entry",
        ),
        ("held_at", T0 + DAY, f"clock slot {seat}: it is paused, but the campaign is not"),
        ("kind", "claim", f"clock slot {seat} is missing"),
    ):
        Clock.objects.filter(pk=slot.pk).update(**{field: value})
        assert shown in list(differences(campaign))
        slot.save()
    assert list(differences(campaign)) == []
    Clock.objects.all().delete()
    assert len(list(differences(campaign))) == 3
    rebuild_campaign(campaign)
    assert list(differences(campaign)) == []
    assert {kind: (clock.started_at, clock.due_at) for kind, clock in timed.running().items()} == {
        "turn": (T0, T0 + 35 * DAY),
        "slot": (T0, T0 + 12 * DAY),
        "answer": (T0 + DAY, T0 + 11 * DAY),
    }
