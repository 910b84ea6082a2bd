"""Stored audit packs: their names, their readers, their progress, and their making.

A campaign has at most two packs: one that everyone may take, and, while hands are hidden, one that
the game master may take. A pack is named by the digest of everything in it, so that a name always
gives the same content: after another entry, another post or a change of a name it is another pack.
The worker makes it (`web.tasks`), and it is kept for a while in the storage that all machines share
(`campaign.files`). Its progress is a note in the cache. `web.exports.pack_contents` describes its
contents.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import datetime
from hashlib import sha256
from tempfile import TemporaryFile
from typing import NamedTuple

from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.core.cache import cache
from django.db.models import Q
from django.utils import translation
from django.utils.translation import get_language

from campaign import files
from campaign.access import NO_ACCESS, Access
from campaign.hosting import host_acts
from campaign.log import record
from campaign.models import Campaign
from engine.language import use_language
from engine.strict_json import canonical
from forum.models import Post
from people.models import User
from web.exports.pack_contents import FORMAT, SCRIPT_AND_STYLES, Pack, rules_files
from web.own_data import storage as own_data

EVERYBODY, GAME_MASTER = "all", "gm"
READERS = {EVERYBODY: NO_ACCESS, GAME_MASTER: Access(game_master=True, host=True)}
"""The rights of the readers of each kind of pack. The user who requests it may have more."""
VERSION = 6
"""Increase it with every change of the contents of a pack."""
KEEP, MOST = 24 * 60 * 60, 2**30
"""The seconds for which a pack is kept, and the most bytes of all packs."""
PATIENCE, SILENCE, LAPSES = 15, 60, 600
"""Time limits in seconds.

If no worker has begun after `PATIENCE`, none seems to run. If the worker has reported nothing for
`SILENCE`, it seems to have died. A request is forgotten after `LAPSES`.
"""


class Wanted(NamedTuple):
    """A pack that may or may not have been made: its campaign, its readers, and its name."""

    campaign: Campaign
    audience: str
    language: str
    digest: str

    @property
    def file(self) -> str:
        """The name of the pack in the storage (`campaign.files`)."""
        return f"{folder(self.campaign)}/{self.audience}-{self.digest}.zip"

    @property
    def key(self) -> str:
        """The key under which the cache has the progress of the pack."""
        return f"pack:{self.campaign.pk}:{self.audience}:{self.digest}"


class Progress(NamedTuple):
    """The progress of a pack.

    `requested_at` is the time of the request. `reported` is the time of the worker's last report,
    or 0 if no worker has begun. `done` is the number of finished members, `of` the number of all.
    """

    requested_at: float
    reported: float = 0.0
    done: int = 0
    of: int = 0


def wanted_pack(campaign: Campaign, user: User | AnonymousUser) -> Wanted:
    """Return the pack that this user gets now, in the active language.

    Raise `NotAllowed` if they may not take the record.
    """
    only_master = record.check_may_export(campaign, user)
    return pack_for(campaign, GAME_MASTER if only_master else EVERYBODY)


def pack_for(campaign: Campaign, audience: str) -> Wanted:
    """Return the present pack of a campaign for these readers, in the active language."""
    language = get_language() or ""
    content = canonical(content_of(campaign, language))
    return Wanted(campaign, audience, language, sha256(content.encode()).hexdigest()[:32])


def content_of(campaign: Campaign, language: str) -> list[object]:
    """Return all data that a pack depends on: the last hash of the log, and other data."""
    people = User.objects.filter(
        Q(pk__in=campaign.entries.values("actor")) | Q(pk__in=campaign.memberships.values("user"))
    )
    states = (Post.State.POSTED, Post.State.AWAITING)
    posts = Post.objects.filter(campaign=campaign, state__in=states)
    posts = posts.exclude(report="").order_by("pk")
    rows = posts.values_list("pk", "state", "subject", "permalink", "posted_at")
    paths = SCRIPT_AND_STYLES | rules_files()
    return [
        FORMAT,
        VERSION,
        language,
        settings.SITE_URL,
        [path.stat().st_mtime_ns for path in paths.values()],
        campaign.public_id,
        campaign.name,
        campaign.last_hash,
        sorted(people.values_list("pk", "username")),
        [[str(value) for value in row] for row in rows],
    ]


def folder(campaign: Campaign) -> str:
    """Return the folder with the packs of a campaign."""
    return f"packs/{campaign.public_id}"


def progress(pack: Wanted) -> Progress | None:
    """Return the progress of a pack; None if it has not been requested recently."""
    state = cache.get(pack.key)
    return Progress(*state) if state else None


def note_request(pack: Wanted) -> None:
    """Note that a pack waits for the worker."""
    cache.set(pack.key, tuple(Progress(time.time())), LAPSES)


def silent(known: Progress, now: float) -> bool:
    """Return whether the worker that makes a pack seems to have died."""
    return bool(known.reported) and now - known.reported > SILENCE


def abandoned(known: Progress, now: float) -> bool:
    """Return whether no worker has begun in time, which means that probably none runs."""
    return not known.reported and now - known.requested_at > PATIENCE


def make(pk: int, audience: str, language: str) -> Wanted | None:
    """Make the pack of a campaign, unless it exists or is being made; None if there is none.

    If the log grows meanwhile, this pack is out of date and is not kept; the waiting page then
    requests the new one.
    """
    campaign = Campaign.objects.filter(pk=pk).first()
    if campaign is None or campaign.suspended or audience not in READERS:
        return None
    with translation.override(language), use_language(language):
        if audience == EVERYBODY and record.keeps_secrets(campaign):
            return None
        pack = pack_for(campaign, audience)
        lock = f"{pack.key}:making"
        if files.exists(pack.file) or not cache.add(lock, 1, SILENCE):
            return pack
        try:
            write(pack)
        finally:
            cache.delete(lock)
    return pack


def write(pack: Wanted) -> None:
    """Make a pack, and keep it if it is still up to date."""
    with TemporaryFile() as file:
        Pack(pack.campaign, READERS[pack.audience]).write(file, progress_reporter(pack))
        campaign = Campaign.objects.get(pk=pack.campaign.pk)
        if pack_for(campaign, pack.audience).digest == pack.digest:
            file.seek(0)
            files.put(pack.file, file)
    cache.delete(pack.key)


def progress_reporter(pack: Wanted) -> Callable[[int, int], None]:
    """Return a function that stores the progress of a pack, at most once a second."""
    before = progress(pack) or Progress(time.time())
    last = 0.0

    def report_step(done: int, of: int) -> None:
        nonlocal last
        now = time.time()
        if now - last < 1:
            return
        last = now
        cache.set(pack.key, (before.requested_at, now, done, of), LAPSES)
        cache.touch(f"{pack.key}:making", SILENCE)

    report_step(0, 0)
    return report_step


# Removal


def tick(now: datetime, limit: int | None = None) -> int:
    """Remove expired files; return how many were removed.

    These are packs older than `KEEP`, the oldest packs if there are more than `MOST` bytes, and
    files of users' own data that are older than a day.
    """
    return files.prune("packs", MOST, now.timestamp() - KEEP) + own_data.tick(now)


def remove_packs_about(user: User, at: datetime) -> list[str]:
    """Remove every pack of a campaign that names a user who is being erased.

    New packs will not have their name.
    """
    removed = 0
    for campaign in host_acts.touched(user):
        for name in files.names(folder(campaign)):
            files.remove(name)
            removed += 1
    return [f"{removed} packs"]
