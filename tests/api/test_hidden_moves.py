"""Moves against hidden hands: the answers do not depend on the hidden cards (HOUSE, Secrets; 4.2).

test_hidden.py compares the addresses that are read.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.db import transaction

from api import authentication
from campaign import services
from campaign.log import positions
from campaign.models import AccessLogEntry
from tests.web.grand_table import GrandTable
from tests.web.seats.test_hidden_hands import (
    STORIES,
    _Snapshot,  # noqa: F401
    answer,
    counters_back,
    differences,
    roll,  # noqa: F401
)

pytestmark = pytest.mark.django_db
Answers = dict[tuple[str, str, str], tuple[Any, ...]]

TRIED: list[dict[str, Any]] = [
    {"move": "play", "card": "spy", "target": "romans"},
    {"move": "play", "card": "spy", "target": "kushans"},
    {"move": "play", "card": "spy", "target": "romans", "steal": "scouts"},
    {"move": "play", "card": "assassin", "target": "romans", "destroy": "spy"},
    {"move": "play", "card": "assassin", "target": "romans", "destroy": "diplomat"},
    {"move": "take", "from": "romans", "card": "spy", "give": "spy"},
    {"by": "romans", "move": "keep", "card": "bodyguard", "value": True},
    {"move": "end-slot"},
]


@pytest.fixture(autouse=True)
def _often(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(authentication.SimpleRateThrottle, "allow_request", lambda *given: True)


def tried(grand_table: GrandTable, api: Any, who: str, seat: str) -> Answers:
    """Return the answers to everything that the user may try.

    Moves are previewed, made with present and past numbers, and taken back.
    """
    program, last_entry, got = api(who), grand_table.seen(who), {}
    for raw in TRIED:
        move = {"by": seat, **raw}
        got[who, "LOOK", str(move)] = answer(program.post("preview/", {"move": move}))
        # A Spy or an Assassin that is played shows its player a card: that they may know.
        shows = raw["move"] == "play" and "steal" not in raw
        for seen in (3,) if shows else (last_entry, 3):
            got[who, "SAY", f"{move} {seen == 3}"] = answer(
                program.post("moves/", {"move": move, "seen": seen})
            )
    got[who, "GET", "undo"] = answer(program.get("undo/"))
    got[who, "UNDO", ""] = answer(program.post("undo/", {"seen": grand_table.seen(who)}))
    got[who, "GET", "then"] = answer(program.get(f"offers/?seat={seat}"))
    return got


def answers_twice(tell: Callable[[bool], tuple[Answers, bytes]]) -> tuple[Answers, Answers]:
    created, own = [], []
    for other in (False, True):
        positions.memory.clear()
        counters_back()
        with transaction.atomic():
            got, secret = tell(other)
            created.append(got)
            own.append(secret)
            transaction.set_rollback(True)
    assert own[0] != own[1], "the two tellings are one: nothing is compared"
    return created[0], created[1]


@pytest.mark.parametrize(
    "name", ["a_bodyguard", pytest.param("a_secret_order", marks=pytest.mark.nightly)]
)
def test_no_one_learns_hidden_cards_by_trying(name: str, new_campaign: Any, programs: Any) -> None:
    def run_story(other: bool) -> tuple[Answers, bytes]:
        grand_table = new_campaign(hands="hidden")
        STORIES[name](grand_table, other)
        api = programs(grand_table)
        secret = api("gm").get("log/?limit=200&hands=open").content
        return (
            tried(grand_table, api, "hun", "huns")
            | tried(grand_table, api, "stranger", "huns")
            | tried(grand_table, api, "nobody", "gm"),
            secret,
        )

    assert differences(*answers_twice(run_story)) == []


@pytest.mark.long
def test_a_playing_game_master_learns_no_more_than_their_seat(
    new_campaign: Any, programs: Any, person: Any
) -> None:
    """They hold the Vandals; their co-game-master sees the difference.

    Programs get the same answers, too.
    """
    co = person("Cosima")

    def run_story(other: bool) -> tuple[Answers, bytes]:
        grand_table = new_campaign(hands="hidden")
        STORIES["another_card_given"](grand_table, other)
        gm = grand_table.people["gm"]
        services.take_seat(co, services.invite_master(grand_table.campaign, gm)[1])
        services.take_seat(gm, services.invite(grand_table.campaign, gm, "vandals")[1])
        grand_table.people = {**grand_table.people, "co": co}
        api = programs(grand_table)
        assert [
            api("gm").get(path).status_code
            for path in ("offers/?seat=romans", "offers/?seat=gm", "record/")
        ] == [403] * 3
        for path, body in (
            ("dice/by-hand/", {"by_hand": True}),
            ("undo/", {"seen": 1, "after": 1, "reason": "A"}),
        ):
            assert api("gm").post(path, body).status_code == 403
        secret = api("co").get("log/?limit=200&hands=open").content
        return tried(grand_table, api, "gm", "vandals") | tried(
            grand_table, api, "gm", "gm"
        ), secret

    assert differences(*answers_twice(run_story)) == []


def test_what_tells_a_game_master_of_a_hand_is_kept_for_its_holder(
    new_campaign: Any, programs: Any
) -> None:
    grand_table = new_campaign(hands="hidden")
    grand_table.play("gm", "start")
    grand_table.slot_to("huns")
    gm = programs(grand_table)("gm")

    def kept() -> list[tuple[str, str, int]]:
        return [
            (access.seat, access.ways, access.count)
            for access in AccessLogEntry.objects.filter(campaign=grand_table.campaign).order_by(
                "seat"
            )
        ]

    asked = "offers/?seat=gm&offer=discard-card&nation=huns"
    for more in ("", "&by=huns", "&for=romans", "&move=adjust"):
        assert gm.get(asked + more).json()["code"] == "closed-hand", more
    assert gm.get(asked.replace("huns", "vandals")).json()["offers"][0]["fields"][1]["values"], (
        "nobody holds the Vandals"
    )
    assert kept() == []
    card = {"move": "discard-card", "nation": "romans", "card": "assassin", "reason": "x"}
    for n, raw in enumerate(
        ({"move": "end-slot", "for": "huns"}, {"by": "gm", "move": "end-slot", "for": "huns"})
    ):
        assert gm.post("preview/", {"move": raw}).status_code == 200
        assert kept() == [("huns", "move", n + 1)]
    assert gm.post("preview/", {"move": card}).json()["code"] == "no-such-card"
    assert (
        gm.post(
            "moves/", {"move": {"by": "gm", **card}, "seen": grand_table.seen("gm")}
        ).status_code
        == 422
    )
    assert kept() == [("huns", "move", 2), ("romans", "move", 2)]
    assert gm.get(asked + "&hands=open").json()["offers"][0]["fields"][1]["values"]
    assert kept() == [("huns", "api,move", 3), ("romans", "api,move", 3)]
