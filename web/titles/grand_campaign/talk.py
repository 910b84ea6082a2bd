"""Offers of the Grand Campaign and what follows from them, in its words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import cache
from typing import Any

from django.utils.translation import get_language, ngettext
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop as noop

from engine.effects import Effect
from engine.errors import IllegalMove
from engine.language import pointed, sentence
from engine.shares import whole_percents
from games.contract.title import Branch, Field, Offer, Title
from games.grand_campaign.rules.attacks import (
    NO_ATTACK,
    NO_COVERT_ATTACK,
    TECHNOLOGY,
    encounter_chances,
    encounter_due,
    escort_chance,
    escort_right,
)
from games.grand_campaign.rules.position import CRUMBLES_AT, Attack, Position, has_slot_to_come
from games.grand_campaign.text.words import (
    amount,
    book,
    card_name,
    card_text,
    decided,
    event_name,
    nation_name,
    province_name,
    speak,
    structure_name,
    truce_text,
)
from web.titles import talk
from web.titles.talk import Group, Mark, Outcome, capital

GROUPS = (
    Group("answer", noop("Answers"), noop("to a challenge")),
    Group("fiscal", noop("Fiscal"), noop("stability for money, money for stability")),
    Group("construction", noop("Construction"), noop("in their order, once each")),
    Group("military", noop("Military"), noop("fortify, arm, attack")),
    Group("covert", noop("Covert"), noop("from an independent province")),
    Group("cards", noop("Cards"), noop("played in your own slot")),
    Group("trade", noop("Trade"), noop("one card for one card")),
    Group("slot", noop("Slot")),
    Group("turn", noop("Turn")),
    Group("result", noop("Results")),
    Group("correction", noop("Corrections"), noop("in public, with a reason")),
)
NAMES = {
    "tax-exemption": noop("Tax exemption"),
    "tax-increase": noop("Tax increase"),
    "fleet": noop("Fleet"),
    "siege-train": noop("Siege train"),
    "provincial-levy": noop("Provincial levy"),
    "barracks": noop("Barracks"),
    "offer": noop("Put a card on the table"),
    "end-slot": noop("End slot"),
    "start": noop("Start the campaign"),
    "adjust": noop("Adjust an account"),
    "set-owner": noop("Give a province"),
    "give-card": noop("Give a card"),
    "discard-card": noop("Take a card away"),
    "set-structures": noop("Set structures"),
    "set-assets": noop("Set assets"),
    "set-fortification": noop("Set a fortification"),
    "set-fleet": noop("Give or take a fleet"),
}
ANSWERS = {
    "accept": noop("Accept"),
    "withdraw": noop("Withdraw"),
    "escort": noop("Answer with an escort"),
}
LABELS = {
    "from": noop("From"),
    "target": noop("Target"),
    "battle": noop("Battle"),
    "siege_train": noop("A siege train goes along"),
    "cards": noop("Cards"),
    "province": noop("Province"),
    "give": noop("Give"),
    "card": noop("Card"),
    "truce": noop("Truce with"),
    "steal": noop("Steal"),
    "destroy": noop("Destroy"),
    "routed": noop("Routed share of each side’s own army, %"),
    "winner": noop("Winner"),
    "naval": noop("Winner of the naval battle"),
    "side": noop("Who loses it"),
    "nation": noop("Nation"),
    "account": noop("Account"),
    "change": noop("Change"),
    "reason": noop("Reason, for all to read"),
    "owner": noop("New owner"),
    "structures": noop("Structures that are built"),
    "barracks": noop("Barracks"),
    "siege_trains": noop("Siege trains"),
    "fortification": noop("Fortification"),
    "fleet": noop("Fleet"),
}
VERBS = {
    "attack": noop("Announce the attack"),
    "end-slot": noop("End slot"),
    "report": noop("Enter the result"),
    "forfeit": noop("Attribute the battle"),
    "adjust": noop("Correct"),
    "set-owner": noop("Correct"),
    "give-card": noop("Correct"),
    "discard-card": noop("Correct"),
    "start": noop("Start the campaign"),
    "open-turn": noop("Open the turn"),
    "set-structures": noop("Correct"),
    "set-assets": noop("Correct"),
    "set-fortification": noop("Correct"),
    "set-fleet": noop("Correct"),
}
ABOUT = {
    "siege-train": noop("lowers fortifications by {n} in one attack"),
    "barracks": noop("allow levies"),
    "offer": noop("until your next slot opens"),
    "keep": noop("what it does when an Assassin comes"),
}
SHEET: dict[str, dict[Any, str]] = {
    "structures": {},
    "fortification": {None: noop("none")},
    "fleet": {True: noop("give one"), False: noop("take it away")},
    "barracks": {True: noop("yes"), False: noop("no")},
}
"""How the fields of a sheet's corrections are read; what is not here is a structure's name."""
WAYS = {
    "routed": noop("{contest}: by shares"),
    "off": noop("{contest}: called off"),
    "winner": noop("{contest}: by its winner"),
    "naval": noop("{contest}: of a naval battle"),
    "forfeit": noop("{contest}: forfeit"),
}
SYNONYMS = {
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
    "pass": "end slot",
    "eos": "end slot",
    "flank": "flank march",
    "insurrection": "local insurrection",
    "retreat": "withdraw",
    "fight": "accept",
    "defend": "accept",
    "invado": "attacco",
    "invadiamo": "attacco",
    "mare": "anfibio",
    "fine": "terminano",
    "chiudo": "terminano",
    "chiudiamo": "terminano",
    "passo": "terminano fase",
    "passiamo": "terminano fase",
    "navi": "flotta",
    "fianco": "marcia fianco",
    "ritirata": "ritirano",
    "combatto": "accettano",
}
CASCADES = ("crumbles", "without-provinces", "lapses", "led-anew")
SPLITS = {
    "escort-forced": noop("escort forced"),
    "escort-failed": noop("no escort"),
    "siege-held": noop("held"),
    "siege-taken": noop("taken"),
}
MANY = 6


@cache
def _groups(_language: str | None) -> list[Group]:
    """The groups of offers in the language of now; nobody changes them."""
    return [Group(one.key, _(one.name), _(one.note) if one.note else "") for one in GROUPS]


class Talk(talk.Talk):
    """See `web.titles.talk.Talk`."""

    synonyms = SYNONYMS

    def __init__(self, title: Title, scenario: Any, position: Any) -> None:
        super().__init__(title, scenario, position)
        self.groups = _groups(get_language())

    def province(self, key: Any) -> str:
        return province_name(self.scenario, key)

    def nation(self, key: str | None) -> str:
        return nation_name(self.scenario, key)

    # Offers

    def offer_name(self, offer: Offer) -> str:
        given, move = offer.given, offer.move
        if move == "build":
            return structure_name(given["structure"])
        if move == "attack":
            if given["kind"] == "independent":
                return sentence(
                    _("Covert attack on {nation:the}"),
                    nation=self.nation(offer.key.removeprefix("attack-independent-")),
                )
            return capital(book()["kinds"][given["kind"]])
        if move == "fortify":
            return structure_name(offer.key.removeprefix("fortify-"))
        if move == "respond":
            return _(ANSWERS[given["choice"]])
        if move == "play":
            endings = {
                "play-diplomat-province": _("{card}: a province"),
                "play-diplomat-truce": _("{card}: a truce"),
            }
            return sentence(endings.get(offer.key, "{card}"), card=card_name(given["card"]))
        if move == "take":
            return sentence(
                _("Take {card} from {nation:the}"),
                card=card_name(given["card"]),
                nation=self.nation(given["from"]),
            )
        if move == "keep":
            return (
                _("Keep the Bodyguard back") if given["value"] else _("Set the Bodyguard on guard")
            )
        if move == "open-turn":
            return sentence(_("Open turn {turn}"), turn=self.position.turn + 1)
        if move in ("report", "forfeit"):
            return self._result_name(offer)
        return _(NAMES[move])

    def _result_name(self, offer: Offer) -> str:
        attack = self.position.attacks[offer.given["attack"] - 1]
        how = offer.key.rsplit("-", 1)[1] if offer.move == "report" else "forfeit"
        return sentence(_(WAYS[how]), contest=f"#{attack.id} {self.province(attack.target)}")

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
            sources = list(offer.values("from") or ())
            targets = {
                t for source in sources for t in offer.values("target", {"from": source}) or ()
            }
            if offer.given["kind"] == "independent" and len(targets) <= MANY:
                return sentence(
                    _("{targets} from {sources}"),
                    targets=self._names(targets),
                    sources=self._names(sources),
                )
            provinces = sentence(
                ngettext("{n} province", "{n} provinces", len(sources)), n=len(sources)
            )
            aims = sentence(ngettext("{n} target", "{n} targets", len(targets)), n=len(targets))
            return sentence(_("from {provinces} on {targets}"), provinces=provinces, targets=aims)
        if offer.move in ("fortify", "fleet"):
            return sentence(
                _("in {provinces}"), provinces=self._names(offer.values("province") or ())
            )
        if offer.move == "play":
            if offer.key == "play-diplomat-province":
                gain = self.position.rules.talents["card_conquest"]
                return sentence(
                    _("an independent neighbour joins you without fighting, +{n}t"), n=gain
                )
            if offer.key == "play-diplomat-truce":
                how_long = truce_text(self.position.rules)
                return sentence(
                    _("neither attacks the other {how_long}; battles launched go on"),
                    how_long=how_long,
                )
            return card_text(self.position.rules, offer.given["card"])
        if offer.move == "take":
            return _("they get one card of your hand")
        return (
            sentence(_(ABOUT[offer.move]), n=self.position.rules.siege_train)
            if offer.move in ABOUT
            else ""
        )

    def _names(self, keys: Any) -> str:
        names = sorted(self.province(key) for key in keys)
        if len(names) > MANY:
            return sentence(
                _("{names} and {n} more"),
                names=", ".join(names[: MANY - 1]),
                n=len(names) - MANY + 1,
            )
        return (
            sentence(_("{names} or {last}"), names=", ".join(names[:-1]), last=names[-1])
            if len(names) > 1
            else "".join(names)
        )

    def verb(self, offer: Offer) -> str:
        if offer.move == "respond":
            return {
                "accept": _("Accept"),
                "withdraw": _("Withdraw"),
                "escort": _("Try the escort"),
            }[str(offer.given["choice"])]
        return _(VERBS.get(offer.move, noop("Announce")))

    def field_label(self, offer: Offer, field: Field) -> str:
        if field.key == "target" and offer.move == "play":
            return _("Whose hand")
        return _(LABELS[field.key]) if field.key in LABELS else talk.plain_name(field.key)

    def field_help(self, offer: Offer, field: Field, chosen: Mapping[str, Any]) -> str:
        if field.key == "change":
            return _("With its sign; actions in halves.")
        if field.key == "structures":
            return _(
                "The first structures of each track, in their order. They cost, earn and score"
                " nothing."
            )
        return ""

    def value_label(self, offer: Offer, field: Field, value: Any) -> str:
        if field.kind == "province":
            return self.province(value)
        if field.kind == "nation":
            return nation_name(self.scenario, value)
        if field.key in SHEET:
            return (
                _(SHEET[field.key][value]) if value in SHEET[field.key] else structure_name(value)
            )
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

    def final(self, raw: Mapping[str, Any], position: Any) -> str:
        if raw["move"] == "end-slot":
            left = position.nations[raw.get("for", raw["by"])].actions
            if not left:
                return ""
            text = ngettext(
                "{actions} lapses. Attacks go on; challenges can still be answered.",
                "{actions} lapse. Attacks go on; challenges can still be answered.",
                1 if left <= 2 else 2,
            )
            return sentence(text, actions=amount(left))
        if raw["move"] == "respond" and raw.get("choice") == "withdraw":
            return _("The province is given up at once.")
        if raw.get("card") == "assassin" and position.options.hidden:
            return _(
                "The hand is hidden: you see how many cards it holds afterwards, not which one was"
                " lost."
            )
        if raw["move"] in ("report", "forfeit"):
            return _("Everything that follows is posted at once.")
        return ""

    def deed(self, raw: Mapping[str, Any]) -> str:
        move = raw["move"]
        if move == "build":
            return structure_name(raw["structure"])
        if move == "fortify":
            return sentence(
                _("Fortification of {province}"), province=self.province(raw["province"])
            )
        if move == "fleet":
            return sentence(_("Fleet in {province}"), province=self.province(raw["province"]))
        if move == "attack":
            return sentence(_("Attack on {province}"), province=self.province(raw["target"]))
        if move == "respond":
            return sentence(_("Answer to #{number}"), number=raw["attack"])
        if move == "play":
            return card_name(raw["card"])
        if move == "offer":
            return sentence(_("{card} on the table"), card=card_name(raw["card"]))
        if move == "take":
            return sentence(_("Trade for {card}"), card=card_name(raw["card"]))
        if move == "end-slot":
            return _("End of the slot")
        if move == "keep":
            return _("Order to the Bodyguard")
        return _(NAMES[move]) if move in NAMES else capital(str(move).replace("-", " "))

    def moved(self, raw: Mapping[str, Any], effects: Sequence[Effect]) -> str:
        seat = raw.get("for", raw["by"])
        if seat == "gm":
            return f"{_('Game master')} {self.title.move_line(self.scenario, raw, effects)}."
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
            [sentence(text, deed=self.deed(raw), what=what), *decided(self.scenario, effects)]
        )

    # What follows

    def cascade(self, effect: Effect) -> bool:
        return effect.cause.id.startswith("threshold-") or effect.cause.id in CASCADES

    def mark(self, effect: Effect) -> Mark | None:
        return mark(self.scenario, effect)

    def untouched(self, key: str) -> str:
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

    def hint(self, after: Any, holder: str, account: str) -> str:
        return hint(self.position, after, holder, account)

    def notes(self, raw: Mapping[str, Any], after: Any) -> Sequence[tuple[str, str]]:
        begun = raw["move"] == "attack" or raw.get("card") == "local-insurrection"
        if not begun or len(after.attacks) == len(self.position.attacks):
            return ()
        attack = after.attacks[-1]
        army = self.scenario.provinces[attack.target].army
        if attack.defender is None:
            text = _("{army}, {points} points, led by {nation:the}. No answer is needed.")
            if not attack.leader:
                text = _("{army}, {points} points, led by nobody. No answer is needed.")
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
        """Return a note on whether the defender may force an escort, and with which chance
        (7.8).
        """
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
                "{attacker:The} {attacker:win|wins} it with {won}: the battle follows."
                " {defender:The} {defender:win|wins} it with {lost}: the attack ends and its fleet"
                " is lost. It is even with {even}: the attack ends."
            ),
            attacker=self.nation(attack.attacker),
            defender=self.nation(attack.defender),
            **dict(zip(("won", "lost", "even"), shares, strict=True)),
        )

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
        ours, theirs = (
            ("attacker", "defender") if attack.attacker == seat else ("defender", "attacker")
        )
        ways = (
            (_("If you win"), _("If you lose"))
            if raw["by"] == seat
            else (_("If {nation:the} {nation:win|wins}"), _("If {nation:the} {nation:lose|loses}"))
        )
        win, lose = (sentence(way, nation=self.nation(seat)) for way in ways)
        ends = []
        for label, winner in ((win, ours), (lose, theirs), (_("If it is drawn"), "draw")):
            report = {"by": "gm", "move": "report", "attack": number, "winner": winner}
            try:
                branches = self.title.branches(fought, self.title.decode(report, fought))
            except IllegalMove:
                continue
            ends.append(Outcome(label, branches))
        return ends


def percent(share: Fraction) -> str:
    """Return a share in per cent: exact if two decimals suffice, otherwise rounded with "about"."""
    hundredths = share * 10_000
    if hundredths.denominator == 1:
        return pointed(f"{hundredths.numerator / 100:g}") + "%"
    return _("about %(percent)s%%") % {"percent": round(share * 100)}


def percents(shares: Sequence[Fraction]) -> list[str]:
    """Return shares of one whole as texts that add up to 100%: all exact as by `percent`, or all in
    whole per cents.
    """
    if all((share * 10_000).denominator == 1 for share in shares):
        return [percent(share) for share in shares]
    return [
        f"{whole}%" if share * 100 == whole else _("about %(percent)s%%") % {"percent": whole}
        for share, whole in zip(shares, whole_percents(shares), strict=True)
    ]


# What a new level of an account means for a nation, beside it in "What follows": only where it
# means another thing.


def hint(before: Position, after: Position, holder: str, account: str) -> str:
    """A phrase without full stop, empty where the level means what it meant."""
    if holder not in after.nations or after.nations[holder].fallen:
        return ""
    return {"stability": _stability, "prestige": _prestige, "income": _income, "army": _army}.get(
        account, _none
    )(before, after, holder)


def _none(before: Position, after: Position, holder: str) -> str:
    return ""


def _stability(before: Position, after: Position, holder: str) -> str:
    """2.1 to 2.3; what a nation gains in its slot allows no attack before the next one (3.12)."""
    was, nation = before.nations[holder].stability, after.nations[holder]
    forbids, forbade = _forbidden(nation.stability), _forbidden(was)
    if forbids == forbade:
        return ""
    if forbids > forbade:
        none = sentence(_("no attacks at all; at {level} the nation crumbles"), level=CRUMBLES_AT)
        return none if forbids == 2 else _("no covert attacks")
    late = after.slot == holder and _forbidden(nation.opening_stability) > forbids
    some = _("attacks again, no covert ones")
    what = some if forbids else _("covert attacks again") if forbade == 1 else _("attacks again")
    return sentence(_("{what}, from the next slot on"), what=what) if late else what


def _forbidden(stability: int) -> int:
    """0: every attack may be made, 1: no covert one (2.1), 2: none at all (2.2)."""
    return (stability <= NO_COVERT_ATTACK) + (stability <= NO_ATTACK)


def _prestige(before: Position, after: Position, holder: str) -> str:
    """2.7."""
    rules = after.rules
    was, now = (
        position.nations[holder].prestige >= rules.prestigious for position in (before, after)
    )
    if was == now:
        return ""
    cost = rules.costs["independent-prestigious" if now else "independent"]
    return sentence(_("covert attacks on it cost {actions}"), actions=amount(cost))


def _income(before: Position, after: Position, holder: str) -> str:
    """3.1; in the last turn income gives no actions after the nation's slot has opened."""
    was, now = (
        after.rules.actions(position.nations[holder].income) for position in (before, after)
    )
    if was == now or not has_slot_to_come(after, holder):
        return ""
    return (
        sentence(_("{actions} next slot"), actions=amount(now)) if now else _("0 actions next slot")
    )


