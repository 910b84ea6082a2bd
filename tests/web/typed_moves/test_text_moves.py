"""Moves as text: understood lines, messages about others, and lines written by the site itself."""

from __future__ import annotations

import html
import re
from itertools import islice
from typing import Any

import pytest
from django.db import connection
from django.test import RequestFactory
from django.test.utils import CaptureQueriesContext

from campaign import access, plans
from engine.dice import Dice
from engine.errors import IllegalMove
from engine.language import use_language
from engine.play import play
from games.kit.reading import record
from games.kit.reading.move_reader import MoveReader
from games.registry import TITLES
from tests.web.contests import challenge, siege
from tests.web.grand_table import WHO, GrandTable, draft, grand_table, new_campaign
from tests.web.titles.test_table import visible_text
from web.frame.table import TableContext
from web.typed_moves.reader import move_reader_at

__all__ = ["challenge", "draft", "grand_table", "new_campaign", "siege"]


def table_of(grand_table: GrandTable, who: str = "gm") -> TableContext:
    request = RequestFactory().get("/")
    request.user = grand_table.people[who]
    return TableContext(
        request,
        grand_table.campaign,
        access.access_of(grand_table.campaign, grand_table.people[who]),
    )


def read(grand_table: GrandTable, who: str, text: str, do: str = "read", **more: str) -> str:
    answer = grand_table.post(
        who, "orders/", text=text, do=do, seen=str(grand_table.seen(who)), **more
    )
    return visible_text(html.unescape(answer.content.decode()))


def slot(grand_table: GrandTable) -> str:
    return str(grand_table.campaign.active_seat)


def test_only_permitted_users_type_moves(grand_table: GrandTable) -> None:
    assert grand_table.statuses("orders/") == {
        "gm": 200,
        "hun": 200,
        "roman": 200,
        "stranger": 403,
        "nobody": 302,
    }


def test_the_words_of_the_log_in_both_languages(grand_table: GrandTable) -> None:
    move_reader = move_reader_at(table_of(grand_table), slot(grand_table), "gm")
    english = move_reader.read("build shrines")
    assert english.raw == {
        "by": "gm",
        "for": slot(grand_table),
        "move": "build",
        "structure": "shrines",
    }
    with use_language("it"):
        line = move_reader.line(english.raw)
    assert line != "build Shrines"
    assert move_reader.read(f"  {line.upper()}. ").raw == english.raw


def test_a_word_of_one_language_is_no_move_in_a_sentence_of_another(
    grand_table: GrandTable,
) -> None:
    """The Italian "fine turno" ends the turn; the English "fine" does not."""
    move_reader = move_reader_at(table_of(grand_table), slot(grand_table), "gm")
    assert move_reader.read("Fine turno").raw is not None
    assert move_reader.read("Fine del turno!").raw is not None
    for text in ("Hello all, a fine turn!", "A fine turn!", "Fine turn!"):
        assert move_reader.read(text).raw is None


@pytest.mark.thorough
def test_every_move_that_is_possible_reads_back_as_itself(grand_table: GrandTable) -> None:
    """Try every seat that may move and the game master, in both languages."""
    table = table_of(grand_table)
    count = 0
    for language in ("en", "it"):
        with use_language(language):
            for seat in (slot(grand_table), "gm", "romans"):
                move_reader = move_reader_at(table, seat, "gm")
                for offer in move_reader.offers:
                    for raw in offer.moves():
                        content = table.title.decode(raw, table.position).to_json()
                        reading = move_reader.read(move_reader.line(content))
                        if reading.raw is None:
                            assert reading.near, (
                                raw
                            )  # two moves have equal words and differ in the record's form
                            reading = move_reader.read(record.written(content))
                        assert (
                            table.title.decode(reading.raw or {}, table.position).to_json()
                            == content
                        )
                        count += 1
    assert count > 200


def test_moves_in_record_form_are_read(grand_table: GrandTable) -> None:
    raw = {
        "by": "gm",
        "move": "adjust",
        "nation": "huns",
        "account": "income",
        "change": -25,
        "reason": "as post 7 says",
    }
    text = record.written(raw)
    assert text == 'adjust nation=huns account=income change=-25 reason="as post 7 says"'
    assert move_reader_at(table_of(grand_table), "gm", "gm").read(text).raw == raw
    assert (
        record.written(
            {"by": "gm", "move": "report", "attack": 3, "routed": {"attacker": 45, "defender": 20}}
        )
        == "report attack=3 routed.attacker=45 routed.defender=20"
    )
    shown = record.written({"by": "gm", "move": "adjust", "reason": 'a "mark" = 3'})
    assert shown == 'adjust reason="a ’mark’ = 3"'


