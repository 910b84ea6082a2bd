"""The page of clocks: the terms of all clocks, extensions and pauses."""

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
from tests.web.contests import seen_number, visible_text
from tests.web.grand_table import WHO, GrandTable, draft, new_campaign
from tests.web.timed import (
    DAY,
    HOUR,
    ROME,
    YORK,
    challenged,
    datetimes_on_page,
    local_iso_time,
    overdue,
    post_clock_terms,
    running_clock,
    start_with_slot_open_for,
)
from tests.windows import Table

__all__ = ["challenged", "draft", "new_campaign", "overdue", "people", "running", "table", "toy"]
pytestmark = pytest.mark.django_db
TYPED = "%Y-%m-%dT%H:%M"
FIELDS = {"length": "5", "unit": "d", "grace": "1", "grace_unit": "d", "then": "remind"}


def extend(
    grand_table: GrandTable,
    kind: str,
    to: datetime | str,
    who: str = "gm",
    contest: int | None = None,
    **more: str,
) -> Any:
    text = to if isinstance(to, str) else to.astimezone(ROME).strftime(TYPED)
    typed = {
        "do": "extend",
        "extend": str(running_clock(grand_table, kind, contest).pk),
        "to": text,
        "seen": seen_number(grand_table, who),
    }
    return grand_table.post(who, "clocks/", **{**typed, "reason": "He is ill.", **more})


# How long things may take -------------------------------------------------------------------------


def test_all_readers_see_the_terms_in_plain_words(draft: GrandTable) -> None:
    for who in WHO:
        text = visible_text(draft.get(who, "clocks/"))
        assert (
            "The whole turn Up to 28 days. Then everyone is reminded; nothing happens"
            " automatically." in text
        )
        assert (
            "A player’s turn Up to 3 days. The player the table waits for is reminded before the "
            "deadline; nothing happens automatically."
        ) in text
        assert "A battle Up to 14 days." in text
        assert "No deadline is running. The clocks start with the campaign." in text
        assert ("Change the clocks" in text) == (who == "gm")
    graces = draft.text("gm", "clocks/").count('class="field term__grace"')
    chosen = ':is(option[value="ask"], option[value="remind"], option[value="none"]):checked'
    hidden = f".term:has({chosen}):not(:has([aria-invalid])) .term__grace"
    assert graces == 3, "hidden by the stylesheet where a clock only reminds"
    assert hidden in Path("static/css/clocks.css").read_text()
    assert f'href="{draft.home}clocks/#terms">Time limits</a>' in draft.text("gm")


