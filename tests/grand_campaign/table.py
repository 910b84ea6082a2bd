"""Records written in the way players state moves at the table.

`played(...)` gives the state after the moves, `refused(...)` the code of the last of them. Every
drawn card is Scouts and every random event an earthquake, unless a test says otherwise; `start` is
put before the moves. `to_turn`, `whole`, `until` and `slots` skip turns.
"""

import copy
import json
from pathlib import Path

from games.replay import replay

CASES = Path(__file__).parent / "cases"
MINI = ("amber", "birch", "cedar")
TWO = ("east", "west")
SIX = ("hephtalites", "huns", "kushans", "romans", "sassanids", "vandals")
NINE = ("n1", "n2", "n3", "n4", "n5", "n6", "n7", "n8", "n9")
SCOUTS, EARTHQUAKE = 95, 45


def scenario(name="_scenario", **changes):
    """The scenario object of a small map, with some of its keys replaced."""
    result = json.loads((CASES / f"{name}.json").read_text(encoding="utf-8"))
    result.update(copy.deepcopy(changes))
    return result


def flat(moves):
    for move in moves:
        if isinstance(move, dict):
            yield move
        else:
            yield from flat(move)


def harmless(result):
    """Return dice that change nothing."""
    keys = sorted(nation["key"] for nation in result["nations"])
    event_turns = result.get("rules", {}).get("event_turns", [2, 4, 6])
    fixed = {}
    for turn in range(1, result["turns"] + 1):
        for key in keys:
            fixed[f"turn-{turn}/card/{key}"] = SCOUTS
            if turn in event_turns:
                fixed[f"turn-{turn}/event/{key}"] = EARTHQUAKE
    return fixed


def record(
    *moves,
    on="_scenario",
    opens=None,
    dice=None,
    hands="open",
    external=None,
    options=None,
    **changes,
):
    result = scenario(on, **changes)
    keys = sorted(nation["key"] for nation in result["nations"])
    options = {"hands": hands, **(options or {})}
    if external is not None:
        options["external_attacks"] = external
    fixed = harmless(result)
    fixed["start"] = keys.index(opens) + 1 if opens else 1
    fixed.update(dice or {})
    return {
        "format": "grand-campaign/1",
        "scenario": result,
        "options": options,
        "dice": {"seed": "case", "fixed": fixed},
        "moves": [START, *flat(moves)],
    }


class Seen:
    """A state that is read by short paths.

    Paths are, for example, `amber.stability`, `b2.owner`, `1.status` (attack 1) and `slot`.
    """

    def __init__(self, state):
        self.state = state

    def __getitem__(self, path):
        head, *rest = path.split(".")
        if head.isdigit():
            value = self.state["attacks"][int(head) - 1]
        else:
            value = self.state
            for place in (self.state["nations"], self.state["provinces"]):
                if head in place:
                    value = place
            value = value[head]
        for key in rest:
            value = value[key]
        return value

    def levels(self, nation):
        """Return stability, prestige, income, army and victory points."""
        sheet = self.state["nations"][nation]
        return tuple(
            sheet[account]
            for account in ("stability", "prestige", "income", "army", "victory_points")
        )


def both(document):
    """Return the answer to a record, which must be the same for its JSON text."""
    answer = replay(document)
    if isinstance(document, dict):
        assert replay(json.dumps(document)) == answer, "the record and its text differ"
    return answer


def played(*moves, **setting):
    state = both(record(*moves, **setting))
    assert "error" not in state, state["error"]
    return Seen(state)


def refused(*moves, **setting):
    """Return the code by which the last move is refused; the moves before it must be legal."""
    written = record(*moves, **setting)
    answer = both(written)
    assert "error" in answer, "nothing was refused"
    error = answer["error"]
    assert isinstance(error["message"], str)
    assert error["message"]
    assert error["move"] == len(written["moves"]) - 1, error
    return error["code"]


def malformed(document):
    """Return whether a document is refused as malformed."""
    answer = both(document)
    assert "error" in answer, "nothing was refused"
    assert answer["error"]["code"] == "malformed-record", answer["error"]
    assert answer["error"]["move"] is None
    return True


# Moves


def move(who, name, **arguments):
    return {"by": who, "move": name, **{key.rstrip("_"): arguments[key] for key in arguments}}


def gm(name, **arguments):
    return move("gm", name, **arguments)


def for_(nation, name, **arguments):
    return {**move("gm", name, **arguments), "for": nation}


START = {"by": "gm", "move": "start"}
OPEN = {"by": "gm", "move": "open-turn"}


def land(who, start, target, **more):
    return move(who, "attack", kind="land", from_=start, target=target, **more)


def sea(who, start, target, **more):
    return move(who, "attack", kind="amphibious", from_=start, target=target, **more)


def covert(who, start, target, **more):
    return move(who, "attack", kind="independent", from_=start, target=target, **more)


def respond(who, attack, choice, **more):
    return move(who, "respond", attack=attack, choice=choice, **more)


def report(attack, **result):
    return gm("report", attack=attack, **result)


def routed(attack, attacker, defender):
    return report(attack, routed={"attacker": attacker, "defender": defender})


def forfeit(attack, side):
    return gm("forfeit", attack=attack, side=side)


def build(who, *structures):
    return [move(who, "build", structure=structure) for structure in structures]


def fortify(who, *provinces):
    return [move(who, "fortify", province=province) for province in provinces]


def fleet(who, province):
    return move(who, "fleet", province=province)


def play(who, card, **more):
    return move(who, "play", card=card, **more)


def offer(who, card):
    return move(who, "offer", card=card)


def take(who, owner, card, give):
    return move(who, "take", from_=owner, card=card, give=give)


def end(*nations):
    return [move(nation, "end-slot") for nation in nations]


def adjust(nation, account, change):
    return gm("adjust", nation=nation, account=account, change=change, reason="test")


def actions(nation, change):
    return adjust(nation, "actions", change)


def owner(province, nation):
    return gm("set-owner", province=province, owner=nation, reason="test")


def give(nation, *cards):
    return [gm("give-card", nation=nation, card=card, reason="test") for card in cards]


def discard(nation, *cards):
    return [gm("discard-card", nation=nation, card=card, reason="test") for card in cards]


# Skipping turns; the first nation of `who` opens turn 1, and no nation has fallen.


def order(turn, who=MINI):
    return [who[(turn - 1 + place) % len(who)] for place in range(len(who))]


def slots(turn, after=None, who=MINI):
    """End the slots of a turn: all of them, or those from `after` on, including its own."""
    places = order(turn, who)
    return end(*places[places.index(after) if after else 0 :])


def until(turn, nation, who=MINI):
    """End the slots before that nation's slot."""
    places = order(turn, who)
    return end(*places[: places.index(nation)])


def whole(turn, after=None, who=MINI):
    """End the slots like `slots`, then open the next turn."""
    return [*slots(turn, after, who), OPEN]


def to_turn(turn, who=MINI):
    return [whole(earlier, who=who) for earlier in range(1, turn)]
