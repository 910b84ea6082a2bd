"""Result lines in the forms in which players write them in forums."""

from __future__ import annotations

from decimal import Decimal

import pytest

from games.grand_campaign.text.result_line import clean, read
from games.grand_campaign.text.result_sides import Side

HUNS = Side(
    ("Anna", "anna_77"),
    ("Huns", "Hunnic"),
    ("Hunnic Western 376-454 AD", "Hunnic (Western) 376-454 AD", "Hunnic (Western)"),
    1600,
)
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
    "Anna beats Ben 46 à 23": (23, 46),
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
    "Anna *Hunnic (Western) 376-454 AD* (1600) draws with Ben *Roman 425-492 AD* (1570) 50-47": (
        50,
        47,
    ),
    "[b]Anna[/b] [i]Hunnic (Western) 376-454 AD[/i] (1600) beats [i]Roman 425-492 AD[/i] (1570) [u]46-23[/u]": (  # noqa: E501
        23,
        46,
    ),
    "[url=https://forum.example/p?a=1-2]Anna[/url] beats [color=#ff0000]Ben[/color] 46-23": (
        23,
        46,
    ),
    "<em>Anna</em> beats <strong>Ben</strong> 46-23": (23, 46),
    "_Anna_ **beats** _Ben_ 46-23": (23, 46),
    "big ben *Roman 425–492 AD* (1570 pts) beats anna_77 *Hunnic (Western) 376–454 AD* (1600 points) 46–23": (  # noqa: E501
        46,
        23,
    ),
    "Huns beat Romans 46-23": (23, 46),
    "The Romans beat the Huns 46-23": (46, 23),
    "Hunnic (Western) beats Roman 425-492 AD 46-23": (23, 46),
    "Zoe *Hunnic ((Western) 376-454 AD)* beats Yan *Roman (425-492 AD)* 46-23": (23, 46),
    "Zoe *Hunnic Western 376-454 AD* (1600) beats Yan *Roman 425-492 AD* (1570) 46-23": (23, 46),
    "Result of #15:\n\nAnna (1600) beats Ben (1570) 46-23\n\nGood game!": (23, 46),
    "Anna *Hunnic (Western)\n376-454 AD* (1600) beats\nBen *Roman 425-492 AD* (1570)\n46-23": (
        23,
        46,
    ),
    "Ánna beats Bén 46-23": (23, 46),
    "Anna  beats\u00a0Ben\t46-23": (23, 46),
    "Anna beats Ben 9-4": (4, 9),
    "Anna batte Ben 46-23": (23, 46),
    "Anna *Hunnic (Western) 376-454 d.C.* (1600 punti) ha battuto Ben *Roman 425-492 d. C.* (1570 pti) 46 a 23": (  # noqa: E501
        23,
        46,
    ),
    "Ben perde contro Anna 46-23": (23, 46),
    "Ben è stato sconfitto da Anna 46-23": (23, 46),
    "Anna vince contro Ben: 46%-23%": (23, 46),
    "Ben pareggia con Anna 38-41": (41, 38),
}


@pytest.mark.parametrize("line", LINES)
def test_a_line_is_read_in_every_form(line: str) -> None:
    result = read(line, BOTH)
    assert result.shares == LINES[line]
    assert result.unread == []


@pytest.mark.parametrize("line", LINES)
def test_the_sides_may_be_the_other_way_round(line: str) -> None:
    result = read(line, {"attacker": ROMANS, "defender": HUNS})
    assert result.shares == LINES[line][::-1]


def test_the_reader_reports_what_it_has_read() -> None:
    result = read(
        "Anna *Hunnic (Western) 376-454 AD* (1600) beats Ben *Roman 425-492 AD* (1570) 46-23", BOTH
    )
    assert result.read == [
        "46 and 23 per cent",
        "sides identified by the players’ names and the army lists",
        "1600 points for the attacker",
        "1570 points for the defender",
    ]
    assert result.draw is False
    assert read("Anna draws with Ben 38-41", BOTH).draw is True


def test_points_that_differ_from_the_sheet_are_reported() -> None:
    result = read("Anna (1600) beats Ben (1620) 46-23", BOTH)
    assert result.shares == (23, 46)
    assert result.unread == [
        "The pasted line gives the defender 1620 points; the set-up sheet says 1570."
    ]


def test_the_greater_share_is_the_losers_in_either_order() -> None:
    """9.1: in no battle has the winner routed more."""
    assert read("Anna beats Ben 23-46", BOTH).shares == (23, 46)
    assert read("Anna loses to Ben 23-46", BOTH).shares == (46, 23)


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
    "Anna beats Ben ½-23": "No result line was found",
    "Zoe beats Yan 46-23": "The sides could not be identified",
    "Anna beats Anna 46-23": "The sides could not be identified",
    "Anna *Roman 425-492 AD* beats Ben *Hunnic (Western) 376-454 AD* 46-23": (
        "contradict each other"
    ),
    "* " * 3000: "No result line was found",
    "(" * 1900 + "beats" + "[" * 1900: "No result line was found",
    "a beats " * 250: "No result line was found",
}


