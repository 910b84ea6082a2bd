"""A real third-party forum, on which our assumptions about boards are true, too."""

from __future__ import annotations

from pathlib import Path

import pytest

from forum.boards import AccessRefused, DoubtfulError, Letter, PermanentError, TemporaryError
from forum.boards import Transport as Protocol
from tests.boards.spirit import Transport, spirit, visitor
from tests.boards.wire import Fault, once, serving


def letter(number: int, text: str = "What came to pass, as it was told.") -> Letter:
    marker = f"[GC-{number}-9f2a]"
    return Letter(f"Report {number}", f"**{text}**\n\n{marker}", marker)


@pytest.mark.long
@pytest.mark.thorough
def test_a_real_forum_holds_each_report_once_whatever_breaks_on_the_way(tmp_path: Path) -> None:
    """One story, so that the board is set up once: it takes its time."""
    way = Transport()
    assert isinstance(way, Protocol)
    with spirit(tmp_path) as board, serving(board) as wire:
        shown = {
            "address": f"{board.url}/topic/{board.topics[0]}/the-heap/",
            "username": "Clerk",
            "password": "correct horse",
        }
        shown = way.check(shown)
        http = visitor(board.clock)

        # It goes well: in as a member, once, and the link leads to it.
        sent = way.send(shown, letter(1), http)
        assert sent == way.find(shown, "[GC-1-9f2a]", http)
        assert (wire.seen["login"], wire.seen["post"]) == (1, 1)

        # The board's own pace: once in ten seconds.
        with pytest.raises(TemporaryError):
            way.send(shown, letter(2), http)
        assert way.find(shown, "[GC-2-9f2a]", http) is None
        board.wait_is_over()

        # The request is cut before the board has it, and after. Both look the same to the site, and
        # reading back distinguishes them.
        for number, fault, arrived in (
            (2, Fault.CUT_BEFORE, False),
            (3, Fault.CUT_AFTER, True),
            (4, Fault.BROKEN, True),
        ):
            wire.faults = once("post", fault)
            with pytest.raises(DoubtfulError):
                way.send(shown, letter(number), http)
            result = way.find(shown, f"[GC-{number}-9f2a]", http)
            assert (result is not None) is arrived
            board.wait_is_over()
            if not arrived:
                way.send(shown, letter(number), http)
                board.wait_is_over()

        # Told plainly: a wrong password at once, a closed topic, a report that is too long.
        with pytest.raises(AccessRefused, match=r"(?i)password"):
            way.send(shown | {"password": "wrong"}, letter(5), visitor(board.clock))
        closed = shown["address"].replace(f"/{board.topics[0]}/", f"/{board.topics[1]}/")
        with pytest.raises(PermanentError, match="HTTP 404"):
            way.send(shown | {"address": closed}, letter(5), http)
        with pytest.raises(PermanentError, match="3000"):
            way.send(shown, letter(5, "x" * 3_100), http)
        board.wait_is_over()

        comments = board.comments()
        assert [
            sum(f"[GC-{number}-9f2a]" in comment for comment in comments) for number in range(1, 6)
        ] == [1, 1, 1, 1, 0]
