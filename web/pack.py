"""The audit pack: a whole campaign in one zip, to be checked and read without this server, from a disk.

`record.json`, `drawing.json` where the campaign brings a map of its own (its SHA-256 is in the first entry), the log with its
chain of hashes (`log.jsonl`, `verify_log.py`), the rolls with their proof (`rolls.json`, `verify_dice.py`), ledgers, log and
dice as spreadsheets, the reports and what of them was posted, the map after each turn, and pages of plain HTML that open
from `index.html`. As everybody may see it, and where hands are hidden and it runs, as the
game master may; its times are UTC. Who keeps it and hands it out: `web.packs`.
"""

from __future__ import annotations

import json
import zipfile
from collections.abc import Callable, Iterator
from datetime import UTC
from functools import cached_property
from pathlib import Path
from typing import IO, Any

from django.conf import settings
from django.http import HttpRequest
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.safestring import SafeString
from django.utils.text import slugify
from django.utils.translation import gettext as _

from campaign import drawings, hand, proof, record, selectors
from campaign.access import Access
from campaign.models import Campaign, LogEntry
from campaign.services.log import body
from engine.log import canonical
from engine.report import Contents, Line
from forum import telling
from forum.dialects import DIALECTS, Context
from forum.models import Post
from nations import selectors as nations
from web import pictures
from web.titles.talk import capital, talk
from web.views import sheets
from web.views.common import TableContext
from web.views.lines import rows

FORMAT = "tabula-pack/1"
DRAWING = "drawing.json"
STYLES = ("tokens.css", "pack.css")
SCRIPTS = ("verify_dice.py", "verify_log.py")
FIXED = 11 + len(STYLES) + len(SCRIPTS)
"""The members that every pack has: four of data, two sheets, four pages, `pack.json`, styles and scripts."""


