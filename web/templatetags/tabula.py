"""Helpers for markup that every template can use without `load`.

Jinja2 templates have them as functions and filters (`config.jinja`), Django templates as tags and
filters. Text from users is escaped.
"""

from __future__ import annotations

from datetime import date, datetime
from typing import TYPE_CHECKING

from django import template
from django.forms import BoundField
from django.template.loader import get_template, render_to_string
from django.urls import NoReverseMatch, reverse
from django.utils import timezone
from django.utils.html import escape, format_html
from django.utils.safestring import SafeData, SafeString
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from campaign import rulebook
from campaign.dates import written
from engine.language import Name, inside_sentence, sentence

if TYPE_CHECKING:
    from jinja2.runtime import Context as JinjaContext


register = template.Library()


class Part(template.Node):
    """`{% part title %} … {% endpart %}`: the content that a frame shows under this name."""

    def __init__(self, name: str, nodelist: template.NodeList) -> None:
        self.name, self.nodelist = name, nodelist

    def render(self, context: template.Context) -> SafeString:
        context["parts"][self.name] = self.nodelist.render(context)
        return SafeString("")


@register.tag
def part(parser: template.base.Parser, token: template.base.Token) -> Part:
    _tag, name = token.split_contents()
    nodelist = parser.parse(("endpart",))
    parser.delete_first_token()
    return Part(name, nodelist)


class Frame(template.Node):
    """A Jinja2 template around the parts of a Django template.

    Usage: `{% frame "account/from_django.html" %} … {% endframe %}`.
    """

    def __init__(self, frame: str, nodelist: template.NodeList) -> None:
        self.frame, self.nodelist = frame, nodelist

    def render(self, context: template.Context) -> SafeString:
        with context.push(parts={}):
            self.nodelist.render(context)
            return _jinja(self.frame, context, parts=context["parts"])


@register.tag
def frame(parser: template.base.Parser, token: template.base.Token) -> Frame:
    _tag, name = token.split_contents()
    nodelist = parser.parse(("endframe",))
    parser.delete_first_token()
    return Frame(name.strip("\"'"), nodelist)


@register.simple_tag(takes_context=True)
def component(context: template.Context, name: str) -> SafeString:
    """Render a Jinja2 template: `{% component "components/errors.html" %}`.

    It receives the context of the Django template.
    """
    shown = {str(key): value for key, value in context.flatten().items()}
    return _jinja(name, context, **shown)


def _jinja(name: str, context: template.Context, /, **shown: object) -> SafeString:
    return SafeString(get_template(name).render(shown, getattr(context, "request", None)))


MINUS, HALF = "\u2212", "\u00bd"


@register.simple_tag
def icon(name: str, css: str = "") -> SafeString:
    """Return an icon of templates/components/sprite.html: `{% icon "map" %}`."""
    return format_html(
        '<svg class="icon {}" aria-hidden="true"><use href="#i-{}"/></svg>', css, name
    )


@register.simple_tag
def nation(key: str, name: str = "", href: str = "") -> SafeString:
    """Return the swatch and the name of a nation: `{% nation "huns" "Huns" url %}`.

    The game master and the clock have no swatch.
    """
    name = (
        name
        or {"gm": pgettext("name", "Game master"), "clock": pgettext("name", "Clock")}.get(key)
        or key.capitalize()
    )
    if key in ("gm", "clock"):
        return format_html('<span class="nation" data-nation="{}">{}</span>', key, name)
    inside = format_html('<span class="swatch"></span>{}', name)
    if href:
        return format_html('<a class="nation" data-nation="{}" href="{}">{}</a>', key, href, inside)
    return format_html('<span class="nation" data-nation="{}">{}</span>', key, inside)


NO_RULES = "-"
"""The value of `rules_page` if a title has no rules text."""


@register.simple_tag(takes_context=True)
def report(
    context: template.Context | JinjaContext,
    kind: str,
    ref: int | str | None,
    author: int | None = None,
) -> SafeString:
    """Return a quiet link to report a text of another user: `{% report "entry" line.number %}`.

    Only readers with an account get it. On a campaign's page, the number of an entry identifies the
    text.
    """
    user, table = context.get("user"), context.get("table")
    if (
        ref is None
        or user is None
        or not user.is_authenticated
        or user.guest
        or (author is not None and author == user.pk)
    ):
        return SafeString("")
    name = f"{table.campaign.public_id}.{ref}" if table is not None and kind in OF_LOG else str(ref)
    url = reverse("report_text", args=[kind, name])
    return format_html(
        '<a class="report" href="{}" rel="nofollow">{}</a>', url, pgettext("name", "Report")
    )


OF_LOG = frozenset({"entry", "evidence", "flavour"})
"""The kinds of texts that are identified by their campaign and a number."""


