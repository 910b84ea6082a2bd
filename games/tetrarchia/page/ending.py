"""The end of a game: its score part by part, titles, and the chronicle."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from games.contract.pages import Fame, LoggedMove
from games.tetrarchia.rules import barbarians
from games.tetrarchia.rules.position import EMPERORS, GREAT, OUTSIDE, REGIONS, Position
from games.tetrarchia.text.words import emperor, phrase_text, space
from games.tetrarchia.text.words import seat_name as words_seat_name


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnScore:
    """An Emperor's own score with the variant `the_great`, with a title."""

    key: str
    name: str
    points: int
    title: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Round:
    """The chronicle of a round."""

    number: int
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Ending:
    """The end of a game."""

    result: str | None
    why_text: str
    round: int
    points: int
    parts: Sequence[tuple[str, int]]
    """The parts of the score."""
    personal: Sequence[OwnScore]
    aims: Sequence[str]
    """Whether each seat has reached its objective besides the common win."""
    chronicle: Sequence[Round]
    level: str
    dice: int


def ending(position: Position, log: Sequence[LoggedMove]) -> Ending:
    """Return the end of a game."""
    score, titles = barbarians.score(position), barbarians.titles(position)
    parts = [
        (phrase_text("score-secured", n=score.secured), score.secured),
        (
            phrase_text("score-quiet" if score.quiet else "score-loud"),
            barbarians.QUIET * score.quiet,
        ),
        (phrase_text("score-open", n=len(OUTSIDE) - score.secured), score.secured - len(OUTSIDE)),
        (phrase_text("score-armies", n=score.armies), -score.armies),
        (
            phrase_text(
                "score-heavy",
                names=", ".join(REGIONS[key] for key in score.heavy) or phrase_text("none"),
            ),
            -len(score.heavy),
        ),
    ]
    return Ending(
        result=position.result,
        why_text=phrase_text(f"why-{position.reason}") if position.reason else "",
        round=position.round,
        points=score.points,
        parts=parts,
        personal=personal(position, titles),
        aims=aims(position),
        chronicle=chronicle(log),
        level=position.options.digits,
        dice=sum(len(move.rolls) for move in log),
    )


def personal(position: Position, titles: Mapping[str, str]) -> list[OwnScore]:
    """Return each Emperor's own score; none without the variant, or if the game is lost (7.5)."""
    if not position.has_variant(GREAT) or position.result != "won":
        return []
    scores = barbarians.personal(position)
    return [
        OwnScore(
            key=key,
            name=emperor(key),
            points=scores[key],
            title=phrase_text(f"named-{titles[key]}") if key in titles else "",
        )
        for key in EMPERORS
    ]


def aims(position: Position) -> list[str]:
    """Return for each seat whether it has reached its objective besides the common win (7.5).

    It is empty without the variant or if the game is lost.
    """
    if not position.has_variant(GREAT) or position.result != "won":
        return []
    aim = phrase_text(f"aim-{position.options.players}")
    return [
        phrase_text(
            "aim-met" if barbarians.objective(position, seat) else "aim-missed",
            seat=words_seat_name(seat),
            aim=aim,
        )
        for seat in position.options.seats
    ]


def chronicle(log: Sequence[LoggedMove]) -> list[Round]:
    """Return a text about each round with borders secured, battles or uprisings."""
    rounds: dict[int, list[str]] = {}
    turn = 1
    for entry in log:
        for effect in entry.effects:
            facts = effect.facts
            if effect.kind == "turn":
                turn = int(facts["round"])
                continue
            text = ""
            if effect.kind == "secured" and facts.get("border"):
                text = phrase_text(
                    "told-border",
                    name=emperor(str(effect.holder)),
                    space=space(str(effect.subject)),
                )
            elif effect.kind in ("victory", "defeat"):
                text = phrase_text(
                    f"told-{effect.kind}",
                    name=emperor(str(effect.holder)),
                    space=space(str(effect.subject)),
                )
            elif effect.kind == "uprising":
                text = phrase_text("told-uprising", space=space(str(effect.subject)))
            elif effect.kind == "invaders":
                text = phrase_text("told-invaders", space=space(str(effect.subject)))
            if text:
                rounds.setdefault(turn, []).append(text)
    return [Round(number=n, text=" ".join(lines)) for n, lines in rounds.items()]


@dataclass(frozen=True, slots=True, kw_only=True)
class FamousGame:
    """A line of the hall of fame."""

    player: str
    url: str
    points: int
    level: str
    result: str


def famous_game(game: Fame) -> FamousGame:
    """Return a line of the hall of fame."""
    return FamousGame(
        player=game.player,
        url=game.url,
        points=game.points,
        level=str(game.facts["level"]),
        result=str(game.facts["result"]),
    )
