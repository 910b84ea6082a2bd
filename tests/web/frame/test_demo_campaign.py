"""The demonstration campaign.

In the middle of turn 2, with seven people, consistent with its log.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from campaign import plans
from campaign.log import selectors
from campaign.models import Campaign
from people.models import User

pytestmark = pytest.mark.django_db


def test_the_demonstration_is_in_turn_2_with_a_game_master_and_six_players() -> None:
    call_command("demo", verbosity=0)
    campaign = Campaign.objects.get()
    assert (campaign.name, campaign.turn, campaign.active_seat) == (
        "The Long Frontier",
        2,
        "romans",
    )
    assert [user.username for user in selectors.game_masters(campaign)] == ["Marozia"]
    assert [seat.holder.username for seat in selectors.seats(campaign)] == [
        "Tomasz",
        "Ingrid",
        "Devika",
        "Benedetto",
        "Shirin",
        "Owen",
    ]
    planned = plans.plan_of_user(campaign, User.objects.get(username="Benedetto"), "romans").moves
    foreseen = plans.foresee_moves(campaign.game, selectors.position(campaign), planned)
    assert [roll.certain for roll in foreseen] == [True, True, True]
    assert foreseen[-1].after.nations["romans"].actions == 1, (
        "half an action is left of two and a half"
    )
    call_command("audit")


def test_the_demonstration_is_created_only_once() -> None:
    call_command("demo", verbosity=0)
    call_command("demo", "--if-empty", verbosity=0)
    assert Campaign.objects.count() == 1
    with pytest.raises(CommandError, match="This site already has campaigns"):
        call_command("demo", verbosity=0)


def test_a_taken_user_name_stays_with_its_user(person: Callable[..., Any]) -> None:
    person("ingrid")
    call_command("demo", verbosity=0)
    assert User.objects.filter(demo=True, username="Ingrid 2").exists()


def test_no_password_signs_in_as_a_demonstration_user() -> None:
    call_command("demo", verbosity=0)
    assert not any(user.has_usable_password() for user in User.objects.filter(demo=True))
