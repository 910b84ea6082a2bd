"""The pages of a campaign in Italian, literally, and one act in each reader's own language."""

import html
import re

import pytest
from django.utils.translation import ngettext, override

from campaign import services
from campaign.log.acts.registry import act_line
from engine.language import Name, sentence, use_language
from notices import selectors as notices
from notices.wording import notices_in_words
from tests.web.contests import attack_independents
from tests.web.grand_table import GrandTable, draft, grand_table, new_campaign  # noqa: F401

pytestmark = pytest.mark.django_db


def italian(table: GrandTable, who: str, path: str = "") -> str:
    """Return a page as text, with attributes; spaces are as people see them."""
    page = (
        table.clients[who]
        .get(table.home + path, headers={"accept-language": "it"})
        .content.decode()
    )
    return " ".join(
        html.unescape(
            re.sub(r"<[^>]*>", " ", re.sub(r'(?:aria-label|title)="([^"]*)"', r">\1<", page))
        ).split()
    )


def says(page: str, *sentences: str) -> None:
    assert [expected for expected in sentences if expected not in page] == []


def test_the_table_and_the_log(grand_table: GrandTable) -> None:  # noqa: F811
    says(
        italian(grand_table, "gm"),
        "Si attende Ingrid : giocare il turno",
        "Ordine di gioco, giro 1",
        "Le ultime voci del registro",
        "Nessuna battaglia in corso.",
        "arbitro: Marozia",
    )
    says(
        italian(grand_table, "hun", "log/"),
        "7 voci, dalla più recente",
        "Come foglio di calcolo (CSV)",
        "Prima dell’inizio",
    )
    says(
        italian(grand_table, "hun", "log/?before=1"),
        "7 voci, dalla più recente, prima della voce 1",
        "Voci più recenti",
    )
    grand_table.play("huns", "build", structure="hamlets")
    services.undo_to(
        grand_table.campaign, grand_table.people["gm"], 6, "Troppo presto.", grand_table.seen("gm")
    )
    says(
        italian(grand_table, "stranger", "log/"),
        "annullata dalla 8",
        "L’arbitro annulla ogni mossa dopo la voce 6: Troppo presto.",
        "Unni: il posto è occupato.",
    )
    says(
        italian(grand_table, "stranger", "e/7/"),
        "Voce 7 · giro 1",
        "È stata annullata dalla voce 8 e resta leggibile. Nulla di quanto segue è valido.",
    )


def test_before_the_start(draft: GrandTable) -> None:  # noqa: F811
    says(
        italian(draft, "gm"),
        "6 posti, 4 liberi",
        "4 posti sono liberi. Crea un link d’invito per ciascuno e mandali.",
        "Sigillo dei dadi",
        "Inizia senza di loro…",
    )
    says(
        italian(draft, "stranger"),
        "Si partecipa su invito. Chiedi un link a Marozia, o attendi un posto .",
    )
    says(
        italian(draft, "gm", "desk/"),
        "Tu: Inizia la campagna",
        "Liberi: Eftaliti, Kushana, Sasanidi, Vandali. La pagina seguente chiede chi gioca",
    )


def test_a_battle_and_the_desk(grand_table: GrandTable) -> None:  # noqa: F811
    attack_independents(grand_table)
    says(italian(grand_table, "stranger", "battles/"), "1 da risolvere", "attacco coperto, giro 1")
    says(
        italian(grand_table, "gm", "b/1/"),
        "Battaglia 1 · giro 1",
        "Parte B: Vandali, Germanic Horse Tribes 260-492 AD, 1600 punti",
        "Sostituto per gli Unni Nome utente del sostituto",
        "Registro della battaglia",
    )
    says(
        italian(grand_table, "gm", "desk/"),
        "In attesa dei giocatori 2 compiti",
        "3 giocatori devono ancora terminare il turno, 1 battaglia è ancora da risolvere",
        "Apri il giro 2",
        "Rispondi…",
        "prossimo turno; poi Benedetto",
        "Annulla fino a una voce",
        "Manda un promemoria a Ingrid",
        "Passi del giro 1",
    )


