"""The reports of a campaign, which are the same for all readers, and their form in a thread."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from string import Formatter
from typing import Any, NamedTuple

from django.conf import settings
from django.db.models import FilteredRelation, Q
from django.urls import reverse
from django.utils import translation
from django.utils.translation import (
    get_language,
    gettext_lazy,
    gettext_noop,
    ngettext,
    pgettext,
    pgettext_lazy,
)
from django.utils.translation import gettext as _

from campaign import hooks as campaign_hooks
from campaign import review
from campaign.log import history, positions, selectors, talk
from campaign.log.acts.battles import CONFIRM, JUDGE
from campaign.log.acts.dice import RENEW
from campaign.log.acts.programs import level_word
from campaign.log.acts.registry import act_line
from campaign.log.acts.undo import RESTORE, UNDO
from campaign.log.history import RunningState
from campaign.log.selectors import Seat
from campaign.models import Campaign, LogEntry, Membership
from campaign.seats import seating
from campaign.seats.selectors import program_levels_between
from engine.language import use_language, with_stop
from forum import hooks
from forum.boards.registry import transport
from forum.dialects import DIALECTS, Context, clean, split_title
from forum.models import Post, ReportTemplate, Thread
from forum.posts import dice_proofs, report_parts
from forum.posts.report_parts import WHOLE
from games import registry
from games.contract.report import (
    DRY,
    HEADLINE,
    Block,
    Bullets,
    Contents,
    Fold,
    Heading,
    Paragraph,
    Report,
    ReportEntry,
    Reporter,
    Span,
    Table,
    WithRunningContents,
)

# The form of a report: tone, greeting, the game master's comments, and the parts in their order
#
# The events are never changed. Parts that can be left out (`OPTIONAL`) contain nothing that the
# other parts do not.


# Tones: a title may write its events in prose, and there may be sentences around them


class Framing(NamedTuple):
    """The sentences before and after a report; empty for none.

    `{campaign}` is the campaign's name.
    """

    before: str
    after: str = ""


TONES: dict[str, Any] = {
    "dry": pgettext_lazy("tone", "Dry: what happened, nothing else"),
    "chronicle": pgettext_lazy("tone", "Chronicle: what happened, in prose"),
}
DEFAULT = DRY

CHRONICLE = {
    "opening": Framing(
        gettext_noop(
            "The heralds have called, and the powers of {campaign} gather about the map once more."
        ),
    ),
    "challenge": Framing(
        gettext_noop("Messengers ride through {campaign}: banners have been raised.")
    ),
    "setup": Framing(gettext_noop("The armies draw up.")),
    "trade": Framing(gettext_noop("Envoys have met, and something has changed hands.")),
    "final": Framing(
        gettext_noop("The chronicle of {campaign} ends here."),
        gettext_noop("The book is closed. Anyone may check it, die by die."),
    ),
}
"""The sentences by the kind of a report.

Reports of turns have none: titles write them in prose. Neither have reports of undos.
"""


def framing(tone: str, kind: str) -> Framing:
    """Return the sentences of this tone for a report of this kind, in the current language."""
    phrases = CHRONICLE.get(kind) if tone == "chronicle" else None
    return Framing(*(_(phrase) if phrase else "" for phrase in phrases)) if phrases else Framing("")


PARTS = {
    "picture": pgettext_lazy("part of a report", "Picture of the map"),
    "facts": pgettext_lazy("part of a report", "What happened"),
    "ledger": pgettext_lazy("part of a report", "Accounts before and after"),
    "forecast": pgettext_lazy("part of a report", "Forecast, in the turn report"),
    "waits": pgettext_lazy("part of a report", "Whom the table is waiting for"),
    "rules": pgettext_lazy("part of a report", "Rules of the campaign, in the first report"),
    "dice": pgettext_lazy("part of a report", "Proof of the dice"),
    "address": pgettext_lazy("part of a report", "Address of the table"),
}
"""The parts of a report with their names, in their default order."""
NEEDED = ("facts", "dice")
OPTIONAL = tuple(part for part in PARTS if part not in NEEDED)


class Template(NamedTuple):
    """The values of a `ReportTemplate`; the defaults are for a campaign without one."""

    tone: str = DEFAULT
    subject: str = ""
    greeting: str = ""
    signature: str = ""
    order: tuple[str, ...] = tuple(PARTS)


class Comment(NamedTuple):
    """The game master's comments on one report."""

    before: str = ""
    after: str = ""
    number: int | None = None
    """The id of the row, with which the comments can be reported to moderators."""


