"""The pages of reports: the list, and a report as on the forum, as BBCode and as plain text."""

from __future__ import annotations

import html
import re
from types import SimpleNamespace
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from campaign import services
from campaign.log import selectors
from campaign.models import Campaign
from forum.dialects import DIALECTS
from forum.models import Thread
from forum.posts import outbox
from tests.table import grand, people, running, table, toy

__all__ = ["grand", "people", "running", "table", "toy"]

NAME = "[b]East[/b] & <i>West</i>"
REASON = "[/code][/list]<script>alert(1)</script>"


def play(grand: SimpleNamespace, move: str, **given: Any) -> None:
    gm = grand.people["gm"]
    result = services.play(
        grand.campaign, gm, {"by": "gm", "move": move, **given}, selectors.seen(grand.campaign, gm)
    )
    grand.campaign = result.campaign


def end_slot(grand: SimpleNamespace) -> str:
    slot = grand.campaign.active_seat
    play(grand, "end-slot", **{"for": slot})
    return str(slot)


@pytest.fixture
def started(grand: SimpleNamespace) -> SimpleNamespace:
    """Return a campaign in turn 1 with one ended slot and a correction."""
    services.change_description(
        grand.campaign, grand.people["gm"], name=NAME, time_zone="UTC", visibility="unlisted"
    )
    grand.campaign.refresh_from_db()
    play(grand, "start")
    grand.first = end_slot(grand)
    play(grand, "adjust", nation=grand.first, account="income", change=25, reason=REASON)
    return grand


def get(grand: SimpleNamespace, path: str, who: str | None = None) -> Any:
    client = Client()
    if who:
        client.force_login(grand.people[who])
    return client.get(f"/c/{grand.campaign.address}/reports/{path}")


def code(page: str, box: str) -> str:
    """Return the text of a box as it is copied."""
    match = re.search(
        rf'<pre class="code code--whole" id="{box}"[^>]*>(.*?)</pre>', page, re.DOTALL
    )
    assert match
    return html.unescape(re.sub(r"<[^>]*>", "", match[1]))


def test_before_the_start_there_is_the_announcement(grand: SimpleNamespace) -> None:
    """It has the promise of the dice and the players, and can be posted before the first roll.

    After the start there is no announcement.
    """
    page = get(grand, "")
    assert page.status_code == 200
    assert "Before the start" in page.content.decode()
    assert get(grand, "turn-1/").status_code == 404
    shown = get(grand, "announcement/").content.decode()
    assert grand.campaign.commitment in shown
    for seat in selectors.seats(grand.campaign):
        assert seat.name in shown
    gm = grand.people["gm"]
    thread = Thread.objects.create(
        campaign=grand.campaign,
        name="Here",
        transport="clipboard",
        dialect="phpbb",
        made_by=gm,
        made_at=grand.campaign.founded_at,
    )
    post = outbox.mark_ready(outbox.draft(grand.campaign, gm, thread, "announcement"), gm)
    assert grand.campaign.commitment in post.text
    play(grand, "start")
    assert get(grand, "announcement/").status_code == 404
    post.refresh_from_db()
    assert grand.campaign.commitment in post.text, "what is ready stays ready"


def test_a_title_without_reports_says_so(running: Any) -> None:
    page = Client().get(f"/c/{running.campaign.address}/reports/")
    assert "has no reports" in page.content.decode()
    assert Client().get(f"/c/{running.campaign.address}/reports/turn-1/").status_code == 404


def test_the_list_marks_complete_and_running_reports(started: SimpleNamespace) -> None:
    assert get(started, "", "gm").headers["Location"] == f"/c/{started.campaign.address}/posts/", (
        "a game master has the outbox"
    )
    page = get(started, "", "ant").content.decode()
    listed = re.findall(
        r'/reports/([a-z0-9-]+)/">([^<]*)</a></td><td class="muted">[^<]*</td><td class="n"><span'
        r' class="chip[^"]*">([^<]*)<',
        page,
    )
    second = started.campaign.active_seat
    assert [(key, state) for key, _, state in listed] == [
        ("turn-1", "still running"),
        (f"slot-1-{second}", "still running"),
        (f"slot-1-{started.first}", "complete"),
        ("opening-1", "complete"),
    ]
    assert listed[0][1] == "Turn 1 report"


