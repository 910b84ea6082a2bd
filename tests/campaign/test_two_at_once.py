"""Two requests at once on one campaign, which give one history on either database."""

from __future__ import annotations

from collections.abc import Callable
from io import StringIO
from threading import Barrier, Event, Thread
from time import sleep
from typing import Any

import pytest
from django.core.management import call_command
from django.db import connection, transaction

from campaign import scenarios, services
from campaign.errors import InvitationRefused, NotNow, PlanChanged, TableMovedOn
from campaign.log import entries as log_entries
from campaign.log import selectors
from campaign.models import Application, Membership, Scenario
from engine.errors import IllegalMove
from games.registry import TITLES
from people import services as people_services

pytestmark = pytest.mark.django_db(transaction=True)


def run_at_once(*acts: Callable[[], Any]) -> list[Any]:
    """Run acts at the same time, and return what each returned or raised.

    Each act has a database connection of its own.
    """
    outcomes: list[Any] = [None] * len(acts)
    together = Barrier(len(acts))

    def run(place: int) -> None:
        try:
            together.wait(10)
            outcomes[place] = acts[place]()
        except Exception as error:
            outcomes[place] = error
        finally:
            connection.close()

    threads = [Thread(target=run, args=(place,)) for place in range(len(acts))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    return outcomes


@pytest.fixture
def table_of_two(transactional_db: None, request: pytest.FixtureRequest) -> Any:
    return request.getfixturevalue("table")


def test_a_double_click_from_two_threads_makes_one_entry(table_of_two: Any) -> None:
    table = table_of_two
    seen = table.seen("gm")

    def click() -> Any:
        return services.play(table.campaign, table.gm, {"by": "gm", "move": "start"}, seen)

    outcomes = run_at_once(*[click] * 4)
    assert sum(isinstance(outcome, TableMovedOn) for outcome in outcomes) == 3
    assert sum(isinstance(outcome, services.Result) for outcome in outcomes) == 1
    assert table.campaign.entries.filter(kind="move").count() == 1


def test_many_moves_at_once_make_one_chain(table_of_two: Any) -> None:
    table = table_of_two
    table.play("gm", "start")

    def dig() -> int:
        played = 0
        while played < 4:
            campaign = type(table.campaign).objects.get(pk=table.campaign.pk)
            raw = {"by": "gm", "for": campaign.active_seat, "move": "add", "stones": 1}
            if played % 2:
                raw = {"by": "gm", "for": campaign.active_seat, "move": "end"}
            try:
                services.play(campaign, table.gm, raw, selectors.seen(campaign, table.gm))
                played += 1
            except TableMovedOn:
                continue
            except IllegalMove:
                played += 1
        return played

    assert run_at_once(dig, dig, dig) == [4, 4, 4]
    entries = list(table.campaign.entries.order_by("sequence"))
    assert [entry.sequence for entry in entries] == list(range(len(entries)))
    call_command("audit", stdout=StringIO())


def test_two_people_at_once_do_not_refuse_each_other(table_of_two: Any) -> None:
    """One user answers a challenge while the other continues their slot.

    Both start from the same position, and both double-click.
    """
    table = table_of_two
    table.play("gm", "start")
    if table.campaign.active_seat == "ant":
        table.play("ant", "end")
    table.play("bee", "duel")
    seen = table.seen("gm")

    def move(who: str, name: str, **given: Any) -> Callable[[], Any]:
        raw = {"by": who, "move": name, **given}
        return lambda: services.play(table.campaign, table.people[who], raw, seen)

    outcomes = run_at_once(*[move("ant", "answer"), move("bee", "add", stones=2)] * 2)
    assert sum(isinstance(outcome, services.Result) for outcome in outcomes) == 2, outcomes
    refused = [outcome for outcome in outcomes if isinstance(outcome, TableMovedOn)]
    assert [len(outcome.again) for outcome in refused] == [1, 1]
    moves = list(
        table.campaign.entries.filter(act__in=("add", "answer")).values_list("act", flat=True)
    )
    assert sorted(moves) == ["add", "answer"]
    call_command("audit", stdout=StringIO())


def test_only_one_of_two_users_takes_a_seat(table_of_two: Any) -> None:
    table = table_of_two
    services.vacate(table.campaign, table.gm, "ant")
    tokens = [services.invite(table.campaign, table.gm, "ant")[1] for _ in range(2)]
    outcomes = run_at_once(
        lambda: services.take_seat(table.people["ant"], tokens[0]),
        lambda: services.take_seat(table.people["stranger"], tokens[1]),
    )
    assert sum(isinstance(outcome, InvitationRefused) for outcome in outcomes) == 1
    assert [seat.holder is not None for seat in selectors.seats(table.campaign)] == [True, True]


def test_only_one_of_two_users_takes_over_a_seat(table_of_two: Any) -> None:
    table = table_of_two
    tokens = [services.hand_over_link(table.campaign, table.gm, "ant")[1] for _ in range(2)]
    outcomes = run_at_once(
        lambda: services.take_seat(table.gm, tokens[0]),
        lambda: services.take_seat(table.stranger, tokens[1]),
    )
    assert sum(isinstance(outcome, InvitationRefused) for outcome in outcomes) == 1
    assert table.campaign.memberships.filter(role="seat", seat="ant", until=None).count() == 1
    call_command("audit", stdout=StringIO())


def test_the_campaign_is_handed_over_once(table_of_two: Any) -> None:
    table = table_of_two
    ant = table.people["ant"]
    services.offer_campaign(table.campaign, table.gm, ant)
    outcomes = run_at_once(*[lambda: services.accept_campaign(table.campaign, ant)] * 3)
    assert sum(isinstance(outcome, InvitationRefused) for outcome in outcomes) == 2
    assert selectors.game_masters(table.campaign) == [ant]
    call_command("audit", stdout=StringIO())


def test_a_lobby_is_drawn_once(table_of_two: Any) -> None:
    table = table_of_two
    services.vacate(table.campaign, table.gm, "ant")
    services.open_lobby(table.campaign, table.gm)
    services.apply_for_seat(table.campaign, table.stranger, ["ant"])
    outcomes = run_at_once(*[lambda: services.draw_seats(table.campaign, table.gm)] * 3)
    assert sum(isinstance(outcome, NotNow) for outcome in outcomes) == 2
    assert [seat.holder for seat in selectors.seats(table.campaign)] == [
        table.stranger,
        table.people["bee"],
    ]
    call_command("audit", stdout=StringIO())


def test_a_user_who_applies_twice_at_once_applies_once(table_of_two: Any) -> None:
    table = table_of_two
    services.vacate(table.campaign, table.gm, "ant")
    services.open_lobby(table.campaign, table.gm)
    run_at_once(*[lambda: services.apply_for_seat(table.campaign, table.stranger, ["ant"])] * 3)
    assert Application.objects.count() == 1
    call_command("audit", stdout=StringIO())


def test_a_plan_announced_in_two_windows_is_announced_once(table_of_two: Any) -> None:
    table = table_of_two
    table.play("gm", "start")
    seat = table.campaign.active_seat
    user = table.people[seat]
    for stones in (3, 2):
        kept = services.plan_move(
            table.campaign, user, seat, {"by": seat, "move": "add", "stones": stones}
        )
    seen = table.seen(seat)
    outcomes = run_at_once(
        *[lambda: services.announce_plan(table.campaign, user, seat, kept.version, seen)] * 2
    )
    assert sum(isinstance(outcome, PlanChanged) for outcome in outcomes) == 1
    assert [
        len(outcome.results) for outcome in outcomes if not isinstance(outcome, PlanChanged)
    ] == [2]
    content = table.campaign.entries.filter(kind="move", seat=seat).order_by("sequence")
    assert [entry.content["stones"] for entry in content] == [3, 2]
    call_command("audit", stdout=StringIO())


def test_a_guest_moves_while_their_seats_pass_to_an_account(
    transactional_db: None, person: Callable[..., Any]
) -> None:
    """A move that the guest began in another window is written, and then their seats pass.

    There is no deadlock.
    """
    guest, account = people_services.make_guest(), person("Ingrid")
    campaign = services.found_campaign(guest, "march_on_rome", "Albinus", "standard")
    begun = Event()

    def move() -> Any:
        with transaction.atomic():
            table = log_entries.lock(campaign)
            begun.set()
            sleep(0.5)
            return services.play(table, guest, {"by": "pc", "move": "pass"}, table.last_sequence)

    def merge() -> Any:
        assert begun.wait(10)
        return services.merge_guest(guest, account)

    played, passed = run_at_once(move, merge)
    assert isinstance(played, services.Result)
    assert passed == [campaign]
    assert {
        membership.user for membership in Membership.objects.filter(campaign=campaign, until=None)
    } == {account}
    call_command("audit", stdout=StringIO())


def test_a_scenario_uploaded_twice_at_once_is_stored_once(
    transactional_db: None, person: Callable[..., Any]
) -> None:
    owner, raw = person("Marozia"), TITLES["grand_campaign"].scenarios()["420ad"]
    begun = Event()

    def slowly() -> Any:
        with transaction.atomic():
            row = scenarios.save_scenario(owner, "grand_campaign", raw)
            begun.set()
            sleep(0.2)  # the other request comes before this row is visible to it
            return row

    def meanwhile() -> Any:
        assert begun.wait(10)
        return scenarios.save_scenario(owner, "grand_campaign", raw)

    first, second = run_at_once(slowly, meanwhile)
    assert first == second == Scenario.objects.get()
    gone = [
        scenario.removed_at
        for scenario in run_at_once(*[lambda: scenarios.remove(owner, first.public_id)] * 2)
    ]
    assert gone[0] == gone[1] is not None
    assert run_at_once(*[lambda: scenarios.restore_scenario(owner, first.public_id)] * 2) == [
        first,
        first,
    ]
    assert Scenario.objects.get().removed_at is None