def _army(before: Position, after: Position, holder: str) -> str:
    """2.8."""
    was, now, army = before.nations[holder].army, after.nations[holder].army, after.rules.army
    if was < army["maximum"] <= now:
        return _("victories raise it no further")
    return _("defeats lower it no further") if was > army["minimum"] >= now else ""


# Effects that are not of an account, as rows of a table of branches.

CARDS = {
    "offers": (noop("put on the table"), noop("put on the table")),
    "back-to-hand": (noop("back in the hand"), noop("back in the hand")),
    "trades": (noop("comes by trade"), noop("goes by trade")),
    "steals": (noop("stolen"), noop("stolen")),
    "stolen": (noop("stolen"), noop("stolen")),
    "assassinated": (noop("destroyed"), noop("destroyed")),
    "bodyguard-spent": (noop("spent"), noop("spent")),
    "crumbles": (noop("lost"), noop("lost")),
}
FOUGHT = (
    "attacker",
    "defender",
    "draw",
    "withdrawn",
)  # the code that asks what follows has named these itself
SIEGES = {"held": noop("fails"), "taken": noop("succeeds")}


def mark(scenario: Any, effect: Effect) -> Mark | None:
    """See `web.titles.talk.Talk.mark`."""
    make = {
        "holding": holding,
        "card": card,
        "structure": structure,
        "attack": attack,
        "truce": truce,
        "slot": slot,
        "turn": turn,
        "seat": seat,
        "event": event,
    }.get(effect.kind)
    return make(scenario, effect) if make else None


