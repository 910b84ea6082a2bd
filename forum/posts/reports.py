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
    pgettext,
    pgettext_lazy,
)
from django.utils.translation import gettext as _

from campaign import access, review
from campaign import hooks as campaign_hooks
from campaign.dice import selectors as dice_selectors
from campaign.dice.selectors import Chain
from campaign.log import history, positions, record, selectors, talk
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
from engine.language import use_language
from forum import hooks
from forum.boards.registry import transport
from forum.dialects import DIALECTS, Context, clean, split_title
from forum.models import Post, ReportTemplate, Thread
from forum.posts import report_parts
from forum.posts.report_parts import WHOLE
from forum.spans import filled_spans
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
    Spans,
    Table,
    WithRunningContents,
)

# The form of a report: tone, greeting, the game master's comments, and the parts in their order
#
# The events are never changed. Parts that can be left out (`OPTIONAL`) contain nothing that the
# other parts do not.


# Tones: the sentences before and after the events, which are the same in all tones


class Framing(NamedTuple):
    """The sentences before and after a report; empty for none.

    `{campaign}` is the campaign's name.
    """

    before: str
    after: str = ""


TONES: dict[str, Any] = {
    "dry": pgettext_lazy("tone", "Dry: what happened, nothing else"),
    "chronicle": pgettext_lazy("tone", "Chronicle: a sentence before and after"),
}
DEFAULT = DRY

_COURSE = Framing(
    gettext_noop(
        "From the chronicle of {campaign}: what was resolved, what was dared, and what the dice"
        " made of it."
    ),
    gettext_noop("This much is written. The next line belongs to those for whom the table waits."),
)
_BATTLE = Framing(
    gettext_noop("A battle in {campaign}, as people who were there reported it."),
    gettext_noop("This is the story of the battle so far."),
)
CHRONICLE = {
    "opening": Framing(
        gettext_noop(
            "The heralds have called, and the powers of {campaign} gather about the map once more."
        ),
        gettext_noop("The way is open. Let everyone look to their own."),
    ),
    "turn": _COURSE,
    "year": _COURSE,
    "round": _COURSE,
    "period": _COURSE,
    "slot": Framing(
        gettext_noop(
            "What one people of {campaign} resolved, in the order in which it was announced."
        )
    ),
    "challenge": Framing(
        gettext_noop("Messengers ride through {campaign}: banners have been raised.")
    ),
    "setup": Framing(gettext_noop("The armies draw up.")),
    "battle": _BATTLE,
    "result": _BATTLE,
    "trade": Framing(gettext_noop("Envoys have met, and something has changed hands.")),
    "standings": Framing(
        gettext_noop("Let everyone in {campaign} compare themselves with the others.")
    ),
    "final": Framing(
        gettext_noop("The chronicle of {campaign} ends here."),
        gettext_noop("The book is closed. Anyone may check it, die by die."),
    ),
}
"""The sentences by the kind of a report.

A report of an undo has none, and neither has a title's own chronicle.
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
) -> Report:
    """Return a report in the form in which it is posted, in the current language.

    `item` is the report's line in the list of reports. `site` begins the addresses in it, without a
    slash at its end; if it is empty, the report has no addresses. `masters` are the names of the
    game masters.
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
    parts["dice"] = _dice(campaign, item, report, site)
    parts |= {
        name: list(blocks)
        for name, blocks in report_parts.parts(campaign, item, report, site).items()
    }
    for notes in (hooks.report_notes, review.report_notes, seating.report_notes, talk.report_notes):
        parts["facts"] += notes(campaign, item)
    parts["facts"] += undos_of_turn(campaign, item)
    if site:
        home = site + reverse("table", args=[campaign.address])
        spans = filled_spans(_("Map and ledgers: %(address)s"), address=Span(home, link=home))
        parts["address"] = [Paragraph(spans, small=True)]
    order = _complete_order(how.order)
    ordered_parts = [block for part in order if part != "address" for block in parts.get(part, ())]
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
        *(parts.get("address", ()) if "address" in order else ()),
        *_typed_paragraphs(fill_placeholders(how.signature, values)),
    )
    subject = clean(fill_placeholders(how.subject, values)).strip()[:250] or report.title
    return report._replace(title=subject, blocks=blocks)


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
    """Return the pieces of a report. A fold belongs to the facts."""
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


def _dice(campaign: Campaign, item: Contents, report: Report, site: str) -> list[Block]:
    """Return the proof of the dice and of the log, below a heading."""
    blocks = [*_proofs(campaign, item, site), *_log_hash(campaign, item, report)]
    return [Heading((Span(pgettext("report", "Dice")),), 2), *blocks] if blocks else []


