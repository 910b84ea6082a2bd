"""The page of clocks: how long things may take, and that one takes longer."""

from __future__ import annotations

import html
import re
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from campaign import services
from campaign.clocks import selectors as clocks
from campaign.clocks.selectors import terms_of
from campaign.log import history
from campaign.seats import standing_orders
from tests.table import people, running, table, toy
from tests.web.contests import plain, seen
from tests.web.five import WHO, Five, draft, new_campaign
from tests.web.timed import (
    DAY,
    HOUR,
    ROME,
    YORK,
    challenged,
    clock,
    local,
    moments,
    overdue,
    start,
    terms,
)
from tests.windows import Table

__all__ = ["challenged", "draft", "new_campaign", "overdue", "people", "running", "table", "toy"]
pytestmark = pytest.mark.django_db
TYPED = "%Y-%m-%dT%H:%M"
FIELDS = {"length": "5", "unit": "d", "grace": "1", "grace_unit": "d", "then": "remind"}


def extend(
    five: Five,
    kind: str,
    to: datetime | str,
    who: str = "gm",
    contest: int | None = None,
    **more: str,
) -> Any:
    text = to if isinstance(to, str) else to.astimezone(ROME).strftime(TYPED)
    typed = {
        "do": "extend",
        "extend": str(clock(five, kind, contest).pk),
        "to": text,
        "seen": seen(five, who),
    }
    return five.post(who, "clocks/", **{**typed, "reason": "He is ill.", **more})


# How long things may take -------------------------------------------------------------------------


def test_everybody_reads_the_terms_in_plain_words(draft: Five) -> None:
    for who in WHO:
        text = plain(draft.get(who, "clocks/"))
        assert (
            "A turn may last 28 days. Then everybody is reminded; nothing happens automatically."
            in text
        )
        assert (
            "A slot may take 3 days. The player the table waits for is reminded before; nothing"
            " happens automatically." in text
        )
        assert "A battle may take 14 days." in text
        assert "No deadline runs. The clocks begin with the campaign." in text
        assert ("Change the clocks" in text) == (who == "gm")
    graces = draft.text("gm", "clocks/").count('class="field term__grace"')
    chosen = ':is(option[value="ask"], option[value="remind"], option[value="none"]):checked'
    hidden = f".term:has({chosen}):not(:has([aria-invalid])) .term__grace"
    assert graces == 3, "hidden by the stylesheet where a clock only reminds"
    assert hidden in Path("static/css/clocks.css").read_text()
    assert f'href="{draft.home}clocks/#terms">Time limits</a>' in draft.text("gm")


def test_the_game_master_changes_them_and_the_log_says_so(draft: Five) -> None:
    answer = terms(
        draft,
        slot_length="36",
        slot_unit="h",
        slot_then="act",
        slot_grace="12",
        slot_grace_unit="h",
        claim_then="none",
    )
    assert (answer.status_code, answer["Location"]) == (
        302,
        f"{draft.home}clocks/#terms",
    ) or answer.status_code == 303
    draft.campaign.refresh_from_db()
    now = terms_of(draft.campaign)
    assert now["slot"] is not None
    assert now["slot"].to_json() == {"length": "36h", "grace": "12h", "acts": True}
    assert now["claim"] is None
    text = plain(draft.get("nobody", "clocks/"))
    assert (
        "A slot may take 36 hours. 12 hours later it ends automatically; what was not used lapses."
        in text
    )
    assert "The confirmation of a claim may take as long as it needs: no clock runs." in text
    assert re.search(r"entry 3 by Marozia, today \d\d:\d\d", text)
    assert "Time from now on: " in plain(draft.get("nobody", "log/"))
    assert 'value="act" selected' in draft.text("gm", "clocks/")


def test_what_is_wrong_with_terms_stands_beside_them_and_what_was_typed_stays(draft: Five) -> None:
    answer = terms(
        draft,
        slot_length="0",
        battle_length="<b>",
        answer_grace="2000",
        answer_grace_unit="h",
        answer_then="act",
    )
    page = answer.content.decode()
    assert answer.status_code == 422
    assert plain(page).count("A clock runs for 1 to 365 days, or for 1 to 1,440 hours.") == 2
    assert "The grace is 0 to 1,440 hours, or up to 365 days." in plain(page)
    assert 'value="&lt;b&gt;"' in page
    assert '<details class="sheet__more" open' in page
    for kind in ("slot", "battle", "answer"):
        assert f'aria-describedby="t-{kind}-error"' in page
        assert f'id="t-{kind}-error"' in page
    nothing = terms(draft)
    assert (nothing.status_code, "These terms are in force already." in plain(nothing)) == (
        422,
        True,
    )
    assert draft.campaign.entries.count() == 3


