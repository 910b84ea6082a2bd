"""The chronicle: a reign worked out by hand, single events, and the logs of random games."""

import json
import re
from random import Random
from typing import Any, NamedTuple

import pytest

from engine.dice import Dice
from engine.effects import Effect
from engine.play import perform
from games.kit.report import chronicle_blocks
from games.march_on_rome.bots.players import MarchPlayers
from games.march_on_rome.rules.moves import decode
from games.march_on_rome.rules.position import (
    INVASIONS,
    NPC_NAMES,
    PROVINCES,
    Options,
    Position,
    Scenario,
)
from games.march_on_rome.text import report as chronicle
from games.march_on_rome.text.report import ReignChronicler
from tests.march_on_rome.test_odds import standing


class Entry(NamedTuple):
    number: int
    effects: tuple[Effect, ...]


def entries(position: Position, moves: list[dict[str, Any]], dice: dict[str, Any]) -> list[Entry]:
    thrown, created = Dice(1000, fixed=dice), []
    for number, move in enumerate(moves, 1):
        perform(position, decode(move), thrown)
        created.append(Entry(number, tuple(position.effects)))
    return created


ON = {"move": "continue"}
MOVES: list[dict[str, Any]] = [
    {"move": "begin"},
    {"move": "attack", "target": "gaul"},
    {"move": "devote", "legions": 3},
    ON,
    ON,
    ON,
    ON,
    ON,
    ON,
    ON,
    {"move": "devote", "legions": 5},
]
DICE = {
    "setup/pc/province": 3,
    "setup/pc/legions": 4,
    "setup/npc-count": 1,
    "setup/npc-1/legions": [1, 1],
    "setup/npc-1/province": 1,
    "setup/garrison/gaul": 5,
    "setup/garrison/illyrica": 1,
    "setup/garrison/achaia": 1,
    "setup/garrison/asia": 1,
    "setup/garrison/syria": 1,
    "setup/garrison/africa": 6,
    "turn-1/battle-1/initiative/attacker": 6,
    "turn-1/battle-1/initiative/defender": 2,
    "turn-1/battle-1/segments": 1,
    "turn-1/battle-1/segment-1/attacker": [1, 2, 3],
    "turn-1/npc-order/npc-1": 7,
    "turn-1/npc-1/action": 2,
    "turn-1/npc-1/neighbour": 1,
    "turn-1/events": 3,
    "turn-1/event-1": 13,
    "turn-1/event-1/province": 8,
    "turn-1/event-2": 8,
    "turn-1/event-2/province": 3,
    "turn-1/event-3": 17,
    "turn-1/event-3/invader": 1,
    "turn-1/event-3/strength": 2,
    "turn-1/battle-2/initiative/attacker": 1,
    "turn-1/battle-2/initiative/defender": 5,
    "turn-1/battle-2/segments": 2,
    "turn-1/battle-2/segment-1/defender": [1, 1, 1],
    "turn-1/battle-2/segment-1/attacker": [1, 2, 2],
    "turn-1/battle-2/segment-2/defender": [1, 6, 6],
}
REIGN = """\
Year 1
Six legions in Italy declared for Albinus; five in Spain for Galba. Beyond the core nothing was left of the Empire. \
We took Gaul with three legions against the one legion of its procurator; it took one clash and none of the attackers fell. \
Galba sought an alliance with us and gave us everything, one province and five legions. \
Africa rose, and was lost to the Empire. \
A good year in Italy: one legion more. \
Gaul held against four armies of Picts, and we lost one legion. \
No rival was left. Albinus had three provinces and fourteen legions, and went to Rome."""  # noqa: E501


def plain(scenario: Scenario, log: list[Entry]) -> str:
    """Return a line with the year and its paragraph, with an empty line between years."""
    return "\n\n".join(
        f"{chronicle.heading(year.number)}\n{year.text}" for year in chronicle.years(scenario, log)
    )


def test_a_reign_worked_by_hand() -> None:
    log = entries(Position(Scenario(), Options()), MOVES, DICE)
    assert plain(Scenario(), log) == REIGN
    assert [sentence.entry for sentence in chronicle.sentences(Scenario(), log)] == [
        1,
        3,
        5,
        8,
        9,
        11,
        11,
    ]
    heading, paragraph = chronicle_blocks(chronicle.years(Scenario(), log), chronicle.heading)
    assert f"{heading[0][0].text}\n{paragraph[0][0].text}" == REIGN  # type: ignore[index, union-attr]


def test_the_general_has_the_name_that_the_player_chose() -> None:
    log = entries(Position(Scenario("{0} Brutus"), Options()), MOVES, DICE)
    assert plain(Scenario("{0} Brutus"), log) == REIGN.replace("Albinus", "{0} Brutus")


