"""The page at the table, for one player and for several, each with their Emperors."""

from __future__ import annotations

import gzip
import re
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from campaign import services
from campaign.clocks import selectors as clocks
from campaign.clocks import services as clocks_services
from campaign.log import positions, selectors
from campaign.models import Campaign, add
from campaign.seats import standing_orders
from notices import selectors as notices
from notices.models import Notice
from notices.wording import notices_in_words
from tests.windows import Table

pytestmark = pytest.mark.django_db
SEED = "b" * 64


@pytest.fixture
def alone(person: Callable[..., Any]) -> Table:
    user = person("Ada")
    campaign = services.found_campaign(user, "tetrarchia", "The night", "standard", {}, seed=SEED)
    return Table(campaign, {"ada": user})


@pytest.fixture
def pair(person: Callable[..., Any]) -> Table:
    people = {"gm": person("Marozia"), "east": person("Shirin"), "west": person("Benedetto")}
    campaign = services.found_campaign(
        people["gm"], "tetrarchia", "Four against the night", "standard", {"players": 2}, seed=SEED
    )
    for seat in ("east", "west"):
        _, token = services.invite(campaign, people["gm"], seat)
        services.take_seat(people[seat], token)
    campaign.refresh_from_db()
    return Table(campaign, people)


def test_a_stranger_plays_at_once_without_an_account() -> None:
    client = Client()
    answer = client.post("/play/tetrarchia/", follow=True)
    assert answer.status_code == 200
    assert (
        "Where the fleets begin" in answer.content.decode()
    )  # the first threats were rolled: there was no choice


def test_the_path_to_the_close_lists_the_emperors_in_order_and_the_next_player_is_notified(
    person: Callable[..., Any],
) -> None:
    """The order of the seats differs from that of the Emperors.

    With three players, the Augustus of a Caesar without a player plays that Caesar (2.1).
    """
    people = {
        "gm": person("Marozia"),
        "green": person("Shirin"),
        "blue": person("Benedetto"),
        "red": person("Ada"),
    }
    options = {"players": 3, "caesar": "constantius"}
    campaign = services.found_campaign(
        people["gm"], "tetrarchia", "Three against the night", "standard", options, seed=SEED
    )
    for seat, who in (("diocletian", "green"), ("maximian", "blue"), ("constantius", "red")):
        _, token = services.invite(campaign, people["gm"], seat)
        services.take_seat(people[who], token)
    three = Table(campaign, people)
    three.post("gm", do="begin")
    three.post("green", do="place_fleets", zones="internum-aegaeum")
    standing_orders.announce_absence(
        people["red"], timezone.localdate(), timezone.localdate() + timedelta(days=60)
    )
    page = three.clients["blue"].get(three.home + "clocks/").content.decode()
    steps = page.split('<ol class="sr">')[1].split("</ol>")[0]
    names = [step.split(":")[0] for step in re.findall(r"<li>(.*?)</li>", steps)]
    assert names == [
        "Diocletian’s turn, Shirin",
        "Galerius’s turn, Shirin",
        "Constantius’s turn, Ada (away)",
        "Maximian’s turn, Benedetto",
    ]
    slot, turn = (
        clock for clock in sorted(clocks.running(campaign), key=lambda clock: clock.due_at)
    )
    end = add(slot.due_at, "9d", campaign.time_zone)
    assert f"expected to close around <strong>{end:%-d %b}" in re.sub(r"<time[^>]*>", "", page)
    assert (slot.kind, turn.kind) == ("slot", "turn")
    (opened,) = [
        notice
        for notice in notices_in_words(notices.notices(people["green"]))
        if notice.notice.kind == "slot-open"
    ]
    assert (opened.title, opened.body) == ("It is your turn, Diocletian", "Place 2 fleets.")
    shown = Notice.objects.filter(kind="next").values_list("user__username", flat=True)
    assert list(shown) == ["Ada"], "after both of Shirin's Emperors"
    seen = selectors.seen(campaign, people["gm"])
    clocks_services.extend(
        campaign, people["gm"], slot, slot.due_at + timedelta(days=1), "A wedding", seen
    )
    clocks_services.extend(
        campaign, people["gm"], turn, turn.due_at + timedelta(days=1), "A wedding", seen + 1
    )
    moved = [
        notice.title
        for notice in notices_in_words(notices.notices(people["green"]))
        if notice.notice.kind == "clock-moved"
    ]
    assert [title.split(": ")[0] for title in moved] == ["Round 1", "Turn of Diocletian"]
    (away,) = [
        notice
        for notice in notices_in_words(notices.notices(people["gm"]))
        if notice.notice.kind == "absence"
    ]
    assert "The Clocks page" in away.body


