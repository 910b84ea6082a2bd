"""The only writers of the table's rows."""

from campaign.amendments import answer as answer_amendment
from campaign.amendments import propose as propose_amendment
from campaign.amendments import withdraw as withdraw_amendment
from campaign.dice.mixing import add_words, close_words, enter_draw, fetch_draw, go_without, name_draw, object_to_draw
from campaign.dice.renewal import may_renew, renew_dice
from campaign.dice.services import drop, give_dice, give_die, throw_by
from campaign.lifecycle.founding import again, change_terms, copy, describe, found_campaign, live, repeatable
from campaign.lifecycle.lobby import apply, draw, open_lobby, reword, withdraw
from campaign.log.door import Preview, Result, foresee, play, preview
from campaign.log.talk import link, may_link
from campaign.log.undo import own_undo, own_undos, restore, undo_own, undo_to, until
from campaign.plans import announce_plan, plan_move, replan, shift, unplan
from campaign.review.services import (
    countersign,
    dismiss_countersigner,
    log_access,
    log_access_to_all,
    name_countersigner,
    object_to,
)
from campaign.seats.handover import accept_seat, merge, offer_seat, replace, seat_reserve, stop_waiting, wait
from campaign.seats.masters import (
    accept_campaign,
    ask_for_master,
    invite_master,
    keep_master,
    leave_masters,
    offer_campaign,
    take_over,
)
from campaign.seats.seating import (
    dismiss_handover,
    hand_over_link,
    invite,
    look_at,
    play_too,
    revoke,
    take_seat,
    vacate,
    write_note,
)
from campaign.seats.standing_orders import countermand, deputize, order

__all__ = [
    "Preview",
    "Result",
    "accept_campaign",
    "accept_seat",
    "add_words",
    "again",
    "announce_plan",
    "answer_amendment",
    "apply",
    "ask_for_master",
    "change_terms",
    "close_words",
    "copy",
    "countermand",
    "countersign",
    "deputize",
    "describe",
    "dismiss_countersigner",
    "dismiss_handover",
    "draw",
    "drop",
    "enter_draw",
    "fetch_draw",
    "foresee",
    "found_campaign",
    "give_dice",
    "give_die",
    "go_without",
    "hand_over_link",
    "invite",
    "invite_master",
    "keep_master",
    "leave_masters",
    "link",
    "live",
    "log_access",
    "log_access_to_all",
    "look_at",
    "may_link",
    "may_renew",
    "merge",
    "name_countersigner",
    "name_draw",
    "object_to",
    "object_to_draw",
    "offer_campaign",
    "offer_seat",
    "open_lobby",
    "order",
    "own_undo",
    "own_undos",
    "plan_move",
    "play",
    "play_too",
    "preview",
    "propose_amendment",
    "renew_dice",
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
    "withdraw_amendment",
    "write_note",
]