def rendered(position: Position, moves: list[dict[str, Any]], dice: dict[str, Any]) -> list[str]:
    """Return the text for moves from a position on, each sentence in its first form."""
    chronicler = Every(Scenario())
    chronicler.owner, chronicler.legions = dict(position.owner), dict(position.legions)
    chronicler.turn, chronicler.first_choice = position.turn, 0
    for entry in entries(position, moves, dice):
        chronicler.read(entry)
    return [sentence.text for sentence in chronicler.sentences]


def npc_turn(position: Position) -> Position:
    position.turn, position.phase, position.queue = 3, "npc", ["npc-1"]
    return position


def events(position: Position, left: int = 2) -> Position:
    position.turn, position.phase, position.events_left = 5, "events", left
    return position


@pytest.mark.parametrize(
    ("accept", "lines"),
    [
        (
            False,
            [
                "Galba offered us an alliance; our answer was no.",
                "We gave Gaul up to Galba without a fight.",
            ],
        ),
        (
            True,
            [
                "Galba, who was stronger, offered us an alliance. Albinus said yes.",
                (
                    "The reign of Albinus ended in year three: two provinces and three legions"
                    " went over to Galba."
                ),
            ],
        ),
    ],
)
def test_the_offer_of_a_stronger_rival(accept: bool, lines: list[str]) -> None:
    """This is mor-13, and the other answer."""
    position = npc_turn(standing({"pc": 3, "npc-1": 8}, italy="pc", gaul="pc", britannia="npc-1"))
    moves = [ON, {"move": "answer", "accept": accept}] + [{"move": "devote", "legions": 0}] * (
        not accept
    )
    dice = {
        "turn-3/npc-1/action": 3,
        "turn-3/npc-1/neighbour": 6,
        "turn-3/battle-1/initiative/attacker": 1,
        "turn-3/battle-1/initiative/defender": 6,
        "turn-3/battle-1/devote/attacker": 1,
    }
    assert rendered(position, moves, dice) == lines


def test_a_player_is_absorbed_after_their_own_offer() -> None:
    position = standing({"pc": 3, "npc-1": 8}, italy="pc", gaul="npc-1")
    assert rendered(position, [{"move": "ally", "target": "gaul"}], {"turn-1/pc/answer": 6}) == [
        "We offered Galba an alliance, and Galba, who was stronger, said yes.",
        (
            "The reign of Albinus ended in year one: one province and three legions went"
            " over to Galba."
        ),
    ]


def test_a_rival_brought_in_by_an_offer() -> None:
    """This is mor-12."""
    position = standing(
        {"pc": 9, "npc-1": 7, "npc-2": 5}, italy="pc", africa="npc-2", egypt="npc-2", asia="npc-1"
    )
    assert rendered(position, [{"move": "ally", "target": "africa"}], {"turn-1/pc/answer": 2}) == [
        (
            "We offered Otho an alliance and got it: two provinces and five legions became ours, and"  # noqa: E501
            " Otho ruled no more."
        )
    ]


def test_the_player_is_murdered() -> None:
    dice = {"turn-5/event-1": 1, "turn-5/event-1/victim": 1}
    assert rendered(
        events(standing({"pc": 4, "npc-1": 2}, italy="pc", gaul="pc", spain="npc-1")), [ON], dice
    ) == ["Albinus was murdered in year five of the reign and left two provinces and four legions."]
    dice["turn-5/event-1/victim"] = 2
    assert rendered(
        events(standing({"pc": 4, "npc-1": 2}, italy="pc", gaul="npc-1", spain="npc-1")), [ON], dice
    ) == ["After Galba was murdered, two provinces went back to the Senate."]


def test_the_last_province_lost_to_invaders_with_no_legion_left() -> None:
    dice = {"turn-5/event-1": 20, "turn-5/event-1/invader": 1, "turn-5/event-1/strength": 4}
    assert rendered(events(standing({"pc": 0}, gaul="pc")), [ON], dice) == [
        "Six armies of Picts came down on Gaul; we had no legion left to hold it.",
        "The reign of Albinus ended in year five: no province was left.",
    ]


def test_an_invasion_that_a_procurator_beats_back() -> None:
    position = events(standing({"pc": 4}, italy="pc", gaul="senate"))
    position.garrison["gaul"] = 3
    dice = {
        "turn-5/event-1": 20,
        "turn-5/event-1/invader": 1,
        "turn-5/event-1/strength": 1,
        "turn-5/battle-1/initiative/attacker": 5,
        "turn-5/battle-1/initiative/defender": 1,
        "turn-5/battle-1/segments": 1,
        "turn-5/battle-1/segment-1/attacker": [1, 2, 2],
        "turn-5/battle-1/segment-1/defender": [1, 1, 1],
    }
    assert rendered(position, [ON], dice) == [
        "Three armies of Picts broke on Gaul; its procurator lost one legion."
    ]


