"""Fixed chance and time, so that a page is the same in every run."""

from __future__ import annotations

import hashlib
import os
import random
from collections.abc import Iterator
from datetime import UTC, datetime

import pytest
import time_machine
from django.db import connection

from tests.web.put_back import CACHE_CLEARERS

NOW = datetime(2026, 11, 20, 18, 30, tzinfo=UTC)


class Stream:
    """Bytes that look random and are the same in every run."""

    def __init__(self) -> None:
        self.start = ""
        self.count = 0

    def __call__(self, size: int) -> bytes:
        self.count += 1
        return hashlib.shake_256(f"{self.start} {self.count}".encode()).digest(size)

    def begin(self, name: str) -> None:
        """Continue with the bytes that belong to this name, independently of earlier calls."""
        self.start, self.count = name, 0
        random.seed(name)


STREAM = Stream()


def forget() -> None:
    """Empty the caches in which the process keeps campaigns by their last entry."""
    for clear in CACHE_CLEARERS:
        clear()


@pytest.fixture
def still(db: None, monkeypatch: pytest.MonkeyPatch) -> Iterator[Stream]:
    """Stop the clock, fix chance, and number the rows of every table from 1."""
    monkeypatch.setattr(random, "_urandom", STREAM)
    monkeypatch.setattr(os, "urandom", STREAM)
    STREAM.begin("")
    if connection.vendor == "sqlite":
        with connection.cursor() as cursor:
            cursor.execute("DELETE FROM sqlite_sequence")
    forget()
    with time_machine.travel(NOW, tick=False):
        yield STREAM
    forget()
