"""Who has which place at the table, against what the log says of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from campaign.models import Campaign, LogEntry
from campaign.services import lobby

MASTER, CO, SEAT, RESERVE, COUNTERSIGNER = "game_master", "co_game_master", "seat", "reserve", "countersigner"
SUBSTITUTE = "substitute"
Place = tuple[str, str, int]
"""Role, seat ("" where it has none), user."""


def differences(campaign: Campaign, entries: Sequence[LogEntry]) -> Iterator[str]:
    """Memberships and applications that the log does not give, or gives otherwise."""
    told = said(entries)
    now_held = campaign.memberships.filter(until=None)
    held: set[Place] = set(now_held.exclude(role=SUBSTITUTE).values_list("role", "seat", "user_id"))
    seats = {seat for role, seat, _ in told | held if role == SEAT}
    for seat in sorted(seats):
        now, then = (next((u for r, s, u in places if (r, s) == (SEAT, seat)), None) for places in (held, told))
        if now != then:
            yield f"the seat {seat} is held by user {now}, the log says {then}"
    for role, _, user in sorted(told - held):
        if role != SEAT:
            yield f"user {user} is no {role}, the log says otherwise"
    for role, _, user in sorted(held - told):
        if role != SEAT:
            yield f"user {user} is {role}, the log says otherwise"
    bound = set(now_held.filter(role=SUBSTITUTE).values_list("launch_id", "contest", "seat", "user_id"))
    if bound != _substitutes(entries):
        yield "who stands in for whom is not what the log says"
    yield from _lobby(campaign, entries)


def _substitutes(entries: Sequence[LogEntry]) -> set[tuple[int | None, int | None, str, int]]:
    """Launch, contest, seat and user of every substitute named and not ended."""
    made: set[tuple[int | None, int | None, str, int]] = set()
    for entry in entries:
        if entry.act == "substitute":
            said = entry.said
            change = made.add if said["how"] == "named" else made.discard
            change((entry.target_id, said["battle"], entry.seat, said["user"]))
    return made


def said(entries: Sequence[LogEntry]) -> set[Place]:
    """Who has which place, as the log tells it."""
    founder = entries[0].actor_id
    places: set[Place] = {(MASTER, "", founder)} if founder is not None else set()
    for entry in entries:
        if not entry.is_move and entry.act == "guest":
            was, now = entry.said["from"], entry.said["user"]
            places = {(role, seat, now if user == was else user) for role, seat, user in places}
        if entry.is_move or entry.act not in ("seat", "master", "reserve", "countersigner"):
            continue
        act, how, user = entry.act, entry.said["how"], entry.said["user"]
        if how == "offered":
            continue  # nothing has passed yet
        if act == "seat":
            places -= {place for place in places if place[:2] == (SEAT, entry.seat)}
            if how != "left":
                places -= {(RESERVE, "", user)}
                places.add((SEAT, entry.seat, user))
        elif act == "reserve":
            (places.add if how == "waits" else places.discard)((RESERVE, "", user))
        elif act == "countersigner":
            (places.add if how == "named" else places.discard)((COUNTERSIGNER, "", user))
        elif how == "joined":
            places.add((CO, "", user))
        elif how == "left":
            places.discard((CO, "", user))
        else:
            places -= {(MASTER, "", entry.said["from"]), (CO, "", user)}
            places.add((MASTER, "", user))
    return places


def _lobby(campaign: Campaign, entries: Sequence[LogEntry]) -> Iterator[str]:
    """The open lobby's commitment and applicants."""
    bound: str | None = None
    applied: set[int] = set()
    for entry in entries:
        if entry.act != "lobby":
            continue
        said = entry.said
        if said["how"] == "opened":
            bound, applied = said["commitment"], set()
        elif said["how"] == "drawn":
            bound, applied = None, set()
        elif said["how"] == "applied":
            applied.add(said["user"])
        else:
            applied.discard(said["user"])
    found = lobby.current(campaign)
    if bound != (found.commitment if found else None):
        yield "the open lobby is not the log's"
    elif found is not None and applied != set(lobby.applicants(found).values_list("user_id", flat=True)):
        yield "the lobby's applicants are not the log's"
