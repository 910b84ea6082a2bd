"""Views of a position: rows of the table, views of seats, offers, previews and standing orders."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from typing import Any

from engine.dice import Dice
from engine.effects import Phrase
from engine.errors import IllegalMove
from engine.play import play
from games.contract.threats import Threat
from games.contract.title import (
    Branch,
    Field,
    Offer,
    Ordered,
    OrderField,
    OrderKind,
    Rows,
    SeatInfo,
    Standing,
    Waiting,
)
from games.grand_campaign.rules.attacks import (
    HEAD,
    SIDES,
    TECHNOLOGY,
    WITH_ANSWER,
    WITH_ATTACK,
    attack_cost,
    encounter_chances,
    encounter_facts,
    escort_chance,
    siege_holds,
    trains_free,
)
from games.grand_campaign.rules.cards import DESTROYABLE, PLAYABLE, PlayCard
from games.grand_campaign.rules.construction import TRACK_RULE
from games.grand_campaign.rules.form import GrandMove, a_province, bad, cards, one_of
from games.grand_campaign.rules.moves import decode
from games.grand_campaign.rules.numbers import CARDS
from games.grand_campaign.rules.position import (
    ACCOUNTS,
    COVERT,
    CRUMBLES_AT,
    Attack,
    Nation,
    Position,
    final_points,
)
from games.grand_campaign.rules.scenario import Scenario
from games.grand_campaign.text import words


def seats(scenario: Scenario) -> list[SeatInfo]:
    """Return a seat for each nation."""
    cultures = words.book()["cultures"]
    return [
        SeatInfo(
            n.key, words.nation_name(scenario, n.key), n.colour, f"{cultures[n.culture]}, {n.army}"
        )
        for n in scenario.nations.values()
    ]


def rows(position: Position) -> Rows:
    """Return the position as rows that are independent of the title."""
    nations = position.nations
    items: Counter[tuple[str, str, str]] = Counter()
    for key, nation in nations.items():
        items.update((key, "hand", card) for card in nation.hand)
        items.update((key, "table", card) for card in nation.table)
    facts = state(position)["nations"]
    return Rows(
        holders={
            k: {f: facts[k][f] for f in ("structures", "barracks", "siege_trains", "fallen")}
            for k in nations
        },
        accounts={
            (key, account): getattr(n, account)
            for key, n in nations.items()
            for account in ACCOUNTS
        },
        holdings={
            key: {
                "owner": owner,
                "fortification": position.fortification.get(key, 0),
                "fleet": key in position.fleets,
            }
            for key, owner in position.owner.items()
        },
        items=dict(items),
        contests={attack.id: attack.encode() for attack in position.attacks},
        private={(key, "hand"): (key,) for key in nations} if position.options.hidden else {},
    )


def view(position: Position, seat: str | None) -> dict[str, Any]:
    """Return the state of RECORD as a seat may see it: hidden hands of others are counts (4.2).

    `gm` sees everything, None is an outsider. Besides RECORD's keys: `turns`, `hands`, `cards` (how
    many in each hand), `provinces_owned`, `next_actions` (half-actions that the income gives),
    `forecast` (points if scored now), `fleets_from` (the first turn in which a fleet carries
    attacks).
    """
    whole = state(position)
    for key, nation in position.nations.items():
        sheet = whole["nations"][key]
        sheet["cards"] = len(nation.hand)
        if position.options.hidden and seat not in ("gm", key):
            sheet["hand"] = None
        if seat in ("gm", key) or not position.options.hidden:
            sheet["keep"] = nation.keep
        sheet["provinces_owned"] = sum(1 for owner in position.owner.values() if owner == key)
        sheet["next_actions"] = position.rules.actions(nation.income)
        to_come = (
            0 if position.standings else sum(points for _, points in final_points(position, key))
        )
        sheet["forecast"] = nation.victory_points + to_come
        sheet["opening_stability"] = nation.opening_stability
    for province, built in position.fleets.items():
        whole["provinces"][province]["fleets_from"] = built + 1
    for shown, attack in zip(whole["attacks"], position.attacks, strict=True):
        shown["turn"] = attack.turn
        shown["siege_train"] = attack.siege_train
        shown["cards"] = {
            "attacker": list(attack.cards_attacker),
            "defender": list(attack.cards_defender),
        }
        shown["answer"] = attack.answer
        shown["encountered"] = attack.encountered
    whole["turns"] = position.scenario.turns
    whole["hands"] = "hidden" if position.options.hidden else "open"
    whole["external_attacks"] = position.options.external_attacks
    whole["diplomat"] = position.options.diplomat
    whole["attack_limit"] = position.options.attack_limit
    whole["sources"] = sorted(position.sources)
    whole["attacked"] = sorted(position.attacked)
    return whole


def waiting(position: Position) -> list[Waiting]:
    """Return the seats for which the table waits, those first that hold up all the others."""
    if position.phase == "setup":
        return [Waiting("gm", Phrase("wait-start", "1.2"))]
    if position.phase == "closed":
        return [Waiting("gm", Phrase("wait-open-turn", "1.3", {"turn": position.turn + 1}))]
    waits = []
    if position.slot is not None:
        waits.append(Waiting(position.slot, Phrase("wait-slot", "1.3")))
    for attack in position.running:
        facts = {"source": attack.source, "target": attack.target}
        if attack.status == "challenged" and attack.defender is not None:
            waits.append(Waiting(attack.defender, Phrase("wait-answer", "7.8", facts), attack.id))
            continue
        for side in (attack.attacker, attack.defender or attack.leader):
            if side is not None:
                waits.append(Waiting(side, Phrase("wait-battle", "9.1", facts), attack.id))
    return waits


def threats(position: Position, seat: str) -> list[Threat]:
    """Return the attacks on a nation and a stability close to the end (2.2, 2.3).

    Attacks and stability are public.
    """
    nation = position.nations.get(seat)
    if nation is None or nation.fallen:
        return []
    threatening = []
    for attack in position.running:
        facts = {"nation": attack.attacker, "target": attack.target}
        if attack.defender == seat:
            key = "threat-insurrection" if attack.kind == "insurrection" else "threat-attack"
            threatening.append(Threat(Phrase(key, "7.8", facts), attack.id))
        elif attack.leader == seat:
            threatening.append(Threat(Phrase("threat-leads", "7.9", facts), attack.id))
    threatening.sort(key=lambda threat: threat.contest or 0)
    if nation.stability <= CRUMBLES_AT + 1:
        levels = {"level": nation.stability, "least": CRUMBLES_AT}
        threatening.append(Threat(Phrase("threat-crumbles", "2.3", levels)))
    return threatening


def links_due(position: Position) -> int:
    """Return how many links are to be published by now (RECORD).

    Link n is published when turn n + 1 opens; with hidden hands all are published at the end.
    """
    if position.phase == "finished":
        return position.scenario.turns + 1
    return 0 if position.options.hidden else position.turn


def score(position: Position) -> list[Standing] | None:
    """Return the final standings, or None as long as the campaign runs."""
    if position.standings is None:
        return None
    return [
        Standing(s["nation"], s["victory_points"], s["rank"], {"income": s["income"]})
        for s in position.standings
    ]


# The state in the form of RECORD.


def whole_or_half(half_actions: int) -> int | float:
    """Return half-actions as a number of actions, such as 2 or 2.5."""
    return half_actions // 2 if half_actions % 2 == 0 else half_actions / 2


def state(position: Position) -> dict[str, Any]:
    """Return the whole state with all hands open."""
    forts = position.rules.fortifications
    return {
        "turn": position.turn,
        "phase": position.phase,
        "slot": position.slot,
        "order": list(position.order),
        "nations": {key: nation_state(nation) for key, nation in position.nations.items()},
        "provinces": {
            key: {
                "owner": owner,
                "fortification": (
                    forts[position.fortification[key] - 1].name
                    if key in position.fortification
                    else None
                ),
                "fleet": key in position.fleets,
            }
            for key, owner in position.owner.items()
        },
        "attacks": [attack_state(attack) for attack in position.attacks],
        "truces": [
            {"nations": list(truce.nations), "until": truce.until} for truce in position.truces
        ],
        "standings": position.standings,
    }


def nation_state(nation: Nation) -> dict[str, Any]:
    return {
        "stability": nation.stability,
        "prestige": nation.prestige,
        "income": nation.income,
        "army": nation.army,
        "victory_points": nation.victory_points,
        "actions": whole_or_half(nation.actions),
        "hand": list(nation.hand),
        "table": list(nation.table),
        "structures": list(nation.structures),
        "barracks": nation.barracks,
        "siege_trains": nation.siege_trains,
        "fallen": nation.fallen,
    }


def attack_state(attack: Attack) -> dict[str, Any]:
    facts: dict[str, Any] = {
        "id": attack.id,
        "kind": attack.kind,
        "attacker": attack.attacker,
        "from": attack.source,
        "target": attack.target,
        "defender": attack.defender,
        "leader": attack.leader,
        "battle": attack.battle,
        "module_attacker": attack.module_attacker,
        "points": {"attacker": attack.points_attacker, "defender": attack.points_defender},
        "status": attack.status,
        "outcome": attack.outcome,
    }
    if attack.siege:
        facts["siege"] = attack.siege
    return facts


# The preview of a move: every branch with its chance and consequences, without a roll.

Split = tuple[Phrase, dict[str, int], int, int]
"""An event with the rolls that represent it, the number of favourable cases, and that of all cases.
"""


def branches(position: Position, move: GrandMove) -> list[Branch]:
    """Return the branches of a move, in the order of its dice.

    The list is empty if the dice are for cards or events. Raises `IllegalMove` if the move is not
    possible at all.
    """
    move.admit(position)
    move.check(position)
    ways: list[Branch] = []
    todo: list[tuple[dict[str, int], tuple[Phrase, ...], int, int]] = [({}, (), 1, 1)]
    while todo:
        fixed, path, favourable, of = todo.pop(0)
        try:
            played = play(position, move, Dice(position.scenario.turns, fixed=fixed))
        except IllegalMove as refusal:
            if refusal.code != "no-dice":
                refused = Phrase(refusal.message, refusal.rule, refusal.facts)
                ways.append(Branch(refused, (favourable, of), (), position, (*path, refused)))
                continue
            splits = _split(position, str(refusal.facts["purpose"]))
            if splits is None:
                return []
            todo[:0] = [
                (fixed | rolls, (*path, phrase), favourable * cases, of * total)
                for phrase, rolls, cases, total in splits
            ]
            continue
        what = path[-1] if path else Phrase("certain")
        ways.append(
            Branch(
                what,
                (favourable, of),
                played.effects,
                _without_hidden_hand(position, move, played.after),
                path,
            )
        )
    return ways


def _without_hidden_hand(before: Position, move: GrandMove, after: Position) -> Position:
    """Return the position after the move without what an Assassin finds in a hidden hand (4.10).

    A preview would otherwise reveal the hand.
    """
    if (
        before.options.hidden
        and isinstance(move, PlayCard)
        and move.card == "assassin"
        and move.target is not None
    ):
        after.nations[move.target].hand = list(before.nations[move.target].hand)
    return after


def _split(position: Position, purpose: str) -> Sequence[Split] | None:
    """Return the possible results of a roll of an attack, or None for rolls of cards and spies."""
    parts = purpose.split("/")
    if len(parts) < 5 or parts[1] != "attack":
        return None
    attack = next(a for a in position.running if (a.attacker, a.target) == (parts[2], parts[3]))
    head, what = "/".join(parts[:4]), "/".join(parts[4:])
    where = {"target": attack.target}
    if what == "escort":
        forced, faces = escort_chance(position.rules)
        ways = [
            (Phrase("escort-forced", "7.8", where), {purpose: faces}, forced, faces),
            (Phrase("escort-failed", "7.8", where), {purpose: 1}, faces - forced, faces),
        ]
    elif what == "siege":
        die = position.rules.die
        holds = min(die, siege_holds(position, attack))
        ways = [
            (Phrase("siege-held", "9.7", where | {"holds": holds}), {purpose: 1}, holds, die),
            (
                Phrase("siege-taken", "9.7", where | {"holds": holds}),
                {purpose: die},
                die - holds,
                die,
            ),
        ]
    else:
        ways = _encounter(position, attack, head)
    return [way for way in ways if way[2]]


def _encounter(position: Position, attack: Attack, head: str) -> list[Split]:
    """Return the naval encounter as a single roll, counted over all pairs of dice (8.1)."""
    die, bonus = position.rules.die, position.rules.naval_technology
    lead = bonus * ((TECHNOLOGY in attack.cards_attacker) - (TECHNOLOGY in attack.cards_defender))
    won, lost, even, every = encounter_chances(position.rules, lead)
    where = encounter_facts(attack)

    def rolls(ours: int, theirs: int) -> dict[str, int]:
        return {f"{head}/naval/attacker": ours, f"{head}/naval/defender": theirs}

    level = (die, die + lead) if lead < 0 else (die - lead, die)
    return [
        (Phrase("encounter-won", "8.1", where), rolls(die, 1), won, every),
        (Phrase("encounter-lost", "8.1", where), rolls(1, die), lost, every),
        (Phrase("encounter-even", "8.1", where), rolls(*level) if even else {}, even, every),
    ]


# The moves that a seat may make now, with values and costs, or with the rule that forbids them.


Raw = dict[str, Any]
PROVINCE = Field("province", "province")
BATTLES = ("open", "flank-march", "remove-the-head")
# If several targets are refused for different reasons, the offer shows the refusal that comes
# latest in this list.
STAGES = (
    "bad-argument",
    "external-province",
    "not-owner",
    "own-province",
    "not-independent",
    "not-allowed",
    "not-maritime",
    "not-adjacent",
    "no-sea-route",
    "not-border-province",
    "no-fleet",
    "already-built",
    "capital-protected",
    "borders-opponent",
    "fleet-too-new",
    "starting-point-used",
    "starting-point-under-attack",
    "province-under-attack",
    "starting-point-protected",
    "already-attacked",
    "repeat-attack",
    "truce",
    "no-such-card",
    "no-siege-train",
    "attack-limit",
    "stability-too-low",
    "not-enough-actions",
)


def refusal_of(position: Position, raw: Raw) -> IllegalMove | None:
    """Return why this move is not possible now, or None if it is; nothing is played."""
    try:
        move = decode(raw, position)
        move.admit(position)
        move.check(position)
    except IllegalMove as refusal:
        return refusal
    return None


class Maker:
    """A maker of the offers of a seat, for the seat itself or for the game master."""

    def __init__(self, position: Position, seat: str, by: str) -> None:
        self.position = position
        self.seat = seat
        self.by = by
        self.nation = position.nations[seat]

    def raw(self, move: str, **given: Any) -> Raw:
        head: Raw = {"by": self.by, "move": move}
        if self.by != self.seat:
            head["for"] = self.seat
        return {**head, **given}

    def refused(self, move: str, **given: Any) -> IllegalMove | None:
        return refusal_of(self.position, self.raw(move, **given))

    def offer(
        self, key: str, move: str, group: str, given: Raw, fields: tuple[Field, ...], *rest: Any
    ) -> Offer:
        """Return an offer of this seat."""
        return Offer(key, move, group, self.by, self.seat, given, fields, *rest)

    def simple(
        self, move: str, group: str, cost: int | None = None, key: str = "", **given: Any
    ) -> Offer:
        """Return an offer without fields."""
        return Offer(
            key or move,
            move,
            group,
            self.by,
            self.seat,
            given,
            (),
            cost,
            self.refused(move, **given),
        )

    def chosen(
        self,
        move: str,
        group: str,
        field: Field,
        values: Iterable[str],
        cost: int | None = None,
        key: str = "",
        **given: Any,
    ) -> Offer:
        """Return an offer with a single field, whose values are those that the rules allow."""
        if field.kind == "province":
            values = by_name(self.position, values)
        legal, refusals = self._sift(move, [{**given, field.key: value} for value in values])
        allowed = [choice[field.key] for choice in legal]
        refusal = (
            None if legal else furthest(refusals) or self.refused(move, **given) or bad("no-target")
        )
        return self.offer(
            key or move, move, group, given, (field,), cost, refusal, lambda _key, _chosen: allowed
        )

    def _sift(self, move: str, choices: Sequence[Raw]) -> tuple[list[Raw], list[IllegalMove]]:
        legal, refusals = [], []
        for choice in choices:
            refusal = self.refused(move, **choice)
            if refusal is None:
                legal.append(choice)
            else:
                refusals.append(refusal)
        return legal, refusals

    # Groups ---------------------------------------------------------------------------------------

    def fiscal(self) -> list[Offer]:
        costs = self.position.rules.costs
        return [
            self.simple("tax-exemption", "fiscal", costs["tax-exemption"]),
            self.simple("tax-increase", "fiscal"),
        ]

    def construction(self) -> list[Offer]:
        rules = self.position.rules
        culture = self.position.scenario.nations[self.seat].culture
        offers = []
        for track in TRACK_RULE:
            missing = [
                s for s in rules.track(culture, track) if s.name not in self.nation.structures
            ]
            if missing:
                offers.append(
                    self.simple(
                        "build",
                        "construction",
                        missing[0].cost,
                        f"build-{track}",
                        structure=missing[0].name,
                    )
                )
        return offers

    def military(self) -> list[Offer]:
        position, costs = self.position, self.position.rules.costs
        own = position.provinces_of(self.seat)
        forts = position.rules.fortifications
        offers = [self.attack("land"), self.attack("amphibious")]
        levels = sorted(
            {position.fortification.get(p, 0) for p in own} & set(range(len(forts)))
        ) or [0]
        for level in levels if forts else []:
            places = [p for p in own if position.fortification.get(p, 0) == level]
            row = forts[level]
            offers.append(
                self.chosen(
                    "fortify", "military", PROVINCE, places, row.cost, f"fortify-{row.name}"
                )
            )
        offers.append(self.chosen("fleet", "military", PROVINCE, own, costs["fleet"]))
        offers += [
            self.simple("siege-train", "military", costs["siege-train"]),
            self.simple("provincial-levy", "military", costs["provincial-levy"]),
            self.simple("barracks", "military", costs["barracks"]),
        ]
        return offers

    def covert(self) -> list[Offer]:
        others = [
            k
            for k in self.position.nations
            if k != self.seat and not self.position.nations[k].fallen
        ]
        return [self.attack(COVERT, victim) for victim in others]

    def attack(self, kind: str, victim: str | None = None) -> Offer:
        """Return the offer of an attack of this kind; a covert attack is on a single nation."""
        position, scenario = self.position, self.position.scenario
        covert = kind == COVERT
        ways = scenario.sea if kind == "amphibious" else scenario.land
        if covert:
            pairs = [
                (q, p)
                for p in position.provinces_of(victim or "")
                for q in ways[p]
                if position.owner[q] is None
            ]
        else:
            pairs = [
                (p, q)
                for p in position.provinces_of(self.seat)
                for q in ways[p]
                if position.owner[q] != self.seat
            ]
        names = {
            key: place
            for place, key in enumerate(by_name(position, {key for pair in pairs for key in pair}))
        }
        pairs.sort(key=lambda pair: (names[pair[0]], names[pair[1]]))
        legal, refusals = self._sift(
            "attack", [{"kind": kind, "from": a, "target": b} for a, b in pairs]
        )
        routes: dict[str, list[str]] = {}
        for choice in legal:
            routes.setdefault(choice["from"], []).append(choice["target"])
        refusal = None
        if not legal:
            refusal = furthest(refusals) or IllegalMove(
                "not-adjacent", "7.1", f"no-target-{kind}", nation=victim
            )
        hand = sorted(set(self.nation.hand) & WITH_ATTACK)

        def allowed(key: str, chosen: Mapping[str, Any]) -> Sequence[Any] | None:
            if key == "from":
                return list(routes)
            if key == "target":
                return routes.get(chosen.get("from", ""), [])
            if key == "battle":
                return BATTLES
            if key == "siege_train":
                return (
                    (False, True) if not covert and trains_free(position, self.seat) else (False,)
                )
            return [
                s for s in subsets(hand) if not self.refused("attack", **{**chosen, "cards": s})
            ]

        cost = (
            attack_cost(position, kind, position.provinces_of(victim)[0])
            if victim
            else position.rules.costs[kind]
        )
        fields = (
            Field("from", "province"),
            Field("target", "province", depends=("from",)),
            Field("battle", "choice", True, "open"),
            Field("siege_train", "flag", True, False),
            Field("cards", "cards", True, [], ("from", "target")),
        )
        key = f"attack-{kind}-{victim}" if victim else f"attack-{kind}"
        group = "covert" if covert else "military"
        return self.offer(key, "attack", group, {"kind": kind}, fields, cost, refusal, allowed)

    def answers(self) -> list[Offer]:
        """Return the three answers to each challenge that waits for this nation."""
        offers = []
        for attack in self.position.running:
            if attack.defender != self.seat or attack.status != "challenged":
                continue
            hand = sorted(set(self.nation.hand) & WITH_ANSWER)
            for choice in ("accept", "withdraw", "escort"):
                given = {"attack": attack.id, "choice": choice}
                refusal = self.refused("respond", **given)

                def allowed(
                    _key: str, chosen: Mapping[str, Any], hand: Sequence[str] = hand
                ) -> Sequence[Any]:
                    return [
                        s
                        for s in subsets(hand)
                        if not self.refused("respond", **{**chosen, "cards": s})
                    ]

                fields = () if choice == "withdraw" else (Field("cards", "cards", True, []),)
                key = f"respond-{attack.id}-{choice}"
                offers.append(
                    self.offer(key, "respond", "answer", given, fields, None, refusal, allowed)
                )
        return offers

    def cards(self) -> list[Offer]:
        """Return an offer for each kind of card in the hand that is played in a slot.

        The Diplomat has two.
        """
        position = self.position
        offers = []
        for card in sorted(set(self.nation.hand)):
            if card not in PLAYABLE:
                continue
            if card in ("chancellor", "mercenaries"):
                offers.append(self.simple("play", "cards", None, f"play-{card}", card=card))
            elif card in ("traitor", "local-insurrection"):
                enemy = [p for p, owner in position.owner.items() if owner not in (None, self.seat)]
                offers.append(
                    self.chosen("play", "cards", PROVINCE, enemy, None, f"play-{card}", card=card)
                )
            elif card == "diplomat":
                free = [
                    p
                    for p, owner in position.owner.items()
                    if owner is None and p not in position.scenario.external
                ]
                others = [k for k in position.nations if k != self.seat]
                offers.append(
                    self.chosen(
                        "play", "cards", PROVINCE, free, None, "play-diplomat-province", card=card
                    )
                )
                truce = Field("truce", "nation")
                offers.append(
                    self.chosen(
                        "play", "cards", truce, others, None, "play-diplomat-truce", card=card
                    )
                )
            else:
                offers.append(self._against_a_hand(card))
        for offer in offers:
            if offer.given.get("card") == "local-insurrection":
                offer.fields = (*offer.fields, Field("battle", "choice", True, "open"))
                province = offer.allowed
                offer.allowed = lambda key, chosen, other=province: (
                    BATTLES if key == "battle" else other(key, chosen)
                )
        return offers

    def _against_a_hand(self, card: str) -> Offer:
        """Return the offer of a Spy or Assassin: a nation, then a card of its hand."""
        position, hidden = self.position, self.position.options.hidden
        what = "steal" if card == "spy" else "destroy"
        named = not (hidden and card == "spy")

        def choices(victim: str) -> list[str]:
            if hidden:
                return list(DESTROYABLE)
            hand = sorted(set(position.nations[victim].hand))
            return hand if card == "spy" else [c for c in hand if c in DESTROYABLE]

        def possible(victim: str) -> bool:
            extra = [{what: c} for c in choices(victim)] if named else [{}]
            return any(
                self.refused("play", card=card, target=victim, **argument) is None
                for argument in extra
            )

        victims = [k for k in position.nations if k != self.seat and possible(k)]
        fields = (Field("target", "nation"),) + (
            (Field(what, "card", depends=("target",)),) if named else ()
        )

        def allowed(key: str, chosen: Mapping[str, Any]) -> Sequence[Any]:
            if key == "target":
                return victims
            return choices(chosen["target"]) if chosen.get("target") in position.nations else []

        refusal = None
        if not victims:
            refusal = self.slot_refusal() or IllegalMove(
                "no-such-card", PLAYABLE[card].rule, f"no-hand-for-{card}"
            )
        return self.offer(
            f"play-{card}", "play", "cards", {"card": card}, fields, None, refusal, allowed
        )

    def trade(self) -> list[Offer]:
        """Return the offers to put a card on the table and to take a card from there."""
        offers = []
        hand = sorted(set(self.nation.hand))
        if hand:
            offers.append(self.chosen("offer", "trade", Field("card", "card"), hand))
        for key, other in self.position.nations.items():
            for card in sorted(set(other.table)) if key != self.seat else ():
                given = {"from": key, "card": card}
                offers.append(
                    self.chosen(
                        "take",
                        "trade",
                        Field("give", "card"),
                        hand,
                        None,
                        f"take-{key}-{card}",
                        **given,
                    )
                )
        for offer in offers:
            if offer.refusal is not None and offer.refusal.code == "bad-argument":
                offer.refusal = self.slot_refusal() or IllegalMove(
                    "no-such-card", "4.3", "nothing-to-give"
                )
        return offers

    def slot(self) -> list[Offer]:
        offers = [self.simple("end-slot", "slot")]
        if "bodyguard" in self.nation.hand:
            offers.append(
                self.simple(
                    "keep", "slot", None, "keep", card="bodyguard", value=not self.nation.keep
                )
            )
        return offers

    def slot_refusal(self) -> IllegalMove | None:
        """Return why no slot move at all is possible, or None in the seat's slot."""
        return self.refused("end-slot")

    def all(self) -> list[Offer]:
        groups = (
            self.answers,
            self.fiscal,
            self.construction,
            self.military,
            self.covert,
            self.cards,
            self.trade,
            self.slot,
        )
        return [offer for group in groups for offer in group()]


