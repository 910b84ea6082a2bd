"""The words of the Grand Campaign for offers and for their consequences."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from functools import cache
from typing import ClassVar

from engine.effects import Effect
from engine.errors import IllegalMove
from engine.language import (
    capitalize,
    language,
    localize_number,
    ngettext,
    npgettext,
    pgettext,
    pgettext_noop,
    plain_name,
    sentence,
)
from engine.language import gettext as _
from engine.language import gettext_noop as noop
from engine.shares import whole_percents
from games.contract.move_words import Group, Mark, Outcome
from games.contract.plain import RawMove
from games.contract.title import Branch, Field, Offer, Title
from games.grand_campaign.rules.attacks import (
    TECHNOLOGY,
    encounter_chances,
    encounter_due,
    escort_chance,
    escort_right,
)
from games.grand_campaign.rules.position import Attack, Position
from games.grand_campaign.rules.scenario import Scenario
from games.grand_campaign.text import effect_marks, level_hints, other_words
from games.grand_campaign.text.words import (
    amount,
    book,
    card_name,
    card_text,
    dice_decisions,
    nation_name,
    other_names,
    province_name,
    structure_name,
    truce_text,
)
from games.kit.move_words import PlainMoveWords

GROUPS = (
    Group("answer", noop("Answers"), noop("to a challenge")),
    Group("fiscal", noop("Fiscal"), noop("stability for money, money for stability")),
    Group("construction", noop("Construction"), noop("in their order, once each")),
    Group("military", noop("Military"), noop("fortify, arm, attack")),
    Group("covert", noop("Covert"), noop("from an independent province")),
    Group("cards", noop("Cards"), noop("played during your own turn")),
    Group("trade", noop("Trade"), noop("one card for one card")),
    Group("slot", noop("End of the turn")),
    Group("turn", noop("Turn")),
    Group("result", noop("Results")),
    Group("correction", noop("Corrections"), noop("in public, with a reason")),
)
NAMES = {
    "tax-exemption": pgettext_noop("name of a move", "Tax exemption"),
    "tax-increase": pgettext_noop("name of a move", "Tax increase"),
    "fleet": pgettext_noop("name of a move", "Fleet"),
    "siege-train": pgettext_noop("name of a move", "Siege train"),
    "provincial-levy": pgettext_noop("name of a move", "Provincial levy"),
    "barracks": pgettext_noop("name of a move", "Barracks"),
    "offer": pgettext_noop("name of a move", "Put a card on the table"),
    "end-slot": pgettext_noop("name of a move", "End turn"),
    "start": pgettext_noop("name of a move", "Start the campaign"),
    "adjust": pgettext_noop("name of a move", "Adjust an account"),
    "set-owner": pgettext_noop("name of a move", "Give a province"),
    "give-card": pgettext_noop("name of a move", "Give a card"),
    "discard-card": pgettext_noop("name of a move", "Remove a card"),
    "set-structures": pgettext_noop("name of a move", "Set structures"),
    "set-assets": pgettext_noop("name of a move", "Set barracks and siege trains"),
    "set-fortification": pgettext_noop("name of a move", "Set a fortification"),
    "set-fleet": pgettext_noop("name of a move", "Add or remove a fleet"),
}
ANSWERS = {
    "accept": pgettext_noop("answer to an attack", "Accept"),
    "withdraw": pgettext_noop("answer to an attack", "Withdraw"),
    "escort": pgettext_noop("answer to an attack", "Answer with an escort"),
}
LABELS = {
    "from": pgettext_noop("field of a move", "From"),
    "target": pgettext_noop("field of a move", "Target"),
    "battle": pgettext_noop("field of a move", "Battle"),
    "siege_train": pgettext_noop("field of a move", "Use a siege train"),
    "cards": pgettext_noop("field of a move", "Cards"),
    "province": pgettext_noop("field of a move", "Province"),
    "give": pgettext_noop("field of a move", "Give"),
    "card": pgettext_noop("field of a move", "Card"),
    "truce": pgettext_noop("field of a move", "Truce with"),
    "steal": pgettext_noop("field of a move", "Steal"),
    "destroy": pgettext_noop("field of a move", "Destroy"),
    "routed": pgettext_noop("field of a move", "Routed share of each side’s own army, %"),
    "winner": pgettext_noop("field of a move", "Winner"),
    "naval": pgettext_noop("field of a move", "Winner of the naval battle"),
    "side": pgettext_noop("field of a move", "Losing side"),
    "nation": pgettext_noop("field of a move", "Nation"),
    "account": pgettext_noop("field of a move", "Account"),
    "change": pgettext_noop("field of a move", "Change"),
    "reason": pgettext_noop("field of a move", "Reason, visible to everyone"),
    "owner": pgettext_noop("field of a move", "New owner"),
    "structures": pgettext_noop("field of a move", "Structures that are built"),
    "barracks": pgettext_noop("field of a move", "Barracks"),
    "siege_trains": pgettext_noop("field of a move", "Siege trains"),
    "fortification": pgettext_noop("field of a move", "Fortification"),
    "fleet": pgettext_noop("field of a move", "Fleet"),
}
VERBS = {
    "attack": noop("Announce the attack"),
    "end-slot": noop("End turn"),
    "report": noop("Enter the result"),
    "forfeit": noop("Award by forfeit"),
    "adjust": noop("Make the correction"),
    "set-owner": noop("Make the correction"),
    "give-card": noop("Make the correction"),
    "discard-card": noop("Make the correction"),
    "start": noop("Start the campaign"),
    "open-turn": noop("Open the turn"),
    "set-structures": noop("Make the correction"),
    "set-assets": noop("Make the correction"),
    "set-fortification": noop("Make the correction"),
    "set-fleet": noop("Make the correction"),
}
VERBS_ALONE = {
    "attack": pgettext_noop("button of a move", "Attack now"),
    **dict.fromkeys(
        ("build", "fortify", "fleet", "siege-train", "barracks"),
        pgettext_noop("button of a move", "Build it"),
    ),
    "play": pgettext_noop("button of a move", "Play it"),
    "take": pgettext_noop("button of a move", "Take it"),
    "provincial-levy": pgettext_noop("button of a move", "Raise it"),
}
"""The verbs of moves in a practice game, where no other person reads announcements."""
ABOUT = {
    "siege-train": noop("lowers fortifications by {n} in one attack"),
    "barracks": noop("allow provincial levies"),
    "offer": noop("until your next turn"),
    "keep": noop("what it does against an Assassin"),
}
SHEET: dict[str, dict[object, str]] = {
    "structures": {},
    "fortification": {None: noop("none")},
    "fleet": {True: noop("add a fleet"), False: noop("remove the fleet")},
    "barracks": {True: noop("yes"), False: noop("no")},
}
"""The values of the fields that correct a nation's sheet; other values are structures."""
WAYS = {
    "routed": noop("{contest}: by shares routed"),
    "off": noop("{contest}: called off"),
    "winner": noop("{contest}: by winner"),
    "naval": noop("{contest}: naval battle"),
    "forfeit": noop("{contest}: forfeit"),
}
SYNONYMS = {
    "en": {
        "invade": "attack",
        "assault": "attack",
        "strike": "attack",
        "op": "attack",
        "sea": "amphibious",
        "seaborne": "amphibious",
        "higher": "raise",
        "hike": "raise",
        "ships": "fleet",
        "fortification": "fortify",
        "finish": "end",
        "close": "end",
        "pass": "end turn",
        "eos": "end turn",
        "slot": "turn",
        "flank": "flank march",
        "insurrection": "local insurrection",
        "retreat": "withdraw",
        "fight": "accept",
        "defend": "accept",
    },
    "it": {
        "invado": "attacco",
        "invadiamo": "attacco",
        "mare": "anfibio",
        "fine": "terminano",
        "chiudo": "terminano",
        "chiudiamo": "terminano",
        "passo": "terminano turno",
        "passiamo": "terminano turno",
        "fase": "turno",
        "clandestino": "coperto",
        "clandestini": "coperti",
        "navi": "flotta",
        "fianco": "marcia fianco",
        "ritirata": "ritirano",
        "combatto": "accettano",
    },
    "de": {
        "angriff": "greifen",
        "angreifen": "greifen",
    },
    "es": {
        "subimos": "suben",
        "subo": "suben",
    },
}
MOVE_NOUNS = {
    "fortify": noop("Fortification of {province}"),
    "fleet": noop("Fleet in {province}"),
    "attack": noop("Attack on {province}"),
    "respond": noop("Answer to #{number}"),
    "offer": noop("{card} on the table"),
    "take": noop("Trade for {card}"),
    "end-slot": noop("End of the turn"),
    "keep": noop("Order to the Bodyguard"),
}
"""The names of moves as nouns, for the button that takes them back."""
CASCADES = ("crumbles", "without-provinces", "lapses", "led-anew")
SPLITS = {
    "escort-forced": noop("escort forced"),
    "escort-failed": noop("no escort"),
    "siege-held": noop("held"),
    "siege-taken": noop("taken"),
}
MANY = 6


