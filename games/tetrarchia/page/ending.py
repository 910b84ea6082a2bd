"""How a game ended: its score part by part, titles, what happened round by round."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from games.contract.pages import Fame, Told
from games.tetrarchia.rules import barbarians
from games.tetrarchia.rules.position import EMPERORS, GREAT, OUTSIDE, REGIONS, Position
from games.tetrarchia.text.words import counted_phrase, emperor, phrase_text, space
from games.tetrarchia.text.words import seat_name as words_seat_name


def ending(position: Position, log: Sequence[Told]) -> dict[str, Any]:
    """The end, for its page."""
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
    return {
        "result": position.result,
        "why": position.reason,
        "why_text": phrase_text(f"why-{position.reason}") if position.reason else "",
        "round": position.round,
        "rounds": counted_phrase("rounds", position.round),
        "points": score.points,
        "parts": parts,
        "personal": personal(position, titles),
        "aims": aims(position),
        "chronicle": chronicle(log),
        "level": position.options.digits,
        "dice": sum(len(one.rolls) for one in log),
    }


def personal(position: Position, titles: dict[str, str]) -> list[dict[str, Any]]:
    """Each Emperor's own score with the variant `the_great`; empty without it or where all is lost
    (7.5).
    """
    if not position.on(GREAT) or position.result != "won":
        return []
    scores = barbarians.personal(position)
    return [
        {
            "key": key,
            "name": emperor(key),
            "points": scores[key],
            "title": phrase_text(f"named-{titles[key]}") if key in titles else "",
        }
        for key in EMPERORS
    ]


def aims(position: Position) -> list[str]:
    """Has each seat what it wants beside the common win (7.5)? Empty without the variant or where
    all is lost.
    """
    if not position.on(GREAT) or position.result != "won":
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


def chronicle(log: Sequence[Told]) -> list[dict[str, Any]]:
    """The borders that were secured, the battles, the uprisings, round by round; quiet rounds are
    left out.
    """
    rounds: dict[int, list[str]] = {}
    turn = 1
    for one in log:
        for effect in one.effects:
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
    return [{"number": n, "text": " ".join(lines)} for n, lines in rounds.items()]


def fame(one: Fame) -> dict[str, Any]:
    """A line of the hall of fame."""
    return {
        "player": one.player,
        "url": one.url,
        "ended": one.ended,
        "points": one.points,
        **one.facts,
    }