@pytest.mark.parametrize("line", UNREADABLE)
def test_an_unreadable_part_is_reported_and_never_guessed(line: str) -> None:
    result = read(line, BOTH)
    assert result.shares is None
    assert UNREADABLE[line] in " ".join(result.unread)


def test_equal_armies_on_both_sides_are_distinguished_by_names_alone() -> None:
    mirror = {"attacker": HUNS, "defender": Side(("Cem",), ("Vandals",), HUNS.armies, 1600)}
    line = (
        "Cem *Hunnic (Western) 376-454 AD* (1600) beats Anna *Hunnic (Western) 376-454 AD* (1600)"
        " 46-23"
    )
    assert read(line, mirror).shares == (46, 23)
    assert read(line.replace("Cem", "x").replace("Anna", "y"), mirror).shares is None


def test_a_longer_name_is_not_taken_for_a_shorter_one() -> None:
    sides = {"attacker": Side(("Ann",)), "defender": Side(("Ann Bell",))}
    assert read("Ann Bell beats Ann 46-23", sides).shares == (46, 23)


def test_cleaning_keeps_brackets_of_lists_and_takes_tags() -> None:
    assert clean("[b]A[/b]  *x (y) 1–2* <i>z</i>\r\n\r\n q") == "A *x (y) 1-2* z\nq"


# Lines in players' own words, written before the reader understood them. The shares of Huns and
# Romans follow the bar, `?` if the line does not contain all of it; docs/play/typed-moves.md has
# the rates.
HUN = Side(
    ("Ingrid", "Ingrid_S"),
    ("Huns", "Unni", "Hunnen", "Hunos"),
    ("Hunnic (Western) 376-454 AD", "Hunnic (Western)"),
    1600,
)
ROMAN = Side(
    ("Benedetto", "Ben D"),
    ("Romans", "Romani", "Römer", "Romains", "Romanos"),
    ("Roman 425-492 AD",),
    1570,
)
PLAYED = """
Huns 22% Romans 48% | 22 48
Huns 22%, Romans 48% | 22 48
Huns: 22% - Romans: 48% | 22 48
Romans 48%, Huns 22% | 22 48
Romans 48 Huns 22 | 22 48
22% Huns, 48% Romans | 22 48
Huns (22%) vs Romans (48%) | 22 48
Ingrid 22% / Benedetto 48% | 22 48
Ingrid 22, Benedetto 48 | 22 48
Ingrid (Huns) 22%, Benedetto (Romans) 48% | 22 48
Huns routed 22%, Romans routed 48% | 22 48
The Huns lost 22% and the Romans 48% | 22 48
Romans lost 48% of their army, Huns only 22% | 22 48
Result: Huns 22 - 48 Romans | 22 48
Huns 22-48 Romans | 22 48
Ingrid 12 : 48 Benedetto | 12 48
Huns 22% beat Romans 48% | 22 48
Victory for the Huns, 22% against 48% | 22 48
Hun victory 48-22, Ingrid against Benedetto | ?
Ingrid won 48% to 12% | 12 48
Ingrid wins 48-12 | 12 48
Ingrid won, 48 to 12 | 12 48
Ingrid won 12-48 | 12 48
Benedetto lost 48-12 | 12 48
The Romans lost 48% to 12% | 12 48
Huns win 52-31 | 31 52
Huns won the battle 52% - 31% | 31 52
Romans were beaten by the Huns 52-31 | 31 52
Huns crushed Romans 61-8 | 8 61
Huns defeat the Romans 46-23 | 23 46
Romans are defeated by Huns 46-23 | 23 46
Ingrid over Benedetto 46-23 | 23 46
Hunnic (Western) 376-454 AD beats Roman 425-492 AD 46-23 | 23 46
Hunnic (Western) 376-454 AD 23% Roman 425-492 AD 46% | 23 46
Ingrid Hunnic (Western) 376-454 AD (1600) 23% - Benedetto Roman 425-492 AD (1570) 46% | 23 46
Draw, Huns 38% Romans 41% | 38 41
Huns and Romans draw, 38% and 41% | ?
Gli Unni battono i Romani 46-23 | 23 46
I Romani hanno battuto gli Unni 46-23 | 46 23
Gli Unni hanno sconfitto i Romani 46% a 23% | 23 46
Gli Unni sconfiggono i Romani per 46 a 23 | 23 46
Unni 22% Romani 48% | 22 48
Gli Unni vincono 48 a 12 | 12 48
I Romani perdono 48-12 | 12 48
I Romani perdono contro gli Unni 48-12 | 12 48
I Romani sono stati battuti dagli Unni 48-12 | 12 48
Vittoria degli Unni, 48% a 12% | 12 48
Ingrid schlägt Benedetto 46-23 | 23 46
Die Hunnen schlagen die Römer 46-23 | 23 46
Die Hunnen besiegen die Römer mit 46% zu 23% | 23 46
Ingrid gewinnt gegen Benedetto 46:23 | 23 46
Die Hunnen haben die Römer 46:23 geschlagen | 23 46
Benedetto verliert gegen Ingrid 46:23 | 23 46
Ingrid bat Benedetto 46-23 | 23 46
Les Huns ont battu les Romains 46 à 23 | 23 46
Les Romains perdent contre les Huns 46-23 | 23 46
Ingrid a gagné contre Benedetto 46-23 | 23 46
Los Hunos vencen a los Romanos 46-23 | 23 46
Ingrid ganó a Benedetto 46-23 | 23 46
Benedetto perdió contra Ingrid 46 a 23 | 23 46
Los Romanos derrotan a los Hunos 46-23 | 46 23
48-12 | ?
Huns Romans 48-12 | ?
Good game! Huns next turn 22 hours late, 48 pages of rules | ?
"""


