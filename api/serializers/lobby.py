"""Which campaigns seek players, and the draw."""

from rest_framework import serializers as s

from api.serializers.campaigns import CampaignLine


class Sought(s.Serializer):
    """A campaign whose lobby is open."""

    campaign = CampaignLine()
    words = s.CharField(allow_blank=True, help_text="The game master's.")


class SoughtPage(s.Serializer):
    results = Sought(many=True)
    next = s.CharField(allow_null=True)


class LobbyTold(s.Serializer):
    """Whoever applies is known; his wishes are his own until the draw, whose entry of the log tells all."""

    open = s.BooleanField()
    words = s.CharField(allow_blank=True)
    commitment = s.CharField(allow_null=True, help_text="Of the draw's dice.")
    free = s.ListField(child=s.CharField(), help_text="The seats that nobody holds.")
    applicants = s.ListField(child=s.CharField())
    wishes = s.ListField(child=s.CharField(), help_text="Yours, the best liked first.")
    drawn = s.IntegerField(allow_null=True, help_text="The log's entry of the last draw.")
