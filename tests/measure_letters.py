"""The delay of a letter behind 1,000 due clocks: `script/measure letters`, on PostgreSQL.

Every campaign has players, the first entries of its log and an overdue slot, whose notices are
letters too. One more letter becomes due after them. Measured is how long one process, like
`manage.py tick`, needs until it has been sent, and until everything is done.
"""

from __future__ import annotations

from datetime import timedelta
from time import perf_counter
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.core.mail.backends.locmem import EmailBackend
from django.db import connection
from django.utils import timezone

from campaign import pulse
from campaign.models import Campaign, Clock
from notices.models import Notice
from tests.measure_tick import grow
from tests.table import people, table, toy

__all__ = ["people", "table", "toy"]
DUE = 1_000
SENT: dict[str, float] = {}


class Timed(EmailBackend):
    """A mail backend that notes when the first letter to each address was sent."""

    def send_messages(self, messages: Any) -> int:
        for message in messages:
            SENT.setdefault(message.to[0], perf_counter())
        return super().send_messages(messages)


@pytest.mark.django_db(transaction=True)
def test_measure(table: Any, people: Any, settings: Any, capsys: Any) -> None:
    if connection.vendor != "postgresql":
        pytest.skip("it is measured as in use")
    settings.EMAIL_BACKEND = "tests.measure_letters.Timed"
    table.play("gm", "start")
    for user in people.values():
        EmailAddress.objects.create(
            user=user, email=f"{user.username}@example.org", verified=True, primary=True
        )
    grow(DUE)
    now = timezone.now()
    pulse.tick(now)
    SENT.clear()
    over = now - timedelta(hours=1)
    Clock.objects.filter(kind="slot").update(due_at=over, next_at=over, notified_kinds="")
    # One more letter is due, to a user without a clock: their slot is open.
    last, opened = Campaign.objects.latest("pk"), Notice.objects.get(kind="slot-open")
    entry = last.entries.get(sequence=opened.entry.sequence)
    facts = {"kind": opened.kind, "about": opened.about, "seat": opened.seat, "facts": opened.facts}
    Notice.objects.create(user=opened.user, campaign=last, entry=entry, at=now, **facts)
    address = f"{opened.user.username.lower()}@example.org"
    begun = perf_counter()
    pulse.tick()
    whole = perf_counter() - begun
    waited = SENT[address] - begun
    with capsys.disabled():
        print(
            f"\n{DUE} due clocks: the letter beside them left after {waited:.1f} s, everything was"
            f" done after {whole:.1f} s"
        )
