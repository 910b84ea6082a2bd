"""What follows from a move: rows over branches, cascades with their rule, odds, what a contest may bring."""

from __future__ import annotations

from typing import Any

import pytest
from django.template.loader import render_to_string

from engine.dice import Dice
from engine.effects import Say
from engine.play import play
from games.contract.title import Branch
from games.registry import TITLES
from web.play import forms
from web.play.move_preview import Follow, outcome_columns
from web.titles.talk import talk

TITLE = TITLES["grand_campaign"]
SCENARIO = TITLE.scenario(TITLE.scenarios()["420ad"])


class Board:
    """A position of 420 AD, played on without a table."""

    def __init__(self, first: str = "huns", **options: Any) -> None:
        self.dice = Dice(6, seed="0" * 64)
        self.position = TITLE.setup(SCENARIO, TITLE.options(options))
        self.say("gm", "start")
        self.slot_to(first or self.position.order[0])

    def say(self, by: str, move: str, **given: Any) -> None:
        raw = {"by": by, "move": move, **{key.rstrip("_"): value for key, value in given.items()}}
        self.position = play(self.position, TITLE.decode(raw, self.position), self.dice).after

    def slot_to(self, seat: str) -> None:
        while self.position.slot != seat:
            self.say(self.position.slot, "end-slot")

    def look(self, by: str, move: str, **given: Any) -> tuple[Follow, str]:
        raw = {"by": by, "move": move, **{key.rstrip("_"): value for key, value in given.items()}}
        return forms.preview_move(talk(TITLE, SCENARIO, self.position), raw)

    def adjust(self, nation: str, account: str, change: int) -> None:
        self.say("gm", "adjust", nation=nation, account=account, change=change, reason="-")


@pytest.fixture
def board() -> Board:
    return Board()


def cells(made: Follow) -> list[tuple[str | None, str, list[str]]]:
    return [
        (block.seat, row.label, [cell.text or f"{cell.was} → {cell.now}" for cell in row.cells])
        for block in made.blocks
        for row in block.rows
    ]


def test_was_and_is(board: Board) -> None:
    made, asks = board.look("huns", "build", structure="bridges")
    assert cells(made) == [("huns", "Income", ["450t → 550t"]), ("huns", "Bridges", ["built"])]
    assert made.mine("huns")[0].cells[0].note == "3 actions next slot"
    assert asks == ""


def test_cascades_stand_by_themselves_with_their_rule(board: Board) -> None:
    board.adjust("huns", "stability", -2)
    made, asks = board.look("huns", "tax-increase")
    assert cells(made) == [
        ("huns", "Stability", ["4 → 3"]),
        ("huns", "Actions", ["2½ → 3"]),
        ("huns", "stability at 3 or less", ["6 → 5"]),
    ]
    assert [(row.rule, row.account) for row in made.mine("huns") if row.cascade] == [("2.1", "prestige")]
    assert asks == "Thresholds are crossed, as shown."


def siege(board: Board) -> None:
    """The Romans attack a fortified province of the Huns, with a siege train."""
    board.say("huns", "fortify", province="pannonia")
    board.say("huns", "fortify", province="pannonia")
    board.slot_to("romans")
    board.say("romans", "siege-train")
    board.say("romans", "attack", kind="land", from_="dalmatia", target="pannonia", siege_train=True)


def test_branches_are_columns_and_common_rows_one_cell(board: Board) -> None:
    siege(board)
    board.say("huns", "respond", attack=1, choice="accept")
    made, asks = board.look("gm", "report", attack=1, routed={"attacker": 10, "defender": 50})
    assert [(c.label, c.chance, c.rolls) for c in made.columns] == [("held", "30%", "1–30"), ("taken", "70%", "31–100")]
    rows = {(block.seat, row.label): row for block in made.blocks for row in block.rows}
    assert rows["romans", "Stability"].both
    assert [c.now for c in rows["romans", "VP"].cells] == ["1", "3"]
    assert [c.text for c in rows["romans", "Siege train"].cells] == ["destroyed", "stays"]
    assert rows["romans", "Income"].cells[0].stays
    assert [c.text for c in rows[None, "Pannonia"].cells] == ["stays with the Huns", "to the Romans, Walls lost"]
    assert asks.startswith("Everything that follows is posted at once. Dice are thrown at once")
    html = render_to_string("play/_move_preview.html", {"follow": made})
    assert '<span style="--w:30.000%"><span>held 1–30</span></span>' in html
    assert '<th scope="col" class="n">taken, 70%</th>' in html


def test_an_attack_tells_its_ends(board: Board) -> None:
    siege(board)
    made, asks = board.look("huns", "respond", attack=1, choice="accept")
    assert [end.label for end in made.outcomes] == ["If you win", "If you lose", "If it is drawn"]
    assert [c.label for c in made.outcomes[1].columns] == ["held", "taken"]
    assert asks == ""
    made, asks = board.look("huns", "respond", attack=1, choice="withdraw")
    assert [c.chance for c in made.columns] == ["30%", "70%"]
    assert asks.startswith("The province is given up at once.")


def test_an_escort_is_a_die(board: Board) -> None:
    siege(board)
    made, _ = board.look("huns", "respond", attack=1, choice="escort")
    assert [(c.label, c.chance, c.rolls) for c in made.columns] == [
        ("escort forced", "about 33%", "5–6"),
        ("no escort", "about 67%", "1–4"),
    ]


