"""The ways by which the reader signs in."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from django.http import HttpRequest
from django.urls import reverse
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from people import sign_in_ways
from people.models import User
from people.sign_in_ways import LONGEST_NAME, Way
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
    """Whether the page shows the form that renames this way to sign in."""
    is_removed: bool
    """Whether the page asks for confirmation before this way to sign in is removed."""
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
        return self.way.kind == sign_in_ways.PASSKEY

    @property
    def is_password(self) -> bool:
        return self.way.kind == sign_in_ways.PASSWORD

    @property
    def is_mail(self) -> bool:
        return self.way.kind == sign_in_ways.MAIL

    @property
    def heading(self) -> str:
        if self.is_password:
            return pgettext("heading", "Password")
        if self.is_mail:
            return pgettext("heading", "Code by e-mail")
        return self.way.name if self.is_passkey else LINKED.get(self.way.kind, "")

    @property
    def fault(self) -> str:
        """The reason why this way to sign in cannot be used now; empty if it can."""
        if self.way.counts:
            return ""
        if self.is_mail:
            return pgettext("account", "not confirmed")
        if self.is_passkey and self.passkeys_work:
            return _("belongs to another address of this site")
        return _("not offered by this site at present")

    @property
    def name(self) -> str:
        """The e-mail address, or the name on the other site; empty if the heading shows it."""
        return "" if self.is_password or self.is_passkey else self.way.name

    @property
    def usage(self) -> SafeString | str:
        """The last use of this way to sign in, in words."""
        if not self.way.used_at:
            return pgettext("account", "not used yet")
        return with_times(pgettext("account", "last used on %(on)s"), on=a_day(self.way.used_at))

    @property
    def addition(self) -> SafeString | str:
        """The day on which this way to sign in was added, in words; empty if it is unknown."""
        if not self.way.added_at:
            return ""
        return with_times(_("added on %(on)s"), on=a_day(self.way.added_at))

    @property
    def is_only_one(self) -> bool:
        return self.way.last and not self.is_mail

    @property
    def can_be_removed(self) -> bool:
        return not self.is_mail and not self.way.last

    @property
    def mail_verb(self) -> str:
        if self.way.counts:
            return pgettext("button", "Change e-mail address")
        return pgettext("button", "Confirm e-mail address")


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
    """Return the ways of a user, with an error if there is one.

    `?remove=KEY` asks for confirmation before a way is removed, `?rename=KEY` shows the form for
    its name.
    """
    form = WayForm(request.POST)
    form.is_valid()
    do, key = (form.cleaned_data["do"], form.cleaned_data["way"]) if error else ("", "")
    query = WaysQuery(request.GET)
    query.is_valid()
    removed = key if do == "remove" else query.cleaned_data["remove"]
    renamed = key if do == "rename" else query.cleaned_data["rename"]
    own, passkeys = sign_in_ways.ways_of(user), sign_in_ways.passkeys_offered()
    linked = {way.kind for way in own}
    return WaysPage(
        ways=[
            WayRow(
                way=way,
                passkeys_work=passkeys,
                is_renamed=way.key == renamed and way.kind == sign_in_ways.PASSKEY,
                is_removed=way.key == removed and way.kind != sign_in_ways.MAIL,
                typed_name=form.cleaned_data["name"][:LONGEST_NAME] or way.name,
                error=error,
            )
            for way in own
        ],
        passkeys=passkeys,
        sites=[
            Site(name, reverse(f"{site}_login"))
            for site, name in sign_in_ways.offered_sites()
            if site not in linked
        ],
        can_set_password=not user.has_usable_password(),
        second_factor=second_factor_note(user),
    )


def second_factor_note(user: User) -> SafeString:
    """Return a sentence about the second factor."""
    if sign_in_ways.has_second_factor(user):
        text = _(
            'Your <a href="%(mfa_url)s">second factor</a> is on. You need it after a password, '
            "a code by e-mail or another site, but not after a passkey, which is two factors in "
            "one."
        )
    else:
        text = _(
            'Your <a href="%(mfa_url)s">second factor</a> is off. When it is on, you need it '
            "after a password, a code by e-mail or another site, but not after a passkey, which "
            "is two factors in one."
        )
    return with_times(text, mfa_url=reverse("mfa_index"))
