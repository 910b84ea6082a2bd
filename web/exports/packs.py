"""The audit pack: a whole campaign in one zip, to be checked and read without this server, from a
disk.

`record.json`, `drawing.json` where the campaign brings a map of its own (its SHA-256 is in the
first entry), the log with its chain of hashes (`log.jsonl`), the rolls with the links that prove
them (`rolls.json`), the script that checks both (`verify.py`) with the rules of the title, by which
it replays each move (`rules/`), ledgers, log and dice as spreadsheets, the reports and what of them
was posted, the map after each turn, and pages of plain HTML that open from `index.html`. As
everybody may see it, and where hands are hidden and it runs, as the game master may; its times are
UTC. Who keeps it and hands it out: `web.exports.packs`.
"""

from __future__ import annotations

import json
import logging
import time
import zipfile
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from functools import cached_property, lru_cache
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO, Any, NamedTuple

from django.conf import settings
from django.core.cache import cache
from django.db.models import Q
from django.http import HttpRequest
from django.template.loader import render_to_string
from django.utils import timezone, translation
from django.utils.safestring import SafeString
from django.utils.text import slugify
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from campaign import scenarios
from campaign.access import NOBODY, Access
from campaign.dice import selectors as dice_selectors
from campaign.log import lines as log_lines
from campaign.log import positions, record, selectors
from campaign.models import Campaign, DiceRoll, LogEntry
from campaign.pack_files import DRAWING, MEMBER
from engine.language import reading_in
from engine.strict_json import canonical
from forum.dialects import DIALECTS, Context
from forum.models import Post
from forum.posts import reports as posts_reports
from games.contract.report import Contents, Line
from nations import projection as nations
from people.models import User
from web import titles
from web.exports import images
from web.frame import files
from web.frame.campaign_page import TableContext
from web.ledger.lines import account_holders
from web.log.lines import rows
from web.own_data import storage as own_data
from web.sheets.page import dice_sheet, ledger_sheet, log_sheet
from web.titles.talk import capital, talk

FORMAT = "tabula-pack/1"
_STATIC = Path(settings.BASE_DIR) / "static"
BROUGHT = {
    "verify.py": _STATIC / "verify.py",
    **{f"style/{name}": _STATIC / "css" / name for name in ("tokens.css", "pack.css")},
}
"""The script and styles, by their names in a pack."""
FIXED = 11 + len(BROUGHT)
"""The members that every pack has: four of data, two sheets, four pages, `pack.json`, script and
styles.
"""
RULES = (
    "engine/*.py",
    "games/*.py",
    "games/contract/*.py",
    "games/kit/*.py",
    "games/{title}/*.py",
    "games/{title}/*.json",
    "games/{title}/rules/*.py",
    "games/{title}/text/*.py",
    "games/{title}/tables/*.json",
    "games/{title}/scenarios/*/scenario.json",
)
"""What `verify.py` needs to replay a campaign of a title: Python's standard library and these
files.
"""


@lru_cache
def rules_of(title: str) -> dict[str, Path]:
    """Return the files with the rules of a title by their names in a pack."""
    root = Path(settings.BASE_DIR)
    paths = sorted(path for pattern in RULES for path in root.glob(pattern.format(title=title)))
    return {f"rules/{path.relative_to(root).as_posix()}": path for path in paths}


