"""The game master's desk: open tasks, results, the next turn, the campaign's life, and access."""

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
from notices.models import Notice
from notices.present import Present
from notices.registry import KINDS
from notices.wording import notices_in_words
from tests.table import people, running, table, toy
from tests.web.battles.test_claims import claimed
from tests.web.contests import attack_dalmatia, challenge, siege, visible_text
from tests.web.desk import REASON, last_entry, post_correction, post_to_desk, post_undo
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
UTC = ZoneInfo("UTC")


# Access -------------------------------------------------------------------------------------------


def test_only_the_game_master_comes_to_the_desk(grand_table: GrandTable) -> None:
    assert grand_table.statuses("desk/") == {
        "gm": 200,
        "hun": 403,
        "roman": 403,
        "stranger": 403,
        "nobody": 302,
    }
    assert "Only the game master may do this." in visible_text(grand_table.get("hun", "desk/"))


@pytest.mark.parametrize("who", ["hun", "roman", "stranger", "nobody"])
@pytest.mark.parametrize(
    "typed",
    [
        {
            "do": "correct",
            "fix": "adjust",
            "nation": "huns",
            "account": "income",
            "change": "50",
            "reason": REASON,
        },
        {
            "do": "correct",
            "fix": "set-owner",
            "province": "italia",
            "owner": "huns",
            "reason": REASON,
        },
        {"do": "correct", "fix": "give-card", "nation": "huns", "card": "spy", "reason": REASON},
        {"do": "correct", "fix": "discard-card", "nation": "huns", "card": "spy", "reason": REASON},
        {"do": "turn", "move": "open-turn"},
    ],
)
def test_only_the_game_master_acts_at_the_desk(
    grand_table: GrandTable, who: str, typed: dict[str, str]
) -> None:
    before = grand_table.campaign.entries.count()
    assert grand_table.post(who, "desk/", seen="5", **typed).status_code == (
        302 if who == "nobody" else 403
    )
    assert grand_table.campaign.entries.count() == before


# The turn -----------------------------------------------------------------------------------------


def test_the_start_of_the_campaign(draft: GrandTable) -> None:
    text = visible_text(draft.get("gm", "desk/"))
    assert (
        "You: Start the campaign waits for you Post the announcement with the commitment of the"
        " dice" in text
    )
    assert "A d6 decides which nation opens turn 1. §1.2 6 cards are drawn, d100 each. §1.3" in text
    assert "Waiting for players" not in text
    assert "From then on, the scenario, the options and the seed cannot change." in text
    assert "Free: Hephtalites, Kushans, Sassanids, Vandals." in text
    assert post_to_desk(draft, "turn", move="start", unannounced="1").status_code == 302
    assert last_entry(draft).content == {"by": "gm", "move": "start"}


def test_the_desk_shows_open_tasks_with_players_and_times(challenge: GrandTable) -> None:
    page = challenge.text("gm", "desk/")
    text = visible_text(page)
    assert (
        "Waiting for players 2 tasks Remind all 2… Ingrid play the turn Huns, since today" in text
    )
    assert "Benedetto answer the attack on Dalmatia #1 Pannonia → Dalmatia since today" in text
    assert "next to play; then" in text
    assert f'href="{challenge.home}n/huns/">Play…<span' in page
    assert f'href="{challenge.home}b/1/?answer=1#answer">Answer…<span' in page
    challenge.play("romans", "respond", attack=1, choice="accept")
    page = challenge.text("gm", "desk/")
    assert "Ingrid and Benedetto play the battle of Dalmatia #1" in visible_text(page)
    assert f'href="{challenge.home}b/1/#report">Result…<span' in page


def test_since_when_is_the_entry_that_made_it_wait(challenge: GrandTable) -> None:
    launched = last_entry(challenge)
    page = challenge.text("gm", "desk/")
    opened = [
        e
        for e in challenge.campaign.entries.all()
        if '"opened"' in e.effects and '"holder":"huns"' in e.effects
    ][-1]
    stamps = re.findall(r'w1__what">.*?datetime="([^"]+)"', page, flags=re.S)
    assert [stamp[:19] for stamp in stamps[:2]] == [
        at.astimezone(UTC).isoformat(timespec="seconds")[:19] for at in (opened.at, launched.at)
    ]


