"""Standing orders, which act for an absent player at once or when their time is up.

They are secret until they act, and never break the rules.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext

from campaign import services
from campaign.clocks import services as clocks_services
from campaign.dice import selectors as dice_selectors
from campaign.errors import NotAllowed, OrdersChanged, Refused
from campaign.hosting.audit import differences
from campaign.log import entries, selectors
from campaign.models import Clock, StandingOrderResult, StandingOrders
from campaign.seats import selectors as seats_selectors
from engine.errors import IllegalMove, RollsMissing
from notices.models import Notice
from tests.notices.test_notices import notices_shown
from tests.web.contests import attack_dalmatia, play_to_turn
from tests.web.grand_table import GrandTable, grand_table, new_campaign

__all__ = ["grand_table", "new_campaign"]
pytestmark = pytest.mark.django_db


def answer_order(choice: str, *provinces: str, cards: tuple[str, ...] = ()) -> dict[str, Any]:
    return {"kind": "answer", "provinces": list(provinces), "choice": choice, "cards": list(cards)}


def give_order(
    grand_table: GrandTable,
    order: dict[str, Any],
    when: str = "at-once",
    who: str = "roman",
    seat: str = "romans",
) -> StandingOrders:
    user = grand_table.people[who]
    kept = StandingOrders.objects.filter(
        campaign=grand_table.campaign, user=user, seat=seat
    ).first()
    return services.give_order(
        grand_table.campaign, user, seat, kept.version if kept else 0, order, when
    )


def stored_attack(grand_table: GrandTable, number: int = 1) -> Any:
    grand_table.campaign.refresh_from_db()
    return selectors.position(grand_table.campaign).attacks[number - 1]


def log_lines(grand_table: GrandTable) -> list[str]:
    grand_table.campaign.refresh_from_db()
    return [line.text for line in reversed(selectors.log(grand_table.campaign, None))]


def test_an_immediate_order_answers_as_the_seat_would(grand_table: GrandTable) -> None:
    give_order(grand_table, answer_order("withdraw", "dalmatia"))
    give_order(grand_table, answer_order("accept"))
    attack_dalmatia(grand_table)
    assert stored_attack(grand_table).answer == "withdraw"
    launch, act, content = grand_table.campaign.entries.order_by("sequence")[
        grand_table.campaign.last_sequence - 2 :
    ]
    assert act.content == {
        "act": "standing",
        "battle": 1,
        "question": "attack-1",
        "when": "at-once",
    }
    assert act.target_id == launch.pk
    assert (act.actor, content.actor, content.seat) == (None, None, "romans")
    assert content.content == {"attack": 1, "by": "romans", "choice": "withdraw", "move": "respond"}
    assert log_lines(grand_table)[-2] == "Romans: a standing order makes the next move."
    assert list(differences(grand_table.campaign)) == []
    assert notices_shown(grand_table.people["roman"])[-1][0] in ("order-spoke", "result")
    assert "order-spoke" in [kind for kind, _, _ in notices_shown(grand_table.people["roman"])]
    assert "order-spoke" not in [kind for kind, _, _ in notices_shown(grand_table.people["hun"])]


def test_an_order_that_was_undone_does_not_act_again(grand_table: GrandTable) -> None:
    give_order(grand_table, answer_order("withdraw"))
    attack_dalmatia(grand_table)
    launch = grand_table.campaign.last_number - 2
    gm = grand_table.people["gm"]
    services.undo_to(
        grand_table.campaign, gm, launch, "He is back.", selectors.seen(grand_table.campaign, gm)
    )
    assert stored_attack(grand_table).status == "challenged"
    grand_table.play("huns", "build", structure="shrines")
    assert stored_attack(grand_table).status == "challenged"
    grand_table.play("romans", "respond", attack=1, choice="accept")
    assert stored_attack(grand_table).answer == "accept"


def test_an_order_with_a_missing_card_is_skipped_and_only_its_holder_is_notified(
    grand_table: GrandTable,
) -> None:
    give_order(grand_table, answer_order("accept", "dalmatia", cards=("naval-technology",)))
    give_order(grand_table, answer_order("withdraw"))
    attack_dalmatia(grand_table)
    assert stored_attack(grand_table).answer == "withdraw", "the next that fits is tried"
    (skip,) = seats_selectors.skips(StandingOrders.objects.get())
    assert (skip.rule, skip.contest, skip.order["cards"]) == ("4.11", 1, ["naval-technology"])
    rows = Notice.objects.filter(kind="order-skipped")
    assert [row.user_id for row in rows] == [grand_table.people["roman"].pk]
    (notice,) = [
        notice
        for notice in notices_shown(grand_table.people["roman"])
        if notice[0] == "order-skipped"
    ]
    assert notice[1] == "A standing order for the Romans was skipped"
    assert notice[2].startswith("Dalmatia: accept, with Naval Technology: ")
    assert notice[2].endswith("§4.11")
    assert "naval" not in " ".join(log_lines(grand_table)).casefold()


def test_an_order_for_the_clock_waits_until_time_is_up(grand_table: GrandTable) -> None:
    give_order(grand_table, answer_order("withdraw", "dalmatia"), "clock")
    give_order(grand_table, answer_order("accept"))
    attack_dalmatia(grand_table)
    assert stored_attack(grand_table).status == "challenged", (
        "the order for the province governs, and waits"
    )
    clock = Clock.objects.get(campaign=grand_table.campaign, kind="answer", ended_at=None)
    clocks_services.tick(clock.due_at - timedelta(minutes=1))
    assert stored_attack(grand_table).status == "challenged"
    clocks_services.tick(clock.due_at)
    assert stored_attack(grand_table).answer == "withdraw"
    clock.refresh_from_db()
    assert clock.ended_at is not None
    assert StandingOrderResult.objects.count() == 1
    clocks_services.tick(clock.due_at + timedelta(days=9))
    assert StandingOrderResult.objects.count() == 1


def test_an_order_comes_before_the_action_of_the_clock(grand_table: GrandTable) -> None:
    """After a long silence both are due: the order is carried out, and the clock does nothing."""
    clocks_services.set_terms(
        grand_table.campaign, grand_table.people["gm"], {"answer": timing_terms()}
    )
    grand_table.campaign.refresh_from_db()
    give_order(grand_table, answer_order("withdraw"), "clock")
    attack_dalmatia(grand_table)
    clock = Clock.objects.get(campaign=grand_table.campaign, kind="answer", ended_at=None)
    clocks_services.tick(clock.due_at + timedelta(days=30))
    assert stored_attack(grand_table).answer == "withdraw"


def test_an_order_for_the_clock_waits_for_a_die_that_is_thrown_elsewhere(
    grand_table: GrandTable,
) -> None:
    gm = grand_table.people["gm"]
    clocks_services.set_terms(grand_table.campaign, gm, {"answer": timing_terms()})
    play_to_turn(grand_table, 2, {"romans": [("fortify", {"province": "dalmatia"})] * 2})
    grand_table.slot_to("huns")
    services.set_manual_dice(grand_table.campaign, gm, True)
    grand_table.campaign.refresh_from_db()
    give_order(grand_table, answer_order("withdraw"), "clock")
    attack_dalmatia(grand_table)
    clock = Clock.objects.get(campaign=grand_table.campaign, kind="answer", ended_at=None)
    clocks_services.tick(clock.due_at + timedelta(days=30))
    grand_table.campaign.refresh_from_db()
    waits = dice_selectors.awaited_die(grand_table.campaign)
    assert waits is not None
    assert waits.move["move"] == "respond"
    clock.refresh_from_db()
    assert clock.acted_entry == grand_table.campaign.entries.order_by("sequence").last()
    services.give_die(grand_table.campaign, gm, waits.purpose, 100)
    assert stored_attack(grand_table).answer == "withdraw"
    clock.refresh_from_db()
    assert clock.ended_at is not None
    assert list(differences(grand_table.campaign)) == []


def test_no_order_is_lost_if_its_time_is_up_while_a_die_is_missing(grand_table: GrandTable) -> None:
    """The clock only reminds; the order is carried out when the table has its die."""
    give_order(grand_table, answer_order("withdraw"), "clock")
    attack_dalmatia(grand_table)
    gm, clock = (
        grand_table.people["gm"],
        Clock.objects.get(campaign=grand_table.campaign, kind="answer", ended_at=None),
    )
    with transaction.atomic():
        table = entries.lock(grand_table.campaign)
        raw = {"by": "gm", "for": "huns", "move": "end-slot"}
        entries.park_move(
            table, gm, raw, RollsMissing(("turn-1/event/huns",), 100), clock.started_at
        )
        table.save()
    clocks_services.tick(clock.due_at)
    assert stored_attack(grand_table).status == "challenged"
    assert not Notice.objects.filter(kind="clock-missed").exists()
    services.drop_parked_move(grand_table.campaign, gm, now=clock.due_at)
    clocks_services.tick(clock.due_at + clocks_services.PARKED)
    assert stored_attack(grand_table).answer == "withdraw"


def timing_terms() -> Any:
    from campaign.clocks.selectors import Terms

    return Terms("3d", "1d", True)


def test_an_immediate_order_answers_a_challenge_that_already_waits(grand_table: GrandTable) -> None:
    attack_dalmatia(grand_table)
    give_order(grand_table, answer_order("accept"), "clock")
    assert stored_attack(grand_table).status == "challenged"
    give_order(grand_table, answer_order("accept", "dalmatia"))
    assert stored_attack(grand_table).answer == "accept"


def test_orders_act_only_for_the_present_holder_who_gave_them(grand_table: GrandTable) -> None:
    give_order(grand_table, answer_order("withdraw"))
    services.vacate(grand_table.campaign, grand_table.people["gm"], "romans")
    grand_table.campaign.refresh_from_db()
    attack_dalmatia(grand_table)
    assert stored_attack(grand_table).status == "challenged"


def test_no_order_acts_during_a_pause(grand_table: GrandTable) -> None:
    attack_dalmatia(grand_table)
    services.change_life(grand_table.campaign, grand_table.people["gm"], "paused")
    grand_table.campaign.refresh_from_db()
    give_order(grand_table, answer_order("accept"))
    assert stored_attack(grand_table).status == "challenged"


def test_only_the_holder_gives_orders_and_the_game_master_reads_them(
    grand_table: GrandTable,
) -> None:
    kept = give_order(grand_table, answer_order("accept"))
    for who in ("gm", "hun", "stranger"):
        with pytest.raises(NotAllowed):
            services.give_order(
                grand_table.campaign,
                grand_table.people[who],
                "romans",
                kept.version,
                answer_order("withdraw"),
                "at-once",
            )
        with pytest.raises(NotAllowed):
            services.remove_order(
                grand_table.campaign, grand_table.people[who], "romans", kept.version
            )
    read = dict.fromkeys(("hun", "stranger"))
    for who in read:
        with pytest.raises(NotAllowed):
            seats_selectors.orders_of_seat(grand_table.campaign, grand_table.people[who], "romans")
    assert (
        seats_selectors.orders_of_seat(grand_table.campaign, grand_table.people["gm"], "romans")
        == kept
    )
    assert (
        seats_selectors.orders_of_seat(grand_table.campaign, grand_table.people["roman"], "romans")
        == kept
    )
    assert (
        seats_selectors.orders_of_seat(grand_table.campaign, grand_table.people["gm"], "vandals")
        is None
    )


def test_older_windows_and_too_many_orders_are_refused(grand_table: GrandTable) -> None:
    kept = give_order(grand_table, answer_order("accept", "dalmatia"))
    user = grand_table.people["roman"]
    with pytest.raises(OrdersChanged):
        services.give_order(
            grand_table.campaign,
            user,
            "romans",
            kept.version - 1,
            answer_order("withdraw"),
            "at-once",
        )
    with pytest.raises(OrdersChanged):
        services.remove_order(grand_table.campaign, user, "romans", kept.version, 7)
    with pytest.raises(Refused):
        services.give_order(
            grand_table.campaign, user, "romans", kept.version, answer_order("withdraw"), "soon"
        )
    with pytest.raises(Refused):
        services.give_order(
            grand_table.campaign,
            user,
            "romans",
            kept.version,
            {"kind": "bodyguard", "guard": "keep"},
            "clock",
        )
    with pytest.raises(IllegalMove) as refused:
        services.give_order(
            grand_table.campaign, user, "romans", kept.version, answer_order("flee"), "at-once"
        )
    assert refused.value.sentence
    for _n in range(seats_selectors.MOST - 1):
        kept = give_order(grand_table, answer_order("withdraw"))
    with pytest.raises(Refused):
        give_order(grand_table, answer_order("withdraw"))
    kept = services.give_order(
        grand_table.campaign,
        user,
        "romans",
        kept.version,
        answer_order("withdraw", "sicilia"),
        "clock",
        0,
    )
    assert (kept.orders[0]["order"]["provinces"], kept.orders[0]["when"], kept.timed) == (
        ["sicilia"],
        "clock",
        True,
    )
    kept = services.remove_order(grand_table.campaign, user, "romans", kept.version, 0)
    assert (kept.size, kept.timed) == (seats_selectors.MOST - 1, False)
    assert services.remove_order(grand_table.campaign, user, "romans", kept.version).size == 0


def test_an_order_for_a_bodyguard_is_as_secret_as_the_hand(
    new_campaign: Callable[..., GrandTable],
) -> None:
    """Two tables that differ in a hidden Bodyguard and its order look the same to all others."""
    grand_table = new_campaign(hands="hidden")
    grand_table.play("gm", "start")
    grand_table.slot_to("huns")
    seen = {
        who: selectors.seen(grand_table.campaign, grand_table.people[who])
        for who in ("hun", "stranger")
    }
    last = grand_table.campaign.last_number
    grand_table.play("gm", "give-card", nation="romans", card="bodyguard", reason="test")
    give_order(grand_table, {"kind": "bodyguard", "guard": "keep"})
    grand_table.campaign.refresh_from_db()
    assert selectors.position(grand_table.campaign).nations["romans"].keep is True
    hidden = list(grand_table.campaign.entries.order_by("-sequence")[:2])
    assert [entry.number for entry in hidden] == [None, None]
    assert [entry.viewers for entry in hidden] == [("romans",), ("romans",)]
    for who, was in seen.items():
        assert selectors.seen(grand_table.campaign, grand_table.people[who]) == was + 1, (
            "the card given, and nothing more"
        )
    assert grand_table.campaign.last_number == last + 1
    assert list(differences(grand_table.campaign)) == []


def test_a_move_makes_as_many_queries_with_orders_as_without(grand_table: GrandTable) -> None:
    def asked(structure: str) -> int:
        with CaptureQueriesContext(connection) as queries:
            grand_table.play("huns", "tax-exemption")
        return len(queries)

    grand_table.play("huns", "tax-exemption")
    before = asked("")
    give_order(grand_table, answer_order("withdraw", "sicilia"))
    assert asked("") == before


def test_an_error_in_an_order_stops_no_move(
    grand_table: GrandTable, caplog: pytest.LogCaptureFixture
) -> None:
    kept = give_order(grand_table, answer_order("accept"))
    StandingOrders.objects.filter(pk=kept.pk).update(
        orders=[{"order": {"kind": "answer"}, "when": "at-once"}]
    )
    attack_dalmatia(grand_table)
    assert stored_attack(grand_table).status == "challenged"
    grand_table.play("huns", "build", structure="hamlets")
    assert "Standing orders of campaign" in caplog.text
    assert list(differences(grand_table.campaign)) == []
