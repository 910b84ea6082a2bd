"""The acts by which people write to each other: talk, proclamations, links to a forum."""

from __future__ import annotations

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from campaign.log.acts.declaration import Act, LineFacts
from engine.language import sentence


def _talk_line(act: LineFacts) -> str:
    return sentence(_("{seat}: “{text}”"), seat=act.seat, text=act.content["text"])


TALK = Act(name="talk", line=_talk_line, public=frozenset({"text"}), is_linked=False)
"""A seat writes to everyone."""


def _press_line(act: LineFacts) -> str:
    headline, text = act.content["headline"], act.content["text"]
    line = _("{seat}: proclamation “{headline}”. {text}")
    return sentence(line, seat=act.seat, headline=headline, text=text)


PRESS = Act(name="press", line=_press_line, public=frozenset({"text"}), is_linked=False)
"""A seat publishes a proclamation."""


def _link_line(act: LineFacts) -> str:
    text = (
        _("Entry %(entry)s is on the forum: %(url)s")
        if act.content["url"]
        else _("Entry %(entry)s no longer has a link.")
    )
    return text % act.content


LINK = Act(name="link", line=_link_line, public=frozenset({"entry", "url"}), is_linked=False)
"""A user links an entry to its post on a forum, or takes the link back with an empty `url`."""


SIGHTS = {
    "all": gettext_lazy("The game master reads every message"),
    "reported": gettext_lazy(
        "The game master reads what is addressed to them, and messages that are reported"
    ),
    "addressed": gettext_lazy("The game master reads only what is addressed to them"),
}
"""The rules for the game master's access to messages between seats, the widest first.

See `campaign.founding`.
"""


def _sight_line(act: LineFacts) -> str:
    text = _("The rule for messages changes. From now on: %(rule)s.")
    return text % {"rule": SIGHTS[act.how]}


SIGHT = Act(name="sight", line=_sight_line, public=frozenset())
"""The game master changes what they may read of messages: `how` is a key of `SIGHTS`."""
