"""The audit pack: a whole campaign as a zip, to be checked and read offline, without this server.

It contains `record.json`, `drawing.json` if the campaign has a map of its own (its SHA-256 is in
the first entry), the log with its chain of hashes (`log.jsonl`), the rolls with the links that
prove them (`rolls.json`), the script that checks both (`verify.py`) with the rules of the title, by
which it replays each move (`rules/`), ledgers, log and dice as spreadsheets, the reports and the
posts made from them, the map after each turn, and plain HTML pages that start at `index.html`. It
contains what everyone may see; while hands are hidden, what the game master may see. Its times are
UTC. `web.exports.packs` makes packs and sends them.
"""

from __future__ import annotations

import json
import zipfile
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC
from functools import cached_property, lru_cache
from pathlib import Path
from typing import IO

from django.conf import settings
from django.http import HttpRequest
from django.utils import timezone
from django.utils.text import slugify

from campaign import scenarios
from campaign.access import Access
from campaign.dice import selectors as dice_selectors
from campaign.log import lines as log_lines
from campaign.log import record, selectors
from campaign.models import Campaign, DiceRoll, LogEntry
from campaign.pack_files import DRAWING, MEMBER
from campaign.pictures import images
from engine.strict_json import canonical
from forum.dialects import DIALECTS, Context
from forum.models import Post
from forum.posts import reports as posts_reports
from games.contract.maps import WithMaps
from games.contract.report import Contents, ReportEntry
from web.exports import pack_pages
from web.exports.pack_pages import MapFile, PostFile, ReportFile, rendered
from web.frame.table import TableContext
from web.ledger.lines import account_holders
from web.sheets.page import dice_sheet, ledger_sheet, log_sheet

FORMAT = "tabula-pack/1"
_STATIC = Path(settings.BASE_DIR) / "static"
SCRIPT_AND_STYLES = {
    "verify.py": _STATIC / "verify.py",
    **{f"style/{name}": _STATIC / "css" / name for name in ("tokens.css", "pack.css")},
}
"""The script and the styles, by their names in a pack."""
FIXED = 11 + len(SCRIPT_AND_STYLES)
"""The number of members that every pack has.

They are four data files, two sheets, four pages, `pack.json`, the script and the styles.
"""
RULES = (
    "engine/*.py",
    "games/**/*.py",
    "games/*/*.json",
    "games/*/tables/*.json",
    "games/*/scenarios/*/scenario.json",
)
"""The files that `verify.py` needs to replay a campaign, besides Python's standard library.

The registry of titles imports them.
"""

Member = tuple[str, str | bytes]
"""A file of the pack: its name and its content."""


@lru_cache
def rules_files() -> dict[str, Path]:
    """Return the files with the rules of the titles, by their names in a pack."""
    root = Path(settings.BASE_DIR)
    paths = sorted(path for pattern in RULES for path in root.glob(pattern))
    return {f"rules/{path.relative_to(root).as_posix()}": path for path in paths}


