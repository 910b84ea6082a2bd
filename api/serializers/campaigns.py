"""A campaign, and who reads it."""

from rest_framework import serializers as s

from campaign.models import Campaign
from people.models import Token


class Seat(s.Serializer):
    """A seat; `holder` is null while it is free."""

    key = s.CharField()
    name = s.CharField()
    colour = s.CharField(allow_blank=True, help_text="As #rrggbb; empty where the title gives none.")
    holder = s.CharField(allow_null=True)


class CampaignLine(s.Serializer):
    """A campaign as a list has it."""

    ref = s.CharField(help_text="Names the campaign in addresses. Only its first eight characters are read.")
    name = s.CharField()
    title = s.CharField(help_text="The game.")
    status = s.ChoiceField(Campaign.Status.choices)
    visibility = s.ChoiceField(Campaign.Visibility.choices)
    turn = s.IntegerField()
    active_seat = s.CharField(allow_blank=True, help_text="Whose slot is open; empty where nobody's is.")
    founded_at = s.DateTimeField()
    ended_at = s.DateTimeField(allow_null=True)
    url = s.CharField(help_text="The campaign in this interface.")
    page = s.CharField(help_text="The campaign as people read it.")


class Mine(s.Serializer):
    """What the reader is there."""

    viewer = s.CharField(allow_null=True, help_text="Through whose eyes he is answered: `gm`, a seat, null for a stranger.")
    game_master = s.BooleanField(help_text="Sees all and speaks for all.")
    host = s.BooleanField(help_text="A game master, also one who plays and may not see all.")
    seats = s.ListField(child=s.CharField())
    member = s.BooleanField()


class Wait(s.Serializer):
    """Somebody for whom the table waits."""

    seat = s.CharField()
    what = s.CharField()
    text = s.CharField()
    contest = s.IntegerField(allow_null=True)


class CampaignWhole(CampaignLine):
    """One campaign as its reader knows it."""

    phase = s.CharField(allow_blank=True)
    time_zone = s.CharField()
    commitment = s.CharField(help_text="What was promised of the dice before the first fell.")
    by_hand = s.BooleanField(help_text="Every new die is thrown elsewhere.")
    game_masters = s.ListField(child=s.CharField())
    seats = Seat(many=True)
    mine = Mine()
    waiting = Wait(many=True)
    seen = s.IntegerField(help_text="The reader's last entry: what a move is said with.")
    links = s.DictField(child=s.CharField(), help_text="What there is of this campaign.")


class CampaignPage(s.Serializer):
    results = CampaignLine(many=True)
    next = s.CharField(allow_null=True)


class Me(s.Serializer):
    """The person of the token, and the token."""

    name = s.CharField()
    language = s.CharField(allow_blank=True)
    time_zone = s.CharField()
    token = s.CharField(help_text="The name he gave it.")
    scope = s.ChoiceField(Token.Scope.choices)
    ends_at = s.DateTimeField(allow_null=True)
    campaigns = CampaignLine(many=True, help_text="Where he has a place now, newest first.")


class Root(s.Serializer):
    """Where to begin."""

    version = s.CharField()
    links = s.DictField(child=s.CharField())
