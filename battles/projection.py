"""Projections of the log to battles and their claims, and queries of these."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any

from django.db.models import (
    Exists,
    F,
    FilteredRelation,
    OuterRef,
    Q,
    QuerySet,
    Subquery,
)
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from battles.models import Battle, Claim, Evidence, LobbyPassword
from campaign.access import Access
from campaign.clocks import selectors as clock_selectors
from campaign.hooks import WantedClock
from campaign.log import agreements as log_agreements
from campaign.log import positions
from campaign.log.acts.battles import (
    CLAIM,
    CONFIRM,
    DISPUTE,
    JUDGE,
    SET_UP,
    SOLO,
    WITHDRAW_CLAIM,
)
from campaign.log.entries import disagreements, sync_rows
from campaign.log.positions import History
from campaign.models import GAME_MASTER, Campaign, ContestEntry, LogEntry, Membership
from campaign.seats.selectors import program_levels
from engine.effects import Phrase
from engine.play import MoveResult
from engine.strict_json import as_stored
from games.contract.title import Title, Waiting

# Battles are written from the title's rows: each belongs to the first entry after which it was
# among them. Claims are written from the acts on them. An undo strikes only moves, so that a struck
# battle keeps its claims.


RESOLVED = "resolved"
TEXTS = ("kind", "attacker", "defender", "source", "target", "status", "outcome")
KEY = ("entry_id", "number")
FIELDS = ("turn", *TEXTS, "facts", "launched_at", "resolved_at", "solo")
CLAIM_KEY = ("entry_id",)
CLAIM_FIELDS = ("launch_id", "number", "seat", "state", "last_act_id")
CLOSING = {
    WITHDRAW_CLAIM.name: Claim.State.WITHDRAWN,
    DISPUTE.name: Claim.State.DISPUTED,
    CONFIRM.name: Claim.State.CONFIRMED,
    JUDGE.name: Claim.State.JUDGED,
}
Launched = dict[int, tuple[tuple[Any, ...], dict[str, Any]]]


def _write(battles: Launched, campaign: Campaign, entry: LogEntry, after: Any) -> None:
    """Update the known contests, by number, to the position after an entry."""
    for number, facts in campaign.game.rows(after).contests.items():
        if number not in battles:
            row = {"turn": entry.turn, "launched_at": entry.at, "resolved_at": None, "solo": ""}
            battles[number] = ((entry.pk, number), row)
        values = battles[number][1]
        values |= {field: str(facts.get(field) or "") for field in TEXTS}
        values["facts"] = as_stored(facts)
        if values["status"] == RESOLVED and values["resolved_at"] is None:
            values["resolved_at"] = entry.at


def _every(campaign: Campaign, history: History) -> dict[tuple[Any, ...], dict[str, Any]]:
    """Return the rows of all battles according to the log."""
    battles: Launched = {}
    last = None
    for entry, played in history.steps:
        if played.after is not last:
            last = played.after
            _write(battles, campaign, entry, last)
    rows = dict(battles.values())
    for entry in campaign.entries.filter(kind=LogEntry.Kind.TABLE, act=SOLO.name).order_by(
        "sequence"
    ):
        key = (entry.target_id, entry.content["battle"])
        if key in rows:
            rows[key]["solo"] = solo_after(entry)
    return rows


def solo_after(entry: LogEntry) -> str:
    """Return the absent seat whose opponent plays solo after this act.

    It is empty if both play again.
    """
    return entry.seat if entry.content["how"] == "agreed" else ""


def project(campaign: Campaign, entry: LogEntry, played: MoveResult[Any]) -> None:
    """Write the rows that a new move changes."""
    rows = Battle.objects.filter(campaign=campaign).values(*KEY, *FIELDS)
    battles: Launched = {}
    for row in rows:
        battles[row["number"]] = (
            (row["entry_id"], row["number"]),
            {field: row[field] for field in FIELDS},
        )
    before = {key: dict(values) for key, values in battles.values()}
    _write(battles, campaign, entry, played.after)
    for key, values in battles.values():
        if key not in before:
            Battle.objects.create(campaign=campaign, entry_id=key[0], number=key[1], **values)
        elif values != before[key]:
            Battle.objects.filter(entry_id=key[0], number=key[1]).update(**values)


def project_act(campaign: Campaign, entry: LogEntry) -> None:
    """Write the rows that a new act changes."""
    act, facts = entry.act, entry.content
    if act == CLAIM.name:
        values = {
            "launch": entry.target,
            "number": facts["battle"],
            "seat": entry.seat,
            "last_act": entry,
        }
        Claim.objects.create(campaign=campaign, entry=entry, **values)
    elif act == SOLO.name:
        Battle.objects.filter(entry=entry.target, number=facts["battle"]).update(
            solo=solo_after(entry)
        )
    elif act in CLOSING:
        Claim.objects.filter(campaign=campaign, entry__number=facts["claim"]).update(
            state=CLOSING[act], last_act=entry
        )


def _claims(campaign: Campaign) -> dict[tuple[Any, ...], dict[str, Any]]:
    """Return the rows of all claims according to the log."""
    claims: dict[int | None, tuple[tuple[Any, ...], dict[str, Any]]] = {}
    for entry in campaign.entries.filter(kind=LogEntry.Kind.TABLE, target__isnull=False).order_by(
        "sequence"
    ):
        act, facts = entry.act, entry.content
        if act == CLAIM.name:
            values = {
                "number": facts["battle"],
                "seat": entry.seat,
                "state": str(Claim.State.OPEN),
                "last_act_id": entry.pk,
            }
            claims[entry.number] = ((entry.pk,), {"launch_id": entry.target_id, **values})
        elif act in CLOSING and facts["claim"] in claims:
            claims[facts["claim"]][1].update(state=str(CLOSING[act]), last_act_id=entry.pk)
    return dict(claims.values())


def rebuild(campaign: Campaign, history: History) -> None:
    """Write all rows anew, after an undo or a restoration."""
    sync_rows(Battle, campaign, KEY, FIELDS, _every(campaign, history))
    sync_rows(Claim, campaign, CLAIM_KEY, CLAIM_FIELDS, _claims(campaign))


def differences(campaign: Campaign, history: History) -> Iterator[str]:
    """Yield the differences between the rows and the log."""
    yield from disagreements(Battle, campaign, KEY, FIELDS, _every(campaign, history))
    yield from disagreements(Claim, campaign, CLAIM_KEY, CLAIM_FIELDS, _claims(campaign))


# Queries of battles. Contests are public in every title; their facts contain nothing hidden.


SUBSTITUTE = Membership.Role.SUBSTITUTE
TO_CONFIRM, TO_JUDGE, TO_ENTER = "contest-confirm", "contest-judge", "contest-enter"
NOBODY_AWAY: Mapping[int, str] = {}
WAITS = {
    TO_CONFIRM: gettext_noop("confirm the result"),
    TO_JUDGE: gettext_noop("judge the result"),
    TO_ENTER: gettext_noop("enter the result"),
}
"""Words for what the table waits for by its own acts; the title has words for the rest."""


def battles(
    campaign: Campaign | int, *, seat: str = "", turn: int | None = None
) -> QuerySet[Battle]:
    """Return all battles in the order of launch, or those of a seat or a turn."""
    set_ups = LogEntry.objects.filter(
        target=OuterRef("entry"),
        kind=LogEntry.Kind.TABLE,
        act=SET_UP.name,
        contest_rows__contest=OuterRef("number"),
    )
    rows = (
        Battle.objects.filter(campaign=campaign)
        .select_related("entry")
        .annotate(ready=Exists(set_ups))
    )
    if seat:
        rows = rows.filter(Q(attacker=seat) | Q(defender=seat))
    return rows if turn is None else rows.filter(turn=turn)


def ready(battle: Battle) -> bool:
    """Return whether a battle that was read with `battles` is set up in the game."""
    return bool(vars(battle)["ready"])


def running(campaign: Campaign | int) -> QuerySet[Battle]:
    """Return the battles that are not resolved."""
    return battles(campaign).exclude(status=RESOLVED)


def listed(campaign: Campaign) -> list[Battle]:
    """Return all battles in the order of launch, with their live claims."""
    return list(_with_claims(battles(campaign)))


def listed_running(campaign: Campaign) -> list[Battle]:
    """Return the battles that are not resolved, with their live claims."""
    return list(_with_claims(running(campaign)))


def battle(campaign: Campaign, number: int) -> Battle | None:
    """Return the battle that currently has this number, with its lobby's sealed password."""
    return _with_password(battles(campaign).filter(number=number)).first()


