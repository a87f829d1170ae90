"""AffirmativeAuxiliary: every kind of verb group, what is left alone, the algorithm as printed."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest

from augcse.annotation.parse import Parse, parse_of_rows
from augcse.augmentations.rules.polarity.affirmative_auxiliary import affirmative_auxiliary

ParseSentence = Callable[[str], Parse]
SHAREHOLDER = "A shareholder may transfer its Shares only with the prior written consent of the Company."


def affirm(parse: Parse, **options: str) -> str | None:
    return affirmative_auxiliary(parse, Random(0), **{"auxiliary": "have to", **options})  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        (SHAREHOLDER, SHAREHOLDER.replace("may", "has to")),
        ("She walks to the harbour.", "She has to walk to the harbour."),
        ("They walk home.", "They have to walk home."),
        ("She walked home.", "She had to walk home."),
        ("She came in and sat down.", "She had to come in and sit down."),
        (
            "She used them while others first used ships and continued to 1900.",
            "She had to use them while others first used ships and continued to 1900.",
        ),
        ("He eats, sleeps and works.", "He has to eat, sleep and work."),
        ("He can sing and dances well.", None),
        ("They had new and improved tools.", "They had to have new and improved tools."),
        ("He is a doctor.", "He has to be a doctor."),
        ("They were doctors.", "They had to be doctors."),
        ("It's a cold day.", "It has to be a cold day."),
        ("That is a cold day.", "That has to be a cold day."),
        ("He is walking home.", None),
        ("It was built in 1900.", "It had to be built in 1900."),
        ("He has walked home.", None),
        ("There are three ways.", "There have to be three ways."),
        ("He will go home.", "He will have to go home."),
        ("He was fined and ordered to pay.", "He had to be fined and ordered to pay."),
        ("She is survived by her son.", None),
        ("He will often use it.", "He will often have to use it."),
        ("We would go home.", "We would have to go home."),
        ("They could go home.", None),
        ("They can go home.", "They have to go home."),
        ("She should be there.", "She has to be there."),
        ("James must go.", "James has to go."),
        ("All notices must be in writing.", "All notices have to be in writing."),
        ("Seven of them can swim.", "Seven of them have to swim."),
        ("The Beatles can play.", None),
        ("Tom was in fact prone to seasickness.", "Tom in fact had to be prone to seasickness."),
        ("She had better grades.", "She had to have better grades."),
        ("He left because he did not like it.", "He had to leave because he did not like it."),
        ("Getting them must be hard.", "Getting them has to be hard."),
        ("The following must be true.", None),
        ("The picture above shows a man.", "The picture above has to show a man."),
        ("The Smiths will come.", "The Smiths will have to come."),
        ("Can the Beatles play?", None),
        ("There is often a way.", "There often has to be a way."),
        ("How can I win?", "What do I have to do to win?"),
        ("Will he come?", "Will he have to come?"),
        ("Was she who?", "Did she have to be who?"),
        ("They were", "They had to be"),
        ("He'd been a doctor.", None),
        ("Is he here?", "Does he have to be here?"),
        ("Were they here?", "Did they have to be here?"),
        ("Do you like it?", "Do you have to like it?"),
        ("Why did you quit?", "Why did you have to quit?"),
        ("Has he gone?", None),
        ("Please close the door.", "Please be sure to close the door."),
    ],
)
def test_auxiliary_takes_number_and_tense_of_the_verb(parse_sentence: ParseSentence, sentence: str, expected: str | None) -> None:
    assert affirm(parse_sentence(sentence)) == expected


@pytest.mark.parametrize(
    ("auxiliary", "sentence", "expected"),
    [
        ("cannot but", "She walks home.", "She cannot but walk home."),
        ("cannot but", "She walked home.", "She could not but walk home."),
        # An adverb of the clause or of time stands before, one of manner beside its verb.
        ("have to", "He recently sold it.", "He recently had to sell it."),
        ("cannot but", "There is often a way.", None),
        ("cannot but", "He must have walked home.", None),
        ("cannot but", "He'd go home.", None),
        ("cannot but", "He will go home.", None),
        ("have to", "Must I go?", "Do I have to go?"),
        ("have to", "They could see if it was open.", None),
        ("cannot but", "The house was built in May.", None),
        ("cannot help but", "Tehran is a city in Iran.", None),
        ("cannot help but", "You may go.", None),
        ("cannot but", "She conscientiously followed the king.", "She could not but conscientiously follow the king."),
    ],
)
def test_other_auxiliaries(parse_sentence: ParseSentence, auxiliary: str, sentence: str, expected: str | None) -> None:
    assert affirm(parse_sentence(sentence), auxiliary=auxiliary) == expected


@pytest.mark.parametrize("sentence", ["In May,  he walks\thome — quickly .", "In 1998, the “old” man was seen; he left."])
def test_everything_but_the_verb_group_stays(parse_sentence: ParseSentence, sentence: str) -> None:
    new = affirm(parse_sentence(sentence))
    assert new is not None
    head, verb = next((sentence.partition(verb)[0], verb) for verb in ("walks", "was") if verb in sentence)
    assert new.startswith(head)
    assert new.endswith(sentence[len(head) + len(verb) :])


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("The man who is old walks.", "The man who have to be old walks."),
        (SHAREHOLDER, SHAREHOLDER.replace("transfer", "have to transfer")),
        ("She walked home.", "She have to walk home."),
        ("A house on the hill.", None),
    ],
)
def test_paper_fidelity_is_the_printed_algorithm(parse_sentence: ParseSentence, sentence: str, expected: str | None) -> None:
    class First(Random):
        def choice(self, seq):  # type: ignore[no-untyped-def]
            return seq[0]

    assert affirmative_auxiliary(parse_sentence(sentence), First(0), fidelity="paper") == expected


def test_paper_fidelity_draws_from_the_printed_list(parse_sentence: ParseSentence) -> None:
    drawn = {affirmative_auxiliary(parse_sentence("It is cold."), Random(seed), fidelity="paper") for seed in range(30)}
    assert drawn == {"It have to be cold.", "It can't but be cold.", "It can't help to be cold."}


def test_clearnlp_copula_is_handled(copula_as_root: Parse) -> None:
    assert affirm(copula_as_root) == "He had to be old."


def test_a_past_that_the_tagger_took_for_a_participle() -> None:
    rows = [
        ("He", 0, "he", "PRON", "PRP", 1, "nsubj"),
        ("founded", 3, "found", "VERB", "VBN", 1, "ROOT"),
        ("it", 11, "it", "PRON", "PRP", 1, "obj"),
    ]
    assert affirm(parse_of_rows("He founded it", rows)) == "He had to found it"


def test_long_text_is_handled(parse_sentence: ParseSentence) -> None:
    new = affirm(parse_sentence("He was here. " * 600))
    assert new is not None
    assert new.startswith("He had to be here. He was here.")


@pytest.mark.parametrize("sentence", ["What is the reason?", "Where were they?", "What are their names?"])
def test_what_a_thing_is_does_not_have_to_be(parse_sentence: ParseSentence, sentence: str) -> None:
    assert affirm(parse_sentence(sentence)) is None