def _log_hash(campaign: Campaign, item: Contents, report: Report) -> list[Block]:
    """Return the hash of the last entry that a turn report or the final report covers.

    `static/verify.py` looks for it in the log and so detects a log that was rewritten or shortened
    later. While hands are hidden, no report has it: what other users read must not depend on hidden
    cards in any way.
    """
    if (item.kind not in WHOLE and item.kind != "final") or access.hides(campaign):
        return []
    moves = positions.replayed_log(campaign).moves
    entry_hash = next((move.mark for move in moves if move.number == report.last), "")
    if not entry_hash:
        return []
    sentence = _("Hash of the log up to entry %(entry)s: %(value)s.")
    return [_fact(sentence, entry_hash, entry=report.last)]


def _proofs(campaign: Campaign, item: Contents, site: str) -> list[Block]:
    """Return commitments, the key of the turn before, and the words mixed into this turn's dice.

    The report that opens turn n can show key n - 1, since that key is published then. The final
    report shows the last key of each chain, from which a reader can compute all earlier ones.
    """
    if not campaign.commitment:
        return []
    chains = record.chains(campaign)
    if report_parts.opens(item):
        blocks = _dice_of_turn(campaign, item, chains)
    elif item.kind == "final":
        blocks = [block for chain in chains for block in _chain_proof(chain, len(chain.links) - 1)]
        if chains[0].links:
            hint = _(
                "Each key is the SHA-256 of the next one. The last key of a chain therefore gives "
                "all earlier ones."
            )
            blocks.append(Paragraph((Span(hint),)))
    elif item.kind == RENEW.name:
        blocks = [
            block
            for chain in chains
            if item.key == f"{RENEW.name}-{chain.entry}"
            for block in _chain_proof(chain, -1)
        ]
    else:
        blocks = []
    if blocks and site:
        where = site + reverse("dice", args=[campaign.address])
        address = Span(where, link=where)
        blocks.append(
            Paragraph(filled_spans(_("Anyone can check them: %(address)s"), address=address))
        )
    return blocks


def _dice_of_turn(campaign: Campaign, item: Contents, chains: Sequence[Chain]) -> list[Block]:
    """Return the proof of the dice in the report that opens a turn.

    It consists of the commitments, the keys of the turn before if they are published, and this
    turn's mixture.
    """
    number = item.turn - 1
    published = item.turn <= 1 or number < len(chains[0].links)
    blocks = [
        block
        for chain in chains
        if published or chain.number
        for block in _chain_proof(chain, number)
    ]
    names, unconfirmed = positions.seats(campaign), _unconfirmed_draws(campaign, chains)
    for chain in chains:
        if mixture := chain.mixed.get(item.turn):
            texts = [
                f"{names[seat]}: “{text}”" for seat, text in mixture.get("phrases", {}).items()
            ]
            texts += [_("drawn: %(text)s") % {"text": mixture["draw"]}] if "draw" in mixture else []
            if "draw" in mixture and (chain.number, item.turn) in unconfirmed:
                texts.append(_("typed by the game master, not confirmed"))
            sentence = _("Mixed into the dice of turn %(number)s: %(value)s.")
            if chain.number:
                sentence = _(
                    "Mixed into the dice of turn %(number)s (renewal %(chain)s): %(value)s."
                )
            facts = {"chain": chain.number, "number": item.turn}
            blocks.append(_fact(sentence, "; ".join(texts), **facts))
    return blocks


def _unconfirmed_draws(campaign: Campaign, chains: Sequence[Chain]) -> set[tuple[int, int]]:
    """Return (chain, turn) of drand values that a game master typed and no worker has confirmed."""
    if not any("draw" in mixture for chain in chains for mixture in chain.mixed.values()):
        return set()
    waiting = [stage for stage in dice_selectors.stages(campaign) if stage.unconfirmed]
    return {(stage.chain, max(stage.link, 1)) for stage in waiting}


def _chain_proof(chain: Chain, number: int) -> list[Block]:
    """Return the commitment of a chain and its key with this number, if that is published."""
    sentence = _(
        "All dice of this campaign follow from numbers that were fixed before the first move. The "
        "commitment: %(value)s."
    )
    if chain.number:
        sentence = _("Renewal %(number)s of the dice. The commitment: %(value)s.")
    blocks: list[Block] = [_fact(sentence, chain.commitment, number=chain.number)]
    if not 0 <= number < len(chain.links):
        return blocks
    sentence = _("Key %(number)s, which proves the dice of turn %(number)s: %(value)s.")
    if chain.number:
        sentence = _("Their key %(number)s: %(value)s.")
    elif not number:
        sentence = _("Key %(number)s, which proves the dice rolled at the start: %(value)s.")
    blocks.append(_fact(sentence, chain.links[number], number=number))
    return blocks