def template(campaign: Campaign) -> Template:
    """Return the campaign's template in the current language."""
    row = ReportTemplate.objects.filter(campaign=campaign, language=get_language() or "").first()
    return (
        Template(row.tone, row.subject, row.greeting, row.signature, tuple(row.parts))
        if row
        else Template()
    )


def template_and_comment(campaign: Campaign, key: str) -> tuple[Template, Comment]:
    """Return the template and the game master's comments on a report. Makes one query.

    Both are those of the current language.
    """
    language = get_language() or ""
    own = Q(report_comments__report=key, report_comments__language=language)
    rows = Campaign.objects.filter(pk=campaign.pk).annotate(
        how=FilteredRelation("report_templates", condition=Q(report_templates__language=language)),
        own=FilteredRelation("report_comments", condition=own),
    )
    tone, subject, greeting, signature, parts, before, after, number = rows.values_list(
        *(f"how__{name}" for name in ("tone", "subject", "greeting", "signature", "parts")),
        *(f"own__{name}" for name in ("before", "after", "pk")),
    ).get()
    how, own_words = Template(), Comment()
    if tone is not None:
        how = Template(tone, subject, greeting, signature, tuple(parts))
    if number is not None:
        own_words = Comment(before, after, number)
    return how, own_words


def full_report(
    campaign: Campaign,
    item: Contents,
    report: Report,
    site: str,
    how: Template,
    own: Comment,
    masters: Sequence[str],
    kinds: Sequence[str] | None = None,
) -> Report:
    """Return a report in the form in which it is posted, in the current language.

    `item` is the report's line in the list of reports. `site` begins the addresses in it, without a
    slash at its end; if it is empty, the report has no addresses. `masters` are the names of the
    game masters. `kinds` are the kinds of reports that its thread gets, by default all.
    """
    values = {
        "campaign": campaign.name,
        "game": positions.plays(campaign),
        "report": item.name,
        "turn": item.turn,
        "first": report.first or "",
        "last": report.last or "",
        "master": ", ".join(masters),
    }
    own_words = framing(how.tone, item.kind)
    title, headline, parts, foot = split_report(_with_pages(campaign, item, report, site))
    got = offered_kinds(campaign) if kinds is None else kinds
    parts["dice"] = dice_proofs.proofs(campaign, item, report, "opening" in got)
    parts |= {
        name: list(blocks)
        for name, blocks in report_parts.parts(campaign, item, report, site).items()
    }
    parts["facts"] = _with_notes(parts["facts"], _notes(campaign, item))
    order = _complete_order(how.order)
    ordered_parts = [block for part in order for block in parts.get(part, ())]
    blocks = (
        title,
        *_typed_paragraphs(fill_placeholders(how.greeting, values)),
        *_typed_paragraphs(fill_placeholders(own_words.before, values)),
        *_typed_paragraphs(own.before, italic=True),
        *headline,
        *ordered_parts,
        *_typed_paragraphs(own.after, italic=True),
        *_typed_paragraphs(fill_placeholders(own_words.after, values)),
        *foot,
        *_links(campaign, item, site, "address" in order),
        *_typed_paragraphs(fill_placeholders(how.signature, values)),
    )
    subject = clean(fill_placeholders(how.subject, values)).strip()[:250] or report.title
    return report._replace(title=subject, blocks=blocks)


def _notes(campaign: Campaign, item: Contents) -> list[Block]:
    """Return the notes that other parts of the table add to the events of a report."""
    notes: list[Block] = []
    for of in (hooks.report_notes, review.report_notes, seating.report_notes, talk.report_notes):
        notes += of(campaign, item)
    return notes + undos_of_turn(campaign, item)


def _with_notes(facts: Sequence[Block], notes: Sequence[Block]) -> list[Block]:
    """Return the events with the notes below them, above the details that a reader opens."""
    end = next((n for n, block in enumerate(facts) if isinstance(block, Fold)), len(facts))
    return [*facts[:end], *notes, *facts[end:]]


def _links(campaign: Campaign, item: Contents, site: str, shows_home: bool) -> list[Block]:
    """Return the line at the end of a report with the links to the campaign's pages."""
    links = []
    if site and shows_home:
        address = site + reverse("table", args=[campaign.address])
        links.append(Span(_("Map and ledgers"), link=address))
    if dice := dice_proofs.dice_link(campaign, item, site):
        links.append(dice)
    spans = [span for link in links for span in (Span(" · "), link)][1:]
    return [Paragraph(tuple(spans), small=True)] if spans else []


