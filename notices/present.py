"""The present state of campaigns, from which letters take deadlines, actions and threats.

A letter says what is true when it is sent. Its notices may be older.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import Any

from campaign.clocks import selectors as clock_terms
from campaign.dice import selectors as dice_selectors
from campaign.log import positions
from campaign.log.acts.battles import CLAIM, DISPUTE
from campaign.models import Campaign, Clock, LogEntry
from games.contract.threats import Threat, WithThreats
from games.contract.title import Waiting
from notices.models import Notice


@dataclass(frozen=True, slots=True)
class Task:
    """A task with a deadline: the kind, the seat and the contest of its clock."""

    kind: str
    seat: str = ""
    contest: int | None = None


def place_name(scenario: Any, key: str) -> str:
    """Return the name of a contested province; empty for a title without provinces."""
    known = getattr(scenario, "provinces", {}).get(key)
    return str(known.name) if known is not None else ""


class CampaignNow:
    """The present state of a campaign: its clocks, and what follows from its position."""

    def __init__(self, campaign: Campaign, clocks: Sequence[Clock]) -> None:
        self.campaign = campaign
        self.clocks = clocks

    @cached_property
    def position(self) -> Any:
        return positions.current(self.campaign)

    @cached_property
    def waiting(self) -> Sequence[Waiting]:
        return self.campaign.game.waiting(self.position)

    @cached_property
    def contests(self) -> Mapping[int, Mapping[str, Any]]:
        return self.campaign.game.rows(self.position).contests

    @cached_property
    def accounts(self) -> Mapping[tuple[str, str], int]:
        return self.campaign.game.rows(self.position).accounts

    @cached_property
    def copies(self) -> positions.Copies:
        return positions.copies(self.campaign, self.position)

    @cached_property
    def seats_without_words(self) -> Sequence[str] | None:
        """The seats whose words for the next dice are missing; None if none are accepted."""
        stage = dice_selectors.next_stage(self.campaign, self.copies.turn, self.copies.phase)
        if stage is None or stage.closed or stage.done:
            return None
        return clock_terms.words_missing(self.campaign, stage, self.position)

    def clock_of(self, task: Task) -> Clock | None:
        """Return the clock of a task; None if none runs, or if it is paused."""
        for clock in self.clocks:
            if clock.kind != task.kind or clock.held or clock.contest != task.contest:
                continue
            if task.contest is not None or clock.seat in ("", task.seat):
                return clock
        return None

    def asks_game_master(self, kind: str) -> bool:
        """Return whether the game master is asked when a deadline of this kind has passed."""
        terms = clock_terms.terms_of(self.campaign)[kind]
        return terms is not None and terms.asks

    def threats(self, seat: str) -> Sequence[Threat]:
        """Return what threatens a seat."""
        game = self.campaign.game
        if not isinstance(game, WithThreats) or seat not in positions.seats(self.campaign):
            return ()
        return game.threats(self.position, seat)

    def place_of(self, contest: int) -> str:
        """Return the name of the place that a contest is about; empty if it has none."""
        target = self.contests.get(contest, {}).get("target") or ""
        return place_name(positions.scenario(self.campaign), target)

    def is_over(self, contest: int) -> bool:
        """Return whether a contest is decided."""
        facts = self.contests.get(contest)
        return facts is not None and facts["status"] == clock_terms.RESOLVED

    def is_answered(self, contest: int) -> bool:
        """Return whether a challenge is answered."""
        facts = self.contests.get(contest)
        return facts is not None and facts["status"] != clock_terms.CHALLENGED


class Present:
    """The present state of the campaigns of some notices, at a moment.

    The number of queries depends on the number of campaigns, not on that of notices. `is_public`
    means that the notices are for all readers of a campaign, and not for the holder of a seat.
    """

    def __init__(
        self, notices: Iterable[Notice], now: datetime, *, is_public: bool = False
    ) -> None:
        self.notices = list(notices)
        self.now = now
        self.is_public = is_public

    @cached_property
    def campaigns(self) -> Mapping[int, CampaignNow]:
        """The state of each campaign by its id. Makes one query for all clocks."""
        campaigns = {notice.campaign_id: notice.campaign for notice in self.notices}
        running: dict[int, list[Clock]] = {key: [] for key in campaigns}
        rows = Clock.objects.filter(campaign__in=campaigns, ended_at=None)
        for clock in rows.order_by("due_at", "pk"):
            running[clock.campaign_id].append(clock)
        return {key: CampaignNow(campaign, running[key]) for key, campaign in campaigns.items()}

    def campaign_of(self, notice: Notice) -> CampaignNow:
        """Return the state of the campaign of a notice."""
        return self.campaigns[notice.campaign_id]

    def clock(self, key: int) -> Clock | None:
        """Return a clock that has not ended; None if it has."""
        clocks = (clock for now in self.campaigns.values() for clock in now.clocks)
        return next((clock for clock in clocks if clock.pk == key), None)

    @cached_property
    def _last_acts_on_claims(self) -> Mapping[int | None, int]:
        """The last claim or dispute in force of each battle with a notice, by its challenge."""
        claims = (notice.entry for notice in self.notices if notice.entry.act == CLAIM.name)
        asked = {claim.target_id for claim in claims}
        acts = LogEntry.objects.filter(
            target_id__in=asked, act__in=(CLAIM.name, DISPUTE.name), struck_by=None
        )
        return dict(acts.order_by("sequence").values_list("target_id", "sequence"))

    def is_claim_settled(self, notice: Notice) -> bool:
        """Return whether a claim was disputed or replaced by another claim."""
        claim = notice.entry
        return self._last_acts_on_claims.get(claim.target_id, 0) > claim.sequence
