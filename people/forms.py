"""Forms about oneself. Labels and errors in the table's voice."""

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

from people.models import Absence, User, find, look_alike
from people.validators import CHOSEN, fold, one_line, plain, zones


def zone_choices() -> list[tuple[str, str]]:
    return [(zone, zone.replace("_", " ")) for zone in zones()]


class SignIn(LoginForm):
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["login"].label = _("E-mail or name")
        self.fields["login"].widget.attrs["autocomplete"] = (
            "username webauthn"  # the browser proposes passkeys there
        )
        self.fields["password"].help_text = ""  # the page has its own link
        self.fields["remember"].label = _("Stay signed in on this device")

    def clean_login(self) -> str:
        """A name may be typed in any case, in every alphabet."""
        login = self.cleaned_data["login"].strip()
        user = User.objects.filter(username_folded=fold(login)).first()
        return user.username if user else login


class SignUp(SignupForm):
    """With `by` as "passkey" no password is asked for: a passkey is made on the next page, and a
    mailed code signs in as well.
    """

    time_zone = forms.ChoiceField(
        choices=zone_choices, initial="UTC", label=_("Time zone"), required=False
    )
    field_order = ["username", "email", "password1", "password2", "time_zone"]
    with_passkey = False

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        _name_the_fields(self)
        self.fields["password2"].label = _("Password, again")
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
        """Whether somebody has this address already is told to its owner alone, by letter (decision
        30).
        """
        return value


def _name_the_fields(form: Any) -> None:
    form.fields["username"].label = _("Name")
    form.fields["username"].help_text = _("Everybody at the table sees it.")
    form.fields["email"].label = _("E-mail")
    form.fields["email"].help_text = _("Nobody else sees it.")
    form.fields["time_zone"].widget.attrs["data-zone"] = ""  # app.js proposes the browser's own


class SignUpElsewhere(SocialSignupForm):
    """For who comes by an account of another site: the name there is proposed, and may be another
    here.
    """

    time_zone = forms.ChoiceField(
        choices=zone_choices, initial="UTC", label=_("Time zone"), required=False
    )
    field_order = ["username", "email", "time_zone"]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        _name_the_fields(self)

    def validate_unique_email(self, value: str) -> str:
        """As at every other sign-up."""
        return value


class InvitedSignUp(SignUp):
    """At an invitation, where an account is made with the seat: the password is typed once, a
    mailed code mends a slip.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        del self.fields["password2"]
        self.fields["username"].label = _("Name at the table")
        self.fields["username"].help_text = ""
        self.fields["email"].help_text = _("For your slots and attacks; shown to nobody.")


class AskForCode(RequestLoginCodeForm):
    """By name or e-mail. Whether there is such an account is not told; `_user` is None where there
    is none.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["email"] = forms.CharField(
            label=_("E-mail or name"), max_length=254, validators=[plain]
        )
        self.fields["email"].widget.attrs["autocomplete"] = "username"

    def clean_email(self) -> str:
        user = find(self.cleaned_data["email"])
        usable = user is not None and user.is_active and user.email
        self._user = user if usable else None
        # An address that nobody answers at goes the same way: the next page is the same for both.
        return user.email if user and usable else "nobody@invalid"


class ForgottenPassword(ResetPasswordForm):
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["email"].label = _("E-mail")


class NewPassword(ResetPasswordKeyForm):
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["password1"].label = _("New password")
        self.fields["password2"].label = _("New password, again")


class OtherPassword(ChangePasswordForm):
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["oldpassword"].label = _("Present password")
        self.fields["password1"].label = _("New password")
        self.fields["password2"].label = _("New password, again")


class FirstPassword(SetPasswordForm):
    """For an account that has none."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["password1"].label = _("Password")
        self.fields["password2"].label = _("Password, again")


class NoPasskeyHere(forms.Form):
    """The second step of a sign-in by password takes codes alone: a passkey signs in by itself,
    without a second step.
    """

    def __init__(self, *args: Any, user: Any = None, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)

    def clean(self) -> dict[str, Any]:
        raise ValidationError(_("Type a code."), code="no-code")


class OtherAddress(AddEmailForm):
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["email"].label = _("New e-mail")

    def clean_email(self) -> str:
        email: str = super().clean_email()
        holder = find(email)
        if holder and holder != self.user:
            raise get_adapter().validation_error("email_taken")
        return email


class AboutMe(forms.ModelForm):
    time_zone = forms.ChoiceField(choices=zone_choices, label=_("Time zone"))

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
            "username": _("Name"),
            "forum_name": _("Name on the forum"),
            "fog2_name": _("Name in Field of Glory II"),
            "owns_mare_nostrum": _("I own Mare Nostrum"),
            "rated": _("I take part in the ratings"),
            "language": _("Language"),
            "theme": _("Light and dark"),
        }
        help_texts = {
            "username": _("Everybody at the table sees it."),
            "forum_name": _("The name you post under."),
            "fog2_name": _("Your opponents find you by it in the lobby."),
            "owns_mare_nostrum": _("Naval battles can then be fought there."),
            "rated": _(
                "Then everybody sees your name on the page of ratings, with your battles and final"
                " ranks against others who take part, earlier ones too. Switch it off, and all of"
                " it goes at once."
            ),
        }

    def clean_username(self) -> str:
        """Apply the rules for new names only to a new name: users keep a name that is older than
        the rules.
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


class AboutGuest(forms.ModelForm):
    """A guest has a name given to them, and a page that suits them."""

    time_zone = forms.ChoiceField(choices=zone_choices, label=_("Time zone"))

    class Meta:
        model = User
        fields = ["language", "time_zone", "theme"]
        labels = {"language": _("Language"), "theme": _("Light and dark")}


# The form in which somebody says when they are away.

ALL, SOME = "all", "some"


class AwayForm(forms.Form):
    """`campaigns` are (public id, name) of those that may be told; which of them, only where `whom`
    says some.
    """

    first = forms.DateField(label=_("First day away"))
    last = forms.DateField(label=_("Last day away"))
    note = forms.CharField(
        label=_("Note"),
        required=False,
        max_length=Absence.LONGEST_NOTE,
        validators=[one_line],
        help_text=_(
            "Whom to ask meanwhile, or whether you can look in. It is in no log; you can change it."
        ),
    )
    masters_only = forms.BooleanField(label=_("Only game masters read the note"), required=False)
    whom = forms.ChoiceField(
        label=_("Who is notified"),
        choices=[(ALL, _("All my campaigns")), (SOME, _("Only these"))],
        initial=ALL,
        widget=forms.RadioSelect,
    )

    def __init__(self, *args: Any, known: list[tuple[str, str]], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["campaigns"] = forms.MultipleChoiceField(
            label=_("Campaigns"),
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
            self.add_error("campaigns", _("Choose at least one, or notify all."))
        return cleaned
