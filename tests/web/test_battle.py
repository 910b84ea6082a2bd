"""Battles: the list, the page, answering through the form, entering results with all that follows shown before."""

from __future__ import annotations

import html
import re
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from campaign import selectors
from tests.table import people, running, table, toy
from tests.web.five import Five, draft, five, found

__all__ = ["draft", "five", "found", "people", "running", "table", "toy"]


def plain(response: Any) -> str:
    """The words of a page, tags and runs of space taken away."""
    text = response if isinstance(response, str) else response.content.decode()
    text = re.sub(r"<(script|style)\b.*?</\1>|<[^>]+>", " ", text, flags=re.S)
    return re.sub(r"\s+", " ", html.unescape(text))


def seen(table: Five, who: str = "gm") -> str:
    return str(selectors.seen(table.campaign, table.people[who]))


def answer(table: Five, who: str, number: int, choice: str, **more: Any) -> Any:
    return table.post(who, f"b/{number}/", move="respond", choice=choice, seen=seen(table, who), **more)


def result(table: Five, number: int, by: str, *, sure: bool = True, who: str = "gm", **typed: str) -> Any:
    more = {"sure": "1"} if sure else {}
    return table.post(who, f"b/{number}/", by=by, seen=seen(table, who), **typed, **more)


def known(table: Five, number: int = 1) -> Any:
    table.campaign.refresh_from_db()
    return table.campaign.game.rows(selectors.position(table.campaign)).contests[number]


def hun_attack(table: Five, **more: Any) -> None:
    table.play("huns", "attack", kind="land", **{"from": "pannonia", "target": "dalmatia"}, **more)


def to_turn(table: Five, turn: int, deeds: dict[str, list[tuple[str, dict[str, str]]]]) -> None:
    """Go on to this turn; each nation does its deeds in the first slot it has."""
    while table.campaign.turn < turn:
        if table.campaign.phase == "closed":
            table.play("gm", "open-turn")
            continue
        seat = table.campaign.active_seat
        for move, given in deeds.pop(seat, ()):
            table.play(seat, move, **given)
        table.play(seat, "end-slot")


@pytest.fixture
def challenge(five: Five) -> Five:
    """The Huns attack Dalmatia; the Romans have not answered."""
    hun_attack(five)
    return five


@pytest.fixture
def siege(five: Five) -> Five:
    """The Huns, with a siege train, are at the Walls of Dalmatia, accepted. All at 6, 6, 450t, 1600 points."""
    to_turn(five, 2, {"romans": [("fortify", {"province": "dalmatia"})] * 2})
    five.slot_to("huns")
    position = selectors.position(five.campaign)
    for nation in ("huns", "romans"):
        for account, level in (("stability", 6), ("prestige", 6), ("income", 450), ("army", 1600)):
            change = level - getattr(position.nations[nation], account)
            if change:
                five.play("gm", "adjust", nation=nation, account=account, change=change, reason="even")
    if position.nations["huns"].actions < 3:
        five.play("gm", "adjust", nation="huns", account="actions", change=2, reason="even")
    five.play("huns", "siege-train")
    hun_attack(five, siege_train=True)
    five.play("romans", "respond", attack=1, choice="accept")
    return five


# The list -------------------------------------------------------------------------------------------------------------


def test_no_battle_yet(five: Five) -> None:
    text = plain(five.get("stranger", "battles/"))
    assert "Running battles 0 unresolved No battle runs. An attack in a slot makes one." in text
    assert "Resolved" not in text


def test_all_battles_running_first_each_with_its_state_in_a_word(siege: Five) -> None:
    text = plain(siege.get("nobody", "battles/"))
    assert "#1 Huns against Romans Pannonia → Dalmatia , land attack, turn 2 In play Ingrid and Benedetto play" in text
    result(siege, 1, "winner", side="defender")
    text = plain(siege.get("nobody", "battles/"))
    assert "0 unresolved" in text
    assert "Resolved 1 in all, the latest first #1 Huns against Romans" in text
    assert "Romans won" in text


# The page -------------------------------------------------------------------------------------------------------------


def test_the_page_of_a_challenge(challenge: Five) -> None:
    text = plain(challenge.get("nobody", "b/1/"))
    assert "Battle 1 · turn 1 · land attack Pannonia → Dalmatia" in text
    assert "Answer awaited Report Challenged today" in text
    assert "Ingrid Answered awaited In play Resolved Benedetto to answer." in text
    assert "Attacker Huns Ingrid · Hunnic (Western) 376-454 AD 1600 points army as launched §3.13" in text
    assert "Defender Romans Benedetto · Roman 425-492 AD 1600 points army as launched §3.13" in text
    assert "Set-up sheet as launched; the answer may change it Copy" in text
    assert "Side A Ingrid, Hunnic (Western) 376-454 AD, 1600 points" in text
    assert "Huns attack Dalmatia from Pannonia (land attack, open battle)" in text
    assert "Enter the result" not in text
    assert "Answer the challenge" not in text