def test_1_3_the_next_turn_is_refused_with_its_reason(challenge: GrandTable) -> None:
    left = len(selectors.view(challenge.campaign, None)["order"]) - selectors.view(
        challenge.campaign, None
    )["order"].index("huns")
    text = visible_text(challenge.get("gm", "desk/"))
    assert (
        f"Open turn 2 {left} players must still end their turns, 1 battle must still be resolved "
        "§1.3" in text
    )
    assert re.search(r"disabled>Open turn 2</button>", challenge.text("gm", "desk/"))
    response = post_to_desk(challenge, "turn", move="open-turn")
    assert response.status_code == 422
    assert "Turn 1 is still open. Wait until it closes." in visible_text(response)
    assert post_to_desk(challenge, "turn", move="adjust").status_code == 422


def test_1_3_after_the_last_turn_none_opens(grand_table: GrandTable) -> None:
    while grand_table.campaign.turn < 6:
        if grand_table.campaign.phase == "closed":
            grand_table.play("gm", "open-turn")
        else:
            grand_table.play(grand_table.campaign.active_seat, "end-slot")
    text = visible_text(grand_table.get("gm", "desk/"))
    assert "Before the campaign ends: 6 players must still end their turns §1.3" in text
    assert "Open turn 7" not in text
    assert "Move for a nation" in text
    assert "Steps of turn 6" in text
    while grand_table.campaign.phase != "finished":
        grand_table.play(grand_table.campaign.active_seat, "end-slot")
    text = visible_text(grand_table.get("gm", "desk/"))
    assert (
        "The campaign has ended Final standings There are no more tasks or deadlines. An "
        "undo reopens the campaign."
    ) in text
    assert "waits for" not in text, "an empty list of things"
    assert "No battle is running." not in text
    assert "Move for a nation" not in text, "no nation may make one"


def test_the_next_turn_opens_after_its_effects_are_shown(grand_table: GrandTable) -> None:
    while grand_table.campaign.phase != "closed":
        grand_table.play(grand_table.campaign.active_seat, "end-slot")
    opener = selectors.view(grand_table.campaign, None)["order"][1]
    text = visible_text(grand_table.get("gm", "desk/"))
    assert (
        "You: Open turn 2 waits for you 6 cards are drawn, d100 each. §1.3 6 random events are"
        " rolled. §1.3" in text
    )
    steps = (
        "Turn 1 opened , done Players’ turns: 6 of 6 ended , done All battles resolved "
        ", done Open the next"
    )
    assert f"Steps of turn 1 Help {steps}" in text
    assert (
        f"The turn of the {opener.capitalize()} begins. §1.2 The key of turn 1 is published."
        in text
    )
    assert post_to_desk(grand_table, "turn", move="open-turn").status_code == 302
    assert "Game master opens the next turn." in visible_text(grand_table.text("gm", "desk/"))
    grand_table.campaign.refresh_from_db()
    assert (grand_table.campaign.turn, grand_table.campaign.active_seat) == (2, opener)


def test_results_are_entered_by_two_shares(siege: GrandTable) -> None:
    page = siege.text("gm", "desk/")
    assert (
        "#1 Pannonia → Dalmatia #1, Huns: percentage routed #1, Romans: percentage routed Ingrid "
        "and Benedetto are playing"
    ) in visible_text(page)
    typed = {"a-1": "31", "d-1": "46"}
    shown = post_to_desk(siege, "results", **typed)
    assert "The Huns win. §9.1 entered, not applied" in visible_text(shown)
    assert "Consequences of #1" in visible_text(shown)
    assert "Apply 1 result" in visible_text(shown)
    assert selectors.position(siege.campaign).running, "shown, not applied"
    assert post_to_desk(siege, "results", sure="1:30:46", **typed).status_code == 200, (
        "what was not shown is shown first"
    )
    assert post_to_desk(siege, "results", sure="1:31:46", **typed).status_code == 302
    assert last_entry(siege).content["routed"] == {"attacker": 31, "defender": 46}
    assert "No battle is running." in visible_text(siege.get("gm", "desk/"))


