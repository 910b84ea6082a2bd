"""The page that shows each entry step by step.

Every die is shown, with the board at each moment, and a cursor leads through all steps.
"""

from __future__ import annotations

import random
from functools import cache
from typing import Any

import pytest

from engine.dice import Dice
from engine.effects import Effect
from engine.errors import IllegalMove
from engine.play import play
from games.contract.pages import Fame, LoggedMove, Page, Reader
from games.march_on_rome.bots.players import sensible
from games.march_on_rome.page import year
from games.march_on_rome.page.board import MarchBoard
from games.march_on_rome.page.ending import ending
from games.march_on_rome.page.pages import MarchPages
from games.march_on_rome.rules.position import World
from games.march_on_rome.text.phrases import PhrasePart
from games.march_on_rome.text.steps import Step, steps
from tests.march_on_rome import reigns
from tests.march_on_rome.table import SCENARIO, TITLE, at

PAGES = MarchPages()
ME = Reader(("pc",), {}, True, {}, "Benedetto")


def entry(number: int, raw: dict[str, Any], played: Any, turn: int) -> LoggedMove:
    return LoggedMove(number, raw, "pc", played.effects, played.rolls, turn)


@cache
def at_random(seed: int) -> tuple[list[Any], list[LoggedMove]]:
    """Return a reign of a careless player.

    It has the position before each entry and after the last, and the log.
    """
    positions, log = [], []
    for number, (before, raw, played) in enumerate(
        reigns.steps(f"{seed:064x}", random.Random(seed)), 2
    ):
        positions.append(before)
        log.append(entry(number, raw, played, played.after.turn))
    return [*positions, played.after], log


@cache
def in_earnest(seed: str) -> tuple[list[Any], list[LoggedMove]]:
    """Return a reign of a sensible player."""
    position, dice = TITLE.setup(SCENARIO, TITLE.options({})), Dice(1000, seed=seed)
    positions, log = [position], list[LoggedMove]()
    while (raw := sensible(position)) is not None:
        played = play(position, TITLE.decode(raw, position), dice)
        log.append(entry(len(log) + 2, dict(raw), played, played.after.turn))
        position = played.after
        positions.append(position)
    return positions, log


SEEDS = ["1" * 64, "a" * 64, "7" * 64]


def read(parts: list[PhrasePart]) -> str:
    return "".join(part.words for part in parts)


def all_steps(log: list[LoggedMove]) -> list[Step]:
    return steps(SCENARIO, log)


# The board ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(12))
def test_the_board_built_from_the_log_is_the_board_of_the_position(seed: int) -> None:
    positions, log = at_random(seed)
    world = World()
    for shown, after in zip(log, positions[1:], strict=True):
        world = world.after(shown.effects)
        assert (world.owner, world.garrison, world.legions) == (
            after.owner,
            after.garrison,
            after.legions,
        )


def test_boards_do_not_share_state() -> None:
    first = World()
    later = first.after([Effect("holding", "pc", "asia", None, 0, 0, {"from": "lost", "to": "pc"})])  # type: ignore[arg-type]
    assert (first.owner["asia"], later.owner["asia"]) == ("lost", "pc")


# Steps --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(12))
def test_every_entry_is_a_step_with_words_and_all_its_dice(seed: int) -> None:
    _, log = at_random(seed)
    result = all_steps(log)
    assert [step.entry for step in result] == [shown_text.number for shown_text in log]
    for step, shown_text in zip(result, log, strict=True):
        line = read(step.line)
        assert line, shown_text.move
        assert "{" not in line
        if step.kind == "begin":
            continue
        shown = sum(len(roll.dice) for roll in step.rolls)
        if step.clashed:
            assert step.fight is not None
            shown += 1 + sum(
                len(dice) for segment in step.fight.segments for dice in segment["rolls"].values()
            )
        assert shown == len(shown_text.rolls), (
            line,
            [roll.purpose for roll in shown_text.rolls],
            step.rolls,
        )


@pytest.mark.parametrize("seed", range(12))
def test_a_step_belongs_to_the_year_and_phase_it_began_in(seed: int) -> None:
    positions, log = at_random(seed)
    for step, before in zip(all_steps(log)[1:], positions[1:], strict=False):
        assert (step.year, step.phase) == (before.turn, before.phase)


@pytest.mark.parametrize("seed", SEEDS)
def test_segments_count_down_to_the_survivors(seed: str) -> None:
    fought = 0
    for step in all_steps(in_earnest(seed)[1]):
        if step.segments:
            assert step.fight is not None
            fought += 1
            assert step.fight.segments[-1]["left"] == step.fight.left
            assert step.fight.devoted.keys() == {"attacker", "defender"}
    assert fought > 3


