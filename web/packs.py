"""Audit packs that are kept: which one a reader gets, where it lies, how far it is, who makes it.

There are two of a campaign at most: what everybody may take, and while hands are hidden what the game master may. A pack is
named by the digest of all that stands in it, so that its name never gives anything else: another entry, another post, another
name of somebody, and it is another pack. The worker makes it (`web.tasks`) and it is kept for a while in the storage that all
machines share (`web.files`). How far it is, is a note in the cache: whoever asks once more than needed makes it once more.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from datetime import datetime
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any, NamedTuple

from django.conf import settings
from django.core.cache import cache
from django.db.models import Q
from django.utils import translation
from django.utils.translation import get_language

from campaign import record
from campaign.access import NOBODY, Access
from campaign.models import Campaign
from engine.language import spoken
from engine.log import canonical
from forum.models import Post
from people.models import User
from web import files
from web.pack import FORMAT, SCRIPTS, STYLES, Pack

log = logging.getLogger(__name__)

EVERYBODY, GAME_MASTER = "all", "gm"
WHO = {EVERYBODY: NOBODY, GAME_MASTER: Access(game_master=True, host=True)}
"""Through whose eyes each kind is made: never through its reader's own, who may see more."""
VERSION = 3
"""To be raised with every change of what stands in a pack."""
KEEP, MOST = 24 * 60 * 60, 2**30
"""A pack is kept for so many seconds, and so many bytes of them."""
PATIENCE, SILENCE, LAPSES = 15, 60, 600
"""After so many seconds in which nobody has begun, no worker runs; after so many without a word of it, who made it has died;
after so many nobody begins what was asked for."""


class Wanted(NamedTuple):
    """A pack that may or may not have been made: of whom for whom, and its name."""

    campaign: Campaign
    audience: str
    language: str
    digest: str

    @property
    def file(self) -> str:
        """Its name in the storage (`web.files`)."""
        return f"{folder(self.campaign)}/{self.audience}-{self.digest}.zip"

    @property
    def key(self) -> str:
        return f"pack:{self.campaign.pk}:{self.audience}:{self.digest}"


class Progress(NamedTuple):
    """How far a pack is: when it was asked for, when something was last heard of it (0: nobody has begun), members done."""

    asked: float
    heard: float = 0.0
    done: int = 0
    of: int = 0


def wanted(campaign: Campaign, user: Any) -> Wanted:
    """The pack that this reader gets now, in his language. Raises `NotAllowed` where the record is not his to take."""
    return _wanted(campaign, GAME_MASTER if record.must_take(campaign, user) else EVERYBODY)


def _wanted(campaign: Campaign, audience: str) -> Wanted:
    language = get_language() or ""
    return Wanted(campaign, audience, language, sha256(canonical(_content(campaign, language)).encode()).hexdigest()[:32])


def _content(campaign: Campaign, language: str) -> list[Any]:
    """All that a pack is made of: the log, by its last hash, and what stands in no log."""
    named = User.objects.filter(Q(pk__in=campaign.entries.values("actor")) | Q(pk__in=campaign.memberships.values("user")))
    posts = Post.objects.filter(campaign=campaign, state__in=(Post.State.POSTED, Post.State.AWAITING)).order_by("pk")
    parts = [(Path(settings.BASE_DIR) / "static" / part).stat().st_mtime_ns for part in (*SCRIPTS, *(f"css/{s}" for s in STYLES))]
    return [
        FORMAT, VERSION, language, settings.SITE_URL, parts, campaign.public_id, campaign.name, campaign.last_hash,
        sorted(named.values_list("pk", "username")),
        [[str(part) for part in row] for row in posts.values_list("pk", "state", "subject", "permalink", "posted_at")],
    ]  # fmt: skip


def folder(campaign: Campaign) -> str:
    return f"packs/{campaign.public_id}"


def progress(pack: Wanted) -> Progress | None:
    """None where nobody has asked for it, or what was asked for has been forgotten."""
    found = cache.get(pack.key)
    return Progress(*found) if found else None


def ask(pack: Wanted) -> None:
    """Leaves it to the worker. Asks again where who made it has been silent for too long."""
    from web.tasks import make_pack

    cache.set(pack.key, tuple(Progress(time.time())), LAPSES)
    try:
        make_pack.apply_async((pack.campaign.pk, pack.audience, pack.language), expires=LAPSES, retry=False)
    except Exception as error:  # Whatever the broker or its client raises, the page is shown all the same.
        log.warning("Nobody takes packs to make: %s", error)


def silent(at: Progress, now: float) -> bool:
    """Has who makes it died?"""
    return bool(at.heard) and now - at.heard > SILENCE


def abandoned(at: Progress, now: float) -> bool:
    """Has nobody begun, as where no worker runs?"""
    return not at.heard and now - at.asked > PATIENCE


def make(pk: int, audience: str, language: str) -> Wanted | None:
    """Makes the pack as the campaign stands now, unless it is there or being made; None where there is none to be made.

    What the log says meanwhile makes it another pack: then it is not kept, and whoever waits asks for that one.
    """
    campaign = Campaign.objects.filter(pk=pk).first()
    if campaign is None or campaign.suspended or audience not in WHO:
        return None
    with translation.override(language), spoken(language):
        if audience == EVERYBODY and record.keeps_secrets(campaign):
            return None
        pack = _wanted(campaign, audience)
        if files.there(pack.file) or not cache.add(f"{pack.key}:making", 1, SILENCE):
            return pack
        try:
            _write(pack)
        finally:
            cache.delete(f"{pack.key}:making")
    return pack


def _write(pack: Wanted) -> None:
    with TemporaryFile() as whole:
        Pack(pack.campaign, WHO[pack.audience]).write(whole, _teller(pack))
        now = Campaign.objects.get(pk=pack.campaign.pk)
        if _wanted(now, pack.audience).digest == pack.digest:
            whole.seek(0)
            files.put(pack.file, whole)
    cache.delete(pack.key)


def _teller(pack: Wanted) -> Callable[[int, int], None]:
    """Notes how far it is, once a second at most."""
    before = progress(pack) or Progress(time.time())
    last = 0.0

    def tell(done: int, of: int) -> None:
        nonlocal last
        now = time.time()
        if now - last >= 1:
            last = now
            cache.set(pack.key, (before.asked, now, done, of), LAPSES)
            cache.touch(f"{pack.key}:making", SILENCE)

    tell(0, 0)
    return tell


# What goes --------------------------------------------------------------------------------------------------------------


def tick(now: datetime, limit: int | None = None) -> int:
    """Removes what is older than `KEEP`, and the oldest where there is more than `MOST`; how many went."""
    return files.prune("packs", MOST, now.timestamp() - KEEP)


def forget(user: Any, at: datetime) -> list[str]:
    """Of who is erased: every pack of a campaign that knows him. New ones have his name no more."""
    from campaign.services.erasing import touched

    gone = 0
    for campaign in touched(user):
        for name in files.names(folder(campaign)):
            files.remove(name)
            gone += 1
    return [f"{gone} packs"]
