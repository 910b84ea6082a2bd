"""What is told of a campaign: its reports, for everybody alike, and one of them dressed for a
thread.
"""

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
from django.utils.translation import get_language, gettext_lazy, gettext_noop, pgettext_lazy
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
from campaign.log.history import Running
from campaign.log.selectors import Seat
from campaign.models import Campaign, LogEntry, Membership
from campaign.seats import seating
from campaign.seats.selectors import program_levels_between
from engine.language import reading_in
from forum import hooks
from forum.boards.registry import transport
from forum.dialects import DIALECTS, Context, clean, headed
from forum.models import Post, ReportTemplate, Thread
from forum.posts import report_parts
from forum.posts.report_parts import WHOLE
from games import registry
from games.contract.report import (
    Block,
    Bullets,
    Carrying,
    Contents,
    Heading,
    Line,
    Paragraph,
    Report,
    Reporter,
    Span,
    Spans,
    Table,
)

# A report dressed for reading: tone, greeting, the game master's own words, the parts in their
# order. Facts are all told.
#
# What happened is never touched: what can be left out tells nothing that the rest does not
# (`OPTIONAL`).


# Tones of telling: the words before and after what happened. What happened is told alike in all of
# them.


class Words(NamedTuple):
    """Said before and after a report; empty: nothing. `{campaign}` is its name."""

    before: str
    after: str = ""


TONES: dict[str, Any] = {
    "dry": pgettext_lazy("tone", "Dry: what happened, nothing else"),
    "chronicle": pgettext_lazy("tone", "Chronicle: a sentence before and after"),
}
DEFAULT = "dry"

_COURSE = Words(
    gettext_noop(
        "From the chronicle of {campaign}: what was resolved, what was dared, and what the dice"
        " made of it."
    ),
    gettext_noop("This much is written. The next line belongs to those for whom the table waits."),
)
_BATTLE = Words(
    gettext_noop("About a battle in {campaign}, as people who were there reported it."),
    gettext_noop("This is the story of the battle so far."),
)
CHRONICLE = {
    "opening": Words(
        gettext_noop(
            "The heralds have called, and the powers of {campaign} gather about the map once more."
        ),
        gettext_noop("The way is open. Let everybody look after their own."),
    ),
    "turn": _COURSE,
    "year": _COURSE,
    "round": _COURSE,
    "period": _COURSE,
    "slot": Words(
        gettext_noop(
            "What one people of {campaign} resolved, in the order in which it was announced."
        )
    ),
    "challenge": Words(
        gettext_noop("Messengers ride through {campaign}: banners have been raised.")
    ),
    "setup": Words(gettext_noop("The armies draw up.")),
    "battle": _BATTLE,
    "result": _BATTLE,
    "trade": Words(gettext_noop("Envoys have met, and something has changed hands.")),
    "standings": Words(
        gettext_noop("Let everybody in {campaign} compare themselves with the others.")
    ),
    "final": Words(
        gettext_noop("The chronicle of {campaign} ends here."),
        gettext_noop("The book is closed. Anybody may check it, die by die."),
    ),
}
"""By the kind of a report. A report of an undo has no such words, and neither has a title's own
chronicle.
"""


def words(tone: str, kind: str) -> Words:
    """What this tone says about a report of this kind, in the language of now."""
    phrases = CHRONICLE.get(kind) if tone == "chronicle" else None
    return Words(*(_(one) if one else "" for one in phrases)) if phrases else Words("")


PARTS = {
    "facts": pgettext_lazy("part of a report", "What happened"),
    "ledger": pgettext_lazy("part of a report", "Accounts before and after"),
    "forecast": pgettext_lazy("part of a report", "Forecast, in the turn report"),
    "waits": pgettext_lazy("part of a report", "Whom the table waits for"),
    "rules": pgettext_lazy("part of a report", "Rules of the campaign, in the first report"),
    "dice": pgettext_lazy("part of a report", "What proves the dice"),
    "picture": pgettext_lazy("part of a report", "Picture of the map"),
    "address": pgettext_lazy("part of a report", "Address of the table"),
}
"""In the order in which they are told unless a template says otherwise."""
NEEDED = ("facts", "dice")
OPTIONAL = tuple(part for part in PARTS if part not in NEEDED)


