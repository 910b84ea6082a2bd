"""Standing orders for Legions that may retreat (8.5), at the table and on its pages."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from campaign.models import StandingOrders
from engine.errors import IllegalMove
from engine.language import use_language
from games.contract.title import StandingOrders as Takes
from games.roman_empire.rules.position import LANDS
from tests.roman_empire.table import SCENARIO, TITLE, after, at, held, peoples
from tests.roman_empire.test_web import Table, seated

TO = {"to": "any", "second": "none", "third": "none"}


def retreat(*lands: str, left: str = "once", **goals: str) -> dict[str, Any]:
    return {"kind": "retreat", "lands": list(lands), "left": left, **TO, **goals}


def hold(*lands: str) -> dict[str, Any]:
    return {"kind": "hold", "lands": list(lands)}


def asked(n: int = 2, beaten: int = 1) -> Any:
    """Return a position in which Blue is asked before the next round.

    Blue had three Legions in Dalmatia at first.
    """
    board = {
        "cisalpina": held("blue", 1),
        "macedonia": held("blue", 2),
        "dalmatia": held("blue", n),
        "noricum": held("galli", 1),
    }
    shown = peoples(
        "galli",
        board,
        combat={
            "land": "dalmatia",
            "no": 1,
            "holder": "blue",
            "source": "noricum",
            "round": beaten,
        },
    )
    shown["pending"] = {
        "kind": "retreat",
        "seat": "B",
        "land": "dalmatia",
        "to": ["cisalpina", "macedonia"],
    }
    return at(**shown)


def announced(
    position: Any, *orders: dict[str, Any], seat: str = "B"
) -> list[tuple[int, dict[str, Any]]]:
    result = TITLE.answers_by_orders(
        position, seat, [TITLE.read_order(position, seat, text) for text in orders]
    )
    return [
        (
            reading.order,
            {key: value for key, value in reading.move.items() if key not in ("by", "move")},
        )
        for reading in result
    ]


def test_the_title_takes_orders() -> None:
    assert isinstance(TITLE, Takes)
    position = asked()
    retreat_kind, hold_kind = TITLE.order_kinds(position, "B")
    assert [field.key for field in retreat_kind.fields] == [
        "lands",
        "left",
        "to",
        "second",
        "third",
    ]
    assert [key for key, _ in hold_kind.fields[0].values] == ["cisalpina", "dalmatia", "macedonia"]
    assert TITLE.order_kinds(position, "D") == ()


def test_8_5_the_first_land_that_is_open_is_taken_and_an_order_for_the_land_goes_first() -> None:
    position = asked()
    orders = [hold(), retreat("dalmatia", to="baetica", second="macedonia"), retreat("italia")]
    assert announced(position, *orders) == [
        (1, {"to": "macedonia"}),
        (0, {"to": None, "hold": True}),
    ]
    assert announced(position, retreat()) == [(0, {"to": "cisalpina"})]  # the land with most room
    assert announced(position, retreat(to="baetica")) == []
    assert announced(position, *orders, seat="A") == []
    assert announced(at(**peoples("galli", {})), *orders) == []


def test_8_5_an_order_may_depend_on_the_armies_left() -> None:
    assert announced(asked(3), retreat(left="two")) == [(0, {"to": None})]
    assert announced(asked(2), retreat(left="two")) == [(0, {"to": "cisalpina"})]
    assert announced(asked(2), retreat(left="one")) == [(0, {"to": None})]
    assert announced(asked(1), retreat(left="one")) == [(0, {"to": "cisalpina"})]


def test_each_round_asks_again_and_the_answer_is_a_move() -> None:
    orders = [retreat(left="one")]
    first, second = asked(2), asked(1, beaten=2)
    (one,) = TITLE.answers_by_orders(first, "B", orders)
    (two,) = TITLE.answers_by_orders(second, "B", orders)
    assert one.question != two.question
    assert max(map(len, (one.question, two.question))) <= 60
    created = after(second, dict(two.move))
    assert (created["lands"]["cisalpina"]["n"], created["lands"]["dalmatia"]["who"]) == (2, "galli")


@pytest.mark.parametrize(
    "raw",
    [
        {},
        {"kind": "flee"},
        {**hold(), "left": "once"},
        retreat("atlantis"),
        retreat(left="soon"),
        retreat(to="atlantis"),
        retreat(second="<b>"),
        {"kind": "hold", "lands": "italia"},
        {"kind": "hold", "lands": [1]},
        retreat(to="none"),
    ],
)
def test_orders_that_can_never_apply_are_refused(raw: dict[str, Any]) -> None:
    with pytest.raises(IllegalMove) as refusal:
        TITLE.read_order(asked(), "B", raw)
    assert "{" not in TITLE.refusal(SCENARIO, refusal.value)


def test_an_order_has_one_form_and_a_sentence() -> None:
    given = TITLE.read_order(
        asked(),
        "B",
        retreat("sicilia", "italia", "italia", to="italia", second="italia", third="sicilia"),
    )
    assert given["lands"] == [key for key in LANDS if key in ("italia", "sicilia")]
    assert (given["to"], given["second"], given["third"]) == ("italia", "sicilia", "none")
    assert TITLE.order_line(SCENARIO, given).endswith(
        ": retreat to Italia, otherwise to Sicilia, after the first round"
    )
    assert TITLE.order_line(SCENARIO, hold()) == "Everywhere else: hold to the end"
    with use_language("it"):
        assert TITLE.order_line(SCENARIO, hold("italia")) == "Italia: resistere fino alla fine"


# At the table -------------------------------------------------------------------------------------


@pytest.fixture
def table(person: Callable[..., Any]) -> Table:
    return seated(person)


def order(table: Table, who: str, seat: str, **typed: Any) -> Any:
    kept = StandingOrders.objects.filter(campaign=table.campaign, seat=seat).first()
    given = {
        "do": "order",
        "kind": "retreat",
        "when": "at-once",
        "left": "once",
        "version": str(kept.version if kept else 0),
        **TO,
        **typed,
    }
    return table.clients[who].post(f"{table.home}n/{seat}/standing/", given)


@pytest.mark.django_db
def test_the_page_of_the_title_links_to_the_orders_of_the_readers_seats(table: Table) -> None:
    table.post("gm", do="begin", then="on")
    links = {
        who: [f'href="{table.home}n/{seat}/standing/"' in table.text(who) for seat in "ABC"]
        for who in table.clients
    }
    one = {"a": [True, False, False], "b": [False, True, False], "c": [False, False, True]}
    assert links == one | {"gm": [True] * 3, "nobody": [False] * 3}
    page = table.text("a", "n/A/standing/")
    assert f'href="{table.home}"' in page
    assert 'n/A/"' not in page
    assert table.clients["b"].get(f"{table.home}n/A/standing/").status_code == 403


@pytest.mark.long
@pytest.mark.django_db
def test_8_5_an_order_answers_present_and_later_questions_and_the_attacker_plays_on(
    table: Table,
) -> None:
    asked = table.until(lambda p: p.pending is not None and p.pending.kind == "retreat").pending
    answer = order(table, asked.seat.lower(), asked.seat, to=asked.to[0])
    assert answer.status_code == 303
    assert "The order has been given and has already acted" in table.text(
        asked.seat.lower(), answer["Location"].removeprefix(table.home)
    )
    stands = table.position
    assert (stands.pending, stands.lands[asked.to[0]].who) == (None, stands.factions[asked.seat])
    for seat in "ABC":
        if seat != asked.seat:
            order(table, seat.lower(), seat, kind="hold")
    spoke = orders_heeded(table)
    table.until(lambda p: orders_heeded(table) > spoke or p.phase == "over")
    assert orders_heeded(table) > spoke
    spoke = orders_heeded(table)
    while orders_heeded(table) == spoke and not table.campaign.ended:
        answer = table.post("gm", "onward/", how="deputy")
        assert "another window" not in table.clients["gm"].get(answer["Location"]).content.decode()
        table.campaign.refresh_from_db()
    assert orders_heeded(table) > spoke


def orders_heeded(table: Table) -> int:
    return int(table.campaign.entries.filter(act="standing").count())


def test_9_3_an_order_answers_in_a_rebellion_too() -> None:
    """Blue's last loyal Legion in Dalmatia is asked before the second round.

    It follows the order for Dalmatia.
    """
    board = {
        "cisalpina": held("blue", 1),
        "macedonia": held("blue", 2),
        "dalmatia": held("blue", 1),
        "noricum": held("galli", 1),
    }
    rebellion = {"card": "rebellion_1", "land": "dalmatia", "of": "blue", "rebels": 2, "round": 1}
    asked_now = {
        "kind": "retreat",
        "seat": "B",
        "land": "dalmatia",
        "to": ["cisalpina", "macedonia"],
    }
    position = at(**peoples("galli", board, rebellion=rebellion, pending=asked_now))
    assert announced(position, retreat("dalmatia", to="macedonia")) == [(0, {"to": "macedonia"})]
    assert announced(position, hold()) == [(0, {"to": None, "hold": True})]
    assert announced(position, retreat(left="one")) == [(0, {"to": "cisalpina"})]
    assert announced(
        at(
            **peoples(
                "galli",
                {**board, "dalmatia": held("blue", 2)},
                rebellion=rebellion,
                pending=asked_now,
            )
        ),
        retreat(left="one"),
    ) == [(0, {"to": None})]
    answers = TITLE.answers_by_orders(position, "B", [TITLE.read_order(position, "B", hold())])
    assert answers[0].question == "retreat-turn-1-A-people-rebellion_1-1"
