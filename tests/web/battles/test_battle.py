"""The list of battles, a battle's page, the answer to a challenge, and who may do what there."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from campaign.log import selectors
from tests.table import people, running, table, toy
from tests.web.contests import (
    answer_challenge,
    attack_dalmatia,
    challenge,
    report_result,
    seen_number,
    siege,
    stored_contest,
    visible_text,
)
from tests.web.grand_table import GrandTable, draft, grand_table, new_campaign

__all__ = [
    "challenge",
    "draft",
    "grand_table",
    "new_campaign",
    "people",
    "running",
    "siege",
    "table",
    "toy",
]


# The list -----------------------------------------------------------------------------------------


def test_no_battle_yet(grand_table: GrandTable) -> None:
    text = visible_text(grand_table.get("stranger", "battles/"))
    assert (
        "Running battles 0 unresolved No battle is running. An attack during a turn starts a "
        "battle."
    ) in text
    assert "Resolved" not in text


def test_all_battles_are_listed_running_ones_first_each_with_its_state(siege: GrandTable) -> None:
    text = visible_text(siege.get("nobody", "battles/"))
    assert (
        "#1 Huns against Romans Pannonia → Dalmatia , land attack, turn 2 Set-up awaited Ingrid and"
        " Benedetto are playing" in text
    )
    report_result(siege, 1, "winner", side="defender")
    text = visible_text(siege.get("nobody", "battles/"))
    assert "0 unresolved" in text
    assert "Resolved 1 in all, newest first #1 Huns against Romans" in text
    assert "Romans won" in text


# The page -----------------------------------------------------------------------------------------


def test_the_page_of_a_challenge(challenge: GrandTable) -> None:
    text = visible_text(challenge.get("nobody", "b/1/"))
    assert "Battle 1 · turn 1 · land attack Pannonia → Dalmatia" in text
    assert "Answer awaited Report Challenged today" in text
    assert (
        "Ingrid Answered awaited Set up In play Claimed Confirmed Applied Benedetto has to answer."
        in text
    )
    assert (
        "Attacker Huns Ingrid · Hunnic Western 376-454 AD 1600 points army points at launch §3.13"
        in text
    )
    assert (
        "Defender Romans Benedetto · Roman 425-492 AD 1600 points army points at launch §3.13"
        in text
    )
    assert "Set-up sheet as launched; the answer may change it Copy" in text
    assert (
        "Side A Ingrid, Hunnic Western 376-454 AD, 1600 points; in the game Hunnic (Western)"
        " 376-454 AD" in text
    )
    assert "Side B Benedetto, Roman 425-492 AD, 1600 points Lobby" in text
    assert "Huns attack Dalmatia from Pannonia (land attack, open battle)" in text
    assert "Enter the result" not in text
    assert "Answer the challenge" not in text


def test_walls_and_siege_train_are_shown_with_their_sides(siege: GrandTable) -> None:
    text = visible_text(siege.get("roman", "b/1/"))
    assert "With a siege train : fortifications less 20 §9.7" in text
    assert "The province is protected by Walls §9.7" in text
    assert f'href="{siege.home}reports/battle-1/"' in siege.text("roman", "b/1/")
    assert siege.get("roman", "reports/battle-1/").status_code == 200
    assert "How it was answered" in text
    assert "Accept 1600 points against 1600 §7.8" in text


def test_an_unknown_battle_is_not_found(challenge: GrandTable) -> None:
    assert challenge.statuses("b/2/") == dict.fromkeys(
        ("gm", "hun", "roman", "stranger", "nobody"), 404
    )
    assert challenge.get("gm", "b/99999999999999999999/").status_code == 404


# Answering ----------------------------------------------------------------------------------------


def test_the_challenged_player_sees_three_answers_and_their_consequences(
    challenge: GrandTable,
) -> None:
    text = visible_text(challenge.get("roman", "b/1/"))
    assert "Accept 1600 points against 1600, open battle" in text
    assert "Withdraw Dalmatia is lost, income −50t, no battle effects §9.10" in text
    assert "Escort The Romans cannot force an escort against this army. §7.8" in text
    page = challenge.text("roman", "b/1/")
    assert re.search(r'value="escort" disabled', page)
    for who in ("hun", "stranger", "nobody"):
        assert "Answer the challenge" not in challenge.text(who, "b/1/")


def test_an_acceptance_is_entered_without_another_question(challenge: GrandTable) -> None:
    response = answer_challenge(challenge, "roman", 1, "accept")
    assert (response.status_code, response["Location"]) == (302, challenge.home + "b/1/")
    assert (stored_contest(challenge)["status"], stored_contest(challenge)["answer"]) == (
        "fighting",
        "accept",
    )
    text = visible_text(challenge.get("roman", "b/1/"))
    assert "Answered today" in text
    assert (
        "accepted Set up awaited In play Claimed Confirmed Applied Ingrid and Benedetto are"
        " playing." in text
    )


def test_a_withdrawal_is_shown_before_it_is_done(challenge: GrandTable) -> None:
    response = answer_challenge(challenge, "roman", 1, "withdraw")
    text = visible_text(response)
    assert response.status_code == 200
    assert stored_contest(challenge)["status"] == "challenged"
    assert "Withdraw? The province is given up at once." in text
    assert "Withdraw now" in text
    assert "income 450t → 400t" in text
    assert 'name="sure" value="withdraw"' in response.content.decode()
    assert answer_challenge(challenge, "roman", 1, "withdraw", sure="1").status_code == 200
    assert answer_challenge(challenge, "roman", 1, "withdraw", sure="accept").status_code == 200
    assert stored_contest(challenge)["status"] == "challenged"
    assert answer_challenge(challenge, "roman", 1, "withdraw", sure="withdraw").status_code == 302
    assert stored_contest(challenge)["outcome"] == "withdrawn"
    text = visible_text(challenge.get("nobody", "b/1/"))
    assert "Defender withdrew" in text
    assert "Withdraw the province is given up without a battle §9.10" in text


def test_cards_can_be_played_with_an_answer_but_not_with_a_withdrawal(
    challenge: GrandTable,
) -> None:
    for card in ("reinforcements", "scouts", "naval-technology"):
        challenge.play("gm", "give-card", nation="romans", card=card, reason="test")
    text = visible_text(challenge.get("roman", "b/1/"))
    assert "Reinforcements +50 points for this battle §4.13" in text
    assert (
        "Naval Technology Naval Technology can only be played for an encounter at sea, and there "
        "will be none. §4.11"
    ) in text
    answer_challenge(challenge, "roman", 1, "accept", cards=["reinforcements", "scouts"])
    assert stored_contest(challenge)["cards_defender"] == ["reinforcements", "scouts"]
    text = visible_text(challenge.get("roman", "b/1/"))
    assert "1650 points 1600 at launch and 50 from a card §3.13" in text
    assert "Accept 1650 points against 1600, with Reinforcements and Scouts" in text
    assert "Terrain chosen by Benedetto (Scouts) §4.15" in text


def test_an_escort_is_rolled_after_its_odds_are_shown(grand_table: GrandTable) -> None:
    grand_table.slot_to("romans") if grand_table.campaign.active_seat != "romans" else None
    grand_table.play("romans", "attack", kind="land", **{"from": "dalmatia", "target": "pannonia"})
    text = visible_text(grand_table.get("hun", "b/1/"))
    assert (
        "Escort d6: on 5–6 an escort baggage train with you as its attacker, otherwise open "
        "battle §7.8"
    ) in text
    shown = visible_text(answer_challenge(grand_table, "hun", 1, "escort"))
    assert "escort forced, about 33%" in shown
    assert "no escort, about 67%" in shown
    assert answer_challenge(grand_table, "hun", 1, "escort", sure="escort").status_code == 302
    forced = stored_contest(grand_table)["battle"] == "escort-baggage-train"
    text = visible_text(grand_table.get("nobody", "b/1/"))
    assert (
        "Escort forced: an escort baggage train"
        if forced
        else "Escort not forced: played as launched"
    ) in text


def test_an_impossible_answer_is_refused_and_kept_in_the_form(challenge: GrandTable) -> None:
    response = challenge.post("roman", "b/1/", move="respond", seen=seen_number(challenge, "roman"))
    assert response.status_code == 422
    assert "Choose an answer first. §7.8" in visible_text(response)
    response = answer_challenge(challenge, "roman", 1, "escort")
    assert response.status_code == 422
    assert "The Romans cannot force an escort against this army. §7.8" in visible_text(response)
    response = answer_challenge(challenge, "roman", 1, "accept", cards=["scouts", "<b>x</b>"])
    assert response.status_code == 422
    assert "<b>x" not in response.content.decode()


def test_the_game_master_answers_for_the_challenged(challenge: GrandTable) -> None:
    assert "Answer for this player…" in visible_text(challenge.get("gm", "b/1/"))
    assert "as game master" in visible_text(challenge.get("gm", "b/1/", answer="1"))
    assert answer_challenge(challenge, "gm", 1, "accept").status_code == 302
    entry = challenge.campaign.entries.latest("sequence")
    assert (entry.content["by"], entry.content["for"]) == ("gm", "romans")


def test_a_form_of_an_older_page_keeps_what_was_typed(challenge: GrandTable) -> None:
    old = seen_number(challenge, "roman")
    challenge.play("gm", "adjust", nation="romans", account="income", change=-50, reason="Post 12")
    page = challenge.post(
        "roman", "b/1/", move="respond", choice="withdraw", seen=old, sure="withdraw"
    )
    assert page.status_code == 409
    assert (
        "The table has moved on since you loaded this page: your move would now have other"
        " consequences." in visible_text(page)
    )
    assert "“Post 12”" in visible_text(page)
    assert re.search(r'value="withdraw" checked', page.content.decode())
    assert stored_contest(challenge)["status"] == "challenged"


# All readers --------------------------------------------------------------------------------------


@pytest.mark.long
def test_five_people_see_the_pages(siege: GrandTable) -> None:
    everybody = dict.fromkeys(("gm", "hun", "roman", "stranger", "nobody"), 200)
    assert siege.statuses("battles/") == everybody
    assert siege.statuses("b/1/") == everybody
    for who in ("hun", "roman", "stranger", "nobody"):
        assert "Enter the result" not in siege.text(
            who, "b/1/", by="shares", attacker="31", defender="46"
        )


@pytest.mark.parametrize(
    ("move", "allowed"),
    [
        ({"move": "respond", "choice": "accept"}, {"gm", "roman"}),
        ({"move": "respond", "choice": "withdraw", "sure": "withdraw"}, {"gm", "roman"}),
        ({"by": "shares", "attacker": "31", "defender": "46", "sure": "1"}, {"gm"}),
        ({"by": "winner", "side": "draw", "sure": "1"}, {"gm"}),
        ({"by": "called-off", "sure": "1"}, {"gm"}),
        ({"by": "forfeit", "side": "defender", "sure": "1"}, {"gm"}),
        ({"by": "shares", "attacker": "31", "defender": "46"}, {"gm"}),
    ],
)
@pytest.mark.parametrize("who", ["gm", "hun", "roman", "stranger", "nobody"])
def test_five_people_send_every_move(
    challenge: GrandTable, who: str, move: dict[str, str], allowed: set[str]
) -> None:
    before = challenge.campaign.entries.count()
    count = selectors.seen(challenge.campaign, challenge.people.get(who))
    response = challenge.post(who, "b/1/", seen=str(count), **move)
    acts = "sure" in move or move.get("choice") == "accept"
    if who in allowed:
        assert response.status_code == (302 if acts else 200)
    elif who == "nobody":
        assert (response.status_code, response["Location"].split("?")[0]) == (302, "/sign-in/")
    else:
        assert response.status_code == 403
    assert (challenge.campaign.entries.count() > before) == (who in allowed and acts)


def test_only_members_learn_of_a_battle_in_a_members_campaign(new_campaign: Any) -> None:
    table = new_campaign(visibility="members")
    table.play("gm", "start")
    assert table.statuses("battles/") == {
        "gm": 200,
        "hun": 200,
        "roman": 200,
        "stranger": 404,
        "nobody": 404,
    }


def test_hidden_hands_stay_hidden(new_campaign: Any) -> None:
    table = new_campaign(hands="hidden")
    table.play("gm", "start")
    table.play("gm", "give-card", nation="romans", card="scouts", reason="test")
    table.slot_to("huns")
    attack_dalmatia(table)
    assert "Scouts" in table.text("roman", "b/1/")
    for who in ("hun", "stranger", "nobody"):
        assert "Scouts" not in table.text(who, "b/1/")


def test_hostile_names_are_escaped(challenge: GrandTable) -> None:
    user = challenge.people["roman"]
    user.username, user.fog2_name = "<img src=x>", "<svg onload=1>"
    user.save()
    page = challenge.text("gm", "b/1/")
    assert "<img" not in page
    assert "<svg onload" not in page
    assert "&lt;img src=x&gt; (&lt;svg onload=1&gt;)" in page


def test_queries_do_not_grow_with_battles(siege: GrandTable) -> None:
    def count(who: str, path: str, **query: str) -> int:
        with CaptureQueriesContext(connection) as caught:
            assert siege.get(who, path, **query).status_code == 200
        return len(caught)

    siege.get("gm", "b/1/")
    assert (count("nobody", "battles/"), count("gm", "b/1/"), count("nobody", "b/1/")) == (4, 9, 6)
    for _ in range(2):
        siege.play("gm", "give-card", nation="huns", card="local-insurrection", reason="test")
        offers = siege.campaign.game.offers(selectors.position(siege.campaign), "huns")
        rising = next(offer for offer in offers if offer.key == "play-local-insurrection")
        siege.play("huns", "play", card="local-insurrection", province=rising.values("province")[0])
    assert len(selectors.position(siege.campaign).running) == 3
    siege.get("gm", "b/1/")
    assert (count("nobody", "battles/"), count("gm", "b/1/"), count("nobody", "b/1/")) == (4, 9, 6)


def test_a_title_without_its_own_pages_has_plain_ones(running: Any) -> None:
    running.play("bee", "duel")
    client, home = Client(), f"/c/{running.campaign.address}/"
    client.force_login(running.people["ant"])
    text = visible_text(client.get(home + "battles/"))
    assert "#1 The Bee against The Ant Heap , duel, turn 3 Challenged" in text
    text = visible_text(client.get(home + "b/1/"))
    assert "Battle 1 · turn 3 · duel Heap" in text
    assert "Make your moves here: The Ant" in text
    assert (
        client.post(home + "b/1/", {"move": "respond", "choice": "accept", "seen": "5"}).status_code
        == 404
    )


def primaries(page: str) -> list[str]:
    """Return the labels of the page's primary buttons."""
    return [
        visible_text(text).strip()
        for text in re.findall(
            r'<button class="button button--primary"[^>]*>(.*?)</button>', page, re.S
        )
    ]


def test_a_page_has_one_primary_button_at_a_time(siege: GrandTable) -> None:
    """Only the game master's current task has a primary button: an answer, a result or a ruling."""
    assert primaries(siege.text("gm", "b/1/")) == ["See the consequences"]
    assert primaries(siege.text("gm", "b/1/", by="shares", attacker="31", defender="46")) == [
        "Confirm the result"
    ]


def test_an_answer_for_a_seat_has_one_primary_button(challenge: GrandTable) -> None:
    assert primaries(challenge.text("gm", "b/1/")) == ["See the consequences"]
    assert primaries(challenge.text("gm", "b/1/", answer="1")) == ["Answer…"]
    assert primaries(challenge.text("gm", "b/1/", answer="1", by="winner")) == ["Answer…"]
    assert primaries(challenge.text("roman", "b/1/")) == ["Answer…"]