class Template(NamedTuple):
    """A `ReportTemplate` as it is read; this is what there is without one."""

    tone: str = DEFAULT
    subject: str = ""
    greeting: str = ""
    signature: str = ""
    order: tuple[str, ...] = tuple(PARTS)


class Said(NamedTuple):
    """What the game master says in one report."""

    before: str = ""
    after: str = ""
    number: int | None = None
    """Of the row, by which it is reported."""


def template(campaign: Campaign) -> Template:
    """The campaign's template in the language of now."""
    row = ReportTemplate.objects.filter(campaign=campaign, language=get_language() or "").first()
    return (
        Template(row.tone, row.subject, row.greeting, row.signature, tuple(row.parts))
        if row
        else Template()
    )


def template_and_flavour(campaign: Campaign, key: str) -> tuple[Template, Said]:
    """Return the template and the game master's own words in a report, by one query.

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
    how, own_words = Template(), Said()
    if tone is not None:
        how = Template(tone, subject, greeting, signature, tuple(parts))
    if number is not None:
        own_words = Said(before, after, number)
    return how, own_words


def dress(
    campaign: Campaign,
    item: Contents,
    report: Report,
    site: str,
    tone: str = "",
    masters: Sequence[str] | None = None,
) -> Report:
    """The report of this line of the contents as it is posted, in the language of now.

    `site` begins its addresses, without a stroke at its end; without one it has none. `tone` stands
    for the template's.
    """
    how, own = template_and_flavour(campaign, item.key)
    if masters is None:
        masters = [user.username for user in selectors.game_masters(campaign)]
    return dressed(
        campaign,
        item,
        report,
        site,
        how._replace(tone=tone or how.tone),
        own,
        masters,
    )


def dressed(
    campaign: Campaign,
    item: Contents,
    report: Report,
    site: str,
    how: Template,
    own: Said,
    masters: Sequence[str],
) -> Report:
    """The same with a template and own words that have been read."""
    values = {
        "campaign": campaign.name,
        "game": positions.plays(campaign),
        "report": item.name,
        "turn": item.turn,
        "first": report.first or "",
        "last": report.last or "",
        "master": ", ".join(masters),
    }
    own_words = words(how.tone, item.kind)
    title, parts, foot = taken_apart(report)
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
        parts["address"] = [
            Paragraph((Span(_("Map and ledgers: ")), Span(home, link=home)), small=True)
        ]
    order = _whole(how.order)
    told_parts = [block for part in order if part != "address" for block in parts.get(part, ())]
    blocks = (
        title,
        *_typed(fill(how.greeting, values)),
        *_typed(fill(own_words.before, values)),
        *_typed(own.before, italic=True),
        *told_parts,
        *_typed(own.after, italic=True),
        *_typed(fill(own_words.after, values)),
        *foot,
        *(parts.get("address", ()) if "address" in order else ()),
        *_typed(fill(how.signature, values)),
    )
    subject = clean(fill(how.subject, values)).strip()[:250] or report.title
    return report._replace(title=subject, blocks=blocks)


def _whole(order: Sequence[str]) -> list[str]:
    """The order with every part that may not be left out."""
    chosen = [part for part in order if part in PARTS]
    return chosen + [part for part in NEEDED if part not in chosen]


def _typed(text: str, italic: bool = False) -> list[Block]:
    """What somebody typed, a paragraph a line."""
    return [
        Paragraph((Span(line.strip(), italic=italic),))
        for line in text.splitlines()
        if line.strip()
    ]


def taken_apart(report: Report) -> tuple[Heading, dict[str, list[Block]], list[Block]]:
    """A report's title, its parts, and the small line under it that says which entries it tells."""
    title, rest = headed(report)
    end = len(rest)
    while end and isinstance(last := rest[end - 1], Paragraph) and last.small:
        end -= 1
    parts: dict[str, list[Block]] = {"facts": []}
    within: Heading | None = None
    for block in rest[:end]:
        if isinstance(block, Heading) and (within is None or block.level <= within.level):
            within = block if block.part in OPTIONAL else None
        if within is not None:
            part = within.part
        elif isinstance(block, Table) and block.part in OPTIONAL:
            part = block.part
        else:
            part = "facts"
        parts.setdefault(part, []).append(block)
    return title, parts, list(rest[end:])


