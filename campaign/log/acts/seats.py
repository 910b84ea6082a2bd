"""The acts on people: who has which place in the campaign."""

from __future__ import annotations

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from campaign.log.acts.declaration import Act, Content, LineFacts, Place
from engine.language import sentence

TOOK_OVER, PLACED = "took-over", "placed"
"""How a game master's place passes to another without its holder: `placed` by the host."""


CHIEF_ROLE, CO_ROLE, SEAT_ROLE = "game_master", "co_game_master", "seat"
RESERVE_ROLE, COUNTERSIGNER_ROLE = "reserve", "countersigner"


def _line(act: LineFacts, text: str) -> str:
    """Fill a text: `user` is the user whom the act is about, `giver` the user before them."""
    people = {"seat": act.seat, "user": act.name_of("user"), "giver": act.name_of("from")}
    return sentence(text, **{**act.content, **people})


def _user(content: Content) -> set[int]:
    return {content["user"]}


def _user_and_giver(content: Content) -> set[int]:
    return {content[key] for key in ("user", "from") if key in content}


def _seat_line(act: LineFacts) -> str:
    match act.how:
        case "taken":
            text = _("{seat}: the seat is taken.")
        case "left":
            text = _("{seat}: the seat is free again.")
        case "given":
            text = _("{seat}: the seat passes from {giver} to {user}.")
        case "drawn":
            text = _("{seat}: the seat goes to {user} by the draw.")
        case "seated":
            text = _("{seat}: the seat goes to {user} from the reserve.")
        case _offered:
            text = _("{seat}: the seat is offered to {user}.")
    return _line(act, text)


def _seat_people(content: Content) -> set[int]:
    is_named = content["how"] in ("given", "drawn", "seated", "offered")
    return _user_and_giver(content) if is_named else set()


def _place_at_seat(places: set[Place], content: Content, seat: str) -> None:
    if content["how"] == "offered":
        return
    places -= {place for place in places if place[:2] == (SEAT_ROLE, seat)}
    if content["how"] != "left":
        places.discard((RESERVE_ROLE, "", content["user"]))
        places.add((SEAT_ROLE, seat, content["user"]))


SEAT = Act(
    name="seat",
    line=_seat_line,
    people=_seat_people,
    update_places=_place_at_seat,
    public=frozenset({"seat", "user", "from", "host"}),
)
"""A user sits down (`taken`, `given`, `drawn`, `seated`), leaves (`left`) or is offered a seat
(`offered`).
"""


def _master_line(act: LineFacts) -> str:
    match act.how:
        case "joined":
            text = _("A co-game-master joins.")
        case "left":
            text = _("A co-game-master leaves.")
        case "offered":
            text = _("The campaign is offered to {user}.")
        case "handed":
            text = _("{giver} hands the campaign over to {user}.")
        case "took-over":
            text = _(
                "{user} takes the campaign over from {giver}, who has not been seen for {days}"
                " days."
            )
        case _placed:
            placed = _line(act, _("The host makes {user} game master in place of {giver}."))
            return " ".join(filter(None, (placed, act.content.get("reason", ""))))
    return _line(act, text)


def _master_people(content: Content) -> set[int]:
    is_named = content["how"] in ("offered", "handed", TOOK_OVER, PLACED)
    return _user_and_giver(content) if is_named else set()


def _place_master(places: set[Place], content: Content, seat: str) -> None:
    user = content["user"]
    match content["how"]:
        case "offered":
            pass
        case "joined":
            places.add((CO_ROLE, "", user))
        case "left":
            places.discard((CO_ROLE, "", user))
        case _passes:
            places -= {(CHIEF_ROLE, "", content["from"]), (CO_ROLE, "", user)}
            places.add((CHIEF_ROLE, "", user))


MASTER = Act(
    name="master",
    line=_master_line,
    people=_master_people,
    update_places=_place_master,
    public=frozenset({"user", "from", "host", "days", "reason"}),
)
"""A co-game-master comes (`joined`) or goes (`left`); the campaign is `offered` and `handed` over,
or passes without its game master (`took-over`, `placed`).
"""


def _new_master_line(act: LineFacts) -> str:
    text = _("{seat}: a new game master is no longer wanted.")
    if act.how == "asked":
        text = _(
            "{seat}: a new game master is wanted; the present one has not been seen for {days} "
            "days."
        )
    return sentence(text, **{**act.content, "seat": act.seat})


