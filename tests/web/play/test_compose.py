"""Several moves in one request, composed on a board, and their film."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from campaign import services
from campaign.log import positions, selectors
from tests.alone import Alone, alone, patience
from tests.web.grand_table import GrandTable
from web.frame import throttle

__all__ = ["alone", "patience"]
pytestmark = pytest.mark.django_db


def send(
    alone: Alone,
    *moves: dict[str, Any],
    client: Client | None = None,
    seen: int | None = None,
    **more: Any,
) -> Any:
    body = {"seen": alone.seen if seen is None else seen, "moves": list(moves), **more}
    return (client or alone.client).post(
        alone.home + "moves/", json.dumps(body), content_type="application/json"
    )


REST, DIG, PASS = {"move": "rest"}, {"move": "dig", "depth": 1}, {"move": "pass"}


def test_moves_are_made_in_order_with_their_results(alone: Alone) -> None:
    with CaptureQueriesContext(connection) as queries:
        answer = send(alone, REST, PASS, PASS)
    shown = answer.json()
    assert (answer.status_code, shown["played"], shown["left"], shown["why"], shown["first"]) == (
        200,
        3,
        [],
        None,
        3,
    )
    assert alone.content() == ["begin", "rest", "pass", "pass"]
    assert [frame["intro"] for frame in shown["frames"]] == [
        "from 5 gold: rest",
        "from 5 gold: pass",
        "from 5 gold: pass",
    ]
    assert [len(frame["dice"]) for frame in shown["frames"]] == [0, 1, 0]
    assert shown["frames"][2]["at"] == 5
    assert f'<input type="hidden" name="seen" value="{shown["seen"]}">' in shown["page"]
    assert "<title>Year 2 · The Hill · Tabula</title>" in shown["page"]
    assert len(queries) < 120


def test_it_stops_at_the_first_that_is_refused(alone: Alone) -> None:
    shown = send(alone, REST, {"move": "dig", "depth": 7}, PASS).json()
    assert shown["played"] == 1
    assert shown["left"] == [{"move": "dig", "depth": 7}, PASS]
    assert shown["why"]["rule"] == "1"
    assert alone.content() == ["begin", "rest"]
    refused = send(alone, REST)
    assert (refused.status_code, refused.json()["played"], refused.json()["left"]) == (
        422,
        0,
        [REST],
    )
    assert alone.content() == ["begin", "rest"]


def test_it_stops_after_a_die_where_that_is_chosen(alone: Alone) -> None:
    shown = send(alone, REST, PASS, PASS, stop=["dice"], then="on").json()
    assert (shown["played"], shown["left"], shown["stopped"]) == (2, [PASS], "A die was thrown.")
    assert alone.content() == ["begin", "rest", "pass"]


def test_it_goes_on_by_itself_afterwards(alone: Alone) -> None:
    shown = send(alone, REST, then="on").json()
    assert alone.content() == ["begin", "rest", "pass", "pass"]
    assert [frame["at"] for frame in shown["frames"]] == [3, 4, 5]
    again = send(alone, {"move": "dig", "depth": 7}, then="on").json()
    assert again["played"] == 0
    assert alone.content() == ["begin", "rest", "pass", "pass"]


def test_moves_that_are_sent_twice_are_made_once(alone: Alone) -> None:
    old = alone.seen
    send(alone, REST)
    answer = send(alone, REST, seen=old)
    shown = answer.json()
    assert (answer.status_code, shown["why"], shown["played"], shown["left"]) == (200, None, 1, [])
    assert [frame["intro"] for frame in shown["frames"]] == ["from 5 gold: rest"]
    assert alone.content() == ["begin", "rest"]


def test_after_a_lost_answer_the_rest_of_the_moves_is_made(alone: Alone) -> None:
    old = alone.seen
    send(alone, REST)
    shown = send(alone, REST, PASS, seen=old).json()
    assert (shown["why"], shown["played"], shown["left"]) == (None, 2, [])
    assert alone.content() == ["begin", "rest", "pass"]


def test_a_move_that_has_become_impossible_says_why(alone: Alone) -> None:
    old = alone.seen
    send(alone, REST)
    deep = {"move": "dig", "depth": 7}
    answer = send(alone, deep, seen=old)
    shown = answer.json()
    assert (answer.status_code, shown["why"]["code"]) == (409, "table-moved-on")
    assert shown["why"]["sentence"].startswith(
        "The table has moved on since you loaded this page: your move is no longer possible. "
    )
    assert shown["left"] == [deep]
    assert alone.content() == ["begin", "rest"]


def test_playing_on_means_the_same_after_some_of_the_automatic_moves(alone: Alone) -> None:
    send(alone, REST)
    old = alone.seen
    send(alone, then="step")
    assert alone.content() == ["begin", "rest", "pass"]
    answer = send(alone, seen=old, then="on")
    assert (answer.status_code, answer.json()["why"]) == (200, None)
    assert [frame["at"] for frame in answer.json()["frames"]] == [4, 5]
    assert alone.content() == ["begin", "rest", "pass", "pass"]


def test_no_program_is_asked_to_play_from_an_old_page(alone: Alone) -> None:
    old = alone.seen
    send(alone, REST)
    answer = send(alone, seen=old, then="end")
    assert (answer.status_code, answer.json()["why"]["code"]) == (409, "table-moved-on")
    assert alone.content() == ["begin", "rest"]


BROKEN = [
    "",
    "[]",
    "{}",
    '{"seen": "2"}',
    '{"seen": 2, "moves": {}}',
    '{"seen": 2, "moves": [3]}',
    '{"seen": 2, "moves": [{}]}',
    '{"seen": 2, "moves": [], "then": "fly"}',
    '{"seen": 2, "moves": [], "stop": "dice"}',
    '{"seen": 2, "moves": [], "x": 1}',
    '{"seen": 2, "moves": [{"move": "\\ud800"}]}',
    json.dumps({"seen": 2, "moves": [REST] * 61}),
    json.dumps({"seen": 2, "moves": [{"move": "x" * 70_000}]}),
]


@pytest.mark.parametrize("body", BROKEN)
def test_a_malformed_request_is_refused(alone: Alone, body: str) -> None:
    answer = alone.client.post(alone.home + "moves/", body, content_type="application/json")
    assert (answer.status_code, answer.json()["why"]["code"]) == (400, "malformed")
    assert alone.content() == ["begin"]


def test_only_the_player_sends_moves(alone: Alone, person: Callable[..., Any]) -> None:
    """Owner, stranger and anonymous reader; a browser of another site.

    The address without a form.
    """
    other, careful = Client(), Client(enforce_csrf_checks=True)
    other.force_login(person("Sid"))
    careful.force_login(alone.user)
    assert send(alone, REST, client=other).status_code == 403
    assert send(alone, REST, client=Client()).status_code == 302
    assert send(alone, REST, client=careful).status_code == 403
    assert alone.client.get(alone.home + "moves/").status_code == 302
    assert alone.content() == ["begin"]
    assert [
        client.get(alone.home + "film/?since=0").status_code
        for client in (alone.client, other, Client())
    ] == [200] * 3


def test_the_five_at_a_table_of_two(person: Callable[..., Any]) -> None:
    """Tetrarchia for two players.

    The five are the game master, who plays neither, East, whose turn it is, West, a stranger, and
    an anonymous reader.
    """
    people = {
        "gm": person("Marozia"),
        "hun": person("Ingrid"),
        "roman": person("Benedetto"),
        "stranger": person("Sid"),
    }
    campaign = services.found_campaign(
        people["gm"], "tetrarchia", "Two halves", "standard", {"players": 2}, seed="0" * 64
    )
    for who, seat in (("hun", "east"), ("roman", "west")):
        _, token = services.invite(campaign, people["gm"], seat)
        services.take_seat(people[who], token)
    campaign.refresh_from_db()
    grand_table = GrandTable(campaign, people)
    grand_table.play("gm", "begin")
    fleets = {"move": "place_fleets", "zones": ["atlanticum", "internum"]}

    def tried(who: str, move: dict[str, Any]) -> tuple[int, Any]:
        body = json.dumps(
            {"seen": selectors.seen(grand_table.campaign, people.get(who)), "moves": [move]}
        )
        answer = grand_table.clients[who].post(
            grand_table.home + "moves/", body, content_type="application/json"
        )
        grand_table.campaign.refresh_from_db()
        return answer.status_code, (
            answer.json()["played"]
            if answer.status_code
            in (
                200,
                422,
            )
            else None
        )

    as_east = {"by": "east", **fleets}
    assert [tried(who, as_east) for who in ("roman", "stranger", "nobody")] == [
        (403, None),
        (403, None),
        (302, None),
    ]
    assert tried("hun", as_east) == (200, 1)
    assert tried("roman", {"move": "end_turn"}) == (422, 0)
    assert tried("gm", {"by": "east", "move": "enter", "at": "roma"}) == (200, 1)
    assert [entry.content["by"] for entry in positions.moves_in_force(campaign)] == [
        "gm",
        "east",
        "gm",
    ]


def test_the_server_predicts_the_board_of_a_plan(person: Callable[..., Any]) -> None:
    """The server judges and prices planned moves without writing any of them.

    A die ends the plan.
    """
    user = person("Ada")
    campaign = services.found_campaign(
        user, "tetrarchia", "The night", "standard", {}, seed="b" * 64
    )
    alone = Alone(campaign, user)
    send(alone, {"move": "place_fleets", "zones": ["internum", "aegaeum"]})
    enter, end = (
        {"by": "tetrarchy", "move": "enter", "at": "roma"},
        {"by": "tetrarchy", "move": "end_turn"},
    )
    before = alone.client.get(alone.home + "film/?since=0").json()["board"]
    assert (before["stage"], before["tokens"]) == ("setup", {})
    answer = send(alone, enter, plan=True)
    shown = answer.json()
    assert (answer.status_code, shown["count"], shown["why"], shown["board"]["title"]) == (
        200,
        1,
        None,
        "Diocletian in ROMA, 6 IP, 4 tokens",
    )
    march = next(iter(shown["board"]["go"].values()))
    further = send(alone, enter, *march["moves"], plan=True).json()
    assert (further["count"], further["board"]["ip"]) == (2, 6 - march["cost"])
    refused = send(alone, enter, end, plan=True)
    assert (refused.status_code, refused.json()["count"], refused.json()["why"]["code"]) == (
        422,
        1,
        "no-dice",
    )
    other = Client()
    other.force_login(person("Sid"))
    assert send(alone, enter, client=other, plan=True).status_code == 403
    assert alone.content() == ["begin", "place_fleets"]


def test_a_title_without_a_board_plans_nothing(alone: Alone) -> None:
    assert send(alone, REST, plan=True).status_code == 404


def test_too_many_requests_are_refused(alone: Alone, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(throttle, "MOVES", throttle.Limit("moves", address=0, person=1))
    cache.clear()
    assert send(alone, REST).status_code == 200
    answer = send(alone, PASS)
    assert (answer.status_code, answer.json()["why"]["code"]) == (429, "throttled")
    assert alone.content() == ["begin", "rest"]


def test_a_stretch_of_the_log_as_a_film(alone: Alone) -> None:
    send(alone, REST, PASS, PASS)
    shown = alone.client.get(alone.home + "film/?since=2&to=4").json()
    assert [(frame["at"], frame["intro"]) for frame in shown["frames"]] == [
        (3, "from 5 gold: rest"),
        (4, "from 5 gold: pass"),
    ]
    assert alone.client.get(alone.home + "film/?since=99").json()["frames"] == []
    for wrong in ("", "?since=x", "?since=1&to=y"):
        assert alone.client.get(alone.home + "film/" + wrong).status_code == 404
