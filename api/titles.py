"""The games: what each is, its rules, its scenarios, its hall of fame."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from html import unescape

from django.http import Http404
from django.urls import reverse
from django.utils.html import strip_tags
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers as s
from rest_framework.exceptions import NotAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response

from api import paging
from api.base import Resource
from campaign import rulebook, scenarios, status
from campaign.models import Scenario as Shelved
from engine.strict_json import read
from games import registry
from games.contract.scenarios import OwnScenarios
from games.contract.title import Account, Introduced, Title


class AccountKind(s.Serializer):
    key = s.CharField()
    # DRF allows a field with the name of an attribute of the serializer.
    label = s.CharField()  # type: ignore[assignment]
    unit = s.CharField(allow_blank=True)
    scale = s.IntegerField(help_text="How many units make a whole: 2 for half-actions.")


class TitleLine(s.Serializer):
    """A game that is played here."""

    key = s.CharField()
    name = s.CharField()
    format = s.CharField(help_text="Of its records, with the edition of the rules.")
    about = s.CharField(allow_blank=True)
    lasts = s.CharField(allow_blank=True)
    alone = s.BooleanField(help_text="Is it played alone?")
    together = s.BooleanField(help_text="May several play it at one table?")
    accounts = AccountKind(many=True)
    scenarios = s.ListField(child=s.CharField())
    rulebook = s.CharField(allow_null=True)
    hall = s.CharField()


class Titles(s.Serializer):
    results = TitleLine(many=True)


class Scenario(s.Serializer):
    title = s.CharField()
    key = s.CharField()
    scenario = s.JSONField(help_text="As a record has it.")
    drawing = s.JSONField(allow_null=True, help_text="Of its map; null where none is shipped.")


class ShelfLine(s.Serializer):
    """A scenario of somebody's."""

    ref = s.CharField()
    name = s.CharField()
    title = s.CharField()
    owner = s.CharField()
    sharing = s.ChoiceField(Shelved.Sharing.choices)
    drawn = s.BooleanField(help_text="Has it a map of its own?")
    made_at = s.DateTimeField()
    url = s.CharField()


class ShelfPage(s.Serializer):
    results = ShelfLine(many=True)
    next = s.CharField(allow_null=True)


class ShelfWhole(ShelfLine):
    scenario = s.JSONField(help_text="As a record has it.")
    drawing = s.JSONField(allow_null=True)


class Paragraph(s.Serializer):
    number = s.CharField(allow_blank=True)
    text = s.CharField()


class Chapter(s.Serializer):
    number = s.CharField(allow_blank=True)
    name = s.CharField(allow_blank=True)
    paragraphs = Paragraph(many=True)


class Rulebook(s.Serializer):
    """The rules in the language that was asked for."""

    title = s.CharField()
    name = s.CharField()
    chapters = Chapter(many=True)


class RuleTold(s.Serializer):
    """A paragraph, or the chapter of that number with all of its own."""

    number = s.CharField()
    chapter = s.CharField()
    text = s.CharField()


class Famed(s.Serializer):
    place = s.IntegerField()
    player = s.CharField(allow_blank=True)
    points = s.IntegerField()
    told = s.CharField(allow_blank=True, help_text="What it came to.")
    ended_at = s.DateTimeField()
    campaign = s.CharField()


class Division(s.Serializer):
    """What is alike and compared."""

    name = s.CharField(allow_blank=True)
    results = Famed(many=True)


class Hall(s.Serializer):
    title = s.CharField()
    divisions = Division(many=True)


# The facts that the answers are made of.


@dataclass(frozen=True, slots=True)
class TitleFacts:
    """A game. `rulebook` is None for a game whose rules are not here."""

    key: str
    name: str
    format: str
    about: str
    lasts: str
    alone: bool
    together: bool
    accounts: Sequence[Account]
    scenarios: Sequence[str]
    rulebook: str | None
    hall: str


