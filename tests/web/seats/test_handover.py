"""Notes and the hand-over page, as users meet them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from campaign import services
from campaign.log import selectors
from tests.web.contests import challenge, visible_text
from tests.web.grand_table import GrandTable, draft, grand_table, new_campaign

__all__ = ["challenge", "draft", "grand_table", "new_campaign"]

pytestmark = pytest.mark.django_db
NOTES = "n/huns/notes/"
PAGE = "n/huns/handover/"
TEXT = "Do not trust <i>the Romans</i>.\n\nThe truce ends in turn 3."


def write(table: GrandTable, who: str = "hun", **data: str) -> Any:
    return table.post(who, NOTES, **{"text": TEXT, "left": "1", "version": "0", **data})


def give(table: GrandTable) -> str:
    """Give the Hun's seat to Sid by a link, and return the page to which Sid is redirected."""
    _, token = services.hand_over_link(table.campaign, table.people["hun"], "huns")
    table.get("stranger", f"/join/{token}/")
    return str(table.post("stranger", "/join/")["Location"])


def test_notes_are_written_and_read_by_the_holder_alone(grand_table: GrandTable) -> None:
    assert f'href="{grand_table.home}{NOTES}">Notes</a>' in grand_table.text("hun", "n/huns/")
    assert f'href="{grand_table.home}{NOTES}"' in grand_table.text("hun", "about/")
    assert write(grand_table)["Location"] == grand_table.home + NOTES
    page = grand_table.text("hun", NOTES)
    assert "Do not trust &lt;i&gt;the Romans&lt;/i&gt;." in page
    assert 'name="left" value="1" checked' in page
    assert grand_table.statuses(NOTES) == {
        "gm": 403,
        "hun": 200,
        "roman": 403,
        "stranger": 403,
        "nobody": 302,
    }
    assert grand_table.statuses("n/romans/notes/")["hun"] == 403
    assert (
        grand_table.statuses("n/gm/notes/")["hun"]
        == grand_table.statuses("n/nowhere/notes/")["hun"]
        == 404
    )
    assert NOTES not in grand_table.text("gm", "n/huns/")


def test_of_two_windows_neither_text_is_lost(grand_table: GrandTable) -> None:
    write(grand_table)
    answer = write(grand_table, text="From the other window.", version="0")
    assert answer.status_code == 409
    assert (
        "The notes were changed in another window. Below is the text saved there."
        in visible_text(answer)
    )
    page = answer.content.decode()
    assert ">From the other window.</textarea>" in page
    assert "The truce ends in turn 3." in page
    assert write(grand_table, text="Both.", version="1").status_code == 302


@pytest.mark.parametrize("data", [{"text": "x" * 10_001}, {"text": "a\x00b"}])
def test_notes_that_cannot_be_saved_stay_in_the_form(
    grand_table: GrandTable, data: dict[str, str]
) -> None:
    answer = write(grand_table, **data)
    assert answer.status_code == 422
    assert "Notes can have up to 10000 printable characters." in visible_text(answer)


def test_the_successor_is_introduced(challenge: GrandTable) -> None:
    """The link and a notice lead to the page with notes, battles and events.

    It is offered until the successor dismisses it.
    """
    write(challenge)
    assert give(challenge) == challenge.home + PAGE
    page = visible_text(challenge.get("stranger", PAGE))
    assert "Ingrid held it until" in page
    assert "What Ingrid left for you" in page
    assert "Do not trust &lt;i&gt;the Romans&lt;/i&gt;." in challenge.text("stranger", PAGE)
    for part in (
        "The position Huns",
        "Hand",
        "Open battles and challenges",
        "#1",
        "Your deadlines",
        "Your tasks",
    ):
        assert part in page, part
    for path in ("", "n/huns/"):
        assert "The seat of the Huns is yours" in visible_text(challenge.get("stranger", path)), (
            path
        )
    assert "The seat of the Huns is yours" not in visible_text(
        challenge.get("stranger", "n/romans/")
    )
    assert challenge.post("stranger", PAGE)["Location"] == challenge.home + "n/huns/"
    for path in ("", "n/huns/"):
        assert "The seat of the Huns is yours" not in visible_text(
            challenge.get("stranger", path)
        ), path
    assert "What Ingrid left for you" in visible_text(challenge.get("stranger", PAGE))


@pytest.mark.long
def test_only_the_holder_sees_the_hand_over_page(grand_table: GrandTable) -> None:
    write(grand_table)
    give(grand_table)
    assert grand_table.statuses(PAGE) == {
        "gm": 403,
        "hun": 403,
        "roman": 403,
        "stranger": 200,
        "nobody": 302,
    }
    assert grand_table.statuses(NOTES) == {
        "gm": 403,
        "hun": 403,
        "roman": 403,
        "stranger": 200,
        "nobody": 302,
    }
    assert grand_table.post("hun", NOTES, text="x", version="1").status_code == 403
    assert grand_table.post("hun", PAGE).status_code == 403
    assert "truce ends" not in grand_table.text("stranger", NOTES)
    for who in ("gm", "hun", "roman", "nobody"):
        for path in ("", "n/huns/", "log/", "about/", "record.json"):
            assert "truce ends" not in grand_table.text(who, path), (who, path)
    assert (
        grand_table.get("roman", "n/romans/handover/")["Location"] == grand_table.home + "n/romans/"
    )


