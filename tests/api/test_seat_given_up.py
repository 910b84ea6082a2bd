"""Game masters who give up a seat and take it again, and learn no message and no hidden hand."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from campaign import founding, services
from campaign.errors import NotAllowed
from campaign.log import selectors
from campaign.log.talk import talk
from tests.api.conftest import Program
from tests.web.grand_table import GrandTable, new_campaign

__all__ = ["new_campaign"]
pytestmark = pytest.mark.django_db
Api = Callable[..., Program]

PAGES = (
    *("", "log/", "talk/", "press/", "about/", "seats/", "n/romans/", "n/romans/looks/", "ledger/"),
    *("battles/", "dice/", "undo/", "desk/", "clocks/", "history/"),
)
"""The pages that a game master opens."""
HAND = ["spy", "traitor"]
"""The hand of the Romans: a Traitor of the start, and the Spy that they are dealt."""


def texts(program: Program) -> list[str]:
    """Every message that this reader is shown."""
    threads = program.get("messages/").json()["results"]
    return [
        row["text"]
        for thread in threads
        for row in program.get(f"messages/{thread['key']}/").json()["results"]
    ]


def take(program: Program, seat: str) -> Any:
    """Invite yourself to the seat and take it."""
    link = program.post("invitations/", {"seat": seat, "uses": 1}).json()["link"]
    return program.post(
        "/api/v1/invitations/", {"token": link.rstrip("/").rsplit("/", 1)[1], "seat": seat}
    )


def give_up(program: Program, seat: str) -> None:
    assert program.post("people/acts/", {"act": "vacate", "seat": seat}).status_code == 201


def test_messages_written_while_you_led_a_nation_stay_closed(
    grand_table: GrandTable, api: Api
) -> None:
    founding.change_sight(grand_table.campaign, grand_table.people["gm"], founding.SIGHT_ALL)
    gm, hun = api("gm"), api("hun")
    assert (
        hun.post(
            "messages/", {"to": ["romans"], "text": "The game master leads no one."}
        ).status_code
        == 201
    )
    assert texts(gm) == ["The game master leads no one."]
    assert take(gm, "sassanids").status_code == 201
    assert (
        hun.post("messages/", {"to": ["romans"], "text": "Against the Sassanids."}).status_code
        == 201
    )
    assert hun.post("messages/", {"to": ["sassanids"], "text": "To you."}).status_code == 201
    assert texts(gm) == ["To you."], "who leads a nation reads like a player"
    give_up(gm, "sassanids")
    assert texts(gm) == ["The game master leads no one."]
    assert (
        hun.post("messages/", {"to": ["romans"], "text": "Now they lead no one again."}).status_code
        == 201
    )
    assert texts(gm) == ["Now they lead no one again.", "The game master leads no one."]
    assert take(gm, "sassanids").status_code == 201
    assert texts(gm) == ["To you."], (
        "what was written to them while they held the seat, and nothing of between"
    )
    acts = [
        row["said"]
        for row in api("nobody").get("log/?kind=table").json()["results"]
        if row["act"] == "seat"
    ]
    assert [(act["how"], act["seat"]) for act in acts][:3] == [
        ("taken", "sassanids"),
        ("left", "sassanids"),
        ("taken", "sassanids"),
    ]


@pytest.fixture
def hidden(new_campaign: Callable[..., GrandTable]) -> GrandTable:
    """Return a started campaign of hidden hands, whose game master leads the Vandals.

    Sid is co-game-master and leads no nation.
    """
    table = new_campaign(hands="hidden")
    gm = table.people["gm"]
    services.take_seat(table.people["stranger"], services.invite_master(table.campaign, gm)[1])
    services.take_seat(gm, services.invite(table.campaign, gm, "vandals")[1])
    deal(table, {"move": "start"})
    return table


def deal(table: GrandTable, move: dict[str, Any]) -> None:
    """The co-game-master makes a move."""
    sid = table.people["stranger"]
    services.play(table.campaign, sid, {"by": "gm", **move}, selectors.seen(table.campaign, sid))
    table.campaign.refresh_from_db()


def cards(program: Program, seat: str) -> list[str]:
    """The cards of this seat's hand that the reader is shown, with all hands that they may open."""
    nation = program.get(f"nations/{seat}/?hands=open").json()
    return sorted(card["item"] for card in nation["cards"])


def test_hidden_hands_stay_closed_to_a_game_master_who_gave_a_seat_up(
    hidden: GrandTable, programs: Any
) -> None:
    api = programs(hidden)
    deal(hidden, {"move": "give-card", "nation": "romans", "card": "spy", "reason": "The draw."})
    gm, co = api("gm"), api("stranger")
    assert (cards(co, "romans"), cards(gm, "romans"), cards(api("hun"), "romans")) == (HAND, [], [])
    give_up(gm, "vandals")
    assert cards(gm, "romans") == []
    assert hidden.post("gm", "n/romans/look/").status_code == 403
    assert "Spy" not in hidden.text("gm", "n/romans/")
    with pytest.raises(NotAllowed, match="You hold or have held a seat here"):
        services.play(
            hidden.campaign,
            hidden.people["gm"],
            {"by": "gm", "move": "end-slot", "for": "romans"},
            hidden.seen("gm"),
        )
    assert [
        (page, hidden.get("gm", page).status_code)
        for page in PAGES
        if hidden.get("gm", page).status_code >= 500
    ] == []
    assert hidden.get("gm").status_code == hidden.get("gm", "seats/").status_code == 200
    assert (
        gm.post("messages/", {"to": ["*"], "text": "I have given up the Vandals."}).status_code
        == 201
    )
    assert (
        gm.post("press/", {"headline": "The Vandals", "text": "They are free."}).status_code == 201
    )
    assert talk(hidden.campaign, hidden.people["gm"], "The seat is free.").seat == "gm"
    assert take(gm, "vandals").status_code == 201
    assert cards(gm, "romans") == []


def test_the_last_game_master_sees_all_hands_and_holds_no_seat_again(
    hidden: GrandTable, programs: Any
) -> None:
    api = programs(hidden)
    deal(hidden, {"move": "give-card", "nation": "romans", "card": "spy", "reason": "The draw."})
    gm, sid = hidden.people["gm"], hidden.people["stranger"]
    give_up(api("gm"), "vandals")
    services.leave_masters(hidden.campaign, sid, sid)
    assert cards(api("gm"), "romans") == HAND, "the campaign needs a game master who sees all hands"
    services.take_seat(sid, services.invite_master(hidden.campaign, gm)[1])
    assert cards(api("gm"), "romans") == []
    again = take(api("gm"), "vandals")
    assert (again.status_code, again.json()["code"]) == (400, "seen-all-hands")


def test_who_gave_a_seat_up_before_the_start_sees_all_hands(
    new_campaign: Callable[..., GrandTable], programs: Any
) -> None:
    table = new_campaign(hands="hidden")
    gm, sid = table.people["gm"], table.people["stranger"]
    services.take_seat(sid, services.invite_master(table.campaign, gm)[1])
    services.take_seat(gm, services.invite(table.campaign, gm, "vandals")[1])
    services.vacate(table.campaign, gm, "vandals")
    table.play("gm", "start")
    table.play("gm", "give-card", nation="romans", card="spy", reason="The draw.")
    assert cards(programs(table)("gm"), "romans") == HAND
