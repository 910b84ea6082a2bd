"""The log and its entries: authors, effects, struck entries, and entries for some readers only."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from campaign import services
from campaign.log import selectors
from games.registry import WORDS
from tests.table import people, running, table, toy
from tests.web.grand_table import WHO, GrandTable, draft, grand_table, new_campaign
from tests.web.titles.test_table import visible_text

__all__ = ["draft", "grand_table", "new_campaign", "people", "running", "table", "toy"]


@pytest.mark.parametrize("path", ["log/", "e/0/", "e/3/"])
def test_all_readers_may_read_the_log(new_campaign: Callable[..., GrandTable], path: str) -> None:
    table = new_campaign()
    table.play("gm", "start")
    assert table.statuses(path) == dict.fromkeys(WHO, 200)


@pytest.mark.parametrize("path", ["log/", "e/0/"])
def test_strangers_may_not_read_the_log_of_a_members_campaign(
    new_campaign: Callable[..., GrandTable], path: str
) -> None:
    expected = {"gm": 200, "hun": 200, "roman": 200, "stranger": 404, "nobody": 404}
    assert new_campaign("members").statuses(path) == expected


def test_a_line_shows_change_and_balance(grand_table: GrandTable) -> None:
    gm = grand_table.people["hun"]
    raw = {"by": "huns", "move": "build", "structure": "hamlets"}
    services.play(grand_table.campaign, gm, raw, selectors.seen(grand_table.campaign, gm))
    text = visible_text(grand_table.text("nobody", "log/"))
    assert re.search(
        r"Turn 1 Turn of the Huns 7 today [\d:]+ Huns build Hamlets −½ actions 2 left"
        r" \+1 prestige → 7 Turn of the Hephtalites 6",
        text,
    )
    assert "by the game master" in text
    assert (
        '<span class="fig fig--purse"><b>−½</b><span>actions</span>'
        '<span class="faint">2 left</span></span>' in grand_table.text("nobody", "log/")
    )


def test_a_line_shows_its_dice(grand_table: GrandTable) -> None:
    html = grand_table.text("nobody", "log/")
    address = f"{grand_table.home}dice/?roll=turn-1%2Fcard%2Fhuns#roll-turn-1/card/huns"
    assert (
        f'<span class="roll__sides">d100</span><a href="{address}" '
        'aria-label="d100: 17, Huns draw Spy"><span class="die">17</span></a>' in html
    )
    assert "d6 5 Sassanids open turn 1" in visible_text(html)


def test_a_die_in_the_log_leads_to_its_proof(grand_table: GrandTable) -> None:
    html = grand_table.text("nobody", "dice/", roll="turn-1/card/huns")
    assert 'id="roll-turn-1/card/huns"' in html
    assert grand_table.get("nobody", "dice/", roll="no such roll").status_code == 200


def test_the_page_of_an_old_roll_has_it(
    grand_table: GrandTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("web.dice.page.PAGE", 3)
    assert 'id="roll-start"' not in grand_table.text("nobody", "dice/")
    assert 'id="roll-start"' in grand_table.text("nobody", "dice/", roll="start")


def test_a_move_made_for_a_nation_says_so(grand_table: GrandTable) -> None:
    grand_table.play("huns", "build", structure="hamlets")
    assert "Huns build Hamlets by the game master" in visible_text(
        grand_table.text("nobody", "log/")
    )


def test_an_act_of_the_table_does_not_say_that_no_account_changed(grand_table: GrandTable) -> None:
    grand_table.play("huns", "build", structure="hamlets")
    services.undo_to(
        grand_table.campaign,
        grand_table.people["gm"],
        6,
        "Not yet",
        selectors.seen(grand_table.campaign, grand_table.people["gm"]),
    )
    number = (
        grand_table.campaign.entries.exclude(number=None)
        .order_by("-number")
        .values_list("number", flat=True)[0]
    )
    text = visible_text(grand_table.text("nobody", f"e/{number}/"))
    assert "The game master undoes every move after entry 6: Not yet" in text
    assert "No account changed" not in text


def test_struck_entries_stay_and_are_marked(grand_table: GrandTable) -> None:
    grand_table.play("huns", "build", structure="hamlets")
    services.undo_to(
        grand_table.campaign,
        grand_table.people["gm"],
        6,
        "Not yet <b>",
        selectors.seen(grand_table.campaign, grand_table.people["gm"]),
    )
    html = grand_table.text("stranger", "log/")
    text = visible_text(html)
    undo = "The game master undoes every move after entry 6: Not yet &lt;b&gt; Marozia"
    assert re.search(rf"8 today [\d:]+ {undo}", text)
    assert re.search(
        r"7 today [\d:]+ Huns build Hamlets struck by 8 by the game master −½ actions 2 left", text
    )
    assert html.count('class="is-struck') == 1
    page = visible_text(grand_table.text("stranger", "e/7/"))
    assert "This entry is struck It was undone by entry 8 and stays readable." in page


def test_an_entry_has_its_own_page(grand_table: GrandTable) -> None:
    grand_table.play(
        "gm", "adjust", nation="huns", account="stability", change=-3, reason="As <i>ruled</i>."
    )
    html = grand_table.text("nobody", "e/7/")
    text = visible_text(html)
    assert (
        "Entry 7 · turn 1 Game master changes the stability of the Huns by −3: “As"
        " &lt;i&gt;ruled&lt;/i&gt;.”" in text
    )
    assert "by Marozia" in text
    assert "Huns stability: correction: As &lt;i&gt;ruled&lt;/i&gt;." in text
    assert "−3 3" in text
    assert "Huns prestige: stability at 3 or less §2.1 −1 5" in text
    assert (
        f'<a href="{grand_table.home}e/6/" rel="prev"><span aria-hidden="true">← </span>Entry 6</a>'
        in html
    )
    assert grand_table.campaign.last_hash not in html


@pytest.mark.parametrize(
    ("path", "expected"),
    [("", "Standings 1st turn"), ("e/7/", "Entry 7 · 1st turn"), ("history/?at=7", ". 1st turn, ")],
)
def test_a_language_decides_the_order_of_turn_and_number(
    grand_table: GrandTable, monkeypatch: pytest.MonkeyPatch, path: str, expected: str
) -> None:
    grand_table.play("gm", "adjust", nation="huns", account="stability", change=-3, reason="Ruled.")
    monkeypatch.setitem(WORDS.english, "turn_number", "{n}st turn")
    text = " ".join(visible_text(grand_table.text("nobody", path)).split())
    assert expected in text.replace("”", "")


def test_an_entry_names_the_cards_that_were_drawn(grand_table: GrandTable) -> None:
    text = visible_text(grand_table.text("nobody", "e/3/"))
    assert "Rolls 5 d6 Sassanids open turn 1 11 d100 Sassanids draw Spy" in text
    assert "Huns : + Spy, card drawn §4" in text


def test_the_first_entry_has_its_own_page(draft: GrandTable) -> None:
    text = visible_text(draft.text("nobody", "e/0/"))
    assert (
        f"Entry 0 The terms of the campaign. Commitment of the dice: {draft.campaign.commitment}."
        in text
    )
    assert "No account changed" not in text, "an act of the table, no move"


@pytest.mark.parametrize(
    "path",
    [
        "e/999/",
        "e/99999999999999999999/",
        "log/?before=x",
        "log/?before=-1",
        "log/?before=" + "9" * 30,
        "log/?at=x",
    ],
)
def test_an_unknown_entry_is_not_found(grand_table: GrandTable, path: str) -> None:
    assert grand_table.get("gm", path).status_code == 404


@pytest.mark.parametrize(
    "path",
    [
        "dice/?before=x",
        "notices/?before=x",
        "/notices/?before=-1",
        "heard/?page=x",
        "heard/?page=0",
        "map.png?at=x",
        "film/?to=3",
        "film/?since=1&to=x",
    ],
)
def test_address_with_a_wrong_number_is_not_found(grand_table: GrandTable, path: str) -> None:
    assert grand_table.get("gm", path).status_code == 404


@pytest.mark.parametrize(
    "path", ["dice/?before=", "notices/?before=", "/notices/?before=", "heard/?page="]
)
def test_address_with_an_empty_number_shows_the_first_page(
    grand_table: GrandTable, path: str
) -> None:
    assert grand_table.get("gm", path).status_code == 200


def test_the_log_is_split_into_pages(grand_table: GrandTable) -> None:
    for n in range(60):
        grand_table.play(
            "gm", "adjust", nation="huns", account="income", change=1 + n, reason="As ruled."
        )
    first = grand_table.text("nobody", "log/")
    assert first.count('class="log__n"') == 50
    before = re.search(r'href="\?before=(\d+)" rel="next">Older', first)
    assert before
    assert before[1] == "17"
    second = grand_table.text("nobody", "log/", before="17")
    assert second.count('class="log__n"') == 17
    assert "Older entries" not in second
    assert "Turn 1" in visible_text(second)
    assert "Before the start" in visible_text(second)
    assert 'href="?after=16" rel="prev">Newer entries' in second


def test_the_pages_of_the_log_are_complete(grand_table: GrandTable) -> None:
    """Go forward and back, to an entry, and through the whole log."""
    for n in range(160):
        grand_table.play(
            "gm", "adjust", nation="huns", account="income", change=1 + n % 5, reason="As ruled."
        )
    last = grand_table.campaign.last_number

    def page(**asked: str) -> tuple[list[int], list[str]]:
        text = grand_table.text("nobody", "log/", **asked)
        links = re.findall(r'href="\?((?:before|after)=\d+|all|)"', text)
        return [int(n) for n in re.findall(r'class="log__n" href="[^"]+"[^>]*>(\d+)<', text)], links

    def run(high: int, low: int) -> list[int]:
        return list(range(high, low - 1, -1))

    newest = run(last, last - 49)
    assert page() == (newest, [f"before={last - 49}", "all"])
    second = run(last - 50, last - 99)
    assert page(before=str(last - 49)) == (
        second,
        [f"after={last - 50}", f"before={last - 99}", "", "all"],
    )
    assert page(after=str(last - 50)) == (newest, [f"before={last - 49}", "all"])
    assert page(after=str(last - 100)) == (
        second,
        [f"after={last - 50}", f"before={last - 99}", "", "all"],
    )
    for number in (last - 50, last - 77, last - 99):
        assert page(at=str(number))[0] == second
        assert f'href="{grand_table.home}log/?at={number}#e{number}">Log' in grand_table.text(
            "nobody", f"e/{number}/"
        )
    assert page(at="0") == (run(last - 150, 0), [f"after={last - 150}", "", "all"])
    assert page(at="99999") == page()
    assert page(all="") == (run(last, 0), [""])


def test_times_are_in_the_readers_time_zone(grand_table: GrandTable) -> None:
    grand_table.people["hun"].time_zone = "Asia/Kolkata"
    grand_table.people["hun"].save()
    entry = grand_table.campaign.entries.get(number=1)
    at = datetime(2024, 3, 4, 15, 9, tzinfo=UTC)
    type(entry).objects.filter(pk=entry.pk).update(at=at)
    assert "4 Mar 2024 20:39" in visible_text(grand_table.text("hun", "e/1/"))
    assert "4 Mar 2024 15:09" in visible_text(grand_table.text("nobody", "e/1/"))


def test_an_entry_for_some_readers_has_no_number_and_no_page(running: Any, client: Any) -> None:
    running.play("bee", "hide", secret=4711)
    address = f"/c/{running.reload().address}/"
    number = running.campaign.last_number
    for who, seen in (
        ("gm", True),
        ("bee", True),
        ("ant", False),
        ("stranger", False),
        (None, False),
    ):
        if who:
            client.force_login(running.people[who])
        else:
            client.logout()
        for path in ("", "log/"):
            html = client.get(address + path).content.decode()
            assert ("The Bee</span> bee: hide" in html) is seen
            assert ("Not everyone can see this entry, so it has no number" in html) is seen
            assert "4711" not in html
        assert client.get(f"{address}e/{number + 1}/").status_code == 404


@pytest.mark.parametrize("path", ["log/", "e/3/"])
def test_queries(grand_table: GrandTable, path: str) -> None:
    grand_table.get("hun", path)
    with CaptureQueriesContext(connection) as queries:
        grand_table.get("hun", path)
    assert len(queries) <= 12


def test_campaigns_that_differ_in_hidden_cards_have_equal_logs(
    new_campaign: Callable[..., GrandTable],
) -> None:
    """A stranger and the Roman get equal answers whatever the Huns' hand is."""
    table = new_campaign(hands="hidden")
    table.play("gm", "start")
    table.slot_to("huns")
    filtered = "log/?nation=huns&kind=cards&kind=dice"
    paths = ("", "log/", filtered, "log/?nation=huns", "dice/", "e/3/", "/")
    before = {
        (who, path): table.text(who, path)
        for who in ("roman", "stranger", "nobody")
        for path in paths
    }
    for roll in table.campaign.entries.get(number=3).rolls.filter(purpose="turn-1/card/huns"):
        type(roll).objects.filter(pk=roll.pk).update(value=99)
    entry = table.campaign.entries.get(number=3)
    changed = entry.effects.replace('"subject":"spy"', '"subject":"scouts"')
    assert changed != entry.effects
    type(entry).objects.filter(pk=entry.pk).update(effects=changed, hash="f" * 64, digest="e" * 64)
    hidden = re.compile(r'csrfmiddlewaretoken" value="[^"]*"|X-CSRFToken": "[^"]*"')
    for (who, path), html in before.items():
        assert hidden.sub("", table.text(who, path)) == hidden.sub("", html), (who, path)
    assert "Huns draw Scouts" in table.text("hun", "log/")
