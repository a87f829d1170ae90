"""SentenceAuxiliaryNegationRemoval: golden sentences, what is left alone, hand-made parses."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest

from augcse.annotation.parse import Parse, parse_of_rows
from augcse.augmentations.english.inflection import verb_lemma, word_form
from augcse.augmentations.rules.polarity.sentence_auxiliary_negation_removal import sentence_auxiliary_negation_removal

ParseSentence = Callable[[str], Parse]


def remove(parse: Parse, **options: str) -> str | None:
    return sentence_auxiliary_negation_removal(parse, Random(0), **options)


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        (
            "Ujjal Dev Dosanjh was not the 1st Premier of British Columbia from 1871 to 1872.",
            "Ujjal Dev Dosanjh was the 1st Premier of British Columbia from 1871 to 1872.",
        ),
        ("He won't come.", "He will come."),
        ("You can't see it.", "You can see it."),
        ("He cannot swim.", "He can swim."),
        ("It isn't nice.", "It is nice."),
        ("It has not been done.", "It has been done."),
        ("You shouldn't have come.", "You should have come."),
        ("He’s not ill.", "He’s ill."),
        ("It  is not\ta 'test' .", "It  is\ta 'test' ."),
    ],
)
def test_auxiliary_stays_without_not(parse_sentence: ParseSentence, sentence: str, expected: str) -> None:
    assert remove(parse_sentence(sentence)) == expected


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("He did not go home.", "He went home."),
        ("But I did not go in and grab him and ask.", "But I went in and grabbed him and asked."),
        ("It was not too late to go.", "It was too late to go."),
        ("He does not yet sing.", "He already sings."),
        ("She does not like it.", "She likes it."),
        ("I do not like it.", "I like it."),
        ("They did not really believe us.", "They really believed us."),
        ("Don't go!", "Go!"),
        ("We couldn't go any further with him.", "We could go further with him."),
        ("I do not want any more.", "I want some more."),
        ("I do not need any more food.", "I need some more food."),
        ("He does not live here any more.", "He lives here."),
        ("I don't want you to think they can't come.", "I want you to think they can't come."),
        ("You can't buy something they have not made.", "You can buy something they have not made."),
        ("If you don't come, I won't go.", "If you come, I will go."),
        ("She did not move while he was singing.", "She moved while he was singing."),
    ],
)
def test_do_support_is_undone(parse_sentence: ParseSentence, sentence: str, expected: str) -> None:
    assert remove(parse_sentence(sentence)) == expected


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("Didn't he come?", "Did he come?"),
        ("Why don't people come?", "Why do people come?"),
        ("Why is cricket not popular?", "Why is cricket popular?"),
        ("I dont like it.", "I like it."),
    ],
)
def test_question_keeps_do(parse_sentence: ParseSentence, sentence: str, expected: str) -> None:
    assert remove(parse_sentence(sentence)) == expected


def test_every_negated_auxiliary_is_handled(parse_sentence: ParseSentence) -> None:
    assert remove(parse_sentence("He isn't here, and she doesn't care.")) == "He is here, and she cares."


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("She didn't see anyone.", "She saw someone."),
        ("He has not left yet.", "He has left already."),
        ("He doesn't smoke anymore.", "He smokes."),
        ("I didn't like it at all.", "I liked it."),
        ("I don't go there, either.", "I go there, too."),
        ("I do not think that anybody came.", "I think that somebody came."),
        ("Ivy isn't a parasite, and its flowers feed more than anything.", "Ivy is a parasite, and its flowers feed more than anything."),
        ("He is not better than anyone else.", "He is better than anyone else."),
    ],
)
def test_words_that_live_on_the_negation_are_adapted(parse_sentence: ParseSentence, sentence: str, expected: str) -> None:
    assert remove(parse_sentence(sentence)) == expected


@pytest.mark.parametrize(
    "sentence",
    [
        "Not only did he come, but he also sang.",
        "He did not leave until noon.",
        "He was not a singer but a dancer.",
        "He is neither rich nor happy.",
        "He told me not to go.",
        "He didn't eat, nor did he drink.",
        "You needn't come.",
        "No, he's not.",
        "The old man was tired and the young man was not.",
        "Remember that failure is not the opposite of success; it's part of it.",
        "Don't you dare touch my phone!",
        '"Don\'t you dare feel sorry for me, Thomas Ashby."',
        "And don't you forget it!",
        "It isn't the house I'll miss so much as the noise.",
        "Because he was not ill, he came.",
        "Unlike her, he did not come.",
        "The noise is not fading, yet she sleeps well.",
        "While she was not injured, the boat was badly damaged.",
        "I simply cannot go.",
        "These principles do not, in themselves, show it.",
        "Nobody came.",
        "He is happy.",
        "",
        "Stop",
        "🙂 🙂",
        "هذا ليس كتابا",
    ],
)
def test_sentence_without_removable_negation_stays(parse_sentence: ParseSentence, sentence: str) -> None:
    assert remove(parse_sentence(sentence)) is None


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("They do not go.", "They go."),
        ("I don't go.", "I go."),
        ("She did not go.", None),
        ("It was not late.", "It was late."),
        ("He cannot swim.", "He can swim."),
        ("It was not only late.", "It was only late."),
        ("He was not a singer but a dancer.", "He was a singer but a dancer."),
    ],
)
def test_repo_fidelity_does_as_nl_augmenter(parse_sentence: ParseSentence, sentence: str, expected: str | None) -> None:
    assert remove(parse_sentence(sentence), fidelity="repo") == expected


def test_clearnlp_copula_is_handled() -> None:
    rows = [
        ("He", 0, "he", "PRON", "PRP", 1, "nsubj"),
        ("was", 3, "be", "AUX", "VBD", 1, "ROOT"),
        ("not", 7, "not", "PART", "RB", 1, "neg"),
        ("old", 11, "old", "ADJ", "JJ", 1, "acomp"),
        (".", 14, ".", "PUNCT", ".", 1, "punct"),
    ]
    assert remove(parse_of_rows("He was not old.", rows)) == "He was old."


def test_long_text_is_handled(parse_sentence: ParseSentence) -> None:
    augmented = remove(parse_sentence("He was not here. " * 600))
    assert augmented is not None
    assert "not" not in augmented


@pytest.mark.parametrize(
    ("lemma", "past"),
    [("lie", "lay"), ("lay", "laid"), ("found", "founded"), ("wind", "wound"), ("bear", "bore"), ("put", "put")],
)
def test_past_of_verbs_with_homographs(lemma: str, past: str) -> None:
    assert word_form(lemma, "VBD") == past


def test_lemma_that_does_not_give_the_word_is_corrected() -> None:
    assert verb_lemma("abolished", "VBD", "abolishe") == "abolish"
