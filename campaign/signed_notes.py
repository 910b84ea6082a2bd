"""What a report says of the game master's acts for his own seat: `settings.REPORT_NOTES`."""

from __future__ import annotations

import re
from collections.abc import Sequence

from django.utils.translation import gettext as _

from campaign import countersigned
from campaign.models import Campaign, LogEntry
from engine.report import Block, Contents, Paragraph, Span

OF_ENTRY = re.compile(r"(?:undo|restore)-([0-9]{1,9})", re.ASCII)


def noted(campaign: Campaign, item: Contents) -> Sequence[Block]:
    """Each such entry of a turn that stands, or the undo that is reported: who has countersigned it, who objects and why.

    Two queries for a report that may have something to say, one where there is nothing.
    """
    found = OF_ENTRY.fullmatch(item.key)
    if not found and item.kind != "turn":
        return ()
    asked = campaign.entries.filter(kind=LogEntry.Kind.TABLE, act=countersigned.OWN, target__struck_by=None)
    asked = asked.filter(target__number=int(found[1])) if found else asked.filter(turn=item.turn)
    entries = list(countersigned.marked(campaign.entries.filter(pk__in=asked.values("target"))).order_by("sequence"))
    if not entries:
        return ()
    marks, _nobody = countersigned.names(campaign, entries, ())
    made: list[Block] = []
    for entry in entries:
        mark = marks[entry.pk]
        made.append(_line(_told(mark.signed) % {"entry": entry.number, "names": ", ".join(mark.signed)}))
        for who, why in mark.objections:
            made.append(_line(_("%(who)s objects to entry %(entry)s: %(why)s") % {"who": who, "entry": entry.number, "why": why}))
    return made


def _told(signed: Sequence[str]) -> str:
    if signed:
        return _("Entry %(entry)s concerns the game master’s own nation; countersigned by %(names)s.")
    return _("Entry %(entry)s concerns the game master’s own nation; it is not countersigned.")


def _line(text: str) -> Paragraph:
    return Paragraph((Span(text, italic=True),))
