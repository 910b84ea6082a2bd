"""JSON without its surprises."""

from __future__ import annotations

from decimal import Decimal

import pytest

from engine.errors import MalformedRecord
from engine.strict_json import canonical, entry_hash, is_clean_text, read, read_whole_number


@pytest.mark.parametrize(
    "text",
    [
        '{"a": NaN}',
        "[Infinity]",
        "[-Infinity]",
        '{"a": 1, "a": 1}',
        "[" * 100_000,
        '{"a":' * 5000,
        "",
        "{",
        b"\xff\xfe{}",
        b"\xef\xbb\xbf{}",
    ],
)
def test_what_is_no_record_is_malformed(text):
    with pytest.raises(MalformedRecord):
        read(text)


def test_fractions_are_decimals_and_long_numbers_no_integers():
    assert read("[45.10, 1e2]") == [Decimal("45.10"), Decimal("100")]
    assert type(read("1" + "0" * 5000)) is Decimal


def test_twenty_megabytes_are_the_limit():
    assert len(read('"' + "a" * 19_999_998 + '"')) == 19_999_998
    with pytest.raises(MalformedRecord, match="20 MB"):
        read('"' + "a" * 19_999_999 + '"')
    with pytest.raises(MalformedRecord, match="20 MB"):
        read('"' + "é" * 10_000_000 + '"')


@pytest.mark.parametrize(
    ("text", "clean"),
    [
        ("a\nb", True),
        ("é ½", True),
        ("a\x00", False),
        ("\x7f", False),
        ("\x85", False),
        ("\ud800", False),
        (5, False),
        ("a" * 11, False),
    ],
)
def test_texts_that_can_be_kept(text, clean):
    assert is_clean_text(text, 10) is clean


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("0", 0),
        ("007", 7),
        ("999999999", 999_999_999),
        ("1000000000", None),
        ("", None),
        ("-1", None),
        (" 1", None),
        ("1.0", None),
        ("٣", None),
        ("²", None),
    ],
)
def test_a_whole_number_of_a_form_has_plain_digits_and_not_too_many(text, number):
    assert read_whole_number(text) == number


def test_canonical_text():
    assert (
        canonical({"b": Decimal("45.50"), "a": [1, None, True, "é"]})
        == '{"a":[1,null,true,"é"],"b":45.5}'
    )
    assert canonical(Decimal("2.0")) == "2"
    with pytest.raises(ValueError, match="more digits"):
        canonical(Decimal("44.99999999999999999999999"))
    with pytest.raises(ValueError, match="not JSON compliant"):
        canonical(float("nan"))


def test_an_entry_is_chained_to_the_one_before():
    first = entry_hash("", {"n": 0})
    assert entry_hash(first, {"n": 1}) != entry_hash("", {"n": 1})
    assert entry_hash(first, {"n": 1, "m": 2}) == entry_hash(first, {"m": 2, "n": 1})
