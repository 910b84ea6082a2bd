"""Views for Discord: its interactions, and the form on the account page that links an account."""

from __future__ import annotations

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.urls import reverse
from django.utils import translation
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST

from campaign.errors import TableError
from campaign.slow_database import Busy
from engine.language import use_language
from people import services as people_services
from people.address_proof import proven
from people.models import DiscordAccount
from web.account.access import user_of
from web.discord.answers import Answer, AnswerType, Refusal, message, out_of_date
from web.discord.asker import Asker, language_of, linked_user
from web.discord.commands import answer_to
from web.discord.forms import LinkForm
from web.discord.interaction import (
    Interaction,
    InteractionType,
    NotAnInteraction,
    read_interaction,
)
from web.discord.linking import new_code
from web.discord.signature import is_signed
from web.frame.campaign_page import see_other
from web.frame.reauthentication import signed_in_lately


@csrf_exempt
@require_POST
def interactions(request: HttpRequest) -> HttpResponse:
    """Answer an interaction.

    The status is 404 if the site has no application at Discord, 401 if the signature is wrong, and
    400 if the request is not an interaction.
    """
    key = settings.DISCORD_PUBLIC_KEY
    if not key:
        raise Http404
    if not is_signed(request, key):
        return HttpResponse("invalid request signature", status=401, content_type="text/plain")
    try:
        interaction = read_interaction(request.body)
    except NotAnInteraction:
        return HttpResponse("not an interaction", status=400, content_type="text/plain")
    if interaction.type == InteractionType.PING:
        return JsonResponse({"type": AnswerType.PONG})
    return JsonResponse(answer_in_language(request, interaction))


def answer_in_language(request: HttpRequest, interaction: Interaction) -> Answer:
    """Return the answer for the linked user, in their language."""
    user = linked_user(interaction.discord_id)
    request.user = user
    language = language_of(user, interaction.locale)
    with translation.override(language), use_language(language):
        return answer_or_refusal(Asker(request, interaction))


def answer_or_refusal(asker: Asker) -> Answer:
    """Return the answer, or a message with the reason why there is none."""
    try:
        return answer_to(asker)
    except Refusal as refusal:
        return message(str(refusal))
    except (TableError, Busy, PermissionDenied) as error:
        return message(str(error) or _("You may not do this."))
    except (KeyError, TypeError, ValueError):
        # A kept step no longer fits the position, or the request has an unknown form.
        return message(str(out_of_date()))


@login_required
@require_POST
def account(request: HttpRequest) -> HttpResponse:
    """Make a code that links this account, or end the link."""
    if not settings.DISCORD_PUBLIC_KEY or people_services.is_guest(request.user):
        raise Http404
    if LinkForm(request.POST).ends_link():
        DiscordAccount.objects.filter(user=user_of(request)).delete()
        messages.success(request, _("The link to Discord has been removed."))
        return see_other(account_url())
    return make_code(request)


@signed_in_lately
def make_code(request: HttpRequest) -> HttpResponse:
    """Show a code that links this account, valid for ten minutes."""
    user = user_of(request)
    if user.demo or not proven(user):
        text = _("First confirm your e-mail address. Then link your Discord account.")
        messages.error(request, text)
        return see_other(account_url())
    text = _("Type this in Discord within ten minutes: /link code:%(code)s")
    messages.success(request, text % {"code": new_code(user)})
    return see_other(account_url())


def account_url() -> str:
    """Return the address of the Discord section on the account page."""
    return reverse("me") + "#discord"