def test_the_game_master_changes_them_and_the_log_says_so(draft: GrandTable) -> None:
    answer = post_clock_terms(
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
    text = visible_text(draft.get("nobody", "clocks/"))
    assert (
        "A player’s turn Up to 36 hours. 12 hours later the turn ends automatically, and unused"
        " actions lapse."
    ) in text
    assert "The confirmation of a claim No limit: no clock runs." in text
    assert re.search(r"entry 3 by Marozia, today \d\d:\d\d", text)
    assert "From now on, " in visible_text(draft.get("nobody", "log/"))
    assert 'value="act" selected' in draft.text("gm", "clocks/")


def test_wrong_terms_have_errors_beside_them_and_keep_what_was_typed(draft: GrandTable) -> None:
    answer = post_clock_terms(
        draft,
        slot_length="0",
        battle_length="<b>",
        answer_grace="2000",
        answer_grace_unit="h",
        answer_then="act",
    )
    page = answer.content.decode()
    assert answer.status_code == 422
    assert (
        visible_text(page).count("A clock can run for 1 to 365 days, or for 1 to 1,440 hours.") == 2
    )
    assert "The grace period can be 0 to 1,440 hours, or up to 365 days." in visible_text(page)
    assert 'value="&lt;b&gt;"' in page
    assert '<details class="sheet__more" open' in page
    for kind in ("slot", "battle", "answer"):
        assert f'aria-describedby="t-{kind}-error"' in page
        assert f'id="t-{kind}-error"' in page
    nothing = post_clock_terms(draft)
    assert (
        nothing.status_code,
        "These time limits are already in force." in visible_text(nothing),
    ) == (
        422,
        True,
    )
    assert draft.campaign.entries.count() == 3


@pytest.mark.parametrize("who", ["hun", "roman", "stranger", "nobody"])
def test_only_the_game_master_sets_terms_and_extends_clocks(
    challenged: GrandTable, who: str
) -> None:
    before = challenged.campaign.entries.count()
    status = 302 if who == "nobody" else 403
    assert post_clock_terms(challenged, who, slot_length="5").status_code == status
    typed = {
        "do": "extend",
        "extend": str(running_clock(challenged, "slot").pk),
        "to": "2030-01-01T10:00",
        "reason": "x",
        "seen": "1",
    }
    assert challenged.post(who, "clocks/", **typed).status_code == status
    assert challenged.campaign.entries.count() == before
    page = challenged.text(who, "clocks/", extend=typed["extend"])
    assert "Extend" not in page


def test_without_clocks_nothing_is_due_anywhere(draft: GrandTable) -> None:
    post_clock_terms(
        draft, **{f"{kind}_then": "none" for kind in ("turn", "slot", "answer", "battle", "claim")}
    )
    draft.campaign.refresh_from_db()
    start_with_slot_open_for(draft, DAY)
    for path in ("", "desk/", "n/huns/", "clocks/"):
        text = visible_text(draft.get("gm", path))
        assert not re.search(r"\bdue\b|overdue|Extend|until \d", text), path
    assert (
        "No deadline is running. No clock is running for anyone the table is waiting for."
        in visible_text(draft.get("gm", "clocks/"))
    )
    assert "No date can be given, because these have no clock: Turn of the Huns, " in visible_text(
        draft.get("gm", "desk/")
    )


# Extensions ---------------------------------------------------------------------------------------


def test_the_form_shows_both_times_and_the_latest_possible_one(challenged: GrandTable) -> None:
    slot = running_clock(challenged, "slot")
    challenged.people["gm"].time_zone = "America/New_York"
    challenged.people["gm"].save()
    page = challenged.text("gm", "clocks/", extend=str(slot.pk), back="desk")
    text = visible_text(page)
    there, here = slot.due_at.astimezone(ROME), slot.due_at.astimezone(YORK)
    assert f"{there:%H:%M} in Europe/Rome, " in text
    assert f"{here:%H:%M}  for you" in text or f"{here:%H:%M} for you" in text
    assert local_iso_time(slot.latest, YORK) in datetimes_on_page(page)
    assert "twice the agreed time (3 days)" in text
    assert f'max="{slot.latest.astimezone(ROME).strftime(TYPED)}"' in page
    assert f'value="{there.strftime(TYPED)}"' in page
    assert "The new deadline, in Europe/Rome" in text


@pytest.mark.parametrize(
    ("back", "leads"),
    [("desk", "desk/"), ("nation", "n/huns/"), ("", "clocks/"), ("//evil.example", "clocks/")],
)
def test_a_deadline_is_extended_in_the_time_zone_of_the_campaign(
    challenged: GrandTable, back: str, leads: str
) -> None:
    slot = running_clock(challenged, "slot")
    to = (slot.due_at + 2 * DAY).replace(second=0, microsecond=0)
    answer = extend(challenged, "slot", to, back=back)
    assert (answer.status_code, answer["Location"]) == (303, challenged.home + leads)
    assert running_clock(challenged, "slot").due_at == to
    typed = f"{(to + HOUR).astimezone(ROME):%Y-%m-%d %H:%M}"
    assert extend(challenged, "slot", typed).status_code == 303, (
        "as it is typed where the browser has no field for it"
    )
    to += HOUR
    text = visible_text(challenged.get("gm", "log/"))
    assert (
        f"Huns: the turn of the nation may last until {to.astimezone(ROME):%-d %b %Y %H:%M}"
        " (Europe/Rome): He is ill. Marozia" in text
    )
    page = challenged.text("hun", "n/huns/")
    assert local_iso_time(to, YORK) in datetimes_on_page(page)
    assert "Player’s turn Huns Ingrid, since" in (
        text := visible_text(challenged.get("roman", "clocks/"))
    )
    assert ", extended " in text


def test_a_battle_is_extended_from_its_page(overdue: GrandTable) -> None:
    overdue.play("romans", "respond", attack=1, choice="accept")
    battle = running_clock(overdue, "battle", 1)
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
            (
                "You can extend a deadline to at most twice the length of its clock. If you need "
                "longer, pause the campaign."
            ),
            "x-to",
        ),
        (-HOUR, "You cannot shorten a deadline below what the time limits give.", "x-to"),
        (timedelta(days=-20), "A new deadline must be in the future.", "x-to"),
        ("", "Type a date and a time, such as 2026-03-10 18:00.", "x-to"),
        ("9999-99-99T99:99", "Type a date and a time, such as 2026-03-10 18:00.", "x-to"),
        ("0001-01-01T00:00", "", "x-to"),
        ("<script>", "Type a date and a time, such as 2026-03-10 18:00.", "x-to"),
    ],
)
def test_an_impossible_extension_is_named_beside_its_field_and_the_rest_stays(
    challenged: GrandTable, more: timedelta | str, content: str, field: str
) -> None:
    to = running_clock(challenged, "slot").due_at + more if isinstance(more, timedelta) else more
    before = challenged.campaign.entries.count()
    answer = extend(challenged, "slot", to, reason='"><i>ill</i>')
    page = answer.content.decode()
    assert answer.status_code == 422
    assert content in visible_text(page)
    assert re.search(
        rf'id="{field}"[^>]*aria-invalid="true" aria-describedby="{field}-error"', page
    )
    assert "&quot;&gt;&lt;i&gt;ill&lt;/i&gt;</textarea>" in page
    assert "<script>" not in page.split('id="extend"')[1].split("</section>")[0]
    assert challenged.campaign.entries.count() == before


