"""Forms about oneself. Labels and errors in the table's voice."""

from typing import Any

from allauth.account.adapter import get_adapter
from allauth.account.forms import LoginForm, SignupForm
from django import forms

from people.models import User
from people.validators import fold, zones


def zone_choices() -> list[tuple[str, str]]:
    return [(zone, zone.replace("_", " ")) for zone in zones()]


class SignIn(LoginForm):
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["login"].label = "E-mail or name"
        self.fields["login"].widget.attrs["autocomplete"] = "username"
        self.fields["password"].help_text = ""  # the page has its own link
        self.fields["remember"].label = "Stay signed in on this device"

    def clean_login(self) -> str:
        """A name may be typed in any case, in every alphabet."""
        login = self.cleaned_data["login"].strip()
        user = User.objects.filter(username_folded=fold(login)).first()
        return user.username if user else login


class SignUp(SignupForm):
    time_zone = forms.ChoiceField(choices=zone_choices, initial="UTC", label="Time zone", required=False)
    field_order = ["username", "email", "password1", "password2", "time_zone"]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["username"].label = "Name"
        self.fields["username"].help_text = "Everybody at the table sees it."
        self.fields["email"].label = "E-mail"
        self.fields["email"].help_text = "Nobody else sees it."
        self.fields["password2"].label = "Password, again"
        self.fields["time_zone"].widget.attrs["data-zone"] = ""  # app.js proposes the browser's own

    def clean_email(self) -> str:
        email: str = super().clean_email()
        if User.objects.filter(email_folded=fold(email)).exists():
            raise get_adapter().validation_error("email_taken")
        return email


class AboutMe(forms.ModelForm):
    time_zone = forms.ChoiceField(choices=zone_choices, label="Time zone")

    class Meta:
        model = User
        fields = ["time_zone", "fog2_name"]
        labels = {"fog2_name": "Name in Field of Glory II"}
        help_texts = {"fog2_name": "Your opponents find you by it in the lobby."}