@pytest.mark.parametrize("seen", ["", "999"])
def test_results_that_fit_no_page_are_refused_and_stay(siege: GrandTable, seen: str) -> None:
    typed = {"a-1": "31", "d-1": "46", "sure": "1:31:46", "seen": seen}
    refused = post_to_desk(siege, "results", **typed)
    assert refused.status_code == 409
    assert "This form does not fit the table as you see it now." in visible_text(refused)
    assert 'value="31"' in refused.content.decode()
    assert selectors.position(siege.campaign).running


def test_an_invalid_result_is_reported_in_its_row(siege: GrandTable) -> None:
    refused = post_to_desk(siege, "results", **{"a-1": "31", "d-1": "many"})
    assert refused.status_code == 422
    assert "Give two shares, each from 0 to 100 per cent of that side’s own army." in visible_text(
        refused
    )
    assert (
        'value="many" aria-invalid="true" aria-describedby="q-1-error"' in refused.content.decode()
    )
    assert "First enter two numbers in one row." in visible_text(post_to_desk(siege, "results"))


def test_nothing_to_enter(grand_table: GrandTable) -> None:
    text = visible_text(grand_table.get("gm", "desk/"))
    assert "No battle is running. An attack during a turn starts a battle." in text


# Everything else ----------------------------------------------------------------------------------


def test_hostile_text_is_escaped(grand_table: GrandTable) -> None:
    evil = "<script>alert(1)</script>"
    assert (
        post_correction(
            grand_table, "adjust", nation="romans", account="income", change="50", reason=evil
        ).status_code
        == 302
    )
    user = grand_table.people["roman"]
    user.username = "<img src=x>"
    user.save()
    page = grand_table.text("gm", "desk/")
    assert "<script>alert" not in page
    assert "<img" not in page
    response = post_correction(
        grand_table, "adjust", nation=evil, account=evil, change=evil, reason=evil
    )
    assert response.status_code == 422
    assert "<script>alert" not in response.content.decode()
    assert post_to_desk(grand_table, evil).status_code == 200
    assert "<script>alert" not in post_undo(grand_table, entry=evil, reason=evil).content.decode()


def test_queries_do_not_grow_with_the_log(grand_table: GrandTable) -> None:
    def count() -> int:
        grand_table.get("gm", "desk/")  # this marks notices as read
        with CaptureQueriesContext(connection) as caught:
            assert grand_table.get("gm", "desk/").status_code == 200
        return len(caught)

    first = count()
    attack_dalmatia(grand_table)
    grand_table.play("huns", "end-slot")
    assert (first, count()) == (9, 10)  # the battle


def test_a_title_without_pages_of_its_own_has_a_plain_desk(running: Any) -> None:
    running.play("bee", "duel")
    client, home = Client(), f"/c/{running.campaign.address}/desk/"
    client.force_login(running.gm)
    text = visible_text(client.get(home))
    assert "Your moves Winner" in text
    seen_now = str(running.seen("gm"))
    assert (
        client.post(
            home, {"do": "say", "offer": "settle", "winner": "attacker", "seen": seen_now}
        ).status_code
        == 302
    )
    assert (
        running.reload().game.rows(selectors.position(running.campaign)).contests[1]["status"]
        == "resolved"
    )


def test_the_record_can_be_taken_along(new_campaign: Any) -> None:
    table = new_campaign(hands="hidden")
    table.play("gm", "start")
    assert f'href="{table.home}record.json"' in table.text("gm", "desk/")
    assert table.statuses("record.json") == {
        "gm": 200,
        "hun": 403,
        "roman": 403,
        "stranger": 403,
        "nobody": 302,
    }
    response = table.get("gm", "record.json")
    assert (
        response["Content-Disposition"] == f'attachment; filename="{table.campaign.address}.json"'
    )
    assert response.json()["moves"] == [{"by": "gm", "move": "start"}]
    assert "seed" not in response.json()["dice"]


