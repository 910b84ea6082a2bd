"""Cards that a nation plays in its own slot (4.5 to 4.10, 4.14), offers, exchanges and orders.

Each playable card is a class, which the move `play` finds by the card's name.
"""

from __future__ import annotations

from typing import Any, ClassVar

from engine.dice import Dice
from engine.effects import Phrase
from engine.errors import IllegalMove
from games.grand_campaign.rules import attacks
from games.grand_campaign.rules.attacks import launch
from games.grand_campaign.rules.form import (
    GrandMove,
    Reader,
    SlotMove,
    a_card,
    a_nation,
    a_province,
    bad,
    flag,
    one_of,
    register,
)
from games.grand_campaign.rules.position import Attack, Position, Truce, would_crumble

DESTROYABLE = ("chancellor", "diplomat", "spy", "traitor")


@register("play")
class PlayCard(SlotMove):
    """The play of a card from the hand in the nation's own slot (4.1)."""

    form: ClassVar[dict[str, Reader]] = {
        "card": a_card,
        "target": a_nation,
        "steal": a_card,
        "destroy": one_of(*DESTROYABLE),
        "province": a_province,
        "truce": a_nation,
        "battle": one_of("open", "flank-march", "remove-the-head"),
    }
    card: str
    target: str | None = None
    steal: str | None = None
    destroy: str | None = None
    province: str | None = None
    truce: str | None = None
    battle: str | None = None

    def admit(self, position: Position) -> None:
        playable = PLAYABLE.get(self.card)
        if playable is not None:
            named = {key for key in self.form if key != "card" and getattr(self, key) is not None}
            wrong = named - playable.keys
            if wrong:
                raise bad("unknown-argument", key=min(wrong), move=f"play {self.card}")
            playable.shape(self, position)
        SlotMove.admit(self, position)

    def named_nations(self) -> tuple[str | None, ...]:
        return (self.target, self.truce)

    def check(self, position: Position) -> None:
        playable = PLAYABLE.get(self.card)
        if playable is None:
            raise IllegalMove("card-not-playable", "4.1", "card-not-in-slot", card=self.card)
        playable.map_rules(self, position)
        if self.card not in position.nations[self.seat].hand:
            raise IllegalMove("no-such-card", "4.1", card=self.card)
        playable.conditions(self, position)

    def apply(self, position: Position, dice: Dice) -> None:
        playable = PLAYABLE[self.card]
        cause = Phrase(f"plays-{self.card}", playable.rule)
        position.lose_card(self.seat, self.card, cause)
        playable.effect(self, position, dice, cause)


class Card:
    """The rule of a card: the arguments it takes, its conditions and its effect."""

    rule: ClassVar[str]
    keys: ClassVar[frozenset[str]] = frozenset()

    def shape(self, move: PlayCard, position: Position) -> None:
        """Check that the right arguments are there."""

    def map_rules(self, move: PlayCard, position: Position) -> None:
        """Check ownership, map, protection and truces."""

    def conditions(self, move: PlayCard, position: Position) -> None:
        """Check further conditions, after the card is known to be in the hand."""

    def effect(self, move: PlayCard, position: Position, dice: Dice, cause: Phrase) -> None:
        """Apply the effect; the card has already left the hand."""


def needed(value: str | None, key: str) -> str:
    """Return the argument, which must be there."""
    if value is None:
        raise bad("argument-missing", key=key)
    return value


def refuse_oneself(move: PlayCard, other: str) -> None:
    if other == move.seat:
        raise bad("on-oneself", card=move.card)


class Chancellor(Card):
    """A card that gives additional actions in the slot (4.7)."""

    rule = "4.7"

    def effect(self, move: PlayCard, position: Position, dice: Dice, cause: Phrase) -> None:
        position.change(move.seat, "actions", position.rules.chancellor_actions, cause)


