"""Hidden hands and the game master: closed until opened, with a log that the holder reads."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from campaign.log import selectors
from campaign.models import AccessLogEntry
from tests.web.contests import visible_text
from tests.web.grand_table import WHO, GrandTable, new_campaign

__all__ = ["new_campaign"]

pytestmark = pytest.mark.django_db


@pytest.fixture
def hidden(new_campaign: Callable[..., GrandTable]) -> GrandTable:
    table = new_campaign(hands="hidden")
    table.play("gm", "start")
    table.slot_to("huns")
    return table


def card(table: GrandTable, seat: str) -> str:
    """Return the name of the card that this nation drew, as pages have it."""
    key: str = selectors.position(table.campaign).nations[seat].hand[0]
    return {"spy": "Spy", "traitor": "Traitor"}[key]


def kept(table: GrandTable) -> list[tuple[str, str, int]]:
    return [
        (entry.seat, entry.ways, entry.count)
        for entry in AccessLogEntry.objects.filter(campaign=table.campaign).order_by("seat")
    ]


def test_a_hand_is_opened_by_a_click_that_its_holder_reads(hidden: GrandTable) -> None:
    page = hidden.text("gm", "n/huns/")
    assert card(hidden, "huns") not in page
    assert (
        "Ingrid can see that you looked, and when. The hand stays open to you for an hour."
        in visible_text(hidden.get("gm", "n/huns/"))
    )
    for path in ("log/", "dice/", "desk/", "", "battles/", "n/vandals/"):
        hidden.get("gm", path)
    assert hidden.get("gm", "n/huns/look/").status_code == 303
    assert kept(hidden) == []
    assert (
        visible_text(hidden.get("hun", "n/huns/looks/")).count("No one but you has seen it.") == 1
    )
    answer = hidden.post("gm", "n/huns/look/")
    assert (answer.status_code, answer["Location"]) == (303, hidden.home + "n/huns/")
    assert card(hidden, "huns") in hidden.text("gm", "n/huns/")
    assert "Moves for the Huns" in visible_text(hidden.get("gm", "n/huns/"))
    assert card(hidden, "romans") not in hidden.text("gm", "n/romans/")
    hidden.get("gm", "n/huns/")
    assert kept(hidden) == [("huns", "hand", 1)]
    assert "Marozia" in hidden.text("hun", "n/huns/looks/")
    assert "opened the hand on its page" in visible_text(hidden.get("hun", "n/huns/looks/"))
    assert "Your looks at this hand" in visible_text(hidden.get("gm", "n/huns/looks/"))
    assert hidden.statuses("n/huns/looks/") == {
        "gm": 200,
        "hun": 200,
        "roman": 403,
        "stranger": 403,
        "nobody": 302,
    }
    hidden.post("gm", "n/huns/look/", do="close")
    assert card(hidden, "huns") not in hidden.text("gm", "n/huns/")


def test_the_dice_page_offers_record_and_pack_and_says_that_they_are_a_look(
    hidden: GrandTable,
) -> None:
    page = visible_text(hidden.get("gm", "dice/"))
    assert "Audit pack (zip)" in page
    assert "Each holder can read that you downloaded them" in page
    for who in ("hun", "nobody"):
        page = visible_text(hidden.get(who, "dice/"))
        assert "Audit pack (zip)" not in page
        assert "appear here once the campaign has ended" in page


def test_these_users_may_look_and_are_redirected(hidden: GrandTable) -> None:
    assert [hidden.post(who, "n/huns/look/").status_code for who in WHO] == [
        303,
        403,
        403,
        403,
        302,
    ]
    assert (
        hidden.post("gm", "n/huns/look/", back=hidden.home + "log/")["Location"]
        == hidden.home + "log/"
    )
    for back in ("https://elsewhere.example/", "//elsewhere.example/", "/c/aaaaaaaa/", "/me/"):
        assert hidden.post("gm", "n/huns/look/", back=back)["Location"] == hidden.home + "n/huns/"
    for nowhere in ("n/gm/look/", "n/nobody/look/", "n/gm/looks/", "n/nobody/looks/"):
        assert hidden.post("gm", nowhere).status_code in (404, 405)


def test_a_card_is_corrected_in_an_open_hand_only(hidden: GrandTable) -> None:
    asked = {"fix": "discard-card", "nation": "huns"}
    assert "You have not opened this hand" in visible_text(hidden.get("gm", "desk/", **asked))
    assert (
        card(hidden, "huns")
        not in hidden.text("gm", "desk/", **asked).split('id="undo"')[0].split('id="fix"')[1]
    )
    form = {"do": "correct", "seen": str(hidden.seen("gm")), "card": "spy", "reason": "x", **asked}
    assert "Open it first." in visible_text(hidden.post("gm", "desk/", **form))
    hidden.post("gm", "n/huns/look/")
    assert card(hidden, "huns") in hidden.text("gm", "desk/", **asked)


def test_taking_the_record_and_reading_orders_are_looks(hidden: GrandTable) -> None:
    client = hidden.clients["gm"]
    assert (
        client.get(hidden.home + "record.json", headers={"Sec-Purpose": "prefetch"}).status_code
        == 503
    )
    assert (
        client.get(hidden.home + "n/huns/standing/", headers={"Purpose": "prefetch"}).status_code
        == 503
    )
    assert kept(hidden) == []
    for _ in range(2):
        assert hidden.get("gm", "record.json").status_code == 200
    assert hidden.get("gm", "n/huns/standing/").status_code == 200
    assert hidden.get("hun", "n/huns/standing/").status_code == 200
    assert kept(hidden) == [("huns", "orders,record", 2), ("romans", "record", 1)]


def test_moving_for_a_nation_is_a_look(hidden: GrandTable) -> None:
    hidden.post(
        "gm",
        "move/",
        move="end-slot",
        offer="end-slot",
        **{"for": "huns"},
        seen=str(hidden.seen("gm")),
        sure="1",
    )
    assert hidden.campaign.active_seat == "huns"  # of the campaign as it was loaded
    assert kept(hidden) == [("huns", "move", 1)]


def test_with_open_hands_no_looks_are_logged_and_the_page_says_so(
    new_campaign: Callable[..., GrandTable],
) -> None:
    table = new_campaign()
    table.play("gm", "start")
    assert "You have not opened this hand" not in table.text("gm", "n/huns/")
    table.post("gm", "n/huns/look/")
    assert table.get("gm", "record.json").status_code == 200
    assert kept(table) == []
    assert "Nothing is recorded here: hands are open to everyone." in visible_text(
        table.get("hun", "n/huns/looks/")
    )


def test_queries(hidden: GrandTable, django_assert_max_num_queries: Any) -> None:
    hidden.post("gm", "n/huns/look/")
    for who, path in (
        ("gm", "n/huns/"),
        ("gm", "n/romans/"),
        ("gm", "n/huns/looks/"),
        ("hun", "n/huns/looks/"),
        ("gm", "log/"),
    ):
        hidden.get(who, path)
        with django_assert_max_num_queries(12, info=f"{who} {path}"):
            assert hidden.get(who, path).status_code == 200, path


def test_corrections_do_not_reveal_a_closed_hand(hidden: GrandTable) -> None:
    """Refusals of corrections depend on the hand, so every form requires that it is open."""
    form = {
        "seat": "gm",
        "offer": "discard-card",
        "move": "discard-card",
        "nation": "huns",
        "reason": "x",
        "sure": "1",
    }
    typed = {"text": "discard-card nation=huns card=assassin reason=x", "seat": "gm"}
    before = hidden.seen("gm")
    for path in ("preview/", "move/"):
        for guess in ("", card(hidden, "huns").lower(), "assassin"):
            answer = hidden.post("gm", path, **form, card=guess, seen=str(before))
            assert (answer.status_code, "Open it first." in visible_text(answer)) == (403, True), (
                path,
                guess,
            )
    assert hidden.post("gm", "preview/", seat="gm", offer="discard-card").status_code in (200, 403)
    for text in (typed["text"], typed["text"].replace("assassin", "spy")):
        answer = hidden.post("gm", "orders/", **{**typed, "text": text})
        assert "Open it first." in visible_text(answer)
        assert "do not hold" not in visible_text(answer)
    assert (hidden.seen("gm"), kept(hidden)) == (before, [])
    hidden.post("gm", "n/huns/look/")
    assert "The Huns do not hold Assassin." in visible_text(hidden.post("gm", "orders/", **typed))
    assert card(hidden, "huns") in visible_text(hidden.post("gm", "preview/", **form))