def battle_and_running(campaign: Campaign, number: int) -> tuple[Battle | None, list[Battle]]:
    """Return a battle as `battle` does, and the battles that are not resolved, by one query.

    All have their live claims.
    """
    wanted = battles(campaign).filter(Q(number=number) | ~Q(status=RESOLVED))
    rows = list(_with_claims(_with_password(wanted)))
    shown = next((row for row in rows if row.number == number), None)
    return shown, [row for row in rows if row.status != RESOLVED]


def _with_password(rows: QuerySet[Battle]) -> QuerySet[Battle]:
    """Return the battles with `sealed`, the sealed password of their lobby."""
    kept = LobbyPassword.objects.filter(launch=OuterRef("entry"), number=OuterRef("number")).values(
        "sealed"
    )
    return rows.annotate(sealed=Subquery(kept[:1]))  # type: ignore[no-redef]  # declared on the model


def _with_claims(rows: QuerySet[Battle]) -> QuerySet[Battle]:
    """Return the battles with `live_claim`. A battle has at most one such claim."""
    waits = Q(entry__claims__state__in=Claim.LIVE, entry__claims__number=F("number"))
    live_claim = FilteredRelation("entry__claims", condition=waits)
    # The model declares the name, but mypy's plugin does not know such relations.
    claimed = rows.annotate(live_claim=live_claim)  # type: ignore[no-redef]
    claims = ("live_claim__entry__actor", "live_claim__last_act")
    return claimed.select_related("entry", *claims)


