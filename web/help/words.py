"""The glossary and the frequent questions on the help page."""

from __future__ import annotations

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy, pgettext_lazy

WORDS: tuple[tuple[Promise, Promise], ...] = (
    (
        pgettext_lazy("help", "Turn"),
        gettext_lazy("Every nation plays once. When all battles are resolved, the turn is closed."),
    ),
    (
        gettext_lazy("A nation’s turn"),
        gettext_lazy("One nation’s part of a turn. It has a deadline."),
    ),
    (
        pgettext_lazy("help", "Action"),
        gettext_lazy(
            "What moves cost, counted in halves. Your income decides how many actions you get."
        ),
    ),
    (
        pgettext_lazy("help", "Covert attack"),
        gettext_lazy("An attack on a nation with which you share no land border."),
    ),
    (
        pgettext_lazy("help", "Entry"),
        gettext_lazy(
            "A numbered line of the log. Everything on the table follows from the entries."
        ),
    ),
    (
        pgettext_lazy("help", "Table"),
        gettext_lazy(
            "The main page of a campaign: the map, the standings, and the people it is waiting for."
        ),
    ),
    (
        pgettext_lazy("help", "Desk"),
        gettext_lazy(
            "The game master’s page. Here they make rulings, send reminders, apply results and "
            "pause the campaign."
        ),
    ),
    (
        pgettext_lazy("help", "Outbox"),
        gettext_lazy(
            "The texts for the campaign’s thread, with a note of which are already posted."
        ),
    ),
    (
        gettext_lazy("Claim"),
        gettext_lazy(
            "A battle result reported by one side. It counts as soon as the other side confirms "
            "it or the game master makes a ruling."
        ),
    ),
    (
        pgettext_lazy("help", "Commitment"),
        gettext_lazy(
            "A number published before the campaign starts. With it you can check later that the "
            "dice were fixed from the beginning."
        ),
    ),
)
"""The glossary of the site: words and meanings."""
QUESTIONS: tuple[tuple[Promise, Promise], ...] = (
    (
        gettext_lazy("What happens if someone is late?"),
        gettext_lazy(
            "The game master decides that when the campaign is founded: either the players only "
            "get a reminder, or the site acts for them when the time has run out. You can see the "
            "rule under Deadlines."
        ),
    ),
    (
        gettext_lazy("I made a mistake. Can I undo a move?"),
        gettext_lazy(
            "You can undo your last move until someone else moves. After that, ask the game "
            "master for a correction."
        ),
    ),
    (
        gettext_lazy("Can a result be changed?"),
        gettext_lazy(
            "Yes. The game master makes a ruling and gives a reason. Nothing is erased: struck "
            "entries can still be read in the log."
        ),
    ),
    (
        gettext_lazy("Do I have to post every move?"),
        gettext_lazy("No. Most campaigns post one report a turn."),
    ),
    (
        gettext_lazy("What if someone posts something inappropriate?"),
        gettext_lazy(
            "Choose Report next to the text. The moderators of this site look at it and tell you "
            "what they have decided. You can also block the person."
        ),
    ),
    (
        gettext_lazy("What if I forget my password?"),
        gettext_lazy(
            "Choose Sign in, then “Forgotten your password?”, and we e-mail you a link to set a "
            "new password. Your seats and plans are not affected."
        ),
    ),
    (
        gettext_lazy("Can I sign in without a password?"),
        gettext_lazy(
            "Yes. We can e-mail you a code each time, or you can add a passkey under Your "
            "account, Ways to sign in; your device then asks for your fingerprint or face. If you "
            "lose the device, sign in with a code and remove its passkey on the same page."
        ),
    ),
)
"""Frequent questions and their answers."""
