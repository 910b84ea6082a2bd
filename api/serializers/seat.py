"""What is a seat's own: standing orders, plan, notes."""

from rest_framework import serializers as s

from api.serializers.moves import FAR
from campaign.models import StandingOrders


class Order(s.Serializer):
    order = s.JSONField()
    when = s.ChoiceField([StandingOrders.AT_ONCE, StandingOrders.CLOCK])
    text = s.CharField()


class Skipped(s.Serializer):
    """An order that would have acted and was forbidden."""

    order = s.JSONField()
    text = s.CharField()
    rule = s.CharField(allow_blank=True)
    why = s.CharField()
    contest = s.IntegerField(allow_null=True)
    at = s.DateTimeField()


class OrderPart(s.Serializer):
    key = s.CharField()
    name = s.CharField()
    values = s.DictField(child=s.CharField())
    several = s.BooleanField()


class OrderKindTold(s.Serializer):
    """A kind of standing order that may be given now."""

    key = s.CharField()
    name = s.CharField()
    about = s.CharField(allow_blank=True)
    rule = s.CharField(allow_blank=True)
    timed = s.BooleanField()
    parts = OrderPart(many=True)


class Orders(s.Serializer):
    seat = s.CharField()
    version = s.IntegerField()
    results = Order(many=True)
    skipped = Skipped(many=True)
    kinds = OrderKindTold(many=True)


class Why(s.Serializer):
    code = s.CharField()
    rule = s.CharField(allow_blank=True)
    text = s.CharField()


class Planned(s.Serializer):
    """A move of the plan as it would be after those before it."""

    move = s.JSONField()
    text = s.CharField()
    reached = s.BooleanField(help_text="False behind a refusal or a die.")
    certain = s.BooleanField(help_text="Is it known what it does?")
    refusal = Why(allow_null=True)


class PlanTold(s.Serializer):
    seat = s.CharField()
    version = s.IntegerField()
    changed_at = s.DateTimeField(allow_null=True)
    moves = Planned(many=True)


class Planning(s.Serializer):
    """`add` a move, `replace` the one at a place, change it with its neighbour (`earlier`, `later`), `take-out`, `clear`."""

    act = s.ChoiceField(["add", "replace", "earlier", "later", "take-out", "clear"])
    move = s.DictField(required=False, help_text="In record form, to add or replace.")
    at = s.IntegerField(required=False, min_value=0, max_value=1000, help_text="Counted from 0.")
    version = s.IntegerField(required=False, min_value=0, max_value=FAR, help_text="Of the plan you read; needed but to add.")


class Announcing(s.Serializer):
    version = s.IntegerField(min_value=0, max_value=FAR)
    seen = s.IntegerField(min_value=0, max_value=FAR)
    most = s.IntegerField(required=False, min_value=1, max_value=30)


class Ordering(s.Serializer):
    """`give` an order, `change` the one at a place, `take-out`, `clear`."""

    act = s.ChoiceField(["give", "change", "take-out", "clear"])
    order = s.DictField(required=False, help_text="`kind` and its parts, as `kinds` has them.")
    when = s.ChoiceField([StandingOrders.AT_ONCE, StandingOrders.CLOCK], required=False)
    at = s.IntegerField(required=False, min_value=0, max_value=1000)
    version = s.IntegerField(min_value=0, max_value=FAR)


class LookTold(s.Serializer):
    """A person's looks at a hidden hand within an hour."""

    person = s.CharField()
    first_at = s.DateTimeField()
    last_at = s.DateTimeField()
    times = s.IntegerField()
    ways = s.ListField(child=s.CharField())


class LookPage(s.Serializer):
    results = LookTold(many=True)
    next = s.CharField(allow_null=True)


class Handed(s.Serializer):
    """What came with the seat."""

    person = s.CharField(allow_null=True, help_text="Who held it before.")
    at = s.DateTimeField()
    text = s.CharField(allow_blank=True, help_text="His notes, if he left them.")
    last = s.IntegerField(allow_null=True, help_text="The entry of the last move that he made for it.")
    orders = s.ListField(child=s.CharField(), help_text="The standing orders that ended with him.")


class NoteTold(s.Serializer):
    seat = s.CharField()
    text = s.CharField(allow_blank=True)
    left = s.BooleanField(help_text="Does it go to who holds the seat next?")
    version = s.IntegerField()
    handed = Handed(allow_null=True)


class Noting(s.Serializer):
    text = s.CharField(allow_blank=True, max_length=10_000)
    left = s.BooleanField(required=False, default=False)
    version = s.IntegerField(min_value=0, max_value=FAR, help_text="Of the notes that you read.")