@register.simple_tag(takes_context=True)
def rule(
    context: template.Context | JinjaContext, number: str, text: str = "", page: str = ""
) -> SafeString:
    """Return a link to a paragraph of the rules: `{% rule "9.1" %}`.

    On a campaign's page it leads to the campaign's own rules, with their numbers and rulings.
    `page` is the address of the rules; by default it is the context's `rules_page`. If a title has
    no rules text, the paragraph is not a link.
    """
    table, shown, rules_page = (
        context.get("table"),
        text or f"§{number}",
        page or context.get("rules_page"),
    )
    if rules_page == NO_RULES:
        return format_html('<span class="rule">{}</span>', shown)
    try:
        page = rules_page or reverse("rules")
        if table is not None:
            if not rulebook.rules_text(table.campaign.title):
                return format_html('<span class="rule">{}</span>', shown)
            page = rules_page or table.url("campaign_rules")
    except NoReverseMatch:
        page = ""
    title = _("Rule %(number)s") % {"number": number}
    return format_html(
        '<a class="rule" href="{}#r-{}" title="{}">{}</a>', page, number, title, shown
    )


@register.filter
def half(halves: int) -> str:
    """Return a number of half-actions as actions: 3 is 1½, -1 is −½."""
    whole, rest = divmod(abs(halves), 2)
    return (
        (MINUS if halves < 0 else "")
        + (str(whole) if whole or not rest else "")
        + (HALF if rest else "")
    )


@register.filter
def place(zone: str) -> str:
    """Return the readable name of a time zone: America/New York."""
    return zone.replace("_", " ")


@register.filter
def minus(number: int | str) -> str:
    """Return a number with a true minus sign."""
    return str(number).replace("-", MINUS)


@register.filter
def signed(number: int) -> str:
    """Return a change with its sign: +5, −5, 0."""
    return f"+{number}" if number > 0 else minus(number)


@register.simple_tag
def delta(was: int | str, now: int | str, unit: str = "") -> SafeString:
    """Return an old and a new value: `{% delta 4 3 %}` is 4 → 3."""
    return format_html(
        '<span class="delta"><span class="was">{}{} →</span> <b>{}{}</b></span>',
        minus(was),
        unit,
        minus(now),
        unit,
    )


@register.simple_tag
def pips(halves: int) -> SafeString:
    """Return the remaining actions as discs, full and half."""
    discs = SafeString(
        '<i class="pip" data-f="1"></i>' * (halves // 2)
        + '<i class="pip" data-f="h"></i>' * (halves % 2)
    )
    label = _("%(halves)s actions") % {"halves": half(halves)}
    return format_html('<span class="pips" role="img" aria-label="{}">{}</span>', label, discs)


@register.filter(name="within")
def inside_a_sentence(text: object) -> str:
    """Return a name as it is written inside a sentence (`engine.language.inside_sentence`)."""
    return inside_sentence(str(text))


@register.filter(expects_localtime=True)
def dated(moment: date, form: str) -> str:
    """Return a day or a moment as `campaign.dates` writes it."""
    return written(moment, form)


@register.filter
def when(moment: datetime | date | None) -> str:
    """Return a moment in the reader's zone: today 18:00, 4 Mar 16:39.

    It includes the year unless that is the current year.
    """
    if moment is None:
        return ""
    if not isinstance(moment, datetime):
        return format_html(
            '<time datetime="{}">{}</time>', moment.isoformat(), written(moment, "j M Y")
        )
    local, now = timezone.localtime(moment), timezone.localtime()
    if local.date() == now.date():
        text = _("today %(clock)s") % {"clock": f"{local:%H:%M}"}
    else:
        text = written(local, "j M H:i" if local.year == now.year else "j M Y H:i")
    return format_html('<time datetime="{}">{}</time>', local.isoformat(timespec="seconds"), text)


@register.filter(name="day")
def a_day(moment: datetime | None) -> SafeString:
    """Return a moment's day in the reader's zone: 30 Mar.

    It includes the year unless that is the current year.
    """
    if moment is None:
        return SafeString("")
    local = timezone.localtime(moment)
    text = written(local, "j M" if local.year == timezone.localtime().year else "j M Y")
    return format_html('<time datetime="{}">{}</time>', local.isoformat(timespec="seconds"), text)


@register.simple_tag
def field(bound: BoundField, **extra: str) -> SafeString:
    """Return label, field, help and error of a form field, linked for screen readers.

    `help` replaces the field's own help; `link` and `link_text` are shown at the right end of the
    label.
    """
    extra.setdefault("help", str(bound.help_text or ""))
    css = {"select": "select", "textarea": "textarea"}.get(bound.widget_type, "input")
    described = [f"{bound.id_for_label}-help"] * bool(extra["help"]) + [
        f"{bound.id_for_label}-error"
    ] * bool(bound.errors)
    attrs: dict[str, str | bool] = {"class": css, "placeholder": extra.pop("placeholder", "")}
    if described:
        attrs["aria-describedby"] = " ".join(described)
    shown = {
        "field": bound,
        "widget": bound.as_widget(attrs=attrs),
        "check": bound.widget_type == "checkbox",
        "link": "",
        "link_text": "",
        **extra,
    }
    return SafeString(render_to_string("components/field.html", shown))


@register.simple_tag(name="sentence")
def put(text: str, **facts: object) -> SafeString:
    """Return a message with names in the form that its language needs.

    Example: `{% sentence _("The seat of {name:the}") name=seat.name %}`.
    """
    return SafeString(sentence(text, **{key: _escaped(fact) for key, fact in facts.items()}))


def _escaped(fact: object) -> object:
    """Return a fact with its text escaped, unless it is markup."""
    if isinstance(fact, SafeData) or not isinstance(fact, str):
        return fact
    return fact.written(escape(fact)) if isinstance(fact, Name) else Name(escape(fact))
