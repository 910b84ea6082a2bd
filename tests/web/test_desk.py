"""The game master's desk: what is waited for, results, the next turn, the campaign's life; and who may come here."""

from __future__ import annotations

import re
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from allauth.mfa.models import Authenticator
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from campaign.log import selectors
from tests.table import people, running, table, toy
from tests.web.contests import challenge, hun_attack, plain, siege
from tests.web.desk import REASON, correct, do, last, undo
from tests.web.five import Five, draft, five, found

__all__ = ["challenge", "draft", "five", "found", "people", "running", "siege", "table", "toy"]
UTC = ZoneInfo("UTC")


# Who -------------------------------------------------------------------------------------------------------------------


def test_only_the_game_master_comes_to_the_desk(five: Five) -> None:
    assert five.statuses("desk/") == {"gm": 200, "hun": 403, "roman": 403, "stranger": 403, "nobody": 302}
    assert "Only the game master may do this." in plain(five.get("hun", "desk/"))


@pytest.mark.parametrize("who", ["hun", "roman", "stranger", "nobody"])
@pytest.mark.parametrize(
    "typed",
    [
        {"do": "correct", "fix": "adjust", "nation": "huns", "account": "income", "change": "50", "reason": REASON},
        {"do": "correct", "fix": "set-owner", "province": "italia", "owner": "huns", "reason": REASON},
        {"do": "correct", "fix": "give-card", "nation": "huns", "card": "spy", "reason": REASON},
        {"do": "correct", "fix": "discard-card", "nation": "huns", "card": "spy", "reason": REASON},
        {"do": "turn", "move": "open-turn"},
    ],
)
def test_nobody_else_does_anything_there(five: Five, who: str, typed: dict[str, str]) -> None:
    before = five.campaign.entries.count()
    assert five.post(who, "desk/", seen="5", **typed).status_code == (302 if who == "nobody" else 403)
    assert five.campaign.entries.count() == before


# The turn --------------------------------------------------------------------------------------------------------------


def test_the_start_of_the_campaign(draft: Five) -> None:
    text = plain(draft.get("gm", "desk/"))
    assert "The campaign waits for 1 thing You start the campaign" in text
    assert "Start the campaign: what it does A d6 picks who opens turn 1. §1.2 6 cards are drawn, d100 each. §1.3" in text
    assert "From then on scenario, options and seed stand." in text
    assert "Free: Hephtalites, Kushans, Sassanids, Vandals." in text
    assert do(draft, "turn", move="start").status_code == 302
    assert last(draft).said == {"by": "gm", "move": "start"}


def test_what_the_turn_waits_for_on_whom_since_when(challenge: Five) -> None:
    page = challenge.text("gm", "desk/")
    text = plain(page)
    assert "Ingrid play the slot Huns, since today" in text
    assert "Benedetto answer the attack on Dalmatia #1 since today" in text
    assert f'href="{challenge.home}n/huns/">Play his slot</a>' in page
    assert f'href="{challenge.home}b/1/?answer=1#answer">Answer for him</a>' in page
    challenge.play("romans", "respond", attack=1, choice="accept")
    page = challenge.text("gm", "desk/")
    assert "Ingrid and Benedetto play the battle of Dalmatia #1" in plain(page)
    assert f'href="{challenge.home}b/1/#report">Enter the result</a>' in page


def test_since_when_is_the_entry_that_made_it_wait(challenge: Five) -> None:
    launched = last(challenge)
    page = challenge.text("gm", "desk/")
    opened = [e for e in challenge.campaign.entries.all() if '"opened"' in e.effects and '"holder":"huns"' in e.effects][-1]
    stamps = re.findall(r'wait__what">.*?datetime="([^"]+)"', page, flags=re.S)
    assert [stamp[:19] for stamp in stamps[:2]] == [
        at.astimezone(UTC).isoformat(timespec="seconds")[:19] for at in (opened.at, launched.at)
    ]  # fmt: skip


