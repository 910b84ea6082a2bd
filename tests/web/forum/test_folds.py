"""Threads of boards that can fold text: the setting, the posts, and the page of a report."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from django.utils import timezone

from forum.models import Post, Thread
from forum.posts import reports
from games.contract.report import Bullets, Contents, Fold, Heading, Paragraph, Report, Span
from tests.web.grand_table import GrandTable, grand_table, new_campaign

__all__ = ["grand_table", "new_campaign"]
pytestmark = pytest.mark.django_db

SITE = "https://tabula.example"
FOLD = Fold(
    (Span("All moves"),),
    (Bullets(((Span("Huns: walls"),),)),),
    (Bullets(((Span("Huns: 1 move"),),)),),
)


@pytest.fixture
def folded(monkeypatch: pytest.MonkeyPatch, settings: Any) -> Callable[..., str]:
    """Return a function that writes a short report with a fold for a thread."""
    settings.SITE_URL = SITE

    def known(*_args: Any, **_options: Any) -> tuple[Contents, Report]:
        title = Heading((Span("Turn 1"),))
        news = Paragraph((Span("The Huns build."),), part="headline")
        blocks = (title, news, Paragraph((Span("Standings"),)), FOLD)
        item = Contents("turn-1", "turn", "Turn 1 report", 1, True)
        return item, Report("Turn 1", blocks, (), (), 0, 0)

    monkeypatch.setattr(reports, "report_with_line", known)

    def write(table: GrandTable, **settings_of_thread: Any) -> str:
        thread = Thread.objects.create(
            campaign=table.campaign,
            name="A board",
            drafted_kinds=["opening", "turn"],
            made_by=table.people["gm"],
            made_at=timezone.now(),
            **{"transport": "clipboard", "dialect": "phpbb", **settings_of_thread},
        )
        (part,) = reports.post_parts(Post(thread=thread, campaign=table.campaign, report="turn-1"))
        return part.text

    return write


def test_a_board_without_a_tag_gets_a_short_list_and_a_link(
    grand_table: GrandTable, folded: Callable[..., str]
) -> None:
    page = f"{SITE}/c/{grand_table.campaign.address}/reports/turn-1/?language=en"
    for dialect in ("phpbb", "mybb"):
        text = folded(grand_table, dialect=dialect)
        assert "Huns: walls" not in text
        assert f"[/list]\n[url={page}]All details of this report[/url]" in text
        assert text.startswith("The Huns build.\n\n")
    assert "Huns: walls" not in folded(grand_table, transport="nodebb", dialect="markdown")


def test_a_board_with_a_tag_gets_the_details_folded(
    grand_table: GrandTable, folded: Callable[..., str]
) -> None:
    for dialect in ("phpbb", "mybb"):
        text = folded(grand_table, dialect=dialect, can_fold=True)
        assert "[b]All moves[/b]\n[spoiler]\n[list]\n[*]Huns: walls\n[/list]\n[/spoiler]" in text
        assert "Huns: 1 move" not in text
    discourse = folded(grand_table, transport="discourse", dialect="markdown")
    assert '[details="All moves"]\n\n- Huns: walls\n\n[/details]' in discourse


def test_a_letter_does_not_repeat_its_subject(
    grand_table: GrandTable, folded: Callable[..., str]
) -> None:
    letter = folded(grand_table, transport="mail", dialect="plain")
    assert letter.startswith("The Huns build.")
    assert folded(grand_table, transport="clipboard", dialect="plain").startswith("Turn 1\n======")


def test_the_game_master_says_whether_a_board_has_the_tag(grand_table: GrandTable) -> None:
    form = {"name": "A board", "dialect": "phpbb", "language": "en", "limit": "", "tone": ""}
    address = {"set-address": "https://forum.board.example/viewtopic.php?t=7"}
    grand_table.post("gm", "threads/new/", transport="clipboard", **form, **address)
    thread = Thread.objects.get()
    assert not thread.can_fold
    page = f"threads/{thread.pk}/"
    assert re.search(r'name="can_fold">', grand_table.text("gm", page))
    grand_table.post("gm", page, do="save", active="on", can_fold="on", **form, **address)
    thread.refresh_from_db()
    assert thread.can_fold
    assert re.search(r'name="can_fold" checked>', grand_table.text("gm", page))
    grand_table.post("gm", page, do="save", active="on", **form, **address)
    thread.refresh_from_db()
    assert not thread.can_fold
    assert "can_fold" not in grand_table.text("gm", "threads/new/", transport="nodebb")
