"""The page of a title's rules."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from urllib.parse import urlsplit

from django.http import Http404, HttpRequest
from django.urls import reverse
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from campaign import rulebook
from campaign.log import positions
from campaign.models import Scenario
from campaign.rulebook import Chapter, Paragraph, Ruling
from engine.language import FIRST, language, use_language
from engine.strict_json import read
from games.contract.rules import WithHouseRules
from games.contract.title import Title, WithAmendments, WithScenarioRules
from games.registry import TITLES
from web.frame.table import TableContext
from web.rules.forms import RulesQuery


@dataclass(frozen=True, slots=True)
class RulingNote:
    """A ruling of a game master, shown beside its paragraph."""

    number: int
    text: str
    author: str
    at: datetime
    url: str


@dataclass(frozen=True, slots=True)
class ParagraphText:
    """A paragraph; its number is empty for text without a number."""

    number: str
    html: SafeString
    rulings: Sequence[RulingNote]


@dataclass(frozen=True, slots=True)
class ChapterText:
    """A chapter with the shown paragraphs; number and name are empty for the introduction."""

    number: str
    name: str
    paragraphs: Sequence[ParagraphText]
    rulings: Sequence[RulingNote]


@dataclass(frozen=True, slots=True)
class ContentsRow:
    """A chapter in the table of contents; `differences` is its number of unusual values."""

    number: str
    name: str
    url: str
    differences: int


@dataclass(frozen=True, slots=True)
class RulesPeriod:
    """A range of turns with the same rules."""

    text: str
    query: str
    is_shown: bool


@dataclass(frozen=True, slots=True)
class TitleLink:
    """A link to the rules of a title."""

    name: str
    url: str
    is_shown: bool


@dataclass(frozen=True, slots=True)
class CampaignLinks:
    """Links from the rules of a campaign; `amendments` is empty if the rules cannot be changed."""

    rulings: str
    amendments: str
    free_rulings: Sequence[RulingNote]
    """The rulings that concern no paragraph."""


@dataclass(frozen=True, slots=True)
class RulesSearch:
    """A search of the reader.

    `only_differences` restricts the page to paragraphs whose numbers differ from the usual ones.
    `hits` is the number of paragraphs found.
    """

    words: Sequence[str]
    only_differences: bool
    hits: int

    @property
    def text(self) -> str:
        return " ".join(self.words)

    @property
    def is_active(self) -> bool:
        return bool(self.words or self.only_differences)


@dataclass(frozen=True, slots=True)
class RulesPage:
    """The rules of a title, of a scenario or of a campaign."""

    name: str
    text_language: str
    """The language of the rules' text; empty if it is the page's own."""
    is_original_of_translation: bool
    """Whether the English text is shown to a reader for whom there is a translation."""
    is_translation: bool
    lead: Sequence[ParagraphText]
    chapters: Sequence[ChapterText]
    contents: Sequence[ContentsRow]
    differences: int
    amendments: int
    search: RulesSearch
    all_rules_url: str
    back: str
    """The page that the reader came from; empty if it is unknown."""
    scenario_link: tuple[str, str] | None = None
    """Name and address of the scenario whose numbers are shown."""
    titles: Sequence[TitleLink] = ()
    periods: Sequence[RulesPeriod] = ()
    campaign: CampaignLinks | None = None
    readings: Sequence[tuple[str, str]] = ()
    """The campaign's readings of unclear rules: label and text."""


def title_rules_page(request: HttpRequest, title: str) -> RulesPage:
    """Return the rules of a title, with links to those of every other title."""
    titles = [
        TitleLink(name=TITLES[key].name, url=reverse("rules", args=[key]), is_shown=key == title)
        for key in rulebook.with_rules()
    ]
    return rules_page(request, title, titles=titles)


def scenario_rules_page(request: HttpRequest, row: Scenario, title: Title) -> RulesPage:
    """Return the rules with the numbers of a scenario."""
    return rules_page(
        request,
        row.title,
        scenario=title.scenario(read(row.text)),
        scenario_link=(row.name, reverse("scenario_shown", args=[row.public_id])),
    )


