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
from tests.web.five import Five, five, new_campaign

__all__ = ["five", "new_campaign"]
pytestmark = pytest.mark.django_db


def answer_order(choice: str, *provinces: str, cards: tuple[str, ...] = ()) -> dict[str, Any]:
    return {"kind": "answer", "provinces": list(provinces), "choice": choice, "cards": list(cards)}


def give_order(
    five: Five,
    order: dict[str, Any],
    when: str = "at-once",
    who: str = "roman",
    seat: str = "romans",
) -> StandingOrders:
    user = five.people[who]
    kept = StandingOrders.objects.filter(campaign=five.campaign, user=user, seat=seat).first()
    return services.give_order(five.campaign, user, seat, kept.version if kept else 0, order, when)


def stored_attack(five: Five, number: int = 1) -> Any:
    five.campaign.refresh_from_db()
    return selectors.position(five.campaign).attacks[number - 1]


def log_lines(five: Five) -> list[str]:
    five.campaign.refresh_from_db()
    return [line.text for line in reversed(selectors.log(five.campaign, None))]


def test_an_immediate_order_answers_as_the_seat_would(five: Five) -> None:
    give_order(five, answer_order("withdraw", "dalmatia"))
    give_order(five, answer_order("accept"))
    attack_dalmatia(five)
    assert stored_attack(five).answer == "withdraw"
    launch, act, content = five.campaign.entries.order_by("sequence")[
        five.campaign.last_sequence - 2 :
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
    assert log_lines(five)[-2] == "Romans: a standing order makes the next move."
    assert list(differences(five.campaign)) == []
    assert notices_shown(five.people["roman"])[-1][0] in ("order-spoke", "result")
    assert "order-spoke" in [kind for kind, _, _ in notices_shown(five.people["roman"])]
    assert "order-spoke" not in [kind for kind, _, _ in notices_shown(five.people["hun"])]


def test_an_order_that_was_undone_does_not_act_again(five: Five) -> None:
    give_order(five, answer_order("withdraw"))
    attack_dalmatia(five)
    launch = five.campaign.last_number - 2
    gm = five.people["gm"]
    services.undo_to(five.campaign, gm, launch, "He is back.", selectors.seen(five.campaign, gm))
    assert stored_attack(five).status == "challenged"
    five.play("huns", "build", structure="shrines")
    assert stored_attack(five).status == "challenged"
    five.play("romans", "respond", attack=1, choice="accept")
    assert stored_attack(five).answer == "accept"


def test_an_order_with_a_missing_card_is_skipped_and_only_its_holder_is_notified(
    five: Five,
) -> None:
    give_order(five, answer_order("accept", "dalmatia", cards=("naval-technology",)))
    give_order(five, answer_order("withdraw"))
    attack_dalmatia(five)
    assert stored_attack(five).answer == "withdraw", "the next that fits is tried"
    (skip,) = seats_selectors.skips(StandingOrders.objects.get())
    assert (skip.rule, skip.contest, skip.order["cards"]) == ("4.11", 1, ["naval-technology"])
    rows = Notice.objects.filter(kind="order-skipped")
    assert [row.user_id for row in rows] == [five.people["roman"].pk]
    (notice,) = [
        notice for notice in notices_shown(five.people["roman"]) if notice[0] == "order-skipped"
    ]
    assert notice[1] == "A standing order for the Romans was skipped"
    assert notice[2].startswith("Dalmatia: accept, with Naval Technology: ")
    assert notice[2].endswith("§4.11")
    assert "naval" not in " ".join(log_lines(five)).casefold()


def test_an_order_for_the_clock_waits_until_time_is_up(five: Five) -> None:
    give_order(five, answer_order("withdraw", "dalmatia"), "clock")
    give_order(five, answer_order("accept"))
    attack_dalmatia(five)
    assert stored_attack(five).status == "challenged", (
        "the order for the province governs, and waits"
    )
    clock = Clock.objects.get(campaign=five.campaign, kind="answer", ended_at=None)
    clocks_services.tick(clock.due_at - timedelta(minutes=1))
    assert stored_attack(five).status == "challenged"
    clocks_services.tick(clock.due_at)
    assert stored_attack(five).answer == "withdraw"
    clock.refresh_from_db()
    assert clock.ended_at is not None
    assert StandingOrderResult.objects.count() == 1
    clocks_services.tick(clock.due_at + timedelta(days=9))
    assert StandingOrderResult.objects.count() == 1


def test_an_order_comes_before_the_action_of_the_clock(five: Five) -> None:
    """After a long silence both are due: the order is carried out, and the clock does nothing."""
    clocks_services.set_terms(five.campaign, five.people["gm"], {"answer": timing_terms()})
    five.campaign.refresh_from_db()
    give_order(five, answer_order("withdraw"), "clock")
    attack_dalmatia(five)
    clock = Clock.objects.get(campaign=five.campaign, kind="answer", ended_at=None)
    clocks_services.tick(clock.due_at + timedelta(days=30))
    assert stored_attack(five).answer == "withdraw"


def test_an_order_for_the_clock_waits_for_a_die_that_is_thrown_elsewhere(five: Five) -> None:
    gm = five.people["gm"]
    clocks_services.set_terms(five.campaign, gm, {"answer": timing_terms()})
    play_to_turn(five, 2, {"romans": [("fortify", {"province": "dalmatia"})] * 2})
    five.slot_to("huns")
    services.set_manual_dice(five.campaign, gm, True)
    five.campaign.refresh_from_db()
    give_order(five, answer_order("withdraw"), "clock")
    attack_dalmatia(five)
    clock = Clock.objects.get(campaign=five.campaign, kind="answer", ended_at=None)
    clocks_services.tick(clock.due_at + timedelta(days=30))
    five.campaign.refresh_from_db()
    waits = dice_selectors.awaited_die(five.campaign)
    assert waits is not None
    assert waits.move["move"] == "respond"
    clock.refresh_from_db()
    assert clock.acted_entry == five.campaign.entries.order_by("sequence").last()
    services.give_die(five.campaign, gm, waits.purpose, 100)
    assert stored_attack(five).answer == "withdraw"
    clock.refresh_from_db()
    assert clock.ended_at is not None
    assert list(differences(five.campaign)) == []


def test_no_order_is_lost_if_its_time_is_up_while_a_die_is_missing(five: Five) -> None:
    """The clock only reminds; the order is carried out when the table has its die."""
    give_order(five, answer_order("withdraw"), "clock")
    attack_dalmatia(five)
    gm, clock = (
        five.people["gm"],
        Clock.objects.get(campaign=five.campaign, kind="answer", ended_at=None),
    )
    with transaction.atomic():
        table = entries.lock(five.campaign)
        raw = {"by": "gm", "for": "huns", "move": "end-slot"}
        entries.park_move(
            table, gm, raw, RollsMissing(("turn-1/event/huns",), 100), clock.started_at
        )
        table.save()
    clocks_services.tick(clock.due_at)
    assert stored_attack(five).status == "challenged"
    assert not Notice.objects.filter(kind="clock-missed").exists()
    services.drop_parked_move(five.campaign, gm, now=clock.due_at)
    clocks_services.tick(clock.due_at + clocks_services.PARKED)
    assert stored_attack(five).answer == "withdraw"


def timing_terms() -> Any:
    from campaign.clocks.selectors import Terms

    return Terms("3d", "1d", True)


def test_an_immediate_order_answers_a_challenge_that_already_waits(five: Five) -> None:
    attack_dalmatia(five)
    give_order(five, answer_order("accept"), "clock")
    assert stored_attack(five).status == "challenged"
    give_order(five, answer_order("accept", "dalmatia"))
    assert stored_attack(five).answer == "accept"


def test_orders_act_only_for_the_present_holder_who_gave_them(five: Five) -> None:
    give_order(five, answer_order("withdraw"))
    services.vacate(five.campaign, five.people["gm"], "romans")
    five.campaign.refresh_from_db()
    attack_dalmatia(five)
    assert stored_attack(five).status == "challenged"


def test_no_order_acts_during_a_pause(five: Five) -> None:
    attack_dalmatia(five)
    services.change_life(five.campaign, five.people["gm"], "paused")
    five.campaign.refresh_from_db()
    give_order(five, answer_order("accept"))
    assert stored_attack(five).status == "challenged"


def test_only_the_holder_gives_orders_and_the_game_master_reads_them(five: Five) -> None:
    kept = give_order(five, answer_order("accept"))
    for who in ("gm", "hun", "stranger"):
        with pytest.raises(NotAllowed):
            services.give_order(
                five.campaign,
                five.people[who],
                "romans",
                kept.version,
                answer_order("withdraw"),
                "at-once",
            )
        with pytest.raises(NotAllowed):
            services.remove_order(five.campaign, five.people[who], "romans", kept.version)
    read = dict.fromkeys(("hun", "stranger"))
    for who in read:
        with pytest.raises(NotAllowed):
            seats_selectors.orders_of_seat(five.campaign, five.people[who], "romans")
    assert seats_selectors.orders_of_seat(five.campaign, five.people["gm"], "romans") == kept
    assert seats_selectors.orders_of_seat(five.campaign, five.people["roman"], "romans") == kept
    assert seats_selectors.orders_of_seat(five.campaign, five.people["gm"], "vandals") is None


def test_older_windows_and_too_many_orders_are_refused(five: Five) -> None:
    kept = give_order(five, answer_order("accept", "dalmatia"))
    user = five.people["roman"]
    with pytest.raises(OrdersChanged):
        services.give_order(
            five.campaign, user, "romans", kept.version - 1, answer_order("withdraw"), "at-once"
        )
    with pytest.raises(OrdersChanged):
        services.remove_order(five.campaign, user, "romans", kept.version, 7)
    with pytest.raises(Refused):
        services.give_order(
            five.campaign, user, "romans", kept.version, answer_order("withdraw"), "soon"
        )
    with pytest.raises(Refused):
        services.give_order(
            five.campaign,
            user,
            "romans",
            kept.version,
            {"kind": "bodyguard", "guard": "keep"},
            "clock",
        )
    with pytest.raises(IllegalMove) as refused:
        services.give_order(
            five.campaign, user, "romans", kept.version, answer_order("flee"), "at-once"
        )
    assert refused.value.sentence
    for _n in range(seats_selectors.MOST - 1):
        kept = give_order(five, answer_order("withdraw"))
    with pytest.raises(Refused):
        give_order(five, answer_order("withdraw"))
    kept = services.give_order(
        five.campaign, user, "romans", kept.version, answer_order("withdraw", "sicilia"), "clock", 0
    )
    assert (kept.orders[0]["order"]["provinces"], kept.orders[0]["when"], kept.timed) == (
        ["sicilia"],
        "clock",
        True,
    )
    kept = services.remove_order(five.campaign, user, "romans", kept.version, 0)
    assert (kept.size, kept.timed) == (seats_selectors.MOST - 1, False)
    assert services.remove_order(five.campaign, user, "romans", kept.version).size == 0


def test_an_order_for_a_bodyguard_is_as_secret_as_the_hand(
    new_campaign: Callable[..., Five],
) -> None:
    """Two tables that differ in a hidden Bodyguard and its order look the same to all others."""
    five = new_campaign(hands="hidden")
    five.play("gm", "start")
    five.slot_to("huns")
    seen = {who: selectors.seen(five.campaign, five.people[who]) for who in ("hun", "stranger")}
    last = five.campaign.last_number
    five.play("gm", "give-card", nation="romans", card="bodyguard", reason="test")
    give_order(five, {"kind": "bodyguard", "guard": "keep"})
    five.campaign.refresh_from_db()
    assert selectors.position(five.campaign).nations["romans"].keep is True
    hidden = list(five.campaign.entries.order_by("-sequence")[:2])
    assert [entry.number for entry in hidden] == [None, None]
    assert [entry.viewers for entry in hidden] == [("romans",), ("romans",)]
    for who, was in seen.items():
        assert selectors.seen(five.campaign, five.people[who]) == was + 1, (
            "the card given, and nothing more"
        )
    assert five.campaign.last_number == last + 1
    assert list(differences(five.campaign)) == []


def test_a_move_makes_as_many_queries_with_orders_as_without(five: Five) -> None:
    def asked(structure: str) -> int:
        with CaptureQueriesContext(connection) as queries:
            five.play("huns", "tax-exemption")
        return len(queries)

    five.play("huns", "tax-exemption")
    before = asked("")
    give_order(five, answer_order("withdraw", "sicilia"))
    assert asked("") == before


def test_an_error_in_an_order_stops_no_move(five: Five, caplog: pytest.LogCaptureFixture) -> None:
    kept = give_order(five, answer_order("accept"))
    StandingOrders.objects.filter(pk=kept.pk).update(
        orders=[{"order": {"kind": "answer"}, "when": "at-once"}]
    )
    attack_dalmatia(five)
    assert stored_attack(five).status == "challenged"
    five.play("huns", "build", structure="hamlets")
    assert "Standing orders of campaign" in caplog.text
    assert list(differences(five.campaign)) == []
