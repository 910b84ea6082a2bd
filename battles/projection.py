"""Battles and their claims, written from the log, and read by one reader."""

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
from campaign.log.entries import disagreements, sync
from campaign.log.positions import History
from campaign.models import GAME_MASTER, Campaign, ContestEntry, LogEntry, Membership
from campaign.seats.selectors import program_levels
from engine.effects import Say
from engine.play import Played
from engine.strict_json import as_stored
from games.contract.title import Title, Waiting

# Battles, written from the title's rows: each belongs to the entry after which it first stood
# there. Claims, written from the acts on them; an undo strikes moves and no acts, so a struck
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
    """Bring the contests known so far, by number, up to the position after an entry."""
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
    """The seat in whose absence the other plays on alone from this act on; empty where both play
    again.
    """
    return entry.seat if entry.content["how"] == "agreed" else ""


def project(campaign: Campaign, entry: LogEntry, played: Played[Any]) -> None:
    """One move more."""
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
    """One act more."""
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
    """The claims of the whole log, as their acts left them."""
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
    """All again, after an undo or a restoration."""
    sync(Battle, campaign, KEY, FIELDS, _every(campaign, history))
    sync(Claim, campaign, CLAIM_KEY, CLAIM_FIELDS, _claims(campaign))


def differences(campaign: Campaign, history: History) -> Iterator[str]:
    """What the rows say that the log does not."""
    yield from disagreements(Battle, campaign, KEY, FIELDS, _every(campaign, history))
    yield from disagreements(Claim, campaign, CLAIM_KEY, CLAIM_FIELDS, _claims(campaign))


# What was fought. Contests are public in every title; what is hidden in them is no part of their
# facts.


SUBSTITUTE = Membership.Role.SUBSTITUTE
TO_CONFIRM, TO_JUDGE, TO_ENTER = "contest-confirm", "contest-judge", "contest-enter"
NOBODY_AWAY: Mapping[int, str] = {}
WAITS = {
    TO_CONFIRM: gettext_noop("confirm the result"),
    TO_JUDGE: gettext_noop("judge the result"),
    TO_ENTER: gettext_noop("enter the result"),
}
"""Whom the table waits for by its own acts; the title has words for all else."""


def battles(
    campaign: Campaign | int, *, seat: str = "", turn: int | None = None
) -> QuerySet[Battle]:
    """All battles in the order of launch, or those of a seat or a turn."""
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
    """Is one that was asked for here set up in the game?"""
    return bool(vars(battle)["ready"])


def running(campaign: Campaign | int) -> QuerySet[Battle]:
    """Those not yet resolved."""
    return battles(campaign).exclude(status=RESOLVED)


def listed(campaign: Campaign) -> list[Battle]:
    """Return all battles in the order of launch, with their live claims."""
    return list(_with_claims(battles(campaign)))


def listed_running(campaign: Campaign) -> list[Battle]:
    """Return the battles that are not resolved, with their live claims."""
    return list(_with_claims(running(campaign)))


def battle(campaign: Campaign, number: int) -> Battle | None:
    """Return the battle that is shown under this number now, with its lobby's sealed password."""
    return _with_password(battles(campaign).filter(number=number)).first()


def battle_and_running(campaign: Campaign, number: int) -> tuple[Battle | None, list[Battle]]:
    """Return a battle as `battle` does, and those that are not resolved, with their live claims;
    by one query.
    """
    wanted = battles(campaign).filter(Q(number=number) | ~Q(status=RESOLVED))
    rows = list(_with_claims(_with_password(wanted)))
    shown = next((row for row in rows if row.number == number), None)
    return shown, [row for row in rows if row.status != RESOLVED]


def _with_password(rows: QuerySet[Battle]) -> QuerySet[Battle]:
    """Return the battles with `sealed`, the password of their lobby as it is kept."""
    kept = LobbyPassword.objects.filter(launch=OuterRef("entry"), number=OuterRef("number")).values(
        "sealed"
    )
    return rows.annotate(sealed=Subquery(kept[:1]))  # type: ignore[no-redef]  # declared on the model


