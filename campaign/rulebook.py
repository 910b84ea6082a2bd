"""The rules of a campaign: the text, the game master's rulings, and amendments in play."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import cache, lru_cache
from html import unescape
from typing import Any, NamedTuple

from django.db import transaction
from django.utils.html import escape, strip_tags
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy
from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token
from markdown_it.utils import EnvType, OptionsDict

from campaign import access, review, status
from campaign.errors import NoSuchEntry, NotAllowed, NotNow, Refused
from campaign.log import entries, positions
from campaign.log.acts import rulings as rule_acts
from campaign.log.acts.battles import DISPUTE, JUDGE
from campaign.models import GAME_MASTER, Campaign, LogEntry, Membership
from engine.errors import IllegalMove
from engine.language import FIRST, language, use_language
from engine.strict_json import canonical, is_clean_text
from games.contract.rules import HouseRule, WithHouseRules
from games.contract.title import AMENDED, DIFFERS, ENDS, NOTED, WithRulebook, WithScenarioRules
from games.registry import TITLES

# The rules of a title: chapters and numbered paragraphs, one a line, in Markdown without HTML.


HEADING = re.compile(r"## (\d+) (.+)")
NUMBERED = re.compile(r"- (\d+\.\d+) (.+)")
# The words, in English, German, Italian and Spanish, that introduce a ruling in emphasis. A new
# language adds its word.
RULING = re.compile(r"([Rr]ulings?|Entscheidung(?:en)?|[Dd]ecision[ei]|[Dd]ecisi(?:ón|ones)):")
# The number of a paragraph. A number in backquotes, or without such a paragraph, is no link.
CITED = re.compile(r"(?<![\w.])(\d{1,2}\.\d{1,2})(?![\w%]|\.\d)")


class Paragraph(NamedTuple):
    """A paragraph of the rules. `number` is empty for text without one."""

    number: str
    html: SafeString


class Chapter(NamedTuple):
    """A chapter of the rules.

    Number and name are empty for text before the first chapter. `heading` is the name as HTML, with
    marks of changes.
    """

    number: str
    name: str
    paragraphs: list[Paragraph]
    heading: SafeString = SafeString()

    @property
    def differs(self) -> int:
        """How many parts of the chapter differ from the usual rules."""
        return self._count(MARK)

    @property
    def amended(self) -> int:
        """How many of these were changed in play."""
        return self._count(AMENDS)

    def _count(self, sign: str) -> int:
        return self.heading.count(sign) + sum(
            paragraph.html.count(sign) for paragraph in self.paragraphs
        )


def rules_text(title: str) -> str:
    """Return the numbered rules of a title in the current language.

    Empty if it has none, or there is no such title.
    """
    return _rules_text(title, language())


@cache
def _rules_text(title: str, spoken: str) -> str:
    """Return the rules from a cache, because every citation on a page checks whether they exist."""
    known = TITLES.get(title)
    return known.rules_text() if isinstance(known, WithRulebook) else ""


def chapters(title: str, scenario: Any = None) -> tuple[str, list[Chapter]]:
    """Return name and chapters of a title's rules in the current language; empty without a text.

    With a scenario, the text has its numbers.
    """
    known = TITLES.get(title)
    text = (
        known.rules_of(scenario)
        if scenario is not None and isinstance(known, WithScenarioRules)
        else rules_text(title)
    )
    return _parsed(text) if text else ("", [])


def translated(title: str) -> bool:
    """Return whether the title's rules are translated into the current language."""
    with use_language(FIRST):
        first = rules_text(title)
    return rules_text(title) != first


def numbers(title: str) -> frozenset[str]:
    """Return the chapters and paragraphs that can be cited; empty without a text.

    They are the same in every language.
    """
    parts = chapters(title)[1]
    return frozenset(c.number for c in parts if c.number) | {
        p.number for c in parts for p in c.paragraphs if p.number
    }


def with_rules() -> list[str]:
    """Return the titles that have a rules text."""
    return [key for key in TITLES if rules_text(key)]


def parse(whole: str) -> tuple[str, list[Chapter]]:
    """Return title and chapters of a rules text."""
    name, chapters, numbers = "", [Chapter("", "", [])], paragraph_numbers(whole)
    for line in whole.splitlines():
        line = line.strip()
        if not line:
            continue
        if line.startswith("# "):
            name = SIGNED.sub(r"\2", unescaped(line[2:]))
        elif match := HEADING.fullmatch(line):
            chapters.append(Chapter(match[1], SIGNED.sub(r"\2", match[2]), [], inline(match[2])))
        elif match := NUMBERED.fullmatch(line):
            chapters[-1].paragraphs.append(Paragraph(match[1], inline(match[2], numbers)))
        else:
            chapters[-1].paragraphs.append(Paragraph("", inline(line, numbers)))
    return name, [chapter for chapter in chapters if chapter.paragraphs]


