"""What an undo or a restoration would change, and what one had struck."""

from rest_framework import serializers as s

from api.serializers.log import Branch, RollTold
from campaign.clocks.models import Clock

WAYS = ["undo", "restore", "own"]


class AccountThen(s.Serializer):
    holder = s.CharField()
    account = s.CharField()
    now = s.IntegerField(allow_null=True, help_text="Null where there is none.")
    then = s.IntegerField(allow_null=True)


class HolderThen(s.Serializer):
    """A nation or another holder whose facts, structures among them, are otherwise."""

    holder = s.CharField()
    now = s.JSONField(allow_null=True)
    then = s.JSONField(allow_null=True)


class PlaceThen(s.Serializer):
    """Something held that is otherwise: owner and whatever stands there."""

    place = s.CharField()
    now = s.JSONField(allow_null=True)
    then = s.JSONField(allow_null=True)


class BattleThen(s.Serializer):
    number = s.IntegerField()
    now = s.CharField(allow_null=True, help_text="Its status; null where there is none.")
    then = s.CharField(allow_null=True)
    claims = s.ListField(
        child=s.IntegerField(), help_text="Claims that lose their ground or have it again, by the log's numbers."
    )


class RollKnown(RollTold):
    """A die that would fall the same again."""

    entry = s.IntegerField(allow_null=True)
    seat = s.CharField(allow_blank=True, help_text="Whose choice it hung on.")


class PostThen(s.Serializer):
    number = s.IntegerField()
    subject = s.CharField(allow_blank=True)
    permalink = s.CharField(allow_blank=True)


class PostsThen(s.Serializer):
    """Of posts that are not there yet only game masters read."""

    corrected = PostThen(many=True, help_text="They get a correction, drafted at once.")
    later = PostThen(many=True, help_text="The next report of the same corrects them.")
    dropped = PostThen(many=True, help_text="Not sent yet, and dropped.")
    drafted = PostThen(many=True, help_text="Drafts again.")


class ToldThen(s.Serializer):
    """Somebody who is told of it."""

    person = s.CharField()
    seats = s.ListField(child=s.CharField(), help_text="As whom; none: as countersigner.")
    abroad = s.CharField(allow_blank=True, help_text="now, digest; empty where a notice waits here and nothing leaves.")


class ClockThen(s.Serializer):
    what = s.ChoiceField(["ends", "opens", "begins"])
    kind = s.ChoiceField(Clock.Kind.choices)
    seat = s.CharField(allow_blank=True)
    contest = s.IntegerField(allow_null=True)
    due_at = s.DateTimeField(allow_null=True, help_text="Null of one that begins anew.")
    held = s.BooleanField()


class OrderThen(s.Serializer):
    """A standing order that spoke among these moves."""

    seat = s.CharField()
    text = s.CharField()
    again = s.BooleanField(help_text="May it speak again, since its question falls, too?")


class RewindTold(s.Serializer):
    """An undo or a restoration that nobody has said yet."""

    how = s.ChoiceField(WAYS)
    entry = s.IntegerField(allow_null=True, help_text="The last that stays; the undo; the first move that its seat takes back.")
    moves = s.ListField(
        child=s.IntegerField(), help_text="Those that would be struck, or in force again, by the log's numbers, the oldest first."
    )
    hidden = s.IntegerField(help_text="How many more there are that not everybody sees.")
    concerns = s.ListField(child=s.CharField(), help_text="Of a game master who plays: his own seats that it concerns.")
    turn = s.IntegerField(help_text="Then, as phase, slot and state are.")
    phase = s.CharField(allow_blank=True)
    slot = s.CharField(allow_null=True)
    state = s.JSONField(help_text="The position then, as `position/` tells it.")
    accounts = AccountThen(many=True)
    holders = HolderThen(many=True)
    places = PlaceThen(many=True)
    battles = BattleThen(many=True)
    dice = RollKnown(many=True, help_text="Known already: thrown again for the same thing they fall the same.")
    posts = PostsThen()
    people = ToldThen(many=True)
    notices = s.IntegerField(help_text="That told of these moves: struck with them, or in force again.")
    clocks = ClockThen(many=True)
    orders = OrderThen(many=True)


class Step(s.Serializer):
    """One act of a game master on the way back to a branch."""

    restores = s.BooleanField(help_text="Restore what the undo `entry` struck; else undo all after `entry`.")
    entry = s.IntegerField()
    moves = s.IntegerField()


class BranchWhole(Branch):
    """One undo, and how the table stood in what it struck."""

    entries = s.ListField(child=s.IntegerField(), help_text="Where `at` may stop: the last that stayed, then those struck.")
    way_back = Step(many=True, allow_null=True, help_text="Null where nothing leads back to it; empty once it is restored.")
    entry = s.IntegerField(help_text="The state is that after this one.")
    turn = s.IntegerField()
    phase = s.CharField(allow_blank=True)
    slot = s.CharField(allow_null=True)
    state = s.JSONField(help_text="As `position/` tells it.")
