"""Signing up and in, one's account, the second factor. The names are allauth's own: its views ask for each other by them."""

from allauth.account import views as allauth
from allauth.mfa.base import views as mfa
from allauth.mfa.recovery_codes import views as recovery
from allauth.mfa.totp import views as totp
from django.contrib.auth.decorators import login_required
from django.urls import path, re_path

from web.views import absence, account, programs

urlpatterns = [
    path("sign-in/", allauth.login, name="account_login"),
    path("sign-in/code/", account.AskForCodeView.as_view(), name="account_request_login_code"),
    path("sign-in/code/type/", account.TypeCodeView.as_view(), name="account_confirm_login_code"),
    path("sign-in/second/", mfa.authenticate, name="mfa_authenticate"),
    path("sign-up/", account.SignUpView.as_view(), name="account_signup"),
    path("sign-out/", allauth.logout, name="account_logout"),
    path("me/", account.me, name="me"),
    path("me/absence/", absence.absent, name="absence"),
    path("me/programs/", programs.programs, name="programs"),
    path("me/password/", login_required(account.ChangePasswordView.as_view()), name="account_change_password"),
    path("me/inactive/", allauth.account_inactive, name="account_inactive"),
    path("me/email/", login_required(account.AddressView.as_view()), name="account_email"),
    re_path(r"^me/email/(?P<key>[-:\w]+)/$", allauth.confirm_email, name="account_confirm_email"),
    path("me/again/", allauth.reauthenticate, name="account_reauthenticate"),
    path("me/again/code/", mfa.reauthenticate, name="mfa_reauthenticate"),
    path("me/second-factor/", mfa.index, name="mfa_index"),
    path("me/second-factor/on/", totp.activate_totp, name="mfa_activate_totp"),
    path("me/second-factor/off/", totp.deactivate_totp, name="mfa_deactivate_totp"),
    path("me/second-factor/codes/", recovery.view_recovery_codes, name="mfa_view_recovery_codes"),
    path("me/second-factor/codes/new/", recovery.generate_recovery_codes, name="mfa_generate_recovery_codes"),
    path("me/second-factor/codes/file/", recovery.download_recovery_codes, name="mfa_download_recovery_codes"),
    path("password/", account.ForgottenPasswordView.as_view(), name="account_reset_password"),
    path("password/sent/", allauth.password_reset_done, name="account_reset_password_done"),
    re_path(
        r"^password/key/(?P<uidb36>[0-9A-Za-z]+)-(?P<key>.+)/$",
        account.NewPasswordView.as_view(),
        name="account_reset_password_from_key",
    ),
    path("password/changed/", allauth.password_reset_from_key_done, name="account_reset_password_from_key_done"),
]
