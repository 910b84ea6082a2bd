"""Erased users, whose names disappear from our copies of posts and from texts about reports."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from django.utils import timezone

from forum.dialects import DIALECTS, Context
from forum.models import ReportComment, ReportTemplate
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
