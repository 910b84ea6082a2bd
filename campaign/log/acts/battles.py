"""The acts on a battle. The title words the result that a claim or a judgment names."""

from __future__ import annotations

from django.utils.translation import gettext as _

from campaign.log.acts.declaration import Act, LineFacts
from engine.language import sentence


def _line(act: LineFacts, text: str) -> str:
    content = act.content
    return sentence(
        text,
        seat=act.seat,
        battle=content["battle"],
        result=(act.move.partition(": ")[2] or act.move).rstrip("."),
        reason=content.get("reason", ""),
        hash=str(content.get("sha256", ""))[:12],
    ).strip()


def _set_up_line(act: LineFacts) -> str:
    return _line(act, _("{seat:The} {seat:have|has} set up battle #{battle}."))


SET_UP = Act(name="set-up", line=_set_up_line, public=frozenset({"battle"}))
"""A player has set the battle up in the other game."""


def _claim_line(act: LineFacts) -> str:
    return _line(act, _("{seat:The} {seat:claim|claims} a result for battle #{battle}: {result}."))


CLAIM = Act(name="claim", line=_claim_line, public=frozenset({"battle", "move"}), names_move=True)
"""A player claims a result: `move` is the move that would enter it."""


def _withdraw_claim_line(act: LineFacts) -> str:
    return _line(act, _("{seat:The} {seat:withdraw|withdraws} the claim for battle #{battle}."))


WITHDRAW_CLAIM = Act(
    name="withdraw-claim", line=_withdraw_claim_line, public=frozenset({"battle", "claim"})
)


def _confirm_line(act: LineFacts) -> str:
    if act.content.get("unopposed"):
        return _line(
            act,
            _(
                "{seat}: no one disputed the claim for battle #{battle} in time, so it is"
                " confirmed."
            ),
        )
    return _line(act, _("{seat:The} {seat:confirm|confirms} the result of battle #{battle}."))


CONFIRM = Act(
    name="confirm", line=_confirm_line, public=frozenset({"battle", "claim", "unopposed"})
)
"""The other side confirms a claim, or a clock does (`unopposed`)."""


def _dispute_line(act: LineFacts) -> str:
    if act.content.get("move"):
        text = _(
            "{seat:The} {seat:dispute|disputes} the claim for battle #{battle}. Their version:"
            " {result}. {reason}"
        )
    else:
        text = _("{seat:The} {seat:dispute|disputes} the claim for battle #{battle}: {reason}")
    return _line(act, text)


DISPUTE = Act(
    name="dispute",
    line=_dispute_line,
    public=frozenset({"battle", "claim", "reason", "move"}),
    names_move=True,
)
"""The other side disputes a claim, and may say with `move` what the result was."""


def _judge_line(act: LineFacts) -> str:
    return _line(act, _("The game master judges battle #{battle}: {result}. {reason}"))


JUDGE = Act(
    name="judge",
    line=_judge_line,
    public=frozenset({"battle", "claim", "move", "applied", "reason"}),
    names_move=True,
    is_correction=True,
)
"""The game master applies a claim (`applied`) or enters another result."""


def _agree_line(act: LineFacts) -> str:
    if act.content["yes"]:
        text = _(
            "{seat:The} {seat:agree|agrees} to play battle #{battle} as a naval battle in Mare"
            " Nostrum."
        )
    else:
        text = _(
            "{seat:The} no longer {seat:agree|agrees} to play battle #{battle} as a naval battle in"
            " Mare Nostrum."
        )
    return _line(act, text)


AGREE = Act(name="agree", line=_agree_line, public=frozenset({"battle", "to", "yes"}))
"""A seat agrees to another way of fighting, or no longer does."""


def _unagreed_line(act: LineFacts) -> str:
    return _line(
        act,
        _(
            "The game master judges battle #{battle} as a naval battle in Mare Nostrum without the"
            " agreement of both players: {reason}"
        ),
    )


UNAGREED = Act(
    name="unagreed",
    line=_unagreed_line,
    public=frozenset({"battle", "to", "reason"}),
    is_correction=True,
)
"""The game master enters a result for which both sides should have agreed."""


def _evidence_line(act: LineFacts) -> str:
    if act.content.get("bytes"):
        text = _("{seat}: a picture as evidence for battle #{battle}, SHA-256 {hash}…")
    else:
        text = _("{seat}: a link as evidence for battle #{battle}, SHA-256 {hash}…")
    return _line(act, text)


EVIDENCE = Act(name="evidence", line=_evidence_line, public=frozenset({"battle"}))
"""A picture or a link that shows the result."""


def _solo_line(act: LineFacts) -> str:
    content = act.content
    if "level" in content and act.how == "ended":
        text = _("Battle #{battle} is no longer played solo: no program plays {seat:the} any more.")
    elif "level" in content:
        text = _(
            "A program plays {seat:the}: the opponent plays battle #{battle} solo, on empire"
            " difficulty."
        )
    elif act.how == "ended":
        text = _("Battle #{battle} is played by both sides again: {seat:the} {seat:are|is} back.")
    else:
        text = _(
            "{seat:The} {seat:are|is} away: their opponent plays battle #{battle} solo, on empire"
            " difficulty."
        )
    return sentence(text, seat=act.seat, battle=content["battle"])


SOLO = Act(name="solo", line=_solo_line, public=frozenset({"battle", "level"}))
"""A battle is played solo (`agreed`) because its seat is away or a program of a `level` plays the
seat, or no longer (`ended`). RULES 11 of the Grand Campaign.
"""
