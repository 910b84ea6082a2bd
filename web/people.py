"""One's own account. Signing in and passwords are django-allauth's, in our look."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import suppress
from datetime import datetime
from typing import Any, NamedTuple, cast

from allauth.account.adapter import get_adapter
from allauth.account.internal.flows.login import record_authentication
from allauth.account.models import EmailAddress
from allauth.account.views import (
    ConfirmLoginCodeView,
    EmailView,
    LoginView,
    PasswordChangeView,
    PasswordResetFromKeyView,
    PasswordResetView,
    PasswordSetView,
    RequestLoginCodeView,
    SignupView,
)
from allauth.core.exceptions import ReauthenticationRequired
from allauth.mfa.base.views import AuthenticateView
from allauth.mfa.models import Authenticator
from allauth.mfa.recovery_codes.views import GenerateRecoveryCodesView
from allauth.mfa.totp.views import DeactivateTOTPView
from allauth.socialaccount.internal.flows import signup
from allauth.socialaccount.views import SignupView as SocialSignupView
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.db import IntegrityError, transaction
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse, reverse_lazy
from django.utils import timezone
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext_lazy
from django.views.decorators.http import require_http_methods, require_safe

from battles import ratings as rated
from battles.ratings import Counted, Half, Rating, Ratings, Share
from campaign.log import positions
from campaign.log.entries import note_change
from campaign.models import Campaign, Membership
from engine.strict_json import whole
from people import proof, tokens, ways
from people.forms import AboutGuest, AboutMe
from people.models import DiscordAccount, Token, User, find
from web import provider
from web.frame import requests, throttle
from web.frame.reauthentication import signed_in_lately


@login_required
def me(request: HttpRequest) -> HttpResponse:
    user = cast(User, request.user)
    # Another object: an invalid form must not change the user whom the page shows.
    form = (AboutGuest if user.guest else AboutMe)(
        request.POST or None, instance=User.objects.get(pk=user.pk)
    )
    if request.method == "POST" and form.is_valid():
        form.save()
        note_change(memberships__user=user)
        messages.success(request, _("Saved."))
        return redirect("me")
    factors = set(Authenticator.objects.filter(user=user).values_list("type", flat=True))
    context = {
        "form": form,
        "second_factor": "totp" in factors,
        "unconfirmed": (
            user.email and not EmailAddress.objects.filter(user=user, verified=True).exists()
        ),
        "discord": bool(settings.DISCORD_PUBLIC_KEY),
        "discord_account": (
            DiscordAccount.objects.filter(user=user).first()
            if settings.DISCORD_PUBLIC_KEY
            else None
        ),
        "runs_campaigns": (
            Membership.objects.filter(
                user=user, role=Membership.Role.GAME_MASTER, until=None
            ).exists()
        ),
    }
    return render(request, "account/me.html", context, status=422 if form.errors else 200)


class SignUpView(SignupView):
    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """Every try counts, refused or not."""
        if wait := throttle.spend(request, throttle.SIGN_UP_TRY):
            return throttle.refused(request, wait)
        return cast(HttpResponse, super().post(request, *args, **kwargs))

    def form_valid(self, form: Any) -> HttpResponse:
        """Two sign-ups at once with one name: the second is told so."""
        if wait := throttle.mail(
            self.request, throttle.SIGN_UP, form.cleaned_data["email"].casefold()
        ):
            return wait
        try:
            with transaction.atomic():
                answer: HttpResponse = super().form_valid(form)
        except IntegrityError:
            form.add_error(
                "username",
                _("This name or address was taken a moment ago. Choose another, or sign in."),
            )
            return self.form_invalid(form)
        return _signed_up(self.request, form, answer)

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        return super().get_context_data(**kwargs) | other_ways()


def other_ways() -> dict[str, Any]:
    """What a page to sign in or up offers beside the password."""
    return {"passkeys": ways.passkeys_offered(), "elsewhere": ways.offered()}


def _signed_up(request: HttpRequest, form: Any, answer: HttpResponse) -> HttpResponse:
    """Just now they chose a password, which need not be typed again before another way is added; or
    they go on to a passkey.
    """
    if not request.user.is_authenticated:
        return answer
    if getattr(form, "with_passkey", False):
        record_authentication(request, request.user, "sign-up")
        onward = {"next": answer.headers.get("Location", "/"), "new": "1"}
        return redirect(f"{reverse('mfa_add_webauthn')}?{urlencode(onward)}")
    record_authentication(request, request.user, "password")
    ways.note_use(request, request.user, timezone.now())
    return answer


class SignUpElsewhereView(SocialSignupView):
    """For who comes by an account of another site that nobody has linked. Where its address is
    known here, they are asked to sign in first: an address opens no account.
    """

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """Where it has been linked meanwhile, it signs in the next time it is gone to."""
        login = provider.waiting(request)
        if login is None or login.is_existing:
            signup.clear_pending_signup(request)
            return redirect("account_login")
        return super().dispatch(request, *args, **kwargs)

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if wait := throttle.spend(request, throttle.SIGN_UP_TRY):
            return throttle.refused(request, wait)
        return cast(HttpResponse, super().post(request, *args, **kwargs))

    def form_valid(self, form: Any) -> HttpResponse:
        if wait := throttle.mail(
            self.request, throttle.SIGN_UP, form.cleaned_data["email"].casefold()
        ):
            return wait
        pending = self.request.session.get("socialaccount_sociallogin")
        try:
            with transaction.atomic():
                return super().form_valid(form)
        except (
            IntegrityError
        ):  # the name went to another, or the account there was linked, a moment ago
            self.request.session["socialaccount_sociallogin"] = pending
            form.add_error(
                "username",
                _("This name or address was taken a moment ago. Choose another, or sign in."),
            )
            return cast(HttpResponse, self.form_invalid(form))

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        account = self.sociallogin.account
        email = cast(User, self.sociallogin.user).email
        named = {
            "site": ways.ELSEWHERE.get(account.provider, account.provider),
            "name": account.extra_data.get("name", ""),
            "known": email if email and find(email) is not None else "",
        }
        return super().get_context_data(**kwargs) | named


class SignInView(LoginView):
    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        return cast(dict[str, Any], super().get_context_data(**kwargs)) | other_ways()


class SecondFactorView(AuthenticateView):
    """A code; or a passkey, which signs in by itself."""

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        return cast(dict[str, Any], super().get_context_data(**kwargs)) | {
            "passkeys": ways.passkeys_offered()
        }


class SecondFactorOffView(DeactivateTOTPView):
    """Its recovery codes go with it, also where there are passkeys, which allauth takes for another
    second factor.
    """

    def form_valid(self, form: Any) -> HttpResponse:
        answer: HttpResponse = super().form_valid(form)
        Authenticator.objects.filter(
            user_id=cast(User, self.request.user).pk, type=Authenticator.Type.RECOVERY_CODES
        ).delete()
        return answer


class NewRecoveryCodesView(GenerateRecoveryCodesView):
    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """Only beside the app whose place they take."""
        if not ways.has_second_factor(cast(User, request.user)):
            return redirect("mfa_index")
        return super().dispatch(request, *args, **kwargs)


class FirstPasswordView(PasswordSetView):
    """For an account without a password, which whoever signed in just now may give it."""

    success_url = reverse_lazy("ways")

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if cast(User, request.user).demo:
            raise PermissionDenied(_("A demonstration user has no password to change."))
        if not ways.fresh(request):
            raise ReauthenticationRequired
        return cast(HttpResponse, super().dispatch(request, *args, **kwargs))

    def form_valid(self, form: Any) -> HttpResponse:
        answer: HttpResponse = super().form_valid(form)
        record_authentication(
            self.request, cast(User, self.request.user), "password", reauthenticated=True
        )
        return answer


class ChangePasswordView(PasswordChangeView):
    success_url = reverse_lazy("me")

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if request.user.is_authenticated and request.user.demo:
            raise PermissionDenied(_("A demonstration user has no password to change."))
        if request.user.is_authenticated and not request.user.has_usable_password():
            return redirect("account_set_password")
        return super().dispatch(request, *args, **kwargs)


class ForgottenPasswordView(PasswordResetView):
    def form_valid(self, form: Any) -> HttpResponse:
        who = throttle.person(form.cleaned_data["email"])
        return throttle.mail(self.request, throttle.RESET, who) or super().form_valid(form)


class NewPasswordView(PasswordResetFromKeyView):
    """Who sets a password by a link that came to their address has proven it."""

    def form_valid(self, form: Any) -> HttpResponse:
        user = self.reset_user
        answer: HttpResponse = super().form_valid(form)
        address = EmailAddress.objects.filter(
            user=user, email__iexact=user.email, verified=False
        ).first()
        if address is not None and not proof.proven(user) and address.set_verified():
            user.refresh_from_db()
            proof.end_what_came_before(self.request, user, password_is_new=True)
        return answer


class AskForCodeView(RequestLoginCodeView):
    def form_valid(self, form: Any) -> HttpResponse:
        """Codes that others ask for elsewhere are no reason to have none here."""
        who = throttle.person(self.request.POST["email"])
        if throttle.knows(self.request, find(self.request.POST["email"])):
            who += " at home"
        if wait := throttle.mail(self.request, throttle.CODE, who):
            return wait
        user = find(self.request.POST["email"])
        answer: HttpResponse = super().form_valid(form)
        self.request.session[CODE_OF] = requests.mark_of_person(user) if user is not None else ""
        return answer


CODE_OF = "code of"
"""The entry of a session with the user whose code it requested. A code that is older than the end
of all sessions of this user is not valid."""


class TypeCodeView(ConfirmLoginCodeView):
    def form_valid(self, form: Any) -> HttpResponse:
        user = self._process.user
        mark = self.request.session.get(CODE_OF)
        if user is not None and mark != requests.mark_of_person(user):
            self._process.abort()
            messages.error(self.request, _("This code has expired. Request a new one."))
            return redirect("account_request_login_code")
        return super().form_valid(form)

    def _resend_form_valid(self, form: Any) -> HttpResponse:
        who = f"user {self._process.user.pk}" if self._process.user else "nobody"
        return throttle.mail(self.request, throttle.CODE, who) or super()._resend_form_valid(form)


class AddressView(EmailView):
    """The address changes when the new one is confirmed; until then both are known and the old one
    counts.
    """

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if cast(User, request.user).demo:
            raise PermissionDenied(_("A demonstration user has no address to change."))
        if not ways.fresh(request):
            raise ReauthenticationRequired
        return super().dispatch(request, *args, **kwargs)

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if {"action_add", "action_send"} & request.POST.keys() and (
            wait := throttle.mail(request, throttle.VERIFY, f"user {request.user.pk}")
        ):
            return wait
        return super().post(request, *args, **kwargs)


# The tokens of one's programs: made and shown once, listed, revoked.

ONCE = "token"
ALL = "all"
SHOWN = 60
SCOPES = [
    (
        Token.Scope.READ,
        pgettext_lazy("token", "Read"),
        gettext_lazy("The pages as you see them, with your own cards. It changes nothing."),
    ),
    (
        Token.Scope.PLAY,
        gettext_lazy("Read and play"),
        gettext_lazy("Also make every move that you could make, in your name."),
    ),
]
LIVES = [
    ("30", gettext_lazy("30 days")),
    ("90", gettext_lazy("90 days")),
    ("365", gettext_lazy("a year")),
    ("", gettext_lazy("until I revoke it")),
]
USUAL = {"name": "", "scope": Token.Scope.READ.value, "days": "90"}


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def programs(request: HttpRequest) -> HttpResponse:
    """`?revoke=N` (or `all`) asks before anything is revoked; a POST's `do` says which form
    it is.
    """
    user = cast(User, request.user)
    if user.guest or user.demo:
        return render(request, "account/programs_none.html")
    if request.method == "POST":
        match request.POST.get("do"):
            case "make":
                return _make(request, user)
            case "revoke":
                return _revoke(request, user)
    return _page(request, user)


def _page(
    request: HttpRequest,
    user: User,
    typed: dict[str, str] | None = None,
    wrong: tokens.Wrong | None = None,
) -> HttpResponse:
    now, scopes = timezone.now(), {key: name for key, name, _more in SCOPES}
    rows = [
        {
            "one": one,
            "scope": scopes[Token.Scope(one.scope)],
            "over": one.ends_at is not None and one.ends_at <= now,
        }
        for one in tokens.tokens_of(user)[:SHOWN]
    ]
    context = {
        "tokens": rows,
        "asked": request.GET.get("revoke", ""),
        "all": ALL,
        "new": requests.take_secret(request, ONCE),
        "scopes": SCOPES,
        "lives": LIVES,
        "typed": typed or USUAL,
        "longest": Token.LONGEST_NAME,
        "wrong": {wrong.field or "all": str(wrong)} if wrong is not None else {},
    }
    return render(request, "account/programs.html", context, status=422 if wrong else 200)


@signed_in_lately
def _make(request: HttpRequest, user: User) -> HttpResponse:
    typed = {key: request.POST.get(key, "") for key in USUAL}
    if not requests.first_time(request):
        return redirect("programs")
    if wait := throttle.spend(request, throttle.TOKEN, f"user {user.pk}"):
        requests.allow_again(request)
        return throttle.refused(request, wait)
    days = None if typed["days"] == "" else whole(typed["days"], 3) or 0
    try:
        token, secret = tokens.make(user, typed["name"], typed["scope"], timezone.now(), days=days)
    except tokens.Wrong as wrong:
        requests.allow_again(request)
        return _page(request, user, {**typed, "name": typed["name"][: Token.LONGEST_NAME]}, wrong)
    requests.keep_secret(request, ONCE, token.name, secret)
    if token.scope == Token.Scope.PLAY:
        _warn(request, user, token)
    return redirect(reverse("programs") + "#new")


def _warn(request: HttpRequest, user: User, token: Token) -> None:
    """A letter as for another password: whoever sits at somebody's open browser does not do this
    unseen.
    """
    facts: dict[str, Any] = {"name": token.name}
    with suppress(OSError):  # the token is made, and has to be shown
        get_adapter().send_notification_mail("account/email/token_made", user, facts)


def _revoke(request: HttpRequest, user: User) -> HttpResponse:
    now, wanted = timezone.now(), request.POST.get("token", "")
    if wanted == ALL:
        many = tokens.revoke_all(user, now)
        text = ngettext("%(n)s token is revoked.", "%(n)s tokens are revoked.", many) % {"n": many}
        messages.success(request, text)
        return redirect("programs")
    number = whole(wanted, 18)
    one = Token.objects.filter(user=user, pk=number).first() if number is not None else None
    if one is None:
        raise Http404
    tokens.revoke(user, one.pk, now)
    messages.success(
        request, _("%(name)s is revoked: nothing opens with it any more.") % {"name": one.name}
    )
    return redirect("programs")


# Ratings of people: the table of those who take part, and what each one's rating comes from
# (docs/ratings.md).

ROOM = 4
"""Between the ends of the bars and of their column, in percent."""
OUTCOMES = {
    1: pgettext_lazy("battle", "won"),
    0: pgettext_lazy("battle", "drawn"),
    -1: pgettext_lazy("battle", "lost"),
}
TONES = {1: "good", 0: "", -1: "bad"}
HEADINGS = {"battles": gettext_lazy("Battles"), "campaigns": gettext_lazy("Campaigns")}


class Bar(NamedTuple):
    """An interval on a scale that all bars of a table share, in percent: where it begins, how wide
    it is, the rating itself.
    """

    begins: int
    wide: int
    at: int


class Row(NamedTuple):
    """Somebody's line in the table."""

    rank: int | None
    name: str
    url: str
    mine: bool
    rating: Rating
    bar: Bar
    results: int