def _with_pages(campaign: Campaign, item: Contents, report: Report, site: str) -> Report:
    """Return the report with the address of its page in each fold."""
    if not site or not any(isinstance(block, Fold) for block in report.blocks):
        return report
    page = site + reverse("report", args=[campaign.address, item.key])
    page += f"?language={get_language()}"
    blocks = (
        block._replace(page=page) if isinstance(block, Fold) else block for block in report.blocks
    )
    return report._replace(blocks=tuple(blocks))


def _complete_order(order: Sequence[str]) -> list[str]:
    """Return the order, completed by the parts that may not be left out."""
    chosen = [part for part in order if part in PARTS]
    return chosen + [part for part in NEEDED if part not in chosen]


def _typed_paragraphs(text: str, italic: bool = False) -> list[Block]:
    """Return the paragraphs of a text that a user typed, one for each line."""
    return [
        Paragraph((Span(line.strip(), italic=italic),))
        for line in text.splitlines()
        if line.strip()
    ]


class SplitReport(NamedTuple):
    """A report's title, headline and parts, and the small lines below it that name its entries."""

    title: Heading
    headline: list[Block]
    parts: dict[str, list[Block]]
    foot: list[Block]


def split_report(report: Report) -> SplitReport:
    """Return the pieces of a report. A fold counts as a part of the facts."""
    title, rest = split_title(report)
    start = 0
    while start < len(rest) and _is_headline(rest[start]):
        start += 1
    headline, rest = list(rest[:start]), rest[start:]
    end = len(rest)
    while end and isinstance(last := rest[end - 1], Paragraph) and last.small:
        end -= 1
    parts: dict[str, list[Block]] = {"facts": []}
    within: Heading | None = None
    for block in rest[:end]:
        if isinstance(block, Heading) and (within is None or block.level <= within.level):
            within = block if block.part in OPTIONAL else None
        if isinstance(block, Fold):
            within = None
        if within is not None:
            part = within.part
        elif isinstance(block, Table) and block.part in OPTIONAL:
            part = block.part
        else:
            part = "facts"
        parts.setdefault(part, []).append(block)
    return SplitReport(title, headline, parts, list(rest[end:]))


def _is_headline(block: Block) -> bool:
    return isinstance(block, Paragraph) and block.part == HEADLINE


# Texts with placeholders by name, as a game master types them: `{campaign}`, `{turn}`. The braces
# themselves are written `{{` and `}}`.

PLACEHOLDERS = {
    "campaign": gettext_lazy("the campaign’s name"),
    "game": gettext_lazy("the name of the game"),
    "report": gettext_lazy("the report’s name in the list"),
    "turn": gettext_lazy("the number of the turn"),
    "first": gettext_lazy("the first entry it covers"),
    "last": gettext_lazy("the last entry it covers"),
    "master": gettext_lazy("the game master’s name"),
}
"""The placeholders, with descriptions of the values that replace them."""


def placeholder_error(text: str) -> str:
    """Return a sentence that says why the placeholders are not valid; empty if they are."""
    try:
        fields = list(Formatter().parse(text))
    except ValueError:
        return _(
            "A brace has no partner. Placeholders are written {turn}; for the sign itself write "
            "{{ or }}."
        )
    for _literal, name, spec, conversion in fields:
        if name is None:
            continue
        if name not in PLACEHOLDERS:
            known = ", ".join(f"{{{placeholder}}}" for placeholder in PLACEHOLDERS)
            return _("There is no placeholder %(name)s. You can use: %(known)s.") % {
                "name": f"{{{name}}}",
                "known": known,
            }
        if spec or conversion:
            return _(
                "Write the placeholder exactly as %(name)s, with nothing else between the braces."
            ) % {"name": f"{{{name}}}"}
    return ""


def fill_placeholders(text: str, values: Mapping[str, object]) -> str:
    """Replace the placeholders of a text with values.

    A text whose placeholders are not valid is not changed. The values are not searched for
    placeholders.
    """
    if placeholder_error(text):
        return text
    parts = []
    for literal, name, _spec, _conversion in Formatter().parse(text):
        parts.append(literal)
        if name is not None:
            parts.append(str(values.get(name, "")))
    return "".join(parts)


# The list of reports, and one of them in the form of its thread


class ActReport(NamedTuple):
    """The texts of the report of an act.

    `line` is its name in the list of reports, `heading` is above the moves that it concerns.
    """

    line: str
    title: str
    heading: str


