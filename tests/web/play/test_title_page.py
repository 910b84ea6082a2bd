"""A title with its own page: the page, its moves, playing on, and parts that do not exist there."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
import time_machine
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from campaign import automatic_moves, services
from campaign.log import selectors
from campaign.models import Membership
from tests.alone import Alone, alone, patience

__all__ = ["alone", "patience"]
pytestmark = pytest.mark.django_db


def gold(text: str) -> str:
    match = re.search(r'<p id="gold">(.*?)</p>', text)
    assert match
    return match[1].strip()


def test_a_campaign_for_one_player_is_seated_and_begun_at_once(alone: Alone) -> None:
    held = Membership.objects.filter(campaign=alone.campaign, until=None).values_list(
        "role", "seat", "user"
    )
    assert set(held) == {("game_master", "", alone.user.pk), ("seat", "mole", alone.user.pk)}
    assert alone.content() == ["begin"]
    assert (alone.reload().status, alone.campaign.turn) == ("running", 1)


def test_the_title_s_own_page(alone: Alone) -> None:
    text = alone.text()
    assert gold(text) == "Marozia: 5 gold, mole"
    assert "<li>2 begin [5] 1</li>" in text
    assert "<title>Year 1 · The Hill · Tabula</title>" in text
    assert 'href="/static/css/rules.css"' in text
    assert '<p id="ribbon">Year 1</p>' in text
    assert f'action="{alone.home}act/"' in text
    assert f'action="{alone.home}onward/"' in text
    assert f'<input type="hidden" name="seen" value="{alone.seen}">' in text


def test_its_rooms(alone: Alone) -> None:
    tabs = re.search(r'<nav class="tabs".*?</nav>', alone.text(), re.DOTALL)
    assert tabs
    assert re.findall(r"<span>(\w+)</span>", tabs[0]) == [
        "Table",
        "Log",
        "Reports",
        "Dice",
        "About",
        "More",
    ]


NOWHERE = [
    "n/mole/",
    "n/mole/plan/",
    "battles/",
    "b/1/",
    "desk/",
    "seats/",
    "lobby/",
    "terms/",
    "move/",
    "preview/",
]


@pytest.mark.parametrize("path", NOWHERE)
def test_these_parts_do_not_exist(alone: Alone, path: str) -> None:
    assert alone.client.get(alone.home + path).status_code == 404
    assert alone.post(path).status_code == 404


@pytest.mark.parametrize(
    "path",
    ["log/", "e/0/", "e/2/", "about/", "dice/", "reports/", "rulings/", "record.json", "notices/"],
)
def test_the_generic_pages_serve(alone: Alone, path: str) -> None:
    with CaptureQueriesContext(
        connection,
    ) as queries:
        assert alone.client.get(alone.home + path).status_code == 200
    assert len(queries) <= 12


def test_other_users_read_but_do_not_play(alone: Alone, person: Callable[..., Any]) -> None:
    for client in (Client(), Client()):
        assert "Dig" not in client.get(alone.home).content.decode()
    other = Client()
    other.force_login(person("Sid"))
    text = other.get(alone.home).content.decode()
    assert gold(text) == "Sid: 5 gold,"
    assert ">Dig<" not in text
    assert other.post(alone.home + "act/", {"do": "rest", "seen": "2"}).status_code == 403
    assert other.post(alone.home + "onward/", {"how": "on", "seen": "2"}).status_code == 403
    assert Client().post(alone.home + "act/", {"do": "rest", "seen": "2"}).status_code == 302
    assert alone.content() == ["begin"]


def test_a_move_and_the_start_of_its_report(alone: Alone) -> None:
    answer = alone.post("act/", do="rest")
    assert (answer.status_code, answer["Location"]) == (303, f"{alone.home}?told=3")
    assert alone.content() == ["begin", "rest"]
    assert gold(alone.text(told="3")) == "Marozia: 5 gold, mole 3"


def test_a_refused_move_keeps_what_was_typed(alone: Alone) -> None:
    for depth, kept in (("7", "7"), ('"><b>', "&quot;&gt;&lt;b&gt;")):
        answer = alone.post("act/", do="dig", depth=depth)
        text = answer.content.decode()
        assert answer.status_code == 422
        assert '<p role="alert">Moldwarp cannot: bad-depth 2</p>' in text
        assert f'<input name="depth" value="{kept}">' in text
    assert alone.content() == ["begin"]


@pytest.mark.parametrize(
    "data",
    [
        {},
        {"do": "fly"},
        {"do": "dig"},
        {"do": "rest", "seen": "x"},
        {"do": "\x00", "depth": "\u0662"},
    ],
)
def test_nonsense_is_refused_in_words(alone: Alone, data: dict[str, str]) -> None:
    seen = str(alone.seen)
    answer = alone.client.post(alone.home + "act/", {"seen": seen, **data})
    assert answer.status_code in (409, 422)
    assert alone.content() == ["begin"]


def test_a_form_of_an_outdated_page_keeps_what_was_typed(alone: Alone) -> None:
    old = alone.seen
    alone.post("act/", do="rest")
    alone.post("onward/", how="on")
    answer = alone.post("act/", seen=old, do="dig", depth="3")
    text = answer.content.decode()
    assert answer.status_code == 409
    assert "The table has moved on." in text
    assert "Moldwarp does: rest" in text
    assert '<input name="depth" value="3">' in text
    assert alone.content() == ["begin", "rest", "pass", "pass"]


def test_a_double_click_plays_once(alone: Alone) -> None:
    old = alone.seen
    first, second = (alone.post("act/", seen=old, do="rest") for _ in range(2))
    assert (first.status_code, second.status_code) == (303, 303)
    assert first["Location"] == second["Location"]
    assert alone.content() == ["begin", "rest"]
    old = alone.seen
    first, second = (alone.post("onward/", seen=old, how="step") for _ in range(2))
    assert first["Location"] == second["Location"] == f"{alone.home}?told=4"
    assert alone.content() == ["begin", "rest", "pass"]


def test_one_step_and_playing_on_until_a_decision(alone: Alone) -> None:
    alone.post("act/", do="rest")
    assert alone.post("onward/", how="step")["Location"] == f"{alone.home}?told=4"
    assert alone.content() == ["begin", "rest", "pass"]
    alone.post("onward/", how="on")
    assert alone.content() == ["begin", "rest", "pass", "pass"]
    answer = alone.client.post(
        alone.home + "onward/", {"seen": str(alone.seen), "how": "on"}, follow=True
    )
    assert "Someone must decide first" in answer.content.decode()
    assert alone.reload().turn == 2


def test_a_move_may_run_on_at_once(alone: Alone) -> None:
    first = alone.seen + 1
    answer = alone.post("act/", do="rest", then="on")
    assert answer.headers["Location"] == f"{alone.home}?told={first}"
    assert alone.content() == ["begin", "rest", "pass", "pass"]
    alone.post("act/", do="rest", then="sideways")
    assert alone.content()[4:] == ["rest"]


def test_a_refused_move_does_not_run_on(alone: Alone) -> None:
    assert alone.post("act/", do="dig", depth="9", then="on").status_code == 422
    assert alone.content() == ["begin"]


def test_the_deputy_plays_until_the_next_year_asks(alone: Alone) -> None:
    assert alone.post("onward/", how="deputy")["Location"] == f"{alone.home}?told=4"
    assert alone.content() == ["begin", "rest", "pass", "pass"]
    assert alone.reload().turn == 2


def test_to_the_end_by_the_worker_with_how_far_it_is(
    alone: Alone, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        automatic_moves, "MOST", 10
    )  # the request waits for ten moves; the rest is not taken by a worker yet
    answer = alone.client.post(
        alone.home + "onward/", {"seen": str(alone.seen), "how": "end"}, follow=True
    )
    page = answer.content.decode()
    assert len(alone.content()) == 11
    assert "A program is playing to the end" in page
    assert "10 moves" in page
    assert "there is more" not in page
    assert 'id="live"' in page  # the page updates itself for a lone player, too
    assert ">Dig<" not in page  # while a program plays on
    alone.post("onward/", how="end")  # a second request changes nothing
    assert len(alone.content()) == 11
    while automatic_moves.tick(timezone.now(), 5):
        pass
    assert alone.reload().status == "finished"
    assert [
        (standing.seat, standing.rank) for standing in selectors.standings(alone.campaign) or ()
    ] == [("mole", 1)]
    assert alone.campaign.onward is None
    after = len(alone.content())
    alone.post("onward/", how="end")
    assert len(alone.content()) == after


def test_it_is_stopped_by_its_button(
    alone: Alone, monkeypatch: pytest.MonkeyPatch, person: Callable[..., Any]
) -> None:
    monkeypatch.setattr(automatic_moves, "MOST", 1)
    alone.post("onward/", how="end")
    other = Client()
    other.force_login(person("Sid"))
    assert 'value="stop"' not in other.get(alone.home).content.decode()
    assert other.post(alone.home + "onward/", {"how": "stop", "seen": "3"}).status_code == 403
    assert 'value="stop"' in alone.text()
    alone.post("onward/", how="stop")
    assert (alone.content(), alone.reload().onward) == (["begin", "rest"], None)
    assert automatic_moves.tick(timezone.now(), 5) == 0
    monkeypatch.setattr(automatic_moves, "MOST", 9)
    alone.post("onward/", how="on")
    assert ">Dig<" in alone.text()


def test_another_worker_takes_over_after_one_dies(
    alone: Alone, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A worker is killed between two moves.

    Its moves stay; for a minute no other worker takes over, then one finishes.
    """

    def killed(*_: Any, **__: Any) -> None:
        raise KeyboardInterrupt

    automatic_moves.begin(alone.campaign, alone.user, "deputy")
    with monkeypatch.context() as here:
        here.setattr(services, "play", killed)
        with pytest.raises(KeyboardInterrupt):
            automatic_moves.advance(alone.campaign.pk)
    assert alone.content() == ["begin"]
    assert automatic_moves.advance(alone.campaign.pk).moves == 0  # another worker has it
    soon = timezone.now() + automatic_moves.SILENCE
    with time_machine.travel(soon):
        assert automatic_moves.tick(soon, 5) == 1
    assert alone.content() == ["begin", "rest", "pass", "pass"]


