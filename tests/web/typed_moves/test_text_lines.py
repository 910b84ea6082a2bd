"""Lines as players type them, with their meaning, written before the reader as its test.

After the bar is the move (`brief`), or `?` if the line is no possible move or is ambiguous: such a
line is never announced automatically. The test counts lines that are understood, offered as one
button, offered among several, missed, and misread, which must never happen.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import pytest

from games.kit.reading.lines import addressed, typed_lines
from tests.web.grand_table import GrandTable, campaign_in_huns_slot, new_campaign
from tests.web.typed_moves.test_text_moves import table_of
from web.typed_moves.reader import move_reader_at, speakers

__all__ = ["new_campaign"]
pytestmark = pytest.mark.django_db

ENGLISH = """
Tax exemption | tax-exemption
Tax exemption (½ action) | tax-exemption
We grant a tax exemption | tax-exemption
I'd like to grant a tax exemption please | tax-exemption
Romans: tax exemption | tax-exemption
tax exempton | tax-exemption
Tax increase | tax-increase
Raise taxes | tax-increase
we raise the taxes | tax-increase
Increase taxes | tax-increase
higher taxes | tax-increase
Gymnasia | build gymnasia
Build gymnasia | build gymnasia
gymnasia, half an action | build gymnasia
Shrines | build shrines
Shrines (1/2 action) | build shrines
I build shrines | build shrines
building shrines | build shrines
We will build the shrines | build shrines
construct shrines | build shrines
Shrine | build shrines
shirnes | build shrines
Bridges | build bridges
Bridges, 1 action | build bridges
then bridges | build bridges
Build bridges (1 action) | build bridges
Bridge building | build bridges
Siege train | siege-train
build a siege train | siege-train
Buy a siege train | siege-train
New siege train (1/2) | siege-train
we'd like another siege train | siege-train
seige train | siege-train
Fleet in Africa | fleet africa
Fleet Dalmatia | fleet dalmatia
Outfit fleet in Thracia | fleet thracia
Build a fleet in Sicilia | fleet sicilia
A new fleet for Macedonia | fleet macedonia
fleet: Asia | fleet asia
fleet at Italia Suburbicaria | fleet italia-suburbicaria
Ramparts in Thracia | fortify thracia
Ramparts Macedonia | fortify macedonia
Fortify Dalmatia | fortify dalmatia
I fortify Achaia | fortify achaia
fortification in Africa | fortify africa
build ramparts in Asia | fortify asia
fortifying Italia Annonaria with ramparts | fortify italia-annonaria
Dalmatia: ramparts | fortify dalmatia
Macedonia -> Moesia Prima, open battle | attack land macedonia moesia-prima
Macedonia → Moesia Prima | attack land macedonia moesia-prima
attack Moesia Prima from Macedonia | attack land macedonia moesia-prima
Attack Moesia Prima from Macedonia, flank march | attack land macedonia moesia-prima flank-march
I attack Moesia Secunda from Thracia, open battle | attack land thracia moesia-secunda
Land attack from Thracia on Moesia Secunda | attack land thracia moesia-secunda
Attacking Moesia Secunda from Thracia with a siege train | attack land thracia moesia-secunda train
attack from Asia against Cilicia - Remove the Head | attack land asia cilicia remove-the-head
Attack on Pontus from Asia (flank march) | attack land asia pontus flank-march
Asia => Cappadocia | attack land asia cappadocia
Asia to Cappadocia, flank march | attack land asia cappadocia flank-march
Africa attacks Tripolitania | attack land africa tripolitania
Africa vs Mauretania Caesariensis, open battle | attack land africa caesariensis
the legions of Africa march against Tripolitania | attack land africa tripolitania
invade Noricum from Italia Annonaria | attack land italia-annonaria noricum
Italia Annonaria > Noricum | attack land italia-annonaria noricum
We attack Burgundia out of Italia Annonaria, open | attack land italia-annonaria burgundia
Assault Viennensis from Italia Annonaria, siege train included | attack land italia-annonaria viennensis train
Dalmatia - Pannonia, flank march | attack land dalmatia pannonia flank-march
Attack Huns in Pannonia from Dalmatia | attack land dalmatia pannonia
Dalmatia -> Pannonia (Huns) | attack land dalmatia pannonia
attack Panonia from Dalmatia | attack land dalmatia pannonia
Attack Cyrenaica from Achaia by sea | attack amphibious achaia cyrenaica
Amphibious attack Achaia -> Cyrenaica, open battle | attack amphibious achaia cyrenaica
amphibious assault on Cyrenaica from Achaia with siege train | attack amphibious achaia cyrenaica train
Independent attack from Armenia against Mesopotamia (Sassanids) | attack independent armenia mesopotamia
Covert attack: Hira -> Susiana | attack independent hira susiana
covert attack on Carpetania from Gallaecia, flank march | attack independent gallaecia carpetania flank-march
Covert attack by Tarraconensis on Carthaginiensis (Vandals) | attack independent tarraconensis carthaginiensis
covert op from Margiana vs Oxiana, open battle | attack independent margiana oxiana
independents of Surasena attack Madra, open battle | attack independent surasena madra
Diplomat: truce with the Huns | play diplomat huns
Diplomat: 2 turn truce with the Huns | play diplomat huns
Play Diplomat, truce with the Vandals | play diplomat vandals
truce with the Kushans (Diplomat) | play diplomat kushans
We use our Diplomat for a truce with the Sassanids | play diplomat sassanids
Diplomat on Viennensis | play diplomat viennensis
Play Diplomat: Aegyptus | play diplomat aegyptus
Spy on the Vandals: steal Naval Technology | play spy vandals naval-technology
Spy against the Sassanids, steal their Spy | play spy sassanids spy
play the spy card on the Kushans and take the Diplomat | play spy kushans diplomat
Traitor in Pannonia | play traitor pannonia
Traitor card on Pannonia | play traitor pannonia
Local Insurrection in Acatziri | play local-insurrection acatziria
Insurrection in Tocharistan, open battle | play local-insurrection tocharistan
put Spy on the table | offer spy
Offer Traitor for trade | offer traitor
Diplomat goes on the table | offer diplomat
Trade: Local Insurrection | offer local-insurrection
End of slot | end-slot
end slot | end-slot
End my slot | end-slot
That's the end of my slot. | end-slot
I'm done, end of slot | end-slot
Finish slot | end-slot
pass | end-slot
attack Moesia Prima | ?
attack Pannonia | ?
fleet | ?
Moesia Prima -> Macedonia | ?
from Moesia Prima attack Macedonia | ?
attack Macedonia from Thracia | ?
Should we attack Pannonia from Dalmatia? | ?
I will not attack Pannonia from Dalmatia | ?
Shrines or bridges | ?
no tax exemption this time | ?
If Devika agrees, truce with the Kushans | ?
Fleet in Achaia | ?
Nice turn everybody! | ?
I attacked Pannonia from Dalmatia last turn | ?
Attack Pannonia from Italia Annonaria or Dalmatia | ?
Baths | ?
"""  # noqa: E501

ITALIAN = """
Esenzione fiscale | tax-exemption
esenzione fiscale, mezza azione | tax-exemption
Concediamo un'esenzione fiscale | tax-exemption
Concedo l'esenzione fiscale | tax-exemption
Aumento le tasse | tax-increase
Aumento delle tasse | tax-increase
aumentiamo le tasse | tax-increase
Ginnasi | build gymnasia
Costruisco i ginnasi | build gymnasia
costruzione dei Ginnasi (½ azione) | build gymnasia
Sacelli | build shrines
costruiamo sacelli | build shrines
Costruire Sacelli | build shrines
Ponti | build bridges
Ponti, 1 azione | build bridges
poi ponti | build bridges
Parco d'assedio | siege-train
Costruisco un parco d'assedio | siege-train
un nuovo parco d’assedio | siege-train
parco dassedio | siege-train
Flotta in Africa | fleet africa
Allestisco una flotta in Thracia | fleet thracia
una flotta nuova a Sicilia | fleet sicilia
flotta Dalmatia | fleet dalmatia
Fortifico Dalmatia | fortify dalmatia
fortifichiamo la Macedonia | fortify macedonia
Terrapieni in Thracia | fortify thracia
Attacco Moesia Prima da Macedonia | attack land macedonia moesia-prima
attacco la Moesia Secunda dalla Thracia, battaglia campale | attack land thracia moesia-secunda
Macedonia -> Moesia Prima, marcia sul fianco | attack land macedonia moesia-prima flank-march
Attacchiamo Pannonia dalla Dalmatia | attack land dalmatia pannonia
attaccare Noricum da Italia Annonaria | attack land italia-annonaria noricum
attacco terrestre da Asia contro Cilicia | attack land asia cilicia
Attacco Pontus da Asia con un parco d'assedio | attack land asia pontus train
attacco anfibio da Achaia su Cyrenaica | attack amphibious achaia cyrenaica
Attacco clandestino da Hira contro Susiana | attack independent hira susiana
attacco clandestino di Armenia su Mesopotamia (Sasanidi) | attack independent armenia mesopotamia
Africa attacca Tripolitania | attack land africa tripolitania
Diplomatico: tregua con gli Unni | play diplomat huns
Gioco Diplomatico, tregua con i Vandali | play diplomat vandals
tregua con i Kushana (Diplomatico) | play diplomat kushans
Spia contro i Vandali: Tecnologia navale | play spy vandals naval-technology
Traditore in Pannonia | play traitor pannonia
Insurrezione locale in Acatziri | play local-insurrection acatziria
Metto Spia sul tavolo | offer spy
Diplomatico sul tavolo | offer diplomat
Fine fase | end-slot
fine della fase | end-slot
Termino la fase | end-slot
passo | end-slot
Romani: fine della fase | end-slot
esenzone fiscale | tax-exemption
attacco Panonia dalla Dalmatia | attack land dalmatia pannonia
Attacco Pannonia | ?
non attacco Pannonia dalla Dalmatia | ?
Sacelli o ponti | ?
Moesia Prima -> Macedonia | ?
Bel turno a tutti! | ?
Attacchiamo la Pannonia dalla Dalmatia? | ?
se Devika vuole, tregua con i Kushana | ?
"""


GERMAN = """
Steuererlass | tax-exemption
Wir gewähren einen Steuererlass | tax-exemption
Wir erhöhen die Steuern | tax-increase
Steuern erhöhen | tax-increase
Gymnasien | build gymnasia
Wir bauen Gymnasien | build gymnasia
Ich baue Schreine | build shrines
Schreine, eine halbe Aktion | build shrines
Brücken (1 Aktion) | build bridges
Dann bauen wir die Brücken | build bridges
Belagerungspark | siege-train
Belagerungszug | siege-train
Baue einen neuen Belagerungspark | siege-train
Flotte in Africa | fleet africa
Eine neue Flotte in Sicilia | fleet sicilia
Wir rüsten in Dalmatia eine Flotte aus | fleet dalmatia
Wälle in Thracia | fortify thracia
Befestige Dalmatia | fortify dalmatia
Wir befestigen Achaia | fortify achaia
Macedonia -> Moesia Prima, offene Feldschlacht | attack land macedonia moesia-prima
Landangriff von Macedonia auf Moesia Prima | attack land macedonia moesia-prima
Angriff von Macedonia auf Moesia Prima | attack land macedonia moesia-prima
Wir greifen Moesia Prima von Macedonia aus an | attack land macedonia moesia-prima
Angriff auf Moesia Secunda von Thracia aus, Flankenmarsch | attack land thracia moesia-secunda flank-march
Angriff aus Asia gegen Cilicia | attack land asia cilicia
Greife Pontus von Asia aus mit einem Belagerungspark an | attack land asia pontus train
Africa greift Tripolitania an | attack land africa tripolitania
Amphibischer Angriff von Achaia auf Cyrenaica | attack amphibious achaia cyrenaica
Verdeckter Angriff von Hira auf Susiana | attack independent hira susiana
Diplomat: Waffenstillstand mit den Hunnen | play diplomat huns
Verräter in Pannonia | play traitor pannonia
Lokaler Aufstand in Acatziri | play local-insurrection acatziria
Spion auf den Tisch | offer spy
Zug beenden | end-slot
Ich beende den Zug | end-slot
Pannonia nicht von Dalmatia aus angreifen | ?
Schreine oder Brücken | ?
Greifen wir Pannonia von Dalmatia aus an? | ?
kein Steuererlass | ?
Wenn Devika will, Waffenstillstand mit den Kuschana | ?
Ein schöner Zug! | ?
"""  # noqa: E501

SPANISH = """
Exención de impuestos | tax-exemption
Concedemos una exención de impuestos | tax-exemption
Subimos los impuestos | tax-increase
Subida de impuestos | tax-increase
Gimnasios | build gymnasia
Construyo los gimnasios | build gymnasia
Construimos sagrarios | build shrines
Sagrarios, media acción | build shrines
Puentes (1 acción) | build bridges
Luego los puentes | build bridges
Tren de asedio | siege-train
Un nuevo tren de asedio | siege-train
Flota en Africa | fleet africa
Una flota nueva en Sicilia | fleet sicilia
Equipamos una flota en Dalmatia | fleet dalmatia
Fortifico Dalmatia | fortify dalmatia
Fortificamos la Macedonia | fortify macedonia
Fortificar Achaia | fortify achaia
Macedonia -> Moesia Prima, batalla campal | attack land macedonia moesia-prima
Ataque terrestre desde Macedonia contra Moesia Prima | attack land macedonia moesia-prima
Ataco Moesia Prima desde Macedonia | attack land macedonia moesia-prima
Atacamos la Moesia Secunda desde Thracia, marcha de flanco | attack land thracia moesia-secunda flank-march
Ataque desde Asia contra Cilicia | attack land asia cilicia
Ataco Pontus desde Asia con un tren de asedio | attack land asia pontus train
Africa ataca Tripolitania | attack land africa tripolitania
Ataque anfibio desde Achaia contra Cyrenaica | attack amphibious achaia cyrenaica
Ataque encubierto de Hira contra Susiana | attack independent hira susiana
Diplomático: tregua con los hunos | play diplomat huns
Espía contra los vándalos: Tecnología naval | play spy vandals naval-technology
Traidor en Pannonia | play traitor pannonia
Insurrección local en Acatziri | play local-insurrection acatziria
Espía sobre la mesa | offer spy
Fin de la fase | end-slot
Terminamos la fase | end-slot
No ataco Pannonia desde Dalmatia | ?
Sagrarios o puentes | ?
¿Atacamos Pannonia desde Dalmatia? | ?
sin exención de impuestos | ?
Si Devika quiere, tregua con los kushana | ?
¡Buena fase! | ?
"""  # noqa: E501


def cases(text: str) -> Iterator[tuple[str, str]]:
    for line in text.strip().splitlines():
        typed, _bar, meant = line.rpartition(" | ")
        yield typed, meant


def brief(raw: Mapping[str, Any]) -> str:
    """Return a short form of a move: its name and choices, without its actor."""
    keys = ("kind", "card", "structure", "from", "target", "province", "truce", "steal", "battle")
    kept = [str(raw[key]) for key in keys if raw.get(key) and raw[key] != "open"]
    return " ".join([str(raw["move"]), *kept, *(["train"] if raw.get("siege_train") else [])])


@pytest.fixture
def romans(new_campaign: Callable[..., GrandTable]) -> GrandTable:
    """Return a campaign in the slot of the Romans, with cards, a siege train and a fleet.

    They have four cards; the fleet is in Achaia.
    """

    def equipped(grand_table: GrandTable) -> None:
        grand_table.slot_to("romans")
        for card in ("diplomat", "spy", "traitor", "local-insurrection"):
            grand_table.play("gm", "give-card", nation="romans", card=card, reason="For the lines.")
        grand_table.play(
            "gm",
            "set-assets",
            nation="romans",
            barracks=True,
            siege_trains=1,
            reason="For the lines.",
        )
        grand_table.play("gm", "set-fleet", province="achaia", fleet=True, reason="For the lines.")

    return campaign_in_huns_slot(new_campaign, "romans-lines", equipped)


def judged(table: Any, text: str) -> dict[str, list[str]]:
    names, move_reader = speakers(table), move_reader_at(table, "romans", "romans")
    rates: dict[str, list[str]] = {
        "understood": [],
        "button": [],
        "among": [],
        "missed": [],
        "misread": [],
        "silent": [],
    }
    for typed, meant in cases(text):
        (line,) = typed_lines(typed)
        reading = move_reader.read(addressed(line, names)[1])
        offered = [brief(move_reader.read(line).raw or {"move": "?"}) for line in reading.near]
        if reading.raw is not None:
            how = "understood" if brief(reading.raw) == meant else "misread"
        elif meant == "?":
            how = "silent"
        else:
            how = "button" if offered == [meant] else "among" if meant in offered else "missed"
        rates[how].append(f"{typed} | {meant} | {brief(reading.raw) if reading.raw else offered}")
    return rates


@pytest.mark.parametrize(
    ("text", "count", "at_least"),
    [(ENGLISH, 120, 94), (ITALIAN, 60, 48), (GERMAN, 41, 31), (SPANISH, 40, 31)],
)
def test_lines_in_players_words(romans: GrandTable, text: str, count: int, at_least: int) -> None:
    """At least nine in ten lines with a move are understood or offered as one button.

    None is misread.
    """
    assert len(list(cases(text))) == count
    assert not [line for line, n in Counter(cases(text)).items() if n > 1]
    rates = judged(table_of(romans), text)
    assert rates["misread"] == []
    assert len(rates["understood"]) + len(rates["button"]) >= at_least, (
        rates["missed"] + rates["among"]
    )
