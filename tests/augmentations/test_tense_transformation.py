"""TenseTransformation: golden sentences per target tense, what is left alone, hand-made parses."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Literal

import pytest

from augcse.annotation.parse import Parse, parse_of_rows
from augcse.augmentations.rules.syntax.tense_transformation.rule import tense_transformation

ParseSentence = Callable[[str], Parse]


def shift(parse: Parse, to_tense: str) -> str | None:
    return tense_transformation(parse, Random(0), to_tense=to_tense)


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("My father goes to the gym every day.", "My father went to the gym every day."),
        ("A shop is seeing customers come back.", "A shop was seeing customers come back."),
        ("He lets the dogs run in the garden.", "He let the dogs run in the garden."),
        ("I see they come back.", "I saw they came back."),
        ("They are running.", "They were running."),
        ("It's late.", "It was late."),
        ("He isn't here.", "He wasn't here."),
        ("She doesn't like it.", "She didn't like it."),
        ("He will go home.", "He went home."),
        ("She won't go home.", "She didn't go home."),
        ("Will it be ready?", "Was it ready?"),
        ("Where is he?", "Where was he?"),
        ("There are two dogs in the garden.", "There were two dogs in the garden."),
        ("He has never seen it.", "He had never seen it."),
        ("I can swim.", "I could swim."),
        ("The people who live here are happy.", "The people who lived here were happy."),
    ],
)
def test_to_past(parse_sentence: ParseSentence, sentence: str, expected: str) -> None:
    assert shift(parse_sentence(sentence), "past") == expected


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("My father went to the gym.", "My father goes to the gym."),
        ("She saw the boys leave.", "She sees the boys leave."),
        ("You were tired.", "You are tired."),
        ("I was tired.", "I am tired."),
        ("She didn't like it.", "She doesn't like it."),
        ("He will go home.", "He goes home."),
        ("Did you go?", "Do you go?"),
        ("Will it be ready?", "Is it ready?"),
        ("It will always be ready.", "It is always ready."),
        ("He was born in 1990.", "He is born in 1990."),
        ("He found the book that she had lost.", "He finds the book that she has lost."),
        ("When he came, he was tired.", "When he comes, he is tired."),
        ("He sat on the bed and ate an apple.", "He sits on the bed and eats an apple."),
        ("She read a book and went home.", "She reads a book and goes home."),
        ("She founded a school.", "She founds a school."),
        ("Tom and Mary went there.", "Tom and Mary go there."),
        ("I went home and slept.", "I go home and sleep."),
        ("He could not swim.", "He cannot swim."),
    ],
)
def test_to_present(parse_sentence: ParseSentence, sentence: str, expected: str) -> None:
    assert shift(parse_sentence(sentence), "present") == expected


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("My father goes to the gym every day.", "My father will go to the gym every day."),
        ("You alter it every time you recall it.", "You will alter it every time you recall it."),
        ("She left the town for the last time.", "She will leave the town for the last time."),
        ("He has left by Friday.", "He will have left by Friday."),
        ("The tower is likely to fall.", "The tower will be likely to fall."),
        ("It's late.", "It will be late."),
        ("It's been much too long.", "It will have been much too long."),
        ("It's never been easy.", "It will never have been easy."),
        ("He isn't here.", "He won't be here."),
        ("She didn't like it.", "She won't like it."),
        ("Did you go?", "Will you go?"),
        ("Where is he?", "Where will he be?"),
        ("Mary, was he late?", "Mary, will he be late?"),
        ("There are two dogs in the garden.", "There will be two dogs in the garden."),
        ("He was born in May.", "He will be born in May."),
        ("He has never seen it.", "He will never have seen it."),
        ("When he came, he was tired.", "When he comes, he will be tired."),
        ("He is also a singer.", "He will also be a singer."),
        ("He never said that.", "He will never say that."),
    ],
)
def test_to_future(parse_sentence: ParseSentence, sentence: str, expected: str) -> None:
    assert shift(parse_sentence(sentence), "future") == expected


@pytest.mark.parametrize("to_tense", ["past", "present", "future"])
@pytest.mark.parametrize(
    "sentence",
    [
        "He used to smoke.",
        "You must go.",
        "You need not go.",
        "They dare not speak.",
        "Go home!",
        "He'd go.",
        "A nice day",
        "",
        "Hm",
        "🙂",
        "مرحبا بالعالم",
    ],
)
def test_sentence_without_a_tense_to_shift_stays(parse_sentence: ParseSentence, sentence: str, to_tense: str) -> None:
    assert shift(parse_sentence(sentence), to_tense) is None


@pytest.mark.parametrize(
    "sentence", ["He wrote a book, which won a prize.", "He wrote a book (which won a prize).", "It was the king who led the army."]
)
def test_what_a_past_led_to_keeps_it_from_the_future(parse_sentence: ParseSentence, sentence: str) -> None:
    assert shift(parse_sentence(sentence), "future") is None


@pytest.mark.parametrize("sentence", ["They sing and dance.", "I cook and clean.", "He can sing and dances well."])
def test_a_finite_verb_that_the_tagger_took_for_a_noun_or_adjective_would_stay(parse_sentence: ParseSentence, sentence: str) -> None:
    assert shift(parse_sentence(sentence), "past") is None


def test_sentence_in_the_wanted_tense_stays(parse_sentence: ParseSentence) -> None:
    assert shift(parse_sentence("He went home."), "past") is None


def test_quotation_keeps_its_tense(parse_sentence: ParseSentence) -> None:
    assert shift(parse_sentence('"I am ill," he said.'), "present") == '"I am ill," he says.'


def test_random_target_is_one_of_the_two_other_tenses(parse_sentence: ParseSentence) -> None:
    parse = parse_sentence("He went home.")
    drawn = {tense_transformation(parse, Random(seed)) for seed in range(20)}
    assert drawn == {"He goes home.", "He will go home."}


def test_where_one_tense_cannot_be_the_other_is_taken(parse_sentence: ParseSentence) -> None:
    parse = parse_sentence("The museum's goal is to educate.")
    assert {tense_transformation(parse, Random(seed)) for seed in range(8)} == {"The museum's goal was to educate."}


def test_same_stream_gives_the_same_sentence(parse_sentence: ParseSentence) -> None:
    parse = parse_sentence("He went home.")
    assert tense_transformation(parse, Random(5)) == tense_transformation(parse, Random(5))


@pytest.mark.parametrize(("to_tense", "expected"), [("present", "She is old."), ("future", "She will be old.")])
def test_clearnlp_copula_is_handled(to_tense: str, expected: str) -> None:
    rows = [
        ("She", 0, "she", "PRON", "PRP", 1, "nsubj"),
        ("was", 4, "be", "AUX", "VBD", 1, "ROOT"),
        ("old", 8, "old", "ADJ", "JJ", 1, "acomp"),
        (".", 11, ".", "PUNCT", ".", 1, "punct"),
    ]
    assert shift(parse_of_rows("She was old.", rows), to_tense) == expected


@pytest.mark.parametrize(
    "sentence",
    [
        "You hate Tom, don't you?",
        "She wrote the letter, didn't she?",
        "You like it, don't you?",
        "They can swim, can't they?",
        "He played well, did he?",
        "I am right, aren't I?",
    ],
)
def test_a_question_tag_that_would_keep_its_tense_leaves_the_sentence(parse_sentence: ParseSentence, sentence: str) -> None:
    assert [shift(parse_sentence(sentence), tense) for tense in ("past", "present", "future")] == [None] * 3


def test_a_question_tag_follows_the_clause(parse_sentence: ParseSentence) -> None:
    assert shift(parse_sentence("She is a nurse, isn't she?"), "past") == "She was a nurse, wasn't she?"


def test_missed_verb_leaves_the_sentence() -> None:
    rows = [
        ("He", 0, "he", "PRON", "PRP", 1, "nsubj"),
        ("went", 3, "go", "VERB", "VBD", 1, "ROOT"),
        ("home", 8, "home", "ADV", "RB", 1, "advmod"),
        ("slept", 13, "sleep", "VERB", "VBD", 1, "obj"),
    ]
    assert shift(parse_of_rows("He went home slept", rows), "present") is None


def test_long_text_is_handled(parse_sentence: ParseSentence) -> None:
    assert shift(parse_sentence("He was here. " * 770), "present") is not None


@pytest.mark.parametrize("sentence", ["CIA accused over Iraq detainees", "Bomb found in Belfast", "Woman charged with murder of son"])
def test_reduced_passive_of_a_headline_is_no_past_tense(parse_sentence: ParseSentence, sentence: str) -> None:
    assert tense_transformation(parse_sentence(sentence), Random(0), to_tense="future") is None


def test_original_converts_what_the_refusals_leave_alone(parse_sentence: ParseSentence) -> None:
    parse = parse_sentence("He was fat and would constantly eat cake.")
    assert tense_transformation(parse, Random(0), to_tense="present", fidelity="original") == "He is fat and would constantly eat cake."


@pytest.mark.parametrize(("to_tense", "expected"), [("future", None), ("past", "The minister was to make a speech.")])
def test_is_to_has_a_past_and_no_future(parse_sentence: ParseSentence, to_tense: Literal["future", "past"], expected: str | None) -> None:
    assert tense_transformation(parse_sentence("The minister is to make a speech."), Random(0), to_tense=to_tense) == expected


@pytest.mark.parametrize(
    "sentence", ["The old bridge collapsed last night.", "Prices rose early last year.", "She had died two years ago."]
)
def test_what_is_over_stays_past(parse_sentence: ParseSentence, sentence: str) -> None:
    assert all(tense_transformation(parse_sentence(sentence), Random(seed)) is None for seed in range(4))


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("time", ["1925", "the 1920s", "May 2021"])
def test_a_year_that_is_over_has_no_future(parse_sentence: ParseSentence, time: str, seed: int) -> None:
    assert tense_transformation(parse_sentence(f"The house was built in {time}."), Random(seed)) == f"The house is built in {time}."


@pytest.mark.parametrize(
    ("sentence", "other"),
    [
        ("The tribes settled here in the 5th century.", "The tribes settle here in the 5th century."),
        ("They ruled the towns of present-day Slovakia.", "They rule the towns of present-day Slovakia."),
        ("They built the walls around 200 BC.", "They build the walls around 200 BC."),
        ("In 620, the kings died.", "In 620, the kings die."),
        # Of a perfect, "will have seen" would rarely be said.
        ("They have seen the town.", "They had seen the town."),
    ],
)
@pytest.mark.parametrize("seed", range(5))
def test_a_past_time_and_a_perfect_have_no_future(parse_sentence: ParseSentence, sentence: str, other: str, seed: int) -> None:
    assert tense_transformation(parse_sentence(sentence), Random(seed)) == other


@pytest.mark.parametrize(
    ("sentence", "others"),
    [
        ("They live here nowadays.", set()),
        ("She won last time.", set()),
        ("She came this morning.", {"She will come this morning."}),
        ("I saw him today.", {"I will see him today."}),
        ("It is warm today.", {"It was warm today.", "It will be warm today."}),
        ("They will play tonight.", {"They played tonight.", "They play tonight."}),
        ("She lives in Paris now.", {"She will live in Paris now."}),
        ("I will call him tomorrow.", {"I call him tomorrow."}),
        ("He was now a rich man.", {"He is now a rich man.", "He will now be a rich man."}),
        ("The now famous king is old.", {"The now famous king was old.", "The now famous king will be old."}),
        ("The next morning he is ill.", {"The next morning he was ill.", "The next morning he will be ill."}),
        # A year lies where its verb says.
        ("He died in 1990.", {"He dies in 1990."}),
        ("The bridge will be opened in 2040.", {"The bridge is opened in 2040."}),
    ],
)
def test_time_counted_from_now_excludes_tenses(parse_sentence: ParseSentence, sentence: str, others: set[str]) -> None:
    parse = parse_sentence(sentence)
    assert {shift(parse, tense) for tense in ("past", "present", "future")} - {None} == others
    assert {tense_transformation(parse, Random(seed)) for seed in range(9)} - {None} == others


def test_a_clause_of_time_that_the_parser_took_for_the_main_one_has_no_future(parse_sentence: ParseSentence) -> None:
    assert shift(parse_sentence("Every time you recall a memory, you alter it slightly."), "future") is None


def test_this_century_has_a_future(parse_sentence: ParseSentence) -> None:
    parse = parse_sentence("They live in the 21st century.")
    assert "They will live in the 21st century." in {tense_transformation(parse, Random(seed)) for seed in range(9)}


def test_a_perfect_with_since_has_no_future(parse_sentence: ParseSentence) -> None:
    parse = parse_sentence("Since 2017, he has made many changes.")
    assert {tense_transformation(parse, Random(seed)) for seed in range(9)} == {"Since 2017, he had made many changes."}
    assert tense_transformation(parse_sentence("He has a car since he is rich."), Random(0)) is not None


def test_a_number_of_things_is_no_year(parse_sentence: ParseSentence) -> None:
    assert tense_transformation(parse_sentence("He sold 1500 houses."), Random(0), to_tense="future") == "He will sell 1500 houses."


def test_what_is_to_come_does_not_become_past(parse_sentence: ParseSentence) -> None:
    made = {tense_transformation(parse_sentence("The shop opens next week."), Random(seed)) for seed in range(6)}
    assert made == {"The shop will open next week."}
