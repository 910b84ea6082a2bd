"""Functions that all pages about the forum share: tabs, refusals, and the size of a post."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple

from django import forms
from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest
from django.template.defaultfilters import floatformat
from django.utils.translation import gettext as _

from campaign.errors import TableError
from forum.dialects import Dialect


class Tab(NamedTuple):
    """A link to another form of the same page. `code` is the language of its name."""

    name: str
    url: str
    is_open: bool
    code: str = ""


def size_of(dialect: Dialect, count: int, limit: int) -> str:
    """Return the size of a post and the limit in words."""
    text = _("%(board)s, %(count)s of %(limit)s characters")
    return text % {"board": dialect.name, **lengths(count, limit)}


def size_heading_of(dialect: Dialect, count: int, limit: int) -> str:
    """Return the size of a post and the limit in words, for a heading."""
    text = _("%(count)s of %(limit)s characters")
    return f"{dialect.name} · {text % lengths(count, limit)}"


def lengths(count: int, limit: int) -> dict[str, str]:
    """Return two numbers of characters, formatted for people."""
    return {"count": floatformat(count, "0g"), "limit": floatformat(limit, "0g")}


def language_names() -> dict[str, str]:
    """Return the languages of reports by their codes, each named in itself."""
    return dict(settings.LANGUAGES)


def refuse(form: forms.Form, field: str, text: str) -> None:
    """Add a service's refusal to a form: to its field, or to the form if it has no such field."""
    form.add_error(field if field in form.fields else None, text)


@contextmanager
def refusals_as_messages(request: HttpRequest) -> Iterator[None]:
    """Show a service's refusals as messages on the next page, except for missing permissions."""
    try:
        yield
    except TableError as error:
        if error.status == 403:
            raise
        messages.error(request, str(error))
