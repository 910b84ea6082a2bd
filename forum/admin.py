from django.contrib import admin

from forum.models import Flavour, Following, HeardPost, Post, ReportTemplate, Thread
from people.admin import ReadOnly


@admin.register(Thread)
class ThreadAdmin(ReadOnly):
    list_display = ["campaign", "name", "transport", "active", "locked_at", "removed_at"]
    exclude = ["settings", "sealed", "session"]  # the open ones, too: an address may say more than its owner meant


@admin.register(Post)
class PostAdmin(ReadOnly):
    list_display = ["campaign", "number", "report", "part", "of", "state", "attempts", "next_at"]
    list_filter = ["state"]


@admin.register(ReportTemplate)
class ReportTemplateAdmin(ReadOnly):
    list_display = ["campaign", "language", "tone", "changed_by", "changed_at"]


@admin.register(Flavour)
class FlavourAdmin(ReadOnly):
    list_display = ["campaign", "report", "language", "changed_by", "changed_at"]


@admin.register(Following)
class FollowingAdmin(ReadOnly):
    list_display = ["thread", "active", "shown", "read_at", "failures", "stopped_at"]
    exclude = ["place", "seen"]


@admin.register(HeardPost)
class HeardPostAdmin(ReadOnly):
    list_display = ["thread", "name", "author", "said_at", "heard_at"]
