"""PigLatin, PhonemeSubstitution, VisualAttackLetters: golden words, shares, what stays in place."""

from __future__ import annotations

import lzma
import re
import unicodedata
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from augcse import augment
from augcse.augmentations.base import Rule
from augcse.augmentations.rules.noise.spelling.rule import PRONUNCIATIONS, phoneme_substitution, pig_latin, visual_attack_letters

TEXTS = st.text("abeiouyzBAEÉéß 'q’-_.,(12\t\n\u0308\u00a0中", max_size=40)
SEEDS = st.integers(0, 10_000)
NOISY = (phoneme_substitution, visual_attack_letters)


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("hello world!", "ello-hay orld-way!"),
        ("The well-known quick fox.", "e-Thay ell-known-way uick-qay ox-fay."),
        ("eat my yellow rhythm hmm", "eat-ay y-may ellow-yay ythm-rhay hmm-ay"),
        # Only small vowel letters count, so that capitals hide theirs.
        ("Apple USA I McDonald's", "e-Applay USA-ay I-ay onald's-McDay"),
        ("“Don't (be) late,” he said…", "“on't-Day (e-bay) ate-lay,” e-hay aid-say…"),
        ("In 1998, the 3rd e.g. 2,000 B-side", "In-ay 1998, e-thay 3rd-ay e.g-ay. 2,000 ide-B-say"),
        ("naïve über straße привет 中文", "aïve-nay er-übay aße-stray привет 中文"),
        ("two  blanks\tand\nlines", "o-tway  anks-blay\tand-ay\nines-lay"),
    ],
)
def test_pig_latin_is_that_of_the_package_the_paper_used(sentence: str, expected: str) -> None:
    assert pig_latin(sentence, Random(0), separator="-", lower=False) == expected


def test_pig_latin_as_published_is_lower_case_and_knows_no_hyphen() -> None:
    assert pig_latin("Eat a well-known Apple, in 1998-99.", Random(0)) == "eatay aay ellknownway appleay, inay 199899."


@given(st.text("abceiouyzBÉéßñïüÿ 'q’-_.(12", max_size=40), SEEDS)
def test_decomposed_letters_are_read_as_the_composed_ones(text: str, seed: int) -> None:
    apart = unicodedata.normalize("NFD", text)
    for options in ({}, {"separator": "-", "lower": False}):
        assert unicodedata.normalize("NFC", pig_latin(apart, Random(0), **options)) == pig_latin(text, Random(0), **options)
    spoken = phoneme_substitution(apart, Random(seed))
    assert unicodedata.normalize("NFC", spoken) == phoneme_substitution(text, Random(seed))


def test_accents_stay_with_their_letters() -> None:
    assert pig_latin("cafe\u0301 nai\u0308ve e\u0301 cafe\u0301-bar", Random(0)) == "afe\u0301cay ai\u0308venay e\u0301 afe\u0301barcay"
    assert phoneme_substitution("cafe\u0301 e\u0301cole see", Random(0), rate=1.0) == "cafe\u0301 e\u0301cole siy"


@given(TEXTS)
def test_pig_latin_keeps_blanks_and_only_adds_ay(text: str) -> None:
    translated = pig_latin(text, Random(0), separator="-", lower=False)
    assert re.findall(r"\s", translated) == re.findall(r"\s", text)
    for before, after in zip(text.split(), translated.split(), strict=True):
        assert after == before or sorted(after) == sorted(f"{before}-ay")


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [("Permit this.", "Permiht dhihs."), ("don’t", "downt"), ("Knight zzyzxq 12 café", "Nayt zzyzxq 12 café"), ("US and A", "US ahnd Ah")],
)
def test_phonemes_of_every_word(sentence: str, expected: str) -> None:
    assert phoneme_substitution(sentence, Random(0), rate=1.0) == expected


def test_letters_look_alike_and_are_others() -> None:
    attacked = visual_attack_letters("Zoo, 12!", Random(0), rate=1.0)
    assert re.fullmatch(r"[^\W\d_]{3}, 12!", attacked)
    assert not attacked.isascii()
    assert not set("Zo") & set(attacked)


@pytest.mark.parametrize("rule", NOISY)
def test_rate_is_kept_on_average(rule: Rule) -> None:
    sentence = " ".join(["see"] * 1000)
    words = rule(sentence, Random(1), rate=0.3).replace(" ", "") if rule is visual_attack_letters else rule(sentence, Random(1), rate=0.3)
    changed = sum(letter not in "se" for letter in words) / 3000 if rule is visual_attack_letters else words.count("siy") / 1000
    assert 0.26 < changed < 0.34


@pytest.mark.parametrize("rule", NOISY)
def test_rate_zero_changes_nothing(rule: Rule) -> None:
    assert rule("This is it.", Random(0), rate=0.0) in (None, "This is it.")


@given(TEXTS, SEEDS)
def test_letters_are_replaced_in_their_places(text: str, seed: int) -> None:
    attacked = visual_attack_letters(text, Random(seed))
    assert len(attacked) == len(text)
    assert all(new == old or (old.isascii() and old.isalpha()) for old, new in zip(text, attacked, strict=True))


def test_no_look_alike_stands_for_two_letters() -> None:
    letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
    found = {letter: {visual_attack_letters(letter, Random(seed), rate=1.0) for seed in range(60)} for letter in letters}
    assert all(2 <= len(alikes) <= 5 for alikes in found.values())
    assert len(set().union(*found.values())) == sum(map(len, found.values()))


def test_pronunciations_carry_their_licence_and_stay_small() -> None:
    text = lzma.decompress(PRONUNCIATIONS.read_bytes()).decode("utf-8")
    assert "Carnegie Mellon University. All rights reserved." in text
    assert "Redistributions of source code must retain" in text
    assert PRONUNCIATIONS.stat().st_size < 1_500_000
    assert text.count("\n") > 100_000


def test_dashes_between_words_stay() -> None:
    assert pig_latin("He left -- she said--no.", Random(0)) == "ehay eftlay -- eshay aid--nosay."


def test_addresses_and_short_titles_are_not_spelt_by_their_sound() -> None:
    kept = ("Dr.", "john@mail.com", "https://www.example.com", "@harry_kane")
    sentence = f"{kept[0]} Lee wrote to {kept[1]}, {kept[2]} and {kept[3]}"
    for seed in range(20):
        new = augment([sentence], "PhonemeSubstitution:rate=1", seed=seed)[0]
        assert new is not None
        assert all(word in new for word in kept)
