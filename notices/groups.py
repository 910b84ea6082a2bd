"""The kinds in the order in which one chooses among them."""

from __future__ import annotations

from django.utils.translation import gettext_noop

GROUPS: tuple[tuple[str, tuple[str, ...]], ...] = (
    (gettext_noop("Your turn to act"), (
        "slot-open", "next", "challenged", "attacked", "claimed", "may-start", "set-up", "stands-in", "die-awaited",
        "seat-offered", "offered", "own-account",
    )),
    (gettext_noop("Deadlines"), ("clock-soon", "clock-today", "clock-moved", "clock-acted", "clock-missed")),
    (gettext_noop("Battles"), ("answered", "result", "disputed", "stood-for", "stands-in-ended", "opponent-absent", "solo")),
    (gettext_noop("What touches you"), (
        "card-lost", "correction", "undone", "taken-back", "restored", "order-spoke", "order-skipped", "seat-given", "seat-freed",
    )),
    (gettext_noop("The table"), (
        "turn-opened", "turn-closed", "finished", "life", "ruling", "countersigner", "to-countersign", "objected",
    )),
    (gettext_noop("For game masters"), (
        "seat-taken", "seat-left", "applied", "countersigned", "absence", "post-failed", "post-doubtful", "thread-locked",
        "webhook-off",
    )),
)  # fmt: skip
"""Each kind stands in one of them; one that stands in none comes in the last (`of`)."""


def of(kinds: list[str]) -> list[tuple[str, list[str]]]:
    """These kinds by group, in order; a group without any is left out."""
    known = {key for _name, keys in GROUPS for key in keys}
    rest = [key for key in kinds if key not in known]
    made = [(name, [key for key in keys if key in kinds]) for name, keys in GROUPS]
    made[-1] = (made[-1][0], made[-1][1] + rest)
    return [(name, keys) for name, keys in made if keys]
