"""What is said at the table and is no move."""

from rest_framework import serializers as s

from api.serializers.moves import FAR

ACTS = (
    "set-up", "claim", "withdraw", "confirm", "dispute", "judge", "agree", "enter-unagreed", "link", "password",
    "substitute", "end-substitute", "solo", "end-solo",
)  # fmt: skip


class BattleAct(s.Serializer):
    """What is said at a battle. Which parts it takes depends on `act`."""

    act = s.ChoiceField(ACTS)
    claim = s.IntegerField(
        min_value=0, max_value=FAR, required=False, help_text="withdraw, confirm, dispute, judge: the claim's entry."
    )
    move = s.DictField(
        required=False, help_text="claim, judge, enter-unagreed: the game master's move that would enter the result."
    )
    seen = s.IntegerField(
        min_value=0, max_value=FAR, required=False, help_text="confirm, judge, enter-unagreed: your last entry."
    )
    reason = s.CharField(
        required=False, allow_blank=True, default="", max_length=1000, help_text="dispute, judge, enter-unagreed."
    )
    word = s.CharField(required=False, allow_blank=True, default="", max_length=1000, help_text="claim: a word to it.")
    line = s.CharField(
        required=False, allow_blank=True, default="", max_length=1000, help_text="claim: the line it was read from."
    )
    to = s.CharField(required=False, allow_blank=True, default="", max_length=60, help_text="agree: to what.")
    yes = s.BooleanField(required=False, default=True, help_text="agree: or not any more.")
    url = s.CharField(required=False, allow_blank=True, default="", max_length=500, help_text="link: evidence, https alone.")
    password = s.CharField(
        required=False, allow_blank=True, default="", max_length=60, help_text="password: of the lobby in the game."
    )
    side = s.CharField(
        required=False,
        allow_blank=True,
        default="",
        max_length=40,
        help_text="substitute, end-substitute: the seat; solo: that is away.",
    )
    person = s.CharField(required=False, allow_blank=True, default="", max_length=60, help_text="substitute: whose name.")


class Countersign(s.Serializer):
    """A countersigner's word: that he agrees, or his objection, which everybody reads."""

    objection = s.CharField(required=False, allow_blank=True, default="", max_length=1000)


class Link(s.Serializer):
    """Where an entry stands on the forum; empty takes it back."""

    url = s.CharField(allow_blank=True, max_length=500)


class Extension(s.Serializer):
    """Another deadline for a clock that runs, and why: everybody reads it."""

    kind = s.CharField(max_length=20, help_text="As `clocks/` has it.")
    entry = s.IntegerField(min_value=0, max_value=FAR, allow_null=True, help_text="The entry that opened it.")
    seat = s.CharField(required=False, allow_blank=True, default="", max_length=40)
    contest = s.IntegerField(required=False, allow_null=True, default=None, min_value=0, max_value=FAR)
    to = s.DateTimeField(help_text="With its zone.")
    reason = s.CharField(allow_blank=True, max_length=1000)
    seen = s.IntegerField(min_value=0, max_value=FAR)


class Die(s.Serializer):
    """A die that was thrown elsewhere, and where to see it."""

    purpose = s.CharField(max_length=200)
    value = s.IntegerField(min_value=1, max_value=FAR)
    url = s.CharField(required=False, allow_blank=True, default="", max_length=500)


class ByHand(s.Serializer):
    """Who throws every new die: a hand elsewhere, or the program."""

    by_hand = s.BooleanField()


class Drop(s.Serializer):
    reason = s.CharField(required=False, allow_blank=True, default="", max_length=1000)


class Talk(s.Serializer):
    text = s.CharField(max_length=2000)
