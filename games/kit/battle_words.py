"""Plain words for the battles of any title."""

from __future__ import annotations

from engine.language import capitalize, inside_sentence, pgettext, plain_name
from engine.language import gettext as _
from games.contract.battles import BattleWords, WithBattles
from games.contract.plain import Known
from games.contract.title import Title


class PlainBattleWords:
    """Plain words for every title; a title may have its own (`WithBattles`)."""

    def kind_word(self, known: Known) -> str:
        return (
            inside_sentence(plain_name(str(known["kind"]))) if known.get("kind") else _("contest")
        )

    def where(self, scenario: object, known: Known) -> str:
        """Return "source → target", or whichever of the two is known."""
        source, target = (plain_name(str(known.get(key) or "")) for key in ("source", "target"))
        return f"{source} → {target}" if source and target else source or target

    def side_name(self, scenario: object, known: Known, side: str) -> str:
        named = known.get(side) or known.get("target")
        return plain_name(str(named)) if named else capitalize(pgettext("battle words", "no one"))

    def side_nation(self, known: Known, side: str) -> str:
        return str(known.get(side) or "independent")

    def state_word(self, scenario: object, known: Known) -> tuple[str, str]:
        """Return the state in a word or two, and its tone."""
        if known.get("status") == "resolved":
            return plain_name(str(known["outcome"])) if known.get("outcome") else pgettext(
                "state", "Resolved"
            ), "good"
        return plain_name(str(known["status"])) if known.get("status") else pgettext(
            "state", "Running"
        ), ""


PLAIN = PlainBattleWords()


def battle_words(title: Title) -> BattleWords:
    """Return the title's own words for battles, or the plain ones."""
    return title.battle_words if isinstance(title, WithBattles) else PLAIN
