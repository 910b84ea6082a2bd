"""Forms for a user's own account: sign-in, sign-up, password, profile and absence."""

from __future__ import annotations

from typing import Any

from allauth.account.adapter import get_adapter
from allauth.account.forms import (
    AddEmailForm,
    ChangePasswordForm,
    LoginForm,
    RequestLoginCodeForm,
    ResetPasswordForm,
    ResetPasswordKeyForm,
    SetPasswordForm,
    SignupForm,
)
from allauth.socialaccount.forms import SignupForm as SocialSignupForm
from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from people.models import Absence, User, find_by_login, look_alike
from people.validators import CHOSEN, fold, one_line, plain, zones


def zone_choices() -> list[tuple[str, str]]:
    return [(zone, zone.replace("_", " ")) for zone in zones()]


class SignIn(LoginForm):
    """The sign-in with a password."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["login"].label = _("E-mail or name")
        self.fields["login"].widget.attrs["autocomplete"] = (
            "username webauthn"  # the browser proposes passkeys there
        )
        self.fields["password"].help_text = ""  # the page has its own link
        self.fields["remember"].label = _("Stay signed in on this device")

    def clean_login(self) -> str:
        """Find the user name in any case and in every alphabet."""
        login = self.cleaned_data["login"].strip()
        user = User.objects.filter(username_folded=fold(login)).first()
        return user.username if user else login


class SignUp(SignupForm):
    """The form for a new account.

    With `by` as "passkey" the form asks for no password: the user creates a passkey on the next
    page, and can also sign in with a mailed code.
    """

    time_zone = forms.ChoiceField(
        choices=zone_choices,
        initial="UTC",
        label=pgettext_lazy("field", "Time zone"),
        required=False,
    )
    field_order = ["username", "email", "password1", "password2", "time_zone"]
    with_passkey = False

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        _name_the_fields(self)
        self.fields["password2"].label = _("Repeat the password")
        if self.data.get("by") == "passkey":
            self.with_passkey = True
            for name in ("password1", "password2"):
                self.fields[name].required = False

    def clean(self) -> dict[str, Any]:
        if self.with_passkey:
            self.cleaned_data |= {
                name: "" for name in ("password1", "password2") if name in self.fields
            }
        cleaned: dict[str, Any] = super().clean()
        return cleaned

    def validate_unique_email(self, value: str) -> str:
        """Accept an address that another user has.

        Only its owner learns of it, by e-mail (decision 30).
        """
        return value


def _name_the_fields(form: Any) -> None:
    form.fields["username"].label = pgettext_lazy("field", "Name")
    form.fields["username"].help_text = _("Everyone at the table sees it.")
    form.fields["email"].label = pgettext_lazy("field", "E-mail")
    form.fields["email"].help_text = _("No one else sees it.")
    form.fields["time_zone"].widget.attrs["data-zone"] = ""  # app.js proposes the browser's own


class SignUpElsewhere(SocialSignupForm):
    """The form for a new account of a user who comes from another site.

    It proposes the name from there, which the user may change.
    """

    time_zone = forms.ChoiceField(
        choices=zone_choices,
        initial="UTC",
        label=pgettext_lazy("field", "Time zone"),
        required=False,
    )
    field_order = ["username", "email", "time_zone"]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        _name_the_fields(self)

    def validate_unique_email(self, value: str) -> str:
        """Accept an address that another user has, as at every other sign-up."""
        return value


class InvitedSignUp(SignUp):
    """The form for a new account at an invitation to a seat.

    The password is typed only once; a mailed code helps after a typing error.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        del self.fields["password2"]
        self.fields["username"].label = _("Name at the table")
        self.fields["username"].help_text = ""
        self.fields["email"].help_text = _(
            "Used for the deadlines of your turns and attacks; no one else sees it."
        )


class AskForCode(RequestLoginCodeForm):
    """The form that requests a code by name or e-mail.

    It does not reveal whether such an account exists; `_user` is None if it does not.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["email"] = forms.CharField(
            label=_("E-mail or name"), max_length=254, validators=[plain]
        )
        self.fields["email"].widget.attrs["autocomplete"] = "username"

    def clean_email(self) -> str:
        user = find_by_login(self.cleaned_data["email"])
        usable = user is not None and user.is_active and user.email
        self._user = user if usable else None
        # An address that no one reads is handled in the same way: the next page is the same for
        # both.
        return user.email if user and usable else "nobody@invalid"


class ForgottenPassword(ResetPasswordForm):
    """The form that requests a link to set a new password."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["email"].label = pgettext_lazy("field", "E-mail")


class NewPassword(ResetPasswordKeyForm):
    """The form for a new password, reached by a link."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["password1"].label = pgettext_lazy("field", "New password")
        self.fields["password2"].label = _("Repeat the new password")


class ChangePasswordByOldForm(ChangePasswordForm):
    """The form that changes the password."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["oldpassword"].label = _("Current password")
        self.fields["password1"].label = pgettext_lazy("field", "New password")
        self.fields["password2"].label = _("Repeat the new password")


