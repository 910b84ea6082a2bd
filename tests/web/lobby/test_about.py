"""The page about the campaign: its life, hand-overs, and a game master who plays."""

from __future__ import annotations

import re
from collections.abc import Callable

from campaign import access, services
from campaign.log import selectors
from campaign.models import Campaign
from tests.web.grand_table import GrandTable, draft, grand_table, new_campaign
from tests.web.titles.test_table import visible_text

__all__ = ["draft", "grand_table", "new_campaign"]


def link_of(page: str) -> str:
    shown = re.search(r'value="http://testserver(/join/[^"]+)"', page)
    assert shown
    return shown[1]


def test_buttons_change_the_state_of_a_campaign(grand_table: GrandTable) -> None:
    for how, reason, chip in (
        ("paused", "Holidays.", "Paused"),
        ("resumed", "", "Running"),
        ("abandoned", "Two have left.", "Abandoned"),
        ("archived", "", "Archived"),
        ("unarchived", "", "Abandoned"),
        ("revived", "", "Running"),
    ):
        assert f'name="how" value="{how}"' in grand_table.text("gm", "about/")
        assert 'name="how"' not in grand_table.text("hun", "about/")
        assert (
            grand_table.post("hun", "about/", do="live", how=how, reason=reason).status_code == 403
        )
        grand_table.post("gm", "about/", do="live", how=how, reason=reason)
        assert f"People {chip}" in visible_text(grand_table.text("nobody", "about/"))
    assert "The campaign is abandoned. Two have left." in visible_text(
        grand_table.text("nobody", "log/")
    )


def test_a_pause_is_shown_on_every_page_and_refuses_moves(grand_table: GrandTable) -> None:
    assert ">Play</a>" in grand_table.text("hun")
    services.change_life(grand_table.campaign, grand_table.people["gm"], "paused")
    assert ">Play</a>" not in grand_table.text("hun")
    text = (
        "This campaign is paused. No one can move until the game master resumes it. Nothing is lost"
        " meanwhile."
    )
    for path in ("", "log/", "n/huns/", "battles/"):
        assert text in visible_text(grand_table.text("hun", path))
    assert 'action="/c/' not in grand_table.text("hun", "n/huns/")
    answer = grand_table.post(
        "hun",
        "move/",
        offer="end-slot",
        move="end-slot",
        seat="huns",
        sure="1",
        seen=str(grand_table.seen("hun")),
    )
    assert answer.status_code == 422
    assert "You can move again when the game master resumes it" in visible_text(
        answer.content.decode()
    )


def test_abandoning_a_campaign_needs_a_reason(grand_table: GrandTable) -> None:
    text = visible_text(
        grand_table.post("gm", "about/", follow=True, do="live", how="abandoned").content.decode()
    )
    assert "Give a reason" in text
    grand_table.campaign.refresh_from_db()
    assert grand_table.campaign.status == "running"


def test_the_archive_is_a_separate_list_on_the_front_page(draft: GrandTable) -> None:
    services.change_life(draft.campaign, draft.people["gm"], "archived")
    assert "The Long Frontier" not in draft.text("stranger", "/")
    assert "In the archive: The Long Frontier" in visible_text(draft.text("gm", "/"))


def test_a_campaign_is_copied_once(grand_table: GrandTable) -> None:
    answer = grand_table.post("gm", "about/", follow=True, do="copy")
    assert "The Long Frontier (copy) has been created" in visible_text(answer.content.decode())
    assert (
        grand_table.post("gm", "about/", do="copy")["Location"] == answer.redirect_chain[-1][0]
    )  # a double click
    assert Campaign.objects.count() == 2


def test_a_seat_is_handed_over_by_its_holder(grand_table: GrandTable) -> None:
    page = grand_table.post("hun", "about/", follow=True, do="give", seat="huns").content.decode()
    address = link_of(page)
    assert address not in grand_table.text("hun", "about/")
    shown = visible_text(grand_table.clients["stranger"].get(address, follow=True).content.decode())
    assert "Ingrid holds this seat now and will pass it on to you." in shown
    grand_table.post("stranger", "/join/")
    assert access.access_of(grand_table.campaign, grand_table.people["hun"]).seats == ()
    assert "Huns: the seat passes from Ingrid to Sid." in visible_text(
        grand_table.text("nobody", "log/")
    )
    assert grand_table.post("stranger", "about/", do="give", seat="romans").status_code == 403


