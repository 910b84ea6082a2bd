"""Every statement of a lesson, compared with the rules of its title.

A step names passages of RULES.md (`Step.rests_on`). They must occur there literally. Each number,
name and term in the text of a step must occur in its passages, apart from what the dice and the
board of the lesson deal.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

from campaign import practice
from campaign.log import selectors
from engine.language import text_of_file
from games.contract.players import Step
from games.contract.title import WithScenarioRules
from games.registry import TITLES
from games.roman_empire.rules.position import CHART
from tests.translated import GAMES

PARAGRAPH = re.compile(r"^(?:- |## )(\d+(?:\.\d+)?) ")
NUMBERS = {
    word: number
    for number, words in {
        1: "one once",
        2: "two twice half",
        3: "three",
        4: "four",
        5: "five",
        6: "six",
        7: "seven",
        8: "eight",
        9: "nine",
    }.items()
    for word in words.split()
}
ROMAN = {"I": 1, "II": 2, "III": 3, "IV": 4, "V": 5, "VI": 6, "VII": 7}
NUMBER = re.compile(r"\d+|\b(?:VII|VI|IV|V|III|II|I)\b|[a-z]+", re.IGNORECASE)
NAME = re.compile(r"(?<![.:?!] )(?<![“‘])(?<!^)\b[A-Z][A-Za-z]+")
TERMS = {
    "march_on_rome": {"legion", "battle", "rival", "province", "alliance", "recruit", "absorb"},
    "tetrarchia": {"fleet", "emperor", "link", "revolt", "unrest", "token", "border"},
    "roman_empire": {
        *("people", "faction", "emperor", "counter", "legion", "area", "card", "period"),
        *("city", "resource", "army"),
    },
    "grand_campaign": {"action", "income", "nation", "attack", "amphibious", "turn", "victory"},
}
"""The terms of each title. A step may use them only if its passages do."""
DEALT: dict[tuple[str, str], set[str]] = {
    ("march_on_rome", "attack"): {"6"},
    ("tetrarchia", "fleets"): {"2"},
    ("tetrarchia", "march"): {"asia"},
    ("tetrarchia", "secure"): {"asia"},
    ("tetrarchia", "attack"): {"dacia"},
    ("roman_empire", "home"): {"7", "galli", "lugdunensi"},
    ("roman_empire", "spread"): {"aquitania"},
}
"""Numbers and names that the dice or the board of a lesson deal; other tests check them."""
STEPS = [
    pytest.param(title, step, id=f"{title}-{step.key}")
    for title, game in TITLES.items()
    if game.lesson is not None
    for step in game.lesson.steps
]


def paragraphs(title: str) -> dict[str, str]:
    """Return the paragraphs of the rules by number. A chapter has its own text, too."""
    game = TITLES[title]
    if isinstance(game, WithScenarioRules):
        rules = game.rules_text()
    else:
        rules = text_of_file(GAMES / title, "RULES")
    texts: dict[str, str] = {}
    number = ""
    for line in rules.splitlines():
        match = PARAGRAPH.match(line)
        number = match[1] if match else number
        texts[number] = f"{texts.get(number, '')}{line}\n"
    return texts


def texts_of(title: str, step: Step) -> list[str]:
    texts = TITLES[title].lesson.texts.english["steps"][step.key]
    return [texts["head"], texts["text"], texts.get("late", "")]


def numbers(text: str) -> set[str]:
    """Return the numbers in a text as figures, whether they are figures, words or Roman."""
    known = set()
    for word in NUMBER.findall(text):
        number = word if word.isdigit() else NUMBERS.get(word.lower()) or ROMAN.get(word)
        known |= {str(number)} if number else set()
    return known


def stem(word: str) -> str:
    """Return a word without the ending of the plural or of the past tense."""
    word = word.casefold()
    word = f"{word[:-3]}y" if word.endswith("ies") else word
    return word.removesuffix("ed").removesuffix("s")


def stems(text: str) -> set[str]:
    return {stem(word) for word in re.findall("[A-Za-z]+", text)}


@pytest.mark.parametrize(("title", "step"), STEPS)
def test_the_passages_of_a_step_are_in_the_rules(title: str, step: Step) -> None:
    rules = paragraphs(title)
    assert step.rests_on
    for rule, words in step.rests_on:
        assert words in rules[rule], f"{rule}: {words}"


@pytest.mark.parametrize(("title", "step"), STEPS)
def test_a_step_has_no_number_name_or_term_that_its_passages_lack(title: str, step: Step) -> None:
    words = " ".join(passage.words for passage in step.rests_on)
    dealt = DEALT.get((title, step.key), set())
    texts = texts_of(title, step)
    assert set().union(*(numbers(text) for text in texts)) <= numbers(words) | dealt
    in_passages = stems(words) | dealt
    names = {stem(name) for text in texts[1:] for name in NAME.findall(text)}
    assert names <= in_passages
    terms = set().union(*(stems(text) for text in texts)) & TERMS[title]
    assert terms <= in_passages


def test_the_checks_notice_another_number_and_another_name() -> None:
    assert numbers("A Legion costs 2 points, and 3 from period IV; twice seven.") == {
        *("2", "3", "4", "7"),
    }
    assert NAME.findall("Tap Syria. Then press “Attack Asia”.") == ["Syria", "Asia"]
    assert stems("two Cities, Legions") == {"two", "city", "legion"}


@pytest.mark.django_db
def test_the_dice_of_the_march_on_rome_deal_six_legions_in_asia(
    person: Callable[..., Any],
) -> None:
    campaign = practice.begin_lesson(person("Livia"), "march_on_rome")
    position = selectors.position(campaign)
    assert (position.legions["pc"], position.owner["asia"]) == (6, "pc")


def test_tetrarchia_is_learned_at_a_level_with_two_fleets() -> None:
    lesson = TITLES["tetrarchia"].lesson
    assert lesson.options["level"] == [4, 2, 0, 0]
    assert "level 4200" in lesson.texts.english["about"]


def test_the_galli_have_seven_armies_and_begin_in_lugdunensis() -> None:
    galli = next(people for people in CHART if people.key == "galli" and people.period == 1)
    assert (galli.strength, galli.start) == (7, "lugdunensis")
