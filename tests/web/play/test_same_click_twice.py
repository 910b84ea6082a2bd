"""Double clicks: every form takes effect once, and the second answer shows the current state."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from campaign import imports, services
from campaign.clocks.selectors import KINDS, running
from campaign.log import record
from campaign.models import Campaign, ImportJob, LogEntry
from engine.strict_json import canonical
from forum.models import Thread
from people.models import Absence
from tests.web.contests import visible_text
from tests.web.grand_table import GrandTable, draft, grand_table, new_campaign
from tests.web.seats.test_absence import form as away

__all__ = ["draft", "grand_table", "new_campaign"]

CLIPBOARD = {
    "transport": "clipboard",
    "name": "Thread",
    "dialect": "phpbb",
    "language": "en",
    "kinds": "turn",
}


def announced(grand_table: GrandTable) -> list[str]:
    return [
        entry.content["move"]
        for entry in grand_table.campaign.entries.filter(kind="move").order_by("sequence")
    ]


def lines(grand_table: GrandTable, text: str, who: str = "gm") -> Callable[[], Any]:
    """Send these lines from a page that does not change."""
    data = {
        "text": text,
        "do": "announce",
        "seen": str(grand_table.seen(who)),
        "seat": str(grand_table.campaign.active_seat),
    }
    return lambda: grand_table.post(who, "orders/", **data)


# Moves as text ------------------------------------------------------------------------------------


def test_lines_are_announced_once(grand_table: GrandTable) -> None:
    press, before = (
        lines(grand_table, "grant a tax exemption\nend the slot"),
        announced(grand_table),
    )
    assert [press()["Location"] for _ in range(2)] == [grand_table.home] * 2
    assert announced(grand_table) == [*before, "tax-exemption", "end-slot"]
    assert "2 moves announced." in grand_table.text("gm")


def test_a_line_that_was_said_is_not_offered_again(grand_table: GrandTable) -> None:
    """An exemption could be granted twice if it were offered again."""
    press, before = (
        lines(grand_table, "grant a tax exemption\nwhat a turn\nend the slot"),
        announced(grand_table),
    )
    first, second = press(), press()
    assert (first.status_code, second.status_code) == (200, 200)
    for page in (first, second):
        assert "1 move announced." in visible_text(page)
        assert ">what a turn\nend the slot</textarea>" in page.content.decode()
        assert (
            "tax exemption"
            not in visible_text(page)
            .partition("How to write moves")[0]
            .partition("Seat for lines without a name")[2]
        )
    assert announced(grand_table) == [*before, "tax-exemption"]


def test_killed_between_two_lines_the_rest_is_left(
    grand_table: GrandTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    press, before, play = (
        lines(grand_table, "grant a tax exemption\ntax-exemption\nend the slot"),
        announced(grand_table),
        services.play,
    )

    def killed(campaign: Campaign, user: Any, raw: Any, seen: int, **more: Any) -> Any:
        if LogEntry.objects.filter(campaign=campaign, kind="move").count() > len(before):
            raise SystemExit
        return play(campaign, user, raw, seen, **more)

    monkeypatch.setattr(services, "play", killed)
    with pytest.raises(SystemExit):
        press()
    monkeypatch.undo()
    page = press()
    assert announced(grand_table) == [*before, "tax-exemption"]
    assert page.status_code == 200
    assert ">tax-exemption\nend the slot</textarea>" in page.content.decode()


def test_later_moves_of_others_are_shown(grand_table: GrandTable) -> None:
    before = announced(grand_table)
    press = lines(grand_table, "grant a tax exemption\nwhat a turn")
    press()
    services.play(
        grand_table.campaign,
        grand_table.people["hun"],
        {"move": "tax-exemption"},
        grand_table.seen("hun"),
    )
    page = press()
    assert page.status_code == 409
    assert visible_text(page).count("Huns grant a tax exemption") == 1
    assert ">what a turn</textarea>" in page.content.decode()
    assert announced(grand_table) == [*before, "tax-exemption", "tax-exemption"]


def test_equal_moves_of_another_user_do_not_count_as_these_lines(grand_table: GrandTable) -> None:
    press, before = lines(grand_table, "grant a tax exemption"), announced(grand_table)
    services.play(
        grand_table.campaign,
        grand_table.people["hun"],
        {"move": "tax-exemption"},
        grand_table.seen("hun"),
    )
    page = press()
    assert page.status_code == 409
    assert ">grant a tax exemption</textarea>" in page.content.decode()
    assert announced(grand_table) == [*before, "tax-exemption"]


# Founded, set up ----------------------------------------------------------------------------------


def test_a_record_founds_one_campaign(grand_table: GrandTable) -> None:
    text = canonical(record.full_record(grand_table.campaign)).encode()

    def press(**more: str) -> Any:
        file = SimpleUploadedFile("record.json", text)
        data = {
            "name": "Taken over",
            "time_zone": "Europe/Rome",
            "visibility": "unlisted",
            "text": "",
            "file": file,
            **more,
        }
        return grand_table.clients["stranger"].post("/found/import/", data)

    assert [press(name="").status_code for _ in range(2)] == [422, 422]
    first = press()["Location"]
    assert press()["Location"] == first
    for _ in range(2):
        imports.work(ImportJob.objects.get().pk)
    assert press()["Location"] == first, "done in the meantime"
    assert Campaign.objects.filter(name="Taken over").count() == 1
    press(name="Another")
    imports.work(ImportJob.objects.latest("pk").pk)
    assert Campaign.objects.filter(founder=grand_table.people["stranger"]).count() == 2


def test_a_place_is_set_up_once(grand_table: GrandTable) -> None:
    """Two threads at one place would get every post twice."""
    assert [
        grand_table.post("gm", "threads/new/", **CLIPBOARD, limit="1").status_code for _ in range(2)
    ] == [422, 422]
    assert [grand_table.post("gm", "threads/new/", **CLIPBOARD).status_code for _ in range(2)] == [
        303,
        303,
    ]
    assert Thread.objects.count() == 1
    grand_table.post("gm", "threads/new/", **CLIPBOARD | {"name": "Another"})
    assert Thread.objects.count() == 2


def test_a_report_s_buttons(grand_table: GrandTable) -> None:
    grand_table.post("gm", "threads/new/", **CLIPBOARD)
    thread = Thread.objects.get()
    for _ in range(2):
        grand_table.post("gm", "posts/", do="draft", thread=str(thread.pk), report="slot-1-huns")
    (head,) = thread.posts.filter(first=None, report="slot-1-huns")
    link = "https://forum.example/1"
    for do, state in (
        ("ready", "ready"),
        ("unready", "draft"),
        ("posted", "posted"),
        ("unposted", "ready"),
        ("aside", "aside"),
        ("back", "ready"),
    ):
        for _ in range(2):
            grand_table.post("gm", f"posts/{head.number}/", do=do, link=link)
            head.refresh_from_db()
            assert head.state == state, do
    assert thread.posts.filter(report="slot-1-huns").count() == 1


# At the table -------------------------------------------------------------------------------------


def entries(grand_table: GrandTable, press: Callable[[], Any], *statuses: int) -> int:
    """Return how many entries a double click makes."""
    before = grand_table.campaign.entries.count()
    assert tuple(press().status_code for _ in range(2)) == statuses
    return grand_table.campaign.entries.count() - before


def test_dice_are_entered_once(draft: GrandTable) -> None:
    def press(**data: str) -> Callable[[], Any]:
        return lambda: draft.post("gm", "dice/by-hand/", **data)

    assert entries(draft, press(do="on"), 303, 422) == 1
    draft.play("gm", "start")
    assert (
        entries(draft, press(do="give", **{"die:start": "4"}), 303, 422) == 2
    )  # the die, and the next one to be entered
    assert entries(draft, press(do="drop"), 303, 422) == 1
    ahead = press(do="ahead", purpose="turn-2/card/huns", value="4")
    assert entries(draft, ahead, 303, 422) == 1
    assert (
        "This die has already been thrown. A die is thrown only once for each purpose."
        in visible_text(ahead())
    )


def test_an_entry_is_linked_once(grand_table: GrandTable) -> None:
    assert (
        entries(
            grand_table,
            lambda: grand_table.post("gm", "e/3/link/", url="https://forum.example/1"),
            303,
            303,
        )
        == 1
    )


def test_a_clock_is_extended_once_and_terms_are_set_once(grand_table: GrandTable) -> None:
    clock = running(grand_table.campaign)[0]
    to = (
        (clock.due_at + timedelta(hours=5))
        .astimezone(ZoneInfo("Europe/Rome"))
        .strftime("%Y-%m-%dT%H:%M")
    )
    form = {
        "do": "extend",
        "extend": str(clock.pk),
        "to": to,
        "reason": "Asked.",
        "seen": str(grand_table.seen("gm")),
    }
    assert entries(grand_table, lambda: grand_table.post("gm", "clocks/", **form), 303, 422) == 1
    nine = {"length": "9", "unit": "d", "grace": "0", "grace_unit": "h", "then": "remind"}
    terms = {f"{kind}-{key}": value for kind in KINDS for key, value in nine.items()}
    assert (
        entries(
            grand_table, lambda: grand_table.post("gm", "clocks/", do="terms", **terms), 303, 422
        )
        == 1
    )


def test_remedies_are_taken_once(grand_table: GrandTable) -> None:
    def press(do: str) -> Callable[[], Any]:
        seen = str(grand_table.seen("gm"))
        return lambda: grand_table.post("gm", "desk/away/huns/", do=do, reason="Ill.", seen=seen)

    assert entries(grand_table, press("time-out"), 303, 422) == 1
    grand_table.post("gm", "about/", do="live", how="resumed")
    assert entries(grand_table, press("replace"), 303, 422) == 1
    assert grand_table.campaign.memberships.filter(seat="huns", until=None).count() == 0


def test_an_absence_is_entered_once(grand_table: GrandTable) -> None:
    form = away(2, 9)
    assert [grand_table.post("hun", "/me/absence/", **form).status_code for _ in range(2)] == [
        302,
        422,
    ]
    form["absence"] = str(Absence.objects.get().pk)
    assert [
        grand_table.post("hun", "/me/absence/", do="take-back", **form).status_code
        for _ in range(2)
    ] == [302, 404]


def test_a_note_written_in_two_windows(grand_table: GrandTable) -> None:
    form = {"text": "Mine.", "version": "0", "left": "on"}
    assert [grand_table.post("hun", "n/huns/notes/", **form).status_code for _ in range(2)] == [
        302,
        409,
    ]