def test_leaving_a_seat_shows_the_consequences_first(grand_table: GrandTable) -> None:
    page = grand_table.text("hun", "about/")
    asked = page.split("Leave the seat of the Huns…</summary>")[1].split("</details>")[0]
    assert "You will no longer move for this seat" in asked
    assert page.count('value="leave"') == asked.count('value="leave"') == 1
    grand_table.post("hun", "about/", do="leave", seat="huns")
    assert access.access_of(grand_table.campaign, grand_table.people["hun"]).seats == ()


def test_the_campaign_is_handed_over(grand_table: GrandTable) -> None:
    hun = grand_table.people["hun"]
    grand_table.post("gm", "seats/", do="offer", person=str(hun.pk))
    assert "You have offered the campaign to Ingrid" in visible_text(
        grand_table.text("gm", "seats/")
    )
    assert "Marozia is offering you the campaign" in visible_text(grand_table.text("hun", "about/"))
    assert "is offering you the campaign" not in visible_text(grand_table.text("roman", "about/"))
    grand_table.post("roman", "about/", do="accept")
    assert selectors.game_masters(grand_table.campaign) == [grand_table.people["gm"]]
    grand_table.post("hun", "about/", do="accept")
    assert selectors.game_masters(grand_table.campaign) == [hun]
    assert grand_table.get("gm", "desk/").status_code == 403


def test_an_offer_is_declined_or_withdrawn(grand_table: GrandTable) -> None:
    hun = grand_table.people["hun"]
    for who, page, deed in (("hun", "about/", "decline"), ("gm", "seats/", "keep")):
        grand_table.post("gm", "seats/", do="offer", person=str(hun.pk))
        grand_table.post(who, page, do=deed)
        assert "is offering you the campaign" not in visible_text(grand_table.text("hun", "about/"))


def test_a_co_game_master_is_added_and_removed(grand_table: GrandTable) -> None:
    address = link_of(grand_table.post("gm", "seats/", follow=True, do="co").content.decode())
    grand_table.clients["stranger"].get(address)
    assert "Become co-game-master" in grand_table.text("stranger", "/join/")
    grand_table.post("stranger", "/join/")
    assert grand_table.get("stranger", "desk/").status_code == 200
    assert grand_table.post("stranger", "seats/", do="co").status_code == 403
    grand_table.post("gm", "seats/", do="dismiss", person=str(grand_table.people["stranger"].pk))
    assert grand_table.get("stranger", "desk/").status_code == 403


def test_a_single_game_master_may_not_play_with_hidden_hands(
    new_campaign: Callable[..., GrandTable],
) -> None:
    table = new_campaign(hands="hidden")
    _, token = services.invite(table.campaign, table.people["gm"], "vandals")
    answer = table.post("gm", f"/join/{token}/")
    assert answer.status_code == 400
    assert "a game master who plays needs a co-game-master who does not" in visible_text(
        answer.content.decode()
    )


def test_a_game_master_who_plays_manages_only_people_and_state(
    new_campaign: Callable[..., GrandTable],
) -> None:
    table = new_campaign(hands="hidden")
    _, token = services.invite_master(table.campaign, table.people["gm"])
    services.take_seat(table.people["stranger"], token)
    _, token = services.invite(table.campaign, table.people["gm"], "vandals")
    services.take_seat(table.people["gm"], token)
    seen = selectors.seen(table.campaign, table.people["stranger"])
    services.play(table.campaign, table.people["stranger"], {"by": "gm", "move": "start"}, seen)
    table.campaign.refresh_from_db()
    statuses = {
        path: table.get("gm", path).status_code
        for path in ("desk/", "record.json", "seats/", "about/", "n/huns/")
    }
    assert statuses == {
        "desk/": 403,
        "record.json": 403,
        "seats/": 200,
        "about/": 200,
        "n/huns/": 200,
    }
    assert 'name="offer"' not in table.text("gm", "n/huns/")
    assert table.get("stranger", "desk/").status_code == 200
