"""A report dressed for reading: tone, greeting, the game master's own words, the parts in their order. Facts are all told.

What happened is never touched: what can be left out tells nothing that the rest does not (`OPTIONAL`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from django.conf import settings
from django.urls import reverse
from django.utils.module_loading import import_string
from django.utils.translation import get_language, pgettext_lazy
from django.utils.translation import gettext as _

from campaign import record, selectors
from campaign.models import Campaign
from engine.report import Block, Bullets, Contents, Heading, Paragraph, Report, Span, Table
from forum import tones
from forum.dialects.inert import clean
from forum.dialects.splitting import headed
from forum.models import Flavour, ReportTemplate
from forum.placeholders import fill

PARTS = {
    "facts": pgettext_lazy("part of a report", "What happened"),
    "ledger": pgettext_lazy("part of a report", "Accounts before and after"),
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

    tone: str = tones.DEFAULT
    subject: str = ""
    greeting: str = ""
    signature: str = ""
    order: tuple[str, ...] = tuple(PARTS)


class Said(NamedTuple):
    """What the game master says in one report."""

    before: str = ""
    after: str = ""


def template(campaign: Campaign) -> Template:
    """The campaign's template in the language of now."""
    row = ReportTemplate.objects.filter(campaign=campaign, language=get_language() or "").first()
    return Template(row.tone, row.subject, row.greeting, row.signature, tuple(row.order)) if row else Template()


def flavour(campaign: Campaign, key: str) -> Said:
    """His own words in the report of this key, in the language of now."""
    row = Flavour.objects.filter(campaign=campaign, report=key, language=get_language() or "").first()
    return Said(row.before, row.after) if row else Said()


def dress(
    campaign: Campaign, item: Contents, told: Report, site: str, tone: str = "", masters: Sequence[str] | None = None
) -> Report:
    """The report of this line of the contents as it is posted, in the language of now.

    `site` begins its addresses, without a stroke at its end; without one it has none. `tone` stands for the template's.
    """
    how = template(campaign)
    if masters is None:
        masters = [user.username for user in selectors.game_masters(campaign)]
    return dressed(campaign, item, told, site, how._replace(tone=tone or how.tone), flavour(campaign, item.key), masters)


def dressed(
    campaign: Campaign, item: Contents, told: Report, site: str, how: Template, own: Said, masters: Sequence[str]
) -> Report:
    """The same with a template and own words that have been read."""
    values = {
        "campaign": campaign.name, "game": campaign.game.name, "report": item.name, "turn": item.turn,
        "first": told.first or "", "last": told.last or "", "master": ", ".join(masters),
    }  # fmt: skip
    own_words = tones.words(how.tone, item.kind)
    title, parts, foot = taken_apart(told)
    parts["dice"] = _dice(campaign, item, site)
    for path in settings.REPORT_PARTS:
        parts.update(import_string(path)(campaign, item, told, site))
    for path in settings.REPORT_NOTES:
        parts["facts"] = [*parts["facts"], *import_string(path)(campaign, item)]
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
    subject = clean(fill(how.subject, values)).strip()[:250] or told.title
    return told._replace(title=subject, blocks=blocks)


def _whole(order: Sequence[str]) -> list[str]:
    """The order with every part that may not be left out."""
    found = [part for part in order if part in PARTS]
    return found + [part for part in NEEDED if part not in found]


def _typed(text: str, italic: bool = False) -> list[Block]:
    """What somebody typed, a paragraph a line."""
    return [Paragraph((Span(line.strip(), italic=italic),)) for line in text.splitlines() if line.strip()]


def taken_apart(told: Report) -> tuple[Heading, dict[str, list[Block]], list[Block]]:
    """A report's title, its parts, and the small line under it that says which entries it tells."""
    title, rest = headed(told)
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
    """At the first turn what was promised, later what proves the turn before; at the end what proves the last."""
    if not campaign.commitment or not (opens(campaign, item) or item.kind == "final"):
        return []
    blocks: list[Block] = [Heading((Span(_("Dice")),), 2)]
    links = record.published_links(campaign)
    number = len(links) if item.kind == "final" else item.turn - 1
    if item.turn <= 1 and item.kind != "final":
        said = _("All dice of this campaign follow from numbers that were fixed before the first move. The promise: ")
        blocks.append(Paragraph((Span(said), Span(campaign.commitment, bold=True), Span("."))))
    elif 0 < number <= len(links):
        said = _("Link %(number)s, which proves the dice of turn %(number)s: ") % {"number": number}
        blocks.append(Paragraph((Span(said), Span(links[number - 1], bold=True), Span("."))))
    else:
        return []
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
        said = _("%(here)s instead of %(usual)s")
        items = [
            (Span(f"{label}: ", bold=True), Span(said % {"here": here, "usual": usual} + (f" (§{rule})" if rule else "") + "."))
            for label, here, usual, rule in changes
        ]
        blocks.append(Bullets(tuple(items)))
    return blocks if len(blocks) > 1 else []