def log_of_battle(battle: Battle) -> QuerySet[LogEntry]:
    """Return the log entries of a battle, the latest first.

    They are its launch, the moves in force that concern it, and the acts on it with their claims
    and their evidence.
    """
    rows = ContestEntry.objects.filter(campaign=battle.campaign_id, contest=battle.number)
    named = Q(pk__in=rows.values("entry"))
    moves = Q(kind=LogEntry.Kind.MOVE, struck_by=None, sequence__gte=battle.entry.sequence)
    moves &= named | Q(pk=battle.entry_id)
    acts = named & Q(kind=LogEntry.Kind.TABLE, target=battle.entry_id)
    entries = LogEntry.objects.filter(moves | acts, campaign_id=battle.campaign_id)
    return entries.select_related(
        "actor", "struck_by", "target", "claim__last_act__actor", "evidence"
    ).order_by("-sequence")


def sides(battle: Battle, who: Access) -> list[str]:
    """Return the sides for which a user fights a battle, as holder of the seat or substitute."""
    return [
        seat for seat in battle.parties if seat and who.plays(battle.entry_id, battle.number, seat)
    ]


def substitutes(
    battle: Battle, places: Iterable[Membership] | None = None
) -> dict[str, Membership]:
    """Return the substitutes at a running battle, with their users, by the seat of the side.

    `places` are memberships from `campaign.log.selectors.seats_with_holder`, if already known.
    """
    if battle.status == RESOLVED:
        return {}
    if places is None:
        places = Membership.objects.filter(launch=battle.entry_id, until=None).select_related(
            "user"
        )
    key = (SUBSTITUTE, battle.entry_id, battle.number)
    return {
        place.seat: place for place in places if (place.role, place.launch_id, place.contest) == key
    }


def stood_in(user: Any) -> QuerySet[Campaign]:
    """Return the campaigns in which this user is a substitute at a running battle, newest first."""
    running = Battle.objects.filter(entry=OuterRef("launch"), number=OuterRef("contest")).exclude(
        status=RESOLVED
    )
    held = Membership.objects.filter(Exists(running), user_id=user.pk, until=None, role=SUBSTITUTE)
    return Campaign.objects.filter(pk__in=held.values("campaign")).order_by("-founded_at", "-pk")


def claims(battle: Battle) -> QuerySet[Claim]:
    """Return the claims on a battle, the latest first."""
    rows = Claim.objects.filter(launch_id=battle.entry_id, number=battle.number)
    return rows.select_related("entry__actor", "last_act__actor").order_by("-entry__sequence")


ACTS_OF_CLAIMS = Q(
    kind=LogEntry.Kind.TABLE, act__in=(CLAIM.name, CONFIRM.name, DISPUTE.name, JUDGE.name)
)


