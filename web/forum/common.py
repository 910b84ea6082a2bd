"""What all pages about the forum share: tabs, refusals, and how long a post is."""

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
    """A link to another form of the same page. `code` is the language that its name is in."""

    name: str
    url: str
    is_open: bool
    code: str = ""


def size_of(dialect: Dialect, count: int, limit: int) -> str:
    """Return how long a post is and how long it may be."""
    text = _("%(board)s, %(count)s of %(limit)s characters")
    return text % {"board": dialect.name, **lengths(count, limit)}


def long_size_of(dialect: Dialect, count: int, limit: int) -> str:
    """Return the same for a heading."""
    text = _("%(count)s of %(limit)s characters")
    return f"{dialect.name} · {text % lengths(count, limit)}"


def lengths(count: int, limit: int) -> dict[str, str]:
    """Return two numbers of characters as people read them."""
    return {"count": floatformat(count, "0g"), "limit": floatformat(limit, "0g")}


def language_names() -> dict[str, str]:
    """Return the languages of reports by their codes, each with its own name."""
    return dict(settings.LANGUAGES)


def refuse(form: forms.Form, field: str, text: str) -> None:
    """Add what a service refused to a form: to its field, or to the form if there is no field."""
    form.add_error(field if field in form.fields else None, text)


@contextmanager
def refusals_as_messages(request: HttpRequest) -> Iterator[None]:
    """Show what a service refuses on the next page. That someone may not do it stays an error."""
    try:
        yield
    except TableError as error:
        if error.status == 403:
            raise
        messages.error(request, str(error))