_parsed = lru_cache(maxsize=32)(parse)


def paragraph_numbers(whole: str) -> frozenset[str]:
    """Return the numbers of the paragraphs in a text."""
    return frozenset(
        match[1] for line in whole.splitlines() if (match := NUMBERED.fullmatch(line.strip()))
    )


class _Html(RendererHTML):
    """A renderer of Markdown's inline tokens as HTML.

    `env` has the `numbers` of the paragraphs, to which it makes links.
    """

    def text(self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: EnvType) -> str:
        """Render text, with links to paragraphs."""
        return CITED.sub(lambda match: _link(match[1], env["numbers"]), escape(tokens[idx].content))

    def code_inline(
        self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: EnvType
    ) -> str:
        """Render a key as code."""
        return f"<code>{escape(tokens[idx].content)}</code>"

    def em_open(self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: EnvType) -> str:
        """Render emphasis, or the introduction of a ruling."""
        match = RULING.fullmatch(tokens[idx + 1].content)
        if match is None:
            return "<em>"
        tokens[idx + 1].content = match[1]
        return '<em class="ruling">'


# A rules text is written by us; it has no HTML, links or pictures of its own.
_MARKDOWN = MarkdownIt("commonmark", {"html": False}, renderer_cls=_Html).disable(
    ["link", "image", "autolink", "html_inline"]
)


def inline(line: str, numbers: frozenset[str] = frozenset()) -> SafeString:
    """Return one paragraph of Markdown as HTML.

    Keys are code, rulings and changes are marked, and numbers of paragraphs are links to them.
    """
    return mark_safe(SIGNED.sub(_differs, _MARKDOWN.renderInline(line, {"numbers": numbers})))  # noqa: S308  the renderer escapes every piece


MARK = '<span tabindex="0" class="changed'
AMENDS = MARK + " changed--amended"
SIGNED = re.compile(f"[{DIFFERS}{AMENDED}]([^{NOTED}]*){NOTED}([^{ENDS}]*){ENDS}")


def _differs(match: re.Match[str]) -> str:
    """Return a changed part as HTML that takes focus, with a note of the usual rule.

    The note is read out.
    """
    opening, note = (
        AMENDS if match[0][0] == AMENDED else MARK,
        f'<span class="changed__was"> ({match[1]})</span>',
    )
    return f'{opening}">{match[2]}{note}</span>'


def unescaped(line: str) -> str:
    """Return a name without the backslashes that keep its characters from being Markdown."""
    return re.sub(r"\\([^\w\s])", r"\1", line)


def _link(number: str, numbers: frozenset[str]) -> str:
    """Return the number of a paragraph as a link, if there is one."""
    return f'<a href="#r-{number}">{number}</a>' if number in numbers else number


TAG = re.compile(r"(<[^>]*>)")
ENTITY = r"(?P<entity>&[#\w]+;)"


def house_rules(campaign: Campaign, scenario: Any) -> Sequence[HouseRule]:
    """Return the rules that a campaign plays differently.

    `scenario` is the title's own reading of the scenario (`positions.scenario`).
    """
    title = campaign.game
    if not isinstance(title, WithHouseRules):
        return ()
    return title.house_rules(scenario, positions.options(campaign))


def contains_words(paragraph: Paragraph, words: Sequence[str]) -> bool:
    """Return whether a paragraph contains every word, in its text or as its number."""
    plain = unescape(strip_tags(paragraph.html)).casefold()
    return all(
        word.casefold() in plain or word.removeprefix("§") == paragraph.number for word in words
    )


def _mark(pair: re.Match[str]) -> str:
    """Return a found word as marked HTML; entities stay unmarked."""
    return pair[0] if pair["entity"] else f"<mark>{pair[0]}</mark>"


def marked(html: SafeString, words: Sequence[str]) -> SafeString:
    """Return the paragraph with these words marked. Tags and entities stay unbroken."""
    if not words:
        return html
    longest_first = [re.escape(escape(word)) for word in sorted(words, key=len, reverse=True)]
    # A word may contain an entity ("d'assedio"), but is never found within one.
    wanted = re.compile("|".join([*longest_first, ENTITY]), re.IGNORECASE)
    pieces = [
        piece if n % 2 else wanted.sub(_mark, piece) for n, piece in enumerate(TAG.split(html))
    ]
    return mark_safe("".join(pieces))  # noqa: S308  the html was escaped when made, and only <mark> is added


