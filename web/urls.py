"""Addresses of the site. Those of campaigns begin with /c/."""

from allauth.account import views as allauth
from django.contrib.auth.decorators import login_required
from django.urls import path, re_path

from web import urls_battle, urls_nation, urls_report, urls_table
from web.views import account, demo, front

urlpatterns = [
    path("", front.front, name="front"),
    path("demonstration/<int:pk>/", demo.become, name="become"),
    # The names are allauth's own: its views ask for each other by them.
    path("sign-in/", allauth.login, name="account_login"),
    path("sign-up/", account.SignUpView.as_view(), name="account_signup"),
    path("sign-out/", allauth.logout, name="account_logout"),
    path("me/", account.me, name="me"),
    path("me/password/", login_required(account.ChangePasswordView.as_view()), name="account_change_password"),
    path("me/inactive/", allauth.account_inactive, name="account_inactive"),
    path("password/", allauth.password_reset, name="account_reset_password"),
    path("password/sent/", allauth.password_reset_done, name="account_reset_password_done"),
    re_path(
        r"^password/key/(?P<uidb36>[0-9A-Za-z]+)-(?P<key>.+)/$",
        allauth.password_reset_from_key,
        name="account_reset_password_from_key",
    ),
    path("password/changed/", allauth.password_reset_from_key_done, name="account_reset_password_from_key_done"),
    *urls_battle.urlpatterns,
    *urls_report.urlpatterns,
    *urls_table.urlpatterns,
    *urls_nation.urlpatterns,
]