ACT_REPORTS: Mapping[str, ActReport] = {
    UNDO.name: ActReport(
        gettext_noop("Undo, entry %(number)s"),
        gettext_noop("%(campaign)s, undo (entry %(entry)s)"),
        gettext_noop("Struck, and readable in the log"),
    ),
    RESTORE.name: ActReport(
        gettext_noop("Restoration, entry %(number)s"),
        gettext_noop("%(campaign)s, restoration (entry %(entry)s)"),
        gettext_noop("In force again"),
    ),
}
"""The acts that have reports of their own, except renewed dice (`renewal_report`)."""
TEST = "test"
"""The key of a test post."""

SETTLING = frozenset({CONFIRM.name, JUDGE.name})
"""The acts that make a claimed result final."""


class PostPart(NamedTuple):
    """A post with a report or a part of it, without its mark."""

    subject: str
    text: str
    report: Report
    """The same part as a report, for a preview."""


@contextmanager
def in_language(language: str) -> Iterator[None]:
    """Return a context in which texts of pages and rules are in this language."""
    with translation.override(language), use_language(language):
        yield


def lines_of(
    campaign: Campaign, before: int | None = None, *, bare: bool = False
) -> tuple[Any, list[ReportEntry]]:
    """Return the position before the first line, and the public moves in force.

    With `before`, only moves before that entry are returned. With `bare`, lines do not have the
    origins of results.
    """
    replayed = positions.replayed_log(campaign)
    is_settled = not bare and bool(replayed.acts & SETTLING)
    origins = campaign_hooks.result_origins(campaign) if is_settled else {}
    lines = [
        ReportEntry(
            move.number,
            move.content,
            move.effects,
            move.rolls,
            replay=partial(replayed.after, n),
            origin=origins.get(move.number, ""),
        )
        for n, move in enumerate(replayed.moves)
        if move.number is not None and (before is None or move.number < before)
    ]
    return replayed.start, lines


def contents(campaign: Campaign, lines: Sequence[ReportEntry] | None = None) -> list[Contents]:
    """Return all reports, the latest turn first; with `lines`, those up to the last of them.

    A campaign of a title without a reporter has none.
    """
    if reporter(campaign) is None:
        return []
    reports = contents_of_moves(campaign, lines)
    if lines is None:
        reports += [report_in_language(act) for act in reported_undos(history.acts(campaign))]
        reports += [renewal_in_language(entry) for entry in reversed(renewals(campaign))]
        reports += [announcement_contents()] if may_announce(campaign) else []
    return reports


def contents_of_moves(
    campaign: Campaign, lines: Sequence[ReportEntry] | None = None
) -> list[Contents]:
    """Return the reports of the moves only, without those of undos, renewals and announcements."""
    title_reporter = reporter(campaign)
    if title_reporter is None:
        return []
    if lines is None and isinstance(title_reporter, WithRunningContents):
        rules = f"{hash(campaign.scenario)} {campaign.drawing_id}"
        return [
            item
            for turn in reversed(_listed.of_log(campaign))
            for item in _contents_of(campaign, rules, get_language(), turn)
        ]
    scenario = positions.scenario(campaign)
    public_lines = lines_of(campaign, bare=True)[1] if lines is None else lines
    return list(title_reporter.contents(scenario, public_lines))


def _continue_list(
    campaign: Campaign, turns: tuple[Any, ...] | None, after: int
) -> tuple[Any, ...]:
    """Return the data for a title's list of reports, continued by the moves since `after`."""
    title_reporter: Any = reporter(campaign)
    if turns is None:
        lines = lines_of(campaign, bare=True)[1]
    else:
        lines = _new_lines(campaign, after)
    carried: tuple[Any, ...] = title_reporter.carry(turns or (), lines)
    return carried


def _new_lines(campaign: Campaign, after: int) -> list[ReportEntry]:
    """Return the lines of the entries after `after`, without rolls and origins."""
    return [
        ReportEntry(
            done.number,
            done.content,
            done.effects,
            (),
            replay=partial(history.after, campaign, done.moves),
        )
        for done in history.moves_in_force_since(campaign, after)
        if done.number is not None
    ]


_listed: RunningState[tuple[Any, ...]] = RunningState(_continue_list)
_known_contents = OrderedDict[Any, Sequence[Contents]]()
MOST_CACHED = 2048
"""The number of turns whose lists of reports are cached, each in one language."""


def _contents_of(
    campaign: Campaign, rules: str, language: str | None, turn: Any
) -> Sequence[Contents]:
    """Return the reports of a turn with their names, from the cache if possible."""
    key = (campaign.title, rules, language, turn)
    known = _known_contents.get(key)
    if known is None:
        title_reporter: Any = reporter(campaign)
        known = _known_contents[key] = title_reporter.contents_of(
            positions.scenario(campaign), turn
        )
        while len(_known_contents) > MOST_CACHED:
            with suppress(KeyError):
                _known_contents.popitem(last=False)
    return known


