"""A ledger begins with the amounts of the start, so that its lines sum to the balance (RULES 2)."""

from __future__ import annotations

import pytest

from campaign import services
from nations import projection

pytestmark = pytest.mark.django_db


def test_2_each_account_sums_to_its_balance(person):
    master = person("Marozia")
    campaign = services.found_campaign(master, "grand_campaign", "Sums", "420ad")
    lines = list(projection.ledger(campaign, master, "romans"))
    assert [(line.account, line.change, line.balance, line.cause_said.id) for line in lines] == [
        ("army", 1600, 1600, "opening"),
        ("income", 450, 450, "opening"),
        ("prestige", 6, 6, "opening"),
        ("stability", 6, 6, "opening"),
    ]
    services.play(campaign, master, {"by": "gm", "move": "start"}, 0)
    for holder, balances in projection.balances(campaign).items():
        for account, amount in balances.items():
            assert (
                sum(
                    line.change
                    for line in projection.ledger(campaign, master, holder, account=account)
                )
                == amount
            )