def test_an_own_move_or_an_undo_ends_playing_on(alone: Alone) -> None:
    automatic_moves.begin(alone.campaign, alone.user, "end")
    assert automatic_moves.advance(alone.campaign.pk, most=2).more
    services.undo_to(alone.campaign, alone.user, 2, "By myself", alone.seen)
    assert automatic_moves.advance(alone.campaign.pk).moves == 0
    assert (alone.content(), alone.reload().onward) == (["begin"], None)


def test_unknown_ways_and_a_get_go_back_to_the_table(alone: Alone) -> None:
    assert alone.post("onward/", how="back")["Location"] == alone.home
    assert alone.client.get(alone.home + "act/")["Location"] == alone.home
    assert alone.client.get(alone.home + "onward/")["Location"] == alone.home
    assert alone.content() == ["begin"]


def test_a_paused_campaign_can_be_read_but_not_played(alone: Alone) -> None:
    services.change_life(alone.campaign, alone.user, "paused")
    assert ">Dig<" not in alone.text()
    answer = alone.post("act/", do="rest")
    assert answer.status_code == 409
    assert "paused" in answer.content.decode()
    assert alone.content() == ["begin"]


def test_a_title_without_a_page_has_no_such_addresses(person: Callable[..., Any]) -> None:
    user = person("Marozia")
    campaign = services.found_campaign(user, "grand_campaign", "The Long Frontier", "420ad")
    client = Client()
    client.force_login(user)
    for path in ("act/", "onward/"):
        assert client.get(f"/c/{campaign.address}/{path}").status_code == 404


def test_queries_of_the_page(alone: Alone) -> None:
    alone.post("onward/", how="end")
    alone.text()
    with CaptureQueriesContext(connection) as queries:
        alone.text()
    assert len(queries) <= 12