def reporter(campaign: Campaign) -> Reporter | None:
    title = registry.TITLES.get(campaign.title)
    return title.reporter if title is not None else None


def report_in_language(act: LogEntry) -> Contents:
    return Contents(
        f"{act.act}-{act.number}",
        act.act,
        _(ACT_REPORTS[act.act].line) % {"number": act.number},
        act.turn,
        True,
    )


def reported_undos(acts: Sequence[LogEntry]) -> list[LogEntry]:
    """Return the undos and restorations of game masters among these acts, latest first.

    Each of them has a report.
    """
    return [act for act in reversed(acts) if act.audience_id is None and not act.content.get("own")]


def report_with_line(
    campaign: Campaign,
    key: str,
    seats: Sequence[Seat] | None = None,
    memberships: Sequence[Membership] | None = None,
    tone: str = DRY,
) -> tuple[Contents, Report] | None:
    """Return the report with this key and its line in the list of reports; None if there is none.

    Both are in the current language. `seats` and `memberships` (including past ones) are those of
    the campaign, if they are known.
    """
    title_reporter = reporter(campaign)
    kind, _dash, number = key.partition("-")
    if title_reporter is None or (kind in (*ACT_REPORTS, RENEW.name) and not number.isdecimal()):
        return None
    if key == ANNOUNCEMENT:
        if not may_announce(campaign):
            return None
        return announcement_contents(), announcement(
            campaign, selectors.seats(campaign) if seats is None else seats
        )
    if kind in ACT_REPORTS:
        return _undo_report_by_number(campaign, kind, int(number), seats)
    if kind == RENEW.name:
        entry = next((entry for entry in renewals(campaign) if entry.number == int(number)), None)
        return (
            None if entry is None else (renewal_in_language(entry), renewal_report(campaign, entry))
        )
    start, lines = lines_of(campaign)
    item = next((listed for listed in contents(campaign, lines) if listed.key == key), None)
    if item is None:
        return None
    seats = selectors.seats(campaign) if seats is None else seats
    report = report_of_its_time(
        campaign, title_reporter, start, lines, item, seats, memberships, tone
    )
    return None if report is None else (item, report)


def report_of_its_time(
    campaign: Campaign,
    title_reporter: Reporter,
    start: Any,
    lines: Sequence[ReportEntry],
    item: Contents,
    seats: Sequence[Seat],
    memberships: Sequence[Membership] | None = None,
    tone: str = DRY,
) -> Report | None:
    """Return a report that names the users who held the seats at its time.

    Its time is from its first entry to its last, or until now if it is not complete. `memberships`
    are those of the campaign, including past ones; None if the caller has not read them.
    """
    scenario = positions.scenario(campaign)
    people = {seat.key: seat.holder.username for seat in seats if seat.holder is not None}
    report = title_reporter.report(scenario, start, lines, item.key, campaign.name, people, tone)
    if report is None:
        return None
    places = list(selectors.memberships(campaign)) if memberships is None else memberships
    moves = positions.replayed_log(campaign).moves
    changed = selectors.seats_changed_hands(places, moves[0].at if moves else None)
    if not (changed or campaign.seat_programs):
        return report
    ends = {report.first, report.last} - {None}
    bounds = [move for move in moves if move.number in ends]
    since, first = (bounds[0].at, bounds[0].sequence) if bounds else (campaign.founded_at, 0)
    until, last = (bounds[-1].at, bounds[-1].sequence) if bounds else (campaign.founded_at, 0)
    if changed:
        end = until if item.complete else None
        people = selectors.names_of_holders(selectors.holders_between(places, since, end))
    for seat, level in program_levels_between(
        campaign, first, last if item.complete else None
    ).items():
        program = pgettext("report", "program: %(level)s") % {"level": level_word(level)}
        people[seat] = f"{people[seat]}, {program}" if seat in people else program
    return title_reporter.report(scenario, start, lines, item.key, campaign.name, people, tone)