class Mercenaries(Card):
    """A card that replenishes a depleted army for talents (4.14)."""

    rule = "4.14"

    def conditions(self, move: PlayCard, position: Position) -> None:
        nation, army = position.nations[move.seat], position.rules.army
        if nation.army >= army["full"]:
            raise IllegalMove("army-not-depleted", "4.14", army=nation.army, full=army["full"])
        if nation.income < army["mercenaries_talents"]:
            raise IllegalMove(
                "income-too-low", "4.14", income=nation.income, needed=army["mercenaries_talents"]
            )
        if would_crumble(position, move.seat, "income", -army["mercenaries_talents"]):
            raise IllegalMove("would-crumble", "3.6", nation=move.seat)

    def effect(self, move: PlayCard, position: Position, dice: Dice, cause: Phrase) -> None:
        nation, army = position.nations[move.seat], position.rules.army
        position.change(
            move.seat, "army", min(army["mercenaries"], army["full"] - nation.army), cause
        )
        position.change(move.seat, "income", -army["mercenaries_talents"], cause)


class Spy(Card):
    """A card that steals a card from another hand (4.6).

    The player names the card if hands are open; it is drawn at random if they are hidden.
    """

    rule = "4.6"
    keys = frozenset({"target", "steal"})

    def shape(self, move: PlayCard, position: Position) -> None:
        refuse_oneself(move, needed(move.target, "target"))
        if position.options.hidden:
            if move.steal is not None:
                raise bad("steal-is-random")
        else:
            needed(move.steal, "steal")

    def conditions(self, move: PlayCard, position: Position) -> None:
        hand = position.nations[needed(move.target, "target")].hand
        if not hand:
            raise IllegalMove("no-such-card", "4.6", "empty-hand", nation=move.target)
        if move.steal is not None and move.steal not in hand:
            raise IllegalMove(
                "no-such-card", "4.6", "not-in-their-hand", nation=move.target, card=move.steal
            )

    def effect(self, move: PlayCard, position: Position, dice: Dice, cause: Phrase) -> None:
        thief, victim = position.nations[move.seat], needed(move.target, "target")
        hand = position.nations[victim].hand
        audience = position.private(move.seat, victim)
        stolen = move.steal
        if stolen is None:
            thief.spies += 1
            again = f"/{thief.spies}" if thief.spies > 1 else ""
            roll = dice.roll(
                f"turn-{position.turn}/spy/{move.seat}{again}", len(hand), position.turn, audience
            )
            if roll > len(hand):
                raise bad("roll-beyond-hand", roll=roll)
            stolen = hand[roll - 1]
        position.lose_card(victim, stolen, Phrase("stolen", "4.6", {"thief": move.seat}), audience)
        position.gain_card(move.seat, stolen, Phrase("steals", "4.6", {"victim": victim}), audience)


class Assassin(Card):
    """A card that destroys a card in another hand, unless a Bodyguard prevents it (4.10)."""

    rule = "4.10"
    keys = frozenset({"target", "destroy"})

    def shape(self, move: PlayCard, position: Position) -> None:
        refuse_oneself(move, needed(move.target, "target"))
        needed(move.destroy, "destroy")

    def conditions(self, move: PlayCard, position: Position) -> None:
        if (
            not position.options.hidden
            and move.destroy not in position.nations[needed(move.target, "target")].hand
        ):
            raise IllegalMove(
                "no-such-card", "4.10", "not-in-their-hand", nation=move.target, card=move.destroy
            )

    def effect(self, move: PlayCard, position: Position, dice: Dice, cause: Phrase) -> None:
        victim, named = needed(move.target, "target"), needed(move.destroy, "destroy")
        nation = position.nations[victim]
        if named not in nation.hand:
            return
        audience = position.private(victim)
        if "bodyguard" in nation.hand and not nation.keep:
            position.lose_card(
                victim, "bodyguard", Phrase("bodyguard-spent", "4.10", {"card": named}), audience
            )
        else:
            position.lose_card(
                victim, named, Phrase("assassinated", "4.10", {"by": move.seat}), audience
            )


