"""The games: rules, scenarios, halls of fame."""

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
from games.contract.title import Account, Title, WithIntroduction


class AccountKind(s.Serializer):
    """A kind of account of a game."""

    key = s.CharField()
    # DRF allows a field with the name of an attribute of the serializer.
    label = s.CharField()  # type: ignore[assignment]
    unit = s.CharField(allow_blank=True)
    scale = s.IntegerField(help_text="How many units make a whole: 2 for half-actions.")


class TitleLine(s.Serializer):
    """A game that this site hosts."""

    key = s.CharField()
    name = s.CharField()
    format = s.CharField(help_text="The format of its records, with the edition of the rules.")
    about = s.CharField(allow_blank=True)
    lasts = s.CharField(allow_blank=True)
    alone = s.BooleanField(help_text="Whether one person can play it alone.")
    together = s.BooleanField(help_text="Whether several people can play it at one table.")
    accounts = AccountKind(many=True)
    scenarios = s.ListField(child=s.CharField())
    rulebook = s.CharField(allow_null=True)
    hall = s.CharField()


class Titles(s.Serializer):
    """The games that this site hosts."""

    results = TitleLine(many=True)


class Scenario(s.Serializer):
    """A shipped scenario."""

    title = s.CharField()
    key = s.CharField()
    scenario = s.JSONField(help_text="As in a record.")
    drawing = s.JSONField(
        allow_null=True, help_text="The drawing of its map; null if none is shipped."
    )


class ShelfLine(s.Serializer):
    """A scenario on a user's shelf."""

    ref = s.CharField()
    name = s.CharField()
    title = s.CharField()
    owner = s.CharField()
    sharing = s.ChoiceField(Shelved.Sharing.choices)
    drawn = s.BooleanField(help_text="Whether it has its own map.")
    made_at = s.DateTimeField()
    url = s.CharField()


class ShelfPage(s.Serializer):
    """One page of scenarios."""

    results = ShelfLine(many=True)
    next = s.CharField(allow_null=True)


class ShelfWhole(ShelfLine):
    """A scenario on a user's shelf with its content."""

    scenario = s.JSONField(help_text="As in a record.")
    drawing = s.JSONField(allow_null=True)


class Paragraph(s.Serializer):
    """A paragraph of the rules."""

    number = s.CharField(allow_blank=True)
    text = s.CharField()


class Chapter(s.Serializer):
    """A chapter of the rules."""

    number = s.CharField(allow_blank=True)
    name = s.CharField(allow_blank=True)
    paragraphs = Paragraph(many=True)


class Rulebook(s.Serializer):
    """The rules in the language of the request."""

    title = s.CharField()
    name = s.CharField()
    chapters = Chapter(many=True)


class RuleText(s.Serializer):
    """A paragraph of the rules, or a chapter with all its paragraphs."""

    number = s.CharField()
    chapter = s.CharField()
    text = s.CharField()


class HallLine(s.Serializer):
    """A campaign in the hall of fame."""

    place = s.IntegerField()
    player = s.CharField(allow_blank=True)
    points = s.IntegerField()
    told = s.CharField(allow_blank=True, help_text="The outcome in words.")
    ended_at = s.DateTimeField()
    campaign = s.CharField()


class Division(s.Serializer):
    """A group of comparable campaigns."""

    name = s.CharField(allow_blank=True)
    results = HallLine(many=True)


class Hall(s.Serializer):
    """The hall of fame of a game."""

    title = s.CharField()
    divisions = Division(many=True)


# Facts for the serializers


@dataclass(frozen=True, slots=True)
class TitleFacts:
    """The facts of `TitleLine`. `rulebook` is None if the site does not have the rules."""

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
    """The facts of `Scenario`. `scenario` and `drawing` are JSON."""

    title: str
    key: str
    scenario: object
    drawing: object


@dataclass(frozen=True, slots=True)
class ShelfFacts:
    """The facts of `ShelfLine`."""

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
    """The facts of `ShelfWhole`. `scenario` and `drawing` are JSON."""

    scenario: object
    drawing: object


@dataclass(frozen=True, slots=True)
class ParagraphFacts:
    """The facts of `Paragraph`."""

    number: str
    text: str


@dataclass(frozen=True, slots=True)
class ChapterFacts:
    """The facts of `Chapter`."""

    number: str
    name: str
    paragraphs: Sequence[ParagraphFacts]


@dataclass(frozen=True, slots=True)
class RulebookFacts:
    """The facts of `Rulebook`."""

    title: str
    name: str
    chapters: Sequence[ChapterFacts]


@dataclass(frozen=True, slots=True)
class RuleFacts:
    """The facts of `RuleText`."""

    number: str
    chapter: str
    text: str


@dataclass(frozen=True, slots=True)
class HallLineFacts:
    """The facts of `HallLine`. `told` is the outcome in words."""

    place: int
    player: str
    points: int
    told: str
    ended_at: datetime
    campaign: str


@dataclass(frozen=True, slots=True)
class DivisionFacts:
    """The facts of `Division`."""

    name: str
    results: Sequence[HallLineFacts]


@dataclass(frozen=True, slots=True)
class HallFacts:
    """The facts of `Hall`."""

    title: str
    divisions: Sequence[DivisionFacts]


