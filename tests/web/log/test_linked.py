"""Links from entries, claims and rulings to their posts on the forum."""

from __future__ import annotations

import pytest

from campaign import services
from campaign.rulebook import rule_on
from tests.web.five import Five, draft, five, new_campaign
from tests.web.titles.test_table import visible_text

__all__ = ["draft", "five", "new_campaign"]

POST = "https://www.example.org/viewtopic.php?p=12#p12"


def link(five: Five, who: str, number: int, url: str) -> int:
    return int(five.post(who, f"e/{number}/link/", url=url).status_code)


def test_the_game_master_links_an_entry_for_all_readers(five: Five) -> None:
    assert link(five, "gm", 3, POST) == 303
    page = five.text("nobody", "e/3/")
    assert f'href="{POST}" rel="nofollow noopener ugc"' in page
    assert f"Entry 3 is on the forum: {POST}" in visible_text(five.text("nobody", "log/"))


def test_a_link_makes_no_page_outdated(five: Five) -> None:
    seen = five.seen("hun")
    link(five, "gm", 3, POST)
    services.play(five.campaign, five.people["hun"], {"move": "tax-exemption"}, seen)


def test_a_link_is_replaced_and_removed(five: Five) -> None:
    link(five, "gm", 3, POST)
    before = five.campaign.entries.count()
    assert link(five, "gm", 3, f"  {POST} ") == 303
    assert five.campaign.entries.count() == before
    link(five, "gm", 3, "http://other.example/1")
    assert 'href="http://other.example/1"' in five.text("hun", "e/3/")
    link(five, "gm", 3, "")
    assert "other.example" not in five.text("nobody", "e/3/")
    assert "Entry 3 no longer has a link." in visible_text(five.text("nobody", "log/"))


def test_the_author_of_an_entry_may_link_it(five: Five) -> None:
    """Authors of rulings and claims may link them like their moves."""
    services.play(five.campaign, five.people["hun"], {"move": "tax-exemption"}, five.seen("hun"))
    five.campaign.refresh_from_db()
    number = five.campaign.last_number
    assert link(five, "roman", number, POST) == 403
    assert link(five, "stranger", number, POST) == 403
    assert link(five, "nobody", number, POST) == 302
    assert POST not in five.text("gm", f"e/{number}/")
    assert link(five, "hun", number, POST) == 303
    assert POST in five.text("gm", f"e/{number}/")
    ruling = rule_on(five.campaign, five.people["gm"], "Read so.", rule="9.7")
    assert link(five, "gm", ruling.number or 0, POST) == 303
    assert POST in five.text("nobody", f"e/{ruling.number}/")
    assert "Link to its post" not in five.text("roman", f"e/{number}/")


@pytest.mark.parametrize(
    "url",
    [
        "javascript:alert(1)",
        "ftp://x.org/",
        "https://",
        "https://a b.org/",
        "x" * 600,
        "https://[",
        "//x.org/",
    ],
)
def test_an_invalid_address_is_refused(five: Five, url: str) -> None:
    before = five.campaign.entries.count()
    answer = five.post("gm", "e/3/link/", follow=True, url=url)
    assert "Give the address of the post, which begins with https://" in visible_text(
        answer.content.decode()
    )
    assert five.campaign.entries.count() == before


def test_an_unknown_entry_cannot_be_linked(five: Five) -> None:
    assert link(five, "gm", 999, POST) == 404