def origins(campaign: Campaign) -> dict[int, str]:
    """Return how the claimed results were agreed on or ruled, by the number of the result's entry.

    Each text says who claimed the result, who confirmed or disputed it, the reasons, and the
    ruling, in the current language. Results that the game master entered without a claim are not
    included. Makes one query.
    """
    first = Subquery(_first_act_of_a_claim(campaign))
    named = Q(pk__in=ContestEntry.objects.filter(campaign=campaign).values("entry"))
    moves = named & Q(kind=LogEntry.Kind.MOVE, sequence__gt=first)
    rows = campaign.entries.filter(ACTS_OF_CLAIMS | moves).select_related("actor")
    claimed: dict[int, LogEntry] = {}
    disputed: dict[int, LogEntry] = {}
    settled: dict[int, str] = {}
    results: dict[int, str] = {}
    names = positions.seats(campaign)
    for entry in rows.order_by("sequence"):
        if entry.act == CLAIM.name and entry.number is not None:
            claimed[entry.number] = entry
        elif entry.act == DISPUTE.name:
            disputed[int(entry.content["claim"])] = entry
        elif entry.act in (CONFIRM.name, JUDGE.name) and not entry.is_move:
            claim = claimed[int(entry.content["claim"])]
            settled[claim.content["battle"]] = _origin(
                names, claim, disputed.get(claim.number or 0), entry
            )
        elif entry.is_move and entry.number is not None:
            concerned = set(entry.contests)
            for number in [number for number in settled if number in concerned]:
                results[entry.number] = settled.pop(number)
    return results


def _first_act_of_a_claim(campaign: Campaign) -> QuerySet[LogEntry, int]:
    """Return a query for the sequence of the first act that concerns a claim."""
    acts = LogEntry.objects.filter(ACTS_OF_CLAIMS, campaign=campaign)
    return acts.order_by("sequence").values_list("sequence", flat=True)[:1]


def _origin(
    names: Mapping[str, str], claim: LogEntry, dispute: LogEntry | None, last: LogEntry
) -> str:
    """Return the sentences for a result in `origins`, without the result itself."""

    def who(entry: LogEntry) -> str:
        return (
            entry.actor.username if entry.actor is not None else names.get(entry.seat, entry.seat)
        )

    facts = {"claimant": who(claim), "other": who(last), "nation": names.get(last.seat, last.seat)}
    if last.act == CONFIRM.name:
        if last.content.get("unopposed"):
            return (
                _(
                    "Claimed by %(claimant)s. The other side (%(nation)s) did not answer in time, "
                    "so the claim holds."
                )
                % facts
            )
        return _("Claimed by %(claimant)s, confirmed by %(other)s.") % facts
    sentences = [_("Claimed by %(claimant)s.") % facts]
    if dispute is not None:
        facts = {"other": who(dispute), "reason": dispute.content.get("reason", "")}
        sentences.append(_("Disputed by %(other)s: “%(reason)s”.") % facts)
    sentences.append(_ruling(who(last), last.content))
    return " ".join(sentences)


def _ruling(master: str, content: Mapping[str, Any]) -> str:
    """Return the game master's ruling on a claim as a sentence, with its reason if it has one."""
    reason = content.get("reason", "")
    if content.get("applied"):
        text = (
            _("The game master %(master)s has upheld the claim: “%(reason)s”.")
            if reason
            else _("The game master %(master)s has upheld the claim.")
        )
    else:
        text = (
            _("The game master %(master)s ruled differently: “%(reason)s”.")
            if reason
            else _("The game master %(master)s ruled differently.")
        )
    return text % {"master": master, "reason": reason}


def live_claims(running: Iterable[Battle]) -> dict[int, Claim]:
    """Return the claims that wait for an answer or a ruling, by the number of their battle.

    `running` are battles that were read with their claims.
    """
    return {battle.number: battle.live_claim for battle in running if battle.live_claim is not None}


def solos(running: Iterable[Battle]) -> dict[int, str]:
    """Return the absent seat of each of these battles that is played solo, by number."""
    return {battle.number: battle.solo for battle in running if battle.solo}