def campaign_rules_page(request: HttpRequest, table: TableContext) -> RulesPage:
    """Return the rules with the numbers and rulings of a campaign, as of the turn `?turn=`."""
    title, scenario = table.title, table.scenario
    changes = (
        sorted(set(title.rules_changed(scenario))) if isinstance(title, WithScenarioRules) else []
    )
    turn = RulesQuery(request.GET).turn_before(changes[-1]) if changes else None
    if turn is not None and isinstance(title, WithScenarioRules):
        scenario = title.scenario_at(scenario, turn)
    book = table.url("rulings")
    rulings = {
        rule: ruling_notes(of_rule, book)
        for rule, of_rule in rulebook.by_rule(table.campaign).items()
    }
    amendable = isinstance(table.title, WithAmendments)
    return rules_page(
        request,
        table.campaign.title,
        scenario=scenario,
        rulings=rulings,
        campaign=CampaignLinks(
            rulings=book,
            amendments=table.url("amendments") if amendable else "",
            free_rulings=rulings.get("", ()),
        ),
        periods=rules_periods(changes, turn),
        readings=readings(table),
    )


def readings(table: TableContext) -> Sequence[tuple[str, str]]:
    """Return the campaign's readings of unclear rules: label and text."""
    title, options = table.title, positions.options(table.campaign)
    if isinstance(title, WithHouseRules):
        return title.chosen_readings(table.scenario, options)
    founding = title.founding
    return founding.facts(table.scenario, options) if founding is not None else ()


def rules_periods(changes: Sequence[int], turn: int | None) -> list[RulesPeriod]:
    """Return each range of turns with the same rules, with the shown range marked."""
    if not changes:
        return []
    firsts = [1, *changes]
    reached = [first for first in firsts if turn is not None and first <= max(turn, 1)]
    shown = max(reached, default=firsts[-1])
    bounds = [(first, following - 1) for first, following in zip(firsts, changes, strict=False)]
    periods = [
        RulesPeriod(text=_period_text(first, last), query=f"turn={first}", is_shown=first == shown)
        for first, last in bounds
        if last >= first
    ]
    now = RulesPeriod(
        text=_("since turn %(first)s") % {"first": firsts[-1]},
        query="",
        is_shown=firsts[-1] == shown,
    )
    return [*periods, now]


def _period_text(first: int, last: int) -> str:
    if first == last:
        return _("turn %(first)s") % {"first": first}
    return _("turns %(first)s to %(last)s") % {"first": first, "last": last}


def rules_page(
    request: HttpRequest,
    title: str,
    *,
    scenario: object = None,
    rulings: Mapping[str, Sequence[RulingNote]] | None = None,
    scenario_link: tuple[str, str] | None = None,
    titles: Sequence[TitleLink] = (),
    periods: Sequence[RulesPeriod] = (),
    campaign: CampaignLinks | None = None,
    readings: Sequence[tuple[str, str]] = (),
) -> RulesPage:
    """Return the page of a rules text.

    `?q=` restricts it to the paragraphs that contain every word, `?only=` to those in which a
    number differs from the usual rules. `?text=en` shows the English text, which is authoritative
    where a translation differs.

    Args:
        request: The request with the search in its query.
        title: The key of the title.
        scenario: The title's scenario whose numbers are shown; None for the usual numbers.
        rulings: The rulings by the number of their paragraph or chapter.
        scenario_link: See `RulesPage`, also for the arguments that follow.
        titles: See `RulesPage`.
        periods: See `RulesPage`.
        campaign: See `RulesPage`.
        readings: See `RulesPage`.

    Raises:
        Http404: The title has no rules text.
    """
    asked = RulesQuery(request.GET)
    text = rules_text(title, scenario, in_english=asked.in_english)
    differences = sum(chapter.differs for chapter in text.chapters)
    words, only_differences = asked.words, bool(differences) and asked.only_differences
    shown = [
        chapter_text(chapter, words, only_differences, rulings or {}) for chapter in text.chapters
    ]
    numbered = [chapter for chapter in shown if chapter.number and chapter.paragraphs]
    search = RulesSearch(words, only_differences, hits=count_paragraphs(numbered))
    query = f"?text={FIRST}" if text.is_original_of_translation else "?"
    return RulesPage(
        name=text.name,
        text_language=text.foreign_language,
        is_original_of_translation=text.is_original_of_translation,
        is_translation=text.is_translation,
        lead=[] if words else lead(shown),
        chapters=numbered,
        contents=contents(text.chapters, query if search.is_active else ""),
        differences=differences,
        amendments=sum(chapter.amended for chapter in text.chapters),
        search=search,
        all_rules_url=query,
        back=page_before(request),
        scenario_link=scenario_link,
        titles=titles,
        periods=periods,
        campaign=campaign,
        readings=readings,
    )


