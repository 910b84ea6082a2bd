"""The result line of the forum, in the forms in which people write it."""

from __future__ import annotations

from decimal import Decimal

import pytest

from web.titles.grand_campaign.result_line import Side, clean, read

HUNS = Side(("Anna", "anna_77"), ("Huns", "Hunnic"),
            ("Hunnic Western 376-454 AD", "Hunnic (Western) 376-454 AD", "Hunnic (Western)"), 1600)  # fmt: skip
ROMANS = Side(("Ben", "Big Ben"), ("Romans", "Roman"), ("Roman 425-492 AD",), 1570)
BOTH = {"attacker": HUNS, "defender": ROMANS}

# line -> shares of attacker (the Huns) and defender
LINES = {
    "Anna *Hunnic (Western) 376-454 AD* (1600) beats Ben *Roman 425-492 AD* (1570) 46-23": (23, 46),
    "Anna Hunnic (Western) 376-454 AD (1600) beats Ben Roman 425-492 AD (1570) 46-23": (23, 46),
    "Ben *Roman 425-492 AD* (1570) beats Anna *Hunnic (Western) 376-454 AD* (1600) 61-12": (61, 12),
    "Anna beats Ben 46-23": (23, 46),
    "anna beats BEN 46–23": (23, 46),
    "Anna beats Ben 46 — 23": (23, 46),
    "Anna beats Ben 46 − 23": (23, 46),
    "Anna beats Ben 46:23": (23, 46),
    "Anna beats Ben 46/23": (23, 46),
    "Anna beats Ben 46 to 23": (23, 46),
    "Anna beats Ben 46%-23%": (23, 46),
    "Anna beats Ben, 46 % - 23 %.": (23, 46),
    "Anna beats Ben (46-23)": (23, 46),
    "Anna beats Ben 46.5-23": (23, Decimal("46.5")),
    "Anna beats Ben 46,5-23,25": (Decimal("23.25"), Decimal("46.5")),
    "Anna beats Ben 100-0": (0, 100),
    "Anna beat Ben 46-23": (23, 46),
    "Anna bt Ben 46-23": (23, 46),
    "Anna defeats Ben 46-23": (23, 46),
    "Anna defeated Ben 46-23": (23, 46),
    "Anna wins against Ben 46-23": (23, 46),
    "Anna won against Ben 46-23": (23, 46),
    "Ben loses to Anna 46-23": (23, 46),
    "Ben lost to Anna 46-23": (23, 46),
    "Anna draws with Ben 38-41": (38, 41),
    "Ben draws with Anna 38-41": (41, 38),
    "Ben draws Anna 38-41": (41, 38),
    "Anna drew with Ben 50-47": (50, 47),
    "Anna *Hunnic (Western) 376-454 AD* (1600) draws with Ben *Roman 425-492 AD* (1570) 50-47": (50, 47),
    "[b]Anna[/b] [i]Hunnic (Western) 376-454 AD[/i] (1600) beats [i]Roman 425-492 AD[/i] (1570) [u]46-23[/u]": (23, 46),
    "[url=https://forum.example/p?a=1-2]Anna[/url] beats [color=#ff0000]Ben[/color] 46-23": (23, 46),
    "<em>Anna</em> beats <strong>Ben</strong> 46-23": (23, 46),
    "_Anna_ **beats** _Ben_ 46-23": (23, 46),
    "big ben *Roman 425–492 AD* (1570 pts) beats anna_77 *Hunnic (Western) 376–454 AD* (1600 points) 46–23": (46, 23),
    "Huns beat Romans 46-23": (23, 46),
    "The Romans beat the Huns 46-23": (46, 23),
    "Hunnic (Western) beats Roman 425-492 AD 46-23": (23, 46),
    "Zoe *Hunnic ((Western) 376-454 AD)* beats Yan *Roman (425-492 AD)* 46-23": (23, 46),
    "Zoe *Hunnic Western 376-454 AD* (1600) beats Yan *Roman 425-492 AD* (1570) 46-23": (23, 46),
    "Result of #15:\n\nAnna (1600) beats Ben (1570) 46-23\n\nGood game!": (23, 46),
    "Anna *Hunnic (Western)\n376-454 AD* (1600) beats\nBen *Roman 425-492 AD* (1570)\n46-23": (23, 46),
    "Ánna beats Bén 46-23": (23, 46),
    "Anna  beats\u00a0Ben\t46-23": (23, 46),
    "Anna beats Ben 9-4": (4, 9),
    "Anna batte Ben 46-23": (23, 46),
    "Anna *Hunnic (Western) 376-454 d.C.* (1600 punti) ha battuto Ben *Roman 425-492 d. C.* (1570 pti) 46 a 23": (23, 46),
    "Ben perde contro Anna 46-23": (23, 46),
    "Ben è stato sconfitto da Anna 46-23": (23, 46),
    "Anna vince contro Ben: 46%-23%": (23, 46),
    "Ben pareggia con Anna 38-41": (41, 38),
}  # fmt: skip


