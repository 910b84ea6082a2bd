"""Numbered rules, each with a test named after it or a reason why there is nothing to test."""

import re
from pathlib import Path

import pytest

LIST = """1.1 1.2 1.3 1.4 1.5 2.1 2.2 2.3 2.4 2.5 2.6 2.7 2.8 2.9
3.1 3.2 3.3 3.4 3.5 3.6 3.7 3.8 3.9 3.10 3.11 3.12 3.13
4.1 4.2 4.3 4.4 4.5 4.6 4.7 4.8 4.9 4.10 4.11 4.12 4.13 4.14 4.15 5 6.1 6.2
7.1 7.2 7.3 7.4 7.5 7.6 7.7 7.8 7.9 7.10 7.11 8.1 8.2
9.1 9.2 9.3 9.4 9.5 9.6 9.7 9.8 9.9 9.10 9.11 10 11 12 13"""
RULES = LIST.split()

NOTHING_FOR_THE_RECORD = {
    "1.4": "a record knows no dates; how long a turn lasts is the table's (11)",
    "7.11": "size, map and lobby are of the set-up sheet; scouts are 4.15, sides are the attack's",
}


def names():
    for path in Path(__file__).parent.glob("test_*.py"):
        yield from re.findall(r"^def (test_\w+)", path.read_text(encoding="utf-8"), re.MULTILINE)


@pytest.mark.parametrize("rule", RULES)
def test_a_rule_has_a_test_or_a_reason(rule):
    wanted = f"test_{rule.replace('.', '_')}_"
    result = [name for name in names() if name.startswith(wanted)]
    assert bool(result) != (rule in NOTHING_FOR_THE_RECORD)


def test_the_list_of_rules_is_complete():
    """Chapters 1 to 13 are listed without gaps."""
    assert len(RULES) == len(set(RULES)) == 73
    last = {1: 5, 2: 9, 3: 13, 4: 15, 6: 2, 7: 11, 8: 2, 9: 11}
    expected = {f"{chapter}.{place}" for chapter in last for place in range(1, last[chapter] + 1)}
    assert set(RULES) == expected | {"5", "10", "11", "12", "13"}


def test_no_test_names_a_rule_that_does_not_exist():
    for name in names():
        number = re.match(r"test_(\d+)_(\d+)?", name)
        if number and number[1] not in ("5", "10", "11", "12", "13") and number[2]:
            rule = f"{number[1]}.{number[2]}"
            assert rule in RULES or number[2] == "0", name