class Pack:
    """What goes into a zip, member by member. Raises `NotAllowed` where this reader may not take
    the record.
    """

    def __init__(self, campaign: Campaign, who: Access) -> None:
        request = HttpRequest()
        request.user = who  # type: ignore[assignment]  # what filters by a user takes what they may see, too
        self.table, self.campaign = TableContext(request, campaign, who), campaign
        self.record = record.export(campaign, who)
        self.chains = record.chains(campaign)

    def write(
        self, file: IO[bytes], report_step: Callable[[int, int], None] = lambda done, of: None
    ) -> None:
        """The whole zip; `told` hears after each member how many are done, and of how many."""
        with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive, timezone.override(UTC):
            of = self.count()
            for number, (name, content) in enumerate(self.members(), 1):
                archive.writestr(name, content)
                report_step(min(number, of), of)

    def count(self) -> int:
        """How many members there will be, the posts not counted, which take no time."""
        brought = FIXED + len(self._rules) + bool(self.campaign.drawing_id)
        return brought + len(account_holders(self.table)) + len(self._turns) + len(self._contents)

    def members(self) -> Iterator[tuple[str, str | bytes]]:
        """Each file with its content."""
        yield MEMBER, canonical(self.record)
        if drawing := scenarios.text_of(self.campaign):
            yield DRAWING, drawing
        yield (
            "rolls.json",
            canonical(
                dice_selectors.listed(
                    self.campaign, self.campaign.address, self.chains, self._thrown
                )
            ),
        )
        yield "people.json", canonical(self._people())
        yield "log.jsonl", self._log()
        yield from (
            (name, path.read_text("utf-8")) for name, path in (BROUGHT | self._rules).items()
        )
        yield "sheets/log.csv", log_sheet(self.table).content
        yield "sheets/dice.csv", dice_sheet(self.table).content
        for seat in account_holders(self.table):
            yield f"sheets/ledger-{seat}.csv", ledger_sheet(self.table, seat).content
        maps = []
        for name, title, svg, text in self._maps():
            maps.append({"file": name, "title": title, "text": text})
            yield name, svg
        reports = []
        for name, title, html in self._reports():
            reports.append({"file": name, "title": title})
            yield name, self._page("report", title, {"html": SafeString(html)}, deep=True)
        posts = list(self._posts())
        yield from ((post["file"], post["text"]) for post in posts)
        yield from self._site(maps, reports, posts)

    # The log --------------------------------------------------------------------------------------

    @cached_property
    def _entries(self) -> list[LogEntry]:
        return list(
            self.campaign.entries.order_by("sequence")
            .prefetch_related("rolls")
            .select_related("target", "actor")
        )

    def _log(self) -> str:
        """Return every entry as its hash covers it, with the hash. Users who may take the record
        may see all of them.
        """
        return "".join(canonical(line) + "\n" for line in map(log_lines.line, self._entries))

    @property
    def _rules(self) -> dict[str, Path]:
        return rules_of(self.campaign.title)

    def _people(self) -> dict[str, str]:
        """The names behind the numbers that the log has, as they are called today."""
        return {
            str(entry.actor_id): entry.actor.username
            for entry in self._entries
            if entry.actor is not None
        }

    @cached_property
    def _thrown(self) -> list[DiceRoll]:
        return list(reversed(selectors.rolls(self.campaign, self.table.user)))

    # What was told --------------------------------------------------------------------------------

    @property
    def _turns(self) -> Sequence[tuple[int, int, int]]:
        """The turns of which there are maps."""
        return selectors.turns(self.campaign) if titles.draws(self.campaign) else ()

    def _maps(self) -> Iterator[tuple[str, str, str, str]]:
        """The map after the last entry of each turn."""
        for turn, _first, last in self._turns:
            at = images.place(self.campaign, last)
            if at is not None:
                yield (
                    f"maps/turn-{turn}.svg",
                    str(turn),
                    images.svg(self.campaign, at),
                    images.caption(self.campaign, at),
                )

    @cached_property
    def _told_of(self) -> tuple[Any, list[Line]]:
        return posts_reports.lines_of(self.campaign)

    @cached_property
    def _contents(self) -> list[Contents]:
        """What there are reports of."""
        return (
            posts_reports.contents(self.campaign, self._told_of[1])
            if posts_reports.reporter(self.campaign) is not None
            else []
        )

    def _reports(self) -> Iterator[tuple[str, str, str]]:
        """Every report as a page, but those of undos, which the log tells."""
        context, teller = (
            Context({seat.key: seat.info.colour for seat in self.table.seats}),
            posts_reports.reporter(self.campaign),
        )
        if teller is None:
            return
        table = self.table
        start, lines = self._told_of
        changed = selectors.has_changed_hands(self.campaign)
        for item in self._contents:
            report_told = posts_reports.report_of_its_time(
                self.campaign, teller, start, lines, item, table.seats, changed
            )
            if report_told is not None:
                yield (
                    f"reports/{slugify(item.key)}.html",
                    report_told.title,
                    _narrow(DIALECTS["html"].text(report_told, context)),
                )

    def _posts(self) -> Iterator[dict[str, Any]]:
        """What stands on the forum, letter by letter."""
        settled = (Post.State.POSTED, Post.State.AWAITING)
        for post in Post.objects.filter(campaign=self.campaign, state__in=settled).order_by(
            "posted_at", "pk"
        ):
            if post.report != posts_reports.TEST:
                yield {
                    "file": f"posts/post-{post.number}-{post.part}.txt",
                    "text": f"{post.subject}\n\n{post.text}\n",
                    "subject": post.subject,
                    "permalink": post.permalink,
                    "at": post.posted_at,
                }

    # The pages ------------------------------------------------------------------------------------

    def _page(self, name: str, title: str, context: dict[str, Any], *, deep: bool = False) -> str:
        whole = {
            "campaign": self.campaign,
            "title": title,
            "up": "../" if deep else "",
            "table": self.table,
            **context,
        }
        whole["title_played"] = positions.plays(self.campaign)
        return render_to_string(f"pack/{name}.html", whole)

    def _site(
        self, maps: list[Any], reports: list[Any], posts: list[Any]
    ) -> Iterator[tuple[str, str]]:
        table = self.table
        lines = rows(table, selectors.log(self.campaign, table.user))
        speaker = talk(table.title, table.scenario, table.position)
        accounts = [(account.key, capital(account.label)) for account in table.title.accounts]
        standing: list[dict[str, Any]] = [
            {
                "name": capital(table.name_of(seat)),
                "key": seat,
                "who": ", ".join(table.holders(seat)),
                "cells": [
                    speaker.amount(key, table.rows.accounts.get((seat, key), 0))
                    for key, _label in accounts
                ],
            }
            for seat in account_holders(table)
        ]
        ledgers = [
            (
                one["name"],
                one["key"],
                [
                    self._line(speaker, row)
                    for row in nations.ledger(self.campaign, table.user, one["key"])
                ],
            )
            for one in standing
        ]
        given, seen_at = self.campaign.entered_dice, dice_selectors.links(self.campaign)
        thrown = [
            {
                "row": row,
                "text": table.title.roll_line(table.scenario, row.roll),
                "hand": row.purpose in given,
                "seen_at": seen_at.get(row.purpose, ""),
                "proof": (
                    None if row.purpose in given else dice_selectors.dice_proof(row, self.chains)
                ),
            }
            for row in self._thrown
        ]
        about = {
            "standing": standing,
            "accounts": accounts,
            "maps": maps,
            "reports": reports,
            "posts": posts,
            "made_at": timezone.now().astimezone(UTC),
            "entries": len(lines),
        }
        yield "index.html", self._page("index", self.campaign.name, about)
        yield "log.html", self._page("log", _("Log"), {"lines": lines})
        yield "ledgers.html", self._page("ledgers", _("Ledgers"), {"ledgers": ledgers})
        yield (
            "dice.html",
            self._page(
                "dice",
                _("Dice"),
                {"thrown": thrown, "links": self.chains[0].links, "renewed": self.chains[1:]},
            ),
        )
        yield (
            "pack.json",
            json.dumps(
                {
                    "format": FORMAT,
                    "campaign": self.campaign.address,
                    "made_at": timezone.now().isoformat(),
                }
            ),
        )

    def _line(self, speaker: Any, row: Any) -> dict[str, Any]:
        return {
            "number": row.entry.number,
            "turn": row.turn,
            "account": capital(speaker.account_name(row.account)),
            "cause": capital(self.table.sentence(row.cause_said)),
            "rule": row.cause_said.rule,
            "change": speaker.amount(row.account, row.change),
            "balance": speaker.amount(row.account, row.balance),
        }


