"""The page of a game as plain data, with literal expectations from the rules.

It shows chances, points and texts, and hides what a reader may not see.
"""

from __future__ import annotations

import json
import re
from dataclasses import asdict
from typing import Any

import pytest

from engine.dice import Dice
from engine.errors import IllegalMove
from engine.language import LANGUAGES, use_language
from engine.play import perform
from games.contract.pages import LoggedMove, Page, PastPage, Reader
from games.roman_empire.bots.choosing import sensible
from games.roman_empire.page import deciding, placing
from games.roman_empire.page.board import EmpireBoard, PastEmpire
from games.roman_empire.page.ending import phase_score, unused
from games.roman_empire.page.pages import EmpirePages
from games.roman_empire.rules import combat as rules_combat
from games.roman_empire.rules.position import CARDS, EMPERORS, LANDS
from games.roman_empire.text import words
from games.roman_empire.text.words import bonus, page_book
from tests.roman_empire.table import SCENARIO, TITLE, at, faction, fort, held, peoples

PAGES = EmpirePages()


def reader(*seats: str, **query: str) -> Reader:
    return Reader(seats, query, bool(seats))


def shown(page: Page[EmpireBoard] | PastPage[PastEmpire]) -> str:
    return json.dumps([page.template, asdict(page.own), *page[2:]], default=list)


# Chances (8) --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("sides", "won", "lost"),
    [
        # 2 dice against 1: of 216 throws 125 are won, 55 lost, 36 tied.
        (rules_combat.Sides(False, 0, False, 1, 0, False), 125, 55),
        # A Fort: 90 won, 91 lost, 35 tied; a Fortress wins the ties.
        (rules_combat.Sides(False, 0, False, 1, 1, False), 90, 91),
        (rules_combat.Sides(False, 0, False, 1, 1, True), 90, 126),
    ],
)
def test_8_1_the_chances_of_a_throw(sides: rules_combat.Sides, won: int, lost: int) -> None:
    result = rules_combat.throw_chances(sides)
    assert round(result["attacker", False] * 216) == won
    assert round(result["defender", False] * 216) == lost
    assert rules_combat.conquest_chance(sides, 1, 1) == pytest.approx(won / (won + lost))
    assert rules_combat.conquest_chance(sides, 1, 2) == pytest.approx((won / (won + lost)) ** 2)


def test_8_2_with_equal_dice_the_chances_are_even() -> None:
    sides = rules_combat.Sides(False, 0, False, 2, 0, False)
    assert rules_combat.conquest_chance(sides, 1, 1) == pytest.approx(0.5)
    assert rules_combat.conquest_chance(sides, 2, 1) == pytest.approx(0.75)
    assert rules_combat.conquest_chance(sides, 0, 1) == 0
    assert rules_combat.conquest_chance(sides, 1, 0) == 1


def test_7_1_a_triple_costs_the_third_die() -> None:
    three, two = (rules_combat.Sides(three, 0, False, 2, 0, False) for three in (True, False))
    assert (
        rules_combat.conquest_chance(two, 1, 2)
        < rules_combat.conquest_chance(three, 1, 2)
        < rules_combat.conquest_chance(three, 1, 1)
    )


@pytest.mark.parametrize(
    ("chance", "both"),
    [
        (0.125, ("13%", "87%")),
        (0.505, ("51%", "49%")),
        (0.004, ("1%", "99%")),
        (1.0, ("100%", "0%")),
    ],
)
def test_8_the_chances_of_conquest_and_loss_add_up_to_100(
    chance: float, both: tuple[str, str]
) -> None:
    assert rules_combat.percents(chance) == both
    assert rules_combat.percent(chance) == both[0], "the board shows the same number"


def test_8_an_attack_lists_the_causes_of_its_chance() -> None:
    lands = {
        "narbonensis": held("galli"),
        "cisalpina": held("blue", 2, city="whole", **fort("blue")),
    }
    position = at(**peoples("galli", lands))
    place = next(place for place in placing.places(position, "A") if place.land == "cisalpina")
    assert (place.way, place.source, place.loot) == ("attack", "from Narbonensis", True)
    assert place.odds.mine == ["two dice"]
    assert place.odds.theirs == ["two dice", "difficult terrain", "+1 for the Fort"]
    assert place.odds.defenders == "3 to beat"
    assert place.loot_text == "loot the City of Cisalpina if it falls: 1d6 VP"
    assert place.odds.retreats


