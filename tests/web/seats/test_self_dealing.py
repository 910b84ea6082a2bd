"""A game master who plays, on the pages: what they are told before, what stands after, who
countersigns or objects.
"""

from __future__ import annotations

from typing import Any

import pytest

from campaign import services
from campaign.rulebook import rule_on
from tests.campaign.test_self_dealing import asks, fix, playing
from tests.web.contests import plain
from tests.web.five import WHO, Five, new_campaign

__all__ = ["new_campaign", "playing"]

pytestmark = pytest.mark.django_db


def corrected(table: Five, nation: str, **more: str) -> Any:
    form = {
        "do": "correct",
        "fix": "adjust",
        "nation": nation,
        "account": "income",
        "change": "25",
        "reason": "Miscounted",
    }
    return table.post("gm", "desk/", seen=str(table.seen("gm")), **{**form, **more})


def test_he_is_told_before_a_correction_and_the_log_says_it_after(playing: Five) -> None:
    shown = corrected(playing, "vandals")
    assert shown.status_code == 200
    assert (
        "This concerns your own nation: Vandals It is valid at once, and marked “not countersigned”"
        in plain(shown)
    )
    assert "Benedetto, Ingrid" in plain(shown)
    assert asks(playing) == []
    assert 'name="own" value="1"' in shown.content.decode()
    assert "Correct it anyway" in plain(shown)
    assert "Correct it anyway" not in plain(playing.get("gm", "desk/"))
    assert "Miscounted" in shown.content.decode()
    assert "counts as yours" not in plain(shown)
    assert corrected(playing, "romans").status_code == 302
    assert corrected(playing, "vandals", own="1").status_code == 302
    number = asks(playing)[0][0]
    assert "not countersigned" in plain(playing.get("nobody", "log/"))
    assert "Not countersigned a game master’s acts for their own nation" in plain(
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
    assert "Your objection is under entry" in plain(objected)
    assert "I &lt;b&gt;doubt&lt;/b&gt; it" in playing.text("nobody", entry)
    assert "Benedetto objects" in plain(playing.get("nobody", "log/"))
    playing.post("hun", press)
    assert "Not countersigned" not in plain(playing.get("gm", "desk/"))
    assert "countersigned by Ingrid" in plain(playing.get("nobody", "log/"))


def test_he_is_told_that_what_he_gave_up_counts_as_his(playing: Five) -> None:
    services.vacate(playing.campaign, playing.people["gm"], "vandals")
    shown = plain(corrected(playing, "vandals"))
    assert (
        "own nation: Vandals What you give up (Vandals) counts as yours until the next turn is"
        " closed." in shown
    )
    assert corrected(playing, "vandals", own="1").status_code == 302
    assert len(asks(playing)) == 1


def test_before_an_undo_it_is_said_that_it_strikes_what_is_his(playing: Five) -> None:
    before = playing.campaign.last_number
    fix(playing, "vandals")
    form = {"entry": str(before), "reason": "A slip"}
    assert "This concerns your own nation" in plain(playing.get("gm", "rewind/", entry=str(before)))
    assert len(asks(playing)) == 1
    assert playing.post("gm", "rewind/", seen=str(playing.seen("gm")), **form).status_code == 302
    assert len(asks(playing)) == 2


def test_his_own_slot_is_his_at_the_desk(playing: Five) -> None:
    assert "Play your slot" not in plain(playing.get("gm", "desk/"))
    playing.slot_to("vandals")
    text = plain(playing.get("gm", "desk/"))
    assert "You: 1 thing Vandals: play the slot since today" in text
    assert "Play your slot" in text


def test_what_is_said_where_somebody_is_named_and_to_who_does_not_play(playing: Five) -> None:
    services.name_countersigner(playing.campaign, playing.people["gm"], playing.people["stranger"])
    assert "until one of these has looked at it: Sid." in plain(playing.get("gm", "rulings/"))
    assert "your own nation" not in plain(playing.get("hun", "rulings/"))
    assert "your own nation" in plain(playing.get("gm", "dice/"))


def test_the_report_says_so(playing: Five) -> None:
    number = fix(playing, "vandals")
    services.object_to(playing.campaign, playing.people["hun"], number, "Not so")
    ruling = rule_on(playing.campaign, playing.people["gm"], "Rivers are no obstacle").number
    page = plain(playing.get("nobody", "reports/turn-1/"))
    assert f"Entry {number} concerns the game master’s own nation; it is not countersigned." in page
    assert f"Ingrid objects to entry {number}: Not so" in page
    assert f"Entry {ruling} concerns the game master’s own nation; it is not countersigned." in page


def test_queries(playing: Five, django_assert_max_num_queries: Any) -> None:
    number = fix(playing, "vandals")
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


def test_the_dice_of_what_he_did_for_his_own_nation_are_marked_until_countersigned(
    playing: Five,
) -> None:
    """A die they gave beforehand, and one that was thrown by their own correction; nobody
    else's.
    """
    five = playing
    five.play("gm", "adjust", nation="romans", account="income", change=25, reason="Miscounted")
    die, *_rest = services.give_die(five.campaign, five.people["gm"], "turn-2/card/huns", 35)
    assert "not countersigned" not in plain(five.get("nobody", "dice/"))
    while five.campaign.active_seat:
        five.play(five.campaign.active_seat, "end-slot")
    five.play("gm", "open-turn")
    page = five.text("nobody", "dice/")
    link = f'<a class="chip chip--warn" href="{five.home}e/{die.number}/">not countersigned</a>'
    assert page.count("not countersigned") == 1
    row = next(one for one in page.split("<tr>") if ">turn-2/card/huns<" in one)
    assert link in row
    services.object_to(five.campaign, five.people["roman"], die.number, "Where was it thrown?")
    services.countersign(five.campaign, five.people["hun"], die.number)
    text = plain(five.get("nobody", "dice/"))
    assert "countersigned by Ingrid Benedetto objects" in text
    assert "not countersigned" not in text