def _dice(campaign: Campaign, item: Contents, report: Report, site: str) -> list[Block]:
    """Return the proof of the dice and of the log, under a heading."""
    blocks = [*_proofs(campaign, item, site), *_log_hash(campaign, item, report)]
    return [Heading((Span(_("Dice")),), 2), *blocks] if blocks else []


def _log_hash(campaign: Campaign, item: Contents, report: Report) -> list[Block]:
    """Return the hash of the last entry that a turn report or the final report covers.

    `static/verify.py` looks for it in the log and so finds a log that was rewritten or cut off
    later. While hands are hidden, no report has it: what others read must not depend on hidden
    cards in any way.
    """
    if (item.kind not in WHOLE and item.kind != "final") or access.hides(campaign):
        return []
    deeds = positions.retold(campaign).deeds
    entry_hash = next((deed.mark for deed in deeds if deed.number == report.last), "")
    if not entry_hash:
        return []
    sentence = _("Hash of the log up to entry %(entry)s: ")
    return [_fact(sentence % {"entry": report.last}, entry_hash)]


def _proofs(campaign: Campaign, item: Contents, site: str) -> list[Block]:
    """Return promises, the link of the turn before, and what is mixed into this turn.

    The report that opens turn n can show link n - 1, since that link is published then. The final
    report shows the last link of each chain, from which a reader works back to all earlier ones.
    """
    if not campaign.commitment:
        return []
    chains = record.chains(campaign)
    if report_parts.opens(item):
        blocks = _dice_of_turn(campaign, item, chains)
    elif item.kind == "final":
        blocks = [block for chain in chains for block in _proof(chain, len(chain.links) - 1)]
        if chains[0].links:
            hint = _(
                "Each link is the SHA-256 of the next one. The last link of a chain therefore gives"
                " all earlier ones."
            )
            blocks.append(Paragraph((Span(hint),)))
    elif item.kind == RENEW.name:
        blocks = [
            block
            for chain in chains
            if item.key == f"{RENEW.name}-{chain.entry}"
            for block in _proof(chain, -1)
        ]
    else:
        blocks = []
    if blocks and site:
        where = site + reverse("dice", args=[campaign.address])
        blocks.append(Paragraph((Span(_("Anybody can check them: ")), Span(where, link=where))))
    return blocks


