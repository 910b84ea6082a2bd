"""Previews of a move: branches with exact chances, cascades, and no thrown die."""

from __future__ import annotations

import json
from fractions import Fraction

import pytest

from engine import record as records
from engine.errors import IllegalMove
from games.registry import TITLES, by_format
from tests.grand_campaign.table import record

TITLE = TITLES["grand_campaign"]


def position_after(*moves, **options):
    """Return the position after the moves, all of which are legal."""
    text = json.dumps(record(*moves, **options))
    return records.replay(records.parse(json.loads(text), by_format()))


def branches(position, raw):
    return TITLE.branches(position, TITLE.decode(raw, position))


def rendered(branch, account):
    """Return the changes of an account in a branch: (nation, change, balance, rule)."""
    return [
        (e.holder, e.change, e.balance, e.cause.rule)
        for e in branch.effects
        if e.kind == "account" and e.subject == account
    ]


def test_tax_increase_shows_the_cascade_of_2_1():
    position = position_after(start={"stability": 4})
    (only,) = branches(position, {"by": "amber", "move": "tax-increase"})
    assert only.chance == (1, 1)
    assert rendered(only, "stability") == [("amber", -1, 3, "3.6")]
    assert rendered(only, "prestige") == [("amber", -1, 5, "2.1")]
    assert rendered(only, "actions") == [("amber", 1, 6, "3.6")]
    assert position.nations["amber"].stability == 4, "a preview changes nothing"


def walled(train):
    """Return a position in which Birch's b2 has walls.

    Amber attacks it in turn 2, with or without a siege train.
    """
    return position_after(
        {"by": "amber", "move": "siege-train"},
        {"by": "amber", "move": "end-slot"},
        {"by": "birch", "move": "fortify", "province": "b2"},
        {"by": "birch", "move": "fortify", "province": "b2"},
        {"by": "birch", "move": "end-slot"},
        {"by": "cedar", "move": "end-slot"},
        {"by": "gm", "move": "open-turn"},
        {"by": "birch", "move": "end-slot"},
        {"by": "cedar", "move": "end-slot"},
        {
            "by": "amber",
            "move": "attack",
            "kind": "land",
            "from": "a2",
            "target": "b2",
            "siege_train": train,
        },
        {"by": "birch", "move": "respond", "attack": 1, "choice": "accept"},
    )


@pytest.mark.parametrize(("train", "held"), [(False, Fraction(50, 100)), (True, Fraction(30, 100))])
def test_report_on_walls_shows_the_odds_of_9_7(train, held):
    position = walled(train)
    shown = branches(
        position,
        {"by": "gm", "move": "report", "attack": 1, "routed": {"attacker": 31, "defender": 46}},
    )
    assert [(b.what.id, Fraction(*b.chance)) for b in shown] == [
        ("siege-held", held),
        ("siege-taken", 1 - held),
    ]
    assert rendered(shown[0], "victory_points") == [("amber", 1, 1, "9.2")]
    assert rendered(shown[1], "victory_points") == [("amber", 1, 1, "9.2"), ("amber", 2, 3, "9.8")]
    assert rendered(shown[1], "income") == [("amber", 50, 500, "9.8"), ("birch", -50, 400, "9.8")]
    assert shown[0].after.owner["b2"] == "birch"
    assert shown[1].after.owner["b2"] == "amber"


def test_escort_is_a_third():
    position = position_after(
        {"by": "amber", "move": "attack", "kind": "land", "from": "a2", "target": "b2"}
    )
    shown = branches(position, {"by": "birch", "move": "respond", "attack": 1, "choice": "escort"})
    assert [(b.what.id, Fraction(*b.chance)) for b in shown] == [
        ("escort-forced", Fraction(1, 3)),
        ("escort-failed", Fraction(2, 3)),
    ]
    assert [b.after.attacks[0].battle for b in shown] == ["escort-baggage-train", "open"]


@pytest.mark.parametrize(
    ("card", "won", "lost", "even"),
    # There are 10,000 pairs. With +20 the attacker wins if a + 20 > d: for a = 1 to 80 that is d =
    # 1 to a + 19, in sum 19 x 80 + 3240 = 4760; for a = 81 to 100 any d, 2000. Pairs with a = 1 to
    # 80 and d = a + 20 are equal.
    [(95, 4950, 4950, 100), (56, 6760, 3160, 80)],
)
def test_encounter_counts_every_pair_of_dice(card, won, lost, even):
    position = position_after(
        {"by": "amber", "move": "fleet", "province": "a3"},
        {"by": "amber", "move": "end-slot"},
        {"by": "birch", "move": "end-slot"},
        {"by": "cedar", "move": "fleet", "province": "c2"},
        {"by": "cedar", "move": "end-slot"},
        {"by": "gm", "move": "open-turn"},
        {"by": "birch", "move": "end-slot"},
        {"by": "cedar", "move": "end-slot"},
        {
            "by": "amber",
            "move": "attack",
            "kind": "amphibious",
            "from": "a3",
            "target": "c2",
            "cards": ["naval-technology"] if card == 56 else [],
        },
        dice={"turn-2/card/amber": card},
    )
    shown = branches(position, {"by": "cedar", "move": "respond", "attack": 1, "choice": "accept"})
    assert [(b.what.id, b.chance) for b in shown] == [
        ("encounter-won", (won, 10_000)),
        ("encounter-lost", (lost, 10_000)),
        ("encounter-even", (even, 10_000)),
    ]
    fleets = [sorted(b.after.fleets) for b in shown]
    assert fleets == [["a3"], ["c2"], ["a3", "c2"]]


