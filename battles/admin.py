from django.contrib import admin

from battles.models import Battle, Claim
from people.admin import ReadOnly

admin.site.register(Battle, ReadOnly)
admin.site.register(Claim, ReadOnly)
