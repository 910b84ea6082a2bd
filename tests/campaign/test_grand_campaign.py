"""The Grand Campaign, played through the same service as every title."""

from __future__ import annotations

from io import StringIO
from typing import Any

import pytest
from django.core.management import call_command

from campaign import services
from campaign.errors import TableMovedOn
from campaign.log import positions, selectors
from engine.errors import IllegalMove
from engine.strict_json import canonical, read
from nations import projection as nations


def play_move(grand: Any, move: str, **given: Any) -> Any:
    gm = grand.people["gm"]
    raw = {"by": "gm", "move": move, **given}
    result = services.play(grand.campaign, gm, raw, selectors.seen(grand.campaign, gm))
    grand.campaign = result.campaign
    return result


def test_a_turn_of_slots(grand: Any) -> None:
    play_move(grand, "start")
    campaign = grand.campaign
    assert (campaign.turn, campaign.phase) == (1, "slots")
    while grand.campaign.phase == "slots":
        slot = grand.campaign.active_seat
        assert selectors.waiting(grand.campaign)[0].seat == slot
        play_move(grand, "end-slot", **{"for": slot})
    assert grand.campaign.phase == "closed"
    state = grand.campaign.game.state(selectors.position(grand.campaign))
    for key, nation in state["nations"].items():
        balance = nations.balances(grand.campaign)[key]
        assert (balance["stability"], balance["income"], balance["army"]) == (
            nation["stability"],
            nation["income"],
            nation["army"],
        )
        hand = [
            (card.item, card.count)
            for card in nations.cards(grand.campaign, None, key)
            if card.zone == "hand"
        ]
        assert sorted(card for card, count in hand for _ in range(count)) == nation["hand"]
    owners = {row.place: row.owner or None for row in grand.campaign.holdings.all()}
    assert owners == {key: province["owner"] for key, province in state["provinces"].items()}
    out = StringIO()
    call_command("audit", stdout=out)
    assert "all as replayed" in out.getvalue()


def test_moves_read_from_the_log_play_the_same(grand: Any) -> None:
    """Moves are picked from the offers.

    Each is decoded from its text to the same text and the same digest.
    """
    play_move(grand, "start")
    gm, played = grand.people["gm"], 0
    for offer in selectors.offers(grand.campaign, gm, grand.campaign.active_seat):
        raw = next(iter(offer.moves()), None)
        if raw is None or raw["move"] == "end-slot":
            continue
        try:
            result = services.play(grand.campaign, gm, raw, selectors.seen(grand.campaign, gm))
        except IllegalMove:
            continue
        grand.campaign = result.campaign
        entry, played = result.entries[-1], played + 1
        assert canonical(read(entry.content_json)) == entry.content_json
        positions.memory.clear()
        assert (
            positions.position_digest(grand.campaign, positions.current(grand.campaign))
            == entry.digest
        )
        assert selectors.entry(grand.campaign, None, entry.number).text
    assert played > 1
    services.undo_to(grand.campaign, gm, 3, "Back to the start", selectors.seen(grand.campaign, gm))
    grand.campaign.refresh_from_db()
    call_command("audit", stdout=StringIO())


def test_a_refusal_is_shown_as_a_sentence(grand: Any) -> None:
    with pytest.raises(IllegalMove) as caught:
        play_move(grand, "open-turn")
    assert caught.value.code == "wrong-phase"
    assert caught.value.sentence.endswith((".", ")"))


def test_the_campaign_starts_only_once(grand: Any) -> None:
    seen = selectors.seen(grand.campaign, grand.people["gm"])
    play_move(grand, "start")
    with pytest.raises(TableMovedOn):
        services.play(grand.campaign, grand.people["gm"], {"by": "gm", "move": "start"}, seen)


def test_hidden_hands_are_shown_to_their_holders(people: Any) -> None:
    campaign = services.found_campaign(
        people["gm"], "grand_campaign", "Hidden", "420ad", {"hands": "hidden"}
    )
    seats = selectors.seats(campaign)
    for user, seat in ((people["ant"], seats[0].key), (people["bee"], seats[1].key)):
        _, token = services.invite(campaign, people["gm"], seat)
        services.take_seat(user, token)
    campaign.refresh_from_db()
    campaign = services.play(campaign, people["gm"], {"move": "start"}, 2).campaign
    holders = {
        who: {card.holder for card in nations.cards(campaign, user)} for who, user in people.items()
    }
    assert holders["ant"] == {seats[0].key}
    assert holders["bee"] == {seats[1].key}
    assert holders["stranger"] == set()
    assert holders["gm"] == {seat.key for seat in seats}
    rolls = {who: selectors.rolls(campaign, user).count() for who, user in people.items()}
    assert rolls == {"gm": 7, "ant": 2, "bee": 2, "stranger": 1}
    lines = {who: selectors.entry(campaign, user, 3) for who, user in people.items()}
    shown = {
        who: sum(effect.kind == "card" for effect in line.effects) for who, line in lines.items()
    }
    assert shown == {"gm": 6, "ant": 1, "bee": 1, "stranger": 0}


def test_queries_of_a_move_are_bounded(grand: Any, django_assert_max_num_queries: Any) -> None:
    play_move(grand, "start")
    gm, seen = grand.people["gm"], selectors.seen(grand.campaign, grand.people["gm"])
    raw = {"by": "gm", "for": grand.campaign.active_seat, "move": "end-slot"}
    # Three queries are for the clocks of two slots, one for standing orders, three for the users to
    # notify, one for the game master's own seats, one for the places that the move concerns.
    with django_assert_max_num_queries(26):
        services.play(grand.campaign, gm, raw, seen)


def test_a_replayed_log_gives_every_position(grand: Any) -> None:
    """The positions of a `ReplayedLog` equal those of a replay with copies."""
    gm = grand.people["gm"]
    stories = [{"by": "gm", "move": "start"}] + [
        {
            "by": "gm",
            "move": "adjust",
            "nation": "huns",
            "account": "income",
            "change": change,
            "reason": "even",
        }
        for change in (50, -25) * (positions.ReplayedLog.STRIDE + 1)
    ]
    for raw in stories:
        grand.campaign = services.play(
            grand.campaign, gm, raw, selectors.seen(grand.campaign, gm)
        ).campaign
    history, shown = positions.history(grand.campaign), positions.ReplayedLog(grand.campaign)
    assert len(shown.moves) == 2 * positions.ReplayedLog.STRIDE + 3
    assert shown.start.encode() == history.start.encode()
    for n, step in enumerate(history.steps):
        move = shown.moves[n]
        assert (move.number, move.content) == (step.entry.number, step.entry.content)
        assert (move.effects, move.rolls) == (step.played.effects, step.played.rolls)
        assert shown.after(n).encode() == step.played.after.encode()
    assert shown.after(0).encode() == history.steps[0].played.after.encode()
