"""What somebody is told, in words."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from typing import Any, NamedTuple

from django.contrib.auth import get_user_model
from django.db.models import OuterRef, Q, QuerySet, Subquery
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from campaign import hooks
from campaign.log import positions
from campaign.log.acts.programs import day, level_word
from campaign.log.acts.words import SIGHTS
from campaign.models import Campaign, LogEntry, Membership, seen_by
from campaign.seats import selectors
from engine.effects import Say
from engine.language import sentence
from engine.strict_json import read
from games import registry
from games.contract.title import Deciding
from notices import texts
from notices.kinds import CHALLENGED, CHANNEL_OFF, MESSAGE, REMINDED, RESULT
from notices.models import Channel, Delivery, DeliveryItem, DeliveryMode, Mute, Notice, Service
from notices.registry import KINDS, Kind
from notices.texts import (
    AGREEMENT,
    AWAY,
    CAME,
    CHALLENGED_AT,
    CLAIMED_RESULT,
    LEADS_AT,
    LIFE,
    NO_DESK,
    OUTCOMES,
    PROGRAM,
    RULED_ON,
    SOLO,
    TEXTS,
)


@dataclass(frozen=True)
class Told:
    """A notice in words. `page` is the name of the page it leads to and its arguments after the
    campaign.
    """

    notice: Notice
    title: str
    body: str
    page: tuple[Any, ...]
    struck: str

    @property
    def new(self) -> bool:
        """Not read yet, and still in force."""
        return self.notice.read_at is None and not self.struck


def notices(user: Any, campaign: Campaign | None = None) -> QuerySet[Notice]:
    """The user's own, newest first, of campaigns that they may still see."""
    may = ~Q(campaign__visibility=Campaign.Visibility.MEMBERS) | Q(
        campaign__in=Membership.objects.filter(user_id=user.pk, until=None).values("campaign")
    )
    rows = Notice.objects.filter(may, user_id=user.pk, kind__in=KINDS)
    if campaign is not None:
        rows = rows.filter(campaign=campaign)
    return rows.select_related("campaign", "entry", "entry__struck_by").order_by("-pk")


def unread(user: Any) -> QuerySet[Notice]:
    """Those not read yet, what is struck aside: it no longer waits for anybody."""
    return (
        notices(user)
        .filter(read_at=None)
        .exclude(entry__kind=LogEntry.Kind.MOVE, entry__struck_by__isnull=False)
    )


def urgent() -> list[str]:
    """The kinds that wait for an answer."""
    return [key for key, kind in KINDS.items() if kind.urgent]


def mutes(user: Any) -> QuerySet[Mute]:
    """The campaigns that this person has muted, and may still see."""
    seen = Q(campaign__memberships__user_id=user.pk, campaign__memberships__until=None)
    may = ~Q(campaign__visibility=Campaign.Visibility.MEMBERS) | seen
    return (
        Mute.objects.filter(may, user_id=user.pk)
        .select_related("campaign")
        .order_by("campaign__name")
        .distinct()
    )


class Matter(NamedTuple):
    """Something that somebody is waited for, and may be reminded of: which of the clocks' kinds it
    is (`slot`, `answer`, `battle`, `claim`), the seats that are waited for, and the battle.
    """

    task: str
    seats: tuple[str, ...]
    contest: int | None = None

    @property
    def key(self) -> str:
        """By which a form names it, and its reminders are known."""
        return f"{self.task}/{self.seats[0] if self.contest is None else self.contest}"


class Sent(NamedTuple):
    """The last notice that asked for something: when, through which service it has left (empty:
    only on the page of notices), and whose reminder by hand it was (a user id; None: the
    program's).
    """

    at: datetime
    service: str
    by: int | None


ASKING = (
    "slot-open",
    "challenged",
    "attacked",
    "may-start",
    "set-up",
    "claimed",
    "clock-soon",
    "clock-today",
    REMINDED,
)
"""The kinds that ask for what the table waits for."""
NEWEST = 300