class Diplomat(Card):
    """A card that wins an independent province or makes a truce (4.8).

    The province must be a neighbour unless an option allows any.
    """

    rule = "4.8"
    keys = frozenset({"province", "truce"})

    def shape(self, move: PlayCard, position: Position) -> None:
        if (move.province is None) == (move.truce is None):
            raise bad("province-or-truce")
        if move.truce is not None:
            refuse_oneself(move, move.truce)

    def map_rules(self, move: PlayCard, position: Position) -> None:
        province = move.province
        if province is None:
            return
        owner = position.owner[province]
        if owner == move.seat:
            raise IllegalMove("own-province", "4.8", province=province)
        if owner is not None:
            raise IllegalMove("not-independent", "4.8", "target-not-independent", province=province)
        attacks.refuse_external(position, None, province)
        if position.options.diplomat == "bordering":
            self._bordering(position, move.seat, province)
        attacks.refuse_under_attack(position, province, "4.8")

    def _bordering(self, position: Position, seat: str, province: str) -> None:
        """Refuse a province that borders no province of the nation by land or by sea route."""
        sea = position.scenario.sea[province]
        by_sea = any(position.owner[other] == seat for other in sea)
        if not by_sea and not position.neighbours_land(seat, province):
            raise IllegalMove("not-adjacent", "4.8", "not-bordering", province=province)

    def effect(self, move: PlayCard, position: Position, dice: Dice, cause: Phrase) -> None:
        if move.province is not None:
            position.set_owner(
                move.province, move.seat, Phrase("wins-over", "4.8", {"province": move.province})
            )
            position.change(move.seat, "income", position.rules.talents["card_conquest"], cause)
            return
        other = needed(move.truce, "truce")
        pair = (move.seat, other) if move.seat < other else (other, move.seat)
        until = position.turn + position.rules.truce_turns - 1
        facts = {"nation": other, "until": until}
        for n, truce in enumerate(position.truces):
            if truce.nations == pair:
                position.truces[n] = Truce(pair, max(until, truce.until))
                break
        else:
            position.truces.append(Truce(pair, until))
        position.note("truce", move.seat, other, Phrase("truce", "4.8", facts), until=until)


class Traitor(Card):
    """A card by which a neighbouring province of another nation changes sides (4.9)."""

    rule = "4.9"
    keys = frozenset({"province"})

    def shape(self, move: PlayCard, position: Position) -> None:
        needed(move.province, "province")

    def map_rules(self, move: PlayCard, position: Position) -> None:
        province = needed(move.province, "province")
        owner = enemy_province(move, position, province)
        attacks.refuse_capital(position, province, "4.9")
        if not position.neighbours_land(move.seat, province):
            raise IllegalMove("not-adjacent", "4.9", "not-bordering", province=province)
        attacks.refuse_starting_point(position, province)
        attacks.refuse_under_attack(position, province, "4.9")
        attacks.refuse_truce(position, move.seat, owner)

    def effect(self, move: PlayCard, position: Position, dice: Dice, cause: Phrase) -> None:
        province, talents = needed(move.province, "province"), position.rules.talents
        loser = position.owner[province]
        with position.posting():
            position.set_owner(
                province, move.seat, Phrase("betrayed", "4.9", {"province": province})
            )
            position.change(move.seat, "income", talents["card_conquest"], cause)
            if loser is not None:
                position.change(
                    loser,
                    "income",
                    -talents["loss"],
                    Phrase("betrayed", "4.9", {"province": province}),
                )


class LocalInsurrection(Card):
    """A card that makes insurgents rise in a border province of another nation (4.5).

    The nation that plays the card leads them.
    """

    rule = "4.5"
    keys = frozenset({"province", "battle"})

    def shape(self, move: PlayCard, position: Position) -> None:
        needed(move.province, "province")

    def map_rules(self, move: PlayCard, position: Position) -> None:
        province = needed(move.province, "province")
        owner = enemy_province(move, position, province)
        attacks.refuse_capital(position, province, "4.5")
        external = position.scenario.external
        if all(
            position.owner[p] == owner or p in external for p in position.scenario.land[province]
        ):
            raise IllegalMove("not-border-province", "4.5", province=province)
        attacks.check_target(position, province)
        attacks.refuse_truce(position, move.seat, owner)

    def effect(self, move: PlayCard, position: Position, dice: Dice, cause: Phrase) -> None:
        province = needed(move.province, "province")
        attack = Attack(
            len(position.attacks) + 1, "insurrection", position.turn, move.seat, None, province
        )
        attack.battle = move.battle or "open"
        attack.points_attacker = position.rules.army["independent"]
        launch(position, attack, Phrase("insurrection", "4.5", {"target": province}))


