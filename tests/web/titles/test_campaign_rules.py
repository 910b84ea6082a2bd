"""A campaign in which every number differs.

Rulebook, cards, sheets, reports and exports have its own.
"""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Callable
from html import unescape
from typing import Any

import pytest
from django.test import Client
from django.utils.html import strip_tags

from campaign import access, services
from campaign.log import selectors
from campaign.models import Campaign
from tests.grand_campaign import other_rules
from tests.layout import without_layout
from tests.web import nine
from tests.web.scenarios.test_nine_powers import addresses
from web.exports.pack_contents import Pack

pytestmark = pytest.mark.django_db
USUAL = re.compile(
    r"(?<![\w.,–-])(?:1600|1720|1480|450t|50t|25t|100t|150t|45%|40%|15%|d100|1–30|1–50|1–70|[+−-]30|\+50|\+100|420"
    r" AD)(?![\w%–])"
)
ASIDE = re.compile(
    r'<span class="changed__was">.*?</span>|<details'
    r' class="house-rules.*?</details>|<script.*?</script>',
    re.DOTALL,
)
SLITHERINE = '"420 AD Grand Campaign" as posted'


@pytest.fixture
def master(person: Callable[..., Any]) -> Any:
    return person("Marozia")


@pytest.fixture
def campaign(master: Any) -> Campaign:
    return nine.import_played_campaign(master, 150, raw=other_rules.raw())


def text_of(page: str) -> str:
    text = " ".join(unescape(strip_tags(ASIDE.sub("", page.split("<body", 1)[-1]))).split())
    return re.sub(r"instead of .*?\(§", "(§", text)


@pytest.mark.long
def test_no_page_has_a_usual_number(
    campaign: Campaign, master: Any, person: Callable[..., Any]
) -> None:
    """The game master's pages, and every offer to the nation whose slot is open, are checked."""
    position = selectors.position(campaign)
    seat, player = position.slot or position.order[0], person("Hanno")
    services.take_seat(player, services.invite(campaign, master, seat)[1])
    offers = campaign.game.offers(position, seat)
    assert len(offers) > 10
    mine = [f"n/{seat}/", *(f"n/{seat}/?open={offer.key}" for offer in offers)]
    client, shown, looked = Client(), [], 0
    for user, paths in ((master, [*addresses(campaign), "rules/"]), (player, mine)):
        client.force_login(user)
        for path in paths:
            answer = client.get(f"/c/{campaign.address}/{path}")
            if answer.status_code == 200 and "html" in answer["Content-Type"]:
                looked += 1
                text = text_of(answer.content.decode()).replace(SLITHERINE, "")
                shown += [
                    f"{path}: {text[max(0, at.start() - 60) : at.end() + 40]}"
                    for at in USUAL.finditer(text)
                ]
    assert shown == []
    assert looked > 60


def test_the_rulebook_marks_differences(campaign: Campaign, client: Client) -> None:
    page = client.get(f"/c/{campaign.address}/rules/").content.decode()
    assert '<h2 class="rules__title">240 BC: nine crowns: the rules, numbered</h2>' in page
    assert '<p class="lede">170 numbers differ from the standard rules.</p>' in page
    siege = (
        '<span tabindex="0" class="changed">1-53<span class="changed__was"> (default:'
        " 1-50)</span></span> (walls)"
    )
    assert siege in page
    assert 'Random events (<span tabindex="0" class="changed">turns 1, 3<span' in page
    assert re.search(
        r'Random events \(turns 1, 3\) ?<span class="count" title="13 numbers differ">13</span>',
        page,
    )
    only = client.get(f"/c/{campaign.address}/rules/?only=1").content.decode()
    assert siege in only
    assert 'id="r-9.9"' not in only
    usual = client.get("/rules/grand_campaign/").content.decode()
    assert 'class="changed' not in usual
    assert "Only changed rules" not in usual


def test_the_ways_in_and_out_carry_its_name(campaign: Campaign, master: Any) -> None:
    client = Client()
    assert (
        '<p class="head__meta"><span>240 BC: nine crowns</span>'
        in client.get(f"/c/{campaign.address}/").content.decode()
    )
    token = services.invite(campaign, master, "carthago")[1]
    page = client.get(f"/join/{token}/", follow=True).content.decode()
    assert "240 BC: nine crowns, for 9 players." in page
    assert f'href="/c/{campaign.address}/rules/#r-9.7"' in page
    assert "A 420 AD" not in page
    packed = io.BytesIO()
    Pack(campaign, access.access_of(campaign, master)).write(packed)
    with zipfile.ZipFile(packed) as pack:
        assert "<p>240 BC: nine crowns. This is the whole campaign" in without_layout(
            pack.read("index.html").decode()
        )


def test_amendments_in_play_have_another_mark(campaign: Campaign, client: Client) -> None:
    """The page shows it as soon as the position has it."""
    amend = {
        "by": "gm",
        "move": "amend",
        "rules": {"siege_train": 40},
        "reason": "Six sieges, none held.",
    }
    amended = nine.import_played_campaign(
        campaign.founder, 0, name="Amended", raw=other_rules.raw(), first=[amend]
    )
    page = client.get(f"/c/{amended.address}/rules/").content.decode()
    assert "170 numbers differ from the standard rules. 1 of them was changed during play." in page
    note = "default: 20; this scenario: 23; as of turn 1"
    assert (
        '<span tabindex="0" class="changed changed--amended">40<span class="changed__was">'
        f" ({note})</span></span> with" in page
    )
