"""What lower rooms call upward is there from the start."""

from __future__ import annotations

import pytest
from django.core.exceptions import ImproperlyConfigured

import battles.projection
import nations.projection
from campaign import hooks
from config.hooks import check
from forum import hooks as forum_hooks
from people import proof


def test_every_purpose_is_filled_and_the_ledger_is_read_before_the_battles() -> None:
    check(hooks)
    check(forum_hooks)
    check(proof)
    assert list(hooks.projections) == [nations.projection, battles.projection]


def test_a_purpose_without_a_function_keeps_the_site_from_starting(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delattr(hooks, "house_rules")
    with pytest.raises(ImproperlyConfigured, match=r"campaign\.hooks\.house_rules"):
        check(hooks)
    monkeypatch.delattr(forum_hooks, "report_notes")
    with pytest.raises(ImproperlyConfigured, match=r"forum\.hooks\.report_notes"):
        check(forum_hooks)
    monkeypatch.setattr(proof, "enders", ())
    with pytest.raises(ImproperlyConfigured, match=r"people\.proof\.enders"):
        check(proof)