def test_10_the_points_for_a_land_are_shown() -> None:
    # Period 1: Italia counts 3. One of two lands gives presence, three give domination.
    lands = {"italia": held("red"), "cisalpina": held("red")}
    position = at(**faction(lands, start={"A": "italia", "B": "syria"}))
    gains = {
        place.land: place.gain
        for place in placing.places(position, "A")
        if place.source != "over the sea"
    }
    assert gains["narbonensis"] == 4  # Gallia counts 2, and no other group is there
    assert gains["raetia"] == 0  # Italia is dominated already
    result = phase_score(position, "A", "faction")
    assert (result.lines, result.points) == ([("Italia, domination", 6)], 6)


def test_9_1_a_suspended_card_is_not_shown_as_active() -> None:
    there = {"aegyptus": held("nabataei"), "iudaea": held("blue")}
    shown_text = peoples(
        "nabataei", there, resume={"current": "galli", "in_hand": 5, "start_land": "lugdunensis"}
    )
    position = at(**shown_text, effects={"three_dice": True})
    assert deciding.acting_group(position).on == ["other cards apply only to the Galli"]
    (way,) = [place for place in placing.places(position, "A") if place.land == "iudaea"]
    assert way.odds.mine == ["two dice"]


def test_5_4_armies_in_hand_are_lost_at_the_end() -> None:
    shown_text = peoples("galli", {"lugdunensis": held("galli")})
    content = [unused(at(**shown_text | {"in_hand": n}), "A", sees_hand=True) for n in (0, 1, 3)]
    assert content == [[], ["1 army in hand is lost."], ["3 armies in hand are lost."]]


def test_6_2_the_question_before_the_end_names_everything_that_remains_unused() -> None:
    """A reader who may not see the hand does not learn whether a card can be played."""
    board = {"italia": held("red", 1), "africa": held("red", 2)}
    position = at(
        **faction(
            board,
            in_hand=1,
            period=2,
            step="start",
            free_forts=2,
            vp={"A": {"p": 0, "f": 5}, "B": {"p": 0, "f": 0}},
            hand={"A": ["engineering_1"]},
        )
    )
    rows = [
        "1 army in hand is lost.",
        "5 points remain unused; you can still recruit 2 Legions.",
        "2 fort points are lost.",
    ]
    assert unused(position, "A", sees_hand=True) == [*rows, "1 card remains unused."]
    assert unused(position, "A", sees_hand=False) == rows
    assert PAGES.page(position, (), reader("A"), ()).own.turn.ending.question is None
    chosen = {"end": "ask", "city-africa": "1"}
    ending = PAGES.page(position, (), reader("A", **chosen), ()).own.turn.ending
    assert (ending.question.title, ending.question.anyway, ending.question.go_on) == (
        "Do you want to end the phase anyway?",
        "End the phase anyway",
        "Continue the phase",
    )
    assert [(site.key, site.checked) for site in ending.sites] == [
        ("italia", False),
        ("africa", True),
    ]


def test_8_5_a_retreat_is_asked_with_all_its_answers() -> None:
    lands = {
        "moesia": held("visigothi", 3),
        "tracia": held("blue", 1),
        "macedonia": held("blue", 1),
    }
    combat = {"land": "tracia", "no": 1, "holder": "blue", "source": "moesia", "round": 1}
    pending = {"kind": "retreat", "seat": "B", "land": "tracia", "to": ["macedonia"]}
    position = at(**peoples("visigothi", lands, period=6, combat=combat, pending=pending))
    own = PAGES.page(position, (), reader("B"), ()).own
    assert (own.stage, own.mine) == ("decide", True)
    assert [(move.text, move.is_proposed) for move in own.turn.decision.moves] == [
        ("Hold this round", False),
        ("Hold to the end", False),
        ("Retreat to Macedonia", True),
    ]
    assert own.turn.decision.why == "Without walls, a single Legion is soon lost there."
    assert not PAGES.page(position, (), reader("A"), ()).own.mine


def test_8_5_a_retreat_that_loses_legions_says_how_many_and_is_not_proposed() -> None:
    lands = {
        "moesia": held("visigothi", 3),
        "tracia": held("blue", 2),
        "macedonia": held("blue", 2),
    }
    combat = {"land": "tracia", "no": 1, "holder": "blue", "source": "moesia", "round": 1}
    pending = {"kind": "retreat", "seat": "B", "land": "tracia", "to": ["macedonia"]}
    position = at(**peoples("visigothi", lands, period=6, combat=combat, pending=pending))
    asked = PAGES.page(position, (), reader("B"), ()).own.turn.decision
    assert [(move.text, move.is_proposed) for move in asked.moves] == [
        ("Retreat to Macedonia, lose 1", False),
        ("Hold this round", False),
        ("Hold to the end", True),
    ]
    assert asked.why == "Walls, terrain or numbers help to hold."