def undos_of_turn(campaign: Campaign, item: Contents) -> list[Block]:
    """Return the undos and restorations of a turn for its report, with their reasons and users.

    An act belongs to the turn to which it leads. An undo before the start belongs to turn 1.
    """
    if item.kind not in WHOLE:
        return []
    if not positions.replayed_log(campaign).acts & {UNDO.name, RESTORE.name}:
        return []
    turned = history.undo_acts(campaign)
    acts = (turn.act for turn in turned.values())
    open_acts = [act for act in acts if act.audience_id is None and (act.turn or 1) == item.turn]
    if not open_acts:
        return []
    lines = tuple(
        (Span(undo_text(act, len(turned[act.pk].moves) if act.pk in turned else 0)),)
        for act in open_acts
    )
    return [Heading((Span(_("Undone and restored")),), 2), Bullets(lines)]


def undo_text(act: LogEntry, moves: int) -> str:
    """Return a sentence about an undo or a restoration of so many moves, with its user."""
    if act.act == RESTORE.name:
        text = ngettext(
            "The game master restores %(n)d move: %(reason)s",
            "The game master restores %(n)d moves: %(reason)s",
            moves,
        )
    else:
        text = ngettext(
            "The game master undoes %(n)d move: %(reason)s",
            "The game master undoes %(n)d moves: %(reason)s",
            moves,
        )
    return _by_user(text % {"n": moves, "reason": act.content.get("reason", "")}, act)


def _by_user(text: str, act: LogEntry) -> str:
    return with_stop(f"{text} ({act.actor.username})" if act.actor else text)


def _undo_report_by_number(
    campaign: Campaign, kind: str, number: int, seats: Sequence[Seat] | None
) -> tuple[Contents, Report] | None:
    acts = history.acts(campaign)
    entry = next(
        (act for act in reported_undos(acts) if (act.act, act.number) == (kind, number)), None
    )
    if entry is None:
        return None
    turned = history.changed_moves(campaign, entry, acts)
    rows = campaign.entries.filter(pk__in=[*turned, entry.pk], audience=None).select_related(
        "actor", "struck_by"
    )
    *moves, last = selectors.lines(campaign, None, rows.order_by("sequence"), bare=True)
    names = {
        seat.key: seat.name for seat in (selectors.seats(campaign) if seats is None else seats)
    }
    master = pgettext("report", "Game master")
    struck = [
        TurnedMove(
            line.entry.seat,
            "" if line.origin else names.get(line.entry.seat, master),
            line.text,
        )
        for line in moves
        if line.number is not None
    ]
    return report_in_language(entry), undo_report(campaign.name, last.entry, struck)


def post_parts(
    post: Post,
    seats: Sequence[Seat] | None = None,
    masters: Sequence[str] | None = None,
    memberships: Sequence[Membership] | None = None,
) -> list[PostPart]:
    """Return the posts of a report in its thread's dialect; empty if the report no longer exists.

    `seats`, the game masters' names and `memberships` (including past ones) are those of the
    campaign, if they are known.
    """
    thread, campaign = post.thread, post.campaign
    seats = selectors.seats(campaign) if seats is None else seats
    with in_language(thread.language):
        whole = (
            _test_report(campaign)
            if post.report == TEST
            else _report_of_post(post, seats, masters, memberships)
        )
        if whole is None:
            return []
        context = dialect_context(thread, seats)
        dialect = DIALECTS[thread.dialect]
        cut = dialect.parts(whole, context, post_limit(thread) - MARK_WEIGHT)
        return [PostPart(part.title[:300], dialect.text(part, context), part) for part in cut]


def dialect_context(thread: Thread, seats: Sequence[Seat]) -> Context:
    """Return the facts for writing a report for this thread."""
    return Context(
        {seat.key: seat.info.colour for seat in seats},
        folds=thread.can_fold or thread.transport in FOLDING,
        subject=thread.transport in WITH_SUBJECT,
    )


FOLDING = frozenset({"discourse"})
"""The transports of boards that can always fold text."""
WITH_SUBJECT = frozenset({"mail"})
"""The transports that show the subject above each post, whatever its dialect."""


def _report_of_post(
    post: Post,
    seats: Sequence[Seat],
    masters: Sequence[str] | None,
    memberships: Sequence[Membership] | None,
) -> Report | None:
    """Return the report of a post in the tone of its thread; None if it no longer exists."""
    campaign = post.campaign
    how, own = template_and_comment(campaign, post.report)
    how = how._replace(tone=post.thread.tone or how.tone)
    known = report_with_line(campaign, post.report, seats, memberships, how.tone)
    if known is None:
        return None
    if masters is None:
        masters = [user.username for user in selectors.game_masters(campaign)]
    site = str(getattr(settings, "SITE_URL", "")).rstrip("/")
    kinds = post.thread.drafted_kinds
    report = full_report(campaign, *known, site, how, own, masters, kinds)
    return report._replace(blocks=(*report.blocks, *_correction_lines(post)))