# The cursor ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", SEEDS)
def test_next_leads_through_every_step_and_segment(seed: str) -> None:
    result = all_steps(in_earnest(seed)[1])
    address, seen = f"?told={result[1].entry}", []
    while address:
        cursor = year.read_cursor(result, address.removeprefix("?told="))
        assert cursor is not None
        seen.append((result[cursor.at].entry, cursor.segment))
        address = year.next_address(result, cursor)
    assert len(seen) == len(set(seen))
    assert {number for number, _ in seen} == {step.entry for step in result[1:]}
    last = dict(seen)
    assert all(last[step.entry] == step.segments for step in result[1:])


@pytest.mark.parametrize(
    "asked", ["", "0", "-1", "x", "99999", "999999999999999999", "2.", "²", "3.x.y", "1e3", "٣"]
)
def test_an_invalid_cursor_is_ignored(asked: str) -> None:
    result = all_steps(in_earnest(SEEDS[0])[1])
    cursor = year.read_cursor(result, asked)
    assert cursor is None or cursor.segment == 0


def test_a_segment_beyond_the_last_is_the_last() -> None:
    result = all_steps(in_earnest(SEEDS[0])[1])
    fought = next(step for step in result if step.segments)
    cursor = year.read_cursor(result, f"{fought.entry}.99")
    assert cursor is not None
    assert cursor.segment == fought.segments


# The page -----------------------------------------------------------------------------------------


def looked(position: Any, log: list[LoggedMove], shown: str = "", **query: str) -> Page[MarchBoard]:
    return PAGES.page(
        position, log, ME._replace(query={"told": shown, **query} if shown else query), ()
    )


STAGES = {
    "setup": "setup",
    "pc": "choose",
    "npc": "year",
    "recruit": "year",
    "events": "year",
    "over": "over",
}


@pytest.mark.long
@pytest.mark.parametrize("seed", range(6))
def test_every_moment_of_a_reign_has_a_page(seed: int) -> None:
    positions, log = at_random(seed)
    for place, position in enumerate(positions):
        page = looked(position, log[:place])
        wanted = position.pending["kind"] if position.pending else STAGES[position.phase]
        assert page.own.stage == wanted
        assert page.title
        assert "{" not in page.title


def test_later_steps_are_not_on_the_page() -> None:
    positions, log = in_earnest(SEEDS[0])
    result = all_steps(log)
    fought = next(step for step in result if step.segments > 1)
    page = looked(positions[-1], log, f"{fought.entry}.1")
    assert page.own.stage == "year"
    lines = page.own.moment.steps
    assert lines[-1].entry == fought.entry
    assert len(lines[-1].fight.rows) == 1
    assert not lines[-1].sums
    assert lines[-1].fight.over is False


def test_the_map_is_that_of_the_shown_step() -> None:
    positions, log = in_earnest(SEEDS[0])
    result = all_steps(log)
    taken = next(
        (step, shown)
        for step, shown in zip(result, log, strict=True)
        if step.segments > 1
        and any(e.kind == "holding" and e.facts["to"] == "pc" for e in shown.effects)
    )
    step, shown = taken
    place = next(e.subject for e in shown.effects if e.kind == "holding")
    before = looked(positions[-1], log, f"{step.entry}.1").own.map.svg
    after = looked(positions[-1], log, f"{step.entry}.{step.segments}").own.map.svg
    assert f'href="#m-{place}" class="m-prov" data-nation="pc"' not in before
    assert f'href="#m-{place}" class="m-prov" data-nation="pc"' in after
    assert 'class="arrow"' in before


def test_targets_are_links_that_open_them() -> None:
    positions, log = in_earnest(SEEDS[0])
    own = looked(positions[1], log[:1]).own
    target = own.moment.targets[0].key
    assert f'href="?target={target}' in own.map.svg
    opened = looked(positions[1], log[:1], target=target).own
    assert [row.key for row in opened.moment.targets if row.open] == [target]


@pytest.mark.parametrize("seed", SEEDS)
def test_the_end_of_a_reign_is_shown(seed: str) -> None:
    positions, log = in_earnest(seed)
    last = positions[-1]
    facts = {"result": "won", "year": 4, "provinces": 15, "legions": 30}
    page = PAGES.page(last, log, ME, [Fame("Marozia", 1, facts, "/c/x/", "1 Feb 2026")])
    end = page.own.moment.ending
    assert (end.result, end.year) == (last.result, last.turn)
    assert len(end.mosaic.rows) == 18
    assert {len(row.stones) for row in end.mosaic.rows} == {last.turn + 1}
    assert end.mosaic.legions[-1] == last.legions.get("pc", 0)
    assert page.own.moment.hall[0].player == "Marozia"


@pytest.mark.parametrize("seed", range(12))
def test_each_end_has_its_cause(seed: int) -> None:
    positions, log = at_random(seed)
    result = ending(positions[-1], log, all_steps(log))
    assert result.why in {"no-rivals", "assassinated", "merged", "no_province"}
    assert bool(result.by) == (
        result.why in {"merged", "no_province"} and "holding" in {e.kind for e in log[-1].effects}
    )


# The ribbon ---------------------------------------------------------------------------------------


def slots(page: Page[MarchBoard]) -> list[tuple[str, str, str]]:
    return [(slot.name, slot.state, slot.when) for slot in page.own.moment.ribbon]