class Part(NamedTuple):
    """One result that a rating comes from: against whom, how it ended, what it changed. Campaign,
    nations and address are empty where the reader may not be led there.
    """

    at: datetime
    campaign: str
    url: str
    nations: tuple[tuple[str, str], ...]
    others: tuple[tuple[str, str], ...]
    outcome: str
    tone: str
    lost: tuple[float, ...]
    chance: int | None
    change: int
    after: int


@require_safe
def ratings(request: HttpRequest) -> HttpResponse:
    now = rated.ratings()
    own = request.user.pk if request.user.is_authenticated else None
    halves = [
        {
            "key": key,
            "heading": HEADINGS[key],
            "rows": _rows(now, half, own),
            "settled": half.settled,
        }
        for key, half in _halves(now).items()
    ]
    return render(
        request,
        "ratings/ratings.html",
        {"halves": halves, "base": round(rated.BASE), "takes_part": own in now.names},
    )


@require_safe
def person(request: HttpRequest, number: int) -> HttpResponse:
    """Of those who take part alone: whoever has switched it off is not here, as if they had never
    been.
    """
    now = rated.ratings()
    if number not in now.names:
        raise Http404
    reader = request.user if request.user.is_authenticated else None
    result = {key: half.results_of(number) for key, half in _halves(now).items()}
    open_to = rated.open_campaigns(
        (one.campaign for parts in result.values() for one, _share in parts), reader
    )
    halves = [
        {
            "key": key,
            "heading": HEADINGS[key],
            "settled": half.settled,
            "row": next((row for row in _rows(now, half, None) if row.url == _url(number)), None),
            "parts": [_part(now, one, share, open_to) for one, share in result[key]],
        }
        for key, half in _halves(now).items()
    ]
    context = {
        "person": now.names[number],
        "number": number,
        "halves": halves,
        "own": reader is not None and reader.pk == number,
    }
    return render(request, "ratings/person.html", context)


