"""The year in one line, and what decided the end of a reign, in whole reigns by program."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from engine.dice import Dice
from engine.language import use_language
from engine.play import play
from games.contract.pages import LoggedMove
from games.march_on_rome.bots.players import sensible
from games.march_on_rome.page.film import film
from games.march_on_rome.text.digest import decision, year_line
from games.march_on_rome.text.steps import steps
from tests.march_on_rome.table import SCENARIO, TITLE


def reign(seed: int) -> Iterator[tuple[Any, list[LoggedMove]]]:
    """Yield each position of a reign by program, with its log."""
    here = TITLE.setup(SCENARIO, TITLE.options({"barbarian_initiative": True}))
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
        told = decision(SCENARIO, log)
        assert told.endswith(".")
        assert "{" not in told


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


def test_a_film_of_the_last_move_tells_of_an_invasion_before_it() -> None:
    """The reign with this seed ends when the player has devoted legions against invaders."""
    *_, (before, _log), (_after, log) = reign(109)
    assert log[-1].move["move"] == "devote"
    *_, decided, _score = film(before, log[-1:])
    assert decided.say == "The invaders overran Achaia, your last province."