def holding(scenario: Any, effect: Effect) -> Mark:
    facts, texts = effect.facts, []
    if "owner" in facts:
        owner = facts["owner"]
        passes = sentence(_("to {nation:the}"), nation=nation_name(scenario, owner))
        texts.append(passes if owner else _("turns independent"))
    lost = facts.get("fortification_lost")
    if lost:
        texts.append(
            sentence(
                _("{structure} lost"),
                structure=structure_name(scenario.rules.fortifications[lost - 1].name),
            )
        )
    if facts.get("fleet_lost"):
        texts.append(_("fleet lost"))
    if facts.get("fortification"):
        texts.append(structure_name(facts["fortification"]))
    if facts.get("fleet"):
        texts.append(_("a fleet"))
    name = province_name(scenario, effect.subject)
    return Mark(f"holding-{effect.subject}", name, ", ".join(texts), effect.cause.rule)


def card(scenario: Any, effect: Effect) -> Mark:
    cause = effect.cause.id
    if cause.startswith("plays-"):
        text = _("played")
    else:
        comes, goes = CARDS.get(cause, (noop("comes into the hand"), noop("leaves the hand")))
        text = _(comes if effect.change > 0 else goes)
    return Mark(
        f"card-{effect.subject}", card_name(effect.subject), text, effect.cause.rule, effect.holder
    )


