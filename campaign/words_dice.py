"""What the log says of dice that are thrown elsewhere."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _

from engine.sentence import sentence

DIE = "die"


def die_line(act: Mapping[str, Any], seat_name: str, meant: str) -> str:
    """One line; `meant` is the parked move in the title's words."""
    match act["how"]:
        case "by-hand":
            return _("From now on dice are thrown elsewhere and entered by hand.")
        case "by-program":
            return _("From now on the program throws the dice again.")
        case "parked":
            return sentence(
                _("{seat}: {move}. It waits for a die: {purpose}."), seat=seat_name, move=meant, purpose=act["purpose"]
            )
        case "given":
            text = (
                _("Thrown elsewhere: %(purpose)s is %(value)s. Seen at %(url)s")
                if act["url"]
                else _("Thrown elsewhere: %(purpose)s is %(value)s.")
            )
            return text % act
        case _dropped:
            text = _("{seat}: what waited for a die is taken back. {reason}")
            return sentence(text, seat=seat_name, reason=act["reason"]).strip()
