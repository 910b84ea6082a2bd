"""Repairs at the game master's desk.

Corrections, undo and restoration, with errors at their fields.
"""

from __future__ import annotations

import re

import pytest

from campaign.log import selectors
from campaign.models import LogEntry
from tests.web.contests import challenge, seen_number, visible_text
from tests.web.desk import (
    REASON,
    current_nation,
    invalid_field_ids,
    last_entry,
    post_correction,
    post_to_desk,
    post_undo,
)
from tests.web.grand_table import GrandTable, draft, grand_table, new_campaign

__all__ = ["challenge", "draft", "grand_table", "new_campaign"]


# Corrections --------------------------------------------------------------------------------------


def test_an_adjustment_shows_its_cascade_and_is_made_with_a_reason(grand_table: GrandTable) -> None:
    grand_table.play("gm", "adjust", nation="romans", account="stability", change=1, reason="even")
    was = current_nation(grand_table).stability
    typed = {"nation": "romans", "account": "stability", "change": str(3 - was)}
    shown = visible_text(post_correction(grand_table, "adjust", look="1", **typed))
    assert (
        f"Romans stability {was} → 3 (no covert attacks) stability at 3 or less §2.1 : prestige"
        " 6 → 5" in shown
    )
    assert current_nation(grand_table).stability == was
    refused = visible_text(post_correction(grand_table, "adjust", reason="", **typed))
    assert (
        f"Romans stability {was} → 3 (no covert attacks) stability at 3 or less §2.1 : prestige"
        " 6 → 5" in refused
    )
    assert post_correction(grand_table, "adjust", reason=REASON, **typed).status_code == 302
    assert (current_nation(grand_table).stability, current_nation(grand_table).prestige) == (3, 5)
    assert last_entry(grand_table).content == {
        "by": "gm",
        "move": "adjust",
        "nation": "romans",
        "account": "stability",
        "change": 3 - was,
        "reason": REASON,
    }


@pytest.mark.parametrize(
    ("fix", "typed"),
    [
        ("adjust", {"nation": "romans", "account": "income", "change": "−50"}),
        ("set-owner", {"province": "dalmatia", "owner": "huns"}),
        ("give-card", {"nation": "romans", "card": "spy"}),
        ("discard-card", {"nation": "romans", "card": "bodyguard"}),
    ],
)
def test_every_correction_needs_a_reason_and_is_made_with_one(
    grand_table: GrandTable, fix: str, typed: dict[str, str]
) -> None:
    grand_table.play("gm", "give-card", nation="romans", card="bodyguard", reason="test")
    before = grand_table.campaign.entries.count()
    for reason in ({}, {"reason": ""}, {"reason": "   "}):
        response = post_correction(grand_table, fix, **typed, **reason)
        assert response.status_code == 422
        assert (
            "A correction needs a reason. Say what it repairs and cite the post."
            in visible_text(response)
        )
        page = response.content.decode()
        for value in typed.values():
            assert (
                f'value="{value}" selected' in page or f'value="{value.replace("−", "-")}"' in page
            )
    assert grand_table.campaign.entries.count() == before
    assert post_correction(grand_table, fix, **typed, reason=REASON).status_code == 302
    assert last_entry(grand_table).content["reason"] == REASON
    assert REASON in visible_text(grand_table.get("nobody", "log/"))


def test_corrections_have_their_announced_effects(grand_table: GrandTable) -> None:
    hand = list(current_nation(grand_table).hand)
    assert (
        post_correction(
            grand_table, "give-card", nation="romans", card="spy", reason=REASON
        ).status_code
        == 302
    )
    assert sorted(current_nation(grand_table).hand) == sorted([*hand, "spy"])
    assert (
        post_correction(
            grand_table, "discard-card", nation="romans", card="spy", reason=REASON
        ).status_code
        == 302
    )
    assert current_nation(grand_table).hand == hand
    assert (
        post_correction(
            grand_table, "set-owner", province="dalmatia", owner="!nobody", reason=REASON
        ).status_code
        == 302
    )
    current_nation(grand_table)
    assert selectors.position(grand_table.campaign).owner["dalmatia"] is None
    assert (
        post_correction(
            grand_table, "adjust", nation="huns", account="actions", change="0,5", reason=REASON
        ).status_code
        == 302
    )
    assert last_entry(grand_table).content["change"] == 0.5


