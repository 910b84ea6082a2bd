"""The admin reads. Nobody writes here, and no secret is shown."""

from typing import Any

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from django.contrib import admin
from django.contrib.auth.models import Group

from people.models import Token, User

# Addresses stand on the user; we have no groups; a second factor is a secret.
for model in (EmailAddress, Group, Authenticator):
    admin.site.unregister(model)


class ReadOnly(admin.ModelAdmin):
    """Shows, changes nothing. Every room's admin is one; what is secret goes into `exclude`."""

    actions = None

    def has_add_permission(self, request: Any) -> bool:
        return False

    def has_change_permission(self, request: Any, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: Any, obj: Any = None) -> bool:
        return False


@admin.register(User)
class UserAdmin(ReadOnly):
    list_display = ["username", "email", "time_zone", "date_joined", "last_login", "is_active", "is_staff", "demo", "guest"]
    list_filter = ["is_active", "is_staff", "demo", "guest"]
    search_fields = ["username", "email"]
    ordering = ["username"]
    exclude = ["password", "user_permissions", "groups"]


@admin.register(Token)
class TokenAdmin(ReadOnly):
    list_display = ["user", "scope", "made_at", "ends_at", "last_used_at", "revoked_at"]
    list_filter = ["scope"]
    list_select_related = ["user"]
    exclude = ["secret_hash"]