@pytest.mark.parametrize("key", ["tetrarchia", "march_on_rome", "roman_empire"])
def test_other_titles_moves_as_the_record_has_them_read_back(key: str) -> None:
    """Lines have underscores, no argument, or a list."""
    title = TITLES[key]
    options = title.options({})
    position = title.setup(title.scenario(next(iter(title.scenarios()))), options)
    dice, counted = Dice(title.last_link(position.scenario), seed="x"), set()
    for _ in range(12):
        content = None
        for seat in ("gm", *(seat.key for seat in title.seats(position.scenario, options))):
            move_reader = MoveReader(title, position.scenario, position, seat, seat)
            for raw in (raw for offer in move_reader.offers for raw in islice(offer.moves(), 3)):
                assert move_reader.as_record(record.written(raw)) == raw
                counted.add(raw["move"])
                content = raw if content is None else content
        if content is None:
            break
        position = play(position, title.decode(content, position), dice).after
    assert len(counted) >= 3


def test_lines_are_read_one_after_the_other(grand_table: GrandTable) -> None:
    name = {"romans": "Romans", "huns": "Huns"}.get(
        slot(grand_table), slot(grand_table).capitalize()
    )
    before = grand_table.campaign.last_number
    text = read(
        grand_table,
        "gm",
        f"1. {name}: grant a tax exemption\n\n- {name} end the slot\nHello all, a fine turn!",
    )
    assert f"{name}: Grant a tax exemption" in text
    assert f"{name}: End their turn" in text
    assert "Not understood." in text
    assert "Announce these 2 moves" in text
    grand_table.campaign.refresh_from_db()
    assert grand_table.campaign.last_number == before


def test_one_line_may_tell_several_moves_and_a_doubt_is_a_button(grand_table: GrandTable) -> None:
    """Parts of a line become lines.

    A choice for a doubtful line replaces it.
    """
    text = "Huns: shrines, then a siege train; end slot"
    page = html.unescape(
        grand_table.post(
            "gm", "orders/", text=text, do="read", seen=str(grand_table.seen("gm"))
        ).content.decode()
    )
    assert "Announce these 3 moves" in visible_text(page)
    assert ">Huns: shrines\nHuns: a siege train\nHuns: end slot</textarea>" in page
    page = html.unescape(
        grand_table.post(
            "gm", "orders/", text="Huns: shirnes\nend slot", seen=str(grand_table.seen("gm"))
        ).content.decode()
    )
    assert "Not understood. Did you mean:" in visible_text(page)
    assert 'name="choose" value="0:Build Shrines"' in page
    answer = grand_table.post(
        "gm",
        "orders/",
        text="Huns: shirnes\nend slot",
        choose="0:Build Shrines",
        seen=str(grand_table.seen("gm")),
    )
    page = html.unescape(answer.content.decode())
    assert ">Huns: Build Shrines\nend slot</textarea>" in page
    assert "Announce these 2 moves" in visible_text(page)
    for nonsense in ("", "7:Build Shrines", "x", "0:", "-1:End"):
        assert (
            grand_table.post("gm", "orders/", text="shirnes", choose=nonsense, seen="0").status_code
            == 200
        )


def test_the_button_counts_what_it_announces(grand_table: GrandTable) -> None:
    text = read(
        grand_table,
        "gm",
        "grant a tax exemption\nwhat a turn\nend the slot",
        seat=slot(grand_table),
    )
    assert "Announce this move" in text
    assert "The lines after it stay in the box" in text
    assert (
        "Announce"
        not in read(
            grand_table, "gm", "what a turn\nend the slot", seat=slot(grand_table)
        ).partition("How to write moves")[0]
    )


def test_examples_end_the_slot_and_stay(grand_table: GrandTable) -> None:
    for shown in (
        visible_text(grand_table.text("gm", "orders/")),
        read(grand_table, "gm", "what a turn"),
    ):
        assert "Grant a tax exemption" in shown.partition("These lines would be understood now:")[2]
        assert "End their turn" in shown.partition("These lines would be understood now:")[2]


def test_lines_are_announced_up_to_the_first_that_is_not_understood(
    grand_table: GrandTable,
) -> None:
    seat, before = slot(grand_table), grand_table.campaign.last_number
    shown = read(
        grand_table, "gm", "grant a tax exemption\nwhat a turn\nend the slot", "announce", seat=seat
    )
    assert "1 move announced." in shown
    assert "what a turn" in shown
    grand_table.campaign.refresh_from_db()
    assert grand_table.campaign.last_number == before + 1
    assert grand_table.campaign.entries.last().content == {
        "by": "gm",
        "for": seat,
        "move": "tax-exemption",
    }
    assert grand_table.campaign.active_seat == seat