@pytest.mark.parametrize("line", LINES)
def test_forms_of_the_line(line: str) -> None:
    found = read(line, BOTH)
    assert found.shares == LINES[line]
    assert found.unread == []


@pytest.mark.parametrize("line", LINES)
def test_the_sides_may_be_the_other_way_round(line: str) -> None:
    found = read(line, {"attacker": ROMANS, "defender": HUNS})
    assert found.shares == LINES[line][::-1]


def test_it_says_what_it_read() -> None:
    found = read("Anna *Hunnic (Western) 376-454 AD* (1600) beats Ben *Roman 425-492 AD* (1570) 46-23", BOTH)
    assert found.read == [
        "46 and 23 per cent", "the sides by the players’ names and the army lists",
        "1600 points for the attacker", "1570 points for the defender",
    ]  # fmt: skip
    assert found.draw is False
    assert read("Anna draws with Ben 38-41", BOTH).draw is True


def test_other_points_than_the_sheet_are_told() -> None:
    found = read("Anna (1600) beats Ben (1620) 46-23", BOTH)
    assert found.shares == (23, 46)
    assert found.unread == ["The line has 1620 points for the defender, the set-up sheet 1570."]


def test_shares_written_the_other_way_round_are_told() -> None:
    found = read("Anna beats Ben 23-46", BOTH)
    assert found.shares == (46, 23)
    assert found.unread == ["The first share is the loser’s, and 23 is less than 46: check whether this is right."]


UNREADABLE = {
    "": "No result line was found",
    "gg": "No result line was found",
    "46-23": "No result line was found",
    "Anna beats Ben": "No result line was found",
    "beats Ben 46-23": "No result line was found",
    "Anna beats 46-23": "Only one side is named.",
    "Anna *Hunnic (Western) 376-454 AD* beats Ben *Roman 425-492 AD*": "No result line was found",
    "Anna beats Ben 146-23": "No result line was found",
    "Anna beats Ben 46": "No result line was found",
    "Zoe beats Yan 46-23": "The sides could not be identified",
    "Anna beats Anna 46-23": "The sides could not be identified",
    "Anna *Roman 425-492 AD* beats Ben *Hunnic (Western) 376-454 AD* 46-23": "contradict each other",
    "* " * 3000: "No result line was found",
    "(" * 1900 + "beats" + "[" * 1900: "No result line was found",
    "a beats " * 250: "No result line was found",
}


@pytest.mark.parametrize("line", UNREADABLE)
def test_what_cannot_be_read_is_told_and_never_guessed(line: str) -> None:
    found = read(line, BOTH)
    assert found.shares is None
    assert UNREADABLE[line] in " ".join(found.unread)


def test_one_army_on_both_sides_is_told_by_the_names_alone() -> None:
    mirror = {"attacker": HUNS, "defender": Side(("Cem",), ("Vandals",), HUNS.armies, 1600)}
    line = "Cem *Hunnic (Western) 376-454 AD* (1600) beats Anna *Hunnic (Western) 376-454 AD* (1600) 46-23"
    assert read(line, mirror).shares == (46, 23)
    assert read(line.replace("Cem", "x").replace("Anna", "y"), mirror).shares is None


def test_a_longer_name_is_not_taken_for_a_shorter_one() -> None:
    sides = {"attacker": Side(("Ann",)), "defender": Side(("Ann Bell",))}
    assert read("Ann Bell beats Ann 46-23", sides).shares == (46, 23)


def test_cleaning_keeps_brackets_of_lists_and_takes_tags() -> None:
    assert clean("[b]A[/b]  *x (y) 1–2* <i>z</i>\r\n\r\n q") == "A *x (y) 1-2* z\nq"
