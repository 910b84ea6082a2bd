"""What is a seat's own: standing orders, plan, notes."""

from rest_framework import serializers as s

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


class NoteTold(s.Serializer):
    seat = s.CharField()
    text = s.CharField(allow_blank=True)