MARK_WEIGHT = 40
"""The maximum weight of a mark and its line."""


def post_limit(thread: Thread) -> int:
    """Return the maximum length of a post in this thread.

    That is the thread's own setting or the default of its dialect, but at most the transport's
    limit.
    """
    return min(thread.limit or DIALECTS[thread.dialect].limit, transport(thread.transport).limit)


def _test_report(campaign: Campaign) -> Report:
    title = pgettext("heading", "A test")
    text = _("{name}: reports will be posted here. You can delete this post.").format(
        name=campaign.name
    )
    return Report(title, (Heading((Span(title),)), Paragraph((Span(text),))), (), (), 0, 0)


def _correction_lines(post: Post) -> list[Block]:
    """Return the paragraphs below a report that name the posts which it corrects.

    Makes no query if the outbox knows that there are none.
    """
    if not post.pk or vars(post).get("is_correction") is False:
        return []
    text = _("This corrects the post “{subject}”")
    old = sorted(post.corrects.all(), key=lambda old: old.pk)
    return [
        Paragraph(
            (
                Span(
                    text.format(subject=corrected.subject or corrected.report),
                    link=corrected.permalink,
                ),
            )
        )
        for corrected in old
    ]


# The announcement, which is posted before the first move. So the commitment of the dice is in the
# thread before they are first thrown; `_proofs` adds it.

ANNOUNCEMENT = "announcement"
"""The key of the announcement, and its kind."""


def may_announce(campaign: Campaign) -> bool:
    """Return whether the campaign can still be announced: only before its start."""
    return not campaign.started


def announcement_contents() -> Contents:
    return Contents(ANNOUNCEMENT, ANNOUNCEMENT, _("Announcement"), 0, True)


def announcement(campaign: Campaign, seats: Sequence[Seat]) -> Report:
    """Return the announcement, which lists the seats with their holders."""
    title = _("{name}: before the start").format(name=campaign.name)
    text = _("{title} is about to begin.").format(title=positions.plays(campaign))
    lines = tuple(
        (
            Span(seat.name, bold=True, seat=seat.key),
            Span(
                ": " + (pgettext("seat", "free") if seat.holder is None else seat.holder.username)
            ),
        )
        for seat in seats
    )
    return Report(
        title,
        (
            Heading((Span(title),)),
            Paragraph((Span(text),)),
            Heading((Span(pgettext("report", "Seats")),), 2),
            Bullets(lines),
        ),
        (),
        (),
        0,
        0,
    )


# The report of a renewal, which shows the commitment of the new dice in the thread before their
# first roll; `_proofs` adds it.


def renewals(campaign: Campaign) -> list[LogEntry]:
    """Return the public acts that renewed the dice, in their order.

    Undos, which may renew the dice too, have reports of their own.
    """
    if not campaign.renewals:
        return []
    rows = campaign.entries.filter(kind=LogEntry.Kind.TABLE, act=RENEW.name, audience=None)
    return list(rows.select_related("actor").order_by("sequence"))


def renewal_in_language(entry: LogEntry) -> Contents:
    """Return the line of a renewal in the list of reports, in the current language."""
    name = _("New dice, entry %(number)s") % {"number": entry.number}
    return Contents(f"{RENEW.name}-{entry.number}", RENEW.name, name, entry.turn, True)


def renewal_report(campaign: Campaign, entry: LogEntry) -> Report:
    """Return the report of a renewal, with its user and reason."""
    title = _("%(campaign)s, new dice (entry %(entry)s)") % {
        "campaign": campaign.name,
        "entry": entry.number,
    }
    # The commitment is among the proofs of the dice.
    content = {key: value for key, value in entry.content.items() if key != "commitment"}
    text, number = _by_user(act_line(content, ""), entry), entry.number or 0
    return Report(
        title,
        (
            Heading((Span(title),), 1),
            Paragraph((Span(text),)),
            Paragraph((Span(_(KEEPS)),)),
        ),
        (),
        (),
        number,
        number,
    )


KEEPS = gettext_noop(
    "Rolls already thrown keep their value. All rolls from now on follow from the new dice."
)


# The kinds of reports that may be drafted automatically, with their names on the pages

