"""The life of a battle in stages, from the challenge to the applied result.

Independents do not answer (7.9). A battle that has lapsed ends there. A result that the game master
enters needs no claim. If a model decides the battle, no one sets it up, plays it or claims its
result.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from engine.language import gettext as _
from engine.language import pgettext
from games.contract.battles import BattleStage
from games.contract.plain import Known

DONE, NOW, LATER = "done", "now", ""
ENDED_BEFORE_BATTLE = ("withdrawn", "naval-repulse", "lapsed")


@dataclass(frozen=True, slots=True)
class Moments:
    """The times at which a battle reached its stages.

    `claim` is the state of its claim; `closer` is the player who answered the claim.
    """

    launched: datetime | None = None
    answered: datetime | None = None
    set_up: datetime | None = None
    claimed: datetime | None = None
    claimant: str = ""
    claim: str = ""
    closed: datetime | None = None
    closer: str = ""
    resolved: datetime | None = None


def timeline(
    known: Known, moments: Moments, challenger: str, result: str, *, by_model: bool = False
) -> list[BattleStage]:
    """Return the stages of a battle; `result` is its state in words."""
    steps, over = [_launched(known, moments, challenger)], known["status"] == "resolved"
    if known["defender"]:
        steps.append(_answered(known, moments))
    if known["outcome"] not in ENDED_BEFORE_BATTLE:
        steps += [_modelled(known)] if by_model else _fought(known, moments)
    name = pgettext("battle stages", "Lapsed") if known["outcome"] == "lapsed" else _("Applied")
    note, state = (result, DONE) if over else ("", LATER)
    return [*steps, BattleStage(name, note, moments.resolved, state)]


def _launched(known: Known, moments: Moments, challenger: str) -> BattleStage:
    name = _("Challenged") if known["defender"] else _("Launched")
    return BattleStage(name, challenger, moments.launched, DONE)


def _answered(known: Known, moments: Moments) -> BattleStage:
    answers = {"accept": _("accepted"), "withdraw": _("withdrawn"), "escort": _("escort attempted")}
    text, is_awaited = answers.get(known["answer"] or "", ""), known["status"] == "challenged"
    if not known["answer"] and not is_awaited:
        return BattleStage(_("Answered"), _("not needed"), None, DONE)
    state = NOW if is_awaited else DONE
    return BattleStage(_("Answered"), text or _("awaited"), moments.answered, state)


def _modelled(known: Known) -> BattleStage:
    """Return the stage in which a model decides the battle."""
    states = {"challenged": LATER, "fighting": NOW}
    name = pgettext("battle stages", "Decided by the model")
    return BattleStage(name, "", None, states.get(known["status"], DONE))


def _fought(known: Known, moments: Moments) -> list[BattleStage]:
    """Return the stages from the set-up to the confirmation."""
    over = known["status"] == "resolved"
    steps = [_set_up(known, moments)] if moments.set_up or not over else []
    steps.append(_in_play(known, moments))
    if moments.claim or not over:
        steps += [_claimed(moments), _closed(moments)]
    return steps


def _set_up(known: Known, moments: Moments) -> BattleStage:
    is_awaited = known["status"] == "fighting" and not moments.set_up and not moments.claim
    state = DONE if moments.set_up or moments.claim else NOW if is_awaited else LATER
    return BattleStage(_("Set up"), _("awaited") if is_awaited else "", moments.set_up, state)


def _in_play(known: Known, moments: Moments) -> BattleStage:
    if known["status"] == "resolved" or moments.claim:
        state = DONE
    else:
        state = NOW if known["status"] == "fighting" and moments.set_up else LATER
    return BattleStage(
        pgettext("battle stages", "In play"), _("at sea") if known["naval"] else "", None, state
    )


def _claimed(moments: Moments) -> BattleStage:
    state = NOW if moments.claim == "open" else DONE if moments.claim else LATER
    return BattleStage(
        pgettext("battle stages", "Claimed"), moments.claimant, moments.claimed, state
    )


def _closed(moments: Moments) -> BattleStage:
    """Return the stage in which the claim was answered."""
    closings = {
        "disputed": (pgettext("battle stages", "Disputed"), NOW),
        "judged": (pgettext("battle stages", "Judged"), DONE),
        "confirmed": (pgettext("battle stages", "Confirmed"), DONE),
    }
    if moments.claim not in closings:
        return BattleStage(pgettext("battle stages", "Confirmed"), "", None, LATER)
    name, state = closings[moments.claim]
    return BattleStage(name, moments.closer, moments.closed, state)
