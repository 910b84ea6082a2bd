"""Audit packs that are kept: which one a reader gets, where it is, its progress, and its making.

A campaign has at most two: the one that everyone may take, and, while hands are hidden, the one
that the game master may take. A pack is named by the digest of everything in it, so that a name
never gives anything else: after another entry, another post or a change of a name it is another
pack. The worker makes it (`web.tasks`), and it is kept for a while in the storage that all machines
share (`campaign.files`). Its progress is a note in the cache. `web.exports.pack_contents` says
what is in it.
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
from campaign.access import NOBODY, Access
from campaign.hosting import host_acts
from campaign.log import record
from campaign.models import Campaign
from engine.language import reading_in
from engine.strict_json import canonical
from forum.models import Post
from people.models import User
from web.exports.pack_contents import FORMAT, SCRIPT_AND_STYLES, Pack, rules_files
from web.own_data import storage as own_data

EVERYBODY, GAME_MASTER = "all", "gm"
READERS = {EVERYBODY: NOBODY, GAME_MASTER: Access(game_master=True, host=True)}
"""What the reader of each kind of pack may see. The user who asks may see more."""
VERSION = 6
"""Raise it with every change of what is in a pack."""
KEEP, MOST = 24 * 60 * 60, 2**30
"""The seconds for which a pack is kept, and the most bytes of all packs."""
PATIENCE, SILENCE, LAPSES = 15, 60, 600
"""The seconds after which no worker seems to run if none has begun; after which the worker seems to
have died if it has reported nothing; after which a request is forgotten.
"""


class Wanted(NamedTuple):
    """A pack that may or may not have been made: its campaign, its readers, and its name."""

    campaign: Campaign
    audience: str
    language: str
    digest: str

    @property
    def file(self) -> str:
        """Its name in the storage (`campaign.files`)."""
        return f"{folder(self.campaign)}/{self.audience}-{self.digest}.zip"

    @property
    def key(self) -> str:
        """The key of its progress in the cache."""
        return f"pack:{self.campaign.pk}:{self.audience}:{self.digest}"


class Progress(NamedTuple):
    """The progress of a pack: when it was requested, when the worker last reported (0: it has not
    begun), and the members that are done.
    """

    asked: float
    heard: float = 0.0
    done: int = 0
    of: int = 0


def wanted_pack(campaign: Campaign, user: User | AnonymousUser) -> Wanted:
    """Return the pack that this user gets now, in the active language. Raises `NotAllowed` if they
    may not take the record.
    """
    only_master = record.must_take(campaign, user)
    return pack_for(campaign, GAME_MASTER if only_master else EVERYBODY)


def pack_for(campaign: Campaign, audience: str) -> Wanted:
    """Return the present pack of a campaign for these readers, in the active language."""
    language = get_language() or ""
    content = canonical(content_of(campaign, language))
    return Wanted(campaign, audience, language, sha256(content.encode()).hexdigest()[:32])


def content_of(campaign: Campaign, language: str) -> list[object]:
    """Return everything that a pack is made of: the log, by its last hash, and what is not in the
    log.
    """
    people = User.objects.filter(
        Q(pk__in=campaign.entries.values("actor")) | Q(pk__in=campaign.memberships.values("user"))
    )
    states = (Post.State.POSTED, Post.State.AWAITING)
    posts = Post.objects.filter(campaign=campaign, state__in=states).order_by("pk")
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
    """Return the progress of a pack; None if no one has requested it lately."""
    state = cache.get(pack.key)
    return Progress(*state) if state else None


def note_request(pack: Wanted) -> None:
    """Note that a pack waits for the worker."""
    cache.set(pack.key, tuple(Progress(time.time())), LAPSES)


def silent(known: Progress, now: float) -> bool:
    """Return whether the worker that makes a pack seems to have died."""
    return bool(known.heard) and now - known.heard > SILENCE


def abandoned(known: Progress, now: float) -> bool:
    """Return whether no worker has begun, as if none runs."""
    return not known.heard and now - known.asked > PATIENCE


def make(pk: int, audience: str, language: str) -> Wanted | None:
    """Make the pack of a campaign, unless it exists or is being made. Return None if there is none
    to make.

    If the log grows meanwhile, the present pack is another one. Then this one is not kept, and the
    page that waits requests the other one.
    """
    campaign = Campaign.objects.filter(pk=pk).first()
    if campaign is None or campaign.suspended or audience not in READERS:
        return None
    with translation.override(language), reading_in(language):
        if audience == EVERYBODY and record.keeps_secrets(campaign):
            return None
        pack = pack_for(campaign, audience)
        lock = f"{pack.key}:making"
        if files.there(pack.file) or not cache.add(lock, 1, SILENCE):
            return pack
        try:
            write(pack)
        finally:
            cache.delete(lock)
    return pack


def write(pack: Wanted) -> None:
    """Make a pack, and keep it if it is still the present one."""
    with TemporaryFile() as file:
        Pack(pack.campaign, READERS[pack.audience]).write(file, progress_reporter(pack))
        campaign = Campaign.objects.get(pk=pack.campaign.pk)
        if pack_for(campaign, pack.audience).digest == pack.digest:
            file.seek(0)
            files.put(pack.file, file)
    cache.delete(pack.key)


def progress_reporter(pack: Wanted) -> Callable[[int, int], None]:
    """Return a function that notes the progress of a pack, at most once a second."""
    before = progress(pack) or Progress(time.time())
    last = 0.0

    def report_step(done: int, of: int) -> None:
        nonlocal last
        now = time.time()
        if now - last < 1:
            return
        last = now
        cache.set(pack.key, (before.asked, now, done, of), LAPSES)
        cache.touch(f"{pack.key}:making", SILENCE)

    report_step(0, 0)
    return report_step


# Removal


def tick(now: datetime, limit: int | None = None) -> int:
    """Remove packs that are older than `KEEP`, and the oldest if there are more than `MOST` bytes.
    Remove files of users' own data that are older than a day, too. Return how many files
    were removed.
    """
    return files.prune("packs", MOST, now.timestamp() - KEEP) + own_data.tick(now)


def remove_packs_about(user: User, at: datetime) -> list[str]:
    """Remove every pack of a campaign that names a user who is erased. New packs do not have their
    name.
    """
    removed = 0
    for campaign in host_acts.touched(user):
        for name in files.names(folder(campaign)):
            files.remove(name)
            removed += 1
    return [f"{removed} packs"]
