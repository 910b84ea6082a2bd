"""A report dressed for reading: tone, greeting, the game master's own words, the parts in their order. Facts are all told.

What happened is never touched: what can be left out tells nothing that the rest does not (`OPTIONAL`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from string import Formatter
from typing import Any, NamedTuple

from django.urls import reverse
from django.utils.translation import get_language, gettext_lazy, gettext_noop, pgettext_lazy
from django.utils.translation import gettext as _

from campaign import hooks
from campaign.log import positions, record, selectors
from campaign.models import Campaign
from forum.dialects import clean, headed
from forum.models import Flavour, ReportTemplate
from games.contract.report import Block, Bullets, Contents, Heading, Paragraph, Report, Span, Table

# Tones of telling: the words before and after what happened. What happened is told alike in all of them.


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
    gettext_noop("From the chronicle of {campaign}: what was resolved, what was dared, and what the dice made of it."),
    gettext_noop("This much is written. The next line belongs to those for whom the table waits."),
)
_BATTLE = Words(
    gettext_noop("About a battle in {campaign}, as people who were there reported it."),
    gettext_noop("This is the story of the battle so far."),
)
CHRONICLE = {
    "opening": Words(
        gettext_noop("The heralds have called, and the powers of {campaign} gather about the map once more."),
        gettext_noop("The way is open. Let everybody look after their own."),
    ),
    "turn": _COURSE,
    "year": _COURSE,
    "round": _COURSE,
    "period": _COURSE,
    "slot": Words(gettext_noop("What one people of {campaign} resolved, in the order in which it was announced.")),
    "challenge": Words(gettext_noop("Messengers ride through {campaign}: banners have been raised.")),
    "setup": Words(gettext_noop("The armies draw up.")),
    "battle": _BATTLE,
    "result": _BATTLE,
    "trade": Words(gettext_noop("Envoys have met, and something has changed hands.")),
    "standings": Words(gettext_noop("Let everybody in {campaign} compare themselves with the others.")),
    "final": Words(
        gettext_noop("The chronicle of {campaign} ends here."),
        gettext_noop("The book is closed. Anybody may check it, die by die."),
    ),
}
"""By the kind of a report. An undo is told without a word more, and so is a title's own chronicle."""


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
OPENERS = frozenset({"turn", "year", "round", "period", "announcement"})
"""Kinds that open a turn, with `opening`."""


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
    return Template(row.tone, row.subject, row.greeting, row.signature, tuple(row.order)) if row else Template()


def flavour(campaign: Campaign, key: str) -> Said:
    """His own words in the report of this key, in the language of now."""
    row = Flavour.objects.filter(campaign=campaign, report=key, language=get_language() or "").first()
    return Said(row.before, row.after, row.pk) if row else Said()


def dress(
    campaign: Campaign, item: Contents, report: Report, site: str, tone: str = "", masters: Sequence[str] | None = None
) -> Report:
    """The report of this line of the contents as it is posted, in the language of now.

    `site` begins its addresses, without a stroke at its end; without one it has none. `tone` stands for the template's.
    """
    how = template(campaign)
    if masters is None:
        masters = [user.username for user in selectors.game_masters(campaign)]
    return dressed(campaign, item, report, site, how._replace(tone=tone or how.tone), flavour(campaign, item.key), masters)


def dressed(
    campaign: Campaign, item: Contents, report: Report, site: str, how: Template, own: Said, masters: Sequence[str]
) -> Report:
    """The same with a template and own words that have been read."""
    values = {
        "campaign": campaign.name, "game": positions.plays(campaign), "report": item.name, "turn": item.turn,
        "first": report.first or "", "last": report.last or "", "master": ", ".join(masters),
    }  # fmt: skip
    own_words = words(how.tone, item.kind)
    title, parts, foot = taken_apart(report)
    parts["dice"] = _dice(campaign, item, site)
    parts |= {name: list(blocks) for name, blocks in hooks.report_parts(campaign, item, report, site).items()}
    for notes in hooks.report_notes:
        parts["facts"] += notes(campaign, item)
    if site:
        home = site + reverse("table", args=[campaign.address])
        parts["address"] = [Paragraph((Span(_("Map and ledgers: ")), Span(home, link=home)), small=True)]
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
    return [Paragraph((Span(line.strip(), italic=italic),)) for line in text.splitlines() if line.strip()]


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


