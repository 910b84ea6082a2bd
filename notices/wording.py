"""Texts of notices, made when they are read, with the names of seats, nations and users."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from typing import Any

from django.contrib.auth import get_user_model
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from campaign import hooks
from campaign.log import positions
from campaign.models import GAME_MASTER, Membership, seen_by
from engine.language import sentence
from games.contract.title import WithDecisions
from notices.expected import (
    NOTHING_EXPECTED,
    Expectation,
    otherwise_text,
    request_text,
    short_time,
    threat_texts,
)
from notices.kinds.kind import Content
from notices.models import Notice
from notices.present import Present, place_name
from notices.registry import KINDS
from notices.selectors import linked_page


@dataclass(frozen=True)
class NoticeInWords:
    """A notice with its texts.

    `page` is the name of the page to which it links, with its arguments after the campaign.
    `struck` says why the notice is no longer in force; it is empty if it is. `expected` is what a
    letter adds; lists of notices add nothing.
    """

    notice: Notice
    title: str
    body: str
    page: tuple[Any, ...]
    struck: str
    expected: Expectation = NOTHING_EXPECTED

    @property
    def asks(self) -> bool:
        """Whether something is expected of the reader."""
        return KINDS[self.notice.kind].asks

    @property
    def news(self) -> str:
        """The news, and the request on a line of its own."""
        return "\n".join(text for text in (self.body, self.expected.request) if text)

    @property
    def lines(self) -> list[str]:
        """The text of a message about this notice, without its title."""
        threats = [f"• {threat}" for threat in self.expected.threats]
        return [line for line in (self.news, *threats, self.expected.otherwise) if line]

    @property
    def new(self) -> bool:
        """Whether the notice is unread and still in force."""
        return self.notice.read_at is None and not self.struck


def notices_in_words(
    rows: Iterable[Notice],
    memberships: Sequence[Membership] | None = None,
    present: Present | None = None,
) -> list[NoticeInWords]:
    """Return notices with their texts.

    `memberships` are those of their campaign, including past ones, if all notices belong to one
    campaign and the memberships are known; otherwise this queries seats and names. With `present`,
    the texts are those of a letter, which say what is expected now.
    """
    rows = list(rows)
    users = _user_names(rows, memberships or ())
    seats = _seats_still_held(rows) if memberships is None else _seats_in(memberships)
    decided = {row.campaign_id: row.campaign for row in rows if KINDS[row.kind].names_origin}
    origins = {key: hooks.result_origins(campaign) for key, campaign in decided.items()}
    rendered = []
    for row in rows:
        is_decided = KINDS[row.kind].names_origin
        origin = origins[row.campaign_id].get(row.entry.number or 0, "") if is_decided else ""
        content = _content(row, users, seats, origin)
        usual = _render_notice(row, content)
        rendered.append(usual if present is None else _in_letter(usual, content, present))
    return rendered if present is None else _with_threats(rendered, present)


def _user_names(rows: Sequence[Notice], memberships: Sequence[Membership]) -> dict[int, str]:
    """Return the names of the users in the facts of these notices, by id."""
    names = {place.user_id: place.user.username for place in memberships}
    users = {user for row in rows if (user := row.facts.get("user")) is not None}
    if unknown := users - names.keys():
        rows_of_users = get_user_model().objects.filter(pk__in=unknown)
        names |= dict(rows_of_users.values_list("pk", "username"))
    return names


def _seats_still_held(rows: Iterable[Notice]) -> set[tuple[int, int, str]]:
    """Return (user, campaign, seat) of readers who still hold the seat of their notice.

    A reader who has left a seat no longer sees what only its holder may know. Makes one query; none
    if no notice is about a move.
    """
    seated = [row for row in rows if row.seat and row.entry.is_move]
    if not seated:
        return set()
    users, campaigns = {row.user_id for row in seated}, {row.campaign_id for row in seated}
    held = Membership.objects.filter(
        user__in=users, campaign__in=campaigns, role=Membership.Role.SEAT, until=None
    )
    return set(held.values_list("user_id", "campaign_id", "seat"))


def _seats_in(memberships: Iterable[Membership]) -> set[tuple[int, int, str]]:
    """Return (user, campaign, seat) of all current holders of seats."""
    return {
        (place.user_id, place.campaign_id, place.seat)
        for place in memberships
        if place.role == Membership.Role.SEAT and place.until is None
    }


def _render_notice(notice: Notice, content: Content) -> NoticeInWords:
    kind = KINDS[notice.kind]
    values = {**content.values, **kind.words(content), "origin": content.origin}

    def text(message: str) -> str:
        return sentence(_(message), **values).strip()

    return NoticeInWords(
        notice,
        text(kind.title_of(content)),
        text(kind.body_of(content)),
        linked_page(notice),
        _struck_reason(notice),
    )


def _in_letter(usual: NoticeInWords, content: Content, present: Present) -> NoticeInWords:
    """Return a notice with the texts of a letter, which say what is expected now."""
    notice, campaign, now = usual.notice, present.campaign_of(usual.notice), present.now
    kind = KINDS[notice.kind]
    task = kind.task(notice)
    clock = campaign.clock_of(task) if task is not None else None
    due = clock.due_at if clock is not None and clock.due_at > now else None
    values = {
        **content.values,
        **kind.words(content),
        **kind.letter_words(content, campaign),
        "title": usual.title,
    }
    if due is not None:
        values["due"] = short_time(due)

    def text(message: str) -> str:
        return sentence(_(message), **values).strip() if message else ""

    is_asked = kind.asks and notice.seat != GAME_MASTER
    request = (
        request_text(task.kind, clock, now, is_asked=is_asked)
        if task is not None
        else text(kind.asked_of(notice))
    )
    return replace(
        usual,
        title=text(kind.letter_title(content, campaign, has_deadline=due is not None)),
        body=text(kind.news_of(content)) if task is not None else usual.body,
        expected=Expectation(
            request=request,
            otherwise=otherwise_text(clock, campaign) if due and is_asked else "",
            due=due,
        ),
    )


def _with_threats(letter: Sequence[NoticeInWords], present: Present) -> list[NoticeInWords]:
    """Return the notices of a letter with the threats to their readers' seats, each once.

    A contest about which the letter has a notice of its own is no further threat.
    """
    named: dict[tuple[int, str], set[int]] = defaultdict(set)
    warned: dict[tuple[int, str], int] = {}
    for shown in sorted(letter, key=lambda shown: not shown.asks):
        notice = shown.notice
        place = notice.campaign_id, notice.seat
        if "contest" in notice.facts and shown.asks:
            named[place].add(notice.facts["contest"])
        if KINDS[notice.kind].warns and not present.is_public:
            warned.setdefault(place, notice.pk)
    with_threats = []
    for shown in letter:
        place = shown.notice.campaign_id, shown.notice.seat
        if warned.get(place) == shown.notice.pk:
            campaign = present.campaign_of(shown.notice)
            threats = threat_texts(campaign, place[1], present.now, named[place])
            shown = replace(shown, expected=replace(shown.expected, threats=threats))
        with_threats.append(shown)
    return with_threats


def _struck_reason(notice: Notice) -> str:
    """Return why a notice is no longer in force; empty if it is."""
    if notice.entry.struck_by is None:
        return ""
    by = notice.entry.struck_by.number
    if notice.entry.is_move:
        return (
            _("struck by entry %(entry)s") % {"entry": by}
            if by is not None
            else pgettext("notice", "struck")
        )
    return _("restored by entry %(entry)s") % {"entry": by} if by is not None else _("restored")


def _content(
    notice: Notice, users: Mapping[int, str], seats: Set[tuple[int, int, str]], origin: str
) -> Content:
    """Return the values that the texts of a notice may use, as the reader's seat knows them."""
    facts = notice.facts
    line = _move_line(notice, seats, is_claimed=bool(origin)) if notice.entry.is_move else ""
    named = _named_facts(notice, facts, users)
    values = {**facts, **named, "line": line, "sentence": _with_full_stop(line)}
    return Content(notice, facts, values, origin)