def test_a_notice_leads_to_it(grand_table: GrandTable) -> None:
    services.join_waiting_list(grand_table.campaign, grand_table.people["stranger"])
    services.vacate(grand_table.campaign, grand_table.people["hun"], "huns")
    services.seat_reserve(
        grand_table.campaign, grand_table.people["gm"], grand_table.people["stranger"].pk, "huns"
    )
    notice = grand_table.people["stranger"].notices.get(kind="seat-given")
    assert (
        grand_table.get("stranger", f"/notices/{notice.pk}/")["Location"] == grand_table.home + PAGE
    )
    assert "No notes were left for you." in visible_text(grand_table.get("stranger", PAGE))


def test_before_the_start_a_notice_leads_to_the_table(
    draft: GrandTable, person: Callable[..., Any]
) -> None:
    services.join_waiting_list(draft.campaign, draft.people["stranger"])
    services.seat_reserve(
        draft.campaign, draft.people["gm"], draft.people["stranger"].pk, "vandals"
    )
    assert draft.get("stranger", "n/vandals/handover/")["Location"] == draft.home


def test_the_page_lists_events_since_a_turn(grand_table: GrandTable) -> None:
    grand_table.clients["hun"].post(
        grand_table.home + "move/",
        {
            "offer": "end-slot",
            "move": "end-slot",
            "seat": "huns",
            "sure": "1",
            "seen": str(grand_table.seen("hun")),
        },
    )
    grand_table.campaign.refresh_from_db()
    grand_table.play(
        "gm", "adjust", nation="huns", account="prestige", change=1, reason="A correction."
    )
    give(grand_table)
    page = visible_text(grand_table.get("stranger", PAGE))
    assert "Since Ingrid’s last move 2 entries, newest first" in page
    whole = visible_text(grand_table.get("stranger", PAGE, turn="1"))
    assert "What happened" in whole
    assert "end their turn" in whole
    for odd in ("0", "99", "x", "1e3", "-1"):
        assert grand_table.get("stranger", PAGE, turn=odd).status_code == 200


def test_the_page_needs_at_most_twelve_queries(challenge: GrandTable) -> None:
    write(challenge)
    give(challenge)
    for path in (PAGE, NOTES):
        challenge.get("stranger", path)
        with CaptureQueriesContext(
            connection,
        ) as asked:
            challenge.get("stranger", path)
        assert len(asked) <= 12, "\n".join(query["sql"][:1600] for query in asked)


def test_the_leavers_standing_orders_are_shown_and_end(grand_table: GrandTable) -> None:
    order = {"kind": "answer", "provinces": [], "choice": "accept", "cards": []}
    services.give_order(
        grand_table.campaign, grand_table.people["hun"], "huns", 0, order, "at-once"
    )
    give(grand_table)
    page = visible_text(grand_table.get("stranger", PAGE))
    assert "Previous standing orders" in page
    assert (
        "These were the orders of Ingrid. They ended with the hand-over. Give your own orders"
        in page
    )
    assert f'href="{grand_table.home}n/huns/standing/"' in grand_table.text("stranger", PAGE)


def test_in_a_title_with_its_own_page_the_table_leads_to_it(
    new_campaign: Callable[..., GrandTable], person: Callable[..., Any]
) -> None:
    """Tetrarchia for two has notes, a banner on the table, and the page without a nation's data."""
    people = {who: person(f"Person {who}") for who in ("gm", "one", "two", "three")}
    campaign = services.found_campaign(
        people["gm"], "tetrarchia", "The night", "standard", {"players": 2}, seed="b" * 64
    )
    first, second = (seat.key for seat in selectors.seats(campaign))
    for who, seat in (("one", first), ("two", second)):
        services.take_seat(people[who], services.invite(campaign, people["gm"], seat)[1])
    services.write_note(campaign, people["one"], first, TEXT, left=True, version=0)
    services.take_seat(people["three"], services.hand_over_link(campaign, people["one"], first)[1])
    table = GrandTable(campaign, {"gm": people["gm"], "hun": people["three"]})
    home = f"n/{first}/handover/"
    assert "What Person one left for you Your own notes Do not trust" in visible_text(
        table.get("hun", home)
    )
    assert "The hand-over page shows the position" in visible_text(table.get("hun"))
    assert table.post("hun", home)["Location"] == table.home
    assert "The hand-over page shows the position" not in visible_text(table.get("hun"))
    assert table.get("hun", f"n/{first}/notes/").status_code == 200
