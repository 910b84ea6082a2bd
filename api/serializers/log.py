"""The log: what was said, what it did, what it threw."""

from rest_framework import serializers as s


class EffectTold(s.Serializer):
    """One consequence of a move. `change` and `balance` are in the account's own unit and 0 where none is changed."""

    kind = s.CharField(help_text="account, holding, card, structure, attack, truce, turn, slot, seat …")
    holder = s.CharField(allow_null=True)
    subject = s.CharField(allow_blank=True, help_text="The account, place, card … within it.")
    change = s.IntegerField()
    balance = s.IntegerField()
    facts = s.JSONField()
    cause = s.CharField()
    rule = s.CharField(allow_blank=True, help_text="The paragraph that brought it about.")
    text = s.CharField(allow_blank=True, help_text="The cause in words.")


class RollTold(s.Serializer):
    """A die that was thrown."""

    purpose = s.CharField()
    sides = s.IntegerField()
    value = s.IntegerField()
    turn = s.IntegerField(help_text="The link that it comes from.")
    text = s.CharField()


class Objection(s.Serializer):
    by = s.CharField()
    reason = s.CharField()


class EntryLine(s.Serializer):
    """An entry of the log as its reader knows it."""

    number = s.IntegerField(allow_null=True, help_text="Null of what not everybody may see: it has no address.")
    kind = s.ChoiceField(["move", "table"])
    act = s.CharField(allow_blank=True, help_text="What the table's act is; empty of a move.")
    seat = s.CharField(allow_blank=True)
    person = s.CharField(allow_null=True, help_text="Who said it; null where the clock or a program did.")
    at = s.DateTimeField()
    turn = s.IntegerField()
    text = s.CharField(help_text="The entry in words, in the language that was asked for.")
    move = s.JSONField(allow_null=True, help_text="In the form of the record; null of an act.")
    effects = EffectTold(many=True)
    rolls = RollTold(many=True)
    struck = s.BooleanField()
    struck_by = s.IntegerField(allow_null=True, help_text="The undo that took it out of force.")
    countersigned = s.ListField(child=s.CharField())
    objections = Objection(many=True)
    link = s.CharField(allow_null=True, help_text="Where it stands on the forum, as somebody said.")
    url = s.CharField(allow_null=True)


class EntryPage(s.Serializer):
    results = EntryLine(many=True)
    next = s.CharField(allow_null=True)
