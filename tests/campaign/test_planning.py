"""Plans: kept in order, previewed move by move, announced as ordinary moves, and private."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.contrib import admin
from django.contrib.auth.models import AnonymousUser

from campaign import plans, services
from campaign.errors import NotAllowed, NotNow, PlanChanged, Refused, TableMovedOn
from campaign.log import positions, record, selectors
from campaign.models import LogEntry, Plan
from campaign.plans import EARLIER, LATER, LONGEST, MOST, AnnouncementResult, foresee_moves
from engine.errors import IllegalMove
from tests.table import Table

pytestmark = pytest.mark.django_db

THREE, TWO = {"by": "bee", "move": "add", "stones": 3}, {"by": "bee", "move": "add", "stones": 2}
DIG, END = {"by": "bee", "move": "dig"}, {"by": "bee", "move": "end"}


def plan_moves(table: Table, *moves: dict[str, Any], who: str = "bee") -> Plan:
    for move in moves:
        services.plan_move(table.campaign, table.people[who], who, move)
    return plans.plan_of_user(table.campaign, table.people[who], who)


def announce_plan(table: Table, most: int = MOST, **stale: int) -> AnnouncementResult:
    kept = plans.plan_of_user(table.campaign, table.people["bee"], "bee")
    seen = stale.get("seen", table.seen("bee"))
    result = services.announce_plan(
        table.campaign, table.people["bee"], "bee", stale.get("version", kept.version), seen, most
    )
    table.reload()
    return result


def moves_in_log(table: Table) -> list[dict[str, Any]]:
    """Return the moves in the log since the fixture was made."""
    return [
        entry.content
        for entry in table.campaign.entries.filter(kind=LogEntry.Kind.MOVE, seat="bee").order_by(
            "sequence"
        )
    ]


def test_a_plan_is_kept_in_order_and_changed(running: Table) -> None:
    bee = running.people["bee"]
    kept = plan_moves(running, THREE, TWO, END)
    assert (kept.moves, kept.size, kept.version) == ([THREE, TWO, END], 3, 3)
    kept = services.move_planned_move(running.campaign, bee, "bee", 3, 1, EARLIER)
    assert kept.moves == [TWO, THREE, END]
    kept = services.move_planned_move(running.campaign, bee, "bee", 4, 1, LATER)
    assert kept.moves == [TWO, END, THREE]
    kept = services.move_planned_move(running.campaign, bee, "bee", 5, 0, EARLIER)
    assert kept.moves == [TWO, END, THREE], "the first stays the first"
    kept = services.replace_planned_move(running.campaign, bee, "bee", 6, 2, DIG)
    assert kept.moves == [TWO, END, DIG]
    kept = services.remove_planned_move(running.campaign, bee, "bee", 7, 1)
    assert kept.moves == [TWO, DIG]
    kept = services.remove_planned_move(running.campaign, bee, "bee", 8)
    assert (kept.moves, kept.size, kept.version, Plan.objects.count()) == ([], 0, 9, 1)
    assert moves_in_log(running) == []


def test_each_move_is_previewed_after_those_before_it(running: Table) -> None:
    """There are two actions, and a move costs one of them."""
    now = positions.current(running.campaign)
    first, second, third, fourth = foresee_moves(
        running.campaign.game, now, [THREE, TWO, THREE, END]
    )
    assert [step.after.stones["bee"] for step in (first, second)] == [3, 5]
    assert [step.after.actions["bee"] for step in (first, second)] == [1, 0]
    assert (first.certain, second.certain) == (True, True)
    assert third.refusal is not None
    assert (third.refusal.code, third.refusal.rule, third.reached) == (
        "not-enough-actions",
        "2",
        True,
    )
    assert (fourth.reached, fourth.branches) == (False, ())
    assert (now.stones["bee"], now.actions["bee"]) == (
        0,
        2,
    ), "the position of the table is untouched"


def test_nothing_is_previewed_after_a_die(running: Table) -> None:
    result = foresee_moves(
        running.campaign.game, positions.current(running.campaign), [THREE, DIG, TWO]
    )
    assert [(step.reached, step.certain, step.die) for step in result] == [
        (True, True, False),
        (True, False, True),
        (False, False, False),
    ]
    assert result[1].after.stones["bee"] == 3


def test_all_moves_are_announced_each_as_an_entry(running: Table) -> None:
    before = running.campaign.last_number
    plan_moves(running, THREE, TWO, END)
    result = announce_plan(running)
    assert [[entry.content for entry in outcome.entries] for outcome in result.results] == [
        [THREE],
        [TWO],
        [END],
    ]
    assert [entry.actor for outcome in result.results for entry in outcome.entries] == [
        running.people["bee"]
    ] * 3
    assert (result.refused, result.plan.moves) == (None, [])
    assert running.campaign.last_number == before + 3
    assert running.campaign.active_seat == "ant"


def test_the_first_move_alone_is_announced(running: Table) -> None:
    plan_moves(running, THREE, TWO)
    result = announce_plan(running, most=1)
    assert (len(result.results), result.plan.moves, moves_in_log(running)) == (1, [TWO], [THREE])


def test_the_announcement_stops_at_the_first_refusal_and_keeps_the_rest(running: Table) -> None:
    plan_moves(running, THREE, TWO, THREE, END)
    result = announce_plan(running)
    assert isinstance(result.refused, IllegalMove)
    assert (result.refused.code, result.refused.sentence) == (
        "not-enough-actions",
        "No: not-enough-actions",
    )
    assert moves_in_log(running) == [THREE, TWO]
    assert plans.plan_of_user(running.campaign, running.people["bee"], "bee").moves == [
        THREE,
        END,
    ]
    assert announce_plan(running).results == (), "and again, where it is the first"


def test_the_announcement_stops_after_the_first_die(running: Table) -> None:
    plan_moves(running, DIG, TWO)
    result = announce_plan(running)
    assert [roll.purpose for outcome in result.results for roll in outcome.rolls] == [
        f"round-{running.campaign.turn}/dig/1"
    ]
    assert (result.refused, result.plan.moves, moves_in_log(running)) == (None, [TWO], [DIG])


def test_with_a_stop_condition_the_announcement_continues_after_dice(running: Table) -> None:
    plan_moves(running, DIG, TWO, END)
    kept, asked = plans.plan_of_user(running.campaign, running.people["bee"], "bee"), list[str]()

    def stop(result: services.Result) -> str:
        asked.append(result.entries[-1].content["move"])
        return "enough" if asked[-1] == "add" else ""

    outcome = services.announce_plan(
        running.campaign, running.people["bee"], "bee", kept.version, running.seen("bee"), stop=stop
    )
    assert (asked, outcome.stopped, outcome.refused, outcome.plan.moves) == (
        ["dig", "add"],
        "enough",
        None,
        [END],
    )
    assert moves_in_log(running) == [DIG, TWO]


def test_a_stale_page_announces_nothing(running: Table) -> None:
    plan_moves(running, THREE, TWO)
    seen = running.seen("bee")
    running.play("bee", "add", stones=1)
    with pytest.raises(TableMovedOn) as moved:
        announce_plan(running, seen=seen)
    assert [entry.content["stones"] for entry in moved.value.entries] == [1]
    assert plans.plan_of_user(running.campaign, running.people["bee"], "bee").moves == [
        THREE,
        TWO,
    ]


def test_the_older_of_two_windows_changes_nothing(running: Table) -> None:
    bee = running.people["bee"]
    plan_moves(running, THREE, TWO, END)
    services.remove_planned_move(running.campaign, bee, "bee", 3, 2)
    for act in (
        lambda: services.move_planned_move(running.campaign, bee, "bee", 3, 0, LATER),
        lambda: services.remove_planned_move(running.campaign, bee, "bee", 3),
        lambda: services.replace_planned_move(running.campaign, bee, "bee", 3, 0, END),
        lambda: announce_plan(running, version=3),
    ):
        with pytest.raises(PlanChanged):
            act()
    assert plan_moves(running).moves == [THREE, TWO]
    assert plan_moves(running, DIG).moves == [
        THREE,
        TWO,
        DIG,
    ], "to add takes nothing from the other window"


def test_no_one_else_sees_the_plan(running: Table, person: Any) -> None:
    plan_moves(running, THREE)
    for user in (running.gm, running.people["ant"], running.stranger, AnonymousUser()):
        with pytest.raises(NotAllowed):
            plans.plan_of_user(running.campaign, user, "bee")
        with pytest.raises(NotAllowed):
            services.plan_move(running.campaign, user, "bee", TWO)
    assert plan_moves(running, who="ant").moves == []
    assert Plan not in admin.site._registry
    assert '"add"' not in json.dumps(record.full_record(running.campaign), default=str)
    assert [
        line for line in selectors.log(running.campaign, running.gm) if "add" in line.text
    ] == []


def test_a_plan_is_deleted_when_its_owner_leaves(running: Table, person: Any) -> None:
    plan_moves(running, THREE)
    bee, heir = running.people["bee"], person("Heir")
    services.vacate(running.campaign, bee, "bee")
    services.take_seat(heir, services.invite(running.campaign, running.gm, "bee")[1])
    assert plans.plan_of_user(running.campaign, heir, "bee").moves == []
    with pytest.raises(NotAllowed):
        plans.plan_of_user(running.campaign, bee, "bee")


@pytest.mark.parametrize(
    "raw",
    [
        None,
        [],
        "add",
        {},
        {"by": "bee"},
        {"by": "bee", "move": "add"},
        {"by": "bee", "move": "add", "stones": 9},
        {"by": "bee", "move": "add", "stones": float("nan")},
        {"by": "bee", "move": "\ud800"},
        {"by": "bee", "move": "fly"},
    ],
)
def test_invalid_moves_are_refused(running: Table, raw: object) -> None:
    with pytest.raises(IllegalMove):
        services.plan_move(running.campaign, running.people["bee"], "bee", raw)
    assert Plan.objects.count() == 0


def test_only_moves_of_the_own_seat_are_planned(running: Table) -> None:
    for raw in (
        {"by": "ant", "move": "dig"},
        {"by": "gm", "move": "add", "for": "bee", "stones": 1},
    ):
        with pytest.raises(NotAllowed):
            services.plan_move(running.campaign, running.people["bee"], "bee", raw)


def test_plans_have_a_maximum_size(running: Table) -> None:
    kept = plan_moves(running, *[DIG] * MOST)
    assert kept.size == 30
    with pytest.raises(Refused) as full:
        plan_moves(running, DIG)
    assert str(full.value) == "A plan can hold up to 30 moves. Announce or remove some of them."
    with pytest.raises(Refused):
        services.replace_planned_move(
            running.campaign,
            running.people["bee"],
            "bee",
            30,
            0,
            {"by": "bee", "move": "hide", "secret": "x" * LONGEST},
        )
    for at in (-1, 30, 10**9):
        with pytest.raises(Refused):
            services.remove_planned_move(running.campaign, running.people["bee"], "bee", 30, at)


def test_nothing_is_planned_before_the_start_or_after_the_end(table: Table) -> None:
    with pytest.raises(NotNow):
        plan_moves(table, DIG)
    table.play("gm", "start")
    if table.campaign.active_seat == "ant":
        table.play("ant", "end")
    plan_moves(table, THREE)
    for _round in range(3):
        table.play("bee", "add", stones=3)
        table.play("bee", "end")
        table.play("ant", "end")
    assert not table.reload().ended
    table.play("bee", "add", stones=3)
    assert table.reload().ended
    with pytest.raises(NotNow):
        plan_moves(table, DIG)


def test_a_hidden_move_stays_hidden_in_a_plan(running: Table) -> None:
    """A different hidden number of the ant changes nothing in the bee's preview."""
    seen = []
    for secret in (7, 8):
        position = positions.current(running.campaign).copy()
        position.secret["ant"] = secret
        who = ("bee",)
        result = foresee_moves(
            running.campaign.game,
            position,
            [{"by": "bee", "move": "hide", "secret": 4}, THREE, DIG],
        )
        seen.append(
            [
                [
                    effect
                    for branch in step.branches
                    for effect in branch.effects
                    if effect.audience in (None, who)
                ]
                for step in result
            ]
        )
    assert seen[0] == seen[1]
    assert seen[0][0] != []
