"""A reign in Italian: the exact text of a year, the board's sentences, and language-free hashes."""

import json

import pytest

from engine import strict_json
from engine.dice import Dice
from engine.errors import IllegalMove
from engine.language import FIRST, LANGUAGES, use_language
from games.contract.pages import LoggedMove
from games.march_on_rome.rules.position import NPC_NAMES, PROVINCES, Scenario
from games.march_on_rome.text import words
from games.march_on_rome.text.english import WORDS
from games.march_on_rome.text.phrases import PhrasePart, holder_with_paint, phrase
from games.march_on_rome.text.steps import steps
from tests.forum.rendered import render_plain_text
from tests.march_on_rome.table import TITLE
from tests.march_on_rome.test_chronicle import DICE, MOVES
from tests.march_on_rome.test_report import lines, report

HEADLINE = """\
Albinus ebbe dalla sua sei legioni in Italia; Galba cinque in Spagna. \
Oltre il centro nulla restava dell’Impero."""
STORY = """\
Il nostro prese la Gallia con tre legioni contro una legione del suo procuratore, dopo uno scontro; non ne perse nessuna. \
Galba cercò un’alleanza con noi e ci diede tutto, una provincia e cinque legioni. \
L’Africa insorse, e l’Impero perse la provincia. \
Un buon anno in Italia: una legione in più. \
La Gallia resistette a quattro armate dei Pitti, e noi vi perdemmo una legione. \
Nessun rivale era rimasto. Albinus aveva tre province e quattordici legioni, e andò a Roma."""  # noqa: E501
STEP = """\
- Albinus impegna 3 legioni; l’attaccante impegna 3 su 6 (§4.5); segmenti: 1; ogni colpo costa 1 (§4.7); \
segmento 1: 3 contro 0 (§4.7); Albinus conquista la Gallia contro il procuratore della Gallia (§4.8); \
procuratori: guarnigione 2 → 1 (perdite nella battaglia per la Gallia, §4.8); \
Gallia: procuratori → Albinus (Albinus prende la Gallia, §4.8).
"""  # noqa: E501
HOLDERS = """\
detentore             legioni  province
Albinus                0 → 14     0 → 3
procuratori                 0     0 → 4
perdute per l’Impero        ·   18 → 11
"""


def test_a_year_has_its_exact_text() -> None:
    with use_language("it"):
        shown = render_plain_text(report(lines(MOVES, Dice(1000, seed="", fixed=DICE)), "year-1"))
    assert shown.startswith(
        f"Anno 1\n======\n\n{HEADLINE}\n\nDetentori\n---------\n\n{HOLDERS}\n{STORY}\n\n"
    )
    assert STEP in shown
    assert (
        "- Albinus impegna 3 legioni: battaglia 1: segmenti, d6: 1; battaglia 1, segmento 1: "
        "colpisce l’attaccante, d6: 1, 2, 3.\n" in shown
    )


def test_the_article_before_a_name_is_no_part_of_it() -> None:
    shown = [
        LoggedMove(line.number, line.move, "pc", tuple(line.effects), tuple(line.rolls), 1)
        for line in lines(MOVES[:3], Dice(9, seed="", fixed=DICE))
    ]
    with use_language("it"):
        created = steps(Scenario(), shown)
        assert created[2].line == [
            PhrasePart(holder="pc", name="Albinus"),
            PhrasePart(text=" impegna "),
            PhrasePart(text="3 legioni"),
            PhrasePart(text=" per "),
            PhrasePart(text="la "),
            PhrasePart(strong="Gallia"),
        ]
        assert created[2].ends == {"pc": "ha preso la Gallia"}
        assert phrase(
            "sum-conceded",
            land=PhrasePart(strong=words.province_name("asia")),
            side=holder_with_paint(Scenario(), "barbarians"),
        ) == [
            PhrasePart(text="L’"),
            PhrasePart(strong="Asia"),
            PhrasePart(text=" va "),
            PhrasePart(text="agli "),
            PhrasePart(holder="barbarians", name="invasori"),
            PhrasePart(text=" senza combattere."),
        ]


@pytest.mark.parametrize(
    ("refused", "sentence"),
    [
        (
            IllegalMove("bad-target", "3.1", "not-adjacent", province="parthia"),
            "La Partia non confina con nessuna delle tue province.",
        ),
        (
            IllegalMove("bad-arguments", "5.6", "not-sure", general="npc-2"),
            (
                "Otone è più forte e direbbe SÌ: il tuo regno finirebbe. Conferma che lo vuoi,"
                " oppure scegli altro."
            ),
        ),
    ],
)
def test_a_refusal_is_in_italian(refused: IllegalMove, sentence: str) -> None:
    with use_language("it"):
        assert words.refusal(Scenario(), refused) == sentence


def test_a_name_that_begins_like_its_preposition() -> None:
    with use_language("it"):
        assert (
            f"{words.general_name(Scenario(), 'npc-10'):a},"
            f" {words.general_name(Scenario(), 'npc-2'):a}" == "ad Avidio Cassio, a Otone"
        )


def test_the_english_names_are_those_of_the_board() -> None:
    book = WORDS.read(FIRST)
    assert book["provinces"] == {key: province.name for key, province in PROVINCES.items()}
    assert tuple(book["rivals"]) == NPC_NAMES


def test_nothing_that_is_hashed_knows_a_language() -> None:
    created = set()
    for language in LANGUAGES:
        with use_language(language):
            played = lines(MOVES, Dice(1000, seed="", fixed=DICE))
            effects = [[effect.to_json() for effect in line.effects] for line in played]
            position = TITLE.setup(Scenario(), TITLE.options({}))
            created.add(
                strict_json.digest(
                    [effects, TITLE.state(position), json.loads(json.dumps(Scenario().raw))]
                )
            )
    assert len(created) == 1


def test_the_seat_is_one_person() -> None:
    with use_language("it"):
        seat, *_ = TITLE.seats(Scenario(general="Albinus"), TITLE.options({}))
        assert f"{seat.name} {seat.name:possono|può}" == "Albinus può"
