from django.contrib import admin

from notices.models import Notice
from people.admin import ReadOnly


@admin.register(Notice)
class NoticeAdmin(ReadOnly):
    exclude = ["facts"]  # they may name a card that only one seat knows
