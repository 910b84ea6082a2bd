"""What a preview shows of a move, compared between the position of a page and the position now.

A move is sent from a page that may be older than the table. It is made if it means the same as on that page: its
`Consequences` on both positions are equal. They hold what the preview shows this reader and nothing else, so that the
comparison reveals no hidden card.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any, NamedTuple

from campaign import hooks
from campaign.access import Access
from campaign.log import entries, positions
from campaign.models import Campaign, LogEntry
from engine.effects import Effect, Say
from engine.errors import IllegalMove
from engine.play import Move
from games.contract.title import Branch, Title, Varied

NO_DICE = "no-dice"
"""The refusal of `Title.branches` for moves whose dice cannot be told beforehand: those of cards and events."""
CERTAIN = "certain"
"""The only branch of a move that throws no die."""


class Way(NamedTuple):
    """One way the move may turn out: what each die decides, the chance as (favourable, of), and the effects."""

    what: tuple[tuple[str, str], ...]
    chance: tuple[int, int]
    effects: tuple[tuple[Any, ...], ...]


class Consequences(NamedTuple):
    """What a preview shows of a move.

    `warning` is why it is asked for twice; `notes` are the sentences beside the effects; `ways` are None where the dice
    cannot be told; `endings` are the ways in which a contest that the move begins or answers may end.
    """

    turn: Any
    warning: str
    notes: tuple[tuple[str, str], ...]
    ways: tuple[Way, ...] | None
    endings: tuple[tuple[str, tuple[Way, ...]], ...]


class Shown:
    """The position that a page showed its reader.

    A page that sends several moves in one go has foreseen each on the position after those before it; `advance` goes there.
    """

    def __init__(self, campaign: Campaign, position: Any | None) -> None:
        self.campaign, self.position = campaign, position

    def advance(self, raw: Mapping[str, Any]) -> None:
        """Go to the position after a move that throws no die; after any other the page has shown nothing."""
        if self.position is None:
            return
        game = self.campaign.game
        try:
            branches = game.branches(self.position, entries.as_logged(game, self.position, raw))
        except IllegalMove:
            branches = ()
        certain = len(branches) == 1 and branches[0].what.id == CERTAIN
        self.position = branches[0].after if certain else None


def shown_at(campaign: Campaign, who: Access, seen: int) -> Shown:
    """The position of the page whose last entry is the reader's entry `seen`; none where moves were undone or restored since.

    Raises `NotOfThisTable`.
    """
    entries.since_seen(campaign, who, seen)
    visible = entries.visible_entries(campaign, who)
    sequence = visible.values_list("sequence", flat=True)[seen]
    turned = campaign.entries.filter(sequence__gt=sequence, kind=LogEntry.Kind.TABLE, act__in=entries.TURNING)
    return Shown(campaign, None if turned.exists() else positions.at(campaign, sequence))


def shown_before(campaign: Campaign, who: Access, seen: int) -> Shown | None:
    """What a page that sends several moves has shown the first of them on, where others have moved since; else None."""
    return shown_at(campaign, who, seen) if entries.since_seen(campaign, who, seen) else None


def shown_after(shown: Shown | None, made: Sequence[LogEntry]) -> Shown | None:
    """The same for the next move, after the entries of one that was played; None where the page had foreseen nothing."""
    if shown is not None:
        for entry in made:
            shown.advance(entry.content)
    return None if shown is None or shown.position is None else shown


def hold(campaign: Campaign, who: Access, raw: Mapping[str, Any], before: Any | None, now: Any) -> bool:
    """Does the move mean the same to this reader on both positions? None: the page had no position that still counts."""
    if before is None:
        return False
    try:
        then = entries.as_logged(campaign.game, before, raw)
        then.admit(before)
        then.check(before)
        return consequences(campaign, who, before, then) == consequences(
            campaign, who, now, entries.as_logged(campaign.game, now, raw)
        )
    except IllegalMove:
        return False


def consequences(campaign: Campaign, who: Access, position: Any, move: Move) -> Consequences:
    """What a preview of a possible move shows this reader on a position."""
    game, raw = campaign.game, move.to_json()
    speech = hooks.speech(game, _scenario(campaign, position), position)
    turn, warning = game.view(position, None)["turn"], speech.final(raw, position)
    try:
        branches = game.branches(position, move)
    except IllegalMove as refusal:
        if refusal.code != NO_DICE:
            raise
        return Consequences(turn, warning, (), None, ())
    reading = _Reading(who, speech.purse, _begun(game, position, branches))
    endings: Sequence[Any] = next(filter(None, (speech.outcomes(raw, branch.after) for branch in branches)), ())
    return Consequences(
        turn,
        warning,
        tuple(speech.notes(raw, branches[0].after)) if branches else (),
        tuple(reading.way(branch, levels=True) for branch in branches),
        tuple((end.label, tuple(reading.way(branch, levels=False) for branch in end.branches)) for end in endings),
    )


def _scenario(campaign: Campaign, position: Any) -> Any:
    game = campaign.game
    return game.scenario_now(position) if isinstance(game, Varied) else positions.scenario(campaign)


def _begun(game: Title, position: Any, branches: Sequence[Branch]) -> frozenset[int]:
    """The numbers of the contests that the move begins: they count what was begun before, and mean nothing else."""
    known = game.rows(position).contests.keys()
    return frozenset(number for branch in branches for number in game.rows(branch.after).contests.keys() - known)


class _Reading:
    """Branches as this reader sees them, without the numbers of contests that the move begins."""

    def __init__(self, who: Access, purse: str, begun: Collection[int]) -> None:
        self.who, self.purse, self.begun = who, purse, {str(number) for number in begun}

    def way(self, branch: Branch, *, levels: bool) -> Way:
        """`levels`: compare not only how an account changes, but from where to where."""
        what = tuple((phrase.id, repr(sorted(phrase.facts.items()))) for phrase in branch.path or (branch.what,))
        visible = [effect for effect in branch.effects if self.who.sees(effect.audience)]
        return Way(what, branch.chance, tuple(self._effect(effect, levels) for effect in visible))

    def _effect(self, effect: Effect, levels: bool) -> tuple[Any, ...]:
        """What the preview shows of an effect.

        Of the purse it shows the cost. What is left in it depends on other moves and is no consequence of this one.
        """
        cause: Say = effect.cause
        head = (effect.kind, effect.holder, effect.subject, cause.id, cause.rule, effect.change)
        if effect.kind == "account":
            return (*head, effect.balance if levels and effect.subject != self.purse else None)
        subject = "" if effect.subject in self.begun else effect.subject
        facts = [sorted(effect.facts.items()), sorted(cause.facts.items())]
        return (*head[:2], subject, *head[3:], repr(facts))
