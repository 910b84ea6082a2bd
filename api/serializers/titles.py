"""The games: what each is, its rules, its scenarios, its hall of fame."""

from rest_framework import serializers as s

from campaign.models import Scenario as Shelved


class AccountKind(s.Serializer):
    key = s.CharField()
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
