"""`verify.py` beside an unpacked pack: honest packs of every title pass, and each forgery is named."""

from __future__ import annotations

import hashlib
import json
import random
import subprocess
import sys
import zipfile
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
import time_machine

from campaign import services
from campaign.access import Access
from campaign.dice import services as dice_services
from campaign.imports import import_record, judge
from campaign.log import removal, selectors
from campaign.log.talk import proclaim
from campaign.models import Campaign
from engine.dice import draw
from games.registry import PLAYERS
from tests.web.five import Five, draft, new_campaign
from web.exports import packs

__all__ = ["draft", "new_campaign"]
pytestmark = pytest.mark.django_db
SCRIPT = Path(__file__).resolve().parents[3] / "static" / "verify.py"
NOW = datetime(2026, 11, 23, 12, tzinfo=UTC)
HOUR = timedelta(hours=1)
DRAWN = "BARI 12 45 7 88 31"
Line = dict[str, Any]


def run(folder: Path, *words: str) -> tuple[int, list[str]]:
    """The exit status and the lines of the script in this folder, with Python's standard library and nothing else."""
    command = [sys.executable, "-I", "-S", "-B", str(folder / "verify.py"), str(folder), *words]
    done = subprocess.run(command, cwd=folder.parent, capture_output=True, text=True, timeout=120, check=False)
    return done.returncode, (done.stdout + done.stderr).splitlines()


def unpack(campaign: Campaign, folder: Path) -> Path:
    """The pack that the game master gets, unpacked."""
    campaign.refresh_from_db()
    file = BytesIO()
    packs.Pack(campaign, Access(game_master=True, host=True)).write(file)
    zipfile.ZipFile(file).extractall(folder)
    return folder


