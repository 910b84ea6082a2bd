"""The preview of a move: rows by branches, cascades with their rules, odds, possible results."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from django.template import engines

from engine.dice import Dice
from engine.effects import Phrase
from engine.play import play
from games.contract.title import Branch
from games.grand_campaign.rules.position import has_slot_to_come
from games.grand_campaign.text.move_words import percents
from games.kit.move_words import move_words
from games.registry import TITLES
from tests.layout import without_layout
from web.moves.preview import Follow, outcome_columns, preview_move

PREVIEW = """
{% import "components/moves.html" as moves with context %}
{{ moves.preview(follow) }}
"""
TITLE = TITLES["grand_campaign"]
SCENARIO = TITLE.scenario(TITLE.scenarios()["420ad"])


def shown(follow: Follow) -> str:
    """Return the preview as pages show it."""
    return str(engines["jinja2"].from_string(PREVIEW).render({"follow": follow}))


class Board:
    """A position of 420 AD that is played without a campaign."""

    def __init__(self, first: str = "huns", **options: Any) -> None:
        self.dice = Dice(6, seed="0" * 64)
        self.position = TITLE.setup(SCENARIO, TITLE.options(options))
        self.play("gm", "start")
        self.slot_to(first or self.position.order[0])

    def play(self, by: str, move: str, **given: Any) -> None:
        raw = {"by": by, "move": move, **{key.rstrip("_"): value for key, value in given.items()}}
        self.position = play(self.position, TITLE.decode(raw, self.position), self.dice).after

    def slot_to(self, seat: str) -> None:
        while self.position.slot != seat:
            self.play(self.position.slot, "end-slot")

    def look(self, by: str, move: str, **given: Any) -> tuple[Follow, str]:
        raw = {"by": by, "move": move, **{key.rstrip("_"): value for key, value in given.items()}}
        return preview_move(move_words(TITLE, SCENARIO, self.position), raw)

    def adjust(self, nation: str, account: str, change: int) -> None:
        self.play("gm", "adjust", nation=nation, account=account, change=change, reason="-")


@pytest.fixture
def board() -> Board:
    return Board()


def cells(created: Follow) -> list[tuple[str | None, str, list[str]]]:
    return [
        (block.seat, row.label, [cell.text or f"{cell.was} → {cell.now}" for cell in row.cells])
        for block in created.blocks
        for row in block.rows
    ]


def test_a_row_shows_old_and_new_value(board: Board) -> None:
    created, asks = board.look("huns", "build", structure="bridges")
    assert cells(created) == [("huns", "Income", ["450t → 550t"]), ("huns", "Bridges", ["built"])]
    assert created.mine("huns")[0].cells[0].note == "3 actions next turn"
    assert asks == ""


def test_cascades_have_their_own_rows_with_their_rule(board: Board) -> None:
    board.adjust("huns", "stability", -2)
    created, asks = board.look("huns", "tax-increase")
    assert cells(created) == [
        ("huns", "Stability", ["4 → 3"]),
        ("huns", "Actions", ["2½ → 3"]),
        ("huns", "stability at 3 or less", ["6 → 5"]),
    ]
    assert [(row.rule, row.account) for row in created.mine("huns") if row.cascade] == [
        ("2.1", "prestige")
    ]
    assert asks == "Thresholds are crossed, as shown."


def siege(board: Board) -> None:
    """Let the Romans attack a fortified province of the Huns with a siege train."""
    board.play("huns", "fortify", province="pannonia")
    board.play("huns", "fortify", province="pannonia")
    board.slot_to("romans")
    board.play("romans", "siege-train")
    board.play(
        "romans", "attack", kind="land", from_="dalmatia", target="pannonia", siege_train=True
    )


def test_branches_are_columns_and_common_rows_one_cell(board: Board) -> None:
    siege(board)
    board.play("huns", "respond", attack=1, choice="accept")
    created, asks = board.look("gm", "report", attack=1, routed={"attacker": 10, "defender": 50})
    assert [(c.label, c.chance, c.rolls) for c in created.columns] == [
        ("held", "30%", "1–30"),
        ("taken", "70%", "31–100"),
    ]
    rows = {(block.seat, row.label): row for block in created.blocks for row in block.rows}
    assert rows["romans", "Stability"].both
    assert [c.now for c in rows["romans", "VP"].cells] == ["1", "3"]
    assert [c.text for c in rows["romans", "Siege train"].cells] == ["destroyed", "stays"]
    assert rows["romans", "Income"].cells[0].stays
    assert [c.text for c in rows[None, "Pannonia"].cells] == [
        "stays with the Huns",
        "to the Romans, Walls lost",
    ]
    assert asks.startswith("All consequences take effect immediately. Dice are thrown at once")
    html = without_layout(shown(created))
    assert '<span style="--w:30.000%"><span>held 1–30</span></span>' in html
    assert '<th scope="col" class="n">taken, 70%</th>' in html


def test_an_attack_shows_its_possible_results(board: Board) -> None:
    siege(board)
    created, asks = board.look("huns", "respond", attack=1, choice="accept")
    assert [end.label for end in created.outcomes] == [
        "If you win",
        "If you lose",
        "If it is a draw",
    ]
    assert [c.label for c in created.outcomes[1].columns] == ["held", "taken"]
    assert asks == ""
    created, asks = board.look("huns", "respond", attack=1, choice="withdraw")
    assert [c.chance for c in created.columns] == ["30%", "70%"]
    assert asks.startswith("The province is given up at once.")


def test_an_escort_is_a_die(board: Board) -> None:
    siege(board)
    created, _ = board.look("huns", "respond", attack=1, choice="escort")
    assert [(c.label, c.chance, c.rolls) for c in created.columns] == [
        ("escort forced", "about 33%", "5–6"),
        ("no escort", "about 67%", "1–4"),
    ]


def sea_board(**options: Any) -> Board:
    """Return a board in the Romans' slot of turn 2.

    Romans and Vandals have fleets near each other's coasts.
    """
    board = Board("romans", **options)
    for province in ("africa", "carthaginiensis"):
        board.play("gm", "set-fleet", province=province, fleet=True, reason="-")
    while board.position.slot is not None:
        board.play(board.position.slot, "end-slot")
    board.play("gm", "open-turn")
    board.slot_to("romans")
    for card in [
        card for card in board.position.nations["vandals"].hand if card == "naval-technology"
    ]:
        board.play("gm", "discard-card", nation="vandals", card=card, reason="-")
    return board


def sailing(board: Board, *cards: str) -> list[tuple[str, str]]:
    """Return the preview of the Romans' attack by sea without the defender's answer."""
    way = {"from_": "africa", "target": "carthaginiensis", "kind": "amphibious", "cards": [*cards]}
    return list(board.look("romans", "attack", **way)[0].notes[1:])


def test_8_1_odds_that_no_two_decimals_show_add_up_to_100() -> None:
    shares = percents([Fraction(15, 36), Fraction(15, 36), Fraction(6, 36)])  # two d6
    assert shares == ["about 42%", "about 42%", "about 16%"]
    assert percents([Fraction(1, 2), Fraction(1, 3), Fraction(1, 6)]) == [
        "50%",
        "about 33%",
        "about 17%",
    ]
    assert percents([Fraction(316, 1000), Fraction(676, 1000), Fraction(8, 1000)]) == [
        "31.6%",
        "67.6%",
        "0.8%",
    ]


EVEN_ODDS = (
    "Chances: 49.5% that the Romans win and the battle follows; 49.5% that the Vandals win, the "
    "attack ends and its fleet is lost; 1% that neither side wins and the attack ends."
)
AGAINST_TECHNOLOGY = (
    "Chances: 31.6% that the Romans win and the battle follows; 67.6% that the Vandals win, the "
    "attack ends and its fleet is lost; 0.8% that neither side wins and the attack ends."
)
WITH_TECHNOLOGY = (
    "Chances: 67.6% that the Romans win and the battle follows; 31.6% that the Vandals win, the "
    "attack ends and its fleet is lost; 0.8% that neither side wins and the attack ends."
)


def at_sea(odds: str) -> tuple[str, str]:
    return f"An encounter at sea follows the answer, unless the Vandals withdraw. {odds}", "8.1"


def played_against(odds: str) -> tuple[str, str]:
    return f"If the Vandals play Naval Technology: {odds}", "4.11"


def test_8_1_an_attack_by_sea_announces_the_encounter_and_its_exact_odds() -> None:
    """Two dice of 100 make 10,000 pairs.

    The attacker has the higher die in 4,950, and with +20 in 6,760.
    """
    board = sea_board()
    assert sailing(board) == [at_sea(EVEN_ODDS)]
    board.play("gm", "give-card", nation="vandals", card="naval-technology", reason="-")
    assert sailing(board) == [at_sea(EVEN_ODDS), played_against(AGAINST_TECHNOLOGY)]
    board.play("gm", "give-card", nation="romans", card="naval-technology", reason="-")
    assert sailing(board, "naval-technology") == [
        at_sea(WITH_TECHNOLOGY),
        played_against(EVEN_ODDS),
    ]


def test_8_1_4_2_the_odds_of_an_encounter_do_not_depend_on_a_hidden_hand() -> None:
    shown = []
    for card in ("naval-technology", "scouts"):
        board = sea_board(hands="hidden")
        board.play("gm", "give-card", nation="vandals", card=card, reason="-")
        shown.append(sailing(board))
    assert shown[0] == shown[1] == [at_sea(EVEN_ODDS), played_against(AGAINST_TECHNOLOGY)]
    for card in list(board.position.nations["vandals"].hand):
        board.play("gm", "discard-card", nation="vandals", card=card, reason="-")
    assert sailing(board) == [at_sea(EVEN_ODDS)]


def test_7_8_an_attack_says_who_may_force_an_escort(board: Board) -> None:
    board.slot_to("romans")
    notes = board.look("romans", "attack", kind="land", from_="dalmatia", target="pannonia")[
        0
    ].notes
    may = (
        "The Huns may answer with an escort. On 5–6 of a d6 (about 33%) the battle is an escort"
        " baggage train, in which the Huns attack."
    )
    assert notes[1:] == ((may, "7.8"),)
    board = Board("sassanids")
    board.play("gm", "set-owner", province="armenia", owner="huns", reason="-")
    notes = board.look("sassanids", "attack", kind="land", from_="mesopotamia", target="armenia")[
        0
    ].notes
    assert notes[1:] == (("The Huns cannot force an escort against this army.", "7.8"),)


def test_dice_of_cards_are_not_revealed(board: Board) -> None:
    hidden = Board(hands="hidden")
    hidden.play("gm", "give-card", nation="huns", card="spy", reason="-")
    created, asks = hidden.look("huns", "play", card="spy", target="romans")
    assert created.columns == ()
    assert asks.startswith("Dice are thrown at once")
    assert "It depends on the dice" in shown(created)


def test_a_truce_and_a_slot(board: Board) -> None:
    board.play("gm", "give-card", nation="huns", card="diplomat", reason="-")
    created, _ = board.look("huns", "play", card="diplomat", truce="romans")
    assert ("huns", "Truce", ["with the Romans to the end of turn 2"]) in cells(created)
    created, asks = board.look("huns", "end-slot")
    assert (None, "Turn of the Huns", ["ends"]) in cells(created)
    assert asks.startswith("2½ actions lapse.")


def test_the_preview_has_only_what_the_reader_may_see() -> None:
    hidden = Board(hands="hidden")
    hidden.play("gm", "give-card", nation="huns", card="assassin", reason="-")
    hidden.play("gm", "give-card", nation="romans", card="spy", reason="-")
    words = move_words(TITLE, SCENARIO, hidden.position)
    raw = {"by": "huns", "move": "play", "card": "assassin", "target": "romans", "destroy": "spy"}
    created, _ = preview_move(words, raw, lambda audience: audience is None or "huns" in audience)
    assert [row.label for row in created.mine("romans")] == []
    created, _ = preview_move(words, raw, lambda audience: True)
    assert [row.label for row in created.mine("romans")] == ["Spy"]


def notes(created: Follow, seat: str, account: str) -> list[str]:
    """Return the hints beside the last row of an account, by branch."""
    return [
        cell.note
        for cell in [row for row in created.mine(seat) if row.account == account][-1].cells
    ]


def test_2_1_2_2_the_effects_of_a_lower_stability_are_beside_it(board: Board) -> None:
    board.adjust("huns", "stability", -2)
    created, _ = board.look("huns", "tax-increase")
    assert notes(created, "huns", "stability") == ["no covert attacks"]
    text = shown(created)
    assert "<b>3</b></span> (no covert attacks)" in text
    change = {"nation": "huns", "account": "stability", "reason": "-"}
    assert notes(board.look("gm", "adjust", **change, change=-2)[0], "huns", "stability") == [
        "no attacks at all; at 1 the nation crumbles"
    ]
    assert notes(board.look("gm", "adjust", change=1, **change)[0], "huns", "stability") == [""]
    assert notes(board.look("gm", "adjust", change=-3, **change)[0], "huns", "stability") == [""], (
        "it has crumbled: that is told"
    )


def test_3_12_gains_in_a_slot_allow_attacks_from_the_next_slot_on(board: Board) -> None:
    board.adjust("romans", "stability", -4)
    change = {"account": "stability", "reason": "-"}
    assert board.position.slot == "huns"
    romans = [board.look("gm", "adjust", nation="romans", change=n, **change)[0] for n in (1, 2)]
    assert [notes(created, "romans", "stability") for created in romans] == [
        ["attacks possible again, but no covert attacks"],
        ["attacks possible again"],
    ]
    late = Board(first="")
    seat, later = late.position.order[0], late.position.order[1]
    assert late.position.slot == seat
    late.adjust(later, "stability", -3)
    created, _ = late.look("gm", "adjust", nation=later, change=1, **change)
    assert notes(created, later, "stability") == ["covert attacks possible again"]
    late.slot_to(later)
    created, _ = late.look(later, "build", structure="shrines")
    assert notes(created, later, "stability") == [
        "covert attacks possible again from the next turn on"
    ]


def test_2_7_2_8_prestige_and_army(board: Board) -> None:
    def rendered(account: str, change: int) -> list[str]:
        created, _ = board.look(
            "gm", "adjust", nation="huns", account=account, change=change, reason="-"
        )
        return notes(created, "huns", account)

    assert rendered("prestige", 4) == [""]
    assert rendered("prestige", 5) == ["covert attacks on this nation cost 1 action"]
    board.adjust("huns", "prestige", 5)
    assert rendered("prestige", -1) == ["covert attacks on this nation cost ½ action"]
    assert rendered("army", 119) == [""]
    assert rendered("army", 120) == ["victories no longer raise it"]
    assert rendered("army", -120) == ["defeats no longer lower it"]
    assert rendered("income", -50) == ["2 actions next turn"]


def test_1_3_income_promises_no_actions_where_no_slot_follows(board: Board) -> None:
    def rendered() -> list[str]:
        created, _ = board.look(
            "gm", "adjust", nation="huns", account="income", change=-50, reason="-"
        )
        return notes(created, "huns", "income")

    position = board.position
    position.turn = position.scenario.turns
    assert has_slot_to_come(position, "huns") is (position.slot != "huns")
    position.slot, position.place = "huns", position.order.index("huns")
    assert rendered() == [""]
    position.slot, position.place = None, 0
    assert rendered() == ["2 actions next turn"]
    position.phase = "battles"
    assert rendered() == [""]


def test_a_branch_of_several_dice_names_each() -> None:
    """An escort at sea is rolled first, then both sides roll for the encounter (7.8, 8.1)."""
    created = []
    for way, chance in (("escort-forced", (1, 3)), ("escort-failed", (2, 3))):
        at_sea = Phrase(
            "encounter-won", "8.1", {"target": "italia", "by": "vandals", "victim": "romans"}
        )
        path = (Phrase(way), at_sea, Phrase("siege-held"))
        created.append(Branch(path[-1], chance, (), None, path))
    board = Board()
    columns = outcome_columns(move_words(TITLE, SCENARIO, board.position), created).columns
    assert [(c.label, c.rolls) for c in columns] == [
        ("escort forced, the Vandals win at sea, held", ""),
        ("no escort, the Vandals win at sea, held", ""),
    ]
