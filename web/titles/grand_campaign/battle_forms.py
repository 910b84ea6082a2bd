"""What one does on the page of a battle: answer a challenge (7.8), enter a result (9.1), attribute
it (10).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import TYPE_CHECKING, Any, NamedTuple

from django.utils import translation
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop as noop

from campaign.log import selectors
from campaign.log.selectors import Line
from engine.effects import Effect, Say
from engine.errors import IllegalMove
from engine.language import LANGUAGES, Name, reading_in
from engine.language import sentence as put
from games.contract.title import Branch, Offer
from games.grand_campaign.drawing.drawing import spellings as known_spellings
from games.grand_campaign.rules.attacks import (
    CARD_RULE,
    HEAD,
    NAVAL,
    WITH_ANSWER,
    agreement_of,  # noqa: F401
    claimable,  # noqa: F401
    encounter_due,
)
from games.grand_campaign.rules.scenario import Scenario
from games.grand_campaign.text.words import (
    book,
    card_name,
    decided,
    listed,
    nation_name,
    province_name,
    structure_name,
)
from web.battles.contract import (
    BattleRecord,
    Commands,
    LedBattle,
    ResultInWords,
    RuleText,
    Typed,
)
from web.moves.preview import Follow, outcome_columns
from web.titles.grand_campaign import atlas, result_line
from web.titles.grand_campaign import battle as words
from web.titles.grand_campaign.result_line import Share, Verdict, plane, share, verdict, written
from web.titles.talk import talk
from web.waiting import program_levels, program_word

if TYPE_CHECKING:
    from battles.models import Claim
    from web.frame.campaign_page import TableContext
    from web.moves.deeds import Deed

ANSWERS = {"accept": noop("Accept"), "withdraw": noop("Withdraw"), "escort": noop("Escort")}
KINDS = {
    "shares": noop("Shares routed"),
    "winner": noop("Winner"),
    "called-off": noop("Called off"),
    "naval": noop("Naval battle"),
    "forfeit": noop("Forfeit"),
}
GAME_MASTER = "gm"


class CardChoice(NamedTuple):
    """A card of the hand that may, or may not, go with an answer."""

    key: str
    name: str
    text: str
    why: str
    rule: str
    chosen: bool


@dataclass
class Answer:
    """One way to answer a challenge, with what follows in a line; `why` where it is not
    possible.
    """

    key: str
    name: str
    line: str = ""
    rule: str = ""
    why: str = ""
    chosen: bool = False


@dataclass
class Kind:
    """A way to enter the result; `why` where this battle knows it not."""

    key: str
    name: str
    why: str = ""
    rule: str = ""
    here: bool = False


@dataclass
class Report:
    """The form of results: ways, what was typed, whom the sides are, the plane and its verdict."""

    kinds: list[Kind] = field(default_factory=list)
    kind: str = ""
    typed: dict[str, str] = field(default_factory=dict)
    verdict: Verdict | None = None
    sentence: str = ""
    plane: str = ""
    notes: list[tuple[str, str]] = field(default_factory=list)
    mode: str = "enter"
    claim: int | None = None


def result_move(number: int, typed: Any) -> dict[str, Any] | None:
    """The game master's result in record form, None where something is not typed yet or no
    number.
    """
    kind, report = typed.get("by"), {"by": GAME_MASTER, "move": "report", "attack": number}
    if kind == "shares":
        shares = shares_of(typed)
        return (
            None
            if shares is None
            else {**report, "routed": dict(zip(("attacker", "defender"), shares, strict=True))}
        )
    if kind == "called-off":
        return {**report, "called_off": True}
    if kind in ("winner", "naval") and typed.get("side") in ("attacker", "defender", "draw"):
        return {**report, kind: typed["side"]}
    if kind == "forfeit" and typed.get("side") in ("attacker", "defender"):
        return {"by": GAME_MASTER, "move": "forfeit", "attack": number, "side": typed["side"]}
    return None


def missing(typed: Typed) -> RuleText:
    """Return what a result still lacks."""
    if typed.get("by") == "shares":
        return RuleText(
            _("Two shares are asked for, each from 0 to 100 per cent of that side’s own army."),
            "9.1",
        )
    return RuleText(_("Choose the winner: without a winner there is no result."), "")


def answer_move(number: int, by: Mapping[str, str], posted: Any) -> dict[str, Any] | None:
    """An answer in record form; `by` says who speaks. A withdrawal takes no cards (7.8)."""
    choice = posted.get("choice", "")
    if choice not in ANSWERS:
        return None
    raw = {**by, "move": "respond", "attack": number, "choice": choice}
    cards = [card for card in posted.getlist("cards")[:20] if card]
    return {**raw, "cards": cards} if cards and choice != "withdraw" else raw


def sure(posted: Any) -> bool:
    """Is this what was shown before? An answer changed after the look is shown again; a result's
    form has no choices.
    """
    if posted.get("move") == "respond":
        return bool(posted.get("sure") == signature(posted))
    return bool(posted.get("sure"))


def signature(posted: Any) -> str:
    """An answer in a word: the choice and its cards."""
    return " ".join([posted.get("choice", ""), *sorted(posted.getlist("cards"))])


def takes_shares(known: words.Known) -> bool:
    """Return whether the result may be two shares. Only Remove the Head has no house rule (9.1)."""
    return bool(known["battle"] != HEAD)


def shares_of(typed: Any) -> tuple[Share, Share] | None:
    pair = share(typed.get("attacker", "")), share(typed.get("defender", ""))
    return None if pair[0] is None or pair[1] is None else (pair[0], pair[1])


def page(
    table: TableContext,
    known: words.Known,
    entries: Sequence[Line],
    typed: Any,
    deed: Deed | None,
    record: BattleRecord,
) -> dict[str, Any]:
    """Everything of this title that the page of a battle shows."""
    scenario, number = table.scenario, known["id"]
    at = moments(known, entries)
    held = _holders(table, at)
    players = selectors.names_of_holders(held)
    for seat in program_levels(table) if words.running(known) else ():
        players.setdefault(seat, _("program: %(level)s") % {"level": program_word(table, seat)})
    level = table.position.fortification.get(known["target"], 0) if words.running(known) else 0
    state = words.state_word(scenario, known)[0]
    sheet = words.setup_sheet(scenario, known, _in_the_game(held, record.substitutes or {}))
    title = f"#{number} {words.where(scenario, known)}"
    launcher = players.get(known["attacker"]) or nation_name(scenario, known["attacker"])
    steps = words.timeline(known, at | said_at(record, known), launcher, state)
    return {
        "title": words.where(scenario, known),
        "kind": words.kind_word(known),
        "steps": steps,
        "sides": words.sides(scenario, known, players, level),
        "module": words.module_word(known),
        "sheet": sheet,
        "sheet_text": words.plain(sheet, title),
        "sheet_note": _sheet_note(known),
        "answer": _answer(table, known, typed, deed),
        "answered": _answered(table, known, entries, level),
        "decided": before_battle(scenario, known, entries),
        "report": _report(table, known, typed, record),
        "result": result(table, known, entries),
    }


def said_at(record: BattleRecord, known: words.Known) -> dict[str, Any]:
    """When the battle was set up and claimed, by whom, and what became of the claim."""
    moments: dict[str, Any] = {
        entry.act: entry.at for entry in record.acts if entry.act == "set-up"
    }
    claim = claim_in_force(record, known)
    if claim is not None:
        who, last = claim.entry.actor, claim.last.actor
        moments |= {
            "claimed": claim.entry.at,
            "claimant": who.username if who else "",
            "claim": claim.state,
            "closed": claim.last.at,
            "closer": last.username if last else "",
        }
    return moments


def _holders(table: TableContext, at: Mapping[str, Any]) -> dict[str, list[Any]]:
    """Who held the seats while the battle ran; of one that runs, who holds them now."""
    if "resolved" in at and "launched" in at:
        return selectors.holders_between(table.campaign, at["launched"], at["resolved"])
    return {seat.key: [seat.holder] for seat in table.seats if seat.holder is not None}


def _in_the_game(
    holders: Mapping[str, Sequence[Any]], instead: Mapping[str, Any]
) -> dict[str, str]:
    """Who plays for each seat, with the name by which they are found in Field of Glory II where it
    is another.
    """
    last = {seat: users[-1] for seat, users in holders.items()} | dict(instead)
    named = {key: (user.username, getattr(user, "fog2_name", "")) for key, user in last.items()}
    return {
        key: f"{name} ({other})" if other and other != name else name
        for key, (name, other) in named.items()
    }


def _sheet_note(known: words.Known) -> str:
    return _("as launched; the answer may change it") if known["status"] == "challenged" else ""


# Answers ------------------------------------------------------------------------------------------


def _answer(
    table: TableContext, known: words.Known, typed: Any, deed: Deed | None
) -> dict[str, Any] | None:
    """The form of the answer, for who may give it; None for everybody else."""
    seat = known["defender"]
    if (
        known["status"] != "challenged"
        or not seat
        or not table.access.speaks_for(seat)
        or not table.access.opens(seat)
    ):
        return None
    by = seat if seat in table.own_seats else GAME_MASTER
    offers = {
        str(o.given["choice"]): o
        for o in table.title.offers(table.position, seat, by)
        if o.move == "respond" and o.given["attack"] == known["id"]
    }
    posted = typed if typed.get("move") == "respond" else {}
    answers = [_one_answer(table, known, offers[key]) for key in ANSWERS if key in offers]
    for one in answers:
        one.chosen = posted.get("choice") == one.key and not one.why
    chosen = typed.getlist("cards") if posted else []
    return {
        "seat": seat,
        "name": table.name_of(seat),
        "for_another": seat not in table.own_seats,
        "answers": answers,
        "cards": _cards(table, known, offers["accept"], chosen),
        "deed": deed if posted else None,
        "signature": signature(typed) if posted else "",
        "open": seat in table.own_seats or bool(posted) or "answer" in typed,
        "choice": _(ANSWERS[posted["choice"]]) if posted.get("choice") in ANSWERS else "",
    }


def _one_answer(table: TableContext, known: words.Known, offer: Offer) -> Answer:
    key = str(offer.given["choice"])
    answer_row = Answer(key, _(ANSWERS[key]))
    if offer.refusal is not None:
        answer_row.why, answer_row.rule = (
            table.title.refusal(table.scenario, offer.refusal),
            offer.refusal.rule,
        )
        return answer_row
    position, attack = table.position, table.position.attacks[known["id"] - 1]
    module = str(book()["battles"][known["battle"]])
    facts = {
        "points": known["points_defender"],
        "other": known["points_attacker"],
        "module": module,
    }
    if key == "accept":
        at_sea = _(
            "An encounter at sea first; won by them, {points} points against {other}, {module}"
        )
        answer_row.line = put(
            (
                at_sea
                if encounter_due(position, attack)
                else _("{points} points against {other}, {module}")
            ),
            **facts,
        )
        answer_row.rule = "8.1" if encounter_due(position, attack) else ""
    elif key == "withdraw":
        answer_row.line, answer_row.rule = _withdrawal(table, known, offer)
    else:
        text = _("d6: on {least}–6 an escort baggage train with you as its attacker, else {module}")
        answer_row.line = put(text, least=position.rules.escort_from, module=module)
        answer_row.rule = "7.8"
    return answer_row


def _withdrawal(table: TableContext, known: words.Known, offer: Offer) -> tuple[str, str]:
    """What giving way costs, in a line: the siege's odds, the province, the income."""
    position, where = table.position, province_name(table.scenario, known["target"])
    try:
        ways = table.title.branches(position, table.title.decode(offer.raw({}), position))
    except IllegalMove:
        return "", "9.10"
    lost = ways[-1]
    income = sum(
        e.change
        for e in lost.effects
        if e.kind == "account" and e.holder == offer.seat and e.subject == "income"
    )
    facts = {"province": where, "income": f"−{-income}"}
    price = put(
        (
            _("{province} is lost, income {income}t, no battle effects")
            if income
            else _("{province} is lost, no battle effects")
        ),
        **facts,
    )
    if len(ways) > 1:
        held, name = ways[0].chance, structure_name(_fort(table, known))
        text = _("{fortification} alone hold on 1–{n} of {of}; else {price}")
        return put(text, fortification=name, n=held[0], of=held[1], price=price), "9.10"
    return price, "9.10"


