"""The beginning of a log, and the acts that change which moves are in force."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from campaign.log.acts.declaration import Act, Content, LineFacts
from campaign.log.acts.dice import with_new_dice
from engine.language import sentence


def _genesis_line(act: LineFacts) -> str:
    if "lesson" in act.content:
        text = _(
            "This is a lesson: its result counts nowhere, and everyone who takes it gets the same "
            "dice. Commitment: %(commitment)s."
        )
    elif "imported" in act.content:
        text = _(
            "The terms of the campaign, which was imported from a record. Commitment of its first "
            "dice: %(commitment)s."
        )
    elif "again" in act.content:
        text = _(
            "The terms of the campaign, with the dice of an earlier one. Commitment of the"
            " dice: %(commitment)s."
        )
    else:
        text = _("The terms of the campaign. Commitment of the dice: %(commitment)s.")
    return text % act.content


def _begin_dice(row: Any, content: Content, seat: str, sequence: int) -> None:
    row.entered_dice, row.parked, row.mixing = dict(content.get("given", {})), None, {}


GENESIS = Act(
    name="genesis",
    line=_genesis_line,
    public=frozenset({"format", "options", "commitment", "imported", "chance"}),
    changes_position=True,
    changes_readings=True,
    concerns_dice=True,
    binds_texts=True,
    update_row=_begin_dice,
)
"""The first entry of a log: scenario, options and the commitment of the dice."""


def _undo_line(act: LineFacts) -> str:
    if act.content.get("own"):
        text = _own_undo_text(act.seat, act.content.get("moves", 1))
    else:
        text = _("The game master undoes every move after entry %(after)s: %(reason)s")
        text %= act.content
    return with_new_dice(text, act.content)


def _own_undo_text(seat: str, moves: int) -> str:
    if moves == 1:
        return sentence(_("{seat}: a move is taken back."), seat=seat)
    text = ngettext("{seat}: {n} move is taken back.", "{seat}: {n} moves are taken back.", moves)
    return sentence(text, seat=seat, n=str(moves))


UNDO = Act(
    name="undo",
    line=_undo_line,
    public=frozenset({"after", "reason", "own", "moves", "commitment"}),
    changes_position=True,
    changes_readings=True,
    concerns_dice=True,
    is_correction=True,
)
"""The game master strikes every move after an entry (`after`), or a seat its `own` last moves."""


def _restore_line(act: LineFacts) -> str:
    return _("The game master has restored what entry %(undo)s undid: %(reason)s") % act.content


RESTORE = Act(
    name="restore",
    line=_restore_line,
    public=frozenset({"undo", "reason", "commitment"}),
    changes_position=True,
    changes_readings=True,
    is_correction=True,
)
"""The game master puts the moves back that an undo has struck."""