def test_a_turn_from_the_first_step_to_the_barbarians(alone: Table) -> None:
    assert alone.post("ada", do="place_fleets", zones="internum-aegaeum").status_code == 303
    page = alone.text("ada")
    assert "Diocletian’s turn" in page
    assert "Enter in ROMA" in page
    alone.post("ada", do="enter", at="bithynia")
    alone.post("ada", do="move", path="thracia")
    page = alone.text("ada")
    assert "left, in THRACIA" in page
    assert alone.position.ip == 5 - (alone.position.tokens.get("thracia") == "revolt")
    was = alone.position.ip
    # A move can be taken back until a die has been thrown.
    assert alone.clients["ada"].get(alone.home + "undo/").status_code == 200
    moved = re.search(r'name="to" value="(\d+)"', alone.text("ada", "undo/"))
    assert moved is not None
    alone.post("ada", "undo/", to=moved[1], reason="I want to keep it after all.")
    assert (alone.position.figures["diocletian"], alone.position.ip) == ("bithynia", 6)
    alone.post("ada", do="move", path="thracia")
    assert alone.position.ip == was
    alone.post("ada", do="end_turn")
    page = alone.text("ada")
    assert "The barbarians after Diocletian" in page
    assert "Galerius’s turn" in page


def test_a_refused_move_names_its_rule_and_changes_nothing(alone: Table) -> None:
    alone.post("ada", do="place_fleets", zones="internum-aegaeum")
    before = alone.campaign.last_number
    answer = alone.post("ada", do="secure")
    assert answer.status_code == 422
    assert "Diocletian is off the board and must enter first." in answer.content.decode()
    assert "#r-4.1" in answer.content.decode()
    assert alone.post("ada", do="move", path='"><script>').status_code == 422
    alone.campaign.refresh_from_db()
    assert alone.campaign.last_number in (before, before + 1)


def test_a_program_plays_on_to_the_end_and_says_so(alone: Table) -> None:
    alone.post("ada", do="place_fleets", zones="internum-aegaeum")
    for _ in range(12):
        alone.post("ada", "onward/", how="end")
        if alone.position.phase == "over":
            break
    page = alone.text("ada")
    assert ("The Empire is saved" in page) or ("The Empire is lost" in page)
    assert "A program finished this game" in page
    assert "Chronicle" in page
    assert "A program decides for the Tetrarchy until the end of the campaign." in alone.text(
        "ada", "log/?all"
    )


def test_in_a_pause_no_program_moves_and_the_page_offers_none(alone: Table) -> None:
    alone.post("ada", do="place_fleets", zones="internum-aegaeum")
    services.change_life(alone.campaign, alone.people["ada"], "paused")
    entries = alone.campaign.entries.count()
    assert alone.post("ada", "onward/", how="end").status_code == 303
    assert alone.campaign.entries.count() == entries
    alone.campaign.refresh_from_db()
    assert not alone.campaign.helped


def test_each_of_several_players_moves_their_own_emperors(pair: Table) -> None:
    assert "The game master begins when every seat is taken." in pair.text("east")
    assert pair.post("east", do="begin").status_code in (403, 422)
    pair.post("gm", do="begin")
    assert pair.position.phase == "fleets"
    assert pair.post("west", do="place_fleets", zones="internum-aegaeum").status_code in (403, 422)
    pair.post("east", do="place_fleets", zones="internum-aegaeum")
    assert "waits for you" in pair.text("east")
    assert "The East is to move." in pair.text("west")
    assert "You are watching." in pair.text("nobody")
    assert pair.post("west", do="enter", at="roma").status_code == 403
    pair.post("east", do="enter", at="bithynia")
    assert pair.position.figures["diocletian"] == "bithynia"


def test_the_game_master_acts_for_a_seat_and_the_log_says_so(pair: Table) -> None:
    pair.post("gm", do="begin")
    pair.post("east", do="place_fleets", zones="internum-aegaeum")
    assert "You act for The East, as game master." in pair.text("gm")
    assert ["waits for you" in pair.text(who) for who in ("gm", "east", "west")] == [
        False,
        True,
        False,
    ]
    pair.post("gm", do="enter", at="roma")
    assert pair.position.figures["diocletian"] == "roma"
    last = pair.campaign.entries.order_by("sequence").last()
    assert last is not None
    assert last.content == {"by": "gm", "for": "east", "move": "enter", "at": "roma"}