def _fort(table: TableContext, known: words.Known) -> str:
    level = table.position.fortification.get(known["target"], 0)
    return str(table.position.rules.fortifications[level - 1].name) if level else ""


def _cards(
    table: TableContext, known: words.Known, accept: Offer, chosen: Sequence[str]
) -> list[CardChoice]:
    """The cards of 4.4 in the hand, those that cannot go with this answer with their rule."""
    hand = sorted(set(table.position.nations[known["defender"]].hand) & WITH_ANSWER)
    may = {card for some in accept.values("cards") or () for card in some}
    texts = {
        "reinforcements": put(
            _("+{points} points for this battle"),
            points=table.position.rules.army["reinforcements"],
        ),
        "scouts": _("you determine the terrain"),
        "naval-technology": put(
            _("+{n} in the encounter at sea"), n=table.position.rules.naval_technology
        ),
    }
    choices = []
    for card in hand:
        why, rule = "", CARD_RULE.get(card, "")
        if card not in may:
            refusal = _refusal(table, accept.raw({"cards": [card]}))
            why, rule = (
                (table.title.refusal(table.scenario, refusal), refusal.rule)
                if refusal
                else ("", rule)
            )
        choices.append(
            CardChoice(card, card_name(card), texts.get(card, ""), why, rule, card in chosen)
        )
    return choices


