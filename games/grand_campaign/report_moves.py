"""What a nation or the game master said, in the rules' words, with what it cost and gave."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from engine.effects import Effect, Say
from engine.report import Span, Spans
from games.grand_campaign import words
from games.grand_campaign.position import Attack
from games.grand_campaign.report_lines import OF_CARD, Page, Teller, joined, phrase, text
from games.grand_campaign.words import amount

# The cause by which a move changes its own accounts: told without a reason, since the move is one.
OWN_CAUSE = {
    "build": "builds",
    "barracks": "builds",
    "siege-train": "builds",
    "fortify": "fortifies",
    "fleet": "builds-fleet",
    "attack": "attacks",
}
CORRECTIONS = (
    "adjust", "set-owner", "give-card", "discard-card", "set-structures", "set-assets", "set-fortification", "set-fleet",
)  # fmt: skip
# Stands for effects that not everybody may see, so that the words name nothing of them.
UNSEEN = Effect("card", None, "", Say(""))
MASTERS = ("report", "forfeit", *CORRECTIONS)


def in_headline(move: Mapping[str, Any], seat: str) -> Callable[[Effect], bool]:
    """Which effects the words of the move tell by themselves."""
    name, named = move["move"], move.get("steal", move.get("destroy"))

    def wanted(effect: Effect) -> bool:
        kind, cause = effect.kind, effect.cause.id
        if name in ("build", "barracks", "siege-train"):
            return kind == "structure" and cause == "builds" and effect.holder == seat
        if name == "fleet":
            return kind == "holding" and cause == "builds-fleet"
        if name in ("set-structures", "set-assets", "set-fortification", "set-fleet"):
            return kind in ("structure", "holding") and cause == "correction"
        if name == "offer":
            return kind == "card" and cause == "offers"
        if name == "take":
            return kind == "card" and cause == "trades"
        if name == "play":
            played = (kind, cause, effect.change) == ("card", f"plays-{move['card']}", -1)
            taken = kind == "card" and cause in OF_CARD.get(move["card"], ()) and effect.subject == named
            return played or taken or bool(effect.facts.get("launched"))
        if name == "attack":
            return bool(effect.facts.get("launched")) or (kind == "card" and cause == "plays-on-battle")
        if name == "respond":
            return "answer" in effect.facts or (kind == "card" and cause == "plays-on-battle")
        if name == "keep":
            return kind == "seat" and effect.subject == "keep"
        return name == "end-slot" and kind == "slot"

    return wanted


class Mover:
    """Tells the page of a move as one line."""

    def __init__(self, teller: Teller) -> None:
        self.teller = teller
        self.scenario = teller.scenario

    def line(self, page: Page) -> Spans:
        """The whole page."""
        move, teller, seat = page.line.move, self.teller, page.seat
        name = str(move["move"])
        said = words.move_line(self.scenario, move, self._naming(page, move))
        told = teller.take(page, in_headline(move, seat))
        what = Span(said, bold=name in ("attack", "respond", "report", "forfeit"))
        head = [what]
        if name in MASTERS:
            head = [*phrase("master-does", what=what)]
        elif name in ("respond", "keep"):
            head = [*phrase("nation-does", nation=teller.nation(seat), what=what)]
        head += self._more(page, said, seat, told)
        own = OWN_CAUSE.get(name, f"plays-{move['card']}" if name == "play" else name)
        if name in (*MASTERS, "respond"):
            return joined(tuple(head), teller.clauses(page), ". ")
        return joined(tuple(head), teller.clauses(page, seat, own))

    @staticmethod
    def _naming(page: Page, move: Mapping[str, Any]) -> list[Effect]:
        """The effects by which the words may name cards: of a trade only the one that tells of the card given."""
        visible = [effect for effect in page.line.effects if effect.audience is None]
        if move["move"] == "take":
            visible = [effect for effect in visible if effect.holder == move["from"] and effect.facts.get("zone") == "hand"]
        return visible or [UNSEEN]

    def _more(self, page: Page, said: str, seat: str, told: list[Effect]) -> Spans:
        """What stands beside the words of the move: cost, level, number of the attack, outcome."""
        teller, more, name = self.teller, list[Span](), str(page.line.move["move"])
        if name == "fortify":
            built = teller.take(page, lambda effect: effect.kind == "holding" and effect.cause.id == "fortifies")
            more += phrase("with", structure=words.structure_name(str(built[0].facts["fortification"])))
        if name in ("report", "forfeit"):
            ended = teller.take(page, lambda effect: effect.kind == "attack" and effect.cause.id.startswith("outcome-"))
            outcomes = [str(words.book()["outcomes"][effect.facts["outcome"]]) for effect in ended]
            more += [Span(": " + outcome) for outcome in outcomes if not said.endswith(outcome)]
        if name == "end-slot":
            lapsed = teller.take(page, lambda effect: effect.cause.id == "actions-lapse")
            for effect in lapsed:
                more += phrase("lapses" if effect.change >= -2 else "lapse", amount=amount(-effect.change))
        else:
            paid = teller.take(page, lambda effect: _is_cost(effect, seat, name))
            for effect in paid:
                more += phrase("paid", amount=amount(-effect.change), left=words.half(effect.balance))
        for effect in told:
            if effect.facts.get("launched"):
                more += self._launched(effect)
        if rules := {effect.cause.rule for effect in told if effect.cause.id in ("assassinated", "stolen")}:
            more.append(Span(f" (§{rules.pop()})"))
        return tuple(more)

    def _launched(self, effect: Effect) -> Spans:
        """The number of an attack, and who stands against it."""
        defender, leader = effect.facts["defender"], effect.facts["leader"]
        if defender is None and leader is None:
            return phrase("against-nobody", n=effect.subject)
        key, nation = ("against", defender) if defender is not None else ("against-led", leader)
        return phrase(key, n=effect.subject, nation=self.teller.nation(str(nation)))

    def sides(self, attack: Attack) -> Spans:
        """Who fights whom, with what."""
        teller, scenario = self.teller, self.scenario
        defender = teller.nation(attack.defender) if attack.defender is not None else Span(text("independents"))
        what = [words.book()["kinds"][attack.kind], words.book()["battles"][attack.battle]]
        if attack.siege_train:
            what.append(text("siege-train"))
        ours = scenario.nations[attack.attacker].army if attack.own_army else self._troops(attack, attack.source)
        nation = scenario.nations[attack.defender].army if attack.defender is not None else ""
        theirs = nation or scenario.provinces[attack.target].army
        spans = phrase(
            "sides" if attack.leader is None else "sides-led", attacker=teller.nation(attack.attacker), defender=defender,
            leader=teller.nation(attack.leader), kind=", ".join(what), ours=ours, points=attack.points_attacker, theirs=theirs,
            other=attack.points_defender,
        )  # fmt: skip
        cards = [
            f"{words.card_name(card)} ({words.side_name(side)})"
            for side, played in (("attacker", attack.cards_attacker), ("defender", attack.cards_defender))
            for card in played
        ]
        return (*spans, Span("; " + ", ".join(cards) + "." if cards else "."))

    def _troops(self, attack: Attack, source: str | None) -> str:
        """The army list of covert attackers (their province's) and of insurgents (the attacked nation's, 4.5)."""
        if source is not None:
            return self.scenario.provinces[source].army
        return self.scenario.nations[str(attack.defender)].army


def _is_cost(effect: Effect, seat: str, name: str) -> bool:
    paid = (effect.subject, effect.holder) == ("actions", seat) and effect.change < 0
    return paid and effect.cause.id == OWN_CAUSE.get(name, name)
