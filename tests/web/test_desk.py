"""The game master's desk: what is waited for, results, the next turn, corrections, undo; and who may come here."""

from __future__ import annotations

import re
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from allauth.mfa.models import Authenticator
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from campaign import selectors
from tests.table import people, running, table, toy
from tests.web.contests import challenge, hun_attack, plain, seen, siege
from tests.web.five import Five, draft, five, found

__all__ = ["challenge", "draft", "five", "found", "people", "running", "siege", "table", "toy"]
UTC = ZoneInfo("UTC")
REASON = "The post of 4 March says so."


def do(table: Five, what: str, who: str = "gm", **typed: str) -> Any:
    return table.post(who, "desk/", do=what, **{"seen": str(selectors.seen(table.campaign, table.people.get(who))), **typed})


def correct(table: Five, fix: str, **typed: str) -> Any:
    return do(table, "correct", fix=fix, **typed)


def nation(table: Five, key: str = "romans") -> Any:
    table.campaign.refresh_from_db()
    return selectors.position(table.campaign).nations[key]


def last(table: Five) -> Any:
    return table.campaign.entries.latest("sequence")


# Who --------------------------------------------------------------------------------------------------------------------


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
        {"do": "undo", "entry": "1", "reason": REASON},
        {"do": "restore", "entry": "1", "reason": REASON},
    ],
)
def test_nobody_else_does_anything_there(five: Five, who: str, typed: dict[str, str]) -> None:
    before = five.campaign.entries.count()
    assert five.post(who, "desk/", seen="5", **typed).status_code == (302 if who == "nobody" else 403)
    assert five.campaign.entries.count() == before


# The turn ---------------------------------------------------------------------------------------------------------------


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
    assert "The campaign is finished." in text
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
    five.campaign.refresh_from_db()
    assert (five.campaign.turn, five.campaign.active_seat) == (2, opener)


def test_results_are_entered_by_two_shares(siege: Five) -> None:
    page = siege.text("gm", "desk/")
    assert "Results 1 unresolved #1 Huns against Romans Pannonia → Dalmatia In play Huns, % Romans, %" in plain(page)
    assert f'<form method="get" action="{siege.home}b/1/#report"' in page
    assert 'name="by" value="shares"' in page


def test_nothing_to_enter_and_no_die(five: Five) -> None:
    text = plain(five.get("gm", "desk/"))
    assert "No battle runs. An attack in a slot makes one." in text
    assert "Dice of turn 1" in text
    assert "Romans draw" in text


# Corrections ------------------------------------------------------------------------------------------------------------


def test_an_adjustment_shows_its_cascade_and_is_made_with_a_reason(five: Five) -> None:
    five.play("gm", "adjust", nation="romans", account="stability", change=1, reason="even")
    was = nation(five).stability
    typed = {"nation": "romans", "account": "stability", "change": str(3 - was)}
    shown = plain(correct(five, "adjust", look="1", **typed))
    assert f"Romans stability {was} → 3 (no covert attacks) stability at 3 or less §2.1 : prestige 6 → 5" in shown
    assert nation(five).stability == was
    refused = plain(correct(five, "adjust", reason="", **typed))
    assert f"Romans stability {was} → 3 (no covert attacks) stability at 3 or less §2.1 : prestige 6 → 5" in refused
    assert correct(five, "adjust", reason=REASON, **typed).status_code == 302
    assert (nation(five).stability, nation(five).prestige) == (3, 5)
    assert last(five).said == {"by": "gm", "move": "adjust", "nation": "romans", "account": "stability", "change": 3 - was,
                               "reason": REASON}  # fmt: skip


@pytest.mark.parametrize(
    ("fix", "typed"),
    [
        ("adjust", {"nation": "romans", "account": "income", "change": "−50"}),
        ("set-owner", {"province": "dalmatia", "owner": "huns"}),
        ("give-card", {"nation": "romans", "card": "spy"}),
        ("discard-card", {"nation": "romans", "card": "bodyguard"}),
    ],
)
def test_every_correction_needs_a_reason_and_is_made_with_one(five: Five, fix: str, typed: dict[str, str]) -> None:
    five.play("gm", "give-card", nation="romans", card="bodyguard", reason="test")
    before = five.campaign.entries.count()
    for reason in ({}, {"reason": ""}, {"reason": "   "}):
        response = correct(five, fix, **typed, **reason)
        assert response.status_code == 422
        assert "A correction needs a reason. Say what it repairs and cite the post." in plain(response)
        page = response.content.decode()
        for value in typed.values():
            assert f'value="{value}" selected' in page or f'value="{value.replace("−", "-")}"' in page
    assert five.campaign.entries.count() == before
    assert correct(five, fix, **typed, reason=REASON).status_code == 302
    assert last(five).said["reason"] == REASON
    assert REASON in plain(five.get("nobody", "log/"))