def test_the_walls_and_the_train_stand_with_their_sides(siege: Five) -> None:
    text = plain(siege.get("roman", "b/1/"))
    assert "With a siege train : fortifications less 20 §9.7" in text
    assert "The province stands behind Walls §9.7" in text
    assert f'href="{siege.home}reports/battle-1/"' in siege.text("roman", "b/1/")
    assert siege.get("roman", "reports/battle-1/").status_code == 200
    assert "How it was answered" in text
    assert "Accept 1600 points against 1600 §7.8" in text


def test_no_such_battle(challenge: Five) -> None:
    assert challenge.statuses("b/2/") == dict.fromkeys(("gm", "hun", "roman", "stranger", "nobody"), 404)
    assert challenge.get("gm", "b/99999999999999999999/").status_code == 404


# Answering ------------------------------------------------------------------------------------------------------------


def test_the_challenged_sees_the_three_answers_and_what_follows(challenge: Five) -> None:
    text = plain(challenge.get("roman", "b/1/"))
    assert "Accept 1600 points against 1600, open battle" in text
    assert "Withdraw Dalmatia is lost, income −50t, no battle effects §9.10" in text
    assert "Escort The Romans cannot force an escort against this army. §7.8" in text
    page = challenge.text("roman", "b/1/")
    assert re.search(r'value="escort" disabled', page)
    for who in ("hun", "stranger", "nobody"):
        assert "Answer the challenge" not in challenge.text(who, "b/1/")


def test_an_acceptance_is_said_at_once(challenge: Five) -> None:
    response = answer(challenge, "roman", 1, "accept")
    assert (response.status_code, response["Location"]) == (302, challenge.home + "b/1/")
    assert (known(challenge)["status"], known(challenge)["answer"]) == ("fighting", "accept")
    text = plain(challenge.get("roman", "b/1/"))
    assert "Answered today" in text
    assert "accepted In play Resolved Ingrid and Benedetto play." in text


def test_a_withdrawal_is_shown_before_it_is_done(challenge: Five) -> None:
    response = answer(challenge, "roman", 1, "withdraw")
    text = plain(response)
    assert response.status_code == 200
    assert known(challenge)["status"] == "challenged"
    assert "Withdraw? The province is given up at once." in text
    assert "Withdraw now" in text
    assert "income 450t → 400t" in text
    assert answer(challenge, "roman", 1, "withdraw", sure="1").status_code == 302
    assert known(challenge)["outcome"] == "withdrawn"
    text = plain(challenge.get("nobody", "b/1/"))
    assert "Defender withdrew" in text
    assert "Withdraw the province is given up without a battle §9.10" in text


def test_cards_go_with_the_answer_and_none_with_a_withdrawal(challenge: Five) -> None:
    for card in ("reinforcements", "scouts", "naval-technology"):
        challenge.play("gm", "give-card", nation="romans", card=card, reason="test")
    text = plain(challenge.get("roman", "b/1/"))
    assert "Reinforcements +50 points for this battle §4.13" in text
    assert "Naval Technology Naval Technology needs an encounter at sea, and none is to come. §4.11" in text
    answer(challenge, "roman", 1, "accept", cards=["reinforcements", "scouts"])
    assert known(challenge)["cards_defender"] == ["reinforcements", "scouts"]
    text = plain(challenge.get("roman", "b/1/"))
    assert "1650 points 1600 as launched and 50 by card §3.13" in text
    assert "Accept with Reinforcements and Scouts. 1650 points against 1600" in text
    assert "Terrain chosen by Benedetto, Scouts §4.15" in text


def test_an_escort_is_tried_after_the_odds_are_shown(five: Five) -> None:
    five.slot_to("romans") if five.campaign.active_seat != "romans" else None
    five.play("romans", "attack", kind="land", **{"from": "dalmatia", "target": "pannonia"})
    text = plain(five.get("hun", "b/1/"))
    assert "Escort d6: on 5–6 an escort baggage train with you as its attacker, else open battle §7.8" in text
    shown = plain(answer(five, "hun", 1, "escort"))
    assert "escort forced, about 33%" in shown
    assert "no escort, about 67%" in shown
    assert answer(five, "hun", 1, "escort", sure="1").status_code == 302
    forced = known(five)["battle"] == "escort-baggage-train"
    text = plain(five.get("nobody", "b/1/"))
    assert ("Escort forced: an escort baggage train" if forced else "Escort not forced: played as launched") in text