class Pack:
    """The content of a zip, member by member.

    `reader` has the rights of its readers. Raises `NotAllowed` if they may not take the record.
    """

    def __init__(self, campaign: Campaign, reader: Access) -> None:
        request = HttpRequest()
        request.user = reader  # type: ignore[assignment]  # filters by a user take an `Access`, too
        self.table, self.campaign = TableContext(request, campaign, reader), campaign
        self.record = record.export(campaign, reader)
        self.chains = record.chains(campaign)

    def write(
        self, file: IO[bytes], report_step: Callable[[int, int], None] = lambda done, of: None
    ) -> None:
        """Write the zip.

        After each member, call `report_step` with the number of finished members and of all
        members.
        """
        with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive, timezone.override(UTC):
            of = self.count()
            for number, (name, content) in enumerate(self.members(), 1):
                archive.writestr(name, content)
                report_step(min(number, of), of)

    def count(self) -> int:
        """Return the number of members without the posts, which take no time."""
        given = FIXED + len(self._rules) + bool(self.campaign.drawing_id)
        return given + len(account_holders(self.table)) + len(self._turns) + len(self._contents)

    def members(self) -> Iterator[Member]:
        """Yield each file with its content."""
        yield from self._data()
        yield from self._program()
        yield from self._sheets()
        maps: list[MapFile] = []
        for map_file, svg in self._maps():
            maps.append(map_file)
            yield map_file.file, svg
        reports: list[ReportFile] = []
        for report_file, html in self._reports():
            reports.append(report_file)
            yield report_file.file, html
        posts = self._posts()
        yield from ((post.file, post.text) for post in posts)
        yield from self._pages(maps, reports, posts)

    # Data, script and sheets

    def _data(self) -> Iterator[Member]:
        """Yield the record, the drawing, the rolls, the names of the users and the log."""
        yield MEMBER, canonical(self.record)
        if drawing := scenarios.text_of(self.campaign):
            yield DRAWING, drawing
        rolls = dice_selectors.rolls_file(
            self.campaign, self.campaign.address, self.chains, self._thrown
        )
        yield "rolls.json", canonical(rolls)
        yield "people.json", canonical(self._people())
        yield "log.jsonl", self._log()

    def _program(self) -> Iterator[Member]:
        """Yield the script that checks the pack, the styles, and the rules of the title."""
        for name, path in (SCRIPT_AND_STYLES | self._rules).items():
            yield name, path.read_text("utf-8")

    def _sheets(self) -> Iterator[Member]:
        """Yield log, dice and ledgers as spreadsheets."""
        yield "sheets/log.csv", log_sheet(self.table).content
        yield "sheets/dice.csv", dice_sheet(self.table).content
        for seat in account_holders(self.table):
            yield f"sheets/ledger-{seat}.csv", ledger_sheet(self.table, seat).content

    @property
    def _rules(self) -> dict[str, Path]:
        return rules_files()

    @cached_property
    def _entries(self) -> list[LogEntry]:
        return list(
            self.campaign.entries.order_by("sequence")
            .prefetch_related("rolls")
            .select_related("target", "actor")
        )

    @cached_property
    def _thrown(self) -> list[DiceRoll]:
        """The rolls, the oldest first."""
        return list(reversed(selectors.rolls(self.campaign, self.table.user)))

    def _log(self) -> str:
        """Return every entry in the form that its hash covers, with the hash.

        Users who may take the record may see all entries.
        """
        return "".join(canonical(line) + "\n" for line in map(log_lines.line, self._entries))

    def _people(self) -> dict[str, str]:
        """Return the present names of the users whose numbers are in the log."""
        return {
            str(entry.actor_id): entry.actor.username
            for entry in self._entries
            if entry.actor is not None
        }

    # Maps, reports and posts

    @property
    def _turns(self) -> Sequence[tuple[int, int, int]]:
        """The turns for which there are maps."""
        return selectors.turns(self.campaign) if isinstance(self.campaign.game, WithMaps) else ()

    def _maps(self) -> Iterator[tuple[MapFile, str]]:
        """Yield the map after the last entry of each turn, as SVG."""
        for turn, _first, last in self._turns:
            place = images.place(self.campaign, last)
            if place is None:
                continue
            caption = images.caption(self.campaign, place)
            yield MapFile(f"maps/turn-{turn}.svg", turn, caption), images.svg(self.campaign, place)

    @cached_property
    def _report_lines(self) -> tuple[object, list[ReportEntry]]:
        """The position before the first line, and the lines from which reports are made."""
        return posts_reports.lines_of(self.campaign)

    @cached_property
    def _contents(self) -> list[Contents]:
        """The list of reports."""
        if posts_reports.reporter(self.campaign) is None:
            return []
        return posts_reports.contents(self.campaign, self._report_lines[1])

    def _reports(self) -> Iterator[tuple[ReportFile, str]]:
        """Yield every report as a page, except those of undos, which are in the log."""
        reporter = posts_reports.reporter(self.campaign)
        if reporter is None:
            return
        start, lines = self._report_lines
        seats = self.table.seats
        context = Context({seat.key: seat.info.colour for seat in seats})
        memberships = list(selectors.memberships(self.campaign))
        for item in self._contents:
            report = posts_reports.report_of_its_time(
                self.campaign, reporter, start, lines, item, seats, memberships
            )
            if report is None:
                continue
            html = DIALECTS["html"].text(report, context)
            page = pack_pages.report_page(self.table, report.title, html)
            name = f"reports/{slugify(item.key)}.html"
            yield ReportFile(name, report.title), rendered("report", page)

    def _posts(self) -> list[PostFile]:
        """Return the reports on the forum, exactly as posted."""
        states = (Post.State.POSTED, Post.State.AWAITING)
        posts = Post.objects.filter(campaign=self.campaign, state__in=states)
        return [
            PostFile(
                file=f"posts/post-{post.number}-{post.part}.txt",
                text=f"{post.subject}\n\n{post.text}\n",
                subject=post.subject,
                permalink=post.permalink,
                at=post.posted_at,
            )
            for post in posts.order_by("posted_at", "pk")
            if post.report not in ("", posts_reports.TEST)
        ]

    # Pages

    def _pages(
        self, maps: list[MapFile], reports: list[ReportFile], posts: list[PostFile]
    ) -> Iterator[Member]:
        """Yield the HTML pages, beginning with `index.html`, and the description of the pack."""
        table = self.table
        log = pack_pages.log_page(table)
        index = pack_pages.index_page(table, len(log.lines), maps, reports, posts)
        yield "index.html", rendered("index", index)
        yield "log.html", rendered("log", log)
        yield "ledgers.html", rendered("ledgers", pack_pages.ledgers_page(table))
        dice = pack_pages.dice_page(table, self._thrown, self.chains)
        yield "dice.html", rendered("dice", dice)
        description = {
            "format": FORMAT,
            "campaign": self.campaign.address,
            "made_at": timezone.now().isoformat(),
        }
        yield "pack.json", json.dumps(description)
