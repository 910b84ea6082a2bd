"""The year in one line, and what decided the end of a reign, in whole reigns by program."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest

from engine.dice import Dice
from engine.language import use_language
from engine.play import play
from games.contract.pages import LoggedMove
from games.march_on_rome.bots.players import sensible
from games.march_on_rome.page.ending import ending
from games.march_on_rome.page.film import film
from games.march_on_rome.text.digest import decision, year_line
from games.march_on_rome.text.steps import steps
from tests.march_on_rome.table import SCENARIO, TITLE


def reign(seed: int, initiative: bool = True) -> Iterator[tuple[Any, list[LoggedMove]]]:
    """Yield each position of a reign by program, with its log."""
    here = TITLE.setup(SCENARIO, TITLE.options({"barbarian_initiative": initiative}))
    dice, log = Dice(1000, seed=f"{seed:064x}"), list[LoggedMove]()
    while (move := sensible(here)) is not None:
        played = play(here, TITLE.decode(move, here), dice)
        log.append(LoggedMove(len(log) + 1, move, "pc", played.effects, played.rolls, here.turn))
        here = played.after
        yield here, log


def line_of(log: list[LoggedMove], year: int) -> str:
    return year_line(SCENARIO, steps(SCENARIO, log), log, year, "told-year")


def test_a_year_in_one_line() -> None:
    lines = dict[int, str]()
    for position, log in reign(1):
        if position.phase == "pc" and not position.pending and position.turn > 1:
            lines.setdefault(position.turn - 1, line_of(log, position.turn - 1))
    assert {year: lines[year] for year in (1, 2, 3)} == {
        1: (
            "Year 1: You took Syria and lost no legions. Vitellius has no province left and is out "
            "of the game. Otho took Gaul. You recruited 2 legions."
        ),
        2: (
            "Year 2: Achaia joined you. Galba was murdered. You held Asia against the Armenians and"
            " lost 6 legions. Vespasian, a new general, rose in Gaul."
        ),
        3: (
            "Year 3: Italy joined you. Otho attacked Gaul in vain. Vespasian took Britannia. You "
            "recruited 4 legions."
        ),
    }


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("language", ["en", "de", "es", "it"])
def test_every_year_of_a_reign_is_told_in_every_language(seed: int, language: str) -> None:
    with use_language(language):
        *_, (position, log) = reign(seed)
        for year in range(1, position.turn + 1):
            line = line_of(log, year)
            assert "{" not in line
            assert line.endswith(".")
            assert line.count(". ") < 5
        sentence = decision(SCENARIO, log)
        assert sentence.endswith(".")
        assert "{" not in sentence


ENDS = {
    0: (
        "The last rival, Galba, joined you. At the end of year 2, no rival was alive and you held 3"
        " provinces: Rome is yours."
    ),
    2: ("The dice called for an assassination, and you were the victim."),
    3: ("Otho took Africa, your last province."),
    4: (
        "The last rival, Galba, lost Spain and had no province left. At the end of year 2, no rival"
        " was alive and you held 3 provinces: Rome is yours."
    ),
    16: (
        "The last rival, Galba, was murdered. At the end of year 2, no rival was alive and you held"
        " 3 provinces: Rome is yours."
    ),
}
"""The sentences that the films of reigns with these seeds end with."""


@pytest.mark.parametrize("seed", ENDS)
def test_the_film_ends_with_what_decided_the_reign_and_how_it_counts(seed: int) -> None:
    before = TITLE.setup(SCENARIO, TITLE.options({"barbarian_initiative": True}))
    *_, (position, log) = reign(seed)
    *_, decided, score = film(before, log)
    assert decided.say == ENDS[seed]
    assert score.say.startswith(f"Your reign counts as {position.result} in year {position.turn}.")
    assert decided.tone == ("good" if position.result == "won" else "bad")


PICTS = {
    "turn-5/event-1": 17,
    "turn-5/event-1/invader": 1,
    "turn-5/event-1/strength": 1,
    "turn-5/battle-1/initiative/attacker": 5,
    "turn-5/battle-1/initiative/defender": 1,
}
INVADED = {"turn": 5, "phase": "events", "events_left": 1, "owner": {"gaul": "pc"}, "queue": []}
OVERRUN = {
    "en": "The invaders overran Gaul, your last province.",
    "de": "Die Eindringlinge haben Gallien überrannt, deine letzte Provinz.",
    "es": "Los invasores arrasaron Galia, tu última provincia.",
    "it": "Gli invasori hanno travolto la Gallia, la tua ultima provincia.",
}


@pytest.mark.parametrize("language", OVERRUN)
def test_a_film_of_the_last_battle_alone_does_not_know_the_invaders(language: str) -> None:
    """The invasion is an entry before the film; the log of the whole reign names the people."""
    before = TITLE.situation(INVADED | {"legions": {"pc": 4}}, TITLE.options({}))
    dice, here, log = Dice(1000, fixed=PICTS), before, list[LoggedMove]()
    for move in ({"move": "continue"}, {"move": "devote", "legions": 0}):
        before = here
        played = play(here, TITLE.decode(move, here), dice)
        log.append(LoggedMove(len(log) + 1, move, "pc", played.effects, played.rolls, 5))
        here = played.after
    assert here.result == "lost"
    with use_language(language):
        assert film(before, log[1:])[-2].say == OVERRUN[language]
    assert decision(SCENARIO, log) == "The Picts overran Gaul, your last province."


def check_cuts(seed: int, ends: Counter[str], most: int) -> None:
    """Make the films of the last entries of a reign, at most `most` of them, and the end page."""
    before = TITLE.setup(SCENARIO, TITLE.options({"barbarian_initiative": seed % 2 == 0}))
    positions = [before]
    for here, log in reign(seed, seed % 2 == 0):  # noqa: B007 - the last of both is used below
        positions.append(here)
    for first in range(max(0, len(log) - most), len(log)):
        *_, decided, score = film(positions[first], log[first:])
        assert decided.say.endswith(".")
        assert score.say.startswith(f"Your reign counts as {here.result} in year {here.turn}.")
    end = ending(here, log, steps(SCENARIO, log))
    assert end.decided == film(before, log)[-2].say
    ends[end.why] += 1


def test_the_film_of_the_last_entries_shows_the_end_of_a_reign() -> None:
    ends = Counter[str]()
    for seed in range(3):
        check_cuts(seed, ends, 6)
    assert ends == {"no-rivals": 2, "assassinated": 1}


@pytest.mark.nightly
def test_the_film_from_any_entry_shows_the_end_of_hundreds_of_reigns() -> None:
    ends = Counter[str]()
    for seed in range(200):
        check_cuts(seed, ends, 1000)
    assert set(ends) >= {"no-rivals", "no_province", "assassinated"}
