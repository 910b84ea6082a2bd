"""Links from entries, claims and rulings to their posts on the forum."""

from __future__ import annotations

import pytest

from campaign import services
from campaign.rulebook import rule_on
from tests.web.grand_table import GrandTable, draft, grand_table, new_campaign
from tests.web.titles.test_table import visible_text

__all__ = ["draft", "grand_table", "new_campaign"]

POST = "https://www.example.org/viewtopic.php?p=12#p12"


def link(grand_table: GrandTable, who: str, number: int, url: str) -> int:
    return int(grand_table.post(who, f"e/{number}/link/", url=url).status_code)


def test_the_game_master_links_an_entry_for_all_readers(grand_table: GrandTable) -> None:
    assert link(grand_table, "gm", 3, POST) == 303
    page = grand_table.text("nobody", "e/3/")
    assert f'href="{POST}" rel="nofollow noopener ugc"' in page
    assert f"Entry 3 is on the forum: {POST}" in visible_text(grand_table.text("nobody", "log/"))


def test_a_link_makes_no_page_outdated(grand_table: GrandTable) -> None:
    seen = grand_table.seen("hun")
    link(grand_table, "gm", 3, POST)
    services.play(grand_table.campaign, grand_table.people["hun"], {"move": "tax-exemption"}, seen)


def test_a_link_is_replaced_and_removed(grand_table: GrandTable) -> None:
    link(grand_table, "gm", 3, POST)
    before = grand_table.campaign.entries.count()
    assert link(grand_table, "gm", 3, f"  {POST} ") == 303
    assert grand_table.campaign.entries.count() == before
    link(grand_table, "gm", 3, "http://other.example/1")
    assert 'href="http://other.example/1"' in grand_table.text("hun", "e/3/")
    link(grand_table, "gm", 3, "")
    assert "other.example" not in grand_table.text("nobody", "e/3/")
    assert "Entry 3 no longer has a link." in visible_text(grand_table.text("nobody", "log/"))


def test_the_author_of_an_entry_may_link_it(grand_table: GrandTable) -> None:
    """Authors of rulings and claims may link them like their moves."""
    services.play(
        grand_table.campaign,
        grand_table.people["hun"],
        {"move": "tax-exemption"},
        grand_table.seen("hun"),
    )
    grand_table.campaign.refresh_from_db()
    number = grand_table.campaign.last_number
    assert link(grand_table, "roman", number, POST) == 403
    assert link(grand_table, "stranger", number, POST) == 403
    assert link(grand_table, "nobody", number, POST) == 302
    assert POST not in grand_table.text("gm", f"e/{number}/")
    assert link(grand_table, "hun", number, POST) == 303
    assert POST in grand_table.text("gm", f"e/{number}/")
    ruling = rule_on(grand_table.campaign, grand_table.people["gm"], "Read so.", rule="9.7")
    assert link(grand_table, "gm", ruling.number or 0, POST) == 303
    assert POST in grand_table.text("nobody", f"e/{ruling.number}/")
    assert "Link to its post" not in grand_table.text("roman", f"e/{number}/")


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
def test_an_invalid_address_is_refused(grand_table: GrandTable, url: str) -> None:
    before = grand_table.campaign.entries.count()
    answer = grand_table.post("gm", "e/3/link/", follow=True, url=url)
    assert "Give the address of the post, which begins with https://" in visible_text(
        answer.content.decode()
    )
    assert grand_table.campaign.entries.count() == before


def test_an_unknown_entry_cannot_be_linked(grand_table: GrandTable) -> None:
    assert link(grand_table, "gm", 999, POST) == 404