def test_1_3_the_next_turn_is_refused_with_its_reason(challenge: Five) -> None:
    left = len(selectors.view(challenge.campaign, None)["order"]) - selectors.view(challenge.campaign, None)["order"].index(
        "huns"
    )
    text = plain(challenge.get("gm", "desk/"))
    assert f"{left} slots to end, 1 battle unresolved §1.3 Open turn 2" in text
    assert re.search(r"disabled>Open turn 2</button>", challenge.text("gm", "desk/"))
    response = do(challenge, "turn", move="open-turn")
    assert response.status_code == 422
    assert "Turn 1 is open; this waits for its close." in plain(response)
    assert do(challenge, "turn", move="adjust").status_code == 422


def test_1_3_after_the_last_turn_none_opens(five: Five) -> None:
    while five.campaign.turn < 6:
        if five.campaign.phase == "closed":
            five.play("gm", "open-turn")
        else:
            five.play(five.campaign.active_seat, "end-slot")
    text = plain(five.get("gm", "desk/"))
    assert "6 slots to end, then the campaign ends §1.3" in text
    assert "Open turn 7" not in text
    assert "Move for a nation" in text
    while five.campaign.phase != "finished":
        five.play(five.campaign.active_seat, "end-slot")
    text = plain(five.get("gm", "desk/"))
    assert "The campaign is finished Final standings Nobody is waited for and no deadline runs. An undo opens it again." in text
    assert "waits for" not in text, "an empty list of things"
    assert "No battle runs" not in text
    assert "Move for a nation" not in text, "no nation may make one"


def test_the_next_turn_opens_and_says_before_what_it_does(five: Five) -> None:
    while five.campaign.phase != "closed":
        five.play(five.campaign.active_seat, "end-slot")
    opener = selectors.view(five.campaign, None)["order"][1]
    text = plain(five.get("gm", "desk/"))
    assert "You open turn 2" in text
    assert "Open turn 2: what it does 6 cards are drawn, d100 each. §1.3 6 random events are rolled. §1.3" in text
    assert f"The slot of the {opener.capitalize()} opens. §1.2 Link 1 of the dice is published." in text
    assert do(five, "turn", move="open-turn").status_code == 302
    assert "Game master opens the next turn." in plain(five.text("gm", "desk/"))
    five.campaign.refresh_from_db()
    assert (five.campaign.turn, five.campaign.active_seat) == (2, opener)


def test_results_are_entered_by_two_shares(siege: Five) -> None:
    page = siege.text("gm", "desk/")
    assert "Results 1 unresolved #1 Huns against Romans Pannonia → Dalmatia Set-up awaited Huns, % Romans, %" in plain(page)
    assert f'<form method="get" action="{siege.home}b/1/#follows"' in page
    assert 'name="by" value="shares"' in page


def test_nothing_to_enter_and_no_die(five: Five) -> None:
    text = plain(five.get("gm", "desk/"))
    assert "No battle runs. An attack in a slot makes one." in text
    assert "Dice of turn 1" in text
    assert "Romans draw" in text


# Everything else -------------------------------------------------------------------------------------------------------


def test_hostile_text_is_escaped(five: Five) -> None:
    evil = "<script>alert(1)</script>"
    assert correct(five, "adjust", nation="romans", account="income", change="50", reason=evil).status_code == 302
    user = five.people["roman"]
    user.username = "<img src=x>"
    user.save()
    page = five.text("gm", "desk/")
    assert "<script>alert" not in page
    assert "<img" not in page
    response = correct(five, "adjust", nation=evil, account=evil, change=evil, reason=evil)
    assert response.status_code == 422
    assert "<script>alert" not in response.content.decode()
    assert do(five, evil).status_code == 200
    assert "<script>alert" not in undo(five, entry=evil, reason=evil).content.decode()


def test_queries_do_not_grow_with_the_log(five: Five) -> None:
    def count() -> int:
        with CaptureQueriesContext(connection) as caught:
            assert five.get("gm", "desk/").status_code == 200
        return len(caught)

    assert count() <= 12  # the deadlines are asked for once a state of the log
    first = count()
    hun_attack(five)
    five.play("huns", "end-slot")
    assert count() <= 12
    assert (first, count()) == (11, 11)