def last_sent(campaign: Campaign, matters: Iterable[Matter]) -> dict[str, Sent]:
    """Of each matter, by its key, what was sent last in this turn. One query."""
    left = DeliveryItem.objects.filter(
        notice=OuterRef("pk"), delivery__state=Delivery.State.SENT
    ).values("channel__service")
    rows = Notice.objects.filter(
        campaign=campaign, kind__in=ASKING, entry__turn=campaign.turn, entry__struck_by=None
    )
    rows = rows.annotate(left=Subquery(left[:1]))
    sent: dict[str, Sent] = {}
    listed = list(matters)
    for notice in rows.order_by("-at", "-pk")[:NEWEST] if listed else ():
        facts = notice.known
        for matter in listed:
            if matter.key not in sent and _asks_for(notice.kind, notice.seat, facts, matter):
                by = facts.get("user") if notice.kind == REMINDED else None
                sent[matter.key] = Sent(notice.at, str(vars(notice)["left"] or ""), by)
    return sent


def _asks_for(kind: str, seat: str, facts: Mapping[str, Any], matter: Matter) -> bool:
    """Does this notice ask for this matter? A notice of a clock or a reminder names its task; each
    other kind has one.
    """
    if facts.get("contest") != matter.contest or facts.get("task", matter.task) != matter.task:
        return False
    if matter.contest is None:
        return facts.get("seat", seat) == matter.seats[0]
    return not seat or seat in matter.seats


class Lead(NamedTuple):
    """An unread notice with no more than says where it leads."""

    pk: int
    campaign: str
    """Its public id."""
    title: str
    kind: str
    facts: str
    number: int | None
    """Of the entry it tells of."""

    @property
    def page(self) -> tuple[Any, ...]:
        """As `page` says it."""
        return _page(self.kind, self.number, self.facts)


def news(user: Any, most: int) -> tuple[Lead, ...]:
    """Return where the user's newest unread notices lead, for the bell on every page; of muted
    campaigns only what waits for the user.
    """
    muted = Mute.objects.filter(user_id=user.pk).values("campaign")
    audible = unread(user).filter(~Q(campaign__in=muted) | Q(kind__in=urgent()))
    columns = ("pk", "campaign__public_id", "campaign__title", "kind", "facts", "entry__number")
    return tuple(Lead(*row) for row in audible.select_related(None).values_list(*columns)[:most])


def page(notice: Notice) -> tuple[Any, ...]:
    """The page a notice leads to: its name, and what follows the campaign in its address."""
    return _page(notice.kind, notice.entry.number, notice.facts)


@lru_cache(4096)
def _page(kind: str, number: int | None, facts: str) -> tuple[Any, ...]:
    name, *keys = KINDS[kind].link
    if name == "entry" and not keys:
        return (name, number) if number is not None else ("log",)
    known = read(facts)
    if name == "deadline":
        return texts.page(known)
    return (name, *(known[key] for key in keys))


def notices_in_words(
    rows: Iterable[Notice], memberships: Sequence[Membership] | None = None
) -> list[Told]:
    """These notices in words. `memberships` are those of their one campaign, past ones included, if
    they have been read; otherwise this asks for holders of seats and for names.
    """
    rows = list(rows)
    names = {place.user_id: place.user.username for place in memberships or ()}
    people = {user for notice in rows if (user := notice.known.get("user")) is not None}
    if unknown := people - names.keys():
        users = get_user_model().objects.filter(pk__in=unknown)
        names |= dict(users.values_list("pk", "username"))
    seats = _held(rows) if memberships is None else _seats_in(memberships)
    decided = {notice.campaign_id: notice.campaign for notice in rows if notice.kind == RESULT}
    origins = {key: hooks.result_origins(campaign) for key, campaign in decided.items()}
    return [
        _render_notice(
            notice,
            names,
            seats,
            origins.get(notice.campaign_id, {}).get(notice.entry.number or 0, ""),
        )
        for notice in rows
    ]


def _held(rows: Iterable[Notice]) -> set[tuple[int, int, str]]:
    """User, campaign and seat where who was told as a seat's holder holds it still: what a seat
    knows, nobody knows any more who has left it. One query, none where nothing of the kind is told.
    """
    seated = [notice for notice in rows if notice.seat and notice.entry.is_move]
    if not seated:
        return set()
    users, campaigns = {one.user_id for one in seated}, {one.campaign_id for one in seated}
    held = Membership.objects.filter(
        user__in=users, campaign__in=campaigns, role=Membership.Role.SEAT, until=None
    )
    return set(held.values_list("user_id", "campaign_id", "seat"))


