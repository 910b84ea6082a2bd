"""Two ticks at once tell each person once, on either database."""

from __future__ import annotations

from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.core import mail as outbox

from notices.delivery import tick
from notices.models import Delivery, DeliveryItem, Notice
from tests.campaign.test_two_at_once import run_at_once
from tests.notices.conftest import NOON

pytestmark = pytest.mark.django_db(transaction=True)


def test_each_letter_leaves_once(transactional_db: None, request: pytest.FixtureRequest) -> None:
    table: Any = request.getfixturevalue("running")
    for user in table.people.values():
        EmailAddress.objects.create(user=user, email=user.email, verified=True, primary=True)
    outcomes = run_at_once(*[lambda: tick(NOON)] * 4)
    assert [outcome for outcome in outcomes if isinstance(outcome, Exception)] == []
    tick(NOON)
    letters = sorted(mail.to[0] for mail in outbox.outbox)
    assert "bee@example.org" in letters
    assert (
        len(letters)
        == Delivery.objects.filter(form="now", state="sent").count()
        == len(set(letters))
    )
    assert not Notice.objects.filter(routed_at=None).exists()
    assert (
        DeliveryItem.objects.count()
        == Notice.objects.filter(user__in=table.people.values()).count()
    )
