"""What the person of the token is told."""

from rest_framework import serializers as s


class NoticeLine(s.Serializer):
    id = s.IntegerField()
    campaign = s.CharField(help_text="Its `ref`.")
    entry = s.IntegerField(allow_null=True, help_text="The entry it tells of; null of one that not everybody may see.")
    kind = s.CharField()
    title = s.CharField()
    body = s.CharField(allow_blank=True)
    at = s.DateTimeField()
    read = s.BooleanField()
    struck = s.CharField(allow_blank=True, help_text="What became of the entry; empty while it is in force.")
    page = s.CharField(help_text="Opens it in a browser, and marks it as read.")


class NoticePage(s.Serializer):
    results = NoticeLine(many=True)
    next = s.CharField(allow_null=True)


class NoticeCount(s.Serializer):
    unread = s.IntegerField(help_text="What is struck aside.")


class NoticesRead(s.Serializer):
    """What is to be marked; nothing means all."""

    notices = s.ListField(child=s.IntegerField(min_value=0, max_value=2**62), required=False, max_length=1000)
    campaign = s.CharField(required=False, max_length=80)