def structure(scenario: Any, effect: Effect) -> Mark:
    text = (
        _("built")
        if effect.facts.get("built")
        else _("destroyed")
        if effect.subject == "siege-train"
        else _("lost")
    )
    name = capital(structure_name(effect.subject))
    return Mark(f"structure-{effect.subject}", name, text, effect.cause.rule, effect.holder)


def attack(scenario: Any, effect: Effect) -> Mark | None:
    facts, number = effect.facts, effect.subject
    if "roll" in facts and "siege" in facts:
        return Mark(f"siege-{number}", _("Siege"), _(SIEGES[facts["siege"]]), effect.cause.rule)
    # A launch is told by the talk's notes.
    if facts.get("launched") or "answer" in facts or facts.get("outcome") in FOUGHT:
        return None
    if "roll" in facts and "battle" in facts:
        return Mark(
            f"battle-{number}",
            _("Battle"),
            str(book()["battles"].get(facts["battle"], facts["battle"])),
            "7.8",
        )
    if "outcome" in facts:
        text = str(book()["outcomes"].get(facts["outcome"], facts["outcome"]))
        return Mark(
            f"outcome-{number}",
            sentence(_("Battle #{number}"), number=number),
            text,
            effect.cause.rule,
        )
    return Mark(f"attack-{number}", f"#{number}", speak(scenario, effect.cause), effect.cause.rule)


