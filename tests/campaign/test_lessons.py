"""The lessons without a browser.

The tests cover the task of each step, the result of another legal move, and that no lesson is
counted.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from campaign import practice, services, status
from campaign.log import selectors
from campaign.models import Campaign
from games.contract.players import progress
from games.registry import TITLES
from games.tetrarchia.text.lesson import LESSON
from notices.models import Notice

pytestmark = pytest.mark.django_db
WALKS: dict[str, list[dict[str, Any]]] = {
    "tetrarchia": [
        {"move": "place_fleets"},
        {"move": "enter", "at": "bithynia"},
        {"move": "move", "path": ["asia"]},
        {"move": "subdue"},
        {"move": "secure"},
        {"move": "end_turn"},
        {"move": "enter"},
        {"move": "attack", "target": "dacia"},
    ],
    "march_on_rome": [
        {"move": "attack", "target": "syria"},
        {"move": "devote"},
        {"move": "ally", "target": "achaia"},
        {"move": "devote"},
        {"move": "pass"},
    ],
    "roman_empire": [
        {"move": "keep"},
        {"move": "keep"},
        {"move": "place", "land": "lugdunensis"},
        {"move": "place", "land": "aquitania"},
        {"move": "play_event"},
        {"move": "end_phase"},
        {"move": "choose_start"},
        {"move": "recruit"},
        {"move": "end_phase"},
    ],
    "grand_campaign": [{"move": "build"}, {"move": "attack"}, {"move": "end-slot"}],
}


class Anything:
    """A position in which every step can be done."""

    phase, slot, emperor, round, ip, tokens, barbarians = (
        "roman",
        "romans",
        "galerius",
        1,
        9,
        {"x": "revolt"},
        ["dacia"],
    )


@pytest.mark.parametrize("title", sorted(TITLES))
def test_each_move_does_its_step_and_no_other(title: str) -> None:
    lesson = TITLES[title].lesson
    walk = WALKS[title]
    asked = [n for n, step in enumerate(lesson.steps[:-1]) if not step.page]
    assert len(walk) == len(asked)
    for n in range(len(walk)):
        assert progress(lesson, walk[:n], Anything()).at in (asked[n], asked[n] - 1)
    far = progress(lesson, walk, Anything())
    assert (far.at, far.left_out, far.otherwise) == (len(lesson.steps) - 1, frozenset(), False)
    assert set(lesson.texts.english["steps"]) == {step.key for step in lesson.steps}


def test_another_legal_move_is_answered_and_a_later_step_skips_those_before() -> None:
    walk = WALKS["tetrarchia"]
    far = progress(LESSON, [*walk[:2], {"move": "move", "path": ["galatia"]}], Anything())
    assert (far.at, far.otherwise) == (2, True)
    far = progress(LESSON, [*walk[:2], {"move": "end_turn"}], Anything())
    assert (far.at, far.left_out, far.otherwise) == (6, {2, 3, 4}, False)


def test_more_of_the_same_move_does_no_later_step() -> None:
    walk = WALKS["roman_empire"]
    far = progress(
        TITLES["roman_empire"].lesson, [*walk[:5], {"move": "place", "land": "belgica"}], Anything()
    )
    assert (far.at, far.left_out) == (5, frozenset())


def test_a_page_that_is_opened_is_a_step() -> None:
    lesson = TITLES["grand_campaign"].lesson
    assert [progress(lesson, [], Anything(), page).at for page in ("table", "nation")] == [0, 1]


def test_a_step_that_comes_too_late_says_so(person: Callable[..., Any]) -> None:
    spent = Anything()
    spent.emperor, spent.ip = "diocletian", 0  # type: ignore[misc]
    assert not progress(LESSON, WALKS["tetrarchia"][:2], spent).possible


def test_a_guest_completes_the_tetrarchia_lesson_and_it_is_not_counted(client: Client) -> None:
    client.post("/learn/tetrarchia/")
    campaign = Campaign.objects.get()
    home = f"/c/{campaign.address}/"
    page = client.get(home).content.decode()
    assert "Place the fleets" in page
    assert "Step 1 of 9." in page
    assert "lesson</span>" in page
    assert (
        "This is a lesson: its result counts nowhere"
        in client.get(home + "log/?all").content.decode()
    )
    zones = ["atlanticum", "internum"]
    planned = json.dumps({"moves": [{"move": "place_fleets", "zones": zones}]})
    part = client.post(home + "lesson/", planned, content_type="application/json").content.decode()
    assert "Diocletian enters" in part
    assert client.post(home + "lesson/", "[", content_type="application/json").status_code == 400
    user = campaign.founder
    services.change_description(campaign, user, name="Mine", time_zone="UTC", visibility="listed")
    Campaign.objects.filter(pk=campaign.pk).update(
        ended=True, points=99, result='[["tetrarchy",99,1,{}]]'
    )
    campaign.refresh_from_db()
    assert status.best("tetrarchia") == []
    assert not status.may_enter(campaign)
    assert campaign not in selectors.listed()
    assert not Notice.objects.filter(campaign=campaign).exists()


def test_only_the_learner_leaves_and_resumes_the_guide(
    client: Client, person: Callable[..., Any]
) -> None:
    learner = person("Livia")
    client.force_login(learner)
    campaign = practice.begin_lesson(learner, "march_on_rome")
    home = f"/c/{campaign.address}/"
    assert "Attack a neighbour" in client.get(home).content.decode()
    client.post(home + "lesson/", {"guide": "left"})
    assert "Show me the steps again" in client.get(home).content.decode()
    other = Client()
    assert "Show me the steps again" not in other.get(home).content.decode()
    assert other.post(home + "lesson/", {"guide": "guided"}).status_code in (302, 403)
    campaign.refresh_from_db()
    assert campaign.lesson == "left"


def test_a_step_that_a_program_takes_first_is_no_error(client: Client) -> None:
    client.post("/learn/roman_empire/")
    campaign = Campaign.objects.get()
    home = f"/c/{campaign.address}/"
    page = client.get(home).content.decode()
    assert "Determine the drawing order" in page
    seen = int(re.findall('name="seen" value="([0-9]+)"', page)[0])
    while practice.advance(campaign.pk):
        pass
    campaign.refresh_from_db()
    assert campaign.last_sequence > seen
    body = json.dumps({"seen": seen, "moves": [], "then": "on"})
    answer = client.post(home + "moves/", body, content_type="application/json")
    assert (answer.status_code, answer.json()["why"]) == (200, None)
    assert len(answer.json()["frames"]) > 0
    shown = client.post(home + "onward/", {"seen": seen, "how": "on"}, follow=True)
    assert "The table has moved on" not in shown.content.decode()
    assert "Draw a counter of a People" in shown.content.decode()


@pytest.mark.parametrize(
    ("title", "menu"),
    [("tetrarchia", 'class="play-menu__in"'), ("grand_campaign", 'id="more"')],
)
def test_the_menu_of_a_telephone_has_each_entry_once(client: Client, title: str, menu: str) -> None:
    client.post(f"/learn/{title}/")
    page = client.get(f"/c/{Campaign.objects.get().address}/").content.decode()
    entries = page.partition(menu)[2].partition("</details>" if "play" in menu else "</nav>")[0]
    names = [name for name in re.findall(r">\s*([^<>]*\w)\s*<", entries) if not name.isdigit()]
    assert "About" in names
    assert sorted(names) == sorted(set(names))


def test_two_learners_have_the_same_dice(person: Callable[..., Any]) -> None:
    commitments = {
        practice.begin_lesson(person(name), "tetrarchia").commitment for name in ("Ada", "Bea")
    }
    assert len(commitments) == 1
