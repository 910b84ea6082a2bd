"""What keeps a table going: rulings, terms of clocks, its life, its people, its lobby."""

from rest_framework import serializers as s

from api.serializers.moves import FAR
from campaign.clocks.terms import KINDS

LIVES = ["paused", "resumed", "abandoned", "revived", "archived", "unarchived"]


class Version(s.Serializer):
    """A reading of a rule by a game master."""

    rule = s.CharField(allow_blank=True)
    text = s.CharField()
    entry = s.IntegerField(allow_null=True)
    about = s.IntegerField(allow_null=True, help_text="The entry that gave rise to it.")
    at = s.DateTimeField()
    person = s.CharField(allow_blank=True)


class Ruling(Version):
    """The reading in force; `replaced` is what it took the place of, the latest first."""

    number = s.IntegerField()
    older = s.IntegerField(help_text="How many versions it replaced.")
    replaced = Version(many=True)


class Rulings(s.Serializer):
    results = Ruling(many=True)


class Ruled(s.Serializer):
    """A ruling, new or in the place of another."""

    text = s.CharField(max_length=2000)
    rule = s.CharField(required=False, allow_blank=True, default="", max_length=10, help_text="The paragraph that it reads.")
    entry = s.IntegerField(
        required=False, allow_null=True, default=None, min_value=0, max_value=FAR, help_text="Which gave rise to it."
    )
    revises = s.IntegerField(
        required=False, allow_null=True, default=None, min_value=0, max_value=FAR, help_text="The number of the ruling."
    )


class TermsOfOne(s.Serializer):
    """How long; what is left after that before the clock does it by itself, where it does."""

    length = s.CharField(max_length=10, help_text="Days or hours: `3d`, `12h`.")
    grace = s.CharField(required=False, default="1d", max_length=10)
    acts = s.BooleanField(required=False, default=False)


class TermsOfKinds(s.Serializer):
    """A kind that is left out stays as it is; null: no such clock runs."""

    def get_fields(self) -> dict[str, s.Field]:
        return {kind: TermsOfOne(required=False, allow_null=True) for kind in KINDS}


class TermsOfClocks(s.Serializer):
    terms = TermsOfKinds()


class Life(s.Serializer):
    how = s.ChoiceField(LIVES)
    reason = s.CharField(required=False, allow_blank=True, default="", max_length=1000)


class PeopleAct(s.Serializer):
    """Which parts it takes depends on `act`."""

    act = s.ChoiceField(["wait", "stop-waiting", "vacate", "seat", "countersigner", "no-countersigner"])
    seat = s.CharField(required=False, max_length=40, help_text="vacate, seat.")
    person = s.CharField(required=False, max_length=60, help_text="seat, countersigner, no-countersigner: a name.")


class LobbyAct(s.Serializer):
    """Which parts it takes depends on `act`."""

    act = s.ChoiceField(["open", "reword", "apply", "withdraw", "draw"])
    words = s.CharField(required=False, allow_blank=True, default="", max_length=2000, help_text="open, reword.")
    seats = s.ListField(
        child=s.CharField(max_length=40), required=False, default=list, max_length=60, help_text="apply: the best liked first."
    )