@pytest.mark.parametrize("who", ["hun", "roman", "stranger", "nobody"])
def test_nobody_else_sets_terms_or_extends(challenged: Five, who: str) -> None:
    before = challenged.campaign.entries.count()
    status = 302 if who == "nobody" else 403
    assert terms(challenged, who, slot_length="5").status_code == status
    typed = {
        "do": "extend",
        "extend": str(clock(challenged, "slot").pk),
        "to": "2030-01-01T10:00",
        "reason": "x",
        "seen": "1",
    }
    assert challenged.post(who, "clocks/", **typed).status_code == status
    assert challenged.campaign.entries.count() == before
    page = challenged.text(who, "clocks/", extend=typed["extend"])
    assert "Extend" not in page


def test_without_clocks_nothing_is_due_anywhere(draft: Five) -> None:
    terms(
        draft, **{f"{kind}_then": "none" for kind in ("turn", "slot", "answer", "battle", "claim")}
    )
    draft.campaign.refresh_from_db()
    start(draft, DAY)
    for path in ("", "desk/", "n/huns/", "clocks/"):
        text = plain(draft.get("gm", path))
        assert not re.search(r"\bdue\b|overdue|Extend|until \d", text), path
    assert "No deadline runs. The table waits for nobody who has a clock." in plain(
        draft.get("gm", "clocks/")
    )
    assert "No date: Slot of the Huns, " in plain(draft.get("gm", "desk/"))


# One takes longer ---------------------------------------------------------------------------------


def test_the_form_tells_both_times_and_the_latest(challenged: Five) -> None:
    slot = clock(challenged, "slot")
    challenged.people["gm"].time_zone = "America/New_York"
    challenged.people["gm"].save()
    page = challenged.text("gm", "clocks/", extend=str(slot.pk), back="desk")
    text = plain(page)
    there, here = slot.due_at.astimezone(ROME), slot.due_at.astimezone(YORK)
    assert f"{there:%H:%M} in Europe/Rome, " in text
    assert f"{here:%H:%M}  for you" in text or f"{here:%H:%M} for you" in text
    assert local(slot.latest, YORK) in moments(page)
    assert "twice its 3 days" in text
    assert f'max="{slot.latest.astimezone(ROME).strftime(TYPED)}"' in page
    assert f'value="{there.strftime(TYPED)}"' in page
    assert "The new deadline, in Europe/Rome" in text


@pytest.mark.parametrize(
    ("back", "leads"),
    [("desk", "desk/"), ("nation", "n/huns/"), ("", "clocks/"), ("//evil.example", "clocks/")],
)
def test_a_deadline_is_extended_in_the_time_of_the_table(
    challenged: Five, back: str, leads: str
) -> None:
    slot = clock(challenged, "slot")
    to = (slot.due_at + 2 * DAY).replace(second=0, microsecond=0)
    answer = extend(challenged, "slot", to, back=back)
    assert (answer.status_code, answer["Location"]) == (303, challenged.home + leads)
    assert clock(challenged, "slot").due_at == to
    typed = f"{(to + HOUR).astimezone(ROME):%Y-%m-%d %H:%M}"
    assert extend(challenged, "slot", typed).status_code == 303, (
        "as it is typed where the browser has no field for it"
    )
    to += HOUR
    text = plain(challenged.get("gm", "log/"))
    assert (
        f"Huns: the slot may last until {to.astimezone(ROME):%-d %b %Y %H:%M} (Europe/Rome): He is"
        " ill. Marozia" in text
    )
    page = challenged.text("hun", "n/huns/")
    assert local(to, YORK) in moments(page)
    assert "Slot Huns Ingrid, since" in (text := plain(challenged.get("roman", "clocks/")))
    assert ", extended " in text


def test_a_battle_is_extended_from_its_page(overdue: Five) -> None:
    overdue.play("romans", "respond", attack=1, choice="accept")
    battle = clock(overdue, "battle", 1)
    (link,) = re.findall(r'href="([^"]+)">Extend…</a>', overdue.text("gm", "b/1/"))
    page = overdue.text("gm", html.unescape(link))
    assert '<input type="hidden" name="back" value="battle">' in page
    answer = extend(overdue, "battle", battle.due_at + DAY, contest=1, back="battle")
    assert answer["Location"] == f"{overdue.home}b/1/"
    assert "Extend…" not in overdue.text("roman", "b/1/")