def _fact(sentence: str, value: str, **facts: str | int) -> Paragraph:
    """Return a sentence with a bold value in the place of `%(value)s`."""
    return Paragraph(filled_spans(sentence, value=Span(value, bold=True), **facts))


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
    names = positions.seats(campaign)
    return [
        Heading((Span(_("Undone and restored")),), 2),
        Bullets(tuple(_undo_line(act, turned, names) for act in open_acts)),
    ]


def _undo_line(
    act: LogEntry, turned: Mapping[int, history.UndoAct], names: Mapping[str, str]
) -> Spans:
    """Return the line of an undo or restoration.

    It has the entry, its text in the log, its user, and the number of moves that it concerns.
    """
    # The commitment is listed among the proofs of the dice.
    content = {key: value for key, value in act.content.items() if key != "commitment"}
    text = act_line(content, names.get(act.seat, pgettext("report", "Game master")))
    text += f" ({act.actor.username})" if act.actor else ""
    text += "" if text.endswith((".", "!", "?")) else "."
    count = len(turned[act.pk].moves) if act.pk in turned else 0
    moves = (
        _("Moves in force again: %(n)d.") if act.act == RESTORE.name else _("Moves struck: %(n)d.")
    )
    return (Span(f"{act.number}: ", bold=True), Span(f"{text} "), Span(moves % {"n": count}))


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
            line.number,
            line.entry.seat,
            "" if line.origin else names.get(line.entry.seat, master),
            line.text,
        )
        for line in moves
        if line.number is not None
    ]
    by = last.entry.actor.username if last.entry.actor else ""
    restored = last.entry.struck_by.number if last.entry.struck_by else None
    return report_in_language(entry), undo_report(
        campaign.name, kind, number, last.text, by, struck, restored
    )


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
        context = Context({seat.key: seat.info.colour for seat in seats})
        dialect = DIALECTS[thread.dialect]
        cut = dialect.parts(whole, context, post_limit(thread) - MARK_WEIGHT)
        return [PostPart(part.title[:300], dialect.text(part, context), part) for part in cut]


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
    report = full_report(campaign, *known, site, how, own, masters)
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
    text = _("Corrects post {number}: {subject}")
    old = sorted(post.corrects.all(), key=lambda old: old.pk)
    return [
        Paragraph(
            (
                Span(
                    text.format(
                        number=corrected.number, subject=corrected.subject or corrected.report
                    ),
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
    text = act_line(
        {key: value for key, value in entry.content.items() if key != "commitment"}, "", {}
    )
    text += f" ({entry.actor.username})" if entry.actor is not None else ""
    text += "" if text.endswith((".", "!", "?")) else "."
    keeps = _(
        "Rolls already thrown keep their value. All rolls from now on follow from the new dice."
    )
    number = entry.number or 0
    return Report(
        title,
        (Heading((Span(title),), 1), Paragraph((Span(text),)), Paragraph((Span(keeps),))),
        (),
        (),
        number,
        number,
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
    """A move that was struck or restored: its number, seat, the seat's name and its public text.

    A result that players claimed has no name: its text is a sentence without a speaker.
    """

    number: int
    seat: str
    name: str
    text: str


def undo_report(
    campaign: str,
    kind: str,
    number: int,
    text: str,
    by: str,
    moves: Sequence[TurnedMove],
    restored: int | None = None,
) -> Report:
    """Return the report of an undo or a restoration.

    `kind` is the name of the act and `text` its sentence in the log. `moves` are the moves that it
    concerns, in their order. `restored` is the number of the entry that has reversed an undo since.
    """
    texts = ACT_REPORTS[kind]
    title = _(texts.title) % {"campaign": campaign, "entry": number}
    opening = Paragraph((Span(text), Span(f" ({by})" if by else "")))
    lines = Bullets(
        tuple(
            (
                Span(f"{move.number}: "),
                *((Span(move.name, seat=move.seat), Span(": ")) if move.name else ()),
                Span(move.text),
            )
            for move in moves
        )
    )
    heading = Heading((Span(_(texts.heading)),), 2)
    facts = {"entry": number, "restored": restored}
    ends = (
        _("Entry %(entry)s.")
        if restored is None
        else _("Entry %(entry)s. Restored by entry %(restored)s.")
    )
    end = Paragraph((Span(ends % facts),), small=True)
    blocks = (Heading((Span(title),), 1), opening, *((heading, lines) if moves else ()), end)
    return Report(title, blocks, (), (), number, number)