def _halves(now: Ratings) -> dict[str, Half]:
    return {"battles": now.battles, "campaigns": now.campaigns}


def _url(user: int) -> str:
    return reverse("ratings_person", args=[user])


def _rows(now: Ratings, half: Half, own: int | None) -> list[Row]:
    lines = half.lines()
    bars = _bars(line.rating for line in lines)
    return [
        Row(
            line.rank,
            now.names[line.user],
            _url(line.user),
            line.user == own,
            line.rating,
            bar,
            line.results,
        )
        for line, bar in zip(lines, bars, strict=True)
    ]


def _bars(shown: Iterable[Rating]) -> list[Bar]:
    """The intervals of a table on one scale, from the lowest end to the highest."""
    known = list(shown)
    if not known:
        return []
    low = min(one.low for one in known)
    scale = (100 - 2 * ROOM) / max(1, max(one.high for one in known) - low)

    def place(value: int) -> int:
        return ROOM + round((value - low) * scale)

    return [
        Bar(place(one.low), place(one.high) - place(one.low), place(one.value)) for one in known
    ]


def _part(now: Ratings, one: Counted, share: Share, open_to: Mapping[int, Campaign]) -> Part:
    campaign = open_to.get(one.campaign)
    others = tuple(
        (now.names[other.user], _url(other.user))
        for other in one.shares
        if other.user != share.user
    )
    url, chance = "", None
    lost: tuple[float, ...] = ()
    if campaign is not None:
        address = [campaign.address]
        url = (
            reverse("battle", args=[*address, one.number])
            if one.fought
            else reverse("table", args=address)
        )
    if one.fought is None:
        outcome, tone = _("rank %(n)s") % {"n": share.rank}, "good" if share.rank == 1 else ""
        seats = [share.seat]
    else:
        attacks = one.shares[0] is share
        won = {"attacker": 1, "defender": -1, "draw": 0}[one.fought.winner] * (1 if attacks else -1)
        outcome, tone = str(OUTCOMES[won]), TONES[won]
        lost = (one.fought.lost or ())[:: 1 if attacks else -1]
        better = rated.expected(one.shares[0].before, one.shares[1].before, one.fought.edge)
        chance = round(100 * (better if attacks else 1 - better))
        seats = [side.seat for side in one.shares]
    names = positions.seats(campaign) if campaign is not None else {}
    return Part(
        one.at,
        campaign.name if campaign is not None else "",
        url,
        tuple((seat, names[seat]) for seat in seats if seat in names),
        others,
        outcome,
        tone,
        lost,
        chance,
        share.after.value - share.before.value,
        share.after.value,
    )
