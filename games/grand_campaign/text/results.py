"""Results of battles in words (9.1)."""

from __future__ import annotations

from collections.abc import Mapping

from engine.language import gettext as _
from games.contract.battles import ResultInWords
from games.contract.plain import Known, RawMove
from games.grand_campaign.rules.attacks import NAVAL
from games.grand_campaign.rules.scenario import Scenario
from games.grand_campaign.text.battles import side_name
from games.grand_campaign.text.verdicts import Pair, Verdict, share, verdict, written

SIDES = ("attacker", "defender")


def names_of_sides(scenario: Scenario, known: Known) -> Pair:
    """Return the names of attacker and defender."""
    attacker, defender = (side_name(scenario, known, side) for side in SIDES)
    return attacker, defender


def result_in_words(scenario: Scenario, known: Known, raw: RawMove) -> ResultInWords:
    """Return the result that a move would enter."""
    names = names_of_sides(scenario, known)
    if "routed" in raw:
        return _shares_in_words(scenario, names, raw["routed"])
    if raw.get("called_off"):
        return ResultInWords(
            sentence=_("Called off: a draw."),
            because=_("no close combat in the first 6 turns"),
            rule="9.1",
        )
    winner = str(raw.get(NAVAL) or raw.get("winner") or "draw")
    text = Verdict(winner, False, "").sentence(names)
    if NAVAL in raw:
        return ResultInWords(sentence=text, because=_("in the naval battle"), rule="8.2")
    return ResultInWords(sentence=text, because=_("as the game reported it"), rule="9.1")


def _shares_in_words(
    scenario: Scenario, names: Pair, routed: Mapping[str, object]
) -> ResultInWords:
    own, enemy = (share(str(routed[side])) for side in SIDES)
    assert own is not None
    assert enemy is not None
    outcome = verdict(scenario, own, enemy, names)
    return ResultInWords(
        sentence=outcome.sentence(names),
        because=outcome.why,
        rule="9.1",
        shares=((names[0], written(own)), (names[1], written(enemy))),
    )