@pytest.mark.parametrize(
    "key",
    [
        "turn-2",
        "turn-0",
        "turn-01",
        "slot-1-nobody",
        "slot-2-huns",
        "battle-1",
        "x",
        "turn-99999999999",
        "undo-1",
        "setup-1",
        "final",
        "undo-99999999999",
    ],
)
def test_an_unknown_report_is_not_found(started: SimpleNamespace, key: str) -> None:
    assert get(started, f"{key}/").status_code == 404


def test_a_report_is_shown_as_post_bbcode_and_text(started: SimpleNamespace) -> None:
    assert "The map is being drawn…" in get(started, "turn-1/").content.decode()
    page = get(started, "turn-1/?now=1").content.decode()
    post, text = code(page, "post-1"), code(page, "plain")
    assert post.startswith("Turn 1: no province has changed hands yet.\n")
    assert "[img]http://testserver/c/" in post
    assert text.startswith("[b]East[/b] & <i>West</i>, turn 1 of 6\n=====")
    address = f"http://testserver/c/{started.campaign.address}/"
    assert post.endswith(
        f"[size=85][url={address}]Map and ledgers[/url] · "
        f"[url={address}dice/]All dice and their proofs[/url][/size]"
    )
    assert text.rstrip().endswith(
        f"Map and ledgers <{address}> · All dice and their proofs <{address}dice/>"
    )
    assert 'data-copy="#post-1"' in page
    assert 'data-copy="#plain"' in page
    assert '<p class="is-title-2"><b>Standings</b></p>' in page
    assert ": “[\u2060/code][\u2060/list]<script>alert(1)</script>”." in post
    assert post.count("[/code]") == 1
    assert "<script>alert" not in page
    assert started.people["ant"].username in page
    assert "All details of this report" in text


def test_a_slot_and_a_turn_are_the_same_bytes_to_all_readers(started: SimpleNamespace) -> None:
    for key in ("turn-1", f"slot-1-{started.first}"):
        seen = set()
        for who in ("gm", "ant", "bee", "stranger", None):
            page = get(started, f"{key}/", who).content.decode()
            seen.add((code(page, "post-1"), code(page, "plain")))
        assert len(seen) == 1


def main(page: str) -> str:
    """Return the page without its head and foot."""
    return page.partition("<main")[2].partition("</main>")[0]


def test_only_new_entries_change_a_report(started: SimpleNamespace) -> None:
    before = main(get(started, "turn-1/").content.decode())
    assert main(get(started, "turn-1/").content.decode()) == before
    slot = get(started, f"slot-1-{started.first}/").content.decode()
    end_slot(started)
    assert code(get(started, "turn-1/").content.decode(), "post-1") != code(before, "post-1")
    assert code(get(started, f"slot-1-{started.first}/").content.decode(), "post-1") == code(
        slot, "post-1"
    )


def test_struck_moves_are_not_in_the_report(started: SimpleNamespace) -> None:
    gm = started.people["gm"]
    assert "income +25" in code(get(started, "turn-1/").content.decode(), "plain")
    services.undo_to(
        started.campaign,
        gm,
        started.campaign.last_number - 1,
        "a slip",
        selectors.seen(started.campaign, gm),
    )
    started.campaign.refresh_from_db()
    page = get(started, "turn-1/").content.decode()
    assert "income +25" not in code(page, "plain")
    assert '<h2 id="h-report">Turn 1 report</h2>' in page


def test_with_hidden_hands_no_report_names_a_card(people: dict[str, Any]) -> None:
    gm = people["gm"]
    campaign = services.found_campaign(gm, "grand_campaign", "Hidden", "420ad", {"hands": "hidden"})
    hidden = SimpleNamespace(campaign=campaign, people=people)
    play(hidden, "start")
    slot = hidden.campaign.active_seat
    play(hidden, "give-card", nation=slot, card="traitor", reason="post 7")
    play(hidden, "keep", card="bodyguard", value=True, **{"for": slot})
    for who in ("gm", "stranger"):
        text = code(get(hidden, "turn-1/", who).content.decode(), "plain")
        opening = code(get(hidden, "opening-1/", who).content.decode(), "plain")
        assert opening.count("draw a card.") == 6
        assert "Traitor" not in text
        assert "Bodyguard" not in text