def _refusal(table: TableContext, raw: Mapping[str, Any]) -> IllegalMove | None:
    try:
        move = table.title.decode(dict(raw), table.position)
        move.admit(table.position)
        move.check(table.position)
    except IllegalMove as refusal:
        return refusal
    return None


def _answered(
    table: TableContext, known: words.Known, entries: Sequence[Line], level: int
) -> dict[str, Any] | None:
    """How the challenge was answered, for everybody; None before, and where none was asked for."""
    if not known["answer"]:
        return None
    entry = next((line for line in entries if line.entry.content.get("move") == "respond"), None)
    cards = [card_name(card) for card in known["cards_defender"]]
    lines = {
        "accept": put(
            _("{points} points against {other}"),
            points=known["points_defender"],
            other=known["points_attacker"],
        ),
        "withdraw": _("the province is given up without a battle"),
        "escort": put(_("d6 on {least}–6"), least=table.position.rules.escort_from),
    }
    if known["answer"] == "escort":
        forced = known["module_attacker"] == "defender"
        lines["escort"] = (
            _("forced: an escort baggage train") if forced else _("not forced: played as launched")
        )
    line = lines[known["answer"]]
    if cards:
        line = put(_("with {cards}. {line}"), cards=listed(cards), line=line)
    number = entry.number if entry else None
    return {
        "entry": number,
        "url": table.url("entry", number) if number is not None else "",
        "key": known["answer"],
        "name": _(ANSWERS[known["answer"]]),
        "line": line,
        "rule": "9.10" if known["answer"] == "withdraw" else "7.8",
    }