def test_a_program_plays_a_missing_seats_turn_and_stops_at_the_next_players(pair: Table) -> None:
    pair.post("gm", do="begin")
    pair.post("east", do="place_fleets", zones="internum-aegaeum")
    pair.post("gm", "onward/", how="deputy")
    position = pair.position
    # the two Emperors of the East have played; the West was not asked
    assert position.emperor == "constantius"
    acts = [
        entry.content
        for entry in pair.campaign.entries.order_by("sequence")
        if entry.act == "deputy"
    ]
    assert acts == [{"act": "deputy", "how": "now"}]


def test_a_message_meanwhile_stops_no_program(pair: Table) -> None:
    pair.post("gm", do="begin")
    pair.post("east", do="place_fleets", zones="internum-aegaeum")
    pair.campaign.refresh_from_db()
    seen = str(selectors.seen(pair.campaign, pair.people["gm"]))
    pair.clients["west"].post(pair.home + "aloud/", {"text": "We wait for you."})
    pair.clients["gm"].post(pair.home + "onward/", {"seen": seen, "how": "deputy"})
    assert pair.position.emperor == "constantius"


def test_a_message_after_an_undo_does_not_prevent_its_restoration(pair: Table) -> None:
    pair.post("gm", do="begin")
    pair.post("east", do="place_fleets", zones="internum-aegaeum")
    pair.post(
        "gm", "undo/", to=str(pair.campaign.entries.latest("sequence").number), reason="Elsewhere."
    )
    assert pair.position.phase == "fleets"
    pair.clients["west"].post(pair.home + "aloud/", {"text": "Where, then?"})
    pair.post("gm", "undo/", do="restore", reason="There after all.")
    assert pair.position.phase != "fleets"


def test_the_page_in_italian(alone: Table) -> None:
    page = Client(headers={"accept-language": "it"}).get(alone.home).content.decode()
    assert "Dove cominciano le flotte" in page
    assert "Esito del dado della minaccia" in page


def test_the_page_is_small_and_makes_few_queries(pair: Table) -> None:
    pair.post("gm", do="begin")
    pair.post("east", do="place_fleets", zones="internum-aegaeum")
    positions.memory.clear()
    for who, most in (("gm", 14), ("east", 12), ("nobody", 6)):
        with CaptureQueriesContext(connection) as asked:
            page = pair.text(who)
        assert len(asked) <= most, [query["sql"] for query in asked]
        assert len(gzip.compress(page.encode())) < 90_000


@pytest.mark.parametrize(
    ("answers", "options"),
    [
        ({}, {"players": 1, "level": [4, 2, 0, 0]}),
        (
            {"players": "3g", "tokens": "5", "armies": "0", "imperium": "1"},
            {"players": 3, "caesar": "galerius", "level": [5, 2, 0, 0], "variants": ["imperium"]},
        ),
        (
            {"players": "2", "revolts": "2", "amphibious": "1"},
            {"players": 2, "level": [4, 2, 2, 0], "options": ["amphibious"]},
        ),
    ],
)
def test_the_founding_form_has_the_questions_of_the_title(
    person: Callable[..., Any], answers: dict[str, str], options: dict[str, Any]
) -> None:
    client = Client()
    client.force_login(person("Ada"))
    assert "1: all four Emperors" in client.get("/found/?title=tetrarchia").content.decode()
    answer = client.post(
        "/found/", {"title": "tetrarchia", "visibility": "unlisted", "name": "", **answers}
    )
    assert answer.status_code == 303, answer.content.decode()[:2000]
    campaign = Campaign.objects.get()
    assert selectors.position(campaign).options == campaign.game.options(options)
    assert campaign.name == "Tetrarchy " + "".join(map(str, options["level"]))


@pytest.mark.parametrize(
    "answers",
    [{"players": "9"}, {"tokens": "6"}, {"fleets": "x"}, {"players": "3g", "the_great": "1"}],
)
def test_invalid_terms_are_refused_with_a_reason(
    person: Callable[..., Any], answers: dict[str, str]
) -> None:
    client = Client()
    client.force_login(person("Ada"))
    answer = client.post(
        "/found/", {"title": "tetrarchia", "visibility": "unlisted", "name": "", **answers}
    )
    assert answer.status_code == 422
    assert 'class="field__error"' in answer.content.decode()
    assert not Campaign.objects.exists()


def test_a_guest_cannot_found_a_game_for_several_players() -> None:
    client = Client()
    client.post("/play/tetrarchia/")
    answer = client.post(
        "/found/", {"title": "tetrarchia", "visibility": "unlisted", "name": "", "players": "2"}
    )
    assert answer.status_code in (302, 403)
    assert Campaign.objects.count() == 1


