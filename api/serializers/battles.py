"""What was fought, claimed and shown."""

from rest_framework import serializers as s

from battles.models import Claim


class Side(s.Serializer):
    """A side that somebody plays; who stands in for its holder, if anybody does."""

    seat = s.CharField()
    name = s.CharField()
    person = s.CharField(allow_null=True)
    substitute = s.CharField(allow_null=True)
    agreed = s.ListField(child=s.CharField(), help_text="What this side agrees to (`naval` …).")


class BattleLine(s.Serializer):
    """A battle as a list has it."""

    number = s.IntegerField()
    entry = s.IntegerField(allow_null=True, help_text="The entry that launched it.")
    turn = s.IntegerField()
    kind = s.CharField()
    attacker = s.CharField(allow_blank=True)
    defender = s.CharField(allow_blank=True)
    source = s.CharField(allow_blank=True)  # type: ignore[assignment]
    target = s.CharField(allow_blank=True)
    status = s.CharField()
    outcome = s.CharField(allow_blank=True)
    solo = s.CharField(allow_blank=True, help_text="The seat that is away: the other plays it solo.")
    set_up = s.BooleanField(help_text="Does somebody say that it is set up in the game?")
    launched_at = s.DateTimeField()
    resolved_at = s.DateTimeField(allow_null=True)
    facts = s.JSONField(help_text="All that the title tells of it.")
    url = s.CharField()


class BattlePage(s.Serializer):
    results = BattleLine(many=True)
    next = s.CharField(allow_null=True)


class ClaimLine(s.Serializer):
    """A result that one side says was fought."""

    entry = s.IntegerField(allow_null=True)
    seat = s.CharField()
    person = s.CharField(allow_null=True)
    at = s.DateTimeField()
    state = s.ChoiceField(Claim.State.choices)
    result = s.JSONField(help_text="The game master's move that would enter it, in the form of the record.")
    word = s.CharField(allow_blank=True)
    line = s.CharField(allow_blank=True, help_text="The result as it was pasted.")
    reason = s.CharField(allow_blank=True, help_text="Of the last word on it.")


class EvidenceLine(s.Serializer):
    """A link or a picture that was shown."""

    entry = s.IntegerField(allow_null=True)
    person = s.CharField(allow_null=True)
    at = s.DateTimeField()
    picture = s.BooleanField()
    url = s.CharField(allow_null=True, help_text="Null once it is erased.")
    sha256 = s.CharField()
    width = s.IntegerField()
    height = s.IntegerField()
    erased_at = s.DateTimeField(allow_null=True)
    why_erased = s.CharField(allow_blank=True)


class BattleWhole(BattleLine):
    sides = Side(many=True)
    claims = ClaimLine(many=True, help_text="The latest first.")
    evidence = EvidenceLine(many=True)
    password = s.CharField(allow_null=True, help_text="Of the lobby in the game; null where there is none, and for others.")
