"""Dialect, language, tone and own words of a report, and the parts that every report has."""

from __future__ import annotations

import html
import re
from collections.abc import Callable

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from markdown_it import MarkdownIt

from campaign.errors import NotAllowed
from forum.dialects import DIALECTS
from forum.models import ReportComment, ReportTemplate
from forum.posts import threads as writing
from tests.web.grand_table import GrandTable, grand_table, new_campaign

__all__ = ["grand_table", "new_campaign"]

pytestmark = pytest.mark.django_db

FORM = {
    "language": "en",
    "tone": "dry",
    "subject": "",
    "greeting": "",
    "signature": "",
    **{f"show-{part}": "on" for part in ("ledger", "waits", "rules", "picture", "address")},
    **{
        f"place-{part}": str(n)
        for n, part in enumerate(("facts", "ledger", "waits", "rules", "dice", "picture"), 1)
    },
}


def box(page: str, name: str = "post-1") -> str:
    """Return the text of a box as it is copied."""
    created = re.search(
        rf'<pre class="code code--whole" id="{name}"[^>]*>(.*?)</pre>', page, re.DOTALL
    )
    assert created
    return html.unescape(re.sub(r"<[^>]*>", "", created[1]))


def report(grand_table: GrandTable, who: str = "nobody", key: str = "turn-1", **asked: str) -> str:
    return box(grand_table.text(who, f"reports/{key}/", **asked))


def test_each_dialect_has_the_whole_report(grand_table: GrandTable) -> None:
    for key, begins in {
        "phpbb": "Turn 1: no province has changed hands yet.",
        "mybb": "Turn 1: no province has changed hands yet.",
        "markdown": "# The Long Frontier, turn 1 of 6\n\n",
        "discord": "## The Long Frontier, turn 1 of 6",
        "html": "<h1>The Long Frontier, turn 1 of 6</h1>\n",
        "plain": "The Long Frontier, turn 1 of 6\n====",
    }.items():
        page = grand_table.text("nobody", "reports/turn-1/", dialect=key)
        posts = [
            box(page, name)
            for name in re.findall(r'<pre class="code code--whole" id="(post-\d+)"', page)
        ]
        assert posts[0].startswith(begins), key
        assert all(DIALECTS[key].weight(post) <= DIALECTS[key].limit for post in posts)
        whole = "\n".join(posts)
        for shown in ("Huns", "Standings", "Ingrid"):
            assert shown in whole, (key, shown)
        assert f"/c/{grand_table.campaign.address}/map/" in whole
        assert re.search(rf'<a href="\?dialect={key}&amp;language=en" aria-current="true">', page)
    assert report(grand_table, dialect="none") == report(grand_table)


def test_the_language_of_a_report_is_not_that_of_the_page(grand_table: GrandTable) -> None:
    page = grand_table.text("nobody", "reports/turn-1/", language="it")
    post = box(page)
    assert "giro 1 di 6" in post
    assert "Unni" in post
    assert ".it.png" in post
    assert '<h2 id="h-report">Turn 1 report</h2>' in page
    assert "Reports" in page
    assert ">Huns<" in page.partition("<main")[0]
    assert report(grand_table, language="xx") == report(grand_table)


def test_the_first_report_has_rules_and_the_promise_and_later_ones_the_links(
    grand_table: GrandTable,
) -> None:
    for key in ("opening-1", "turn-1"):
        post = report(grand_table, key=key)
        assert f"/c/{grand_table.campaign.address}/rules/]420 AD Grand Campaign[/url]" in post
        assert f"/c/{grand_table.campaign.address}/dice/]All dice and their proofs[/url]" in post
    opening = report(grand_table, key="opening-1")
    assert f"[code]Commitment of the dice: {grand_table.campaign.commitment}\n" in opening
    assert "[code]" not in report(grand_table, key="turn-1").partition("Next moves")[2]
    assert grand_table.campaign.commitment not in report(grand_table, key="turn-1")
    slot = report(grand_table, key="slot-1-huns")
    assert grand_table.campaign.commitment not in slot
    assert "/rules/" not in slot


def test_the_tone_adds_text_before_and_after_the_report(grand_table: GrandTable) -> None:
    dry = report(grand_table, key="opening-1")
    shown = report(grand_table, key="opening-1", tone="chronicle")
    heralds = "The heralds have called, and the powers of The Long Frontier gather about the map"
    assert shown.splitlines()[0] == f"{heralds} once more."
    assert shown.endswith(dry)
    page = grand_table.text("gm", "reports/turn-1/", tone="chronicle")
    assert 'tone=chronicle" aria-current="true"' in page
    assert 'id="words"' not in grand_table.text("hun", "reports/turn-1/")


