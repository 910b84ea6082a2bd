"""`verify.py` beside an unpacked pack: it passes honest packs and names each forgery."""

from __future__ import annotations

import hashlib
import importlib.util
import json
import random
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
import time_machine

from campaign import services
from campaign.dice import services as dice_services
from campaign.imports import check_record, import_record
from campaign.log import removal, selectors
from campaign.log.talk import proclaim
from engine.dice import draw
from games.registry import TITLES
from tests.web.dice.unpacked import SCRIPT, run_script, unpack_audit_pack
from tests.web.grand_table import GrandTable, draft, new_campaign

__all__ = ["draft", "new_campaign"]
pytestmark = pytest.mark.django_db
NOW = datetime(2026, 11, 23, 12, tzinfo=UTC)
HOUR = timedelta(hours=1)
DRAWN = "BARI 12 45 7 88 31"
Line = dict[str, Any]


class Forged:
    """The log and the list of rolls of a pack, which can be changed and written."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.lines: list[Line] = [
            json.loads(line) for line in (folder / "log.jsonl").read_text("utf-8").splitlines()
        ]
        self.listed: dict[str, Any] = json.loads((folder / "rolls.json").read_text("utf-8"))

    def write(self, *, reseal: bool) -> None:
        """Write the pack; with `reseal`, compute all hashes again, as a forger does."""
        before = ""
        for line in self.lines:
            if reseal:
                line["hash"] = hashlib.sha256(
                    f"{before}\n{text(line['body'])}".encode()
                ).hexdigest()
            before = line["hash"]
        (self.folder / "log.jsonl").write_text(
            "".join(text(line) + "\n" for line in self.lines), "utf-8"
        )
        (self.folder / "rolls.json").write_text(text(self.listed), "utf-8")

    def act(self, name: str, how: str = "") -> Line:
        """Return the first entry of this act or move."""
        return next(line for line in self.lines if self._is(line, name, how))

    @staticmethod
    def _is(line: Line, name: str, how: str) -> bool:
        what = json.loads(line["body"]["what"])
        return name in (what.get("act"), what.get("move")) and how in ("", what.get("how"))

    def rewrite(self, line: Line, **more: Any) -> None:
        line["body"]["what"] = text({**json.loads(line["body"]["what"]), **more})

    def roll(self, purpose: str) -> list[Any]:
        return next(
            roll for line in self.lines for roll in line["body"]["rolls"] if roll[0] == purpose
        )

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


def mix(table: GrandTable) -> None:
    """Add words of the Hun and the Roman and a lottery draw for the next turn."""
    campaign, gm = table.campaign, table.people["gm"]
    now = datetime.now(UTC)
    for who, seat in (("hun", "huns"), ("roman", "romans")):
        services.add_words(campaign, table.people[who], seat, f"{seat} of {now:%H:%M} “é”", now=now)
    dice_services.name_draw(campaign, gm, "lotto", now + HOUR, wheels={"Bari": "huns"}, now=now)
    dice_services.enter_draw(campaign, gm, DRAWN, now=now + HOUR)
    table.campaign.refresh_from_db()


def close_turn(table: GrandTable) -> None:
    while table.campaign.active_seat:
        table.play(table.campaign.active_seat, "end-slot")


@pytest.fixture
def rich(new_campaign: Callable[..., GrandTable], tmp_path: Path) -> Forged:
    """Play two turns with everything that a pack can contain.

    Words, draws, corrections, undos of all kinds, renewed dice and removed texts.
    """
    with time_machine.travel(NOW):
        table = new_campaign(chance="both")
        gm, hun = table.people["gm"], table.people["hun"]
        mix(table)
        table.play("gm", "start")
        table.slot_to("huns")
        first = table.campaign.last_number
        table.play(
            "gm", "adjust", nation="huns", account="income", change=25, reason="A slip of 25"
        )
        slip = table.campaign.entries.latest("sequence")
        table.play(
            "gm", "adjust", nation="romans", account="prestige", change=1, reason="For style: 7½"
        )
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
    return Forged(unpack_audit_pack(table.campaign, tmp_path / "rich"))


def test_an_honest_pack_passes(rich: Forged) -> None:
    commitments = [chain["commitment"] for chain in rich.listed["chains"]]
    assert len(commitments) == 2
    last = rich.lines[-1]["hash"]
    code, lines = run_script(rich.folder, *commitments, last, rich.lines[7]["hash"])
    assert (code, lines[-1]) == (0, "No faults were found."), lines
    assert sum("a text was removed" in line for line in lines) == 2
    assert f"{len(rich.lines)} entries, the last hash is {last}" in lines
    assert "Rome is ours" not in (rich.folder / "log.jsonl").read_text("utf-8")
    code, lines = run_script(rich.folder, "f" * 64)
    assert (code, lines[-1].endswith("f" * 64)) == (1, True)


def test_dice_by_hand_and_dice_renewed_by_the_game_master_pass(
    draft: GrandTable, tmp_path: Path
) -> None:
    gm = draft.people["gm"]
    services.set_manual_dice(draft.campaign, gm, True)
    draft.play("gm", "start")
    seats = ("huns", "romans", "sassanids", "vandals", "hephtalites", "kushans")
    thrown = {"start": 4, **{f"turn-1/card/{seat}": 90 for seat in seats}}
    services.give_dice(draft.campaign, gm, thrown, "https://forum.example/roll/7")
    services.set_manual_dice(draft.campaign, gm, False)
    draft.campaign.refresh_from_db()
    close_turn(draft)
    services.renew_dice(draft.campaign, gm, "To be sure")
    draft.campaign.refresh_from_db()
    draft.play("gm", "open-turn")
    close_turn(draft)
    draft.play("gm", "open-turn")
    folder = unpack_audit_pack(draft.campaign, tmp_path / "hand")
    code, lines = run_script(folder, draft.campaign.commitment)
    assert (code, lines[-1]) == (0, "No faults were found."), lines
    forged = Forged(folder)
    for line in forged.lines:
        if json.loads(line["body"]["what"]).get("purpose") == "start":
            forged.rewrite(line, value=3)
    forged.write(reseal=True)
    assert any("start gives 3, not 4" in line for line in run_script(folder)[1])


def test_an_imported_record_passes(new_campaign: Callable[..., GrandTable], tmp_path: Path) -> None:
    people: dict[str, Any] = new_campaign.people  # type: ignore[attr-defined]
    raw = {
        "format": "grand-campaign/1",
        "scenario": "420ad",
        "options": {},
        "dice": {"seed": "mine", "fixed": {"start": 2}},
        "moves": [{"by": "gm", "move": "start"}],
    }
    campaign = import_record(
        people["gm"], check_record(json.dumps(raw)), "Brought", "UTC", "listed"
    )
    table = GrandTable(campaign, people)
    close_turn(table)
    table.play("gm", "open-turn")
    code, lines = run_script(unpack_audit_pack(table.campaign, tmp_path / "brought"))
    assert (code, lines[-1]) == (0, "No faults were found."), lines


def test_packs_with_hidden_hands_pass(
    new_campaign: Callable[..., GrandTable], tmp_path: Path
) -> None:
    table = new_campaign(hands="hidden")
    table.play("gm", "start")
    close_turn(table)
    table.play("gm", "open-turn")
    code, lines = run_script(unpack_audit_pack(table.campaign, tmp_path / "hidden"))
    assert (code, lines[-1]) == (0, "No faults were found."), lines


@pytest.mark.long
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
    choose = TITLES[title].players.by_name["random"]
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
    folder = unpack_audit_pack(campaign, tmp_path / title)
    code, lines = run_script(folder, campaign.commitment)
    assert (code, lines[-1]) == (0, "No faults were found."), lines
    forged = Forged(folder)
    line = next(line for line in forged.lines if line["body"]["rolls"])
    line["body"]["rolls"].pop()
    forged.listed["rolls"].pop(len(line["body"]["rolls"]))
    forged.write(reseal=True)
    assert run_script(folder)[0] == 1


# Forgeries. A forger computes all hashes again, so that only the dice and the rules can reveal
# them.

Forgery = Callable[[Forged], Any]


def value_of(forged: Forged, chain: int, purpose: str, sides: int, mixture: dict[str, Any]) -> int:
    """Return the value of a roll by another link or other words."""
    link = forged.listed["chains"][chain]["links"][forged.row(purpose)["link"]]
    key = hashlib.sha256(f"{link}\n{text(mixture)}".encode()).hexdigest() if mixture else link
    return draw(key, purpose, sides)


def other_value(forged: Forged, purpose: str) -> int:
    row = forged.row(purpose)
    return int(row["value"] % row["sides"] + 1)


def extra_chain(forged: Forged) -> None:
    """Add a renewal that no entry announces to the list, and a roll of it."""
    link = "ab" * 32
    new = {
        "commitment": hashlib.sha256(link.encode()).hexdigest(),
        "entry": 9,
        "links": [link, link],
        "mixed": {},
    }
    forged.listed["chains"].append(new)
    purpose = "turn-1/card/huns"
    forged.row(purpose)["chain"] = 2
    forged.throw(purpose, 2, "value", draw(link, purpose, 100))


def other_chain(forged: Forged) -> None:
    purpose = "turn-2/card/huns"
    forged.row(purpose)["chain"] = 1
    mixture = forged.listed["chains"][1]["mixed"]["2"]
    forged.throw(purpose, 2, "value", value_of(forged, 1, purpose, 100, mixture))


def by_hand(forged: Forged) -> None:
    forged.throw("start", 2, "value", other_value(forged, "start"))
    forged.row("start")["hand"] = True


def other_draw(forged: Forged) -> None:
    mixture = forged.listed["chains"][0]["mixed"]["2"]
    mixture["draw"] = "Bari 1 2 3 4 5"
    for row in forged.listed["rolls"]:
        if row["purpose"].startswith("turn-2/"):
            value = value_of(forged, 0, row["purpose"], row["sides"], mixture)
            forged.throw(row["purpose"], 2, "value", value)


def other_words(forged: Forged) -> None:
    mixture = forged.listed["chains"][0]["mixed"]["1"]
    mixture["phrases"]["huns"] = "chosen words"
    forged.listed["chains"][0]["mixed"]["0"] = mixture
    forged.throw("start", 2, "value", value_of(forged, 0, "start", 6, mixture))


def without_start(forged: Forged) -> None:
    for line in forged.lines:
        line["body"]["rolls"] = [roll for roll in line["body"]["rolls"] if roll[0] != "start"]
    forged.listed["rolls"] = [row for row in forged.listed["rolls"] if row["purpose"] != "start"]


def exchanged_move(forged: Forged) -> None:
    """Exchange a move, and add an entry that a moderator has removed a text of it."""
    line, act = forged.act("attack"), forged.lines[-1]
    forged.rewrite(line, target="noricum")
    line["removed"] = "2026-11-23"
    act["body"]["target"] = line["body"]["sequence"]
    forged.rewrite(act, entry=line["body"]["sequence"])


def hidden_move(forged: Forged) -> None:
    """Let a correction give a hundred times as much, disguised by the removal of its reason."""
    line = forged.lines[13]
    assert line["removed"]
    line["body"]["what"] = text({"by": "gm", "move": "end-slot", "for": "huns", "why": "Removed"})


def replaced(forged: Forged, name: str, how: str = "", /, **more: Any) -> None:
    forged.rewrite(forged.act(name, how), **more)


def thrown(purpose: str, place: int, field: str, value: Any) -> Forgery:
    return lambda forged: forged.throw(
        purpose, place, field, value(forged) if callable(value) else value
    )


def listed(purpose: str, **more: Any) -> Forgery:
    return lambda forged: forged.row(purpose).update(more)


def rewritten(name: str, how: str = "", /, **more: Any) -> Forgery:
    return lambda forged: replaced(forged, name, how, **more)


def moved(name: str, how: str = "", /, **more: Any) -> Forgery:
    return lambda forged: forged.act(name, how)["body"].update(more)


def left_out(forged: Forged) -> None:
    forged.lines.remove(forged.act("undo"))


def renumbered(forged: Forged) -> None:
    """Leave out an entry, and renumber all later ones."""
    forged.lines.remove(forged.act("press"))
    for place, line in enumerate(forged.lines):
        line["body"]["sequence"] = place


def extra_roll(forged: Forged) -> None:
    forged.act("build")["body"]["rolls"].append(["turn-1/card/huns/2", 100, 50, 1, None])


def late_renewal(forged: Forged) -> None:
    """Let the host renew the dice at a moment that suits them."""
    forged.lines[22]["body"].update(kind="table")
    forged.lines[22]["body"]["what"] = text({"act": "renew", "commitment": "0" * 64})


CHAINS = "chains"
FORGERIES: dict[str, tuple[Forgery, str]] = {
    "a renewal that no entry announces": (extra_chain, "only in the list"),
    "b another chain": (other_chain, "turn-2/card/huns gives"),
    "c by hand": (by_hand, "start gives"),
    "d another draw": (other_draw, "only in the list"),
    "d other words": (other_words, "start gives"),
    "e no start": (without_start, "the rules need the roll start"),
    "f a move exchanged": (exchanged_move, "the removal hides nothing or too much"),
    "f a move under a removal": (
        hidden_move,
        "the removal hides nothing or too much",
    ),
    "value": (thrown("start", 2, "value", lambda one: other_value(one, "start")), "start gives"),
    "sides": (thrown("start", 1, "sides", 5), "start"),
    "link": (thrown("start", 3, "link", 1), "start"),
    "purpose": (thrown("turn-1/card/huns", 0, "purpose", "turn-1/card/goths"), "turn-1/card/huns"),
    "audience": (thrown("start", 4, "value", ["huns"]), "rules need"),
    "a roll too many": (extra_roll, "turn-1/card/huns/2"),
    "a roll of an act": (
        lambda one: one.act("press")["body"].update(rolls=[["start", 6, 1, 0, None]]),
        "only moves",
    ),
    "value in the list": (listed("start", value=1), "only in the list"),
    "sides in the list": (listed("start", sides=8), "only in the list"),
    "link in the list": (listed("start", link=3), "only in the list"),
    "chain in the list": (listed("start", chain=1), "only in the list"),
    "entry in the list": (listed("start", entry=2), "only in the list"),
    "struck in the list": (listed("start", struck=True), "only in the list"),
    "hand in the list": (listed("start", hand=True), "only in the list"),
    "twice in the list": (
        lambda one: one.listed["rolls"].append(one.listed["rolls"][0]),
        "listed twice",
    ),
    "gone from the list": (lambda one: one.listed["rolls"].pop(), "missing"),
    "commitment in the list": (
        lambda one: one.listed["chains"][0].update(commitment="0" * 64),
        "only in the list",
    ),
    "entry of a chain": (lambda one: one.listed["chains"][1].update(entry=5), "only in the list"),
    "a link": (
        lambda one: one.listed["chains"][0]["links"].__setitem__(1, "0" * 64),
        "does not lead",
    ),
    "no links": (lambda one: one.listed["chains"][0].update(links=[]), "keys must be published"),
    "no second chain": (lambda one: one.listed["chains"].pop(), "keys must be published"),
    "imported": (lambda one: one.listed.update(imported=True), "only in the list"),
    "title": (lambda one: one.listed.update(title="tetrarchia"), "only in the list"),
    "commitment in the log": (rewritten("genesis", commitment="0" * 64), "does not lead"),
    "chance in the log": (rewritten("genesis", chance="words"), "cannot be mixed"),
    "no chance in the log": (rewritten("genesis", chance=""), "cannot be mixed"),
    "given in the log": (rewritten("genesis", given={"start": 1}), "start gives 1"),
    "scenario in the log": (rewritten("genesis", scenario="240bc"), "cannot be read or replayed"),
    "words in the log": (rewritten("mix", "words", text="chosen words"), "gives"),
    "seat of the words": (rewritten("mix", "words", seat="romans"), "cannot be mixed"),
    "turn of the words": (rewritten("mix", "words", turn=1), "gives"),
    "chain of the words": (rewritten("mix", "words", chain=1), "cannot be mixed"),
    "seat of the entry": (moved("mix", "words", seat="romans"), "cannot be mixed"),
    "words closed twice": (
        rewritten("mix", "closed", how="named", falls="2026-11-24T12:00:00+00:00"),
        "without its words or its draw",
    ),
    "draw in the log": (rewritten("mix", "drawn", text="Bari 1 2 3 4 5"), "gives"),
    "draw named late": (
        rewritten("mix", "named", falls="2026-11-01T12:00:00+00:00"),
        "cannot be mixed",
    ),
    "drawn before it falls": (
        moved("mix", "drawn", at="2026-11-23T12:00:00.000000+00:00"),
        "cannot be mixed",
    ),
    "a move that the rules forbid": (rewritten("attack", target="italia"), "the rules forbid it"),
    "seat of a move": (moved("end-slot", seat="huns"), "the rules need"),
    "audience of a move": (moved("end-slot", audience=["huns"]), "the rules need"),
    "kind of a move": (moved("end-slot", kind="table"), "cannot be read"),
    "an undo without its renewal": (
        rewritten("undo", commitment="0" * 64),
        "it must renew the dice",
    ),
    "target of an undo": (moved("undo", target=9), "is not its target"),
    "an undo of other moves": (rewritten("undo", after=9), "is not its target"),
    "an undo left out": (left_out, "missing before it"),
    "target of a restoration": (moved("restore", target=12), "cannot be read or replayed"),
    "an entry left out": (renumbered, ""),
    "a renewal in the midst": (late_renewal, "cannot be read or replayed"),
    "sequence": (moved("build", sequence=40), "missing before it"),
    "a text": (
        lambda one: one.lines[14]["texts"].update(reason="Another reason"),
        "differs from the one that was typed",
    ),
    "a salt": (lambda one: one.lines[14].update(salt="00"), "differs from the one that was typed"),
    "a text gone": (lambda one: one.lines[14].pop("texts"), "differs from the one that was typed"),
    "removed without an entry": (
        lambda one: one.lines[-1].update(removed="2026-11-23"),
        "the removal hides",
    ),
    "target of a removal": (moved("host", "removed", target=14), "has no removed text"),
}


@pytest.mark.parametrize(
    "part", [0, *(pytest.param(part, marks=pytest.mark.nightly) for part in range(1, 6))]
)
def test_every_forgery_is_named(rich: Forged, tmp_path: Path, part: int) -> None:
    """The script names each forgery, also if the forger has computed all hashes again.

    Every sixth forgery is tried each day, and all of them each night.
    """
    believed = {}
    for n, (name, (forge, words)) in enumerate(list(FORGERIES.items())[part::6]):
        folder = tmp_path / str(n)
        folder.mkdir()
        for file in ("verify.py", "log.jsonl", "rolls.json"):
            (folder / file).write_bytes((rich.folder / file).read_bytes())
        forged = Forged(folder)
        forge(forged)
        forged.write(reseal=True)
        code, lines = run_script(folder, "--rules", str(rich.folder / "rules"))
        if (
            code != 1
            or not any(words in line for line in lines)
            or any("Traceback" in line for line in lines)
        ):
            believed[name] = lines
    assert believed == {}
    assert len(FORGERIES) >= 6 + 12


def test_a_posted_hash_reveals_an_exchanged_legal_move(rich: Forged) -> None:
    """If the rules allow both moves, with equal dice, only the posted hash shows the change."""
    posted = rich.lines[-1]["hash"]
    rich.rewrite(rich.act("attack"), target="noricum")
    rich.write(reseal=True)
    assert run_script(rich.folder)[0] == 0
    code, lines = run_script(rich.folder, posted)
    assert (code, lines[-1]) == (1, f"the log does not have {posted}")


@pytest.mark.long
def test_every_field_of_every_kind_of_line_is_covered_by_a_hash(rich: Forged) -> None:
    """No field can be changed without a change of the hashes, of which one was posted."""
    spec = importlib.util.spec_from_file_location("verify", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    script = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(script)
    seen, believed = set(), []
    for place, line in enumerate(rich.lines):
        what = json.loads(line["body"]["what"])
        kind = (what.get("act"), what.get("move"), what.get("how"), "removed" in line)
        if kind in seen:
            continue
        seen.add(kind)
        for field, value in line["body"].items():
            checker = script.Checker(rich.folder, SCRIPT.parents[1])
            other = {int: 999, str: f"{value}x", list: ["x"], type(None): 1}[type(value)]
            checker.lines[place]["body"][field] = other
            with suppress(Exception):  # the script itself reports it
                checker.check_log()
            if (
                f"entry {place}: its hash does not match its text, its rolls or the previous entry"
                not in checker.faults
            ):
                believed.append((kind, field))
    assert believed == []
    assert len(seen) >= 15