def test_the_tab_counts_the_game_masters_tasks(new_campaign: Any) -> None:
    table = new_campaign()

    def counts() -> tuple[str, str]:
        page = table.text("gm", "desk/")
        tab = re.search(r'<a href="[^"]*/desk/"[^>]*>.*?</a>', page, re.S)[0]
        return visible_text(tab).strip(), re.search(
            r"Waiting for players (\d+) task", visible_text(page)
        )[1]

    table.play("gm", "start")
    table.slot_to("huns")
    attack_dalmatia(table)
    assert counts() == ("Desk", "2"), "the slot and the answer wait for players"
    table.play("romans", "respond", attack=1, choice="accept")
    assert counts() == ("Desk", "2"), "two are to play one battle"


# The campaign's life ------------------------------------------------------------------------------


def test_the_life_of_the_campaign_is_at_the_desk(grand_table: GrandTable) -> None:
    text = visible_text(grand_table.text("gm", "desk/"))
    assert "Campaign status Running Turn 1 of 6 , day 1 of 28 closes about" in text
    assert "Pause… No one can move until you resume." in text
    assert "Copy as a new campaign" in text
    answer = grand_table.post(
        "gm", "about/", do="live", how="paused", reason="Holidays", back="desk"
    )
    assert (answer.status_code, answer["Location"]) == (302, f"{grand_table.home}desk/")
    text = visible_text(grand_table.text("gm", "desk/"))
    assert "Campaign status Paused Turn 1 of 6" in text
    assert "Resume the campaign… Play continues where it stopped." in text
    answer = grand_table.post(
        "gm", "about/", do="live", how="abandoned", reason="", back="desk", follow=True
    )
    assert "Give a reason in up to 1,000 characters" in visible_text(answer)
    assert (
        grand_table.post("hun", "about/", do="live", how="resumed", back="desk").status_code == 403
    )
    grand_table.post("gm", "about/", do="live", how="abandoned", reason="Too few", back="desk")
    page = grand_table.text("gm", "desk/")
    assert "Nothing can be corrected here now. First resume the campaign" in visible_text(page)
    assert "Play…" not in page
    assert 'id="f-adjust-change"' not in page


def test_the_lobby_is_opened_and_closed_from_the_desk(draft: GrandTable) -> None:
    page = draft.text("gm", "desk/")
    assert f'href="{draft.home}lobby/">Open the lobby…</a>' in page
    draft.post("gm", "lobby/", do="open", words="")
    page = draft.text("gm", "desk/")
    assert f'href="{draft.home}lobby/">Close the lobby and draw…</a>' in page
    assert "Campaign status Seats open" in visible_text(page)


def test_a_second_factor_is_offered_to_users_without_one(grand_table: GrandTable) -> None:
    page = grand_table.text("gm", "desk/")
    assert page.count('href="/me/second-factor/"') == 1
    Authenticator.objects.create(
        user=grand_table.people["gm"], type=Authenticator.Type.TOTP, data={"secret": "sealed"}
    )
    assert "/me/second-factor/" not in grand_table.text("gm", "desk/")


# The game master first, then the players ----------------------------------------------------------


