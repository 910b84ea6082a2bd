"""The game in prose, a paragraph a period."""

from __future__ import annotations

from engine.language import Name
from games.kit.chronicle import Chronicler, Facts, count_in_words
from games.roman_empire.english import CHRONICLE
from games.roman_empire.rules.board import KINGDOMS, MINORS, PEOPLES
from games.roman_empire.text import words
from games.roman_empire.text.words import land_name, listed, numeral, years


def heading(period: int) -> str:
    """The name of a period, above its paragraph."""
    return CHRONICLE.text("period", numeral=numeral(period), years=years(period))


def group(key: object) -> Name:
    """A group's name within a sentence, with its article."""
    names, name = CHRONICLE.read()["names"], words.group_name(key)
    kind = "people" if key in PEOPLES else "kingdom" if key in KINGDOMS else "minor" if key in MINORS else ""
    form = names.get(key) or names.get(kind)
    return Name.parse(str(form).format(name=name) if form else name)


def count(unit: str, n: int) -> str:
    return count_in_words(CHRONICLE.read(), unit, n)


class PeriodChronicler(Chronicler):
    """What an acting group did is held back until it has done: lands entered, conquered, looted, taken over, fortified,
    struck; whom it lost armies against."""

    catalogue = CHRONICLE

    def __init__(self) -> None:
        super().__init__()
        self.acting: object = None
        self._forget()

    def _forget(self) -> None:
        self.lands: dict[str, list[str]] = {key: [] for key in ("entered", "conquered", "overrun", "cities", "forts", "looted")}
        self.loot = 0
        self.lost: dict[str, int] = {}

    def finish(self) -> None:
        """The acting group has done: write down what is held back."""
        who = group(self.acting)
        for key in ("entered", "conquered", "overrun"):
            if self.lands[key]:
                self.add_line(key, group=who, lands=listed(self.lands[key]))
        if self.lands["looted"]:
            self.add_line("looted", group=who, lands=listed(self.lands["looted"]), points=count("point", self.loot))
        for land, n in self.lost.items():
            self.add_line("repulsed", group=who, land=land_name(land), armies=count("army", n))
        for key in ("cities", "forts"):
            if self.lands[key]:
                self.add_line(key, group=who, lands=listed(self.lands[key]))
        self._forget()

    def act(self, who: object) -> None:
        """Another group acts from now on."""
        self.finish()
        self.acting = who

    # Reading ---------------------------------------------------------------------------------------------------

    def on_begun(self, facts: Facts) -> None:
        self.add_line("begun")

    def on_turn(self, facts: Facts) -> None:
        self.act(None)
        self.turn = int(facts["period"])

    def on_opened(self, facts: Facts) -> None:
        self.act(facts["group"])
        named = {"group": group(facts["group"]), "seat": words.seat_name(facts["seat"])}
        if facts["phase"] == "faction":
            self.add_line("faction", emperor=words.PHRASES["emperor"](facts["emperor"]), **named)
        else:
            armies = count("army", int(facts["in_hand"]))
            again = facts["in_hand"] < facts["strength"]
            self.add_line("people.again" if again else "people", armies=armies, land=land_name(facts["land"]), **named)

    def on_sub_begun(self, facts: Facts) -> None:
        self.act(facts["group"])
        self.add_line("sub", group=group(facts["group"]), land=land_name(facts["land"]))

    def on_sub_ended(self, facts: Facts) -> None:
        self.act(facts["by"])

    def on_placed(self, facts: Facts) -> None:
        if facts["way"] in ("vacant", "take"):
            self.lands["entered"].append(land_name(facts["land"]))

    def on_conquered(self, facts: Facts) -> None:
        self.lands["conquered"].append(land_name(facts["land"]))
        self.lost.pop(str(facts["land"]), None)

    def on_overrun(self, facts: Facts) -> None:
        self.lands["overrun"].append(land_name(facts["land"]))

    def on_looted(self, facts: Facts) -> None:
        self.lands["looted"].append(land_name(facts["land"]))
        self.loot += int(facts["points"])

    def on_army_lost(self, facts: Facts) -> None:
        if facts["group"] == self.acting:
            land = str(facts["land"])
            self.lost[land] = self.lost.get(land, 0) + 1

    def on_city_built(self, facts: Facts) -> None:
        self.lands["cities"].append(land_name(facts["land"]))

    def on_fort_built(self, facts: Facts) -> None:
        self.lands["forts"].append(land_name(facts["land"]))

    def on_retreated(self, facts: Facts) -> None:
        self.add_line("retreated", group=group(facts["group"]), land=land_name(facts["land"]), to=land_name(facts["to"]))

    def on_leader_killed(self, facts: Facts) -> None:
        self.add_line("leader", group=group(facts["group"]))

    def on_rebelled(self, facts: Facts) -> None:
        self.add_line("rebelled", land=land_name(facts["land"]), colour=group(facts["colour"]))

    def on_rebellion_over(self, facts: Facts) -> None:
        self.add_line("rebels" if facts["n"] else "quelled", land=land_name(facts["land"]))

    def on_struck(self, facts: Facts) -> None:
        self.add_line("struck", card=words.card_name(facts["card"]), lands=land_name(facts["land"]))

    def on_ruined(self, facts: Facts) -> None:
        self.add_line("ruined", card=words.card_name(facts["card"]), land=land_name(facts["land"]))

    on_destroyed = on_ruined

    def on_accepted(self, facts: Facts) -> None:
        seat = words.seat_name(facts["seat"])
        self.add_line("peace", seat=seat, group=words.group_name(facts["group"]), colour=group(facts["colour"]))

    def on_scored(self, facts: Facts) -> None:
        self.finish()
        points = int(facts["points"])
        self.add_line("scored" if points else "nothing", points=count("point", points))

    def on_kingdom_stands(self, facts: Facts) -> None:
        self.add_line("kingdom", group=group(facts["group"]), points=count("point", int(facts["points"])))

    def on_game_end(self, facts: Facts) -> None:
        self.add_line("end", winner=words.seat_name(facts["winner"]))
