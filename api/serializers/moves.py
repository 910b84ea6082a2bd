"""What may be said at the table, what is said, and what comes of it."""

from rest_framework import serializers as s

from api.serializers.log import EffectTold, EntryLine

FAR = 999_999_999


class Refusal(s.Serializer):
    """Why it cannot be done: the rules' code, the paragraph, and the sentence."""

    code = s.CharField()
    rule = s.CharField(allow_blank=True)
    text = s.CharField()


class OfferField(s.Serializer):
    """A part of a move that is still to be chosen."""

    key = s.CharField()
    kind = s.CharField(help_text="province, nation, card, cards, choice, flag, number, text or shares.")
    optional = s.BooleanField()
    default = s.JSONField(allow_null=True, help_text="What stands where an optional one is left out.")
    depends = s.ListField(child=s.CharField(), help_text="Fields that must be chosen before its values can be told.")
    values = s.ListField(
        child=s.JSONField(allow_null=True), allow_null=True,
        help_text="What it may be; null where anything of its kind may be said, or an earlier field is not chosen yet.",
    )  # fmt: skip
    chosen = s.JSONField(allow_null=True, help_text="What you have chosen in the address.")


class Offer(s.Serializer):
    """One kind of move: complete it by `given` and a value for each field, or see why it is refused."""

    key = s.CharField()
    group = s.CharField()
    move = s.CharField()
    raw = s.DictField(help_text="The move in record form, without the fields still to be chosen.")
    fields = OfferField(many=True)  # type: ignore[assignment]
    cost = s.IntegerField(allow_null=True, help_text="In units of the title's purse (half-actions); null where it is free.")
    refusal = Refusal(allow_null=True)


class Offers(s.Serializer):
    seat = s.CharField()
    by = s.CharField(help_text="As whom you speak: the seat itself, or `gm` for it.")
    seen = s.IntegerField(help_text="Say a move with this.")
    offers = Offer(many=True)
    onward = s.DictField(allow_null=True, help_text="The move that goes on by itself where nobody must decide, in record form.")


class Said(s.Serializer):
    """A move in record form, as RECORD has it."""

    move = s.DictField(help_text='For example {"by": "huns", "move": "end-slot"}. Without `by` your first voice speaks.')


class Saying(Said):
    seen = s.IntegerField(min_value=0, max_value=FAR, help_text="Your last entry when you decided.")


class Chance(s.Serializer):
    favourable = s.IntegerField()
    of = s.IntegerField()


class Way(s.Serializer):
    """One way the move may turn out."""

    what = s.CharField(help_text="`certain` where no die decides.")
    text = s.CharField(allow_blank=True)
    chance = Chance()
    effects = EffectTold(many=True)


class Preview(s.Serializer):
    """What a move would do; nothing is thrown or written."""

    move = s.DictField()
    text = s.CharField(allow_blank=True)
    ways = Way(many=True, help_text="None where its dice cannot be told: those of cards and events.")
    undoable = s.BooleanField(help_text="Could you take it back by yourself?")


class Receipt(s.Serializer):
    """What was written: the entries as you may see them, with their effects and rolls, and how the table stands now."""

    entries = EntryLine(many=True)
    seen = s.IntegerField(help_text="Say your next move with this.")
    parked = s.BooleanField(help_text="It waits for a die that is thrown elsewhere; nothing of it is applied yet.")
    turn = s.IntegerField()
    phase = s.CharField(allow_blank=True)
    active_seat = s.CharField(allow_blank=True)


class OwnUndo(s.Serializer):
    """What you may take back by yourself now, the last move first; `refusal` where there is nothing."""

    entries = EntryLine(many=True)
    refusal = Refusal(allow_null=True)
    seen = s.IntegerField()


class Undo(s.Serializer):
    """Your own last move, or all from the entry `first` on; the game master says `after` which entry, and why."""

    seen = s.IntegerField(min_value=0, max_value=FAR)
    first = s.IntegerField(min_value=0, max_value=FAR, required=False)
    after = s.IntegerField(min_value=0, max_value=FAR, required=False)
    reason = s.CharField(max_length=1000, required=False, allow_blank=True, default="")


class Restore(s.Serializer):
    """The game master puts back what an undo struck, and says why."""

    entry = s.IntegerField(min_value=0, max_value=FAR, help_text="The number of the undo.")
    reason = s.CharField(max_length=1000, allow_blank=True)
    seen = s.IntegerField(min_value=0, max_value=FAR)
