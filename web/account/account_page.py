"""The reader's account: settings, and links to the other account pages."""

from __future__ import annotations

from dataclasses import dataclass

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from django.conf import settings
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from campaign.models import Membership
from people.forms import GuestProfileForm, ProfileForm
from people.models import DiscordAccount, User


@dataclass(frozen=True, slots=True)
class DiscordLink:
    """The link to a Discord account, if the site has commands there."""

    name: str
    """The name of the linked account; empty if none is linked."""

    @property
    def chip(self) -> str:
        return _("linked as %(name)s") % {"name": self.name} if self.name else ""

    @property
    def verb(self) -> str:
        return _("Link another Discord account") if self.name else _("Create a code")


@dataclass(frozen=True, slots=True)
class AccountPage:
    """The settings of an account."""

    form: ProfileForm | GuestProfileForm
    name: str
    email: str
    is_guest: bool
    is_demo: bool
    is_unconfirmed: bool
    has_password: bool
    second_factor: str
    discord: DiscordLink | None

    @property
    def is_own(self) -> bool:
        """Whether the reader has a full account, not that of a guest or a demonstration user."""
        return not self.is_guest and not self.is_demo

    @property
    def email_text(self) -> str:
        return self.email or _("no e-mail address")

    @property
    def password_verb(self) -> str:
        return (
            pgettext("button", "Change password")
            if self.has_password
            else pgettext("button", "Set a password")
        )

    @property
    def address_verb(self) -> str:
        if self.is_unconfirmed:
            return _("Confirm or change e-mail address")
        return pgettext("button", "Change e-mail address")

    @property
    def sign_out_method(self) -> str:
        """The method of the sign-out form: a guest is asked for confirmation first."""
        return "get" if self.is_guest else "post"


def account_page(user: User, form: ProfileForm | GuestProfileForm) -> AccountPage:
    """Return the settings of a user. `form` may contain refused values."""
    confirmed = EmailAddress.objects.filter(user=user, verified=True)
    is_own = not user.guest and not user.demo
    return AccountPage(
        form=form,
        name=user.username,
        email=user.email,
        is_guest=user.guest,
        is_demo=user.demo,
        is_unconfirmed=bool(user.email) and not confirmed.exists(),
        has_password=user.has_usable_password(),
        second_factor=second_factor_text(user),
        discord=discord_link(user) if is_own and settings.DISCORD_PUBLIC_KEY else None,
    )


def second_factor_text(user: User) -> str:
    """Return whether a second factor is on, and a reason to switch it on."""
    factors = Authenticator.objects.filter(user=user, type=Authenticator.Type.TOTP)
    if factors.exists():
        return pgettext("second factor", "on")
    campaigns = Membership.objects.filter(user=user, role=Membership.Role.GAME_MASTER, until=None)
    if campaigns.exists():
        return _("off; you run a campaign, and it would protect your desk")
    return pgettext("second factor", "off")


def discord_link(user: User) -> DiscordLink:
    """Return the linked Discord account."""
    account = DiscordAccount.objects.filter(user=user).first()
    return DiscordLink(account.name if account else "")