@pytest.mark.parametrize("change", ["", "0", "many", "1.5", "99999999999", "<i>"])
def test_an_invalid_change_comes_back_as_typed(grand_table: GrandTable, change: str) -> None:
    before = grand_table.campaign.entries.count()
    response = post_correction(
        grand_table, "adjust", nation="vandals", account="army", change=change, reason=REASON
    )
    page = response.content.decode()
    assert response.status_code == 422
    assert '<option value="vandals" selected>' in page
    assert REASON in page
    assert "<i>" not in page
    assert grand_table.campaign.entries.count() == before


def test_a_refusal_names_its_rule(challenge: GrandTable) -> None:
    response = post_correction(
        challenge, "set-owner", province="dalmatia", owner="huns", reason=REASON
    )
    assert response.status_code == 422
    assert "Dalmatia is under attack. §13" in visible_text(response)
    response = post_correction(
        challenge, "adjust", nation="romans", account="actions", change="1", reason=REASON
    )
    assert "Actions can be adjusted only during the turn of the Romans. §3.2" in visible_text(
        response
    )


def test_an_address_shows_what_a_correction_would_do(grand_table: GrandTable) -> None:
    text = visible_text(
        grand_table.get("gm", "desk/", fix="adjust", nation="huns", account="income", change="-100")
    )
    assert re.search(r"Huns income \d+t → \d+t", text)


def test_a_card_of_another_nation_gives_way_in_the_form(grand_table: GrandTable) -> None:
    card = current_nation(grand_table, "vandals").hand[0]
    other = next(name for name in ("spy", "traitor", "ambush") if name != card)
    response = grand_table.get("gm", "desk/", fix="discard-card", nation="vandals", card=other)
    page = response.content.decode()
    assert response.status_code == 200
    assert '<option value="vandals" selected>' in page
    assert f'<option value="{card}" selected>' in page


def test_a_correction_that_is_sent_twice_is_made_once(grand_table: GrandTable) -> None:
    old = seen_number(grand_table)
    typed = {"nation": "romans", "account": "army", "change": "40", "reason": REASON}
    answers = [
        post_to_desk(grand_table, "correct", fix="adjust", **typed, seen=old) for _press in range(2)
    ]
    assert [answer.status_code for answer in answers] == [302, 302]
    entries = LogEntry.objects.filter(campaign=grand_table.campaign, kind="move")
    assert [entry.content["move"] for entry in entries].count("adjust") == 1


def test_a_desk_overtaken_keeps_what_was_typed(grand_table: GrandTable) -> None:
    old = seen_number(grand_table)
    grand_table.play("gm", "adjust", nation="romans", account="army", change=10, reason="Post 12")
    typed = {"nation": "romans", "account": "army", "change": "40", "reason": REASON}
    response = post_to_desk(grand_table, "correct", fix="adjust", **typed, seen=old)
    assert response.status_code == 409
    assert "The table has moved on" in visible_text(response)
    assert "“Post 12”" in visible_text(response)
    assert REASON in visible_text(response)


def test_a_correction_without_its_number_names_the_field(grand_table: GrandTable) -> None:
    response = post_correction(
        grand_table, "adjust", nation="vandals", account="army", change="", reason=REASON
    )
    assert response.status_code == 422
    assert invalid_field_ids(response) == ["f-adjust-change"]
    text = visible_text(response)
    assert "Change: enter a number first." in text
    assert "is missing" not in text
    assert REASON in text
    assert '<option value="vandals" selected>' in response.content.decode()
    assert invalid_field_ids(
        post_correction(grand_table, "adjust", nation="romans", account="army", change="50")
    ) == ["f-adjust-reason"]


def test_a_change_that_is_no_number_stays_typed(grand_table: GrandTable) -> None:
    response = post_correction(
        grand_table, "adjust", nation="vandals", account="army", change="many", reason=REASON
    )
    assert 'value="many"' in response.content.decode()