@dataclass(frozen=True, slots=True)
class ScenarioFacts:
    """A shipped scenario. `scenario` and `drawing` are JSON."""

    title: str
    key: str
    scenario: object
    drawing: object


@dataclass(frozen=True, slots=True)
class ShelfFacts:
    """A scenario that a user has brought."""

    ref: str
    name: str
    title: str
    owner: str
    sharing: str
    drawn: bool
    made_at: datetime
    url: str


@dataclass(frozen=True, slots=True)
class ShelfWholeFacts(ShelfFacts):
    """The same with what it contains, as JSON."""

    scenario: object
    drawing: object


@dataclass(frozen=True, slots=True)
class ParagraphFacts:
    number: str
    text: str


@dataclass(frozen=True, slots=True)
class ChapterFacts:
    number: str
    name: str
    paragraphs: Sequence[ParagraphFacts]


@dataclass(frozen=True, slots=True)
class RulebookFacts:
    title: str
    name: str
    chapters: Sequence[ChapterFacts]


@dataclass(frozen=True, slots=True)
class RuleFacts:
    number: str
    chapter: str
    text: str


@dataclass(frozen=True, slots=True)
class FamedFacts:
    """A campaign in the hall of fame. `told` says what it came to."""

    place: int
    player: str
    points: int
    told: str
    ended_at: datetime
    campaign: str


@dataclass(frozen=True, slots=True)
class DivisionFacts:
    name: str
    results: Sequence[FamedFacts]


@dataclass(frozen=True, slots=True)
class HallFacts:
    title: str
    divisions: Sequence[DivisionFacts]


def find(key: str) -> Title:
    """Return the game of this key. Raises `Http404`."""
    if key not in registry.TITLES:
        raise Http404
    return registry.TITLES[key]


class TitlesView(Resource):
    @extend_schema(summary="The games", responses=Titles)
    def get(self, request: Request) -> Response:
        facts = [title_facts(title) for title in registry.TITLES.values()]
        return self.answer(Titles, {"results": facts})


class TitleView(Resource):
    @extend_schema(summary="One game", responses=TitleLine)
    def get(self, request: Request, title: str) -> Response:
        return self.answer(TitleLine, title_facts(find(title)))


def title_facts(title: Title) -> TitleFacts:
    about, lasts = (title.about, title.lasts) if isinstance(title, Introduced) else ("", "")
    has_rules = bool(rulebook.rules_text(title.key))
    return TitleFacts(
        key=title.key,
        name=title.name,
        format=title.format,
        about=about,
        lasts=lasts,
        alone=registry.solo(title),
        together=registry.together(title),
        accounts=title.accounts,
        scenarios=list(title.scenarios()),
        rulebook=reverse("api:rulebook", args=[title.key]) if has_rules else None,
        hall=reverse("api:hall", args=[title.key]),
    )


class ScenarioView(Resource):
    @extend_schema(summary="A shipped scenario", responses=Scenario)
    def get(self, request: Request, title: str, key: str) -> Response:
        """With the drawing of its map, where one is shipped: one's own may begin with it."""
        game = find(title)
        scenario = game.scenarios().get(key)
        if scenario is None:
            raise Http404
        drawing = game.shipped_drawing(scenario) if isinstance(game, OwnScenarios) else ""
        facts = ScenarioFacts(title, key, scenario, read(drawing) if drawing else None)
        return self.answer(Scenario, facts)


class RulebookView(Resource):
    @extend_schema(summary="The rules of a game", responses=Rulebook)
    def get(self, request: Request, title: str) -> Response:
        """In the language of `Accept-Language`; numbers are the same in every one."""
        name, chapters = rulebook.chapters(find(title).key)
        if not chapters:
            raise Http404
        facts = [
            ChapterFacts(
                number=chapter.number,
                name=chapter.name,
                paragraphs=[
                    ParagraphFacts(paragraph.number, plain(paragraph.html))
                    for paragraph in chapter.paragraphs
                ],
            )
            for chapter in chapters
        ]
        return self.answer(Rulebook, RulebookFacts(title, name, facts))


