"""Random legal play by offers on every small scenario and the shipped one.

The project's invariants are checked after each move.
"""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import product
from typing import Any

import pytest

from engine.dice import Dice
from engine.effects import Effect, Phrase
from engine.errors import IllegalMove
from engine.play import perform, play
from engine.strict_json import canonical, digest
from games.contract.title import Offer
from games.grand_campaign.rules.numbers import CARDS
from games.grand_campaign.rules.position import ACCOUNTS
from games.replay import replay
from tests.grand_campaign.campaigns import TITLE, next_move
from tests.grand_campaign.table import scenario as small

pytestmark = pytest.mark.thorough

SCENARIOS = {name: small(name) for name in ("_scenario", "_two", "_six", "_nine")} | {
    "420ad": "420ad"
}
TABLES = [
    (name, hands, seed)
    for name in SCENARIOS
    for hands in ("open", "hidden")
    for seed in range(2 if name in ("_scenario", "_two") else 1)
]
MOST = 250
SMALL = 20
"""The largest number of provinces for which all possible moves are compared with the offers."""


class Ledger:
    """The state that follows from the effects alone."""

    def __init__(self, position: Any) -> None:
        self.accounts = Counter(
            {
                (key, account): getattr(nation, account)
                for key, nation in position.nations.items()
                for account in ACCOUNTS
            }
        )
        self.cards: Counter[tuple[str, str, str]] = Counter()
        self.owner = dict(position.owner)

    def enter(self, effects: Sequence[Effect]) -> None:
        for effect in effects:
            if effect.kind == "account":
                self.accounts[effect.holder, effect.subject] += effect.change
                assert self.accounts[effect.holder, effect.subject] == effect.balance
                assert effect.change != 0
            elif effect.kind == "card":
                assert effect.change in (1, -1)
                self.cards[effect.holder, effect.facts["zone"], effect.subject] += effect.change
            elif effect.kind == "holding" and "was" in effect.facts:
                assert self.owner[effect.subject] == effect.facts["was"]
                self.owner[effect.subject] = effect.facts["owner"]


def check_balances(position: Any, ledger: Ledger) -> None:
    for key, nation in position.nations.items():
        for account in ACCOUNTS:
            assert ledger.accounts[key, account] == getattr(nation, account)
            assert getattr(nation, account) >= 0 or account == "victory_points"
        assert key == position.slot or nation.actions == 0
        held = Counter({(key, "hand", c): n for c, n in Counter(nation.hand).items()})
        held += Counter({(key, "table", c): n for c, n in Counter(nation.table).items()})
        # No card exists twice or without an origin: each card that is held was gained and not lost.
        assert held == +Counter({k: n for k, n in ledger.cards.items() if k[0] == key})
        assert nation.hand == sorted(nation.hand)
    assert min(ledger.cards.values(), default=0) >= 0


def check_map(position: Any, ledger: Ledger) -> None:
    assert position.owner == ledger.owner
    assert list(position.owner) == list(position.scenario.provinces)
    for province, owner in position.owner.items():
        assert owner is None or not position.nations[owner].fallen
        assert owner is None or province not in position.scenario.external
        if owner is None:
            assert province not in position.fortification
            assert province not in position.fleets
    for level in position.fortification.values():
        assert 1 <= level <= len(position.rules.fortifications)
    for key, nation in position.nations.items():
        assert nation.fallen or key in position.owner.values()
    assert [a for a in position.attacks if a.status != "resolved"] == position.running
    assert [a.id for a in position.attacks] == list(range(1, len(position.attacks) + 1))
    targets = [attack.target for attack in position.running]
    assert len(set(targets)) == len(targets)
    assert (position.phase == "slots") == (position.slot is not None)
    assert position.phase in ("slots", "battles") or not position.running


def check_views(position: Any) -> None:
    """Check that every view can be written.

    In hidden hands views of others differ from the game master's, otherwise they do not.
    """
    everything = TITLE.view(position, "gm")
    canonical(everything)
    canonical(TITLE.rows(position).accounts and list(TITLE.rows(position).contests.values()))
    stranger = TITLE.view(position, None)
    for key, sheet in stranger["nations"].items():
        assert sheet["hand"] == (
            None if position.options.hidden else everything["nations"][key]["hand"]
        )
        assert sheet["cards"] == len(everything["nations"][key]["hand"])


def text(words: str) -> None:
    assert words
    assert "{" not in words
    assert "None" not in words


def check_words(position: Any, raw: Mapping[str, Any], played: Any) -> None:
    scenario = position.scenario
    text(TITLE.move_line(scenario, raw, played.effects))
    text(TITLE.move_line(scenario, raw))
    for effect in played.effects:
        assert Effect.from_json(json.loads(canonical(effect.to_json()))).to_json() == json.loads(
            canonical(effect.to_json())
        )
        text(TITLE.speak(scenario, effect.cause))
    for roll in played.rolls:
        text(TITLE.roll_line(scenario, roll))
        assert 1 <= roll.value <= roll.sides
        TITLE.check_roll(scenario, position.options, roll.purpose, roll.value)
    for waiting in TITLE.waiting(played.after):
        text(TITLE.speak(scenario, waiting.what))
    assert TITLE.waiting(played.after) or played.after.standings is not None


def refused(position: Any, raw: Mapping[str, Any]) -> IllegalMove | None:
    try:
        move = TITLE.decode(raw, position)
        move.admit(position)
        move.check(position)
    except IllegalMove as refusal:
        return refusal
    return None


def universe(position: Any, kind: str, key: str) -> list[Any]:
    """Return all values that a field of this kind could have."""
    if kind == "province":
        return list(position.owner)
    if kind == "nation":
        return list(position.nations)
    if kind in ("card", "cards"):
        return sorted(CARDS) if kind == "card" else [[]]
    return ["open"] if key == "battle" else [False]