NEW_MASTER = Act(name="new-master", line=_new_master_line, public=frozenset({"seat", "days"}))
"""A seat asks for a new game master (`asked`), or no longer does (`kept`)."""


def _reserve_line(act: LineFacts) -> str:
    is_waiting = act.how == "waits"
    return _line(
        act, _("{user} waits for a seat.") if is_waiting else _("No longer waits for a seat.")
    )


def _reserve_people(content: Content) -> set[int]:
    return _user(content) if content["how"] == "waits" else set()


def _place_in_reserve(places: set[Place], content: Content, seat: str) -> None:
    change = places.add if content["how"] == "waits" else places.discard
    change((RESERVE_ROLE, "", content["user"]))


RESERVE = Act(
    name="reserve",
    line=_reserve_line,
    people=_reserve_people,
    update_places=_place_in_reserve,
    public=frozenset({"user", "host"}),
)
"""A user waits for a seat (`waits`), or no longer does (`left`)."""


def _substitute_line(act: LineFacts) -> str:
    if act.how == "named":
        return _line(act, _("{seat}: {user} is the substitute for battle #{battle}."))
    return _line(act, _("{seat}: {user} is no longer the substitute for battle #{battle}."))


SUBSTITUTE = Act(
    name="substitute",
    line=_substitute_line,
    people=_user,
    public=frozenset({"user", "battle"}),
)
"""A user fights a battle for a seat (`named`), or no longer does (`ended`)."""


def _countersigner_line(act: LineFacts) -> str:
    is_named = act.how == "named"
    return _line(
        act,
        _("{user} is now a countersigner.")
        if is_named
        else _("{user} is no longer a countersigner."),
    )


def _place_countersigner(places: set[Place], content: Content, seat: str) -> None:
    change = places.add if content["how"] == "named" else places.discard
    change((COUNTERSIGNER_ROLE, "", content["user"]))


COUNTERSIGNER = Act(
    name="countersigner",
    line=_countersigner_line,
    people=_user,
    update_places=_place_countersigner,
    public=frozenset({"user", "host"}),
)
"""A user may countersign what concerns the game master's own seat (`named`), or no longer may
(`left`).
"""


def _guest_line(act: LineFacts) -> str:
    guest = act.names.get(act.content["from"]) or _("a guest")
    text = _("Everything %(guest)s had as a guest now belongs to %(name)s.")
    return text % {"guest": guest, "name": act.name_of("user")}


def _pass_places(places: set[Place], content: Content, seat: str) -> None:
    of_guest = {place for place in places if place[2] == content["from"]}
    places -= of_guest
    places |= {(role, held, content["user"]) for role, held, _guest in of_guest}


GUEST = Act(
    name="guest",
    line=_guest_line,
    people=_user_and_giver,
    update_places=_pass_places,
    public=frozenset({"user", "from"}),
)
"""A guest's places pass to their account (`merged`)."""


def _lobby_line(act: LineFacts) -> str:
    match act.how:
        case "drawn":
            return _drawn_text(act)
        case "opened":
            text = _(
                "The lobby opens: people can apply for seats, and the seats will be drawn by lot. "
                "Commitment of the draw: {commitment}."
            )
        case "applied":
            text = _("Applies for a seat.")
        case _withdrew:
            text = _("Withdraws the application.")
    return _line(act, text)


def _drawn_text(act: LineFacts) -> str:
    content = act.content
    rolled = [
        _("%(name)s %(value)s of %(sides)s")
        % {**lot, "name": act.names.get(lot["user"]) or pgettext("log", "someone")}
        for lot in content["order"]
    ]
    if not rolled:
        text = _(
            "The lobby closes. No one had applied, so no seats are drawn. Seed of the draw: "
            "%(seed)s."
        )
        return text % content
    text = _(
        "The lobby closes, and the seats are drawn by lot: %(drawn)s. Seed of the draw: %(seed)s."
    )
    return text % {"drawn": ", ".join(rolled), "seed": content["seed"]}


def _lobby_people(content: Content) -> set[int]:
    return {lot["user"] for lot in content["order"]} if content["how"] == "drawn" else set()


LOBBY = Act(
    name="lobby",
    line=_lobby_line,
    people=_lobby_people,
    public=frozenset({"commitment", "seed", "free", "applications", "order", "user", "host"}),
    flags={"opened": ("lobby_open", True), "drawn": ("lobby_open", False)},
)
"""The lobby opens (`opened`), a user applies for a seat (`applied`) or no longer does (`withdrew`),
the dice draw the seats (`drawn`).
"""