def _dice_of_turn(campaign: Campaign, item: Contents, chains: Sequence[Chain]) -> list[Block]:
    """Return the promises with the links of the turn before, where they are published, and this
    turn's mixture.
    """
    number = item.turn - 1
    published = item.turn <= 1 or number < len(chains[0].links)
    blocks = [
        block for chain in chains if published or chain.number for block in _proof(chain, number)
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
            sentence = _("Mixed into the dice of turn %(number)s: ") % {"number": item.turn}
            if chain.number:
                sentence = _(
                    "Mixed into the renewed dice, number %(chain)s, of turn %(number)s: "
                ) % {
                    "chain": chain.number,
                    "number": item.turn,
                }
            blocks.append(_fact(sentence, "; ".join(texts)))
    return blocks


def _unconfirmed_draws(campaign: Campaign, chains: Sequence[Chain]) -> set[tuple[int, int]]:
    """Return chain and turn of the drand values that the game master typed and the worker has not
    confirmed yet.
    """
    if not any("draw" in mixture for chain in chains for mixture in chain.mixed.values()):
        return set()
    waiting = [stage for stage in dice_selectors.stages(campaign) if stage.unconfirmed]
    return {(stage.chain, max(stage.link, 1)) for stage in waiting}


def _proof(chain: Chain, number: int) -> list[Block]:
    """Return the promise of a chain and its link of this number, if that is published."""
    promise = _(
        "All dice of this campaign follow from numbers that were fixed before the first move. The"
        " promise: "
    )
    if chain.number:
        promise = _("Renewed dice, number %(number)s. The promise: ") % {"number": chain.number}
    blocks: list[Block] = [_fact(promise, chain.commitment)]
    if not 0 <= number < len(chain.links):
        return blocks
    sentence = _("Link %(number)s, which proves the dice of turn %(number)s: ")
    if chain.number:
        sentence = _("Their link %(number)s: ")
    elif not number:
        sentence = _("Link %(number)s, which proves the dice of the start: ")
    blocks.append(_fact(sentence % {"number": number}, chain.links[number]))
    return blocks


def _fact(sentence: str, value: str) -> Paragraph:
    return Paragraph((Span(sentence), Span(value, bold=True), Span(".")))


# Words with placeholders by name, as a game master types them: `{campaign}`, `{turn}`. A brace
# itself is `{{` or `}}`.

NAMES_OF_PARTS = {
    "campaign": gettext_lazy("the campaign’s name"),
    "game": gettext_lazy("the name of the game"),
    "report": gettext_lazy("the report’s name in the list"),
    "turn": gettext_lazy("the number of the turn"),
    "first": gettext_lazy("the first entry it covers"),
    "last": gettext_lazy("the last entry it covers"),
    "master": gettext_lazy("the game master’s name"),
}
"""What may stand between braces, and what it becomes."""


def wrong(text: str) -> str:
    """Why it cannot be filled, as a sentence; empty where it can."""
    try:
        fields = list(Formatter().parse(text))
    except ValueError:
        return _(
            "A brace is alone. Placeholders are written {turn}; for the sign itself write {{ or }}."
        )
    for _literal, name, spec, conversion in fields:
        if name is None:
            continue
        if name not in NAMES_OF_PARTS:
            known = ", ".join(f"{{{one}}}" for one in NAMES_OF_PARTS)
            return _("There is no placeholder %(name)s. There are: %(known)s.") % {
                "name": f"{{{name}}}",
                "known": known,
            }
        if spec or conversion:
            return _("Write the placeholder %(name)s separately.") % {"name": f"{{{name}}}"}
    return ""


def fill(text: str, values: Mapping[str, object]) -> str:
    """The text with its placeholders filled; a text that cannot be filled stands as it is. What
    fills them is not read for placeholders.
    """
    if wrong(text):
        return text
    parts = []
    for literal, name, _spec, _conversion in Formatter().parse(text):
        parts.append(literal)
        if name is not None:
            parts.append(str(values.get(name, "")))
    return "".join(parts)


# What is told of a campaign: its reports, for everybody alike, and one of them in a thread's own
# dress.


class ActReport(NamedTuple):
    """The texts of the report of an act: its line in the list of reports, its title, and the
    heading above the moves that it concerns.
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
"""The acts that have a report of their own; `renewal_report` is that of renewed dice."""
TEST = "test"
"""The key of the post that tries a thread out."""

SETTLING = frozenset({CONFIRM.name, JUDGE.name})
"""The acts that make a claimed result final."""


class Part(NamedTuple):
    """One post of a report, without its marker."""

    subject: str
    text: str
    report: Report
    """The same before it was written in a dialect, for a preview."""


@contextmanager
def speaking(language: str) -> Iterator[None]:
    """Pages' words and rules' words in this language."""
    with translation.override(language), reading_in(language):
        yield


def lines_of(
    campaign: Campaign, before: int | None = None, *, bare: bool = False
) -> tuple[Any, list[Line]]:
    """The position before the first line, and the moves in force that everybody may see, all or
    those before an entry; `bare` ones do not know how results came about.
    """
    retold = positions.retold(campaign)
    is_settled = not bare and bool(retold.acts & SETTLING)
    origins = campaign_hooks.result_origins(campaign) if is_settled else {}
    lines = [
        Line(
            deed.number,
            deed.content,
            deed.effects,
            deed.rolls,
            replay=partial(retold.after, n),
            origin=origins.get(deed.number, ""),
        )
        for n, deed in enumerate(retold.deeds)
        if deed.number is not None and (before is None or deed.number < before)
    ]
    return retold.start, lines


def contents(campaign: Campaign, lines: Sequence[Line] | None = None) -> list[Contents]:
    """Return every report there is, or was to these lines, the latest turn first.

    A campaign of a title without a reporter has none.
    """
    if reporter(campaign) is None:
        return []
    reports = contents_of_moves(campaign, lines)
    if lines is None:
        reports += [report_in_language(act) for act in turnings(history.acts(campaign))]
        reports += [renewal_in_language(entry) for entry in reversed(renewals(campaign))]
        reports += [announcement_contents()] if may_announce(campaign) else []
    return reports


def contents_of_moves(campaign: Campaign, lines: Sequence[Line] | None = None) -> list[Contents]:
    """Return the reports of the moves alone, without those of undos, renewals and announcements."""
    teller = reporter(campaign)
    if teller is None:
        return []
    if lines is None and isinstance(teller, Carrying):
        rules = f"{hash(campaign.scenario)} {campaign.drawing_id}"
        return [
            item
            for turn in reversed(_listed.of_log(campaign))
            for item in _contents_of(campaign, rules, get_language(), turn)
        ]
    scenario = positions.scenario(campaign)
    told_lines = lines_of(campaign, bare=True)[1] if lines is None else lines
    return list(teller.contents(scenario, told_lines))


def _carried_on(campaign: Campaign, turns: tuple[Any, ...] | None, after: int) -> tuple[Any, ...]:
    """What a title's list of reports needs, with the moves in it that have come since."""
    teller: Any = reporter(campaign)
    if turns is None:
        lines = lines_of(campaign, bare=True)[1]
    else:
        lines = _new_lines(campaign, after)
    carried: tuple[Any, ...] = teller.carry(turns or (), lines)
    return carried


def _new_lines(campaign: Campaign, after: int) -> list[Line]:
    """As `lines_of`, of the entries behind one, without rolls and origins."""
    return [
        Line(
            done.number,
            done.content,
            done.effects,
            (),
            replay=partial(history.after, campaign, done.moves),
        )
        for done in history.done_since(campaign, after)
        if done.number is not None
    ]


_listed: Running[tuple[Any, ...]] = Running(_carried_on)
_known_contents = OrderedDict[Any, Sequence[Contents]]()
KNOWN = 2048
"""The turns of which the list of reports is remembered, each in one language."""


def _contents_of(
    campaign: Campaign, rules: str, language: str | None, turn: Any
) -> Sequence[Contents]:
    """The reports of a turn, named once."""
    key = (campaign.title, rules, language, turn)
    known = _known_contents.get(key)
    if known is None:
        teller: Any = reporter(campaign)
        known = _known_contents[key] = teller.contents_of(positions.scenario(campaign), turn)
        while len(_known_contents) > KNOWN:
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


def turnings(acts: Sequence[LogEntry]) -> list[LogEntry]:
    """The game masters' undos and restorations among these acts, the latest first: each has a
    report.
    """
    return [one for one in reversed(acts) if one.audience_id is None and not one.content.get("own")]


def report_with_line(
    campaign: Campaign,
    key: str,
    seats: Sequence[Seat] | None = None,
    memberships: Sequence[Membership] | None = None,
) -> tuple[Contents, Report] | None:
    """The report of a key with its line of the contents, in the language of now; None where there
    is none.

    `seats` and `memberships` (past ones included) are the campaign's, where they are known.
    """
    teller = reporter(campaign)
    kind, _dash, number = key.partition("-")
    if teller is None or (kind in (*ACT_REPORTS, RENEW.name) and not number.isdecimal()):
        return None
    if key == KEY:
        if not may_announce(campaign):
            return None
        return announcement_contents(), announcement(
            campaign, selectors.seats(campaign) if seats is None else seats
        )
    if kind in ACT_REPORTS:
        return _turned(campaign, kind, int(number), seats)
    if kind == RENEW.name:
        entry = next((entry for entry in renewals(campaign) if entry.number == int(number)), None)
        return (
            None if entry is None else (renewal_in_language(entry), renewal_report(campaign, entry))
        )
    start, lines = lines_of(campaign)
    item = next((one for one in contents(campaign, lines) if one.key == key), None)
    if item is None:
        return None
    seats = selectors.seats(campaign) if seats is None else seats
    report = report_of_its_time(campaign, teller, start, lines, item, seats, memberships)
    return None if report is None else (item, report)


def report_of_its_time(
    campaign: Campaign,
    teller: Reporter,
    start: Any,
    lines: Sequence[Line],
    item: Contents,
    seats: Sequence[Seat],
    memberships: Sequence[Membership] | None = None,
) -> Report | None:
    """Return a report that names the users who held the seats at that time: from its first entry
    to its last, or until now if it is not complete.

    `memberships` are those of the campaign, past ones included; None if the caller has not read
    them.
    """
    scenario = positions.scenario(campaign)
    people = {seat.key: seat.holder.username for seat in seats if seat.holder is not None}
    report = teller.report(scenario, start, lines, item.key, campaign.name, people)
    if report is None:
        return None
    places = list(selectors.memberships(campaign)) if memberships is None else memberships
    deeds = positions.retold(campaign).deeds
    changed = selectors.seats_changed_hands(places, deeds[0].at if deeds else None)
    if not (changed or campaign.seat_programs):
        return report
    ends = {report.first, report.last} - {None}
    bounds = [deed for deed in deeds if deed.number in ends]
    since, first = (bounds[0].at, bounds[0].sequence) if bounds else (campaign.founded_at, 0)
    until, last = (bounds[-1].at, bounds[-1].sequence) if bounds else (campaign.founded_at, 0)
    if changed:
        end = until if item.complete else None
        people = selectors.names_of_holders(selectors.holders_between(places, since, end))
    for seat, level in program_levels_between(
        campaign, first, last if item.complete else None
    ).items():
        program = _("program: %(level)s") % {"level": level_word(level)}
        people[seat] = f"{people[seat]}, {program}" if seat in people else program
    return teller.report(scenario, start, lines, item.key, campaign.name, people)


def undos_of_turn(campaign: Campaign, item: Contents) -> list[Block]:
    """Return the undos and restorations of a turn for its report, each with its reason and its
    user.

    An act belongs to the turn to which it leads. An undo before the start belongs to turn 1.
    """
    if item.kind not in WHOLE:
        return []
    if not positions.retold(campaign).acts & {UNDO.name, RESTORE.name}:
        return []
    turned = history.turns(campaign)
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
    act: LogEntry, turned: Mapping[int, history.Turn], names: Mapping[str, str]
) -> Spans:
    """Return an undo or restoration as a line: its entry, its text in the log, its user, and how
    many moves it concerns.
    """
    content = {
        key: value for key, value in act.content.items() if key != "commitment"
    }  # it is among the promises
    text = act_line(content, names.get(act.seat, _("Game master")))
    text += f" ({act.actor.username})" if act.actor else ""
    text += "" if text.endswith((".", "!", "?")) else "."
    count = len(turned[act.pk].moves) if act.pk in turned else 0
    moves = (
        _("Moves in force again: %(n)d.") if act.act == RESTORE.name else _("Moves struck: %(n)d.")
    )
    return (Span(f"{act.number}: ", bold=True), Span(f"{text} "), Span(moves % {"n": count}))


