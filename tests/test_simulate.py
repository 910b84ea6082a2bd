"""`manage.py simulate`: equal games for equal seeds, its output, an interrupt."""

import json
import re
import signal
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from engine import record
from games import simulate
from games.contract.players import End
from games.registry import TITLES, by_format

ROOT = Path(__file__).resolve().parents[1]
COMMAND = [sys.executable, "manage.py", "simulate", "march_on_rome"]


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*COMMAND, *arguments], cwd=ROOT, capture_output=True, text=True, timeout=120, check=False
    )


@pytest.mark.long
@pytest.mark.parametrize("player", ["sensible", "random"])
def test_the_processes_that_share_the_work_change_nothing(player: str) -> None:
    one, three = (
        run("--games", "60", "--player", player, "--processes", n, "--json") for n in ("1", "3")
    )
    assert (one.returncode, three.returncode) == (0, 0)
    assert one.stdout == three.stdout
    shown = json.loads(one.stdout)
    assert (shown["title"], shown["player"], shown["seed"], shown["asked"], shown["games"]) == (
        "march_on_rome",
        player,
        "tabula",
        60,
        60,
    )
    assert sum(result["games"] for result in shown["results"].values()) == 60
    assert (
        run("--games", "60", "--player", player, "--json", "--seed", "another").stdout != one.stdout
    )


def test_without_a_terminal_every_tenth_game_has_a_line() -> None:
    done = run("--games", "250", "--player", "random", "--processes", "1")
    assert [line.split(" of ")[0] for line in done.stderr.splitlines()] == [
        str(n) for n in range(25, 251, 25)
    ]
    first, *lines = done.stdout.splitlines()
    assert first == "March on Rome: 250 games by the player “random”, seed “tabula”"
    shares = [re.fullmatch(r"(won|lost) +([0-9.]+)% +([0-9]+)", line) for line in lines]
    assert sum(int(result[3]) for result in shares if result) == 250
    assert [line.split()[0] for line in lines[-3:]] == ["years", "provinces", "legions"]


@pytest.mark.long
def test_an_interrupt_gives_the_result_so_far() -> None:
    process = subprocess.Popen(
        [*COMMAND, "--games", "5000", "--processes", "2", "--json"],
        cwd=ROOT,
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
        # A background process ignores an interrupt, and so would its children.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )
    assert process.stderr is not None
    assert process.stderr.readline().startswith("500 of 5,000 games")
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=30)
    assert process.returncode == 130, err
    shown = json.loads(out)
    assert 0 < shown["games"] < shown["asked"] == 5000
    assert "Traceback" not in err


@pytest.mark.long
@pytest.mark.parametrize(
    "arguments",
    [
        ("--games", "0"),
        ("--player", "nobody"),
        ("--options", '{"so": 1}'),
        ("--processes", "-1"),
        ("--options", "{"),
    ],
)
def test_invalid_arguments_are_refused(arguments: tuple[str, ...]) -> None:
    done = run(*arguments)
    assert done.returncode == 2
    last = done.stderr.splitlines()[-1]
    assert last.startswith("manage.py simulate: error: ")
    assert arguments[0] in last


def test_a_tally_by_hand() -> None:
    tally = simulate.Tally("march_on_rome")
    for result, cause, years in (
        ("won", "", 4),
        ("lost", "absorbed", 1),
        ("lost", "assassinated", 2),
        ("won", "", 9),
    ):
        tally.add(End(result, cause, {"years": years}))
    assert tally.to_json() == {
        "games": 4,
        "results": {
            "lost": {"games": 2, "share": 0.5, "causes": {"absorbed": 1, "assassinated": 1}},
            "won": {"games": 2, "share": 0.5, "causes": {}},
        },
        "numbers": {
            "years": {
                "mean": 4.0,
                "least": 1,
                "lower_quartile": 1.75,
                "median": 3.0,
                "upper_quartile": 5.25,
                "most": 9,
            }
        },
    }