def test_both_versions_of_a_disputed_battle_are_side_by_side_and_one_is_applied(
    siege: GrandTable,
) -> None:
    claimed(siege, word="A long day")
    number = last_entry(siege).number
    dispute = {
        "do": "dispute",
        "claim": str(number),
        "reason": "It ended at 44.",
        "by": "shares",
        "attacker": "31",
    }
    assert siege.post("roman", "b/1/", **dispute, defender="many").status_code == 422
    assert siege.post("roman", "b/1/", **dispute, defender="44").status_code == 302
    assert (
        "The Romans dispute the claim for battle #1. Their version: routed 31–44. It ended at 44."
        in visible_text(siege.get("nobody", "log/"))
    )
    page = siege.text("gm", "desk/")
    text = visible_text(page)
    assert text.index("You: rule on battle #1 , Pannonia → Dalmatia waits for you") < text.index(
        "Waiting for players"
    )
    assert re.search(r"Ingrid , Huns 31–46 The Huns win. §9.1 claimed today \S+ “A long day”", text)
    assert re.search(
        r"Benedetto , Romans 31–44 A draw. §9.1 disputed today \S+ “It ended at 44.”", text
    )
    assert "Consequences of 31–44" in text
    assert 'name="version" value="dispute" required>' in page, (
        "nobody's version is chosen beforehand"
    )
    form = {"battle": "1", "claim": str(number), "reason": "The screen shows 44."}
    assert "Choose which result is valid." in visible_text(post_to_desk(siege, "judge", **form))
    assert post_to_desk(siege, "judge", **form, version="dispute").status_code == 302
    assert last_entry(siege).content["routed"] == {"attacker": 31, "defender": 44}
    assert "The game master judges battle #1: routed 31–44. The screen shows 44." in visible_text(
        siege.get("nobody", "log/")
    )
    assert "You: rule on battle" not in visible_text(siege.get("gm", "desk/"))


def test_another_result_is_shown_before_it_is_applied(siege: GrandTable) -> None:
    claimed(siege)
    form = {
        "battle": "1",
        "claim": str(last_entry(siege).number),
        "version": "other",
        "reason": "Neither.",
    }
    siege.post("roman", "b/1/", do="dispute", claim=form["claim"], reason="No.")
    text = visible_text(siege.get("gm", "desk/"))
    assert "Benedetto , Romans disputes the claim without naming a result disputed today" in text
    assert "Give two shares" in visible_text(
        post_to_desk(siege, "judge", **form, attacker="46", defender="x")
    )
    shown = post_to_desk(siege, "judge", **form, attacker="46", defender="20")
    assert shown.status_code == 200
    assert 'name="sure" value="46:20"' in shown.content.decode()
    assert (
        post_to_desk(siege, "judge", **form, attacker="46", defender="20", sure="46:20").status_code
        == 302
    )
    assert last_entry(siege).content["routed"] == {"attacker": 46, "defender": 20}


def test_a_reminder_a_day_for_each_matter_with_what_was_sent_last(
    challenge: GrandTable, mailoutbox: Any
) -> None:
    text = visible_text(challenge.get("gm", "desk/"))
    assert re.search(r"Remind Ingrid Notice, today \S+ , automatic", text)
    assert "Remind all 2…" in text
    assert challenge.post("gm", "desk/", do="remind", matter="answer/1").status_code == 302
    roman = Notice.objects.filter(user=challenge.people["roman"], kind="reminded").get()
    (shown,) = notices_in_words([roman])
    assert shown.title == "Reminder: Answer to challenge #1"
    assert shown.body.startswith(
        "Marozia reminds you that the table is waiting for you. The deadline is "
    )
    assert shown.page == ("battle", 1)
    text = visible_text(challenge.get("gm", "desk/"))
    assert re.search(
        "Remind Benedetto Notice, today \\S+ , by you ?; again possible from \\d+ \\w+ \\S+", text
    )
    assert "Remind all" not in text, "one is left"
    refused = challenge.post("gm", "desk/", do="remind", matter="answer/1")
    assert refused.status_code == 422
    assert re.search(
        r"They were reminded on .*\. The next reminder may be sent on .*\.", visible_text(refused)
    )
    assert challenge.post("gm", "desk/", do="remind", matter="all", follow=True).status_code == 200
    assert Notice.objects.filter(kind="reminded").count() == 2, "the matter that was left"
    assert "Everyone has already been reminded in the last 24 hours." in visible_text(
        challenge.post("gm", "desk/", do="remind", matter="all")
    )
    for who, status in (("hun", 403), ("roman", 403), ("stranger", 403), ("nobody", 302)):
        assert challenge.post(who, "desk/", do="remind", matter="slot/huns").status_code == status
    assert Notice.objects.filter(kind="reminded").count() == 2


