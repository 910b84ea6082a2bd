"""The acts on the rules, and the countersignatures under acts of the game master."""

from __future__ import annotations

from django.utils.translation import gettext as _

from campaign.log.acts.declaration import Act, LineFacts
from engine.language import sentence


def _ruling_line(act: LineFacts) -> str:
    content = act.content
    if content["rule"] and content["revises"]:
        return _("Ruling %(ruling)s on §%(rule)s, revised: %(text)s") % content
    if content["rule"]:
        return _("Ruling %(ruling)s on §%(rule)s: %(text)s") % content
    if content["revises"]:
        return _("Ruling %(ruling)s, revised: %(text)s") % content
    return _("Ruling %(ruling)s: %(text)s") % content


RULING = Act(
    name="ruling",
    line=_ruling_line,
    public=frozenset({"ruling", "rule", "text", "entry", "revises"}),
)
"""The game master decides how a rule is to be read."""


def _amendment_line(act: LineFacts) -> str:
    content, reason = act.content, act.content.get("reason", "")
    match act.how:
        case "proposed":
            text = _(
                "The game master proposes amendment %(amendment)s of the rules, from turn %(turn)s:"
                " %(reason)s"
            )
            return text % content
        case "withdrawn":
            return _("The game master withdraws amendment %(amendment)s.") % content
        case "agreed":
            text = (
                _("{seat}: in favour of amendment {n}. {why}")
                if reason
                else _("{seat}: in favour of amendment {n}.")
            )
        case _refused:
            text = (
                _("{seat}: against amendment {n}. {why}")
                if reason
                else _("{seat}: against amendment {n}.")
            )
    return sentence(text, seat=act.seat, n=str(content["amendment"]), why=reason)


AMENDMENT = Act(
    name="amendment",
    line=_amendment_line,
    public=frozenset({"amendment", "rules", "reason", "need", "turn"}),
)
"""The game master proposes a change of the rules (`proposed`) or takes it back (`withdrawn`); seats
answer (`agreed`, `refused`).
"""


def _own_account_line(act: LineFacts) -> str:
    text = _(
        "Entry %(entry)s concerns the game master’s own nation: someone else is asked to "
        "countersign it."
    )
    return text % act.content


OWN_ACCOUNT = Act(name="own-account", line=_own_account_line, public=frozenset({"entry"}))
"""An entry concerns its game master's own seats."""


def _countersign_line(act: LineFacts) -> str:
    return _("Entry %(entry)s is countersigned.") % act.content


COUNTERSIGN = Act(name="countersign", line=_countersign_line, public=frozenset({"entry"}))


def _object_line(act: LineFacts) -> str:
    return _("Objection to entry %(entry)s: %(reason)s") % act.content


OBJECT = Act(name="object", line=_object_line, public=frozenset({"entry", "reason"}))
"""A user objects to an entry that may be countersigned."""

COUNTERSIGNATURES = frozenset({OWN_ACCOUNT.name, COUNTERSIGN.name, OBJECT.name})
"""The names of the acts under an entry."""
