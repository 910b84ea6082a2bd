"""The hooks are assigned from the start."""

from __future__ import annotations

import pytest
from django.core.exceptions import ImproperlyConfigured

import battles.projection
import nations.projection
from campaign import hooks
from config.hooks import check_module
from forum import hooks as forum_hooks
from people import hooks as people_hooks
from web.frame import hooks as frame_hooks


def test_every_hook_is_assigned_and_the_ledger_is_read_before_the_battles() -> None:
    check_module(hooks)
    check_module(forum_hooks)
    check_module(people_hooks)
    check_module(frame_hooks)
    assert list(hooks.projections) == [nations.projection, battles.projection]


def test_a_hook_without_a_function_keeps_the_site_from_starting(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delattr(hooks, "result_origins")
    with pytest.raises(ImproperlyConfigured, match=r"campaign\.hooks\.result_origins"):
        check_module(hooks)
    monkeypatch.delattr(forum_hooks, "report_notes")
    with pytest.raises(ImproperlyConfigured, match=r"forum\.hooks\.report_notes"):
        check_module(forum_hooks)
    monkeypatch.setattr(people_hooks, "credential_sources", ())
    with pytest.raises(ImproperlyConfigured, match=r"people\.hooks\.credential_sources"):
        check_module(people_hooks)