def _seats_in(memberships: Iterable[Membership]) -> set[tuple[int, int, str]]:
    """Return user, campaign and seat of those who hold a seat now."""
    return {
        (place.user_id, place.campaign_id, place.seat)
        for place in memberships
        if place.role == Membership.Role.SEAT and place.until is None
    }


def _render_notice(
    notice: Notice, people: Mapping[int, str], seats: Set[tuple[int, int, str]], origin: str
) -> Told:
    """Return a notice in words. `origin` says how a claimed result was agreed or ruled."""
    kind, facts = KINDS[notice.kind], _facts(notice, people, seats, origin)
    struck = ""
    if notice.entry.struck_by is not None:
        by = notice.entry.struck_by.number
        if notice.entry.is_move:
            struck = (
                _("struck by entry %(entry)s") % {"entry": by} if by is not None else _("struck")
            )
        else:
            struck = (
                _("restored by entry %(entry)s") % {"entry": by}
                if by is not None
                else _("restored")
            )
    title = RULED_ON if kind.key == "ruling" and facts.get("rule") else TEXTS[kind.title]
    if kind.key == CHALLENGED and facts.get("place"):
        title = CHALLENGED_AT
    if facts.get("leads") and facts.get("place"):
        title = LEADS_AT
    body = "{asked}" if "asked" in facts else TEXTS[kind.body]
    if kind.key == "absence" and registry.has_board(notice.campaign.title):
        body = NO_DESK
    if facts["origin"]:
        body = CLAIMED_RESULT
    return Told(
        notice, _notice_sentence(title, facts), _notice_sentence(body, facts), page(notice), struck
    )


def _notice_sentence(text: str, facts: Mapping[str, Any]) -> str:
    return sentence(_(text), **facts).strip()


def _facts(
    notice: Notice, people: Mapping[int, str], seats: Set[tuple[int, int, str]], origin: str
) -> dict[str, Any]:
    """Return the facts with their names, as this reader's seat knows them."""
    campaign, facts = notice.campaign, notice.known
    scenario = positions.scenario(campaign)
    values = dict(facts) | _named_facts(notice, people)
    values |= _phrases(facts, values)
    values.update(texts.words(campaign.title, values))
    if "refusal" in facts:
        refusal = selectors.refusal_of(facts["refusal"])
        values |= {
            "order": selectors.order_sentence(campaign, facts["order"]),
            "why": campaign.game.refusal(scenario, refusal),
            "rule": refusal.rule,
        }
    if notice.kind == "fell":
        values["fall"] = _fall(campaign, scenario, notice)
    line = _move_line(notice, seats, is_claimed=bool(origin)) if notice.entry.is_move else ""
    return values | {"origin": origin, "line": line, "sentence": _closed(line)}


def _named_facts(notice: Notice, people: Mapping[int, str]) -> dict[str, Any]:
    """Return names in place of the keys of seats, places and users."""
    campaign, entry, facts = notice.campaign, notice.entry, notice.known
    game, scenario = campaign.game, positions.scenario(campaign)
    names = {"gm": _("Game master")} | positions.seats(campaign)
    values: dict[str, Any] = {
        key: names.get(facts[key], facts[key]) for key in ("seat", "other") if key in facts
    }
    if facts.get("target"):
        values["place"] = _place(scenario, facts["target"])
    if "user" in facts:
        values["user"] = people.get(facts["user"]) or _("Somebody")
    if "actions" in facts:
        values["actions"] = _actions(campaign, facts["actions"])
    if "asked" in facts:
        asked = game.speak(scenario, Say(facts["asked"][0], "", facts["asked"][1]))
        values["asked"] = f"{asked[:1].upper()}{asked[1:]}."
    values["speaker"] = names.get(entry.seat, entry.seat)
    values["reading"] = entry.content.get("text", "")
    return values


def _phrases(facts: Mapping[str, Any], values: Mapping[str, Any]) -> dict[str, str]:
    """Return the phrases that follow from the kind of a notice; `values` are named facts."""
    how = facts.get("how", "")
    phrases = {
        "life": _phrase(LIFE, how),
        "sight": str(SIGHTS[facts["sight"]]) if "sight" in facts else "",
        "solo": _notice_sentence(SOLO[how], values) if how in SOLO else "",
        "agreement": _phrase(AGREEMENT, how),
        "outcome": _phrase(OUTCOMES, facts.get("outcome")),
        "came": _phrase(CAME, how),
    }
    if how in AWAY and "first" in facts:
        days = {"first": day(facts["first"]), "last": day(facts["last"])}
        phrases["away"] = _notice_sentence(AWAY[how], {**values, **days})
    if "level" in facts:
        level = level_word(facts["level"])
        phrases["program"] = _notice_sentence(PROGRAM[how], {**values, "level": level})
    return phrases