# Results ------------------------------------------------------------------------------------------


def _report(
    table: TableContext, known: words.Known, typed: Any, record: BattleRecord
) -> Report | None:
    """The form of results while the battle runs: the game master enters or judges, a player claims;
    None for others.
    """
    claim, master = claim_in_force(record, known), table.game_master
    if not record.may_enter or (claim is not None and not master):
        return None
    module = not takes_shares(known)
    kinds = []
    for key, name in KINDS.items():
        if (key == "naval" and known["kind"] != "amphibious") or (key == "forfeit" and not master):
            continue
        kind = Kind(key, _(name))
        if module and key in ("shares", "called-off"):
            word = words.module_word(known)
            kind.why, kind.rule = (
                put(
                    _("{module} has no house rule: enter the winner as the game gave it."),
                    module=word,
                ),
                "9.1",
            )
        elif key == "naval" and not words.naval_possible(known):
            refusal = _refusal(
                table, {"by": GAME_MASTER, "move": "report", "attack": known["id"], "naval": "draw"}
            )
            if refusal:
                kind.why, kind.rule = table.title.refusal(table.scenario, refusal), refusal.rule
        elif key == "naval" and not master and not record.agreed:
            kind.why, kind.rule = _("Both players must agree to it first."), "8.2"
        elif key != "naval" and not master and known["status"] == "challenged":
            kind.why, kind.rule = _("The challenge is not answered yet."), "7.8"
        kinds.append(kind)
    if all(kind.why for kind in kinds):
        return None
    asked = typed.get("by", "") if typed.get("move") != "respond" else ""
    open_kinds = [kind.key for kind in kinds if not kind.why]
    report_form = Report(kinds, asked if asked in [kind.key for kind in kinds] else open_kinds[0])
    report_form.mode = "claim" if not master else "judge" if claim is not None else "enter"
    report_form.claim = claim.entry.number if claim is not None else None
    for kind in kinds:
        kind.here = kind.key == report_form.kind
    report_form.typed = (
        {key: str(typed.get(key, "")) for key in ("attacker", "defender", "side", "line")}
        if asked
        else {}
    )
    names, shares = (
        sides_named(table, known),
        shares_of(report_form.typed) if asked == "shares" else None,
    )
    if report_form.kind == "shares" and not module:
        report_form.plane = plane(table.scenario, sides_coloured(known), names, shares)
        if shares is not None:
            report_form.verdict = verdict(table.scenario, *shares, names)
            report_form.sentence = sentence(report_form.verdict, names)
    if known["status"] == "challenged" and report_form.kind not in ("naval", "forfeit"):
        report_form.notes.append(
            (
                _(
                    "The challenge is not answered: if you enter a result, the challenge counts as"
                    " accepted."
                ),
                "9.1",
            )
        )
        if encounter_due(table.position, table.position.attacks[known["id"] - 1]):
            before = _(
                "The encounter at sea is rolled before; if it ends the attack, no result is"
                " entered."
            )
            report_form.notes.append((before, "8.1"))
    return report_form