# Rulings: read from the log, visible to everyone who sees the campaign.


@dataclass(frozen=True)
class Ruling:
    """A ruling on how a rule is read.

    `entry` is the number of its log entry, `about` that of the entry that gave rise to it, if any.
    `older` are the rulings that it replaced.
    """

    number: int
    rule: str
    text: str
    entry: int | None
    about: int | None
    at: datetime
    by: str
    older: tuple[Ruling, ...] = ()


def ruling_book(campaign: Campaign) -> list[Ruling]:
    """Return the rulings in force by number, each with those it replaced, the latest first.

    One query.
    """
    rulings: dict[int, Ruling] = {}
    acts = LogEntry.objects.filter(
        campaign=campaign, kind=LogEntry.Kind.TABLE, act=rule_acts.RULING.name
    )
    for entry in acts.select_related("actor").order_by("sequence"):
        content: dict[str, Any] = entry.content
        before = rulings.get(content["ruling"])
        older = (before, *before.older) if before else ()
        by = entry.actor.username if entry.actor else ""
        rulings[content["ruling"]] = Ruling(
            content["ruling"],
            content["rule"],
            content["text"],
            entry.number,
            content["entry"],
            entry.at,
            by,
            older,
        )
    return [rulings[number] for number in sorted(rulings)]


def judgments(campaign: Campaign) -> list[LogEntry]:
    """Return the game master's rulings on disputed results, oldest first.

    Battles whose launch was undone are left out.
    """
    acts = LogEntry.objects.filter(
        campaign=campaign, kind=LogEntry.Kind.TABLE, act__in=(DISPUTE.name, JUDGE.name)
    )
    entries = list(acts.filter(target__struck_by=None).order_by("sequence"))
    disputed = {entry.content["claim"] for entry in entries if entry.act == DISPUTE.name}
    return [
        entry for entry in entries if entry.act == JUDGE.name and entry.content["claim"] in disputed
    ]


def by_rule(campaign: Campaign) -> dict[str, list[Ruling]]:
    """Return the rulings in force by the paragraph that they read."""
    rulings: dict[str, list[Ruling]] = {}
    for ruling in ruling_book(campaign):
        rulings.setdefault(ruling.rule, []).append(ruling)
    return rulings


# Writing rulings. A ruling changes nothing by itself.

LONGEST = 2000
RULE = re.compile(r"[0-9]{1,2}(\.[0-9]{1,2})?", re.ASCII)


@transaction.atomic
def rule_on(
    campaign: Campaign,
    user: Any,
    text: str,
    *,
    rule: str = "",
    entry: int | None = None,
    revises: int | None = None,
    now: datetime | None = None,
) -> LogEntry:
    """Write a ruling with the next number, or under the number of one that it replaces.

    The old ruling can still be read. `rule` is the paragraph that it reads and `entry` the number
    of the entry that gave rise to it, both optional.
    """
    table = entries.lock(campaign)
    access.must_be_host(table, user)
    access.must_have_account(user)
    entries.must_be_visible(text, _("Ruling"))
    if not is_clean_text(text, LONGEST) or not text.strip():
        raise Refused(
            "no-ruling",
            _("Say how the rule is to be read, in up to %(most)s characters.") % {"most": LONGEST},
        )
    if rule and not RULE.fullmatch(rule):
        raise Refused(
            "no-rule",
            _("Enter a paragraph of the rules in the form 9.7, or leave the field empty."),
        )
    if entry is not None and not table.entries.filter(number=entry).exists():
        raise NoSuchEntry
    known = {ruling.number for ruling in ruling_book(table)}
    if revises is not None and revises not in known:
        raise Refused("no-such-ruling", _("There is no ruling with this number."))
    number = revises if revises is not None else max(known, default=0) + 1
    what = {
        "act": rule_acts.RULING.name,
        "ruling": number,
        "rule": rule,
        "text": text.strip(),
        "entry": entry,
    }
    entry_said = entries.append_act(table, user, {**what, "revises": revises is not None}, now=now)
    # A ruling holds for the game master's own nation too, whatever it is about.
    review.ask(table, user, entry_said, lambda seats: seats, entry_said.at)
    return entry_said


