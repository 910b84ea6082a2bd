"""Template tags: correct signs, and escaped texts of people."""

import re
from datetime import UTC, date, datetime
from pathlib import Path
from unittest import mock
from zoneinfo import ZoneInfo

import pytest
from django.conf import settings
from django.template import engines
from django.utils import timezone, translation

EVIL = '"><script>alert(1)</script>'


def show(source: str, **context: object) -> str:
    shown: str = engines["jinja2"].from_string(source).render(context)
    return shown


@pytest.mark.parametrize(
    ("halves", "text"),
    [(0, "0"), (1, "½"), (2, "1"), (3, "1½"), (6, "3"), (-1, "−½"), (-2, "−1"), (-3, "−1½")],
)
def test_half(halves: int, text: str) -> None:
    assert show("{{ n|half }}", n=halves) == text


@pytest.mark.parametrize(("number", "text"), [(5, "+5"), (-5, "−5"), (0, "0")])
def test_signed(number: int, text: str) -> None:
    assert show("{{ n|signed }}", n=number) == text


def test_delta() -> None:
    assert (
        show("{{ delta(4, was, 't') }}", was=-3)
        == '<span class="delta"><span class="was">4t →</span> <b>−3t</b></span>'
    )


def test_pips() -> None:
    shown = show("{{ pips(3) }}")
    assert shown.count('data-f="1"') == 1
    assert shown.count('data-f="h"') == 1
    assert 'aria-label="1½ actions"' in shown


def test_nation() -> None:
    assert (
        show("{{ nation('huns', 'Huns', '/x/') }}")
        == '<a class="nation" data-nation="huns" href="/x/"><span class="swatch"></span>Huns</a>'
    )
    assert "swatch" not in show("{{ nation('gm') }}")
    assert ">Game master<" in show("{{ nation('gm') }}")


def test_rule_is_a_link_to_its_paragraph() -> None:
    assert show("{{ rule('9.1') }}").endswith('#r-9.1" title="Rule 9.1">§9.1</a>')


@pytest.mark.parametrize(
    "source",
    ["{{ nation(t, t, t) }}", "{{ icon(t, t) }}", "{{ rule(t, t) }}", "{{ delta(t, t, t) }}"],
)
def test_texts_of_people_are_escaped(source: str) -> None:
    assert "<script" not in show(source, t=EVIL)


def test_times_are_in_the_readers_time_zone() -> None:
    now = datetime(2026, 3, 7, 11, 20, tzinfo=UTC)
    with (
        mock.patch("django.utils.timezone.now", return_value=now),
        timezone.override(ZoneInfo("Europe/Rome")),
    ):
        assert (
            show("{{ t|when }}", t=datetime(2026, 3, 4, 15, 39, tzinfo=UTC))
            == '<time datetime="2026-03-04T16:39:00+01:00">4 Mar 16:39</time>'
        )
        assert ">today 00:30<" in show("{{ t|when }}", t=datetime(2026, 3, 6, 23, 30, tzinfo=UTC))
        assert ">4 Mar 2025 16:39<" in show(
            "{{ t|when }}", t=datetime(2025, 3, 4, 15, 39, tzinfo=UTC)
        )
        assert ">4 Mar 2026<" in show("{{ t|when }}", t=date(2026, 3, 4))
        assert show("{{ t|when }}", t=None) == ""


def test_no_template_passes_stored_text_to_gettext() -> None:
    """Stored text uses `translated()`.

    The result of `_()` is markup, so stored text would not be escaped.
    """
    call = re.compile(r"\b(?:_|n?p?gettext)\(\s*[^\"'\s]")
    paths = sorted((Path(settings.BASE_DIR) / "templates").rglob("*.*"))
    assert len(paths) > 300
    assert [path.name for path in paths if call.search(path.read_text("utf-8"))] == []
    written = (
        engines["jinja2"]
        .from_string("{{ translated(text) }}{{ _('Rules') }}")
        .render({"text": "<script>"})
    )
    assert written == "&lt;script&gt;Rules"


def test_languages_are_named_in_the_reader_s_language() -> None:
    with translation.override("de"):
        assert (
            show("{% for code, name in get_languages() %}{{ name }} {% endfor %}")
            == "Englisch Deutsch Español Italiano "
        )