def test_an_answer_that_cannot_be_comes_back(challenge: Five) -> None:
    response = challenge.post("roman", "b/1/", move="respond", seen=seen(challenge, "roman"))
    assert response.status_code == 422
    assert "Choose an answer first. §7.8" in plain(response)
    response = answer(challenge, "roman", 1, "escort")
    assert response.status_code == 422
    assert "The Romans cannot force an escort against this army. §7.8" in plain(response)
    response = answer(challenge, "roman", 1, "accept", cards=["scouts", "<b>x</b>"])
    assert response.status_code == 422
    assert "<b>x" not in response.content.decode()


def test_the_game_master_answers_for_the_challenged(challenge: Five) -> None:
    assert "Answer for him…" in plain(challenge.get("gm", "b/1/"))
    assert "as game master" in plain(challenge.get("gm", "b/1/", answer="1"))
    assert answer(challenge, "gm", 1, "accept").status_code == 302
    entry = challenge.campaign.entries.latest("sequence")
    assert (entry.said["by"], entry.said["for"]) == ("gm", "romans")


def test_a_table_that_has_moved_on_keeps_what_was_typed(challenge: Five) -> None:
    old = seen(challenge, "roman")
    challenge.play("huns", "end-slot")
    page = challenge.post("roman", "b/1/", move="respond", choice="accept", seen=old)
    assert page.status_code == 409
    assert "The table has moved on" in plain(page)
    assert "end the slot" in plain(page)
    assert re.search(r'value="accept" checked', page.content.decode())
    assert known(challenge)["status"] == "challenged"


# Results --------------------------------------------------------------------------------------------------------------


def test_9_7_31_46_before_the_walls_with_a_train_shows_30_and_70_before_and_applies_after(siege: Five) -> None:
    page = siege.get("gm", "b/1/", by="shares", attacker="31", defender="46")
    text = plain(page)
    assert "The Huns win. Romans 45% or more §9.1" in text
    assert 'aria-label="Routed 31 and 46 per cent: Huns win"' in page.content.decode()
    assert "held, 30%" in text
    assert "taken, 70%" in text
    assert "Stability 6 → 7" in text
    assert "Army 1600 → 1630" in text
    assert "VP 0 → 1 0 → 3" in text
    assert "Siege train §9.9 destroyed stays" in text
    assert "Dalmatia §9.8 stays with the Romans to the Huns, Walls lost" in text
    assert known(siege)["status"] == "fighting"
    response = result(siege, 1, "shares", attacker="31", defender="46")
    assert (response.status_code, response["Location"]) == (302, siege.home + "b/1/")
    assert (known(siege)["outcome"], known(siege)["siege"]) == ("attacker", "taken")
    text = plain(siege.get("nobody", "b/1/"))
    assert "Huns won, the province taken" in text
    assert "Routed 31–46. The Huns win. Romans 45% or more. §9.1" in text
    assert "96 Dalmatia: siege d100" in text
    assert "What followed" in text
    assert "Huns stability 6 → 7 , prestige 6 → 7 , VP 0 → 3 , army 1600 → 1630 , income 450t → 500t" in text
    assert "Siege: succeeds §9.7 Dalmatia: to the Huns, Walls lost §9.8" in text


def test_a_result_is_shown_first_where_it_is_not_confirmed(siege: Five) -> None:
    assert "taken, 70%" in plain(result(siege, 1, "shares", sure=False, attacker="31", defender="46"))
    assert known(siege)["status"] == "fighting"


@pytest.mark.parametrize(("attacker", "defender"), [("", "46"), ("101", "46"), ("<b>", "46"), ("-1", "3")])
def test_shares_that_are_none_come_back_as_typed(siege: Five, attacker: str, defender: str) -> None:
    response = result(siege, 1, "shares", attacker=attacker, defender=defender)
    text = response.content.decode()
    assert response.status_code == 422
    assert "Two shares are asked for, each from 0 to 100 per cent" in text
    assert f'value="{html.escape(attacker)}"' in text
    assert 'value="46"' in text or defender != "46"
    assert known(siege)["status"] == "fighting"


def test_9_1_halves_are_typed_with_comma_or_point(siege: Five) -> None:
    result(siege, 1, "shares", attacker="44,5", defender="45.5")
    assert known(siege)["outcome"] == "attacker"
    assert "Routed 44.5–45.5." in plain(siege.get("hun", "b/1/"))