def judged() -> dict[str, list[str]]:
    rates: dict[str, list[str]] = {"read": [], "missed": [], "misread": [], "silent": []}
    for row in PLAYED.strip().splitlines():
        line, _bar, meant = row.partition(" | ")
        for sides, turn in (
            ({"attacker": HUN, "defender": ROMAN}, 1),
            ({"attacker": ROMAN, "defender": HUN}, -1),
        ):
            shares = read(line, sides).shares
            wanted = None if meant == "?" else tuple(map(int, meant.split()))[::turn]
            how = (
                "silent"
                if shares is None and wanted is None
                else "missed"
                if shares is None
                else "read"
                if shares == wanted
                else "misread"
            )
            rates[how].append(f"{row} | {shares}")
    return rates


def test_lines_in_players_words() -> None:
    """At least nine of ten result lines are read, and none is misread.

    The 60 lines are in six languages and either order.
    """
    rates = judged()
    assert len(PLAYED.strip().splitlines()) == 64
    assert rates["misread"] == []
    assert len(rates["read"]) >= 108, rates["missed"]


OWN_WORDING = {
    "Result #6: Romans routed 46%, Huns routed 23%": (23, 46),
    "Ergebnis #6: Römer auf der Flucht 46%, Hunnen auf der Flucht 23%": (23, 46),
    "Resultado #6: Romanos en desbandada 46%, Hunos en desbandada 23%": (23, 46),
    "Risultato #6: Romani in rotta 46%, Unni in rotta 23%": (23, 46),
    "Résultat #6 : Romains 46 %, Huns 23 %": (23, 46),
    "Battle 6: Huns 23%, Romans 46%": (23, 46),
    "#12 Huns beat Romans 46-23": (23, 46),
}


@pytest.mark.parametrize("line", OWN_WORDING)
def test_the_sites_own_wording_is_read(line: str) -> None:
    assert read(line, {"attacker": HUN, "defender": ROMAN}).shares == OWN_WORDING[line]


@pytest.mark.parametrize(
    "line",
    [
        "if the Huns win 40-20 I owe you a beer",
        "If Huns beat Romans 46-23, the truce is over",
        "Romans almost routed 40%, Huns 20%",
        "Huns nearly beat Romans 46-23",
        "Did the Huns beat the Romans 46-23?",
        "The Huns did not beat the Romans 46-23",
        "Hopefully Huns 23%, Romans 46%",
        "Wenn die Hunnen 46:23 gegen die Römer gewinnen",
        "Die Hunnen schlagen die Römer vielleicht 46-23",
        "Fast: Hunnen 23%, Römer 46%",
        "Se gli Unni battono i Romani 46-23",
        "Gli Unni battono i Romani forse 46-23",
        "Si los Hunos vencen a los Romanos 46-23",
        "Casi: Hunos 23%, Romanos 46%",
        "Si les Huns battent les Romains 46-23",
    ],
)
def test_conditions_and_guesses_are_no_results(line: str) -> None:
    reading = read(line, {"attacker": HUN, "defender": ROMAN})
    assert reading.shares is None
    assert reading.unread == ["The line has a condition, a guess or a question."]


def test_a_player_may_be_called_will() -> None:
    will = Side(("Will",), ("Romans",), (), 1570)
    assert read("Will beats Ingrid 46-23", {"attacker": HUN, "defender": will}).shares == (46, 23)
