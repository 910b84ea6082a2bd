"""What it cost: accounts, places, cards, ledgers."""

from rest_framework import serializers as s


class Card(s.Serializer):
    """So many of an item in a zone; those in a hidden hand are told to who may see it alone."""

    zone = s.CharField()
    item = s.CharField()
    count = s.IntegerField()


class NationLine(s.Serializer):
    """A seat, or another holder of accounts or places."""

    key = s.CharField()
    name = s.CharField()
    seat = s.BooleanField()
    holder = s.CharField(allow_null=True, help_text="The person who holds the seat.")
    accounts = s.DictField(
        child=s.IntegerField(), help_text="Whole numbers in each account's own unit; see the title's `accounts`."
    )
    facts = s.JSONField(help_text="Structures and the like, as the title tells them.")
    places = s.ListField(child=s.CharField())
    cards = Card(many=True)
    ledger = s.CharField()


class Nations(s.Serializer):
    results = NationLine(many=True)


class Province(s.Serializer):
    place = s.CharField()
    owner = s.CharField(allow_blank=True, help_text="Empty where nobody has it.")
    facts = s.JSONField(help_text="Fortification, fleet … as the title tells them.")


class Provinces(s.Serializer):
    results = Province(many=True)


class LedgerLine(s.Serializer):
    """One change of an account, and what it came to."""

    entry = s.IntegerField(allow_null=True)
    turn = s.IntegerField()
    holder = s.CharField()
    account = s.CharField()
    change = s.IntegerField()
    balance = s.IntegerField()
    cause = s.CharField()
    rule = s.CharField(allow_blank=True)
    text = s.CharField(allow_blank=True)


class LedgerPage(s.Serializer):
    results = LedgerLine(many=True)
    next = s.CharField(allow_null=True)


class ActionLine(s.Serializer):
    """A move in force of a seat, and what it took from its actions, in that account's unit."""

    entry = s.IntegerField(allow_null=True)
    turn = s.IntegerField()
    seat = s.CharField()
    move = s.CharField()
    cost = s.IntegerField()


class ActionPage(s.Serializer):
    results = ActionLine(many=True)
    next = s.CharField(allow_null=True)