def test_all_are_reminded_after_a_preview_of_their_names(challenge: GrandTable) -> None:
    text = visible_text(challenge.get("gm", "desk/", remind="all"))
    assert (
        "Reminders will go to: Ingrid, Benedetto (#1). At most one reminder a day for each task. "
        "Send 2 reminders"
    ) in text
    answer = challenge.post("gm", "desk/", do="remind", matter="all", follow=True)
    assert "Reminded: Ingrid, Benedetto." in visible_text(answer)
    assert {notice.kind for notice in Notice.objects.filter(kind="reminded")} == {"reminded"}
    challenge.play("romans", "respond", attack=1, choice="accept")
    late = Notice.objects.get(kind="reminded", user=challenge.people["roman"])
    present = Present([late], late.at)
    assert KINDS["reminded"].is_overtaken(late, present), (
        "it need not leave any more: the answer is given"
    )
    assert not KINDS["reminded"].is_overtaken(
        Notice.objects.get(kind="reminded", user=challenge.people["hun"]), present
    )


def test_in_a_pause_no_one_is_reminded(challenge: GrandTable) -> None:
    challenge.post("gm", "about/", do="live", how="paused", reason="")
    assert ">Remind<" not in challenge.text("gm", "desk/")
    assert challenge.post("gm", "desk/", do="remind", matter="slot/huns").status_code == 422
    assert not Notice.objects.filter(kind="reminded").exists()


@pytest.mark.parametrize(
    ("fix", "typed", "content"),
    [
        (
            "set-structures",
            {"nation": "huns", "of": "huns", "structures": "shrines"},
            {"nation": "huns", "structures": ["shrines"]},
        ),
        (
            "set-assets",
            {"nation": "huns", "of": "huns", "barracks": "true", "siege_trains": "2"},
            {"nation": "huns", "barracks": True, "siege_trains": 2},
        ),
        (
            "set-fortification",
            {"province": "italia", "fortification": "walls"},
            {"province": "italia", "fortification": "walls"},
        ),
        (
            "set-fleet",
            {"province": "cyrenaica", "fleet": "true"},
            {"province": "cyrenaica", "fleet": True},
        ),
    ],
)
def test_13_a_sheet_is_corrected_at_the_desk(
    grand_table: GrandTable, fix: str, typed: dict[str, str], content: dict[str, Any]
) -> None:
    province = next(
        key
        for key, owner in selectors.position(grand_table.campaign).owner.items()
        if owner == "romans"
    )
    coast = next(
        key
        for key, owner in selectors.position(grand_table.campaign).owner.items()
        if owner == "romans"
        and selectors.position(grand_table.campaign).scenario.provinces[key].maritime
        and key not in selectors.position(grand_table.campaign).fleets
    )
    if "province" in typed:
        here = coast if fix == "set-fleet" else province
        typed, content = {**typed, "province": here}, {**content, "province": here}
    refused = post_correction(grand_table, fix, **typed)
    assert "A correction needs a reason. Say what it repairs and cite the post." in visible_text(
        refused
    )
    assert post_correction(grand_table, fix, **typed, reason=REASON).status_code == 302
    assert last_entry(grand_table).content == {"by": "gm", "move": fix, "reason": REASON, **content}
    assert REASON in visible_text(grand_table.get("gm", "desk/")), (
        "among the rulings and corrections"
    )


def test_values_typed_for_another_nation_are_never_sent(grand_table: GrandTable) -> None:
    grand_table.play("gm", "set-structures", nation="romans", structures=["bridges"], reason="test")
    before = last_entry(grand_table)
    page = post_correction(
        grand_table,
        "set-structures",
        nation="romans",
        of="huns",
        structures="shrines",
        reason=REASON,
    )
    assert page.status_code == 200
    assert 'value="bridges" checked' in page.content.decode()
    assert 'value="shrines" checked' not in page.content.decode()
    assert last_entry(grand_table) == before