# Forms --------------------------------------------------------------------------------------------


def test_a_form_becomes_a_move() -> None:
    position = at(**faction({"italia": held("red")}))
    content = PAGES.read_move(
        position, {"do": "end_phase", "city-italia": "1", "city-africa": "1", "then": "on"}
    )
    assert content == {"by": "A", "move": "end_phase", "cities": ["italia", "africa"]}
    content = PAGES.read_move(
        position, {"do": "place", "land": "africa", "from": "sea", "loot": "1"}
    )
    assert content == {"by": "A", "move": "place", "land": "africa", "from": "sea", "loot": True}
    assert PAGES.read_move(position, {"do": "begin"}) == {"by": "gm", "move": "begin"}
    for form in ({}, {"do": "x"}, {"do": "recruit", "n": "-1"}, {"do": "recruit", "n": "9" * 9}):
        with pytest.raises(IllegalMove):
            PAGES.read_move(position, form)


# Hidden facts (3.3, 4.2) --------------------------------------------------------------------------


def begun(seed: str = "a" * 64, upto: int = 0, **more: Any) -> tuple[Any, list[LoggedMove]]:
    position, dice, log = (
        TITLE.setup(SCENARIO, TITLE.options({"players": 3, **more})),
        Dice(9, seed=seed),
        list[LoggedMove](),
    )
    while position.phase in ("setup", "draw") and (not upto or len(log) < upto):
        move = TITLE.decode(dict(sensible(position) or {}), position)
        perform(position, move, dice)
        log.append(
            LoggedMove(
                len(log) + 1,
                move.to_json(),
                "",
                tuple(position.effects),
                tuple(dice.take_rolls()),
                position.period,
            )
        )
    return position, log


@pytest.mark.parametrize("upto", [0, 3, 6])
def test_two_games_that_differ_in_hidden_things_look_alike_to_others(upto: int) -> None:
    position, log = begun(upto=upto)
    # A reader's log has no effect with another audience, and no throw of a hidden draw.
    seen = [
        branch._replace(effects=tuple(e for e in branch.effects if e.audience is None), rolls=())
        for branch in log
    ]
    other = position.copy()
    other.hand["B"], other.hand["C"] = other.hand["C"][::-1], other.hand["B"][::-1]
    counters = other.counters
    if None not in (counters["B"]["people"], counters["C"]["people"]):
        counters["B"]["people"], counters["C"]["people"] = (
            counters["C"]["people"],
            counters["B"]["people"],
        )
    if None not in (counters["B"]["emperor"], counters["C"]["emperor"]):
        counters["B"]["emperor"], counters["C"]["emperor"] = (
            counters["C"]["emperor"],
            counters["B"]["emperor"],
        )
    if other.draw is not None and other.draw.open is not None and other.active != "A":
        other.draw = other.draw._replace(open=other.draw.open % 5 + 1)
    other.queue = other.queue[::-1]
    assert position.encode() != other.encode()
    for who in (reader(), reader("A")):
        assert shown(PAGES.page(position, seen, who, ())) == shown(PAGES.page(other, seen, who, ()))
    assert shown(PAGES.past(position, ())) == shown(PAGES.past(other, ()))
    assert shown(PAGES.page(position, seen, reader("B"), ())) != shown(
        PAGES.page(other, seen, reader("B"), ())
    )


def test_the_game_master_sees_all_hands_and_counters() -> None:
    position, log = begun()
    own = PAGES.page(position, log, reader("gm"), ()).own
    assert [len(hand.cards) for hand in own.hands] == [9, 9, 9]
    assert all(row.people and row.emperor for row in own.counters)
    assert [hand.key for hand in PAGES.page(position, log, reader("B"), ()).own.hands] == ["B"]


def test_4_2_the_seat_that_passed_a_counter_on_knows_it() -> None:
    position, log = begun(upto=2)
    giver = str(position.active)
    other = next(seat for seat in position.seats if seat != giver)
    for move in ({"move": "draw"}, {"move": "pass_counter", "to": other}):
        perform(position, TITLE.decode(move, position), Dice(9, seed="a" * 64))
    known = {
        seat: next(
            row
            for row in PAGES.page(position, log, reader(seat), ()).own.counters
            if row.key == other
        ).people
        for seat in position.seats
    }
    assert known[giver]
    assert not any(of for seat, of in known.items() if seat != giver)


