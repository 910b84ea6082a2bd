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
from tests.web.five import WHO, Five, draft, new_campaign  # noqa: F401

pytestmark = pytest.mark.django_db

SITE = "http://testserver"


@pytest.fixture
def five(new_campaign: Callable[..., Five]) -> Five:  # noqa: F811
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


def test_a_stranger_reads_what_happened_turn_by_turn(five: Five) -> None:
    html = five.text("nobody", "story/")
    assert "The Huns take Asia from the Romans." in html
    assert "The Huns attack Carpetania; the battle has not been decided yet." in html
    assert "Built: Huns: Hamlets." in html
    assert f'href="{five.home}reports/turn-1/"' in html
    assert f'href="{five.home}map.png?at={five.campaign.last_number}"' in html
    assert "Battles of the last week" in html
    assert f'href="{five.home}b/1/"' in html
    assert 'aria-labelledby="h-wait"' in html


def test_standings_mark_changes(five: Five) -> None:
    html = five.text("nobody", "story/")
    row = re.search(r'<tr data-nation="huns">.*?</tr>', html, re.DOTALL)
    assert row is not None
    assert re.findall(r'<td class="n">(.*?)</td>', row[0])[:2] == [
        "<strong>0</strong>",
        '8<span class="small muted">+1</span>',
    ]
    assert row[0].count('<svg class="spark"') == 1


def test_a_link_shows_title_sentence_and_picture_by_absolute_addresses(five: Five) -> None:
    html, home = five.text("nobody", "story/", x="1"), SITE + five.home
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
        f"[url={home}story/][img]{home}map.png?at={five.campaign.last_number}[/img][/url]" in html
    )
    assert meta(five.text("nobody"))["og:url"] == home
    front = meta(five.text("nobody", "/"))
    assert (front["og:title"], front["og:url"], front["og:image"]) == (
        "Tabula",
        f"{SITE}/",
        f"{home}map.png",
    )


def test_other_readers_see_nothing_of_a_members_campaign(
    new_campaign: Callable[..., Five],  # noqa: F811
) -> None:
    five = new_campaign(visibility="members", name="Nobody else's")
    five.play("gm", "start")
    assert five.statuses("story/") == {
        "gm": 200,
        "hun": 200,
        "roman": 200,
        "stranger": 404,
        "nobody": 404,
    }
    html = five.text("hun", "story/")
    assert meta(html) == {}
    assert "share-url" not in html
    assert "[img]" not in html
    assert "else" not in "".join(meta(five.text("nobody", "/")).values())


def test_names_are_escaped_in_pages_and_previews(
    new_campaign: Callable[..., Five],  # noqa: F811
) -> None:
    five = new_campaign(name='"><script>alert(1)</script>')
    five.play("gm", "start")
    for page in ("story/", "", "/"):
        assert "<script>alert" not in five.text("nobody", page)
    assert (
        meta(five.text("nobody", "story/"))["og:title"]
        == "&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;"
    )


def test_hidden_cards_are_in_no_story(new_campaign: Callable[..., Five]) -> None:  # noqa: F811
    """No one reads draws and gifts of hidden hands there, not even the holder.

    The page is equal for all readers.
    """
    five = new_campaign(hands="hidden")
    five.play("gm", "start")
    five.play("gm", "give-card", nation="huns", card="assassin", reason="A correction.")
    for who in WHO:
        assert "Assassin" not in five.text(who, "story/")


def test_free_seats_are_offered(five: Five) -> None:
    html = five.text("nobody", "story/")
    assert "4 seats are free:" in html
    assert f'<a class="button" href="{five.home}about/">Wait for a seat</a>' in html


def test_before_the_start_there_is_no_story(draft: Five) -> None:  # noqa: F811
    services.open_lobby(draft.campaign, draft.people["gm"], "Come.")
    html = draft.text("nobody", "story/")
    assert "Its story begins with the first turn." in html
    assert f'<a class="button" href="{draft.home}lobby/">Apply in the lobby</a>' in html
    assert meta(html)["og:title"] == "The Long Frontier"


@pytest.mark.parametrize("who", ["gm", "hun", "nobody"])
def test_the_story_needs_few_queries(five: Five, who: str) -> None:
    with CaptureQueriesContext(connection) as first:
        five.get(who, "story/")
    assert len(first) <= 14


def test_an_undo_is_not_in_the_story(five: Five) -> None:
    at = five.campaign.last_number
    services.undo_to(five.campaign, five.people["gm"], at - 1, "A slip", five.seen("gm"))
    assert "The Huns take Asia" not in five.text("nobody", "story/")


def test_the_report_of_a_turn_shows_the_map_of_that_time(five: Five) -> None:
    where = f"{SITE}{five.home}map/{five.campaign.last_number}.en.png"
    html = five.text("nobody", "reports/turn-1/")
    assert f'<span class="tag">[img]</span>{where}<span class="tag">[/img]</span>' in html
    assert f'<img src="{where}" alt="Map of The Long Frontier: turn 1 of 6' in html
    assert f'<a href="{where}" download>' in html
    assert f"{SITE}{five.home}map/7.en.png" in five.text(
        "nobody", "reports/battle-1/"
    )  # as it was after the battle


def test_the_table_links_to_its_picture(five: Five) -> None:
    assert f'<a href="{five.home}map.png">Picture of the map</a>' in five.text("nobody")


def test_the_story_is_in_the_readers_language(five: Five) -> None:
    html = (
        five.clients["nobody"]
        .get(f"{five.home}story/", headers={"accept-language": "it"})
        .content.decode()
    )
    assert "Gli Unni prendono Asia ai Romani." in html
    assert "The Huns take Asia" not in html


def test_battles_of_the_week_are_those_of_this_turn_and_of_the_last_seven_days(five: Five) -> None:
    """A battle of turn 1 is listed for seven days after its end, also in turn 2."""
    number = '<a class="battle-row__no num"'
    while five.campaign.active_seat:
        five.play(five.campaign.active_seat, "end-slot")
    five.play("gm", "report", attack=1, winner="draw")
    five.play("gm", "open-turn")
    assert five.text("stranger", "story/").count(number) == 1
    battle = five.campaign.battles.get(number=1)
    battle.resolved_at -= timedelta(days=6)
    battle.save()
    assert five.text("stranger", "story/").count(number) == 1
    battle.resolved_at -= timedelta(days=2)
    battle.save()
    assert five.text("stranger", "story/").count(number) == 0
