"""The acts on clocks, and the words for lengths of time."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop, ngettext

from campaign.dates import written
from campaign.log.acts.declaration import Act, Content, LineFacts
from engine.language import sentence

LENGTHS = {
    "turn": gettext_noop("a turn may take %(length)s"),
    "slot": gettext_noop("the turn of one nation may take %(length)s"),
    "answer": gettext_noop("an answer may take %(length)s"),
    "battle": gettext_noop("a battle may take %(length)s"),
    "claim": gettext_noop("the confirmation of a claim may take %(length)s"),
    "words": gettext_noop("words for the dice can be added for %(length)s"),
}
NO_LIMIT = {
    "turn": gettext_noop("a turn has no time limit"),
    "slot": gettext_noop("the turn of one nation has no time limit"),
    "answer": gettext_noop("an answer has no time limit"),
    "battle": gettext_noop("a battle has no time limit"),
    "claim": gettext_noop("the confirmation of a claim has no time limit"),
    "words": gettext_noop("words for the dice have no time limit"),
}


def length_words(length: str) -> str:
    """Return a length in words: "3 days" for `3d`, "36 hours" for `36h`."""
    amount = int(length[:-1])
    if length.endswith("d"):
        return ngettext("%(amount)s day", "%(amount)s days", amount) % {"amount": amount}
    return ngettext("%(amount)s hour", "%(amount)s hours", amount) % {"amount": amount}


def _terms_line(act: LineFacts) -> str:
    terms = act.content["terms"]
    changed = "; ".join(_terms_text(kind, terms[kind]) for kind in act.content["changed"])
    return _("From now on, %(terms)s.") % {"terms": changed}


def _terms_text(kind: str, terms: Mapping[str, Any] | None) -> str:
    if terms is None:
        return _(NO_LIMIT[kind])
    text = _(LENGTHS[kind]) % {"length": length_words(terms["length"])}
    if terms.get("reminds", "both") != "both":
        reminded = (
            _("%(text)s, with a reminder only on the last day")
            if terms["reminds"] == "day"
            else _("%(text)s, without a reminder")
        )
        text = reminded % {"text": text}
    if not terms["acts"]:
        return (
            text
            if terms.get("asks", True)
            else _("%(text)s, and the game master is not asked afterwards") % {"text": text}
        )
    return _("%(text)s, and %(grace)s later the clock acts automatically") % {
        "text": text,
        "grace": length_words(terms["grace"]),
    }


def _note_terms(row: Any, content: Content, seat: str, sequence: int) -> None:
    row.clock_terms = content["terms"]


CLOCK_TERMS = Act(
    name="clock-terms",
    line=_terms_line,
    public=frozenset({"terms", "changed"}),
    begins_clocks=True,
    update_row=_note_terms,
)
"""The game master sets how long things may take."""

EXTENSIONS = {
    "turn": gettext_noop("The turn may last until {to}: {reason}"),
    "slot": gettext_noop("{seat}: the turn of the nation may last until {to}: {reason}"),
    "answer": gettext_noop("{seat}: challenge #{contest} must be answered by {to}: {reason}"),
    "battle": gettext_noop("Battle #{contest} must be fought by {to}: {reason}"),
    "claim": gettext_noop(
        "{seat}: the claim for battle #{contest} must be confirmed by {to}: {reason}"
    ),
    "words": gettext_noop("Words for the next dice may be added until {to}: {reason}"),
}


def _extend_line(act: LineFacts) -> str:
    content = act.content
    at = datetime.fromisoformat(content["to"]).astimezone(ZoneInfo(content["zone"]))
    zone = content["zone"].replace("_", " ")
    to = _("%(time)s (%(zone)s)") % {"time": written(at, "j M Y H:i"), "zone": zone}
    text = EXTENSIONS[content["kind"]]
    return sentence(
        _(text),
        seat=act.seat,
        to=to,
        reason=content["reason"],
        contest=content.get("contest", ""),
    )


EXTEND = Act(
    name="extend",
    line=_extend_line,
    public=frozenset({"kind", "was", "to", "zone", "reason", "contest"}),
)
"""The game master moves a deadline."""
