"""The summaries of logs that stories are told from: each kept, and continued with new moves."""

from __future__ import annotations

from campaign.log import history, positions
from campaign.log.history import Done, Running
from campaign.log.positions import Retold
from campaign.models import Campaign
from games.contract.story import Storied, Story, StorySummary


def story_of(campaign: Campaign) -> Story:
    """Return the story of a campaign; empty before the start, or if its title tells none."""
    title = campaign.game
    if not isinstance(title, Storied) or not campaign.started:
        return Story([], [])
    return title.tell_story(positions.scenario(campaign), _summaries.of_log(campaign))


def _continued(campaign: Campaign, before: StorySummary | None, after: int) -> StorySummary:
    """Return the summary with the moves made since the entry `after`.

    The first time, the whole log is played once.
    """
    title = campaign.game
    assert isinstance(title, Storied)
    if before is not None:
        done = history.done_since(campaign, after)
        return title.continue_story(before, done, lambda moves: history.after(campaign, moves))
    retold = Retold(campaign)
    start = title.begin_story(retold.start)
    return title.continue_story(start, _all_done(retold), lambda moves: retold.after(moves - 1))


def _all_done(retold: Retold) -> list[Done]:
    """Return the moves of a log that was played again."""
    return [
        Done(deed.number, moves, deed.mark, deed.content, deed.effects)
        for moves, deed in enumerate(retold.deeds, 1)
    ]


_summaries = Running(_continued)