class RuleView(Resource):
    @extend_schema(summary="A paragraph of the rules", responses=RuleTold)
    def get(self, request: Request, title: str, number: str) -> Response:
        """`7.8`, or the whole chapter `7`: what a refusal cites."""
        facts = rule_facts(find(title), number) if number else None
        if facts is None:
            raise Http404
        return self.answer(RuleTold, facts)


def rule_facts(title: Title, number: str) -> RuleFacts | None:
    """Return the chapter or the paragraph of this number; None if there is none."""
    _name, chapters = rulebook.chapters(title.key)
    for chapter in chapters:
        if chapter.number == number:
            return RuleFacts(number, chapter.name, text_of_chapter(chapter))
        for paragraph in chapter.paragraphs:
            if paragraph.number == number:
                return RuleFacts(number, chapter.name, plain(paragraph.html))
    return None


def text_of_chapter(chapter: rulebook.Chapter) -> str:
    """Return the paragraphs of a chapter with their numbers, a line each."""
    return "\n".join(
        f"{paragraph.number} {plain(paragraph.html)}".strip() for paragraph in chapter.paragraphs
    )


def plain(html: str) -> str:
    """Return a paragraph without its markup."""
    return unescape(strip_tags(html))


class HallView(Resource):
    @extend_schema(summary="The hall of fame of a game", responses=Hall)
    def get(self, request: Request, title: str) -> Response:
        """Listed campaigns that have ended, the best first."""
        divisions = [
            DivisionFacts(name, [famed_facts(entry) for entry in placed])
            for name, placed in status.divisions(find(title).key)
        ]
        return self.answer(Hall, HallFacts(title, divisions))


def famed_facts(entry: status.Placed) -> FamedFacts:
    finished = entry.finished
    return FamedFacts(
        place=entry.place,
        player=finished.player,
        points=finished.points,
        told=entry.outcome,
        ended_at=finished.ended_at,
        campaign=reverse("api:campaign", args=[finished.campaign.address]),
    )


# Scenarios that people have brought: one's own, and those that are shared.

MINE = OpenApiParameter(
    "mine", {"type": "boolean"}, description="Your own in place of those of others."
)


class ShelfView(Resource):
    @extend_schema(
        summary="Scenarios that people share",
        responses=ShelfPage,
        parameters=[*paging.PARAMETERS, MINE],
    )
    def get(self, request: Request) -> Response:
        """The newest first. Shipped ones are with their titles."""
        is_own = request.GET.get("mine") == "true"
        if is_own and not request.user.is_authenticated:
            raise NotAuthenticated
        user = request.user
        shelf = scenarios.scenarios_of_user(user) if is_own else scenarios.public(user)
        shelf = shelf.filter(title__in=list(registry.TITLES)).order_by("-made_at", "-pk")
        return paging.page(
            request, shelf, ShelfLine, lambda shown: [shelf_facts(scenario) for scenario in shown]
        )


class ShelvedView(Resource):
    @extend_schema(summary="A scenario that somebody shares", responses=ShelfWhole)
    def get(self, request: Request, scenario: str) -> Response:
        """With its drawing, if it has one: as a campaign is founded with it."""
        shelved = scenarios.seen(scenario, request.user)
        if shelved is None or shelved.title not in registry.TITLES:
            raise Http404
        facts = ShelfWholeFacts(
            **asdict(shelf_facts(shelved)),
            scenario=read(shelved.text),
            drawing=read(shelved.drawing.text) if shelved.drawing else None,
        )
        return self.answer(ShelfWhole, facts)


def shelf_facts(shelved: Shelved) -> ShelfFacts:
    return ShelfFacts(
        ref=shelved.public_id,
        name=shelved.name,
        title=shelved.title,
        owner=shelved.owner.username,
        sharing=shelved.sharing,
        drawn=shelved.drawing_id is not None,
        made_at=shelved.made_at,
        url=reverse("api:shelved", args=[shelved.public_id]),
    )