# Amendments: the game master proposes a change of the rules, the players agree, and the record's
# move `amend` puts it in force.
#
# Proposals and answers are acts. The change itself is a move of the title, which can be undone like
# any other; no one can make it before the proposal is agreed to (`must_be_agreed`).


MOVE = "amend"
MASTER, MOST_AGREE, TWO_THIRDS, ALL = "master", "most", "two-thirds", "all"
NEEDS = {
    MASTER: pgettext_lazy("campaign", "the game master decides"),
    MOST_AGREE: gettext_lazy("more than half of the players agree"),
    TWO_THIRDS: gettext_lazy("two thirds of the players agree"),
    ALL: gettext_lazy("all players agree"),
}
"""The seats that must agree to an amendment, from the loosest rule to the strictest."""


class Answer(NamedTuple):
    """The last answer of a seat. `reason` may be empty."""

    seat: str
    agrees: bool
    reason: str
    by: str
    at: datetime


@dataclass
class Amendment:
    """A proposed change of the rules.

    `turn` is the first turn for which it is meant; `entry` is the number of the move that put it in
    force, None if there is none or it was undone.
    """

    number: int
    rules: Mapping[str, Any]
    reason: str
    need: str
    turn: int
    by: str
    at: datetime
    proposed: int
    answers: dict[str, Answer] = field(default_factory=dict)
    withdrawn: bool = False
    entry: int | None = None

    @property
    def move(self) -> dict[str, Any]:
        """The move of the record that puts it in force."""
        return {"by": GAME_MASTER, "move": MOVE, "rules": self.rules, "reason": self.reason}

    @property
    def open(self) -> bool:
        """Whether the amendment is neither withdrawn nor in force."""
        return not self.withdrawn and self.entry is None

    def agreed(self, seats: Sequence[str]) -> bool:
        """Return whether enough of these seats agree."""
        yes = sum(1 for seat in seats if seat in self.answers and self.answers[seat].agrees)
        match self.need:
            case "master":
                return True
            case "most":
                return yes * 2 > len(seats)
            case "two-thirds":
                return bool(seats) and yes * 3 >= len(seats) * 2
            case _all:
                return bool(seats) and yes == len(seats)


def amendment_book(campaign: Campaign) -> list[Amendment]:
    """Return every amendment by number. Two queries at most."""
    proposals: dict[int, Amendment] = {}
    acts = (
        campaign.entries.filter(kind=LogEntry.Kind.TABLE, act=rule_acts.AMENDMENT.name)
        .select_related("actor")
        .order_by("sequence")
    )
    for entry in acts:
        content, by = entry.content, entry.actor.username if entry.actor else ""
        number = content["amendment"]
        if content["how"] == "proposed":
            terms = content["rules"], content["reason"], content["need"], content["turn"]
            proposals[number] = Amendment(number, *terms, by, entry.at, entry.number or 0)
        elif content["how"] == "withdrawn":
            proposals[number].withdrawn = True
        else:
            agrees = content["how"] == "agreed"
            proposals[number].answers[entry.seat] = Answer(
                entry.seat, agrees, content.get("reason", ""), by, entry.at
            )
    if proposals:
        created = campaign.entries.filter(
            kind=LogEntry.Kind.MOVE, act=MOVE, struck_by=None
        ).order_by("sequence")
        for entry in created:
            same = [
                proposal
                for proposal in proposals.values()
                if proposal.entry is None and _same(proposal, entry.content)
            ]
            if same:
                same[-1].entry = entry.number
    return list(proposals.values())


def _same(amendment: Amendment, move: Mapping[str, Any]) -> bool:
    """Return whether a move has the rules and the reason of an amendment."""
    return canonical([amendment.rules, amendment.reason]) == canonical(
        [move["rules"], move["reason"]]
    )


def voters(campaign: Campaign) -> list[str]:
    """Return the held seats in alphabetical order; they are asked."""
    held = campaign.memberships.filter(role=Membership.Role.SEAT, until=None)
    return sorted(held.values_list("seat", flat=True))