def opens(campaign: Campaign, item: Contents) -> bool:
    """Does this report open a turn, or tell of its opening?"""
    return item.kind == "opening" or item.kind in OPENERS


def _dice(campaign: Campaign, item: Contents, site: str) -> list[Block]:
    """What was promised, what proves the turn before, what is mixed into this one; at the end what proves the last."""
    if not campaign.commitment or not (opens(campaign, item) or item.kind == "final"):
        return []
    blocks: list[Block] = [Heading((Span(_("Dice")),), 2)]
    chains = record.chains(campaign)
    links = chains[0].links
    number = len(links) if item.kind == "final" else item.turn - 1
    proven = 0 < number <= len(links) and not (item.turn <= 1 and item.kind != "final")
    if not proven and item.turn > 1:
        return []
    promise = _("All dice of this campaign follow from numbers that were fixed before the first move. The promise: ")
    blocks.append(Paragraph((Span(promise), Span(campaign.commitment, bold=True), Span("."))))
    if proven:
        sentence = _("Link %(number)s, which proves the dice of turn %(number)s: ") % {"number": number}
        blocks.append(Paragraph((Span(sentence), Span(links[number - 1], bold=True), Span("."))))
    for chain in chains[1:]:
        sentence = _("Renewed dice, number %(number)s. The promise: ") % {"number": chain.number}
        blocks.append(Paragraph((Span(sentence), Span(chain.commitment, bold=True), Span("."))))
        if 0 < number <= len(chain.links):
            sentence = _("Their link %(number)s: ") % {"number": number}
            blocks.append(Paragraph((Span(sentence), Span(chain.links[number - 1], bold=True), Span("."))))
    mixture = chains[-1].mixed.get(item.turn) if item.kind != "final" else None
    if mixture:
        names = positions.seats(campaign)
        texts = [f"{names[seat]}: “{text}”" for seat, text in mixture.get("phrases", {}).items()]
        texts += [_("drawn: %(text)s") % {"text": mixture["draw"]}] if "draw" in mixture else []
        mixed = _("Mixed into the dice of turn %(number)s: ") % {"number": item.turn}
        blocks.append(Paragraph((Span(mixed), Span("; ".join(texts), bold=True), Span("."))))
    if site:
        where = site + reverse("dice", args=[campaign.address])
        blocks.append(Paragraph((Span(_("Anybody can check them: ")), Span(where, link=where))))
    return blocks


def rules_of(name: str, address: str, changes: Sequence[tuple[str, str, str, str]]) -> list[Block]:
    """The chapter of rules: where they stand, what is played otherwise (name, here, usual, paragraph)."""
    blocks: list[Block] = [Heading((Span(_("Rules")),), 2)]
    if address:
        blocks.append(Paragraph((Span(f"{name}: "), Span(address, link=address))))
    if changes:
        blocks.append(Paragraph((Span(_("House rules of this campaign:")),)))
        text = _("%(here)s instead of %(usual)s")
        items = [
            (Span(f"{label}: ", bold=True), Span(text % {"here": here, "usual": usual} + (f" (§{rule})" if rule else "") + "."))
            for label, here, usual, rule in changes
        ]
        blocks.append(Bullets(tuple(items)))
    return blocks if len(blocks) > 1 else []


# Words with placeholders by name, as a game master types them: `{campaign}`, `{turn}`. A brace itself is `{{` or `}}`.

NAMES = {
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
        return _("A brace is alone. Placeholders are written {turn}; for the sign itself write {{ or }}.")
    for _literal, name, spec, conversion in fields:
        if name is None:
            continue
        if name not in NAMES:
            known = ", ".join(f"{{{one}}}" for one in NAMES)
            return _("There is no placeholder %(name)s. There are: %(known)s.") % {"name": f"{{{name}}}", "known": known}
        if spec or conversion:
            return _("Write the placeholder %(name)s separately.") % {"name": f"{{{name}}}"}
    return ""


def fill(text: str, values: Mapping[str, object]) -> str:
    """The text with its placeholders filled; a text that cannot be filled stands as it is. What fills them is not read
    for placeholders."""
    if wrong(text):
        return text
    parts = []
    for literal, name, _spec, _conversion in Formatter().parse(text):
        parts.append(literal)
        if name is not None:
            parts.append(str(values.get(name, "")))
    return "".join(parts)
