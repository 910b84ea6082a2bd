"""The game master's own tasks at the desk and their number; substitutes.

Leaders of independents.
"""

from __future__ import annotations

import re

import pytest

from battles import services as battle_services
from campaign import services
from campaign.log import selectors
from engine.language import capitalize
from games.grand_campaign.text.words import province_name
from notices import selectors as notices
from notices.wording import notices_in_words
from tests.web.contests import attack_independents, challenge, siege, visible_text  # noqa: F401
from tests.web.grand_table import GrandTable, draft, grand_table, new_campaign  # noqa: F401
from tests.web.timed import overdue, post_clock_terms  # noqa: F401

pytestmark = pytest.mark.django_db


def own(table: GrandTable) -> str:
    """Return the tasks under "You:" on the desk."""
    page = table.text("gm", "desk/")
    section = re.search(
        r'<section class="sheet sheet--mine" id="mine".*?</section>', page, re.DOTALL
    )
    return visible_text(section.group()) if section else ""


def badge(table: GrandTable) -> str:
    """Return the number beside the desk in the navigation; empty without one."""
    page = table.text("gm", "log/")
    link = re.search(r'<a[^>]*href="[^"]*/desk/"[^>]*>(.*?)</a>', page, re.DOTALL)
    assert link is not None
    return visible_text(link.group(1)).replace("Desk", "").strip()


def titles(table: GrandTable, who: str) -> list[str]:
    """Return the titles of a user's notices, newest first."""
    return [notice.title for notice in notices_in_words(notices.notices(table.people[who]))]


def test_the_game_master_is_asked_about_overdue_clocks(overdue: GrandTable) -> None:  # noqa: F811
    shown = own(overdue)
    assert "2 tasks" in shown
    assert "Overdue: Turn of the Huns. Decide how to continue." in shown
    assert "Overdue: Answer to challenge #1. Decide how to continue." in shown
    assert badge(overdue).startswith("2")


def test_a_clock_that_only_reminds_asks_nothing(overdue: GrandTable) -> None:  # noqa: F811
    post_clock_terms(overdue, slot_then="remind", answer_then="remind")
    overdue.campaign.refresh_from_db()
    assert own(overdue) == ""
    assert badge(overdue) == ""


def test_an_overdue_battle_is_on_the_desk(overdue: GrandTable) -> None:  # noqa: F811
    overdue.play("romans", "respond", attack=1, choice="accept")
    battle = overdue.campaign.clocks.get(kind="battle", ended_at=None)
    type(battle).objects.filter(pk=battle.pk).update(due_at=battle.started_at)
    shown = own(overdue)
    assert "Overdue: Battle #1. Decide how to continue." in shown


def test_tasks_of_players_are_not_counted(grand_table: GrandTable) -> None:  # noqa: F811
    assert badge(grand_table) == ""
    while grand_table.campaign.phase != "closed":
        grand_table.play(grand_table.campaign.active_seat, "end-slot")
    assert badge(grand_table).startswith("1")


def disputed(table: GrandTable) -> None:
    """Let the Hun claim, the Roman dispute and the game master rule."""
    hun, roman, gm = (table.people[who] for who in ("hun", "roman", "gm"))
    raw = {"by": "gm", "move": "report", "attack": 1, "routed": {"attacker": 10, "defender": 60}}
    claim = battle_services.claim(table.campaign, hun, 1, raw).number
    battle_services.dispute(table.campaign, roman, 1, claim, "It was 20")
    seen = table.seen("gm")
    battle_services.judge(table.campaign, gm, 1, claim, seen, None, "The picture shows 10.")
    table.campaign.refresh_from_db()


def test_a_ruling_on_a_dispute_is_found_under_rulings(siege: GrandTable) -> None:  # noqa: F811
    assert "Rulings on disputed results" not in siege.text("nobody", "rulings/")
    disputed(siege)
    text = visible_text(siege.get("nobody", "rulings/"))
    assert "Rulings on disputed results" in text
    assert "The picture shows 10." in text


def name_sid(table: GrandTable) -> None:
    """Let Sid be the Huns' substitute in the first battle."""
    people = table.people
    battle_services.name_substitute(table.campaign, people["hun"], 1, "huns", people["stranger"])
    table.campaign.refresh_from_db()


def test_the_table_waits_for_the_substitute(siege: GrandTable) -> None:  # noqa: F811
    assert "Ingrid and Benedetto play the battle of Dalmatia" in visible_text(
        siege.get("gm", "desk/")
    )
    name_sid(siege)
    assert "Sid and Benedetto play the battle of Dalmatia" in visible_text(siege.get("gm", "desk/"))
    assert "Sid and Benedetto are playing" in visible_text(siege.get("roman", "battles/"))
    assert "Ingrid and Benedetto are playing" not in visible_text(siege.get("nobody", ""))


def test_the_holder_answers_before_the_substitute_fights(challenge: GrandTable) -> None:  # noqa: F811
    people = challenge.people
    battle_services.name_substitute(
        challenge.campaign, people["roman"], 1, "romans", people["stranger"]
    )
    assert "Benedetto answer the attack on Dalmatia" in visible_text(challenge.get("gm", "desk/"))
    challenge.play("romans", "respond", attack=1, choice="accept")
    assert "Battle #1 can start" in titles(challenge, "stranger")
    assert "Ingrid and Sid play the battle of Dalmatia" in visible_text(
        challenge.get("gm", "desk/")
    )


def test_the_substitute_is_notified_of_the_result(siege: GrandTable) -> None:  # noqa: F811
    name_sid(siege)
    disputed(siege)
    assert "Battle #1 has been decided" in titles(siege, "stranger")


def test_leaders_of_independents_get_a_notice(grand_table: GrandTable) -> None:  # noqa: F811
    campaign, people = grand_table.campaign, grand_table.people
    position = selectors.position(campaign)
    raw = next(
        move
        for offer in campaign.game.offers(position, "huns")
        for move in offer.moves()
        if move["move"] == "attack"
        and move["kind"] == "land"
        and position.owner[move["target"]] is None
    )
    branch = campaign.game.branches(position, campaign.game.decode(raw, position))[0]
    _, token = services.invite(campaign, people["gm"], branch.after.attacks[-1].leader)
    services.take_seat(people["stranger"], token)
    services.play(campaign, people["hun"], raw, grand_table.seen("hun"))
    place = capitalize(province_name(campaign.game.scenario("420ad"), raw["target"]))
    assert f"You lead the defence of {place}: #1" in titles(grand_table, "stranger")
    assert "An attack on you: #1" not in titles(grand_table, "stranger")