def test_withdrawal_before_walls_shows_both_ends():
    position = position_after(
        {"by": "amber", "move": "end-slot"},
        {"by": "birch", "move": "fortify", "province": "b2"},
        {"by": "birch", "move": "end-slot"},
        {"by": "cedar", "move": "end-slot"},
        {"by": "gm", "move": "open-turn"},
        {"by": "birch", "move": "end-slot"},
        {"by": "cedar", "move": "end-slot"},
        {"by": "amber", "move": "attack", "kind": "land", "from": "a2", "target": "b2"},
    )
    shown = branches(
        position, {"by": "birch", "move": "respond", "attack": 1, "choice": "withdraw"}
    )
    assert [(b.what.id, b.chance) for b in shown] == [
        ("siege-held", (30, 100)),
        ("siege-taken", (70, 100)),
    ]


def test_dice_of_cards_are_not_previewed():
    position = position_after(
        *[{"by": nation, "move": "end-slot"} for nation in ("amber", "birch", "cedar")]
    )
    assert branches(position, {"by": "gm", "move": "open-turn"}) == []


def test_an_illegal_move_has_no_preview():
    with pytest.raises(IllegalMove) as refused:
        branches(position_after(), {"by": "amber", "move": "provincial-levy"})
    assert refused.value.code == "no-barracks"


def test_an_assassin_against_a_hidden_hand_reveals_nothing():
    seen = []
    for card in (11, 95):  # birch holds a Spy, or Scouts
        position = position_after(
            hands="hidden", dice={"turn-1/card/amber": 46, "turn-1/card/birch": card}
        )
        (only,) = branches(
            position,
            {
                "by": "amber",
                "move": "play",
                "card": "assassin",
                "target": "birch",
                "destroy": "spy",
            },
        )
        seen.append([e for e in only.effects if e.seen_by("amber")])
    assert seen[0] == seen[1]


def test_a_spy_against_a_hidden_hand_is_not_previewed():
    position = position_after(hands="hidden", dice={"turn-1/card/amber": 11})
    assert (
        branches(position, {"by": "amber", "move": "play", "card": "spy", "target": "birch"}) == []
    )


def test_a_report_of_an_unanswered_challenge_is_two_entries():
    position = position_after(
        {"by": "amber", "move": "attack", "kind": "land", "from": "a2", "target": "b2"}
    )
    report = TITLE.decode({"by": "gm", "move": "report", "attack": 1, "winner": "draw"}, position)
    assert list(TITLE.expand(position, report)) == [
        {"by": "gm", "for": "birch", "move": "respond", "attack": 1, "choice": "accept"},
        {"by": "gm", "move": "report", "attack": 1, "winner": "draw"},
    ]


def test_each_die_of_a_branch_is_in_its_path():
    """The move is a result for an unanswered challenge by sea.

    The fleets meet (8.1), then the walls hold or fall (9.7).
    """
    position = position_after(
        {"by": "amber", "move": "fleet", "province": "a3"},
        {"by": "amber", "move": "end-slot"},
        {"by": "birch", "move": "end-slot"},
        {"by": "cedar", "move": "fleet", "province": "c2"},
        {"by": "cedar", "move": "fortify", "province": "c2"},
        {"by": "cedar", "move": "end-slot"},
        {"by": "gm", "move": "open-turn"},
        {"by": "birch", "move": "end-slot"},
        {"by": "cedar", "move": "end-slot"},
        {"by": "amber", "move": "attack", "kind": "amphibious", "from": "a3", "target": "c2"},
    )
    shown = branches(position, {"by": "gm", "move": "report", "attack": 1, "winner": "attacker"})
    assert [([phrase.id for phrase in b.path], Fraction(*b.chance)) for b in shown] == [
        (["encounter-won", "siege-held"], Fraction(4950 * 30, 1_000_000)),
        (["encounter-won", "siege-taken"], Fraction(4950 * 70, 1_000_000)),
        (["encounter-lost", "encounter-ended-it"], Fraction(4950, 10_000)),
        (["encounter-even", "encounter-ended-it"], Fraction(100, 10_000)),
    ]
    assert [b.what for b in shown] == [b.path[-1] for b in shown]
    assert sum(Fraction(*b.chance) for b in shown) == 1