def every(position: Any, offer: Offer) -> Iterator[dict[str, Any]]:
    """Return moves of the offer with all possible values; a list of cards stays empty."""
    fields = [(field.key, universe(position, field.kind, field.key)) for field in offer.fields]
    for values in product(*(values for _, values in fields)):
        yield offer.raw(dict(zip((key for key, _ in fields), values, strict=True)))


PLACES = {"province", "nation", "card", "cards", "flag"}


def check_offers(rng: random.Random, position: Any, thorough: bool) -> None:
    """Check that offers are legal, that refusals are refused, and that no legal move is missing."""
    seats = ["gm", *position.nations]
    for seat in rng.sample(seats, 3 if thorough else 2):
        by = None if seat == "gm" or rng.random() < 0.7 else "gm"
        offers = TITLE.offers(position, seat, by)
        assert len({offer.key for offer in offers}) == len(offers)
        for offer in offers:
            if offer.refusal is not None:
                text(TITLE.refusal(position.scenario, offer.refusal))
                assert list(offer.moves()) == []
                assert offer.fields or refused(position, offer.raw({})).code == offer.refusal.code
            else:
                for raw in few(rng, offer.moves()):
                    assert refused(position, raw) is None, raw
            if thorough and all(
                field.kind in PLACES or field.key == "battle" for field in offer.fields
            ):
                check_complete(position, offer)


def few(rng: random.Random, moves: Iterator[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return some of the first moves of an offer, because attacks have thousands."""
    result = [raw for _, raw in zip(range(60), moves, strict=False)]
    return rng.sample(result, min(6, len(result)))


def check_complete(position: Any, offer: Offer) -> None:
    legal = {canonical(raw) for raw in every(position, offer) if refused(position, raw) is None}
    if offer.refusal is not None:
        # A fortify or covert offer covers only some provinces: another of its kind may have the
        # others.
        assert not legal or offer.key.startswith(("fortify-", "attack-independent-")), (
            offer.key,
            sorted(legal)[:3],
        )
        return
    created = {
        canonical({**raw, **({"cards": []} if "cards" in raw else {})}) for raw in offer.moves()
    }
    simple = {
        move
        for move in created
        if '"siege_train":true' not in move
        and '"battle":"flank' not in move
        and "remove-" not in move
    }
    if offer.key.startswith(("fortify-", "attack-independent-")):
        assert simple <= legal
    else:
        assert simple == legal, (offer.key, sorted(legal ^ simple)[:4])


def check_branches(position: Any, raw: Mapping[str, Any], played: Any) -> None:
    """Check that the chances of a move's branches add up to one.

    The result must be one of them.
    """
    branches = TITLE.branches(position, TITLE.decode(raw, position))
    if not branches:
        assert raw["move"] in ("start", "open-turn", "play")
        return
    assert sum(Fraction(*branch.chance) for branch in branches) == 1
    for branch in branches:
        text(
            TITLE.speak(
                position.scenario, Phrase(branch.what.id, branch.what.rule, branch.what.facts)
            )
        )
    after = played.after.copy()
    if position.options.hidden and (raw["move"], raw.get("card")) == (
        "play",
        "assassin",
    ):  # the preview does not change the hand that it looks into
        after.nations[raw["target"]].hand = list(position.nations[raw["target"]].hand)
    happened = digest(after.encode())
    assert happened in {digest(branch.after.encode()) for branch in branches}


@pytest.mark.long
@pytest.mark.parametrize(("name", "hands", "game"), TABLES, ids=str)
def test_random_play_keeps_the_invariants(name: str, hands: str, game: int) -> None:
    rng, seed = random.Random(f"{name}/{hands}/{game}"), f"game {game} of {name}"
    scenario, options = (
        TITLE.scenario(SCENARIOS[name]),
        TITLE.options({"hands": hands, "external_attacks": True}),
    )
    position = TITLE.setup(scenario, options)
    shadow, again = position.copy(), Dice(scenario.turns, seed=seed)
    dice, ledger, moves = Dice(scenario.turns, seed=seed), Ledger(position), []
    narrow = len(position.owner) < SMALL
    while len(moves) < MOST and (raw := next_move(rng, position)) is not None:
        for part in TITLE.expand(position, TITLE.decode(raw, position)):
            if (
                part["move"] == "report"
                and position.attacks[part["attack"] - 1].status == "resolved"
            ):
                break  # the encounter at sea ended it (8.1)
            was = canonical(position.encode()) if len(moves) % 5 == 0 else None
            played = play(position, TITLE.decode(part, position), dice)
            assert was is None or canonical(position.encode()) == was, (
                "the position given was touched"
            )
            check_branches(position, part, played)
            position = played.after
            moves.append(part)
            perform(shadow, TITLE.decode(json.loads(canonical(part)), shadow), again)
            assert digest(shadow.encode()) == digest(position.encode()), "replay and live differ"
            ledger.enter(played.effects)
            check_balances(position, ledger)
            check_map(position, ledger)
            check_words(position, part, played)
        if len(moves) % 12 == 0:
            check_views(position)
            check_offers(rng, position, thorough=narrow)
    record = {
        "format": TITLE.format,
        "scenario": SCENARIOS[name],
        "options": {"hands": hands, "external_attacks": True},
        "dice": {"seed": seed},
        "moves": moves,
    }
    assert replay(canonical(record)) == json.loads(json.dumps(TITLE.state(position)))
    assert len({move["move"] for move in moves}) >= 12
    assert position.standings is not None or len(moves) >= MOST
