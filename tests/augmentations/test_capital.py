"""The capital of the word that opens a sentence: its own, the sentence's, or in doubt."""

from __future__ import annotations

import pytest

from augcse.annotation.parse import parse_of_rows
from augcse.augmentations.english.capitals import opening_case


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("The/DT house/NN", "lower"),
        ("Nobody/NN came/VBD", "lower"),
        ("I/PRP came/VBD", "keep"),
        ("DNA/NN is/VBZ", "keep"),
        ("Women/NNS vote/VBP", "lower"),
        ("Germans/NNS vote/VBP", "keep"),
        ("Welles/NNS was/VBD", "doubt"),
        ("Many/JJ roads/NNS", "lower"),
        ("Cultural/JJ life/NN", "lower"),
        ("Spanish/JJ physicians/NNS", "keep"),
        ("White/JJ has/VBZ", "doubt"),
        ("Growth/NNP hormones/NNS", "lower"),
        ("Structuralism/NNP developed/VBD", "lower"),
        ("Beckham/NNP made/VBD", "keep"),
        ("Bush/NNP continued/VBD", "keep"),
        ("Carver/NN developed/VBD", "doubt"),
        ("Oxycodone/NNP has/VBZ", "doubt"),
        ("Polish/JJ trains/NNS", "keep"),
        ("New/NNP York/NNP", "keep"),
        ("Novelist/NNP Paul/NNP", "doubt"),
        ("Power/NN entered/VBD", "doubt"),
        ("Power/NN plants/NNS", "lower"),
        ("Marks/NNS left/VBD", "doubt"),
        ("Justice/NN prevailed/VBD", "lower"),
        ("Craftwork/NNP was/VBD", "doubt"),
        ("Clement/NNP XI/NNP", "keep"),
        ("Senator/NNP McClellan/NNP", "doubt"),
    ],
)
def test_opening_case(words: str, expected: str) -> None:
    rows, start = [], 0
    for index, word in enumerate(words.split()):
        token, tag = word.split("/")
        rows.append((token, start, token.lower(), "X", tag, 1, "ROOT" if index == 1 else "compound"))
        start += len(token) + 1
    assert opening_case(parse_of_rows(" ".join(row[0] for row in rows), rows), 0) == expected


@pytest.mark.parametrize(
    ("word", "tag", "verb", "expected"),
    [
        ("Traffic", "NNP", "grew/VBD", "doubt"),
        ("Traffic", "NN", "grew/VBD", "lower"),
        ("Pentagon", "NNP", "grew/VBD", "doubt"),
        ("Hawks", "NNPS", "grew/VBD", "doubt"),
        ("Neutral", "JJ", "grew/VBD", "doubt"),
        ("Dog", "NN", "grew/VBD", "doubt"),
        ("Jared", "NNP", "grew/VBD", "keep"),
        ("Women", "NNS", "grew/VBD", "lower"),
    ],
)
def test_a_subject_of_one_word_may_be_a_name_by_its_tag(word: str, tag: str, verb: str, expected: str) -> None:
    form, verb_tag = verb.split("/")
    rows = [(word, 0, word.lower(), "X", tag, 1, "nsubj"), (form, len(word) + 1, form, "VERB", verb_tag, 1, "ROOT")]
    assert opening_case(parse_of_rows(f"{word} {form}", rows), 0) == expected


def test_name_within_the_sentence_settles_the_doubt() -> None:
    rows = [
        ("Bush", 0, "bush", "X", "NNP", 1, "nsubj"),
        ("met", 5, "meet", "X", "VBD", 1, "ROOT"),
        ("George", 9, "george", "X", "NNP", 3, "flat"),
        ("Bush", 16, "bush", "X", "NNP", 1, "obj"),
    ]
    assert opening_case(parse_of_rows("Bush met George Bush", rows), 0) == "keep"