def test_a_simulated_game_is_the_record_of_its_seed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Seed and moves of a simulated game, as a record, lead to the same end."""
    moves: list[dict[str, Any]] = []
    title = TITLES["march_on_rome"]
    sensible, end_of = title.players.by_name["sensible"], title.players.end

    class Kept:
        by_name = {"kept": lambda position, rng: _keep(moves, sensible(position, rng))}
        labels: dict[str, str] = {}
        end = staticmethod(end_of)

    monkeypatch.setattr(title, "players", Kept())
    end = simulate.play("march_on_rome", "kept", "tabula/7")
    raw = {
        "format": title.format,
        "scenario": "standard",
        "dice": {"seed": "tabula/7"},
        "moves": moves,
    }
    after = title.state(record.replay(record.parse(raw, by_format())))
    assert (after["result"], after["turn"]) == (end.result, end.numbers["years"])


def _keep(moves: list[dict[str, Any]], raw: Any) -> Any:
    if raw is not None:
        moves.append(dict(raw))
    return raw


def test_it_needs_no_database_and_no_django() -> None:
    source = (
        "import sys; from games.simulate import main; main(['march_on_rome', '--games', '5']);"
        " print('django' in sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", source],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    assert done.stdout.splitlines()[-1] == "False"


def test_only_the_dice_make_chance() -> None:
    """A program that plays gets its own source of chance, which the rules never see."""
    created = Counter(
        path.relative_to(ROOT).as_posix()
        for room in ("engine", "games")
        for path in (ROOT / room).rglob("*.py")
        if re.search(
            r"^\s*(import|from) (random|secrets)\b|urandom|uuid4", path.read_text(), re.MULTILINE
        )
    )
    assert set(created) == {
        "games/contract/players.py",
        "games/dead_ends.py",
        "games/grand_campaign/bots/battle_model.py",
        "games/grand_campaign/bots/cunning.py",
        "games/grand_campaign/bots/moves.py",
        "games/grand_campaign/bots/players.py",
        "games/grand_campaign/bots/styles.py",
        "games/march_on_rome/bots/players.py",
        "games/roman_empire/bots/manners.py",
        "games/roman_empire/bots/players.py",
        "games/simulate.py",
        "games/tetrarchia/bots/players.py",
    }


def test_the_accuracy_of_the_forecast() -> None:
    """Two campaigns of six nations are compared, by forecast chance and by turn."""
    grand = [*COMMAND[:-1], "grand_campaign", "--calibration", "2", "--games", "3"]
    one, two = (
        subprocess.run(
            [*grand, "--processes", n],
            cwd=ROOT,
            capture_output=True,
            text=True,
            timeout=120,
            check=True,
        ).stdout
        for n in ("1", "2")
    )
    assert one == two
    lines = one.splitlines()
    assert (
        lines[0]
        == "420 AD Grand Campaign: 2 campaigns, 3 games from one turn of each, seed “tabula”"
    )
    bands = [
        re.fullmatch(r"(\d+) to (\d+)% +(\d+) +([\d.]+)% +(\d+) +([\d.]+)% +(\d+)% to (\d+)%", line)
        for line in lines
    ]
    assert sum(int(band[3]) for band in bands if band) == 12
    assert all(int(band[1]) <= float(band[4]) <= int(band[2]) for band in bands if band)
    assert [line.split()[:2] for line in lines[-2:]] == [["1", "6"], ["2", "6"]]
    refused = run("--calibration", "2")
    assert (refused.returncode, "this game has no forecast" in refused.stderr) == (2, True)


def test_a_shared_victory_counts_in_part_and_a_share_has_its_bounds() -> None:
    assert [simulate.share_of_victory([[50, 1], [50, 1], [40, 3]], seat) for seat in range(3)] == [
        0.5,
        0.5,
        0.0,
    ]
    assert simulate.middle_range([10, 20, 30, 40, 50, 60, 70, 80, 90, 100, 110]) == (20, 100)
    low, high = simulate.confidence_interval(0.5, 100)
    assert (round(low, 3), round(high, 3)) == (0.404, 0.596)
