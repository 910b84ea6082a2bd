"""What readers of the log ask for and type."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from django import forms

from engine.strict_json import whole

MANY = 10_000
"""The most earlier entries that an open page may report as already counted."""


@dataclass(frozen=True, slots=True)
class LogQuery:
    """Which page of the log is asked for, by numbers of entries."""

    before: int | None = None
    after: int | None = None
    at: int | None = None
    """The page that has this entry."""
    every: bool = False


def log_query(asked: Mapping[str, str]) -> LogQuery | None:
    """Return what an address asks for; None if a number is not one."""
    given = {key: whole(asked[key]) for key in ("before", "after", "at") if asked.get(key)}
    if None in given.values():
        return None
    every, at = "all" in asked, given.get("at")
    if every:
        return LogQuery(before=given.get("before"), after=given.get("after"), every=True)
    if at is not None:
        return LogQuery(at=at)
    return LogQuery(before=given.get("before"), after=given.get("after"))


@dataclass(frozen=True, slots=True)
class LiveQuery:
    """What a page that is open asks every few seconds (static/js/live.js)."""

    mark: str
    """The mark of the page (`web.frame.live.mark`)."""
    seen: int | None
    """The place of the last entry that the page knows."""
    counted: int
    """The entries that it has reported already."""


def live_query(asked: Mapping[str, str]) -> LiveQuery:
    mark = asked.get("at", "")
    counted = whole(asked.get("counted", "")) or 0
    return LiveQuery(mark, whole(mark.partition(".")[0]), min(counted, MANY))


class LinkForm(forms.Form):
    """The address of an entry's post on the forum; empty to take it back. The service checks it."""

    url = forms.CharField(required=False, strip=False)