def test_corrections_do_what_they_say(five: Five) -> None:
    hand = list(nation(five).hand)
    assert correct(five, "give-card", nation="romans", card="spy", reason=REASON).status_code == 302
    assert sorted(nation(five).hand) == sorted([*hand, "spy"])
    assert correct(five, "discard-card", nation="romans", card="spy", reason=REASON).status_code == 302
    assert nation(five).hand == hand
    assert correct(five, "set-owner", province="dalmatia", owner="!nobody", reason=REASON).status_code == 302
    nation(five)
    assert selectors.position(five.campaign).owner["dalmatia"] is None
    assert correct(five, "adjust", nation="huns", account="actions", change="0,5", reason=REASON).status_code == 302
    assert last(five).said["change"] == 0.5


@pytest.mark.parametrize("change", ["", "0", "many", "1.5", "99999999999", "<i>"])
def test_a_change_that_is_none_comes_back_as_typed(five: Five, change: str) -> None:
    before = five.campaign.entries.count()
    response = correct(five, "adjust", nation="vandals", account="army", change=change, reason=REASON)
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
    response = correct(challenge, "adjust", nation="romans", account="actions", change="1", reason=REASON)
    assert "Actions can be adjusted only while the slot of the Romans is open. §3.2" in plain(response)


def test_an_address_shows_what_a_correction_would_do(five: Five) -> None:
    text = plain(five.get("gm", "desk/", fix="adjust", nation="huns", account="income", change="-100"))
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
    five.play("huns", "end-slot")
    typed = {"nation": "romans", "account": "army", "change": "40", "reason": REASON}
    response = do(five, "correct", fix="adjust", **typed, seen=old)
    assert response.status_code == 409
    assert "The table has moved on" in plain(response)
    assert "end the slot" in plain(response)
    assert REASON in plain(response)


# Undo -------------------------------------------------------------------------------------------------------------------


def test_undo_to_an_entry_and_restore(five: Five) -> None:
    five.play("huns", "build", structure="hamlets")
    stays = last(five).number
    five.play("huns", "build", structure="shrines")
    five.play("huns", "end-slot")
    shown = plain(do(five, "undo", entry=str(stays), look="1"))
    assert (
        f"2 entries are struck, {stays + 1} to {stays + 2}. They stay readable; up to entry {stays} everything stands." in shown
    )
    told = shown[shown.index("everything stands.") : shown.index("What falls?")]
    assert "Huns stability 7 → 6" in told, "what changes by it, before it is confirmed"
    assert told.index("end the slot") < told.index("build Shrines"), "what falls, the newest first"
    assert "build Hamlets" not in told
    assert nation(five, "huns").structures == ["hamlets", "shrines"]
    refused = do(five, "undo", entry=str(stays))
    assert refused.status_code == 422
    assert "Say why, in up to 1,000 characters" in plain(refused)
    assert f'<option value="{stays}" selected>' in refused.content.decode()
    assert do(five, "undo", entry=str(stays), reason=REASON).status_code == 302
    assert nation(five, "huns").structures == ["hamlets"]
    assert five.campaign.active_seat == "huns"
    undone = last(five).number
    assert REASON in plain(five.get("nobody", "log/"))
    text = plain(five.get("gm", "desk/"))
    assert f"The last undo, entry {undone}, struck 2 entries. Nothing was played since: it can be taken back." in text
    back = text[text.index("it can be taken back.") :]
    assert "Huns stability 6 → 7" in back
    assert back.index("end the slot") < back.index("build Shrines")
    assert do(five, "restore", entry=str(undone)).status_code == 422
    assert do(five, "restore", entry=str(undone), reason=REASON).status_code == 302
    assert nation(five, "huns").structures == ["hamlets", "shrines"]
    assert "The last undo" not in plain(five.get("gm", "desk/"))


def test_nothing_is_restored_once_something_was_played(five: Five) -> None:
    five.play("huns", "build", structure="hamlets")
    do(five, "undo", entry=str(last(five).number - 1), reason=REASON)
    number = last(five).number
    five.play("huns", "build", structure="shrines")
    assert "The last undo" not in plain(five.get("gm", "desk/"))
    response = do(five, "restore", entry=str(number), reason=REASON)
    assert response.status_code == 422
    assert "The campaign has gone on since." in plain(response)


@pytest.mark.parametrize("entry", ["", "x", "-1", "999999999999999999999"])
def test_an_entry_that_is_none_is_asked_for(five: Five, entry: str) -> None:
    response = do(five, "undo", entry=entry, reason=REASON)
    assert response.status_code == 422
    assert "Choose the entry after which everything is struck." in plain(response)
    assert REASON in plain(response)