class Pack:
    """What goes into a zip, member by member. Raises `NotAllowed` where this reader may not take the record."""

    def __init__(self, campaign: Campaign, who: Access) -> None:
        request = HttpRequest()
        request.user = who  # type: ignore[assignment]  # whoever filters by a user takes what he may see, too
        self.table, self.campaign = TableContext(request, campaign, who), campaign
        self.record = record.export(campaign, who)
        self.links = record.published_links(campaign)

    def write(self, file: IO[bytes], told: Callable[[int, int], None] = lambda done, of: None) -> None:
        """The whole zip; `told` hears after each member how many are done, and of how many."""
        with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as made, timezone.override(UTC):
            of = self.count()
            for number, (name, content) in enumerate(self.members(), 1):
                made.writestr(name, content)
                told(min(number, of), of)

    def count(self) -> int:
        """How many members there will be, the posts not counted, which take no time."""
        pages = len(self._told()) if telling.reporter(self.campaign) is not None else 0
        maps = len(selectors.turns(self.campaign)) if pictures.draws(self.campaign) else 0
        return FIXED + bool(self.campaign.drawing_id) + len(self.table.account_holders) + maps + pages

    def members(self) -> Iterator[tuple[str, str | bytes]]:
        """Each file with its content."""
        yield "record.json", canonical(self.record)
        if drawing := drawings.text_of(self.campaign):
            yield DRAWING, drawing
        yield "rolls.json", canonical(self._rolls())
        yield "people.json", canonical(self._people())
        yield from self._log()
        for name in SCRIPTS:
            yield name, (Path(settings.BASE_DIR) / "static" / name).read_text("utf-8")
        yield "sheets/log.csv", sheets.of_log(self.table).content
        yield "sheets/dice.csv", sheets.of_dice(self.table).content
        for seat in self.table.account_holders:
            yield f"sheets/ledger-{seat}.csv", sheets.of_ledger(self.table, seat).content
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
        for name in STYLES:
            yield f"style/{name}", (Path(settings.BASE_DIR) / "static" / "css" / name).read_text("utf-8")

    # The log --------------------------------------------------------------------------------------------------------

    def _entries(self) -> list[LogEntry]:
        return list(self.campaign.entries.order_by("sequence").prefetch_related("rolls").select_related("target", "actor"))

    def _log(self) -> Iterator[tuple[str, str]]:
        """Every entry as its hash covers it, with the hash: who may take the record may see all of them."""
        lines = []
        for entry in self._entries():
            target = entry.target.sequence if entry.target is not None else None
            said = body(entry, target, [row.roll for row in entry.rolls.all()])
            lines.append(canonical({"hash": entry.hash, "body": said}))
        yield "log.jsonl", "\n".join(lines) + "\n"

    def _people(self) -> dict[str, str]:
        """The names behind the numbers that the log has, as they are called today."""
        return {str(entry.actor_id): entry.actor.username for entry in self._entries() if entry.actor is not None}

    def _rolls(self) -> dict[str, Any]:
        found = reversed(selectors.rolls(self.campaign, self.table.user))
        return proof.listed(self.campaign, self.campaign.address, self.links, found)

    # What was told --------------------------------------------------------------------------------------------------

    def _maps(self) -> Iterator[tuple[str, str, str, str]]:
        """The map after the last entry of each turn."""
        if not pictures.draws(self.campaign):
            return
        for turn, _first, last in selectors.turns(self.campaign):
            at = pictures.place(self.campaign, last)
            if at is not None:
                yield f"maps/turn-{turn}.svg", str(turn), pictures.svg(self.campaign, at), pictures.caption(self.campaign, at)

    @cached_property
    def _told_of(self) -> tuple[Any, list[Line]]:
        return telling.lines_of(self.campaign)

    def _told(self) -> list[Contents]:
        return telling.contents(self.campaign, self._told_of[1])

    def _reports(self) -> Iterator[tuple[str, str, str]]:
        """Every report as a page, but those of undos, which the log tells."""
        context, teller = Context({seat.key: seat.info.colour for seat in self.table.seats}), telling.reporter(self.campaign)
        if teller is None:
            return
        table = self.table
        start, lines = self._told_of
        people = {seat.key: seat.holder.username for seat in table.seats if seat.holder is not None}
        for item in self._told():
            made = teller.report(table.scenario, start, lines, item.key, self.campaign.name, people)
            if made is not None:
                yield f"reports/{slugify(item.key)}.html", made.title, _narrow(DIALECTS["html"].text(made, context))

    def _posts(self) -> Iterator[dict[str, Any]]:
        """What stands on the forum, letter by letter."""
        settled = (Post.State.POSTED, Post.State.AWAITING)
        for post in Post.objects.filter(campaign=self.campaign, state__in=settled).order_by("posted_at", "pk"):
            if post.report != telling.TEST:
                yield {
                    "file": f"posts/post-{post.number}-{post.part}.txt", "text": f"{post.subject}\n\n{post.text}\n",
                    "subject": post.subject, "permalink": post.permalink, "at": post.posted_at,
                }  # fmt: skip

    # The pages ------------------------------------------------------------------------------------------------------

    def _page(self, name: str, title: str, context: dict[str, Any], *, deep: bool = False) -> str:
        whole = {"campaign": self.campaign, "title": title, "up": "../" if deep else "", "table": self.table, **context}
        return render_to_string(f"pack/{name}.html", whole)

    def _site(self, maps: list[Any], reports: list[Any], posts: list[Any]) -> Iterator[tuple[str, str]]:
        table = self.table
        lines = rows(table, selectors.log(self.campaign, table.user))
        speaker = talk(table.title, table.scenario, table.position)
        accounts = [(account.key, capital(account.label)) for account in table.title.accounts]
        standing: list[dict[str, Any]] = [
            {"name": capital(table.name_of(seat)), "key": seat, "who": ", ".join(table.holders(seat)),
             "cells": [speaker.amount(key, table.rows.accounts.get((seat, key), 0)) for key, _label in accounts]}
            for seat in table.account_holders
        ]  # fmt: skip
        ledgers = [
            (one["name"], one["key"], [self._line(speaker, row) for row in nations.ledger(self.campaign, table.user, one["key"])])
            for one in standing
        ]
        given, seen_at = hand.given(self.campaign), hand.links(self.campaign)
        thrown = [
            {"row": row, "text": table.title.roll_line(table.scenario, row.roll), "hand": row.purpose in given,
             "seen_at": seen_at.get(row.purpose, ""),
             "proof": None if row.purpose in given else proof.proof(row, self.links)}
            for row in reversed(selectors.rolls(self.campaign, table.user))
        ]  # fmt: skip
        about = {
            "standing": standing, "accounts": accounts, "maps": maps, "reports": reports, "posts": posts,
            "made_at": timezone.now().astimezone(UTC), "entries": len(lines),
        }  # fmt: skip
        yield "index.html", self._page("index", self.campaign.name, about)
        yield "log.html", self._page("log", _("Log"), {"lines": lines})
        yield "ledgers.html", self._page("ledgers", _("Ledgers"), {"ledgers": ledgers})
        yield "dice.html", self._page("dice", _("Dice"), {"thrown": thrown, "links": self.links})
        yield (
            "pack.json",
            json.dumps({"format": FORMAT, "campaign": self.campaign.address, "made_at": timezone.now().isoformat()}),
        )

    def _line(self, speaker: Any, row: Any) -> dict[str, Any]:
        return {
            "number": row.entry.number, "turn": row.turn, "account": capital(speaker.account_name(row.account)),
            "cause": capital(self.table.say(row.say)), "rule": row.say.rule,
            "change": speaker.amount(row.account, row.change), "balance": speaker.amount(row.account, row.balance),
        }  # fmt: skip


def _narrow(html: str) -> str:
    """A report whose tables, and nothing else, are pushed sideways on a phone."""
    return html.replace("<table", '<div class="wide"><table').replace("</table>", "</table></div>")
