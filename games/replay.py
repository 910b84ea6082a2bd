"""The command `manage.py replay`, which computes the state of a campaign from its record alone.

It needs only the standard library and no database (RECORD).
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from typing import Any, BinaryIO

from engine import record
from engine.errors import IllegalMove, MalformedRecord
from engine.strict_json import LIMIT, read
from games.registry import by_format


def replay(source: dict[str, Any] | str | bytes, upto: int | None = None) -> dict[str, Any]:
    """Return the state after the record's first `upto` moves, or `{"error": …}`.

    A malformed record or an illegal move never raises.
    """
    try:
        # An object is written first, so that it is judged exactly like its text.
        text = source if isinstance(source, (str, bytes)) else json.dumps(source)
        parsed = record.parse(read(text), by_format())
        state: dict[str, Any] = parsed.title.state(record.replay(parsed, upto))
        return state
    except MalformedRecord as error:
        return _error(None, "malformed-record", str(error))
    except IllegalMove as refusal:
        sentence = parsed.title.refusal(parsed.scenario, refusal)
        return _error(
            refusal.index, refusal.code, f"{sentence} §{refusal.rule}" if refusal.rule else sentence
        )
    except (TypeError, ValueError):
        return _error(None, "malformed-record", "cannot be written as JSON")
    except RecursionError:
        return _error(None, "malformed-record", "nested too deeply")


def _error(index: int | None, code: str, message: str) -> dict[str, Any]:
    return {"error": {"move": index, "code": code, "message": message}}


def _lines(stream: BinaryIO) -> Iterator[bytes]:
    """Yield the lines of a stream, a line over the limit only up to just beyond it."""
    while line := stream.readline(LIMIT + 2):
        yield line.rstrip(b"\r\n")
        while not line.endswith(b"\n") and (line := stream.readline(LIMIT)):
            pass


def main(arguments: list[str]) -> int:
    """Run the command.

    The exit status is 2 if the file is missing or its record is malformed or has an illegal move.
    With `--many` it is 0.
    """
    parser = argparse.ArgumentParser(
        prog="manage.py replay", description="Replay a campaign record."
    )
    parser.add_argument("record", help="the record's file, or - for standard input")
    parser.add_argument("--upto", type=int, metavar="N", help="play only the first N moves")
    parser.add_argument(
        "--many", action="store_true", help="read one record per line, print one result per line"
    )
    options = parser.parse_args(arguments)
    try:
        stream = sys.stdin.buffer if options.record == "-" else open(options.record, "rb")  # noqa: SIM115  # see `with` below
    except OSError as error:
        print(json.dumps(_error(None, "malformed-record", f"{options.record}: {error.strerror}")))
        return 2
    with stream:
        if options.many:
            for line in _lines(stream):
                print(json.dumps(replay(line, options.upto), separators=(",", ":")))
            return 0
        result = replay(stream.read(LIMIT + 1), options.upto)
    print(json.dumps(result, indent=1))
    return 2 if "error" in result else 0
