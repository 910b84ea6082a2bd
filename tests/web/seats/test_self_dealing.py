"""A game master who plays.

Warnings before an act, marks after it, countersigners and objections.
"""

from __future__ import annotations

from typing import Any

import pytest

from campaign import services
from campaign.rulebook import rule_on
from tests.campaign.test_self_dealing import correct_account, countersign_requests, playing
from tests.web.contests import visible_text
from tests.web.grand_table import WHO, GrandTable, new_campaign

__all__ = ["new_campaign", "playing"]

pytestmark = pytest.mark.django_db


def corrected(table: GrandTable, nation: str, **more: str) -> Any:
    form = {
        "do": "correct",
        "fix": "adjust",
        "nation": nation,
        "account": "income",
        "change": "25",
        "reason": "Miscounted",
    }
    return table.post("gm", "desk/", seen=str(table.seen("gm")), **{**form, **more})


def test_a_correction_for_oneself_is_warned_of_and_marked_in_the_log(playing: GrandTable) -> None:
    shown = corrected(playing, "vandals")
    assert shown.status_code == 200
    assert (
        "This concerns your own nation: Vandals It is valid at once, and marked “not countersigned”"
        in visible_text(shown)
    )
    assert "Benedetto, Ingrid" in visible_text(shown)
    assert countersign_requests(playing) == []
    assert 'name="own" value="1"' in shown.content.decode()
    assert "Correct it anyway" in visible_text(shown)
    assert "Correct it anyway" not in visible_text(playing.get("gm", "desk/"))
    assert "Miscounted" in shown.content.decode()
    assert "counts as yours" not in visible_text(shown)
    assert corrected(playing, "romans").status_code == 302
    assert corrected(playing, "vandals", own="1").status_code == 302
    number = countersign_requests(playing)[0][0]
    assert "not countersigned" in visible_text(playing.get("nobody", "log/"))
    assert "Not countersigned acts of game masters for their own nation" in visible_text(
        playing.get("gm", "desk/")
    )
    entry, press = f"e/{number}/", f"e/{number}/countersign/"
    assert [who for who in WHO if "Countersign</button>" in playing.text(who, entry)] == [
        "hun",
        "roman",
    ]
    assert [playing.post(who, press).status_code for who in ("gm", "stranger", "nobody")] == [
        403,
        403,
        302,
    ]
    objected = playing.post("roman", press, follow=True, do="object", reason="I <b>doubt</b> it")
    assert "Your objection appears below entry" in visible_text(objected)
    assert "I &lt;b&gt;doubt&lt;/b&gt; it" in playing.text("nobody", entry)
    assert "Benedetto objects" in visible_text(playing.get("nobody", "log/"))
    playing.post("hun", press)
    assert "Not countersigned" not in visible_text(playing.get("gm", "desk/"))
    assert "countersigned by Ingrid" in visible_text(playing.get("nobody", "log/"))


def test_a_seat_given_up_counts_as_the_game_masters(playing: GrandTable) -> None:
    services.vacate(playing.campaign, playing.people["gm"], "vandals")
    shown = visible_text(corrected(playing, "vandals"))
    assert (
        "own nation: Vandals What you give up (Vandals) counts as yours until the next turn closes."
    ) in shown
    assert corrected(playing, "vandals", own="1").status_code == 302
    assert len(countersign_requests(playing)) == 1


def test_an_undo_of_own_entries_is_warned_of(playing: GrandTable) -> None:
    before = playing.campaign.last_number
    correct_account(playing, "vandals")
    form = {"entry": str(before), "reason": "A slip"}
    assert "This concerns your own nation" in visible_text(
        playing.get("gm", "rewind/", entry=str(before))
    )
    assert len(countersign_requests(playing)) == 1
    assert playing.post("gm", "rewind/", seen=str(playing.seen("gm")), **form).status_code == 302
    assert len(countersign_requests(playing)) == 2


def test_the_desk_marks_the_game_masters_own_slot(playing: GrandTable) -> None:
    assert "Play your turn" not in visible_text(playing.get("gm", "desk/"))
    playing.slot_to("vandals")
    text = visible_text(playing.get("gm", "desk/"))
    assert "You: 1 task Vandals: play the turn since today" in text
    assert "Play your turn" in text


def test_the_text_with_a_countersigner_and_for_a_game_master_who_does_not_play(
    playing: GrandTable,
) -> None:
    services.name_countersigner(playing.campaign, playing.people["gm"], playing.people["stranger"])
    assert "until one of these people has looked at it: Sid." in visible_text(
        playing.get("gm", "rulings/")
    )
    assert "your own nation" not in visible_text(playing.get("hun", "rulings/"))
    assert "your own nation" in visible_text(playing.get("gm", "dice/"))


def test_the_report_says_so(playing: GrandTable) -> None:
    number = correct_account(playing, "vandals")
    services.object_to(playing.campaign, playing.people["hun"], number, "Not so")
    ruling = rule_on(playing.campaign, playing.people["gm"], "Rivers are no obstacle").number
    page = visible_text(playing.get("nobody", "reports/turn-1/"))
    assert f"Entry {number} concerns the game master’s own nation; it is not countersigned." in page
    assert f"Ingrid objects to entry {number}: Not so" in page
    assert f"Entry {ruling} concerns the game master’s own nation; it is not countersigned." in page


def test_queries(playing: GrandTable, django_assert_max_num_queries: Any) -> None:
    number = correct_account(playing, "vandals")
    for who in ("gm", "hun"):
        for path in (
            f"e/{number}/",
            "log/",
            "dice/",
            "rulings/",
            *(["desk/"] if who == "gm" else []),
        ):
            playing.get(who, path)
            with django_assert_max_num_queries(12, info=f"{who} {path}"):
                assert playing.get(who, path).status_code == 200, path


def test_dice_of_acts_for_the_own_nation_are_marked_until_countersigned(
    playing: GrandTable,
) -> None:
    """One die was entered beforehand, another rolled by their own correction.

    Other dice have no mark.
    """
    grand_table = playing
    grand_table.play(
        "gm", "adjust", nation="romans", account="income", change=25, reason="Miscounted"
    )
    die, *_rest = services.give_die(
        grand_table.campaign, grand_table.people["gm"], "turn-2/card/huns", 35
    )
    assert "not countersigned" not in visible_text(grand_table.get("nobody", "dice/"))
    while grand_table.campaign.active_seat:
        grand_table.play(grand_table.campaign.active_seat, "end-slot")
    grand_table.play("gm", "open-turn")
    page = grand_table.text("nobody", "dice/")
    link = (
        f'<a class="chip chip--warn" href="{grand_table.home}e/{die.number}/">not countersigned</a>'
    )
    assert page.count("not countersigned") == 1
    row = next(part for part in page.split("<tr>") if ">turn-2/card/huns<" in part)
    assert link in row
    services.object_to(
        grand_table.campaign, grand_table.people["roman"], die.number, "Where was it thrown?"
    )
    services.countersign(grand_table.campaign, grand_table.people["hun"], die.number)
    text = visible_text(grand_table.get("nobody", "dice/"))
    assert "countersigned by Ingrid Benedetto objects" in text
    assert "not countersigned" not in text
