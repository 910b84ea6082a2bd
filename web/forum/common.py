"""What all pages about the forum share: form fields, chips, tabs, and how long a post is."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

from django import forms
from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest
from django.template.defaultfilters import floatformat
from django.utils.html import conditional_escape
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from campaign.errors import TableError
from engine.strict_json import whole
from forum.dialects import Dialect


class TypedText(forms.CharField):
    """Text exactly as it was typed. The service that takes it decides what is wrong with it."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**{"required": False, "strip": False, **options})
        self.validators = []


class WholeNumber(forms.Field):
    """A number that a page sent back; None if it is not one."""

    def __init__(self) -> None:
        super().__init__(required=False)

    def to_python(self, value: object) -> int | None:
        return whole(str(value or ""))


class WholeNumbers(forms.Field):
    """The numbers of the rows that are ticked. What is not a number is left out."""

    widget = forms.SelectMultiple

    def __init__(self) -> None:
        super().__init__(required=False)

    def to_python(self, value: Sequence[str] | None) -> list[int]:
        return [number for text in value or () if (number := whole(text)) is not None]


def text_area(rows: int, most: int) -> forms.Textarea:
    """Return the widget of a text with several lines and at most so many characters."""
    return forms.Textarea({"class": "textarea", "rows": rows, "maxlength": most, "cols": False})


class Chip(NamedTuple):
    """A word in a coloured frame."""

    text: str
    tone: str = ""
    icon: str = ""


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


def with_times(text: str, **facts: str | int) -> SafeString:
    """Return a sentence of ours with facts in it, of which some are times as HTML."""
    texts = {name: fact if isinstance(fact, str) else str(fact) for name, fact in facts.items()}
    escaped = {name: conditional_escape(fact) for name, fact in texts.items()}
    return SafeString(text % escaped)
