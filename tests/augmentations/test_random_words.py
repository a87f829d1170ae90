from collections import Counter
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from augcse.augmentations.base import Rule
from augcse.augmentations.rules.noise.random_words import random_crop, random_deletion, random_swap, random_word_augmentation
from augcse.augmentations.run.apply import augment

RULES = (random_swap, random_deletion, random_crop, random_word_augmentation)
WORDS = st.lists(st.text("abcdefgé", min_size=1, max_size=5), min_size=3, max_size=30)
SEEDS = st.integers(0, 10_000)


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("sentence", ["", "word", "Stop!", "🙂 🙂 🙂", "– – –", "  \t ", "…"])
def test_too_short_is_none(rule: Rule, sentence: str) -> None:
    assert rule(sentence, Random(0)) is None


def test_crop_leaves_two_words_alone() -> None:
    assert random_crop("Two words.", Random(0)) is None


@pytest.mark.parametrize("rule", RULES[:3])
def test_rate_zero_changes_nothing(rule: Rule) -> None:
    assert rule("one two three four", Random(0), rate=0.0) is None


@given(WORDS, SEEDS, st.booleans())
def test_swap_keeps_the_words(words: list[str], seed: int, adjacent: bool) -> None:
    sentence = " ".join(words)
    swapped = random_swap(sentence, Random(seed), adjacent=adjacent)
    assert swapped is None or Counter(swapped.split()) == Counter(words)


@given(WORDS, SEEDS)
def test_swap_moves_at_most_its_share(words: list[str], seed: int) -> None:
    swapped = random_swap(" ".join(words), Random(seed), rate=0.3)
    moved = sum(one != other for one, other in zip(words, (swapped or " ".join(words)).split(), strict=True))
    assert moved <= 2 * max(1, round(0.15 * len(words)))


@given(WORDS, SEEDS)
def test_deletion_is_a_proper_subsequence(words: list[str], seed: int) -> None:
    kept = (random_deletion(" ".join(words), Random(seed)) or "").split()
    rest = iter(words)
    assert all(word in rest for word in kept)
    assert 0 < len(kept) < len(words)


@given(WORDS, SEEDS)
def test_crop_removes_one_span(words: list[str], seed: int) -> None:
    kept = (random_crop(" ".join(words), Random(seed)) or "").split()
    length = max(1, round(0.1 * len(words)))
    assert any(words[:start] + words[start + length :] == kept for start in range(len(words) - length + 1))


@given(st.text(max_size=60), SEEDS)
def test_any_text_is_safe(text: str, seed: int) -> None:
    for rule in RULES:
        rule(text, Random(seed))


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("seed", range(20))
def test_closing_punctuation_and_first_capital_stay(rule: Rule, seed: int) -> None:
    new = rule('The man said: "We came, we saw."', Random(seed))
    assert new.endswith('."')
    assert new[0].isupper()


@pytest.mark.parametrize("seed", range(20))
def test_swap_keeps_punctuation_and_spacing_in_place(seed: int) -> None:
    new = random_swap("one,  two\t(three four) – five; six.", Random(seed))
    shape = "".join(character for character in new if not character.isalpha())
    assert shape == ",  \t( ) – ; ."


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("The dog.", "Dog the."),
        ("Paris sleeps.", "Sleeps Paris."),
        ("I slept.", "Slept I."),
        ("McDonald spoke.", "Spoke McDonald."),
        ("the dog", "dog the"),
        ("In iPhone.", "iPhone in."),
    ],
)
def test_swap_realigns_the_first_capital(sentence: str, expected: str) -> None:
    assert random_swap(sentence, Random(0)) == expected


def test_swap_never_pairs_equal_words() -> None:
    assert random_swap("no no no", Random(0)) is None


def test_deleted_brackets_go_in_pairs() -> None:
    for seed in range(50):
        new = random_deletion('He (the (old) man) said "yes you may" twice.', Random(seed), rate=0.6)
        assert new.count("(") == new.count(")")
        assert new.count('"') % 2 == 0
        assert "()" not in new


def test_deleting_the_last_word_leaves_no_comma() -> None:
    assert "mat." in {random_crop("On the mat, again.", Random(seed)).split()[-1] for seed in range(20)}


def test_rate_is_kept_on_average() -> None:
    sentence = " ".join(f"w{place}" for place in range(100))
    deleted = sum(100 - len(random_deletion(sentence, Random(seed)).split()) for seed in range(200))
    assert 5800 < deleted < 6200


@pytest.mark.parametrize("rule", RULES)
def test_same_seed_same_result(rule: Rule) -> None:
    assert rule("one two three four five", Random(3)) == rule("one two three four five", Random(3))


def test_a_cropped_end_leaves_no_blank_before_the_full_stop() -> None:
    sentence = "The lineup has remained in place since then."
    results = {random_crop(sentence, Random(seed)) for seed in range(60)}
    assert "The lineup has remained in place since." in results
    assert not any(" ." in result for result in results if result)