def by_name(position: Position, provinces: Iterable[str]) -> list[str]:
    """Return the provinces in the order of their names."""
    return sorted(
        provinces, key=lambda key: (position.scenario.provinces[key].name.casefold(), key)
    )


def subsets(cards: Sequence[str]) -> list[list[str]]:
    """Return every subset of the cards, the empty one first."""
    return [list(some) for size in range(len(cards) + 1) for some in combinations(cards, size)]


def furthest(refusals: Sequence[IllegalMove]) -> IllegalMove | None:
    """Return the refusal whose move came nearest to being legal."""
    return max(
        refusals, key=lambda r: STAGES.index(r.code) if r.code in STAGES else -1, default=None
    )


def nation_offers(position: Position, seat: str, by: str) -> list[Offer]:
    """Return all offers of a nation."""
    return Maker(position, seat, by).all()


# The game master's own offers, besides making any nation's move for it.

RESULTS = ("attacker", "defender", "draw")
# People type numbers and texts; these are examples for the enumeration of moves.
SHARES = (
    {"attacker": 20, "defender": 50},
    {"attacker": 50, "defender": 20},
    {"attacker": 30, "defender": 30},
)
REASONS = ("A correction.",)


def master_offers(position: Position) -> list[Offer]:
    """Return the offers of turns, results and corrections."""
    offers = [_offer(position, "start", "turn"), _offer(position, "open-turn", "turn")]
    for attack in position.running:
        offers += _results(position, attack)
    return offers + _corrections(position)


