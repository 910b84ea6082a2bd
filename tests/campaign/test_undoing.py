"""Undoing and restoring moves."""

from __future__ import annotations

from io import StringIO
from typing import Any

import pytest
from django.core.management import call_command

from campaign import access, services
from campaign.errors import (
    CannotUndo,
    NoSuchCampaign,
    NoSuchEntry,
    NotAllowed,
    Refused,
    TableMovedOn,
)
from campaign.log import entries, positions, selectors
from campaign.log import history as log_history
from campaign.log.undo import reveals
from campaign.models import DiceRoll
from engine.effects import Effect, Phrase
from nations import projection as nations
from tests import toy


def stones_of_seats(table: Any) -> dict[str, int]:
    return dict(selectors.position(table.campaign).stones)


def undo_own_move(table: Any, who: str, seen: int | None = None) -> Any:
    entry = services.undo_own(
        table.campaign, table.people[who], table.seen(who) if seen is None else seen
    )
    table.reload()
    return entry


def undo_refusal(table: Any, who: str) -> str:
    with pytest.raises(CannotUndo) as caught:
        undo_own_move(table, who)
    return caught.value.code


def test_a_seat_takes_back_its_own_last_moves_one_by_one(running: Any) -> None:
    start = stones_of_seats(running)
    running.play("bee", "add", stones=2)
    after_one = stones_of_seats(running)
    second = running.play("bee", "add", stones=3).entries[0]
    undo = undo_own_move(running, "bee")
    assert stones_of_seats(running) == after_one
    assert nations.balances(running.campaign)["bee"]["stones"] == after_one["bee"]
    line = selectors.entry(running.campaign, None, second.number)
    assert (line.struck, line.entry.struck_by) == (True, undo)
    assert selectors.log(running.campaign, None)[0].text == "The Bee: a move is taken back."
    undo_own_move(running, "bee")
    assert stones_of_seats(running) == start
    assert undo_refusal(running, "bee") in ("not-your-move", "die-thrown")


def test_a_die_another_move_or_a_card_prevents_a_seats_own_undo(running: Any) -> None:
    running.play("bee", "dig")
    assert undo_refusal(running, "bee") == "die-thrown"
    running.play("bee", "hide", secret=4)
    assert undo_refusal(running, "bee") == "card-revealed"
    running.play("bee", "add", stones=1)
    assert undo_refusal(running, "ant") == "not-your-move"
    running.play("bee", "end")
    assert (
        services.own_undo(
            running.campaign, access.access_of(running.campaign, running.people["bee"])
        ).content["move"]
        == "end"
    )
    running.play("ant", "add", stones=1)
    assert undo_refusal(running, "bee") == "not-your-move"
    running.play("gm", "add", **{"for": "ant", "stones": 1})
    assert undo_refusal(running, "ant") == "not-your-move"


