"""Clocks of the Grand Campaign: they begin with its start and follow its terms."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from campaign import services
from campaign.clocks import selectors as clocks
from campaign.clocks import services as clocks_services
from campaign.clocks.selectors import Terms
from campaign.log import selectors
from tests.campaign.test_clocks import DAY, T0

pytestmark = pytest.mark.django_db


@pytest.fixture
def opened(grand: Any) -> Any:
    services.play(
        grand.campaign,
        grand.people["gm"],
        {"by": "gm", "move": "start"},
        selectors.seen(grand.campaign, grand.people["gm"]),
        now=T0,
    )
    grand.campaign.refresh_from_db()
    return grand


def test_11_expired_slots_end_and_challenges_are_accepted_if_this_is_switched_on(
    opened: Any,
) -> None:
    campaign = opened.campaign
    clocks_services.set_terms(
        campaign, opened.people["gm"], {"slot": Terms("2d", "12h", True)}, now=T0
    )
    slot = clocks.clock_of(campaign, "slot", campaign.active_seat)
    assert slot is not None
    assert (slot.due_at, slot.acts_at) == (T0 + 3 * DAY, T0 + 3 * DAY + timedelta(hours=12))
