"""The dice: what was promised, what is published, what was thrown."""

from rest_framework import serializers as s


class Wanted(s.Serializer):
    purpose = s.CharField()
    sides = s.IntegerField()


class Awaited(Wanted):
    """A die that an announcement waits for."""

    seat = s.CharField()
    text = s.CharField(help_text="The announcement.")
    dice = Wanted(many=True, help_text="What it will want as far as can be told, for its seat and the game master.")


class Dice(s.Serializer):
    commitment = s.CharField(help_text="The promise of before the start: it proves every link.")
    links = s.ListField(child=s.CharField(), help_text="Those published, link 0 first: each proves the dice of its turn.")
    last_link = s.IntegerField()
    by_hand = s.BooleanField(help_text="Every new die is thrown elsewhere and entered.")
    awaited = Awaited(allow_null=True)
    check = s.CharField(help_text="The list that verify_dice.py reads.")
    rolls = s.CharField()


class Proof(s.Serializer):
    """How a published roll comes about: the HMAC-SHA256 of `message` by the link, and the number of its first eight bytes."""

    message = s.CharField()
    mac = s.CharField()
    number = s.CharField(help_text="Up to 2⁶⁴, so written as text.")


class RollLine(s.Serializer):
    entry = s.IntegerField(allow_null=True)
    seat = s.CharField(allow_blank=True)
    at = s.DateTimeField()
    purpose = s.CharField()
    sides = s.IntegerField()
    value = s.IntegerField()
    link = s.IntegerField(help_text="Which link proves it.")
    struck = s.BooleanField()
    by_hand = s.BooleanField()
    seen_at = s.CharField(allow_null=True, help_text="Where it was seen thrown, as who entered it says.")
    text = s.CharField()
    proof = Proof(allow_null=True, help_text="Null until its link is published, and of dice thrown elsewhere.")


class RollPage(s.Serializer):
    results = RollLine(many=True)
    next = s.CharField(allow_null=True)