def _with_claims(rows: QuerySet[Battle]) -> QuerySet[Battle]:
    """Return the battles with `live_claim`. A battle has at most one claim that waits."""
    waits = Q(entry__claims__state__in=Claim.LIVE, entry__claims__number=F("number"))
    live_claim = FilteredRelation("entry__claims", condition=waits)
    # The model declares the name, and the plugin of mypy does not know such relations.
    claimed = rows.annotate(live_claim=live_claim)  # type: ignore[no-redef]
    claims = ("live_claim__entry__actor", "live_claim__last_act")
    return claimed.select_related("entry", *claims)


def log_of_battle(battle: Battle) -> QuerySet[LogEntry]:
    """What the log says of a battle, the latest first: its launch, the moves in force that tell of
    it, the acts on it with their claims and their evidence.
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
    """The sides for which somebody fights it: as the seat's holder, or in the holder's place."""
    return [
        seat for seat in battle.parties if seat and who.plays(battle.entry_id, battle.number, seat)
    ]


def substitutes(
    battle: Battle, places: Iterable[Membership] | None = None
) -> dict[str, Membership]:
    """Who stands in at a battle that runs, by the side's seat, with their user; `places` from
    `campaign.log.selectors.held`.
    """
    if battle.status == RESOLVED:
        return {}
    if places is None:
        places = Membership.objects.filter(launch=battle.entry_id, until=None).select_related(
            "user"
        )
    key = (SUBSTITUTE, battle.entry_id, battle.number)
    return {one.seat: one for one in places if (one.role, one.launch_id, one.contest) == key}


def stood_in(user: Any) -> QuerySet[Campaign]:
    """The campaigns where this user stands in for somebody at a battle that runs, newest first."""
    running = Battle.objects.filter(entry=OuterRef("launch"), number=OuterRef("contest")).exclude(
        status=RESOLVED
    )
    held = Membership.objects.filter(Exists(running), user_id=user.pk, until=None, role=SUBSTITUTE)
    return Campaign.objects.filter(pk__in=held.values("campaign")).order_by("-founded_at", "-pk")


def claims(battle: Battle) -> QuerySet[Claim]:
    """The claims on a battle, the latest first."""
    rows = Claim.objects.filter(launch_id=battle.entry_id, number=battle.number)
    return rows.select_related("entry__actor", "last_act__actor").order_by("-entry__sequence")


ACTS_OF_CLAIMS = Q(
    kind=LogEntry.Kind.TABLE, act__in=(CLAIM.name, CONFIRM.name, DISPUTE.name, JUDGE.name)
)


def origins(campaign: Campaign) -> dict[int, str]:
    """How the results came about that players claimed: the number of a result's entry -> who
    claimed it, who confirmed or disputed it, with which words, how it was ruled; in the language of
    now. A result that the game master entered by themselves is not among them. One query.
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
    """Select the sequence of the first act that concerns a claim."""
    acts = LogEntry.objects.filter(ACTS_OF_CLAIMS, campaign=campaign)
    return acts.order_by("sequence").values_list("sequence", flat=True)[:1]


def _origin(
    names: Mapping[str, str], claim: LogEntry, dispute: LogEntry | None, last: LogEntry
) -> str:
    """One of `origins`: sentences without the result itself."""

    def who(entry: LogEntry) -> str:
        return (
            entry.actor.username if entry.actor is not None else names.get(entry.seat, entry.seat)
        )

    facts = {"claimant": who(claim), "other": who(last), "nation": names.get(last.seat, last.seat)}
    if last.act == CONFIRM.name:
        if last.content.get("unopposed"):
            return (
                _(
                    "Claimed by %(claimant)s; the other side (%(nation)s) did not answer in time,"
                    " so it holds."
                )
                % facts
            )
        return _("Claimed by %(claimant)s, confirmed by %(other)s.") % facts
    sentences = [_("Claimed by %(claimant)s.") % facts]
    if dispute is not None:
        facts = {"other": who(dispute), "reason": dispute.content.get("reason", "")}
        sentences.append(_("Disputed by %(other)s: “%(reason)s”.") % facts)
    reason, applied = last.content.get("reason", ""), last.content.get("applied")
    ruled = (
        _("The game master %(master)s ruled that the claim holds")
        if applied
        else _("The game master %(master)s ruled differently")
    )
    sentences.append(ruled % {"master": who(last)} + (f": “{reason}”." if reason else "."))
    return " ".join(sentences)


def live_claims(running: Iterable[Battle]) -> dict[int, Claim]:
    """Return the claims that wait for an answer or a judgment, by the number of their battle.
    `running` are battles that were read with their claims.
    """
    return {battle.number: battle.live_claim for battle in running if battle.live_claim is not None}