# Claims of the Grand Campaign's battles: what a claimed result means, the forum's line read into
# the form, the naval battle by agreement (8.2), who leads independents how often (7.9).


def claim_in_force(record: BattleRecord, known: words.Known) -> Claim | None:
    """Return the claim that counts: one that waits while the battle runs, the applied one later."""
    wanted = ("open", "disputed") if words.running(known) else ("confirmed", "judged")
    return next((claim for claim in record.claims if claim.state in wanted), None)


def agreements(known: words.Known) -> dict[str, RuleText]:
    """Return what the two players may agree to in this battle, by its key."""
    naval = _("A naval battle in Mare Nostrum instead of encounter and battle")
    return {NAVAL: RuleText(naval, "8.2")} if words.naval_possible(known) else {}


def claimed(table: TableContext, known: words.Known, raw: Mapping[str, Any]) -> ResultInWords:
    """Return a claimed result in words, with its plane if it is two shares."""
    names = sides_named(table, known)
    if "routed" in raw:
        own, enemy = (share(str(raw["routed"][side])) for side in ("attacker", "defender"))
        assert own is not None
        assert enemy is not None
        outcome = verdict(table.scenario, own, enemy, names)
        return ResultInWords(
            sentence=sentence(outcome, names),
            because=outcome.why,
            rule="9.1",
            shares=((names[0], written(own)), (names[1], written(enemy))),
            plane=plane(table.scenario, sides_coloured(known), names, (own, enemy)),
        )
    if raw.get("called_off"):
        return ResultInWords(
            sentence=_("Called off: a draw."),
            because=_("no close combat in the first 6 turns"),
            rule="9.1",
        )
    who = str(raw.get(NAVAL) or raw.get("winner") or "draw")
    text = sentence(Verdict(who, False, ""), names)
    because, rule = (
        (_("in the naval battle"), "8.2") if NAVAL in raw else (_("as the game gave it"), "9.1")
    )
    return ResultInWords(sentence=text, because=because, rule=rule)


# The result line ----------------------------------------------------------------------------------