def test_a_reason_has_a_thousand_characters_and_no_more(grand_table: GrandTable) -> None:
    typed = {"nation": "romans", "account": "income", "change": "25"}
    before = grand_table.campaign.entries.count()
    response = post_correction(grand_table, "adjust", **typed, reason="é" * 1001)
    assert response.status_code == 422
    assert invalid_field_ids(response) == ["f-adjust-reason"]
    assert "A reason can have up to 1,000 characters, all of them printable." in visible_text(
        response
    )
    assert "é" * 1001 in response.content.decode()
    assert grand_table.campaign.entries.count() == before
    assert (
        'maxlength="1000"'
        in re.search(r'<textarea[^>]*id="f-adjust-reason"[^>]*>', response.content.decode())[0]
    )
    assert (
        post_correction(grand_table, "adjust", **typed, reason="x" * 998 + "\r\n" + "y").status_code
        == 302
    ), "a line break is one character"
    assert last_entry(grand_table).content["reason"] == "x" * 998 + "\n" + "y"


# Undo ---------------------------------------------------------------------------------------------


def test_the_desk_leads_to_an_undo_and_to_taking_the_last_one_back(grand_table: GrandTable) -> None:
    grand_table.play("huns", "build", structure="hamlets")
    stays = last_entry(grand_table).number
    grand_table.play("huns", "build", structure="shrines")
    grand_table.play("huns", "end-slot")
    assert 'href="?fix=undo#fix">Undo to an entry…</a>' in grand_table.text("gm", "desk/")
    page = grand_table.text("gm", "desk/", fix="undo")
    assert f'<form method="get" action="{grand_table.home}rewind/"' in page
    assert f'<option value="{stays}">{stays} · Huns: build Hamlets' in page
    assert post_undo(grand_table, entry=str(stays), reason=REASON).status_code == 302
    undone = last_entry(grand_table).number
    page = grand_table.text("gm", "desk/", fix="undo")
    assert (
        f"The last undo, entry {undone}, struck 2 entries. No move has been made since then,"
        " so it can be reversed." in visible_text(page)
    )
    assert f'href="{grand_table.home}rewind/?undo={undone}"' in page
    grand_table.play("huns", "build", structure="shrines")
    assert "The last undo" not in visible_text(grand_table.get("gm", "desk/", fix="undo"))
    response = post_undo(grand_table, undo=str(undone), reason=REASON)
    assert response.status_code == 422
    assert "The campaign has moved on since then." in visible_text(response)


@pytest.mark.parametrize("what", ["undo", "restore"])
def test_the_desk_itself_strikes_and_restores_nothing(grand_table: GrandTable, what: str) -> None:
    """Undo and restoration are confirmed only on the page that lists all changes."""
    grand_table.play("huns", "build", structure="hamlets")
    before = last_entry(grand_table)
    if what == "restore":
        post_undo(grand_table, entry=str(before.number - 1), reason=REASON)
        before = last_entry(grand_table)
    number = before.number if what == "restore" else before.number - 1
    assert (
        post_to_desk(
            grand_table, what, entry=str(number), undo=str(number), reason=REASON
        ).status_code
        == 200
    )
    assert last_entry(grand_table) == before


@pytest.mark.parametrize("entry", ["", "x", "-1", "999999999999999999999"])
def test_an_unknown_entry_is_asked_again(grand_table: GrandTable, entry: str) -> None:
    response = post_undo(grand_table, entry=entry, reason=REASON)
    assert response.status_code == 422
    assert "Choose the entry after which everything is struck." in visible_text(response)


def test_undo_and_restore_say_beside_the_reason_that_it_is_missing(grand_table: GrandTable) -> None:
    grand_table.play("huns", "build", structure="hamlets")
    stays = str(last_entry(grand_table).number - 1)
    assert invalid_field_ids(post_undo(grand_table, entry=stays)) == ["f-rewind-reason"]
    assert post_undo(grand_table, entry=stays, reason=REASON).status_code == 302
    refused = post_undo(grand_table, undo=str(last_entry(grand_table).number))
    assert invalid_field_ids(refused) == ["f-rewind-reason"]
    assert visible_text(refused).count("Give a reason in up to 1,000 characters") == 1


def test_before_the_start_there_is_nothing_to_undo(draft: GrandTable) -> None:
    page = draft.text("gm", "desk/", fix="undo")
    assert "There is nothing to undo." in visible_text(page)
    assert 'id="f-entry"' not in page
    assert 'href="?fix=undo#fix">Undo to an entry…</a>' not in page
