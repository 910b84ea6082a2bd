"""The table: what was agreed, how it stands, who sits there, what is due."""

from rest_framework import serializers as s

from api.serializers.campaigns import Seat, Wait
from campaign.clocks.models import Clock
from campaign.models import Membership


class HouseRule(s.Serializer):
    """Something that is played otherwise than the rules have it."""

    name = s.CharField()
    here = s.CharField()
    usual = s.CharField()
    rule = s.CharField(allow_blank=True)


class Terms(s.Serializer):
    """What is played: the game, the edition of its rules, scenario and options as the record has them."""

    title = s.CharField()
    name = s.CharField(help_text="Of the game.")
    format = s.CharField(help_text="Of its records, with the edition of the rules.")
    scenario = s.JSONField()
    options = s.JSONField()
    drawing = s.JSONField(allow_null=True, help_text="Its own map; null where it has the title's.")
    rulebook = s.CharField()
    house_rules = HouseRule(many=True)


class Position(s.Serializer):
    """The position as its reader may see it."""

    entry = s.IntegerField(allow_null=True, help_text="After this entry; null before the first.")
    now = s.BooleanField(help_text="Was it asked for as it stands now?")
    turn = s.IntegerField()
    phase = s.CharField(allow_blank=True)
    slot = s.CharField(allow_null=True, help_text="The seat whose slot is open.")
    state = s.JSONField(
        help_text="As the title tells it: RECORD.md of its rules. What is hidden from the reader is null or a count."
    )


class Standing(s.Serializer):
    seat = s.CharField()
    name = s.CharField()
    rank = s.IntegerField()
    points = s.IntegerField()
    facts = s.JSONField()


class Standings(s.Serializer):
    """The final standings; `results` is null while the campaign runs."""

    results = Standing(many=True, allow_null=True)
    waiting = Wait(many=True)


class Away(s.Serializer):
    """Somebody who is away or says that he will be. Days are those of his own calendar."""

    person = s.CharField()
    seats = s.ListField(child=s.CharField())
    first = s.DateField()
    last = s.DateField()
    begun = s.BooleanField()
    note = s.CharField(allow_blank=True, help_text="Empty, too, where it is not for the reader.")


class Absences(s.Serializer):
    results = Away(many=True)


class Place(s.Serializer):
    """A role that somebody has at the table now."""

    person = s.CharField()
    role = s.ChoiceField(Membership.Role.choices)
    seat = s.CharField(allow_blank=True)
    contest = s.IntegerField(allow_null=True, help_text="Of a substitute: the battle.")
    since = s.DateTimeField()


class People(s.Serializer):
    seats = Seat(many=True)
    people = Place(many=True)


class ClockLine(s.Serializer):
    """A deadline."""

    kind = s.ChoiceField(Clock.Kind.choices)
    seat = s.CharField(allow_blank=True)
    contest = s.IntegerField(allow_null=True)
    waits = s.ListField(child=s.CharField(), help_text="The seats that it waits for.")
    entry = s.IntegerField(allow_null=True, help_text="The entry that opened it.")
    started_at = s.DateTimeField()
    due_at = s.DateTimeField()
    first_due_at = s.DateTimeField(help_text="Before anybody extended it.")
    latest = s.DateTimeField(help_text="To which it may be extended.")
    acts_at = s.DateTimeField(allow_null=True, help_text="When the clock does it by itself; null where it only reminds.")
    held = s.BooleanField(help_text="Does it stand still, as the campaign does?")
    overdue = s.BooleanField()


class Deadline(ClockLine):
    campaign = s.CharField(help_text="Its `ref`.")


class Deadlines(s.Serializer):
    results = Deadline(many=True)


class ClockTerms(s.Serializer):
    """What was agreed of a kind of clocks; lengths are days or hours (`3d`, `12h`)."""

    kind = s.ChoiceField(Clock.Kind.choices)
    runs = s.BooleanField()
    length = s.CharField(allow_null=True)
    grace = s.CharField(allow_null=True)
    acts = s.BooleanField()


class Clocks(s.Serializer):
    results = ClockLine(many=True)
    terms = ClockTerms(many=True)


class Record(s.Serializer):
    """The record of the moves in force: what `manage.py replay` reads (RECORD.md)."""

    format = s.CharField()
    scenario = s.JSONField()
    options = s.JSONField()
    dice = s.JSONField()
    moves = s.ListField(child=s.JSONField())


class Picture(s.Serializer):
    turn = s.IntegerField()
    entry = s.IntegerField()
    url = s.CharField()


class Files(s.Serializer):
    """Addresses of files, which a browser opens; of a table for its members only they ask for signing in."""

    record = s.CharField()
    pack = s.CharField(help_text="The audit pack.")
    log = s.CharField()
    dice = s.CharField()
    ledgers = s.CharField()
    rolls = s.CharField(help_text="What verify_dice.py reads.")
    story = s.CharField(allow_null=True)
    picture = s.CharField(allow_null=True, help_text="The map as it stands.")
    pictures = Picture(many=True, help_text="The map at the end of each turn.")
