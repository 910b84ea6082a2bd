"""Standing orders: heard for somebody who is away, at once or when their time is up; secret until
they speak, never against the rules.
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
from engine.errors import Awaits, IllegalMove
from notices.models import Notice
from tests.notices.test_notices import notices_shown
from tests.web.contests import hun_attack, to_turn
from tests.web.five import Five, five, new_campaign

__all__ = ["five", "new_campaign"]
pytestmark = pytest.mark.django_db


def answer(choice: str, *provinces: str, cards: tuple[str, ...] = ()) -> dict[str, Any]:
    return {"kind": "answer", "provinces": list(provinces), "choice": choice, "cards": list(cards)}


def give(
    five: Five,
    order: dict[str, Any],
    when: str = "at-once",
    who: str = "roman",
    seat: str = "romans",
) -> StandingOrders:
    user = five.people[who]
    kept = StandingOrders.objects.filter(campaign=five.campaign, user=user, seat=seat).first()
    return services.order(five.campaign, user, seat, kept.version if kept else 0, order, when)


def attack(five: Five, number: int = 1) -> Any:
    five.campaign.refresh_from_db()
    return selectors.position(five.campaign).attacks[number - 1]


def lines(five: Five) -> list[str]:
    five.campaign.refresh_from_db()
    return [line.text for line in reversed(selectors.log(five.campaign, None))]


def test_at_once_an_order_answers_as_the_seat_itself(five: Five) -> None:
    give(five, answer("withdraw", "dalmatia"))
    give(five, answer("accept"))
    hun_attack(five)
    assert attack(five).answer == "withdraw"
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
    assert lines(five)[-2] == "Romans: a standing order acts."
    assert list(differences(five.campaign)) == []
    assert notices_shown(five.people["roman"])[-1][0] in ("order-spoke", "result")
    assert "order-spoke" in [kind for kind, _, _ in notices_shown(five.people["roman"])]
    assert "order-spoke" not in [kind for kind, _, _ in notices_shown(five.people["hun"])]


def test_the_game_master_undoes_it_and_it_does_not_speak_again(five: Five) -> None:
    give(five, answer("withdraw"))
    hun_attack(five)
    launch = five.campaign.last_number - 2
    gm = five.people["gm"]
    services.undo_to(five.campaign, gm, launch, "He is back.", selectors.seen(five.campaign, gm))
    assert attack(five).status == "challenged"
    five.play("huns", "build", structure="shrines")
    assert attack(five).status == "challenged"
    five.play("romans", "respond", attack=1, choice="accept")
    assert attack(five).answer == "accept"


def test_a_card_that_is_not_in_the_hand_skips_the_order_and_only_its_holder_is_told(
    five: Five,
) -> None:
    give(five, answer("accept", "dalmatia", cards=("naval-technology",)))
    give(five, answer("withdraw"))
    hun_attack(five)
    assert attack(five).answer == "withdraw", "the next that fits is tried"
    (skip,) = seats_selectors.skips(StandingOrders.objects.get())
    assert (skip.rule, skip.contest, skip.order["cards"]) == ("4.11", 1, ["naval-technology"])
    rows = Notice.objects.filter(kind="order-skipped")
    assert [row.user_id for row in rows] == [five.people["roman"].pk]
    (one,) = [one for one in notices_shown(five.people["roman"]) if one[0] == "order-skipped"]
    assert one[1] == "A standing order for the Romans was skipped"
    assert one[2].startswith("Dalmatia: accept, with Naval Technology: ")
    assert one[2].endswith("§4.11")
    assert "naval" not in " ".join(lines(five)).casefold()


def test_an_order_for_the_clock_waits_until_time_is_up(five: Five) -> None:
    give(five, answer("withdraw", "dalmatia"), "clock")
    give(five, answer("accept"))
    hun_attack(five)
    assert attack(five).status == "challenged", "the order for the province governs, and waits"
    clock = Clock.objects.get(campaign=five.campaign, kind="answer", ended_at=None)
    clocks_services.tick(clock.due_at - timedelta(minutes=1))
    assert attack(five).status == "challenged"
    clocks_services.tick(clock.due_at)
    assert attack(five).answer == "withdraw"
    clock.refresh_from_db()
    assert clock.ended_at is not None
    assert StandingOrderResult.objects.count() == 1
    clocks_services.tick(clock.due_at + timedelta(days=9))
    assert StandingOrderResult.objects.count() == 1


def test_the_order_goes_before_what_the_clock_would_do(five: Five) -> None:
    """After a long silence both are due: the order is heard, and the clock accepts nothing."""
    clocks_services.set_terms(five.campaign, five.people["gm"], {"answer": timing_terms()})
    five.campaign.refresh_from_db()
    give(five, answer("withdraw"), "clock")
    hun_attack(five)
    clock = Clock.objects.get(campaign=five.campaign, kind="answer", ended_at=None)
    clocks_services.tick(clock.due_at + timedelta(days=30))
    assert attack(five).answer == "withdraw"


def test_the_clock_acts_by_an_order_whose_die_is_thrown_elsewhere(five: Five) -> None:
    gm = five.people["gm"]
    clocks_services.set_terms(five.campaign, gm, {"answer": timing_terms()})
    to_turn(five, 2, {"romans": [("fortify", {"province": "dalmatia"})] * 2})
    five.slot_to("huns")
    services.throw_by(five.campaign, gm, True)
    five.campaign.refresh_from_db()
    give(five, answer("withdraw"), "clock")
    hun_attack(five)
    clock = Clock.objects.get(campaign=five.campaign, kind="answer", ended_at=None)
    clocks_services.tick(clock.due_at + timedelta(days=30))
    five.campaign.refresh_from_db()
    waits = dice_selectors.awaited(five.campaign)
    assert waits is not None
    assert waits.move["move"] == "respond"
    clock.refresh_from_db()
    assert clock.acted_entry == five.campaign.entries.order_by("sequence").last()
    services.give_die(five.campaign, gm, waits.purpose, 100)
    assert attack(five).answer == "withdraw"
    clock.refresh_from_db()
    assert clock.ended_at is not None
    assert list(differences(five.campaign)) == []


def test_time_that_is_up_while_a_die_is_waited_for_loses_no_order(five: Five) -> None:
    """The clock only reminds; its order is heard when the table has its die."""
    give(five, answer("withdraw"), "clock")
    hun_attack(five)
    gm, clock = (
        five.people["gm"],
        Clock.objects.get(campaign=five.campaign, kind="answer", ended_at=None),
    )
    with transaction.atomic():
        table = entries.lock(five.campaign)
        raw = {"by": "gm", "for": "huns", "move": "end-slot"}
        entries.park(table, gm, raw, Awaits(("turn-1/event/huns",), 100), clock.started_at)
        table.save()
    clocks_services.tick(clock.due_at)
    assert attack(five).status == "challenged"
    assert not Notice.objects.filter(kind="clock-missed").exists()
    services.drop(five.campaign, gm, now=clock.due_at)
    clocks_services.tick(clock.due_at + clocks_services.PARKED)
    assert attack(five).answer == "withdraw"


def timing_terms() -> Any:
    from campaign.clocks.selectors import Terms

    return Terms("3d", "1d", True)


def test_an_order_at_once_answers_what_waits_already(five: Five) -> None:
    hun_attack(five)
    give(five, answer("accept"), "clock")
    assert attack(five).status == "challenged"
    give(five, answer("accept", "dalmatia"))
    assert attack(five).answer == "accept"


def test_they_speak_for_who_gave_them_and_sits_there(five: Five) -> None:
    give(five, answer("withdraw"))
    services.vacate(five.campaign, five.people["gm"], "romans")
    five.campaign.refresh_from_db()
    hun_attack(five)
    assert attack(five).status == "challenged"


def test_nothing_speaks_in_a_pause(five: Five) -> None:
    hun_attack(five)
    services.live(five.campaign, five.people["gm"], "paused")
    five.campaign.refresh_from_db()
    give(five, answer("accept"))
    assert attack(five).status == "challenged"


def test_only_the_holder_gives_them_and_the_game_master_reads_them(five: Five) -> None:
    kept = give(five, answer("accept"))
    for who in ("gm", "hun", "stranger"):
        with pytest.raises(NotAllowed):
            services.order(
                five.campaign,
                five.people[who],
                "romans",
                kept.version,
                answer("withdraw"),
                "at-once",
            )
        with pytest.raises(NotAllowed):
            services.countermand(five.campaign, five.people[who], "romans", kept.version)
    read = dict.fromkeys(("hun", "stranger"))
    for who in read:
        with pytest.raises(NotAllowed):
            seats_selectors.of_seat(five.campaign, five.people[who], "romans")
    assert seats_selectors.of_seat(five.campaign, five.people["gm"], "romans") == kept
    assert seats_selectors.of_seat(five.campaign, five.people["roman"], "romans") == kept
    assert seats_selectors.of_seat(five.campaign, five.people["gm"], "vandals") is None


def test_two_windows_and_what_is_too_much(five: Five) -> None:
    kept = give(five, answer("accept", "dalmatia"))
    user = five.people["roman"]
    with pytest.raises(OrdersChanged):
        services.order(
            five.campaign, user, "romans", kept.version - 1, answer("withdraw"), "at-once"
        )
    with pytest.raises(OrdersChanged):
        services.countermand(five.campaign, user, "romans", kept.version, 7)
    with pytest.raises(Refused):
        services.order(five.campaign, user, "romans", kept.version, answer("withdraw"), "soon")
    with pytest.raises(Refused):
        services.order(
            five.campaign,
            user,
            "romans",
            kept.version,
            {"kind": "bodyguard", "guard": "keep"},
            "clock",
        )
    with pytest.raises(IllegalMove) as refused:
        services.order(five.campaign, user, "romans", kept.version, answer("flee"), "at-once")
    assert refused.value.sentence
    for _n in range(seats_selectors.MOST - 1):
        kept = give(five, answer("withdraw"))
    with pytest.raises(Refused):
        give(five, answer("withdraw"))
    kept = services.order(
        five.campaign, user, "romans", kept.version, answer("withdraw", "sicilia"), "clock", 0
    )
    assert (kept.orders[0]["order"]["provinces"], kept.orders[0]["when"], kept.timed) == (
        ["sicilia"],
        "clock",
        True,
    )
    kept = services.countermand(five.campaign, user, "romans", kept.version, 0)
    assert (kept.size, kept.timed) == (seats_selectors.MOST - 1, False)
    assert services.countermand(five.campaign, user, "romans", kept.version).size == 0


def test_a_bodyguards_order_is_as_secret_as_his_hand(new_campaign: Callable[..., Five]) -> None:
    """Two tables that differ in a hidden Bodyguard and an order about it are the same to everybody
    else.
    """
    five = new_campaign(hands="hidden")
    five.play("gm", "start")
    five.slot_to("huns")
    seen = {who: selectors.seen(five.campaign, five.people[who]) for who in ("hun", "stranger")}
    last = five.campaign.last_number
    five.play("gm", "give-card", nation="romans", card="bodyguard", reason="test")
    give(five, {"kind": "bodyguard", "guard": "keep"})
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


def test_the_door_asks_as_much_whether_there_are_orders_or_not(five: Five) -> None:
    def asked(structure: str) -> int:
        with CaptureQueriesContext(connection) as queries:
            five.play("huns", "tax-exemption")
        return len(queries)

    five.play("huns", "tax-exemption")
    before = asked("")
    give(five, answer("withdraw", "sicilia"))
    assert asked("") == before


def test_what_breaks_in_an_order_stops_no_move(
    five: Five, caplog: pytest.LogCaptureFixture
) -> None:
    kept = give(five, answer("accept"))
    StandingOrders.objects.filter(pk=kept.pk).update(
        orders=[{"order": {"kind": "answer"}, "when": "at-once"}]
    )
    hun_attack(five)
    assert attack(five).status == "challenged"
    five.play("huns", "build", structure="hamlets")
    assert "Standing orders of campaign" in caplog.text
    assert list(differences(five.campaign)) == []
