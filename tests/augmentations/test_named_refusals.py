"""Named refusals: the first that holds decides, and is noted for whoever listens."""

from __future__ import annotations

from augcse.augmentations.refusals import Refusal, note, noting, refused

SHORT = Refusal("short", "ab", lambda text: len(text) < 3)
LOWER = Refusal("lower case", "abc", str.islower)


def test_the_first_that_holds_decides_and_is_noted() -> None:
    with noting() as names:
        assert refused((SHORT, LOWER), "ab")
        assert refused((SHORT, LOWER), "abc")
        assert not refused((SHORT, LOWER), "ABC")
    assert names == ["short", "lower case"]


def test_none_is_asked_after_the_one_that_holds() -> None:
    def fail(text: str) -> bool:
        raise ZeroDivisionError(text)

    assert refused((SHORT, Refusal("never asked", "", fail)), "a")


def test_nothing_is_noted_outside() -> None:
    note("before")
    with noting() as names:
        pass
    note("after")
    assert names == []


def test_the_innermost_listener_hears() -> None:
    with noting() as outer:
        note("one")
        with noting() as inner:
            note("two")
        note("three")
    assert (outer, inner) == (["one", "three"], ["two"])
