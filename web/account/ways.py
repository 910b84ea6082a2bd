"""The ways by which the reader signs in."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from django.http import HttpRequest
from django.urls import reverse
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from people import ways
from people.models import User
from people.ways import LONGEST_NAME, Way
from web.account.forms import WayForm, WaysQuery
from web.frame.sentences import with_times
from web.templatetags.tabula import a_day

LINKED = {"discord": "Discord", "steam": "Steam"}


@dataclass(frozen=True, slots=True)
class WayRow:
    """A way to sign in."""

    way: Way
    passkeys_work: bool
    is_renamed: bool
    """Whether the page shows the form of its name."""
    is_removed: bool
    """Whether the page asks if it is to be removed."""
    typed_name: str
    error: str

    @property
    def key(self) -> str:
        return self.way.key

    @property
    def title(self) -> str:
        return self.way.title

    @property
    def is_passkey(self) -> bool:
        return self.way.kind == ways.PASSKEY

    @property
    def is_password(self) -> bool:
        return self.way.kind == ways.PASSWORD

    @property
    def is_mail(self) -> bool:
        return self.way.kind == ways.MAIL

    @property
    def heading(self) -> str:
        if self.is_password:
            return _("Password")
        if self.is_mail:
            return _("Code by mail")
        return self.way.name if self.is_passkey else LINKED.get(self.way.kind, "")

    @property
    def fault(self) -> str:
        """Return why it signs no one in now; empty if it does."""
        if self.way.counts:
            return ""
        if self.is_mail:
            return _("not confirmed")
        if self.is_passkey and self.passkeys_work:
            return _("of another address of this site")
        return _("not offered by this site now")

    @property
    def name(self) -> str:
        """Return the address or the name elsewhere, if the heading does not have it."""
        return "" if self.is_password or self.is_passkey else self.way.name

    @property
    def usage(self) -> SafeString | str:
        """Return when it was last used."""
        if not self.way.used_at:
            return _("not used yet")
        return with_times(_("last used %(on)s"), on=a_day(self.way.used_at))

    @property
    def addition(self) -> SafeString | str:
        """Return when it was added."""
        if not self.way.added_at:
            return ""
        return with_times(_("added %(on)s"), on=a_day(self.way.added_at))

    @property
    def is_only_one(self) -> bool:
        return self.way.last and not self.is_mail

    @property
    def can_be_removed(self) -> bool:
        return not self.is_mail and not self.way.last

    @property
    def mail_verb(self) -> str:
        return _("Change") if self.way.counts else _("Confirm")


class Site(NamedTuple):
    """Another site whose account can sign in here."""

    name: str
    url: str

    @property
    def verb(self) -> str:
        return _("Link %(name)s") % {"name": self.name}


@dataclass(frozen=True, slots=True)
class WaysPage:
    """All ways of a user, and those that can be added."""

    ways: list[WayRow]
    passkeys: bool
    sites: list[Site]
    can_set_password: bool
    second_factor: SafeString
    longest_name: int = LONGEST_NAME


def ways_page(request: HttpRequest, user: User, error: str = "") -> WaysPage:
    """Return the ways of a user, with what was wrong in a form.

    `?remove=KEY` asks before a way is removed, `?rename=KEY` shows the form of its name.
    """
    form = WayForm(request.POST)
    form.is_valid()
    do, key = (form.cleaned_data["do"], form.cleaned_data["way"]) if error else ("", "")
    query = WaysQuery(request.GET)
    query.is_valid()
    removed = key if do == "remove" else query.cleaned_data["remove"]
    renamed = key if do == "rename" else query.cleaned_data["rename"]
    own, passkeys = ways.ways_of(user), ways.passkeys_offered()
    linked = {way.kind for way in own}
    return WaysPage(
        ways=[
            WayRow(
                way=way,
                passkeys_work=passkeys,
                is_renamed=way.key == renamed and way.kind == ways.PASSKEY,
                is_removed=way.key == removed and way.kind != ways.MAIL,
                typed_name=form.cleaned_data["name"][:LONGEST_NAME] or way.name,
                error=error,
            )
            for way in own
        ],
        passkeys=passkeys,
        sites=[
            Site(name, reverse(f"{site}_login"))
            for site, name in ways.offered()
            if site not in linked
        ],
        can_set_password=not user.has_usable_password(),
        second_factor=second_factor_note(user),
    )


def second_factor_note(user: User) -> SafeString:
    """Return when the second factor is asked for."""
    if ways.has_second_factor(user):
        text = _(
            'Your <a href="%(mfa_url)s">second factor</a> is on: it is asked for after a password,'
            " a mailed code or another site, and not after a passkey, which is two in one."
        )
    else:
        text = _(
            'A <a href="%(mfa_url)s">second factor</a> is asked for after a password, a mailed code'
            " or another site, and not after a passkey, which is two in one. It is off."
        )
    return with_times(text, mfa_url=reverse("mfa_index"))
