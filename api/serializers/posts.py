"""What is told elsewhere: places, the outbox, a post."""

from rest_framework import serializers as s

from forum.models import Post


class ThreadLine(s.Serializer):
    """A place where the campaign is told; what it is opened with is told nowhere."""

    id = s.IntegerField()
    name = s.CharField()
    transport = s.CharField()
    address = s.CharField(allow_blank=True)
    dialect = s.CharField()
    language = s.CharField()
    tone = s.CharField(allow_blank=True)
    limit = s.IntegerField(help_text="How much a post there may weigh.")
    kinds = s.ListField(child=s.CharField(), help_text="Of reports that are drafted by themselves.")
    at_once = s.BooleanField(help_text="Is what is drafted posted without anybody looking at it?")
    active = s.BooleanField()
    locked = s.BooleanField(help_text="It refused us: nothing goes there until a game master says so.")
    locked_why = s.CharField(allow_blank=True)


class Threads(s.Serializer):
    results = ThreadLine(many=True)


class PostLine(s.Serializer):
    """A report on its way to a place, or there."""

    number = s.IntegerField()
    report = s.CharField()
    kind = s.CharField()
    subject = s.CharField(allow_blank=True)
    thread = s.CharField()
    state = s.ChoiceField(Post.State.choices, help_text="Of the first part that is not there yet.")
    asks = s.BooleanField(help_text="Does it wait for a person?")
    struck = s.BooleanField(help_text="Does it tell of moves that are struck?")
    parts = s.IntegerField()
    permalink = s.CharField(allow_blank=True)
    made_at = s.DateTimeField()
    posted_at = s.DateTimeField(allow_null=True)


class PostPage(s.Serializer):
    results = PostLine(many=True)
    next = s.CharField(allow_null=True)


class PostText(s.Serializer):
    """One of the posts that a report takes."""

    part = s.IntegerField()
    subject = s.CharField(allow_blank=True)
    text = s.CharField()
    state = s.ChoiceField(Post.State.choices)
    permalink = s.CharField(allow_blank=True)
    posted_at = s.DateTimeField(allow_null=True)
    next_at = s.DateTimeField(allow_null=True, help_text="When it is sent, or tried again.")
    last_error = s.CharField(allow_blank=True)


class PostWhole(PostLine):
    texts = PostText(many=True, help_text="None where what it was to tell is struck.")
    corrects = s.ListField(child=s.IntegerField(), help_text="The posts that it corrects.")
    corrected = s.ListField(child=s.IntegerField(), help_text="Those that correct it.")


class Drafting(s.Serializer):
    thread = s.IntegerField(min_value=0, help_text="`id` of the place.")
    report = s.CharField(max_length=80, help_text="Its key, as `reports/` has it.")


class PostAct(s.Serializer):
    act = s.ChoiceField(["ready", "unready", "posted", "unposted", "absent", "again", "aside", "back"])
    part = s.IntegerField(required=False, default=1, min_value=1, max_value=1000)
    url = s.CharField(required=False, allow_blank=True, default="", max_length=500, help_text="posted: where it stands.")