def test_members_only_is_404_for_strangers(started: SimpleNamespace) -> None:
    Campaign.objects.filter(pk=started.campaign.pk).update(visibility="members")
    assert get(started, "turn-1/", "stranger").status_code == 404
    assert get(started, "", None).status_code == 404
    assert get(started, "turn-1/", "ant").status_code == 200


def test_a_battle_report(started: SimpleNamespace) -> None:
    slot = started.campaign.active_seat
    offers = started.campaign.game.offers(selectors.position(started.campaign), slot)
    attack = next(next(o.moves()) for o in offers if o.move == "attack" and o.refusal is None)
    play(started, **{**{key: value for key, value in attack.items() if key != "by"}, "for": slot})
    page = get(started, "battle-1/").content.decode()
    assert "still running" in page
    assert code(page, "post-1").count(", #1 against ") == 1
    assert "battle-1" in get(started, "", "ant").content.decode()


def test_long_reports_are_several_posts(
    started: SimpleNamespace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(type(DIALECTS["phpbb"]), "limit", 1200)
    page = get(started, "turn-1/?now=1").content.decode()
    assert code(page, "post-2")
    assert "Copy post 2" in page


@pytest.mark.parametrize(
    ("path", "who", "queries"), [("", None, 2), ("turn-1/", None, 6), ("turn-1/", "ant", 9)]
)
def test_queries(started: SimpleNamespace, path: str, who: str | None, queries: int) -> None:
    """Count the queries for anonymous readers and for users who are signed in.

    Every page reads campaign and clocks. A report also reads memberships, the log, the template
    with own words, and posts; a user who is signed in, session, user and notices.
    """
    client = Client()
    if who:
        client.force_login(started.people[who])
    address = f"/c/{started.campaign.address}/reports/{path}"
    client.get(address)
    with CaptureQueriesContext(connection) as counted:
        client.get(address)
    assert len(counted) == queries, "\n".join(query["sql"] for query in counted)


def test_the_report_of_an_undo_names_the_struck_moves(started: SimpleNamespace) -> None:
    gm = started.people["gm"]
    last = started.campaign.last_number
    services.undo_to(started.campaign, gm, last - 1, REASON, selectors.seen(started.campaign, gm))
    assert (
        f'/reports/undo-{last + 1}/">Undo, entry {last + 1}</a>'
        in get(started, "").content.decode()
    )
    page = get(started, f"undo-{last + 1}/").content.decode()
    text, post = code(page, "plain"), code(page, "post-1")
    assert f"The game master undoes 1 move: {REASON} (Gm)." in text
    assert "- Game master: " in text
    assert post.count("[/list]") == post.count("[list]") == 1
    assert "<script>" not in page.split("<main")[1]
    assert get(started, f"undo-{last}/").status_code == 404


def test_a_battle_to_be_fought_has_its_set_up(started: SimpleNamespace) -> None:
    gm, campaign = started.people["gm"], started.campaign
    for seat in [seat.key for seat in started.seats]:
        offers = campaign.game.offers(selectors.position(campaign), seat, "gm")
        offer = next(
            (offer for offer in offers if offer.move == "attack" and offer.refusal is None), None
        )
        move = next(offer.moves(), None) if offer else None
        if move is not None:
            break
    result = services.play(campaign, gm, move, selectors.seen(campaign, gm))
    started.campaign = result.campaign
    if selectors.position(started.campaign).attacks[0].status == "challenged":
        defender = selectors.position(started.campaign).attacks[0].defender
        play(started, "respond", attack=1, choice="accept", **{"for": defender})
    page = get(started, "setup-1/").content.decode()
    text = code(page, "plain")
    for line in ("Game: Field of Glory II", "Module: ", "Side A: ", "Side B: ", "Ends: "):
        assert line in text
    listed = get(started, "").content.decode()
    for key in ("setup-1", "challenge-1", "battle-1"):
        assert f"/reports/{key}/" in listed
        assert get(started, f"{key}/").status_code == 200
