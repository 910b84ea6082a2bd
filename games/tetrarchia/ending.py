"""How a game ended: its score part by part, titles, what happened round by round, the hall of fame."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from engine.pages import Fame, Told
from games.tetrarchia import scoring
from games.tetrarchia.board import EMPERORS, OUTSIDE, REGIONS
from games.tetrarchia.phrases import counted, emperor, space, text
from games.tetrarchia.position import Position
from games.tetrarchia.scenario import GREAT
from games.tetrarchia.words import seat_name


def ending(position: Position, log: Sequence[Told]) -> dict[str, Any]:
    """The end, for its page."""
    score, found = scoring.score(position), scoring.titles(position)
    parts = [
        (text("score-secured", n=score.secured), score.secured),
        (text("score-quiet" if score.quiet else "score-loud"), scoring.QUIET * score.quiet),
        (text("score-open", n=len(OUTSIDE) - score.secured), score.secured - len(OUTSIDE)),
        (text("score-armies", n=score.armies), -score.armies),
        (text("score-heavy", names=", ".join(REGIONS[key] for key in score.heavy) or text("none")), -len(score.heavy)),
    ]
    return {
        "result": position.result, "why": position.reason, "why_text": text(f"why-{position.reason}") if position.reason else "",
        "round": position.round, "rounds": counted("rounds", position.round), "points": score.points, "parts": parts,
        "personal": personal(position, found), "aims": aims(position), "chronicle": chronicle(log),
        "level": position.options.digits, "dice": sum(len(one.rolls) for one in log),
    }  # fmt: skip


def personal(position: Position, found: dict[str, str]) -> list[dict[str, Any]]:
    """Each Emperor's own score with the variant `the_great`; empty without it or where all is lost (7.5)."""
    if not position.on(GREAT) or position.result != "won":
        return []
    scores = scoring.personal(position)
    return [
        {"key": key, "name": emperor(key), "points": scores[key], "title": text(f"named-{found[key]}") if key in found else ""}
        for key in EMPERORS
    ]


def aims(position: Position) -> list[str]:
    """Has each seat what it wants beside the common win (7.5)? Empty without the variant or where all is lost."""
    if not position.on(GREAT) or position.result != "won":
        return []
    aim = text(f"aim-{position.options.players}")
    return [
        text("aim-met" if scoring.objective(position, seat) else "aim-missed", seat=seat_name(seat), aim=aim)
        for seat in position.options.seats
    ]


def chronicle(log: Sequence[Told]) -> list[dict[str, Any]]:
    """The borders that were secured, the battles, the uprisings, round by round; quiet rounds are left out."""
    rounds: dict[int, list[str]] = {}
    turn = 1
    for one in log:
        for effect in one.effects:
            facts = effect.facts
            if effect.kind == "turn":
                turn = int(facts["round"])
                continue
            said = ""
            if effect.kind == "secured" and facts.get("border"):
                said = text("told-border", name=emperor(str(effect.holder)), space=space(str(effect.subject)))
            elif effect.kind in ("victory", "defeat"):
                said = text(f"told-{effect.kind}", name=emperor(str(effect.holder)), space=space(str(effect.subject)))
            elif effect.kind == "uprising":
                said = text("told-uprising", space=space(str(effect.subject)))
            elif effect.kind == "invaders":
                said = text("told-invaders", space=space(str(effect.subject)))
            if said:
                rounds.setdefault(turn, []).append(said)
    return [{"number": n, "text": " ".join(lines)} for n, lines in rounds.items()]


def fame(one: Fame) -> dict[str, Any]:
    """A line of the hall of fame."""
    return {"player": one.player, "url": one.url, "ended": one.ended, "points": one.points, **one.facts}
