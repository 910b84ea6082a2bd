"""What is made once for several readers: never what one of them may not see, whoever looked
before.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils.safestring import SafeString

from campaign import services
from campaign.log import selectors
from campaign.log.entries import note_change
from campaign.models import Campaign
from engine.language import Name
from moderation import services as moderation
from tests.web.five import WHO, Five, new_campaign
from web.frame import page_cache

__all__ = ["new_campaign"]
PAGES = (
    "",
    "n/huns/",
    "n/romans/",
    "log/",
    "dice/",
    "ledger/",
    "charts/",
    "battles/",
    "story/",
    "reports/",
    "e/3/",
)
TOKENS = re.compile(r'(name="csrfmiddlewaretoken" value=|"X-CSRFToken":) ?"\w+"')


def forget() -> None:
    for kept in (page_cache.kept, page_cache.drawn, page_cache.fragments):
        kept.clear()


def text(five: Five, who: str, page: str) -> str:
    return TOKENS.sub("", five.text(who, page))


@pytest.fixture
def hidden(new_campaign: Callable[..., Five]) -> Five:
    """Hidden hands: the Roman has a card of which nobody else knows, and has given orders to it."""
    five = new_campaign(hands="hidden")
    five.play("gm", "start")
    five.slot_to("huns")
    five.play("gm", "give-card", nation="romans", card="bodyguard", reason="A correction.")
    five.play("romans", "keep", card="bodyguard", value=False)
    five.open_hands()
    return five


@pytest.mark.django_db
def test_who_looked_before_changes_no_page(hidden: Five) -> None:
    """Everybody's page is the same from empty shelves as from those that another reader has
    filled.
    """
    for page in PAGES:
        for who in WHO:
            text(hidden, who, page)  # a first look marks notices as read
        alone = {}
        for who in WHO:
            forget()
            alone[who] = text(hidden, who, page)
        for first in WHO:
            forget()
            text(hidden, first, page)
            for who in WHO:
                assert text(hidden, who, page).splitlines() == alone[who].splitlines(), (
                    first,
                    who,
                    page,
                )


@pytest.mark.django_db
def test_all_who_are_shown_the_same_share_one_map(hidden: Five) -> None:
    for who in WHO:
        hidden.get(who)
    hidden.play("gm", "adjust", nation="huns", account="income", change=7, reason="As ruled.")
    hidden.get("gm")
    drawn = page_cache.drawn.made_so_far
    for who in ("hun", "roman", "stranger"):
        hidden.get(who)
    # Of each of three views: the view, its state and its standings, and nothing that is shared.
    assert page_cache.drawn.made_so_far - drawn <= 4 * 3


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("<b>", SafeString("<b>")),
        (1, True),
        (1, 1.0),
        (("a", "b"), ("ab",)),
        (None, ""),
        ({"a": 1}, {"b": 1}),
        (Name("Huns"), "Huns"),
        ([("a",)], ["a"]),
    ],
)
def test_two_things_that_are_written_otherwise_are_kept_apart(one: Any, other: Any) -> None:
    assert page_cache.content({"a": one}) != page_cache.content({"a": other})


def test_of_an_object_nobody_knows_what_is_read() -> None:
    with pytest.raises(TypeError, match="plain data"):
        page_cache.content({"campaign": Campaign(name="A")})


@pytest.mark.django_db
def test_a_line_of_the_log_is_drawn_again_where_something_is_written_under_it(hidden: Five) -> None:
    before = hidden.text("stranger", "log/")
    assert "Again" not in before
    gm = hidden.people["gm"]
    hidden.campaign.refresh_from_db()
    seen = selectors.seen(hidden.campaign, gm)
    from campaign import services

    services.undo_to(hidden.campaign, gm, 3, "Too early.", seen)
    after = hidden.text("stranger", "log/")
    assert after.count("is-struck") > before.count("is-struck")


@pytest.mark.django_db
def test_a_name_that_is_taken_away_leaves_the_table_at_once(
    new_campaign: Callable[..., Five],
) -> None:
    """No entry tells of it, and the newest lines of the log have it."""
    five = new_campaign()
    five.play("gm", "start")
    services.vacate(five.campaign, five.people["hun"], "huns")
    assert "Ingrid" in five.text("roman")
    moderation.remove_text(None, "person", str(five.people["hun"].pk), "Nobody is called so.")
    assert "Ingrid" not in five.text("roman")


@pytest.mark.django_db
def test_other_terms_before_the_start_are_on_the_page_at_once(
    new_campaign: Callable[..., Five],
) -> None:
    """The same land under another name: the position says nothing of it."""
    five = new_campaign()
    scenario, _options = selectors.terms(five.campaign)
    place = next(one for one in scenario["provinces"] if one["name"] == "Pannonia")
    assert "Pannonia" in five.text("roman")
    place["name"] = "Hunnia Magna"
    five.campaign = services.change_terms(five.campaign, five.people["gm"], scenario=scenario)
    page = five.text("roman")
    assert "Hunnia Magna" in page
    cached = TOKENS.sub("", page)
    forget()
    assert text(five, "roman", "").splitlines() == cached.splitlines()


@pytest.mark.django_db
def test_who_has_a_place_is_asked_again_after_an_act_or_a_change_and_not_after_moves(
    new_campaign: Callable[..., Five],
) -> None:
    five = new_campaign()
    five.play("gm", "start")
    five.text("hun")

    def asks() -> int:
        """How often a look of the Hun asks for places."""
        with CaptureQueriesContext(connection) as queries:
            five.text("hun")
        return sum('FROM "campaign_membership"' in query["sql"] for query in queries)

    assert asks() == 0
    five.slot_to("huns")
    assert asks() == 0
    services.undo_to(
        five.campaign,
        five.people["gm"],
        3,
        "Again.",
        selectors.seen(five.campaign, five.people["gm"]),
    )
    assert asks() == 1
    note_change(pk=five.campaign.pk)
    assert asks() == 1
    five.campaign.refresh_from_db()
    five.play(five.campaign.active_seat, "end-slot")
    note_change(pk=five.campaign.pk)
    assert asks() == 1
    services.vacate(five.campaign, five.people["roman"], "romans")
    assert asks() == 1
    assert "Benedetto" not in re.sub(
        r"<section[^>]*aria-labelledby=.h-log.*?</section>", "", five.text("hun"), flags=re.S
    )
