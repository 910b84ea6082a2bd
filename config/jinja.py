"""The Jinja2 environment: the functions and filters of templates."""

from __future__ import annotations

import json
from datetime import date, datetime, time
from decimal import Decimal
from typing import Any

from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.forms import BoundField
from django.template import defaultfilters
from django.templatetags.static import static
from django.urls import NoReverseMatch, reverse
from django.utils import formats, timezone, translation
from django.utils.html import json_script
from django_htmx.jinja import htmx_script
from jinja2 import Environment, StrictUndefined, pass_context

from campaign.dates import written
from web.frame import deadlines
from web.frame.waiting_lines import fold
from web.templatetags import tabula

HTMX = {
    "allowEval": False,
    "includeIndicatorStyles": False,
    "responseHandling": [
        {"code": "204", "swap": False},
        {"code": "[23]..", "swap": True},
        {"code": "4(09|22)", "swap": True},
        {"code": "[45]..", "swap": False, "error": True},
    ],
}
"""The settings of htmx: a refused form (409, 422) replaces the element that sent it."""


def environment(**options: Any) -> Environment:
    """Return the environment of Django's backend `django.template.backends.jinja2.Jinja2`."""
    options |= {
        "undefined": StrictUndefined,
        "trim_blocks": True,
        "lstrip_blocks": True,
        "finalize": localised,
    }
    env = Environment(extensions=["jinja2.ext.i18n"], **options)  # noqa: S701  # the backend turns autoescape on
    env.install_gettext_translations(translation, newstyle=True)  # type: ignore[attr-defined]  # the extension adds it
    env.globals |= {
        # Defaults for names that the layout uses, for pages that are rendered without a request.
        "csrf_input": "",
        "csrf_token": "",
        "guest_has": lambda: "",
        "messages": (),
        "reader_mark": "",
        "reports_waiting": lambda: None,
        "request": None,
        "site_version": "",
        "site_zone": "",
        "user": AnonymousUser(),
        # Functions that templates call.
        "static": static,
        "translated": translated,
        "url_to": url_to,
        "url_or_none": url_or_none,
        "rule": pass_context(tabula.rule),
        "report_link": pass_context(tabula.report),
        "icon": tabula.icon,
        "nation": tabula.nation,
        "pips": tabula.pips,
        "delta": tabula.delta,
        "with_names": tabula.put,
        "form_field": tabula.field,
        "folded": fold,
        "due_until": deadlines.until_text,
        "due_then": deadlines.then_text,
        "attributes_of": attributes_of,
        "htmx_config": json.dumps(HTMX, separators=(",", ":")),
        "htmx_script": htmx_script,
        "get_language": translation.get_language,
        "get_languages": languages,
        "get_language_info": translation.get_language_info,
    }
    env.filters |= {
        "when": tabula.when,
        "day": tabula.a_day,
        "half": tabula.half,
        "place": tabula.place,
        "signed": tabula.signed,
        "minus": tabula.minus,
        "within": tabula.inside_a_sentence,
        "dated": lambda moment, form: written(local(moment), form),
        "date": lambda moment, form=None: defaultfilters.date(local(moment), form),
        "time": lambda moment, form=None: defaultfilters.time(local(moment), form),
        "capfirst": defaultfilters.capfirst,
        "floatformat": defaultfilters.floatformat,
        "json_script": json_script,
        "linebreaks": defaultfilters.linebreaks_filter,
        "linebreaksbr": defaultfilters.linebreaksbr,
        "truncatechars": defaultfilters.truncatechars,
        "urlencode": defaultfilters.urlencode,
    }
    return env


def localised(value: Any) -> Any:
    """Return a value as a template shows it.

    Numbers and dates are in the reader's language and time zone.
    """
    if isinstance(value, (float, Decimal, date, time)):
        return formats.localize(local(value))
    return value


def languages() -> list[tuple[str, str]]:
    """Return the codes of the site's languages and their names in the reader's language."""
    return [(code, translation.gettext(name)) for code, name in settings.LANGUAGES]


def translated(text: str) -> str:
    """Return a stored text in the reader's language.

    The template escapes it, unlike the result of `_()`.
    """
    return translation.gettext(text)


def url_to(name: str, *args: Any) -> str:
    """Return the address of a page."""
    return reverse(name, args=args)


def url_or_none(name: str, *args: Any) -> str:
    """Return the address of a page; empty if this installation does not have the page."""
    try:
        return url_to(name, *args)
    except NoReverseMatch:
        return ""


def attributes_of(bound: BoundField, ident: str) -> dict[str, str | bool]:
    """Return the attributes that tie a widget to its label, help and error."""
    usual = {"select": "select", "textarea": "textarea"}.get(bound.widget_type, "input")
    described = [f"{ident}-help"] * bool(bound.help_text) + [f"{ident}-error"] * bool(bound.errors)
    attributes: dict[str, str | bool] = {
        "id": ident,
        "class": bound.field.widget.attrs.get("class", usual),
    }
    if described:
        attributes["aria-describedby"] = " ".join(described)
    if bound.errors:
        attributes |= {"aria-invalid": "true", "autofocus": True}
    return attributes


def local(value: Any) -> Any:
    """Return a time in the reader's time zone, and any other value unchanged."""
    if isinstance(value, datetime) and timezone.is_aware(value):
        return timezone.localtime(value)
    return value