@pytest.mark.parametrize(
    ("more", "content", "field"),
    [
        (
            timedelta(days=30),
            "At most twice its length. If it takes longer, the campaign pauses.",
            "x-to",
        ),
        (-HOUR, "Nobody gets less time than the terms gave them.", "x-to"),
        (timedelta(days=-20), "A new deadline must be in the future.", "x-to"),
        ("", "Type a date and a time, such as 2026-03-10 18:00.", "x-to"),
        ("9999-99-99T99:99", "Type a date and a time, such as 2026-03-10 18:00.", "x-to"),
        ("0001-01-01T00:00", "", "x-to"),
        ("<script>", "Type a date and a time, such as 2026-03-10 18:00.", "x-to"),
    ],
)
def test_what_cannot_be_is_said_beside_the_field_and_the_rest_stays(
    challenged: Five, more: timedelta | str, content: str, field: str
) -> None:
    to = clock(challenged, "slot").due_at + more if isinstance(more, timedelta) else more
    before = challenged.campaign.entries.count()
    answer = extend(challenged, "slot", to, reason='"><i>ill</i>')
    page = answer.content.decode()
    assert answer.status_code == 422
    assert content in plain(page)
    assert re.search(
        rf'id="{field}"[^>]*aria-invalid="true" aria-describedby="{field}-error"', page
    )
    assert "&quot;&gt;&lt;i&gt;ill&lt;/i&gt;</textarea>" in page
    assert "<script>" not in page.split('id="extend"')[1].split("</section>")[0]
    assert challenged.campaign.entries.count() == before


def test_a_reason_is_asked_for(challenged: Five) -> None:
    answer = extend(challenged, "slot", clock(challenged, "slot").due_at + DAY, reason=" ")
    assert answer.status_code == 422
    assert "Give the reason, in up to 1,000 characters: everybody will read it." in plain(answer)
    assert (
        'id="x-why" name="reason" rows="2" maxlength="1000" required aria-invalid="true"'
        in answer.content.decode()
    )


def test_a_table_that_has_moved_on_is_said_and_one_whose_clock_has_ended(challenged: Five) -> None:
    slot, old = clock(challenged, "slot"), seen(challenged)
    challenged.play("romans", "respond", attack=1, choice="accept")
    answer = extend(challenged, "slot", slot.due_at + DAY, seen=old)
    assert answer.status_code == 409
    assert "The table has moved on" in plain(answer)
    challenged.play("huns", "end-slot")
    typed = {
        "do": "extend",
        "extend": str(slot.pk),
        "to": "2030-01-01T10:00",
        "reason": "x",
        "seen": seen(challenged),
    }
    answer = challenged.post("gm", "clocks/", follow=True, **typed)
    assert "This clock no longer runs." in plain(answer)


def test_one_that_is_past_twice_its_length_says_what_helps(draft: Five) -> None:
    start(draft, 7 * DAY)
    text = plain(draft.get("gm", "clocks/", extend=str(clock(draft, "slot").pk)))
    assert "It cannot be extended any more: with 3 days twice, it ends" in text
    assert "If somebody needs longer, pause the campaign." in text
    assert 'name="to"' not in draft.text("gm", "clocks/", extend=str(clock(draft, "slot").pk))


def test_a_clock_of_another_campaign_is_none_here(challenged: Five, new_campaign: Any) -> None:
    other = new_campaign(name="Elsewhere")
    start(other, DAY)
    strange = str(clock(other, "slot").pk)
    assert 'id="extend"' not in challenged.text("gm", "clocks/", extend=strange)
    typed = {
        "do": "extend",
        "extend": strange,
        "to": "2030-01-01T10:00",
        "reason": "x",
        "seen": seen(challenged),
    }
    assert "This clock no longer runs." in plain(
        challenged.post("gm", "clocks/", follow=True, **typed)
    )


# Pauses -------------------------------------------------------------------------------------------


def test_pause_and_resume_tell_what_shifts(challenged: Five) -> None:
    due = clock(challenged, "slot").due_at
    assert (
        "Nobody moves until you resume. You can still undo; nothing is lost. 3 deadlines stand"
        " still meanwhile." in plain(challenged.get("gm", "desk/"))
    )
    ago = timezone.now() - timedelta(minutes=30)
    services.live(challenged.campaign, challenged.people["gm"], "paused", now=ago)
    text = plain(challenged.get("roman", "clocks/"))
    assert text.count("stands still The campaign pauses: the deadline stands still.") == 3
    assert "Extend" not in challenged.text("gm", "clocks/")
    text = plain(challenged.get("gm", "desk/"))
    assert "stands still" in text
    assert "Moves go on where they stopped. 3 deadlines move by 30 min." in text
    answer = challenged.post("gm", "about/", follow=True, do="live", how="resumed", back="desk")
    assert "The campaign goes on. 3 deadlines move by 30 min." in plain(answer)
    assert timedelta(minutes=29) < clock(challenged, "slot").due_at - due < timedelta(minutes=31)
    answer = challenged.post("gm", "about/", follow=True, do="live", how="paused", back="desk")
    assert "3 deadlines stand still." in plain(answer)