def test_two_windows(grand_table: GrandTable) -> None:
    """The other window has made a move: nothing is announced, the lines are kept."""
    old = grand_table.seen("gm")
    grand_table.play(slot(grand_table), "tax-exemption")
    answer = grand_table.post(
        "gm", "orders/", text="end the slot", do="announce", seen=str(old), seat=slot(grand_table)
    )
    assert answer.status_code == 409
    assert "end the slot" in answer.content.decode()
    assert grand_table.campaign.active_seat == slot(grand_table)


@pytest.mark.parametrize("seen", ["", "-5", "999", "a page"])
def test_lines_that_fit_no_page_are_refused_and_stay(grand_table: GrandTable, seen: str) -> None:
    answer = grand_table.post("gm", "orders/", text="end the slot", do="announce", seen=seen)
    page = answer.content.decode()
    assert answer.status_code == 422
    assert "This form does not fit the table as you see it now." in visible_text(page)
    assert ">end the slot</textarea>" in page
    assert slot(grand_table) == "huns"


def test_a_refusal_names_its_rule(grand_table: GrandTable) -> None:
    """The Huns have no coast in Sicilia and no Spy; the game master cannot open a turn."""
    assert slot(grand_table) == "huns"
    assert "Sicilia is not yours. §6.1" in read(grand_table, "gm", "Huns: build a fleet in Sicilia")
    attack = read(grand_table, "gm", "Huns attack Sicilia from Maeotis")
    assert "Announce" not in attack.split("Read the lines")[1].split("How to write moves")[0]
    assert "Maeotis does not border Sicilia. §7.1" in attack
    near = read(grand_table, "gm", "Huns: build a fleet in Scythia")
    assert "Not understood. Did you mean: Build a fleet in" in near


def test_no_player_announces_moves_for_another(grand_table: GrandTable) -> None:
    assert "This is not your seat." in read(grand_table, "roman", "Huns: end the slot")
    assert (
        "Announce"
        not in read(grand_table, "roman", "Huns: end the slot")
        .split("How to write moves")[0]
        .split("Read the lines")[1]
    )


def test_into_my_plan(grand_table: GrandTable) -> None:
    answer = grand_table.post(
        "roman",
        "orders/",
        text="grant a tax exemption",
        do="plan",
        seen=str(grand_table.seen("roman")),
    )
    # outside the slot there is no such move: the page says so and keeps the line
    if slot(grand_table) != "romans":
        assert answer.status_code == 422
        assert "grant a tax exemption" in answer.content.decode()
        while slot(grand_table) != "romans":
            grand_table.play(slot(grand_table), "end-slot")
        answer = grand_table.post(
            "roman",
            "orders/",
            text="grant a tax exemption",
            do="plan",
            seen=str(grand_table.seen("roman")),
        )
    assert answer.status_code == 303
    kept = plans.plan_of_user(grand_table.campaign, grand_table.people["roman"], "romans")
    assert kept.moves == [{"by": "romans", "move": "tax-exemption"}]


def test_a_form_becomes_a_line(grand_table: GrandTable) -> None:
    seat = slot(grand_table)
    page = grand_table.text("gm", f"n/{seat}/", open="fleet")
    assert re.search(r'formaction="[^"]*/orders/"', page)
    province = re.search(r'<option value="([\w-]+)"', page.split('name="province"')[1])
    assert province
    data: dict[str, Any] = {
        "offer": "fleet",
        "move": "fleet",
        "for": seat,
        "province": province[1],
        "do": "line",
    }
    text = html.unescape(grand_table.post("gm", "orders/", **data).content.decode())
    line = re.search(r'id="line"[^>]*>([^<]+)<', text)
    assert line
    reading = move_reader_at(table_of(grand_table), seat, "gm").read(line[1].partition(": ")[2])
    assert reading.raw == {"by": "gm", "for": seat, "move": "fleet", "province": province[1]}


@pytest.mark.parametrize(
    "text",
    [
        "<script>alert(1)</script>",
        "\x00",
        "[b]x[/b]",
        "=1+1",
        "﷽" * 400,
        "a" * 7000,
        "attack=1",
        "x=1 y=2",
    ],
)
def test_anything_may_be_typed(grand_table: GrandTable, text: str) -> None:
    answer = grand_table.post(
        "gm", "orders/", text=text, do="announce", seen=str(grand_table.seen("gm"))
    )
    assert answer.status_code in (200, 422)
    assert b"<script>alert" not in answer.content


def test_queries(grand_table: GrandTable) -> None:
    grand_table.get("gm", "orders/")
    with CaptureQueriesContext(connection) as queries:
        grand_table.get("gm", "orders/")
    assert len(queries) <= 12


