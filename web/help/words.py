"""The glossary and the frequent questions on the help page."""

from __future__ import annotations

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy

WORDS: tuple[tuple[Promise, Promise], ...] = (
    (
        gettext_lazy("Turn"),
        gettext_lazy("all nations play once; then the battles are settled and the turn closes"),
    ),
    (gettext_lazy("Slot"), gettext_lazy("one nation’s part of the turn, with a deadline")),
    (
        gettext_lazy("Action"),
        gettext_lazy("what moves cost, in halves; income decides how many you get"),
    ),
    (
        gettext_lazy("Covert attack"),
        gettext_lazy("an attack on a nation that you share no land border with"),
    ),
    (
        gettext_lazy("Entry"),
        gettext_lazy("a numbered line of the log; everything on the table follows from them"),
    ),
    (gettext_lazy("Table"), gettext_lazy("map, standings, whom the campaign waits for")),
    (
        gettext_lazy("Desk"),
        gettext_lazy("the game master’s page: judge, remind, apply results, pause"),
    ),
    (gettext_lazy("Outbox"), gettext_lazy("what goes to the thread, and whether it is posted")),
    (
        gettext_lazy("Claim"),
        gettext_lazy(
            "a result reported by one side; it counts when the other confirms it or the game master"
            " rules"
        ),
    ),
    (
        gettext_lazy("Commitment"),
        gettext_lazy(
            "a number published before the start; it proves later that the dice were fixed"
        ),
    ),
)
"""The words of the site, each with its meaning."""
QUESTIONS: tuple[tuple[Promise, Promise], ...] = (
    (
        gettext_lazy("Somebody is late. What happens?"),
        gettext_lazy(
            "What the game master chose at the founding: a reminder only, or the clock acts"
            " automatically. See Deadlines."
        ),
    ),
    (
        gettext_lazy("I made a mistake."),
        gettext_lazy(
            "Undo your last move until somebody else moves. After that, ask the game master for a"
            " correction."
        ),
    ),
    (
        gettext_lazy("Can a result be changed?"),
        gettext_lazy(
            "Yes, by a ruling with a reason. Nothing is erased: struck entries stay readable."
        ),
    ),
    (gettext_lazy("Do I need to post each move?"), gettext_lazy("No. One report a turn is usual.")),
    (
        gettext_lazy("Somebody writes what should not stand here."),
        gettext_lazy(
            "Choose Report beside the text: the moderators of this site read it and tell you what"
            " they decide. You may also block the person."
        ),
    ),
    (
        gettext_lazy("I forgot my password."),
        gettext_lazy(
            "Choose Sign in, then Forgotten: you get a link by e-mail. Your seat and your plans"
            " stay as they are."
        ),
    ),
    (
        gettext_lazy("Can I sign in without a password?"),
        gettext_lazy(
            "Yes. Have a code sent to you, or add a passkey under Your account, Ways to sign in:"
            " your device then asks for a finger or a face. If you lose the device, sign in by a"
            " code and remove its passkey there."
        ),
    ),
)
"""Frequent questions, each with its answer."""