def _named_facts(
    notice: Notice, facts: Mapping[str, Any], users: Mapping[int, str]
) -> dict[str, Any]:
    """Return names in place of the keys of seats, places and users."""
    campaign, entry = notice.campaign, notice.entry
    names = {"gm": pgettext("notice", "Game master")} | positions.seats(campaign)
    values: dict[str, Any] = {
        key: names.get(facts[key], facts[key]) for key in ("seat", "other") if key in facts
    }
    if facts.get("target"):
        values["place"] = place_name(positions.scenario(campaign), facts["target"])
    if "user" in facts:
        values["user"] = users.get(facts["user"]) or _("Someone")
    values["speaker"] = names.get(entry.seat, entry.seat)
    return values


def _move_line(notice: Notice, seats: Set[tuple[int, int, str]], *, is_claimed: bool) -> str:
    """Return the move as this reader's seat sees it; empty if it is hidden from them."""
    entry, game = notice.entry, notice.campaign.game
    scenario = positions.scenario(notice.campaign)
    is_seated = (notice.user_id, notice.campaign_id, notice.seat) in seats
    viewers = (notice.seat,) if is_seated else ()
    if not seen_by(entry.viewers, viewers):
        return ""
    known = tuple(effect for effect in entry.all_effects if seen_by(effect.audience, viewers))
    line = (game.claimed_line if is_claimed else game.move_line)(scenario, entry.content, known)
    if line and isinstance(game, WithDecisions):
        return _with_dice(str(line), game.dice_decisions(scenario, known))
    return str(line)


def _with_full_stop(line: str) -> str:
    """Return the line, ending with a full stop."""
    return f"{line}." if line and line[-1] not in ".!?…" else line


def _with_dice(line: str, sentences: Sequence[str]) -> str:
    """Return the line, followed by the sentences about its dice."""
    return " ".join([_with_full_stop(line), *sentences]) if sentences else line