@transaction.atomic
def propose(
    campaign: Campaign,
    user: Any,
    rules: Mapping[str, Any],
    reason: str,
    *,
    need: str = "",
    changes: int | None = None,
    now: datetime | None = None,
) -> LogEntry:
    """Propose other rules from the next turn on, as the game master.

    `need` may be stricter than at the founding, not looser. `changes` is the number of an open
    amendment that this one replaces; then all seats are asked again. Raises `Refused`, `NotNow`,
    and `IllegalMove` with its `sentence` if the title cannot read the rules.
    """
    table, at = entries.lock(campaign), entries.moment(now)
    access.must_be_host(table, user)
    access.must_have_account(user)
    _may_still_change(table)
    reason = entries.checked_reason(reason)
    need = need or table.amending
    if need not in NEEDS:
        raise Refused("no-need", _("Choose who must agree."))
    if list(NEEDS).index(need) < list(NEEDS).index(table.amending):
        raise Refused(
            "too-loose",
            _(
                "The terms of the campaign ask for more agreement. You can make this stricter, "
                "but not looser."
            ),
        )
    position = positions.current(table)
    raw = {"by": GAME_MASTER, "move": MOVE, "rules": dict(rules), "reason": reason}
    try:
        entries.reread_move(table, position, raw)
    except IllegalMove as refusal:
        entries.set_sentence(table, refusal)
        raise
    known = {amendment.number: amendment for amendment in amendment_book(table)}
    if changes is not None and (changes not in known or not known[changes].open):
        raise Refused("no-such-amendment", _("There is no open amendment with this number."))
    if changes is None and any(amendment.open for amendment in known.values()):
        raise NotNow(
            "one-at-a-time",
            _("An amendment is already open. Change it, put it in force or withdraw it first."),
        )
    number = changes if changes is not None else max(known, default=0) + 1
    what = {
        "act": rule_acts.AMENDMENT.name,
        "how": "proposed",
        "amendment": number,
        "rules": dict(rules),
        "reason": reason,
        "need": need,
    }
    return entries.append_act(table, user, {**what, "turn": campaign.turn + 1}, now=at)


@transaction.atomic
def answer(
    campaign: Campaign,
    user: Any,
    number: int,
    agrees: bool,
    reason: str = "",
    *,
    seat: str = "",
    now: datetime | None = None,
) -> LogEntry:
    """Agree to an amendment or refuse it, as the holder of a seat.

    The last answer of each seat counts, until the amendment is in force.
    """
    table, at = entries.lock(campaign), entries.moment(now)
    who = access.access_of(table, user)
    seat = seat or next(iter(who.seats), "")
    if seat not in who.seats:
        raise NotAllowed("not-your-seat", _("Only people who hold a seat can answer an amendment."))
    amendment = _open(table, number)
    if reason.strip():
        reason = entries.checked_reason(reason)
    before = amendment.answers.get(seat)
    if before is not None and (before.agrees, before.reason) == (agrees, reason):
        raise Refused("answered", _("You have already given this answer."))
    what = {
        "act": rule_acts.AMENDMENT.name,
        "how": "agreed" if agrees else "refused",
        "amendment": number,
    }
    return entries.append_act(
        table, user, {**what, **({"reason": reason} if reason else {})}, seat=seat, now=at
    )


@transaction.atomic
def withdraw(
    campaign: Campaign, user: Any, number: int, *, now: datetime | None = None
) -> LogEntry:
    """Withdraw an open amendment, as the game master."""
    table, at = entries.lock(campaign), entries.moment(now)
    access.must_be_host(table, user)
    _open(table, number)
    return entries.append_act(
        table,
        user,
        {"act": rule_acts.AMENDMENT.name, "how": "withdrawn", "amendment": number},
        now=at,
    )


def _open(table: Campaign, number: int) -> Amendment:
    """Return the open amendment of this number. Raises `NoSuchEntry`, `NotNow`."""
    amendment = next(
        (proposal for proposal in amendment_book(table) if proposal.number == number), None
    )
    if amendment is None:
        raise NoSuchEntry
    if not amendment.open:
        raise NotNow("not-open", _("This amendment is no longer open."))
    return amendment


def _may_still_change(table: Campaign) -> None:
    """Raise `NotNow` if the campaign is not played or has ended."""
    status.must_be_played(table, by_master=True)
    if table.ended:
        raise NotNow("ended", _("The campaign has ended. Its rules can no longer change."))


def must_be_agreed(campaign: Campaign, move: Mapping[str, Any]) -> None:
    """Raise an error for a move that changes the rules without agreement.

    The move must have the rules of an open amendment to which enough players agree.
    """
    if move.get("move") != MOVE:
        return
    amendment = next(
        (
            proposal
            for proposal in amendment_book(campaign)
            if proposal.open and _same(proposal, move)
        ),
        None,
    )
    if amendment is None:
        raise Refused("not-proposed", _("Propose the amendment first, on the Rules page."))
    if not amendment.agreed(voters(campaign)):
        raise NotNow("not-agreed", _("Not enough players have agreed to this amendment yet."))
