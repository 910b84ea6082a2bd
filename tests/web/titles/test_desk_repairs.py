"""Repairs at the game master's desk: corrections, undo and restoration; what is wrong stands where
it is wrong.
"""

from __future__ import annotations

import re

import pytest

from campaign.log import selectors
from tests.web.contests import challenge, plain, seen
from tests.web.desk import REASON, correct, do, invalid, last, nation, undo
from tests.web.five import Five, draft, five, new_campaign

__all__ = ["challenge", "draft", "five", "new_campaign"]


# Corrections --------------------------------------------------------------------------------------


def test_an_adjustment_shows_its_cascade_and_is_made_with_a_reason(five: Five) -> None:
    five.play("gm", "adjust", nation="romans", account="stability", change=1, reason="even")
    was = nation(five).stability
    typed = {"nation": "romans", "account": "stability", "change": str(3 - was)}
    shown = plain(correct(five, "adjust", look="1", **typed))
    assert (
        f"Romans stability {was} → 3 (no covert attacks) stability at 3 or less §2.1 : prestige"
        " 6 → 5" in shown
    )
    assert nation(five).stability == was
    refused = plain(correct(five, "adjust", reason="", **typed))
    assert (
        f"Romans stability {was} → 3 (no covert attacks) stability at 3 or less §2.1 : prestige"
        " 6 → 5" in refused
    )
    assert correct(five, "adjust", reason=REASON, **typed).status_code == 302
    assert (nation(five).stability, nation(five).prestige) == (3, 5)
    assert last(five).content == {
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
    five: Five, fix: str, typed: dict[str, str]
) -> None:
    five.play("gm", "give-card", nation="romans", card="bodyguard", reason="test")
    before = five.campaign.entries.count()
    for reason in ({}, {"reason": ""}, {"reason": "   "}):
        response = correct(five, fix, **typed, **reason)
        assert response.status_code == 422
        assert "A correction needs a reason. Write what it repairs and cite the post." in plain(
            response
        )
        page = response.content.decode()
        for value in typed.values():
            assert (
                f'value="{value}" selected' in page or f'value="{value.replace("−", "-")}"' in page
            )
    assert five.campaign.entries.count() == before
    assert correct(five, fix, **typed, reason=REASON).status_code == 302
    assert last(five).content["reason"] == REASON
    assert REASON in plain(five.get("nobody", "log/"))


def test_corrections_do_what_they_say(five: Five) -> None:
    hand = list(nation(five).hand)
    assert correct(five, "give-card", nation="romans", card="spy", reason=REASON).status_code == 302
    assert sorted(nation(five).hand) == sorted([*hand, "spy"])
    assert (
        correct(five, "discard-card", nation="romans", card="spy", reason=REASON).status_code == 302
    )
    assert nation(five).hand == hand
    assert (
        correct(five, "set-owner", province="dalmatia", owner="!nobody", reason=REASON).status_code
        == 302
    )
    nation(five)
    assert selectors.position(five.campaign).owner["dalmatia"] is None
    assert (
        correct(
            five, "adjust", nation="huns", account="actions", change="0,5", reason=REASON
        ).status_code
        == 302
    )
    assert last(five).content["change"] == 0.5


@pytest.mark.parametrize("change", ["", "0", "many", "1.5", "99999999999", "<i>"])
def test_a_change_that_is_none_comes_back_as_typed(five: Five, change: str) -> None:
    before = five.campaign.entries.count()
    response = correct(
        five, "adjust", nation="vandals", account="army", change=change, reason=REASON
    )
    page = response.content.decode()
    assert response.status_code == 422
    assert '<option value="vandals" selected>' in page
    assert REASON in page
    assert "<i>" not in page
    assert five.campaign.entries.count() == before


def test_a_refusal_names_its_rule(challenge: Five) -> None:
    response = correct(challenge, "set-owner", province="dalmatia", owner="huns", reason=REASON)
    assert response.status_code == 422
    assert "Dalmatia is under attack. §13" in plain(response)
    response = correct(
        challenge, "adjust", nation="romans", account="actions", change="1", reason=REASON
    )
    assert "Actions can be adjusted only while the slot of the Romans is open. §3.2" in plain(
        response
    )


def test_an_address_shows_what_a_correction_would_do(five: Five) -> None:
    text = plain(
        five.get("gm", "desk/", fix="adjust", nation="huns", account="income", change="-100")
    )
    assert re.search(r"Huns income \d+t → \d+t", text)


def test_a_card_of_another_nation_gives_way_in_the_form(five: Five) -> None:
    card = nation(five, "vandals").hand[0]
    other = next(name for name in ("spy", "traitor", "ambush") if name != card)
    response = five.get("gm", "desk/", fix="discard-card", nation="vandals", card=other)
    page = response.content.decode()
    assert response.status_code == 200
    assert '<option value="vandals" selected>' in page
    assert f'<option value="{card}" selected>' in page


