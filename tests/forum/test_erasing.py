"""Erased users, whose names disappear from our copies of posts and from texts about reports."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from django.utils import timezone

from forum import post_lines, services
from forum.dialects import DIALECTS, Context
from forum.models import ImportedPost, ReportComment, ReportTemplate
from forum.post_lines import DecidedLine, Decision
from forum.posts import outbox
from forum.posts import threads as writing
from games.contract.report import Heading, Report, Span
from tests.web.grand_table import GrandTable, grand_table, new_campaign

__all__ = ["grand_table", "new_campaign"]


@pytest.mark.parametrize("key", DIALECTS)
@pytest.mark.parametrize("name", ["Ben_e.detto", "D'Arco d’Oro", "Ada-Bo C."])
def test_a_name_is_found_as_each_dialect_writes_it(key: str, name: str) -> None:
    (post,) = DIALECTS[key].render(
        Report("T", (Heading((Span(f"By {name}, of the Huns"),)),), (), (), 1, 1), Context()
    )
    shown = outbox._names_pattern([name]).sub("somebody", post)
    assert "By somebody, of the Huns" in shown.replace("\u2060", "")


@pytest.mark.django_db
def test_texts_about_reports_no_longer_name_an_erased_user(grand_table: GrandTable) -> None:
    gm = grand_table.people["gm"]
    writing.set_comment(
        grand_table.campaign, gm, "turn-1", "en", before="Hail Ingrid!", after="Ingridson stays."
    )
    writing.set_template(
        grand_table.campaign,
        gm,
        "en",
        tone="dry",
        subject="{report}, by Ingrid",
        greeting="{campaign}, Ingrid",
    )
    leaver = SimpleNamespace(username="Ingrid", forum_name="", fog2_name="")
    assert outbox.erase(leaver, timezone.now())[-1] == "2 words about reports"
    content, stands = ReportComment.objects.get(), ReportTemplate.objects.get()
    assert (content.before, content.after) == ("Hail a former player!", "Ingridson stays.")
    assert (stands.subject, stands.greeting) == (
        "{report}, by a former player",
        "{campaign}, a former player",
    )


@pytest.mark.django_db
def test_what_stands_for_a_name_fits_where_the_name_did(grand_table: GrandTable) -> None:
    gm = grand_table.people["gm"]
    writing.set_template(grand_table.campaign, gm, "en", tone="dry", subject=f"{'x' * 196} Bo")
    outbox.erase(SimpleNamespace(username="Bo", forum_name="", fog2_name=""), timezone.now())
    assert ReportTemplate.objects.get().subject == f"{'x' * 196} a f"


def read_post(grand_table: GrandTable) -> ImportedPost:
    """Return a reply with two lines, both of which are decided."""
    thread = services.set_up(
        grand_table.campaign,
        grand_table.people["gm"],
        transport="clipboard",
        name="The board",
        settings={},
    )
    post = ImportedPost.objects.create(
        thread=thread,
        name="1",
        author="Someone",
        text="Ingrid moves to Dacia and builds\nIngrid ends",
        imported_at=timezone.now(),
    )
    lines = [
        DecidedLine("Ingrid moves to Dacia and builds", Decision.PART, "for Ingrid builds"),
        DecidedLine("Ingrid ends", Decision.MOVE),
    ]
    return post_lines.decide(post, lines)


@pytest.mark.django_db
def test_decided_lines_no_longer_name_an_erased_user_and_stay_decided(
    grand_table: GrandTable,
) -> None:
    post = read_post(grand_table)
    leaver = SimpleNamespace(username="Ingrid", forum_name="", fog2_name="")
    outbox.erase(leaver, timezone.now())
    post.refresh_from_db()
    assert post_lines.open_lines(post) == [
        ("a former player moves to Dacia and builds", "for a former player builds")
    ]
    assert "Ingrid" not in str(post.decided)


@pytest.mark.django_db
def test_decided_lines_no_longer_have_a_text_that_was_removed(grand_table: GrandTable) -> None:
    post = read_post(grand_table)
    outbox.withhold(grand_table.campaign, {"Ingrid": "[removed]"})
    post.refresh_from_db()
    assert post_lines.open_lines(post) == [
        ("[removed] moves to Dacia and builds", "for [removed] builds")
    ]
