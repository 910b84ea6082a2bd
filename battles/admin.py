from django.contrib import admin

from battles.models import Battle
from people.admin import ReadOnly

admin.site.register(Battle, ReadOnly)
