"""States of a Grand Campaign from draft to end, and of the pages outside the game."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from random import Random
from typing import Any, cast

import pytest
from django.utils import timezone

from campaign import forecasts, services
from campaign.log import selectors
from campaign.log.talk import proclaim
from campaign.models import Campaign
from campaign.rulebook import rule_on
from campaign.seats import standing_orders
from config.management.commands.demo import load
from forum import reading
from forum import services as forum_services
from forum.boards import ReadPost
from forum.models import FollowedThread, Post
from games.grand_campaign.bots.styles import bold
from games.registry import DEMONSTRATIONS
from moderation import services as moderation
from notices.delivery import tick as deliver
from talk import services as talk
from tests.conftest import confirm
from tests.frozen.scene import Scene, state
from tests.frozen.still import NOW
from tests.web import nine
from tests.web.battles.test_claims import picture
from tests.web.contests import (
    attack_dalmatia,
    attack_independents,
    play_to_siege,
    play_to_turn,
    report_result,
    seen_number,
)
from tests.web.frame.test_who_may import PAGES
from tests.web.grand_table import GrandTable
from tests.web.scenarios.test_own_scenario import SMALL
from web.tasks import make_pack

TITLE = "grand_campaign"
STORY = next(story for story in DEMONSTRATIONS if story.stem == "long_frontier")
DAY = timedelta(days=1)
CASES = Path(__file__).resolve().parents[1] / "grand_campaign" / "cases"
ROLL = "https://forum.example/roll/7"

TABLE = (
    "",
    "log/",
    "n/huns/",
    "n/romans/",
    "about/",
    "clocks/",
    "desk/",
    "/",
    "/notices/",
    "notices/",
)
PLAY = ("n/huns/plan/", "n/romans/standing/", "orders/", "undo/", "live/", "rewind/?entry=1")
READ = ("history/", "charts/", "story/", "ledger/", "dice/", "reports/", "reports/turn-1/")
RULES = ("rules/", "rulings/", "rules/changes/")
SEATS = ("seats/", "n/romans/notes/", "n/romans/looks/", "/me/")
BATTLES = ("battles/", "b/1/")
BOARDS = (
    "posts/",
    "threads/new/",
    "channels/",
    "webhooks/",
    "reports/tone/",
    "heard/",
    "talk/",
    "press/",
    "reported/",
)
COMMON = TABLE + PLAY + READ + BATTLES
EVERY = tuple(path for name, (path, _) in PAGES.items() if name != "worker")


@dataclass
class Founder:
    """Makes campaigns and people for the builders of states."""

    request: pytest.FixtureRequest
    person: Callable[..., Any]
    monkeypatch: pytest.MonkeyPatch
    settings: Any

    @property
    def new_campaign(self) -> Callable[..., GrandTable]:
        """Return the function that makes a campaign; the first use makes its people, too."""
        return cast("Callable[..., GrandTable]", self.request.getfixturevalue("new_campaign"))

    def started(self, **options: Any) -> GrandTable:
        """Return a campaign in its first slot."""
        grand_table = self.new_campaign(**options)
        grand_table.play("gm", "start")
        return grand_table

    def running(self, **options: Any) -> GrandTable:
        """Return a campaign in turn 1, in the slot of the Huns."""
        grand_table = self.started(**options)
        grand_table.slot_to("huns")
        return grand_table

    def siege(self) -> GrandTable:
        """Return a campaign in turn 2 with the Huns at the walls of Dalmatia.

        The Romans have accepted.
        """
        grand_table = self.running()
        play_to_siege(grand_table)
        return grand_table

    def challenge(self) -> GrandTable:
        """Return a campaign in turn 1: the Huns attack Dalmatia."""
        grand_table = self.running()
        attack_dalmatia(grand_table)
        return grand_table


def scene(grand_table: GrandTable, *pages: str) -> Scene:
    """Return the state of this campaign with addresses of its own."""
    grand_table.campaign.refresh_from_db()
    last = grand_table.campaign.last_number
    return Scene(grand_table.clients, grand_table.home, [f"e/{last}/", *pages])


def battle(grand_table: GrandTable, who: str, act: str, **given: Any) -> Any:
    """Send a form of the page of battle 1; fail if it is refused."""
    grand_table.campaign.refresh_from_db()
    answer = grand_table.clients[who].post(
        f"{grand_table.home}b/1/", {"do": act, "seen": seen_number(grand_table, who), **given}
    )
    assert answer.status_code in (302, 303), answer.content.decode()[-2000:]
    return answer


def claimed(grand_table: GrandTable) -> str:
    """Let the Hun claim 31 to 46, and return the number of the entry."""
    battle(
        grand_table,
        "hun",
        "claim",
        by="shares",
        attacker="31",
        defender="46",
        sure="1",
        word="A long <b>day</b>",
    )
    grand_table.campaign.refresh_from_db()
    return str(grand_table.campaign.last_number)


# Before the start -----------------------------------------------------------------------------


@state(
    TITLE,
    [*TABLE, *READ, *RULES, *SEATS, *BOARDS, "battles/", "terms/", "lobby/", "resume/"],
    forms=("gm", "hun"),
)
def draft(founder: Founder) -> Scene:
    return scene(founder.new_campaign())


@state(TITLE, [*TABLE, "seats/", "lobby/", "/lobby/", "terms/", "/join/"], forms=("gm", "stranger"))
def lobby(founder: Founder) -> Scene:
    grand_table = founder.new_campaign(hands="hidden")
    gm, stranger = grand_table.people["gm"], grand_table.people["stranger"]
    services.open_lobby(grand_table.campaign, gm, "Whoever writes a <b>report</b>.")
    services.apply_for_seat(grand_table.campaign, founder.person("Rhoda"), ["vandals", "kushans"])
    _, token = services.invite(grand_table.campaign, gm, "vandals")
    services.join_waiting_list(grand_table.campaign, founder.person("Tomasz"))
    assert stranger
    return scene(grand_table, f"/join/{token}/")


@state(TITLE, ["", "resume/", "sheet.csv", "resume.json", "desk/"], forms=("gm",))
def sheet_typed(founder: Founder) -> Scene:
    grand_table = founder.new_campaign()
    built = scene(grand_table)
    table = (
        "Nation;VP;Prestige;Hand;Religious;Barracks\nHuns;7;9;Spy,"
        " Scuts;Temples;yes\nRomans;5;8;;2;"
    )
    for label, pasted in (
        ("a fault", table),
        ("complete", table.replace("Scuts", "Scouts")),
        ("nothing", ""),
    ):
        typed = {"do": "paste", "pasted": pasted, "reason": "The old thread.", "turn": "3"}
        built.requests[f"resume/ pasted: {label}"] = lambda typed=typed: grand_table.post(
            "gm", "resume/", **typed
        )
    return built


@state(TITLE, COMMON)
def members_only(founder: Founder) -> Scene:
    return scene(founder.running(visibility="members"))


@state(TITLE, COMMON)
def first_slot(founder: Founder) -> Scene:
    return scene(founder.started())


# Play -----------------------------------------------------------------------------


@state(TITLE, COMMON + RULES + SEATS + BOARDS, forms=("gm", "hun", "nobody"), thorough=True)
def running(founder: Founder) -> Scene:
    pages = [f"n/huns/?open={offer}" for offer in ("attack-land", "build", "fortify", "end-slot")]
    return scene(
        founder.running(),
        *pages,
        "?province=dalmatia",
        "?province=hunnia",
        "n/huns/plan/?open=attack-land",
    )


def covert_campaign(founder: Founder) -> GrandTable:
    """Return a campaign with a covert attack on an independent province.

    Something has been built and undone.
    """
    grand_table = founder.running()
    grand_table.play("huns", "build", structure="hamlets")
    services.undo_to(
        grand_table.campaign,
        grand_table.people["gm"],
        grand_table.campaign.last_number - 1,
        "A slip",
        grand_table.seen("gm"),
    )
    grand_table.campaign.refresh_from_db()
    attack_independents(grand_table)
    grand_table.campaign.refresh_from_db()
    return grand_table


@state(TITLE, EVERY)
def covert(founder: Founder) -> Scene:
    """Every address of the table that defines who may read what, and the audit packs."""
    grand_table = covert_campaign(founder)
    built = scene(grand_table)
    for language in ("en", "de"):
        make_pack(grand_table.campaign.pk, "all", language)
    return built


@state(TITLE, COMMON, forms=("gm", "roman"))
def challenge(founder: Founder) -> Scene:
    return scene(founder.challenge(), "b/1/?answer=1", "?province=dalmatia")


@state(TITLE, COMMON)
def declined(founder: Founder) -> Scene:
    grand_table = founder.challenge()
    grand_table.play("romans", "respond", attack=1, choice="withdraw")
    return scene(grand_table, "reports/battle-1/")


@state(TITLE, COMMON, forms=("gm", "hun"))
def crossing(founder: Founder) -> Scene:
    """An attack over the sea that may become a naval battle."""
    grand_table = founder.running()
    grand_table.play("gm", "set-owner", province="africa", owner="huns", reason="test")
    play_to_turn(grand_table, 2, {"huns": [("fleet", {"province": "africa"})]})
    grand_table.slot_to("huns")
    grand_table.play("huns", "attack", kind="amphibious", **{"from": "africa", "target": "sicilia"})
    for who in ("hun", "roman"):
        grand_table.people[who].owns_mare_nostrum = True
        grand_table.people[who].save()
    battle(grand_table, "hun", "agree", to="naval", yes="1")
    return scene(grand_table, "b/1/?by=naval&side=attacker")


@state(TITLE, COMMON, forms=("hun",))
def siege(founder: Founder) -> Scene:
    rows = ("attacker=31&defender=46", "attacker=46&defender=31", "attacker=x&defender=")
    desk = ("a-1=31&d-1=46", "a-1=31", "a-1=31&d-1=many")
    return scene(
        founder.siege(),
        *(f"b/1/?by=shares&{row}" for row in rows),
        *(f"desk/?{row}" for row in desk),
    )


@state(TITLE, ["b/1/", "battles/", "desk/", "log/", "", "/notices/"], forms=("hun",))
def evidence(founder: Founder) -> Scene:
    """Evidence, a lobby with its password, and a substitute."""
    grand_table = founder.siege()
    battle(grand_table, "hun", "picture", picture=picture())
    battle(grand_table, "roman", "link", url="https://example.org/screen")
    battle(grand_table, "hun", "set-up")
    battle(grand_table, "hun", "password", password="forty two")
    battle(grand_table, "hun", "substitute", side="huns", name="Sid")
    return scene(grand_table)


@state(TITLE, COMMON, forms=("gm", "roman"))
def claim(founder: Founder) -> Scene:
    grand_table = founder.siege()
    claimed(grand_table)
    return scene(grand_table, "reports/battle-1/")


@state(TITLE, COMMON, forms=("gm", "roman"))
def dispute(founder: Founder) -> Scene:
    grand_table = founder.siege()
    battle(
        grand_table,
        "roman",
        "dispute",
        claim=claimed(grand_table),
        reason="It ended at 44.",
        by="shares",
        attacker="31",
        defender="44",
    )
    return scene(grand_table, "b/1/?by=shares&attacker=46&defender=31")


@state(TITLE, COMMON)
def judged(founder: Founder) -> Scene:
    grand_table = founder.siege()
    number = claimed(grand_table)
    battle(grand_table, "roman", "dispute", claim=number, reason="No.")
    battle(
        grand_table,
        "gm",
        "judge",
        by="shares",
        attacker="46",
        defender="31",
        claim=number,
        reason="The screen",
    )
    return scene(grand_table, "reports/battle-1/", f"reports/turn-{grand_table.campaign.turn}/")


@state(TITLE, COMMON)
def confirmed(founder: Founder) -> Scene:
    grand_table = founder.siege()
    battle(grand_table, "roman", "confirm", claim=claimed(grand_table))
    return scene(grand_table, "reports/battle-1/", "reports/turn-2/", "n/romans/?ledger=all")


@state(TITLE, COMMON)
def entered(founder: Founder) -> Scene:
    """The game master enters the result."""
    grand_table = founder.siege()
    answer = report_result(grand_table, 1, "shares", attacker="31", defender="46")
    assert answer.status_code == 302, answer.content.decode()[-2000:]
    return scene(grand_table, "reports/battle-1/")


@state(TITLE, COMMON, forms=("gm",))
def closing(founder: Founder) -> Scene:
    grand_table = founder.running()
    while grand_table.campaign.active_seat:
        grand_table.play(grand_table.campaign.active_seat, "end-slot")
    return scene(grand_table, "reports/turn-1/?dialect=discord")


@state(TITLE, COMMON)
def second_turn(founder: Founder) -> Scene:
    grand_table = founder.running()
    play_to_turn(grand_table, 2, {"huns": [("build", {"structure": "hamlets"})]})
    pages = [
        "reports/turn-2/",
        "history/?at=8",
        "history/?at=12&by=turns",
        "history/film/?since=3&to=12",
        "log/?before=12",
    ]
    return scene(
        grand_table,
        *pages,
        "charts/?account=army",
        "ledger/?nation=huns&turn=1",
        "n/huns/?ledger=all",
    )


# The desk, undo, pauses, the end ------------------------------------------------------------------


@state(TITLE, COMMON, forms=("gm",))
def corrected(founder: Founder) -> Scene:
    grand_table = founder.running()
    grand_table.play("gm", "adjust", nation="romans", account="stability", change=1, reason="even")
    grand_table.play("gm", "adjust", nation="huns", account="income", change=50, reason="<script>")
    tools = (
        "adjust",
        "undo",
        "set-structures",
        "set-assets",
        "set-owner",
        "set-fortification",
        "set-fleet",
        "give-card",
    )
    typed = "desk/?fix=adjust&nation=romans&account=stability&change="
    return scene(
        grand_table,
        *(f"desk/?fix={tool}" for tool in tools),
        f"{typed}-3",
        f"{typed}many",
        "desk/?remind=all",
        "rewind/",
    )


@state(TITLE, COMMON, forms=("gm",))
def undone(founder: Founder) -> Scene:
    grand_table = founder.running()
    grand_table.play(
        "gm", "adjust", nation="huns", account="income", change=50, reason="Counted again"
    )
    grand_table.campaign.refresh_from_db()
    struck = grand_table.campaign.last_number
    undo = services.undo_to(
        grand_table.campaign, grand_table.people["gm"], struck - 1, "A slip", grand_table.seen("gm")
    )
    return scene(
        grand_table,
        f"e/{struck}/",
        f"e/{undo.number}/branch/",
        f"e/{undo.number}/undone/",
        f"rewind/?undo={undo.number}",
    )


@state(TITLE, COMMON)
def restored(founder: Founder) -> Scene:
    grand_table = founder.running()
    grand_table.play("huns", "build", structure="hamlets")
    grand_table.campaign.refresh_from_db()
    struck = grand_table.campaign.last_number
    undo = services.undo_to(
        grand_table.campaign, grand_table.people["gm"], struck - 1, "A slip", grand_table.seen("gm")
    )
    services.restore(grand_table.campaign, grand_table.people["gm"], undo.number, "It was right")
    return scene(grand_table, f"e/{struck}/", f"e/{undo.number}/branch/")


@state(TITLE, COMMON, forms=("hun",))
def own_moves(founder: Founder) -> Scene:
    """The Hun has built by a move of their own, which they may take back."""
    grand_table = founder.running()
    services.play(
        grand_table.campaign,
        grand_table.people["hun"],
        {"by": "huns", "move": "build", "structure": "hamlets"},
        grand_table.seen("hun"),
    )
    return scene(grand_table)


@state(TITLE, COMMON, forms=("gm",))
def paused(founder: Founder) -> Scene:
    grand_table = founder.running()
    services.change_life(grand_table.campaign, grand_table.people["gm"], "paused", "Holidays <3")
    return scene(grand_table)


@state(TITLE, COMMON)
def abandoned(founder: Founder) -> Scene:
    grand_table = founder.running()
    services.change_life(
        grand_table.campaign, grand_table.people["gm"], "abandoned", "Too few of us."
    )
    return scene(grand_table)


@state(TITLE, COMMON)
def fallen(founder: Founder) -> Scene:
    """The Huns have crumbled in turn 2."""
    grand_table = founder.running()
    play_to_turn(grand_table, 2, {})
    grand_table.play("gm", "adjust", nation="huns", account="stability", change=-9, reason="test")
    return scene(grand_table, "reports/turn-2/")


@state(TITLE, COMMON)
def conquered(founder: Founder) -> Scene:
    """The Huns have no province."""
    grand_table = founder.running()
    for province in grand_table.campaign.game.scenario(
        grand_table.campaign.game.scenarios()["420ad"]
    ).provinces.values():
        if province.owner == "huns":
            grand_table.play(
                "gm", "set-owner", province=province.key, owner="romans", reason="test"
            )
    return scene(grand_table)


def seated_as(first: str, second: str) -> list[str]:
    """Return the common addresses for other seats than the Huns' and the Romans'."""
    return [
        path.replace("n/huns/", f"n/{first}/").replace("n/romans/", f"n/{second}/")
        for path in (*COMMON, *RULES, *SEATS, *BOARDS)
    ]


@state(TITLE, seated_as("goths", "picts"), forms=("gm",), thorough=True)
def finished(founder: Founder) -> Scene:
    """A campaign of one turn of three peoples has ended."""
    people = founder.new_campaign.people  # type: ignore[attr-defined]
    campaign = services.found_campaign(
        people["gm"], TITLE, "At an end", {**SMALL, "turns": 1}, visibility="listed", seed="0" * 64
    )
    for who, seat in (("hun", "goths"), ("roman", "picts")):
        services.take_seat(people[who], services.invite(campaign, people["gm"], seat)[1])
    campaign.refresh_from_db()
    grand_table = GrandTable(campaign, people)
    grand_table.play("gm", "start")
    while grand_table.campaign.status != "finished":
        grand_table.play(grand_table.campaign.active_seat, "end-slot")
    return scene(grand_table, "/hall/grand_campaign/", "reports/end/")


# Secrets, dice, programs --------------------------------------------------------------------------


@state(TITLE, COMMON + BOARDS, forms=("gm",))
def hidden_hands(founder: Founder) -> Scene:
    grand_table = founder.running(hands="hidden")
    grand_table.play("gm", "give-card", nation="romans", card="spy", reason="Owed")
    return scene(grand_table)


@state(TITLE, COMMON + SEATS)
def hands_opened(founder: Founder) -> Scene:
    grand_table = founder.running(hands="hidden")
    grand_table.open_hands()
    return scene(grand_table)


@state(TITLE, COMMON, forms=("gm",))
def dice_by_hand(founder: Founder) -> Scene:
    """The table waits for dice that are thrown elsewhere."""
    grand_table = founder.new_campaign()
    grand_table.post("gm", "dice/by-hand/", do="on")
    grand_table.campaign.refresh_from_db()
    grand_table.play("gm", "start")
    services.give_die(grand_table.campaign, grand_table.people["gm"], "turn-1/card/huns", 35, ROLL)
    return scene(grand_table)


@state(TITLE, [*TABLE, "dice/"], forms=("gm", "hun"))
def mixed_words(founder: Founder) -> Scene:
    """The seats add words to the dice, and a public draw is named."""
    grand_table = founder.new_campaign(chance="both")
    gm = grand_table.people["gm"]
    services.name_draw(
        grand_table.campaign, gm, "other", NOW + DAY, "The noon <b>number</b>", numbers=1
    )
    services.add_words(
        grand_table.campaign, grand_table.people["hun"], "huns", "Attila was <i>here</i>"
    )
    return scene(grand_table)


@state(TITLE, COMMON + SEATS, forms=("gm", "roman"))
def programs(founder: Founder) -> Scene:
    """A program plays the Vandals, the Romans have standing orders and are away."""
    grand_table = founder.running()
    left_to_programs(grand_table)
    return scene(
        grand_table,
        "desk/away/romans/",
        "seats/?program=kushans",
        "/me/absence/",
        "n/romans/standing/?suggest=bold",
    )


def left_to_programs(grand_table: GrandTable) -> None:
    """Give the Vandals to a program, and the Romans standing orders while they are away."""
    gm, roman = grand_table.people["gm"], grand_table.people["roman"]
    services.let_program(grand_table.campaign, gm, "vandals", "bold", "Nobody has come yet.")
    answer = {"kind": "answer", "provinces": ["dalmatia"], "choice": "withdraw", "cards": []}
    services.give_order(grand_table.campaign, roman, "romans", 0, answer, "at-once")
    today = timezone.localdate()
    standing_orders.announce_absence(roman, today, today + timedelta(days=9), note="Ask <Ole>")


@state(
    TITLE, [*COMMON, *SEATS, "n/huns/notes/", "n/huns/handover/"], forms=("gm", "hun", "stranger")
)
def seats_passed_on(founder: Founder) -> Scene:
    """The Huns were handed over with notes, and the Romans are offered.

    A second game master is invited.
    """
    grand_table = founder.running()
    people, campaign = grand_table.people, grand_table.campaign
    services.write_note(
        campaign,
        people["hun"],
        "huns",
        "Do not trust <i>the Romans</i>.\n\nKeep 40.",
        left=True,
        version=0,
    )
    other = founder.person("Rhoda")
    services.take_seat(other, services.hand_over_link(campaign, people["hun"], "huns")[1])
    services.take_seat(people["hun"], services.hand_over_link(campaign, other, "huns")[1])
    services.join_waiting_list(campaign, founder.person("Tomasz"))
    services.join_waiting_list(campaign, people["stranger"])
    services.offer_seat(campaign, people["roman"], "romans", people["stranger"])
    _, token = services.invite_master(campaign, people["gm"])
    return scene(grand_table, f"/join/{token}/")


@state(TITLE, COMMON + SEATS, forms=("gm", "hun"))
def own_account(founder: Founder) -> Scene:
    """The game master plays and has corrected their own account.

    The correction waits for a countersignature.
    """
    grand_table = founder.new_campaign()
    gm = grand_table.people["gm"]
    services.take_seat(gm, services.invite(grand_table.campaign, gm, "vandals")[1])
    grand_table.play("gm", "start")
    services.name_countersigner(grand_table.campaign, gm, grand_table.people["stranger"])
    grand_table.campaign.refresh_from_db()
    number = (
        grand_table.play(
            "gm", "adjust", nation="vandals", account="income", change=25, reason="Miscounted"
        )
        .entries[0]
        .number
    )
    return scene(grand_table, f"e/{number}/", "n/vandals/", "n/vandals/plan/")


# Beside the game -----------------------------------------------------------------------------


@state(TITLE, [*TABLE, *READ, *RULES], forms=("gm", "hun"))
def rules_changed(founder: Founder) -> Scene:
    """A ruling, and an amendment that one seat has agreed to."""
    grand_table = founder.running()
    rule_on(
        grand_table.campaign,
        grand_table.people["gm"],
        "A fleet counts where it <b>lies</b>.",
        rule="6.3",
    )
    grand_table.post(
        "gm",
        "rules/changes/",
        do="ask",
        **{"v.costs.fleet": "1", "reason": "A fleet is worth less."},
    )
    grand_table.post("hun", "rules/changes/", do="answer", number="1", agrees="1", seat="huns")
    return scene(
        grand_table,
        "rules/?q=siege",
        "rules/?q=nothingatall",
        "/rules/grand_campaign/?q=siege",
        "/rules/",
    )


@state(
    TITLE, ["", "log/", "posts/", "threads/new/", "channels/", "desk/", "reports/"], forms=("gm",)
)
def posts(founder: Founder) -> Scene:
    """A thread with a post of each state."""
    grand_table = founder.running()
    return scene(grand_table, *posted(grand_table))


def posted(grand_table: GrandTable) -> list[str]:
    """Set up a thread with a post of each state, and return the addresses of its pages."""
    gm = grand_table.people["gm"]
    created = {
        "transport": "clipboard",
        "name": "Slitherine",
        "set-address": "https://board.example/t/7",
        "dialect": "phpbb",
    }
    answer = grand_table.post("gm", "threads/new/", **created, language="en", kinds="turn")
    assert answer.status_code == 303, answer.content.decode()
    thread = grand_table.campaign.threads.get()
    pages = [
        f"threads/{thread.pk}/",
        *(f"threads/new/?transport={name}" for name in ("discord", "clipboard", "phpbb")),
    ]
    pages.append("posts/?report=opening-1")
    for mark, report in (
        ("doubtful", "opening-1"),
        ("failed", "turn-1"),
        ("draft", "opening-1"),
        ("superseded", "turn-1"),
    ):
        post = forum_services.draft(grand_table.campaign, gm, thread, report)
        if mark != "draft":
            Post.objects.filter(pk=post.pk).update(
                state=mark, last_error="The board is out of order."
            )
        pages += [f"posts/{post.number}/", f"posts/{post.number}/?now=1"]
    return list(dict.fromkeys(pages))


@state(TITLE, ["", "heard/", "posts/", "desk/", "n/huns/"], forms=("gm", "hun"))
def heard(founder: Founder) -> Scene:
    """Posts of a followed thread are read beside the log."""
    grand_table = founder.running()
    gm = grand_table.people["gm"]
    where = {"address": "https://board.example/topic/7", "token": "a-token"}
    thread = forum_services.set_up(
        grand_table.campaign, gm, transport="nodebb", name="The board", settings=where
    )
    forum_services.set_following(thread, gm, active=True, shown=True)
    row = FollowedThread.objects.select_related("thread").get(thread=thread)
    texts = [
        ("Ingrid", "My riders look at Dacia."),
        ("Ingrid", "I build hamlets."),
        ("Nobody", "<b>Hail</b>"),
    ]
    replies = [
        ReadPost(
            str(number),
            author,
            NOW - timedelta(minutes=9 - number),
            text,
            f"https://board.example/post/{number}",
        )
        for number, (author, text) in enumerate(texts, 1)
    ]
    reading.store_replies(row, replies, NOW, {})
    return scene(grand_table, f"threads/{thread.pk}/", "heard/?all")


TALK = (
    "talk/",
    "talk/messages.txt",
    "talk/?quote=4",
    "press/",
    "reported/",
    "/me/reports/",
    "/me/blocks/",
)


@state(TITLE, ["", "log/", "about/", "/notices/", *TALK], forms=("hun", "gm"))
def talked(founder: Founder) -> Scene:
    """Messages between two, a proclamation, and a message that was reported."""
    grand_table = founder.running()
    hun, roman, campaign = (
        grand_table.people["hun"],
        grand_table.people["roman"],
        grand_table.campaign,
    )
    for user in (hun, roman):
        confirm(user)
    message = talk.write(
        campaign, hun, ["romans"], "Dalmatia for peace.\nI hold {the} <b>East</b>."
    )
    talk.write(campaign, roman, ["huns"], "Never.")
    talk.write(campaign, hun, ["*"], "Hail to all.", quoted=4)
    entry = proclaim(campaign, hun, "To all peoples", "The Romans are swine & thieves.")
    key = message.conversation.key
    moderation.report(roman, "message", f"{key}.1", "It <b>insults</b> me.")
    moderation.block(roman, grand_table.people["stranger"])
    return scene(grand_table, f"talk/{key}/", f"/report/message/{key}.1/", f"e/{entry.number}/")


@state(TITLE, ["", "n/huns/", "n/huns/plan/", "orders/", "/notices/"], forms=("hun", "gm"))
def planned(founder: Founder) -> Scene:
    """The Huns have planned moves, some of which will be refused."""
    grand_table = founder.running()
    for structure in ("hamlets", "shrines"):
        services.plan_move(
            grand_table.campaign,
            grand_table.people["hun"],
            "huns",
            {"by": "huns", "move": "build", "structure": structure},
        )
    raw = {"by": "huns", "move": "attack", "kind": "land", "from": "pannonia", "target": "dalmatia"}
    services.plan_move(grand_table.campaign, grand_table.people["hun"], "huns", raw)
    built = scene(grand_table, "n/huns/plan/?open=attack-land", "n/huns/plan/?sure=1")
    lines = "build hamlets\nattack dalmatia from pannonia\nsing a song"
    built.requests["orders/ typed"] = lambda: grand_table.post(
        "hun", "orders/", text=lines, do="read", seen=str(grand_table.seen("hun"))
    )
    return built


@state(TITLE, ["", "story/", "charts/", "reports/turn-1/", "history/"], forms=("gm",))
def forecast(founder: Founder) -> Scene:
    """The forecast is shown after a turn that programs have played."""
    founder.monkeypatch.setattr(forecasts, "GAMES", 8)
    founder.monkeypatch.setattr(forecasts, "BEFORE_AND_AFTER", 16)
    grand_table = founder.running()
    chance = Random("one")
    while grand_table.campaign.phase != "closed":
        raw = bold(selectors.position(grand_table.campaign), chance)
        assert raw is not None
        grand_table.play(
            raw["by"],
            raw["move"],
            **{key: value for key, value in raw.items() if key not in ("by", "move")},
        )
    while forecasts.work(grand_table.campaign.pk):
        pass
    return scene(grand_table)


@state(TITLE, ["/notices/", "notices/", "/me/notices/", "channels/"], forms=("gm", "hun"))
def letters(founder: Founder) -> Scene:
    """The letters that the site sends after a challenge, each in its reader's language."""
    grand_table = founder.new_campaign()
    for who, language in (("gm", "en"), ("hun", "de"), ("roman", "it"), ("stranger", "es")):
        confirm(grand_table.people[who])
        grand_table.people[who].language = language
        grand_table.people[who].save()
    grand_table.play("gm", "start")
    grand_table.slot_to("huns")
    attack_dalmatia(grand_table)
    built = scene(grand_table)

    def send(hours: int) -> Any:
        deliver(NOW + timedelta(hours=hours))
        return grand_table.get("nobody", "/robots.txt")

    built.requests = {"letters now": lambda: send(0), "letters the next day": lambda: send(24)}
    return built