def _offer(position: Position, move: str, group: str, key: str = "", **given: Any) -> Offer:
    refusal = refusal_of(position, {"by": "gm", "move": move, **given})
    return Offer(key or move, move, group, "gm", "gm", given, (), None, refusal)


def _results(position: Position, attack: Attack) -> list[Offer]:
    number = {"attack": attack.id}
    offers = []
    if attack.battle != HEAD:
        offers.append(
            _with(f"report-{attack.id}-routed", "report", number, {"routed": ("shares", SHARES)})
        )
        offers.append(
            _offer(
                position,
                "report",
                "result",
                f"report-{attack.id}-called-off",
                **number,
                called_off=True,
            )
        )
    offers.append(
        _with(f"report-{attack.id}-winner", "report", number, {"winner": ("choice", RESULTS)})
    )
    naval = refusal_of(position, {"by": "gm", "move": "report", **number, "naval": "draw"})
    if attack.kind == "amphibious":
        offer = _with(f"report-{attack.id}-naval", "report", number, {"naval": ("choice", RESULTS)})
        offer.refusal = naval
        offers.append(offer)
    offers.append(_with(f"forfeit-{attack.id}", "forfeit", number, {"side": ("choice", SIDES)}))
    return offers


Fields = Mapping[str, tuple[str, Sequence[Any]]]