REPORT_NAMES: dict[str, Any] = {
    "announcement": pgettext_lazy("report", "announcement"),
    "opening": pgettext_lazy("report", "turn opened"),
    "slot": pgettext_lazy("report", "nation’s turn"),
    "challenge": pgettext_lazy("report", "challenge"),
    "result": pgettext_lazy("report", "result"),
    "battle": pgettext_lazy("report", "battle"),
    "turn": pgettext_lazy("report", "turn report"),
    "standings": pgettext_lazy("report", "standings"),
    "year": pgettext_lazy("report", "year"),
    "round": pgettext_lazy("report", "round"),
    "period": pgettext_lazy("report", "period"),
    "final": pgettext_lazy("report", "final"),
    UNDO.name: pgettext_lazy("report", "undo"),
    RESTORE.name: pgettext_lazy("report", "restoration"),
    RENEW.name: pgettext_lazy("report", "new dice"),
    "test": pgettext_lazy("report", "test"),
}
USUAL = frozenset({"opening", "turn", "year", "round", "period", "final"})
"""The default kinds of a new thread: one report a turn, and a post that opens the turn."""
FREQUENCIES: dict[str, tuple[Any, Any]] = {
    "turn": (
        gettext_lazy("One report a turn"),
        gettext_lazy(
            "The nations’ turns, battles and rulings are in the turn report. A short post opens "
            "the turn."
        ),
    ),
    "slots": (
        gettext_lazy("Also the turn of each nation"),
        gettext_lazy("Readers see the moves as they are made."),
    ),
    "all": (
        gettext_lazy("Everything"),
        gettext_lazy(
            "A post for each nation’s turn, each attack and each result: about 17 in a turn."
        ),
    ),
}
"""The choices how often a campaign posts, each with a name and a sentence."""


def kinds_of(frequency: str, offered_kinds: Sequence[str]) -> list[str]:
    """Return the kinds among those that a title offers which are drafted at this frequency."""
    if frequency == "all":
        # A report of a battle repeats those of its challenge and its result.
        return [kind for kind in offered_kinds if kind != "battle"]
    return [
        kind for kind in offered_kinds if kind in USUAL or (kind == "slot" and frequency == "slots")
    ]


def frequency_of(kinds: Sequence[str], offered_kinds: Sequence[str]) -> str:
    """Return the frequency that drafts exactly these kinds; empty if there is none."""
    return next(
        (
            frequency
            for frequency in FREQUENCIES
            if set(kinds_of(frequency, offered_kinds)) == set(kinds)
        ),
        "",
    )


def due_in_new_thread(items: Sequence[Contents]) -> Contents | None:
    """Return the report that a new thread needs.

    Before the start this is the announcement; later it is the report of the latest turn, or the
    opening of that turn while it is played. Game masters may post earlier turns themselves.
    """
    first = next((item for item in items if item.kind == ANNOUNCEMENT), None)
    if first is not None:
        return first
    latest = max((item.turn for item in items), default=0)
    those = [item for item in items if item.turn == latest]
    whole = next((item for item in those if item.kind in WHOLE and item.complete), None)
    return whole or next((item for item in those if item.kind == "opening" and item.complete), None)


def offered_kinds(campaign: Campaign) -> list[str]:
    """Return the kinds of reports of this campaign's title, in their order."""
    title_reporter = reporter(campaign)
    return [kind for kind in getattr(title_reporter, "kinds", ()) if kind in REPORT_NAMES]


def usual_kinds(campaign: Campaign) -> list[str]:
    return [kind for kind in offered_kinds(campaign) if kind in USUAL]


# The report of an undo or a restoration, for all titles: its user, its reason, and the moves that
# it concerns


class TurnedMove(NamedTuple):
    """A move that was struck or restored: its seat, the seat's name and its public text.

    A result that players claimed has no name: its text is a sentence without a speaker.
    """

    seat: str
    name: str
    text: str


def undo_report(campaign: str, act: LogEntry, moves: Sequence[TurnedMove]) -> Report:
    """Return the report of an undo or a restoration with the moves that it concerns, in order."""
    texts, number = ACT_REPORTS[act.act], act.number or 0
    title = _(texts.title) % {"campaign": campaign, "entry": number}
    blocks: list[Block] = [
        Heading((Span(title),), 1),
        Paragraph((Span(undo_text(act, len(moves))),)),
    ]
    if act.struck_by is not None:
        blocks.append(Paragraph((Span(_("The moves have been restored since.")),)))
    if act.content.get("commitment"):
        blocks.append(Paragraph((Span(_(KEEPS)),)))
    if moves:
        lines = (
            (*((Span(move.name, seat=move.seat), Span(": ")) if move.name else ()), Span(move.text))
            for move in moves
        )
        blocks += [Heading((Span(_(texts.heading)),), 2), Bullets(tuple(lines))]
    return Report(title, tuple(blocks), (), (), number, number)