def test_dice_of_cards_are_not_told(board: Board) -> None:
    hidden = Board(hands="hidden")
    hidden.say("gm", "give-card", nation="huns", card="spy", reason="-")
    made, asks = hidden.look("huns", "play", card="spy", target="romans")
    assert made.columns == ()
    assert asks.startswith("Dice are thrown at once")
    assert "The dice decide" in render_to_string("play/_move_preview.html", {"follow": made})


def test_a_truce_and_a_slot(board: Board) -> None:
    board.say("gm", "give-card", nation="huns", card="diplomat", reason="-")
    made, _ = board.look("huns", "play", card="diplomat", truce="romans")
    assert ("huns", "Truce", ["with the Romans to the end of turn 2"]) in cells(made)
    made, asks = board.look("huns", "end-slot")
    assert (None, "Slot of the Huns", ["ends"]) in cells(made)
    assert asks.startswith("2½ actions lapse.")


def test_only_what_one_may_see_is_told() -> None:
    hidden = Board(hands="hidden")
    hidden.say("gm", "give-card", nation="huns", card="assassin", reason="-")
    hidden.say("gm", "give-card", nation="romans", card="spy", reason="-")
    speaker = talk(TITLE, SCENARIO, hidden.position)
    raw = {"by": "huns", "move": "play", "card": "assassin", "target": "romans", "destroy": "spy"}
    made, _ = forms.preview_move(speaker, raw, lambda audience: audience is None or "huns" in audience)
    assert [row.label for row in made.mine("romans")] == []
    made, _ = forms.preview_move(speaker, raw, lambda audience: True)
    assert [row.label for row in made.mine("romans")] == ["Spy"]


def notes(made: Follow, seat: str, account: str) -> list[str]:
    """The hints beside the last row of an account, branch by branch."""
    return [cell.note for cell in [row for row in made.mine(seat) if row.account == account][-1].cells]


def test_2_1_2_2_what_a_lower_stability_means_stands_beside_it(board: Board) -> None:
    board.adjust("huns", "stability", -2)
    made, _ = board.look("huns", "tax-increase")
    assert notes(made, "huns", "stability") == ["no covert attacks"]
    text = render_to_string("play/_move_preview.html", {"follow": made})
    assert "<b>3</b></span> (no covert attacks)" in text
    change = {"nation": "huns", "account": "stability", "reason": "-"}
    assert notes(board.look("gm", "adjust", **change, change=-2)[0], "huns", "stability") == [
        "no attacks at all; at 1 the nation crumbles"
    ]
    assert notes(board.look("gm", "adjust", change=1, **change)[0], "huns", "stability") == [""]
    assert notes(board.look("gm", "adjust", change=-3, **change)[0], "huns", "stability") == [""], "it has crumbled: that is told"


def test_3_12_what_is_gained_in_a_slot_allows_attacks_from_the_next_one_on(board: Board) -> None:
    board.adjust("romans", "stability", -4)
    change = {"account": "stability", "reason": "-"}
    assert board.position.slot == "huns"
    romans = [board.look("gm", "adjust", nation="romans", change=n, **change)[0] for n in (1, 2)]
    assert [notes(made, "romans", "stability") for made in romans] == [["attacks again, no covert ones"], ["attacks again"]]
    late = Board(first="")
    seat, later = late.position.order[0], late.position.order[1]
    assert late.position.slot == seat
    late.adjust(later, "stability", -3)
    made, _ = late.look("gm", "adjust", nation=later, change=1, **change)
    assert notes(made, later, "stability") == ["covert attacks again"]
    late.slot_to(later)
    made, _ = late.look(later, "build", structure="shrines")
    assert notes(made, later, "stability") == ["covert attacks again, from the next slot on"]


def test_2_7_2_8_prestige_and_army(board: Board) -> None:
    def told(account: str, change: int) -> list[str]:
        made, _ = board.look("gm", "adjust", nation="huns", account=account, change=change, reason="-")
        return notes(made, "huns", account)

    assert told("prestige", 4) == [""]
    assert told("prestige", 5) == ["covert attacks on it cost 1 action"]
    board.adjust("huns", "prestige", 5)
    assert told("prestige", -1) == ["covert attacks on it cost ½ action"]
    assert told("army", 119) == [""]
    assert told("army", 120) == ["victories raise it no further"]
    assert told("army", -120) == ["defeats lower it no further"]
    assert told("income", -50) == ["2 actions next slot"]


def test_a_branch_of_several_dice_names_each() -> None:
    """Who answers with an escort at sea throws for the escort, then both throw for the encounter (7.8, 8.1)."""
    made = []
    for way, chance in (("escort-forced", (1, 3)), ("escort-failed", (2, 3))):
        path = (Say(way), Say("encounter-won"), Say("siege-held"))
        made.append(Branch(path[-1], chance, (), None, path))
    board = Board()
    columns = outcome_columns(talk(TITLE, SCENARIO, board.position), made).columns
    assert [(c.label, c.rolls) for c in columns] == [
        ("escort forced, encounter won, held", ""), ("no escort, encounter won, held", ""),
    ]  # fmt: skip
