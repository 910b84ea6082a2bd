"""A single move, from the form to the log."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import AnonymousUser

from campaign import access, services
from campaign.errors import NoSuchCampaign, NotAllowed, TableMovedOn, WrongCampaign
from campaign.log import consequences, positions, selectors
from campaign.log import entries as log_entries
from campaign.models import DiceRoll, LogEntry
from engine.errors import IllegalMove
from engine.strict_json import canonical


def test_a_move_is_played_and_logged(table: Any) -> None:
    result = table.play("gm", "start")
    (entry,) = result.entries
    assert (entry.number, entry.kind, entry.seat, entry.actor) == (3, "move", "gm", table.gm)
    assert entry.content_json == '{"by":"gm","move":"start"}'
    assert [roll.purpose for roll in result.rolls] == ["setup/opener"]
    campaign = table.reload()
    assert (campaign.status, campaign.last_sequence, campaign.last_hash) == (
        "running",
        3,
        entry.hash,
    )
    assert campaign.turn == selectors.view(campaign, table.gm)["turn"] == entry.turn
    assert campaign.active_seat == selectors.view(campaign, table.gm)["slot"]


def test_the_position_from_the_log_is_the_one_that_was_played(running: Any) -> None:
    running.play("bee", "add", stones=2)
    running.play("bee", "dig")
    live = selectors.position(running.campaign)
    positions.memory.clear()
    assert positions.current(running.campaign).encode() == live.encode()
    assert running.campaign.entries.get(
        sequence=running.campaign.last_sequence
    ).digest == positions.position_digest(running.campaign, live)


def test_an_illegal_move_is_refused_with_its_sentence_and_writes_nothing(running: Any) -> None:
    before = LogEntry.objects.count(), DiceRoll.objects.count()
    with pytest.raises(IllegalMove) as caught:
        running.play("ant", "add", stones=1)
    assert (caught.value.code, caught.value.sentence) == ("not-your-slot", "No: not-your-slot")
    assert (LogEntry.objects.count(), DiceRoll.objects.count()) == before


@pytest.mark.parametrize(
    "raw",
    [
        None,
        [],
        "add",
        {"by": "bee"},
        {"by": "bee", "move": float("nan")},
        {"by": "bee", "move": "add", "stones": 9},
    ],
)
def test_a_move_without_form_is_refused(running: Any, raw: Any) -> None:
    with pytest.raises(IllegalMove):
        services.play(running.campaign, running.people["bee"], raw, running.seen("bee"))


def test_without_a_named_voice_the_seat_makes_the_move(running: Any) -> None:
    result = services.play(
        running.campaign, running.people["bee"], {"move": "dig"}, running.seen("bee")
    )
    assert result.entries[0].content["by"] == "bee"


def test_the_game_master_moves_for_a_seat(running: Any) -> None:
    result = running.play("gm", "add", **{"for": "bee", "stones": 3})
    assert result.entries[0].seat == "bee"
    assert result.entries[0].content == {"by": "gm", "for": "bee", "move": "add", "stones": 3}


@pytest.mark.parametrize(
    ("who", "by"), [("ant", "bee"), ("ant", "gm"), ("gm", "bee"), ("bee", "nobody")]
)
def test_a_voice_that_the_user_does_not_hold_is_refused(running: Any, who: str, by: str) -> None:
    with pytest.raises(NotAllowed) as caught:
        services.play(
            running.campaign, running.people[who], {"by": by, "move": "dig"}, running.seen(who)
        )
    assert caught.value.code == "not-your-seat"


def test_strangers_and_anonymous_visitors_do_not_play(running: Any) -> None:
    for user in (running.stranger, AnonymousUser(), None):
        with pytest.raises(NotAllowed) as caught:
            services.play(running.campaign, user, {"by": "bee", "move": "dig"}, running.seen("bee"))
        assert caught.value.code == "not-at-the-table"
    services.change_description(
        running.campaign, running.gm, name="Heap", time_zone="UTC", visibility="members"
    )
    with pytest.raises(NoSuchCampaign):
        services.play(running.campaign, running.stranger, {"by": "bee", "move": "dig"}, 0)


def test_a_stale_page_gets_the_entries_since_it_was_read(running: Any) -> None:
    stale = running.seen("bee")
    running.play("gm", "add", **{"for": "bee", "stones": 1})
    with pytest.raises(TableMovedOn) as caught:
        running.play("bee", "add", stones=2, seen=stale)
    assert [entry.content["move"] for entry in caught.value.entries] == ["add"]


@pytest.mark.parametrize("seen", [-1, 99, None, "4", True])
def test_a_page_with_an_unknown_number_is_refused(running: Any, seen: Any) -> None:
    with pytest.raises(WrongCampaign, match="Open the page again"):
        services.play(running.campaign, running.people["bee"], {"by": "bee", "move": "dig"}, seen)


def test_a_double_click_makes_one_entry(running: Any) -> None:
    seen = running.seen("bee")
    running.play("bee", "dig", seen=seen)
    with pytest.raises(TableMovedOn):
        running.play("bee", "dig", seen=seen)
    assert running.campaign.entries.filter(act="dig").count() == 1


def test_a_taken_seat_makes_no_page_stale(running: Any) -> None:
    seen = running.seen("bee")
    services.vacate(running.campaign, running.people["ant"], "ant")
    assert running.play("bee", "dig", seen=seen).entries


def test_a_hidden_move_has_no_number_and_makes_no_other_page_stale(running: Any) -> None:
    seen = {who: running.seen(who) for who in ("gm", "ant", "bee", "stranger")}
    (entry,) = running.play("bee", "hide", secret=7).entries
    assert (entry.number, entry.viewers) == (None, ("bee",))
    assert {who: running.seen(who) - seen[who] for who in seen} == {
        "gm": 1,
        "ant": 0,
        "bee": 1,
        "stranger": 0,
    }
    texts = {
        who: [line.text for line in selectors.log(running.campaign, running.people[who])]
        for who in seen
    }
    assert [who for who in seen if "bee: hide" in texts[who]] == ["gm", "bee"]
    following = running.play("bee", "dig").entries[0]
    assert following.number == running.campaign.last_number
    assert [line.number for line in selectors.log(running.campaign, running.people["ant"])][:2] == [
        following.number,
        following.number - 1,
    ]


def test_a_result_for_an_unanswered_challenge_makes_two_entries(
    running: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    running.play("bee", "duel")
    monkeypatch.setattr("engine.dice.draw", lambda link, purpose, sides: 2)
    result = running.play("gm", "settle", winner="attacker")
    assert [entry.content["move"] for entry in result.entries] == ["answer", "settle"]
    assert [entry.rolls.count() for entry in result.entries] == [1, 0]
    assert result.entries[0].seat == "ant"


def test_a_die_thrown_for_a_refused_result_is_logged(
    running: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    running.play("bee", "duel")
    monkeypatch.setattr("engine.dice.draw", lambda link, purpose, sides: 6)
    with pytest.raises(IllegalMove) as caught:
        running.play("gm", "settle", winner="attacker")
    assert caught.value.sentence == "No: unknown-attack"
    last = running.campaign.entries.last()
    assert (last.content["move"], last.rolls.get().value) == ("answer", 6)
    assert running.reload().last_hash == last.hash


def test_a_preview_throws_and_writes_nothing(running: Any) -> None:
    before = canonical(selectors.view(running.campaign, running.gm))
    seen = services.preview(running.campaign, running.people["bee"], {"by": "bee", "move": "dig"})
    assert [branch.chance for branch in seen.branches] == [(1, 6)] * 6
    assert [branch.effects[0].change for branch in seen.branches] == [1, 2, 3, 4, 5, 6]
    assert not DiceRoll.objects.filter(purpose__contains="dig").exists()
    assert canonical(selectors.view(running.campaign, running.gm)) == before
    with pytest.raises(IllegalMove) as caught:
        services.preview(running.campaign, running.people["ant"], {"by": "ant", "move": "dig"})
    assert caught.value.sentence


def test_a_campaign_ends_and_its_end_can_be_undone(running: Any) -> None:
    number = running.campaign.last_number
    while running.campaign.status != "finished":
        running.play("bee", "dig")
    assert selectors.standings(running.campaign)[0].seat == "bee"  # type: ignore[index]
    running.undo(number)
    assert running.campaign.status == "running"


def test_queries_of_a_move_are_bounded(running: Any, django_assert_max_num_queries: Any) -> None:
    seen = running.seen("bee")
    with django_assert_max_num_queries(20):  # two of them look for boards and threads to notify
        running.play("bee", "add", stones=1, seen=seen)


# A page that is older than the table --------------------------------------------------------------


def test_an_unrelated_move_of_another_seat_makes_no_move_stale(running: Any) -> None:
    running.play("bee", "end")
    stale = running.seen("ant")
    services.play(
        running.campaign,
        running.gm,
        {"by": "gm", "for": "ant", "move": "hide", "secret": 7},
        running.seen("gm"),
    )
    running.reload()
    running.play("ant", "add", stones=2, seen=stale)
    assert running.campaign.entries.filter(act="add").count() == 1


def test_facts_that_a_reader_may_not_see_are_not_compared(running: Any) -> None:
    """Two positions that differ only in a hidden number look the same to the other seat."""
    position = positions.current(running.campaign)
    other = position.copy()
    other.secret["bee"] = 9
    for seat, seen in (("bee", 1), ("ant", 0)):
        who = access.access_of(running.campaign, running.people[seat])
        shown = []
        for state in (position, other):
            move = log_entries.as_logged(
                running.campaign.game, state, {"by": "bee", "move": "hide", "secret": 3}
            )
            shown.append(consequences.consequences(running.campaign, who, state, move))
        assert shown[0] == shown[1]
        assert len(shown[0].ways[0].effects) == seen


def test_a_program_decides_again_on_a_new_position(running: Any) -> None:
    running.play("bee", "end")
    stale = running.seen("ant")
    services.play(
        running.campaign,
        running.gm,
        {"by": "gm", "for": "ant", "move": "hide", "secret": 7},
        running.seen("gm"),
    )
    raw = {"by": "ant", "move": "add", "stones": 2}
    with pytest.raises(TableMovedOn):
        services.play(running.reload(), running.people["ant"], raw, stale, strict=True)