def _with(
    key: str, move: str, given: Mapping[str, Any], fields: Fields, group: str = "result"
) -> Offer:
    values = {name: list(allowed) for name, (_, allowed) in fields.items()}
    listed = tuple(Field(name, kind) for name, (kind, _) in fields.items())
    return Offer(
        key, move, group, "gm", "gm", given, listed, None, None, lambda name, _chosen: values[name]
    )


def _corrections(position: Position) -> list[Offer]:
    standing = [key for key, nation in position.nations.items() if not nation.fallen]
    free = [
        p
        for p in position.owner
        if p not in position.scenario.external and not position.under_attack(p)
    ]
    reason = {"reason": ("text", REASONS)}
    held = {
        key: sorted(set(nation.hand + nation.table)) for key, nation in position.nations.items()
    }
    offers = [
        _with(
            "adjust",
            "adjust",
            {},
            {
                "nation": ("nation", list(position.nations)),
                "account": ("choice", ACCOUNTS),
                "change": ("number", (1, -1)),
                **reason,
            },
            "correction",
        ),
        _with(
            "set-owner",
            "set-owner",
            {},
            {
                "province": ("province", by_name(position, free)),
                "owner": ("nation", [*standing, None]),
                **reason,
            },
            "correction",
        ),
        _with(
            "give-card",
            "give-card",
            {},
            {"nation": ("nation", standing), "card": ("card", sorted(CARDS)), **reason},
            "correction",
        ),
        _with(
            "discard-card",
            "discard-card",
            {},
            {
                "nation": ("nation", [k for k in standing if held[k]]),
                "card": ("card", ()),
                **reason,
            },
            "correction",
        ),
    ]
    adjust, discard = offers[0], offers[3]

    def adjustable(name: str, chosen: Mapping[str, Any]) -> Sequence[Any]:
        if name == "nation":
            return list(position.nations)
        if name == "account":
            nation = chosen.get("nation")
            if nation in position.nations and position.nations[nation].fallen:
                return ["victory_points"]
            return [a for a in ACCOUNTS if a != "actions" or nation in (None, position.slot)]
        return (1, -1) if name == "change" else REASONS

    def discardable(name: str, chosen: Mapping[str, Any]) -> Sequence[Any]:
        if name == "nation":
            return [key for key in standing if held[key]]
        return held.get(chosen.get("nation", ""), []) if name == "card" else REASONS

    adjust.allowed, discard.allowed = adjustable, discardable
    if position.phase not in ("slots", "battles", "closed"):
        for offer in offers:
            offer.refusal = refusal_of(
                position,
                {
                    "by": "gm",
                    "move": "adjust",
                    "nation": standing[0] if standing else next(iter(position.nations)),
                    "account": "victory_points",
                    "change": 1,
                    "reason": "-",
                },
            )
    return offers