def test_a_secret_move_of_another_seat_prevents_no_undo(
    running: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(toy.WHO, "hide", "any")
    before = stones_of_seats(running)
    running.play("bee", "add", stones=2)
    hidden = running.play("ant", "hide", secret=5).entries[0]
    undo = undo_own_move(running, "bee")
    assert undo.number == running.campaign.last_number
    assert stones_of_seats(running) == before
    hidden.refresh_from_db()
    assert hidden.struck_by is None
    assert selectors.position(running.campaign).secret["ant"] == 5
    call_command("audit", stdout=StringIO())
    services.restore(running.campaign, running.gm, undo.number, "So be it")
    assert selectors.position(running.reload()).stones["bee"] == before["bee"] + 2
    call_command("audit", stdout=StringIO())


def test_strangers_and_the_game_master_have_no_own_moves_to_undo(running: Any) -> None:
    running.play("bee", "add", stones=1)
    for who in ("gm", "stranger"):
        with pytest.raises(NotAllowed):
            undo_own_move(running, who)
    services.change_description(
        running.campaign, running.gm, name="H", time_zone="UTC", visibility="members"
    )
    with pytest.raises(NoSuchCampaign):
        undo_own_move(running, "stranger")


def test_undo_is_refused_on_a_stale_page(running: Any) -> None:
    running.play("bee", "add", stones=1)
    seen = running.seen("bee")
    undo_own_move(running, "bee", seen)
    for act in (
        lambda: undo_own_move(running, "bee", seen),
        lambda: services.undo_to(running.campaign, running.gm, 0, "Again", seen),
        lambda: services.restore(
            running.campaign, running.gm, running.campaign.last_number, "Again", seen
        ),
    ):
        with pytest.raises(TableMovedOn):
            act()


def card(holder: str, change: int, audience: Any = None) -> Effect:
    return Effect("card", holder, "spy", Phrase("x"), change, 0, {}, audience)


@pytest.mark.parametrize(
    ("effects", "expected"),
    [
        ((), False),
        ((card("bee", -1),), False),
        ((card("bee", -1), card("bee", 1)), False),
        ((card("bee", 1),), True),
        ((card("ant", -1), card("bee", 1)), True),
        ((card("bee", -1), card("bee", 1), card("bee", 1)), True),
        ((card("bee", -1, ("bee",)),), True),
        ((Effect("account", "bee", "stones", Phrase("x"), 1, 1),), False),
    ],
)
def test_an_entry_that_reveals_a_card_cannot_be_taken_back(
    effects: tuple[Effect, ...], expected: bool
) -> None:
    assert reveals(effects) is expected


def test_the_game_master_undoes_to_an_entry_in_public(running: Any) -> None:
    number, before = running.campaign.last_number, selectors.position(running.campaign).encode()
    running.play("bee", "add", stones=1)
    running.play("bee", "dig")
    undo = running.undo(number, "Two moves too many")
    assert selectors.position(running.campaign).encode() == before
    assert undo.content == {"act": "undo", "after": number, "reason": "Two moves too many"}
    assert undo.digest == positions.position_digest(
        running.campaign, selectors.position(running.campaign)
    )
    assert "Two moves too many" in selectors.log(running.campaign, None)[0].text
    assert [line.struck for line in selectors.log(running.campaign, None)[:4]] == [
        False,
        True,
        True,
        False,
    ]
    positions.memory.clear()
    assert selectors.position(running.campaign).encode() == before


def test_an_undone_die_keeps_its_value(running: Any) -> None:
    number = running.campaign.last_number
    first = running.play("bee", "dig").rolls[0]
    running.undo(number)
    running.play("bee", "add", stones=2)
    again = running.play("bee", "dig").rolls[0]
    assert again == first
    rows = DiceRoll.objects.filter(purpose=first.purpose)
    assert [row.value for row in rows] == [first.value] * 2
    assert selectors.rolls(running.campaign, None).filter(purpose=first.purpose).count() == 2


def test_undo_needs_the_game_master_a_reason_an_entry_and_something_to_undo(running: Any) -> None:
    running.play("bee", "add", stones=1)
    for who in ("ant", "bee", "stranger"):
        with pytest.raises(NotAllowed):
            services.undo_to(running.campaign, running.people[who], 0, "x", running.seen(who))
    seen = running.seen("gm")
    for reason in ("", "  ", "a\x00", None, "x" * 1001):
        with pytest.raises(Refused):
            services.undo_to(running.campaign, running.gm, 0, reason, seen)  # type: ignore[arg-type]
    for number in (-1, 99, None, True):
        with pytest.raises(NoSuchEntry):
            services.undo_to(running.campaign, running.gm, number, "x", seen)  # type: ignore[arg-type]
    with pytest.raises(CannotUndo):
        services.undo_to(running.campaign, running.gm, running.campaign.last_number, "x", seen)


def test_a_restoration_brings_everything_back(running: Any) -> None:
    number = running.campaign.last_number
    running.play("bee", "add", stones=1)
    running.play("bee", "duel")
    after, rows = selectors.position(running.campaign).encode(), nations.balances(running.campaign)
    undo = running.undo(number)
    assert nations.balances(running.campaign) != rows
    restored = services.restore(running.campaign, running.gm, undo.number, "It was right")
    running.reload()
    assert selectors.position(running.campaign).encode() == after
    assert nations.balances(running.campaign) == rows
    assert selectors.entry(running.campaign, None, undo.number).entry.struck_by == restored
    with pytest.raises(CannotUndo) as caught:
        services.restore(running.campaign, running.gm, undo.number, "Twice")
    assert caught.value.code == "restored"
    running.play("ant", "answer")


def test_undos_are_restored_in_reverse_order(running: Any) -> None:
    number = running.campaign.last_number
    running.play("bee", "add", stones=1)
    running.play("bee", "add", stones=2)
    after = stones_of_seats(running)
    one = undo_own_move(running, "bee")
    other = running.undo(number)
    with pytest.raises(CannotUndo) as caught:
        services.restore(running.campaign, running.gm, one.number, "x")
    assert caught.value.code == "undone-since"
    services.restore(running.campaign, running.gm, other.number, "x")
    services.restore(running.campaign, running.gm, one.number, "x")
    running.reload()
    assert stones_of_seats(running) == after


def test_nothing_is_restored_once_the_campaign_has_gone_on(running: Any) -> None:
    number = running.campaign.last_number
    running.play("bee", "add", stones=1)
    undo = running.undo(number)
    running.play("bee", "dig")
    with pytest.raises(CannotUndo) as caught:
        services.restore(running.campaign, running.gm, undo.number, "x")
    assert caught.value.code == "played-since"
    with pytest.raises(CannotUndo) as caught:
        services.restore(running.campaign, running.gm, number, "x")
    assert caught.value.code == "no-undo"
    for who in ("ant", "bee", "stranger"):
        with pytest.raises(NotAllowed):
            services.restore(running.campaign, running.people[who], undo.number, "x")


def test_a_seat_takes_back_several_moves_at_once(running: Any) -> None:
    start = stones_of_seats(running)
    first = running.play("bee", "add", stones=2).entries[0].number
    running.play("bee", "add", stones=3)
    undo = services.undo_own(running.campaign, running.people["bee"], running.seen("bee"), first)
    running.reload()
    assert stones_of_seats(running) == start
    assert undo.content == {"act": "undo", "own": True, "moves": 2}
    assert selectors.log(running.campaign, None)[0].text == "The Bee: 2 moves are taken back."
    assert log_history.changed_moves(
        running.campaign, undo, log_history.acts(running.campaign)
    ) == list(undo.struck.values_list("pk", flat=True))
    call_command("audit", stdout=StringIO())
    services.restore(running.campaign, running.gm, undo.number, "After all")
    running.reload()
    assert stones_of_seats(running)["bee"] == start["bee"] + 5
    call_command("audit", stdout=StringIO())


def test_a_seat_goes_back_no_further_at_once_than_move_by_move(running: Any) -> None:
    die = running.play("bee", "dig").entries[0].number
    running.play("bee", "add", stones=1)
    running.play("bee", "add", stones=2)
    assert (
        len(
            services.own_undos(
                running.campaign, access.access_of(running.campaign, running.people["bee"])
            )
        )
        == 2
    )
    with pytest.raises(CannotUndo) as caught:
        services.undo_own(running.campaign, running.people["bee"], running.seen("bee"), die)
    assert caught.value.code == "not-so-far"


def test_the_way_back_to_a_branch_leads_there(running: Any) -> None:
    """Later moves are undone first and later undos restored, step by step as `way_back` says."""
    number = running.campaign.last_number
    running.play("bee", "add", stones=1)
    running.play("bee", "add", stones=2)
    wanted = stones_of_seats(running)
    second = undo_own_move(running, "bee")
    first = running.undo(number)
    running.play("bee", "add", stones=3)
    running.play("bee", "add", stones=3)

    def way() -> Any:
        shown = log_history.undo_acts(running.reload())
        return log_history.way_back(
            shown,
            second,
            frozenset(
                positions.moves_in_force(running.campaign).values_list("sequence", flat=True)
            ),
        )

    assert way() == [
        log_history.StepBack(False, first.number, 2),
        log_history.StepBack(True, first.number, 1),
        log_history.StepBack(True, second.number, 1),
    ]
    for step in way():
        if step.restores:
            services.restore(running.reload(), running.gm, step.number, "Back")
        else:
            running.undo(step.number)
    running.reload()
    assert stones_of_seats(running) == wanted
    call_command("audit", stdout=StringIO())


def test_the_way_back_to_a_branch_beside_one_that_was_restored(running: Any) -> None:
    number = running.campaign.last_number
    running.play("bee", "add", stones=1)
    older = running.undo(number)
    running.play("bee", "add", stones=2)
    newer = running.undo(number)
    services.restore(running.campaign, running.gm, older.number, "That one")
    with pytest.raises(CannotUndo) as caught:
        services.restore(running.campaign, running.gm, newer.number, "Both")
    assert caught.value.code == "played-since"
    shown, now = (
        log_history.undo_acts(running.reload()),
        frozenset(positions.moves_in_force(running.campaign).values_list("sequence", flat=True)),
    )
    assert log_history.way_back(shown, newer, now) == [
        log_history.StepBack(False, number, 1),
        log_history.StepBack(True, newer.number, 1),
    ]
    running.undo(number)
    services.restore(running.reload(), running.gm, newer.number, "The other")
    call_command("audit", stdout=StringIO())


def test_nothing_is_replayed_while_the_row_is_locked(
    running: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Undos, restorations and a seat's own undo replay before they lock the row.

    So does an act if no process has the position in its cache.
    """
    steps: list[str] = []
    lock, history, setup = entries.lock, positions.history, positions.setup

    def note(name: str, real: Any) -> Any:
        def called(*given: Any) -> Any:
            answer = real(*given)
            steps.append(name)
            return answer

        return called

    running.play("bee", "add", stones=2)
    number = running.play("bee", "add", stones=1).entries[0].number
    monkeypatch.setattr(entries, "lock", note("locked", lock))
    monkeypatch.setattr(positions, "history", note("replayed", history))
    monkeypatch.setattr(positions, "setup", note("replayed", setup))
    undone = running.undo(number - 1)
    assert steps.count("locked") == 1
    assert steps.index("locked") == len(steps) - 1
    for act in (
        lambda: services.restore(running.campaign, running.gm, undone.number, "A slip"),
        lambda: undo_own_move(running, "bee"),
        lambda: services.change_life(running.campaign, running.gm, "paused"),
    ):
        positions.memory.clear()
        steps.clear()
        act()
        running.reload()
        assert steps.count("locked") == 1
        assert "replayed" in steps
        assert steps[-1] == "locked"