def truce(scenario: Any, effect: Effect) -> Mark:
    named = {"nation": nation_name(scenario, effect.subject), "turn": effect.facts["until"]}
    text = sentence(_("with {nation:the} to the end of turn {turn}"), **named)
    return Mark(f"truce-{effect.subject}", _("Truce"), text, effect.cause.rule, effect.holder)


def slot(scenario: Any, effect: Effect) -> Mark:
    text = _("opens") if effect.subject == "opened" else _("ends")
    name = sentence(_("Slot of {nation:the}"), nation=nation_name(scenario, effect.holder))
    return Mark(f"slot-{effect.holder}", name, text, effect.cause.rule)


def turn(scenario: Any, effect: Effect) -> Mark:
    return Mark(
        f"turn-{effect.subject}", _("Turn"), speak(scenario, effect.cause), effect.cause.rule
    )


def seat(scenario: Any, effect: Effect) -> Mark:
    if effect.subject == "keep":
        text = _("is kept back") if effect.facts.get("value") else _("stands guard")
        return Mark("keep", card_name("bodyguard"), text, "4.10", effect.holder)
    return Mark(
        "fallen", _("Nation"), speak(scenario, effect.cause), effect.cause.rule, effect.holder
    )


def event(scenario: Any, effect: Effect) -> Mark:
    return Mark(
        f"event-{effect.subject}", _("Event"), event_name(effect.subject), "5", effect.holder
    )
