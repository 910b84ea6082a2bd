"""Test of the page on which a user confirms again who they are."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse


@pytest.mark.django_db
def test_the_form_is_sent_to_its_own_page(person: Callable[..., Any]) -> None:
    client = Client()
    client.force_login(person("Ada"))
    address = reverse("account_reauthenticate")
    assert f'method="post" action="{address}"' in client.get(address).content.decode()
