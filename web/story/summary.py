"""Summaries of logs from which stories are made; stored, and continued with new moves."""

from __future__ import annotations

from campaign.log import history, positions
from campaign.log.history import MoveInForce, RunningState
from campaign.log.positions import ReplayedLog
from campaign.models import Campaign
from games.contract.story import Story, StorySummary, WithStory


def story_of(campaign: Campaign) -> Story:
    """Return the story of a campaign; empty before the start, or if its title has none."""
    title = campaign.game
    if not isinstance(title, WithStory) or not campaign.started:
        return Story([], [])
    return title.tell_story(positions.scenario(campaign), summary_of(campaign))


def summary_of(campaign: Campaign) -> StorySummary:
    """Return the summary of the log of a campaign whose title writes its story."""
    return _summaries.of_log(campaign)


def _continued(campaign: Campaign, before: StorySummary | None, after: int) -> StorySummary:
    """Return the summary with the moves made since the entry `after`.

    Without an earlier summary the whole log is replayed.
    """
    title = campaign.game
    assert isinstance(title, WithStory)
    if before is not None:
        done = history.moves_in_force_since(campaign, after)
        return title.continue_story(before, done, lambda moves: history.after(campaign, moves))
    replayed = ReplayedLog(campaign)
    start = title.begin_story(replayed.start)
    return title.continue_story(
        start, _all_moves(replayed), lambda moves: replayed.after(moves - 1)
    )


def _all_moves(replayed: ReplayedLog) -> list[MoveInForce]:
    """Return the moves of a replayed log."""
    return [
        MoveInForce(move.number, moves, move.mark, move.content, move.effects)
        for moves, move in enumerate(replayed.moves, 1)
    ]


_summaries = RunningState(_continued)