class FirstPassword(SetPasswordForm):
    """The form for the password of an account that has none."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["password1"].label = pgettext_lazy("field", "Password")
        self.fields["password2"].label = _("Repeat the password")


class CodeOnlyForm(forms.Form):
    """The second step of a sign-in by password, which accepts only codes.

    A passkey signs in by itself, without a second step.
    """

    def __init__(self, *args: Any, user: Any = None, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)

    def clean(self) -> dict[str, Any]:
        raise ValidationError(_("Enter the code."), code="no-code")


class ChangeAddressForm(AddEmailForm):
    """The form for a new e-mail address."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["email"].label = _("New e-mail")

    def clean_email(self) -> str:
        email: str = super().clean_email()
        holder = find_by_login(email)
        if holder and holder != self.user:
            raise get_adapter().validation_error("email_taken")
        return email


class ProfileForm(forms.ModelForm):
    """The profile of a user with an account."""

    time_zone = forms.ChoiceField(choices=zone_choices, label=pgettext_lazy("field", "Time zone"))

    class Meta:
        model = User
        fields = [
            "username",
            "language",
            "time_zone",
            "theme",
            "forum_name",
            "fog2_name",
            "owns_mare_nostrum",
            "rated",
        ]
        labels = {
            "username": pgettext_lazy("field", "Name"),
            "forum_name": _("Name on the forum"),
            "fog2_name": _("Name in Field of Glory II"),
            "owns_mare_nostrum": _("I own Mare Nostrum"),
            "rated": _("I take part in the ratings"),
            "language": pgettext_lazy("field", "Language"),
            "theme": _("Light and dark"),
        }
        help_texts = {
            "username": _("Everyone at the table sees it."),
            "forum_name": _("The name you post under."),
            "fog2_name": _("Your opponents use it to find you in the multiplayer lobby."),
            "owns_mare_nostrum": _("If you do, your naval battles can be fought there."),
            "rated": _(
                "Everyone can then see your name on the ratings page, with your battles and final "
                "ranks against others who take part, including earlier ones. If you switch this "
                "off, all of it disappears at once."
            ),
        }

    def clean_username(self) -> str:
        """Check a new name against the rules for new names.

        Users keep a name that is older than the rules.
        """
        name: str = self.cleaned_data["username"]
        if User.objects.filter(username_folded=fold(name)).exclude(pk=self.instance.pk).exists():
            raise get_adapter().validation_error("username_taken")
        if fold(name) == fold(self.instance.username):
            return name
        for must_hold in CHOSEN:
            must_hold(name)
        if look_alike(name, besides=self.instance.pk) is not None:
            raise get_adapter().validation_error("username_similar")
        return name


class GuestProfileForm(forms.ModelForm):
    """The profile of a guest, who cannot choose a name."""

    time_zone = forms.ChoiceField(choices=zone_choices, label=pgettext_lazy("field", "Time zone"))

    class Meta:
        model = User
        fields = ["language", "time_zone", "theme"]
        labels = {"language": pgettext_lazy("field", "Language"), "theme": _("Light and dark")}


# The form for an absence.

ALL, SOME = "all", "some"


class AwayForm(forms.Form):
    """The form for an absence of a user.

    `known` are the public id and the name of the campaigns that may be notified. The field
    `campaigns` counts only if `whom` is "some".
    """

    first = forms.DateField(label=_("First day away"))
    last = forms.DateField(label=_("Last day away"))
    note = forms.CharField(
        label=pgettext_lazy("field", "Note"),
        required=False,
        max_length=Absence.LONGEST_NOTE,
        validators=[one_line],
        help_text=_(
            "Say whom to ask while you are away, or whether you can look in now and then. The "
            "note appears in no log, and you can change it."
        ),
    )
    masters_only = forms.BooleanField(label=_("Show the note to game masters only"), required=False)
    whom = forms.ChoiceField(
        label=_("Campaigns to notify"),
        choices=[(ALL, _("All my campaigns")), (SOME, _("Only the campaigns below"))],
        initial=ALL,
        widget=forms.RadioSelect,
    )

    def __init__(self, *args: Any, known: list[tuple[str, str]], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["campaigns"] = forms.MultipleChoiceField(
            label=pgettext_lazy("field", "Campaigns"),
            required=False,
            choices=known,
            widget=forms.CheckboxSelectMultiple,
        )
        for name in ("first", "last"):
            self.fields[name].widget = forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d")
        self.fields["note"].widget.attrs["autocomplete"] = "off"

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        if (
            cleaned.get("whom") == SOME
            and not cleaned.get("campaigns")
            and "campaigns" not in self.errors
        ):
            self.add_error("campaigns", _("Choose at least one campaign, or notify all of them."))
        return cleaned