# Standing orders of a nation: answers to challenges (7.8), and the Bodyguard (4.10).

ANSWER, BODYGUARD = "answer", "bodyguard"
CHOICES = ("accept", "withdraw", "escort")
GUARDS = ("keep", "guard")
FORMS = {ANSWER: {"kind", "provinces", "choice", "cards"}, BODYGUARD: {"kind", "guard"}}


def order_kinds(position: Position, seat: str) -> tuple[OrderKind, ...]:
    """Return the kinds of standing orders; a fallen nation has none.

    An escort is offered only to a nation that may force one.
    """
    if seat not in position.nations or position.nations[seat].fallen:
        return ()
    book, scenario = words.book()["orders"], position.scenario
    own = sorted(position.provinces_of(seat), key=lambda key: words.province_name(scenario, key))
    choices = CHOICES if scenario.nations[seat].escort else CHOICES[:2]
    names = [(key, str(words.province_name(scenario, key))) for key in own]
    answers = (
        OrderField("provinces", book["provinces"], names, True, book["provinces-help"]),
        OrderField("choice", book["choice"], [(key, book["choices"][key]) for key in choices]),
        OrderField(
            "cards",
            book["cards"],
            [(k, words.card_name(k)) for k in sorted(WITH_ANSWER)],
            True,
            book["cards-help"],
        ),
    )
    guards = (OrderField("guard", book["guard"], [(key, book["guards"][key]) for key in GUARDS]),)
    return (
        OrderKind(ANSWER, book["answer"], book["answer-about"], "7.8", answers),
        OrderKind(
            BODYGUARD, book["bodyguard"], book["bodyguard-about"], "4.10", guards, timed=False
        ),
    )