def _narrow(html: str) -> str:
    """A report whose tables, and nothing else, are pushed sideways on a phone."""
    return html.replace("<table", '<div class="wide"><table').replace("</table>", "</table></div>")


# Audit packs that are kept: which one a reader gets, where it lies, how far it is, who makes it.
#
# There are two of a campaign at most: what everybody may take, and while hands are hidden what the
# game master may. A pack is named by the digest of all that stands in it, so that its name never
# gives anything else: another entry, another post, another name of somebody, and it is another
# pack. The worker makes it (`web.tasks`) and it is kept for a while in the storage that all
# machines share (`web.frame.files`). How far it is, is a note in the cache.

log = logging.getLogger(__name__)

EVERYBODY, GAME_MASTER = "all", "gm"
WHO = {EVERYBODY: NOBODY, GAME_MASTER: Access(game_master=True, host=True)}
"""Through whose eyes each kind is made: never through its reader's own, who may see more."""
VERSION = 5
"""To be raised with every change of what stands in a pack."""
KEEP, MOST = 24 * 60 * 60, 2**30
"""A pack is kept for so many seconds, and so many bytes of them."""
PATIENCE, SILENCE, LAPSES = 15, 60, 600
"""After so many seconds in which nobody has begun, no worker runs; after so many without a word of
it, who made it has died; after so many nobody begins what was asked for.
"""


class Wanted(NamedTuple):
    """A pack that may or may not have been made: of whom for whom, and its name."""

    campaign: Campaign
    audience: str
    language: str
    digest: str

    @property
    def file(self) -> str:
        """Its name in the storage (`web.frame.files`)."""
        return f"{folder(self.campaign)}/{self.audience}-{self.digest}.zip"

    @property
    def key(self) -> str:
        return f"pack:{self.campaign.pk}:{self.audience}:{self.digest}"


