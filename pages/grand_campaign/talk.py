"""Offers of the Grand Campaign and what follows from them, in its words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from engine.effects import Effect
from engine.errors import IllegalMove
from engine.title import Branch, Field, Offer
from games.grand_campaign.words import book, card_name, half, nation_name, province_name, structure_name
from pages.grand_campaign.hints import hint
from pages.grand_campaign.marks import mark
from web.titles import talk
from web.titles.talk import Group, Mark, Outcome, capital

GROUPS = (
    Group("answer", "Answers", "to a challenge"),
    Group("fiscal", "Fiscal", "stability for money, money for stability"),
    Group("construction", "Construction", "in their order, once each"),
    Group("military", "Military", "fortify, arm, attack"),
    Group("covert", "Covert", "from an independent province"),
    Group("cards", "Cards", "played in your own slot"),
    Group("trade", "Trade", "one card for one card"),
    Group("slot", "Slot"),
    Group("turn", "Turn"),
    Group("result", "Results"),
    Group("correction", "Corrections", "in public, with a reason"),
)
NAMES = {
    "tax-exemption": "Tax exemption", "tax-increase": "Tax increase", "fleet": "Fleet", "siege-train": "Siege train",
    "provincial-levy": "Provincial levy", "barracks": "Barracks", "offer": "Put a card on the table", "end-slot": "End slot",
    "start": "Start the campaign", "adjust": "Adjust an account", "set-owner": "Give a province", "give-card": "Give a card",
    "discard-card": "Take a card away",
}  # fmt: skip
ANSWERS = {"accept": "Accept", "withdraw": "Withdraw", "escort": "Answer with an escort"}
LABELS = {
    "from": "From", "target": "Target", "battle": "Battle", "siege_train": "A siege train goes along", "cards": "Cards",
    "province": "Province", "give": "Give", "card": "Card", "truce": "Truce with", "steal": "Steal", "destroy": "Destroy",
    "routed": "Routed share of each side’s own army, %", "winner": "Winner", "naval": "Winner of the naval battle",
    "side": "Who loses it", "nation": "Nation", "account": "Account", "change": "Change", "reason": "Reason, for all to read",
    "owner": "New owner",
}  # fmt: skip
VERBS = {
    "attack": "Announce the attack", "end-slot": "End slot", "report": "Enter the result", "forfeit": "Attribute the battle",
    "adjust": "Correct", "set-owner": "Correct", "give-card": "Correct", "discard-card": "Correct",
    "start": "Start the campaign", "open-turn": "Open the turn",
}  # fmt: skip
ABOUT = {
    "siege-train": "lowers fortifications by 20 in one attack", "barracks": "allow levies",
    "offer": "until your next slot opens", "keep": "what it does when an Assassin comes",
}  # fmt: skip
CASCADES = ("crumbles", "without-provinces", "lapses", "led-anew")
SPLITS = {
    "escort-forced": "escort forced", "escort-failed": "no escort", "siege-held": "held", "siege-taken": "taken",
    "encounter-won": "encounter won", "encounter-lost": "encounter lost", "encounter-even": "encounter even",
}  # fmt: skip
MANY = 6


class Talk(talk.Talk):
    """See `web.titles.talk.Talk`."""

    groups = GROUPS

    def province(self, key: Any) -> str:
        return province_name(self.scenario, key)

    def the(self, key: str | None) -> str:
        """A nation inside a sentence."""
        return f"the {nation_name(self.scenario, key)}" if key else "nobody"

    # Offers

    def offer_name(self, offer: Offer) -> str:
        given, move = offer.given, offer.move
        if move == "build":
            return structure_name(given["structure"])
        if move == "attack":
            if given["kind"] == "independent":
                return f"Covert attack on {self.the(offer.key.removeprefix('attack-independent-'))}"
            return capital(book()["kinds"][given["kind"]])
        if move == "fortify":
            return structure_name(offer.key.removeprefix("fortify-"))
        if move == "respond":
            return ANSWERS[given["choice"]]
        if move == "play":
            ending = {"play-diplomat-province": ": a province", "play-diplomat-truce": ": a truce"}.get(offer.key, "")
            return card_name(given["card"]) + ending
        if move == "take":
            return f"Take {card_name(given['card'])} from {self.the(given['from'])}"
        if move == "keep":
            return "Keep the Bodyguard back" if given["value"] else "Set the Bodyguard on guard"
        if move == "open-turn":
            return f"Open turn {self.position.turn + 1}"
        if move in ("report", "forfeit"):
            return self._result_name(offer)
        return NAMES[move]

    def _result_name(self, offer: Offer) -> str:
        attack = self.position.attacks[offer.given["attack"] - 1]
        how = offer.key.rsplit("-", 1)[1] if offer.move == "report" else "forfeit"
        ways = {
            "routed": "by shares", "off": "called off", "winner": "by its winner", "naval": "of a naval battle",
            "forfeit": "forfeit",
        }  # fmt: skip
        return f"#{attack.id} {self.province(attack.target)}: {ways[how]}"

    def offer_sub(self, offer: Offer) -> str:
        if offer.move != "build":
            return ""
        culture = self.scenario.nations[offer.seat].culture
        built = self.position.rules.structures[culture][offer.given["structure"]]
        name = book()["tracks"][built.track]
        name = name if isinstance(name, str) else name[culture]
        track = self.position.rules.track(culture, built.track)
        return f"{name} {track.index(built) + 1} of {len(track)}"

    def offer_about(self, offer: Offer) -> str:
        if offer.move == "attack":
            sources = list(offer.values("from") or ())
            targets = {t for source in sources for t in offer.values("target", {"from": source}) or ()}
            if offer.given["kind"] == "independent" and len(targets) <= MANY:
                return f"{self._names(targets)} from {self._names(sources)}"
            return f"from {_count(sources, 'province')} on {_count(targets, 'target')}"
        if offer.move in ("fortify", "fleet"):
            return f"in {self._names(offer.values('province') or ())}"
        if offer.move == "play":
            if offer.key == "play-diplomat-province":
                return "an independent neighbour joins you without fighting, +50t"
            if offer.key == "play-diplomat-truce":
                return "neither attacks the other to the end of the next turn; battles launched go on"
            return str(book()["card_texts"][offer.given["card"]])
        if offer.move == "take":
            return "they get one card of your hand"
        return ABOUT.get(offer.move, "")

    def _names(self, keys: Any) -> str:
        names = sorted(self.province(key) for key in keys)
        if len(names) > MANY:
            return f"{', '.join(names[: MANY - 1])} and {len(names) - MANY + 1} more"
        return " or ".join([", ".join(names[:-1]), names[-1]]) if len(names) > 1 else "".join(names)

    def verb(self, offer: Offer) -> str:
        if offer.move == "respond":
            return {"accept": "Accept", "withdraw": "Withdraw", "escort": "Try the escort"}[str(offer.given["choice"])]
        return VERBS.get(offer.move, "Announce")

    def field_label(self, offer: Offer, field: Field) -> str:
        if field.key == "target" and offer.move == "play":
            return "Whose hand"
        return LABELS.get(field.key, talk.plain_name(field.key))

    def field_help(self, offer: Offer, field: Field, chosen: Mapping[str, Any]) -> str:
        if field.key == "change":
            return "With its sign; actions in halves."
        return ""

    def value_label(self, offer: Offer, field: Field, value: Any) -> str:
        if field.kind == "province":
            return self.province(value)
        if field.kind == "nation":
            return "nobody" if value is None else nation_name(self.scenario, value)
        if field.kind in ("card", "cards"):
            return card_name(value)
        if field.key == "battle":
            return str(book()["battles"].get(value, value))
        if field.key == "account":
            return capital(str(book()["accounts"].get(value, value)))
        if value in ("attacker", "defender") and "attack" in offer.given:
            attack = self.position.attacks[offer.given["attack"] - 1]
            return self._side(attack, value)
        return capital(str(value))

    def _side(self, attack: Any, side: str) -> str:
        """Who stands on this side, as people read it."""
        if side == "attacker":
            who = {"independent": "independents", "insurrection": "insurgents"}.get(attack.kind)
            return f"{nation_name(self.scenario, attack.attacker)}{f', {who}' if who else ''} (attacker)"
        name = nation_name(self.scenario, attack.defender) if attack.defender else "Independents"
        return f"{name} (defender)"

    def final(self, raw: Mapping[str, Any], position: Any) -> str:
        if raw["move"] == "end-slot":
            left = position.nations[raw.get("for", raw["by"])].actions
            if not left:
                return ""
            lapse = f"{half(left)} {'action lapses' if left <= 2 else 'actions lapse'}"
            return f"{lapse}. Attacks go on; challenges can still be answered."
        if raw["move"] == "respond" and raw.get("choice") == "withdraw":
            return "The province is given up at once."
        if raw.get("card") == "assassin" and position.options.hidden:
            return "The hand is hidden: you see how many cards it holds afterwards, not which one was lost."
        if raw["move"] in ("report", "forfeit"):
            return "All that follows is posted at once."
        return ""

    def deed(self, raw: Mapping[str, Any]) -> str:
        move = raw["move"]
        if move == "build":
            return structure_name(raw["structure"])
        if move == "fortify":
            return f"Fortification of {self.province(raw['province'])}"
        if move == "fleet":
            return f"Fleet in {self.province(raw['province'])}"
        if move == "attack":
            return f"Attack on {self.province(raw['target'])}"
        if move == "respond":
            return f"Answer to #{raw['attack']}"
        if move == "play":
            return card_name(raw["card"])
        if move == "offer":
            return f"{card_name(raw['card'])} on the table"
        if move == "take":
            return f"Trade for {card_name(raw['card'])}"
        if move == "end-slot":
            return "End of the slot"
        if move == "keep":
            return "Order to the Bodyguard"
        return NAMES.get(move, capital(str(move).replace("-", " ")))

    def moved(self, raw: Mapping[str, Any], effects: Sequence[Effect]) -> str:
        seat = raw.get("for", raw["by"])
        if seat == "gm":
            return capital(f"{self.title.move_line(self.scenario, raw, effects)}.")
        levels = {e.subject: e.balance for e in effects if e.kind == "account" and e.holder == seat and e.subject != "actions"}
        what = ", ".join(f"{self.account_name(account)} {self.amount(account, level)}" for account, level in levels.items())
        return f"{self.deed(raw)} announced{': ' + what if what else ''}."

    # What follows

    def cascade(self, effect: Effect) -> bool:
        return effect.cause.id.startswith("threshold-") or effect.cause.id in CASCADES

    def mark(self, effect: Effect) -> Mark | None:
        return mark(self.scenario, effect)

    def untouched(self, key: str) -> str:
        kind, _, subject = key.partition("-")
        if kind == "holding":
            owner = self.position.owner.get(subject)
            return f"stays with {self.the(owner)}" if owner else "stays independent"
        return "stays" if kind == "structure" else "–"

    def branch(self, branch: Branch) -> tuple[str, str]:
        path = branch.path or (branch.what,)
        label = ", ".join(SPLITS.get(say.id) or self.title.speak(self.scenario, say) for say in path)
        return label, self._rolls(branch) if len(path) == 1 else ""

    def _rolls(self, branch: Branch) -> str:
        favourable, of = branch.chance
        if branch.what.id in ("siege-taken", "escort-forced"):
            return f"{of - favourable + 1}–{of}"
        if branch.what.id in ("siege-held", "escort-failed"):
            return f"1–{favourable}"
        return ""

    def hint(self, after: Any, holder: str, account: str) -> str:
        return hint(self.position, after, holder, account)

    def notes(self, raw: Mapping[str, Any], after: Any) -> Sequence[tuple[str, str]]:
        begun = raw["move"] == "attack" or raw.get("card") == "local-insurrection"
        if not begun or len(after.attacks) == len(self.position.attacks):
            return ()
        attack = after.attacks[-1]
        army = self.scenario.provinces[attack.target].army
        if attack.defender is None:
            lead = f"led by {self.the(attack.leader)}" if attack.leader else "led by nobody"
            return ((f"{army}, {attack.points_defender} points, {lead}. No answer is needed.", "7.9"),)
        army = self.scenario.nations[attack.defender].army
        who = capital(self.the(attack.defender))
        return ((f"{army}, {attack.points_defender} points. {who} answer: they accept or withdraw.", "7.8"),)

    def outcomes(self, raw: Mapping[str, Any], after: Any) -> Sequence[Outcome]:
        seat = raw.get("for", raw["by"])
        begun = raw["move"] == "attack" or raw.get("card") == "local-insurrection"
        if begun and len(after.attacks) > len(self.position.attacks):
            number = len(after.attacks)
        elif raw["move"] == "respond" and raw.get("choice") != "withdraw":
            number = raw["attack"]
        else:
            return ()
        fought = after.copy()
        attack = fought.attacks[number - 1]
        if attack.status == "resolved":
            return ()
        # The battle itself: answer and encounter lie before it and are told by themselves.
        attack.status, attack.encountered = "fighting", True
        ours, theirs = ("attacker", "defender") if attack.attacker == seat else ("defender", "attacker")
        you = "you" if raw["by"] == seat else self.the(seat)
        ends = []
        for label, winner in ((f"If {you} win", ours), (f"If {you} lose", theirs), ("If it is drawn", "draw")):
            report = {"by": "gm", "move": "report", "attack": number, "winner": winner}
            try:
                found = self.title.branches(fought, self.title.decode(report, fought))
            except IllegalMove:
                continue
            ends.append(Outcome(label, found))
        return ends


def _count(things: Any, name: str) -> str:
    return f"{len(things)} {name}{'' if len(things) == 1 else 's'}"
