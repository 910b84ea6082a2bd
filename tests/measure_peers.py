"""The speed of replaying records compared with boardgame.io: `script/measure peers`.

Six random campaigns of 420 AD are replayed, as `manage.py replay --many` does. boardgame.io plays a
game with hardly any rules, so the comparison is about the work around the rules, although Tabula's
rules are included. The cost of the start is that of `manage.py replay` for a record without moves.
All values are seconds of processor time of one process, in one run.
"""

from __future__ import annotations

import json
import resource
import subprocess
import sys
from hashlib import sha256
from pathlib import Path
from random import Random
from statistics import median
from time import process_time

import pytest

from engine.dice import Dice
from engine.play import perform
from engine.strict_json import digest
from games.grand_campaign.bots.moves import master, seat_to_move
from games.grand_campaign.bots.styles import random_moves
from games.grand_campaign.rules.moves import decode
from games.grand_campaign.rules.position import Options, Position
from games.grand_campaign.rules.scenario import USUAL, load
from games.registry import by_format
from games.replay import replay

ROOT = Path(__file__).resolve().parents[1]
PEERS = ROOT / "var" / "peers"
INSTALL = "npm install --prefix var/peers boardgame.io@0.50.2"
CAMPAIGNS, ROUNDS, TURNS = 6, 15, 5
WANTED = 15
STARTS, START_WANTED = 7, 0.2


def record(seed: str) -> tuple[str, list[Position]]:
    """Return a campaign of random legal moves as a record, and its positions."""
    scenario = load(USUAL)
    position, dice, rng = (
        Position(scenario, Options()),
        Dice(scenario.turns, seed=seed),
        Random(seed),
    )
    moves, positions = [], []
    while True:
        seat = seat_to_move(position)
        raw = master(position, rng) if seat is None else random_moves(position, rng)
        if raw is None:
            break
        perform(position, decode(raw, position), dice)
        dice.thrown.clear()
        moves.append(raw)
        positions.append(position.copy())
    known = {
        "format": "grand-campaign/1",
        "scenario": USUAL,
        "dice": {"seed": seed},
        "moves": moves,
    }
    return json.dumps(known), positions


def replayed(lines: list[str], moves: int) -> float:
    """Return the moves replayed in a second."""
    before = process_time()
    for line in lines:
        state = replay(line)
        assert "error" not in state
    return moves / (process_time() - before)


def started(form: str) -> float:
    """Return the processor seconds of `manage.py replay` for a record without moves.

    The record has this format.
    """
    scenario = {"scenario": USUAL} if form.startswith("grand") else {}
    text = json.dumps({"format": form, **scenario, "dice": {"seed": "x"}, "moves": []})
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    command = [sys.executable, str(ROOT / "manage.py"), "replay", "-"]
    subprocess.run(command, input=text.encode(), check=True, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def peers() -> dict[str, int]:
    """Return the moves of boardgame.io in a second."""
    command = ["node", str(ROOT / "tests" / "peers" / "boardgame.mjs"), str(PEERS), "30"]
    known = {"PATH": "/usr/local/bin:/usr/bin:/bin", "NODE_ENV": "production"}
    answer = subprocess.run(command, env=known, check=True, capture_output=True, text=True)
    pace: dict[str, int] = json.loads(answer.stdout)
    return pace


def test_moves_a_second(capfd: pytest.CaptureFixture[str]) -> None:
    records = [record(sha256(str(n).encode()).hexdigest()) for n in range(CAMPAIGNS)]
    lines, positions = [line for line, _ in records], [place for _, own in records for place in own]
    ours = round(median(replayed(lines, len(positions)) for _ in range(ROUNDS)))
    before = process_time()
    for position in positions:
        position.copy()
    copied = (process_time() - before) / len(positions)
    before = process_time()
    for position in positions:
        digest(position.encode())
    digested = (process_time() - before) / len(positions)
    with capfd.disabled():
        print(f"\n{CAMPAIGNS} campaigns, {len(positions)} moves")
        print(f"replay --many            {ours:8,d} moves a second")
        move = 1e6 / ours
        print(
            f"copy of a position       {copied * 1e6:8.0f} µs, as long as {copied * 1e6 / move:.1f}"
            " moves"
        )
        print(
            f"digest of a position     {digested * 1e6:8.0f} µs, as long as"
            f" {digested * 1e6 / move:.1f} moves"
        )
        for form in by_format():
            start = median(started(form) for _ in range(STARTS))
            print(f"replay of {form:<18} starts in {start:.2f} s (wanted: {START_WANTED})")
        if not (PEERS / "node_modules" / "boardgame.io").exists():
            print(f"boardgame.io is not there: {INSTALL}")
            return
        # Alternately, because other work of the machine slows both.
        pairs = [
            (median(replayed(lines, len(positions)) for _ in range(ROUNDS)), peers())
            for _ in range(TURNS)
        ]
        for how, label in (("hosted", f"hosted (wanted: {WANTED})"), ("alone", "one bare client")):
            times = sorted(own / theirs[how] for own, theirs in pairs)
            pace = median(theirs[how] for _, theirs in pairs)
            print(
                f"boardgame.io {pace:8,.0f} moves a second, {label}: ours are {median(times):.1f}"
                f" times as many ({times[0]:.1f} to {times[-1]:.1f})"
            )