class Forged:
    """The log and the list of rolls of a pack, to be changed and written."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.lines: list[Line] = [json.loads(line) for line in (folder / "log.jsonl").read_text("utf-8").splitlines()]
        self.listed: dict[str, Any] = json.loads((folder / "rolls.json").read_text("utf-8"))

    def write(self, *, reseal: bool) -> None:
        """`reseal`: with all hashes computed anew, as a forger does it."""
        before = ""
        for line in self.lines:
            if reseal:
                line["hash"] = hashlib.sha256(f"{before}\n{text(line['body'])}".encode()).hexdigest()
            before = line["hash"]
        (self.folder / "log.jsonl").write_text("".join(text(line) + "\n" for line in self.lines), "utf-8")
        (self.folder / "rolls.json").write_text(text(self.listed), "utf-8")

    def act(self, name: str, how: str = "") -> Line:
        """The first entry of this act or move."""
        return next(line for line in self.lines if self._is(line, name, how))

    @staticmethod
    def _is(line: Line, name: str, how: str) -> bool:
        what = json.loads(line["body"]["what"])
        return name in (what.get("act"), what.get("move")) and how in ("", what.get("how"))

    def say(self, line: Line, **more: Any) -> None:
        line["body"]["what"] = text({**json.loads(line["body"]["what"]), **more})

    def roll(self, purpose: str) -> list[Any]:
        return next(roll for line in self.lines for roll in line["body"]["rolls"] if roll[0] == purpose)

    def row(self, purpose: str) -> dict[str, Any]:
        return next(row for row in self.listed["rolls"] if row["purpose"] == purpose)

    def throw(self, purpose: str, place: int, field: str, value: Any) -> None:
        """Change a roll wherever it is written."""
        for line in self.lines:
            for roll in line["body"]["rolls"]:
                if roll[0] == purpose:
                    roll[place] = value
        for row in self.listed["rolls"]:
            if row["purpose"] == purpose:
                row[field] = value


def text(value: Any) -> str:
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


# Honest packs.


def mix(table: Five) -> None:
    """The Hun's words, the Roman's words, and a drawing of the lottery, for the next turn."""
    campaign, gm = table.campaign, table.people["gm"]
    now = datetime.now(UTC)
    for who, seat in (("hun", "huns"), ("roman", "romans")):
        services.add_words(campaign, table.people[who], seat, f"{seat} of {now:%H:%M} “é”", now=now)
    dice_services.name_draw(campaign, gm, "lotto", now + HOUR, wheels={"Bari": "huns"}, now=now)
    dice_services.enter_draw(campaign, gm, DRAWN, now=now + HOUR)
    table.campaign.refresh_from_db()


def close_turn(table: Five) -> None:
    while table.campaign.active_seat:
        table.play(table.campaign.active_seat, "end-slot")


@pytest.fixture
def rich(new_campaign: Callable[..., Five], tmp_path: Path) -> Forged:
    """Two turns of words, draws, corrections, undos of all kinds, renewed dice and removed texts."""
    with time_machine.travel(NOW):
        table = new_campaign(chance="both")
        gm, hun = table.people["gm"], table.people["hun"]
        mix(table)
        table.play("gm", "start")
        table.slot_to("huns")
        first = table.campaign.last_number
        table.play("gm", "adjust", nation="huns", account="income", change=25, reason="A slip of 25")
        slip = table.campaign.entries.latest("sequence")
        table.play("gm", "adjust", nation="romans", account="prestige", change=1, reason="For style: 7½")
        services.undo_to(table.campaign, gm, first, "Both were wrong", table.seen("gm"))
        undo = table.campaign.entries.latest("sequence")
        services.restore(table.campaign, gm, undo.number, "They were not", table.seen("gm"))
        raw = {"by": "huns", "move": "build", "structure": "shrines"}
        services.play(table.campaign, hun, raw, table.seen("hun"))
        services.undo_own(table.campaign, hun, table.seen("hun"))
        table.play("huns", "attack", kind="land", **{"from": "pannonia", "target": "dalmatia"})
        table.play("gm", "forfeit", attack=1, side="defender")
        proclaim(table.campaign, hun, "To all peoples", "Rome is ours.")
        press = table.campaign.entries.latest("sequence")
        table.campaign.refresh_from_db()
        close_turn(table)
        mix(table)
        table.play("gm", "open-turn")
        services.undo_to(table.campaign, gm, slip.number, "Back into turn 1", table.seen("gm"))
        table.campaign.refresh_from_db()
        close_turn(table)
        mix(table)
        table.play("gm", "open-turn")
        close_turn(table)
        mix(table)
        table.play("gm", "open-turn")
        for entry in (slip, press):
            removal.remove_texts(table.campaign, entry.sequence, "Rude")
    return Forged(unpack(table.campaign, tmp_path / "rich"))


def test_an_honest_pack_passes(rich: Forged) -> None:
    commitments = [chain["commitment"] for chain in rich.listed["chains"]]
    assert len(commitments) == 2
    last = rich.lines[-1]["hash"]
    code, lines = run(rich.folder, *commitments, last, rich.lines[7]["hash"])
    assert (code, lines[-1]) == (0, "Nothing is wrong."), lines
    assert sum("a text was removed" in line for line in lines) == 2
    assert f"{len(rich.lines)} entries, the last hash is {last}" in lines
    assert "Rome is ours" not in (rich.folder / "log.jsonl").read_text("utf-8")
    code, lines = run(rich.folder, "f" * 64)
    assert (code, lines[-1].endswith("f" * 64)) == (1, True)


def test_dice_by_hand_and_dice_renewed_by_the_game_master_pass(draft: Five, tmp_path: Path) -> None:
    gm = draft.people["gm"]
    services.throw_by(draft.campaign, gm, True)
    draft.play("gm", "start")
    seats = ("huns", "romans", "sassanids", "vandals", "hephtalites", "kushans")
    thrown = {"start": 4, **{f"turn-1/card/{seat}": 90 for seat in seats}}
    services.give_dice(draft.campaign, gm, thrown, "https://forum.example/roll/7")
    services.throw_by(draft.campaign, gm, False)
    draft.campaign.refresh_from_db()
    close_turn(draft)
    services.renew_dice(draft.campaign, gm, "To be sure")
    draft.campaign.refresh_from_db()
    draft.play("gm", "open-turn")
    close_turn(draft)
    draft.play("gm", "open-turn")
    folder = unpack(draft.campaign, tmp_path / "hand")
    code, lines = run(folder, draft.campaign.commitment)
    assert (code, lines[-1]) == (0, "Nothing is wrong."), lines
    forged = Forged(folder)
    for line in forged.lines:
        if json.loads(line["body"]["what"]).get("purpose") == "start":
            forged.say(line, value=3)
    forged.write(reseal=True)
    assert any("start gives 3, not 4" in line for line in run(folder)[1])


def test_a_record_that_was_brought_passes(new_campaign: Callable[..., Five], tmp_path: Path) -> None:
    people: dict[str, Any] = new_campaign.people  # type: ignore[attr-defined]
    raw = {
        "format": "grand-campaign/1", "scenario": "420ad", "options": {},
        "dice": {"seed": "mine", "fixed": {"start": 2}}, "moves": [{"by": "gm", "move": "start"}],
    }  # fmt: skip
    campaign = import_record(people["gm"], judge(json.dumps(raw)), "Brought", "UTC", "listed")
    table = Five(campaign, people)
    close_turn(table)
    table.play("gm", "open-turn")
    code, lines = run(unpack(table.campaign, tmp_path / "brought"))
    assert (code, lines[-1]) == (0, "Nothing is wrong."), lines


def test_hidden_hands_pass(new_campaign: Callable[..., Five], tmp_path: Path) -> None:
    table = new_campaign(hands="hidden")
    table.play("gm", "start")
    close_turn(table)
    table.play("gm", "open-turn")
    code, lines = run(unpack(table.campaign, tmp_path / "hidden"))
    assert (code, lines[-1]) == (0, "Nothing is wrong."), lines


@pytest.mark.parametrize(
    ("title", "scenario", "options"),
    [
        ("march_on_rome", {"key": "standard", "general": "Albinus"}, {}),
        ("tetrarchia", "standard", {}),
        ("roman_empire", "standard", {"players": 3}),
    ],
)
def test_every_other_title_passes(
    title: str, scenario: Any, options: dict[str, Any], person: Callable[..., Any], tmp_path: Path
) -> None:
    gm, rng = person("Marozia"), random.Random(7)
    campaign = services.found_campaign(gm, title, "A game", scenario, options, seed="7" * 64)
    own = next((row.seat for row in campaign.memberships.filter(user=gm) if row.seat), "gm")
    choose = PLAYERS[title].by_name["random"]
    for n in range(60):
        raw = choose(selectors.position(campaign), rng)
        if raw is None:
            break
        seat = raw.get("by", own)
        spoken = {"by": seat} if seat in (own, "gm") else {"by": "gm", "for": seat}
        move = {**raw, **spoken}
        campaign = services.play(campaign, gm, move, selectors.seen(campaign, gm)).campaign
        if n == 30:
            number = campaign.entries.filter(kind="move").order_by("-sequence")[4].number
            services.undo_to(campaign, gm, number, "Once more", selectors.seen(campaign, gm))
            campaign.refresh_from_db()
    folder = unpack(campaign, tmp_path / title)
    code, lines = run(folder, campaign.commitment)
    assert (code, lines[-1]) == (0, "Nothing is wrong."), lines
    forged = Forged(folder)
    line = next(line for line in forged.lines if line["body"]["rolls"])
    line["body"]["rolls"].pop()
    forged.listed["rolls"].pop(len(line["body"]["rolls"]))
    forged.write(reseal=True)
    assert run(folder)[0] == 1
