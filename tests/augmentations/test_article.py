"""The indefinite article follows the sound of a word, not its first letter."""

from __future__ import annotations

import pytest

from augcse.augmentations.english.article import indefinite_article


@pytest.mark.parametrize(
    "word",
    "old apple hour honest heir honourable MBA FBI NGO X-ray 8 11 18 80 8,000 unimportant unidentified urban umbrella"
    " egg hourly utter unironic unissued MIT".split(),
)
def test_vowel_sound_takes_an(word: str) -> None:
    assert indefinite_article(word) == "an"


@pytest.mark.parametrize(
    "word",
    "young house university European one once one-off unique union useful usual UK U.S. NASA NATO ewe 7 1,100 100 180"
    " historic Ukrainian utopia uranium unanimous uterus uniform SIM LAN".split(),
)
def test_consonant_sound_takes_a(word: str) -> None:
    assert indefinite_article(word) == "a"


@pytest.mark.parametrize("word", ["", "…", '"', "🙂", "مرحبا"])
def test_word_without_latin_letters_takes_a(word: str) -> None:
    assert indefinite_article(word) == "a"


def test_opening_quotation_mark_is_looked_through() -> None:
    assert indefinite_article('"open') == "an"
