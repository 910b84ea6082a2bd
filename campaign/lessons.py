"""Lessons: guided first games, counted nowhere. The title gives the steps (`games.contract.players`).

Nothing of a lesson's progress is stored: it follows from the log, so that a move taken back takes its step back. Stored is
that a campaign is one, and whether its learner has left the guide (`Campaign.lesson`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from campaign import access, practice, services
from campaign.errors import Refused
from campaign.lifecycle.founding import GUIDED, LEFT
from campaign.log import entries, selectors
from campaign.models import Campaign
from games.contract.players import Lesson, Progress, progress
from games.registry import LESSONS, TITLES

__all__ = ["GUIDED", "LEFT", "begin", "guide", "lesson_of", "progress_of"]


def begin(user: Any, title: str, time_zone: str = "UTC") -> Campaign:
    """The lesson of a title, begun: the learner is seated, a program in each other seat. Raises `Refused` where there is none."""
    if title not in LESSONS or title not in TITLES:
        raise Refused("no-lesson", _("There is no lesson of this game."))
    lesson = LESSONS[title]
    name = lesson.texts.text("name")
    if lesson.seat:
        return practice.begin(
            user, title, lesson.scenario, lesson.seat, lesson.level, options=lesson.options, name=name, time_zone=time_zone,
            seed=lesson.seed, lesson=True,
        )  # fmt: skip
    return services.found_campaign(
        user, title, name, lesson.scenario, lesson.options, time_zone, seed=lesson.seed, lesson=True
    )  # fmt: skip


def lesson_of(campaign: Campaign) -> Lesson | None:
    """The lesson that this campaign is; None for every other."""
    return LESSONS.get(campaign.title) if campaign.lesson else None


def progress_of(
    campaign: Campaign, user: Any, position: Any, page: str = "", planned: Sequence[Mapping[str, Any]] = ()
) -> Progress | None:
    """How far the learner is, with what is planned and not yet sent. None where it is no lesson."""
    lesson = lesson_of(campaign)
    if lesson is None:
        return None
    seats = {lesson.seat} if lesson.seat else set(access.access_of(campaign, user).seats)
    own = [one.move for one in selectors.moves_on_page(campaign, user) if one.seat in seats and one.move.get("by") != "gm"]
    return progress(lesson, [*own, *planned], position, page)


@transaction.atomic
def guide(campaign: Campaign, user: Any, how: str) -> Campaign:
    """Leave the guide, or take it up again. Only the learner does."""
    table = entries.lock(campaign)
    access.must_be_host(table, user)
    if not table.lesson or how not in (GUIDED, LEFT):
        raise Refused("no-lesson", _("This campaign is no lesson."))
    table.lesson = how
    table.save(update_fields=["lesson"])
    return table