def read_order(position: Position, seat: str, raw: Mapping[str, Any]) -> dict[str, Any]:
    """Return the order in its canonical form.

    A withdrawal goes without cards (7.8). The nation need not own the provinces yet.
    """
    kind = one_of(*FORMS)(position, raw.get("kind"))
    if unknown := sorted(set(raw) - FORMS[kind]):
        raise bad("unknown-argument", key=unknown[0][:40], move=kind)
    if kind == BODYGUARD:
        return {"kind": kind, "guard": one_of(*GUARDS)(position, raw.get("guard"))}
    named = raw.get("provinces", [])
    if type(named) is not list or len(named) > len(position.owner):
        raise bad("not-a-list")
    provinces = sorted({a_province(position, province) for province in named})
    choice, given = (
        one_of(*CHOICES)(position, raw.get("choice")),
        cards(position, raw.get("cards", [])),
    )
    if choice == "escort" and not position.scenario.nations[seat].escort:
        raise bad("no-escort-right", nation=seat)
    for card in given:
        if card not in WITH_ANSWER or choice == "withdraw":
            raise bad(
                "card-not-here" if card not in WITH_ANSWER else "no-cards-with-withdrawal",
                card=card,
            )
    return {"kind": kind, "provinces": provinces, "choice": choice, "cards": sorted(given)}