def test_an_extension_needs_a_reason(challenged: GrandTable) -> None:
    answer = extend(challenged, "slot", running_clock(challenged, "slot").due_at + DAY, reason=" ")
    assert answer.status_code == 422
    assert (
        "Give a reason in up to 1,000 characters. Everyone will be able to read it."
        in visible_text(answer)
    )
    assert (
        'id="x-why" name="reason" rows="2" maxlength="1000" required aria-invalid="true"'
        in answer.content.decode()
    )


def test_a_form_of_an_older_page_or_of_an_ended_clock_is_refused(challenged: GrandTable) -> None:
    slot, old = running_clock(challenged, "slot"), seen_number(challenged)
    challenged.play("romans", "respond", attack=1, choice="accept")
    answer = extend(challenged, "slot", slot.due_at + DAY, seen=old)
    assert answer.status_code == 409
    assert "The table has moved on" in visible_text(answer)
    challenged.play("huns", "end-slot")
    typed = {
        "do": "extend",
        "extend": str(slot.pk),
        "to": "2030-01-01T10:00",
        "reason": "x",
        "seen": seen_number(challenged),
    }
    answer = challenged.post("gm", "clocks/", follow=True, **typed)
    assert "This clock is no longer running." in visible_text(answer)


def test_a_clock_that_is_past_twice_its_length_suggests_a_remedy(draft: GrandTable) -> None:
    start_with_slot_open_for(draft, 7 * DAY)
    text = visible_text(draft.get("gm", "clocks/", extend=str(running_clock(draft, "slot").pk)))
    assert "This deadline cannot be extended any further. It ends " in text
    assert "If someone needs more time, pause the campaign." in text
    assert 'name="to"' not in draft.text(
        "gm", "clocks/", extend=str(running_clock(draft, "slot").pk)
    )


def test_a_clock_of_another_campaign_is_not_found(
    challenged: GrandTable, new_campaign: Any
) -> None:
    other = new_campaign(name="Elsewhere")
    start_with_slot_open_for(other, DAY)
    strange = str(running_clock(other, "slot").pk)
    assert 'id="extend"' not in challenged.text("gm", "clocks/", extend=strange)
    typed = {
        "do": "extend",
        "extend": strange,
        "to": "2030-01-01T10:00",
        "reason": "x",
        "seen": seen_number(challenged),
    }
    assert "This clock is no longer running." in visible_text(
        challenged.post("gm", "clocks/", follow=True, **typed)
    )


# Pauses -------------------------------------------------------------------------------------------


