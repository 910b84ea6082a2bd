"""Rulings and rules during play: search, working citations, rulings beside paragraphs, the book."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from campaign import rulebook
from campaign.log import selectors
from campaign.models import Campaign
from tests.table import people, running, table, toy  # noqa: F401
from tests.web.contests import attack_independents, visible_text
from tests.web.grand_table import GrandTable, grand_table, new_campaign  # noqa: F401

pytestmark = pytest.mark.django_db
READ = "A fleet built this turn <b>carries</b> nothing."


def write(grand_table: GrandTable, who: str = "gm", **data: str) -> Any:  # noqa: F811
    return grand_table.post(who, "rulings/", **{"text": READ, **data})


def test_an_empty_book_says_so(grand_table: GrandTable) -> None:  # noqa: F811
    assert "There are no rulings yet. Your first one becomes number 1." in visible_text(
        grand_table.get("gm", "rulings/")
    )
    assert (
        "There are no rulings yet. The game master’s first one becomes number 1."
        in visible_text(grand_table.get("hun", "rulings/"))
    )


def test_a_ruling_is_in_book_log_and_rules_and_changes_nothing(
    grand_table: GrandTable,  # noqa: F811
) -> None:
    before, seen = selectors.position(grand_table.campaign).encode(), grand_table.seen("hun")
    answer = write(grand_table, rule="§3.12", entry="1")
    assert (answer.status_code, answer["Location"]) == (303, f"{grand_table.home}rulings/#ruling-1")
    grand_table.campaign.refresh_from_db()
    assert selectors.position(grand_table.campaign).encode() == before
    for who in ("hun", "nobody"):
        text = grand_table.text(who, "rulings/")
        assert "A fleet built this turn &lt;b&gt;carries&lt;/b&gt; nothing." in text
        assert f'href="{grand_table.home}rules/#r-3.12"' in text
        assert f'href="{grand_table.home}e/1/"' in text
        assert "Ruling 1 on §3.12: A fleet built this turn" in visible_text(
            grand_table.get(who, "log/")
        )
    paragraph = re.search(
        r'id="r-3\.12".*?id="r-3\.13"', grand_table.text("hun", "rules/"), re.DOTALL
    )
    assert paragraph
    assert "Ruling 1" in paragraph[0]
    assert "Ruling 1</a>" not in grand_table.text("hun", "/rules/grand_campaign/")
    # A page with a move to be sent does not become outdated, because a ruling changes nothing.
    grand_table.post("hun", "move/", offer="end-slot", seen=str(seen), sure="1")
    assert not any(line.entry.act == "undo" for line in selectors.log(grand_table.campaign, None))


def test_a_revision_replaces_a_ruling_and_the_old_text_stays(grand_table: GrandTable) -> None:  # noqa: F811
    write(grand_table, rule="3.12")
    assert 'value="3.12"' in grand_table.text("gm", "rulings/", revise="1")
    write(grand_table, text="It carries from the next turn on.", rule="3.12", revises="1")
    write(grand_table, text="Another.")
    book = rulebook.ruling_book(Campaign.objects.get(pk=grand_table.campaign.pk))
    assert [
        (ruling.number, ruling.text, [old.text for old in ruling.older]) for ruling in book
    ] == [
        (1, "It carries from the next turn on.", [READ]),
        (2, "Another.", []),
    ]
    text = visible_text(grand_table.get("hun", "rulings/"))
    assert "It carries from the next turn on." in text
    assert "Earlier versions A fleet built this turn" in text
    assert grand_table.get("gm", "rulings/", revise="9").status_code == 404


@pytest.mark.parametrize(
    "data",
    [
        {"text": " "},
        {"rule": "99.9"},
        {"rule": "x"},
        {"entry": "999"},
        {"entry": "-1"},
        {"revises": "7"},
        {"text": "a\x00b"},
        {"text": "x" * 2001},
    ],
)
def test_an_invalid_ruling_is_refused_and_kept(
    grand_table: GrandTable,  # noqa: F811
    data: dict[str, str],
) -> None:
    answer = write(grand_table, **data)
    assert answer.status_code == 400
    assert 'role="alert"' in answer.content.decode()
    assert rulebook.ruling_book(grand_table.campaign) == []


@pytest.mark.parametrize(
    ("who", "status"), [("hun", 403), ("roman", 403), ("stranger", 403), ("nobody", 302)]
)
def test_only_the_game_master_makes_rulings(grand_table: GrandTable, who: str, status: int) -> None:  # noqa: F811
    assert write(grand_table, who).status_code == status
    assert rulebook.ruling_book(grand_table.campaign) == []
    assert 'name="text"' not in grand_table.text(who, "rulings/")


def test_a_title_without_rules_has_a_book(running: Any, client: Any) -> None:  # noqa: F811
    client.force_login(running.gm)
    home = f"/c/{running.campaign.address}/"
    assert (
        client.post(f"{home}rulings/", {"text": "Stones are round.", "rule": "2.1"}).status_code
        == 303
    )
    page = client.get(f"{home}rulings/").content.decode()
    assert "Stones are round." in page
    assert "/rules/" not in page.split("<main")[1].split("</main>")[0]
    assert client.get(f"{home}rules/").status_code == 404


def test_the_search_marks_what_it_finds(grand_table: GrandTable) -> None:  # noqa: F811
    for path in ("/rules/grand_campaign/", "rules/"):
        text = grand_table.text("hun", path, q="siege  TRAIN")
        assert re.search("<mark>[Ss]iege</mark>", text)
        assert 'id="r-1.1"' not in text
        assert "paragraphs contain “siege TRAIN”" in visible_text(
            grand_table.get("hun", path, q="siege TRAIN")
        )
        assert "No paragraph contains “&lt;amp;”" in grand_table.text("hun", path, q="<amp;")
        assert 'id="r-9.7"' in grand_table.text("hun", path, q="§9.7")
        marked = grand_table.text("hun", path, q="amp")
        assert "&<mark>" not in marked


def test_the_rules_link_back_to_the_page_before(grand_table: GrandTable) -> None:  # noqa: F811
    def back(came: str) -> str:
        page = (
            grand_table.clients["hun"]
            .get(f"{grand_table.home}rules/", headers={"referer": came})
            .content.decode()
        )
        match = re.search(r'<a href="([^"]*)" data-back>', page)
        return match[1] if match else ""

    assert (
        back(f"http://testserver{grand_table.home}n/huns/?open=attack")
        == f"{grand_table.home}n/huns/?open=attack"
    )
    assert back("https://evil.example/") == ""
    assert back("http://testserver/rules/grand_campaign/") == ""
    assert back(f"http://testserver{grand_table.home}rules/?q=x") == ""
    assert back("http://testserver//evil.example/") == ""


@pytest.mark.nightly
def test_every_citation_has_its_anchor(new_campaign: Any) -> None:  # noqa: F811
    """Each link to a rule, on every page of a running campaign, meets its anchor."""
    grand_table = new_campaign()  # noqa: F811
    grand_table.play("gm", "start")
    grand_table.slot_to("huns")
    attack_independents(grand_table)
    write(grand_table, rule="9.7")
    anchors = set(re.findall(r'id="r-([^"]*)"', grand_table.text("hun", "rules/")))
    assert anchors == set(
        re.findall(r'id="r-([^"]*)"', grand_table.text("hun", "/rules/grand_campaign/"))
    )
    cited: set[str] = set()
    paths = [
        "",
        "log/",
        "n/huns/",
        "n/romans/",
        "battles/",
        "b/1/",
        "desk/",
        "dice/",
        "reports/",
        "reports/turn-1/",
        "rulings/",
        "rules/",
        "notices/",
        "seats/",
    ]
    paths += [f"e/{number}/" for number in range(grand_table.campaign.last_number + 1)]
    for who in ("gm", "hun", "nobody"):
        for path in paths:
            for href, anchor in re.findall(
                r'href="([^"#]*)#r-([^"]*)"', grand_table.text(who, path)
            ):
                assert href in ("", f"{grand_table.home}rules/", "?"), (path, href)
                cited.add(anchor)
    assert len(cited) > 20
    assert cited <= anchors, cited - anchors


@pytest.mark.parametrize(("path", "most"), [("rules/", 10), ("rulings/", 10)])
def test_queries(grand_table: GrandTable, path: str, most: int) -> None:  # noqa: F811
    write(grand_table, rule="9.7")
    write(grand_table, rule="9.8")
    grand_table.get("hun", path)
    with CaptureQueriesContext(connection) as counted:
        grand_table.get("hun", path)
    assert len(counted) <= most