def _turned(
    campaign: Campaign, kind: str, number: int, seats: Sequence[Seat] | None
) -> tuple[Contents, Report] | None:
    acts = history.acts(campaign)
    entry = next((one for one in turnings(acts) if (one.act, one.number) == (kind, number)), None)
    if entry is None:
        return None
    turned = history.moves_turned(campaign, entry, acts)
    rows = campaign.entries.filter(pk__in=[*turned, entry.pk], audience=None).select_related(
        "actor", "struck_by"
    )
    *moves, last = selectors.lines(campaign, None, rows.order_by("sequence"), bare=True)
    names = {
        seat.key: seat.name for seat in (selectors.seats(campaign) if seats is None else seats)
    }
    master = _("Game master")
    struck = [
        Struck(
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


def parts(
    post: Post,
    seats: Sequence[Seat] | None = None,
    masters: Sequence[str] | None = None,
    memberships: Sequence[Membership] | None = None,
) -> list[Part]:
    """What a post tells, as its thread reads it, in as many posts as it takes. Nothing where its
    report is no more.

    `seats`, the game masters' names and `memberships` (past ones included) are the campaign's,
    where they are known.
    """
    thread, campaign = post.thread, post.campaign
    seats = selectors.seats(campaign) if seats is None else seats
    with speaking(thread.language):
        if post.report == TEST:
            whole = _test(campaign)
        elif known := report_with_line(campaign, post.report, seats, memberships):
            item, report = known
            whole = dress(
                campaign,
                item,
                report,
                str(getattr(settings, "SITE_URL", "")).rstrip("/"),
                thread.tone,
                masters,
            )
            whole = whole._replace(blocks=(*whole.blocks, *_corrects(post)))
        else:
            return []
        context = Context({seat.key: seat.info.colour for seat in seats})
        dialect = DIALECTS[thread.dialect]
        cut = dialect.parts(whole, context, limit(thread) - MARKED)
        return [Part(one.title[:300], dialect.text(one, context), one) for one in cut]


MARKED = 40
"""What a marker and the line it stands on may weigh."""


def limit(thread: Thread) -> int:
    """The most of one post there: what was set, else what boards of this dialect take, as far as
    the transport goes.
    """
    return min(thread.limit or DIALECTS[thread.dialect].limit, transport(thread.transport).limit)


def _test(campaign: Campaign) -> Report:
    title = _("A test")
    text = _("{name}: reports will be posted here. This post may be deleted.").format(
        name=campaign.name
    )
    return Report(title, (Heading((Span(title),)), Paragraph((Span(text),))), (), (), 0, 0)


def _corrects(post: Post) -> list[Block]:
    """Return the paragraph under a report that names the posts which it corrects.

    Makes no query if the outbox knows that there are none.
    """
    if not post.pk or vars(post).get("is_correction") is False:
        return []
    text = _("Corrects post {number}: {subject}")
    old = sorted(post.corrects.all(), key=lambda one: one.pk)
    return [
        Paragraph(
            (
                Span(
                    text.format(number=one.number, subject=one.subject or one.report),
                    link=one.permalink,
                ),
            )
        )
        for one in old
    ]


# The announcement: what a campaign says of itself before its first move, so that what was promised
# of its dice stands in the thread before the first is thrown. Its commitment is among what proves
# the dice (`forum.posts.reports`).

KEY = "announcement"
"""Of the report, and its kind."""


def may_announce(campaign: Campaign) -> bool:
    """Is there anything to announce still? Not after the start: then the reports tell."""
    return not campaign.started


def announcement_contents() -> Contents:
    return Contents(KEY, KEY, _("Announcement"), 0, True)


def announcement(campaign: Campaign, seats: Sequence[Seat]) -> Report:
    """Who plays what, and that it has not begun."""
    title = _("{name}: before the start").format(name=campaign.name)
    text = _("{title} is about to begin.").format(title=positions.plays(campaign))
    lines = tuple(
        (
            Span(seat.name, bold=True, seat=seat.key),
            Span(f": {seat.holder.username}" if seat.holder is not None else _(": free")),
        )
        for seat in seats
    )
    return Report(
        title,
        (
            Heading((Span(title),)),
            Paragraph((Span(text),)),
            Heading((Span(_("Seats")),), 2),
            Bullets(lines),
        ),
        (),
        (),
        0,
        0,
    )


# The report of a renewal. Its post shows the promise of the new dice in the thread before their
# first roll. `_proofs` adds the promise.


def renewals(campaign: Campaign) -> list[LogEntry]:
    """Return the public acts that renewed the dice, in their order. Undos have reports of their
    own.
    """
    if not campaign.renewals:
        return []
    rows = campaign.entries.filter(kind=LogEntry.Kind.TABLE, act=RENEW.name, audience=None)
    return list(rows.select_related("actor").order_by("sequence"))


def renewal_in_language(entry: LogEntry) -> Contents:
    """Return the line of the table of contents for a renewal, in the current language."""
    name = _("New dice, entry %(number)s") % {"number": entry.number}
    return Contents(f"{RENEW.name}-{entry.number}", RENEW.name, name, entry.turn, True)


def renewal_report(campaign: Campaign, entry: LogEntry) -> Report:
    """Return the report of a renewal: who renewed the dice, and why."""
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


# The kinds of reports that may be drafted by themselves, as they are told on the pages.

NAMES: dict[str, Any] = {
    "announcement": pgettext_lazy("report", "announcement"),
    "opening": pgettext_lazy("report", "turn opened"),
    "slot": pgettext_lazy("report", "slot"),
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
"""What a new thread begins with: one report a turn, and a post that opens the turn."""
FREQUENCIES: dict[str, tuple[Any, Any]] = {
    "turn": (
        gettext_lazy("One report a turn"),
        gettext_lazy(
            "Slots, battles and rulings are in the turn report. A short post opens the turn."
        ),
    ),
    "slots": (
        gettext_lazy("Also each slot"),
        gettext_lazy("Readers see the moves as they are made."),
    ),
    "all": (
        gettext_lazy("Everything"),
        gettext_lazy("A post for each slot, each attack and each result: about 17 a turn."),
    ),
}
"""How often a campaign posts: a name and a sentence."""


def kinds_of(frequency: str, offered_kinds: Sequence[str]) -> list[str]:
    """The kinds of reports that are drafted at this frequency, of those that a title offers."""
    if frequency == "all":
        return [
            kind for kind in offered_kinds if kind != "battle"
        ]  # its challenge and its result tell the same
    return [
        kind for kind in offered_kinds if kind in USUAL or (kind == "slot" and frequency == "slots")
    ]


def frequency_of(kinds: Sequence[str], offered_kinds: Sequence[str]) -> str:
    """The frequency that drafts exactly these kinds; empty where none does."""
    return next((one for one in FREQUENCIES if set(kinds_of(one, offered_kinds)) == set(kinds)), "")


def due_in_new_thread(items: Sequence[Contents]) -> Contents | None:
    """Return what a new thread lacks: before the start the announcement; then the report of the
    latest turn, or what opened that turn while it is played. Earlier turns are left to the game
    master.
    """
    first = next((item for item in items if item.kind == KEY), None)
    if first is not None:
        return first
    latest = max((item.turn for item in items), default=0)
    those = [item for item in items if item.turn == latest]
    whole = next((item for item in those if item.kind in WHOLE and item.complete), None)
    return whole or next((item for item in those if item.kind == "opening" and item.complete), None)


def offered(campaign: Campaign) -> list[str]:
    """The kinds that this campaign's title tells, in the order in which they come."""
    teller = reporter(campaign)
    return [kind for kind in getattr(teller, "kinds", ()) if kind in NAMES]


def usual(campaign: Campaign) -> list[str]:
    return [kind for kind in offered(campaign) if kind in USUAL]


# The report of an undo or a restoration: by whom, why, and which moves it concerns. For any title.


class Struck(NamedTuple):
    """A move that was struck or put back: its number, seat, the seat's name and the public text of
    the move.

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
    moves: Sequence[Struck],
    restored: int | None = None,
) -> Report:
    """`kind` is the act's name, `text` the log's own sentence of it; `moves` are those it turned,
    in the order in which they were made. `restored` is the entry that took an undo back since.
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