def test_a_desk_overtaken_keeps_what_was_typed(five: Five) -> None:
    old = seen(five)
    five.play("gm", "adjust", nation="romans", account="army", change=10, reason="Post 12")
    typed = {"nation": "romans", "account": "army", "change": "40", "reason": REASON}
    response = do(five, "correct", fix="adjust", **typed, seen=old)
    assert response.status_code == 409
    assert "The table has moved on" in plain(response)
    assert "“Post 12”" in plain(response)
    assert REASON in plain(response)


def test_a_correction_without_its_number_names_the_field(five: Five) -> None:
    response = correct(five, "adjust", nation="vandals", account="army", change="", reason=REASON)
    assert response.status_code == 422
    assert invalid(response) == ["f-adjust-change"]
    text = plain(response)
    assert "Change: type a number first." in text
    assert "Something is missing" not in text
    assert REASON in text
    assert '<option value="vandals" selected>' in response.content.decode()
    assert invalid(correct(five, "adjust", nation="romans", account="army", change="50")) == [
        "f-adjust-reason"
    ]


def test_a_change_that_is_no_number_stays_typed(five: Five) -> None:
    response = correct(
        five, "adjust", nation="vandals", account="army", change="many", reason=REASON
    )
    assert 'value="many"' in response.content.decode()


def test_a_reason_has_a_thousand_characters_and_no_more(five: Five) -> None:
    typed = {"nation": "romans", "account": "income", "change": "25"}
    before = five.campaign.entries.count()
    response = correct(five, "adjust", **typed, reason="é" * 1001)
    assert response.status_code == 422
    assert invalid(response) == ["f-adjust-reason"]
    assert "A reason has up to 1,000 characters, all of which can be shown." in plain(response)
    assert "é" * 1001 in response.content.decode()
    assert five.campaign.entries.count() == before
    assert (
        'maxlength="1000"'
        in re.search(r'<textarea[^>]*id="f-adjust-reason"[^>]*>', response.content.decode())[0]
    )
    assert correct(five, "adjust", **typed, reason="x" * 998 + "\r\n" + "y").status_code == 302, (
        "a line break is one character"
    )
    assert last(five).content["reason"] == "x" * 998 + "\n" + "y"


# Undo ---------------------------------------------------------------------------------------------


def test_the_desk_leads_to_an_undo_and_to_taking_the_last_one_back(five: Five) -> None:
    five.play("huns", "build", structure="hamlets")
    stays = last(five).number
    five.play("huns", "build", structure="shrines")
    five.play("huns", "end-slot")
    assert 'href="?fix=undo#fix">Undo to an entry…</a>' in five.text("gm", "desk/")
    page = five.text("gm", "desk/", fix="undo")
    assert f'<form method="get" action="{five.home}rewind/"' in page
    assert f'<option value="{stays}">{stays} · Huns: build Hamlets' in page
    assert undo(five, entry=str(stays), reason=REASON).status_code == 302
    undone = last(five).number
    page = five.text("gm", "desk/", fix="undo")
    assert (
        f"The last undo, entry {undone}, struck 2 entries. No move was played since: it can be"
        " taken back." in plain(page)
    )
    assert f'href="{five.home}rewind/?undo={undone}"' in page
    five.play("huns", "build", structure="shrines")
    assert "The last undo" not in plain(five.get("gm", "desk/", fix="undo"))
    response = undo(five, undo=str(undone), reason=REASON)
    assert response.status_code == 422
    assert "The campaign has gone on since." in plain(response)


@pytest.mark.parametrize("what", ["undo", "restore"])
def test_the_desk_itself_strikes_and_restores_nothing(five: Five, what: str) -> None:
    """It is said where everything that it changes is listed, and nowhere else."""
    five.play("huns", "build", structure="hamlets")
    before = last(five)
    if what == "restore":
        undo(five, entry=str(before.number - 1), reason=REASON)
        before = last(five)
    number = before.number if what == "restore" else before.number - 1
    assert do(five, what, entry=str(number), undo=str(number), reason=REASON).status_code == 200
    assert last(five) == before


@pytest.mark.parametrize("entry", ["", "x", "-1", "999999999999999999999"])
def test_an_entry_that_is_none_is_asked_for(five: Five, entry: str) -> None:
    response = undo(five, entry=entry, reason=REASON)
    assert response.status_code == 422
    assert "Choose the entry after which everything is struck." in plain(response)


def test_undo_and_restore_say_beside_the_reason_that_it_is_missing(five: Five) -> None:
    five.play("huns", "build", structure="hamlets")
    stays = str(last(five).number - 1)
    assert invalid(undo(five, entry=stays)) == ["f-rewind-reason"]
    assert undo(five, entry=stays, reason=REASON).status_code == 302
    refused = undo(five, undo=str(last(five).number))
    assert invalid(refused) == ["f-rewind-reason"]
    assert plain(refused).count("Give the reason, in up to 1,000 characters") == 1


def test_before_the_start_there_is_nothing_to_undo(draft: Five) -> None:
    page = draft.text("gm", "desk/", fix="undo")
    assert "There is nothing to undo." in plain(page)
    assert 'id="f-entry"' not in page
    assert 'href="?fix=undo#fix">Undo to an entry…</a>' not in page