def _phrase(texts_by_key: Mapping[str, Any], key: Any) -> str:
    return _(texts_by_key[key]) if key in texts_by_key else ""


def _move_line(notice: Notice, seats: Set[tuple[int, int, str]], *, is_claimed: bool) -> str:
    """Return the move as this reader's seat sees it; empty if it is hidden from them."""
    entry, game = notice.entry, notice.campaign.game
    scenario = positions.scenario(notice.campaign)
    is_seated = (notice.user_id, notice.campaign_id, notice.seat) in seats
    voices = (notice.seat,) if is_seated else ()
    if not seen_by(entry.viewers, voices):
        return ""
    known = tuple(effect for effect in entry.all_effects if seen_by(effect.audience, voices))
    line = (game.claimed_line if is_claimed else game.move_line)(scenario, entry.content, known)
    if line and isinstance(game, Deciding):
        return _with_dice(str(line), game.decided(scenario, known))
    return str(line)


def _fall(campaign: Campaign, scenario: Any, notice: Notice) -> str:
    """Return why the notice's nation fell: "the Huns crumble"."""
    effects = notice.entry.all_effects
    causes = [
        one.cause
        for one in effects
        if (one.kind, one.holder, one.subject) == ("seat", notice.seat, "fallen")
    ]
    return campaign.game.speak(scenario, causes[0]) if causes else ""


def _closed(line: str) -> str:
    """Return the line with a full stop."""
    return f"{line}." if line and line[-1] not in ".!?…" else line


def _with_dice(line: str, sentences: Sequence[str]) -> str:
    """Return the line, followed by the decisions of its dice."""
    return " ".join([_closed(line), *sentences]) if sentences else line


def _place(scenario: Any, key: str) -> str:
    """The name of a province that is fought for; empty of a title without provinces."""
    known = getattr(scenario, "provinces", {}).get(key)
    return str(known.name) if known is not None else ""


def _actions(campaign: Campaign, amount: int | None) -> str:
    """You have 1½ actions."""
    purse = next((account for account in campaign.game.accounts if account.key == "actions"), None)
    if amount is None or purse is None:
        return ""
    whole, rest = divmod(amount, purse.scale)
    text = (str(whole) if whole or not rest else "") + ("½" if rest else "")
    one = 0 < amount <= purse.scale  # half an action and a whole one are said as one
    return ngettext("You have %(n)s action.", "You have %(n)s actions.", 1 if one else 2) % {
        "n": text
    }


# How a kind comes through a channel: as its owner wishes, else as usual.

TOLD_ABROAD = frozenset({"turn-opened", "turn-closed", "finished", "life"})
"""What a campaign's channel says where nobody has chosen."""


def usual_preference(channel: Channel, kind: Kind) -> str:
    """What cannot wait comes at once everywhere, the rest in the daily letter; a campaign's channel
    tells its turns.
    """
    if channel.campaign_id is not None:
        return DeliveryMode.NOW if kind.key in TOLD_ABROAD else DeliveryMode.OFF
    if kind.urgent or (channel.service == Service.PUSH and kind.key == MESSAGE):
        return DeliveryMode.NOW
    return DeliveryMode.DIGEST if channel.service == Service.EMAIL else DeliveryMode.OFF


def preference_for(channel: Channel, kind: str, wished: Mapping[tuple[int, str], str]) -> str:
    """`wished` are the wishes by the channel's key and the kind's."""
    known = KINDS.get(kind)
    if known is None or not offered(channel, known):
        return DeliveryMode.OFF
    return wished.get((channel.pk, kind)) or usual_preference(channel, known)


def offered(channel: Channel, kind: Kind) -> bool:
    """May it come through this channel at all? A campaign's has many readers: it is told what
    everybody may know.
    """
    return kind.key != CHANNEL_OFF and (kind.public or channel.campaign_id is None)