@dataclass(frozen=True, slots=True)
class RulesText:
    """The text of a title's rules in a language."""

    name: str
    chapters: Sequence[Chapter]
    has_translation: bool
    """Whether there is a text in the reader's language, apart from the English text."""
    is_english: bool

    @property
    def is_original_of_translation(self) -> bool:
        return self.has_translation and self.is_english

    @property
    def is_translation(self) -> bool:
        return self.has_translation and not self.is_english

    @property
    def foreign_language(self) -> str:
        """The language of the text; empty if it is the reader's."""
        return FIRST if self.is_english and language() != FIRST else ""


def rules_text(title: str, scenario: object, *, in_english: bool) -> RulesText:
    """Return the rules with the numbers of a scenario, in the reader's language if possible.

    Raises:
        Http404: The title has no rules text.
    """
    has_translation = rulebook.translated(title)
    is_english = in_english or not has_translation
    with use_language(FIRST if has_translation and in_english else language()):
        name, chapters = rulebook.chapters(title, scenario)
    if not chapters:
        raise Http404
    return RulesText(
        name=name, chapters=chapters, has_translation=has_translation, is_english=is_english
    )


def count_paragraphs(chapters: Iterable[ChapterText]) -> int:
    """Return the number of paragraphs in these chapters."""
    return sum(len(chapter.paragraphs) for chapter in chapters)


def lead(chapters: Iterable[ChapterText]) -> list[ParagraphText]:
    """Return the paragraphs before the first numbered chapter."""
    return [
        paragraph for chapter in chapters if not chapter.number for paragraph in chapter.paragraphs
    ]


def chapter_text(
    chapter: Chapter,
    words: Sequence[str],
    only_differences: bool,
    rulings: Mapping[str, Sequence[RulingNote]],
) -> ChapterText:
    """Return a chapter with its matching paragraphs, in which the words are highlighted."""
    return ChapterText(
        number=chapter.number,
        name=chapter.heading or chapter.name,
        paragraphs=[
            ParagraphText(
                number=paragraph.number,
                html=rulebook.marked(paragraph.html, words),
                rulings=rulings.get(paragraph.number, ()) if paragraph.number else (),
            )
            for paragraph in chapter.paragraphs
            if matches(paragraph, words, only_differences)
        ],
        rulings=rulings.get(chapter.number, ()) if chapter.number else (),
    )


def matches(paragraph: Paragraph, words: Sequence[str], only_differences: bool) -> bool:
    """Return whether a search finds this paragraph."""
    if words and not rulebook.contains_words(paragraph, words):
        return False
    return not only_differences or rulebook.MARK in paragraph.html


def contents(chapters: Iterable[Chapter], query: str) -> list[ContentsRow]:
    """Return the table of contents.

    Its links begin with `query`, which ends a search, so that all rules are shown.
    """
    return [
        ContentsRow(
            number=chapter.number,
            name=chapter.name,
            url=f"{query}#r-{chapter.number}",
            differences=chapter.differs,
        )
        for chapter in chapters
        if chapter.number
    ]


def ruling_notes(rulings: Iterable[Ruling], book: str) -> list[RulingNote]:
    """Return the rulings as notes beside paragraphs; `book` is the page of all rulings."""
    return [
        RulingNote(
            number=ruling.number,
            text=ruling.text,
            author=ruling.by,
            at=ruling.at,
            url=f"{book}#ruling-{ruling.number}",
        )
        for ruling in rulings
    ]


def page_before(request: HttpRequest) -> str:
    """Return the page of this site that the reader came from; empty if it is a page of rules."""
    came = urlsplit(request.META.get("HTTP_REFERER", ""))
    is_ours = (
        came.netloc == request.get_host()
        and came.path.startswith("/")
        and not came.path.startswith("//")
    )
    if not is_ours or came.path == request.path or came.path.startswith("/rules/"):
        return ""
    return came.path + (f"?{came.query}" if came.query else "")
