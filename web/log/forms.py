"""What readers of the log ask for and type."""

from __future__ import annotations

from dataclasses import dataclass

from django import forms

from engine.strict_json import whole
from web.frame.fields import AskedNumber, TypedText
from web.frame.posted import PostedForm, text_field

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


class LogForm(forms.Form):
    """Which page of the log an address asks for."""

    before = AskedNumber()
    after = AskedNumber()
    at = AskedNumber()
    all = TypedText()

    @property
    def query(self) -> LogQuery:
        """Return what a valid address asks for.

        With `all`, `at` does not count; with `at`, `before` and `after` do not count.
        """
        before, after = self.cleaned_data["before"], self.cleaned_data["after"]
        if "all" in self.data:
            return LogQuery(before=before, after=after, every=True)
        at = self.cleaned_data["at"]
        return LogQuery(at=at) if at is not None else LogQuery(before=before, after=after)


@dataclass(frozen=True, slots=True)
class LiveQuery:
    """What an open page asks when something may have changed (static/js/live.js)."""

    seen: int | None
    """The place of the last entry that the page knows."""
    counted: int
    """The entries that it has reported already."""


class LiveForm(PostedForm):
    """What an open page asks: its mark `at`, and the entries that it has `counted`."""

    at = text_field()
    counted = text_field()

    @property
    def query(self) -> LiveQuery:
        counted = self.number("counted") or 0
        return LiveQuery(whole(self.typed("at").partition(".")[0]), min(counted, MANY))


class LinkForm(forms.Form):
    """The address of an entry's post on the forum; empty to take it back. The service checks it."""

    url = forms.CharField(required=False, strip=False)
