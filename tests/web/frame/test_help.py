"""Help: lists that tick themselves as the campaign goes on, and guides on pages."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from django.conf import settings
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from engine.language import use_language
from forum import services
from forum.models import Post
from games.grand_campaign.text.rulebook import numbers_table
from tests.translated import TRANSLATED
from tests.web.grand_table import GrandTable, draft, grand_table, new_campaign  # noqa: F401
from tests.web.titles.test_table import visible_text
from web.help.guides import GUIDES

pytestmark = pytest.mark.django_db


def ticks(page: str, which: str) -> list[str]:
    """Return the steps of a list that are done."""
    section = page.split(f'id="{which}"')[1].split("</section>")[0]
    return re.findall(r'<li class="hs is-done">.*?</span>([^<]+)</h3>', section, re.S)


def test_the_lists_tick_themselves(draft: GrandTable) -> None:  # noqa: F811
    assert "is-done" not in draft.text("nobody", "/help/")
    assert ticks(draft.text("gm", "/help/"), "gm") == ["Create the campaign"]
    thread = services.set_up(
        draft.campaign, draft.people["gm"], transport="clipboard", name="Board", settings={}
    )
    draft.post("gm", "posts/", report="announcement", thread=str(thread.pk))
    link = "https://board.example/p/1"
    draft.post("gm", "posts/", do="posted", post=str(Post.objects.get().number), link=link)
    assert ticks(draft.text("gm", "/help/"), "gm") == [
        "Create the campaign",
        "Post the commitment of the dice",
    ]
    draft.play("gm", "start")
    page = draft.text("gm", "/help/")
    assert ticks(page, "gm") == [
        "Create the campaign",
        "Post the commitment of the dice",
        "Start the campaign",
    ]
    assert "The Long Frontier: 3 of 8 done" in visible_text(page)
    assert ticks(draft.text("hun", "/help/"), "player") == []
    draft.slot_to("huns")
    draft.clients["hun"].post(
        f"{draft.home}move/",
        {"seat": "huns", "move": "barracks", "seen": draft.seen("hun"), "sure": "1"},
    )
    draft.clients["hun"].post(
        f"{draft.home}move/",
        {"seat": "huns", "move": "end-slot", "seen": draft.seen("hun"), "sure": "1"},
    )
    assert ticks(draft.text("hun", "/help/"), "player") == [
        "Read what has changed",
        "Make a plan",
        "Announce",
        "Attack if you like",
        "End your turn",
    ]


def test_queries(grand_table: GrandTable) -> None:  # noqa: F811
    grand_table.get("gm", "/help/")
    with CaptureQueriesContext(connection) as queries:
        grand_table.get("gm", "/help/")
    assert len(queries) <= 9


def test_only_guides_are_served(client: Client) -> None:
    page = client.get("/help/trust/").content.decode()
    assert "<h1>Whom you have to trust, and how to check the dice</h1>" in page
    assert "<script" not in page.split("<article")[1].split("</article>")[0]
    for key in ("hosting", "index", "..", "boards.md", "zzz"):
        assert client.get(f"/help/{key}/").status_code == 404
    for key in ("play", "run", "boards", "scenarios", "rulings"):
        assert client.get(f"/help/{key}/").status_code == 200


@pytest.mark.parametrize("language", TRANSLATED)
def test_a_guide_in_another_language_is_the_same_guide(language: str) -> None:
    """It has as many headings, the same code, and tables of the same size.

    So a change of an English guide requires its translation.
    """
    docs = Path(settings.BASE_DIR) / "docs"
    translated = {
        path.relative_to(docs / language).as_posix() for path in (docs / language).rglob("*.md")
    }
    assert translated == {guide.file for guide in GUIDES.values()}
    for key in sorted(translated):
        english, other = ((docs / folder / key).read_text("utf-8") for folder in ("", language))
        for what in (r"^#+ ", r"^- ", r"^\|"):
            assert len(re.findall(what, english, re.M)) == len(re.findall(what, other, re.M)), (
                key,
                what,
            )
        for what in (r"```[^`]+```", r"`[^`\n]+`", r"\]\(([^)]+)\)"):
            assert re.findall(what, english) == re.findall(what, other), key
        assert len(other) > 0.9 * len(english)


@pytest.mark.parametrize(
    ("language", "folder"), [("en", ""), *((code, code) for code in TRANSLATED)]
)
def test_the_guide_to_scenarios_lists_every_number_of_the_rules(language: str, folder: str) -> None:
    guide = (Path(settings.BASE_DIR) / "docs" / folder / "build/scenarios.md").read_text("utf-8")
    with use_language(language):
        assert guide.count(numbers_table()) == 1, "run: manage.py messages"