def test_own_words_are_text_in_the_report_of_their_language(grand_table: GrandTable) -> None:
    before = report(grand_table)
    typed = {
        "before": "[b]Hail[/b] @everyone\r\n\r\nSee https://evil.example",
        "after": "<script>alert(1)</script>",
    }
    answer = grand_table.post(
        "gm", "reports/turn-1/", follow=True, dialect="phpbb", language="en", tone="", **typed
    )
    page = answer.content.decode()
    assert "Your words have been inserted into the report." in page
    post = box(page)
    assert (
        "[i][\u2060b]Hail[\u2060/b] @\u2060everyone[/i]\n\n[i]See"
        " https:\u2060/\u2060/evil.\u2060example[/i]\n\n" in post
    )
    assert post.index("<script>") > post.index("Standings")
    assert "<script>alert" not in page
    kept = [line for line in before.splitlines() if line]
    assert [line for line in post.splitlines() if line in kept] == kept
    assert report(grand_table, language="it").count("[i]") == report(
        grand_table, language="it"
    ).count("[i]")
    assert "Hail" not in report(grand_table, language="it")
    assert "Hail" not in report(grand_table, key="slot-1-huns")
    assert report(grand_table, "stranger") == post
    row = ReportComment.objects.get()
    assert (row.report, row.language, row.changed_by) == ("turn-1", "en", grand_table.people["gm"])
    grand_table.post("gm", "reports/turn-1/", language="en", before="", after="")
    assert report(grand_table) == before


@pytest.mark.parametrize(
    ("typed", "why"),
    [
        ("x" * 4001, "Up to 4000 characters fit here; this text has 4001."),
        ("a\x07b", "a character that cannot be displayed"),
    ],
)
def test_invalid_own_words_are_refused_and_kept(
    grand_table: GrandTable, typed: str, why: str
) -> None:
    answer = grand_table.post("gm", "reports/turn-1/", language="en", before=typed, after="kept")
    assert answer.status_code == 400
    page = answer.content.decode()
    assert why in page
    assert ">\nkept</textarea>" in page
    assert not ReportComment.objects.exists()


def test_only_the_game_master_writes_own_words(grand_table: GrandTable) -> None:
    for who, status in {"hun": 403, "roman": 403, "stranger": 403, "nobody": 302}.items():
        assert (
            grand_table.post(
                who, "reports/turn-1/", language="en", before="x", after=""
            ).status_code
            == status
        )
        assert grand_table.post(who, "reports/tone/", **FORM).status_code == status
    assert grand_table.statuses("reports/tone/") == {
        "gm": 200,
        "hun": 403,
        "roman": 403,
        "stranger": 403,
        "nobody": 302,
    }
    assert (
        grand_table.post("gm", "reports/turn-9/", language="en", before="x", after="").status_code
        == 404
    )
    assert not ReportComment.objects.exists()
    assert not ReportTemplate.objects.exists()
    with pytest.raises(NotAllowed):
        writing.set_comment(
            grand_table.campaign, grand_table.people["hun"], "turn-1", "en", before="x", after=""
        )


def test_a_template_is_used_in_every_report_of_its_language(grand_table: GrandTable) -> None:
    content = {
        **FORM,
        "tone": "chronicle",
        "subject": "{campaign}: {report}",
        "greeting": "Hail, {campaign}!\r\nTurn {turn}.",
        "signature": "{master} [b]",
        "place-picture": "1",
        "place-facts": "2",
    }
    del content["show-waits"]
    answer = grand_table.post("gm", "reports/tone/", follow=True, **content)
    assert "Saved. Reports will now look like this." in answer.content.decode()
    lines = [line for line in report(grand_table).splitlines() if line]
    assert lines[:2] == ["Hail, The Long Frontier!", "Turn 1."]
    assert lines[2].startswith("Turn 1: ")
    assert lines[3].startswith("[img]http://testserver/c/")
    assert lines[4] == "[size=85]Map of The Long Frontier: turn 1 of 6.[/size]"
    assert lines[-1] == "Marozia [\u2060b]"
    assert "Next moves" not in report(grand_table)
    assert "Next moves" not in report(grand_table, key="slot-1-huns")
    assert "Hail" not in report(grand_table, language="it")
    assert "[b]Prossime mosse[/b]" in report(grand_table, language="it")
    page = grand_table.text("gm", "reports/tone/")
    assert 'value="{campaign}: {report}"' in page
    assert re.search(r'name="show-waits">', page)
    assert re.search(r'name="show-facts" checked disabled', page)