def test_9_1_a_module_takes_no_shares(five: Five) -> None:
    hun_attack(five, battle="remove-the-head")
    five.play("romans", "respond", attack=1, choice="accept")
    text = plain(five.get("gm", "b/1/"))
    assert "Remove the Head has no house rule: enter the winner as the game gave it. §9.1" in text
    assert "See what follows" in text
    response = result(five, 1, "shares", attacker="31", defender="46")
    assert response.status_code == 422
    assert "Remove the Head has no house rule: report the winner as the game gave it. §9.1" in plain(response)
    assert five.get("gm", "b/1/", by="called-off").status_code == 200
    assert result(five, 1, "called-off").status_code == 422
    assert known(five)["status"] == "fighting"
    assert result(five, 1, "winner", side="attacker").status_code == 302
    assert known(five)["outcome"] == "attacker"


def test_9_6_a_battle_called_off_is_a_draw(siege: Five) -> None:
    text = plain(siege.get("gm", "b/1/", by="called-off"))
    assert "No close combat of non-light troops in the first 6 turns: a draw §9.1" in text
    assert "income 450t → 475t" in text
    assert "income 450t → 425t" in text
    assert result(siege, 1, "called-off").status_code == 302
    assert known(siege)["outcome"] == "draw"
    assert "Enters the result of #1 Dalmatia: called off." in plain(siege.get("nobody", "b/1/"))


def test_10_a_forfeit(siege: Five) -> None:
    text = plain(siege.get("gm", "b/1/", by="forfeit", side="attacker"))
    assert "The side that loses it §10" in text
    assert "Attribute the battle" in text
    assert result(siege, 1, "forfeit", side="attacker").status_code == 302
    assert known(siege)["outcome"] == "defender"
    assert result(siege, 1, "forfeit", side="attacker").status_code == 422


def test_a_choice_left_open_is_asked_for(siege: Five) -> None:
    assert "Choose who: without that there is no result." in plain(result(siege, 1, "winner"))
    assert "Choose who: without that there is no result." in plain(result(siege, 1, "forfeit", side="draw"))
    assert known(siege)["status"] == "fighting"


@pytest.fixture
def voyage(five: Five) -> Five:
    """An amphibious attack on a Roman province with a fleet, not answered."""
    position = selectors.position(five.campaign)
    own = {key for key, owner in position.owner.items() if owner == "vandals"}
    start, target = next(
        (a, b) for a in sorted(own) for b in position.scenario.sea.get(a, ())
        if position.owner[b] == "romans" and b not in position.scenario.land[a]
    )  # fmt: skip
    five.play("gm", "give-card", nation="romans", card="naval-technology", reason="test")
    to_turn(five, 3, {"vandals": [("fleet", {"province": start})], "romans": [("fleet", {"province": target})]})
    five.slot_to("vandals")
    five.play("gm", "adjust", nation="vandals", account="actions", change=2, reason="test")
    five.play("vandals", "attack", kind="amphibious", **{"from": start, "target": target})
    return five


def test_8_1_the_encounter_comes_before_a_report_on_an_unanswered_challenge(voyage: Five) -> None:
    text = plain(voyage.get("gm", "b/1/", by="shares", attacker="31", defender="46"))
    assert "The challenge is not answered: a result counts as accepted first. §9.1" in text
    assert "The encounter at sea is rolled before; where it ends the attack, no result is entered. §8.1" in text
    assert "encounter won, about 50% encounter lost, about 50% encounter even, 1%" in text
    assert "Carthaginiensis §8.1 stays with the Vandals fleet lost stays with the Vandals" in text
    assert "Accept An encounter at sea first; won by them, 1600 points against" in plain(voyage.get("roman", "b/1/"))
    before = voyage.campaign.entries.count()
    response = result(voyage, 1, "shares", attacker="31", defender="46")
    assert response.status_code == 302
    # The acceptance with its dice stands, whatever became of the result.
    ended = known(voyage)["outcome"] == "naval-repulse"
    assert voyage.campaign.entries.count() == before + (1 if ended else 2)
    assert known(voyage)["encountered"] is True
    text = plain(voyage.get("gm", "b/1/"))
    assert ("there is no battle to report" if ended else "Enters the result of #1".lower()) in text.lower()