@state(TITLE, seated_as("roma", "carthago"))
def nine_nations(founder: Founder) -> Scene:
    """Nine nations on a map of their own, with names that are hard to show."""
    people = founder.new_campaign.people  # type: ignore[attr-defined]
    campaign = nine.import_played_campaign(people["gm"], 60)
    for who, seat in (("hun", "roma"), ("roman", "carthago")):
        services.take_seat(people[who], services.invite(campaign, people["gm"], seat)[1])
    campaign.refresh_from_db()
    return scene(
        GrandTable(campaign, people),
        *(f"?province={nine.province_key(cell)}" for cell in nine.CELLS[:3]),
        "history/?at=20",
    )


@state(
    TITLE,
    [
        *COMMON,
        *BOARDS,
        "b/3/",
        "b/6/",
        "b/7/",
        "b/8/",
        "b/6/?by=shares&attacker=31&defender=46",
        "b/7/?answer=1",
        "history/?at=43&by=turns",
        "history/film/?since=9&to=24",
        "charts/?account=army",
        "log/?before=30",
        "e/44/",
        "reports/battle-6/",
        "n/sassanids/",
        "n/romans/plan/",
        "n/romans/?open=attack-land",
        "?province=dalmatia",
        "/ratings/",
    ],
    forms=("roman",),
)
def demonstration(founder: Founder) -> Scene:
    """The story that new hosts see: several turns with battles of every kind."""
    campaign = load(json.loads(STORY.read_text(encoding="utf-8")))
    known = {seat.info.key: seat.holder for seat in selectors.seats(campaign)}
    people = {
        "gm": campaign.founder,
        "hun": known["huns"],
        "roman": known["romans"],
        "stranger": founder.person("Sid Vane"),
    }
    return scene(GrandTable(Campaign.objects.get(pk=campaign.pk), people))
