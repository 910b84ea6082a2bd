"""The page to share: its content for a stranger, and previews of a link to it on other sites."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from campaign import services
from tests.web.contests import attack_independents
from tests.web.grand_table import WHO, GrandTable, draft, new_campaign  # noqa: F401

pytestmark = pytest.mark.django_db

SITE = "http://testserver"


@pytest.fixture
def grand_table(new_campaign: Callable[..., GrandTable]) -> GrandTable:  # noqa: F811
    """Return a campaign in turn 1 with a covert attack of the Huns.

    A correction has given them Asia.
    """
    created = new_campaign()
    created.play("gm", "start")
    created.slot_to("huns")
    attack_independents(created)
    created.play("huns", "build", structure="hamlets")
    created.play("gm", "set-owner", province="asia", owner="huns", reason="A gift.")
    return created


def meta(html: str) -> dict[str, str]:
    """Return the tags in the head that other sites read."""
    return dict(
        re.findall(r'<meta (?:property|name)="((?:og|twitter):[a-z:_]+)" content="([^"]*)">', html)
    )


def test_a_stranger_reads_what_happened_turn_by_turn(grand_table: GrandTable) -> None:
    html = grand_table.text("nobody", "story/")
    assert "The Huns take Asia from the Romans." in html
    assert "The Huns attack Carpetania; the battle has not been decided yet." in html
    assert "Built: Huns: Hamlets." in html
    assert f'href="{grand_table.home}reports/turn-1/"' in html
    assert f'href="{grand_table.home}map.png?at={grand_table.campaign.last_number}"' in html
    assert "Battles of the last week" in html
    assert f'href="{grand_table.home}b/1/"' in html
    assert 'aria-labelledby="h-wait"' in html


def test_standings_mark_changes(grand_table: GrandTable) -> None:
    html = grand_table.text("nobody", "story/")
    row = re.search(r'<tr data-nation="huns">.*?</tr>', html, re.DOTALL)
    assert row is not None
    assert re.findall(r'<td class="n">(.*?)</td>', row[0])[:2] == [
        "<strong>0</strong>",
        '8<span class="small muted">+1</span>',
    ]
    assert row[0].count('<svg class="spark"') == 1


def test_a_link_shows_title_sentence_and_picture_by_absolute_addresses(
    grand_table: GrandTable,
) -> None:
    html, home = grand_table.text("nobody", "story/", x="1"), SITE + grand_table.home
    assert f'<link rel="canonical" href="{home}story/">' in html
    assert meta(html) == {
        "og:type": "website",
        "og:site_name": "Tabula",
        "og:title": "The Long Frontier",
        "og:description": (
            "420 AD Grand Campaign: turn 1 of 6. The map, the standings and the battles as they "
            "are now, and the story so far."
        ),
        "og:url": f"{home}story/",
        "og:image": f"{home}map.png",
        "og:image:type": "image/png",
        "og:image:width": "1600",
        "og:image:alt": "Map of The Long Frontier",
        "twitter:card": "summary_large_image",
        "twitter:image": f"{home}map.png",
    }
    assert f'value="{home}story/"' in html
    assert (
        f"[url={home}story/][img]{home}map.png?at={grand_table.campaign.last_number}[/img][/url]"
        in html
    )
    assert meta(grand_table.text("nobody"))["og:url"] == home
    front = meta(grand_table.text("nobody", "/"))
    assert (front["og:title"], front["og:url"], front["og:image"]) == (
        "Tabula",
        f"{SITE}/",
        f"{home}map.png",
    )


def test_other_readers_see_nothing_of_a_members_campaign(
    new_campaign: Callable[..., GrandTable],  # noqa: F811
) -> None:
    grand_table = new_campaign(visibility="members", name="Nobody else's")
    grand_table.play("gm", "start")
    assert grand_table.statuses("story/") == {
        "gm": 200,
        "hun": 200,
        "roman": 200,
        "stranger": 404,
        "nobody": 404,
    }
    html = grand_table.text("hun", "story/")
    assert meta(html) == {}
    assert "share-url" not in html
    assert "[img]" not in html
    assert "else" not in "".join(meta(grand_table.text("nobody", "/")).values())


def test_names_are_escaped_in_pages_and_previews(
    new_campaign: Callable[..., GrandTable],  # noqa: F811
) -> None:
    grand_table = new_campaign(name='"><script>alert(1)</script>')
    grand_table.play("gm", "start")
    for page in ("story/", "", "/"):
        assert "<script>alert" not in grand_table.text("nobody", page)
    assert (
        meta(grand_table.text("nobody", "story/"))["og:title"]
        == "&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;"
    )


def test_hidden_cards_are_in_no_story(new_campaign: Callable[..., GrandTable]) -> None:  # noqa: F811
    """No one reads draws and gifts of hidden hands there, not even the holder.

    The page is equal for all readers.
    """
    grand_table = new_campaign(hands="hidden")
    grand_table.play("gm", "start")
    grand_table.play("gm", "give-card", nation="huns", card="assassin", reason="A correction.")
    for who in WHO:
        assert "Assassin" not in grand_table.text(who, "story/")


def test_free_seats_are_offered(grand_table: GrandTable) -> None:
    html = grand_table.text("nobody", "story/")
    assert "4 seats are free:" in html
    assert f'<a class="button" href="{grand_table.home}about/">Wait for a seat</a>' in html


def test_before_the_start_there_is_no_story(draft: GrandTable) -> None:  # noqa: F811
    services.open_lobby(draft.campaign, draft.people["gm"], "Come.")
    html = draft.text("nobody", "story/")
    assert "Its story begins with the first turn." in html
    assert f'<a class="button" href="{draft.home}lobby/">Apply in the lobby</a>' in html
    assert meta(html)["og:title"] == "The Long Frontier"


@pytest.mark.parametrize("who", ["gm", "hun", "nobody"])
def test_the_story_needs_few_queries(grand_table: GrandTable, who: str) -> None:
    with CaptureQueriesContext(connection) as first:
        grand_table.get(who, "story/")
    assert len(first) <= 14


def test_an_undo_is_not_in_the_story(grand_table: GrandTable) -> None:
    at = grand_table.campaign.last_number
    services.undo_to(
        grand_table.campaign, grand_table.people["gm"], at - 1, "A slip", grand_table.seen("gm")
    )
    assert "The Huns take Asia" not in grand_table.text("nobody", "story/")


def test_the_report_of_a_turn_shows_the_map_of_that_time(grand_table: GrandTable) -> None:
    where = f"{SITE}{grand_table.home}map/{grand_table.campaign.last_number}.en.png"
    html = grand_table.text("nobody", "reports/turn-1/")
    assert f'<span class="tag">[img]</span>{where}<span class="tag">[/img]</span>' in html
    assert f'<img src="{where}" alt="Map of The Long Frontier: turn 1 of 6' in html
    assert f'<a href="{where}" download>' in html
    assert f"{SITE}{grand_table.home}map/7.en.png" in grand_table.text(
        "nobody", "reports/battle-1/"
    )  # as it was after the battle


def test_the_table_links_to_its_picture(grand_table: GrandTable) -> None:
    assert f'<a href="{grand_table.home}map.png">Picture of the map</a>' in grand_table.text(
        "nobody"
    )


def test_the_story_is_in_the_readers_language(grand_table: GrandTable) -> None:
    html = (
        grand_table.clients["nobody"]
        .get(f"{grand_table.home}story/", headers={"accept-language": "it"})
        .content.decode()
    )
    assert "Gli Unni prendono Asia ai Romani." in html
    assert "The Huns take Asia" not in html


def test_battles_of_the_week_are_those_of_this_turn_and_of_the_last_seven_days(
    grand_table: GrandTable,
) -> None:
    """A battle of turn 1 is listed for seven days after its end, also in turn 2."""
    number = '<a class="battle-row__no num"'
    while grand_table.campaign.active_seat:
        grand_table.play(grand_table.campaign.active_seat, "end-slot")
    grand_table.play("gm", "report", attack=1, winner="draw")
    grand_table.play("gm", "open-turn")
    assert grand_table.text("stranger", "story/").count(number) == 1
    battle = grand_table.campaign.battles.get(number=1)
    battle.resolved_at -= timedelta(days=6)
    battle.save()
    assert grand_table.text("stranger", "story/").count(number) == 1
    battle.resolved_at -= timedelta(days=2)
    battle.save()
    assert grand_table.text("stranger", "story/").count(number) == 0
