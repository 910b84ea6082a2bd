"""Queries and forms of the log."""

from __future__ import annotations

from dataclasses import dataclass

from django import forms

from engine.strict_json import read_whole_number
from web.frame.fields import AskedNumber, TypedText, TypedTexts
from web.frame.raw_forms import PostedForm, text_field

MANY = 10_000
"""The largest number of earlier entries that an open page may report as already counted."""


@dataclass(frozen=True, slots=True)
class LogQuery:
    """The requested page of the log, by numbers of entries."""

    before: int | None = None
    after: int | None = None
    at: int | None = None
    """Asks for the page that has this entry."""
    every: bool = False
    nations: tuple[str, ...] = ()
    kinds: tuple[str, ...] = ()
    """The nations and kinds of the filter, as the address names them."""


class LogForm(forms.Form):
    """The page of the log that an address asks for."""

    before = AskedNumber()
    after = AskedNumber()
    at = AskedNumber()
    all = TypedText()
    nation = TypedTexts()
    kind = TypedTexts()

    @property
    def query(self) -> LogQuery:
        """Return the query of a valid address.

        `all` takes precedence over `at`, and `at` over `before` and `after`.
        """
        before, after = self.cleaned_data["before"], self.cleaned_data["after"]
        at, every = self.cleaned_data["at"], "all" in self.data
        if at is not None and not every:
            before = after = None
        return LogQuery(
            before=before,
            after=after,
            at=None if every else at,
            every=every,
            nations=tuple(self.cleaned_data["nation"]),
            kinds=tuple(self.cleaned_data["kind"]),
        )


@dataclass(frozen=True, slots=True)
class LiveQuery:
    """The query that an open page sends when something may have changed (static/js/live.js)."""

    seen: int | None
    """The place of the last entry that the page knows."""
    counted: int
    """The number of entries that it has already reported."""


class LiveForm(PostedForm):
    """The data that an open page sends: its mark `at`, and how many entries it has `counted`."""

    at = text_field()
    counted = text_field()

    @property
    def query(self) -> LiveQuery:
        counted = self.number_of("counted") or 0
        return LiveQuery(
            read_whole_number(self.text_of("at").partition(".")[0]), min(counted, MANY)
        )


class LinkForm(forms.Form):
    """The address of an entry's post on the forum; empty to remove it.

    The service checks it.
    """

    url = forms.CharField(required=False, strip=False)
