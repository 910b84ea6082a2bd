"""Comparison of a move's preview on a page's position and on the current position.

A move is sent from a page that may be older than the table. It is made if it means the same as on
that page: its `Consequences` on both positions are equal. They hold what the preview shows this
reader and nothing else, so that the comparison reveals no hidden card.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any, NamedTuple

from campaign.access import Access
from campaign.log import entries, positions
from campaign.log.acts.registry import CHANGES_POSITION
from campaign.models import Campaign, LogEntry
from engine.effects import Effect, Phrase
from engine.errors import IllegalMove
from engine.play import Move
from games.contract.title import Branch, Title, WithScenarioRules
from games.kit.move_words import move_words

NO_DICE = "no-dice"
"""The refusal of `Title.branches` for moves of cards and events, whose dice no one can foresee."""
CERTAIN = "certain"
"""The only branch of a move that throws no die."""


class PossibleOutcome(NamedTuple):
    """A possible outcome of a move.

    `what` says what each die decides; `chance` is (favourable cases, all cases).
    """

    what: tuple[tuple[str, str], ...]
    chance: tuple[int, int]
    effects: tuple[tuple[Any, ...], ...]


class Consequences(NamedTuple):
    """The content of a move's preview.

    Attributes:
        turn: The turn of the position.
        warning: Why the page asks for confirmation.
        notes: The sentences beside the effects.
        ways: The possible outcomes; None if the dice cannot be foreseen.
        endings: How a contest that the move begins or answers may end.
    """

    turn: Any
    warning: str
    notes: tuple[tuple[str, str], ...]
    ways: tuple[PossibleOutcome, ...] | None
    endings: tuple[tuple[str, tuple[PossibleOutcome, ...]], ...]


class PagePosition:
    """The position that a page showed its reader.

    A page that sends several moves has foreseen each move on the position after the moves before
    it. `advance` goes to that position.
    """

    def __init__(self, campaign: Campaign, position: Any | None) -> None:
        self.campaign, self.position = campaign, position

    def advance(self, raw: Mapping[str, Any]) -> None:
        """Go to the position after a move.

        After a die the position is None, because a page shows nothing beyond a die.
        """
        if self.position is None:
            return
        game = self.campaign.game
        try:
            branches = game.branches(self.position, entries.as_logged(game, self.position, raw))
        except IllegalMove:
            branches = ()
        certain = len(branches) == 1 and branches[0].what.id == CERTAIN
        self.position = branches[0].after if certain else None


def page_position_at(campaign: Campaign, who: Access, seen: int) -> PagePosition:
    """Return the position of the page whose last entry is the reader's entry `seen`.

    It is None if the reader sees that moves have been undone or restored since: an answer must
    not depend on hidden moves. Raises `WrongCampaign` if the reader cannot have seen the entry.
    """
    entries.since_seen(campaign, who, seen)
    visible = entries.visible_entries(campaign, who)
    sequence = visible.values_list("sequence", flat=True)[seen]
    turning = visible.filter(kind=LogEntry.Kind.TABLE, act__in=CHANGES_POSITION)
    turned = turning.filter(sequence__gt=sequence).exists()
    return PagePosition(campaign, None if turned else positions.at(campaign, sequence))


def page_position_before(campaign: Campaign, who: Access, seen: int) -> PagePosition | None:
    """Return the position of a page that sends several moves; None if no one has moved since."""
    return (
        page_position_at(campaign, who, seen) if entries.since_seen(campaign, who, seen) else None
    )


def page_position_after(
    shown: PagePosition | None, played: Sequence[LogEntry]
) -> PagePosition | None:
    """Return the page's position for the next move, after one was played; None if it has none."""
    if shown is not None:
        for entry in played:
            shown.advance(entry.content)
    return None if shown is None or shown.position is None else shown


def still_holds(
    campaign: Campaign, who: Access, raw: Mapping[str, Any], before: Any, now: Any
) -> bool:
    """Return whether a move means the same to a reader on both positions.

    False without `before`.
    """
    if before is None:
        return False
    try:
        move = entries.as_logged(campaign.game, before, raw)
        move.admit(before)
        move.check(before)
        return consequences(campaign, who, before, move) == consequences(
            campaign, who, now, entries.as_logged(campaign.game, now, raw)
        )
    except IllegalMove:
        return False


def consequences(campaign: Campaign, who: Access, position: Any, move: Move) -> Consequences:
    """Return what the preview of a possible move shows this reader on a position."""
    game, raw = campaign.game, move.to_json()
    words = move_words(game, _scenario(campaign, position), position)
    turn, warning = game.view(position, None)["turn"], words.why_final(raw, position)
    try:
        branches = game.branches(position, move)
    except IllegalMove as refusal:
        if refusal.code != NO_DICE:
            raise
        return Consequences(turn, warning, (), None, ())
    reading = _Reading(who, words.purse, _begun(game, position, branches))
    outcomes = (words.outcomes(raw, branch.after) for branch in branches)
    endings: Sequence[Any] = next(filter(None, outcomes), ())
    return Consequences(
        turn,
        warning,
        tuple(words.notes(raw, branches[0].after)) if branches else (),
        reading.ways(branches, levels=True),
        tuple((end.label, reading.ways(end.branches, levels=False)) for end in endings),
    )


def _scenario(campaign: Campaign, position: Any) -> Any:
    """Return the scenario with the rules in force at a position."""
    game = campaign.game
    return (
        game.scenario_now(position)
        if isinstance(game, WithScenarioRules)
        else positions.scenario(campaign)
    )


def _begun(game: Title, position: Any, branches: Sequence[Branch]) -> frozenset[int]:
    """Return the numbers of the contests that the move begins."""
    known = game.rows(position).contests.keys()
    after = [game.rows(branch.after).contests.keys() for branch in branches]
    return frozenset(number for contests in after for number in contests - known)


class _Reading:
    """A reader of branches: the possible outcomes as the reader of a page may see them.

    The numbers of new contests are left out, because they differ between two positions.
    """

    def __init__(self, who: Access, purse: str, begun: Collection[int]) -> None:
        self.who, self.purse, self.begun = who, purse, {str(number) for number in begun}

    def ways(self, branches: Sequence[Branch], *, levels: bool) -> tuple[PossibleOutcome, ...]:
        """Return the outcomes of these branches.

        With `levels` they have the balance of each account, otherwise only its change.
        """
        return tuple(self._way(branch, levels) for branch in branches)

    def _way(self, branch: Branch, levels: bool) -> PossibleOutcome:
        """Return the outcome of one branch, as `ways` does."""
        path = branch.path or (branch.what,)
        what = tuple((phrase.id, repr(sorted(phrase.facts.items()))) for phrase in path)
        visible = [effect for effect in branch.effects if self.who.sees(effect.audience)]
        return PossibleOutcome(
            what, branch.chance, tuple(self._effect(effect, levels) for effect in visible)
        )

    def _effect(self, effect: Effect, levels: bool) -> tuple[Any, ...]:
        """Return the part of an effect that the preview shows.

        For the purse this is the cost, not the balance, because the balance depends on other moves.
        """
        cause: Phrase = effect.cause
        head = (effect.kind, effect.holder, effect.subject, cause.id, cause.rule, effect.change)
        if effect.kind == "account":
            return (*head, effect.balance if levels and effect.subject != self.purse else None)
        subject = "" if effect.subject in self.begun else effect.subject
        facts = [sorted(effect.facts.items()), sorted(cause.facts.items())]
        return (*head[:2], subject, *head[3:], repr(facts))
