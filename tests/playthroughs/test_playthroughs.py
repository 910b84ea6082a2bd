"""Whole campaigns as readable files, with what must hold at each point."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from engine.dice import Dice
from engine.errors import IllegalMove
from engine.play import play
from games.contract.report import ReportEntry
from games.grand_campaign.text.report import Reports
from games.replay import replay
from tests.forum.rendered import render_bbcode, render_plain_text
from tests.grand_campaign.campaigns import TITLE
from tests.grand_campaign.test_cases import ALL, case, document
from tests.playthroughs.notation import Playthrough, Step, read

FILES = sorted(Path(__file__).parent.glob("*.txt"))
LEVELS = ("stability", "prestige", "income", "army", "victory_points")


def actual(state: dict[str, Any], words: list[str]) -> list[str]:
    """Return what a line asks for, as the state has it, in the same words."""
    nations, what = state["nations"], words[0]
    if what in nations:
        return [what, "/".join(str(nations[what][level]) for level in LEVELS)]
    match what:
        case "turn":
            return ["turn", str(state["turn"]), state["phase"], state["slot"] or "nobody"]
        case "actions":
            return ["actions", words[1], f"{nations[words[1]]['actions']:g}"]
        case "hand":
            return ["hand", words[1], *nations[words[1]]["hand"]]
        case "owner":
            return ["owner", words[1], state["provinces"][words[1]]["owner"] or "nobody"]
        case "fleet":
            return ["fleet", words[1], "yes" if state["provinces"][words[1]]["fleet"] else "no"]
        case "fallen":
            return ["fallen", *(key for key, nation in nations.items() if nation["fallen"])]
        case "standing":
            return _standing(state, words[1])
    return _attack(state, words)


def _standing(state: dict[str, Any], place: str) -> list[str]:
    line = state["standings"][int(place) - 1]
    numbers = (str(line["victory_points"]), str(line["income"]))
    return ["standing", str(line["rank"]), line["nation"], *numbers]


def _attack(state: dict[str, Any], words: list[str]) -> list[str]:
    attack = state["attacks"][int(words[1]) - 1]
    if words[0] == "outcome":
        return ["outcome", words[1], attack["outcome"]]
    if words[2] == "leader":
        return ["attack", words[1], "leader", attack["leader"]]
    points = attack["points"]
    return ["attack", words[1], "points", str(points["attacker"]), str(points["defender"])]


def attempt(position: Any, move: dict[str, Any], dice: Dice) -> tuple[str, Any]:
    """The code by which the move is refused, or "" and its receipt."""
    try:
        return "", play(position, TITLE.decode(move, position), dice)
    except IllegalMove as refusal:
        return refusal.code, None


def run(story: Playthrough, scenario: str) -> tuple[Any, Any, list[ReportEntry]]:
    """Play it step by step: the scenario, the position before, a line a move."""
    read_scenario = TITLE.scenario(scenario)
    start = position = TITLE.setup(read_scenario, TITLE.options({}))
    dice = Dice(read_scenario.turns, seed=story.seed, fixed=story.rolls)
    lines: list[ReportEntry] = []
    for step in story.steps:
        where = f"line {step.number}: {step.text}"
        if step.holds:
            words = step.holds.split()
            assert actual(TITLE.state(position), words) == words, where
            continue
        code, played = attempt(position, step.move or {}, dice)
        assert code == step.refused, where
        if played is None:
            continue
        position = played.after
        lines.append(
            ReportEntry(
                len(lines) + 1, dict(step.move or {}), played.effects, played.rolls, position
            )
        )
    return read_scenario, start, lines


@pytest.fixture(scope="module", params=FILES, ids=lambda path: path.stem)
def rendered(
    request: pytest.FixtureRequest,
) -> tuple[str, Playthrough, tuple[Any, Any, list[ReportEntry]]]:
    story = read(request.param)
    return request.param.stem, story, run(story, request.param.stem)


def test_it_plays_as_written_and_its_record_gives_the_same(rendered: Any) -> None:
    name, story, (_, _, lines) = rendered
    record = story.record(name)
    assert len(record["moves"]) == len(lines)
    final = json.loads(json.dumps(TITLE.state(lines[-1].after)))
    assert replay(record) == final
    assert replay(json.dumps(record)) == final
    assert final["phase"] == "finished"


def test_the_rolls_that_it_fixes_are_thrown(rendered: Any) -> None:
    _, story, (_, _, lines) = rendered
    thrown = {roll.purpose for line in lines for roll in line.rolls}
    assert set(story.rolls) <= thrown


def test_each_kind_of_move_card_and_outcome_occurs(rendered: Any) -> None:
    _, story, (scenario, _, lines) = rendered
    moves = [line.move for line in lines]
    assert {move["move"] for move in moves} == {
        "start",
        "open-turn",
        "build",
        "tax-exemption",
        "tax-increase",
        "barracks",
        "siege-train",
        "provincial-levy",
        "fortify",
        "fleet",
        "attack",
        "respond",
        "play",
        "keep",
        "offer",
        "take",
        "end-slot",
        "report",
        "forfeit",
        "adjust",
        "set-owner",
        "give-card",
        "discard-card",
    }
    played = {move["card"] for move in moves if move["move"] == "play"}
    along = {card for move in moves for card in move.get("cards", ())}
    stood = {e.cause.id for line in lines for e in line.effects}
    assert played | along | ({"bodyguard"} if "bodyguard-spent" in stood else set()) == {
        card for _, _, card in scenario.rules.raw["cards"]
    }
    attacks = lines[-1].after.attacks
    assert {attack.kind for attack in attacks} == {
        "land",
        "amphibious",
        "independent",
        "insurrection",
    }
    assert {attack.outcome for attack in attacks} == {
        "attacker",
        "defender",
        "draw",
        "withdrawn",
        "naval-repulse",
    }
    assert {attack.siege for attack in attacks} == {None, "held", "taken"}
    assert {attack.answer for attack in attacks} == {None, "accept", "withdraw", "escort"}
    assert {attack.battle for attack in attacks} == {
        "open",
        "flank-march",
        "remove-the-head",
        "escort-baggage-train",
    }
    events = {e.subject for line in lines for e in line.effects if e.kind == "event"}
    assert events == {event for _, _, event in scenario.rules.raw["events"]}
    built = {move["structure"] for move in moves if move["move"] == "build"}
    assert built == {
        s.name for structures in scenario.rules.structures.values() for s in structures.values()
    }
    assert {
        "crumbles",
        "truce",
        "threshold-stability-3",
        "threshold-stability-2",
        "train-lost-in-siege",
        "train-lost-with-battle",
        "encounter-won",
        "encounter-lost",
        "escort-forced",
    } <= stood
    assert len({step.refused for step in story.steps if step.refused}) >= 12


def test_its_reports_tell_everything(rendered: Any) -> None:
    _, _, (scenario, start, lines) = rendered
    reports = Reports()
    colours = {key: nation.colour for key, nation in scenario.nations.items()}
    for item in reports.contents(scenario, lines):
        report = reports.report(scenario, start, lines, item.key, "The Long Frontier", {})
        assert report is not None
        assert report.untold == ()
        assert item.complete
        assert render_bbcode(report, colours)
        assert render_plain_text(report)


def test_what_does_not_hold_is_found() -> None:
    story = Playthrough(
        "x",
        {"start": 1},
        [Step(1, "start", {"by": "gm", "move": "start"}), Step(2, "=", holds="turn 2 slots huns")],
    )
    with pytest.raises(AssertionError, match="line 2"):
        run(story, "420ad")
    with pytest.raises(AssertionError, match="line 7"):
        run(
            Playthrough(
                "x", {}, [Step(7, "start", {"by": "gm", "move": "start"}, refused="wrong-phase")]
            ),
            "420ad",
        )


@pytest.mark.parametrize("way", ["move", "table"])
@pytest.mark.parametrize("closed", [1, 4, 5])
def test_taken_over_between_two_turns_it_plays_on_to_the_same_end(
    rendered: Any, closed: int, way: str
) -> None:
    """A new campaign takes over the sheet of the closed turn.

    It continues with the same dice.
    """
    _, story, (scenario, start, lines) = rendered
    last = max(
        n
        for n, line in enumerate(lines)
        if (line.after.turn, line.after.phase) == (closed, "closed")
    )
    here = lines[last].after
    rows, raw = TITLE.sheet(here, lambda _seat: True, "As in the old thread.")
    if way == "table":
        raw, unread = TITLE.read_sheet(
            start, "\n".join(";".join(f'"{cell}"' for cell in row) for row in rows)
        )
        assert unread == []
    assert TITLE.sheet_faults(start, raw) == []
    dice = Dice(scenario.turns, seed=story.seed, fixed=story.rolls)
    taken = play(start, TITLE.decode(raw, start), dice)
    assert taken.rolls == ()
    there, stood, stands = taken.after, TITLE.state(here), TITLE.state(taken.after)
    fought = len(stood.pop("attacks"))
    assert stands.pop("attacks") == []
    if way == "table":  # a table has the structures by their tracks
        for nation in (*stood["nations"].values(), *stands["nations"].values()):
            nation["structures"].sort()
    # The order lists the remaining nations: one that fell in this very turn is no longer in it.
    stood["order"] = [key for key in stood["order"] if not stood["nations"][key]["fallen"]]
    assert stands == stood
    for line in lines[last + 1 :]:
        move = dict(line.move)
        if "attack" in move and isinstance(move["attack"], int):
            move["attack"] -= fought
        there = play(there, TITLE.decode(move, there), dice).after
    assert there.phase == "finished"
    assert there.standings == lines[-1].after.standings


def test_each_closed_turn_of_the_samples_comes_back_from_its_sheet_as_it_stood() -> None:
    closed = []
    for name in ALL:
        written = document(case(name))
        if not isinstance(written, dict) or name.startswith(("m-", "d-", "l-mixed", "l-renew")):
            continue  # malformed, or with dice of their own
        dice, options = written.get("dice", {}), TITLE.options(written.get("options", {}))
        scenario = TITLE.scenario(written["scenario"])
        start = position = TITLE.setup(scenario, options)
        thrown = Dice(scenario.turns, seed=dice.get("seed"), fixed=dice.get("fixed", {}))
        for raw in written["moves"]:
            code, played = attempt(position, raw, thrown)
            if code:
                break
            position = played.after
            if position.phase != "closed" or position.rules is not scenario.rules:
                continue
            _rows, move = TITLE.sheet(position, lambda _seat: True, "As it stood.")
            again = TITLE.state(play(start, TITLE.decode(move, start), Dice(scenario.turns)).after)
            stood = TITLE.state(position)
            stood["order"] = [key for key in stood["order"] if not stood["nations"][key]["fallen"]]
            assert {**again, "attacks": []} == {**stood, "attacks": []}, name
            closed.append(name)
    assert len(closed) > 10
    assert {"l-resume-leader", "l-resume-nine"} <= set(closed)