def test_a_nation(grand_table: GrandTable) -> None:  # noqa: F811
    says(
        italian(grand_table, "hun", "n/huns/"),
        "2½ di 2½ azioni rimaste",
        "Le tue mosse",
        "Libro mastro",
    )
    says(italian(grand_table, "gm", "n/huns/"), "Mosse per gli Unni", "dall’arbitro")


def test_singular_and_plural() -> None:
    with override("it"):
        for singular, many, content in (
            ("%(n)s line", "%(n)s lines", ["1 riga", "2 righe"]),
            (
                "%(n)d player must still end their turn",
                "%(n)d players must still end their turns",
                [
                    "1 giocatore deve ancora terminare il turno",
                    "2 giocatori devono ancora terminare il turno",
                ],
            ),
        ):
            assert [ngettext(singular, many, n) % {"n": n} for n in (1, 2)] == content


def test_each_reader_gets_a_notice_in_their_own_language(grand_table: GrandTable) -> None:  # noqa: F811
    """The game master's undo, for the Hun who reads Italian and the Roman who reads English."""
    grand_table.play("gm", "adjust", nation="huns", account="income", change=5, reason="As ruled.")
    grand_table.play(
        "gm", "adjust", nation="romans", account="income", change=5, reason="As ruled."
    )
    services.undo_to(
        grand_table.campaign, grand_table.people["gm"], 6, "Twice.", grand_table.seen("gm")
    )
    shown = {}
    for who, language in (("hun", "it"), ("roman", "en")):
        with override(language), use_language(language):
            shown[who] = notices_in_words(notices.notices(grand_table.people[who])[:1])[0]
    assert (shown["hun"].title, shown["hun"].body) == (
        "Le mosse dopo la voce 6 sono state annullate",
        "Twice.",
    )
    assert (shown["roman"].title, shown["roman"].body) == (
        "The moves after entry 6 have been undone",
        "Twice.",
    )


@pytest.mark.parametrize("who", ["hun", "roman"])
def test_the_notices_page_has_the_language_of_the_account(
    grand_table: GrandTable,  # noqa: F811
    who: str,
) -> None:
    """The language of an account counts more than that of the browser."""
    user = grand_table.people[who]
    user.language = {"hun": "it", "roman": "en"}[who]
    user.save()
    grand_table.play(
        "gm", "adjust", nation=f"{who}s", account="income", change=5, reason="As ruled."
    )
    page = grand_table.text(who, "notices/")
    assert ("Una correzione ti riguarda" in page, "A correction concerns you" in page) == (
        who == "hun",
        who == "roman",
    )


def test_names_have_the_article_that_their_sentence_needs() -> None:
    huns, mine = Name.parse("Huns"), "Il mio <popolo>"
    assert sentence("The seat of {name:the}", name=huns) == "The seat of the Huns"
    with use_language("it"):
        huns = Name.parse("gli Unni")
        assert sentence("Il posto {name:di}", name=huns) == "Il posto degli Unni"
        assert sentence("{name:Il} attaccano", name=huns) == "Gli Unni attaccano"
        assert sentence("Il posto {name:di}", name=mine) == "Il posto di Il mio <popolo>"


def test_a_reason_with_signs_stays_as_typed() -> None:
    """Braces and percent signs that people type are not placeholders."""
    content = {"act": "undo", "after": 3, "reason": "{seat} 50%(n)s {0}"}
    with override("it"):
        assert (
            act_line(content, "Unni")
            == "L’arbitro annulla ogni mossa dopo la voce 3: {seat} 50%(n)s {0}"
        )
        assert (
            act_line({"act": "seat", "how": "taken"}, "{user} %s")
            == "{user} %s: il posto è occupato."
        )