def test_the_ribbon_of_an_action() -> None:
    positions, log = in_earnest(SEEDS[0])
    me, rivals, recruit, events = slots(looked(positions[1], log[:1]))
    assert me == ("Albinus", "one action", "now")
    assert rivals == (
        "Rivals",
        ", ".join(["Galba", "Otho", "Vitellius"][: len(positions[1].npcs())]),
        "next",
    )
    assert (recruit, events) == (
        ("Recruiting", "you +1", "later"),
        ("Events", "one to six", "later"),
    )


@pytest.mark.long
@pytest.mark.parametrize("seed", range(6))
def test_one_phase_of_the_ribbon_is_current(seed: int) -> None:
    positions, log = at_random(seed)
    for place, position in enumerate(positions[1:-1], 1):
        now = [
            slot for slot in looked(position, log[:place]).own.moment.ribbon if slot.when == "now"
        ]
        assert len(now) <= 1
        if position.pending and position.pending["kind"] == "answer":
            assert now[0].state.startswith("offers an alliance")


def test_the_ribbon_does_not_reveal_the_result_of_a_battle() -> None:
    positions, log = in_earnest(SEEDS[0])
    result = all_steps(log)
    fought = next(
        step for step in result if step.segments > 1 and step.fight and step.fight.attacker == "pc"
    )
    before = slots(looked(positions[-1], log, f"{fought.entry}.1"))[0][1]
    after = slots(looked(positions[-1], log, f"{fought.entry}.{fought.segments}"))[0][1]
    assert before.startswith(("attacks", "offers"))
    assert after.startswith(("took", "beaten"))


# Forms --------------------------------------------------------------------------------------------


def test_forms_are_read_as_moves() -> None:
    position = at(owner={"asia": "pc", "syria": "npc-1"}, legions={"pc": 4, "npc-1": 3})
    content = {
        (("do", "pass"),): {"move": "pass"},
        (("do", "attack"), ("target", "syria"), ("then", "on")): {
            "move": "attack",
            "target": "syria",
        },
        (("do", "ally"), ("target", "syria")): {"move": "ally", "target": "syria"},
        (("do", "devote"), ("legions", " 3 ")): {"move": "devote", "legions": 3},
        (("do", "answer"), ("accept", "no")): {"move": "answer", "accept": False},
        (("do", "answer"), ("accept", "yes")): {"move": "answer", "accept": True},
    }
    for form, raw in content.items():
        assert PAGES.read_move(position, dict(form)) == raw


@pytest.mark.parametrize(
    "form",
    [
        {},
        {"do": "conquer"},
        {"do": "devote"},
        {"do": "devote", "legions": "-1"},
        {"do": "devote", "legions": "٣"},
        {"do": "devote", "legions": "9" * 30},
        {"do": "answer", "accept": "perhaps"},
    ],
)
def test_invalid_forms_are_refused_with_a_sentence(form: dict[str, str]) -> None:
    with pytest.raises(IllegalMove) as refused:
        PAGES.read_move(at(owner={"asia": "pc"}, legions={"pc": 4}), form)
    assert refused.value.code == "bad-arguments"
    assert TITLE.refusal(SCENARIO, refused.value).endswith(".")


def test_5_6_an_alliance_that_ends_the_reign_must_be_confirmed() -> None:
    position = at(
        owner={"asia": "pc", "syria": "npc-1", "thrace": "lost"}, legions={"pc": 2, "npc-1": 9}
    )
    form = {"do": "ally", "target": "syria"}
    with pytest.raises(IllegalMove) as refused:
        PAGES.read_move(position, form)
    assert refused.value.rule == "5.6"
    assert TITLE.refusal(SCENARIO, refused.value).startswith("Galba is stronger and would say YES")
    assert PAGES.read_move(position, {**form, "sure": "yes"}) == {"move": "ally", "target": "syria"}
    assert PAGES.read_move(position, {"do": "ally", "target": "thrace"}) == {
        "move": "ally",
        "target": "thrace",
    }
    assert PAGES.read_move(position, {"do": "ally", "target": "nowhere"}) == {
        "move": "ally",
        "target": "nowhere",
    }


def test_a_question_after_a_move_is_shown_instead_of_the_steps() -> None:
    positions, log = in_earnest(SEEDS[0])
    place = next(n for n, position in enumerate(positions) if position.pending)
    page = looked(positions[place], log[:place], str(log[place - 1].number))
    assert page.own.stage == "devote"
    assert looked(positions[place], log[:place], str(log[place - 2].number)).own.stage in (
        "year",
        "devote",
    )


@pytest.mark.parametrize("seed", range(6))
def test_the_page_continues_until_a_decision(seed: int) -> None:
    for position in at_random(seed)[0]:
        raw = PAGES.automatic_move(position)
        decides = position.pending is not None or position.phase in ("pc", "over")
        assert (raw is None) == decides
        deputy = PAGES.program_move(position)
        assert (deputy is None) == (position.phase == "over")