def test_a_rival_rises_and_a_rival_falls_by_a_rising() -> None:
    dice = {
        "turn-5/event-1": 2,
        "turn-5/event-1/legions": 3,
        "turn-5/event-1/core": 8,
        "turn-5/event-2": 14,
        "turn-5/event-2/province": 1,
        "turn-5/event-3": 5,
        "turn-5/event-3/province": 9,
    }
    position = events(
        standing({"pc": 4, "npc-1": 1}, italy="pc", africa="senate", spain="npc-1"), 4
    )
    position.npc_seq = 1
    assert rendered(position, [ON, ON, ON], dice) == [
        "In Africa six legions made Otho their emperor.",
        "Spain rose and left the Empire.",
        "That was the end of Galba.",
    ]


def test_events_without_effect_are_left_out() -> None:
    position = events(standing({"pc": 0}, italy="pc", gaul="senate"), 9)
    position.garrison["gaul"] = 0
    fever = {
        f"turn-5/event-{n}{part}": value
        for n, where in ((1, 2), (2, 3), (3, 9))
        for part, value in (("", 4), ("/province", where))
    }
    assert rendered(position, [ON, ON, ON], fever) == []


# Logs of random games -----------------------------------------------------------------------------


class Every(ReignChronicler):
    """A chronicler that writes all variants of a sentence, not only the next one."""

    def add_line(self, key: str, **named: str) -> None:
        for text in self.book["sentences"][key]:
            assert "{" not in self.fill(text, **named)
        super().add_line(key, **named)


def game(player: str, seed: str, options: Options) -> list[Entry]:
    position, dice, rng, created = (
        Position(Scenario(), options),
        Dice(1000, seed=seed),
        Random(seed),
        list[Entry](),
    )
    while (raw := MarchPlayers.by_name[player](position, rng)) is not None:
        perform(position, decode(dict(raw)), dice)
        created.append(Entry(len(created) + 1, tuple(position.effects)))
    return created


NAMES = re.compile(
    rf"\b(?:{'|'.join([*(p.name for p in PROVINCES.values()), *(i.name for i in INVASIONS.values()), *NPC_NAMES])})\b"  # noqa: E501
)
KEYS = {p.name: p.key for p in PROVINCES.values()} | {i.name: i.key for i in INVASIONS.values()}
KEYS |= {name: f"npc-{n}" for n, name in enumerate(NPC_NAMES, 1)}
ENDINGS = (
    " and went to Rome.",
    " legion.",
    " legions.",
    " was left.",
    *(f" went over to {name}." for name in NPC_NAMES),
)
PENDING = 3
"""The entries that a battle may span: the act, the answer, the legions."""


@pytest.mark.parametrize("player", ["sensible", "random"])
@pytest.mark.parametrize("initiative", [False, True])
def test_any_log_becomes_a_chronicle_without_foreign_names(player: str, initiative: bool) -> None:
    """Every name in a sentence occurs in its entry or in those of the battle that it ends."""
    for n in range(30):
        log, chronicler = game(player, f"{player}/{n}", Options(initiative)), Every(Scenario())
        for at, entry in enumerate(log):
            before = len(chronicler.sentences)
            chronicler.read(entry)
            content = json.dumps(
                [
                    effect.to_json()
                    for entry in log[max(0, at - PENDING) : at + 1]
                    for effect in entry.effects
                ]
            )
            for sentence in chronicler.sentences[before:]:
                assert re.fullmatch(r"[A-Z0-9{][^{}]*[a-z]\.", sentence.text), sentence.text
                assert "  " not in sentence.text
                assert sentence.entry == entry.number
                for name in NAMES.findall(sentence.text):
                    assert f'"{KEYS[name]}"' in content, (name, sentence.text)
        assert chronicler.sentences[-1].text.endswith(ENDINGS)
        assert [year.number for year in chronicle.years(Scenario(), log)] == sorted(
            {sentence.turn for sentence in chronicler.sentences}
        )


def test_a_longer_log_only_adds_sentences() -> None:
    log = game("sensible", "a longer log", Options())
    whole = chronicle.sentences(Scenario(), log)
    for upto in range(len(log)):
        part = chronicle.sentences(Scenario(), log[:upto])
        assert part == whole[: len(part)]


def test_an_empty_log_has_no_chronicle() -> None:
    assert chronicle.years(Scenario(), []) == []
    assert chronicle_blocks([], chronicle.heading) == []