@cache
def groups_of(_language: str) -> list[Group]:
    """Return the groups of offers in the reader's language."""
    return [
        Group(group.key, _(group.name), _(group.note) if group.note else "") for group in GROUPS
    ]


class GrandMoveWords(PlainMoveWords):
    """The words of the Grand Campaign for offers and previews."""

    scenario: Scenario
    position: Position

    def __init__(self, title: Title, scenario: Scenario, position: Position) -> None:
        super().__init__(title, scenario, position)
        self.groups = groups_of(language())
        self.synonyms = SYNONYMS.get(language(), {})
        self.things = other_words.things()
        self.moves_of_things = {
            key: {"move": "build", "structure": key}
            for tracks in position.rules.structures.values()
            for key in tracks
        }
        self.phrases = other_words.PHRASES
        self.foreign = {"fr": other_words.FRENCH}

    def other_names(self, kind: str, key: str) -> Sequence[str]:
        if kind == "card":
            return other_words.CARDS.get(key, ())
        table = {"province": "provinces", "nation": "nations"}.get(kind, "")
        return other_names(self.scenario, table, key) if table else ()

    def province(self, key: str) -> str:
        return province_name(self.scenario, key)

    def nation(self, key: str | None) -> str:
        return nation_name(self.scenario, key)

    # Offers

    def offer_name(self, offer: Offer) -> str:
        make = self.OFFER_NAMES.get(offer.move)
        if make is not None:
            return make(self, offer)
        return pgettext("name of a move", NAMES[offer.move])

    def _name_of_structure(self, offer: Offer) -> str:
        return structure_name(offer.given["structure"])

    def _name_of_fortification(self, offer: Offer) -> str:
        return structure_name(offer.key.removeprefix("fortify-"))

    def _name_of_attack(self, offer: Offer) -> str:
        kind = offer.given["kind"]
        if kind != "independent":
            return capitalize(book()["kinds"][kind])
        nation = self.nation(offer.key.removeprefix("attack-independent-"))
        return sentence(_("Covert attack on {nation:the}"), nation=nation)

    def _name_of_answer(self, offer: Offer) -> str:
        return pgettext("answer to an attack", ANSWERS[offer.given["choice"]])

    def _name_of_card(self, offer: Offer) -> str:
        endings = {
            "play-diplomat-province": _("{card}: a province"),
            "play-diplomat-truce": _("{card}: a truce"),
        }
        text = endings.get(offer.key, "{card}")
        return sentence(text, card=card_name(offer.given["card"]))

    def _name_of_trade(self, offer: Offer) -> str:
        card, nation = card_name(offer.given["card"]), self.nation(offer.given["from"])
        return sentence(_("Take {card} from {nation:the}"), card=card, nation=nation)

    def _name_of_order(self, offer: Offer) -> str:
        return (
            _("Keep the Bodyguard back")
            if offer.given["value"]
            else _("Put the Bodyguard on guard")
        )

    def _name_of_turn(self, offer: Offer) -> str:
        return sentence(_("Open turn {turn}"), turn=self.position.turn + 1)

    def _name_of_result(self, offer: Offer) -> str:
        attack = self.position.attacks[offer.given["attack"] - 1]
        way = offer.key.rsplit("-", 1)[1] if offer.move == "report" else "forfeit"
        return sentence(_(WAYS[way]), contest=f"#{attack.id} {self.province(attack.target)}")

    OFFER_NAMES: ClassVar[dict[str, Callable[[GrandMoveWords, Offer], str]]] = {
        "build": _name_of_structure,
        "fortify": _name_of_fortification,
        "attack": _name_of_attack,
        "respond": _name_of_answer,
        "play": _name_of_card,
        "take": _name_of_trade,
        "keep": _name_of_order,
        "open-turn": _name_of_turn,
        "report": _name_of_result,
        "forfeit": _name_of_result,
    }

    def offer_sub(self, offer: Offer) -> str:
        if offer.move != "build":
            return ""
        culture = self.scenario.nations[offer.seat].culture
        built = self.position.rules.structures[culture][offer.given["structure"]]
        name = book()["tracks"][built.track]
        name = name if isinstance(name, str) else name[culture]
        track = self.position.rules.track(culture, built.track)
        return sentence(_("{name} {n} of {of}"), name=name, n=track.index(built) + 1, of=len(track))

    def offer_about(self, offer: Offer) -> str:
        if offer.move == "attack":
            return self._about_attack(offer)
        if offer.move in ("fortify", "fleet"):
            provinces = self._names(offer.values("province") or ())
            return sentence(_("in {provinces}"), provinces=provinces)
        if offer.move == "play":
            return self._about_card(offer)
        if offer.move == "take":
            return _("they get one card from your hand")
        if offer.move in ABOUT:
            return sentence(_(ABOUT[offer.move]), n=self.position.rules.siege_train)
        return ""

    def _about_attack(self, offer: Offer) -> str:
        """Return the starting points and targets of an attack."""
        sources = list(offer.values("from") or ())
        targets = {
            target
            for source in sources
            for target in offer.values("target", {"from": source}) or ()
        }
        if offer.given["kind"] == "independent" and len(targets) <= MANY:
            text, places = _("{targets} from {sources}"), self._names(sources)
            return sentence(text, targets=self._names(targets), sources=places)
        count = npgettext("move", "{n} province", "{n} provinces", len(sources))
        provinces = sentence(count, n=len(sources))
        count = ngettext("{n} target", "{n} targets", len(targets))
        aims = sentence(count, n=len(targets))
        return sentence(_("from {provinces} against {targets}"), provinces=provinces, targets=aims)

    def _about_card(self, offer: Offer) -> str:
        rules = self.position.rules
        if offer.key == "play-diplomat-province":
            text = _("an independent neighbour joins you without fighting, +{n}t")
            return sentence(text, n=rules.talents["card_conquest"])
        if offer.key == "play-diplomat-truce":
            text = _("neither attacks the other {how_long}; battles already launched continue")
            return sentence(text, how_long=truce_text(rules))
        return card_text(rules, offer.given["card"])

    def _names(self, keys: Iterable[str]) -> str:
        """Return provinces in alphabetical order; if there are many, only the first ones."""
        names = sorted(self.province(key) for key in keys)
        if len(names) > MANY:
            first = ", ".join(names[: MANY - 1])
            return sentence(_("{names} and {n} more"), names=first, n=len(names) - MANY + 1)
        if len(names) < 2:
            return "".join(names)
        return sentence(_("{names} or {last}"), names=", ".join(names[:-1]), last=names[-1])

    def verb(self, offer: Offer) -> str:
        if offer.move == "respond":
            return {
                "accept": pgettext("button", "Accept"),
                "withdraw": pgettext("button", "Withdraw"),
                "escort": _("Try the escort"),
            }[str(offer.given["choice"])]
        return _(VERBS.get(offer.move, noop("Announce")))

    def verb_alone(self, offer: Offer) -> str:
        if offer.move in VERBS_ALONE:
            return pgettext("button of a move", VERBS_ALONE[offer.move])
        if offer.move == "respond" or offer.move in VERBS:
            return self.verb(offer)
        return pgettext("button of a move", "Do it")

    def field_label(self, offer: Offer, field: Field) -> str:
        if field.key == "target" and offer.move == "play":
            return _("Whose hand")
        if field.key in LABELS:
            return pgettext("field of a move", LABELS[field.key])
        return plain_name(field.key)

    def field_help(self, offer: Offer, field: Field, chosen: Mapping[str, object]) -> str:
        if field.key == "change":
            return _("Include the sign. Half actions are allowed.")
        if field.key == "structures":
            return _(
                "The first structures of each track, in their order. They cost nothing, and "
                "nothing is gained or scored for them."
            )
        return ""

    def value_label(self, offer: Offer, field: Field, value: object) -> str:
        """Return a value of a field as users read it."""
        if field.kind == "province":
            return self.province(str(value))
        if field.kind == "nation":
            return nation_name(self.scenario, None if value is None else str(value))
        if field.key in SHEET:
            known = SHEET[field.key].get(value)
            return _(known) if known is not None else structure_name(str(value))
        if field.kind in ("card", "cards"):
            return card_name(str(value))
        return self._label_by_key(offer, field, value)

    def _label_by_key(self, offer: Offer, field: Field, value: object) -> str:
        """Return a value of a field whose key determines its kind."""
        if field.key == "battle":
            return str(book()["battles"].get(value, value))
        if field.key == "account":
            return capitalize(str(book()["accounts"].get(value, value)))
        if value in ("attacker", "defender") and "attack" in offer.given:
            attack = self.position.attacks[offer.given["attack"] - 1]
            return self._side(attack, value)
        return capitalize(str(value))

    def _side(self, attack: Attack, side: str) -> str:
        """Return the nation that fights on this side."""
        if side == "attacker":
            kinds = {
                "independent": _("{nation}, independents (attacker)"),
                "insurrection": _("{nation}, insurgents (attacker)"),
            }
            return sentence(
                kinds.get(attack.kind) or _("{nation} (attacker)"),
                nation=self.nation(attack.attacker),
            )
        if not attack.defender:
            return _("Independents (defender)")
        return sentence(_("{nation} (defender)"), nation=self.nation(attack.defender))

    def why_final(self, raw: RawMove, position: Position) -> str:
        if raw["move"] == "end-slot":
            left = position.nations[raw.get("for", raw["by"])].actions
            if not left:
                return ""
            text = ngettext(
                "{actions} lapses. Attacks continue, and challenges can still be answered.",
                "{actions} lapse. Attacks continue, and challenges can still be answered.",
                1 if left <= 2 else 2,
            )
            return sentence(text, actions=amount(left))
        if raw["move"] == "respond" and raw.get("choice") == "withdraw":
            return _("The province is given up at once.")
        if raw.get("card") == "assassin" and position.options.hidden:
            return _(
                "The hand is hidden: afterwards you see how many cards it holds, but not which "
                "one was lost."
            )
        if raw["move"] in ("report", "forfeit"):
            return _("All consequences take effect immediately.")
        return ""

    def move_noun(self, raw: RawMove) -> str:
        move = raw["move"]
        if move in MOVE_NOUNS:
            return sentence(_(MOVE_NOUNS[move]), **self._facts_of_noun(raw))
        if move == "build":
            return structure_name(raw["structure"])
        if move == "play":
            return card_name(raw["card"])
        if move in NAMES:
            return pgettext("name of a move", NAMES[move])
        return capitalize(str(move).replace("-", " "))

    def _facts_of_noun(self, raw: RawMove) -> dict[str, str]:
        """Return the facts that the name of a move may contain."""
        place = raw.get("target" if raw["move"] == "attack" else "province")
        facts = {"province": self.province(place)} if place else {}
        if "card" in raw:
            facts["card"] = card_name(raw["card"])
        if "attack" in raw:
            facts["number"] = str(raw["attack"])
        return facts

    def confirmation(self, raw: RawMove, effects: Sequence[Effect]) -> str:
        seat = raw.get("for", raw["by"])
        if seat == "gm":
            game_master = pgettext("move", "Game master")
            return f"{game_master} {self.title.move_line(self.scenario, raw, effects)}."
        levels = {
            e.subject: e.balance
            for e in effects
            if e.kind == "account" and e.holder == seat and e.subject != "actions"
        }
        what = ", ".join(
            f"{self.account_name(account)} {self.amount(account, level)}"
            for account, level in levels.items()
        )
        text = _("{deed} announced: {what}.") if what else _("{deed} announced.")
        return " ".join(
            [
                sentence(text, deed=self.move_noun(raw), what=what),
                *dice_decisions(self.scenario, effects),
            ]
        )

    # Consequences

    def cascade(self, effect: Effect) -> bool:
        return effect.cause.id.startswith("threshold-") or effect.cause.id in CASCADES

    def mark(self, effect: Effect) -> Mark | None:
        return effect_marks.mark(self.scenario, effect)

    def unchanged_text(self, key: str) -> str:
        kind, _dash, subject = key.partition("-")
        if kind == "holding":
            owner = self.position.owner.get(subject)
            return (
                sentence(_("stays with {nation:the}"), nation=self.nation(owner))
                if owner
                else _("stays independent")
            )
        return _("stays") if kind == "structure" else "–"

    def branch(self, branch: Branch) -> tuple[str, str]:
        path = branch.path or (branch.what,)
        label = ", ".join(
            _(SPLITS[phrase.id]) if phrase.id in SPLITS else self.title.speak(self.scenario, phrase)
            for phrase in path
        )
        return label, self._rolls(branch) if len(path) == 1 else ""

    def _rolls(self, branch: Branch) -> str:
        favourable, of = branch.chance
        if branch.what.id in ("siege-taken", "escort-forced"):
            return f"{of - favourable + 1}–{of}"
        if branch.what.id in ("siege-held", "escort-failed"):
            return f"1–{favourable}"
        return ""

    def hint(self, after: Position, holder: str, account: str) -> str:
        return level_hints.hint(self.position, after, holder, account)

    def notes(self, raw: RawMove, after: Position) -> Sequence[tuple[str, str]]:
        if not self._begins_attack(raw, after):
            return ()
        attack = after.attacks[-1]
        army = self.scenario.provinces[attack.target].army
        if attack.defender is None:
            text = _("{army}, {points} points, led by {nation:the}. No answer is needed.")
            if not attack.leader:
                text = _("{army}, {points} points, without a leader. No answer is needed.")
            return (
                (
                    sentence(
                        text,
                        army=army,
                        points=attack.points_defender,
                        nation=self.nation(attack.leader),
                    ),
                    "7.9",
                ),
            )
        army = self.scenario.nations[attack.defender].army
        text = _(
            "{army}, {points} points. {nation:The} {nation:answer: they accept or withdraw|answers:"
            " it accepts or withdraws}."
        )
        answer = sentence(
            text, army=army, points=attack.points_defender, nation=self.nation(attack.defender)
        )
        return ((answer, "7.8"), *self._escort_note(after, attack), *self._sea_note(after, attack))

    def _escort_note(self, after: Position, attack: Attack) -> Sequence[tuple[str, str]]:
        """Return a note on whether and how likely the defender can force an escort (7.8)."""
        if not self.scenario.nations[str(attack.defender)].escort or attack.kind == "insurrection":
            return ()
        forced, faces = escort_chance(after.rules)
        if not escort_right(after, attack):
            text = _("{nation:The} cannot force an escort against this army.")
        elif not forced:
            return ()
        else:
            text = _(
                "{nation:The} may answer with an escort. On {rolls} of a d{faces} ({chance}) the"
                " battle is an escort baggage train, in which {nation:the} {nation:attack|attacks}."
            )
        facts = {
            "rolls": f"{faces - forced + 1}–{faces}" if forced > 1 else str(faces),
            "faces": faces,
        }
        chance = percent(Fraction(forced, faces))
        return (
            (sentence(text, nation=self.nation(attack.defender), chance=chance, **facts), "7.8"),
        )

    def _sea_note(self, after: Position, attack: Attack) -> Sequence[tuple[str, str]]:
        """Return notes on a naval encounter with its odds (8.1).

        The defender's Naval Technology counts only as far as it is public: an open hand shows the
        card, a hidden hand shows only the number of its cards (4.2).
        """
        if not encounter_due(after, attack):
            return ()
        rules, own = after.rules, TECHNOLOGY in attack.cards_attacker
        notes = [
            (
                sentence(
                    _(
                        "An encounter at sea follows the answer, unless {nation:the}"
                        " {nation:withdraw|withdraws}. {odds}"
                    ),
                    nation=self.nation(attack.defender),
                    odds=self._sea_odds(
                        attack, encounter_chances(rules, rules.naval_technology * own)
                    ),
                ),
                "8.1",
            )
        ]
        hand = after.nations[str(attack.defender)].hand
        if hand if after.options.hidden else TECHNOLOGY in hand:
            text = _("If {nation:the} {nation:play|plays} Naval Technology: {odds}")
            odds = self._sea_odds(
                attack, encounter_chances(rules, rules.naval_technology * (own - 1))
            )
            notes.append((sentence(text, nation=self.nation(attack.defender), odds=odds), "4.11"))
        return notes

    def _sea_odds(self, attack: Attack, chances: tuple[int, int, int, int]) -> str:
        won, lost, even, every = chances
        shares = percents([Fraction(pairs, every) for pairs in (won, lost, even)])
        return sentence(
            _(
                "Chances: {won} that {attacker:the} {attacker:win|wins} and the battle follows; "
                "{lost} that {defender:the} {defender:win|wins}, the attack ends and its fleet is "
                "lost; {even} that neither side wins and the attack ends."
            ),
            attacker=self.nation(attack.attacker),
            defender=self.nation(attack.defender),
            **dict(zip(("won", "lost", "even"), shares, strict=True)),
        )

    def outcomes(self, raw: RawMove, after: Position) -> Sequence[Outcome]:
        number = self.contest(raw, after)
        if number is None:
            return ()
        fought = after.copy()
        attack = fought.attacks[number - 1]
        if attack.status == "resolved":
            return ()
        # This previews only the battle; answer and encounter have their own previews.
        attack.status, attack.encountered = "fighting", True
        ends = []
        for label, winner in self._ends(raw, attack):
            report = {"by": "gm", "move": "report", "attack": number, "winner": winner}
            try:
                branches = self.title.branches(fought, self.title.decode(report, fought))
            except IllegalMove:
                continue
            ends.append(Outcome(label, branches))
        return ends

    def contest(self, raw: RawMove, after: Position) -> int | None:
        """Return the battle that a move begins or continues, or None for other moves."""
        if self._begins_attack(raw, after):
            return len(after.attacks)
        if raw["move"] == "respond" and raw.get("choice") != "withdraw":
            return int(raw["attack"])
        return None

    def _begins_attack(self, raw: RawMove, after: Position) -> bool:
        may_begin = raw["move"] == "attack" or raw.get("card") == "local-insurrection"
        return may_begin and len(after.attacks) > len(self.position.attacks)

    def _ends(self, raw: RawMove, attack: Attack) -> list[tuple[str, str]]:
        """Return the possible ends of a battle: each in words, with its winner."""
        seat = raw.get("for", raw["by"])
        is_attacker = attack.attacker == seat
        ours, theirs = ("attacker", "defender") if is_attacker else ("defender", "attacker")
        win, lose = _("If you win"), _("If you lose")
        if raw["by"] != seat:
            win = _("If {nation:the} {nation:win|wins}")
            lose = _("If {nation:the} {nation:lose|loses}")
        nation = self.nation(seat)
        return [
            (sentence(win, nation=nation), ours),
            (sentence(lose, nation=nation), theirs),
            (_("If it is a draw"), "draw"),
        ]


def percent(share: Fraction) -> str:
    """Return a share in per cent: exact if two decimals suffice, otherwise rounded with "about"."""
    hundredths = share * 10_000
    if hundredths.denominator == 1:
        return localize_number(f"{hundredths.numerator / 100:g}") + "%"
    return pgettext("move", "about %(percent)s%%") % {"percent": round(share * 100)}


def percents(shares: Sequence[Fraction]) -> list[str]:
    """Return shares as texts that add up to 100%.

    Either all are exact, like those of `percent`, or all are in whole per cents.
    """
    if all((share * 10_000).denominator == 1 for share in shares):
        return [percent(share) for share in shares]
    return [
        f"{whole}%"
        if share * 100 == whole
        else pgettext("move", "about %(percent)s%%") % {"percent": whole}
        for share, whole in zip(shares, whole_percents(shares), strict=True)
    ]