def test_8_2_a_naval_battle_replaces_encounter_and_battle(voyage: Five) -> None:
    text = plain(voyage.get("gm", "b/1/", by="naval", side="draw"))
    assert "Winner of the naval battle §8.2" in text
    assert result(voyage, 1, "naval", side="attacker").status_code == 302
    assert (known(voyage)["outcome"], known(voyage)["naval"]) == ("attacker", True)
    assert not voyage.campaign.entries.latest("sequence").rolls.exists()
    assert "In play at sea" in plain(voyage.get("nobody", "b/1/"))


# Everybody ------------------------------------------------------------------------------------------------------------


def test_five_people_see_the_pages(siege: Five) -> None:
    everybody = dict.fromkeys(("gm", "hun", "roman", "stranger", "nobody"), 200)
    assert siege.statuses("battles/") == everybody
    assert siege.statuses("b/1/") == everybody
    for who in ("hun", "roman", "stranger", "nobody"):
        assert "Enter the result" not in siege.text(who, "b/1/", by="shares", attacker="31", defender="46")


@pytest.mark.parametrize(
    ("move", "allowed"),
    [
        ({"move": "respond", "choice": "accept"}, {"gm", "roman"}),
        ({"move": "respond", "choice": "withdraw", "sure": "1"}, {"gm", "roman"}),
        ({"by": "shares", "attacker": "31", "defender": "46", "sure": "1"}, {"gm"}),
        ({"by": "winner", "side": "draw", "sure": "1"}, {"gm"}),
        ({"by": "called-off", "sure": "1"}, {"gm"}),
        ({"by": "forfeit", "side": "defender", "sure": "1"}, {"gm"}),
        ({"by": "shares", "attacker": "31", "defender": "46"}, {"gm"}),
    ],
)
@pytest.mark.parametrize("who", ["gm", "hun", "roman", "stranger", "nobody"])
def test_five_people_and_every_move(challenge: Five, who: str, move: dict[str, str], allowed: set[str]) -> None:
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


def test_for_members_only_nobody_else_learns_of_it(found: Any) -> None:
    table = found(visibility="members")
    table.play("gm", "start")
    assert table.statuses("battles/") == {"gm": 200, "hun": 200, "roman": 200, "stranger": 404, "nobody": 404}


def test_hidden_hands_stay_hidden(found: Any) -> None:
    table = found(hands="hidden")
    table.play("gm", "start")
    table.play("gm", "give-card", nation="romans", card="scouts", reason="test")
    table.slot_to("huns")
    hun_attack(table)
    assert "Scouts" in table.text("roman", "b/1/")
    for who in ("hun", "stranger", "nobody"):
        assert "Scouts" not in table.text(who, "b/1/")


def test_hostile_names_are_escaped(challenge: Five) -> None:
    user = challenge.people["roman"]
    user.username, user.fog2_name = "<img src=x>", "<svg onload=1>"
    user.save()
    page = challenge.text("gm", "b/1/")
    assert "<img" not in page
    assert "<svg onload" not in page
    assert "&lt;img src=x&gt; (&lt;svg onload=1&gt;)" in page


def test_queries_do_not_grow_with_battles(siege: Five) -> None:
    def count(who: str, path: str, **query: str) -> int:
        with CaptureQueriesContext(connection) as caught:
            assert siege.get(who, path, **query).status_code == 200
        return len(caught)

    siege.get("gm", "b/1/")
    assert (count("nobody", "battles/"), count("gm", "b/1/"), count("nobody", "b/1/")) == (5, 14, 9)
    for _ in range(2):
        siege.play("gm", "give-card", nation="huns", card="local-insurrection", reason="test")
        offers = siege.campaign.game.offers(selectors.position(siege.campaign), "huns")
        rising = next(offer for offer in offers if offer.key == "play-local-insurrection")
        siege.play("huns", "play", card="local-insurrection", province=rising.values("province")[0])
    assert len(selectors.position(siege.campaign).running) == 3
    assert (count("nobody", "battles/"), count("gm", "b/1/"), count("nobody", "b/1/")) == (5, 14, 9)


def test_a_title_without_pages_of_its_own_has_plain_ones(running: Any) -> None:
    running.say("bee", "duel")
    client, home = Client(), f"/c/{running.campaign.address}/"
    client.force_login(running.people["ant"])
    text = plain(client.get(home + "battles/"))
    assert "#1 The Bee against The Ant Heap , duel, turn 3 Challenged" in text
    text = plain(client.get(home + "b/1/"))
    assert "Battle 1 · turn 3 · duel Heap" in text
    assert "Act on the page of The Ant ." in text
    assert client.post(home + "b/1/", {"move": "respond", "choice": "accept", "seen": "5"}).status_code == 404