def enemy_province(move: PlayCard, position: Position, province: str) -> str:
    """Return the other nation that owns the province, and refuse any other province (4.5, 4.9)."""
    owner = position.owner[province]
    if owner == move.seat:
        raise IllegalMove("own-province", PLAYABLE[move.card].rule, province=province)
    attacks.refuse_external(position, None, province)
    if owner is None:
        raise IllegalMove(
            "not-allowed",
            PLAYABLE[move.card].rule,
            "card-on-independent",
            province=province,
            card=move.card,
        )
    return owner


PLAYABLE: dict[str, Card] = {
    "assassin": Assassin(),
    "chancellor": Chancellor(),
    "diplomat": Diplomat(),
    "local-insurrection": LocalInsurrection(),
    "mercenaries": Mercenaries(),
    "spy": Spy(),
    "traitor": Traitor(),
}


# Cards on the table, and the Bodyguard's orders (4.3, 4.10).

ALWAYS = ("setup", "slots", "battles", "closed", "finished")


@register("offer")
class OfferCard(SlotMove):
    """The offer of a card on the table until the owner's next slot opens (4.3)."""

    form: ClassVar[dict[str, Reader]] = {"card": a_card}
    card: str

    def check(self, position: Position) -> None:
        if self.card not in position.nations[self.seat].hand:
            raise IllegalMove("no-such-card", "4.3", card=self.card)

    def apply(self, position: Position, dice: Dice) -> None:
        cause = Phrase("offers", "4.3", {"card": self.card})
        position.lose_card(self.seat, self.card, cause)
        position.gain_card(self.seat, self.card, cause, None, "table")


@register("take")
class TakeCard(SlotMove):
    """The exchange of a card in the hand for a card on another nation's table (4.3)."""

    form: ClassVar[dict[str, Reader]] = {"from": a_nation, "card": a_card, "give": a_card}
    source: str
    card: str
    give: str

    def admit(self, position: Position) -> None:
        if self.source == self.seat:
            raise bad("on-oneself", card=self.card)
        SlotMove.admit(self, position)

    def named_nations(self) -> tuple[str | None, ...]:
        return (self.source,)

    def check(self, position: Position) -> None:
        if self.card not in position.nations[self.source].table:
            raise IllegalMove(
                "no-such-card", "4.3", "not-on-their-table", nation=self.source, card=self.card
            )
        if self.give not in position.nations[self.seat].hand:
            raise IllegalMove("no-such-card", "4.3", card=self.give)

    def apply(self, position: Position, dice: Dice) -> None:
        cause = Phrase("trades", "4.3", {"from": self.source, "to": self.seat})
        both = position.private(self.seat, self.source)
        position.lose_card(self.source, self.card, cause, None, "table")
        position.gain_card(self.seat, self.card, cause)
        position.lose_card(self.seat, self.give, cause, both)
        position.gain_card(self.source, self.give, cause, both)


def a_bodyguard(position: Position, value: Any) -> str:
    if a_card(position, value) != "bodyguard":
        raise bad("only-bodyguard")
    return "bodyguard"


@register("keep")
class Keep(GrandMove):
    """The decision whether to keep a Bodyguard when an Assassin comes (4.10)."""

    form: ClassVar[dict[str, Reader]] = {"card": a_bodyguard, "value": flag}
    phases: ClassVar[tuple[str, ...]] = ALWAYS
    card: str
    value: bool

    def apply(self, position: Position, dice: Dice) -> None:
        position.nations[self.seat].keep = self.value
        cause = Phrase("keeps" if self.value else "keeps-not", "4.10")
        position.note("seat", self.seat, "keep", cause, value=self.value)
