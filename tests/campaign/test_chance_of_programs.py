"""The random choices of programs.

They follow from the chain in force and the turn's mixture, so that no one can predict them.
"""

from __future__ import annotations

import hashlib
import hmac
import json
from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from campaign import practice, services
from campaign.errors import NotNow
from campaign.imports import check_record, import_record
from campaign.keys import unseal
from campaign.log import selectors
from campaign.models import Campaign
from engine.dice import chain, mixed_key
from games.registry import TITLES
from tests.web.grand_table import SEED, GrandTable, new_campaign

__all__ = ["new_campaign"]
pytestmark = pytest.mark.django_db

MINE = "a seed of my own"
PROGRAM = {"vandals": "random"}


def predict_move(campaign: Campaign, key: str) -> Any:
    """Return the move that a program would make if this were the key of the turn's dice."""
    choose = TITLES["grand_campaign"].players.plays(selectors.position(campaign), PROGRAM)
    message = f"programs/{campaign.turn}/{campaign.last_number}"
    return choose(
        Random(hmac.new(bytes.fromhex(key), message.encode(), hashlib.sha256).hexdigest())
    )


ENOUGH = 8
"""Two different keys may give the same move; giving this many equal moves is next to impossible."""


def play_slots_of_program(
    begin: Callable[[], tuple[GrandTable, str]], guess: str
) -> tuple[int, int, int]:
    """Play slots of a program in fresh campaigns until it has made ENOUGH moves.

    `begin` returns a campaign in the program's slot and the key that is in force. Return the number
    of moves, how many of them the guessed key gives, and how many the key in force gives.
    """
    sums = (0, 0, 0)
    while sums[0] < ENOUGH:
        table, true = begin()
        counts = moves_of_program(table, guess, true)
        assert counts[0] > 0
        sums = (sums[0] + counts[0], sums[1] + counts[1], sums[2] + counts[2])
    return sums


def moves_of_program(table: GrandTable, guess: str, true: str) -> tuple[int, int, int]:
    """Play the program's slot.

    Return the number of moves, how many of them the guessed key gives, and how many the true key
    gives.
    """
    moves = guessed = right = 0
    table.campaign.refresh_from_db()
    while (raw := practice.next_move(table.campaign)) is not None:
        moves += 1
        guessed += raw == predict_move(table.campaign, guess)
        right += raw == predict_move(table.campaign, true)
        table.play(
            "vandals", raw["move"], **{key: raw[key] for key in raw if key not in ("by", "move")}
        )
        table.campaign.refresh_from_db()
    return moves, guessed, right


def test_the_sender_of_a_record_cannot_predict_a_program(
    new_campaign: Callable[..., GrandTable],
) -> None:
    people: dict[str, Any] = new_campaign.people  # type: ignore[attr-defined]
    raw = {
        "format": "grand-campaign/1",
        "scenario": "420ad",
        "dice": {"seed": MINE},
        "moves": [{"by": "gm", "move": "start"}],
    }

    def begin() -> tuple[GrandTable, str]:
        table = GrandTable(
            import_record(people["gm"], check_record(json.dumps(raw)), "Brought", "UTC", "listed"),
            people,
        )
        services.let_program(table.campaign, people["gm"], "vandals", "random", "No one has come.")
        table.slot_to("vandals")
        return table, chain(unseal(table.campaign.dice_renewals.get().seed_sealed), 6)[1]

    moves, guessed, right = play_slots_of_program(begin, chain(MINE, 6)[1])
    assert right == moves
    assert guessed < moves


def test_a_link_published_before_an_undo_does_not_predict_a_program(
    new_campaign: Callable[..., GrandTable],
) -> None:
    def begin() -> tuple[GrandTable, str]:
        table = new_campaign()
        gm = table.people["gm"]
        table.play("gm", "start")
        while table.campaign.active_seat:
            table.play(table.campaign.active_seat, "end-slot")
        table.play("gm", "open-turn")
        services.let_program(table.campaign, gm, "vandals", "random", "No one has come.")
        first = table.campaign.entries.filter(act="end-slot").order_by("sequence").first()
        services.undo_to(table.campaign, gm, first.number, "a slip", table.seen("gm"))
        table.campaign.refresh_from_db()
        table.slot_to("vandals")
        return table, chain(unseal(table.campaign.dice_renewals.get().seed_sealed), 6)[1]

    moves, guessed, right = play_slots_of_program(begin, chain(SEED, 6)[1])
    assert (right == moves, guessed < moves) == (True, True)


def test_the_choices_depend_on_the_mixture_of_the_turn(
    new_campaign: Callable[..., GrandTable],
) -> None:
    table = new_campaign(chance="words")
    gm = table.people["gm"]
    services.add_words(table.campaign, table.people["hun"], "huns", "Attila was here")
    services.close_words(table.campaign, gm)
    table.campaign.refresh_from_db()
    table.play("gm", "start")
    services.let_program(table.campaign, gm, "vandals", "random", "No one has come.")
    table.slot_to("vandals")
    link = chain(SEED, 6)[1]
    key = mixed_key(link, '{"phrases":{"huns":"Attila was here"}}')
    moves, guessed, right = moves_of_program(table, link, key)
    assert (moves >= 3, right == moves, guessed < moves) == (True, True, True)


def test_a_program_waits_for_the_mixture_of_renewed_dice(
    new_campaign: Callable[..., GrandTable],
) -> None:
    """An undo renews the dice in the middle of turn 1.

    The new dice wait for the players' words, and so does the program.
    """
    table = new_campaign(chance="words")
    gm = table.people["gm"]
    for turn in (1, 2):
        services.close_words(table.campaign, gm)
        table.campaign.refresh_from_db()
        table.play("gm", "start" if turn == 1 else "open-turn")
        while turn == 1 and table.campaign.active_seat:
            table.play(table.campaign.active_seat, "end-slot")
    first = table.campaign.entries.filter(act="end-slot").order_by("sequence").first()
    services.undo_to(table.campaign, gm, first.number, "a slip", table.seen("gm"))
    table.campaign.refresh_from_db()
    services.let_program(table.campaign, gm, "vandals", "random", "No one has come.")
    table.slot_to("vandals")
    assert practice.next_move(table.campaign) is None
    services.close_words(table.campaign, gm)
    table.campaign.refresh_from_db()
    assert practice.next_move(table.campaign) is not None


def test_advice_also_depends_on_the_sealed_link(new_campaign: Callable[..., GrandTable]) -> None:
    table = new_campaign(chance="words")
    gm, roman = table.people["gm"], table.people["roman"]
    with pytest.raises(NotNow):
        practice.suggest(table.campaign, roman, "romans", "random")
    services.close_words(table.campaign, gm)
    table.campaign.refresh_from_db()
    table.play("gm", "start")
    table.slot_to("huns")
    table.play("huns", "attack", kind="land", **{"from": "pannonia", "target": "dalmatia"})
    link = chain(SEED, 6)[1]
    message = f"suggestion/romans/1/{table.campaign.last_number}"
    rng = Random(hmac.new(bytes.fromhex(link), message.encode(), hashlib.sha256).hexdigest())
    position = selectors.position(table.campaign)
    due = TITLES["grand_campaign"].players.suggest_order(position, "romans", "random", rng)
    assert practice.suggest(table.campaign, roman, "romans", "random") == due