def find(key: str) -> Title:
    """Return the game of this key. Raises `Http404`."""
    if key not in registry.TITLES:
        raise Http404
    return registry.TITLES[key]


class TitlesView(Resource):
    """The games that this site hosts."""

    @extend_schema(summary="The games", responses=Titles)
    def get(self, request: Request) -> Response:
        """Return the games that this site hosts."""
        facts = [title_facts(title) for title in registry.TITLES.values()]
        return self.answer(Titles, {"results": facts})


class TitleView(Resource):
    """One game."""

    @extend_schema(summary="One game", responses=TitleLine)
    def get(self, request: Request, title: str) -> Response:
        """Return one game with its accounts and scenarios."""
        return self.answer(TitleLine, title_facts(find(title)))


def title_facts(title: Title) -> TitleFacts:
    """Return a game with its accounts and scenarios."""
    about, lasts = (title.about, title.lasts) if isinstance(title, WithIntroduction) else ("", "")
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
    """A shipped scenario."""

    @extend_schema(summary="A shipped scenario", responses=Scenario)
    def get(self, request: Request, title: str, key: str) -> Response:
        """Return a shipped scenario with the drawing of its map, if there is one.

        You can use the drawing as the beginning of your own.
        """
        game = find(title)
        scenario = game.scenarios().get(key)
        if scenario is None:
            raise Http404
        drawing = game.shipped_drawing(scenario) if isinstance(game, OwnScenarios) else ""
        facts = ScenarioFacts(title, key, scenario, read(drawing) if drawing else None)
        return self.answer(Scenario, facts)


class RulebookView(Resource):
    """The rules of a game."""

    @extend_schema(summary="The rules of a game", responses=Rulebook)
    def get(self, request: Request, title: str) -> Response:
        """Return the rules in the language of `Accept-Language`.

        The numbers of paragraphs are the same in every language.
        """
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
    """A paragraph of the rules."""

    @extend_schema(summary="A paragraph of the rules", responses=RuleText)
    def get(self, request: Request, title: str, number: str) -> Response:
        """Return the paragraph `7.8`, or the whole chapter `7`, as refusals cite them."""
        facts = rule_facts(find(title), number) if number else None
        if facts is None:
            raise Http404
        return self.answer(RuleText, facts)


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
    """Return the paragraphs of a chapter with their numbers, one per line."""
    return "\n".join(
        f"{paragraph.number} {plain(paragraph.html)}".strip() for paragraph in chapter.paragraphs
    )


def plain(html: str) -> str:
    """Return a paragraph without its markup."""
    return unescape(strip_tags(html))


class HallView(Resource):
    """The hall of fame of a game."""

    @extend_schema(summary="The hall of fame of a game", responses=Hall)
    def get(self, request: Request, title: str) -> Response:
        """Return listed campaigns that have ended, the best first."""
        divisions = [
            DivisionFacts(name, [hall_line_facts(entry) for entry in placed])
            for name, placed in status.divisions(find(title).key)
        ]
        return self.answer(Hall, HallFacts(title, divisions))


def hall_line_facts(entry: status.HallLine) -> HallLineFacts:
    """Return a campaign in the hall of fame."""
    finished = entry.finished
    return HallLineFacts(
        place=entry.place,
        player=finished.player,
        points=finished.points,
        told=entry.outcome,
        ended_at=finished.ended_at,
        campaign=reverse("api:campaign", args=[finished.campaign.address]),
    )


# Scenarios that users have brought: the reader's own, and shared scenarios

OWN = OpenApiParameter(
    "mine", {"type": "boolean"}, description="Your own scenarios instead of those of others."
)


class ShelfView(Resource):
    """The scenarios that users share."""

    @extend_schema(
        summary="Scenarios that people share",
        responses=ShelfPage,
        parameters=[*paging.PARAMETERS, OWN],
    )
    def get(self, request: Request) -> Response:
        """Return shared scenarios, the newest first. Shipped scenarios are with their games."""
        is_own = request.GET.get("mine") == "true"
        if is_own and not request.user.is_authenticated:
            raise NotAuthenticated
        user = request.user
        shelf = scenarios.scenarios_of_user(user) if is_own else scenarios.public_scenarios(user)
        shelf = shelf.filter(title__in=list(registry.TITLES)).order_by("-made_at", "-pk")
        return paging.page(
            request, shelf, ShelfLine, lambda shown: [shelf_facts(scenario) for scenario in shown]
        )


class ShelvedView(Resource):
    """A scenario that a user shares."""

    @extend_schema(summary="A scenario that a user shares", responses=ShelfWhole)
    def get(self, request: Request, scenario: str) -> Response:
        """Return a scenario with its drawing, if it has one, ready for founding a campaign."""
        shelved = scenarios.visible_scenario(scenario, request.user)
        if shelved is None or shelved.title not in registry.TITLES:
            raise Http404
        facts = ShelfWholeFacts(
            **asdict(shelf_facts(shelved)),
            scenario=read(shelved.text),
            drawing=read(shelved.drawing.text) if shelved.drawing else None,
        )
        return self.answer(ShelfWhole, facts)


def shelf_facts(shelved: Shelved) -> ShelfFacts:
    """Return a scenario on a user's shelf."""
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
