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
    said = s.JSONField(
        help_text="A move in the form of the record, or the act; without what the reader may not know. People are numbers."
    )
    effects = EffectTold(many=True)
    rolls = RollTold(many=True)
    struck = s.BooleanField()
    struck_by = s.IntegerField(allow_null=True, help_text="The undo that took it out of force.")
    concerns = s.ListField(
        child=s.CharField(), help_text="The game master's own seats that it concerns: it asks for a countersignature."
    )
    countersigned = s.ListField(child=s.CharField(), help_text="Who has, by name.")
    objections = Objection(many=True)
    link = s.CharField(allow_null=True, help_text="Where it stands on the forum, as somebody said.")
    url = s.CharField(allow_null=True)


class EntryPage(s.Serializer):
    results = EntryLine(many=True)
    next = s.CharField(allow_null=True)


class Branch(s.Serializer):
    """Moves that an undo took out of force, together."""

    undo = EntryLine()
    own = s.BooleanField(help_text="Did the seat take them back itself?")
    moves = s.ListField(child=s.IntegerField(), help_text="Those that everybody sees, by the log's numbers.")
    restored_by = s.IntegerField(allow_null=True, help_text="The entry that put them in force again.")


class BranchPage(s.Serializer):
    results = Branch(many=True)
    next = s.CharField(allow_null=True)