def pasted(
    table: TableContext, known: words.Known, typed: Any
) -> tuple[Any, result_line.Reading | None]:
    """What was typed, with the shares of the pasted line where it was to be read; and what was read
    in it.
    """
    if not typed.get("read") or not typed.get("line", "").strip():
        return typed, None
    reading = result_line.read(typed["line"], sides(table, known))
    filled = {key: typed[key] for key in typed}
    if reading.shares is not None:
        own, enemy = reading.shares
        people = {seat.key: seat.holder.username for seat in table.seats if seat.holder is not None}
        reading.sides = [
            put(
                "{side}: {amount}%",
                side=f"{side.name} ({', '.join(filter(None, (side.player, side.army)))})",
                amount=written(one),
            )
            for side, one in zip(
                words.sides(table.scenario, known, people), reading.shares, strict=True
            )
        ]
        if known["battle"] == HEAD:
            side = (
                "draw"
                if reading.draw or own == enemy
                else "attacker"
                if own < enemy
                else "defender"
            )
            filled |= {"by": "winner", "side": side}
        else:
            filled |= {"by": "shares", "attacker": written(own), "defender": written(enemy)}
    return filled, reading


def sides(table: TableContext, known: words.Known) -> dict[str, result_line.Side]:
    """By what names the two sides of this battle may be called."""
    own = {
        army: written
        for army, written in atlas.drawing_for(table.campaign).aliases.items()
        if written != (army,)
    }
    spellings = {**known_spellings(), **own}
    held = {seat.key: seat.holder for seat in table.seats if seat.holder is not None}
    sides_by_key = {}
    for side in words.sides(table.scenario, known, {}):
        user = held.get(side.leader or "")
        people = (
            (user.username, getattr(user, "fog2_name", ""), getattr(user, "forum_name", ""))
            if user
            else ()
        )
        armies = next(
            (all_ for army, all_ in spellings.items() if side.army in (army, *all_)), (side.army,)
        )
        # On a forum a nation may be called as the scenario has it, whatever the reader's language.
        nations = _names_of_nation(table, side.nation) if side.nation != words.INDEPENDENT else ()
        sides_by_key[side.key] = result_line.Side(
            tuple(filter(None, people)), nations, tuple(armies), side.points
        )
    return sides_by_key


def _names_of_nation(table: TableContext, nation: str) -> tuple[str, ...]:
    """What the nation is called in our languages and, of the shipped ones, in some others."""
    names = [table.scenario.nations[nation].name]
    for language in LANGUAGES:
        with translation.override(language), reading_in(language):
            names.append(nation_name(table.scenario, nation))
    return tuple(dict.fromkeys((*names, *result_line.ABROAD.get(nation, ()))))


# Neutral commands ---------------------------------------------------------------------------------


def commands(table: TableContext) -> list[Commands]:
    """Return how often each nation leads independents (7.9); empty if none ever did.

    The nation that follows the last leader in the rotation is asked first.
    """
    rows = []
    contests = table.rows.contests
    for key in table.scenario.order:
        led = [(number, known) for number, known in contests.items() if known.get("leader") == key]
        now = [(number, known) for number, known in led if words.running(known)]
        rows.append(
            Commands(
                key=key,
                name=nation_name(table.scenario, key),
                battles=tuple(
                    LedBattle(
                        number=number,
                        url=table.url("battle", number),
                        where=province_name(table.scenario, known["target"]),
                    )
                    for number, known in now
                ),
                total=len(led),
                led_last=table.position.led_last == key,
            )
        )
    return rows if any(nation.total for nation in rows) else []


# What a battle came to, read from the log lines that tell of it: when it was launched, answered,
# resolved, and how.


def sides_named(table: TableContext, known: words.Known) -> tuple[str, str]:
    return words.side_name(table.scenario, known, "attacker"), words.side_name(
        table.scenario, known, "defender"
    )


def sides_coloured(known: words.Known) -> tuple[str, str]:
    return words.side_nation(known, "attacker"), words.side_nation(known, "defender")


