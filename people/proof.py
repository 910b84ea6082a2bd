"""An address is proven: what came before the proof ends (docs/decisions/0030).

Anybody may sign up with another's address, set a password, and wait until its owner comes. So the first proof that an
address is somebody's ends what was set up without it. Only where the proof comes within the very session that is signed in
as this person are the two one, and the password stays.
"""

from __future__ import annotations

from typing import Any

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from django.conf import settings
from django.contrib import messages
from django.contrib.auth import update_session_auth_hash
from django.db import transaction
from django.db.models import F
from django.http import HttpRequest
from django.utils import timezone
from django.utils.module_loading import import_string
from django.utils.translation import gettext as _

from people import tokens
from people.models import User
from people.validators import fold


def proven(user: Any) -> bool:
    """Has this person shown that an address is theirs?"""
    return EmailAddress.objects.filter(user_id=user.pk, verified=True).exists()


def on_confirmed(request: HttpRequest, email_address: EmailAddress, **rest: Any) -> None:
    """Heard whenever allauth has confirmed an address: by a link, or by a code that was typed."""
    others = EmailAddress.objects.filter(user_id=email_address.user_id, verified=True).exclude(pk=email_address.pk)
    here = request.user.is_authenticated and request.user.pk == email_address.user_id
    if here and others.exists():
        return  # another address, asked for and confirmed by the same person
    if end_what_came_before(request, email_address.user):
        said = _("The password that was set before this address was confirmed is no longer valid. Set a new one.")
        messages.info(request, said)


@transaction.atomic
def end_what_came_before(request: HttpRequest, user: User, *, password_is_new: bool = False) -> bool:
    """End every other session and every token; and, unless this session is theirs or the password was set by the proof itself,
    the password, second factors, and what `settings.PROOF_ENDERS` name. Is the password gone?"""
    now = timezone.now()
    here = request.user.is_authenticated and request.user.pk == user.pk
    User.objects.filter(pk=user.pk).update(sessions_ended=F("sessions_ended") + 1)
    user.refresh_from_db(fields=["sessions_ended", "password"])
    tokens.revoke_all(user, now)
    first = User.objects.filter(email_folded=fold(user.email)).first() if user.email_is_anothers else None
    if user.email_is_anothers and (first is None or not proven(first)):  # whoever had it first has not proven it
        if first is not None:
            User.objects.filter(pk=first.pk).update(email_is_anothers=True, email_folded=None)
        user.email_is_anothers = False
        user.save(update_fields=["email", "email_is_anothers"])
    gone = not here and not password_is_new
    if not here:
        Authenticator.objects.filter(user=user).delete()
        for path in settings.PROOF_ENDERS:
            import_string(path)(user, now)
    if gone:
        user.set_unusable_password()
        user.save(update_fields=["password"])
    if here:
        update_session_auth_hash(request, user)
    return gone
