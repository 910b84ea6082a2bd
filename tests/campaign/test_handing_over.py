"""Notes for a seat, and the parts of them that its next holder receives."""

from __future__ import annotations

from typing import Any

import pytest

from campaign import access, services
from campaign.errors import NotAllowed, NoteChanged, Refused
from campaign.founding import found_campaign as founding
from campaign.models import SeatHandover, SeatNote
from campaign.seats import selectors
from tests.campaign.test_masters import check_audit

TEXT = "Keep the <b>Ant</b> quiet.\nHe owes us two stones."


def write(
    table: Any, who: str, text: str = TEXT, *, left: bool = True, version: int = 0
) -> SeatNote:
    return services.write_note(
        table.campaign, table.people[who], who, text, left=left, version=version
    )


def passes(table: Any, seat: str, to: str) -> None:
    _, token = services.hand_over_link(table.campaign, table.gm, seat)
    services.take_seat(table.people[to], token)


def read(table: Any, who: str, seat: str) -> str:
    result = selectors.handover_of(table.campaign, table.people[who], seat)
    assert result is not None
    return selectors.text_of(result.note)


def test_a_holder_writes_and_reads_their_own_notes(running: Any) -> None:
    note = write(running, "bee")
    assert (
        selectors.text_of(selectors.note_of(running.campaign, running.people["bee"], "bee")) == TEXT
    )
    assert "stones" not in note.text_sealed
    again = write(running, "bee", "Shorter.", left=False, version=1)
    assert (again.version, again.for_successor, selectors.text_of(again)) == (2, False, "Shorter.")
    assert SeatNote.objects.count() == 1
    write(running, "bee", "  ", version=2)
    assert selectors.text_of(SeatNote.objects.get()) == ""


@pytest.mark.parametrize("who", ["gm", "ant", "stranger", None])
def test_no_one_else_writes_or_reads_the_notes(running: Any, who: str | None) -> None:
    write(running, "bee")
    passes(running, "bee", "stranger")
    services.vacate(running.campaign, running.gm, "bee")
    user = None if who is None else running.people[who]
    for refused in (
        lambda: selectors.note_of(running.campaign, user, "bee"),
        lambda: selectors.handover_of(running.campaign, user, "bee"),
        lambda: services.write_note(running.campaign, user, "bee", "Mine", left=True, version=0),
        lambda: services.dismiss_handover(running.campaign, user, "bee"),
    ):
        with pytest.raises(NotAllowed):
            refused()


def test_an_older_window_does_not_overwrite_newer_notes(running: Any) -> None:
    write(running, "bee")
    with pytest.raises(NoteChanged):
        write(running, "bee", "From the other window.")
    assert selectors.text_of(SeatNote.objects.get()) == TEXT


@pytest.mark.parametrize("text", ["x" * 10_001, "a\x00b", "a\ud800b", "a\x85b"])
def test_text_with_unprintable_characters_is_refused(running: Any, text: str) -> None:
    with pytest.raises(Refused, match="Notes can have up to 10000 printable characters"):
        write(running, "bee", text)
    assert not SeatNote.objects.exists()


def test_only_the_successor_reads_the_notes_left_for_them(running: Any) -> None:
    running.play("bee", "add", stones=2)
    write(running, "bee")
    passes(running, "bee", "stranger")
    result = SeatHandover.objects.get()
    assert (result.user, result.leaver, result.seat) == (
        running.stranger,
        running.people["bee"],
        "bee",
    )
    assert read(running, "stranger", "bee") == TEXT
    handed = selectors.handover_of(running.reload(), running.stranger, "bee")
    assert handed is not None
    assert handed.last_said == running.campaign.last_number - 1
    for what in (selectors.note_of, selectors.handover_of):
        with pytest.raises(NotAllowed):
            what(running.campaign, running.people["bee"], "bee")
    assert access.access_of(running.campaign, running.people["bee"]) == access.NO_ACCESS
    own = selectors.note_of(running.campaign, running.stranger, "bee")
    assert (own.pk, selectors.text_of(own)) == (None, "")
    check_audit()


def test_notes_that_are_not_handed_over_stay_sealed(running: Any) -> None:
    write(running, "bee", left=False)
    passes(running, "bee", "stranger")
    assert read(running, "stranger", "bee") == ""
    assert SeatHandover.objects.get().note is None
    passes(running, "bee", "bee")
    assert (
        selectors.text_of(selectors.note_of(running.campaign, running.people["bee"], "bee")) == TEXT
    )


def test_a_seat_that_was_free_hands_over_the_notes_of_its_last_holder(running: Any) -> None:
    write(running, "bee")
    services.vacate(running.campaign, running.people["bee"], "bee")
    assert not SeatHandover.objects.exists()
    services.join_waiting_list(running.campaign, running.stranger)
    services.seat_reserve(running.campaign, running.gm, running.stranger.pk, "bee")
    assert read(running, "stranger", "bee") == TEXT


def test_only_the_last_holder_leaves_something(running: Any) -> None:
    """The Bee's notes went to the stranger, who left none for the next holder."""
    write(running, "bee")
    passes(running, "bee", "stranger")
    passes(running, "bee", "gm")
    assert read(running, "gm", "bee") == ""
    with pytest.raises(NotAllowed):
        selectors.handover_of(running.campaign, running.stranger, "bee")


def test_a_returning_holder_finds_their_own_notes_and_no_handover_page(running: Any) -> None:
    write(running, "bee")
    services.vacate(running.campaign, running.people["bee"], "bee")
    services.take_seat(
        running.people["bee"], services.invite(running.campaign, running.gm, "bee")[1]
    )
    assert not SeatHandover.objects.exists()
    assert (
        selectors.text_of(selectors.note_of(running.campaign, running.people["bee"], "bee")) == TEXT
    )


def test_before_the_start_only_notes_are_handed_over(table: Any) -> None:
    passes(table, "bee", "stranger")
    assert not SeatHandover.objects.exists()
    services.write_note(table.campaign, table.stranger, "bee", TEXT, left=True, version=0)
    passes(table, "bee", "bee")
    assert read(table, "bee", "bee") == TEXT


def test_a_seat_that_nobody_held_is_handed_over_once_it_is_played(people: Any) -> None:
    campaign = founding(people["gm"], "heap", "The Heap", "small")
    services.take_seat(people["ant"], services.invite(campaign, people["gm"], "ant")[1])
    started = services.play(campaign, people["gm"], {"by": "gm", "move": "start"}, 1).campaign
    services.take_seat(people["bee"], services.invite(started, people["gm"], "bee")[1])
    result = selectors.handover_of(started, people["bee"], "bee")
    assert result is not None
    assert (result.leaver, result.note, result.last_said) == (None, None, None)


def test_a_handover_that_was_read_is_no_longer_pending(running: Any) -> None:
    passes(running, "bee", "stranger")

    def waits() -> str | None:
        places = running.campaign.memberships.all()
        place = selectors.with_handovers(places, running.campaign, running.stranger)[0]
        return vars(place)["handed"]

    def own_changes() -> int:
        place = running.campaign.memberships.get(user=running.stranger, until=None)
        return int(place.own_changes)

    assert waits() == "bee"
    before = own_changes()
    services.dismiss_handover(running.campaign, running.stranger, "bee")
    assert own_changes() == before + 1
    services.dismiss_handover(running.campaign, running.stranger, "bee")
    assert own_changes() == before + 1
    assert waits() is None
    assert selectors.handover_of(running.campaign, running.stranger, "bee") is not None
    passes(running, "bee", "ant")
    assert waits() is None