def _all(rule: Rule, sentence: str, **options: object) -> set[str]:
    return {rule(sentence, Random(seed), **options) for seed in range(300)} - {None}


def test_deletion_leaves_no_blank_before_a_closing_bracket() -> None:
    results = _all(random_crop, "They (stationed in Germany) left.", rate=0.4)
    assert "They (stationed) left." in results
    assert not any(" )" in result or "( " in result for result in results)


def test_what_stood_in_emptied_quotes_leaves_no_words_glued() -> None:
    results = _all(random_crop, 'either or "two words" to (be gone) here', rate=0.25)
    assert {"either or to (be gone) here", 'either or "two words" to here'} <= results


def test_quotes_emptied_at_the_end_go() -> None:
    assert "The name is." in _all(random_crop, 'The name is "Bob."', rate=0.1)


def test_marks_that_were_empty_before_stay() -> None:
    assert all("''" in result for result in _all(random_deletion, "an '' or g and h"))
    assert not any(result.count("(") - result.count(")") for result in _all(random_deletion, "call f() or the word(s) now"))


def test_apostrophe_of_a_possessive_goes_with_its_word() -> None:
    results = _all(random_deletion, "They gave the workers' soldiers' rights away")
    assert not any(" '" in result for result in results)
    assert all("'the" in result for result in _all(random_crop, "They gave 'the workers' up again now") if "the" in result)


def test_apostrophe_before_a_word_is_part_of_it() -> None:
    assert not any("' " in result or result.endswith("'") for result in _all(random_deletion, "Old Town Rock 'n Roll"))


@pytest.mark.parametrize("rule", [random_deletion, random_crop, random_swap])
def test_capital_follows_a_number_that_opened_the_sentence(rule: Rule) -> None:
    assert all(not result[0].islower() for result in _all(rule, "1924 these are the bands"))


@pytest.mark.parametrize(
    ("sentence", "first"),
    [
        ("Resistors have bands", "Have resistors bands"),
        ("Certainly the same", "The certainly same"),
        ("Obama spoke there", "Spoke Obama there"),
    ],
)
def test_old_first_word_keeps_its_capital_only_as_a_name(sentence: str, first: str) -> None:
    assert first in _all(random_swap, sentence)


@pytest.mark.parametrize("sentence", ["Mark Twain wrote it", "Red Cross staff came"])
def test_first_word_stays_where_its_capital_may_be_its_own(sentence: str) -> None:
    assert {result.split()[0] for result in _all(random_swap, sentence)} == {sentence.split()[0]}


def test_first_word_of_a_quotation_stays() -> None:
    assert all('"Global' in result for result in _all(random_swap, 'It says "Global recessions occur" here'))


@pytest.mark.parametrize("blank", ["\u00a0", "\u3000", "\n", "\r\n", " \n"])
@pytest.mark.parametrize("rule", [random_deletion, random_crop])
def test_no_blank_is_left_doubled_or_at_an_end(rule: Rule, blank: str) -> None:
    results = _all(rule, blank.join(["The", "old", "man", "has", "two", "dogs."]), rate=0.5)
    assert len(results) > 3
    assert all(result == blank.join(result.split()) for result in results)


@pytest.mark.parametrize("end", ["", " ", "\n", "\u00a0"])
def test_the_blank_that_ends_the_text_stays(end: str) -> None:
    results = _all(random_deletion, f"On the mat, again.{end}")
    assert f"On the mat.{end}" in results
    assert all(result.endswith(f".{end}") and result.rstrip()[-2].isalpha() for result in results)


@pytest.mark.parametrize("rule", [random_deletion, random_crop])
def test_a_deleted_first_word_of_tokenised_text_takes_its_marks_along(rule: Rule) -> None:
    results = _all(rule, "Hello , world . This is tokenised .")
    assert "World . This is tokenised ." in results
    assert "This is tokenised ." in results or rule is random_crop
    assert all(result[0].isalpha() and result.endswith(" .") for result in results)


def test_a_deleted_word_of_tokenised_text_takes_its_comma_along() -> None:
    results = _all(random_crop, "we saw , he came ; they left")
    assert {"we he came ; they left", "we saw , he they left"} <= results


def test_no_word_with_a_dot_comes_before_the_full_stop() -> None:
    sentence = "It opens daily at 9 a.m. and works for Acme Ltd."
    outputs = {new for seed in range(200) if (new := augment([sentence], "RandomSwap", seed=seed)[0])}
    assert len(outputs) > 20
    assert all(new.endswith(".") and not new.endswith("..") and "a.m." in new for new in outputs)


def test_a_handle_that_becomes_the_first_word_gets_no_capital() -> None:
    outputs = {augment(["Follow @harry_kane for news."], "RandomDeletion:rate=0.3", seed=seed)[0] for seed in range(60)}
    opened = [new for new in outputs if new and new.startswith("@")]
    assert opened
    assert all(new.startswith("@harry_kane") for new in opened)