def test_a_refusal_is_no_traceback(grand_table: GrandTable) -> None:
    with pytest.raises(IllegalMove):
        table_of(grand_table).title.decode(
            {"by": "gm", "move": "nonsense"}, table_of(grand_table).position
        )
    assert {
        who: grand_table.post(
            who, "orders/", text="nonsense-move x=1", do="read", seen="0"
        ).status_code
        for who in WHO[:3]
    } == {
        "gm": 200,
        "hun": 200,
        "roman": 200,
    }


def test_a_result_line_leads_to_its_claim(siege: GrandTable) -> None:
    """Among other lines, the line that players post after a battle fills the form of the claim."""
    line = (
        "Ingrid *Hunnic (Western) 376-454 AD* (1600) beats Benedetto *Roman 425-492 AD* (1600)"
        " 46-31"
    )
    answer = siege.post(
        "hun", "orders/", text=f"A good fight!\n{line}", do="read", seen=str(siege.seen("hun"))
    )
    page = html.unescape(answer.content.decode())
    assert (
        "Huns 31%, Romans 46%: The Huns win. This looks like the result of battle #1: claim it…"
        in " ".join(page.split())
    )
    url = re.search(r'href="([^"]*/b/1/\?[^"]*)"', page)
    assert url
    form = html.unescape(siege.get("hun", url[1].split("#")[0]).content.decode())
    assert re.search(r'name="attacker"[^>]*value="31"|value="31"[^>]*name="attacker"', form)
    assert "claim it…" not in visible_text(read(siege, "hun", "Zoe beats Yan 46-23"))
    own_words = "Result #1: Huns routed 31%, Romans routed 46%"
    assert "claim it…" in read(siege, "hun", own_words)
    assert "claim it…" in read(siege, "gm", own_words)
    for other in (own_words.replace("#1", "#2"), f"If it ends so: {own_words}", f"> {own_words}"):
        assert "claim it…" not in read(siege, "hun", other)


def as_line(answer: Any) -> str:
    match = re.search(r'id="line"[^>]*>([^<]+)<', html.unescape(answer.content.decode()))
    assert match
    return str(match[1])


def test_the_other_forms_become_lines(siege: GrandTable) -> None:
    """A correction, an answer and a result each read back as the same move."""
    correction = {
        "fix": "adjust",
        "nation": "huns",
        "account": "income",
        "change": "25",
        "reason": "as post 7 says",
        "do": "line",
    }
    line = as_line(siege.post("gm", "orders/", **correction))
    assert move_reader_at(table_of(siege), "gm", "gm").read(line).raw == {
        "by": "gm",
        "move": "adjust",
        "nation": "huns",
        "account": "income",
        "change": 25,
        "reason": "as post 7 says",
    }
    result = {"battle": "1", "by": "shares", "attacker": "31", "defender": "46", "do": "line"}
    assert (
        as_line(siege.get("hun", "orders/", **result))
        == "report attack=1 routed.attacker=31 routed.defender=46"
    )
    text = read(siege, "gm", "report attack=1 routed.attacker=31 routed.defender=46")
    assert "Game master: Enters the result of" in text
    assert "Announce this move" in text
    for spoilt in ({}, {"by": "shares"}, {"battle": "x"}, {"battle": "9" * 30, "by": "shares"}):
        page = siege.get("gm", "orders/", **{"battle": "1", "do": "line", **spoilt})
        assert page.status_code == 422
        assert (
            "The form is not complete enough to become a line of text. Fill it in first."
            in visible_text(page.content.decode())
        )
    assert siege.post("roman", "orders/", **correction).status_code == 403


def test_an_answer_becomes_a_line(challenge: GrandTable) -> None:
    answer = {"battle": "1", "move": "respond", "choice": "accept", "do": "line"}
    line = as_line(challenge.post("roman", "orders/", **answer))
    reading = move_reader_at(table_of(challenge, "roman"), "romans", "romans").read(
        line.partition(": ")[2]
    )
    assert reading.raw == {"by": "romans", "move": "respond", "attack": 1, "choice": "accept"}
    assert challenge.post("hun", "orders/", **answer).status_code == 403


def test_every_form_of_a_move_has_the_button(challenge: GrandTable) -> None:
    forms = {
        ("roman", "b/1/"): {},
        ("gm", "desk/"): {"fix": "adjust"},
        ("gm", "b/1/"): {"by": "shares"},
        ("gm", "n/huns/"): {"open": "fleet"},
    }
    for (who, path), asked in forms.items():
        assert "Copy as text" in challenge.text(who, path, **asked), path
    assert "Copy as text" not in challenge.text("nobody", "b/1/")