def test_the_next_player_is_notified_with_a_link_to_the_board(pair: Table) -> None:
    pair.post("gm", do="begin")
    pair.post("east", do="place_fleets", zones="internum-aegaeum")
    pair.post("gm", "onward/", how="deputy")
    notices = pair.clients["west"].get("/notices/").content.decode()
    assert "It is your turn" in notices
    number = re.search(r'href="(/notices/\d+/)"', notices)
    assert number is not None
    assert pair.clients["west"].get(number[1])["Location"] == pair.home
    pair.text("west")  # a reader who opens the board has seen it
    assert "Notices, " not in pair.text("west")


def test_the_hall_of_fame_compares_equal_levels(person: Callable[..., Any]) -> None:
    user = person("Ada")
    for level, variants in (("4211", []), ("5300", []), ("5300", ["the_great"])):
        options = {"level": level, "variants": variants}
        campaign = services.found_campaign(
            user,
            "tetrarchia",
            f"Of level {level}",
            "standard",
            options,
            visibility="listed",
            seed=SEED,
        )
        while not campaign.ended:
            position = selectors.position(campaign)
            move = {
                "move": "place_fleets",
                "zones": ["internum", "aegaeum", "atlanticum"][: position.options.level[1]],
            }
            if position.phase == "roman":
                move = (
                    {"move": "enter", "at": "roma"} if position.can_enter else {"move": "end_turn"}
                )
            campaign = services.play(
                campaign, user, {"by": "tetrarchy", **move}, selectors.seen(campaign, user)
            ).campaign
    page = Client().get("/hall/tetrarchia/").content.decode()
    assert re.findall(r"<h2 id=\"h-\d\">([^<]*)</h2>", page) == [
        "Level 4211",
        "Level 5300",
        "Level 5300, Variant The Great",
    ]
    assert page.count("The Empire lost in round") == 3


def test_messages_make_no_page_stale(pair: Table) -> None:
    pair.post("gm", do="begin")
    pair.campaign.refresh_from_db()
    seen = str(selectors.seen(pair.campaign, pair.people["east"]))
    content = "Maximian to ROMA, then <b>NARBONENSIS</b>?\nI hold {the} East."
    assert (
        pair.clients["west"].post(pair.home + "aloud/", {"text": content})["Location"]
        == pair.home + "#talk"
    )
    page = pair.text("east")
    assert "Maximian to ROMA, then &lt;b&gt;NARBONENSIS&lt;/b&gt;?<br>I hold {the} East." in page
    assert "&lt;b&gt;NARBONENSIS" in pair.text("nobody", "log/")
    answer = pair.clients["east"].post(
        pair.home + "act/", {"seen": seen, "do": "place_fleets", "zones": "internum-aegaeum"}
    )
    assert answer.status_code == 303
    assert pair.position.phase == "roman"


@pytest.mark.parametrize("text", ["", "  ", "x" * 1001, "a\x00b"])
def test_a_refused_message_stays_in_the_field(pair: Table, text: str) -> None:
    answer = pair.clients["west"].post(pair.home + "aloud/", {"text": text}, follow=True)
    assert "Your text must have at most 1000 characters." in answer.content.decode()
    assert not pair.campaign.entries.filter(act="talk").exists()


def test_only_members_write_messages(pair: Table, person: Callable[..., Any]) -> None:
    stranger = Client()
    stranger.force_login(person("Sid"))
    assert stranger.post(pair.home + "aloud/", {"text": "Hail"}).status_code == 403
    assert Client().post(pair.home + "aloud/", {"text": "Hail"}).status_code in (302, 403)
    assert "Write to the table" not in pair.text("nobody")
    assert pair.clients["gm"].post(pair.home + "aloud/", {"text": "Hail"}).status_code == 303


def test_a_single_player_has_no_messages(alone: Table) -> None:
    assert "Plans and messages" not in alone.text("ada")


def test_too_many_messages_are_refused_without_losing_the_text(pair: Table) -> None:
    for n in range(60):
        assert (
            pair.clients["west"].post(pair.home + "aloud/", {"text": f"No. {n}"}).status_code == 303
        )
    answer = pair.clients["west"].post(pair.home + "aloud/", {"text": "One word more."})
    assert (answer.status_code, "Retry-After" in answer.headers) == (429, True)
    assert ">One word more.</textarea>" in pair.text("west")
    assert pair.clients["east"].post(pair.home + "aloud/", {"text": "At last."}).status_code == 303