def sentence(outcome: Verdict, names: tuple[str, str]) -> str:
    """The verdict as a sentence."""
    if outcome.winner == "draw":
        return _("A tie.") if outcome.tie else _("A draw.")
    name = names[0] if outcome.winner == "attacker" else names[1]
    # A nation has a name, insurgents and independents only a word.
    return (
        put(_("{nation:The} {nation:win|wins}."), nation=name)
        if isinstance(name, Name)
        else put(_("{side} win."), side=name)
    )


def moments(known: words.Known, entries: Sequence[Line]) -> dict[str, Any]:
    """When the battle was launched, answered, resolved; `entries` are its log lines, newest
    first.
    """
    by_stage: dict[str, Any] = {}
    for line in entries:
        if any(_ends(effect, known) for effect in line.effects):
            by_stage.setdefault("resolved", line.entry.at)
        if line.entry.content.get("move") == "respond":
            by_stage["answered"] = line.entry.at
    if entries:
        by_stage["launched"] = entries[-1].entry.at
    return by_stage


def result(
    table: TableContext, known: words.Known, entries: Sequence[Line]
) -> dict[str, Any] | None:
    """What a resolved battle came to: how it was reported, its dice, and every effect as was → is.
    None while it runs.
    """
    if words.running(known):
        return None
    word = words.state_word(table.scenario, known)[0]
    facts: dict[str, Any] = {
        "word": word,
        "plane": "",
        "follow": None,
        "how": "",
        "rule": "",
        "rolls": [],
    }
    speak = table.title.roll_line
    thrown = [
        roll
        for one in reversed(entries)
        for roll in one.rolls
        if _is_of_battle(roll.purpose, known)
    ]
    facts["rolls"] = [
        {"text": speak(table.scenario, roll), "value": roll.value, "sides": roll.sides}
        for roll in thrown
    ]
    line = next(
        (one for one in entries if any(_ends(effect, known) for effect in one.effects)), None
    )
    if line is None:
        return facts
    content = line.entry.content
    own = content.get("attack") == known["id"]
    if own and "routed" in content:
        names = sides_named(table, known)
        shares = _share(content["routed"]["attacker"]), _share(content["routed"]["defender"])
        outcome = verdict(table.scenario, *shares, names)
        facts["plane"] = plane(table.scenario, sides_coloured(known), names, shares)
        why = f"{outcome.why[:1].upper()}{outcome.why[1:]}."
        routed = {"attacker": written(shares[0]), "defender": written(shares[1])}
        facts["how"] = put(
            _("Routed {attacker}–{defender}. {verdict} {why}"),
            **routed,
            verdict=sentence(outcome, names),
            why=why,
        )
        facts["rule"] = "9.1"
    else:
        facts["how"] = f"{line.text[:1].upper()}{line.text[1:]}."
    if own:
        facts["follow"] = _posted(table, known, line.effects)
    return facts


def _ends(effect: Effect, known: words.Known) -> bool:
    """Is it the effect by which this battle ended?"""
    return (
        effect.kind == "attack" and effect.subject == str(known["id"]) and "outcome" in effect.facts
    )


def before_battle(scenario: Scenario, known: words.Known, entries: Sequence[Line]) -> list[str]:
    """Return the decisions of dice between the challenge and the battle: escort and encounter (7.8,
    8.1).
    """
    effects = [effect for line in reversed(entries) for effect in line.effects]
    return decided(
        scenario,
        [effect for effect in effects if effect.cause.facts.get("target") == known["target"]],
    )


def _is_of_battle(purpose: str, known: words.Known) -> bool:
    return purpose.startswith(f"turn-{known['turn']}/attack/{known['attacker']}/{known['target']}/")


def _share(value: Any) -> Share:
    number = Decimal(str(value))
    return int(number) if number == number.to_integral_value() else number


def _posted(table: TableContext, known: words.Known, effects: Sequence[Effect]) -> Follow:
    """The effects that the result had, read as one branch that has happened."""
    done = Branch(Say("certain"), (1, 1), tuple(effects), table.position)
    speaker = talk(table.title, table.scenario, table.position)
    return outcome_columns(speaker, [done], sees=table.access.sees, first=known["attacker"])