class Progress(NamedTuple):
    """How far a pack is: when it was asked for, when something was last heard of it (0: nobody has
    begun), members done.
    """

    asked: float
    heard: float = 0.0
    done: int = 0
    of: int = 0


def wanted_pack(campaign: Campaign, user: Any) -> Wanted:
    """The pack that this reader gets now, in their language. Raises `NotAllowed` where the record
    is not theirs to take.
    """
    return _wanted(campaign, GAME_MASTER if record.must_take(campaign, user) else EVERYBODY)


def _wanted(campaign: Campaign, audience: str) -> Wanted:
    language = get_language() or ""
    return Wanted(
        campaign,
        audience,
        language,
        sha256(canonical(_content(campaign, language)).encode()).hexdigest()[:32],
    )


def _content(campaign: Campaign, language: str) -> list[Any]:
    """All that a pack is made of: the log, by its last hash, and what stands in no log."""
    named = User.objects.filter(
        Q(pk__in=campaign.entries.values("actor")) | Q(pk__in=campaign.memberships.values("user"))
    )
    posts = Post.objects.filter(
        campaign=campaign, state__in=(Post.State.POSTED, Post.State.AWAITING)
    ).order_by("pk")
    parts = [path.stat().st_mtime_ns for path in (BROUGHT | rules_of(campaign.title)).values()]
    return [
        FORMAT,
        VERSION,
        language,
        settings.SITE_URL,
        parts,
        campaign.public_id,
        campaign.name,
        campaign.last_hash,
        sorted(named.values_list("pk", "username")),
        [
            [str(part) for part in row]
            for row in posts.values_list("pk", "state", "subject", "permalink", "posted_at")
        ],
    ]


def folder(campaign: Campaign) -> str:
    return f"packs/{campaign.public_id}"


def progress(pack: Wanted) -> Progress | None:
    """None where nobody has asked for it, or what was asked for has been forgotten."""
    state = cache.get(pack.key)
    return Progress(*state) if state else None


def ask(pack: Wanted) -> None:
    """Leaves it to the worker. Asks again where who made it has been silent for too long."""
    from web.tasks import make_pack

    cache.set(pack.key, tuple(Progress(time.time())), LAPSES)
    try:
        make_pack.apply_async(
            (pack.campaign.pk, pack.audience, pack.language), expires=LAPSES, retry=False
        )
    except (
        Exception
    ) as error:  # Whatever the broker or its client raises, the page is shown all the same.
        log.warning("Nobody takes packs to make: %s", error)


def silent(at: Progress, now: float) -> bool:
    """Has who makes it died?"""
    return bool(at.heard) and now - at.heard > SILENCE


def abandoned(at: Progress, now: float) -> bool:
    """Has nobody begun, as where no worker runs?"""
    return not at.heard and now - at.asked > PATIENCE


def make(pk: int, audience: str, language: str) -> Wanted | None:
    """Makes the pack as the campaign stands now, unless it is there or being made; None where there
    is none to be made.

    What the log says meanwhile makes it another pack: then it is not kept, and whoever waits asks
    for that one.
    """
    campaign = Campaign.objects.filter(pk=pk).first()
    if campaign is None or campaign.suspended or audience not in WHO:
        return None
    with translation.override(language), reading_in(language):
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

    def report_step(done: int, of: int) -> None:
        nonlocal last
        now = time.time()
        if now - last >= 1:
            last = now
            cache.set(pack.key, (before.asked, now, done, of), LAPSES)
            cache.touch(f"{pack.key}:making", SILENCE)

    report_step(0, 0)
    return report_step


# What goes ----------------------------------------------------------------------------------------


def tick(now: datetime, limit: int | None = None) -> int:
    """Removes what is older than `KEEP`, and the oldest where there is more than `MOST`; how many
    went. So go files of somebody's own data that nobody has taken within a day.
    """
    return files.prune("packs", MOST, now.timestamp() - KEEP) + own_data.tick(now)


def remove_packs_about(user: Any, at: datetime) -> list[str]:
    """Of somebody who is erased: every pack of a campaign that knows them. New ones have their name
    no more.
    """
    from campaign.hosting.host_acts import touched

    gone = 0
    for campaign in touched(user):
        for name in files.names(folder(campaign)):
            files.remove(name)
            gone += 1
    return [f"{gone} packs"]
