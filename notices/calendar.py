"""A calendar of deadlines in the form of RFC 5545: lines of 75 octets at most, ends of lines as the mail has them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime

NAME = "-//Tabula//Deadlines//EN"
LONGEST = 75  # octets of a line, its end aside


@dataclass(frozen=True, slots=True)
class Event:
    """An instant that something is due at. `key` stays the same while the deadline is moved, `revision` grows with that and
    never shrinks."""

    key: str
    due: datetime
    summary: str
    description: str
    url: str
    revision: int = 0


def calendar(name: str, events: Iterable[Event], now: datetime) -> str:
    lines = ["BEGIN:VCALENDAR", "VERSION:2.0", f"PRODID:{NAME}", "CALSCALE:GREGORIAN", "METHOD:PUBLISH"]
    lines += [f"NAME:{text(name)}", f"X-WR-CALNAME:{text(name)}", "REFRESH-INTERVAL;VALUE=DURATION:PT1H"]
    for one in events:
        lines += [
            "BEGIN:VEVENT", f"UID:{text(one.key)}", f"DTSTAMP:{stamp(now)}", f"DTSTART:{stamp(one.due)}",
            f"SEQUENCE:{one.revision}", f"SUMMARY:{text(one.summary)}", f"DESCRIPTION:{text(one.description)}",
            f"URL:{one.url}", "TRANSP:TRANSPARENT", "END:VEVENT",
        ]  # fmt: skip
    return "".join(folded(line) + "\r\n" for line in (*lines, "END:VCALENDAR"))


def stamp(moment: datetime) -> str:
    return moment.astimezone(UTC).strftime("%Y%m%dT%H%M%SZ")


def text(value: str) -> str:
    """A value of type TEXT: commas, semicolons and ends of lines are written; what no line may hold is left out."""
    for sign, written in (("\\", "\\\\"), (";", "\\;"), (",", "\\,"), ("\r\n", "\\n"), ("\n", "\\n"), ("\r", "\\n")):
        value = value.replace(sign, written)
    return "".join(sign for sign in value if sign >= " " and sign != "\x7f")


def folded(line: str) -> str:
    """The line in pieces that are not too long; no letter is cut in two."""
    pieces: list[str] = []
    piece, size = "", 0
    for sign in line:
        length = len(sign.encode())
        if size + length > LONGEST - (1 if pieces else 0):
            pieces.append(piece)
            piece, size = "", 0
        piece += sign
        size += length
    return "\r\n ".join([*pieces, piece])