def solos(running: Iterable[Battle]) -> dict[int, str]:
    """Return the number of each of these battles that is played solo, and the seat that is away."""
    return {battle.number: battle.solo for battle in running if battle.solo}


def waiting(
    wanted: Iterable[Waiting],
    claimed: dict[int, Claim],
    alone: Mapping[int, str] = NOBODY_AWAY,
    programs: Collection[str] = (),
) -> Sequence[Waiting]:
    """Whom the table waits for, a battle with a claim for its confirmation or its judgment alone.
    Whoever is away and lets their opponent play solo (`solos`) is not waited for; the game master
    judges what is claimed, and enters the result where `programs` hold both seats.
    """
    revised: list[Waiting] = []
    wanted = list(wanted)
    for one in wanted:
        sides = [other.seat for other in wanted if other.contest == one.contest]
        if one.contest is not None and len(sides) > 1 and all(seat in programs for seat in sides):
            revised.append(Waiting(GAME_MASTER, Say(TO_ENTER), one.contest))
            continue
        claim = claimed.get(one.contest) if one.contest is not None else None
        if one.contest is not None and one.seat == alone.get(one.contest):
            if claim is not None:
                revised.append(Waiting(GAME_MASTER, Say(TO_JUDGE), one.contest))
            continue
        if claim is None:
            revised.append(one)
        elif claim.state == Claim.State.DISPUTED:
            revised.append(Waiting(GAME_MASTER, Say(TO_JUDGE), one.contest))
        elif one.seat != claim.seat:
            revised.append(Waiting(one.seat, Say(TO_CONFIRM), one.contest))
        elif not any(other.contest == one.contest and other.seat != one.seat for other in wanted):
            revised.append(Waiting(GAME_MASTER, Say(TO_JUDGE), one.contest))
    return [one for place, one in enumerate(revised) if one not in revised[:place]]


def waits(campaign: Campaign) -> Sequence[Waiting]:
    """Whom the table waits for: by the rules, and by what was said of the battles that run; nobody
    once it has ended.
    """
    position = positions.current(campaign)
    wanted = [] if campaign.game.score(position) is not None else campaign.game.waiting(position)
    if not any(one.contest is not None for one in wanted):
        return wanted
    running = listed_running(campaign)
    return waiting(wanted, live_claims(running), solos(running), program_levels(campaign))


def speak(title: Title, scenario: Any, phrase: Say) -> str:
    """What somebody is waited for, or another saying of the title's, in words."""
    own = WAITS.get(phrase.id)
    return _(own) if own else title.speak(scenario, phrase)


def acts(battle: Battle) -> list[LogEntry]:
    """What the table said of a battle, oldest first, undone or not."""
    return [entry for entry in reversed(log_of_battle(battle)) if not entry.is_move]


def agreements(battle: Battle, rows: Sequence[LogEntry] | None = None) -> dict[str, set[str]]:
    """Return the seats that agree to something, by what they agree to.

    `rows` are the acts on the battle; without them they are read.
    """
    return log_agreements.agreements(acts(battle) if rows is None else rows)


def agreed(battle: Battle, rows: Sequence[LogEntry] | None = None) -> set[str]:
    """Return what both sides agree to."""
    return log_agreements.agreed_by(battle.parties, acts(battle) if rows is None else rows)


def evidence(battle: Battle) -> QuerySet[Evidence]:
    """What is shown for a battle, in its order."""
    rows = Evidence.objects.filter(launch_id=battle.entry_id, number=battle.number)
    return rows.select_related("entry__actor").order_by("entry__sequence")


# Which claims run, for the clocks.


def of_claims(campaign: Campaign, position: Any) -> Iterable[WantedClock]:
    """Claims that wait for the other side's confirmation, on battles that run.

    Read from the log, since the rows of claims are written after it has told of them. The launch in
    force is the battle's of now.
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
    """Return what was said of claims on challenges in force, oldest first."""
    on_moves = {"target__kind": LogEntry.Kind.MOVE, "target__struck_by": None}
    acts = LogEntry.objects.filter(
        campaign=campaign, kind=LogEntry.Kind.TABLE, act__in=(CLAIM.name, *CLOSING), **on_moves
    )
    return acts.order_by("sequence")
