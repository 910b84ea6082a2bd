"""Seeds, digest keys and tokens, which are stored sealed or hashed.

No admin page shows them or any content with an audience.
"""

from __future__ import annotations

from typing import Any

import pytest
from cryptography.fernet import InvalidToken
from django.apps import apps
from django.contrib import admin
from django.urls import reverse

from campaign import keys, services
from campaign.models import LogEntry


def test_sealed_values_are_opened_again() -> None:
    secret = keys.new_secret()
    assert len(secret) == 64
    assert keys.seal(secret) != keys.seal(secret)
    assert keys.unseal(keys.seal(secret)) == secret


def test_another_installation_opens_nothing(settings: Any) -> None:
    sealed = keys.seal("seed")
    settings.VAULT_KEY = "another"
    with pytest.raises(InvalidToken):
        keys.unseal(sealed)


def test_ids_and_tokens_have_their_length_and_alphabet() -> None:
    ids = {keys.new_public_id() for _ in range(50)}
    assert len(ids) == 50
    assert not set("".join(ids)) & set("il1o0")
    assert len(keys.new_token()) == 22


def test_the_admin_pages_show_no_secret(running: Any, client: Any, person: Any) -> None:
    _, token = services.invite(running.campaign, running.gm)
    running.play("bee", "hide", secret=4711)
    running.play("bee", "dig")
    client.force_login(person("Root", is_staff=True, is_superuser=True))
    campaign = running.reload()
    secrets = [
        campaign.seed_sealed,
        campaign.digest_key_sealed,
        keys.unseal(campaign.seed_sealed),
        token,
        "4711",
    ]
    secrets += [keys.token_hash(token), keys.unseal(campaign.digest_key_sealed)]
    asked = 0
    for model in apps.get_models():
        if (
            model._meta.app_label not in ("campaign", "nations", "battles")
            or model not in admin.site._registry
        ):
            continue
        name = f"admin:{model._meta.app_label}_{model._meta.model_name}"
        pages = [reverse(f"{name}_changelist")]
        pages += [
            reverse(f"{name}_change", args=[pk])
            for pk in model._default_manager.values_list("pk", flat=True)
        ]
        for page in pages:
            text = client.get(page, follow=True).content.decode()
            assert not [secret for secret in secrets if secret in text], page
            asked += 1
        assert client.get(reverse(f"{name}_add")).status_code == 403
        for page in pages[1:2]:
            assert client.post(page, {"name": "x"}).status_code in (302, 403)
    assert asked > 15
    hidden = LogEntry.objects.get(audience__isnull=False)
    answer = client.get(reverse("admin:campaign_logentry_change", args=[hidden.pk]))
    assert answer.status_code == 302