def order_line(scenario: Scenario, order: Mapping[str, Any]) -> str:
    """Return an order in words, such as "Dalmatia, Italia: accept with Scouts"."""
    book = words.book()["orders"]
    if order["kind"] == BODYGUARD:
        return str(book["lines"][order["guard"]])
    where = (
        ", ".join(words.province_name(scenario, key) for key in order["provinces"])
        or book["everywhere"]
    )
    what = book["choices"][order["choice"]]
    if order["cards"]:
        cards_named = words.listed([*map(words.card_name, order["cards"])])
        return str(book["lines"]["cards"]).format(where=where, what=what, cards=cards_named)
    return str(book["lines"]["answer"]).format(where=where, what=what)


def answers_by_orders(
    position: Position, seat: str, orders: Sequence[Mapping[str, Any]]
) -> list[Ordered]:
    """Return the moves that the orders give now.

    For each challenge that waits for the nation, the orders for its province come first, then those
    for all provinces.
    """
    ordered = []
    for attack in position.running:
        if attack.defender == seat and attack.status == "challenged":
            fitting = [
                (n, order)
                for n, order in enumerate(orders)
                if order["kind"] == ANSWER and _fits(attack, order)
            ]
            fitting.sort(key=lambda numbered: not numbered[1]["provinces"])
            ordered += [
                Ordered(n, f"attack-{attack.id}", _answer(seat, attack, order), attack.id)
                for n, order in fitting
            ]
    nation = position.nations[seat]
    for n, order in enumerate(orders):
        if (
            order["kind"] == BODYGUARD
            and "bodyguard" in nation.hand
            and nation.keep != (order["guard"] == "keep")
        ):
            keep = {
                "by": seat,
                "move": "keep",
                "card": "bodyguard",
                "value": order["guard"] == "keep",
            }
            ordered.append(Ordered(n, "bodyguard", keep))
    return ordered


def _fits(attack: Attack, order: Mapping[str, Any]) -> bool:
    return not order["provinces"] or attack.target in order["provinces"]


def _answer(seat: str, attack: Attack, order: Mapping[str, Any]) -> dict[str, Any]:
    raw = {"by": seat, "move": "respond", "attack": attack.id, "choice": order["choice"]}
    return {**raw, "cards": list(order["cards"])} if order["cards"] else raw