def test_a_title_without_pages_of_its_own_has_a_plain_desk(running: Any) -> None:
    running.say("bee", "duel")
    client, home = Client(), f"/c/{running.campaign.address}/desk/"
    client.force_login(running.gm)
    text = plain(client.get(home))
    assert "Your moves Winner" in text
    seen_now = str(running.seen("gm"))
    assert client.post(home, {"do": "say", "offer": "settle", "winner": "attacker", "seen": seen_now}).status_code == 302
    assert running.fresh().game.rows(selectors.position(running.campaign)).contests[1]["status"] == "resolved"


def test_the_record_can_be_taken_along(found: Any) -> None:
    table = found(hands="hidden")
    table.play("gm", "start")
    assert f'href="{table.home}record.json"' in table.text("gm", "desk/")
    assert table.statuses("record.json") == {"gm": 200, "hun": 403, "roman": 403, "stranger": 403, "nobody": 302}
    response = table.get("gm", "record.json")
    assert response["Content-Disposition"] == f'attachment; filename="{table.campaign.address}.json"'
    assert response.json()["moves"] == [{"by": "gm", "move": "start"}]
    assert "seed" not in response.json()["dice"]


def test_the_tab_counts_what_the_list_tells(found: Any) -> None:
    table = found()

    def counts() -> tuple[str, str]:
        page = table.text("gm", "desk/")
        tab = re.search(r'<a href="[^"]*/desk/"[^>]*>.*?</a>', page, re.S)[0]
        return plain(tab).split()[-1], re.search(r"waits for (\d+) thing", plain(page))[1]

    assert counts() == ("1", "1"), "the start"
    table.play("gm", "start")
    table.slot_to("huns")
    hun_attack(table)
    assert counts() == ("2", "2"), "the slot and the answer"
    table.play("romans", "respond", attack=1, choice="accept")
    assert counts() == ("2", "2"), "two are to play one battle"


# The campaign's life ---------------------------------------------------------------------------------------------------


def test_the_life_of_the_campaign_is_at_the_desk(five: Five) -> None:
    text = plain(five.text("gm", "desk/"))
    assert "Its life Running Nobody moves until you resume." in text
    assert "Copy as a new campaign" in text
    answer = five.post("gm", "about/", do="live", how="paused", reason="Holidays", back="desk")
    assert (answer.status_code, answer["Location"]) == (302, f"{five.home}desk/")
    text = plain(five.text("gm", "desk/"))
    assert "Its life Paused Moves go on where they stopped. Resume the campaign" in text
    answer = five.post("gm", "about/", do="live", how="abandoned", reason="", back="desk", follow=True)
    assert "Say why, in up to 1,000 characters" in plain(answer)
    assert five.post("hun", "about/", do="live", how="resumed", back="desk").status_code == 403
    five.post("gm", "about/", do="live", how="abandoned", reason="Too few", back="desk")
    page = five.text("gm", "desk/")
    assert "Nothing is corrected here any more: take the campaign up again" in plain(page)
    assert "Play his slot" not in page
    assert 'id="f-adjust-change"' not in page


def test_the_lobby_is_opened_and_closed_from_the_desk(draft: Five) -> None:
    page = draft.text("gm", "desk/")
    assert f'href="{draft.home}lobby/">Open the lobby…</a>' in page
    draft.post("gm", "lobby/", do="open", words="")
    page = draft.text("gm", "desk/")
    assert f'href="{draft.home}lobby/">Close the lobby and draw…</a>' in page
    assert "Its life Seats open" in plain(page)


def test_a_second_factor_is_offered_to_who_has_none(five: Five) -> None:
    page = five.text("gm", "desk/")
    assert page.count('href="/me/second-factor/"') == 1
    Authenticator.objects.create(user=five.people["gm"], type=Authenticator.Type.TOTP, data={"secret": "sealed"})
    assert "/me/second-factor/" not in five.text("gm", "desk/")