# Whole games --------------------------------------------------------------------------------------


def test_every_moment_has_a_page_in_each_language() -> None:
    position = TITLE.setup(SCENARIO, TITLE.options({"players": 2, "bribe_barbarians": True}))
    dice, stages = Dice(9, seed="c" * 64), set[str]()
    log: list[LoggedMove] = []
    while (raw := sensible(position)) is not None:
        if len(log) % 9 == 0 or position.pending is not None:
            for language in LANGUAGES:
                with use_language(language):
                    stages.add(PAGES.page(position, log, reader("A", "C"), ()).own.stage)
        move = TITLE.decode(dict(raw), position)
        perform(position, move, dice)
        log.append(
            LoggedMove(
                len(log) + 1,
                move.to_json(),
                "",
                tuple(position.effects),
                tuple(dice.take_rolls()),
                position.period,
            )
        )
    page = PAGES.page(position, log, reader(), ())
    end = page.own.end
    assert page.template == "end.html"
    assert position.result is not None
    assert end.winner.key == position.result["winner"]
    created = [sum(row.seats[at] for row in end.periods) for at in range(4)]
    assert created == [sum(position.vp[seat].values()) for seat in "ABCD"]
    assert stages >= {"setup", "draw", "act", "go", "decide"}


def test_the_charts_are_in_the_rules() -> None:
    for language in LANGUAGES:
        with use_language(language):
            chapter = words.chapter()
        assert [line[2:7].strip() for line in chapter.splitlines() if line.startswith("- ")] == [
            f"14.{n}" for n in range(1, 29)
        ]
        # 9 areas, 35 Peoples, 42 Emperors, the counters, 12 Kingdoms, 6 Minor Peoples, 36 different
        # cards.
        assert (
            sum(line.startswith("– ") for line in chapter.splitlines())
            == 9 + 35 + 42 + 1 + 12 + 6 + 36
        )
        assert all(f"**{card.name}** " in chapter for card in CARDS.values())
        assert "{" not in chapter
    with use_language("en"):
        result = words.chapter()
        for line in (
            "– Graecia: 2, 2, 2, 3, 4, 4, 4",
            "– 2 Hunni: starts in Pannonia, strength 12",
            "– 5 Diocletianus: more Legions: 2",
            "– Palmyra: starts in Syria, strength 5, 3 extra points for looting its capital",
            (
                "– **Weaponry** I–IV; IV–VII (in either phase, at any time): Adds 1 to the attack "
                "dice for this phase."
            ),
        ):
            assert line in result
        assert TITLE.rules_text().endswith(result)


def test_every_id_has_a_text() -> None:
    for language in LANGUAGES:
        with use_language(language):
            assert all(f"effect-{card.kind}" in page_book() for card in CARDS.values())
            assert all(bonus(emperor) for emperor in EMPERORS.values())
    assert PAGES.place("italia") == LANDS["italia"].name


def test_5_3_why_no_army_can_be_placed_in_a_land() -> None:
    position = at(**peoples("daci", {"dacia": held("daci", 3)}))
    assert placing.why_not(position, "italia") == (
        "Italia does not border a land of the Daci.",
        "5.3",
    )
    assert placing.why_not(position, "dacia") == ("There are already three armies in Dacia.", "2")
    empty = at(**peoples("daci", {"dacia": held("daci")}, in_hand=0))
    assert placing.why_not(empty, "moesia") == ("The Daci have no army left to place.", "5.3")


def test_every_changing_part_of_the_board_is_redrawn_on_a_live_page() -> None:
    """`static/js/live.js` redraws the group of pieces and the texts of the lands."""

    def rest(svg: str) -> str:
        result, n = re.subn(r'<g data-now="pieces">.*</g>(<g class="m-hits">)', r"\1", svg)
        assert n == 1
        return re.sub(r' aria-label="[^"]*"|<title>[^<]*</title>', "", result)

    first = at(
        **peoples("daci", {"italia": held("red", 2, city="whole"), "dacia": held("daci", 3)})
    )
    then = at(
        **peoples(
            "daci", {"italia": held("red", 1, city="looted", **fort("red")), "moesia": held("daci")}
        )
    )
    boards = [
        EmpirePages.picture(*state).svg
        for state in ((first, "italia", ["dacia"]), (then, None, []))
    ]
    assert boards[0] != boards[1]
    assert rest(boards[0]) == rest(boards[1])
