"""Shares of one whole in whole per cent."""

from __future__ import annotations

from fractions import Fraction

from engine.shares import whole_percents


def test_they_add_up_to_100() -> None:
    assert whole_percents([Fraction(675, 1000), Fraction(320, 1000), Fraction(5, 1000)]) == [
        67,
        32,
        1,
    ]
    assert whole_percents([Fraction(1, 3)] * 3) == [34, 33, 33]
    assert whole_percents([Fraction(1, 6)] * 6) == [17, 17, 17, 17, 16, 16]
    assert whole_percents([0.995, 0.005, 0.0]) == [99, 1, 0]
    assert whole_percents([Fraction(1)]) == [100]
    assert whole_percents([]) == []
    assert whole_percents([0.604, 0.392, 0.002, 0.002], least=0) == [61, 39, 0, 0]


def test_shares_of_no_whole_are_rounded_one_by_one() -> None:
    assert whole_percents([0.506, 0.2]) == [51, 20]
