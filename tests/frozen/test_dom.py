"""Tests of equal pages, and of stored hashes for every address and state."""

from __future__ import annotations

import pytest
from django.urls import Resolver404, resolve

from tests.addresses import names
from tests.frozen import companions, grand, hold, site
from tests.frozen.dom import html_lines
from tests.frozen.scene import STATES

__all__ = ["companions", "grand", "site"]

NOT_LOOKED_AT = {
    "last_undo": "newer than the stored hashes: tests/web/log/test_last_undo.py",
    "start": "newer than the stored hashes: tests/web/seats/test_starting.py",
    "discord": "answers Discord alone: tests/web/forum/test_discord.py",
    "own_data_file": "a file for download: tests/moderation/test_leaving.py",
    "worker": "a script without sentences",
}


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("<p>by <b>Ada</b></p>", "<p>\n  by\n  <b>Ada</b>\n</p>"),
        ('<a class="x y" href="/">z</a>', '<a href="/" class="  y x">z</a>'),
        ('<p class="">x</p>', "<p>x</p>"),
        ('<input name="a" type="text" value="">', "<input name=a>"),
        (
            '<form><input type="hidden" name="a"><input type="hidden" name="b"></form>',
            '<form>\n<input type="hidden" name="b">\n<input type="hidden" name="a">\n</form>',
        ),
        (
            '<option value="a" selected="selected">A</option>',
            '<option value="a" selected>A</option>',
        ),
        ("<ul><li>a</li><li>b</li></ul>", "<ul>\n <li>a</li>\n <!-- then --> <li>b</li>\n</ul>"),
        (
            '<input name="csrfmiddlewaretoken" value="abc">',
            '<input name="csrfmiddlewaretoken" value="def">',
        ),
    ],
)
def test_the_same(one: str, other: str) -> None:
    assert html_lines(one) == html_lines(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("<p>by <b>Ada</b></p>", "<p>by<b>Ada</b></p>"),
        ("<p><b>Ada</b>, who</p>", "<p><b>Ada</b> , who</p>"),
        ("<pre>a\n b</pre>", "<pre>a b</pre>"),
        ("<textarea>a\n\nb</textarea>", "<textarea>a\nb</textarea>"),
        ('<p class="x">a</p>', "<p>a</p>"),
        ('<img alt="">', "<img>"),
        ('<option value="">A</option>', "<option>A</option>"),
        ("<p>a</p><p>b</p>", "<p>b</p><p>a</p>"),
        ("<input type=hidden name=a value=1>", "<input type=hidden name=a value=2>"),
        ("<!doctype html><title>x</title>", "<title>x</title>"),
        ("<p>&lt;b&gt;</p>", "<p><b></b></p>"),
    ],
)
def test_not_the_same(one: str, other: str) -> None:
    assert html_lines(one) != html_lines(other)


def test_a_page_is_one_line_for_each_element() -> None:
    page = (
        "<!doctype html><html><body><p id=x hidden>Hail, <b>Caesar</b>!<br><textarea name=t>\na\n"
        " b</textarea></p></body></html>"
    )
    assert html_lines(page) == [
        "<!doctype html>",
        "<html>",
        "<body>",
        "<p hidden id=x>",
        "Hail, ",
        "<b>",
        "Caesar",
        "</b>",
        "!",
        "<br>",
        "<textarea name=t>",
        "|a",
        "| b",
        "</textarea>",
        "</p>",
        "</body>",
        "</html>",
    ]


def test_a_difference_names_reader_language_and_address() -> None:
    stored = {"en": {"gm": {"log/": "1", "desk/": "2"}, "hun": {"log/": "3"}}}
    shown = {"en": {"gm": {"log/": "1", "desk/": "9"}}, "de": {"gm": {"log/": "4"}}}
    assert hold.differences(stored, shown) == [
        "gm · de · log/ (new)",
        "gm · en · desk/",
        "hun · en · log/ (gone)",
    ]


def test_every_state_is_frozen_and_none_else() -> None:
    for title in {state.title for state in STATES}:
        assert set(hold.read(title)) == {state.name for state in STATES if state.title == title}
    assert len(STATES) == len({(state.title, state.name) for state in STATES}) >= 40


def test_every_address_is_frozen() -> None:
    addresses = {
        address.removeprefix("POST ").partition(" ")[0]
        for title in {state.title for state in STATES}
        for languages in hold.read(title).values()
        for readers in languages.values()
        for answers in readers.values()
        for address in answers
    }
    known = set()
    for address in addresses - {"the"}:
        path = (address if address.startswith("/") else f"/c/abcdefgh-x/{address}").partition("?")[
            0
        ]
        try:
            known.add(resolve(path).url_name)
        except Resolver404:  # an address that leads nowhere, on purpose
            continue
    assert names() - known - {"table"} == set(NOT_LOOKED_AT)
