"""The balance of the Roman Empire as a table and a picture."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from defusedxml.ElementTree import fromstring

from games import simulate
from games.simulate import Bar, Chart

ROOT = Path(__file__).resolve().parents[1]
SVG = "{http://www.w3.org/2000/svg}"


def run(*words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "manage.py", "simulate", *words]
    return subprocess.run(
        command, cwd=ROOT, capture_output=True, text=True, timeout=120, check=False
    )


@pytest.mark.long
def test_a_table_and_a_picture(tmp_path: Path) -> None:
    file = tmp_path / "balance.svg"
    done = run("roman_empire", "--games", "4", "--options", "{}", "--picture", str(file))
    assert done.returncode == 0, done.stderr
    assert "By seat                             share  of equal" in done.stdout
    assert (
        len(
            [
                line
                for line in done.stdout.splitlines()
                if line.startswith("seat ") and "%" in line and "wins" not in line
            ]
        )
        == 4
    )
    whole = fromstring(file.read_text("utf-8"))
    texts = [text.text or "" for text in whole.iter(f"{SVG}text")]
    assert texts[0] == "History of the Roman Empire: share of all points"
    assert {
        "By seat",
        "By People, in the order of the turns",
        "By Emperor, in the order of the turns",
    } <= set(texts)
    assert len(list(whole.iter(f"{SVG}line"))) == 3


@pytest.mark.long
def test_the_picture_of_the_battle_model_has_the_models_values(tmp_path: Path) -> None:
    file = tmp_path / "battles.svg"
    assert run("grand_campaign", "--battles", str(file)).returncode == 0
    assert file.read_text("utf-8") == (ROOT / "docs" / "pictures" / "battle_model.svg").read_text(
        "utf-8"
    )
    whole = fromstring(file.read_text("utf-8"))
    columns = [rect for rect in whole.iter(f"{SVG}rect") if rect.get("width") == "15.0"]
    even = [float(rect.get("height", "")) for rect in columns[36:39]]
    assert (len(columns), round(sum(even)), [round(share / 3) for share in even]) == (
        75,
        300,
        [42, 18, 40],
    )
    assert "this game has no battle model" in run("tetrarchia", "--battles", str(file)).stderr


def test_a_table_without_shares(tmp_path: Path) -> None:
    done = run("march_on_rome", "--games", "1", "--picture", str(tmp_path / "x.svg"))
    assert (done.returncode, (tmp_path / "x.svg").exists()) == (2, False)
    assert "this game does not count shares of points" in done.stderr


def test_equal_shares_end_at_the_line() -> None:
    drawn = Chart("By <seat>", [Bar("A & B", 0.5), Bar("C", 0.5)])
    text = simulate.svg('He said "so"', "note", [drawn])
    whole = fromstring(text)
    (line,) = whole.iter(f"{SVG}line")
    wide = {rect.get("width") for rect in whole.iter(f"{SVG}rect") if rect.get("rx")}
    assert (line.get("x1"), wide) == ("890.0", {"640.0"})
    assert simulate.table([drawn])[2:] == [
        f"{'A & B':<32}{'50.0%':>9}{'1.00':>10}",
        f"{'C':<32}{'50.0%':>9}{'1.00':>10}",
    ]
