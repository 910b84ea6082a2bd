"""Programs in seats of campaigns that several people play, in the titles with a board."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta
from random import Random
from typing import Any

import pytest

from campaign import practice, services
from campaign.errors import NotAllowed, NotNow, Refused
from campaign.hosting import audit
from campaign.log import record, selectors
from campaign.models import Campaign, LogEntry
from campaign.seats.seating import free_seats, levels, seats_to_take_back
from campaign.seats.selectors import program_levels, program_of
from games.tetrarchia.bots.players import TetrarchiaPlayers

pytestmark = pytest.mark.django_db
SEED = "b" * 64


def campaign_of(
    gm: Any, title: str = "roman_empire", options: dict[str, Any] | None = None
) -> Campaign:
    terms = {"players": 3} if options is None else options
    return services.found_campaign(gm, title, "At one table", "standard", terms, seed=SEED)


def seated(campaign: Campaign, gm: Any, seat: str, user: Any) -> None:
    services.take_seat(user, services.invite(campaign, gm, seat)[1])


def play(campaign: Campaign, user: Any, move: dict[str, Any]) -> None:
    campaign.refresh_from_db()
    services.play(campaign, user, move, selectors.seen(campaign, user))


def settled(campaign: Campaign) -> Campaign:
    """Return the campaign at the moment when no program moves any more."""
    while practice.advance(campaign.pk):
        pass
    campaign.refresh_from_db()
    return campaign


def test_programs_take_seats_before_the_start_and_play_as_soon_as_it_is_their_turn(
    person: Callable[..., Any],
) -> None:
    gm, ada = person("Marozia"), person("Ada")
    campaign = campaign_of(gm)
    seated(campaign, gm, "A", ada)
    assert services.fill_with_programs(
        campaign, gm, {"A": "bold", "B": "bold", "C": "cunning"}
    ) == [
        "B",
        "C",
    ]
    campaign.refresh_from_db()
    assert program_levels(campaign) == {"B": "bold", "C": "cunning"}
    assert practice.next_move(campaign) is None, "people start a campaign"
    play(campaign, gm, {"by": "gm", "move": "begin"})
    settled(campaign)
    position = selectors.position(campaign)
    assert position.phase != "setup"
    assert campaign.game.waiting(position)[0].seat == "A"
    moves = campaign.entries.filter(kind=LogEntry.Kind.MOVE).order_by("sequence")
    programs = [entry for entry in moves if entry.actor_id is None]
    assert {program_of(campaign, entry) for entry in programs if entry.seat in ("B", "C")} == {
        "bold",
        "cunning",
    }
    assert record.replays(campaign)
    assert list(audit.differences(campaign)) == []


def test_a_seat_left_in_the_middle_of_a_draw_is_played_on_and_taken_back(
    person: Callable[..., Any],
) -> None:
    gm, ada, ben = person("Marozia"), person("Ada"), person("Ben")
    campaign = campaign_of(gm)
    for seat, user in (("A", ada), ("B", ben), ("C", gm)):
        if user == gm:
            services.take_seat_as_master(campaign, gm, seat)
        else:
            seated(campaign, gm, seat, user)
    people = {"A": ada, "B": ben, "C": gm}
    campaign.refresh_from_db()
    play(campaign, gm, {"by": "C", "move": "begin"})
    campaign.refresh_from_db()
    going = campaign.game.pages.automatic_move(selectors.position(campaign))
    play(campaign, gm, {"by": "C", **going})
    campaign.refresh_from_db()
    mover = campaign.game.waiting(selectors.position(campaign))[0].seat
    play(campaign, people[mover], {"by": mover, "move": "draw"})
    campaign.refresh_from_db()
    assert selectors.position(campaign).draw.open is not None, "the counter is in the hand"

    services.leave_to_program(campaign, people[mover], mover, "cautious")
    settled(campaign)
    assert program_levels(campaign) == {mover: "cautious"}
    last = campaign.entries.filter(kind=LogEntry.Kind.MOVE, seat=mover).latest("sequence")
    assert (last.actor_id, program_of(campaign, last)) == (None, "cautious")
    assert campaign.game.waiting(selectors.position(campaign))[0].seat != mover

    # Its level changes during play, and the person who left it takes the seat back.
    services.let_program(campaign, gm, mover, "cunning")
    campaign.refresh_from_db()
    assert program_levels(campaign) == {mover: "cunning"}
    assert selectors.log(campaign, gm, limit=1)[0].text.endswith(
        "the program now plays as cunning."
    )
    other = next(user for seat, user in people.items() if seat != mover)
    assert seats_to_take_back(campaign, other) == []
    with pytest.raises(NotAllowed):
        services.take_back(campaign, other, mover)
    assert seats_to_take_back(campaign, people[mover]) == [mover]
    services.take_back(campaign, people[mover], mover)
    campaign.refresh_from_db()
    assert (program_levels(campaign), free_seats(campaign)) == ({}, [])
    assert list(audit.differences(campaign)) == []


def test_a_seat_that_the_game_master_has_freed_cannot_be_taken_back(
    person: Callable[..., Any],
) -> None:
    gm, ada = person("Marozia"), person("Ada")
    campaign = campaign_of(gm)
    seated(campaign, gm, "A", ada)
    services.leave_to_program(campaign, gm, "A", "bold")
    campaign.refresh_from_db()
    assert program_levels(campaign) == {"A": "bold"}
    assert seats_to_take_back(campaign, ada) == []


def test_a_seat_that_was_left_free_is_not_taken_back_from_a_later_program(
    person: Callable[..., Any],
) -> None:
    """Its player returns only with a new invitation, as the page says."""
    gm, ada = person("Marozia"), person("Ada")
    campaign = campaign_of(gm)
    seated(campaign, gm, "A", ada)
    services.vacate(campaign, ada, "A")
    services.let_program(campaign, gm, "A", "bold")
    campaign.refresh_from_db()
    assert program_levels(campaign) == {"A": "bold"}
    assert seats_to_take_back(campaign, ada) == []
    with pytest.raises(NotAllowed):
        services.take_back(campaign, ada, "A")
    # The same holds after the game master has removed the program to which the seat was left.
    services.take_program_away(campaign, gm, "A")
    seated(campaign, gm, "A", ada)
    services.leave_to_program(campaign, ada, "A", "bold")
    campaign.refresh_from_db()
    assert seats_to_take_back(campaign, ada) == ["A"]
    services.take_program_away(campaign, gm, "A")
    services.let_program(campaign, gm, "A", "cautious")
    campaign.refresh_from_db()
    assert seats_to_take_back(campaign, ada) == []


def test_programs_move_the_emperors_of_tetrarchia_after_an_undo_and_without_a_worker(
    person: Callable[..., Any],
) -> None:
    gm, ada = person("Marozia"), person("Ada")
    campaign = campaign_of(gm, "tetrarchia", {"players": 2})
    seated(campaign, gm, "west", ada)
    services.let_program(campaign, gm, "east", "sensible")
    play(campaign, gm, {"by": "gm", "move": "begin"})
    settled(campaign)
    assert campaign.game.waiting(selectors.position(campaign))[0].seat == "west"
    moves = campaign.entries.filter(kind=LogEntry.Kind.MOVE, seat="east").order_by("sequence")
    first = moves[0]
    assert first.content["move"] == "place_fleets"
    services.undo_to(campaign, gm, first.number, "Another try", selectors.seen(campaign, gm))
    assert practice.tick(datetime.now(UTC), 5) == 1, "the pulse makes the moves"
    campaign.refresh_from_db()
    assert campaign.game.waiting(selectors.position(campaign))[0].seat == "west"
    assert list(audit.differences(campaign)) == []


def test_where_no_program_may_hold_a_seat(person: Callable[..., Any]) -> None:
    gm, ada = person("Marozia"), person("Ada")
    campaign = campaign_of(gm)
    seated(campaign, gm, "A", ada)
    services.let_program(campaign, gm, "B", "bold")
    with pytest.raises(Refused, match="already plays this seat"):
        services.let_program(campaign, gm, "B", "bold")
    with pytest.raises(Refused, match="not free"):
        services.let_program(campaign, gm, "A", "bold")
    with pytest.raises(NotAllowed):
        services.let_program(campaign, ada, "C", "bold")
    with pytest.raises(NotAllowed):
        services.leave_to_program(campaign, ada, "B", "bold")
    alone = campaign_of(gm, "tetrarchia", {})
    assert levels(alone) == {}
    with pytest.raises(NotNow):
        services.let_program(alone, gm, "diocletian", "sensible")


def test_a_program_leaves_a_seat_that_the_changed_terms_do_not_have(
    person: Callable[..., Any],
) -> None:
    gm = person("Marozia")
    campaign = campaign_of(gm, options={"players": 4})
    services.fill_with_programs(campaign, gm, dict.fromkeys("ABCD", "bold"))
    services.change_terms(campaign, gm, options={"players": 3})
    campaign.refresh_from_db()
    assert sorted(program_levels(campaign)) == ["A", "B", "C"]


def test_the_pulse_looks_at_every_campaign_with_programs_in_turn(
    person: Callable[..., Any],
) -> None:
    """With two looks at a time, one at the newest, the others take turns."""
    gm = person("Marozia")
    campaigns = []
    for _number in range(4):
        campaign = campaign_of(gm)
        services.fill_with_programs(campaign, gm, dict.fromkeys("ABC", "bold"))
        play(campaign, gm, {"by": "gm", "move": "begin"})
        campaigns.append(campaign.pk)
    now = datetime(2026, 5, 1, tzinfo=UTC)
    seen = [
        [campaign.pk for campaign in practice.campaigns_of_pulse(now + timedelta(minutes=n), 2)]
        for n in range(3)
    ]
    newest = campaigns[-1]
    assert [looked[0] for looked in seen] == [newest] * 3
    assert {looked[1] for looked in seen} == set(campaigns[:-1])


class Mistaken(TetrarchiaPlayers):
    """Programs whose first choices are not legal moves.

    `asked` has the levels that were asked to choose.
    """

    def __init__(self, mistakes: int) -> None:
        self.mistakes = mistakes
        self.asked: list[dict[str, str]] = []

    def asks(
        self, position: Any, seats: Mapping[str, str], by_hand: bool = False
    ) -> Callable[[Random], dict[str, Any]] | None:
        makes = super().asks(position, seats, by_hand)
        if makes is None:
            return None
        self.asked.append(dict(seats))
        if len(self.asked) > self.mistakes:
            return makes
        return lambda chance: {"by": makes(chance)["by"], "move": "begin"}


@pytest.mark.parametrize("mistakes", [3, 4])
def test_a_program_chooses_again_up_to_three_times_at_the_weakest_level(
    person: Callable[..., Any], monkeypatch: pytest.MonkeyPatch, mistakes: int
) -> None:
    """The third new choice is played; after a fourth mistake the table waits."""
    gm, ada = person("Marozia"), person("Ada")
    campaign = campaign_of(gm, "tetrarchia", {"players": 2})
    seated(campaign, gm, "west", ada)
    services.let_program(campaign, gm, "east", "sensible")
    play(campaign, gm, {"by": "gm", "move": "begin"})
    before = campaign.entries.filter(kind=LogEntry.Kind.MOVE).count()
    programs = Mistaken(mistakes)
    monkeypatch.setattr(type(campaign.game), "players", programs)
    settled(campaign)
    weakest = next(iter(programs.levels))
    assert weakest != "sensible"
    assert programs.asked[:4] == [{"east": "sensible"}] + [{"east": weakest}] * 3
    moves = campaign.entries.filter(kind=LogEntry.Kind.MOVE).count() - before
    if mistakes == 4:
        assert (moves, len(programs.asked)) == (0, 4)
    else:
        assert moves >= 1
        assert programs.asked[4] == {"east": "sensible"}, "after a move the count begins again"