def test_an_entry_that_is_not_there(five: Five) -> None:
    assert "The log has no entry 4000." in plain(do(five, "undo", entry="4000", look="1"))
    assert do(five, "undo", entry="4000", reason=REASON).status_code in (404, 422)


# Everything else --------------------------------------------------------------------------------------------------------


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
    assert "<script>alert" not in do(five, "undo", entry=evil, reason=evil).content.decode()


def test_queries_do_not_grow_with_the_log(five: Five) -> None:
    def count() -> int:
        with CaptureQueriesContext(connection) as caught:
            assert five.get("gm", "desk/").status_code == 200
        return len(caught)

    five.get("gm", "desk/")
    first = count()
    hun_attack(five)
    five.play("huns", "end-slot")
    assert (first, count()) == (11, 11)


def test_what_falls_is_told_with_one_query_more_however_far_back(five: Five, monkeypatch: pytest.MonkeyPatch) -> None:
    first = last(five).number
    five.play("huns", "build", structure="hamlets")
    five.play("huns", "build", structure="shrines")
    five.play("huns", "build", structure="bridges")
    five.get("gm", "desk/")
    for reach, most in ((120, 11), (2, 12)):
        monkeypatch.setattr("web.views.desk.LISTED", reach)
        with CaptureQueriesContext(connection) as caught:
            text = plain(five.get("gm", "desk/", entry=str(first)))
        assert len(caught) <= most, reach
        assert f"3 entries are struck, {first + 1} to {first + 3}." in text
        assert "Huns stability 7 → 6 , prestige 7 → 6 , income 550t → 450t" in text, reach
        assert ("and 1 before these" in text) == (reach == 2)


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


# What is wrong stands where it is wrong ----------------------------------------------------------------------------------


def invalid(response: Any) -> list[str]:
    """The fields marked as wrong: their ids; each has the focus and its error beside it."""
    page = response.content.decode()
    found = re.findall(r'<(?:select|textarea|input)[^>]* id="([^"]+)"[^>]*aria-invalid="true"[^>]*>', page)
    for ident in found:
        (tag,) = re.findall(rf'<[^>]* id="{ident}"[^>]*>', page)
        assert "autofocus" in tag
        assert f"{ident}-error" in tag or "undo-error" in tag
        assert re.search(rf'id="(?:{ident}-error|undo-error)"', page)
    return found


def test_a_correction_without_its_number_names_the_field(five: Five) -> None:
    response = correct(five, "adjust", nation="vandals", account="army", change="", reason=REASON)
    assert response.status_code == 422
    assert invalid(response) == ["f-adjust-change"]
    text = plain(response)
    assert "Change: type a number first." in text
    assert "Something is missing" not in text
    assert REASON in text
    assert '<option value="vandals" selected>' in response.content.decode()
    assert invalid(correct(five, "adjust", nation="romans", account="army", change="50")) == ["f-adjust-reason"]


def test_a_change_that_is_no_number_stays_typed(five: Five) -> None:
    response = correct(five, "adjust", nation="vandals", account="army", change="many", reason=REASON)
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
    assert 'maxlength="1000"' in re.search(r'<textarea[^>]*id="f-adjust-reason"[^>]*>', response.content.decode())[0]
    assert correct(five, "adjust", **typed, reason="x" * 998 + "\r\n" + "y").status_code == 302, "a line break is one character"
    assert last(five).said["reason"] == "x" * 998 + "\n" + "y"


def test_undo_and_restore_say_beside_the_reason_that_it_is_missing(five: Five) -> None:
    five.play("huns", "build", structure="hamlets")
    stays = str(last(five).number - 1)
    assert "1 entry is struck" in plain(do(five, "undo", entry=stays, look="1"))
    assert "It stays readable; up to" in plain(do(five, "undo", entry=stays, look="1"))
    assert invalid(do(five, "undo", entry=stays)) == ["f-undo-reason"]
    assert invalid(do(five, "undo", entry="", reason=REASON)) == ["f-entry"]
    assert do(five, "undo", entry=stays, reason=REASON).status_code == 302
    refused = do(five, "restore", entry=str(last(five).number))
    assert invalid(refused) == ["f-restore-reason"]
    assert plain(refused).count("Say why, in up to 1,000 characters") == 1


def test_before_the_start_there_is_nothing_to_undo(draft: Five) -> None:
    page = draft.text("gm", "desk/")
    assert "There is nothing to undo." in plain(page)
    assert 'id="f-entry"' not in page
    assert 'href="#undo"' not in page


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


# The campaign's life -----------------------------------------------------------------------------------------------------


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