def test_pause_and_resume_show_the_deadlines_that_shift(challenged: GrandTable) -> None:
    due = running_clock(challenged, "slot").due_at
    assert (
        "No one can move until you resume. You can still undo; nothing is lost. 3 deadlines stop "
        "meanwhile."
    ) in visible_text(challenged.get("gm", "desk/"))
    ago = timezone.now() - timedelta(minutes=30)
    services.change_life(challenged.campaign, challenged.people["gm"], "paused", now=ago)
    text = visible_text(challenged.get("roman", "clocks/"))
    assert text.count("stopped The campaign is paused, and so is the deadline.") == 3
    assert "Extend" not in challenged.text("gm", "clocks/")
    text = visible_text(challenged.get("gm", "desk/"))
    assert "stopped" in text
    assert "Play continues where it stopped. 3 deadlines move by 30 min." in text
    answer = challenged.post("gm", "about/", follow=True, do="live", how="resumed", back="desk")
    assert "The campaign goes on. 3 deadlines move by 30 min." in visible_text(answer)
    assert (
        timedelta(minutes=29)
        < running_clock(challenged, "slot").due_at - due
        < timedelta(minutes=31)
    )
    answer = challenged.post("gm", "about/", follow=True, do="live", how="paused", back="desk")
    assert "3 deadlines have stopped." in visible_text(answer)


# Other titles, queries ----------------------------------------------------------------------------


def test_a_plain_title_has_the_page_too(running: Any) -> None:
    client = Client()
    client.force_login(running.gm)
    home = f"/c/{running.campaign.address}/"
    text = visible_text(client.get(home + "clocks/"))
    assert re.search(r"Turn \d since today \d\d:\d\d", text)
    assert "Player’s turn The Bee Bee, since" in text
    assert "Until the turn closes" in text
    for path in ("", "n/bee/", "desk/", "clocks/"):
        assert clocks.clock_of(running.campaign, "slot", "bee")
        assert re.search(
            r"until \d|due \d|\d\d:\d\d 2 d 23 h", visible_text(client.get(home + path))
        ), path


def test_a_title_with_its_own_page_shows_its_deadline_in_the_head(
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
    (slot,) = [clock for clock in clocks.running(campaign) if clock.kind == "slot"]
    page = windows.text("ant")
    assert slot.due_at.isoformat(timespec="seconds") in datetimes_on_page(
        page.split('class="tabs"')[0]
    )
    page = windows.text("gm", "clocks/")
    assert f"?extend={slot.pk}#extend" in page
    text = visible_text(page)
    who = {"A": ", Ant", "B": ", Bee", "C": ""}[slot.seat]
    assert f"Drawing a People counter{who}: due " in text
    assert "The People counters, Ant, Bee: 5 × 3 days, ends on " in text
    assert "The Emperor counters, Ant, Bee: 6 × 3 days" in text
    assert re.search(
        r"expected to close around [\w ]+ if everyone uses all their time,"
        r" or around [\w ]+ if no one else has to choose",
        text,
    )
    assert re.findall(r'name="(\w+)-length"', page) == ["turn", "slot"], "no battle is fought here"
    form = {
        f"{kind}-{field}": value for kind in ("turn", "slot") for field, value in FIELDS.items()
    }
    assert windows.post("gm", "clocks/", do="terms", **form).status_code == 303
    campaign.refresh_from_db()
    assert {kind: term and term.length for kind, term in terms_of(campaign).items()} == {
        "turn": "5d",
        "slot": "5d",
        "answer": "3d",
        "battle": "14d",
        "claim": "3d",
        "words": "2d",
    }
    today = timezone.localdate()
    for who in ("ant", "bee"):
        standing_orders.announce_absence(people[who], today, today + 2 * DAY)
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


def test_a_campaign_for_one_player_has_no_clocks(person: Any) -> None:
    alone = services.found_campaign(person("Sol"), "march_on_rome", "A reign", "standard", {})
    assert Client().get(f"/c/{alone.address}/clocks/").status_code == 404


def test_pages_with_deadlines_need_few_queries(overdue: GrandTable) -> None:
    """Count the queries of the first reader after an entry, and of the second."""
    assert connection.features.supports_json_field  # SQLite is queried once in each process
    # Something is cached for a campaign that was just played, nothing for one that was put back.
    history.memory.clear()
    counts = {}
    for path in ("", "desk/", "n/huns/", "b/1/", "battles/", "clocks/", "/"):
        for turn in ("cold", "warm"):
            with CaptureQueriesContext(connection) as caught:
                assert overdue.get("gm", path).status_code == 200
            counts[path, turn] = len(caught)
    assert max(counts.values()) <= 12, counts
