from django.contrib import admin

from nations.models import Balance, Holding, Nation
from people.admin import ReadOnly

# Cards, ledger and actions are not here: some of their rows have an audience.
admin.site.register([Nation, Balance, Holding], ReadOnly)
