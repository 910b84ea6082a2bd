"""The pages of talk and press: other readers cannot see a pair's thread, nor that it exists."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.core import mail
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from campaign.models import Campaign
from notices import delivery
from notices.channels import services as channels
from notices.models import Channel
from talk.models import Conversation, Message
from tests.web.grand_table import WHO, GrandTable, draft, grand_table, new_campaign  # noqa: F401
from tests.web.lobby.test_found import form
from web.talk.markup import marked_up

pytestmark = [pytest.mark.django_db]
OTHERS = ("gm", "stranger", "nobody")
WATCHED = ("", "log/", "talk/", "press/", "about/", "notices/", "live/", "/notices/", "/")


def write(
    grand_table: GrandTable,  # noqa: F811
    who: str,
    *to: str,
    text: str = "Dalmatia for peace.",
    **more: Any,
) -> Any:
    return grand_table.clients[who].post(
        grand_table.home + "talk/", {"to": list(to), "text": text, **more}
    )


def snapshot(grand_table: GrandTable, who: str) -> list[tuple[int, str, str]]:  # noqa: F811
    """Return the answers of a reader at every page that might reveal a thread.

    They are status, tag, and text without tokens of forms.
    """
    shown = []
    for path in WATCHED:
        answer = grand_table.get(who, path)
        text = re.sub(
            r'(csrfmiddlewaretoken" value="|X-CSRFToken": ")[^"]+', "", answer.content.decode()
        )
        shown.append((answer.status_code, answer.headers.get("ETag", ""), text))
    return shown


@pytest.mark.thorough
def test_other_readers_cannot_learn_that_a_pair_talks(grand_table: GrandTable) -> None:  # noqa: F811
    grand_table.campaign.refresh_from_db()
    before = {who: snapshot(grand_table, who) for who in OTHERS}
    grand_table.get("roman", "")  # this marks notices as read
    tag = grand_table.get("roman", "").headers["ETag"]
    answer = write(grand_table, "hun", "romans")
    thread = Conversation.objects.get()
    assert answer.status_code == 303
    assert answer["Location"] == f"{grand_table.home}talk/{thread.key}/#m1"
    assert {who: snapshot(grand_table, who) for who in OTHERS} == before
    assert grand_table.get("roman", "").headers["ETag"] != tag, "the Roman's own page counts it"
    assert grand_table.statuses(f"talk/{thread.key}/") == {
        "gm": 404,
        "hun": 200,
        "roman": 200,
        "stranger": 403,
        "nobody": 302,
    }
    for who in OTHERS:
        assert grand_table.post(who, f"/report/message/{thread.key}.1/").status_code in (
            302,
            403,
            404,
        )
        assert grand_table.post(who, f"talk/{thread.key}/", text="I hear you.").status_code in (
            302,
            403,
            404,
        )
        assert "Dalmatia" not in grand_table.text(who, "talk/messages.txt")
    assert Message.objects.count() == 1


def test_a_message_its_mark_and_its_answer(grand_table: GrandTable) -> None:  # noqa: F811
    write(
        grand_table,
        "hun",
        "romans",
        text="*Peace* for two turns, see #1.\n\n> Where?\n<b>Here</b>",
        quoted="1",
    )
    thread = Conversation.objects.get()
    listed = grand_table.text("roman", "talk/")
    assert 'class="count count--mine">1<' in listed
    assert (
        "count--mine"
        in grand_table.text("roman", "").split('<nav class="tabs"')[1].split("</nav>")[0]
    )
    page = grand_table.text("roman", f"talk/{thread.key}/")
    assert (
        f'<strong>Peace</strong> for two turns, see <a href="{grand_table.home}e/1/">#1</a>.'
        in page
    )
    assert "<blockquote><p>Where?</p></blockquote><p>&lt;b&gt;Here&lt;/b&gt;</p>" in page
    assert f'<a href="{grand_table.home}e/1/">#1</a>' in page.split("talk__quote")[1]
    assert 'chip--mine">new' in page
    assert (
        "count--mine"
        not in grand_table.text("roman", "talk/").split('<nav class="tabs"')[1].split("</nav>")[0]
    )
    answer = grand_table.post("roman", f"talk/{thread.key}/", text="Agreed.")
    assert answer["Location"] == f"{grand_table.home}talk/{thread.key}/#m2"
    kept = grand_table.text("hun", "talk/messages.txt")
    assert "Huns (Ingrid) (#1)" in kept
    assert "Romans (Benedetto)\nAgreed." in kept
    assert grand_table.post("hun", f"talk/{thread.key}/", text="").status_code == 400
    assert write(grand_table, "hun", "nobody").status_code == 400
    assert (
        'value="romans" checked' in write(grand_table, "hun", "romans", text=" ").content.decode()
    )


def test_a_page_of_talk_needs_few_queries(grand_table: GrandTable) -> None:  # noqa: F811
    for n in range(4):
        write(grand_table, "hun", "romans", text=f"Letter {n}", quoted="1")
        write(grand_table, "roman", "huns", text=f"Answer {n}")
    write(grand_table, "hun", "*", text="Hail.")
    key = Conversation.objects.get(parties="|huns|romans|").key
    for path, most in (("talk/", 16), (f"talk/{key}/", 24), ("press/", 14)):
        grand_table.text("roman", path)
        with CaptureQueriesContext(
            connection,
        ) as asked:
            grand_table.text("roman", path)
        assert len(asked) <= most, path


def test_mute_and_report(grand_table: GrandTable) -> None:  # noqa: F811
    write(grand_table, "hun", "romans", text="I will find you.")
    key = Conversation.objects.get().key
    report = f"/report/message/{key}.1/"
    assert f'href="{report}"' in grand_table.text("roman", f"talk/{key}/")
    grand_table.post("roman", report, reason="A threat")
    assert "I will find you." not in grand_table.text("gm", "talk/")
    reported = grand_table.text("gm", "reported/")
    assert "I will find you." in reported
    assert "Reported by Benedetto" in reported
    assert [grand_table.get(who, "reported/").status_code for who in WHO] == [
        200,
        403,
        403,
        403,
        302,
    ]
    grand_table.post("roman", f"talk/{key}/", do="mute")
    write(grand_table, "hun", "romans", text="Do you hear?")
    assert "muted" in grand_table.text("roman", "talk/")
    assert "count--mine" not in grand_table.text("roman", "")


def test_the_rule_is_shown_before_joining_and_changes_in_public(
    grand_table: GrandTable,  # noqa: F811
) -> None:
    rule = "The game master reads what is addressed to them, and messages that are reported"
    assert rule in grand_table.text("nobody", "about/")
    assert rule in grand_table.text("hun", "talk/")
    assert 'name="sight"' in grand_table.text("gm", "talk/")
    assert 'name="sight"' not in grand_table.text("hun", "talk/")
    assert grand_table.post("hun", "talk/", sight="all").status_code == 403
    assert grand_table.post("gm", "talk/", sight="all").status_code == 303
    assert "The game master reads every message" in grand_table.text("nobody", "log/")
    assert "The rule for messages changes" in grand_table.text("hun", "/notices/")
    write(grand_table, "hun", "romans", text="Now they read it.")
    assert "Now they read it." in grand_table.text("gm", "talk/")
    assert "read-only" in grand_table.text("gm", "talk/")
    key = Conversation.objects.get().key
    assert 'name="text"' not in grand_table.text("gm", f"talk/{key}/")
    assert grand_table.post("gm", f"talk/{key}/", text="Tut.").status_code == 404


def test_a_letter_announces_a_message_without_its_content(grand_table: GrandTable) -> None:  # noqa: F811
    user = grand_table.people["roman"]
    EmailAddress.objects.update_or_create(
        user=user, email=user.email, defaults={"verified": True, "primary": True}
    )
    channels.set_preferences(channels.email_channel(user), {"message": "now"})
    write(grand_table, "hun", "romans", text="The password is laurel.")
    delivery.tick(timezone.now() + timedelta(minutes=10))
    (letter,) = mail.outbox
    assert "Huns: a message for you" in str(letter.message())
    assert "laurel" not in str(letter.message())
    assert Channel.objects.count() == 1


def test_the_press_is_public_and_in_the_report(grand_table: GrandTable) -> None:  # noqa: F811
    assert (
        grand_table.post("stranger", "press/", headline="Lies", text="All lies.").status_code == 403
    )
    assert grand_table.post("hun", "press/", headline="", text="No head.").status_code == 400
    answer = grand_table.post(
        "hun", "press/", headline="Peace with Ravenna", text="We *rest*.\n\nFor now."
    )
    grand_table.campaign.refresh_from_db()
    number = grand_table.campaign.last_number
    assert answer["Location"] == f"{grand_table.home}press/#e{number}"
    page = grand_table.text("nobody", "press/")
    assert "Peace with Ravenna" in page
    assert "<p>We <strong>rest</strong>.</p><p>For now.</p>" in page
    assert "Peace with Ravenna" in grand_table.text("nobody", "log/")
    assert "Peace with Ravenna" in grand_table.text("roman", "/notices/")
    assert 'id="f-headline"' not in page
    assert "Peace with Ravenna" not in grand_table.text("nobody", "reports/turn-1/")
    assert grand_table.post("hun", "press/", do="report", on="on").status_code == 403
    assert [
        grand_table.post("hun", "press/", headline=f"No. {n}", text="Hear!").status_code
        for n in range(6)
    ] == [303] * 5 + [409]
    grand_table.post("gm", "press/", do="report", on="on")
    assert "Peace with Ravenna" in grand_table.text("nobody", "reports/turn-1/")


def test_the_founding_form_asks_for_the_rule(new_campaign: Callable[..., GrandTable]) -> None:  # noqa: F811
    grand_table = new_campaign()  # noqa: F811
    page = grand_table.text("gm", "/found/")
    assert 'name="sight"' in page
    assert '<option value="reported" selected>' in page
    data = form(grand_table.clients["gm"], name="Strict", sight="addressed")
    answer = grand_table.clients["gm"].post("/found/", data, follow=True)
    assert "Strict" in answer.content.decode()
    created = Campaign.objects.get(name="Strict")
    assert (created.sight, created.entries.get(number=0).content["sight"]) == (
        "addressed",
        "addressed",
    )


def test_the_markup_is_small() -> None:
    def url(number: int) -> str:
        return f"/e/{number}/"

    assert (
        marked_up("a *b c* d_e_f _g_ 2*3*4", url)
        == "<p>a <strong>b c</strong> d_e_f <em>g</em> 2<strong>3</strong>4</p>"
    )
    assert (
        marked_up("> one\n> two\nthree", url)
        == "<blockquote><p>one<br>two</p></blockquote><p>three</p>"
    )
    assert (
        marked_up('<img src="x"> https://evil.example &amp;', url)
        == "<p>&lt;img src=&quot;x&quot;&gt; https://evil.example &amp;amp;</p>"
    )
    assert marked_up("#12 a#3 #", url) == '<p><a href="/e/12/">#12</a> a#3 #</p>'