def waiting(
    wanted: Iterable[Waiting],
    claimed: dict[int, Claim],
    alone: Mapping[int, str] = NOBODY_AWAY,
    programs: Collection[str] = (),
) -> Sequence[Waiting]:
    """Return the seats for which the table waits, revised by the acts on battles.

    A battle with a claim waits only for its confirmation or ruling. A seat that is away while the
    opponent plays solo (`solos`) is not waited for; the game master rules on the claim. If
    `programs` hold both seats, the game master enters the result.
    """
    revised: list[Waiting] = []
    wanted = list(wanted)
    for wait in wanted:
        sides = [other.seat for other in wanted if other.contest == wait.contest]
        if wait.contest is not None and len(sides) > 1 and all(seat in programs for seat in sides):
            revised.append(Waiting(GAME_MASTER, Phrase(TO_ENTER), wait.contest))
            continue
        claim = claimed.get(wait.contest) if wait.contest is not None else None
        if wait.contest is not None and wait.seat == alone.get(wait.contest):
            if claim is not None:
                revised.append(Waiting(GAME_MASTER, Phrase(TO_JUDGE), wait.contest))
            continue
        if claim is None:
            revised.append(wait)
        elif claim.state == Claim.State.DISPUTED:
            revised.append(Waiting(GAME_MASTER, Phrase(TO_JUDGE), wait.contest))
        elif wait.seat != claim.seat:
            revised.append(Waiting(wait.seat, Phrase(TO_CONFIRM), wait.contest))
        elif not any(other.contest == wait.contest and other.seat != wait.seat for other in wanted):
            revised.append(Waiting(GAME_MASTER, Phrase(TO_JUDGE), wait.contest))
    return [wait for place, wait in enumerate(revised) if wait not in revised[:place]]


def waits(campaign: Campaign) -> Sequence[Waiting]:
    """Return the seats for which the table waits, by the rules and by the acts on battles.

    There are none once the campaign has ended.
    """
    position = positions.current(campaign)
    wanted = [] if campaign.game.score(position) is not None else campaign.game.waiting(position)
    if not any(wait.contest is not None for wait in wanted):
        return wanted
    running = listed_running(campaign)
    return waiting(wanted, live_claims(running), solos(running), program_levels(campaign))


def speak(title: Title, scenario: Any, phrase: Phrase) -> str:
    """Return a phrase of the table's own waits or of the title in the current language."""
    own = WAITS.get(phrase.id)
    return _(own) if own else title.speak(scenario, phrase)


def acts(battle: Battle) -> list[LogEntry]:
    """Return the acts on a battle, the oldest first, undone or not."""
    return [entry for entry in reversed(log_of_battle(battle)) if not entry.is_move]


def agreements(battle: Battle, rows: Sequence[LogEntry] | None = None) -> dict[str, set[str]]:
    """Return the seats that agree to something, by the subject of the agreement.

    `rows` are the acts on the battle; without them they are read.
    """
    return log_agreements.agreements(acts(battle) if rows is None else rows)


def agreed(battle: Battle, rows: Sequence[LogEntry] | None = None) -> set[str]:
    """Return the subjects on which both sides agree."""
    return log_agreements.agreed_by(battle.parties, acts(battle) if rows is None else rows)


def evidence(battle: Battle) -> QuerySet[Evidence]:
    """Return the evidence for a battle, in the order of its entries."""
    rows = Evidence.objects.filter(launch_id=battle.entry_id, number=battle.number)
    return rows.select_related("entry__actor").order_by("entry__sequence")


# The claims for which clocks run.


def of_claims(campaign: Campaign, position: Any) -> Iterable[WantedClock]:
    """Yield a clock for each claim that waits for the other side, on running battles.

    Claims are read from the log, since their rows are written later than the clocks. A battle's
    current launch is the one in force.
    """
    contests = campaign.game.rows(position).contests
    running = {number: facts for number, facts in contests.items() if facts["status"] != RESOLVED}
    if not running:
        return
    live: dict[int | None, tuple[int, str, LogEntry]] = {}
    for entry in _acts_of_claims(campaign):
        act, content = entry.act, entry.content
        if act == CLAIM.name and content["battle"] in running:
            live[entry.number] = (content["battle"], entry.seat, entry)
        elif act in CLOSING:
            live.pop(content["claim"], None)
    for number, claimant, entry in live.values():
        facts = running[number]
        sides = [
            str(facts.get("attacker") or ""),
            str(facts.get("defender") or facts.get("leader") or ""),
        ]
        other = next((seat for seat in sides if seat != claimant), "")
        if other:
            yield WantedClock(clock_selectors.CLAIM, other, number, entry.pk, waits=(other,))


def _acts_of_claims(campaign: Campaign) -> QuerySet[LogEntry]:
    """Return the acts on claims whose challenge is in force, the oldest first."""
    on_moves = {"target__kind": LogEntry.Kind.MOVE, "target__struck_by": None}
    acts = LogEntry.objects.filter(
        campaign=campaign, kind=LogEntry.Kind.TABLE, act__in=(CLAIM.name, *CLOSING), **on_moves
    )
    return acts.order_by("sequence")
