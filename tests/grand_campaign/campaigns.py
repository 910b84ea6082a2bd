"""Random legal campaigns, the same for the same seed.

The seats that move and their moves are drawn from the offers.
"""

import random
from collections.abc import Sequence
from typing import Any, NamedTuple

from engine.dice import Dice
from engine.play import play
from games.contract.report import ReportEntry
from games.contract.title import Offer
from games.grand_campaign.title import GrandCampaign

TITLE = GrandCampaign()
CORRECTIONS = 0.02
END = 0.12
FOUGHT = 0.35


class Campaign(NamedTuple):
    """A campaign that has been played: scenario, options, earlier position and all lines."""

    scenario: Any
    options: Any
    start: Any
    lines: list[ReportEntry]

    @property
    def after(self) -> Any:
        return self.lines[-1].after


def choose(rng: random.Random, offer: Any) -> dict[str, Any] | None:
    """Return one complete move of the offer.

    Return None if an earlier choice leaves no value for a later field.
    """
    chosen: dict[str, Any] = {}
    for field in offer.fields:
        values = list(offer.values(field.key, chosen) or ())
        if not values:
            return None
        value = rng.choice(values)
        if value is not None or not field.optional:
            chosen[field.key] = value
    return offer.raw(chosen)


def next_move(rng: random.Random, position: Any) -> dict[str, Any] | None:
    """Return the next move of any seat, or None when the campaign is over."""
    if position.phase == "finished":
        return None
    if position.phase in ("setup", "closed"):
        return {"by": "gm", "move": "start" if position.phase == "setup" else "open-turn"}
    master = TITLE.offers(position, "gm")
    return (
        _correction(rng, master)
        or _answer_or_result(rng, position, master)
        or _move_of_seat(rng, position)
    )


def _correction(rng: random.Random, master: Sequence[Offer]) -> dict[str, Any] | None:
    if rng.random() >= CORRECTIONS:
        return None
    tools = [o for o in master if o.group == "correction" and o.refusal is None]
    return choose(rng, rng.choice(tools)) if tools else None


def _answer_or_result(
    rng: random.Random, position: Any, master: Sequence[Offer]
) -> dict[str, Any] | None:
    challenged = sorted({a.defender for a in position.running if a.status == "challenged"})
    if not position.running or not (position.slot is None or rng.random() < FOUGHT):
        return None
    if challenged and rng.random() < 0.8:
        offers = TITLE.offers(position, rng.choice(challenged))
        answers = [o for o in offers if o.group == "answer" and not o.refusal]
        if move := choose(rng, rng.choice(answers)):
            return move
    results = [o for o in master if o.group == "result" and o.refusal is None]
    return choose(rng, rng.choice(results))


def _move_of_seat(rng: random.Random, position: Any) -> dict[str, Any] | None:
    seats = [seat for seat, nation in position.nations.items() if not nation.fallen]
    seat = position.slot or rng.choice(seats)
    by = "gm" if rng.random() < 0.1 else seat
    if position.slot and rng.random() < END:
        return {"by": seat, "move": "end-slot"}
    offers = [
        o for o in TITLE.offers(position, seat, by) if o.refusal is None and o.move != "end-slot"
    ]
    rng.shuffle(offers)
    for offer in offers:
        if move := choose(rng, offer):
            return move
    return {"by": seat, "move": "end-slot"} if position.slot else next_move(rng, position)


def campaign(
    seed: object,
    scenario: object = "420ad",
    hands: str = "open",
    moves: int = 10_000,
    **options: Any,
) -> Campaign:
    """Return a random campaign, played to its end or for so many moves.

    Lines that have an audience are left out.
    """
    read, chosen = TITLE.scenario(scenario), TITLE.options({"hands": hands, **options})
    start = position = TITLE.setup(read, chosen)
    rng, dice, lines = random.Random(str(seed)), Dice(TITLE.last_link(read), seed=str(seed)), []
    for _ in range(moves):
        raw = next_move(rng, position)
        if raw is None:
            break
        move = TITLE.decode(raw, position)
        for part in TITLE.expand(position, move):
            audience = TITLE.audience(position, TITLE.decode(part, position))
            played = play(position, TITLE.decode(part, position), dice)
            position = played.after
            if audience is None:
                lines.append(
                    ReportEntry(len(lines) + 1, part, played.effects, played.rolls, position)
                )
            if (
                part["move"] == "respond"
                and position.attacks[part["attack"] - 1].status == "resolved"
            ):
                break  # the naval encounter has ended it (8.1): there is nothing to report
    return Campaign(read, chosen, start, lines)