def test_no_form_removes_events_or_dice_from_a_report(grand_table: GrandTable) -> None:
    kept = report(grand_table)
    for part in ("ledger", "waits", "rules", "picture", "address"):
        grand_table.post(
            "gm",
            "reports/tone/",
            **{key: value for key, value in FORM.items() if key != f"show-{part}"},
        )
    bare = {key: value for key, value in FORM.items() if not key.startswith("show-")}
    grand_table.post("gm", "reports/tone/", **bare)
    post = report(grand_table)
    assert "All dice and their proofs" in post
    assert grand_table.campaign.commitment in report(grand_table, key="opening-1")
    assert "[img]" not in post
    assert "Standings" in post
    for line in kept.splitlines():
        if line not in post.splitlines():
            assert any(
                content in line
                for content in (
                    "Map ",
                    "[img]",
                    "Next moves",
                    "Grand Campaign",
                    "Rules",
                    "It is the turn of",
                    "[list]",
                    "All dice and their proofs",
                )
            )
    for parts in ((), ("facts",), ("dice",)):
        with pytest.raises(writing.WrongField, match="cannot be left out"):
            writing.set_template(
                grand_table.campaign, grand_table.people["gm"], "en", tone="dry", parts=parts
            )


@pytest.mark.parametrize(
    ("field", "typed", "why"),
    [
        ("subject", "{trun}", "There is no placeholder {trun}."),
        ("greeting", "{", "A brace has no partner."),
        ("signature", "x" * 1001, "Up to 1000 characters fit here; this text has 1001."),
        ("tone", "rude", "Choose a tone."),
        ("subject", "a\u202eb", "The text contains a character that cannot be displayed"),
    ],
)
def test_an_invalid_template_is_refused_at_its_field_and_kept(
    grand_table: GrandTable, field: str, typed: str, why: str
) -> None:
    answer = grand_table.post("gm", "reports/tone/", **{**FORM, "greeting": "Hail", field: typed})
    page = html.unescape(answer.content.decode())
    assert answer.status_code == 400
    assert why in page
    if field != "greeting":
        assert ">\nHail</textarea>" in page
    assert not ReportTemplate.objects.exists()


def test_a_members_campaign_warns_that_the_picture_would_not_be_visible(
    new_campaign: Callable[..., GrandTable],
) -> None:
    table = new_campaign(visibility="members")
    table.play("gm", "start")
    page = table.text("hun", "reports/turn-1/")
    assert "Other people could not see the picture of the map" in page
    assert "[img]" not in box(page)
    assert "map/" not in box(page)


def test_queries(grand_table: GrandTable) -> None:
    for path, most in {
        "reports/tone/": 8,
        "reports/turn-1/?language=it&dialect=discord": 14,
    }.items():
        grand_table.get("gm", path)
        with CaptureQueriesContext(connection) as counted:
            grand_table.clients["gm"].get(grand_table.home + path)
        assert len(counted) <= most, "\n".join(query["sql"][:200] for query in counted)


def test_typed_texts_are_escaped_on_every_board(
    new_campaign: Callable[..., GrandTable],
) -> None:
    """Parsers by other authors read a campaign's name, a reason, a greeting and own words."""
    typed = (
        "[/code][/b]<script>x</script> `**a** [b](http://evil.example) @everyone <@1> # x"
        " ![i](//evil.example)"
    )
    table = new_campaign(name="[b]East[/b] <i>W</i> *x* `y`")
    table.play("gm", "start")
    table.play("gm", "adjust", nation="huns", account="income", change=5, reason=typed)
    table.post("gm", "reports/tone/", **{**FORM, "greeting": typed, "signature": typed})
    table.post("gm", "reports/turn-1/", language="en", before=typed, after=typed)
    posts = {}
    for key in DIALECTS:
        page = table.text("nobody", "reports/turn-1/", dialect=key)
        posts[key] = "\n".join(
            box(page, name)
            for name in re.findall(r'<pre class="code code--whole" id="(post-\d+)"', page)
        )
        assert posts[key].count("everyone") == (6 if DIALECTS[key].folds else 5)
        assert not re.search("@everyone|//evil|evil.example", posts[key]), key
    for key in ("phpbb", "mybb"):
        assert posts[key].count("[code]") == posts[key].count("[/code]") == 1
        assert posts[key].count("[b]") == posts[key].count("[/b]")
    tokens = [
        inner
        for token in MarkdownIt().enable("table").parse(posts["markdown"])
        for inner in token.children or []
    ]
    assert not [inner for inner in tokens if inner.type in ("html_inline", "code_inline")]
    links = {str(inner.attrs["href"]) for inner in tokens if inner.type == "link_open"}
    assert len(links) == 4
    assert all(link.startswith("http://testserver/c/") for link in links)
    assert not re.search(
        r"<(?!/?(?:h[1-3]|p|ul|li|b|i|span|a|img|br|small|table|tr|td|th|details|summary)\b)",
        posts["html"],
    )
