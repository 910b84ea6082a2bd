"""What is told: reports, where they were posted, what others wrote there."""

from rest_framework import serializers as s

from forum.models import Post


class ReportLine(s.Serializer):
    """A report that there is."""

    key = s.CharField()
    kind = s.CharField()
    name = s.CharField()
    turn = s.IntegerField()
    complete = s.BooleanField(help_text="Has all of it happened?")
    url = s.CharField()


class Dialect(s.Serializer):
    key = s.CharField()
    name = s.CharField()
    limit = s.IntegerField(help_text="Most of one post.")


class Reports(s.Serializer):
    results = ReportLine(many=True)
    dialects = Dialect(many=True)
    languages = s.ListField(child=s.CharField())


class SpanTold(s.Serializer):
    """A piece of a line."""

    text = s.CharField(allow_blank=True)
    bold = s.BooleanField()
    italic = s.BooleanField()
    seat = s.CharField(allow_blank=True, help_text="The seat that it names.")
    link = s.CharField(allow_blank=True)
    picture = s.CharField(allow_blank=True)


class BlockTold(s.Serializer):
    """`heading` and `paragraph` have one line, `bullets` several; a `table` has `head` and `rows`."""

    kind = s.ChoiceField(["heading", "paragraph", "bullets", "table"])
    level = s.IntegerField(help_text="Of a heading, 1 to 3; else 0.")
    lines = s.ListField(child=SpanTold(many=True))
    head = s.ListField(child=s.CharField(allow_blank=True))
    rows = s.ListField(child=s.ListField(child=s.CharField(allow_blank=True)))


class PartTold(s.Serializer):
    """What goes into one post."""

    subject = s.CharField()
    text = s.CharField()
    weight = s.IntegerField(help_text="As the dialect counts its limit.")


class PostReceipt(s.Serializer):
    """Where it stands."""

    permalink = s.CharField(allow_blank=True)
    posted_at = s.DateTimeField()
    state = s.ChoiceField(Post.State.choices)


class ReportWhole(ReportLine):
    title = s.CharField()
    dialect = s.CharField()
    language = s.CharField()
    tone = s.CharField()
    first = s.IntegerField(help_text="The first entry it tells of; 0 where it tells of none.")
    last = s.IntegerField()
    blocks = BlockTold(many=True)
    posts = PartTold(many=True, help_text="The report as the dialect writes it, in as many posts as it takes.")
    receipts = PostReceipt(many=True)


class HeardLine(s.Serializer):
    """A post of somebody's where the campaign is told."""

    thread = s.CharField()
    author = s.CharField(allow_blank=True)
    at = s.DateTimeField()
    text = s.CharField(allow_blank=True)
    permalink = s.CharField(allow_blank=True)
    ours = s.BooleanField()
    report = s.CharField(allow_null=True, help_text="The report that it is, or quotes.")


class HeardPage(s.Serializer):
    results = HeardLine(many=True)
    next = s.CharField(allow_null=True)
