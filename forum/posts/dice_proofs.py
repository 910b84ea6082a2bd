"""The proof of the dice and of the log in reports: commitments, keys and hashes.

A commitment must be in a thread before its dice are used. So the announcement has that of the
campaign; a renewal and an undo have that of their new dice; and each opening of a turn has all of
them, the key of the turn before, and the hash of the log up to that opening. `static/verify.py`
compares these lines with the log. The report of a whole turn has them if its thread has no post of
the turn's opening.
"""

from __future__ import annotations

from collections.abc import Sequence

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from campaign import access
from campaign.dice import selectors as dice_selectors
from campaign.dice.selectors import Chain
from campaign.log import positions, record
from campaign.log.acts.dice import RENEW
from campaign.log.acts.undo import RESTORE, UNDO
from campaign.models import Campaign
from forum.models import Post, Thread
from forum.posts.report_parts import WHOLE
from games.contract.report import Block, Code, Contents, Heading, Paragraph, Report, Span

OPENING = "opening"
ANNOUNCEMENT = "announcement"
FINAL = "final"
RENEWING = (RENEW.name, UNDO.name, RESTORE.name)
"""The acts that may promise new dice."""


def proofs(campaign: Campaign, item: Contents, report: Report, opens_turns: bool) -> list[Block]:
    """Return the proofs in a report, below a heading; empty if it needs none.

    `opens_turns` says whether the readers of this report also have one that opens its turn.
    """
    has_opening = item.kind in (OPENING, ANNOUNCEMENT) or (item.kind in WHOLE and not opens_turns)
    lines = _dice_lines(campaign, item, has_opening)
    if has_opening or item.kind == FINAL:
        lines += _log_line(campaign, report)
    if not lines:
        return []
    notes = [Paragraph((Span(text),)) for text in _explanations(campaign, item, has_opening)]
    return [Heading((Span(pgettext("report", "Dice")),), 2), *notes, Code(tuple(lines))]


def is_opening_posted(thread: Thread, item: Contents) -> bool:
    """Return whether the opening of a report's turn has been posted in a thread.

    Makes a query for the report of a whole turn.
    """
    if item.kind not in WHOLE:
        return False
    openings = Post.objects.filter(thread=thread, report=f"{OPENING}-{item.turn}")
    return openings.filter(posted_at__isnull=False).exists()


def dice_link(campaign: Campaign, item: Contents, site: str) -> Span | None:
    """Return the link to all dice of the campaign, for the end of a report that has dice."""
    kinds = (OPENING, ANNOUNCEMENT, FINAL, *RENEWING, *WHOLE)
    if not site or not campaign.commitment or item.kind not in kinds:
        return None
    address = site + reverse("dice", args=[campaign.address])
    return Span(_("All dice and their proofs"), link=address)


def _explanations(campaign: Campaign, item: Contents, has_opening: bool) -> list[str]:
    """Return the sentences above the lines."""
    if not campaign.commitment:
        return []
    if has_opening and item.turn <= 1:
        return [_("All dice follow from numbers that were fixed before the first move.")]
    if item.kind == FINAL:
        return [
            _(
                "Each key is the SHA-256 of the next one. The last key of a chain therefore gives "
                "all earlier ones."
            )
        ]
    return []


def _dice_lines(campaign: Campaign, item: Contents, has_opening: bool) -> list[str]:
    """Return commitments, keys, and the words mixed into the dice.

    The report that opens turn n can show key n - 1, since that key is published then. The final
    report shows the last key of each chain, from which a reader can compute all earlier ones.
    """
    if not campaign.commitment:
        return []
    if has_opening:
        return _lines_of_turn(campaign, item, record.chains(campaign))
    if item.kind == FINAL:
        chains = record.chains(campaign)
        return [line for chain in chains for line in _chain_lines(chain, len(chain.links) - 1)]
    if item.kind in RENEWING:
        return [
            line
            for chain in record.chains(campaign)
            if item.key == f"{item.kind}-{chain.entry}"
            for line in _chain_lines(chain, -1)
        ]
    return []


def _lines_of_turn(campaign: Campaign, item: Contents, chains: Sequence[Chain]) -> list[str]:
    """Return the lines of the report that opens a turn.

    They have the commitments, the keys of the turn before if they are published, and this turn's
    mixture.
    """
    number = item.turn - 1
    published = item.turn <= 1 or number < len(chains[0].links)
    lines = [
        line
        for chain in chains
        if published or chain.number
        for line in _chain_lines(chain, number)
    ]
    names, unconfirmed = positions.seats(campaign), _unconfirmed_draws(campaign, chains)
    for chain in chains:
        if mixture := chain.mixed.get(item.turn):
            texts = [
                f"{names[seat]}: “{text}”" for seat, text in mixture.get("phrases", {}).items()
            ]
            texts += [_("drawn: %(text)s") % {"text": mixture["draw"]}] if "draw" in mixture else []
            if "draw" in mixture and (chain.number, item.turn) in unconfirmed:
                texts.append(_("typed by the game master, not confirmed"))
            sentence = _("Mixed into the dice of turn %(number)s: %(value)s")
            if chain.number:
                sentence = _(
                    "Mixed into the dice of turn %(number)s (renewal %(chain)s): %(value)s"
                )
            facts = {"chain": chain.number, "number": item.turn, "value": "; ".join(texts)}
            lines.append(sentence % facts)
    return lines


def _unconfirmed_draws(campaign: Campaign, chains: Sequence[Chain]) -> set[tuple[int, int]]:
    """Return (chain, turn) of drand values that a game master typed and no worker has confirmed."""
    if not any("draw" in mixture for chain in chains for mixture in chain.mixed.values()):
        return set()
    waiting = [stage for stage in dice_selectors.stages(campaign) if stage.unconfirmed]
    return {(stage.chain, max(stage.link, 1)) for stage in waiting}


def _chain_lines(chain: Chain, number: int) -> list[str]:
    """Return the commitment of a chain and its key with this number, if that is published."""
    facts = {"chain": chain.number, "number": number}
    sentence = _("Commitment of the dice: %(value)s")
    if chain.number:
        sentence = _("Renewal %(chain)s, commitment of the dice: %(value)s")
    lines = [sentence % {**facts, "value": chain.commitment}]
    if not 0 <= number < len(chain.links):
        return lines
    sentence = _("Key of turn %(number)s: %(value)s")
    if chain.number:
        sentence = _("Renewal %(chain)s, key %(number)s: %(value)s")
    elif not number:
        sentence = _("Key of the start: %(value)s")
    return [*lines, sentence % {**facts, "value": chain.links[number]}]


def _log_line(campaign: Campaign, report: Report) -> list[str]:
    """Return the hash of the last entry that a report covers.

    It shows whether the log was rewritten or shortened later. While hands are hidden, no report has
    it: what other users read must not depend on hidden cards in any way.
    """
    if access.hides(campaign):
        return []
    moves = positions.replayed_log(campaign).moves
    entry_hash = next((move.mark for move in moves if move.number == report.last), "")
    if not entry_hash:
        return []
    facts = {"entry": report.last, "value": entry_hash}
    return [_("Hash of the log up to entry %(entry)s: %(value)s") % facts]
