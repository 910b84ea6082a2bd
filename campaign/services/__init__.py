"""The only writers of the table's rows."""

from campaign.services.countersigning import countersign, dismiss_countersigner, name_countersigner, object_to
from campaign.services.deputizing import deputize
from campaign.services.door import Preview, Result, play, preview
from campaign.services.founding import change_terms, describe, found
from campaign.services.handing import accept_seat, offer_seat
from campaign.services.linking import link, may_link
from campaign.services.living import again, copy, live, repeatable
from campaign.services.lobby import apply, draw, open_lobby, reword, withdraw
from campaign.services.looking import looked, looked_at_all
from campaign.services.masters import accept_campaign, invite_master, leave_masters, offer_campaign
from campaign.services.merging import merge
from campaign.services.noting import dismiss_handover, write_note
from campaign.services.ordering import countermand, order
from campaign.services.planning import announce_plan, plan_move, replan, shift, unplan
from campaign.services.replacing import replace
from campaign.services.reserve import seat_reserve, stop_waiting, wait
from campaign.services.seating import give, invite, look_at, revoke, take_seat, vacate
from campaign.services.taking_over import ask_for_master, keep_master, take_over
from campaign.services.throwing import drop, give_dice, give_die, throw_by
from campaign.services.undoing import own_undo, own_undos, restore, undo_own, undo_to, until

__all__ = [
    "Preview",
    "Result",
    "accept_campaign",
    "accept_seat",
    "again",
    "announce_plan",
    "apply",
    "ask_for_master",
    "change_terms",
    "copy",
    "countermand",
    "countersign",
    "deputize",
    "describe",
    "dismiss_countersigner",
    "dismiss_handover",
    "draw",
    "drop",
    "found",
    "give",
    "give_dice",
    "give_die",
    "invite",
    "invite_master",
    "keep_master",
    "leave_masters",
    "link",
    "live",
    "look_at",
    "looked",
    "looked_at_all",
    "may_link",
    "merge",
    "name_countersigner",
    "object_to",
    "offer_campaign",
    "offer_seat",
    "open_lobby",
    "order",
    "own_undo",
    "own_undos",
    "plan_move",
    "play",
    "preview",
    "repeatable",
    "replace",
    "replan",
    "restore",
    "revoke",
    "reword",
    "seat_reserve",
    "shift",
    "stop_waiting",
    "take_over",
    "take_seat",
    "throw_by",
    "undo_own",
    "undo_to",
    "unplan",
    "until",
    "vacate",
    "wait",
    "withdraw",
    "write_note",
]
