"""The acts on the campaign as a whole, by its game master or the host."""

from __future__ import annotations

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from campaign.log.acts.declaration import Act, Content, LineFacts
from campaign.log.acts.seats import PLACED
from engine.language import sentence

LIFE_TEXTS = {
    "paused": gettext_noop("The campaign is paused: no moves can be made until it is resumed."),
    "resumed": gettext_noop("The campaign goes on."),
    "abandoned": gettext_noop("The campaign is abandoned."),
    "revived": gettext_noop("The campaign is resumed."),
    "archived": gettext_noop("The campaign is moved to the archive."),
    "unarchived": gettext_noop("The campaign is taken out of the archive."),
}


def _life_line(act: LineFacts) -> str:
    reason = f" {act.content['reason']}" if "reason" in act.content else ""
    return _(LIFE_TEXTS[act.how]) + reason


LIFE = Act(
    name="life",
    line=_life_line,
    public=frozenset({"reason", "host"}),
    flags={
        "paused": ("paused", True),
        "resumed": ("paused", False),
        "abandoned": ("abandoned", True),
        "revived": ("abandoned", False),
        "archived": ("archived", True),
        "unarchived": ("archived", False),
    },
)
"""The game master pauses, abandons or archives the campaign, or takes that back."""

REMOVED = "removed"
HOST_TEXTS = {
    "suspended": gettext_noop(
        "The host suspends the campaign: no one can read it or move in it until the host ends the "
        "suspension."
    ),
    "unsuspended": gettext_noop("The host ends the suspension: the campaign goes on."),
    "hidden": gettext_noop("The host takes the campaign out of all lists."),
    "shown": gettext_noop("The host puts the campaign back into the lists."),
    "rekeyed": gettext_noop(
        "The host changes the key that seals the dice. To do this, the program reads every sealed "
        "seed."
    ),
    "erased": gettext_noop(
        "A person has left for good, and is called “a former player” from now on."
    ),
    "closed": gettext_noop("A person’s account has been closed: they no longer play here."),
}
REMOVAL_TEXTS = {
    "name": gettext_noop("The host’s moderator removes the name of the campaign: {reason}"),
    "lobby": gettext_noop("The host’s moderator removes the words of the lobby: {reason}"),
    "evidence": gettext_noop("The host’s moderator removes a piece of evidence: {reason}"),
    "flavour": gettext_noop("The host’s moderator removes a text from a report: {reason}"),
}
"""The texts for what a moderator removes outside the log."""


def _host_line(act: LineFacts) -> str:
    content = act.content
    if act.how == REMOVED:
        return _removal_text(content)
    return " ".join(filter(None, (_(HOST_TEXTS[act.how]), content.get("reason", ""))))


def _removal_text(content: Content) -> str:
    if "of" in content:
        text = REMOVAL_TEXTS[content["of"]]
        return sentence(_(text), reason=content["reason"])
    if "entry" in content:
        return sentence(
            _("The host’s moderator removes the text of entry {entry}: {reason}"), **content
        )
    return sentence(
        _("The host’s moderator removes the text of a hidden entry: {reason}"), **content
    )


HOST = Act(
    name="host",
    line=_host_line,
    public=frozenset({"reason", "user", "entry", "of"}),
    changes_readings=True,
    flags={
        "suspended": ("suspended", True),
        "unsuspended": ("suspended", False),
        "hidden": ("hidden", True),
        "shown": ("hidden", False),
    },
)
"""The host suspends, hides or rekeys the campaign, closes or erases an account, or a moderator of
the host removes a text (`removed`).
"""


def is_by_host(content: Content) -> bool:
    """Return whether the host has done this, by a command."""
    return content["act"] == HOST.name or content.get("how") == PLACED or bool(content.get("host"))
