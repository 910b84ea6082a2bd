"""The question whether an account of another site may sign in here too."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.translation import gettext as _

from people.models import User


@dataclass(frozen=True, slots=True)
class LinkPage:
    """An account elsewhere that can be linked."""

    site: str
    note: str

    @property
    def heading(self) -> str:
        return _("Link %(site)s?") % {"site": self.site}


def link_page(user: User, site: str, name: str) -> LinkPage:
    """Return the question. `name` is that of the account elsewhere, if the other site sends it."""
    facts = {"site": site, "name": name, "user": user.username}
    if name:
        text = _("You can then also sign in to %(user)s with the %(site)s account %(name)s.")
    else:
        text = _("You can then also sign in to %(user)s with your %(site)s account.")
    return LinkPage(site, text % facts)