# Other titles, cost -------------------------------------------------------------------------------


def test_a_plain_title_has_the_page_too(running: Any) -> None:
    client = Client()
    client.force_login(running.gm)
    home = f"/c/{running.campaign.address}/"
    text = plain(client.get(home + "clocks/"))
    assert re.search(r"Turn \d since today \d\d:\d\d", text)
    assert "Slot The Bee Bee, since" in text
    assert "Path to the close" in text
    for path in ("", "n/bee/", "desk/", "clocks/"):
        assert clocks.clock_of(running.campaign, "slot", "bee")
        assert re.search(r"until \d|due \d|\d\d:\d\d 2 d 23 h", plain(client.get(home + path))), (
            path
        )


def test_a_title_on_a_page_of_its_own_tells_its_deadline_in_the_head(
    people: dict[str, Any],
) -> None:
    campaign = services.found_campaign(
        people["gm"], "roman_empire", "From Caesar on", "standard", {"players": 3}
    )
    for seat, who in (("A", "ant"), ("B", "bee")):
        _, token = services.invite(campaign, people["gm"], seat)
        services.take_seat(people[who], token)
    windows = Table(campaign, people)
    assert windows.post("gm", do="begin", then="on").status_code == 303
    campaign.refresh_from_db()
    (slot,) = [one for one in clocks.running(campaign) if one.kind == "slot"]
    page = windows.text("ant")
    assert slot.due_at.isoformat(timespec="seconds") in moments(page.split('class="tabs"')[0])
    page = windows.text("gm", "clocks/")
    assert f"?extend={slot.pk}#extend" in page
    text = plain(page)
    who = {"A": ", Ant", "B": ", Bee", "C": ""}[slot.seat]
    assert f"Drawing a People counter{who}: due " in text
    assert "The People counters, Ant, Bee: 5 × 3 days, over by " in text
    assert "The Emperor counters, Ant, Bee: 6 × 3 days" in text
    assert re.search(
        r"closes about [\w ]+ if all take their full time; [\w ]+ if nobody else has to choose",
        text,
    )
    assert re.findall(r'name="(\w+)-length"', page) == ["turn", "slot"], "no battle is fought here"
    form = {
        f"{kind}-{field}": value for kind in ("turn", "slot") for field, value in FIELDS.items()
    }
    assert windows.post("gm", "clocks/", do="terms", **form).status_code == 303
    campaign.refresh_from_db()
    assert {kind: one and one.length for kind, one in terms_of(campaign).items()} == {
        "turn": "5d",
        "slot": "5d",
        "answer": "3d",
        "battle": "14d",
        "claim": "3d",
        "words": "2d",
    }
    today = timezone.localdate()
    for who in ("ant", "bee"):
        standing_orders.announce(people[who], today, today + 2 * DAY)
    waits = slot.seat != "C"
    assert [("is away until" in windows.text("gm", path)) for path in ("", "clocks/")] == [
        waits,
        waits,
    ]
    to = (slot.due_at + DAY).strftime(TYPED)
    typed = {
        "do": "extend",
        "extend": str(slot.pk),
        "to": to,
        "reason": "A wedding.",
        "back": "desk",
    }
    assert windows.post("gm", "clocks/", **typed)["Location"] == f"{windows.home}clocks/"
    assert windows.clients["gm"].get(windows.home + "clocks/").status_code == 200


def test_who_plays_alone_has_no_clocks(person: Any) -> None:
    alone = services.found_campaign(person("Sol"), "march_on_rome", "A reign", "standard", {})
    assert Client().get(f"/c/{alone.address}/clocks/").status_code == 404


def test_pages_with_deadlines_ask_little(overdue: Five) -> None:
    """Cold, as the first reader after an entry asks, and for a second one."""
    assert connection.features.supports_json_field  # SQLite is asked once a process
    # Of a campaign that was played just now something is kept, of one that was put back nothing.
    history.memory.clear()
    counts = {}
    for path in ("", "desk/", "n/huns/", "b/1/", "battles/", "clocks/", "/"):
        for turn in ("cold", "warm"):
            with CaptureQueriesContext(connection) as caught:
                assert overdue.get("gm", path).status_code == 200
            counts[path, turn] = len(caught)
    assert max(counts.values()) <= 12, counts
