"""A program that plays on for a player.

Shown in the log, on the last page and in the hall of fame.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.utils import timezone

from campaign import automatic_moves, services, status
from campaign.errors import NotAllowed, NotNow, Refused, TableMovedOn
from campaign.hosting.audit import differences
from tests.alone import Alone, alone, patience

__all__ = ["alone", "patience"]
pytestmark = pytest.mark.django_db


def acts(alone: Alone) -> list[str]:
    return [
        entry.content["how"]
        for entry in alone.campaign.entries.filter(kind="table")
        if entry.act == "deputy"
    ]


def listed(alone: Alone) -> None:
    services.change_description(
        alone.campaign, alone.user, name=alone.campaign.name, time_zone="UTC", visibility="listed"
    )


def test_the_log_says_so_once_before_its_choices(alone: Alone) -> None:
    assert not alone.reload().helped
    alone.post("onward/", how="deputy")
    shown = [
        (entry.number, entry.content.get("act") or entry.content["move"])
        for entry in alone.campaign.entries.all()
    ]
    assert shown[3:] == [(3, "deputy"), (4, "rest"), (5, "pass"), (6, "pass")]
    assert alone.reload().helped
    assert "A program decides for Moldwarp this turn." in alone.text("log/")
    assert list(differences(alone.campaign)) == []


@pytest.mark.long
def test_to_the_end_once_for_all_its_parts(alone: Alone, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(automatic_moves, "MOST", 7)
    alone.post("onward/", how="end")
    assert acts(alone) == ["end"]
    assert "A program decides for Moldwarp until the end of the campaign." in alone.text("log/")
    assert not alone.reload().ended
    while automatic_moves.tick(timezone.now(), 5):
        pass
    assert acts(alone) == ["end"]
    assert alone.reload().ended
    alone.post("onward/", how="end")
    assert acts(alone) == ["end"]


def test_automatic_steps_do_not_count_as_help(alone: Alone) -> None:
    alone.post("act/", do="rest", then="on")
    alone.post("act/", do="rest")
    alone.post("onward/", how="step")
    alone.post("onward/", how="on")
    assert alone.reload().turn == 3
    assert acts(alone) == []
    assert not alone.campaign.helped


@pytest.mark.long
def test_help_after_an_own_move_is_logged(alone: Alone) -> None:
    alone.post("act/", do="rest", then="end")
    assert acts(alone) == ["end"]
    assert alone.content()[:2] == ["begin", "rest"]


def test_a_helped_campaign_is_in_the_hall_and_marked(alone: Alone) -> None:
    listed(alone)
    alone.post("onward/", how="deputy")
    for _ in range(5):  # in the sixth year the second yard caves in
        alone.post("act/", do="dig", depth="2", then="on")
    assert alone.reload().ended
    assert [score.campaign for score in status.best("patience")] == [alone.campaign]
    assert "helped by a program" in alone.client.get("/hall/patience/").content.decode()
    page = alone.text()
    assert "A program finished this game. The hall of fame says so." in page
    assert "Dice were taken back" not in page


def test_an_undo_does_not_remove_the_mark_of_help(alone: Alone) -> None:
    alone.post("onward/", how="deputy")
    services.undo_to(alone.campaign, alone.user, 2, "By myself", alone.seen)
    assert alone.content() == ["begin"]
    assert alone.reload().helped
    assert list(differences(alone.campaign)) == []


def test_only_the_player_may_let_a_program_play_on(
    alone: Alone, person: Callable[..., Any]
) -> None:
    seen = alone.seen
    with pytest.raises(NotAllowed):
        services.deputize(alone.campaign, person("Sid"), "mole", "now", seen)
    with pytest.raises(Refused):
        services.deputize(alone.campaign, alone.user, "mole", "perhaps", seen)
    with pytest.raises(TableMovedOn):
        services.deputize(alone.campaign, alone.user, "mole", "now", seen - 1)
    services.change_life(alone.campaign, alone.user, "abandoned", "Enough")
    with pytest.raises(NotNow):
        services.deputize(alone.campaign, alone.user, "mole", "now", alone.seen)
    assert acts(alone) == []
